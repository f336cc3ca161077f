// Work that somebody is at: they say so again and again, and after a minute without a word anybody may take it up.
import * as clock from "../../clock";
import type { Core } from "../../context";

export const LEASE_MS = 60_000;
const RENEW_MS = 15_000;

/** Until when whoever says now that they are at it is believed to be. */
export const leaseEnd = () => new Date(clock.now().getTime() + LEASE_MS);

/**
 * Renews a lease for as long as the work goes on. What can't be written now is written the next time.
 * @param work as the log names it
 * @returns stops it
 */
export function renewing({ log }: Pick<Core, "log">, work: object, renew: () => Promise<unknown>): () => void {
  const timer = setInterval(async () => {
    await renew().catch((error: Error) => log.warn({ ...work, reason: error.message }, "lease not renewed"));
  }, RENEW_MS);
  return () => clearInterval(timer);
}
