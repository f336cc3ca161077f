// One row for each counted request, committed before its answer leaves: a killed process loses no answered call.
import { createHmac } from "node:crypto";
import type { Consumer, Ctx } from "../context";

/** What a client says of itself and its shopper, already cleaned. Used for reporting only; grants nothing. */
export interface ClientReport {
  clientName?: string | undefined;
  /** BCP 47. */
  locale?: string | undefined;
  country?: string | undefined;
  region?: string | undefined;
  city?: string | undefined;
  /** As sent; kept only as a keyed hash. */
  session?: string | undefined;
  /** As sent; kept only as a keyed hash. */
  subject?: string | undefined;
}

export interface UsageEvent {
  method: string;
  tool?: string | undefined;
  storeId?: string | undefined;
  /** HTTP status of the answer. */
  status: number;
  errorCode?: string | undefined;
  latencyUs: number;
  requestBytes: number;
  responseBytes: number;
  client: ClientReport;
}

/** Writes the row of this request, and at most once a minute that its key was used. */
export async function record(ctx: Ctx<Consumer>, event: UsageEvent): Promise<void> {
  const { sql, actor } = ctx;
  const { client } = event;
  const written = sql`
    insert into usage_events (request_id, at, consumer_id, key_id, account_id, endpoint, method, tool, store_id, status,
      error_code, latency_us, request_bytes, response_bytes, client_name, locale, country, region, city, session_hash, subject_hash)
    values (${ctx.requestId}, ${ctx.now}, ${actor.consumerId}, ${actor.keyId}, ${actor.accountId}, ${actor.endpoint},
      ${event.method}, ${event.tool ?? null}, ${event.storeId ?? null}, ${event.status}, ${event.errorCode ?? null},
      ${event.latencyUs}, ${event.requestBytes}, ${event.responseBytes}, ${client.clientName ?? null},
      ${client.locale ?? null}, ${client.country ?? null}, ${client.region ?? null}, ${client.city ?? null},
      ${pseudonym(ctx.secretKey, client.session)}, ${pseudonym(ctx.secretKey, client.subject)})`;
  const touched = actor.keyId && touchIsDue(actor.keyId, ctx.now) ? touchKey(ctx, actor.keyId) : undefined;
  await Promise.all([written, touched]);
}

/** HMAC-SHA-256 under the server's secret: the same session gives the same value, and nobody can go back. */
function pseudonym(secretKey: string, value: string | undefined): Buffer | null {
  return value === undefined ? null : createHmac("sha256", secretKey).update(`usage:${value}`).digest();
}

const touchedAt = new Map<string, number>();
const MINUTE_MS = 60_000;

/** Spares the statement while this process knows that the minute is not over; the database has the last word. */
function touchIsDue(keyId: string, now: Date): boolean {
  if (now.getTime() - (touchedAt.get(keyId) ?? 0) < MINUTE_MS) return false;
  if (touchedAt.size > 10_000) touchedAt.clear();
  touchedAt.set(keyId, now.getTime());
  return true;
}

const touchKey = ({ sql, now }: Ctx, keyId: string) => sql`
  update keys set last_used_at = ${now}
  where id = ${keyId} and (last_used_at is null or last_used_at <= ${new Date(now.getTime() - MINUTE_MS)})`;

const DAYS_AHEAD = 7;

/** Makes the daily partitions of today and the week to come; safe to run at any time, on any instance. */
export async function ensurePartitions({ sql, now }: Pick<Ctx, "sql" | "now">): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtext('usage_events partitions'))`;
    for (let ahead = 0; ahead <= DAYS_AHEAD; ahead++) {
      const [from, to] = [ahead, ahead + 1].map((days) => isoDay(now, days)) as [string, string];
      const name = `usage_events_${from.replaceAll("-", "")}`;
      const [found] = await tx`select 1 from pg_class where relname = ${name}`;
      if (!found) {
        await tx.unsafe(`create table ${name} partition of usage_events for values from ('${from}') to ('${to}')`);
      }
    }
  });
}

const isoDay = (now: Date, daysLater: number) =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + daysLater)).toISOString().slice(0, 10);
