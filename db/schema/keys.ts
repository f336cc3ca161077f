import { sql } from "drizzle-orm";
import { type AnyPgColumn, check, index, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { accounts } from "./accounts";
import { bytea, createdAt, id, instant } from "./columns";
import { consumers } from "./consumers";

/**
 * API keys (decisions 3). Only the SHA-256 of a value is here.
 * `rotatedFrom` marks the key that this one took the place of: while both live, the old one is "superseded".
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
    scopes: text().array().notNull(),
    expiresAt: instant(),
    createdAt: createdAt(),
    createdBy: uuid().references(() => accounts.id, { onDelete: "set null" }),
    lastUsedAt: instant(),
    rotatedFrom: uuid().references((): AnyPgColumn => keys.id, { onDelete: "set null" }),
    supersededAt: instant(),
    revokedAt: instant(),
    revokedBy: uuid().references(() => accounts.id, { onDelete: "set null" }),
  },
  (t) => [
    index("keys_consumer").on(t.consumerId, t.createdAt),
    // A key is rotated into at most one successor.
    uniqueIndex("keys_one_successor").on(t.rotatedFrom),
    check("keys_hash_is_sha256", sql`octet_length(${t.hash}) = 32`),
    check("keys_name", sql`length(${t.name}) between 1 and 100`),
  ],
);
