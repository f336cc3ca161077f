import { type ReactNode, useId } from "react";
import { cx } from "./cx";

/** More than these have no room in one line: what looks like tabs would stand in two. */
const MOST_TABS = 8;
const tab =
  "h-10 after:absolute after:inset-x-2.5 after:bottom-0 after:h-0.5 after:rounded-full has-checked:after:bg-accent-fill forced-colors:has-checked:after:bg-[Highlight]";
const choice =
  "h-8 pointer-coarse:h-10 has-checked:bg-control has-checked:shadow-card has-checked:ring-1 has-checked:ring-line has-checked:ring-inset forced-colors:has-checked:outline-2 forced-colors:has-checked:outline-[Highlight]";

/** One of several contents at a time, chosen by radio buttons that look like tabs: scripts or not. Sixteen at most. */
export function Panels({ label, panels }: { label: string; panels: { label: string; content: ReactNode }[] }) {
  const name = useId();
  const areMany = panels.length > MOST_TABS;
  return (
    <div className="panels min-w-0">
      <div
        aria-label={label}
        className={cx(
          "flex gap-1 overflow-x-auto border-line border-b px-2 [scrollbar-width:none] max-sm:fades max-sm:pr-8 sm:flex-wrap",
          areMany && "py-2",
        )}
        data-tabs=""
        role="radiogroup"
      >
        {panels.map((panel, index) => (
          <label
            className={cx(
              "relative flex shrink-0 items-center rounded-md px-2.5 text-[0.8125rem] text-muted -outline-offset-4 hover:text-ink has-checked:font-medium has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-accent",
              areMany ? choice : tab,
            )}
            key={panel.label}
          >
            <input className="sr-only" defaultChecked={index === 0} name={name} type="radio" value={index} />
            {panel.label}
          </label>
        ))}
      </div>
      {panels.map((panel, index) => (
        <div data-panel={index + 1} key={panel.label}>
          {panel.content}
        </div>
      ))}
    </div>
  );
}
