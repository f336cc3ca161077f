// Which stores a person may change: a merchant its own, operators and the system every one.
import { and, eq, type SQL } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../db/client";
import { accounts } from "../../db/schema/accounts";
import { merchantMembers, merchants, stores } from "../../db/schema/merchants";
import type { Ctx, Merchant, Operator, System } from "../context";
import { DomainError, notFound } from "../errors";

export type StoreKeeper = Merchant | Operator | System;

/** A store as its merchant's pages name it. */
export const StoreSlug = z.string().max(63);
export const OwnStore = z.strictObject({ store: StoreSlug });

/** @throws DomainError not_found, also for another merchant's store */
export async function requireOwnStore(ctx: Ctx<Merchant>, { store }: z.infer<typeof OwnStore>): Promise<void> {
  const own = and(eq(stores.slug, store), eq(stores.merchantId, ctx.actor.merchantId));
  if ((await ctx.db.$count(stores, own)) === 0) throw notFound("store");
}

/**
 * Locks a store for the rest of the transaction, so that two who replace its data at once do so one after the other.
 * @param store by id or by slug
 * @throws DomainError not_found, also for another merchant's store, and for who acts for its merchant no more; conflict, for a
 *   store of another merchant that the person acts for
 */
export async function lockOwnStore(
  ctx: Ctx<StoreKeeper>,
  tx: Pick<Database, "select">,
  store: string | z.infer<typeof OwnStore>,
) {
  const own = ctx.actor.kind === "merchant" ? eq(stores.merchantId, ctx.actor.merchantId) : undefined;
  const named = typeof store === "string" ? eq(stores.id, store) : eq(stores.slug, store.store);
  const [found] = await tx
    .select({ id: stores.id, name: stores.name, currency: stores.currency, isDemo: stores.isDemo })
    .from(stores)
    .where(and(named, own))
    .for("no key update");
  if (!found && ctx.actor.kind === "merchant") await refuseElsewhere(ctx.actor, tx, named);
  if (!found || (ctx.actor.kind === "merchant" && !(await stillActs(ctx.actor, tx)))) throw notFound("store");
  return found;
}

/** Whoever went over to another of their merchants in another window loses nothing of what they had typed for this one. */
async function refuseElsewhere({ accountId }: Merchant, tx: Pick<Database, "select">, named: SQL): Promise<void> {
  const [owner] = await tx
    .select({ name: merchants.name })
    .from(stores)
    .innerJoin(merchants, eq(merchants.id, stores.merchantId))
    .innerJoin(merchantMembers, eq(merchantMembers.merchantId, merchants.id))
    .where(and(named, eq(merchantMembers.accountId, accountId)));
  if (!owner) return;
  throw new DomainError(
    "conflict",
    `Nothing was done: this page is about a store of ${owner.name}, and you act for another merchant now. Switch back in another window, then send it again.`,
    { details: { reason: "elsewhere" } },
  );
}

/**
 * Asked once the lock is had: whoever waited for it may act for the merchant no more. Whoever does has their account held until the
 * act is done, which names it.
 */
async function stillActs({ merchantId, accountId }: Merchant, tx: Pick<Database, "select">): Promise<boolean> {
  const [acts] = await tx
    .select({ accountId: merchantMembers.accountId })
    .from(merchantMembers)
    .innerJoin(accounts, eq(accounts.id, merchantMembers.accountId))
    .where(and(eq(merchantMembers.merchantId, merchantId), eq(merchantMembers.accountId, accountId)))
    .for("key share", { of: accounts });
  return acts !== undefined;
}

/** For an act that takes no lock of its store. @throws DomainError not_found, for who acts for its merchant no more */
export async function requireStillActs({ actor }: Ctx<Merchant>, tx: Pick<Database, "select">): Promise<void> {
  if (!(await stillActs(actor, tx))) throw notFound("store");
}
