import { describe, expect, it } from "vitest";
import type { Filters } from "../../server/services/catalog/filters";
import { find } from "../../server/services/catalog/find";
import { sorts } from "../../server/services/catalog/order";
import * as product from "../../server/services/catalog/product";
import { type Search, search } from "../../server/services/catalog/search";
import { testDatabase } from "../support/database";
import { makeReader, type makeStore } from "../support/factories";
import { loadRows, makeGtin, makeStoreWith, type Row } from "../support/feed";

const database = testDatabase();
const now = new Date("2027-03-05T12:00:00Z");
/** Before anything has expired, whenever the test runs. */
const before = new Date("2027-01-01T00:00:00Z");

/** A store with these rows; which of them pass the filters, in order of their ids. */
async function shop(rows: Row[], given: Parameters<typeof makeStore>[1] = {}) {
  const store = await makeStoreWith(database, rows, given, before);
  const reader = await makeReader(database);
  const find = (filters: Filters, rest: Partial<Search> = {}, at = now) =>
    search(database.as(reader, at), { filters, storeIds: [store.id], sort: "relevance", limit: 50, ...rest });
  const ids = async (...args: Parameters<typeof find>) =>
    (await find(...args)).products.map((product) => product.product_id).toSorted();
  return { store, ctx: database.as(reader, now), find, ids };
}

const shirt = (id: string, color: string, size: string, more: Record<string, string> = {}) => ({
  id,
  item_group_id: "shirt",
  title: "Shirt",
  color,
  size,
  ...more,
});

describe("the price filter", () => {
  const sale = {
    price: "30.00 EUR",
    sale_price: "15.00 EUR",
    sale_price_effective_date: "2027-03-01T00:00Z/2027-03-08T00:00Z",
  };
  const rows = [
    { id: "cheap", price: "10.00 EUR" },
    { id: "dear", price: "30.00 EUR" },
    { id: "sale", ...sale },
    { id: "free", price: "0.00 EUR" },
  ];

  it("takes what costs from min to max, both included", async () => {
    const { ids } = await shop(rows);
    expect(await ids({ price: { min: 1000, max: 1500 } })).toEqual(["cheap", "sale"]);
    expect(await ids({ price: { min: 1001, max: 1499 } })).toEqual([]);
    expect(await ids({ price: { max: 999 } })).toEqual(["free"]);
    expect(await ids({ price: { min: 3000 } })).toEqual(["dear"]);
    expect(await ids({ price: { min: 0, max: 0 } })).toEqual(["free"]);
  });

  it("counts a sale price from its start and before its end", async () => {
    const { ids } = await shop(rows);
    const at = (now: string) => ids({ price: { min: 1400, max: 1600 } }, {}, new Date(now));
    expect(await at("2027-02-28T23:59:59.999Z")).toEqual([]);
    expect(await at("2027-03-01T00:00:00.000Z")).toEqual(["sale"]);
    expect(await at("2027-03-08T00:00:00.000Z")).toEqual([]);
  });

  it("is in the store's own currency: a price in another one does not match", async () => {
    const { find, ids } = await shop(
      [
        { id: "euro", price: "10.00 EUR" },
        { id: "yen", price: "1000 JPY" },
        shirt("S", "Red", "S", { price: "10.00 EUR" }),
        shirt("M", "Red", "M", { price: "1000 JPY" }),
        shirt("L", "Red", "L", { price: "20.00 EUR" }),
      ],
      { currencies: ["EUR", "JPY"] },
    );
    const price = { min: 900, max: 1100 };
    expect(await ids({ price })).toEqual(["euro", "shirt"]);
    expect(await ids({ price: { max: 1100 } })).toEqual(["euro", "shirt"]);
    expect(await ids({ price: { min: 900 } })).toEqual(["euro", "shirt"]);
    expect((await find({ price })).messages).toEqual([]);
    const size = (value: string) => [{ name: "size", values: [value] }];
    expect(await ids({ price, attributes: size("S") })).toEqual(["shirt"]);
    expect(await ids({ price, attributes: size("M") })).toEqual([]);
    const yen = { ...price, currency: "JPY" };
    expect(await ids({ price: yen, attributes: size("M") })).toEqual(["shirt"]);
    const found = await find({ price: yen });
    expect(found.products.map((product) => product.price.formatted)).toEqual(["¥1,000"]);
    expect(found.messages).toEqual([]);
  });

  it("is in each store's own currency, and says when these differ", async () => {
    const [euro, yen] = await Promise.all([
      shop([{ id: "euro", price: "10.00 EUR" }]),
      shop([{ id: "yen", price: "1000 JPY" }], { currency: "JPY" }),
    ]);
    const both = await euro.find({ price: { min: 900, max: 1100 } }, { storeIds: [euro.store.id, yen.store.id] });
    expect(both.totalCount).toBe(2);
    expect(both.messages).toMatchObject([
      { type: "warning", code: "currency_differs", path: "filters.price.currency" },
    ]);
  });

  it("is in the store's own currency, and says when the caller thinks in another one", async () => {
    const { find } = await shop([{ id: "euro", price: "10.00 EUR" }]);
    const thinking = async (currency: string, price: Filters["price"]) =>
      (await find({ price }, { context: { currency } })).messages.map(({ code, content }) => [code, content]);
    const price = { min: 900, max: 1100 };
    expect(await thinking("USD", price)).toEqual([
      [
        "currency_differs",
        "These products are priced in EUR, and amounts are not converted. filters.price was taken as each store's own currency, not as USD. Set filters.price.currency to compare within one currency.",
      ],
    ]);
    expect(await thinking("EUR", price)).toEqual([]);
    expect(await thinking("USD", { ...price, currency: "EUR" })).toEqual([]);
    expect((await find({ on_sale: false }, { context: { currency: "USD" } })).messages).toEqual([]);
  });

  it("says in which currency there is something, when there is nothing in the one asked for", async () => {
    const { find } = await shop([{ id: "euro", price: "10.00 EUR" }]);
    const found = await find({ price: { max: 5000, currency: "USD" } });
    expect(found.products).toEqual([]);
    expect(found.messages).toMatchObject([{ code: "currency_differs", content: expect.stringContaining("EUR") }]);
    expect((await find({ price: { max: 1 } })).messages).toMatchObject([{ code: "no_matches" }]);
  });

  it("says what there is in that currency, where its bounds alone leave nothing", async () => {
    const [euro, dollar] = await Promise.all([
      shop([
        { id: "1", price: "100.00 EUR" },
        { id: "2", price: "120.00 EUR" },
      ]),
      shop([{ id: "3", price: "10.00 USD" }], { currency: "USD" }),
    ]);
    const said = async (price: Filters["price"], context?: Search["context"]) => {
      const found = await euro.find({ price }, { storeIds: [euro.store.id, dollar.store.id], context });
      return found.messages.map(({ code, content }) => [code, content]);
    };
    const max = { max: 500 };
    const nothing = "Nothing matches. Without filters.price.max,";
    const cheapest = "2 products match (the cheapest is €100.00, 10000 in minor units).";
    expect(await said({ ...max, currency: "EUR" })).toEqual([["no_matches", `${nothing} ${cheapest}`]]);
    expect(await said({ min: 99_900, max: 99_999, currency: "USD" })).toEqual([
      [
        "no_matches",
        `${nothing.replace("max", "min and max")} 1 product matches (the cheapest is $10.00, 1000 in minor units).`,
      ],
    ]);
    expect(await said(max)).toEqual([
      ["no_matches", `${nothing} 3 products match (the cheapest in EUR is €100.00, 10000 in minor units).`],
    ]);
    expect(await said(max, { currency: "USD" })).toEqual([
      ["no_matches", `${nothing} 3 products match (the cheapest in USD is $10.00, 1000 in minor units).`],
    ]);
    expect(await said({ ...max, currency: "JPY" })).toMatchObject([
      ["currency_differs", expect.stringContaining("EUR, USD")],
    ]);
  });

  it("says what there is in the stores' own currency, where its bounds alone leave nothing, whatever comes in others", async () => {
    const { find } = await shop(
      [
        { id: "euro", price: "100.00 EUR" },
        { id: "dollar", price: "90.00 USD" },
      ],
      { currencies: ["EUR", "USD"] },
    );
    expect((await find({ price: { max: 500 } })).messages).toMatchObject([
      {
        code: "no_matches",
        content:
          "Nothing matches. Without filters.price.max, 1 product matches (the cheapest is €100.00, 10000 in minor units).",
      },
    ]);
  });

  it("says so too when there is nothing in the store's own", async () => {
    const { find } = await shop([{ id: "yen", price: "1000 JPY" }], { currencies: ["EUR", "JPY"] });
    const found = await find({ price: { max: 5000 } });
    expect(found.products).toEqual([]);
    expect(found.messages).toMatchObject([{ code: "currency_differs", content: expect.stringContaining("JPY") }]);
  });
});

describe("a filter by value", () => {
  it("has its longest values folded once, however often the search is read", async () => {
    const { find } = await shop([{ id: "1", title: "Red tent" }]);
    const long = (name: string, length: number) =>
      Array.from({ length: 20 }, (_, i) => `${name} ${i} ${"é".repeat(length)}`);
    const filters: Filters = {
      product_type: long("type", 1900),
      google_product_category: long("category", 1900),
      brand: long("brand", 180),
      attributes: Array.from({ length: 10 }, (_, i) => ({ name: `fit ${i}`, values: long("value", 180) })),
    };
    const { normalize } = String.prototype;
    let times = 0;
    String.prototype.normalize = function (this: string, form?: string) {
      if (this.length > 100) times += 1;
      return normalize.call(this, form);
    };
    await find(filters, { query: "tent", sort: "price_asc" }).finally(() => {
      String.prototype.normalize = normalize;
    });
    // Folding takes two.
    expect(times).toBe(2 * (20 + 20 + 20 + 200));
  });

  const rows: Row[] = [
    {
      id: "1",
      brand: "Café Brûlé",
      condition: "new",
      product_type: "Küche > Töpfe",
      google_product_category: "Home & Garden > Kitchen & Dining",
    },
    {
      id: "2",
      brand: "Tinholt",
      condition: "used",
      product_type: "Küche > Töpfe > Deckel",
      availability: "out_of_stock",
    },
    {
      id: "3",
      brand: "Tinholt",
      condition: "refurbished",
      google_product_category: "Küche",
      availability: "preorder",
      availability_date: "2027-06-01",
    },
    { id: "4", brand: "Tin", product_type: "Küchenmöbel", google_product_category: "443" },
    { id: "5", google_product_category: "443 > Móveis > Cadeiras" },
  ];
  it.each<[string, Filters, string[]]>([
    ["brand", { brand: ["CAFE BRULE"] }, ["1"]],
    ["any of several brands", { brand: ["tinholt", "Tin"] }, ["2", "3", "4"]],
    ["condition", { condition: ["used", "refurbished"] }, ["2", "3"]],
    ["condition new, which needs no naming in feeds", { condition: ["new"] }, ["1", "4", "5"]],
    ["availability", { availability: ["out_of_stock", "preorder"] }, ["2", "3"]],
    ["Google's category with what is below it", { google_product_category: ["home & garden"] }, ["1"]],
    ["Google's category by its number, whatever the feed calls it", { google_product_category: ["443"] }, ["4", "5"]],
    [
      "Google's category by its path, of what has its number alone",
      { google_product_category: ["furniture > chairs"] },
      ["4", "5"],
    ],
    ["Google's category by the number of one above it", { google_product_category: [" 436 "] }, ["4", "5"]],
    ["Google's category by the number of what has its path alone", { google_product_category: ["536"] }, ["1"]],
    [
      "the store's category with what is below it, Google's where it has none",
      { product_type: ["kuche"] },
      ["1", "2", "3"],
    ],
    ["Google's category for the store's where it has none, and only there", { product_type: ["furniture"] }, ["5"]],
    ["a path of the store's, however it is spaced", { product_type: ["Küche>töpfe"] }, ["1", "2"]],
    ["all filters together", { brand: ["Tinholt"], availability: ["out_of_stock"] }, ["2"]],
  ])("takes %s", async (_, filters, expected) => {
    const { ids } = await shop(rows);
    expect(await ids(filters)).toEqual(expected);
  });
});

describe("letters that are no others with an accent", () => {
  const rows = [
    { id: "1", brand: "KIĞILI", product_type: "KADIN > Straße", material: "Łen" },
    { id: "2", brand: "Kiğılı", product_type: "Kadın > STRASSE", material: "łen" },
    { id: "3", brand: "Kigili", product_type: "kadin > strasse", material: "LEN" },
    { id: "4", brand: "Ørsted", product_type: "Kad > Straf", material: "Øl" },
  ];

  it.each<[string, Filters]>([
    ["brand", { brand: ["Kiğılı"] }],
    ["brand", { brand: ["KIĞILI"] }],
    ["product_type", { product_type: ["kadın>straße"] }],
    ["product_type", { product_type: ["KADIN > STRAẞE"] }],
    ["attributes", { attributes: [{ name: "material", values: ["ŁEN"] }] }],
  ])("do not matter to %s: %j", async (_, filters) => {
    const { ids } = await shop(rows);
    expect(await ids(filters)).toEqual(["1", "2", "3"]);
  });

  it("make no other value of a facet", async () => {
    const { find } = await shop(rows);
    const values = (await find({})).facets.map((facet) => [facet.name, facet.values.map(({ count }) => count)]);
    expect(Object.fromEntries(values)).toMatchObject({ brand: [3, 1], category: [3, 1] });
  });
});

describe("the condition filter with a price, a stock or a sale", () => {
  const used = shirt("used", "Red", "M", { condition: "used", price: "40.00 EUR", sale_price: "35.00 EUR" });
  const fresh = shirt("new", "Blue", "M", { price: "100.00 EUR", availability: "preorder" });

  it("wants one and the same variant, be it the cheapest or not", async () => {
    const { ids } = await shop([used, fresh, { id: "alone", title: "Shirt", price: "45.00 EUR" }]);
    expect(await ids({ condition: ["new"], price: { max: 5000 } })).toEqual(["alone"]);
    expect(await ids({ condition: ["new"], price: { min: 4400, max: 4600 } })).toEqual(["alone"]);
    expect(await ids({ condition: ["new"], price: { max: 12000 } })).toEqual(["alone", "shirt"]);
    expect(await ids({ condition: ["new"], price: { min: 9000, max: 12000 } })).toEqual(["shirt"]);
    expect(await ids({ condition: ["used"], price: { max: 5000 } })).toEqual(["shirt"]);
    expect(await ids({ condition: ["used"], price: { min: 9000 } })).toEqual([]);
    expect(await ids({ condition: ["new", "used"], price: { max: 5000 } })).toEqual(["alone", "shirt"]);
    expect(await ids({ condition: ["new", "refurbished", "used"], price: { min: 9000 } })).toEqual([]);
    expect(await ids({ condition: ["new"], availability: ["in_stock"] })).toEqual(["alone"]);
    expect(await ids({ condition: ["new"], availability: ["preorder"] })).toEqual(["shirt"]);
    expect(await ids({ condition: ["new"], on_sale: true })).toEqual([]);
    expect(await ids({ condition: ["used"], on_sale: true })).toEqual(["shirt"]);
    expect(await ids({ condition: ["new"], on_sale: false })).toEqual(["alone", "shirt"]);
  });

  it("shows that variant", async () => {
    const { find } = await shop([used, { ...used, id: "dear", price: "90.00 EUR", sale_price: "" }, fresh]);
    const { products } = await find({ condition: ["used"], price: { min: 5000 } });
    expect(products).toMatchObject([{ price: { amount: 9000 } }]);
  });

  it("counts no variant that can't be had again", async () => {
    const { ids } = await shop([used, { ...fresh, availability: "discontinued" }, { id: "x" }]);
    expect(await ids({ condition: ["new"], price: { min: 9000 } })).toEqual([]);
    expect(await ids({ condition: ["new"], availability: ["discontinued"] })).toEqual(["shirt"]);
  });
});

describe("the condition filter alone", () => {
  const used = shirt("used", "Red", "M", { condition: "used" });

  it("counts no variant that can't be had again, of a product that comes in other conditions too", async () => {
    const { ids, find } = await shop([
      used,
      shirt("new", "Blue", "M", { price: "100.00 EUR", availability: "discontinued" }),
      { id: "alone", title: "Shirt", price: "45.00 EUR" },
      { id: "ended", title: "Shirt", price: "100.00 EUR", availability: "discontinued" },
    ]);
    expect(await ids({ condition: ["new"] })).toEqual(["alone", "ended"]);
    expect(await ids({ condition: ["used"] })).toEqual(["shirt"]);
    const { facets, totalCount } = await find({ condition: ["new"] });
    expect(totalCount).toBe(2);
    expect(facets.find(({ name }) => name === "availability")?.values).toEqual([
      { value: "discontinued", count: 1 },
      { value: "in_stock", count: 1 },
    ]);
  });
});

describe("the GTIN filter", () => {
  it("takes any of several", async () => {
    const [one, other] = [makeGtin(), makeGtin()];
    const { ids } = await shop([
      { id: "1", gtin: one },
      { id: "2", gtin: other },
      { id: "3", gtin: makeGtin() },
    ]);
    expect(await ids({ gtin: [one, `0${other}`, makeGtin()] })).toEqual(["1", "2"]);
    expect(await ids({ gtin: [one, other], price: { max: 1000 } })).toEqual(["1", "2"]);
  });

  it("wants price, stock, condition and attributes of the variant that has it", async () => {
    const article = makeGtin();
    const gtin = [makeGtin(), article];
    const { ids } = await shop([
      shirt("1", "Red", "M", { gtin: article, price: "40.00 EUR", availability: "out_of_stock", condition: "used" }),
      shirt("2", "Blue", "L", { gtin: makeGtin(), price: "10.00 EUR" }),
    ]);
    expect(await ids({ gtin })).toEqual(["shirt"]);
    const size = (value: string) => [{ name: "size", values: [value] }];
    const its: Filters = { price: { min: 3500, max: 4500 }, availability: ["out_of_stock"], condition: ["used"] };
    expect(await ids({ gtin, ...its, attributes: size("M") })).toEqual(["shirt"]);
    expect(await ids({ gtin, ...its })).toEqual(["shirt"]);
    const others: Filters[] = [
      { price: { max: 1500 } },
      { availability: ["in_stock"] },
      { condition: ["new"] },
      { attributes: size("L") },
    ];
    for (const other of others) expect(await ids({ gtin, ...other }), JSON.stringify(other)).toEqual([]);
  });
});

describe("the GTIN filter alone", () => {
  it("finds what can't be had again too, and shows it so", async () => {
    const gtin = makeGtin();
    const { find } = await shop([
      shirt("1", "Red", "M", { gtin, price: "40.00 EUR", expiration_date: now.toISOString() }),
      shirt("2", "Blue", "L"),
    ]);
    const { products, facets } = await find({ gtin: [gtin] });
    expect(products).toMatchObject([{ price: { amount: 4000 }, availability: { status: "discontinued" } }]);
    const { values } = facets.find(({ name }) => name === "availability")!;
    expect(values).toEqual([{ value: "discontinued", count: 1 }]);
  });
});

describe("a colour of several words", () => {
  it("is found as the British and as the Americans write it", async () => {
    const { ids } = await shop([
      { id: "light", color: "Light Grey" },
      { id: "heather", color: "heather gray" },
      { id: "grey", color: "Grey" },
    ]);
    const found = (...values: string[]) => ids({ attributes: [{ name: "color", values }] });
    expect(await found("light gray")).toEqual(["light"]);
    expect(await found("Heather Grey")).toEqual(["heather"]);
    expect((await found("gray", "light grey")).toSorted()).toEqual(["grey", "light"]);
  });
});

describe("what filters find by one variant", () => {
  const attributes = [{ name: "color", values: ["Blue"] }];
  const gtin = makeGtin();
  const rows: Row[] = [
    shirt("red", "Red", "M", { price: "10.00 EUR", sale_price: "9.00 EUR", condition: "used" }),
    shirt("blue-l", "Blue", "L", { price: "150.00 EUR", condition: "refurbished", title: "Shirt, blue, L", gtin }),
    shirt("blue-m", "Blue", "M", { price: "140.00 EUR", availability: "out_of_stock" }),
    { id: "cap", title: "Shirt cap", color: "blue", price: "120.00 EUR" },
    {
      id: "hat",
      title: "Shirt hat",
      color: "blue",
      price: "160.00 EUR",
      availability: "preorder",
      availability_date: "2027-06-01",
    },
  ];

  it("is shown with the price, stock, title and link of the best of those that match", async () => {
    const { find } = await shop(rows);
    const asked: Filters[] = [
      { attributes },
      { attributes, price: { min: 12900 } },
      { gtin: [gtin] },
      { gtin: [gtin], price: { min: 12900 } },
      { condition: ["refurbished"] },
      { condition: ["refurbished"], availability: ["in_stock"] },
    ];
    for (const filters of asked) {
      const { products } = await find(filters);
      const found = products.find((product) => product.product_id === "shirt")!;
      expect(found, JSON.stringify(filters)).toMatchObject({
        title: "Shirt, blue, L",
        price: { amount: 15000 },
        availability: { status: "in_stock" },
        price_range: { min: { amount: 900 }, max: { amount: 15000 } },
      });
      expect(found.sale_price).toBeUndefined();
      expect(new URL(found.product_url).pathname).toBe("/p/blue-l");
      expect(new URL(found.product_url).searchParams.get("utm_content")).toBe("shirt");
    }
    const out = await find({ attributes, availability: ["out_of_stock"] });
    expect(out.products).toMatchObject([{ price: { amount: 14000 }, availability: { status: "out_of_stock" } }]);
  });

  it("is shown with a price in the store's own currency, where one of them has it", async () => {
    const { find, ids } = await shop([
      shirt("S", "Blue", "S", { price: "9.00 USD" }),
      shirt("M", "Blue", "M", { price: "20.00 EUR" }),
      shirt("L", "Blue", "L", { price: "30.00 EUR" }),
    ]);
    for (const filters of [{}, { attributes }])
      expect((await find(filters)).products).toMatchObject([{ price: { amount: 2000, currency: "EUR" } }]);
    expect(await ids({ price: { max: 2500 } })).toEqual(["shirt"]);
    const small = [{ name: "size", values: ["S"] }];
    expect((await find({ attributes: small })).products).toMatchObject([{ price: { amount: 900, currency: "USD" } }]);
  });

  it("is, of those as cheap, the first in the feed, as get_product shows for the same choice", async () => {
    const { store, ctx, find } = await shop([shirt("M", "Red", "M")]);
    const selected = [{ name: "color", label: "Red" }];
    for (const sizes of ["SML", "LMS"]) {
      const rows = [...sizes].map((size) => shirt(size, "Red", size));
      await loadRows(database, store.id, rows);
      const [found] = (await find({ attributes: [{ name: "color", values: ["Red"] }] })).products;
      const { card } = await product.get(ctx, { storeId: store.id, of: { productId: "shirt" }, selected });
      expect(found!.product_url).toBe(card.product_url);
      expect(found!.product_url).toContain(`/p/${sizes[0]}?`);
    }
  });

  it("stands where that variant's price and stock put it", async () => {
    const { find } = await shop(rows);
    const order = async (sort: Search["sort"], filters: Filters) =>
      (await find(filters, { sort, query: "shirt" })).products.map((product) => product.product_id);
    expect(await order("price_asc", { attributes })).toEqual(["cap", "shirt", "hat"]);
    expect(await order("price_desc", { attributes })).toEqual(["hat", "shirt", "cap"]);
    expect(
      await order("price_asc", { attributes, price: { max: 14500 }, availability: ["out_of_stock", "in_stock"] }),
    ).toEqual(["cap", "shirt"]);
    expect(await order("relevance", { attributes: [{ name: "size", values: ["M"] }, ...attributes] })).toEqual([
      "shirt",
    ]);
    const first = await find({ attributes }, { sort: "price_asc", limit: 1 });
    const second = await find({ attributes }, { sort: "price_asc", limit: 1, cursor: first.nextCursor });
    expect([...first.products, ...second.products].map(({ product_id }) => product_id)).toEqual(["cap", "shirt"]);
  });

  it("is so too where there are more matches than are sorted", async () => {
    const { ctx, store } = await shop(rows);
    const asked = { asked: null, loose: false, wide: true, storeIds: [store.id], limit: 5 };
    for (const sort of sorts) {
      const found = await find(ctx, { ...asked, sort, filters: { attributes } });
      const row = found.rows.find(({ product_id }) => product_id === "shirt");
      expect(row, sort).toMatchObject({
        price_amount: 15000,
        sale_amount: null,
        link: "https://shop.example/p/blue-l",
      });
      expect(found.facets.filter(({ name }) => name === "on_sale")).toMatchObject([{ value: "false", count: 3 }]);
    }
  });

  it("is counted by facets as it is found once they are filters too", async () => {
    const { find } = await shop(rows);
    for (const asked of [{ attributes }, { gtin: [gtin] }, { condition: ["refurbished"] }] as Filters[]) {
      const { facets } = await find(asked);
      expect(facets.map(({ name }) => name)).toEqual(expect.arrayContaining(["price", "availability", "on_sale"]));
      for (const { name, values } of facets)
        for (const { value, count } of values) {
          const [, min, max] = /^(\d+)-(\d+) EUR$/.exec(value) ?? [];
          const added: Filters =
            name === "price"
              ? { price: { min: Number(min), max: Number(max) } }
              : name === "availability"
                ? { availability: [value] as Filters["availability"] }
                : name === "on_sale"
                  ? { on_sale: value === "true" }
                  : {};
          expect((await find({ ...asked, ...added })).totalCount, `${name} ${value}`).toBe(count);
        }
    }
  });
});

describe("the attributes filter", () => {
  it("wants all of them in one and the same variant", async () => {
    const { ids } = await shop([
      shirt("1", "Red", "M"),
      shirt("2", "Blue", "L"),
      { id: "other", title: "Shirt", color: "red", size: "L" },
    ]);
    const asked = (color: string[], size: string[]): Filters => ({
      attributes: [
        { name: "Color", values: color },
        { name: "size", values: size },
      ],
    });
    expect(await ids(asked(["RED"], ["m"]))).toEqual(["shirt"]);
    expect(await ids(asked(["red"], ["L"]))).toEqual(["other"]);
    expect(await ids(asked(["blue"], ["M"]))).toEqual([]);
    expect(await ids(asked(["red", "blue"], ["L"]))).toEqual(["other", "shirt"]);
  });

  it("wants the price and the availability of that variant too", async () => {
    const { ids } = await shop([
      shirt("1", "Red", "M", { availability: "out_of_stock", price: "10.00 EUR" }),
      shirt("2", "Red", "L", { price: "20.00 EUR" }),
    ]);
    const size = (value: string) => [{ name: "size", values: [value] }];
    expect(await ids({ attributes: size("L"), availability: ["in_stock"] })).toEqual(["shirt"]);
    expect(await ids({ attributes: size("M"), availability: ["in_stock"] })).toEqual([]);
    expect(await ids({ attributes: size("L"), price: { max: 1500 } })).toEqual([]);
    expect(await ids({ attributes: size("L"), price: { min: 1500, max: 2500 } })).toEqual(["shirt"]);
  });

  it("counts no variant that can't be had again, unless that is what is asked for", async () => {
    const { ids } = await shop([
      shirt("1", "Red", "M", { availability: "discontinued" }),
      shirt("2", "Green", "M", { expiration_date: "2027-03-05T12:00:00Z" }),
      shirt("3", "Blue", "M", { availability: "out_of_stock" }),
    ]);
    const asked = (color: string): Filters => ({ attributes: [{ name: "color", values: [color] }] });
    expect(await ids(asked("Red"))).toEqual([]);
    expect(await ids(asked("Green"))).toEqual([]);
    expect(await ids(asked("Blue"))).toEqual(["shirt"]);
    expect(await ids({ ...asked("Red"), availability: ["discontinued"] })).toEqual(["shirt"]);
    expect(await ids({ ...asked("Green"), availability: ["discontinued"] })).toEqual(["shirt"]);
    expect(await ids({ ...asked("Green"), availability: ["in_stock"] })).toEqual([]);
  });

  it("knows attributes of the store's own, and those of variants that left the feed no more", async () => {
    const { ids, store } = await shop([
      shirt("1", "Red", "M", { product_detail: "General:Fabric:Merino wool", product_weight: "1.5 kg" }),
      shirt("2", "Blue", "M"),
    ]);
    expect(await ids({ attributes: [{ name: "weight", values: ["1.5 KG"] }] })).toEqual(["shirt"]);
    expect(await ids({ attributes: [{ name: "fabric", values: ["merino WOOL"] }] })).toEqual(["shirt"]);
    await loadRows(database, store.id, [shirt("2", "Blue", "M")]);
    expect(await ids({ attributes: [{ name: "color", values: ["red"] }] })).toEqual([]);
  });

  it("never take a detail for the brand or the condition", async () => {
    const { ids } = await shop([
      { id: "new", brand: "Tarn", condition: "new", product_detail: "General:Condition:used,General:Brand:Other" },
    ]);
    expect(await ids({ condition: ["used"] })).toEqual([]);
    expect(await ids({ brand: ["Other"] })).toEqual([]);
    expect(await ids({ brand: ["Tarn"], condition: ["new"] })).toEqual(["new"]);
  });
});

describe("a detail called Type", () => {
  const rows: Row[] = [
    { id: "detail", product_type: "Food", product_detail: "General:Type:Coffee" },
    { id: "category", product_type: "Coffee" },
  ];

  it("is no category, and a category is no such detail", async () => {
    const { ids } = await shop(rows);
    expect(await ids({ product_type: ["Coffee"] })).toEqual(["category"]);
    for (const name of ["Type", "type"])
      expect(await ids({ attributes: [{ name, values: ["Coffee"] }] }), name).toEqual(["detail"]);
  });

  it("is told by its name where the attributes asked for leave nothing", async () => {
    const { find } = await shop(rows);
    const told = async (name: string) =>
      (await find({ attributes: [{ name, values: ["Tea"] }] })).messages.map(({ content }) => content);
    const nothing = "Nothing matches. Without filters.attributes, 2 products match";
    expect(await told("Type")).toEqual([`${nothing} (type: coffee).`]);
    expect(await told("sleeve")).toEqual([`${nothing} (attributes: type).`]);
  });
});

describe("the filters on sale and rating", () => {
  it("tell what is on sale now from what is not", async () => {
    const until = "2027-03-01T00:00Z/2027-03-08T00:00Z";
    const { ids } = await shop([
      { id: "on", price: "20.00 EUR", sale_price: "10.00 EUR" },
      { id: "over", price: "20.00 EUR", sale_price: "10.00 EUR", sale_price_effective_date: until },
      { id: "never", price: "20.00 EUR" },
    ]);
    const later = new Date("2027-04-01T00:00:00Z");
    expect(await ids({ on_sale: true })).toEqual(["on", "over"]);
    expect(await ids({ on_sale: true }, {}, later)).toEqual(["on"]);
    expect(await ids({ on_sale: false }, {}, later)).toEqual(["never", "over"]);
  });

  it("count stars of five on any scale, exactly", async () => {
    const { ids } = await shop([
      { id: "4.6", star_rating: "4.6", review_count: "10" },
      { id: "9.2 of 10", star_rating: "9.2/10", review_count: "200" },
      { id: "4.59", star_rating: "4.59", review_count: "10" },
      { id: "none" },
    ]);
    expect(await ids({ rating: { min: 4.6 } })).toEqual(["4.6", "9.2 of 10"]);
    expect(await ids({ rating: { min: 4.55 } })).toEqual(["4.59", "4.6", "9.2 of 10"]);
    expect(await ids({ rating: { min: 4.5, min_count: 100 } })).toEqual(["9.2 of 10"]);
    expect(await ids({ rating: { min: 0 } })).toEqual(["4.59", "4.6", "9.2 of 10"]);
    expect(await ids({ rating: { min_count: 10 } })).toEqual(["4.59", "4.6", "9.2 of 10"]);
  });

  it("take any count of ratings, also one that nothing could have", async () => {
    const { ids } = await shop([{ id: "rated", star_rating: "4.6", review_count: "10" }]);
    expect(await ids({ rating: { min_count: Number.MAX_SAFE_INTEGER } })).toEqual([]);
  });
});
