// The shapes that tools share, with the names of Google's product data specification and schema.org.
import { z } from "zod";
import { availabilityStatuses } from "../services/catalog/card";
import { isLanguage } from "../services/money";
import { capabilities } from "../services/store-capabilities";

/** A UUID of any version, as the published pattern has it: what is none of ours is no store, rather than no argument. */
export const StoreId = z.guid().toLowerCase().describe("From list_stores, or a product's.");
export const ProductId = z
  .string()
  .trim()
  .min(1)
  .max(200, { abort: true })
  .normalize()
  .describe("The merchant's own product id, from search_products.");
export const Gtin = z
  .string()
  .regex(/^\d{8}$|^\d{12,14}$/, "must have 8, 12, 13 or 14 digits")
  .describe("EAN, UPC or ISBN-13: 8, 12, 13 or 14 digits.");
/** That of a search may keep a mended query and a word of it: 200 characters each, of three bytes, in base64. */
export const Cursor = z
  .string()
  .min(1)
  .max(2000)
  .describe("page.next_cursor of the previous answer; repeat all other arguments.");
export const Currency = z
  .string()
  .regex(/^[A-Z]{3}$/, "must be an ISO 4217 code such as EUR")
  .describe("ISO 4217, such as EUR.");
export const Country = z
  .string()
  .regex(/^[A-Z]{2}$/, "must be an ISO 3166-1 alpha-2 code such as DE")
  // Reserved for the United Kingdom, and often written.
  .overwrite((code) => (code === "UK" ? "GB" : code))
  .describe("ISO 3166-1 alpha-2, such as DE.");

export const Context = z
  .strictObject({
    country: Country.optional(),
    language: z
      .string()
      .max(35)
      .refine(isLanguage, "must be a BCP 47 tag such as en-IE")
      .optional()
      .describe("BCP 47, such as en-IE, for formatting amounts."),
    currency: Currency.optional(),
  })
  .describe("Where the shopper is: hints for ranking and formatting, never a filter.");

export const Money = z.object({
  amount: z.int().describe("In minor units: 1250 is 12.50 EUR."),
  currency: z.string().describe("ISO 4217."),
  formatted: z.string().describe("As text, such as €12.50."),
});

export const Availability = z.object({
  status: z.enum(availabilityStatuses),
  available: z
    .boolean()
    .describe("Whether it can be ordered now. Preorders and backorders may take long: see availability_date."),
  availability_date: z.iso.date().optional().describe("When a preorder or backorder ships."),
});

export const DataAsOf = z.iso.datetime().describe("When the merchant's price and stock were read.");
export const ProductUrl = z.string().describe("The merchant's page. Link to it unchanged.");

export const Card = z.object({
  product_id: z.string(),
  store_id: z.uuid(),
  store_name: z.string(),
  title: z.string(),
  brand: z.string().optional(),
  price: Money,
  sale_price: Money.optional().describe("The current price, if on sale."),
  price_range: z.object({ min: Money, max: Money }).optional().describe("If variants differ in price."),
  availability: Availability,
  image_link: z.string().optional(),
  product_url: ProductUrl,
  item_group_id: z.string().optional(),
  rating: z
    .object({
      value: z.number(),
      scale_max: z.int(),
      count: z.int().optional().describe("Number of ratings."),
    })
    .optional(),
  data_as_of: DataAsOf,
});

export const Days = z.int().min(0);

export const Capabilities = z.array(z.enum(capabilities)).describe("What other data the store has.");

export const Languages = z
  .array(z.string())
  .describe("BCP 47: as stated, else of ar, de, es, fr, it, nl, pt those of its products; empty says nothing.");

export const Page = z.object({
  has_next_page: z.boolean(),
  next_cursor: z.string().optional().describe("For the next page."),
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
  z.int().min(1).max(max).default(byDefault).describe(`Maximum results, 1 to ${max}.`);
