// The tools' arguments and answers as they are promised to whoever builds on them: every name, what is always there, every
// choice, bound and default. What a schema gains or loses changes a line here.
import { expect, it } from "vitest";
import { tools } from "../../server/tools";
import { type JsonSchema, UUID } from "../../server/tools/json-schema";

const patterns: Record<string, string> = {
  [UUID]: "uuid",
  "^\\d{8}$|^\\d{12,14}$": "gtin",
  "^[A-Z]{2}$": "country",
  "^[A-Z]{3}$": "currency",
};

const named: Record<string, string> = {
  "{amount*: integer, currency*: string, formatted*: string}": "Money",
  "{status*: in_stock|out_of_stock|preorder|backorder|discontinued, available*: boolean, availability_date: date}":
    "Availability",
  "{has_next_page*: boolean, next_cursor: string, total_count: integer}": "Page",
  "{type*: info|warning|error, code*: string, content*: string, path: string}": "Message",
  "{country: country, language: string ≤35, currency: currency}": "Context",
};

interface Schema extends JsonSchema {
  type?: string;
  format?: string;
  pattern?: string;
  enum?: string[];
  required?: string[];
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  maxItems?: number;
}

function fieldsOf({ properties = {}, required = [] }: Schema): string[] {
  return Object.entries(properties).map(
    ([name, of]) => `${name}${required.includes(name) ? "*" : ""}: ${written(of as Schema)}`,
  );
}

function written(schema: Schema): string {
  const { type, format, pattern, minimum, maximum, maxLength, maxItems, default: given } = schema;
  const most = maxLength ?? maxItems;
  const bounds = [
    minimum !== undefined && (maximum === undefined ? `≥${minimum}` : `${minimum}–${maximum}`),
    most !== undefined && `≤${most}`,
    given !== undefined && `(${typeof given === "object" ? JSON.stringify(given) : given})`,
  ].filter(Boolean);
  const kind = schema.items
    ? `[${written(schema.items as Schema)}]`
    : schema.properties
      ? `{${fieldsOf(schema).join(", ")}}`
      : (schema.enum?.join("|") ?? format ?? (pattern && (patterns[pattern] ?? pattern)) ?? type);
  return [named[kind!] ?? kind, ...bounds].join(" ");
}

const CARD =
  "product_id*: string, store_id*: uuid, store_name*: string, title*: string, brand: string, price*: Money, sale_price: Money, price_range: {min*: Money, max*: Money}, availability*: Availability, image_link: string, product_url*: string, item_group_id: string, rating: {value*: number, scale_max*: integer, count: integer}, data_as_of*: date-time";
const PROGRAM =
  "{name*: string, description*: string, terms_url*: string, tiers*: [{name*: string, perks*: [string], threshold_points*: integer}]}";

const promised: Record<string, { scope: string; takes: string[]; answers: string[] }> = {
  search_products: {
    scope: "catalog:read",
    takes: [
      "query: string ≤200",
      "store_ids: [uuid] ≤50",
      "filters: {price: {min: integer 0–1000000000000000, max: integer 0–1000000000000000, currency: currency}, brand: [string ≤200] ≤20, condition: [new|refurbished|used] ≤3, availability: [in_stock|out_of_stock|preorder|backorder|discontinued] ≤5, google_product_category: [string ≤2000] ≤20, product_type: [string ≤2000] ≤20, gtin: [gtin] ≤20, attributes: [{name*: string ≤200, values*: [string ≤200] ≤20}] ≤10, on_sale: boolean, rating: {min: number 0–5, min_count: integer 0–1000000000}}",
      "context: Context",
      "sort: relevance|price_asc|price_desc|newest|rating (relevance)",
      "limit: integer 1–50 (10)",
      "cursor: string ≤2000",
      "view: full|compact (full)",
    ],
    answers: [
      `products*: [{${CARD}}]`,
      "page*: Page",
      "facets*: [{name*: brand|category|price|availability|on_sale, approximate*: boolean, values*: [{value*: string, label: string, count*: integer}]}]",
      "messages*: [Message]",
    ],
  },
  get_product: {
    scope: "catalog:read",
    takes: [
      "store_id*: uuid",
      "product_id: string ≤200",
      "gtin: gtin",
      "selected: [{name*: string ≤100, label*: string ≤500}] ≤20 ([])",
      "context: Context",
    ],
    answers: [
      `product*: {${CARD}, description: string, additional_image_link*: [string], gtin: string, mpn: string, sku: string, condition*: new|refurbished|used, google_product_category: string, product_type: string, color: string, size: string, material: string, pattern: string, age_group: string, gender: string, attributes*: [{name*: string, value*: string, unit: string}], unit_pricing_measure: string, options*: [{name*: string, values*: [{label*: string, available*: boolean, exists*: boolean}]}], variants*: [{product_id*: string, title*: string, options*: [{name*: string, label*: string}], price*: Money, sale_price: Money, availability*: Availability, gtin: string, image_link: string, product_url*: string}], shipping*: [{country: string, service: string, price*: Money, min_handling_days: integer ≥0, max_transit_days: integer ≥0}], return_policy: {return_window_days: integer ≥0, fees: string, method: string, url: string}}`,
      "messages*: [Message]",
    ],
  },
  lookup_products: {
    scope: "catalog:read",
    takes: [
      "ids: [{store_id*: uuid, product_id*: string ≤200}] ≤50 ([])",
      "gtins: [gtin] ≤50 ([])",
      "view: full|compact (full)",
    ],
    answers: [`products*: [{${CARD}, matched_by*: {kind*: id|gtin, value*: string}}]`, "messages*: [Message]"],
  },
  list_stores: {
    scope: "catalog:read",
    takes: [
      "query: string ≤200",
      "country: country",
      "category: string ≤200",
      "limit: integer 1–100 (20)",
      "cursor: string ≤2000",
    ],
    answers: [
      "stores*: [{store_id*: uuid, name*: string, url*: string, country*: string, currency*: string, languages: [string], categories*: [string], capabilities*: [offers|promotions|loyalty|inventory|policies], is_demo*: boolean}]",
      "page*: Page",
    ],
  },
  get_store_info: {
    scope: "catalog:read",
    takes: ["store_id*: uuid"],
    answers: [
      "store_id*: uuid",
      "name*: string",
      "legal_name: string",
      "url*: string",
      "logo: string",
      "description: string",
      "address: {street_address: string, address_locality: string, address_region: string, postal_code: string, address_country: string}",
      "country*: string",
      "currencies*: [string]",
      "languages*: [string]",
      "contact_point: {email: string, phone: string, url: string}",
      "opening_hours*: [{day*: string, opens*: string, closes*: string}]",
      "payment_accepted*: [string]",
      "shipping_policy: string",
      "return_policy: {return_window_days: integer, fees: string, method: string, url: string}",
      "links*: [{type*: string, url*: string}]",
      "categories*: [string]",
      "capabilities*: [offers|promotions|loyalty|inventory|policies]",
      "is_demo*: boolean",
      "data_as_of*: date-time",
    ],
  },
  list_categories: {
    scope: "catalog:read",
    takes: ["store_id*: uuid", "parent: string ≤2000", "taxonomy: store|google (store)"],
    answers: [
      "categories*: [{id*: string, name*: string, path*: [string], product_count*: integer, has_children*: boolean}]",
      "messages: [Message]",
    ],
  },
  search_store_policies: {
    scope: "catalog:read",
    takes: ["store_id*: uuid", "query*: string ≤200", "limit: integer 1–10 (3)"],
    answers: [
      "answers*: [{question*: string, answer*: string, policy_type*: shipping|returns|payment|warranty|privacy|faq|other, source_url: string, updated_at*: date-time}]",
      "messages: [Message]",
    ],
  },
  get_offers: {
    scope: "offers:read",
    takes: [
      "product_id: string ≤200",
      "store_id: uuid",
      "gtin: gtin",
      "condition: new|refurbished|used",
      "context: Context",
      "limit: integer 1–50 (10)",
      "cursor: string ≤2000",
    ],
    answers: [
      "offers*: [{offer_id*: string, title: string, store_id*: uuid, store_name*: string, seller: string, price*: Money, sale_price: Money, sale_price_effective_date: {start: date-time, end: date-time}, payment_plan: string, total_price*: Money, condition*: new|refurbished|used, availability*: Availability, shipping: {price*: Money, min_handling_days: integer ≥0, max_handling_days: integer ≥0}, price_valid_until: date-time, product_url*: string, data_as_of*: date-time}]",
      "page*: Page",
      "messages: [Message]",
    ],
  },
  get_promotions: {
    scope: "promotions:read",
    takes: [
      "store_id*: uuid",
      "product_id: string ≤200",
      "active_at: date-time",
      "code: string ≤50",
      "limit: integer 1–50 (20)",
      "cursor: string ≤2000",
    ],
    answers: [
      "promotions*: [{promotion_id*: string, long_title*: string, offer_type*: no_code|generic_code, generic_redemption_code: string, percent_off: integer, money_off_amount: Money, free_shipping*: boolean, minimum_purchase_amount: Money, product_applicability*: all_products|specific_products, product_ids: [string], promotion_effective_dates*: {start*: date-time, end*: date-time}, redemption_channel*: [online|in_store], fine_print: string, promotion_url: string, stackable*: boolean, status*: active|upcoming|expired}]",
      "page*: Page",
      "messages: [Message]",
    ],
  },
  get_loyalty_program: {
    scope: "loyalty:read",
    takes: ["store_id*: uuid", "product_id*: string ≤200", "quantity: integer 1–1000 (1)", "tier: string ≤100"],
    answers: [
      "store_id*: uuid",
      "product_id*: string",
      `program*: ${PROGRAM}`,
      "points*: {basis*: string, program*: string, points_earned*: integer}",
      `programs*: [${PROGRAM}]`,
    ],
  },
  check_inventory: {
    scope: "inventory:read",
    takes: [
      "store_id*: uuid",
      "items*: [{product_id*: string ≤200, quantity: integer 1–1000000 (1)}] ≤50",
      "location_ids: [string ≤100] ≤50",
    ],
    answers: [
      "items*: [{product_id*: string, requested*: integer, quantity*: integer, status: in_stock|low_stock|out_of_stock, low_stock_threshold*: integer, restock_at: date-time, locations*: [{location_id*: string, name*: string, quantity*: integer, pickup*: boolean}], data_as_of*: date-time}]",
      "messages*: [Message]",
    ],
  },
};

it.each(tools.map((tool) => [tool.name, tool] as const))("%s takes and answers what is promised", (name, tool) => {
  const { scope, inputSchema, outputSchema } = tool;
  expect({ scope, takes: fieldsOf(inputSchema), answers: fieldsOf(outputSchema) }).toEqual(promised[name]);
});
