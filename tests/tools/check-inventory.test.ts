import { describe, expect, it } from "vitest";
import * as inventory from "../../server/services/inventory";
import { checkInventory } from "../../server/tools/check-inventory";
import { ask, refused } from "../support/ask";
import { testDatabase } from "../support/database";
import { makeReader, makeStore } from "../support/factories";
import { loadRows, makeStoreWith } from "../support/feed";

const database = testDatabase();

describe("check_inventory", () => {
  it("tells pieces, status, next delivery and locations of each item", async () => {
    const store = await makeStoreWith(database, [{ id: "lamp" }]);
    const input = inventory.ReplaceInventory.parse({
      storeId: store.id,
      locations: [{ location_id: "shop", name: "Shop", pickup: true }],
      levels: [{ variant_id: "lamp", location_id: "shop", quantity: 2, restock_at: "2099-01-01" }],
    });
    const counted = new Date("2027-03-01T00:00:00Z");
    await inventory.replace(database.as({ kind: "system" }, counted), input);
    const ctx = database.as(await makeReader(database));
    const items = [{ product_id: "lamp" }, { product_id: "nothing", quantity: 3 }];
    expect(await ask(ctx, checkInventory, { store_id: store.id, items })).toEqual({
      items: [
        {
          product_id: "lamp",
          requested: 1,
          quantity: 2,
          status: "low_stock",
          low_stock_threshold: 5,
          restock_at: "2099-01-01T00:00:00.000Z",
          locations: [{ location_id: "shop", name: "Shop", quantity: 2, pickup: true }],
          data_as_of: "2027-03-01T00:00:00.000Z",
        },
      ],
      messages: [{ type: "warning", code: "not_found", content: expect.any(String), path: "items.1.product_id" }],
    });
  });

  it("tells no status where it hangs on a variant that is not counted", async () => {
    const store = await makeStore(database);
    const shirt = (id: string) => ({ id, item_group_id: "shirt", size: id });
    await loadRows(database, store.id, [shirt("S"), shirt("M")]);
    const input = inventory.ReplaceInventory.parse({
      storeId: store.id,
      locations: [{ location_id: "shop", name: "Shop", pickup: true }],
      levels: [{ variant_id: "S", location_id: "shop", quantity: 0 }],
    });
    await inventory.replace(database.as({ kind: "system" }), input);
    const ctx = database.as(await makeReader(database));
    const of = { store_id: store.id, items: [{ product_id: "shirt" }] };
    const answer = await ask<{ items: object[]; messages: object[] }>(ctx, checkInventory, of);
    expect(answer).toMatchObject({ items: [{ product_id: "shirt", quantity: 0 }] });
    expect(answer.items[0]).not.toHaveProperty("status");
    expect(answer.messages).toContainEqual(expect.objectContaining({ code: "partly_counted" }));
  });

  it.each([
    ["no items", { items: [] }, "items"],
    ["more than 50 items", { items: Array.from({ length: 51 }, (_, i) => ({ product_id: `${i}` })) }, "items"],
    ["a product twice", { items: [{ product_id: "a" }, { product_id: "a" }] }, "items.1.product_id"],
    ["none of it", { items: [{ product_id: "a", quantity: 0 }] }, "items.0.quantity"],
    ["a list of no locations", { items: [{ product_id: "a" }], location_ids: [] }, "location_ids"],
  ])("refuses %s, by the argument's name", async (_, args, path) => {
    const ctx = database.as(await makeReader(database));
    expect(refused(ctx, checkInventory, { store_id: crypto.randomUUID(), ...args })).toEqual([path]);
  });
});
