// What shop systems' own product exports have in common: their rows leave out what the shop system itself knows. They are made
// into rows that stand for themselves.
import type { Attribute } from "./header";
import { clean, cut, plain } from "./plain";
import type { RawRow, Value } from "./raw-row";
import { type Format, Refusal } from "./report";

export interface ShopExport {
  format: Format;
  /** Its columns, by the names that other feeds have for them. */
  header: string[];
  /** What its rows tell without a column of that name. */
  told: readonly Attribute[];
  /** @param site the store's website */
  rows(site: string): ExportRows;
}

export interface ExportRows {
  /**
   * @param row what its columns say by themselves
   * @param read characters of the file so far
   * @returns the rows that are whole by now
   * @throws Refusal when rows take over more than a file may have
   */
  take(row: RawRow, cells: readonly string[], read: number): RawRow[];
  /** The last rows. @throws Refusal as `take` */
  end(): RawRow[];
  /** What a row is known by of which only these cells can be read. */
  idOf(cells: readonly string[]): string | undefined;
}

export type Fields = Map<Attribute, readonly Value[]>;

/** As large as a file may be. */
const MOST = 2 * 1024 ** 3;

/** What rows take over from others counts as if the file had it once more: a short one could else ask for any amount of room. */
export class Inheritance {
  private characters = 0;

  /** Gives a row what it lacks of these. @throws Refusal */
  pass(from: ReadonlyMap<Attribute, readonly Value[]>, to: Fields, attributes: readonly Attribute[]): void {
    for (const attribute of attributes) {
      const values = from.get(attribute);
      if (values && !to.has(attribute)) this.give(to, attribute, values);
    }
  }

  /** @throws Refusal */
  give(to: Fields, attribute: Attribute, values: readonly Value[]): void {
    to.set(attribute, values);
    for (const value of values) if (typeof value === "string") this.characters += value.length;
    if (this.characters > MOST)
      throw new Refusal(
        "With what its variants take over from their products the file is larger than 2 GiB. Split the catalogue across several stores.",
      );
  }
}

/** A description of more characters is read once, and not with each row that takes it over. */
const LONG = 20_000;
/** One more than are kept of a description: that it is cut is told. */
const KEPT = 10_001;

export const shortened = (values: readonly Value[]): readonly Value[] =>
  values.map((value) => (typeof value === "string" && value.length > LONG ? cut(plain(clean(value)), KEPT) : value));

/** What stands there, "" where there is no such column. */
export const cellAt = (cells: readonly string[], index: number): string => cells[index]?.trim() ?? "";
