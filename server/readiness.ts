// Whether the database answers: for /readyz, and for pages that take long.
import { setTimeout as sleep } from "node:timers/promises";
import type { Core } from "./context";

/** The database has twenty of these, a second in all, to answer: one that hangs is as good as none. */
const SLICE_MS = 50;
const SLICES = 20;

/**
 * Asks the database anything.
 * @returns false if it fails or takes longer than a second, without the time that this process spends on other work: while
 *   it compiles its first pages it hears nobody
 */
export function isReady({ sql }: Pick<Core, "sql">): Promise<boolean> {
  const asked = sql`select 1`.then(
    () => true,
    () => false,
  );
  return Promise.race([asked, waitedEnough()]);
}

/** Many short timers: one that fires late counts no more than one in time, and between them this process hears the database. */
async function waitedEnough(): Promise<false> {
  for (let slice = 0; slice < SLICES; slice++) await sleep(SLICE_MS);
  return false;
}
