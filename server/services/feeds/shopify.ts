// Shopify's product export (help.shopify.com/en/manual/products/import-export/using-csv), by the names that its columns have and
// those that they had. The rows of one handle stand together, each with a variant, a picture, or both; what is true of the whole product stands in
// the first alone. Variants have no ids there: no two of a product have the same options, so that these and the handle tell them apart.
import { createHash } from "node:crypto";
import { cellAt, type ExportRows, type Fields, Inheritance, type ShopExport, shortened } from "./export-rows";
import { type Attribute, normalised } from "./header";
import { cut } from "./plain";
import type { RawRow } from "./raw-row";
import { saysYes } from "./vocabulary";

/** What its columns are called elsewhere, where that is not known of their own names. */
const names = new Map([
  ["body", "description"],
  ["product_category", "product_type"],
  ["type", "product_type"],
  ["variant_sku", "merchant_sku"],
  // No column of ids: it may be empty, and occur twice.
  ["sku", "merchant_sku"],
  ["variant_barcode", "gtin"],
  ["variant_barcodes", "gtin"],
  ["barcodes", "gtin"],
  ["variant_price", "price"],
  ["variant_compare_at_price", "compare_at_price"],
  ["variant_inventory_qty", "inventory_quantity"],
  ["variant_grams", "Weight (g)"],
  ["weight_value", "Weight (g)"],
  ["google_shopping_google_product_category", "google_product_category"],
  ["google_shopping_gender", "gender"],
  ["google_shopping_age_group", "age_group"],
  ["google_shopping_mpn", "mpn"],
  ["google_shopping_manufacturer_part_number", "mpn"],
  ["google_shopping_condition", "condition"],
]);

/** `Color (product.metafields.shopify.color-pattern)` lists what the product comes in, not what a variant is. */
const METAFIELD = /\bproduct\.metafields\./;

/** What the first row of a product says for all of them. */
const shared = [
  ...(["title", "description", "link", "brand", "product_type", "google_product_category"] as const),
  ...(["gender", "age_group", "condition", "published", "status"] as const),
  ...(["custom_variant1_category", "custom_variant2_category", "custom_variant3_category"] as const),
] satisfies Attribute[];

/** Of a product that are held at once: Shopify has no more variants of one. */
const MAX_ROWS = 2_048;
/** Characters of the file over which they may be spread: a cell keeps in memory what it was read with. */
const MAX_SPAN = 4 * 1024 * 1024;
/** Two more than are kept of a product: that they are cut is told. */
const MAX_IMAGES = 22;
const MAX_ID = 200;

const madeId = new Map<Attribute, string>([["id", "the handle and the values of the options"]]);
const madeBoth = new Map(madeId).set("link", "the store's website and the handle");

type Places = ReturnType<typeof placesOf>;

function placesOf(header: readonly string[]) {
  const at = (...called: string[]) => header.findIndex((name) => called.includes(name));
  return {
    handle: at("handle", "url_handle"),
    options: [at("option1_value"), at("option2_value"), at("option3_value")],
    tracker: at("variant_inventory_tracker", "inventory_tracker"),
    quantity: at("variant_inventory_qty", "inventory_quantity"),
    policy: at("variant_inventory_policy", "continue_selling_when_out_of_stock"),
    image: at("image_src", "product_image_url"),
    variantImage: at("variant_image", "variant_image_url"),
    measure: [at("unit_price_total_measure"), at("unit_price_total_measure_unit")] as const,
    base: [at("unit_price_base_measure"), at("unit_price_base_measure_unit")] as const,
  };
}

/** @returns undefined where the columns are not those of Shopify's. What has ids of its own was made by something else. */
export function shopifyExport(cells: readonly string[]): ShopExport | undefined {
  const header = cells.map((cell) => (METAFIELD.test(cell) ? "" : normalised(cell)));
  const has = (...called: string[]) => called.some((name) => header.includes(name));
  const isShopify =
    has("handle", "url_handle") &&
    has("variant_price", "price") &&
    ["title", "option1_name", "option1_value"].every((name) => has(name)) &&
    !has("id");
  if (!isShopify) return undefined;
  return {
    format: "shopify-csv",
    header: header.map((name, index) => (name === "" ? "" : (names.get(name) ?? cells[index]!))),
    told: ["id", "link"],
    rows: (site) => new ShopifyRows(placesOf(header), new URL(site).origin),
  };
}

interface Held {
  line: number;
  fields: Fields;
  /** The variant's own picture; "" where it has none. */
  image: string;
}

class ShopifyRows implements ExportRows {
  private readonly inheritance = new Inheritance();
  private handle = "";
  /** What the first row of this handle says for all. */
  private first: Fields = new Map();
  private images: string[] = [];
  private held: Held[] = [];
  /** Characters of the file before those that are held. */
  private before = 0;

  constructor(
    private readonly at: Places,
    private readonly origin: string,
  ) {}

  take({ line, fields: said }: RawRow, cells: readonly string[], read: number): RawRow[] {
    const handle = cellAt(cells, this.at.handle);
    const isFirst = handle === "" || handle !== this.handle;
    const isFull = this.held.length === MAX_ROWS || read - this.before > MAX_SPAN;
    const whole = isFirst || isFull ? this.end() : [];
    if (isFirst || isFull) this.before = read;
    const fields: Fields = new Map(said);
    if (isFirst) this.begin(handle, fields);
    const image = cellAt(cells, this.at.image);
    if (image !== "" && this.images.length < MAX_IMAGES) this.images.push(image);
    // A row without options has but a picture.
    if (isFirst || this.optionsOf(cells).length > 0)
      this.held.push({ line, fields: this.variant(fields, cells), image: cellAt(cells, this.at.variantImage) });
    return whole;
  }

  end(): RawRow[] {
    const rows = this.held.map((held) => this.completed(held));
    this.held = [];
    return rows;
  }

  idOf(cells: readonly string[]): string | undefined {
    const handle = cellAt(cells, this.at.handle);
    // A value may have a slash of its own.
    const options = this.choicesOf(cells).map((value) => value.replace(/[%/]/g, encodeURIComponent));
    return handle === "" ? undefined : known([handle, ...options].join("/"));
  }

  private begin(handle: string, fields: Fields): void {
    const description = fields.get("description");
    if (description) fields.set("description", shortened(description));
    this.handle = handle;
    this.first = new Map(fields);
    this.images = [];
  }

  private optionsOf(cells: readonly string[]): string[] {
    return this.at.options.map((index) => cellAt(cells, index)).filter((value) => value !== "");
  }

  /** What comes in no choice has this one. */
  private choicesOf(cells: readonly string[]): string[] {
    return this.optionsOf(cells).filter((value) => value !== "Default Title");
  }

  /** What a row says of its variant. */
  private variant(fields: Fields, cells: readonly string[]): Fields {
    const id = this.idOf(cells);
    if (id !== undefined) fields.set("id", [id]);
    if (id !== undefined && this.choicesOf(cells).length > 0) fields.set("item_group_id", [known(this.handle)]);
    const availability = this.availabilityOf(cells);
    if (availability && !fields.has("availability")) fields.set("availability", [availability]);
    for (const code of ["gtin", "sku"] as const) {
      const said = fields.get(code)?.[0];
      // So that spreadsheets take it as text.
      if (typeof said === "string" && said.startsWith("'")) fields.set(code, [said.slice(1)]);
    }
    const weight = fields.get("product_weight")?.[0];
    if (typeof weight === "string" && /^[0.]+ g$/.test(weight)) fields.delete("product_weight");
    else if (typeof weight === "string") fields.set("product_weight", [unpadded(weight)]);
    const [measure, base] = [measureAt(cells, this.at.measure), measureAt(cells, this.at.base)];
    if (measure) fields.set("unit_pricing_measure", [measure]);
    if (measure && base) fields.set("unit_pricing_base_measure", [base]);
    return fields;
  }

  /** What is not counted, or sold on when there is none left, can be bought: as the shop does it. */
  private availabilityOf(cells: readonly string[]): string | undefined {
    if (this.at.tracker >= 0 && cellAt(cells, this.at.tracker) === "") return "in_stock";
    const quantity = /^(-?)\d+$/.exec(cellAt(cells, this.at.quantity));
    if (!quantity) return undefined;
    if (quantity[1] === "" && Number(quantity[0]) > 0) return "in_stock";
    const policy = cellAt(cells, this.at.policy);
    return saysYes(policy) || /^continue$/i.test(policy) ? "backorder" : "out_of_stock";
  }

  private completed({ line, fields, image }: Held): RawRow {
    if (this.handle === "") return { line, fields, fault: { field: "handle", value: "", reason: "is missing" } };
    this.inheritance.pass(this.first, fields, shared);
    if (!fields.has("title")) {
      const reason = "has no title: the first row of a handle has it, and its others must follow that one";
      return { line, fields, fault: { field: "handle", value: this.handle, reason } };
    }
    const [main, ...more] = image === "" ? this.images : [image, ...this.images];
    if (main !== undefined) this.inheritance.give(fields, "image_link", [main]);
    if (more.length > 0) this.inheritance.give(fields, "additional_image_link", more);
    if (fields.has("link")) return { line, fields, made: madeId };
    fields.set("link", [`${this.origin}/products/${encodeURIComponent(this.handle.toWellFormed())}`]);
    return { line, fields, made: madeBoth };
  }
}

/** What is longer than an id may be, in its beginning and a digest. */
function known(text: string): string {
  if (text.length <= MAX_ID) return text;
  return `${cut(text, 150)}/${createHash("sha256").update(text).digest("hex").slice(0, 32)}`;
}

/** `500.0 g` is 500 g. */
const unpadded = (measure: string): string => measure.replace(/\.0+(?=\s|$)/, "");

function measureAt(cells: readonly string[], [amount, unit]: Places["measure"]): string | undefined {
  const said = [cellAt(cells, amount), cellAt(cells, unit)];
  return said.includes("") ? undefined : unpadded(said.join(" "));
}
