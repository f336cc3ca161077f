// The store that a feed goes into: a merchant's own, or any for operators and the system.
import { z } from "zod";
import type { Ctx } from "../../context";
import { notFound } from "../../errors";
import type { StoreKeeper } from "../ownership";
import type { Transaction } from "./transaction";

export interface Store {
  id: string;
  currency: string;
  currencies: string[];
  /** Its website. */
  url: string;
  /** ISO 3166-1 */
  country: string;
}

interface Asker extends Pick<Ctx<StoreKeeper>, "actor"> {
  sql: Ctx["sql"] | Transaction;
}

/** @throws DomainError not_found, also for another merchant's store */
export async function requireOwnStore({ sql, actor }: Asker, storeId: string): Promise<Store> {
  if (!z.uuid().safeParse(storeId).success) throw notFound("store");
  const [store] = await sql<Store[]>`
    select id, currency, currencies, url, country from stores s where id = ${storeId} and ${owns(sql, actor)}`;
  if (!store) throw notFound("store");
  return store;
}

/** SQL: is store `s` one that the actor may change? */
export const owns = (sql: Asker["sql"], actor: StoreKeeper) =>
  actor.kind === "merchant" ? sql`s.merchant_id = ${actor.merchantId}` : sql`true`;
