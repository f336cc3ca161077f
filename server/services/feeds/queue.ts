// Loads that were asked for, and the workers that take them. The row in feed_loads is the truth: any instance may take
// it, one at a time for a store, and one whose worker died is taken again.
import { v7 as uuidv7 } from "uuid";
import type { Database } from "../../../db/client";
import { feedLoads } from "../../../db/schema/feeds";
import * as clock from "../../clock";
import { actorId, type Core, type Ctx, contextFor, type Merchant, type System } from "../../context";
import { DomainError } from "../../errors";
import * as audit from "../audit";
import { wake } from "../wake";
import { prune, readBack } from "./files";
import { formatByName } from "./format";
import { LoadedAlready, load } from "./index";
import { leaseEnd, renewing } from "./lease";
import { loadEnded } from "./source-state";

const PROGRESS_MS = 500;
/** A load over which the server died so often is given up. */
const MAX_ATTEMPTS = 3;

interface Asked {
  storeId: string;
  fileId: string;
  fileName: string;
  source: "upload" | "url" | "restore";
  restores?: string;
}

/**
 * A load to be run once `tx` commits.
 * @throws DomainError conflict while another one of the store waits or runs
 */
export async function enqueue(ctx: Ctx<Merchant | System>, tx: Pick<Database, "insert" | "execute">, asked: Asked) {
  const id = uuidv7();
  const made = await tx
    .insert(feedLoads)
    .values({
      ...asked,
      id,
      format: formatByName(asked.fileName),
      outcome: "waiting",
      requestedBy: actorId(ctx.actor),
      // Not when its request began: a file may take long to come in, and others be asked for meanwhile.
      requestedAt: clock.now(),
      rows: 0,
      loaded: 0,
      rejected: 0,
      vanished: 0,
    })
    .onConflictDoNothing()
    .returning({ id: feedLoads.id });
  if (made.length === 0) throw busy();
  const actions = { upload: "feed.upload", url: "feed.fetch", restore: "feed.restore" } as const;
  const { storeId, source: _, ...after } = asked;
  await audit.record(ctx, tx, {
    action: actions[asked.source],
    target: ["store", storeId],
    after: { loadId: id, ...after },
  });
  await tx.execute(wake("feed-loads"));
  return id;
}

/** Thrown where a store's load waits or runs, and another is asked for. */
export const busy = () =>
  new DomainError("conflict", "A load for this store is in progress. Wait until it is done, then try again.");

interface Claimed {
  id: string;
  storeId: string;
  fileId: string | null;
  fileName: string;
  source: "upload" | "url" | "restore" | "import";
  restores: string | null;
  attempts: number;
}

/**
 * Runs what waits until nothing does. Safe on any number of instances at once.
 * @param signal lets go of the load under way: another worker begins it anew
 * @returns how many were run
 */
export async function runWaiting(core: Core, signal?: AbortSignal): Promise<number> {
  for (let run = 0; ; run++) {
    const claimed = signal?.aborted ? undefined : await claim(core);
    if (!claimed) return run;
    await runOne(core, claimed, signal);
  }
}

async function claim({ sql }: Core): Promise<Claimed | undefined> {
  const now = clock.now();
  const [claimed] = await sql<Claimed[]>`
    update feed_loads set outcome = 'loading', attempts = attempts + 1, started_at = ${now}, rows = 0, bytes_read = 0,
      lease_until = ${leaseEnd()}
    where id = (
      select id from feed_loads
      where outcome = 'waiting' or (outcome = 'loading' and lease_until < ${now})
      order by requested_at limit 1 for update skip locked)
    returning id, store_id as "storeId", file_id as "fileId", file_name as "fileName", source, restores, attempts`;
  return claimed;
}

async function runOne(core: Core, claimed: Claimed, signal?: AbortSignal): Promise<void> {
  const { sql, log } = core;
  const { id, storeId, fileId, attempts } = claimed;
  const ctx = contextFor(core, { kind: "system" });
  if (!fileId) return giveUp(core, claimed, "The file is no longer there. Send it again.");
  if (attempts > MAX_ATTEMPTS)
    return giveUp(
      core,
      claimed,
      "The load was interrupted repeatedly, though not because of the file. Try again later.",
    );
  const content = readBack(core, fileId);
  const stop = () => content.destroy();
  signal?.addEventListener("abort", stop, { once: true });
  if (signal?.aborted) stop();
  const pulse = startPulse(core, id);
  try {
    await load(ctx, {
      storeId,
      fileName: claimed.fileName,
      content,
      fileId,
      loadId: id,
      onProgress: pulse.onProgress,
      ...(claimed.restores && (await backTo(core, storeId, claimed.restores))),
      ...(signal && { signal }),
    });
  } catch (error) {
    if (signal?.aborted) {
      await sql`update feed_loads set outcome = 'waiting', attempts = attempts - 1, lease_until = null
        where id = ${id} and outcome = 'loading'`;
      return;
    }
    if (error instanceof LoadedAlready) return;
    // Anything else is taken again when its lease has passed.
    if (!(error instanceof DomainError)) return void log.error({ err: error, load: id, attempts }, "load failed");
  } finally {
    pulse.stop();
    signal?.removeEventListener("abort", stop);
  }
  await ended(core, claimed);
}

async function giveUp(core: Core, claimed: Claimed, why: string): Promise<void> {
  await core.sql`update feed_loads set outcome = 'failed', refusal = ${why}, finished_at = ${clock.now()}, lease_until = null
    where id = ${claimed.id} and outcome = 'loading'`;
  await ended(core, claimed);
}

async function ended(core: Core, { storeId, source }: Claimed): Promise<void> {
  if (source === "url") await loadEnded(contextFor(core, { kind: "system" }), storeId);
  await prune(core, storeId);
}

/** Shows how far a load is, and that somebody is at it. What can't be written now is written the next time. */
function startPulse({ sql, log }: Core, id: string) {
  let at = { bytes: 0, rows: 0 };
  let [shownAt, writing] = [0, false];
  const write = async () => {
    if (writing) return;
    writing = true;
    shownAt = performance.now();
    await sql`update feed_loads set bytes_read = ${at.bytes}, rows = ${at.rows},
        lease_until = ${leaseEnd()} where id = ${id} and outcome = 'loading'`.catch((error: Error) =>
      log.warn({ load: id, reason: error.message }, "progress not written"),
    );
    writing = false;
  };
  return {
    onProgress(progress: typeof at) {
      at = progress;
      if (performance.now() - shownAt >= PROGRESS_MS) void write();
    },
    stop: renewing({ log }, { load: id }, write),
  };
}

/** When the load was read from the merchant, and the last variant there was before the one that came after it; undefined where that is not known. */
async function backTo({ sql }: Core, storeId: string, loadId: string) {
  const [load] = await sql<{ dataAsOf: Date | null; forgetAfter: number | null }[]>`
    select l.started_at as "dataAsOf", (
      select n.last_variant_ref from feed_loads n
      where n.store_id = l.store_id and n.outcome = 'loaded' and n.finished_at > l.finished_at
      order by n.finished_at limit 1) as "forgetAfter"
    from feed_loads l where l.id = ${loadId} and l.store_id = ${storeId}`;
  return { dataAsOf: load?.dataAsOf ?? undefined, forgetAfter: load?.forgetAfter ?? undefined };
}
