// Whose price, stock and link count where products have variants: what filters, and the code that a query may be, are judged by.
import { constant } from "../../../db/compose";
import type { Consumer, Ctx } from "../../context";
import { attributeName, tokens, valuesOf } from "./attributes";
import {
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
import type { Filters } from "./filters";
import { EVERY_LEVEL, HAS_SALE, LEVEL_OF } from "./marks";
import { tsquery } from "./tsquery";
import type { Code } from "./words";

type Reading = Ctx<Consumer>;

/** Is a price of each store's own currency asked for? */
export const inOwnCurrency = ({ price }: Filters): boolean =>
  price !== undefined && price.currency === undefined && (price.min !== undefined || price.max !== undefined);

export const and = ({ sql }: Reading, conditions: Fragment[]): Fragment =>
  conditions.reduce((left, right) => sql`${left} and ${right}`);

/**
 * Stock and price. A product that has the code asked for is judged by the variant whose code it is, as by a GTIN: that must
 * meet all of it. Any other is judged as without.
 */
export function offered(ctx: Reading, filters: Filters, code: Code | undefined): Fragment[] {
  const { sql } = ctx;
  const plainly = ofAny(ctx, filters);
  if (!code || (plainly.length === 0 && !filters.gtin)) return plainly;
  const its = plainly.length > 0 ? holds(ctx, filters, "v") : [];
  const one = sql`select from variants v where v.product_ref = p.id and ${and(ctx, [hasCode(sql, code), ...isOne(ctx, filters), ...its])}`;
  return [sql`case when ${isCoded(sql, code)} then exists (${one}) else ${and(ctx, [sql`true`, ...plainly])} end`];
}

/**
 * The product itself has stock and price of its cheapest variant to be had, and mostly is judged by them. One of its
 * variants must meet all of it instead where attributes are asked for, a GTIN together with a condition, stock or price, or a
 * condition of a product that comes in others too.
 */
function ofAny(ctx: Reading, filters: Filters): Fragment[] {
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

export const ofArticle = (sql: Ctx["sql"], gtins: string[]): Fragment =>
  sql`v.gtin = any (${gtins.map((gtin) => gtin.padStart(14, "0"))}::text[]::bpchar[])`;

/** SQL: is it the code of variant `v`? Feeds and shoppers write codes with hyphens or without, and GTINs with zeros before. */
const hasCode = (sql: Ctx["sql"], { keys }: Code): Fragment => sql`
  array[ltrim(v.gtin, '0'), ${bare(sql, sql`v.mpn`)}, ${bare(sql, sql`v.sku`)}] && ${keys}::text[]`;

const bare = (sql: Ctx["sql"], text: Fragment): Fragment =>
  sql`regexp_replace(lower(unaccent(folded(${text}))), '[^[:alnum:]]', '', 'g')`;

/**
 * SQL: is it the code of a variant of `p`?
 * @param likely SQL that tells nearly all others, of which there may be thousands, without a look at variants
 */
const isCoded = (sql: Ctx["sql"], code: Code, likely = sql`p.search @@ ${tsquery(sql, code.query)}`): Fragment => sql`
  (${likely} and exists (select from variants v where v.product_ref = p.id and ${hasCode(sql, code)} offset 0))`;

/** Whose offer is it that the filters, or the code that the query is, are about: the product's, or that of one of its variants? */
export const offerOf = ({ attributes, gtin, condition }: Filters, code?: Code): "p" | "v" =>
  attributes?.length || gtin || condition || code ? "v" : "p";

/**
 * The stock levels that products have which pass, where the filters tell: a product that is judged by its variants, or whose offer has
 * ended, may have any.
 */
export function levelsOf(filters: Filters, code?: Code): readonly number[] {
  const { availability } = filters;
  if (!availability || availability.includes("discontinued") || offerOf(filters, code) === "v") return EVERY_LEVEL;
  return [...new Set(availability.map((status) => LEVEL_OF[status]))];
}

/**
 * SQL, to be joined laterally to a product that passes, as `v`: its offer that is asked for. That is of the variant that has the
 * code, if one has it. @param likely as `isCoded` has it
 */
export function offer(ctx: Reading, filters: Filters, code?: Code, likely?: Fragment): Fragment {
  const { sql, now } = ctx;
  const plainly = offerOf(filters) === "v" ? offerOfOne(ctx, filters) : standing(sql, sql`p.currency`, now);
  if (!code) return sql`${plainly} v`;
  // `offset 0` keeps that it is told once a product.
  return sql`(
    select shown.* from (select ${isCoded(sql, code, likely)} as has_it offset 0) coded cross join lateral (
      select * from (${best(ctx, filters, [hasCode(sql, code)])}) best where coded.has_it
      union all select * from ${plainly} other where not coded.has_it) shown) v`;
}

/**
 * SQL: the offer of the variant that the filters ask for. What comes in no other condition than is asked for stands for itself.
 */
function offerOfOne(ctx: Reading, filters: Filters): Fragment {
  const { sql, now } = ctx;
  const { attributes, condition, gtin } = filters;
  const one = best(ctx, filters);
  if (attributes?.length || gtin) return sql`(${one})`;
  const mixed = comesIn(ctx, others(condition!));
  return sql`(select * from (${one}) best where ${mixed} union all select * from ${standing(sql, sql`p.currency`, now)} own where not ${mixed})`;
}

/**
 * SQL: of the variants that the filters ask for the one in stock first, then the cheapest in the product's own currency, then
 * the first in the feed.
 */
function best(ctx: Reading, filters: Filters, also: Fragment[] = []): Fragment {
  const { sql, now } = ctx;
  const own = filters.attributes?.length || holds(ctx, filters, "p").length > 0 ? holds(ctx, filters, "v") : [];
  return sql`
    select v.title, case when ${goneNow(sql, now)} then 'discontinued' else v.availability end as availability, ${offerColumns(sql, "v")}
    from variants v where v.product_ref = p.id and ${and(ctx, [...also, ...isOne(ctx, filters), ...own])}
    order by ${stockNow(sql, now)}, ${cheapestFirst(sql, sql`p.currency`, now)}, v.position, v.id limit 1`;
}

/** SQL: does `p` come in conditions that are asked for, and in others? */
export const isMixed = (ctx: Reading, asked: Condition[]): Fragment =>
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
