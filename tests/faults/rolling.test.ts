// Three instances behind nginx, replaced one after the other while calls go on: none is lost. ROLLING_REQUESTS
// says how many calls there are at least (5,000); instances are replaced for as long as they come, each once at least.
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { migrate } from "../../db/client";
import { makeCaller } from "../support/clients";
import { testDatabase } from "../support/database";
import { makeStore } from "../support/factories";
import { expectRecorded, type Load, startLoad } from "../support/load";
import { withMigration } from "../support/migrations";
import { type FrontProxy, KEPT_SECONDS, startProxy } from "../support/proxy";
import { freePort, startServer, type TestServer } from "../support/server";

const REQUESTS = Number(process.env.ROLLING_REQUESTS ?? 5_000);
const INSTANCES = 3;
const database = testDatabase();
const ports: number[] = [];
const instances: TestServer[] = [];
let proxy: FrontProxy;

const start = (port: number) =>
  startServer(database.url, {
    PORT: String(port),
    TRUST_PROXY: "1",
    DRAIN_SECONDS: String(KEPT_SECONDS + 1),
    LOG_LEVEL: "warn",
  });

beforeAll(async () => {
  for (let i = 0; i < INSTANCES; i++) ports.push(await freePort());
  instances.push(...(await Promise.all(ports.map(start))));
  proxy = await startProxy(ports);
});
afterAll(async () => {
  await Promise.all(instances.map((instance) => instance.stop("SIGKILL")));
  await proxy?.stop();
});

/** Replaces each instance; the next one's turn comes once the new one answers. */
async function replaceAll(): Promise<void> {
  for (const [i, port] of ports.entries()) {
    await instances[i]!.stop();
    instances[i] = await start(port);
    // nginx tries it again a second after it found it gone.
    await sleep(1_500);
  }
}

async function load(): Promise<Load> {
  const { key } = await makeCaller(database, { state: "production", rateLimit: 1_000_000 });
  const store = await makeStore(database);
  const calls = startLoad(proxy.url, { key, storeId: store.id });
  onTestFinished(calls.stop);
  await sleep(500);
  return calls;
}

async function nothingLost(calls: Load, least: number): Promise<void> {
  expect(calls.failed.slice(0, 3), proxy.output().slice(-2_000)).toEqual([]);
  expect(calls.answered.length).toBeGreaterThanOrEqual(least);
  await expectRecorded(database.sql, calls.answered);
}

describe("three instances behind nginx", () => {
  it("are replaced one by one, and every call is answered, with one usage row", async () => {
    const calls = await load();
    let rounds = 0;
    do {
      await replaceAll();
      rounds += 1;
    } while (calls.answered.length < REQUESTS && calls.failed.length === 0);
    await calls.stop();
    await nothingLost(calls, REQUESTS);
    process.stdout.write(`rolling restart: ${calls.answered.length} calls, ${rounds * INSTANCES} instances replaced\n`);
  }, 1_800_000);

  it("say on /readyz that they leave, and still answer, before they let go of their port", async () => {
    const [leaving] = instances;
    const left = leaving!.stop();
    // As long as it listens: for DRAIN_SECONDS, which are more.
    await expect
      .poll(async () => (await fetch(`${leaving!.url}/readyz`)).status, { timeout: KEPT_SECONDS * 1_000 })
      .toBe(503);
    const answer = await fetch(`${leaving!.url}/healthz`);
    expect([answer.status, answer.headers.get("connection")]).toEqual([200, "close"]);
    await left;
    instances[0] = await start(ports[0]!);
  });
});

describe("a migration", () => {
  it("expands the schema and contracts it again while instances of before and after it serve, and loses no call", async () => {
    const calls = await load();
    await migrate(
      database.url,
      await withMigration(database, [
        "alter table stores add column nickname text not null default ''",
        "update stores set nickname = slug",
        "create index stores_nickname on stores (nickname)",
        "alter table usage_events add column note text",
      ]),
    );
    // Those from before it serve beside one that came after it.
    await instances[0]!.stop();
    instances[0] = await start(ports[0]!);
    await sleep(1_500);
    await migrate(
      database.url,
      await withMigration(database, [
        "alter table usage_events drop column note",
        "alter table stores drop column nickname",
      ]),
    );
    await sleep(500);
    await calls.stop();
    await nothingLost(calls, 500);
  }, 300_000);

  it("gives way to calls while a long transaction holds what it needs, and is done once that ends", async () => {
    const calls = await load();
    let isDone = false;
    let migrated: Promise<void> | undefined;
    const folder = await withMigration(database, [
      "alter table stores add column nickname text",
      "alter table stores drop column nickname",
    ]);
    await database.sql.begin(async (tx) => {
      await tx`select from stores`;
      migrated = migrate(database.url, folder).then(() => {
        isDone = true;
      });
      await sleep(5_000);
      expect(isDone).toBe(false);
    });
    await migrated;
    await calls.stop();
    await nothingLost(calls, 500);
  }, 300_000);
});
