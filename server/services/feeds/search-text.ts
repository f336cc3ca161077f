// What search reads of a product, by weight: A title, B brand, categories and what sets variants apart, C codes,
// D description. All of it goes through `searchable` first, as the words of a query do.
import { searchable } from "../fold";
import type { Offer } from "./offer";
import { cut } from "./plain";
import type { Transaction } from "./transaction";

/** Characters of a product's words or codes that are indexed: a tsvector takes a megabyte at most. */
const MAX = "20000";
/** Of a description: what says what a thing is stands in its beginning. */
const MAX_DESCRIPTION = 2_000;

const joined = (...texts: (string | undefined)[]): string => texts.filter(Boolean).join(" ");

/** What kind of thing a row is. */
export const kindWords = ({ brand, categories: { productType, googleProductCategory } }: Offer): string =>
  searchable(joined(brand, ...(productType ?? []), ...(googleProductCategory ?? [])));

/** What sets a row apart from others of its group. */
export const lookWords = ({ look: { color, size, material, pattern } }: Offer): string =>
  searchable(joined(color, size, material, pattern));

/** Codes are found as they are written, and without what separates their parts. */
export const codeWords = ({ mpn, sku, gtin }: Offer): string =>
  [mpn, sku, gtin, gtin?.replace(/^0+/, "")]
    .flatMap((code) => {
      const words = code ? searchable(code) : "";
      return words.includes(" ") ? [words, words.replaceAll(" ", "")] : words || [];
    })
    .join(" ");

export const textWords = ({ description }: Offer): string =>
  description ? searchable(cut(description, MAX_DESCRIPTION)) : "";

type Sql = ReturnType<Transaction["unsafe"]>;

export const titleSearch = (tx: Transaction, title: Sql, words: Sql) => tx`
  setweight(to_tsvector('aisle', ${title}), 'A') || setweight(to_tsvector('aisle', left(${words}, ${tx.unsafe(MAX)})), 'B')`;
export const fullSearch = (tx: Transaction, titleSearch: Sql, codes: Sql, text: Sql) => tx`
  ${titleSearch} || setweight(to_tsvector('aisle', left(${codes}, ${tx.unsafe(MAX)})), 'C') || to_tsvector('aisle', ${text})`;
