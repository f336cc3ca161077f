// What was loaded when search read other words of a product is indexed anew by a job.
import { beforeAll, expect, it } from "vitest";
import type { Consumer, Ctx } from "../../server/context";
import { search } from "../../server/services/catalog/search";
import { reindex } from "../../server/services/feeds/reindex";
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
