// A person's own account: name, password, address. What matters asks for the current password again.
import { and, eq, gt, isNull, sql as raw } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../../db/client";
import { accounts, accountTokens } from "../../../db/schema/accounts";
import { members } from "../../../db/schema/consumers";
import { merchantMembers } from "../../../db/schema/merchants";
import type { Anonymous, Ctx, SignedIn } from "../../context";
import { DomainError, refuseField } from "../../errors";
import * as audit from "../audit";
import * as mail from "../mail";
import * as passwords from "../passwords";
import { type From, lockOwn, own, requirePassword, requirePasswordOf } from "./account";
import { replace } from "./addresses";
import { type LoggedIn, setPassword } from "./entry";
import { evenly } from "./evenly";
import { Email, PersonName, requireImpersonal } from "./fields";
import * as tokens from "./tokens";

export const ExpectAccount = z.strictObject({ accountId: z.uuid() });

export interface Profile {
  id: string;
  name: string;
  email: string;
  createdAt: Date;
  /** The address that waits for its confirmation. */
  pendingEmail: string | null;
}

/** @throws DomainError not_found */
export async function profile(ctx: Ctx<SignedIn>): Promise<Profile> {
  const { id, name, email, createdAt } = await own(ctx);
  return { id, name, email, createdAt, pendingEmail: await pendingEmail(ctx, ctx.db) };
}

async function pendingEmail(ctx: Ctx<SignedIn>, db: Pick<Database, "select">): Promise<string | null> {
  const [pending] = await db
    .select({ email: accountTokens.email })
    .from(accountTokens)
    .where(
      and(
        eq(accountTokens.accountId, ctx.actor.accountId),
        eq(accountTokens.purpose, "change_email"),
        isNull(accountTokens.usedAt),
        gt(accountTokens.expiresAt, ctx.now),
      ),
    );
  return pending?.email ?? null;
}

export const ChangeName = z.strictObject({ name: PersonName });

/** @throws DomainError not_found */
export async function changeName(ctx: Ctx<SignedIn>, input: z.infer<typeof ChangeName>): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const account = await lockOwn(ctx, tx);
    await tx.update(accounts).set({ name: input.name }).where(eq(accounts.id, account.id));
    await audit.record(ctx, tx, { action: "account.change_name", target: ["account", account.id] });
  });
}

export const ChangePassword = z.strictObject({
  currentPassword: passwords.GivenPassword,
  newPassword: passwords.NewPassword,
});

/**
 * Ends every session: the door opens a new one for this browser with what comes back (`sessions.create`).
 * @throws DomainError invalid_input, rate_limited
 */
export async function changePassword(ctx: Ctx<SignedIn>, input: z.infer<typeof ChangePassword>): Promise<LoggedIn> {
  const before = await requirePassword(ctx, input.currentPassword);
  if (input.newPassword === input.currentPassword)
    throw refuseField("newPassword", "This is your password already. Choose another one.");
  requireImpersonal(input.newPassword, before, "newPassword");
  const passwordHash = await passwords.hash(input.newPassword);
  return ctx.db.transaction(async (tx) => {
    const account = await lockOwn(ctx, tx, before);
    await audit.record(ctx, tx, { action: "account.change_password", target: ["account", account.id] });
    return setPassword(ctx, tx, account, passwordHash);
  });
}

export const ChangeEmail = z.strictObject({ currentPassword: passwords.GivenPassword, email: Email });

/**
 * Sends a link to the new address; the old one stays until it is followed, and hears at once that it was asked for. Where
 * another account has the new address, all is done and shown alike, and its owner is told by mail instead.
 * @throws DomainError invalid_input, rate_limited
 */
export async function changeEmail(ctx: Ctx<SignedIn>, input: z.infer<typeof ChangeEmail> & From): Promise<void> {
  const before = await requirePassword(ctx, input.currentPassword);
  if (input.email === before.email) throw refuseField("email", "This is already your address.");
  await ctx.limits.linkTo("change-email", input.email, input.address);
  await evenly(() =>
    ctx.db.transaction(async (tx) => {
      const account = await lockOwn(ctx, tx, before);
      await tokens.withdraw(ctx, tx, account.id, ["change_email"]);
      await audit.record(ctx, tx, { action: "account.change_email", target: ["account", account.id] });
      // Where the address is taken this link goes nowhere: only what is mailed tells, and only its owner.
      const token = await tokens.mint(ctx, tx, { accountId: account.id, purpose: "change_email", email: input.email });
      const letter = (await isTaken(tx, input.email))
        ? ({ template: "address-taken", data: {} } as const)
        : ({ template: "email-change-confirm", data: { token } } as const);
      await mail.send(ctx, tx, { to: input.email, ...letter });
      const at = ctx.now.toISOString();
      await mail.send(ctx, tx, { to: account.email, template: "email-change-asked", data: { at } });
    }),
  );
}

/** The new address as it was shown. */
export const WithdrawEmail = z.strictObject({ email: Email });

/** The link to the new address works no more, and is not sent if it still waits. @throws DomainError conflict (no such link now) */
export async function withdrawEmail(ctx: Ctx<SignedIn>, input: z.infer<typeof WithdrawEmail>): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const account = await lockOwn(ctx, tx);
    if ((await pendingEmail(ctx, tx)) !== input.email)
      throw new DomainError("conflict", "That address waits no more: its link was used, replaced or has expired.");
    await tokens.withdraw(ctx, tx, account.id, ["change_email"]);
    await audit.record(ctx, tx, { action: "account.withdraw_email", target: ["account", account.id] });
  });
}

/** The browser in which a link was opened. */
interface InBrowser {
  /** The account whose session it has. */
  loggedInAs?: string | undefined;
}

export const PeekEmail = z.strictObject({ token: tokens.Token });

/** What the page behind the link to a new address shows; the link is not used by it. */
export async function peekEmail(ctx: Ctx<Anonymous>, { token, loggedInAs }: z.infer<typeof PeekEmail> & InBrowser) {
  const { state, account, email } = await tokens.look(ctx, ctx.db, "change_email", token);
  return state === "valid" ? { state, email: email!, needsPassword: account!.id !== loggedInAs } : { state };
}

export const ConfirmEmail = PeekEmail.extend({
  /** Needed where the account is not logged in. */
  currentPassword: passwords.GivenPassword.optional(),
});

/**
 * The button behind that link: from now on the account has the new address, also where its platforms name it; the old one
 * hears of it, and is forgotten. The link proves the mailbox alone, which may be a stranger's: that the account wants it is
 * proved by its own session, or its password.
 * @throws DomainError conflict (`details.reason`: used, expired, unknown, taken), invalid_input, rate_limited
 */
export async function confirmEmail(
  ctx: Ctx<Anonymous>,
  input: z.infer<typeof ConfirmEmail> & InBrowser,
): Promise<{ accountId: string; email: string }> {
  const { account } = await tokens.requireValid(ctx, ctx.db, "change_email", input.token);
  // A password that is changed from now on voids the link.
  if (account.id !== input.loggedInAs) await requirePasswordOf(ctx, account, input.currentPassword);
  return ctx.db.transaction(async (tx) => {
    const { account, email } = await tokens.redeem(ctx, tx, "change_email", input.token);
    // A sign-up that never proved the address gives way to whoever did.
    const unproven = and(eq(accounts.email, email), isNull(accounts.emailVerifiedAt));
    await tx.delete(accounts).where(and(unproven, raw`not exists (${belongings(tx)})`));
    await tx
      .update(accounts)
      .set({ email })
      .where(eq(accounts.id, account.id))
      .catch((error) => {
        if (error.cause?.code !== "23505") throw error;
        throw new DomainError("conflict", "Another account now has this address.", { details: { reason: "taken" } });
      });
    await tokens.withdraw(ctx, tx, account.id, ["reset", "change_email"]);
    await replace(tx, account, email);
    await mail.send(ctx, tx, { to: account.email, template: "email-changed-notice", data: {} });
    await audit.record(ctx, tx, { action: "account.confirm_email", target: ["account", account.id] });
    return { accountId: account.id, email };
  });
}

/** What an operator may have given to an account before its address was verified. */
const belongings = (tx: Database) =>
  tx
    .select({ one: raw`1` })
    .from(members)
    .where(eq(members.accountId, accounts.id))
    .unionAll(tx.select({ one: raw`1` }).from(merchantMembers).where(eq(merchantMembers.accountId, accounts.id)));

async function isTaken(tx: Database, email: string): Promise<boolean> {
  const [other] = await tx.select().from(accounts).where(eq(accounts.email, email));
  return Boolean(other?.emailVerifiedAt);
}
