import { describe, expect, it } from "vitest";
import { listCategories } from "../../server/tools/list-categories";
import { ask, refused } from "../support/ask";
import { testDatabase } from "../support/database";
import { makeReader, makeStore } from "../support/factories";
import { loadRows, makeStoreWith } from "../support/feed";

const database = testDatabase();

describe("list_categories", () => {
  it("gives a level of a store's categories, whose ids open the next", async () => {
    const store = await makeStoreWith(database, [
      { id: "1", product_type: "Camping > Tents" },
      { id: "2", product_type: "Camping > Tents > Two people" },
    ]);
    const ctx = database.as(await makeReader(database));
    const list = (args: Record<string, unknown>) =>
      ask<{ categories: Record<string, unknown>[] }>(ctx, listCategories, { store_id: store.id, ...args });
    const { categories } = await list({});
    expect(categories).toEqual([
      { id: "camping", name: "Camping", path: ["Camping"], product_count: 2, has_children: true },
    ]);
    expect((await list({ parent: categories[0]!.id })).categories).toEqual([
      { id: "camping > tents", name: "Tents", path: ["Camping", "Tents"], product_count: 2, has_children: true },
    ]);
    expect((await list({ taxonomy: "google" })).categories).toEqual([]);
  });

  it("says so where no product is in any category, and what to do instead", async () => {
    const [store, ctx] = [await makeStore(database), database.as(await makeReader(database))];
    const list = (args: Record<string, unknown> = {}) =>
      ask<{ categories: object[]; messages?: object[] }>(ctx, listCategories, { store_id: store.id, ...args });
    const none = (instead: string) => ({
      categories: [],
      messages: [{ type: "info", code: "no_categories", content: expect.stringContaining(instead), path: "taxonomy" }],
    });
    await loadRows(database, store.id, [{ id: "1" }]);
    expect(await list()).toEqual(none("search_products"));
    await loadRows(database, store.id, [{ id: "1", product_type: "Camping" }]);
    expect(await list({ taxonomy: "google" })).toEqual(none("taxonomy store"));
    expect(await list({ parent: "camping" })).toEqual({ categories: [] });
  });

  it("says so where a level has more categories than are listed, and else nothing", async () => {
    const [store, ctx] = [await makeStore(database), database.as(await makeReader(database))];
    const row = (place: number) => ({ id: `${place}`, product_type: `Shelf ${String(place).padStart(3, "0")}` });
    const listed = async (count: number) => {
      await loadRows(
        database,
        store.id,
        Array.from({ length: count }, (_, place) => row(place)),
      );
      return ask<{ categories: { name: string }[]; messages?: object[] }>(ctx, listCategories, { store_id: store.id });
    };
    const all = await listed(200);
    expect(all.categories).toHaveLength(200);
    expect(all).not.toHaveProperty("messages");
    const { categories, messages } = await listed(201);
    expect(categories).toEqual(all.categories);
    expect(messages).toEqual([
      { type: "info", code: "answer_shortened", content: expect.stringContaining("200 of 201 categories are listed") },
    ]);
  });

  it("refuses a taxonomy that it does not know", async () => {
    const args = { store_id: crypto.randomUUID(), taxonomy: "amazon" };
    expect(refused(database.as(await makeReader(database)), listCategories, args)).toEqual(["taxonomy"]);
  });
});
