// Invitations to act for a merchant: a link by mail, good for one acceptance within 7 days, by the account with the very
// address that it was sent to. Following the link only looks; whoever accepts presses a button.
import { and, asc, desc, eq, gt, isNotNull } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../db/client";
import { accounts } from "../../db/schema/accounts";
import { merchantInvitations as invitations, merchantMembers, merchants } from "../../db/schema/merchants";
import type { Anonymous, Ctx, Operator, SignedIn } from "../context";
import { DomainError, notFound, refuseField } from "../errors";
import { Email } from "./accounts/fields";
import { hashOf, newSecret, Token } from "./accounts/tokens";
import * as audit from "./audit";
import * as mail from "./mail";
import { linksWorkMs } from "./mail-templates";
import { isWaiting, join } from "./merchant-people";
import { lockMerchant } from "./merchants";

export const SendInvitation = z.strictObject({ merchantId: z.uuid(), email: Email });

/** Sends the link; an earlier one to the same address for this merchant is void. @throws DomainError not_found, invalid_input */
export async function send(ctx: Ctx<Operator>, input: z.infer<typeof SendInvitation>): Promise<void> {
  const token = newSecret();
  await ctx.db.transaction(async (tx) => {
    const merchant = await lockMerchant(tx, input.merchantId);
    // First: whoever is accepting it at this moment acts for the merchant afterwards.
    const earlier = await tx
      .update(invitations)
      .set({ withdrawnAt: ctx.now })
      .where(and(eq(invitations.merchantId, merchant.id), eq(invitations.email, input.email), isWaiting))
      .returning({ id: invitations.id });
    const [member] = await tx
      .select({ name: accounts.name })
      .from(merchantMembers)
      .innerJoin(accounts, eq(accounts.id, merchantMembers.accountId))
      .where(and(eq(merchantMembers.merchantId, merchant.id), eq(accounts.email, input.email)));
    if (member) throw refuseField("email", `${member.name} already acts for ${merchant.name}.`);
    const [made] = await tx
      .insert(invitations)
      .values({
        ...input,
        hash: hashOf(token),
        createdAt: ctx.now,
        createdBy: ctx.actor.accountId,
        expiresAt: new Date(ctx.now.getTime() + linksWorkMs.invitation),
      })
      .onConflictDoNothing()
      .returning({ id: invitations.id });
    if (!made) throw new DomainError("conflict", "Someone else invited this address at the same moment.");
    await audit.record(ctx, tx, {
      action: "invitation.send",
      target: ["merchant", merchant.id],
      after: { invitationId: made.id, ...(earlier[0] ? { inPlaceOf: earlier[0].id } : {}) },
    });
    const data = { token, merchantId: merchant.id, merchant: merchant.name };
    await unsent(tx, merchant.id, input.email);
    await mail.send(ctx, tx, { to: input.email, template: "invitation", data });
  });
}

/** An invitation of which the mail still waits is not sent, now that its link is void. */
const unsent = (tx: Database, merchantId: string, email: string) =>
  mail.withdraw(tx, email, { merchantId }, { going: ["invitation"] });

type InvitationState = "waiting" | "accepted" | "withdrawn" | "expired";

function stateOf(row: typeof invitations.$inferSelect, now: Date): InvitationState {
  if (row.acceptedAt) return "accepted";
  if (row.withdrawnAt) return "withdrawn";
  return row.expiresAt <= now ? "expired" : "waiting";
}

export const ListInvitations = z.strictObject({ merchantId: z.uuid() });

/** A merchant's invitations that wait or ran out, newest first. */
export async function list(ctx: Ctx<Operator>, input: z.infer<typeof ListInvitations>) {
  const rows = await ctx.db
    .select({ row: invitations, by: accounts.name })
    .from(invitations)
    .leftJoin(accounts, eq(accounts.id, invitations.createdBy))
    .where(and(eq(invitations.merchantId, input.merchantId), isWaiting))
    .orderBy(desc(invitations.createdAt), desc(invitations.id));
  return rows.map(({ row, by }) => ({
    id: row.id,
    email: row.email,
    sentAt: row.createdAt,
    sentBy: by,
    expiresAt: row.expiresAt,
    state: stateOf(row, ctx.now),
  }));
}

export const WithdrawInvitation = z.strictObject({ id: z.uuid(), merchantId: z.uuid() });

/** The link no longer works. @throws DomainError conflict (accepted or withdrawn already) */
export async function withdraw(ctx: Ctx<Operator>, input: z.infer<typeof WithdrawInvitation>): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const [withdrawn] = await tx
      .update(invitations)
      .set({ withdrawnAt: ctx.now })
      .where(and(eq(invitations.id, input.id), eq(invitations.merchantId, input.merchantId), isWaiting))
      .returning({ id: invitations.id, email: invitations.email });
    if (!withdrawn)
      throw new DomainError("conflict", "This invitation has been accepted or withdrawn in the meantime.");
    await audit.record(ctx, tx, {
      action: "invitation.withdraw",
      target: ["merchant", input.merchantId],
      before: { invitationId: withdrawn.id },
    });
    await unsent(tx, input.merchantId, withdrawn.email);
  });
}

export const PeekInvitation = z.strictObject({ token: Token });

/** What the page behind the link shows; the link is not used by it. */
export async function peek(ctx: Ctx<Anonymous>, input: z.infer<typeof PeekInvitation>) {
  const [found] = await ctx.db
    .select({ row: invitations, merchant: merchants.name })
    .from(invitations)
    .innerJoin(merchants, eq(merchants.id, invitations.merchantId))
    .where(eq(invitations.hash, hashOf(input.token)));
  if (!found) return { state: "unknown" as const };
  const { row, merchant } = found;
  const state = stateOf(row, ctx.now);
  if (state !== "waiting") return { state, merchant };
  return { state, merchant, id: row.id, email: row.email, expiresAt: row.expiresAt };
}

/** The invitations that wait for this person: those to the address of their account. */
export const mine = (ctx: Ctx<SignedIn>) =>
  ctx.db
    .select({ id: invitations.id, merchant: merchants.name, expiresAt: invitations.expiresAt })
    .from(invitations)
    .innerJoin(accounts, eq(accounts.email, invitations.email))
    .innerJoin(merchants, eq(merchants.id, invitations.merchantId))
    .where(
      and(
        eq(accounts.id, ctx.actor.accountId),
        isNotNull(accounts.emailVerifiedAt),
        isWaiting,
        gt(invitations.expiresAt, ctx.now),
      ),
    )
    .orderBy(asc(merchants.name), asc(invitations.id));

export const AcceptInvitation = z.strictObject({ id: z.uuid() });

const refusals: Record<Exclude<InvitationState, "waiting">, string> = {
  accepted: "This invitation has already been accepted.",
  withdrawn: "This invitation was withdrawn, or replaced by a newer one.",
  expired: "This invitation has expired. Ask for a new one.",
};

/**
 * From now on the person acts for the merchant. Only the account with the invitation's own, confirmed address can accept;
 * of twenty attempts at once one does.
 * @throws DomainError not_found (none for this account), conflict (`details.reason`: accepted, withdrawn, expired)
 */
export async function accept(
  ctx: Ctx<SignedIn>,
  input: z.infer<typeof AcceptInvitation>,
): Promise<{ merchantId: string }> {
  const { accountId } = ctx.actor;
  return ctx.db.transaction(async (tx) => {
    const [asked] = await tx
      .select({ merchantId: invitations.merchantId })
      .from(invitations)
      .where(eq(invitations.id, input.id));
    if (!asked) throw notFound("invitation for this account");
    const merchant = await lockMerchant(tx, asked.merchantId);
    // The account then, as whoever deletes it or changes its address does: both take its invitations away.
    await tx.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, accountId)).for("key share");
    const [found] = await tx
      .select({ row: invitations })
      .from(invitations)
      .innerJoin(accounts, eq(accounts.email, invitations.email))
      .where(and(eq(invitations.id, input.id), eq(accounts.id, accountId), isNotNull(accounts.emailVerifiedAt)))
      .for("update", { of: invitations });
    if (!found) throw notFound("invitation for this account");
    const { row } = found;
    const state = stateOf(row, ctx.now);
    if (state !== "waiting") throw new DomainError("conflict", refusals[state], { details: { reason: state } });
    await tx.update(invitations).set({ acceptedAt: ctx.now }).where(eq(invitations.id, row.id));
    await join(ctx, tx, { merchantId: merchant.id, account: { id: accountId, email: row.email } });
    await audit.record(ctx, tx, {
      action: "invitation.accept",
      target: ["merchant", merchant.id],
      after: { accountId, invitationId: row.id },
    });
    return { merchantId: merchant.id };
  });
}
