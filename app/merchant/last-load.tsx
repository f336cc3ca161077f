import type { ReactNode } from "react";
import { grouped } from "~/lib/numbers";
import { Badge } from "~/ui/badge";
import { Time } from "~/ui/time";
import { FeedBadge } from "./feed-badge";
import { OutcomeBadge } from "./outcome-badge";

/**
 * When the catalogue was loaded last, whether it went in, and whether its feed still comes; until one load has ended, how
 * far the first is.
 */
export function LastLoad({
  of,
  underWay,
  feed,
  never,
}: {
  of: { at: string; outcome: "loaded" | "refused" | "failed"; loaded: number; rejected: number } | null;
  underWay: "waiting" | "loading" | null;
  feed: "failing" | "off" | null;
  /** Instead of the time, before any load. */
  never: ReactNode;
}) {
  if (of === null && underWay) return <OutcomeBadge outcome={underWay} />;
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-0.5 cards:justify-end">
      {of === null ? never : <Time at={of.at} />}
      {of && of.outcome !== "loaded" && <OutcomeBadge outcome={of.outcome} />}
      {of?.outcome === "loaded" && of.rejected > 0 && (
        <Badge tone="warning">{`${grouped(of.rejected)} bad ${of.rejected === 1 ? "row" : "rows"}`}</Badge>
      )}
      <FeedBadge feed={feed} />
    </span>
  );
}
