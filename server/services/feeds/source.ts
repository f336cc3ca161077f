// A store's feed by its address: fetched once a day, or when somebody asks for it, and then loaded like an upload.
import { setTimeout as sleep } from "node:timers/promises";
import { sql as raw } from "drizzle-orm";
import { z } from "zod";
import { feedSources } from "../../../db/schema/feeds";
import * as clock from "../../clock";
import { type Core, type Ctx, contextFor, type Merchant } from "../../context";
import { DomainError, isOutage, notFound, refuseField } from "../../errors";
import * as audit from "../audit";
import { lowerScheme, typed } from "../fields";
import { lockOwnStore } from "../ownership";
import { changedMeanwhile, LOAD_AGAIN, requireAsShown } from "../shown";
import { wake } from "../wake";
import { type Fetched, FetchFailure, fetchFeed, type Reach, whyNever } from "./fetch";
import { Dropped, drop, dropCopy, dropFetched, type KeptFile, keep, keptAs, MAX_FILE_BYTES } from "./files";
import { LEASE_MS, leaseEnd, renewing } from "./lease";
import type { StoreRef } from "./loads";
import { owns } from "./own-store";
import { busy, enqueue } from "./queue";
import { failed, isShownAsReadBefore, loadEnded, named } from "./source-state";

/** While a load is under way, a fetch waits. */
const BUSY_MS = 5 * 60_000;
/** After a fault of our own that no outage is: it may well come again, and the shop sends its file each time. */
const FAULT_MS = 20 * 60_000;
/** How many are fetched at once on an instance: a shop that is slow, or never ends, must not keep the others waiting. */
const AT_ONCE = 4;
/** While something is fetched, what else has become due is looked for so often. */
const LOOK_MS = 2_000;

const Address = z
  .url({
    protocol: /^https?$/,
    error: ({ input }) =>
      /^s?ftps?:/i.test(String(input))
        ? "Enter an address that begins with https:// or http://. FTP and SFTP are not supported."
        : "Enter the file's full address, such as https://www.example.com/feed.tsv.",
  })
  .refine((url) => !/^https?:\/\/[^/]*@/i.test(url), "Leave out user name and password: they are not supported.")
  .transform(lowerScheme);

/** The address that was shown, "" where there was none. Without one whatever is there is meant. */
const ShownAddress = z.string().max(2000, LOAD_AGAIN).optional();
export const SetSource = z.strictObject({ storeId: z.uuid(), url: typed(2000).pipe(Address), shown: ShownAddress });
export const RemoveSource = z.strictObject({ storeId: z.uuid(), shown: ShownAddress });

export interface Source {
  url: string;
  /** Off: it failed too often. */
  isOff: boolean;
  nextFetchAt: Date | null;
  isFetching: boolean;
  /** Tried, with or without success. */
  lastFetchAt: Date | null;
  lastOutcome: "fetched" | "unchanged" | "failed" | null;
  lastError: string | null;
  failures: number;
}

/** @throws DomainError not_found for a store that is none of theirs */
export async function find(
  { sql, actor, now }: Ctx<Merchant>,
  { storeId }: z.infer<typeof StoreRef>,
): Promise<Source | null> {
  const [row] = await sql<(Source & { url: string | null })[]>`
    select f.url, f.next_fetch_at is null as "isOff", f.next_fetch_at as "nextFetchAt",
      coalesce(f.lease_until > ${now}, false) or (f.is_forced and f.next_fetch_at <= ${now}) as "isFetching", f.last_fetch_at as "lastFetchAt",
      f.last_outcome as "lastOutcome", f.last_error as "lastError", f.failures
    from stores s left join feed_sources f on f.store_id = s.id where s.id = ${storeId} and ${owns(sql, actor)}`;
  if (!row) throw notFound("store");
  return row.url === null ? null : row;
}

/**
 * From now on the store's feed comes from there; it is fetched at once.
 * @throws DomainError not_found, invalid_input (nothing may be fetched from there), conflict (another stands there than was shown)
 */
export async function set(ctx: Ctx<Merchant>, { storeId, url, shown }: z.infer<typeof SetSource>): Promise<void> {
  const never = whyNever(url, ctx.mayFetch);
  if (never) throw refuseField("url", never);
  await ctx.db.transaction(async (tx) => {
    const store = await lockOwnStore(ctx, tx, storeId);
    const fresh = {
      url,
      nextFetchAt: ctx.now,
      leaseUntil: null,
      isForced: true,
      etag: null,
      lastModified: null,
      digest: null,
      lastFetchAt: null,
      lastOutcome: null,
      lastError: null,
      failures: 0,
      createdBy: ctx.actor.accountId,
    };
    const before = await tx.execute<{ url: string }>(raw`select url from feed_sources where store_id = ${store.id}`);
    const removed = "The feed address was removed in the meantime, so yours was not saved. Save it again to fetch it.";
    requireAsShown(shown, before[0]?.url ?? "", before[0] ? changedMeanwhile("feed address") : removed);
    await tx
      .insert(feedSources)
      .values({ storeId: store.id, ...fresh })
      .onConflictDoUpdate({ target: feedSources.storeId, set: fresh });
    await tx.execute(dropFetched(store.id));
    await audit.record(ctx, tx, {
      action: "feed.source.set",
      target: ["store", store.id],
      before: before[0] ? named(before[0]) : null,
      after: named({ url }),
    });
    await tx.execute(wake("feed-sources"));
  });
}

/** Nothing is fetched any more; the catalogue stays. @throws DomainError not_found, conflict (another stands there than was shown) */
export async function remove(ctx: Ctx<Merchant>, { storeId, shown }: z.infer<typeof RemoveSource>): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const store = await lockOwnStore(ctx, tx, storeId);
    const gone = await tx.execute<{ url: string }>(
      raw`delete from feed_sources where store_id = ${store.id} returning url`,
    );
    if (!gone[0]) throw notFound("feed address");
    requireAsShown(shown, gone[0].url, "The feed address was changed in the meantime, so it was not removed.");
    await tx.execute(dropFetched(store.id));
    await audit.record(ctx, tx, { action: "feed.source.remove", target: ["store", store.id], before: named(gone[0]) });
  });
}

/** Fetches it now, also when it was off, and whole, also when it has not changed. @throws DomainError not_found, conflict */
export async function fetchNow(ctx: Ctx<Merchant>, { storeId }: z.infer<typeof StoreRef>): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const store = await lockOwnStore(ctx, tx, storeId);
    const underWay = await tx.execute(raw`
      select 1 from feed_loads where store_id = ${store.id} and outcome in ('waiting', 'loading')`);
    if (underWay.length > 0) throw busy();
    const asked = await tx.execute(raw`
      update feed_sources set next_fetch_at = ${ctx.now.toISOString()}, is_forced = true, failures = 0
      where store_id = ${store.id} returning url`);
    if (asked.length === 0) throw notFound("feed address");
    await audit.record(ctx, tx, { action: "feed.source.fetch", target: ["store", store.id] });
    await tx.execute(wake("feed-sources"));
  });
}

interface Due {
  storeId: string;
  url: string;
  etag: string | null;
  lastModified: string | null;
  digest: Buffer | null;
  isForced: boolean;
  /** What its `lease_until` may be as long as nobody else has it: of one that was sent, who knows whether it arrived? */
  leases: string[];
}

/**
 * Fetches what is due, a few at once, until nothing is. Safe on any number of instances at once. What fails on our side is
 * one store's: the others are fetched all the same, and it is thrown at the end.
 * @param reach which addresses may be fetched from, and how long they may take
 * @returns how many were fetched, or tried to be
 */
export async function fetchDue(core: Core, reach: Reach, signal?: AbortSignal): Promise<number> {
  const underWay = new Set<Promise<void>>();
  const errors: unknown[] = [];
  const failing = (error: unknown) => void errors.push(error);
  let count = 0;
  let canClaim = true;
  for (;;) {
    const mayClaim = canClaim && !signal?.aborted && underWay.size < AT_ONCE;
    const due = mayClaim
      ? await claim(core).catch((error) => {
          canClaim = false;
          failing(error);
        })
      : undefined;
    if (due) {
      count++;
      const one = fetchOne(core, due, reach, signal)
        .catch(failing)
        .finally(() => underWay.delete(one));
      underWay.add(one);
    } else if (underWay.size > 0) await Promise.race([...underWay, sleep(LOOK_MS, undefined, { ref: false })]);
    else break;
  }
  if (errors.length > 0) throw errors[0];
  return count;
}

async function claim({ sql }: Core): Promise<Due | undefined> {
  const now = clock.now();
  const lease = leaseEnd().toISOString();
  const [due] = await sql<Omit<Due, "leases">[]>`
    update feed_sources set lease_until = ${lease}
    where store_id = (
      select store_id from feed_sources where next_fetch_at <= ${now} and coalesce(lease_until <= ${now}, true)
      order by next_fetch_at limit 1 for update skip locked)
    returning store_id as "storeId", url, etag, last_modified as "lastModified", digest, is_forced as "isForced"`;
  return due && { ...due, leases: [lease] };
}

const held = ({ sql }: Core, { storeId, url, leases }: Due) =>
  sql`store_id = ${storeId} and url = ${url} and lease_until = any(${leases}::timestamptz[])`;

const hold = (core: Core, due: Due) =>
  renewing(core, { store: due.storeId }, async () => {
    const next = leaseEnd().toISOString();
    due.leases.push(next);
    await core.sql`update feed_sources set lease_until = ${next} where ${held(core, due)}`;
  });

async function fetchOne(core: Core, due: Due, reach: Reach, signal?: AbortSignal): Promise<void> {
  const ctx = contextFor(core, { kind: "system" });
  const { storeId, url } = due;
  const over = new AbortController();
  const release = hold(core, due);
  let file: KeptFile | undefined;
  try {
    // Of who had it before, and is dead, or taken for it.
    await ctx.db.execute(dropFetched(storeId));
    if (!due.isForced && (await loadEnded(ctx, storeId))) return;
    const isWhole = due.isForced || (await isShownAsReadBefore(ctx, storeId));
    const known = isWhole ? { etag: null, lastModified: null } : due;
    const fetched = await fetchFeed(url, known, reach, AbortSignal.any([over.signal, ...(signal ? [signal] : [])]));
    if (!fetched.isChanged) return await settle(core, due);
    file = await keep(ctx, { ...fetched, storeId, maxBytes: MAX_FILE_BYTES, isFetched: true });
    // Asked again: while it came, somebody may have gone back to another.
    if (!due.isForced && due.digest?.equals(file.digest) && !(await isShownAsReadBefore(ctx, storeId))) {
      await drop(core, file.id);
      return await settle(core, due);
    }
    await hand(core, due, fetched, file);
  } catch (error) {
    if (file) await drop(core, file.id);
    await unfetched(core, due, error, signal);
  } finally {
    // What was not read, since it could not be kept now, stays open otherwise.
    over.abort();
    release();
  }
}

/**
 * The file becomes a load, and the address waits for tomorrow, in one transaction. Where the store keeps a load's file that is the same, the
 * load is of that one, and the file that came is nobody's.
 */
async function hand(core: Core, due: Due, fetched: Fetched & { isChanged: true }, file: KeptFile): Promise<void> {
  const ctx = contextFor(core, { kind: "system" });
  const { storeId, url } = due;
  const isKept = await ctx.db.transaction(async (tx) => {
    const next = new Date(ctx.now.getTime() + clock.DAY_MS).toISOString();
    const still = await tx.execute(raw`
      update feed_sources set etag = ${fetched.etag}, last_modified = ${fetched.lastModified},
        digest = ${file.digest}::bytea, last_fetch_at = ${ctx.now.toISOString()},
        last_outcome = 'fetched', last_error = null, next_fetch_at = ${next}, lease_until = null, is_forced = false
      where store_id = ${storeId} and url = ${url} returning url`);
    // Changed or removed meanwhile: then nobody wants this file.
    if (still.length === 0) throw new Superseded();
    const fileId = await keptAs(tx, storeId, file);
    await enqueue(ctx, tx, { storeId, fileId, fileName: fetched.fileName, source: "url" });
    return fileId !== file.id;
  });
  if (isKept) await dropCopy(core, file.id);
}

class Superseded extends Error {}

/** Somebody may have asked for all of it since it was asked whether it has changed: then it is still due. */
async function settle({ sql }: Core, { storeId, url, isForced }: Due): Promise<void> {
  const now = clock.now();
  await sql`
    update feed_sources set last_fetch_at = ${now}, last_outcome = 'unchanged', last_error = null, failures = 0, lease_until = null,
      is_forced = is_forced and not ${isForced},
      next_fetch_at = case when is_forced and not ${isForced} then next_fetch_at else ${new Date(now.getTime() + clock.DAY_MS)} end
    where store_id = ${storeId} and url = ${url}`;
}

async function unfetched(core: Core, due: Due, error: unknown, signal?: AbortSignal): Promise<void> {
  const { sql, log } = core;
  const { storeId, url } = due;
  const ctx = contextFor(core, { kind: "system" });
  if (error instanceof Superseded || (error instanceof DomainError && error.cause instanceof Dropped)) return;
  const isBusy = error instanceof DomainError && error.code === "conflict";
  if (signal?.aborted || isBusy) {
    const again = new Date(ctx.now.getTime() + (isBusy ? BUSY_MS : 0));
    await sql`update feed_sources set next_fetch_at = ${again}, lease_until = null where store_id = ${storeId} and url = ${url}`;
    return;
  }
  const cause = error instanceof DomainError && error.cause instanceof FetchFailure ? error.cause : error;
  if (cause instanceof FetchFailure || cause instanceof DomainError) {
    log.info({ store: storeId, reason: cause.message }, "feed not fetched");
    await failed(ctx, storeId, url, cause.message);
    return;
  }
  log.error({ err: error, store: storeId }, "feed not fetched");
  const again = new Date(clock.now().getTime() + (isOutage(error) ? LEASE_MS : FAULT_MS));
  // Where this cannot be written either, the lease will pass.
  await sql`update feed_sources set next_fetch_at = ${again}, lease_until = null where ${held(core, due)}`.catch(
    () => {},
  );
}
