const counts = new Intl.NumberFormat("en");

/** 1234567 → "1,234,567" */
export const grouped = (count: number) => counts.format(count);

/**
 * 31 of 1,000 → "3.1%", 3 of 100 → "3.0%": all of a column alike. What is there is never none, "< 0.1%", and what is left
 * out makes it never all: "> 99.9%".
 */
export function percentOf(part: number, whole: number): string {
  if (whole === 0) return "–";
  const percent = (100 * part) / whole;
  if (percent > 0 && percent < 0.05) return "< 0.1%";
  if (percent < 100 && percent >= 99.95) return "> 99.9%";
  return `${percent.toFixed(1)}%`;
}

/** Milliseconds as a person reads them: "3.2 ms", "245 ms", "1.24 s". */
export function duration(ms: number | null): string {
  if (ms === null) return "–";
  if (ms < 9.95) return `${ms.toFixed(1)} ms`;
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(2)} s`;
}

/** 1234567 bytes → "1.2 MB" */
export const bytes = (count: number) =>
  count < 1000
    ? `${count} B`
    : count < 1_000_000
      ? `${(count / 1000).toFixed(1)} kB`
      : `${(count / 1_000_000).toFixed(1)} MB`;
