// Calls and people's pages share a process and a database, but no connection.
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Sql } from "../../db/client";
import { network } from "../../server/limit-store";
import { search } from "../../server/services/catalog/search";
import { makeCaller, rpc } from "../support/clients";
import { patientUrl, testDatabase, untilWaiting } from "../support/database";
import { makeAccount, makeReader, makeStore } from "../support/factories";
import { signIn } from "../support/roles";
import { startServer, type TestServer } from "../support/server";

const [database, hanging] = [testDatabase(), testDatabase()];
let server: TestServer;
beforeAll(async () => {
  // Pages that wait for long are told so.
  server = await startServer(patientUrl(database.url), {}, { expected: /"database unavailable"/ });
});
afterAll(() => server?.stop());

const read = (procedure: string, cookie: string, input: object = {}) =>
  fetch(new URL(`/api/trpc/${procedure}?input=${encodeURIComponent(JSON.stringify(input))}`, server.url), {
    headers: { cookie },
  });

/**
 * Calls, and pages of other people, are answered while thirty requests of one wait for what `lock` holds.
 * @param also checked meanwhile
 */
async function besideThirty(
  key: string,
  lock: (tx: Sql) => Promise<unknown>,
  ask: (i: number) => Promise<Response>,
  also = async () => {},
): Promise<number[]> {
  const other = await signIn(database, (await makeCaller(database)).consumer.owner);
  const held: Promise<Response>[] = [];
  await database.sql.begin(async (tx) => {
    await lock(tx as unknown as Sql);
    held.push(...Array.from({ length: 30 }, (_, i) => ask(i)));
    await untilWaiting(database.sql, 1);
    for (let i = 0; i < 10; i++) {
      expect((await rpc(server.url, key, "tools/list")).status).toBe(200);
      expect((await read("consumer.colleagues", other)).status).toBe(200);
    }
    await also();
  });
  return (await Promise.all(held)).map(({ status }) => status);
}

it.each([
  ["read", "usage.read", "usage_rollups"],
  ["read through Drizzle", "application.get", "applications"],
])(
  "pages that are held up where they are %s hold up neither calls nor other people's, however many they are",
  async (_, procedure, table) => {
    const { consumer, key } = await makeCaller(database);
    const cookie = await signIn(database, consumer.owner);
    const held = await besideThirty(
      key,
      (tx) => tx`lock table ${tx(table)} in access exclusive mode`,
      () => read(procedure, cookie),
    );
    for (const status of held) expect([200, 503]).toContain(status);
  },
);

it("requests of one account, more than a process has room for, are told to come back, and take nobody else's place", async () => {
  const { consumer, key } = await makeCaller(database);
  const cookie = await signIn(database, consumer.owner);
  const more: Promise<Response>[] = [];
  await besideThirty(
    key,
    (tx) => tx`lock table applications in access exclusive mode`,
    (i) => {
      more.push(...Array.from({ length: 40 }, () => read("application.get", cookie)));
      return i < 29 ? read("application.get", cookie) : Promise.race(more);
    },
  );
  const refused = (await Promise.all(more)).filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  for (const { headers } of refused) expect(headers.get("retry-after")).toBe("1");
});

it("searches that pages show, however many wait, are in no line with those of calls", async () => {
  const reader = database.as(await makeReader(database));
  const asked = { sort: "relevance", limit: 1, query: "tent" } as const;
  const held: Promise<unknown>[] = [];
  await hanging.sql.begin(async (tx) => {
    await tx`lock table products in access exclusive mode`;
    const pages = { ...reader, searches: hanging.people };
    held.push(...Array.from({ length: 20 }, () => search(pages, asked).catch(({ code }) => code)));
    await untilWaiting(hanging.sql, 3);
    expect(await search(reader, asked)).toMatchObject({ products: [] });
  });
  await Promise.all(held);
});

it("previews of merchants take none of the connections of calls' searches", async () => {
  const { consumer, key } = await makeCaller(database, { state: "production" });
  const store = await makeStore(database);
  const account = await makeAccount(database);
  await database.sql`insert into merchant_members (merchant_id, account_id) values (${store.merchantId}, ${account.id})`;
  const cookie = await signIn(database, account);
  const preview = () => read("agents.preview", cookie, { store: store.slug, platform: consumer.slug });
  const held = await besideThirty(
    key,
    (tx) => tx`lock table products in access exclusive mode`,
    preview,
    async () => {
      const [row] = await database.sql`select count(*)::int as n from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%sample as materialized%'`;
      expect(row!.n).toBeLessThanOrEqual(2);
    },
  );
  for (const status of held) expect([200, 503]).toContain(status);
});

it("log-ins that wait to be counted hold up no call, however many they are", async () => {
  const { key } = await makeCaller(database);
  const logIn = (i: number) =>
    fetch(new URL("/api/trpc/account.logIn", server.url), {
      method: "POST",
      headers: { "content-type": "application/json", origin: server.url },
      body: JSON.stringify({ email: `nobody-${i}@example.com`, password: "a quiet river" }),
    });
  await logIn(0);
  // All of one network are counted in one row.
  const row = `log-in-network:${network("127.0.0.1")}`;
  const held = await besideThirty(key, (tx) => tx`select from rate_limits where key = ${row} for update`, logIn);
  for (const status of held) expect([403, 429, 503]).toContain(status);
});
