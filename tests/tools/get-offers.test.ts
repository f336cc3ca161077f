import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { getOffers } from "../../server/tools/get-offers";
import { getProduct } from "../../server/tools/get-product";
import { ask, refused } from "../support/ask";
import { testDatabase } from "../support/database";
import { makeReader, makeStore } from "../support/factories";
import { loadRows, makeGtin, makeStoreWith } from "../support/feed";

const database = testDatabase();

interface Answer {
  offers: Record<string, unknown>[];
  page: { has_next_page: boolean; next_cursor?: string; total_count: number };
}
type Arguments = z.input<typeof getOffers.input>;

describe("get_offers", () => {
  it("tells price, sale, shipping and total, with a link that credits the platform", async () => {
    const store = await makeStoreWith(
      database,
      [
        {
          id: "tent-2",
          item_group_id: "tent",
          title: "Tent for two",
          size: "2",
          price: "100.00 EUR",
          sale_price: "80.00 EUR",
          sale_price_effective_date: "2027-03-01T00:00:00Z/2027-03-08T00:00:00Z",
          shipping: "IE::Post:4.00 EUR",
          link: "https://shop.example/tent?size=2",
        },
      ],
      { country: "IE" },
    );
    const ctx = database.as(await makeReader(database), new Date("2027-03-02T00:00:00Z"));
    const answer = await ask<Answer>(ctx, getOffers, { store_id: store.id, product_id: "tent" });
    expect(answer.offers).toEqual([
      {
        offer_id: "tent-2",
        title: "Tent for two",
        store_id: store.id,
        store_name: store.name,
        price: { amount: 10000, currency: "EUR", formatted: "€100.00" },
        sale_price: { amount: 8000, currency: "EUR", formatted: "€80.00" },
        sale_price_effective_date: { start: "2027-03-01T00:00:00.000Z", end: "2027-03-08T00:00:00.000Z" },
        price_valid_until: "2027-03-08T00:00:00.000Z",
        shipping: { price: { amount: 400, currency: "EUR", formatted: "€4.00" } },
        total_price: { amount: 8400, currency: "EUR", formatted: "€84.00" },
        condition: "new",
        availability: { status: "in_stock", available: true },
        product_url: `https://shop.example/tent?size=2&utm_source=${ctx.actor.utmSource}&utm_medium=ai_agent&utm_campaign=${ctx.actor.slug}&utm_content=tent`,
        data_as_of: expect.any(String),
      },
    ]);
    expect(answer.page).toEqual({ has_next_page: false, total_count: 1 });
  });

  it("counts up to 10,000 offers, and tells no number above that", async () => {
    const store = await makeStore(database);
    const ctx = database.as(await makeReader(database));
    const rows = Array.from({ length: 10_001 }, (_, i) => ({ id: `v${i}`, item_group_id: "many", size: `${i}` }));
    await loadRows(database, store.id, rows);
    const count = async () =>
      (await ask<Answer>(ctx, getOffers, { store_id: store.id, product_id: "many" })).page.total_count;
    expect(await count()).toBeUndefined();
    await database.sql`delete from variants where store_id = ${store.id} and variant_id = 'v7'`;
    expect(await count()).toBe(10_000);
  });

  it("writes every amount in the language of the context, as get_product does", async () => {
    const store = await makeStore(database, { country: "DE" });
    const row = {
      price: "1250.00 EUR",
      sale_price: "999.50 EUR",
      shipping: "DE::Post:4.00 EUR",
      item_group_id: "tent",
    };
    await loadRows(database, store.id, [
      { ...row, id: "2", size: "2" },
      { ...row, id: "3", size: "3", price: "1400.00 EUR", sale_price: "" },
    ]);
    const ctx = database.as(await makeReader(database));
    const of = { store_id: store.id, product_id: "tent", context: { language: "de-DE", country: "DE" } };
    const answers = JSON.stringify([await ask(ctx, getOffers, of), await ask(ctx, getProduct, of)]);
    const formatted = new Set(answers.match(/(?<="formatted":")[^"]+/g));
    expect([...formatted].toSorted()).toEqual(
      ["1.003,50", "1.250,00", "1.400,00", "1.404,00", "4,00", "999,50"].map((amount) => `${amount}\u00a0€`),
    );
  });

  it("tells of a sale's time what the merchant limits", async () => {
    const store = await makeStore(database);
    const row = { id: "lamp", price: "10.00 EUR", sale_price: "8.00 EUR" };
    const told = async (dates: Record<string, string>) => {
      await loadRows(database, store.id, [{ ...row, ...dates }]);
      const ctx = database.as(await makeReader(database), new Date("2027-03-02T00:00:00Z"));
      const { offers } = await ask<Answer>(ctx, getOffers, { store_id: store.id, product_id: "lamp" });
      return [offers[0]!.sale_price_effective_date, offers[0]!.price_valid_until];
    };
    const [start, end] = ["2027-03-01T00:00:00.000Z", "2027-03-08T00:00:00.000Z"];
    expect(await told({ sale_price_start_date: start })).toEqual([{ start }, undefined]);
    expect(await told({ sale_price_end_date: end })).toEqual([{ end }, end]);
    expect(await told({})).toEqual([undefined, undefined]);
  });

  it("says nothing of a sale that is over, nor of shipping that is unknown", async () => {
    const store = await makeStore(database);
    const sale = { sale_price: "8.00 EUR", sale_price_effective_date: "2020-01-01/2020-02-01" };
    await loadRows(database, store.id, [{ id: "lamp", ...sale }]);
    const ctx = database.as(await makeReader(database));
    const { offers } = await ask<Answer>(ctx, getOffers, { store_id: store.id, product_id: "lamp" });
    for (const field of ["sale_price", "sale_price_effective_date", "price_valid_until", "shipping", "seller"]) {
      expect(offers[0]).not.toHaveProperty(field);
    }
    expect(offers[0]!.total_price).toEqual(offers[0]!.price);
  });

  it("tells a seller that is not the store, by its name or its registered one", async () => {
    const store = await makeStore(database, { name: "Café Tarn", legal_name: "Tarn Trading Ltd" });
    const sellers = ["Ann", "CAFE  TARN", "tarn trading ltd", ""];
    await loadRows(
      database,
      store.id,
      sellers.map((seller_name, i) => ({ id: `${i}`, item_group_id: "cup", size: `${i}`, seller_name })),
    );
    const ctx = database.as(await makeReader(database));
    const { offers } = await ask<Answer>(ctx, getOffers, { store_id: store.id, product_id: "cup" });
    const told = offers.map(({ offer_id, seller }) => [offer_id, seller]);
    expect(told).toEqual([
      ["0", "Ann"],
      ["1", undefined],
      ["2", undefined],
      ["3", undefined],
    ]);
  });

  it("tells what is paid over time beside the price, as get_product does", async () => {
    const store = await makeStoreWith(database, [
      { id: "phone", price: "1.00 EUR", subscription_cost: "month:24:39.99 EUR", product_detail: "General:SIM:eSIM" },
      { id: "cup" },
    ]);
    const ctx = database.as(await makeReader(database));
    const of = { store_id: store.id, product_id: "phone" };
    const plan = "39.99 EUR a month for 24 months; the price is what is due at checkout";
    const { offers } = await ask<Answer>(ctx, getOffers, of);
    expect(offers).toMatchObject([{ price: { amount: 100 }, payment_plan: plan }]);
    const { product } = await ask<{ product: object }>(ctx, getProduct, of);
    expect(product).toMatchObject({
      price: { amount: 100 },
      attributes: [
        { name: "SIM", value: "eSIM" },
        { name: "subscription cost", value: plan },
      ],
      options: [],
    });
    const cup = await ask<Answer>(ctx, getOffers, { ...of, product_id: "cup" });
    expect(cup.offers[0]).not.toHaveProperty("payment_plan");
  });

  it("compares stores by gtin, page by page", async () => {
    const gtin = makeGtin();
    for (const price of ["3.00 EUR", "2.00 EUR", "1.00 EUR"])
      await makeStoreWith(database, [{ id: "it", gtin, price }]);
    const ctx = database.as(await makeReader(database));
    const first = await ask<Answer>(ctx, getOffers, { gtin, limit: 2 });
    const next = await ask<Answer>(ctx, getOffers, { gtin, limit: 2, cursor: first.page.next_cursor });
    const totals = [...first.offers, ...next.offers].map((offer) => offer.total_price);
    expect(totals).toMatchObject([{ amount: 100 }, { amount: 200 }, { amount: 300 }]);
    expect(next.page).toEqual({ has_next_page: false, total_count: 3 });
  });

  it.each<[string, Arguments, string]>([
    ["neither a product nor an article", {}, "product_id"],
    ["a product without its store", { product_id: "a" }, "store_id"],
    ["a store without a product", { store_id: crypto.randomUUID() }, "product_id"],
    ["a product and an article", { gtin: "4006381333931", product_id: "a" }, "product_id"],
    ["an article in one store", { gtin: "4006381333931", store_id: crypto.randomUUID() }, "store_id"],
    ["digits that are no GTIN", { gtin: "123" }, "gtin"],
    ["more offers than 50", { gtin: "4006381333931", limit: 51 }, "limit"],
  ])("refuses %s, by the argument's name", async (_, args, path) => {
    expect(refused(database.as(await makeReader(database)), getOffers, args)).toEqual([path]);
  });
});

describe("get_offers says", () => {
  const said = async (rows: Parameters<typeof loadRows>[2], args: Partial<Arguments>) => {
    const store = await makeStore(database, { country: "IE" });
    await loadRows(database, store.id, rows);
    const ctx = database.as(await makeReader(database));
    const asked = { store_id: store.id, product_id: "kettle", ...args };
    return (await ask<{ messages?: Record<string, string>[] }>(ctx, getOffers, asked)).messages;
  };
  const kettle = { id: "kettle", price: "20.00 EUR", shipping: "IE::Post:4.00 EUR" };

  it("nothing where all is as it is asked for", async () => {
    expect(await said([kettle], { condition: "new", context: { country: "IE", currency: "EUR" } })).toBeUndefined();
  });

  it("which conditions there are, where there is none in the one asked for", async () => {
    expect(await said([kettle], { condition: "used" })).toEqual([
      {
        ...{ type: "info", code: "no_offers", path: "condition" },
        content: "None is used. Without condition, there are offers: new.",
      },
    ]);
  });

  it("in which currencies these offers are priced, and that none of them states what shipping to a country costs", async () => {
    expect(await said([kettle], { context: { country: "US", currency: "USD" } })).toEqual([
      {
        ...{ type: "warning", code: "currency_differs", path: "context.currency" },
        content: "These offers are priced in EUR, not in USD. Amounts are not converted.",
      },
      {
        ...{ type: "info", code: "shipping_unknown", path: "context.country" },
        content: "None of these offers states what shipping to US costs: total_price is the price alone.",
      },
    ]);
  });

  it("of those of its page alone: a dearer one may state what shipping costs", async () => {
    const rows = [
      { ...kettle, id: "small", item_group_id: "kettle", size: "1 l", price: "10.00 EUR", shipping: "" },
      { ...kettle, id: "big", item_group_id: "kettle", size: "2 l", shipping: "US::Post:9.00 EUR" },
    ];
    const context = { country: "US" };
    expect(await said(rows, { context })).toBeUndefined();
    expect(await said(rows, { context, limit: 1 })).toMatchObject([
      { content: expect.stringMatching(/^None of these/) },
    ]);
  });
});
