// What changes by itself: offers end (Google's expiration_date), sales begin and end. Whoever reads a variant or a card
// compares the time; what search orders and counts by stands in `products`, and is renewed here within a minute.
import type { Ctx, System } from "../../context";
import { type Fragment, goneNow, saleNow } from "../catalog/card";
import type { Transaction } from "./transaction";

const BATCH = 1_000;

/** SQL: when what row `of` costs changes next, or its offer ends. Of a product with one variant only the end matters. */
export const nextChange = (sql: Ctx["sql"] | Transaction, of: "s" | "v", now: Date): Fragment => {
  const coming = (column: string) =>
    sql`case when ${sql(`${of}.${column}`)} > ${now} then ${sql(`${of}.${column}`)} end`;
  return sql`least(${coming("sale_starts_at")}, ${coming("sale_ends_at")}, ${sql(of)}.expires_at)`;
};

/** Products for which the time has come show the best of their variants; without one they are discontinued. @returns how many */
export async function renew(ctx: Ctx<System>): Promise<number> {
  for (let total = 0; ; ) {
    const count = await renewSome(ctx);
    total += count;
    if (count < BATCH) return total;
  }
}

/**
 * A load that is renewing a product at this moment needs no help. Locked by a statement of its own: the next one sees the variants of
 * whatever load has let go of them.
 */
function renewSome({ sql, now }: Ctx<System>): Promise<number> {
  return sql.begin(async (tx) => {
    const locked = await tx<{ id: number }[]>`
      select id from products where renew_at <= ${now} order by renew_at limit ${BATCH} for update skip locked`;
    if (locked.length > 0) await showBest(tx, { ids: locked.map(({ id }) => id), now });
    return locked.length;
  });
}

const showBest = (tx: Transaction, { ids, now }: { ids: number[]; now: Date }) => tx`
  with due as materialized (
    select p.id, s.currency from products p join stores s on s.id = p.store_id where p.id = any(${ids}::bigint[])),
  living as materialized (
    select v.*, coalesce(${saleNow(tx, "v", now)}, v.price_amount) as amount,
      nullif(v.currency, due.currency) as foreign_currency, ${nextChange(tx, "v", now)} as changes_at
    from due join variants v on v.product_ref = due.id where not ${goneNow(tx, now)}),
  best as (
    select distinct on (product_ref) *,
      case when count(*) over product = 1 then expires_at else min(changes_at) over product end as renew_at
    from living window product as (partition by product_ref)
    order by product_ref, stock_level(availability),
      case when stock_level(availability) < 2 then foreign_currency end nulls first,
      case when stock_level(availability) < 2 then amount end, position),
  ended as (
    update products p set availability = 'discontinued', renew_at = null from due
    where p.id = due.id and not exists (select from best where product_ref = p.id))
  update products p set primary_variant_ref = best.id, condition = best.condition, link = best.link, brand = best.brand,
    product_type = best.product_type, google_product_category = best.google_product_category,
    image_link = coalesce(best.image_link, p.image_link),
    currency = best.currency, price_amount = best.price_amount, sale_price_amount = best.sale_price_amount,
    sale_starts_at = best.sale_starts_at, sale_ends_at = best.sale_ends_at,
    availability = best.availability, availability_date = best.availability_date,
    expires_at = best.expires_at, renew_at = best.renew_at, data_as_of = best.data_as_of
  from best where p.id = best.product_ref`;
