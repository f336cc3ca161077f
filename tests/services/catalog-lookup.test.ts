import { describe, expect, it } from "vitest";
import { lookup } from "../../server/services/catalog/lookup";
import * as product from "../../server/services/catalog/product";
import { testDatabase } from "../support/database";
import { makeReader, type makeStore } from "../support/factories";
import { makeGtin, makeStoreWith, type Row } from "../support/feed";

const database = testDatabase();

const shop = async (rows: Row[], given: Parameters<typeof makeStore>[1] = {}) =>
  (await makeStoreWith(database, rows, given)).id;
const reader = async () => database.as(await makeReader(database));

describe("a lookup", () => {
  it("gives products in the order asked, and says which were not found", async () => {
    const gtin = makeGtin();
    const store = await shop([{ id: "a" }, { id: "b" }, { id: "c", gtin }]);
    const id = (productId: string) => ({ storeId: store, productId });
    const unknown = makeGtin();
    const { matches, messages } = await lookup(await reader(), {
      ids: [id("b"), id("x"), id("a")],
      gtins: [unknown, gtin],
    });
    expect(matches.map(({ card, matchedBy }) => [card.product_id, matchedBy])).toEqual([
      ["b", { kind: "id", value: "b" }],
      ["a", { kind: "id", value: "a" }],
      ["c", { kind: "gtin", value: gtin }],
    ]);
    expect(messages).toMatchObject([
      { type: "warning", code: "not_found", path: "ids.1" },
      { type: "warning", code: "not_found", path: "gtins.0" },
    ]);
  });

  it("answers for a store that may not be read as for a product that is not there", async () => {
    const off = await makeStoreWith(database, [{ id: "it" }], { ai_discovery: false });
    const ctx = await reader();
    const told = async (storeId: string) =>
      (await lookup(ctx, { ids: [{ storeId, productId: "it" }], gtins: [] })).messages;
    expect(await told(off.id)).toEqual(await told(await shop([{ id: "other" }])));
    expect(await told(off.id)).toEqual(await told(crypto.randomUUID()));
  });

  it("gives the offer of the variant that an id or GTIN names", async () => {
    const gtin = makeGtin();
    const variant = (id: string, size: string, price: string, more = {}) => ({
      id,
      item_group_id: "shirt",
      title: "Shirt",
      size,
      price,
      ...more,
    });
    const store = await shop([
      variant("s", "S", "10.00 EUR"),
      variant("m", "M", "12.00 EUR", { gtin, availability: "preorder", availability_date: "2027-06-01" }),
    ]);
    const id = (productId: string) => ({ storeId: store, productId });
    const { matches } = await lookup(await reader(), { ids: [id("shirt"), id("m")], gtins: [gtin] });
    expect(matches.map(({ card }) => [card.product_id, card.price.amount])).toEqual([
      ["shirt", 1000],
      ["shirt", 1200],
      ["shirt", 1200],
    ]);
    expect(matches[1]!.card.availability).toEqual({
      status: "preorder",
      available: true,
      availability_date: "2027-06-01",
    });
    expect(new URL(matches[1]!.card.product_url).searchParams.get("utm_content")).toBe("shirt");
  });

  it("finds an article in every store that has it, written as UPC, EAN or GTIN-14, the cheapest first", async () => {
    const ean = makeGtin();
    const stores = [];
    for (const price of ["3.00 EUR", "1.00 EUR", "2.00 EUR"]) stores.push(await shop([{ id: "it", gtin: ean, price }]));
    const { matches, messages } = await lookup(await reader(), { ids: [], gtins: [`0${ean}`] });
    expect(matches.map(({ card }) => card.store_id)).toEqual([stores[1], stores[2], stores[0]]);
    expect(messages).toEqual([]);
  });

  it("compares prices within a currency: each store's own before its others, and that of most stores first", async () => {
    const gtin = makeGtin();
    const variant = (id: string, price: string) => ({ id, item_group_id: "it", size: id, gtin, price });
    const euro = await shop([{ id: "it", gtin, price: "1.00 EUR" }]);
    const dear = await shop([variant("S", "2.00 EUR"), variant("M", "9.00 USD")], { currency: "USD" });
    const cheap = await shop([{ id: "it", gtin, price: "10.00 USD", sale_price: "3.00 USD" }], { currency: "USD" });
    const { matches } = await lookup(await reader(), { ids: [], gtins: [gtin] });
    expect(matches.map(({ card }) => [card.store_id, (card.sale_price ?? card.price).formatted])).toEqual([
      [cheap, "$3.00"],
      [dear, "$9.00"],
      [euro, "€1.00"],
    ]);
  });

  it("begins with the currency of most stores that have an article, each article by itself", async () => {
    const [gtin, other] = [makeGtin(), makeGtin()];
    const sell = (of: string, price: string) =>
      shop([{ id: "it", gtin: of, price }], { currency: price.slice(-3), currencies: [price.slice(-3)] });
    for (const price of ["1.00 EUR", "9.00 USD", "8.00 USD"]) await sell(gtin, price);
    for (const price of ["2.00 EUR", "3.00 EUR", "1.00 USD"]) await sell(other, price);
    const { matches } = await lookup(await reader(), { ids: [], gtins: [gtin, other] });
    expect(matches.map(({ card: { price } }) => `${price.amount} ${price.currency}`)).toEqual(
      ["800 USD", "900 USD", "100 EUR"].concat(["200 EUR", "300 EUR", "100 USD"]),
    );
  });

  it("counts for that currency only stores where the article can still be had; where it cannot, all of them", async () => {
    const gtin = makeGtin();
    for (const price of ["3.00 USD", "4.00 USD", "7.00 EUR", "8.00 EUR", "9.00 EUR"])
      await shop([{ id: "it", gtin, price }], { currency: price.slice(-3), currencies: [price.slice(-3)] });
    const order = async () => {
      const { matches } = await lookup(await reader(), { ids: [], gtins: [gtin] });
      return matches.map(({ card: { price } }) => `${price.amount} ${price.currency}`);
    };
    const end = (...amounts: number[]) => database.sql`update variants set availability = 'discontinued'
      where gtin = ${gtin.padStart(14, "0")} and price_amount = any (${amounts}::int[])`;
    await end(800, 900);
    expect(await order()).toEqual(["300 USD", "400 USD", "700 EUR", "800 EUR", "900 EUR"]);
    await end(300, 400, 700);
    expect(await order()).toEqual(["700 EUR", "800 EUR", "900 EUR", "300 USD", "400 USD"]);
  });

  it("gives the product whose id one of its variants has too, says so, and what it says leads to the variant", async () => {
    const gtin = makeGtin();
    const shoe = (id: string, color: string, price: string, more = {}) => ({
      ...{ id, item_group_id: "SHOE", title: `Shoe ${color}`, color, price },
      ...more,
    });
    const store = await shop([
      shoe("SHOE", "Grey", "9.00 EUR", { item_group_id: "", gtin }),
      shoe("S1", "Red", "5.00 EUR"),
      { id: "lamp" },
      { id: "LONE", item_group_id: "LONE", color: "Red" },
    ]);
    const ctx = await reader();
    const ids = ["lamp", "S1", "LONE", "SHOE"].map((productId) => ({ storeId: store, productId }));
    const { matches, messages } = await lookup(ctx, { ids, gtins: [gtin] });
    expect(matches.map(({ card }) => card.price.amount)).toEqual([1000, 500, 1000, 500, 900]);
    expect(messages).toMatchObject([
      { type: "info", code: "also_variant", content: expect.stringContaining("gtin or by selected"), path: "ids.3" },
    ]);
    const get = (of: Parameters<typeof product.get>[1]["of"], ...selected: { name: string; label: string }[]) =>
      product.get(ctx, { storeId: store, of, selected });
    const shoes = await get({ productId: "SHOE" });
    expect(shoes.messages).toEqual([{ ...messages[0], path: "product_id" }]);
    expect(shoes.variants.map(({ variant_id }) => variant_id)).toEqual(["S1", "SHOE"]);
    for (const found of [
      await get({ gtin }),
      await get({ productId: "SHOE" }, { name: "color", label: "Grey" }),
      await get({ productId: "LONE" }),
    ])
      expect(found).toMatchObject({ variant: { variant_id: expect.stringMatching(/SHOE|LONE/) }, messages: [] });
  });

  it("says of each price what is paid over time beside it", async () => {
    const gtin = makeGtin();
    const store = await shop([
      { id: "phone", title: "Phone", gtin, price: "1.00 EUR", subscription_cost: "month:24:39.99 EUR" },
      { id: "lamp" },
    ]);
    const ids = ["lamp", "phone"].map((productId) => ({ storeId: store, productId }));
    const { matches, messages } = await lookup(await reader(), { ids, gtins: [gtin] });
    const plan = "39.99 EUR a month for 24 months; the price is what is due at checkout";
    const said = { type: "info", code: "payment_plan", content: `Phone at ${matches[0]!.card.store_name}: ${plan}.` };
    expect(messages).toEqual([
      { ...said, path: "ids.1" },
      { ...said, path: "gtins.0" },
    ]);
  });

  it("says what is paid over time for the variant that it shows, once another's offer has ended and nothing is renewed yet", async () => {
    const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000);
    const phone = (id: string, more: Record<string, string>) => ({
      ...{ id, item_group_id: "phone", title: "Phone", size: id },
      ...more,
    });
    const store = await shop([
      phone("S", {
        price: "1.00 EUR",
        expiration_date: inHours(1).toISOString(),
        subscription_cost: "month:24:39.99 EUR",
      }),
      phone("M", { price: "600.00 EUR", installment: "24:25.00 EUR:0 EUR" }),
    ]);
    const of = async (now: Date) => {
      const ids = [{ storeId: store, productId: "phone" }];
      return lookup({ ...(await reader()), now }, { ids, gtins: [] });
    };
    const told = (content: string) => [{ code: "payment_plan", content: expect.stringContaining(content) }];
    expect(await of(new Date())).toMatchObject({
      matches: [{ card: { price: { amount: 100 } } }],
      messages: told("39.99 EUR a month"),
    });
    expect(await of(inHours(2))).toMatchObject({
      matches: [{ card: { price: { amount: 60000 } } }],
      messages: told("24 monthly payments of 25.00 EUR"),
    });
  });

  it("shows ten stores of an article and says where the others are", async () => {
    const gtin = makeGtin();
    for (let n = 0; n < 10; n++) await shop([{ id: "it", gtin }]);
    expect((await lookup(await reader(), { ids: [], gtins: [gtin] })).messages).toEqual([]);
    await shop([{ id: "it", gtin }]);
    const { matches, messages } = await lookup(await reader(), { ids: [], gtins: [gtin] });
    expect(matches).toHaveLength(10);
    expect(messages).toMatchObject([{ code: "answer_shortened", path: "gtins.0" }]);
  });

  it("never gives what its merchant excluded", async () => {
    const gtin = makeGtin();
    const store = await shop([{ id: "it", gtin }]);
    await database.sql`update products set excluded = true where store_id = ${store}`;
    const { matches } = await lookup(await reader(), { ids: [{ storeId: store, productId: "it" }], gtins: [gtin] });
    expect(matches).toEqual([]);
  });
});
