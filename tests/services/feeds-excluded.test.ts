// What a merchant keeps from agents stays with its rows, however the feed groups them.
import { describe, expect, it } from "vitest";
import type { Consumer, Ctx } from "../../server/context";
import * as product from "../../server/services/catalog/product";
import { search } from "../../server/services/catalog/search";
import { setExcluded } from "../../server/services/own-products";
import { testDatabase, untilWaiting } from "../support/database";
import { makeReader } from "../support/factories";
import { makeShop } from "../support/feeds/jobs";
import { loadFeed, stored, tsv } from "../support/feeds/load";
import { outcomeOf } from "../support/people";

const database = testDatabase();
type Rows = Parameters<typeof tsv>[0];

const red = { id: "S1", title: "Trail Shoe - Red", color: "Red" };
const blue = { id: "S2", title: "Trail Shoe - Blue", color: "Blue" };
const grouped = (...rows: Rows) => rows.map((row) => ({ ...row, item_group_id: "SHOE" }));

async function shop(rows: Rows) {
  const { storeId, ctx, load: send, restore } = await makeShop(database);
  const [{ slug }] = await database.sql<[{ slug: string }]>`select slug from stores where id = ${storeId}`;
  const load = (next: Rows) => loadFeed(database, storeId, tsv(next));
  await load(rows);
  const reader: Ctx<Consumer> = database.as(await makeReader(database));
  const set = (productId: string, excluded: boolean) => setExcluded(ctx(), { store: slug, productId, excluded });
  return {
    ...{ storeId, load, send, restore },
    exclude: (productId: string) => set(productId, true),
    include: (productId: string) => set(productId, false),
    /** Each product, and whether it is excluded. */
    async excluded() {
      const { products } = await stored(database, storeId);
      return Object.fromEntries(products.map((one) => [one.product_id, one.excluded]));
    },
    async found() {
      const { products } = await search(reader, { storeIds: [storeId], sort: "relevance", limit: 50 });
      return products.map((card) => card.product_id).sort();
    },
    get: (productId: string) => product.get(reader, { storeId, of: { productId } }),
    async count() {
      const [row] = await database.sql`select product_count from stores where id = ${storeId}`;
      return row!.product_count;
    },
  };
}

describe("what a merchant excludes", () => {
  it("while a load takes its last row elsewhere is gone; neither waits for the other in a circle", async () => {
    const it = await shop([{ id: "S1", title: "Trail Shoe - Red" }, { id: "other" }]);
    await it.load([{ id: "other" }]);
    let both: Promise<unknown>[] = [];
    await database.sql.begin(async (tx) => {
      await tx`select from stores where id = ${it.storeId} for no key update`;
      both = [it.load([...grouped(red, blue), { id: "other" }])];
      await untilWaiting(database.sql, 1);
      both.push(outcomeOf(it.exclude("S1")));
      await untilWaiting(database.sql, 2);
    });
    expect(await Promise.all(both)).toMatchObject([{ products: 2 }, { code: "not_found" }]);
    expect([await it.found(), await it.count()]).toEqual([["SHOE", "other"], 2]);
  });
});

describe("what a merchant includes", () => {
  it("while a load takes its row into a group is told that there is no such product any more", async () => {
    const it = await shop([red, { id: "other" }]);
    await it.exclude("S1");
    let both: Promise<unknown>[] = [];
    await database.sql.begin(async (tx) => {
      await tx`select from products where store_id = ${it.storeId} and product_id = 'other' for update`;
      both = [it.load([...grouped(red, blue), { id: "other", price: "2 EUR" }])];
      await untilWaiting(database.sql, 1);
      both.push(outcomeOf(it.include("S1")));
      await untilWaiting(database.sql, 2);
    });
    expect(await Promise.all(both)).toMatchObject([{ products: 2 }, { code: "not_found" }]);
    expect(await it.excluded()).toEqual({ SHOE: true, other: false });
  });

  it("while a load brings its rows back is found once both are done", async () => {
    const it = await shop([red, { id: "other" }]);
    await it.exclude("S1");
    await it.load([{ id: "other" }]);
    await database.sql`delete from variants where store_id = ${it.storeId} and variant_id = 'S1'`;
    const both: Promise<unknown>[] = [];
    const taken = database.sql.begin(async (tx) => {
      const [row] = await tx`
        select string_agg(attname, ', ') as columns from pg_attribute
        where attrelid = 'products'::regclass and attnum > 0 and attgenerated = ''`;
      const columns = tx.unsafe(row!.columns);
      await tx`
        insert into products (${columns}) overriding system value select ${columns} from (
          select (jsonb_populate_record(p, '{"id": 0, "product_id": "new", "primary_variant_ref": null}')).*
          from products p where store_id = ${it.storeId} and product_id = 'other') other`;
      both.push(it.load([red, { id: "other" }, { id: "new" }]));
      await untilWaiting(database.sql, 1);
      both.push(it.include("S1"));
      await untilWaiting(database.sql, 2);
      throw new Error("given back");
    });
    await expect(taken).rejects.toThrow("given back");
    expect(await Promise.all(both)).toMatchObject([{ products: 3 }, undefined]);
    expect([await it.found(), await it.count()]).toEqual([["S1", "new", "other"], 3]);
  });
});

describe("what a merchant has excluded", () => {
  it("stays so when its row joins a group, and when it leaves it again", async () => {
    const it = await shop([red, { id: "other" }]);
    await it.exclude("S1");
    await it.load([...grouped(red), { id: "other" }]);
    expect([await it.found(), await it.count()]).toEqual([["other"], 1]);
    await expect(it.get("S1")).rejects.toMatchObject({ code: "product_not_found" });
    await it.load([red, { id: "other" }]);
    expect([await it.found(), await it.count()]).toEqual([["other"], 1]);
  });

  it("stays so row by row when a group comes apart", async () => {
    const it = await shop(grouped(red, blue));
    await it.exclude("SHOE");
    const report = await it.load([red, blue, { id: "S3" }]);
    expect(await it.excluded()).toMatchObject({ S1: true, S2: true, S3: false });
    expect([await it.found(), await it.count(), report.warnings]).toEqual([["S3"], 1, 0]);
    await it.include("S1");
    await it.load([red, blue, { id: "S3" }]);
    expect([await it.found(), await it.count()]).toEqual([["S1", "S3"], 2]);
  });

  it("stays so when nothing sets the rows of its group apart any more", async () => {
    const it = await shop(grouped(red, blue));
    await it.exclude("SHOE");
    const plain = grouped({ id: "S1", title: "One" }, { id: "S2", title: "Two" });
    expect(await it.load(plain)).toMatchObject({ products: 2 });
    expect([await it.found(), await it.count()]).toEqual([[], 0]);
  });

  it("takes a product with it that takes in one of its rows, and the report says so", async () => {
    const it = await shop([red, ...grouped(blue), { id: "other" }]);
    await it.exclude("S1");
    const report = await it.load([...grouped(blue, red), { id: "other" }]);
    expect(report.warnings).toBe(1);
    expect(report.issues).toMatchObject([
      {
        line: 3,
        field: "item_group_id",
        value: "SHOE",
        severity: "warning",
        reason: expect.stringContaining("exclude"),
      },
    ]);
    expect([await it.found(), await it.count()]).toEqual([["other"], 1]);
    await it.include("SHOE");
    expect(await it.load([...grouped(blue, red), { id: "other" }])).toMatchObject({ warnings: 0 });
    expect([await it.found(), await it.count()]).toEqual([["SHOE", "other"], 2]);
  });

  it("takes a new product with it too that it shares with what agents could find", async () => {
    const it = await shop([red, blue]);
    await it.exclude("S1");
    const report = await it.load(grouped(red, blue));
    expect(report.issues).toMatchObject([{ line: 2, value: "SHOE" }]);
    expect([await it.found(), await it.count()]).toEqual([[], 0]);
  });

  it("stays so when the load that brought it is undone, and comes again", async () => {
    const it = await shop([{ id: "other" }]);
    const before = await it.send(tsv([{ id: "other" }]));
    const after = await it.send(tsv([{ id: "other" }, red]));
    await it.exclude("S1");
    await it.restore(before.id);
    await it.restore(after.id);
    expect([await it.found(), await it.count()]).toEqual([["other"], 1]);
  });

  it("stays so when the load that brought it is undone, and its row comes again in a group", async () => {
    const it = await shop([{ id: "other" }]);
    const before = await it.send(tsv([{ id: "other" }]));
    await it.send(tsv([{ id: "other" }, red]));
    await it.exclude("S1");
    await it.restore(before.id);
    expect(await it.load([{ id: "other" }, ...grouped(red, blue)])).toMatchObject({ warnings: 0 });
    expect([await it.found(), await it.count()]).toEqual([["other"], 1]);
    await expect(it.get("S1")).rejects.toMatchObject({ code: "product_not_found" });
    expect(await it.excluded()).toEqual({ SHOE: true, other: false });
    await it.include("SHOE");
    await it.load([{ id: "other" }, ...grouped(red, blue)]);
    expect([await it.found(), await it.count()]).toEqual([["SHOE", "other"], 2]);
  });

  it("takes a product with it too that takes in its row after that was withheld, and the report says so", async () => {
    const it = await shop([red, ...grouped(blue), { id: "other" }]);
    await it.exclude("S1");
    await it.load([{ ...red, enable_search: "false" }, ...grouped(blue), { id: "other" }]);
    const report = await it.load([...grouped(blue, red), { id: "other" }]);
    expect(report.issues).toMatchObject([{ line: 3, field: "item_group_id", value: "SHOE", severity: "warning" }]);
    expect([await it.found(), await it.count()]).toEqual([["other"], 1]);
    expect(await it.excluded()).toEqual({ SHOE: true, other: false });
  });

  it.each([
    ["all rows", ["S1", "S2"]],
    ["one row", ["S1"]],
  ])("stays so when nothing sets the rows of its group apart any more after %s had been withheld", async (_, ids) => {
    const it = await shop([...grouped(red, blue), { id: "other" }]);
    await it.exclude("SHOE");
    const withheld = (row: typeof red) => ({ ...row, enable_search: String(!ids.includes(row.id)) });
    await it.load([...grouped(withheld(red), withheld(blue)), { id: "other" }]);
    const plain = grouped({ id: "S1", title: "One" }, { id: "S2", title: "Two" });
    await it.load([...plain, { id: "other" }]);
    expect([await it.found(), await it.count()]).toEqual([["other"], 1]);
    expect(await it.excluded()).toEqual({ S1: true, S2: true, other: false });
  });
});

it("a new row stands alone, and is found, though its group is called like an excluded product that is none", async () => {
  const it = await shop([red, { id: "other" }]);
  await it.exclude("S1");
  await it.load([red, { id: "S3", item_group_id: "S1" }, { id: "other" }]);
  expect([await it.found(), await it.count()]).toEqual([["S3", "other"], 2]);
});

describe("a product whose rows have all gone into others", () => {
  it("is gone, and does not stand beside them as discontinued", async () => {
    const it = await shop([...grouped(red, blue), { id: "other" }]);
    await it.load([red, blue]);
    expect(await it.found()).toEqual(["S1", "S2", "other"]);
    expect((await it.get("other")).card.availability.status).toBe("discontinued");
    await it.load(grouped(red, blue));
    expect(await it.found()).toEqual(["SHOE", "other"]);
  });

  it("is gone as well where it was excluded, which the others are then", async () => {
    const it = await shop(grouped(red, blue));
    await it.exclude("SHOE");
    await it.load([red, blue]);
    expect(await it.excluded()).toEqual({ S1: true, S2: true });
  });

  it("is there again with its rows when it is included while they are withheld", async () => {
    const it = await shop([red, { id: "other" }]);
    await it.exclude("S1");
    await it.load([{ ...red, enable_search: "false" }, { id: "other" }]);
    await it.include("S1");
    expect([await it.found(), await it.count()]).toEqual([["other"], 1]);
    await it.load([red, { id: "other" }]);
    expect([await it.found(), await it.count()]).toEqual([["S1", "other"], 2]);
  });
});
