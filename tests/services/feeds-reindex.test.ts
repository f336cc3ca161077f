// What was loaded when search read other words of a product is indexed anew by a job.
import { beforeAll, describe, expect, it } from "vitest";
import type { Consumer, Ctx } from "../../server/context";
import type { Filters } from "../../server/services/catalog/filters";
import { search } from "../../server/services/catalog/search";
import { reindex } from "../../server/services/feeds/reindex";
import * as loyalty from "../../server/services/loyalty";
import { testCore, testDatabase, untilWaiting } from "../support/database";
import { makeReader, makeStore } from "../support/factories";
import { makeGtin } from "../support/feed";
import { loadFeed, tsv } from "../support/feeds/load";

const database = testDatabase();
let sql: typeof database.sql;
beforeAll(() => {
  ({ sql } = database);
});
const run = (stopping = new AbortController().signal) => reindex(testCore(database), stopping);

/** As versions before this one left it: without small words, without kinds, and with Google's categories as numbers. */
async function outdate(storeId: string) {
  for (const table of [sql`products`, sql`variants`])
    await sql`update ${table} set google_product_category = '{1604}', tokens = array(select token from unnest(tokens) token where token not like 'gcat=app%')
      where store_id = ${storeId} and google_product_category is not null`;
  await sql`update products set title_search = setweight(to_tsvector('aisle', title), 'A'), search = to_tsvector('aisle', title)
    where store_id = ${storeId}`;
  await sql`update stores set index_version = 1 where id = ${storeId}`;
}

const rows = [
  { id: "down", title: "Down Jacket", sale_price: "9.00 EUR", gtin: makeGtin(), sku: "DJ-1" },
  { id: "m", item_group_id: "tee", title: "Tee M", size: "M", color: "Moss", description: "Knitted for the hills." },
  { id: "l", item_group_id: "tee", title: "Tee L", size: "L", color: "Rust", expiration_date: "2037-01-01T00:00:00Z" },
  {
    id: "kit",
    title: "Tee Kit",
    product_type: "Care",
    google_product_category: "1604",
    star_rating: "4.5",
    review_count: "3",
  },
  { id: "out", title: "Lamp on Order", availability: "backorder" },
];

const products = (storeId: string) => sql`select * from products where store_id = ${storeId} order by id`;
const variants = (storeId: string) => sql`select * from variants where store_id = ${storeId} order by id`;

it.each([[["en"]], [["pt", "de"]]])(
  "has the words and kinds that a load in %j writes, and nothing else changes",
  async (languages) => {
    const { id } = await makeStore(database, { languages });
    await loadFeed(database, id, tsv(rows));
    await loadFeed(database, id, tsv([...rows.slice(0, -1), { id: "new", title: "New" }]));
    await sql`update products set excluded = true where store_id = ${id} and product_id = 'kit'`;
    const loaded = { products: await products(id), variants: await variants(id) };
    await outdate(id);
    expect(await run()).toBe(1);
    const isGone = (row: { product_id?: string }) => row.product_id === "out";
    expect((await products(id)).filter((row) => !isGone(row))).toEqual(loaded.products.filter((row) => !isGone(row)));
    expect(await variants(id)).toEqual(loaded.variants);
    const loads = await sql`select id from feed_loads where store_id = ${id}`;
    expect(loads).toHaveLength(2);
  },
);

it("earns points by the rule for its category from then on, as a load has it", async () => {
  const { id } = await makeStore(database);
  const rule = (points_per_unit: number, product_type?: string) => ({ basis: "points", points_per_unit, product_type });
  const program = { name: "Card", description: "Points.", terms_url: "https://shop.example/card", primary: true };
  const tiers = [{ name: "Basic", threshold_points: 0, perks: [] }];
  const earning_rules = [rule(5, "Apparel & Accessories > Clothing"), rule(1)];
  await loyalty.replace(
    database.as({ kind: "system" }),
    loyalty.ReplacePrograms.parse({ storeId: id, programs: [{ ...program, tiers, earning_rules }] }),
  );
  await loadFeed(
    database,
    id,
    tsv([{ id: "down", title: "Jacket", price: "10.00 EUR", google_product_category: "1604" }]),
  );
  const ctx: Ctx<Consumer> = database.as(await makeReader(database));
  const earned = async () =>
    (await loyalty.points(ctx, { storeId: id, productId: "down", quantity: 1 })).points.points_earned;
  const loaded = await earned();
  await outdate(id);
  const outdated = await earned();
  await run();
  expect([loaded, outdated, await earned()]).toEqual([50, 10, 50]);
});

it("is done again by a later release, where this one has loaded the store since", async () => {
  const { id } = await makeStore(database);
  await loadFeed(database, id, tsv(rows));
  const version = async () => (await sql`select index_version from stores where id = ${id}`)[0]!.index_version;
  const own = await version();
  await sql`update stores set index_version = ${own + 1} where id = ${id}`;
  await loadFeed(database, id, tsv([{ id: "down", title: "Down Vest" }]));
  expect(await version()).toBe(own);
});

it("is found by its small words from then on, and only once done", async () => {
  const { id } = await makeStore(database);
  await loadFeed(database, id, tsv(rows));
  await outdate(id);
  const ctx: Ctx<Consumer> = database.as(await makeReader(database));
  const ids = async () =>
    (await search(ctx, { query: '"down jacket"', storeIds: [id], sort: "relevance", limit: 9 })).products;
  expect(await ids()).toEqual([]);
  await run();
  expect(await ids()).toMatchObject([{ product_id: "down" }]);
  expect(await run()).toBe(0);
});

describe("what releases before folded otherwise, or took for a category", () => {
  const path = "Klær > Sko";
  const item = {
    ...{ id: "boot", title: "Fjellstøvel", brand: "Tørrfjell", link: "https://shop.example/boot", price: "10 EUR" },
    ...{ availability: "in_stock", image_link: "https://shop.example/boot.jpg", color: "weiß" },
    ...{ product_type: ["Dame", path, "Wool > Socks"], google_product_category: "187 - Sko" },
    product_detail: ["General:Type:Waterproof", "General:Type:Wool", "General:Naht:geschweißt"],
  };
  const bent: [plain: string, before: string][] = [
    ["klaer", "klær"],
    ["weiss", "weiß"],
    ["geschweisst", "geschweißt"],
    ["torrfjell", "tørrfjell"],
  ];

  async function loaded(file: object, before: (tokens: string[]) => string[]) {
    const { id } = await makeStore(database);
    await loadFeed(database, id, JSON.stringify(file), { fileName: "feed.jsonl" });
    const now = { products: await products(id), variants: await variants(id) };
    const tokens = [...new Set(before(now.variants[0]!.tokens))].sort();
    for (const table of [sql`products`, sql`variants`])
      await sql`update ${table} set tokens = ${tokens} where store_id = ${id}`;
    await sql`delete from search_words where word in ('fjellstovel', 'torrfjell')`;
    await sql`update stores set index_version = 6 where id = ${id}`;
    const ctx: Ctx<Consumer> = database.as(await makeReader(database));
    const found = async (filters: Filters) =>
      (await search(ctx, { filters, storeIds: [id], sort: "relevance", limit: 9 })).products.length;
    return { id, now, found };
  }

  /** As release 5 left it, and with what the job of release 6 added. */
  const folded = (tokens: string[]) => [
    ...tokens.map((token) => bent.reduce((text, [plain, before]) => text.replace(plain, before), token)),
    ...["color=weiss", "naht=geschweisst", "brand=torrfjell"],
  ];
  /** As releases left it that took each detail called Type for a category. */
  const taken = (tokens: string[]) => tokens.map((token) => token.replace("(type)=", "type="));

  it("is filtered by as a load by this one has it", async () => {
    const { id, now, found } = await loaded(item, (tokens) => taken(folded(tokens)));
    expect(await found({ product_type: [path] })).toBe(0);
    expect(await found({ product_type: ["Waterproof"] })).toBe(1);
    expect(await run()).toBe(1);
    expect(await found({ product_type: [path] })).toBe(1);
    expect(await found({ product_type: ["Waterproof"] })).toBe(0);
    expect(await found({ product_type: ["Wool"] })).toBe(1);
    expect(await found({ google_product_category: ["187"] })).toBe(1);
    expect(await variants(id)).toEqual(now.variants);
    expect(await products(id)).toEqual(now.products);
  });

  it("is a category still where the row has a further one that is called as its detail is", async () => {
    const file = { ...item, product_type: ["Clothing", "T-Shirt"], product_detail: "General:Type:T-Shirt" };
    const { id, now, found } = await loaded(file, folded);
    expect(await run()).toBe(1);
    expect(await found({ product_type: ["T-Shirt"] })).toBe(1);
    expect(await variants(id)).toEqual(now.variants);
    expect(await products(id)).toEqual(now.products);
  });

  it("is a word that a misspelt query may be mended to", async () => {
    await loaded(item, folded);
    await run();
    const words = await sql`select word from search_words where word in ('fjellstovel', 'torrfjell') order by word`;
    expect(words).toEqual([{ word: "fjellstovel" }, { word: "torrfjell" }]);
  });
});

it("is not kept back by a store that fails, which is named, and tried again", async () => {
  const [bad, good] = await Promise.all([makeStore(database), makeStore(database)]);
  for (const { id } of [bad, good]) {
    await loadFeed(database, id, tsv(rows));
    await outdate(id);
  }
  await sql.unsafe(`create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
    create trigger refused before update on products for each row when (new.store_id = '${bad.id}') execute function refuse()`);
  await expect(run()).rejects.toMatchObject({
    name: "AggregateError",
    errors: [{ message: bad.id, cause: { message: "refused" } }],
  });
  await sql`drop trigger refused on products`;
  const due = await sql`select id from stores where index_version < 3`;
  expect(due).toEqual([{ id: bad.id }]);
  expect(await run()).toBe(1);
});

it("is done once, however many instances find it due", async () => {
  const { id } = await makeStore(database);
  await loadFeed(database, id, tsv(rows));
  await outdate(id);
  let both: Promise<number>[] = [];
  await sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtextextended(${`feed:${id}`}, 0))`;
    both = [run(), run()];
    await untilWaiting(sql, 2);
  });
  expect((await Promise.all(both)).toSorted()).toEqual([0, 1]);
});

it("is left for the next time once it is to stop", async () => {
  const { id } = await makeStore(database);
  await loadFeed(database, id, tsv(rows));
  await outdate(id);
  expect(await run(AbortSignal.abort())).toBe(0);
  expect(await run()).toBe(1);
});
