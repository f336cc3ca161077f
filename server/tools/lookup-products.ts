import { z } from "zod";
import { lookup } from "../services/catalog/lookup";
import { misfit } from "./arguments";
import { Card, Gtin, Message, ProductId, StoreId } from "./shapes";
import { DEMO_STORE, defineTool } from "./tool";
import { View, viewed } from "./view";

const MOST = 50;

export const lookupProducts = defineTool({
  name: "lookup_products",
  title: "Look up products",
  description:
    "Returns current price, availability and link of up to 50 known products: by store_id and product_id, or by GTIN in every store you can read. Products come in the order asked; messages name each one not found. A variant's id or GTIN gives that variant's price and link. Use get_product for details of one product, and search_products to find products by keywords. Link shoppers to product_url unchanged.",
  scope: "catalog:read",
  input: z
    .strictObject({
      ids: z
        .array(
          z.strictObject({
            store_id: StoreId,
            product_id: ProductId.describe("A product or one of its variants."),
          }),
        )
        .max(MOST)
        .default([])
        .describe("Products of given stores. With gtins, 1 to 50 in all."),
      gtins: z
        .array(Gtin)
        .max(MOST)
        .default([])
        .describe("Items, in any store you can read. With ids, 1 to 50 in all."),
      view: View,
    })
    .superRefine(({ ids, gtins }, ctx) => {
      const refuse = (message: string, expected: string) => ctx.addIssue(misfit(["ids"], message, expected));
      if (ids.length + gtins.length === 0)
        refuse("is missing, and so is gtins: name at least one product", "at least one product, in ids or gtins");
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
          .describe("Which of the requested ids or gtins this is."),
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
