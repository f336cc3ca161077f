// Catalogues of any size: 1,000 stores whose products are mixed from those of a real feed, with its lengths of titles and
// descriptions, loaded through our own importer. The same size is always the same catalogue.
import { Readable } from "node:stream";
import * as feeds from "../../server/services/feeds";
import * as stores from "../../server/services/stores";
import type { Database } from "./place";
import { header, rowsBetween, sourcesOf } from "./products";
import { randomFrom } from "./stats";

export const STORES = 1_000;
/** Products. */
const A_LOAD = 100_000;

/** Fills a database with 1,000 stores and `products` products, one in ten of which has three variants. */
export async function fill(database: Database, products: number, feed: string | undefined): Promise<void> {
  const system = () => database.as({ kind: "system" });
  const { sql } = database;
  const indexes = await dropSlowIndexes(database);
  const sources = sourcesOf(feed);
  const made: { id: string }[] = [];
  for (let i = 0; i < STORES; i++) made.push(await stores.create(system(), storeOf(i)));
  // A few large loads are much quicker than a thousand small ones; the stores get their share afterwards.
  for (let i = 0; i * A_LOAD < products; i++) {
    const [from, to] = [i * A_LOAD, Math.min(products, (i + 1) * A_LOAD)];
    const content = Readable.from(linesOf(rowsBetween(sources, from, to)));
    await feeds.load(system(), { storeId: made[i]!.id, fileName: "feed.tsv", content });
    process.stderr.write(`  ${to.toLocaleString("en")} products loaded\n`);
  }
  await sql.begin(async (tx) => {
    await tx`set local statement_timeout = 0`;
    await tx`update products set store_id = (select array_agg(id order by slug) from stores)[1 + id % ${STORES}::int]`;
    await tx`update variants v set store_id = p.store_id from products p where p.id = v.product_ref`;
  });
  // Written anew, as so many loads would have left it: half of it is versions of rows from before the stores had theirs.
  await maintain(database, "vacuum full products, variants");
  for (const definition of indexes)
    await sql.begin(async (tx) => {
      await tx`set local statement_timeout = 0`;
      await tx`set local maintenance_work_mem = '1GB'`;
      await tx.unsafe(definition);
    });
  await maintain(database, "vacuum analyze");
}

/** What may take its time, and can't be done in a transaction. */
async function maintain({ sql }: Database, command: string): Promise<void> {
  const one = await sql.reserve();
  await one`set statement_timeout = 0`;
  await one.unsafe(command);
  await one`reset statement_timeout`;
  one.release();
}

function* linesOf(rows: Iterable<string>): Generator<string> {
  yield `${header}\n`;
  for (const row of rows) yield `${row}\n`;
}

/** To make an index whole is several times quicker than to make it row by row. */
async function dropSlowIndexes({ sql }: Database): Promise<string[]> {
  const rows = await sql<{ indexname: string; indexdef: string }[]>`
    select indexname, indexdef from pg_indexes where tablename = 'products' and indexdef like '%USING gin%'`;
  for (const { indexname } of rows) await sql.unsafe(`drop index ${indexname}`);
  return rows.map(({ indexdef }) => indexdef);
}

/** One a catalogue is the demo store; one in twenty has AI Discovery off. */
const storeOf = (i: number): Parameters<typeof stores.create>[1] => ({
  slug: `store-${i}`,
  name: `Store ${i} of Good Things`,
  url: `https://store-${i}.example`,
  country: "IE",
  currency: "EUR",
  is_demo: i === 0,
  ai_discovery: i === 0 || i % 20 !== 7,
  description: "Sells what the shops around it do not: chosen by hand, sent the same day, taken back for sixty days.",
  languages: ["en", "ga"],
  address: {
    street_address: `${i} Quay Street`,
    address_locality: "Galway",
    postal_code: "H91 X2Y3",
    address_country: "IE",
  },
  contact_point: { email: `help@store-${i}.example`, phone: "+353 91 555 0100" },
  opening_hours: (["monday", "tuesday", "wednesday", "thursday", "friday"] as const).map((day) => ({
    day,
    opens: "09:00",
    closes: "17:30",
  })),
  payment_accepted: ["Visa", "Mastercard", "Apple Pay"],
  shipping_policy: "Orders before 14:00 leave the same day. Free from 50 EUR within Ireland; 6.90 EUR below.",
  return_policy: { return_window_days: 60, fees: "free", method: "by mail", url: `https://store-${i}.example/returns` },
  links: [{ type: "privacy_policy", url: `https://store-${i}.example/privacy` }],
  categories: ["Home", "Outdoor", "Clothing"],
});

/** The titles, brands and kinds of `count` products of a database, drawn evenly: what shoppers would look for. */
export async function drawProducts({ sql }: Database, count: number) {
  const [{ last }] = await sql<[{ last: number }]>`select max(id)::int as last from products`;
  const random = randomFrom(20_26);
  const ids = Array.from({ length: count }, () => 1 + Math.floor(random() * last));
  return sql<{ title: string; brand: string | null; product_type: string[] | null }[]>`
    select p.title, p.brand, p.product_type from unnest(${ids}::bigint[]) with ordinality drawn (id, n)
    join products p on p.id = drawn.id order by drawn.n`;
}
