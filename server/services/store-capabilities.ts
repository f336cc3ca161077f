// What there is to be asked of a store.
import type { Ctx } from "../context";
import type { Fragment } from "./catalog/card";

export const capabilities = ["offers", "promotions", "loyalty", "inventory", "policies"] as const;
export type Capability = (typeof capabilities)[number];

/**
 * SQL: what a store `s` has data for, as an array; of promotions those that are not over. Each asks for the first of an index: a
 * plain `exists` may become a look through a whole table, when few stores have much in it.
 */
export const capabilitiesOf = (sql: Ctx["sql"], now: Fragment) => sql`array_remove(array[
    (select 'offers' from products x where x.store_id = s.id order by x.store_id, x.product_id limit 1),
    (select 'promotions' from promotions x where x.store_id = s.id and x.ends_at > ${now} order by x.store_id, x.ends_at limit 1),
    (select 'loyalty' from loyalty_programs x where x.store_id = s.id order by x.store_id, x.name limit 1),
    (select 'inventory' from inventory_levels x where x.store_id = s.id order by x.store_id, x.variant_id limit 1),
    (select 'policies' from policies x where x.store_id = s.id limit 1)], null)`;
