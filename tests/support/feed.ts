// Catalogues for tests, loaded through the importer as everybody's are.
import { randomInt } from "node:crypto";
import { checkDigit } from "../../server/services/feeds/gtin";
import type { TestDatabase } from "./database";
import { makeStore } from "./factories";
import { loadFeed, tsv } from "./feeds/load";

export type Row = { id: string } & Record<string, string>;

/** Loads `rows` as the whole catalogue of a store, now unless told. Google's attributes; what a row leaves out is filled in. */
export async function loadRows(database: TestDatabase, storeId: string, rows: Row[], now?: Date): Promise<void> {
  const full = rows.map((row) => ({ description: "A product.", condition: "new", ...row }));
  await loadFeed(database, storeId, tsv(full), now && { now });
}

/** A store that has `rows` as its catalogue. */
export async function makeStoreWith(
  database: TestDatabase,
  rows: Row[],
  given: Parameters<typeof makeStore>[1] = {},
  now?: Date,
) {
  const store = await makeStore(database, given);
  await loadRows(database, store.id, rows, now);
  return store;
}

/** An article number that no other test has: 13 digits with the right check digit. */
export function makeGtin(): string {
  const body = `4${String(randomInt(10 ** 11)).padStart(11, "0")}`;
  return body + checkDigit(body.padStart(13, "0"));
}
