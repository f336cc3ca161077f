import { describe, expect, it } from "vitest";
import type { Consumer, Ctx } from "../../server/context";
import { type Search, search } from "../../server/services/catalog/search";
import { testDatabase } from "../support/database";
import { makeReader, makeStore } from "../support/factories";
import { loadRows } from "../support/feed";

const database = testDatabase();

/** A store with these rows, and what a search in it gives. */
async function shop(rows: Parameters<typeof loadRows>[2]) {
  const store = await makeStore(database);
  await loadRows(database, store.id, rows);
  const ctx: Ctx<Consumer> = database.as(await makeReader(database));
  const find = (query: string, rest: Partial<Search> = {}) =>
    search(ctx, { query, storeIds: [store.id], sort: "relevance", limit: 20, ...rest });
  const ids = async (query: string, rest: Partial<Search> = {}) =>
    (await find(query, rest)).products.map((product) => product.product_id);
  const codes = async (query: string, rest: Partial<Search> = {}) =>
    (await find(query, rest)).messages.map(({ code }) => code);
  return { find, ids, codes };
}

describe("a thing that has two names", () => {
  const shoes: Parameters<typeof loadRows>[2] = [
    { id: "wax", title: "Shoe Wax", product_type: "Shoes > Care", description: "For sneakers.", price: "5.00 EUR" },
    { id: "sock", title: "Trainer Socks", product_type: "Socks > Sport", price: "9.00 EUR" },
    { id: "trainer", title: "Court Trainer", product_type: "Shoes > Trainers", price: "80.00 EUR" },
    { id: "sneaker", title: "Canvas Sneaker - Rust", product_type: "Shoes > Sneakers", price: "60.00 EUR" },
  ];
  const lights: Parameters<typeof loadRows>[2] = [
    {
      id: "pocket",
      title: "Pocket Torch",
      product_type: "Light > Torches",
      description: "Waterproof.",
      price: "20.00 EUR",
    },
    { id: "farm", title: "Farmyard Torch", product_type: "Light > Torches", price: "15.00 EUR" },
    { id: "holder", title: "Torch Holder", product_type: "Light > Parts", price: "4.00 EUR" },
  ];

  it("is found by both, what is called as was asked first, and what only belongs to it by its own name alone", async () => {
    const { ids, codes } = await shop(shoes);
    expect(await ids("sneakers")).toEqual(["sneaker", "trainer", "wax"]);
    expect(await ids("trainers")).toEqual(["trainer", "sock", "sneaker"]);
    expect(await ids("sneaker socks")).toEqual(["sock"]);
    for (const query of ["sneakers", "trainers"]) expect(await codes(query), query).toEqual([]);
  });

  it("is told by which, where nothing is called as was asked", async () => {
    const { ids, find } = await shop(lights);
    for (const query of ["flashlight", "flashlights", "a good flashlight"]) {
      expect((await ids(query)).toSorted(), query).toEqual(["farm", "pocket"]);
      expect((await find(query)).messages, query).toContainEqual({
        ...{ type: "info", code: "called_otherwise", path: "query" },
        content:
          'Nothing is called so, or has all of the words in its title. The first ones are called otherwise: "torch".',
      });
    }
    expect(await ids("waterproof flashlight")).toEqual(["pocket"]);
    expect((await find("torch")).messages).toEqual([]);
  });

  it("comes before what is something else, and has the words in its category", async () => {
    const { ids, find } = await shop([
      { id: "bin", title: "Oak Bread Bin", product_type: "Kitchen > Bread Boxes & Bags" },
      { id: "sacks", title: "Strong Garbage Bags", product_type: "Home > Waste" },
      { id: "pedal", title: "Pedal Bin", product_type: "Home > Waste", description: "Takes bags of 20 litres." },
      { id: "can", title: "Garbage Can", product_type: "Home > Waste", description: "With ten bags." },
    ]);
    expect((await ids("bin bags")).slice(0, 2)).toEqual(["sacks", "bin"]);
    expect(await ids("bin bags")).not.toContain("can");
    expect((await find("bin bags")).messages).toMatchObject([{ code: "called_otherwise" }]);
  });

  it("is found by names of several words", async () => {
    const { ids, find } = await shop([
      { id: "phone", title: "Vega Mobile Phone", product_type: "Electronics > Phones" },
      { id: "lamp", title: "Firefly Head Torch", product_type: "Light > Head Torches" },
      { id: "press", title: "Glass Cafetière - 3 cup", product_type: "Table > Tea & Coffee" },
      { id: "gown", title: "Waffle Dressing Gown", product_type: "Bedroom > Extras" },
      { id: "pot", title: "Enamelled Casserole", product_type: "Kitchen > Pots" },
      { id: "tee", title: "Ranger Tee", product_type: "Layers > Knitwear" },
    ]);
    for (const [query, id] of [
      ["cell phone", "phone"],
      ["headlamp", "lamp"],
      ["french press", "press"],
      ["bathrobe", "gown"],
      ["waffle bathrobe", "gown"],
      ["casserole dish", "pot"],
      ["casserole dishes", "pot"],
      ["t-shirt", "tee"],
    ] as const)
      expect(await ids(query), query).toEqual([id]);
    const { messages } = await find("casserole dish");
    expect(messages[0]!.content).toMatch(/are called otherwise: "dutch oven" or "casserole"\.$/);
  });

  it("is no slip of another, and the thing itself where not all of the words are anywhere", async () => {
    const { ids, find } = await shop([...shoes.slice(1, 3), { id: "loud", title: "Zink Speakers" }]);
    expect(await ids("sneakers")).toEqual(["trainer"]);
    const { products, messages } = await find("zink sneakers");
    expect(products[0]!.product_id).toBe("trainer");
    expect(messages).toMatchObject([{ code: "query_relaxed" }]);
    expect(messages[0]!.content).not.toContain("No product here has");
  });

  it("is found by the one that is in quotes alone, and left out by the one behind a minus alone", async () => {
    const { ids } = await shop(shoes);
    expect(await ids('"sneakers"')).toEqual(["sneaker", "wax"]);
    expect(await ids("trainers -sneakers")).toEqual(["trainer", "sock"]);
    expect(await ids("sneakers -trainers")).toEqual(["sneaker", "wax"]);
  });

  it("in another order than the best first is what is called as was asked, else what is called otherwise", async () => {
    const { ids, find } = await shop([...shoes, ...lights]);
    expect(await ids("trainers", { sort: "price_asc" })).toEqual(["trainer"]);
    expect(await ids("flashlight", { sort: "price_asc" })).toEqual(["farm", "pocket"]);
    expect((await find("flashlight", { sort: "price_asc" })).messages).toMatchObject([
      { code: "sorted_within", content: expect.stringContaining("the words, or others for the same thing, in title") },
    ]);
  });

  it("comes from page to page, each product once", async () => {
    const { find } = await shop(shoes);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await find("sneakers", { limit: 1, cursor });
      seen.push(...page.products.map(({ product_id }) => product_id));
      expect(page.totalCount).toBe(3);
      cursor = page.nextCursor;
    } while (cursor);
    expect(seen).toEqual(["sneaker", "trainer", "wax"]);
  });

  it("comes in that order, each product once, also where more match than can be sorted", async () => {
    const COUNT = 12_000;
    const names = ["Torch", "Flashlight", "Lamp"];
    const store = await makeStore(database);
    const row = (n: number) => ({ id: `w${n}`, title: `${names[n % 3]} ${n}`, description: "As bright as a torch." });
    await loadRows(
      database,
      store.id,
      Array.from({ length: COUNT }, (_, n) => row(n)),
    );
    const ctx = database.as(await makeReader(database));
    const found: number[] = [];
    let cursor: string | undefined;
    do {
      const page = await search(ctx, { query: "torch", sort: "relevance", limit: 900, cursor });
      expect(page.totalCount).toBeUndefined();
      found.push(
        ...page.products.map(({ product_id }) => /^w(\d+)$/.exec(product_id)).flatMap((id) => (id ? +id[1]! : [])),
      );
      cursor = page.nextCursor;
    } while (cursor);
    expect(new Set(found).size).toBe(COUNT);
    expect(found).toHaveLength(COUNT);
    const rungs = found.map((n) => n % 3);
    expect(rungs).toEqual(rungs.toSorted());
  });
});

it("of what has some of the words, what is filed as the thing that is asked for comes before what is only called so", async () => {
  const { ids, codes } = await shop([
    { id: "dog", title: "Boots for Dogs", product_type: "Dog Gear > Coats" },
    ...["a", "b", "c", "d"].map((id) => ({
      id,
      title: `Stonewall ${id} Men's Full-Grain Leather Mountain Boot - Peat`,
      product_type: "Boots & Shoes > Boots > Leather",
      brand: "Fellhagen",
    })),
  ]);
  for (const query of ["zweeling boots", "zweeling quarled boots"]) {
    expect((await ids(query)).at(-1), query).toBe("dog");
    expect(await codes(query), query).toEqual(["query_relaxed"]);
  }
});

it("of what has some of the words, a thing comes before what is filed as something that is no thing", async () => {
  const { ids } = await shop([
    { id: "jacket", title: "Rain Shell", product_type: "Jackets > Waterproof", description: "With a phone pocket." },
    { id: "pouch", title: "Dry Pouch", product_type: "Water > Pouches" },
  ]);
  for (const query of ["zweeling pouch waterproof", "pouch waterproof"])
    expect((await ids(query))[0], query).toBe("pouch");
});

it("of what has some of the words, the thing comes before what there are several of", async () => {
  const { ids } = await shop([
    { id: "jars", title: "Storage Jar Set", product_type: "Kitchen > Sets" },
    { id: "knife", title: "Paring Knife", product_type: "Kitchen > Knives" },
  ]);
  expect((await ids("quarled knife set"))[0]).toBe("knife");
});

describe("a query that names nothing in particular", () => {
  it("is everything that there is, and says so", async () => {
    const { ids, find } = await shop([
      { id: "1", title: "Kettle", description: "All our products are made in Galway." },
      { id: "2", title: "Tent" },
    ]);
    for (const query of [
      "all products",
      "show me everything you sell",
      "your products",
      "alle Produkte",
      "todos los productos",
    ]) {
      expect((await ids(query)).toSorted(), query).toEqual(["1", "2"]);
      const names = `"${query}" names no product: these are all that there are. Name one, or see list_categories.`;
      expect((await find(query)).messages, query).toEqual([
        { type: "info", code: "query_left_out", content: names, path: "query" },
      ]);
    }
    expect(await ids('"all our products"')).toEqual(["1"]);
    const filtered = await find("anything on sale", { filters: { availability: ["in_stock"] } });
    expect(filtered.messages.map(({ code }) => code)).toEqual(["query_left_out", "sale_in_query"]);
  });

  it("finds the same with a word that is said of all things as without it", async () => {
    const { ids, codes } = await shop([
      { id: "1", title: "Camping Kettle" },
      { id: "2", title: "Tent", product_type: "Camping > Tents" },
    ]);
    for (const query of ["camping products", "camping stuff", "things for camping", "camping gear"]) {
      expect((await ids(query)).toSorted(), query).toEqual(["1", "2"]);
      expect(await codes(query), query).toEqual([]);
    }
  });
});

it("an answer says where an order belongs that stands in the query", async () => {
  const { find } = await shop([{ id: "1", title: "Tent" }]);
  const told = async (query: string, sort: Search["sort"] = "relevance") =>
    (await find(query, { sort })).messages.filter(({ code }) => code === "order_in_query");
  for (const [query, sort] of [
    ["cheapest tent", "price_asc"],
    ["das günstigste Zelt", "price_asc"],
    ["most expensive tent", "price_desc"],
    ["newest tents", "newest"],
    ["best rated tent", "rating"],
  ] as const) {
    const content = `Words for an order are searched for as words. Leave them out and set sort to ${sort} instead.`;
    expect(await told(query), query).toEqual([{ type: "info", code: "order_in_query", content, path: "sort" }]);
    expect(await told(query, sort), query).toEqual([]);
  }
  for (const query of ["tent", "cheap tent", '"the latest" tent']) expect(await told(query), query).toEqual([]);
});
