// The demo, for a newcomer to look around at once: whether it is there, its log-ins, and a fresh key of its consumer.
import { and, desc, eq, isNull } from "drizzle-orm";
import { consumers } from "../../db/schema/consumers";
import { keys } from "../../db/schema/keys";
import { stores } from "../../db/schema/merchants";
import { actingAs, type Ctx, type System } from "../context";
import { DEMO_CONSUMER } from "./demo-consumer";
import { isSeeded } from "./demo-dates";
import { accountsThere, people } from "./demo-people";
import * as issued from "./keys";
import * as passwords from "./passwords";

const KEY_NAME = "Demo key";
/** Printed keys that stay: several instances may have printed one each. */
const KEPT_KEYS = 3;

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
