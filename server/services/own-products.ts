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

/** All that agents could find in a store, by product id, a page at a time. @throws DomainError not_found, cursor_invalid */
export async function list(ctx: Ctx<Merchant>, input: z.infer<typeof ListOwnProducts>): Promise<Page<OwnProduct>> {
  const { sql, actor } = ctx;
  const query = { list: "products", merchantId: actor.merchantId, ...input };
  const turn = turnOf(ctx, query, ["string"]);
  const { key, back } = turn;
  await requireOwnStore(ctx, input);
  type Row = Omit<OwnProduct, "price" | "salePrice"> & { amount: number; sale: number | null; currency: string };
  const found = await sql<Row[]>`
    with ${languages(sql)}
    select p.product_id as "productId", p.title, p.brand, p.price_amount as amount, ${saleNow(sql, "p", ctx.now)} as sale, p.currency,
      p.availability, p.excluded,
      p.vanished_at is not null as vanished,
      p.data_as_of as "dataAsOf"
    from stores s join products p on p.store_id = s.id
    where s.slug = ${input.store} and s.merchant_id = ${actor.merchantId}
      ${input.query ? sql`and ${isSought(sql, input.query)}` : sql``}
      ${input.excluded ? sql`and p.excluded` : sql``}
      ${key ? sql`and p.product_id ${back ? sql`<` : sql`>`} ${key[0]!}` : sql``}
    order by p.product_id ${back ? sql`desc` : sql``} limit ${PAGE + 1}`;
  const keyOf = ({ productId }: (typeof found)[number]) => [productId];
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
