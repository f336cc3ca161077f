// What operators set for everybody. Who saves says which version they saw: nobody overwrites what they have not read.
import { isDeepStrictEqual } from "node:util";
import { and, desc, eq } from "drizzle-orm";
import { z } from "zod";
import { accounts } from "../../db/schema/accounts";
import { settings } from "../../db/schema/consumers";
import { audit as log } from "../../db/schema/operations";
import { type Ctx, type Operator, scopes } from "../context";
import { DomainError } from "../errors";
import * as audit from "./audit";
import { count } from "./fields";

export const ChangeSettings = z.strictObject({
  /** The one that was shown to whoever changes them. */
  version: z.coerce.number().int(),
  approvalRule: z.enum(settings.approvalRule.enumValues, "Choose one of the three rules."),
  sandboxScopes: z
    .array(z.enum(scopes))
    .min(1, "Choose at least one scope.")
    .max(scopes.length, "Choose each scope once.")
    .transform((wanted) => scopes.filter((scope) => wanted.includes(scope))),
  /** Requests per minute. */
  sandboxRateLimit: count("the requests per minute", 1, 1_000_000),
  sandboxMaxKeys: count("how many keys", 1, 1000),
  /** Calls per minute. */
  playgroundRateLimit: count("the calls per minute", 1, 1_000_000),
});

export type Settings = z.output<typeof ChangeSettings>;

const columns = {
  version: settings.version,
  approvalRule: settings.approvalRule,
  sandboxScopes: settings.sandboxScopes,
  sandboxRateLimit: settings.sandboxRateLimit,
  sandboxMaxKeys: settings.sandboxMaxKeys,
  playgroundRateLimit: settings.playgroundRateLimit,
};

/** What is set now. */
export async function current({ db }: Pick<Ctx, "db">): Promise<Settings> {
  const [row] = await db.select(columns).from(settings);
  return row!;
}

/** The same, and who changed it last, and when; `by` is null at the command line, and when the account is gone. */
export async function get(
  ctx: Ctx<Operator>,
): Promise<Settings & { lastChange: { at: Date; by: string | null } | null }> {
  const [set, [lastChange]] = await Promise.all([
    current(ctx),
    ctx.db
      .select({ at: log.at, by: accounts.name })
      .from(log)
      .leftJoin(accounts, eq(accounts.id, log.actorId))
      .where(eq(log.action, "settings.change" satisfies audit.Action))
      .orderBy(desc(log.at), desc(log.id))
      .limit(1),
  ]);
  return { ...set, lastChange: lastChange ?? null };
}

/** Holds from the next application and the next call on. @throws DomainError conflict (changed since they were read) */
export async function change(ctx: Ctx<Operator>, input: z.output<typeof ChangeSettings>): Promise<void> {
  const { version, ...wanted } = input;
  await ctx.db.transaction(async (tx) => {
    const [row] = await tx.select(columns).from(settings).for("update");
    const { version: latest, ...before } = row!;
    if (latest !== version) {
      throw new DomainError(
        "conflict",
        "Someone else changed the settings in the meantime. Your changes have not been saved yet.",
      );
    }
    if (isDeepStrictEqual(before, wanted)) return;
    await tx
      .update(settings)
      .set({ ...wanted, version: version + 1 })
      .where(and(eq(settings.only, true), eq(settings.version, version)));
    await audit.record(ctx, tx, {
      action: "settings.change",
      target: ["settings", "all"],
      before,
      after: wanted,
    });
  });
}
