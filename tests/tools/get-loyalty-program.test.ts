import { describe, expect, it } from "vitest";
import * as loyalty from "../../server/services/loyalty";
import { getLoyaltyProgram } from "../../server/tools/get-loyalty-program";
import { ask, refused } from "../support/ask";
import { testDatabase } from "../support/database";
import { makeReader } from "../support/factories";
import { makeStoreWith } from "../support/feed";

const database = testDatabase();

const card = {
  name: "Card",
  description: "Points for everything.",
  terms_url: "https://shop.example/card",
  primary: true,
  tiers: [
    { name: "Basic", threshold_points: 0, perks: [], multiplier: 1 },
    { name: "Gold", threshold_points: 500, perks: ["Free delivery"], multiplier: 1.5 },
  ],
  earning_rules: [{ basis: "2 points per euro", points_per_unit: 2 }],
};

describe("get_loyalty_program", () => {
  it("answers exactly the keys that callers rely on", async () => {
    const store = await makeStoreWith(database, [{ id: "tent", price: "99.99 EUR" }]);
    const programs = [card, { ...card, name: "Club", primary: false }];
    const input = loyalty.ReplacePrograms.parse({ storeId: store.id, programs });
    await loyalty.replace(database.as({ kind: "system" }), input);
    const ctx = database.as(await makeReader(database));
    const args = { store_id: store.id, product_id: "tent", quantity: 2, tier: "gold" };
    const program = {
      name: "Card",
      description: "Points for everything.",
      terms_url: "https://shop.example/card",
      tiers: [
        { name: "Basic", perks: [], threshold_points: 0 },
        { name: "Gold", perks: ["Free delivery"], threshold_points: 500 },
      ],
    };
    expect(await ask(ctx, getLoyaltyProgram, args)).toEqual({
      store_id: store.id,
      product_id: "tent",
      program,
      points: {
        basis: "2 points per euro. Gold tier: points × 1.5. 2 × €99.99 earns 599.",
        program: "Card",
        points_earned: 599,
      },
      programs: [{ ...program, name: "Club" }],
    });
    const capitals = { ...args, store_id: store.id.toUpperCase() };
    expect(await ask(ctx, getLoyaltyProgram, capitals)).toMatchObject({ store_id: store.id });
  });

  it.each([
    ["no product", { product_id: undefined }, "product_id"],
    ["none of it", { quantity: 0 }, "quantity"],
    ["more than 1000", { quantity: 1001 }, "quantity"],
    ["half a one", { quantity: 0.5 }, "quantity"],
  ])("refuses %s, by the argument's name", async (_, args, path) => {
    const ctx = database.as(await makeReader(database));
    const whole = { store_id: crypto.randomUUID(), product_id: "tent", ...args };
    expect(refused(ctx, getLoyaltyProgram, whole)).toEqual([path]);
  });
});
