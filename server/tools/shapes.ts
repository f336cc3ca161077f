// The shapes that tools share, with the names of Google's product data specification and schema.org.
import { z } from "zod";
import { isLanguage } from "../services/money";

export const availabilityStatuses = ["in_stock", "out_of_stock", "preorder", "backorder", "discontinued"] as const;
export const conditions = ["new", "refurbished", "used"] as const;

export const StoreId = z
  .uuid()
  .toLowerCase()
  .describe("The store, as given by list_stores or in a product's store_id.");
export const ProductId = z
  .string()
  .min(1)
  .max(200)
  .describe("The merchant's own id of the product, as given in product_id by search_products.");
export const Gtin = z
  .string()
  .regex(/^\d{8}$|^\d{12,14}$/, "must have 8, 12, 13 or 14 digits")
  .describe("Global Trade Item Number (EAN, UPC, ISBN-13): 8, 12, 13 or 14 digits.");
export const Cursor = z
  .string()
  .min(1)
  .max(1000)
  .describe("page.next_cursor of the previous answer to the same query.");
export const Currency = z
  .string()
  .regex(/^[A-Z]{3}$/, "must be an ISO 4217 code such as EUR")
  .describe("ISO 4217 currency code, such as EUR.");
export const Country = z
  .string()
  .regex(/^[A-Z]{2}$/, "must be an ISO 3166-1 alpha-2 code such as DE")
  .describe("ISO 3166-1 alpha-2 country code, such as DE.");

export const Context = z
  .strictObject({
    country: Country.optional(),
    language: z
      .string()
      .max(35)
      .refine(isLanguage, "must be a BCP 47 tag such as en-IE")
      .optional()
      .describe("BCP 47 language tag, such as en-IE: amounts are written in it."),
    currency: Currency.optional(),
  })
  .describe("Where the shopper is: hints for ranking and formatting, never a filter.");

export const Money = z
  .object({
    amount: z.int().describe("In minor units, such as cents."),
    currency: z.string().describe("ISO 4217."),
    formatted: z.string().describe("For showing, such as €12.50."),
  })
  .describe("An amount of money.");

export const Availability = z
  .object({
    status: z.enum(availabilityStatuses),
    available: z.boolean().describe("Whether it can be ordered now: in_stock, preorder or backorder."),
    availability_date: z.iso.datetime().optional().describe("When a preorder or backorder is expected to ship."),
  })
  .describe("Whether the product can be had.");

export const DataAsOf = z.iso.datetime().describe("When price and stock were read from the merchant.");
export const ProductUrl = z
  .string()
  .describe("The merchant's page for the product. Link shoppers here with the URL unchanged.");

export const Card = z.object({
  product_id: z.string(),
  store_id: z.uuid(),
  store_name: z.string(),
  title: z.string(),
  brand: z.string().optional(),
  price: Money,
  sale_price: Money.optional().describe("The price now, when it is on sale."),
  price_range: z.object({ min: Money, max: Money }).optional().describe("When variants differ in price."),
  availability: Availability,
  image_link: z.string().optional(),
  product_url: ProductUrl,
  item_group_id: z.string().optional(),
  rating: z
    .object({
      value: z.number(),
      scale_max: z.int(),
      count: z.int().optional().describe("How many gave it, if known."),
    })
    .optional(),
  data_as_of: DataAsOf,
});

export const Page = z.object({
  has_next_page: z.boolean(),
  next_cursor: z.string().optional().describe("Give it as cursor, with the same other arguments, for the next page."),
  total_count: z.int().optional().describe("All matches; absent above 10,000."),
});

export const Message = z.object({
  type: z.enum(["info", "warning", "error"]),
  code: z.string(),
  content: z.string(),
  path: z.string().optional(),
});

/** `limit`, bounded and defaulted as each tool says. */
export const Limit = (max: number, byDefault: number) =>
  z.int().min(1).max(max).default(byDefault).describe(`How many at most, 1 to ${max}.`);
