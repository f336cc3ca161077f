import { describe, expect, it } from "vitest";
import { prepare } from "../../server/pipeline";
import { getProduct } from "../../server/tools/get-product";
import { lookupProducts } from "../../server/tools/lookup-products";
import { ask, refused } from "../support/ask";
import { testDatabase } from "../support/database";
import { makeReader, makeStore } from "../support/factories";
import { loadRows, makeGtin, makeStoreWith } from "../support/feed";

const database = testDatabase();

interface Answer {
  products: Record<string, unknown>[];
  messages: { code: string; path: string }[];
}

describe("lookup_products", () => {
  it("gives the cards that are asked for, in order, with what each was matched by", async () => {
    const gtin = makeGtin();
    const store = await makeStoreWith(database, [
      { id: "a", star_rating: "4", review_count: "2" },
      { id: "b", gtin },
    ]);
    const ctx = database.as(await makeReader(database));
    const ids = [
      { store_id: store.id, product_id: "b" },
      { store_id: store.id, product_id: "no" },
      { store_id: store.id, product_id: "a" },
    ];
    const { products, messages } = await ask<Answer>(ctx, lookupProducts, { ids, gtins: [gtin] });
    expect(products).toMatchObject([
      { product_id: "b", matched_by: { kind: "id", value: "b" } },
      { product_id: "a", matched_by: { kind: "id", value: "a" }, rating: { value: 4, scale_max: 5, count: 2 } },
      { product_id: "b", matched_by: { kind: "gtin", value: gtin } },
    ]);
    expect(messages).toMatchObject([{ type: "warning", code: "not_found", path: "ids.1" }]);
    const compact = await ask<Answer>(ctx, lookupProducts, { ids, view: "compact" });
    expect(compact.products[1]).not.toHaveProperty("rating");
  });

  it("finds products whose id is longer than any GTIN", async () => {
    const store = await makeStore(database);
    const id = "a-product-with-a-rather-long-id";
    await loadRows(database, store.id, [{ id }]);
    const ids = [{ store_id: store.id, product_id: id }];
    const { products } = await ask<Answer>(database.as(await makeReader(database)), lookupProducts, { ids });
    expect(products).toMatchObject([{ product_id: id }]);
  });

  it("finds a product by its id as the merchant writes it, though a load takes blanks off and composes accents", async () => {
    const id = " cafe\u0301-1 ";
    const store = await makeStoreWith(database, [{ id }]);
    const ctx = database.as(await makeReader(database));
    const ids = [{ store_id: store.id, product_id: id }];
    const { products } = await ask<Answer>(ctx, lookupProducts, { ids });
    expect(products).toMatchObject([{ product_id: "caf\u00e9-1" }]);
    expect(await ask(ctx, getProduct, ids[0]!)).toMatchObject({ product: { product_id: "caf\u00e9-1" } });
  });

  it("is counted for a store only once it found something there", async () => {
    const [store, hidden] = [await makeStore(database), await makeStore(database, { ai_discovery: false })];
    for (const { id } of [store, hidden]) await loadRows(database, id, [{ id: "a" }]);
    const ctx = database.as(await makeReader(database));
    const countedFor = async (...asked: [storeId: string, productId: string][]) => {
      const ids = asked.map(([store_id, product_id]) => ({ store_id, product_id }));
      const call = prepare(ctx, lookupProducts, { ids });
      expect(call.storeId).toBeUndefined();
      await call.run();
      return call.storeId;
    };
    expect(await countedFor([store.id, "no"], [store.id, "a"])).toBe(store.id);
    expect(await countedFor([store.id, "no"])).toBeUndefined();
    expect(await countedFor([hidden.id, "a"])).toBeUndefined();
    expect(await countedFor([crypto.randomUUID(), "a"])).toBeUndefined();
    expect(await countedFor([store.id, "a"], [hidden.id, "a"])).toBeUndefined();
  });

  it("takes one to fifty", async () => {
    const ctx = database.as(await makeReader(database));
    const ids = (count: number) =>
      Array.from({ length: count }, (_, n) => ({ store_id: crypto.randomUUID(), product_id: `p${n}` }));
    expect(refused(ctx, lookupProducts, {})).toEqual(["ids"]);
    expect(refused(ctx, lookupProducts, { ids: ids(51) })).toContain("ids");
    expect(refused(ctx, lookupProducts, { ids: ids(40), gtins: Array.from({ length: 11 }, makeGtin) })).toEqual([
      "ids",
    ]);
    expect(refused(ctx, lookupProducts, { gtins: ["123"] })).toEqual(["gtins.0"]);
    const { products, messages } = await ask<Answer>(ctx, lookupProducts, {
      ids: ids(40),
      gtins: Array.from({ length: 10 }, makeGtin),
    });
    expect([products.length, messages.length]).toEqual([0, 50]);
  });
});
