// Merchants and who acts for them.
import { and, asc, count, eq, isNull } from "drizzle-orm";
import { merchantMembers, merchants, notifications, stores } from "../../db/schema/merchants";
import type { Ctx, Merchant, SignedIn } from "../context";
import { notFound } from "../errors";

/** The merchant that a person acts for; undefined for everybody else. */
export async function mine(ctx: Ctx<SignedIn>): Promise<{ merchantId: string; name: string } | undefined> {
  const [found] = await ctx.db
    .select({ merchantId: merchants.id, name: merchants.name })
    .from(merchantMembers)
    .innerJoin(merchants, eq(merchants.id, merchantMembers.merchantId))
    .where(eq(merchantMembers.accountId, ctx.actor.accountId))
    .orderBy(asc(merchants.name), asc(merchants.id))
    .limit(1);
  return found;
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
