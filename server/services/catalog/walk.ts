// Searches that match more than can be sorted for each call. The catalogue is walked stretch by stretch, and a long
// stretch cell by cell, in the order asked for; a cell is intersected with the query in the index, and the walk ends as
// soon as there is enough. The cost follows what is shown, not what matches.
import type { Sql } from "../../../db/client";
import { constant } from "../../../db/compose";
import type { Fragment } from "./card";
import type { Ladder } from "./ladder";
import { GONE, SLICES } from "./marks";
import { GONE_RUNGS, type Order, type Place } from "./order";

/** A stretch of a walk: what of its cells is taken. */
interface Stretch {
  /** SQL conditions on `products p`. */
  takes: Fragment;
  order: Order;
  /** The k1 that all of it has, where it has one and its marks alone tell the cell. */
  k1?: number;
  /** So short that it is read in one go. */
  short?: boolean;
  /** SQL: what tells better from worse in it, where it is several rungs. */
  rung?: Fragment;
}

/** Rungs that are read one by one (`first` and `last` are the same), or several in one go. */
export interface Rungs {
  first: number;
  last: number;
  /** They have so little on them that they are read in one go: that changes the cost, not the order. */
  short: boolean;
}

/**
 * The best first: by words rung after rung; on a rung stock by stock, in slices, since what fits equally well has no
 * order but that. What can't be had again makes one stretch, whatever its rung.
 * @param ladder null: everything that passes
 * @param reading all of its rungs, in order
 * @param asked the stock levels of products that come at all
 */
export function byRelevance(
  sql: Sql,
  passes: Fragment,
  ladder: Ladder | null,
  reading: readonly Rungs[],
  asked: readonly number[],
): Stretch[] {
  const { rungs, rung, rank } = ladder ?? { rungs: [sql`true`], rung: sql`0`, rank: sql`0` };
  const [toBeHad, gone] = [asked.filter((level) => level !== GONE), asked.filter((level) => level === GONE)];
  const alive = reading.map(({ first, last, short }) => {
    // Each has all of the ones before it, but for the first: what stands on that may be nowhere else but on the last.
    const better = first === 0 ? [] : [...new Set([rungs[0]!, rungs[first - 1]!])];
    const others = better.map((other) => sql`and (${other}) is not true`);
    const takes = others.reduce((left, right) => sql`${left} ${right}`, sql`${passes} and ${rungs[last]!}`);
    const order = bySlice(sql, first, rank, toBeHad);
    return { k1: first, takes, order, short, ...(first < last && { rung }) };
  });
  const last = sql`${passes} and ${rungs.at(-1)!}`;
  return [...alive, { k1: GONE_RUNGS, takes: last, order: bySlice(sql, GONE_RUNGS, rank, gone) }];
}

/** The slices of the stock levels; of each level two alone, then 2, 4 and thrice 8 at a time. */
function bySlice(sql: Sql, k1: number, rank: Fragment, levels: readonly number[]): Order {
  const cell = (slice: Fragment) =>
    sql`${slice} - ${slice} % case width_bucket(${slice} % ${constant(sql, SLICES)}, array[2, 4, 8]) when 0 then 1 when 1 then 2 when 2 then 4 else 8 end`;
  return {
    keys: [sql`${constant(sql, k1)}`, sql`p.marks[2]`, sql`-${rank}`],
    cell,
    cells: sql`select ${constant(sql, k1)} as k1, ${cell(sql`slice`)} as cell, array_agg(slice) as marks
      from unnest(${levels}::int[]) level, generate_series(${constant(sql, SLICES)} * level, ${constant(sql, SLICES)} * level + ${constant(sql, SLICES - 1)}) slice group by 2`,
  };
}

interface Aim {
  /** The most rows that are ever wanted: a count that is shown or counted, never all that match. */
  most: number;
  /** How many are wanted now, where that is less. */
  limit?: number;
  /** SQL: lateral joins that `columns` and the order's keys use. */
  joins: Fragment;
  /** SQL: columns of `products p` instead of places, for counting: the rows of a cell come in no order then. */
  columns?: Fragment;
  /** Places behind this one only. */
  after?: Place | undefined;
}

/** SQL: CTEs, the last one called `name`: the first places (k1, k2, k3, id) of the stretches, in order. */
export function walk(sql: Sql, name: string, stretches: Stretch[], aim: Aim): Fragment {
  const ahead = stretches.filter(({ k1 }) => k1 === undefined || !aim.after || k1 >= aim.after[0]);
  const label = (i: number) => sql(`${name}_${i}`);
  const taken = (i: number) => sql(`${name}_until_${i}`);
  const ctes = ahead.map((stretch, i) => {
    const before = i > 0 ? sql`(select number from ${taken(i - 1)})` : sql`0`;
    const left = sql`${aim.limit === undefined ? constant(sql, aim.most) : sql`${aim.limit}::bigint`} - ${before}`;
    return sql`${label(i)} as materialized (${stride(sql, stretch, aim, left)}),
      ${taken(i)} as materialized (select ${before} + count(*) as number from ${label(i)}),`;
  });
  const together = ahead.map((_, i) => sql`select * from ${label(i)}`).reduce((a, b) => sql`${a} union all ${b}`);
  return sql`${ctes.reduce((a, b) => sql`${a} ${b}`)} ${sql(name)} as (${together})`;
}

/** @param left SQL: how many rows are still wanted */
function stride(sql: Sql, stretch: Stretch, { most, joins, columns, after }: Aim, left: Fragment): Fragment {
  const { keys, cell, cells } = stretch.order;
  const at = after?.map((key) => sql`${key}::bigint`) as [Fragment, Fragment, Fragment, Fragment] | undefined;
  const fromThere = at ? sql`where (k1, cell) >= (${at[0]}, ${cell(at[1], at[2], at[3])})` : sql``;
  const beyond = at ? sql`and (key.k1, key.k2, key.k3, p.id) > (${at[0]}, ${at[1]}, ${at[2]}, ${at[3]})` : sql``;
  const read = (inCell: Fragment) => sql`
    select ${columns ?? sql`key.*, p.id`}
    from products p ${joins}
    cross join lateral (select ${keys[0]} as k1, ${keys[1]} as k2, ${keys[2]} as k3) key
    where ${stretch.takes} ${inCell} ${beyond}
    ${columns ? (stretch.rung ? sql`order by ${stretch.rung}` : sql``) : sql`order by key.k2, key.k3, p.id`} limit ${constant(sql, most)}`;
  // The first limit is known when the plan is made, so that one plan serves all; the second ends the work.
  if (stretch.short) return sql`select * from (${read(sql`and p.availability <> 'discontinued'`)}) found limit ${left}`;
  const ofCell = sql`and key.k1 = c.k1 and ${cell(sql`key.k2`, sql`key.k3`, sql`p.id`)} = c.cell`;
  return sql`
    select * from (select found.* from (
      select *, row_number() over (order by k1, cell) as turn from (${cells}) every ${fromThere} order by turn) c
    cross join lateral (${read(sql`and p.marks && c.marks ${stretch.k1 === undefined ? ofCell : sql``}`)}) found
    order by c.turn limit ${constant(sql, most)}) found limit ${left}`;
}
