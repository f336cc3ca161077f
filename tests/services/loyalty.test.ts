import { describe, expect, it } from "vitest";
import * as loyalty from "../../server/services/loyalty";
import { testDatabase } from "../support/database";
import { makeMerchant, makeReader, makeStore } from "../support/factories";
import { loadRows } from "../support/feed";

const database = testDatabase();
const system = () => database.as({ kind: "system" });
const reader = async (now?: Date) => database.as(await makeReader(database), now);

const tiers = [
  { name: "Gold", threshold_points: 500, perks: ["Free delivery"], multiplier: 1.5 },
  { name: "Basic", threshold_points: 0, perks: [], multiplier: 1 },
];
const program = (given: Record<string, unknown> = {}) => ({
  name: "Card",
  description: "Points for everything.",
  terms_url: "https://shop.example/card",
  primary: true,
  tiers,
  earning_rules: [{ basis: "1 point per euro", points_per_unit: 1 }],
  ...given,
});
const parse = (storeId: string, programs: unknown[]) => loyalty.ReplacePrograms.parse({ storeId, programs });

async function storeWith(
  programs: unknown[],
  rows: ({ id: string } & Record<string, string>)[] = [{ id: "it" }],
  currency = "EUR",
) {
  const store = await makeStore(database, { currency });
  await loyalty.replace(system(), parse(store.id, programs));
  await loadRows(database, store.id, rows);
  return store;
}

/** Points for `quantity` of product "it". */
async function earned(storeId: string, { productId = "it", quantity = 1, tier }: Partial<Asked> = {}) {
  return (await loyalty.points(await reader(), { storeId, productId, quantity, tier })).points.points_earned;
}
type Asked = { productId: string; quantity: number; tier: string };

describe("points for a product", () => {
  it.each([
    // In floating point the first and the third are one too low.
    ["4.35 EUR", 1, 100, 1, 435],
    ["1.10 EUR", 3, 10, 1, 33],
    ["0.29 EUR", 100, 1, 1, 29],
    ["8.20 EUR", 1, 1.1, 100, 902],
    // Halves are never rounded up.
    ["19.99 EUR", 3, 1.1, 1.15, 75],
    ["0.99 EUR", 1, 1, 1, 0],
    ["123456.78 EUR", 1000, 999.999, 9.999, 1234443108775],
    // The major unit is the currency's own.
    ["1500 JPY", 2, 0.01, 1, 30],
    ["1.999 KWD", 1, 1000, 1, 1999],
  ])(
    "%s, %i times, at %f a unit and times %f, are %i",
    async (price, quantity, points_per_unit, multiplier, points) => {
      const rules = [{ basis: "points", points_per_unit }];
      const card = program({ tiers: [{ ...tiers[1], multiplier }], earning_rules: rules });
      const store = await storeWith([card], [{ id: "it", price }], price.slice(-3));
      expect(await earned(store.id, { quantity })).toBe(points);
    },
  );

  it("are for the sale price while it holds", async () => {
    const sale_price_effective_date = "2027-03-01T00:00:00Z/2027-03-08T00:00:00Z";
    const store = await storeWith(
      [program()],
      [{ id: "it", price: "100.00 EUR", sale_price: "80.00 EUR", sale_price_effective_date }],
    );
    const at = async (now: string) =>
      (await loyalty.points(await reader(new Date(now)), { storeId: store.id, productId: "it", quantity: 1 })).points
        .points_earned;
    expect(await at("2027-03-07T00:00:00Z")).toBe(80);
    expect(await at("2027-03-08T00:00:00Z")).toBe(100);
  });

  it("follow the first rule that fits by brand and by type, whatever case and accents", async () => {
    const store = await storeWith(
      [
        program({
          earning_rules: [
            { basis: "own tents", points_per_unit: 5, brand: "Chérie", product_type: "Tents" },
            { basis: "family tents", points_per_unit: 4, product_type: ["Tents", "Family"] },
            { basis: "own brand", points_per_unit: 3, brand: "Chérie" },
            { basis: "tents", points_per_unit: 2, product_type: "Tents", bonus_points: 7 },
            { basis: "street", points_per_unit: 6, brand: "Kiğılı", product_type: "Straße" },
          ],
        }),
      ],
      [
        { id: "both", brand: "CHERIE", product_type: "Tents > Family > Big" },
        { id: "family", brand: "Other", product_type: "TENTS > family > Big" },
        { id: "brand", brand: "cherie", product_type: "Lamps" },
        { id: "tent", product_type: "Tents" },
        { id: "tension", product_type: "Tentsion > Family" },
        { id: "street", brand: "KIĞILI", product_type: "STRASSE" },
      ],
    );
    const points = await Promise.all(
      ["both", "family", "brand", "tent", "tension", "street"].map((productId) =>
        earned(store.id, { productId, quantity: 2 }),
      ),
    );
    expect(points).toEqual([100, 80, 60, 54, 0, 120]);
  });

  it("follow the first rule that fits, in whatever order the database comes upon them", async () => {
    const earning_rules = [1, 2, 3].map((points_per_unit) => ({ basis: "points", points_per_unit }));
    const store = await storeWith([program({ earning_rules })], [{ id: "it", price: "1.00 EUR" }]);
    // A row that was written again lies behind the others.
    await database.sql`update loyalty_earning_rules r set basis = 'again' from loyalty_programs g
      where g.id = r.program_id and g.store_id = ${store.id} and r.position = 0`;
    await database.sql`analyze loyalty_earning_rules`;
    expect(await earned(store.id)).toBe(1);
  });

  it("follow a rule by any of a product's types, by Google's category where it has none, with what lies below", async () => {
    const store = await storeWith(
      [program({ earning_rules: [{ basis: "tents", points_per_unit: 2, product_type: "Camping > Tents" }] })],
      [
        { id: "google", google_product_category: "Camping > Tents > Family" },
        { id: "second", product_type: "Sale", "g:product_type": "Camping > Tents" },
        { id: "own", product_type: "Sale", google_product_category: "Camping > Tents" },
        { id: "above", google_product_category: "Camping" },
      ],
    );
    const points = await Promise.all(
      ["google", "second", "own", "above"].map((productId) => earned(store.id, { productId })),
    );
    expect(points).toEqual([20, 20, 0, 0]);
  });

  it("count the bonus once for each item, whatever the tier", async () => {
    const store = await storeWith([
      program({ earning_rules: [{ basis: "boots", points_per_unit: 1, bonus_points: 50 }] }),
    ]);
    expect(await earned(store.id, { quantity: 3, tier: "gold" })).toBe(45 + 150);
  });

  it("are for the lowest tier unless one is named, in any case", async () => {
    const store = await storeWith([program()]);
    expect(await earned(store.id)).toBe(10);
    expect(await earned(store.id, { tier: "GOLD" })).toBe(15);
  });

  it("of a product with variants are for the price that the product shows; of a variant, for its own", async () => {
    const store = await storeWith(
      [program()],
      [
        { id: "L", item_group_id: "shirt", size: "L", price: "30.00 EUR" },
        { id: "S", item_group_id: "shirt", size: "S", price: "20.00 EUR" },
      ],
    );
    expect(await earned(store.id, { productId: "shirt" })).toBe(20);
    expect(await earned(store.id, { productId: "L" })).toBe(30);
  });

  it("are none, and say so, where no rule covers the product or its price is in another currency", async () => {
    const store = await storeWith(
      [program({ earning_rules: [{ basis: "tents", points_per_unit: 1, product_type: "Tents" }] })],
      [{ id: "it" }, { id: "foreign", price: "10.00 USD", product_type: "Tents" }],
    );
    await database.sql`update variants set currency = 'USD' where store_id = ${store.id} and variant_id = 'foreign'`;
    const of = async (productId: string) =>
      (await loyalty.points(await reader(), { storeId: store.id, productId, quantity: 1 })).points;
    expect(await of("it")).toEqual({
      program: "Card",
      points_earned: 0,
      basis: "No earning rule of Card covers this product.",
    });
    expect(await of("foreign")).toMatchObject({ points_earned: 0, basis: expect.stringContaining("USD") });
  });

  it("say how they came about: rule, tier and quantity", async () => {
    const store = await storeWith([
      program({ earning_rules: [{ basis: "2 points per euro on boots.", points_per_unit: 2, bonus_points: 5 }] }),
    ]);
    const { points } = await loyalty.points(await reader(), {
      storeId: store.id,
      productId: "it",
      quantity: 2,
      tier: "Gold",
    });
    expect(points.basis).toBe(
      "2 points per euro on boots. Gold tier: points × 1.5. 2 × €10.00 earns 60. 2 × 5 bonus points are added.",
    );
  });

  it("come with the primary programme, its tiers from the lowest up, and the store's others", async () => {
    const store = await storeWith([program({ name: "A second", primary: false }), program()]);
    const found = await loyalty.points(await reader(), { storeId: store.id, productId: "it", quantity: 1 });
    expect(found.program).toMatchObject({ name: "Card", terms_url: "https://shop.example/card" });
    expect(found.program.tiers.map((tier) => tier.name)).toEqual(["Basic", "Gold"]);
    expect(found.others.map((other) => other.name)).toEqual(["A second"]);
  });

  it("name the tiers that there are when asked for another", async () => {
    const store = await storeWith([program()]);
    await expect(earned(store.id, { tier: "Diamond" })).rejects.toMatchObject({
      code: "invalid_arguments",
      details: { issues: [{ path: "tier", expected: "one of Basic, Gold" }] },
    });
  });

  it("do not exist without a programme, without the product, or without the store", async () => {
    const [bare, store] = [await storeWith([]), await storeWith([program()])];
    await expect(earned(bare.id)).rejects.toMatchObject({ code: "no_loyalty_program" });
    await expect(earned(store.id, { productId: "nothing" })).rejects.toMatchObject({ code: "product_not_found" });
    await database.sql`update stores set ai_discovery = false where id = ${store.id}`;
    for (const id of [store.id, crypto.randomUUID()])
      await expect(earned(id)).rejects.toMatchObject({ code: "store_not_available" });
  });

  it("of a store without a programme send on to its promotions where there are any that have not ended", async () => {
    const store = await storeWith([]);
    const told = async () => (await earned(store.id).catch((error) => error)).message as string;
    expect(await told()).not.toContain("get_promotions");
    const ending = (ends_at: string) => database.sql`
      insert into promotions ${database.sql({
        ...{
          store_id: store.id,
          promotion_id: ends_at,
          long_title: "Less",
          percent_off: 10,
          currency: "EUR",
          redemption_channel: ["online"],
        },
        ...{ starts_at: "2020-01-01", ends_at },
      })}`;
    await ending("2020-02-01");
    expect(await told()).not.toContain("get_promotions");
    await ending("9000-01-01");
    expect(await told()).toMatch(/for discounts here call get_promotions\.$/);
  });
});

describe("replacing a store's programmes", () => {
  it("replaces all of them and records it", async () => {
    const store = await storeWith([program({ name: "Old" })]);
    const merchant = await makeMerchant(database, store.merchantId);
    await loyalty.replace(database.as(merchant), parse(store.id, [program({ name: "New" })]));
    const found = await loyalty.points(await reader(), { storeId: store.id, productId: "it", quantity: 1 });
    expect([found.program.name, found.others]).toEqual(["New", []]);
    const [record] = await database.sql`
      select before, after from audit where target_id = ${store.id} and actor_kind = 'merchant'`;
    expect(record).toMatchObject({ before: [{ name: "Old" }], after: [{ name: "New" }] });
  });

  it("does nothing to another merchant's store", async () => {
    const store = await storeWith([program()]);
    const stranger = await makeMerchant(database, (await makeStore(database)).merchantId);
    const tried = loyalty.replace(database.as(stranger), parse(store.id, []));
    await expect(tried).rejects.toMatchObject({ code: "not_found" });
    expect(await earned(store.id)).toBe(10);
  });

  it.each([
    ["no primary programme", [program({ primary: false })]],
    ["two primary programmes", [program(), program({ name: "Other" })]],
    ["two of one name", [program(), program({ primary: false })]],
    ["no tier at 0 points", [program({ tiers: [tiers[0]] })]],
    ["two tiers at the same points", [program({ tiers: [tiers[1], { ...tiers[1], name: "Also" }] })]],
    ["two tiers of one name", [program({ tiers: [tiers[1], { ...tiers[1], name: "BASIC", threshold_points: 9 }] })]],
    ["a multiplier of nothing", [program({ tiers: [{ ...tiers[1], multiplier: 0 }] })]],
    ["more decimals than are kept", [program({ earning_rules: [{ basis: "b", points_per_unit: 0.0005 }] })]],
  ])("refuses %s", (_, programs) => {
    expect(loyalty.ReplacePrograms.safeParse({ storeId: crypto.randomUUID(), programs }).success).toBe(false);
  });
});
