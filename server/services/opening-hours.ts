// When a store is open: as people type it for a day, and as agents are told, in the terms of schema.org (decision 0071).
import { z } from "zod";

export const days = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const;
export type Day = (typeof days)[number];

export interface Span {
  /** HH:MM, the store's own time. */
  opens: string;
  /** HH:MM; what is earlier than `opens` is of the next day. */
  closes: string;
}

const MOST_SPANS = 5;
const Time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, "must be a time such as 09:00");
/** As it is stored and told: a span after the other. */
export const OpeningHours = z
  .array(z.strictObject({ day: z.enum(days), opens: Time, closes: Time }))
  .max(days.length * MOST_SPANS);

const MINUTES = 24 * 60;
/** Whoever closes by then was open the night through; a later time is rather two that were mixed up. */
const MORNING = 6 * 60;
/** Whoever opens before then and closes in the morning may mean the evening, as `7–11` does. */
const EARLY = 8 * 60;
const NOON = 12 * 60;
/** From here on hours are told from those of the morning. */
const AFTERNOON = 13 * 60;
const LONGEST_NIGHT = 12 * 60;
const ALL_DAY: Span = { opens: "00:00", closes: "23:59" };

/** The spans of one day, as they are typed; nothing is closed. */
export const TypedHours = z
  .string()
  .max(200, { error: "Use at most 200 characters.", abort: true })
  .transform((text, ctx): Span[] => {
    const read = readHours(text);
    if (typeof read === "object") return read;
    ctx.addIssue({ code: "custom", message: read });
    return z.NEVER;
  });

/** @returns the spans, or what is wrong with them */
function readHours(text: string): Span[] | string {
  const said = text.trim().toLowerCase();
  if (said === "closed") return [];
  if (/^(open )?24 ?h(ours)?$/.test(said)) return [ALL_DAY];
  const parts = said.split(/\s*[,;&]\s*|\s+and\s+/).filter(Boolean);
  if (parts.length > MOST_SPANS) return `Enter at most ${MOST_SPANS} times, such as 09:00–12:30, 14:00–18:00.`;
  const spans: Span[] = [];
  let last = 0;
  for (const part of parts) {
    const ends = part.split(/\s*[\p{Pd}−]\s*|\s+to\s+/u).map(readTime);
    const [from, to] = ends;
    if (ends.length !== 2 || !from || !to || from.minutes === MINUTES)
      return `“${part}” cannot be read. Enter hours such as 09:00–18:00, or 09:00–12:30, 14:00–18:00.`;
    if (from.minutes < last) return `“${part}” does not follow what is before it. Write 1 in the afternoon as 13:00.`;
    const span = spanOf(from, to);
    if (!span)
      return `“${part}” closes before it opens, or is unclear. Write 5 in the afternoon as 17:00, and 2 at night as 02:00.`;
    spans.push(span);
    last = to.minutes < from.minutes ? MINUTES : to.minutes;
  }
  return spans;
}

interface Typed {
  minutes: number;
  /** A single digit may be meant for the afternoon, unless that is said. */
  isPlain: boolean;
  /** Of twelve hours or of 24: `10`, but neither `09` nor `10am`. */
  isEither: boolean;
  half: string | undefined;
}

function readTime(text: string): Typed | undefined {
  const [, hour = "", minute = "00", half] =
    /^(\d{1,2})(?:[:.h]?(\d{2}))?\s*(?:([ap])\.?m?\.?|h|uhr)?$/.exec(text) ?? [];
  const [hours, minutes] = [Number(hour), Number(minute)];
  if (hour === "" || minutes > 59 || hours * 60 + minutes > MINUTES) return undefined;
  if (half && (hours < 1 || hours > 12)) return undefined;
  const inDay = half ? (hours % 12) + (half === "p" ? 12 : 0) : hours;
  const isPlain = half !== undefined || hour.length === 2 || hours === 0;
  const isEither = half === undefined && hours >= 1 && hours <= 12 && !hour.startsWith("0");
  return { minutes: inDay * 60 + minutes, isPlain, isEither, half };
}

/** May it open in the afternoon as well, as `2–8` and `9–11pm` do? What closes at 14, `8am` or `5pm` after 9 opens in the morning. */
function mayOpenLater(from: Typed, to: Typed): boolean {
  if (to.half === "p" && from.isEither && from.minutes + NOON < to.minutes) return true;
  if (from.isPlain || from.minutes >= EARLY) return false;
  if (from.minutes >= MORNING) return to.half === undefined && to.minutes > from.minutes && to.minutes < NOON;
  return to.half === "a" ? to.minutes < from.minutes : to.half === "p" || to.minutes < AFTERNOON;
}

/** Nothing where it closes before it opens, but for nights, or is unclear. */
function spanOf(from: Typed, to: Typed): Span | undefined {
  if (from.minutes === 0 && to.minutes === MINUTES) return ALL_DAY;
  if (mayOpenLater(from, to)) return undefined;
  const closing = to.minutes % MINUTES;
  if (!to.isPlain && (closing <= MORNING || closing < from.minutes)) return undefined;
  const isNight = closing <= MORNING || from.minutes - closing >= MINUTES - LONGEST_NIGHT;
  const isRight = to.minutes > from.minutes || (to.minutes < from.minutes && isNight);
  return isRight ? { opens: written(from.minutes), closes: written(closing) } : undefined;
}

const written = (minutes: number) =>
  [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, "0")).join(":");

/** What is told of a day, as it can be typed again; empty where the store is closed. */
export const hoursOf = (all: ({ day: string } & Span)[], day: Day): string =>
  all
    .filter((one) => one.day.toLowerCase() === day)
    .map(({ opens, closes }) => `${opens}–${endOf(opens, closes)}`)
    .join(", ");

const endOf = (opens: string, closes: string) =>
  closes === "00:00" || (opens === ALL_DAY.opens && closes === ALL_DAY.closes) ? "24:00" : closes;
