// A database that is away comes back: what asks it waits meanwhile, instead of failing.
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5_000;
/** What has waited for so long is told of, once. */
const SAID_AFTER_MS = 60_000;

/**
 * SQLSTATEs that pass by themselves: connection, resources, operator intervention, deadlock; read-only, as in a failover; and a
 * statement that was cancelled or got no lock, by a limit of the database's own or by somebody's hand.
 */
const passing = /^(08|53|57P|40)|^(25006|57014|55P03)$/;

/** Did the database not answer, as opposed to answering that the statement is wrong? */
function isAway(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof TypeError) return false;
  const { severity, code } = error as { severity?: string; code?: string };
  return severity === undefined || passing.test(code ?? "");
}

/**
 * @param gone once aborted, nobody waits for an answer any more: what is still waiting never settles
 * @returns a function that repeats an attempt for as long as the database is away
 */
export function patience(log: Logger, gone: AbortSignal) {
  return async <T>(attempt: () => Promise<T>): Promise<T> => {
    let saidAt = performance.now() + SAID_AFTER_MS;
    for (let wait = FIRST_WAIT_MS; ; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
      try {
        return await attempt();
      } catch (error) {
        if (gone.aborted) return new Promise<never>(() => {});
        if (!isAway(error)) throw error;
        const isLong = performance.now() > saidAt;
        if (isLong) saidAt = Number.POSITIVE_INFINITY;
        log[isLong ? "warn" : "debug"](
          { reason: (error as { code?: string }).code ?? (error as Error).message },
          "jobs wait for the database",
        );
      }
      await sleep(wait, undefined, { signal: gone }).catch(() => {});
    }
  };
}
