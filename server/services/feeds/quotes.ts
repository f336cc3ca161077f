// Lines of CSV and TSV to whole records, so that one stray quote costs one row and never the rest of the file.
// Google's TSV takes a quote literally; shop systems quote in TSV too; descriptions in CSV run over lines.

/** How far a quote may stay open before it is taken as a stray one. */
export interface Reach {
  lines: number;
  characters: number;
}
const NEAR: Reach = { lines: 200, characters: 128 * 1024 };
/** Where a shop system has written it, with descriptions as long as it lets them be: its quotes are in order. */
export const FAR: Reach = { lines: 20_000, characters: 1024 * 1024 };
/**
 * Characters that may be looked at again after stray quotes, beyond as many as the file has: one that is made of them must
 * not take for ever. A quoted cell that ends well costs none, however many lines it has.
 */
const EFFORT = 50_000_000;

export interface RecordText {
  line: number;
  text: string;
}

/** A record whose last field so far is quoted, and goes on. */
interface Open {
  line: number;
  lines: string[];
  /** Characters in them. */
  length: number;
  /** How many have begun. */
  fields: number;
}

export class Records {
  private open: Open | undefined;
  private effort = EFFORT;

  /** @param columns how many the header has  @param links those that hold links */
  constructor(
    private readonly delimiter: string,
    private readonly columns: number,
    private readonly links: readonly number[] = [],
    private readonly reach = NEAR,
  ) {}

  /** Takes the next line; puts into `out` the records that are whole by now. */
  push(line: number, text: string, out: RecordText[]): void {
    this.effort += text.length;
    this.take(line, text, out);
  }

  /** A blank line is text inside quotes, and nothing elsewhere. */
  blank(line: number, text: string, out: RecordText[]): void {
    if (this.open) this.push(line, text, out);
  }

  end(out: RecordText[]): void {
    while (this.open) this.giveUp(this.open, out);
  }

  private take(line: number, text: string, out: RecordText[]): void {
    if (this.open) {
      this.extend(this.open, text, out);
      return;
    }
    const record = text.includes('"') && this.delimiter === "\t" ? mendCells(text, this.columns) : text;
    const found = record.includes('"') ? walk(record, this.delimiter) : undefined;
    if (!found || found.open < 0) out.push({ line, text: record });
    else this.open = { line, lines: [text], length: text.length, fields: found.fields };
  }

  /** Only the new line is looked at: what stands before it holds no end of the field. */
  private extend(open: Open, line: string, out: RecordText[]): void {
    // What ends a record of several lines has as many cells only where that has but its first one so far.
    if (this.delimiter === "\t" && open.fields > 1 && this.isRow(line)) {
      open.lines.push(line);
      open.length += line.length + 1;
      this.giveUp(open, out);
      return;
    }
    const found = walk(line, this.delimiter, true);
    open.lines.push(line);
    open.length += line.length + 1;
    open.fields += found.fields - 1;
    const isOpen = found.open >= 0;
    const { reach } = this;
    const tooFar = open.lines.length > reach.lines || open.length > reach.characters || this.effort < 0;
    if (found.stray || open.fields > this.columns || (isOpen && tooFar)) this.giveUp(open, out);
    else if (!isOpen) {
      this.open = undefined;
      out.push({ line: open.line, text: open.lines.join("\n") });
    }
  }

  /** In TSV a line that has its columns is a record; so is one without its last ones that has its link where links are. */
  private isRow(line: string): boolean {
    const cells = line.split("\t", this.columns + 1);
    if (cells.length >= this.columns) return cells.length === this.columns;
    const [first = ""] = cells;
    const hasLink = this.links.some((at) => /^\s*https?:\/\//i.test(cells[at] ?? ""));
    return hasLink && first.trim() !== "" && !first.includes('"');
  }

  /** The quote was a stray one: its line stands alone, and the lines after it are looked at afresh. */
  private giveUp({ line, lines, length }: Open, out: RecordText[]): void {
    this.open = undefined;
    out.push({ line, text: mend(lines[0]!, this.delimiter) });
    this.effort -= length - lines[0]!.length;
    for (let i = 1; i < lines.length; i++) {
      const text = lines[i]!;
      if (this.open || text.trim() !== "") this.take(line + i, text, out);
    }
  }
}

interface Walk {
  /** Where the field begins that is quoted and still open at the end; -1 if none is. */
  open: number;
  fields: number;
  /** A quoted field went on after its closing quote. */
  stray: boolean;
}

/**
 * From the start of a field to the end of the text, by the rules of csv-parse with relax_quotes.
 * @param isInside the field is quoted, and has begun before
 */
function walk(text: string, delimiter: string, isInside = false): Walk {
  let stray = false;
  let at = 0;
  for (let fields = 1; ; fields++) {
    const goesOn = isInside && fields === 1;
    if (goesOn || text[at] === '"') {
      const close = closing(text, goesOn ? 0 : at + 1);
      if (close < 0) return { open: at, fields, stray };
      at = close + 1;
      if (at < text.length && text[at] !== delimiter) stray = true;
    }
    at = text.indexOf(delimiter, at);
    if (at < 0) return { open: -1, fields, stray };
    at++;
  }
}

/** The first quote from `at` on that closes a field; doubled ones are text. */
function closing(text: string, at: number): number {
  let quote = text.indexOf('"', at);
  while (quote >= 0 && text[quote + 1] === '"') quote = text.indexOf('"', quote + 2);
  return quote;
}

/** In TSV a line that has its columns is a record, whatever its quotes: those that enclose no whole cell are text. */
function mendCells(text: string, columns: number): string {
  const cells = text.split("\t");
  if (cells.length !== columns) return text;
  return cells.map((cell) => (cell.startsWith('"') && !isEnclosed(cell) ? enclosed(cell) : cell)).join("\t");
}

const isEnclosed = (cell: string): boolean => cell.length > 1 && closing(cell, 1) === cell.length - 1;
const enclosed = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** Quotes the fields whose quote is never closed, so that a parser takes it as text. */
function mend(text: string, delimiter: string): string {
  for (let mended = text; ; ) {
    const { open } = walk(mended, delimiter);
    if (open < 0) return mended;
    const next = mended.indexOf(delimiter, open);
    const end = next < 0 ? mended.length : next;
    mended = mended.slice(0, open) + enclosed(mended.slice(open, end)) + mended.slice(end);
  }
}
