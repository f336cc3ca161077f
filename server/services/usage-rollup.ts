// Usage rollups: each request is counted once, whenever it commits. A statement takes requests from `usage_pending` and adds
// them to their minutes in `usage_recent`; another takes minutes that are over from there and adds them to `usage_rollups`
// (decision 0051). Killed or repeated, on one instance or several, none is lost and none counted twice.
import { setTimeout as sleep } from "node:timers/promises";
import type postgres from "postgres";
import type { Sql } from "../../db/client";
import type { Ctx } from "../context";
import type { ErrorCode } from "../errors";

/** Stands for all consumers together. */
export const EVERYBODY = "00000000-0000-0000-0000-000000000000";

export const grains = ["minute", "hour", "day"] as const;
export type Grain = (typeof grains)[number];

/** Requests in one statement: done well within its timeout, also where no two are alike and the machine is busy. */
const CHUNK = 10_000;
/** Rows of a minute in one statement, each of which is added to three. */
const ROWS = 5_000;

/** Between chunks it rests so many times as long as the last one took, since calls go first: half a core still keeps up with them. */
const REST = 1;

/** Minutes are kept for so long: the last hour is what they are for. What comes later than that has no minute. */
export const MINUTE_HOURS = 3;

/**
 * Counts what is pending, then adds the minutes that are over to the rollups, chunk by chunk.
 * @param until minutes that began before are over; those that began a minute ago, unless given
 * @returns how many requests were counted
 */
export async function rollUp(
  { sql }: Pick<Ctx, "sql">,
  { stopping, until }: { stopping?: AbortSignal; until?: Date } = {},
): Promise<number> {
  let counted = 0;
  const each = async (chunk: () => Promise<boolean>) => {
    while (!stopping?.aborted) {
      const begun = performance.now();
      if (!(await chunk())) break;
      const rest = REST * (performance.now() - begun);
      await sleep(rest, undefined, { ...(stopping && { signal: stopping }) }).catch(() => {});
    }
  };
  await each(async () => {
    const [chunk] = await countChunk(sql);
    counted += chunk!.requests;
    return chunk!.taken === CHUNK;
  });
  await each(async () => (await foldChunk(sql, until))[0]!.taken > 0);
  return counted;
}

/** A histogram may name a bucket more than once: parts are strung together, and summed once there are so many. */
const MOST_PARTS = 100;

/** SQL: what is done with rows that are there already in the table of rollups that is called `r`. */
const addUp = (sql: Sql) => sql`
  calls = r.calls + excluded.calls, errors = r.errors + excluded.errors, refused = r.refused + excluded.refused,
  (buckets, counts) = (
    select r.buckets || excluded.buckets, r.counts || excluded.counts
    where cardinality(r.buckets) + cardinality(excluded.buckets) <= ${MOST_PARTS}
    union all
    select coalesce(array_agg(bucket), '{}'), coalesce(array_agg(n), '{}')
    from (
      select bucket, sum(n)::int8 as n
      from (
        select * from unnest(r.buckets, r.counts)
        union all select * from unnest(excluded.buckets, excluded.counts)
      ) b(bucket, n) group by bucket
    ) merged
    having cardinality(r.buckets) + cardinality(excluded.buckets) > ${MOST_PARTS}
  )`;

// Consumers and counts are taken in one order, so that two instances at once wait for one another and never in a circle;
// counts by value first, since those differ most.
const countChunk = (sql: Sql) => sql<{ taken: number; requests: number }[]>`
  with taken as (
    delete from usage_pending
    where ctid = any (array(select ctid from usage_pending limit ${CHUNK} for update skip locked))
    returning *
  ),
  first_calls as (
    update consumers c set first_call_at = f.at
    from (
      select c.id, f.at from consumers c
      join (select consumer_id, min(at) as at from taken where ${wasAnswered(sql)} group by 1) f on c.id = f.consumer_id
      where c.first_call_at is null or c.first_call_at > f.at
      order by c.id for no key update of c
    ) f
    where c.id = f.id
  ),
  ${beyond(sql)},
  capped as (
    select at, consumer_id, key_id, endpoint, method, tool, store_id, status, error_code, latency_us, times,
      case when ${isBeyond(sql, "client", "client_name")} then ${OTHERS} else client_name end as client_name,
      case when ${isBeyond(sql, "locale", "locale")} then ${OTHERS} else locale end as locale
    from taken
  ),
  added as (
    insert into usage_recent as r (at, consumer_id, dimension, value, calls, errors, refused, buckets, counts)
    select at, consumer_id, dimension, value, ${sums(sql)} from (${minutes(sql, sql`capped`)}) m
    group by at, consumer_id, dimension, value order by value, consumer_id, at, dimension
    on conflict (at, consumer_id, dimension, value) do update set ${addUp(sql)}
  )
  select count(*)::int as taken, coalesce(sum(times), 0)::int as requests from taken`;

// Of one minute, so that no two of its rows are added to the same one.
const foldChunk = (sql: Sql, until: Date | undefined) => sql<{ taken: number }[]>`
  with over as (
    delete from usage_recent
    where ctid = any (array(
      select ctid from usage_recent
      where at = (select min(at) from usage_recent where at < coalesce(${until ?? null}::timestamptz, now() - interval '1 minute'))
      limit ${ROWS} for update skip locked))
    returning *
  ),
  added as (
    insert into usage_rollups as r (consumer_id, grain, at, dimension, value, calls, errors, refused, buckets, counts)
    select consumer_id, grain, date_trunc(grain, at, 'UTC'), dimension, value, calls, errors, refused, buckets, counts
    from over cross join unnest(${[...grains]}::text[]) grain
    where ${hasGrain(sql)}
    order by value collate "C", consumer_id, grain collate "C", 3, dimension collate "C"
    on conflict (consumer_id, grain, at, dimension, value) do update set ${addUp(sql)}
  )
  select count(*)::int as taken from over`;

/** SQL condition on `at` and `grain`. */
const hasGrain = (sql: Sql) => sql`(grain <> 'minute' or at >= now() - make_interval(hours => ${MINUTE_HOURS}))`;

/** What callers make up has so many values a day for each consumer; those that come later are counted as one. */
const MAX_VALUES = 100;
const OTHERS = "others";
/** SQL condition on a value: that of who says nothing is none, nor what stands for those that come later. */
const isName = (sql: Sql) => sql`value not in ('', ${OTHERS})`;

/**
 * The names of clients and locales in `taken` for which a consumer's day has no room any more. What is counted already is
 * read once for all of them: in `usage_recent` the names of a day lie among all else of it.
 */
const beyond = (sql: Sql) => sql`
  said as (
    select distinct t.consumer_id, date_trunc('day', t.at, 'UTC') as day, d.dimension, d.value
    from taken t cross join lateral (values ('client', t.client_name), ('locale', t.locale)) d(dimension, value)
    where d.value is not null
  ),
  heard as materialized (
    select d.consumer_id, d.day, d.dimension, r.value
    from (select distinct consumer_id, day, dimension from said) d
    cross join lateral (
      select value from usage_rollups r
      where r.consumer_id = d.consumer_id and r.grain = 'day' and r.at = d.day and r.dimension = d.dimension
        and ${isName(sql)}
      limit ${MAX_VALUES + 1}
    ) r
    union
    select consumer_id, date_trunc('day', at, 'UTC'), dimension, value from usage_recent
    where dimension in ('client', 'locale') and ${isName(sql)}
  ),
  unheard as (
    select *, row_number() over (partition by consumer_id, day, dimension order by value) as place
    from said s where not exists (
      select from heard h
      where h.consumer_id = s.consumer_id and h.day = s.day and h.dimension = s.dimension and h.value = s.value)
  ),
  beyond as materialized (
    select u.* from unheard u
    left join (select consumer_id, day, dimension, count(*) as names from heard group by 1, 2, 3) h using (consumer_id, day, dimension)
    where u.place > ${MAX_VALUES} - coalesce(h.names, 0)
  )`;

/** SQL condition on a request of `taken`. Not correlated, so that they are looked up by their hashes. */
const isBeyond = (sql: Sql, dimension: string, column: string) => sql`
  (consumer_id, date_trunc('day', at, 'UTC'), ${sql(column)}) in (select consumer_id, day, value from beyond where dimension = ${dimension})`;

/**
 * SQL condition on a request: a tool answered it, from a store that may be read. A look-up is answered also where it found
 * nothing: one counts where it has a store (decision 0017), not where it names several or GTINs alone.
 */
export const wasAnswered = (sql: Sql) =>
  sql`tool is not null and status = 200 and error_code is null and (tool <> 'lookup_products' or store_id is not null)`;

/** Errors that only a store which may be read is the reason for: what they name was looked for in it. */
const FROM_ITS_STORE: readonly ErrorCode[] = ["product_not_found", "no_loyalty_program"];

/** Does an error tell that the store which was asked for may be read? */
export const isFromItsStore = (code: ErrorCode): boolean => FROM_ITS_STORE.includes(code);

/**
 * SQL condition on a request: as far as its error tells, the store that it has was read. Releases before this one wrote
 * down the store that was asked for, readable or not.
 */
export const wasFromItsStore = (sql: Sql) =>
  sql`(error_code is null or error_code = any (${[...FROM_ITS_STORE]}::text[]))`;

/** SQL: the figures of a row of rollups, from those of `minutes`. Its buckets are in no order. */
const sums = (sql: Sql) => sql`
  sum(n)::int8 as calls, sum(errors)::int8 as errors, sum(refused)::int8 as refused,
  coalesce(array_agg(bucket) filter (where bucket is not null), '{}') as buckets,
  coalesce(array_agg(n) filter (where bucket is not null), '{}') as counts`;

/**
 * What requests add to the rollups, as rows of `usage_rollups`.
 * @param source rows of `usage_pending`: a table, or a query in parentheses
 */
export const deltas = (sql: Sql, source: postgres.Fragment, wanted: readonly Grain[]) => sql`
  select consumer_id, grain, at, dimension, value, ${sums(sql)}
  from (
    select consumer_id, grain collate "C" as grain, date_trunc(grain, at, 'UTC') as at, dimension, value, bucket,
      sum(n)::int8 as n, sum(errors)::int8 as errors, sum(refused)::int8 as refused
    from (${minutes(sql, source)}) m cross join unnest(${[...wanted]}::text[]) grain
    where ${hasGrain(sql)}
    group by 1, 2, 3, 4, 5, 6
  ) by_bucket
  group by 1, 2, 3, 4, 5`;

/**
 * SQL: what `usage_rollups` does not have yet of a consumer, as rows of it, of which several may be alike: minutes that are
 * not over, and what is pending.
 */
export const notYet = (sql: Sql, consumerId: string, wanted: readonly Grain[]) => sql`
  select consumer_id, grain, date_trunc(grain, at, 'UTC') as at, dimension, value, calls, errors, refused, buckets, counts
  from usage_recent cross join unnest(${[...wanted]}::text[]) grain
  where consumer_id = ${consumerId}
  union all
  select * from (${deltas(sql, pending(sql, consumerId), wanted)}) d where consumer_id = ${consumerId}`;

const pending = (sql: Sql, consumerId: string) =>
  consumerId === EVERYBODY
    ? sql`usage_pending`
    : sql`(select * from usage_pending where consumer_id = ${consumerId}) pending`;

/** SQL: what requests add to their minutes, by bucket. */
const minutes = (sql: Sql, source: postgres.Fragment) => sql`
  select coalesce(consumer_id, ${EVERYBODY}::uuid) as consumer_id, at, bucket,
    case when grouping(tool) = 0 then 'tool' when grouping(store) = 0 then 'store' when grouping(key) = 0 then 'key'
      when grouping(client) = 0 then 'client' when grouping(locale) = 0 then 'locale' when grouping(error) = 0 then 'error'
      when grouping(consumer) = 0 then 'consumer' else 'all' end collate "C" as dimension,
    coalesce(tool, store, key, client, locale, error, consumer, '') collate "C" as value,
    sum(n)::int8 as n, sum(case when kind = 'error' then n else 0 end)::int8 as errors,
    sum(case when kind = 'refused' then n else 0 end)::int8 as refused
  from (${alike(sql, source)}) e
  group by at, bucket, grouping sets (
    (consumer_id), (consumer_id, tool), (consumer_id, store), (consumer_id, key), (consumer_id, client), (consumer_id, locale), (consumer_id, error),
    (), (tool), (store), (client), (locale), (error), (consumer))
  having (grouping(store) = 1 or store is not null) and (grouping(error) = 1 or error is not null)`;

/** SQL: the tool that a request called, else its method, of those that we serve. */
export const calledOf = (sql: Sql) =>
  sql`coalesce(tool, case when method in ('initialize', 'ping', 'tools/list', 'tools/call', 'unread') then method else 'other' end)`;

/**
 * Requests of a minute that differ in nothing that is counted, as one row with their number. A request without a key has its
 * way in. A store that was not read is not counted, since its count would tell its name.
 */
const alike = (sql: Sql, source: postgres.Fragment) => sql`
  select consumer_id, consumer_id::text as consumer, date_trunc('minute', at, 'UTC') as at,
    ${calledOf(sql)} as tool,
    case when ${wasFromItsStore(sql)} then store_id::text end as store, coalesce(key_id::text, endpoint) as key, coalesce(client_name, '') as client, coalesce(locale, '') as locale,
    status || ' ' || error_code as error,
    case when status in (401, 403, 429) then 'refused' when error_code is not null then 'error' else 'answered' end as kind,
    case when status in (401, 403, 429) or error_code = 'interrupted' then null
      else least(${LAST_BUCKET}, floor(${BUCKETS_PER_DOUBLING} * ln(greatest(latency_us, ${FIRST_US})::float8 / ${FIRST_US}) / ln(2::float8)))::int2 end as bucket,
    sum(times)::int8 as n
  from ${source} group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11`;

const FIRST_US = 64;
const BUCKETS_PER_DOUBLING = 8;
/** Up to 67 s. */
const LAST_BUCKET = 159;

/**
 * Which latency a share of requests does not exceed: within 4.5 %, half a bucket.
 * @param histogram how many requests by bucket
 * @returns ms; null where there were no requests
 */
export function percentile(histogram: ReadonlyMap<number, number>, share: number): number | null {
  const total = [...histogram.values()].reduce((sum, n) => sum + n, 0);
  let left = Math.ceil(total * share);
  for (const [bucket, n] of [...histogram].toSorted(([a], [b]) => a - b)) {
    left -= n;
    if (left <= 0) return (FIRST_US * 2 ** ((bucket + 0.5) / BUCKETS_PER_DOUBLING)) / 1000;
  }
  return null;
}
