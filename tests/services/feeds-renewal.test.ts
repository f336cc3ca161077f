// What changes by itself between loads: offers end at their expiration_date, sales begin and end.
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { Consumer, Ctx } from "../../server/context";
import * as categories from "../../server/services/catalog/categories";
import { lookup } from "../../server/services/catalog/lookup";
import * as product from "../../server/services/catalog/product";
import { type Search, search } from "../../server/services/catalog/search";
import * as renewal from "../../server/services/feeds/renewal";
import { testDatabase } from "../support/database";
import { makeReader, makeStore } from "../support/factories";
import { makeGtin } from "../support/feed";
import { loadFeed, stored, tsv } from "../support/feeds/load";

const database = testDatabase();
const before = new Date("2027-01-01T12:00:00Z");
const after = new Date("2027-02-01T12:00:00Z");
const expiration_date = "2027-01-15T00:00:00Z";

async function shop(rows: Parameters<typeof tsv>[0], given: Parameters<typeof makeStore>[1] = {}) {
  const { id: storeId } = await makeStore(database, given);
  await loadFeed(database, storeId, tsv(rows), { now: before });
  const reader = await makeReader(database);
  const at = (now: Date) => {
    const ctx: Ctx<Consumer> = database.as(reader, now);
    return {
      find: (rest: Partial<Search> = {}) => search(ctx, { storeIds: [storeId], sort: "relevance", limit: 50, ...rest }),
      get: (productId: string) => product.get(ctx, { storeId, of: { productId } }),
      look: (gtin: string) => lookup(ctx, { ids: [], gtins: [gtin] }),
      lookById: (productId: string) => lookup(ctx, { ids: [{ storeId, productId }], gtins: [] }),
      categories: () => categories.list(ctx, { storeId, taxonomy: "store" }),
    };
  };
  const renew = (at = after) => renewal.renew(database.as({ kind: "system" }, at));
  return { storeId, before: at(before), after: at(after), renew };
}

describe("an offer whose time is over", () => {
  it("is discontinued at once, for every reader", async () => {
    const gtin = makeGtin();
    const it = await shop([{ id: "ends", title: "Calendar", expiration_date, gtin, product_type: "Paper" }]);
    const stocked = { filters: { availability: ["in_stock" as const] } };
    expect((await it.before.find(stocked)).totalCount).toBe(1);
    expect(await it.before.categories()).toHaveLength(1);
    const gone = { status: "discontinued", available: false };
    expect((await it.after.find({ query: "calendar" })).products).toMatchObject([{ availability: gone }]);
    expect((await it.after.find(stocked)).totalCount).toBe(0);
    expect((await it.after.find({ filters: { availability: ["discontinued"] } })).totalCount).toBe(1);
    expect((await it.after.get("ends")).card.availability).toEqual(gone);
    expect((await it.after.look(gtin)).matches[0]!.card.availability).toEqual(gone);
    expect(await it.after.categories()).toEqual([]);
  });

  it("is discontinued in order and counts too, once the job has come by", async () => {
    const it = await shop([
      { id: "ends", title: "Lamp", expiration_date },
      { id: "stays", title: "Table lamp" },
    ]);
    expect(await it.renew(new Date(expiration_date))).toBeGreaterThanOrEqual(1);
    const { products, facets } = await it.after.find({ query: "lamp" });
    expect(products.map((card) => card.product_id)).toEqual(["stays", "ends"]);
    expect(facets.find(({ name }) => name === "availability")?.values).toEqual([
      { value: "discontinued", count: 1 },
      { value: "in_stock", count: 1 },
    ]);
    expect(await it.renew()).toBe(0);
  });

  it("leaves its picture to a variant that has none, and not its condition", async () => {
    const image_link = "https://shop.example/phone.jpg";
    const phone = { item_group_id: "P", title: "Phone" };
    const it = await shop([
      { ...phone, id: "P1", color: "Red", price: "5 EUR", condition: "used", expiration_date, image_link },
      { ...phone, id: "P2", color: "Blue", price: "9 EUR", condition: "new", image_link: "" },
    ]);
    const listed = async () => {
      const [row] = await database.sql`
        select condition, price_amount, image_link from products where store_id = ${it.storeId}`;
      return row;
    };
    expect(await listed()).toEqual({ condition: "used", price_amount: 500, image_link });
    await it.renew();
    expect(await listed()).toEqual({ condition: "new", price_amount: 900, image_link });
  });

  it("leaves neither its brand nor its categories to the next best variant", async () => {
    const set = { item_group_id: "B", title: "Tea" };
    const rows = [
      {
        ...{ ...set, id: "B1", color: "Red", price: "5 EUR", expiration_date },
        ...{ brand: "Ash", product_type: "Tea > Black", google_product_category: "Food > Tea" },
      },
      { ...set, id: "B2", color: "Blue", price: "9 EUR", brand: "Birch", product_type: "Tea > Green" },
    ];
    const it = await shop(rows);
    const listed = () => database.sql`
      select brand, product_type, google_product_category from products where store_id = ${it.storeId}`;
    expect(await listed()).toEqual([
      { brand: "Ash", product_type: ["Tea", "Black"], google_product_category: ["Food", "Tea"] },
    ]);
    // Cards say so at once: the offer that they show has its brand.
    const cards = [(await it.after.find()).products[0]!, (await it.after.get("B")).card];
    cards.push((await it.after.lookById("B")).matches[0]!.card);
    expect(cards.map(({ price, brand }) => [price.amount, brand])).toEqual(Array(3).fill([900, "Birch"]));
    await it.renew();
    const birch = { brand: "Birch", product_type: ["Tea", "Green"], google_product_category: null };
    expect(await listed()).toEqual([birch]);
    const { products, facets } = await it.after.find();
    expect(products[0]!.brand).toBe("Birch");
    expect(facets.find(({ name }) => name === "brand")?.values).toEqual([{ value: "Birch", count: 1 }]);
    // As a renewal of before left it: the next load sets it right, though none of its rows changes.
    await database.sql`
      update products set brand = 'Ash', product_type = null, google_product_category = '{Food}' where store_id = ${it.storeId}`;
    await loadFeed(database, it.storeId, tsv(rows), { now: after });
    expect(await listed()).toEqual([birch]);
  });

  it("gives way to the next best variant, on every card at once", async () => {
    const it = await shop([
      { id: "S1", item_group_id: "S", title: "Shoe - Red", color: "Red", price: "5 EUR", expiration_date },
      {
        id: "S2",
        item_group_id: "S",
        title: "Shoe - Blue",
        color: "Blue",
        price: "9 EUR",
        link: "https://shop.example/S2",
      },
      {
        id: "S3",
        item_group_id: "S",
        title: "Shoe - Pink",
        color: "Pink",
        price: "7 EUR",
        availability: "out_of_stock",
      },
    ]);
    expect((await it.before.get("S")).card.price.amount).toBe(500);
    const { card, variant } = await it.after.get("S");
    expect([card.title, card.price.amount, card.availability.status]).toEqual(["Shoe", 900, "in_stock"]);
    expect(variant.variant_id).toBe("S2");
    const listed = async () => [
      ...(await it.after.find()).products,
      ...(await it.after.find({ filters: { condition: ["new"] } })).products,
      ...(await it.after.lookById("S")).matches.map(({ card }) => card),
    ];
    expect(await listed()).toEqual([card, card, card]);
    await it.renew();
    expect(await listed()).toEqual([card, card, card]);
    expect((await it.after.get("S")).variant.variant_id).toBe("S2");
  });

  it("comes back with the next load that has it", async () => {
    const it = await shop([{ id: "ends", expiration_date }]);
    await it.renew();
    await loadFeed(database, it.storeId, tsv([{ id: "ends" }]), { now: after });
    expect((await it.after.find()).products).toMatchObject([{ availability: { status: "in_stock" } }]);
  });
});

describe("a sale that begins or ends between two loads", () => {
  const red = { id: "S1", item_group_id: "S", title: "Shoe - Red", color: "Red", price: "6 EUR" };
  const blue = { ...red, id: "S2", title: "Shoe - Blue", color: "Blue", price: "9 EUR", sale_price: "4 EUR" };
  const other = { id: "other", title: "Sock", price: "5 EUR" };
  const under5 = { filters: { price: { max: 499 } } };

  async function cards(reader: Awaited<ReturnType<typeof shop>>["after"]) {
    const { products } = await reader.find({ sort: "price_asc" });
    return products.map((card) => [card.product_id, card.price.amount, card.sale_price?.amount]);
  }

  it("makes the variant that it is for stand for its product, in order and filters too", async () => {
    const sale = { sale_price_effective_date: "2027-01-15T00:00:00Z/2027-03-01T00:00:00Z" };
    const it = await shop([red, { ...blue, ...sale, image_link: "https://shop.example/blue.jpg" }, other]);
    expect(await cards(it.before)).toEqual([
      ["other", 500, undefined],
      ["S", 600, undefined],
    ]);
    await it.renew();
    expect(await cards(it.after)).toEqual([
      ["S", 900, 400],
      ["other", 500, undefined],
    ]);
    const { products } = await it.after.find({ ...under5, query: "shoe" });
    expect(products).toMatchObject([{ product_id: "S", image_link: "https://shop.example/blue.jpg" }]);
    expect((await it.after.find({ filters: { on_sale: true } })).totalCount).toBe(1);
    expect((await it.after.get("S")).variant.variant_id).toBe("S2");
  });

  it("has its card tell how old the offer is that it shows", async () => {
    const sale = { sale_price_effective_date: "2027-01-15T00:00:00Z/2027-03-01T00:00:00Z" };
    const it = await shop([red, { ...blue, ...sale }, other]);
    const later = new Date("2027-01-02T12:00:00Z");
    await loadFeed(database, it.storeId, tsv([red, { ...blue, price: "free" }, other]), { now: later });
    const told = async () => (await it.after.find({ query: "shoe" })).products.map((card) => card.data_as_of);
    expect(await told()).toEqual([later.toISOString()]);
    await it.renew();
    expect(await told()).toEqual([before.toISOString()]);
  });

  it("gives way to the cheapest when it is over", async () => {
    const sale = { sale_price_effective_date: "2026-12-01T00:00:00Z/2027-01-15T00:00:00Z" };
    const it = await shop([red, { ...blue, ...sale }, other]);
    expect((await it.before.find(under5)).totalCount).toBe(1);
    await it.renew();
    expect(await cards(it.after)).toEqual([
      ["other", 500, undefined],
      ["S", 600, undefined],
    ]);
    expect((await it.after.find(under5)).totalCount).toBe(0);
  });

  it.each([
    ["EUR", "USD"],
    ["USD", "EUR"],
  ])("leaves the product at a price in the store's own %s", async (currency, other) => {
    const sale = { sale_price_effective_date: "2026-12-01T00:00:00Z/2027-01-15T00:00:00Z" };
    const it = await shop(
      [
        { ...red, price: `5 ${other}` },
        { ...blue, ...sale, price: `9 ${currency}`, sale_price: `4 ${currency}` },
      ],
      { currency },
    );
    expect(await cards(it.before)).toEqual([["S", 900, 400]]);
    await it.renew();
    expect(await cards(it.after)).toEqual([["S", 900, undefined]]);
  });

  it("leaves the product that is out of stock at its first variant, as a load does", async () => {
    const sale = { sale_price_effective_date: "2026-12-01T00:00:00Z/2027-01-15T00:00:00Z" };
    const gone = { availability: "out_of_stock" };
    const it = await shop([
      { ...red, ...gone, id: "S3", color: "Pink", price: "50 USD" },
      { ...blue, ...sale, ...gone },
      { ...red, ...gone },
    ]);
    expect(await cards(it.before)).toEqual([["S", 5000, undefined]]);
    expect(await it.renew()).toBeGreaterThanOrEqual(1);
    expect(await cards(it.after)).toEqual([["S", 5000, undefined]]);
  });

  it("is as a load at that moment would have it, availability included", async () => {
    const sale = { sale_price_effective_date: "2027-01-15T00:00:00Z/2027-03-01T00:00:00Z" };
    const rows = [
      { ...red, availability: "preorder", availability_date: "2027-06-01T00:00:00Z" },
      { ...blue, ...sale, availability: "backorder", availability_date: "2027-06-01T00:00:00Z" },
    ];
    const [old, fresh] = [await shop(rows), await shop(rows)];
    await old.renew();
    await loadFeed(database, fresh.storeId, tsv(rows), { now: after });
    expect((await stored(database, old.storeId)).products).toEqual((await stored(database, fresh.storeId)).products);
  });

  it("has its card tell the stock of the variant that it shows, in filters and counts too", async () => {
    const sale = { sale_price_effective_date: "2027-01-15T00:00:00Z/2027-03-01T00:00:00Z" };
    const it = await shop([
      { ...red, availability: "preorder", availability_date: "2027-06-01" },
      { ...blue, ...sale, availability: "backorder", availability_date: "2027-08-01" },
    ]);
    const told = async (reader: typeof it.after) => {
      const { products, facets } = await reader.find();
      const { availability } = products[0]!;
      const counted = facets.find(({ name }) => name === "availability")!.values.map(({ value }) => value);
      expect(counted).toEqual([availability.status]);
      expect((await reader.find({ filters: { availability: [availability.status] } })).totalCount).toBe(1);
      expect((await reader.get("S")).card.availability).toEqual(availability);
      return availability;
    };
    expect(await told(it.before)).toEqual({ status: "preorder", available: true, availability_date: "2027-06-01" });
    await it.renew();
    expect(await told(it.after)).toEqual({ status: "backorder", available: true, availability_date: "2027-08-01" });
  });

  it("is looked up, not looked for: a product tells when it is due, and one variant alone never is for a sale", async () => {
    const sale = { sale_price_effective_date: "2027-01-15T00:00:00Z/2027-03-01T00:00:00Z" };
    const it = await shop([red, { ...blue, ...sale }, { ...other, ...sale, sale_price: "1 EUR" }]);
    const due = () =>
      database.sql`select product_id, renew_at from products where store_id = ${it.storeId} order by product_id collate "C"`;
    expect(await due()).toMatchObject([
      { product_id: "S", renew_at: new Date("2027-01-15T00:00:00Z") },
      { product_id: "other", renew_at: null },
    ]);
    await it.renew();
    expect(await due()).toMatchObject([{ renew_at: new Date("2027-03-01T00:00:00Z") }, { renew_at: null }]);
    const plan = await database.sql.begin(async (tx) => {
      await tx`set local enable_seqscan = off`;
      return tx`explain select id from products where renew_at <= now() order by renew_at limit 1000`;
    });
    expect(JSON.stringify(plan)).toContain("products_due");
  });

  it("is looked at once where it was loaded before anybody wrote down when it is due", async () => {
    const sale = { sale_price_effective_date: "2027-01-15T00:00:00Z/2027-03-01T00:00:00Z" };
    const it = await shop([
      red,
      { ...blue, ...sale },
      { ...other, expiration_date },
      { ...other, ...sale, id: "alone" },
    ]);
    const ways = [{ country: "IE", price: 5, currency: "EUR" }];
    const narrow = { ...ways[0], region: "Dublin" };
    await database.sql`update variants set shipping = ${[narrow, ...ways] as never} where store_id = ${it.storeId}`;
    const migration = await readFile(new URL("../../db/migrations/0017_renewals.sql", import.meta.url), "utf8");
    await database.sql.begin(async (tx) => {
      await tx.unsafe(`drop index products_due; alter table products drop column renew_at;
        create index products_expiring on products (expires_at)`);
      for (const statement of migration.split("--> statement-breakpoint")) await tx.unsafe(statement);
    });
    const rows = await database.sql`
      select product_id, renew_at <= now() as "isDue", renew_at from products where store_id = ${it.storeId} order by product_id collate "C"`;
    expect(rows).toMatchObject([
      { product_id: "S", isDue: true },
      { product_id: "alone", renew_at: null },
      { product_id: "other", renew_at: new Date(expiration_date) },
    ]);
    const [{ shipping }] = await database.sql<[{ shipping: unknown }]>`
      select jsonb_agg(distinct shipping) as shipping from variants where store_id = ${it.storeId}`;
    expect(shipping).toEqual([ways]);
  });
});

describe("a load that ends while products are renewed", () => {
  it("keeps its prices: what is renewed shows the variants of the load that let go of it", async () => {
    const many = Array.from({ length: 5_000 }, (_, i) => ({ id: `m${i}`, price: "10 EUR", expiration_date }));
    const it = await shop(many);
    for (let price = 2_000; price < 2_008; price++) {
      let renewed: Promise<number> | undefined;
      await database.sql.begin(async (tx) => {
        await tx`update products set price_amount = ${price}, availability = 'in_stock', renew_at = ${before} where store_id = ${it.storeId}`;
        await tx`update variants set price_amount = ${price}, expires_at = null where store_id = ${it.storeId}`;
        renewed = it.renew();
        await sleep(2 * (price % 8));
      });
      await renewed;
      const wrong = await database.sql`
        select from products p join variants v on v.id = p.primary_variant_ref
        where p.store_id = ${it.storeId} and p.price_amount <> v.price_amount`;
      expect(wrong).toHaveLength(0);
    }
  });
});
