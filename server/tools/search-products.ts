import { z } from "zod";
import { availabilityStatuses, conditions } from "../services/catalog/card";
import { sorts } from "../services/catalog/order";
import { type SearchAnswer, search } from "../services/catalog/search";
import { page } from "./present";
import { Card, Context, Currency, Cursor, Gtin, Limit, Message, Page, StoreId } from "./shapes";
import { DEMO_STORE, defineTool } from "./tool";
import { fitting, inView, View } from "./view";

const Text = z.string().trim().min(1).max(200);
const Texts = z.array(Text).min(1).max(20);
const Paths = z.array(z.string().trim().min(1).max(2000)).min(1).max(20);
const Amount = z.int().min(0);

const Filters = z
  .strictObject({
    price: z
      .strictObject({
        min: Amount.optional().describe("In minor units: 1000 is 10.00 EUR."),
        max: Amount.optional().describe("In minor units: 20000 is 200.00 EUR."),
        currency: Currency.optional().describe(
          "Only prices in this currency, else in each store's own; nothing is converted.",
        ),
      })
      .refine(({ min = 0, max = Number.POSITIVE_INFINITY }) => min <= max, {
        message: "min must not be above max",
        params: { expected: "a min that is max or less" },
      })
      .optional()
      .describe("What it costs now, a sale included."),
    brand: Texts.optional().describe("Any of these, as the facet names them."),
    condition: z.array(z.enum(conditions)).min(1).max(conditions.length).optional().describe("Any of these."),
    availability: z
      .array(z.enum(availabilityStatuses))
      .min(1)
      .max(availabilityStatuses.length)
      .optional()
      .describe("Any of these."),
    google_product_category: Paths.optional().describe(
      "Any of these categories of Google's with all below: the whole path, such as 'Sporting Goods > Outdoor Recreation', or its number.",
    ),
    product_type: Paths.optional().describe(
      "Any of these categories of the store's own (of a product that has none, Google's) with all below: the whole path from the top, as the facet category or list_categories (joined by ' > ') has it.",
    ),
    // One alone was once all that it took.
    gtin: z
      .preprocess((given) => (typeof given === "string" ? [given] : given), z.array(Gtin).min(1).max(20))
      .optional()
      .describe("Any of these; price, stock and link are the variant's."),
    attributes: z
      .array(
        z.strictObject({
          name: Text.describe(
            "color, size, material, pattern, gender (male, female or unisex), age_group (newborn, infant, toddler, kids or adult), or the store's own.",
          ),
          values: Texts.describe("Any of these."),
        }),
      )
      .min(1)
      .max(10)
      .optional()
      .describe("All of these, in one variant that also has the price, condition and availability asked for."),
    on_sale: z.boolean().optional().describe("true: only what is on sale now; false: only what is not."),
    rating: z
      .strictObject({
        min: z.number().min(0).max(5).optional().describe("Stars of five, at least."),
        min_count: z.int().min(0).optional().describe("How many ratings, at least."),
      })
      .optional()
      .describe("How shoppers rate it."),
  })
  .describe("All that is given must hold. Case and accents do not matter.");

const Facets = z
  .array(
    z.object({
      name: z.enum(["brand", "category", "price", "availability", "on_sale"]),
      approximate: z.boolean().describe("Counted over the best 10,000 matches only."),
      values: z.array(
        z.object({
          value: z.string().describe("For filters; a price in minor units: '2000-4999 EUR'."),
          label: z.string().optional().describe("A price for showing: €20.00–€49.99."),
          count: z
            .int()
            .describe("How many; of a category those right in it, where the filter takes all below it too."),
        }),
      ),
    }),
  )
  .describe("How the matches divide, for narrowing the search down.");

const Answer = z.object({
  products: z.array(Card),
  page: Page,
  facets: Facets,
  messages: z.array(Message),
});

const answerOf = (found: SearchAnswer): z.input<typeof Answer> => ({
  products: found.products,
  page: page(found),
  facets: found.facets,
  messages: found.messages,
});

export const searchProducts = defineTool({
  name: "search_products",
  title: "Search products",
  description:
    "Finds products in all stores that you can read, or in some, by words, identifiers or filters: best matches first, with price, availability and link, and facets to narrow the search down. Misspelt words are mended and too narrow queries relaxed; messages say so. For everything about one product use get_product; for ids or GTINs lookup_products; to compare what stores charge for one article get_offers. Link shoppers with product_url unchanged.",
  scope: "catalog:read",
  input: z
    .strictObject({
      query: Text.optional().describe(
        'The thing and what sets it apart, 2 to 5 words in the language of the store (list_stores, languages), such as waterproof hiking boots; no sentences. All words must match, there is no OR; "words in quotes" stand together, -words are absent. Price, size, color and brand go in filters. Or a GTIN, mpn or sku.',
      ),
      store_ids: z.array(StoreId).min(1).max(50).optional().describe("Search these stores only."),
      filters: Filters.optional(),
      context: Context.optional().describe(
        "Where the shopper is, never a filter: prices in its currency come first where sort is by price.",
      ),
      sort: z
        .enum(sorts)
        .default("relevance")
        .describe("Prices are sorted within a currency, that of the filter or context first."),
      limit: Limit(50, 10),
      cursor: Cursor.optional(),
      view: View.describe(
        "compact: titles, prices, availability, pictures and links only, and three values of each facet.",
      ),
    })
    .superRefine(({ query, store_ids, filters = {} }, ctx) => {
      if (
        query !== undefined ||
        store_ids !== undefined ||
        Object.values(filters).some((filter) => filter !== undefined)
      )
        return;
      const message = "is missing, and so are filters and store_ids: give at least one of the three";
      const params = { expected: "query, filters or store_ids" };
      ctx.addIssue({ code: "custom", path: ["query"], message, params });
    }),
  output: Answer,
  example: { query: "tent", store_ids: [DEMO_STORE], filters: { availability: ["in_stock"] }, limit: 5 },
  prompt: "Find me a trekking tent for two people for less than 400 euros.",
  storeOf: ({ store_ids }) => (store_ids?.length === 1 ? store_ids[0] : undefined),
  async handler(ctx, { store_ids, view, ...rest }) {
    const found = await search(ctx, { ...rest, storeIds: store_ids });
    return fitting(inView(found, view), rest.limit, answerOf);
  },
});
