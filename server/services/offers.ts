// Offers: one row of a feed is one variant and the store's one offer for it (decision 0004).
import type { Consumer, Ctx } from "../context";
import { DomainError } from "../errors";
import { type AvailabilityStatus, type Condition, goneNow, planOf, saleNow } from "./catalog/card";
import { readable, storeNotAvailable } from "./coverage";
import { decodeCursor, encodeCursor } from "./cursor";
import { fold } from "./fold";
import { itemById, productNotFound } from "./product-refs";

/** Counting stops here: beyond it the exact number helps nobody. */
const MOST_COUNTED = 10_000;

interface ListOffers {
  /** A product of one store, or an article (8 to 14 digits) in every store that the consumer may read. */
  of: { storeId: string; productId: string } | { gtin: string };
  condition?: Condition | undefined;
  context?: { country?: string | undefined; language?: string | undefined; currency?: string | undefined } | undefined;
  limit: number;
  cursor?: string | undefined;
}

/** Amounts in minor units of `currency`. */
export interface Offer {
  offer_id: string;
  product_id: string;
  /** The variant's own. */
  title: string;
  store_id: string;
  store_name: string;
  /** Who sells, where it is not the store. */
  seller: string | null;
  link: string;
  condition: Condition;
  /** What is paid over time, in words; the price may then be a down payment. */
  payment_plan: string | null;
  availability: AvailabilityStatus;
  availability_date: Date | null;
  currency: string;
  price_amount: number;
  /** Null when it is not on sale now. */
  sale_amount: number | null;
  sale_starts_at: Date | null;
  sale_ends_at: Date | null;
  /** The cheapest way to the context's country, else to the store's own; null when none is known. */
  shipping_amount: number | null;
  min_handling_days: number | null;
  max_handling_days: number | null;
  /** The price now and shipping. */
  total_amount: number;
  data_as_of: Date;
}

/** SQL: (id, name, legal_name, country, product_ref, variant_ref) of what is asked for, a row for each store that has it. */
function places({ sql, actor }: Ctx<Consumer>, of: ListOffers["of"]) {
  if ("gtin" in of) {
    return sql`select s.id, s.name, s.legal_name, s.country, v.product_ref, v.id as variant_ref
      from variants v join products p on p.id = v.product_ref and not p.excluded join stores s on s.id = v.store_id
      where v.gtin = ${of.gtin.padStart(14, "0")} and ${readable(sql, actor)}`;
  }
  return sql`select s.id, s.name, s.legal_name, s.country, item.product_ref, item.variant_ref
    from stores s left join lateral (${itemById(sql, of.productId)}) item on true
    where s.id = ${of.storeId} and ${readable(sql, actor)}`;
}

/**
 * SQL: the cheapest way of sending variant `v` from `place` to `country` (null: the store's own) at the price `now_at`.
 * Google's `shipping` without a country holds everywhere.
 */
const cheapestShipping = (sql: Ctx["sql"], country: string | null) => sql`
  select w.price, w.min_handling_days, w.max_handling_days
  from jsonb_to_recordset(v.shipping) as w (country text, price bigint, currency text,
    min_handling_days int, max_handling_days int, min_order_amount bigint)
  where coalesce(nullif(w.country, '') = coalesce(${country}, place.country), true)
    and w.currency = v.currency and coalesce(w.min_order_amount, 0) <= now_at.amount
  order by w.price, w.max_handling_days limit 1`;

/** SQL: every offer at `place`; `over` is what can never be had again, `unknown` what nobody knows the shipping of. */
const offersAt = ({ sql, now }: Ctx<Consumer>, { condition, context }: ListOffers) => sql`
  select v.id as ref, v.variant_id as offer_id, v.title, p.product_id, place.id as store_id, place.name as store_name, place.legal_name, v.seller, v.link, v.condition,
    case when gone then 'discontinued' else v.availability end as availability, v.availability_date, v.currency,
    v.price_amount, sale.amount as sale_amount, v.sale_starts_at, v.sale_ends_at, ship.price as shipping_amount,
    ship.min_handling_days, ship.max_handling_days, now_at.amount + coalesce(ship.price, 0) as total_amount,
    v.data_as_of, gone as over, ship.price is null as unknown
  from place
  join variants v on v.product_ref = place.product_ref and (place.variant_ref is null or v.id = place.variant_ref)
  join products p on p.id = v.product_ref
  cross join lateral (select ${goneNow(sql, now)}) feed (gone)
  cross join lateral (select ${saleNow(sql, "v", now)}) sale (amount)
  cross join lateral (select coalesce(sale.amount, v.price_amount)) now_at (amount)
  left join lateral (${cheapestShipping(sql, context?.country ?? null)}) ship on true
  ${condition ? sql`where v.condition = ${condition}` : sql``}`;

type Row = { known: number; total: number; lead: string; over: boolean; unknown: boolean } & (
  | (Offer & { legal_name: string | null })
  | { offer_id: null }
);

/** Marketplaces name a seller in each row, in their own rows themselves. */
const isStore = (seller: string, { store_name, legal_name }: { store_name: string; legal_name: string | null }) =>
  [store_name, legal_name].some((name) => name !== null && fold(name) === fold(seller));

/**
 * The offers for a product or an article, a page at a time: by total within a currency, of the same total those first whose
 * shipping is known. First comes the context's currency; without one, that of most of these offers that are not over, else of
 * all, which the cursor keeps for the pages to come. What vanished from its feed or has expired is discontinued; the discontinued come last.
 * @throws DomainError store_not_available, product_not_found, cursor_invalid, invalid_arguments (another query's cursor)
 */
export async function list(ctx: Ctx<Consumer>, input: ListOffers) {
  const { sql } = ctx;
  const after = decodeCursor(ctx, { ...input }, [
    "boolean",
    "string",
    "string",
    "number",
    "boolean",
    "string",
    "string",
  ]);
  const lead = after?.[1] ?? input.context?.currency ?? null;
  const rows = await sql<Row[]>`
    with place as materialized (${places(ctx, input.of)}),
    offer as materialized (${offersAt(ctx, input)}),
    head as materialized (
      select count(product_ref)::int as known, (select count(*)::int from offer) as total,
        coalesce(${lead}, (select mode() within group (order by currency) filter (where not over) from offer),
          (select mode() within group (order by currency) from offer)) as lead
      from place having count(*) > 0
    ),
    ranked as (
      select o.*, row_number() over (
        order by over, currency <> lead, currency, total_amount, unknown, offer_id, store_id) as rank
      from offer o, head
    )
    select head.*, page.*, ${planOf(sql, sql`page.ref`)} as payment_plan from head left join (
      select ranked.* from ranked, head
      ${after ? sql`where (over, currency <> lead, currency, total_amount, unknown, offer_id, store_id) > (${after[0]!}, ${after[2] !== lead}, ${after[2]!}, ${after[3]!}, ${after[4]!}, ${after[5]!}, ${after[6]!}::uuid)` : sql``}
      order by rank limit ${input.limit + 1}
    ) page on true order by page.rank`;
  if (rows[0] === undefined || rows[0].known === 0) throw missing(input.of, rows.length > 0);
  const found = rows.filter((row) => row.offer_id !== null);
  const offers = found.slice(0, input.limit);
  const last = found.length > input.limit ? offers.at(-1) : undefined;
  return {
    offers: offers.map(
      (offer): Offer => (offer.seller !== null && isStore(offer.seller, offer) ? { ...offer, seller: null } : offer),
    ),
    hasNextPage: last !== undefined,
    nextCursor:
      last &&
      encodeCursor(ctx, { ...input }, [
        last.over,
        last.lead,
        last.currency,
        last.total_amount,
        last.unknown,
        last.offer_id,
        last.store_id,
      ]),
    totalCount: rows[0].total > MOST_COUNTED ? undefined : rows[0].total,
  };
}

function missing(of: ListOffers["of"], storeIsReadable: boolean): DomainError {
  if ("productId" in of) return storeIsReadable ? productNotFound(of.productId) : storeNotAvailable();
  return new DomainError(
    "product_not_found",
    `No store you can read sells ${of.gtin}. Check the digits, or search by name with search_products.`,
  );
}
