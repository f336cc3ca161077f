// What a store sells: as it was stated, else as its products are sorted.
import { describe, expect, it } from "vitest";
import * as register from "../../server/services/merchant-register";
import { listStores } from "../../server/tools/list-stores";
import { ask } from "../support/ask";
import { testDatabase } from "../support/database";
import { makeReader, makeStore } from "../support/factories";
import { loadRows, makeStoreWith, type Row } from "../support/feed";

const database = testDatabase();
const operator = () => database.as({ kind: "operator", accountId: null });

const sorted = (...types: string[]): Row[] => types.map((product_type, i) => ({ id: `${i}`, product_type }));

async function told(storeId: string, args: Record<string, unknown> = {}): Promise<string[] | undefined> {
  const ctx = database.as(await makeReader(database));
  const listed = await ask<{ stores: { store_id: string; categories: string[] }[] }>(ctx, listStores, {
    limit: 100,
    ...args,
  });
  return listed.stores.find(({ store_id }) => store_id === storeId)?.categories;
}

async function afterLoad(rows: Row[]): Promise<string[] | undefined> {
  const { id } = await makeStoreWith(database, rows);
  return told(id);
}

/** The operators' form, sent with these categories. */
async function save(store: { id: string; merchantId: string }, categories: string[]): Promise<void> {
  const { contactPoint: _, isDemo, slug, aiDiscovery, ...shown } = await register.getStore(operator(), store);
  const empty = { contactEmail: "", contactPhone: "", contactUrl: "" };
  const texts = { legalName: shown.legalName ?? "", logo: shown.logo ?? "", description: shown.description ?? "" };
  await register.editStore(operator(), register.EditStore.parse({ ...shown, ...texts, ...empty, categories }));
}

describe("a store whose categories nobody stated", () => {
  it("lists those of its products, the largest first, and is found by each", async () => {
    const store = await makeStore(database);
    expect(await told(store.id)).toEqual([]);
    await loadRows(
      database,
      store.id,
      sorted("Tents", "Boots > Walking", "boots > Winter", "Boots", "Tents > Domes", "Räder"),
    );
    expect(await told(store.id)).toEqual(["Boots", "Tents", "Räder"]);
    for (const category of ["boots", "RÄDER"])
      expect(await told(store.id, { category }), category).toEqual(["Boots", "Tents", "Räder"]);
    expect(await told(store.id, { query: `${store.name} tents` })).toEqual(["Boots", "Tents", "Räder"]);
    expect(await told(store.id, { category: "Walking" })).toBeUndefined();
  });

  it("lists those below a name that all products share, and twelve at most", async () => {
    expect(await afterLoad(sorted("Home > Women > Skirts", "Home > Men", "Home > Women"))).toEqual([
      "Home",
      "Women",
      "Men",
    ]);
    expect(await afterLoad(sorted("Shoes", "Shoes"))).toEqual(["Shoes"]);
    expect(await afterLoad(sorted(...Array.from({ length: 30 }, (_, i) => `Kind ${i}`)))).toHaveLength(12);
  });

  it("lists its own where as many products have those as Google's, called what most products call them", async () => {
    const google_product_category = "Furniture";
    const own = ["tents", "Tents", "Tents", "Lamps", "x".repeat(101)];
    const rows = own.map((product_type, i) => ({ id: `${i}`, product_type }));
    expect(await afterLoad([...rows, ...own.map((_, i) => ({ id: `g${i}`, google_product_category }))])).toEqual([
      "Tents",
      "Lamps",
    ]);
  });

  it("lists Google's where most products have no other, and never a number that has no name", async () => {
    const google_product_category = "Sporting Goods > Outdoor Recreation";
    expect(
      await afterLoad([
        { id: "1", google_product_category },
        { id: "2", google_product_category: "Furniture" },
        { id: "3", product_type: "Sale" },
        { id: "4", google_product_category: "46900000" },
      ]),
    ).toEqual(["Furniture", "Sporting Goods"]);
    expect(await afterLoad([{ id: "1", google_product_category: "46900000" }])).toEqual([]);
    expect(await afterLoad([{ id: "1" }])).toEqual([]);
  });

  it("follows each load: what is gone from the feed, or excluded, is sold no more", async () => {
    const store = await makeStoreWith(database, sorted("Boots", "Tents", "Lamps"));
    await database.sql`update products set excluded = true where store_id = ${store.id} and product_id = '2'`;
    await loadRows(database, store.id, sorted("Boots", "Boots", "Lamps"));
    expect(await told(store.id)).toEqual(["Boots"]);
  });

  it("goes on doing so when operators save its profile, whose form has none of them", async () => {
    const store = await makeStoreWith(database, sorted("Boots, shoes"));
    expect(await register.getStore(operator(), store)).toMatchObject({ categories: [] });
    await save(store, []);
    expect(await told(store.id)).toEqual(["Boots, shoes"]);
    await loadRows(database, store.id, sorted("Tents"));
    expect(await told(store.id)).toEqual(["Tents"]);
  });
});

describe("categories that were stated", () => {
  it("stay through every load, whether a store was made with them or got them later", async () => {
    const made = await makeStore(database, { categories: ["Outdoor"] });
    const edited = await makeStoreWith(database, sorted("Boots"));
    await save(edited, ["Outdoor"]);
    for (const store of [made, edited]) {
      await loadRows(database, store.id, sorted("Tents"));
      expect(await told(store.id)).toEqual(["Outdoor"]);
      expect(await register.getStore(operator(), store)).toMatchObject({ categories: ["Outdoor"] });
    }
  });

  it("are gone at once when they are taken back, and the next load writes what is sold", async () => {
    const store = await makeStore(database, { categories: ["Outdoor"] });
    await save(store, []);
    expect(await told(store.id)).toEqual([]);
    await loadRows(database, store.id, sorted("Tents"));
    expect(await told(store.id)).toEqual(["Tents"]);
    const [act] = await database.sql`
      select before -> 'categories' as before, after -> 'categories' as after from audit
      where target_id = ${store.id} and action = 'store.edit'`;
    expect(act).toEqual({ before: ["Outdoor"], after: [] });
  });
});
