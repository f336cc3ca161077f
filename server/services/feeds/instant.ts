// Dates and windows of ISO 8601, and days as they are written with dots, as instants. A time without a zone is UTC: a feed does not say where its shop stands.
import { DAY_MS } from "../../clock";
import { isBlank } from "./plain";

const form =
  /^(\d{4})-?(\d{2})-?(\d{2})(?:[T ](\d{2}|\d(?=:)):?(\d{2})(?::?(\d{2})(?:[.,]\d+)?)?\s*(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;
/** `31.12.2026`, as spreadsheets write it in most of Europe. With slashes it may be either month or day that comes first: that is not guessed. */
const dotted = /^(\d{1,2})\.(\d{1,2})\.(\d{4})(?=$|[T ])/i;
const isoOf = (text: string): string =>
  text
    .replace(
      dotted,
      (_, day: string, month: string, year: string) => `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`,
    )
    // What begins with the year goes on with the month.
    .replace(/^(\d{4})\/(\d{2})\/(?=\d{2})/, "$1-$2-");

/**
 * @param edge where in its day a bare date lies: its first instant, or its end (the first instant of the next day); as a "last day" also
 * a midnight stands for the whole day that it begins
 * @returns undefined when it is no date; at most the last millisecond of 9999, which many systems write for "never"
 */
export function parseInstant(text: string, edge: Edge = "start"): Date | undefined {
  const parts = form.exec(isoOf(text.trim()));
  if (!parts) return undefined;
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map((part) => Number(part ?? 0)) as Six;
  if (hour > 24 || minute > 59 || second > 60) return undefined;
  const date = new Date(Date.UTC(year, month - 1, day));
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day || year < 1900) return undefined;
  const time = ((hour * 60 + minute) * 60 + second) * 1000;
  const isWhole = edge === "end" ? parts[4] === undefined : edge === "last day" && time === 0;
  return new Date(Math.min(date.getTime() + (isWhole ? DAY_MS : time) - offset(parts[7]), LAST));
}

type Edge = "start" | "end" | "last day";

/** Also in seconds since 1970, ten digits of them: so WooCommerce keeps the dates of a sale. */
export const parseSaleDate = (text: string, edge: Edge): Date | undefined =>
  /^\s*\d{10}\s*$/.test(text) ? new Date(Number(text) * 1000) : parseInstant(text, edge);

/** The day that is written, as its first instant in UTC: the time and zone beside it do not move it. */
export const parseDay = (text: string): Date | undefined =>
  parseInstant(text) && parseInstant(text.trim().replace(/[T ].*$/is, ""));

const LAST = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

type Six = [number, number, number, number, number, number];

/** In milliseconds. */
function offset(zone: string | undefined): number {
  const parts = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone ?? "");
  if (!parts) return 0;
  return (parts[1] === "-" ? -1 : 1) * (Number(parts[2]) * 60 + Number(parts[3] ?? 0)) * 60_000;
}

/** What is said of dates that cannot be read. */
export const NO_DATES = "has dates that are not such as 2026-03-01";

export interface Window {
  start: Date | undefined;
  end: Date | undefined;
}

/** Also what databases write for no date. */
const saysNoDate = (text: string): boolean => isBlank(text) || /^0000-00-00(?:[T ]00:00:00)?$/.test(text);

/** Shops join a sale's two dates also where they have none. */
export const saysNoWindow = (text: string): boolean =>
  isBlank(text) || text.split("/").every((part) => saysNoDate(part.trim())) || /^(?:n\/a[\s/-]*)+$/i.test(text);

/** Twice what Google takes. */
const LONGEST = 102;
/** Beside the slash: a dash, a word, or, where what follows begins as a date does, a comma or no more than a blank. */
const between = /\s(?:[-–]|to|bis)\s|(?:\s*,\s*|(?<=[\dZ])\s+)(?=\d{4}[-/]\d|\d{1,2}\.\d{1,2}\.\d)/i;

/** `start/end`; either side may be missing, not both. @returns the window, or the reason why it is none */
export function parseWindow(text: string): Window | string {
  if (text.length > LONGEST) return "is not a window such as 2026-03-01/2026-03-15";
  const halves = text
    .split(between.test(text) ? between : "/")
    .map((half) => (saysNoDate(half.trim()) ? "" : half.trim()));
  if (halves.length !== 2 || !halves.some((half) => half)) return "is not a window such as 2026-03-01/2026-03-15";
  const [start, end] = [parseInstant(halves[0]!, "start"), parseInstant(halves[1]!, "end")];
  if ((halves[0] && !start) || (halves[1] && !end)) return NO_DATES;
  return windowOf(start, end);
}

/** @returns the window, or the reason why it is none */
export function windowOf(start: Date | undefined, end: Date | undefined): Window | string {
  return start && end && end <= start ? "ends before it starts" : { start, end };
}
