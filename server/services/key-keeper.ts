// Who may act on keys, and what is checked first: whose they are, and whether a new one may be issued at all.
import { and, eq } from "drizzle-orm";
import type { Database } from "../../db/client";
import { keys } from "../../db/schema/keys";
import type { Ctx, Member, Operator, Owner } from "../context";
import { DomainError, notFound } from "../errors";
import { lockConsumer, requireStillOwner } from "./owners";
import * as terms from "./terms";

/** Who may act on a consumer's keys: its owner, and operators, on any consumer's by id (decision 0054). */
export type KeyKeeper = Owner | Operator;

/** A member's consumer must be their own; operators may name any. @throws DomainError not_found */
export function requireMine(ctx: Ctx<Member | Operator>, consumerId: string): void {
  if (ctx.actor.kind === "member" && ctx.actor.consumerId !== consumerId) throw notFound("consumer");
}

/** A key that the actor may act on. @throws DomainError not_found */
export async function find(ctx: Ctx<KeyKeeper>, tx: Database, id: string) {
  const mine = ctx.actor.kind === "member" ? eq(keys.consumerId, ctx.actor.consumerId) : undefined;
  const [key] = await tx
    .select()
    .from(keys)
    .where(and(eq(keys.id, id), mine));
  if (!key) throw notFound("key");
  return key;
}

/** Checks whose it is, and locks its row: one act at a time counts a consumer's keys. @throws DomainError not_found, forbidden */
export async function lockForKeys(ctx: Ctx<KeyKeeper>, tx: Database, id: string) {
  requireMine(ctx, id);
  const consumer = await lockConsumer(tx, id);
  if (ctx.actor.kind === "member") await requireStillOwner(tx, ctx.actor);
  return consumer;
}

/** The same, and refuses a consumer that may have no further keys. @throws DomainError also conflict */
export async function lockForNewKey(ctx: Ctx<KeyKeeper>, tx: Database, id: string) {
  const consumer = await lockForKeys(ctx, tx, id);
  if (consumer.state === "under_review")
    throw new DomainError("conflict", "Keys can be issued once the application is approved.");
  if (consumer.state === "revoked")
    throw new DomainError(
      "conflict",
      "Access was revoked, so no keys can be issued. Overview shows the decision and its reason.",
    );
  return consumer;
}

/** A page that is reloaded sends its form again. Called under the consumer's lock, so of two at once one comes first. @throws DomainError conflict */
export async function requireNewAttempt(tx: Database, consumerId: string, attempt: string | undefined): Promise<void> {
  if (attempt === undefined) return;
  const [made] = await tx
    .select({ name: keys.name, end: keys.end })
    .from(keys)
    .where(and(eq(keys.consumerId, consumerId), eq(keys.attempt, attempt)));
  if (!made) return;
  throw new DomainError(
    "conflict",
    `This form has already issued its key: “${made.name}” (…${made.end}), shown once. If it was not stored, revoke it and issue another.`,
  );
}

/** @param accepted the version that the consumer has accepted @throws DomainError terms_outdated */
export async function requireCurrentTerms(tx: Database, accepted: string | null): Promise<void> {
  const current = await terms.currentVersion({ db: tx });
  if (accepted !== current) {
    throw new DomainError(
      "terms_outdated",
      `An owner must accept the data-use terms of ${current} on Overview first.`,
      {
        details: { version: current },
      },
    );
  }
}
