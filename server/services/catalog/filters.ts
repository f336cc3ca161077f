// Which products a search lets through, as SQL conditions on `products p`. `allowed` is the statement's CTE of readable stores,
// with their currencies where prices are compared in those.
import { constant } from "../../../db/compose";
import type { Consumer, Ctx } from "../../context";
import { readable } from "../coverage";
import { tokenNameOf } from "../feeds/token";
import { ageGroupOf, genderOf } from "../feeds/vocabulary";
import { fold } from "../fold";
import { googlePath } from "../google-taxonomy";
import {
  type AvailabilityStatus,
  type Condition,
  cheapestFirst,
  conditions as everyCondition,
  type Fragment,
  goneNow,
  offerColumns,
  saleNow,
  standing,
  stockNow,
} from "./card";
import { HAS_SALE, PRICE, RATING, RATING_STEPS, RATING_STOCK, STOCK_LEVELS } from "./marks";
import { spellings } from "./same-words";

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

/** Is a price of each store's own currency asked for? */
export const inOwnCurrency = ({ price }: Filters): boolean =>
  price !== undefined && price.currency === undefined && (price.min !== undefined || price.max !== undefined);

/** SQL: is `p` shown, in a store that may be read, and does it pass every filter? */
export function passes(ctx: Reading, filters: Filters, reach: Reach): Fragment {
  return and(ctx, [
    ctx.sql`not p.excluded`,
    inAllowedStores(ctx, reach),
    ...listed(ctx, filters),
    ...offered(ctx, filters),
    ...rated(ctx, filters),
  ]);
}

/**
 * SQL: conditions by which the index narrows prices and ratings down, to be added to `passes` by a search that reads all
 * matches: most of what it would read in vain is left out. (A walk goes through the index cell by cell, and is faster without.)
 */
export function looksUp(ctx: Reading, { price, rating, attributes, condition, gtin }: Filters): Fragment {
  const { sql } = ctx;
  const lookups: Fragment[] = [];
  const { min, max } = price ?? {};
  // The price of a variant may be far from its product's. And a wide span takes off too little.
  if (!attributes && !gtin && min !== undefined && max !== undefined && max + 1 <= (min + 1) * LOOKED_UP_SPAN) {
    const priced = sql`p.marks && array(select ${constant(sql, PRICE)} + generate_series(price_step(${min}), price_step(${max})))`;
    lookups.push(condition ? sql`(${priced} or ${isMixed(ctx, condition)})` : priced);
  }
  if (rating?.min !== undefined)
    lookups.push(sql`p.marks && array(select ${constant(sql, RATING)} + ${constant(sql, RATING_STOCK)} * level + step
      from generate_series(0, ${constant(sql, STOCK_LEVELS - 1)}) level, generate_series(${Math.floor(rating.min * 10)}::int, ${constant(sql, RATING_STEPS)}) step)`);
  return lookups.reduce((left, right) => sql`${left} and ${right}`, sql``);
}

/** The widest span of prices, as a quotient, that is worth looking up step by step. */
const LOOKED_UP_SPAN = 16;

const and = ({ sql }: Reading, conditions: Fragment[]): Fragment =>
  conditions.reduce((left, right) => sql`${left} and ${right}`);

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

const tokens = (name: string, values: readonly string[]): string[] => values.map((value) => `${name}=${fold(value)}`);

/** The token of `Home & Garden > Lighting`, with whatever blanks: all that lies below it has it, too. */
export const pathToken = (name: "type" | "gcat", path: string): string =>
  `${name}=${path.split(">").map(fold).filter(Boolean).join(" > ")}`;

const pathTokens = (name: "type" | "gcat", paths: readonly string[]): string[] =>
  paths.map((path) => pathToken(name, path));

/** Google's categories, by path or number. A number stands for its path, too, so for all below it. */
const googleTokens = (paths: readonly string[]): string[] => {
  const named = paths.flatMap((path) => googlePath(path.trim())?.join(">") ?? []);
  return pathTokens("gcat", [...paths, ...named]);
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
  if (brand) conditions.push(sql`p.tokens && ${tokens("brand", brand)}::text[]`);
  if (google_product_category) conditions.push(sql`p.tokens && ${googleTokens(google_product_category)}::text[]`);
  if (product_type) {
    const [own, google] = [pathTokens("type", product_type), pathTokens("gcat", product_type)];
    conditions.push(sql`p.tokens && ${[...own, ...google]}::text[]
      and (p.tokens && ${own}::text[] or (p.product_type is null and p.tokens && ${google}::text[]))`);
  }
  if (gtin) conditions.push(sql`p.id in (select product_ref from variants v where ${ofArticle(sql, gtin)})`);
  return conditions;
}

/**
 * Stock and price. The product itself has those of its cheapest variant to be had, and mostly is judged by them. One of its
 * variants must meet all of it instead where attributes are asked for, a GTIN together with a condition, stock or price, or a
 * condition of a product that comes in others too.
 */
function offered(ctx: Reading, filters: Filters): Fragment[] {
  const { sql } = ctx;
  const { attributes = [], condition, gtin, on_sale } = filters;
  const marked = on_sale ? [sql`p.marks @> array[${constant(sql, HAS_SALE)}]`] : [];
  const own = [...marked, ...holds(ctx, filters, "p")];
  const ofOne = attributes.length > 0 || (gtin !== undefined && (condition !== undefined || own.length > 0));
  if (!ofOne && !condition) return own;
  const one = sql`select from variants v where v.product_ref = p.id and ${and(ctx, [...isOne(ctx, filters), ...holds(ctx, filters, "v")])}`;
  if (ofOne || !condition) return [...looks(ctx, attributes, "p"), sql`exists (${one})`];
  const mixed = isMixed(ctx, condition);
  // `offset 0` keeps PostgreSQL from going through the variants of all products instead.
  return [sql`(${and(ctx, [sql`not ${mixed}`, ...own])} or ${mixed} and exists (${one} offset 0))`];
}

/** SQL: what variant `v` has to be, but for its stock and price. */
const isOne = (ctx: Reading, { attributes = [], condition, gtin }: Filters): Fragment[] => [
  ...(gtin ? [ofArticle(ctx.sql, gtin)] : []),
  ...looks(ctx, attributes, "v"),
  ...(condition ? [ctx.sql`v.tokens && ${tokens("condition", condition)}::text[]`] : []),
];

const looks = ({ sql }: Reading, attributes: NonNullable<Filters["attributes"]>, of: "p" | "v"): Fragment[] =>
  attributes.map(({ name, values }) => {
    const known = attributeName(name);
    return sql`${sql(of)}.tokens && ${tokens(known, valuesOf(known, values))}::text[]`;
  });

/** An attribute's name in tokens, where it is as Google's product data has it. */
export const attributeName = (name: string): string => (fold(name) === "colour" ? "color" : tokenNameOf(name));

/** Systems of sizes, which Google's product data keeps apart from the size, and merchants write before it. */
const sizeSystems = ["au", "br", "cn", "de", "eu", "fr", "it", "jp", "mex", "uk", "us"];
const sized = new RegExp(`^(${sizeSystems.join("|")})?\\s*(\\d+(?:[.,/ ]\\d+)*)$`);

/** `US 8.5` is `us8.5` and `8.5`, which may be one of any system. */
function sizesOf(value: string): string[] {
  const [, system, size] = sized.exec(value) ?? [];
  if (size === undefined) return [value];
  const systems = system === undefined ? sizeSystems : [system];
  return [size, ...systems.flatMap((one) => [`${one}${size}`, `${one} ${size}`])];
}

/** Words that a colour may have to be sought in all its spellings: of a text of hundreds they would be copied for each of them. */
const MOST_OF_COLOUR = 6;

/** The values, and what else they may be called there. */
function valuesOf(name: string, values: readonly string[]): string[] {
  const folded = values.map(fold);
  switch (name) {
    case "gender":
      return folded.flatMap((value) => [value, genderOf(value) ?? value]);
    case "age_group":
      return folded.flatMap((value) => [value, ageGroupOf(value) ?? value]);
    case "size":
      return folded.flatMap(sizesOf);
    case "color":
      return folded.flatMap((value) => (value.split(" ").length > MOST_OF_COLOUR ? value : spellings(value)));
    default:
      return folded;
  }
}

const ofArticle = (sql: Ctx["sql"], gtins: string[]): Fragment =>
  sql`v.gtin = any (${gtins.map((gtin) => gtin.padStart(14, "0"))}::text[]::bpchar[])`;

/** Whose offer is it that the filters are about: the product's, or that of one of its variants? */
export const offerOf = ({ attributes, gtin, condition }: Filters): "p" | "v" =>
  attributes?.length || gtin || condition ? "v" : "p";

/**
 * SQL, to be joined laterally to a product that passes, where `offerOf` says so: its variant that is asked for, in stock
 * first, then the cheapest in the product's own currency, then the first in the feed, as `v`. What comes in no other
 * condition than is asked for stands for itself.
 */
export function offer(ctx: Reading, filters: Filters): Fragment {
  const { sql, now } = ctx;
  const { attributes, condition, gtin } = filters;
  const ofOne = attributes?.length || gtin;
  const own = attributes?.length || holds(ctx, filters, "p").length > 0 ? holds(ctx, filters, "v") : [];
  const one = sql`
    select v.title, case when ${goneNow(sql, now)} then 'discontinued' else v.availability end as availability, ${offerColumns(sql, "v")}
    from variants v where v.product_ref = p.id and ${and(ctx, [...isOne(ctx, filters), ...own])}
    order by ${stockNow(sql, now)}, ${cheapestFirst(sql, sql`p.currency`, now)}, v.position, v.id limit 1`;
  if (ofOne) return sql`(${one}) v`;
  const mixed = comesIn(ctx, others(condition!));
  return sql`(select * from (${one}) best where ${mixed} union all select * from ${standing(sql, sql`p.currency`, now)} own where not ${mixed}) v`;
}

/** SQL: does `p` come in conditions that are asked for, and in others? */
const isMixed = (ctx: Reading, asked: Condition[]): Fragment =>
  ctx.sql`(${comesIn(ctx, asked)} and ${comesIn(ctx, others(asked))})`;

const others = (asked: Condition[]): Condition[] => everyCondition.filter((condition) => !asked.includes(condition));

const comesIn = ({ sql }: Reading, any: Condition[]): Fragment =>
  sql`(p.tokens && ${tokens("condition", any)}::text[])`;

/** SQL: the conditions on stock, price and sale of product `p` or variant `v`, by its columns. */
function holds({ sql, now }: Reading, filters: Filters, of: "p" | "v"): Fragment[] {
  const { availability, price, on_sale } = filters;
  const conditions: Fragment[] = [];
  const sale = saleNow(sql, of, now);
  const amount = sql`coalesce(${sale}, ${sql(of)}.price_amount)`;
  if (availability) {
    const ended = sql`coalesce(${sql(of)}.expires_at <= ${now}, false)`;
    conditions.push(
      availability.includes("discontinued")
        ? sql`(${sql(of)}.availability = any (${availability}::text[]) or ${ended})`
        : sql`${sql(of)}.availability = any (${availability}::text[]) and not ${ended}`,
    );
  } else if (of === "v") conditions.push(sql`not ${goneNow(sql, now)}`);
  if (price?.min !== undefined) conditions.push(sql`${amount} >= ${price.min}`);
  if (price?.max !== undefined) conditions.push(sql`${amount} <= ${price.max}`);
  if (price?.currency) conditions.push(sql`${sql(of)}.currency = ${price.currency}`);
  if (inOwnCurrency(filters))
    conditions.push(sql`((${sql(of)}.store_id, ${sql(of)}.currency) in (select id, currency from allowed)) is true`);
  if (on_sale !== undefined) conditions.push(on_sale ? sql`${sale} is not null` : sql`${sale} is null`);
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
