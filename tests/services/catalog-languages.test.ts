// Products are found in the stems of their store's language; a query does not say which one it is in.
import { describe, expect, it } from "vitest";
import type { Sort } from "../../server/services/catalog/order";
import { search } from "../../server/services/catalog/search";
import { languages } from "../../server/services/catalog/tsquery";
import * as ownProducts from "../../server/services/own-products";
import { testDatabase } from "../support/database";
import { makeMerchant, makeReader } from "../support/factories";
import { makeStoreWith, type Row } from "../support/feed";

const database = testDatabase();

async function shop(languages: string[], rows: Row[]) {
  const store = await makeStoreWith(
    database,
    rows.map((row) => ({ description: "", ...row })),
    { languages },
  );
  return store;
}

const titled = (...titles: string[]): Row[] => titles.map((title, i) => ({ id: `${i}`, title }));

async function found(query: string, storeIds: string[], sort: Sort = "relevance") {
  const ctx = database.as(await makeReader(database));
  const { products, messages } = await search(ctx, { query, storeIds, sort, limit: 20 });
  return { titles: products.map(({ title }) => title), codes: messages.map(({ code }) => code) };
}

const tsqueries = (...texts: string[]) => database.sql`
  with ${languages(database.sql)}
  select product_query(text, codes)::text = to_tsquery('aisle_products', text)::text as same, other_query(text, codes) as elsewhere,
    product_stems('red shoes', codes)::text = to_tsvector('aisle_products', 'red shoes')::text as "sameStems"
  from languages, unnest(${texts}::text[]) text`;

// First in this file: languages that a store was indexed in once are asked for from then on.
describe("while all stores are English", () => {
  it("a query is what it is in English, and nothing else", async () => {
    await shop(["en-GB"], titled("Red Shoes"));
    await shop([], titled("Blue Shoes"));
    const asked = await tsqueries("'running':A & ('shoes' | 'shoe')", "'t' <-> 'shirts'", "'loiras'");
    expect([...asked]).toEqual([...asked].map(() => ({ same: true, elsewhere: null, sameStems: true })));
    expect(asked).toHaveLength(3);
  });
});

describe("a query of which nothing has all of the words is answered first with what it is about", () => {
  it.each<[language: string, query: string, first: string, rows: Row[]]>([
    [
      "fr",
      "robe soirée",
      "Robe longue",
      [
        { id: "1", title: "Robe longue", product_type: "Robes" },
        { id: "2", title: "Sac brillant de soirée", product_type: "Soirée" },
      ],
    ],
    ["pt", "botox capilar", "Botox Um", titled("Botox Um", "Botox Dois", "Pente Capilar")],
    [
      "de",
      "Abend Kleid",
      "Langes Kleid",
      [
        { id: "1", title: "Tasche für den Abend", product_type: "Abend" },
        { id: "2", title: "Langes Kleid", product_type: "Kleider" },
      ],
    ],
    ["en", "evening dress", "Long Dress", titled("Evening Bag", "Evening Shoes", "Long Dress")],
  ])("in %s: %s", async (language, query, first, rows) => {
    const { id } = await shop([language], rows);
    const { titles, codes } = await found(query, [id]);
    expect([titles[0], codes]).toEqual([first, ["query_relaxed"]]);
    expect(titles).toHaveLength(rows.length);
  });
});

describe("by price, a query is answered with what it is about, where names begin with it and where they end with it", () => {
  it.each<[language: string, query: string, dress: string, other: string, types: [string, string]]>([
    ["pt", "vestido festa", "Vestido longo de festa", "Balões de festa com vestido", ["Vestidos", "Festa"]],
    ["fr", "robe soirée", "Robe longue de soirée", "Sac de soirée pour robe", ["Robes", "Soirée"]],
    ["de", "Abend Kleid", "Langes Kleid für den Abend", "Tasche zum Kleid für den Abend", ["Kleider", "Abend"]],
    ["en", "party dress", "Long Party Dress", "Party Balloons with Dress", ["Dresses", "Party"]],
    ["ar", "فستان سهرة", "فستان سهرة طويل", "حقيبة سهرة مع فستان", ["فستان", "سهرة"]],
  ])("in %s: %s", async (language, query, dress, other, [its, others]) => {
    const { id } = await shop(
      [language],
      [
        { id: "1", title: dress, product_type: its, price: "50.00 EUR" },
        { id: "2", title: other, product_type: others, price: "5.00 EUR" },
      ],
    );
    expect(await found(query, [id], "price_asc")).toEqual({ titles: [dress], codes: ["sorted_within"] });
  });
});

const forms: [language: string, written: string, asked: string[]][] = [
  ["pt", "Peruca loiro claro", ["loira", "loiras claras", "PERUCAS LOIROS"]],
  ["pt", "Extensão com botão azul", ["extensões", "botões azuis", "extensao azuis"]],
  ["pt", "Batons e anéis de flores", ["batom", "anel", "flor", "anéis"]],
  ["es", "Camisón rojo para mujeres", ["camisones rojos", "roja", "rojas mujer"]],
  ["fr", "Robes noires brodées à fleurs", ["robe noire", "brodé", "brodée", "fleur noir"]],
  ["fr", "Figurine cheval brodée", ["chevaux", "figurines", "chevaux brodés"]],
  ["de", "Rotes Kleid mit Mütze", ["Kleider", "rote Mützen", "rotem kleid"]],
  ["de", "Bücher für große Männer", ["Buch", "grosse", "Mann"]],
  ["it", "Scarpe rosse e giacca bianca", ["scarpa rossa", "rosso", "giacche bianche"]],
  ["nl", "Zwarte jurken, tassen en huizen", ["jurk", "zwart", "tas", "huis"]],
];

describe("what is drawn as nothing", () => {
  const bags = ["Rucksack Kalmit", "Rucksack Weinbiet", "Rucksack Donnersberg", "Rucksack Eschkopf"];

  it("tears no word of a title apart", async () => {
    const { id } = await shop(["de"], titled(...bags, "Ruck&shy;sack Teufelsberg", "Zeltsack"));
    const { titles, codes } = await found("rucksack", [id]);
    expect(titles.toSorted()).toEqual([...bags, "Ruck\u00adsack Teufelsberg"].toSorted());
    expect(codes).toEqual([]);
  });

  it("tears no word of a query apart", async () => {
    const { id } = await shop(["de"], titled(...bags, "Zeltsack"));
    expect((await found("\u200eruck\u00adsack", [id])).titles.toSorted()).toEqual(bags.toSorted());
  });

  it("takes no minus, no quotes and no GTIN of a query their meaning", async () => {
    const lamps = titled("Red lamp", "Blue lamp", "Lamp in blue for red rooms");
    const { id } = await shop(["en"], [...lamps, { id: "upc", title: "Kettle", gtin: "012345678905" }]);
    expect((await found("lamp \u200e-red", [id])).titles).toEqual(["Blue lamp"]);
    expect((await found('\u200f"blue lamp"', [id])).titles).toEqual(["Blue lamp"]);
    expect((await found("\u200e012345678905\u200e", [id])).titles).toEqual(["Kettle"]);
    expect((await found("\u200e \u200f", [id])).codes).toEqual(["query_without_words", "no_matches"]);
    for (const nothing of ["\u200b", "\u200c", "\u200d", "\ufe0f", "\u200b\u200e\u200c"]) {
      const asked = JSON.stringify(nothing);
      expect((await found(`lamp ${nothing}-red`, [id])).titles, asked).toEqual(["Blue lamp"]);
      expect((await found(`lamp ${nothing}-${nothing}"red rooms"`, [id])).titles, asked).toHaveLength(2);
      expect((await found(`${nothing}"blue lamp"${nothing}`, [id])).titles, asked).toEqual(["Blue lamp"]);
      const gtin = `${nothing}012345${nothing}678905${nothing}`;
      expect((await found(gtin, [id])).titles, asked).toEqual(["Kettle"]);
      expect((await found(`${nothing} ${nothing}`, [id])).codes, asked).toEqual(["query_without_words", "no_matches"]);
    }
  });

  it("takes them from no search of a merchant's own", async () => {
    const rows = [...titled("Blue lamp", "Lamp in blue"), { id: "upc", title: "Kettle", gtin: "012345678905" }];
    const store = await shop(["en"], rows);
    const ctx = database.as(await makeMerchant(database, store.merchantId));
    for (const [query, title] of [
      ['\u200f"blue lamp"', "Blue lamp"],
      ["\u200c012345678905", "Kettle"],
    ] as const)
      expect((await ownProducts.list(ctx, { store: store.slug, query })).rows, query).toMatchObject([{ title }]);
  });

  it("parts a word from its hyphen no more than it is seen to, and the words of Persian as ever", async () => {
    const { id } = await shop(["en", "fa"], titled("Wi-Fi lamp", "Lamp", "کتاب\u200cخانه"));
    expect((await found("wi\u200b-fi", [id])).titles).toEqual(["Wi-Fi lamp"]);
    for (const query of ["کتاب\u200cخانه", "خانه", "\u200cخانه"])
      expect((await found(query, [id])).titles, query).toEqual(["کتاب\u200cخانه"]);
  });

  it("keeps no word from having its spelling mended", async () => {
    const { id } = await shop(["de"], titled(...bags));
    const { titles, codes } = await found("ruck\u00adsakc \u200ekalmit", [id]);
    expect({ titles, codes }).toEqual({ titles: ["Rucksack Kalmit"], codes: ["spelling_mended"] });
  });

  it("makes no other query of the one that a cursor goes on with", async () => {
    const { id } = await shop(["de"], titled(...bags));
    const ctx = database.as(await makeReader(database));
    const page = (query: string, cursor?: string) =>
      search(ctx, { query, storeIds: [id], sort: "relevance", limit: 2, cursor });
    for (const query of ["\u200erucksack", "\u200eruck\u00adsakc"]) {
      const first = await page(query);
      const second = await page(query, first.nextCursor);
      const shown = [...first.products, ...second.products].map(({ title }) => title);
      expect(shown.toSorted(), query).toEqual(bags.toSorted());
    }
  });

  it("makes no other brand", async () => {
    const { id } = await shop(
      ["ar"],
      ["\u200fعطور", "عطور", "عطور"].map((brand, i) => ({ id: `${i}`, title: `زيت ${i}`, brand })),
    );
    const ctx = database.as(await makeReader(database));
    const { products, facets } = await search(ctx, {
      storeIds: [id],
      filters: { brand: ["\u2067عطور\u2069"] },
      sort: "relevance",
      limit: 9,
    });
    expect(products).toHaveLength(3);
    expect(facets?.find(({ name }) => name === "brand")?.values).toEqual([{ value: "عطور", count: 3 }]);
  });
});

describe("one and many, he and she", () => {
  it.each(forms)("are one in a store in %s: %s", async (language, written, asked) => {
    const { id } = await shop([language], titled(written, "Something else"));
    for (const query of asked) expect(await found(query, [id]), query).toEqual({ titles: [written], codes: [] });
  });

  it("are not taken from the language of another store", async () => {
    await shop(["es"], titled("Capa"));
    const { id } = await shop(["en"], titled("Baseball Cap", "Loiro"));
    expect(await found("capes", [id])).toEqual({ titles: [], codes: ["no_matches"] });
    expect(await database.sql`select from products where store_id = ${id} and search::text ~ ':[a-z]'`).toHaveLength(0);
  });
});

it("finds in stores of several languages at once, what is written as it is typed among the first", async () => {
  const stores = [
    await shop(["pt"], titled("Vestido azul", "Vestidos floridos")),
    await shop(["es-MX", "en"], titled("Vestidos de noche")),
    await shop(["de"], titled("Abendkleid")),
    await shop([], titled("Sundress (vestido)", "Sundress")),
  ];
  const ids = stores.map(({ id }) => id);
  const { titles, codes } = await found("vestido", ids);
  expect(codes).toEqual([]);
  expect(titles.toSorted()).toEqual(["Sundress (vestido)", "Vestido azul", "Vestidos de noche", "Vestidos floridos"]);
  expect((await found("sundresses", ids)).titles).toHaveLength(2);
});

it("puts products of two stems where their titles belong among English ones", async () => {
  const portuguese = await shop(["pt"], titled("Quarzit tripé leve para câmara"));
  const english = await shop(["en"], titled("Quarzit light tripod for a camera bag case"));
  const { titles } = await found("quarzit", [portuguese.id, english.id]);
  expect(titles[0]).toBe("Quarzit tripé leve para câmara");
});

describe("in a Portuguese store", () => {
  it("a word after a minus takes out all of its forms", async () => {
    const { id } = await shop(["pt"], titled("Peruca loira", "Peruca loiros", "Peruca castanha"));
    expect((await found("perucas -loiro", [id])).titles).toEqual(["Peruca castanha"]);
  });

  it("words in quotes stand one after the other, in any form", async () => {
    const { id } = await shop(
      ["pt"],
      titled("Peruca de cabelo loiro", "Loiro laço de cabelo", "Cabelo com laço loiro"),
    );
    for (const query of ['"cabelos loiros"', '"cabelo loira"'])
      expect(await found(query, [id]), query).toEqual({ titles: ["Peruca de cabelo loiro"], codes: [] });
    expect((await found('"loiro cabelo"', [id])).titles).toEqual([]);
    expect((await found('perucas -"cabelos loiros"', [id])).titles).toEqual([]);
  });

  it("a word whose stem is found is not misspelt, and one that is not still is mended", async () => {
    const { id } = await shop(["pt"], titled("Verniz dourado", "Verniz durado"));
    expect(await found("douradas", [id])).toEqual({ titles: ["Verniz dourado"], codes: [] });
    const ctx = database.as(await makeReader(database));
    const asked = { query: "vernniz douradas", storeIds: [id], limit: 5 };
    const { products, messages } = await search(ctx, { ...asked, sort: "relevance" });
    expect(products).toMatchObject([{ title: "Verniz dourado" }]);
    expect(messages).toMatchObject([
      { content: 'Nothing matches "vernniz douradas". Searched for "verniz" instead of "vernniz".' },
    ]);
  });

  it("a word that only holds the sentence together is joined to none", async () => {
    const { id } = await shop(["pt"], titled("Óleo capilar", "Máscara capilar"));
    expect(await found("óleo capilar até 50 ml", [id])).toEqual({
      titles: ["Óleo capilar", "Máscara capilar"],
      codes: ["query_relaxed"],
    });
  });

  it("its merchant finds by stems, too", async () => {
    const store = await shop(["pt"], titled("Colar dourado", "Colar preto"));
    const ctx = database.as(await makeMerchant(database, store.merchantId));
    const { rows } = await ownProducts.list(ctx, { store: store.slug, query: "colares douradas" });
    expect(rows).toMatchObject([{ title: "Colar dourado" }]);
  });
});

it("shows each product once, though a store of another language comes between two pages", async () => {
  const padded = (title: string) => [0, 2, 4, 6, 8].map((n) => `${title} ${"a b c d e f g h".slice(0, 2 * n)}`.trim());
  const stores = [await shop(["pt"], titled(...padded("Loiro"))), await shop(["en"], titled(...padded("Loira")))];
  const ctx = database.as(await makeReader(database));
  const asked = { query: "loira", storeIds: stores.map(({ id }) => id), sort: "relevance" as const };
  await database.sql`delete from search_languages where language <> 'pt'`;
  const all = await search(ctx, { ...asked, limit: 20 });
  const first = await search(ctx, { ...asked, limit: 5 });
  await database.sql`insert into search_languages values ('de'), ('es'), ('fr'), ('it'), ('nl')`;
  const second = await search(ctx, { ...asked, limit: 20, cursor: first.nextCursor });
  const titles = [...first.products, ...second.products].map(({ title }) => title);
  expect(titles).toEqual(all.products.map(({ title }) => title));
  expect(titles).toHaveLength(10);
});

it("takes words that are as long as any index can have", async () => {
  const description = ["b".repeat(2000), "ю".repeat(1022), "ж".repeat(1023)];
  const rows = description.map((text, i) => ({ id: `${i}`, title: "Corrente", description: text }));
  const { id } = await shop(["pt", "de"], rows);
  expect((await found("correntes", [id])).titles).toHaveLength(3);
});

describe("things come before what belongs to them", () => {
  const kinds: [language: string, query: string, thing: Row, other: Row][] = [
    [
      "pt",
      "bolsa",
      { id: "1", title: "Bolsa de couro preta com fecho dourado", product_type: "Moda > Bolsas de mulher" },
      { id: "2", title: "Alça bolsa", product_type: "Moda > Acessórios para bolsas" },
    ],
    [
      "pt",
      "mala",
      { id: "1", title: "Mala de viagem rígida com quatro rodas", product_type: "Moda > Carteiras e malas" },
      { id: "2", title: "Etiqueta mala", product_type: "Moda > Artigos de mala" },
    ],
    [
      "pt",
      "carteira",
      { id: "1", title: "Carteira de couro fina com fecho", product_type: "Moda > Carteiras pretas" },
      { id: "2", title: "Corrente carteira", product_type: "Moda > Correntes pretas" },
    ],
    [
      "fr",
      "sac",
      { id: "1", title: "Grand sac de voyage en cuir noir", product_type: "Mode > Sacs à main" },
      { id: "2", title: "Crochet sac", product_type: "Mode > Accessoires pour sacs" },
    ],
    [
      "de",
      "Tasche",
      { id: "1", title: "Große schwarze Tasche aus Leder", product_type: "Mode > Taschen für Damen" },
      { id: "2", title: "Tasche Haken", product_type: "Mode > Zubehör für Taschen" },
    ],
    [
      "pt",
      "bolsa",
      { id: "1", title: "Bolsa de couro preta com fecho", google_product_category: "Apparel > Handbags > Bolsa" },
      { id: "2", title: "Alça bolsa", google_product_category: "Apparel > Bolsa Accessories" },
    ],
    [
      "it",
      "borsa",
      { id: "1", title: "Borsa nera molto grande e leggera", product_type: "Moda > Borse in pelle" },
      { id: "2", title: "Gancio borsa", product_type: "Moda > Ganci" },
    ],
    [
      "pt",
      "bag",
      { id: "1", title: "Large bag, black, with many pockets", product_type: "Fashion > Leather Bags for Travel" },
      { id: "2", title: "Bag Hook", product_type: "Fashion > Hooks for Bags" },
    ],
    [
      "ar",
      "حقيبة",
      { id: "1", title: "حقيبة جلدية كبيرة سوداء مميزة", product_type: "ازياء > حقيبة نسائية" },
      { id: "2", title: "حزام حقيبة", product_type: "ازياء > حزام حقيبة" },
    ],
  ];
  it.each(kinds)("in %s: %s", async (language, query, thing, other) => {
    const { id } = await shop([language], [other, thing]);
    expect((await found(query, [id])).titles).toEqual([thing.title, other.title]);
  });
});
