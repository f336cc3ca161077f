// Stores as agents read them, and as operators and merchants set them up.
import { eq, or } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../db/client";
import { merchants, stores } from "../../db/schema/merchants";
import type { Consumer, Ctx, Operator, System } from "../context";
import { DomainError, notFound } from "../errors";
import { JsonText } from "../json-text";
import * as audit from "./audit";
import type { Fragment } from "./catalog/card";
import { coalesce, onceEach, perClient } from "./coalesce";
import { isCountry } from "./countries";
import { readable, readableByRow, storeNotAvailable } from "./coverage";
import { decodeCursor, encodeCursor } from "./cursor";
import { HttpUrl, SLUG, typed } from "./fields";
import { fold } from "./fold";
import { statedLanguages } from "./languages";
import { isCurrency } from "./money";
import { details } from "./store-details";
import { meantBy } from "./store-words";

export const capabilities = ["offers", "promotions", "loyalty", "inventory", "policies"] as const;
type Capability = (typeof capabilities)[number];

/**
 * SQL: what a store `s` has data for, as an array; of promotions those that are not over. Each asks for the first of an index: a
 * plain `exists` may become a look through a whole table, when few stores have much in it.
 */
const capabilitiesOf = (sql: Ctx["sql"], now: Fragment) => sql`array_remove(array[
    (select 'offers' from products x where x.store_id = s.id order by x.store_id, x.product_id limit 1),
    (select 'promotions' from promotions x where x.store_id = s.id and x.ends_at > ${now} order by x.store_id, x.ends_at limit 1),
    (select 'loyalty' from loyalty_programs x where x.store_id = s.id order by x.store_id, x.name limit 1),
    (select 'inventory' from inventory_levels x where x.store_id = s.id order by x.store_id, x.variant_id limit 1),
    (select 'policies' from policies x where x.store_id = s.id limit 1)], null)`;

/** Everything that a store says of itself, as get_store_info tells it. @throws DomainError store_not_available */
export async function info({ sql, actor, now }: Ctx<Consumer>, input: { storeId: string }): Promise<JsonText> {
  const { consumerId, tier, coverage } = actor;
  const told = await infoOf(sql)({ storeId: input.storeId, consumerId, tier, coverage, now });
  if (told === undefined) throw storeNotAvailable();
  return told;
}

type Asked = { storeId: string; now: Date } & Pick<Consumer, "consumerId" | "tier" | "coverage">;

/** One query for all that ask in the same turn, with one row for all who ask the same; what each may read is decided in it. */
const infoOf = perClient((sql) => {
  const told = sql`s.info || ',"capabilities":' || to_json(${capabilitiesOf(sql, sql`r.now`)}) || '}'`;
  const mayRead = readableByRow(sql);
  async function run(asked: Asked[]): Promise<(JsonText | undefined)[]> {
    const column = (name: Exclude<keyof Asked, "now">) => asked.map((one) => one[name]);
    const times = asked.map(({ now }) => now.toISOString());
    // In subqueries, so that the plan does not depend on how many they are, and is made once for all calls.
    const rows = await sql<{ turn: number; told: string }[]>`
      select r.turn, ${told} as told
      from unnest((select ${column("storeId")}::uuid[]), (select ${column("consumerId")}::uuid[]),
          (select ${column("tier")}::text[]), (select ${column("coverage")}::text[]), (select ${times}::timestamptz[]))
        with ordinality r (store_id, consumer_id, tier, coverage, now, turn)
      join stores s on s.id = r.store_id
      where ${mayRead}`;
    const found = new Map(rows.map(({ turn, told }) => [turn, new JsonText(told)]));
    return asked.map((_, i) => found.get(i + 1));
  }
  // When it is, is the same for all of a turn.
  const question = ({ storeId, consumerId, tier, coverage }: Asked) => [storeId, consumerId, tier, coverage].join(" ");
  return coalesce(onceEach(question, run), { max: 100, lanes: 2 });
});

export interface StoreListing {
  id: string;
  name: string;
  url: string;
  country: string;
  currency: string;
  /** Those that it states, else those that its products are found to be in. */
  languages: string[];
  categories: string[];
  capabilities: Capability[];
  is_demo: boolean;
}

interface ListStores {
  query?: string | undefined;
  country?: string | undefined;
  category?: string | undefined;
  limit: number;
  cursor?: string | undefined;
}

/**
 * SQL: has `text` all words of a query, as parts of its own, in whichever way their letters are written?
 * @param before what must stand before each: a blank where words of the text are to begin with them
 */
function hasAll(sql: Ctx["sql"], query: string, text: Fragment, before: "" | " " = ""): Fragment {
  // Of what is drawn as nothing every text has a part.
  if (fold(query) === "") return sql`false`;
  const words = query
    .normalize("NFC")
    .split(/\s+/)
    // Of an address what tells it from others.
    .map((word) => word.replace(/^(https?:\/\/)?(www\.)?|[/,;]+$|[™℠®©]/gi, "") || word);
  // Escaped once it is plain: that makes "%" of a full-width one, too.
  const patterns = sql`select ${`%${before}`} || regexp_replace(${plain(sql, sql`word`)}, '([\\\\%_])', '\\\\\\1', 'g') || '%'
    from unnest(${words}::text[]) word`;
  return sql`${plain(sql, text)} like all (array(${patterns}))`;
}

/** SQL: `text` as fold.ts has it. What `folded` alone knows is looked for first: it takes five times as long as `unaccent`. */
const plain = (sql: Ctx["sql"], text: Fragment): Fragment => sql`lower(unaccent(case when
  ${text} ~ '[\\u00AD\\u0300-\\u036F\\u0590-\\u06FF\\u200B-\\u200F\\u202A-\\u202E\\u2060-\\u206F\\uFB50-\\uFEFF]'
  then folded(${text}) else ${text} end))`;

/** Another one once names come in another order: a cursor of a release before would repeat some, or pass over them. */
const ORDER = 2;

/**
 * The stores that the consumer may read, by name, a page at a time. With a query those that have all of its words in
 * name, description, categories, web or postal address; where the name has them comes first. With a category those whose
 * categories have words that begin so.
 */
export async function list(ctx: Ctx<Consumer>, input: ListStores) {
  const { sql } = ctx;
  const bound = { ...input, order: ORDER };
  const after = decodeCursor(ctx, bound, ["number", "string", "string"]);
  const { country, category, query } = input;
  // Without these the index has all that is asked, in its order: only as much of it is read as is shown and counted.
  const kept = category !== undefined || query !== undefined ? sql`materialized` : sql`not materialized`;
  const rank = query === undefined ? sql`0` : sql`(not ${hasAll(sql, query, sql`s.name`)})::int`;
  const categories = sql`array_to_string(s.categories, ' ')`;
  // With a blank before each word.
  const listed = sql`translate(' ' || ${categories}, '(/,', '   ')`;
  const passing = (words: Fragment = sql``) => sql`
    select s.id, s.name, ${rank} as rank from stores s where ${readable(sql, ctx.actor)}
      ${country ? sql`and s.country = ${country}` : sql``}
      ${category ? sql`and ${hasAll(sql, category.replace(/[(/,]/g, " ").trim(), listed, " ")}` : sql``} ${words}`;
  const text = sql`concat_ws(' ', s.name, s.description, ${categories}, split_part(s.url, '//', 2),
    s.address ->> 'street_address', s.address ->> 'address_locality', s.address ->> 'address_region', s.address ->> 'postal_code')`;
  // What a query means, and misspelt names, which take long, are looked for where nothing has the words as they are.
  const meaning = query === undefined ? undefined : meantBy(query);
  const meant = meaning
    ? sql`union all (${passing(sql`${meaning.words ? sql`and ${hasAll(sql, meaning.words, text)}` : sql``}
        ${meaning.country ? sql`and s.country = ${meaning.country}` : sql``}`)} and not exists (select from typed))`
    : sql``;
  const misspelt =
    query === undefined
      ? sql``
      : sql`union all (${passing(sql`and word_similarity(${query}, s.name) > 0.5`)} and not exists (select from said))`;
  // Without a query all have one rank, which the index does not know.
  const beyond = (...[rank, name, id]: [number, string, string]) =>
    query === undefined
      ? sql`where (name, id) > (${name}, ${id}::uuid)`
      : sql`where (rank, name, id) > (${rank}, ${name}, ${id}::uuid)`;
  const rows = await sql<(StoreListing & { total: number; rank: number })[]>`
    with typed as ${kept} (
      ${passing(query === undefined ? undefined : sql`and ${hasAll(sql, query, text)}`)}
    ), said as ${kept} (
      select * from typed ${meant}
    ), matching as ${kept} (
      select * from said ${misspelt}
    ), page as materialized (
      select * from matching
      ${after ? beyond(...(after as [number, string, string])) : sql``}
      order by rank, name, id limit ${input.limit + 1})
    select s.id, s.name, s.url, s.country, s.currency, s.categories, s.is_demo,
      coalesce(nullif(s.languages, '{}'), s.index_languages) as languages, ${capabilitiesOf(sql, sql`${ctx.now}`)} as capabilities,
      page.rank, (select count(*)::int from (select from matching limit 10001) counted) as total
    from page join stores s on s.id = page.id order by page.rank, page.name, page.id`;
  const stores = rows.slice(0, input.limit);
  const last = stores.at(-1);
  // Each row of the page bears it: of a later page that has become empty it is unknown.
  const total = rows[0]?.total ?? (after ? undefined : 0);
  return {
    stores,
    hasNextPage: rows.length > input.limit,
    nextCursor:
      rows.length > input.limit && last ? encodeCursor(ctx, bound, [last.rank, last.name, last.id]) : undefined,
    totalCount: total !== undefined && total <= 10_000 ? total : undefined,
  };
}

export const CreateStore = z.strictObject({
  ...details,
  slug: z.string().regex(SLUG, "must be lower-case words joined by hyphens").max(63),
  name: typed(200, "Enter the store's name."),
  /** The merchant that has it, or the name of a new one; named like the store unless told. */
  merchant: z
    .union([z.strictObject({ name: typed(200, "Enter the merchant's name.") }), z.strictObject({ id: z.uuid() })])
    .optional(),
  url: HttpUrl,
  country: z.string().toUpperCase().refine(isCountry, "must be an ISO 3166-1 alpha-2 code such as DE"),
  currency: z.string().toUpperCase().refine(isCurrency, "must be an ISO 4217 code such as EUR"),
  languages: z.array(z.string()).optional(),
  is_demo: z.boolean().optional(),
  ai_discovery: z.boolean().optional(),
  legal_name: z.string().max(200).optional(),
  logo: HttpUrl.optional(),
  description: z.string().max(5000).optional(),
  contact_point: z
    .strictObject({ email: z.email().optional(), phone: z.string().optional(), url: HttpUrl.optional() })
    .optional(),
  categories: z.array(z.string()).optional(),
});

/** Makes a store, and its merchant unless it is of one that there is. @throws DomainError conflict (slug taken), not_found */
export async function create(ctx: Ctx<Operator | System>, input: z.infer<typeof CreateStore>) {
  return ctx.db.transaction(async (tx) => {
    const merchantId = await merchantOf(ctx, tx, input);
    const [store] = await tx
      .insert(stores)
      .values({
        merchantId,
        slug: input.slug,
        name: input.name,
        isDemo: input.is_demo,
        aiDiscovery: input.ai_discovery,
        legalName: input.legal_name,
        url: input.url,
        logo: input.logo,
        description: input.description,
        address: input.address as never,
        country: input.country,
        currency: input.currency,
        currencies: [...new Set([input.currency, ...(input.currencies ?? [])])],
        languages: input.languages,
        indexLanguages: statedLanguages(input.languages ?? []),
        contactPoint: input.contact_point as never,
        openingHours: input.opening_hours,
        paymentAccepted: input.payment_accepted,
        shippingPolicy: input.shipping_policy,
        returnPolicy: input.return_policy as never,
        links: input.links,
        categories: input.categories,
        categoriesStated: (input.categories ?? []).length > 0,
      })
      .onConflictDoNothing({ target: stores.slug })
      .returning({ id: stores.id, merchantId: stores.merchantId, slug: stores.slug, name: stores.name });
    if (!store) {
      throw new DomainError("conflict", `There is already a store "${input.slug}". Choose another slug.`, {
        details: { field: "slug" },
      });
    }
    await audit.record(ctx, tx, { action: "store.create", target: ["store", store.id], after: impersonal(input) });
    return store;
  });
}

/** For who names a merchant to be made, and may mean one that there is. @throws DomainError conflict, with its id */
export async function requireNewMerchant({ db }: Ctx<Operator>, name: string): Promise<void> {
  const [found] = await db.select({ id: merchants.id }).from(merchants).where(eq(merchants.name, name)).limit(1);
  if (!found) return;
  throw new DomainError(
    "conflict",
    `There is already a merchant "${name}". For another store of it give its id, --merchant ${found.id}; for another merchant, another name.`,
  );
}

/** The merchant that a new store is of. @throws DomainError not_found */
async function merchantOf(
  ctx: Ctx<Operator | System>,
  tx: Database,
  { merchant, name }: z.infer<typeof CreateStore>,
): Promise<string> {
  if (merchant && "id" in merchant) {
    const [found] = await tx.select({ id: merchants.id }).from(merchants).where(eq(merchants.id, merchant.id));
    if (!found) throw notFound("merchant");
    return found.id;
  }
  const made = { name: merchant?.name ?? name };
  const [row] = await tx.insert(merchants).values(made).returning({ id: merchants.id });
  await audit.record(ctx, tx, { action: "merchant.create", target: ["merchant", row!.id], after: made });
  return row!.id;
}

/** For the audit, which nobody can take an address out of again: whom to ask at a store may be a person. */
const impersonal = ({ contact_point: _, ...rest }: z.infer<typeof CreateStore>) => rest;

export interface StoreRow {
  id: string;
  slug: string;
  name: string;
  merchantId: string;
  currency: string;
  country: string;
  isDemo: boolean;
  aiDiscovery: boolean;
  productCount: number;
}

const listed = {
  id: stores.id,
  slug: stores.slug,
  name: stores.name,
  merchantId: stores.merchantId,
  currency: stores.currency,
  country: stores.country,
  isDemo: stores.isDemo,
  aiDiscovery: stores.aiDiscovery,
  productCount: stores.productCount,
};

/** Every store, for operators. */
export const all = (ctx: Ctx<Operator | System>): Promise<StoreRow[]> =>
  ctx.db.select(listed).from(stores).orderBy(stores.name, stores.id);

/** @param ref id or slug  @throws DomainError not_found */
export async function get(ctx: Ctx<Operator | System>, ref: string): Promise<StoreRow> {
  const byId = z.uuid().safeParse(ref).success ? eq(stores.id, ref) : undefined;
  const [store] = await ctx.db
    .select(listed)
    .from(stores)
    .where(or(byId, eq(stores.slug, ref)));
  if (!store) throw notFound(`store "${ref}"`);
  return store;
}
