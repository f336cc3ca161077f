// The data-use terms: the current version is the latest; a new one holds up new keys until accepted.
import { desc, eq, lt, max, ne, sql as raw } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../db/client";
import { accounts } from "../../db/schema/accounts";
import { consumers, terms, termsAcceptances } from "../../db/schema/consumers";
import { DAY_MS } from "../clock";
import type { Actor, Ctx, Member, Operator, Owner } from "../context";
import { DomainError, notFound, refuseField } from "../errors";
import * as audit from "./audit";
import { Day, isSeen } from "./fields";
import * as mail from "./mail";
import { everyOwner, requireStillOwner } from "./owners";

export interface Terms {
  /** A date, such as 2026-09-26. */
  version: string;
  /** Markdown. */
  body: string;
}

/** The version in force, for anybody to read. */
export async function current(ctx: Pick<Ctx<Actor>, "db">): Promise<Terms> {
  const [latest] = await ctx.db
    .select({ version: terms.version, body: terms.body })
    .from(terms)
    .orderBy(desc(terms.version))
    .limit(1);
  return latest!;
}

/** The version in force, without its text. */
export async function currentVersion({ db }: Pick<Ctx<Actor>, "db">): Promise<string> {
  const [latest] = await db.select({ version: max(terms.version) }).from(terms);
  return latest!.version!;
}

/** @throws DomainError terms_outdated when the version that a person was shown is no longer the current one */
async function requireShown(tx: Database, version: string): Promise<void> {
  const latest = await currentVersion({ db: tx });
  if (version !== latest) {
    throw new DomainError("terms_outdated", `The data-use terms have changed. Read and accept version ${latest}.`, {
      details: { version: latest },
    });
  }
}

export const AcceptTerms = z.strictObject({ version: z.iso.date() });

/** An owner's yes to the current version; said again, it changes nothing. @throws DomainError forbidden, terms_outdated */
export async function accept(ctx: Ctx<Owner>, input: z.infer<typeof AcceptTerms>): Promise<void> {
  const { accountId, consumerId } = ctx.actor;
  await ctx.db.transaction(async (tx) => {
    // Acceptances follow each other, and each asks only then which version is current: a later yes is never taken back.
    const [before] = await tx
      .select({ version: consumers.termsVersion })
      .from(consumers)
      .where(eq(consumers.id, consumerId))
      .for("update");
    await requireStillOwner(tx, ctx.actor);
    await requireShown(tx, input.version);
    const [accepted] = await tx
      .insert(termsAcceptances)
      .values({ consumerId, accountId, version: input.version, acceptedAt: ctx.now })
      .onConflictDoNothing()
      .returning();
    if (!accepted && before?.version === input.version) return;
    await tx.update(consumers).set({ termsVersion: input.version }).where(eq(consumers.id, consumerId));
    await audit.record(ctx, tx, { action: "terms.accept", target: ["consumer", consumerId], before, after: input });
  });
}

/**
 * What a member's platform has yet to accept: by its name, and the version that it goes by until then; null where nothing
 * is due. Without access nothing is, since there are no keys to hold up.
 */
export async function due({ db, actor }: Ctx<Member>): Promise<{ of: string; accepted: Terms | null } | null> {
  const [[platform], latest] = await Promise.all([
    db
      .select({ of: consumers.name, state: consumers.state, version: terms.version, body: terms.body })
      .from(consumers)
      .leftJoin(terms, eq(terms.version, consumers.termsVersion))
      .where(eq(consumers.id, actor.consumerId)),
    currentVersion({ db }),
  ]);
  if (!platform || platform.state === "revoked" || platform.version === latest) return null;
  const { of, version, body } = platform;
  return { of, accepted: version !== null && body !== null ? { version, body } : null };
}

export interface TermsVersion {
  version: string;
  publishedAt: Date;
  /** Null for the first ones, and when the account is gone. */
  publishedBy: string | null;
  /** Consumers whose accepted version it is. */
  consumers: number;
}

/** Every version, the current one first. */
export const versions = (ctx: Ctx<Operator>): Promise<TermsVersion[]> =>
  ctx.db
    .select({
      version: terms.version,
      publishedAt: terms.publishedAt,
      publishedBy: accounts.name,
      consumers: raw<number>`(select count(*)::int from consumers c where c.terms_version = ${terms.version} and c.state <> 'revoked')`,
    })
    .from(terms)
    .leftJoin(accounts, eq(accounts.id, terms.publishedBy))
    .orderBy(desc(terms.version));

export const GetTerms = z.strictObject({ version: Day });

/** A version, and the one before it. @throws DomainError not_found */
export async function get(
  ctx: Ctx<Operator>,
  input: z.infer<typeof GetTerms>,
): Promise<Terms & { before: Terms | null }> {
  const columns = { version: terms.version, body: terms.body };
  const [[found], [before]] = await Promise.all([
    ctx.db.select(columns).from(terms).where(eq(terms.version, input.version)),
    ctx.db.select(columns).from(terms).where(lt(terms.version, input.version)).orderBy(desc(terms.version)).limit(1),
  ]);
  if (!found) throw notFound("version of the terms");
  return { ...found, before: before ?? null };
}

export const DraftTerms = z.strictObject({
  version: z.iso.date("Enter a date, such as 2026-09-26."),
  /** Markdown, as app/lib/prose.ts reads it. */
  body: z
    .string()
    .max(100_000, "Use at most 100,000 characters.")
    .transform((text) => `${text.replace(/\r\n?/g, "\n").trim()}\n`)
    .refine(isSeen, "Enter the text of the terms."),
});

/**
 * What publishing would mean: the version that is current until then, and how many consumers could not issue or rotate
 * keys until an owner accepts. Nothing is written.
 * @throws DomainError invalid_input
 */
export async function draft(ctx: Ctx<Operator>, input: z.infer<typeof DraftTerms>) {
  const latest = await current(ctx);
  requireNews(ctx, latest, input);
  const waiting = await ctx.db.$count(consumers, ne(consumers.state, "revoked"));
  return { ...input, current: latest, consumers: waiting };
}

export const PublishTerms = DraftTerms.extend({
  /** The version that was current when this one was read through. */
  after: Day,
});

/**
 * A new version, in force at once: from now on keys are neither issued nor rotated until an owner has accepted it, so the
 * owners are told by mail. Of two at once one is published, and the other is told.
 * @throws DomainError invalid_input, conflict
 */
export async function publish(ctx: Ctx<Operator>, input: z.infer<typeof PublishTerms>): Promise<void> {
  const { version, body, after } = input;
  await ctx.db.transaction(async (tx) => {
    // Accounts before versions, as whoever deletes the account of one who published does.
    const owners = await everyOwner(tx);
    // Whoever publishes has the row of the version before; acceptances of that one need not wait.
    await tx.select({ one: raw`1` }).from(terms).where(eq(terms.version, after)).for("no key update");
    const latest = await current({ db: tx });
    if (latest.version !== after) {
      throw new DomainError(
        "conflict",
        `Version ${latest.version} was published in the meantime. Compare yours with it, then publish again.`,
      );
    }
    requireNews(ctx, latest, input);
    await tx.insert(terms).values({ version, body, publishedAt: ctx.now, publishedBy: ctx.actor.accountId });
    await audit.record(ctx, tx, {
      action: "terms.publish",
      target: ["terms", version],
      before: { version: latest.version },
      after: { version, characters: body.length },
    });
    for (let at = 0; at < owners.length; at += AT_ONCE) {
      const told = owners.slice(at, at + AT_ONCE);
      await mail.send(
        ctx,
        tx,
        ...told.map(({ email, ...owner }) => ({
          to: email,
          template: "terms-published" as const,
          data: { ...owner, version },
        })),
      );
    }
  });
}

/** Mails in one statement. */
const AT_ONCE = 1_000;
const YEAR_MS = 365 * DAY_MS;

function requireNews({ now }: Pick<Ctx, "now">, latest: Terms, { version, body }: Terms): void {
  if (version <= latest.version) {
    throw refuseField("version", `Choose a date after ${latest.version}, the current version.`);
  }
  const last = new Date(Math.max(now.getTime(), Date.parse(latest.version)) + YEAR_MS).toISOString().slice(0, 10);
  // A slip of the pen could never be put right: nothing published goes, and all that follows must be later.
  if (version > last)
    throw refuseField("version", `Choose a date no later than ${last}: every later version must come after it.`);
  if (body.trim() === latest.body.trim()) throw refuseField("body", "The text is the same as the current version's.");
}
