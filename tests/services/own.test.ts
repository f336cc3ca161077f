// What merchants change of their stores one by one, as agents see it at their next call.
import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { changesOf } from "../../app/desk/record-diff";
import { merchantMembers } from "../../db/schema/merchants";
import { prepare } from "../../server/pipeline";
import * as loads from "../../server/services/feeds/loads";
import * as inventory from "../../server/services/inventory";
import * as replacePrograms from "../../server/services/loyalty";
import * as people from "../../server/services/merchant-people";
import * as merchantStores from "../../server/services/merchant-stores";
import * as loyalty from "../../server/services/own-loyalty";
import * as policies from "../../server/services/own-policies";
import * as products from "../../server/services/own-products";
import * as promotions from "../../server/services/own-promotions";
import * as replacePolicies from "../../server/services/policies";
import * as replacePromotions from "../../server/services/promotions";
import { tools } from "../../server/tools";
import { testDatabase, untilWaiting } from "../support/database";
import { makeMerchant, makeReader, makeStore } from "../support/factories";
import { loadRows, makeGtin } from "../support/feed";
import { outcomeOf } from "../support/people";

const database = testDatabase();

async function makeShop() {
  const store = await makeStore(database);
  const merchant = await makeMerchant(database, store.merchantId);
  const reader = await makeReader(database);
  /** What an agent is answered; a refusal as its code. */
  const agent = (name: string, args: Record<string, unknown>) =>
    prepare(database.as(reader), tools.find((tool) => tool.name === name)!, args)
      .run()
      .then(
        ({ text }) => JSON.parse(text),
        (error) => error.code,
      );
  return { store, as: (now?: Date) => database.as(merchant, now), agent };
}

const promotion = (store: string, given: Partial<z.input<typeof promotions.SavePromotion>> = {}) =>
  promotions.SavePromotion.parse({
    store,
    promotionId: "SPRING",
    title: "15% off",
    percentOff: "15",
    products: "",
    freeShipping: false,
    stackable: false,
    startsAt: "2020-01-01T00:00",
    endsAt: "2090-01-01T00:00",
    channels: ["online"],
    ...given,
  });
const actsOf = async (storeId: string) =>
  (
    await database.sql`select action from audit where target_id = ${storeId} and actor_kind = 'merchant' order by at, id`
  ).map(({ action }) => action);

describe("an excluded product", () => {
  it("is in no tool's answer from the next call on, nor named by a promotion; included again, it is back", async () => {
    const { store, as, agent } = await makeShop();
    const gtin = makeGtin();
    await loadRows(database, store.id, [
      {
        id: "tent-red",
        item_group_id: "tent",
        color: "red",
        title: "Ridge tent",
        gtin,
        product_type: "Camping > Tents",
      },
      { id: "tent-blue", item_group_id: "tent", color: "blue", title: "Ridge tent", product_type: "Camping > Tents" },
      { id: "stove", title: "Stove", product_type: "Camping > Stoves" },
    ]);
    await inventory.replace(
      database.as({ kind: "system" }),
      inventory.ReplaceInventory.parse({
        storeId: store.id,
        locations: [{ location_id: "shop", name: "Shop", pickup: true }],
        levels: [{ variant_id: "tent-red", location_id: "shop", quantity: 3 }],
      }),
    );
    await promotions.save(as(), promotion(store.slug, { products: "tent-red\nstove" }));
    await promotions.save(as(), promotion(store.slug, { promotionId: "TENTS", products: "tent" }));
    await loyalty.save(as(), program(store.slug));
    const calls: [string, Record<string, unknown>][] = [
      ["search_products", { query: "ridge tent", store_ids: [store.id] }],
      ["search_products", { store_ids: [store.id] }],
      ["search_products", { filters: { gtin }, store_ids: [store.id] }],
      ["get_product", { store_id: store.id, product_id: "tent" }],
      ["get_product", { store_id: store.id, product_id: "tent-blue" }],
      ["get_product", { store_id: store.id, gtin }],
      ["lookup_products", { ids: [{ store_id: store.id, product_id: "tent-red" }] }],
      ["lookup_products", { gtins: [gtin] }],
      ["get_offers", { store_id: store.id, product_id: "tent" }],
      ["get_offers", { gtin }],
      ["get_promotions", { store_id: store.id }],
      ["get_promotions", { store_id: store.id, product_id: "tent-red" }],
      ["get_loyalty_program", { store_id: store.id, product_id: "tent" }],
      ["check_inventory", { store_id: store.id, items: [{ product_id: "tent" }] }],
      ["list_categories", { store_id: store.id, parent: "Camping" }],
    ];
    const answers = async () => {
      const all = [];
      for (const [name, args] of calls) all.push(await agent(name, args));
      // Of what an answer says, not of what it was asked.
      return all.map((answer) => JSON.stringify(answer, (key, value) => (key === "messages" ? undefined : value)));
    };
    const before = await answers();
    for (const [i, text] of before.entries()) expect(text, JSON.stringify(calls[i])).toMatch(/\btents?\b/i);
    await products.setExcluded(as(), { store: store.slug, productId: "tent", excluded: true });
    const after = await answers();
    for (const [i, text] of after.entries()) expect(text, JSON.stringify(calls[i])).not.toMatch(/\btents?\b/i);
    expect(after[10]).toContain('"product_ids":["stove"]');
    // A promotion for nothing that can be found is none.
    expect(after[10]).not.toContain("TENTS");
    await products.setExcluded(as(), { store: store.slug, productId: "tent", excluded: false });
    expect(await answers()).toEqual(before);
    expect((await actsOf(store.id)).slice(-2)).toEqual(["product.exclude", "product.include"]);
  });

  it("is excluded and recorded once, though two press at once, and again", async () => {
    const { store, as } = await makeShop();
    await loadRows(database, store.id, [{ id: "pan", title: "Pan" }]);
    const exclude = () => products.setExcluded(as(), { store: store.slug, productId: "pan", excluded: true });
    let both: Promise<unknown> | undefined;
    await database.sql.begin(async (tx) => {
      await tx`select from stores where id = ${store.id} for update`;
      both = Promise.all([exclude(), exclude()]);
      await untilWaiting(database.sql, 2);
    });
    await both;
    await exclude();
    expect(await actsOf(store.id)).toEqual(["product.exclude"]);
  });

  it("comes after all that the feed has once it is gone from it, on pages that are turned both ways", async () => {
    const { store, as } = await makeShop();
    const ids = (letter: string, count: number) =>
      Array.from({ length: count }, (_, i) => ({ id: `${letter}${String(i).padStart(2, "0")}` }));
    await loadRows(database, store.id, [...ids("a", 28), ...ids("z", 30)]);
    await loadRows(database, store.id, ids("z", 30));
    const expected = [...ids("z", 30), ...ids("a", 28)].map(({ id }) => id);
    const pages = [await products.list(as(), { store: store.slug })];
    for (let next = pages[0]!.next; next; next = pages.at(-1)!.next)
      pages.push(await products.list(as(), { store: store.slug, cursor: next }));
    expect(pages.map(({ rows }) => rows.map(({ productId }) => productId))).toEqual([
      expected.slice(0, 25),
      expected.slice(25, 50),
      expected.slice(50),
    ]);
    for (const index of [2, 1])
      expect((await products.list(as(), { store: store.slug, cursor: pages[index]!.previous! })).rows).toEqual(
        pages[index - 1]!.rows,
      );
  });

  it("is found among the store's by word, by id, or as excluded; a page at a time both ways", async () => {
    const { store, as } = await makeShop();
    const rows = Array.from({ length: 30 }, (_, i) => ({
      id: `p${String(i).padStart(2, "0")}`,
      title: i === 7 ? "Red kettle" : `Mug ${i}`,
    }));
    await loadRows(database, store.id, rows);
    const find = async (given: object) =>
      (await products.list(as(), { store: store.slug, ...given })).rows.map(({ productId }) => productId);
    expect(await find({ query: "kettles" })).toEqual(["p07"]);
    expect(await find({ query: "p12" })).toEqual(["p12"]);
    expect(await find({ excluded: true })).toEqual([]);
    await products.setExcluded(as(), { store: store.slug, productId: "p12", excluded: true });
    expect(await find({ excluded: true })).toEqual(["p12"]);
    const first = await products.list(as(), { store: store.slug });
    const second = await products.list(as(), { store: store.slug, cursor: first.next! });
    expect([...first.rows, ...second.rows].map(({ productId }) => productId)).toEqual(rows.map(({ id }) => id));
    expect((await products.list(as(), { store: store.slug, cursor: second.previous! })).rows).toEqual(first.rows);
    expect(await merchantStores.get(as(), { store: store.slug })).toMatchObject({ products: 30, excluded: 1 });
    await expect(
      products.setExcluded(as(), { store: store.slug, productId: "none", excluded: true }),
    ).rejects.toMatchObject({ code: "not_found" });
  });
});

it("a product of variants is found by the id of each, beside what has that for a word, a page at a time both ways", async () => {
  const { store, as } = await makeShop();
  const mugs = Array.from({ length: 30 }, (_, i) => ({
    id: `p${String(i).padStart(2, "0")}`,
    title: `Kelvin mug ${i}`,
  }));
  const tent = { item_group_id: "p07x", title: "Ridge tent" };
  await loadRows(database, store.id, [
    ...mugs,
    { ...tent, id: "kelvin", color: "red" },
    { ...tent, id: "T-2", color: "blue" },
  ]);
  const find = (query: string, cursor?: string) => products.list(as(), { store: store.slug, query, cursor });
  const ids = ({ rows }: Awaited<ReturnType<typeof find>>) => rows.map(({ productId }) => productId);
  expect(ids(await find("T-2"))).toEqual(["p07x"]);
  expect(ids(await find("t-2"))).toEqual([]);
  const first = await find("kelvin");
  const second = await find("kelvin", first.next!);
  expect([...ids(first), ...ids(second)]).toEqual([...mugs.map(({ id }) => id), "p07x"].sort());
  expect(ids(await find("kelvin", second.previous!))).toEqual(ids(first));
  // Another store's row with this id finds nothing here.
  const other = await makeShop();
  await loadRows(database, other.store.id, [{ id: "pan", title: "Pan" }]);
  expect((await products.list(other.as(), { store: other.store.slug, query: "T-2" })).rows).toEqual([]);
});

describe("a store as its merchant sees it", () => {
  it("counts what is in the feed, what of that is excluded, and tells the latest load", async () => {
    const { store, as } = await makeShop();
    const of = { store: store.slug };
    const rows = ["mug", "pan", "pot"].map((id) => ({ id, title: id }));
    await loadRows(database, store.id, rows);
    for (const productId of ["pan", "pot"]) await products.setExcluded(as(), { ...of, productId, excluded: true });
    await loadRows(database, store.id, rows.slice(0, 2));
    const told = { products: 2, excluded: 1, lastLoad: { outcome: "loaded", loaded: 2, rejected: 0 } };
    expect(await merchantStores.get(as(), of)).toMatchObject(told);
    expect((await merchantStores.list(as(), {})).rows).toMatchObject([told]);
  });

  it("counts what agents see of its catalogue: nothing that is excluded, from the next look on", async () => {
    const { store, as } = await makeShop();
    const rows = ["mug", "pan", "pot"].map((id) => ({ id, title: id }));
    await loadRows(database, store.id, rows);
    const exclude = (productId: string, excluded: boolean) =>
      products.setExcluded(as(), { store: store.slug, productId, excluded });
    const counted = async () => [
      (await loads.get(as(), { storeId: store.id })).products,
      ...(await loads.stores(as())).map((one) => one.products),
    ];
    for (const id of ["pan", "pot"]) await exclude(id, true);
    expect(await counted()).toEqual([1, 1]);
    await exclude("pan", false);
    expect(await counted()).toEqual([2, 2]);
    await loadRows(database, store.id, rows.slice(1));
    expect(await counted()).toEqual([1, 1]);
  });

  it("is turned off and on for agents once, however often that is said, and each time it is recorded", async () => {
    const { store, as } = await makeShop();
    for (const on of [true, false, false, true, true])
      await merchantStores.setDiscovery(as(), { store: store.slug, on });
    const acts = await database.sql`
      select before, after from audit where target_id = ${store.id} and action = 'store.discovery' order by at, id`;
    const [on, off] = [{ on: true }, { on: false }];
    expect(acts).toEqual([
      { before: on, after: off },
      { before: off, after: on },
    ]);
  });
});

describe("a promotion", () => {
  it("is made, changed, ended and removed, and agents see each at their next call", async () => {
    const { store, as, agent } = await makeShop();
    const seen = async () =>
      (await agent("get_promotions", { store_id: store.id })).promotions.map(
        (row: { long_title: string; status: string }) => [row.long_title, row.status],
      );
    await promotions.save(as(), promotion(store.slug));
    expect(await seen()).toEqual([["15% off", "active"]]);
    await promotions.save(
      as(),
      promotion(store.slug, { existing: "SPRING", title: "5 off", percentOff: "", moneyOff: "5.00" }),
    );
    expect(await seen()).toEqual([["5 off", "active"]]);
    const [row] = (await promotions.list(as(), { store: store.slug })).rows;
    expect(row).toMatchObject({ moneyOff: { amount: 500, currency: "EUR" }, percentOff: null, stage: "active" });
    await promotions.end(as(), { store: store.slug, promotionId: "SPRING" });
    expect(await seen()).toEqual([]);
    await expect(promotions.end(as(), { store: store.slug, promotionId: "SPRING" })).rejects.toMatchObject({
      code: "conflict",
    });
    await promotions.remove(as(), { store: store.slug, promotionId: "SPRING" });
    expect((await promotions.list(as(), { store: store.slug })).rows).toEqual([]);
    expect(await actsOf(store.id)).toEqual([
      "promotion.create",
      "promotion.change",
      "promotion.end",
      "promotion.remove",
    ]);
  });

  it("lasts a minute at least: what ends as it starts is refused beside its end", () => {
    const ending = (endsAt: string) =>
      promotions.SavePromotion.safeParse({ ...rawPromotion("shop"), startsAt: "2027-01-01T10:00", endsAt });
    expect(ending("2027-01-01T10:01").success).toBe(true);
    expect(ending("2027-01-01T10:00").error?.issues.map(({ path }) => path)).toEqual([["endsAt"]]);
  });

  it("names a product once in a promotion, however often it was typed", async () => {
    const { store, as } = await makeShop();
    await loadRows(database, store.id, [{ id: "tent" }, { id: "stove" }]);
    await promotions.save(as(), promotion(store.slug, { products: "tent\nstove\n tent \n" }));
    const { rows } = await promotions.list(as(), { store: store.slug });
    expect(rows.map(({ productIds }) => productIds)).toEqual([["tent", "stove"]]);
  });

  it("is refused beside its field when it is wrong", async () => {
    const { store, as } = await makeShop();
    const wrong = (given: object) => {
      const parsed = promotions.SavePromotion.safeParse({ ...rawPromotion(store.slug), ...given });
      return parsed.success ? [] : parsed.error.issues.map((issue) => issue.path.join("."));
    };
    expect(wrong({ percentOff: "" })).toEqual(["percentOff"]);
    for (const percentOff of ["120", "0", "0x10", "1e1", "7.5"]) expect(wrong({ percentOff })).toEqual(["percentOff"]);
    expect(wrong({ endsAt: "2019-01-01T00:00" })).toEqual(["endsAt"]);
    for (const startsAt of ["soon", "2027-02-30T10:00"]) expect(wrong({ startsAt }), startsAt).toContain("startsAt");
    expect(wrong({ percentOff: "120", moneyOff: "lots", endsAt: "2019-01-01T00:00", url: "no page" })).toEqual([
      "percentOff",
      "moneyOff",
      "url",
      "endsAt",
    ]);
    expect(wrong({ url: "javascript:alert(1)" })).toEqual(["url"]);
    expect(wrong({ channels: [] })).toEqual(["channels"]);
    const refusals: [object, string][] = [
      [{ moneyOff: "5 lots" }, "moneyOff"],
      [{ moneyOff: "0" }, "moneyOff"],
      [{ moneyOff: "5 GBP", minimumPurchase: "50 EUR" }, "minimumPurchase"],
      [{ products: "no-such" }, "products"],
    ];
    for (const [given, path] of refusals) {
      await expect(promotions.save(as(), promotion(store.slug, given)), path).rejects.toMatchObject({
        code: "invalid_input",
        details: { issues: [{ path }] },
      });
    }
    await promotions.save(as(), promotion(store.slug));
    await expect(promotions.save(as(), promotion(store.slug))).rejects.toMatchObject({
      details: { issues: [{ path: "promotionId" }] },
    });
    await expect(promotions.save(as(), promotion(store.slug, { existing: "NONE" }))).rejects.toMatchObject({
      code: "conflict",
      message:
        "This promotion was removed in the meantime, so nothing was saved. Copy what you want to keep into a new one.",
    });
  });

  it("keeps the seconds at which it starts and ended, while its form shows the same minutes", async () => {
    const { store, as } = await makeShop();
    await promotions.save(as(), promotion(store.slug));
    const endedAt = new Date("2026-11-20T10:00:34.567Z");
    await promotions.end(as(endedAt), { store: store.slug, promotionId: "SPRING" });
    const shown = { existing: "SPRING", endsAt: "2026-11-20T10:00" };
    const ends = async () => (await promotions.list(as(), { store: store.slug })).rows[0]!.endsAt;
    await promotions.save(as(), promotion(store.slug, { ...shown, title: "Was 15% off" }));
    expect(await ends()).toEqual(endedAt);
    const [told] = await database.sql`
      select before->>'endsAt' = after->>'endsAt' as "isSame" from audit
      where target_id = ${store.id} and action = 'promotion.change'`;
    expect(told!.isSame, "no change of the end is recorded").toBe(true);
    await promotions.save(as(), promotion(store.slug, { ...shown, endsAt: "2026-11-20T10:01" }));
    expect(await ends()).toEqual(new Date("2026-11-20T10:01:00Z"));
  });

  it("that was ended meanwhile does not run again because its form was open", async () => {
    const { store, as } = await makeShop();
    await promotions.save(as(), promotion(store.slug));
    const { startsAt, endsAt, version: shown } = (await promotions.list(as(), { store: store.slug })).rows[0]!;
    const minute = (at: Date) => at.toISOString().slice(0, 16);
    const asItWas = { existing: "SPRING", startsAt: minute(startsAt), endsAt: minute(endsAt) };
    await promotions.end(as(), { store: store.slug, promotionId: "SPRING" });
    const [row] = (await promotions.list(as(), { store: store.slug })).rows;
    const form = promotion(store.slug, { ...asItWas, title: "15 % off", shown });
    await expect(promotions.save(as(), form)).rejects.toMatchObject({
      code: "conflict",
      details: { version: row!.version },
    });
    expect([row!.stage, row!.title]).toEqual(["expired", "15% off"]);
    await promotions.save(as(), promotion(store.slug, { ...asItWas, title: "Again", shown: row!.version }));
    expect((await promotions.list(as(), { store: store.slug })).rows[0]).toMatchObject({
      stage: "active",
      title: "Again",
    });
  });

  it("is in the store's currency unless an amount names one, which then is that of both", async () => {
    const { id, slug, merchantId } = await makeStore(database, { currency: "JPY" });
    const ctx = database.as(await makeMerchant(database, merchantId));
    const saved = async (given: object) => {
      await promotions.save(ctx, promotion(slug, { existing: "SPRING", percentOff: "", ...given }));
      const [row] = (await promotions.list(ctx, { store: slug })).rows;
      return [row!.moneyOff?.typed, row!.minimumPurchase?.typed];
    };
    await promotions.save(ctx, promotion(slug));
    expect(await saved({ moneyOff: "500" })).toEqual(["500 JPY", undefined]);
    expect(await saved({ moneyOff: "5 GBP", minimumPurchase: "50" })).toEqual(["5.00 GBP", "50.00 GBP"]);
    expect(await saved({ percentOff: "5", minimumPurchase: "50 GBP" })).toEqual([undefined, "50.00 GBP"]);
    expect(await actsOf(id)).toHaveLength(4);
  });

  it("is never rounded: an amount with more decimals than its currency is refused beside its field", async () => {
    for (const [currency, right, finer, message] of [
      ["JPY", "500.00", "500.50", "JPY has no decimals: enter a whole amount."],
      ["EUR", "5.50", "5.5555", "EUR has 2 decimals: enter no more."],
      ["KWD", "5.250", "5.2505", "KWD has 3 decimals: enter no more."],
    ] as const) {
      const { slug, merchantId } = await makeStore(database, { currency });
      const ctx = database.as(await makeMerchant(database, merchantId));
      for (const path of ["moneyOff", "minimumPurchase"]) {
        await expect(promotions.save(ctx, promotion(slug, { [path]: finer })), currency).rejects.toMatchObject({
          details: { issues: [{ path, message }] },
        });
      }
      await promotions.save(ctx, promotion(slug, { moneyOff: right }));
    }
  });

  it("is ended only while it runs: not before it begins, nor once it is over", async () => {
    const { store, as } = await makeShop();
    await promotions.save(as(), promotion(store.slug, { startsAt: "2027-03-01T00:00", endsAt: "2027-03-08T00:00" }));
    const end = (now: string) =>
      outcomeOf(promotions.end(as(new Date(now)), { store: store.slug, promotionId: "SPRING" }));
    for (const now of ["2027-03-01T00:00:00Z", "2027-03-08T00:00:00Z"])
      expect(await end(now)).toMatchObject({ code: "conflict" });
    expect(await end("2027-03-07T12:00:00Z")).toEqual({ value: undefined });
    const { rows } = await promotions.list(as(), { store: store.slug });
    expect(rows).toMatchObject([{ endsAt: new Date("2027-03-07T12:00:00Z") }]);
  });

  it("made twenty times at once is one", async () => {
    const { store, as } = await makeShop();
    const made = await Promise.allSettled(
      Array.from({ length: 20 }, () => promotions.save(as(), promotion(store.slug))),
    );
    expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });
});

describe("who is removed from the merchant while their change waits", () => {
  type Shop = Awaited<ReturnType<typeof makeShop>>;
  const answer = { id: undefined, url: undefined, question: "Q?", answer: "A.", type: "faq" as const };
  const changes: [string, (shop: Shop) => Promise<void>][] = [
    ["switches nothing off", ({ store, as }) => merchantStores.setDiscovery(as(), { store: store.slug, on: false })],
    [
      "keeps no product from agents",
      ({ store, as }) => products.setExcluded(as(), { store: store.slug, productId: "pan", excluded: true }),
    ],
    ["makes no promotion", ({ store, as }) => promotions.save(as(), promotion(store.slug))],
    ["makes no programme", ({ store, as }) => loyalty.save(as(), program(store.slug))],
    ["makes no policy", ({ store, as }) => policies.save(as(), { ...answer, store: store.slug })],
  ];

  it.each(changes)("%s", async (_, change) => {
    const shop = await makeShop();
    await loadRows(database, shop.store.id, [{ id: "pan", title: "Pan" }]);
    const { merchantId, accountId } = shop.as().actor;
    // Somebody else acts for it, and they act for another one.
    await makeMerchant(database, merchantId);
    await database.db.insert(merchantMembers).values({ merchantId: (await makeStore(database)).merchantId, accountId });
    let changing: Promise<unknown> | undefined;
    await database.sql.begin(async (tx) => {
      await tx`select from stores where id = ${shop.store.id} for update`;
      changing = outcomeOf(change(shop));
      await untilWaiting(database.sql, 1);
      await people.remove(database.as({ kind: "operator", accountId: null }), { merchantId, accountId });
    });
    expect(await changing).toMatchObject({ code: "not_found" });
    expect(await actsOf(shop.store.id)).toEqual([]);
  });
});

it("a change of a store of another merchant than the person acts for by now is refused as that, and a stranger's as none", async () => {
  const [first, second] = [await makeShop(), await makeShop()];
  const { accountId } = first.as().actor;
  const { merchantId } = second.as().actor;
  await database.db.insert(merchantMembers).values({ merchantId, accountId });
  const elsewhere = database.as({ kind: "merchant", accountId, merchantId } as const);
  const change = (store: string) =>
    policies.save(elsewhere, { store, question: "Q?", answer: "A.", type: "faq" } as Parameters<
      typeof policies.save
    >[1]);
  await expect(change(first.store.slug)).rejects.toMatchObject({
    code: "conflict",
    message: expect.stringMatching(
      /^Nothing was done: this page is about a store of .+, and you act for another merchant now/,
    ),
  });
  await expect(change((await makeShop()).store.slug)).rejects.toMatchObject({ code: "not_found" });
  expect(await actsOf(first.store.id)).toEqual([]);
});

const rawPromotion = (store: string) => ({
  ...promotion(store),
  startsAt: "2020-01-01T00:00",
  endsAt: "2090-01-01T00:00",
  products: "",
});

const program = (store: string, given: Partial<z.input<typeof loyalty.SaveProgram>> = {}) =>
  loyalty.SaveProgram.parse({
    store,
    name: "Club",
    description: "Points for all you buy.",
    termsUrl: "https://shop.example/club",
    isPrimary: false,
    tiers: [
      { name: "Gold", thresholdPoints: "500", multiplier: "2", perks: "Free delivery\n\nEarly sales" },
      { name: "Member", thresholdPoints: "0", multiplier: "1", perks: "" },
    ],
    rules: [{ basis: "2 points per euro", pointsPerUnit: "2", bonusPoints: "10" }],
    ...given,
  });

describe("a loyalty programme", () => {
  it("is saved whole, and tells agents its points at their next call", async () => {
    const { store, as, agent } = await makeShop();
    await loadRows(database, store.id, [{ id: "stove", title: "Stove", price: "10.00 EUR" }]);
    const points = async (tier: string) =>
      (await agent("get_loyalty_program", { store_id: store.id, product_id: "stove", tier })).points.points_earned;
    await loyalty.save(as(), program(store.slug));
    expect(await points("Gold")).toBe(50);
    const [saved] = await loyalty.list(as(), { store: store.slug });
    expect(saved).toMatchObject({
      isPrimary: true,
      tiers: [{ name: "Member" }, { name: "Gold", perks: ["Free delivery", "Early sales"] }],
    });
    await loyalty.save(
      as(),
      program(store.slug, { id: saved!.id, rules: [{ basis: "1 each", pointsPerUnit: "0", bonusPoints: "1" }] }),
    );
    expect(await points("Gold")).toBe(1);
    expect((await loyalty.list(as(), { store: store.slug }))[0]!.id).toBe(saved!.id);
    expect(await actsOf(store.id)).toEqual(["loyalty.create", "loyalty.change"]);
    // The record has all of it on both sides, so that it can be told what was changed.
    const [change] = await database.sql`
      select before, after from audit where target_id = ${store.id} and action = 'loyalty.change'`;
    expect(changesOf(change!.before, change!.after).map(({ name }) => name)).toEqual(["rules"]);
  });

  it("takes no number that was left empty for 0, nor one as programs write it", () => {
    const refused = (given: Parameters<typeof program>[1]) => {
      try {
        return program("shop", given);
      } catch (error) {
        return (error as z.ZodError).issues.map(({ path, message }) => [path.join("."), message]);
      }
    };
    expect(refused({ tiers: [{ name: "Member", thresholdPoints: "", multiplier: " ", perks: "" }] })).toEqual([
      ["tiers.0.thresholdPoints", "Enter the points, as a whole number."],
      ["tiers.0.multiplier", "Enter a number, such as 1.5."],
    ]);
    for (const [pointsPerUnit, bonusPoints] of [
      ["", ""],
      ["0x10", "1e3"],
      ["0b1", "0o7"],
      // May be thousands: neither is one and a half, or one.
      ["1,500", "1.000"],
      ["Infinity", "1,000"],
      [`${"1".repeat(1_000_000)}x`, `${" ".repeat(1_000_000)}x`],
    ] as const) {
      expect(refused({ rules: [{ basis: "Points", pointsPerUnit, bonusPoints }] })).toEqual([
        ["rules.0.pointsPerUnit", "Enter a number, such as 1.5."],
        ["rules.0.bonusPoints", "Enter the points, as a whole number."],
      ]);
    }
    expect(refused({ rules: [{ basis: "Points", pointsPerUnit: " 0.5 ", bonusPoints: "-1" }] })).toEqual([
      ["rules.0.bonusPoints", "Enter at least 0."],
    ]);
    const { rules } = program("shop", { rules: [{ basis: "Points", pointsPerUnit: "1,5", bonusPoints: " 20 " }] });
    expect(rules).toMatchObject([{ pointsPerUnit: 1.5, bonusPoints: 20 }]);
  });

  it("has up to fifty perks a tier, each of up to five hundred characters", () => {
    const isTaken = (perks: string[]) => {
      const tiers = [{ name: "Member", thresholdPoints: 0, multiplier: 1, perks: perks.join("\n") }];
      return loyalty.SaveProgram.safeParse({ ...program("shop"), tiers, rules: [] }).success;
    };
    const perks = (count: number, length: number) =>
      Array.from({ length: count }, (_, i) => `${i}`.padEnd(length, "."));
    expect(isTaken(perks(50, 500))).toBe(true);
    expect(isTaken(perks(51, 2))).toBe(false);
    expect(isTaken(perks(1, 501))).toBe(false);
  });

  it("has one primary one at any time, which goes last", async () => {
    const { store, as } = await makeShop();
    await loyalty.save(as(), program(store.slug));
    await loyalty.save(as(), program(store.slug, { name: "Trade", isPrimary: true }));
    await expect(loyalty.save(as(), program(store.slug, { name: "Trade" }))).rejects.toMatchObject({
      code: "invalid_input",
      details: { issues: [{ path: "name" }] },
    });
    const both = await loyalty.list(as(), { store: store.slug });
    expect(both.map(({ name, isPrimary }) => [name, isPrimary])).toEqual([
      ["Trade", true],
      ["Club", false],
    ]);
    await expect(loyalty.remove(as(), { store: store.slug, id: both[0]!.id })).rejects.toMatchObject({
      code: "conflict",
    });
    await expect(
      loyalty.save(as(), program(store.slug, { id: both[0]!.id, name: "Trade", isPrimary: false })),
    ).rejects.toMatchObject({ code: "invalid_input", details: { issues: [{ path: "isPrimary" }] } });
    expect(await loyalty.list(as(), { store: store.slug })).toEqual(both);
    await loyalty.save(as(), program(store.slug, { id: both[1]!.id, name: "Club", isPrimary: true }));
    await loyalty.remove(as(), { store: store.slug, id: both[0]!.id });
    // The only one is, whatever its box says.
    await loyalty.save(as(), program(store.slug, { id: both[1]!.id, isPrimary: false }));
    expect(await loyalty.list(as(), { store: store.slug })).toMatchObject([{ isPrimary: true }]);
    await loyalty.remove(as(), { store: store.slug, id: both[1]!.id });
    expect(await loyalty.list(as(), { store: store.slug })).toEqual([]);
  });

  it("is refused beside its field when it is wrong", () => {
    const wrong = (given: object) => {
      const parsed = loyalty.SaveProgram.safeParse({ ...program("x"), ...given });
      return parsed.success ? [] : parsed.error.issues.map((issue) => issue.path.join("."));
    };
    const tier = { name: "A", thresholdPoints: "0", multiplier: "1", perks: "" };
    const valid = { tiers: [tier], rules: [] };
    expect(wrong(valid)).toEqual([]);
    expect(wrong({ ...valid, tiers: [] })).toEqual(["tiers"]);
    expect(wrong({ ...valid, tiers: [{ ...tier, thresholdPoints: "5" }] })).toEqual(["tiers"]);
    expect(wrong({ ...valid, tiers: [tier, { ...tier, name: "a" }] })).toEqual([
      "tiers.1.name",
      "tiers.1.thresholdPoints",
    ]);
    expect(wrong({ ...valid, tiers: [{ ...tier, multiplier: "0" }] })).toEqual(["tiers.0.multiplier"]);
    expect(wrong({ ...valid, rules: [{ basis: "", pointsPerUnit: "x", bonusPoints: "1.5" }] })).toEqual([
      "rules.0.basis",
      "rules.0.pointsPerUnit",
      "rules.0.bonusPoints",
    ]);
  });
});

describe("a policy", () => {
  it("made twenty times at once, by a form that is sent again and again, is one", async () => {
    const { store, as, agent } = await makeShop();
    const given = { store: store.slug, id: undefined, url: undefined, question: "May I pay by card?", answer: "Yes." };
    await Promise.all(Array.from({ length: 20 }, () => policies.save(as(), { ...given, type: "payment" })));
    await policies.save(as(), { ...given, type: "payment", answer: "Yes, by any." });
    expect((await agent("search_store_policies", { store_id: store.id, query: "card" })).answers).toHaveLength(2);
    expect(await actsOf(store.id)).toEqual(["policy.create", "policy.create"]);
  });

  it("is made, changed and removed, and answers agents' questions from their next call on", async () => {
    const { store, as, agent } = await makeShop();
    const answer = async () =>
      (await agent("search_store_policies", { store_id: store.id, query: "can I send it back" })).answers.map(
        (row: { answer: string }) => row.answer,
      );
    const returns = {
      store: store.slug,
      question: "What is your return policy?",
      type: "returns" as const,
      id: undefined,
      url: undefined,
    };
    await policies.save(as(), { ...returns, answer: "Within 30 days." });
    expect(await answer()).toEqual(["Within 30 days."]);
    const [saved] = await policies.list(as(), { store: store.slug });
    await policies.save(as(), { ...returns, id: saved!.id, answer: "Within 60 days." });
    expect(await answer()).toEqual(["Within 60 days."]);
    // What is saved as it stands has not changed by that.
    const [changed] = await policies.list(as(), { store: store.slug });
    await policies.save(as(), { ...returns, id: saved!.id, answer: "Within 60 days." });
    expect(await policies.list(as(), { store: store.slug })).toEqual([changed]);
    await policies.remove(as(), { store: store.slug, id: saved!.id });
    expect(await answer()).toEqual([]);
    await expect(policies.remove(as(), { store: store.slug, id: saved!.id })).rejects.toMatchObject({
      code: "not_found",
    });
    expect(await actsOf(store.id)).toEqual(["policy.create", "policy.change", "policy.remove"]);
  });
});

it("what is filled with blanks alone is left empty: no brand that nothing has, no fine print of nothing; no multiplier of nearly 0", () => {
  const rule = { basis: "x", pointsPerUnit: 1, bonusPoints: 0, brand: "  ", productType: " " };
  const tier = { name: "x", thresholdPoints: 0, multiplier: 1, perks: "" };
  const program = {
    ...{ store: "x", name: "x", description: "x", termsUrl: "https://x.example", isPrimary: true },
    ...{ tiers: [tier], rules: [rule] },
  };
  const { rules } = loyalty.SaveProgram.parse(program);
  expect([rules[0]!.brand, rules[0]!.productType]).toEqual([undefined, undefined]);
  const tiers = [{ ...tier, multiplier: "0.0000000000000000001" }];
  expect(loyalty.SaveProgram.safeParse({ ...program, tiers }).success).toBe(false);
});

it("of two policies that differ by the page alone that they are from, each is saved, and once", async () => {
  const { store, as } = await makeShop();
  const policy = { store: store.slug, question: "Q?", answer: "A.", type: "faq" as const, id: undefined };
  const urls = [undefined, "https://shop.example/a", "https://shop.example/a", undefined];
  for (const url of urls) await policies.save(as(), { ...policy, url });
  const found = (await policies.list(as(), { store: store.slug })).map(({ url }) => url);
  expect(new Set(found)).toEqual(new Set([null, "https://shop.example/a"]));
  expect(found).toHaveLength(2);
});

describe("a store that has as many as it may", () => {
  const ids = (count: number) => Array.from({ length: count }, (_, i) => `N${i}`);

  it("takes no further promotion, programme or policy, and lets those that there are be changed", async () => {
    const { store, as } = await makeShop();
    const [system, storeId] = [database.as({ kind: "system" }), store.id];
    const dates = { start: "2020-01-01", end: "2090-01-01" };
    const offer = { offer_type: "no_code", percent_off: 5, product_applicability: "all_products" };
    const given = { ...offer, promotion_effective_dates: dates, redemption_channel: ["online"] };
    const club = { description: "Points.", terms_url: "https://shop.example/club", earning_rules: [] };
    const tiers = [{ name: "Member", threshold_points: 0, perks: [] }];
    const faq = { answer: "Yes.", policy_type: "faq", updated_at: "2026-01-01" };
    const fill = (fewer: number) =>
      Promise.all([
        replacePromotions.replace(
          system,
          replacePromotions.ReplacePromotions.parse({
            storeId,
            promotions: ids(1000 - fewer).map((id) => ({ ...given, promotion_id: id, long_title: id })),
          }),
        ),
        replacePrograms.replace(
          system,
          replacePrograms.ReplacePrograms.parse({
            storeId,
            programs: ids(20 - fewer).map((name, i) => ({ ...club, tiers, name, primary: i === 0 })),
          }),
        ),
        replacePolicies.replace(
          system,
          replacePolicies.ReplacePolicies.parse({
            storeId,
            policies: ids(500 - fewer).map((question) => ({ ...faq, question })),
          }),
        ),
      ]);
    const policy = { id: undefined, url: undefined, store: store.slug, answer: "A.", type: "faq" as const };
    const add = async () => [
      await outcomeOf(promotions.save(as(), promotion(store.slug))),
      await outcomeOf(loyalty.save(as(), program(store.slug))),
      await outcomeOf(policies.save(as(), { ...policy, question: "New?" })),
    ];
    await fill(1);
    expect(await add()).toEqual(Array(3).fill({ value: undefined }));
    await fill(0);
    expect(await add()).toMatchObject(Array(3).fill({ code: "conflict" }));
    const [[club0], [faq0]] = [
      await loyalty.list(as(), { store: store.slug }),
      await policies.list(as(), { store: store.slug }),
    ];
    await promotions.save(as(), promotion(store.slug, { existing: "N1", promotionId: "N1" }));
    await loyalty.save(as(), program(store.slug, { id: club0!.id, isPrimary: true }));
    await policies.save(as(), { ...policy, id: faq0!.id, question: "Changed?" });
  });

  it("names fifty thousand products in all of its promotions, and no more: each may be looked up at a call", async () => {
    const { store, as } = await makeShop();
    await loadRows(database, store.id, [{ id: "N0", title: "Tent" }]);
    const [system, storeId] = [database.as({ kind: "system" }), store.id];
    const offer = { offer_type: "no_code", percent_off: 5, product_applicability: "specific_products" };
    const dates = { start: "2020-01-01", end: "2090-01-01" };
    const given = { ...offer, promotion_effective_dates: dates, redemption_channel: ["online"], long_title: "5% off" };
    const fill = (count: number) =>
      replacePromotions.replace(
        system,
        replacePromotions.ReplacePromotions.parse({
          storeId,
          promotions: ids(count).map((id) => ({ ...given, promotion_id: id, product_ids: ids(5_000) })),
        }),
      );
    await fill(10);
    const told = "All promotions of a store may name 50,000 products together; with this they would name";
    expect(await outcomeOf(promotions.save(as(), promotion(store.slug, { products: "N0" })))).toMatchObject({
      code: "invalid_input",
      message: `${told} 50,001. Name fewer, or none where it is for all products.`,
      details: { issues: [{ path: "products" }] },
    });
    await expect(fill(11)).rejects.toMatchObject({ code: "invalid_input", message: expect.stringContaining(told) });
    await promotions.save(as(), promotion(store.slug));
    await promotions.save(as(), promotion(store.slug, { existing: "N1", promotionId: "N1", products: "N0" }));
    await promotions.save(as(), promotion(store.slug, { existing: "SPRING", promotionId: "SPRING", products: "N0" }));
    expect(await promotions.list(as(), { store: store.slug })).toMatchObject({ rows: { length: 11 } });
  });

  it("whose promotions name more than that since before it was bounded can still change one that names no more", async () => {
    const { store, as } = await makeShop();
    await promotions.save(as(), promotion(store.slug));
    await database.sql`
      insert into promotions
      select (jsonb_populate_record(p, jsonb_build_object('promotion_id', 'N' || n,
        'product_ids', (select jsonb_agg(id::text) from generate_series(1, 5000) id)))).*
      from promotions p, generate_series(1, 11) n where p.store_id = ${store.id}`;
    await promotions.save(as(), promotion(store.slug, { existing: "SPRING", promotionId: "SPRING", title: "Less" }));
    const { rows } = await promotions.list(as(), { store: store.slug });
    expect(rows.find(({ promotionId }) => promotionId === "SPRING")?.title).toBe("Less");
  });

  it("has a million characters in all of its policies, and no more: a misspelt word is compared with each of their words", async () => {
    const { store, as } = await makeShop();
    const given = { policy_type: "other", updated_at: "2026-01-01" };
    const fill = (answers: string[]) =>
      replacePolicies.replace(
        database.as({ kind: "system" }),
        replacePolicies.ReplacePolicies.parse({
          storeId: store.id,
          policies: answers.map((answer, i) => ({ ...given, answer, question: `N${i}`.padEnd(10, "?") })),
        }),
      );
    const long = (count: number) => Array.from({ length: count }, () => "a".repeat(19_990));
    await fill(long(50));
    const told = "All policies of a store may have 1,000,000 characters together; with this they would have";
    const policy = { id: undefined, url: undefined, store: store.slug, type: "other" as const };
    expect(await outcomeOf(policies.save(as(), { ...policy, question: "Why?", answer: "So." }))).toMatchObject({
      code: "invalid_input",
      message: `${told} 1,000,007. Shorten it, or remove one that is out of date.`,
      details: { issues: [{ path: "answer" }] },
    });
    await expect(fill(long(51))).rejects.toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining(told),
    });
    const [first] = await policies.list(as(), { store: store.slug });
    const change = { ...policy, id: first!.id, question: first!.question };
    expect(await outcomeOf(policies.save(as(), { ...change, answer: `${first!.answer}a` }))).toMatchObject({
      code: "invalid_input",
    });
    await policies.save(as(), { ...change, answer: "a".repeat(19_985) });
    await policies.save(as(), { ...policy, question: "Why?", answer: "N" });
  });
});

describe("what another store has", () => {
  it("is neither changed nor taken away by who acts for a store that has the same", async () => {
    const [mine, theirs] = [await makeShop(), await makeShop()];
    const faq = { id: undefined, url: undefined, question: "Q?", answer: "A.", type: "faq" as const };
    for (const { store, as } of [mine, theirs]) {
      await loadRows(database, store.id, [{ id: "pan", title: "Pan" }]);
      await promotions.save(as(), promotion(store.slug));
      await loyalty.save(as(), program(store.slug));
      await policies.save(as(), { ...faq, store: store.slug });
    }
    const of = { store: theirs.store.slug };
    const all = () =>
      Promise.all([promotions.list(theirs.as(), of), loyalty.list(theirs.as(), of), policies.list(theirs.as(), of)]);
    const before = await all();
    const [{ rows }, [club], [policy]] = before;
    expect(rows).toHaveLength(1);
    const store = mine.store.slug;
    for (const attempt of [
      () => policies.save(mine.as(), { ...faq, store, id: policy!.id, answer: "B." }),
      () => loyalty.save(mine.as(), program(store, { id: club!.id, name: "Trade" })),
    ])
      await expect(attempt()).rejects.toThrow("was removed in the meantime");
    for (const attempt of [
      () => policies.remove(mine.as(), { store, id: policy!.id }),
      () => loyalty.remove(mine.as(), { store, id: club!.id }),
      // Not even whether it is excluded is told.
      ...[true, false].map(
        (excluded) => () => products.setExcluded(mine.as(), { store: theirs.store.slug, productId: "pan", excluded }),
      ),
    ])
      await expect(attempt()).rejects.toMatchObject({ code: "not_found" });
    await loadRows(database, theirs.store.id, [{ id: "tent" }]);
    await expect(
      promotions.save(mine.as(), promotion(store, { existing: "SPRING", products: "tent" })),
    ).rejects.toThrow("The store has no product “tent”.");
    await loyalty.save(mine.as(), program(store, { name: "Trade", isPrimary: true }));
    await promotions.save(mine.as(), promotion(store, { existing: "SPRING", title: "5% off" }));
    await promotions.end(mine.as(), { store, promotionId: "SPRING" });
    await promotions.remove(mine.as(), { store, promotionId: "SPRING" });
    expect(await all()).toEqual(before);
  });
});
