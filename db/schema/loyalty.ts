import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  integer,
  numeric,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { id } from "./columns";
import { stores } from "./merchants";

export const loyaltyPrograms = pgTable(
  "loyalty_programs",
  {
    id: id(),
    storeId: uuid()
      .notNull()
      .references(() => stores.id, { onDelete: "cascade" }),
    name: text().notNull(),
    description: text().notNull(),
    termsUrl: text().notNull(),
    isPrimary: boolean().notNull(),
  },
  (t) => [
    unique("loyalty_programs_name").on(t.storeId, t.name),
    uniqueIndex("loyalty_programs_one_primary").on(t.storeId).where(sql`${t.isPrimary}`),
  ],
);

export const loyaltyTiers = pgTable(
  "loyalty_tiers",
  {
    programId: uuid()
      .notNull()
      .references(() => loyaltyPrograms.id, { onDelete: "cascade" }),
    name: text().notNull(),
    thresholdPoints: integer().notNull(),
    perks: text().array().notNull(),
    /** What a member of this tier earns, as a factor of the rule's points. */
    multiplier: numeric({ precision: 6, scale: 3, mode: "number" }).notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.programId, t.thresholdPoints] }),
    unique("loyalty_tiers_name").on(t.programId, t.name),
    check("loyalty_tiers_numbers", sql`${t.thresholdPoints} >= 0 and ${t.multiplier} > 0`),
  ],
);

/** How points are earned: the first rule, by position, that fits a product is the one that counts. */
export const loyaltyEarningRules = pgTable(
  "loyalty_earning_rules",
  {
    programId: uuid()
      .notNull()
      .references(() => loyaltyPrograms.id, { onDelete: "cascade" }),
    position: integer().notNull(),
    basis: text().notNull(),
    /** Points for one major unit of the store's currency. */
    pointsPerUnit: numeric({ precision: 10, scale: 3, mode: "number" }).notNull(),
    /** Added once for each item bought. */
    bonusPoints: integer().notNull().default(0),
    productType: text().array(),
    brand: text(),
  },
  (t) => [
    primaryKey({ columns: [t.programId, t.position] }),
    check("loyalty_earning_rules_points", sql`${t.pointsPerUnit} >= 0 and ${t.bonusPoints} >= 0`),
  ],
);
