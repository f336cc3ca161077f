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

/** SQL: an array of `FacetRow`s over the rows of the CTE `counted`, the most frequent values first; prices by amount. */
export const facetRows = (sql: Sql): Fragment => sql`
  (select coalesce(json_agg(facet), '[]') from (
    (select 'brand' as name, brand as value, count(*)::int as count
      from counted where brand is not null group by brand order by 3 desc, 2 limit ${MOST_VALUES})
    union all
    (select 'category', array_to_string(category, ' > '), count(*)::int
      from counted where category is not null group by category order by 3 desc, 2 limit ${MOST_VALUES})
    union all (${priceBands(sql)})
    union all (select 'availability', availability, count(*)::int from counted group by availability order by 3 desc, 2)
    union all (select 'on_sale', on_sale::text, count(*)::int from counted group by on_sale order by 3 desc, 2)
  ) facet)`;

/** Bands of 1, 2 and 5 times a power of ten, in minor units: they fit every currency. */
const priceBands = (sql: Sql) => sql`
  select 'price', format('%s-%s %s', lower, upper, currency), count from (
    select currency, unit * step as lower, unit * case step when 0 then 1 when 1 then 2 when 2 then 5 else 10 end - 1 as upper, count(*)::int as count
    from (select currency, unit, case when amount = 0 then 0 when amount / unit >= 5 then 5 when amount / unit >= 2 then 2 else 1 end as step
      from (select currency, amount, (10 ^ (length(amount::text) - 1))::bigint as unit from counted) digits) steps
    group by currency, unit, step order by 4 desc limit ${MOST_BANDS}) bands
  order by currency, lower`;

/** @param approximate counted over the best 10,000 of more */
export function facetsOf(rows: FacetRow[], approximate: boolean): Facet[] {
  const names: Facet["name"][] = ["brand", "category", "price", "availability", "on_sale"];
  return names.flatMap((name) => {
    const values = rows.filter((row) => row.name === name).map(({ value, count }) => ({ value, count }));
    return values.length > 0 ? [{ name, approximate, values }] : [];
  });
}
