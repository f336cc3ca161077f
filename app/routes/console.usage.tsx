// Usage: what the platform's keys, directory endpoint and Playground did, over a range.
import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useCurrent } from "~/console/current";
import { HowToCall } from "~/console/how-to-call";
import { load } from "~/lib/api.server";
import { PageHeader } from "~/ui/page-header";
import { rangeOf } from "~/usage/range.server";
import { UsageView } from "~/usage/usage-view";

export { RouteError as ErrorBoundary } from "~/ui/route-error";

export const meta: MetaFunction = () => [{ title: "Usage · Aisle" }];
export const handle = { crumb: "Usage" };

export const loader = (args: LoaderFunctionArgs) =>
  load(args, async (api) => ({ report: await api.usage.read({ range: rangeOf(args.request) }) }));

export default function Usage() {
  const { report } = useLoaderData<typeof loader>();
  const { consumerId } = useCurrent();
  return (
    <>
      <PageHeader
        description="A call is a request of any method with one of your keys, to your directory endpoint or from the Playground, including refused ones."
        title="Usage"
      />
      <UsageView
        by={["tool", "store", "key", "client", "locale"]}
        empty={{
          action: <HowToCall />,
          words: "Calls with your keys appear here within seconds, including refused ones.",
        }}
        ofFiles={{ consumerId }}
        page="/console/usage"
        report={report}
      />
    </>
  );
}
