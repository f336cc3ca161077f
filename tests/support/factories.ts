// Each test mints what it needs, unlike any other test's.
import { randomBytes } from "node:crypto";
import { accounts } from "../../db/schema/accounts";
import { applications, consumers, members } from "../../db/schema/consumers";
import { merchantMembers } from "../../db/schema/merchants";
import { type Consumer, scopes } from "../../server/context";
import * as stores from "../../server/services/stores";
import type { TestDatabase } from "./database";

const unique = (prefix: string) => `${prefix}-${randomBytes(5).toString("hex")}`;

export async function makeAccount(database: TestDatabase, given: Partial<typeof accounts.$inferInsert> = {}) {
  const name = unique("person");
  const [account] = await database.db
    .insert(accounts)
    .values({ name, email: `${name}@example.com`, passwordHash: "none", emailVerifiedAt: new Date(), ...given })
    .returning();
  return account!;
}

/** A consumer with its owner and application: in sandbox, with every default, unless told. */
export async function makeConsumer(database: TestDatabase, given: Partial<typeof consumers.$inferInsert> = {}) {
  const slug = unique("platform");
  const [consumer] = await database.db
    .insert(consumers)
    .values({
      slug,
      name: slug,
      state: "sandbox",
      scopes: scopes.filter((scope) => scope !== "inventory:read"),
      rateLimit: 60,
      maxKeys: 2,
      termsVersion: "2026-09-26",
      utmSource: given.state === "production" ? slug : null,
      ...given,
    })
    .returning();
  const owner = await makeAccount(database);
  await database.db.insert(members).values({ consumerId: consumer!.id, accountId: owner.id, role: "owner" });
  await database.db.insert(applications).values({
    accountId: owner.id,
    consumerId: consumer!.id,
    productName: slug,
    company: slug,
    website: `https://${slug}.example`,
    platform: "web",
    expectedRequestsPerDay: 1000,
    technicalContactEmail: owner.email,
    shopperUse: "Answers shoppers' questions.",
  });
  return { ...consumer!, owner };
}

/** The actor that the pipeline makes of a consumer; production, default-on and every scope unless told. */
export async function makeReader(database: TestDatabase, given: Partial<Consumer> = {}): Promise<Consumer> {
  const row = await makeConsumer(database, { state: given.tier ?? "production", coverage: given.coverage });
  return {
    kind: "consumer",
    consumerId: row.id,
    slug: row.slug,
    tier: "production",
    coverage: "default_on",
    scopes,
    rateLimit: 60,
    utmSource: row.utmSource,
    endpoint: "api",
    keyId: null,
    accountId: null,
    ...given,
  };
}

/** A store with its merchant; discoverable, EUR, unless told. */
export async function makeStore(database: TestDatabase, given: Partial<Parameters<typeof stores.create>[1]> = {}) {
  const slug = unique("store");
  return stores.create(database.as({ kind: "system" }), {
    slug,
    name: slug,
    url: `https://${slug}.example`,
    country: "IE",
    currency: "EUR",
    ...given,
  });
}

/** A person who acts for a store's merchant. */
export async function makeMerchant(database: TestDatabase, merchantId: string) {
  const account = await makeAccount(database);
  await database.db.insert(merchantMembers).values({ merchantId, accountId: account.id });
  return { kind: "merchant", accountId: account.id, merchantId } as const;
}
