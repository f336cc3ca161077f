// What loads make of a store, one after the other: variants and products, what stays, what vanishes, what comes back.
import { describe, expect, it, onTestFinished } from "vitest";
import { testDatabase } from "../support/database";
import { makeStore } from "../support/factories";
import { loadFeed, refusal, stored, tsv } from "../support/feeds/load";

const database = testDatabase();
const monday = new Date("2026-06-01T12:00:00Z");
const tuesday = new Date("2026-06-02T12:00:00Z");

type Rows = Parameters<typeof tsv>[0];

async function storeWith(rows: Rows, given: Parameters<typeof makeStore>[1] = {}) {
  const { id } = await makeStore(database, given);
  const load = (next: Rows, now = tuesday) => loadFeed(database, id, tsv(next), { now });
  const report = await load(rows, monday);
  return { id, report, load };
}
const shoe = (id: string, cells: Record<string, string>) => ({
  ...{ id, item_group_id: "SHOE", title: `Trail Running Shoe - ${cells.color ?? ""}` },
  ...cells,
});
const pump = (width: string) => ({ id: width, item_group_id: "PUMP", title: `Pump ${width}` });

describe("variants of one product", () => {
  it("are one product: what their titles share, their tokens together, every title to be found", async () => {
    const { id, report } = await storeWith([
      shoe("S1", { color: "Red", size: "42", brand: "Fleet", mpn: "F-RED" }),
      shoe("S2", { color: "Blue", size: "43", brand: "Fleet", mpn: "F-BLUE" }),
    ]);
    expect(report).toMatchObject({ rows: 2, loaded: 2, products: 1, warnings: 0 });
    const { products, variants } = await stored(database, id);
    expect(products).toMatchObject([
      {
        product_id: "SHOE",
        item_group_id: "SHOE",
        title: "Trail Running Shoe",
        title_key: "trail running shoe",
        tokens: ["brand=fleet", "color=blue", "color=red", "condition=new", "size=42", "size=43"],
      },
    ]);
    expect(variants.map((variant) => [variant.variant_id, variant.product_id])).toEqual([
      ["S1", "SHOE"],
      ["S2", "SHOE"],
    ]);
    for (const query of ["trail & running", "red & 42", "blue", "f <-> red", "fblue"]) {
      const found = await database.sql`
        select from products where store_id = ${id} and search @@ to_tsquery('aisle', ${query})`;
      expect([query, found.length]).toEqual([query, 1]);
    }
  });

  it("are shown at the price of the cheapest that is to be had, sale included", async () => {
    const { id, load } = await storeWith([
      shoe("S1", { color: "Red", price: "60 EUR" }),
      shoe("S2", { color: "Blue", price: "70 EUR", sale_price: "50 EUR", image_link: "https://shop.example/blue.jpg" }),
      shoe("S3", { color: "Green", price: "40 EUR", availability: "out_of_stock" }),
      shoe("S4", { color: "Pink", price: "45 EUR", availability: "preorder" }),
      shoe("S5", {
        color: "Grey",
        price: "70 EUR",
        sale_price: "1 EUR",
        sale_price_effective_date: "2027-01-01/2027-02-01",
      }),
    ]);
    expect((await stored(database, id)).products).toMatchObject([
      {
        ...{ primary_variant: "S2", price_amount: 7000, sale_price_amount: 5000, availability: "in_stock" },
        ...{ image_link: "https://shop.example/blue.jpg", link: "https://shop.example/p/S2" },
      },
    ]);
    const gone = { availability: "out_of_stock" };
    await load([
      shoe("S1", { color: "Red", price: "60 EUR", ...gone }),
      shoe("S3", { color: "Green", price: "40 EUR", availability: "backorder" }),
      shoe("S4", { color: "Pink", price: "45 EUR", availability: "preorder" }),
    ]);
    expect((await stored(database, id)).products).toMatchObject([{ primary_variant: "S3", availability: "backorder" }]);
    await load([
      shoe("S1", { color: "Red", price: "60 EUR", availability: "discontinued" }),
      shoe("S3", { color: "Green", price: "40 EUR", ...gone }),
    ]);
    expect((await stored(database, id)).products).toMatchObject([
      { primary_variant: "S3", availability: "out_of_stock" },
    ]);
  });

  it.each([
    ["EUR", "USD"],
    ["USD", "EUR"],
  ])(
    "are shown at the price of one in the store's own %s, whatever fewer units of %s there are",
    async (own, other) => {
      const rows = [
        shoe("S1", { color: "Red", price: `9 ${other}` }),
        shoe("S2", { color: "Blue", price: `60 ${own}` }),
        shoe("S3", { color: "Pink", price: `50 ${own}`, availability: "preorder" }),
        shoe("S4", { color: "Grey", price: `70 ${own}` }),
      ];
      const { id, load } = await storeWith(rows, { currency: own });
      const primary = async () => (await stored(database, id)).products.map((product) => product.primary_variant);
      expect(await primary()).toEqual(["S2"]);
      // What can be had now comes before what can be later.
      await load(rows.toSpliced(1, 1).toSpliced(-1, 1));
      expect(await primary()).toEqual(["S1"]);
      // Of what can't be had it is the first, whatever it cost.
      await load(rows.map((row) => ({ ...row, availability: "out_of_stock" })).toReversed());
      expect(await primary()).toEqual(["S4"]);
      await load(rows.map((row) => ({ ...row, availability: "out_of_stock" })));
      expect(await primary()).toEqual(["S1"]);
    },
  );

  it("are never called as one of them whose price is not shown", async () => {
    const bag = (id: string, title: string, cells: Record<string, string>) => ({
      ...{ id, item_group_id: title.slice(0, 3), title, color: id },
      ...cells,
    });
    const rows = (lampB: string) => [
      bag("F1", "Tow Float - 15 L", { price: "32 EUR", availability: "out_of_stock" }),
      bag("F2", "Tow Float - 28 L", { price: "39 EUR" }),
      bag("L1", "Lamp Red Linen", { price: "20 EUR" }),
      bag("L2", "Lamp Blue Linen", { price: lampB }),
      bag("O1", "Orrskar - Red Tent", { brand: "Orrskar", availability: "out_of_stock" }),
      bag("O2", "Orrskar - Blue Tent", { brand: "Orrskar" }),
    ];
    const { id, load } = await storeWith(rows("15 EUR"));
    const titles = async () =>
      (await stored(database, id)).products.map((product) => [product.primary_variant, product.title]);
    const others = [
      ["O2", "Orrskar - Blue Tent"],
      ["F2", "Tow Float"],
    ];
    expect(await titles()).toEqual([["L2", "Lamp Blue Linen"], ...others]);
    await load(rows("25 EUR"));
    expect(await titles()).toEqual([["L1", "Lamp Red Linen"], ...others]);
  });

  it.each([
    ["TSV", () => tsv(["narrow", "wide"].map((width) => ({ ...pump(width), variant_option: `Shoe width:${width}` })))],
    [
      "XML",
      () => {
        const items = ["narrow", "wide"].map((width) => {
          const { id, item_group_id, title } = pump(width);
          return `<item><g:id>${id}</g:id><g:item_group_id>${item_group_id}</g:item_group_id><g:title>${title}</g:title>
            <g:link>https://shop.example/p</g:link><g:price>1 EUR</g:price>
            <g:variant_option><g:name>Shoe width</g:name><g:value>${width}</g:value></g:variant_option></item>`;
        });
        return `<rss xmlns:g="http://base.google.com/ns/1.0"><channel>${items.join("")}</channel></rss>`;
      },
    ],
    [
      "JSON Lines",
      () =>
        ["narrow", "wide"]
          .map((width) => ({ ...pump(width), variant_option: [{ name: "Shoe width", value: width }] }))
          .map((row) => JSON.stringify({ ...row, link: "https://shop.example/p", price: "1 EUR" }))
          .join("\n"),
    ],
  ])("are one product where variant_option alone tells them apart, in %s", async (_, feed) => {
    const { id } = await makeStore(database);
    expect(await loadFeed(database, id, feed())).toMatchObject({ loaded: 2, products: 1 });
    const { variants } = await stored(database, id);
    expect(variants.map(({ attributes }) => attributes)).toEqual(
      ["narrow", "wide"].map((value) => [{ name: "Shoe width", value }]),
    );
  });

  it("are called as their item_group_title says, that of the first that has one, from the load on that brings it", async () => {
    const lamp = (id: string, cells: Record<string, string>) => ({
      ...{ id, item_group_id: "L", title: `${id} linen`, color: id },
      ...cells,
    });
    const rows = [lamp("Red", {}), lamp("Blue", {}), lamp("Pink", {})];
    const { id, load } = await storeWith(rows);
    const told = async () =>
      (await stored(database, id)).products.map(({ title, search }) => [title, /lampet/.test(`${search}`)]);
    expect(await told()).toEqual([["Red linen", false]]);
    const named = rows
      .with(1, lamp("Blue", { item_group_title: "Lampet" }))
      .with(2, lamp("Pink", { item_group_title: "Lampion" }));
    await load(named);
    expect(await told()).toEqual([["Lampet", true]]);
    // A row that is wrong keeps what it said.
    await load(named.map((row) => ({ ...row, price: row.id === "Blue" ? "free" : "3 EUR" })));
    expect(await told()).toEqual([["Lampet", true]]);
    await load(rows);
    expect(await told()).toEqual([["Red linen", false]]);
  });

  it("are one group, and named so, with the row that bears the group's id and names none, whichever is shown", async () => {
    const parent = { ...shoe("SHOE", { color: "Grey", price: "1 EUR" }), item_group_id: "" };
    const { id, load } = await storeWith([parent, shoe("S1", { color: "Red", price: "9 EUR" })]);
    const shown = async () => (await stored(database, id)).products;
    expect(await shown()).toMatchObject([{ product_id: "SHOE", primary_variant: "SHOE", item_group_id: "SHOE" }]);
    await load([parent, shoe("S1", { color: "Red", price: "0.50 EUR" })]);
    expect(await shown()).toMatchObject([{ primary_variant: "S1", item_group_id: "SHOE" }]);
    await load([parent]);
    expect(await shown()).toMatchObject([{ primary_variant: "SHOE", item_group_id: null }]);
  });

  it("take the first picture in the feed where the one that is shown has none", async () => {
    const image_link = "https://shop.example/first.jpg";
    const { id } = await storeWith([
      shoe("S1", { color: "Red", price: "1 EUR", image_link: "" }),
      shoe("S2", { color: "Blue", image_link }),
      shoe("S3", { color: "Green" }),
    ]);
    expect((await stored(database, id)).products).toMatchObject([{ primary_variant: "S1", image_link }]);
  });

  it("take the rating that most reviews stand behind, of those the best", async () => {
    const { id } = await storeWith([
      shoe("S1", { color: "Red", price: "1 EUR", star_rating: "5", review_count: "2" }),
      shoe("S2", { color: "Blue", star_rating: "4.5", review_count: "200" }),
      shoe("S3", { color: "Pink", star_rating: "4.75", review_count: "200" }),
      shoe("S4", { color: "Grey", star_rating: "4.5", review_count: "200" }),
    ]);
    expect((await stored(database, id)).products).toMatchObject([{ rating_value: 4.75, rating_count: 200 }]);
  });

  it("a group of different titles that nothing sets apart is a category: each row is a product, none names the group, and one warning says so", async () => {
    const { id, report, load } = await storeWith([
      { id: "1", item_group_id: "hair", title: "Shampoo" },
      { id: "2", item_group_id: "hair", title: "Conditioner" },
      { id: "3", item_group_id: "hair", title: "Mask" },
      { id: "4", item_group_id: "alone", title: "Comb" },
    ]);
    expect(report).toMatchObject({
      products: 4,
      warnings: 1,
      issues: [{ line: 2, field: "item_group_id", value: "hair", reason: expect.stringContaining("groups 3 rows") }],
    });
    expect((await stored(database, id)).products).toMatchObject([
      { product_id: "1", item_group_id: null, title: "Shampoo" },
      { product_id: "2", item_group_id: null },
      { product_id: "3", item_group_id: null },
      { product_id: "4", item_group_id: null },
    ]);
    await load([
      { id: "1", item_group_id: "hair", title: "Shampoo", size: "S" },
      { id: "2", item_group_id: "hair", title: "Conditioner", size: "M" },
    ]);
    const { products } = await stored(database, id);
    expect(products.filter(({ vanished }) => !vanished)).toMatchObject([{ product_id: "hair", item_group_id: "hair" }]);
  });

  it("nor is one in which all options are the same, as where all is for women", async () => {
    const rows = ["Shampoo", "Conditioner", "Mask"].map((title, i) => ({
      ...{ id: String(i), item_group_id: "hair", title, gender: "female", age_group: "adult" },
      ...{ product_detail: "General:Warranty:2 years", product_weight: `${i + 1} kg`, installment: `6:${i + 1} EUR` },
    }));
    const { report, load, id } = await storeWith(rows);
    expect(report).toMatchObject({
      products: 3,
      warnings: 1,
      issues: [{ field: "item_group_id", reason: expect.stringContaining("groups 3 rows") }],
    });
    // A row that cannot be read stays what it was, and does not join the others.
    await load([rows[0]!, { ...rows[1]!, price: "?" }, rows[2]!]);
    expect((await stored(database, id)).products).toHaveLength(3);
    await load([rows[0]!, { ...rows[1]!, gender: "male" }]);
    const { products } = await stored(database, id);
    expect(products.filter(({ vanished }) => !vanished)).toMatchObject([{ product_id: "hair" }]);
  });

  it.each([
    ["a color", [{ color: "Red" }, {}]],
    ["a detail", [{ product_detail: "General:Scent:Rose" }, {}]],
    [
      "an option that is called as a measure is",
      [{ variant_option: "weight:5 kg" }, { variant_option: "weight:10 kg" }],
    ],
    ["the same title", [{ title: "Shampoo" }, { title: "SHAMPOO" }]],
  ])("%s makes it a group after all", async (_, [one, two]) => {
    const { id, report } = await storeWith([
      { id: "1", item_group_id: "G", ...one },
      { id: "2", item_group_id: "G", ...two },
    ]);
    expect(report).toMatchObject({ products: 1, warnings: 0 });
    expect((await stored(database, id)).products).toMatchObject([{ product_id: "G" }]);
  });

  it("are one product where one attribute holds but markup, and another sets them apart", async () => {
    const shirt = (size: string) => ({
      id: size,
      item_group_id: "SHIRT",
      title: `Shirt - ${size}`,
      color: "&nbsp;",
      size,
    });
    const { id, report } = await storeWith([shirt("S"), shirt("M")]);
    expect(report).toMatchObject({ loaded: 2, products: 1, warnings: 0 });
    expect((await stored(database, id)).products).toMatchObject([{ product_id: "SHIRT", title: "Shirt" }]);
  });

  it.each(["&nbsp;", "<br>", "N/A"])("%s, which says nothing, names no group", async (none) => {
    const { id } = await storeWith([
      { id: "1", item_group_id: none, title: "Shampoo", color: "Red" },
      { id: "2", item_group_id: none, title: "Conditioner", color: "Blue" },
    ]);
    const { products } = await stored(database, id);
    expect(products.map(({ product_id, item_group_id }) => [product_id, item_group_id])).toEqual([
      ["1", null],
      ["2", null],
    ]);
  });

  it("zero, which stands where a product has no parent, names no group, whatever sets its rows apart", async () => {
    const { id, report } = await storeWith([
      { id: "1", item_group_id: "0", title: "Shampoo", color: "Red" },
      { id: "2", item_group_id: " 0 ", title: "Conditioner" },
      { id: "3", item_group_id: "0", title: "Conditioner" },
    ]);
    expect(report).toMatchObject({ loaded: 3, products: 3, warnings: 0 });
    expect((await stored(database, id)).products).toMatchObject([
      { product_id: "1", item_group_id: null, title: "Shampoo" },
      { product_id: "2", item_group_id: null, title: "Conditioner" },
      { product_id: "3", item_group_id: null, title: "Conditioner" },
    ]);
  });

  it("are named rightly however many groups there are", async () => {
    const rows = Array.from({ length: 12_000 }, (_, i) => {
      const group = Math.floor(i / 2);
      return {
        id: `v${i}`,
        item_group_id: `g${group}`,
        color: `c${i % 2}`,
        title: `Cup of Model ${group} / c${i % 2}`,
      };
    });
    const { id, report } = await storeWith(rows);
    expect(report).toMatchObject({ loaded: 12_000, products: 6_000 });
    const wrong = await database.sql`select product_id, title from products
      where store_id = ${id} and title <> 'Cup of Model ' || substr(product_id, 2)`;
    expect(wrong).toHaveLength(0);
  });
});

describe("the next load", () => {
  const rows: Rows = [
    { id: "1", title: "Desk Lamp", description: "Bright." },
    shoe("S1", { color: "Red" }),
    shoe("S2", { color: "Blue", price: "5 EUR" }),
  ];

  it("of the same file changes nothing but the time, and keeps every id", async () => {
    const { id, load } = await storeWith(rows);
    const before = await stored(database, id);
    const ids =
      () => database.sql`select p.id, p.created_at, v.id as variant from products p join variants v on v.product_ref = p.id
      where p.store_id = ${id} order by v.id`;
    const idsBefore = await ids();
    expect(await load(rows)).toMatchObject({ loaded: 3, products: 2, vanished: 0 });
    expect(await stored(database, id)).toEqual(before);
    expect([...(await ids())]).toEqual([...idsBefore]);
    const times = await database.sql`select distinct data_as_of from (
      select data_as_of from products where store_id = ${id} union all select data_as_of from variants where store_id = ${id}) t`;
    expect(times.map((row) => row.data_as_of)).toEqual([tuesday]);
  });

  it("brings what has changed, in one variant, into its product and into search", async () => {
    const { id, load } = await storeWith(rows);
    await load([
      { id: "1", title: "Reading Lamp", description: "Dim.", price: "7 EUR" },
      shoe("S1", { color: "Turquoise", price: "3 EUR" }),
      shoe("S2", { color: "Blue", price: "5 EUR" }),
    ]);
    const { products } = await stored(database, id);
    expect(products).toMatchObject([
      { product_id: "1", title: "Reading Lamp", title_key: "reading lamp", price_amount: 700 },
      { product_id: "SHOE", primary_variant: "S1", price_amount: 300 },
    ]);
    expect(products[0]?.search).toContain("'dim'");
    expect(products[0]?.search).not.toContain("'bright'");
    expect(products[1]?.tokens).toContain("color=turquoise");
    expect(products[1]?.tokens).not.toContain("color=red");
    expect(products[1]?.search).toContain("'turquois'");
    expect(products[1]?.search).not.toContain("'red'");
  });

  it("is as if it had been the first, whatever came before", async () => {
    const next: Rows = [
      { id: "2", title: "Chair" },
      shoe("S2", { color: "Blue", price: "9 EUR" }),
      shoe("S3", { color: "Green" }),
      { id: "S1", title: "Trail Running Shoe - Red", color: "Red" },
    ];
    const [old, fresh] = [await storeWith(rows), await storeWith(next)];
    await old.load(next, monday);
    const { products, variants } = await stored(database, old.id);
    const living = <T extends { vanished?: unknown }>(all: T[]) => all.filter((one) => !one.vanished);
    const expected = await stored(database, fresh.id);
    expect(living(products)).toEqual(expected.products);
    expect(living(variants)).toEqual(expected.variants);
  });

  it("brings each attribute that has changed alone, of a product and of a variant of one", async () => {
    const row = {
      ...{ title: "Mug", description: "For tea.", brand: "Fleet", gtin: "4006381333931", mpn: "F1", sku: "M1" },
      ...{
        condition: "new",
        product_type: "Mugs",
        google_product_category: "Mugs",
        price: "9 EUR",
        sale_price: "8 EUR",
      },
      ...{
        sale_price_effective_date: "2026-01-01/2027-01-01",
        availability: "preorder",
        availability_date: "2026-07-01",
      },
      ...{ expiration_date: "2027-01-01", color: "Red", size: "S", material: "Clay", pattern: "Plain", gender: "male" },
      ...{ age_group: "adult", product_detail: "General:Scent:Rose", product_weight: "300 g", star_rating: "8/10" },
      ...{ review_count: "9", seller_name: "Ann", shipping: "IE:::4 EUR", unit_pricing_measure: "1 kg" },
      ...{ link: "https://shop.example/a", image_link: "https://shop.example/a.jpg" },
      additional_image_link: "https://shop.example/b.jpg",
    };
    const changes: Record<string, string> = {
      ...{ title: "Cup", description: "For milk.", brand: "Tarn", gtin: "4006381333948", mpn: "F2", sku: "M2" },
      ...{
        condition: "used",
        product_type: "Cups",
        google_product_category: "Cups",
        price: "10 EUR",
        sale_price: "7 EUR",
      },
      ...{
        sale_price_effective_date: "2026-01-01/2027-02-01",
        availability: "backorder",
        availability_date: "2026-08-01",
      },
      ...{
        expiration_date: "2027-02-01",
        color: "Blue",
        size: "M",
        material: "Tin",
        pattern: "Dots",
        gender: "female",
      },
      ...{ age_group: "kids", product_detail: "General:Scent:Mint", product_weight: "400 g", star_rating: "8/11" },
      ...{ review_count: "10", seller_name: "Bo", shipping: "IE:::5 EUR", unit_pricing_measure: "2 kg" },
      ...{ link: "https://shop.example/c", image_link: "https://shop.example/c.jpg" },
      additional_image_link: "https://shop.example/d.jpg",
    };
    const names = Object.keys(row);
    expect(Object.keys(changes)).toEqual(names);
    const rows = (more: (name: string) => Record<string, string>) =>
      names.flatMap((name) => [
        { ...row, id: name, ...more(name) },
        { ...row, id: `${name}-1`, item_group_id: `group-${name}`, ...more(name) },
        { ...row, id: `${name}-2`, item_group_id: `group-${name}`, color: "Green", price: "20 EUR" },
      ]);
    const next = rows((name) => ({ [name]: changes[name]! }));
    const [old, fresh] = [await storeWith(rows(() => ({}))), await storeWith(next)];
    await old.load(next);
    expect(await stored(database, old.id)).toEqual(await stored(database, fresh.id));
  });

  it("sees that a product has as many variants as before, but others", async () => {
    const member = (id: string, group: string, color: string) => ({
      id,
      item_group_id: group,
      color,
      title: `Mug ${color}`,
    });
    const before = [
      { ...member("A1", "A", "Red"), price: "1 EUR" },
      member("A2", "A", "Blue"),
      { ...member("B1", "B", "Green"), price: "1 EUR" },
      member("B2", "B", "White"),
    ];
    const [one, other] = [await storeWith(before), await storeWith(before)];
    await one.load([before[0]!, { ...before[3]!, item_group_id: "A" }, before[2]!]);
    await other.load([before[2]!, { ...before[1]!, item_group_id: "B" }, before[0]!]);
    const tokens = async (id: string) => (await stored(database, id)).products.map((product) => product.tokens);
    expect(await tokens(one.id)).toEqual([
      ["color=red", "color=white", "condition=new"],
      ["color=green", "condition=new"],
    ]);
    expect(await tokens(other.id)).toEqual([
      ["color=red", "condition=new"],
      ["color=blue", "color=green", "condition=new"],
    ]);
    expect((await stored(database, one.id)).products[0]?.search).not.toContain("'blue'");
  });

  it("marks what the file no longer has; what comes back is as it was, under its old id", async () => {
    const { id, load } = await storeWith(rows);
    const before = await stored(database, id);
    const idsBefore = await database.sql`select id from products where store_id = ${id} order by id`;
    expect(await load([shoe("S1", { color: "Red" })])).toMatchObject({ loaded: 1, vanished: 2 });
    const { products, variants } = await stored(database, id);
    expect(products).toMatchObject([
      { product_id: "1", vanished: true, availability: "discontinued" },
      { product_id: "SHOE", vanished: false, availability: "in_stock", primary_variant: "S1" },
    ]);
    expect(variants).toMatchObject([
      { variant_id: "1", vanished: true, availability: "discontinued", title: "Desk Lamp" },
      { variant_id: "S1", vanished: false },
      { variant_id: "S2", vanished: true, availability: "discontinued" },
    ]);
    expect(products[1]?.search).not.toContain("'blue'");
    const times = await database.sql`select data_as_of from products where store_id = ${id} and vanished_at is not null
      union select data_as_of from variants where store_id = ${id} and vanished_at is not null`;
    expect(times).toEqual([{ data_as_of: tuesday }]);
    expect(await database.sql`select product_count from stores where id = ${id}`).toEqual([{ product_count: 1 }]);
    expect(await load([shoe("S1", { color: "Red" })])).toMatchObject({ vanished: 0 });
    expect(await load(rows)).toMatchObject({ loaded: 3, vanished: 0 });
    expect(await stored(database, id)).toEqual(before);
    expect([...(await database.sql`select id from products where store_id = ${id} order by id`)]).toEqual([
      ...idsBefore,
    ]);
  });

  it("leaves alone what the merchant has excluded", async () => {
    const { id, load } = await storeWith(rows);
    await database.sql`update products set excluded = true where store_id = ${id} and product_id = '1'`;
    await load([{ id: "1", title: "Other" }]);
    expect((await stored(database, id)).products[0]).toMatchObject({ title: "Other", excluded: true });
  });

  it("of two rows with one id takes the last, and warns of the others", async () => {
    const { id, report } = await storeWith([
      { id: "1", title: "First" },
      { id: "2" },
      { id: "1", title: "Second" },
      { id: "1", title: "Third" },
    ]);
    expect(report).toMatchObject({ rows: 4, loaded: 2, products: 2, rejected: 0, warnings: 2 });
    expect(report.issues.map(({ line, field, value }) => [line, field, value])).toEqual([
      [2, "id", "1"],
      [4, "id", "1"],
    ]);
    expect((await stored(database, id)).products[0]).toMatchObject({ title: "Third" });
  });

  it("that fails in the database changes nothing, and is no refusal", async () => {
    const { id, load } = await storeWith(rows);
    const before = await stored(database, id);
    await database.sql`alter table variants add constraint no_such_size check (size <> 'poison')`;
    try {
      const failure = await load([...rows, { id: "9", size: "poison" }]).catch((error) => error);
      expect(failure).toMatchObject({ code: "23514" });
    } finally {
      await database.sql`alter table variants drop constraint no_such_size`;
    }
    expect(await stored(database, id)).toEqual(before);
    expect(await load(rows)).toMatchObject({ loaded: 3 });
  });

  it("waits for the one before: two at once leave one whole catalogue", async () => {
    const { id } = await makeStore(database);
    const catalogue = (name: string) =>
      tsv(Array.from({ length: 500 }, (_, i) => ({ id: String(i), title: `Thing ${i} of ${name}` })));
    const loads = ["a", "b", "c", "d"].map((name) => loadFeed(database, id, catalogue(name)));
    expect((await Promise.all(loads)).map((report) => report.loaded)).toEqual([500, 500, 500, 500]);
    const names = await database.sql`select distinct right(title, 1) as name from products where store_id = ${id}`;
    expect(names).toHaveLength(1);
  });

  it("is not seen before it is whole", async () => {
    const { id, load } = await storeWith(rows);
    const counts = new Set<number>();
    let done = false;
    const many = Array.from({ length: 3_000 }, (_, i) => ({ id: `n${i}` }));
    const loading = load(many).finally(() => {
      done = true;
    });
    while (!done) {
      const [row] = await database.sql<{ n: number }[]>`
        select count(*)::int as n from products where store_id = ${id} and vanished_at is null`;
      counts.add(row!.n);
    }
    await loading;
    expect([...counts].every((n) => n === 2 || n === 3_000)).toBe(true);
  });

  // Planned for tables that are thought to be empty, an update of many rows takes the square of their number.
  it("is planned for what it brings before anything is updated, whatever was known of the tables", async () => {
    const { sql } = database;
    await sql`create table planned_for (name text, reltuples real)`;
    await sql`
      create function note_statistics() returns trigger language plpgsql as $$ begin
        insert into planned_for select tg_table_name, reltuples from pg_class where oid = tg_relid;
        return null;
      end $$`;
    for (const table of ["products", "variants"])
      await sql`create trigger noting before update on ${sql(table)} for each statement execute function note_statistics()`;
    onTestFinished(async () => void (await sql`drop function note_statistics cascade`));
    const { id } = await makeStore(database);
    const rows = Array.from({ length: 4_000 }, (_, i) => ({ id: `n${i}` }));
    const loading = loadFeed(database, id, tsv(rows));
    // As autovacuum does, which does not see what is not committed.
    const looking = sql`analyze products, variants`;
    await Promise.all([loading, looking]);
    const noted = await sql<{ name: string; least: number }[]>`
      select name, min(reltuples) as least from planned_for group by name order by name`;
    expect(noted.map(({ name }) => name)).toEqual(["products", "variants"]);
    for (const { least } of noted) expect(least).toBeGreaterThanOrEqual(4_000);
  });

  it("reports the first thousand issues, and counts all", async () => {
    const bad = Array.from({ length: 1_500 }, (_, i) => ({ id: `b${i}`, price: "free" }));
    const good = Array.from({ length: 1_600 }, (_, i) => ({ id: `g${i}`, gtin: "1" }));
    const { report } = await storeWith([...bad, ...good]);
    expect(report).toMatchObject({ rows: 3_100, loaded: 1_600, rejected: 1_500, warnings: 1_600 });
    expect(report.issues).toHaveLength(1_000);
  });

  it("of nothing at all is refused", async () => {
    const { load } = await storeWith(rows);
    expect(await refusal(load([]))).toMatchObject({ code: "feed_refused" });
  });
});
