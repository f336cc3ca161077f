import { describe, expect, it } from "vitest";
import { type Sort, sorts } from "../../server/services/catalog/order";
import { type Search, search } from "../../server/services/catalog/search";
import { testDatabase } from "../support/database";
import { makeReader } from "../support/factories";
import { loadRows, makeStoreWith, type Row } from "../support/feed";

const database = testDatabase();

/** A row of a catalogue that has every value twice and thrice, so that orders have many ties. */
const row = (n: number, title = "Lantern"): Row => ({
  id: `p${n}`,
  title: n % 3 === 0 ? title : `${title} for tents`,
  price: `${10 + (n % 5)}.00 EUR`,
  ...(n % 4 === 0 && { sale_price: "7.00 EUR" }),
  ...(n % 2 === 0 && { star_rating: `4.${n % 4}`, review_count: String(n % 6) }),
  availability: n % 7 === 0 ? "out_of_stock" : "in_stock",
});
const rows = (count: number) => Array.from({ length: count }, (_, n) => row(n));

async function shop(catalogue: Row[]) {
  const store = await makeStoreWith(database, catalogue);
  const ctx = database.as(await makeReader(database));
  const page = (given: Partial<Search>) => search(ctx, { storeIds: [store.id], sort: "relevance", limit: 7, ...given });
  return { store, page };
}

/** Everything that a search gives, page after page. */
async function walk(
  page: (given: Partial<Search>) => ReturnType<typeof search>,
  given: Partial<Search>,
  between?: () => void,
) {
  const found: Awaited<ReturnType<typeof search>>["products"] = [];
  let cursor: string | undefined;
  do {
    const answer = await page({ ...given, cursor });
    found.push(...answer.products);
    cursor = answer.nextCursor;
    between?.();
  } while (cursor);
  return found;
}

const now = (product: { price: { amount: number }; sale_price?: { amount: number } }) =>
  (product.sale_price ?? product.price).amount;
const isSorted = (values: number[]) => values.every((value, i) => i === 0 || values[i - 1]! <= value);

describe("the pages of a search", () => {
  it.each(sorts)("by %s give every product once, in one order", async (sort) => {
    const { page } = await shop(rows(60));
    for (const query of [undefined, "lantern"]) {
      const found = await walk(page, { sort, query });
      const whole = await page({ sort, query, limit: 50 });
      expect(found.map((product) => product.product_id).toSorted()).toEqual(
        rows(60)
          .map(({ id }) => id)
          .toSorted(),
      );
      expect(found.slice(0, 50).map((product) => product.product_id)).toEqual(
        whole.products.map((product) => product.product_id),
      );
    }
  });

  it("are by price, rating and age as they say", async () => {
    const { page } = await shop(rows(30));
    const by = async (sort: Sort) => walk(page, { sort });
    expect(isSorted((await by("price_asc")).map(now))).toBe(true);
    expect(isSorted((await by("price_desc")).map((product) => -now(product)))).toBe(true);
    expect(isSorted((await by("rating")).map((product) => -(product.rating?.value ?? 0)))).toBe(true);
    expect(isSorted((await by("newest")).map((product) => -Number(product.product_id.slice(1))))).toBe(true);
  });

  it("have the prices of the currency asked for first, and each currency together", async () => {
    const { page } = await shop(
      ["CHF", "EUR", "USD"].flatMap((currency) =>
        [1, 2, 3].map((n) => ({ id: `${currency}${n}`, price: `${n}.00 ${currency}` })),
      ),
    );
    const order = async (currency?: string) =>
      (await walk(page, { sort: "price_asc", limit: 2, context: { currency } }))
        .map((product) => product.product_id)
        .join(" ");
    expect(await order()).toBe("CHF1 CHF2 CHF3 EUR1 EUR2 EUR3 USD1 USD2 USD3");
    expect(await order("USD")).toBe("USD1 USD2 USD3 CHF1 CHF2 CHF3 EUR1 EUR2 EUR3");
  });

  it("without a query have most stars first, of as many the newest", async () => {
    const star = (id: string, star_rating: string) => ({ id, star_rating, review_count: "1" });
    const { page } = await shop([star("old", "4"), star("new", "4"), star("best", "5"), { id: "unrated" }]);
    const { products } = await page({});
    expect(products.map((product) => product.product_id)).toEqual(["best", "new", "old", "unrated"]);
  });

  it("by rating have, of as many stars, those first that most have given", async () => {
    const counts = { few: "2", most: "30", one: "1" };
    const { page } = await shop(
      Object.entries(counts).map(([id, review_count]) => ({ id, star_rating: "4", review_count })),
    );
    const { products } = await page({ sort: "rating" });
    expect(products.map((product) => product.product_id)).toEqual(["most", "few", "one"]);
  });

  it("put last what left the feed, in every order", async () => {
    const { page, store } = await shop(rows(6));
    await loadRows(database, store.id, rows(5));
    for (const sort of sorts) expect((await walk(page, { sort })).at(-1)!.product_id, sort).toBe("p5");
  });

  it("tell all matches and whether there is more", async () => {
    const { page } = await shop(rows(8));
    const first = await page({ query: "lantern" });
    expect(first).toMatchObject({ totalCount: 8, hasNextPage: true });
    const last = await page({ query: "lantern", cursor: first.nextCursor });
    expect(last).toMatchObject({ totalCount: 8, hasNextPage: false, nextCursor: undefined });
    expect(last.products).toHaveLength(1);
  });

  it("go on with a mended and with a relaxed query", async () => {
    const { page } = await shop(rows(20));
    expect(await walk(page, { query: "lantren" })).toHaveLength(20);
    expect(await walk(page, { query: "lantern zzzzzzz" })).toHaveLength(20);
  });

  it("belong to their query alone", async () => {
    const { page } = await shop(rows(20));
    const { nextCursor: cursor } = await page({ query: "lantern" });
    await expect(page({ query: "tents", cursor })).rejects.toMatchObject({ code: "invalid_arguments" });
    await expect(page({ query: "lantern", sort: "newest", cursor })).rejects.toMatchObject({
      code: "invalid_arguments",
    });
    for (const other of ["made-up", `${cursor}x`, `${cursor}.x`, `${cursor}=`, cursor!.slice(0, -1)])
      await expect(page({ query: "lantern", cursor: other }), other).rejects.toMatchObject({ code: "cursor_invalid" });
    expect((await page({ query: "lantern", limit: 3, cursor })).products).toHaveLength(3);
    for (const same of [{ filters: {} }, { filters: { price: {} }, context: {} }])
      expect((await page({ query: "lantern", cursor, ...same })).products).toHaveLength(7);
  });
});

describe("while a catalogue is loaded anew", () => {
  it.each(sorts)("pages by %s neither skip nor repeat a product that does not change", async (sort) => {
    const { page, store } = await shop(rows(120));
    // Every third product changes its title and price, every eleventh leaves, and others come.
    const changed = (round: number) => [
      ...Array.from({ length: 120 }, (_, n) => n)
        .filter((n) => n % 11 !== 0)
        .map((n) => (n % 3 === 1 ? { ...row(n, `Lantern ${round}`), price: `${round + (n % 9)}.00 EUR` } : row(n))),
      ...Array.from({ length: 40 }, (_, n) => ({ ...row(n), id: `new${round}-${n}` })),
    ];
    const loads: Promise<void>[] = [];
    let round = 0;
    const found = await walk(page, { query: "lantern", sort }, () => {
      if (loads.length < 6) loads.push(loadRows(database, store.id, changed(++round)));
    });
    await Promise.all(loads);
    const steady = Array.from({ length: 120 }, (_, n) => n)
      .filter((n) => n % 11 !== 0 && n % 3 !== 1)
      .map((n) => `p${n}`);
    const times = (id: string) => found.filter((product) => product.product_id === id).length;
    expect(steady.filter((id) => times(id) !== 1)).toEqual([]);
  });
});
