// Rows that say enable_search: false: the merchant does not want agents to find them, whatever was loaded before.
import { describe, expect, it } from "vitest";
import type { Consumer, Ctx } from "../../server/context";
import { lookup } from "../../server/services/catalog/lookup";
import * as product from "../../server/services/catalog/product";
import { search } from "../../server/services/catalog/search";
import { testDatabase } from "../support/database";
import { makeReader, makeStore } from "../support/factories";
import { makeGtin } from "../support/feed";
import { loadFeed, stored, tsv } from "../support/feeds/load";

const database = testDatabase();
type Rows = Parameters<typeof tsv>[0];

const withheld = { enable_search: "false" };
const red = { id: "S1", item_group_id: "SHOE", title: "Trail Shoe - Red", color: "Red", price: "5 EUR" };
const blue = { id: "S2", item_group_id: "SHOE", title: "Trail Shoe - Blue", color: "Blue" };

async function storeWith(rows: Rows) {
  const { id: storeId } = await makeStore(database);
  const load = (next: Rows) => loadFeed(database, storeId, tsv(next));
  await load(rows);
  const reader: Ctx<Consumer> = database.as(await makeReader(database));
  return {
    ...{ storeId, load },
    async found() {
      const { products } = await search(reader, { storeIds: [storeId], sort: "relevance", limit: 50 });
      return products.map((card) => card.product_id).sort();
    },
    get: (productId: string) => product.get(reader, { storeId, of: { productId } }),
    look: async (gtin: string) => (await lookup(reader, { ids: [], gtins: [gtin] })).matches.length,
    stored: () => stored(database, storeId),
    async count() {
      const [row] = await database.sql`select product_count from stores where id = ${storeId}`;
      return row!.product_count;
    },
  };
}

describe("a row that is withheld from agents", () => {
  it("is withheld whatever remark its column has in parentheses", async () => {
    const it = await storeWith([{ id: "1" }, { id: "2" }]);
    await it.load([{ id: "1" }, { id: "2", "enable_search (true/false)": "false" }]);
    expect(await it.found()).toEqual(["1"]);
  });

  it.each<Record<string, string>>([
    ...["0", "-1", "FALSE", "no", "n"].map((Published) => ({ Published })),
    ...["draft", "Archived", "private"].map((status) => ({ status })),
    ...[{ active: "0" }, { "Active (0/1)": "0" }, { "Product Visible?": "N" }, { is_published: "false" }],
    // As spreadsheets write it in other languages.
    ...["FALSCH", "FAUX", "FALSO", "ONWAAR", "FAŁSZ", "Nein", "non"].map((Published) => ({ Published })),
    ...[{ status: "0" }, { Visible: "No" }, { Aktiv: "Nein" }, { Veröffentlicht: "0" }, { enable_search: "FALSCH" }],
    ...[{ visibility: "hidden" }, { visibility: "staging" }, { "Visibility in catalog": "hidden" }],
    { enable_search: "true", status: "draft" },
  ])("is one that its shop has not published: %j", async (unpublished) => {
    const it = await storeWith([{ id: "1" }, { id: "2" }]);
    const { issues } = await it.load([{ id: "1" }, { id: "2", ...unpublished }]);
    expect(issues).toMatchObject([{ line: 3, reason: "keeps the row from agents: not loaded" }]);
    expect(await it.found()).toEqual(["1"]);
  });

  it.each<Record<string, string>>([
    ...[{ published: "2026-05-01T00:00:00Z" }, { published: "1" }, { published: "" }, { status: "publish" }],
    ...[{ status: "in stock" }, { status: "active" }, { visibility: "catalog" }, { visibility: "search" }],
    { visibility: "Not Visible Individually" },
  ])("is none that its shop has published: %j", async (published) => {
    const it = await storeWith([{ id: "1" }]);
    const { issues } = await it.load([{ id: "1", ...published }]);
    expect([await it.found(), issues]).toEqual([["1"], []]);
  });

  it("is neither found nor read any more, and comes back as it was", async () => {
    const gtin = makeGtin();
    const rows = [{ id: "1", gtin }, { id: "2" }];
    const it = await storeWith(rows);
    const before = await it.stored();
    expect(await it.load([{ id: "1", gtin, ...withheld }, { id: "2" }])).toMatchObject({ loaded: 1, vanished: 0 });
    expect([await it.found(), await it.look(gtin), await it.count()]).toEqual([["2"], 0, 1]);
    await expect(it.get("1")).rejects.toMatchObject({ code: "product_not_found" });
    await it.load(rows);
    expect(await it.stored()).toEqual(before);
    expect([await it.found(), await it.look(gtin), await it.count()]).toEqual([["1", "2"], 1, 2]);
  });

  it("leaves the others of its product as if they were all", async () => {
    const it = await storeWith([red, blue]);
    await it.load([{ ...red, ...withheld }, blue]);
    const { variants } = await it.get("SHOE");
    expect(variants.map((variant) => variant.variant_id)).toEqual(["S2"]);
    await expect(it.get("S1")).rejects.toMatchObject({ code: "product_not_found" });
    const fresh = await storeWith([blue]);
    expect((await it.stored()).products).toEqual((await fresh.stored()).products);
  });

  it("takes with it what had left the feed of its product before", async () => {
    const it = await storeWith([red, blue, { id: "2" }]);
    await it.load([red, { id: "2" }]);
    await it.load([{ ...red, ...withheld }, { id: "2" }]);
    expect(await it.found()).toEqual(["2"]);
    for (const id of ["SHOE", "S1", "S2"])
      await expect(it.get(id)).rejects.toMatchObject({ code: "product_not_found" });
  });

  it("is withheld wherever in the file another row has its id", async () => {
    const it = await storeWith([{ id: "2" }]);
    expect(await it.load([{ id: "1", ...withheld }, { id: "1" }, { id: "2" }])).toMatchObject({ loaded: 1 });
    expect(await it.found()).toEqual(["2"]);
  });

  it("stays excluded when it comes back", async () => {
    const it = await storeWith([{ id: "1" }, { id: "2" }]);
    await database.sql`update products set excluded = true where store_id = ${it.storeId} and product_id = '1'`;
    await it.load([{ id: "1", ...withheld }, { id: "2" }]);
    await it.load([{ id: "1" }, { id: "2" }]);
    expect([await it.found(), await it.count()]).toEqual([["2"], 1]);
  });

  it("may be every row: then agents find nothing", async () => {
    const it = await storeWith([{ id: "1" }, { id: "2" }]);
    const report = await it.load([
      { id: "1", ...withheld },
      { id: "2", ...withheld },
    ]);
    expect(report).toMatchObject({ rows: 2, loaded: 0, products: 0, rejected: 0, warnings: 2 });
    expect([await it.found(), await it.count()]).toEqual([[], 0]);
  });

  it("may be one of very many", async () => {
    const many = Array.from({ length: 12_000 }, (_, i) => ({ id: `w${i}`, ...withheld }));
    const it = await storeWith([{ id: "w0" }, { id: "w11999" }, { id: "1" }]);
    expect(await it.load([...many, { id: "1" }])).toMatchObject({ loaded: 1, vanished: 0, warnings: 12_000 });
    expect([await it.count(), (await it.stored()).variants.length]).toEqual([1, 1]);
  });
});
