import { sql } from "drizzle-orm";
import { check, index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { accounts } from "./accounts";
import { bytea, id, instant } from "./columns";
import { consumers } from "./consumers";

/**
 * A one-time address of the client doctor: open for 15 minutes and 20 requests. Only the SHA-256 of its token is here.
 * A person has one for a consumer: opening another takes its place.
 */
export const doctorChecks = pgTable(
  "doctor_checks",
  {
    id: id(),
    consumerId: uuid()
      .notNull()
      .references(() => consumers.id, { onDelete: "cascade" }),
    accountId: uuid()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    tokenHash: bytea().notNull().unique(),
    createdAt: instant().notNull(),
    expiresAt: instant().notNull(),
    requests: integer().notNull().default(0),
  },
  (t) => [
    uniqueIndex("doctor_checks_member").on(t.accountId, t.consumerId),
    index("doctor_checks_expiry").on(t.expiresAt),
    check("doctor_checks_hash_is_sha256", sql`octet_length(${t.tokenHash}) = 32`),
    check("doctor_checks_fifteen_minutes", sql`${t.expiresAt} <= ${t.createdAt} + interval '15 minutes'`),
    check("doctor_checks_requests", sql`${t.requests} between 0 and 20`),
  ],
);

/** What a client sent to such an address: what can be told without a secret, and each rule's verdict. */
export const doctorVisits = pgTable(
  "doctor_visits",
  {
    /** The request id of the answer. */
    id: uuid().primaryKey(),
    checkId: uuid()
      .notNull()
      .references(() => doctorChecks.id, { onDelete: "cascade" }),
    at: instant().notNull(),
    status: integer().notNull(),
    code: text(),
    arrived: jsonb().notNull(),
    rules: jsonb().notNull(),
  },
  (t) => [index("doctor_visits_check").on(t.checkId, t.at)],
);
