import { z } from "zod";
import * as categories from "../services/catalog/categories";
import { info } from "../services/catalog/messages";
import { Message, StoreId } from "./shapes";
import { DEMO_STORE, defineTool } from "./tool";

const MOST_SHOWN = 200;

const none = {
  store: "No product of this store is in a category. search_products finds them by keywords.",
  google: "No product of this store has a Google category. Use taxonomy store.",
};

export const listCategories = defineTool({
  name: "list_categories",
  title: "List categories",
  description:
    "Lists a store's categories one level at a time: the top level, or those below parent, each with its number of products not discontinued. To search one, pass its path, joined by ' > ', to search_products as filters.product_type (taxonomy store) or filters.google_product_category (google).",
  scope: "catalog:read",
  input: z.strictObject({
    store_id: StoreId,
    parent: z.string().trim().min(1).max(2000).optional().describe("A category's id. Default: the top level."),
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
      .describe(`Most products first, at most ${MOST_SHOWN}.`),
    messages: z.array(Message).optional(),
  }),
  example: { store_id: DEMO_STORE },
  prompt: "What kinds of things does Tarn & Timber sell?",
  storeOf: ({ store_id }) => store_id,
  async handler(ctx, { store_id, parent, taxonomy }) {
    const found = await categories.list(ctx, { storeId: store_id, parent, taxonomy });
    if (found.length === 0 && parent === undefined)
      return { categories: [], messages: [info("no_categories", none[taxonomy], "taxonomy")] };
    const left = `${MOST_SHOWN} of ${found.length} categories are listed, those with most products; search_products reaches the others' products.`;
    return {
      categories: found.slice(0, MOST_SHOWN),
      ...(found.length > MOST_SHOWN && { messages: [info("answer_shortened", left)] }),
    };
  },
});
