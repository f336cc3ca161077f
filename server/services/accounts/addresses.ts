// Where else an account's addresses stand, and what becomes of them once it is gone or has another one (decision 0027).
import { asc, eq, exists, or, sql as raw } from "drizzle-orm";
import type { Database } from "../../../db/client";
import { applications, members } from "../../../db/schema/consumers";
import { merchantInvitations } from "../../../db/schema/merchants";
import { localMails, outbox } from "../../../db/schema/operations";
import type { Template } from "../mail-templates";

const isContact = (email: string) => eq(raw`lower(${applications.technicalContactEmail})`, email);

/**
 * Locks the applications that name an account or its address, always in the same order: two accounts that are deleted at
 * once, and whose applications name each other, then wait for one another instead of in a circle.
 */
export const holdApplications = (tx: Database, { id, email }: { id: string; email: string }) =>
  tx
    .select({ id: applications.id })
    .from(applications)
    .where(or(eq(applications.accountId, id), isContact(email)))
    .orderBy(asc(applications.id))
    .for("update");

/** Whoever has the form open with the old address must not bring it back. */
const changed = { updatedAt: raw`now()` };

/** Takes an address out of every application and invitation, also somebody else's, and deletes its mails. */
export async function forget(tx: Database, email: string): Promise<void> {
  await tx
    .update(applications)
    .set({ technicalContactEmail: "", ...changed })
    .where(isContact(email));
  await tx.delete(merchantInvitations).where(eq(merchantInvitations.email, email));
  await tx.delete(outbox).where(eq(outbox.recipient, email));
  await tx.delete(localMails).where(eq(localMails.recipient, email));
}

/** Mails about an address itself, of no use to the next one. */
const aboutAddress: Template[] = [
  "verify",
  "reset",
  "password-changed",
  "address-taken",
  "invitation",
  "email-change-asked",
  "email-change-confirm",
  "email-changed-notice",
  "account-deleted",
];

/** An account has another address: it replaces the old one as its platforms' contact, and mails that wait go to it. */
export async function replace(tx: Database, account: { id: string; email: string }, email: string): Promise<void> {
  const membership = tx
    .select({ one: raw`1` })
    .from(members)
    .where(raw`${members.consumerId} = ${applications.consumerId} and ${members.accountId} = ${account.id}`);
  await tx
    .update(applications)
    .set({ technicalContactEmail: email, ...changed })
    .where(raw`${isContact(account.email)} and (${applications.accountId} = ${account.id} or ${exists(membership)})`);
  await tx.execute(raw`
    update outbox set recipient = ${email}
    where recipient = ${account.email} and next_attempt_at is not null
      and template not in (select jsonb_array_elements_text(${JSON.stringify(aboutAddress)}::jsonb))`);
  await forget(tx, account.email);
}

/**
 * Deletes the mails to addresses that an account asked for and never proved. What others caused stays: anybody may have
 * asked for a stranger's address.
 */
export async function forgetAskedFor(tx: Database, accountId: string): Promise<void> {
  await tx.execute(raw`
    delete from outbox o using account_tokens t
    where t.account_id = ${accountId} and o.recipient = t.email and o.template = 'email-change-confirm'
      and (o.next_attempt_at is null or sha256(convert_to(o.data->>'token', 'UTF8')) = t.hash)`);
  await tx.execute(raw`
    delete from local_mails m using account_tokens t
    where t.account_id = ${accountId} and m.recipient = t.email
      and not exists (select from accounts a where a.email = t.email and a.id <> ${accountId})`);
}
