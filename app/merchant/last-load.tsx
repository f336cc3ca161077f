import { grouped } from "~/lib/numbers";
import { Badge } from "~/ui/badge";
import { Time } from "~/ui/time";
import { OutcomeBadge } from "./outcome-badge";

/** When the catalogue was loaded last, and whether it went in. */
export function LastLoad({
  of,
}: {
  of: { at: string; outcome: "loaded" | "refused" | "failed"; loaded: number; rejected: number } | null;
}) {
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
