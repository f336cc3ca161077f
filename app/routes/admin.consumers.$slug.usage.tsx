// What a consumer calls.
import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { UsagePanel } from "~/admin/usage-panel";
import { load } from "~/lib/api.server";
import { grouped } from "~/lib/numbers";
import { Chart } from "~/ui/chart";
import { Panel } from "~/ui/panel";
import { Stat, Stats } from "~/ui/stat";

export { RouteError as ErrorBoundary } from "~/ui/route-error";

export const meta: MetaFunction = ({ params }) => [{ title: `Usage of ${params.slug} · Aisle` }];
export const handle = { crumb: "Usage" };

export const loader = (args: LoaderFunctionArgs) =>
  load(args, async (api) => {
    const { id } = await api.consumers.get({ slug: String(args.params.slug) });
    return api.consumers.usage({ consumerId: id });
  });

const series = [
  { label: "Answered", tone: "accent" },
  { label: "Errors", tone: "danger" },
] as const;

export default function Usage() {
  const usage = useLoaderData<typeof loader>();
  const day = total(usage.tools.map((tool) => tool.day));
  const month = total(usage.tools.map((tool) => tool.month));
  return (
    <>
      <Stats>
        <Stat label="Calls, 24 hours" value={grouped(day.calls)} />
        <Stat label="Errors, 24 hours" value={grouped(day.errors)} />
        <Stat label="Calls, 30 days" value={grouped(month.calls)} />
        <Stat label="Errors, 30 days" value={grouped(month.errors)} />
      </Stats>
      {month.calls > 0 && (
        <Panel description="By the day, UTC" title="Last 30 days">
          <Chart
            points={usage.days.map(({ at, calls, errors }) => ({ at, counts: [calls - errors, errors] }))}
            series={[...series]}
            step="day"
            title="Calls in the last 30 days"
          />
        </Panel>
      )}
      <UsagePanel title="By tool" usage={usage} />
    </>
  );
}

const total = (counts: { calls: number; errors: number }[]) =>
  counts.reduce((sum, { calls, errors }) => ({ calls: sum.calls + calls, errors: sum.errors + errors }), {
    calls: 0,
    errors: 0,
  });
