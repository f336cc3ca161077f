// What must happen now and then: to the tables that grow, and to the dates of the demo.
import type { Sql } from "../../db/client";
import { DAY_MS } from "../clock";
import type { Ctx, System } from "../context";
import * as demoDates from "./demo-dates";
import { each } from "./each";
import { forgetOrphans } from "./feeds/files";
import * as partitions from "./partitions";
import { MINUTE_HOURS } from "./usage-rollup";

export const SENT_MAIL_DAYS = 30;
export const DEAD_MAIL_DAYS = 90;
/** They hold an address; the audit keeps that there was one. */
const INVITATION_DAYS = 30;
/** A sign-up that was never confirmed may be of somebody who never heard of us. */
export const UNPROVEN_DAYS = 30;
const FAILURE_DAYS = 30;
/** They quote a merchant's rows; the counts of a load stay. */
const ISSUE_DAYS = 90;
/** Longer than the longest range that the Usage page offers of each. */
export const ROLLUP_DAYS = { minute: MINUTE_HOURS / 24, hour: 35, day: 400 };

/** How many rows one statement deletes. */
const PIECE = 20_000;
/** Fewer, since they are large. */
const ISSUES_PIECE = 200;
/** Fewer, since each is looked for in every table that may name it. */
const ACCOUNTS_PIECE = 500;

function steps(ctx: Ctx<System>): Record<string, () => Promise<void>> {
  const { sql, now } = ctx;
  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS);
  return {
    "days of usage_events that are over": () => partitions.dropOld(sql, "usage_events", now),
    "days of request_arguments that are over": () => partitions.dropOld(sql, "request_arguments", now),
    "days to come": () => partitions.make(sql, now),
    "counters of windows long over": () => forget(sql, "rate_limits", sql`expire < ${daysAgo(1).getTime()}`),
    "visits of the client doctor": () => forget(sql, "doctor_checks", sql`expires_at <= ${daysAgo(1)}`),
    "ended sessions": () => forget(sql, "sessions", sql`expires_at <= ${now}`),
    // A day longer than they work, so that an old link is still told from an unknown one.
    "links past their time": () => forget(sql, "account_tokens", sql`expires_at <= ${daysAgo(1)}`),
    "second factors that were not set up": () =>
      forget(sql, "second_factors", sql`enabled_at is null and created_at <= ${daysAgo(1)}`),
    // About as long as the links in them work: their addresses may never have been proved (`accounts.changeEmail`).
    "mails to unproved addresses": () =>
      forget(sql, "outbox", sql`template in ('email-change-confirm', 'verify') and created_at <= ${daysAgo(2)}`),
    "mails that were sent or given up": () =>
      forget(sql, "outbox", sql`sent_at <= ${daysAgo(SENT_MAIL_DAYS)} or dead_at <= ${daysAgo(DEAD_MAIL_DAYS)}`),
    "invitations past their time": () =>
      forget(
        sql,
        "merchant_invitations",
        sql`least(expires_at, accepted_at, withdrawn_at) <= ${daysAgo(INVITATION_DAYS)}`,
      ),
    "sign-ups that were never confirmed": () =>
      forgetAccounts(
        sql,
        sql`email_verified_at is null and created_at <= ${daysAgo(UNPROVEN_DAYS)} and not is_operator
          and not exists (select from account_tokens t where t.account_id = old.id and t.used_at is null)
          and not exists (select from members m where m.account_id = old.id)
          and not exists (select from merchant_members m where m.account_id = old.id)`,
      ),
    "feed files that no load was made of": async () => void (await forgetOrphans({ sql }, daysAgo(1))),
    "issues of old loads": () => forgetIssues(sql, daysAgo(ISSUE_DAYS)),
    "internal errors": () => forget(sql, "failures", sql`at <= ${daysAgo(FAILURE_DAYS)}`),
    "usage rollups": async () => {
      for (const [grain, days] of Object.entries(ROLLUP_DAYS))
        await forget(sql, "usage_rollups", sql`grain = ${grain} and at < ${daysAgo(days)}`);
    },
    "languages that no store is indexed in": () => forgetLanguages(sql),
    "dates of the demo": () => demoDates.renew(ctx),
  };
}

/**
 * Every step is taken by itself: one that fails keeps none of the others back. Safe on any instance at any time.
 * @throws AggregateError with what failed, by the step's name
 */
export async function run(ctx: Ctx<System>): Promise<void> {
  await each(Object.entries(steps(ctx)));
}

/**
 * In pieces, each within the statement timeout. A row that somebody has locked may still be needed: it waits for the next run.
 * @param which rows of the table, which is called `old` there
 */
const forget = (sql: Sql, table: string, which: ReturnType<Sql>): Promise<void> =>
  inPieces(PIECE, async () => {
    const { count } = await sql`
      delete from ${sql(table)} where ctid = any (array(
        select ctid from ${sql(table)} old where ${which} limit ${PIECE} for update skip locked))`;
    return count;
  });

/** @param some does so many at most, and says how many it did */
async function inPieces(most: number, some: () => Promise<number>): Promise<void> {
  while ((await some()) === most);
}

/**
 * Locked first, and then asked again: whoever sent a new link meanwhile held the account for it, and a statement does not see what was
 * done between its beginning and its lock. Mails to them go too: their addresses were never proved.
 */
const forgetAccounts = (sql: Sql, which: ReturnType<Sql>): Promise<void> =>
  inPieces(ACCOUNTS_PIECE, () =>
    sql.begin(async (tx) => {
      const locked = await tx<{ id: string }[]>`
        select id from accounts old where ${which} limit ${ACCOUNTS_PIECE} for update skip locked`;
      await tx`
        with gone as (
          delete from accounts old where id = any (${locked.map(({ id }) => id)}) and ${which} returning email)
        delete from outbox where template in ('verify', 'reset') and recipient in (select email from gone)`;
      return locked.length;
    }),
  );

/** Of each store those of the load that it shows, and of the last that was asked for, stay. */
const forgetIssues = (sql: Sql, before: Date): Promise<void> =>
  inPieces(ISSUES_PIECE, async () => {
    const { count } = await sql`
      update feed_loads set issues = '[]' where id = any (array(
        select id from feed_loads old where finished_at <= ${before} and issues <> '[]'
          and exists (select from feed_loads l where l.store_id = old.store_id and l.id > old.id)
          and (outcome <> 'loaded' or exists (
            select from feed_loads l where l.store_id = old.store_id and l.outcome = 'loaded' and l.finished_at > old.finished_at))
        limit ${ISSUES_PIECE} for update skip locked))`;
    return count;
  });

/** Each costs every search a little (decision 0043). */
async function forgetLanguages(sql: Sql): Promise<void> {
  const unused = sql`not exists (select from stores s where l.language = any (s.index_languages))`;
  const [found] = await sql`select from search_languages l where ${unused} limit 1`;
  if (!found) return;
  await sql.begin(async (tx) => {
    // Whoever is giving a store one of them has a lock until it has it; who comes later adds it again.
    await tx`lock table search_languages in share row exclusive mode`;
    await tx`delete from search_languages l where ${unused}`;
  });
}
