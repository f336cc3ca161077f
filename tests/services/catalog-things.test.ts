// What kind of thing is asked for says more than how many of the other words there are, and where they stand.
import { describe, expect, it } from "vitest";
import { type Search, search } from "../../server/services/catalog/search";
import { testDatabase } from "../support/database";
import { makeReader, makeStore } from "../support/factories";
import { loadRows } from "../support/feed";

const database = testDatabase();

/** A store with these rows, and what a search in it gives. */
async function shop(rows: Parameters<typeof loadRows>[2], languages: string[] = []) {
  const store = await makeStore(database, { languages });
  await loadRows(database, store.id, rows);
  const ctx = database.as(await makeReader(database));
  const find = (query: string, rest: Partial<Search> = {}) =>
    search(ctx, { query, storeIds: [store.id], sort: "relevance", limit: 20, ...rest });
  const ids = async (query: string, rest: Partial<Search> = {}) =>
    (await find(query, rest)).products.map(({ product_id }) => product_id);
  const codes = async (query: string) => (await find(query)).messages.map(({ code }) => code);
  return { find, ids, codes };
}

describe("where no product has all of the words, an answer begins with", () => {
  const legwear: Parameters<typeof loadRows>[2] = [
    { id: "leggings", title: "Men's Wool Leggings", product_type: "Layers > Leggings" },
    {
      id: "boxers",
      title: "Men's Boxers",
      product_type: "Layers > Base",
      google_product_category: "Clothing > Underwear & Socks",
    },
    { id: "merino", title: "Merino Sock", product_type: "Footwear > Socks", description: "Cushioned heel." },
    { id: "knee", title: "Winter Knee Sock", product_type: "Footwear > Socks" },
  ];

  it("the thing itself, though others have more of the words", async () => {
    const { ids, codes } = await shop(legwear);
    for (const query of ["wool socks men", "socks wool men", "men's wool socks", "mens wool socks"]) {
      expect((await ids(query)).slice(0, 2).toSorted(), query).toEqual(["knee", "merino"]);
      expect(await codes(query), query).toEqual(["query_relaxed"]);
    }
  });

  it("of the thing itself that which has more of the words", async () => {
    const { ids } = await shop([...legwear, { id: "men", title: "Men's Sock", product_type: "Footwear > Socks" }]);
    expect((await ids("wool socks men"))[0]).toBe("men");
    expect((await ids("winter wool socks men"))[0]).toMatch(/^(men|knee)$/);
  });

  it("what the last word calls it, though the one before is a kind of thing, too", async () => {
    const { ids } = await shop([
      { id: "bike", title: "Balance Bike", product_type: "Cycling > Bikes" },
      { id: "bag", title: "Saddle Bag", product_type: "Bags > Bike" },
      { id: "pump", title: "Mini Pump", product_type: "Cycling > Tools" },
    ]);
    for (const query of ["bike pump", "bicycle pump", "pump for a bike"])
      expect((await ids(query))[0], query).toBe("pump");
  });

  it("what most titles with the word call so, though another word is one's name and a category's, too", async () => {
    const { ids } = await shop([
      { id: "tent", title: "Family Tent", product_type: "Camping > Tents" },
      { id: "shell", title: "Shell Waterproof", product_type: "Jackets > Waterproof" },
      ...Array.from({ length: 12 }, (_, n) => ({ id: `sack ${n}`, title: `Waterproof Sack ${n}` })),
    ]);
    expect((await ids("family tent waterproof zzzzzzzz"))[0]).toBe("tent");
  });

  it("what is called so before what stands in a category of that and another thing", async () => {
    const { ids } = await shop([
      { id: "cap", title: "Swim Cap", product_type: "Swim > Caps & Goggles" },
      { id: "goggles", title: "Lake Goggles", product_type: "Swim > Caps & Goggles" },
    ]);
    expect((await ids("zzzzzzzz goggles for a swim"))[0]).toBe("goggles");
  });

  it("the first word where names begin with what they are about, though the last is one of a category", async () => {
    const { ids } = await shop(
      [
        { id: "mask", title: "Máscara um", product_type: "tratamentos-capilares" },
        { id: "oil", title: "Óleo capilar multivitamínico", product_type: "tratamentos-capilares" },
        { id: "serum", title: "Sérum", product_type: "tratamentos-capilares", description: "Como botox capilar." },
      ],
      ["pt"],
    );
    expect((await ids("botox capilar"))[0]).toBe("serum");
    expect((await ids("máscara zzzzzzzz capilar"))[0]).toBe("mask");
  });
});

describe("of what has all of the words", () => {
  it("the thing itself comes before what has them in its title or category and is another", async () => {
    const { ids } = await shop([
      { id: "sheet", title: "Footprint", product_type: "Tents & Shelters > Extras", size: "2 person" },
      { id: "tent", title: "Ridge 2 Tent", product_type: "Camping > Tents", description: "Sleeps one person or two." },
      { id: "pegs", title: "Pegs for a 2 person tent", product_type: "Camping > Pegs" },
    ]);
    expect(await ids("2 person tent")).toEqual(["tent", "pegs", "sheet"]);
  });

  it("what its title calls so comes before what its title only mentions, where nothing is filed so", async () => {
    const { ids } = await shop([
      { id: "cover", title: "Water Bottle Cover" },
      { id: "bottle", title: "Brushed Steel Water Bottle, One Litre" },
    ]);
    expect(await ids("water bottle")).toEqual(["bottle", "cover"]);
  });

  it("a few that are another thing give way to the thing that is asked for", async () => {
    const { ids, find } = await shop([
      { id: "hat", title: "Bobble Ski Hat", product_type: "Jackets > Hats & Gloves" },
      { id: "winter", title: "Winter Glove", product_type: "Jackets > Hats & Gloves" },
      { id: "liner", title: "Liner Glove", product_type: "Jackets > Hats & Gloves" },
    ]);
    for (const query of ["ski gloves", "gloves for skiing"]) {
      expect((await ids(query)).slice(0, 2).toSorted(), query).toEqual(["liner", "winter"]);
      expect((await find(query)).messages, query).toMatchObject([
        { code: "query_relaxed", content: expect.stringContaining("Only 1 product has all of the words, and not all") },
      ]);
    }
    expect(await ids("hats", { sort: "price_asc" })).toEqual(["hat"]);
  });

  it("a few of a brand, filed as the thing, are what is meant, whatever they are called", async () => {
    const { ids, codes } = await shop([
      { id: "samba", title: "Samba OG", brand: "Quernhill", product_type: "Shoes > Trainers" },
      { id: "court", title: "Court Trainer", brand: "Tinholt", product_type: "Shoes > Trainers" },
    ]);
    expect(await ids("quernhill trainers")).toEqual(["samba"]);
    expect(await codes("quernhill trainers")).toEqual([]);
  });

  it("a few of a brand in a category are what is meant, though others are called what the category is", async () => {
    const { ids, codes } = await shop([
      { id: "samba", title: "Samba OG", brand: "Quernhill", product_type: "Leather > Low" },
      { id: "patch", title: "Patch of Leather", product_type: "Care > Leather" },
      { id: "piece", title: "Black Leather", product_type: "Care > Leather" },
    ]);
    expect(await ids("quernhill leather")).toEqual(["samba"]);
    expect(await codes("quernhill leather")).toEqual([]);
  });
});

describe("what a title is about", () => {
  it("is no set, pair or pack, but what there are several of", async () => {
    const { ids } = await shop([
      { id: "light", title: "Lodestar Light Set", product_type: "Cycling > Extras", price: "9.00 EUR" },
      { id: "mugs", title: "Set of 4 Mugs", product_type: "Kitchen > Gifts", price: "8.00 EUR" },
      { id: "lights", title: "Lamp", product_type: "Home > Lights", price: "7.00 EUR" },
      { id: "mug", title: "Cup", product_type: "Home > Mugs", price: "6.00 EUR" },
    ]);
    expect(await ids("light", { sort: "price_asc" })).toEqual(["lights", "light"]);
    expect(await ids("mug", { sort: "price_asc" })).toEqual(["mug", "mugs"]);
  });
});

describe("what a title or a query is about", () => {
  const rows: Parameters<typeof loadRows>[2] = [
    { id: "bags", title: "1 Roll Of 32 Garbage Bags for the House", product_type: "Home > Waste", price: "3.00 EUR" },
    { id: "boxer", title: "Merino Boxer Twin Pack", product_type: "Layers > Base", price: "30.00 EUR" },
    { id: "socks", title: "Liner Sock 3-Pack", product_type: "Footwear > Liners", price: "12.00 EUR" },
    { id: "pack", title: "Trekking Pack", product_type: "Bags > Hiking", price: "90.00 EUR" },
    { id: "towel", title: "Towel Roll", product_type: "Home > Bath", price: "8.00 EUR" },
  ];

  it("is no roll and no pack, but what it is of", async () => {
    const { ids } = await shop([
      ...rows,
      { id: "bag", title: "Tote", product_type: "Bags > Bags", price: "20.00 EUR" },
      { id: "boxers", title: "Trunks", product_type: "Layers > Boxers", price: "15.00 EUR" },
      { id: "duffel", title: "Duffel", product_type: "Bags > Packs", price: "80.00 EUR" },
    ]);
    expect(await ids("bag", { sort: "price_asc" })).toEqual(["bags", "bag"]);
    expect(await ids("boxers", { sort: "price_asc" })).toEqual(["boxers", "boxer"]);
    expect(await ids("pack", { sort: "price_asc" })).toEqual(["duffel", "pack"]);
  });

  it("is no pack behind several of a thing", async () => {
    const { ids } = await shop([
      { id: "socks", title: "Ankle Sock", product_type: "Footwear > Socks" },
      { id: "pack", title: "Trekking Pack", product_type: "Bags > Packs" },
      { id: "kids", title: "Kids' Pack", product_type: "Bags > Packs" },
    ]);
    expect((await ids("ankle socks pack"))[0]).toBe("socks");
    expect((await ids("zzzzzzzz trekking pack"))[0]).toBe("pack");
    expect((await ids("zzzzzzzz kids pack"))[0]).toBe("kids");
  });
});

describe("a word whose stem is that of another thing", () => {
  it("stands for itself, in the index and in a query", async () => {
    const { ids } = await shop([
      { id: "dog", title: "Dog Bed", product_type: "Dogs > Beds", price: "60.00 EUR" },
      { id: "duvet", title: "Wool Duvet", product_type: "Bedroom > Bedding", price: "90.00 EUR" },
      { id: "shirt", title: "Linen Shirt", product_type: "Apparel > Clothing", price: "50.00 EUR" },
      {
        id: "wipe",
        title: "Linen Cloth",
        product_type: "Kitchen > Cloths",
        description: "Organic.",
        price: "5.00 EUR",
      },
      { id: "tights", title: "Winter Leggings", product_type: "Layers > Base", price: "40.00 EUR" },
      { id: "table", title: "Table Leg", product_type: "Home > Parts", price: "20.00 EUR" },
      { id: "tidy", title: "Drawer Organizer", product_type: "Home > Storage", price: "9.00 EUR" },
    ]);
    expect(await ids("bedding")).toEqual(["duvet"]);
    expect(await ids("bed")).toEqual(["dog"]);
    expect(await ids("linen cloths")).toEqual(["wipe"]);
    expect((await ids("linen clothes"))[0]).toBe("shirt");
    expect(await ids("legging")).toEqual(["tights"]);
    expect(await ids("leg")).toEqual(["table"]);
    expect(await ids("organic")).toEqual(["wipe"]);
    expect(await ids("organiser")).toEqual(["tidy"]);
    expect(await ids("bedding", { sort: "price_asc" })).toEqual(["duvet"]);
    expect(await ids('"winter leggings"')).toEqual(["tights"]);
    expect(await ids("winter -leggings")).toEqual([]);
  });

  it("is not found by what is said of anything, nor what is so by the thing", async () => {
    const { ids } = await shop([
      {
        id: "wig",
        title: "Long Wig",
        product_type: "Hair > Wigs",
        description: "Comfortable. Contains two clips. Even in rain.",
      },
      { id: "duvet", title: "Down Duvet", product_type: "Bedroom > Duvets" },
      {
        id: "brush",
        title: "Open Weave Brush",
        product_type: "Home > Brushes",
        description: "In good condition. Fits all.",
      },
      { id: "tap", title: "Brushed Steel Tap", product_type: "Home > Taps" },
      { id: "jar", title: "Food Container", product_type: "Kitchen > Containers" },
      { id: "pens", title: "Crayons for Colouring", product_type: "Art > Crayons" },
      { id: "lamp", title: "Colour Lamp", product_type: "Light > Lamps" },
    ]);
    expect(await ids("comforter")).toEqual(["duvet"]);
    expect(await ids("containers")).toEqual(["jar"]);
    expect(await ids("brush")).toEqual(["brush"]);
    expect(await ids("brushed")).toEqual(["tap"]);
    expect(await ids("coloring")).toEqual(["pens"]);
    for (const query of ["fitness", "opener", "conditioner", "evening"]) expect(await ids(query), query).toEqual([]);
  });

  it("is found misspelt", async () => {
    const { ids } = await shop([{ id: "duvet", title: "Wool Duvet", product_type: "Bedroom > Bedding" }]);
    expect(await ids("beding")).toEqual(["duvet"]);
  });

  it("stands so in other languages' stores as well", async () => {
    const { ids } = await shop(
      [
        { id: "um", title: "Curso de training", product_type: "desporto" },
        { id: "dois", title: "Train para a escola", product_type: "brinquedos" },
      ],
      ["pt"],
    );
    expect(await ids("training")).toEqual(["um"]);
    expect(await ids("train")).toEqual(["dois"]);
  });
});

describe("what is for adults alone", () => {
  const rows: Parameters<typeof loadRows>[2] = [
    {
      id: "erotic",
      title: "Love Doll",
      product_type: "Toys > Dolls",
      google_product_category: "Mature > Erotic > Sex Toys",
    },
    { id: "own", title: "Doll Torso Doll", product_type: "Wellness > Sexual Wellness > Dolls" },
    { id: "said", title: "Doll", product_type: "Toys > Dolls", adult: "yes" },
    { id: "rag", title: "Rag Doll, Unisex", product_type: "Toys > Unisex Dolls" },
    { id: "dress", title: "Summer Dress", product_type: "Toys > Clothes", description: "For a doll." },
    { id: "gone", title: "Cloth Doll", product_type: "Toys > Dolls", availability: "discontinued" },
    { id: "perfume", title: "Vanilla Sex Doll Perfume", product_type: "Perfumes" },
  ];

  it("comes after all else that matches and can be had, and is found by its name", async () => {
    const { ids, find } = await shop(rows);
    const found = await ids("dolls");
    expect(found.slice(0, 3)).toEqual(["rag", "perfume", "dress"]);
    expect(found.slice(3, 6).toSorted()).toEqual(["erotic", "own", "said"]);
    expect(found[6]).toBe("gone");
    expect(await ids("love doll")).toEqual(["erotic"]);
    expect((await find("love doll")).messages).toEqual([]);
    expect((await ids("sex dolls"))[0]).toBe("perfume");
  });

  it("comes once from page to page", async () => {
    const { find } = await shop(rows);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await find("dolls", { limit: 2, cursor });
      seen.push(...page.products.map(({ product_id }) => product_id));
      cursor = page.nextCursor;
    } while (cursor);
    expect(seen).toHaveLength(rows.length);
    expect(new Set(seen).size).toBe(rows.length);
  });
});

describe("a word for whatever there is", () => {
  const rows: Parameters<typeof loadRows>[2] = [
    { id: "labels", title: "PET Labels - Office Supplies", product_type: "Office > Labels" },
    { id: "lead", title: "Rope Lead", product_type: "Pet Supplies > Leads" },
    { id: "bag", title: "Gear Bag", product_type: "Bags > Duffels" },
  ];

  it("alone is everything", async () => {
    const { ids, codes } = await shop(rows);
    for (const query of ["gear", "supplies", "your equipment"]) {
      expect((await ids(query)).toSorted(), query).toEqual(["bag", "labels", "lead"]);
      expect(await codes(query), query).toEqual(["query_left_out"]);
    }
    expect(await ids('"gear"')).toEqual(["bag"]);
  });

  it("beside another names a category that is called so", async () => {
    const { ids, codes } = await shop(rows);
    expect((await ids("pet supplies"))[0]).toBe("lead");
    expect(await codes("pet supplies")).toEqual([]);
  });
});

it("an answer that is relaxed has what is called so with the small words of the query in its title before others", async () => {
  const { ids } = await shop([
    { id: "rain", title: "Women's Rain Jacket", product_type: "Jackets > Waterproof" },
    { id: "down", title: "Women's Down Jacket", product_type: "Jackets > Insulated" },
  ]);
  expect(await ids("zzzzzzzz down jacket women")).toEqual(["down", "rain"]);
});
