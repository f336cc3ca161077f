// Whose store a usage row names: one that answered. So nobody learns of a store from having asked for it.
import { describe, expect, it } from "vitest";
import type { Member } from "../../server/context";
import * as decisions from "../../server/services/agent-decisions";
import * as agents from "../../server/services/agents";
import * as requests from "../../server/services/requests";
import * as usageReport from "../../server/services/usage-report";
import { rollUp } from "../../server/services/usage-rollup";
import { tools } from "../../server/tools";
import { callTool, makeCaller } from "../support/clients";
import { testDatabase } from "../support/database";
import { makeMerchant, makeStore } from "../support/factories";
import { loadRows, makeStoreWith } from "../support/feed";
import { testServer } from "../support/server";
import { untilRecorded } from "../support/usage";

const database = testDatabase();
const server = testServer(database);
const scopes = [...new Set(tools.map((tool) => tool.scope))];

/** Calls that name one store, a product `p` in it where they need one; by every tool that takes a store. */
const calls = (store: string): [tool: string, args: object][] => [
  ["get_store_info", { store_id: store }],
  ["list_categories", { store_id: store }],
  ["search_products", { store_ids: [store] }],
  ["get_product", { store_id: store, product_id: "p" }],
  ["lookup_products", { ids: [{ store_id: store, product_id: "p" }] }],
  ["get_offers", { store_id: store, product_id: "p" }],
  ["get_promotions", { store_id: store }],
  ["get_loyalty_program", { store_id: store, product_id: "p" }],
  ["check_inventory", { store_id: store, items: [{ product_id: "p" }] }],
  ["search_store_policies", { store_id: store, query: "returns" }],
];
/** Calls that are refused before any store is asked for, given a cursor of another query; and those that find nothing. */
const misses = (store: string, cursor: string): [tool: string, args: object][] => [
  ...["a.b", cursor].flatMap((given): [string, object][] => [
    ["search_products", { store_ids: [store], cursor: given }],
    ["get_offers", { store_id: store, product_id: "p", cursor: given }],
    ["get_promotions", { store_id: store, cursor: given }],
  ]),
  ["lookup_products", { ids: [{ store_id: store, product_id: "none" }] }],
  ["get_product", { store_id: store }],
];

async function makePlatform(given: Parameters<typeof makeCaller>[1] = {}) {
  const { consumer, key } = await makeCaller(database, { scopes, ...given });
  const member = { kind: "member", accountId: consumer.owner.id, consumerId: consumer.id, role: "owner" } as Member;
  const call = (tool: string, args: object) => callTool(server.url, key, tool, args);
  const rows = async () => {
    await untilRecorded(database);
    return database.sql<{ tool: string; error_code: string | null; store_id: string | null }[]>`
      select tool, error_code, store_id from usage_events
      where consumer_id = ${consumer.id} order by request_id`;
  };
  return { consumer, member, call, rows };
}

describe("a usage row", () => {
  it("names the store of each call that was answered from it, and of errors that only its reader gets", async () => {
    const store = await makeStoreWith(database, [{ id: "p" }]);
    const { call, rows } = await makePlatform({ state: "production" });
    for (const [tool, args] of calls(store.id)) await call(tool, args);
    await call("get_product", { store_id: store.id, product_id: "none" });
    expect((await rows()).filter(({ store_id }) => store_id !== store.id)).toEqual([]);
    expect((await rows()).flatMap(({ error_code }) => error_code ?? [])).toEqual([
      "no_loyalty_program",
      "product_not_found",
    ]);
    // With the tool that names no store: a tool that is new must be among the calls.
    expect(new Set([...(await rows()).map(({ tool }) => tool), "list_stores"]).size).toBe(tools.length);
  });

  it("names no store that can't be read, however it was asked for: unknown, hidden and blocked are all alike", async () => {
    const demo = await makeStoreWith(database, [{ id: "p" }, { id: "q" }], { is_demo: true });
    const other = await (await makePlatform()).call("search_products", { store_ids: [demo.id], limit: 1 });
    const cursor = other.json.result.structuredContent.page.next_cursor;
    expect(cursor).toEqual(expect.any(String));
    const [hidden, blocked] = [await makeStore(database, { ai_discovery: false }), await makeStore(database)];
    for (const { id } of [hidden, blocked]) await loadRows(database, id, [{ id: "p" }]);
    for (const state of ["sandbox", "production"] as const) {
      const { consumer, member, call, rows } = await makePlatform({ state });
      await database.sql`insert into blocks ${database.sql({ consumer_id: consumer.id, store_id: blocked.id })}`;
      const told: unknown[] = [];
      for (const store of [hidden.id, blocked.id, crypto.randomUUID()]) {
        const before = (await rows()).length;
        for (const [tool, args] of [...calls(store), ...misses(store, cursor)]) await call(tool, args);
        const made = (await rows()).slice(before);
        expect(made.map(({ store_id }) => store_id).filter(Boolean)).toEqual([]);
        told.push(made);
      }
      expect(told[1]).toEqual(told[0]);
      expect(told[2]).toEqual(told[0]);
      await untilRecorded(database);
      const page = await requests.list(database.as(member), {});
      expect(page.requests.filter(({ storeName }) => storeName !== null)).toEqual([]);
      for (const { requestId } of page.requests)
        expect(await requests.get(database.as(member), { requestId })).toMatchObject({
          storeName: null,
          storeId: null,
        });
      const usage = async () => (await usageReport.read(database.as(member), { range: "24h" })).shares.store;
      expect(await usage()).toEqual([]);
      await rollUp(database);
      expect(await usage()).toEqual([]);
    }
  });
});

describe("a merchant who has blocked a platform", () => {
  it("sees no read by it from then on, whatever it calls", async () => {
    const store = await makeStoreWith(database, [{ id: "p" }]);
    const merchant = await makeMerchant(database, store.merchantId);
    const { consumer, call } = await makePlatform({ state: "production", decidedAt: new Date() });
    const pair = { store: store.slug, platform: consumer.slug };
    // The server's clock is the database's, which may be ahead of the test's.
    const seen = () => agents.get(database.as(merchant, new Date(Date.now() + 60_000)), pair);
    const reads = () => agents.readsOf(database.as(merchant, new Date(Date.now() + 60_000)), pair);
    await decisions.block(database.as(merchant), pair);
    for (const [tool, args] of [...calls(store.id), ...misses(store.id, "a.b")]) await call(tool, args);
    await untilRecorded(database);
    expect(await seen()).toMatchObject({
      standing: "blocked",
      last7: 0,
      last30: 0,
      lastAt: null,
    });
    expect(await reads()).toEqual({ tools: [], products: [], ofLatest: null });
    await decisions.unblock(database.as(merchant), pair);
    await call("lookup_products", { ids: [{ store_id: store.id, product_id: "p" }] });
    await untilRecorded(database);
    expect(await seen()).toMatchObject({ standing: "reading", last7: 1 });
    expect((await reads()).products).toMatchObject([{ productId: "p" }]);
  });
});
