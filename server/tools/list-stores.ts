import { z } from "zod";
import * as stores from "../services/stores";
import { page } from "./present";
import { Capabilities, Country, Cursor, Languages, Limit, Page } from "./shapes";
import { defineTool } from "./tool";

export const listStores = defineTool({
  name: "list_stores",
  title: "List stores",
  description:
    "Lists the stores you can read, by name, with country, currency, languages, categories and what other data each has (capabilities). Start here to get a store_id. To search all stores for products, use search_products without store_ids.",
  scope: "catalog:read",
  input: z.strictObject({
    query: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .optional()
      .describe(
        "Words from name, description, categories, web or postal address, such as a city; or a country's name. All must match.",
      ),
    country: Country.optional(),
    category: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .optional()
      .describe("Words of the store's categories, or how they begin. All must match."),
    limit: Limit(100, 20),
    cursor: Cursor.optional(),
  }),
  output: z.object({
    stores: z.array(
      z.object({
        store_id: z.uuid(),
        name: z.string(),
        url: z.string(),
        country: z.string(),
        currency: z.string(),
        languages: Languages.optional(),
        categories: z.array(z.string()),
        capabilities: Capabilities,
        is_demo: z.boolean(),
      }),
    ),
    page: Page,
  }),
  example: { limit: 5 },
  prompt: "Which shops can you look into for me?",
  async handler(ctx, input) {
    const found = await stores.list(ctx, input);
    return {
      stores: found.stores.map(({ id, total: _, rank: __, ...store }) => ({ store_id: id, ...store })),
      page: page(found),
    };
  },
});
