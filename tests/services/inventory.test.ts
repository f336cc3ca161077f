import { describe, expect, it } from "vitest";
import * as inventory from "../../server/services/inventory";
import { testDatabase } from "../support/database";
import { makeMerchant, makeReader, makeStore } from "../support/factories";
import { loadRows, makeStoreWith } from "../support/feed";

const database = testDatabase();
const system = (now?: Date) => database.as({ kind: "system" }, now);
const reader = async (now?: Date) => database.as(await makeReader(database), now);

const locations = [
  { location_id: "shop", name: "Shop", pickup: true, address: "1 Quay Street, Galway" },
  { location_id: "store", name: "Warehouse", pickup: false },
];
const level = (variant_id: string, location_id: string, quantity: number, given: Record<string, unknown> = {}) => ({
  variant_id,
  location_id,
  quantity,
  low_stock_threshold: 5,
  ...given,
});
const parse = (storeId: string, levels: unknown[]) => inventory.ReplaceInventory.parse({ storeId, locations, levels });

/** A store with shirts in S and M, a lamp and a vase, of which the vase is never counted. */
async function storeWith(levels: unknown[], now?: Date) {
  const store = await makeStoreWith(database, [
    { id: "S", item_group_id: "shirt", size: "S" },
    { id: "M", item_group_id: "shirt", size: "M" },
    { id: "lamp" },
    { id: "vase" },
  ]);
  await inventory.replace(system(now), parse(store.id, levels));
  return store;
}

const one = (productId: string, quantity = 1) => [{ productId, quantity }];

describe("checking stock", () => {
  it("counts a product over its variants and locations, and a variant alone", async () => {
    const store = await storeWith([level("S", "shop", 2), level("S", "store", 7), level("M", "store", 4)]);
    const items = [...one("shirt"), ...one("M")];
    const found = await inventory.check(await reader(), { storeId: store.id, items });
    expect(found).toMatchObject({
      items: [
        {
          product_id: "shirt",
          quantity: 13,
          status: "in_stock",
          locations: [
            { location_id: "store", name: "Warehouse", quantity: 11, pickup: false },
            { location_id: "shop", name: "Shop", quantity: 2, pickup: true },
          ],
        },
        { product_id: "M", quantity: 4, status: "low_stock", locations: [{ location_id: "store", quantity: 4 }] },
      ],
      messages: [],
    });
  });

  it.each([
    [0, "out_of_stock"],
    [1, "low_stock"],
    [3, "low_stock"],
    [4, "in_stock"],
  ])("says of %i pieces at a threshold of 3: %s", async (quantity, status) => {
    const store = await storeWith([level("lamp", "shop", quantity, { low_stock_threshold: 3 })]);
    const found = await inventory.check(await reader(), { storeId: store.id, items: one("lamp", quantity) });
    expect(found.items).toMatchObject([{ quantity, status, low_stock_threshold: 3 }]);
  });

  it("takes the highest threshold of what it counts together", async () => {
    const threshold = (low_stock_threshold: number) => ({ low_stock_threshold });
    const store = await storeWith([
      level("S", "shop", 1, threshold(2)),
      level("S", "store", 3, threshold(3)),
      level("M", "store", 4, threshold(8)),
    ]);
    const found = await inventory.check(await reader(), { storeId: store.id, items: [...one("shirt"), ...one("S")] });
    expect(found.items).toMatchObject([
      { quantity: 8, low_stock_threshold: 8, status: "low_stock" },
      { quantity: 4, low_stock_threshold: 3, status: "in_stock" },
    ]);
  });

  it("counts only the locations asked for, and says which of them there are not", async () => {
    const restock_at = (day: number) => ({ restock_at: `9000-01-0${day}T00:00:00Z` });
    const store = await storeWith([
      level("lamp", "shop", 2, restock_at(2)),
      level("lamp", "store", 40, { ...restock_at(1), low_stock_threshold: 50 }),
    ]);
    const { id: elsewhere } = await makeStore(database);
    await database.sql`insert into locations (store_id, location_id, name, pickup) values (${elsewhere}, 'moon', 'Moon', true)`;
    const ask = async (...locationIds: string[]) =>
      inventory.check(await reader(), { storeId: store.id, items: one("lamp"), locationIds });
    expect(await ask("shop", "moon")).toMatchObject({
      items: [
        {
          ...{ quantity: 2, status: "low_stock", low_stock_threshold: 5, restock_at: new Date("9000-01-02") },
          locations: [{ location_id: "shop" }],
        },
      ],
      messages: [
        {
          ...{ code: "location_not_found", path: "location_ids.1" },
          content: expect.stringContaining('no location "moon"; it was ignored.'),
        },
      ],
    });
    expect(await ask("moon")).toMatchObject({
      items: [],
      messages: [{ code: "location_not_found", content: expect.stringContaining("nothing was counted") }],
    });
  });

  it("says none of what is counted elsewhere only", async () => {
    const store = await storeWith([level("lamp", "store", 40)]);
    const found = await inventory.check(await reader(), {
      storeId: store.id,
      items: one("lamp"),
      locationIds: ["shop"],
    });
    const itsOwn = { low_stock_threshold: 5, data_as_of: expect.any(Date) };
    expect(found.items).toMatchObject([{ quantity: 0, status: "out_of_stock", locations: [], ...itsOwn }]);
  });

  it("says of a product how many of its variants are not counted, and no status that hangs on these", async () => {
    const store = await storeWith([level("S", "shop", 0)]);
    const ask = async (...items: { productId: string; quantity: number }[]) =>
      inventory.check(await reader(), { storeId: store.id, items });
    const path = "items.0.product_id";
    const { items, messages } = await ask(...one("shirt"), ...one("S", 2));
    expect(items).toMatchObject([
      { product_id: "shirt", quantity: 0, status: null },
      { product_id: "S", quantity: 0, status: "out_of_stock" },
    ]);
    expect(messages).toMatchObject([
      {
        type: "info",
        code: "partly_counted",
        content: expect.stringMatching(/^1 of 2 variants of "shirt" is not/),
        path,
      },
      { code: "insufficient_stock", content: 'You asked for 1 of "shirt"; 0 are counted.', path: "items.0.quantity" },
      { code: "insufficient_stock", content: 'You asked for 2 of "S"; 0 are in stock.', path: "items.1.quantity" },
    ]);
    await inventory.replace(system(), parse(store.id, [level("S", "shop", 6)]));
    expect(await ask(...one("shirt"))).toMatchObject({
      items: [{ quantity: 6, status: "in_stock" }],
      messages: [{ code: "partly_counted", path }],
    });
    const said = (availability: string) =>
      database.sql`update variants set availability = ${availability} where store_id = ${store.id} and variant_id = 'M'`;
    await inventory.replace(system(), parse(store.id, [level("S", "shop", 0)]));
    await said("out_of_stock");
    expect(await ask(...one("shirt"))).toMatchObject({
      items: [{ quantity: 0, status: "out_of_stock" }],
      messages: [{ code: "partly_counted" }, { code: "insufficient_stock" }],
    });
    await said("discontinued");
    expect((await ask(...one("shirt"))).messages).toMatchObject([{ code: "insufficient_stock" }]);
  });

  it("takes a variant that is counted elsewhere only as counted", async () => {
    const store = await storeWith([level("S", "shop", 9), level("M", "store", 9)]);
    const input = { storeId: store.id, items: one("shirt"), locationIds: ["shop"] };
    expect(await inventory.check(await reader(), input)).toMatchObject({ items: [{ quantity: 9 }], messages: [] });
  });

  it("counts a product whose id one of its variants has too, and says that it did", async () => {
    const store = await makeStore(database);
    const shoe = (id: string, color: string, item_group_id: string) => ({ id, color, item_group_id });
    const shoes = [shoe("SHOE", "Grey", ""), shoe("S1", "Red", "SHOE")];
    await loadRows(database, store.id, [...shoes, { id: "lamp" }]);
    const levels = ["SHOE", "S1", "lamp"].map((id) => level(id, "shop", 4));
    await inventory.replace(system(), parse(store.id, levels));
    const ask = async () =>
      inventory.check(await reader(), {
        storeId: store.id,
        items: [...one("lamp"), ...one("S1"), ...one("SHOE")],
      });
    expect(await ask()).toMatchObject({
      items: [{ quantity: 4 }, { quantity: 4 }, { product_id: "SHOE", quantity: 8 }],
      messages: [{ type: "info", code: "also_variant", path: "items.2.product_id" }],
    });
    // A group of one: its variant is all of it.
    await loadRows(database, store.id, [shoe("SHOE", "Grey", "SHOE"), { id: "lamp" }]);
    expect((await ask()).messages).toMatchObject([{ code: "no_inventory_data", path: "items.1.product_id" }]);
  });

  it("says in messages what is unknown, not counted, or less than was asked for", async () => {
    const store = await storeWith([level("lamp", "shop", 2)]);
    const items = [...one("nothing"), ...one("vase"), ...one("lamp", 3)];
    const found = await inventory.check(await reader(), { storeId: store.id, items });
    expect(found.items).toMatchObject([{ product_id: "lamp", requested: 3, quantity: 2 }]);
    expect(found.messages.map(({ code, path }) => [code, path])).toEqual([
      ["not_found", "items.0.product_id"],
      ["no_inventory_data", "items.1.product_id"],
      ["insufficient_stock", "items.2.quantity"],
    ]);
  });

  it("says where too few are, if not everywhere was asked for", async () => {
    const store = await storeWith([level("lamp", "shop", 2), level("lamp", "store", 40)]);
    const input = { storeId: store.id, items: one("lamp", 3), locationIds: ["shop"] };
    const told = async (input: Parameters<typeof inventory.check>[1]) =>
      (await inventory.check(await reader(), input)).messages.map(({ content }) => content);
    expect(await told(input)).toEqual(['You asked for 3 of "lamp"; 2 are in stock at the locations asked for.']);
    const everywhere = { storeId: store.id, items: one("lamp", 50) };
    expect(await told(everywhere)).toEqual(['You asked for 50 of "lamp"; 42 are in stock.']);
  });

  it("says once that a store counts nothing", async () => {
    const store = await makeStoreWith(database, [{ id: "lamp" }, { id: "vase" }]);
    const items = [...one("lamp"), ...one("vase"), ...one("nothing")];
    const found = await inventory.check(await reader(), { storeId: store.id, items });
    expect(found.items).toEqual([]);
    expect(found.messages.map((message) => message.code)).toEqual(["no_inventory_data", "not_found"]);
  });

  it("gives the next delivery that is still to come, and the age of the count", async () => {
    const taken = new Date("2027-05-01T06:00:00Z");
    const store = await storeWith(
      [
        level("S", "shop", 0, { restock_at: "2027-05-02T09:00:00Z" }),
        level("S", "store", 0, { restock_at: "2027-05-09T09:00:00Z" }),
        level("M", "store", 0, { restock_at: "2027-05-07T09:00:00Z" }),
      ],
      taken,
    );
    const at = async (now: string) =>
      (await inventory.check(await reader(new Date(now)), { storeId: store.id, items: one("shirt") })).items[0]!;
    expect(await at("2027-05-01T12:00:00Z")).toMatchObject({
      restock_at: new Date("2027-05-02T09:00:00Z"),
      data_as_of: taken,
    });
    expect(await at("2027-05-05T12:00:00Z")).toMatchObject({ restock_at: new Date("2027-05-07T09:00:00Z") });
    expect(await at("2027-05-07T09:00:00Z")).toMatchObject({ restock_at: new Date("2027-05-09T09:00:00Z") });
    expect(await at("2027-05-10T12:00:00Z")).toMatchObject({ restock_at: null });
  });

  it("gives a delivery of which the day alone is known until that day is over", async () => {
    const store = await storeWith([
      level("lamp", "shop", 0, { restock_at: "2027-05-07" }),
      level("lamp", "store", 0, { restock_at: "2027-05-07T09:00:00Z" }),
    ]);
    const at = async (now: string) => {
      const input = { storeId: store.id, items: one("lamp") };
      return (await inventory.check(await reader(new Date(now)), input)).items[0]!.restock_at;
    };
    expect(await at("2027-05-07T12:00:00Z")).toEqual(new Date("2027-05-07"));
    expect(await at("2027-05-08T00:00:00Z")).toBeNull();
  });

  it("does not count what has gone from the feed", async () => {
    const store = await storeWith([level("S", "shop", 9), level("M", "shop", 1)]);
    await loadRows(database, store.id, [{ id: "M", item_group_id: "shirt", size: "M" }, { id: "lamp" }]);
    const found = await inventory.check(await reader(), { storeId: store.id, items: [...one("shirt"), ...one("S")] });
    expect(found.items).toMatchObject([{ product_id: "shirt", quantity: 1 }]);
    expect(found.messages).toMatchObject([{ code: "no_inventory_data", path: "items.1.product_id" }]);
  });

  it("lists the 50 locations with most, and counts them all", async () => {
    const store = await storeWith([]);
    const many = Array.from({ length: 60 }, (_, i) => ({ location_id: `l${i}`, name: `L${i}`, pickup: true }));
    const levels = many.map(({ location_id }, i) => level("lamp", location_id, i));
    await inventory.replace(system(), inventory.ReplaceInventory.parse({ storeId: store.id, locations: many, levels }));
    const { items } = await inventory.check(await reader(), { storeId: store.id, items: one("lamp") });
    expect(items[0]!.quantity).toBe((60 * 59) / 2);
    expect(items[0]!.locations.map((location) => location.quantity)).toEqual(
      Array.from({ length: 50 }, (_, i) => 59 - i),
    );
  });

  it("is not for those who may not read the store", async () => {
    const store = await storeWith([level("lamp", "shop", 2)]);
    const sandbox = database.as(await makeReader(database, { tier: "sandbox" }));
    await expect(inventory.check(sandbox, { storeId: store.id, items: one("lamp") })).rejects.toMatchObject({
      code: "store_not_available",
    });
  });
});

describe("replacing a store's inventory", () => {
  const counted = async (storeId: string) =>
    (await inventory.check(await reader(), { storeId, items: one("lamp") })).items[0]?.quantity;

  it("replaces locations and counts as one, and records how many", async () => {
    const store = await storeWith([level("lamp", "shop", 1), level("S", "shop", 1)]);
    const merchant = await makeMerchant(database, store.merchantId);
    await inventory.replace(database.as(merchant), parse(store.id, [level("lamp", "store", 3)]));
    expect(await counted(store.id)).toBe(3);
    const [record] = await database.sql`
      select before, after from audit where target_id = ${store.id} and actor_kind = 'merchant'`;
    expect(record).toMatchObject({ before: { levels: 2 }, after: { levels: 1 } });
  });

  it("does nothing to another merchant's store", async () => {
    const store = await storeWith([level("lamp", "shop", 1)]);
    const stranger = await makeMerchant(database, (await makeStore(database)).merchantId);
    const tried = inventory.replace(database.as(stranger), parse(store.id, []));
    await expect(tried).rejects.toMatchObject({ code: "not_found" });
    expect(await counted(store.id)).toBe(1);
  });

  it("takes more counts than a statement has parameters", async () => {
    const store = await storeWith([]);
    const levels = Array.from({ length: 20_000 }, (_, i) => level(`v${i}`, "shop", i));
    await inventory.replace(system(), parse(store.id, levels));
    const [row] = await database.sql`select count(*)::int as n from inventory_levels where store_id = ${store.id}`;
    expect(row).toEqual({ n: 20_000 });
  });

  it.each([
    ["a count at no location", [level("lamp", "moon", 1)], "levels.0.location_id"],
    ["two counts of one thing", [level("lamp", "shop", 1), level("lamp", "shop", 2)], "levels.1"],
    ["less than nothing", [level("lamp", "shop", -1)], "levels.0.quantity"],
  ])("refuses %s", (_, levels, path) => {
    const issues = inventory.ReplaceInventory.safeParse({ storeId: crypto.randomUUID(), locations, levels }).error
      ?.issues;
    expect(issues?.map((issue) => issue.path.join("."))).toEqual([path]);
  });
});
