import { sql } from "drizzle-orm";
import {
  boolean,
  char,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { accounts } from "./accounts";
import { accountIndex, bytea, called, createdAt, id, instant, oneOf } from "./columns";
import { consumers } from "./consumers";

const digests = ["daily", "weekly", "off"] as const;

export const merchants = pgTable(
  "merchants",
  {
    id: id(),
    name: called().notNull(),
    /** How often its people are mailed what is new. */
    digest: text({ enum: digests }).notNull().default("daily"),
    createdAt: createdAt(),
  },
  (t) => [
    index("merchants_name").on(t.name, t.id),
    index("merchants_sought").using("gin", t.name.op("gin_trgm_ops")),
    oneOf("merchants_digest", t.digest, digests),
  ],
);

export const merchantMembers = pgTable(
  "merchant_members",
  {
    merchantId: uuid()
      .notNull()
      .references(() => merchants.id, { onDelete: "cascade" }),
    accountId: uuid()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    grantedAt: createdAt(),
    /** Whether this person gets the merchant's digest; one click in each of them ends it. */
    digest: boolean().notNull().default(true),
  },
  (t) => [primaryKey({ columns: [t.merchantId, t.accountId] }), index("merchant_members_account").on(t.accountId)],
);

/**
 * A link by which somebody becomes one of a merchant's people. Only the SHA-256 of its token is here; it works once, for
 * the account with this very address. At most one per address and merchant is waiting.
 */
export const merchantInvitations = pgTable(
  "merchant_invitations",
  {
    id: id(),
    merchantId: uuid()
      .notNull()
      .references(() => merchants.id, { onDelete: "cascade" }),
    email: text().notNull(),
    hash: bytea().notNull().unique(),
    createdAt: createdAt(),
    createdBy: uuid().references(() => accounts.id, { onDelete: "set null" }),
    expiresAt: instant().notNull(),
    acceptedAt: instant(),
    withdrawnAt: instant(),
  },
  (t) => [
    uniqueIndex("merchant_invitations_waiting")
      .on(t.merchantId, t.email)
      .where(sql`accepted_at is null and withdrawn_at is null`),
    index("merchant_invitations_email").on(t.email),
    accountIndex("merchant_invitations_created_by", t.createdBy),
    check(
      "merchant_invitations_email_normalised",
      sql`${t.email} = lower(btrim(${t.email})) and position('@' in ${t.email}) > 1`,
    ),
    check("merchant_invitations_hash_is_sha256", sql`octet_length(${t.hash}) = 32`),
    check("merchant_invitations_settled_once", sql`num_nonnulls(${t.acceptedAt}, ${t.withdrawnAt}) <= 1`),
  ],
);

export interface PostalAddress {
  street_address?: string;
  address_locality?: string;
  address_region?: string;
  postal_code?: string;
  address_country?: string;
}
export interface ReturnPolicy {
  return_window_days?: number;
  fees?: string;
  method?: string;
  url?: string;
}

/** A merchant's shop. `aiDiscovery` is the merchant's switch: may agents read it at all. */
export const stores = pgTable(
  "stores",
  {
    id: id(),
    merchantId: uuid()
      .notNull()
      .references(() => merchants.id),
    slug: text().notNull().unique(),
    name: called().notNull(),
    isDemo: boolean().notNull().default(false),
    aiDiscovery: boolean().notNull().default(true),
    legalName: text(),
    url: text().notNull(),
    logo: text(),
    description: text(),
    address: jsonb().$type<PostalAddress>(),
    country: char({ length: 2 }).notNull(),
    currency: char({ length: 3 }).notNull(),
    currencies: text().array().notNull(),
    languages: text().array().notNull().default([]),
    contactPoint: jsonb().$type<{ email?: string; phone?: string; url?: string }>(),
    openingHours: jsonb().$type<{ day: string; opens: string; closes: string }[]>().notNull().default([]),
    paymentAccepted: text().array().notNull().default([]),
    shippingPolicy: text(),
    returnPolicy: jsonb().$type<ReturnPolicy>(),
    links: jsonb().$type<{ type: string; url: string }[]>().notNull().default([]),
    categories: text().array().notNull().default([]),
    /** Whether somebody stated them; otherwise each load takes them from its products (decision 0042). */
    categoriesStated: boolean().notNull().default(false),
    /** Products that agents can find: neither excluded nor vanished. Kept by `feeds/leave.ts` and a trigger. */
    productCount: integer().notNull().default(0),
    /** How its products' words are indexed: where it is below `INDEX_VERSION`, a job indexes them anew. */
    indexVersion: smallint().notNull().default(12),
    /** The languages besides English that its products are indexed in (decision 0043); a trigger lists them in `search_languages`. */
    indexLanguages: text().array().notNull().default([]),
    /** Whether its products are written in Arabic, which is no language of the index: as each load finds it. */
    writesArabic: boolean().notNull().default(false),
    createdAt: createdAt(),
    updatedAt: createdAt(),
    /** All that agents are told of it but its capabilities: the JSON of get_store_info up to its last brace (decision 0032). */
    info: text()
      .notNull()
      .generatedAlwaysAs(
        sql`store_info(id, name, legal_name, url, logo, description, address, country, currencies, coalesce(nullif(languages, '{}'), case when writes_arabic then index_languages || '{ar}'::text[] else index_languages end), contact_point, opening_hours, payment_accepted, shipping_policy, return_policy, links, categories, is_demo, updated_at)`,
      ),
  },
  (t) => [
    uniqueIndex("stores_one_demo").on(t.isDemo).where(sql`${t.isDemo}`),
    index("stores_merchant").on(t.merchantId),
    // By name, with all that says who may read it: lists and counts never touch the table.
    index("stores_by_name").on(t.name, t.id, t.isDemo, t.aiDiscovery, t.country),
    // By any part of these: the operators' register, and the lists of coverage.
    index("stores_sought").using("gin", t.name.op("gin_trgm_ops"), t.slug.op("gin_trgm_ops"), t.url.op("gin_trgm_ops")),
    check("stores_slug", sql`${t.slug} ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(${t.slug}) <= 63`),
    check("stores_country", sql`${t.country} ~ '^[A-Z]{2}$'`),
    check("stores_currency", sql`${t.currency} ~ '^[A-Z]{3}$' and ${t.currency} = any(${t.currencies})`),
    check("stores_url", sql`${t.url} ~ '^https?://'`),
  ],
);

/** A merchant's no to one platform. */
export const blocks = pgTable(
  "blocks",
  {
    consumerId: uuid()
      .notNull()
      .references(() => consumers.id, { onDelete: "cascade" }),
    storeId: uuid()
      .notNull()
      .references(() => stores.id, { onDelete: "cascade" }),
    createdAt: createdAt(),
    createdBy: uuid().references(() => accounts.id, { onDelete: "set null" }),
  },
  (t) => [
    primaryKey({ columns: [t.consumerId, t.storeId] }),
    index("blocks_store").on(t.storeId, t.consumerId),
    accountIndex("blocks_created_by", t.createdBy),
  ],
);

/** A merchant's yes to one platform, for consumers whose coverage is explicit. */
export const grants = pgTable(
  "grants",
  {
    consumerId: uuid()
      .notNull()
      .references(() => consumers.id, { onDelete: "cascade" }),
    storeId: uuid()
      .notNull()
      .references(() => stores.id, { onDelete: "cascade" }),
    createdAt: createdAt(),
    createdBy: uuid().references(() => accounts.id, { onDelete: "set null" }),
  },
  (t) => [
    primaryKey({ columns: [t.consumerId, t.storeId] }),
    index("grants_store").on(t.storeId, t.consumerId),
    accountIndex("grants_created_by", t.createdBy),
  ],
);

/** That a platform went live and can read a store: one a pair, ever, whatever happens in between. */
export const notifications = pgTable(
  "notifications",
  {
    id: id(),
    consumerId: uuid()
      .notNull()
      .references(() => consumers.id, { onDelete: "cascade" }),
    storeId: uuid()
      .notNull()
      .references(() => stores.id, { onDelete: "cascade" }),
    createdAt: createdAt(),
    readAt: instant(),
    /** When a digest mail that holds it was put into the outbox, or when it was passed over: nobody was mailed one. */
    digestedAt: instant(),
  },
  (t) => [
    unique("notifications_once").on(t.consumerId, t.storeId),
    index("notifications_store").on(t.storeId, t.createdAt),
    index("notifications_undigested").on(t.storeId).where(sql`${t.digestedAt} is null`),
  ],
);
