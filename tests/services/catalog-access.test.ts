import { describe, expect, it } from "vitest";
import { blocks, grants } from "../../db/schema/merchants";
import type { Consumer } from "../../server/context";
import * as categories from "../../server/services/catalog/categories";
import { lookup } from "../../server/services/catalog/lookup";
import * as product from "../../server/services/catalog/product";
import { search } from "../../server/services/catalog/search";
import { testDatabase } from "../support/database";
import { makeReader, makeStore } from "../support/factories";
import { loadRows, makeGtin, makeStoreWith } from "../support/feed";

const database = testDatabase();

/** A store that sells one thing, with a word and a GTIN that no other store has. */
async function shop(given: Parameters<typeof makeStore>[1] = {}) {
  const store = await makeStore(database, given);
  const [word, gtin] = [`word${store.id.replaceAll("-", "")}`, makeGtin()];
  await loadRows(database, store.id, [{ id: "it", title: `A ${word}`, gtin, product_type: "Things" }]);
  return { id: store.id, word, gtin };
}

/** What each reading tool's service tells this reader of a store: everything, or nothing. */
async function told(reader: Consumer, { id, word, gtin }: Awaited<ReturnType<typeof shop>>) {
  const ctx = database.as(reader);
  const refusal = (promise: Promise<unknown>) =>
    promise.then(
      () => "answered",
      (error) => error.code,
    );
  const words = await search(ctx, { query: word, sort: "relevance", limit: 1 });
  return {
    search: words.products.length,
    searchInStore: await refusal(search(ctx, { storeIds: [id], sort: "relevance", limit: 1 })),
    get: await refusal(product.get(ctx, { storeId: id, of: { productId: "it" } })),
    lookupId: (await lookup(ctx, { ids: [{ storeId: id, productId: "it" }], gtins: [] })).matches.length,
    lookupGtin: (await lookup(ctx, { ids: [], gtins: [gtin] })).matches.length,
    categories: await refusal(categories.list(ctx, { storeId: id, taxonomy: "store" })),
  };
}

const everything = {
  search: 1,
  searchInStore: "answered",
  get: "answered",
  lookupId: 1,
  lookupGtin: 1,
  categories: "answered",
};
const nothing = {
  search: 0,
  searchInStore: "store_not_available",
  get: "store_not_available",
  lookupId: 0,
  lookupGtin: 0,
  categories: "store_not_available",
};

describe("a catalogue is read", () => {
  it("by a production consumer, until the merchant blocks it, and again once it is unblocked", async () => {
    const [store, reader] = [await shop(), await makeReader(database)];
    expect(await told(reader, store)).toEqual(everything);
    await database.db.insert(blocks).values({ consumerId: reader.consumerId, storeId: store.id });
    expect(await told(reader, store)).toEqual(nothing);
    await database.db.delete(blocks);
    expect(await told(reader, store)).toEqual(everything);
  });

  it("by nobody where AI Discovery is off", async () => {
    expect(await told(await makeReader(database), await shop({ ai_discovery: false }))).toEqual(nothing);
  });

  it("with explicit coverage only where the merchant has granted it", async () => {
    const [store, reader] = [await shop(), await makeReader(database, { coverage: "explicit" })];
    expect(await told(reader, store)).toEqual(nothing);
    await database.db.insert(grants).values({ consumerId: reader.consumerId, storeId: store.id });
    expect(await told(reader, store)).toEqual(everything);
  });

  it("in sandbox only if it is the demo store's", async () => {
    const reader = await makeReader(database, { tier: "sandbox" });
    const [demo, other] = [await shop({ is_demo: true }), await shop()];
    expect(await told(reader, demo)).toEqual(everything);
    expect(await told(reader, other)).toEqual(nothing);
    expect(await told(await makeReader(database), demo)).toEqual(everything);
  });
});

describe("a search in several stores", () => {
  it("answers from those that may be read, and says that others may not, known or unknown", async () => {
    const [store, off, reader] = [await shop(), await shop({ ai_discovery: false }), await makeReader(database)];
    const answer = (other: string) =>
      search(database.as(reader), { storeIds: [store.id, other], sort: "relevance", limit: 5 });
    const [blocked, unknown] = [await answer(off.id), await answer(crypto.randomUUID())];
    expect(blocked.products.map((found) => found.store_id)).toEqual([store.id]);
    expect(blocked.messages).toMatchObject([{ type: "warning", code: "store_not_available", path: "store_ids" }]);
    expect(blocked.messages).toEqual(unknown.messages);
    expect((await answer(store.id)).messages).toEqual([]);
  });

  it("that finds nothing tells the languages of those that may be read, and of no others", async () => {
    const store = await makeStoreWith(database, [{ id: "it", title: "Zwarte jurken en tassen" }], {
      languages: ["nl"],
    });
    const off = await makeStoreWith(database, [{ id: "it", title: "Rote Kleider und Bücher" }], {
      languages: ["de"],
      ai_discovery: false,
    });
    const ctx = database.as(await makeReader(database));
    const storeIds = [store.id, off.id];
    const { messages } = await search(ctx, { query: "xyzzy", storeIds, sort: "relevance", limit: 5 });
    const said = messages.find(({ code }) => code === "no_matches")!.content;
    expect(said).toContain("These stores write in Dutch. Search in the language of the store.");
  });

  it("keeps to them, whether they are few or many, asked for or granted", async () => {
    const stores = await Promise.all(Array.from({ length: 13 }, () => makeStore(database)));
    for (const { id } of stores) await loadRows(database, id, [{ id: "it", title: "Gazebo" }]);
    const found = async (reader: Consumer, storeIds?: string[]) => {
      const answer = await search(database.as(reader), { query: "gazebo", storeIds, sort: "relevance", limit: 50 });
      return answer.products.map((product) => product.store_id).toSorted();
    };
    const ids = stores.map(({ id }) => id).toSorted();
    const [all, explicit] = [await makeReader(database), await makeReader(database, { coverage: "explicit" })];
    for (const some of [ids.slice(0, 2), ids.slice(0, 12)]) {
      expect(await found(all, some)).toEqual(some);
      for (const storeId of some)
        await database.db.insert(grants).values({ consumerId: explicit.consumerId, storeId }).onConflictDoNothing();
      expect(await found(explicit)).toEqual(some);
      expect(await found(explicit, ids)).toEqual(some);
    }
    expect(await found(all)).toEqual(ids);
  });

  it("is refused alike where all are blocked or unknown", async () => {
    const [off, ctx] = [await shop({ ai_discovery: false }), database.as(await makeReader(database))];
    const refusal = (id: string) =>
      search(ctx, { storeIds: [id], sort: "relevance", limit: 5 }).catch((error) => error);
    expect(await refusal(off.id)).toMatchObject({ code: "store_not_available" });
    expect(await refusal(off.id)).toEqual(await refusal(crypto.randomUUID()));
  });
});
