// WooCommerce's product export (woocommerce.com/document/product-csv-importer-exporter), in the languages of `woocommerce-names.ts`. A variation names its
// parent, which stands above it, by the parent's SKU or `id:` and its ID, and leaves out what it has from it. WordPress leads from `?p=` and an ID to the
// page with that ID (developer.wordpress.org/reference/functions/wp_get_shortlink).
import { cellAt, type ExportRows, type Fields, Inheritance, type ShopExport, shortened } from "./export-rows";
import { type Attribute, normalised } from "./header";
import { own } from "./plain";
import type { RawRow, Value } from "./raw-row";
import { inEnglish } from "./woocommerce-names";

/** What a variation has from its parent, where it says nothing else itself. */
const inherited = [
  ...(["title", "description", "brand", "product_type", "image_link", "additional_image_link"] as const),
  ...(["product_weight", "product_length", "product_width", "product_height", "status"] as const),
] satisfies Attribute[];
const ofParents = [...inherited, "published", "visibility", "inventory_quantity"] satisfies Attribute[];

/** Characters that are kept of parents: the oldest go first. Each takes some room even where it says nothing. */
const MAX_KEPT = 16 * 1024 * 1024;
const OVERHEAD = 1_000;

const made = new Map<Attribute, string>([["link", "the store's website and the product's ID"]]);

interface Places extends Record<"id" | "type" | "sku" | "published" | "parent", number> {
  /** Of the attributes beyond the third, which have no columns in other feeds. */
  more: { name: number; value: number }[];
}

/** @returns undefined where the columns are not those of WooCommerce's */
export function woocommerceExport(cells: readonly string[]): ShopExport | undefined {
  const named = cells.map(inEnglish);
  const header = named.map(normalised);
  const needed = ["id", "type", "name", "parent", "regular_price", "visibility_in_catalog"];
  if (!needed.every((name) => header.includes(name))) return undefined;
  const at = (name: string) => header.indexOf(name);
  const more = header.flatMap((name, index) => {
    const number = /^attribute_(\d+)_name$/.exec(name)?.[1];
    const value = at(`attribute_${number}_value`);
    return Number(number) > 3 && value >= 0 ? [{ name: index, value }] : [];
  });
  const places = {
    id: at("id"),
    type: at("type"),
    sku: at("sku"),
    published: at("published"),
    parent: at("parent"),
    more,
  };
  return {
    format: "woocommerce-csv",
    header: named,
    told: ["link"],
    rows: (site) => new WoocommerceRows(places, new URL(site)),
  };
}

interface Parent {
  id: string;
  fields: Fields;
  characters: number;
}

class WoocommerceRows implements ExportRows {
  private readonly inheritance = new Inheritance();
  /** By what variations name them. */
  private readonly parents = new Map<string, Parent>();
  private kept = 0;
  private readonly home: string;

  constructor(
    private readonly at: Places,
    { origin, pathname }: URL,
  ) {
    this.home = origin + pathname.replace(/\/*$/, "/");
  }

  take({ line, fields: said }: RawRow, cells: readonly string[]): RawRow[] {
    const type = cellAt(cells, this.at.type).toLowerCase();
    // What it is a group of has rows of its own.
    if (type.startsWith("grouped")) return [];
    const fields = asMeant(said);
    this.addMore(fields, cells);
    // 2 waits for a review.
    if (cellAt(cells, this.at.published) === "2") fields.set("status", ["pending"]);
    const id = cellAt(cells, this.at.id);
    if (type.startsWith("variable")) {
      this.keep(id, cells, fields);
      return [];
    }
    if (!type.includes("variation")) return [this.linked(line, fields, id)];
    return [this.variation(line, fields, written(cellAt(cells, this.at.parent)))];
  }

  end(): RawRow[] {
    return [];
  }

  idOf(cells: readonly string[]): string | undefined {
    return cells[this.at.id];
  }

  private addMore(fields: Fields, cells: readonly string[]): void {
    const more = this.at.more.flatMap(({ name, value }) => {
      const [attribute_name, attribute_value] = [written(cellAt(cells, name)), commas(written(cellAt(cells, value)))];
      return attribute_name && attribute_value ? [{ attribute_name, attribute_value }] : [];
    });
    if (more.length > 0) fields.set("product_detail", [...(fields.get("product_detail") ?? []), ...more]);
  }

  private linked(line: number, fields: Fields, id: string | undefined): RawRow {
    if (fields.has("link") || !/^\d+$/.test(id ?? "")) return { line, fields };
    fields.set("link", [`${this.home}?p=${id}`]);
    return { line, fields, made };
  }

  private variation(line: number, fields: Fields, named: string): RawRow {
    const parent = this.parents.get(named);
    const id = parent?.id ?? /^id:(\d+)$/.exec(named)?.[1];
    if (parent) this.inherit(parent.fields, fields);
    if (id !== undefined) fields.set("item_group_id", [id]);
    const row = this.linked(line, fields, id);
    if (fields.has("link")) return row;
    const reason = "is in no row above: the address of its product is not known without it";
    return { line, fields, fault: { field: "parent", value: named, reason } };
  }

  private inherit(parent: Fields, fields: Fields): void {
    this.inheritance.pass(parent, fields, inherited);
    const [title, published, visibility] = [parent.get("title"), parent.get("published"), parent.get("visibility")];
    if (title) this.inheritance.give(fields, "item_group_title", title);
    if (published && published[0] !== "1") this.inheritance.give(fields, "published", published);
    if (visibility) this.inheritance.give(fields, "visibility", visibility);
    if (fields.get("inventory_quantity")?.[0] !== "parent") return;
    // Counted for all of them together.
    fields.delete("inventory_quantity");
    this.inheritance.pass(parent, fields, ["inventory_quantity"]);
  }

  private keep(id: string, cells: readonly string[], said: Fields): void {
    const fields: Fields = new Map();
    let characters = OVERHEAD;
    for (const attribute of ofParents) {
      const values = said.get(attribute);
      if (!values) continue;
      const texts = attribute === "description" ? shortened(values) : values;
      fields.set(attribute, texts.map(ofItsOwn));
      for (const text of texts) if (typeof text === "string") characters += text.length;
    }
    const sku = written(cellAt(cells, this.at.sku));
    if (sku !== "") this.put(own(sku), { id: own(id), fields, characters: 0 });
    this.put(`id:${own(id)}`, { id: own(id), fields, characters });
  }

  private put(named: string, parent: Parent): void {
    this.forget(named);
    this.parents.set(named, parent);
    this.kept += parent.characters;
    for (const oldest of this.parents.keys()) {
      if (this.kept <= MAX_KEPT) break;
      this.forget(oldest);
    }
  }

  private forget(named: string): void {
    this.kept -= this.parents.get(named)?.characters ?? 0;
    this.parents.delete(named);
  }
}

const ofItsOwn = (value: Value): Value => (typeof value === "string" ? own(value) : value);

/** What spreadsheets would take as a formula has a quote before it. */
const written = (text: string): string => (/^'[=+\-@\t\r]/.test(text) ? text.slice(1) : text);

/** Line ends of a description are written as `\n`, and its own `\n` as `\\n`. */
const lines = (text: string): string => text.replace(/\\(\\?)n/g, (_, escaped) => (escaped ? "\\n" : "\n"));

/** Commas of a choice stand behind a backslash. */
const commas = (text: string): string => text.replaceAll("\\,", ",");

function asMeant(said: RawRow["fields"]): Fields {
  const fields: Fields = new Map();
  for (const [attribute, values] of said) fields.set(attribute, textsOf(values, written));
  for (const [attribute, read] of readings) {
    const values = fields.get(attribute);
    if (values) fields.set(attribute, textsOf(values, read));
  }
  return fields;
}

const readings: readonly [Attribute, (text: string) => string][] = [
  ["description", lines],
  ["custom_variant1_option", commas],
  ["custom_variant2_option", commas],
  ["custom_variant3_option", commas],
];

const textsOf = (values: readonly Value[], read: (text: string) => string): Value[] =>
  values.map((value) => (typeof value === "string" ? read(value) : value));
