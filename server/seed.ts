// Loads db/seed through the same services as everyone's data. Idempotent: a store that is there stays as it is, unless a
// seed was cut off before the demo was whole: then the next one goes on with it.
import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { DAY_MS } from "./clock";
import type { Ctx, System } from "./context";
import * as demo from "./services/demo";
import * as demoDates from "./services/demo-dates";
import { createPeople } from "./services/demo-people";
import * as feeds from "./services/feeds";
import { dropUnfinished } from "./services/feeds/files";
import * as inventory from "./services/inventory";
import * as loyalty from "./services/loyalty";
import * as policies from "./services/policies";
import * as promotions from "./services/promotions";
import * as stores from "./services/stores";

/** Which sandboxes read. */
const DEMO_STORE = "tarn-and-timber";

const StoreFile = z.strictObject({
  store: stores.CreateStore.omit({ merchant: true }),
  merchant: z.strictObject({ name: z.string() }),
});
const PromotionsFile = z.array(z.looseObject({ starts_in_days: z.number(), ends_in_days: z.number() }));
const InventoryFile = z.strictObject({
  locations: z.array(z.unknown()),
  low_stock_threshold: z.int(),
  levels: z.record(z.string(), z.array(z.int())),
  restock_in_days: z.record(z.string(), z.number()),
});

/** For `pg_advisory_xact_lock`: seeds follow each other, on all instances. */
const SEED_LOCK = 4_711_002;

export interface Seeded {
  /** Slugs of the stores that were made, or made whole. */
  stores: string[];
  /** Addresses of the accounts that were made. */
  accounts: string[];
  /** Accounts whose passwords followed from a secret key of before, and follow from the present one now. */
  renewed: string[];
}

/** Loads what is missing of the demo. */
export const seed = (ctx: Ctx<System>): Promise<Seeded> => inTurn(ctx, () => load(ctx));

/** The same for a database with nothing of anybody's in it, and nothing for any other. Of first starts at once one does it. */
export const seedWhereDue = (ctx: Ctx<System>): Promise<void> =>
  inTurn(ctx, async () => {
    if (await demo.isDue(ctx, demoDates.DEMO_STORES)) await load(ctx);
  });

const inTurn = <T>({ sql }: Ctx, work: () => Promise<T>) =>
  sql.begin(async (tx) => {
    await tx`set local statement_timeout = 0`;
    await tx`set local lock_timeout = 0`;
    await tx`set local idle_in_transaction_session_timeout = 0`;
    await tx`select pg_advisory_xact_lock(${SEED_LOCK})`;
    return work();
  }) as Promise<T>;

async function load(ctx: Ctx<System>): Promise<Seeded> {
  const made: string[] = [];
  const there = new Set((await stores.all(ctx)).map((store) => store.slug));
  const begun = await demo.begunStores(ctx, demoDates.DEMO_STORES);
  for (const slug of demoDates.DEMO_STORES) {
    const half = begun.get(slug);
    if (there.has(slug) && half === undefined) continue;
    await fillStore(ctx, slug, half ?? (await createStore(ctx, slug)));
    made.push(slug);
  }
  const people = await createPeople(ctx, { merchantStore: "ridgeline-supply" });
  await demoDates.renew(ctx);
  return { stores: made, accounts: people.made, renewed: people.renewed };
}

async function createStore(ctx: Ctx<System>, slug: string): Promise<string> {
  const { store, merchant } = StoreFile.parse(await json(slug, "store"));
  return (await stores.create(ctx, { ...store, merchant, is_demo: slug === DEMO_STORE })).id;
}

async function fillStore(ctx: Ctx<System>, slug: string, storeId: string): Promise<void> {
  await dropUnfinished(ctx, storeId);
  await feeds.importFile(ctx, { storeId, fileName: "feed.tsv", content: createReadStream(file(slug, "feed.tsv")) });
  const offers = PromotionsFile.parse(await json(slug, "promotions"));
  await promotions.replace(
    ctx,
    promotions.ReplacePromotions.parse({ storeId, promotions: offers.map((offer) => dated(ctx, offer)) }),
  );
  await loyalty.replace(ctx, loyalty.ReplacePrograms.parse({ storeId, programs: await json(slug, "loyalty") }));
  await policies.replace(ctx, policies.ReplacePolicies.parse({ storeId, policies: await json(slug, "policies") }));
  await seedInventory(ctx, slug, storeId);
}

/** The files give days from now, so that some promotions are over and some to come; `demo-dates.ts` keeps it so. */
function dated(ctx: Ctx, { starts_in_days, ends_in_days, ...promotion }: z.infer<typeof PromotionsFile>[number]) {
  return {
    ...promotion,
    promotion_effective_dates: {
      start: inDays(ctx, starts_in_days).toISOString(),
      end: inDays(ctx, ends_in_days).toISOString(),
    },
  };
}

async function seedInventory(ctx: Ctx<System>, slug: string, storeId: string): Promise<void> {
  const { locations, low_stock_threshold, levels, restock_in_days } = InventoryFile.parse(
    await json(slug, "inventory"),
  );
  const ids = locations.map((location) => (location as { location_id: string }).location_id);
  const rows = Object.entries(levels).flatMap(([variant_id, quantities]) => {
    const days = restock_in_days[variant_id];
    const restock_at = days === undefined ? undefined : inDays(ctx, days).toISOString();
    return quantities.map((quantity, i) => ({
      variant_id,
      location_id: ids[i],
      quantity,
      low_stock_threshold,
      restock_at,
    }));
  });
  await inventory.replace(ctx, inventory.ReplaceInventory.parse({ storeId, locations, levels: rows }));
}

const inDays = (ctx: Ctx, days: number) => new Date(ctx.now.getTime() + days * DAY_MS);
const file = (slug: string, name: string) => fileURLToPath(new URL(`../db/seed/${slug}/${name}`, import.meta.url));
const json = async (slug: string, name: string): Promise<unknown> =>
  JSON.parse(await readFile(file(slug, `${name}.json`), "utf8"));
