// Usage of all consumers, or of one.
import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { load, sought } from "~/lib/api.server";
import { ButtonLink } from "~/ui/button";
import { PageHeader } from "~/ui/page-header";
import { SearchForm } from "~/ui/search-form";
import { rangeOf } from "~/usage/range.server";
import { UsageView } from "~/usage/usage-view";

export { RouteError as ErrorBoundary } from "~/ui/route-error";

export const meta: MetaFunction = () => [{ title: "Usage · Aisle" }];
export const handle = { crumb: "Usage" };

export const loader = (args: LoaderFunctionArgs) =>
  load(args, async (api) => {
    const consumer = new URL(args.request.url).searchParams.get("consumer")?.trim() || undefined;
    const range = rangeOf(args.request);
    const { found: report, problems } = await sought(args, ["consumer"], api.usage.readAny({ range, consumer }));
    const name = report && consumer ? (await api.consumers.get({ slug: consumer })).name : undefined;
    return { report, problems, range, consumer, name };
  });

export default function AdminUsage() {
  const { report, problems, range, consumer, name } = useLoaderData<typeof loader>();
  const toAll = <ButtonLink to={`/admin/usage?range=${range}`}>All consumers</ButtonLink>;
  return (
    <>
      <PageHeader
        actions={consumer && toAll}
        description={
          consumer ? (
            <>
              Of {name && `${name} · `}
              <span className="font-mono text-[0.8125rem]">{consumer}</span>
            </>
          ) : (
            "Across all consumers."
          )
        }
        title="Usage"
      />
      <SearchForm error={problems.consumer} label="Consumer (slug)" name="consumer" value={consumer}>
        <input name="range" type="hidden" value={range} />
      </SearchForm>
      {report && (
        <UsageView
          by={
            consumer ? ["tool", "store", "key", "client", "locale"] : ["consumer", "tool", "store", "client", "locale"]
          }
          empty={{ action: consumer && toAll, words: "Calls appear here within seconds, including refused ones." }}
          page="/admin/usage"
          params={consumer ? { consumer } : undefined}
          report={report}
        />
      )}
    </>
  );
}
