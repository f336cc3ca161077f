// API keys. The plaintext exists only in the return value of issue() and rotate(); the database has its SHA-256.
import { isDeepStrictEqual } from "node:util";
import { and, desc, eq, isNull, sql as raw } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../db/client";
import { accounts } from "../../db/schema/accounts";
import { keys } from "../../db/schema/keys";
import { audit as leak } from "../../db/schema/operations";
import * as clock from "../clock";
import { type Anonymous, actorId, type Consumer, type Ctx, type Scope, scopes } from "../context";
import { DomainError } from "../errors";
import { addUp, unwaited } from "../limit-store";
import { CONSUMER_COUNTER, type Place, WINDOW_MS } from "../limits";
import * as audit from "./audit";
import { coalesce, perClient } from "./coalesce";
import { hashOf, isWellFormed, mint } from "./key-format";
import {
  find,
  type KeyHolder,
  lockConsumer,
  requireCurrentTerms,
  requireMine,
  requireNewAttempt,
  requireOwner,
} from "./key-holder";
import { countActive, isActive, type KeyState, stateOf } from "./key-state";

export type Refusal = "malformed" | "unknown" | "revoked" | "expired" | "access_revoked";

const refusals: Record<Refusal, string> = {
  malformed: "The API key is malformed. Send the whole key as 'Authorization: Bearer <key>'.",
  unknown: "The API key is unknown. Check that it was copied whole, or issue a new one on the Keys page.",
  revoked: "The API key was revoked. Issue a new one on the Keys page.",
  expired: "The API key has expired. Issue a new one on the Keys page.",
  access_revoked: "Access was revoked. The console's Overview shows the decision and its reason.",
};

export const refuseKey = (reason: Refusal) =>
  new DomainError("invalid_token", refusals[reason], { details: { reason } });

/** A key that was issued but no longer works. `holder` is for its consumer's usage, and no part of any answer. */
export class EndedKey extends DomainError {
  constructor(
    readonly reason: Refusal,
    readonly holder: { consumerId: string; keyId: string },
  ) {
    super("invalid_token", refusals[reason], { details: { reason } });
  }
}

interface KeyRow {
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
  /** Of the consumer's limit, with all that were counted by this statement. Null where none was. */
  points: number | null;
  /** Of those, how many by this key. */
  requests: number;
  expire: number | null;
}

/** A key as it came with a request. */
export interface Presented {
  /** SHA-256, in hex; undefined when it cannot be a key of ours. */
  hash: string | undefined;
  /**
   * For whom it spoke when it was last asked for. Work may begin with it while the key is asked for anew, and comes to
   * nothing if that says otherwise: it decides nothing (decision 0031).
   */
  expected: Consumer | undefined;
}

/** @param value the bearer token as it came */
export function presented({ sql }: Pick<Ctx, "sql">, value: string): Presented {
  const hash = isWellFormed(value) ? hashOf(value).toString("hex") : undefined;
  return { hash, expected: hash === undefined ? undefined : remembered(sql).get(hash) };
}

/**
 * The consumer that a key speaks for, with what the call may do. Asked anew for each request: nothing is cached.
 * @param value the bearer token as it came
 * @throws DomainError invalid_token with `details.reason`
 */
export const authenticate = async (ctx: Ctx<Anonymous>, value: string): Promise<Consumer> =>
  (await admit(ctx, presented(ctx, value), false)).consumer;

/**
 * The same, and counts a request against the consumer's limit, in the same statement and only if the key works.
 * @returns `consumer`: the expected one itself, if that is what the key still speaks for; `counted`: its place, if it is to
 * be counted
 * @throws DomainError invalid_token with `details.reason`
 */
export async function admit(
  ctx: Ctx<Anonymous>,
  { hash, expected }: Presented,
  isCounted: boolean,
): Promise<{ consumer: Consumer; counted: Place | undefined }> {
  if (hash === undefined) throw refuseKey("malformed");
  const known = remembered(ctx.sql);
  const { row, place } = await lookUp(ctx.sql)({ hash, isCounted });
  if (row?.ended === null) {
    const consumer = consumerOf(row);
    const isAsExpected = expected !== undefined && isDeepStrictEqual(consumer, expected);
    if (isAsExpected) return { consumer: expected, counted: place };
    if (known.size >= MOST_REMEMBERED) known.clear();
    known.set(hash, consumer);
    return { consumer, counted: place };
  }
  known.delete(hash);
  if (!row) throw refuseKey("unknown");
  throw new EndedKey(row.ended as Refusal, { consumerId: row.consumer_id, keyId: row.key_id });
}

const consumerOf = (row: KeyRow): Consumer => ({
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

/** One statement for all the keys that wait in the same turn; with subqueries, so that one plan serves any number of them. */
const lookUp = perClient((sql) =>
  coalesce(
    async (asked: { hash: string; isCounted: boolean }[]) => {
      const requests = new Map<string, number>();
      for (const { hash, isCounted } of asked) requests.set(hash, (requests.get(hash) ?? 0) + Number(isCounted));
      const now = clock.now();
      const rows = await sql<KeyRow[]>`
        with found as (
          select asked.hex as hash, asked.requests, k.id as key_id, k.scopes as key_scopes, c.id as consumer_id, c.slug,
            c.tier, c.coverage, c.scopes, c.rate_limit, c.utm_source, ${CONSUMER_COUNTER}::text || c.id::text as counter,
            case when c.state in ('revoked', 'under_review') then 'access_revoked' when k.revoked_at is not null then 'revoked'
              when k.expires_at <= ${now} then 'expired' end as ended
          from unnest((select ${[...requests.keys()]}::text[]), (select ${[...requests.values()]}::int[])) asked (hex, requests)
          join keys k on k.hash = decode(asked.hex, 'hex')
          join consumers c on c.id = k.consumer_id
        ), counted as (
          insert into rate_limits as had (key, points, expire)
          select counter, sum(requests), ${now.getTime() + WINDOW_MS}::bigint from found, ${unwaited(sql)}
          where requests > 0 and ended is null
          group by counter order by counter
          ${addUp(sql, now.getTime())}
        )
        select found.*, counted.points, counted.expire from found left join counted on counted.key = found.counter`;
      const found = new Map(rows.map((row) => [row.hash, row]));
      // Who counted before this statement has the places before: what its own requests get ends with `points`.
      const places = new Map<string, number>();
      for (const { consumer_id, points, requests, ended } of rows)
        if (points !== null && !ended) places.set(consumer_id, (places.get(consumer_id) ?? points) - requests);
      return asked.map(({ hash, isCounted }) => {
        const row = found.get(hash);
        const before = isCounted && row && !row.ended ? places.get(row.consumer_id) : undefined;
        if (!row || before === undefined) return { row, place: undefined };
        places.set(row.consumer_id, before + 1);
        return { row, place: { place: before + 1, msBeforeNext: row.expire! - now.getTime() } };
      });
    },
    { max: 100, lanes: 2 },
  ),
);

export const KeyName = z.string().trim().min(1, "Give the key a name.").max(100);
export const IssueKey = z.strictObject({
  consumerId: z.uuid(),
  name: KeyName,
  /** A subset of the consumer's; all of them when left out. */
  scopes: z.array(z.enum(scopes)).min(1, "Choose at least one scope.").optional(),
  expiresAt: z.date().nullable().optional(),
  /** Of the form: one attempt issues one key, however often it is sent. */
  attempt: z.uuid().optional(),
});

export interface IssuedKey {
  id: string;
  /** The key itself. Shown once; nowhere kept. */
  value: string;
  name: string;
  scopes: Scope[];
  expiresAt: Date | null;
}

/**
 * Issues a key (specification 3.3).
 * @throws DomainError forbidden, not_found, terms_outdated, key_limit_reached, invalid_input, conflict (the attempt has issued its key)
 */
export async function issue(ctx: Ctx<KeyHolder>, input: z.infer<typeof IssueKey>): Promise<IssuedKey> {
  return ctx.db.transaction(async (tx) => {
    const consumer = await lockConsumer(ctx, tx, input.consumerId);
    await requireNewAttempt(tx, consumer.id, input.attempt);
    await requireCurrentTerms(tx, consumer.termsVersion);
    const wanted = input.scopes ?? (consumer.scopes as Scope[]);
    const beyond = wanted.filter((scope) => !consumer.scopes.includes(scope));
    if (beyond.length > 0) throw invalid("scopes", `The consumer does not have ${beyond.join(", ")}.`);
    if (input.expiresAt && input.expiresAt <= ctx.now) throw invalid("expiresAt", "The expiry must lie in the future.");
    const active = await countActive({ db: tx, now: ctx.now }, consumer.id);
    if (active >= consumer.maxKeys) {
      throw new DomainError(
        "key_limit_reached",
        `All ${consumer.maxKeys} keys are in use. Revoke one, or ask the operator for more.`,
        { details: { maximum: consumer.maxKeys } },
      );
    }
    const expiresAt = input.expiresAt ?? null;
    const { name, attempt } = input;
    return insert(ctx, tx, { consumerId: consumer.id, name, scopes: wanted, expiresAt, attempt }, "key.issue");
  });
}

export const RotateKey = z.strictObject({ id: z.uuid(), revokeOld: z.boolean() });

/**
 * A new key in the place of an old one: same name, scopes and expiry. The old one goes on working as "superseded" until
 * it is revoked, unless `revokeOld` (for leaked keys).
 * @throws DomainError forbidden, not_found, terms_outdated, conflict
 */
export async function rotate(ctx: Ctx<KeyHolder>, input: z.infer<typeof RotateKey>): Promise<IssuedKey> {
  return ctx.db.transaction(async (tx) => {
    const old = await find(ctx, tx, input.id);
    const consumer = await lockConsumer(ctx, tx, old.consumerId);
    await requireCurrentTerms(tx, consumer.termsVersion);
    // Read again under the consumer's lock: two rotations at once are one rotation and one refusal.
    const [current] = await tx
      .select()
      .from(keys)
      .where(and(eq(keys.id, old.id), isActive(ctx.now)));
    if (!current) throw new DomainError("conflict", "Only an active key can be rotated; this one no longer is.");
    const lineage = and(eq(keys.line, current.line), isNull(keys.revokedAt));
    const [waiting] = await tx.select({ end: keys.end }).from(keys).where(and(lineage, raw`superseded_at is not null`));
    if (waiting && !input.revokeOld) {
      throw new DomainError(
        "conflict",
        `The key before this one (…${waiting.end}) still works. Revoke it before you rotate again.`,
      );
    }
    const change = input.revokeOld
      ? { revokedAt: ctx.now, revokedBy: actorId(ctx.actor), supersededAt: ctx.now }
      : { supersededAt: ctx.now };
    await tx.update(keys).set(change).where(eq(keys.id, current.id));
    const heir = {
      consumerId: current.consumerId,
      name: current.name,
      scopes: current.scopes as Scope[],
      expiresAt: current.expiresAt,
      line: current.line,
    };
    return insert(ctx, tx, heir, "key.rotate", { id: current.id, revoked: input.revokeOld });
  });
}

export const RevokeKey = z.strictObject({ id: z.uuid() });

/** Revokes at once: the next request gets 401. A key that is revoked already stays as it is. @throws DomainError forbidden, not_found */
export async function revoke(ctx: Ctx<KeyHolder>, input: z.infer<typeof RevokeKey>): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const key = await find(ctx, tx, input.id);
    requireOwner(ctx);
    const [revoked] = await tx
      .update(keys)
      .set({ revokedAt: ctx.now, revokedBy: actorId(ctx.actor) })
      .where(and(eq(keys.id, key.id), isNull(keys.revokedAt)))
      .returning({ id: keys.id });
    if (revoked) await audit.record(ctx, tx, { action: "key.revoke", target: ["key", key.id] });
  });
}

export interface KeyListing {
  id: string;
  name: string;
  start: string;
  end: string;
  scopes: Scope[];
  state: KeyState;
  createdAt: Date;
  /** The person's name; null for a key of the command line, or of an account that is gone. */
  createdBy: string | null;
  lastUsedAt: Date | null;
  expiresAt: Date | null;
  revokedAt: Date | null;
  /** Where it was found in public, when that is why it was revoked; empty where it is not known where. */
  leakedAt: string | null;
}

/** A consumer's keys, newest first; never a value. @throws DomainError not_found */
export async function list(ctx: Ctx<KeyHolder>, input: { consumerId: string }): Promise<KeyListing[]> {
  requireMine(ctx, input.consumerId);
  const rows = await ctx.db
    .select({ row: keys, createdBy: accounts.name, leakedAt: raw<string | null>`${leak.after} ->> 'url'` })
    .from(keys)
    .leftJoin(accounts, eq(accounts.id, keys.createdBy))
    .leftJoin(leak, and(eq(leak.targetId, raw`${keys.id}::text`), eq(leak.action, "key.revoke_leaked")))
    .where(eq(keys.consumerId, input.consumerId))
    .orderBy(desc(keys.id));
  return rows.map(({ row, createdBy, leakedAt }) => ({
    id: row.id,
    name: row.name,
    start: row.start,
    end: row.end,
    scopes: row.scopes as Scope[],
    state: stateOf(row, ctx.now),
    createdAt: row.createdAt,
    createdBy,
    lastUsedAt: row.lastUsedAt,
    expiresAt: row.expiresAt,
    revokedAt: row.revokedAt,
    leakedAt,
  }));
}

interface NewKey {
  consumerId: string;
  name: string;
  scopes: Scope[];
  expiresAt: Date | null;
  line?: string;
  attempt?: string | undefined;
}

async function insert(
  ctx: Ctx<KeyHolder>,
  tx: Database,
  key: NewKey,
  action: audit.Action,
  before?: unknown,
): Promise<IssuedKey> {
  const value = mint();
  const [row] = await tx
    .insert(keys)
    .values({
      ...key,
      hash: hashOf(value),
      start: value.slice(0, 10),
      end: value.slice(-4),
      createdBy: actorId(ctx.actor),
    })
    .returning({ id: keys.id });
  const { line: _line, attempt: _attempt, ...after } = key;
  await audit.record(ctx, tx, { action, target: ["key", row!.id], before, after });
  return { id: row!.id, value, name: key.name, scopes: key.scopes, expiresAt: key.expiresAt };
}

const invalid = (field: string, message: string) =>
  new DomainError("invalid_input", message, { details: { issues: [{ path: field, message }] } });
