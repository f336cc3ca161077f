import { describe, expect, it } from "vitest";
import type { z } from "zod";
import * as promotions from "../../server/services/promotions";
import { testDatabase } from "../support/database";
import { makeMerchant, makeReader, makeStore } from "../support/factories";
import { loadRows } from "../support/feed";

const database = testDatabase();
const system = () => database.as({ kind: "system" });
const NOW = new Date("2027-05-10T12:00:00Z");
const reader = async (now = NOW) => database.as(await makeReader(database), now);

type Given = Partial<z.input<typeof promotions.ReplacePromotions>["promotions"][number]>;

/** A promotion that is active in May 2027 unless told. */
const promotion = (promotion_id: string, given: Given = {}) => ({
  promotion_id,
  long_title: `10% off: ${promotion_id}`,
  offer_type: "no_code",
  percent_off: 10,
  product_applicability: "all_products",
  promotion_effective_dates: { start: "2027-05-01T00:00:00Z", end: "2027-06-01T00:00:00Z" },
  redemption_channel: ["online"],
  ...given,
});
const during = (start: string, end: string): Given => ({ promotion_effective_dates: { start, end } });

const parse = (storeId: string, given: unknown[]) => promotions.ReplacePromotions.parse({ storeId, promotions: given });

async function storeWith(...given: unknown[]) {
  const store = await makeStore(database);
  await promotions.replace(system(), parse(store.id, given));
  return store;
}

const told = (found: { promotions: { promotion_id: string; status: string }[] }) =>
  found.promotions.map(({ promotion_id, status }) => `${promotion_id} ${status}`);

describe("a store's promotions", () => {
  it("are the active ones, then the upcoming ones, each by their end; what is over is left out", async () => {
    const store = await storeWith(
      promotion("later", during("2027-07-01T00:00:00Z", "2027-08-01T00:00:00Z")),
      promotion("over", during("2027-01-01T00:00:00Z", "2027-05-10T12:00:00Z")),
      promotion("soon", during("2027-05-11T00:00:00Z", "2027-05-12T00:00:00Z")),
      promotion("longer"),
      promotion("shorter", during("2027-05-10T12:00:00Z", "2027-05-20T00:00:00Z")),
    );
    const found = await promotions.list(await reader(), { storeId: store.id, limit: 10 });
    expect(told(found)).toEqual(["shorter active", "longer active", "soon upcoming", "later upcoming"]);
    expect(found).toMatchObject({ totalCount: 4, hasNextPage: false });
  });

  it("have the status of the instant that is asked for", async () => {
    const store = await storeWith(
      promotion("may"),
      promotion("july", during("2027-07-01T00:00:00Z", "2027-08-01T00:00:00Z")),
    );
    const at = async (activeAt: string) =>
      told(await promotions.list(await reader(), { storeId: store.id, activeAt, limit: 10 }));
    expect(await at("2027-04-30T23:59:59Z")).toEqual(["may upcoming", "july upcoming"]);
    expect(await at("2027-07-01T02:00:00+02:00")).toEqual(["july active"]);
    expect(await at("2027-09-01T00:00:00Z")).toEqual([]);
  });

  it("are found by code whatever its case, also when they are over", async () => {
    const code = { offer_type: "generic_code", generic_redemption_code: "Spring25" } as const;
    const store = await storeWith(
      promotion("spring", { ...code, ...during("2027-03-01T00:00:00Z", "2027-04-01T00:00:00Z") }),
      promotion("other", { ...code, generic_redemption_code: "SPRING250" }),
    );
    const ask = async (given: string) =>
      told(await promotions.list(await reader(), { storeId: store.id, code: given, limit: 10 }));
    expect(await ask("SPRING25")).toEqual(["spring expired"]);
    expect(await ask("spring")).toEqual([]);
    const end = await reader(new Date("2027-04-01T00:00:00Z"));
    const atItsEnd = await promotions.list(end, { storeId: store.id, code: "SPRING25", limit: 10 });
    expect(told(atItsEnd)).toEqual(["spring expired"]);
  });

  it("for a product are those for all products and those that name it or a variant of it", async () => {
    const only = (...product_ids: string[]): Given => ({ product_applicability: "specific_products", product_ids });
    const store = await storeWith(
      promotion("all"),
      promotion("boots", only("boots")),
      promotion("red", only("boots-red")),
      promotion("blue", only("boots-blue")),
      promotion("tents", only("tent")),
    );
    await loadRows(database, store.id, [
      { id: "boots-red", item_group_id: "boots", color: "red" },
      { id: "boots-blue", item_group_id: "boots", color: "blue" },
      { id: "tent" },
    ]);
    const ask = async (productId: string) => {
      const found = await promotions.list(await reader(), { storeId: store.id, productId, limit: 10 });
      return found.promotions.map((found) => found.promotion_id);
    };
    expect(await ask("boots")).toEqual(["all", "blue", "boots", "red"]);
    expect(await ask("boots-red")).toEqual(["all", "boots", "red"]);
    expect(await ask("tent")).toEqual(["all", "tents"]);
    await expect(ask("nothing")).rejects.toMatchObject({ code: "product_not_found" });
  });

  it("name nothing that is kept from agents, and are not there where they name nothing else", async () => {
    const specific = (...product_ids: string[]): Given => ({ product_applicability: "specific_products", product_ids });
    const store = await storeWith(
      promotion("all"),
      promotion("both", specific("hidden", "shown")),
      promotion("only-hidden", specific("hidden")),
      promotion("its-variant", specific("hidden-red")),
    );
    await loadRows(database, store.id, [
      { id: "hidden-red", item_group_id: "hidden", color: "red" },
      { id: "hidden-blue", item_group_id: "hidden", color: "blue" },
      { id: "shown" },
    ]);
    await database.sql`update products set excluded = true where store_id = ${store.id} and product_id = 'hidden'`;
    const found = await promotions.list(await reader(), { storeId: store.id, limit: 10 });
    expect(found.promotions.map(({ promotion_id, product_ids }) => [promotion_id, product_ids])).toEqual([
      ["all", null],
      ["both", ["shown"]],
    ]);
    expect(found.totalCount).toBe(2);

    // Taken away from agents in the feed itself, it is named no more than before.
    await loadRows(database, store.id, [
      { id: "hidden-red", item_group_id: "hidden", color: "red", enable_search: "false" },
      { id: "hidden-blue", item_group_id: "hidden", color: "blue", enable_search: "false" },
      { id: "shown" },
      { id: "other" },
      { id: "more" },
    ]);
    const later = await promotions.list(await reader(), { storeId: store.id, limit: 10 });
    expect(later.promotions.map(({ promotion_id }) => promotion_id)).toEqual(["all", "both"]);
  });

  it("name the first fifty of many products, and of one that is asked for only itself and its variants", async () => {
    const filler = Array.from({ length: 4_998 }, (_, n) => `p${n}`);
    const specific = { product_applicability: "specific_products" } as const;
    const store = await storeWith(
      promotion("all"),
      promotion("many", { ...specific, product_ids: [...filler, "boots-blue", "boots"] }),
      promotion("one", { ...specific, product_ids: ["boots-red", "p1"] }),
    );
    await loadRows(database, store.id, [
      { id: "boots-red", item_group_id: "boots", color: "red" },
      { id: "boots-blue", item_group_id: "boots", color: "blue" },
      ...filler.slice(0, 60).map((id) => ({ id })),
    ]);
    const idsOf = async (productId?: string) => {
      const found = await promotions.list(await reader(), { storeId: store.id, productId, limit: 10 });
      return found.promotions.map(({ product_ids }) => product_ids);
    };
    expect(await idsOf()).toEqual([null, filler.slice(0, 50), ["boots-red", "p1"]]);
    expect(await idsOf("boots")).toEqual([null, ["boots-blue", "boots"], ["boots-red"]]);
    expect(await idsOf("boots-blue")).toEqual([null, ["boots-blue", "boots"]]);
  });

  it("come page by page without gaps or repeats, all as of the first page's instant", async () => {
    const store = await storeWith(
      promotion("a", during("2027-05-01T00:00:00Z", "2027-05-10T12:00:01Z")),
      promotion("b", during("2027-05-01T00:00:00Z", "2027-05-10T12:00:01Z")),
      promotion("c", during("2027-05-10T12:00:01Z", "2027-05-11T00:00:00Z")),
      promotion("d", during("2027-05-11T00:00:00Z", "2027-05-12T00:00:00Z")),
      promotion("e"),
    );
    const actor = await makeReader(database);
    const seen: string[] = [];
    let now = NOW;
    let cursor: string | undefined;
    do {
      const page = await promotions.list(database.as(actor, now), { storeId: store.id, limit: 1, cursor });
      seen.push(...told(page));
      cursor = page.nextCursor;
      now = new Date(now.getTime() + 3_600_000);
    } while (cursor);
    expect(seen).toEqual(["a active", "b active", "e active", "c upcoming", "d upcoming"]);
  });

  it("are not told to those who may not read the store", async () => {
    const store = await storeWith(promotion("all"));
    const sandbox = database.as(await makeReader(database, { tier: "sandbox" }));
    await expect(promotions.list(sandbox, { storeId: store.id, limit: 1 })).rejects.toMatchObject({
      code: "store_not_available",
    });
  });
});

describe("replacing a store's promotions", () => {
  it("replaces the whole set and records what was and what is", async () => {
    const store = await storeWith(promotion("old"));
    const merchant = await makeMerchant(database, store.merchantId);
    await promotions.replace(database.as(merchant), parse(store.id, [promotion("new")]));
    const found = await promotions.list(await reader(), { storeId: store.id, limit: 10 });
    expect(told(found)).toEqual(["new active"]);
    const [record] = await database.sql`
      select * from audit where target_id = ${store.id} and actor_kind = 'merchant' and action = 'promotions.replace'`;
    expect(record).toMatchObject({
      actor_id: merchant.accountId,
      before: [{ promotionId: "old" }],
      after: [{ promotionId: "new" }],
    });
  });

  it("takes the store's own currency where no amount names one", async () => {
    const store = await makeStore(database, { currency: "SEK" });
    const off = { percent_off: undefined, money_off_amount: { amount: 500, currency: "NOK" } };
    const least = { minimum_purchase_amount: { amount: 5000, currency: "NOK" } };
    await promotions.replace(system(), parse(store.id, [promotion("a"), promotion("b", off), promotion("c", least)]));
    const { promotions: found } = await promotions.list(await reader(), { storeId: store.id, limit: 10 });
    expect(found.map(({ promotion_id, currency }) => [promotion_id, currency])).toEqual([
      ["a", "SEK"],
      ["b", "NOK"],
      ["c", "NOK"],
    ]);
  });

  it("does nothing to another merchant's store, which it answers for as for none", async () => {
    const store = await storeWith(promotion("kept"));
    const stranger = await makeMerchant(database, (await makeStore(database)).merchantId);
    const tried = promotions.replace(database.as(stranger), parse(store.id, []));
    await expect(tried).rejects.toMatchObject({ code: "not_found" });
    const none = promotions.replace(database.as(stranger), parse(crypto.randomUUID(), []));
    await expect(none).rejects.toMatchObject({ code: "not_found" });
    expect(told(await promotions.list(await reader(), { storeId: store.id, limit: 1 }))).toEqual(["kept active"]);
  });

  it("leaves one whole set when two do it at once", async () => {
    const store = await makeStore(database);
    const sets = ["x", "y"].map((name) => [1, 2, 3].map((n) => promotion(`${n}`, { long_title: name })));
    await Promise.all([...sets, ...sets].map((set) => promotions.replace(system(), parse(store.id, set))));
    const found = await promotions.list(await reader(), { storeId: store.id, limit: 10 });
    expect(new Set(found.promotions.map((kept) => kept.long_title)).size).toBe(1);
    expect(found.totalCount).toBe(3);
  });

  it.each<[string, Given, string]>([
    ["a code that is missing", { offer_type: "generic_code" }, "promotions.0.generic_redemption_code"],
    ["a code that nobody needs", { generic_redemption_code: "X" }, "promotions.0.generic_redemption_code"],
    ["products that are not named", { product_applicability: "specific_products" }, "promotions.0.product_ids"],
    ["nothing taken off", { percent_off: undefined }, "promotions.0.percent_off"],
    ["a sum of nothing off", { money_off_amount: { amount: 0, currency: "EUR" } }, "promotions.0.money_off_amount"],
    ["more than everything off", { percent_off: 101 }, "promotions.0.percent_off"],
    [
      "an end before the start",
      during("2027-02-01T00:00:00Z", "2027-01-01T00:00:00Z"),
      "promotions.0.promotion_effective_dates",
    ],
    [
      "an end at the start",
      during("2027-02-01T00:00:00Z", "2027-02-01T00:00:00Z"),
      "promotions.0.promotion_effective_dates",
    ],
    [
      "amounts in two currencies",
      { money_off_amount: { amount: 1, currency: "EUR" }, minimum_purchase_amount: { amount: 1, currency: "USD" } },
      "promotions.0.minimum_purchase_amount",
    ],
    ["a link that is no web address", { promotion_url: "javascript:alert(1)" }, "promotions.0.promotion_url"],
  ])("refuses %s", (_, given, path) => {
    const input = { storeId: crypto.randomUUID(), promotions: [promotion("p", given)] };
    const issues = promotions.ReplacePromotions.safeParse(input).error?.issues;
    expect(issues?.map((issue) => issue.path.join("."))).toEqual([path]);
  });

  it("refuses an id that is there twice", () => {
    const input = { storeId: crypto.randomUUID(), promotions: [promotion("p"), promotion("p")] };
    expect(promotions.ReplacePromotions.safeParse(input).error?.issues[0]?.path).toEqual(["promotions", 1]);
  });
});
