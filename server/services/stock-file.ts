// A merchant's counts as a file: Google's local inventory (support.google.com/merchants/answer/14819809), a row for each
// product at each store; and, in columns of their own, what Google has from elsewhere: a store's name and address.
import { Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { CsvError, parse } from "csv-parse";
import type { z } from "zod";
import { refuseField } from "../errors";
import { parseInstant } from "./feeds/instant";
import { clean, oneLine, UNREADABLE } from "./feeds/plain";
import { type Level, LOW_STOCK, type Location, MOST_LOCATIONS, MOST_PIECES } from "./inventory";

export interface Stock {
  locations: z.output<typeof Location>[];
  levels: z.output<typeof Level>[];
}

/** What the page takes; `aisle stock` takes more. */
export const MAX_STOCK_BYTES = 5 * 1024 * 1024;
const PORTION = 64 * 1024;
/** A refusal names so many faults, and how many more there are; after so many nothing more is looked at. */
const NAMED = 5;
const MOST_FAULTS = 1_000;
const MOST_COLUMNS = 1_000;
const LINE_END = /\r\n?|\n/;
/** Between so many rows others are served: what is in memory already would be read in one turn. */
const ROWS_A_TURN = 500;
const delimiters = ["\t", ",", ";", "|"];

/** The columns that are read, with the other names that they go by. */
const names = {
  id: ["item_id", "offer_id", "variant_id", "sku"],
  store_code: ["location_id", "store"],
  quantity: ["qty", "stock"],
  availability: [],
  store_name: ["location_name"],
  store_address: ["address"],
  pickup_method: ["pickup"],
  low_stock_threshold: [],
  restock_at: ["restock_date"],
} as const satisfies Record<string, string[]>;
type Column = keyof typeof names;
type Cells = Partial<Record<Column, string>>;

/** How long each may be. */
const longest = { id: 200, store_code: 100, store_name: 200, store_address: 500 };
/** Google's word for it, and those of spreadsheets. */
const NO_PICKUP = /^(not[ _]supported|no|false|0)$/i;

/** What a file says of a location; what it does not stays as it is known. */
type Said = Partial<Omit<Stock["locations"][number], "location_id">>;

export interface Counts {
  levels: Stock["levels"];
  /** By `store_code`. */
  locations: Map<string, Said>;
}

interface Parsed {
  record: string[];
  /** The line at which it ends. */
  info: { lines: number };
  /** As it stands in the file. */
  raw: string;
}

/** Lines of a record below its first, where one of them is a row by itself: a stray quote has taken it in, and its counts with it. */
function rowsWithin(raw: string, isRow: (line: string) => boolean): number {
  const [, ...below] = raw.trimEnd().split(LINE_END);
  return below.some(isRow) ? below.length : 0;
}

/** @throws DomainError invalid_input, with the lines that are not as they must be: then none of it counts */
export async function readStock(content: AsyncIterable<Uint8Array>): Promise<Counts> {
  const bytes = await whole(content);
  const delimiter = delimiterOf(bytes);
  const rows = Readable.from(portions(bytes)).pipe(
    parse({
      bom: true,
      delimiter,
      info: true,
      raw: true,
      relax_column_count: true,
      relax_quotes: true,
      skip_records_with_empty_values: true,
    }),
  );
  const locations = new Map<string, Said>();
  const levels = new Map<string, Stock["levels"][number] & { line: number }>();
  const faults: string[] = [];
  const fault = (line: number, what: string) => void faults.push(`line ${line}: ${what}`);
  let columns: (Column | undefined)[] | undefined;
  let read = 0;
  const cellsOf = (record: readonly string[]): Cells =>
    Object.fromEntries(
      columns!.flatMap((name, i) => (name && record[i] !== undefined ? [[name, oneLine(clean(record[i]))]] : [])),
    );
  /** What ends a quoted cell of several lines has its quote in its first one. */
  const isRow = (line: string) => {
    const record = line.split(delimiter);
    return !record[0]!.includes('"') && typeof readLevel(cellsOf(record)) !== "string";
  };
  try {
    for await (const { record, info, raw } of rows as AsyncIterable<Parsed>) {
      if (!columns) {
        columns = columnsOf(record);
        continue;
      }
      if (++read % ROWS_A_TURN === 0) await setImmediate();
      if (faults.length >= MOST_FAULTS) break;
      const swallowed = rowsWithin(raw, isRow);
      if (swallowed > 0) {
        fault(info.lines - swallowed, "a quote is never closed, and takes in the row below");
        continue;
      }
      const cells = cellsOf(record);
      const level = readLevel(cells);
      if (typeof level === "string") {
        fault(info.lines, level);
        continue;
      }
      const key = JSON.stringify([level.variant_id, level.location_id]);
      const before = levels.get(key);
      if (before) fault(info.lines, `id and store_code are those of line ${before.line}`);
      levels.set(key, { ...level, line: info.lines });
      const saidBefore = locations.get(level.location_id);
      locations.set(level.location_id, { ...saidBefore, ...said(cells, saidBefore) });
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    fault(Number(error.lines ?? 1), "has quotes out of order");
  }
  if (locations.size > MOST_LOCATIONS)
    faults.unshift(`it has ${locations.size} stores, and ${MOST_LOCATIONS} are the most`);
  if (faults.length > 0) throw unusable(told(faults));
  if (levels.size === 0) throw unusable("The file has no rows.");
  return { locations, levels: [...levels.values()].map(({ line: _, ...level }) => level) };
}

const unusable = (message: string) => refuseField("content", message);

function told(faults: string[]): string {
  const least = faults.length >= MOST_FAULTS ? "at least " : "";
  const more = faults.length > NAMED ? [`and ${least}${faults.length - NAMED} more`] : [];
  return `Nothing was changed: ${[...faults.slice(0, NAMED), ...more].join("; ")}.`;
}

async function whole(content: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of content) {
    size += part.length;
    if (size > MAX_STOCK_BYTES)
      throw unusable(
        `The file is larger than ${MAX_STOCK_BYTES / 1024 ** 2} MB. Leave out columns that are not read here, but keep products without stock: one that is left out is told as not counted. Beyond that an operator can load the counts as JSON.`,
      );
    parts.push(part);
  }
  const bytes = Buffer.concat(parts);
  if (bytes.includes(0) || (bytes[0] === 0x1f && bytes[1] === 0x8b))
    throw unusable("This is no text. Save the table as CSV in UTF-8, and upload that.");
  return bytes;
}

/** @throws DomainError invalid_input beyond the columns that a file may have */
function delimiterOf(bytes: Buffer): string {
  const [firstLine = ""] = bytes
    .subarray(0, 1024 * 1024)
    .toString()
    .split(LINE_END, 1);
  const delimiter = delimiters.find((one) => firstLine.includes(one)) ?? ",";
  if (firstLine.split(delimiter, MOST_COLUMNS + 1).length > MOST_COLUMNS)
    throw unusable("The first line has more than 1,000 columns. Take out those that are not needed.");
  return delimiter;
}

/** A portion at a time, so that others are served meanwhile. */
function* portions(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += PORTION) yield bytes.subarray(at, at + PORTION);
}

/** By place, which column it is; of two names for one, the first one of its list. @throws DomainError invalid_input */
function columnsOf(header: string[]): (Column | undefined)[] {
  const cells = header.map((cell) => clean(cell).toLowerCase().replaceAll(" ", "_"));
  const places = new Map(
    (Object.keys(names) as Column[]).flatMap((column) => {
      const name = [column, ...names[column]].find((one) => cells.includes(one));
      return name === undefined ? [] : [[cells.indexOf(name), column] as const];
    }),
  );
  const there = new Set(places.values());
  const missing = (["id", "store_code", "quantity"] as const).filter(
    (column) => !there.has(column) && !(column === "quantity" && there.has("availability")),
  );
  const them = missing.length === 1 ? "it" : "them";
  if (missing.length > 0)
    throw unusable(`The file has no column ${missing.join(" or ")}. Its first line must name ${them}.`);
  return cells.map((_, i) => places.get(i));
}

/** @returns what is wrong with it where it is none */
function readLevel(cells: Cells): Stock["levels"][number] | string {
  const { id: variant_id, store_code: location_id } = cells;
  if (!variant_id) return "id is missing";
  if (!location_id) return "store_code is missing";
  for (const name of Object.keys(longest) as (keyof typeof longest)[]) {
    const text = cells[name] ?? "";
    if (text.length > longest[name]) return `${name} is longer than ${longest[name]} characters`;
    if (text.includes(UNREADABLE)) return `${name} has characters that are not UTF-8`;
  }
  const isOut = /^out[ _]of[ _]stock$/i.test(cells.availability ?? "");
  if (!cells.quantity && !isOut)
    return cells.availability
      ? `availability ${quoted(cells.availability)} needs a quantity beside it`
      : "quantity is missing";
  const quantity = pieces(cells.quantity || "0");
  if (quantity === undefined) return `quantity ${quoted(cells.quantity)} is no number of pieces`;
  const threshold = cells.low_stock_threshold ? pieces(cells.low_stock_threshold) : LOW_STOCK;
  if (threshold === undefined) return `low_stock_threshold ${quoted(cells.low_stock_threshold)} is no number of pieces`;
  const restock_at = cells.restock_at ? parseInstant(cells.restock_at) : undefined;
  if (cells.restock_at && !restock_at)
    return `restock_at ${quoted(cells.restock_at)} is no date, such as 2026-09-26, or date and time`;
  return { variant_id, location_id, quantity, low_stock_threshold: threshold, ...(restock_at && { restock_at }) };
}

/** Systems write whole numbers with decimals, too. */
function pieces(text: string): number | undefined {
  const count = /^\d{1,10}(\.0*)?$/.test(text) ? Number(text) : Number.NaN;
  return count <= MOST_PIECES ? count : undefined;
}

const quoted = (text = "") => JSON.stringify(text.slice(0, 50));

/** Of a location's rows each may say more; where something can be picked up there, it offers pick-up. */
function said({ store_name, store_address, pickup_method }: Cells, before: Said = {}): Said {
  return {
    ...(store_name && { name: store_name }),
    ...(store_address && { address: store_address }),
    ...(pickup_method && { pickup: before.pickup || !NO_PICKUP.test(pickup_method) }),
  };
}
