// What a consumer calls.
import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useConsumer } from "~/admin/consumer";
import { UsagePanel } from "~/admin/usage-panel";
import { load } from "~/lib/api.server";
import { grouped } from "~/lib/numbers";
import { Chart } from "~/ui/chart";
import { Panel } from "~/ui/panel";
import { Stat, Stats } from "~/ui/stat";
import { type Counts, countsOf, outcomes, shareOfErrors } from "~/usage/counts";

export { RouteError as ErrorBoundary } from "~/ui/route-error";

export const meta: MetaFunction = ({ params }) => [{ title: `Usage of ${params.slug} · Aisle` }];
export const handle = { crumb: "Usage" };

export const loader = (args: LoaderFunctionArgs) =>
  load(args, async (api) => {
    const { id } = await api.consumers.get({ slug: String(args.params.slug) });
    return api.consumers.usage({ consumerId: id });
  });

export default function Usage() {
  const usage = useLoaderData<typeof loader>();
  const day = total(usage.tools.map((tool) => tool.day));
  const month = total(usage.tools.map((tool) => tool.month));
  const both = [["24 hours", day] as const, ["30 days", month] as const];
  return (
    <>
      <Stats>
        {both.map(([when, { calls, errors, refused }]) => (
          <Stat
            detail={`${grouped(calls - errors - refused)} answered`}
            key={when}
            label={`Calls, ${when}`}
            value={grouped(calls)}
          />
        ))}
        {both.map(([when, counts]) => (
          <Stat detail={shareOfErrors(counts)} key={when} label={`Errors, ${when}`} value={grouped(counts.errors)} />
        ))}
        {both.map(([when, { refused }]) => (
          <Stat detail="401, 403 and 429" key={when} label={`Refused, ${when}`} value={grouped(refused)} />
        ))}
      </Stats>
      {month.calls > 0 && (
        <Panel description="Per day, UTC" title="Last 30 days">
          <Chart
            points={usage.days.map((step) => ({ at: step.at, counts: countsOf(step) }))}
            series={[...outcomes]}
            step="day"
            title="Calls in the last 30 days"
          />
        </Panel>
      )}
      <UsagePanel slug={useConsumer().slug} title="By tool" usage={usage} />
    </>
  );
}

const total = (counts: Counts[]): Counts => {
  const sum = (of: keyof Counts) => counts.reduce((soFar, each) => soFar + each[of], 0);
  return { calls: sum("calls"), errors: sum("errors"), refused: sum("refused") };
};
