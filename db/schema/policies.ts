import { sql } from "drizzle-orm";
import { check, index, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { id, instant, tsvector } from "./columns";
import { stores } from "./merchants";

/** A store's policies and FAQ, a question each. */
export const policies = pgTable(
  "policies",
  {
    id: id(),
    storeId: uuid()
      .notNull()
      .references(() => stores.id, { onDelete: "cascade" }),
    question: text().notNull(),
    answer: text().notNull(),
    policyType: text({ enum: ["shipping", "returns", "payment", "warranty", "privacy", "faq", "other"] }).notNull(),
    sourceUrl: text(),
    updatedAt: instant().notNull(),
    /** Question (A), type (B), answer (C), in the normal form of server/services/fold.ts as far as PostgreSQL has it. */
    search: tsvector()
      .notNull()
      .generatedAlwaysAs(
        sql`setweight(to_tsvector('aisle', folded(question)), 'A') || setweight(to_tsvector('aisle', policy_type), 'B') || setweight(to_tsvector('aisle', folded(answer)), 'C')`,
      ),
  },
  (t) => [
    index("policies_store").on(t.storeId),
    check("policies_type", sql`${t.policyType} in ('shipping','returns','payment','warranty','privacy','faq','other')`),
  ],
);
