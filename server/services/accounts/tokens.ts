// Links in mails, and log-ins that wait for a code: 256 random bits, of which only the SHA-256 is kept; each works once, for
// one purpose, for a while.
import { createHash, randomBytes } from "node:crypto";
import { and, eq, inArray, isNotNull, isNull, sql as raw } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../../db/client";
import { accounts, accountTokens } from "../../../db/schema/accounts";
import { outbox } from "../../../db/schema/operations";
import { MINUTE_MS } from "../../clock";
import type { Ctx } from "../../context";
import { DomainError } from "../../errors";
import { linksWorkMs } from "../mail-templates";
import { type Account, lock } from "./account";

export type Purpose = (typeof accountTokens.$inferSelect)["purpose"];

/** How long a log-in waits for its code. */
export const LOG_IN_MS = 10 * MINUTE_MS;

const lifetimes: Record<Purpose, number> = {
  verify: linksWorkMs.verify,
  reset: linksWorkMs.reset,
  change_email: linksWorkMs["email-change-confirm"],
  log_in: LOG_IN_MS,
};

/** A token as it came, however mangled: what is not one of ours is unknown. */
export const Token = z.string("The link is incomplete.").max(200, "The link is not one of ours.");

/** 256 random bits, as 43 characters. */
export const newSecret = (): string => randomBytes(32).toString("base64url");
/** SHA-256: what the database keeps of a secret. */
export const hashOf = (secret: string): Buffer => createHash("sha256").update(secret).digest();

/** @returns the token, for the mail or the browser alone */
export async function mint(
  ctx: Ctx,
  tx: Database,
  link: { accountId: string; purpose: Purpose; email: string },
): Promise<string> {
  const token = newSecret();
  const expiresAt = new Date(ctx.now.getTime() + lifetimes[link.purpose]);
  await tx.insert(accountTokens).values({ ...link, hash: hashOf(token), createdAt: ctx.now, expiresAt });
  return token;
}

type LinkState = "valid" | "used" | "expired" | "unknown";

interface Link {
  state: LinkState;
  account?: Account;
  email?: string;
}

/** Where a link stands, without using it: mail scanners open links too. */
export async function look(ctx: Ctx, db: Database, purpose: Purpose, token: string): Promise<Link> {
  const [row] = await db
    .select({ link: accountTokens, account: accounts })
    .from(accountTokens)
    .innerJoin(accounts, eq(accounts.id, accountTokens.accountId))
    .where(and(eq(accountTokens.hash, hashOf(token)), eq(accountTokens.purpose, purpose)));
  if (!row) return { state: "unknown" };
  const state = row.link.usedAt ? "used" : row.link.expiresAt <= ctx.now ? "expired" : "valid";
  return { state, account: row.account, email: row.link.email };
}

const refusals: Record<Exclude<LinkState, "valid">, string> = {
  used: "This link has already been used, or was replaced by a newer one.",
  expired: "This link has expired. Request a new one.",
  unknown: "This link is not one of ours. Copy all of it from the email, or request a new one.",
};

/** @throws DomainError conflict with `details.reason`: used, expired or unknown */
export async function requireValid(ctx: Ctx, db: Database, purpose: Purpose, token: string) {
  const { state, account, email } = await look(ctx, db, purpose, token);
  if (state !== "valid" || !account || !email) {
    const reason = state === "valid" ? "unknown" : state;
    throw new DomainError("conflict", refusals[reason], { details: { reason } });
  }
  return { account, email };
}

/**
 * Uses a link up. The account's row is locked first, and all links of an account change under that lock: of twenty
 * attempts at once, one gets through.
 * @throws DomainError conflict with `details.reason`
 */
export async function redeem(ctx: Ctx, tx: Database, purpose: Purpose, token: string) {
  const found = await requireValid(ctx, tx, purpose, token);
  await lock(tx, found.account.id);
  const current = await requireValid(ctx, tx, purpose, token);
  await use(ctx, tx, token);
  return current;
}

/** Marks a link as used. */
export async function use(ctx: Ctx, tx: Database, token: string): Promise<void> {
  await tx
    .update(accountTokens)
    .set({ usedAt: ctx.now })
    .where(eq(accountTokens.hash, hashOf(token)));
}

/** Makes an account's other links of these purposes void; mails with them that still wait are not sent. */
export async function withdraw(ctx: Ctx, tx: Database, accountId: string, purposes: Purpose[]): Promise<void> {
  const theirs = and(eq(accountTokens.accountId, accountId), inArray(accountTokens.purpose, purposes));
  const voided = await tx
    .update(accountTokens)
    .set({ usedAt: ctx.now })
    .where(and(theirs, isNull(accountTokens.usedAt)))
    .returning({ hash: accountTokens.hash });
  if (voided.length === 0) return;
  const itsHash = raw`sha256(convert_to(${outbox.data}->>'token', 'UTF8'))`;
  const hashes = voided.map(({ hash }) => hash);
  await tx.delete(outbox).where(and(isNotNull(outbox.nextAttemptAt), inArray(itsHash, hashes)));
}
