import { sql } from "drizzle-orm";
import { index, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { id, instant, oneOf, tsvector } from "./columns";
import { stores } from "./merchants";

const types = ["shipping", "returns", "payment", "warranty", "privacy", "faq", "other"] as const;

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
    policyType: text({ enum: types }).notNull(),
    sourceUrl: text(),
    updatedAt: instant().notNull(),
    /** Question (A), type (B), answer (C), in the normal form of server/services/fold.ts as far as PostgreSQL has it. */
    search: tsvector()
      .notNull()
      .generatedAlwaysAs(
        sql`setweight(to_tsvector('aisle', folded(question)), 'A') || setweight(to_tsvector('aisle', policy_type), 'B') || setweight(to_tsvector('aisle', folded(answer)), 'C')`,
      ),
  },
  (t) => [index("policies_store").on(t.storeId), oneOf("policies_type", t.policyType, types)],
);
