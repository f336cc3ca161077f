// What a store sells, as list_stores and get_store_info tell it: the categories that somebody stated, else those that its
// products are sorted into, written with each load (decision 0042).

import type { Transaction } from "./feeds/transaction";
import { fold } from "./fold";

/** Of what a store sells, so much: a list of a hundred stores stays readable. */
const MOST = 12;
/** As long as stated ones may be. */
const LONGEST = 100;

/** Writes the categories that a store's products are sorted into, unless some are stated. Called by a load, in its transaction. */
export async function update(tx: Transaction, { storeId, now }: { storeId: string; now: Date }): Promise<void> {
  const sorted = await tx<{ own: string[] | null; google: string[] | null; count: number }[]>`
    select product_type as own, google_product_category as google, count(*)::int as count from products
    where store_id = ${storeId} and not excluded and availability <> 'discontinued' and coalesce(expires_at > ${now}, true)
    group by 1, 2`;
  const paths = (of: "own" | "google") => sorted.flatMap(({ count, [of]: path }) => (path ? [{ path, count }] : []));
  const [own, google] = [paths("own"), paths("google")];
  const categories = upperLevels(total(google) > total(own) ? google : own);
  await tx`
    update stores set categories = ${categories}, updated_at = ${now}
    where id = ${storeId} and not categories_stated and categories <> ${categories}`;
}

interface Counted {
  path: string[];
  count: number;
}
const total = (all: readonly { count: number }[]) => all.reduce((sum, { count }) => sum + count, 0);

/**
 * The names of the top level, those of most products first; below a name that all products share (`Home > …`) those of the
 * next level too. Names that differ in case or accents alone are one, called what most products call it.
 */
function upperLevels(paths: readonly Counted[]): string[] {
  const byCount = paths.toSorted((a, b) => b.count - a.count);
  const found: string[] = [];
  for (let depth = 0; ; depth++) {
    const level = new Map<string, { name: string; count: number }>();
    for (const { path, count } of byCount) {
      const name = path[depth];
      if (name === undefined) continue;
      const known = level.get(fold(name));
      if (known) known.count += count;
      else level.set(fold(name), { name, count });
    }
    const names = [...level.values()].sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
    found.push(...names.map(({ name }) => name).filter(isReadable));
    if (names.length !== 1) return found.slice(0, MOST);
  }
}

/** Google's categories may be given by their number alone. */
const isReadable = (name: string) => name.length <= LONGEST && !/^\d+$/.test(name);
