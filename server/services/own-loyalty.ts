// A merchant's loyalty programmes, one by one, each saved whole with its tiers and earning rules. One of them is primary.
import { and, eq, ne, sql as raw } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../db/client";
import { loyaltyPrograms } from "../../db/schema/loyalty";
import type { Ctx, Merchant } from "../context";
import { DomainError, notFound, refuseField } from "../errors";
import * as audit from "./audit";
import type { Tag } from "./coverage";
import { count, Lines, typed, unlessEmpty, Website } from "./fields";
import { fold } from "./fold";
import { insertRules } from "./loyalty";
import { lockOwnStore, type OwnStore, requireOwnStore, StoreSlug } from "./ownership";
import { changedMeanwhile, notRemoved, removedMeanwhile, requireAsShown, Shown } from "./shown";

/** As many as a file may have. */
const MOST = 20;

interface OwnProgram {
  id: string;
  name: string;
  description: string;
  termsUrl: string;
  isPrimary: boolean;
  /** From the lowest up. */
  tiers: { name: string; thresholdPoints: number; multiplier: number; perks: string[] }[];
  /** The first that fits a product is the one that counts. */
  rules: {
    basis: string;
    pointsPerUnit: number;
    bonusPoints: number;
    productType: string[] | null;
    brand: string | null;
  }[];
  /** Another one once anything of it was changed, but for which programme is primary. */
  version: string;
}

/** SQL: a store's programmes `g` with what belongs to them, for `from` after `loyalty_programs g`. */
const parts = <Fragment>(sql: Tag<Fragment>): Fragment => sql`
  cross join lateral (select coalesce(json_agg(json_build_object('name', t.name, 'thresholdPoints', t.threshold_points,
      'multiplier', t.multiplier, 'perks', t.perks) order by t.threshold_points), '[]') as tiers
    from loyalty_tiers t where t.program_id = g.id) of_tiers
  cross join lateral (select coalesce(json_agg(json_build_object('basis', r.basis, 'pointsPerUnit', r.points_per_unit,
      'bonusPoints', r.bonus_points, 'productType', r.product_type, 'brand', r.brand) order by r.position), '[]') as rules
    from loyalty_earning_rules r where r.program_id = g.id) of_rules`;

const whole = <Fragment>(sql: Tag<Fragment>): Fragment => sql`
  g.id, g.name, g.description, g.terms_url as "termsUrl", g.is_primary as "isPrimary", tiers, rules,
  md5(json_build_array(g.name, g.description, g.terms_url, tiers, rules)::text) as version`;

/** The primary one first, then by name. @throws DomainError not_found */
export async function list(ctx: Ctx<Merchant>, input: z.infer<typeof OwnStore>): Promise<OwnProgram[]> {
  const { sql, actor } = ctx;
  await requireOwnStore(ctx, input);
  return sql<OwnProgram[]>`
    select ${whole(sql)} from stores s join loyalty_programs g on g.store_id = s.id ${parts(sql)}
    where s.slug = ${input.store} and s.merchant_id = ${actor.merchantId} order by g.is_primary desc, g.name`;
}

/** In the transaction that changes them. */
const programsOf = async (tx: Database, storeId: string): Promise<OwnProgram[]> => [
  ...(await tx.execute<OwnProgram & Record<string, unknown>>(
    raw`select ${whole(raw)} from loyalty_programs g ${parts(raw)} where g.store_id = ${storeId}`,
  )),
];

/**
 * As people write one, also with a comma, unlike what JavaScript reads as one too: nothing as 0, `0x10`, `1e3`. In linear time.
 * A comma before three digits may part thousands as well.
 */
const DECIMAL = /^\s*[+-]?(\d+([.,]\d*)?|[.,]\d+)\s*$/;
const THOUSANDS = /,\d{3}\s*$/;
const decimalOf = (value: unknown) =>
  typeof value === "string" && DECIMAL.test(value) && !THOUSANDS.test(value) ? Number(value.replace(",", ".")) : value;
const Thousandths = (max: number, message: string) =>
  z.preprocess(
    decimalOf,
    z
      .number("Enter a number, such as 1.5.")
      .min(0, message)
      .max(max, message)
      .multipleOf(0.001, "Use at most three decimals.")
      // What is nearly a multiple is stored as one: nearly 0 as 0.
      .transform((n) => Math.round(n * 1000) / 1000),
  );

const Tier = z.strictObject({
  name: typed(100, "Name the tier."),
  thresholdPoints: count("the points", 0, 2_000_000_000),
  multiplier: Thousandths(100, "Enter more than 0, at most 100.").refine(
    (n) => n > 0,
    "Enter more than 0, at most 100.",
  ),
  /** One a line. */
  perks: Lines.refine(
    (perks) => perks.every((perk) => perk.length <= 500),
    "Use at most 500 characters per line.",
  ).refine((perks) => perks.length <= 50, "Name at most 50 perks."),
});

const Rule = z.strictObject({
  basis: typed(500, "Describe the rule in words for shoppers."),
  pointsPerUnit: Thousandths(10_000, "Enter 0 to 10,000."),
  bonusPoints: count("the points", 0, 1_000_000),
  /** A path as `Tents > Family`; it fits everything below it. */
  productType: unlessEmpty(
    typed(1000).transform((path) =>
      path
        .split(">")
        .map((part) => part.trim())
        .filter(Boolean),
    ),
  ),
  brand: unlessEmpty(typed(200)),
});

export const SaveProgram = z
  .strictObject({
    store: StoreSlug,
    /** The one that is changed; a new one without. */
    id: unlessEmpty(z.uuid()),
    shown: Shown,
    name: typed(200, "Name the programme."),
    description: typed(5000, "Say what members get."),
    termsUrl: Website,
    /** As it is, without. A store's only programme is primary, whatever this says. */
    isPrimary: z.boolean().optional(),
    tiers: z.array(Tier).min(1, "A programme has at least one tier.").max(20, "At most 20 tiers."),
    /** In the order in which they count. */
    rules: z.array(Rule).max(200, "At most 200 rules."),
  })
  .superRefine(({ tiers }, ctx) => {
    const refuse = (path: (string | number)[], message: string) => ctx.addIssue({ code: "custom", path, message });
    if (tiers.length > 0 && !tiers.some((tier) => tier.thresholdPoints === 0)) {
      refuse(["tiers"], "One tier must begin at 0 points: the one that members start in.");
    }
    tiers.forEach((tier, i) => {
      const earlier = tiers.slice(0, i);
      if (earlier.some(({ name }) => fold(name) === fold(tier.name)))
        refuse(["tiers", i, "name"], "Two tiers share this name.");
      if (earlier.some(({ thresholdPoints }) => thresholdPoints === tier.thresholdPoints)) {
        refuse(["tiers", i, "thresholdPoints"], "Two tiers begin at this number of points.");
      }
    });
  });

/** Makes a programme, or changes one. @throws DomainError not_found, invalid_input (the name is taken; it is the primary one of several, and is to be none), conflict (20 are the most; it was changed or removed meanwhile) */
export async function save(ctx: Ctx<Merchant>, input: z.infer<typeof SaveProgram>): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const store = await lockOwnStore(ctx, tx, { store: input.store });
    const all = await programsOf(tx, store.id);
    const before = all.find(({ id }) => id === input.id);
    if (input.id !== undefined && !before) throw removedMeanwhile("loyalty programme");
    if (before) requireAsShown(input.shown, before.version, changedMeanwhile("loyalty programme"));
    const others = all.filter((program) => program !== before);
    if (others.some(({ name }) => name === input.name))
      throw refuseField("name", "Another programme of this store has this name.");
    if (before?.isPrimary && input.isPrimary === false && others.length > 0)
      throw refuseField("isPrimary", "Points are told for this programme. Make another one primary instead.");
    if (!before && all.length >= MOST) throw new DomainError("conflict", `A store has at most ${MOST} programmes.`);
    const isPrimary = (input.isPrimary ?? before?.isPrimary) || !others.some((program) => program.isPrimary);
    if (isPrimary) await demote(tx, store.id, before?.id);
    // Tiers and rules belong to the programme: they are made anew with it.
    if (before) await tx.delete(loyaltyPrograms).where(eq(loyaltyPrograms.id, before.id));
    const { name, description, termsUrl } = input;
    const [program] = await tx
      .insert(loyaltyPrograms)
      .values({ ...(before && { id: before.id }), storeId: store.id, name, description, termsUrl, isPrimary })
      .returning({ id: loyaltyPrograms.id });
    await insertRules(tx, program!.id, {
      tiers: input.tiers.map(({ thresholdPoints, ...tier }) => ({ ...tier, threshold_points: thresholdPoints })),
      earning_rules: input.rules.map(({ pointsPerUnit, bonusPoints, productType, ...rule }) => ({
        ...rule,
        points_per_unit: pointsPerUnit,
        bonus_points: bonusPoints,
        product_type: productType?.length ? productType : undefined,
      })),
    });
    const action = before ? "loyalty.change" : "loyalty.create";
    const after = (await programsOf(tx, store.id)).find(({ id }) => id === program!.id);
    await audit.record(ctx, tx, { action, target: ["store", store.id], before: told(before), after: told(after) });
  });
}

/** Of a programme, in the audit log. */
const told = ({ version: _, ...program }: Partial<OwnProgram> = {}) => program;

/** Makes room for another primary programme. */
async function demote(tx: Database, storeId: string, except: string | undefined): Promise<void> {
  const others = except === undefined ? undefined : ne(loyaltyPrograms.id, except);
  await tx
    .update(loyaltyPrograms)
    .set({ isPrimary: false })
    .where(and(eq(loyaltyPrograms.storeId, storeId), eq(loyaltyPrograms.isPrimary, true), others));
}

export const RemoveProgram = z.strictObject({ store: StoreSlug, id: z.uuid(), shown: Shown });

/** @throws DomainError not_found, conflict (it is the primary one of several; it was changed meanwhile) */
export async function remove(ctx: Ctx<Merchant>, input: z.infer<typeof RemoveProgram>): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const store = await lockOwnStore(ctx, tx, { store: input.store });
    const all = await programsOf(tx, store.id);
    const before = all.find(({ id }) => id === input.id);
    if (!before) throw notFound("loyalty programme");
    if (before.isPrimary && all.length > 1) {
      throw new DomainError("conflict", "Points are told for this programme. Make another one primary first.");
    }
    requireAsShown(input.shown, before.version, notRemoved("loyalty programme"));
    await tx.delete(loyaltyPrograms).where(eq(loyaltyPrograms.id, before.id));
    await audit.record(ctx, tx, { action: "loyalty.remove", target: ["store", store.id], before: told(before) });
  });
}
