// Catalogues come in here, and nowhere else. One file is one transaction: a store is never half-loaded, and what a
// file no longer has becomes unavailable, never deleted. Only what it withholds from agents goes.
import type { Readable } from "node:stream";
import { v7 as uuidv7 } from "uuid";
import type { Sql } from "../../../db/client";
import * as clock from "../../clock";
import { actorId, type Ctx } from "../../context";
import { DomainError } from "../../errors";
import type { LanguageCode } from "../languages";
import type { StoreKeeper } from "../ownership";
import { indexLanguages } from "../store-languages";
import { keep, prune, readBack } from "./files";
import { formatByName } from "./format";
import { NO_ADDRESS } from "./link";
import { merge } from "./merge";
import { requireOwnStore, type Store } from "./own-store";
import { clean, cut } from "./plain";
import { type OnProgress, offersOf, READ_VERSION } from "./read";
import { GOOGLES, Issues, NOT_UTF8, Refusal, type Report } from "./report";
import { Staging } from "./staging";
import { loading, type Transaction } from "./transaction";

export type { Report } from "./report";

/** A file that is read for so long is a mistake, or made to be: few loads run at once, and the others wait for them. */
const LONGEST_MS = 60 * 60_000;

interface LoadInput {
  storeId: string;
  /** Shown in reports; its ending counts where the content does not tell the format. */
  fileName: string;
  content: Readable;
  onProgress?: OnProgress;
  /** The load's own id, where it was asked for before. */
  loadId?: string;
  /** The kept file that `content` is read from. */
  fileId?: string;
  /** Id of a variant. Forget whatever came after it, unless the file has it: the store is again what it was. */
  forgetAfter?: number | undefined;
  /** When the file was read from the merchant, unless that is now: agents are told so. */
  dataAsOf?: Date | undefined;
  /** Once aborted, what is read does not count any more, and nothing is recorded. */
  signal?: AbortSignal;
}

/**
 * Loads a whole catalogue file into a store, instead of the one before.
 * @throws DomainError not_found for a store that is none of the actor's; feed_refused, with the report in `details`,
 *   when the file can't be read, takes longer than an hour, has no rows, or more than half of its rows are bad or of unreadable availability: then nothing changes
 */
export async function load(ctx: Ctx<StoreKeeper>, input: LoadInput): Promise<Report> {
  const issues = new Issues();
  const report = newReport(input, issues);
  const started = clock.now();
  try {
    await loading(ctx.sql, input.storeId, async (tx) => {
      // Only now: others may have changed what counts here while this waited.
      const store = await requireOwnStore({ actor: ctx.actor, sql: tx }, input.storeId);
      if (input.loadId !== undefined) await requireUnfinished(tx, input.loadId);
      const known = await indexLanguages(tx, store.id);
      const languages = await stage(tx, ctx, { ...store, languages: known }, input, report, issues);
      const { storeId, forgetAfter } = input;
      const { lastBefore, ...merged } = await merge(tx, { storeId, now: ctx.now, issues, languages, forgetAfter });
      Object.assign(report, merged, { warnings: issues.warnings });
      await record(ctx, tx, input, report, { started, lastBefore });
    });
    return report;
  } catch (error) {
    if (!(error instanceof Refusal) || input.signal?.aborted) throw error;
    issues.add("error", 0, "file", input.fileName, error.message);
    Object.assign(report, { loaded: 0, products: 0, vanished: 0, warnings: issues.warnings });
    await record(ctx, ctx.sql, input, report, { started, refused: error });
    throw new DomainError("feed_refused", error.message, { details: { ...report }, cause: error.cause });
  }
}

/** The load is over: another worker took it for given up, and has run it, or given it up in its turn. */
export class LoadedAlready extends Error {
  override readonly name = "LoadedAlready";
}

/** @throws LoadedAlready */
async function requireUnfinished(tx: Transaction, loadId: string): Promise<void> {
  const [finished] = await tx`select from feed_loads where id = ${loadId} and finished_at is not null`;
  if (finished) throw new LoadedAlready();
}

interface Import extends Omit<LoadInput, "onProgress" | "loadId" | "fileId" | "forgetAfter" | "dataAsOf"> {
  /** `total`: of the file as it is kept. */
  onProgress?: (progress: { bytes: number; rows: number; total: number }) => void;
}

/** Keeps the file, so that the store can go back to it, and loads it at once. @throws as `load` */
export async function importFile(ctx: Ctx<StoreKeeper>, { content, onProgress, ...input }: Import): Promise<Report> {
  const file = await keep(ctx, { ...input, content });
  const progress: OnProgress | undefined = onProgress && ((at) => onProgress({ ...at, total: file.bytes }));
  try {
    return await load(ctx, {
      ...input,
      fileId: file.id,
      content: readBack(ctx, file.id),
      ...(progress && { onProgress: progress }),
    });
  } finally {
    await prune(ctx, input.storeId, file);
  }
}

const newReport = ({ fileName, loadId }: LoadInput, issues: Issues): Report => ({
  loadId: loadId ?? uuidv7(),
  format: formatByName(fileName),
  rows: 0,
  loaded: 0,
  products: 0,
  rejected: 0,
  warnings: 0,
  vanished: 0,
  issues: issues.first,
  durationMs: 0,
});

/** From the file to the staging table; counts into the report. @returns the languages of its words @throws Refusal */
async function stage(
  tx: Transaction,
  ctx: Ctx,
  { languages, ...store }: Store & { languages: readonly LanguageCode[] | undefined },
  input: LoadInput,
  report: Report,
  issues: Issues,
): Promise<readonly LanguageCode[]> {
  const staging = await Staging.open(tx, store.id, ctx.now, { languages, dataAsOf: input.dataAsOf });
  const until = clock.now().getTime() + LONGEST_MS;
  try {
    for await (const offers of offersOf(
      { ...input, shop: { ...store, now: ctx.now } },
      report,
      issues,
      input.onProgress,
      (row) => staging.leaveOut(row),
    )) {
      for (const offer of offers) staging.add(offer);
      await staging.drain();
      if (clock.now().getTime() > until)
        throw new Refusal("The file took longer than an hour to read. Split the catalogue across several stores.");
    }
    if (report.rejected * 2 > report.rows) throw new Refusal(`${howMany(report)}${whyMost(issues)}`);
    await staging.close();
    const former = await staging.addFormer(input.forgetAfter);
    if (former > 0)
      issues.add(
        "warning",
        0,
        "file",
        input.fileName,
        `has errors in rows that were loaded before (${former}): agents go on finding them as they were; fix them, or take them out of the file`,
      );
    return staging.settle();
  } catch (error) {
    await staging.abandon();
    throw error;
  }
}

function howMany({ rejected, rows }: Report): string {
  const [bad, all] = [rejected.toLocaleString("en"), rows.toLocaleString("en")];
  if (rejected < rows) return `${bad} of ${all} rows are bad, more than half`;
  return rows === 1 ? "Its only row is bad" : `All ${all} rows are bad`;
}

/** What is wrong with most of them, if that is one thing, and what to do. */
function whyMost(issues: Issues): string {
  const most = issues.ofMostRows();
  const fix = "Fix them, and send the file again.";
  if (!most) return `. ${fix}`;
  const toDo: Record<string, string> = {
    [NOT_UTF8]: "Save the file as UTF-8 (in Excel as CSV UTF-8), and send it again.",
    [NO_ADDRESS]: `Write whole addresses, ${GOOGLES}.`,
  };
  return `, most since ${most.field} ${most.reason}. ${toDo[most.reason] ?? fix}`;
}

interface Ending {
  started: Date;
  refused?: Refusal;
  lastBefore?: number;
}

/**
 * The load's own row and its audit record, in one statement; `refused` goes outside the transaction that was rolled back.
 * @throws LoadedAlready
 */
async function record(
  ctx: Ctx<StoreKeeper>,
  sql: Sql | Transaction,
  input: LoadInput,
  report: Report,
  { started, refused, lastBefore }: Ending,
): Promise<void> {
  const finished = clock.now();
  report.durationMs = finished.getTime() - started.getTime();
  const { issues, loadId, durationMs: _, ...counts } = report;
  const outcome = refused ? "refused" : "loaded";
  const fileName = cut(clean(input.fileName), 255);
  const row = {
    ...counts,
    outcome,
    started_at: started,
    finished_at: finished,
    lease_until: null,
    issues: sql.json(issues as never),
    refusal: refused?.message ?? null,
    file_id: input.fileId ?? null,
    last_variant_ref: lastBefore ?? null,
    read_version: READ_VERSION,
  };
  const before = { id: loadId, store_id: input.storeId, file_name: fileName, requested_by: actorId(ctx.actor) };
  const { count } = await sql`
    with load as (
      insert into feed_loads ${sql({ ...before, ...row } as never)} on conflict (id) do update set ${sql(row as never)}
      where feed_loads.finished_at is null returning id)
    insert into audit (id, actor_kind, actor_id, action, target_kind, target_id, after, request_id)
    select ${uuidv7()}::uuid, ${ctx.actor.kind}::text, ${actorId(ctx.actor)}::uuid, 'feed.load', 'store', ${input.storeId}::text,
      ${sql.json({ ...counts, loadId, fileName, outcome })}::jsonb, ${ctx.requestId}::uuid from load`;
  if (count === 0) throw new LoadedAlready();
}
