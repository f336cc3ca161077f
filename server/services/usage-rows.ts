// What is kept of a request: a row of `usage_events` and one of `request_arguments`.
import { createHmac } from "node:crypto";
import type { Sql } from "../../db/client";
import { isoOf } from "../clock";
import type { Consumer, Ctx } from "../context";
import { redact, redactText } from "./redaction";

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

/** Whoever it is recorded for; what else is needed of a request. */
export type Recorded = Omit<Ctx, "actor"> & { actor: Caller };

/** Both rows, in the order in which `insertRows` reads their values. */
export function usageRow(ctx: Recorded, event: UsageEvent): unknown[] {
  const { actor } = ctx;
  const { client } = event;
  return [
    ctx.requestId,
    isoOf(ctx.now),
    actor.consumerId,
    actor.keyId,
    actor.accountId,
    actor.endpoint,
    event.method,
    event.tool,
    event.storeId,
    event.status,
    event.errorCode,
    event.latencyUs,
    event.requestBytes,
    event.responseBytes,
    told(client.clientName),
    client.locale,
    client.country,
    told(client.region),
    told(client.city),
    pseudonym(ctx, client.session),
    pseudonym(ctx, client.subject),
    event.storeId && event.productIds?.length ? [...new Set(event.productIds)] : null,
    ...asked(event),
  ];
}

/** What a client says in its own words may be anything, its key among it. */
const told = (text: string | undefined) => (text === undefined ? null : redactText(text));

/** What its row of `request_arguments` has more; nothing where it has none. */
const asked = ({ arguments: given, problem }: UsageEvent): unknown[] =>
  given === undefined && problem === undefined
    ? []
    : [redact(given), problem === undefined ? undefined : redactText(problem)];

/**
 * HMAC-SHA-256 under the server's secret and the month (UTC): the same session gives the same value for so long, nobody
 * can go back, and nobody is followed from one month into the next.
 */
function pseudonym({ secretKeys, now }: Pick<Ctx, "secretKeys" | "now">, value: string | undefined): string | null {
  if (value === undefined) return null;
  const month = now.toISOString().slice(0, 7);
  return `\\x${createHmac("sha256", secretKeys[0]).update(`usage:${month}:${value}`).digest("hex")}`;
}

/**
 * SQL: inserts these rows. A trigger makes them pending for the rollups. Values come by their places in JSON arrays, those
 * of both tables in one: read by name, the statement takes a third longer, in an array for each table a tenth.
 * @param given SQL: a query that gives the rows, as `usageRow` makes them, each as a `r` of JSON
 */
export const insertRows = (sql: Sql, given: ReturnType<Sql>): ReturnType<Sql> => sql`
  given as materialized (${given}),
  asked as (
    insert into request_arguments (request_id, at, consumer_id, arguments, problem)
    select (r->>0)::uuid, (r->>1)::timestamptz, (r->>2)::uuid, nullif(r->22, 'null'), r->>23 from given
    where r->22 is not null
  )
  insert into usage_events (request_id, at, consumer_id, key_id, account_id, endpoint, method, tool, store_id, status,
    error_code, latency_us, request_bytes, response_bytes, client_name, locale, country, region, city, session_hash,
    subject_hash, product_ids)
  select (r->>0)::uuid, (r->>1)::timestamptz, (r->>2)::uuid, (r->>3)::uuid, (r->>4)::uuid, r->>5, r->>6, r->>7,
    (r->>8)::uuid, (r->>9)::smallint, r->>10, (r->>11)::int, (r->>12)::int, (r->>13)::int, r->>14, r->>15, r->>16,
    r->>17, r->>18, (r->>19)::bytea, (r->>20)::bytea,
    case when r->>21 is not null then array(select jsonb_array_elements_text(r->21)) end
  from given`;
