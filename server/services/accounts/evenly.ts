import { setTimeout as sleep } from "node:timers/promises";

const FLOOR_MS = 200;

/**
 * Takes at least 200 ms, longer than the work itself, also on a busy machine: so the time that an answer takes does not
 * tell whether there was an account to write to (tests/faults/accounts-timing.test.ts).
 */
export async function evenly<T>(work: () => Promise<T>): Promise<T> {
  const [outcome] = await Promise.allSettled([work(), sleep(FLOOR_MS)]);
  if (outcome.status === "rejected") throw outcome.reason;
  return outcome.value;
}
