// What a row of a file is staged as: its columns, and itself as COPY reads it.
import { fold } from "../fold";
import type { Offer } from "./offer";
import { codeWords, indexed, kindWords, lookWords, type nounWords, textWords } from "./search-text";

/** Column, its type, and where it comes from. `position` counts the rows, so that of two with one id the last wins. */
const columns: [name: string, type: string, of: (offer: Offer, staged: Staged) => Cell][] = [
  ["position", "int", (_, staged) => staged.position],
  ["line", "int", (offer) => offer.line],
  ["variant_id", "text", (offer) => offer.id],
  ["item_group_id", "text", (offer) => offer.itemGroupId],
  ["item_group_title", "text", (offer) => offer.itemGroupTitle],
  ["options", "text", (offer) => offer.itemGroupId && offer.options],
  /** What it costs now. */
  ["effective", "bigint", (offer, staged) => effective(offer, staged.now)],
  ["title", "text", (offer) => offer.title],
  ["title_key", "text", (offer) => fold(offer.title)],
  ["description", "text", (offer) => offer.description],
  ["link", "text", (offer) => offer.link],
  ["image_link", "text", (offer) => offer.images.main],
  ["additional_image_links", "text[]", (offer) => offer.images.more],
  ["brand", "text", (offer) => offer.brand],
  ["gtin", "char(14)", (offer) => offer.gtin],
  ["mpn", "text", (offer) => offer.mpn],
  ["sku", "text", (offer) => offer.sku],
  ["condition", "text", (offer) => offer.condition],
  ["product_type", "text[]", (offer) => offer.categories.productType],
  ["google_product_category", "text[]", (offer) => offer.categories.googleProductCategory],
  ["color", "text", (offer) => offer.look.color],
  ["size", "text", (offer) => offer.look.size],
  ["material", "text", (offer) => offer.look.material],
  ["pattern", "text", (offer) => offer.look.pattern],
  ["age_group", "text", (offer) => offer.look.ageGroup],
  ["gender", "text", (offer) => offer.look.gender],
  ["attributes", "jsonb", (offer) => JSON.stringify(offer.attributes)],
  ["tokens", "text[]", (_, staged) => staged.tokens],
  ["currency", "char(3)", (offer) => offer.cost.currency],
  ["price_amount", "bigint", (offer) => offer.cost.price],
  ["sale_price_amount", "bigint", (offer) => offer.cost.sale?.price],
  ["sale_starts_at", "timestamptz", (offer) => offer.cost.sale?.start],
  ["sale_ends_at", "timestamptz", (offer) => offer.cost.sale?.end],
  ["availability", "text", (offer) => offer.stock.availability],
  ["availability_date", "timestamptz", (offer) => offer.stock.availabilityDate],
  ["expires_at", "timestamptz", (offer) => offer.stock.expiresAt],
  ["seller", "text", (offer) => offer.seller],
  ["shipping", "jsonb", (offer) => JSON.stringify(offer.shipping)],
  ["unit_pricing_measure", "text", (offer) => offer.unitPricingMeasure],
  ["rating_value", "real", (offer) => offer.rating?.value],
  ["rating_scale_max", "smallint", (offer) => offer.rating?.scaleMax],
  ["rating_count", "int", (offer) => offer.rating?.count],
  ["data_as_of", "timestamptz", (_, staged) => staged.dataAsOf],
  /** Words that this file has not brought before. */
  ["words", "text[]", (_, staged) => staged.words],
  /** What is indexed of it. */
  ["title_words", "text", (offer) => indexed(offer.title)],
  ["kind_words", "text", kindWords],
  ["head_nouns", "text", (_, { nouns }) => nouns.surely],
  ["perhaps_nouns", "text", (_, { nouns }) => nouns.perhaps],
  ["title_nouns", "text", (_, { nouns }) => nouns.called],
  ["look_words", "text", lookWords],
  ["code_words", "text", codeWords],
  ["text_words", "text", textWords],
];

/** What is known of a row beside its offer. */
export interface Staged {
  position: number;
  tokens: string[];
  words: string[];
  nouns: ReturnType<typeof nounWords>;
  now: Date;
  dataAsOf: Date;
}

type Cell = string | number | Date | readonly string[] | undefined;

function effective({ cost: { price, sale } }: Offer, now: Date): number {
  return sale && (!sale.start || sale.start <= now) && (!sale.end || sale.end > now) ? sale.price : price;
}

/** SQL: the columns with their types. */
export const columnList = columns.map(([name, type]) => `${name} ${type}`).join(", ");

/** A row in the text format of COPY. */
export function rowText(offer: Offer, staged: Staged): string {
  let row = "";
  for (const [, , of] of columns) row += `${row === "" ? "" : "\t"}${copied(of(offer, staged))}`;
  return `${row}\n`;
}

function copied(value: Cell): string {
  if (value === undefined) return "\\N";
  if (typeof value === "string") return escaped(value);
  if (typeof value === "number") return String(value);
  if (value instanceof Date) return value.toISOString();
  if (value.length === 0) return "{}";
  return escaped(`{${value.map(quoted).join(",")}}`);
}

const special = /[\\\t\n\r]/;
const escapes: Record<string, string> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };
const escaped = (text: string): string =>
  special.test(text) ? text.replace(/[\\\t\n\r]/g, (character) => escapes[character]!) : text;

const quoted = (text: string): string => `"${/["\\]/.test(text) ? text.replace(/["\\]/g, "\\$&") : text}"`;
