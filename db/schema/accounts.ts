import { sql } from "drizzle-orm";
import { boolean, check, index, integer, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { bytea, createdAt, id, instant, oneOf } from "./columns";

/**
 * A person who signs in. `email` is stored normalised (trimmed, lower case).
 * While the address is unverified, name and password are those of the latest sign-up, and open nothing.
 */
export const accounts = pgTable(
  "accounts",
  {
    id: id(),
    name: text().notNull(),
    email: text().notNull().unique(),
    passwordHash: text().notNull(),
    /** Counts passwords: a session holds only with the one it was opened with. */
    passwordVersion: integer().notNull().default(1),
    /** SHA-256 of what the browser that signed up was given; null once the address is verified. */
    signUpProof: bytea(),
    emailVerifiedAt: instant(),
    isOperator: boolean().notNull().default(false),
    createdAt: createdAt(),
  },
  (t) => [
    check("accounts_email_normalised", sql`${t.email} = lower(btrim(${t.email})) and position('@' in ${t.email}) > 1`),
    check(
      "accounts_sign_up_proof",
      sql`${t.signUpProof} is null or (octet_length(${t.signUpProof}) = 32 and ${t.emailVerifiedAt} is null)`,
    ),
  ],
);

/**
 * An authenticator app, whose code a log-in asks for besides the password (TOTP, RFC 6238). Until it is enabled it is being
 * set up, and asks for nothing.
 */
export const secondFactors = pgTable("second_factors", {
  accountId: uuid()
    .primaryKey()
    .references(() => accounts.id, { onDelete: "cascade" }),
  /** What the app shares with us, sealed (`services/sealing.ts`). */
  secret: bytea().notNull(),
  createdAt: createdAt(),
  enabledAt: instant(),
  /** The 30-second step of the last code that was accepted: none is accepted twice. */
  lastStep: integer().notNull().default(0),
});

/** For who has lost the app: each works once, and is gone then. Only its SHA-256 is here. */
export const recoveryCodes = pgTable(
  "recovery_codes",
  {
    accountId: uuid()
      .notNull()
      .references(() => secondFactors.accountId, { onDelete: "cascade" }),
    hash: bytea().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.accountId, t.hash] }),
    check("recovery_codes_hash_is_sha256", sql`octet_length(${t.hash}) = 32`),
  ],
);

const purposes = ["verify", "reset", "change_email", "log_in"] as const;

/**
 * What a link in a mail stands for, or a log-in that waits for its code. Only the SHA-256 of its token is here; it works
 * once, for one purpose.
 */
export const accountTokens = pgTable(
  "account_tokens",
  {
    hash: bytea().primaryKey(),
    accountId: uuid()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    purpose: text({ enum: purposes }).notNull(),
    /** The address that the link was sent to, and proves; of a log-in, the account's. */
    email: text().notNull(),
    createdAt: createdAt(),
    expiresAt: instant().notNull(),
    /** Used, or void because another link or act made it pointless. */
    usedAt: instant(),
  },
  (t) => [
    index("account_tokens_account").on(t.accountId),
    check("account_tokens_hash_is_sha256", sql`octet_length(${t.hash}) = 32`),
    oneOf("account_tokens_purpose", t.purpose, purposes),
  ],
);
