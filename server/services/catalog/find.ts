// One reading of a search, answered by the database. Up to 10,000 matches are sorted and counted whole, in one round
// trip. What is likely to be more, told by a thirty-second part of the catalogue, takes a second one and is walked.
import type { Consumer, Ctx } from "../../context";
import { readable } from "../coverage";
import { type CardRow, cardColumns, type Fragment, priceRange, saleNow } from "./card";
import { divided, type FacetRow, facetColumns, facetRows } from "./facets";
import { type Filters, passes } from "./filters";
import { type Ladder, ladderOf } from "./ladder";
import { SLICE } from "./marks";
import { type Order, orderOf, type Place, relevanceKeys, type Sort } from "./order";
import { type Rows, stretches, walk } from "./walk";
import type { Asked } from "./words";

export interface Finding {
  /** Null: whatever passes the filters. */
  asked: Asked | null;
  /** Any of the words will do. */
  loose: boolean;
  /** Continue a walk, or a sorted list; undefined: whichever it takes. */
  wide?: boolean | undefined;
  after?: Place | undefined;
  filters: Filters;
  storeIds?: readonly string[] | undefined;
  sort: Sort;
  currency?: string | undefined;
  limit: number;
}

export type FoundRow = CardRow & { k1: number; k2: number; k3: number; id: number };

export interface Found {
  /** Up to one more than `limit`. */
  rows: FoundRow[];
  /** Exact, unless `wide`. */
  total: number;
  wide: boolean;
  facets: FacetRow[];
  /** Of the matches. */
  currencies: string[];
  /** How many of the stores asked for may be read. */
  stores: number;
  /** False when the query has no word that says anything. */
  searchable: boolean;
}

/** The most matches that are sorted and counted whole. */
const MOST = 10_000;
/** More than this in a thirty-second part: there are more than 10,000 (they would have 312 there, give or take 18). */
const MOST_IN_SAMPLE = 500;

export async function find(ctx: Ctx<Consumer>, finding: Finding): Promise<Found> {
  const ladder = finding.asked && ladderOf(ctx.sql, finding.asked, finding.loose);
  if (finding.wide) return findWide(ctx, finding, ladder);
  const found = await findAll(ctx, finding, ladder);
  return found.wide ? findWide(ctx, finding, ladder) : found;
}

/** SQL: the stores that count, as `allowed`. */
const allowed = ({ sql, actor }: Ctx<Consumer>, { storeIds }: Finding): Fragment => sql`
  allowed as materialized (select s.id, s.name from stores s
    where ${readable(sql, actor)} ${storeIds ? sql`and s.id = any (${[...storeIds]}::uuid[])` : sql``})`;

/** What is read of every match: the sale and the price now, and what facets count. */
const rowsOf = ({ sql, now }: Ctx<Consumer>): Rows => ({
  columns: facetColumns(sql),
  joins: sql`cross join lateral (select ${saleNow(sql, "p", now)}) sale (amount)
    cross join lateral (select coalesce(sale.amount, p.price_amount)) now_at (amount)`,
});

/** SQL: the rest of a statement with the CTEs `allowed`, `counted` (all matches, or the best) and `page` (places): one row. */
const answer = ({ sql, now }: Ctx<Consumer>, ladder: Ladder | null): Fragment => sql`
  , ${divided(sql)}
  select ${ladder ? ladder.searchable : sql`true`} as searchable, (select count(*)::int from counted) as total, (select count(*)::int from allowed) as stores,
  (select coalesce(json_agg(distinct currency), '[]') from divided) as currencies, ${facetRows(sql)} as facets,
  (select coalesce(json_agg(card order by k1, k2, k3, id), '[]') from (
    select page.*, ${cardColumns(sql, "p", now)} from page join products p on p.id = page.id join allowed s on s.id = p.store_id
    cross join lateral ${priceRange(sql, now)}) card) as rows`;

async function findAll(ctx: Ctx<Consumer>, finding: Finding, ladder: Ladder | null): Promise<Found> {
  const { sql } = ctx;
  const { after, limit } = finding;
  const takes = sql`${passes(ctx, finding.filters, finding.storeIds)} ${ladder ? sql`and ${ladder.rungs.at(-1)!}` : sql``}`;
  const keys =
    ladder && finding.sort === "relevance"
      ? relevanceKeys(sql, ladder)
      : orderOf(sql, finding.sort, finding.currency).keys;
  const { columns, joins } = rowsOf(ctx);
  const few = sql`(select count(*) <= ${MOST_IN_SAMPLE} from sample)`;
  const [found] = await sql<[Omit<Found, "wide"> & { wide: boolean }]>`
    with ${allowed(ctx, finding)},
    sample as materialized (
      select from products p ${joins} where ${takes} and p.marks && ${[SLICE.inStock, SLICE.later, SLICE.outOfStock, SLICE.gone]}::int[]
      limit ${after ? 0 : MOST_IN_SAMPLE + 1}),
    counted as materialized (
      select p.id, ${keys[0]} as k1, ${keys[1]} as k2, ${keys[2]} as k3, ${columns}
      from products p ${joins} where ${takes} and ${few} limit ${after ? null : MOST + 1}),
    page as (
      select k1, k2, k3, id from counted
      ${after ? sql`where (k1, k2, k3, id) > (${after[0]}, ${after[1]}, ${after[2]}, ${after[3]})` : sql``}
      order by k1, k2, k3, id limit ${limit + 1})
    ${answer(ctx, ladder)}, not ${few} as wide`;
  return { ...found, wide: after === undefined && (found.wide || found.total > MOST) };
}

/** The facets are those of the 10,000 best: by words, else in stock and best rated, whatever the order of the page. */
async function findWide(ctx: Ctx<Consumer>, finding: Finding, ladder: Ladder | null): Promise<Found> {
  const { sql } = ctx;
  const { after, limit, sort } = finding;
  const passing = passes(ctx, finding.filters, finding.storeIds);
  const rows = rowsOf(ctx);
  const whole = (order: Order) => [
    { takes: sql`${passing} ${ladder ? sql`and ${ladder.rungs.at(-1)!}` : sql``}`, order },
  ];
  const best = ladder ? stretches(sql, passing, ladder) : whole(orderOf(sql, "relevance", undefined));
  const ordered = sort === "relevance" ? best : whole(orderOf(sql, sort, finding.currency));
  const page =
    sort === "relevance" && !after
      ? sql`page as (select k1, k2, k3, id from counted order by k1, k2, k3, id limit ${limit + 1})`
      : sql`${walk(sql, "walked", ordered, rows, limit + 1, after)}, page as (select k1, k2, k3, id from walked)`;
  const [found] = await sql<[Omit<Found, "wide">]>`
    with ${allowed(ctx, finding)}, ${walk(sql, "counted", best, rows, MOST)}, ${page}
    ${answer(ctx, ladder)}`;
  return { ...found, wide: true };
}
