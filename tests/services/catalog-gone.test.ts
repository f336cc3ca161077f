// What can't be had again: discontinued by its merchant, gone from the feed, or expired. Each tool takes them alike.
import { describe, expect, it } from "vitest";
import * as categories from "../../server/services/catalog/categories";
import { lookup } from "../../server/services/catalog/lookup";
import * as product from "../../server/services/catalog/product";
import * as inventory from "../../server/services/inventory";
import * as loyalty from "../../server/services/loyalty";
import { testDatabase } from "../support/database";
import { makeReader, makeStore } from "../support/factories";
import { loadRows, makeGtin, makeStoreWith, type Row } from "../support/feed";
import { loadFeed, tsv } from "../support/feeds/load";

const database = testDatabase();
const NOW = new Date("2027-03-05T12:00:00Z");
/** Before anything has expired, whenever the test runs. */
const BEFORE = new Date("2027-01-01T00:00:00Z");
const gone = { discontinued: { availability: "discontinued" }, expired: { expiration_date: NOW.toISOString() } };
const ways = Object.entries(gone);

async function shop(rows: Row[]) {
  const { id: storeId } = await makeStoreWith(database, rows, {}, BEFORE);
  return { storeId, ctx: database.as(await makeReader(database), NOW) };
}

const mug = (id: string, color: string, size: string, more: Record<string, string> = {}) => ({
  id,
  item_group_id: "mug",
  title: "Mug",
  color,
  size,
  ...more,
});

describe.each(ways)("a variant that is %s", (_, ended) => {
  it("is not what a GTIN means that another row has too, in any tool", async () => {
    const gtin = makeGtin();
    const { storeId, ctx } = await shop([
      { id: "cheap", gtin, price: "10.00 EUR" },
      { id: "dear", gtin, price: "20.00 EUR" },
      { id: "out", gtin, price: "6.00 EUR", availability: "out_of_stock" },
      { id: "ended", gtin, price: "5.00 EUR", ...ended },
    ]);
    expect((await product.get(ctx, { storeId, of: { gtin } })).variant.variant_id).toBe("cheap");
    const { matches } = await lookup(ctx, { ids: [], gtins: [gtin] });
    expect(matches.map(({ card }) => card.product_id)).toEqual(["cheap"]);
  });

  it("is shown for a selection only where nothing else fits", async () => {
    const { storeId, ctx } = await shop([
      mug("blue", "Blue", "S"),
      mug("ended", "Red", "M", { price: "5.00 EUR", ...ended }),
      mug("out", "Red", "L", { availability: "out_of_stock" }),
    ]);
    const shown = async (...labels: string[]) => {
      const selected = labels.map((label) => ({ name: label.length > 1 ? "color" : "size", label }));
      return (await product.get(ctx, { storeId, of: { productId: "mug" }, selected })).variant.variant_id;
    };
    expect(await shown("Red")).toBe("out");
    expect(await shown("Red", "M")).toBe("ended");
  });

  it("keeps its place among the options", async () => {
    const { storeId, ctx } = await shop([mug("1", "Red", "S"), mug("2", "Red", "M", ended), mug("3", "Red", "L")]);
    const { options } = await product.get(ctx, { storeId, of: { productId: "mug" } });
    expect(options[0]!.values).toEqual([
      { label: "S", available: true, exists: true },
      { label: "M", available: false, exists: true },
      { label: "L", available: true, exists: true },
    ]);
  });

  it("is in no category's count", async () => {
    const { storeId, ctx } = await shop([
      { id: "1", product_type: "Mugs", ...ended },
      { id: "2", product_type: "Mugs" },
      { id: "3", product_type: "Plates", ...ended },
    ]);
    expect(await categories.list(ctx, { storeId, taxonomy: "store" })).toMatchObject([
      { id: "mugs", product_count: 1 },
    ]);
  });

  it("makes its product discontinued where there is no other", async () => {
    const { storeId, ctx } = await shop([mug("1", "Red", "S", ended), mug("2", "Red", "M", ended)]);
    const { matches } = await lookup(ctx, { ids: [{ storeId, productId: "mug" }], gtins: [] });
    expect(matches.map(({ card }) => card.availability)).toEqual([{ status: "discontinued", available: false }]);
  });

  it("adds no pieces to its product's", async () => {
    const { storeId, ctx } = await shop([mug("1", "Red", "S", ended), mug("2", "Red", "M")]);
    const location_id = "shop";
    await inventory.replace(
      database.as({ kind: "system" }, NOW),
      inventory.ReplaceInventory.parse({
        storeId,
        locations: [{ location_id, name: "Shop", pickup: true }],
        levels: ["1", "2"].map((variant_id) => ({ variant_id, location_id, quantity: 4 })),
      }),
    );
    const { items } = await inventory.check(ctx, { storeId, items: [{ productId: "mug", quantity: 1 }] });
    expect(items).toMatchObject([{ quantity: 4 }]);
  });
});

it("a product whose cheapest variant has just expired is shown as the next, though that is out of stock", async () => {
  const { storeId, ctx } = await shop([
    mug("1", "Red", "S", { price: "5.00 EUR", ...gone.expired }),
    mug("2", "Red", "M", { availability: "out_of_stock" }),
  ]);
  const { card, variant } = await product.get(ctx, { storeId, of: { productId: "mug" } });
  expect(variant.variant_id).toBe("2");
  expect(card).toMatchObject({ price: { amount: 1000 }, availability: { status: "out_of_stock" } });
});

it("points are counted at the price that a product shows once its cheapest variant has ended, before any renewal", async () => {
  const before = new Date(NOW.getTime() - 1);
  const { id: storeId } = await makeStore(database);
  const rows = [
    mug("1", "Red", "S", { price: "5.00 EUR", ...gone.expired }),
    mug("2", "Red", "M", { price: "7.00 EUR", availability: "out_of_stock" }),
    mug("3", "Red", "L", { price: "20.00 EUR" }),
    mug("4", "Blue", "L", { price: "9.00 EUR" }),
  ];
  await loadFeed(database, storeId, tsv(rows), { now: before });
  await loyalty.replace(
    database.as({ kind: "system" }, NOW),
    loyalty.ReplacePrograms.parse({
      storeId,
      programs: [
        {
          name: "Card",
          description: "Points for everything.",
          terms_url: "https://shop.example/card",
          primary: true,
          tiers: [{ name: "Basic", threshold_points: 0, perks: [] }],
          earning_rules: [{ basis: "1 point per euro", points_per_unit: 1 }],
        },
      ],
    }),
  );
  const reader = await makeReader(database);
  const counted = async (now: Date) => {
    const at = database.as(reader, now);
    const { card } = await product.get(at, { storeId, of: { productId: "mug" } });
    const { points } = await loyalty.points(at, { storeId, productId: "mug", quantity: 1 });
    return [card.price.amount, points.points_earned];
  };
  expect(await counted(before)).toEqual([500, 5]);
  expect(await counted(NOW)).toEqual([900, 9]);
});

it("a GTIN of which nothing can be had again means what the feed still has, then what left it last", async () => {
  const gtin = makeGtin();
  const rows: Row[] = [
    { id: "left", gtin, price: "5.00 EUR" },
    { id: "ended", gtin, price: "9.00 EUR", ...gone.discontinued },
    { id: "other" },
  ];
  const { storeId, ctx } = await shop(rows);
  for (const next of [rows.slice(1), rows.slice(2)]) {
    await loadRows(database, storeId, next);
    expect((await product.get(ctx, { storeId, of: { gtin } })).variant.variant_id).toBe("ended");
    const { matches } = await lookup(ctx, { ids: [], gtins: [gtin] });
    expect(matches.map(({ card }) => card.product_id)).toEqual(["ended"]);
  }
});
