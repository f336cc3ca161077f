// A merchant's products, found by word or id, and kept from agents one by one: what is excluded is in no tool's answer
// from the next request on, and stays excluded through further loads of the feed.
import { and, eq } from "drizzle-orm";
import { z } from "zod";
import { products, variants } from "../../db/schema/catalog";
import { stores } from "../../db/schema/merchants";
import type { Ctx, Merchant } from "../context";
import { notFound } from "../errors";
import * as audit from "./audit";
import { saleNow } from "./catalog/card";
import { languages, tsquery } from "./catalog/tsquery";
import { all, ask } from "./catalog/words";
import { Cursor, Sought } from "./fields";
import { seen } from "./fold";
import { type Money, money } from "./money";
import { lockOwnStore, requireOwnStore, StoreSlug } from "./ownership";
import { type Page, pageOf, turnOf } from "./pages";

const PAGE = 25;

interface OwnProduct {
  productId: string;
  title: string;
  brand: string | null;
  price: Money;
  /** While it is on sale. */
  salePrice: Money | null;
  availability: (typeof products.$inferSelect)["availability"];
  excluded: boolean;
  /** Gone from the feed: agents still find it, as discontinued. */
  vanished: boolean;
  dataAsOf: Date;
}

export const ListOwnProducts = z.strictObject({
  store: StoreSlug,
  /** Words of the product, or its id, or that of one of its variants. */
  query: Sought(200).optional(),
  /** Only what is kept from agents. */
  excluded: z.boolean().optional(),
  cursor: Cursor,
});

/** SQL: has product `p` of store `s` these words, or is this its id, or that of a variant? `=`, unlike `in`, is found by the indexes. */
const isSought = (sql: Ctx["sql"], query: string) => sql`(p.search @@ ${tsquery(sql, all(ask(seen(query))))}
  or p.product_id = ${query}
  or p.id = (select v.product_ref from variants v where v.store_id = s.id and v.variant_id = ${query}))`;

type Row = Omit<OwnProduct, "price" | "salePrice"> & { amount: number; sale: number | null; currency: string };

/**
 * All that agents could find in a store, a page at a time: what its feed has, by product id, then what is gone from it.
 * @throws DomainError not_found, cursor_invalid
 */
export async function list(ctx: Ctx<Merchant>, input: z.infer<typeof ListOwnProducts>): Promise<Page<OwnProduct>> {
  const query = { list: "products", order: 2, merchantId: ctx.actor.merchantId, ...input };
  const turn = turnOf(ctx, query, ["boolean", "string"]);
  const { key, back } = turn;
  await requireOwnStore(ctx, input);
  const [here, beyond] = (key ?? [false]) as [boolean, string?];
  const found = await some(ctx, input, { vanished: here, beyond, back, limit: PAGE + 1 });
  // One after the other, as the index has each: sorted together, every product of a large store would be read.
  if (here === back && found.length <= PAGE)
    found.push(...(await some(ctx, input, { vanished: !here, back, limit: PAGE + 1 - found.length })));
  const keyOf = ({ vanished, productId }: Row) => [vanished, productId];
  const { rows, ...neighbours } = pageOf(ctx, query, turn, { found, limit: PAGE, keyOf });
  return {
    rows: rows.map(({ amount, sale, currency, ...row }) => ({
      ...row,
      price: money(amount, currency),
      salePrice: sale === null ? null : money(sale, currency),
    })),
    ...neighbours,
  };
}

/** Of those that have vanished or of the others, what comes after `beyond` or, read backwards, before it. */
function some(
  { sql, actor, now }: Ctx<Merchant>,
  { store, query, excluded }: z.infer<typeof ListOwnProducts>,
  { vanished, beyond, back, limit }: { vanished: boolean; beyond?: string | undefined; back: boolean; limit: number },
): Promise<Row[]> {
  return sql<Row[]>`
    with ${languages(sql)}
    select p.product_id as "productId", p.title, p.brand, p.price_amount as amount, ${saleNow(sql, "p", now)} as sale, p.currency,
      p.availability, p.excluded, ${vanished}::boolean as vanished, p.data_as_of as "dataAsOf"
    from stores s join products p on p.store_id = s.id
    where s.slug = ${store} and s.merchant_id = ${actor.merchantId}
      and p.vanished_at is ${vanished ? sql`not null` : sql`null`}
      ${query ? sql`and ${isSought(sql, query)}` : sql``}
      ${excluded ? sql`and p.excluded` : sql``}
      ${beyond === undefined ? sql`` : sql`and p.product_id ${back ? sql`<` : sql`>`} ${beyond}`}
    order by p.product_id ${back ? sql`desc` : sql``} limit ${limit}`;
}

export const SetExcluded = z.strictObject({
  store: StoreSlug,
  productId: z.string().min(1).max(200),
  excluded: z.boolean(),
});

/**
 * Said again, it changes nothing. A product that the merchant withholds in the feed has no rows: once it is included, it is
 * back as soon as they are.
 * @throws DomainError not_found
 */
export async function setExcluded(ctx: Ctx<Merchant>, input: z.infer<typeof SetExcluded>): Promise<void> {
  const { store, productId, excluded } = input;
  await ctx.db.transaction(async (tx) => {
    // The product before the store, as loads lock them: so neither waits for the other in a circle.
    const [product] = await tx
      .select({ id: products.id, storeId: products.storeId, excluded: products.excluded })
      .from(products)
      .innerJoin(stores, eq(stores.id, products.storeId))
      .where(
        and(eq(stores.slug, store), eq(stores.merchantId, ctx.actor.merchantId), eq(products.productId, productId)),
      )
      .for("update", { of: products });
    if (!product) throw notFound("product");
    if (product.excluded === excluded) return;
    await lockOwnStore(ctx, tx, { store });
    const it = eq(products.id, product.id);
    const hasRows = (await tx.$count(variants, eq(variants.productRef, product.id))) > 0;
    await (excluded || hasRows ? tx.update(products).set({ excluded }).where(it) : tx.delete(products).where(it));
    const action = excluded ? "product.exclude" : "product.include";
    await audit.record(ctx, tx, { action, target: ["store", product.storeId], after: { productId } });
  });
}
