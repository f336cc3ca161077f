// What search reads of a product, by weight: A title, B brand, categories and what sets variants apart, C codes,
// D description; and what kind of thing it is, as words with "=" before them. All of it is made searchable first, as the
// words of a query are.
import { telling } from "../catalog/function-words";
import { searchable } from "../fold";
import type { Offer } from "./offer";
import { cut } from "./plain";
import type { Transaction } from "./transaction";

/** Characters of a product's words or codes that are indexed: a tsvector takes a megabyte at most. */
const MAX = "20000";
/** Of a description: what says what a thing is stands in its beginning. */
const MAX_DESCRIPTION = 2_000;

/** The words of `text` that stand in the index, with blanks between. */
export const indexed = (text: string): string => telling(searchable(text).split(" ")).join(" ");

const joined = (...texts: (string | undefined)[]): string => texts.filter(Boolean).join(" ");

/** What kind of thing a row is. */
export const kindWords = ({ brand, categories: { productType, googleProductCategory } }: Offer): string =>
  indexed(joined(brand, ...(productType ?? []), ...(googleProductCategory ?? [])));

/**
 * What its categories are about, in English their last words: "boots" and "leather" of `Footwear > Hiking Boots > Leather`,
 * "coats" and "jackets" of `Coats & Jackets`. The topmost says little where there are others: boot wax is in `Boots > Care`.
 */
export const headNouns = ({ categories: { productType, googleProductCategory } }: Offer): string =>
  [productType, googleProductCategory]
    .flatMap((path = []) => (path.length > 1 ? path.slice(1) : path))
    .flatMap((name) => name.split(/[&,/+]|\band\b/i))
    .map((name) => indexed(name).split(" ").at(-1))
    .join(" ");

/** What sets a row apart from others of its group. */
export const lookWords = ({ look: { color, size, material, pattern } }: Offer): string =>
  indexed(joined(color, size, material, pattern));

/** Codes are found as they are written, and without what separates their parts. */
export const codeWords = ({ mpn, sku, gtin }: Offer): string =>
  [mpn, sku, gtin, gtin?.replace(/^0+/, "")]
    .flatMap((code) => {
      const words = code ? searchable(code) : "";
      return words.includes(" ") ? [words, words.replaceAll(" ", "")] : words || [];
    })
    .join(" ");

export const textWords = ({ description }: Offer): string =>
  description ? indexed(cut(description, MAX_DESCRIPTION)) : "";

type Sql = ReturnType<Transaction["unsafe"]>;

export const titleSearch = (tx: Transaction, title: Sql, words: Sql, nouns: Sql) => tx`
  setweight(to_tsvector('aisle_products', ${title}), 'A') || setweight(to_tsvector('aisle_products', left(${words}, ${tx.unsafe(MAX)})), 'B')
  || array_to_tsvector(array(select '=' || lexeme from unnest(to_tsvector('aisle_products', ${nouns}))))`;
export const fullSearch = (tx: Transaction, titleSearch: Sql, codes: Sql, text: Sql) => tx`
  ${titleSearch} || setweight(to_tsvector('aisle_products', left(${codes}, ${tx.unsafe(MAX)})), 'C') || to_tsvector('aisle_products', ${text})`;
