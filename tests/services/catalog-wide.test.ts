import { beforeAll, describe, expect, it } from "vitest";
import type { Consumer, Ctx } from "../../server/context";
import type { Filters } from "../../server/services/catalog/filters";
import { LEVEL_OF } from "../../server/services/catalog/marks";
import { levelsOf } from "../../server/services/catalog/offered";
import { sorts } from "../../server/services/catalog/order";
import { type Search, search } from "../../server/services/catalog/search";
import { testDatabase } from "../support/database";
import { makeReader, makeStore } from "../support/factories";
import { loadRows } from "../support/feed";

// More than 10,000 products match: too many to be sorted for each call, so the catalogue is walked.
const database = testDatabase();
const COUNT = 17_000;
const GONE = ["p1", "p22", "p333", "p4444"];

const hasNo = (n: number) => n % 20 < 10;
const currency = (n: number) => (n % 50 === 0 ? "CHF" : "EUR");

/** Every one is a lantern: of ten six by title (three of them by category too, and those without "No" called so), two by brand, two by description. */
const row = (n: number) => ({
  id: `p${n}`,
  title: `${n % 10 < 6 ? "Lantern" : "Lamp"} ${hasNo(n) ? "No " : ""}${n}`,
  product_type: n % 10 < 3 ? "Light > Camping Lanterns" : "Light > Parts",
  brand: n % 10 === 6 || n % 10 === 7 ? "Lantern Works" : n % 2 ? "Tinholt" : "Quernhill",
  description: "A lantern for tents.",
  price: `${1 + ((n * 7919) % 500)}.${10 + (n % 90)} ${currency(n)}`,
  ...(n % 6 === 0 && { sale_price: `0.99 ${currency(n)}` }),
  ...(n % 3 === 0 && { star_rating: `${n % 11}/10`, review_count: String(n % 40) }),
  availability: n % 5 === 0 ? "out_of_stock" : n % 17 === 0 ? "backorder" : "in_stock",
});

let ctx: Ctx<Consumer>;
beforeAll(async () => {
  const store = await makeStore(database, { currencies: ["EUR", "CHF"] });
  const exact = { id: "exact", title: "Lantern", availability: "out_of_stock" };
  await loadRows(database, store.id, [...Array.from({ length: COUNT }, (_, n) => row(n)), exact]);
  await database.sql`update products set availability = 'discontinued', vanished_at = now() where product_id = any (${GONE})`;
  ctx = database.as(await makeReader(database));
});

const page = (given: Partial<Search> = {}) =>
  search(ctx, { query: "lantern", sort: "relevance", limit: 900, ...given });

type Products = Awaited<ReturnType<typeof search>>["products"];

async function walk(given: Partial<Search>): Promise<Products> {
  const found: Products = [];
  let cursor: string | undefined;
  do {
    const answer = await page({ ...given, cursor });
    expect(answer.totalCount).toBeUndefined();
    found.push(...answer.products);
    cursor = answer.nextCursor;
  } while (cursor);
  return found;
}

/** A walk takes a second: one of each kind serves all tests, since none of them changes what it sees. */
const walks = new Map<string, Promise<Products>>();
function walked(given: Partial<Search> = {}): Promise<Products> {
  const key = JSON.stringify(given);
  const known = walks.get(key) ?? walk(given);
  walks.set(key, known);
  return known;
}

const isKind = (n: number) => n % 10 < 3;
const isCalled = (n: number) => n % 10 < 6 && !hasNo(n);

const numberOf = ({ product_id }: { product_id: string }) => Number(product_id.slice(1));
const stockOf = ({ availability }: Products[number]) =>
  ({ in_stock: 0, backorder: 1, preorder: 1, out_of_stock: 2, discontinued: 3 })[availability.status];
const isSorted = (values: number[]) => values.every((value, i) => i === 0 || values[i - 1]! <= value);
/** Quoted, it names no kind: in other orders than the best first it is looked for in titles, brands and categories. */
const QUOTED = '"lantern"';
const ids = new Set([...Array.from({ length: COUNT }, (_, n) => `p${n}`), "exact"]);

const called = new Set([...ids].filter((id) => id === "exact" || Number(id.slice(1)) % 10 < 8));

/** These and no others: thousands at once, past the trigger that counts a merchant's single acts. */
const exclude = (these: ReturnType<typeof database.sql>) =>
  database.sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`update products set excluded = (${these}) where excluded <> (${these})`;
  });

it("a sorted search of which some words are found nowhere is walked as well", async () => {
  const found = await page({ query: '"lantern" zzzzzzzz', sort: "price_asc", limit: 50 });
  expect([found.products.length, found.totalCount]).toEqual([50, undefined]);
});

describe("a search with more than 10,000 matches", () => {
  it.each(sorts)("by %s gives every one of them once, what left the feed last", async (sort) => {
    for (const query of sort === "relevance" ? ["lantern", undefined] : [QUOTED]) {
      const found = (await walked({ sort, query })).map((product) => product.product_id);
      const expected = query === QUOTED ? called : ids;
      expect(found).toHaveLength(expected.size);
      expect(new Set(found)).toEqual(expected);
      expect(found.slice(-GONE.length).toSorted()).toEqual(GONE.toSorted());
    }
  });

  it("with a price gives every one in the store's own currency once", async () => {
    for (const [sort, query, all] of [
      ["relevance", "lantern", ids],
      ["price_asc", QUOTED, called],
    ] as const) {
      const found = (await walked({ sort, query, filters: { price: { min: 0 } } })).map(({ product_id }) => product_id);
      const inEuro = [...all].filter((id) => id === "exact" || currency(Number(id.slice(1))) === "EUR");
      expect(found.toSorted()).toEqual(inEuro.toSorted());
      expect(found.slice(-GONE.length).toSorted()).toEqual(GONE.toSorted());
    }
  });

  it("with some stock levels gives every one of these once, though others are between them", async () => {
    const had = (id: string) =>
      id === "exact" ? "out_of_stock" : GONE.includes(id) ? "discontinued" : row(Number(id.slice(1))).availability;
    const asked: Filters = { availability: ["out_of_stock", "in_stock"] };
    const expected = [...ids].filter((id) => asked.availability!.some((status) => status === had(id))).toSorted();
    for (const [sort, query] of [["relevance", "lantern"], ["relevance"], ["rating"]] as const) {
      const found = await walked({ sort, query, filters: asked });
      expect(found.map(({ product_id }) => product_id).toSorted()).toEqual(expected);
      if (!query && sort === "relevance") expect(isSorted(found.map(stockOf))).toBe(true);
    }
  });

  it("has the exact title first, then titles of that kind, of what is called so, other titles, brands, descriptions; of each what is in stock first", async () => {
    const [first, ...rest] = (await walked()).slice(0, -GONE.length);
    expect(first!.product_id).toBe("exact");
    const rung = (n: number) => (isKind(n) ? 0 : isCalled(n) ? 1 : n % 10 < 6 ? 2 : n % 10 < 8 ? 3 : 4);
    expect(isSorted(rest.map((product) => rung(numberOf(product)) * 4 + stockOf(product)))).toBe(true);
  });

  it("has titles with the small words first, those of that kind before others; then the thing itself", async () => {
    const found = (await walked({ query: "lantern no" })).slice(0, -GONE.length);
    expect(found).toHaveLength(ids.size - GONE.length);
    const rung = (n: number) => (n % 10 >= 8 ? 4 : n % 10 >= 6 ? 3 : !hasNo(n) ? 2 : isKind(n) ? 0 : 1);
    const place = (product: Products[number]) => (product.product_id === "exact" ? 2 : rung(numberOf(product)));
    expect(isSorted(found.map((product) => place(product) * 4 + stockOf(product)))).toBe(true);
  });

  it("has, where not all of the words are anywhere, the thing itself with most of them first, then with fewer, and then what only mentions it", async () => {
    const found = await walked({ query: "tinholt lantern zzzzzzzz" });
    expect(found.length).toBe(ids.size);
    const rung = (n: number) => {
      const hasMost = n % 2 === 1 && n % 10 !== 7;
      if (isKind(n) || isCalled(n)) return hasMost ? 0 : isKind(n) && isCalled(n) ? 1 : 3;
      return n % 10 < 8 ? (hasMost ? 2 : 5) : hasMost ? 4 : 6;
    };
    const rungs = found
      .filter((one) => stockOf(one) < 3)
      .map((one) => (one.product_id === "exact" ? 3 : rung(numberOf(one))));
    expect(isSorted(rungs)).toBe(true);
    expect(new Set(rungs).size).toBe(7);
  });

  it("is sorted by what it costs now within a currency, by stars, and by age", async () => {
    const amounts = async (sort: "price_asc" | "price_desc", code: string) =>
      (await walked({ sort, query: QUOTED }))
        .slice(0, -GONE.length)
        .filter(({ price }) => price.currency === code)
        .map(({ price, sale_price }) => (sale_price ?? price).amount);
    expect(isSorted(await amounts("price_asc", "CHF"))).toBe(true);
    expect(isSorted(await amounts("price_asc", "EUR"))).toBe(true);
    expect(isSorted((await amounts("price_desc", "EUR")).map((amount) => -amount))).toBe(true);
    const { products } = await page({ sort: "price_asc", context: { currency: "EUR" }, limit: 50 });
    expect(new Set(products.map(({ price }) => price.currency))).toEqual(new Set(["EUR"]));
    const rated = (await walked({ sort: "rating", query: QUOTED })).slice(0, -GONE.length);
    expect(isSorted(rated.map(({ rating }) => -(rating?.value ?? -1)))).toBe(true);
    const newest = (await walked({ sort: "newest", query: QUOTED })).slice(1, -GONE.length);
    expect(isSorted(newest.map((product) => -numberOf(product)))).toBe(true);
  });

  it("counts facets over the 10,000 best, and says that they are approximate", async () => {
    const { facets } = await page({ limit: 1 });
    const total = (name: string) =>
      facets.find((facet) => facet.name === name)!.values.reduce((sum, { count }) => sum + count, 0);
    expect(facets.every(({ approximate }) => approximate)).toBe(true);
    expect([total("availability"), total("on_sale"), total("brand")]).toEqual([10_000, 10_000, expect.any(Number)]);
    const [best, newest] = await Promise.all(
      (["relevance", "newest"] as const).map((sort) => page({ limit: 1, sort, query: undefined })),
    );
    expect(newest!.facets).toEqual(best!.facets);
  });

  it("counts all that fit better before any that fit less well, also where both are read in one go", async () => {
    await exclude(
      database.sql`product_id <> 'exact' and substr(product_id, 2)::int % 10 < 4 and substr(product_id, 2)::int % 3 = 0`,
    );
    const titles = [...ids].filter((id) => {
      const n = numberOf({ product_id: id });
      return id === "exact" || (n % 10 < 6 && !(n % 10 < 4 && n % 3 === 0) && !GONE.includes(id));
    });
    const { facets, totalCount } = await page({ limit: 1 });
    await exclude(database.sql`false`);
    const counts = facets.find(({ name }) => name === "brand")!.values;
    const of = (value: string) => counts.find((one) => one.value === value)!.count;
    expect(totalCount).toBeUndefined();
    expect(titles.length).toBeLessThan(10_000);
    expect(of("Lantern Works")).toBe(10_000 - titles.length);
    expect(of("Tinholt") + of("Quernhill")).toBe(titles.length - 1);
  });

  it("goes on exactly where a page ended, however long the pages are", async () => {
    const whole = (await walked()).map((product) => product.product_id);
    let cursor: string | undefined;
    let seen = 0;
    for (const limit of [1, 7, 310, 1, 2_003, 50, 1_200]) {
      const answer = await page({ limit, cursor });
      expect(answer.products.map((product) => product.product_id)).toEqual(whole.slice(seen, seen + limit));
      seen += limit;
      cursor = answer.nextCursor;
    }
  });

  it("passes filters on the way", async () => {
    const filters = { price: { min: 10_000, max: 30_000, currency: "EUR" }, availability: ["in_stock" as const] };
    const expected = [...Array(COUNT).keys()].filter((n) => {
      const { price, sale_price, availability } = { sale_price: undefined, ...row(n) };
      const cents = Math.round(Number.parseFloat(sale_price ?? price) * 100);
      return (
        currency(n) === "EUR" &&
        cents >= 10_000 &&
        cents <= 30_000 &&
        availability === "in_stock" &&
        !GONE.includes(`p${n}`)
      );
    });
    const found = await page({ filters, limit: 1 });
    expect(found.totalCount).toBe(expected.length);
  });

  it("is counted exactly up to 10,000", async () => {
    const [{ id }] = await database.sql<[{ id: number }]>`select id from products order by id offset 10000 limit 1`;
    await exclude(database.sql`id >= ${id}`);
    expect(await page({ limit: 1 })).toMatchObject({ totalCount: 10_000, hasNextPage: true });
    const { facets, nextCursor } = await page({ limit: 1 });
    expect(facets.every(({ approximate }) => approximate)).toBe(false);
    expect(await page({ limit: 1, cursor: nextCursor })).toMatchObject({ totalCount: 10_000, hasNextPage: true });
    await exclude(database.sql`id > ${id}`);
    expect((await page({ limit: 1 })).totalCount).toBeUndefined();
    await exclude(database.sql`false`);
  });

  it("keeps its order while the pages are turned, even if no more than 10,000 are left", async () => {
    const whole = (await walked()).map((product) => product.product_id);
    const { nextCursor } = await page({ limit: 2_000 });
    await exclude(database.sql`product_id = any (${whole.slice(5_000)})`);
    const next = await page({ limit: 500, cursor: nextCursor });
    expect(next.products.map((product) => product.product_id)).toEqual(whole.slice(2_000, 2_500));
    await exclude(database.sql`false`);
  });

  it("is not sorted for a cursor that was given out where few match: that is refused", async () => {
    const demo = await makeStore(database, { is_demo: true });
    await loadRows(database, demo.id, [row(0), row(1)]);
    const sandbox = database.as(await makeReader(database, { tier: "sandbox" }));
    const asked = { query: "lantern", sort: "relevance", limit: 1 } as const;
    const { nextCursor: cursor } = await search(sandbox, asked);
    expect((await search(sandbox, { ...asked, cursor })).products).toHaveLength(1);
    await expect(search(ctx, { ...asked, cursor })).rejects.toMatchObject({ code: "cursor_invalid" });
    await database.sql`update stores set is_demo = false, ai_discovery = false where id = ${demo.id}`;
  });

  it("goes on for a cursor that was given out where just few enough match, though one more does by then", async () => {
    const [, last, more] = await database.sql<{ id: number }[]>`
      select id from products where id % 32 = 0 and vanished_at is null order by id offset 389 limit 3`;
    await exclude(database.sql`id % 32 = 0 and id > ${last!.id}`);
    const { nextCursor: cursor } = await page({ limit: 1 });
    await exclude(database.sql`id % 32 = 0 and id > ${more!.id}`);
    expect((await page({ limit: 1, cursor })).products).toHaveLength(1);
    await exclude(database.sql`false`);
  });
});

describe("which stock levels a walk passes through", () => {
  it.each<[levels: number[], filters: Filters]>([
    [[2], { availability: ["out_of_stock"] }],
    [[1], { availability: ["backorder", "preorder"] }],
    [[2, 0], { availability: ["out_of_stock", "in_stock"], price: { min: 1 } }],
    [[0, 1, 2, 3], {}],
    [[0, 1, 2, 3], { availability: ["out_of_stock", "discontinued"] }],
    [[0, 1, 2, 3], { availability: ["out_of_stock"], condition: ["used"] }],
    [[0, 1, 2, 3], { availability: ["out_of_stock"], attributes: [{ name: "color", values: ["red"] }] }],
  ])("%j: those that products may have of which %j is asked", (levels, filters) => {
    expect(levelsOf(filters)).toEqual(levels);
  });

  it("are the database's", async () => {
    const [row] = await database.sql`select ${database.sql.json(LEVEL_OF)}::jsonb as ours,
      (select jsonb_object_agg(status, stock_level(status)) from unnest(${Object.keys(LEVEL_OF)}::text[]) status) as its`;
    expect(row!.its).toEqual(row!.ours);
  });
});
