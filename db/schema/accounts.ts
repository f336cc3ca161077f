import { sql } from "drizzle-orm";
import { boolean, check, pgTable, text } from "drizzle-orm/pg-core";
import { createdAt, id, instant } from "./columns";

/** A person who signs in (specification 2.6, 3.1). `email` is stored normalised (trimmed, lower case). */
export const accounts = pgTable(
  "accounts",
  {
    id: id(),
    name: text().notNull(),
    email: text().notNull().unique(),
    passwordHash: text().notNull(),
    emailVerifiedAt: instant(),
    isOperator: boolean().notNull().default(false),
    createdAt: createdAt(),
  },
  (t) => [
    check("accounts_email_normalised", sql`${t.email} = lower(btrim(${t.email})) and position('@' in ${t.email}) > 1`),
  ],
);
