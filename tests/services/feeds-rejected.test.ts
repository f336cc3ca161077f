// Rows with an error: a row that is wrong is no row that is gone.
import { describe, expect, it } from "vitest";
import type { Consumer, Ctx } from "../../server/context";
import * as product from "../../server/services/catalog/product";
import { search } from "../../server/services/catalog/search";
import { testDatabase } from "../support/database";
import { makeReader, makeStore } from "../support/factories";
import { makeShop } from "../support/feeds/jobs";
import { loadFeed, stored, tsv } from "../support/feeds/load";

const database = testDatabase();
const monday = new Date("2026-06-01T12:00:00Z");
const tuesday = new Date("2026-06-02T12:00:00Z");
type Rows = Parameters<typeof tsv>[0];

const wrong = { price: "free" };
const red = {
  ...{ id: "S1", item_group_id: "SHOE", title: "Trail Shoe - Red", color: "Red", price: "5 EUR", brand: "Fleet" },
  ...{ mpn: "F-RED", star_rating: "4.5", review_count: "7", product_type: "Shoes > Trail", product_weight: "300 g" },
  ...{ sale_price: "4 EUR", sale_price_effective_date: "2026-01-01/2027-01-01", shipping: "IE:::4.95 EUR" },
  ...{ description: "For mud.", gtin: "4006381333931", additional_image_link: "https://shop.example/a.jpg" },
  ...{ "Product Type": "Sale > Shoes", google_product_category: "187", unit_pricing_measure: "1 kg", sku: "R" },
  ...{
    seller_name: "Ann",
    availability_date: "2026-07-01",
    expiration_date: "2027-01-01",
    product_detail: "A:Lace:Flat",
  },
};
const blue = { id: "S2", item_group_id: "SHOE", title: "Trail Shoe - Blue", color: "Blue" };

async function storeWith(rows: Rows) {
  const { id: storeId } = await makeStore(database);
  const load = (next: Rows) => loadFeed(database, storeId, tsv(next), { now: tuesday });
  await loadFeed(database, storeId, tsv(rows), { now: monday });
  const reader: Ctx<Consumer> = database.as(await makeReader(database), tuesday);
  return {
    ...{ storeId, load },
    find: (query: string) => search(reader, { storeIds: [storeId], sort: "relevance", limit: 50, query }),
    get: (productId: string) => product.get(reader, { storeId, of: { productId } }),
    stored: () => stored(database, storeId),
  };
}

describe("a row with an error", () => {
  it("stays as it was loaded before, and the report says so", async () => {
    const it = await storeWith([{ id: "1", title: "Lamp" }, { id: "2" }, { id: "3" }]);
    const before = await it.stored();
    const report = await it.load([{ id: "1", title: "Lamp", ...wrong }, { id: "2" }, { id: "3" }]);
    expect(report).toMatchObject({ rows: 3, loaded: 2, products: 3, rejected: 1, vanished: 0, warnings: 1 });
    expect(report.issues).toMatchObject([
      { line: 2, field: "price", severity: "error" },
      { line: 0, field: "file", severity: "warning", reason: expect.stringContaining("loaded before (1)") },
    ]);
    expect(await it.stored()).toEqual(before);
    const { card } = await it.get("1");
    expect([card.availability.status, card.data_as_of]).toEqual(["in_stock", monday.toISOString()]);
    expect((await it.get("2")).card.data_as_of).toBe(tuesday.toISOString());
  });

  it.each<[string, (id: string, bad: boolean) => string, (rows: string) => string]>([
    [
      "an XML item with a character that is forbidden",
      (id, bad) =>
        `<item><id>${id}</id><title>Lamp${bad ? "&#0;" : ""}</title><link>https://x.example</link><price>1 EUR</price></item>`,
      (rows) => `<rss><channel>${rows}</channel></rss>`,
    ],
    [
      "a line of TSV with a tab too many",
      (id, bad) => `${id}\tLamp${bad ? "\t" : ""}\thttps://x.example\t1 EUR\n`,
      (rows) => `id\ttitle\tlink\tprice\n${rows}`,
    ],
    ...[
      ["a text", '"'],
      ["a number", ""],
    ].map(([kind, quote]): [string, (id: string, bad: boolean) => string, (rows: string) => string] => [
      `a line that is not quite JSON, whose id is ${kind}`,
      (id, bad) =>
        `{"id":${quote}${id}${quote},"title":"Lamp${bad ? "\t" : ""}","link":"https://x.example","price":"1 EUR"}\n`,
      (rows) => rows,
    ]),
  ])(
    "stays though nothing but its id can be read, and the others tell what the file tells: %s",
    async (_, row, file) => {
      const { id: storeId } = await makeStore(database);
      const load = (bad: boolean) =>
        loadFeed(database, storeId, file(row("1", bad) + row("2", false) + row("3", false)), { fileName: "feed" });
      await load(false);
      const before = await stored(database, storeId);
      expect(before.products).toMatchObject(["1", "2", "3"].map(() => ({ availability: "in_stock" })));
      expect(await load(true)).toMatchObject({ rejected: 1, vanished: 0 });
      expect(await stored(database, storeId)).toEqual(before);
    },
  );

  it("stays apart from rows of its own id's group, where that was not taken for one product", async () => {
    const rows = [
      { id: "P1", item_group_id: "P1", title: "Shampoo" },
      { id: "P2", item_group_id: "P1", title: "Hair mask" },
    ];
    const it = await storeWith(rows);
    const before = await it.stored();
    expect(before.products).toHaveLength(2);
    await it.load([{ ...rows[0]!, ...wrong }, rows[1]!]);
    expect((await it.stored()).products.map(({ product_id }) => product_id)).toEqual(["P1", "P2"]);
  });

  it("stays a variant of its product: found, counted and shown as before, beside what is new of the others", async () => {
    const it = await storeWith([red, blue]);
    const before = await it.stored();
    const bright = { ...blue, title: "Trail Shoe - Turquoise", color: "Turquoise" };
    await it.load([{ ...red, ...wrong }, bright]);
    const fresh = await storeWith([red, bright]);
    expect(await it.stored()).toEqual(await fresh.stored());
    expect((await it.stored()).variants[0]).toEqual(before.variants[0]);
    expect((await it.find("red turquoise shoe")).totalCount).toBe(1);
    const { card, variants } = await it.get("SHOE");
    expect([card.sale_price?.amount, card.data_as_of]).toEqual([400, monday.toISOString()]);
    expect(variants.map((variant) => variant.data_as_of && new Date(variant.data_as_of))).toEqual([monday, tuesday]);
  });

  it("keeps a further product type that is called as a detail of it is, however often it is wrong", async () => {
    const shirt = {
      id: "1",
      product_type: "Clothing",
      "Product Type": "T-Shirt",
      product_detail: "General:Type:T-Shirt",
    };
    const it = await storeWith([shirt, { id: "2" }, { id: "3" }]);
    const before = await it.stored();
    for (const _ of ["once", "twice"]) await it.load([{ ...shirt, ...wrong }, { id: "2" }, { id: "3" }]);
    expect(await it.stored()).toEqual(before);
    expect(before.variants[0]!.tokens).toEqual(
      expect.arrayContaining(["(type)=t-shirt", "type=clothing", "type=t-shirt"]),
    );
  });

  it("may be one of very many", async () => {
    const description = "Mud. ".repeat(300);
    const bad = Array.from({ length: 1_200 }, (_, i) => ({ id: `b${i}`, description }));
    const good = Array.from({ length: 1_200 }, (_, i) => ({ id: `g${i}` }));
    const it = await storeWith([...bad, ...good]);
    const before = await it.stored();
    const report = await it.load([...bad.map((row) => ({ ...row, ...wrong })), ...good]);
    expect(report).toMatchObject({ loaded: 1_200, rejected: 1_200, products: 2_400, vanished: 0 });
    expect(await it.stored()).toEqual(before);
  });

  it("alone of its group stays that group, and alone of a category a product of its own", async () => {
    const hair = (id: string, title: string) => ({ id, title, item_group_id: "hair", product_weight: "300 g" });
    const rows = [red, blue, hair("1", "Shampoo"), hair("2", "Mask"), { id: "3" }, { id: "4" }];
    const it = await storeWith(rows);
    const report = await it.load([{ ...red, ...wrong }, { ...hair("1", "Shampoo"), ...wrong }, ...rows.slice(3)]);
    expect(report).toMatchObject({ rejected: 2, vanished: 1 });
    const living = (await it.stored()).products.filter(({ vanished }) => !vanished);
    expect(living.map((one) => one.product_id)).toEqual(["1", "2", "3", "4", "SHOE"]);
  });

  it("does not bring back what had left the feed, nor count before one that is right or withheld", async () => {
    const it = await storeWith([{ id: "1" }, { id: "2" }, { id: "3" }, { id: "4" }]);
    await it.load([{ id: "2" }, { id: "3" }, { id: "4" }]);
    await it.load([
      { id: "1", ...wrong },
      { id: "2", title: "New" },
      { id: "2", ...wrong },
      { id: "3", enable_search: "no" },
      { id: "3", ...wrong },
      { id: "4" },
    ]);
    expect((await it.stored()).products).toMatchObject([
      { product_id: "1", vanished: true },
      { product_id: "2", title: "New", vanished: false },
      { product_id: "4", vanished: false },
    ]);
  });

  it("is undone like any other: what came later goes", async () => {
    const shop = await makeShop(database);
    const first = await shop.load(tsv([{ id: "1" }, { id: "2", ...wrong }]));
    await shop.load(tsv([{ id: "1" }, { id: "2" }]));
    await shop.restore(first.id);
    expect((await stored(database, shop.storeId)).products.map((one) => one.product_id)).toEqual(["1"]);
  });
});
