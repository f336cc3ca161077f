// A merchant's exact stock: what is counted by now, and a file of counts in its place.
import { eq, max } from "drizzle-orm";
import { z } from "zod";
import { inventoryLevels, locations } from "../../db/schema/inventory";
import type { Ctx, Merchant } from "../context";
import { FileContent } from "./fields";
import { replace } from "./inventory";
import { lockOwnStore, type OwnStore, requireOwnStore, StoreSlug } from "./ownership";
import { requireAsShown, Shown } from "./shown";
import { readStock } from "./stock-file";

interface OwnStock {
  locations: {
    id: string;
    name: string;
    address: string | null;
    pickup: boolean;
    /** How many ids are counted there, and their pieces. */
    counts: number;
    pieces: number;
  }[];
  /** When the counts were taken; null where there are none. */
  takenAt: Date | null;
  /** How many counts are of ids that the catalogue does not have: no agent is told of those. */
  unknown: number;
  /** Another one once other counts were taken. */
  version: string;
}

const versionOf = (takenAt: Date | null): string => takenAt?.toISOString() ?? "none";

/** The locations by name, as they are counted. @throws DomainError not_found */
export async function get(ctx: Ctx<Merchant>, input: z.infer<typeof OwnStore>): Promise<OwnStock> {
  const { sql, actor } = ctx;
  await requireOwnStore(ctx, input);
  const own = sql`s.slug = ${input.store} and s.merchant_id = ${actor.merchantId}`;
  const [locations, [all]] = await Promise.all([
    sql<OwnStock["locations"]>`
      select l.location_id as id, l.name, l.address, l.pickup, count(i.variant_id)::int as counts,
        coalesce(sum(i.quantity), 0)::float8 as pieces
      from stores s join locations l on l.store_id = s.id
      left join inventory_levels i on i.store_id = l.store_id and i.location_id = l.location_id
      where ${own} group by l.store_id, l.location_id order by l.name, l.location_id`,
    sql<{ takenAt: Date | null; unknown: number }[]>`
      select max(i.data_as_of) as "takenAt", count(i.variant_id) filter (where not exists (
        select from variants v where v.store_id = s.id and v.variant_id = i.variant_id))::int as unknown
      from stores s left join inventory_levels i on i.store_id = s.id where ${own}`,
  ]);
  const takenAt = all?.takenAt ?? null;
  return { locations, takenAt, unknown: all?.unknown ?? 0, version: versionOf(takenAt) };
}

export const UploadStock = z.strictObject({
  store: StoreSlug,
  content: FileContent,
});

/**
 * Makes the file's counts the store's, taken now, in place of all that there were.
 * @throws DomainError not_found, invalid_input (with the lines that are not as they must be): then all stays
 */
export async function upload(ctx: Ctx<Merchant>, { store, content }: z.infer<typeof UploadStock>): Promise<void> {
  await requireOwnStore(ctx, { store });
  const { levels, locations: said } = await readStock(content);
  await ctx.db.transaction(async (tx) => {
    // Only now: a file may take long to come in, and a colleague's may have come before it.
    const { id: storeId } = await lockOwnStore(ctx, tx, { store });
    const known = await tx.select().from(locations).where(eq(locations.storeId, storeId));
    const places = new Map(
      known.map(({ locationId, name, address, pickup }) => [
        locationId,
        { name, pickup, address: address ?? undefined },
      ]),
    );
    const placed = [...said].map(([location_id, words]) => ({
      location_id,
      name: location_id,
      pickup: false,
      ...places.get(location_id),
      ...words,
    }));
    await replace({ ...ctx, db: tx }, { storeId, locations: placed, levels });
  });
}

export const RemoveStock = z.strictObject({ store: StoreSlug, shown: Shown });

/** Takes away all counts: agents are told that the store publishes none. @throws DomainError not_found, conflict (others were taken meanwhile) */
export async function remove(ctx: Ctx<Merchant>, { store, shown }: z.infer<typeof RemoveStock>): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const { id: storeId } = await lockOwnStore(ctx, tx, { store });
    const [counted] = await tx
      .select({ takenAt: max(inventoryLevels.dataAsOf) })
      .from(inventoryLevels)
      .where(eq(inventoryLevels.storeId, storeId));
    const told = "The counts were changed in the meantime, so they were not removed.";
    requireAsShown(shown, versionOf(counted?.takenAt ?? null), told);
    await replace({ ...ctx, db: tx }, { storeId, locations: [], levels: [] });
  });
}
