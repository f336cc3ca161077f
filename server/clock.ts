// What time it is: the database's clock, the same for every instance. Between two looks at it the monotonic clock counts
// on, which nobody can set: an instance whose own clock is wrong, or is moved, opens and closes nothing at a wrong time.
import type { Sql } from "../db/client";

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

const EVERY_MS = 2_000;

/**
 * What must be added to `performance.now()`, ms, and how far it may be off either way; undefined in a process that never
 * looked: its own clock counts there.
 */
let known: { offset: number; error: number } | undefined;

export const now = (): Date => new Date(known === undefined ? Date.now() : performance.now() + known.offset);

let told = { ms: Number.NaN, text: "" };

/** As ISO 8601. Of moments one after the other many are the same: their text is made once. */
export function isoOf(moment: Date): string {
  const ms = moment.getTime();
  if (ms !== told.ms) told = { ms, text: moment.toISOString() };
  return told.text;
}

async function look(sql: Sql): Promise<void> {
  const from = performance.now();
  const [row] = await sql<[{ at: number }]>`select (extract(epoch from clock_timestamp()) * 1000)::float8 as at`;
  const to = performance.now();
  const found = { offset: row.at - (from + to) / 2, error: (to - from) / 2 };
  // A slower look that fits the better one says nothing new: so time goes on evenly, until the database's is set.
  const fits = known && Math.abs(found.offset - known.offset) <= found.error + known.error;
  if (!known || !fits || found.error < known.error) known = found;
}

/**
 * Keeps to the database's clock from here on, also when it is set; while the database is away, time goes on from there.
 * @returns a function that ends it
 */
export async function follow(sql: Sql): Promise<() => void> {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  async function again(): Promise<void> {
    await look(sql).catch(() => {});
    if (!isOver) timer = setTimeout(again, EVERY_MS).unref();
  }
  await look(sql);
  timer = setTimeout(again, EVERY_MS).unref();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
