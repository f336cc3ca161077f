import { sql } from "drizzle-orm";
import { boolean, check, foreignKey, index, integer, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { instant } from "./columns";
import { stores } from "./merchants";

export const locations = pgTable(
  "locations",
  {
    storeId: uuid()
      .notNull()
      .references(() => stores.id, { onDelete: "cascade" }),
    locationId: text().notNull(),
    name: text().notNull(),
    pickup: boolean().notNull(),
    address: text(),
  },
  (t) => [primaryKey({ columns: [t.storeId, t.locationId] })],
);

/** Pieces of one feed row at one location. `variantId` is the feed's id: levels outlive a variant's absence from the feed. */
export const inventoryLevels = pgTable(
  "inventory_levels",
  {
    storeId: uuid().notNull(),
    variantId: text().notNull(),
    locationId: text().notNull(),
    quantity: integer().notNull(),
    lowStockThreshold: integer().notNull().default(5),
    restockAt: instant(),
    dataAsOf: instant().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.storeId, t.variantId, t.locationId] }),
    foreignKey({
      columns: [t.storeId, t.locationId],
      foreignColumns: [locations.storeId, locations.locationId],
    }).onDelete("cascade"),
    index("inventory_levels_location").on(t.storeId, t.locationId),
    check("inventory_levels_quantity", sql`${t.quantity} >= 0 and ${t.lowStockThreshold} >= 0`),
  ],
);
