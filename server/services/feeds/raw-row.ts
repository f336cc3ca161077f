// A row as its file has it, before anything is checked: the one form that every format is read into.
import { type Attribute, type Column, meaningsOf } from "./header";
import { inUnit, isBlank, own, plain } from "./plain";
import type { Format } from "./report";
import { isKind } from "./vocabulary";

/** Text, or the named parts of a structured value (`shipping`, `product_detail`). */
export type Value = string | Readonly<Record<string, string>>;

/** Of one attribute in one row: no honest row has so many, and what comes after them is left out. */
export const MAX_VALUES = 1_000;

export interface RawRow {
  /** Where it starts in the file, from 1. */
  line: number;
  /** At most `MAX_VALUES` of each; none where a row that names its fields leaves one empty. */
  fields: ReadonlyMap<Attribute, readonly Value[]>;
  /** What the file lacks, and what it was made from instead. */
  made?: ReadonlyMap<Attribute, string>;
  /** Why the row can't be read: of what is in it, only its id and whether it is withheld are to be trusted. */
  fault?: { field: string; value: string; reason: string };
}

/** What reads a format: text goes in as it comes, whole rows come out. */
export interface Reader {
  /** Undefined as long as too little has been read to tell. */
  readonly format: Format | undefined;
  /** What the header names, in formats that have one. */
  readonly header?: ReadonlySet<Attribute>;
  /** @throws Refusal when the file as a whole can't be read */
  write(text: string): RawRow[];
  /** The last rows. @throws Refusal when the file ends too early */
  end(): RawRow[];
}

/** The row of a format whose header names the columns. */
export function rowOfCells(
  line: number,
  cells: readonly string[],
  columns: ReadonlyMap<Attribute, Column[][]>,
): RawRow {
  const fields = new Map<Attribute, Value[]>();
  for (const [attribute, names] of columns) {
    for (const places of names) {
      const values = valuesAt(cells, places);
      if (!values) continue;
      const isNone = names.length > 1 && saysNone(values, attribute);
      if (!isNone || !fields.has(attribute)) fields.set(attribute, values);
      if (!isNone) break;
    }
  }
  return { line, fields };
}

/** `N/A`, `-` and their like: what another name says counts before them. */
const saysNone = (values: readonly Value[], attribute?: Attribute): boolean =>
  values.every(
    (value) => typeof value === "string" && (isBlank(value.trim()) || (attribute === "product_type" && isKind(value))),
  );

/** Undefined where all of these cells are empty. */
function valuesAt(cells: readonly string[], places: readonly Column[]): Value[] | undefined {
  let values: Value[] | undefined;
  for (const { index, parts, currency, unit, isList } of places) {
    const cell = cells[index];
    if (!cell) continue;
    values ??= [];
    const beside = currency ? withCurrency(cell, currency) : inUnit(cell, unit ?? "");
    const read = parts ? structured(cell, parts) : isList ? listed(cell) : [beside];
    for (const value of read) if (values.length < MAX_VALUES) values.push(value);
  }
  return values;
}

/** Parted by commas, but for those behind a backslash, which are a value's own. */
export const listed = (text: string): string[] =>
  text.split(/(?<!\\),/, MAX_VALUES).map((one) => one.replaceAll("\\,", ",").trim());

/** `12.50` under `Price (EUR)`, and `$12.50` under `Price (USD)`; what says its currency itself keeps it. */
const withCurrency = (cell: string, currency: string): string =>
  /\d/.test(cell) && !/\p{L}/u.test(plain(cell)) ? `${cell} ${currency}` : cell;

/** `IE:4.95 EUR,DE:6 EUR` under `shipping(country:price)`. What fits the header in no way stays text in Google's own order. */
function structured(cell: string, parts: string[]): Value[] {
  const named = (text: string) => {
    const values = text.split(":");
    return values.length > parts.length
      ? undefined
      : Object.fromEntries(parts.map((part, i) => [part, values[i]?.trim() ?? ""]));
  };
  const whole = named(cell);
  if (whole) return [whole];
  const several = cell.split(new RegExp(`,(?=(?:[^,:]*:){${parts.length - 1}})`), MAX_VALUES).map(named);
  return several.every((value) => value !== undefined) ? several : [cell];
}

/** Gives a field of a row its values, unless it has some and these say that there are none. */
export function setNamed(named: Map<string, Value[]>, field: string, values: Value[]): void {
  if (!named.has(field) || !saysNone(values)) named.set(field, values);
}

/** Behind every name that has a value: more than an attribute has names. */
const LAST = 1_000;

/** The row of a format that names its fields in every row. What has no value is named, as a header names it. */
export function rowOfNames(line: number, named: ReadonlyMap<string, Value[]>): RawRow {
  const ranks = new Map<Attribute, number>();
  const fields = new Map<Attribute, Value[]>();
  for (const [name, values] of named) {
    for (const { attribute, rank: ownRank } of meaningsOf(name)) {
      const rank = ownRank + (saysNone(values, attribute) ? LAST : 0);
      const best = ranks.get(attribute) ?? Number.POSITIVE_INFINITY;
      if (rank > best) continue;
      ranks.set(attribute, rank);
      fields.set(attribute, rank < best ? values : [...fields.get(attribute)!, ...values].slice(0, MAX_VALUES));
    }
  }
  return { line, fields };
}

/** A row that can't be read. @param fields what of it can: its id tells that it is not gone */
export const faulty = (
  line: number,
  field: string,
  value: string,
  reason: string,
  fields: RawRow["fields"] = new Map(),
): RawRow => ({ line, fields, fault: { field, value, reason } });

/** The fields of a row of which the id alone can be read, or not even that. */
export const withId = (id: string | undefined): RawRow["fields"] => new Map(id ? [["id", [own(id)]]] : []);
