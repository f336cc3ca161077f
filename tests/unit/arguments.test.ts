import { describe, expect, it } from "vitest";
import { tools } from "../../server/tools";
import { check } from "../../server/tools/arguments";

const store = "01900000-0000-7000-8000-000000000000";
const said = (name: string, args: unknown) => {
  const tool = tools.find((one) => one.name === name)!;
  return check(tool, args).issues.map(({ path, message }) => `${path || "arguments"} ${message}`);
};

describe("the words of arguments that do not fit", () => {
  it.each<{ tool: string; words: string; args: unknown }>([
    { tool: "get_store_info", args: {}, words: "store_id is missing" },
    { tool: "get_store_info", args: { store_id: "7" }, words: "store_id must be a UUID" },
    { tool: "get_store_info", args: { store_id: null }, words: "store_id must be a string, not null" },
    { tool: "get_store_info", args: [], words: "arguments must be an object, not an array" },
    {
      tool: "get_store_info",
      args: { store_id: { __proto__: null, constructor: { name: [{ __proto__: null }] } } },
      words: "store_id must be a string, not an object",
    },
    {
      tool: "list_stores",
      args: { colour: "red" },
      words: "colour is not an argument of this tool: it takes query, country, category, limit, cursor",
    },
    {
      tool: "list_stores",
      args: { "": "red" },
      words: '"" is not an argument of this tool: it takes query, country, category, limit, cursor',
    },
    { tool: "list_stores", args: { query: 7 }, words: "query must be a string, not a number" },
    { tool: "list_stores", args: { query: "" }, words: "query must have at least 1 character" },
    { tool: "list_stores", args: { query: "a".repeat(201) }, words: "query must have at most 200 characters" },
    { tool: "list_stores", args: { limit: "5" }, words: "limit must be a number, not a string" },
    { tool: "list_stores", args: { limit: 1.5 }, words: "limit must be a whole number" },
    { tool: "list_stores", args: { limit: 0 }, words: "limit must be at least 1" },
    { tool: "list_stores", args: { limit: 101 }, words: "limit must be at most 100" },
    { tool: "list_stores", args: { limit: 1e20 }, words: "limit must be at most 100" },
    {
      tool: "list_stores",
      args: JSON.parse('{"limit":1e400}'),
      words: "limit must be a finite number",
    },
    { tool: "list_stores", args: { limit: -1e20 }, words: "limit must be at least 1" },
    {
      tool: "list_categories",
      args: { store_id: store, taxonomy: "own" },
      words: "taxonomy must be one of store, google",
    },
    {
      tool: "search_products",
      args: { filters: { on_sale: "yes" } },
      words: "filters.on_sale must be true or false, not a string",
    },
    ...[19.99, "19.99", "400"].map((max) => ({
      tool: "search_products",
      args: { filters: { price: { max } } },
      words: "filters.price.max must be a whole number of minor units: 1999 is 19.99 EUR",
    })),
    {
      tool: "search_products",
      args: { cursor: "next", limit: 10 },
      words: "query is missing: repeat with cursor all other arguments of the call whose next_cursor it is",
    },
    { tool: "search_products", args: { filters: { brand: [] } }, words: "filters.brand must have at least 1 item" },
    {
      tool: "search_products",
      args: { filters: { brand: "Skarn" } },
      words: 'filters.brand must be an array such as ["…"], not a string',
    },
    // Longer than the list may be, and shorter.
    ...["in_stock", ""].map((availability) => ({
      tool: "search_products",
      args: { filters: { availability } },
      words: 'filters.availability must be an array such as ["in_stock"], not a string',
    })),
    {
      tool: "check_inventory",
      args: { store_id: store, items: ["A01"] },
      words: 'items.0 must be an object such as {product_id: "…", quantity: …}, not a string',
    },
    {
      tool: "search_products",
      args: { filters: { price: 300 } },
      words: 'filters.price must be an object such as {min: …, max: …, currency: "…"}, not a number',
    },
    {
      tool: "search_products",
      args: { store_ids: Array(51).fill(store) },
      words: "store_ids must have at most 50 items",
    },
    {
      tool: "get_promotions",
      args: { store_id: store, active_at: "soon" },
      words: "active_at must be a date and a time with its offset, such as 2026-11-27T09:00:00Z",
    },
    // A schema's own words.
    {
      tool: "get_promotions",
      args: { store_id: store, active_at: "1800-01-01T00:00:00Z" },
      words: "active_at must be between the years 1900 and 9999",
    },
    { tool: "get_offers", args: { gtin: "12" }, words: "gtin must have 8, 12, 13 or 14 digits" },
    { tool: "list_stores", args: { country: "Eire" }, words: "country must be an ISO 3166-1 alpha-2 code such as DE" },
    { tool: "get_product", args: { store_id: store }, words: "product_id is missing: give product_id or gtin" },
  ])("$tool: $words", ({ tool, args, words }) => {
    expect(said(tool, args)).toEqual([words]);
  });

  it("say what is wrong, and apart from that what would fit", () => {
    const [tool] = tools.filter(({ name }) => name === "list_stores");
    expect(check(tool!, { limit: 101, query: "", country: 7 }).issues).toEqual([
      { path: "query", message: "must have at least 1 character", expected: "at least 1 character" },
      { path: "country", message: "must be a string, not a number", expected: "a string" },
      { path: "limit", message: "must be at most 100", expected: "at most 100" },
    ]);
  });

  it.each<{ tool: string; expected: string; args: unknown }>([
    { tool: "get_store_info", args: { store_id: "7" }, expected: "a UUID" },
    { tool: "get_store_info", args: {}, expected: "a UUID" },
    { tool: "lookup_products", args: { ids: [{ product_id: "1" }] }, expected: "a UUID" },
    { tool: "get_store_info", args: { store_id: 7 }, expected: "a UUID" },
    {
      tool: "search_products",
      args: { filters: { price: { max: "20" } } },
      expected: "a whole number of minor units: 1999 is 19.99 EUR",
    },
    { tool: "list_stores", args: { limit: 1.5 }, expected: "a whole number" },
    { tool: "list_stores", args: { colour: "red" }, expected: "one of query, country, category, limit, cursor" },
    { tool: "list_stores", args: { country: "Eire" }, expected: "an ISO 3166-1 alpha-2 code such as DE" },
    { tool: "list_stores", args: { query: "a\0" }, expected: "text without NUL" },
    { tool: "list_stores", args: { query: { toString: 1 } }, expected: "a string" },
    { tool: "list_categories", args: { store_id: store, taxonomy: "own" }, expected: "one of store, google" },
    { tool: "search_products", args: {}, expected: "query, filters or store_ids" },
    { tool: "search_products", args: { filters: { on_sale: "yes" } }, expected: "true or false" },
    { tool: "search_products", args: { filters: { brand: [] } }, expected: "at least 1 item" },
    {
      tool: "search_products",
      args: { filters: { price: { min: 2, max: 1 } } },
      expected: "a min that is max or less",
    },
    {
      tool: "get_promotions",
      args: { store_id: store, active_at: "soon" },
      expected: "a date and a time with its offset, such as 2026-11-27T09:00:00Z",
    },
    {
      tool: "get_promotions",
      args: { store_id: store, active_at: "1800-01-01T00:00:00Z" },
      expected: "between the years 1900 and 9999",
    },
    { tool: "get_offers", args: { gtin: "12" }, expected: "8, 12, 13 or 14 digits" },
    { tool: "get_offers", args: {}, expected: "product_id with store_id, or gtin" },
    { tool: "get_offers", args: { product_id: "1" }, expected: "the store_id that came with product_id" },
    { tool: "get_product", args: { store_id: store }, expected: "product_id or gtin" },
    { tool: "lookup_products", args: {}, expected: "at least one product, in ids or gtins" },
    {
      tool: "check_inventory",
      args: { store_id: store, items: [{ product_id: "1" }, { product_id: "1" }] },
      expected: "each product once",
    },
  ])("$tool would take $expected", ({ tool, args, expected }) => {
    const { issues } = check(tools.find(({ name }) => name === tool)!, args);
    expect(issues.map((issue) => issue.expected)).toEqual([expected]);
  });

  it.each<{ tool: string; path: string; instead: string }>([
    // At another place.
    { tool: "search_products", path: "brand", instead: 'filters.brand: ["…"]' },
    { tool: "search_products", path: "country", instead: "context.country" },
    { tool: "search_products", path: "currency", instead: "filters.price.currency or context.currency" },
    { tool: "check_inventory", path: "product_id", instead: 'items: [{product_id: "…", quantity: …}]' },
    // Nearly so called.
    { tool: "search_products", path: "store_id", instead: 'store_ids: ["…"]' },
    { tool: "search_products", path: "filters.max_price", instead: "filters.price.max" },
    { tool: "search_products", path: "filters.price.minimum", instead: "filters.price.min" },
    { tool: "get_product", path: "storeId", instead: "store_id" },
    { tool: "lookup_products", path: "product_ids", instead: 'ids: [{store_id: "…", product_id: "…"}]' },
    // What models call it.
    { tool: "search_products", path: "filters.color", instead: 'filters.attributes: [{name: "color", values: ["…"]}]' },
    { tool: "search_products", path: "colour", instead: 'filters.attributes: [{name: "color", values: ["…"]}]' },
    { tool: "get_product", path: "size", instead: 'selected: [{name: "size", label: "…"}]' },
    { tool: "search_products", path: "page", instead: "cursor" },
    { tool: "get_offers", path: "offset", instead: "cursor" },
    { tool: "get_product", path: "id", instead: "product_id" },
    { tool: "get_product", path: "shop", instead: "store_id" },
    { tool: "search_store_policies", path: "question", instead: "query" },
    { tool: "search_products", path: "filters.price.lte", instead: "filters.price.max" },
    { tool: "search_products", path: "filters.price.gte", instead: "filters.price.min" },
    { tool: "get_promotions", path: "date", instead: "active_at" },
    { tool: "get_loyalty_program", path: "qty", instead: "quantity" },
  ])("$tool: $path is told to be $instead", ({ tool, path, instead }) => {
    const { issues } = check(tools.find(({ name }) => name === tool)!, nested(path.split("."), "x"));
    const { message, expected } = issues.find((issue) => issue.path === path)!;
    expect(message).toBe(`is not an argument of this tool: give ${instead}`);
    expect(expected).toBe(instead);
  });

  it("name what an object takes where nothing is like what was given", () => {
    expect(said("search_products", { query: "x", filters: { price: { below: 5 } } })).toEqual([
      "filters.price.below is not an argument of this tool: filters.price takes min, max, currency",
    ]);
  });

  it("show what stands in a list", () => {
    const [tool] = tools.filter(({ name }) => name === "search_products");
    expect(check(tool!, { query: "x", filters: { attributes: { color: "red" } } }).issues).toEqual([
      {
        path: "filters.attributes",
        message: 'must be an array such as [{name: "…", values: ["…"]}], not an object',
        expected: 'an array such as [{name: "…", values: ["…"]}]',
      },
    ]);
  });

  const searchProducts = tools.find(({ name }) => name === "search_products")!;

  it("tell the first twenty of thousands of unknown arguments, and how many more there are", () => {
    const args = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`price${n}`, n]));
    const { issues, more } = check(searchProducts, { query: "x", ...args });
    expect(issues.map(({ path }) => path)).toEqual(Object.keys(args).slice(0, 20));
    expect(more).toBe(4_980);
  });

  it("tell of a list that is far too long as a whole, and look at none of its elements", () => {
    const args = { filters: { availability: Array(80_000).fill(""), brand: Array(80_000).fill(1) } };
    expect(said("search_products", args)).toEqual([
      "filters.brand must have at most 20 items",
      "filters.availability must have at most 5 items",
    ]);
  });

  it("cut a name that is none", () => {
    const [issue] = check(searchProducts, { query: "x", ['"'.repeat(100_000)]: 1 }).issues;
    expect(issue!.path).toBe(`${'"'.repeat(100)}…`);
    expect(JSON.stringify(issue).length).toBeLessThan(2_000);
  });

  it.each(tools.map((tool) => [tool.name, tool] as const))("are ours for every argument of %s", (_, tool) => {
    const wrong = [...wrongOnes(tool.inputSchema as Schema)];
    expect(wrong.length).toBeGreaterThan(3);
    for (const [path, value] of wrong) {
      const { issues } = check(tool, nested(path, value));
      const here = issues.filter((issue) => issue.path === path.join("."));
      expect(here.length, `${path.join(".")} = ${JSON.stringify(value)?.slice(0, 50)}`).toBeGreaterThan(0);
      for (const { message, expected } of here) {
        expect(message).toMatch(/^(must|is) (?!.*undefined)/);
        if (path.at(-1) === "surprise") continue;
        expect(expected).toMatch(
          /^(an? (string|number|whole number|array|object|UUID|BCP|date|ISO)|true or false|one of \w|8, 12|(at least|at most) \d)/,
        );
        expect(expected).not.toMatch(/\b1 (characters|items)|undefined/);
      }
    }
  });
});

interface Schema {
  type?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  enum?: string[];
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
}

/** For every argument a value of each kind that its schema does not take. */
function* wrongOnes(schema: Schema, path: string[] = []): Generator<[path: string[], value: unknown]> {
  for (const value of ["text", 1.5, true, null, [], {}]) {
    const type = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
    // One GTIN alone is a list of it.
    if (schema.type !== type && !(path.at(-1) === "gtin" && type === "string")) yield [path, value];
  }
  if (schema.enum || schema.format || schema.pattern) yield [path, "\u2603"];
  if (schema.minLength) yield [path, ""];
  if (schema.maxLength) yield [path, "a".repeat(schema.maxLength + 1)];
  if (schema.minItems) yield [path, []];
  if (schema.maxItems) yield [path, Array(schema.maxItems + 1).fill(0)];
  if (schema.minimum !== undefined) yield [path, schema.minimum - 1];
  if (schema.maximum !== undefined) yield [path, schema.maximum + 1];
  if (schema.properties) yield [[...path, "surprise"], 1];
  for (const [name, inner] of Object.entries(schema.properties ?? {})) yield* wrongOnes(inner, [...path, name]);
  if (schema.items) yield* wrongOnes(schema.items, [...path, "0"]);
}

const nested = (path: string[], value: unknown): unknown =>
  path.reduceRight((inner, name) => (name === "0" ? [inner] : { [name]: inner }), value);
