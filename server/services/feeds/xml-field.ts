// An element of an item while it is read: its text, its name where it has one among other things, or the parts of a structured value.
import { isCurrency } from "../money";
import { type Attribute, amounts, meaningsOf, measures, named, normalised, withParts } from "./header";
import { gapOf, inUnit, spaced } from "./plain";
import { inCurrency } from "./price";
import type { Value } from "./raw-row";

type Attributes = Readonly<Record<string, string>>;

export class XmlField {
  /** A character that XML forbids stands in it, in place of whatever was meant. */
  isBroken = false;
  private text: string;
  private hasMarkup = false;
  private hasElements = false;
  /** Of a structured value; elements in any other are markup that was not escaped. */
  private readonly parts: Record<string, string> | undefined;
  /** What the elements say of a value that has nothing else: `<brand><id>5</id><name>Acme</name></brand>`. */
  private about: Record<string, string> | undefined;
  private part: { name: string; currency: string; attribute: string } | undefined;
  private readonly currency: string;
  private readonly unit: string;
  /** `<price value="9.90"/>` */
  private readonly attribute: string;

  /** @param list whose element it is, if it is one: `<categories><category>…` */
  constructor(
    readonly into: Map<string, Value[]>,
    readonly name: string,
    readonly depth: number,
    attributes: Attributes,
    readonly list?: XmlField,
  ) {
    // Without a prototype: a part may be called `constructor`.
    this.parts = means(name, withParts) ? Object.create(null) : undefined;
    this.about = means(name, named) ? Object.create(null) : undefined;
    this.currency = means(name, amounts) ? currencyOf(attributes) : "";
    this.unit = means(name, measures) ? (attributes.unit ?? "").trim() : "";
    this.attribute = attributes.value ?? "";
    this.text = attributes.href ?? "";
  }

  /** The element of a list that begins here; undefined where this is something else. */
  elementOf(local: string, attributes: Attributes, depth: number): XmlField | undefined {
    if (depth !== this.depth + 1 || this.list || this.text.trim() !== "") return undefined;
    if (!isListOf(this.name, normalised(local))) return undefined;
    this.hasElements = true;
    return new XmlField(this.into, this.name, depth, attributes, this);
  }

  open(local: string, attributes: Attributes, depth: number): void {
    if (!this.parts) this.mark(local);
    if (depth !== this.depth + 1) return;
    const name = this.name === "variant_dict" ? normalised(local).replaceAll("_", " ") : normalised(local);
    this.part = { name, currency: currencyOf(attributes), attribute: attributes.value ?? "" };
  }

  take(text: string): void {
    const { parts, part } = this;
    if (!parts || !part) this.text += text;
    const into = parts ?? this.about;
    if (into && part) into[part.name] = (into[part.name] ?? "") + text;
    else if (text.trim() !== "") this.about = undefined;
  }

  close(local: string, depth: number): void {
    const { parts, part } = this;
    if (!parts) this.mark(`/${local}`);
    if (depth !== this.depth + 1) return;
    if (parts && part) {
      const text = parts[part.name]?.trim() ? parts[part.name] : part.attribute;
      if (text) parts[part.name] = inCurrency(text, part.currency);
    }
    this.part = undefined;
  }

  get value(): Value {
    const { parts, about } = this;
    if (this.hasElements) return "";
    if (parts && Object.keys(parts).length > 0) return this.currency ? { currency: this.currency, ...parts } : parts;
    const own = this.hasMarkup ? spaced(this.text) : this.text;
    const text = own.trim() === "" ? this.attribute || own : own;
    return about?.full_name || about?.name || about?.title || inUnit(inCurrency(text, this.currency), this.unit);
  }

  private mark(tag: string): void {
    this.text += gapOf(tag.toLowerCase());
    this.hasMarkup = true;
  }
}

const means = (name: string, which: ReadonlySet<Attribute>): boolean =>
  meaningsOf(name).some(({ attribute }) => which.has(attribute));

const lists: ReadonlySet<Attribute> = new Set(["product_type", "product_detail", "product_highlight"]);
/** `categories` of `category`: another name for the same. */
const isListOf = (list: string, name: string): boolean =>
  list !== name && meaningsOf(name).some(({ attribute }) => lists.has(attribute) && means(list, new Set([attribute])));

const currencyNames = new Set(["currency", "currency_id", "currency_code"]);

/** What `<price currency="USD">` names; a unit may be something else, and a number is one of the shop's own. */
function currencyOf(attributes: Attributes): string {
  for (const [attribute, text] of Object.entries(attributes)) {
    const [name, value] = [normalised(attribute), text.trim()];
    if (currencyNames.has(name) ? /^[\p{L}\p{Sc}]+$/u.test(value) : name === "unit" && isCurrency(value.toUpperCase()))
      return value;
  }
  return "";
}
