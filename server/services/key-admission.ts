// Whom a key speaks for, asked anew for each request, and the request counted against its consumer's limit in one statement.
import { isDeepStrictEqual } from "node:util";
import type { Sql } from "../../db/client";
import { flushing } from "../../db/compose";
import * as clock from "../clock";
import type { Anonymous, Consumer, Ctx, Scope } from "../context";
import { DomainError } from "../errors";
import { addUp, CONSUMER_COUNTER, type Place, refusedKeysOf, unwaited, WINDOW_MS } from "../limit-store";
import { coalesce, perClient } from "./coalesce";
import { hexHashOf, isWellFormed } from "./key-format";
import { type Begun, beginning, type Request } from "./usage-begun";

export type Refusal = "malformed" | "unknown" | "revoked" | "expired" | "access_revoked";

const refusals: Record<Refusal, string> = {
  malformed: "The API key is malformed. Send the whole key as 'Authorization: Bearer <key>'.",
  unknown: "The API key is unknown. Check that it was copied whole, or issue a new one on the Keys page.",
  revoked: "The API key was revoked. Issue a new one on the Keys page.",
  expired: "The API key has expired. Issue a new one on the Keys page.",
  access_revoked: "Access was revoked. The console's Overview shows the decision and its reason.",
};

/** A key that does not work. */
export class RefusedKey extends DomainError {
  constructor(
    readonly reason: Refusal,
    /** Whose it was, if it was issued once: for its consumer's usage, and no part of any answer. */
    readonly holder?: { consumerId: string; keyId: string },
    /** Its place among the refused keys of its sender, where its look-up counted it. */
    readonly counted?: Place,
  ) {
    super("invalid_token", refusals[reason], { details: { reason } });
  }
}

export const refuseKey = (reason: Refusal) => new RefusedKey(reason);

interface Holder {
  hash: string;
  key_id: string;
  key_scopes: Scope[];
  /** Why the key no longer works. */
  ended: Refusal | null;
  consumer_id: string;
  slug: string;
  tier: Consumer["tier"];
  coverage: Consumer["coverage"];
  scopes: Scope[];
  rate_limit: number;
  utm_source: string | null;
}

interface KeyRow extends Holder {
  /** How many requests the consumer's window has by now, those of this statement among them. Null where it counted none. */
  points: number | null;
  /** How many of this statement's came with this key. */
  requests: number;
  expire: number | null;
}

/** What `lookUp` and `lookUpUnseen` found. */
interface Asked {
  row: Holder | undefined;
  place?: Place | undefined;
  begun?: Begun | undefined;
}

/** A request whose key works. */
interface AdmittedKey {
  /** The expected one itself, if that is what the key still speaks for. */
  consumer: Consumer;
  /** Its place in its consumer's window, if the look-up counted it. */
  counted: Place | undefined;
  /** The record that it has begun, if the look-up wrote one. */
  begun: Begun | undefined;
}

/** A key as it came with a request. */
export interface Presented {
  /** SHA-256, in hex; undefined when it cannot be a key of ours. */
  hash: string | undefined;
  /**
   * The consumer that it spoke for when it was looked up last. Work may begin for that one while the key is looked up anew, and
   * comes to nothing if that finds otherwise: this decides nothing (decision 0031).
   */
  expected: Consumer | undefined;
}

/** @param value the bearer token as it came */
export function presented({ sql }: Pick<Ctx, "sql">, value: string): Presented {
  const hash = isWellFormed(value) ? hexHashOf(value) : undefined;
  return { hash, expected: hash === undefined ? undefined : remembered(sql).get(hash) };
}

/**
 * The consumer that a key speaks for, with what the call may do. Asked anew for each request: nothing is cached.
 * @param value the bearer token as it came
 * @throws DomainError invalid_token with `details.reason`
 */
export const authenticate = async (ctx: Ctx<Anonymous>, value: string): Promise<Consumer> =>
  (await admit(ctx, presented(ctx, value), undefined)).consumer;

/**
 * The same, and counts a request against the consumer's limit and writes down that it has begun, in the same statement and
 * only if the key works.
 * @param request to be counted
 * @param address the sender's, where a refused key counts against it; the look-up counts one that was not seen to work before
 * @throws RefusedKey
 */
export async function admit(
  ctx: Ctx<Anonymous>,
  { hash, expected }: Presented,
  request: Request | undefined,
  address?: string,
): Promise<AdmittedKey> {
  if (hash === undefined) throw refuseKey("malformed");
  const known = remembered(ctx.sql);
  const sender = expected === undefined && address !== undefined ? refusedKeysOf(address) : undefined;
  const { row, place, begun }: Asked = await (sender === undefined
    ? lookUp(ctx.sql)({ hash, request })
    : lookUpUnseen(ctx.sql)({ hash, sender }));
  if (row?.ended === null) {
    const consumer = consumerOf(row);
    const isAsExpected = expected !== undefined && isDeepStrictEqual(consumer, expected);
    if (isAsExpected) return { consumer: expected, counted: place, begun };
    if (known.size >= MOST_REMEMBERED) known.clear();
    known.set(hash, consumer);
    return { consumer, counted: place, begun };
  }
  known.delete(hash);
  if (!row) throw new RefusedKey("unknown", undefined, place);
  throw new RefusedKey(row.ended, { consumerId: row.consumer_id, keyId: row.key_id }, place);
}

/** Resolves once a look-up that begins now is done; rejects where look-ups fail, as while the database takes no writes. */
export async function lookUpsWork(sql: Sql): Promise<void> {
  await lookUp(sql)({ hash: "", request: undefined });
}

const consumerOf = (row: Holder): Consumer => ({
  kind: "consumer",
  consumerId: row.consumer_id,
  slug: row.slug,
  tier: row.tier,
  coverage: row.coverage,
  scopes: row.scopes.filter((scope) => row.key_scopes.includes(scope)),
  rateLimit: row.rate_limit,
  utmSource: row.utm_source,
  endpoint: "api",
  keyId: row.key_id,
  accountId: null,
});

const MOST_REMEMBERED = 10_000;
const remembered = perClient(() => new Map<string, Consumer>());

/** SQL: why a key `k` of the consumer `c` no longer works, or null. */
export const ended = (sql: Sql, now: Date) => sql`
  case when c.state in ('revoked', 'under_review') then 'access_revoked' when k.revoked_at is not null then 'revoked'
    when k.expires_at <= ${now} then 'expired' end`;

/** SQL: for whom a key `k` of the consumer `c` speaks. */
const holder = (sql: Sql, now: Date) => sql`
  k.id as key_id, k.scopes as key_scopes, c.id as consumer_id, c.slug, c.tier, c.coverage, c.scopes, c.rate_limit, c.utm_source,
  ${ended(sql, now)} as ended`;

const hasRequest = (one: { hash: string; request: Request | undefined }): one is { hash: string; request: Request } =>
  one.request !== undefined;

/** Each flush that is under way holds a connection. While there are this many no batch begins, so that the rest stay free for reads. */
const MOST_FLUSHES = 4;

/** One statement for all the keys that wait in the same turn; with subqueries, so that one plan serves any number of them. */
const lookUp = perClient((sql) => {
  const flushes = new Set<Promise<void>>();
  return coalesce(
    async (asked: { hash: string; request: Request | undefined }[]) => {
      while (flushes.size >= MOST_FLUSHES) await Promise.race(flushes);
      const requests = new Map<string, number>();
      for (const { hash, request } of asked)
        requests.set(hash, (requests.get(hash) ?? 0) + Number(request !== undefined));
      const now = clock.now();
      const begin = beginning(sql, now, asked.filter(hasRequest));
      const { rows, onDisk } = await flushing(sql<KeyRow[]>`
        with found as (
          select asked.hex as hash, asked.requests, ${CONSUMER_COUNTER}::text || c.id::text as counter, ${holder(sql, now)}
          from unnest((select ${[...requests.keys()]}::text[]), (select ${[...requests.values()]}::int[])) asked (hex, requests)
          join keys k on k.hash = decode(asked.hex, 'hex')
          join consumers c on c.id = k.consumer_id
        ), counted as (
          insert into rate_limits as had (key, points, expire)
          select counter, sum(requests), ${now.getTime() + WINDOW_MS}::bigint from found
          where requests > 0 and ended is null
          group by counter order by counter
          ${addUp(sql, now.getTime())}
        ), begun as (${begin.statement})
        select found.*, counted.points, counted.expire from ${unwaited(sql)} cross join found left join counted on counted.key = found.counter`);
      const flush = onDisk.then(
        () => void flushes.delete(flush),
        () => void flushes.delete(flush),
      );
      flushes.add(flush);
      const begun: Begun = { id: begin.id, left: 0, onDisk };
      const found = new Map(rows.map((row) => [row.hash, row]));
      // `points` is what the count stands at now: the last places up to it are those of this statement's own requests.
      const places = new Map<string, number>();
      for (const { consumer_id, points, requests, ended } of rows)
        if (points !== null && !ended) places.set(consumer_id, (places.get(consumer_id) ?? points) - requests);
      return asked.map(({ hash, request }) => {
        const row = found.get(hash);
        const before = request && row && !row.ended ? places.get(row.consumer_id) : undefined;
        if (!row || before === undefined) return { row };
        places.set(row.consumer_id, before + 1);
        begun.left += 1;
        return { row, place: { place: before + 1, until: row.expire! }, begun };
      });
    },
    { max: 100, lanes: 2 },
  );
});

/**
 * The same for keys that no call came with yet. Most are guesses: those that do not work are counted against their senders in
 * the same statement (decision 0040).
 * @returns `place`: of a refused key, among its sender's
 */
const lookUpUnseen = perClient((sql) =>
  coalesce(
    async (asked: { hash: string; sender: string }[]) => {
      const now = clock.now();
      const hashes = asked.map(({ hash }) => hash);
      const senders = asked.map(({ sender }) => sender);
      const [row] = await sql<[{ found: Holder[]; refused: { key: string; points: number; expire: number }[] }]>`
        with sent as (
          select * from unnest((select ${hashes}::text[]), (select ${senders}::text[])) sent (hash, sender)
        ), found as (
          select sent.hash, ${holder(sql, now)} from sent
          join keys k on k.hash = decode(sent.hash, 'hex')
          join consumers c on c.id = k.consumer_id
        ), refused as (
          insert into rate_limits as had (key, points, expire)
          select sender, count(*), ${now.getTime() + WINDOW_MS}::bigint from sent, ${unwaited(sql)}
          where not exists (select from found where found.hash = sent.hash and found.ended is null)
          group by sender order by sender
          ${addUp(sql, now.getTime())}
        )
        select (select coalesce(json_agg(found), '[]') from found) as found,
          (select coalesce(json_agg(refused), '[]') from refused) as refused`;
      const found = new Map(row.found.map((holder) => [holder.hash, holder]));
      const refused = new Map(row.refused.map((counted) => [counted.key, counted]));
      // From the last one back: the last of a sender's has the place that its row has now.
      return asked
        .toReversed()
        .map(({ hash, sender }) => {
          const holder = found.get(hash);
          if (holder?.ended === null) return { row: holder };
          const counted = refused.get(sender)!;
          const place = { place: counted.points, until: counted.expire };
          counted.points -= 1;
          return { row: holder, place };
        })
        .toReversed();
    },
    { max: 100, lanes: 2 },
  ),
);
