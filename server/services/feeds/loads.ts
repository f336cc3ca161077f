// What a merchant does with the catalogue of a store: sends files, watches them load, reads the reports, goes back.
import { sql as raw } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../../db/client";
import type { Ctx, Merchant } from "../../context";
import { DomainError, notFound } from "../../errors";
import { Cursor, FileContent } from "../fields";
import { requireStillActs } from "../ownership";
import { pageOf, turnOf } from "../pages";
import { requireAsShown, Shown } from "../shown";
import { drop, dropCopy, keep, keptAs, MAX_FILE_BYTES } from "./files";
import { owns, requireOwnStore } from "./own-store";
import { busy, enqueue } from "./queue";
import type { FeedIssue } from "./report";
import { type FeedTrouble, troubleOf } from "./source-state";

export const StoreRef = z.strictObject({ storeId: z.uuid() });
export const LoadRef = z.strictObject({ storeId: z.uuid(), loadId: z.uuid() });
/** `shown`: the load that the store showed then. */
export const RestoreLoad = LoadRef.extend({ shown: Shown });
export const History = z.strictObject({ storeId: z.uuid(), cursor: Cursor });
export const Upload = z.strictObject({
  storeId: z.uuid(),
  fileName: z.string().max(1_000),
  content: FileContent,
});

export interface Load {
  id: string;
  fileName: string;
  format: string;
  outcome: "waiting" | "loading" | "loaded" | "refused" | "failed";
  source: "upload" | "url" | "restore" | "import";
  /** When the load was asked for whose file it brings back. */
  restoresFrom: Date | null;
  requestedAt: Date;
  requestedBy: string | null;
  startedAt: Date | null;
  finishedAt: Date | null;
  rows: number;
  loaded: number;
  products: number;
  rejected: number;
  warnings: number;
  vanished: number;
  refusal: string | null;
  /** From 0 to 1, of a load under way; 1 while what was read is being stored. */
  progress: number;
  isFileKept: boolean;
}

const columns = (sql: Ctx["sql"]) => sql`
  l.id, l.file_name as "fileName", l.format, l.outcome, l.source, l.requested_at as "requestedAt", l.started_at as "startedAt",
  l.finished_at as "finishedAt", l.rows, l.loaded, l.products, l.rejected, l.warnings, l.vanished, l.refusal,
  l.file_id is not null as "isFileKept",
  least(1, coalesce(l.bytes_read::float8 / nullif((select f.bytes from feed_files f where f.id = l.file_id), 0), 0)) as progress,
  (select a.name from accounts a where a.id = l.requested_by) as "requestedBy",
  (select r.requested_at from feed_loads r where r.id = l.restores) as "restoresFrom"`;

/**
 * Takes a file in and lets it be loaded.
 * @returns the load's id
 * @throws DomainError not_found; conflict while another load of the store waits or runs; invalid_input for a file that
 *   is too large, empty or broken off
 */
export async function upload(ctx: Ctx<Merchant>, { storeId, fileName, content }: z.infer<typeof Upload>) {
  await requireIdle(ctx, storeId);
  const file = await keep(ctx, { storeId, fileName, content, maxBytes: MAX_FILE_BYTES });
  let fileId = file.id;
  const loadId = await begin(ctx, fileId, async (tx) => {
    // Only the one that is loaded is held: who lets go of a store's files takes them by age, and would wait for this one.
    fileId = await keptAs(tx, storeId, file);
    await requireKept(tx, fileId);
    return enqueue(ctx, tx, { storeId, fileId, fileName: fileName || "feed", source: "upload" });
  });
  if (fileId !== file.id) await dropCopy(ctx, file.id);
  return loadId;
}

/** A file may take long to come in, and its sender act for the merchant no more by then. @throws DomainError not_found */
async function begin(ctx: Ctx<Merchant>, fileId: string, run: (tx: Database) => Promise<string>): Promise<string> {
  try {
    return await ctx.db.transaction(async (tx) => {
      await requireStillActs(ctx, tx);
      return await run(tx);
    });
  } catch (error) {
    await drop(ctx, fileId);
    throw error;
  }
}

/** @throws DomainError conflict where the store shows another load by now */
async function requireCurrent(tx: Database, storeId: string, shown: string): Promise<void> {
  const [current] = await tx.execute<{ id: string }>(raw`
    select id from feed_loads where store_id = ${storeId} and outcome = 'loaded' order by finished_at desc limit 1`);
  const told = "Another catalogue was loaded in the meantime, so nothing was restored.";
  requireAsShown(shown, current?.id ?? "", told);
}

/** It stays for as long as the transaction goes on. @throws DomainError conflict */
async function requireKept(tx: Database, fileId: string): Promise<void> {
  const kept = await tx.execute(raw`select 1 from feed_files where id = ${fileId} for key share`);
  if (kept.length === 0) throw noLongerKept();
}

const noLongerKept = () =>
  new DomainError("conflict", "The file of that load is no longer kept. Send it again as a new file.");

/** Before a file comes in for nothing. */
async function requireIdle(ctx: Ctx<Merchant>, storeId: string): Promise<void> {
  await requireOwnStore(ctx, storeId);
  const [underWay] = await ctx.sql`
    select from feed_loads where store_id = ${storeId} and outcome in ('waiting', 'loading')`;
  if (underWay) throw busy();
}

/**
 * Brings back the catalogue as it was after an earlier load, from its kept file.
 * @returns the id of the load that does it
 * @throws DomainError not_found; conflict when its file is no longer kept, a load is under way, or another was loaded
 *   since it was shown
 */
export async function restore(ctx: Ctx<Merchant>, input: z.infer<typeof RestoreLoad>): Promise<string> {
  const { storeId, loadId, shown } = input;
  const { sql, actor } = ctx;
  const [target] = await sql<{ fileId: string | null; fileName: string; original: string }[]>`
    select l.file_id as "fileId", l.file_name as "fileName", coalesce(l.restores, l.id) as original
    from feed_loads l join stores s on s.id = l.store_id
    where l.id = ${loadId} and l.store_id = ${storeId} and l.outcome = 'loaded' and ${owns(sql, actor)}`;
  if (!target) throw notFound("load");
  const { fileId, fileName, original } = target;
  if (!fileId) throw noLongerKept();
  return begin(ctx, fileId, async (tx) => {
    await requireKept(tx, fileId);
    const id = await enqueue(ctx, tx, { storeId, fileId, fileName, source: "restore", restores: original });
    // Now that no other load of the store can begin.
    if (shown !== undefined) await requireCurrent(tx, storeId, shown);
    return id;
  });
}

interface StoreCatalogue {
  id: string;
  name: string;
  slug: string;
  currency: string;
  /** That agents can find. */
  products: number;
  feed: FeedTrouble | null;
  /** The load that the store shows; null before the first. */
  current: Load | null;
  /** The load asked for last, when it is not the one shown: under way, or without success. */
  latest: Load | null;
}

/** The merchant's stores, by name, and what was loaded into them. */
export async function stores({ sql, actor }: Ctx<Merchant>): Promise<StoreCatalogue[]> {
  return readStores(sql, sql`s.merchant_id = ${actor.merchantId}`);
}

/** In one statement: else a load that ends meanwhile would be neither under way nor shown. */
async function readStores(sql: Ctx["sql"], which: ReturnType<Ctx["sql"]>): Promise<StoreCatalogue[]> {
  type Row = { store: Omit<StoreCatalogue, "current" | "latest">; isCurrent: boolean } & (Load | { id: null });
  const rows = await sql<Row[]>`
    with s as (
      select s.id, s.name, (select id from feed_loads l where l.store_id = s.id order by requested_at desc, id desc limit 1) as latest,
        (select id from feed_loads l where l.store_id = s.id and l.outcome = 'loaded' order by finished_at desc limit 1) as current,
        json_build_object('id', s.id, 'name', s.name, 'slug', s.slug, 'currency', s.currency, 'feed', ${troubleOf(sql)},
          'products', s.product_count) as store
      from stores s where ${which} order by s.name, s.id limit 500)
    select s.store, l.id = s.current as "isCurrent", ${columns(sql)}
    from s left join feed_loads l on l.id in (s.latest, s.current) order by s.name, s.id`;
  const catalogues = new Map<string, StoreCatalogue>();
  for (const { store, isCurrent, ...load } of rows) {
    const catalogue = catalogues.get(store.id) ?? { ...store, current: null, latest: null };
    catalogues.set(store.id, catalogue);
    if (load.id !== null) catalogue[isCurrent ? "current" : "latest"] = load;
  }
  return [...catalogues.values()];
}

export interface Catalogue extends StoreCatalogue {
  /** The load that "undo" goes back to: the last of another file than the one shown; null where that is not kept. */
  undo: { loadId: string; requestedAt: Date; fileName: string; rejected: number } | null;
  maxBytes: number;
}

/** One store's catalogue. @throws DomainError not_found */
export async function get(ctx: Ctx<Merchant>, { storeId }: z.infer<typeof StoreRef>): Promise<Catalogue> {
  const { sql, actor } = ctx;
  const [store] = await readStores(sql, sql`s.id = ${storeId} and ${owns(sql, actor)}`);
  if (!store) throw notFound("store");
  const [undo] = await sql<(NonNullable<Catalogue["undo"]> & { isKept: boolean })[]>`
    with shown as (select coalesce(restores, id) as id from feed_loads
      where store_id = ${storeId} and outcome = 'loaded' order by finished_at desc limit 1)
    select l.id as "loadId", coalesce(r.requested_at, l.requested_at) as "requestedAt", l.file_name as "fileName",
      l.rejected, l.file_id is not null as "isKept"
    from shown join feed_loads current on current.id = shown.id
    join feed_loads l on l.store_id = ${storeId} and l.outcome = 'loaded' and l.finished_at < current.finished_at
      and (l.file_id = current.file_id) is not true
    left join feed_loads r on r.id = l.restores
    order by l.finished_at desc limit 1`;
  const { isKept, ...target } = undo ?? { isKept: false };
  return { ...store, undo: isKept ? (target as Catalogue["undo"]) : null, maxBytes: MAX_FILE_BYTES };
}

const PAGE = 10;

/** Every load of a store, the newest first. @throws DomainError not_found, cursor_invalid */
export async function history(ctx: Ctx<Merchant>, { storeId, cursor }: z.infer<typeof History>) {
  const { sql } = ctx;
  await requireOwnStore(ctx, storeId);
  const query = { list: "loads", storeId, cursor };
  const turn = turnOf(ctx, query, ["string"]);
  const { key, back } = turn;
  const found = await sql<Load[]>`
    select ${columns(sql)} from feed_loads l
    where l.store_id = ${storeId} ${key ? sql`and l.id ${back ? sql`>` : sql`<`} ${key[0] as string}::uuid` : sql``}
    order by l.id ${back ? sql`` : sql`desc`} limit ${PAGE + 1}`;
  const { rows: loads, ...neighbours } = pageOf(ctx, query, turn, { found, limit: PAGE, keyOf: ({ id }) => [id] });
  return { loads, ...neighbours };
}

/** What came of a load, with the first of its issues, by line. @throws DomainError not_found */
export async function report(
  { sql, actor }: Ctx<Merchant>,
  { storeId, loadId }: z.infer<typeof LoadRef>,
): Promise<{ load: Load; issues: FeedIssue[]; storeName: string }> {
  const [row] = await sql<(Load & { issues: FeedIssue[]; storeName: string })[]>`
    select ${columns(sql)}, l.issues, s.name as "storeName" from feed_loads l join stores s on s.id = l.store_id
    where l.id = ${loadId} and l.store_id = ${storeId} and ${owns(sql, actor)}`;
  if (!row) throw notFound("load");
  const { issues, storeName, ...load } = row;
  return { load, issues: issues.toSorted((one, other) => one.line - other.line), storeName };
}
