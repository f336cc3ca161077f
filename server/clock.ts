// What time it is: the database's clock, the same for every instance. Between two looks at it the monotonic clock counts
// on, which nobody can set: an instance whose own clock is wrong, or is moved, opens and closes nothing at a wrong time.
import type { Sql } from "../db/client";

const EVERY_MS = 2_000;
/** A look that took longer says too little. */
const LONGEST_LOOK_MS = 250;

/** What must be added to `performance.now()`, ms; undefined in a process that never looked: its own clock counts there. */
let offset: number | undefined;

export const now = (): Date => new Date(offset === undefined ? Date.now() : performance.now() + offset);

async function look(sql: Sql): Promise<void> {
  const from = performance.now();
  const [row] = await sql<[{ at: number }]>`select (extract(epoch from clock_timestamp()) * 1000)::float8 as at`;
  const to = performance.now();
  const found = row.at - (from + to) / 2;
  // Within what the look took, it may as well have been the network: then time goes on evenly.
  const isKnown = offset !== undefined && (to - from > LONGEST_LOOK_MS || Math.abs(found - offset) <= to - from);
  if (!isKnown) offset = found;
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
