// What agents are answered when a feed changes its ways: groups that come, variants that go, words for "never".
import { describe, expect, it } from "vitest";
import { prepare } from "../../server/pipeline";
import * as inventory from "../../server/services/inventory";
import { tools } from "../../server/tools";
import { testDatabase } from "../support/database";
import { makeReader, makeStore } from "../support/factories";
import { makeGtin } from "../support/feed";
import { loadFeed, tsv } from "../support/feeds/load";

const database = testDatabase();

// biome-ignore lint/suspicious/noExplicitAny: answers of several tools, as their JSON
type Answer = any;

async function shop(given: Parameters<typeof makeStore>[1] = {}) {
  const store = await makeStore(database, given);
  const reader = await makeReader(database);
  return {
    id: store.id,
    load: (rows: Parameters<typeof tsv>[0]) => loadFeed(database, store.id, tsv(rows), { fileName: "feed.tsv" }),
    async ask(name: string, args: Record<string, unknown>, now?: Date): Promise<Answer> {
      const tool = tools.find((one) => one.name === name)!;
      return JSON.parse((await prepare(database.as(reader, now), tool, args).run()).text);
    },
  };
}

describe("an id that a product had before its row came into a group", () => {
  it("names the living variant in every tool", async () => {
    const { id: store_id, load, ask } = await shop();
    await load([{ id: "MUG", title: "Stone mug" }, { id: "x" }]);
    await load([
      { id: "MUG", item_group_id: "MUGS", color: "Red", title: "Stone mug" },
      { id: "MUG2", item_group_id: "MUGS", color: "Blue", title: "Stone mug" },
      { id: "x" },
    ]);
    const mug = { store_id, product_id: "MUG" };
    expect((await ask("get_product", mug)).product).toMatchObject({ availability: { status: "in_stock" } });
    const [card] = (await ask("lookup_products", { ids: [mug] })).products;
    expect(card).toMatchObject({ availability: { status: "in_stock", available: true } });
    expect((await ask("get_offers", mug)).offers).toMatchObject([{ offer_id: "MUG" }]);
  });
});

describe("a date that means never", () => {
  it.each([
    [{ expiration_date: "9999-12-31" }],
    [{ sale_price: "9 EUR", sale_price_effective_date: "2020-01-01/9999-12-31" }],
    [{ availability: "preorder", availability_date: "9999-12-31T23:59:59-08:00" }],
  ])("loads: %j", async (cells) => {
    const { id, load, ask } = await shop();
    const report = await load([{ id: "1", ...cells }, { id: "2" }, { id: "3" }]);
    expect(report).toMatchObject({ loaded: 3, rejected: 0 });
    expect((await ask("search_products", { store_ids: [id] })).page.total_count).toBe(3);
  });
});

describe("the prices of a group", () => {
  it("are those of what can be had, in the currency that they are in", async () => {
    const { id: store_id, load, ask } = await shop({ currencies: ["EUR", "JPY"] });
    const coat = { item_group_id: "C", title: "Coat" };
    await load([
      { id: "a", ...coat, color: "Red", price: "5 EUR", availability: "discontinued" },
      { id: "b", ...coat, color: "Blue", price: "50 EUR" },
      { id: "c", ...coat, color: "Green", price: "60 EUR" },
      { id: "d", ...coat, color: "White", price: "7000 JPY" },
    ]);
    const range = { min: { amount: 5000, currency: "EUR" }, max: { amount: 6000, currency: "EUR" } };
    const ids = ["C", "d"].map((product_id) => ({ store_id, product_id }));
    const { products } = await ask("lookup_products", { ids });
    expect(products).toMatchObject([
      { price: { amount: 5000, currency: "EUR" }, price_range: range },
      { price: { amount: 7000, currency: "JPY" }, price_range: range },
    ]);
  });
});

describe("a GTIN that a store has twice", () => {
  it.each(["out_of_stock", "discontinued"])(
    "is looked up as what is in stock, not as what is %s",
    async (availability) => {
      const { load, ask } = await shop();
      const gtin = makeGtin();
      await load([
        { id: "a", title: "Used game", gtin, price: "5 EUR", condition: "used", availability },
        { id: "b", title: "New game", gtin, price: "50 EUR" },
      ]);
      const { products } = await ask("lookup_products", { gtins: [gtin] });
      expect(products).toMatchObject([{ price: { amount: 5000 }, availability: { status: "in_stock" } }]);
    },
  );
});

describe("stock at some locations", () => {
  it("has their threshold and deliveries, not those of others", async () => {
    const { id: storeId, load, ask } = await shop();
    await load([{ id: "lamp" }, { id: "x" }]);
    const now = new Date("2027-05-01T00:00:00Z");
    const restock_at = "2027-05-03T00:00:00Z";
    await inventory.replace(
      database.as({ kind: "system" }, now),
      inventory.ReplaceInventory.parse({
        storeId,
        locations: ["cork", "dublin"].map((name) => ({ location_id: name, name, pickup: true })),
        levels: [
          { variant_id: "lamp", location_id: "cork", quantity: 6, low_stock_threshold: 5 },
          { variant_id: "lamp", location_id: "dublin", quantity: 0, low_stock_threshold: 50, restock_at },
          { variant_id: "x", location_id: "dublin", quantity: 0, restock_at },
        ],
      }),
    );
    const items = [{ product_id: "lamp" }, { product_id: "x" }];
    const answer = await ask("check_inventory", { store_id: storeId, items, location_ids: ["cork"] }, now);
    expect(answer.items[0]).toMatchObject({ quantity: 6, status: "in_stock", low_stock_threshold: 5 });
    expect(answer.items.map((item: Answer) => item.restock_at)).toEqual([undefined, undefined]);
    const everywhere = await ask("check_inventory", { store_id: storeId, items }, now);
    expect(everywhere.items[0]).toMatchObject({ status: "low_stock", low_stock_threshold: 50 });
  });
});
