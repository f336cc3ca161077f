// One row for each counted request, committed before its answer leaves: a killed process loses no answered call.
import { createHmac } from "node:crypto";
import type { Consumer, Ctx } from "../context";
import { coalesce, perClient } from "./coalesce";

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
  /** What the call names in that store. */
  productIds?: readonly string[] | undefined;
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
  const { actor } = ctx;
  const { client } = event;
  const written = write(ctx.sql)({
    request_id: ctx.requestId,
    at: ctx.now,
    consumer_id: actor.consumerId,
    key_id: actor.keyId,
    account_id: actor.accountId,
    endpoint: actor.endpoint,
    method: event.method,
    tool: event.tool ?? null,
    store_id: event.storeId ?? null,
    status: event.status,
    error_code: event.errorCode ?? null,
    latency_us: event.latencyUs,
    request_bytes: event.requestBytes,
    response_bytes: event.responseBytes,
    client_name: client.clientName ?? null,
    locale: client.locale ?? null,
    country: client.country ?? null,
    region: client.region ?? null,
    city: client.city ?? null,
    session_hash: pseudonym(ctx.secretKey, client.session),
    subject_hash: pseudonym(ctx.secretKey, client.subject),
    product_ids: event.storeId && event.productIds?.length ? [...new Set(event.productIds)] : null,
  });
  const touched = actor.keyId && touchIsDue(actor.keyId, ctx.now) ? touchKey(ctx, actor.keyId) : undefined;
  await Promise.all([written, touched]);
}

type Row = Record<string, unknown>;

/** One insert, and one commit, for all rows that wait in the same turn. */
const write = perClient((sql) =>
  coalesce(
    async (rows: Row[]) => {
      await sql`insert into usage_events select * from jsonb_populate_recordset(null::usage_events, ${sql.json(rows as never)})`;
      return rows;
    },
    { max: 200, lanes: 2 },
  ),
);

/** HMAC-SHA-256 under the server's secret: the same session gives the same value, and nobody can go back. */
function pseudonym(secretKey: string, value: string | undefined): string | null {
  return value === undefined ? null : `\\x${createHmac("sha256", secretKey).update(`usage:${value}`).digest("hex")}`;
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
