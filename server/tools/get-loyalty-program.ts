import { z } from "zod";
import * as loyalty from "../services/loyalty";
import { ProductId, StoreId } from "./shapes";
import { DEMO_STORE, defineTool } from "./tool";

const Program = z.strictObject({
  name: z.string(),
  description: z.string(),
  terms_url: z.string(),
  tiers: z.array(
    z.strictObject({
      name: z.string(),
      perks: z.array(z.string()),
      threshold_points: z.int().describe("Points needed to reach the tier; the lowest has 0."),
    }),
  ),
});

// Callers rely on exactly these keys: nothing may be added to the answer.
export const getLoyaltyProgram = defineTool({
  name: "get_loyalty_program",
  title: "Loyalty programme and points",
  description:
    "Returns a store's loyalty programme with its tiers and perks, and the points that buying a product at its current price would earn, with the earning rule. A store without a programme answers no_loyalty_program; list_stores shows which stores have one (capabilities).",
  scope: "loyalty:read",
  input: z.strictObject({
    store_id: StoreId,
    product_id: ProductId.describe("A product or one of its variants; for the programme alone, any product."),
    quantity: z.int().min(1).max(1000).default(1).describe("How many are bought."),
    tier: z.string().trim().min(1).max(100).optional().describe("The shopper's tier by name. Default: the lowest."),
  }),
  output: z.strictObject({
    store_id: z.uuid(),
    product_id: z.string(),
    program: Program.describe("The store's primary programme."),
    points: z.strictObject({
      basis: z.string().describe("The earning rule, the tier and the quantity that were counted."),
      program: z.string().describe("The programme that these points are earned in."),
      points_earned: z.int(),
    }),
    programs: z.array(Program).describe("The store's other programmes; may be empty."),
  }),
  example: { store_id: DEMO_STORE, product_id: "A01", quantity: 2, tier: "Ridge" },
  prompt: "How many Tarn Card points would I get for the Skarn 2 tent?",
  storeOf: (input) => input.store_id,
  productsOf: (input) => [input.product_id],
  async handler(ctx, { store_id, product_id, quantity, tier }) {
    const found = await loyalty.points(ctx, { storeId: store_id, productId: product_id, quantity, tier });
    return {
      store_id,
      product_id,
      program: programme(found.program),
      points: found.points,
      programs: found.others.map(programme),
    };
  },
});

const programme = ({ name, description, terms_url, tiers }: loyalty.Program) => ({
  name,
  description,
  terms_url,
  tiers: tiers.map((tier) => ({
    name: tier.name,
    perks: tier.perks,
    threshold_points: tier.threshold_points,
  })),
});
