import { z } from "zod";
import type { Consumer, Ctx } from "../context";
import { info, type Message as Said } from "../services/catalog/messages";
import { isInReach } from "../services/fields";
import { maybeMoney } from "../services/money";
import * as promotions from "../services/promotions";
import { page, present } from "./present";
import { Cursor, Limit, Message, Money, Page, ProductId, StoreId } from "./shapes";
import { DEMO_STORE, defineTool } from "./tool";

export const getPromotions = defineTool({
  name: "get_promotions",
  title: "Promotions",
  description:
    "Lists a store's promotions: percentages or amounts off and free shipping, with or without a redemption code, with conditions and dates. Active ones come first, then upcoming ones; an expired one is found only by its code. Prices in other tools include sales, but not these reductions.",
  scope: "promotions:read",
  input: z.strictObject({
    store_id: StoreId,
    product_id: ProductId.optional().describe("Only what applies to this product or variant."),
    // RFC 3339 has its T and Z in small letters, too.
    active_at: z
      .preprocess(
        (given) => (typeof given === "string" ? given.toUpperCase() : given),
        z.iso
          .datetime({ offset: true })
          .refine((text) => isInReach(new Date(text)), "must be between the years 1900 and 9999"),
      )
      .optional()
      .describe("The time to report status for, such as 2026-11-27T09:00:00Z. Default: now."),
    code: z
      .string()
      .trim()
      .min(1)
      .max(50)
      .optional()
      .describe(
        "Only the promotion with this redemption code (case is ignored), even if expired. Empty without product_id: no such code.",
      ),
    limit: Limit(50, 20),
    cursor: Cursor.optional(),
  }),
  output: z.object({
    promotions: z.array(
      z.object({
        promotion_id: z.string(),
        long_title: z.string(),
        offer_type: z.enum(["no_code", "generic_code"]),
        generic_redemption_code: z.string().optional().describe("What the shopper enters at checkout."),
        percent_off: z.int().optional(),
        money_off_amount: Money.optional(),
        free_shipping: z.boolean(),
        minimum_purchase_amount: Money.optional().describe("The minimum basket total."),
        product_applicability: z.enum(["all_products", "specific_products"]),
        product_ids: z
          .array(z.string())
          .optional()
          .describe(
            `For specific_products: the products or variants, at most the first ${promotions.MOST_IDS}; with product_id, which checks any, only those of that product.`,
          ),
        promotion_effective_dates: z.object({ start: z.iso.datetime(), end: z.iso.datetime() }),
        redemption_channel: z.array(z.enum(promotions.channels)),
        fine_print: z.string().optional().describe("Conditions; tell the shopper."),
        promotion_url: z.string().optional(),
        stackable: z.boolean().describe("Whether it can be combined with other promotions."),
        status: z.enum(promotions.stages).describe("As of active_at."),
      }),
    ),
    page: Page,
    messages: z.array(Message).optional(),
  }),
  example: { store_id: DEMO_STORE, product_id: "A01" },
  prompt: "Is there a discount code for the Skarn 2 tent right now?",
  storeOf: (input) => input.store_id,
  productsOf: ({ product_id }) => (product_id === undefined ? [] : [product_id]),
  async handler(ctx, { store_id, product_id, active_at, ...rest }) {
    const asked = { storeId: store_id, productId: product_id, activeAt: active_at, ...rest };
    const found = await promotions.list(ctx, asked);
    const messages = rest.cursor === undefined ? await saidOf(ctx, asked, found) : [];
    return {
      promotions: found.promotions.map((promotion) => ({
        promotion_id: promotion.promotion_id,
        long_title: promotion.long_title,
        offer_type: promotion.generic_redemption_code === null ? ("no_code" as const) : ("generic_code" as const),
        ...present({
          generic_redemption_code: promotion.generic_redemption_code,
          percent_off: promotion.percent_off,
          money_off_amount: maybeMoney(promotion.money_off_amount, promotion.currency) ?? null,
          minimum_purchase_amount: maybeMoney(promotion.minimum_purchase_amount, promotion.currency) ?? null,
          product_ids: promotion.product_ids,
          fine_print: promotion.fine_print,
          promotion_url: promotion.promotion_url,
        }),
        free_shipping: promotion.free_shipping,
        product_applicability:
          promotion.product_ids === null ? ("all_products" as const) : ("specific_products" as const),
        promotion_effective_dates: {
          start: promotion.starts_at.toISOString(),
          end: promotion.ends_at.toISOString(),
        },
        redemption_channel: promotion.redemption_channel,
        stackable: promotion.stackable,
        status: promotion.status,
      })),
      page: page(found),
      ...(messages.length > 0 && { messages }),
    };
  },
});

type Found = Awaited<ReturnType<typeof promotions.list>>;

/** Where there is none, whether there is without what was asked for; where none is active, when the next one begins. */
async function saidOf(
  ctx: Ctx<Consumer>,
  asked: Parameters<typeof promotions.list>[1],
  { promotions: found, next, at }: Found,
): Promise<Said[]> {
  const { productId, code } = asked;
  if (found.length > 0) {
    const since = asked.activeAt === undefined ? "now" : `at ${at.toISOString()}`;
    return next ? [info("none_active", `None is active ${since}. The next one begins at ${next.toISOString()}.`)] : [];
  }
  const total = async (others: { productId?: undefined; code?: undefined }) =>
    (await promotions.list(ctx, { ...asked, ...others, limit: 1 })).totalCount;
  if (code !== undefined) {
    const isOthers = productId !== undefined && (await total({ productId: undefined })) > 0;
    const content = isOthers
      ? `The store has the code ${code}, but not for this product. Leave out product_id to see it.`
      : `The store has no promotion with the code ${code}. Leave out code to see those that it has.`;
    return [info("no_promotions", content, isOthers ? "product_id" : "code")];
  }
  const others = productId === undefined ? 0 : await total({ productId: undefined });
  if (others > 0)
    return [info("no_promotions", `None is for this product. Without product_id, there are ${others}.`, "product_id")];
  const none = "The store has no promotion that is active or to come";
  return asked.activeAt === undefined
    ? [info("no_promotions", `${none}.`)]
    : [
        info(
          "no_promotions",
          `${none} at ${at.toISOString()}. Leave out active_at to see those of today.`,
          "active_at",
        ),
      ];
}
