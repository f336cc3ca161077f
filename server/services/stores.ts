// Stores as agents read them, and as operators and merchants set them up.
import { eq, or } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../db/client";
import { merchants, stores } from "../../db/schema/merchants";
import type { Consumer, Ctx, Operator, System } from "../context";
import { DomainError, notFound } from "../errors";
import { JsonText } from "../json-text";
import * as audit from "./audit";
import { coalesce, onceEach, perClient } from "./coalesce";
import { isCountry } from "./countries";
import { readableByRow, storeNotAvailable } from "./coverage";
import { HttpUrl, SLUG, typed } from "./fields";
import { statedLanguages } from "./languages";
import { isCurrency } from "./money";
import { capabilitiesOf } from "./store-capabilities";
import { details } from "./store-details";

export { list } from "./store-list";

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
  // Without `now`, which is the same for all of a turn.
  const question = ({ storeId, consumerId, tier, coverage }: Asked) => [storeId, consumerId, tier, coverage].join(" ");
  return coalesce(onceEach(question, run), { max: 100, lanes: 2 });
});

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
        address: input.address,
        country: input.country,
        currency: input.currency,
        currencies: [...new Set([input.currency, ...(input.currencies ?? [])])],
        languages: input.languages,
        indexLanguages: statedLanguages(input.languages ?? []),
        contactPoint: input.contact_point,
        openingHours: input.opening_hours,
        paymentAccepted: input.payment_accepted,
        shippingPolicy: input.shipping_policy,
        returnPolicy: input.return_policy,
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
