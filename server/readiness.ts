// Whether the database answers: for /readyz, and for pages that take long.
import { setTimeout as sleep } from "node:timers/promises";
import type { Core } from "./context";

/** The database has 20 of these, together a second: one that hangs is as good as none. */
const SLICE_MS = 50;
const SLICES = 20;

/**
 * Asks the database anything.
 * @returns false if it fails or takes longer than a second, of which what this process spends on other work does not
 *   count: while it compiles its first pages it can hear nobody
 */
export function isReady({ sql }: Pick<Core, "sql">): Promise<boolean> {
  const asked = sql`select 1`.then(
    () => true,
    () => false,
  );
  return Promise.race([asked, waitedEnough()]);
}

/** A timer that fires late counts as one in time, and after each this process listens once. */
async function waitedEnough(): Promise<false> {
  for (let slice = 0; slice < SLICES; slice++) await sleep(SLICE_MS);
  return false;
}
