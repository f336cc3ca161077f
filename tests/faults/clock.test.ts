// The clock of the server's machine is moved by ten minutes, forth and back: nothing opens, closes or breaks by it, since
// time is the database's (server/clock.ts). Needs libfaketime.
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { momentOf } from "../../server/context";
import { callTool, issueKey, makeCaller, rpc } from "../support/clients";
import { testDatabase } from "../support/database";
import { makeStore } from "../support/factories";
import { rounds, TIMEOUT_MS } from "../support/faulty";
import { expectRecorded, startLoad } from "../support/load";
import { signIn } from "../support/roles";
import { startServer, type TestServer } from "../support/server";

const FAKETIME = `/usr/lib/${process.arch === "arm64" ? "aarch64" : "x86_64"}-linux-gnu/faketime/libfaketimeMT.so.1`;
const MINUTE_MS = 60_000;
const database = testDatabase();
let server: TestServer;
let file: string;
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * MINUTE_MS);

beforeAll(async () => {
  if (!existsSync(FAKETIME)) throw new Error("libfaketime is missing: apt-get install libfaketime");
  const place = await mkdtemp(join(tmpdir(), "aisle-clock-"));
  file = join(place, "time");
  await moveClock(0);
  server = await startServer(database.url, {
    LD_PRELOAD: FAKETIME,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: "1",
    // A clock that is set leaves the monotonic one alone.
    FAKETIME_DONT_FAKE_MONOTONIC: "1",
  });
  return async () => {
    await server.stop();
    await rm(place, { recursive: true, force: true });
  };
}, TIMEOUT_MS);

const moveClock = (seconds: number) => writeFile(file, seconds < 0 ? `${seconds}` : `+${seconds}`);
/** The server's own idea of the time, as its answers' Date header has it: minutes from ours. */
async function minutesOff(): Promise<number> {
  const answer = await fetch(`${server.url}/healthz`);
  return Math.round((Date.parse(answer.headers.get("date")!) - Date.now()) / MINUTE_MS) + 0;
}

describe.each([
  ["ahead", 10],
  ["back", -10],
])("a server whose clock is moved ten minutes %s", (_, minutes) => {
  it.each(rounds)(
    "lets in whom it did, keeps out whom it did, and loses no call (round %i)",
    async () => {
      await moveClock(0);
      await expect.poll(minutesOff).toBe(0);
      // Refused keys of one address are counted for a minute; a round is over sooner.
      await database.sql`delete from rate_limits`;
      const { consumer, key, keyId } = await makeCaller(database, {
        state: "production",
        rateLimit: 1_000_000,
        maxKeys: 5,
      });
      const store = await makeStore(database);
      const soon = await issueKey(database, consumer.id, { expiresAt: inMinutes(5) });
      const over = await issueKey(database, consumer.id, { expiresAt: inMinutes(5) });
      await database.sql`update keys set expires_at = ${inMinutes(-5)} where id = ${over.id}`;
      const spent = await makeCaller(database, { rateLimit: 5 });
      for (let i = 0; i < 5; i++) expect((await rpc(server.url, spent.key, "ping")).status).toBe(200);
      const cookie = await signIn(database, consumer.owner);
      const short = await signIn(database, consumer.owner);
      const shortId = createHash("sha256").update(short.split("=")[1]!).digest("hex");
      const cut = await database.sql`update sessions set expires_at = ${inMinutes(5)} where id = ${shortId}`;
      expect(cut.count).toBe(1);
      const page = async (session: string) =>
        (await fetch(`${server.url}/account`, { headers: { cookie: session }, redirect: "manual" })).status;
      const calls = startLoad(server.url, { key, storeId: store.id, callers: 4 });
      await sleep(300);

      await moveClock(minutes * 60);
      await expect.poll(minutesOff).toBe(minutes);
      const status = async (value: string) =>
        (await callTool(server.url, value, "get_store_info", { store_id: store.id })).status;
      // By what its id tells of its time a request is found.
      const { headers } = await callTool(server.url, key, "get_store_info", { store_id: store.id });
      expect(Math.abs(momentOf(String(headers["x-request-id"])) - Date.now())).toBeLessThan(MINUTE_MS);
      for (let i = 0; i < 3; i++) {
        expect(await status(soon.value)).toBe(200);
        expect(await status(over.value)).toBe(401);
        const limited = await rpc(server.url, spent.key, "ping");
        expect(limited.status).toBe(429);
        expect(Number(limited.headers["retry-after"])).toBeLessThanOrEqual(60);
        expect([await page(cookie), await page(short)]).toEqual([200, 200]);
        await sleep(300);
      }
      await calls.stop();
      expect(calls.failed.slice(0, 3)).toEqual([]);
      await expectRecorded(database.sql, calls.answered);
      const [written] = await database.sql`
        select max(abs(extract(epoch from now() - at)))::float8 as seconds from usage_events where key_id = ${keyId}`;
      expect(written!.seconds).toBeLessThan(60);
    },
    TIMEOUT_MS,
  );
});

describe("a session that ended five minutes ago", () => {
  it("is over also for a server whose clock is ten minutes behind", async () => {
    const { consumer } = await makeCaller(database);
    const cookie = await signIn(database, consumer.owner);
    await database.sql`update sessions set expires_at = ${inMinutes(-5)} where account_id = ${consumer.owner.id}`;
    await moveClock(-600);
    await expect.poll(minutesOff).toBe(-10);
    const page = await fetch(`${server.url}/account`, { headers: { cookie }, redirect: "manual" });
    expect([page.status, page.headers.get("location")]).toEqual([302, "/login?to=%2Faccount"]);
  });
});
