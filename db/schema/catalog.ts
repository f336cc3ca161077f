import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  char,
  check,
  customType,
  index,
  integer,
  jsonb,
  pgTable,
  real,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { createdAt, instant, oneOf, tsvector } from "./columns";
import { stores } from "./merchants";

/** One way and price of sending, as in the feed's `shipping` attribute. `price` in minor units of the row's currency. */
export interface Shipping {
  country?: string;
  service?: string;
  price: number;
  currency: string;
  min_handling_days?: number;
  max_handling_days?: number;
  min_transit_days?: number;
  max_transit_days?: number;
  min_order_amount?: number;
}
export interface Attribute {
  name: string;
  value: string;
  unit?: string;
}

/** Text in the order of its code points, so that a prefix is a range of the index. */
const codePoints = customType<{ data: string }>({ dataType: () => 'text COLLATE "C"' });
const identity = () => bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity();
const availabilities = ["in_stock", "out_of_stock", "preorder", "backorder", "discontinued"] as const;
const conditions = ["new", "refurbished", "used"] as const;
const availability = () => text({ enum: availabilities }).notNull();
const condition = () => text({ enum: conditions }).notNull();

/**
 * What search reads: one row a product (an item group, or a single row of the feed), kept narrow and derived from
 * `variants` by the importer. Price, sale and availability are those of the cheapest variant to be had.
 */
export const products = pgTable(
  "products",
  {
    // What is read of every match stands first: a row costs by how far into it one reads.
    id: identity(),
    storeId: uuid()
      .notNull()
      .references(() => stores.id, { onDelete: "cascade" }),
    excluded: boolean().notNull().default(false),
    priceAmount: bigint({ mode: "number" }).notNull(),
    salePriceAmount: bigint({ mode: "number" }),
    saleStartsAt: instant(),
    saleEndsAt: instant(),
    ratingValue: real(),
    ratingScaleMax: smallint(),
    ratingCount: integer(),
    currency: char({ length: 3 }).notNull(),
    availability: availability(),
    brand: text(),
    productType: text().array(),
    googleProductCategory: text().array(),
    /** Store, stock, price step, sale, rating and age as small numbers, for the index (server/services/catalog/marks.ts). */
    marks: integer()
      .array()
      .notNull()
      .generatedAlwaysAs(
        sql`product_marks(id, store_id, availability, price_amount, sale_price_amount, rating_value, rating_scale_max)`,
      ),
    /** Title in lower case without accents: an exact title ranks first. */
    titleKey: text().notNull(),
    /** Title (A), brand and category (B): small, read for ranking. */
    titleSearch: tsvector().notNull(),

    /** The merchant's own id: `item_group_id` where variants share one, else the feed's `id`. */
    productId: text().notNull(),
    itemGroupId: text(),
    /** The variant that price, sale and availability are taken from. */
    primaryVariantRef: bigint({ mode: "number" }),
    title: text().notNull(),
    condition: condition(),
    imageLink: text(),
    link: text().notNull(),
    availabilityDate: instant(),
    /** `name=value` in lower case for everything that can be filtered by equality: brand, type, gcat, color, size… */
    tokens: text().array().notNull(),
    /** All of it, description included (D): looked up by its index, hardly ever read. */
    search: tsvector().notNull(),
    vanishedAt: instant(),
    createdAt: createdAt(),
    dataAsOf: instant().notNull(),
    /** When the offer that it shows ends. */
    expiresAt: instant(),
    /** When a sale or offer of its variants next begins or ends: a job then picks the best anew (services/feeds/renewal.ts). */
    renewAt: instant(),
  },
  (t) => [
    uniqueIndex("products_store_product").on(t.storeId, t.productId),
    // The few that a merchant keeps from agents.
    index("products_excluded").on(t.storeId, t.productId).where(sql`${t.excluded}`),
    // One index for all that search asks: what a query, its filters and its order have in common is intersected in it.
    index("products_find").using(
      "gin",
      t.search,
      t.titleSearch,
      sql`ts_filter(${t.titleSearch}, '{a}')`,
      t.tokens,
      t.marks,
    ),
    // The same of one in 32, to tell how many a query will find before it is asked of all.
    index("products_sample")
      .using("gin", t.search, t.titleSearch, sql`ts_filter(${t.titleSearch}, '{a}')`, t.tokens, t.marks)
      .where(sql`${t.id} % 32 = 0`),
    index("products_title_key").using("hash", t.titleKey),
    index("products_due").on(t.renewAt).where(sql`${t.renewAt} is not null`),
    /** Which currencies there are, for orders by price. */
    index("products_currency").on(t.currency),
    check("products_prices", sql`${t.priceAmount} >= 0 and ${t.salePriceAmount} >= 0`),
    oneOf("products_availability", t.availability, availabilities),
    oneOf("products_condition", t.condition, conditions),
  ],
);

/** One row of the feed: a variant and the store's offer for it (decision 0004). */
export const variants = pgTable(
  "variants",
  {
    id: identity(),
    storeId: uuid()
      .notNull()
      .references(() => stores.id, { onDelete: "cascade" }),
    productRef: bigint({ mode: "number" })
      .notNull()
      .references(() => products.id, { onDelete: "cascade" }),
    /** The feed's `id`. */
    variantId: text().notNull(),
    itemGroupId: text(),
    itemGroupTitle: text(),
    position: integer().notNull(),
    title: text().notNull(),
    description: text(),
    link: text().notNull(),
    imageLink: text(),
    additionalImageLinks: text().array().notNull().default([]),
    brand: text(),
    /** Digits only, right check digit, left-padded to 14 so that UPC, EAN and GTIN-14 of one article are equal. */
    gtin: char({ length: 14 }),
    mpn: text(),
    sku: text(),
    condition: condition(),
    productType: text().array(),
    googleProductCategory: text().array(),
    color: text(),
    size: text(),
    material: text(),
    pattern: text(),
    ageGroup: text(),
    gender: text(),
    attributes: jsonb().$type<Attribute[]>().notNull().default([]),
    tokens: text().array().notNull(),
    currency: char({ length: 3 }).notNull(),
    priceAmount: bigint({ mode: "number" }).notNull(),
    salePriceAmount: bigint({ mode: "number" }),
    saleStartsAt: instant(),
    saleEndsAt: instant(),
    availability: availability(),
    availabilityDate: instant(),
    expiresAt: instant(),
    seller: text(),
    shipping: jsonb().$type<Shipping[]>().notNull().default([]),
    unitPricingMeasure: text(),
    ratingValue: real(),
    ratingScaleMax: smallint(),
    ratingCount: integer(),
    vanishedAt: instant(),
    dataAsOf: instant().notNull(),
  },
  (t) => [
    uniqueIndex("variants_store_variant").on(t.storeId, t.variantId),
    index("variants_product").on(t.productRef, t.position),
    index("variants_gtin").on(t.gtin, t.storeId).where(sql`${t.gtin} is not null`),
    check("variants_prices", sql`${t.priceAmount} >= 0 and ${t.salePriceAmount} >= 0`),
    check("variants_gtin_digits", sql`${t.gtin} ~ '^[0-9]{14}$'`),
    check("variants_sale_window", sql`${t.saleEndsAt} > ${t.saleStartsAt}`),
    oneOf("variants_availability", t.availability, availabilities),
    oneOf("variants_condition", t.condition, conditions),
  ],
);

/** Words that titles, brands and categories use: what a misspelt query word is mended to. */
export const searchWords = pgTable("search_words", { word: codePoints().primaryKey() }, (t) => [
  // Nobody means a code when they misspell a word, and most words of a large catalogue are codes.
  index("search_words_trigrams").using("gist", t.word.asc().op("gist_trgm_ops")).where(sql`${t.word} !~ '[0-9]'`),
]);

/** Languages that any store has been indexed in beside English: queries are read in each of them. */
export const searchLanguages = pgTable("search_languages", { language: text().primaryKey() }, (t) => [
  // What the database has no stems for would fail every search.
  oneOf("search_languages_known", t.language, ["de", "es", "fr", "it", "nl", "pt"]),
]);
