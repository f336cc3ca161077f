// Who acts for a merchant: operators add existing accounts, and remove them; anybody may leave. Asked anew at each request.
import { and, asc, eq, isNotNull, isNull, ne } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../db/client";
import { accounts } from "../../db/schema/accounts";
import { merchantInvitations as invitations, merchantMembers, merchants } from "../../db/schema/merchants";
import type { Ctx, Operator, SignedIn } from "../context";
import { DomainError, refuseField } from "../errors";
import { Email } from "./accounts/fields";
import * as audit from "./audit";
import * as digests from "./digests";
import * as mail from "./mail";
import { lockMerchant } from "./merchants";

interface MerchantPerson {
  accountId: string;
  name: string;
  email: string;
  since: Date;
  /** Other merchants that they act for. */
  alsoFor: string[];
}

const OfMerchant = z.strictObject({ merchantId: z.uuid() });
export const ListPeople = OfMerchant;

/** A merchant's people by name. */
export async function people(ctx: Ctx<Operator>, input: z.infer<typeof ListPeople>): Promise<MerchantPerson[]> {
  const rows = await ctx.db
    .select({ accountId: accounts.id, name: accounts.name, email: accounts.email, since: merchantMembers.grantedAt })
    .from(merchantMembers)
    .innerJoin(accounts, eq(accounts.id, merchantMembers.accountId))
    .where(eq(merchantMembers.merchantId, input.merchantId))
    .orderBy(asc(accounts.name), asc(accounts.id));
  const mine = ctx.db
    .select({ id: merchantMembers.accountId })
    .from(merchantMembers)
    .where(eq(merchantMembers.merchantId, input.merchantId))
    .as("mine");
  const others = await ctx.db
    .select({ accountId: merchantMembers.accountId, name: merchants.name })
    .from(merchantMembers)
    .innerJoin(mine, eq(mine.id, merchantMembers.accountId))
    .innerJoin(merchants, eq(merchants.id, merchantMembers.merchantId))
    .where(ne(merchants.id, input.merchantId))
    .orderBy(asc(merchants.name));
  return rows.map((row) => ({
    ...row,
    alsoFor: others.filter(({ accountId }) => accountId === row.accountId).map(({ name }) => name),
  }));
}

export const AddPerson = OfMerchant.extend({ email: Email });

/** Lets a verified account act for a merchant; its person is told by mail. @throws DomainError not_found, invalid_input */
export async function add(ctx: Ctx<Operator>, input: z.infer<typeof AddPerson>): Promise<{ name: string }> {
  return ctx.db.transaction(async (tx) => {
    const merchant = await lockMerchant(tx, input.merchantId);
    const [account] = await tx
      .select()
      .from(accounts)
      .where(and(eq(accounts.email, input.email), isNotNull(accounts.emailVerifiedAt)))
      .for("key share");
    if (!account) {
      throw refuseField(
        "email",
        "There is no account with this address, or it is not confirmed. Send an invitation instead.",
      );
    }
    await withdrawInvitations(ctx, tx, { merchantId: merchant.id, email: account.email });
    const isNew = await join(ctx, tx, { merchantId: merchant.id, account });
    if (!isNew) throw refuseField("email", `${account.name} already acts for ${merchant.name}.`);
    await audit.record(ctx, tx, {
      action: "merchant.add_member",
      target: ["merchant", merchant.id],
      after: { accountId: account.id },
    });
    await mail.send(ctx, tx, {
      to: account.email,
      template: "merchant-joined",
      data: { merchantId: merchant.id, merchant: merchant.name },
    });
    return { name: account.name };
  });
}

/**
 * Lets an account act for a merchant. What waits to be mailed of before no longer holds: an invitation, that they were removed.
 * @returns false if it does already
 */
export async function join(
  ctx: Ctx<Operator | SignedIn>,
  tx: Database,
  { merchantId, account }: { merchantId: string; account: { id: string; email: string } },
): Promise<boolean> {
  await digests.passOver(ctx, tx, merchantId);
  const made = await tx
    .insert(merchantMembers)
    .values({ merchantId, accountId: account.id, grantedAt: ctx.now })
    .onConflictDoNothing()
    .returning({ accountId: merchantMembers.accountId });
  await mail.withdraw(tx, account.email, { merchantId }, { going: ["invitation", "merchant-removed"] });
  return made.length > 0;
}

/** Whether nobody is left then, as it was shown. */
const last = z.boolean().optional();
export const RemovePerson = OfMerchant.extend({ accountId: z.uuid(), last });

/**
 * From the next request on they no longer act for it, and an invitation that waits for them does not bring them back. They
 * are told by mail.
 * @throws DomainError not_found, conflict when they did not; when nobody is left then, and that was not shown
 */
export async function remove(ctx: Ctx<Operator>, input: z.infer<typeof RemovePerson>): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const { id: merchantId, name: merchant } = await lockMerchant(tx, input.merchantId);
    const email = await end(ctx, tx, input);
    if (!email) throw new DomainError("conflict", "They no longer act for this merchant.");
    await audit.record(ctx, tx, {
      action: "merchant.remove_member",
      target: ["merchant", input.merchantId],
      before: { accountId: input.accountId },
    });
    await mail.send(ctx, tx, { to: email, template: "merchant-removed", data: { merchantId, merchant } });
  });
}

export const LeaveMerchant = OfMerchant.extend({ last });

/**
 * A person's own wish (decision 0061).
 * @throws DomainError not_found, conflict when they did not act for it; when nobody is left then, and that was not shown
 */
export async function leave(ctx: Ctx<SignedIn>, input: z.infer<typeof LeaveMerchant>): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const { id: merchantId } = await lockMerchant(tx, input.merchantId);
    const email = await end(ctx, tx, { ...input, accountId: ctx.actor.accountId });
    if (!email) throw new DomainError("conflict", "You no longer act for this merchant.");
    await audit.record(ctx, tx, { action: "merchant.leave", target: ["merchant", merchantId] });
  });
}

/**
 * Ends that an account acts for a merchant, and the mails about it that wait, under the merchant's lock.
 * @returns its address; undefined if it did not
 * @throws DomainError conflict when nobody is left then, and that was not shown
 */
async function end(
  ctx: Ctx<Operator | SignedIn>,
  tx: Database,
  { merchantId, accountId, last }: z.infer<typeof RemovePerson>,
): Promise<string | undefined> {
  const [account] = await tx
    .select({ email: accounts.email })
    .from(accounts)
    .where(eq(accounts.id, accountId))
    .for("key share");
  if (!account) return undefined;
  await withdrawInvitations(ctx, tx, { merchantId, email: account.email });
  const gone = await tx
    .delete(merchantMembers)
    .where(and(eq(merchantMembers.merchantId, merchantId), eq(merchantMembers.accountId, accountId)))
    .returning({ accountId: merchantMembers.accountId });
  if (gone.length === 0) return undefined;
  if (last === false && (await tx.$count(merchantMembers, eq(merchantMembers.merchantId, merchantId))) === 0)
    throw new DomainError(
      "conflict",
      "In the meantime the others stopped acting for this merchant. No one would be left, so nothing was changed. Do it again if that is all right.",
    );
  await mail.withdraw(tx, account.email, { merchantId });
  return account.email;
}

/** SQL: an invitation that was neither accepted nor withdrawn; its time may be over. */
export const isWaiting = and(isNull(invitations.acceptedAt), isNull(invitations.withdrawnAt));

/** Those that wait: locked before the membership, as by whoever accepts one. */
async function withdrawInvitations(
  ctx: Ctx<Operator | SignedIn>,
  tx: Database,
  { merchantId, email }: { merchantId: string; email: string },
): Promise<void> {
  const withdrawn = await tx
    .update(invitations)
    .set({ withdrawnAt: ctx.now })
    .where(and(eq(invitations.merchantId, merchantId), eq(invitations.email, email), isWaiting))
    .returning({ invitationId: invitations.id });
  const target = ["merchant", merchantId] as const;
  await audit.record(
    ctx,
    tx,
    ...withdrawn.map((before) => ({ action: "invitation.withdraw", target, before }) as const),
  );
}
