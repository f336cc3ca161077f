import { z } from "zod";
import * as categories from "../services/catalog/categories";
import { StoreId } from "./shapes";
import { DEMO_STORE, defineTool } from "./tool";

export const listCategories = defineTool({
  name: "list_categories",
  title: "List categories",
  description:
    "What a store sells, a level of its categories at a time: the top ones, or those right below parent, with how many products each has that can still be had. Give a category's whole path, joined by ' > ', to search_products as filters.product_type (taxonomy store) or filters.google_product_category (taxonomy google).",
  scope: "catalog:read",
  input: z.strictObject({
    store_id: StoreId,
    parent: z
      .string()
      .trim()
      .min(1)
      .max(2000)
      .optional()
      .describe("The id of a category, to see those below it; else the top level."),
    taxonomy: z
      .enum(["store", "google"])
      .default("store")
      .describe(
        "store: the store's own, and Google's of products that have none. google: Google's alone; where a feed has no more, their numbers.",
      ),
  }),
  output: z.object({
    categories: z
      .array(
        z.object({
          id: z.string().describe("Give it as parent to see what is below."),
          name: z.string(),
          path: z.array(z.string()).describe("From the top down to the category itself."),
          product_count: z.int().describe("With those of the categories below."),
          has_children: z.boolean(),
        }),
      )
      .describe(`Those with most products first, ${categories.MOST_CATEGORIES} at most.`),
  }),
  example: { store_id: DEMO_STORE },
  prompt: "What kinds of things does Tarn & Timber sell?",
  storeOf: ({ store_id }) => store_id,
  async handler(ctx, { store_id, parent, taxonomy }) {
    return { categories: await categories.list(ctx, { storeId: store_id, parent, taxonomy }) };
  },
});
