import { useLocation } from "@remix-run/react";
import { grouped } from "~/lib/numbers";
import { Panel } from "~/ui/panel";
import { TextLink } from "~/ui/text-link";
import type { Load } from "./catalogue";

/** A load that waits or runs: how far it is. The page looks again by itself where scripts run. */
export function LoadProgress({ load }: { load: Load }) {
  const { pathname } = useLocation();
  const percent = Math.floor(load.progress * 100);
  const isStoring = load.outcome === "loading" && load.progress >= 1;
  const isReading = load.outcome === "loading" && !isStoring;
  const phase = isReading
    ? "Reading"
    : isStoring
      ? "File read: storing its rows, then switching the store over"
      : "Waiting for its turn";
  const far = isReading ? `: ${percent}%` : "";
  return (
    <Panel
      description="The store keeps its current catalogue until this is done, then switches over in one step."
      title={`${load.source === "restore" ? "Restoring" : "Loading"} ${load.fileName}`}
    >
      <div className="flex flex-col gap-2">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4 text-sm tabular-nums">
          {/* Said when it changes: the number would be, each second. */}
          <span>
            <span aria-live="polite">{phase}</span>
            {far}
          </span>
          <span className="text-muted">
            {grouped(load.rows)} {load.rows === 1 ? "row" : "rows"} so far
          </span>
        </div>
        <div
          aria-label={`Progress of ${load.fileName}`}
          aria-valuemax={100}
          aria-valuemin={0}
          aria-valuenow={percent}
          aria-valuetext={phase + far}
          className="h-2 overflow-hidden rounded-full bg-raised ring-1 ring-line ring-inset"
          role="progressbar"
        >
          <svg
            aria-hidden="true"
            className={`block h-full w-full fill-accent-fill ${isStoring ? "animate-pulse" : ""}`}
            preserveAspectRatio="none"
          >
            <rect height="100%" rx="4" width={`${percent}%`} />
          </svg>
        </div>
        <noscript>
          <p className="text-[0.8125rem] text-muted">
            <TextLink reloadDocument to={pathname}>
              Refresh
            </TextLink>{" "}
            to see the progress.
          </p>
        </noscript>
      </div>
    </Panel>
  );
}
