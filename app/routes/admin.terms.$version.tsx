// One version of the terms, as it is read, and what changed in it.
import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { Prose } from "~/console/prose";
import { TextDiff } from "~/desk/text-diff";
import { diffOf } from "~/desk/text-diff.server";
import { load } from "~/lib/api.server";
import { errorTitle } from "~/lib/error-title";
import { grouped } from "~/lib/numbers";
import { Badge } from "~/ui/badge";
import { PageHeader } from "~/ui/page-header";
import { Panel } from "~/ui/panel";
import { TextLink } from "~/ui/text-link";
import { Time } from "~/ui/time";

export { RouteError as ErrorBoundary } from "~/ui/route-error";

export const loader = (args: LoaderFunctionArgs) =>
  load(args, async (api) => {
    const [{ before, ...terms }, versions] = await Promise.all([
      api.terms.get({ version: args.params.version! }),
      api.terms.versions(),
    ]);
    return {
      ...terms,
      ...versions.find(({ version }) => version === terms.version)!,
      isInForce: versions[0]!.version === terms.version,
      before: before && { version: before.version, diff: diffOf(before.body, terms.body) },
    };
  });

type Data = Awaited<ReturnType<typeof loader>>;

export const meta: MetaFunction<typeof loader> = ({ data, error }) => [
  { title: data ? `Terms ${data.version} · Aisle` : errorTitle(error) },
];
export const handle = { crumb: ({ version }: Data) => version };

export default function TermsVersion() {
  const { version, body, before, isInForce, publishedAt, publishedBy, consumers } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader
        badge={isInForce ? <Badge tone="success">In force</Badge> : <Badge>Replaced</Badge>}
        description={
          <>
            Published <Time at={publishedAt} />
            {publishedBy && ` by ${publishedBy}`}. {platforms(consumers)} on it.{" "}
            <TextLink to={`/admin/audit?${new URLSearchParams({ targetKind: "terms", targetId: version })}`}>
              See its history
            </TextLink>
          </>
        }
        title={`Terms of ${version}`}
      />
      <Panel title="Text">
        <div className="max-w-3xl">
          <Prose markdown={body} top={3} />
        </div>
      </Panel>
      {before && (
        <Panel flush title={`What changed since ${before.version}`}>
          <TextDiff paragraphs={before.diff} />
        </Panel>
      )}
    </>
  );
}

const platforms = (count: number) =>
  count === 1 ? "One platform is" : `${count === 0 ? "No" : grouped(count)} platforms are`;
