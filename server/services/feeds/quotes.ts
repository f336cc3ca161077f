// Lines of CSV and TSV to whole records, so that one stray quote costs one row and never the rest of the file.
// Google's TSV takes a quote literally; shop systems quote in TSV too; descriptions in CSV run over lines.

/** How far a quote may stay open before it is taken as a stray one. */
const MAX_LINES = 200;
const MAX_CHARACTERS = 128 * 1024;
/** Characters that may be looked at more than once in all: a file made of stray quotes must not take for ever. */
const EFFORT = 50_000_000;

export interface RecordText {
  line: number;
  text: string;
}

interface Open {
  line: number;
  /** Lines so far, joined. */
  text: string;
  lines: string[];
  /** Where in `text` the quote stands. */
  quote: number;
}

export class Records {
  private open: Open | undefined;
  private effort = EFFORT;

  /** @param columns how many the header has */
  constructor(
    private readonly delimiter: string,
    private readonly columns: number,
  ) {}

  /** Takes the next line; puts into `out` the records that are whole by now. */
  push(line: number, text: string, out: RecordText[]): void {
    if (this.open) {
      this.extend(this.open, text, out);
      return;
    }
    const record = text.includes('"') && this.delimiter === "\t" ? mendCells(text, this.columns) : text;
    const quote = record.includes('"') ? walk(record, this.delimiter).open : -1;
    if (quote < 0) out.push({ line, text: record });
    else this.open = { line, text, lines: [text], quote };
  }

  /** A blank line is text inside quotes, and nothing elsewhere. */
  blank(line: number, text: string, out: RecordText[]): void {
    if (this.open) this.push(line, text, out);
  }

  end(out: RecordText[]): void {
    while (this.open) this.giveUp(this.open, out);
  }

  private extend(open: Open, line: string, out: RecordText[]): void {
    open.text += `\n${line}`;
    open.lines.push(line);
    this.effort -= open.text.length - open.quote;
    const found = walk(open.text, this.delimiter, open.quote);
    const isOpen = found.open >= 0;
    const tooFar = open.lines.length > MAX_LINES || open.text.length > MAX_CHARACTERS || this.effort < 0;
    const tooWide = !isOpen && walk(open.text, this.delimiter).fields > this.columns;
    if (found.stray || tooWide || (isOpen && tooFar)) this.giveUp(open, out);
    else if (isOpen) open.quote = found.open;
    else {
      this.open = undefined;
      out.push({ line: open.line, text: open.text });
    }
  }

  /** The quote was a stray one: its line stands alone, and the lines after it are looked at afresh. */
  private giveUp(open: Open, out: RecordText[]): void {
    this.open = undefined;
    out.push({ line: open.line, text: mend(open.lines[0]!, this.delimiter) });
    for (let i = 1; i < open.lines.length; i++) {
      const text = open.lines[i]!;
      if (text.trim() === "") this.blank(open.line + i, text, out);
      else this.push(open.line + i, text, out);
    }
  }
}

interface Walk {
  /** Where the quote stands that is open at the end; -1 if none is. */
  open: number;
  fields: number;
  /** A quoted field went on after its closing quote. */
  stray: boolean;
}

/** From the start of a field to the end of the text, by the rules of csv-parse with relax_quotes. */
function walk(text: string, delimiter: string, from = 0): Walk {
  let fields = 1;
  let stray = false;
  for (let at = from; ; fields++) {
    if (text[at] === '"') {
      const close = closing(text, at);
      if (close < 0) return { open: at, fields, stray };
      at = close + 1;
      if (at < text.length && text[at] !== delimiter) stray = true;
    }
    at = text.indexOf(delimiter, at);
    if (at < 0) return { open: -1, fields, stray };
    at++;
  }
}

/** The quote that closes the field that `open` opens; doubled ones are text. */
function closing(text: string, open: number): number {
  let at = text.indexOf('"', open + 1);
  while (at >= 0 && text[at + 1] === '"') at = text.indexOf('"', at + 2);
  return at;
}

/** In TSV a line that has its columns is a record, whatever its quotes: those that enclose no whole cell are text. */
function mendCells(text: string, columns: number): string {
  const cells = text.split("\t");
  if (cells.length !== columns) return text;
  return cells.map((cell) => (cell.startsWith('"') && !isEnclosed(cell) ? enclosed(cell) : cell)).join("\t");
}

const isEnclosed = (cell: string): boolean => cell.length > 1 && closing(cell, 0) === cell.length - 1;
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
