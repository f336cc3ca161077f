import { z } from "zod";
import { availabilityStatuses, conditions } from "../services/catalog/card";
import { sorts } from "../services/catalog/order";
import { type SearchAnswer, search } from "../services/catalog/search";
import { misfit } from "./arguments";
import { page } from "./present";
import { Card, Context, Currency, Cursor, Gtin, Limit, Message, Page, StoreId } from "./shapes";
import { DEMO_STORE, defineTool } from "./tool";
import { fitting, View } from "./view";

const Text = z.string().trim().min(1).max(200);
const Texts = z.array(Text).min(1).max(20);
const Paths = z.array(z.string().trim().min(1).max(2000)).min(1).max(20);
/** Whoever writes 19.99 means units: told of whole numbers alone, they would round it to a hundredth of their price. */
const Amount = z
  .int({
    error: ({ expected, input }) =>
      expected === "int" || typeof input === "string"
        ? "must be a whole number of minor units: 1999 is 19.99 EUR"
        : undefined,
  })
  .min(0)
  .max(10 ** 15);

/** Such as a price without bounds and currency: as good as none. */
const isEmpty = (filter: unknown): boolean =>
  filter === undefined || (isPlain(filter) && Object.values(filter).every(isEmpty));
const isPlain = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const Filters = z
  .strictObject({
    price: z
      .strictObject({
        min: Amount.optional().describe("In minor units: 1000 is 10.00 EUR."),
        max: Amount.optional().describe("In minor units: 20000 is 200.00 EUR."),
        currency: Currency.optional().describe(
          "Only prices in this currency. Default: each store's own. Nothing is converted.",
        ),
      })
      .refine(({ min = 0, max = Number.POSITIVE_INFINITY }) => min <= max, {
        message: "min must not be above max",
        params: { expected: "a min that is max or less" },
      })
      .optional()
      .describe("The current price, sales included."),
    brand: Texts.optional().describe("Any of these, as named in the facet."),
    condition: z.array(z.enum(conditions)).min(1).max(conditions.length).optional().describe("Any of these."),
    availability: z
      .array(z.enum(availabilityStatuses))
      .min(1)
      .max(availabilityStatuses.length)
      .optional()
      .describe("Any of these."),
    google_product_category: Paths.optional().describe(
      "Any of these Google categories, with subcategories: the whole path, such as 'Sporting Goods > Outdoor Recreation', or its number.",
    ),
    product_type: Paths.optional().describe(
      "Any of these categories of the store's own (Google's for products without one), with subcategories: the whole path, as in the category facet or list_categories (joined by ' > ').",
    ),
    // One alone was once all that it took.
    gtin: z
      .preprocess((given) => (typeof given === "string" ? [given] : given), z.array(Gtin).min(1).max(20))
      .optional()
      .describe("Any of these; price, stock and link are that variant's."),
    attributes: z
      .array(
        z.strictObject({
          name: Text.describe(
            "color, size, material, pattern, gender (male, female or unisex), age_group (newborn, infant, toddler, kids or adult), or one of the store's own.",
          ),
          values: Texts.describe("Any of these."),
        }),
      )
      .min(1)
      .max(10)
      .optional()
      .describe("All of these, in one variant that also meets the price, condition and availability filters."),
    on_sale: z.boolean().optional().describe("true: only what is on sale now; false: only what is not."),
    rating: z
      .strictObject({
        min: z.number().min(0).max(5).optional().describe("Minimum stars out of five."),
        min_count: z
          .int()
          .min(0)
          .max(10 ** 9)
          .optional()
          .describe("Minimum number of ratings."),
      })
      .optional()
      .describe("Shoppers' rating."),
  })
  .describe("All filters must match. Case and accents do not matter.");

const Facets = z
  .array(
    z.object({
      name: z.enum(["brand", "category", "price", "availability", "on_sale"]),
      approximate: z.boolean().describe("Counted over the best 10,000 matches only."),
      values: z.array(
        z.object({
          value: z.string().describe("For use in filters; a price band in minor units: '2000-4999 EUR'."),
          label: z.string().optional().describe("A price band as text: €20.00–€49.99."),
          count: z
            .int()
            .describe(
              "Number of products; for a category, only those directly in it: the filter adds its subcategories.",
            ),
        }),
      ),
    }),
  )
  .describe("Counts of the matches by value, for narrowing the search.");

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
    "Searches products by keywords, identifiers or filters, in every store you can read or only in some: best matches first, with price, availability and link, and facets for narrowing the search. Misspelt words are corrected and queries that match nothing relaxed; messages say how. Use get_product for details of one product, lookup_products for known ids or GTINs, get_offers to compare what stores charge for one item. Link shoppers to product_url unchanged.",
  scope: "catalog:read",
  input: z
    .strictObject({
      query: Text.optional().describe(
        '2 to 5 keywords in the language of the store (languages in list_stores), such as waterproof hiking boots, not a sentence; or a GTIN, mpn or sku. All words must match; there is no OR. "Quoted words" match as a phrase, -words are excluded. Put price, size, color and brand in filters.',
      ),
      store_ids: z.array(StoreId).min(1).max(50).optional().describe("Search only these stores."),
      filters: Filters.optional(),
      context: Context.optional().describe(
        "Never a filter. language formats amounts; sorted by price, those in currency come first; country is for get_offers and get_product.",
      ),
      sort: z
        .enum(sorts)
        .default("relevance")
        .describe("By price: one currency at a time, that of the filter or context first."),
      limit: Limit(50, 10),
      cursor: Cursor.optional(),
      view: View.describe("compact: title, brand, price, availability, image, link, and three values per facet."),
    })
    .superRefine(({ query, store_ids, filters, cursor }, ctx) => {
      // What is wrong with them is told, and what is left of them may be empty.
      const areWrong = ctx.issues.some(({ path }) => path?.[0] === "filters");
      if (query !== undefined || store_ids !== undefined || areWrong || !isEmpty(filters)) return;
      const message =
        cursor === undefined
          ? "is missing, and filters and store_ids are missing or empty: give at least one of the three"
          : "is missing: repeat with cursor all other arguments of the call whose next_cursor it is";
      ctx.addIssue(misfit(["query"], message, "query, filters or store_ids"));
    }),
  output: Answer,
  example: { query: "tent", store_ids: [DEMO_STORE], filters: { availability: ["in_stock"] }, limit: 5 },
  prompt: "Find me a trekking tent for two people for less than 400 euros.",
  storeOf: ({ store_ids }) => (new Set(store_ids).size === 1 ? store_ids![0] : undefined),
  async handler(ctx, { store_ids, view, ...rest }) {
    const found = await search(ctx, { ...rest, storeIds: store_ids });
    return fitting(found, view, rest.limit, answerOf);
  },
});
