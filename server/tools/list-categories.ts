import { z } from "zod";
import * as categories from "../services/catalog/categories";
import { StoreId } from "./shapes";
import { DEMO_STORE, defineTool } from "./tool";

export const listCategories = defineTool({
  name: "list_categories",
  title: "List categories",
  description:
    "How one store sorts its products, a level at a time: the top categories, or with parent the ones right below it, with how many products are in each that can still be had (those further below included; search_products also finds discontinued ones). Use it to see what a store sells; then give a category's path, joined by ' > ', to search_products as filters.product_type (taxonomy store) or filters.google_product_category (taxonomy google).",
  scope: "catalog:read",
  input: z.strictObject({
    store_id: StoreId,
    parent: z
      .string()
      .trim()
      .min(1)
      .max(2000)
      .optional()
      .describe("The id of a category, to see those below it; the top level unless given."),
    taxonomy: z
      .enum(["store", "google"])
      .default("store")
      .describe(
        "store: the store's own categories, unless given. google: those of Google's product taxonomy; where a feed has no more, their numbers.",
      ),
  }),
  output: z.object({
    categories: z
      .array(
        z.object({
          id: z.string().describe("Give it as parent to see what is below."),
          name: z.string(),
          path: z.array(z.string()).describe("From the top down, the category itself the last."),
          product_count: z.int().describe("With the products of the categories below."),
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
