// What must happen now and then to the tables that grow.
import type { Ctx, System } from "../context";
import { forgetOrphans } from "./feeds/files";
import * as partitions from "./partitions";
import { MINUTE_HOURS } from "./usage-rollup";

const DAY_MS = 86_400_000;
const SENT_MAIL_DAYS = 30;
const DEAD_MAIL_DAYS = 90;
/** They hold an address; the audit keeps that there was one. */
const INVITATION_DAYS = 30;
/** A sign-up that was never confirmed may be of somebody who never heard of us. */
const UNPROVEN_DAYS = 30;
const FAILURE_DAYS = 30;
/** Longer than the longest range that the Usage page offers of each. */
const ROLLUP_DAYS = { minute: MINUTE_HOURS / 24, hour: 35, day: 400 };

/**
 * Partitions for the days to come; requests and usage beyond their time, counters of windows long over, ended sessions,
 * links and invitations past their time, sign-ups that were never confirmed, old mail, and languages that no store is indexed
 * in go. Safe on any instance at any time.
 */
export async function run(ctx: Ctx<System>): Promise<void> {
  const { sql, now } = ctx;
  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS);
  await partitions.make(sql, now);
  await sql`delete from rate_limits where expire < ${daysAgo(1).getTime()}`;
  await sql`delete from doctor_checks where expires_at <= ${daysAgo(1)}`;
  await sql`delete from sessions where expires_at <= ${now}`;
  // A day longer than they work, so that an old link is still told from an unknown one.
  await sql`delete from account_tokens where expires_at <= ${daysAgo(1)}`;
  // So do the mails to addresses that were asked for, though they may never have been proved (`accounts.changeEmail`).
  await sql`delete from outbox where template = 'email-change-confirm' and created_at <= ${daysAgo(2)}`;
  await sql`delete from merchant_invitations
    where least(expires_at, accepted_at, withdrawn_at) <= ${daysAgo(INVITATION_DAYS)}`;
  await sql`delete from accounts a
    where email_verified_at is null and created_at <= ${daysAgo(UNPROVEN_DAYS)} and not is_operator
      and not exists (select from account_tokens t where t.account_id = a.id and t.used_at is null)
      and not exists (select from members m where m.account_id = a.id)
      and not exists (select from merchant_members m where m.account_id = a.id)`;
  await sql`delete from outbox where sent_at <= ${daysAgo(SENT_MAIL_DAYS)} or dead_at <= ${daysAgo(DEAD_MAIL_DAYS)}`;
  await sql`delete from failures where at <= ${daysAgo(FAILURE_DAYS)}`;
  await forgetOrphans(ctx, daysAgo(1));
  await forgetRollups(ctx);
  await forgetLanguages(ctx);
  await partitions.dropOld(sql, now);
}

/** Each costs every search a little (decision 0043). */
async function forgetLanguages({ sql }: Pick<Ctx, "sql">): Promise<void> {
  const unused = sql`not exists (select from stores s where l.language = any (s.index_languages))`;
  const [found] = await sql`select from search_languages l where ${unused} limit 1`;
  if (!found) return;
  await sql.begin(async (tx) => {
    // Whoever is giving a store one of them has a lock until it has it; who comes later adds it again.
    await tx`lock table search_languages in share row exclusive mode`;
    await tx`delete from search_languages l where ${unused}`;
  });
}

/** A thousand consumers leave millions of rows by the minute: they go in pieces, each within the statement timeout. */
async function forgetRollups({ sql, now }: Pick<Ctx, "sql" | "now">): Promise<void> {
  const PIECE = 20_000;
  for (const [grain, days] of Object.entries(ROLLUP_DAYS)) {
    const before = new Date(now.getTime() - days * DAY_MS);
    let gone = PIECE;
    while (gone === PIECE) {
      const deleted = await sql`
        delete from usage_rollups where ctid = any (array(
          select ctid from usage_rollups where grain = ${grain} and at < ${before} limit ${PIECE}))`;
      gone = deleted.count;
    }
  }
}
