// The digest: one mail with all that is new to each of a merchant's people, at a fixed hour, daily or weekly. What it
// holds is marked in the transaction that writes the mails: sent once, whatever runs at the same time or crashes. Platforms
// that can no longer read a store are marked with the rest, but not named.
import { and, eq, isNull, ne, sql as raw } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../db/client";
import { accounts } from "../../db/schema/accounts";
import { merchantMembers, merchants, notifications, stores } from "../../db/schema/merchants";
import { DAY_MS } from "../clock";
import type { Ctx, Merchant, System } from "../context";
import { notFound } from "../errors";
import * as audit from "./audit";
import { readableByConsumer } from "./coverage";
import { each } from "./each";
import * as mail from "./mail";
import { lockMerchant } from "./merchants";
import { othersGetIt, tokenFor, withdrawDigests } from "./unsubscribe";

/** UTC: morning in Europe. */
const HOUR = 7;
const MONDAY = 1;
/** How many a mail names; of the rest it gives the number. */
const MOST_NAMED = 20;

const frequencies = merchants.digest.enumValues;
type Frequency = (typeof frequencies)[number];

interface DigestSettings {
  /** For everybody at the merchant. */
  frequency: Frequency;
  /** Does this person get it? */
  mine: boolean;
  /** Does anybody else? */
  othersGetIt: boolean;
  email: string;
}

/** How often the merchant's people are mailed, and whether the one who asks is. @throws DomainError not_found */
export async function settings({ db, actor }: Ctx<Merchant>): Promise<DigestSettings> {
  const [found] = await db
    .select({ frequency: merchants.digest, mine: merchantMembers.digest, othersGetIt, email: accounts.email })
    .from(merchantMembers)
    .innerJoin(merchants, eq(merchants.id, merchantMembers.merchantId))
    .innerJoin(accounts, eq(accounts.id, merchantMembers.accountId))
    .where(and(eq(merchantMembers.merchantId, actor.merchantId), eq(merchantMembers.accountId, actor.accountId)));
  if (!found) throw notFound("merchant");
  return found;
}

export const SetDigest = z.strictObject({
  // As they are, without.
  frequency: z.enum(frequencies, "Choose how often.").optional(),
  mine: z.boolean().optional(),
});

/** What came while the digest was off, or nobody got it, is passed over when it is turned on again: it is in the inbox. */
export async function set(ctx: Ctx<Merchant>, input: z.infer<typeof SetDigest>): Promise<void> {
  const { merchantId, accountId } = ctx.actor;
  await ctx.db.transaction(async (tx) => {
    const [locked] = await tx
      .select({ frequency: merchants.digest })
      .from(merchants)
      .where(eq(merchants.id, merchantId))
      .for("no key update");
    const before = await settings({ ...ctx, db: tx });
    const after = { frequency: input.frequency ?? before.frequency, mine: input.mine ?? before.mine };
    if (before.frequency === after.frequency && before.mine === after.mine) return;
    const wasSent = locked!.frequency !== "off" && (await tx.$count(merchantMembers, getsIt(merchantId))) > 0;
    if (!wasSent) await settle(ctx, tx, merchantId);
    if (after.frequency === "off") await withdrawDigests(tx, merchantId);
    else if (!after.mine) await withdrawDigests(tx, merchantId, accountId);
    await tx.update(merchants).set({ digest: after.frequency }).where(eq(merchants.id, merchantId));
    await tx
      .update(merchantMembers)
      .set({ digest: after.mine })
      .where(and(eq(merchantMembers.merchantId, merchantId), eq(merchantMembers.accountId, accountId)));
    await audit.record(ctx, tx, {
      action: "digest.change",
      target: ["merchant", merchantId],
      before: { frequency: before.frequency, mine: before.mine },
      after,
    });
  });
}

/** Before somebody joins a merchant that mails nobody: what came meanwhile is in the inbox, and is not mailed. */
export async function passOver(ctx: Ctx, tx: Database, merchantId: string): Promise<void> {
  await lockMerchant(tx, merchantId);
  if ((await tx.$count(merchantMembers, getsIt(merchantId))) === 0) await settle(ctx, tx, merchantId);
}

/** Of a merchant's people, those whom its digest is mailed to. */
const getsIt = (merchantId: string) => and(eq(merchantMembers.merchantId, merchantId), merchantMembers.digest);

/** The last time before `now` at which digests of this frequency were due. */
function lastDue(frequency: Exclude<Frequency, "off">, now: Date): Date {
  const today = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate(), HOUR);
  const latest = new Date(today <= now.getTime() ? today : today - DAY_MS);
  const daysSinceMonday = (latest.getUTCDay() - MONDAY + 7) % 7;
  return frequency === "daily" ? latest : new Date(latest.getTime() - daysSinceMonday * DAY_MS);
}

/**
 * Writes the digests that are due: for each merchant, all that came before the last due time, was in none yet and still
 * holds. So a run that was missed is made up for by the next one, and an extra one does nothing.
 * @returns how many mails were written
 * @throws AggregateError with the merchants whose digest failed
 */
export async function send(ctx: Ctx<System>): Promise<number> {
  const due = { daily: lastDue("daily", ctx.now), weekly: lastDue("weekly", ctx.now) };
  const waiting = await ctx.sql<{ id: string }[]>`
    select m.id from merchants m where m.digest <> 'off'
      and exists (select from merchant_members p where p.merchant_id = m.id and p.digest)
      and exists (select from stores s join notifications n on n.store_id = s.id where s.merchant_id = m.id
        and n.digested_at is null and n.created_at <= case m.digest when 'daily' then ${due.daily}::timestamptz else ${due.weekly}::timestamptz end)
    order by m.id`;
  const written = await each(waiting.map(({ id }) => [id, () => ctx.db.transaction((tx) => sendOne(ctx, tx, id))]));
  return written.reduce((sum, mails) => sum + mails, 0);
}

/** Under the merchant's lock: of runs at the same time, the first takes all and the others find nothing. */
async function sendOne(ctx: Ctx<System>, tx: Database, merchantId: string): Promise<number> {
  const [merchant] = await tx
    .select({ name: merchants.name, frequency: merchants.digest })
    .from(merchants)
    .where(and(eq(merchants.id, merchantId), ne(merchants.digest, "off")))
    .for("no key update");
  if (!merchant) return 0;
  const people = await tx
    .select({ id: accounts.id, email: accounts.email })
    .from(merchantMembers)
    .innerJoin(accounts, eq(accounts.id, merchantMembers.accountId))
    .where(getsIt(merchantId))
    // Where an account is deleted, or gets another address, at this moment, so is this mail.
    .for("key share", { of: accounts });
  if (people.length === 0) return 0;
  const taken = await settle(ctx, tx, merchantId, lastDue(merchant.frequency as "daily" | "weekly", ctx.now));
  if (taken.length === 0) return 0;
  const { platforms, more, readers } = await readable(tx, taken);
  if (platforms.length === 0) return 0;
  for (const { id, email } of people) {
    const unsubscribeToken = tokenFor(ctx, { merchantId, accountId: id });
    await mail.send(ctx, tx, {
      to: email,
      template: "merchant-digest",
      data: { merchantId, merchant: merchant.name, platforms, more, readers, unsubscribeToken },
    });
  }
  return people.length;
}

/** Marks what is in no digest yet. @param until only what came before; all of it unless given  @returns their ids */
async function settle(ctx: Ctx, tx: Database, merchantId: string, until = ctx.now): Promise<string[]> {
  const theirs = tx.select({ id: stores.id }).from(stores).where(eq(stores.merchantId, merchantId));
  const rows = await tx
    .update(notifications)
    .set({ digestedAt: ctx.now })
    .where(
      and(
        raw`${notifications.storeId} in ${theirs}`,
        isNull(notifications.digestedAt),
        raw`${notifications.createdAt} <= ${until.toISOString()}`,
      ),
    )
    .returning({ id: notifications.id });
  return rows.map(({ id }) => id);
}

/** Of these notifications those that still hold: the newest, as a mail names them, how many more, and of how many platforms. */
async function readable(tx: Database, ids: string[]) {
  interface Row extends Record<string, unknown> {
    name: string;
    slug: string;
    store: string;
    storeSlug: string;
    count: number;
    readers: number;
  }
  const rows = await tx.execute<Row>(raw`
    with held as materialized (
      select c.name, c.slug, s.name as store, s.slug as "storeSlug", n.created_at
      from notifications n join consumers c on c.id = n.consumer_id join stores s on s.id = n.store_id
      where n.id in (select taken.id::uuid from jsonb_array_elements_text(${JSON.stringify(ids)}) taken (id))
        and ${readableByConsumer(raw)})
    select name, slug, store, "storeSlug", (count(*) over ())::int as count,
      (select count(distinct slug)::int from held) as readers
    from held order by created_at desc, name, store limit ${MOST_NAMED}`);
  const platforms = rows.map(({ name, slug, store, storeSlug }) => ({ name, slug, store, storeSlug }));
  return { platforms, more: (rows[0]?.count ?? 0) - platforms.length, readers: rows[0]?.readers ?? 0 };
}
