// What search reads of a product, by weight: A title, B brand, categories and what sets variants apart, C codes,
// D description; and what kind of thing it is filed as, as words with "=" before them, and called, with "~". All of it is made
// searchable first, as the words of a query are.
import { isArabic } from "../arabic";
import { telling } from "../catalog/function-words";
import { fold, searchable } from "../fold";
import { holdsTogether, isNounFirst, type LanguageCode, thingsIn } from "../languages";
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
 * "coats" and "jackets" of `Coats & Jackets`, "bottles" of `Water Bottles for Outdoor`. The topmost says little where there are others: boot wax is in `Boots > Care`.
 * @param languages that the store is indexed in: its own categories may be called in these
 */
export const headNouns = (
  { categories: { productType, googleProductCategory } }: Offer,
  languages: readonly LanguageCode[],
): string =>
  [
    ...below(productType).flatMap((name) => nounsOf(name, languages, languages.some(isNounFirst))),
    ...below(googleProductCategory).flatMap((name) => nounsOf(name, languages, false)),
  ].join(" ");

/** `(2-Pack) Rain Jacket`, `[New] Rain Jacket` */
const inBrackets = /^(?:\s*[([{（【][^)\]}）】]*[)\]}）】])+/u;
/** Words at the end of `Rain Jacket XL`, `Rain Jacket 2024` and `Perfume 100 ml`. */
const size = /^(?:\p{N}.*|x{0,3}[sml]|[cm]l|[km]?g|oz|lbs?|[cm]m|inch(?:es)?|ft|[gt]b)$/iu;

function withoutSize(name: string): string {
  const words = name.trim().split(/\s+/);
  return words.slice(0, words.findLastIndex((word) => !size.test(word)) + 1).join(" ");
}

/** What its title is about: "jacket" of `Women's Rain Jacket - Moss, M`. Categories may file it as something wider, or narrower. */
export const titleNouns = ({ title }: Offer, languages: readonly LanguageCode[]): string => {
  const parts = title.replace(inBrackets, "").split(/\s[-–—]\s|[,:;|([{（【]/u);
  const name = parts.find((part) => searchable(part) !== "") ?? title;
  return nounsOf(withoutSize(name), languages, languages.some(isNounFirst)).join(" ");
};

const below = (path: readonly string[] = []) => (path.length > 1 ? path.slice(1) : path);

/** What follows these belongs to what an English name is about. "In", "by" and "to" stand inside names: `Clip In Extensions`. */
const belonging = new Set(["for", "of", "with", "without", "from"]);

/** @param perhapsFirst where nothing tells its language, a name may begin with its noun */
const nounsOf = (name: string, languages: readonly LanguageCode[], perhapsFirst: boolean): string[] =>
  thingsIn(name, languages).flatMap((thing) => {
    const words = searchable(thing).split(" ");
    const told = languages.filter((language) => words.some((word) => holdsTogether(language, word)));
    if (told.length > 0) return [...new Set(told.map((language) => nounIn(language, words)))];
    const end = words.findIndex((word) => belonging.has(word));
    const before = telling(words.slice(0, Math.max(end, 0)));
    if (before.length > 0) return [before.at(-1)!];
    const nouns = indexed(thing).split(" ");
    if (isArabic(nouns[0]!)) return [nouns[0]!];
    return perhapsFirst && nouns.length > 1 ? [nouns[0]!, nouns.at(-1)!] : [nouns.at(-1)!];
  });

/** `bolsas` of "bolsas de mulher", `schuhe` of "rote Schuhe für Damen". */
function nounIn(language: LanguageCode, words: readonly string[]): string {
  const isTelling = (word: string) => !holdsTogether(language, word);
  const first = words.findIndex(isTelling);
  if (first === -1) return "";
  const end = words.findIndex((word, i) => i > first && !isTelling(word));
  return isNounFirst(language) ? words[first]! : words.slice(first, end === -1 ? undefined : end).at(-1)!;
}

/** Whom a row is for, as shoppers say it: feeds say it apart from the title. */
const wearers = new Map(
  Object.entries({
    male: "men",
    female: "women",
    kids: "kids",
    toddler: "toddler kids",
    infant: "infant baby",
    newborn: "newborn baby",
  }),
);

/** What sets a row apart from others of its group. */
export const lookWords = ({ look: { color, size, material, pattern, gender, ageGroup } }: Offer): string =>
  indexed(joined(color, size, material, pattern, ...[gender, ageGroup].map((word) => word && wearers.get(fold(word)))));

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

/** The stems of words in English and in each of the languages, at the same weight. */
const stems = (tx: Transaction, words: Sql, languages: readonly LanguageCode[]): Sql =>
  languages.reduce(
    (all, language) => tx`${all} || stems(${language}, ${words})`,
    tx`to_tsvector('aisle_products', ${words})`,
  );

export const titleSearch = (
  tx: Transaction,
  languages: readonly LanguageCode[],
  { title, words, nouns, called }: Record<"title" | "words" | "nouns" | "called", Sql>,
) => tx`
  setweight(${stems(tx, title, languages)}, 'A') || setweight(${stems(tx, tx`left(${words}, ${tx.unsafe(MAX)})`, languages)}, 'B')
  || array_to_tsvector(array(select '=' || lexeme from unnest(${stems(tx, nouns, languages)})
    union all select '~' || lexeme from unnest(${stems(tx, called, languages)})))`;
export const fullSearch = (
  tx: Transaction,
  languages: readonly LanguageCode[],
  { titleSearch, codes, text }: Record<"titleSearch" | "codes" | "text", Sql>,
) => tx`
  ${titleSearch} || setweight(to_tsvector('aisle_products', left(${codes}, ${tx.unsafe(MAX)})), 'C') || ${stems(tx, text, languages)}`;
