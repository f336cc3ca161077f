// The data-use terms (specification 3.5): the current version is the latest; a new one holds up new keys until accepted.
import { desc, eq } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../db/client";
import { consumers, terms, termsAcceptances } from "../../db/schema/consumers";
import type { Actor, Ctx, Member } from "../context";
import { DomainError } from "../errors";
import * as audit from "./audit";

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

/** @throws DomainError terms_outdated when the version that a person was shown is no longer the current one */
export async function requireShown(tx: Database, version: string): Promise<void> {
  const latest = await current({ db: tx });
  if (version !== latest.version) {
    throw new DomainError(
      "terms_outdated",
      `The data-use terms have changed. Read and accept version ${latest.version}.`,
      {
        details: { version: latest.version },
      },
    );
  }
}

export const AcceptTerms = z.strictObject({ version: z.iso.date() });

/** An owner's yes to the current version; said again, it changes nothing. @throws DomainError forbidden, terms_outdated */
export async function accept(ctx: Ctx<Member>, input: z.infer<typeof AcceptTerms>): Promise<void> {
  if (ctx.actor.role !== "owner") throw new DomainError("forbidden", "Only an owner may accept the data-use terms.");
  const { accountId, consumerId } = ctx.actor;
  await ctx.db.transaction(async (tx) => {
    await requireShown(tx, input.version);
    const [accepted] = await tx
      .insert(termsAcceptances)
      .values({ consumerId, accountId, version: input.version, acceptedAt: ctx.now })
      .onConflictDoNothing()
      .returning();
    if (!accepted) return;
    const [before] = await tx
      .select({ version: consumers.termsVersion })
      .from(consumers)
      .where(eq(consumers.id, consumerId));
    await tx.update(consumers).set({ termsVersion: input.version }).where(eq(consumers.id, consumerId));
    await audit.record(ctx, tx, { action: "terms.accept", target: ["consumer", consumerId], before, after: input });
  });
}
