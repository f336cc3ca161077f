import { Activity } from "lucide-react";
import { ButtonLink } from "~/ui/button";
import { Chart } from "~/ui/chart";
import { EmptyState } from "~/ui/empty-state";
import { Panel } from "~/ui/panel";
import { countsOf, outcomes } from "~/usage/counts";
import { HowToCall } from "./how-to-call";
import type { Overview } from "./overview";

/** Calls of the last 24 hours and what became of them, an hour a bar. */
export function ActivityPanel({ lastDay }: Pick<Overview, "lastDay">) {
  const isQuiet = lastDay.every(({ calls }) => calls === 0);
  return (
    <Panel
      actions={
        <ButtonLink size="sm" to="/console/usage">
          Open Usage
        </ButtonLink>
      }
      description="Calls with your keys, to your directory endpoint and from the Playground, per hour, UTC"
      title="Last 24 hours"
    >
      {isQuiet ? (
        <EmptyState action={<HowToCall />} icon={Activity} title="No calls in the last 24 hours">
          Calls with your keys appear here within seconds, including refused ones.
        </EmptyState>
      ) : (
        <Chart
          points={lastDay.map((hour) => ({ at: hour.at, counts: countsOf(hour) }))}
          series={[...outcomes]}
          step="hour"
          title="Calls in the last 24 hours"
        />
      )}
    </Panel>
  );
}
