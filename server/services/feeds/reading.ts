// A row while it is read: its fields by attribute, and where its issues go.
import type { Attribute } from "./header";
import { clean, cut, isBlank, oneLine, plain, UNREADABLE } from "./plain";
import type { RawRow, Value } from "./raw-row";
import type { Issues } from "./report";

export interface Shop {
  currency: string;
  currencies: readonly string[];
  now: Date;
  /** False when the file has no availability at all: then everything counts as in stock. */
  tellsAvailability: boolean;
  /** Rows so far whose availability is missing or cannot be read, and so counts as out of stock. */
  unreadAvailability: number;
}

/**
 * What JSON has as an object, as text: schema.org's Brand and Organization have a name, others' a title, its AggregateRating a value and perhaps the best
 * one, its QuantitativeValue a unit.
 */
function textOf(value: Value): string {
  if (typeof value === "string") return value;
  const { title, name = title, rating_value: rating, best_rating: best, value: number, unit, unit_code } = value;
  if (name) return name;
  if (rating) return best ? `${rating}/${best}` : rating;
  const beside = unit || unit_code || value.currency || value.currency_code;
  if (number) return beside ? `${number} ${beside}` : number;
  return Object.values(value).join(":");
}

/** `="007"`: what spreadsheets are to take as text. */
const unformulated = (text: string): string =>
  text.startsWith('="') ? text.replace(/^="([^"]*)"$/, "$1").trim() : text;

export class Reading {
  failed = false;
  /** Of these it has been said that they have several values. */
  private readonly several = new Set<Attribute>();
  constructor(
    private readonly row: RawRow,
    private readonly issues: Issues,
    readonly shop: Shop,
  ) {}

  all(field: Attribute): readonly Value[] {
    return this.row.fields.get(field) ?? [];
  }
  /** The first value as text; undefined when there is none. */
  text(field: Attribute): string | undefined {
    const values = this.all(field);
    if (values.length === 0) return undefined;
    const text = unformulated(clean(textOf(values[0]!)));
    if (values.length > 1 && !this.several.has(field) && values.some((other) => clean(textOf(other)) !== text)) {
      this.several.add(field);
      this.warn(field, values.map(textOf).join(", "), "has several values; all but the first are left out");
    }
    return text || undefined;
  }
  /** A short text on one line; `N/A` and its like are none, nor is markup without text. */
  word(field: Attribute, max = 200): string | undefined {
    const text = this.text(field);
    if (!text) return undefined;
    if (text.includes(UNREADABLE)) return this.warn(field, text, "has characters that are not UTF-8; left out");
    if (text.length > max) this.warn(field, text, `is longer than ${max} characters; cut`);
    const word = oneLine(plain(cut(text, max)));
    return isBlank(word) ? undefined : word;
  }
  warn(field: string, value: string, reason: string): undefined {
    this.issues.add("warning", this.row.line, field, value, reason);
  }
  fail(field: string, value: string, reason: string): undefined {
    this.failed = true;
    this.issues.add("error", this.row.line, field, value, reason);
  }
}
