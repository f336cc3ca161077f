// Promotions, as in Google Merchant Center: what a store takes off, with a code or without, and when.
import { eq, sql as raw } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../db/client";
import { promotions } from "../../db/schema/promotions";
import type { Consumer, Ctx } from "../context";
import { refuseField } from "../errors";
import * as audit from "./audit";
import { readable, storeNotAvailable } from "./coverage";
import { decodeCursor, encodeCursor } from "./cursor";
import { Amount, HttpUrl, Instant, refuseRepeats } from "./fields";
import { lockOwnStore, type StoreKeeper } from "./ownership";
import { itemById, productNotFound } from "./product-refs";

export const channels = ["online", "in_store"] as const;
export const stages = ["active", "upcoming", "expired"] as const;

/** Amounts in minor units of `currency`. */
export interface Promotion {
  promotion_id: string;
  long_title: string;
  generic_redemption_code: string | null;
  percent_off: number | null;
  money_off_amount: number | null;
  free_shipping: boolean;
  minimum_purchase_amount: number | null;
  currency: string;
  /** Null: all products. */
  product_ids: string[] | null;
  starts_at: Date;
  ends_at: Date;
  redemption_channel: (typeof channels)[number][];
  fine_print: string | null;
  promotion_url: string | null;
  stackable: boolean;
}

interface ListPromotions {
  storeId: string;
  /** Only what applies to this product or variant: promotions for all products, and those that name it. */
  productId?: string | undefined;
  /** Only the promotion with this code, whatever its case; an expired one too. */
  code?: string | undefined;
  /** The instant that `status` is told for, ISO 8601; now unless given. */
  activeAt?: string | undefined;
  limit: number;
  cursor?: string | undefined;
}

/**
 * SQL: one row (ids), those by which a promotion may name what was asked for at `place`. A variant is itself and its
 * product; a product is itself and its variants, since Google's promotions name rows of the feed.
 */
const askedNames = (sql: Ctx["sql"]) => sql`
  select array_agg(v.variant_id) || array_agg(p.product_id) as ids from place join products p on p.id = place.product_ref
  join variants v on v.product_ref = p.id where place.variant_ref is null or v.id = place.variant_ref`;

/**
 * SQL: may agents find the product or variant `named.id` of the store `x.store_id`? A promotion may name what they may not, and
 * what its merchant has taken away from them; an answer never does.
 */
const isVisible = (sql: Ctx["sql"]) => sql`coalesce(
  (select not p.excluded from products p where p.store_id = x.store_id and p.product_id = named.id limit 1),
  (select not p.excluded from variants v join products p on p.id = v.product_ref
    where v.store_id = x.store_id and v.variant_id = named.id limit 1), false)`;

/** How many ids of one promotion are told: a merchant may name thousands, and an answer stands in a model's context. */
export const MOST_IDS = 50;

/**
 * SQL: what is told of `x.product_ids`, the merchant's first ones first, as `unnest` reads them (sorted, all of thousands would be looked
 * up): where a product is asked for, those of it alone.
 */
const toldIds = (sql: Ctx["sql"], productId: string | undefined) => sql`
  case when x.product_ids is not null then array(select named.id from unnest(x.product_ids) named (id)
    where ${productId === undefined ? isVisible(sql) : sql`named.id = any ((select ids from asked)::text[])`} limit ${MOST_IDS}) end`;

type Row = { found: boolean; total: number; next: Date | null } & (
  | (Promotion & { stage: 0 | 1 | 2; ends_us: number })
  | { promotion_id: null }
);

/**
 * A store's promotions, a page at a time: active ones first, then upcoming ones, and the expired only when asked for
 * by code; within these by end and id. All pages tell the status as of the same instant as the first.
 * @throws DomainError store_not_available, product_not_found, cursor_invalid, invalid_arguments (another query's cursor)
 */
export async function list(ctx: Ctx<Consumer>, input: ListPromotions) {
  const { sql } = ctx;
  const { storeId, productId, code } = input;
  const after = decodeCursor(ctx, { ...input }, ["number", "number", "number", "string"]);
  const at = new Date((after?.[0] as number) ?? input.activeAt ?? ctx.now);
  const rows = await sql<Row[]>`
    with place as materialized (
      select s.id, item.product_ref, item.variant_ref from stores s
      left join lateral (${productId === undefined ? sql`select null::bigint as product_ref, null::bigint as variant_ref` : itemById(sql, productId)}) item on true
      where s.id = ${storeId} and ${readable(sql, ctx.actor)}
    ),
    asked as materialized (${askedNames(sql)}),
    fitting as materialized (
      select x.store_id, x.promotion_id, x.starts_at, case when x.starts_at > ${at} then 1 when x.ends_at <= ${at} then 2 else 0 end as stage,
        (extract(epoch from x.ends_at) * 1000000)::bigint as ends_us
      from place join promotions x on x.store_id = place.id
      where (x.product_ids is null or ${
        productId === undefined
          ? sql`exists (select from unnest(x.product_ids) named (id) where ${isVisible(sql)})`
          : sql`x.product_ids && (select ids from asked)`
      })
        and ${code === undefined ? sql`x.ends_at > ${at}` : sql`lower(x.generic_redemption_code) = lower(${code})`}
    )
    select place.product_ref is not null as found, (select count(*)::int from fitting) as total,
      case when not exists (select from fitting where stage = 0) then (select min(starts_at) from fitting where stage = 1) end as next, page.*
    from place left join (
      select x.promotion_id, x.long_title, x.generic_redemption_code, x.percent_off, x.money_off_amount, x.free_shipping,
        x.minimum_purchase_amount, x.currency, ${toldIds(sql, productId)} as product_ids, x.starts_at, x.ends_at, x.redemption_channel,
        x.fine_print, x.promotion_url, x.stackable, stage, ends_us
      from (
        select store_id, promotion_id, stage, ends_us from fitting
        ${after ? sql`where (stage, ends_us, promotion_id) > (${after[1]!}, ${after[2]!}, ${after[3]!})` : sql``}
        order by stage, ends_us, promotion_id limit ${input.limit + 1}
      ) fit join promotions x using (store_id, promotion_id)
    ) page on true order by page.stage, page.ends_us, page.promotion_id`;
  if (rows[0] === undefined) throw storeNotAvailable();
  if (productId !== undefined && !rows[0].found) throw productNotFound(productId);
  const found = rows.filter((row) => row.promotion_id !== null);
  const page = found.slice(0, input.limit);
  const last = found.length > input.limit ? page.at(-1) : undefined;
  return {
    promotions: page.map((row) => ({ ...row, status: stages[row.stage] })),
    hasNextPage: last !== undefined,
    nextCursor: last && encodeCursor(ctx, { ...input }, [at.getTime(), last.stage, last.ends_us, last.promotion_id]),
    totalCount: rows[0].total,
    /** When the next one begins, where none is active. */
    next: rows[0].next,
    at,
  };
}

const Promotion = z
  .strictObject({
    promotion_id: z.string().trim().min(1).max(50),
    long_title: z.string().trim().min(1).max(200),
    offer_type: z.enum(["no_code", "generic_code"]),
    generic_redemption_code: z.string().trim().min(1).max(50).optional(),
    percent_off: z.int().min(1).max(100).optional(),
    money_off_amount: Amount.optional(),
    free_shipping: z.boolean().default(false),
    minimum_purchase_amount: Amount.optional(),
    product_applicability: z.enum(["all_products", "specific_products"]),
    product_ids: z.array(z.string().min(1).max(200)).min(1).max(5000).optional(),
    promotion_effective_dates: z.strictObject({ start: Instant, end: Instant }),
    redemption_channel: z.array(z.enum(channels)).min(1),
    fine_print: z.string().trim().min(1).max(5000).optional(),
    promotion_url: HttpUrl.optional(),
    stackable: z.boolean().default(false),
  })
  .superRefine((promotion, ctx) => {
    const refuse = (path: string, message: string) => ctx.addIssue({ code: "custom", path: [path], message });
    const { money_off_amount: off, minimum_purchase_amount: least, promotion_effective_dates: dates } = promotion;
    if ((promotion.offer_type === "generic_code") !== (promotion.generic_redemption_code !== undefined)) {
      refuse("generic_redemption_code", "must be there for generic_code, and only then");
    }
    if ((promotion.product_applicability === "specific_products") !== (promotion.product_ids !== undefined)) {
      refuse("product_ids", "must be there for specific_products, and only then");
    }
    if (promotion.percent_off === undefined && !off && !promotion.free_shipping) {
      refuse("percent_off", "give percent_off, money_off_amount or free_shipping: a promotion takes something off");
    }
    if (off?.amount === 0) refuse("money_off_amount", "must be more than nothing");
    if (off && least && off.currency !== least.currency) {
      refuse("minimum_purchase_amount", "must be in the currency of money_off_amount");
    }
    if (dates.end <= dates.start) refuse("promotion_effective_dates", "must end after the start");
  });

export const ReplacePromotions = z
  .strictObject({ storeId: z.uuid(), promotions: z.array(Promotion).max(1000) })
  .superRefine((input, ctx) => refuseRepeats(input.promotions, (p) => p.promotion_id, "promotions", ctx));

/**
 * Products that the promotions of one store name together. Where agents may find none of them, each is looked up at each call of
 * get_promotions: a thousand promotions of five thousand kept a connection of calls for as long as a statement may take.
 */
const MOST_NAMED = 50_000;

/** After a change, under the store's lock. @param field that is at fault @throws DomainError invalid_input */
export async function requireNamable(tx: Database, storeId: string, field: string): Promise<void> {
  const [row] = await tx
    .select({ named: raw<number>`coalesce(sum(cardinality(${promotions.productIds})), 0)::int` })
    .from(promotions)
    .where(eq(promotions.storeId, storeId));
  if (row!.named > MOST_NAMED)
    throw refuseField(
      field,
      `All promotions of a store may name ${MOST_NAMED.toLocaleString("en")} products together; with this they would name ${row!.named.toLocaleString("en")}. Name fewer, or none where it is for all products.`,
    );
}

/** Makes these the store's promotions: all of them, or none on an error. @throws DomainError not_found, invalid_input (they name too many products) */
export async function replace(ctx: Ctx<StoreKeeper>, input: z.infer<typeof ReplacePromotions>): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const store = await lockOwnStore(ctx, tx, input.storeId);
    const before = await tx.delete(promotions).where(eq(promotions.storeId, store.id)).returning();
    const after = input.promotions.map((p) => ({
      storeId: store.id,
      promotionId: p.promotion_id,
      longTitle: p.long_title,
      genericRedemptionCode: p.generic_redemption_code,
      percentOff: p.percent_off,
      moneyOffAmount: p.money_off_amount?.amount,
      freeShipping: p.free_shipping,
      minimumPurchaseAmount: p.minimum_purchase_amount?.amount,
      currency: (p.money_off_amount ?? p.minimum_purchase_amount)?.currency ?? store.currency,
      productIds: p.product_ids,
      startsAt: p.promotion_effective_dates.start,
      endsAt: p.promotion_effective_dates.end,
      redemptionChannel: p.redemption_channel,
      finePrint: p.fine_print,
      promotionUrl: p.promotion_url,
      stackable: p.stackable,
    }));
    if (after.length > 0) await tx.insert(promotions).values(after);
    await requireNamable(tx, store.id, "promotions");
    await audit.record(ctx, tx, { action: "promotions.replace", target: ["store", store.id], before, after });
  });
}
