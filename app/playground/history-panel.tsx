import { Link } from "@remix-run/react";
import { keepFocus, placesAround } from "~/lib/keep-focus";
import { duration } from "~/lib/numbers";
import { Button } from "~/ui/button";
import { Panel } from "~/ui/panel";
import { Time } from "~/ui/time";
import { FROM_HISTORY, type PastRun } from "./history";
import { callLink } from "./run";
import { StatusBadge } from "./status-badge";

/** The last runs of this browser; each opens its call again. */
export function HistoryPanel({
  runs,
  onOpen,
  onClear,
}: {
  runs: PastRun[];
  /** Also where the call's address is the page's already. */
  onOpen: () => void;
  onClear: () => void;
}) {
  if (runs.length === 0) return null;
  return (
    <Panel
      actions={
        <Button
          onClick={({ currentTarget }) => {
            keepFocus(placesAround(currentTarget));
            onClear();
          }}
          size="sm"
        >
          Clear
        </Button>
      }
      description="The last 50 calls from this browser, without their answers. They are stored only here."
      flush
      title="History"
    >
      <ol className="max-h-96 divide-y divide-line overflow-y-auto">
        {runs.map((run) => (
          <li key={run.requestId}>
            <Link
              className="flex min-h-11 items-center gap-x-4 gap-y-1 px-4 py-2 text-[0.8125rem] -outline-offset-2 hover:bg-sunken max-lg:flex-wrap md:px-6"
              onClick={({ ctrlKey, metaKey, shiftKey, altKey }) => {
                // Another window is opened then, and this one stays as it is.
                if (!(ctrlKey || metaKey || shiftKey || altKey)) onOpen();
              }}
              preventScrollReset
              state={FROM_HISTORY}
              to={callLink(run.tool, run.args, run.asDirectory === true)}
            >
              <span className="shrink-0 lg:w-52">
                <StatusBadge code={run.code} status={run.status} />
              </span>
              <code className="shrink-0 font-mono lg:w-44">{run.tool}</code>
              {run.asDirectory === true && <span className="shrink-0 text-muted">directory endpoint</span>}
              <code className="min-w-0 grow basis-40 truncate font-mono text-faint sm:max-lg:basis-64">{run.args}</code>
              <span className="shrink-0 text-muted tabular-nums lg:w-14 lg:text-right">{duration(run.ms)}</span>
              <span className="shrink-0 text-faint lg:w-28 lg:text-right">
                <Time at={run.at} />
              </span>
            </Link>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
