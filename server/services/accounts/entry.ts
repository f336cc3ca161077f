// Getting in: whoever has shown a password, or a link to the account's own mailbox, is logged in, or asked for a code as
// well. A new password ends all that began with the old one.
import { and, eq, isNotNull, isNull } from "drizzle-orm";
import type { Database } from "../../../db/client";
import { accounts, secondFactors } from "../../../db/schema/accounts";
import { sessions } from "../../../db/schema/sessions";
import type { Ctx } from "../../context";
import * as mail from "../mail";
import type { Account } from "./account";
import * as tokens from "./tokens";

/** Who logged in; the door opens the session with it (`sessions.create`). */
export interface LoggedIn {
  id: string;
  name: string;
  email: string;
  passwordVersion: number;
}

/** A log-in that waits for a code (`finishLogIn`). */
export interface AwaitsCode {
  /** For this browser alone, for ten minutes. */
  token: string;
}

/** This browser's name, if the account as it stands was logged in with it (`cookies.knownDevice`). */
export type KnownDevice = (account: Pick<LoggedIn, "email" | "passwordVersion">) => string | undefined;

/** What comes of a right password or link: a log-in, or, where there is a second factor, one that waits for its code. */
export async function enter(ctx: Ctx, tx: Database, account: LoggedIn): Promise<LoggedIn | AwaitsCode> {
  const { id, name, email, passwordVersion } = account;
  const [factor] = await tx
    .select({ accountId: secondFactors.accountId })
    .from(secondFactors)
    .where(and(eq(secondFactors.accountId, id), isNotNull(secondFactors.enabledAt)));
  if (!factor) return { id, name, email, passwordVersion };
  return { token: await tokens.mint(ctx, tx, { accountId: id, purpose: "log_in", email }) };
}

/** The account has another password from now on, and its owner hears of it; all that began with the old one ends. */
export async function setPassword(ctx: Ctx, tx: Database, account: Account, passwordHash: string): Promise<LoggedIn> {
  const emailVerifiedAt = account.emailVerifiedAt ?? ctx.now;
  await mail.send(ctx, tx, { to: account.email, template: "password-changed", data: {} });
  return beginAnew(ctx, tx, account, { passwordHash, emailVerifiedAt, signUpProof: null });
}

/**
 * For a new password or second factor: voids all that the earlier one let in. Every session ends, even that of a log-in at this
 * moment, and so does every link that could hand the account over, and the set-up of an app: whoever got in before may have
 * begun one.
 * @param set further columns of the account
 */
export async function beginAnew(
  ctx: Ctx,
  tx: Database,
  account: Account,
  set: Partial<Account> = {},
): Promise<LoggedIn> {
  const { id, name, email } = account;
  const passwordVersion = account.passwordVersion + 1;
  await tx
    .update(accounts)
    .set({ ...set, passwordVersion })
    .where(eq(accounts.id, id));
  await tx.delete(sessions).where(eq(sessions.accountId, id));
  await tx.delete(secondFactors).where(and(eq(secondFactors.accountId, id), isNull(secondFactors.enabledAt)));
  await tokens.withdraw(ctx, tx, id, ["reset", "change_email", "log_in"]);
  return { id, name, email, passwordVersion };
}
