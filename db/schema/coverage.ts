import { sql } from "drizzle-orm";
import { bigint, check, index, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { instant, oneOf } from "./columns";
import { consumers } from "./consumers";
import { stores } from "./merchants";

const kinds = ["access", "default_on", "explicit", "discovery", "block", "grant"] as const;

/**
 * Since when, and until when, each thing held that coverage follows from (decision 0020): that a consumer had access, was in
 * production with default-on or explicit coverage, that a store had AI Discovery on, that a store had blocked or granted
 * a consumer. Written by triggers alone, so no act can forget it; an act writes one row, whoever is concerned by it.
 */
export const coveragePeriods = pgTable(
  "coverage_periods",
  {
    id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    kind: text({ enum: kinds }).notNull(),
    consumerId: uuid().references(() => consumers.id, { onDelete: "cascade" }),
    storeId: uuid().references(() => stores.id, { onDelete: "cascade" }),
    began: instant().notNull(),
    /** Null while it lasts. */
    ended: instant(),
  },
  (t) => [
    oneOf("coverage_periods_kind", t.kind, kinds),
    check(
      "coverage_periods_of",
      sql`(${t.consumerId} is null) = (${t.kind} = 'discovery') and (${t.storeId} is null) = (${t.kind} in ('access','default_on','explicit'))`,
    ),
    check("coverage_periods_order", sql`${t.ended} >= ${t.began}`),
    // One at a time of each.
    uniqueIndex("coverage_periods_one_of_consumer")
      .on(t.consumerId, t.kind)
      .where(sql`store_id is null and ended is null`),
    uniqueIndex("coverage_periods_one_of_store").on(t.storeId).where(sql`consumer_id is null and ended is null`),
    uniqueIndex("coverage_periods_one_of_pair")
      .on(t.consumerId, t.storeId, t.kind)
      .where(sql`store_id is not null and consumer_id is not null and ended is null`),
    index("coverage_periods_consumer")
      .on(t.consumerId, t.kind, t.storeId, t.began, t.ended)
      .where(sql`consumer_id is not null`),
    index("coverage_periods_store").on(t.storeId, t.began, t.ended).where(sql`consumer_id is null`),
    /** Where AI Discovery was switched off of late. */
    index("coverage_periods_off").on(t.ended, t.storeId).where(sql`consumer_id is null and ended is not null`),
    /** For when a store is deleted. */
    index("coverage_periods_pairs_of_store").on(t.storeId).where(sql`consumer_id is not null`),
  ],
);
