import { sql } from "drizzle-orm";
import { bigint, index, integer, pgTable, primaryKey, smallint, text, uuid, varchar } from "drizzle-orm/pg-core";
import { bytea, instant } from "./columns";

/**
 * One row for each counted request, written before its answer leaves (decisions 2). Partitioned by day (`at`, UTC).
 * No foreign keys: a row outlives the key, the store and the person, and the hot path pays for no look-up.
 */
export const usageEvents = pgTable(
  "usage_events",
  {
    requestId: uuid().notNull(),
    at: instant().notNull(),
    consumerId: uuid().notNull(),
    keyId: uuid(),
    accountId: uuid(),
    endpoint: text({ enum: ["api", "directory", "playground"] }).notNull(),
    method: text().notNull(),
    tool: text(),
    storeId: uuid(),
    status: smallint().notNull(),
    errorCode: text(),
    latencyUs: integer().notNull(),
    requestBytes: integer().notNull(),
    responseBytes: integer().notNull(),
    clientName: text(),
    locale: text(),
    country: text(),
    region: text(),
    city: text(),
    sessionHash: bytea(),
    subjectHash: bytea(),
    /** What the call named in that store, as it was named: products or variants, unknown ones too. */
    productIds: text().array(),
  },
  (t) => [
    primaryKey({ columns: [t.at, t.requestId] }),
    index("usage_events_consumer").on(t.consumerId, t.at),
    // What was read of a store, for its merchant.
    index("usage_events_store")
      .on(t.storeId, t.consumerId, t.at)
      .where(sql`${t.storeId} is not null and ${t.errorCode} is null`),
  ],
);

/** The table of rate-limiter-flexible: `expire` in ms since the epoch. Keys are hashes or ids, never user input. */
export const rateLimits = pgTable("rate_limits", {
  key: varchar({ length: 255 }).primaryKey(),
  points: integer().notNull().default(0),
  expire: bigint({ mode: "number" }),
});
