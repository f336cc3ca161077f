import { Activity } from "lucide-react";
import { ButtonLink } from "~/ui/button";
import { Chart } from "~/ui/chart";
import { EmptyState } from "~/ui/empty-state";
import { Panel } from "~/ui/panel";
import type { Overview } from "./overview";

const series = [
  { label: "Answered", tone: "accent" },
  { label: "Errors", tone: "danger" },
] as const;

/** Calls and errors of the last 24 hours, an hour a bar. */
export function ActivityPanel({ lastDay }: Pick<Overview, "lastDay">) {
  const isQuiet = lastDay.every(({ calls }) => calls === 0);
  return (
    <Panel description="Calls of all keys, by the hour, UTC" title="Last 24 hours">
      {isQuiet ? (
        <EmptyState
          action={
            <ButtonLink size="sm" to="#connect">
              See how to call
            </ButtonLink>
          }
          icon={Activity}
          title="No calls in the last 24 hours"
        >
          Calls with your keys appear here within seconds, errors among them.
        </EmptyState>
      ) : (
        <Chart
          points={lastDay.map(({ at, calls, errors }) => ({ at, counts: [calls - errors, errors] }))}
          series={[...series]}
          step="hour"
          title="Calls in the last 24 hours"
        />
      )}
    </Panel>
  );
}
