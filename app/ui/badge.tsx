import type { ReactNode } from "react";
import { cx } from "./cx";
import { softTone, type Tone } from "./tone";

/** A word about a state, in its colour; the word alone must say it. */
export function Badge({ tone = "neutral", children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span
      className={cx(
        "inline-flex h-5.5 shrink-0 items-center gap-1.5 whitespace-nowrap rounded-full px-2 font-medium text-xs tracking-normal print:border forced-colors:border",
        softTone[tone],
      )}
    >
      <span
        aria-hidden
        className="size-1.5 rounded-full bg-current forced-color-adjust-none [print-color-adjust:exact]"
      />
      {children}
    </span>
  );
}
