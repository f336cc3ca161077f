// Category paths: the merchant's own (product_type) and Google's taxonomy (google_product_category).
import { googlePath } from "../google-taxonomy";
import { clean, isBlank, oneLine, plain, UNREADABLE } from "./plain";
import type { Value } from "./raw-row";
import type { Reading } from "./reading";
import { isKind } from "./vocabulary";

export interface Categories {
  /** From the top down. */
  productType: string[] | undefined;
  /** Further product types of the same row: found by filters, not shown. */
  otherProductTypes: string[][];
  googleProductCategory: string[] | undefined;
  /** Google's number for it, if the feed gives it. */
  googleCategoryId: string | undefined;
}

const MAX_TYPES = 50;
const MAX_LEVELS = 10;
/** Magento's paths, from the root that all of them have. */
const MAGENTO = /^Default Category(?:\/|$)/;
/** Google allows 750 characters; an index entry of PostgreSQL holds some 2,700 bytes. */
const MAX_BYTES = 2_000;

/** In JSON a category may be an object: WooCommerce's has a name, Shopify's also a `fullName`, with those above it. */
export function readCategories(from: Reading): Categories {
  const types = from.all("product_type");
  if (types.length > MAX_TYPES)
    from.warn("product_type", String(types.length), `has more than ${MAX_TYPES} types; cut`);
  const [productType, ...otherProductTypes] = types.slice(0, MAX_TYPES).flatMap((value) => {
    const said = saidBy(value) ?? "";
    const path = pathOf(said);
    if (said.length > MAX_BYTES / 4 && Buffer.byteLength(said) > MAX_BYTES)
      from.warn("product_type", said, `is longer than ${MAX_BYTES} bytes; cut`);
    return path.length > 0 && !isNone(path) ? [path] : [];
  });
  const text = from.text("google_product_category");
  const google = text ? googleCategory(saidBy(from.all("google_product_category")[0]!) ?? text) : undefined;
  return {
    productType,
    otherProductTypes,
    googleProductCategory: google && google.path.length > 0 ? google.path : undefined,
    googleCategoryId: google?.id,
  };
}

/** Where WordPress puts what nobody has put anywhere, in English and the languages of `woocommerce-names.ts`. */
const NONE =
  /^(?:uncategori[sz]ed|unkategorisiert|nicht kategorisiert|non classée?|sin categorizar|sin categoría|senza categoria|geen categorie|niet gecategoriseerd|bez kategorii)$/iu;
const isNone = (path: string[]): boolean => path.length === 1 && NONE.test(path[0]!);

const saidBy = (value: Value): string | undefined =>
  typeof value === "string" ? value : (value.full_name ?? value.name ?? value.title);

/** `Home > Garden` (also with `&gt;` or `»`): its names from the top down, as many as fit. */
export function pathOf(text: string): string[] {
  if (text.includes(UNREADABLE) || isKind(text)) return [];
  const path: string[] = [];
  let room = MAX_BYTES;
  const said = plain(clean(text));
  for (const part of MAGENTO.test(said) ? said.split("/").slice(1) : said.split(/>|\s»\s/)) {
    const name = oneLine(part.trim());
    if (isBlank(name)) continue;
    room -= Buffer.byteLength(name);
    if (room < 0 || path.length === MAX_LEVELS) break;
    path.push(name);
  }
  return path;
}

/**
 * A path, a number (`469`), or both: `469 > Health & Beauty`, or `469 - Health & Beauty` as in Google's own list. Of a number
 * alone the path is that of the list, or the number itself where that has none.
 */
export function googleCategory(text: string): { id: string | undefined; path: string[] } {
  const parts = /^(\d{1,8})(?:\.0+)?(?:\s*$|\s*[>-]\s*|\s+(?=\D))(.*)$/s.exec(plain(clean(text)));
  if (!parts) return { id: undefined, path: pathOf(text) };
  const id = String(Number(parts[1]));
  const path = pathOf(parts[2]!);
  return { id, path: path.length > 0 ? path : named([id]) };
}

/** The names of what was kept as a number alone. */
export const named = (path: string[]): string[] => (path.length === 1 ? (googlePath(path[0]!) ?? path) : path);
