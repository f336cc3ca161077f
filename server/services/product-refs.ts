// What a `product_id` names: a product, else one row of its feed. What a merchant excluded does not exist for agents.
import type { Sql } from "../../db/client";
import { DomainError } from "../errors";
import { info, type Message } from "./catalog/messages";

/**
 * SQL, to be joined laterally to `stores s`: at most one row (product_ref, variant_ref). A product's id gives null for
 * the variant, the id of a feed row in a group gives its own. Where both fit, what is in the feed wins, then the product.
 * @param id the id asked for, or a fragment that names a column
 */
export const itemById = (sql: Sql, id: string | ReturnType<Sql>) => sql`
  select p.id as product_ref, null::bigint as variant_ref, p.vanished_at is not null as vanished from products p
  where p.store_id = s.id and p.product_id = ${id} and not p.excluded
  union all
  select v.product_ref, v.id, v.vanished_at is not null from variants v join products p on p.id = v.product_ref
  where v.store_id = s.id and v.variant_id = ${id} and not p.excluded
  order by vanished, variant_ref nulls first limit 1`;

/** What is to be said where `id` was taken for a product, and is the id of one of its several variants, too. */
export const alsoVariant = (id: string, path: string): Message =>
  info(
    "also_variant",
    `"${id}" names both the product and one of its variants; this is the product. get_product lists the variant in variants, and shows it by its gtin or by selected.`,
    path,
  );

export const productNotFound = (productId: string) =>
  new DomainError(
    "product_not_found",
    `The store has no product "${productId}". Use a product_id that search_products gives for this store_id.`,
  );
