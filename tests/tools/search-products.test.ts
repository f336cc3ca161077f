import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { searchProducts } from "../../server/tools/search-products";
import type { Card, Message, Page } from "../../server/tools/shapes";
import { ask, refused } from "../support/ask";
import { testDatabase } from "../support/database";
import { makeReader } from "../support/factories";
import { makeGtin, makeStoreWith, type Row } from "../support/feed";

const database = testDatabase();

interface Answer {
  products: z.infer<typeof Card>[];
  page: z.infer<typeof Page>;
  facets: { name: string; approximate: boolean; values: { value: string; label?: string; count: number }[] }[];
  messages: z.infer<typeof Message>[];
}
type Arguments = z.input<typeof searchProducts.input>;

async function shop(rows: Row[]) {
  const store = await makeStoreWith(database, rows);
  const ctx = database.as(await makeReader(database), new Date("2027-03-05T12:00:00Z"));
  const find = (args: Arguments) => ask<Answer>(ctx, searchProducts, { store_ids: [store.id], ...args });
  return { store, ctx, find };
}

const text = (length: number, seed: number) => `w${seed} `.repeat(length).slice(0, length).trim();
const bytes = (answer: Answer) => Buffer.byteLength(JSON.stringify(answer));

describe("search_products", () => {
  it("answers with cards that say what it costs, whether it can be had, and where", async () => {
    const { store, ctx, find } = await shop([
      {
        id: "kettle-red",
        item_group_id: "kettle",
        title: "Kettle",
        color: "Red",
        brand: "Tinholt",
        price: "30.00 EUR",
        sale_price: "24.50 EUR",
        link: "https://shop.example/kettle?c=red#top",
        star_rating: "4.5",
        review_count: "12",
        availability: "preorder",
        availability_date: "2027-04-01",
      },
      {
        id: "kettle-blue",
        item_group_id: "kettle",
        title: "Kettle",
        color: "Blue",
        price: "32.00 EUR",
        availability: "out_of_stock",
      },
    ]);
    const { products, page, messages } = await find({ query: "kettle" });
    expect(products).toEqual([
      {
        product_id: "kettle",
        store_id: store.id,
        store_name: store.name,
        title: "Kettle",
        brand: "Tinholt",
        price: { amount: 3000, currency: "EUR", formatted: "€30.00" },
        sale_price: { amount: 2450, currency: "EUR", formatted: "€24.50" },
        price_range: {
          min: { amount: 2450, currency: "EUR", formatted: "€24.50" },
          max: { amount: 3200, currency: "EUR", formatted: "€32.00" },
        },
        availability: { status: "preorder", available: true, availability_date: "2027-04-01" },
        image_link: "https://shop.example/i/kettle-red.jpg",
        product_url: `https://shop.example/kettle?c=red&utm_source=${ctx.actor.utmSource}&utm_medium=ai_agent&utm_campaign=${ctx.actor.slug}&utm_content=kettle#top`,
        item_group_id: "kettle",
        rating: { value: 4.5, scale_max: 5, count: 12 },
        data_as_of: expect.any(String),
      },
    ]);
    expect(page).toEqual({ has_next_page: false, total_count: 1 });
    expect(messages).toEqual([]);
  });

  it("keeps in the compact view the prices that most products have, in their order", async () => {
    const prices = ["2 EUR", "30 EUR", "300 EUR", "300 EUR", "3000 EUR", "3000 EUR", "30000 EUR", "30000 EUR"];
    const { find } = await shop(prices.map((price, n) => ({ id: `p${n}`, title: "Kettle", price })));
    const bands = async (view: string) =>
      (await find({ query: "kettle", view })).facets
        .find(({ name }) => name === "price")!
        .values.map(({ count }) => count);
    expect(await bands("full")).toEqual([1, 1, 2, 2, 2]);
    expect(await bands("compact")).toEqual([2, 2, 2]);
  });

  it("says less in the compact view", async () => {
    const rows = Array.from({ length: 10 }, (_, n) => ({
      id: `v${n}`,
      item_group_id: `p${n % 5}`,
      title: "Kettle",
      brand: `Brand ${n % 5}`,
      price: `${10 + n}.00 EUR`,
      star_rating: "4",
      review_count: "1",
    }));
    const { find } = await shop(rows);
    const { products, facets } = await find({ query: "kettle", view: "compact" });
    expect(Object.keys(products[0]!).toSorted()).toEqual([
      "availability",
      "brand",
      "data_as_of",
      "image_link",
      "price",
      "product_id",
      "product_url",
      "store_id",
      "store_name",
      "title",
    ]);
    expect(facets.find(({ name }) => name === "brand")!.values).toHaveLength(3);
  });

  it("stays under 32 kB unless more is asked for, and then goes on where it stopped", async () => {
    const link = (kind: string, n: number) => `https://shop.example/${kind}/${n}?${"x".repeat(1_900)}`;
    const rows = Array.from({ length: 25 }, (_, n) => ({
      id: `p${n}`,
      title: `Kettle ${text(400, n)}`,
      brand: text(90, n),
      product_type: text(190, n),
      link: link("p", n),
      image_link: link("i", n),
    }));
    const { find } = await shop(rows);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const answer = await find({ query: "kettle", cursor });
      expect(bytes(answer)).toBeLessThan(32_000);
      if (answer.products.length < 5) expect(answer.messages).toMatchObject([{ code: "answer_shortened" }]);
      seen.push(...answer.products.map((product) => product.product_id));
      cursor = answer.page.next_cursor;
    } while (cursor);
    const [full, compact] = [await find({ query: "kettle" }), await find({ query: "kettle", view: "compact" })];
    expect(full.messages[0]).toMatchObject({
      content: expect.stringMatching(/next_cursor, or ask for view compact\.$/),
    });
    expect(compact.messages[0]).toMatchObject({ content: expect.stringMatching(/next_cursor\.$/) });
    expect(seen.toSorted()).toEqual(rows.map(({ id }) => id).toSorted());
    expect((await find({ query: "kettle", limit: 50, view: "compact" })).products.length).toBeGreaterThan(20);
  });

  it("takes every cursor that it gives, however long the query that it keeps", async () => {
    const kind = "靴".repeat(66);
    const row = (id: string) => ({ id, title: `${kind} ${id}`, product_type: `店 > ${kind}` });
    const { find } = await shop([row("1"), row("2"), row("3")]);
    const asked: Arguments = { query: `${"赤".repeat(66)} ${kind} ${"青".repeat(66)}`, sort: "price_asc", limit: 1 };
    const first = await find(asked);
    const next = await find({ ...asked, cursor: first.page.next_cursor });
    expect([...first.products, ...next.products].map(({ product_id }) => product_id)).toEqual(["1", "2"]);
  });

  it("gives as many as are asked for where they are of common length", async () => {
    const { find } = await shop(Array.from({ length: 60 }, (_, n) => ({ id: `p${n}`, title: `Kettle ${n}` })));
    expect((await find({ query: "kettle" })).products).toHaveLength(10);
    expect((await find({ query: "kettle", limit: 50 })).products).toHaveLength(50);
  });

  it("takes several GTINs, says so in its schema, and takes one alone", async () => {
    const [one, other] = [makeGtin(), makeGtin()];
    const { find } = await shop([{ id: "1", gtin: one }, { id: "2", gtin: other }, { id: "3" }]);
    const ids = async (gtin: unknown) =>
      (await find({ filters: { gtin } })).products.map(({ product_id }) => product_id).toSorted();
    expect(await ids([one, other])).toEqual(["1", "2"]);
    expect(await ids(other)).toEqual(["2"]);
    expect(searchProducts.inputSchema).toMatchObject({
      properties: { filters: { properties: { gtin: { type: "array", items: { type: "string" }, maxItems: 20 } } } },
    });
  });

  it("says in its schema up to which price and how many ratings it takes, and takes them", async () => {
    const { ctx, find } = await shop([{ id: "kettle", title: "Kettle" }]);
    const { price, rating } = searchProducts.inputSchema.properties!.filters!.properties!;
    const bounds = [price!.properties!.min, price!.properties!.max, rating!.properties!.min_count].map(
      (of) => of!.maximum,
    );
    expect(bounds).toEqual([10 ** 15, 10 ** 15, 10 ** 9]);
    expect((await find({ filters: { price: { min: 0, max: 10 ** 15 } } })).products).toHaveLength(1);
    expect((await find({ filters: { rating: { min_count: 10 ** 9 } } })).products).toHaveLength(0);
    expect(refused(ctx, searchProducts, { filters: { price: { max: 10 ** 15 + 1 } } })).toEqual(["filters.price.max"]);
  });

  it("writes amounts in the language of the context", async () => {
    const { find } = await shop([{ id: "it", price: "1250.00 EUR", sale_price: "999.50 EUR" }]);
    const { products, facets } = await find({ context: { language: "de-DE", country: "DE" } });
    expect(products[0]!.price.formatted).toBe("1.250,00\u00a0€");
    expect(products[0]!.sale_price!.formatted).toBe("999,50\u00a0€");
    expect(facets.find(({ name }) => name === "price")!.values).toEqual([
      { value: "50000-99999 EUR", label: "500,00\u00a0€–999,99\u00a0€", count: 1 },
    ]);
    expect(facets.flatMap(({ name, values }) => (name === "price" ? [] : values)).every(({ label }) => !label)).toBe(
      true,
    );
  });

  it("takes every kind of language tag, and writes amounts in English where it has no way of writing of its own", async () => {
    const { find } = await shop([{ id: "it", price: "1250.00 EUR" }]);
    for (const language of ["x-private", "i-klingon", "en-GB-oed", "SGN-BE-FR", "zh-cmn-Hans-CN", "zh-min-nan"]) {
      const { products } = await find({ context: { language } });
      expect(products[0]!.price.formatted, language).toBe("€1,250.00");
    }
  });

  it.each<[string, Record<string, unknown>, string[]]>([
    ["nothing to search for", {}, ["query"]],
    ["filters that are empty", { filters: {} }, ["query"]],
    ["filters of which each is empty", { filters: { price: {}, rating: {} } }, ["query"]],
    ["an unknown argument", { query: "tent", colour: "red" }, ["colour"]],
    ["an unknown filter", { filters: { price: { minimum: 1 } } }, ["filters.price.minimum"]],
    ["a query of more than 200 characters", { query: "x".repeat(201) }, ["query"]],
    ["a blank query", { query: "   " }, ["query"]],
    ["more than 50 stores", { store_ids: Array.from({ length: 51 }, () => crypto.randomUUID()) }, ["store_ids"]],
    ["a store_id that is no UUID", { store_ids: ["shop"] }, ["store_ids.0"]],
    ["prices that are no whole minor units", { filters: { price: { min: 9.99 } } }, ["filters.price.min"]],
    ["a least price above the greatest", { filters: { price: { min: 2, max: 1 } } }, ["filters.price"]],
    ["a GTIN of 11 digits", { filters: { gtin: ["12345678901"] } }, ["filters.gtin.0"]],
    ["more than 20 GTINs", { filters: { gtin: Array.from({ length: 21 }, makeGtin) } }, ["filters.gtin"]],
    ["a language that is no tag", { query: "tent", context: { language: "en_GB!" } }, ["context.language"]],
    ["private use of nothing", { query: "tent", context: { language: "x-" } }, ["context.language"]],
    ["a limit above 50", { query: "tent", limit: 51 }, ["limit"]],
    ["an unknown order", { query: "tent", sort: "cheapest" }, ["sort"]],
    ["more stars than five", { filters: { rating: { min: 6 } } }, ["filters.rating.min"]],
  ])("refuses %s, by name", async (_, args, paths) => {
    expect(refused(database.as(await makeReader(database)), searchProducts, args)).toEqual(paths);
  });

  it("takes every category as the facet names it, however long its path", async () => {
    const product_type = ["Tools", "Hand tools", "Measuring"].map((name) => `${name} ${"and more ".repeat(9)}`.trim());
    const { find } = await shop([{ id: "it", product_type: product_type.join(" > ") }, { id: "other" }]);
    const { facets } = await find({});
    const [category] = facets.find(({ name }) => name === "category")!.values;
    const { products } = await find({ filters: { product_type: [category!.value] } });
    expect(products.map(({ product_id }) => product_id)).toEqual(["it"]);
  });

  it("counts a call for its store when it is about one", () => {
    const id = crypto.randomUUID();
    expect(searchProducts.storeOf!({ store_ids: [id] } as never)).toBe(id);
    expect(searchProducts.storeOf!({ store_ids: [id, id] } as never)).toBe(id);
    expect(searchProducts.storeOf!({ store_ids: [id, crypto.randomUUID()] } as never)).toBeUndefined();
    expect(searchProducts.storeOf!({ query: "tent" } as never)).toBeUndefined();
  });
});
