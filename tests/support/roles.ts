// People of every kind, signed in: a cookie each.
import { beforeAll } from "vitest";
import { members } from "../../db/schema/consumers";
import { contextFor } from "../../server/context";
import * as sessions from "../../server/sessions";
import { type TestDatabase, testCore } from "./database";
import { makeAccount, makeConsumer, makeMerchant, makeStore } from "./factories";

const DAY_MS = 86_400_000;

/** Who logs in. */
export interface Person {
  id: string;
  /** 1 unless their password was changed. */
  passwordVersion?: number;
}

/** A Cookie header for an account; the server's session, as after a log-in. */
export async function signIn(database: TestDatabase, { id, passwordVersion = 1 }: Person): Promise<string> {
  const core = contextFor(testCore(database), { kind: "system" });
  // The server under test speaks plain http: its cookie has the plain name.
  const { cookie } = await sessions.create(
    { ...core, baseUrl: "http://127.0.0.1" },
    { account: { id, passwordVersion }, userAgent: "tests", address: "127.0.0.1" },
  );
  return cookie.split(";", 1)[0]!;
}

/** Every kind of visitor there is: of this consumer, of the merchant at hand, or of others. */
export const roles = [
  "nobody",
  "unverified",
  "newcomer",
  "owner",
  "developer",
  "reviewer",
  "expired reviewer",
  "operator",
  "merchant",
  "another tenant's owner",
  "another tenant's developer",
  "another tenant's reviewer",
  "another merchant",
] as const;
export type Role = (typeof roles)[number];

const anothers = {
  "another tenant's owner": "owner",
  "another tenant's developer": "developer",
  "another tenant's reviewer": "reviewer",
} as const;

/**
 * @param consumerId which members are members of
 * @param merchantId which a merchant acts for; one of their own when left out
 */
export async function makePerson(
  database: TestDatabase,
  role: Role,
  consumerId: string,
  merchantId?: string,
): Promise<{ cookie: string | undefined; accountId: string | undefined }> {
  if (role === "nobody") return { cookie: undefined, accountId: undefined };
  if (role in anothers) {
    const { id, owner } = await makeConsumer(database);
    const same = anothers[role as keyof typeof anothers];
    if (same !== "owner") return makePerson(database, same, id);
    return { cookie: await signIn(database, owner), accountId: owner.id };
  }
  if (role === "merchant" || role === "another merchant") {
    const acts = role === "merchant" ? merchantId : undefined;
    const { accountId } = await makeMerchant(database, acts ?? (await makeStore(database)).merchantId);
    return { cookie: await signIn(database, { id: accountId }), accountId };
  }
  const given = { isOperator: role === "operator", ...(role === "unverified" ? { emailVerifiedAt: null } : {}) };
  const account = await makeAccount(database, given);
  const membership = { consumerId, accountId: account.id };
  const now = Date.now();
  if (role === "owner" || role === "developer") await database.db.insert(members).values({ ...membership, role });
  if (role === "reviewer")
    await database.db.insert(members).values({ ...membership, role, endsAt: new Date(now + DAY_MS) });
  if (role === "expired reviewer") {
    const span = { grantedAt: new Date(now - 90 * DAY_MS), endsAt: new Date(now - 1000) };
    await database.db.insert(members).values({ ...membership, role: "reviewer", ...span });
  }
  return { cookie: await signIn(database, account), accountId: account.id };
}

export interface Cast {
  consumer: Awaited<ReturnType<typeof makeConsumer>>;
  store: Awaited<ReturnType<typeof makeStore>>;
  cookies: Record<Role, string | undefined>;
}

/** A consumer and a store, and one of each role in or beside them. */
async function makeCast(database: TestDatabase): Promise<Cast> {
  const [consumer, store] = [await makeConsumer(database), await makeStore(database)];
  const cookies = {} as Cast["cookies"];
  for (const role of roles) cookies[role] = (await makePerson(database, role, consumer.id, store.merchantId)).cookie;
  return { consumer, store, cookies };
}

/** A cast for the tests of a file: for what changes nothing, since it only reads or is refused. */
export function testCast(database: TestDatabase): Cast {
  const cast = {} as Cast;
  beforeAll(async () => void Object.assign(cast, await makeCast(database)));
  return cast;
}
