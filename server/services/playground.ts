// The Playground: a member's way to their consumer's tools without a key. It spends a limit of its own, not the consumer's.
import { eq } from "drizzle-orm";
import { z } from "zod";
import { consumers } from "../../db/schema/consumers";
import { stores } from "../../db/schema/merchants";
import type { Consumer, Ctx, Member, Scope } from "../context";
import { DomainError, notFound } from "../errors";
import { refuseKey } from "./key-admission";
import * as settings from "./settings";

const MAX_ARGUMENTS = 250_000;

export const RunTool = z.strictObject({
  tool: z.string().min(1, "Choose a tool.").max(100),
  /** JSON text, sent on as it was typed. */
  arguments: z
    .string()
    .max(MAX_ARGUMENTS, `The arguments may be at most ${MAX_ARGUMENTS} characters.`)
    .superRefine((text, ctx) => {
      const problem = jsonProblem(text);
      if (problem) ctx.addIssue({ code: "custom", message: problem });
    }),
  /** Answer as the consumer's directory endpoint would. */
  asDirectory: z.boolean(),
});
export type RunTool = z.infer<typeof RunTool>;

/** One call as it went over the wire, had it gone over one. */
export interface ToolRun {
  requestId: string;
  request: { headers: Record<string, string>; body: string };
  response: { status: number; headers: Record<string, string>; body: string; bytes: number };
  /** Milliseconds at the server, as its usage row has them. */
  ms: number;
}

function jsonProblem(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return `This is not JSON: ${(error as SyntaxError).message.replace(/^JSON\.parse: /, "").slice(0, 200)}.`;
  }
}

/**
 * The consumer that a member runs tools as. Its limit is the Playground's.
 * @throws DomainError not_found, invalid_token (access revoked), conflict (the application is under review), unknown_endpoint
 *   (nothing to answer as)
 */
export async function asConsumer(ctx: Ctx<Member>, as: { directory: boolean }): Promise<Consumer> {
  const { consumerId, accountId } = ctx.actor;
  const [[row], { playgroundRateLimit }] = await Promise.all([
    ctx.db.select().from(consumers).where(eq(consumers.id, consumerId)),
    settings.current(ctx),
  ]);
  if (!row) throw notFound("consumer");
  if (row.state === "under_review")
    throw new DomainError(
      "conflict",
      "The application is under review. The Playground runs tools once it is approved.",
    );
  if (row.state === "revoked") throw refuseKey("access_revoked");
  if (as.directory && !(row.directorySlug && row.state === "production")) {
    throw new DomainError("unknown_endpoint", "This platform has no directory endpoint. An operator issues it.");
  }
  return {
    kind: "consumer",
    consumerId,
    slug: row.slug,
    tier: row.tier,
    coverage: row.coverage,
    scopes: row.scopes,
    rateLimit: playgroundRateLimit,
    utmSource: row.utmSource,
    endpoint: "playground",
    asDirectory: as.directory,
    keyId: null,
    accountId,
  };
}

export interface Playground {
  consumerId: string;
  state: (typeof consumers.$inferSelect)["state"];
  scopes: Scope[];
  /** Null where the consumer has no directory endpoint that answers. */
  directorySlug: string | null;
  /** Null where no demo store is loaded. */
  demoStoreId: string | null;
  /** Calls per minute over all members, and what of this minute's is used. */
  rate: { limit: number; used: number; resetSeconds: number };
}

/** What the Playground's page shows before anything is run. @throws DomainError not_found */
export async function read(ctx: Ctx<Member>): Promise<Playground> {
  const { consumerId } = ctx.actor;
  const [[row], { playgroundRateLimit: limit }, demoStoreId, { used, resetSeconds }] = await Promise.all([
    ctx.db.select().from(consumers).where(eq(consumers.id, consumerId)),
    settings.current(ctx),
    demoStore(ctx),
    ctx.limits.playgroundUse(consumerId),
  ]);
  if (!row) throw notFound("consumer");
  return {
    consumerId,
    state: row.state,
    scopes: row.scopes,
    directorySlug: row.state === "production" ? row.directorySlug : null,
    demoStoreId,
    rate: { limit, used: Math.min(used, limit), resetSeconds },
  };
}

/** The id of the demo store that examples are about; null where none is loaded. */
export async function demoStore({ db }: Pick<Ctx, "db">): Promise<string | null> {
  const [store] = await db.select({ id: stores.id }).from(stores).where(eq(stores.isDemo, true)).limit(1);
  return store?.id ?? null;
}
