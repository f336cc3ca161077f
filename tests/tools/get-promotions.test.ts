import { describe, expect, it } from "vitest";
import type { Message as Said } from "../../server/services/catalog/messages";
import * as promotions from "../../server/services/promotions";
import { getPromotions } from "../../server/tools/get-promotions";
import { ask, refused } from "../support/ask";
import { testDatabase } from "../support/database";
import { makeReader } from "../support/factories";
import { makeStoreWith } from "../support/feed";

const database = testDatabase();

async function storeWithTwo() {
  const store = await makeStoreWith(database, [{ id: "tent" }]);
  const input = promotions.ReplacePromotions.parse({
    storeId: store.id,
    promotions: [
      {
        promotion_id: "SPRING",
        long_title: "€5 off tents over €50",
        offer_type: "generic_code",
        generic_redemption_code: "SPRING5",
        money_off_amount: { amount: 500, currency: "EUR" },
        minimum_purchase_amount: { amount: 5000, currency: "EUR" },
        product_applicability: "specific_products",
        product_ids: ["tent"],
        promotion_effective_dates: { start: "2027-03-01", end: "2027-04-01" },
        redemption_channel: ["online", "in_store"],
        fine_print: "Once a customer.",
        promotion_url: "https://shop.example/spring",
        stackable: true,
      },
      {
        promotion_id: "POST",
        long_title: "Free delivery",
        offer_type: "no_code",
        free_shipping: true,
        product_applicability: "all_products",
        promotion_effective_dates: { start: "2027-03-01", end: "2027-05-01" },
        redemption_channel: ["online"],
      },
    ],
  });
  await promotions.replace(database.as({ kind: "system" }), input);
  return store;
}

describe("get_promotions", () => {
  it("takes a time in small letters, as RFC 3339 does", async () => {
    const store = await storeWithTwo();
    const ctx = database.as(await makeReader(database));
    const of = (active_at: string) => ask(ctx, getPromotions, { store_id: store.id, active_at });
    expect(await of("2027-03-15t11:00:00z")).toEqual(await of("2027-03-15T11:00:00Z"));
    expect(await of("2027-03-15t12:00:00+01:00")).toEqual(await of("2027-03-15T11:00:00Z"));
  });

  it("tells each promotion in full, with its status, and no field that it has not", async () => {
    const store = await storeWithTwo();
    const ctx = database.as(await makeReader(database));
    const answer = await ask(ctx, getPromotions, { store_id: store.id, active_at: "2027-03-15T12:00:00+01:00" });
    expect(answer).toEqual({
      promotions: [
        {
          promotion_id: "SPRING",
          long_title: "€5 off tents over €50",
          offer_type: "generic_code",
          generic_redemption_code: "SPRING5",
          money_off_amount: { amount: 500, currency: "EUR", formatted: "€5.00" },
          free_shipping: false,
          minimum_purchase_amount: { amount: 5000, currency: "EUR", formatted: "€50.00" },
          product_applicability: "specific_products",
          product_ids: ["tent"],
          promotion_effective_dates: { start: "2027-03-01T00:00:00.000Z", end: "2027-04-01T00:00:00.000Z" },
          redemption_channel: ["online", "in_store"],
          fine_print: "Once a customer.",
          promotion_url: "https://shop.example/spring",
          stackable: true,
          status: "active",
        },
        {
          promotion_id: "POST",
          long_title: "Free delivery",
          offer_type: "no_code",
          free_shipping: true,
          product_applicability: "all_products",
          promotion_effective_dates: { start: "2027-03-01T00:00:00.000Z", end: "2027-05-01T00:00:00.000Z" },
          redemption_channel: ["online"],
          stackable: false,
          status: "active",
        },
      ],
      page: { has_next_page: false, total_count: 2 },
    });
  });

  it("tells what became of a code", async () => {
    const store = await storeWithTwo();
    const ctx = database.as(await makeReader(database), new Date("2027-04-02T00:00:00Z"));
    const answer = await ask(ctx, getPromotions, { store_id: store.id, code: " spring5 " });
    expect(answer).toMatchObject({ promotions: [{ promotion_id: "SPRING", status: "expired" }] });
  });

  it.each([
    ["an instant that is none", { active_at: "tomorrow" }, "active_at"],
    ["an instant without an offset", { active_at: "2027-03-15T12:00:00" }, "active_at"],
    ["the year 0", { active_at: "0000-01-01T00:00:00Z" }, "active_at"],
    ["an instant after the year 9999", { active_at: "9999-12-31T23:59:59-14:00" }, "active_at"],
    ["an empty code", { code: " " }, "code"],
    ["more than 50", { limit: 51 }, "limit"],
  ])("refuses %s, by the argument's name", async (_, args, path) => {
    const ctx = database.as(await makeReader(database));
    expect(refused(ctx, getPromotions, { store_id: crypto.randomUUID(), ...args })).toEqual([path]);
  });
});

describe("get_promotions says", () => {
  const said = async (args: Record<string, unknown>, now?: string) => {
    const store = await storeWithTwo();
    const ctx = database.as(await makeReader(database), new Date(now ?? "2027-03-15T00:00:00Z"));
    return (await ask<{ messages?: Said[] }>(ctx, getPromotions, { store_id: store.id, ...args })).messages;
  };

  it("nothing where one is active, or where a later page is asked for", async () => {
    expect(await said({})).toBeUndefined();
    expect(await said({ code: "SPRING5" })).toBeUndefined();
  });

  it("when the next one begins, where none is active", async () => {
    const content = "None is active now. The next one begins at 2027-03-01T00:00:00.000Z.";
    expect(await said({}, "2027-02-01T00:00:00Z")).toEqual([{ type: "info", code: "none_active", content }]);
    const [there] = (await said({ active_at: "2027-02-01T00:00:00Z" }))!;
    expect(there!.content).toMatch(/^None is active at 2027-02-01T00:00:00\.000Z\. The next one/);
  });

  it("that there is none, or none by that code", async () => {
    expect(await said({}, "2027-06-01T00:00:00Z")).toEqual([
      {
        ...{ type: "info", code: "no_promotions" },
        content: "The store has no promotion that is active or to come.",
      },
    ]);
    expect(await said({ active_at: "2100-01-01T00:00:00Z" })).toEqual([
      {
        ...{ type: "info", code: "no_promotions", path: "active_at" },
        content:
          "The store has no promotion that is active or to come at 2100-01-01T00:00:00.000Z. Leave out active_at to see those of today.",
      },
    ]);
    expect(await said({ code: "AUTUMN" })).toMatchObject([
      { code: "no_promotions", content: expect.stringContaining("no promotion with the code AUTUMN"), path: "code" },
    ]);
  });

  it("that there is one, but for another product", async () => {
    const store = await makeStoreWith(database, [{ id: "tent" }, { id: "peg" }]);
    const promotion = {
      promotion_id: "TENT",
      long_title: "€5 off the tent",
      offer_type: "generic_code",
      generic_redemption_code: "TENT5",
      money_off_amount: { amount: 500, currency: "EUR" },
      product_applicability: "specific_products",
      product_ids: ["tent"],
      promotion_effective_dates: { start: "2027-03-01", end: "2027-04-01" },
      redemption_channel: ["online"],
    };
    const input = promotions.ReplacePromotions.parse({ storeId: store.id, promotions: [promotion] });
    await promotions.replace(database.as({ kind: "system" }), input);
    const ctx = database.as(await makeReader(database), new Date("2027-03-15T00:00:00Z"));
    const of = async (args: Record<string, unknown>) =>
      (await ask<{ messages?: Said[] }>(ctx, getPromotions, { store_id: store.id, product_id: "peg", ...args }))
        .messages;
    expect(await of({})).toMatchObject([
      { content: "None is for this product. Without product_id, there are 1.", path: "product_id" },
    ]);
    expect(await of({ code: "tent5" })).toMatchObject([
      { content: "The store has the code tent5, but not for this product. Leave out product_id to see it." },
    ]);
  });
});
