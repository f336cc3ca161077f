const opens: Record<string, string> = {
  "catalog:read": "Search, products, stores, categories, policies",
  "offers:read": "Offers for one product, compared by total price",
  "promotions:read": "Codes and discounts, with their conditions",
  "loyalty:read": "Loyalty programmes and points",
  "inventory:read": "Exact stock by location: merchants' own figures",
};

/** Scopes to choose from, each with what it opens: these, or all there are. */
export const scopeChoices = (scopes: readonly string[] = Object.keys(opens)) =>
  scopes.map((scope) => ({ value: scope, label: scope, detail: opens[scope], mono: true }));
