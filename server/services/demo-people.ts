// The demo's people: an account a role, and the consumer and merchant that they belong to.
import { eq, inArray, sql as raw } from "drizzle-orm";
import type { Database } from "../../db/client";
import { accounts } from "../../db/schema/accounts";
import { applications, consumers, members, termsAcceptances } from "../../db/schema/consumers";
import { merchantMembers } from "../../db/schema/merchants";
import { DAY_MS } from "../clock";
import { actingAs, type Ctx, type System } from "../context";
import { beginAnew } from "./accounts/entry";
import * as audit from "./audit";
import { enact, revocation } from "./consumers";
import { DEMO_CONSUMER } from "./demo-consumer";
import { isSeeded, REVIEWER } from "./demo-dates";
import { REVIEWER_DAYS } from "./last-day";
import * as passwords from "./passwords";
import * as settings from "./settings";
import { currentVersion } from "./terms";

/** More keys than a sandbox has by default: every start prints a fresh one beside those that a newcomer issues. */
const MAX_KEYS = 10;

export const people = [
  { role: "owner", email: "owner@demo.example", name: "Orla Byrne" },
  { role: "developer", email: "developer@demo.example", name: "Dara Nolan" },
  { role: "reviewer", email: REVIEWER, name: "Rory Flynn" },
  { role: "operator", email: "operator@demo.example", name: "Olwen Price" },
  { role: "merchant", email: "merchant@demo.example", name: "Maeve Quinn" },
] as const;

type Role = (typeof people)[number]["role"];
type Ids = Record<Role, string>;

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
    const { ids, made, renewed } = await makeAccounts(ctx, tx, hashed, outdated);
    const consumer = await makeConsumer(ctx, tx);
    const joining = people.filter(({ email }) => consumer.isNew || made.includes(email)).map(({ role }) => role);
    if (joining.includes("merchant")) await joinMerchant(ctx, tx, ids.merchant, input.merchantStore);
    await joinConsumer(ctx, tx, consumer, ids, joining);
    if (consumer.isNew) await apply(ctx, tx, consumer, ids.owner);
    return { made, renewed };
  });
}

/** @param hashed their passwords  @param outdated what replacePassword() is to replace, by address */
async function makeAccounts(
  ctx: Ctx<System>,
  tx: Database,
  hashed: string[],
  outdated: Map<string, string>,
): Promise<People & { ids: Ids }> {
  const ids = {} as Ids;
  const made: string[] = [];
  const renewed: string[] = [];
  for (const [i, { role, email, name }] of people.entries()) {
    const isOperator = role === "operator";
    const [inserted] = await tx
      .insert(accounts)
      .values({ name, email, passwordHash: hashed[i]!, emailVerifiedAt: ctx.now, isOperator })
      .onConflictDoNothing()
      .returning({ id: accounts.id });
    if (inserted) made.push(email);
    if (inserted && isOperator)
      await audit.record(ctx, tx, { action: "operator.create", target: ["account", inserted.id] });
    const before = outdated.get(email);
    if (before && (await replacePassword(ctx, tx, before, hashed[i]!))) renewed.push(email);
    const [account] = await tx.select({ id: accounts.id }).from(accounts).where(eq(accounts.email, email));
    ids[role] = account!.id;
  }
  return { ids, made, renewed };
}

interface DemoConsumer {
  id: string;
  isNew: boolean;
  termsVersion: string;
}

async function makeConsumer(ctx: Ctx<System>, tx: Database): Promise<DemoConsumer> {
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
  if (fresh) return { id: fresh.id, isNew: true, termsVersion };
  const [there] = await tx.select({ id: consumers.id }).from(consumers).where(eq(consumers.slug, DEMO_CONSUMER));
  return { id: there!.id, isNew: false, termsVersion };
}

/** @param slug of the merchant's store */
async function joinMerchant(ctx: Ctx<System>, tx: Database, accountId: string, slug: string): Promise<void> {
  const [store] = await tx.execute<{ merchantId: string }>(raw`
    select s.merchant_id as "merchantId" from stores s where s.slug = ${slug} and ${isSeeded(raw)}`);
  if (!store) return;
  const membership = { merchantId: store.merchantId, accountId };
  const joined = await tx.insert(merchantMembers).values(membership).onConflictDoNothing().returning();
  const acts = joined.map(({ merchantId, accountId }) => {
    return { action: "merchant.add_member", target: ["merchant", merchantId], after: { accountId } } as const;
  });
  await audit.record(ctx, tx, ...acts);
}

/** @param joining roles of the demo; those that no platform has are passed over */
async function joinConsumer(
  ctx: Ctx<System>,
  tx: Database,
  { id: consumerId, isNew }: DemoConsumer,
  ids: Ids,
  joining: Role[],
): Promise<void> {
  const roles = (["owner", "developer", "reviewer"] as const).filter((role) => joining.includes(role));
  if (roles.length === 0) return;
  const endsAt = new Date(ctx.now.getTime() + REVIEWER_DAYS * DAY_MS);
  const given = roles.map((role) => ({
    consumerId,
    accountId: ids[role],
    role,
    grantedAt: ctx.now,
    endsAt: role === "reviewer" ? endsAt : null,
  }));
  await tx.insert(members).values(given);
  if (isNew) return;
  const acts = given.map(({ accountId: account, role, endsAt }) => {
    return { action: "member.add", target: ["consumer", consumerId], after: { account, role, endsAt } } as const;
  });
  await audit.record(ctx, tx, ...acts);
  if (roles.includes("owner")) await giveAccessBack(ctx, tx, consumerId);
}

/** What its owner said and accepted for it. */
async function apply(
  ctx: Ctx<System>,
  tx: Database,
  { id, termsVersion }: DemoConsumer,
  accountId: string,
): Promise<void> {
  await tx.insert(termsAcceptances).values({ consumerId: id, version: termsVersion, accountId });
  await tx.insert(applications).values({
    accountId,
    consumerId: id,
    productName: "Demo assistant",
    company: "Demo Ltd",
    website: "https://www.demo.example",
    platform: "Web chat",
    expectedRequestsPerDay: 1000,
    technicalContactEmail: people[0].email,
    shopperUse:
      "Shoppers ask in their own words; the assistant answers with products from the stores that it can read.",
  });
  await audit.record(ctx, tx, { action: "demo.create", target: ["consumer", id] });
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

/** Whether somebody has chosen a password for the account; a seed gives one to accounts of a secret key of before, too. */
const chosen = raw<boolean>`exists (select from audit where target_kind = 'account' and target_id = accounts.id::text
  and action in ('account.change_password', 'account.reset_password') and actor_kind <> 'system')`;

export const accountsThere = ({ db }: Pick<Ctx, "db">) =>
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
