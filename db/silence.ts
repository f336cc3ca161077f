// A connection that went silent: where a host goes without a word, or a firewall drops what passes, TCP tries on for a quarter of
// an hour. So of a statement that nothing is heard of for long we ask, over a connection of its own, whether it is at work.
import { setTimeout as sleep } from "node:timers/promises";
import type postgres from "postgres";

/** Longer than the time limit of a call's statement: what takes longer says so, and few do. */
const SILENT_MS = 6_000;
const ASKED_MS = 5_000;
const AGAIN_MS = 1_000;
/** An answer that left before we asked has come by then. */
const UNDER_WAY_MS = 500;

/** By its process's number: does this backend wait for a statement of ours, or is it gone? */
type IsLost = (pid: number) => boolean;

/**
 * An option of the driver (decision 0015): after `ms` without a word it asks, and lets go of the connection if it is lost.
 * @param connect a client of one connection  @returns `ask`: once for all who ask meanwhile, and again until it is answered
 */
export function silence(connect: () => postgres.Sql): { ms: number; ask: () => Promise<IsLost> } {
  let asked: Promise<IsLost> | undefined;
  async function answered(): Promise<IsLost> {
    for (;;) {
      const isLost = await look(connect()).catch(() => undefined);
      if (isLost) return isLost;
      await sleep(AGAIN_MS, undefined, { ref: false });
    }
  }
  return {
    ms: SILENT_MS,
    ask() {
      asked ??= answered().finally(() => {
        asked = undefined;
      });
      return asked;
    },
  };
}

async function look(one: postgres.Sql): Promise<IsLost> {
  const late = setTimeout(() => void one.end({ timeout: 0 }), ASKED_MS);
  try {
    // Who waits for us, as we for it, is not.
    const rows = await one<{ pid: number }[]>`
      select pid from pg_stat_activity where wait_event_type is distinct from 'Client'`;
    const atWork = new Set(rows.map(({ pid }) => pid));
    await sleep(UNDER_WAY_MS);
    // The one who asks is: else the numbers that we know are a pooler's, and say nothing.
    return atWork.has(rows.state.pid) ? (pid) => !atWork.has(pid) : () => false;
  } finally {
    clearTimeout(late);
    void one.end({ timeout: 0 });
  }
}
