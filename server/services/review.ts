// What operators decide of platforms: who waits, from what to judge, and each decision. A decision holds for what was
// shown: it carries the consumer's version, and whoever comes second is told who came first. What the application says is
// its owners' to change under review: an approval carries that, too, and to reject it holds whatever they write.
import { and, asc, desc, eq, inArray, sql as raw } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../db/client";
import { accounts } from "../../db/schema/accounts";
import { applications, consumers } from "../../db/schema/consumers";
import type { Ctx, Operator } from "../context";
import { DomainError } from "../errors";
import type { Action } from "./audit";
import {
  type ConsumerRow,
  changedSince,
  type Decided,
  enact,
  fields,
  lock,
  revocation,
  tellDecision,
  type Wanted,
} from "./consumers";
import type { DomainEvidence } from "./domain-match";
import { Cursor, typed } from "./fields";
import { requireOne } from "./owners";
import { type Neighbours, pageOf, turnOf } from "./pages";

const isWaiting = inArray(consumers.state, ["under_review", "production_requested"]);

/** How many applications and production requests wait for a decision. */
export const countWaiting = (ctx: Ctx<Operator>): Promise<number> => ctx.db.$count(consumers, isWaiting);

export interface Waiting {
  slug: string;
  name: string;
  /** What is asked for. */
  state: "under_review" | "production_requested";
  since: Date;
  company: string;
  platform: string;
  /** Null where the applicant's account is gone. */
  domain: DomainEvidence | null;
  expectedRequestsPerDay: number;
}

const PAGE = 50;

export const ReviewQueue = z.strictObject({ cursor: Cursor });

/** Who waits, the longest first, a page at a time. @throws DomainError cursor_invalid, invalid_arguments */
export async function queue(
  ctx: Ctx<Operator>,
  input: z.infer<typeof ReviewQueue>,
): Promise<Neighbours & { waiting: Waiting[] }> {
  const query = { list: "review", ...input };
  const turn = turnOf(ctx, query, ["string", "string"]);
  const { key, back } = turn;
  const beyond =
    key &&
    raw`(${consumers.stateSince}, ${consumers.id}) ${raw.raw(back ? "<" : ">")} (${key[0]}::timestamptz, ${key[1]}::uuid)`;
  const direction = back ? desc : asc;
  const found = await ctx.db
    .select({
      consumer: consumers,
      application: applications,
      email: accounts.email,
      // To the microsecond: a Date would skip or repeat what came in one millisecond.
      exactly: raw<string>`${consumers.stateSince}::text`,
    })
    .from(consumers)
    .innerJoin(applications, eq(applications.consumerId, consumers.id))
    .leftJoin(accounts, eq(accounts.id, applications.accountId))
    .where(and(isWaiting, beyond))
    .orderBy(direction(consumers.stateSince), direction(consumers.id))
    .limit(PAGE + 1);
  const { judgeDomains } = await import("./domain-match");
  const keyOf = ({ exactly, consumer }: (typeof found)[number]) => [exactly, consumer.id];
  const { rows, ...neighbours } = pageOf(ctx, query, turn, { found, limit: PAGE, keyOf });
  return {
    ...neighbours,
    waiting: rows.map(({ consumer, application, email }) => ({
      slug: consumer.slug,
      name: consumer.name,
      state: consumer.state as Waiting["state"],
      since: consumer.stateSince,
      company: application.company,
      platform: application.platform,
      domain: email === null ? null : judgeDomains(email, application.website),
      expectedRequestsPerDay: application.expectedRequestsPerDay,
    })),
  };
}

export interface Evidence {
  application: Omit<typeof applications.$inferSelect, "id" | "accountId" | "consumerId"> | null;
  /** Who applied; null where the account is gone. */
  applicant: { name: string; email: string; since: Date } | null;
  domain: DomainEvidence | null;
}

/** What the applicant wrote, and how the domain rule judges it; nulls for a consumer made without an application. */
export async function evidence(ctx: Ctx<Operator>, input: { consumerId: string }): Promise<Evidence> {
  const [found] = await ctx.db
    .select({
      application: applications,
      applicant: { name: accounts.name, email: accounts.email, since: accounts.createdAt },
    })
    .from(applications)
    .leftJoin(accounts, eq(accounts.id, applications.accountId))
    .where(eq(applications.consumerId, input.consumerId));
  if (!found) return { application: null, applicant: null, domain: null };
  const { id: _id, accountId: _account, consumerId: _consumer, ...application } = found.application;
  const { judgeDomains } = await import("./domain-match");
  const domain = found.applicant && judgeDomains(found.applicant.email, application.website);
  return { application, applicant: found.applicant, domain };
}

/** The version that the operator decides about. */
const shown = { slug: z.string().max(63), version: z.coerce.number().int() };
const Reason = typed(2000, "Give a reason: the developer sees it.");

export const Decision = z.strictObject(shown);
export const ApproveSandbox = Decision.extend({
  /** When the application was last changed, as it was shown. */
  applicationUpdatedAt: z.coerce.date().optional(),
});
export const DecisionWithReason = z.strictObject({ ...shown, reason: Reason });
export const ApproveProduction = z.strictObject({ ...shown, ...fields });

/**
 * Under review → sandbox: the owner may issue keys.
 * @throws DomainError not_found, conflict (decided, or the application changed, since it was shown)
 */
export const approveSandbox = (
  ctx: Ctx<Operator>,
  { applicationUpdatedAt, ...input }: z.infer<typeof ApproveSandbox>,
): Promise<void> =>
  decide(ctx, input, {
    asRead: applicationUpdatedAt,
    action: "application.approve",
    from: ["under_review"],
    set: () => ({ state: "sandbox", decisionReason: null }),
    template: () => "application-approved",
  });

/** Production requested → production, with what is set for it; the merchants are told. @throws DomainError not_found, conflict */
export async function approveProduction(ctx: Ctx<Operator>, input: z.infer<typeof ApproveProduction>): Promise<void> {
  const { slug, version, ...access } = input;
  await decide(
    ctx,
    { slug, version },
    {
      action: "production.approve",
      from: ["production_requested"],
      set: () => ({ ...access, state: "production", decisionReason: null }),
      template: () => "production-approved",
    },
  );
}

/** Production requested → sandbox, which keeps working; an owner may ask again. @throws DomainError not_found, conflict */
export const decline = (ctx: Ctx<Operator>, input: z.infer<typeof DecisionWithReason>): Promise<void> =>
  decide(ctx, input, {
    action: "production.decline",
    from: ["production_requested"],
    set: () => ({ state: "sandbox", decisionReason: input.reason }),
    template: () => "production-declined",
    reason: input.reason,
  });

/**
 * Any state → revoked: every key and the directory endpoint are refused from the next request on.
 * @throws DomainError not_found, conflict
 */
export const reject = (ctx: Ctx<Operator>, input: z.infer<typeof DecisionWithReason>): Promise<void> =>
  decide(ctx, input, {
    action: "application.reject",
    from: ["under_review", "sandbox", "production_requested", "production"],
    set: ({ state }) => ({
      state: "revoked",
      revokedFrom: state as ConsumerRow["revokedFrom"],
      decisionReason: input.reason,
    }),
    // Who never had access is not told that it was taken.
    template: ({ state }) => (state === "under_review" ? "application-declined" : "access-revoked"),
    reason: input.reason,
  });

/** Revoked → what it was. A consumer without an owner stays revoked. @throws DomainError not_found, conflict */
export const restore = (ctx: Ctx<Operator>, input: z.infer<typeof Decision>): Promise<void> =>
  decide(ctx, input, {
    action: "consumer.restore",
    from: ["revoked"],
    // What it comes back to was decided when it came there first.
    set: async ({ id, revokedFrom }, tx) => ({
      ...{ state: revokedFrom!, revokedFrom: null },
      ...(await revocation(tx, id)).decided,
    }),
    needsOwner: true,
    template: ({ revokedFrom }) => (revokedFrom === "under_review" ? "application-restored" : "access-restored"),
  });

interface Deciding {
  /** When the application that it rests on was last changed. */
  asRead?: Date | undefined;
  action: Action;
  from: ConsumerRow["state"][];
  set: (before: ConsumerRow, tx: Database) => Wanted | Promise<Wanted>;
  needsOwner?: true;
  template: (before: ConsumerRow) => Decided;
  reason?: string;
}

async function decide(
  ctx: Ctx<Operator>,
  { slug, version }: z.infer<typeof Decision>,
  { asRead, action, from, set, needsOwner, template, reason }: Deciding,
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const before = await lock(tx, { slug, version });
    if (asRead) await requireAsRead(tx, before.id, asRead);
    if (!from.includes(before.state)) {
      throw new DomainError("conflict", `This cannot be decided now: ${standing[before.state]}`);
    }
    if (needsOwner) await requireOne(tx, before.id, "It has no owner. Add one under Members, then restore it.");
    await enact(ctx, tx, { action, before, set: { decidedAt: ctx.now, ...(await set(before, tx)) } });
    await tellDecision(ctx, tx, before, { news: template(before), reason });
  });
}

/** Owners change it under the lock of the consumer's row. */
async function requireAsRead(tx: Database, consumerId: string, asRead: Date): Promise<void> {
  const [application] = await tx
    .select({ updatedAt: applications.updatedAt })
    .from(applications)
    .where(eq(applications.consumerId, consumerId));
  if (application?.updatedAt.getTime() !== asRead.getTime())
    throw await changedSince(tx, consumerId, ["application.edit"], application?.updatedAt);
}

const standing: Record<ConsumerRow["state"], string> = {
  under_review: "the application is under review.",
  sandbox: "the platform is in sandbox, and nothing is requested.",
  production_requested: "production access has been requested.",
  production: "the platform is in production.",
  revoked: "the platform has no access.",
};
