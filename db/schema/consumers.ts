import { sql } from "drizzle-orm";
import { boolean, check, date, index, integer, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { accounts } from "./accounts";
import { accountIndex, allOf, called, createdAt, id, instant, oneOf } from "./columns";

export const scopes = ["catalog:read", "offers:read", "promotions:read", "loyalty:read", "inventory:read"] as const;
const unrevoked = ["under_review", "sandbox", "production_requested", "production"] as const;
const states = [...unrevoked, "revoked"] as const;
const coverages = ["default_on", "explicit"] as const;
const roles = ["owner", "developer", "reviewer"] as const;
const approvalRules = ["automatic_all", "automatic_domain", "manual"] as const;

/**
 * A platform's record: access, limits, coverage.
 * `state` is the one source of where it stands; `tier` follows from it, so the two cannot disagree.
 * A revoked consumer remembers in `revokedFrom` what it was, so that an operator can restore it.
 */
export const consumers = pgTable(
  "consumers",
  {
    id: id(),
    slug: text().notNull().unique(),
    name: called().notNull(),
    state: text({ enum: states }).notNull(),
    revokedFrom: text({ enum: unrevoked }),
    tier: text({ enum: ["sandbox", "production"] })
      .notNull()
      .generatedAlwaysAs(
        sql`case when coalesce(revoked_from, state) = 'production' then 'production' else 'sandbox' end`,
      ),
    coverage: text({ enum: coverages }).notNull().default("default_on"),
    scopes: text({ enum: scopes }).array().notNull(),
    /** Requests per minute over all keys together. */
    rateLimit: integer().notNull(),
    maxKeys: integer().notNull(),
    utmSource: text().unique(),
    directorySlug: text().unique(),
    termsVersion: date({ mode: "string" }),
    decisionReason: text(),
    decidedAt: instant(),
    /** When `state` last changed: who waits, waits since then. */
    stateSince: createdAt(),
    /** Counts changes, so that a decision about an earlier version is recognised. */
    version: integer().notNull().default(1),
    /** The first successful tool call ever; set with the usage rollups, so it outlives the log. */
    firstCallAt: instant(),
    createdAt: createdAt(),
  },
  (t) => [
    // Lists of platforms by name, a page at a time.
    index("consumers_name").on(t.name, t.slug),
    index("consumers_waiting").on(t.stateSince, t.id).where(sql`${t.state} in ('under_review','production_requested')`),
    oneOf("consumers_state", t.state, states),
    check(
      "consumers_revoked_from",
      sql`(${t.state} = 'revoked') = (${t.revokedFrom} is not null) and ${t.revokedFrom} <> 'revoked'`,
    ),
    oneOf("consumers_coverage", t.coverage, coverages),
    check("consumers_slug", sql`${t.slug} ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(${t.slug}) <= 63`),
    check(
      "consumers_directory_slug",
      sql`${t.directorySlug} ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(${t.directorySlug}) <= 63`,
    ),
    check("consumers_production_has_utm_source", sql`${t.state} <> 'production' or ${t.utmSource} is not null`),
    check("consumers_limits", sql`${t.rateLimit} between 1 and 1000000 and ${t.maxKeys} between 0 and 1000`),
    allOf("consumers_scopes", t.scopes, scopes),
  ],
);

/** Who works for a consumer, and as what. A reviewer's access always ends. */
export const members = pgTable(
  "members",
  {
    consumerId: uuid()
      .notNull()
      .references(() => consumers.id, { onDelete: "cascade" }),
    accountId: uuid()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    role: text({ enum: roles }).notNull(),
    grantedAt: createdAt(),
    endsAt: instant(),
  },
  (t) => [
    primaryKey({ columns: [t.consumerId, t.accountId] }),
    index("members_account").on(t.accountId),
    oneOf("members_role", t.role, roles),
    check(
      "members_reviewer_ends",
      sql`(${t.role} = 'reviewer') = (${t.endsAt} is not null) and ${t.endsAt} <= ${t.grantedAt} + interval '2160 hours'`,
    ),
  ],
);

/** The application form: one an account, one a consumer. */
export const applications = pgTable("applications", {
  id: id(),
  accountId: uuid()
    .unique()
    .references(() => accounts.id, { onDelete: "set null" }),
  consumerId: uuid()
    .notNull()
    .unique()
    .references(() => consumers.id, { onDelete: "cascade" }),
  productName: text().notNull(),
  company: text().notNull(),
  website: text().notNull(),
  platform: text().notNull(),
  expectedRequestsPerDay: integer().notNull(),
  technicalContactEmail: text().notNull(),
  shopperUse: text().notNull(),
  createdAt: createdAt(),
  updatedAt: createdAt(),
});

/** Published versions of the data-use terms; the current one is the latest. */
export const terms = pgTable(
  "terms",
  {
    version: date({ mode: "string" }).primaryKey(),
    body: text().notNull(),
    publishedAt: createdAt(),
    publishedBy: uuid().references(() => accounts.id, { onDelete: "set null" }),
  },
  (t) => [accountIndex("terms_published_by", t.publishedBy)],
);

export const termsAcceptances = pgTable(
  "terms_acceptances",
  {
    consumerId: uuid()
      .notNull()
      .references(() => consumers.id, { onDelete: "cascade" }),
    version: date({ mode: "string" })
      .notNull()
      .references(() => terms.version),
    accountId: uuid().references(() => accounts.id, { onDelete: "set null" }),
    acceptedAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.consumerId, t.version] }), accountIndex("terms_acceptances_account", t.accountId)],
);

/** What operators set for everybody; one row. */
export const settings = pgTable(
  "settings",
  {
    only: boolean().primaryKey().default(true),
    approvalRule: text({ enum: approvalRules }).notNull().default("automatic_domain"),
    sandboxScopes: text({ enum: scopes })
      .array()
      .notNull()
      .default(["catalog:read", "offers:read", "promotions:read", "loyalty:read"]),
    sandboxRateLimit: integer().notNull().default(60),
    sandboxMaxKeys: integer().notNull().default(2),
    playgroundRateLimit: integer().notNull().default(30),
    /** Counts changes: whoever saves says which version they saw. */
    version: integer().notNull().default(1),
  },
  (t) => [
    check("settings_one_row", sql`${t.only}`),
    oneOf("settings_approval_rule", t.approvalRule, approvalRules),
    check(
      "settings_limits",
      sql`${t.sandboxRateLimit} between 1 and 1000000 and ${t.sandboxMaxKeys} between 0 and 1000 and ${t.playgroundRateLimit} between 1 and 1000000`,
    ),
    allOf("settings_sandbox_scopes", t.sandboxScopes, scopes),
  ],
);
