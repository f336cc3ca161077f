import { grouped } from "~/lib/numbers";
import { Badge } from "~/ui/badge";
import { Time } from "~/ui/time";
import { OutcomeBadge } from "./outcome-badge";

/** When the catalogue was loaded last, and whether it went in; until one has ended, how far the first is. */
export function LastLoad({
  of,
  underWay,
}: {
  of: { at: string; outcome: "loaded" | "refused" | "failed"; loaded: number; rejected: number } | null;
  underWay: "waiting" | "loading" | null;
}) {
  if (of === null && underWay) return <OutcomeBadge outcome={underWay} />;
  if (of === null) return <span className="text-faint">Never</span>;
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-0.5 cards:justify-end">
      <Time at={of.at} />
      {of.outcome !== "loaded" ? (
        <OutcomeBadge outcome={of.outcome} />
      ) : (
        of.rejected > 0 && (
          <Badge tone="warning">{`${grouped(of.rejected)} bad ${of.rejected === 1 ? "row" : "rows"}`}</Badge>
        )
      )}
    </span>
  );
}
