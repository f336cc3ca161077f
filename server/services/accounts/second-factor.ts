// Two-factor authentication (decision 0048): a code at each log-in, and what else asks for one.
import { hash } from "node:crypto";
import { and, eq, isNotNull } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../../db/client";
import { accounts, recoveryCodes, secondFactors } from "../../../db/schema/accounts";
import { sessions } from "../../../db/schema/sessions";
import type { Anonymous, Ctx, Operator, SignedIn } from "../../context";
import { DomainError, notFound } from "../../errors";
import * as audit from "../audit";
import * as mail from "../mail";
import * as passwords from "../passwords";
import { type Account, type From, lock, lockOwn, own, requirePassword, requireUnchanged } from "./account";
import * as codes from "./codes";
import { beginAnew, type KnownDevice, type LoggedIn } from "./entry";
import type { OfAccount } from "./operators";
import * as tokens from "./tokens";

const SETUP_MS = 15 * 60_000;
/** After this many wrong codes in an hour, or in a day, each after the right password, the account's owner is mailed. */
const TOLD_AT = 5;

interface SecondFactor {
  /** Null while log-ins ask for no code. */
  enabledAt: Date | null;
  /** How many recovery codes are left. */
  recoveryCodes: number;
  /** What the app is to be given, while this session sets it up: the secret in base32, and the same as an `otpauth:` URI. */
  setup: { secret: string; uri: string } | null;
}

/** The session that asks: what one begins, no other goes on with. */
interface InSession {
  sessionId: string;
}

/** How the account's own second factor stands. */
export async function secondFactor(ctx: Ctx<SignedIn>, { sessionId }: InSession): Promise<SecondFactor> {
  const { id, email } = await own(ctx);
  const factor = await codes.factorOf(ctx.db, id);
  const secret = factor && isBeingSetUp(ctx, factor) ? codes.openNew(ctx, factor, sessionId) : undefined;
  return {
    enabledAt: factor?.enabledAt ?? null,
    recoveryCodes: await ctx.db.$count(recoveryCodes, eq(recoveryCodes.accountId, id)),
    setup: secret ? codes.forApp(secret, email) : null,
  };
}

export const BeginSecondFactor = z.strictObject({ currentPassword: passwords.GivenPassword });

/**
 * Makes a secret for the app, which `secondFactor` shows to this session for 15 minutes. Log-ins ask for its codes once one
 * was shown. What was begun before, here or elsewhere, is void.
 * @throws DomainError invalid_input, rate_limited, conflict (there is one already)
 */
export async function beginSecondFactor(
  ctx: Ctx<SignedIn>,
  input: z.infer<typeof BeginSecondFactor> & InSession,
): Promise<void> {
  const before = await requirePassword(ctx, input.currentPassword);
  await ctx.db.transaction(async (tx) => {
    const { id: accountId } = await lockOwn(ctx, tx, before);
    requireOff(await codes.factorOf(tx, accountId));
    const fresh = { secret: codes.newSecret(ctx, accountId, input.sessionId), createdAt: ctx.now, lastStep: 0 };
    await tx
      .insert(secondFactors)
      .values({ accountId, ...fresh })
      .onConflictDoUpdate({ target: secondFactors.accountId, set: fresh });
    await audit.record(ctx, tx, { action: "account.begin_second_factor", target: ["account", accountId] });
  });
}

export const EnableSecondFactor = z.strictObject({ code: codes.Code });

/**
 * The app's first code: from now on each log-in asks for one. Every session ends, as with a new password: the door opens
 * a new one for this browser with what comes back (`sessions.create`). Recovery codes are shown once.
 * @throws DomainError invalid_input, rate_limited, conflict (it was not begun in this session, or longer ago than 15 minutes)
 */
export async function enableSecondFactor(
  ctx: Ctx<SignedIn>,
  { code, sessionId }: z.infer<typeof EnableSecondFactor> & InSession,
): Promise<{ account: LoggedIn; recoveryCodes: string[] }> {
  const { accountId } = ctx.actor;
  const before = await own(ctx);
  await ctx.limits.setUpCode(before);
  return ctx.db.transaction(async (tx) => {
    const account = await lockOwn(ctx, tx, before);
    const factor = requireOff(await codes.factorOf(tx, accountId));
    const secret = factor && isBeingSetUp(ctx, factor) && codes.openNew(ctx, factor, sessionId);
    if (!secret)
      throw new DomainError(
        "conflict",
        "That took longer than 15 minutes, or was started again elsewhere. Start again and scan the new code.",
      );
    const step = await codes.stepOf(ctx, secret, code);
    if (step === undefined) throw codes.wrongCode();
    await tx
      .update(secondFactors)
      .set({ enabledAt: ctx.now, lastStep: step, secret: codes.sealed(ctx, accountId, secret) })
      .where(eq(secondFactors.accountId, accountId));
    const loggedIn = await beginAnew(ctx, tx, account);
    const shown = await codes.newRecoveryCodes(tx, accountId);
    await mail.send(ctx, tx, { to: account.email, template: "second-factor-on", data: {} });
    await audit.record(ctx, tx, { action: "account.enable_second_factor", target: ["account", accountId] });
    return { account: loggedIn, recoveryCodes: shown };
  });
}

/** What it takes to turn it off, or to get new recovery codes: all that a log-in asks for. */
export const ProveBoth = z.strictObject({ currentPassword: passwords.GivenPassword, code: codes.Code });

/**
 * New recovery codes in place of the old ones; shown once.
 * @throws DomainError invalid_input, rate_limited, conflict (there is no second factor)
 */
export const renewRecoveryCodes = (ctx: Ctx<SignedIn>, input: z.infer<typeof ProveBoth>): Promise<string[]> =>
  proven(ctx, input, async (tx, { id, email }) => {
    await tx.delete(recoveryCodes).where(eq(recoveryCodes.accountId, id));
    await audit.record(ctx, tx, { action: "account.renew_recovery_codes", target: ["account", id] });
    await mail.send(ctx, tx, { to: email, template: "recovery-codes-renewed", data: {} });
    return codes.newRecoveryCodes(tx, id);
  });

/** From now on the password alone lets in. @throws as `renewRecoveryCodes` */
export const disableSecondFactor = (ctx: Ctx<SignedIn>, input: z.infer<typeof ProveBoth>): Promise<void> =>
  proven(ctx, input, async (tx, { id, email }) => {
    await remove(ctx, tx, id);
    await audit.record(ctx, tx, { action: "account.disable_second_factor", target: ["account", id] });
    await mail.send(ctx, tx, { to: email, template: "second-factor-off", data: {} });
  });

async function proven<T>(
  ctx: Ctx<SignedIn>,
  { currentPassword, code }: z.infer<typeof ProveBoth>,
  act: (tx: Database, account: Account) => Promise<T>,
): Promise<T> {
  return withCode(ctx, await requirePassword(ctx, currentPassword), code, act);
}

/**
 * For whoever has lost both app and recovery codes, and has proved who they are in another way: the password alone lets in,
 * and every session ends.
 * @throws DomainError not_found (no such account, or it has no second factor)
 */
export async function removeSecondFactor(ctx: Ctx<Operator>, { email }: z.infer<typeof OfAccount>): Promise<void> {
  const { id } = await ctx.db.transaction(async (tx) => {
    const [account] = await tx.select().from(accounts).where(eq(accounts.email, email)).for("update");
    if (!account) throw notFound("account");
    if (!(await remove(ctx, tx, account.id)))
      throw new DomainError("not_found", "Two-factor authentication is already off for this account.");
    await tx.delete(sessions).where(eq(sessions.accountId, account.id));
    await audit.record(ctx, tx, { action: "account.remove_second_factor", target: ["account", account.id] });
    await mail.send(ctx, tx, { to: email, template: "second-factor-off", data: { byOperator: true } });
    return account;
  });
  await ctx.limits.forgetCodesOfDay(id);
}

/** Whose log-in waits for its code behind this token, as its page may tell it; null where none does. */
export async function awaitsCode(ctx: Ctx<Anonymous>, token: string): Promise<{ waitingId: string } | null> {
  const { state, account } = await tokens.look(ctx, ctx.db, "log_in", token);
  return state === "valid" ? { waitingId: waitingId(account!) } : null;
}

const waitingId = ({ id }: Account) => hash("sha256", id, "base64url").slice(0, 16);

export const FinishLogIn = z.strictObject({
  code: codes.Code,
  /** Of the log-in that the form's page was about: another account's may wait in this browser by now. */
  waitingId: z.string().max(100).optional(),
});

/**
 * The code of a log-in that waits for it.
 * @param input `token`: as `logIn` or `reset` gave it
 * @throws DomainError invalid_input, rate_limited; forbidden with `details.reason` begin_again (no log-in waits for a code
 *   behind this token any more, or another account's)
 */
export async function finishLogIn(
  ctx: Ctx<Anonymous>,
  input: z.infer<typeof FinishLogIn> & From & { token: string; knownDevice: KnownDevice },
): Promise<LoggedIn> {
  const waiting = async (db: Database) => {
    const { state, account } = await tokens.look(ctx, db, "log_in", input.token);
    const isShown = input.waitingId === undefined || (account && waitingId(account) === input.waitingId);
    if (state === "valid" && account && isShown) return account;
    throw new DomainError(
      "forbidden",
      "This login took longer than ten minutes, was ended, or gave way to another account's. Log in again.",
      { details: { reason: "begin_again" } },
    );
  };
  const loggedIn = await withCode(ctx, await waiting(ctx.db), input.code, async (tx, account, left) => {
    await waiting(tx);
    await tokens.use(ctx, tx, input.token);
    await audit.record(ctx, tx, { action: "account.log_in", target: ["account", account.id] });
    const { id, name, email, passwordVersion } = account;
    if (left !== undefined) await mail.send(ctx, tx, { to: email, template: "recovery-code-used", data: { left } });
    return { id, name, email, passwordVersion };
  });
  await ctx.limits.loggedIn(loggedIn, input.address, input.knownDevice(loggedIn));
  return loggedIn;
}

/**
 * Does what asks for a code of the account's, in one transaction with the code's use: of twenty attempts with one code
 * one gets through. Tries are counted before, and given back unless the code was wrong: also where what was to be done is
 * refused, which leaves the code as it was. The fifth wrong one of an hour, or of a day, is mailed.
 * @param before the account whose password was shown
 * @param act gets how many recovery codes are left, where the code was one
 * @param hold locks what `act` needs and others lock before an account
 * @throws DomainError invalid_input, rate_limited, conflict (there is no second factor; the password was changed)
 */
export async function withCode<T>(
  ctx: Ctx,
  before: Account,
  code: string,
  act: (tx: Database, account: Account, left: number | undefined) => Promise<T>,
  hold?: (tx: Database) => Promise<void>,
): Promise<T> {
  const tried = await ctx.limits.code(before);
  const ofDay = await ctx.limits.codeOfDay(before.id);
  let isGuess = false;
  const doing = ctx.db.transaction(async (tx) => {
    await hold?.(tx);
    const account = await lock(tx, before.id);
    requireUnchanged(account, before);
    const { refusal, left } = await codes.use(ctx, tx, account, code);
    if (!refusal) return { value: await act(tx, account, left) };
    isGuess = true;
    if ([tried.count, ofDay.count].includes(TOLD_AT))
      await mail.send(ctx, tx, { to: account.email, template: "wrong-codes", data: {} });
    return { refusal };
  });
  const outcome = await doing.finally(() => !isGuess && Promise.all([tried.giveBack(), ofDay.giveBack()]));
  if ("refusal" in outcome) throw outcome.refusal;
  await ctx.limits.forgetCodesOfDay(before.id);
  return outcome.value;
}

function requireOff(factor: codes.Factor | undefined): codes.Factor | undefined {
  if (factor?.enabledAt) throw new DomainError("conflict", "Two-factor authentication is already on.");
  return factor;
}

const isBeingSetUp = (ctx: Ctx, { enabledAt, createdAt }: codes.Factor) =>
  enabledAt === null && ctx.now.getTime() - createdAt.getTime() < SETUP_MS;

/** Takes the second factor away, and ends log-ins that wait for its code. @returns false if there was none */
const remove = async (ctx: Ctx, tx: Database, accountId: string): Promise<boolean> => {
  await tokens.withdraw(ctx, tx, accountId, ["log_in"]);
  const enabled = and(eq(secondFactors.accountId, accountId), isNotNull(secondFactors.enabledAt));
  return (await tx.delete(secondFactors).where(enabled).returning({ id: secondFactors.accountId })).length > 0;
};
