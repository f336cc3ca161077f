// Which products a search lets through, as SQL conditions on `products p`. `allowed` is the statement's CTE of readable stores,
// with their currencies where prices are compared in those.
import { constant } from "../../../db/compose";
import type { Consumer, Ctx } from "../../context";
import { readable } from "../coverage";
import { fold } from "../fold";
import { googlePath } from "../google-taxonomy";
import { foldedEach, onceMade, tokens } from "./attributes";
import type { AvailabilityStatus, Condition, Fragment } from "./card";
import { PRICE, PRICE_STEPS, RATING, RATING_STEPS, RATING_STOCK, SLICES, STOCK_LEVELS } from "./marks";
import { and, isMixed, levelsOf, ofArticle, offered } from "./offered";
import type { Code } from "./words";

/** As in the tool's arguments. Lists: any of their values. Different filters: all of them. */
export interface Filters {
  /** Minor units of `currency`, or of each store's own; what it costs now counts. */
  price?: { min?: number | undefined; max?: number | undefined; currency?: string | undefined } | undefined;
  brand?: string[] | undefined;
  condition?: Condition[] | undefined;
  availability?: AvailabilityStatus[] | undefined;
  google_product_category?: string[] | undefined;
  product_type?: string[] | undefined;
  gtin?: string[] | undefined;
  attributes?: { name: string; values: string[] }[] | undefined;
  on_sale?: boolean | undefined;
  /** `min` is of five stars, whatever the store's scale. */
  rating?: { min?: number | undefined; min_count?: number | undefined } | undefined;
}

type Reading = Ctx<Consumer>;

/** SQL: is `p` shown, in a store that may be read, and does it pass every filter? @param code what the query is */
export function passes(ctx: Reading, filters: Filters, reach: Reach, code?: Code): Fragment {
  return and(ctx, [
    ctx.sql`not p.excluded`,
    inAllowedStores(ctx, reach),
    ...listed(ctx, filters),
    ...offered(ctx, filters, code),
    ...rated(ctx, filters),
  ]);
}

/**
 * SQL: conditions by which the index narrows prices, stock and ratings down, to be added to `passes` by a search that reads all
 * matches: most of what it would read in vain is left out. (A walk goes through the index cell by cell, and is faster without.)
 * @param isAsked are there words that the index finds as well?
 */
export function looksUp(ctx: Reading, filters: Filters, isAsked: boolean, code?: Code): Fragment {
  const { sql } = ctx;
  const { price, rating, attributes, condition, gtin } = filters;
  const lookups: Fragment[] = [];
  const { min, max } = price ?? {};
  const isNarrow = min !== undefined && max !== undefined && max + 1 <= (min + 1) * LOOKED_UP_SPAN;
  // The price of a variant may be far from its product's. And a wide span takes off too little, unless all else is to read everything.
  if ((isNarrow || (!isAsked && (min ?? max) !== undefined)) && !attributes && !gtin && !code) {
    const from = min === undefined ? constant(sql, 0) : sql`price_step(${min})`;
    const to = max === undefined ? constant(sql, PRICE_STEPS - 1) : sql`price_step(${max})`;
    const priced = sql`p.marks && array(select ${constant(sql, PRICE)} + generate_series(${from}, ${to}))`;
    lookups.push(condition ? sql`(${priced} or ${isMixed(ctx, condition)})` : priced);
  }
  const levels = levelsOf(filters, code);
  // Most is in stock.
  if (!levels.includes(0))
    lookups.push(sql`p.marks && array(select ${constant(sql, SLICES)} * level + slice
      from unnest(${levels}::int[]) level, generate_series(0, ${constant(sql, SLICES - 1)}) slice)`);
  if (rating?.min !== undefined)
    lookups.push(sql`p.marks && array(select ${constant(sql, RATING)} + ${constant(sql, RATING_STOCK)} * level + step
      from generate_series(0, ${constant(sql, STOCK_LEVELS - 1)}) level, generate_series(${Math.floor(rating.min * 10)}::int, ${constant(sql, RATING_STEPS)}) step)`);
  return lookups.reduce((left, right) => sql`${left} and ${right}`, sql``);
}

/** The widest span of prices, as a quotient, that is worth looking up step by step. */
const LOOKED_UP_SPAN = 16;

/** How many stores a search is about: that decides how it keeps to them. */
export type Reach = "few" | "some" | "most";

/** One more round trip for explicit coverage; else it is plain. */
export async function reachOf({ sql, actor }: Reading, storeIds: readonly string[] | undefined): Promise<Reach> {
  if (actor.tier === "sandbox") return "few";
  if (storeIds === undefined && actor.coverage === "default_on") return "most";
  const [row] = storeIds
    ? []
    : await sql<[{ count: number }]>`select count(*)::int from stores s where ${readable(sql, actor)}`;
  const count = row?.count ?? storeIds?.length ?? 0;
  return count <= 10 ? "few" : count <= 100 ? "some" : "most";
}

/**
 * Few stores are marks that the index intersects with the query, some are looked up beside it, and most only sort out
 * what was found (`is true` keeps PostgreSQL from going through the products of every store instead).
 */
function inAllowedStores({ sql }: Reading, reach: Reach): Fragment {
  if (reach === "some") return sql`p.store_id = any (array(select id from allowed))`;
  const marks = reach === "few" ? sql`p.marks && array(select store_mark(id) from allowed) and` : sql``;
  return sql`${marks} (p.store_id in (select id from allowed)) is true`;
}

/** The token of `Home & Garden > Lighting`, with whatever blanks: all that lies below it has it, too. */
export const pathToken = (name: "type" | "gcat", path: string): string => `${name}=${foldedPath(path)}`;

const foldedPath = (path: string): string => path.split(">").map(fold).filter(Boolean).join(" > ");
const foldedPaths = onceMade(foldedPath);

/** Google's categories, by path or number. A number stands for its path, too, so for all below it. */
const googleTokens = (paths: readonly string[]): string[] => {
  const named = paths.flatMap((path) => googlePath(path.trim())?.join(">") ?? []);
  return tokens("gcat", [...foldedPaths(paths), ...named.map(foldedPath)]);
};

/** What is found by equality. */
function listed({ sql }: Reading, filters: Filters): Fragment[] {
  const { brand, condition, google_product_category, product_type, gtin } = filters;
  const conditions: Fragment[] = [];
  if (condition) {
    const any = sql`p.tokens && ${tokens("condition", condition)}::text[]`;
    // Nearly everything is new: looking that up would cost more than it saves.
    conditions.push(condition.includes("new") ? sql`(${any}) is true` : any);
  }
  if (brand) conditions.push(sql`p.tokens && ${tokens("brand", foldedEach(brand))}::text[]`);
  if (google_product_category) conditions.push(sql`p.tokens && ${googleTokens(google_product_category)}::text[]`);
  if (product_type) {
    const paths = foldedPaths(product_type);
    const [own, google] = [tokens("type", paths), tokens("gcat", paths)];
    conditions.push(sql`p.tokens && ${[...own, ...google]}::text[]
      and (p.tokens && ${own}::text[] or (p.product_type is null and p.tokens && ${google}::text[]))`);
  }
  if (gtin) conditions.push(sql`p.id in (select product_ref from variants v where ${ofArticle(sql, gtin)})`);
  return conditions;
}

/** SQL: the rating in thousandths of a star, of five; null without one. */
export const stars = (sql: Ctx["sql"]): Fragment => sql`round(p.rating_value / p.rating_scale_max * 5000)::int`;

function rated({ sql }: Reading, { rating }: Filters): Fragment[] {
  const conditions: Fragment[] = [];
  if (rating?.min !== undefined) conditions.push(sql`${stars(sql)} >= ${Math.round(rating.min * 1000)}`);
  if (rating?.min_count !== undefined) conditions.push(sql`coalesce(p.rating_count, 0) >= ${rating.min_count}::bigint`);
  return conditions;
}
