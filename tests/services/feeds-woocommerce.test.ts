// WooCommerce's product export, as it comes: no addresses, and variations that leave out what they have from their parents.
import { describe, expect, it } from "vitest";
import { testDatabase } from "../support/database";
import { makeStore } from "../support/factories";
import { languages, woocommerce, woocommerceIn } from "../support/feeds/exports";
import { loadFeed, refusal, stored } from "../support/feeds/load";

const database = testDatabase();
type Row = Record<string, string>;

async function load(content: string, url = "https://loom.example") {
  const { id } = await makeStore(database, { url });
  const report = await loadFeed(database, id, content, { fileName: "wc-product-export.csv" });
  const said = report.issues.map(({ line, field, reason }) => `${line} ${field} ${reason}`);
  return { storeId: id, report, said, ...(await stored(database, id)) };
}

const image = (name: string) => `https://loom.example/wp-content/uploads/${name}.jpg`;
const MADE = "is missing from the file: each is made from the store's website and the product's ID";
const told = (line: number) => `${line} link ${MADE}`;
const shown = { Published: "1", "Visibility in catalog": "visible", "In stock?": "1" };

const parent: Row = {
  ...{ ID: "12", Type: "variable", SKU: "TEE", Name: "Tee", ...shown, Brands: "Loom", Stock: "5" },
  ...{ "Short description": "Soft.", Description: "<b>Heavy</b> cotton.\\nSays \\\\n on it.", "Weight (kg)": "0.2" },
  ...{ Categories: "Wear > Tees, Sale", Images: `${image("front")}, ${image("back")}` },
  ...{ "Attribute 1 name": "Colour", "Attribute 1 value(s)": "Red, Grey\\, dark", "Attribute 1 default": "Red" },
};
const variation = (id: string, colour: string, cells: Row = {}): Row => ({
  ...{ ID: id, Type: "variation", Name: `Tee - ${colour.replace("\\", "")}`, ...shown, "Regular price": "19,90" },
  ...{ Parent: "TEE", "Attribute 1 name": "Colour", "Attribute 1 value(s)": colour, ...cells },
});
const simple = (id: string, cells: Row = {}): Row => ({
  ...{ ID: id, Type: "simple", Name: `Thing ${id}`, ...shown, "Regular price": "5", Images: image(id), ...cells },
});

describe("WooCommerce's export", () => {
  it("is a catalogue: variations have what they lack from their parent, and each leads to its product's page", async () => {
    const own = { SKU: "TEE-R", Images: image("red"), "Sale price": "15", "Weight (kg)": "0.3", Description: "Red." };
    const { report, said, products, variants } = await load(
      woocommerce([
        parent,
        variation("14", "Red", own),
        variation("15", "Grey\\, dark", { "In stock?": "backorder", Stock: "parent" }),
      ]),
    );
    expect(said).toEqual([told(3)]);
    expect(report.issues[0]).toMatchObject({ value: "https://loom.example/?p=12" });
    expect(report).toMatchObject({ format: "woocommerce-csv", rows: 2, loaded: 2, products: 1, rejected: 0 });
    const link = "https://loom.example/?p=12";
    expect(products).toMatchObject([
      { product_id: "12", item_group_id: "12", title: "Tee", brand: "Loom", product_type: ["Wear", "Tees"], link },
    ]);
    expect(products[0]!.tokens).toContain("type=sale");
    expect(variants).toMatchObject([
      {
        ...{
          variant_id: "14",
          sku: "TEE-R",
          title: "Tee - Red",
          description: "Red.",
          color: "Red",
          brand: "Loom",
          link,
        },
        ...{ price_amount: 1990, sale_price_amount: 1500, image_link: image("red"), additional_image_links: [] },
        attributes: [{ name: "weight", value: "0.3", unit: "kg" }],
      },
      {
        ...{ variant_id: "15", title: "Tee - Grey, dark", description: "Heavy cotton.\nSays \\n on it." },
        ...{ color: "Grey, dark", availability: "backorder", product_type: ["Wear", "Tees"], link },
        ...{ image_link: image("front"), additional_image_links: [image("back")] },
        attributes: [{ name: "weight", value: "0.2", unit: "kg" }],
      },
    ]);
  });

  it.each(languages)("is the same one where its columns are named in %s", async (language) => {
    const rows = [
      parent,
      variation("14", "Red", {
        ...{ SKU: "TEE-R", "GTIN, UPC, EAN, or ISBN": "4006381333931", "Sale price": "15,50", "Length (cm)": "30" },
        ...{
          "Date sale price starts": "2026-05-01 00:00:00",
          "Date sale price ends": "2026-05-31 23:59:59",
          Images: image("red"),
        },
      }),
      variation("15", "Blue", { "In stock?": "0", Stock: "0", "Width (cm)": "5", "Height (cm)": "2" }),
      simple("21", { Published: "0" }),
      simple("22", { "Short description": "Small.", Categories: "Things", Brands: "Loom", Stock: "3" }),
    ].map(({ "Attribute 1 default": _, ...cells }: Row) => cells);
    const found = async (content: string) => {
      const { report, said, products, variants } = await load(content);
      const { format, rows: count, loaded, rejected } = report;
      return { format, count, loaded, rejected, said, products, variants };
    };
    const inEnglish = await found(woocommerce(rows));
    expect(inEnglish).toMatchObject({ format: "woocommerce-csv", loaded: 3, rejected: 0 });
    expect(await found(woocommerceIn(language, rows))).toEqual(inEnglish);
  });

  it("has all its attributes, also beyond the third", async () => {
    const attributes = { "Attribute 1 name": "Colour", "Attribute 1 value(s)": "Red" };
    const more = { "Attribute 4 name": "Fit", "Attribute 4 value(s)": "Loose\\, long", "Attribute 12 name": "Care" };
    const { variants } = await load(
      woocommerce(
        [simple("21", { ...attributes, ...more, "Attribute 12 value(s)": "'=30 °C" }), simple("22", more)],
        [...Object.keys(more), "Attribute 12 value(s)"],
      ),
    );
    expect(variants.map(({ color, attributes }) => [color, attributes])).toEqual([
      [
        "Red",
        [
          { name: "Fit", value: "Loose, long" },
          { name: "Care", value: "=30 °C" },
        ],
      ],
      [null, [{ name: "Fit", value: "Loose, long" }]],
    ]);
  });

  it.each(["Uncategorized", "Non classé", "Unkategorisiert", "Bez kategorii"])(
    "has no category where its shop has put a thing in none: %s",
    async (none) => {
      const { variants } = await load(
        woocommerce([simple("21", { Categories: none }), simple("22", { Categories: `${none}, Wear > Tees` })]),
      );
      expect(variants.map(({ product_type }) => product_type)).toEqual([null, ["Wear", "Tees"]]);
      expect(variants[1]!.tokens).not.toContain(`type=${none.toLowerCase()}`);
    },
  );

  it("leads to a shop in a folder, and to its own page of what is sold elsewhere", async () => {
    const outside = simple("22", { Type: "external", "External URL": "https://elsewhere.example/22" });
    const { said, variants } = await load(
      woocommerce([simple("21", { Type: "simple, virtual" }), outside]),
      "https://loom.example/shop/?lang=en",
    );
    expect(said).toEqual([told(2)]);
    const links = ["https://loom.example/shop/?p=21", "https://loom.example/shop/?p=22"];
    expect(variants.map((variant) => variant.link)).toEqual(links);
  });

  it("leads to the address that its merchant has added", async () => {
    const added = { Permalink: "https://loom.example/tee?red" };
    const rows = [parent, variation("14", "Red", added), variation("15", "Blue")];
    const { said, variants } = await load(woocommerce(rows, ["Permalink"]));
    expect(said).toEqual([told(4)]);
    expect(variants.map((variant) => variant.link)).toEqual([added.Permalink, "https://loom.example/?p=12"]);
  });

  it("has no row of its own for what is a group of others, nor an error", async () => {
    const grouped = { ID: "30", Type: "grouped", Name: "Both", ...shown, "Grouped products": "id:21, id:22" };
    const { report, said } = await load(woocommerce([simple("21"), simple("22"), grouped]));
    expect([report.rows, report.loaded, said]).toEqual([2, 2, [told(2)]]);
  });

  it("is read as it was meant, where that would be a formula in a spreadsheet", async () => {
    const minus = { ...parent, SKU: "'-TEE", Name: "'=Tee" };
    const { products, variants } = await load(
      woocommerce([
        minus,
        variation("13", "Red", { Parent: "'-TEE", SKU: "'@R" }),
        variation("14", "Blue", { Parent: "'-TEE" }),
        simple("15", { Name: "'n Roll" }),
      ]),
    );
    expect(products.map((product) => [product.product_id, product.title])).toEqual([
      ["12", "=Tee"],
      ["15", "'n Roll"],
    ]);
    expect(variants[0]).toMatchObject({ sku: "@R", link: "https://loom.example/?p=12" });
  });

  it.each<[Row, string]>([
    [{ Published: "-1" }, "published"],
    [{ Published: "0" }, "published"],
    [{ Published: "2" }, "status"],
    [{ "Visibility in catalog": "hidden" }, "visibility"],
  ])("keeps from agents what it has not published, with its variations: %j", async (withheld, field) => {
    const { report, said, variants } = await load(
      woocommerce([{ ...parent, ...withheld }, variation("14", "Red"), simple("21"), simple("22", withheld)]),
    );
    expect(variants.map((variant) => variant.variant_id)).toEqual(["21"]);
    const kept = (line: number) => `${line} ${field} keeps the row from agents: not loaded`;
    expect([report.rejected, said]).toEqual([0, [kept(3), told(4), kept(5)]]);
  });

  it("knows a parent without a SKU by its ID, also where the file leaves it out", async () => {
    const named = (id: string) => ({ Parent: `id:${id}` });
    const { said, products, variants } = await load(
      woocommerce([
        { ...parent, SKU: "" },
        variation("14", "Red", named("12")),
        variation("50", "Blue", { ...named("49"), Images: image("blue") }),
      ]),
    );
    expect(said).toEqual([told(3)]);
    expect(products.map((product) => product.product_id)).toEqual(["12", "49"]);
    expect(variants.map((variant) => [variant.brand, variant.link])).toEqual([
      ["Loom", "https://loom.example/?p=12"],
      [null, "https://loom.example/?p=49"],
    ]);
  });

  it("names a variation whose parent is in no row above it, and loads the others", async () => {
    const { report, said } = await load(
      woocommerce([variation("14", "Red"), simple("21"), parent, variation("15", "Blue")]),
    );
    expect(report).toMatchObject({ rows: 3, loaded: 2, rejected: 1 });
    expect(said).toEqual(["2 parent is in no row above: the address of its product is not known without it", told(3)]);
  });

  it("is refused without the columns that tell it, with what to do", async () => {
    const { id } = await makeStore(database);
    const content = woocommerce([simple("21")]).replace("Visibility in catalog", "Shown in catalog");
    const { message } = await refusal(loadFeed(database, id, content, { fileName: "wc-product-export.csv" }));
    expect(message).toMatch(/^The header has no column for link, which every product needs\. Add a column link/);
    expect(message).toContain("WooCommerce's own product exports need none, if they have all their columns");
  });
});
