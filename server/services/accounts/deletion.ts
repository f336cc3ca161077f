// Deleting an account. The person goes: name, address, password, sessions, links, memberships. What was done stays,
// in usage and audit, under an id that no longer leads to anybody.
import { hash } from "node:crypto";
import { and, asc, count, eq, gt, inArray, isNull, ne, or, sql as raw } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../../db/client";
import { accounts } from "../../../db/schema/accounts";
import { consumers, members } from "../../../db/schema/consumers";
import { keys } from "../../../db/schema/keys";
import { merchantMembers, merchants } from "../../../db/schema/merchants";
import type { Ctx, SignedIn } from "../../context";
import { DomainError, refuseField } from "../../errors";
import * as audit from "../audit";
import { works } from "../key-state";
import * as mail from "../mail";
import { tellOwners } from "../owners";
import * as passwords from "../passwords";
import { requireAsShown, Shown } from "../shown";
import { type Account, lockOwn, requirePassword } from "./account";
import { forget, forgetAskedFor, holdApplications } from "./addresses";
import * as codes from "./codes";
import { withCode } from "./second-factor";

export interface DeletionEffects {
  consumers: {
    id: string;
    name: string;
    /** When they were given this role. */
    grantedAt: Date;
    role: "owner" | "developer" | "reviewer";
    /** Of a reviewer, whose time may be over already. */
    endsAt: Date | null;
    hasEnded: boolean;
    /** Null for a reviewer whose time is over. */
    state: (typeof consumers.$inferSelect)["state"] | null;
    /** With its last owner a consumer loses its access, and every key that works is revoked. */
    effect: "access_revoked" | "membership_ends";
    /** Keys that work now, superseded ones included; none does where access is revoked. */
    keys: number;
  }[];
  /** Merchants that the person acts for; `last`: nobody else does. */
  merchants: { id: string; name: string; last: boolean }[];
  /** Null for who is none; `last`: there is no other. */
  operator: { last: boolean } | null;
  /** Another one once anything else would be lost. */
  version: string;
}

/** What deleting the account would do, to be said before. */
export const deletionEffects = (ctx: Ctx<SignedIn>): Promise<DeletionEffects> => effects(ctx, ctx.db);

async function effects(ctx: Ctx<SignedIn>, db: Database): Promise<DeletionEffects> {
  const { accountId } = ctx.actor;
  const otherOwners = db
    .select({ count: count() })
    .from(raw`members o`)
    .where(raw`o.consumer_id = ${members.consumerId} and o.role = 'owner' and o.account_id <> ${accountId}`);
  const working = db
    .select({ count: count() })
    .from(keys)
    .where(and(eq(keys.consumerId, members.consumerId), ne(consumers.state, "revoked"), works(ctx.now)));
  const mine = await db
    .select({
      id: consumers.id,
      name: consumers.name,
      state: consumers.state,
      role: members.role,
      grantedAt: members.grantedAt,
      endsAt: members.endsAt,
      otherOwners: raw<number>`(${otherOwners})::int`,
      keys: raw<number>`(${working})::int`,
    })
    .from(members)
    .innerJoin(consumers, eq(consumers.id, members.consumerId))
    .where(eq(members.accountId, accountId))
    .orderBy(asc(consumers.name), asc(consumers.id));
  const others = raw<boolean>`not exists (select from merchant_members o
    where o.merchant_id = ${merchants.id} and o.account_id <> ${accountId})`;
  const represented = await db
    .select({ id: merchants.id, name: merchants.name, last: others })
    .from(merchantMembers)
    .innerJoin(merchants, eq(merchants.id, merchantMembers.merchantId))
    .where(eq(merchantMembers.accountId, accountId))
    .orderBy(asc(merchants.name));
  const found = {
    consumers: mine.map(({ otherOwners, ...consumer }) => {
      const hasEnded = consumer.endsAt !== null && consumer.endsAt <= ctx.now;
      return {
        ...consumer,
        ...(hasEnded && { state: null, keys: 0 }),
        hasEnded,
        effect:
          consumer.role === "owner" && otherOwners === 0 ? ("access_revoked" as const) : ("membership_ends" as const),
      };
    }),
    merchants: represented,
    operator: await operatorEffect(db, accountId),
  };
  return { ...found, version: versionOf(found) };
}

function versionOf({ consumers, merchants, operator }: Omit<DeletionEffects, "version">): string {
  const each = [
    ...consumers.map(({ id, effect, state, keys }) => [id, effect, state, keys > 0].join(" ")),
    ...merchants.map(({ id, last }) => [id, last].join(" ")),
  ];
  return hash("sha256", [...each.toSorted(), operator?.last].join(), "base64url");
}

async function operatorEffect(db: Database, accountId: string): Promise<DeletionEffects["operator"]> {
  const operators = await db.select({ id: accounts.id }).from(accounts).where(eq(accounts.isOperator, true));
  return operators.some(({ id }) => id === accountId) ? { last: operators.length === 1 } : null;
}

export const DeleteAccount = z.strictObject({
  currentPassword: passwords.GivenPassword,
  /** Where log-ins ask for one. */
  code: codes.Code.optional(),
  /** Of the effects. */
  shown: Shown,
});

/** For good: it takes all that a log-in asks for. @throws DomainError invalid_input, rate_limited, conflict (also: it would do otherwise than was shown) */
export async function deleteAccount(ctx: Ctx<SignedIn>, input: z.infer<typeof DeleteAccount>): Promise<void> {
  const before = await requirePassword(ctx, input.currentPassword);
  const isEnabled = (await codes.factorOf(ctx.db, before.id))?.enabledAt;
  if (isEnabled && input.code === undefined) throw refuseField("code", "Enter the code.");
  const hold = (tx: Database) => holdOthers(tx, before.id);
  if (isEnabled)
    return withCode(ctx, before, input.code!, (tx, account) => remove(ctx, tx, account, input.shown), hold);
  await ctx.db.transaction(async (tx) => {
    await hold(tx);
    // Were a second factor turned on in between, the account would count as changed.
    await remove(ctx, tx, await lockOwn(ctx, tx, before), input.shown);
  });
}

/**
 * Locks what an account's going is counted under: the consumers that it owns, and the merchants that it acts for, before the
 * account, as whoever issues a key does; of operators one goes at a time. Two who leave at once then leave one after the
 * other, and the second is seen to be the last.
 * @param config whether to fail at once where another has one of them
 */
async function holdOthers(tx: Database, accountId: string, config?: { noWait: true }): Promise<void> {
  const owned = tx
    .select({ id: members.consumerId })
    .from(members)
    .where(and(eq(members.accountId, accountId), eq(members.role, "owner")));
  await tx
    .select({ id: consumers.id })
    .from(consumers)
    .where(inArray(consumers.id, owned))
    .orderBy(asc(consumers.id))
    .for("update", config);
  const represented = tx
    .select({ id: merchantMembers.merchantId })
    .from(merchantMembers)
    .where(eq(merchantMembers.accountId, accountId));
  await tx
    .select({ id: merchants.id })
    .from(merchants)
    .where(inArray(merchants.id, represented))
    .orderBy(asc(merchants.id))
    .for("no key update", config);
  await tx.execute(raw`select pg_advisory_xact_lock(hashtext('operators who delete their account'))
    from accounts where id = ${accountId} and is_operator`);
}

const CHANGED =
  "What happens when you delete your account has changed in the meantime, so nothing was deleted. Read it again before you go on.";
const LOCK_NOT_AVAILABLE = "55P03";

async function remove(ctx: Ctx<SignedIn>, tx: Database, account: Account, shown: string | undefined): Promise<void> {
  // Again: until the account was locked, its person may have become an owner of others. Whoever has those may wait for the account.
  await holdOthers(tx, account.id, { noWait: true }).catch((error) => {
    throw error.cause?.code === LOCK_NOT_AVAILABLE ? new DomainError("conflict", CHANGED) : error;
  });
  const { consumers, merchants, version } = await effects(ctx, tx);
  requireAsShown(shown, version, CHANGED);
  for (const consumer of consumers) {
    if (consumer.effect === "access_revoked") await revokeAccess(ctx, tx, consumer.id);
    else if (consumer.role === "owner") await tellOwners(ctx, tx, consumer, account.email);
  }
  await recordLeaving(ctx, tx, { consumers, merchants });
  await holdApplications(tx, account);
  await forget(tx, account.email);
  await forgetAskedFor(tx, account.id);
  await audit.record(ctx, tx, { action: "account.delete", target: ["account", account.id] });
  await tx.delete(accounts).where(eq(accounts.id, account.id));
  await mail.send(ctx, tx, { to: account.email, template: "account-deleted", data: {} });
}

/** As if they had left one by one. A consumer that loses its access with them has a record of that. */
async function recordLeaving(
  ctx: Ctx<SignedIn>,
  tx: Database,
  { consumers, merchants }: Pick<DeletionEffects, "consumers" | "merchants">,
): Promise<void> {
  const ending = consumers.filter(({ effect }) => effect === "membership_ends");
  await audit.record(
    ctx,
    tx,
    ...ending.map(({ id, role }) => ({ action: "member.leave", target: ["consumer", id], after: { role } }) as const),
    ...merchants.map(({ id }) => ({ action: "merchant.leave", target: ["merchant", id] }) as const),
  );
}

/** A consumer without an owner has no access: its keys are refused from the next request on. */
async function revokeAccess(ctx: Ctx<SignedIn>, tx: Database, consumerId: string): Promise<void> {
  const revoked = await tx
    .update(keys)
    .set({ revokedAt: ctx.now })
    .where(and(eq(keys.consumerId, consumerId), works(ctx.now)))
    .returning({ id: keys.id });
  await audit.record(ctx, tx, ...revoked.map(({ id }) => ({ action: "key.revoke", target: ["key", id] }) as const));
  const [before] = await tx.select().from(consumers).where(eq(consumers.id, consumerId));
  if (!before || before.state === "revoked") return;
  const set = {
    state: "revoked",
    revokedFrom: before.state,
    decisionReason: "Its last owner deleted their account.",
    decidedAt: ctx.now,
    stateSince: ctx.now,
  } as const;
  await tx
    .update(consumers)
    .set({ ...set, version: raw`${consumers.version} + 1` })
    .where(eq(consumers.id, consumerId));
  await audit.record(ctx, tx, {
    action: "consumer.revoke",
    target: ["consumer", consumerId],
    before: { state: before.state, decisionReason: before.decisionReason, decidedAt: before.decidedAt },
    after: set,
  });
  if (before.state !== "under_review") await tellWhoRemains(ctx, tx, before, set.decisionReason);
}

/** Their agent stops, and no owner is left to tell them. */
async function tellWhoRemains(
  ctx: Ctx<SignedIn>,
  tx: Database,
  { id, name: productName }: { id: string; name: string },
  reason: string,
): Promise<void> {
  const remaining = await tx
    .select({ name: accounts.name, email: accounts.email })
    .from(members)
    .innerJoin(accounts, eq(accounts.id, members.accountId))
    .where(
      and(
        eq(members.consumerId, id),
        ne(members.accountId, ctx.actor.accountId),
        or(isNull(members.endsAt), gt(members.endsAt, ctx.now)),
      ),
    )
    .orderBy(asc(accounts.id))
    // Two who leave each other's platforms at once would wait for one another: whoever leaves is not written to.
    .for("key share", { of: accounts, skipLocked: true });
  for (const { name, email } of remaining) {
    const data = { name, consumerId: id, productName, reason };
    await mail.send(ctx, tx, { to: email, template: "access-revoked", data });
  }
}
