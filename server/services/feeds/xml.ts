// RSS 2.0, RSS 1.0 and Atom with Google's attributes, by saxes. There are no entities but XML's five: a document type
// declaration, which could bring others (external ones, a billion laughs), is refused before it is looked into.
import { SaxesParser, type SaxesTagPlain } from "saxes";
import { Ampersands } from "./ampersand";
import { isList, normalised } from "./header";
import { faulty, listed, MAX_VALUES, type RawRow, type Reader, rowOfNames, setNamed, type Value } from "./raw-row";
import { type Format, GOOGLES, Refusal, WEB_PAGE } from "./report";
import { XmlField } from "./xml-field";

const GOOGLE = "http://base.google.com/ns/1.0";
/** Prefixes that a file has for Google's namespace: each is kept to its end. */
const MAX_PREFIXES = 20;
/** Characters between two items' ends: more is no honest item. */
const MAX_ITEM = 1024 * 1024;
/** What a page begins with that says no more of itself, and what a program prints of a fault. */
const pageRoots = /^(?:html|head|body|title|meta|link|script|style|br|b|p|div|span|pre|center|font|h\d|table)$/i;
const roots = new Map<string, Format>(Object.entries({ rss: "rss", rdf: "rss", channel: "rss", feed: "atom" }));

interface Item {
  line: number;
  /** Google's elements, then others of the same name. */
  google: Map<string, Value[]>;
  plain: Map<string, Value[]>;
  fault?: string;
}

export class XmlReader implements Reader {
  format: Format | undefined;
  private readonly parser = new SaxesParser();
  private readonly ampersands = new Ampersands();
  private readonly googlePrefixes = new Set(["g"]);
  private rows: RawRow[] = [];
  private depth = 0;
  private sinceItem = 0;
  private item: (Item & { depth: number }) | undefined;
  private field: XmlField | undefined;
  private hasBegun = false;
  private before = "";
  private linesBefore = 0;

  constructor() {
    this.parser.on("doctype", (type) => {
      if (/^\s*html\b/i.test(type)) throw new Refusal(WEB_PAGE);
      throw new Refusal("The file has a document type declaration (<!DOCTYPE …>), which is refused. Send it without.");
    });
    this.parser.on("error", (error) => this.fail(error.message));
    this.parser.on("opentag", (tag) => this.open(tag));
    this.parser.on("closetag", (tag) => this.close(tag));
    this.parser.on("text", (text) => this.field?.take(text));
    this.parser.on("cdata", (text) => this.field?.take(text));
  }

  write(text: string): RawRow[] {
    this.sinceItem += text.length;
    this.parser.write(this.ampersands.mend(this.begun(text)));
    if (this.sinceItem > MAX_ITEM + text.length)
      throw new Refusal(
        `Line ${this.line}: an item is longer than ${MAX_ITEM.toLocaleString("en")} characters. This is not a feed.`,
      );
    return this.taken();
  }

  end(): RawRow[] {
    this.parser.write(this.ampersands.end());
    this.parser.close();
    return this.taken();
  }

  /** Shop software often prints a line before the file, where XML's own declaration must be the first. */
  private begun(text: string): string {
    if (this.hasBegun) return text;
    const rest = text.trimStart();
    this.before += text.slice(0, text.length - rest.length);
    this.hasBegun = rest !== "";
    if (!this.hasBegun) return rest;
    this.linesBefore = this.before.split(/\r\n?|\n/).length - 1;
    this.before = "";
    return rest;
  }

  private get line(): number {
    return this.linesBefore + this.parser.line;
  }

  private taken(): RawRow[] {
    const rows = this.rows;
    this.rows = [];
    return rows;
  }

  /** A character that XML forbids costs its item; what breaks the tags costs the file. */
  private fail(message: string): void {
    const reason = message.replace(/^\d+:\d+: /, "").replace(/\.$/, "");
    if (this.item && (reason === "malformed character entity" || reason === "disallowed character")) {
      this.item.fault = "has a character that XML does not allow";
      if (this.field) this.field.isBroken = true;
    } else throw new Refusal(`Line ${this.line}: the file is not well-formed XML (${reason}).`);
  }

  private open({ name, attributes }: SaxesTagPlain): void {
    this.depth++;
    const [prefix, local] = name.includes(":") ? (name.split(":", 2) as [string, string]) : ["", name];
    for (const [attribute, value] of Object.entries(attributes)) {
      if (value === GOOGLE && attribute.startsWith("xmlns:")) this.googlePrefixes.add(attribute.slice(6));
    }
    if (this.googlePrefixes.size > MAX_PREFIXES)
      throw new Refusal(`Line ${this.line}: more than ${MAX_PREFIXES} prefixes stand for Google's namespace. Use one.`);
    if (this.depth === 1) this.root(local);
    else if (!this.item) {
      if (/^(item|entry)$/i.test(local)) this.begin();
    } else if (this.depth === this.item.depth + 1) this.openField(prefix, local, attributes);
    else if (this.field) {
      const element = this.field.elementOf(local, attributes, this.depth);
      if (element) this.field = element;
      else this.field.open(local, attributes, this.depth);
    }
  }

  private root(name: string): void {
    this.format = roots.get(name.toLowerCase());
    if (this.format) return;
    if (pageRoots.test(name)) throw new Refusal(WEB_PAGE);
    throw new Refusal(`The file's root is <${name.slice(0, 50)}>. Send RSS (<rss>) or Atom (<feed>), ${GOOGLES}.`);
  }

  private begin(): void {
    const { line } = this;
    this.item = { line, depth: this.depth, google: new Map(), plain: new Map() };
  }

  /** Elements of other namespaces (media:, dc:) are not ours to read. Atom's link stands in an attribute. */
  private openField(prefix: string, local: string, attributes: Record<string, string>): void {
    const item = this.item!;
    const google = this.googlePrefixes.has(prefix);
    if (prefix !== "" && !google) return;
    const { rel } = attributes;
    const isOtherLink = local === "link" && rel !== undefined && rel !== "alternate";
    if (isOtherLink) return;
    this.field = new XmlField(google ? item.google : item.plain, normalised(local), this.depth, attributes);
  }

  private close({ name }: SaxesTagPlain): void {
    const { item, field } = this;
    if (item && this.depth === item.depth) this.finish(item);
    else if (field && this.depth === field.depth) {
      if (!field.isBroken) keep(field);
      this.field = field.list;
    } else field?.close(name.slice(name.indexOf(":") + 1), this.depth);
    this.depth--;
  }

  private finish(item: Item): void {
    const named = new Map(item.plain);
    for (const [name, values] of item.google) setNamed(named, name, values);
    const row = rowOfNames(item.line, named);
    const id = row.fields.get("id")?.[0];
    const value = typeof id === "string" ? id : "";
    this.rows.push(item.fault ? faulty(item.line, "item", value, item.fault, row.fields) : row);
    this.item = undefined;
    this.sinceItem = 0;
  }
}

/** An empty element is named, too. */
function keep({ into, name, value, list }: XmlField): void {
  const values = into.get(name) ?? [];
  into.set(name, values);
  if (value === "") return;
  const several = typeof value === "string" && isList(name) && !list ? listed(value) : [value];
  values.push(...several.slice(0, MAX_VALUES - values.length));
}
