import { grouped } from "~/lib/numbers";
import { cx } from "./cx";

/** How much of a limit is used: amber from 80 %, red when it is full. `calm`: where being full is no trouble. */
export function Meter({
  label,
  used,
  limit,
  unit,
  calm = false,
}: {
  label: string;
  used: number;
  limit: number;
  unit: string;
  calm?: boolean;
}) {
  const share = limit > 0 ? Math.min(used / limit, 1) : 1;
  const alarm = share >= 1 ? "fill-danger-mark" : share >= 0.8 ? "fill-warning-mark" : "fill-accent-fill";
  const fill = calm ? "fill-accent-fill" : alarm;
  const words = `${grouped(used)} of ${grouped(limit)} ${unit}`;
  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-baseline justify-between gap-4 text-sm">
        <span className="text-muted">{label}</span>
        <span className="whitespace-nowrap tabular-nums">
          <span className="font-medium">{grouped(used)}</span>
          <span className="text-muted">
            {" "}
            / {grouped(limit)} {unit}
          </span>
        </span>
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: browsers draw <meter> each in its own way and colour */}
      <div
        aria-label={label}
        aria-valuemax={limit}
        aria-valuemin={0}
        aria-valuenow={Math.min(used, limit)}
        aria-valuetext={words}
        className="h-1.5 overflow-hidden rounded-full bg-raised ring-1 ring-line ring-inset forced-colors:border"
        role="meter"
      >
        <svg aria-hidden="true" className={cx("block h-full w-full", fill)} preserveAspectRatio="none">
          <rect height="100%" rx="3" width={`${(share * 100).toFixed(2)}%`} />
        </svg>
      </div>
    </div>
  );
}
