// Feed files for the importer's own tests: as text in a test, or from this folder.
import { readFileSync } from "node:fs";
import { Readable } from "node:stream";
import type { Merchant, System } from "../../../server/context";
import * as feeds from "../../../server/services/feeds";
import type { TestDatabase } from "../database";

export const feedFile = (name: string): Buffer => readFileSync(new URL(name, import.meta.url));

interface Given {
  fileName?: string;
  actor?: System | Merchant;
  now?: Date;
}

/** Loads `content` as the whole catalogue of a store. */
export function loadFeed(
  database: TestDatabase,
  storeId: string,
  content: string | Buffer | Readable,
  { fileName = "feed.tsv", actor = { kind: "system" }, now }: Given = {},
): Promise<feeds.Report> {
  const stream = content instanceof Readable ? content : Readable.from([Buffer.from(content)]);
  return feeds.load(database.as(actor, now), { storeId, fileName, content: stream });
}

/** What the load, or whatever takes a file, was refused with. */
export const refusal = (work: Promise<unknown>): Promise<{ code: string; message: string; details: feeds.Report }> =>
  work.then(
    () => Promise.reject(new Error("It was not refused.")),
    (error) => error,
  );

type Cells = Record<string, string | undefined>;

/** A TSV file of rows; what every row needs is filled in. */
export function tsv(rows: Cells[]): string {
  const full = rows.map((row) => ({
    title: `Product ${row.id}`,
    link: `https://shop.example/p/${row.id}`,
    image_link: `https://shop.example/i/${row.id}.jpg`,
    price: "10.00 EUR",
    availability: "in_stock",
    ...row,
  }));
  const columns = [...new Set(full.flatMap((row) => Object.keys(row)))];
  const lines = full.map((row: Cells) => columns.map((column) => row[column] ?? "").join("\t"));
  return [columns.join("\t"), ...lines, ""].join("\n");
}

/** Everything that a store has, by the merchant's ids; without what differs from load to load. */
export async function stored(database: TestDatabase, storeId: string) {
  const products = await database.sql<Record<string, unknown>[]>`
    select p.product_id, p.item_group_id, p.title, p.title_key, p.brand, p.condition, p.product_type,
      p.google_product_category, p.image_link, p.link, p.currency, p.price_amount, p.sale_price_amount, p.sale_starts_at,
      p.sale_ends_at, p.availability, p.availability_date, p.rating_value, p.rating_scale_max, p.rating_count,
      (select array_agg(t order by t) from unnest(p.tokens) t) as tokens, p.search::text, p.title_search::text,
      p.excluded, p.vanished_at is not null as vanished, v.variant_id as primary_variant
    from products p left join variants v on v.id = p.primary_variant_ref
    where p.store_id = ${storeId} order by p.product_id collate "C"`;
  const variants = await database.sql<Record<string, unknown>[]>`
    select v.*, p.product_id, v.vanished_at is not null as vanished
    from variants v join products p on p.id = v.product_ref
    where v.store_id = ${storeId} order by v.variant_id collate "C"`;
  for (const variant of variants) {
    for (const column of ["id", "store_id", "product_ref", "vanished_at", "data_as_of"]) delete variant[column];
  }
  return { products: [...products], variants: [...variants] };
}
