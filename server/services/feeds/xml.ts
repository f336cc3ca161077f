// RSS 2.0, RSS 1.0 and Atom with Google's attributes, by saxes. There are no entities but XML's five: a document type
// declaration, which could bring others (external ones, a billion laughs), is refused before it is looked into.
import { SaxesParser, type SaxesTagPlain } from "saxes";
import { Ampersands } from "./ampersand";
import { meaningsOf, normalised, withParts } from "./header";
import { gapOf, spaced } from "./plain";
import { faulty, MAX_VALUES, type RawRow, type Reader, rowOfNames, setNamed, type Value } from "./raw-row";
import { type Format, Refusal } from "./report";

const GOOGLE = "http://base.google.com/ns/1.0";
/** Prefixes that a file has for Google's namespace: each is kept to its end. */
const MAX_PREFIXES = 20;
/** Characters between two items' ends: more is no honest item. */
const MAX_ITEM = 1024 * 1024;
const roots = new Map<string, Format>(Object.entries({ rss: "rss", rdf: "rss", channel: "rss", feed: "atom" }));

interface Item {
  line: number;
  /** Google's elements, then others of the same name. */
  google: Map<string, Value[]>;
  plain: Map<string, Value[]>;
  fault?: string;
}
interface Field {
  into: Map<string, Value[]>;
  name: string;
  text: string;
  /** Of a structured value; elements in any other are markup that was not escaped. */
  parts: Record<string, string> | undefined;
  hasMarkup: boolean;
  /** It has a character that XML forbids, in place of whatever was meant. */
  isBroken: boolean;
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
  private field: Field | undefined;
  private part: string | undefined;
  private hasBegun = false;
  private before = "";
  private linesBefore = 0;

  constructor() {
    this.parser.on("doctype", () => {
      throw new Refusal("The file has a document type declaration (<!DOCTYPE …>), which is refused. Send it without.");
    });
    this.parser.on("error", (error) => this.fail(error.message));
    this.parser.on("opentag", (tag) => this.open(tag));
    this.parser.on("closetag", (tag) => this.close(tag));
    this.parser.on("text", (text) => this.take(text));
    this.parser.on("cdata", (text) => this.take(text));
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
    else if (this.field && !this.field.parts) this.mark(local);
    else if (this.field && this.depth === this.item.depth + 2) this.part = normalised(local);
  }

  private root(name: string): void {
    this.format = roots.get(name.toLowerCase());
    if (!this.format)
      throw new Refusal(`The file's root is <${name.slice(0, 50)}>. Send RSS (<rss>) or Atom (<feed>).`);
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
    const { href, rel } = attributes;
    const isOtherLink = local === "link" && rel !== undefined && rel !== "alternate";
    if (isOtherLink) return;
    const name = normalised(local);
    // Without a prototype: a part may be called `constructor`.
    const parts: Field["parts"] = meaningsOf(name).some(({ attribute }) => withParts.has(attribute))
      ? Object.create(null)
      : undefined;
    const into = google ? item.google : item.plain;
    this.field = { into, name, text: href ?? "", parts, hasMarkup: false, isBroken: false };
  }

  private mark(tag: string): void {
    this.field!.text += gapOf(tag.toLowerCase());
    this.field!.hasMarkup = true;
  }

  private take(text: string): void {
    if (!this.field) return;
    const { parts } = this.field;
    if (!parts || this.part === undefined) this.field.text += text;
    else parts[this.part] = (parts[this.part] ?? "") + text;
  }

  private close({ name }: SaxesTagPlain): void {
    const { item, field } = this;
    if (item && this.depth === item.depth) this.finish(item);
    else if (item && field && this.depth === item.depth + 1) {
      const text = field.hasMarkup ? spaced(field.text) : field.text;
      const value = field.parts && Object.keys(field.parts).length > 0 ? field.parts : text;
      if (!field.isBroken) keep(field, value);
      this.field = undefined;
    } else if (field && !field.parts) this.mark(`/${name.slice(name.indexOf(":") + 1)}`);
    else if (item && this.depth === item.depth + 2) this.part = undefined;
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
function keep({ into, name }: Field, value: Value): void {
  const values = into.get(name);
  if (!values) into.set(name, value === "" ? [] : [value]);
  else if (value !== "" && values.length < MAX_VALUES) values.push(value);
}
