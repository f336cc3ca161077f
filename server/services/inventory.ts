// Exact stock: pieces of a feed row at a location, as the merchant counts them.
import { eq, sql as raw } from "drizzle-orm";
import { z } from "zod";
import { inventoryLevels, locations } from "../../db/schema/inventory";
import type { Consumer, Ctx } from "../context";
import * as audit from "./audit";
import { goneNow } from "./catalog/card";
import { info, type Message, warning } from "./catalog/messages";
import { readable, storeNotAvailable } from "./coverage";
import { Instant, refuseRepeats } from "./fields";
import { lockOwnStore, type StoreKeeper } from "./ownership";
import { alsoVariant, itemById, productNotFound } from "./product-refs";

/** An item lists this many locations at most, those with most pieces; its quantity counts all of them. */
const LISTED_LOCATIONS = 50;

interface CheckStock {
  storeId: string;
  /** Each product, or variant, once. */
  items: { productId: string; quantity: number }[];
  /** Count only these; every location unless given. */
  locationIds?: string[] | undefined;
}

interface Count {
  /** Pieces at the locations asked for; a product's are those of its variants that are not discontinued. */
  quantity: number;
  low_stock_threshold: number;
  /** The next delivery that the merchant expects. */
  restock_at: Date | null;
  locations: { location_id: string; name: string; quantity: number; pickup: boolean }[] | null;
  /** When the oldest of these counts was taken. */
  data_as_of: Date;
}
interface Row extends Count {
  /** Is there such a product, and has the store any location to count at? */
  known: boolean;
  keeps_stock: boolean;
  known_locations: string[];
  /** Its variants that are not discontinued; those counted nowhere; does the feed say of one of these that it is in stock? */
  variants: number;
  uncounted: number;
  open: boolean;
  /** Was a product asked for, by what is the id of one of its variants, too? */
  also_variant: boolean;
}

/** SQL: is the delivery of level `i` still to come? A day alone is kept as its midnight, and is over when it ends. */
const isToCome = (sql: Ctx["sql"], now: Date) => sql`(i.restock_at > ${now}
  or (i.restock_at > ${now}::timestamptz - interval '24 hours' and (i.restock_at at time zone 'UTC')::time = '00:00'))`;

/** SQL: the variants `v` of `item` that count. */
const counting = ({ sql, now }: Ctx<Consumer>) =>
  sql`v.product_ref = item.product_ref and v.id = coalesce(item.variant_ref, v.id) and not ${goneNow(sql, now)}`;

/** SQL: how many variants of `item` there are in store `s`, and how many are counted at no location whatever. */
const variantsOf = (ctx: Ctx<Consumer>) => ctx.sql`
  select count(*)::int as variants, (count(*) filter (where not counted))::int as uncounted,
    coalesce(bool_or(availability = 'in_stock') filter (where not counted), false) as open,
    count(*) > 1 and bool_or(variant_id = asked.product_id) as also_variant
  from (select v.variant_id, v.availability, exists (
      select from inventory_levels i where i.store_id = s.id and i.variant_id = v.variant_id) as counted
    from variants v where ${counting(ctx)}) one`;

/** SQL: the count of `item` in store `s` at the locations wanted (null: all of them). */
const countOf = (ctx: Ctx<Consumer>, wanted: string[] | null) => ctx.sql`
  select coalesce(sum(here.quantity) filter (where wanted), 0)::bigint as quantity,
    coalesce(max(threshold) filter (where wanted), max(threshold)) as low_stock_threshold,
    min(restock_at) filter (where wanted) as restock_at,
    coalesce(min(data_as_of) filter (where wanted), min(data_as_of)) as data_as_of,
    (array_agg(jsonb_build_object('location_id', location_id, 'name', name, 'quantity', quantity, 'pickup', pickup)
      order by quantity desc, name, location_id) filter (where wanted))[1:${LISTED_LOCATIONS}] as locations
  from (
    select l.location_id, l.name, l.pickup, sum(i.quantity) as quantity, max(i.low_stock_threshold) as threshold,
      min(i.restock_at) filter (where ${isToCome(ctx.sql, ctx.now)}) as restock_at, min(i.data_as_of) as data_as_of,
      coalesce(l.location_id = any(${wanted}::text[]), true) as wanted
    from variants v
    join inventory_levels i on i.store_id = s.id and i.variant_id = v.variant_id
    join locations l on l.store_id = i.store_id and l.location_id = i.location_id
    where ${counting(ctx)}
    group by l.store_id, l.location_id
  ) here`;

/**
 * How many pieces there are of each item. What is unknown, uncounted or too few is never an error: a message says it,
 * with the path of the argument.
 * @throws DomainError store_not_available
 */
export async function check(ctx: Ctx<Consumer>, input: CheckStock) {
  const { sql } = ctx;
  const ids = input.items.map((item) => item.productId);
  const wanted = input.locationIds ?? null;
  const rows = await sql<Row[]>`
    with store as materialized (
      select s.id, exists (select from locations l where l.store_id = s.id) as keeps_stock,
        array(select l.location_id from locations l where l.store_id = s.id and l.location_id = any(${wanted}::text[])) as known_locations
      from stores s where s.id = ${input.storeId} and ${readable(sql, ctx.actor)}
    )
    select s.keeps_stock, s.known_locations, item.product_ref is not null as known, living.*, stock.*
    from store s cross join unnest(${ids}::text[]) with ordinality as asked (product_id, position)
    left join lateral (${itemById(sql, sql`asked.product_id`)}) item on true
    left join lateral (${variantsOf(ctx)}) living on true
    left join lateral (${countOf(ctx, wanted)}) stock on true
    order by asked.position`;
  const [store] = rows;
  if (!store) throw storeNotAvailable();

  const messages = storeMessages(store, wanted ?? []);
  const countable = store.keeps_stock && (wanted === null || store.known_locations.length > 0);
  const items = input.items.flatMap(({ productId, quantity: requested }, i) => {
    const row = rows[i]!;
    const said = itemMessages(row, { productId, requested, position: i, isSomewhere: wanted !== null });
    messages.push(...said.filter(({ code }) => countable || code === "not_found"));
    if (!row.known || !isCounted(row) || !countable) return [];
    const { quantity, low_stock_threshold, restock_at, data_as_of } = row;
    const status = statusOf(row);
    const at = row.locations ?? [];
    return [
      {
        product_id: productId,
        requested,
        quantity,
        status,
        low_stock_threshold,
        restock_at,
        locations: at,
        data_as_of,
      },
    ];
  });
  return { items, messages };
}

const isCounted = ({ variants, uncounted }: Row): boolean => uncounted < variants;

/** Null where it hangs on what is not counted. */
function statusOf({ quantity, low_stock_threshold, open }: Row): "in_stock" | "low_stock" | "out_of_stock" | null {
  if (quantity > low_stock_threshold) return "in_stock";
  if (open) return null;
  return quantity === 0 ? "out_of_stock" : "low_stock";
}

const INSTEAD = "Use availability from get_product or get_offers instead.";

/** What is to be said once: that the store counts nothing, or that it has no such location. */
function storeMessages(store: Row, wanted: string[]): Message[] {
  if (!store.keeps_stock) return [info("no_inventory_data", `This store publishes no stock counts. ${INSTEAD}`)];
  const known = new Set(store.known_locations);
  return wanted.flatMap((id, i) => {
    const ignored = known.size > 0 ? "it was ignored" : "nothing was counted, since none that it has was asked for";
    const content = `The store has no location "${id}"; ${ignored}. Leave location_ids out to see every location.`;
    return known.has(id) ? [] : warning("location_not_found", content, `location_ids.${i}`);
  });
}

interface AskedItem {
  productId: string;
  requested: number;
  position: number;
  /** Were only some locations asked for? */
  isSomewhere: boolean;
}

function itemMessages(row: Row, { productId, requested, position, isSomewhere }: AskedItem): Message[] {
  const path = `items.${position}.product_id`;
  if (!row.known) return [warning("not_found", productNotFound(productId).message, path)];
  if (!isCounted(row)) {
    return [info("no_inventory_data", `The store publishes no stock count of "${productId}". ${INSTEAD}`, path)];
  }
  const { quantity, variants, uncounted } = row;
  const messages: Message[] = row.also_variant ? [alsoVariant(productId, path)] : [];
  if (uncounted > 0) {
    const which = `${uncounted} of ${variants} variants of "${productId}" ${uncounted === 1 ? "is" : "are"} not counted`;
    messages.push(info("partly_counted", `${which}; quantity is that of the others. ${INSTEAD}`, path));
  }
  if (requested > quantity) {
    const how = uncounted > 0 ? "counted" : "in stock";
    const there = isSomewhere ? " at the locations asked for" : "";
    const content = `You asked for ${requested} of "${productId}"; ${quantity} ${quantity === 1 ? "is" : "are"} ${how}${there}.`;
    messages.push(warning("insufficient_stock", content, `items.${position}.quantity`));
  }
  return messages;
}

const LocationId = z.string().trim().min(1).max(100);
export const MOST_PIECES = 2_000_000_000;
export const MOST_LOCATIONS = 1000;
/** How many pieces are few, where the merchant does not say. */
export const LOW_STOCK = 5;
const Pieces = z.int().min(0).max(MOST_PIECES);

export const Location = z.strictObject({
  location_id: LocationId,
  name: z.string().trim().min(1).max(200),
  pickup: z.boolean(),
  address: z.string().trim().min(1).max(500).optional(),
});

export const Level = z.strictObject({
  variant_id: z.string().min(1).max(200),
  location_id: LocationId,
  quantity: Pieces,
  low_stock_threshold: Pieces.default(LOW_STOCK),
  restock_at: Instant.optional(),
});

export const ReplaceInventory = z
  .strictObject({
    storeId: z.uuid(),
    locations: z.array(Location).max(MOST_LOCATIONS),
    levels: z.array(Level).max(500_000),
  })
  .superRefine(({ locations, levels }, ctx) => {
    refuseRepeats(locations, (location) => location.location_id, "locations", ctx);
    refuseRepeats(levels, (level) => JSON.stringify([level.variant_id, level.location_id]), "levels", ctx);
    const there = new Set(locations.map((location) => location.location_id));
    levels.forEach(({ location_id }, i) => {
      const path = ["levels", i, "location_id"];
      if (!there.has(location_id)) ctx.addIssue({ code: "custom", path, message: "is none of the locations" });
    });
  });

/**
 * Makes these the store's locations and counts, taken now: all of them, or none on an error.
 * @returns how many counts are of ids that the catalogue does not have: no agent is told of those
 * @throws DomainError not_found
 */
export async function replace(ctx: Ctx<StoreKeeper>, input: z.infer<typeof ReplaceInventory>): Promise<number> {
  return ctx.db.transaction(async (tx) => {
    const store = await lockOwnStore(ctx, tx, input.storeId);
    const before = {
      levels: await tx.$count(inventoryLevels, eq(inventoryLevels.storeId, store.id)),
      locations: await tx.delete(locations).where(eq(locations.storeId, store.id)).returning(),
    };
    const after = input.locations.map(({ location_id, ...rest }) => ({
      storeId: store.id,
      locationId: location_id,
      ...rest,
    }));
    if (after.length > 0) await tx.insert(locations).values(after);
    // One statement for any number of them: a list of values ends at 65,535 parameters.
    await tx.execute(raw`
      insert into inventory_levels (store_id, variant_id, location_id, quantity, low_stock_threshold, restock_at, data_as_of)
      select ${store.id}, variant_id, location_id, quantity, low_stock_threshold, restock_at, ${ctx.now.toISOString()}
      from jsonb_to_recordset(${JSON.stringify(input.levels)}) as x (variant_id text, location_id text, quantity int,
        low_stock_threshold int, restock_at timestamptz)`);
    await audit.record(ctx, tx, {
      action: "inventory.replace",
      target: ["store", store.id],
      before,
      after: { levels: input.levels.length, locations: after },
    });
    const [found] = await tx.execute<{ unknown: number }>(raw`
      select count(*)::int as unknown from inventory_levels i where i.store_id = ${store.id}
        and not exists (select from variants v where v.store_id = i.store_id and v.variant_id = i.variant_id)`);
    return found!.unknown;
  });
}
