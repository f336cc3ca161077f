// Usage as people see it: from the rollups, and from what they do not have yet, in one statement. So it is exact, and no
// page view counts in the log.
import type postgres from "postgres";
import { z } from "zod";
import type { Sql } from "../../db/client";
import { DAY_MS } from "../clock";
import type { Ctx, Member, Operator } from "../context";
import { type CsvColumn, csvText } from "../csv";
import { idOf } from "./consumers/find";
import { readableByConsumer } from "./coverage";
import { Sought } from "./fields";
import { allRecorded } from "./usage-begun";
import { EVERYBODY, type Grain, notYet, percentile, wasAnswered } from "./usage-rollup";
import { type Range, ranges, stepsOf } from "./usage-steps";

const rangeNames = Object.keys(ranges) as [Range, ...Range[]];

const dimensions = ["tool", "store", "key", "client", "locale", "error", "consumer"] as const;
export type Dimension = (typeof dimensions)[number];

export const ReadUsage = z.strictObject({ range: z.enum(rangeNames).default("24h") });
/** For operators: one consumer by its slug, or all of them. */
export const ReadAnyUsage = ReadUsage.extend({ consumer: Sought(200).optional() });
export const ExportUsage = z.strictObject({
  range: z.enum(rangeNames).default("24h"),
  by: z.enum(["time", ...dimensions]).default("time"),
});
export const ExportAnyUsage = ExportUsage.extend({ consumer: Sought(200).optional() });

/** What docs/figures.md says of calls, wherever they are counted. */
export interface Counts {
  /** Answered, errors and refused together. */
  calls: number;
  errors: number;
  /** 401, 403 and 429. */
  refused: number;
}
export interface Figures extends Counts {
  /** ms; null where there is none. Refusals are left out. */
  p50: number | null;
  p95: number | null;
}
export interface Share extends Figures {
  /** A tool, an id, a name; empty where the requests did not say. */
  value: string;
  /** What people call it, where that differs. */
  name: string | null;
  /** Of a consumer: what its pages go by. */
  slug?: string;
}
export interface UsageReport {
  range: Range;
  grain: Grain;
  total: Figures;
  /** Oldest first, one entry a step. */
  series: (Figures & { at: Date })[];
  /** Largest first: the largest twelve of each, and every reason. */
  shares: Record<Dimension, Share[]>;
  /** How many more there are of each. */
  more: Record<Dimension, number>;
}

/** Eleven tools, and one more. */
const SHOWN = { most: 12, of: dimensions };
/** Everything that there is of one dimension: how many it can be is bounded where requests are counted. */
const all = (...of: Dimension[]): Shown => ({ most: Number.MAX_SAFE_INTEGER, of });

/** A consumer's own usage. */
export const read = (ctx: Ctx<Member>, input: z.infer<typeof ReadUsage>): Promise<UsageReport> =>
  report(ctx, ctx.actor.consumerId, input.range, SHOWN);

/** Any consumer's usage, or everybody's. @throws DomainError not_found */
export const readAny = async (ctx: Ctx<Operator>, input: z.infer<typeof ReadAnyUsage>): Promise<UsageReport> =>
  report(ctx, await consumerNamed(ctx, input.consumer), input.range, SHOWN);

/** A consumer's by its id: by tool alone, with all of them. */
export const readOf = (ctx: Ctx<Operator>, consumerId: string, range: Range): Promise<UsageReport> =>
  report(ctx, consumerId, range, all("tool"));

/** One table of a report as CSV, with every row. */
export const exportCsv = (ctx: Ctx<Member>, input: z.infer<typeof ExportUsage>): Promise<string> =>
  asCsv(ctx, ctx.actor.consumerId, input);

/** @throws DomainError not_found */
export const exportAnyCsv = async (ctx: Ctx<Operator>, input: z.infer<typeof ExportAnyUsage>): Promise<string> =>
  asCsv(ctx, await consumerNamed(ctx, input.consumer), input);

/** A consumer's own calls of the last 24 hours, oldest first, an hour each. */
export async function lastDay(ctx: Ctx<Member>): Promise<(Counts & { at: Date })[]> {
  const { series } = await report(ctx, ctx.actor.consumerId, "24h", all());
  return series.map(({ at, calls, errors, refused }) => ({ at, calls, errors, refused }));
}

/** When a tool first answered this consumer. A call that was answered already counts, though its row is still to follow. */
export async function firstCall(ctx: Ctx<Member>): Promise<Date | null> {
  const at = await firstRecorded(ctx);
  if (at !== null) return at;
  await allRecorded(ctx, ctx.actor.consumerId);
  return firstRecorded(ctx);
}

async function firstRecorded({ sql, actor }: Ctx<Member>): Promise<Date | null> {
  const [row] = await sql<{ at: Date | null }[]>`
    select least(c.first_call_at, (
      select min(at) from usage_pending where consumer_id = c.id and ${wasAnswered(sql)}
    )) as at from consumers c where c.id = ${actor.consumerId}`;
  return row?.at ?? null;
}

const consumerNamed = async (ctx: Ctx<Operator>, slug: string | undefined): Promise<string> =>
  slug ? idOf(ctx, slug) : EVERYBODY;

/** One row a step (`dimension` all, `value` the step), and one a value of each other dimension. */
interface Row {
  dimension: "all" | Dimension;
  value: string;
  at: Date | null;
  calls: number;
  errors: number;
  refused: number;
  /** Values of this dimension, shown or not. */
  values: number;
  buckets: number[] | null;
  counts: number[] | null;
}

/** Of which dimensions a report tells, and of how many values at most: the largest. With none it has the steps alone. */
interface Shown {
  most: number;
  of: readonly Dimension[];
}

type Asking = Pick<Ctx, "sql" | "now">;

async function report(ctx: Asking, consumerId: string, range: Range, shown: Shown): Promise<UsageReport> {
  const { grain } = ranges[range];
  const steps = stepsOf(range, ctx.now);
  const rows = await counted(ctx.sql, {
    consumerId,
    grain,
    from: steps[0]!,
    to: new Date(ctx.now.getTime() + DAY_MS),
    shown,
  });
  const byStep = new Map(rows.filter(({ at }) => at).map((row) => [row.at!.getTime(), row]));
  const series = steps.map((at) => ({ at, ...figures([byStep.get(at.getTime())].filter((row) => row !== undefined)) }));
  const names = await namesOf(ctx.sql, rows, { consumerId, from: steps[0]! });
  const of = (dimension: Dimension) => rows.filter((row) => row.dimension === dimension);
  const each = <T>(make: (dimension: Dimension) => T) =>
    Object.fromEntries(dimensions.map((dimension) => [dimension, make(dimension)])) as Record<Dimension, T>;
  return {
    range,
    grain,
    total: figures([...byStep.values()]),
    series,
    shares: each((dimension) =>
      of(dimension).map((row) => ({ value: row.value, name: null, ...names.get(row.value), ...figures([row]) })),
    ),
    more: each((dimension) => Math.max(0, (of(dimension)[0]?.values ?? 0) - of(dimension).length)),
  };
}

interface Wanted {
  consumerId: string;
  grain: Grain;
  from: Date;
  to: Date;
  shown: Shown;
}

const counted = (sql: Sql, wanted: Wanted) => sql<Row[]>`
  with counted as materialized (
    select * from (
      select at, dimension, value, calls, errors, refused, buckets, counts from usage_rollups
      where consumer_id = ${wanted.consumerId} and ${rowsOf(sql, wanted)}
      union all
      select at, dimension, value, calls, errors, refused, buckets, counts
      from (${notYet(sql, wanted.consumerId, [...new Set([wanted.grain, "day" as const])])}) y where ${rowsOf(sql, wanted)}
    ) both_of where dimension = any (${["all", ...wanted.shown.of]})
  ),
  grouped as (
    select dimension, case when dimension = 'all' then at end as at, value, sum(calls)::int8 as calls, sum(errors)::int8 as errors,
      sum(refused)::int8 as refused, count(*) over (partition by dimension)::int as values,
      row_number() over (partition by dimension order by sum(calls) desc, value) as place
    from counted group by 1, 2, 3 order by dimension, place
  ),
  shown as materialized (
    select *, row_number() over ()::int as n from grouped where dimension in ('all', 'error') or place <= ${wanted.shown.most}
  ),
  latencies as (
    select n, array_agg(bucket) as buckets, array_agg(times) as counts
    from (
      select s.n, b.bucket, sum(b.times)::int8 as times
      from shown s join counted c on c.dimension = s.dimension and c.value = s.value and c.at = coalesce(s.at, c.at)
      cross join unnest(c.buckets, c.counts) b(bucket, times)
      group by 1, 2
    ) by_bucket group by 1
  )
  select s.dimension, s.value, s.at, s.calls, s.errors, s.refused, s.values, l.buckets, l.counts
  from shown s left join latencies l on l.n = s.n
  order by s.n`;

/** SQL condition: the steps in total; of the other dimensions whole days where there are, which are fewer rows, and steps for the rest. */
function rowsOf(sql: Sql, { grain, from, to }: Wanted): postgres.Fragment {
  const midnight = new Date(Math.ceil(from.getTime() / DAY_MS) * DAY_MS);
  const days = grain === "minute" ? to : midnight;
  return sql`(
    (dimension = 'all' and grain = ${grain} and at >= ${from} and at < ${to})
    or (dimension <> 'all' and grain = ${grain} and at >= ${from} and at < ${days})
    or (dimension <> 'all' and grain = 'day' and at >= ${days} and at < ${to}))`;
}

function figures(rows: readonly Row[]): Figures {
  const sum = (of: (row: Row) => number) => rows.reduce((total, row) => total + of(row), 0);
  const histogram = new Map<number, number>();
  for (const { buckets, counts } of rows) {
    for (const [i, bucket] of (buckets ?? []).entries())
      histogram.set(bucket, (histogram.get(bucket) ?? 0) + counts![i]!);
  }
  return {
    calls: sum(({ calls }) => calls),
    errors: sum(({ errors }) => errors),
    refused: sum(({ refused }) => refused),
    p50: percentile(histogram, 0.5),
    p95: percentile(histogram, 0.95),
  };
}

/** What people call keys, stores and consumers, by their ids. */
async function namesOf(
  sql: Sql,
  rows: Row[],
  of: { consumerId: string; from: Date },
): Promise<Map<string, Pick<Share, "name" | "slug">>> {
  const ids = (dimension: Dimension) =>
    rows.filter((row) => row.dimension === dimension && UUID.test(row.value)).map(({ value }) => value);
  const [keyIds, storeIds, consumerIds] = [ids("key"), ids("store"), ids("consumer")];
  const [ofKeys, ofStores, ofConsumers] = await Promise.all([
    keyIds.length === 0
      ? []
      : sql<{ id: string; name: string; end: string }[]>`
          select id, name, "end" from keys where id = any (${keyIds}::uuid[])`,
    storeIds.length === 0
      ? []
      : of.consumerId === EVERYBODY
        ? sql<{ id: string; name: string }[]>`select id, name from stores where id = any (${storeIds}::uuid[])`
        : storesReadBy(sql, storeIds, of),
    consumerIds.length === 0
      ? []
      : sql<{ id: string; name: string; slug: string }[]>`
          select id, name, slug from consumers where id = any (${consumerIds}::uuid[])`,
  ]);
  return new Map([
    ...ofKeys.map(({ id, name, end }) => [id, { name: `${name} (…${end})` }] as const),
    ...ofStores.map(({ id, name }) => [id, { name }] as const),
    ...ofConsumers.map(({ id, name, slug }) => [id, { name, slug }] as const),
  ]);
}

/**
 * Those of the stores that the consumer may read, or has read: releases before this one also counted for a store that
 * was asked for and could not be read, and the rollups do not tell such calls apart.
 */
const storesReadBy = (sql: Sql, storeIds: string[], { consumerId, from }: { consumerId: string; from: Date }) =>
  sql<{ id: string; name: string }[]>`
    select s.id, s.name from stores s join consumers c on c.id = ${consumerId}
    where s.id = any (${storeIds}::uuid[]) and (${readableByConsumer(sql)} or exists (
      select from usage_events e where e.store_id = s.id and e.consumer_id = c.id and e.at >= ${from}
        and e.error_code is null and e.tool <> 'lookup_products'))`;

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

const figureColumns: CsvColumn<Figures>[] = [
  { header: "calls", cell: ({ calls }) => calls },
  { header: "answered", cell: ({ calls, errors, refused }) => calls - errors - refused },
  { header: "errors", cell: ({ errors }) => errors },
  { header: "refused", cell: ({ refused }) => refused },
  { header: "p50_ms", cell: ({ p50 }) => p50 && Number(p50.toFixed(2)) },
  { header: "p95_ms", cell: ({ p95 }) => p95 && Number(p95.toFixed(2)) },
];

async function asCsv(ctx: Asking, consumerId: string, { range, by }: z.infer<typeof ExportUsage>): Promise<string> {
  const { series, shares } = await report(ctx, consumerId, range, by === "time" ? all() : all(by));
  if (by === "time") return csvText([{ header: "from_utc", cell: ({ at }) => at }, ...figureColumns], series);
  const columns: CsvColumn<Share>[] = [
    { header: by, cell: ({ value }) => value },
    { header: "name", cell: ({ name }) => name },
    ...(by === "consumer" ? [{ header: "slug", cell: ({ slug }: Share) => slug ?? null }] : []),
    ...figureColumns,
  ];
  return csvText(columns, shares[by]);
}
