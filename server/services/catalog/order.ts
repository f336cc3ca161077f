// In which order products are shown. Every order is four ascending numbers, the product's id last: so cursors are exact,
// and a product that does not change keeps its place whatever is loaded meanwhile.
import type { Sql } from "../../../db/client";
import { constant } from "../../../db/compose";
import type { Fragment } from "./card";
import { stars } from "./filters";
import { isForAdults } from "./for-adults";
import type { Ladder } from "./ladder";
import { BLOCK, BLOCK_SIZE, GONE, PRICE, PRICE_STEPS, RATING, RATING_STEPS, RATING_STOCK } from "./marks";

export const sorts = ["relevance", "price_asc", "price_desc", "newest", "rating"] as const;
export type Sort = (typeof sorts)[number];

/** Where a product stands. */
export type Place = readonly [k1: number, k2: number, k3: number, id: number];

export interface Order {
  /** SQL: k1, k2 and k3 of `products p` that costs `now_at.amount`. */
  keys: readonly [Fragment, Fragment, Fragment];
  /** SQL: the number, ascending within a k1, of the cell of the catalogue that (k2, k3, id) lie in. */
  cell: (k2: Fragment, k3: Fragment, id: Fragment) => Fragment;
  /** SQL: every cell that may hold something: (k1, cell, marks), where a product has one of `marks`. */
  cells: Fragment;
}

/** What can't be had again comes last in every order. */
const gone = (sql: Sql, of: "p" | "v"): Fragment => sql`(${sql(of)}.availability = 'discontinued')::int`;

/** 0 in stock, 1 to come, 2 out of stock, 3 discontinued. */
const stock = (sql: Sql, of: "p" | "v"): Fragment => sql`stock_level(${sql(of)}.availability)`;

/** Room for the rungs of a ladder below those of what can't be had again. */
export const GONE_RUNGS = 16;

/** What is for adults alone after all else; how well the words fit, then stock, then how close the words stand. */
export const relevanceKeys = (sql: Sql, ladder: Ladder, of: "p" | "v"): Order["keys"] => [
  sql`${constant(sql, 2 * GONE_RUNGS)} * ${gone(sql, of)} + ${constant(sql, GONE_RUNGS)} * (${isForAdults(sql)})::int + ${ladder.rung}`,
  stock(sql, of),
  sql`-${ladder.rank}`,
];

/**
 * @param of whose stock and price: the product's, or its variant `v`'s; the cells are those of the product's
 * @param currency whose prices come first
 * @param isOwn only prices in their stores' own currencies come at all
 * @param asked the stock levels of products that come at all
 */
export function orderOf(
  sql: Sql,
  sort: Sort,
  of: "p" | "v",
  currency: string | undefined,
  isOwn: boolean,
  asked: readonly number[],
): Order {
  switch (sort) {
    case "relevance":
      return byRating(sql, { key: stock(sql, of), levels: [[0], [1], [2], [3]] }, asked, sql`-p.id`);
    case "rating":
      return byRating(
        sql,
        { key: gone(sql, of), levels: [[0, 1, 2], [GONE]] },
        asked,
        sql`-coalesce(p.rating_count, 0)`,
      );
    case "newest":
      return byAge(sql, of);
    default:
      return byPrice(sql, of, sort === "price_asc" ? sql`1` : sql`-1`, currency, isOwn);
  }
}

const blocks = (sql: Sql) =>
  sql`generate_series(0, (select max(id) / ${constant(sql, BLOCK_SIZE)} from products)::int) block`;

/** Products get their ids in the order in which they come. */
const byAge = (sql: Sql, of: "p" | "v"): Order => ({
  keys: [gone(sql, of), sql`-p.id`, sql`0`],
  cell: (k2) => sql`${k2} / ${constant(sql, BLOCK_SIZE)}`,
  cells: sql`select k1, -block as cell, array[${constant(sql, BLOCK)} + block] as marks from generate_series(0, 1) k1, ${blocks(sql)}`,
});

/** Further than any cell of rated products. */
const UNRATED = 1_000_000;

/**
 * Most stars, `and`; what has none follows, the newest first.
 * @param first k1, and for each of its values the stock levels that have it
 */
const byRating = (
  sql: Sql,
  first: { key: Fragment; levels: number[][] },
  asked: readonly number[],
  and: Fragment,
): Order => ({
  keys: [first.key, sql`coalesce(-${stars(sql)}, 1)`, sql`case when ${stars(sql)} is null then -p.id else ${and} end`],
  cell: (k2, k3) =>
    sql`case when ${k2} = 1 then ${constant(sql, UNRATED)} + ${k3} / ${constant(sql, BLOCK_SIZE)} else ${k2} / 100 end`,
  cells: sql`
    select k1, cell, marks from (${first.levels
      .map((levels, k1) => ({ k1, levels: levels.filter((level) => asked.includes(level)) }))
      .filter(({ levels }) => levels.length > 0)
      .map(({ k1, levels }) => sql`select ${constant(sql, k1)} as k1, ${levels}::int[] as levels`)
      .reduce((left, right) => sql`${left} union all ${right}`)}) firsts, lateral (
      select -step as cell, array(select ${constant(sql, RATING)} + ${constant(sql, RATING_STOCK)} * level + step from unnest(levels) level) as marks
      from generate_series(0, ${constant(sql, RATING_STEPS)}) step
      union all select ${constant(sql, UNRATED)} - block, array[${constant(sql, BLOCK)} + block] from ${blocks(sql)}) cells`,
});

/** Amounts of different currencies can't be compared: a currency at a time. */
function byPrice(sql: Sql, of: "p" | "v", sign: Fragment, currency: string | undefined, isOwn: boolean): Order {
  const number = (code: Fragment) => sql`case when ${code} = ${currency ?? ""} then 0
    else ascii(${code}) * 65536 + ascii(substr(${code}, 2)) * 256 + ascii(substr(${code}, 3)) end`;
  return {
    keys: [
      sql`${gone(sql, of)} * 16777216 + ${number(sql`${sql(of)}.currency`)}`,
      sql`${sign} * now_at.amount`,
      sql`0`,
    ],
    cell: (k2) => sql`${sign} * price_step(${sign} * ${k2})`,
    cells: sql`
      with recursive used (currency) as (
        select min(currency) from products
        union all select (select min(p.currency) from products p where p.currency > used.currency) from used where used.currency is not null)
      select gone * 16777216 + ${number(sql`currency`)} as k1, ${sign} * step as cell, array[${constant(sql, PRICE)} + step] as marks
      from generate_series(0, 1) gone, used, generate_series(0, ${constant(sql, PRICE_STEPS - 1)}) step
      where currency is not null ${isOwn ? sql`and currency in (select currency from allowed)` : sql``}`,
  };
}
