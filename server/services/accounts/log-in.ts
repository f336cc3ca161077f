// Log-in. A password is always hashed, also where there is no account, so that neither words nor time tell of one.
import { eq } from "drizzle-orm";
import { z } from "zod";
import { accounts } from "../../../db/schema/accounts";
import type { Anonymous, Ctx } from "../../context";
import { DomainError } from "../../errors";
import * as audit from "../audit";
import * as passwords from "../passwords";
import { type From, isPassword, requireUnchanged } from "./account";
import { type AwaitsCode, enter, type KnownDevice, type LoggedIn } from "./entry";
import { Email } from "./fields";

export const LogIn = z.strictObject({ email: Email, password: passwords.GivenPassword });

/**
 * The password. The log-in is complete with it, and recorded, unless the account has a second factor.
 * @throws DomainError rate_limited; conflict (the password was changed meanwhile); forbidden with `details.reason`:
 *   wrong_credentials, or, only after the right password, unverified (offer `resendVerification`)
 */
export async function logIn(
  ctx: Ctx<Anonymous>,
  input: z.infer<typeof LogIn> & From & { knownDevice?: KnownDevice },
): Promise<LoggedIn | AwaitsCode> {
  const [account] = await ctx.db.select().from(accounts).where(eq(accounts.email, input.email));
  const tried = { email: input.email, passwordVersion: account?.passwordVersion ?? 0 };
  const device = input.knownDevice?.(tried);
  const taken = await ctx.limits.logIn(tried, input.address, device);
  // Given back also where the address is not confirmed, or a code is still to come: codes are counted by themselves.
  const isRight = await isPassword(account, input.password, taken);
  if (!account || !isRight) throw wrongCredentials();
  if (!account.emailVerifiedAt) {
    throw new DomainError("forbidden", "Confirm your address first: the link is in the email we sent you.", {
      details: { reason: "unverified" },
    });
  }
  const entry = await ctx.db.transaction(async (tx) => {
    const [now] = await tx.select().from(accounts).where(eq(accounts.id, account.id)).for("update");
    // Deleted since.
    if (!now) throw wrongCredentials();
    requireUnchanged(now, account);
    const entry = await enter(ctx, tx, account);
    if ("email" in entry) await audit.record(ctx, tx, { action: "account.log_in", target: ["account", account.id] });
    return entry;
  });
  if ("email" in entry) await ctx.limits.loggedIn(entry, input.address, device);
  return entry;
}

const wrongCredentials = () =>
  new DomainError("forbidden", "The address or the password is wrong.", { details: { reason: "wrong_credentials" } });
