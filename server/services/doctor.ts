// The client doctor: one-time addresses, and what clients sent to them. No secret is ever stored: of a key only its form.
import { randomBytes } from "node:crypto";
import { and, desc, eq } from "drizzle-orm";
import { doctorChecks, doctorVisits } from "../../db/schema/doctor";
import { MINUTE_MS } from "../clock";
import type { Anonymous, Ctx, Member } from "../context";
import { DomainError } from "../errors";
import { hashOf } from "./accounts/tokens";
import * as audit from "./audit";

const MINUTES = 15;
const MAX_REQUESTS = 20;

export type Verdict = "passed" | "failed" | "not_reached";

/** A rule of the refusal table, as a request met it. */
export interface Rule {
  id: string;
  verdict: Verdict;
  /** What was seen, where it helps. */
  note: string | null;
}

export interface Report {
  status: number;
  /** The refusal's code; null for an answer. */
  code: string | null;
  /** Names and values, without secrets, in the order in which they are shown. */
  arrived: [name: string, value: string][];
  rules: Rule[];
}

/** Opens an address; the member's earlier one for this consumer ends. The token is in this answer and nowhere else. */
export async function open(ctx: Ctx<Member>): Promise<{ token: string; expiresAt: Date }> {
  const { consumerId, accountId } = ctx.actor;
  const token = randomBytes(24).toString("base64url");
  const expiresAt = new Date(ctx.now.getTime() + MINUTES * MINUTE_MS);
  await ctx.db.transaction(async (tx) => {
    await tx
      .delete(doctorChecks)
      .where(and(eq(doctorChecks.consumerId, consumerId), eq(doctorChecks.accountId, accountId)));
    const fresh = { tokenHash: hashOf(token), createdAt: ctx.now, expiresAt, requests: 0 };
    const [row] = await tx
      .insert(doctorChecks)
      .values({ consumerId, accountId, ...fresh })
      // Opened at the same moment: the later one stays.
      .onConflictDoUpdate({ target: [doctorChecks.accountId, doctorChecks.consumerId], set: fresh })
      .returning({ id: doctorChecks.id });
    await audit.record(ctx, tx, { action: "doctor.open", target: ["doctor_check", row!.id] });
  });
  return { token, expiresAt };
}

export interface OpenCheck {
  id: string;
  consumerId: string;
}

/**
 * Counts a request to an address. Whoever knows the token may send.
 * @throws DomainError unknown_endpoint: there is none, its time is over, or its requests are
 */
export async function admit(ctx: Ctx<Anonymous>, token: string): Promise<OpenCheck> {
  const [check] = await ctx.sql<OpenCheck[]>`
    update doctor_checks set requests = requests + 1
    where token_hash = ${hashOf(token)} and expires_at > ${ctx.now} and requests < ${MAX_REQUESTS}
    returning id, consumer_id as "consumerId"`;
  if (check) return check;
  throw new DomainError(
    "unknown_endpoint",
    `This client doctor address has closed: it is open for ${MINUTES} minutes and ${MAX_REQUESTS} requests. Open another in the console.`,
  );
}

/** Keeps what was found of one request. */
export async function record(ctx: Ctx<Anonymous>, input: { check: OpenCheck; report: Report }): Promise<void> {
  const { status, code, arrived, rules } = input.report;
  await ctx.db
    .insert(doctorVisits)
    .values({ id: ctx.requestId, checkId: input.check.id, at: ctx.now, status, code, arrived, rules })
    // Another address was opened meanwhile: nobody looks at the old one.
    .catch((error) => {
      if ((error as { cause?: { code?: string } }).cause?.code !== "23503") throw error;
    });
}

export interface Check {
  createdAt: Date;
  expiresAt: Date;
  isOpen: boolean;
  requests: number;
  maximum: number;
  /** Newest first. */
  visits: (Report & { requestId: string; at: Date })[];
}

/** The member's own check for this consumer; null where there is none. */
export async function read(ctx: Ctx<Member>): Promise<Check | null> {
  const { consumerId, accountId } = ctx.actor;
  const [check] = await ctx.db
    .select()
    .from(doctorChecks)
    .where(and(eq(doctorChecks.consumerId, consumerId), eq(doctorChecks.accountId, accountId)));
  if (!check) return null;
  const visits = await ctx.db
    .select()
    .from(doctorVisits)
    .where(eq(doctorVisits.checkId, check.id))
    .orderBy(desc(doctorVisits.at), desc(doctorVisits.id))
    .limit(MAX_REQUESTS);
  const { createdAt, expiresAt, requests } = check;
  return {
    createdAt,
    expiresAt,
    isOpen: expiresAt > ctx.now && requests < MAX_REQUESTS,
    requests,
    maximum: MAX_REQUESTS,
    visits: visits.map(({ id, at, status, code, arrived, rules }) => ({
      requestId: id,
      at,
      status,
      code,
      arrived: arrived as Report["arrived"],
      rules: rules as Rule[],
    })),
  };
}
