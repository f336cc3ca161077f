// Which platforms may read a merchant's store, how they stand to it, and what they read. What the merchant decides about them
// is in agent-decisions.ts. A platform's limits and keys stay its own.
import { z } from "zod";
import { actingAs, type Consumer, type Ctx, type Merchant, type Scope } from "../context";
import { type DomainError, notFound } from "../errors";
import { hasAccess, readableByConsumer } from "./coverage";
import { Cursor, Sought } from "./fields";
import { refuseKey } from "./key-admission";
import { containing } from "./like";
import { type OwnStore, requireOwnStore, StoreSlug } from "./ownership";
import { type Page, pageOf, turnOf } from "./pages";
import type { Grain } from "./usage-rollup";
import { beginningOf, stepsOf } from "./usage-steps";

/**
 * How a platform stands to a store. `discovery_off`: only the store's switch is in the way. `ended`: it was announced at
 * the store, or the merchant decided about it, and it has no production access now.
 */
const standings = ["reading", "blocked", "not_granted", "discovery_off", "ended"] as const;
export type Standing = (typeof standings)[number];

/** SQL: the standing of consumer `c` at store `s`; null for a platform that the store has nothing to do with. */
const standing = (sql: Ctx["sql"]) => sql`case
  when ${readableByConsumer(sql)} then 'reading'
  when c.state <> 'production' then case
    when exists (select from notifications n where n.consumer_id = c.id and n.store_id = s.id)
      or exists (select from grants g where g.consumer_id = c.id and g.store_id = s.id)
      or exists (select from blocks b where b.consumer_id = c.id and b.store_id = s.id) then 'ended' end
  when exists (select from blocks b where b.consumer_id = c.id and b.store_id = s.id) then 'blocked'
  when c.coverage = 'explicit' and not exists (select from grants g where g.consumer_id = c.id and g.store_id = s.id)
    then 'not_granted'
  else 'discovery_off' end`;

const PAGE = 25;

interface PlatformRow {
  slug: string;
  name: string;
  /** From its application; null for one that never applied. */
  company: string | null;
  website: string | null;
  standing: Standing;
  coverage: Consumer["coverage"];
  /** Since when it stands as it stands; null where that is not known. */
  since: Date | null;
  /** Reads: calls that named this store and were answered. 7 and 30 days are those of the Usage page. */
  last7: number;
  last30: number;
  lastAt: Date | null;
}

/**
 * SQL, to be joined laterally to consumer `c` and store `s`: since when it stands so. That is the latest of the beginnings
 * that its standing follows from, and of three ends: of a block, of a grant, of AI Discovery. Of an ended one it is the end of
 * its access, or when it was decided, where that end was before periods were kept.
 */
const sinceWhen = ({ sql }: Ctx) => sql`
  select case c.standing
    when 'blocked' then (select b.created_at from blocks b where b.consumer_id = c.id and b.store_id = s.id)
    when 'ended' then coalesce((select max(p.ended) from coverage_periods p where p.consumer_id = c.id and p.store_id is null
      and p.kind = any (case when s.is_demo then array['access'] else array['default_on', 'explicit'] end)), c.decided_at)
    else greatest(s.created_at,
      (select max(p.began) from coverage_periods p where p.consumer_id = c.id and p.store_id is null
        and p.kind = case when s.is_demo then 'access' else c.coverage end),
      (select max(coalesce(p.ended, p.began)) from coverage_periods p where p.consumer_id = c.id and p.store_id = s.id
        and p.kind = any (case c.coverage when 'explicit' then array['block', 'grant'] else array['block'] end)),
      (select max(coalesce(p.ended, p.began)) from coverage_periods p where p.consumer_id is null and p.store_id = s.id
        and not s.is_demo and c.standing <> 'not_granted')) end as since`;

/**
 * SQL: the latest reads of store `s` by consumer `c` in 30 days. Compares rows, so that the index of stores is used: in that
 * of consumers, everything would be looked through of one who reads much elsewhere and nothing here.
 */
function latest({ sql, now }: Ctx, limit: number) {
  const from = beginningOf("30d", now);
  return sql`
    select u.* from usage_events u
    where (u.store_id, u.consumer_id, u.at) >= (s.id, c.id, ${from}) and (u.store_id, u.consumer_id, u.at) <= (s.id, c.id, ${now})
      and u.store_id is not null and u.error_code is null and u.at >= ${from} and u.at <= ${now}
    order by u.store_id desc, u.consumer_id desc, u.at desc limit ${limit}`;
}

/** SQL: the CTE `waiting`: reads of the store in the CTE `s` that `usage_rollups` does not have yet. */
const waiting = ({ sql, now }: Ctx) => sql`waiting as materialized (
    select p.consumer_id, p.at, p.times as reads from usage_pending p
    where p.store_id = (select id from s) and p.error_code is null and p.at >= ${beginningOf("30d", now)}
    union all
    select r.consumer_id, r.at, r.calls - r.errors - r.refused from usage_recent r
    where r.dimension = 'store' and r.value = (select id::text from s) and r.at >= ${beginningOf("30d", now)})`;

/**
 * SQL, joined laterally likewise, beside `waiting`: what was read. A look-up in the rollups for each day, and for each
 * hour of the day that the 7 days begin in; only the last read is looked up in the log.
 */
function reads(ctx: Ctx) {
  const { sql, now } = ctx;
  const week = beginningOf("7d", now);
  const days = stepsOf("30d", now);
  const hours = stepsOf("7d", now).filter((hour) => hour < days.find((day) => day >= week)!);
  const rollups = (grain: Grain, steps: Date[]) => sql`
    select r.grain, r.at, r.calls - r.errors - r.refused as reads from usage_rollups r
    where r.consumer_id = c.id and r.grain = ${grain} and r.at = any (${steps.map((at) => at.toISOString())}::text[]::timestamptz[])
      and r.dimension = 'store' and r.value = s.id::text`;
  return sql`
    select coalesce(sum(reads) filter (where at >= ${week}), 0)::int as "last7",
      coalesce(sum(reads) filter (where grain = 'day'), 0)::int as "last30",
      (select u.at from (${latest(ctx, 1)}) u) as "lastAt"
    from (${rollups("day", days)} union all ${rollups("hour", hours)}
      union all select 'day', w.at, w.reads from waiting w where w.consumer_id = c.id) counted`;
}

export const ListAgents = z.strictObject({
  store: StoreSlug,
  standing: z.enum(standings),
  /** Part of the platform's or its company's name. */
  query: Sought(100).optional(),
  cursor: Cursor,
});

/** How many platforms have each standing at a store of the merchant's. @throws DomainError not_found */
export async function count(
  ctx: Ctx<Merchant>,
  input: z.infer<typeof OwnStore>,
): Promise<Record<Standing, number> & { aiDiscovery: boolean; isDemo: boolean; storeName: string }> {
  const { sql, actor } = ctx;
  const [row] = await sql<
    { ai_discovery: boolean; is_demo: boolean; name: string; counts: Partial<Record<Standing, number>> | null }[]
  >`
    select s.ai_discovery, s.is_demo, s.name, (
      select json_object_agg(standing, n) from (
        select standing, count(*)::int as n from (select ${standing(sql)} as standing from consumers c) each
        where standing is not null group by 1) counted) as counts
    from stores s where s.slug = ${input.store} and s.merchant_id = ${actor.merchantId}`;
  if (!row) throw notFound("store");
  const none = Object.fromEntries(standings.map((each) => [each, 0])) as Record<Standing, number>;
  return { ...none, ...row.counts, aiDiscovery: row.ai_discovery, isDemo: row.is_demo, storeName: row.name };
}

/** The platforms that have one standing at a store, by name, a page at a time. @throws DomainError not_found, cursor_invalid */
export async function list(ctx: Ctx<Merchant>, input: z.infer<typeof ListAgents>): Promise<Page<PlatformRow>> {
  const { sql, actor } = ctx;
  const query = { list: "agents", merchantId: actor.merchantId, ...input };
  const turn = turnOf(ctx, query, ["string", "string"]);
  const { key, back } = turn;
  const like = input.query && containing(input.query);
  const direction = back ? sql`desc` : sql``;
  await requireOwnStore(ctx, input);
  const found = await sql<PlatformRow[]>`
    with s as materialized (select * from stores s where s.slug = ${input.store} and s.merchant_id = ${actor.merchantId}),
    ${waiting(ctx)},
    page as materialized (
      select c.*, st.standing from s cross join consumers c
      ${like ? sql`left join applications a on a.consumer_id = c.id` : sql``}
      cross join lateral (select ${standing(sql)} as standing) st
      where st.standing = ${input.standing} ${like ? sql`and (c.name ilike ${like} or a.company ilike ${like})` : sql``}
        ${key ? sql`and (c.name, c.slug) ${back ? sql`<` : sql`>`} (${key[0]!}, ${key[1]!})` : sql``}
      order by c.name ${direction}, c.slug ${direction} limit ${PAGE + 1})
    select c.slug, c.name, a.company, a.website, c.standing, c.coverage, x.since, r.*
    from page c cross join s left join applications a on a.consumer_id = c.id cross join lateral (${sinceWhen(ctx)}) x cross join lateral (${reads(ctx)}) r
    order by c.name ${direction}, c.slug ${direction}`;
  return pageOf(ctx, query, turn, { found, limit: PAGE, keyOf: ({ name, slug }) => [name, slug] });
}

export const OnePlatform = z.strictObject({ store: StoreSlug, platform: z.string().max(63) });
export type OnePlatform = z.infer<typeof OnePlatform>;

export interface Platform extends PlatformRow {
  storeName: string;
  isDemo: boolean;
  /** Has the merchant granted it this store? Asked of platforms in explicit coverage. */
  granted: boolean;
  /** Where it runs and what shoppers do there, from its application. */
  runsOn: string | null;
  shopperUse: string | null;
  /** What it may read of any store. */
  scopes: Scope[];
}

/** One platform and one store of the merchant's. @throws DomainError not_found, also where they have nothing to do with each other */
export async function get(ctx: Ctx<Merchant>, input: OnePlatform): Promise<Platform> {
  const { sql, actor } = ctx;
  const [platform] = await sql<Platform[]>`
    with s as materialized (select * from stores s where s.slug = ${input.store} and s.merchant_id = ${actor.merchantId}),
    ${waiting(ctx)},
    one as materialized (
      select c.*, st.standing from s cross join consumers c cross join lateral (select ${standing(sql)} as standing) st
      where c.slug = ${input.platform} and st.standing is not null)
    select c.slug, c.name, a.company, a.website, c.standing, c.coverage, x.since, r.*, s.name as "storeName",
      s.is_demo as "isDemo", exists (select from grants g where g.consumer_id = c.id and g.store_id = s.id) as granted,
      a.platform as "runsOn", a.shopper_use as "shopperUse", c.scopes
    from one c cross join s left join applications a on a.consumer_id = c.id
    cross join lateral (${sinceWhen(ctx)}) x cross join lateral (${reads(ctx)}) r`;
  if (!platform) throw notFound("platform at this store");
  return platform;
}

/** How many of a platform's reads of a store are looked through: no page waits for a month of the log. */
const LATEST = 10_000;

export interface Reads {
  tools: { tool: string; last7: number; last30: number }[];
  /** The ten most asked for by name in 30 days; a variant counts for its product. */
  products: { productId: string; title: string; excluded: boolean; last7: number; last30: number }[];
  /** Set where both are of the latest so many reads alone. */
  ofLatest: number | null;
}

/**
 * What a platform read of a store in the last 7 and 30 days: calls that named the store and were answered. A search over
 * all stores names none, and what a search finds is not kept.
 */
export async function readsOf(ctx: Ctx<Merchant>, input: OnePlatform): Promise<Reads> {
  const { sql, actor, now } = ctx;
  await requireOwnStore(ctx, input);
  const [row] = await sql<[Reads]>`
    with called as materialized (
      select u.request_id, u.tool, u.at >= ${beginningOf("7d", now)} as recent, u.product_ids, s.id as store_id
      from stores s cross join consumers c cross join lateral (${latest(ctx, LATEST)}) u
      where s.slug = ${input.store} and s.merchant_id = ${actor.merchantId} and c.slug = ${input.platform}
        and u.tool is not null),
    named as (
      select distinct store_id, product_id from called cross join unnest(product_ids) product_id),
    item as (
      select n.product_id, found.id from named n cross join lateral (
        select p.id from products p where p.store_id = n.store_id and p.product_id = n.product_id
        union all
        select v.product_ref from variants v where v.store_id = n.store_id and v.variant_id = n.product_id
        limit 1) found),
    -- A call is one read of a product, however many of its variants it names.
    read as (
      select distinct request_id, recent, item.id
      from called cross join unnest(product_ids) named_id join item on item.product_id = named_id),
    best as (
      select p.product_id as "productId", p.title, p.excluded,
        count(*) filter (where r.recent)::int as last7, count(*)::int as last30
      from read r join products p on p.id = r.id group by p.id order by last30 desc, p.product_id limit 10)
    select
      (select coalesce(json_agg(t order by t.last30 desc, t.tool), '[]') from (
        select tool, count(*) filter (where recent)::int as last7, count(*)::int as last30 from called group by tool) t) as tools,
      (select coalesce(json_agg(best order by last30 desc, "productId"), '[]') from best) as products,
      (select case when count(*) = ${LATEST} then ${LATEST}::int end from called) as "ofLatest"`;
  return row;
}

export const PreviewAgent = OnePlatform.extend({
  /** What to search for; all of the store's products unless given. */
  query: Sought(200).optional(),
});

/**
 * The platform as a caller, or the refusal that it gets where it has no access any more, and the store's id: for showing
 * what it would be answered.
 * @throws DomainError not_found, as `get`
 */
export async function readerOf(
  ctx: Ctx<Merchant>,
  input: OnePlatform,
): Promise<{ reader: Ctx<Consumer> | DomainError; storeId: string }> {
  const { sql, actor } = ctx;
  const [row] = await sql<
    (Pick<Consumer, "consumerId" | "slug" | "tier" | "coverage" | "scopes" | "utmSource"> & {
      storeId: string;
      state: Parameters<typeof hasAccess>[0];
    })[]
  >`
    select c.state, c.id as "consumerId", c.slug, c.tier, c.coverage, c.scopes, c.utm_source as "utmSource", s.id as "storeId"
    from stores s cross join consumers c
    where s.slug = ${input.store} and s.merchant_id = ${actor.merchantId} and c.slug = ${input.platform}
      and ${standing(sql)} is not null`;
  if (!row) throw notFound("platform at this store");
  const { storeId, state, ...consumer } = row;
  if (!hasAccess(state)) return { reader: refuseKey("access_revoked"), storeId };
  const reader: Consumer = {
    ...consumer,
    kind: "consumer",
    rateLimit: 0,
    endpoint: "playground",
    keyId: null,
    accountId: actor.accountId,
    onlyStore: storeId,
  };
  return { reader: actingAs(ctx, reader), storeId };
}
