// What the columns and elements of a feed are called, in every spelling that occurs, and what they mean.
// Names: Google's product data specification (support.google.com/merchants/answer/7052112) and OpenAI's product feed
// specification, in its first (2025: enable_search, link) and its present form (is_eligible_search, item_id, url).
import { fold } from "../fold";
import { isCurrency } from "../money";
import { headingsElsewhere } from "./header-names";

/** Every attribute that is read, with the other names that it goes by, best first. */
const names = {
  id: ["item_id", "product_id", "article_id", "offer_id", "sku_id", "sku"],
  title: ["name", "product_name", "product_title", "item_title"],
  description: ["product_description", "long_description", "desc", "short_description", "summary", "content"],
  product_highlight: ["product_highlights", "highlights", "bullet_points", "bullet_point"],
  structured_title: [],
  structured_description: [],
  link: ["url", "product_url", "product_link", "page_url", "permalink", "deeplink"],
  image_link: [
    ...["image", "image_url", "picture", "picture_url", "main_image", "base_image", "photo", "image_0_url"],
    ...["images", "image_links", "image_urls"],
  ],
  additional_image_link: [
    "additional_image_links",
    "additional_image_urls",
    "additional_image_url",
    "additional_images",
    "additional_image",
    "extra_images",
    "images",
    "image_links",
    "image_urls",
  ],
  availability: ["availability_status", "stock_status", "stock_availability", "in_stock", "is_in_stock", "instock"],
  availability_date: ["available_date", "available_from"],
  expiration_date: ["expiry_date", "expires_at"],
  price: ["current_price", "regular_price", "list_price"],
  regular_price: ["compare_at_price", "original_price", "old_price", "was_price"],
  currency: ["price_currency", "currency_code"],
  sale_price: ["saleprice", "special_price", "discount_price", "discounted_price", "offer_price"],
  sale_price_effective_date: ["sale_price_dates", "sale_dates", "offer_price_effective_date"],
  // Behind the first line's: Magento's, and those of WooCommerce's exports and database.
  sale_price_start_date: [
    ...["sale_price_effective_date_start", "sale_price_effective_date_begin", "sale_start_date"],
    ...["special_price_from_date", "special_from_date"],
    ...["date_on_sale_from_gmt", "date_on_sale_from", "date_sale_price_starts", "sale_price_dates_from"],
  ],
  sale_price_end_date: [
    ...["sale_price_effective_date_end", "sale_end_date"],
    ...["date_on_sale_to_gmt", "date_on_sale_to", "date_sale_price_ends", "sale_price_dates_to"],
  ],
  // Magento's alone: the last day of the sale, not when it ends.
  special_price_to_date: ["special_to_date"],
  subscription_cost: [],
  installment: [],
  unit_pricing_measure: ["unit_measure"],
  unit_pricing_base_measure: ["base_measure"],
  brand: ["brand_name", "brands", "manufacturer", "vendor"],
  // The last ones: WooCommerce's.
  gtin: [
    ...["ean", "eans", "ean13", "upc", "gtin13", "gtin12", "gtin14", "gtin8", "isbn", "barcode"],
    ...["global_unique_id", "gtin_upc_ean_or_isbn"],
  ],
  mpn: ["manufacturer_part_number", "model_number", "part_number", "hans"],
  sku: ["merchant_sku", "article_number"],
  condition: ["item_condition"],
  google_product_category: ["google_category", "google_product_categories"],
  product_type: ["product_category", "category", "categories", "category_path", "merchant_category", "product_types"],
  item_group_id: [
    "group_id",
    "parent_id",
    "parent_sku",
    "parent",
    "item_group",
    "product_group_id",
    "variant_group_id",
  ],
  item_group_title: [],
  variant_option: ["additional_variant_attribute"],
  color: ["colour"],
  size: ["sizes"],
  material: ["materials"],
  pattern: [],
  age_group: [],
  gender: [],
  product_detail: ["product_details"],
  variant_dict: [],
  custom_variant1_category: ["option1_name", "attribute_1_name"],
  custom_variant1_option: ["option1_value", "attribute_1_value"],
  custom_variant2_category: ["option2_name", "attribute_2_name"],
  custom_variant2_option: ["option2_value", "attribute_2_value"],
  custom_variant3_category: ["option3_name", "attribute_3_name"],
  custom_variant3_option: ["option3_value", "attribute_3_value"],
  shipping: ["shipping_price", "shipping_cost", "shipping_costs", "delivery_cost", "delivery_costs"],
  free_shipping_threshold: [],
  seller_name: ["seller", "marketplace_seller", "sold_by"],
  min_handling_time: [],
  max_handling_time: [],
  min_transit_time: [],
  max_transit_time: [],
  star_rating: [
    "product_review_rating",
    "product_rating",
    "average_rating",
    "rating_average",
    "average_review_rating",
    "review_rating",
    "reviews_rating",
    "aggregate_rating",
    "rating_value",
    "rating",
  ],
  review_count: [
    "product_review_count",
    "number_of_reviews",
    "reviews_count",
    "rating_count",
    "ratings_count",
    "product_rating_count",
    "reviews_rating_count",
  ],
  inventory_quantity: ["inventory", "quantity", "stock_quantity", "quantity_to_sell_on_facebook", "stock", "qty"],
  enable_search: ["is_eligible_search"],
  published: ["is_published", "published_on_online_store", "active", "is_active", "product_visible", "visible"],
  status: ["product_status"],
  visibility: ["catalog_visibility", "visibility_in_catalog"],
  product_weight: ["weight", "item_weight"],
  item_weight_unit: ["weight_unit"],
  product_length: ["length"],
  product_width: ["width"],
  product_height: ["height"],
  dimensions_unit: [],
  dimensions: ["product_dimensions"],
  size_system: [],
  size_type: [],
  energy_efficiency_class: [],
  min_energy_efficiency_class: [],
  max_energy_efficiency_class: [],
  certification: [],
  multipack: [],
  is_bundle: [],
  adult: [],
  age_restriction: [],
} as const satisfies Record<string, readonly string[]>;

export type Attribute = keyof typeof names;
export const attributes = Object.keys(names) as Attribute[];
/** Those whose values may have named parts. */
export const withParts: ReadonlySet<Attribute> = new Set([
  ...(["structured_title", "structured_description", "shipping", "free_shipping_threshold"] as const),
  ...(["subscription_cost", "installment", "certification"] as const),
  ...(["variant_option", "product_detail", "variant_dict"] as const),
]);
/** Those whose values are amounts of money, or have such among their parts. */
export const amounts: ReadonlySet<Attribute> = new Set([
  ...([
    "price",
    "sale_price",
    "regular_price",
    "shipping",
    "free_shipping_threshold",
    "subscription_cost",
    "installment",
  ] as const),
]);
/** Those whose values are numbers of a unit. */
export const measures: ReadonlySet<Attribute> = new Set([
  ...(["product_weight", "product_length", "product_width", "product_height"] as const),
]);
/** Those that a structured value may only name: a brand with a number of its own. */
export const named: ReadonlySet<Attribute> = new Set([
  ...(["brand", "seller_name", "product_type", "google_product_category"] as const),
  ...(["color", "size", "material", "pattern", "age_group", "gender", "condition"] as const),
]);

/** Names that only OpenAI's specification has: what tells its CSV from Google's. */
const openai = new Set([
  "enable_search",
  "is_eligible_search",
  "enable_checkout",
  "is_eligible_checkout",
  "seller_name",
  "seller_url",
  "listing_has_variations",
  "variant_dict",
  "seller_tos",
  "seller_privacy_policy",
  "return_window",
  "store_country",
]);
export const isOpenAi = (headers: Iterable<string>): boolean => {
  for (const header of headers) if (openai.has(normalised(header))) return true;
  return false;
};

/** `g:Image Link`, `imageLink`, `IMAGE-LINK` and `image_link(…)` are all `image_link`. */
export function normalised(header: string): string {
  return header
    .replace(/\(.*$/s, "")
    .trim()
    .replace(/^g\s*:\s*/i, "")
    .replace(/([a-z\d])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "_")
    .replace(/^_+|_+$/g, "");
}

/** `additional_image_link_2`, and Meta's `image[1].url`: one more picture. */
const unnumbered = (name: string): string =>
  name
    .replace(/^(additional_image(?:_link|_url)?)_\d{1,2}$/, "$1")
    .replace(/^image_[1-9]\d?_url$/, "additional_image_url");

/** WooCommerce's `Categories` are several paths in one text: `Wear > Tees, Sale`. */
export const isList = (name: string): boolean => name === "categories";

export interface Column {
  /** Where in the row it stands. */
  index: number;
  /** Google's structured headers, `shipping(country:price)`: what the parts of a value are. */
  parts?: string[];
  /** `Price (EUR)`: what its bare amounts are in, as a code or a sign. */
  currency?: string;
  /** `Weight (kg)`: what its bare numbers are in. */
  unit?: string;
  /** Its cells have several values, parted by commas. */
  isList?: true;
}

/**
 * Google's `shipping` has the most sub-attributes, eleven (support.google.com/merchants/answer/6324484). More than so many
 * are no honest header: each cell under it would become an object as large.
 */
export const MAX_PARTS = 20;

const unit = /^(?:mm|cm|dm|m|in|inch|inches|ft|feet|mg|g|kg|grams|lbs?|oz)$/i;

/** What stands in parentheses is read where it can mean something; elsewhere it is a remark. */
function columnOf(attribute: Attribute, name: string, at: { index: number; inside: string | undefined }): Column {
  const { index, inside } = at;
  if (isList(name)) return { index, isList: true };
  if (inside === undefined) return { index };
  if (measures.has(attribute)) return unit.test(inside.trim()) ? { index, unit: inside.trim() } : { index };
  // Text has commas and colons of its own, which would be taken for those between its parts.
  if (attribute.startsWith("structured_")) return { index };
  const currency = inside.trim();
  if (amounts.has(attribute) && (/^\p{Sc}$/u.test(currency) || isCurrency(currency.toUpperCase())))
    return { index, currency };
  return withParts.has(attribute) ? { index, parts: inside.split(":", MAX_PARTS + 1).map(normalised) } : { index };
}

/** `Price (tax incl.)` of PrestaShop's export, and not the one without, which stands before it. */
function paid<Place extends { inside: string | undefined }>(attribute: Attribute, same: Place[]): Place[] {
  const taxed = same.filter(({ inside = "" }) => !/\b(?:excl|exkl|without|hors|ht|ohne|net|netto)\b/i.test(inside));
  return amounts.has(attribute) && taxed.length > 0 ? taxed : same;
}

const headingOf = (header: string): string => fold(unnumbered(normalised(header)));
const elsewhere = new Map(headingsElsewhere.map(([attribute, headings]) => [attribute, headings.map(headingOf)]));

/**
 * Which columns hold which attribute, by the names that it goes by, best first, and behind them those of other languages; of a column's parts one more than `MAX_PARTS` at
 * most. A row has the best of them that has a value there. A repeated column (additional_image_link, product_detail, shipping)
 * counts each time. One column may serve two attributes (`sku` as id).
 */
export function columnsOf(headers: readonly string[]): Map<Attribute, Column[][]> {
  const at = new Map<string, Parameters<typeof columnOf>[2][]>();
  headers.forEach((header, index) => {
    // No parenthesis inside: else thousands that are never closed would take quadratic time.
    const column = { index, inside: /\(([^()]*)\)/.exec(header)?.[1] };
    const name = headingOf(header);
    const same = at.get(name);
    if (same) same.push(column);
    else at.set(name, [column]);
  });
  const found = new Map<Attribute, Column[][]>();
  for (const attribute of attributes) {
    const all = [attribute, ...names[attribute], ...(elsewhere.get(attribute) ?? [])].flatMap((name) => {
      const same = at.get(name);
      return same ? [paid(attribute, same).map((column) => columnOf(attribute, name, column))] : [];
    });
    if (all.length > 0) found.set(attribute, all);
  }
  return found;
}

/** What a name may stand for, and how good a name it is for that (0: its own). */
const meanings = new Map<string, { attribute: Attribute; rank: number }[]>();
for (const attribute of attributes) {
  for (const [rank, name] of [attribute, ...names[attribute]].entries()) {
    meanings.set(name, [...(meanings.get(name) ?? []), { attribute, rank }]);
  }
}
const none: { attribute: Attribute; rank: number }[] = [];
export const meaningsOf = (name: string) =>
  meanings.get(name) ?? (name.includes("image") ? meanings.get(unnumbered(name)) : undefined) ?? none;
