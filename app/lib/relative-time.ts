// Times in words, always in UTC, the same on the server and in the browser.
const units: [Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];
const words = new Intl.RelativeTimeFormat("en", { numeric: "always" });
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });
const MONTH_S = 30 * 86_400;

/** A page looks at the clock this often: what is less than that ahead may have been by now. */
export const TICK_MS = 15_000;

/** To the nearest unit: "just now", "in a moment", "3 minutes ago", "in 2 days"; from 30 days on the date: "4 Mar 2026". */
export function relativeTime(at: Date, now: number): string {
  const seconds = (at.getTime() - now) / 1000;
  const size = Math.abs(seconds);
  if (size < 45) return seconds * 1000 > TICK_MS ? "in a moment" : "just now";
  if (size >= MONTH_S) return dayOf(at);
  // What rounds to 60 minutes is an hour.
  const [unit, length] = units.find(([, length], i) => size >= length - (units[i + 1]?.[1] ?? length) / 2)!;
  return words.format(Math.sign(seconds) * Math.round(size / length), unit);
}

/** "4 Mar 2026" */
export const dayOf = (at: Date): string => day.format(at);

/** "2026-03-04 12:31:07 UTC" */
export const exactTime = (at: Date) => `${at.toISOString().slice(0, 19).replace("T", " ")} UTC`;
