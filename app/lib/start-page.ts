// What the start page says. The call and its answer are the demo store's own, shortened.

export const call = `POST /api/mcp
Authorization: Bearer aisle_…

{ "jsonrpc": "2.0", "id": 1,
  "method": "tools/call",
  "params": {
    "name": "search_products",
    "arguments": {
      "query": "trekking tent for two",
      "filters": { "price": { "max": 40000 } }
    } } }`;

export const answer = `{
  "product_id": "A01",
  "store_name": "Tarn & Timber",
  "title": "Skarn 2 Trekking Tent",
  "price": {
    "amount": 38900,
    "currency": "EUR",
    "formatted": "€389.00"
  },
  "availability": {
    "status": "in_stock",
    "available": true
  },
  "product_url": "https://www.tarn.example/p/A01…"
}`;

/** `proof`: what an answer has of it. */
export const promises: { title: string; text: string; proof: string }[] = [
  {
    title: "The merchant's own link",
    text: "Checkout stays on the merchant's site. Every product_url is theirs, with your platform's credit in it.",
    proof: "utm_source=your-agent",
  },
  {
    title: "Merchants decide",
    text: "A block or a withdrawn grant applies to the very next request. Nothing that decides access is cached.",
    proof: '"store_not_available"',
  },
  {
    title: "Errors that can be fixed",
    text: "Each refusal says what happened and what to do next, in words a model can act on, with an id to quote.",
    proof: '"expected": "at most 50"',
  },
  {
    title: "Dated facts",
    text: "Prices and stock carry the time at which they were read from the merchant.",
    proof: '"data_as_of": "2026-…"',
  },
];

export const tools: [name: string, answers: string, scope: string][] = [
  ["search_products", "What fits the shopper's words, with facets to narrow it down", "catalog:read"],
  ["get_product", "Everything about one product, its variants and shipping", "catalog:read"],
  ["lookup_products", "Up to fifty products by id or GTIN", "catalog:read"],
  ["list_stores", "The stores you can read", "catalog:read"],
  ["get_store_info", "Contact, hours, payment, shipping and returns of a store", "catalog:read"],
  ["list_categories", "How a store organises its products", "catalog:read"],
  ["search_store_policies", "A store's own words on returns, warranty and delivery", "catalog:read"],
  ["get_offers", "Offers for one product, compared by total price", "offers:read"],
  ["get_promotions", "Codes and discounts, with their conditions", "promotions:read"],
  ["get_loyalty_program", "Tiers, perks, and the points a product would earn", "loyalty:read"],
  ["check_inventory", "Exact stock by location and quantity", "inventory:read"],
];

export const steps: [title: string, text: string][] = [
  ["Create an account", "A name, a work email, a password. The link in our email confirms the address."],
  [
    "Apply once",
    "Tell us what you are building. If your email and website share a domain, you usually get a sandbox key right away.",
  ],
  ["Try the sandbox", "Call every tool, with your key or in the Playground, before any shopper does."],
  [
    "Go to production",
    "An operator reviews your request and sets scopes and limits. Your keys stay the same; the stores become real.",
  ],
];
