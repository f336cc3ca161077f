import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Consumer, Ctx } from "../../server/context";
import { type Search, search } from "../../server/services/catalog/search";
import { testDatabase } from "../support/database";
import { makeReader, makeStore } from "../support/factories";
import { loadRows, makeGtin } from "../support/feed";

const database = testDatabase();

type Rows = Parameters<typeof loadRows>[2];
const now = new Date("2027-03-05T12:00:00Z");

/** A store with these rows, and what a search in it gives. */
async function shop(rows: Rows) {
  const store = await makeStore(database);
  await loadRows(database, store.id, rows);
  const ctx: Ctx<Consumer> = database.as(await makeReader(database), now);
  const find = (query: string | undefined, rest: Partial<Search> = {}) =>
    search(ctx, { query, storeIds: [store.id], sort: "relevance", limit: 50, ...rest });
  const ids = async (query: string | undefined, rest: Partial<Search> = {}) =>
    (await find(query, rest)).products.map((product) => product.product_id);
  return { store, ctx, find, ids };
}

describe("search ranks", () => {
  it("this very title, then all words in the title, then in brand and category, then in the description", async () => {
    const { ids } = await shop([
      { id: "description", title: "Groundsheet", description: "Goes under any ridge tent." },
      { id: "category", title: "Alto 2", brand: "Ridge", product_type: "Camping > Tents" },
      { id: "title", title: "Ridge Tent for Two" },
      { id: "exact", title: "Ridge tent", availability: "out_of_stock" },
      { id: "half", title: "Tent Pole" },
    ]);
    expect(await ids("ridge tent")).toEqual(["exact", "title", "category", "description"]);
  });

  it.each([
    ["Ridge Tent for Two", "Ridge Tent for Two with Porch"],
    ["Tow Float - 15 L", "Tow Float - 15 L - Orange"],
    ["Bag with Zip & Strap", "Bag with Zip & Strap and Pocket"],
  ])("this very title, with all its small words and signs, whatever its stock: %s", async (title, longer) => {
    const { ids } = await shop([
      { id: "exact", title, availability: "out_of_stock" },
      { id: "longer", title: longer },
    ]);
    expect(await ids(title)).toEqual(["exact", "longer"]);
  });

  it("what has the identifier that is asked for, whatever small words or measures stand beside", async () => {
    const { ids, find } = await shop([
      { id: "it", title: "Kettle", sku: "A01" },
      { id: "case", title: "Case for A01", price: "1.00 EUR" },
      { id: "bottle", title: "Bottle 500 ml" },
      { id: "cap", title: "Cap", sku: "CAP-500", description: "Fits 500 ml bottles." },
    ]);
    for (const query of ["A01", "buy A01", "no. A01"]) expect((await ids(query))[0], query).toBe("it");
    for (const query of ["A01", "buy A01"]) expect(await ids(query, { sort: "price_asc" }), query).toContain("it");
    expect(await ids("500 ml")).toEqual(["bottle", "cap"]);
    const { messages } = await find("300 ml", { storeIds: undefined });
    expect(messages.map(({ content }) => content).join()).not.toContain("get_product");
  });

  it("nothing for zeros, which stand where a GTIN is missing", async () => {
    const { ids } = await shop([{ id: "1", title: "Kettle" }]);
    for (const query of ["00000000", "0000-0000", "0000000000000"]) expect(await ids(query), query).toEqual([]);
  });

  it("what is the thing itself before what belongs to it, told by the last words of its categories", async () => {
    const { ids } = await shop([
      { id: "kit", title: "Tent Repair Kit", product_type: "Camping > Tent Accessories" },
      { id: "tunnel", title: "Skerry Tunnel Tent for Four", product_type: "Camping > Tents & Shelters" },
      { id: "bell", title: "Aran Bell Tent with Stove", google_product_category: "Camping & Hiking > Tents" },
      { id: "wax", title: "Boot Wax", product_type: "Boots > Care" },
      { id: "boot", title: "Errigal Mountain Boot for Men", product_type: "Footwear > Boots > Leather" },
      { id: "dog", title: "Dog Sleeping Bag", product_type: "Pets > Dog Beds" },
      { id: "bag", title: "Fell Down Sleeping Bag, Long", product_type: "Camping > Sleeping Bags" },
    ]);
    expect(await ids("tents")).toEqual(["tunnel", "bell", "kit"]);
    expect(await ids("sleeping bag")).toEqual(["bag", "dog"]);
    expect(await ids("boots")).toEqual(["boot", "wax"]);
    expect(await ids("tent repair")).toEqual(["kit"]);
  });

  it("what its category's name is about before what the name says it is for, of or with", async () => {
    const { ids } = await shop([
      { id: "flask", title: "Stainless steel bottle that keeps cold", product_type: "Insulated Bottles for Outdoor" },
      { id: "gear", title: "Bottle Outdoor", product_type: "Trade > Outdoor" },
      { id: "beans", title: "Bag, Brazil, dark and roasted slowly", product_type: "Food > Bags of Coffee" },
      { id: "coffee", title: "Coffee Bag", product_type: "Food > Coffee" },
      { id: "hair", title: "Long brown extensions, real ones", product_type: "Beauty > Clip In Extensions" },
      { id: "clip", title: "Extensions Clip", product_type: "Beauty > Clips" },
      { id: "her", title: "Large and light scarf in many a color", product_type: "Clothing > For Scarf" },
      { id: "hook", title: "Scarf Hook", product_type: "Clothing > Hooks" },
    ]);
    expect(await ids("bottle")).toEqual(["flask", "gear"]);
    expect(await ids("bag")).toEqual(["beans", "coffee"]);
    expect(await ids("extensions")).toEqual(["hair", "clip"]);
    expect(await ids("scarf")).toEqual(["her", "hook"]);
  });

  it("what its title calls so before what only its category does, however many variants say so", async () => {
    const sizes = (group: string, title: string, colors: string[]) =>
      colors.flatMap((color) =>
        ["S", "M", "L", "XL"].map((size) => {
          const id = `${group}-${color}-${size}`;
          return { id, item_group_id: group, title: `${title} - ${color}, ${size}`, color, size };
        }),
      );
    const product_type = "Jackets > Waterproof";
    const { ids } = await shop([
      ...sizes("trousers", "Fell Trousers", ["Black", "Navy"]).map((row) => ({ ...row, product_type })),
      ...sizes("jacket", "Fell Women's Rain Jacket", ["Black", "Coral", "Navy"]).map((row) => ({
        ...row,
        product_type,
      })),
    ]);
    for (const query of ["black jacket M", "fell jacket navy"])
      expect(await ids(query), query).toEqual(["jacket", "trousers"]);
  });

  it("what comes in many variants no lower for it", async () => {
    const variants = ["Black", "Coral", "Navy", "Moss"].flatMap((color) =>
      ["S", "M", "L", "XL"].map((size) => ({ id: `${color}-${size}`, item_group_id: "jacket", color, size })),
    );
    const { ids } = await shop([
      ...variants.map((row) => ({ ...row, title: `Fell Rain Jacket - ${row.color}, ${row.size}` })),
      { id: "belt", title: "Studded Leather Belt, Punk Rivet Waistband for Trousers, Skirt, Dress, Coat and Jacket" },
    ]);
    expect(await ids("jacket")).toEqual(["jacket", "belt"]);
  });

  it("what is in stock by the thing itself, and not by a word like it; stock that is the thing comes first", async () => {
    const { find, ids } = await shop([
      { id: "sock", title: "Merino Sock" },
      { id: "tent", title: "Ridge Tent" },
      { id: "cubes", title: "Chicken Stock" },
      { id: "chicken", title: "Roast Chicken" },
    ]);
    const { products, messages } = await find("ridge tent in stock available now");
    expect([products.map(({ product_id }) => product_id), messages.map(({ code }) => code)]).toEqual([["tent"], []]);
    expect(await ids("chicken stock")).toEqual(["cubes", "chicken"]);
  });

  it("titles with small words first, where these are said beside others", async () => {
    const { ids, find } = await shop([
      { id: "pile", title: "Jacket, Pile", product_type: "Jackets" },
      { id: "down", title: "Fell Down Jacket for the Coldest of Days", product_type: "Insulation" },
      { id: "can", title: "Watering Can", availability: "out_of_stock" },
      { id: "hose", title: "Watering Hose" },
    ]);
    expect(await ids("down jacket")).toEqual(["down", "pile"]);
    expect(await ids("watering can")).toEqual(["can", "hose"]);
    expect((await find("down jacket")).messages).toMatchObject([
      { code: "words_preferred", path: "query", content: expect.stringContaining('"down"') },
    ]);
    expect((await find("jackets of the coldest")).messages).toEqual([]);
  });

  it("what is in stock first, where the words fit equally well", async () => {
    const { ids } = await shop([
      { id: "none", title: "Kettle, blue", availability: "out_of_stock" },
      { id: "later", title: "Kettle, green", availability: "backorder" },
      { id: "now", title: "Kettle, black", availability: "in_stock" },
    ]);
    expect(await ids("kettle")).toEqual(["now", "later", "none"]);
  });

  it("shorter titles first, where all else is equal", async () => {
    const { ids } = await shop([
      { id: "long", title: "Whistling camping kettle with folding handle and lid" },
      { id: "short", title: "Camping kettle" },
    ]);
    expect(await ids("kettle")).toEqual(["short", "long"]);
  });

  it("last what left the feed, and says that it is discontinued", async () => {
    const { ids, find, store } = await shop([
      { id: "gone", title: "Lamp" },
      { id: "stays", title: "Table lamp" },
    ]);
    await loadRows(database, store.id, [{ id: "stays", title: "Table lamp" }]);
    expect(await ids("lamp")).toEqual(["stays", "gone"]);
    const [, gone] = (await find("lamp")).products;
    expect(gone!.availability).toEqual({ status: "discontinued", available: false });
  });

  it("by stock, stars and age where there are no words", async () => {
    const { ids } = await shop([
      { id: "old", title: "A" },
      { id: "good", title: "B", star_rating: "4.5", review_count: "3" },
      { id: "best", title: "C", star_rating: "4.9", review_count: "3" },
      { id: "out", title: "D", star_rating: "5", review_count: "9", availability: "out_of_stock" },
      { id: "new", title: "E" },
    ]);
    expect(await ids(undefined)).toEqual(["best", "good", "new", "old", "out"]);
  });
});

describe("a product that its merchant excluded", () => {
  it("is never found", async () => {
    const { ids, store } = await shop([
      { id: "shown", title: "Canoe" },
      { id: "hidden", title: "Canoe" },
    ]);
    await database.sql`update products set excluded = true where store_id = ${store.id} and product_id = 'hidden'`;
    expect(await ids("canoe")).toEqual(["shown"]);
    expect(await ids(undefined)).toEqual(["shown"]);
  });
});

describe("the words of a query", () => {
  it("must all be there, wherever they are", async () => {
    const { ids } = await shop([
      { id: "all", title: "Rain jacket", brand: "Cairnlow", color: "Moss", description: "Packs into its pocket." },
      { id: "some", title: "Rain jacket", brand: "Veldmoor", color: "Rust" },
    ]);
    expect(await ids("cairnlow rain pocket moss")).toEqual(["all"]);
  });

  it("find other forms, whatever their case and accents", async () => {
    const { ids } = await shop([{ id: "it", title: "Brûlée Tents & CRÈME" }]);
    for (const query of ["tent", "TENTS", "brulee", "Crème BRÛLÉE", "creme tent"])
      expect(await ids(query), query).toEqual(["it"]);
  });

  it("are read in Portuguese and in Arabic too", async () => {
    const { ids } = await shop([
      {
        id: "pt",
        title: "Alisante para cabelos 1L",
        description: "Proporciona cabelos lisos, com brilho. Hidratação.",
      },
      { id: "ar", title: "عطر كوكو شانيل 100 مل" },
      { id: "arti", title: "العطر الأحمر" },
    ]);
    expect(await ids("cabelo alisante")).toEqual(["pt"]);
    expect(await ids("hidratacao")).toEqual(["pt"]);
    expect(await ids("شانيل")).toEqual(["ar"]);
    expect((await ids("العطر")).toSorted()).toEqual(["ar", "arti"]);
    expect((await ids("عطر")).toSorted()).toEqual(["ar", "arti"]);
  });

  it("of Arabic are found with other endings, and numbers in either digits", async () => {
    const { ids, find } = await shop([
      { id: "watch", title: "ساعة رولكس ذهبي نسائي" },
      { id: "perfume", title: "عطر كوكو شانيل 100 مل للرجال" },
      { id: "other", title: "حزام جلد" },
    ]);
    for (const query of ["ساعات", "الساعات", "ساعه", "ساعة نسائية ذهبية", "الساعة الذهبية"])
      expect(await ids(query), query).toEqual(["watch"]);
    for (const query of ["عطر ١٠٠ مل", "عطر رجالي", "عطر ۱۰۰ مل"]) expect(await ids(query), query).toEqual(["perfume"]);
    expect((await find("العطور")).messages).toMatchObject([{ code: "spelling_mended" }]);
    expect(await ids("العطور")).toEqual(["perfume"]);
  });

  it("of Arabic for women are found however they are joined", async () => {
    const { ids } = await shop([
      { id: "1", title: "ساعة نسائية" },
      { id: "2", title: "ساعة للنساء" },
      { id: "3", title: "ساعة رجالية" },
    ]);
    for (const query of ["للنساء", "نساء", "ساعة نسائي", "النسائية"])
      expect((await ids(query)).toSorted(), query).toEqual(["1", "2"]);
  });

  it("of Arabic that name a color are found in he and she", async () => {
    const { ids } = await shop([
      { id: "she", title: "ساعة سوداء" },
      { id: "he", title: "حزام باللون الأسود" },
      { id: "green", title: "حزام أخضر" },
      { id: "yellow", title: "ساعة صفراء" },
    ]);
    for (const query of ["سوداء", "أسود", "السوداء", "اسود"])
      expect((await ids(query)).toSorted(), query).toEqual(["he", "she"]);
    expect(await ids("خضراء")).toEqual(["green"]);
    expect(await ids("ساعة اصفر")).toEqual(["yellow"]);
  });

  it("find whom a thing is for, where the feed says it apart from the title", async () => {
    const { ids } = await shop([
      { id: "he", title: "Rain Jacket", gender: "male", age_group: "adult" },
      { id: "she", title: "Rain Jacket", gender: "Female" },
      { id: "child", title: "Rain Jacket", gender: "unisex", age_group: "kids" },
      { id: "baby", title: "Rain Suit", age_group: "infant" },
    ]);
    for (const [query, id] of [
      ["men's rain jacket", "he"],
      ["rain jacket women", "she"],
      ["kids jacket", "child"],
      ["children's rain jacket", "child"],
      ["baby rain suit", "baby"],
    ] as const)
      expect(await ids(query), query).toEqual([id]);
  });

  it("of Arabic are found as they stand in a title, with whatever is written onto them", async () => {
    const { ids } = await shop([
      { id: "blue", title: "ساعة rolex باللون الازرق" },
      { id: "silver", title: "ساعة كاسيو الذهبي والفضي" },
      { id: "other", title: "حزام جلد" },
    ]);
    for (const query of ["باللون", "باللون الازرق", '"باللون الازرق"', "لون", "اللون ازرق"])
      expect(await ids(query), query).toEqual(["blue"]);
    for (const query of ["والفضي", "فضي", "الفضية"]) expect(await ids(query), query).toEqual(["silver"]);
  });

  it("are found one by one where the feed joins them by punctuation", async () => {
    const { ids } = await shop([
      { id: "rug", title: "Black/White Rug", color: "Ivory/Coal" },
      { id: "hub", title: "USB-C/HDMI Hub", description: "Ports:2xUSB-A,1xHDMI.Fits/any_desk" },
      { id: "phone", title: "Orbit-15 LEGO™ Edition", brand: "Dr.Alm" },
    ]);
    for (const query of ["black rug", "white rug", "black/white", "white-black", "ivory", "coal", "black & white"])
      expect(await ids(query), query).toEqual(["rug"]);
    for (const query of ["usb hdmi", "USB-C", "hdmi hub", "usb-c/hdmi", "desk", "fits any"])
      expect(await ids(query), query).toEqual(["hub"]);
    for (const query of ["orbit 15", "orbit-15", "lego", "alm", "dr alm"])
      expect(await ids(query), query).toEqual(["phone"]);
  });

  it("may be written with or without their hyphen or point", async () => {
    const { ids } = await shop([
      { id: "apart", title: "Tee shirt, Wi-Fi router" },
      { id: "joined", title: "Wifi router" },
    ]);
    expect((await ids("wi-fi")).toSorted()).toEqual(["apart", "joined"]);
  });

  it("of Arabic are read whatever their hamza, vowel signs and stretching stroke", async () => {
    const { ids } = await shop([{ id: "ar", title: "أُسْتَاذ الـعـطـر إلى مستشفى" }]);
    for (const query of ["استاذ", "أستاذ", "العطر", "عطر", "مستشفي", "مستشفى"])
      expect(await ids(query), query).toEqual(["ar"]);
  });

  it("find a code as it is typed, with and without what separates its parts", async () => {
    const { ids } = await shop([
      { id: "code", title: "Gasket", mpn: "AB-12/34.5", sku: "x_77#9" },
      { id: "other", title: "Gasket AB", mpn: "AB-12/35.5" },
    ]);
    for (const query of ["AB-12/34.5", "ab-12/34.5", "AB1234.5", "AB12345", "x_77#9", "X779"])
      expect(await ids(query), query).toEqual(["code"]);
  });

  it("stand together where they are quoted, and are absent where a minus goes before", async () => {
    const { ids } = await shop([
      { id: "phrase", title: "Body wave wig" },
      { id: "apart", title: "Wave of the body, wig" },
      { id: "red", title: "Body wave wig, red" },
    ]);
    expect((await ids('"body wave"')).toSorted()).toEqual(["phrase", "red"]);
    expect(await ids('"body wave" -red')).toEqual(["phrase"]);
    expect((await ids("wig -red")).toSorted()).toEqual(["apart", "phrase"]);
  });

  it("count where they touch quotes, too: doubled ones, or those of the words before", async () => {
    const { ids } = await shop([
      { id: "wig", title: "Body wave wig" },
      { id: "cap", title: "Body wave cap" },
      { id: "red", title: "Wave of the body, wig, red" },
    ]);
    for (const query of ['""body wave"" cap', '"body wave"cap', '"body wave""cap"', '""cap""', "“”cap"])
      expect(await ids(query), query).toEqual(["cap"]);
    expect(await ids('"body wave"-wig')).toEqual(["wig"]);
    expect((await ids('"body wave", ')).toSorted()).toEqual(["cap", "wig"]);
  });

  it("are a title where all of them, in their order, are one with a dash before a word", async () => {
    const { find, ids } = await shop([
      { id: "case", title: "Switch Carrying Case, Hard Shell Pouch For Console & Accessories -Black" },
      { id: "earrings", title: "Fairycore 1pc Unique Cold Gold & -Shaped Earrings" },
      { id: "other", title: "Carrying Case For Camera Accessories" },
    ]);
    const title = "Switch Carrying Case, Hard Shell Pouch For Console & Accessories -Black";
    expect(await ids(title)).toEqual(["case"]);
    const { messages } = await find(title);
    expect(messages).toEqual([
      {
        type: "info",
        code: "query_is_title",
        content:
          'Nothing matches without what stands behind a minus. Searched for the words as a title that has them all: "-Black" is no exclusion in it.',
        path: "query",
      },
    ]);
    expect(await ids("Fairycore 1pc Unique Cold Gold & -Shaped Earrings")).toEqual(["earrings"]);
    // A few words are a wish.
    expect(await ids("accessories -case")).toEqual([]);
    expect(await ids("console accessories -black")).not.toContain("case");
    // Not in the title's order.
    expect(await ids("hard shell switch carrying case for console -black")).not.toContain("case");
  });

  it("are looked for where the minus is that of a number below zero", async () => {
    const { ids } = await shop([
      { id: "cold", title: "Sleeping bag", description: "Comfortable at -10 °C." },
      { id: "colder", title: "Sleeping bag, -20°C" },
    ]);
    expect(await ids("sleeping bag -10")).toEqual(["cold"]);
    expect(await ids("sleeping bag -10 °C")).toEqual(["cold"]);
    expect(await ids("sleeping bag -20°C")).toEqual(["colder"]);
    expect(await ids('sleeping bag -"20"')).toEqual(["cold"]);
  });

  it("may be written with or without a blank or hyphen before a unit", async () => {
    const { ids } = await shop([
      { id: "joined", title: "Shampoo 300ml" },
      { id: "apart", title: "Shampoo 300 ml" },
      { id: "other", title: "Shampoo 500ml" },
      { id: "cable", title: "Cable 3.5mm" },
      { id: "stand", title: "Stand for 75 Inch TV" },
      { id: "larger", title: "Stand for 80 Inch TV" },
    ]);
    expect((await ids("shampoo 300 ml")).toSorted()).toEqual(["apart", "joined"]);
    expect((await ids("shampoo 300ml")).toSorted()).toEqual(["apart", "joined"]);
    expect(await ids("3.5mm cable")).toEqual(["cable"]);
    expect(await ids("3.5 mm")).toEqual(["cable"]);
    expect(await ids("75inch stand")).toEqual(["stand"]);
  });

  it("finds lengths by one another however either writes them, its unit or none", async () => {
    const { ids } = await shop([
      { id: "x", title: "Cushion cover 45x45" },
      { id: "unit", title: "Cushion cover 45x45cm" },
      { id: "apart", title: "Cushion cover 45 x 45 cm" },
      { id: "star", title: "Cushion cover, 45*45" },
      { id: "each", title: "Cushion cover 45cm × 45cm" },
      { id: "inches", title: 'Cushion cover 45" X 45"' },
      { id: "other", title: "Cushion cover 45x60" },
      { id: "three", title: "Shelf 1.5 x 20 x 30 cm" },
      { id: "joined", title: "Shelf 1.5x20x30cm" },
      { id: "turned", title: "Shelf 30 x 20 x 1.5 cm" },
    ]);
    const all = ["apart", "each", "inches", "star", "unit", "x"];
    for (const asked of [
      "45x45",
      "45 x 45 cm",
      "45 X 45",
      "45*45",
      "45 × 45",
      "45cm x 45cm",
      '45"x45"',
      "45x45cm",
      "45″ x 45″",
      "45” x 45”",
      "45' x 45'",
    ])
      expect((await ids(`${asked} cushion cover`)).toSorted(), asked).toEqual(all);
    for (const asked of ["1.5x20x30", "1.5 x 20 x 30 cm"])
      expect((await ids(`shelf ${asked}`)).toSorted(), asked).toEqual(["joined", "three"]);
    expect((await ids('cushion "45 x 45"')).toSorted()).toEqual(["apart", "inches"]);
    expect((await ids("cushion cover 45x60 for two"))[0]).toBe("other");
  });

  it("finds packs of several by what each holds, with or without blanks on either side", async () => {
    const { ids } = await shop([
      { id: "pack", title: "Cola 6 x 330ml" },
      { id: "bottle", title: "Cola 500 ml" },
      { id: "24", title: "Cola 24 x 330 ml" },
      { id: "ram", title: "RAM 2 x 8GB" },
      { id: "module", title: "RAM 8 GB" },
      { id: "joined", title: "Shampoo 3x500g" },
      { id: "apart", title: "Shampoo 3x 500 g" },
      { id: "turned", title: "Shampoo 500 g × 3" },
      { id: "one", title: "Shampoo 500 g" },
      { id: "water", title: "Water 4 x 6 x 1.5 L" },
    ]);
    for (const asked of ["6 x 330 ml", "6 x 330ml", "6x330 ml", "6x330ml", "6X 330 ML", "6 × 330 ml"])
      expect(await ids(`cola ${asked}`), asked).toEqual(["pack"]);
    for (const asked of ["2 x 8 gb", "2 x 8GB", "2x8gb"]) expect(await ids(`ram ${asked}`), asked).toEqual(["ram"]);
    for (const asked of ["3 x 500 g", "3x500g", "3*500 g"])
      expect((await ids(`shampoo ${asked}`)).toSorted(), asked).toEqual(["apart", "joined", "turned"]);
    for (const asked of ["4 x 6 x 1.5l", "4x6x1.5 l"]) expect(await ids(`water ${asked}`), asked).toEqual(["water"]);
  });

  it.each(["the", "!!!", "-", '""', "& | ! ( ) : * <->", "-kettle"])(
    "say what is missing when there are none: %s",
    async (query) => {
      const { find } = await shop([{ id: "it", title: "Kettle" }]);
      const found = await find(query);
      expect(found).toMatchObject({ products: [], totalCount: 0, hasNextPage: false });
      expect(found.messages).toMatchObject([{ code: "query_without_words", path: "query" }, { code: "no_matches" }]);
    },
  );

  it("are needed even where they are small, when quoted, taken out, alone, or joined to others", async () => {
    const { ids, find } = await shop([
      { id: "down", title: "Down Jacket" },
      { id: "pile", title: "Pile Jacket" },
      { id: "tee", title: "T-Shirt" },
      { id: "shirt", title: "Shirt" },
      { id: "book", title: "The Lord of the Rings" },
    ]);
    expect(await ids('"down jacket"')).toEqual(["down"]);
    expect(await ids("jacket -down")).toEqual(["pile"]);
    expect(await ids("down")).toEqual(["down"]);
    expect(await ids("t-shirt")).toEqual(["tee"]);
    expect(await ids('"lord of the rings"')).toEqual(["book"]);
    expect((await find("down")).messages).toEqual([]);
  });

  it("may be anything that can be typed", async () => {
    const { find } = await shop([{ id: "it", title: "Kettle" }]);
    const syntax = fc.constantFrom(
      "'",
      "\\",
      "&",
      "|",
      "!",
      "<->",
      ":*",
      ":A",
      "(",
      ")",
      '"',
      "-",
      " ",
      "a",
      "tent",
      "3.5mm",
      "ال",
      "%",
      "_",
    );
    const typed = fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 40 }),
      fc.array(syntax, { maxLength: 20 }).map((parts) => parts.join("")),
    );
    await fc.assert(
      fc.asyncProperty(typed, async (query) => {
        fc.pre(!query.includes("\0"));
        expect((await find(query)).products.length).toBeLessThanOrEqual(1);
      }),
      { numRuns: 150 },
    );
  });
});

describe("an identifier", () => {
  it("finds its product first: GTIN in any of its forms, mpn and sku", async () => {
    const gtin = makeGtin();
    const { ids } = await shop([
      { id: "named", title: `Case for ${gtin} and for CAD-BC-1L-001`, description: "Also fits SKU77X." },
      { id: "it", title: "Straightener", gtin, mpn: "CAD-BC-1L-001", sku: "SKU77X" },
    ]);
    expect((await ids(gtin))[0]).toBe("it");
    expect((await ids(`0${gtin}`))[0]).toBe("it");
    expect((await ids(gtin.replace(/(\d{3})(\d)/, "$1-$2-")))[0]).toBe("it");
    expect((await ids("CAD-BC-1L-001"))[0]).toBe("it");
    expect((await ids("cad-bc-1l-001"))[0]).toBe("it");
    expect((await ids("SKU77X"))[0]).toBe("it");
  });

  it("of a variant finds its product", async () => {
    const [one, other] = [makeGtin(), makeGtin()];
    const { ids } = await shop([
      { id: "S", item_group_id: "shirt", title: "Shirt", size: "S", gtin: one },
      { id: "M", item_group_id: "shirt", title: "Shirt", size: "M", gtin: other },
    ]);
    expect(await ids(other)).toEqual(["shirt"]);
    expect(await ids(undefined, { filters: { gtin: [one] } })).toEqual(["shirt"]);
  });
});

describe("an identifier of one variant", () => {
  it("is its mpn or sku, too, where that has a GTIN's length, or letters that no accent makes", async () => {
    const screw = (size: string, more: Record<string, string>) => ({
      ...{ id: size, item_group_id: "screw", item_group_title: "Screw", title: `Screw, ${size}`, size },
      ...more,
    });
    const { find } = await shop([
      screw("S", { sku: "A-1" }),
      screw("M", { sku: "0123-4567" }),
      screw("L", { mpn: "012345678905" }),
      screw("XL", { sku: "Ø8-40" }),
      screw("XXL", { mpn: "ŁB.4" }),
    ]);
    for (const [query, title] of [
      ["01234567", "Screw, M"],
      ["0123-4567", "Screw, M"],
      ["012345678905", "Screw, L"],
      ["Ø8-40", "Screw, XL"],
      ["ø840", "Screw, XL"],
      ["łb4", "Screw, XXL"],
    ] as const)
      expect((await find(query)).products, query).toMatchObject([{ product_id: "screw", title }]);
  });

  const [small, large] = [makeGtin(), makeGtin()];
  const glove = (id: string, more: Record<string, string>) => ({
    id,
    item_group_id: "glove",
    item_group_title: "Glove",
    title: `Glove, ${id}`,
    size: id,
    ...more,
  });
  const rows: Rows = [
    glove("S", { gtin: small, mpn: "TW-100-S", sku: "GL0VE.S", price: "14.90 EUR" }),
    glove("M", { gtin: large, mpn: "TW-100/M", sku: "GL0VE.M", price: "19.90 EUR", availability: "out_of_stock" }),
    glove("L", { mpn: "TW-100-M-L", sku: "CAFÉ-1", price: "16.90 EUR", availability: "preorder" }),
    { id: "case", title: "Case for TW-100-M and GL0VE.M", price: "17.00 EUR" },
  ];
  const its = [large, `0${large}`, "TW-100/M", "tw-100-m", "TW100M", "no. TW-100-M", "GL0VE.M", "gl0vem"];

  it("is shown with its price, stock, title and link; what else has the words, and what is asked by name, as ever", async () => {
    const { find } = await shop(rows);
    for (const query of its)
      for (const sort of ["relevance", "price_asc"] as const) {
        const { products } = await find(query, { sort });
        const found = products.find(({ product_id }) => product_id === "glove");
        expect(found, `${query} ${sort}`).toMatchObject({
          title: "Glove, M",
          price: { amount: 1990 },
          availability: { status: "out_of_stock" },
          price_range: { min: { amount: 1490 }, max: { amount: 1990 } },
        });
        expect(new URL(found!.product_url).pathname).toBe("/p/M");
      }
    for (const query of ["glove", "TW-100", small, "TW-100-S"]) {
      const [found] = (await find(query)).products;
      expect(found, query).toMatchObject({ product_id: "glove", price: { amount: 1490 } });
      expect(new URL(found!.product_url).pathname, query).toBe("/p/S");
    }
    expect((await find("cafe1")).products).toMatchObject([{ title: "Glove, L", price: { amount: 1690 } }]);
    const found = await find("TW-100-M");
    expect(found.products.map(({ product_id, price }) => [product_id, price.amount])).toEqual([
      ["glove", 1990],
      ["case", 1700],
    ]);
  });

  it("is filtered, sorted and counted by that variant", async () => {
    const { find, ids } = await shop(rows);
    for (const query of [large, "TW-100-M"]) {
      for (const filters of [
        { price: { min: 1900, max: 2000 } },
        { availability: ["out_of_stock" as const] },
        { attributes: [{ name: "size", values: ["M"] }] },
        { gtin: [large] },
        { condition: ["new" as const], on_sale: false, price: { min: 1900 } },
      ]) {
        const { products } = await find(query, { filters });
        expect(products, JSON.stringify(filters)).toMatchObject([{ product_id: "glove", price: { amount: 1990 } }]);
      }
      for (const filters of [
        { price: { min: 1400, max: 1500 } },
        { price: { max: 1690 } },
        { gtin: [small] },
        { attributes: [{ name: "size", values: ["S"] }] },
      ])
        expect(await ids(query, { filters }), JSON.stringify(filters)).toEqual([]);
    }
    expect(await ids("TW-100-M", { filters: { availability: ["in_stock"] } })).toEqual(["case"]);
    const { facets } = await find(large);
    expect(facets.find(({ name }) => name === "availability")?.values).toEqual([{ value: "out_of_stock", count: 1 }]);
    expect(facets.find(({ name }) => name === "price")?.values).toMatchObject([{ value: "1000-1999 EUR", count: 1 }]);
  });

  it("comes after the same in another store that has it in stock, and in the order of what it costs", async () => {
    const one = await shop(rows);
    const two = await shop([glove("M", { gtin: large, price: "18.00 EUR" }), glove("S", { price: "29.00 EUR" })]);
    const storeIds = [one.store.id, two.store.id];
    const stores = async (sort: Search["sort"]) =>
      (await one.find(large, { storeIds, sort })).products.map(({ store_id, price }) => [store_id, price.amount]);
    const order = [
      [two.store.id, 1800],
      [one.store.id, 1990],
    ];
    expect(await stores("relevance")).toEqual(order);
    expect(await stores("price_asc")).toEqual(order);
    expect(await stores("price_desc")).toEqual(order.toReversed());
  });
});

describe("a query that finds nothing", () => {
  it("is read with its spelling mended, and says so", async () => {
    const { find } = await shop([
      { id: "tent", title: "Ridge tent" },
      { id: "jacket", title: "Waterproof jacket" },
    ]);
    for (const [query, id, word] of [
      ["tnet", "tent", "tent"],
      ["rigde tent", "tent", "ridge"],
      ["watreprof jaket", "jacket", "waterproof"],
    ]) {
      const found = await find(query);
      expect(
        found.products.map((product) => product.product_id),
        query,
      ).toEqual([id]);
      expect(found.messages).toMatchObject([{ type: "info", code: "spelling_mended", path: "query" }]);
      expect(found.messages[0]!.content).toContain(`"${word}"`);
    }
  });

  it("is read as its words are written in the catalogue, apart or together", async () => {
    const { find } = await shop([
      { id: "together", title: "Orbit Smartwatch" },
      { id: "apart", title: "Fell Sun Hat" },
      { id: "neither", title: "Hat Rack against Sun" },
      { id: "small", title: "Makeup Brush" },
      { id: "by the way", title: "Pouch", description: "Make room: packs up with a brush." },
    ]);
    for (const [query, id, instead] of [
      ["smart watch", "together", '"smartwatch" instead of "smart watch"'],
      ["orbit smart watch", "together", '"smartwatch" instead of "smart watch"'],
      ["make up brush", "small", '"makeup" instead of "make up"'],
      ["sunhat", "apart", '"sun hat" instead of "sunhat"'],
      ["Sunhat fel", "apart", '"sun hat" instead of "sunhat", "fell" instead of "fel"'],
    ] as const) {
      const { products, messages } = await find(query);
      expect(
        products.map((product) => product.product_id),
        query,
      ).toEqual([id]);
      expect(messages, query).toMatchObject([{ code: "spelling_mended", content: expect.stringContaining(instead) }]);
    }
  });

  it("is read with a number apart from its name where the catalogue writes it so", async () => {
    const { find } = await shop([
      { id: "two", title: "Skarn 2 Tent" },
      { id: "three", title: "Skarn 3 Tent with 2 doors" },
      { id: "glued", title: "Lampo9 Lamp" },
    ]);
    for (const query of ["Skarn2", "skarn2 tent"]) {
      const { products, messages } = await find(query);
      expect(
        products.map((product) => product.product_id),
        query,
      ).toEqual(["two"]);
      const content = expect.stringContaining('"skarn 2" instead of "skarn2"');
      expect(messages, query).toMatchObject([{ code: "spelling_mended", content }]);
    }
    expect(await find("lampo9")).toMatchObject({ products: [{ product_id: "glued" }], messages: [] });
    for (const query of ["Skarn9", "Skarnx2", "Skarm2"])
      expect(await find(query), query).toMatchObject({ products: [], messages: [{ code: "no_matches" }] });
  });

  it("is still what stands in quotes, and loses no word, where one of its words is written apart", async () => {
    const coats = await shop([
      { id: "apart", title: "Fell Rain Coat" },
      { id: "winter", title: "Winter Coat" },
      { id: "rack", title: "Coat Rack" },
    ]);
    expect(await coats.ids('"raincoat"')).toEqual(["apart"]);
    expect((await coats.find('"raincoat"')).messages).toMatchObject([{ code: "spelling_mended" }]);
    const { ids } = await shop([
      { id: "coat", title: "Rain Coat" },
      { id: "both", title: "Rain Coat Poncho" },
    ]);
    for (const query of ["raincoat/poncho", "poncho/raincoat"]) expect(await ids(query), query).toEqual(["both"]);
  });

  it("is not mended further than a slip in a short word, or two in a long one", async () => {
    const { find } = await shop([
      { id: "kayak", title: "Kayak" },
      { id: "paddle", title: "Waterproof paddle" },
    ]);
    expect((await find("kayqk")).products).toHaveLength(1);
    expect((await find("kyaqk")).products).toHaveLength(0);
    expect((await find("waterprof")).products).toHaveLength(1);
    expect((await find("watreprof")).products).toHaveLength(1);
    expect((await find("wtareprfo")).products).toHaveLength(0);
  });

  it("is not mended to a code: nobody means one when they misspell a word", async () => {
    const { find } = await shop([
      { id: "lamp", title: "Lamp" },
      { id: "spare", title: "Spare part lampo9" },
    ]);
    const found = await find("lampo");
    expect(found.products.map((product) => product.product_id)).toEqual(["lamp"]);
    expect(found.messages[0]).toMatchObject({ code: "spelling_mended" });
  });

  it("keeps words that the catalogue knows", async () => {
    const { find } = await shop([
      { id: "tents", title: "Tents" },
      { id: "test", title: "Test kit" },
    ]);
    const found = await find("tent");
    expect(found.products.map((product) => product.product_id)).toEqual(["tents"]);
    expect(found.messages).toEqual([]);
  });

  it("is answered first with what its kind of thing is called, or else its rarest word", async () => {
    const rows: Rows = [
      { id: "watch", title: "Black Watch" },
      { id: "mug", title: "Black Mug" },
      { id: "lamp", title: "Black Lamp" },
      { id: "dress", title: "Very Long Summer Dress of Linen" },
      { id: "care", title: "Spray", description: "For a dress." },
    ];
    const { ids, find } = await shop(rows);
    for (const query of ["black dress", "dress in black", "dress black"]) {
      expect((await ids(query)).slice(0, 1), query).toEqual(["dress"]);
      expect(new Set(await ids(query)), query).toEqual(new Set(rows.map(({ id }) => id)));
    }
    const mats = await shop([
      { id: "band", title: "Yoga Band", product_type: "Sport" },
      { id: "mat", title: "Sleeping Mat of Foam", product_type: "Sport > Mats" },
      { id: "bath", title: "Bath Mat", product_type: "Sport > Mats" },
    ]);
    expect((await mats.ids("yoga mat")).at(-1)).toBe("band");
    const first = await find("black dress", { limit: 1 });
    const next = await find("black dress", { limit: 9, cursor: first.nextCursor });
    expect([...first.products, ...next.products].map((product) => product.product_id)).toEqual(
      await ids("black dress"),
    );
  });

  it("gives what has most of its words first, however many there are and however often they are said", async () => {
    const { ids, find } = await shop([
      { id: "one", title: "Amber Vase" },
      { id: "two", title: "Amber Birch Vase" },
      { id: "four", title: "Amber Birch Cedar Dune Vase" },
      { id: "five", title: "Amber Birch Cedar Dune Ember Vase" },
      { id: "six", title: "Amber Birch Cedar Dune Ember Fjord Vase", availability: "out_of_stock" },
    ]);
    const query = "amber amber amber birch cedar dune ember fjord ivory";
    expect(await ids(query)).toEqual(["six", "five", "four", "two", "one"]);
    expect((await find(query)).messages).toMatchObject([{ code: "query_relaxed" }]);
  });

  it("gives what is filed as the thing and called so before what has more of the other words", async () => {
    const { ids } = await shop([
      { id: "socket", title: "Inch Socket, Inch to Inch" },
      { id: "screen", title: "Screen", description: "An inch of privacy." },
      { id: "curtain", title: "Insulated Winter Doorway Cover Curtain, Soundproof", product_type: "Home > Curtains" },
      { id: "cloth", title: "Table Cloth of 84 Inch" },
    ]);
    expect((await ids("curtains 84 inch")).slice(0, 3)).toEqual(["curtain", "cloth", "socket"]);
  });

  it("keeps together what is quoted, and out what is not wanted, where any of the words will do", async () => {
    const { ids } = await shop([
      { id: "polo", title: "Polo" },
      { id: "shirt", title: "Shirt" },
      { id: "phrase", title: "Long Warm Down Coat" },
      { id: "apart", title: "Warm Lamp" },
    ]);
    expect(await ids("polo crimson -t-shirt")).toEqual(["polo"]);
    expect(await ids('"long warm down coat" crimson')).toEqual(["phrase"]);
  });

  it("is read without small words that are joined to others", async () => {
    const { find } = await shop([
      { id: "oxford", title: "Oxford Shirt" },
      { id: "lamp", title: "Lamp" },
    ]);
    const found = await find("T-shirt");
    expect(found.products).toMatchObject([{ product_id: "oxford" }]);
    expect(found.messages).toMatchObject([{ code: "query_relaxed", path: "query" }]);
  });

  it("is then answered with any of its words, those that have most of them first, and says so", async () => {
    const { find } = await shop([
      { id: "one", title: "Green stove" },
      { id: "two", title: "Green ridge tent" },
      { id: "none", title: "Kettle" },
    ]);
    const found = await find("green tent zzzzzzzz");
    expect(found.products.map((product) => product.product_id)).toEqual(["two", "one"]);
    expect(found.messages).toMatchObject([{ code: "query_relaxed", path: "query" }]);
  });

  it("is read without what holds a sentence together in other languages, where something is left", async () => {
    const { ids, find } = await shop([
      { id: "mask", title: "Máscara hidratação", description: "O melhor de todos." },
      { id: "brush", title: "Escova cabelo" },
      { id: "roche", title: "La Roche Creme" },
      { id: "creme", title: "Creme" },
    ]);
    for (const [query, id] of [
      ["máscara de hidratação", "mask"],
      ["escova para o cabelo", "brush"],
      ["Bürste für cabelo escova", "brush"],
      ["la roche", "roche"],
    ])
      expect((await ids(query))[0], query).toBe(id);
    expect((await find("escova para cabelo")).messages).toEqual([]);
    // "De" is in a description, and nobody asked for that.
    const found = await find("secador de viagem");
    expect(found).toMatchObject({ products: [], messages: [{ code: "no_matches" }] });
    expect(await ids("de")).toEqual(["mask"]);
    expect(await ids('"escova para cabelo"')).toEqual([]);
  });

  it("goes on to the next page as it was read", async () => {
    const { find } = await shop([
      { id: "1", title: "Escova cabelo A" },
      { id: "2", title: "Escova cabelo B" },
    ]);
    const first = await find("escova para cabelo", { limit: 1 });
    const second = await find("escova para cabelo", { limit: 1, cursor: first.nextCursor });
    expect([...first.products, ...second.products].map(({ product_id }) => product_id).toSorted()).toEqual(["1", "2"]);
  });

  it("keeps words that only descriptions have: they are not misspelt", async () => {
    const { find } = await shop([
      { id: "oil", title: "Oil", description: "For every cabelo." },
      { id: "cable", title: "Cable" },
    ]);
    const found = await find("cabelo zzzzzzzz");
    expect(found.products.map(({ product_id }) => product_id)).toEqual(["oil"]);
    expect(found.messages).toMatchObject([{ code: "query_relaxed" }]);
  });

  it("is not mended to what only other stores have", async () => {
    await shop([{ id: "there", title: "Garden center" }]);
    const { find } = await shop([{ id: "creme", title: "Creme leave-in" }]);
    const found = await find("creme para pentear");
    expect(found.products.map(({ product_id }) => product_id)).toEqual(["creme"]);
    expect(found.messages).toMatchObject([{ code: "query_relaxed" }]);
  });

  it("says what to try when there is nothing at all", async () => {
    const { find, store } = await shop([{ id: "it", title: "Kettle" }]);
    const none = (path: string) => ({ products: [], totalCount: 0, messages: [{ code: "no_matches", path }] });
    expect(await find("zzzzzzzz")).toMatchObject(none("query"));
    expect(await find("zzzzzzzz", { filters: { brand: ["none"] } })).toMatchObject(none("query"));
    expect(await find(undefined, { filters: { brand: ["none"] } })).toMatchObject(none("filters"));
    expect((await find("zzzzzzzz")).messages[0]!.content).not.toContain("product_id");
    expect((await find("zzzz-4711")).messages[0]!.content).toContain("give it to get_product");
    await database.sql`update products set excluded = true where store_id = ${store.id}`;
    expect(await find(undefined)).toMatchObject(none("store_ids"));
  });
});

describe("facets", () => {
  it("take spellings together that filters take for one, in the commonest of them", async () => {
    const mugs = (brands: string[], product_type: string) =>
      brands.map((brand, i) => ({
        id: `${product_type.replaceAll(" > ", "-")}${i}`,
        title: "Mug",
        brand,
        product_type,
      }));
    const { find } = await shop([
      ...mugs(["Löhnberg", "Löhnberg", "LOHNBERG", "Tinholt"], "Kitchen > Mugs"),
      ...mugs(["Tinholt", "Tinholt"], "KITCHEN > mugs"),
      ...mugs(["löhnberg"], "Gifts"),
    ]);
    const { facets } = await find("mug");
    const counted = (name: string) =>
      facets.find((facet) => facet.name === name)!.values.map(({ value, count }) => [value, count]);
    expect(counted("brand")).toEqual([
      ["Löhnberg", 4],
      ["Tinholt", 3],
    ]);
    expect(counted("category")).toEqual([
      ["Kitchen > Mugs", 6],
      ["Gifts", 1],
    ]);
    for (const { name, values } of facets.slice(0, 2))
      for (const { value, count } of values)
        expect(
          (await find("mug", { filters: name === "brand" ? { brand: [value] } : { product_type: [value] } }))
            .totalCount,
          value,
        ).toBe(count);
  });

  it("count all matches, not the page, in values that filters take", async () => {
    const { find } = await shop([
      { id: "1", title: "Mug", brand: "Tinholt", product_type: "Kitchen > Mugs", price: "5.00 EUR" },
      {
        id: "2",
        title: "Mug",
        brand: "Tinholt",
        product_type: "Kitchen > Mugs",
        price: "19.99 EUR",
        sale_price: "9.99 EUR",
      },
      {
        id: "3",
        title: "Mug",
        brand: "Quernhill",
        product_type: "Kitchen > Gifts",
        price: "20.00 EUR",
        availability: "out_of_stock",
      },
    ]);
    const found = await find("mug", { limit: 1 });
    expect(found.totalCount).toBe(3);
    expect(found.facets).toEqual([
      {
        name: "brand",
        approximate: false,
        values: [
          { value: "Tinholt", count: 2 },
          { value: "Quernhill", count: 1 },
        ],
      },
      {
        name: "category",
        approximate: false,
        values: [
          { value: "Kitchen > Mugs", count: 2 },
          { value: "Kitchen > Gifts", count: 1 },
        ],
      },
      {
        name: "price",
        approximate: false,
        values: [
          { value: "500-999 EUR", label: "€5.00–€9.99", count: 2 },
          { value: "2000-4999 EUR", label: "€20.00–€49.99", count: 1 },
        ],
      },
      {
        name: "availability",
        approximate: false,
        values: [
          { value: "in_stock", count: 2 },
          { value: "out_of_stock", count: 1 },
        ],
      },
      {
        name: "on_sale",
        approximate: false,
        values: [
          { value: "false", count: 2 },
          { value: "true", count: 1 },
        ],
      },
    ]);
    for (const { name, values } of found.facets) {
      if (name !== "brand" && name !== "category") continue;
      for (const { value, count } of values) {
        const filters = name === "brand" ? { brand: [value] } : { product_type: [value] };
        expect((await find("mug", { filters })).totalCount).toBe(count);
      }
    }
  });

  it("name ten values at most, those of most products", async () => {
    const rows = Array.from({ length: 11 }, (_, i) => ({ id: `${i}`, brand: `Brand ${i}` }));
    const { find } = await shop([...rows, { id: "more", brand: "Brand 10" }]);
    const { values } = (await find(undefined)).facets.find(({ name }) => name === "brand")!;
    expect([values.length, values[0]]).toEqual([10, { value: "Brand 10", count: 2 }]);
  });
});
