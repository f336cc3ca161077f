import { describe, expect, it } from "vitest";
import type { Consumer, Ctx } from "../../server/context";
import { sorts } from "../../server/services/catalog/order";
import { type Search, search } from "../../server/services/catalog/search";
import { testDatabase } from "../support/database";
import { makeReader, makeStore } from "../support/factories";
import { loadRows } from "../support/feed";

const database = testDatabase();

/** A store with these rows, and what a search in it gives. */
async function shop(rows: Parameters<typeof loadRows>[2], given: Parameters<typeof makeStore>[1] = {}) {
  const store = await makeStore(database, given);
  await loadRows(database, store.id, rows);
  const ctx: Ctx<Consumer> = database.as(await makeReader(database));
  const find = (query: string | undefined, rest: Partial<Search> = {}) =>
    search(ctx, { query, storeIds: [store.id], sort: "relevance", limit: 20, ...rest });
  const ids = async (query: string | undefined, rest: Partial<Search> = {}) =>
    (await find(query, rest)).products.map((product) => product.product_id);
  return { find, ids, store };
}

const camping: Parameters<typeof loadRows>[2] = [
  { id: "bags", title: "Coffee Bags", description: "No grounds in the tent.", price: "8.00 EUR" },
  { id: "pegs", title: "Tent Pegs", product_type: "Camping > Pegs", price: "12.00 EUR" },
  { id: "dear", title: "Ridge Tent", product_type: "Camping > Tents", price: "300.00 EUR" },
  { id: "cheap", title: "Dome", product_type: "Camping > Tents", price: "80.00 EUR" },
];

describe("in any other order than the best first, an answer has", () => {
  it("only what is of the kind that is asked for, and says so", async () => {
    const { ids, find } = await shop(camping);
    expect(await ids("tent")).toEqual(["dear", "cheap", "pegs", "bags"]);
    for (const query of ["tent", "the cheapest tent", "tents"])
      expect(await ids(query, { sort: "price_asc" }), query).toEqual(["cheap", "dear"]);
    expect(await ids("tent pegs", { sort: "price_desc" })).toEqual(["pegs"]);
    for (const sort of sorts.filter((sort) => sort !== "relevance")) {
      const { messages, products } = await find("tent", { sort });
      expect(products.map(({ product_id }) => product_id).toSorted(), sort).toEqual(["cheap", "dear"]);
      expect(messages, sort).toMatchObject([{ code: "sorted_within", path: "sort" }]);
      expect(messages[0]!.content, sort).toContain('"tent"');
    }
  });

  it("what is called so by its title, too, whatever it is filed as, and not what only belongs to such a thing", async () => {
    const { ids, find } = await shop([
      ...camping,
      {
        id: "called",
        title: "Women's Trekking Tent - Moss, M",
        product_type: "Camping > Trekking",
        price: "50.00 EUR",
      },
      { id: "kit", title: "Tent Repair Kit", product_type: "Camping > Care", price: "5.00 EUR" },
      { id: "wax", title: "Wax for a Tent", product_type: "Camping > Care", price: "6.00 EUR" },
    ]);
    const { messages } = await find("tent", { sort: "price_asc" });
    expect(messages).toMatchObject([{ content: expect.stringContaining('called or filed as "tent"') }]);
    expect(await ids("tent", { sort: "price_asc" })).toEqual(["called", "cheap", "dear"]);
    expect(await ids("women's tent", { sort: "price_asc" })).toEqual(["called"]);
    const shirts = await shop([
      { id: "poncho", title: "Wool Poncho", product_type: "Layers > Shirts", price: "98.00 EUR" },
      { id: "pt", title: "Camisa de linho, branca", product_type: "Roupa > Novidades", price: "40.00 EUR" },
      { id: "en", title: "Linen Shirt", product_type: "Layers > Summer", price: "89.00 EUR" },
    ]);
    expect(await shirts.ids("shirt", { sort: "price_asc" })).toEqual(["en", "poncho"]);
  });

  it("what its title calls so behind brackets, and before its size", async () => {
    const filed = { product_type: "Camping > Trekking" };
    const { ids } = await shop([
      ...camping,
      { ...filed, id: "pack", title: "(2-Pack) Trekking Tent [Moss]", price: "50.00 EUR" },
      { ...filed, id: "new", title: "[New] 【Sale】 Tunnel Tent 2024 3P XL", price: "60.00 EUR" },
      { ...filed, id: "litres", title: "Storage Tent 100 l", price: "70.00 EUR" },
      { ...filed, id: "wash", title: "(Tent) Cleaner 500 ml", price: "5.00 EUR" },
    ]);
    expect(await ids("tent", { sort: "price_asc" })).toEqual(["pack", "new", "litres", "cheap", "dear"]);
    expect(await ids("storage", { sort: "price_asc" })).toEqual(["litres"]);
  });

  it("all of the kind, however the word for it is written", async () => {
    const rows = [
      { id: "rucksack", title: "City Rucksack", product_type: "Packs > Rucksacks", price: "120.00 EUR" },
      { id: "backpack", title: "Trail Backpack", product_type: "Packs > Backpacks", price: "80.00 EUR" },
      { id: "cover", title: "Rucksack Rain Cover", product_type: "Packs > Covers", price: "10.00 EUR" },
    ];
    const all = await shop(rows);
    expect(await all.ids("rucksack", { sort: "price_asc" })).toEqual(["backpack", "rucksack"]);
    const others = await shop(rows.slice(1));
    expect(await others.ids("rucksack", { sort: "price_asc" })).toEqual(["backpack"]);
  });

  it("what has the words in title, brand or category, where they name no kind", async () => {
    const { ids } = await shop([
      { id: "said", title: "Strap", description: "Fits every Quernhill.", price: "1.00 EUR" },
      { id: "brand", title: "Dial", brand: "Quernhill", price: "30.00 EUR" },
      { id: "title", title: "Quernhill Dial", price: "20.00 EUR" },
    ]);
    expect(await ids("quernhill", { sort: "price_asc" })).toEqual(["title", "brand"]);
    expect(await ids('"quernhill"', { sort: "price_desc" })).toEqual(["brand", "title"]);
  });

  it("only what is of the kind, too, where the size is in inches, which are no quotes", async () => {
    const { ids } = await shop([
      { id: "screen", title: "27 inch Monitor", product_type: "Electronics > Monitors", price: "200.00 EUR" },
      { id: "arm", title: "Arm for a 27 Monitor", product_type: "Electronics > Mounts", price: "20.00 EUR" },
    ]);
    for (const query of ["27 monitor", '27" monitor', "27” monitor"])
      expect(await ids(query, { sort: "price_asc" }), query).toEqual(["screen"]);
  });

  it("what can be had, also where all of the kind that is asked for is gone", async () => {
    const { ids } = await shop([
      {
        id: "old",
        title: "Ridge Tent",
        product_type: "Camping > Tents",
        availability: "discontinued",
        price: "80.00 EUR",
      },
      { id: "new", title: "Trekking Tent", product_type: "Outdoor > Shelters", price: "95.00 EUR" },
    ]);
    for (const sort of sorts) expect((await ids("tent", { sort }))[0], sort).toBe("new");
    const gone = { sort: "price_asc", filters: { availability: ["discontinued"] } } as const;
    expect(await ids("tent", gone as unknown as Partial<Search>)).toEqual(["old"]);
  });

  it("what merely mentions the words, where there is nothing else", async () => {
    const { ids, find } = await shop(camping);
    expect(await ids("grounds", { sort: "price_asc" })).toEqual(["bags"]);
    expect((await find("grounds", { sort: "price_asc" })).messages).toEqual([]);
  });

  it("what is of the kind, where not all of the words are anywhere", async () => {
    const { ids, find } = await shop(camping);
    expect(await ids("zzzzzzzz tent", { sort: "price_asc" })).toEqual(["cheap", "dear"]);
    const codes = (await find("zzzzzzzz tent", { sort: "price_asc" })).messages.map(({ code }) => code);
    expect(codes).toEqual(["query_relaxed", "sorted_within"]);
  });

  it("the same on its next page", async () => {
    const { find } = await shop(camping);
    for (const query of ["tent", "zzzzzzzz tent"]) {
      const first = await find(query, { sort: "price_asc", limit: 1 });
      const next = await find(query, { sort: "price_asc", limit: 1, cursor: first.nextCursor });
      expect(
        [first, next].map(({ products }) => products[0]!.product_id),
        query,
      ).toEqual(["cheap", "dear"]);
      expect([first.totalCount, next.totalCount, next.nextCursor], query).toEqual([2, 2, undefined]);
    }
  });
});

describe("what has the words by the way alone", () => {
  it("comes after nothing that is called so in one word or in two", async () => {
    const { ids, find } = await shop([
      { id: "goggles", title: "Goggles", description: "Clear beneath a bandsaw." },
      { id: "saw", title: "Band Saw" },
    ]);
    expect(await ids("bandsaw")).toEqual(["saw"]);
    expect((await find("bandsaw")).messages).toMatchObject([
      { code: "spelling_mended", content: expect.stringContaining('Almost nothing matches "bandsaw"') },
    ]);
  });

  it("gives way to the things that are asked for, where these have some of the words", async () => {
    const { ids, find } = await shop([
      { id: "bag", title: "Bag", description: "Room for a women's umbrella." },
      { id: "one", title: "Folding Umbrella", product_type: "Rain > Umbrellas" },
      { id: "two", title: "Golf Umbrella", product_type: "Rain > Umbrellas" },
    ]);
    const found = await ids("women's umbrella");
    expect(found.slice(0, 2).toSorted()).toEqual(["one", "two"]);
    expect(found).toContain("bag");
    expect((await find("women's umbrella")).messages).toMatchObject([
      { code: "query_relaxed", content: expect.stringContaining("Only 1 product has all of the words") },
    ]);
  });

  it("is all that is found, where it is the very thing", async () => {
    const { ids, find } = await shop([
      { id: "it", title: "Rain Jacket", product_type: "Rain > Jackets", description: "Packs into its pocket." },
      { id: "other", title: "Rain Jacket", product_type: "Rain > Jackets" },
    ]);
    expect(await ids("jacket pocket")).toEqual(["it"]);
    expect((await find("jacket pocket")).messages).toEqual([]);
  });
});

describe("filters narrow what is found, and never change how a query is read:", () => {
  const umbrellas = [
    { id: "one", title: "Folding Umbrella", product_type: "Rain > Umbrellas" },
    { id: "two", title: "Golf Umbrella", product_type: "Rain > Umbrellas" },
  ];
  const bag = (id: string, brand: string) => ({ id, title: "Bag", brand, description: "Room for a women's umbrella." });

  it("what a facet counts is what its value finds", async () => {
    const { find, ids } = await shop([
      ...umbrellas.map((row) => ({ ...row, brand: "Brolk" })),
      ...["a", "b", "c"].map((id) => bag(id, "Brolk")),
      bag("d", "Tinholt"),
    ]);
    const { facets, totalCount } = await find("women's umbrella");
    expect(totalCount).toBe(4);
    const { values } = facets.find(({ name }) => name === "brand")!;
    expect(values.map(({ count }) => count)).toEqual([3, 1]);
    for (const { value, count } of values) {
      const found = await find("women's umbrella", { filters: { brand: [value] } });
      expect([found.totalCount, found.messages], value).toEqual([count, []]);
    }
    expect(await ids("women's umbrella", { filters: { brand: ["Tinholt"] } })).toEqual(["d"]);
  });

  it.each<[string, string, Parameters<typeof loadRows>[2]]>([
    [
      "loosely",
      "women's umbrella",
      [
        ...umbrellas.map((row) => ({ ...row, brand: "Tinholt" })),
        bag("a", "Brolk"),
        { id: "b", title: "Bag", brand: "Brolk", description: "Keeps an umbrella dry." },
      ],
    ],
    [
      "without its small words",
      "mala de mulher",
      [
        { id: "title", title: "Mala preta mulher", brand: "Tinholt" },
        { id: "all", title: "Saco", brand: "Brolk", description: "Serve de mala para mulher." },
        { id: "most", title: "Saco", brand: "Brolk", description: "Uma mala, uma mulher." },
      ],
    ],
  ])("that holds where the query is read %s, too", async (_, query, rows) => {
    const { find } = await shop(rows);
    const { facets, totalCount, messages } = await find(query);
    expect(totalCount).toBe(rows.length);
    for (const { value, count } of facets.find(({ name }) => name === "brand")!.values) {
      const found = await find(query, { filters: { brand: [value] } });
      expect([found.totalCount, found.messages[0]?.code], value).toEqual([count, messages[0]?.code]);
    }
  });

  it("one that is read loosely without them is with them, too", async () => {
    const { find } = await shop([...umbrellas, bag("a", "Brolk")]);
    for (const filters of [{}, { availability: ["in_stock" as const] }]) {
      const { totalCount, messages } = await find("women's umbrella", { filters });
      expect([totalCount, messages.map(({ code }) => code)]).toEqual([3, ["query_relaxed"]]);
    }
  });
});

describe("an answer with some of the words says", () => {
  const coats = [
    { id: "1", title: "Green Rain Coat", brand: "Tinholt", color: "Moss" },
    { id: "2", title: "Green Coat", brand: "Quernhill", color: "Rust" },
  ];
  const relaxed = "these match some of the words, the thing itself first.";

  it("which of them the first one lacks, and which nothing has", async () => {
    const { find } = await shop([...coats, { id: "3", title: "Waterproof Bag" }]);
    const said = async (query: string) => (await find(query)).messages.map(({ content }) => content);
    const none = "No product has all of the words";
    expect(await said("green waterproof rain coat")).toEqual([`${none}; ${relaxed} The first one lacks "waterproof".`]);
    expect(await said("green coat zzzzzzzz")).toEqual([`${none}; ${relaxed} No product here has "zzzzzzzz".`]);
    expect(await said("green coat 8.5")).toEqual([`${none}; ${relaxed} The first one lacks "8.5".`]);
    expect(await said("waterproof coat zzzzzzzz")).toEqual([
      expect.stringMatching(/No product here has "zzzzzzzz"\. The first one lacks "(waterproof|coat)"\.$/),
    ]);
  });

  it("which filter keeps out what has all of them", async () => {
    const { find } = await shop(coats);
    const told = async (filters: Search["filters"], query = "rain coat") => (await find(query, { filters })).messages;
    expect(await told({ brand: ["Quernhill"] })).toEqual([
      {
        ...{ type: "info", code: "query_relaxed", path: "query" },
        content: `No product has all of the words and passes the filters; ${relaxed} The first one lacks "rain".`,
      },
      {
        ...{ type: "info", code: "filters_exclude", path: "filters" },
        content: "More products have all of the words. Without filters.brand, 1 product matches (brand: Tinholt).",
      },
    ]);
    const both: Search["filters"] = { brand: ["Quernhill"], attributes: [{ name: "color", values: ["Rust"] }] };
    expect((await told(both))[1]?.content).toContain("Without any filters, 1 product matches.");
    expect((await told(both, "coat zzzzzzzz")).map(({ code }) => code)).toEqual(["query_relaxed"]);
  });
});

describe("a query says the same", () => {
  it.each([
    ["woman boots", "women's boots"],
    ["womans boots", "womens boots"],
    ["child boots", "children's boots"],
    ["childs boots", "childrens boots"],
    ["knife", "knives"],
    ["grey sofa", "gray couch"],
    ["jewellery", "jewelry"],
    ["four person tent", "4 people tent"],
    ["ladies boots", "womens boots"],
    ["kid's boots", "children's boots"],
    ["bicycle lock", "bike lock"],
    ["fridge magnet", "refrigerator magnet"],
  ])("in the words %j and %j", async (one, other) => {
    const { find, ids } = await shop([
      { id: "boots", title: "Women's Boots" },
      { id: "child", title: "Children's Boots" },
      { id: "knives", title: "Set of Knives" },
      { id: "sofa", title: "Gray Sofa" },
      { id: "box", title: "Jewelry box" },
      { id: "tent", title: "Tent for 4 People" },
      { id: "lock", title: "Bike Lock" },
      { id: "magnet", title: "Fridge Magnet" },
    ]);
    const found = await ids(one);
    expect(found).toHaveLength(1);
    expect(await ids(other)).toEqual(found);
    for (const query of [one, other]) expect((await find(query)).messages, query).toEqual([]);
  });

  it("in British and American spelling, where the catalogue has both", async () => {
    const { ids } = await shop([
      { id: "1", title: "Desk Organizer with flavored notes" },
      { id: "2", title: "Desk Organiser with flavoured notes" },
    ]);
    for (const query of ["organiser", "desk organizers", "flavoured", "flavored notes"])
      expect((await ids(query)).toSorted(), query).toEqual(["1", "2"]);
  });

  it("with what is said around a thing when somebody asks for it", async () => {
    const { ids } = await shop(camping);
    for (const query of ["show me the cheapest tent you have", "I want to buy a tent", "do you sell tents?"])
      expect(await ids(query), query).toEqual(await ids("tent"));
  });

  it("whatever the thing belongs to", async () => {
    const { ids } = await shop([
      { id: "watch", title: "Men's Watch", product_type: "Watches > Men" },
      { id: "kayak", title: "Touring Kayak", product_type: "Boats > Kayaks" },
    ]);
    expect((await ids("men's kayak"))[0]).toBe("kayak");
  });
});

describe("a word that is right is not mended", () => {
  it("into a shorter one, one with two other letters, or with its neighbour", async () => {
    const { find } = await shop([
      { id: "leg", title: "Leg Logo Max" },
      { id: "space", title: "Spacer Roller Sweat" },
      { id: "shell", title: "Shell Methe" },
      { id: "over", title: "Over Bag" },
    ]);
    for (const query of [
      "lego",
      "mãe",
      "lag",
      "speaker",
      "router",
      "sweater",
      "lover",
      "what do you sell",
      "show me the zzzzzzzz",
    ])
      expect(
        (await find(query)).messages.map(({ code }) => code),
        query,
      ).toEqual(["no_matches"]);
  });
});

describe("where filters leave nothing, an answer says", () => {
  const jackets = [
    { id: "1", title: "Jacket", brand: "Ray-Tan", color: "Moss", size: "42", gender: "male", price: "95.00 EUR" },
    { id: "2", title: "Jacket", brand: "Tinholt", color: "Rust", size: "M", gender: "female", price: "120.00 EUR" },
  ];

  it("what there is without each of them", async () => {
    const { find } = await shop(jackets);
    for (const [filters, told] of [
      [{ brand: ["Ray Tan"] }, "Without filters.brand, 2 products match (brand: Ray-Tan, Tinholt)."],
      [
        { price: { max: 200 } },
        "Without filters.price.max, 2 products match (the cheapest is €95.00, 9500 in minor units).",
      ],
      [
        { price: { min: 20_000 } },
        "Without filters.price.min, 2 products match (the dearest is €120.00, 12000 in minor units).",
      ],
      [
        { attributes: [{ name: "Colour", values: ["blue"] }] },
        "Without filters.attributes, 2 products match (color: moss, rust).",
      ],
      [
        {
          attributes: [
            { name: "color", values: ["moss"] },
            { name: "Colour", values: ["rust"] },
          ],
        },
        "Without filters.attributes, 2 products match (color: moss, rust; to take any of a name's values, give them in one list).",
      ],
      [
        { attributes: [{ name: "sleeve", values: ["long"] }] },
        "Without filters.attributes, 2 products match (attributes: color, gender, size).",
      ],
      [{ brand: ["Tinholt"], on_sale: true }, "Without filters.on_sale, 1 product matches."],
    ] as const) {
      const { messages } = await find("jacket", { filters: structuredClone(filters) as Search["filters"] });
      expect(messages).toEqual([
        { type: "info", code: "no_matches", content: `Nothing matches. ${told}`, path: "filters" },
      ]);
    }
  });

  it("that several together do, where none of them does it alone", async () => {
    const { find } = await shop(jackets);
    const color = [{ name: "color", values: ["blue"] }];
    expect((await find("jacket", { filters: { brand: ["none"], attributes: color } })).messages).toMatchObject([
      { code: "no_matches", content: "Nothing matches. Without any filters, 2 products match.", path: "filters" },
    ]);
  });

  it("nothing of them, where the words alone find nothing", async () => {
    const { find } = await shop(jackets);
    expect((await find("zzzzzzzz", { filters: { brand: ["Tinholt"] } })).messages).toMatchObject([
      { code: "no_matches", content: "Nothing matches, even without the filters. Use fewer or other words." },
    ]);
  });

  it("what there is without them of the words as the catalogue writes them, where it has none as typed", async () => {
    const { find } = await shop([
      { id: "1", title: "Orbit Smartwatch", brand: "Orbit", price: "200.00 EUR" },
      { id: "2", title: "Ridge Tent", brand: "Tarn", availability: "out_of_stock" },
      { id: "3", title: "Relógio pulso", brand: "Tarn" },
    ]);
    const said = async (query: string, filters: Search["filters"]) =>
      (await find(query, { filters })).messages.map(({ code, content }) => `${code}: ${content}`);
    const mended = (query: string, word: string) =>
      `spelling_mended: Nothing matches "${query}". Searched for "${word}" instead of "${query}".`;
    const without = (told: string) => `no_matches: Nothing matches. Without filters.${told}`;
    const watch = mended("smart watch", "smartwatch");
    expect(await said("smart watch", { price: { max: 5_000 } })).toEqual([
      watch,
      without("price.max, 1 product matches (the cheapest is €200.00, 20000 in minor units)."),
    ]);
    expect(await said("smart watch", { price: { max: 50_000, currency: "USD" } })).toEqual([
      watch,
      expect.stringMatching(/^currency_differs: .* there are matches in EUR\./),
    ]);
    expect(await said("tnet", { brand: ["Orbit"] })).toEqual([
      mended("tnet", "tent"),
      without("brand, 1 product matches (brand: Tarn)."),
    ]);
    expect(await said("tnet", { availability: ["in_stock"] })).toEqual([
      mended("tnet", "tent"),
      without("availability, 1 product matches (availability: out_of_stock)."),
    ]);
    expect(await said("relógio de pulso", { brand: ["Orbit"] })).toEqual([
      without("brand, 1 product matches (brand: Tarn)."),
    ]);
  });

  it("what there is without them as typed first, though the catalogue writes it otherwise, too", async () => {
    const { find } = await shop([
      { id: "1", title: "Orbit Smartwatch", brand: "Orbit" },
      { id: "2", title: "Vega Smart Watch", brand: "Vega" },
    ]);
    expect((await find("smart watch", { filters: { brand: ["Tarn"] } })).messages).toMatchObject([
      { code: "no_matches", content: "Nothing matches. Without filters.brand, 1 product matches (brand: Vega)." },
    ]);
  });

  it("that an id is no word to search for, which a measure and a GTIN are", async () => {
    const { find } = await shop(jackets);
    const hint = "give it to get_product";
    const said = async (query: string) => (await find(query)).messages.map(({ content }) => content).join(" ");
    // One in ten of a shop's numbers of eight digits has the check digit of a GTIN, too.
    for (const query of ["zq-40321", "40460214", "40639383"]) expect(await said(query), query).toContain(hint);
    for (const query of ["4006381333931", "775inch", "45x45", "45 x 45 cm"])
      expect(await said(query), query).not.toContain(hint);
  });

  it("which language the stores write in", async () => {
    const { find, store } = await shop([{ id: "1", title: "Batom" }], { languages: ["pt"] });
    const said = async (storeIds: string[]) => (await find("lipstick", { storeIds })).messages[0]!.content;
    expect(await said([store.id])).toContain(
      "words. These stores write in Portuguese. Search in the language of the store.",
    );
    const english = await makeStore(database, { languages: ["en"] });
    expect(await said([store.id, english.id])).toContain(
      "Some of these stores write in Portuguese. Search in the language of each store.",
    );
    expect(await said([english.id])).not.toContain("write in");
  });

  it("which language the stores write in that is not one of the stemmed ones: stated, or Arabic", async () => {
    const perfumes = [
      { id: "1", title: "عطر كوكو شانيل 100 مل" },
      { id: "2", title: "عطر سوفاج ديور" },
      { id: "3", title: "Tomber" },
    ];
    const said = async (of: Awaited<ReturnType<typeof shop>>) => (await of.find("xyzzy")).messages[0]!.content;
    const arabic = "These stores write in Arabic. Search in the language of the store.";
    expect(await said(await shop(perfumes, { languages: [] }))).toContain(arabic);
    expect(await said(await shop(perfumes, { languages: ["en", "ar-AE"] }))).toContain(arabic);
    expect(await said(await shop([{ id: "1", title: "鉄瓶" }], { languages: ["ja"] }))).toContain("write in Japanese.");
    for (const languages of [[], ["a language without a tag", "x-house", "<b>"]])
      expect(await said(await shop([{ id: "1", title: "Tomber" }], { languages }))).not.toContain("write in");
    const oneIn = [...perfumes.slice(0, 1), ...Array.from({ length: 9 }, (_, i) => ({ id: `en${i}`, title: "Watch" }))];
    expect(await said(await shop(oneIn, { languages: [] }))).not.toContain("write in");
  });

  it("which language the stores write in, where some of the words are found", async () => {
    const { find, store } = await shop([{ id: "1", title: "Sérum hair" }], { languages: ["pt"] });
    const said = async (query: string, storeIds?: string[]) =>
      (await find(query, { storeIds })).messages.filter(({ code }) => code === "store_language");
    expect(await said("hair mask", [store.id])).toEqual([
      {
        ...{ type: "info", code: "store_language", path: "query" },
        content: "These stores write in Portuguese. Search in the language of the store.",
      },
    ]);
    expect(await said("hair", [store.id])).toEqual([]);
  });

  it("attributes are found by other names of them", async () => {
    const { ids } = await shop(jackets);
    for (const [name, value] of [
      ["colour", "Moss"],
      ["gender", "Men"],
      ["size", "EU 42"],
    ] as const)
      expect(await ids("jacket", { filters: { attributes: [{ name, values: [value] }] } }), name).toEqual(["1"]);
  });

  it("for whom a thing is, is found whatever feed and caller call it", async () => {
    const { ids } = await shop([
      { id: "he", title: "Jacket", gender: "Herren", age_group: "Erwachsene" },
      { id: "she", title: "Jacket", gender: "Women", age_group: "adults" },
      { id: "child", title: "Jacket", gender: "Unisex", age_group: "Children" },
    ]);
    for (const [name, value, found] of [
      ["gender", "male", ["he"]],
      ["gender", "men", ["he"]],
      ["gender", "Herren", ["he"]],
      ["gender", "female", ["she"]],
      ["age_group", "adult", ["he", "she"]],
      ["age_group", "kids", ["child"]],
      ["age_group", "children", ["child"]],
    ] as const) {
      const filters = { attributes: [{ name, values: [value] }] };
      expect((await ids("jacket", { filters })).toSorted(), `${name} ${value}`).toEqual(found);
    }
  });

  it("sizes are found with their system and without it", async () => {
    const { ids } = await shop([
      { id: "us", title: "Sandal", size: "US8.5" },
      { id: "uk", title: "Sandal", size: "UK 8.5" },
      { id: "plain", title: "Sandal", size: "8.5" },
    ]);
    for (const [size, found] of [
      ["8.5", ["plain", "uk", "us"]],
      ["US 8.5", ["plain", "us"]],
      ["us8.5", ["plain", "us"]],
      ["UK8.5", ["plain", "uk"]],
      ["8", []],
    ] as const) {
      const filters = { attributes: [{ name: "size", values: [size] }] };
      expect((await ids("sandal", { filters })).toSorted(), size).toEqual(found);
    }
  });

  it("where a price belongs that stands in the query", async () => {
    const { find } = await shop(jackets);
    for (const query of [
      "jacket under 200",
      "jacket for €200",
      "jacket 200 euros",
      "jacket less than 200 dollars",
      "casaco até 200",
      "chaqueta por menos de 200",
      "veste moins de 200",
      "Jacke unter 200",
      "giacca fino a 200",
      "jas onder 200",
      "معطف اقل من ٢٠٠",
      "معطف 200 درهم",
    ])
      expect((await find(query)).messages, query).toContainEqual(expect.objectContaining({ code: "price_in_query" }));
  });

  it("where a price belongs, also where the number is found by chance, and is no size or weight", async () => {
    const { find } = await shop([
      { id: "1", title: "Necklace 10 ct" },
      { id: "2", title: "Tent under 2 kg" },
    ]);
    for (const query of ["necklace under 10", "gold necklace under 10.50", "gold necklace under 10 pounds"])
      expect((await find(query)).messages, query).toContainEqual(expect.objectContaining({ code: "price_in_query" }));
    const weights = [
      "tent under 2 kg",
      "ultralight tent under 2kg",
      "ultralight tent under 2.5 kg",
      "dome under 30 litres",
      ...[
        "dome over 4 stars",
        "dome under 3 people",
        "dome over 50% cotton",
        "dome over 50 % cotton",
        "lamp over 5000 mAh",
      ],
    ];
    for (const query of ["necklace 10", ...weights])
      expect(
        (await find(query)).messages.map(({ code }) => code),
        query,
      ).not.toContain("price_in_query");
  });

  it("how to leave out what is not wanted", async () => {
    const { find } = await shop([{ id: "1", title: "Leather Handbag" }]);
    for (const query of [
      "handbag not leather",
      "handbag but not leather",
      "Handbag except leather",
      "handbag excluding leather",
    ])
      expect((await find(query)).messages, query).toContainEqual({
        type: "info",
        code: "negation_in_query",
        content: "What is not wanted is searched for, too. To leave it out, put a minus before the word: -leather.",
        path: "query",
      });
    for (const query of ["handbag -leather", "leather handbag", '"not leather" handbag', "handbag not for kids"])
      expect(
        (await find(query)).messages.map(({ code }) => code),
        query,
      ).not.toContain("negation_in_query");
  });

  it("how to find only what is on sale", async () => {
    const { find } = await shop([
      { id: "1", title: "Leather Handbag" },
      { id: "2", title: "Sale Board" },
    ]);
    const isTold = async (query: string, filters: Search["filters"] = {}) =>
      (await find(query, { filters })).messages.some(
        ({ code, content }) => code === "sale_in_query" && content.includes("filters.on_sale"),
      );
    for (const query of [
      "what's on sale?",
      "handbag on sale",
      "bolsas em promoção",
      "Taschen im Angebot",
      "sacs en soldes",
      "reduzierte Zuckerdosen",
      "Jacke reduziert",
    ])
      expect(await isTold(query), query).toBe(true);
    for (const query of [
      ...["leather handbag", "sale board", '"on sale" board'],
      ...["reduzierter Zucker", "Salz reduziert", "Müsli mit reduziertem Fettgehalt"],
    ])
      expect(await isTold(query), query).toBe(false);
    expect(await isTold("handbag on sale", { on_sale: true })).toBe(false);
  });
});

it("where a part of a category's name leaves nothing, the categories that are about it come instead of those with most products", async () => {
  const { find } = await shop([
    ...Array.from({ length: 3 }, (_, i) => ({ id: `mug${i}`, title: "Mug", product_type: "Kitchen > Mugs" })),
    { id: "tent", title: "Skarn", product_type: "Tents & Shelters > Trekking" },
  ]);
  const said = async (filters: Search["filters"]) =>
    (await find(undefined, { filters })).messages.map(({ content }) => content);
  expect(await said({ product_type: ["Outdoor > Tents"] })).toEqual([
    "Nothing matches. Without filters.product_type, 4 products match (filters.product_type: Tents & Shelters > Trekking).",
  ]);
  expect(await said({ google_product_category: ["tents"] })).toEqual([
    "Nothing matches. Without filters.google_product_category, 4 products match (filters.product_type: Tents & Shelters > Trekking).",
  ]);
  for (const nothing of ["Boats", ">", "???", '"', "-tents", "boats ".repeat(300)])
    expect(await said({ product_type: [nothing] }), nothing).toEqual([
      "Nothing matches. Without filters.product_type, 4 products match (filters.product_type: Kitchen > Mugs, Tents & Shelters > Trekking).",
    ]);
});

it("where a category leaves nothing, the ones that there are go into the filter that is named with them", async () => {
  const { find, ids } = await shop([
    {
      id: "1",
      title: "Ridge Tent",
      product_type: "Camping > Tents",
      google_product_category: "Sporting Goods > Outdoor Recreation > Camping & Hiking > Tents",
    },
  ]);
  for (const filters of [{ google_product_category: ["Tents"] }, { product_type: ["Tents"] }]) {
    const [message] = (await find("tent", { filters })).messages;
    expect(message!.content).toContain("1 product matches (filters.product_type: Camping > Tents).");
  }
  expect(await ids("tent", { filters: { product_type: ["Camping > Tents"] } })).toEqual(["1"]);
});
