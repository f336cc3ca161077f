import { describe, expect, it } from "vitest";
import { getOffers } from "../../server/tools/get-offers";
import { getProduct } from "../../server/tools/get-product";
import { lookupProducts } from "../../server/tools/lookup-products";
import { ask, refused } from "../support/ask";
import { testDatabase } from "../support/database";
import { makeReader, makeStore } from "../support/factories";
import { loadRows, makeGtin, makeStoreWith } from "../support/feed";
import { loadFeed } from "../support/feeds/load";

const database = testDatabase();

interface Answer {
  product: Record<string, unknown> & {
    variants: Record<string, unknown>[];
    shipping: { country?: string; service?: string; price: object }[];
  };
  messages: { code: string; content: string }[];
}

describe("get_product", () => {
  it("tells a rating also where the feed does not say how many gave it", async () => {
    const store = await makeStoreWith(database, [{ id: "cup", star_rating: "4.5" }]);
    const ctx = database.as(await makeReader(database));
    const { product } = await ask<Answer>(ctx, getProduct, { store_id: store.id, product_id: "cup" });
    expect(product.rating).toEqual({ value: 4.5, scale_max: 5 });
  });

  it("tells everything about a product, under the names of Google's product data", async () => {
    const gtin = makeGtin();
    const store = await makeStore(database, {
      return_policy: { return_window_days: 30, fees: "free", url: "https://shop.example/returns" },
    });
    const common = {
      item_group_id: "boot",
      brand: "Tinholt",
      material: "Leather",
      gender: "female",
      age_group: "adult",
      pattern: "Plain",
    };
    await loadRows(database, store.id, [
      {
        ...common,
        ...{
          id: "boot-38",
          title: "Boot",
          color: "Brown",
          size: "38",
          gtin,
          mpn: "B38",
          sku: "S38",
          price: "90.00 EUR",
        },
        ...{
          description: "Warm and dry.",
          condition: "refurbished",
          product_type: "Shoes > Boots",
          unit_pricing_measure: "1 ct",
        },
        ...{ google_product_category: "Apparel & Accessories > Shoes", product_detail: "General:Lining:Wool" },
        additional_image_link: "https://shop.example/i/2.jpg,https://shop.example/i/3.jpg",
        shipping: "DE::Post:9.00 EUR,IE::Post:4.00 EUR",
        link: "https://shop.example/boot?s=38",
      },
      {
        ...common,
        id: "boot-39",
        title: "Boot",
        color: "Brown",
        size: "39",
        price: "99.00 EUR",
        availability: "out_of_stock",
      },
    ]);
    const ctx = database.as(await makeReader(database));
    const { product, messages } = await ask<Answer>(ctx, getProduct, {
      store_id: store.id,
      gtin,
      context: { country: "IE" },
    });
    expect(messages).toEqual([]);
    expect(product).toMatchObject({
      ...{ product_id: "boot", store_id: store.id, title: "Boot", brand: "Tinholt", item_group_id: "boot" },
      ...{ description: "Warm and dry.", gtin, mpn: "B38", sku: "S38", condition: "refurbished" },
      ...{ color: "Brown", size: "38", material: "Leather", pattern: "Plain", age_group: "adult", gender: "female" },
      product_type: "Shoes > Boots",
      google_product_category: "Apparel & Accessories > Shoes",
      unit_pricing_measure: "1 ct",
      additional_image_link: ["https://shop.example/i/2.jpg", "https://shop.example/i/3.jpg"],
      attributes: [{ name: "Lining", value: "Wool" }],
      options: [
        {
          name: "size",
          values: [
            { label: "38", available: true, exists: true },
            { label: "39", available: false, exists: true },
          ],
        },
      ],
      shipping: [
        { country: "IE", service: "Post", price: { amount: 400, currency: "EUR", formatted: "€4.00" } },
        { country: "DE", service: "Post", price: { amount: 900, currency: "EUR", formatted: "€9.00" } },
      ],
      return_policy: { return_window_days: 30, fees: "free", url: "https://shop.example/returns" },
    });
    expect(product.variants[0]).toEqual({
      product_id: "boot-38",
      title: "Boot",
      options: [{ name: "size", label: "38" }],
      price: { amount: 9000, currency: "EUR", formatted: "€90.00" },
      availability: { status: "in_stock", available: true },
      gtin,
      image_link: "https://shop.example/i/boot-38.jpg",
      product_url: `https://shop.example/boot?s=38&utm_source=${ctx.actor.utmSource}&utm_medium=ai_agent&utm_campaign=${ctx.actor.slug}&utm_content=boot-38`,
    });
  });

  it("tells the brand of the variant that it shows, as lookup_products does", async () => {
    const store = await makeStore(database);
    const row = { item_group_id: "lamp", title: "Lamp" };
    const gtin = makeGtin();
    await loadRows(database, store.id, [
      { ...row, id: "lamp-s", size: "S", brand: "Tinholt", price: "10.00 EUR" },
      { ...row, id: "lamp-l", size: "L", brand: "Osk", price: "20.00 EUR", gtin },
      { ...row, id: "lamp-m", size: "M", price: "30.00 EUR" },
    ]);
    const ctx = database.as(await makeReader(database));
    const brand = async (args: object) =>
      (await ask<Answer>(ctx, getProduct, { store_id: store.id, ...args })).product.brand;
    const ids = ["lamp", "lamp-s", "lamp-l", "lamp-m"];
    const looked = await ask<{ products: { brand: string }[] }>(ctx, lookupProducts, {
      ids: ids.map((product_id) => ({ store_id: store.id, product_id })),
    });
    expect(looked.products.map((product) => product.brand)).toEqual(["Tinholt", "Tinholt", "Osk", "Tinholt"]);
    for (const [i, product_id] of ids.entries()) expect(await brand({ product_id })).toBe(looked.products[i]!.brand);
    expect(await brand({ gtin })).toBe("Osk");
    expect(await brand({ product_id: "lamp", selected: [{ name: "size", label: "L" }] })).toBe("Osk");
  });

  it("tells first what reaches the shopper's country, as what goes everywhere does", async () => {
    const store = await makeStore(database);
    const shipping = "DE::Van:1.00 EUR,IE::Post:7.00 EUR,::World:5.00 EUR";
    await loadRows(database, store.id, [{ id: "cup", shipping }]);
    const ctx = database.as(await makeReader(database));
    const cup = { store_id: store.id, product_id: "cup" };
    const services = async (country?: string) => {
      const { product } = await ask<Answer>(ctx, getProduct, { ...cup, ...(country && { context: { country } }) });
      return product.shipping.map(({ service }) => service);
    };
    expect(await services("IE")).toEqual(["World", "Post", "Van"]);
    expect(await services("DE")).toEqual(["Van", "World", "Post"]);
    expect(await services()).toEqual(["World", "Van", "Post"]);
    await loadRows(database, store.id, [
      { id: "cup", shipping: "::Courier:2.00 USD,::World:5.00 EUR,::Fast:1500 JPY" },
    ]);
    expect(await services()).toEqual(["World", "Fast", "Courier"]);
  });

  it("says when no shipping to the shopper's country is stated", async () => {
    const store = await makeStoreWith(database, [
      { id: "cup", shipping: "IE::Post:7.00 EUR,GB::Post:9.00 EUR" },
      { id: "mug", shipping: "::World:5.00 EUR" },
      { id: "pot" },
    ]);
    const ctx = database.as(await makeReader(database));
    const said = async (product_id: string, country: string) => {
      const args = { store_id: store.id, product_id, context: { country } };
      return (await ask<Answer>(ctx, getProduct, args)).messages.map(({ content }) => content);
    };
    const unknown =
      "No shipping of a single unit to DE is stated; search_store_policies may say whether the store delivers there.";
    expect(await said("cup", "DE")).toEqual([unknown]);
    expect(await said("pot", "DE")).toEqual([unknown]);
    expect(await said("cup", "IE")).toEqual([]);
    expect(await said("mug", "DE")).toEqual([]);
    // UK is what many call GB.
    expect(await said("cup", "UK")).toEqual([]);
  });

  it("tells no way of shipping that its price now is not enough for, just as get_offers", async () => {
    const store = await makeStore(database, { country: "IE" });
    const way = (service: string, rest: string) =>
      `<shipping><country>IE</country><service>${service}</service>${rest}</shipping>`;
    const ways =
      way("Free", "<price>0 EUR</price><min_order_value>50 EUR</min_order_value>") +
      way("Dollars", "<price>0 USD</price><min_order_value>9 USD</min_order_value>") +
      way("Post", "<price>4.90 EUR</price><min_order_value>16 EUR</min_order_value>");
    const item = (id: string, prices: string) =>
      `<item><id>${id}</id><item_group_id>oil</item_group_id><title>Oil</title><size>${id}</size><link>https://shop.example/${id}</link>
      <availability>in_stock</availability>${prices}${ways}<min_handling_time>1</min_handling_time><max_transit_time>4</max_transit_time></item>`;
    const feed = `<rss><channel>${item("small", "<price>60 EUR</price><sale_price>16.54 EUR</sale_price>")}${item("large", "<price>50 EUR</price>")}</channel></rss>`;
    await loadFeed(database, store.id, feed, { fileName: "feed.xml" });
    const ctx = database.as(await makeReader(database));
    const told = async (product_id: string) => {
      const { product } = await ask<Answer>(ctx, getProduct, { store_id: store.id, product_id });
      const { offers } = await ask<{ offers: { shipping: object }[] }>(ctx, getOffers, {
        store_id: store.id,
        product_id,
      });
      expect(offers[0]!.shipping).toMatchObject({ price: product.shipping[0]!.price, min_handling_days: 1 });
      return product.shipping;
    };
    expect(await told("small")).toEqual([
      {
        ...{ country: "IE", service: "Post", min_handling_days: 1, max_transit_days: 4 },
        price: expect.objectContaining({ amount: 490 }),
      },
    ]);
    expect(await told("large")).toMatchObject([{ service: "Free" }, { service: "Post" }]);
    expect((await told("oil")).map(({ service }) => service)).toEqual(["Post"]);
  });

  it("tells twenty ways of shipping at most, the cheapest", async () => {
    const store = await makeStore(database, { country: "IE" });
    const ways = Array.from(
      { length: 25 },
      (_, euros) => `<shipping><country>IE</country><service>S${euros}</service><price>${euros} EUR</price></shipping>`,
    );
    const feed = `<rss><channel><item><id>cup</id><title>Cup</title><link>https://shop.example/cup</link>
      <availability>in_stock</availability><price>5 EUR</price>${ways.toReversed().join("")}</item></channel></rss>`;
    await loadFeed(database, store.id, feed, { fileName: "feed.xml" });
    const ctx = database.as(await makeReader(database));
    const { product } = await ask<Answer>(ctx, getProduct, { store_id: store.id, product_id: "cup" });
    expect(product.shipping.map(({ service }) => service)).toEqual(Array.from({ length: 20 }, (_, n) => `S${n}`));
  });

  it("leaves out what the merchant does not say", async () => {
    const store = await makeStoreWith(database, [{ id: "cup" }]);
    const { product } = await ask<Answer>(database.as(await makeReader(database)), getProduct, {
      store_id: store.id,
      product_id: "cup",
    });
    for (const field of [
      "gtin",
      "mpn",
      "brand",
      "color",
      "return_policy",
      "sale_price",
      "price_range",
      "rating",
      "item_group_id",
    ])
      expect(product).not.toHaveProperty(field);
    expect(product).toMatchObject({ options: [], shipping: [], attributes: [], variants: [{ product_id: "cup" }] });
  });

  it("writes a GTIN as it is printed on the article", async () => {
    const store = await makeStore(database);
    const printed = ["96385074", "036000291452", "4006381333931", "10614141000415"];
    await loadRows(
      database,
      store.id,
      printed.map((gtin, n) => ({ id: `p${n}`, gtin })),
    );
    const ctx = database.as(await makeReader(database));
    for (const gtin of printed)
      expect((await ask<Answer>(ctx, getProduct, { store_id: store.id, gtin })).product.gtin).toBe(gtin);
  });

  it("refuses a call that names no product, or two", async () => {
    const ctx = database.as(await makeReader(database));
    const store_id = crypto.randomUUID();
    expect(refused(ctx, getProduct, { store_id })).toEqual(["product_id"]);
    expect(refused(ctx, getProduct, { store_id, product_id: "a", gtin: makeGtin() })).toEqual(["gtin"]);
    expect(refused(ctx, getProduct, { store_id, product_id: "a", selected: [{ name: "color" }] })).toEqual([
      "selected.0.label",
    ]);
  });
});
