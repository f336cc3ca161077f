// What merchants tell shoppers of their stores, as agents are told it at their next call.
import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { stores as table } from "../../db/schema/merchants";
import { prepare } from "../../server/pipeline";
import * as details from "../../server/services/own-details";
import { tools } from "../../server/tools";
import { testDatabase } from "../support/database";
import { makeMerchant, makeReader, makeStore } from "../support/factories";
import { loadRows } from "../support/feed";
import { loadFeed, tsv } from "../support/feeds/load";
import { outcomeOf } from "../support/people";

const database = testDatabase();
const tool = tools.find(({ name }) => name === "get_store_info")!;

async function makeShop(given: Parameters<typeof makeStore>[1] = {}) {
  const store = await makeStore(database, given);
  const merchant = await makeMerchant(database, store.merchantId);
  const reader = await makeReader(database);
  const told = async () =>
    JSON.parse((await prepare(database.as(reader), tool, { store_id: store.id }).run()).text) as Record<
      string,
      unknown
    >;
  const as = (now?: Date) => database.as(merchant, now);
  const shown = () => details.get(as(), { store: store.slug });
  const save = (typed: Partial<z.input<typeof details.SaveDetails>>, now?: Date) =>
    details.save(as(now), details.SaveDetails.parse({ store: store.slug, ...typed }));
  const acts = () =>
    database.sql`select action, before, after from audit where target_id = ${store.id} and actor_kind = 'merchant' order by at, id`;
  return { store, told, as, shown, save, acts };
}

const full = {
  street: " 12 Quay Street ",
  postalCode: "H91 X2Y3",
  locality: "Galway",
  region: "Connacht",
  country: "ie",
  monday: "9-12:30, 14-18",
  saturday: "18:00–02:00",
  sunday: "closed",
  payment: "Visa, PayPal,, Visa , Gift card",
  currencies: "gbp, USD, EUR",
  shippingPolicy: "By post.\nIn two days.",
  returnDays: "30",
  returnFees: "customer pays return shipping",
  returnMethod: "by mail or in store",
  returnUrl: "shop.example/returns",
  links:
    "about https://shop.example/about\n\n Privacy policy: HTTPS://shop.example/privacy \ninstagram instagram.com/shop",
};
const told = {
  address: {
    street_address: "12 Quay Street",
    address_locality: "Galway",
    address_region: "Connacht",
    postal_code: "H91 X2Y3",
    address_country: "IE",
  },
  opening_hours: [
    { day: "monday", opens: "09:00", closes: "12:30" },
    { day: "monday", opens: "14:00", closes: "18:00" },
    { day: "saturday", opens: "18:00", closes: "02:00" },
  ],
  payment_accepted: ["Visa", "PayPal", "Gift card"],
  currencies: ["EUR", "GBP", "USD"],
  shipping_policy: "By post.\nIn two days.",
  return_policy: {
    return_window_days: 30,
    fees: "customer pays return shipping",
    method: "by mail or in store",
    url: "https://shop.example/returns",
  },
  links: [
    { type: "about", url: "https://shop.example/about" },
    { type: "privacy_policy", url: "https://shop.example/privacy" },
    { type: "instagram", url: "https://instagram.com/shop" },
  ],
};

describe("a store's details", () => {
  it("are what get_store_info answers from the next call on, as of when they were saved; emptied, they are told no more", async () => {
    const { told: answer, shown, save, acts } = await makeShop({ description: "Lamps." });
    const before = await answer();
    const first = new Date("2031-01-02T03:04:05.678Z");
    await save(full, first);
    expect(tool.output.parse(await answer())).toEqual({ ...before, ...told, data_as_of: first.toISOString() });
    const { values } = await shown();
    expect(values).toMatchObject({
      ...{ street: "12 Quay Street", country: "IE", monday: "09:00–12:30, 14:00–18:00", tuesday: "", sunday: "" },
      ...{ payment: "Visa, PayPal, Gift card", currencies: "GBP, USD", returnDays: "30" },
      links:
        "about https://shop.example/about\nprivacy_policy https://shop.example/privacy\ninstagram https://instagram.com/shop",
    });

    // What is saved as it stood has not changed by that.
    await save(values, new Date("2032-01-01"));
    expect(await answer()).toMatchObject({ data_as_of: first.toISOString() });

    const second = new Date("2033-01-01");
    await save({ street: "", monday: " ", links: "\n" }, second);
    expect(await answer()).toEqual({ ...before, data_as_of: second.toISOString() });
    expect(await acts()).toMatchObject([
      {
        action: "store.details",
        before: { address: null, links: [] },
        after: { shippingPolicy: told.shipping_policy },
      },
      { action: "store.details", before: { links: told.links }, after: { address: null, returnPolicy: null } },
    ]);
  });

  it("of which some are given are told without the rest; nothing taken back is 0 days", async () => {
    const { told: answer, save } = await makeShop();
    await save({ locality: "Cork", returnDays: 0 });
    expect(await answer()).toMatchObject({
      address: { address_locality: "Cork" },
      return_policy: { return_window_days: 0 },
      opening_hours: [],
    });
    expect(Object.keys((await answer()).address as object)).toEqual(["address_locality"]);
  });

  it.each<[keyof typeof full | "friday", string, string]>([
    ["country", "germany", "Enter its ISO 3166-1 code: DE."],
    ["country", "UK", "code: GB."],
    ["country", "Turkey", "code: TR."],
    ["country", "xx", "Enter an ISO 3166-1 code, such as DE."],
    ["street", "x".repeat(201), "at most 200"],
    ["postalCode", "1".repeat(51), "at most 50"],
    ["friday", "9–late", "cannot be read"],
    ["monday", "18:00–09:00", "closes before it opens"],
    ["payment", "x".repeat(101), "at most 100 characters"],
    ["payment", Array.from({ length: 51 }, (_, i) => i).join(), "at most 50"],
    ["currencies", "EUR, euros", "ISO 4217"],
    ["shippingPolicy", "x".repeat(20_001), "at most 20,000"],
    ["returnDays", "-1", "at least 0"],
    ["returnDays", "1.5", "whole number"],
    ["returnDays", "a month", "whole number"],
    ["returnDays", "4000", "at most 3,650"],
    ["returnFees", "x".repeat(501), "at most 500"],
    ["returnUrl", "javascript:alert(1)", "full address"],
    ["returnUrl", "https://ada@shop.example", "full address"],
    ["links", "about https://shop.example\nabout us", "Line 2: end it with a full address"],
    ["links", "about ftp://shop.example", "Line 1: end it"],
    ["links", "\nhttps://shop.example/about", "Line 2: begin it with what the page is"],
    ["links", "<b> https://shop.example", "Line 1: use a word"],
    ["links", Array.from({ length: 51 }, (_, i) => `a https://shop.example/${i}`).join("\n"), "at most 50 pages"],
  ])("of which %s is %j are refused beside it", (field, typed, said) => {
    const issues = details.SaveDetails.safeParse({ store: "x", ...full, [field]: typed }).error!.issues;
    expect(issues.map(({ path }) => path.join("."))).toEqual([field]);
    expect(issues[0]!.message).toContain(said);
  });

  it("that a colleague changed meanwhile are not overwritten: who comes second is told, and saving again replaces them", async () => {
    const { shown, save, acts } = await makeShop();
    const { version } = await shown();
    await save({ shown: version, monday: "9-18" });
    const late = { shown: version, shippingPolicy: "By post." };
    const refused = await save(late).catch((error) => error);
    expect(refused).toMatchObject({ code: "conflict", details: { version: (await shown()).version } });
    expect((await shown()).values).toMatchObject({ monday: "09:00–18:00", shippingPolicy: "" });
    await save({ ...late, shown: refused.details.version });
    expect((await shown()).values).toMatchObject({ monday: "", shippingPolicy: "By post." });
    expect(await acts()).toHaveLength(2);

    // Of twenty who send at once what they were shown, one saves.
    const { version: stands } = await shown();
    const all = Array.from({ length: 20 }, (_, i) => outcomeOf(save({ shown: stands, street: `${i}` })));
    expect((await Promise.all(all)).filter((outcome) => "code" in outcome && outcome.code === "conflict")).toHaveLength(
      19,
    );
  });

  it("are changed by nothing else: neither a load, nor another name of the store, makes a form late", async () => {
    const { store, shown, save } = await makeShop();
    const { version } = await shown();
    await loadRows(database, store.id, [{ id: "A1" }]);
    await database.db.update(table).set({ name: "Another", description: "Lamps." }).where(eq(table.id, store.id));
    await save({ shown: version, street: "1 Quay" });
    expect((await shown()).values.street).toBe("1 Quay");
  });

  it("of another merchant's store are not found, neither to read nor to change", async () => {
    const [mine, theirs] = [await makeShop(), await makeShop()];
    const store = theirs.store.slug;
    await expect(details.get(mine.as(), { store })).rejects.toMatchObject({ code: "not_found" });
    await expect(mine.save({ store, street: "1 Quay" })).rejects.toMatchObject({ code: "not_found" });
    expect(await theirs.told()).not.toHaveProperty("address");
  });

  it("let a feed have prices in a further currency without a warning", async () => {
    const { store, save } = await makeShop();
    const warnings = async () =>
      (await loadFeed(database, store.id, tsv([{ id: "A1", price: "10 GBP" }]))).issues.map(({ reason }) => reason);
    expect(await warnings()).toContainEqual(expect.stringContaining("is not in a currency of the store"));
    await save({ currencies: "GBP" });
    expect(await warnings()).toEqual([]);
  });
});
