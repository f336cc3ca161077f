import { z } from "zod";
import * as inventory from "../services/inventory";
import { misfit } from "./arguments";
import { present } from "./present";
import { Message, ProductId, StoreId } from "./shapes";
import { DEMO_STORE, defineTool } from "./tool";

export const checkInventory = defineTool({
  name: "check_inventory",
  title: "Check stock",
  description:
    "Returns a store's exact stock of up to 50 products, in total and per location, with pickup and the next delivery. A product counts all its variants: give a variant's id to check one size or color. For availability alone, or if the store publishes no counts (capabilities in list_stores lack inventory), use get_product or get_offers. Messages name what could not be counted.",
  scope: "inventory:read",
  input: z.strictObject({
    store_id: StoreId,
    items: z
      .array(
        z.strictObject({
          product_id: ProductId.describe("A product or one of its variants."),
          quantity: z.int().min(1).max(1_000_000).default(1).describe("How many the shopper wants."),
        }),
      )
      .min(1)
      .max(50)
      .superRefine((items, ctx) => {
        const seen = new Set<string>();
        items.forEach(({ product_id }, i) => {
          const message = "is listed twice: give each product once, with the total quantity";
          if (seen.has(product_id)) ctx.addIssue(misfit([i, "product_id"], message, "each product once"));
          seen.add(product_id);
        });
      })
      .describe("What to check, 1 to 50, each product once."),
    location_ids: z
      .array(z.string().min(1).max(100))
      .min(1)
      .max(50)
      .optional()
      .describe("Count only these locations, by their location_id."),
  }),
  output: z.object({
    items: z
      .array(
        z.object({
          product_id: z.string(),
          requested: z.int().describe("How many were asked for."),
          quantity: z.int().describe("How many were counted at the locations asked for."),
          status: z
            .enum(["in_stock", "low_stock", "out_of_stock"])
            .optional()
            .describe("low_stock_threshold or fewer: low_stock. Absent if it depends on variants not counted."),
          low_stock_threshold: z.int(),
          restock_at: z.iso
            .datetime()
            .optional()
            .describe("When the merchant expects the next delivery; midnight UTC where the day alone is known."),
          locations: z
            .array(
              z.object({
                location_id: z.string(),
                name: z.string(),
                quantity: z.int(),
                pickup: z.boolean().describe("Whether the shopper can collect there."),
              }),
            )
            .describe("At most 50, those with the most stock."),
          data_as_of: z.iso.datetime().describe("When the oldest of these counts was taken."),
        }),
      )
      .describe("What could be counted, in the order asked."),
    messages: z.array(Message),
  }),
  example: { store_id: DEMO_STORE, items: [{ product_id: "A01", quantity: 2 }, { product_id: "A02" }] },
  prompt: "Can I pick up a Skarn 2 tent in a shop today?",
  storeOf: (input) => input.store_id,
  productsOf: ({ items }) => items.map((item) => item.product_id),
  async handler(ctx, { store_id, items, location_ids }) {
    const asked = items.map(({ product_id, quantity }) => ({ productId: product_id, quantity }));
    const found = await inventory.check(ctx, { storeId: store_id, items: asked, locationIds: location_ids });
    return {
      items: found.items.map(({ status, restock_at, data_as_of, ...item }) => ({
        ...item,
        ...present({ status, restock_at: restock_at?.toISOString() ?? null }),
        data_as_of: data_as_of.toISOString(),
      })),
      messages: found.messages,
    };
  },
});
