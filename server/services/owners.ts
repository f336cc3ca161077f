// A consumer's owners: told by mail what happens to it, and asked for again when one of them acts.
import { and, asc, eq, ne } from "drizzle-orm";
import type { Database } from "../../db/client";
import { accounts } from "../../db/schema/accounts";
import { consumers, members } from "../../db/schema/consumers";
import type { Ctx, Owner } from "../context";
import { DomainError, notFound } from "../errors";
import * as mail from "./mail";
import type { Template } from "./mail-templates";

/** A consumer, its row locked: one act at a time counts its owners and its keys. @throws DomainError not_found */
export async function lockConsumer(tx: Database, id: string) {
  const [consumer] = await tx.select().from(consumers).where(eq(consumers.id, id)).for("update");
  if (!consumer) throw notFound("consumer");
  return consumer;
}

/** Mails the owners that one of them has gone, who may know values of keys. @param except the address of whoever goes */
export async function tellOwners(
  ctx: Ctx,
  tx: Database,
  { id: consumerId, name: productName, state }: { id: string; name: string; state: string | null },
  except?: string,
): Promise<void> {
  for (const { name, email } of await ownersOf(tx, consumerId)) {
    if (email === except) continue;
    await mail.send(ctx, tx, { to: email, template: "owner-left", data: { name, consumerId, productName, state } });
  }
}

/** Mails about a consumer that are not for its owners alone. */
const forOthers: Template[] = ["member-added", "member-role-changed", "member-renewed", "access-revoked"];

/** For one who has another role from now on: what waits for them as an owner is not sent. */
export const withdrawMails = (tx: Database, consumerId: string, email: string) =>
  mail.withdraw(tx, email, { consumerId }, { staying: forOthers });

/**
 * For an owner's act at the very moment at which they cease to be one. Owners come and go under the consumer's lock, so
 * whoever is one under it is one until the act is done.
 * @throws DomainError forbidden
 */
export async function requireStillOwner(tx: Database, { consumerId, accountId }: Owner): Promise<void> {
  const own = and(isOwner(consumerId), eq(members.accountId, accountId));
  if ((await tx.$count(members, own)) === 0)
    throw new DomainError("forbidden", "You are no longer an owner of this platform.");
}

/** A consumer's owners, for a mail. Their accounts are locked, so that an address that changes at this moment gets it. */
export const ownersOf = (tx: Database, consumerId: string) =>
  tx
    .select({ name: accounts.name, email: accounts.email })
    .from(members)
    .innerJoin(accounts, eq(accounts.id, members.accountId))
    .where(isOwner(consumerId))
    .orderBy(asc(accounts.id))
    .for("key share", { of: accounts });

/**
 * The same of every consumer whose access has not ended, each with its consumer. Not under their locks: so whoever ceases to be one
 * waits until the mail is written, and takes it back.
 */
export const everyOwner = (tx: Database) =>
  tx
    .select({
      name: accounts.name,
      email: accounts.email,
      consumerId: consumers.id,
      productName: consumers.name,
      state: consumers.state,
    })
    .from(members)
    .innerJoin(accounts, eq(accounts.id, members.accountId))
    .innerJoin(consumers, eq(consumers.id, members.consumerId))
    .where(and(eq(members.role, "owner"), ne(consumers.state, "revoked")))
    .orderBy(asc(accounts.id), asc(consumers.id))
    .for("share", { of: [accounts, members] });

/** @throws DomainError conflict when nobody is left under the consumer's lock */
export async function requireOne(tx: Database, consumerId: string, otherwise: string): Promise<void> {
  if ((await tx.$count(members, isOwner(consumerId))) === 0) throw new DomainError("conflict", otherwise);
}

const isOwner = (consumerId: string) => and(eq(members.consumerId, consumerId), eq(members.role, "owner"));
