import { sql } from "drizzle-orm";
import { check, index, integer, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { accounts } from "./accounts";
import { createdAt, instant } from "./columns";
import { consumers } from "./consumers";
import { merchants } from "./merchants";

/** Who is logged in where. The cookie holds a token; only its SHA-256 is here. */
export const sessions = pgTable(
  "sessions",
  {
    /** SHA-256 of the token, in hex. Safe to show: nobody can go back from it. */
    id: text().primaryKey(),
    accountId: uuid()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    /** The account's password when it logged in. */
    passwordVersion: integer().notNull(),
    /** The consumer that the person looks at; whether they may is asked at each request. */
    consumerId: uuid().references(() => consumers.id, { onDelete: "set null" }),
    /** The same, of the merchants that the person acts for. */
    merchantId: uuid().references(() => merchants.id, { onDelete: "set null" }),
    createdAt: createdAt(),
    /** Exact to the hour. */
    lastUsedAt: instant().notNull(),
    expiresAt: instant().notNull(),
    userAgent: text().notNull(),
    address: text().notNull(),
  },
  (t) => [
    index("sessions_account").on(t.accountId),
    check("sessions_id_is_sha256", sql`${t.id} ~ '^[0-9a-f]{64}$'`),
    check("sessions_at_most_30_days", sql`${t.expiresAt} <= ${t.createdAt} + interval '720 hours'`),
    check("sessions_user_agent", sql`length(${t.userAgent}) <= 300`),
  ],
);
