import { sql } from "drizzle-orm";
import { boolean, check, date, index, integer, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { accounts } from "./accounts";
import { accountIndex, createdAt, id, instant } from "./columns";

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
    name: text().notNull(),
    state: text({ enum: ["under_review", "sandbox", "production_requested", "production", "revoked"] }).notNull(),
    revokedFrom: text({ enum: ["under_review", "sandbox", "production_requested", "production"] }),
    tier: text({ enum: ["sandbox", "production"] })
      .notNull()
      .generatedAlwaysAs(
        sql`case when coalesce(revoked_from, state) = 'production' then 'production' else 'sandbox' end`,
      ),
    coverage: text({ enum: ["default_on", "explicit"] })
      .notNull()
      .default("default_on"),
    scopes: text().array().notNull(),
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
    /** Counts what was changed, so that a decision about an older one can be told from one about this. */
    version: integer().notNull().default(1),
    /** The first successful tool call ever; set with the usage rollups, so it outlives the log. */
    firstCallAt: instant(),
    createdAt: createdAt(),
  },
  (t) => [
    // Lists of platforms by name, a page at a time.
    index("consumers_name").on(t.name, t.slug),
    index("consumers_waiting").on(t.stateSince, t.id).where(sql`${t.state} in ('under_review','production_requested')`),
    check(
      "consumers_state",
      sql`${t.state} in ('under_review','sandbox','production_requested','production','revoked')`,
    ),
    check(
      "consumers_revoked_from",
      sql`(${t.state} = 'revoked') = (${t.revokedFrom} is not null) and ${t.revokedFrom} <> 'revoked'`,
    ),
    check("consumers_coverage", sql`${t.coverage} in ('default_on','explicit')`),
    check("consumers_slug", sql`${t.slug} ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(${t.slug}) <= 63`),
    check(
      "consumers_directory_slug",
      sql`${t.directorySlug} ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(${t.directorySlug}) <= 63`,
    ),
    check("consumers_production_has_utm_source", sql`${t.state} <> 'production' or ${t.utmSource} is not null`),
    check("consumers_limits", sql`${t.rateLimit} between 1 and 1000000 and ${t.maxKeys} between 0 and 1000`),
    check(
      "consumers_scopes",
      sql`${t.scopes} <@ array['catalog:read','offers:read','promotions:read','loyalty:read','inventory:read']`,
    ),
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
    role: text({ enum: ["owner", "developer", "reviewer"] }).notNull(),
    grantedAt: createdAt(),
    endsAt: instant(),
  },
  (t) => [
    primaryKey({ columns: [t.consumerId, t.accountId] }),
    index("members_account").on(t.accountId),
    check("members_role", sql`${t.role} in ('owner','developer','reviewer')`),
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
    approvalRule: text({ enum: ["automatic_all", "automatic_domain", "manual"] })
      .notNull()
      .default("automatic_domain"),
    sandboxScopes: text().array().notNull().default(["catalog:read", "offers:read", "promotions:read", "loyalty:read"]),
    sandboxRateLimit: integer().notNull().default(60),
    sandboxMaxKeys: integer().notNull().default(2),
    playgroundRateLimit: integer().notNull().default(30),
    /** Counts changes: who saves says which one they saw. */
    version: integer().notNull().default(1),
  },
  (t) => [
    check("settings_one_row", sql`${t.only}`),
    check("settings_approval_rule", sql`${t.approvalRule} in ('automatic_all','automatic_domain','manual')`),
    check(
      "settings_limits",
      sql`${t.sandboxRateLimit} between 1 and 1000000 and ${t.sandboxMaxKeys} between 0 and 1000 and ${t.playgroundRateLimit} between 1 and 1000000`,
    ),
    check(
      "settings_sandbox_scopes",
      sql`${t.sandboxScopes} <@ array['catalog:read','offers:read','promotions:read','loyalty:read','inventory:read']`,
    ),
  ],
);
