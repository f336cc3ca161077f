import { z } from "zod";
import type { Consumer } from "../context";
import { availability, conditions } from "../services/catalog/card";
import { info } from "../services/catalog/messages";
import * as products from "../services/catalog/product";
import { byCurrency, optionsOf, type VariantRow } from "../services/catalog/variants";
import { maybeMoney, money } from "../services/money";
import { productUrl } from "../services/product-link";
import { misfit } from "./arguments";
import { present } from "./present";
import { Availability, Card, Context, Days, Gtin, Message, Money, ProductId, ProductUrl, StoreId } from "./shapes";
import { DEMO_STORE, defineTool } from "./tool";

const Details = {
  description: z.string().optional(),
  additional_image_link: z.array(z.string()),
  gtin: z.string().optional().describe("EAN, UPC or ISBN-13."),
  mpn: z.string().optional().describe("The manufacturer's part number."),
  sku: z.string().optional().describe("The store's stock keeping unit."),
  condition: z.enum(conditions),
  google_product_category: z.string().optional().describe("A path joined by ' > ', or Google's number."),
  product_type: z.string().optional().describe("The store's own path, joined by ' > '."),
  color: z.string().optional(),
  size: z.string().optional(),
  material: z.string().optional(),
  pattern: z.string().optional(),
  age_group: z.string().optional(),
  gender: z.string().optional(),
  attributes: z.array(z.object({ name: z.string(), value: z.string(), unit: z.string().optional() })),
  unit_pricing_measure: z.string().optional(),
};

export const getProduct = defineTool({
  name: "get_product",
  title: "Product details",
  description:
    "Returns everything about one product in one store: description, images, identifiers, attributes, options, every variant with price, availability and link, shipping and return policy. A variant's id or GTIN shows that variant; selected shows the variant chosen so far, and options then show what is left to choose. Use lookup_products for several products, check_inventory for exact stock, and get_offers to compare stores. Link shoppers to product_url unchanged.",
  scope: "catalog:read",
  input: z
    .strictObject({
      store_id: StoreId,
      product_id: ProductId.optional().describe("A product or one of its variants. Give this or gtin."),
      gtin: Gtin.optional().describe("EAN, UPC or ISBN-13 of a variant. Give this or product_id."),
      selected: z
        .array(
          z.strictObject({
            name: z.string().trim().min(1).max(100).describe("The option, such as color."),
            label: z.string().trim().min(1).max(500).describe("One of its labels, such as Red."),
          }),
        )
        .max(20)
        .default([])
        .describe("Choices so far, as named in options."),
      context: Context.optional().describe("Where the shopper is: shipping to that country comes first."),
    })
    .superRefine(({ product_id, gtin }, ctx) => {
      if (product_id === undefined && gtin === undefined)
        ctx.addIssue(misfit(["product_id"], "is missing: give product_id or gtin", "product_id or gtin"));
      if (product_id !== undefined && gtin !== undefined)
        ctx.addIssue(
          misfit(["gtin"], "cannot be combined with product_id: give one of the two", "no gtin beside product_id"),
        );
    }),
  output: z.object({
    product: Card.extend({
      ...Details,
      options: z
        .array(
          z.object({
            name: z.string(),
            values: z.array(
              z.object({
                label: z.string(),
                available: z.boolean().describe("Whether a variant with it can be ordered now."),
                exists: z.boolean().describe("Whether a variant has it and all else selected."),
              }),
            ),
          }),
        )
        .describe("What the shopper can choose."),
      variants: z
        .array(
          z.object({
            product_id: z.string().describe("The variant's own id, valid wherever a product_id is."),
            title: z.string(),
            options: z.array(z.object({ name: z.string(), label: z.string() })),
            price: Money,
            sale_price: Money.optional().describe("The current price, if on sale."),
            availability: Availability,
            gtin: z.string().optional(),
            image_link: z.string().optional(),
            product_url: ProductUrl,
          }),
        )
        .describe("At most 50, those that fit the selection first."),
      shipping: z
        .array(
          z.object({
            country: z.string().optional().describe("Everywhere if absent."),
            service: z.string().optional(),
            price: Money.describe("Cost of shipping."),
            min_handling_days: Days.optional(),
            max_transit_days: Days.optional(),
          }),
        )
        .describe("Ways to ship a single unit that the merchant states, at most 20."),
      return_policy: z
        .object({
          return_window_days: Days.optional(),
          fees: z.string().optional(),
          method: z.string().optional(),
          url: z.string().optional(),
        })
        .optional()
        .describe("The store's policy."),
    }),
    messages: z.array(Message),
  }),
  example: { store_id: DEMO_STORE, product_id: "A01", selected: [{ name: "color", label: "Moss" }] },
  prompt: "Which colours does the Skarn 2 trekking tent come in, and what does it weigh?",
  storeOf: ({ store_id }) => store_id,
  productsOf: ({ product_id }) => (product_id === undefined ? [] : [product_id]),
  async handler(ctx, { store_id, product_id, gtin, selected, context }) {
    const of = gtin === undefined ? { productId: product_id! } : { gtin };
    const found = await products.get(ctx, { storeId: store_id, of, selected, language: context?.language });
    const { card, variant, details, messages } = found;
    const ways = shipping(details.shipping, variant, context);
    return {
      product: {
        ...card,
        ...present({ color: variant.color, size: variant.size, material: variant.material, pattern: variant.pattern }),
        ...present({ age_group: variant.age_group, gender: variant.gender, gtin: written(variant.gtin) }),
        ...present({ description: details.description, mpn: details.mpn, sku: details.sku }),
        ...present({
          google_product_category: details.google_product_category?.join(" > "),
          product_type: details.product_type?.join(" > "),
          unit_pricing_measure: details.unit_pricing_measure,
          return_policy: found.returnPolicy,
        }),
        condition: details.condition,
        additional_image_link: details.additional_image_link,
        attributes: variant.attributes,
        options: found.options,
        variants: found.variants.map((other) => presentVariant(other, found.optionNames, ctx.actor, context?.language)),
        shipping: ways,
      },
      messages: [...messages, ...notReached(ways, context?.country)],
    };
  },
});

const presentVariant = (
  variant: VariantRow,
  optionNames: readonly string[],
  reader: Consumer,
  language: string | undefined,
) => ({
  product_id: variant.variant_id,
  title: variant.title,
  options: optionsOf(variant, optionNames),
  price: money(variant.price_amount, variant.currency, language),
  availability: availability(variant.availability, variant.availability_date),
  product_url: productUrl(variant.link, variant.variant_id, reader),
  ...present({
    sale_price: maybeMoney(variant.sale_amount, variant.currency, language),
    gtin: written(variant.gtin),
    image_link: variant.image_link,
  }),
});

/** A GTIN is kept with 14 digits; people write it with 8, 12 or 13. */
function written(gtin: string | null): string | null {
  if (gtin === null) return null;
  const length = [8, 12, 13, 14].find((digits) => /^0*$/.test(gtin.slice(0, 14 - digits)));
  return gtin.slice(14 - length!);
}

function notReached(ways: { country?: string }[], country: string | undefined) {
  if (!country || ways.some((way) => !way.country || way.country === country)) return [];
  const content = `No shipping of a single unit to ${country} is stated; search_store_policies may say whether the store delivers there.`;
  return [info("shipping_unknown", content, "context.country")];
}

const MOST_WAYS = 20;

type Way = products.Details["shipping"][number];

/**
 * The ways to ship whose minimum order the variant's price now reaches. First those that reach the shopper's country, or go
 * everywhere; among these the variant's own currency first, then the cheapest.
 */
const shipping = (ways: Way[], variant: VariantRow, { country, language }: z.infer<typeof Context> = {}) => {
  const reaches = (way: Way) => !way.country || way.country === country;
  const amount = variant.sale_amount ?? variant.price_amount;
  const isEnough = ({ currency, min_order_amount = 0 }: Way) =>
    min_order_amount === 0 || (currency === variant.currency && min_order_amount <= amount);
  return ways
    .filter(isEnough)
    .toSorted(
      (a, b) => Number(reaches(b)) - Number(reaches(a)) || byCurrency(a, b, variant.currency) || a.price - b.price,
    )
    .slice(0, MOST_WAYS)
    .map(({ price, currency, ...way }) => ({
      price: money(price, currency, language),
      ...present({ country: way.country || null, service: way.service || null }),
      ...present({ min_handling_days: way.min_handling_days, max_transit_days: way.max_transit_days }),
    }));
};
