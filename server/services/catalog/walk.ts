// Searches that match more than can be sorted for each call. The catalogue is walked cell by cell in the order asked
// for; a cell is intersected with the query in the index, and the walk ends as soon as there is enough. The cost follows
// what is shown, not what matches.
import type { Sql } from "../../../db/client";
import type { Fragment } from "./card";
import type { Ladder } from "./ladder";
import { SLICE, SLICES } from "./marks";
import { GONE_RUNGS, type Order, type Place, relevanceKeys, stock } from "./order";

/** A stretch of a walk: what of its cells is taken. */
interface Stretch {
  /** SQL conditions on `products p`. */
  takes: Fragment;
  order: Order;
  /** The k1 that all of it has, where it has one. */
  k1?: number;
}

/** By words: rung after rung; within a rung stock by stock in slices, since what fits equally well has no order but that. */
export function stretches(sql: Sql, passes: Fragment, ladder: Ladder): Stretch[] {
  const [, , rank] = relevanceKeys(sql, ladder);
  return [false, true].flatMap((gone) =>
    ladder.rungs.map((rung, i) => {
      const k1 = (gone ? GONE_RUNGS : 0) + i;
      const better = ladder.rungs.slice(0, i).map((other) => sql`and (${other}) is not true`);
      const [first, last] = gone ? [SLICE.gone, SLICE.end - 1] : [0, SLICE.gone - 1];
      return {
        k1,
        takes: better.reduce((left, right) => sql`${left} ${right}`, sql`${passes} and ${rung}`),
        order: {
          keys: [sql`${k1}::int`, sql`${SLICES}::int * ${stock(sql)} + p.id % ${SLICES}::int`, rank],
          cell: (k2: Fragment) => k2,
          cells: sql`select ${k1}::int as k1, slice as cell, array[slice] as marks from generate_series(${first}::int, ${last}::int) slice`,
        },
      };
    }),
  );
}

/** SQL: laterals that a stretch's rows and keys come from, beside `products p`. */
export interface Rows {
  /** Columns beside the place. */
  columns: Fragment;
  /** Lateral joins that columns and keys use. */
  joins: Fragment;
}

/**
 * SQL: CTEs, the last one called `name`: the first `limit` places after `after`, in order, with their columns.
 * @param limit a count that is shown or counted, never all that match
 */
export function walk(sql: Sql, name: string, parts: Stretch[], rows: Rows, limit: number, after?: Place): Fragment {
  const ahead = parts.filter(({ k1 }) => k1 === undefined || after === undefined || k1 >= after[0]);
  const label = (i: number) => sql(`${name}_${i}`);
  const ctes = ahead.map((part, i) => {
    const before = ahead.slice(0, i).map((_, j) => sql`(select count(*) from ${label(j)})`);
    const short = before.length > 0 ? sql`where ${before.reduce((a, b) => sql`${a} + ${b}`)} < ${limit}` : sql``;
    return sql`${label(i)} as materialized (${stretch(sql, part, rows, limit, short, after)})`;
  });
  const together = ahead.map((_, i) => sql`select * from ${label(i)}`).reduce((a, b) => sql`${a} union all ${b}`);
  return sql`${ctes.reduce((a, b) => sql`${a}, ${b}`)}, ${sql(name)} as materialized (
    select * from (${together}) parts order by k1, k2, k3, id limit ${limit})`;
}

function stretch(
  sql: Sql,
  part: Stretch,
  rows: Rows,
  limit: number,
  short: Fragment,
  after: Place | undefined,
): Fragment {
  const { keys, cell, cells } = part.order;
  const [k1, k2, k3, id] = (after ?? [0, 0, 0, 0]).map((key) => sql`${key}::bigint`) as [
    Fragment,
    Fragment,
    Fragment,
    Fragment,
  ];
  return sql`
    select found.* from (
      select * from (${cells}) every ${after ? sql`where (k1, cell) >= (${k1}, ${cell(k2, k3, id)})` : sql``} order by k1, cell) c
    cross join lateral (
      select p.id, key.*, ${rows.columns}
      from products p ${rows.joins}
      cross join lateral (select ${keys[0]} as k1, ${keys[1]} as k2, ${keys[2]} as k3) key
      where ${part.takes} and p.marks && c.marks and key.k1 = c.k1 and ${cell(sql`key.k2`, sql`key.k3`, sql`p.id`)} = c.cell
        ${after ? sql`and (key.k1, key.k2, key.k3, p.id) > (${k1}, ${k2}, ${k3}, ${id})` : sql``}
      order by key.k2, key.k3, p.id limit ${limit}) found
    ${short} order by c.k1, c.cell limit ${limit}`;
}
