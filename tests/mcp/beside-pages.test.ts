// Calls and people's pages share a process and a database, but no connection.
import { afterAll, beforeAll, expect, it } from "vitest";
import { search } from "../../server/services/catalog/search";
import { makeCaller, rpc } from "../support/clients";
import { patientUrl, testDatabase, untilWaiting } from "../support/database";
import { makeReader } from "../support/factories";
import { signIn } from "../support/roles";
import { startServer, type TestServer } from "../support/server";

const [database, hanging] = [testDatabase(), testDatabase()];
let server: TestServer;
beforeAll(async () => {
  // Pages that wait for long are told so.
  server = await startServer(patientUrl(database.url), {}, { expected: /"database unavailable"/ });
});
afterAll(() => server?.stop());

it("pages that are held up hold up no call, however many they are", async () => {
  const { consumer, key } = await makeCaller(database);
  const cookie = await signIn(database, consumer.owner);
  const read = () => fetch(new URL("/api/trpc/usage.read?input={}", server.url), { headers: { cookie } });
  const held: Promise<Response>[] = [];
  await database.sql.begin(async (tx) => {
    await tx`lock table usage_rollups in access exclusive mode`;
    held.push(...Array.from({ length: 30 }, read));
    await untilWaiting(database.sql, 3);
    for (let i = 0; i < 10; i++) expect((await rpc(server.url, key, "tools/list")).status).toBe(200);
  });
  for (const { status } of await Promise.all(held)) expect([200, 503]).toContain(status);
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
