// How the parts that work in the background stand: what a metrics scrape shows of the database.
import type { Core } from "../context";

export interface Standing {
  /** Mails that wait, those given up, and how long ago the oldest of those that wait was written (s). */
  outbox: { waiting: number; dead: number; oldestSeconds: number };
  /** Requests that the usage rollups do not have yet. */
  usagePending: number;
  /** By queue and state. */
  jobs: { queue: string; state: string; jobs: number }[];
  /** This service's connections, of all instances, by who holds them and what they do. */
  connections: { name: string; state: string; connections: number }[];
}

export async function standing({ sql }: Pick<Core, "sql">): Promise<Standing> {
  const [[outbox], [pending], jobs, connections] = await Promise.all([
    sql<{ waiting: number; dead: number; oldestSeconds: number }[]>`
      select count(*) filter (where next_attempt_at is not null)::int as waiting, count(*) filter (where dead_at is not null)::int as dead,
        coalesce(extract(epoch from now() - min(created_at) filter (where next_attempt_at is not null)), 0)::float8 as "oldestSeconds"
      from outbox where next_attempt_at is not null or dead_at is not null`,
    sql<{ requests: number }[]>`select coalesce(sum(times), 0)::int as requests from usage_pending`,
    jobsByState(sql),
    sql<Standing["connections"]>`
      select split_part(application_name, ' ', 1) || case when application_name like '% jobs' then ' jobs' else '' end as name,
        coalesce(state, 'unknown') as state, count(*)::int as connections
      from pg_stat_activity where datname = current_database() and application_name like 'aisle%' group by 1, 2`,
  ]);
  return { outbox: outbox!, usagePending: pending!.requests, jobs: [...jobs], connections: [...connections] };
}

/** The queue's tables are made by the first instance whose jobs start. */
async function jobsByState(sql: Core["sql"]): Promise<Standing["jobs"]> {
  const [found] = await sql`select to_regclass('pgboss.job') is not null as there`;
  if (!found!.there) return [];
  return sql<Standing["jobs"]>`
    select name as queue, state::text as state, count(*)::int as jobs from pgboss.job
    where state in ('created', 'retry', 'active', 'failed') and name not like '\\_\\_pgboss%' group by 1, 2`;
}
