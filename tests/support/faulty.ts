// A PostgreSQL of its own that a test may stop, kill, freeze or starve, a server on it, and callers that never pause.
import { execFileSync } from "node:child_process";
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, inject } from "vitest";
import { type Connections, connect, migrate } from "../../db/client";
import { type Embedded, startEmbedded } from "../../db/embedded";
import { contextFor } from "../../server/context";
import { seed } from "../../server/seed";
import * as consumers from "../../server/services/consumers";
import * as keys from "../../server/services/keys";
import { callTool, type Reply } from "./clients";
import { testCore } from "./database";
import { startServer, type TestServer } from "./server";

/** How often each fault is tried: FAULT_ROUNDS, or once. */
export const ROUNDS = Number(process.env.FAULT_ROUNDS ?? 1);
/** How long a service may take to be whole again, once what it needs is back. */
const RECOVERY_MS = 5_000;

export interface Faulty {
  server: TestServer;
  /** A client of the database itself; anew after it was down. */
  connect(): Connections;
  /** The postmaster's process id. */
  postmaster(): Promise<number>;
  /** Every process of the database. */
  processes(): Promise<number[]>;
  /** Brings it up again, after it was stopped or killed. */
  revive(): Promise<void>;
  call(): Promise<Reply>;
}

/** @param directory where the data lies; a temporary one unless given */
export function faulty(directory?: string): Faulty {
  const it = {} as Faulty;
  let place: string;
  const leases: Embedded[] = [];
  beforeAll(async () => {
    // Never the run's own server.
    inject("dataDirectory");
    place = directory ?? (await mkdtemp(join(tmpdir(), "aisle-fault-")));
    await chmod(place, 0o755);
    leases.push(await startEmbedded(place));
    const { url } = leases[0]!;
    await migrate(url);
    const connections = connect(url, "aisle-faults");
    const core = testCore(connections);
    await seed(contextFor(core, { kind: "system" }));
    const operator = contextFor(core, { kind: "operator", accountId: null });
    const { id } = await consumers.change(operator, { slug: "demo", set: { rateLimit: 1_000_000 } });
    const { value: key } = await keys.issue(operator, { consumerId: id, name: "Faults" });
    const [store] = await connections.sql`select id from stores where is_demo`;
    await connections.close();
    it.server = await startServer(url, { LOG_LEVEL: "silent" });
    it.connect = () => connect(url, "aisle-faults");
    it.postmaster = async () => Number.parseInt(await readFile(join(place, "pg", "postmaster.pid"), "utf8"), 10);
    it.processes = async () => {
      const pid = await it.postmaster();
      const children = execFileSync("ps", ["-o", "pid=", "--ppid", String(pid)], { encoding: "utf8" });
      return [pid, ...children.trim().split(/\s+/).map(Number)];
    };
    it.revive = async () => {
      leases.push(await startEmbedded(place));
    };
    it.call = () => callTool(it.server.url, key, "get_store_info", { store_id: store!.id });
  }, 120_000);
  afterAll(async () => {
    await it.server?.stop();
    for (const lease of leases) await lease.release().catch(() => {});
    if (!directory) await rm(place, { recursive: true, force: true });
  }, 60_000);
  return it;
}

export interface Seen {
  /** Request ids of calls that were answered with a result. */
  answered: string[];
  /** Everything that was neither a result nor a 503 with Retry-After, in words. */
  wrong: string[];
  unavailable: number;
  /** The longest that a caller waited for any answer, ms. */
  longestMs: number;
  /** From the mend to the first of the calls that succeed ever after, ms. */
  recoveryMs: number;
}

/** Callers that never pause, before, during and after a fault. */
export async function underLoad(it: Faulty, fault: { hurt(): Promise<void>; mend(): Promise<void> }): Promise<Seen> {
  const seen: Seen = { answered: [], wrong: [], unavailable: 0, longestMs: 0, recoveryMs: 0 };
  let mendedAt = Number.POSITIVE_INFINITY;
  let lastFailure = 0;
  let going = true;
  async function caller() {
    while (going) {
      const from = performance.now();
      const reply = await it.call().catch((error: Error) => error);
      const now = performance.now();
      seen.longestMs = Math.max(seen.longestMs, now - from);
      if (!(reply instanceof Error) && reply.status === 200 && reply.json.result?.isError !== true) {
        seen.answered.push(reply.headers["x-request-id"] as string);
        continue;
      }
      lastFailure = now;
      if (!(reply instanceof Error) && reply.status === 503 && reply.headers["retry-after"]) seen.unavailable += 1;
      else seen.wrong.push(reply instanceof Error ? reply.message : `${reply.status} ${reply.text}`);
      await sleep(20);
    }
  }
  const callers = Array.from({ length: 8 }, caller);
  await sleep(300);
  await fault.hurt();
  await fault.mend();
  mendedAt = performance.now();
  await sleep(RECOVERY_MS + 1_000);
  going = false;
  await Promise.all(callers);
  seen.recoveryMs = Math.max(0, lastFailure - mendedAt);
  return seen;
}

/** Whether each answered call has exactly one usage row. */
export async function strayRows(it: Faulty, { answered }: Seen): Promise<number> {
  const { sql, close } = it.connect();
  const [row] = await sql<[{ stray: number }]>`
    select count(*)::int as stray from unnest(${answered}::uuid[]) as id
    where (select count(*) from usage_events u where u.request_id = id) <> 1`;
  await close();
  return row.stray;
}
