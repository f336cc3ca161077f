import { sql } from "drizzle-orm";
import { bigint, boolean, char, check, index, integer, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { instant } from "./columns";
import { stores } from "./merchants";

/** Google Merchant promotions, a row each. Amounts in minor units of `currency`. */
export const promotions = pgTable(
  "promotions",
  {
    storeId: uuid()
      .notNull()
      .references(() => stores.id, { onDelete: "cascade" }),
    promotionId: text().notNull(),
    longTitle: text().notNull(),
    genericRedemptionCode: text(),
    percentOff: integer(),
    moneyOffAmount: bigint({ mode: "number" }),
    freeShipping: boolean().notNull().default(false),
    minimumPurchaseAmount: bigint({ mode: "number" }),
    currency: char({ length: 3 }).notNull(),
    /** Null: all products of the store. */
    productIds: text().array(),
    startsAt: instant().notNull(),
    endsAt: instant().notNull(),
    redemptionChannel: text().array().notNull(),
    finePrint: text(),
    promotionUrl: text(),
    stackable: boolean().notNull().default(false),
  },
  (t) => [
    primaryKey({ columns: [t.storeId, t.promotionId] }),
    index("promotions_store_ends").on(t.storeId, t.endsAt, t.promotionId),
    check("promotions_window", sql`${t.endsAt} > ${t.startsAt}`),
    check("promotions_percent", sql`${t.percentOff} between 1 and 100`),
    check("promotions_money", sql`${t.moneyOffAmount} > 0 and ${t.minimumPurchaseAmount} >= 0`),
    check(
      "promotions_give_something",
      sql`num_nonnulls(${t.percentOff}, ${t.moneyOffAmount}) + ${t.freeShipping}::int >= 1`,
    ),
    check(
      "promotions_channel",
      sql`${t.redemptionChannel} <@ array['online','in_store'] and cardinality(${t.redemptionChannel}) > 0`,
    ),
    check("promotions_product_ids", sql`cardinality(${t.productIds}) > 0`),
  ],
);
