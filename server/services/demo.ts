// The demo: one account a role and one consumer in sandbox, so that a newcomer can look around at once.
import { and, desc, eq, inArray, isNull, sql as raw } from "drizzle-orm";
import type { Database } from "../../db/client";
import { accounts } from "../../db/schema/accounts";
import { applications, consumers, members, termsAcceptances } from "../../db/schema/consumers";
import { keys } from "../../db/schema/keys";
import { merchantMembers, stores } from "../../db/schema/merchants";
import { DAY_MS } from "../clock";
import { actingAs, type Ctx, type System } from "../context";
import { beginAnew } from "./accounts/entry";
import * as audit from "./audit";
import { enact, revocation } from "./consumers";
import { DEMO_CONSUMER } from "./demo-consumer";
import { isSeeded, REVIEWER } from "./demo-dates";
import * as issued from "./keys";
import { REVIEWER_DAYS } from "./last-day";
import * as passwords from "./passwords";
import * as settings from "./settings";
import { currentVersion } from "./terms";

const KEY_NAME = "Demo key";
/** More than a sandbox has by default: every start prints a fresh key beside those that a newcomer issues. */
const MAX_KEYS = 10;
/** Printed keys that stay: several instances may have printed one each. */
const KEPT_KEYS = 3;

const people = [
  { role: "owner", email: "owner@demo.example", name: "Orla Byrne" },
  { role: "developer", email: "developer@demo.example", name: "Dara Nolan" },
  { role: "reviewer", email: REVIEWER, name: "Rory Flynn" },
  { role: "operator", email: "operator@demo.example", name: "Olwen Price" },
  { role: "merchant", email: "merchant@demo.example", name: "Maeve Quinn" },
] as const;

/**
 * Is there nothing yet, or no more than a seed left that was cut off: no account, no platform, and no store but those it began?
 * @param slugs of the demo's stores
 */
export async function isDue(ctx: Ctx<System>, slugs: string[]): Promise<boolean> {
  const ours = [...(await begunStores(ctx, slugs)).values()];
  const [row] = await ctx.sql`
    select not exists (select from accounts) and not exists (select from consumers)
      and not exists (select from stores where id <> all(${ours}::uuid[])) as due`;
  return row?.due === true;
}

/**
 * While the demo is not whole, its stores that a seed has made: ids by slug. One that somebody else made under such a name is
 * none of them. The consumer comes last: once it is there, so is all of the demo.
 */
export async function begunStores({ sql }: Ctx<System>, slugs: string[]): Promise<Map<string, string>> {
  const rows = await sql<{ slug: string; id: string }[]>`
    select s.slug, s.id from stores s
    where s.slug in ${sql(slugs)} and not exists (select from consumers where slug = ${DEMO_CONSUMER}) and ${isSeeded(sql)}`;
  return new Map(rows.map(({ slug, id }) => [slug, id]));
}

/** Addresses of accounts. */
interface People {
  made: string[];
  /** Those that had a password of a secret key of before. */
  renewed: string[];
}

/**
 * Makes the demo's accounts and consumer; what is there already stays, but for passwords that follow from a secret key of
 * before: from then on they follow from the present one. An account that was deleted is made anew, and belongs again to
 * where it did; who was removed from there, by people, stays away. What ended with the owner's account goes on with it.
 * @param input the store that the demo merchant has, if a seed made it
 * @returns the addresses of the accounts that were made, and of those whose passwords were replaced
 */
export async function createPeople(ctx: Ctx<System>, input: { merchantStore: string }): Promise<People> {
  const hashed = await Promise.all(
    people.map((person) => passwords.hash(passwords.demoPassword(ctx.secretKeys[0], person.email))),
  );
  const outdated = await hashesOfBefore(ctx);
  return ctx.db.transaction(async (tx) => {
    const ids: Record<string, string> = {};
    const made = new Set<string>();
    const renewed: string[] = [];
    for (const [i, { role, email, name }] of people.entries()) {
      const isOperator = role === "operator";
      const [inserted] = await tx
        .insert(accounts)
        .values({ name, email, passwordHash: hashed[i]!, emailVerifiedAt: ctx.now, isOperator })
        .onConflictDoNothing()
        .returning({ id: accounts.id });
      if (inserted) made.add(email);
      if (inserted && isOperator)
        await audit.record(ctx, tx, { action: "operator.create", target: ["account", inserted.id] });
      const before = outdated.get(email);
      if (before && (await replacePassword(ctx, tx, before, hashed[i]!))) renewed.push(email);
      const [account] = await tx.select({ id: accounts.id }).from(accounts).where(eq(accounts.email, email));
      ids[role] = account!.id;
    }
    const { sandboxScopes, sandboxRateLimit } = await settings.current({ db: tx });
    const termsVersion = await currentVersion({ db: tx });
    const [fresh] = await tx
      .insert(consumers)
      .values({
        slug: DEMO_CONSUMER,
        name: "Demo assistant",
        state: "sandbox",
        scopes: sandboxScopes,
        rateLimit: sandboxRateLimit,
        maxKeys: MAX_KEYS,
        termsVersion,
        decidedAt: ctx.now,
      })
      .onConflictDoNothing()
      .returning({ id: consumers.id });
    const [consumer] = fresh
      ? [fresh]
      : await tx.select({ id: consumers.id }).from(consumers).where(eq(consumers.slug, DEMO_CONSUMER));
    const joining = people.flatMap(({ role, email }) => {
      const isMember = role === "owner" || role === "developer" || role === "reviewer";
      return isMember && (fresh || made.has(email)) ? [role] : [];
    });
    if (fresh || people.some(({ role, email }) => role === "merchant" && made.has(email))) {
      const [store] = await tx.execute<{ merchantId: string }>(raw`
        select s.merchant_id as "merchantId" from stores s where s.slug = ${input.merchantStore} and ${isSeeded(raw)}`);
      if (store) {
        const membership = { merchantId: store.merchantId, accountId: ids.merchant! };
        const joined = await tx.insert(merchantMembers).values(membership).onConflictDoNothing().returning();
        const acts = joined.map(({ merchantId, accountId }) => {
          return { action: "merchant.add_member", target: ["merchant", merchantId], after: { accountId } } as const;
        });
        await audit.record(ctx, tx, ...acts);
      }
    }
    if (joining.length > 0) {
      const endsAt = new Date(ctx.now.getTime() + REVIEWER_DAYS * DAY_MS);
      const given = joining.map((role) => ({
        consumerId: consumer!.id,
        accountId: ids[role]!,
        role,
        grantedAt: ctx.now,
        endsAt: role === "reviewer" ? endsAt : null,
      }));
      await tx.insert(members).values(given);
      const acts = given.map(({ consumerId, accountId: account, role, endsAt }) => {
        return { action: "member.add", target: ["consumer", consumerId], after: { account, role, endsAt } } as const;
      });
      if (!fresh) await audit.record(ctx, tx, ...acts);
      if (!fresh && joining.includes("owner")) await giveAccessBack(ctx, tx, consumer!.id);
    }
    if (!fresh) return { made: [...made], renewed };
    await tx.insert(termsAcceptances).values({ consumerId: fresh.id, version: termsVersion, accountId: ids.owner! });
    await tx.insert(applications).values({
      accountId: ids.owner!,
      consumerId: fresh.id,
      productName: "Demo assistant",
      company: "Demo Ltd",
      website: "https://www.demo.example",
      platform: "Web chat",
      expectedRequestsPerDay: 1000,
      technicalContactEmail: people[0].email,
      shopperUse:
        "Shoppers ask in their own words; the assistant answers with products from the stores that it can read.",
    });
    await audit.record(ctx, tx, { action: "demo.create", target: ["consumer", fresh.id] });
    return { made: [...made], renewed };
  });
}

/** Where the access ended with the owner's account: what an operator revoked stays revoked. */
async function giveAccessBack(ctx: Ctx<System>, tx: Database, id: string): Promise<void> {
  const [before] = await tx.select().from(consumers).where(eq(consumers.id, id)).for("update");
  if (!before?.revokedFrom) return;
  const { action, decided } = await revocation(tx, id);
  if (action !== "consumer.revoke") return;
  const operator = { ...actingAs(ctx, { kind: "operator", accountId: null }), db: tx };
  const set = { ...decided, state: before.revokedFrom, revokedFrom: null };
  await enact(operator, tx, { action: "consumer.restore", before, set });
}

/**
 * A fresh key for the line that a start prints; undefined without a demo consumer. The oldest printed ones are revoked to make
 * room, but only if it can be issued.
 * @throws DomainError what keeps it from being issued: no access, new terms, a spent count
 */
export async function freshKey(ctx: Ctx<System>): Promise<string | undefined> {
  const [consumer] = await ctx.db.select({ id: consumers.id }).from(consumers).where(eq(consumers.slug, DEMO_CONSUMER));
  if (!consumer) return undefined;
  const printed = and(eq(keys.consumerId, consumer.id), eq(keys.name, KEY_NAME), isNull(keys.revokedAt));
  const { value } = await ctx.db.transaction(async (tx) => {
    const operator = { ...actingAs(ctx, { kind: "operator", accountId: null }), db: tx };
    const old = await tx
      .select({ id: keys.id })
      .from(keys)
      .where(printed)
      .orderBy(desc(keys.id))
      .offset(KEPT_KEYS - 1);
    for (const { id } of old) await issued.revoke(operator, { id });
    return issued.issue(operator, { consumerId: consumer.id, name: KEY_NAME });
  });
  return value;
}

/** What is shown of a sign-in's password, or said in its place. */
export const passwordShown = ({ password, is_own }: Pick<Demo["sign_ins"][number], "password" | "is_own">): string =>
  password ?? (is_own ? "changed by its owner" : "of another SECRET_KEY");

export interface Demo {
  url: string;
  /** Of the accounts that there are; without a password where its owner has chosen one, or it follows from no key known here. */
  sign_ins: { role: string; email: string; password: string | null; is_own: boolean }[];
  consumer: { slug: string };
  stores: { id: string; slug: string; name: string; is_demo: boolean }[];
}

/** What a newcomer needs to look around. @param url where the service is reached */
export async function describe(ctx: Ctx<System>, url: string): Promise<Demo> {
  const rows = await ctx.db
    .select({ id: stores.id, slug: stores.slug, name: stores.name, is_demo: stores.isDemo })
    .from(stores)
    .orderBy(desc(stores.isDemo), stores.name);
  const there = await accountsThere(ctx);
  const known = new Map(there.map(({ email, ...account }) => [email as string, account]));
  return {
    url,
    sign_ins: await Promise.all(
      people
        .filter(({ email }) => known.has(email))
        .map(async ({ role, email }) => {
          const { hash, isOwn } = known.get(email)!;
          return { role, email, password: await passwordOf(ctx, email, hash), is_own: isOwn };
        }),
    ),
    consumer: { slug: DEMO_CONSUMER },
    stores: rows,
  };
}

/** Whether somebody has chosen a password for the account; a seed gives one to accounts of a secret key of before, too. */
const chosen = raw<boolean>`exists (select from audit where target_kind = 'account' and target_id = accounts.id::text
  and action in ('account.change_password', 'account.reset_password') and actor_kind <> 'system')`;

const accountsThere = ({ db }: Pick<Ctx, "db">) =>
  db
    .select({ email: accounts.email, hash: accounts.passwordHash, isOwn: chosen })
    .from(accounts)
    .where(
      inArray(
        accounts.email,
        people.map(({ email }) => email),
      ),
    );

/** The hashes of passwords that follow from a secret key of before, by address: whoever has learnt that key may know them. */
async function hashesOfBefore(ctx: Ctx<System>): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const { email, hash } of await accountsThere(ctx)) {
    for (const key of ctx.secretKeys.slice(1))
      if (await passwords.verify(hash, passwords.demoPassword(key, email))) found.set(email, hash);
  }
  return found;
}

/** @returns whether it was: its owner may choose another at this moment */
async function replacePassword(ctx: Ctx<System>, tx: Database, before: string, passwordHash: string): Promise<boolean> {
  const [account] = await tx.select().from(accounts).where(eq(accounts.passwordHash, before)).for("update");
  if (!account) return false;
  await beginAnew(ctx, tx, account, { passwordHash });
  await audit.record(ctx, tx, { action: "account.change_password", target: ["account", account.id] });
  return true;
}

/** It follows from the secret key that the account was made under, which may be a previous one; null where none fits. */
async function passwordOf(ctx: Ctx<System>, email: string, hash: string): Promise<string | null> {
  for (const key of ctx.secretKeys) {
    const password = passwords.demoPassword(key, email);
    if (await passwords.verify(hash, password)) return password;
  }
  return null;
}

/** The URL of an instance that runs on this database: each names itself on its connections. */
export async function runningUrl(ctx: Ctx<System>): Promise<string | undefined> {
  const [row] = await ctx.sql<{ url: string }[]>`
    select substring(application_name from 7) as url from pg_stat_activity
    where application_name like 'aisle http%' and datname = current_database() order by backend_start limit 1`;
  return row?.url;
}
