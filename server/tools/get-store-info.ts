import { z } from "zod";
import * as stores from "../services/stores";
import { Capabilities, Languages, StoreId } from "./shapes";
import { DEMO_STORE, defineTool } from "./tool";

export const getStoreInfo = defineTool({
  name: "get_store_info",
  title: "Store information",
  description:
    "Returns everything about one store: contact, address, opening hours, payment, currencies, languages, shipping and return policy, categories and what other data it has (capabilities). Use search_store_policies for questions about shipping, returns or warranty, and list_stores to find stores.",
  scope: "catalog:read",
  input: z.strictObject({ store_id: StoreId }),
  output: z.object({
    store_id: z.uuid(),
    name: z.string(),
    legal_name: z.string().optional(),
    url: z.string(),
    logo: z.string().optional(),
    description: z.string().optional(),
    address: z
      .object({
        street_address: z.string().optional(),
        address_locality: z.string().optional(),
        address_region: z.string().optional(),
        postal_code: z.string().optional(),
        address_country: z.string().optional(),
      })
      .optional(),
    country: z.string().describe("ISO 3166-1 alpha-2."),
    currencies: z.array(z.string()).describe("ISO 4217, the store's own first."),
    languages: Languages,
    contact_point: z
      .object({ email: z.string().optional(), phone: z.string().optional(), url: z.string().optional() })
      .optional(),
    opening_hours: z.array(z.object({ day: z.string(), opens: z.string(), closes: z.string() })),
    payment_accepted: z.array(z.string()),
    shipping_policy: z.string().optional(),
    return_policy: z
      .object({
        return_window_days: z.int().optional(),
        fees: z.string().optional(),
        method: z.string().optional(),
        url: z.string().optional(),
      })
      .optional(),
    links: z.array(z.object({ type: z.string(), url: z.string() })),
    categories: z.array(z.string()),
    capabilities: Capabilities,
    is_demo: z.boolean(),
    data_as_of: z.iso
      .datetime()
      .describe("When what the store says of itself last changed; capabilities are as of now."),
  }),
  example: { store_id: DEMO_STORE },
  prompt: "What are Tarn & Timber's opening hours, and how can I reach them?",
  storeOf: (input) => input.store_id,
  handler: (ctx, input) => stores.info(ctx, { storeId: input.store_id }),
});
