import { describe, expect, it } from "vitest";
import * as offers from "../../server/services/offers";
import { testDatabase } from "../support/database";
import { makeReader, makeStore } from "../support/factories";
import { loadRows, makeGtin, makeStoreWith } from "../support/feed";

const database = testDatabase();

const reader = async (now?: Date) => database.as(await makeReader(database), now);
const ids = (found: { offers: offers.Offer[] }) => found.offers.map((offer) => offer.offer_id);

describe("the offers for a product", () => {
  it("are all of its variants, the cheapest first", async () => {
    const store = await makeStoreWith(database, [
      { id: "S", item_group_id: "shirt", size: "S", price: "20.00 EUR" },
      { id: "M", item_group_id: "shirt", size: "M", price: "18.50 EUR" },
      { id: "other", price: "1.00 EUR" },
    ]);
    const found = await offers.list(await reader(), { of: { storeId: store.id, productId: "shirt" }, limit: 10 });
    expect(found.offers).toMatchObject([
      { offer_id: "M", store_id: store.id, store_name: store.name, price_amount: 1850, total_amount: 1850 },
      { offer_id: "S", price_amount: 2000, currency: "EUR", condition: "new", availability: "in_stock" },
    ]);
    expect(found).toMatchObject({ hasNextPage: false, totalCount: 2 });
  });

  it("come page by page without gaps or repeats where they all cost the same", async () => {
    const store = await makeStore(database);
    const sizes = ["XL", "S", "M", "L", "XS"];
    await loadRows(
      database,
      store.id,
      sizes.map((size) => ({ id: size, item_group_id: "shirt", size, price: "20.00 EUR" })),
    );
    const ctx = await reader();
    const of = { storeId: store.id, productId: "shirt" };
    const paged: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await offers.list(ctx, { of, limit: 1, cursor });
      paged.push(...ids(page));
      cursor = page.nextCursor;
    } while (cursor);
    expect(paged).toEqual(sizes.toSorted());
  });

  it("are one, for the id of a variant", async () => {
    const store = await makeStoreWith(database, [
      { id: "S", item_group_id: "shirt", size: "S" },
      { id: "M", item_group_id: "shirt", size: "M" },
    ]);
    const found = await offers.list(await reader(), { of: { storeId: store.id, productId: "M" }, limit: 10 });
    expect(ids(found)).toEqual(["M"]);
  });

  it("are those of the variant that is in the feed, where its id was a product's that is not any more", async () => {
    const store = await makeStoreWith(database, [{ id: "M" }]);
    await loadRows(database, store.id, [
      { id: "S", item_group_id: "shirt", size: "S" },
      { id: "M", item_group_id: "shirt", size: "M" },
    ]);
    const found = await offers.list(await reader(), { of: { storeId: store.id, productId: "M" }, limit: 10 });
    expect(found.offers).toMatchObject([{ offer_id: "M", product_id: "shirt", availability: "in_stock" }]);
  });

  it("are those of the product, where its id is another one's variant, too", async () => {
    const store = await makeStore(database);
    const row = (id: string, item_group_id: string) => ({ id, item_group_id, size: id });
    await loadRows(database, store.id, [row("A", "B"), row("1", "A"), row("2", "B"), row("3", "A")]);
    const found = await offers.list(await reader(), { of: { storeId: store.id, productId: "A" }, limit: 10 });
    expect(ids(found)).toEqual(["1", "3"]);
  });

  it("count a sale price only from its start and before its end", async () => {
    const store = await makeStoreWith(database, [
      {
        id: "tent",
        price: "100.00 EUR",
        sale_price: "80.00 EUR",
        sale_price_effective_date: "2027-03-01T00:00:00Z/2027-03-08T00:00:00Z",
      },
    ]);
    const at = async (now: string) => {
      const found = await offers.list(await reader(new Date(now)), {
        of: { storeId: store.id, productId: "tent" },
        limit: 1,
      });
      return [found.offers[0]!.sale_amount, found.offers[0]!.total_amount];
    };
    expect(await at("2027-02-28T23:59:59.999Z")).toEqual([null, 10000]);
    expect(await at("2027-03-01T00:00:00Z")).toEqual([8000, 8000]);
    expect(await at("2027-03-07T23:59:59.999Z")).toEqual([8000, 8000]);
    expect(await at("2027-03-08T00:00:00Z")).toEqual([null, 10000]);
  });

  it("cost what the cheapest way to the country costs; without a country, to the store's own", async () => {
    const store = await makeStoreWith(
      database,
      [{ id: "lamp", price: "10.00 EUR", shipping: "IE::Courier:9.00 EUR,IE::Post:4.00 EUR,DE::Post:3.50 EUR" }],
      { country: "IE" },
    );
    const to = async (country?: string) => {
      const found = await offers.list(await reader(), {
        of: { storeId: store.id, productId: "lamp" },
        context: { country },
        limit: 1,
      });
      return [found.offers[0]!.shipping_amount, found.offers[0]!.total_amount];
    };
    expect(await to("DE")).toEqual([350, 1350]);
    expect(await to()).toEqual([400, 1400]);
    expect(await to("FR")).toEqual([null, 1000]);
  });

  it("respect shipping's minimum order and currency, and take a way without a country for every country, of two at one price the sooner", async () => {
    const store = await makeStoreWith(database, [{ id: "lamp", price: "10.00 EUR" }], { country: "IE" });
    const ways = [
      { country: "IE", price: 0, currency: "EUR", min_order_amount: 1001 },
      { country: "IE", price: 1, currency: "USD" },
      { price: 700, currency: "EUR", max_handling_days: 1 },
      { price: 600, currency: "EUR", max_handling_days: 3 },
      { price: 600, currency: "EUR", min_handling_days: 1, max_handling_days: 2 },
    ];
    await database.sql`update variants set shipping = ${ways as never} where store_id = ${store.id}`;
    const of = { storeId: store.id, productId: "lamp" };
    expect((await offers.list(await reader(), { of, limit: 1 })).offers).toMatchObject([
      { shipping_amount: 600, total_amount: 1600, min_handling_days: 1, max_handling_days: 2 },
    ]);
    await database.sql`update variants set price_amount = 1001 where store_id = ${store.id}`;
    expect((await offers.list(await reader(), { of, limit: 1 })).offers).toMatchObject([
      { shipping_amount: 0, total_amount: 1001 },
    ]);
    // What is paid now counts.
    await database.sql`update variants set sale_price_amount = 1000 where store_id = ${store.id}`;
    expect((await offers.list(await reader(), { of, limit: 1 })).offers).toMatchObject([{ total_amount: 1600 }]);
  });

  it("begin, of the same total, with what is known to be sent free, page by page", async () => {
    const store = await makeStore(database, { country: "IE" });
    const row = (id: string, shipping: string) => ({
      id,
      item_group_id: "lamp",
      size: id,
      price: "10.00 EUR",
      shipping,
    });
    const ways = ["", "IE::Post:0 EUR", "DE::Post:0 EUR", "IE::Post:1.00 EUR", "IE::Post:0 EUR", ""];
    await loadRows(
      database,
      store.id,
      ways.map((way, i) => row(`${i}`, way)),
    );
    const ctx = await reader();
    const paged: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await offers.list(ctx, { of: { storeId: store.id, productId: "lamp" }, limit: 1, cursor });
      paged.push(...ids(page));
      cursor = page.nextCursor;
    } while (cursor);
    expect(paged).toEqual(["1", "4", "0", "2", "5", "3"]);
  });

  it("end with what the store no longer has, as discontinued", async () => {
    const store = await makeStore(database);
    const row = (id: string, price: string) => ({ id, item_group_id: "shirt", size: id, price });
    await loadRows(database, store.id, [row("S", "5.00 EUR"), row("M", "20.00 EUR"), row("L", "21.00 EUR")]);
    await loadRows(database, store.id, [row("M", "20.00 EUR"), row("L", "21.00 EUR")]);
    const found = await offers.list(await reader(), { of: { storeId: store.id, productId: "shirt" }, limit: 10 });
    expect(found.offers.map((offer) => [offer.offer_id, offer.availability])).toEqual([
      ["M", "in_stock"],
      ["L", "in_stock"],
      ["S", "discontinued"],
    ]);
  });

  it("are discontinued from the moment that the feed's expiry names", async () => {
    const store = await makeStore(database);
    const calendar = { id: "calendar", expiration_date: "2027-01-31T12:00:00Z" };
    await loadRows(database, store.id, [calendar], new Date("2027-01-01T00:00:00Z"));
    const at = async (now: string) => {
      const of = { storeId: store.id, productId: "calendar" };
      return (await offers.list(await reader(new Date(now)), { of, limit: 1 })).offers[0]!.availability;
    };
    expect(await at("2027-01-31T11:59:59Z")).toBe("in_stock");
    expect(await at("2027-01-31T12:00:00Z")).toBe("discontinued");
  });

  it("can be kept to one condition, and may then be none", async () => {
    const store = await makeStoreWith(database, [
      { id: "A", item_group_id: "phone", color: "red", condition: "refurbished" },
      { id: "B", item_group_id: "phone", color: "blue", condition: "new" },
    ]);
    const of = { storeId: store.id, productId: "phone" };
    expect(ids(await offers.list(await reader(), { of, condition: "refurbished", limit: 10 }))).toEqual(["A"]);
    expect(await offers.list(await reader(), { of, condition: "used", limit: 10 })).toMatchObject({ totalCount: 0 });
  });

  it("do not exist for a product that is unknown or excluded, nor for a store that is not available", async () => {
    const store = await makeStore(database);
    const off = await makeStore(database, { ai_discovery: false });
    for (const { id } of [store, off]) await loadRows(database, id, [{ id: "shown" }, { id: "hidden" }]);
    await database.sql`update products set excluded = true where store_id = ${store.id} and product_id = 'hidden'`;
    const ctx = await reader();
    const ask = (storeId: string, productId: string) => offers.list(ctx, { of: { storeId, productId }, limit: 1 });
    await expect(ask(store.id, "nothing")).rejects.toMatchObject({ code: "product_not_found" });
    await expect(ask(store.id, "hidden")).rejects.toMatchObject({ code: "product_not_found" });
    await expect(ask(off.id, "shown")).rejects.toMatchObject({ code: "store_not_available" });
    await expect(ask(off.id, "nothing")).rejects.toMatchObject({ code: "store_not_available" });
  });
});

describe("the offers for an article", () => {
  /** A store that sells the article at a price such as "12.00 EUR". */
  async function seller(gtin: string, price: string) {
    const store = await makeStoreWith(database, [{ id: "it", gtin, price }], { currency: price.slice(-3) });
    return store;
  }

  it("are those of every readable store, the cheapest first, whatever the digits it is given in", async () => {
    const gtin = makeGtin();
    const dear = await seller(gtin, "12.00 EUR");
    const cheap = await seller(gtin, "11.00 EUR");
    const blocking = await seller(gtin, "1.00 EUR");
    const ctx = await reader();
    await database.sql`insert into blocks (consumer_id, store_id) values (${ctx.actor.consumerId}, ${blocking.id})`;
    for (const given of [gtin, gtin.padStart(14, "0")]) {
      const found = await offers.list(ctx, { of: { gtin: given }, limit: 10 });
      expect(found.offers.map((offer) => offer.store_id)).toEqual([cheap.id, dear.id]);
    }
  });

  it("begin with the context's currency, without one with that of most offers", async () => {
    const gtin = makeGtin();
    for (const price of ["3.00 USD", "9.00 GBP", "8.00 GBP", "1.00 EUR"]) await seller(gtin, price);
    const order = async (currency?: string) => {
      const found = await offers.list(await reader(), { of: { gtin }, context: { currency }, limit: 10 });
      return found.offers.map((offer) => `${offer.total_amount} ${offer.currency}`);
    };
    expect(await order("USD")).toEqual(["300 USD", "100 EUR", "800 GBP", "900 GBP"]);
    expect(await order()).toEqual(["800 GBP", "900 GBP", "100 EUR", "300 USD"]);
  });

  it("begin with the currency of most that can still be had; where none can, with that of most", async () => {
    const gtin = makeGtin();
    for (const price of ["3.00 USD", "4.00 USD", "9.00 EUR", "8.00 EUR", "7.00 EUR"]) await seller(gtin, price);
    const order = async () => {
      const found = await offers.list(await reader(), { of: { gtin }, limit: 10 });
      return found.offers.map((offer) => `${offer.total_amount} ${offer.currency}`);
    };
    const end = (...amounts: number[]) => database.sql`update variants set availability = 'discontinued'
      where gtin = ${gtin.padStart(14, "0")} and price_amount = any (${amounts}::int[])`;
    await end(800, 900);
    expect(await order()).toEqual(["300 USD", "400 USD", "700 EUR", "800 EUR", "900 EUR"]);
    await end(300, 400, 700);
    expect(await order()).toEqual(["700 EUR", "800 EUR", "900 EUR", "300 USD", "400 USD"]);
  });

  it("come page by page without gaps or repeats, in one order", async () => {
    const gtin = makeGtin();
    for (const price of ["3.00 USD", "9.00 EUR", "8.00 EUR", "8.00 EUR", "1.00 GBP", "2.00 GBP", "7.00 EUR"])
      await seller(gtin, price);
    // Those that are over come last, in the same order.
    await database.sql`update variants set availability = 'discontinued'
      where gtin = ${gtin.padStart(14, "0")} and price_amount in (200, 700, 900)`;
    const ctx = await reader();
    const whole = await offers.list(ctx, { of: { gtin }, limit: 50 });
    const paged: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await offers.list(ctx, { of: { gtin }, limit: 2, cursor });
      expect(page.totalCount).toBe(7);
      paged.push(...page.offers.map((offer) => offer.store_id));
      cursor = page.nextCursor;
    } while (cursor && paged.length < 7);
    expect(paged).toEqual(whole.offers.map((offer) => offer.store_id));
  });

  it("keep the first page's leading currency when the majority changes in between", async () => {
    const gtin = makeGtin();
    for (const price of ["1.00 EUR", "2.00 EUR", "1.00 GBP"]) await seller(gtin, price);
    const ctx = await reader();
    const first = await offers.list(ctx, { of: { gtin }, limit: 2 });
    for (const price of ["5.00 GBP", "6.00 GBP"]) await seller(gtin, price);
    const next = await offers.list(ctx, { of: { gtin }, limit: 5, cursor: first.nextCursor });
    const seen = [...first.offers, ...next.offers].map((offer) => `${offer.total_amount} ${offer.currency}`);
    expect(seen).toEqual(["100 EUR", "200 EUR", "100 GBP", "500 GBP", "600 GBP"]);
  });

  it("refuse the cursor of another article", async () => {
    const [gtin, other] = [makeGtin(), makeGtin()];
    for (const price of ["1.00 EUR", "2.00 EUR"]) await seller(gtin, price);
    const ctx = await reader();
    const { nextCursor: cursor } = await offers.list(ctx, { of: { gtin }, limit: 1 });
    await expect(offers.list(ctx, { of: { gtin: other }, limit: 1, cursor })).rejects.toMatchObject({
      code: "invalid_arguments",
    });
  });

  it("are none of a store whose merchant has excluded it", async () => {
    const gtin = makeGtin();
    const [shown, hidden] = [await seller(gtin, "2.00 EUR"), await seller(gtin, "1.00 EUR")];
    await database.sql`update products set excluded = true where store_id = ${hidden.id}`;
    const found = await offers.list(await reader(), { of: { gtin }, limit: 10 });
    expect([found.offers.map((offer) => offer.store_id), found.totalCount]).toEqual([[shown.id], 1]);
  });

  it("do not exist where no readable store sells it", async () => {
    await expect(offers.list(await reader(), { of: { gtin: makeGtin() }, limit: 1 })).rejects.toMatchObject({
      code: "product_not_found",
    });
  });
});
