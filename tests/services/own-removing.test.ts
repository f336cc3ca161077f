// Nobody removes what they have not read: what a colleague changed meanwhile stays until it was shown (decision 0068).
import { describe, expect, it } from "vitest";
import type { Ctx, Merchant } from "../../server/context";
import * as inventory from "../../server/services/inventory";
import * as loyalty from "../../server/services/own-loyalty";
import * as policies from "../../server/services/own-policies";
import * as promotions from "../../server/services/own-promotions";
import * as stock from "../../server/services/own-stock";
import { testDatabase } from "../support/database";
import { makeMerchant, makeStore } from "../support/factories";

const database = testDatabase();

type As = Ctx<Merchant>;
interface Kind {
  what: string;
  /** Makes one, or changes the one with this id. */
  save(ctx: As, store: string, of?: { id: string; words: string }): Promise<unknown>;
  list(ctx: As, store: string): Promise<{ id: string; version: string }[]>;
  remove(ctx: As, of: { store: string; id: string; shown?: string }): Promise<void>;
}

const kinds: Kind[] = [
  {
    what: "promotion",
    save: (ctx, store, of) =>
      promotions.save(
        ctx,
        promotions.SavePromotion.parse({
          ...{ store, existing: of?.id, promotionId: "SPRING", title: of?.words ?? "15% off", percentOff: "15" },
          ...{ products: "", freeShipping: false, stackable: false, channels: ["online"] },
          // It had ended, and runs once it is changed.
          ...{ startsAt: "2020-01-01T00:00", endsAt: of ? "2090-01-01T00:00" : "2021-01-01T00:00" },
        }),
      ),
    list: async (ctx, store) =>
      (await promotions.list(ctx, { store })).rows.map(({ promotionId: id, version }) => ({ id, version })),
    remove: (ctx, { id: promotionId, ...of }) =>
      promotions.remove(ctx, promotions.PromotionAsShown.parse({ promotionId, ...of })),
  },
  {
    what: "policy",
    save: (ctx, store, of) =>
      policies.save(
        ctx,
        policies.SavePolicy.parse({ store, id: of?.id, question: "Q?", answer: of?.words ?? "A.", type: "faq" }),
      ),
    list: (ctx, store) => policies.list(ctx, { store }),
    remove: (ctx, of) => policies.remove(ctx, policies.RemovePolicy.parse(of)),
  },
  {
    what: "loyalty programme",
    save: (ctx, store, of) =>
      loyalty.save(
        ctx,
        loyalty.SaveProgram.parse({
          ...{ store, id: of?.id, name: "Club", description: "Points.", termsUrl: "https://shop.example/club" },
          ...{ tiers: [{ name: of?.words ?? "Member", thresholdPoints: 0, multiplier: 1, perks: "" }], rules: [] },
        }),
      ),
    list: (ctx, store) => loyalty.list(ctx, { store }),
    remove: (ctx, of) => loyalty.remove(ctx, loyalty.RemoveProgram.parse(of)),
  },
];

async function makeShop() {
  const { id, slug, merchantId } = await makeStore(database);
  return { id, slug, ctx: database.as(await makeMerchant(database, merchantId)) };
}

describe("what a colleague changed meanwhile is not removed unread", () => {
  it.each(kinds)("$what", async ({ what, save, list, remove }) => {
    const { slug: store, ctx } = await makeShop();
    await save(ctx, store);
    const [before] = await list(ctx, store);
    const { id, version: shown } = before!;
    await save(ctx, store, { id, words: "Changed" });
    const [changed] = await list(ctx, store);
    expect(changed!.version).not.toBe(shown);
    await expect(remove(ctx, { store, id, shown })).rejects.toMatchObject({
      code: "conflict",
      message: `This ${what} was changed in the meantime, so it was not removed.`,
      details: { version: changed!.version },
    });
    expect(await list(ctx, store)).toEqual([changed]);
    await remove(ctx, { store, id, shown: changed!.version });
    expect(await list(ctx, store)).toEqual([]);
  });

  it("counts of stock, nor those that came where none had been taken", async () => {
    const { id: storeId, slug: store, ctx } = await makeShop();
    const locations = [{ location_id: "shop", name: "Shop", pickup: true }];
    const count = (quantity: number[], now: string) =>
      inventory.replace(
        { ...ctx, now: new Date(now) },
        inventory.ReplaceInventory.parse({
          ...{ storeId, locations },
          levels: quantity.map((quantity) => ({ variant_id: "lamp", location_id: "shop", quantity })),
        }),
      );
    const version = async () => (await stock.get(ctx, { store })).version;
    const remove = (shown: string) => stock.remove(ctx, stock.RemoveStock.parse({ store, shown }));
    await count([], "2036-05-31T09:00:00Z");
    const uncounted = await version();
    await count([3], "2036-06-01T09:00:00Z");
    const first = await version();
    await count([4], "2036-06-02T09:00:00Z");
    const last = await version();
    for (const shown of [uncounted, first])
      await expect(remove(shown)).rejects.toMatchObject({
        code: "conflict",
        message: "The counts were changed in the meantime, so they were not removed.",
        details: { version: last },
      });
    expect(await stock.get(ctx, { store })).toMatchObject({ locations: [{ counts: 1, pieces: 4 }] });
    await remove(last);
    expect(await stock.get(ctx, { store })).toMatchObject({ locations: [], takenAt: null });
  });
});
