// The operators' register of merchants and their stores.
import { isDeepStrictEqual } from "node:util";
import { and, count, eq, sql as raw } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../db/client";
import { products } from "../../db/schema/catalog";
import { merchantMembers, merchants, stores } from "../../db/schema/merchants";
import type { Ctx, Operator } from "../context";
import { DomainError, notFound, refuseField } from "../errors";
import * as audit from "./audit";
import { holdLoads } from "./feeds/transaction";
import { Country, fullAddress, SLUG, typed, typedWebsite } from "./fields";
import { statedLanguages } from "./languages";
import { isCurrency, isLanguage } from "./money";
import { changedMeanwhile, requireAsShown, Shown } from "./shown";
import * as allStores from "./stores";
import { wake } from "./wake";

export const CreateMerchant = z.strictObject({
  name: typed(200, "Enter a name."),
  /** Which others of this name whoever wants one more was told of. */
  shown: Shown,
});

/**
 * Makes a merchant. Where others have its name, it asks first: nobody could take one away again that a form made twice.
 * @throws DomainError conflict (others have its name, and that was not shown)
 */
export async function create(
  ctx: Ctx<Operator>,
  { name, shown }: z.infer<typeof CreateMerchant>,
): Promise<{ id: string }> {
  return ctx.db.transaction(async (tx) => {
    // Of two at once the second sees the first one's.
    await tx.execute(raw`select pg_advisory_xact_lock(hashtextextended(${`merchant-name:${name}`}, 0))`);
    const [others] = await tx
      .select({ version: raw<string | null>`md5(string_agg(${merchants.id}::text, ' ' order by ${merchants.id}))` })
      .from(merchants)
      .where(eq(merchants.name, name));
    const told = `There is already a merchant “${name}”, so none was created. Create it again to have another one of this name.`;
    if (others?.version) requireAsShown(shown ?? "", others.version, told);
    const [made] = await tx.insert(merchants).values({ name }).returning({ id: merchants.id });
    await audit.record(ctx, tx, { action: "merchant.create", target: ["merchant", made!.id], after: { name } });
    return made!;
  });
}

/** Another one once it has another name. */
const version = raw<string>`md5(${merchants.name})`;

export const RenameMerchant = CreateMerchant.extend({ id: z.uuid() });

/** @throws DomainError not_found, conflict (it has another name than was shown) */
export async function rename(ctx: Ctx<Operator>, input: z.infer<typeof RenameMerchant>): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const mine = eq(merchants.id, input.id);
    const [stood] = await tx.select({ name: merchants.name, version }).from(merchants).where(mine).for("update");
    if (!stood) throw notFound("merchant");
    if (stood.name === input.name) return;
    requireAsShown(input.shown, stood.version, changedMeanwhile("merchant"));
    await tx.update(merchants).set({ name: input.name }).where(mine);
    await audit.record(ctx, tx, {
      action: "merchant.rename",
      target: ["merchant", input.id],
      before: { name: stood.name },
      after: { name: input.name },
    });
  });
}

export const GetMerchant = z.strictObject({ id: z.uuid() });

/** A merchant and its stores. @throws DomainError not_found */
export async function get(ctx: Ctx<Operator>, input: z.infer<typeof GetMerchant>) {
  const [[merchant], theirs] = await Promise.all([
    ctx.db
      .select({
        id: merchants.id,
        name: merchants.name,
        version,
        createdAt: merchants.createdAt,
        members: count(merchantMembers.accountId),
      })
      .from(merchants)
      .leftJoin(merchantMembers, eq(merchantMembers.merchantId, merchants.id))
      .where(eq(merchants.id, input.id))
      .groupBy(merchants.id),
    ctx.db
      .select({
        id: stores.id,
        slug: stores.slug,
        name: stores.name,
        url: stores.url,
        country: stores.country,
        currency: stores.currency,
        isDemo: stores.isDemo,
        aiDiscovery: stores.aiDiscovery,
        productCount: stores.productCount,
      })
      .from(stores)
      .where(eq(stores.merchantId, input.id))
      .orderBy(stores.name, stores.id),
  ]);
  if (!merchant) throw notFound("merchant");
  return { ...merchant, stores: theirs };
}

const text = (max: number) =>
  z
    .string()
    .trim()
    .max(max, `Use at most ${max.toLocaleString("en")} characters.`)
    .transform((given) => given || null);
const WEB = "Enter a full address, such as https://shop.example.";
const url = typedWebsite(2000, WEB);
/** Of a file or a page: no `logo.png`, which would be a website of that name. */
const place = fullAddress(2000, WEB);
const MAIL = "Enter an email address.";
const optionalUrl = z.union([z.literal("").transform(() => null), place], WEB);

/** What a store says of itself, as operators fill it in. Empty text stands for nothing. */
const StoreProfile = z.strictObject({
  name: typed(200, "Enter the store's name."),
  legalName: text(200),
  url,
  logo: optionalUrl,
  description: text(5000),
  country: Country,
  currency: z.string().trim().toUpperCase().refine(isCurrency, "Enter an ISO 4217 code, such as EUR."),
  languages: z
    .array(z.string())
    .max(50, "Enter at most 50 languages.")
    .refine((tags) => tags.every(isLanguage), "Enter language tags, such as en or de-AT, separated by commas."),
  categories: z
    .array(z.string().trim())
    .max(100, "Enter at most 100 categories.")
    .refine((named) => named.every((one) => one.length > 0 && one.length <= 100), "Use 1 to 100 characters for each."),
  contactEmail: z.union([z.literal("").transform(() => null), z.string().max(254).pipe(z.email(MAIL))], MAIL),
  contactPhone: text(50),
  contactUrl: optionalUrl,
});

export const RegisterStore = StoreProfile.extend({
  merchantId: z.uuid(),
  slug: z
    .string()
    .trim()
    .regex(SLUG, "Use lower-case words joined by hyphens, such as tarn-and-timber.")
    .max(63, "Use at most 63 characters."),
  aiDiscovery: z.boolean(),
});

/** A new store of an existing merchant. @throws DomainError not_found, conflict (slug taken) */
export async function createStore(ctx: Ctx<Operator>, input: z.output<typeof RegisterStore>): Promise<{ id: string }> {
  const {
    merchantId,
    slug,
    aiDiscovery,
    legalName,
    logo,
    description,
    contactEmail,
    contactPhone,
    contactUrl,
    ...rest
  } = input;
  const contact = contactPoint(input);
  return allStores.create(ctx, {
    ...rest,
    slug,
    merchant: { id: merchantId },
    ai_discovery: aiDiscovery,
    ...(legalName ? { legal_name: legalName } : {}),
    ...(logo ? { logo } : {}),
    ...(description ? { description } : {}),
    ...(contact ? { contact_point: contact } : {}),
  });
}

const profile = {
  name: stores.name,
  legalName: stores.legalName,
  url: stores.url,
  logo: stores.logo,
  description: stores.description,
  country: stores.country,
  currency: stores.currency,
  languages: stores.languages,
  categories: raw<string[]>`case when ${stores.categoriesStated} then ${stores.categories} else '{}' end`.mapWith(
    stores.categories,
  ),
  contactPoint: stores.contactPoint,
};

export const GetStore = z.strictObject({ id: z.uuid(), merchantId: z.uuid() });

/** A store's profile as it was stated. @throws DomainError not_found */
export async function getStore(ctx: Ctx<Operator>, input: z.infer<typeof GetStore>) {
  const [store] = await ctx.db
    .select({
      ...profile,
      id: stores.id,
      slug: stores.slug,
      isDemo: stores.isDemo,
      aiDiscovery: stores.aiDiscovery,
      updatedAt: stores.updatedAt,
    })
    .from(stores)
    .where(and(eq(stores.id, input.id), eq(stores.merchantId, input.merchantId)));
  if (!store) throw notFound("store");
  return store;
}

export const EditStore = StoreProfile.extend({
  id: z.uuid(),
  /** The one that was shown to whoever changes it. */
  updatedAt: z.coerce.date(),
});

/**
 * Changes a store's profile; saved as it is, it stays as it is. Where it states categories no longer, the next load takes
 * them from what is sold; where it states other languages, its products are indexed anew.
 * @throws DomainError not_found, conflict (changed since it was shown), invalid_input (its currency is a catalogue's)
 */
export async function editStore(ctx: Ctx<Operator>, input: z.output<typeof EditStore>): Promise<void> {
  const { id, updatedAt, contactEmail, contactPhone, contactUrl, ...rest } = input;
  await ctx.db.transaction(async (tx) => {
    const mine = eq(stores.id, id);
    const [found] = await tx
      .select({ ...profile, currencies: stores.currencies, updatedAt: stores.updatedAt })
      .from(stores)
      .where(mine)
      .for("no key update"); // a load holds the store's key for as long as it takes
    if (!found) throw notFound("store");
    const { updatedAt: changedAt, ...before } = found;
    if (changedAt.getTime() !== updatedAt.getTime()) {
      throw new DomainError(
        "conflict",
        "The store was changed in the meantime, so your changes were not saved. See its history; saving again replaces those changes with yours.",
      );
    }
    const currencies = [...new Set([rest.currency, ...before.currencies])];
    const after = { ...rest, currencies, contactPoint: contactPoint(input) };
    if (isDeepStrictEqual(after, before)) return;
    if (before.currency !== rest.currency) await requireUnpriced(tx, id, before.currency);
    const isStated = rest.categories.length > 0;
    const saysOtherwise = isStated || before.categories.length > 0;
    const isIndexed = statedLanguages(rest.languages)?.join() === statedLanguages(before.languages)?.join();
    await tx
      .update(stores)
      .set({
        ...after,
        categories: saysOtherwise ? rest.categories : raw`${stores.categories}`,
        categoriesStated: isStated,
        updatedAt: ctx.now,
        ...(isIndexed ? {} : { indexVersion: 0 }),
      })
      .where(mine);
    if (!isIndexed) await tx.execute(wake("feed-index"));
    await audit.record(ctx, tx, {
      action: "store.edit",
      target: ["store", id],
      before: impersonal(before),
      after: impersonal(after),
    });
  });
}

/** For the audit, which nobody can take an address out of again: whom to ask at a store may be a person. */
const impersonal = <Of extends { contactPoint: unknown }>({ contactPoint: _, ...rest }: Of) => rest;

/** @throws DomainError invalid_input */
async function requireUnpriced(tx: Database, storeId: string, currency: string): Promise<void> {
  if (!(await holdLoads(tx, storeId)))
    throw refuseField("currency", `A catalogue is being loaded in ${currency}. Wait until that is done.`);
  if ((await tx.$count(products, eq(products.storeId, storeId))) > 0)
    throw refuseField("currency", `The store's catalogue is priced in ${currency}, so that stays its currency.`);
}

function contactPoint({ contactEmail, contactPhone, contactUrl }: z.output<typeof StoreProfile>) {
  const given = {
    ...(contactEmail ? { email: contactEmail } : {}),
    ...(contactPhone ? { phone: contactPhone } : {}),
    ...(contactUrl ? { url: contactUrl } : {}),
  };
  return Object.keys(given).length > 0 ? given : null;
}
