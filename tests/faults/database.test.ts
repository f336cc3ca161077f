// What happens to the service when something happens to its database: 503 and nothing else, and whole again by itself.
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { type Anonymous, contextFor } from "../../server/context";
import * as admission from "../../server/services/key-admission";
import * as usage from "../../server/services/usage";
import { settled } from "../../server/services/usage-begun";
import { testCore } from "../support/database";
import { expectUnharmed, faulty, ROUNDS, rounds, TIMEOUT_MS, underLoad } from "../support/faulty";
import { strayRows } from "../support/load";

const database = faulty();
const kill = (pids: number[], signal: NodeJS.Signals) => {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // It ended meanwhile.
    }
  }
};
async function gone(pid: number) {
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await sleep(20);
  }
}

/** Runs a statement on a connection of its own. */
async function run(statement: string) {
  const { sql, close } = database.connect();
  await sql.unsafe(statement);
  await close();
}

interface Fault {
  hurt(): Promise<void>;
  mend(): Promise<void>;
  /** How much of it was felt; the answers of 503 unless given. */
  felt?(): number;
}

/** Connections that were ended under the server. */
let ended = 0;

const faults: Record<string, Fault> = {
  "stopped for 3 s": {
    hurt: async () => {
      const pid = await database.postmaster();
      process.kill(pid, "SIGINT");
      await gone(pid);
      await sleep(3_000);
    },
    mend: () => database.revive(),
  },
  "killed -9": {
    hurt: async () => {
      const pids = await database.processes();
      kill(pids, "SIGKILL");
      await Promise.all(pids.map(gone));
    },
    mend: () => database.revive(),
  },
  [`frozen for ${ROUNDS > 1 ? 30 : 6} s`]: {
    hurt: async () => {
      kill(await database.processes(), "SIGSTOP");
      await sleep(ROUNDS > 1 ? 30_000 : 6_000);
    },
    mend: async () => kill(await database.processes(), "SIGCONT"),
  },
  "its connections ended, again and again": {
    hurt: async () => {
      const { sql, close } = database.connect();
      ended = 0;
      for (let i = 0; i < 10; i++) {
        const { count } =
          await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'aisle%' and pid <> pg_backend_pid()`;
        ended += count;
        await sleep(100);
      }
      await close();
    },
    mend: async () => {},
    felt: () => ended,
  },
  "every connection waiting for a lock": {
    hurt: async () => {
      const { sql, close } = database.connect();
      await sql.begin(async (tx) => {
        await tx`lock table usage_events, keys in access exclusive mode`;
        await sleep(4_000);
      });
      await close();
    },
    mend: async () => {},
  },
  "read-only": {
    hurt: async () => {
      await run("alter system set default_transaction_read_only = on");
      await run("select pg_reload_conf()");
      await sleep(2_000);
    },
    mend: async () => {
      await run("alter system reset default_transaction_read_only");
      await run("select pg_reload_conf()");
    },
  },
};

describe.each(Object.entries(faults))("a database that is %s", (_name, fault) => {
  it.each(rounds)(
    "costs answers, never a wrong one, nor a row (round %i)",
    async () => {
      const seen = await underLoad(database, fault);
      expect(fault.felt?.() ?? seen.unavailable).toBeGreaterThan(0);
      await expectUnharmed(database, seen);
    },
    TIMEOUT_MS,
  );
});

describe("a database that is frozen", () => {
  it(
    "leaves nothing of a change that was answered 503 meanwhile",
    async () => {
      const hasName = async (reply: Response) => (await reply.text()).includes("Nora Quay");
      expect(await hasName(await database.page())).toBe(false);
      const pids = await database.processes();
      kill(pids, "SIGSTOP");
      const { status } = await database.change("Nora Quay");
      kill(pids, "SIGCONT");
      expect(status).toBe(503);
      // Whatever still goes on of it is over by then.
      await sleep(2_000);
      expect(await hasName(await database.page())).toBe(false);
    },
    TIMEOUT_MS,
  );
});

describe("a database that is killed -9 before its log is on disk", () => {
  it(
    "loses the row of no request, though another that was counted with it ends afterwards",
    async () => {
      await database.server.stop();
      // What commits without waiting for the disk stays off it.
      kill(await database.processes("walwriter"), "SIGSTOP");
      const connections = database.connect();
      const core = testCore(connections);
      async function begin() {
        const ctx = contextFor<Anonymous>(core, { kind: "anonymous" });
        const request = { requestId: ctx.requestId, at: ctx.now, method: "ping", tool: undefined };
        const { consumer, begun } = await admission.admit(ctx, admission.presented(ctx, database.key), request);
        await begun!.onDisk;
        return { ctx: { ...ctx, actor: consumer }, begun: begun! };
      }
      async function end({ ctx, begun }: Awaited<ReturnType<typeof begin>>) {
        const event = { method: "ping", status: 200, latencyUs: 900, requestBytes: 1, responseBytes: 1, client: {} };
        await usage.record(ctx, event, begun);
        await settled(core);
      }
      const [one, two] = await Promise.all([begin(), begin()]);
      expect(one.begun).toBe(two.begun);
      await end(one);
      await faults["killed -9"]!.hurt();
      await database.revive();
      await end(two);
      expect(await strayRows(connections.sql, [one.ctx.requestId, two.ctx.requestId])).toBe(0);
      await connections.close();
    },
    TIMEOUT_MS,
  );
});
