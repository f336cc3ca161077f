// A merchant's products, found by word or id, and kept from agents one by one: what is excluded is in no tool's answer
// from the next request on, and stays excluded through further loads of the feed.
import { and, eq, ne } from "drizzle-orm";
import { z } from "zod";
import { products } from "../../db/schema/catalog";
import type { Ctx, Merchant } from "../context";
import { notFound } from "../errors";
import * as audit from "./audit";
import { type Money, money } from "./money";
import { lockOwnStore, requireOwnStore, StoreSlug } from "./ownership";
import { type Page, pageOf, turnOf } from "./pages";

const PAGE = 25;

export interface OwnProduct {
  productId: string;
  title: string;
  brand: string | null;
  price: Money;
  availability: (typeof products.$inferSelect)["availability"];
  excluded: boolean;
  /** Gone from the feed: agents still find it, as discontinued. */
  vanished: boolean;
  dataAsOf: Date;
}

export const ListOwnProducts = z.strictObject({
  store: StoreSlug,
  /** Words of the product, or its id. */
  query: z.string().trim().max(200).optional(),
  /** Only what is kept from agents. */
  excluded: z.boolean().optional(),
  cursor: z.string().max(2000).optional(),
});

/** All that agents could find in a store, by product id, a page at a time. @throws DomainError not_found, cursor_invalid */
export async function list(ctx: Ctx<Merchant>, input: z.infer<typeof ListOwnProducts>): Promise<Page<OwnProduct>> {
  const { sql, actor } = ctx;
  const query = { list: "products", merchantId: actor.merchantId, ...input };
  const turn = turnOf(ctx, query, ["string"]);
  const { key, back } = turn;
  await requireOwnStore(ctx, input);
  const found = await sql<(Omit<OwnProduct, "price"> & { amount: number; currency: string })[]>`
    select p.product_id as "productId", p.title, p.brand, p.price_amount as amount, p.currency, p.availability, p.excluded,
      p.vanished_at is not null as vanished,
      p.data_as_of as "dataAsOf"
    from stores s join products p on p.store_id = s.id
    where s.slug = ${input.store} and s.merchant_id = ${actor.merchantId}
      ${input.query ? sql`and (p.search @@ websearch_to_tsquery('aisle', ${input.query}) or p.product_id = ${input.query})` : sql``}
      ${input.excluded ? sql`and p.excluded` : sql``}
      ${key ? sql`and p.product_id ${back ? sql`<` : sql`>`} ${key[0]!}` : sql``}
    order by p.product_id ${back ? sql`desc` : sql``} limit ${PAGE + 1}`;
  const keyOf = ({ productId }: (typeof found)[number]) => [productId];
  const { rows, ...neighbours } = pageOf(ctx, query, turn, { found, limit: PAGE, keyOf });
  return {
    rows: rows.map(({ amount, currency, ...row }) => ({ ...row, price: money(amount, currency) })),
    ...neighbours,
  };
}

export const SetExcluded = z.strictObject({
  store: StoreSlug,
  productId: z.string().min(1).max(200),
  excluded: z.boolean(),
});

/** Said again, it changes nothing. @throws DomainError not_found */
export async function setExcluded(ctx: Ctx<Merchant>, input: z.infer<typeof SetExcluded>): Promise<void> {
  const { productId, excluded } = input;
  await ctx.db.transaction(async (tx) => {
    const store = await lockOwnStore(ctx, tx, { store: input.store });
    const here = and(eq(products.storeId, store.id), eq(products.productId, productId));
    const changed = await tx
      .update(products)
      .set({ excluded })
      .where(and(here, ne(products.excluded, excluded)))
      .returning({ id: products.id });
    if (changed.length > 0) {
      const action = excluded ? "product.exclude" : "product.include";
      await audit.record(ctx, tx, { action, target: ["store", store.id], after: { productId } });
    } else if ((await tx.$count(products, here)) === 0) throw notFound("product");
  });
}
