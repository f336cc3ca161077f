import { describe, expect, it } from "vitest";
import * as categories from "../../server/services/catalog/categories";
import { search } from "../../server/services/catalog/search";
import { testDatabase } from "../support/database";
import { makeReader } from "../support/factories";
import { loadRows, makeStoreWith, type Row } from "../support/feed";

const database = testDatabase();

async function shop(rows: Row[]) {
  const store = await makeStoreWith(database, rows);
  const ctx = database.as(await makeReader(database));
  const list = (parent?: string, taxonomy: "store" | "google" = "store") =>
    categories.list(ctx, { storeId: store.id, parent, taxonomy });
  return { store, ctx, list };
}

const rows: Row[] = [
  { id: "1", product_type: "Küche > Töpfe" },
  { id: "2", product_type: "Küche > Töpfe > Deckel" },
  { id: "3", product_type: "küche > Messer" },
  { id: "4", product_type: "Garten", google_product_category: "Home & Garden > Lawn" },
  { id: "5" },
];

describe("the categories of a store", () => {
  it("come a level at a time, counting what is below, those with most products first", async () => {
    const { list } = await shop(rows);
    expect(await list()).toEqual([
      { id: "kuche", name: "Küche", path: ["Küche"], product_count: 3, has_children: true },
      { id: "garten", name: "Garten", path: ["Garten"], product_count: 1, has_children: false },
    ]);
    expect(await list("kuche")).toEqual([
      { id: "kuche > topfe", name: "Töpfe", path: ["Küche", "Töpfe"], product_count: 2, has_children: true },
      { id: "kuche > messer", name: "Messer", path: ["küche", "Messer"], product_count: 1, has_children: false },
    ]);
    expect((await list("Küche > Töpfe")).map(({ id }) => id)).toEqual(["kuche > topfe > deckel"]);
    expect(await list("kuche > messer")).toEqual([]);
  });

  it("are refused for a parent that there is none of, which names those at the top", async () => {
    const { list } = await shop(rows);
    await expect(list("nothing")).rejects.toMatchObject({
      code: "invalid_arguments",
      message: expect.stringContaining('Leave parent out to list the top level: "kuche", "garten".'),
      details: { issues: [{ path: "parent", expected: expect.stringContaining('"kuche", "garten"') }] },
    });
    await expect(list("kuche > topfe > nothing")).rejects.toMatchObject({ code: "invalid_arguments" });
    await expect((await shop([{ id: "1" }])).list("kuche")).rejects.toMatchObject({
      message: expect.stringContaining("The store has no categories."),
    });
  });

  it("are refused by their name alone, which names the ids of those that are called so", async () => {
    const { list } = await shop([...rows, { id: "6", product_type: "Garten > Grill > Deckel" }]);
    await expect(list("DECKEL")).rejects.toMatchObject({
      message: expect.stringContaining(
        'Called so is "garten > grill > deckel", "kuche > topfe > deckel". Leave parent out to list the top level: "kuche", "garten".',
      ),
    });
    await expect(list("Garten > Töpfe")).rejects.toMatchObject({
      message: expect.stringContaining('Called so is "kuche > topfe".'),
    });
    await expect(list("nothing")).rejects.toMatchObject({ message: expect.not.stringContaining("Called so") });
  });

  it("are one, however its letters are written, by each of its names", async () => {
    const { list } = await shop([
      { id: "1", product_type: "Kadın > Spaß" },
      { id: "2", product_type: "KADIN > SPASS" },
    ]);
    expect(await list()).toMatchObject([{ id: "kadin", product_count: 2 }]);
    for (const parent of ["kadin", "Kadın", "KADIN"])
      expect(await list(parent)).toMatchObject([{ id: "kadin > spass", product_count: 2 }]);
  });

  it("are Google's where these are asked for", async () => {
    const { list } = await shop(rows);
    expect(await list(undefined, "google")).toMatchObject([
      { id: "home & garden", product_count: 1, has_children: true },
    ]);
  });

  it("are Google's, too, of products that have none of the store's own, as the facets and the filter have them", async () => {
    const { list, ctx, store } = await shop([
      { id: "1", google_product_category: "Home & Garden > Lawn" },
      { id: "2", google_product_category: "Home & Garden > Lawn > Mowers" },
      { id: "3", product_type: "Pots", google_product_category: "Home & Garden > Kitchen" },
    ]);
    expect((await list()).map(({ id, product_count }) => [id, product_count])).toEqual([
      ["home & garden", 2],
      ["pots", 1],
    ]);
    const [below] = await list("home & garden");
    expect(below).toMatchObject({ path: ["Home & Garden", "Lawn"], product_count: 2, has_children: true });
    const filters = { product_type: ["Home & Garden > Lawn"] };
    const found = await search(ctx, { storeIds: [store.id], filters, sort: "relevance", limit: 1 });
    expect(found.totalCount).toBe(2);
  });

  it("count neither what was excluded nor what left the feed", async () => {
    const { list, store } = await shop(rows);
    await loadRows(database, store.id, rows.slice(0, 3));
    await database.sql`update products set excluded = true where store_id = ${store.id} and product_id = '3'`;
    expect(await list()).toMatchObject([{ id: "kuche", product_count: 2 }]);
  });

  it("can each be searched, and hold as many products as they say", async () => {
    const { list, ctx, store } = await shop(rows);
    for (const parent of [undefined, "kuche", "kuche > topfe"]) {
      for (const { path, product_count } of await list(parent)) {
        const filters = { product_type: [path.join(" > ")] };
        const found = await search(ctx, { storeIds: [store.id], filters, sort: "relevance", limit: 1 });
        expect(found.totalCount, path.join(" > ")).toBe(product_count);
      }
    }
  });
});
