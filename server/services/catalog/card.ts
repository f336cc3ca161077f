// A product as a card: what lists show of it, in the words of `server/tools/shapes.ts`.
import type { PendingQuery, Row, TransactionSql } from "postgres";
import type { Sql } from "../../../db/client";
import { products } from "../../../db/schema/catalog";
import type { Consumer } from "../../context";
import { planNames } from "../feeds/plan";
import { type Money, maybeMoney, money } from "../money";
import { productUrl } from "../product-link";

/** A piece of SQL with its parameters. */
export type Fragment = PendingQuery<Row[]>;
export const availabilityStatuses = products.availability.enumValues;
export type AvailabilityStatus = (typeof availabilityStatuses)[number];
export const conditions = products.condition.enumValues;
export type Condition = (typeof conditions)[number];

/** Amounts in minor units of `currency`; instants as PostgreSQL writes them into JSON. */
export interface CardRow {
  product_id: string;
  store_id: string;
  store_name: string;
  title: string;
  brand: string | null;
  currency: string;
  price_amount: number;
  sale_amount: number | null;
  /** The least and the greatest price now among variants that can be had or will be, in the product's currency. */
  lowest: number | null;
  highest: number | null;
  range_currency: string;
  availability: AvailabilityStatus;
  availability_date: string | null;
  image_link: string | null;
  link: string;
  item_group_id: string | null;
  rating_value: number | null;
  rating_scale_max: number | null;
  rating_count: number | null;
  data_as_of: string;
}

export interface Availability {
  status: AvailabilityStatus;
  available: boolean;
  availability_date?: string;
}

/** The product or variant as agents see it; `price_range` when variants differ in what they cost now. */
export interface Card {
  product_id: string;
  store_id: string;
  store_name: string;
  title: string;
  brand?: string;
  price: Money;
  sale_price?: Money;
  price_range?: { min: Money; max: Money };
  availability: Availability;
  image_link?: string;
  product_url: string;
  item_group_id?: string;
  /** `count` where the feed says how many gave it. */
  rating?: { value: number; scale_max: number; count?: number };
  data_as_of: string;
}

/** SQL: the sale price of product or variant `of`; null without one and outside its window at `now`. */
export const saleNow = (sql: Sql | TransactionSql<{ bigint: number }>, of: "p" | "v", now: Date): Fragment => sql`
  case when ${sql(of)}.sale_price_amount is not null and (${sql(of)}.sale_starts_at is null or ${sql(of)}.sale_starts_at <= ${now})
    and (${sql(of)}.sale_ends_at is null or ${sql(of)}.sale_ends_at > ${now}) then ${sql(of)}.sale_price_amount end`;

/** SQL: can variant `v` never be had again? It is discontinued, as all that left the feed is, or its offer has expired. */
export const goneNow = (sql: Sql | TransactionSql<{ bigint: number }>, now: Date): Fragment =>
  sql`(v.availability = 'discontinued' or coalesce(v.expires_at <= ${now}, false))`;

/**
 * SQL: in which order variants `v` stand by what they cost now: in the currency `home` first, then currency by currency
 * (decision 0059).
 */
export const cheapestFirst = (sql: Sql, home: Fragment, now: Date): Fragment =>
  sql`nullif(v.currency, ${home}) nulls first, coalesce(${saleNow(sql, "v", now)}, v.price_amount)`;

/** SQL: where variant `v` stands by its stock now, as `stock_level()` has it. */
export const stockNow = (sql: Sql, now: Date): Fragment =>
  sql`stock_level(case when ${goneNow(sql, now)} then 'discontinued' else v.availability end)`;

/** SQL: what a card shows of an offer, that of product or variant `of`, but for its title and stock; and as `ref` the variant's. */
export const offerColumns = (sql: Sql, of: "p" | "v"): Fragment => sql`
  ${of === "p" ? sql`p.primary_variant_ref` : sql`v.id`} as ref,
  ${sql(of)}.brand, ${sql(of)}.link, ${sql(of)}.image_link, ${sql(of)}.currency, ${sql(of)}.price_amount, ${sql(of)}.sale_price_amount,
  ${sql(of)}.sale_starts_at, ${sql(of)}.sale_ends_at, ${sql(of)}.availability_date, ${sql(of)}.expires_at, ${sql(of)}.data_as_of`;

/**
 * SQL, to be joined laterally to `products p`: the offer that stands for it, under its title. Where that has ended and no
 * renewal has come by yet, its variants are looked at: it is that of the best one left.
 */
export function standing(sql: Sql, home: Fragment, now: Date): Fragment {
  const hasEnded = sql`(p.availability <> 'discontinued' and coalesce(p.expires_at <= ${now}, false))`;
  return sql`(
    select p.title, p.availability, ${offerColumns(sql, "p")} where not ${hasEnded}
    union all (select p.title, v.availability, ${offerColumns(sql, "v")} from variants v
      where ${hasEnded} and v.product_ref = p.id and (not ${goneNow(sql, now)} or v.id = p.primary_variant_ref)
      order by ${stockNow(sql, now)}, ${cheapestFirst(sql, home, now)}, v.position limit 1))`;
}

/** SQL: the columns of a `CardRow`, of product `p` in store `s` with its `priceRange` and `v`, whose offer it shows. */
export const cardColumns = (sql: Sql, now: Date): Fragment => sql`
  p.product_id, p.store_id, s.name as store_name,
  v.title, coalesce(v.brand, p.brand) as brand, v.currency, v.price_amount, ${saleNow(sql, "v", now)} as sale_amount,
  range.lowest, range.highest, p.currency as range_currency, v.availability_date,
  case when ${goneNow(sql, now)} then 'discontinued' else v.availability end as availability,
  coalesce(v.image_link, p.image_link) as image_link, v.link, p.item_group_id,
  p.rating_value, p.rating_scale_max, p.rating_count, v.data_as_of`;

/** SQL, to be joined laterally to `products p`: the least and greatest price now of the variants that are not gone. */
export const priceRange = (sql: Sql, now: Date): Fragment => sql`
  (select min(price.amount) as lowest, max(price.amount) as highest
  from variants v cross join lateral (select coalesce(${saleNow(sql, "v", now)}, v.price_amount)) price (amount)
  where v.product_ref = p.id and v.currency = p.currency and not ${goneNow(sql, now)}) range`;

/** SQL: what is paid over time for the variant `ref`, in words; null where nothing is. */
export const planOf = (sql: Sql, ref: Fragment): Fragment => sql`
  (select string_agg(said ->> 'value', '; ') from variants paid, jsonb_array_elements(paid.attributes) said
  where paid.id = ${ref} and said ->> 'name' = any (${Object.values(planNames)}::text[]))`;

/**
 * What a row says, for the reader: with the credit in its link, and without what is not known.
 * @param language to write amounts in: a BCP 47 tag
 */
export function card(row: CardRow, reader: Consumer, language?: string): Card {
  const range = row.lowest !== null && row.highest !== null && row.lowest < row.highest;
  const sale = maybeMoney(row.sale_amount, row.currency, language);
  const rating = ratingOf(row);
  return {
    product_id: row.product_id,
    store_id: row.store_id,
    store_name: row.store_name,
    title: row.title,
    brand: row.brand || undefined,
    price: money(row.price_amount, row.currency, language),
    sale_price: sale,
    price_range: range
      ? {
          min: money(row.lowest!, row.range_currency, language),
          max: money(row.highest!, row.range_currency, language),
        }
      : undefined,
    availability: availability(row.availability, row.availability_date),
    image_link: row.image_link || undefined,
    product_url: productUrl(row.link, row.product_id, reader),
    item_group_id: row.item_group_id || undefined,
    rating,
    data_as_of: instant(row.data_as_of),
  };
}

/** What an agent needs to choose between products and to link to one. */
export function compact(full: Card): Card {
  const { price_range: _range, item_group_id: _group, rating: _rating, ...rest } = full;
  return rest;
}

/** @param date when a preorder or backorder is expected to ship; told as a day, in UTC */
export function availability(status: AvailabilityStatus, date: string | null): Availability {
  const later = status === "preorder" || status === "backorder";
  return {
    status,
    available: later || status === "in_stock",
    availability_date: later && date ? instant(date).split("T")[0] : undefined,
  };
}

const ratingOf = (row: Pick<CardRow, "rating_value" | "rating_scale_max" | "rating_count">) =>
  row.rating_value === null || row.rating_scale_max === null
    ? undefined
    : {
        value: row.rating_value,
        scale_max: row.rating_scale_max,
        count: row.rating_count ?? undefined,
      };

/** As PostgreSQL writes it into JSON, to ISO 8601 in UTC. */
const instant = (text: string): string => new Date(text).toISOString();
