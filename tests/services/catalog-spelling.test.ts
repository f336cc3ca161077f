import { describe, expect, it } from "vitest";
import { blocks } from "../../db/schema/merchants";
import type { Consumer } from "../../server/context";
import { type Search, search } from "../../server/services/catalog/search";
import { testDatabase } from "../support/database";
import { makeReader, type makeStore } from "../support/factories";
import { makeStoreWith, type Row } from "../support/feed";

const database = testDatabase();

const shop = async (rows: Row[], given: Parameters<typeof makeStore>[1] = {}) =>
  (await makeStoreWith(database, rows, given)).id;

const words = { title: "Quombrandt", brand: "Vexholmer", product_type: "Zirkelwaren" };
/** Each a slip away from one of `words`, beside one from a word that all may read. */
const misspelt = ["quombrant tentt", "vexholmr tentt", "zirkelwarn tentt", "quombrant", "vexholmer zirkelwarn tentt"];

async function expectUnnamed(reader: Consumer, rest: Partial<Search> = {}) {
  for (const query of misspelt) {
    const { messages } = await search(database.as(reader), { query, sort: "relevance", limit: 5, ...rest });
    const told = JSON.stringify(messages).toLowerCase().replaceAll(query, "");
    for (const word of Object.values(words)) expect(told, query).not.toContain(`\\"${word.toLowerCase()}\\" for`);
    if (query.includes("tentt")) expect(told, query).toContain('\\"tent\\" instead of \\"tentt\\"');
  }
}

describe("a word is never put in for a misspelt one when it is only", () => {
  it("in stores that a sandbox may not read", async () => {
    await shop([{ id: "tent", title: "Ridge tent" }], { is_demo: true });
    await shop([{ id: "it", ...words }]);
    await expectUnnamed(await makeReader(database, { tier: "sandbox" }));
  });

  it("in stores that are blocked, or off", async () => {
    await shop([{ id: "tent", title: "Ridge tent" }]);
    const [reader, blocked] = [await makeReader(database), await shop([{ id: "it", ...words }])];
    await shop([{ id: "it", ...words }], { ai_discovery: false });
    // Whatever other tests have loaded: nothing of this reader's.
    const others = await database.sql<{ id: string }[]>`select distinct store_id as id from products p
      where p.search @@ to_tsquery('aisle', 'quombrandt') and p.store_id <> ${blocked}`;
    for (const id of [blocked, ...others.map((other) => other.id)])
      await database.db.insert(blocks).values({ consumerId: reader.consumerId, storeId: id });
    await expectUnnamed(reader);
  });

  it("in stores that were not asked", async () => {
    const asked = await shop([{ id: "tent", title: "Ridge tent" }]);
    await shop([{ id: "it", ...words }]);
    await expectUnnamed(await makeReader(database), { storeIds: [asked] });
  });

  it("of products that are excluded", async () => {
    const id = await shop([
      { id: "tent", title: "Ridge tent" },
      { id: "it", ...words },
    ]);
    await database.sql`update products set excluded = true where store_id = ${id} and product_id = 'it'`;
    await expectUnnamed(await makeReader(database), { storeIds: [id] });
  });
});

describe("a misspelt word", () => {
  it("becomes the nearest that can be read, where nearer ones can't be", async () => {
    await shop([{ id: "it", title: "Marbolite marbonite" }], { ai_discovery: false });
    const id = await shop([{ id: "it", title: "Marbolito" }]);
    const ctx = database.as(await makeReader(database));
    for (const query of ["marbolitte", "marbolitn"]) {
      const found = await search(ctx, { query, storeIds: [id], sort: "relevance", limit: 5 });
      expect(found.products, query).toHaveLength(1);
      expect(found.messages, query).toMatchObject([{ code: "spelling_mended" }]);
    }
  });

  it("becomes, of words as near, the one that most products have; one with another letter comes after", async () => {
    const id = await shop([
      { id: "a", title: "Corbellin stand" },
      { id: "b", title: "Corblin box" },
      { id: "c", title: "Corblin tray" },
      { id: "d", title: "Towel" },
      { id: "e", title: "Tool kit" },
      { id: "f", title: "Tool bag" },
    ]);
    const ctx = database.as(await makeReader(database));
    for (const [typed, meant] of [
      ["corbelin", "corblin"],
      ["towl", "towel"],
    ]) {
      const { messages } = await search(ctx, { query: typed, storeIds: [id], sort: "relevance", limit: 5 });
      expect(messages[0]!.content).toContain(`"${meant}" instead of "${typed}"`);
    }
  });

  it("is mended by two letters that are left out of nine, and not by two of eight", async () => {
    const id = await shop([
      { id: "nine", title: "Vellamine" },
      { id: "eight", title: "Zorgunit" },
    ]);
    const ctx = database.as(await makeReader(database));
    for (const [query, found] of [
      ["velmine", 1],
      ["velaine", 1],
      ["zorgun", 0],
      ["vellam", 0],
    ] as const)
      expect((await search(ctx, { query, storeIds: [id], sort: "relevance", limit: 5 })).products, query).toHaveLength(
        found,
      );
  });

  it("becomes none with another first letter, but for one that sounds the same", async () => {
    const id = await shop([
      { id: "a", title: "Camera belt" },
      { id: "b", title: "Match box" },
      { id: "c", title: "Leather photograph frame" },
    ]);
    const ctx = database.as(await makeReader(database));
    const find = (query: string) => search(ctx, { query, storeIds: [id], sort: "relevance", limit: 5 });
    for (const [typed, meant] of [
      ["kamera", "camera"],
      ["fotograph", "photograph"],
      ["amtch", "match"],
      ["bbelt", "belt"],
      ["eather", "leather"],
    ]) {
      const { messages } = await find(typed!);
      expect(messages[0]!.content, typed).toContain(`"${meant}" instead of "${typed}"`);
    }
    for (const other of ["watch", "zelt", "weather", "weathers"])
      expect(await find(other), other).toMatchObject({ products: [], messages: [{ code: "no_matches" }] });
  });

  it("is mended though stores that can't be read write it so", async () => {
    await shop([{ id: "it", title: "Fennswick" }], { ai_discovery: false });
    const id = await shop([{ id: "it", title: "Fenswick" }]);
    const ctx = database.as(await makeReader(database));
    const found = await search(ctx, { query: "fennswick", storeIds: [id], sort: "relevance", limit: 5 });
    expect(found.products).toHaveLength(1);
  });

  it("becomes no thing that is farther than a word that is said around things, and what is only said becomes none", async () => {
    const rows = [
      { id: "it", title: "Warm Blanket" },
      { id: "sorter", title: "Sorting Box" },
      { id: "niche", title: "Wall Niche" },
    ];
    const ctx = database.as(await makeReader(database));
    const find = (id: string, query: string) => search(ctx, { query, storeIds: [id], sort: "relevance", limit: 5 });
    const id = await shop(rows);
    const { products, messages } = await find(id, "somthing warm");
    expect(products.map(({ product_id }) => product_id)).toEqual(["it"]);
    expect(messages).toMatchObject([{ code: "query_relaxed", content: expect.stringContaining('has "somthing"') }]);
    for (const query of ["nice blanket", "a lovely warm blanket"])
      expect(await find(id, query), query).toMatchObject({ products: [{ product_id: "it" }], messages: [] });
    const saying = await shop([...rows, { id: "card", title: "Something Warm" }]);
    expect((await find(saying, "somthing warm")).messages[0]!.content).toContain('"something" instead of "somthing"');
  });

  it("is none where another store that can be read has it", async () => {
    await shop([{ id: "it", title: "Gorseboat" }]);
    const id = await shop([{ id: "it", title: "Gorseboot" }]);
    const ctx = database.as(await makeReader(database));
    const found = await search(ctx, { query: "gorseboat", storeIds: [id], sort: "relevance", limit: 5 });
    expect(found).toMatchObject({ products: [], messages: [{ code: "no_matches" }] });
  });
});

it("a word that is to be left out, and that no product has, leaves nothing else out", async () => {
  const id = await shop([
    { id: "woven", title: "Wovqen Linxen Shirt" },
    { id: "slim", title: "Linxen Shirt Slim" },
  ]);
  const reader = await makeReader(database);
  const find = async (query: string) =>
    search(database.as(reader), { query, sort: "relevance", limit: 5, storeIds: [id] });
  for (const query of ["linnxen shirt -wovqem", 'linnxen shirt -"wovqem"']) {
    const { products, messages } = await find(query);
    expect(products.map(({ product_id }) => product_id).toSorted(), query).toEqual(["slim", "woven"]);
    expect(JSON.stringify(messages), query).toContain('\\"linxen\\" instead of \\"linnxen\\"');
    expect(JSON.stringify(messages), query).not.toContain("wovqen");
  }
});
