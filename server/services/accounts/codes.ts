// Codes that prove a second factor: an authenticator app's (TOTP, RFC 6238), and recovery codes for whoever has lost it
// (decision 0048). oslo's one-time passwords are known here alone.
import { randomBytes, timingSafeEqual } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { base32 } from "oslo/encoding";
import { createTOTPKeyURI, generateHOTP } from "oslo/otp";
import { z } from "zod";
import type { Database } from "../../../db/client";
import { recoveryCodes, secondFactors } from "../../../db/schema/accounts";
import type { Ctx } from "../../context";
import { DomainError, refuseField } from "../../errors";
import * as audit from "../audit";
import { seal, unseal } from "../sealing";
import type { Account } from "./account";
import * as tokens from "./tokens";

/** What apps take for granted, and what their users then need not type (RFC 6238, section 4). */
const STEP_MS = 30_000;
const SECRET_BYTES = 20;
/** A clock may be a step off, to either side (RFC 6238, section 5.2). */
const STEPS = [0, -1, 1] as const;
const RECOVERY_CODES = 8;
/** 80 bits, so that a plain hash is enough to protect them; in base32 they are 16 letters and digits. */
const RECOVERY_BYTES = 10;
/** What secrets are sealed for (`sealing.ts`). */
const PURPOSE = "second-factor";
/** The secret key was replaced, and the one before it not kept (SECRET_KEY_PREVIOUS). */
const LOST =
  "Codes from your app can no longer be checked. Use a recovery code, then turn two-factor authentication off and on again.";

/** As people type codes: apps and we group them, and some keyboards write wide digits. */
export const Code = z
  .string("Enter the code.")
  .max(100, "This is too long for a code.")
  .transform((text) => text.normalize("NFKC").replace(/[\s-]/g, "").toLowerCase())
  .pipe(z.string().min(1, "Enter the code."));

export type Factor = typeof secondFactors.$inferSelect;

/** The account's second factor, turned on or still being set up. */
export const factorOf = async (db: Database, accountId: string): Promise<Factor | undefined> =>
  (await db.select().from(secondFactors).where(eq(secondFactors.accountId, accountId)))[0];

/**
 * A new secret for an app, sealed for the one session that sets it up: whoever else is logged in as this account neither
 * sees it nor turns it on, nor is led to scan what they did not begin.
 */
export const newSecret = (ctx: Ctx, accountId: string, sessionId: string) =>
  seal(ctx, PURPOSE, inSession(accountId, sessionId), randomBytes(SECRET_BYTES));

const inSession = (accountId: string, sessionId: string) => `${accountId} ${sessionId}`;

/** The bytes of a secret that this session sets up. */
export const openNew = (ctx: Ctx, { accountId, secret }: Factor, sessionId: string) =>
  unseal(ctx, PURPOSE, inSession(accountId, sessionId), secret);

/** A secret as it is kept from its first code on: for the account. Sealed with the newest secret key. */
export const sealed = (ctx: Ctx, accountId: string, secret: Buffer) => seal(ctx, PURPOSE, accountId, secret);

/** The bytes of the account's secret, while a secret key is known that sealed it. */
const open = (ctx: Ctx, { accountId, secret }: Factor) => unseal(ctx, PURPOSE, accountId, secret);

/** The secret as an app takes it: typed in, in base32, or scanned, as an `otpauth:` URI. */
export const forApp = (secret: Buffer, email: string) => ({
  secret: base32.encode(secret, { includePadding: false }),
  uri: createTOTPKeyURI("Aisle", email, secret),
});

export interface Used {
  /** Why the code was not taken. */
  refusal?: DomainError;
  /** After a recovery code: how many more there are. */
  left?: number;
}

const refused = (refusal: DomainError): Used => ({ refusal });

/** Uses up one of the account's codes: the app's present one, or a recovery code. */
export async function use(ctx: Ctx, tx: Database, account: Account, code: string): Promise<Used> {
  const factor = await factorOf(tx, account.id);
  if (!factor?.enabledAt) throw new DomainError("conflict", "Two-factor authentication is off.");
  if (/^\d{6}$/.test(code)) {
    const secret = open(ctx, factor);
    if (!secret) return refused(refuseField("code", LOST));
    const step = await stepOf(ctx, secret, code);
    if (step === undefined) return refused(wrongCode());
    if (step <= factor.lastStep)
      return refused(refuseField("code", "This code has already been used. Wait for the app's next one."));
    // Sealed anew, should the newest secret key be another one by now.
    await tx
      .update(secondFactors)
      .set({ lastStep: step, secret: sealed(ctx, account.id, secret) })
      .where(eq(secondFactors.accountId, account.id));
    return {};
  }
  if (/^\d+$/.test(code)) return refused(refuseField("code", "A code from the app has 6 digits."));
  const theirs = and(eq(recoveryCodes.accountId, account.id), eq(recoveryCodes.hash, tokens.hashOf(code)));
  const [used] = await tx.delete(recoveryCodes).where(theirs).returning({ hash: recoveryCodes.hash });
  if (!used)
    return refused(refuseField("code", "This is not one of your recovery codes, or it has already been used."));
  await audit.record(ctx, tx, { action: "account.use_recovery_code", target: ["account", account.id] });
  return { left: await tx.$count(recoveryCodes, eq(recoveryCodes.accountId, account.id)) };
}

export const wrongCode = () =>
  refuseField(
    "code",
    "This is not the current code. Check the app again, and make sure that the phone's clock is right.",
  );

/** The step that a code is of, if it is one of now, or just before or after. */
export async function stepOf(ctx: Ctx, secret: Buffer, code: string): Promise<number | undefined> {
  if (!/^\d{6}$/.test(code)) return undefined;
  const now = Math.floor(ctx.now.getTime() / STEP_MS);
  for (const off of STEPS) {
    const right = await generateHOTP(new Uint8Array(secret), now + off);
    if (timingSafeEqual(Buffer.from(right), Buffer.from(code))) return now + off;
  }
  return undefined;
}

/** Recovery codes for an account that has none. @returns them as they are shown, in groups of four */
export async function newRecoveryCodes(tx: Database, accountId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () =>
    base32.encode(randomBytes(RECOVERY_BYTES), { includePadding: false }).toLowerCase(),
  );
  await tx.insert(recoveryCodes).values(codes.map((code) => ({ accountId, hash: tokens.hashOf(code) })));
  return codes.map((code) => code.match(/.{4}/g)!.join("-"));
}
