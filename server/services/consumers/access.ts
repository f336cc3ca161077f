// What a consumer may do, and the one way in which operators change it: under its row's lock, if it still is what they
// saw, with its audit record, and with the notifications of going live, in one transaction.
import { isDeepStrictEqual } from "node:util";
import { eq, sql as raw } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../../db/client";
import { consumers } from "../../../db/schema/consumers";
import { type Ctx, type Operator, scopes } from "../../context";
import { DomainError, notFound } from "../../errors";
import * as audit from "../audit";
import { readable } from "../coverage";
import { count, SLUG, typed } from "../fields";
import { tellDecision } from "./decisions";
import { lastAct, versioned } from "./history";

export type ConsumerRow = typeof consumers.$inferSelect;

const DirectorySlug = z
  .string()
  .trim()
  .regex(SLUG, "Use lower-case words and numbers, joined by hyphens.")
  .max(63, "Use at most 63 characters.");

/** What operators set of a consumer's access; numbers may come as typed. */
export const fields = {
  /** Requests per minute, over all keys together. */
  rateLimit: count("the requests per minute", 1, 1_000_000),
  maxKeys: count("how many keys", 0, 1000),
  scopes: z.array(z.enum(scopes)).min(1, "Choose at least one scope.").max(scopes.length, "Choose each scope once."),
  coverage: z.enum(consumers.coverage.enumValues, "Choose a coverage mode."),
  utmSource: typed(100, "Enter the platform's utm_source.").refine(
    (source) => source.toLowerCase() !== "aisle_sandbox",
    "This is the sandbox's. Choose a different one.",
  ),
  /** Null withdraws the endpoint. */
  directorySlug: DirectorySlug.nullable(),
};

/** What an operator may change; what is left out stays. */
export const ChangeConsumer = z
  .strictObject({
    ...fields,
    /** Null: none, or the slug in production. */
    utmSource: fields.utmSource.nullable(),
    tier: z.enum(consumers.tier.enumValues),
  })
  .partial();

/** The same, as the consumer's page sends it, whose tier is decided in review. */
export const ChangeShownConsumer = ChangeConsumer.omit({ tier: true }).extend({
  slug: z.string().max(63),
  /** As it was shown. */
  version: z.coerce.number().int(),
});

/**
 * Changes a consumer's limits and access; they hold from the next request on. Set as it is, it stays as it is. Production
 * needs a `utm_source`: the slug, unless one is given; a directory endpoint is issued there alone. Of another tier the owners are told.
 * @param input `version` is the one that was shown, where one was
 * @throws DomainError not_found, conflict (revoked; not in production; changed meanwhile; utm_source or directory slug taken)
 */
export async function change(
  ctx: Ctx<Operator>,
  input: { slug: string; version?: number | undefined; set: z.infer<typeof ChangeConsumer> },
): Promise<ConsumerRow> {
  return ctx.db.transaction(async (tx) => {
    const before = await lock(tx, input);
    const { tier, ...rest } = input.set;
    if (tier && before.state === "revoked")
      throw new DomainError("conflict", "Access is revoked. Restore it before you change the tier.");
    const state = tier && tier !== before.tier ? tier : before.state;
    if (rest.directorySlug && rest.directorySlug !== before.directorySlug && state !== "production")
      throw new DomainError("conflict", "A directory endpoint can be issued once the platform is in production.", {
        details: { field: "directorySlug" },
      });
    const decided =
      state === before.state ? {} : { decidedAt: state === "production" ? ctx.now : null, decisionReason: null };
    const set = outcomeOf(before, { ...rest, ...decided, state });
    const isSame = Object.entries(set).every(
      ([field, value]) => value === undefined || isDeepStrictEqual(value, before[field as keyof ConsumerRow]),
    );
    if (isSame) return before;
    const after = await enact(ctx, tx, { action: "consumer.change", before, set });
    if (after.tier !== before.tier) {
      const news = after.tier === "production" ? "production-approved" : "production-ended";
      await tellDecision(ctx, tx, before, { news });
    }
    return after;
  });
}

/**
 * The consumer, locked for the rest of the transaction.
 * @throws DomainError not_found, conflict (somebody changed it since that version: says who, and what they did)
 */
export async function lock(
  tx: Database,
  { slug, version }: { slug: string; version?: number | undefined },
): Promise<ConsumerRow> {
  const [consumer] = await tx.select().from(consumers).where(eq(consumers.slug, slug)).for("update");
  if (!consumer) throw notFound(`consumer "${slug}"`);
  if (version !== undefined && version !== consumer.version) throw await changedSince(tx, consumer.id, versioned);
  return consumer;
}

/**
 * What is said to whoever comes second: who came first, and what they did.
 * @param actions that may have been it
 * @param changedAt when what stands came to be: an act of another time was not it
 */
export async function changedSince(
  tx: Database,
  consumerId: string,
  actions: audit.Action[],
  changedAt?: Date,
): Promise<DomainError> {
  const act = await lastAct(tx, consumerId, actions);
  const isIt = act && (!changedAt || act.at.getTime() === changedAt.getTime());
  const told = isIt
    ? `${act.who} ${act.did} on ${act.at.toISOString().slice(0, 19).replace("T", " at ")} UTC`
    : "It was changed in the meantime";
  return new DomainError("conflict", `${told}, so nothing was changed. Review the current state, then decide.`, {
    details: { reason: "changed" },
  });
}

export type Wanted = Partial<Omit<typeof consumers.$inferInsert, "tier" | "version" | "stateSince">>;

interface Enacted {
  action: audit.Action;
  before: ConsumerRow;
  set: Wanted;
}

/** What is wanted of a consumer with what follows from it: a `utm_source` in production, and scopes in their order. */
function outcomeOf(before: ConsumerRow, set: Wanted) {
  const state = set.state ?? before.state;
  const source = set.utmSource === undefined ? before.utmSource : set.utmSource;
  const wanted = set.scopes ?? before.scopes;
  return {
    ...set,
    state,
    utmSource: source ?? (state === "production" ? before.slug : null),
    scopes: scopes.filter((scope) => wanted.includes(scope)),
  };
}

/**
 * Writes what was decided. Whoever is in production afterwards, and was not, or reads more than before, is announced to
 * the merchants in the same transaction: that is all there is to going live, whichever door it comes by.
 * @param enacted `before` as `lock` gave it in this transaction
 * @throws DomainError conflict (utm_source or directory slug taken)
 */
export async function enact(ctx: Ctx<Operator>, tx: Database, { action, before, set }: Enacted): Promise<ConsumerRow> {
  const outcome = outcomeOf(before, set);
  const [after] = await tx
    .update(consumers)
    .set({
      ...outcome,
      version: raw`${consumers.version} + 1`,
      ...(outcome.state === before.state ? {} : { stateSince: ctx.now }),
    })
    .where(eq(consumers.id, before.id))
    .returning()
    .catch((error) => {
      throw taken(error) ?? error;
    });
  await audit.record(ctx, tx, { action, target: ["consumer", before.id], before, after });
  const isWider = before.state !== "production" || before.coverage !== after!.coverage;
  if (after!.state === "production" && isWider) await announce(ctx, tx, after!);
  return after!;
}

/** One notification for each store that the consumer reads from now on, and never a second one. */
async function announce(ctx: Ctx<Operator>, tx: Database, { id, coverage }: ConsumerRow): Promise<void> {
  const reader = { consumerId: id, tier: "production", coverage } as const;
  await tx.execute(raw`
    insert into notifications (id, consumer_id, store_id, created_at)
    select gen_random_uuid(), ${id}::uuid, s.id, ${ctx.now.toISOString()}::timestamptz from stores s
    where ${readable(raw, reader)} on conflict do nothing`);
}

function taken(error: unknown): DomainError | undefined {
  const { cause } = error as { cause?: { code?: string; constraint_name?: string } };
  if (cause?.code !== "23505") return undefined;
  const [field, what] = cause.constraint_name?.includes("utm")
    ? ["utmSource", "utm_source"]
    : ["directorySlug", "directory slug"];
  return new DomainError("conflict", `Another consumer has this ${what}. Choose a different one.`, {
    details: { field },
  });
}
