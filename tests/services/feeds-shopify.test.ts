// Shopify's product export, as it comes: no ids, no addresses, and most of a product in its first row alone.
import { describe, expect, it } from "vitest";
import { testDatabase } from "../support/database";
import { makeStore } from "../support/factories";
import { shopify, shopifyRenamed } from "../support/feeds/exports";
import { loadFeed, refusal, stored } from "../support/feeds/load";

const database = testDatabase();
const cdn = (name: string) => `https://cdn.shopify.com/s/files/1/0001/files/${name}.jpg?v=1776179267`;

async function load(content: string, { id }: { id?: string } = {}) {
  const storeId = id ?? (await makeStore(database, { url: "https://loom.example/en-ie" })).id;
  const report = await loadFeed(database, storeId, content, { fileName: "products_export.csv" });
  const said = report.issues.map(({ line, field, reason }) => `${line} ${field} ${reason}`);
  return { storeId, report, said, ...(await stored(database, storeId)) };
}
type Row = Record<string, string>;

const made = (field: string, from: string) => `${field} is missing from the file: each is made from ${from}`;
const ofLink = (line: number) => `${line} ${made("link", "the store's website and the handle")}`;
const told = (line: number) => [`${line} ${made("id", "the handle and the values of the options")}`, ofLink(line)];
const counted = { "Variant Inventory Tracker": "shopify", "Variant Inventory Policy": "deny" };

/** Of two colours and two sizes, with three pictures. */
const tee: Row[] = [
  {
    ...{ Handle: "classic-tee", Title: "Classic Tee", Vendor: "Loom", Type: "T-Shirts", Tags: "summer, cotton" },
    ...{ "Body (HTML)": "<p>Heavy cotton.</p>\n<p>Cut &amp; sewn in Cork.</p>", Published: "true", Status: "active" },
    ...{ "Product Category": "Apparel & Accessories > Clothing > Shirts & Tops", "Google Shopping / Gender": "unisex" },
    ...{ "Option1 Name": "Color", "Option1 Value": "Red", "Option2 Name": "Size", "Option2 Value": "S/M" },
    ...{ "Variant SKU": "'00123", "Variant Barcode": "'4006381333931", "Variant Grams": "180.0", ...counted },
    ...{ "Variant Inventory Qty": "4", "Variant Price": "19.90", "Variant Compare At Price": "24.90" },
    ...{ "Image Src": cdn("front"), "Image Position": "1", "Variant Image": cdn("red"), "Variant Weight Unit": "kg" },
    ...{ "Color (product.metafields.shopify.color-pattern)": "red; blue", "Price / International": "29.90" },
  },
  {
    ...{ Handle: "classic-tee", "Option1 Value": "Red", "Option2 Value": "L", "Variant SKU": "TEE", ...counted },
    ...{ "Variant Grams": "190.0", "Variant Inventory Qty": "0", "Variant Price": "19.90" },
    ...{ "Image Src": cdn("back"), "Image Position": "2" },
  },
  {
    ...{ Handle: "classic-tee", "Option1 Value": "Blue", "Option2 Value": "S/M", "Variant SKU": "TEE", ...counted },
    ...{ "Variant Grams": "0.0", "Variant Inventory Qty": "-3", "Variant Inventory Policy": "continue" },
    ...{ "Variant Price": "21.00" },
  },
  { Handle: "classic-tee", "Image Src": cdn("worn"), "Image Position": "3" },
];

/** What comes in no choice. */
const single = (handle: string, cells: Row = {}): Row => ({
  ...{ Handle: handle, Title: `The ${handle}`, Published: "true", Status: "active", "Variant Price": "9.00" },
  ...{ "Option1 Name": "Title", "Option1 Value": "Default Title", ...counted, "Variant Inventory Qty": "1" },
  ...{ "Image Src": cdn(handle), "Image Position": "1", ...cells },
});

describe("Shopify's export", () => {
  it("is a catalogue: a product of each handle, with what its first row says, its pictures and its page", async () => {
    const { report, said, products, variants } = await load(shopify(tee));
    expect(said).toEqual(told(2));
    const values = report.issues.map(({ value }) => value);
    expect(values).toEqual(["classic-tee/Red/S%2FM", "https://loom.example/products/classic-tee"]);
    expect(report).toMatchObject({ format: "shopify-csv", rows: 3, loaded: 3, products: 1, rejected: 0 });
    expect(products).toMatchObject([
      {
        ...{ product_id: "classic-tee", item_group_id: "classic-tee", title: "Classic Tee", brand: "Loom" },
        product_type: ["Apparel & Accessories", "Clothing", "Shirts & Tops"],
        ...{ link: "https://loom.example/products/classic-tee", primary_variant: "classic-tee/Red/S%2FM" },
      },
    ]);
    expect(products[0]!.tokens).toContain("type=t-shirts");
    const whole = {
      ...{ title: "Classic Tee", description: "Heavy cotton.\nCut & sewn in Cork.", brand: "Loom", gender: "unisex" },
      ...{ link: "https://loom.example/products/classic-tee", item_group_id: "classic-tee", currency: "EUR" },
    };
    const pictures = [cdn("front"), cdn("back"), cdn("worn")];
    expect(variants).toMatchObject([
      {
        ...{ ...whole, variant_id: "classic-tee/Blue/S%2FM", color: "Blue", size: "S/M", availability: "backorder" },
        ...{ price_amount: 2100, sale_price_amount: null, attributes: [], image_link: pictures[0] },
      },
      {
        ...{ ...whole, variant_id: "classic-tee/Red/L", color: "Red", size: "L", availability: "out_of_stock" },
        ...{ sku: "TEE", image_link: pictures[0], additional_image_links: pictures.slice(1) },
      },
      {
        ...{ ...whole, variant_id: "classic-tee/Red/S%2FM", color: "Red", size: "S/M", availability: "in_stock" },
        ...{ sku: "00123", gtin: "04006381333931", price_amount: 2490, sale_price_amount: 1990 },
        attributes: [{ name: "weight", value: "180", unit: "g" }],
        ...{ image_link: cdn("red"), additional_image_links: pictures },
      },
    ]);
  });

  it("says the same under the names that its columns have now", async () => {
    const rows = [...tee, single("mug", { "Variant Inventory Tracker": "" })];
    const [before, now] = [await load(shopify(rows)), await load(shopifyRenamed(rows))];
    expect(now.report.format).toBe("shopify-csv");
    expect([now.products, now.variants, now.said]).toEqual([before.products, before.variants, before.said]);
  });

  it("has one of what comes in no choice, known by its handle, and what a litre of it costs", async () => {
    const measured = { "Unit Price Total Measure": "500.0", "Unit Price Total Measure Unit": "ml" };
    const base = { "Unit Price Base Measure": "1.0", "Unit Price Base Measure Unit": "l" };
    const { products, variants } = await load(shopify([single("olive-oil", { ...measured, ...base })]));
    expect(products).toMatchObject([{ product_id: "olive-oil", item_group_id: null }]);
    expect(variants).toMatchObject([
      { variant_id: "olive-oil", attributes: [], unit_pricing_measure: "500 ml / 1 l", additional_image_links: [] },
    ]);
  });

  it.each<[Row, string]>([
    [{ "Variant Inventory Tracker": "", "Variant Inventory Qty": "0" }, "in_stock"],
    [{ "Variant Inventory Qty": "7" }, "in_stock"],
    [{ "Variant Inventory Qty": "0" }, "out_of_stock"],
    [{ "Variant Inventory Qty": "-2" }, "out_of_stock"],
    [{ "Variant Inventory Qty": "0", "Variant Inventory Policy": "continue" }, "backorder"],
    [{ "Variant Inventory Qty": "0", "Variant Inventory Policy": "CONTINUE" }, "backorder"],
    [{ "Variant Inventory Qty": "7", "Variant Inventory Policy": "continue" }, "in_stock"],
  ])("tells what can be bought as the shop sells it: %j is %s", async (cells, availability) => {
    const { said, variants } = await load(shopify([single("mug", cells)]));
    expect([said, variants[0]!.availability]).toEqual([told(2), availability]);
  });

  it("counts as in stock, with a warning, where several places have the stock and it has no counts", async () => {
    const content = shopify([single("mug")]).replace("Variant Inventory Qty", "Inventory at Cork");
    const { said, variants } = await load(content);
    expect(said).toEqual(["2 availability is missing from the file: every product counts as in stock", ...told(2)]);
    expect(variants[0]!.availability).toBe("in_stock");
  });

  it.each<Row>([{ Status: "draft" }, { Status: "archived" }, { Status: "unlisted" }, { Published: "false" }])(
    "keeps every variant from agents of a product that is %j",
    async (withheld) => {
      const { storeId } = await load(shopify([...tee, single("mug")]));
      const { products, said } = await load(shopify([{ ...tee[0]!, ...withheld }, ...tee.slice(1), single("mug")]), {
        id: storeId,
      });
      expect(products.map((product) => product.product_id)).toEqual(["mug"]);
      const [field] = Object.keys(withheld);
      const kept = (line: number) => `${line} ${field!.toLowerCase()} keeps the row from agents: not loaded`;
      expect(said).toEqual([kept(2), kept(4), kept(5), ...told(7)]);
    },
  );

  it("leads to the address that its merchant has added, of the product or of one variant", async () => {
    const [first, second, ...rest] = tee as [Row, Row, ...Row[]];
    const added = [
      { ...first, Link: "https://loom.example/tee" },
      { ...second, Link: "https://loom.example/tee?l" },
    ];
    const { said, variants } = await load(shopify([...added, ...rest, single("mug")], ["Link"]));
    expect(said).toEqual([told(2)[0], ofLink(7)]);
    expect(variants.map((variant) => variant.link)).toEqual([
      "https://loom.example/tee",
      "https://loom.example/tee?l",
      "https://loom.example/tee",
      "https://loom.example/products/mug",
    ]);
  });

  it("knows no two things by one id: options with a slash, a handle of another script, one that is too long for an id", async () => {
    const options = (...values: [string, string][]) =>
      values.map(([one, other], i) => ({
        ...(i === 0 ? single("x") : {}),
        ...{ "Option1 Name": i === 0 ? "One" : "", "Option2 Name": i === 0 ? "Other" : "", "Variant Price": "1" },
        ...{ "Option1 Value": one, "Option2 Value": other, "Variant Inventory Tracker": "" },
      }));
    const of = (handle: string, rows: Row[]) => rows.map((row) => ({ ...row, Handle: handle }));
    const long = "l".repeat(250);
    const { said, products, variants } = await load(
      shopify([
        ...of("a", options(["b/c", "d"], ["b", "c/d"], ["b%2Fc", "d"])),
        ...of("茶碗", options(["大", "青"])),
        ...of(long, options(["S", "red"], ["L", "red"])),
      ]),
    );
    expect(said).toEqual(told(2));
    const ids = variants.map((variant) => variant.variant_id as string);
    expect(ids.slice(0, 3)).toEqual(["a/b%252Fc/d", "a/b%2Fc/d", "a/b/c%2Fd"]);
    expect([new Set(ids).size, ids.every((id) => id.length <= 200)]).toEqual([6, true]);
    expect(products.map((product) => product.link)).toEqual([
      "https://loom.example/products/a",
      `https://loom.example/products/${long}`,
      "https://loom.example/products/%E8%8C%B6%E7%A2%97",
    ]);
  });

  it("gives all variants of a product what its first row says, however many they are", async () => {
    const sizes = Array.from({ length: 2_100 }, (_, i) => ({
      ...{
        Handle: "screw",
        "Option1 Value": `M${i}`,
        "Variant Price": "1.00",
        ...counted,
        "Variant Inventory Qty": "1",
      },
    }));
    const first = { ...single("screw"), "Option1 Name": "Size", ...sizes[0]!, "Body (HTML)": "Steel." };
    const { report, variants } = await load(shopify([first, ...sizes.slice(1), single("mug")]));
    expect(report).toMatchObject({ rows: 2_101, loaded: 2_101, products: 2, rejected: 0 });
    const screws = variants.filter((variant) => variant.product_id === "screw");
    expect(
      new Set(screws.map(({ title, description, image_link }) => `${title} ${description} ${image_link}`)),
    ).toEqual(new Set([`The screw Steel. ${cdn("screw")}`]));
  });

  it("has descriptions of any number of lines", async () => {
    const rows = Array.from({ length: 1_500 }, (_, i) => `<tr>\n<td>Size ${i}, "slim"</td>\n\n</tr>`);
    const table = { "Body (HTML)": `<table>\n${rows.join("\n")}\n</table>` };
    const { report, said, variants } = await load(shopify([single("tee", table), single("mug")]));
    expect(report).toMatchObject({ rows: 2, loaded: 2, rejected: 0 });
    expect(said).toContain("2 description is longer than 10,000 characters; cut");
    expect(variants[1]!.description).toMatch(/^Size 0, "slim"\nSize 1, "slim"\n/);
  });

  it("loses no other row to one that is wrong, and leaves what was loaded of it", async () => {
    const { storeId, variants: before } = await load(shopify([...tee, single("mug")]));
    const [header, first, second, ...rest] = shopify(tee.map((row) => ({ ...row, "Body (HTML)": "" }))).split("\n");
    const { report, said, variants } = await load([header, first, `${second},more`, ...rest].join("\n"), {
      id: storeId,
    });
    expect(report).toMatchObject({ rows: 3, loaded: 2, rejected: 1, vanished: 1 });
    expect(said.filter((reason) => reason.startsWith("3 "))).toEqual([
      "3 row has 55 columns, and the header has 54: put cells that have a comma in quotes",
    ]);
    const red = (of: typeof variants) => of.find((variant) => variant.variant_id === "classic-tee/Red/L");
    expect(red(variants)).toMatchObject({ vanished: false, description: red(before)!.description });
  });

  it("names the rows whose product is not known: those apart from their first one, and those without a handle", async () => {
    const [first, ...others] = tee as [Row, ...Row[]];
    const content = shopify([
      first,
      ...others.slice(1),
      single("mug"),
      others[0]!,
      single(""),
      single("cup"),
      single("pot"),
    ]);
    const { report, said } = await load(content);
    expect(report).toMatchObject({ rows: 7, loaded: 5, rejected: 2 });
    expect(said.slice(2)).toEqual([
      "7 handle has no title: the first row of a handle has it, and its others must follow that one",
      "8 handle is missing",
    ]);
  });
});

describe("what is not Shopify's export", () => {
  it.each<[string, string]>([
    ["one that lacks its prices", shopify(tee).replace("Variant Price", "Cost")],
    [
      "an app's, with ids of its own",
      shopify(tee)
        .replace("Handle", "ID,Handle")
        .replace(/^(?!ID)/gm, "1,"),
    ],
  ])("is refused with what it lacks, and what to do: %s", async (_, content) => {
    const { id } = await makeStore(database);
    const { message } = await refusal(loadFeed(database, id, content, { fileName: "products.csv" }));
    expect(message).toMatch(
      /^The header has no column for .*link and price, which every product needs\. Add a column link/,
    );
    expect(message).toContain("Shopify's and WooCommerce's own product exports need none");
  });

  it("does not get links from a handle", async () => {
    const { id } = await makeStore(database);
    const content = "id,title,price,handle\n1,Lamp,9 EUR,lamp\n";
    const { message } = await refusal(loadFeed(database, id, content, { fileName: "feed.csv" }));
    expect(message).toContain("no column for link,");
  });
});
