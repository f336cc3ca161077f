// One row for each counted request, committed before its answer leaves: a killed process loses no answered call.
// Refusals that cost their sender nothing are each counted too, but only so many a minute have a row of their own.
import { createHmac } from "node:crypto";
import type { Consumer, Ctx } from "../context";
import { coalesce, perClient } from "./coalesce";
import { redact, redactText, storable } from "./redaction";

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
  /** What was asked of a tool, as it came: kept 7 days, without secrets, for the consumer's members. */
  arguments?: unknown;
  /** What the caller was told, where it was refused: kept likewise. */
  problem?: string | undefined;
}

/** Whom a request is counted for. */
export type Caller = Pick<Consumer, "consumerId" | "keyId" | "accountId" | "endpoint">;

/** Writes the row of this request, and at most once a minute that its key was used. */
export async function record(ctx: Omit<Ctx, "actor"> & { actor: Caller }, event: UsageEvent): Promise<void> {
  const { actor } = ctx;
  if (isFree(event) && !mayBeLogged(`${actor.consumerId} ${actor.keyId} ${event.errorCode}`, ctx.now)) {
    return countRefusal(ctx.sql)({ ctx, event });
  }
  const asked = askedRow(ctx, event);
  const written = write(ctx.sql)({ event: eventRow(ctx, event), asked });
  const touched =
    worked(event) && actor.keyId && touchIsDue(actor.keyId, ctx.now) ? touchKey(ctx, actor.keyId) : undefined;
  await Promise.all([written, touched]);
}

type Recorded = Parameters<typeof record>[0];
type Row = Record<string, unknown>;

function eventRow(ctx: Recorded, event: UsageEvent): Row {
  const { actor } = ctx;
  const { client } = event;
  return {
    request_id: ctx.requestId,
    at: ctx.now,
    consumer_id: actor.consumerId,
    key_id: actor.keyId,
    account_id: actor.accountId,
    endpoint: actor.endpoint,
    method: storable(event.method),
    tool: event.tool ?? null,
    store_id: event.storeId ?? null,
    status: event.status,
    error_code: event.errorCode ?? null,
    latency_us: event.latencyUs,
    request_bytes: event.requestBytes,
    response_bytes: event.responseBytes,
    client_name: told(client.clientName),
    locale: client.locale ?? null,
    country: client.country ?? null,
    region: told(client.region),
    city: told(client.city),
    session_hash: pseudonym(ctx, client.session),
    subject_hash: pseudonym(ctx, client.subject),
    product_ids: event.storeId && event.productIds?.length ? [...new Set(event.productIds)] : null,
  };
}

/** What a client says in its own words may be anything, its key among it. */
const told = (text: string | undefined) => (text === undefined ? null : redactText(text));

function askedRow(ctx: Recorded, { arguments: given, problem }: UsageEvent): Row | undefined {
  if (given === undefined && problem === undefined) return undefined;
  return {
    request_id: ctx.requestId,
    at: ctx.now,
    consumer_id: ctx.actor.consumerId,
    arguments: redact(given),
    problem: problem === undefined ? undefined : redactText(problem),
  };
}

/** One statement, and one commit, for all rows that wait in the same turn. A trigger makes them pending for the rollups. */
const write = perClient((sql) =>
  coalesce(
    async (rows: { event: Row; asked: Row | undefined }[]) => {
      const events = sql.json(rows.map(({ event }) => event) as never);
      const asked = sql.json(rows.flatMap((row) => row.asked ?? []) as never);
      await sql`
        with asked as (
          insert into request_arguments select * from jsonb_populate_recordset(null::request_arguments, ${asked})
        )
        insert into usage_events select * from jsonb_populate_recordset(null::usage_events, ${events})`;
      return rows;
    },
    { max: 200, lanes: 2 },
  ),
);

/** Nothing holds back who sends these: keys that no longer work, and what is over the limit. */
const isFree = ({ status }: UsageEvent) => status === 401 || status === 429;
const worked = ({ status }: UsageEvent) => status !== 401;

const LOGGED_A_MINUTE = 100;
const MINUTE_MS = 60_000;
let logged = { minute: 0, times: new Map<string, number>() };

/** The first hundred of a kind in a minute, on this instance. */
function mayBeLogged(kind: string, now: Date): boolean {
  const minute = Math.floor(now.getTime() / MINUTE_MS);
  if (logged.minute !== minute) logged = { minute, times: new Map() };
  const times = (logged.times.get(kind) ?? 0) + 1;
  logged.times.set(kind, times);
  return times <= LOGGED_A_MINUTE;
}

interface Refused {
  ctx: Recorded;
  event: UsageEvent;
}

const minuteOf = ({ now }: Recorded): number => Math.floor(now.getTime() / MINUTE_MS);

/** What is counted as one. Not what the client says of itself: a flood could say something else each time. */
const kindOf = ({ ctx, event }: Refused): string => {
  const { consumerId, keyId, endpoint } = ctx.actor;
  const { method, tool, storeId, status, errorCode } = event;
  return [minuteOf(ctx), consumerId, keyId, endpoint, method, tool, storeId, status, errorCode].join(" ");
};

/** As a row of `usage_pending`. */
const pendingRow = ({ ctx, event }: Refused): Row => ({
  at: new Date(minuteOf(ctx) * MINUTE_MS),
  consumer_id: ctx.actor.consumerId,
  key_id: ctx.actor.keyId,
  endpoint: ctx.actor.endpoint,
  method: storable(event.method),
  tool: event.tool ?? null,
  store_id: event.storeId ?? null,
  status: event.status,
  error_code: event.errorCode ?? null,
  latency_us: 0,
  client_name: null,
  locale: null,
});

/** Refusals beyond those that are logged: only their number is kept, one row for all alike of a batch. */
const countRefusal = perClient((sql) =>
  coalesce(
    async (refusals: Refused[]) => {
      const alike = new Map<string, { row: Row; times: number }>();
      for (const refused of refusals) {
        const kind = kindOf(refused);
        const counted = alike.get(kind);
        if (counted) counted.times += 1;
        else alike.set(kind, { row: pendingRow(refused), times: 1 });
      }
      const rows = sql.json([...alike.values()].map(({ row, times }) => ({ times, ...row })) as never);
      await sql`insert into usage_pending select * from jsonb_populate_recordset(null::usage_pending, ${rows})`;
      return refusals.map(() => undefined);
    },
    { max: 1_000, lanes: 1 },
  ),
);

/**
 * HMAC-SHA-256 under the server's secret and the month (UTC): the same session gives the same value for so long, nobody
 * can go back, and nobody is followed from one month into the next.
 */
function pseudonym({ secretKeys, now }: Pick<Ctx, "secretKeys" | "now">, value: string | undefined): string | null {
  if (value === undefined) return null;
  const month = now.toISOString().slice(0, 7);
  return `\\x${createHmac("sha256", secretKeys[0]).update(`usage:${month}:${value}`).digest("hex")}`;
}

const touchedAt = new Map<string, number>();

/** Spares the statement while this process knows that the minute is not over; the database has the last word. */
function touchIsDue(keyId: string, now: Date): boolean {
  if (now.getTime() - (touchedAt.get(keyId) ?? 0) < MINUTE_MS) return false;
  if (touchedAt.size > 10_000) touchedAt.clear();
  touchedAt.set(keyId, now.getTime());
  return true;
}

const touchKey = ({ sql, now }: Pick<Ctx, "sql" | "now">, keyId: string) => sql`
  update keys set last_used_at = ${now}
  where id = ${keyId} and (last_used_at is null or last_used_at <= ${new Date(now.getTime() - MINUTE_MS)})`;
