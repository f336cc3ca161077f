// Loyalty programmes, and what a product earns in a store's primary one. Points are counted in integers, never in floats.
import { eq } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../db/client";
import { loyaltyEarningRules, loyaltyPrograms, loyaltyTiers } from "../../db/schema/loyalty";
import type { Consumer, Ctx } from "../context";
import { DomainError } from "../errors";
import * as audit from "./audit";
import { cheapestFirst, goneNow, saleNow, stockNow } from "./catalog/card";
import { pathToken } from "./catalog/filters";
import { readable, storeNotAvailable } from "./coverage";
import { HttpUrl, refuseRepeats } from "./fields";
import { fold } from "./fold";
import { exponent, money } from "./money";
import { lockOwnStore, type StoreKeeper } from "./ownership";
import { itemById, productNotFound } from "./product-refs";

export interface Tier {
  name: string;
  perks: string[];
  /** The lowest tier has 0. */
  threshold_points: number;
  /** What its members earn, in thousandths of the rule's points. */
  multiplier_milli: number;
}
export interface Program {
  name: string;
  description: string;
  terms_url: string;
  /** From the lowest up. */
  tiers: Tier[];
}
interface EarningRule {
  basis: string;
  /** Points for one major unit of the store's currency, in thousandths. */
  points_per_unit_milli: number;
  /** For each item bought. */
  bonus_points: number;
  product_type: string[] | null;
  brand: string | null;
}
/** One item: what it costs now, in minor units of `currency`, and what earning rules look at. */
interface Purchase {
  amount: number;
  currency: string;
  brand: string | null;
  product_type: string[] | null;
  tokens: string[];
}

type Answer = {
  programs: (Program & { rules: EarningRule[] })[];
  store_currency: string;
  /** Promotions that have not ended. */
  has_promotions: boolean | null;
} & (Purchase | { amount: null });

/** SQL: programme `g` with its tiers and, in their order, its earning rules. */
const programWithRules = (sql: Ctx["sql"]) => sql`jsonb_build_object(
  'name', g.name, 'description', g.description, 'terms_url', g.terms_url,
  'tiers', (select jsonb_agg(jsonb_build_object('name', t.name, 'perks', t.perks, 'threshold_points', t.threshold_points,
      'multiplier_milli', (t.multiplier * 1000)::int) order by t.threshold_points)
    from loyalty_tiers t where t.program_id = g.id),
  'rules', (select coalesce(jsonb_agg(jsonb_build_object('basis', r.basis, 'bonus_points', r.bonus_points,
      'points_per_unit_milli', (r.points_per_unit * 1000)::bigint, 'product_type', r.product_type, 'brand', r.brand)
      order by r.position), '[]') from loyalty_earning_rules r where r.program_id = g.id and g.is_primary))`;

/**
 * The store's primary programme, its others, and the points that buying a product earns in the primary one.
 * A product with variants counts at the price of the one that its own price is taken from.
 * @param input `tier` by name in any case; the lowest unless given
 * @throws DomainError store_not_available, no_loyalty_program, product_not_found, invalid_arguments (no such tier)
 */
export async function points(
  ctx: Ctx<Consumer>,
  input: { storeId: string; productId: string; quantity: number; tier?: string | undefined },
) {
  const { sql } = ctx;
  const [answer] = await sql<Answer[]>`
    select s.currency as store_currency, bought.*, array(select ${programWithRules(sql)} from loyalty_programs g
      where g.store_id = s.id order by g.is_primary desc, g.name) as programs,
      (select true from promotions x where x.store_id = s.id and x.ends_at > ${ctx.now}
        order by x.store_id, x.promotion_id limit 1) as has_promotions
    from stores s
    left join lateral (${itemById(sql, input.productId)}) item on true
    left join lateral (
      select coalesce(${saleNow(sql, "v", ctx.now)}, v.price_amount) as amount, v.currency, v.brand, v.product_type, v.tokens
      from variants v join products p on p.id = v.product_ref
      where v.product_ref = item.product_ref and (item.variant_ref is null or v.id = item.variant_ref)
      order by ${goneNow(sql, ctx.now)}, v.id = p.primary_variant_ref desc, ${stockNow(sql, ctx.now)},
        ${cheapestFirst(sql, sql`s.currency`, ctx.now)}, v.position limit 1
    ) bought on true
    where s.id = ${input.storeId} and ${readable(sql, ctx.actor)}`;
  if (!answer) throw storeNotAvailable();
  const [program, ...others] = answer.programs;
  if (!program) throw noLoyaltyProgram(answer.has_promotions === true);
  if (answer.amount === null) throw productNotFound(input.productId);
  const tier = tierOf(program, input.tier);
  const rule = program.rules.find((candidate) => fits(candidate, answer));
  const { quantity } = input;
  const earned = earn(answer, { program: program.name, rule, tier, quantity, storeCurrency: answer.store_currency });
  return { program, others, points: { ...earned, program: program.name } };
}

/**
 * A rule without brand and type fits everything; a type fits what lies below it too, and Google's categories of what has no
 * type, as the filter `product_type` does. Case and accents do not matter.
 */
const fits = ({ brand, product_type }: EarningRule, bought: Purchase): boolean =>
  (brand === null || fold(brand) === fold(bought.brand ?? "")) &&
  (product_type === null || isOfType(bought, product_type.join(">")));

const isOfType = ({ tokens, product_type }: Purchase, path: string): boolean =>
  tokens.includes(pathToken("type", path)) || (product_type === null && tokens.includes(pathToken("gcat", path)));

interface Earning {
  program: string;
  rule: EarningRule | undefined;
  tier: Tier;
  quantity: number;
  storeCurrency: string;
}

/** floor(price × quantity × points per major unit × the tier's multiplier) + bonus × quantity, and how it came about. */
function earn({ amount, currency }: Purchase, { program, rule, tier, quantity, storeCurrency }: Earning) {
  if (!rule) return { points_earned: 0, basis: `No earning rule of ${program} covers this product.` };
  if (currency !== storeCurrency) {
    const basis = `${program} counts what is spent in ${storeCurrency}; this product is priced in ${currency}, so its points are not known.`;
    return { points_earned: 0, basis };
  }
  const millionths =
    BigInt(amount) * BigInt(quantity) * BigInt(rule.points_per_unit_milli) * BigInt(tier.multiplier_milli);
  const spent = Number(millionths / (10n ** BigInt(exponent(currency)) * 1_000_000n));
  const parts = [
    rule.basis.replace(/\.$/, ""),
    `${tier.name} tier: points × ${tier.multiplier_milli / 1000}`,
    `${quantity} × ${money(amount, currency).formatted} earns ${spent}`,
  ];
  if (rule.bonus_points > 0) parts.push(`${quantity} × ${rule.bonus_points} bonus points are added`);
  return { points_earned: spent + rule.bonus_points * quantity, basis: `${parts.join(". ")}.` };
}

function tierOf(program: Program, name: string | undefined): Tier {
  const wanted = name && fold(name);
  const tier = wanted === undefined ? program.tiers[0] : program.tiers.find((t) => fold(t.name) === wanted);
  if (tier) return tier;
  const issue = {
    path: "tier",
    message: `is not a tier of ${program.name}`,
    expected: `one of ${program.tiers.map((t) => t.name).join(", ")}`,
  };
  throw new DomainError("invalid_arguments", `tier ${issue.message}: use ${issue.expected}, or leave it out.`, {
    details: { issues: [issue] },
  });
}

const noLoyaltyProgram = (hasPromotions: boolean) =>
  new DomainError(
    "no_loyalty_program",
    `This store has no loyalty programme. list_stores names the stores that have one (capabilities: loyalty)${hasPromotions ? "; for discounts here call get_promotions" : ""}.`,
  );

/** At most three decimals, as the columns keep. */
const Factor = (max: number) => z.number().min(0).max(max).multipleOf(0.001);

const ProgramInput = z
  .strictObject({
    name: z.string().trim().min(1).max(200),
    description: z.string().trim().min(1).max(5000),
    terms_url: HttpUrl,
    primary: z.boolean(),
    tiers: z
      .array(
        z.strictObject({
          name: z.string().trim().min(1).max(100),
          threshold_points: z.int().min(0).max(2_000_000_000),
          perks: z.array(z.string().trim().min(1).max(500)).max(50),
          multiplier: Factor(100).gt(0).default(1),
        }),
      )
      .min(1)
      .max(20),
    earning_rules: z
      .array(
        z.strictObject({
          basis: z.string().trim().min(1).max(500),
          points_per_unit: Factor(10_000),
          /** A path, as `Tents > Family` or as its parts; it fits everything below it. */
          product_type: z
            .union([z.string().transform((path) => path.split(">")), z.array(z.string())])
            .pipe(z.array(z.string().trim().min(1)).min(1).max(20))
            .optional(),
          brand: z.string().trim().min(1).max(200).optional(),
          bonus_points: z.int().min(0).max(1_000_000).default(0),
        }),
      )
      .max(200),
  })
  .superRefine(({ tiers }, ctx) => {
    refuseRepeats(tiers, (tier) => fold(tier.name), "tiers", ctx);
    refuseRepeats(tiers, (tier) => String(tier.threshold_points), "tiers", ctx);
    if (!tiers.some((tier) => tier.threshold_points === 0)) {
      ctx.addIssue({ code: "custom", path: ["tiers"], message: "the lowest tier must have threshold_points 0" });
    }
  });

export const ReplacePrograms = z
  .strictObject({ storeId: z.uuid(), programs: z.array(ProgramInput).max(20) })
  .superRefine(({ programs }, ctx) => {
    refuseRepeats(programs, (program) => program.name, "programs", ctx);
    if (programs.length > 0 && programs.filter((program) => program.primary).length !== 1) {
      ctx.addIssue({ code: "custom", path: ["programs"], message: "exactly one programme must be primary" });
    }
  });

/**
 * Makes these the store's programmes: all of them, or none on an error. Earning rules count in the order given.
 * @throws DomainError not_found
 */
export async function replace(ctx: Ctx<StoreKeeper>, input: z.infer<typeof ReplacePrograms>): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const store = await lockOwnStore(ctx, tx, input.storeId);
    const before = await tx.delete(loyaltyPrograms).where(eq(loyaltyPrograms.storeId, store.id)).returning();
    for (const { name, description, terms_url, primary, ...rest } of input.programs) {
      const [program] = await tx
        .insert(loyaltyPrograms)
        .values({ storeId: store.id, name, description, termsUrl: terms_url, isPrimary: primary })
        .returning({ id: loyaltyPrograms.id });
      await insertRules(tx, program!.id, rest);
    }
    const after = input.programs;
    await audit.record(ctx, tx, { action: "loyalty.replace", target: ["store", store.id], before, after });
  });
}

/** A new programme's tiers, and its earning rules in the order in which they count. */
export async function insertRules(
  tx: Database,
  programId: string,
  { tiers, earning_rules }: Pick<z.infer<typeof ProgramInput>, "tiers" | "earning_rules">,
): Promise<void> {
  await tx.insert(loyaltyTiers).values(
    tiers.map((tier) => ({
      programId,
      name: tier.name,
      thresholdPoints: tier.threshold_points,
      perks: tier.perks,
      multiplier: tier.multiplier,
    })),
  );
  if (earning_rules.length === 0) return;
  await tx.insert(loyaltyEarningRules).values(
    earning_rules.map((rule, position) => ({
      programId,
      position,
      basis: rule.basis,
      pointsPerUnit: rule.points_per_unit,
      bonusPoints: rule.bonus_points,
      productType: rule.product_type,
      brand: rule.brand,
    })),
  );
}
