// Merchants and who acts for them.
import { and, asc, count, eq, isNull } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../db/client";
import { merchantMembers, merchants, notifications, stores } from "../../db/schema/merchants";
import { sessions } from "../../db/schema/sessions";
import type { Ctx, Merchant, SignedIn } from "../context";
import { notFound } from "../errors";

/** The merchants that a person acts for, by name. */
export const mine = (ctx: Ctx<SignedIn>): Promise<{ merchantId: string; name: string }[]> =>
  ctx.db
    .select({ merchantId: merchants.id, name: merchants.name })
    .from(merchantMembers)
    .innerJoin(merchants, eq(merchants.id, merchantMembers.merchantId))
    .where(eq(merchantMembers.accountId, ctx.actor.accountId))
    .orderBy(asc(merchants.name), asc(merchants.id));

export const ChooseMerchant = z.strictObject({ merchantId: z.uuid() });

/** Which of their merchants a person acts for from now on, in this session. @throws DomainError not_found */
export async function choose(
  ctx: Ctx<SignedIn>,
  input: z.infer<typeof ChooseMerchant> & { sessionId: string },
): Promise<void> {
  const chosen = (await mine(ctx)).find(({ merchantId }) => merchantId === input.merchantId);
  if (!chosen) throw notFound("merchant");
  await ctx.db
    .update(sessions)
    .set({ merchantId: chosen.merchantId })
    .where(and(eq(sessions.id, input.sessionId), eq(sessions.accountId, ctx.actor.accountId)));
}

/** What every page of the merchant's shows: its name, and how many notifications nobody has read. @throws DomainError not_found */
export async function current(ctx: Ctx<Merchant>): Promise<{ merchantId: string; name: string; unread: number }> {
  const [found] = await ctx.db
    .select({ merchantId: merchants.id, name: merchants.name, unread: count(notifications.id) })
    .from(merchants)
    .leftJoin(stores, eq(stores.merchantId, merchants.id))
    .leftJoin(notifications, and(eq(notifications.storeId, stores.id), isNull(notifications.readAt)))
    .where(eq(merchants.id, ctx.actor.merchantId))
    .groupBy(merchants.id);
  if (!found) throw notFound("merchant");
  return found;
}

/**
 * So that one act at a time changes who acts for it, and who gets its digest: before any account, as decision 0050 has it.
 * @throws DomainError not_found
 */
export async function lockMerchant(tx: Database, id: string): Promise<{ id: string; name: string }> {
  const [merchant] = await tx
    .select({ id: merchants.id, name: merchants.name })
    .from(merchants)
    .where(eq(merchants.id, id))
    .for("no key update");
  if (!merchant) throw notFound("merchant");
  return merchant;
}
