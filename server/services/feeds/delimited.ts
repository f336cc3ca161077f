// TSV and CSV, by csv-parse: records in, rows out.
import { CsvError, parse } from "csv-parse/sync";
import type { ExportRows, ShopExport } from "./export-rows";
import { type Attribute, type Column, columnsOf, isOpenAi, MAX_PARTS } from "./header";
import { cut, own } from "./plain";
import { FAR, Records, type RecordText } from "./quotes";
import { faulty, type RawRow, type Reader, rowOfCells, withId } from "./raw-row";
import { FEW_LINES, type Format, GOOGLES, NOT_TEXT, Refusal } from "./report";
import { shopExportOf } from "./shop-export";

/** Longer than any honest row: description 10,000 characters, 20 images of 2,000. */
const MAX_LINE = 1024 * 1024;
const listed = new Intl.ListFormat("en-GB");
/** Characters read at once that the cells among them may keep in memory. */
const LONG = 128 * 1024;
/** Google's specification has some hundred attributes; the rest is for those that repeat. */
const MAX_COLUMNS = 1_000;
const spoken = new Map([
  ["\t", "tab"],
  [",", "comma"],
  [";", "semicolon"],
  ["|", "bar"],
]);
const delimiters = [...spoken.keys()];

/** What may stand above the header: a spreadsheet's empty row, and notes such as Meta's template has (`# Required | …`). Headers may begin so, too. */
const above = /^\s*"?#|^[\s,;|"]*$/;
const MOST_ABOVE = 5;

/** Is the header whole in what has been read? */
export const hasHeader = (head: string): boolean =>
  head
    .split("\n")
    .slice(0, -1)
    .some((line) => !above.test(line));

/** Nothing where a quote is never closed. */
function cellsOf(text: string, delimiter: string): string[][] {
  try {
    return parse(text, { delimiter, record_delimiter: "\n", relax_quotes: true, relax_column_count: true });
  } catch (error) {
    if (error instanceof CsvError) return [];
    throw error;
  }
}

export class DelimitedReader implements Reader {
  readonly format: Format;
  readonly header: ReadonlySet<Attribute>;
  private readonly delimiter: string;
  private readonly newline: string;
  private readonly columns: ReadonlyMap<Attribute, Column[][]>;
  private readonly width: number;
  private readonly records: Records;
  /** Of a shop system's own export. */
  private readonly shop: ExportRows | undefined;
  /** Lines that are still to be passed over, the header the last of them. */
  private before: number;
  private rest = "";
  private line = 0;
  /** Characters so far. */
  private read = 0;
  private readsLong = false;
  /** Up to its last value: columns of the row that has the fewest. */
  private fewest = Number.POSITIVE_INFINITY;
  /** The row that was read last, and how many columns it has. */
  private last = { line: 0, columns: Number.POSITIVE_INFINITY };

  /**
   * @param head the beginning of the file, with its whole first line
   * @param fileName decides between delimiters where the header does not
   * @param site the website of the store that the file is for
   * @throws Refusal when no column is known, or one is missing that every row needs
   */
  constructor(head: string, fileName: string, site: string) {
    this.newline = head.includes("\n") ? "\n" : "\r";
    const lines = head.split(this.newline).filter((line) => line.trim() !== "");
    const { before, delimiter, cells, shop } = findHeader(lines.slice(0, MOST_ABOVE + 1), head, fileName);
    this.before = before + 1;
    this.delimiter = delimiter;
    this.columns = columnsOf(cells);
    this.shop = shop?.rows(site);
    this.header = new Set(this.columns.keys());
    this.width = cells.length;
    const links = this.columns.get("link")?.flat() ?? [];
    this.records = new Records(
      delimiter,
      cells.length,
      links.map(({ index }) => index),
      shop && FAR,
    );
    this.format = shop?.format ?? (delimiter === "\t" ? "tsv" : isOpenAi(cells) ? "openai-csv" : "csv");
  }

  write(text: string): RawRow[] {
    this.read += text.length;
    this.readsLong ||= this.rest.length + text.length > LONG;
    const lines = (this.rest + text).split(this.newline);
    this.rest = lines.pop()!;
    if (this.rest.length > MAX_LINE)
      throw new Refusal(
        `Line ${this.line + 1} is longer than ${MAX_LINE.toLocaleString("en")} characters: this is not a feed.`,
      );
    return this.take(lines);
  }

  end(): RawRow[] {
    const { fewest, rest } = this;
    const rows = this.take(rest === "" ? [] : [rest]);
    const last: RecordText[] = [];
    this.records.end(last);
    rows.push(...this.rowsOf(last));
    if (rest !== "" && this.line > FEW_LINES) this.refuseHalf(fewest);
    return [...rows, ...(this.shop?.end() ?? [])];
  }

  /** A file without a line end, and a last row with fewer columns than any other has, was cut off on its way. @throws Refusal */
  private refuseHalf(fewest: number): void {
    const { line, columns } = this.last;
    if (columns < fewest && fewest !== Number.POSITIVE_INFINITY)
      throw new Refusal(
        `The file breaks off in line ${line}: its last row has ${columns} ${columns === 1 ? "column" : "columns"}, and all others have more. Send it again; if it is whole, end it with a line end.`,
      );
  }

  private take(lines: string[]): RawRow[] {
    const records: RecordText[] = [];
    for (const raw of lines) {
      this.line++;
      const line = raw.endsWith("\r") ? raw.slice(0, -1) : raw;
      if (line.trim() === "") this.records.blank(this.line, line, records);
      else if (this.before > 0) this.before--;
      else this.records.push(this.line, line, records);
    }
    return this.rowsOf(records);
  }

  /** Where no quote stands, a delimiter is nothing else; the rest is csv-parse's. */
  private rowsOf(records: RecordText[]): RawRow[] {
    const quoted = records.filter((record) => record.text.includes('"'));
    const parsed = quoted.length > 0 ? cellsOf(quoted.map((record) => record.text).join("\n"), this.delimiter) : [];
    let next = 0;
    return records.flatMap((record) => {
      if (!record.text.includes('"')) return this.rowOf(record, record.text.split(this.delimiter));
      // Each record is one row to csv-parse; were it not so, they would have to be told apart one by one.
      const rows = parsed.length === quoted.length ? [parsed[next++]!] : cellsOf(record.text, this.delimiter);
      if (rows.length === 1) return this.rowOf(record, rows[0]!);
      const sure = record.text.split('"', 1)[0]!.split(this.delimiter).slice(0, -1);
      return [this.unreadable(record, sure, "has quotes out of order")];
    });
  }

  /** Empty where all its cells are. */
  private rowOf(record: RecordText, cells: string[]): RawRow[] {
    if (cells.length > this.width && cells.slice(this.width).some((cell) => cell.trim() !== ""))
      return [
        this.unreadable(
          record,
          cells,
          `has ${cells.length} columns, and the header has ${this.width}: put cells that have a ${spoken.get(this.delimiter)} in quotes`,
        ),
      ];
    const filled = cells.findLastIndex((cell) => cell.trim() !== "") + 1;
    if (filled === 0) return [];
    this.fewest = Math.min(this.fewest, filled);
    this.last = { line: record.line, columns: cells.length };
    const kept = this.readsLong ? cells.map(own) : cells;
    const row = rowOfCells(record.line, kept, this.columns);
    return this.shop ? this.shop.take(row, kept, this.read) : [row];
  }

  /** What went wrong most often did so behind the id. */
  private unreadable({ line, text }: RecordText, cells: string[], reason: string): RawRow {
    const id = this.shop ? this.shop.idOf(cells) : cells[this.columns.get("id")![0]![0]!.index];
    return faulty(line, "row", text, reason, withId(id));
  }
}

/** What files of other kinds begin with: NUL stands in nearly all of them, and in every second byte of most UTF-16. */
const noText = /^\s*%PDF-|\0/;
const required = ["id", "title", "link", "price"] as const;
const SHOP_EXPORTS =
  "Shopify's and WooCommerce's own product exports need none, if they have all their columns, WooCommerce's in English, German, French, Spanish, Italian, Dutch or Polish.";

/** @param missing attributes that every product needs */
function whatToDo(missing: readonly Attribute[]): string {
  if (!missing.includes("link")) return `Name its columns so, ${GOOGLES}.`;
  const others = missing.length > 1 ? ", name the others so" : "";
  return `Add a column link with the address of each product's page${others}, ${GOOGLES}. ${SHOP_EXPORTS}`;
}

interface Header {
  delimiter: string;
  cells: string[];
  shop: ShopExport | undefined;
}

/** The first line, or the first below what stands above it. @throws Refusal, for the line that nothing else can be */
function findHeader(lines: string[], head: string, fileName: string): Header & { before: number } {
  const end = lines.findIndex((line) => !above.test(line));
  for (let before = 0; before < end; before++) {
    try {
      return { before, ...readHeader(lines[before]!, head, fileName) };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  }
  const before = Math.max(end, 0);
  return { before, ...readHeader(lines[before] ?? "", head, fileName) };
}

/** The delimiter is the one under which most columns are known; a tie goes to the file's name. */
function readHeader(line: string, head: string, fileName: string): Header {
  const named = /\.(tsv|txt|tab)(\.gz|\.zip)?$/i.test(fileName) ? "\t" : ",";
  const tries = delimiters
    .map((delimiter) => {
      const [cells = []] = line.length > MAX_LINE ? [] : cellsOf(line.replace(/\r$/, ""), delimiter);
      return { delimiter, cells, known: columnsOf(cells.slice(0, MAX_COLUMNS)).size };
    })
    .sort((a, b) => b.known - a.known || Number(b.delimiter === named) - Number(a.delimiter === named));
  const best = tries[0]!;
  if (best.known === 0)
    throw new Refusal(
      noText.test(head)
        ? NOT_TEXT
        : `The first line names no known attribute, such as ${required.join(", ")}. Name its columns so, ${GOOGLES}.`,
    );
  const shop = shopExportOf(best.cells.slice(0, MAX_COLUMNS));
  const known = shop ? columnsOf(shop.header) : columnsOf(best.cells.slice(0, MAX_COLUMNS));
  const told: readonly Attribute[] = shop?.told ?? [];
  const missing = required.filter(
    (attribute) =>
      !known.has(attribute) && !told.includes(attribute) && !(attribute === "title" && known.has("structured_title")),
  );
  if (missing.length > 0)
    throw new Refusal(
      `The header has no column for ${listed.format(missing)}, which every product needs. ${whatToDo(missing)}`,
    );
  refuseExcess(best.cells, known);
  return { delimiter: best.delimiter, cells: shop?.header ?? best.cells, shop };
}

/** What a header names is made of every row: a tiny file could ask for any amount of work. @throws Refusal */
function refuseExcess(cells: readonly string[], known: ReadonlyMap<Attribute, Column[][]>): void {
  if (cells.length > MAX_COLUMNS)
    throw new Refusal(
      `The header has ${cells.length.toLocaleString("en")} columns, more than 1,000: “${cut(cells[MAX_COLUMNS]!, 40)}” is the first too many. Take out those that are not needed.`,
    );
  for (const { index, parts = [] } of [...known.values()].flat(2))
    if (parts.length > MAX_PARTS)
      throw new Refusal(
        `The header's column “${cut(cells[index]!, 40)}…” names more than ${MAX_PARTS} parts. Remove those that are not needed.`,
      );
}
