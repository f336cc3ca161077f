// What can be filtered by equality, and the words that a misspelt query may be mended to.
import type { Attribute } from "../../../db/schema/catalog";
import { fold } from "../fold";
import { googlePath } from "../google-taxonomy";
import type { Offer } from "./offer";

/**
 * `name=value`, folded, in the order of their code units, so that the same ones are the same array. A path counts with every
 * path above it.
 * @param kept what it has beside
 */
export function tokensOf(offer: Offer, kept: readonly string[] = []): string[] {
  const { categories, look } = offer;
  const tokens = new Set(kept);
  add(tokens, "brand", offer.brand);
  add(tokens, "condition", offer.condition);
  if (categories.productType) addPath(tokens, "type", categories.productType);
  for (const path of categories.otherProductTypes) addPath(tokens, "type", path);
  if (categories.googleProductCategory) addPath(tokens, "gcat", categories.googleProductCategory);
  if (categories.googleCategoryId) {
    add(tokens, "gcat", categories.googleCategoryId);
    // Whatever the feed calls it, and in which language.
    addPath(tokens, "gcat", googlePath(categories.googleCategoryId) ?? []);
  }
  addEach(tokens, "color", look.color);
  addEach(tokens, "material", look.material);
  add(tokens, "size", look.size);
  add(tokens, "pattern", look.pattern);
  add(tokens, "gender", look.gender);
  add(tokens, "age_group", look.ageGroup);
  for (const attribute of offer.attributes)
    if (!own.has(fold(attribute.name))) add(tokens, tokenNameOf(attribute.name), told(attribute));
  return [...tokens].sort();
}

const told = ({ value, unit }: Attribute): string => (unit ? `${value} ${unit}` : value);

/** What the row has columns for: a detail of the same name never says otherwise. */
const own = new Set(["brand", "condition"]);
/** A detail that is called as the tokens of categories are. */
const likeCategories = new Set(["type", "gcat"]);

/**
 * Of tokens that were loaded before, maybe by a release that folded otherwise, what no column has: further product types, and what
 * follows from Google's number. Details were once taken for categories: where one of the row says the same it is the detail's, unless
 * a longer path begins with it, or the detail has a token of its own. That one may be of an indexing since, which left the other
 * standing; but to keep it until the row is loaded again is better than to lose a product type.
 */
export function besideColumns({ attributes }: Offer, tokens: readonly string[]): string[] {
  const folded = tokens.flatMap((token) => {
    const [, name, value] = /^(type|gcat|\(type\)|\(gcat\))=(.*)$/s.exec(token) ?? [];
    return value === undefined ? [] : [`${name}=${fold(value)}`];
  });
  const theirs = new Set(
    attributes.flatMap((attribute) => {
      const said = fold(told(attribute));
      return folded.includes(`${tokenNameOf(attribute.name)}=${said}`) ? [] : [`${fold(attribute.name)}=${said}`];
    }),
  );
  const paths = folded.filter((token) => !token.startsWith("("));
  return paths.filter((path) => !theirs.has(path) || paths.some((other) => other.startsWith(`${path} > `)));
}

/** What an attribute is called in tokens. */
export function tokenNameOf(attribute: string): string {
  const name = fold(attribute);
  return likeCategories.has(name) ? `(${name})` : name;
}

/** The attribute again, as it is told. */
export const attributeIn = (tokenName: string): string => /^\((\w+)\)$/.exec(tokenName)?.[1] ?? tokenName;

function add(tokens: Set<string>, name: string, value: string | undefined): void {
  if (value) keep(tokens, `${name}=${fold(value)}`);
}

/** Google's form for several is Red/Green/Black: each counts, and all together. */
function addEach(tokens: Set<string>, name: string, value: string | undefined): void {
  add(tokens, name, value);
  if (value?.includes("/")) for (const part of value.split("/")) add(tokens, name, part.trim());
}

const paths = new Map<string, string[]>();

/** Feeds repeat their few categories in every row: their folded prefixes are kept. */
function addPath(tokens: Set<string>, name: string, path: readonly string[]): void {
  if (path.length === 0) return;
  const key = `${name}=${path.join(" > ")}`;
  let prefixes = paths.get(key);
  if (!prefixes) {
    prefixes = path.map(
      (_, i) =>
        `${name}=${path
          .slice(0, i + 1)
          .map(fold)
          .join(" > ")}`,
    );
    if (paths.size >= 5_000) paths.clear();
    paths.set(key, prefixes);
  }
  for (const prefix of prefixes) keep(tokens, prefix);
}

/** An entry of PostgreSQL's GIN holds some 2,700 bytes, and nobody filters by so much. */
function keep(tokens: Set<string>, token: string): void {
  if (token.length <= 250 || Buffer.byteLength(token) <= 1_000) tokens.add(token);
}

/**
 * Gives each word of titles, brands and categories about once: letters and digits, 3 to 40 of them, not digits only.
 * What it remembers is bounded; a word that it forgets comes again, and the table takes it once.
 */
export class Words {
  private readonly seen = new Set<string>();

  of(offer: Offer): string[] {
    const { productType, googleProductCategory } = offer.categories;
    const texts = [offer.title, offer.brand, ...(productType ?? []), ...(googleProductCategory ?? [])];
    const fresh: string[] = [];
    for (const text of texts) {
      for (const word of text ? (fold(text).match(/[\p{L}\p{N}]+/gu) ?? []) : []) {
        if (word.length < 3 || word.length > 40 || this.seen.has(word) || /^\p{N}+$/u.test(word)) continue;
        if (this.seen.size >= 50_000) this.seen.clear();
        this.seen.add(word);
        fresh.push(word);
      }
    }
    return fresh;
  }
}
