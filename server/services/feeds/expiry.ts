// Offers that end by themselves (Google's expiration_date). Whoever reads a variant or a card compares the time; what
// search orders and counts by stands in `products`, and is renewed here within a minute.
import type { Ctx, System } from "../../context";
import { goneNow, saleNow } from "../catalog/card";

const BATCH = 1_000;

/** Products whose offer has ended show the next best of their variants; without another they are discontinued. @returns how many */
export async function expire(ctx: Ctx<System>): Promise<number> {
  for (let total = 0; ; ) {
    const count = await expireSome(ctx);
    total += count;
    if (count < BATCH) return total;
  }
}

/** A load that is renewing a product at this moment needs no help. */
async function expireSome({ sql, now }: Ctx<System>): Promise<number> {
  const renewed = await sql`
    with due as materialized (
      select id from products where expires_at <= ${now} and availability <> 'discontinued'
      order by expires_at limit ${BATCH} for update skip locked),
    living as materialized (
      select v.*, coalesce(${saleNow(sql, "v", now)}, v.price_amount) as amount
      from due join variants v on v.product_ref = due.id where not ${goneNow(sql, now)} and v.availability <> 'discontinued'),
    best as (
      select distinct on (product_ref) * from living
      order by product_ref, stock_level(availability), case when stock_level(availability) < 2 then amount end, position),
    ended as (
      update products p set availability = 'discontinued' from due
      where p.id = due.id and not exists (select from best where product_ref = p.id) returning p.id),
    renewed as (
      update products p set primary_variant_ref = best.id, condition = best.condition, link = best.link,
        currency = best.currency, price_amount = best.price_amount, sale_price_amount = best.sale_price_amount,
        sale_starts_at = best.sale_starts_at, sale_ends_at = best.sale_ends_at, availability = best.availability,
        availability_date = best.availability_date, expires_at = best.expires_at, data_as_of = best.data_as_of
      from best where p.id = best.product_ref returning p.id)
    select id from ended union all select id from renewed`;
  return renewed.length;
}
