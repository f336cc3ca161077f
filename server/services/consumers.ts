// Platforms: their access, limits and coverage.
import { asc, eq } from "drizzle-orm";
import { z } from "zod";
import { consumers } from "../../db/schema/consumers";
import { type Anonymous, type Consumer, type Ctx, type Operator, type Scope, type System, scopes } from "../context";
import { DomainError, notFound } from "../errors";
import * as audit from "./audit";

/** The consumer that a directory endpoint was issued to, for calls without a key. @throws DomainError unknown_endpoint */
export async function byDirectorySlug(ctx: Ctx<Anonymous>, slug: string): Promise<Consumer> {
  const [row] = await ctx.sql<Omit<Consumer, "kind" | "endpoint" | "keyId" | "accountId">[]>`
    select id as "consumerId", slug, tier, coverage, scopes, rate_limit as "rateLimit", utm_source as "utmSource"
    from consumers where directory_slug = ${slug} and state = 'production'`;
  if (!row)
    throw new DomainError("unknown_endpoint", "There is no directory endpoint here. Check the address in the console.");
  return { ...row, kind: "consumer", endpoint: "directory", keyId: null, accountId: null };
}

export type ConsumerRow = typeof consumers.$inferSelect;

export const all = (ctx: Ctx<Operator | System>): Promise<ConsumerRow[]> =>
  ctx.db.select().from(consumers).orderBy(asc(consumers.slug));

/** @param slug as in the console  @throws DomainError not_found */
export async function get(ctx: Ctx<Operator | System>, slug: string): Promise<ConsumerRow> {
  const [consumer] = await ctx.db.select().from(consumers).where(eq(consumers.slug, slug));
  if (!consumer) throw notFound(`consumer "${slug}"`);
  return consumer;
}

const Slug = z
  .string()
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "must be lower-case words joined by hyphens")
  .max(63);

/** What an operator may change; what is left out stays. */
export const ChangeConsumer = z.strictObject({
  rateLimit: z.int().min(1).max(1_000_000).optional(),
  maxKeys: z.int().min(0).max(1000).optional(),
  scopes: z.array(z.enum(scopes)).optional(),
  tier: z.enum(["sandbox", "production"]).optional(),
  coverage: z.enum(["default_on", "explicit"]).optional(),
  utmSource: z.string().trim().min(1).max(100).optional(),
  /** Null withdraws the endpoint. */
  directorySlug: Slug.nullable().optional(),
});

/**
 * Changes a consumer's limits and access; they hold from the next request on. Production needs a `utm_source`: the slug,
 * unless one is given.
 * @throws DomainError not_found, conflict (revoked, or utm_source or directory slug taken)
 */
export async function change(
  ctx: Ctx<Operator>,
  input: { slug: string; set: z.infer<typeof ChangeConsumer> },
): Promise<ConsumerRow> {
  return ctx.db.transaction(async (tx) => {
    const [before] = await tx.select().from(consumers).where(eq(consumers.slug, input.slug)).for("update");
    if (!before) throw notFound(`consumer "${input.slug}"`);
    const { tier, scopes: wanted, ...rest } = input.set;
    if (tier && before.state === "revoked")
      throw new DomainError("conflict", "Access is revoked. Restore it before you change the tier.");
    const state = tier && tier !== before.tier ? tier : before.state;
    const utmSource = rest.utmSource ?? before.utmSource ?? (state === "production" ? before.slug : null);
    const set = { ...rest, state, utmSource, scopes: wanted ? inOrder(wanted) : before.scopes };
    const [after] = await tx
      .update(consumers)
      .set(set)
      .where(eq(consumers.id, before.id))
      .returning()
      .catch((error) => {
        throw taken(error) ?? error;
      });
    await audit.record(ctx, tx, { action: "consumer.change", target: ["consumer", before.id], before, after });
    return after!;
  });
}

const inOrder = (wanted: Scope[]) => scopes.filter((scope) => wanted.includes(scope));

function taken(error: unknown): DomainError | undefined {
  const { cause } = error as { cause?: { code?: string; constraint_name?: string } };
  if (cause?.code !== "23505") return undefined;
  const what = cause.constraint_name?.includes("utm") ? "utm_source" : "directory slug";
  return new DomainError("conflict", `Another consumer has this ${what}. Choose a different one.`);
}
