// Files with the columns of shop systems' own exports, where their merchants add the addresses that these leave out.
import { describe, expect, it } from "vitest";
import { testDatabase } from "../support/database";
import { makeStore } from "../support/factories";
import { loadFeed, refusal, stored } from "../support/feeds/load";

const database = testDatabase();
const now = new Date("2026-06-01T12:00:00Z");

async function load(content: string, fileName = "export.csv") {
  const { id } = await makeStore(database);
  const report = await loadFeed(database, id, content, { fileName, now });
  const said = report.issues.map(({ line, field, reason }) => `${line} ${field} ${reason}`);
  return { said, ...(await stored(database, id)) };
}
/** A table of one row, and of a good one. */
async function row(cells: Record<string, string>) {
  const all = { id: "1", title: "Tee", link: "https://x.example/1", image_link: "https://x.example/1.jpg", ...cells };
  const full = { price: "20", availability: "in_stock", ...all };
  const { variants, said } = await load([Object.keys(full), Object.values(full)].map(csv).join("\n"));
  return { variant: variants[0]!, said };
}
const csv = (cells: string[]): string => cells.map((cell) => `"${cell}"`).join(",");
const types = (variant: Record<string, unknown>) =>
  (variant.tokens as string[]).filter((token) => token.startsWith("type=")).sort();

describe("WooCommerce's export", () => {
  it("is read as its shop means it, with a column for the product's address", async () => {
    const columns = `ID,Type,SKU,"GTIN, UPC, EAN, or ISBN",Name,Published,In stock?,Stock,Weight (kg),Length (cm),Sale price,Regular price,Categories,Images,Parent,Brands,Attribute 1 name,Attribute 1 value(s),Permalink`;
    const link = "https://x.example/tee";
    const { products, variants, said } = await load(
      [
        columns,
        `12,variation,T-R,4006381333931,Tee - Red,1,1,4,0.2,30,15,19.90,"Wear > Tees, Wear > Men",${link}.jpg,TEE,Acme,Colour,Red,${link}?c=red`,
        `13,variation,T-B,,Tee - Blue,1,backorder,,0.2,,,19.90,"Wear > Tees, Wear > Men",${link}.jpg,TEE,Acme,Colour,Blue,${link}?c=blue`,
      ].join("\n"),
    );
    expect(said).toEqual([]);
    expect(products).toMatchObject([
      { item_group_id: "TEE", title: "Tee", brand: "Acme", product_type: ["Wear", "Tees"] },
    ]);
    expect(variants).toMatchObject([
      {
        ...{ variant_id: "12", gtin: "04006381333931", color: "Red", price_amount: 1990, sale_price_amount: 1500 },
        attributes: [
          { name: "weight", value: "0.2", unit: "kg" },
          { name: "length", value: "30", unit: "cm" },
        ],
      },
      { variant_id: "13", color: "Blue", sale_price_amount: null, availability: "backorder", link: `${link}?c=blue` },
    ]);
    expect(types(variants[0]!)).toEqual(["type=wear", "type=wear > men", "type=wear > tees"]);
  });

  it("has a list of categories parted by commas, of which a name has its own behind a backslash", async () => {
    const { variant } = await row({ Categories: "Bags\\, Belts > Belts, Sale" });
    expect([variant.product_type, types(variant)]).toEqual([
      ["Bags, Belts", "Belts"],
      ["type=bags, belts", "type=bags, belts > belts", "type=sale"],
    ]);
    const one = await row({ Category: "Bags, Belts > Belts" });
    expect(one.variant.product_type).toEqual(["Bags, Belts", "Belts"]);
    const lamp = { id: "1", name: "Lamp", price: "9 EUR", availability: "in_stock", image: "https://x.example/i.jpg" };
    const json = async (categories: unknown) => {
      const { variants } = await load(
        JSON.stringify({ ...lamp, permalink: "https://x.example/l", categories }),
        "f.jsonl",
      );
      return types(variants[0]!);
    };
    expect(await json("Light, Sale")).toEqual(["type=light", "type=sale"]);
    expect(await json(["Light, Lamps"])).toEqual(["type=light, lamps"]);
    const xml = async (categories: string) => {
      const fields = "<id>1</id><title>Lamp</title><price>9 EUR</price><permalink>https://x.example/l</permalink>";
      const { variants } = await load(
        `<rss><channel><item>${fields}<categories>${categories}</categories></item></channel></rss>`,
        "f.xml",
      );
      return types(variants[0]!);
    };
    expect(await xml("Light, Sale")).toEqual(["type=light", "type=sale"]);
    expect(await xml("<category>Light, Lamps</category>")).toEqual(["type=light, lamps"]);
  });

  it("has in JSON each of its dimensions, those that it has", async () => {
    const mug = { id: "1", name: "Mug", price: "9 EUR", stock_status: "instock", permalink: "https://x.example/m" };
    const measured = async (said: object) => {
      const { variants } = await load(JSON.stringify({ ...mug, ...said }), "f.jsonl");
      return variants[0]!.attributes;
    };
    expect(await measured({ dimensions: { length: "10", width: "", height: "5.5" }, dimensions_unit: "cm" })).toEqual([
      { name: "length", value: "10", unit: "cm" },
      { name: "height", value: "5.5", unit: "cm" },
    ]);
    expect(await measured({ width: "3 in", dimensions: { length: 10, width: 7, unit: "cm" } })).toEqual([
      { name: "length", value: "10", unit: "cm" },
      { name: "width", value: "3", unit: "in" },
    ]);
    expect(await measured({ dimensions: { length: "", width: "", height: "" } })).toEqual([]);
    expect(await measured({ dimensions: "10 x 5 cm" })).toEqual([{ name: "dimensions", value: "10 x 5 cm" }]);
  });

  it("names what comes in no choice by no option", async () => {
    const option = { "Option1 Name": "Title", "Option1 Value": "Default Title" };
    expect((await row(option)).variant.attributes).toEqual([]);
    expect((await row({ "Option1 Name": "Width", "Option1 Value": "Wide" })).variant.attributes).toEqual([
      { name: "Width", value: "Wide" },
    ]);
  });
});

describe("Magento's export", () => {
  it("has categories under its root, beside a product_type that is none, and a picture of its own", async () => {
    const mug = { product_type: "simple", base_image: "https://x.example/base.jpg", image_link: "" };
    const { variant, said } = await row({
      ...{ ...mug, additional_images: "https://x.example/2.jpg,https://x.example/3.jpg" },
      categories: "Default Category/Kitchen/Mugs,Default Category/Gifts,Default Category",
    });
    expect(said).toEqual([]);
    expect([variant.product_type, types(variant)]).toEqual([
      ["Kitchen", "Mugs"],
      ["type=gifts", "type=kitchen", "type=kitchen > mugs"],
    ]);
    expect(variant).toMatchObject({
      image_link: "https://x.example/base.jpg",
      additional_image_links: ["https://x.example/2.jpg", "https://x.example/3.jpg"],
    });
    expect((await row({ product_type: "Configurable" })).variant.product_type).toBeNull();
    expect((await row({ product_type: "Simple", categories: "" })).variant.product_type).toBeNull();
    expect((await row({ product_type: "Mugs / Cups", categories: "Sale" })).variant.product_type).toEqual([
      "Mugs / Cups",
    ]);
  });
});

describe("what a thing costs otherwise, beside what it costs now", () => {
  it.each([
    [{ price: "15", regular_price: "20" }, [2000, 1500]],
    [{ price: "15", "Compare-at price": "20" }, [2000, 1500]],
    [{ price: "15", sale_price: "15", regular_price: "20" }, [2000, 1500]],
    [{ price: "15", sale_price: "15", regular_price: "20", sale_end_date: "2026-05-01" }, [2000, 1500, "2026-05-02"]],
    [{ price: "15", sale_price: "N/A", compare_at_price: "20" }, [2000, 1500]],
    [{ price: "20", sale_price: "15", compare_at_price: "30" }, [2000, 1500]],
    [{ price: "20", regular_price: "20" }, [2000, null]],
    [{ price: "20", compare_at_price: "0.00" }, [2000, null]],
    [{ price: "20", compare_at_price: "30 USD" }, [2000, null]],
    [{ price: "20", compare_at_price: "none" }, [2000, null]],
    [{ price: "20", list_price: "30" }, [2000, null]],
  ])("%j", async (cells, [price, sale, end]) => {
    const { variant, said } = await row(cells);
    const { price_amount, sale_price_amount, sale_ends_at } = variant;
    expect([price_amount, sale_price_amount, said]).toEqual([price, sale, []]);
    expect((sale_ends_at as Date | null)?.toISOString().slice(0, 10)).toBe(end);
  });
});

describe("numbered columns of pictures", () => {
  it("are each a picture, in their order", async () => {
    const named = (...names: string[]) =>
      row(Object.fromEntries(names.map((name, i) => [name, `https://x.example/${"abc"[i]}.jpg`])));
    const shown = async (...names: string[]) => (await named(...names)).variant.additional_image_links;
    const both = ["https://x.example/a.jpg", "https://x.example/b.jpg"];
    expect(await shown("additional_image_link_1", "additional_image_link_2")).toEqual(both);
    expect(await shown("Additional Image 1", "Additional Image 2")).toEqual(both);
    expect(await shown("additional_image_link[0]", "additional_image_link[1]")).toEqual(both);
    expect(await shown("image[1].url", "image[2].url")).toEqual(both);
  });
});

describe("BigCommerce's export", () => {
  it("has a category beside a product type that tells a thing from a download", async () => {
    const typed = async (cells: Record<string, string>) => (await row(cells)).variant.product_type;
    expect(await typed({ "Product Type": "P", Category: "Kitchen > Mugs" })).toEqual(["Kitchen", "Mugs"]);
    expect(await typed({ "Product Type": "D" })).toBeNull();
    expect(await typed({ "Product Type": "Mugs", Category: "Kitchen" })).toEqual(["Mugs"]);
  });
});

describe("an export whose columns are named otherwise, or that has no addresses", () => {
  it.each([
    [
      "Shopware",
      "id;parent_id;product_number;active;stock;name;description;price_net;price_gross;cover_media_url",
      "link and price",
    ],
    [
      "PrestaShop",
      `"Product ID";"Image";"Name";"Reference";"Category";"Price (tax excl.)";"Price (tax incl.)";"Quantity"`,
      "link",
    ],
    [
      "OpenCart",
      "product_id,name(en-gb),categories,sku,ean,quantity,model,manufacturer,image_name,price,weight,status",
      "link",
    ],
    [
      "Wix",
      "handleId,fieldType,name,description,productImageUrl,collection,sku,ribbon,price,visible,inventory,weight",
      "link",
    ],
  ])("is refused with what it lacks and what to send: %s", async (_, header, lacking) => {
    const { id } = await makeStore(database);
    const { message } = await refusal(loadFeed(database, id, `${header}\n1\n`, { fileName: "export.csv" }));
    expect(message).toContain(`no column for ${lacking}, which every product needs. Add a column link`);
    expect(message).toContain("or send your shop system's feed for Google Merchant Center.");
  });

  it("is refused with what to send where no column of it is known, or an address is all that it has", async () => {
    const { id } = await makeStore(database);
    const said = async (header: string) =>
      (await refusal(loadFeed(database, id, `${header}\n1,2\n`, { fileName: "export.csv" }))).message;
    expect(await said("Kod,Nazwa")).toMatch(/known attribute, such as .+\. Name its columns so, or send your shop/);
    expect(await said("id,link")).toBe(
      "The header has no column for title and price, which every product needs. Name its columns so, or send your shop system's feed for Google Merchant Center.",
    );
  });
});

describe("a spreadsheet's file that names its separator above the header", () => {
  it.each(["sep=;", '"sep=;"', "SEP=;"])(
    "is read as if it did not, and its lines are counted as they are: %s",
    async (first) => {
      const { variants, said } = await load(
        `${first}\r\nid;title;link;price;availability;image_link\r\n1;Tee;https://x.example/1;9;soon;https://x.example/1.jpg\r\n2;Mug;https://x.example/2;9;yes;https://x.example/2.jpg\r\n`,
      );
      expect(variants.map(({ variant_id }) => variant_id)).toEqual(["1", "2"]);
      expect(said).toEqual([
        "3 availability is not in_stock, out_of_stock, preorder or backorder: counts as out of stock",
      ]);
    },
  );
});
