// Catalogues for tests, loaded through the importer as everybody's are.
import { randomInt } from "node:crypto";
import { Readable } from "node:stream";
import * as feeds from "../../server/services/feeds";
import { checkDigit } from "../../server/services/feeds/gtin";
import type { TestDatabase } from "./database";

type Row = { id: string } & Record<string, string>;

/** Loads `rows` as the whole catalogue of a store. Google's attributes; what a row leaves out is filled in. */
export async function loadRows(database: TestDatabase, storeId: string, rows: Row[]): Promise<void> {
  const full = rows.map((row) => ({
    title: `Product ${row.id}`,
    description: "A product.",
    link: `https://shop.example/p/${row.id}`,
    image_link: `https://shop.example/i/${row.id}.jpg`,
    price: "10.00 EUR",
    availability: "in_stock",
    condition: "new",
    ...row,
  }));
  const columns = [...new Set(full.flatMap((row) => Object.keys(row)))];
  const lines = full.map((row) => columns.map((column) => (row as Record<string, string>)[column] ?? "").join("\t"));
  const content = Readable.from([[columns.join("\t"), ...lines, ""].join("\n")]);
  await feeds.load(database.as({ kind: "system" }), { storeId, fileName: "feed.tsv", content });
}

/** An article number that no other test has: 13 digits with the right check digit. */
export function makeGtin(): string {
  const body = `4${String(randomInt(10 ** 11)).padStart(11, "0")}`;
  return body + checkDigit(body.padStart(13, "0"));
}
