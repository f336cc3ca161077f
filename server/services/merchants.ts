// Merchants and who acts for them.
import { asc, eq } from "drizzle-orm";
import { merchantMembers, merchants } from "../../db/schema/merchants";
import type { Ctx, SignedIn } from "../context";

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
