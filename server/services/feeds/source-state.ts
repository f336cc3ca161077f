// What becomes of a feed's address when fetching or loading it fails or succeeds: tried again, ever later, and off in the end.
import { sql as raw } from "drizzle-orm";
import type { Ctx, System } from "../../context";
import * as audit from "../audit";
import * as mail from "../mail";
import { READ_VERSION } from "./read";

/** After this many failures in a row it is off: 55 hours after the first. */
const MAX_FAILURES = 7;

/** SQL: after one more failure of `feed_sources f`: an hour after the first, 2 after the second, 4 … up to a day. */
const wait = raw`least(make_interval(hours => 24), make_interval(hours => 1) * power(2, f.failures))`;

/** What is wrong with a store's feed by its address: tried again, or off by now. */
export type FeedTrouble = "failing" | "off";

/** SQL: the trouble of store `s`; null where its feed is well, or it has none. */
export const troubleOf = (sql: Ctx["sql"]) => sql`
  (select case when f.next_fetch_at is null then 'off' when f.last_outcome = 'failed' then 'failing' end
   from feed_sources f where f.store_id = s.id)`;

/** For the audit, which is kept for good: a query often has a token in it. */
export function named({ url }: { url: string }): { url: string } {
  const { origin, pathname, search } = new URL(url);
  return { url: `${origin}${pathname}${search && "?…"}` };
}

/**
 * Counts a failure, and tells the merchant's people when it was the last one.
 * @param why for the merchant
 * @param refused the digest of the file that could not be loaded, where it came: it is asked for whole the next time, even if
 *   it has not changed, and counts once
 * @returns false where the store has another address by now, or the file was counted
 */
export async function failed(
  ctx: Ctx<System>,
  storeId: string,
  url: string,
  why: string,
  refused?: Buffer,
): Promise<boolean> {
  return ctx.db.transaction(async (tx) => {
    // Before the address, which whoever deletes an account takes after it; whoever goes, or is removed, at this moment is not mailed.
    const people = await tx.execute<{ email: string }>(raw`
      select a.email from stores s join merchant_members m on m.merchant_id = s.merchant_id join accounts a on a.id = m.account_id
      where s.id = ${storeId} order by a.id for key share of a, m`);
    const now = ctx.now.toISOString();
    const forgotten = refused ? raw`, etag = null, last_modified = null, digest = null` : raw``;
    const which = refused ? raw`and f.digest = ${refused}::bytea` : raw``;
    // In one statement: PostgreSQL checks the foreign keys of a row that is changed twice in a transaction, and would lock the
    // account in `created_by` for that, in the order opposite to a deletion's.
    const [source] = await tx.execute<{ isOff: boolean; store: string; merchant: string }>(raw`
      update feed_sources f set failures = failures + 1, last_outcome = 'failed', last_error = ${why}, lease_until = null,
        last_fetch_at = ${now}, is_forced = false,
        next_fetch_at = case when f.failures + 1 < ${MAX_FAILURES} then ${now}::timestamptz + ${wait} end ${forgotten}
      from stores s where s.id = f.store_id and f.store_id = ${storeId} and f.url = ${url} ${which}
      returning f.next_fetch_at is null as "isOff", s.name as store, s.merchant_id as merchant`);
    if (!source?.isOff) return source !== undefined;
    for (const { email } of people) {
      const data = { merchantId: source.merchant, storeId, store: source.store, reason: why };
      await mail.send(ctx, tx, { to: email, template: "feed-source-off", data });
    }
    const after = { ...named({ url }), why };
    await audit.record(ctx, tx, { action: "feed.source.off", target: ["store", storeId], after });
    return true;
  });
}

/**
 * After a load of what was fetched: a feed that is refused day after day is as good as none. Asked once more before the
 * address is fetched again, since whoever ran the load may have died in between. An address that was saved meanwhile has
 * no digest of that file, and no part in what became of it.
 * @returns whether a failure was counted
 */
export async function loadEnded(ctx: Ctx<System>, storeId: string): Promise<boolean> {
  const [row] = await ctx.sql<{ url: string; digest: Buffer; outcome: string; refusal: string | null }[]>`
    select f.url, f.digest, l.outcome, l.refusal
    from feed_sources f
    join feed_loads l on l.id = (
      select id from feed_loads n where n.store_id = f.store_id and n.source = 'url' order by n.requested_at desc, n.id desc limit 1)
    join feed_files file on file.id = l.file_id and file.digest = f.digest
    where f.store_id = ${storeId} and l.finished_at is not null`;
  if (!row) return false;
  const { url, digest } = row;
  if (row.outcome !== "loaded")
    return failed(ctx, storeId, url, row.refusal ?? "The file could not be loaded.", digest);
  // Only the fetch that brought it: after that one the address may have failed, each time before it is asked again.
  await ctx.sql`update feed_sources set failures = 0, last_error = null
    where store_id = ${storeId} and url = ${url} and last_outcome = 'fetched'`;
  return false;
}

/**
 * Whether the store shows the very file that came from its address last, and shows it as a release read it that read otherwise: then
 * it is to be read once more. Not where another is shown: somebody went back to it, or sent it by hand.
 */
export async function isShownAsReadBefore({ sql }: Pick<Ctx, "sql">, storeId: string): Promise<boolean> {
  const [shown] = await sql`
    select from feed_sources f
    join feed_loads l on l.id = (
      select id from feed_loads n where n.store_id = f.store_id and n.outcome = 'loaded' order by n.finished_at desc limit 1)
    join feed_files file on file.id = l.file_id and file.digest = f.digest
    where f.store_id = ${storeId} and coalesce(l.read_version < ${READ_VERSION}, true)`;
  return shown !== undefined;
}
