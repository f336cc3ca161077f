import { z } from "zod";
import type { Consumer, Ctx } from "../context";
import { availability, conditions } from "../services/catalog/card";
import { info, type Message as Said, warning } from "../services/catalog/messages";
import { maybeMoney, money } from "../services/money";
import * as offers from "../services/offers";
import { productUrl } from "../services/product-link";
import { misfit } from "./arguments";
import { page, present } from "./present";
import {
  Availability,
  Context,
  Cursor,
  DataAsOf,
  Days,
  Gtin,
  Limit,
  Message,
  Money,
  Page,
  ProductId,
  ProductUrl,
  StoreId,
} from "./shapes";
import { DEMO_STORE, defineTool } from "./tool";

export const getOffers = defineTool({
  name: "get_offers",
  title: "Compare offers",
  description:
    "Compares current prices, with shipping and when sales end: of every variant of a product in one store (product_id with store_id), or of one item in every store you can read (gtin). Sorted by total_price within each currency, starting with the context's or the most common one; discontinued offers come last. If shipping is absent, it is unknown, not free, and total_price is the price alone. Use get_promotions for discount codes, check_inventory for exact stock. Link shoppers to product_url unchanged.",
  scope: "offers:read",
  input: z
    .strictObject({
      product_id: ProductId.optional().describe("A product or one of its variants; needs store_id. Give this or gtin."),
      store_id: StoreId.optional().describe("The store of product_id."),
      gtin: Gtin.optional().describe(
        "EAN, UPC or ISBN-13 of the item to compare across all stores. Give this or product_id.",
      ),
      condition: z.enum(conditions).optional().describe("Only offers in this condition."),
      context: Context.optional().describe(
        "Where the shopper is: shipping is to that country, by default each store's own.",
      ),
      limit: Limit(50, 10),
      cursor: Cursor.optional(),
    })
    .superRefine(({ product_id, store_id, gtin }, ctx) => {
      const refuse = (path: string, message: string, expected: string) =>
        ctx.addIssue(misfit([path], message, expected));
      if (gtin !== undefined) {
        if (product_id !== undefined)
          refuse("product_id", "cannot be combined with gtin: give one of the two", "no product_id beside gtin");
        if (store_id !== undefined)
          refuse("store_id", "goes with product_id: gtin compares all stores", "no store_id beside gtin");
      } else if (product_id === undefined) {
        refuse("product_id", "is missing: give product_id with store_id, or gtin", "product_id with store_id, or gtin");
      } else if (store_id === undefined) {
        refuse(
          "store_id",
          "is missing: product_id is an id within one store",
          "the store_id that came with product_id",
        );
      }
    }),
  output: z.object({
    offers: z.array(
      z.object({
        offer_id: z.string().describe("The variant's own id, valid wherever a product_id is."),
        title: z.string().optional().describe("The variant's own title."),
        store_id: z.uuid(),
        store_name: z.string(),
        seller: z.string().optional().describe("The seller, if not the store itself."),
        price: Money,
        sale_price: Money.optional().describe("The current price, if on sale."),
        sale_price_effective_date: z
          .object({ start: z.iso.datetime().optional(), end: z.iso.datetime().optional() })
          .optional()
          .describe("When sale_price applies, if the merchant limits it."),
        payment_plan: z.string().optional().describe("What is paid over time."),
        total_price: Money.describe("The current price plus shipping."),
        condition: z.enum(conditions),
        availability: Availability,
        shipping: z
          .object({
            price: Money.describe("Cost of shipping."),
            min_handling_days: Days.optional(),
            max_handling_days: Days.optional(),
          })
          .optional()
          .describe("The cheapest to the country; absent if the merchant states none."),
        price_valid_until: z.iso.datetime().optional().describe("When the sale ends, if on sale."),
        product_url: ProductUrl,
        data_as_of: DataAsOf,
      }),
    ),
    page: Page,
    messages: z.array(Message).optional(),
  }),
  example: { store_id: DEMO_STORE, product_id: "A01", context: { country: "IE" } },
  prompt: "Where is the Skarn 2 tent cheapest, delivery to Ireland included?",
  storeOf: (input) => input.store_id,
  productsOf: ({ product_id }) => (product_id === undefined ? [] : [product_id]),
  async handler(ctx, { product_id, store_id, gtin, ...rest }) {
    const language = rest.context?.language;
    const of = gtin === undefined ? { storeId: store_id!, productId: product_id! } : { gtin };
    const asked = { of, ...rest };
    const found = await offers.list(ctx, asked);
    const messages = rest.cursor === undefined ? await saidOf(ctx, asked, found) : [];
    return {
      offers: found.offers.map((offer) => ({
        ...present({
          seller: offer.seller,
          payment_plan: offer.payment_plan,
          ...sale(offer, language),
          shipping: shipping(offer, language),
        }),
        offer_id: offer.offer_id,
        title: offer.title,
        store_id: offer.store_id,
        store_name: offer.store_name,
        price: money(offer.price_amount, offer.currency, language),
        total_price: money(offer.total_amount, offer.currency, language),
        condition: offer.condition,
        availability: availability(offer.availability, offer.availability_date?.toISOString() ?? null),
        product_url: productUrl(offer.link, offer.product_id, ctx.actor),
        data_as_of: offer.data_as_of.toISOString(),
      })),
      page: page(found),
      ...(messages.length > 0 && { messages }),
    };
  },
});

type Found = Awaited<ReturnType<typeof offers.list>>;

/** Where there is no offer in that condition which others there are; and which amounts of this page are not as the context has it. */
async function saidOf(
  ctx: Ctx<Consumer>,
  asked: Parameters<typeof offers.list>[1],
  { offers: found }: Found,
): Promise<Said[]> {
  const { condition, context } = asked;
  if (found.length === 0) {
    const others = condition ? await offers.list(ctx, { ...asked, condition: undefined, limit: MOST_READ }) : undefined;
    const there = [...new Set(others?.offers.map((offer) => offer.condition))].join(", ");
    const content = there
      ? `None is ${condition}. Without condition, there are offers: ${there}.`
      : "There is no offer for it.";
    return [info("no_offers", content, condition && "condition")];
  }
  const said: Said[] = [];
  const currencies = [...new Set(found.map((offer) => offer.currency))];
  if (context?.currency && !currencies.includes(context.currency)) {
    const content = `These offers are priced in ${currencies.join(", ")}, not in ${context.currency}. Amounts are not converted.`;
    said.push(warning("currency_differs", content, "context.currency"));
  }
  if (context?.country && found.every((offer) => offer.shipping_amount === null)) {
    const content = `None of these offers states what shipping to ${context.country} costs: total_price is the price alone.`;
    said.push(info("shipping_unknown", content, "context.country"));
  }
  return said;
}

const MOST_READ = 50;

/** What is said of a sale while it is on; nothing otherwise. */
function sale({ sale_amount, sale_starts_at, sale_ends_at, currency }: offers.Offer, language: string | undefined) {
  if (sale_amount === null) return {};
  const start = sale_starts_at?.toISOString() ?? null;
  const end = sale_ends_at?.toISOString() ?? null;
  return {
    sale_price: money(sale_amount, currency, language),
    sale_price_effective_date: start || end ? present({ start, end }) : null,
    price_valid_until: end,
  };
}

function shipping(offer: offers.Offer, language: string | undefined) {
  const price = maybeMoney(offer.shipping_amount, offer.currency, language);
  const { min_handling_days, max_handling_days } = offer;
  return price ? { price, ...present({ min_handling_days, max_handling_days }) } : null;
}
