// A merchant's promotions, one by one: all of them, made, changed, ended and removed. Agents see it at their next call.
import { and, eq, sql as raw } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../db/client";
import { promotions } from "../../db/schema/promotions";
import { MINUTE_MS } from "../clock";
import type { Ctx, Merchant } from "../context";
import { DomainError, notFound } from "../errors";
import * as audit from "./audit";
import { parsePrice } from "./feeds/price";
import { Cursor, count, Lines, Moment, typed, unlessEmpty, Website } from "./fields";
import { exponent, type Money, money, typedMoney } from "./money";
import { lockOwnStore, requireOwnStore, StoreSlug } from "./ownership";
import { type Page, pageOf, turnOf } from "./pages";
import { channels, requireNamable, type stages } from "./promotions";
import { changedMeanwhile, notRemoved, removedMeanwhile, requireAsShown, Shown } from "./shown";

const PAGE = 25;
/** As many as a file may have. */
const MOST = 1000;

/** An amount as it is shown, and as its form has it: "12.50 EUR". */
interface OwnAmount extends Money {
  typed: string;
}

interface OwnPromotion {
  promotionId: string;
  title: string;
  code: string | null;
  percentOff: number | null;
  moneyOff: OwnAmount | null;
  freeShipping: boolean;
  minimumPurchase: OwnAmount | null;
  /** Null: all products. */
  productIds: string[] | null;
  startsAt: Date;
  endsAt: Date;
  channels: (typeof channels)[number][];
  finePrint: string | null;
  url: string | null;
  stackable: boolean;
  stage: (typeof stages)[number];
  /** Another one once anything of it was changed. */
  version: string;
}

export const ListOwnPromotions = z.strictObject({ store: StoreSlug, cursor: Cursor });

/** A store's promotions, those that end last first, a page at a time. @throws DomainError not_found, cursor_invalid */
export async function list(ctx: Ctx<Merchant>, input: z.infer<typeof ListOwnPromotions>): Promise<Page<OwnPromotion>> {
  const { sql, actor, now } = ctx;
  const query = { list: "promotions", merchantId: actor.merchantId, ...input };
  const turn = turnOf(ctx, query, ["string", "string"]);
  const { key, back } = turn;
  await requireOwnStore(ctx, input);
  const direction = back ? sql`` : sql`desc`;
  const found = await sql<Found[]>`
    select x.promotion_id as "promotionId", x.long_title as title, x.generic_redemption_code as code,
      x.percent_off as "percentOff", x.money_off_amount as "moneyOff", x.free_shipping as "freeShipping",
      x.minimum_purchase_amount as "minimumPurchase", x.currency, x.product_ids as "productIds",
      x.starts_at as "startsAt", x.ends_at as "endsAt", x.redemption_channel as channels, x.fine_print as "finePrint",
      x.promotion_url as url, x.stackable, x.ends_at::text as ends, md5(x::text) as version,
      case when x.starts_at > ${now} then 'upcoming' when x.ends_at <= ${now} then 'expired' else 'active' end as stage
    from stores s join promotions x on x.store_id = s.id
    where s.slug = ${input.store} and s.merchant_id = ${actor.merchantId}
      ${key ? sql`and (x.ends_at, x.promotion_id) ${back ? sql`>` : sql`<`} (${key[0]!}::text::timestamptz, ${key[1]!})` : sql``}
    order by x.ends_at ${direction}, x.promotion_id ${direction} limit ${PAGE + 1}`;
  const keyOf = ({ ends, promotionId }: Found) => [ends, promotionId];
  const { rows, ...neighbours } = pageOf(ctx, query, turn, { found, limit: PAGE, keyOf });
  return { rows: rows.map(toOwn), ...neighbours };
}

/** A row as it is stored: amounts in minor units of `currency`. */
interface Found extends Omit<OwnPromotion, "moneyOff" | "minimumPurchase"> {
  moneyOff: number | null;
  minimumPurchase: number | null;
  currency: string;
  /** `endsAt` to the microsecond. */
  ends: string;
}

function toOwn({ moneyOff, minimumPurchase, currency, ends: _, ...row }: Found): OwnPromotion {
  const own = (amount: number | null) =>
    amount === null ? null : { ...money(amount, currency), typed: typedMoney(amount, currency) };
  return { ...row, moneyOff: own(moneyOff), minimumPurchase: own(minimumPurchase) };
}

const PromotionId = typed(50, "Give it an id of your own.");

/** Are these fields right by themselves? Then what they say together is checked too, whatever is wrong with others. */
const soFarSound =
  (...fields: PropertyKey[]) =>
  ({ issues }: { issues: { path?: PropertyKey[] | undefined }[] }) =>
    !issues.some(({ path = [] }) => path[0] === undefined || fields.includes(path[0]));

const Amount = typed(60).regex(/\d/, "Enter an amount, such as 12.50.");

export const SavePromotion = z
  .strictObject({
    store: StoreSlug,
    /** The one that is changed; a new one without. */
    existing: unlessEmpty(PromotionId),
    promotionId: PromotionId,
    title: typed(200, "Say what it offers, in words for shoppers."),
    code: unlessEmpty(typed(50, "Enter the code, or leave it empty.")),
    percentOff: unlessEmpty(count("a percentage", 1, 100)),
    /** In major units, as `12.50`, in the store's currency unless it says another. */
    moneyOff: unlessEmpty(Amount),
    minimumPurchase: unlessEmpty(Amount),
    freeShipping: z.boolean(),
    /** An id of a product or variant a line; all products when empty. */
    products: Lines.refine((ids) => ids.every((id) => id.length <= 200), "Use at most 200 characters per line.").refine(
      (ids) => ids.length <= 5000,
      "Name at most 5,000 products.",
    ),
    startsAt: Moment,
    endsAt: Moment,
    shown: Shown,
    channels: z.array(z.enum(channels)).min(1, "Choose at least one.").max(channels.length, "Choose each once."),
    finePrint: unlessEmpty(typed(5000)),
    url: unlessEmpty(Website),
    stackable: z.boolean(),
  })
  .refine(
    ({ percentOff, moneyOff, freeShipping }) => percentOff !== undefined || moneyOff !== undefined || freeShipping,
    {
      path: ["percentOff"],
      error: "Give a percentage, an amount or free shipping: a promotion takes something off.",
      when: soFarSound("percentOff", "moneyOff", "freeShipping"),
    },
  )
  .refine(({ startsAt, endsAt }) => endsAt > startsAt, {
    path: ["endsAt"],
    error: "The end must come after the start.",
    when: soFarSound("startsAt", "endsAt"),
  });

/**
 * Makes a promotion, or changes one, whose start and end stay to the second while the form, which shows minutes, sends
 * them back.
 * @throws DomainError not_found, invalid_input (also: all of the store's name too many products), conflict (a thousand are the
 *   most; it was changed or removed meanwhile)
 */
export async function save(ctx: Ctx<Merchant>, input: z.infer<typeof SavePromotion>): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const store = await lockOwnStore(ctx, tx, { store: input.store });
    const { off, least, issues } = amountsOf(input, store.currency);
    const unknown = await unknownProduct(tx, store.id, input.products);
    if (unknown) issues.push({ path: "products", message: `The store has no product “${unknown}”.` });
    if (issues.length > 0) throw invalid(...issues);
    const row = {
      storeId: store.id,
      promotionId: input.existing ?? input.promotionId,
      longTitle: input.title,
      genericRedemptionCode: input.code ?? null,
      percentOff: input.percentOff ?? null,
      moneyOffAmount: off?.amount ?? null,
      freeShipping: input.freeShipping,
      minimumPurchaseAmount: least?.amount ?? null,
      currency: (off ?? least)?.currency ?? store.currency,
      productIds: input.products.length > 0 ? [...new Set(input.products)] : null,
      startsAt: input.startsAt,
      endsAt: input.endsAt,
      redemptionChannel: input.channels,
      finePrint: input.finePrint ?? null,
      promotionUrl: input.url ?? null,
      stackable: input.stackable,
    };
    const { before, after } = await (input.existing ? change(tx, row, input.shown) : insert(tx, row));
    // A change that names no more is fine, however many there are.
    if (input.products.length > (before?.productIds?.length ?? 0)) await requireNamable(tx, store.id, "products");
    const action = before ? "promotion.change" : "promotion.create";
    await audit.record(ctx, tx, { action, target: ["store", store.id], before, after });
  });
}

type Row = typeof promotions.$inferInsert;

const isThis = (storeId: string, promotionId: string) =>
  and(eq(promotions.storeId, storeId), eq(promotions.promotionId, promotionId));

interface Written {
  before?: typeof promotions.$inferSelect;
  after: Row;
}

const asStored = (stored: Date, shown: Date) =>
  Math.floor(stored.getTime() / MINUTE_MS) * MINUTE_MS === shown.getTime() ? stored : shown;

const find = (tx: Database, here: ReturnType<typeof isThis>) =>
  tx
    .select({ before: promotions, version: raw<string>`md5(${promotions}::text)` })
    .from(promotions)
    .where(here);

async function change(tx: Database, row: Row, shown: string | undefined): Promise<Written> {
  const here = isThis(row.storeId, row.promotionId);
  const [found] = await find(tx, here);
  if (!found) throw removedMeanwhile("promotion");
  const { before, version } = found;
  requireAsShown(shown, version, changedMeanwhile("promotion"));
  const times = { startsAt: asStored(before.startsAt, row.startsAt), endsAt: asStored(before.endsAt, row.endsAt) };
  const after = { ...row, ...times };
  await tx.update(promotions).set(after).where(here);
  return { before, after };
}

async function insert(tx: Database, row: Row): Promise<Written> {
  if ((await tx.$count(promotions, eq(promotions.storeId, row.storeId))) >= MOST) {
    throw new DomainError("conflict", `A store has at most ${MOST} promotions. Remove one that has ended.`);
  }
  const made = await tx.insert(promotions).values(row).onConflictDoNothing().returning({ id: promotions.promotionId });
  if (made.length === 0)
    throw invalid({ path: "promotionId", message: "Another promotion of this store has this id." });
  return { after: row };
}

interface Issue {
  path: string;
  message: string;
}

const tooFine = (currency: string) =>
  exponent(currency) === 0
    ? `${currency} has no decimals: enter a whole amount.`
    : `${currency} has ${exponent(currency)} decimals: enter no more.`;

function amountsOf({ moneyOff, minimumPurchase }: z.infer<typeof SavePromotion>, currency: string) {
  const issues: Issue[] = [];
  const read = (path: string, text: string | undefined, home: string) => {
    const price = text === undefined ? undefined : parsePrice(text, home);
    if (typeof price === "string") issues.push({ path, message: `It ${price}.` });
    else if (price?.rounded) issues.push({ path, message: tooFine(price.currency) });
    else return price;
    return undefined;
  };
  const off = read("moneyOff", moneyOff, currency);
  const least = read("minimumPurchase", minimumPurchase, off?.currency ?? currency);
  if (off?.amount === 0) issues.push({ path: "moneyOff", message: "It must be more than zero." });
  if (off && least && off.currency !== least.currency)
    issues.push({ path: "minimumPurchase", message: `It must be in ${off.currency}, as the amount off is.` });
  return { off, least, issues };
}

/** The first of them that the store does not have: a promotion for what is not there would never show. */
async function unknownProduct(tx: Database, storeId: string, ids: string[]): Promise<string | undefined> {
  if (ids.length === 0) return undefined;
  const [unknown] = await tx.execute<{ id: string }>(raw`
    select asked.id from jsonb_array_elements_text(${JSON.stringify(ids)}) asked (id)
    where not exists (select from products p where p.store_id = ${storeId} and p.product_id = asked.id)
      and not exists (select from variants v where v.store_id = ${storeId} and v.variant_id = asked.id) limit 1`);
  return unknown?.id;
}

export const PromotionAsShown = z.strictObject({ store: StoreSlug, promotionId: z.string().max(50), shown: Shown });

/** The promotion, under its store's lock. @param late what is said where it is no longer what was shown */
async function lockShown(ctx: Ctx<Merchant>, tx: Database, input: z.infer<typeof PromotionAsShown>, late: string) {
  const store = await lockOwnStore(ctx, tx, { store: input.store });
  const here = isThis(store.id, input.promotionId);
  const [found] = await find(tx, here);
  if (!found) throw notFound("promotion");
  requireAsShown(input.shown, found.version, late);
  return { store, here, before: found.before };
}

const NOT_ENDED = "This promotion was changed in the meantime, so it was not ended.";

/** Ends a promotion that is running, now. @throws DomainError not_found, conflict (it is not running, or was changed meanwhile) */
export async function end(ctx: Ctx<Merchant>, input: z.infer<typeof PromotionAsShown>): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const { store, here, before } = await lockShown(ctx, tx, input, NOT_ENDED);
    if (before.startsAt >= ctx.now || before.endsAt <= ctx.now) {
      throw new DomainError("conflict", "This promotion is not running now. Remove it, or change its dates.");
    }
    await tx.update(promotions).set({ endsAt: ctx.now }).where(here);
    const after = { endsAt: ctx.now };
    await audit.record(ctx, tx, { action: "promotion.end", target: ["store", store.id], before, after });
  });
}

/** @throws DomainError not_found, conflict (it was changed meanwhile) */
export async function remove(ctx: Ctx<Merchant>, input: z.infer<typeof PromotionAsShown>): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const { store, here, before } = await lockShown(ctx, tx, input, notRemoved("promotion"));
    await tx.delete(promotions).where(here);
    await audit.record(ctx, tx, { action: "promotion.remove", target: ["store", store.id], before });
  });
}

const invalid = (...issues: Issue[]) => new DomainError("invalid_input", issues[0]!.message, { details: { issues } });
