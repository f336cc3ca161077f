// An account, as every operation here begins with one: looked up or locked, one's own, its password asked for again.
import { eq } from "drizzle-orm";
import type { Database } from "../../../db/client";
import { accounts } from "../../../db/schema/accounts";
import type { Ctx, SignedIn } from "../../context";
import { DomainError, notFound, refuseField } from "../../errors";
import * as passwords from "../passwords";

export type Account = typeof accounts.$inferSelect;

/** Where a request comes from: its client's address, for the throttles. */
export interface From {
  address: string;
}

/** An account, locked until the transaction ends. @throws DomainError not_found */
export async function lock(tx: Database, accountId: string): Promise<Account> {
  const [account] = await tx.select().from(accounts).where(eq(accounts.id, accountId)).for("update");
  if (!account) throw notFound("account");
  return account;
}

/** The person's own account, after they typed its password again. @throws DomainError invalid_input, rate_limited */
export async function requirePassword(ctx: Ctx<SignedIn>, password: string): Promise<Account> {
  const tried = await ctx.limits.passwordAgain(ctx.actor.accountId);
  const account = await own(ctx);
  if (!(await isPassword(account, password, [tried]))) throw notYours();
  return account;
}

/**
 * That somebody elsewhere, who has a link that the account asked for, knows its password.
 * @throws DomainError invalid_input, rate_limited
 */
export async function requirePasswordOf(ctx: Ctx, account: Account, password: string | undefined): Promise<void> {
  if (password === undefined)
    throw refuseField("currentPassword", "Enter the account's current password: you are not logged in to it here.");
  const tried = await ctx.limits.passwordByLink(account.id);
  if (!(await isPassword(account, password, [tried]))) throw notYours();
}

const notYours = () => refuseField("currentPassword", "This is not your current password.");

/**
 * Is it the account's password? Takes as long where there is no account.
 * @param taken tries that were counted before: given back where it is right, and where too many waited for it to be looked at
 * @throws DomainError unavailable (too many at once)
 */
export async function isPassword(
  account: Account | undefined,
  password: string,
  taken: { giveBack(): Promise<void> }[],
): Promise<boolean> {
  let isGuess = false;
  try {
    isGuess = !(await passwords.verify(account?.passwordHash, password));
  } finally {
    if (!isGuess) await Promise.all(taken.map((tried) => tried.giveBack()));
  }
  return !isGuess;
}

/** The person's own account. @throws DomainError not_found */
export async function own({ db, actor }: Ctx<SignedIn>): Promise<Account> {
  const [account] = await db.select().from(accounts).where(eq(accounts.id, actor.accountId));
  if (!account) throw notFound("account");
  return account;
}

/**
 * The person's own account, locked until the transaction ends.
 * @param before the account when its password was checked; if the password has changed since, that check is void
 * @throws DomainError not_found, conflict (the password has changed since)
 */
export async function lockOwn(ctx: Ctx<SignedIn>, tx: Database, before?: Account): Promise<Account> {
  const account = await lock(tx, ctx.actor.accountId);
  if (before) requireUnchanged(account, before);
  return account;
}

/** @throws DomainError conflict where the password has changed since it was checked */
export function requireUnchanged(account: Account, before: Account): void {
  if (account.passwordVersion === before.passwordVersion) return;
  throw new DomainError("conflict", "The password was changed at the same time. Log in again.");
}
