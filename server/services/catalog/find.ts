// One reading of a search, answered by the database. Up to 10,000 matches are sorted and counted whole, in one round trip.
// Whether there are more is estimated from a thirty-second part of the catalogue; those take a second round trip and are walked.
import { constant } from "../../../db/compose";
import type { Consumer, Ctx } from "../../context";
import { DomainError } from "../../errors";
import { readable } from "../coverage";
import { type CardRow, cardColumns, type Fragment, priceRange, saleNow } from "./card";
import { divided, type FacetRow, facetColumns, facetRows, spelledOnce } from "./facets";
import { type Filters, looksUp, passes, type Reach, reachOf } from "./filters";
import { type Ladder, ladderOf, type Only } from "./ladder";
import { SAMPLE, SLICES } from "./marks";
import { inOwnCurrency, levelsOf, offer, offerOf } from "./offered";
import { GONE_RUNGS, orderOf, type Place, relevanceKeys, type Sort } from "./order";
import { languages } from "./tsquery";
import { byRelevance, type Rungs, walk } from "./walk";
import type { Asked, Code } from "./words";

export interface Finding {
  /** Null: whatever passes the filters. */
  asked: Asked | null;
  /** Any of the words will do. */
  loose: boolean;
  only?: Only | undefined;
  /** Of a later page: was the first one walked? Undefined for the first page, where that is found out. */
  wide?: boolean | undefined;
  after?: Place | undefined;
  filters: Filters;
  storeIds?: readonly string[] | undefined;
  sort: Sort;
  currency?: string | undefined;
  limit: number;
}

type FoundRow = CardRow & { k1: number; k2: number; k3: number; id: number };

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
  /** Only sorted by relevance: the rung of the first row, of which 0 is the best; and of `Ladder`. */
  rung?: { first: number } & Pick<Ladder, "itself" | "otherwise">;
}

/** On a page, as the tool has it. */
const MOST_SHOWN = 50;
/** Rows of a page and one more, in the text of a statement, so that one plan serves every `limit`. */
const mostOnPage = (limit: number): number => Math.max(MOST_SHOWN, limit) + 1;
/** The most matches that are counted. */
const MOST = 10_000;
/** The most that are sorted where a walk would go through much in vain: in few stores, or where columns decide. */
const MOST_SORTED = 25_000;

function mostSorted({ filters }: Finding, reach: Reach): number {
  const { brand, gtin, product_type, google_product_category, ...others } = filters;
  return reach === "most" && Object.values(others).every((filter) => filter === undefined) ? MOST : MOST_SORTED;
}

/** The matches of one reading: a page of them, how many there are, and their facets. @throws DomainError cursor_invalid */
export async function find(ctx: Ctx<Consumer>, finding: Finding): Promise<Found> {
  const ladder = finding.asked && ladderOf(ctx.sql, finding.asked, finding.loose, finding.only);
  const { facets, ...rest } = await findOn(ctx, finding, ladder);
  const found = { ...rest, facets: spelledOnce(facets) };
  const best = finding.sort === "relevance" ? found.rows[0] : undefined;
  if (!best || !ladder) return found;
  const { itself, otherwise } = ladder;
  return { ...found, rung: { first: best.k1 % GONE_RUNGS, itself, otherwise } };
}

async function findOn(ctx: Ctx<Consumer>, finding: Finding, ladder: Ladder | null): Promise<Found> {
  const reach = await reachOf(ctx, finding.storeIds);
  const passing = passes(ctx, finding.filters, reach, codeIn(finding));
  if (finding.wide) {
    const [{ samples }] = await ctx.sql<[{ samples: number[] }]>`
      with ${allowed(ctx, finding)} ${said(ctx.sql, ladder)} select ${samplesOf(ctx, passing, ladder)} as samples`;
    return findWide(ctx, finding, passing, ladder, samples);
  }
  const found = await findAll(ctx, finding, passing, ladder, mostSorted(finding, reach));
  if (!found.samples) return found;
  // Its place is of another order than a walk's. It was given out while few matched, or to a platform that reads fewer stores.
  if (finding.after) throw outgrown();
  return findWide(ctx, finding, passing, ladder, found.samples);
}

const outgrown = () =>
  new DomainError(
    "cursor_invalid",
    "Far more matches now than when that cursor was given out. Start again without one.",
  );

/** With more than this in the sample, a rung is worth walking in slices: to count what is on it, or to put it in order. */
const COUNTED_AT_ONCE = 900;
const SORTED_AT_ONCE = 30;

const oneByOne = (samples: readonly number[], atOnce: number): Rungs[] =>
  samples.map((count, i) => ({ first: i, last: i, short: count <= atOnce }));

/**
 * For counting the 10,000 best: short rungs are read together where that reads less. Each rung but the first has all of the one
 * before it: one by one, the same rows are read again; together, the last rung must be read to its end.
 */
function together(samples: readonly number[]): Rungs[] {
  const wanted = MOST / SLICES;
  const reading: Rungs[] = [];
  for (const rungs of oneByOne(samples, COUNTED_AT_ONCE)) {
    const before = reading.at(-1);
    const [had, have] = [samples[rungs.first - 1] ?? 0, samples[rungs.first]!];
    const ofIt = have > had ? Math.min(1, Math.max(0, wanted - had) / (have - had)) : 1;
    const isLess = had < wanted && have < had + have * ofIt;
    if (before?.short && rungs.short && before.first > 0 && isLess) before.last = rungs.last;
    else reading.push(rungs);
  }
  return reading;
}

/**
 * SQL: what passes of a thirty-second part of the catalogue, up to one more than `most`. That part has an index of its own,
 * and its mark, so that the index serves even where nothing else is looked up.
 */
export function sampleOf(ctx: Ctx<Consumer>, passing: Fragment, most: number): Fragment {
  const { sql } = ctx;
  return sql`select from products p ${pricesOf(ctx)} where ${passing}
    and p.id % ${constant(sql, SLICES)} = 0 and p.marks @> array[${constant(sql, SAMPLE)}] limit ${constant(sql, most + 1)}`;
}

/** SQL: for each rung how many a sample has on it or better. @param last for the last one, if that is known */
function samplesOf(ctx: Ctx<Consumer>, passing: Fragment, ladder: Ladder | null, last?: Fragment): Fragment {
  const { sql } = ctx;
  const counts = (ladder?.rungs ?? [sql`true`]).map((rung, i, { length }) =>
    last && i === length - 1
      ? last
      : sql`(select count(*)::int from (${sampleOf(ctx, sql`${passing} and ${rung}`, COUNTED_AT_ONCE)}) sampled)`,
  );
  return sql`array[${counts.reduce((left, right) => sql`${left}, ${right}`)}]`;
}

/** SQL: the stores that count, as `allowed`, and `languages`. An index has all of the stores but their currencies. */
export const allowed = ({ sql, actor }: Ctx<Consumer>, { storeIds, filters = {} }: Partial<Finding>): Fragment => sql`
  ${languages(sql)},
  allowed as materialized (select s.id, s.name ${inOwnCurrency(filters) ? sql`, s.currency` : sql``} from stores s
    where ${readable(sql, actor)} ${storeIds ? sql`and s.id = any (${[...storeIds]}::uuid[])` : sql``})`;

/** SQL: the CTE that a ladder's conditions read, after `allowed`. */
const said = (sql: Ctx["sql"], ladder: Ladder | null): Fragment => (ladder ? sql`, ${ladder.said}` : sql``);

const orderAsked = ({ sql }: Ctx<Consumer>, finding: Finding, of: "p" | "v") => {
  const { sort, currency, filters } = finding;
  // Where a variant is judged, its product may stand in a currency that no store has as its own.
  const code = codeIn(finding);
  const isOwn = inOwnCurrency(filters) && offerOf(filters, code) === "p";
  return orderOf(sql, sort, of, currency, isOwn, levelsOf(filters, code));
};

const codeIn = ({ asked, loose }: Finding): Code | undefined => (loose ? undefined : asked?.code);

/** SQL: the sale and the price now, of the product or its variant `v`. */
export const pricesOf = ({ sql, now }: Ctx<Consumer>, of: "p" | "v" = "p"): Fragment => sql`
  cross join lateral (select ${saleNow(sql, of, now)}) sale (amount)
  cross join lateral (select coalesce(sale.amount, ${sql(of)}.price_amount)) now_at (amount)`;

/** SQL: the offer `v` that the filters, or the code, are about, where they are about a variant's. */
const variantOf = (ctx: Ctx<Consumer>, filters: Filters, code?: Code, likely?: Fragment): Fragment =>
  offerOf(filters, code) === "v" ? ctx.sql`cross join lateral ${offer(ctx, filters, code, likely)}` : ctx.sql``;

/** SQL: what is told of the CTE `counted` (all matches, or the best), as it is `divided`, and of `allowed`. */
const counts = (sql: Ctx["sql"], ladder: Ladder | null): Fragment => sql`
  ${ladder ? ladder.searchable : sql`true`} as searchable, (select count(*)::int from allowed) as stores,
  (select coalesce(json_agg(distinct currency), '[]') from offers) as currencies, ${facetRows(sql)} as facets`;

/** SQL: the cards of the CTE `page` (places), in order. */
const cards = (ctx: Ctx<Consumer>, finding: Finding): Fragment => {
  const { sql, now } = ctx;
  return sql`(select coalesce(json_agg(card order by k1, k2, k3, id), '[]') from (
    select page.*, ${cardColumns(sql, now)} from page join products p on p.id = page.id join allowed s on s.id = p.store_id
    cross join lateral ${offer(ctx, finding.filters, codeIn(finding))} cross join lateral ${priceRange(sql, now)}) card) as rows`;
};

/** The same ladder, with its rung told once, by `joins`. Nothing but what stands on the first one may have the code asked for. */
const toldOnce = (sql: Ctx["sql"], ladder: Ladder) => ({
  ladder: { ...ladder, rung: sql`rung.number` },
  joins: sql`cross join lateral (select ${ladder.rung} as number offset 0) rung`,
  likely: sql`rung.number = 0`,
});

/**
 * @param most the most matches that it is worth sorting, as far as the sample tells
 * @returns with `samples` when there are more
 */
async function findAll(
  ctx: Ctx<Consumer>,
  finding: Finding,
  passing: Fragment,
  ladder: Ladder | null,
  most: number,
): Promise<Found & { samples: number[] | null }> {
  const { sql } = ctx;
  const { after, filters, limit, sort } = finding;
  const takes = sql`${passing} ${ladder ? sql`and ${ladder.rungs.at(-1)!}` : sql``}`;
  const code = codeIn(finding);
  const of = offerOf(filters, code);
  const ranked = ladder && sort === "relevance" ? ladder : null;
  const told = ranked && code ? toldOnce(sql, ranked) : null;
  const keys = ranked ? relevanceKeys(sql, told?.ladder ?? ranked, of) : orderAsked(ctx, finding, of).keys;
  const joins = sql`${variantOf(ctx, filters, code, told?.likely)} ${pricesOf(ctx, of)}`;
  // A sample has a thirty-second part of all that match, give or take little: a quarter more is surely too many. A later
  // page is refused then, so some that have come since are borne: another quarter.
  const mostInSample = Math.round((most / SLICES) * (after ? 1.5 : 1.25));
  const sampled = sql`(select count(*)::int from sample)`;
  const all = sql`(select number from total)`;
  const few = sql`(${sampled} <= ${constant(sql, mostInSample)})`;
  const [found] = await sql<[Omit<Found, "wide"> & { samples: number[] | null }]>`
    with ${allowed(ctx, finding)} ${said(sql, ladder)},
    sample as materialized (${sampleOf(ctx, takes, Math.max(mostInSample, COUNTED_AT_ONCE))}),
    matching as materialized (
      select p.id, ${keys[0]} as k1, ${keys[1]} as k2, ${keys[2]} as k3, ${facetColumns(sql, of)}
      from products p ${told ? sql`${told.joins} ${joins}` : joins} where ${takes} ${looksUp(ctx, filters, ladder !== null, code)} and ${few}),
    total as materialized (select count(*)::int as number from matching),
    counted as not materialized (
      select * from matching where ${all} <= ${constant(sql, MOST)}
      union all (select * from matching where ${all} > ${constant(sql, MOST)} order by k1, k2, k3, id limit ${constant(sql, MOST)})),
    page as (
      select * from (select k1, k2, k3, id from matching
      ${after ? sql`where (k1, k2, k3, id) > (${after[0]}, ${after[1]}, ${after[2]}, ${after[3]})` : sql``}
      order by k1, k2, k3, id limit ${constant(sql, mostOnPage(limit))}) first order by k1, k2, k3, id limit ${limit + 1}),
    ${divided(sql)}
    select ${counts(sql, ladder)}, ${cards(ctx, finding)}, ${all} as total,
      case when not ${few} then ${samplesOf(ctx, passing, ladder, sampled)} end as samples`;
  return { wide: false, ...found };
}

/**
 * A search that is walked. The facets are always those of the 10,000 best by relevance, whatever the order of the page: so both
 * are asked for at once. Products are walked in the order of their own stock and price, also where the filters or the code are
 * about a variant: the index has no other order. What so many have is hardly the code of any: facets are by the filters alone.
 */
async function findWide(
  ctx: Ctx<Consumer>,
  finding: Finding,
  passing: Fragment,
  ladder: Ladder | null,
  samples: number[],
): Promise<Found> {
  const { sql } = ctx;
  const { after, filters, limit, sort } = finding;
  const of = offerOf(filters);
  const levels = levelsOf(filters, codeIn(finding));
  const takes = sql`${passing} ${ladder ? sql`and ${ladder.rungs.at(-1)!}` : sql``}`;
  const ordered =
    ladder && sort === "relevance"
      ? byRelevance(sql, passing, ladder, oneByOne(samples, SORTED_AT_ONCE), levels)
      : [{ takes, order: orderAsked(ctx, finding, "p") }];
  const counted = ladder?.counted ?? [0];
  const coarse = ladder && { ...ladder, rungs: counted.map((i) => ladder.rungs[i]!) };
  const best = byRelevance(sql, passing, coarse, together(counted.map((i) => samples[i]!)), levels);
  const [[told], [page]] = await Promise.all([
    sql<[Pick<Found, "searchable" | "stores" | "currencies" | "facets">]>`
      with ${allowed(ctx, finding)} ${said(sql, ladder)},
      ${walk(sql, "counted", best, { joins: sql`${variantOf(ctx, filters)} ${pricesOf(ctx, of)}`, columns: facetColumns(sql, of), most: MOST })},
      ${divided(sql)}
      select ${counts(sql, ladder)}`,
    sql<[Pick<Found, "rows">]>`
      with ${allowed(ctx, finding)} ${said(sql, ladder)},
      ${walk(sql, "page", ordered, { joins: pricesOf(ctx), after, most: mostOnPage(limit), limit: limit + 1 })}
      select ${cards(ctx, finding)}`,
  ]);
  return { total: MOST + 1, wide: true, ...told, ...page };
}
