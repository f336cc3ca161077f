import { z } from "zod";
import * as categories from "../services/catalog/categories";
import { StoreId } from "./shapes";
import { DEMO_STORE, defineTool } from "./tool";

export const listCategories = defineTool({
  name: "list_categories",
  title: "List categories",
  description:
    "Lists a store's categories one level at a time: the top level, or the subcategories of parent, each with its number of products not discontinued. To search one, pass its path, joined by ' > ', to search_products as filters.product_type (taxonomy store) or filters.google_product_category (taxonomy google).",
  scope: "catalog:read",
  input: z.strictObject({
    store_id: StoreId,
    parent: z
      .string()
      .trim()
      .min(1)
      .max(2000)
      .optional()
      .describe("A category's id, to list its subcategories. Default: the top level."),
    taxonomy: z
      .enum(["store", "google"])
      .default("store")
      .describe(
        "store: the store's own, and Google's for products without one. google: Google's only, as numbers where the feed has no names.",
      ),
  }),
  output: z.object({
    categories: z
      .array(
        z.object({
          id: z.string().describe("Pass as parent to list its subcategories."),
          name: z.string(),
          path: z.array(z.string()).describe("From the top down to the category itself."),
          product_count: z.int().describe("Including its subcategories."),
          has_children: z.boolean(),
        }),
      )
      .describe(`Those with most products first, at most ${categories.MOST_CATEGORIES}.`),
  }),
  example: { store_id: DEMO_STORE },
  prompt: "What kinds of things does Tarn & Timber sell?",
  storeOf: ({ store_id }) => store_id,
  async handler(ctx, { store_id, parent, taxonomy }) {
    return { categories: await categories.list(ctx, { storeId: store_id, parent, taxonomy }) };
  },
});
