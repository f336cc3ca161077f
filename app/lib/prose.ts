// The Markdown that published texts are written in, as data: headings, paragraphs, lists, **bold**, `code` and links.
// No HTML comes out of it: what it does not know stays as it was typed.
export type Piece = { kind: "plain" | "strong" | "code"; text: string } | { kind: "link"; text: string; href: string };

export type Block =
  | { kind: "heading"; level: number; text: Piece[] }
  | { kind: "paragraph"; text: Piece[] }
  /** `start` is the first number; null for a list without numbers. */
  | { kind: "list"; start: number | null; items: Piece[][] };

// No bracket in a label, no parenthesis in an address: else thousands that are never closed would take quadratic time.
const INLINE =
  /\*\*(?<strong>[^\s*](?:[^*]*[^\s*])?)\*\*|`(?<code>[^`]+)`|\[(?<label>[^[\]]+)\]\((?<href>https?:\/\/[^\s()]+)\)/g;
const HEADING = /^(#{1,6})\s+(.*)$/;
const ITEM = /^\s{0,3}(?:(\d{1,9})[.)]|[-*])\s+(.*)$/;

/** A text's blocks, in order. Lines of one paragraph or item are joined; items with blank lines between are one list. */
export function parseProse(markdown: string): Block[] {
  const blocks: Block[] = [];
  for (const paragraph of paragraphs(markdown)) {
    const [, hashes, heading] = HEADING.exec(paragraph) ?? [];
    const [, number, item] = ITEM.exec(paragraph) ?? [];
    const last = blocks.at(-1);
    if (hashes !== undefined) blocks.push({ kind: "heading", level: hashes.length, text: pieces(heading!) });
    else if (item === undefined) blocks.push({ kind: "paragraph", text: pieces(paragraph) });
    else if (last?.kind === "list" && (last.start === null) === (number === undefined)) last.items.push(pieces(item));
    else blocks.push({ kind: "list", start: number === undefined ? null : Number(number), items: [pieces(item)] });
  }
  return blocks;
}

/** A heading, a paragraph or an item, as the words that are read of it. */
export interface Line {
  /** What an item begins with; empty for all else. */
  mark: string;
  isHeading: boolean;
  text: string;
}

/** A text's headings, paragraphs and items, in order: where only the marks of Markdown differ, so do no words. */
export const linesOf = (markdown: string): Line[] =>
  parseProse(markdown).flatMap((block) =>
    block.kind === "list"
      ? block.items.map((item, i) => ({
          mark: block.start === null ? "•" : `${block.start + i}.`,
          isHeading: false,
          text: wordsOf(item),
        }))
      : { mark: "", isHeading: block.kind === "heading", text: wordsOf(block.text) },
  );

const wordsOf = (text: Piece[]) =>
  text.map((piece) => (piece.kind === "link" ? `${piece.text} (${piece.href})` : piece.text)).join("");

/** What stands between blank lines; a heading or an item begins one too, and a heading is a single line. */
function paragraphs(markdown: string): string[] {
  const found: string[] = [];
  let isOpen = false;
  for (const line of markdown.split(/\r?\n/)) {
    const isHeading = HEADING.test(line);
    if (line.trim() === "") isOpen = false;
    else if (isOpen && !isHeading && !ITEM.test(line)) found.push(`${found.pop()} ${line.trim()}`);
    else {
      found.push(line.trim());
      isOpen = !isHeading;
    }
  }
  return found;
}

function pieces(text: string): Piece[] {
  const found: Piece[] = [];
  let end = 0;
  for (const match of text.matchAll(INLINE)) {
    if (match.index > end) found.push({ kind: "plain", text: text.slice(end, match.index) });
    const { strong, code, label, href } = match.groups!;
    if (href !== undefined) found.push({ kind: "link", text: label!, href });
    else found.push(strong === undefined ? { kind: "code", text: code! } : { kind: "strong", text: strong });
    end = match.index + match[0].length;
  }
  if (end < text.length) found.push({ kind: "plain", text: text.slice(end) });
  return found;
}
