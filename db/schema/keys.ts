import { sql } from "drizzle-orm";
import { check, index, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { v7 as uuidv7 } from "uuid";
import { accounts } from "./accounts";
import { accountIndex, bytea, createdAt, id, instant } from "./columns";
import { consumers, scopes } from "./consumers";

/**
 * API keys. Only the SHA-256 of a value is here.
 * Rotated keys share a `line`: in it one key is active, and at most one that it took the place of still works ("superseded").
 */
export const keys = pgTable(
  "keys",
  {
    id: id(),
    consumerId: uuid()
      .notNull()
      .references(() => consumers.id, { onDelete: "cascade" }),
    name: text().notNull(),
    hash: bytea().notNull().unique(),
    start: text().notNull(),
    end: text().notNull(),
    scopes: text({ enum: scopes }).array().notNull(),
    expiresAt: instant(),
    /** When the owners were mailed that it expires: they are once. */
    expiryToldAt: instant(),
    createdAt: createdAt(),
    createdBy: uuid().references(() => accounts.id, { onDelete: "set null" }),
    lastUsedAt: instant(),
    /** The form that asked for it: sent again, by a reload, it issues nothing more. */
    attempt: uuid(),
    line: uuid().notNull().$defaultFn(uuidv7),
    supersededAt: instant(),
    revokedAt: instant(),
    revokedBy: uuid().references(() => accounts.id, { onDelete: "set null" }),
  },
  (t) => [
    index("keys_consumer").on(t.consumerId, t.createdAt),
    accountIndex("keys_created_by", t.createdBy),
    accountIndex("keys_revoked_by", t.revokedBy),
    index("keys_expiring").on(t.expiresAt).where(sql`revoked_at is null and expiry_told_at is null`),
    uniqueIndex("keys_one_an_attempt").on(t.consumerId, t.attempt).where(sql`attempt is not null`),
    uniqueIndex("keys_one_active").on(t.line).where(sql`revoked_at is null and superseded_at is null`),
    uniqueIndex("keys_one_superseded").on(t.line).where(sql`revoked_at is null and superseded_at is not null`),
    check("keys_hash_is_sha256", sql`octet_length(${t.hash}) = 32`),
    check("keys_name", sql`length(${t.name}) between 1 and 100`),
  ],
);
