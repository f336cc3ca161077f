// What the matches have in common, counted: for narrowing a search down.
import type { Sql } from "../../../db/client";
import { constant } from "../../../db/compose";
import { fold } from "../fold";
import { money } from "../money";
import type { Fragment } from "./card";

export interface Facet {
  name: "brand" | "category" | "price" | "availability" | "on_sale";
  approximate: boolean;
  /** `label`: a band of prices as people write it, "€10.00–€19.99". */
  values: { value: string; label?: string; count: number }[];
}

export type FacetRow = { name: Facet["name"]; value: string; count: number };

const MOST_VALUES = 10;
/** How many spellings of brands, and of categories, are compared to find those that are one: rarer ones would add little. */
const MOST_SPELLINGS = 50;
const MOST_BANDS = 12;

/** SQL: what facets need of `products p` beside its id. @param of whose offer: its own, or that of its variant `v` */
export const facetColumns = (sql: Sql, of: "p" | "v"): Fragment =>
  sql`p.brand, coalesce(p.product_type, p.google_product_category) as category, ${sql(of)}.currency, ${sql(of)}.availability, now_at.amount, sale.amount is not null as on_sale`;

/**
 * SQL: a CTE `divided`: the CTE `counted` divided by brand, by category, and by what has few values taken together, in one
 * pass. Prices lie in bands that begin with 1, 2 and 5 times a power of ten, in minor units: they fit every currency.
 */
export const divided = (sql: Sql): Fragment => sql`
  divided as materialized (
    select case 0 when grouping(brand) then 'brand' when grouping(category) then 'category' else 'offer' end as name,
      brand, category, currency, band, availability, on_sale, count(*)::int as count
    from (select *, width_bucket(amount, '{1,2,5,10,20,50,100,200,500,1000,2000,5000,10000,20000,50000,100000,200000,500000,
      1000000,2000000,5000000,10000000,20000000,50000000,100000000,200000000,500000000,1000000000,2000000000,5000000000,
      10000000000,20000000000,50000000000,100000000000,200000000000,500000000000,1000000000000,2000000000000,5000000000000,
      10000000000000,20000000000000,50000000000000,100000000000000,200000000000000,500000000000000,1000000000000000,
      2000000000000000,5000000000000000}'::bigint[]) as band from counted) sized
    group by grouping sets ((brand), (category), (currency, band, availability, on_sale))),
  offers as materialized (select currency, band, availability, on_sale, count from divided where name = 'offer')`;

/** SQL: with what band number `band` begins. */
const beginOf = (sql: Sql, band: Fragment): Fragment =>
  sql`(case when ${band} = 0 then 0 else (array[1, 2, 5])[(${band} - 1) % 3 + 1] * (10::numeric ^ ((${band} - 1) / 3)) end)::bigint`;

/** SQL: an array of `FacetRow`s from `divided` and `offers`, the most frequent values first; prices by amount. */
export const facetRows = (sql: Sql): Fragment => sql`
  (select coalesce(json_agg(facet), '[]') from (
    (select name, brand as value, count from divided where name = 'brand' and brand is not null
      order by count desc, brand limit ${constant(sql, MOST_SPELLINGS)})
    union all
    (select name, array_to_string(category, ' > '), count from divided where name = 'category' and category is not null
      order by count desc, array_to_string(category, ' > ') limit ${constant(sql, MOST_SPELLINGS)})
    union all
    (select 'price', format('%s-%s %s', ${beginOf(sql, sql`band`)}, ${beginOf(sql, sql`(band + 1)`)} - 1, currency), count
      from (select currency, band, sum(count)::int as count from offers group by currency, band
        order by count desc limit ${constant(sql, MOST_BANDS)}) bands order by currency, band)
    union all (select 'availability', availability, sum(count)::int as count from offers group by availability order by count desc, availability)
    union all (select 'on_sale', on_sale::text, sum(count)::int as count from offers group by on_sale order by count desc, on_sale)
  ) facet)`;

/**
 * The rows with spellings of one brand or category taken together, as filters take them; it is called what most call it. To
 * fold what is counted, rather than every match, costs a search nothing.
 */
export function spelledOnce(rows: readonly FacetRow[]): FacetRow[] {
  const spelled = (name: Facet["name"]) => {
    const found = new Map<string, FacetRow>();
    for (const row of rows) {
      if (row.name !== name) continue;
      const folded = fold(row.value);
      const known = found.get(folded);
      if (known) known.count += row.count;
      else found.set(folded, { ...row });
    }
    return [...found.values()].sort((a, b) => b.count - a.count).slice(0, MOST_VALUES);
  };
  const others = rows.filter(({ name }) => name !== "brand" && name !== "category");
  return [...spelled("brand"), ...spelled("category"), ...others];
}

/**
 * @param approximate counted over the best 10,000 of more
 * @param language to write prices in: a BCP 47 tag
 */
export function facetsOf(rows: FacetRow[], approximate: boolean, language?: string): Facet[] {
  const names: Facet["name"][] = ["brand", "category", "price", "availability", "on_sale"];
  return names.flatMap((name) => {
    const values = rows
      .filter((row) => row.name === name)
      .map(({ value, count }) =>
        name === "price" ? { value, label: band(value, language), count } : { value, count },
      );
    return values.length > 0 ? [{ name, approximate, values }] : [];
  });
}

/** "1000-1999 EUR" as people write it. */
function band(value: string, language: string | undefined): string {
  const [amounts, currency] = value.split(" ") as [string, string];
  return amounts
    .split("-")
    .map((amount) => money(Number(amount), currency, language).formatted)
    .join("–");
}
