// Which stores a platform may read. One predicate, used by every tool, the Coverage page and go-live notifications.

import type { PendingQuery, Row } from "postgres";
import type { Sql } from "../../db/client";
import type { Consumer, Ctx } from "../context";
import { DomainError } from "../errors";

type Fragment = PendingQuery<Row[]>;
type Reader = Pick<Consumer, "consumerId" | "tier" | "coverage">;

/** SQL condition on `stores s`: may this consumer read it (specification 5.9, decisions 5)? */
export const readable = (sql: Sql, { consumerId, tier, coverage }: Reader) =>
  mayRead(sql, sql`${consumerId}`, sql`${tier === "production"}`, sql`${coverage === "default_on"}`);

/** The same, for readers that are rows `r (consumer_id, tier, coverage)` of the statement. */
export const readableByRow = (sql: Sql) =>
  mayRead(sql, sql`r.consumer_id`, sql`r.tier = 'production'`, sql`r.coverage = 'default_on'`);

/**
 * The demo store always; in production, stores whose merchant has AI Discovery on and has not blocked the consumer,
 * and, where coverage is explicit, has granted it.
 */
function mayRead(sql: Sql, consumerId: Fragment, production: Fragment, defaultOn: Fragment): Fragment {
  return sql`(s.is_demo or (${production} and s.ai_discovery
    and not exists (select from blocks b where b.consumer_id = ${consumerId} and b.store_id = s.id)
    and (${defaultOn} or exists (select from grants g where g.consumer_id = ${consumerId} and g.store_id = s.id))))`;
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
