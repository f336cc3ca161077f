// One row of the feed, checked: what may be stored, or nothing. Every attribute that is wrong is reported by name.
import type { Attribute as ProductAttribute, Shipping } from "../../../db/schema/catalog";
import { type Categories, readCategories } from "./category";
import { type Cost, readCost } from "./cost";
import { type Look, readDetails, readLook } from "./detail";
import { parseGtin } from "./gtin";
import type { Attribute } from "./header";
import { type Images, readImages, readLink } from "./link";
import { clean, cut, isBlank, oneLine, plain, UNREADABLE } from "./plain";
import { readPlans } from "./plan";
import type { RawRow, Value } from "./raw-row";
import { Reading, type Shop } from "./reading";
import { Issues, NOT_UTF8 } from "./report";
import { readShipping } from "./shipping";
import { readStock, type Stock } from "./stock";
import { type Condition, conditionOf } from "./vocabulary";

export interface Offer {
  line: number;
  id: string;
  itemGroupId: string | undefined;
  /** What the group is called. */
  itemGroupTitle: string | undefined;
  title: string;
  description: string | undefined;
  link: string;
  images: Images;
  brand: string | undefined;
  /** 14 digits. */
  gtin: string | undefined;
  mpn: string | undefined;
  sku: string | undefined;
  condition: Condition;
  categories: Categories;
  look: Look;
  attributes: ProductAttribute[];
  /** All that may set it apart from others of its group, as one text. */
  options: string | undefined;
  cost: Cost;
  stock: Stock;
  seller: string | undefined;
  shipping: Shipping[];
  unitPricingMeasure: string | undefined;
  rating: Rating | undefined;
}

interface Rating {
  value: number;
  scaleMax: number;
  count: number | undefined;
}

/** Of highlights as many as Google takes. */
const MAX = { id: 200, title: 500, description: 10_000, highlights: 100 } as const;

/** @returns undefined when the row has an error; why is in `issues` */
export function readOffer(row: RawRow, shop: Shop, issues: Issues): Offer | undefined {
  const from = new Reading(row, issues, shop);
  if (row.fault) return from.fail(row.fault.field, row.fault.value, row.fault.reason);
  const look = readLook(from);
  // What is required is there unless the reading has failed.
  const offer: Offer = {
    line: row.line,
    id: readRequired(from, "id", MAX.id)!,
    itemGroupId: readGroup(from),
    itemGroupTitle: from.word("item_group_title", MAX.title),
    title: readRequired(from, "title", MAX.title)!,
    description: readDescription(from),
    link: readLink(from)!,
    images: readImages(from),
    brand: from.word("brand"),
    gtin: readGtin(from),
    mpn: from.word("mpn"),
    sku: from.word("sku"),
    condition: readCondition(from),
    categories: readCategories(from),
    look,
    ...readTerms(from, look),
    stock: readStock(from),
    seller: from.word("seller_name"),
    unitPricingMeasure: readUnitPricing(from),
    rating: readRating(from),
  };
  return from.failed ? undefined : offer;
}

/** The id of a row that is not read for itself. */
export const readId = (row: RawRow, shop: Shop): string | undefined =>
  readRequired(new Reading(row, new Issues(), shop), "id", MAX.id);

/**
 * What it costs there, and to send; and its details, of which how it is paid is one: a phone that is paid monthly may cost nothing
 * at checkout (support.google.com/merchants/answer/6324371).
 */
function readTerms(from: Reading, look: Look): Pick<Offer, "cost" | "shipping" | "attributes" | "options"> {
  const cost = readCost(from)!;
  const plans = cost ? readPlans(from, cost) : [];
  if (cost?.price === 0 && plans.length === 0) from.warn("price", from.text("price")!, "is zero");
  const shipping = readShipping(from, cost?.currency ?? from.shop.currency);
  return { cost, shipping, ...readDetails(from, look, plans) };
}

function readRequired(from: Reading, field: "id" | "title", max: number): string | undefined {
  const text = from.text(field) ?? (field === "title" ? structuredText(from, "structured_title") : undefined);
  if (!text) return from.fail(field, "", "is missing");
  if (text.includes(UNREADABLE)) return from.fail(field, text, NOT_UTF8);
  const line = oneLine(field === "title" ? plain(text) : text);
  if (!line) return from.fail(field, text, "is missing");
  if (line.length > max) return from.fail(field, text, `is longer than ${max} characters`);
  return line;
}

/**
 * What Google wants in place of a title or description that a model wrote (support.google.com/merchants/answer/6324415): who
 * wrote it, a colon, and the text, in quotes where it has colons of its own.
 */
function structuredText(from: Reading, field: "structured_title" | "structured_description"): string | undefined {
  const [value = ""] = from.all(field);
  const text =
    typeof value === "string"
      ? clean(value).replace(/^(?:default|trained_algorithmic_media)?\s*:\s*/i, "")
      : clean(value.content ?? "");
  const isQuoted = text.length > 1 && text.startsWith('"') && text.endsWith('"');
  return (isQuoted ? text.slice(1, -1).replaceAll('""', '"') : text) || undefined;
}

/** What plugins write of a product that has no parent. */
const NO_PARENT = /^0+$/;

/**
 * Too long a group id must not be cut: it could join what is apart. One that cannot be read leaves what was loaded of the row
 * as it was, in its group: its product is known by that.
 */
function readGroup(from: Reading): string | undefined {
  const text = from.text("item_group_id");
  if (!text || NO_PARENT.test(text) || isBlank(plain(text))) return undefined;
  if (text.includes(UNREADABLE)) return from.fail("item_group_id", text, NOT_UTF8);
  if (text.length > MAX.id)
    return from.warn("item_group_id", text, `is longer than ${MAX.id} characters; taken as a product of its own`);
  return oneLine(text);
}

/** With its highlights, a line each, but for what it says itself. */
function readDescription(from: Reading): string | undefined {
  const own = readText(from, "description", from.text("description") ?? structuredText(from, "structured_description"));
  const said = own.toLowerCase();
  const all = from
    .all("product_highlight")
    .flatMap((value) => (typeof value === "string" ? listed(clean(value)) : Object.values(value)));
  if (all.length > MAX.highlights)
    from.warn("product_highlight", String(all.length), `has more than ${MAX.highlights} highlights; cut`);
  const highlights = new Set(
    all
      .slice(0, MAX.highlights)
      .map((text) => oneLine(readText(from, "product_highlight", text)))
      .filter((text) => !isBlank(text) && !said.includes(text.toLowerCase())),
  );
  const whole = [own, ...[...highlights].map((text) => `• ${text}`)].filter(Boolean).join("\n");
  if (whole.length > MAX.description) from.warn("description", whole, "is longer than 10,000 characters; cut");
  return cut(whole, MAX.description) || undefined;
}

/** Of a table's cell: several in quotes, with commas between (support.google.com/merchants/answer/9216100). */
const listed = (text: string): string[] => (/^".*"$/s.test(text) ? text.slice(1, -1).split(/"\s*,\s*"/) : [text]);

function readText(from: Reading, field: Attribute, text = ""): string {
  if (!text.includes(UNREADABLE)) return plain(text);
  from.warn(field, text, "has characters that are not UTF-8; they were left out");
  return plain(text.replaceAll(UNREADABLE, ""));
}

function readGtin(from: Reading): string | undefined {
  const text = from.word("gtin");
  if (text === undefined) return undefined;
  const [first = text, ...others] = text.split(/[,;|](?=\s*\d{8})/).map((one) => one.trim());
  if (others.some((other) => other !== first))
    from.warn("gtin", text, "has several values; all but the first are left out");
  const read = parseGtin(first);
  return typeof read === "string" ? from.warn("gtin", text, `${read}; left out`) : read.gtin;
}

function readCondition(from: Reading): Condition {
  const text = from.word("condition");
  if (!text) return "new";
  return conditionOf(text) ?? from.warn("condition", text, "is not new, refurbished or used; left out") ?? "new";
}

function readUnitPricing(from: Reading): string | undefined {
  const [measure, base] = [from.word("unit_pricing_measure", 50), from.word("unit_pricing_base_measure", 50)];
  return measure && base ? `${measure} / ${base}` : measure;
}

/** Stars of five, unless it says otherwise (`8.4/10`). */
function readRating(from: Reading): Rating | undefined {
  const text = from.word("star_rating");
  if (!text) return undefined;
  const parts = /^(\d{1,3}(?:[.,]\d{1,20})?)(?:\s*\/\s*(\d{1,3}))?$/.exec(text);
  const [value, scaleMax] = [Number(parts?.[1]?.replace(",", ".")), Number(parts?.[2] ?? 5)];
  if (!parts || !(value >= 0 && value <= scaleMax && scaleMax > 0))
    return from.warn("star_rating", text, "is not a rating from 0 to 5; left out");
  const count = readCount(from, from.word("review_count") ?? countBeside(from.all("star_rating")[0]));
  // What nobody has rated yet.
  if (value === 0 && !count) return undefined;
  return { value, scaleMax, count };
}

/** schema.org's AggregateRating has it beside the stars. */
const countBeside = (rating: Value | undefined): string | undefined =>
  typeof rating === "object" ? rating.review_count || rating.rating_count : undefined;

/** `1,204` and `1 204`, and `12.0`, as spreadsheets write whole numbers. */
function readCount(from: Reading, text: string | undefined): number | undefined {
  if (!text) return undefined;
  const whole = text.replace(/[.,]0{1,2}$/, "");
  const digits = /^\d{1,3}(?:[,.\s]\d{3})+$/.test(whole) ? whole.replace(/\D/g, "") : whole;
  return /^\d{1,9}$/.test(digits) ? Number(digits) : from.warn("review_count", text, "is not a number; left out");
}
