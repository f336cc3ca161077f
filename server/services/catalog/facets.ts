// What the matches have in common, counted: for narrowing a search down.
import type { Sql } from "../../../db/client";
import type { Fragment } from "./card";

export interface Facet {
  name: "brand" | "category" | "price" | "availability" | "on_sale";
  approximate: boolean;
  values: { value: string; count: number }[];
}

export type FacetRow = { name: Facet["name"]; value: string; count: number };

const MOST_VALUES = 10;
const MOST_BANDS = 12;

/** SQL: what facets need of `products p` beside its id. */
export const facetColumns = (sql: Sql): Fragment =>
  sql`p.brand, coalesce(p.product_type, p.google_product_category) as category, p.currency, p.availability, now_at.amount, sale.amount is not null as on_sale`;

/**
 * SQL: a CTE `divided`: what has few values, counted in one pass over the CTE `counted`. Prices lie in bands that begin
 * with 1, 2 and 5 times a power of ten, in minor units: they fit every currency.
 */
export const divided = (sql: Sql): Fragment => sql`
  divided as materialized (
    select currency, case when amount = 0 then 0 when amount / unit >= 5 then 5 * unit when amount / unit >= 2 then 2 * unit else unit end as lower,
      availability, on_sale, count(*)::int as count
    from (select *, (10::float8 ^ floor(log(greatest(amount, 1)::float8)))::bigint as unit from counted) sized
    group by 1, 2, 3, 4)`;

/** SQL: an array of `FacetRow`s from `counted` and `divided`, the most frequent values first; prices by amount. */
export const facetRows = (sql: Sql): Fragment => sql`
  (select coalesce(json_agg(facet), '[]') from (
    (select 'brand' as name, brand as value, count(*)::int as count
      from counted where brand is not null group by brand order by 3 desc, 2 limit ${MOST_VALUES})
    union all
    (select 'category', array_to_string(category, ' > '), count(*)::int
      from counted where category is not null group by category order by 3 desc, 2 limit ${MOST_VALUES})
    union all
    (select 'price', format('%s-%s %s', lower, case when lower = 0 then 0 when lower::text like '2%' then lower / 2 * 5 - 1 else 2 * lower - 1 end, currency), count
      from (select currency, lower, sum(count)::int as count from divided group by 1, 2 order by 3 desc limit ${MOST_BANDS}) bands order by currency, lower)
    union all (select 'availability', availability, sum(count)::int from divided group by 2 order by 3 desc, 2)
    union all (select 'on_sale', on_sale::text, sum(count)::int from divided group by 2 order by 3 desc, 2)
  ) facet)`;

/** @param approximate counted over the best 10,000 of more */
export function facetsOf(rows: FacetRow[], approximate: boolean): Facet[] {
  const names: Facet["name"][] = ["brand", "category", "price", "availability", "on_sale"];
  return names.flatMap((name) => {
    const values = rows.filter((row) => row.name === name).map(({ value, count }) => ({ value, count }));
    return values.length > 0 ? [{ name, approximate, values }] : [];
  });
}
