// API keys. The plaintext exists only in the return value of issue() and rotate(); the database has its SHA-256. Whom a key
// speaks for is asked in key-admission.ts.
import { and, desc, eq, inArray, isNotNull, isNull, not, or, sql as raw } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../db/client";
import { accounts } from "../../db/schema/accounts";
import { keys } from "../../db/schema/keys";
import { audit as leak } from "../../db/schema/operations";
import { actorId, type Ctx, type Member, type Operator, type Owner, type Scope, scopes } from "../context";
import { DomainError, refuseField } from "../errors";
import * as audit from "./audit";
import { isInReach, typed } from "./fields";
import { hashOf, mint } from "./key-format";
import {
  find,
  type KeyKeeper,
  lockForKeys,
  lockForNewKey,
  requireCurrentTerms,
  requireMine,
  requireNewAttempt,
} from "./key-keeper";
import * as line from "./key-line";
import { countActive, expiresSoon, isActive, type KeyState, stateOf, works } from "./key-state";
import { tellIssued, tellRevoked, toTell } from "./key-told";

const PAST = "The expiry must be in the future.";
const KeyName = typed(100, "Give the key a name.");
export const IssueKey = z.strictObject({
  consumerId: z.uuid(),
  name: KeyName,
  /** A subset of the consumer's; all of them when left out. */
  scopes: z
    .array(z.enum(scopes))
    .min(1, "Choose at least one scope.")
    .max(scopes.length, "Choose each scope once.")
    .optional(),
  expiresAt: z.date().nullable().optional(),
  /** Of the form: one attempt issues one key, however often it is sent. */
  attempt: z.uuid().optional(),
});

/** The same, as an owner's form sends it. */
export const IssueOwnKey = IssueKey.omit({ consumerId: true }).extend({
  scopes: IssueKey.shape.scopes.unwrap(),
  /** A day, at whose end (UTC) it expires. */
  expiresAt: z.iso
    .date("Enter a date, such as 2026-09-26.")
    .transform((day) => new Date(`${day}T24:00:00Z`))
    .refine((at) => at.getUTCFullYear() <= 9999, {
      error: "Choose an earlier day, or let the key not expire.",
      abort: true,
    })
    .refine(isInReach, PAST)
    .nullable(),
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
 * Issues a key.
 * @throws DomainError forbidden, not_found, terms_outdated, key_limit_reached, invalid_input, conflict (the attempt has
 *   issued its key)
 */
export async function issue(ctx: Ctx<KeyKeeper>, input: z.infer<typeof IssueKey>): Promise<IssuedKey> {
  return ctx.db.transaction(async (tx) => {
    const consumer = await lockForNewKey(ctx, tx, input.consumerId);
    await requireNewAttempt(tx, consumer.id, input.attempt);
    await requireCurrentTerms(tx, consumer.termsVersion);
    // In their order, each once.
    const wanted = scopes.filter((scope) => (input.scopes ?? consumer.scopes).includes(scope));
    const beyond = wanted.filter((scope) => !consumer.scopes.includes(scope));
    if (beyond.length > 0) throw refuseField("scopes", `The consumer does not have ${beyond.join(", ")}.`);
    if (wanted.length === 0) throw refuseField("scopes", "The platform has no scope that a key could have.");
    if (input.expiresAt && input.expiresAt <= ctx.now) throw refuseField("expiresAt", PAST);
    const active = await countActive({ db: tx, now: ctx.now }, consumer.id);
    if (active >= consumer.maxKeys) {
      const details = { maximum: consumer.maxKeys };
      throw new DomainError("key_limit_reached", tooMany(active, consumer.maxKeys), { details });
    }
    const expiresAt = input.expiresAt ?? null;
    const { name, attempt } = input;
    const told = await toTell(ctx, tx, consumer);
    const key = { consumerId: consumer.id, name, scopes: wanted, expiresAt, attempt };
    const issued = await insert(ctx, tx, key, "key.issue");
    await tellIssued(ctx, tx, told, { name, ...endsOf(issued) });
    return issued;
  });
}

/** A maximum may have been lowered below what is in use. */
function tooMany(active: number, maximum: number): string {
  if (maximum === 0) return "No key may be issued: the maximum is 0. Ask the operator for more.";
  if (active === 1) return "The only key that may be issued is in use. Revoke it, or ask the operator for more.";
  if (active === maximum) return `All ${maximum} keys are in use. Revoke one, or ask the operator for more.`;
  return `${active} keys are in use, of ${maximum}. Revoke ${active - maximum + 1}, or ask the operator for more.`;
}

export const RotateKey = z.strictObject({ id: z.uuid(), revokeOld: z.boolean() });

/**
 * A new key in the place of an old one: same name, scopes and expiry. The old one goes on working as "superseded" until
 * it is revoked, unless `revokeOld` (for leaked keys). For owners alone: operators issue and revoke (decision 0054).
 * @throws DomainError forbidden, not_found, terms_outdated, conflict
 */
export async function rotate(ctx: Ctx<Owner>, input: z.infer<typeof RotateKey>): Promise<IssuedKey> {
  return ctx.db.transaction(async (tx) => {
    const old = await find(ctx, tx, input.id);
    const consumer = await lockForNewKey(ctx, tx, old.consumerId);
    await requireCurrentTerms(tx, consumer.termsVersion);
    // Read again, and locked, under the consumer's lock: of two rotations at once one is refused.
    const [current] = await tx
      .select()
      .from(keys)
      .where(and(eq(keys.id, old.id), isActive(ctx.now)))
      .for("update");
    if (!current) throw new DomainError("conflict", "Only an active key can be rotated; this one no longer is.");
    const lineage = and(eq(keys.line, current.line), isNull(keys.revokedAt));
    const [waiting] = await tx
      .select({ end: keys.end })
      .from(keys)
      .where(and(lineage, isNotNull(keys.supersededAt)));
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
      scopes: current.scopes,
      expiresAt: current.expiresAt,
      line: current.line,
    };
    return insert(ctx, tx, heir, "key.rotate", { inPlaceOf: current.id, revokeOld: input.revokeOld });
  });
}

export const RevokeKey = z.strictObject({ id: z.uuid() });

/**
 * Revokes at once: the next request gets 401. The key whose place it took, where that still works, is the active one again.
 * A key that is revoked already stays as it is.
 * @throws DomainError forbidden, not_found
 */
export async function revoke(ctx: Ctx<KeyKeeper>, input: z.infer<typeof RevokeKey>): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const key = await find(ctx, tx, input.id);
    const told = await toTell(ctx, tx, await lockForKeys(ctx, tx, key.consumerId));
    const ended = await line.end(ctx, tx, { id: key.id, by: actorId(ctx.actor) });
    if (!ended) return;
    await audit.record(ctx, tx, { action: "key.revoke", target: ["key", key.id], after: line.recorded(ended) });
    await tellRevoked(ctx, tx, told, ended);
  });
}

interface KeyListing {
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
  /** Is it still used, and expires within seven days? */
  expiresSoon: boolean;
  revokedAt: Date | null;
  /** Where it was found in public, when that is why it was revoked; empty where it is not known where. */
  leakedAt: string | null;
  /** The predecessor of an active key, where it still works: it is active again once this one is revoked. */
  before: { start: string; end: string } | null;
}

/** How many ended keys are listed: owners issue and revoke as often as they like. The pages say so (app/console/keys.ts). */
const MOST_ENDED = 200;

/** A consumer's keys, newest first: all that work, and the others that ended last; never a value. @throws DomainError not_found */
export async function list(ctx: Ctx<Member | Operator>, input: { consumerId: string }): Promise<KeyListing[]> {
  requireMine(ctx, input.consumerId);
  const mine = eq(keys.consumerId, input.consumerId);
  const ended = ctx.db
    .select({ id: keys.id })
    .from(keys)
    .where(and(mine, not(works(ctx.now)!)))
    .orderBy(desc(raw`least(${keys.revokedAt}, ${keys.expiresAt})`), desc(keys.id))
    .limit(MOST_ENDED);
  const rows = await ctx.db
    .select({
      row: keys,
      expiresSoon: raw<boolean>`(${expiresSoon(ctx.now)}) is true`,
      createdBy: accounts.name,
      leakedAt: raw<string | null>`${leak.after} ->> 'url'`,
    })
    .from(keys)
    .leftJoin(accounts, eq(accounts.id, keys.createdBy))
    .leftJoin(leak, and(eq(leak.targetId, raw`${keys.id}::text`), eq(leak.action, "key.revoke_leaked")))
    .where(and(mine, or(works(ctx.now), inArray(keys.id, ended))))
    .orderBy(desc(keys.id));
  const superseded = rows.filter(({ row }) => stateOf(row, ctx.now) === "superseded");
  const waiting = new Map(superseded.map(({ row: { line, start, end } }) => [line, { start, end }]));
  return rows.map(({ row, expiresSoon, createdBy, leakedAt }) => ({
    id: row.id,
    name: row.name,
    start: row.start,
    end: row.end,
    scopes: row.scopes,
    state: stateOf(row, ctx.now),
    createdAt: row.createdAt,
    createdBy,
    lastUsedAt: row.lastUsedAt,
    expiresAt: row.expiresAt,
    expiresSoon,
    revokedAt: row.revokedAt,
    leakedAt,
    before: stateOf(row, ctx.now) === "active" ? (waiting.get(row.line) ?? null) : null,
  }));
}

/** What is stored of a value as it is. */
const endsOf = ({ value }: { value: string }) => ({ start: value.slice(0, 10), end: value.slice(-4) });

interface NewKey {
  consumerId: string;
  name: string;
  scopes: Scope[];
  expiresAt: Date | null;
  line?: string;
  attempt?: string | undefined;
}

async function insert(
  ctx: Ctx<KeyKeeper>,
  tx: Database,
  key: NewKey,
  action: audit.Action,
  more?: { inPlaceOf: string; revokeOld: boolean },
): Promise<IssuedKey> {
  const value = mint();
  const [row] = await tx
    .insert(keys)
    .values({
      ...key,
      hash: hashOf(value),
      ...endsOf({ value }),
      createdBy: actorId(ctx.actor),
    })
    .returning({ id: keys.id });
  const { line: _line, attempt: _attempt, ...given } = key;
  await audit.record(ctx, tx, { action, target: ["key", row!.id], after: { ...given, ...more } });
  return { id: row!.id, value, name: key.name, scopes: key.scopes, expiresAt: key.expiresAt };
}
