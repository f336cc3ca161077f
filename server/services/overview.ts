// What a member sees first: where the consumer stands, its limits and what is used of them, the last 24 hours.
import { and, asc, eq, sql as raw } from "drizzle-orm";
import { consumers } from "../../db/schema/consumers";
import { keys } from "../../db/schema/keys";
import type { Ctx, Member, Operator, Owner, Scope } from "../context";
import { DomainError, notFound } from "../errors";
import * as audit from "./audit";
import { requireMine } from "./key-keeper";
import { countActive, expiresSoon } from "./key-state";
import { lockConsumer, requireStillOwner } from "./owners";
import { demoStore } from "./playground";
import * as terms from "./terms";
import * as usage from "./usage-report";

export interface Overview {
  name: string;
  slug: string;
  state: (typeof consumers.$inferSelect)["state"];
  revokedFrom: (typeof consumers.$inferSelect)["revokedFrom"];
  tier: "sandbox" | "production";
  coverage: "default_on" | "explicit";
  scopes: Scope[];
  utmSource: string | null;
  /** Of an endpoint that answers. */
  directorySlug: string | null;
  /** What the operator decided last, and why, if a reason was given. */
  decision: { at: Date; reason: string | null } | null;
  limits: {
    /** Requests per minute over all keys, and how many of this minute's are used. */
    rate: { limit: number; used: number; resetSeconds: number };
    keys: { maximum: number; active: number };
  };
  /** Keys that are still used and expire within seven days, the next one first. */
  expiring: { name: string; start: string; end: string; expiresAt: Date }[];
  terms: { accepted: string | null; current: string };
  /** Oldest first, one entry an hour, UTC. */
  lastDay: (usage.Counts & { at: Date })[];
  /** The first successful tool call ever, in sandbox or later. */
  firstCallAt: Date | null;
  /** What a sandbox reads. */
  hasDemoStore: boolean;
  production: { offered: boolean; missing: string | null };
}

/** @throws DomainError not_found */
export async function read(ctx: Ctx<Member>): Promise<Overview> {
  const [{ consumer, ...rightNow }, expiring, lastDay, firstCallAt, demoStoreId] = await Promise.all([
    present(ctx, ctx.actor.consumerId),
    expiringKeys(ctx),
    usage.lastDay(ctx),
    usage.firstCall(ctx),
    demoStore(ctx),
  ]);
  const hasDemoStore = demoStoreId !== null;
  const missing = whatIsMissing(consumer.state, { firstCallAt, hasDemoStore });
  return {
    name: consumer.name,
    slug: consumer.slug,
    state: consumer.state,
    revokedFrom: consumer.revokedFrom,
    tier: consumer.tier,
    coverage: consumer.coverage,
    scopes: consumer.scopes,
    utmSource: consumer.utmSource,
    directorySlug: consumer.state === "production" ? consumer.directorySlug : null,
    decision: consumer.decidedAt ? { at: consumer.decidedAt, reason: consumer.decisionReason } : null,
    ...rightNow,
    expiring,
    lastDay,
    firstCallAt,
    hasDemoStore,
    production: { offered: consumer.state === "sandbox" && missing === null, missing },
  };
}

/**
 * What a consumer uses of its limits, and what else new keys of it depend on: of the member's own, or of any, for operators.
 * @throws DomainError not_found
 */
export async function inUse(
  ctx: Ctx<Member | Operator>,
  input: { consumerId: string },
): Promise<Pick<Overview, "limits" | "terms" | "scopes" | "state">> {
  requireMine(ctx, input.consumerId);
  const { consumer, ...rightNow } = await present(ctx, input.consumerId);
  return { ...rightNow, scopes: consumer.scopes, state: consumer.state };
}

async function present(ctx: Pick<Ctx, "db" | "now" | "limits">, consumerId: string) {
  const [[consumer], active, rate, current] = await Promise.all([
    ctx.db.select().from(consumers).where(eq(consumers.id, consumerId)),
    countActive(ctx, consumerId),
    ctx.limits.consumerUse(consumerId),
    terms.currentVersion(ctx),
  ]);
  if (!consumer) throw notFound("consumer");
  const { rateLimit: limit, maxKeys: maximum, termsVersion: accepted } = consumer;
  return {
    consumer,
    limits: { rate: { ...rate, limit, used: Math.min(rate.used, limit) }, keys: { maximum, active } },
    terms: { accepted, current },
  };
}

async function expiringKeys({ db, now, actor }: Ctx<Member>): Promise<Overview["expiring"]> {
  const rows = await db
    .select({ name: keys.name, start: keys.start, end: keys.end, expiresAt: keys.expiresAt })
    .from(keys)
    .where(and(eq(keys.consumerId, actor.consumerId), expiresSoon(now)))
    .orderBy(asc(keys.expiresAt), asc(keys.id));
  return rows.map((row) => ({ ...row, expiresAt: row.expiresAt! }));
}

/**
 * Asks for production access: in sandbox, once the integration has worked.
 * @throws DomainError forbidden, conflict (with what is missing)
 */
export async function requestProduction(ctx: Ctx<Owner>): Promise<void> {
  const { consumerId } = ctx.actor;
  // In sandbox every store that answers is the demo store, so any answer from a store counts.
  const [firstCallAt, demoStoreId] = await Promise.all([usage.firstCall(ctx), demoStore(ctx)]);
  await ctx.db.transaction(async (tx) => {
    const consumer = await lockConsumer(tx, consumerId);
    await requireStillOwner(tx, ctx.actor);
    const missing = whatIsMissing(consumer.state, { firstCallAt, hasDemoStore: demoStoreId !== null });
    if (missing) throw new DomainError("conflict", missing);
    if (consumer.state === "production")
      throw new DomainError("conflict", "This platform already has production access.");
    if (consumer.state !== "sandbox")
      throw new DomainError("conflict", "Production access has already been requested.");
    await tx
      .update(consumers)
      .set({ state: "production_requested", stateSince: ctx.now, version: raw`${consumers.version} + 1` })
      .where(eq(consumers.id, consumerId));
    await audit.record(ctx, tx, {
      action: "production.request",
      target: ["consumer", consumerId],
      before: { state: consumer.state },
      after: { state: "production_requested" },
    });
  });
}

/** Why production cannot be asked for now; null when it can, or was. */
function whatIsMissing(
  state: Overview["state"],
  { firstCallAt, hasDemoStore }: Pick<Overview, "firstCallAt" | "hasDemoStore">,
): string | null {
  if (state === "under_review")
    return `The application is under review. Once it is approved, call a tool${hasDemoStore ? " on the demo store" : ""}.`;
  if (state === "revoked") return "Access was revoked. The decision and its reason are shown above.";
  if (state === "sandbox" && !hasDemoStore)
    return "There is no demo store yet to call a tool on. An operator loads it.";
  if (state === "sandbox" && !firstCallAt)
    return "Call a tool successfully on the demo store first, in the Playground or with a key.";
  return null;
}
