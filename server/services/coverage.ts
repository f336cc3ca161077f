// Which stores a platform may read. One predicate, used by every tool, the Coverage page and go-live notifications.
import type { Sql } from "../../db/client";
import type { consumers } from "../../db/schema/consumers";
import type { Consumer } from "../context";
import { DomainError } from "../errors";

type Reader = Pick<Consumer, "consumerId" | "tier" | "coverage" | "onlyStore">;
/** The tag of a client's SQL templates: postgres.js' or Drizzle's. Its fragments go into its templates. */
export type Tag<Fragment> = (text: TemplateStringsArray, ...values: (string | Fragment)[]) => Fragment;

/** SQL: may this production consumer read a store other than the demo's, grants left aside? */
const discoverable = <Fragment>(sql: Tag<Fragment>, consumerId: string | Fragment): Fragment => sql`(s.ai_discovery
  and not exists (select from blocks b where b.consumer_id = ${consumerId} and b.store_id = s.id))`;

/**
 * SQL condition on `stores s`: may this consumer read it?
 * The demo store always; in production, stores whose merchant has AI Discovery on and has not blocked the consumer,
 * and, where coverage is explicit, has granted it. Each kind of reader has the form that PostgreSQL is quickest with;
 * `tests/services/coverage-proof.test.ts` proves them against one model.
 */
export function readable<Fragment = ReturnType<Sql>>(
  sql: Tag<Fragment>,
  { consumerId, tier, coverage, onlyStore }: Reader,
): Fragment {
  if (onlyStore) return sql`(s.id = ${onlyStore} and ${readable(sql, { consumerId, tier, coverage })})`;
  if (tier === "sandbox") return sql`s.is_demo`;
  // `is true`: found by the index alone, instead of by two of its parts and the table.
  const may = sql`(s.is_demo or ${discoverable(sql, consumerId)}) is true`;
  if (coverage === "default_on") return may;
  return sql`(s.id in (select g.store_id from grants g where g.consumer_id = ${consumerId}
    union all select d.id from stores d where d.is_demo) and ${may})`;
}

/** The same predicate for readers that are rows of the statement. */
const ofRow = <Fragment>(
  sql: Tag<Fragment>,
  reader: { id: Fragment; inProduction: Fragment; isDefaultOn: Fragment },
): Fragment =>
  sql`(s.is_demo or (${reader.inProduction} and ${discoverable(sql, reader.id)} and (${reader.isDefaultOn}
    or exists (select from grants g where g.consumer_id = ${reader.id} and g.store_id = s.id))))`;

/** SQL condition on `stores s` and `consumers c`: is the consumer let in at all, and may it read the store? */
export const readableByConsumer = <Fragment = ReturnType<Sql>>(
  sql: Tag<Fragment>,
): Fragment => sql`(c.state in ('sandbox', 'production_requested', 'production')
  and ${ofRow(sql, { id: sql`c.id`, inProduction: sql`c.state = 'production'`, isDefaultOn: sql`c.coverage = 'default_on'` })})`;

/** SQL condition on `stores s` and readers `r (consumer_id, tier, coverage)`, who were let in. */
export const readableByRow = (sql: Sql): ReturnType<Sql> =>
  ofRow(sql, {
    id: sql`r.consumer_id`,
    inProduction: sql`r.tier = 'production'`,
    isDefaultOn: sql`r.coverage = 'default_on'`,
  });

/** May a consumer in this state read anything? The doors refuse all others. */
export const hasAccess = (state: (typeof consumers.$inferSelect)["state"]): boolean =>
  state !== "under_review" && state !== "revoked";

/** Unknown, blocked, not granted, AI Discovery off: one answer for all four, so that none can be told from another. */
export const storeNotAvailable = () =>
  new DomainError(
    "store_not_available",
    "This store is not available to you. Call list_stores for the stores you can read, and use a store_id from there.",
  );
