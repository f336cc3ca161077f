// Products by what names them: ids of a store's, or GTINs in every store that the consumer may read.
import type { Consumer, Ctx } from "../../context";
import { readable } from "../coverage";
import { alsoVariant, itemById } from "../product-refs";
import {
  type Card,
  type CardRow,
  card,
  cardColumns,
  cheapestFirst,
  planOf,
  priceRange,
  saleNow,
  standing,
  stockNow,
} from "./card";
import { info, type Message, warning } from "./messages";

interface Lookup {
  ids: { storeId: string; productId: string }[];
  /** 8, 12, 13 or 14 digits. */
  gtins: string[];
}

export interface Match {
  card: Card;
  matchedBy: { kind: "id" | "gtin"; value: string };
}

/** Of one GTIN, stores beyond these are left to get_offers. */
const MOST_STORES = 10;

/**
 * What is asked for, in that order, ids first; of a GTIN the stores that have it: in stock first, then cheapest first within a
 * currency, that of most of them first (the discontinued, which come last, count among themselves). The id or GTIN of a variant gives a card with that variant's offer. What is not
 * found, or not readable, is told in a message.
 */
export async function lookup(ctx: Ctx<Consumer>, input: Lookup): Promise<{ matches: Match[]; messages: Message[] }> {
  const asked = [
    ...input.ids.map(({ storeId, productId }, i) => ({
      kind: "id" as const,
      value: productId,
      store: storeId,
      path: `ids.${i}`,
    })),
    ...input.gtins.map((gtin, i) => ({ kind: "gtin" as const, value: gtin, store: null, path: `gtins.${i}` })),
  ];
  const rows = await read(
    ctx,
    asked.map((one, n) => ({ n, ...one, gtin: one.kind === "gtin" ? one.value.padStart(14, "0") : null })),
  );
  const matches = rows
    .filter((row) => row.turn <= MOST_STORES)
    .map((row) => ({
      card: card(row, ctx.actor),
      matchedBy: { kind: asked[row.n]!.kind, value: asked[row.n]!.value },
    }));
  const messages = asked.flatMap(({ kind, value, path }, n) => {
    const found = rows.filter((row) => row.n === n);
    const said = found
      .slice(0, MOST_STORES)
      .flatMap(({ plan, title, store_name }) =>
        plan === null ? [] : [info("payment_plan", `${title} at ${store_name}: ${plan}.`, path)],
      );
    if (found.length === 0) said.push(warning("not_found", missing[kind](value), path));
    if (found[0]?.also_variant) said.push(alsoVariant(value, path));
    if (found.length > MOST_STORES) said.push(info("answer_shortened", shortened(value), path));
    return said;
  });
  return { matches, messages };
}

const missing = {
  id: (id: string) =>
    `There is no product "${id}" in that store, or the store is not available to you. Use a product_id together with the store_id that search_products gives with it.`,
  gtin: (gtin: string) =>
    `No store you can read has ${gtin}. Check the digits, or search by name with search_products.`,
};

/** `plan`: what is paid over time for the variant asked for, or the one that stands for the product. */
type Found = CardRow & { n: number; turn: number; also_variant: boolean; plan: string | null };

const shortened = (gtin: string) =>
  `More than ${MOST_STORES} stores have ${gtin}. Call get_offers with this gtin to list them all.`;

interface Asked {
  n: number;
  kind: "id" | "gtin";
  value: string;
  store: string | null;
  gtin: string | null;
}

/** SQL: of product `p`, asked for by its id, is this the id of one of its several variants, too? */
const isAlsoVariant = (sql: Ctx["sql"]) => sql`(p.item_group_id is not null and (
  select count(*) > 1 and bool_or(v.variant_id = p.product_id) from variants v
  where v.product_ref = p.id and v.vanished_at is null))`;

async function read({ sql, actor, now }: Ctx<Consumer>, asked: Asked[]): Promise<Found[]> {
  const [{ rows }] = await sql<[{ rows: Found[] }]>`
    with asked as (
      select * from jsonb_to_recordset(${sql.json(asked as never)}) asked (n int, kind text, value text, store uuid, gtin char(14))),
    item as materialized (
      select asked.n, 1 as turn, item.product_ref, item.variant_ref
      from asked join stores s on s.id = asked.store cross join lateral (${itemById(sql, sql`asked.value`)}) item
      where asked.kind = 'id' and ${readable(sql, actor)}
      union all
      select n, row_number() over (partition by n order by stock, others, currency, amount, store_id), product_ref, variant_ref
      from (select *, -count(*) over (partition by n, currency, stock = stock_level('discontinued')) as others from (
        select distinct on (asked.n, v.store_id) asked.n, v.store_id, v.product_ref, v.id as variant_ref, v.currency,
          ${stockNow(sql, now)} as stock, coalesce(${saleNow(sql, "v", now)}, v.price_amount) as amount
        from asked join variants v on v.gtin = asked.gtin join products p on p.id = v.product_ref join stores s on s.id = v.store_id
        where asked.kind = 'gtin' and not p.excluded and ${readable(sql, actor)}
        order by asked.n, v.store_id, stock, v.vanished_at desc nulls first, ${cheapestFirst(sql, sql`s.currency`, now)}, v.id) best) stores),
    card as (
      select item.n, item.turn, ${isAlsoVariant(sql)} as also_variant, ${planOf(sql, sql`v.ref`)} as plan,
        ${cardColumns(sql, now)}
      from item join products p on p.id = item.product_ref join stores s on s.id = p.store_id
      cross join lateral ${standing(sql, sql`s.currency`, now)} v cross join lateral ${priceRange(sql, now)}
      where item.variant_ref is null and item.turn <= ${MOST_STORES + 1}
      union all
      select item.n, item.turn, false, ${planOf(sql, sql`item.variant_ref`)}, ${cardColumns(sql, now)}
      from item join variants v on v.id = item.variant_ref join products p on p.id = v.product_ref join stores s on s.id = p.store_id
      cross join lateral ${priceRange(sql, now)}
      where item.turn <= ${MOST_STORES + 1})
    select coalesce(json_agg(card order by n, turn), '[]') as rows from card`;
  return rows;
}
