// What a load leaves standing of what the store had, and what goes (decision 0037): in the load's transaction, after its rows.
import { type Issues, MAX_ISSUES } from "./report";
import type { Transaction } from "./transaction";

/** Before the load looks at them: whoever includes one meanwhile does so after it. Rows that were deleted are known again. */
export async function lockExcluded(tx: Transaction, storeId: string): Promise<void> {
  const { count } = await tx`
    select from products where store_id = ${storeId} and excluded order by id for no key update`;
  if (count > 0) await recognise(tx, storeId);
}

/**
 * Rows of excluded products that come back to another: by its own id one that is in a group now, by its group's id one that
 * stands alone. `is true`: looked up in a hash table, however many products a plan expects.
 */
async function recognise(tx: Transaction, storeId: string): Promise<void> {
  const elsewhere = tx`case when k.grouped then s.variant_id else s.item_group_id end`;
  await tx`
    with excluded as materialized (
      select id, product_id, item_group_id is not null as is_group from products where store_id = ${storeId} and excluded),
    back as materialized (
      select k.variant_ref, ${elsewhere} as product_id from staged_keys k join staged s on s.position = k.position
      where k.known_product is null and (${elsewhere} in (select product_id from excluded)) is true)
    update staged_keys k set known_product = x.id
    from back b join excluded x on x.product_id = b.product_id
    where k.variant_ref = b.variant_ref and (k.grouped or x.is_group)`;
}

/** The products that have a row of one that was excluded: whatever the feed groups now, agents must not find it. */
export const excludedIn = (tx: Transaction, storeId: string) => tx`
  select k.product_id from products x join staged_keys k on k.known_product = x.id where x.store_id = ${storeId} and x.excluded`;

/** What is withheld from agents is not there for them at all, nor is the rest of a product that the file has no more of. */
export async function deleteWithheld(tx: Transaction, storeId: string): Promise<void> {
  await tx`
    with gone as (
      select v.id, v.product_ref from left_out w join variants v on v.store_id = ${storeId} and v.variant_id = w.variant_id
      where w.withheld)
    delete from variants where id in (
      select id from gone union all
      select v.id from gone join variants v on v.product_ref = gone.product_ref
      where not exists (select from staged_products p where p.product_ref = gone.product_ref))`;
}

/** What the file no longer has stays, as discontinued: links to it and its ids go on working. @returns how many variants */
export async function markVanished(tx: Transaction, { storeId, now }: { storeId: string; now: Date }): Promise<number> {
  const gone = await tx`
    update variants v set vanished_at = ${now}, availability = 'discontinued', data_as_of = ${now}
    where v.store_id = ${storeId} and v.vanished_at is null
      and not exists (select from staged_keys k where k.variant_ref = v.id)`;
  await tx`
    update products o set vanished_at = ${now}, availability = 'discontinued', renew_at = null, data_as_of = ${now}
    where o.store_id = ${storeId} and o.vanished_at is null
      and not exists (select from staged_products p where p.product_ref = o.id)`;
  return gone.count;
}

/** As if it had never come: what was loaded after this variant, and is gone again. */
export async function forget(tx: Transaction, storeId: string, after: number): Promise<void> {
  await tx`delete from variants where store_id = ${storeId} and id > ${after} and vanished_at is not null`;
}

/** Products with a row of an excluded one are excluded too, and with it what agents could find of them: that is told. */
export async function keepExcluded(
  tx: Transaction,
  { storeId, issues }: { storeId: string; issues: Issues },
): Promise<void> {
  const mixed = await tx<{ product_id: string; line: number; total: number }[]>`
    with hidden as materialized (${excludedIn(tx, storeId)}),
    excluded as (
      update products p set excluded = true from staged_products n
      where p.id = n.product_ref and not p.excluded and n.product_id in (select product_id from hidden)),
    mixed as (
      select k.product_id, min(s.line) filter (where x.excluded) as line
      from staged_keys k join products x on x.id = k.known_product join staged s on s.position = k.position
      where k.product_id in (select product_id from hidden) group by k.product_id having not bool_and(x.excluded))
    select *, count(*) over ()::int as total from mixed order by line limit ${MAX_ISSUES}`;
  for (const { product_id, line } of mixed)
    issues.add(
      "warning",
      line,
      "item_group_id",
      product_id,
      "puts a row of a product that you excluded together with others: all of this product is excluded now; include it if agents may find it",
    );
  issues.addWarnings((mixed[0]?.total ?? 0) - mixed.length);
}

/** A product `p` whose rows are in others now, or withheld. What is excluded stays so until its rows are seen again. */
const isEmpty = (tx: Transaction, storeId: string) => tx`p.store_id = ${storeId} and p.vanished_at is not null
  and not exists (select from variants v where v.product_ref = p.id)
  and (not p.excluded or p.id in (select known_product from staged_keys))`;

/** Those that `deleteEmpty` will delete: whoever excludes one has it before the store, too. */
export async function lockEmpty(tx: Transaction, storeId: string): Promise<void> {
  await tx`select from products p where ${isEmpty(tx, storeId)} order by p.id for update`;
}

export async function deleteEmpty(tx: Transaction, storeId: string): Promise<void> {
  await tx`delete from products p where ${isEmpty(tx, storeId)}`;
}

/** The count that pages show of the store. */
export async function countProducts(tx: Transaction, storeId: string): Promise<void> {
  await tx`update stores set product_count = (
      select count(*) from products where store_id = ${storeId} and not excluded and vanished_at is null)
    where id = ${storeId}`;
}
