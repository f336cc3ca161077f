// Queries as language models put them: whole sentences, whom a thing is for, what it comes in, what it is to be without.
import { describe, expect, it } from "vitest";
import { type Search, search } from "../../server/services/catalog/search";
import { testDatabase } from "../support/database";
import { makeReader, makeStore } from "../support/factories";
import { loadRows } from "../support/feed";

const database = testDatabase();

/** A store with these rows, and what a search in it gives. */
async function shop(rows: Parameters<typeof loadRows>[2]) {
  const store = await makeStore(database);
  await loadRows(database, store.id, rows);
  const ctx = database.as(await makeReader(database));
  const find = (query: string, rest: Partial<Search> = {}) =>
    search(ctx, { query, storeIds: [store.id], sort: "relevance", limit: 20, ...rest });
  const ids = async (query: string) => (await find(query)).products.map(({ product_id }) => product_id);
  const codes = async (query: string) => (await find(query)).messages.map(({ code }) => code);
  return { find, ids, codes };
}

describe("the thing that is asked for", () => {
  it("is what stands behind a gift, and behind whom it is for", async () => {
    const { ids } = await shop([
      { id: "plaque", title: "Sympathy Gift", product_type: "Gifts > Plaques" },
      { id: "doll", title: "Rag Doll", product_type: "Toys > Dolls" },
      { id: "card", title: "Gift Card", product_type: "Gifts > Cards" },
    ]);
    for (const query of [
      "gift for a girl who loves dolls",
      "I need a present for my daughter who likes dolls",
      "gift ideas for my niece: dolls",
    ])
      expect((await ids(query))[0], query).toBe("doll");
    expect((await ids("gift for dad"))[0]).not.toBe("doll");
    expect(await ids("gift card")).toEqual(["card"]);
  });

  it("is what there is a set or a pair of", async () => {
    const { ids } = await shop([
      { id: "shelf", title: "Set of Shelves, a Pair for Six Wine Glasses", product_type: "Home > Storage" },
      {
        id: "glasses",
        title: "Stemless Glass",
        product_type: "Table > Cups",
        description: "For wine. A set or pair of six.",
      },
    ]);
    for (const query of ["set of six wine glasses", "a pair of wine glasses"])
      expect((await ids(query))[0], query).toBe("glasses");
  });

  it("is what there is a set of where only some of the words are found, too", async () => {
    const { ids } = await shop([
      { id: "salt", title: "Sea Salt", product_type: "Larder > Spices" },
      { id: "rings", title: "Ring Set", product_type: "Jewelry > Ring Sets" },
      { id: "brushes", title: "Brush Set", product_type: "Beauty > Brush Sets" },
    ]);
    expect(await ids("salt and pepper set")).toEqual(["salt"]);
  });

  it("is nothing that is for the same people only, nor as many of it", async () => {
    const { ids, codes } = await shop([
      { id: "trainer", title: "Court Trainer", product_type: "Shoes > Trainers", gender: "female" },
      { id: "watch", title: "Men's Watch", product_type: "Watches" },
      { id: "rings", title: "Ring Set", product_type: "Jewelry > Rings" },
    ]);
    expect(await ids("trainers men")).toEqual(["trainer"]);
    expect(await ids("kilt men")).toEqual([]);
    expect(await codes("set of kilts for men")).toEqual(["no_matches"]);
    expect((await ids("men's set")).toSorted()).toEqual(["rings", "watch"]);
  });

  it("is told where one of the words is written apart in the catalogue", async () => {
    const { ids, find } = await shop([
      { id: "clips", title: "Pink Hair Clip", product_type: "Accessories > Clips" },
      { id: "bow", title: "Red Wedding Bow", product_type: "Party > Bows" },
      { id: "coat", title: "Rain Coat", product_type: "Clothes > Coats" },
      { id: "duck", title: "Yellow Duck for Kids", product_type: "Toys > Ducks" },
    ]);
    expect((await ids("red hairclips wedding"))[0]).toBe("clips");
    expect((await ids("yellow raincoat kids"))[0]).toBe("coat");
    const { messages } = await find("red hairclips wedding");
    expect(messages).toMatchObject([
      { content: expect.stringContaining('Searched for "hair clips" instead of "hairclips".') },
      { code: "query_relaxed", content: expect.stringContaining('lacks "red", "wedding".') },
    ]);
    expect(await ids("-hair_clip pink")).toEqual([]);
    expect(await ids("clip_hair")).toEqual([]);
  });

  it("is told beyond a word that stands in names", async () => {
    const { ids } = await shop([
      { id: "case", title: "Pencil Case to Carry", product_type: "Bags > Carry" },
      { id: "board", title: "Black Board", product_type: "School > Black" },
      { id: "suitcase", title: "Cabin Suitcase", product_type: "Travel > Suitcases" },
      { id: "rug", title: "Wool Rug", product_type: "Home > Rugs" },
    ]);
    expect((await ids("carry on suitcase"))[0]).toBe("suitcase");
    expect((await ids("black and white rug"))[0]).toBe("rug");
  });

  it("is no product that may as well be another thing of its category", async () => {
    const { ids, codes } = await shop([
      { id: "boxer", title: "Men's Merino Boxer", product_type: "Layers > Underwear & Socks" },
      { id: "sock", title: "Merino Sock", product_type: "Footwear > Socks" },
    ]);
    expect((await ids("mens merino socks"))[0]).toBe("sock");
    expect(await codes("mens merino socks")).toEqual(["query_relaxed"]);
    expect(await ids("merino underwear")).toEqual(["boxer"]);
  });

  it("is no other that has all of the words by the way, but not where the word that counts is only the rarest", async () => {
    const { ids, codes } = await shop([
      { id: "watch", title: "Watch Green Olive", product_type: "Watches" },
      { id: "spoon", title: "Olive Spoon", product_type: "Kitchen > Tools" },
      { id: "sprayer", title: "Oil Sprayer", product_type: "Kitchen > Tools", description: "For olive oil." },
      ...Array.from({ length: 4 }, (_, n) => ({ id: `lamp ${n}`, title: `Oil Lamp ${n}`, product_type: "Lamps" })),
    ]);
    expect(await ids("olive oil")).toEqual(["sprayer"]);
    expect(await codes("olive oil")).toEqual([]);
  });

  it("is called otherwise only where it is that, and not where another word of the query is its kind", async () => {
    const { codes } = await shop([
      {
        id: "mat",
        title: "Silicone Mat, Faucet Splash Guard",
        product_type: "Kitchen > Sink",
      },
    ]);
    expect(await codes("tap for kitchen sink")).not.toContain("called_otherwise");
  });
});

describe("words of a sentence", () => {
  it("said in short are asked of no product", async () => {
    const { ids, codes } = await shop([
      { id: "tent", title: "Ridge Tent", product_type: "Camping > Tents", size: "L" },
      { id: "shirt", title: "Shirt", product_type: "Layers > Shirts", size: "M", description: "Worn in a tent." },
    ]);
    for (const query of ["I'm looking for a tent", "I’d like a tent", "a tent that doesn't", "we don’t have a tent"]) {
      expect((await ids(query))[0], query).toBe("tent");
      expect(await codes(query), query).not.toContain("query_relaxed");
    }
  });

  it("that say for whom are no unit of the number before them", async () => {
    const { ids, find } = await shop([
      { id: "women", title: "Women's Trail Shoe", product_type: "Shoes > Trail", description: "Sizes 5 to 10." },
      { id: "men", title: "Men's Trail Shoe", product_type: "Shoes > Trail" },
    ]);
    expect((await ids("size 10 men's trail running shoes"))[0]).toBe("men");
    const { messages } = await find("size 10 men's trail running shoes");
    expect(messages).toMatchObject([{ content: expect.stringContaining('lacks "10".') }]);
  });

  it("that say what would be nice are not required", async () => {
    const { ids, codes } = await shop([
      { id: "wool", title: "Wool Rug", product_type: "Home > Rugs" },
      { id: "jute", title: "Jute Rug", product_type: "Home > Rugs" },
    ]);
    for (const query of ["I would prefer a wool rug if possible", "could you help: a rug, ideally made of wool"]) {
      expect(await ids(query), query).toEqual(["wool"]);
      expect(await codes(query), query).not.toContain("query_relaxed");
    }
  });

  it("that say for which person find what is for such people", async () => {
    const { ids, codes } = await shop([
      { id: "men", title: "Steel Watch", product_type: "Watches", gender: "male" },
      { id: "women", title: "Slim Watch for Women", product_type: "Watches" },
      { id: "girl", title: "Plush Watch", product_type: "Watches", gender: "female", age_group: "kids" },
      { id: "jeans", title: "Women's Jeans", product_type: "Trousers > Jeans" },
      { id: "mom jeans", title: "Mom Jeans", product_type: "Trousers > Jeans" },
    ]);
    expect(await ids("watch for my husband")).toEqual(["men"]);
    expect(await codes("watch for my husband")).toEqual([]);
    expect((await ids("a watch that his wife would like")).toSorted()).toEqual(["girl", "women"]);
    expect(await ids("watch for my daughter")).toEqual(["girl"]);
    expect(await ids("mom jeans")).toEqual(["mom jeans"]);
  });

  it("before what a thing is to be without are not asked for alone", async () => {
    const { ids, codes } = await shop([
      { id: "cover", title: "Cover Without Filling", product_type: "Home > Covers" },
      { id: "bread", title: "Brown Bread", product_type: "Food > Bread" },
    ]);
    expect(await ids("without lactose")).toEqual([]);
    expect(await codes("without lactose")).toEqual(["no_matches"]);
    expect(await ids("bread without lactose")).toEqual(["bread"]);
    expect(await ids('"without filling"')).toEqual(["cover"]);
  });
});

describe("a price that bounds what is asked for", () => {
  const rows: Parameters<typeof loadRows>[2] = [
    { id: "case", title: "Headphones Case 50", product_type: "Audio > Cases", price: "9.00 EUR" },
    { id: "phones", title: "Wireless Headphones", product_type: "Audio > Headphones", price: "45.00 EUR" },
    { id: "coin", title: "2 Euro Coin", product_type: "Coins", description: "In a case.", price: "20.00 EUR" },
  ];

  it("is no word of a thing, and the answer says so", async () => {
    const { find } = await shop(rows);
    for (const [query, price] of [
      ["headphones under $50", "under $50"],
      ["under 50 euros headphones", "under 50 euros"],
      ["headphones less than 50", "less than 50"],
      ["headphones between 20 and 50 euros", "between 20 and 50 euros"],
      ["Headphones bis 50 €", "bis 50 €"],
    ] as const) {
      const { products, messages } = await find(query);
      expect(products.map(({ product_id }) => product_id).toSorted(), query).toEqual(["case", "phones"]);
      const content = `Not searched for, since it is a price: "${price}". Set filters.price to keep to it.`;
      expect(messages, query).toEqual([{ type: "info", code: "price_in_query", content, path: "query" }]);
    }
    const { messages } = await find("headphones under $50", { filters: { price: { max: 5000 } } });
    expect(messages).toMatchObject([{ content: expect.stringMatching(/\. filters\.price has the price\.$/) }]);
  });

  it("alone is everything", async () => {
    const { ids, codes } = await shop(rows);
    expect((await ids("under $50")).toSorted()).toEqual(["case", "coin", "phones"]);
    expect(await codes("under $50")).toEqual(["price_in_query"]);
  });

  it("is searched for where it is quoted, bounds nothing or is a weight", async () => {
    const { ids } = await shop([...rows, { id: "tent", title: "Tent", description: "Under 2 kg." }]);
    expect(await ids("2 euro coin")).toEqual(["coin"]);
    expect(await ids("tent under 2 kg")).toEqual(["tent"]);
    expect(await ids('"headphones case 50"')).toEqual(["case"]);
  });

  it("has the same next page", async () => {
    const { find } = await shop(rows);
    const first = await find("headphones under $50", { limit: 1 });
    const second = await find("headphones under $50", { limit: 1, cursor: first.nextCursor });
    expect([...first.products, ...second.products].map(({ product_id }) => product_id).toSorted()).toEqual([
      "case",
      "phones",
    ]);
  });
});

describe("a model's number", () => {
  const rows: Parameters<typeof loadRows>[2] = [
    { id: "toner", title: "Fenbrel ZK90417 Toner", product_type: "Office > Supplies", mpn: "MLX-D226L" },
    { id: "bit", title: "Drill Bit 2000mah", product_type: "Tools > Bits", brand: "Fenbrel" },
    { id: "bag", title: "Cartridge Bag", product_type: "Bags", description: "For drill bits." },
  ];

  it("says more than all other words of a query of which nothing has all, in the title or as an identifier", async () => {
    const { ids, find } = await shop(rows);
    for (const query of ["fenbrel ZK90417 drill bit", "black mlx-d226l cartridge", "MLXD226L drill bit"])
      expect(await ids(query), query).toEqual(["toner"]);
    expect((await find("fenbrel ZK90417 drill bit")).messages).toEqual([
      {
        ...{ type: "info", code: "query_relaxed", path: "query" },
        content: 'No product has all of the words; these have "ZK90417". The first one lacks "drill", "bit".',
      },
    ]);
  });

  it("is none where it is a measure, nobody has it, or the query is quoted", async () => {
    const { ids } = await shop(rows);
    expect((await ids("cartridge bag 2000mah"))[0]).toBe("bag");
    expect((await ids("QQ77104 drill bit"))[0]).toBe("bit");
    expect(await ids('"ZK90417 drill"')).toEqual([]);
  });
});

describe("a field with its value, as other search engines have it", () => {
  const rows: Parameters<typeof loadRows>[2] = [
    { id: "red", title: "Summer Dress", product_type: "Clothes > Dresses", color: "Red", brand: "North Fell" },
    { id: "blue", title: "Winter Dress", product_type: "Clothes > Dresses", color: "Blue", brand: "North Fell" },
    { id: "brand", title: "Brand Color Dress", product_type: "Clothes > Dresses", brand: "Fell North" },
  ];

  it("is its value, and the answer says which filter keeps to it", async () => {
    const { find, ids } = await shop(rows);
    for (const [query, found] of [
      ["color:red dress", ["red"]],
      ["dress Colour:red", ["red"]],
      ['brand:"north fell" dress -color:red', ["blue"]],
      ["brand:north category:dresses color:blue", ["blue"]],
    ] as const) {
      expect(await ids(query), query).toEqual(found);
      expect(
        (await find(query)).messages.map(({ code }) => code),
        query,
      ).toEqual(["field_in_query"]);
    }
    expect((await find("brand:north color:red")).messages).toEqual([
      {
        ...{ type: "info", code: "field_in_query", path: "query" },
        content:
          "Values of fields in the query are searched for as plain words. To keep to them, set filters.brand and filters.attributes instead.",
      },
    ]);
  });

  it("is nothing but words where it is quoted, or stands before its value with a blank, as in a title", async () => {
    const { ids, codes } = await shop(rows);
    expect(await ids('"brand color: dress"')).toEqual(["brand"]);
    expect(await ids("brand color: dress")).toEqual(["brand"]);
    expect(await codes("brand color: dress")).not.toContain("field_in_query");
  });
});

describe("words of a language in which there is hardly anything", () => {
  it("are no misspelt ones of another", async () => {
    const { ids, codes } = await shop([
      { id: "ombre", title: "Ombre Trim", product_type: "Craft > Trims" },
      { id: "strobe", title: "Personal Strobe", product_type: "Light > Strobes" },
      { id: "tent", title: "Ridge 2", product_type: "Camping > Shelters" },
    ]);
    for (const query of ["zapatillas correr hombre", "Zelt für 2 Personen"]) {
      expect(await ids(query), query).toEqual([]);
      expect(await codes(query), query).toEqual(["no_matches"]);
    }
    // One slip beside a name that nobody has is one.
    expect(await ids("vexholmer strobee")).toEqual(["strobe"]);
  });
});

it("what shops call otherwise is found by what shoppers say", async () => {
  const { ids } = await shop([
    { id: "sacks", title: "Strong Garbage Bags", product_type: "Home > Waste" },
    { id: "bin", title: "Bread Bin", product_type: "Kitchen > Storage" },
    { id: "trolley", title: "Cabin Trolley", product_type: "Travel > Luggage" },
    { id: "drive", title: "512GB Solid State Drive", product_type: "Computers > Drives" },
    { id: "laptop", title: "Laptop 256GB SSD", product_type: "Computers > Laptops" },
  ]);
  for (const query of ["bin liners", "rubbish bags", "trash bags"]) expect((await ids(query))[0], query).toBe("sacks");
  expect(await ids("suitcase")).toEqual(["trolley"]);
  expect((await ids("ssd 512gb"))[0]).toBe("drive");
});

it("a word for whatever there is names a category of several things, too", async () => {
  const { ids, codes } = await shop([
    { id: "trim", title: "Trim for the Office", product_type: "Craft > Trims" },
    { id: "pen", title: "Gel Pen", product_type: "Office & School Supplies > Pens" },
    { id: "oil", title: "Oil", product_type: "Office > Oils", description: "Supplies moisture." },
  ]);
  expect((await ids("office supplies"))[0]).toBe("pen");
  expect((await ids("school supplies"))[0]).toBe("pen");
  expect(await codes("office supplies")).toEqual([]);
});
