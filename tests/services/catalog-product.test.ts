import { describe, expect, it } from "vitest";
import { type AvailabilityStatus, availability } from "../../server/services/catalog/card";
import * as product from "../../server/services/catalog/product";
import { search } from "../../server/services/catalog/search";
import { testDatabase } from "../support/database";
import { makeReader, type makeStore } from "../support/factories";
import { loadRows, makeGtin, makeStoreWith, type Row } from "../support/feed";

const database = testDatabase();

/** Before anything has expired, whenever the test runs. */
const before = new Date("2027-01-01T00:00:00Z");

async function shop(rows: Row[], given: Parameters<typeof makeStore>[1] = {}) {
  const store = await makeStoreWith(database, rows, given, before);
  const reader = await makeReader(database);
  const get = (
    of: string | { gtin: string },
    selected: [name: string, label: string][] = [],
    now = new Date("2027-03-05T12:00:00Z"),
  ) =>
    product.get(database.as(reader, now), {
      storeId: store.id,
      of: typeof of === "string" ? { productId: of } : of,
      selected: selected.map(([name, label]) => ({ name, label })),
    });
  const find = () => search(database.as(reader), { storeIds: [store.id], sort: "relevance", limit: 50 });
  return { store, get, find };
}

const shirt = (id: string, color: string, size: string, more: Record<string, string> = {}) => ({
  id,
  item_group_id: "shirt",
  title: `Linen shirt - ${color}, ${size}`,
  link: `https://shop.example/shirt?v=${id}`,
  color,
  size,
  ...more,
});
const shirts = [
  shirt("red-s", "Red", "S", { price: "20.00 EUR" }),
  shirt("red-m", "Red", "M", { price: "22.00 EUR", availability: "out_of_stock" }),
  shirt("blue-m", "Blue", "M", { price: "25.00 EUR" }),
  shirt("blue-l", "Blue", "L", { price: "24.00 EUR" }),
];

it.each<[AvailabilityStatus, boolean, string | undefined]>([
  ["in_stock", true, undefined],
  ["preorder", true, "2027-04-01"],
  ["backorder", true, "2027-04-01"],
  ["out_of_stock", false, undefined],
  ["discontinued", false, undefined],
])("what is %s can be ordered: %s, with its day: %s", (status, available, availability_date) => {
  expect(availability(status, "2027-04-01T12:00:00+00:00")).toEqual({ status, available, availability_date });
});

describe("a product", () => {
  it("of more variants than are read is shown with the price that search shows, and says how many there are", async () => {
    const many = Array.from({ length: 5_001 }, (_, i) => ({
      ...{ id: `thread-${i}`, item_group_id: "thread", title: "Thread", color: `Colour ${i}` },
      price: i < 5_000 ? "20.00 EUR" : "10.00 EUR",
    }));
    const { get, find } = await shop(many);
    const { card, messages } = await get("thread");
    expect(card.price).toEqual((await find()).products[0]!.price);
    expect(card.price).toMatchObject({ amount: 1000 });
    expect(messages).toMatchObject([{ content: expect.stringContaining("50 of 5001 variants") }]);
    expect((await get("thread", [["color", "Colour 5000"]])).variant.variant_id).toBe("thread-5000");
    const { messages: told } = await get("thread", [["color", "None of these"]]);
    expect(told[0]).toMatchObject({ content: expect.stringContaining("None of the 5000 variants looked at") });
  });

  it("is shown as its cheapest variant to be had, with the range of prices and its options", async () => {
    const { get } = await shop(shirts);
    const { card, variant, options, variants } = await get("shirt");
    expect(card).toMatchObject({
      product_id: "shirt",
      price: { amount: 2000, currency: "EUR" },
      price_range: { min: { amount: 2000 }, max: { amount: 2500 } },
      item_group_id: "shirt",
    });
    expect(variant.variant_id).toBe("red-s");
    expect(options).toEqual([
      {
        name: "color",
        values: [
          { label: "Red", available: true, exists: true },
          { label: "Blue", available: true, exists: true },
        ],
      },
      {
        name: "size",
        values: ["S", "M", "L"].map((label) => ({ label, available: true, exists: true })),
      },
    ]);
    expect(variants.map(({ variant_id }) => variant_id).toSorted()).toEqual(["blue-l", "blue-m", "red-m", "red-s"]);
  });

  it("has no range of prices where all its variants cost the same", async () => {
    const { get } = await shop(shirts.map((row) => ({ ...row, price: "20.00 EUR" })));
    const { card } = await get("shirt");
    expect([card.price.amount, card.price_range]).toEqual([2000, undefined]);
  });

  it("has a range of prices in its own currency alone", async () => {
    const prices = ["20.00 EUR", "22.00 EUR", "90.00 USD", "95.00 USD"];
    const { get } = await shop(shirts.map((row, i) => ({ ...row, price: prices[i]! })));
    const { card } = await get("blue-m");
    expect(card.price).toMatchObject({ amount: 9000, currency: "USD" });
    expect(card.price_range).toMatchObject({ min: { amount: 2000 }, max: { amount: 2200, currency: "EUR" } });
  });

  it.each([
    ["EUR", "USD"],
    ["USD", "EUR"],
  ])(
    "is shown as the cheapest of those in the store's own %s, for what is selected and for a GTIN too",
    async (currency, other) => {
      const gtin = makeGtin();
      const prices = [`9.00 ${other}`, `25.00 ${currency}`, `8.00 ${other}`, `24.00 ${currency}`];
      const rows = shirts.map((row, i) => ({ ...row, price: prices[i]!, availability: "in_stock", gtin }));
      const { get } = await shop(rows, { currency });
      for (const shown of [await get("shirt"), await get({ gtin })]) {
        expect(shown.variant.variant_id).toBe("blue-l");
        expect(shown.card.price).toMatchObject({ amount: 2400, currency });
      }
      expect((await get("shirt", [["size", "M"]])).variant.variant_id).toBe("red-m");
    },
  );

  it("that is out of stock is shown as the first in the feed, as search shows it", async () => {
    const { get, find } = await shop(shirts.toReversed().map((row) => ({ ...row, availability: "out_of_stock" })));
    const { card, variant } = await get("shirt");
    expect([variant.variant_id, card.price.amount]).toEqual(["blue-l", 2400]);
    expect((await find()).products).toMatchObject([{ price: { amount: 2400 } }]);
  });

  it("shows a variant that is over as discontinued, outside the range of prices, with the product's picture", async () => {
    const over = { price: "5.00 EUR", image_link: "", expiration_date: "2027-03-01T00:00:00Z" };
    const image_link = "https://shop.example/shirt.jpg";
    const { get } = await shop([shirt("red-xs", "Red", "XS", over), ...shirts.map((row) => ({ ...row, image_link }))]);
    expect((await get("red-xs")).card).toMatchObject({
      availability: { status: "discontinued", available: false },
      price_range: { min: { amount: 2000 }, max: { amount: 2500 } },
      image_link,
    });
  });

  it("is shown as the variant whose id or GTIN is asked for", async () => {
    const gtin = makeGtin();
    const { get } = await shop([...shirts.slice(0, 3), shirt("blue-l", "Blue", "L", { price: "24.00 EUR", gtin })]);
    for (const asked of ["blue-l", { gtin }, { gtin: `0${gtin}` }]) {
      const { card, variant } = await get(asked);
      expect(variant.variant_id).toBe("blue-l");
      expect(card).toMatchObject({ product_id: "shirt", title: "Linen shirt - Blue, L", price: { amount: 2400 } });
      expect(new URL(card.product_url).searchParams.get("v")).toBe("blue-l");
      expect(new URL(card.product_url).searchParams.get("utm_content")).toBe("shirt");
    }
  });

  it("is shown as the variant that is selected, in whatever case", async () => {
    const { get } = await shop(shirts);
    expect((await get("shirt", [["Color", "blue"]])).variant.variant_id).toBe("blue-l");
    expect(
      (
        await get("shirt", [
          ["color", "BLUE"],
          ["size", "m"],
        ])
      ).variant.variant_id,
    ).toBe("blue-m");
    const out = await get("shirt", [
      ["color", "red"],
      ["size", "M"],
    ]);
    expect(out.card.availability).toEqual({ status: "out_of_stock", available: false });
    expect(out.messages).toEqual([]);
  });

  it("tells for each option what exists and what can be had with the rest of the selection", async () => {
    const { get } = await shop(shirts);
    const { options } = await get("shirt", [["color", "Red"]]);
    expect(options).toMatchObject([
      {
        name: "color",
        values: [
          { label: "Red", available: true },
          { label: "Blue", available: true },
        ],
      },
      {
        name: "size",
        values: [
          { label: "S", available: true, exists: true },
          { label: "M", available: false, exists: true },
          { label: "L", available: false, exists: false },
        ],
      },
    ]);
  });

  it("says when no variant is what is selected", async () => {
    const { get } = await shop(shirts);
    const apart = await get("shirt", [
      ["color", "Red"],
      ["size", "L"],
    ]);
    expect(apart.variant.variant_id).toBe("red-s");
    expect(apart.messages).toMatchObject([{ type: "warning", code: "no_such_variant", path: "selected" }]);
  });

  it.each(["colour", "Colour", "CÓLOR"])("takes its option color by the name %s", async (name) => {
    const { get } = await shop(shirts);
    const { variant, options, messages } = await get("shirt", [
      [name, "Blue"],
      ["size", "M"],
    ]);
    expect(variant.variant_id).toBe("blue-m");
    expect(options[0]!.values.map(({ exists }) => exists)).toEqual([true, true]);
    expect(messages).toEqual([]);
  });

  it("leaves out of the selection what no variant has, and says what there is", async () => {
    const { get } = await shop(shirts);
    const usual = await get("shirt", [["color", "Red"]]);
    for (const [name, label, content] of [
      ["flavour", "Mint", 'The product has no option "flavour"; it was ignored. Its options are color, size.'],
      ["size", "XXL", 'No variant has size "XXL"; it was ignored. Choose from S, M, L.'],
    ] as const) {
      const found = await get("shirt", [
        ["color", "Red"],
        [name, label],
      ]);
      expect(found).toMatchObject({ variant: usual.variant, options: usual.options });
      expect(found.messages).toEqual([{ type: "warning", code: "unknown_option", content, path: "selected" }]);
    }
  });

  it("has as options only what tells its variants apart", async () => {
    const { get } = await shop([
      {
        id: "1",
        item_group_id: "bottle",
        title: "Bottle",
        color: "Steel",
        product_detail: "General:Made in:Ireland,General:Capacity:0.5 l",
      },
      {
        id: "2",
        item_group_id: "bottle",
        title: "Bottle",
        color: "Steel",
        product_detail: "General:Made in:Ireland,General:Capacity:1 l",
      },
      { id: "alone", title: "Cup", color: "Red" },
    ]);
    expect((await get("bottle")).options.map(({ name }) => name)).toEqual(["Capacity"]);
    expect((await get("bottle", [["capacity", "1 l"]])).variant.variant_id).toBe("2");
    expect((await get("alone")).options).toEqual([]);
  });

  it("has no option whose values differ in case or accents alone", async () => {
    const { get } = await shop([shirt("s", "Ecru", "S"), shirt("m", "ÉCRU", "M")]);
    expect((await get("shirt")).options.map(({ name }) => name)).toEqual(["size"]);
  });

  it("is what an id means that a variant has too, unless it left the feed and the variant is in it", async () => {
    const { get, store } = await shop([
      shirt("dear", "Red", "S", { price: "30.00 EUR" }),
      ...[shirt("shirt", "Blue", "S", { price: "40.00 EUR" }), { id: "other" }],
    ]);
    expect((await get("shirt")).variant.variant_id).toBe("dear");
    const moved = { item_group_id: "blouse", price: "40.00 EUR" };
    await loadRows(database, store.id, [
      shirt("s", "Red", "S", { ...moved, price: "30.00 EUR" }),
      shirt("shirt", "Blue", "S", moved),
    ]);
    expect((await get("shirt")).card).toMatchObject({ product_id: "blouse", price: { amount: 4000 } });
  });

  it("has the description, codes, shipping and return policy of what is shown", async () => {
    const gtin = makeGtin();
    const { get } = await shop(
      [
        {
          id: "it",
          title: "Stove",
          description: "Boils fast.",
          gtin,
          mpn: "ST-1",
          sku: "S1",
          shipping: "IE::Post:4.00 EUR",
          product_type: "Camp > Stoves",
        },
      ],
      { return_policy: { return_window_days: 30, fees: "free" } },
    );
    expect(await get("it")).toMatchObject({
      details: {
        description: "Boils fast.",
        mpn: "ST-1",
        sku: "S1",
        condition: "new",
        product_type: ["Camp", "Stoves"],
        shipping: [{ country: "IE", service: "Post", price: 400, currency: "EUR" }],
      },
      variant: { gtin: gtin.padStart(14, "0") },
      returnPolicy: { return_window_days: 30, fees: "free" },
    });
  });

  it("is on sale from the start of its sale and before the end", async () => {
    const sale = { sale_price: "15.00 EUR", sale_price_effective_date: "2027-03-01T00:00Z/2027-03-08T00:00Z" };
    const { get } = await shop([{ id: "it", price: "20.00 EUR", ...sale }]);
    const at = async (now: string) => (await get("it", [], new Date(now))).card.sale_price?.amount;
    expect(await at("2027-02-28T23:59:59.999Z")).toBeUndefined();
    expect(await at("2027-03-01T00:00:00Z")).toBe(1500);
    expect(await at("2027-03-08T00:00:00Z")).toBeUndefined();
  });

  it("that left the feed is still told, as discontinued; a variant that left is not, unless by its id", async () => {
    const { get, store } = await shop([...shirts, { id: "hat" }]);
    await loadRows(database, store.id, shirts.slice(0, 3));
    expect((await get("hat")).card.availability).toEqual({ status: "discontinued", available: false });
    expect((await get("shirt")).variants.map(({ variant_id }) => variant_id)).not.toContain("blue-l");
    expect((await get("shirt")).card.price_range!.max.amount).toBe(2500);
    expect((await get("blue-l")).card.availability.status).toBe("discontinued");
  });

  it("lists 50 variants at most, those that fit first, and knows them all", async () => {
    const { get } = await shop(Array.from({ length: 60 }, (_, n) => shirt(`v${n}`, n === 59 ? "Gold" : "Red", `${n}`)));
    const all = await get("shirt");
    expect(all.variants).toHaveLength(50);
    expect(all.messages).toMatchObject([{ code: "answer_shortened" }]);
    expect(all.options.find(({ name }) => name === "size")!.values).toHaveLength(60);
    const gold = await get("shirt", [["color", "gold"]]);
    expect(gold.variants[0]!.variant_id).toBe("v59");
  });

  it("lists the variant that is asked for first, however many there are", async () => {
    const { get } = await shop(
      Array.from({ length: 120 }, (_, n) => shirt(`v${n}`, "Red", `${n}`, { price: `${10 + n}.00 EUR` })),
    );
    const last = await get("v119");
    expect(last.variants[0]!.variant_id).toBe("v119");
    expect(last.variants.map(({ variant_id }) => variant_id)).toEqual([
      "v119",
      ...Array.from({ length: 49 }, (_, n) => `v${n}`),
    ]);
  });

  it("is not found by an unknown id, an excluded one, or that of another store", async () => {
    const { get, store } = await shop([{ id: "it" }, { id: "hidden" }]);
    await shop([{ id: "elsewhere" }]);
    await database.sql`update products set excluded = true where store_id = ${store.id} and product_id = 'hidden'`;
    for (const id of ["nothing", "hidden", "elsewhere"]) {
      await expect(get(id)).rejects.toMatchObject({
        code: "product_not_found",
        message: expect.stringContaining("search_products"),
      });
    }
    await expect(get({ gtin: makeGtin() })).rejects.toMatchObject({ code: "product_not_found" });
  });
});
