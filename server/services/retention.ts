// What must happen now and then to the tables that grow.
import type { Ctx, System } from "../context";
import { ensurePartitions } from "./usage";

const DAY_MS = 86_400_000;
const SENT_MAIL_DAYS = 30;
const DEAD_MAIL_DAYS = 90;
/** They hold an address; the audit keeps that there was one. */
const INVITATION_DAYS = 30;

/**
 * Partitions for the days to come; counters of windows long over, ended sessions, links and invitations past their time,
 * and old mail go.
 * Safe on any instance at any time.
 */
export async function run(ctx: Ctx<System>): Promise<void> {
  const { sql, now } = ctx;
  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS);
  await ensurePartitions(ctx);
  await sql`delete from rate_limits where expire < ${daysAgo(1).getTime()}`;
  await sql`delete from doctor_checks where expires_at <= ${daysAgo(1)}`;
  await sql`delete from sessions where expires_at <= ${now}`;
  // A day longer than they work, so that an old link is still told from an unknown one.
  await sql`delete from account_tokens where expires_at <= ${daysAgo(1)}`;
  await sql`delete from merchant_invitations
    where least(expires_at, accepted_at, withdrawn_at) <= ${daysAgo(INVITATION_DAYS)}`;
  await sql`delete from outbox where sent_at <= ${daysAgo(SENT_MAIL_DAYS)} or dead_at <= ${daysAgo(DEAD_MAIL_DAYS)}`;
}
