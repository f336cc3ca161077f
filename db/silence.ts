// Finds connections that are dead without having been closed. Where the server's host vanishes, or a firewall silently drops
// packets, TCP keeps trying for a quarter of an hour. So when nothing has been heard of a statement for a while, we ask
// PostgreSQL over another connection whether the statement is still being worked on.
import { setTimeout as sleep } from "node:timers/promises";
import type postgres from "postgres";

/** How long we hear nothing before we ask. Longer than the time limit of a call's statements (5 s), so we seldom have to ask. */
const SILENT_MS = 6_000;
/** How long the question itself may take before its connection counts as dead too. */
const ASKED_MS = 5_000;
/** The pause before a question that was not answered is asked again. */
const AGAIN_MS = 1_000;
/** How long we wait after the answer, for results that PostgreSQL had sent before we asked and that are still on their way. */
const UNDER_WAY_MS = 500;

/**
 * Whether the connection to this server process (`pid`) is dead: the process is gone, or it waits for a statement from us, while
 * we wait for its result.
 */
type IsLost = (pid: number) => boolean;

/**
 * The option `silence` of our patched driver (decision 0015): when a connection that waits for a result has heard nothing for `ms`
 * milliseconds, the driver calls `ask`, and drops the connection if it is lost.
 * @param connect makes a client with one new connection, over which is asked
 * @returns `ask`: connections that ask at the same time share one question, which is repeated until it is answered
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
    // A process whose wait is of type `Client` works on nothing: it waits to hear from us.
    const rows = await one<{ pid: number }[]>`
      select pid from pg_stat_activity where wait_event_type is distinct from 'Client'`;
    const atWork = new Set(rows.map(({ pid }) => pid));
    await sleep(UNDER_WAY_MS);
    // The process that answers this very question must be among those at work. If it is not, a pooler stands between and the pids
    // that we know are the pooler's: then none counts as lost.
    return atWork.has(rows.state.pid) ? (pid) => !atWork.has(pid) : () => false;
  } finally {
    clearTimeout(late);
    void one.end({ timeout: 0 });
  }
}
