// Which stores a platform may read. One predicate, used by every tool, the Coverage page and go-live notifications.

import type { Sql } from "../../db/client";
import type { Consumer, Ctx } from "../context";
import { DomainError } from "../errors";

type Reader = Pick<Consumer, "consumerId" | "tier" | "coverage">;
/** The tag of a client's SQL templates: postgres.js' or Drizzle's. */
type Tag<Fragment> = (text: TemplateStringsArray, ...values: (string | boolean)[]) => Fragment;

/**
 * SQL condition on `stores s`: may this consumer read it (specification 5.9, decisions 5)?
 * The demo store always; in production, stores whose merchant has AI Discovery on and has not blocked the consumer,
 * and, where coverage is explicit, has granted it.
 */
export function readable<Fragment = ReturnType<Sql>>(sql: Tag<Fragment>, reader: Reader): Fragment {
  return sql`(s.is_demo or (${reader.tier === "production"} and s.ai_discovery
    and not exists (select from blocks b where b.consumer_id = ${reader.consumerId} and b.store_id = s.id)
    and (${reader.coverage === "default_on"}
      or exists (select from grants g where g.consumer_id = ${reader.consumerId} and g.store_id = s.id))))`;
}

/** Unknown, blocked, not granted, AI Discovery off: one answer for all four, so that none can be told from another. */
export const storeNotAvailable = () =>
  new DomainError(
    "store_not_available",
    "This store is not available to you. Call list_stores for the stores that you can read, and use a store_id from there.",
  );

export interface ReadableStore {
  id: string;
  name: string;
  currency: string;
  country: string;
}

/** @throws DomainError store_not_available */
export async function requireStore(ctx: Ctx<Consumer>, storeId: string): Promise<ReadableStore> {
  const [store] = await ctx.sql<ReadableStore[]>`
    select s.id, s.name, s.currency, s.country from stores s where s.id = ${storeId} and ${readable(ctx.sql, ctx.actor)}`;
  if (!store) throw storeNotAvailable();
  return store;
}
