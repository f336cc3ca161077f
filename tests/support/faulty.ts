// A PostgreSQL of its own that a test may stop, kill, freeze or starve, a server on it, and callers that go on.
import { execFileSync } from "node:child_process";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, inject } from "vitest";
import { type Connections, connect, migrate } from "../../db/client";
import { type Embedded, startEmbedded } from "../../db/embedded";
import { contextFor } from "../../server/context";
import * as keys from "../../server/services/keys";
import * as sessions from "../../server/sessions";
import { makeDataFolder } from "./after-us";
import { callTool, type Reply } from "./clients";
import { type TestDatabase, testCore } from "./database";
import { makeConsumer, makeStore } from "./factories";
import { PAUSE_MS, strayRows } from "./load";
import { freePort, type Given, startServer, type TestServer } from "./server";

/** How often each fault is tried: FAULT_ROUNDS, or once. */
export const ROUNDS = Number(process.env.FAULT_ROUNDS ?? 1);
/** What hangs ends by it; nothing is measured by it. A busy machine takes a quarter of a minute to start a server. */
export const TIMEOUT_MS = 300_000;
export const rounds = Array.from({ length: ROUNDS }, (_, i) => i + 1);
/** More memory than this a server never has, whatever happens to what it needs. */
const MEMORY_MB = 700;
/** Everybody is answered in three seconds, and what it takes to get there and back. */
const LONGEST_MS = 3_500;
/** What a server says while things are taken from it is for `expectUnharmed` to judge, by its answers. */
const WHATEVER = /./;
/** How long a service may take to be whole again, once what it needs is back. */
const RECOVERY_MS = 5_000;

export interface Faulty {
  server: TestServer;
  /** The key that `call` uses. */
  key: string;
  storeId: string;
  /** Starts the server anew, in the place of one that is gone. */
  restart(given?: Pick<Given, "openFiles">): Promise<void>;
  /** A client of the database itself; anew after it was down. */
  connect(): Connections;
  /** The postmaster's process id. */
  postmaster(): Promise<number>;
  /** Every process of the database, or those that it calls by a name. */
  processes(name?: string): Promise<number[]>;
  /** Brings it up again, after it was stopped or killed. */
  revive(): Promise<void>;
  call(): Promise<Reply>;
  /** The same with a key that was revoked. */
  callRevoked(): Promise<Reply>;
  /** A page of somebody who is logged in. */
  page(): Promise<Response>;
  /** A change by the same person, of their name. */
  change(name?: string): Promise<Response>;
}

/** @param directory where the data lies; a temporary one unless given */
export function faulty(directory?: string): Faulty {
  const it = {} as Faulty;
  let place: string;
  const leases: Embedded[] = [];
  beforeAll(async () => {
    // Never the run's own server.
    inject("dataDirectory");
    place = directory ?? (await makeDataFolder());
    leases.push(await startEmbedded(place));
    const { url } = leases[0]!;
    await migrate(url);
    const connections = connect(url, "aisle-faults");
    const core = testCore(connections);
    const database = { ...connections, as: (actor, now) => contextFor(core, actor, undefined, now) } as TestDatabase;
    const operator = database.as({ kind: "operator", accountId: null });
    const store = await makeStore(database, { is_demo: true });
    const { id, owner } = await makeConsumer(database, { rateLimit: 1_000_000 });
    const { value: key } = await keys.issue(operator, { consumerId: id, name: "Faults" });
    const revoked = await keys.issue(operator, { consumerId: id, name: "Revoked" });
    await keys.revoke(operator, { id: revoked.id });
    const session = { account: owner, userAgent: "tests", address: "127.0.0.1" };
    const { cookie } = await sessions.create({ ...core, baseUrl: "http://127.0.0.1" }, session);
    await connections.close();
    const port = await freePort();
    it.restart = async (given) => {
      it.server = await startServer(url, { LOG_LEVEL: "error", PORT: String(port) }, { ...given, expected: WHATEVER });
    };
    await it.restart();
    Object.assign(it, { key, storeId: store.id });
    it.connect = () => connect(url, "aisle-faults");
    it.postmaster = async () => Number.parseInt(await readFile(join(place, "pg", "postmaster.pid"), "utf8"), 10);
    it.processes = async (name = "") => {
      const pid = String(await it.postmaster());
      const found = execFileSync("ps", ["-o", "pid=,args=", "--pid", pid, "--ppid", pid], { encoding: "utf8" });
      const lines = found.trim().split("\n");
      return lines.filter((line) => line.includes(name)).map((line) => Number.parseInt(line, 10));
    };
    it.revive = async () => {
      leases.push(await startEmbedded(place));
    };
    const headers = { cookie: cookie.split(";", 1)[0]! };
    it.page = () => fetch(`${it.server.url}/console/keys`, { headers, redirect: "manual" });
    it.change = (name = "Ada Byrne") =>
      fetch(`${it.server.url}/api/trpc/account.changeName`, {
        method: "POST",
        headers: { ...headers, origin: it.server.url, "content-type": "application/json" },
        body: JSON.stringify({ name }),
      });
    it.call = () => callTool(it.server.url, key, "get_store_info", { store_id: store.id });
    it.callRevoked = () => callTool(it.server.url, revoked.value, "get_store_info", { store_id: store.id });
  }, TIMEOUT_MS);
  afterAll(async () => {
    await it.server?.stop();
    for (const lease of leases) await lease.release().catch(() => {});
    if (!directory) await rm(place, { recursive: true, force: true });
  }, TIMEOUT_MS);
  return it;
}

export interface Seen {
  /** Request ids of calls that were answered with a result. */
  answered: string[];
  /** Request ids of changes that were acknowledged. */
  changed: string[];
  /** Everything that was neither a result nor a 503 with Retry-After, in words. */
  wrong: string[];
  unavailable: number;
  /** The longest that a caller waited for any answer, ms. */
  longestMs: number;
  /** From the mend to the first of the calls that succeed ever after, ms. */
  recoveryMs: number;
  /** The server's memory at most, MiB. */
  memoryMb: number;
  /** The longest that the callers themselves were held up by a busy machine, ms: no fault of the server's. */
  lagMs: number;
}

/** Callers that go on before, during and after a fault. */
export async function underLoad(it: Faulty, fault: { hurt(): Promise<void>; mend(): Promise<void> }): Promise<Seen> {
  const seen: Seen = {
    answered: [],
    changed: [],
    wrong: [],
    unavailable: 0,
    longestMs: 0,
    recoveryMs: 0,
    memoryMb: 0,
    lagMs: 0,
  };
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
      } else {
        lastFailure = now;
        if (!(reply instanceof Error) && reply.status === 503 && reply.headers["retry-after"]) seen.unavailable += 1;
        else seen.wrong.push(reply instanceof Error ? reply.message : `${reply.status} ${reply.text}`);
      }
      await sleep(PAUSE_MS);
    }
  }
  async function intruder() {
    while (going) {
      const status = await it.callRevoked().then(
        (reply) => reply.status,
        () => undefined,
      );
      if (status === 200) seen.wrong.push("a revoked key was let in");
      await sleep(100);
    }
  }
  async function weigh() {
    while (going) {
      seen.memoryMb = Math.max(seen.memoryMb, await memoryOf(it.server.process.pid!));
      await sleep(250);
    }
  }
  /** Of the site: what comes is 200 or 503, and nothing else. */
  async function visitor(what: string, visit: () => Promise<Response>, done: (answer: Response) => void) {
    while (going) {
      const from = performance.now();
      const answer = await visit().catch((error: Error) => error);
      const now = performance.now();
      seen.longestMs = Math.max(seen.longestMs, now - from);
      const words =
        answer instanceof Error ? answer.message : await answer.text().catch((error: Error) => error.message);
      if (!(answer instanceof Error) && answer.status === 200) done(answer);
      else {
        lastFailure = now;
        const isTold = !(answer instanceof Error) && answer.status === 503 && answer.headers.has("retry-after");
        if (!isTold)
          seen.wrong.push(answer instanceof Error ? words : `${what}: ${answer.status} ${words.slice(0, 300)}`);
      }
      await sleep(50);
    }
  }
  /** What comes later than a while is looked for where faults are tried many times. */
  async function untilWell(): Promise<void> {
    const longest = RECOVERY_MS + 1_000;
    const wellFor = ROUNDS > 1 ? longest : 2_000;
    const isOver = (now: number) => now - mendedAt > longest || now - Math.max(lastFailure, mendedAt) > wellFor;
    while (!isOver(performance.now())) await sleep(50);
  }
  const lag = monitorEventLoopDelay();
  lag.enable();
  const callers = [
    ...Array.from({ length: 8 }, caller),
    visitor("page", it.page, () => {}),
    visitor("change", it.change, (answer) => seen.changed.push(answer.headers.get("x-request-id")!)),
    intruder(),
    weigh(),
  ];
  await sleep(300);
  await fault.hurt();
  await fault.mend();
  mendedAt = performance.now();
  await untilWell();
  going = false;
  await Promise.all(callers);
  seen.recoveryMs = Math.max(0, lastFailure - mendedAt);
  lag.disable();
  seen.lagMs = lag.max / 1e6;
  const { wrong: _, ...figures } = { ...seen, answered: seen.answered.length, changed: seen.changed.length };
  process.stdout.write(
    `${Object.entries(figures)
      .map(([name, value]) => `${name} ${Math.round(value)}`)
      .join(", ")}\n`,
  );
  return seen;
}

/** How many answered calls have no usage row or more than one, and how many acknowledged changes are not there, or twice. */
async function strays(it: Faulty, { answered, changed }: Seen): Promise<{ calls: number; changes: number }> {
  const { sql, close } = it.connect();
  const [row] = await sql<[{ changes: number }]>`
    select count(*)::int as changes from (
      select c.id from unnest(${changed}::uuid[]) as c (id) left join audit a on a.request_id = c.id
      group by c.id having count(a.request_id) <> 1) found`;
  const calls = await strayRows(sql, answered);
  await close();
  return { calls, changes: row.changes };
}

/**
 * Whatever was answered was right and is kept, nobody waited long, and all was well again within five seconds.
 * @param given `silent`: the process itself was away, so that callers may have had no answer, or a late one
 */
export async function expectUnharmed(it: Faulty, seen: Seen, given: { silent?: boolean } = {}): Promise<void> {
  const wrong = seen.wrong.filter((words) => !(given.silent && NO_ANSWER.test(words)));
  const unexpected = it.server.output().match(/^.*"msg":"internal error".*$/gm) ?? [];
  expect(wrong.slice(0, 3), unexpected.slice(-3).join("\n")).toEqual([]);
  expect(seen.answered.length).toBeGreaterThan(0);
  expect(seen.changed.length).toBeGreaterThan(0);
  // Both are promises to callers, not measures of speed: 503 within 3 s, and whole within 5 s.
  if (!given.silent) expect(seen.longestMs).toBeLessThan(LONGEST_MS + 2 * seen.lagMs);
  expect(seen.recoveryMs).toBeLessThan(RECOVERY_MS + 2 * seen.lagMs);
  expect(seen.memoryMb).toBeLessThan(MEMORY_MB);
  expect(await strays(it, seen)).toEqual({ calls: 0, changes: 0 });
}

/** What a caller is told by its own system. */
const NO_ANSWER =
  /^(socket hang up|fetch failed|terminated|other side closed|connect ECONN(REFUSED|RESET).*|(read|write) ECONNRESET|write EPIPE)$/;

/** A process's memory, MiB; 0 once it is gone. */
async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024;
}
