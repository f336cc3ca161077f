// The store that a feed goes into: a merchant's own, or any for operators and the system.
import { z } from "zod";
import type { Ctx } from "../../context";
import { notFound } from "../../errors";
import type { StoreKeeper } from "../ownership";

export interface Store {
  id: string;
  currency: string;
  currencies: string[];
}

/** @throws DomainError not_found, also for another merchant's store */
export async function requireOwnStore({ sql, actor }: Ctx<StoreKeeper>, storeId: string): Promise<Store> {
  if (!z.uuid().safeParse(storeId).success) throw notFound("store");
  const [store] = await sql<Store[]>`
    select id, currency, currencies from stores s where id = ${storeId} and ${owns(sql, actor)}`;
  if (!store) throw notFound("store");
  return store;
}

/** SQL: is store `s` one that the actor may change? */
export const owns = (sql: Ctx["sql"], actor: StoreKeeper) =>
  actor.kind === "merchant" ? sql`s.merchant_id = ${actor.merchantId}` : sql`true`;
