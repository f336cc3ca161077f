import { z } from "zod";
import { lookup } from "../services/catalog/lookup";
import { Card, Gtin, Message, ProductId, StoreId } from "./shapes";
import { DEMO_STORE, defineTool } from "./tool";
import { View, viewed } from "./view";

const MOST = 50;

export const lookupProducts = defineTool({
  name: "lookup_products",
  title: "Look up products",
  description:
    "What up to 50 products that you know by product_id and store_id, or by GTIN in every store that you can read, cost now, with availability and link, in the order asked; messages name each that was not found. A variant's id or GTIN gives that variant's price and link. For everything about one product use get_product; to find products by words search_products. Link shoppers with product_url unchanged.",
  scope: "catalog:read",
  input: z
    .strictObject({
      ids: z
        .array(
          z.strictObject({
            store_id: StoreId,
            product_id: ProductId.describe("The product, or one variant of it."),
          }),
        )
        .max(MOST)
        .default([])
        .describe("Products of given stores; with gtins 1 to 50."),
      gtins: z.array(Gtin).max(MOST).default([]).describe("Articles, in whatever stores; with ids 1 to 50."),
      view: View,
    })
    .superRefine(({ ids, gtins }, ctx) => {
      const refuse = (message: string, expected: string) =>
        ctx.addIssue({ code: "custom", path: ["ids"], message, params: { expected } });
      if (ids.length + gtins.length === 0)
        refuse("is missing, and so is gtins: name at least one product", "one product at least, in ids or gtins");
      if (ids.length + gtins.length > MOST)
        refuse(
          `and gtins name more than ${MOST} products together`,
          `at most ${MOST} products, ids and gtins together`,
        );
    }),
  output: z.object({
    products: z.array(
      Card.extend({
        matched_by: z
          .object({ kind: z.enum(["id", "gtin"]), value: z.string() })
          .describe("Which of the ids or gtins asked for this is."),
      }),
    ),
    messages: z.array(Message),
  }),
  example: { ids: [{ store_id: DEMO_STORE, product_id: "A01" }] },
  prompt: "Is the Skarn 2 tent that you showed me this morning still at that price?",
  storeOf: ({ ids, gtins }) =>
    gtins.length === 0 && new Set(ids.map((id) => id.store_id)).size === 1 ? ids[0]!.store_id : undefined,
  // What is not found and what can't be read are answered alike: only a product tells that the store was read.
  isFromStore: ({ products }) => products.length > 0,
  productsOf: ({ ids }) => ids.map((id) => id.product_id),
  async handler(ctx, { ids, gtins, view }) {
    const { matches, messages } = await lookup(ctx, {
      ids: ids.map(({ store_id, product_id }) => ({ storeId: store_id, productId: product_id })),
      gtins,
    });
    return {
      products: matches.map(({ card, matchedBy }) => ({ ...viewed(card, view), matched_by: matchedBy })),
      messages,
    };
  },
});
