// CSV that leaves the house: what people and feeds wrote is data in a spreadsheet too, never a formula.
import { stringify } from "csv-stringify/sync";

type Cell = string | number | boolean | Date | null | undefined;

export interface CsvColumn<Row> {
  header: string;
  cell: (row: Row) => Cell;
}

/** A quote may stand between: it is written twice, and begins and ends a cell of nothing. */
const PARTS_BEFORE_A_FORMULA = /[;\t\r\n]"*(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g;
const BOM = "\ufeff";

/**
 * Rows as CSV (RFC 4180, UTF-8 with the mark by which spreadsheets know it), a piece at a time, so that a file of any
 * length is never whole in memory. Instants are ISO 8601 in UTC. A cell that a spreadsheet would run as a formula
 * (one that begins with = + - @, in their full width too, a tab or a carriage return) gets an apostrophe before it, and so
 * does what becomes a cell of its own where a spreadsheet parts them at semicolons or tabs: the lines of a cell do, too.
 * @param batches the rows, in whatever portions they come
 */
export async function* csv<Row>(columns: CsvColumn<Row>[], batches: AsyncIterable<Row[]>): AsyncGenerator<string> {
  yield BOM + lines([columns.map(({ header }) => header)]);
  for await (const rows of batches) {
    if (rows.length > 0) yield lines(rows.map((row) => columns.map(({ cell }) => shown(cell(row)))));
  }
}

/** The same for a few rows, all at once. */
export const csvText = <Row>(columns: CsvColumn<Row>[], rows: Row[]): string =>
  BOM + lines([columns.map(({ header }) => header), ...rows.map((row) => columns.map(({ cell }) => shown(cell(row))))]);

const lines = (cells: (string | null)[][]): string =>
  stringify(cells, { escape_formulas: true, quoted_match: /[\r\n]/, record_delimiter: "windows" });

function shown(cell: Cell): string | null {
  if (cell === null || cell === undefined) return null;
  return cell instanceof Date ? cell.toISOString() : String(cell).replace(PARTS_BEFORE_A_FORMULA, "$&'");
}
