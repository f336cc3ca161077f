// Catalogues come in here, and nowhere else. One file is one transaction: a store is never half-loaded, and what a
// file no longer has becomes unavailable, never deleted.
import type { Readable } from "node:stream";
import { v7 as uuidv7 } from "uuid";
import { z } from "zod";
import type { Sql } from "../../../db/client";
import { actorId, type Ctx, type Merchant, type Operator, type System } from "../../context";
import { DomainError, notFound } from "../../errors";
import { textOf } from "./content";
import { formatByName, rowsOf } from "./format";
import type { Attribute } from "./header";
import { merge } from "./merge";
import { readOffer } from "./offer";
import { clean, cut } from "./plain";
import type { RawRow } from "./raw-row";
import type { Shop } from "./reading";
import { Issues, Refusal, type Report } from "./report";
import { Staging } from "./staging";
import type { Transaction } from "./transaction";

export type { FeedIssue, Report } from "./report";

export interface LoadInput {
  storeId: string;
  /** Shown in reports; its ending counts where the content does not tell the format. */
  fileName: string;
  content: Readable;
  /** Bytes of the file read so far, and rows found in them. */
  onProgress?: (progress: { bytes: number; rows: number }) => void;
}

/**
 * Loads a whole catalogue file into a store, instead of the one before.
 * @throws DomainError not_found for a store that is none of the actor's; feed_refused, with the report in `details`,
 *   when the file can't be read, has no products, or more than half of its rows are bad: then nothing changes
 */
export async function load(ctx: Ctx<Operator | Merchant | System>, input: LoadInput): Promise<Report> {
  const store = await requireOwnStore(ctx, input.storeId);
  const issues = new Issues();
  const report = newReport(input.fileName, issues);
  const started = new Date();
  try {
    await inTurn(() =>
      ctx.sql.begin(async (tx) => {
        await tx`set local statement_timeout = 0`;
        // Loads of one store follow each other.
        await tx`select pg_advisory_xact_lock(hashtextextended(${`feed:${store.id}`}, 0))`;
        await stage(tx, { ...store, now: ctx.now, tellsAvailability: true }, input, report, issues);
        Object.assign(report, await merge(tx, { storeId: store.id, now: ctx.now, issues }), {
          warnings: issues.warnings,
        });
        await record(ctx, tx, input, report, started);
      }),
    );
    return report;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    issues.add("error", 0, "file", input.fileName, error.message);
    Object.assign(report, { loaded: 0, products: 0, vanished: 0, warnings: issues.warnings });
    await record(ctx, ctx.sql, input, report, started, error);
    throw new DomainError("feed_refused", error.message, { details: { ...report }, cause: error.cause });
  }
}

interface Store {
  id: string;
  currency: string;
  currencies: string[];
}

async function requireOwnStore({ sql, actor }: Ctx<Operator | Merchant | System>, storeId: string): Promise<Store> {
  if (!z.uuid().safeParse(storeId).success) throw notFound("store");
  const [store] = await sql<Store[]>`
    select id, currency, currencies from stores
    where id = ${storeId} and ${actor.kind === "merchant" ? sql`merchant_id = ${actor.merchantId}` : sql`true`}`;
  if (!store) throw notFound("store");
  return store;
}

const newReport = (fileName: string, issues: Issues): Report => ({
  loadId: uuidv7(),
  format: formatByName(fileName),
  ...{ rows: 0, loaded: 0, products: 0, rejected: 0, warnings: 0, vanished: 0 },
  issues: issues.first,
  durationMs: 0,
});

/** From the file to the staging table; counts into the report. @throws Refusal */
async function stage(tx: Transaction, shop: Shop, input: LoadInput, report: Report, issues: Issues): Promise<void> {
  let bytes = 0;
  const text = textOf(input.content, (read) => {
    bytes = read;
  });
  const staging = await Staging.open(tx, input.storeId, shop.now);
  try {
    let header: ReadonlySet<Attribute> | undefined;
    const onFormat = (format: Report["format"], names: typeof header) => {
      report.format = format;
      header = names;
    };
    for await (const rows of rowsOf(text, input.fileName, onFormat)) {
      for (const row of rows) {
        if (report.rows++ === 0) shop = { ...shop, tellsAvailability: tellsAvailability(header, row, issues) };
        const errors = issues.errors;
        const offer = isWithheld(row, issues) ? undefined : readOffer(row, shop, issues);
        if (offer) staging.add(offer);
        else if (issues.errors > errors) report.rejected++;
      }
      await staging.drain();
      input.onProgress?.({ bytes, rows: report.rows });
    }
    if (report.rows === 0) throw new Refusal("The file has no rows. The store keeps what it has.");
    if (report.rejected * 2 > report.rows)
      throw new Refusal(
        `${report.rejected} of ${report.rows} rows are bad, more than half. Nothing was stored; mend what the issues name and send the file again.`,
      );
    if (staging.rows === 0)
      throw new Refusal("The file has no product that agents may be shown. The store keeps what it has.");
    await staging.close();
  } catch (error) {
    await staging.abandon();
    throw error;
  }
}

/** Where the header, or without one the first row, says nothing of availability, the file is taken not to tell. */
function tellsAvailability(header: ReadonlySet<Attribute> | undefined, first: RawRow, issues: Issues): boolean {
  const named = header ?? new Set(first.fields.keys());
  if (first.fault || named.has("availability") || named.has("inventory_quantity")) return true;
  issues.add("warning", first.line, "availability", "", "is missing from the file: every product counts as in stock");
  return false;
}

/** OpenAI's `enable_search: false`: the merchant does not want agents to find it. */
function isWithheld(row: RawRow, issues: Issues): boolean {
  const flag = row.fields.get("enable_search")?.[0];
  if (typeof flag !== "string" || !/^\s*(false|no|0)\s*$/i.test(flag)) return false;
  issues.add("warning", row.line, "enable_search", flag, "keeps the row from agents: not loaded");
  return true;
}

/** The load's own row and its audit record, in one statement; `refused` goes outside the transaction that was rolled back. */
async function record(
  ctx: Ctx<Operator | Merchant | System>,
  sql: Sql | Transaction,
  input: LoadInput,
  report: Report,
  started: Date,
  refused?: Refusal,
): Promise<void> {
  const finished = new Date();
  report.durationMs = finished.getTime() - started.getTime();
  const outcome = refused ? "refused" : "loaded";
  const fileName = cut(clean(input.fileName), 255);
  const { issues, ...counts } = report;
  await sql`
    with load as (
      insert into feed_loads (id, store_id, file_name, format, outcome, rows, loaded, rejected, vanished, issues, started_at, finished_at)
      values (${report.loadId}, ${input.storeId}, ${fileName}, ${report.format}, ${outcome}, ${report.rows}, ${report.loaded},
        ${report.rejected}, ${report.vanished}, ${sql.json(issues as never)}, ${started}, ${finished}))
    insert into audit (id, actor_kind, actor_id, action, target_kind, target_id, after, request_id)
    values (${uuidv7()}, ${ctx.actor.kind}, ${actorId(ctx.actor)}, 'feed.load', 'store', ${input.storeId},
      ${sql.json({ ...counts, fileName, outcome })}, ${ctx.requestId})`;
}

/** Each load holds a connection that agents' calls could use: so few run at once, and the others wait without one. */
const AT_ONCE = 2;
let running = 0;
const waiting: (() => void)[] = [];

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
  else running++;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}
