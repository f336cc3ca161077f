// The Coverage page: which stores a consumer may read, why and since when; and which ended of late, without saying why:
// whether a merchant blocked it, withdrew a grant or switched AI Discovery off is the merchant's own matter.
//
// `readable` alone says who may read what now. Since when follows from coverage_periods (decision 0020).
import { z } from "zod";
import type { Sql } from "../../db/client";
import type { consumers } from "../../db/schema/consumers";
import { DAY_MS } from "../clock";
import type { Consumer, Ctx, Member, Operator } from "../context";
import { notFound } from "../errors";
import { hasAccess, readable } from "./coverage";
import { Cursor, Sought } from "./fields";
import { containing } from "./like";
import { type Neighbours, pageOf, turnOf } from "./pages";

type Fragment = ReturnType<Sql>;

const PAGE = 50;
/** How long an ended store is shown. */
const ENDED_DAYS = 30;

export const ListCoverage = z.strictObject({
  /** A part of the store's name. */
  query: Sought(100).optional(),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/, "Choose a country from the list.")
    .optional(),
  cursor: Cursor,
});
/** For operators: that of the consumer with this slug. */
export const ListAnyCoverage = ListCoverage.extend({ consumer: Sought(200) });
type List = z.infer<typeof ListCoverage>;
type ListAny = z.infer<typeof ListAnyCoverage>;

/** Demo store: always. Default-on: its merchant has AI Discovery on. Granted: its merchant granted it, in explicit coverage. */
export type Reason = "demo" | "default_on" | "granted";

interface CoveredStore {
  id: string;
  name: string;
  country: string;
  categories: string[];
  /** Products that tools can find. */
  productCount: number;
  reason: Reason;
  /** Without a break. */
  since: Date;
}

export interface EndedStore {
  id: string;
  name: string;
  country: string;
  endedAt: Date;
}

export interface Page<Row> extends Neighbours {
  /** The consumer's own: what its reading depends on. */
  state: (typeof consumers.$inferSelect)["state"];
  mode: Consumer["coverage"];
  /** What every platform reads. */
  hasDemoStore: boolean;
  stores: Row[];
}

export interface Coverage extends Page<CoveredStore> {
  /** How many stores match. */
  total: number;
  /** Of the stores that match but for the country, the most first. */
  countries: { code: string; count: number }[];
}

/** The stores that the consumer may read, by name. @throws DomainError cursor_invalid, not_found */
export const list = async (ctx: Ctx<Member>, input: List): Promise<Coverage> => listOf(ctx, await own(ctx), input);

/** The same of any consumer. @throws DomainError cursor_invalid, not_found */
export const listAny = async (ctx: Ctx<Operator>, { consumer, ...input }: ListAny): Promise<Coverage> =>
  listOf(ctx, await any(ctx, consumer), input);

async function listOf(ctx: Base, reader: Reader, input: List): Promise<Coverage> {
  const { sql } = ctx;
  const may = hasAccess(reader.state) ? readable(sql, reader) : sql`false`;
  const matching = sql`${may} ${named(sql, input)}`;
  const reason = reader.coverage === "default_on" ? "default_on" : "granted";
  const [page, countries] = await Promise.all([
    pageByName<CoveredStore>(
      ctx,
      reader,
      input,
      async (keys, order) => sql<CoveredStore[]>`
      with ${ownPeriods(sql, reader.consumerId)},
      page as materialized (select s.id, s.name from stores s where ${matching} ${inCountry(sql, input)} ${keys}
        ${order} limit ${PAGE + 1})
      select s.id, s.name, s.country, s.categories, s.product_count as "productCount",
        case when s.is_demo then 'demo' else ${reason} end as reason,
        (select lower(period) from unnest(${times(sql, reader.consumerId)}) period where upper_inf(period)) as since
      from page join stores s on s.id = page.id cross join mine ${order}`,
    ),
    sql<Coverage["countries"]>`
      select s.country as code, count(*)::int as count from stores s where ${matching} group by 1 order by 2 desc, 1`,
  ]);
  const counted = input.country ? countries.filter(({ code }) => code === input.country) : countries;
  const total = counted.reduce((sum, { count }) => sum + count, 0);
  return { ...page, total, countries };
}

/** The stores that the consumer could read within the last 30 days and cannot now, by name. @throws DomainError cursor_invalid, not_found */
export const ended = async (ctx: Ctx<Member>, input: List): Promise<Page<EndedStore>> =>
  endedOf(ctx, await own(ctx), input);

/** The same of any consumer. @throws DomainError cursor_invalid, not_found */
export const endedAny = async (ctx: Ctx<Operator>, { consumer, ...input }: ListAny): Promise<Page<EndedStore>> =>
  endedOf(ctx, await any(ctx, consumer), input);

async function endedOf(ctx: Base, reader: Reader, input: List): Promise<Page<EndedStore>> {
  const { sql } = ctx;
  const { consumerId } = reader;
  const from = new Date(ctx.now.getTime() - ENDED_DAYS * DAY_MS);
  return pageByName<EndedStore>(
    ctx,
    reader,
    input,
    // What lasts has no upper end.
    async (keys, order) => sql<EndedStore[]>`
    with ${ownPeriods(sql, consumerId)}
    select s.id, s.name, s.country, upper(was.times) as "endedAt" from stores s cross join mine
    cross join lateral (select ${times(sql, consumerId)} as times) was
    where ${reader.leftDefaultOn > from ? sql`true` : sql`s.id in (${changed(sql, consumerId, from)})`}
      and upper(was.times) > ${from} ${named(sql, input)} ${inCountry(sql, input)} ${keys}
    ${order} limit ${PAGE + 1}`,
  );
}

interface Reader extends Pick<Consumer, "consumerId" | "tier" | "coverage"> {
  state: Coverage["state"];
  /** When default-on coverage last ended; long ago where it never did. */
  leftDefaultOn: Date;
  hasDemoStore: boolean;
}

type Base = Pick<Ctx, "sql" | "now" | "secretKeys">;

const own = ({ sql, actor }: Ctx<Member>): Promise<Reader> => readerWhere(sql, sql`c.id = ${actor.consumerId}`);
const any = ({ sql }: Ctx<Operator>, slug: string): Promise<Reader> => readerWhere(sql, sql`c.slug = ${slug}`);

async function readerWhere(sql: Sql, whose: Fragment): Promise<Reader> {
  const [reader] = await sql<Reader[]>`
    select c.id as "consumerId", c.state, c.tier, c.coverage, coalesce((select max(p.ended) from coverage_periods p
      where p.consumer_id = c.id and p.store_id is null and p.kind = 'default_on'), 'epoch') as "leftDefaultOn",
      exists (select from stores where is_demo) as "hasDemoStore"
    from consumers c where ${whose}`;
  if (!reader) throw notFound("consumer");
  return reader;
}

/** SQL: the times at which any row of coverage_periods that fits held, as a multirange. */
const during = (sql: Sql, which: Fragment): Fragment => sql`coalesce(
  (select range_agg(tstzrange(p.began, p.ended)) from coverage_periods p where ${which}), '{}'::tstzmultirange)`;

/** SQL: the CTE `mine`: when the consumer had access, default-on and explicit coverage. */
function ownPeriods(sql: Sql, consumerId: string): Fragment {
  const own = (kind: string) =>
    during(sql, sql`p.consumer_id = ${consumerId} and p.store_id is null and p.kind = ${kind}`);
  return sql`mine as materialized (
    select ${own("access")} as access, ${own("default_on")} as default_on, ${own("explicit")} as explicit)`;
}

/** SQL: when the consumer of `mine` could read the store `s`: `readable`, over all of the past. */
function times(sql: Sql, consumerId: string): Fragment {
  const pair = (kind: string) =>
    during(sql, sql`p.consumer_id = ${consumerId} and p.store_id = s.id and p.kind = ${kind}`);
  const discovery = during(sql, sql`p.store_id = s.id and p.consumer_id is null`);
  return sql`case when s.is_demo then mine.access * tstzmultirange(tstzrange(s.created_at, null))
    else (mine.default_on + mine.explicit * ${pair("grant")}) * ${discovery} - ${pair("block")} end`;
}

/**
 * SQL: the stores of which something changed since then that may have ended the consumer's reading. (Leaving default-on
 * coverage ends that of stores which no such row names: after that every store is looked at.)
 */
const changed = (sql: Sql, consumerId: string, from: Date): Fragment => sql`
  select p.store_id from coverage_periods p where p.consumer_id is null and p.ended > ${from}
  union all
  select p.store_id from coverage_periods p where p.consumer_id = ${consumerId} and p.kind = 'block' and p.began > ${from}
  union all
  select p.store_id from coverage_periods p where p.consumer_id = ${consumerId} and p.kind = 'grant'
    and (p.ended > ${from} or (p.ended is null and exists (select from coverage_periods own
      where own.consumer_id = ${consumerId} and own.store_id is null and own.kind = 'explicit' and own.ended > ${from})))
  union all
  select d.id from stores d where d.is_demo`;

const named = (sql: Sql, { query }: List): Fragment => (query ? sql`and s.name ilike ${containing(query)}` : sql``);
const inCountry = (sql: Sql, { country }: List): Fragment => (country ? sql`and s.country = ${country}` : sql``);

/**
 * One page by name, from the start or from where a cursor stands, forwards or backwards.
 * @param read the rows of `stores s` that fit, from these keys on, in this order, and one more than a page
 */
async function pageByName<Row extends { id: string; name: string }>(
  ctx: Base,
  { consumerId, state, coverage: mode, hasDemoStore }: Reader,
  input: List,
  read: (keys: Fragment, order: Fragment) => Promise<Row[]>,
): Promise<Page<Row>> {
  const { sql } = ctx;
  const query = { ...input, consumerId };
  const turn = turnOf(ctx, query, ["string", "string"]);
  const { key, back } = turn;
  const keys: Fragment = key ? sql`and (s.name, s.id) ${back ? sql`<` : sql`>`} (${key[0]!}, ${key[1]!}::uuid)` : sql``;
  const order: Fragment = back ? sql`order by s.name desc, s.id desc` : sql`order by s.name, s.id`;
  const found = await read(keys, order);
  const keyOf = ({ name, id }: Row) => [name, id];
  const { rows, ...neighbours } = pageOf(ctx, query, turn, { found, limit: PAGE, keyOf });
  return { ...neighbours, state, mode, hasDemoStore, stores: rows };
}
