// A merchant's stores, as the merchant sees them, and the switch that says whether agents may read them at all.
import { eq } from "drizzle-orm";
import { z } from "zod";
import type { PostalAddress, ReturnPolicy } from "../../db/schema/merchants";
import { stores } from "../../db/schema/merchants";
import type { Ctx, Merchant } from "../context";
import { DomainError, notFound } from "../errors";
import * as audit from "./audit";
import { readableByConsumer } from "./coverage";
import { type FeedTrouble, troubleOf } from "./feeds/source-state";
import { Cursor } from "./fields";
import { type Day, days, hoursOf, type Span } from "./opening-hours";
import { lockOwnStore, type OwnStore, StoreSlug } from "./ownership";
import { type Page, pageOf, turnOf } from "./pages";

const PAGE = 25;

/** The last load of a feed that ended; null where none did. */
export interface LastLoad {
  at: string;
  outcome: "loaded" | "refused" | "failed";
  fileName: string;
  loaded: number;
  rejected: number;
}

interface OwnStoreRow {
  id: string;
  slug: string;
  name: string;
  country: string;
  isDemo: boolean;
  aiDiscovery: boolean;
  /** Products that are in the feed now, those kept from agents among them. */
  products: number;
  /** Kept from agents, also what has left the feed since. */
  excluded: number;
  lastLoad: LastLoad | null;
  /** How far the load is that is under way; null where none is. */
  underWay: "waiting" | "loading" | null;
  feed: FeedTrouble | null;
  /** Platforms that can read it now. */
  platforms: number;
}

/** SQL: what every view of store `s` shows. */
const figures = ({ sql }: Ctx) => sql`
  s.id, s.slug, s.name, s.country, s.is_demo as "isDemo", s.ai_discovery as "aiDiscovery",
  (select count(*)::int from products p where p.store_id = s.id and p.vanished_at is null) as products,
  (select count(*)::int from products p where p.store_id = s.id and p.excluded and p.vanished_at is null) as excluded,
  (select json_build_object('at', l.finished_at, 'outcome', l.outcome, 'fileName', l.file_name, 'loaded', l.loaded,
      'rejected', l.rejected) from feed_loads l where l.store_id = s.id and l.finished_at is not null
    order by l.finished_at desc limit 1) as "lastLoad",
  (select l.outcome from feed_loads l where l.store_id = s.id and l.outcome in ('waiting', 'loading') limit 1) as "underWay",
  ${troubleOf(sql)} as feed,
  (select count(*)::int from consumers c where ${readableByConsumer(sql)}) as platforms`;

export const ListOwnStores = z.strictObject({ cursor: Cursor });

/** The merchant's stores by name, a page at a time. @throws DomainError cursor_invalid */
export async function list(ctx: Ctx<Merchant>, input: z.infer<typeof ListOwnStores>): Promise<Page<OwnStoreRow>> {
  const { sql, actor } = ctx;
  const query = { list: "stores", merchantId: actor.merchantId, ...input };
  const turn = turnOf(ctx, query, ["string", "string"]);
  const { key, back } = turn;
  const found = await sql<OwnStoreRow[]>`
    with page as materialized (
      select s.* from stores s where s.merchant_id = ${actor.merchantId}
        ${key ? sql`and (s.name, s.slug) ${back ? sql`<` : sql`>`} (${key[0]!}, ${key[1]!})` : sql``}
      order by s.name ${back ? sql`desc` : sql``}, s.slug ${back ? sql`desc` : sql``} limit ${PAGE + 1})
    select ${figures(ctx)} from page s order by s.name ${back ? sql`desc` : sql``}, s.slug ${back ? sql`desc` : sql``}`;
  return pageOf(ctx, query, turn, { found, limit: PAGE, keyOf: ({ name, slug }) => [name, slug] });
}

/** The most stores that a list to choose from names. */
const MOST_CHOICES = 200;

export const ChooseStore = z.strictObject({ shown: StoreSlug.optional() });

/** The merchant's stores by name, to choose one from; the one that is shown is among them. */
export const choices = (
  { sql, actor }: Ctx<Merchant>,
  { shown = "" }: z.infer<typeof ChooseStore>,
): Promise<{ slug: string; name: string }[]> => sql`
  select slug, name from (
    select s.slug, s.name from stores s where s.merchant_id = ${actor.merchantId}
    order by s.slug = ${shown} desc, s.name, s.slug limit ${MOST_CHOICES}) s
  order by name, slug`;

interface OwnStoreDetail extends OwnStoreRow {
  legalName: string | null;
  url: string;
  description: string | null;
  address: PostalAddress | null;
  currencies: string[];
  languages: string[];
  contactPoint: { email?: string; phone?: string; url?: string } | null;
  /** Of the days that it is open, as `hoursOf` tells them. */
  openingHours: { day: Day; hours: string }[];
  paymentAccepted: string[];
  shippingPolicy: string | null;
  returnPolicy: ReturnPolicy | null;
  links: { type: string; url: string }[];
  categories: string[];
  updatedAt: Date;
}

/** All that a store says of itself. @throws DomainError not_found, also for another merchant's store */
export async function get(ctx: Ctx<Merchant>, input: z.infer<typeof OwnStore>): Promise<OwnStoreDetail> {
  const { sql, actor } = ctx;
  type Row = Omit<OwnStoreDetail, "openingHours"> & { openingHours: ({ day: string } & Span)[] };
  const [store] = await sql<Row[]>`
    select ${figures(ctx)}, s.legal_name as "legalName", s.url, s.description, s.address, s.currencies, s.languages,
      s.contact_point as "contactPoint", s.opening_hours as "openingHours", s.payment_accepted as "paymentAccepted",
      s.shipping_policy as "shippingPolicy", s.return_policy as "returnPolicy", s.links, s.categories, s.updated_at as "updatedAt"
    from stores s where s.slug = ${input.store} and s.merchant_id = ${actor.merchantId}`;
  if (!store) throw notFound("store");
  const hours = days.map((day) => ({ day, hours: hoursOf(store.openingHours, day) }));
  return { ...store, openingHours: hours.filter(({ hours }) => hours !== "") };
}

export const SetDiscovery = z.strictObject({ store: StoreSlug, on: z.boolean() });

/**
 * May agents read the store at all? In force at the next request. Said again, it changes nothing.
 * @throws DomainError not_found, conflict (the demo store, which every platform may always read)
 */
export async function setDiscovery(ctx: Ctx<Merchant>, input: z.infer<typeof SetDiscovery>): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const store = await lockOwnStore(ctx, tx, { store: input.store });
    if (store.isDemo) throw new DomainError("conflict", `${store.name} is the demo store: every platform may read it.`);
    const [before] = await tx.select({ on: stores.aiDiscovery }).from(stores).where(eq(stores.id, store.id));
    if (before!.on === input.on) return;
    await tx.update(stores).set({ aiDiscovery: input.on }).where(eq(stores.id, store.id));
    const after = { on: input.on };
    await audit.record(ctx, tx, { action: "store.discovery", target: ["store", store.id], before, after });
  });
}
