// Ending the digest without a log-in, from the mail itself (RFC 8058). The link names a person at a merchant and is signed;
// it can end that person's digests and nothing else, so it works for as long as the mail lies around.
import { and, asc, eq, inArray, sql as raw } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../db/client";
import { accounts } from "../../db/schema/accounts";
import { merchantMembers, merchants } from "../../db/schema/merchants";
import type { Anonymous, Ctx } from "../context";
import { DomainError } from "../errors";
import * as audit from "./audit";
import * as mail from "./mail";
import { lockMerchant } from "./merchants";
import { isSigned, type Signer, sign } from "./signing";

interface Subscription {
  merchantId: string;
  accountId: string;
}

const bytesOf = (uuid: string) => Buffer.from(uuid.replaceAll("-", ""), "hex");
const uuidOf = (bytes: Buffer) => bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");

const ID_BYTES = 16;
const MAC_BYTES = 16;

/** @returns for the mail alone: 64 characters that an address can hold */
export function tokenFor(ctx: Signer, { merchantId, accountId }: Subscription): string {
  const ids = Buffer.concat([bytesOf(merchantId), bytesOf(accountId)]);
  return Buffer.concat([ids, sign(ctx, "unsubscribe", ids, MAC_BYTES)]).toString("base64url");
}

/** @throws DomainError not_found when it is not one of ours */
function read(ctx: Signer, token: string): Subscription {
  const bytes = Buffer.from(token, "base64url");
  const ids = bytes.subarray(0, 2 * ID_BYTES);
  const given = bytes.subarray(2 * ID_BYTES);
  // Node skips what does not belong into base64.
  const isCanonical = bytes.toString("base64url") === token;
  if (!isCanonical || !isSigned(ctx, "unsubscribe", ids, given, MAC_BYTES)) {
    throw new DomainError("not_found", "This link is not one of ours. Copy all of it from the email.");
  }
  return { merchantId: uuidOf(ids.subarray(0, ID_BYTES)), accountId: uuidOf(ids.subarray(ID_BYTES)) };
}

export const Unsubscribe = z.strictObject({ token: z.string().max(200) });

const isThis = ({ merchantId, accountId }: Subscription) =>
  and(eq(merchantMembers.merchantId, merchantId), eq(merchantMembers.accountId, accountId));

/** Beside a person at a merchant: does anybody else there get the digest, unless it is off for all? */
export const othersGetIt = raw<boolean>`exists (
  select from merchant_members o where o.merchant_id = ${merchantMembers.merchantId}
    and o.account_id <> ${merchantMembers.accountId} and o.digest)`;

/** Whose digest the link is about, whether it is off for all there, and else still sent to this person, and to others. Changes nothing. @throws DomainError not_found */
export async function peek(
  ctx: Ctx<Anonymous>,
  input: z.infer<typeof Unsubscribe>,
): Promise<{ merchant: string | null; isOff: boolean; subscribed: boolean; othersGetIt: boolean }> {
  const [found] = await ctx.db
    .select({
      merchant: merchants.name,
      isOff: raw<boolean>`${merchants.digest} = 'off'`,
      subscribed: merchantMembers.digest,
      othersGetIt,
    })
    .from(merchantMembers)
    .innerJoin(merchants, eq(merchants.id, merchantMembers.merchantId))
    .where(isThis(read(ctx, input.token)));
  return found ?? { merchant: null, isOff: false, subscribed: false, othersGetIt: false };
}

/**
 * Deletes the digests that wait for a merchant's people, or for one of them. Their accounts are locked, so that an address
 * that changes at this moment gets none.
 */
export async function withdrawDigests(tx: Database, merchantId: string, accountId?: string): Promise<void> {
  const theirs = tx
    .select({ id: merchantMembers.accountId })
    .from(merchantMembers)
    .where(
      and(eq(merchantMembers.merchantId, merchantId), accountId ? eq(merchantMembers.accountId, accountId) : undefined),
    );
  const found = await tx
    .select({ email: accounts.email })
    .from(accounts)
    .where(inArray(accounts.id, theirs))
    .orderBy(asc(accounts.id))
    .for("key share");
  for (const { email } of found) await mail.withdraw(tx, email, { merchantId }, { going: ["merchant-digest"] });
}

/** No digest to this person any more; colleagues still get theirs. Said again, it changes nothing. @throws DomainError not_found */
export async function end(ctx: Ctx<Anonymous>, input: z.infer<typeof Unsubscribe>): Promise<void> {
  const subscription = read(ctx, input.token);
  await ctx.db.transaction(async (tx) => {
    await lockMerchant(tx, subscription.merchantId);
    await withdrawDigests(tx, subscription.merchantId, subscription.accountId);
    const ended = await tx
      .update(merchantMembers)
      .set({ digest: false })
      .where(and(isThis(subscription), merchantMembers.digest))
      .returning({ accountId: merchantMembers.accountId });
    if (ended.length === 0) return;
    const { merchantId, accountId } = subscription;
    // Whoever has the link acts: nobody is logged in.
    const after = { accountId, mine: false };
    await audit.record(ctx, tx, { action: "digest.unsubscribe", target: ["merchant", merchantId], after });
  });
}
