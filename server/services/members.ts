// Who works for a consumer, and what operators and they themselves change of it; whoever it is about is told by mail.
import { and, asc, eq, inArray } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../db/client";
import { accounts } from "../../db/schema/accounts";
import { consumers, members } from "../../db/schema/consumers";
import type { Ctx, Member, Operator, SignedIn } from "../context";
import { DomainError, notFound, refuseField } from "../errors";
import { Email } from "./accounts/fields";
import * as audit from "./audit";
import { endFor, reviewerEnd } from "./last-day";
import * as mail from "./mail";
import { lockConsumer, requireOne, tellOwners, withdrawMails } from "./owners";

interface TeamMember {
  accountId: string;
  name: string;
  email: string;
  role: Member["role"];
  grantedAt: Date;
  /** When a reviewer's access ends, or ended. */
  endsAt: Date | null;
  hasEnded: boolean;
}

/** Everybody of a consumer: owners first, then by name; reviewers whose access has ended too. */
export const team = (ctx: Ctx<Operator>, input: { consumerId: string }) => everybodyOf(ctx, input.consumerId);

/** The same of the consumer that a member looks at: whoever works for it sees who else does (decision 0046). */
export const colleagues = (ctx: Ctx<Member>) => everybodyOf(ctx, ctx.actor.consumerId);

async function everybodyOf(ctx: Ctx, consumerId: string): Promise<TeamMember[]> {
  const rows = await ctx.db
    .select({
      accountId: members.accountId,
      name: accounts.name,
      email: accounts.email,
      role: members.role,
      grantedAt: members.grantedAt,
      endsAt: members.endsAt,
    })
    .from(members)
    .innerJoin(accounts, eq(accounts.id, members.accountId))
    .where(eq(members.consumerId, consumerId))
    .orderBy(asc(accounts.name), asc(accounts.id));
  const ranks = ["owner", "developer", "reviewer"];
  return rows
    .map((row) => ({ ...row, hasEnded: hasEnded(ctx, row) }))
    .toSorted((a, b) => ranks.indexOf(a.role) - ranks.indexOf(b.role));
}

const given = {
  role: z.enum(members.role.enumValues, "Choose a role."),
  /** A reviewer's last day, UTC; not for the others. */
  lastDay: z.iso.date("Enter the last day.").nullable(),
};

export const AddMember = z.strictObject({ consumerId: z.uuid(), email: Email, ...given });

/**
 * Gives an existing account a role. A reviewer whose access has ended may be added again, in any role.
 * @throws DomainError not_found, invalid_input (no such account, not verified, last day), conflict (is a member already)
 */
export async function add(ctx: Ctx<Operator>, input: z.infer<typeof AddMember>): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const consumer = await lockConsumer(tx, input.consumerId);
    const [account] = await tx.select().from(accounts).where(eq(accounts.email, input.email)).for("key share");
    if (!account)
      throw refuseField("email", "There is no account with this address. Ask them to sign up, then add them.");
    if (!account.emailVerifiedAt)
      throw refuseField(
        "email",
        "This account has not confirmed its address yet. Ask them to follow the link in their email.",
      );
    const [present] = await tx.select().from(members).where(isMember(input.consumerId, account.id));
    if (present && !hasEnded(ctx, present))
      throw refuseField(
        "email",
        `${account.name} is already ${article(present.role)}. To make them something else, change their role.`,
      );
    const endsAt = endFor(ctx, input);
    const row = { role: input.role, grantedAt: ctx.now, endsAt };
    await tx
      .insert(members)
      .values({ ...row, consumerId: consumer.id, accountId: account.id })
      .onConflictDoUpdate({ target: [members.consumerId, members.accountId], set: row });
    await record(ctx, tx, "member.add", consumer.id, { account: account.id, role: input.role, endsAt });
    await tell(ctx, tx, "member-added", { consumer, account, role: input.role, endsAt });
  });
}

/** `grantedAt` as it was shown to whoever changes it. */
const shown = { consumerId: z.uuid(), accountId: z.uuid(), grantedAt: z.coerce.date() };
export const RenewMember = z.strictObject({ ...shown, lastDay: z.iso.date("Enter the last day.").nullable() });

/**
 * A reviewer's access goes on, or begins again, for at most 90 days from now; they are told by mail until when.
 * @throws DomainError not_found, conflict (changed since it was shown), invalid_input
 */
export async function renew(ctx: Ctx<Operator>, input: z.infer<typeof RenewMember>): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const consumer = await lockConsumer(tx, input.consumerId);
    const [account] = await lockAccount(tx, input.accountId);
    const own = isMember(input.consumerId, input.accountId);
    const [before] = await tx.select().from(members).where(own);
    if (account && before) requireShown(`${account.name} was`, before, input);
    if (!account || before?.role !== "reviewer") throw notFound("reviewer");
    const endsAt = reviewerEnd(ctx, input.lastDay);
    await tx.update(members).set({ grantedAt: ctx.now, endsAt }).where(own);
    await record(ctx, tx, "member.renew", input.consumerId, { account: input.accountId, endsAt });
    await tell(ctx, tx, "member-renewed", { consumer, account, role: before.role, endsAt });
  });
}

export const ChangeRole = z.strictObject({ ...shown, ...given });

/**
 * Another role in the place of the one that they have, or had until it ended; they are told by mail.
 * @throws DomainError not_found, invalid_input (they have it, last day), conflict (changed since it was shown; the last owner)
 */
export async function changeRole(ctx: Ctx<Operator>, input: z.infer<typeof ChangeRole>): Promise<void> {
  const { role } = input;
  await ctx.db.transaction(async (tx) => {
    const consumer = await lockConsumer(tx, input.consumerId);
    const [account] = await lockAccount(tx, input.accountId);
    const [before] = await tx.select().from(members).where(isMember(input.consumerId, input.accountId));
    if (!account || !before) throw notFound("member");
    if (before.role === role) throw refuseField("role", `${account.name} is ${article(role)} already.`);
    requireShown(`${account.name} was`, before, input);
    const endsAt = endFor(ctx, input);
    const set = { role, grantedAt: ctx.now, endsAt };
    await tx.update(members).set(set).where(isMember(input.consumerId, input.accountId));
    if (before.role === "owner")
      await requireOne(tx, consumer.id, "This is the last owner. Make someone else an owner first.");
    await withdrawMails(tx, consumer.id, account.email);
    await audit.record(ctx, tx, {
      action: "member.change_role",
      target: ["consumer", consumer.id],
      before: { role: before.role, endsAt: before.endsAt },
      after: { account: account.id, role, endsAt },
    });
    await tell(ctx, tx, "member-role-changed", { consumer, account, role, endsAt });
    if (before.role === "owner") await tellOwners(ctx, tx, consumer);
  });
}

/** What a member is told of their access, what says most first. */
const news = ["member-added", "member-role-changed", "member-renewed"] as const;

interface Told {
  consumer: { id: string; name: string };
  account: { name: string; email: string };
  role: Member["role"];
  endsAt: Date | null;
}

/**
 * Mails a member which access they have now. Mail keeps no order, so what waits of it is withdrawn; where that was to say more,
 * this mail says it.
 */
async function tell(
  ctx: Ctx<Operator>,
  tx: Database,
  change: (typeof news)[number],
  { consumer, account, role, endsAt }: Told,
): Promise<void> {
  const going = [...news, "member-removed" as const];
  const waited = await mail.withdraw(tx, account.email, { consumerId: consumer.id }, { going });
  const template = news.find((one) => one === change || waited.includes(one))!;
  const until = endsAt ? { until: endsAt.toISOString() } : {};
  const data = { name: account.name, consumerId: consumer.id, productName: consumer.name, role, ...until };
  await mail.send(ctx, tx, { to: account.email, template, data });
}

/** Without `grantedAt` nothing was shown: whatever access they have ends. */
export const RemoveMember = z.strictObject({ ...shown, grantedAt: shown.grantedAt.optional() });

/**
 * From the next request on they see nothing of it; they are told by mail.
 * @throws DomainError not_found, conflict (changed since it was shown; the last owner)
 */
export async function remove(ctx: Ctx<Operator>, input: z.infer<typeof RemoveMember>): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const consumer = await lockConsumer(tx, input.consumerId);
    const [account] = await lockAccount(tx, input.accountId);
    const ifLast = "This is the last owner. Add another owner first.";
    const role = account && (await end(tx, { ...input, account, who: `${account.name} was`, ifLast }));
    if (!role) throw notFound("member");
    await record(ctx, tx, "member.remove", input.consumerId, { account: input.accountId, role });
    const data = { name: account.name, consumerId: consumer.id, productName: consumer.name };
    await mail.send(ctx, tx, { to: account.email, template: "member-removed", data });
    if (role === "owner") await tellOwners(ctx, tx, consumer);
  });
}

export const LeaveConsumer = RemoveMember.omit({ accountId: true });

/** A person's own wish (decision 0061). @throws DomainError conflict (changed since it was shown; the last owner; no member any more) */
export async function leave(ctx: Ctx<SignedIn>, input: z.infer<typeof LeaveConsumer>): Promise<void> {
  const isOwn = isMember(input.consumerId, ctx.actor.accountId);
  await ctx.db.transaction(async (tx) => {
    const own = tx.select({ id: members.consumerId }).from(members).where(isOwn);
    const [consumer] = await tx.select().from(consumers).where(inArray(consumers.id, own)).for("update");
    const [account] = await lockAccount(tx, ctx.actor.accountId);
    const ifLast = "You are its last owner. Ask an operator to make someone else an owner first.";
    const role = consumer && account && (await end(tx, { ...input, account, who: "You were", ifLast }));
    if (!role) throw new DomainError("conflict", "You no longer have access to this platform.");
    await record(ctx, tx, "member.leave", consumer.id, { role });
    if (role === "owner") await tellOwners(ctx, tx, consumer);
  });
}

interface Ending extends z.infer<typeof LeaveConsumer> {
  account: { id: string; email: string };
  who: string;
  ifLast: string;
}

/**
 * Ends a membership, and its mails that wait. Called under the consumer's lock: so the owners who are left are counted right.
 * @param which `who`: the member, as a refusal begins; `ifLast`: what the last owner's says
 * @returns the role that ended; undefined if there was none
 * @throws DomainError conflict (changed since it was shown; it is the last owner's)
 */
async function end(
  tx: Database,
  { consumerId, account, grantedAt, who, ifLast }: Ending,
): Promise<Member["role"] | undefined> {
  const [gone] = await tx.delete(members).where(isMember(consumerId, account.id)).returning();
  if (gone && grantedAt) requireShown(who, gone, { grantedAt });
  if (gone?.role === "owner") await requireOne(tx, consumerId, ifLast);
  await mail.withdraw(tx, account.email, { consumerId });
  return gone?.role;
}

const isMember = (consumerId: string, accountId: string) =>
  and(eq(members.consumerId, consumerId), eq(members.accountId, accountId));
const hasEnded = ({ now }: Pick<Ctx, "now">, { endsAt }: { endsAt: Date | null }) => endsAt !== null && endsAt <= now;

type Row = typeof members.$inferSelect;

/**
 * Of two who change it at once, the second is told of the first.
 * @param who "Dana was", "You were"
 * @throws DomainError conflict
 */
function requireShown(who: string, { role, endsAt, grantedAt }: Row, shownAs: { grantedAt: Date }): void {
  if (grantedAt.getTime() === shownAs.grantedAt.getTime()) return;
  const until = endsAt ? `, until ${endsAt.toISOString().slice(0, 16).replace("T", " ")} UTC` : "";
  const told = `${who} made ${article(role)} in the meantime${until}. Nothing was changed.`;
  throw new DomainError("conflict", `${told} Review the current state, then decide.`);
}

const article = (role: Member["role"]) => (role === "owner" ? "an owner" : `a ${role}`);

/** Before the membership, as whoever deletes it with the account does. */
const lockAccount = (tx: Database, id: string) =>
  tx.select().from(accounts).where(eq(accounts.id, id)).for("key share");

const record = (ctx: Ctx<Operator | SignedIn>, tx: Database, action: audit.Action, consumerId: string, after: object) =>
  audit.record(ctx, tx, { action, target: ["consumer", consumerId], after });
