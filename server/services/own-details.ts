// What a merchant tells shoppers of its store: where it is, when it is open, how one pays, how it sends and takes back.
import { isDeepStrictEqual } from "node:util";
import { and, eq, sql as raw } from "drizzle-orm";
import { z } from "zod";
import { stores } from "../../db/schema/merchants";
import type { Ctx, Merchant } from "../context";
import { notFound } from "../errors";
import * as audit from "./audit";
import { Country, count, typed, unlessEmpty, Website } from "./fields";
import { isCurrency } from "./money";
import { type Day, days, hoursOf, type Span, TypedHours } from "./opening-hours";
import { lockOwnStore, type OwnStore, StoreSlug } from "./ownership";
import { changedMeanwhile, requireAsShown, Shown } from "./shown";
import { most } from "./store-details";

const text = (characters: number) => unlessEmpty(typed(characters));

/** What stands between commas, each once. */
const Listed = (characters: number) =>
  typed(characters).transform((list) => [
    ...new Set(
      list
        .split(",")
        .map((part) => part.trim())
        .filter(Boolean),
    ),
  ]);

const Payments = Listed(most.payment * most.payments)
  .refine((all) => all.length <= most.payments, `Enter at most ${most.payments}.`)
  .refine(
    (all) => all.every((one) => one.length <= most.payment),
    `Use at most ${most.payment} characters for each, and a comma between two.`,
  );

const Currencies = Listed(500)
  .transform((all) => all.map((code) => code.toUpperCase()))
  .refine((all) => all.every(isCurrency), "Enter ISO 4217 codes, such as EUR, with a comma between two.")
  .refine((all) => all.length < most.currencies, `Enter at most ${most.currencies - 1}.`);

interface Link {
  type: string;
  url: string;
}

/** A page a line: what it is, then its address. */
const Links = z
  .string()
  .max(most.links * 2100, { error: "Enter fewer pages, or shorter addresses.", abort: true })
  .transform((area, ctx): Link[] => {
    const lines = area.split("\n").map((line, i) => ({ line: line.trim(), number: i + 1 }));
    const given = lines.filter(({ line }) => line !== "");
    const read = given.slice(0, most.links).map(({ line, number }) => readLink(line, number));
    const wrong = given.length > most.links ? `Enter at most ${most.links} pages.` : read.find(isWrong);
    if (!wrong) return read as Link[];
    ctx.addIssue({ code: "custom", message: wrong });
    return z.NEVER;
  });

const isWrong = (read: Link | string) => typeof read === "string";

/** @returns what is wrong with the line, where it is none */
function readLink(line: string, number: number): Link | string {
  const at = `Line ${number}:`;
  const [, what = "", address = ""] = /^(?:(.*)\s)?(\S+)$/.exec(line) ?? [];
  const url = Website.safeParse(address);
  if (!url.success) return `${at} end it with a full address, such as https://example.com/about.`;
  const type = what
    .trim()
    .replace(/\s*[:=]$/, "")
    .toLowerCase()
    .replace(/\s+/g, "_");
  if (type === "") return `${at} begin it with what the page is, such as about.`;
  if (type.length > most.linkType || !/^[\p{L}\p{M}\p{N}_-]+$/u.test(type))
    return `${at} use a word for what the page is, such as about.`;
  return { type, url: url.data };
}

/** Empty text stands for nothing. */
export const SaveDetails = z.strictObject({
  store: StoreSlug,
  shown: Shown,
  street: text(most.addressLine),
  locality: text(most.addressLine),
  region: text(most.addressLine),
  postalCode: text(most.postalCode),
  country: unlessEmpty(Country),
  ...(Object.fromEntries(days.map((day) => [day, unlessEmpty(TypedHours)])) as Record<Day, TypedDay>),
  payment: unlessEmpty(Payments),
  currencies: unlessEmpty(Currencies),
  shippingPolicy: text(most.shippingPolicy),
  returnDays: unlessEmpty(count("the days", 0, most.returnDays)),
  returnFees: text(most.returnText),
  returnMethod: text(most.returnText),
  returnUrl: unlessEmpty(Website),
  links: unlessEmpty(Links),
});
type TypedDay = ReturnType<typeof unlessEmpty<typeof TypedHours>>;
type Given = z.infer<typeof SaveDetails>;

type DetailField = Exclude<keyof Given, "store" | "shown">;

interface OwnDetails {
  /** By field of the form, as it may be typed. */
  values: Record<DetailField, string>;
  /** Another one once anything of it was changed. */
  version: string;
}

const columns = {
  address: stores.address,
  openingHours: stores.openingHours,
  paymentAccepted: stores.paymentAccepted,
  currencies: stores.currencies,
  shippingPolicy: stores.shippingPolicy,
  returnPolicy: stores.returnPolicy,
  links: stores.links,
};
const version = raw<string>`md5((${raw.join(Object.values(columns), raw`, `)})::text)`;

/** What the form begins with. @throws DomainError not_found */
export async function get(ctx: Ctx<Merchant>, input: z.infer<typeof OwnStore>): Promise<OwnDetails> {
  const own = and(eq(stores.slug, input.store), eq(stores.merchantId, ctx.actor.merchantId));
  const [found] = await ctx.db
    .select({ ...columns, currency: stores.currency, version })
    .from(stores)
    .where(own);
  if (!found) throw notFound("store");
  return { values: valuesOf(found), version: found.version };
}

type Stored = Pick<typeof stores.$inferSelect, keyof typeof columns>;

function valuesOf({ currency, ...of }: Stored & { currency: string }): OwnDetails["values"] {
  const { address, returnPolicy } = of;
  return {
    street: address?.street_address ?? "",
    locality: address?.address_locality ?? "",
    region: address?.address_region ?? "",
    postalCode: address?.postal_code ?? "",
    country: address?.address_country ?? "",
    ...(Object.fromEntries(days.map((day) => [day, hoursOf(of.openingHours, day)])) as Record<Day, string>),
    payment: of.paymentAccepted.join(", "),
    currencies: of.currencies.filter((code) => code !== currency).join(", "),
    shippingPolicy: of.shippingPolicy ?? "",
    returnDays: String(returnPolicy?.return_window_days ?? ""),
    returnFees: returnPolicy?.fees ?? "",
    returnMethod: returnPolicy?.method ?? "",
    returnUrl: returnPolicy?.url ?? "",
    links: of.links.map(({ type, url }) => `${type} ${url}`).join("\n"),
  };
}

/**
 * Makes them what agents are told, as of now; the store's own currency stays the first.
 * @throws DomainError not_found, conflict (changed meanwhile)
 */
export async function save(ctx: Ctx<Merchant>, input: Given): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const store = await lockOwnStore(ctx, tx, { store: input.store });
    const here = eq(stores.id, store.id);
    const [found] = await tx
      .select({ ...columns, version })
      .from(stores)
      .where(here);
    const { version: stands, ...before } = found!;
    requireAsShown(input.shown, stands, changedMeanwhile("store"));
    const after = storedOf(input, store.currency);
    // What was saved as it stood has not changed by that.
    if (isDeepStrictEqual(after, before)) return;
    await tx
      .update(stores)
      .set({ ...after, updatedAt: ctx.now })
      .where(here);
    await audit.record(ctx, tx, { action: "store.details", target: ["store", store.id], before, after });
  });
}

const storedOf = (given: Given, currency: string): Stored => ({
  address: unlessBare({
    street_address: given.street,
    address_locality: given.locality,
    address_region: given.region,
    postal_code: given.postalCode,
    address_country: given.country,
  }),
  openingHours: days.flatMap((day) => (given[day] ?? []).map((span: Span) => ({ day, ...span }))),
  paymentAccepted: given.payment ?? [],
  currencies: [...new Set([currency, ...(given.currencies ?? [])])],
  shippingPolicy: given.shippingPolicy ?? null,
  returnPolicy: unlessBare({
    return_window_days: given.returnDays,
    fees: given.returnFees,
    method: given.returnMethod,
    url: given.returnUrl,
  }),
  links: given.links ?? [],
});

/** Without what is not there; nothing where nothing is. */
function unlessBare<Of extends object>(given: Of): { [Key in keyof Of]?: NonNullable<Of[Key]> } | null {
  const there = Object.entries(given).filter(([, value]) => value !== undefined);
  return there.length > 0 ? (Object.fromEntries(there) as Of) : null;
}
