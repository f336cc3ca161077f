// The answer of a run, three ways: to look at, as JSON, and as the whole exchange.
import { CircleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { parsed } from "~/lib/json-text";
import { duration, grouped } from "~/lib/numbers";
import { CopyButton } from "~/ui/copy-button";
import { JsonView } from "~/ui/json-view";
import { Panels } from "~/ui/panels";
import { ExchangeView } from "./exchange-view";
import { ResultView } from "./result-view";
import { type Outcome, outcomeOf } from "./run";
import { StatusBadge } from "./status-badge";
import type { Finished } from "./use-run";

export function AnswerPanel({
  finished,
  url,
  authorization,
  nextPage,
}: {
  finished: Finished;
  /** The endpoint that an agent would have called. */
  url: string;
  /** The Authorization header that it would have sent, with a placeholder; null where it sends none. */
  authorization: string | null;
  nextPage: ReactNode;
}) {
  const { run, tool, roundTripMs } = finished;
  const outcome = outcomeOf(run);
  return (
    <section
      aria-label="Answer"
      className="min-w-0 overflow-clip rounded-lg border border-line bg-surface shadow-card"
      id="answer"
      tabIndex={-1}
    >
      <h2 className="sr-only">Answer</h2>
      <div className="flex flex-wrap items-center gap-x-5 gap-y-2 px-4 py-3 text-[0.8125rem] text-muted tabular-nums md:px-6">
        <StatusBadge code={outcome.kind === "refusal" ? outcome.code : null} status={run.response.status} />
        <code className="font-medium font-mono text-ink">{tool}</code>
        <span>{duration(run.ms)} at the server</span>
        {roundTripMs !== null && <span>{duration(roundTripMs)} round trip</span>}
        <span>{grouped(run.response.bytes)} bytes</span>
        <span className="flex min-w-0 items-center gap-1 lg:ml-auto">
          Request <code className="wrap-anywhere font-mono text-xs">{run.requestId}</code>
          <CopyButton label="Copy request id" text={run.requestId} />
        </span>
      </div>
      <div className="border-line border-t">
        <Panels
          label="How to show the answer"
          panels={[
            { label: "View", content: <View key={run.requestId} nextPage={nextPage} outcome={outcome} /> },
            { label: "JSON", content: <JsonView open={3} value={parsed(run.response.body) ?? run.response.body} /> },
            { label: "Exchange", content: <ExchangeView authorization={authorization} run={run} url={url} /> },
          ]}
        />
      </div>
    </section>
  );
}

function View({ outcome, nextPage }: { outcome: Outcome; nextPage: ReactNode }) {
  if (outcome.kind === "answer") return <ResultView onNextPage={nextPage} structured={outcome.structured} />;
  const { code, message, issues } = outcome;
  return (
    <div className="flex gap-3 p-4 md:p-6">
      <CircleAlert aria-hidden className="mt-0.5 size-5 shrink-0 text-danger" />
      <div className="flex min-w-0 flex-col gap-2 text-sm leading-6">
        <p className="wrap-anywhere font-medium">{message}</p>
        {issues.length > 0 && (
          <ul className="flex list-disc flex-col gap-1 pl-5 text-muted">
            {issues.map((issue) => (
              <li key={issue.path + issue.message}>
                <code className="font-mono text-ink">{issue.path || "arguments"}</code> {issue.message}
              </li>
            ))}
          </ul>
        )}
        <p className="text-faint">
          <code className="font-mono">{code}</code>. An agent gets the same message.
        </p>
      </div>
    </div>
  );
}
