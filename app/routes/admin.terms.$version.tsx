// One version of the terms, as it is read, and what changed in it.
import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { Prose } from "~/console/prose";
import { TextDiff } from "~/desk/text-diff";
import { diffOf } from "~/desk/text-diff.server";
import { load } from "~/lib/api.server";
import { errorTitle } from "~/lib/error-title";
import { PageHeader } from "~/ui/page-header";
import { Panel } from "~/ui/panel";
import { TextLink } from "~/ui/text-link";

export { RouteError as ErrorBoundary } from "~/ui/route-error";

export const loader = (args: LoaderFunctionArgs) =>
  load(args, async (api) => {
    const { before, ...terms } = await api.terms.get({ version: args.params.version! });
    return { ...terms, before: before && { version: before.version, diff: diffOf(before.body, terms.body) } };
  });

type Data = Awaited<ReturnType<typeof loader>>;

export const meta: MetaFunction<typeof loader> = ({ data, error }) => [
  { title: data ? `Terms ${data.version} · Aisle` : errorTitle(error) },
];
export const handle = { crumb: ({ version }: Data) => version };

export default function TermsVersion() {
  const { version, body, before } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader
        description={
          <TextLink to={`/admin/audit?${new URLSearchParams({ targetKind: "terms", targetId: version })}`}>
            Who published it
          </TextLink>
        }
        title={`Terms of ${version}`}
      />
      {before && (
        <Panel flush title={`What changed since ${before.version}`}>
          <TextDiff paragraphs={before.diff} />
        </Panel>
      )}
      <Panel title="As it is read">
        <div className="max-w-3xl">
          <Prose markdown={body} top={3} />
        </div>
      </Panel>
    </>
  );
}
