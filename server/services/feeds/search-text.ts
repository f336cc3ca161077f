// What search reads of a product, by weight: A title, B brand, categories and what sets variants apart, C codes,
// D description. The expressions are SQL over columns of that name in the alias given.
import type { Transaction } from "./transaction";

/** Characters of a text that are indexed: a tsvector takes a megabyte at most. */
const MAX = "20000";
/** Of a description: what says what a thing is stands in its beginning. */
const MAX_DESCRIPTION = "2000";

/** What says what kind of thing a row is, and what sets it apart. */
export const rowWords = (tx: Transaction, s: string) =>
  tx.unsafe(`concat_ws(' ', ${s}.brand, array_to_string(${s}.product_type, ' '),
    array_to_string(${s}.google_product_category, ' '), ${s}.color, ${s}.size, ${s}.material, ${s}.pattern)`);
export const rowCodes = (tx: Transaction, s: string) =>
  tx.unsafe(`concat_ws(' ', ${s}.mpn, ${s}.sku, ${s}.gtin, ltrim(${s}.gtin, '0'))`);
export const rowText = (tx: Transaction, s: string) =>
  tx.unsafe(`left(coalesce(${s}.description, ''), ${MAX_DESCRIPTION})`);

type Sql = ReturnType<Transaction["unsafe"]>;

export const titleSearch = (tx: Transaction, title: Sql, words: Sql) => tx`
  setweight(to_tsvector('aisle', ${title}), 'A') || setweight(to_tsvector('aisle', left(${words}, ${tx.unsafe(MAX)})), 'B')`;
export const fullSearch = (tx: Transaction, titleSearch: Sql, codes: Sql, text: Sql) => tx`
  ${titleSearch} || setweight(to_tsvector('aisle', left(${codes}, ${tx.unsafe(MAX)})), 'C') || to_tsvector('aisle', ${text})`;
