// How the parts that work in the background stand: what a metrics scrape shows of the database.
import { MINUTE_MS } from "../clock";
import type { Core, Ctx, Operator } from "../context";
import { demoStore } from "./playground";

interface Outbox {
  /** Mails that wait, and those of them that were refused more than once and whose next try is still to come. */
  waiting: number;
  retrying: number;
  /** How long the others wait though they are due, at most (s). */
  overdueSeconds: number;
  /** Mails that were given up. */
  dead: number;
}

export interface Usage {
  /** Requests that are not counted yet. */
  pending: number;
  /** How long ago the oldest minute began that is not in the rollups (s). */
  foldedSecondsAgo: number;
  /** Statements whose requests should have been recorded as interrupted. */
  overdue: number;
}

/** What a scrape shows where the database answers all of it. */
export interface Standing {
  outbox: Outbox;
  usage: Usage;
  /** By queue and state; of those that failed, only such as came after the last one that was done. */
  jobs: { queue: string; state: string; jobs: number }[];
  /** This service's connections, of all instances, by who holds them and what they do. */
  connections: { name: string; state: string; connections: number }[];
  /** How long the oldest transaction of any client goes on (s): until it ends, no row is cleared away that it may see. */
  oldestTransactionSeconds: number;
}

/** By then another instance has recorded what a killed one left behind. */
const OVERDUE_S = 180;

/** Asks all of it at once, in five queries. */
export async function standing({ sql }: Pick<Core, "sql">): Promise<Standing> {
  const [outbox, [usage], jobs, connections, [oldest]] = await Promise.all([
    outboxNow(sql),
    sql<Usage[]>`
      select (select coalesce(sum(times), 0)::int from usage_pending) as pending,
        (select coalesce(extract(epoch from now() - min(at)), 0)::float8 from usage_recent) as "foldedSecondsAgo",
        (select count(*)::int from usage_begun where at < now() - make_interval(secs => ${OVERDUE_S})) as overdue`,
    jobsByState(sql),
    sql<Standing["connections"]>`
      select split_part(application_name, ' ', 1) || case when application_name like '% jobs' then ' jobs' else '' end as name,
        coalesce(state, 'unknown') as state, count(*)::int as connections
      from pg_stat_activity where datname = current_database() and application_name like 'aisle%' group by 1, 2`,
    sql<[{ seconds: number }]>`
      select coalesce(extract(epoch from clock_timestamp() - min(xact_start)), 0)::float8 as seconds
      from pg_stat_activity where datname = current_database() and backend_type = 'client backend'`,
  ]);
  return {
    outbox,
    usage: usage!,
    jobs: [...jobs],
    connections: [...connections],
    oldestTransactionSeconds: oldest.seconds,
  };
}

/** Mail that is due for so long does not go out by itself any more; the alert "mail stuck" says the same. */
const LATE_MS = 15 * MINUTE_MS;

export interface Lacks {
  demoStore: boolean;
  /** How many mails wait, and since when the oldest of those that are due does. */
  mail: { waiting: number; since: Date | null; isLate: boolean };
}

/** What an operator is told of on the desk: what was never loaded, and mail that does not go out. */
export async function lacks(ctx: Ctx<Operator>): Promise<Lacks> {
  const [demoStoreId, { waiting, overdueSeconds }] = await Promise.all([demoStore(ctx), outboxNow(ctx.sql)]);
  const overdueMs = overdueSeconds * 1_000;
  const since = overdueMs > 0 ? new Date(ctx.now.getTime() - overdueMs) : null;
  return { demoStore: demoStoreId === null, mail: { waiting, since, isLate: overdueMs > LATE_MS } };
}

/**
 * Each attempt at a mail moves its `next_attempt_at` on, also while the mail server is away: by that column alone no mail would
 * ever be late then. So a mail with at most one attempt counts as due since it was written.
 */
async function outboxNow(sql: Core["sql"]): Promise<Outbox> {
  const [now] = await sql<Outbox[]>`
    select count(due)::int as waiting, count(*) filter (where attempts > 1 and due > now())::int as retrying,
      coalesce(extract(epoch from now() - least(now(), min(created_at) filter (where attempts <= 1 and due is not null), min(due))),
        0)::float8 as "overdueSeconds",
      count(*) filter (where dead_at is not null)::int as dead
    from (select *, next_attempt_at as due from outbox where next_attempt_at is not null or dead_at is not null) mails`;
  return now!;
}

/** The queue's tables are made by the first instance whose jobs start. */
async function jobsByState(sql: Core["sql"]): Promise<Standing["jobs"]> {
  const [found] = await sql`select to_regclass('pgboss.job') is not null as there`;
  if (!found!.there) return [];
  return sql<Standing["jobs"]>`
    with done as (select name, max(completed_on) as at from pgboss.job where state = 'completed' group by 1)
    select name as queue, state::text as state, count(*)::int as jobs from pgboss.job left join done using (name)
    where name not like '\\_\\_pgboss%'
      and (state in ('created', 'retry', 'active') or (state = 'failed' and (done.at is null or completed_on > done.at)))
    group by 1, 2`;
}
