import { Check, X } from "lucide-react";
import type { ReactNode } from "react";
import { cx } from "~/ui/cx";

export interface Step {
  title: string;
  detail?: ReactNode;
  state: "done" | "current" | "todo" | "failed";
  /** Shown while the step is current or failed. */
  action?: ReactNode;
}

const said = { done: "done", current: "next", todo: "to come", failed: "stopped" };

/** A path of steps that ticks itself. */
export function Checklist({ steps }: { steps: Step[] }) {
  return (
    <ol className="flex flex-col">
      {steps.map(({ title, detail, state, action }, index) => (
        <li
          aria-current={state === "current" ? "step" : undefined}
          className="group relative flex gap-3 pb-5 last:pb-0"
          key={title}
        >
          <span
            aria-hidden
            className={cx(
              "absolute top-6 bottom-0 left-2.75 w-px group-last:hidden",
              state === "done" ? "bg-success-mark" : "bg-line",
            )}
          />
          <Mark number={index + 1} state={state} />
          <div className="flex min-w-0 grow flex-wrap items-start justify-between gap-x-6 gap-y-2">
            <div className="flex min-w-0 flex-col">
              <p className={cx("text-sm leading-6", state === "todo" ? "text-muted" : "font-medium")}>
                {title}
                <span className="sr-only"> ({said[state]})</span>
              </p>
              {detail && <div className="text-pretty text-[0.8125rem] text-muted leading-5">{detail}</div>}
            </div>
            {(state === "current" || state === "failed") && action && <div className="text-[0.8125rem]">{action}</div>}
          </div>
        </li>
      ))}
    </ol>
  );
}

function Mark({ state, number }: { state: Step["state"]; number: number }) {
  const look = {
    done: "bg-success-soft text-success",
    current:
      "bg-accent-fill text-accent-ink forced-colors:border-2 print:text-ink print:ring-1 print:ring-line print:ring-inset",
    todo: "bg-surface text-faint ring-1 ring-line ring-inset",
    failed: "bg-danger-soft text-danger",
  }[state];
  return (
    <span
      aria-hidden
      className={cx(
        "flex size-6 shrink-0 items-center justify-center rounded-full font-medium text-xs tabular-nums",
        look,
      )}
    >
      {state === "done" ? <Check className="size-3.5" /> : state === "failed" ? <X className="size-3.5" /> : number}
    </span>
  );
}
