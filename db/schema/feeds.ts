import { sql } from "drizzle-orm";
import {
  type AnyPgColumn,
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { accounts } from "./accounts";
import { accountIndex, bytea, createdAt, id, instant } from "./columns";
import { stores } from "./merchants";

/** A feed file as it came, gzipped unless it was: in the database, so that any instance may load it (decision 0022). */
export const feedFiles = pgTable(
  "feed_files",
  {
    id: id(),
    storeId: uuid()
      .notNull()
      .references(() => stores.id, { onDelete: "cascade" }),
    fileName: text().notNull(),
    /** As stored. */
    bytes: bigint({ mode: "number" }).notNull().default(0),
    /** SHA-256 of what came. */
    digest: bytea(),
    createdAt: createdAt(),
    /** When the last of it had come; null while it comes in. */
    receivedAt: instant(),
    /** While it comes in: nobody takes it in any more after that. */
    leaseUntil: instant(),
    /** Whether it comes from the store's feed address, not from a person. */
    isFetched: boolean().notNull().default(false),
  },
  (t) => [
    index("feed_files_store").on(t.storeId),
    uniqueIndex("feed_files_one_coming").on(t.storeId).where(sql`${t.receivedAt} is null`),
    check("feed_files_whole", sql`(${t.receivedAt} is null) = (${t.digest} is null)`),
  ],
);

export const feedFileParts = pgTable(
  "feed_file_parts",
  {
    fileId: uuid()
      .notNull()
      .references(() => feedFiles.id, { onDelete: "cascade" }),
    /** From 0. */
    part: integer().notNull(),
    data: bytea().notNull(),
  },
  (t) => [primaryKey({ columns: [t.fileId, t.part] })],
);

/** One load of a feed into a store: asked for, under way, over; what came, what was refused and why. */
export const feedLoads = pgTable(
  "feed_loads",
  {
    id: uuid().primaryKey(),
    storeId: uuid()
      .notNull()
      .references(() => stores.id, { onDelete: "cascade" }),
    fileName: text().notNull(),
    format: text().notNull(),
    /** `failed`: our fault, or the server died over it again and again. Nothing of it is stored, as with `refused`. */
    outcome: text({ enum: ["waiting", "loading", "loaded", "refused", "failed"] }).notNull(),
    source: text({ enum: ["upload", "url", "restore", "import"] })
      .notNull()
      .default("import"),
    /** The load whose file it brings back. */
    restores: uuid().references((): AnyPgColumn => feedLoads.id, { onDelete: "set null" }),
    /** Null once the file is no longer kept. */
    fileId: uuid().references(() => feedFiles.id, { onDelete: "set null" }),
    requestedBy: uuid().references(() => accounts.id, { onDelete: "set null" }),
    requestedAt: createdAt(),
    /** Rows found so far, while it is under way. */
    rows: integer().notNull(),
    /** Of the file as stored. */
    bytesRead: bigint({ mode: "number" }).notNull().default(0),
    loaded: integer().notNull(),
    products: integer().notNull().default(0),
    rejected: integer().notNull(),
    warnings: integer().notNull().default(0),
    vanished: integer().notNull(),
    /** The first 1,000, errors before warnings: line, field, value, reason. */
    issues: jsonb().notNull().default([]),
    /** Why nothing was loaded, for the merchant. */
    refusal: text(),
    attempts: smallint().notNull().default(0),
    /** Whoever loads it renews this; once it has passed, they are gone, and another may begin anew. */
    leaseUntil: instant(),
    /** The last variant there was before it: what has greater ids came with it or later. */
    lastVariantRef: bigint({ mode: "number" }),
    /** How its file was read (`READ_VERSION`); null where a release before such numbers did it. */
    readVersion: integer(),
    startedAt: instant(),
    finishedAt: instant(),
  },
  (t) => [
    index("feed_loads_history").on(t.storeId, t.id),
    /** What a store shows: the last that was loaded. */
    index("feed_loads_loaded").on(t.storeId, t.finishedAt).where(sql`${t.outcome} = 'loaded'`),
    index("feed_loads_due").on(t.requestedAt).where(sql`${t.outcome} in ('waiting', 'loading')`),
    uniqueIndex("feed_loads_one_at_a_time").on(t.storeId).where(sql`${t.outcome} in ('waiting', 'loading')`),
    accountIndex("feed_loads_requested_by", t.requestedBy),
    /** What is forgotten once it is old. */
    index("feed_loads_issues").on(t.finishedAt).where(sql`${t.issues} <> '[]'`),
    index("feed_loads_file").on(t.fileId).where(sql`${t.fileId} is not null`),
    check("feed_loads_outcome", sql`${t.outcome} in ('waiting', 'loading', 'loaded', 'refused', 'failed')`),
    check("feed_loads_source", sql`${t.source} in ('upload', 'url', 'restore', 'import')`),
    check("feed_loads_finished", sql`(${t.finishedAt} is null) = (${t.outcome} in ('waiting', 'loading'))`),
  ],
);

/** Where a store's feed is fetched from, once a day. */
export const feedSources = pgTable(
  "feed_sources",
  {
    storeId: uuid()
      .primaryKey()
      .references(() => stores.id, { onDelete: "cascade" }),
    url: text().notNull(),
    /** Null: off, after too many failures. */
    nextFetchAt: instant(),
    /** Null unless somebody is fetching it now. */
    leaseUntil: instant(),
    /** Somebody pressed the button: fetched whole, even if it has not changed. */
    isForced: boolean().notNull().default(false),
    etag: text(),
    lastModified: text(),
    /** SHA-256 of the file that was fetched last. */
    digest: bytea(),
    lastFetchAt: instant(),
    lastOutcome: text({ enum: ["fetched", "unchanged", "failed"] }),
    /** For the merchant: what went wrong the last time. */
    lastError: text(),
    /** In a row. */
    failures: integer().notNull().default(0),
    createdBy: uuid().references(() => accounts.id, { onDelete: "set null" }),
    createdAt: createdAt(),
  },
  (t) => [
    accountIndex("feed_sources_created_by", t.createdBy),
    index("feed_sources_due").on(t.nextFetchAt).where(sql`${t.nextFetchAt} is not null`),
    check("feed_sources_url", sql`${t.url} ~ '^https?://' and length(${t.url}) <= 2000`),
    check("feed_sources_outcome", sql`${t.lastOutcome} in ('fetched', 'unchanged', 'failed')`),
  ],
);
