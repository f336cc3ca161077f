// Which stores a platform may read. One predicate, used by every tool, the Coverage page and go-live notifications.

import type { Sql } from "../../db/client";
import type { Consumer, Ctx } from "../context";
import { DomainError } from "../errors";

type Reader = Pick<Consumer, "consumerId" | "tier" | "coverage">;
/** The tag of a client's SQL templates: postgres.js' or Drizzle's. */
type Tag<Fragment> = (text: TemplateStringsArray, ...values: (string | boolean | Fragment)[]) => Fragment;

/** What the predicate needs to know of a reader: values, or SQL that names columns. */
interface Parts<Fragment> {
  id: string | Fragment;
  isProduction: boolean | Fragment;
  isDefaultOn: boolean | Fragment;
}

/**
 * The predicate (specification 5.9, decisions 5). The demo store always; in production, stores whose merchant has AI
 * Discovery on and has not blocked the consumer, and, where coverage is explicit, has granted it.
 */
const mayRead = <Fragment>(sql: Tag<Fragment>, { id, isProduction, isDefaultOn }: Parts<Fragment>): Fragment =>
  sql`(s.is_demo or (${isProduction} and s.ai_discovery
    and not exists (select from blocks b where b.consumer_id = ${id} and b.store_id = s.id)
    and (${isDefaultOn}
      or exists (select from grants g where g.consumer_id = ${id} and g.store_id = s.id))))`;

/** SQL condition on `stores s`: may this consumer read it? */
export const readable = <Fragment = ReturnType<Sql>>(sql: Tag<Fragment>, reader: Reader): Fragment =>
  mayRead(sql, {
    id: reader.consumerId,
    isProduction: reader.tier === "production",
    isDefaultOn: reader.coverage === "default_on",
  });

/** SQL condition on `stores s` and `consumers c`: is the consumer let in at all, and may it read the store? */
export const readableByConsumer = (
  sql: Sql,
): ReturnType<Sql> => sql`(c.state in ('sandbox', 'production_requested', 'production')
  and ${mayRead(sql, { id: sql`c.id`, isProduction: sql`c.tier = 'production'`, isDefaultOn: sql`c.coverage = 'default_on'` })})`;

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
