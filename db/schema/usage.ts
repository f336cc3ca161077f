import { sql } from "drizzle-orm";
import {
  bigint,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uuid,
  varchar,
} from "drizzle-orm/pg-core";
import { bytea, instant, oneOf } from "./columns";

const endpoint = () => text({ enum: ["api", "directory", "playground"] }).notNull();

/**
 * One row for each counted request, written before its answer leaves or right after. Partitioned by day (`at`, UTC).
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
    endpoint: endpoint(),
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
    // Failures are few and are what people look for.
    index("usage_events_failed").on(t.consumerId, t.at).where(sql`error_code is not null`),
    index("usage_events_failed_at").on(t.at).where(sql`error_code is not null`),
    // What somebody did in the Playground, for their own data: calls by key have no account.
    index("usage_events_account").on(t.accountId, t.at).where(sql`account_id is not null`),
    index("usage_events_faults").on(t.at).where(sql`status >= 500`),
  ],
);

/**
 * What was asked and, where it was refused, what was said: for the consumer's own members, for 7 days. Secrets and
 * over-long values are cut before they come here. Partitioned by day (`at`, UTC), so that forgetting is a drop.
 */
export const requestArguments = pgTable(
  "request_arguments",
  {
    requestId: uuid().notNull(),
    at: instant().notNull(),
    consumerId: uuid().notNull(),
    arguments: jsonb(),
    problem: text(),
  },
  (t) => [primaryKey({ columns: [t.at, t.requestId] })],
);

/**
 * Requests that are on disk before they are answered, and have no row in `usage_events` yet: it follows in a moment, with the
 * statement that takes them from here (decision 0052). Each row has those that one statement admitted, all of the endpoint `api`.
 */
export const usageBegun = pgTable(
  "usage_begun",
  {
    id: uuid().primaryKey(),
    at: instant().notNull(),
    requestIds: uuid().array().notNull(),
    /** When each came; a release before wrote down only when they began. */
    times: instant().array().notNull().default([]),
    keyIds: uuid().array().notNull(),
    /** The method of each and, after a space, the tool that it calls. */
    called: text().array().notNull(),
  },
  (t) => [
    check(
      "usage_begun_lengths",
      sql`cardinality(${t.keyIds}) = cardinality(${t.requestIds}) and cardinality(${t.called}) = cardinality(${t.requestIds})
        and cardinality(${t.times}) in (0, cardinality(${t.requestIds}))`,
    ),
  ],
);

/**
 * What is not counted yet: written with the event, taken away by the statement that counts it, so that each event is either
 * here or in the figures. `times` > 1 stands for refusals alike that have no row of their own in the log.
 */
export const usagePending = pgTable("usage_pending", {
  at: instant().notNull(),
  consumerId: uuid().notNull(),
  keyId: uuid(),
  endpoint: endpoint(),
  method: text().notNull(),
  tool: text(),
  storeId: uuid(),
  status: smallint().notNull(),
  errorCode: text(),
  latencyUs: integer().notNull(),
  clientName: text(),
  locale: text(),
  times: integer().notNull().default(1),
});

/** What is kept of calls that are alike. */
const counted = {
  consumerId: uuid().notNull(),
  at: instant().notNull(),
  dimension: text({ enum: ["all", "tool", "store", "key", "client", "locale", "error", "consumer"] }).notNull(),
  /** Empty for `all`, and where the request did not say. */
  value: text().notNull(),
  calls: bigint({ mode: "number" }).notNull(),
  errors: bigint({ mode: "number" }).notNull(),
  refused: bigint({ mode: "number" }).notNull(),
  buckets: smallint().array().notNull(),
  counts: bigint({ mode: "number" }).array().notNull(),
};

/** What `usage_rollups` does not have yet: usage of minutes that are not over, and what came late for others. */
export const usageRecent = pgTable("usage_recent", counted, (t) => [
  primaryKey({ columns: [t.at, t.consumerId, t.dimension, t.value] }),
  check("usage_recent_counts", sql`cardinality(${t.buckets}) = cardinality(${t.counts})`),
  check("usage_recent_parts", sql`${t.errors} >= 0 and ${t.refused} >= 0 and ${t.calls} >= ${t.errors} + ${t.refused}`),
]);

const grains = ["minute", "hour", "day"] as const;

/**
 * Usage by minute, hour and day (UTC), in total and by one dimension at a time. The consumer whose id is all zeros is all of them.
 * `buckets` and `counts` are a histogram of latency, refusals left out: bucket b begins at 64 µs · 2^(b/8). A bucket may
 * come more than once; its counts are added.
 */
export const usageRollups = pgTable("usage_rollups", { ...counted, grain: text({ enum: grains }).notNull() }, (t) => [
  primaryKey({ columns: [t.consumerId, t.grain, t.at, t.dimension, t.value] }),
  index("usage_rollups_age").on(t.grain, t.at),
  oneOf("usage_rollups_grain", t.grain, grains),
  check("usage_rollups_counts", sql`cardinality(${t.buckets}) = cardinality(${t.counts})`),
  check(
    "usage_rollups_parts",
    sql`${t.errors} >= 0 and ${t.refused} >= 0 and ${t.calls} >= ${t.errors} + ${t.refused}`,
  ),
]);

/** Internal errors by request id, for support: what the log has too, where the log is not at hand. Kept 30 days. */
export const failures = pgTable(
  "failures",
  {
    requestId: uuid().primaryKey(),
    at: instant().notNull(),
    /** Which way in: `mcp`, or the path of a page or procedure, without its query. */
    door: text().notNull(),
    consumerId: uuid(),
    name: text().notNull(),
    message: text().notNull(),
    stack: text(),
  },
  (t) => [index("failures_at").on(t.at)],
);

/** The table of rate-limiter-flexible: `expire` in ms since the epoch. Keys are hashes or ids, never user input. */
export const rateLimits = pgTable("rate_limits", {
  key: varchar({ length: 255 }).primaryKey(),
  points: integer().notNull().default(0),
  expire: bigint({ mode: "number" }),
});
