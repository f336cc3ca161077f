import { sql } from "drizzle-orm";
import { check, index, integer, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { createdAt, id, instant } from "./columns";

/** Every act of every role: who, what, before and after. Insert-only, by a trigger. */
export const audit = pgTable(
  "audit",
  {
    id: id(),
    at: createdAt(),
    actorKind: text().notNull(),
    /** The account, consumer or nothing (the system) that acted. No foreign key: the record outlives the person. */
    actorId: uuid(),
    action: text().notNull(),
    targetKind: text().notNull(),
    targetId: text().notNull(),
    before: jsonb(),
    after: jsonb(),
    requestId: uuid().notNull(),
  },
  // One for each way in which the desk looks: every one of them walks from the newest on, so a page costs a page.
  (t) => [
    index("audit_newest").on(t.at, t.id),
    index("audit_actor").on(t.actorId, t.at, t.id),
    index("audit_actor_kind").on(t.actorKind, t.at, t.id),
    index("audit_action").on(t.action, t.at, t.id),
    index("audit_area").on(sql`split_part(${t.action}, '.', 1)`, t.at, t.id),
    index("audit_target_id").on(t.targetId, t.at, t.id),
    index("audit_target_kind").on(t.targetKind, t.at, t.id),
    index("audit_request").on(t.requestId),
  ],
);

/**
 * Mail to be sent: written in the transaction of its cause, sent afterwards by a job.
 * `data` may hold the token of a link, so it is emptied once the mail is sent or given up.
 */
export const outbox = pgTable(
  "outbox",
  {
    id: id(),
    messageId: text().notNull().unique(),
    recipient: text().notNull(),
    template: text().notNull(),
    data: jsonb().notNull(),
    createdAt: createdAt(),
    sentAt: instant(),
    attempts: integer().notNull().default(0),
    /** Also the lease of whoever is sending it. Null once sent or dead. */
    nextAttemptAt: instant(),
    /** Codes only, never an address. */
    lastError: text(),
    deadAt: instant(),
  },
  (t) => [
    index("outbox_due").on(t.nextAttemptAt).where(sql`next_attempt_at is not null`),
    // How many were given up is asked again and again, and most mails were sent.
    index("outbox_dead").on(t.deadAt).where(sql`dead_at is not null`),
    check(
      "outbox_settled",
      sql`num_nonnulls(${t.nextAttemptAt}, ${t.sentAt}, ${t.deadAt}) = 1 and (${t.nextAttemptAt} is not null or ${t.data} = '{}')`,
    ),
  ],
);

/** What was "sent" where there is no SMTP server: the last 50, for the page /dev/mail. Never written in production. */
export const localMails = pgTable("local_mails", {
  id: id(),
  at: createdAt(),
  recipient: text().notNull(),
  subject: text().notNull(),
  text: text().notNull(),
  html: text().notNull(),
  links: text().array().notNull(),
});
