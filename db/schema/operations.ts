import { index, integer, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
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
  (t) => [index("audit_at").on(t.at), index("audit_target").on(t.targetKind, t.targetId, t.at)],
);

/** Mail to be sent: written in the transaction of its cause, sent afterwards by a job. */
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
    nextAttemptAt: instant(),
    lastError: text(),
    deadAt: instant(),
  },
  (t) => [index("outbox_due").on(t.nextAttemptAt)],
);
