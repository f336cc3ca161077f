// What search reads of a product, by weight: A title, B brand, categories and what sets variants apart, C codes,
// D description; and what kind of thing it is filed as, as words with "=" before them, or "+" where it may be the one or the other of
// several, and called, with "~". All of it is made searchable first, as the words of a query are.
import { isArabic } from "../arabic";
import { FOR_ADULTS } from "../catalog/for-adults";
import { countsThings, isPortion, telling } from "../catalog/function-words";
import { apart } from "../catalog/own-stems";
import { bare } from "../catalog/same-things";
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
export const indexed = (text: string): string => telling(searchable(text).split(" ")).map(apart).join(" ");

const joined = (...texts: (string | undefined)[]): string => texts.filter(Boolean).join(" ");

/** What kind of thing a row is. */
export const kindWords = ({ brand, categories: { productType, googleProductCategory } }: Offer): string =>
  indexed(joined(brand, ...(productType ?? []), ...(googleProductCategory ?? [])));

/**
 * What its categories are about, in English their last words: "boots" and "leather" of `Footwear > Hiking Boots > Leather`,
 * "coats" and "jackets" of `Coats & Jackets`, "bottles" of `Water Bottles for Outdoor`. The topmost says little where there are others: boot wax is in `Boots > Care`.
 * Of a category of several things, such as `Hats & Gloves`, a "Ski Hat" is the hat; what is called neither may be either (`perhaps`).
 * @param languages that the store is indexed in: its own categories may be called in these
 */
function headNouns(
  { categories: { productType, googleProductCategory } }: Offer,
  languages: readonly LanguageCode[],
  called: string,
) {
  const named = new Set(called.split(" ").map(bare));
  const [surely, perhaps] = [new Set<string>(), new Set<string>()];
  const add = (name: string, perhapsFirst: boolean) => {
    const things = thingsIn(name, languages).map((thing) => nounsOf(thing, languages, perhapsFirst));
    const its = things.filter((nouns) => nouns.some((noun) => named.has(bare(noun))));
    const nouns = things.length > 1 && its.length === 0 ? perhaps : surely;
    for (const noun of (its.length > 0 ? its : things).flat()) nouns.add(noun);
  };
  for (const name of below(productType)) add(name, languages.some(isNounFirst));
  for (const name of below(googleProductCategory)) add(name, false);
  // As one word or the other, and not as both: what is indexed of a product counts in how well it fits.
  const unsure = [...perhaps].filter((noun) => !surely.has(noun));
  return { surely: [...surely].join(" "), perhaps: unsure.join(" ") };
}

/** `(2-Pack) Rain Jacket`, `[New] Rain Jacket` */
const inBrackets = /^(?:\s*[([{（【][^)\]}）】]*[)\]}）】])+/u;
/** The end of `Merino Boxer Twin Pack`: others are backpacks. */
const packed = /\s(?:twin|double|triple|multi|\p{N}+)[\s-]?packs?\s*$/iu;
/** Words at the end of `Rain Jacket XL`, `Rain Jacket 2024` and `Perfume 100 ml`. */
const size = /^(?:\p{N}.*|x{0,3}[sml]|[cm]l|[km]?g|oz|lbs?|[cm]m|inch(?:es)?|ft|[gt]b)$/iu;

function withoutSize(name: string): string {
  const words = name.replace(packed, "").trim().split(/\s+/);
  return words.slice(0, words.findLastIndex((word) => !size.test(word)) + 1).join(" ");
}

/** What its title is about: "jacket" of `Women's Rain Jacket - Moss, M`. Categories may file it as something wider, or narrower. */
const titleNouns = ({ title }: Offer, languages: readonly LanguageCode[]): string => {
  const parts = title.replace(inBrackets, "").split(/\s[-–—]\s|[,:;|([{（【]/u);
  const name = parts.find((part) => searchable(part) !== "") ?? title;
  const perhapsFirst = languages.some(isNounFirst);
  return thingsIn(withoutSize(name), languages)
    .flatMap((thing) => nounsOf(thing, languages, perhapsFirst))
    .join(" ");
};

/** What kind of thing a row is filed as, surely and perhaps, and what its title calls it. */
export function nounWords(offer: Offer, languages: readonly LanguageCode[]) {
  const called = titleNouns(offer, languages);
  const { surely, perhaps } = headNouns(offer, languages, called);
  const kinds = isForAdults(offer) ? joined(surely, FOR_ADULTS) : surely;
  return { surely: indexed(kinds), perhaps: indexed(perhaps), called: indexed(called) };
}

/** "Sex Toys", `Mature > Erotic`, in the languages that products are indexed in; no "Unisex", and no perfume of that title. */
const forAdults = /(?<!\p{L})(?:sex(?:o|es|ual\p{L}*|uel\p{L}*|toys?|spielzeug|shop)?|[eé]r[oóò]ti\p{L}*)(?!\p{L})/iu;

/** Does the feed say so (Google's `adult`), or one of its categories? */
const isForAdults = ({ attributes, categories: { productType, googleProductCategory } }: Offer): boolean =>
  attributes.some(({ name, value }) => name === "adult" && value === "yes") ||
  [...(productType ?? []), ...(googleProductCategory ?? [])].some((name) => forAdults.test(name));

const below = (path: readonly string[] = []) => (path.length > 1 ? path.slice(1) : path);

/** What follows these belongs to what an English name is about. "In", "by" and "to" stand inside names: `Clip In Extensions`. */
const belonging = new Set(["for", "of", "with", "without", "from"]);

/** @param perhapsFirst where nothing tells its language, a name may begin with its noun */
function nounsOf(thing: string, languages: readonly LanguageCode[], perhapsFirst: boolean): string[] {
  const words = searchable(thing).split(" ");
  const told = languages.filter((language) => words.some((word) => holdsTogether(language, word)));
  if (told.length > 0) return [...new Set(told.map((language) => nounIn(language, words)))];
  const end = words.findIndex((word) => belonging.has(word));
  // A "Set of 4 Mugs", a "Roll of Tape".
  if (words[end] === "of" && isPortion(words[end - 1]!))
    return nounsOf(words.slice(end + 1).join(" "), languages, perhapsFirst);
  const before = telling(words.slice(0, Math.max(end, 0)));
  if (before.length > 0) return [nounAtEnd(before)];
  const nouns = indexed(thing).split(" ");
  if (isArabic(nouns[0]!)) return [nouns[0]!];
  return perhapsFirst && nouns.length > 1 ? [nouns[0]!, nounAtEnd(nouns)] : [nounAtEnd(nouns)];
}

const nounAtEnd = (words: readonly string[]): string => words.findLast((word) => !countsThings(word)) ?? words.at(-1)!;

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
  { title, words, nouns, perhaps, called }: Record<"title" | "words" | "nouns" | "perhaps" | "called", Sql>,
) => tx`
  setweight(${stems(tx, title, languages)}, 'A') || setweight(${stems(tx, tx`left(${words}, ${tx.unsafe(MAX)})`, languages)}, 'B')
  || array_to_tsvector(array(select '=' || lexeme from unnest(${stems(tx, nouns, languages)})
    union all select '+' || lexeme from unnest(${stems(tx, perhaps, languages)})
    union all select '~' || lexeme from unnest(${stems(tx, called, languages)})))`;
export const fullSearch = (
  tx: Transaction,
  languages: readonly LanguageCode[],
  { titleSearch, codes, text }: Record<"titleSearch" | "codes" | "text", Sql>,
) => tx`
  ${titleSearch} || setweight(to_tsvector('aisle_products', left(${codes}, ${tx.unsafe(MAX)})), 'C') || ${stems(tx, text, languages)}`;
