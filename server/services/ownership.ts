// Which stores a person may change: a merchant its own, operators and the system every one.
import { and, eq } from "drizzle-orm";
import type { Database } from "../../db/client";
import { stores } from "../../db/schema/merchants";
import type { Ctx, Merchant, Operator, System } from "../context";
import { notFound } from "../errors";

export type StoreKeeper = Merchant | Operator | System;

/**
 * Locks a store for the rest of the transaction, so that two who replace its data at once do so one after the other.
 * @throws DomainError not_found, also for another merchant's store
 */
export async function lockOwnStore(ctx: Ctx<StoreKeeper>, tx: Pick<Database, "select">, storeId: string) {
  const own = ctx.actor.kind === "merchant" ? eq(stores.merchantId, ctx.actor.merchantId) : undefined;
  const [store] = await tx
    .select({ id: stores.id, currency: stores.currency })
    .from(stores)
    .where(and(eq(stores.id, storeId), own))
    .for("no key update");
  if (!store) throw notFound("store");
  return store;
}
