// One reading of a search, answered by the database. Up to 10,000 matches are sorted and counted whole, in one round
// trip. What is likely to be more, told by a thirty-second part of the catalogue, takes a second one and is walked.
import type { Consumer, Ctx } from "../../context";
import { readable } from "../coverage";
import { type CardRow, cardColumns, type Fragment, priceRange, saleNow } from "./card";
import { divided, type FacetRow, facetColumns, facetRows } from "./facets";
import { type Filters, looksUp, passes } from "./filters";
import { type Ladder, ladderOf } from "./ladder";
import { SLICE, SLICES } from "./marks";
import { orderOf, type Place, relevanceKeys, type Sort } from "./order";
import { byRelevance, walk } from "./walk";
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

/** The most matches that are counted. */
const MOST = 10_000;
/** The most that are sorted: where a price is asked for, a walk would pass by too much to be faster. */
const mostSorted = ({ filters }: Finding) => (filters.price ? 25_000 : MOST);

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

/** SQL: the sale and the price now. */
const pricesOf = ({ sql, now }: Ctx<Consumer>): Fragment => sql`
  cross join lateral (select ${saleNow(sql, "p", now)}) sale (amount)
  cross join lateral (select coalesce(sale.amount, p.price_amount)) now_at (amount)`;

/** SQL: the rest of a statement with the CTEs `allowed`, `counted` (all matches, or the best) and `page` (places): one row. */
const answer = ({ sql, now }: Ctx<Consumer>, ladder: Ladder | null): Fragment => sql`
  , ${divided(sql)}
  select ${ladder ? ladder.searchable : sql`true`} as searchable, (select count(*)::int from allowed) as stores,
  (select coalesce(json_agg(distinct currency), '[]') from divided) as currencies, ${facetRows(sql)} as facets,
  (select coalesce(json_agg(card order by k1, k2, k3, id), '[]') from (
    select page.*, ${cardColumns(sql, "p", now)} from page join products p on p.id = page.id join allowed s on s.id = p.store_id
    cross join lateral ${priceRange(sql, now)}) card) as rows`;

async function findAll(ctx: Ctx<Consumer>, finding: Finding, ladder: Ladder | null): Promise<Found> {
  const { sql } = ctx;
  const { after, filters, limit, sort, storeIds } = finding;
  const most = mostSorted(finding);
  const takes = sql`${passes(ctx, filters, storeIds)} ${ladder ? sql`and ${ladder.rungs.at(-1)!}` : sql``}`;
  const keys = ladder && sort === "relevance" ? relevanceKeys(sql, ladder) : orderOf(sql, sort, finding.currency).keys;
  // A slice has a thirty-second part of what is in stock, give or take little: half as much again is surely too many.
  const mostInSlice = Math.round((most / SLICES) * 1.5);
  const few = sql`(select count(*) <= ${mostInSlice} from sample)`;
  const [found] = await sql<[Found]>`
    with ${allowed(ctx, finding)},
    sample as materialized (
      select from products p ${pricesOf(ctx)} where ${takes} and p.marks @> array[${SLICE.inStock}::int]
      limit ${after ? 0 : mostInSlice + 1}),
    matching as materialized (
      select p.id, ${keys[0]} as k1, ${keys[1]} as k2, ${keys[2]} as k3, ${facetColumns(sql)}
      from products p ${pricesOf(ctx)} where ${takes} ${looksUp(ctx, filters)} and ${few} limit ${after ? null : most + 1}),
    counted as ${most > MOST ? sql`materialized (select * from matching order by k1, k2, k3, id limit ${MOST})` : sql`not materialized (select * from matching)`},
    page as (
      select k1, k2, k3, id from matching
      ${after ? sql`where (k1, k2, k3, id) > (${after[0]}, ${after[1]}, ${after[2]}, ${after[3]})` : sql``}
      order by k1, k2, k3, id limit ${limit + 1})
    ${answer(ctx, ladder)}, (select count(*)::int from matching) as total, not ${few} as wide`;
  return { ...found, wide: after === undefined && (found.wide || found.total > most) };
}

/** The facets are those of the 10,000 best by relevance, whatever the order of the page. */
async function findWide(ctx: Ctx<Consumer>, finding: Finding, ladder: Ladder | null): Promise<Found> {
  const { sql } = ctx;
  const { after, filters, limit, sort, storeIds } = finding;
  const joins = pricesOf(ctx);
  const passing = passes(ctx, filters, storeIds);
  const best = byRelevance(sql, passing, ladder);
  const takes = sql`${passing} ${ladder ? sql`and ${ladder.rungs.at(-1)!}` : sql``}`;
  const ordered = ladder && sort === "relevance" ? best : [{ takes, order: orderOf(sql, sort, finding.currency) }];
  const [found] = await sql<[Omit<Found, "total" | "wide">]>`
    with ${allowed(ctx, finding)},
    ${walk(sql, "counted", best, { joins, columns: facetColumns(sql), limit: MOST })},
    ${walk(sql, "page", ordered, { joins, after, limit: limit + 1 })}
    ${answer(ctx, ladder)}`;
  return { ...found, total: MOST + 1, wide: true };
}
