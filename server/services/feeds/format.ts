// Which format a file has is told by what is in it; its name counts where that leaves a doubt.
import { DelimitedReader, hasHeader } from "./delimited";
import type { Attribute } from "./header";
import { JsonLinesReader } from "./jsonl";
import type { RawRow, Reader } from "./raw-row";
import { type Format, NOT_TEXT, Refusal, WEB_PAGE } from "./report";
import { XmlReader } from "./xml";

/** What Excel is told by, on a line above the header; what it says is found out anyway. The line stays, empty, so that those below keep their numbers. */
const SEPARATOR = /^"?sep=[^\r\n]"?[^\S\r\n]*(?=[\r\n])/i;
/** The first line of a delimited file must lie within as many characters. */
const HEAD = 256 * 1024;

/**
 * Reads a file's text into rows, in batches as they come.
 * @param source its name, and the website of the store that it is for
 * @param onFormat is told the format as soon as it is known, and what the header names where there is one
 * @throws Refusal when the file can't be read as any format
 */
export async function* rowsOf(
  texts: AsyncIterable<string>,
  source: { fileName: string; site: string },
  onFormat: (format: Format, header: ReadonlySet<Attribute> | undefined) => void,
): AsyncGenerator<RawRow[]> {
  let head = "";
  let reader: Reader | undefined;
  for await (const text of texts) {
    let rows: RawRow[];
    if (reader) rows = reader.write(text);
    else {
      head = (head + text).replace(SEPARATOR, "");
      if (head.length < HEAD && !hasHeader(head)) continue;
      reader = readerOf(head, source);
      rows = reader.write(head);
    }
    if (reader.format) onFormat(reader.format, reader.header);
    yield rows;
  }
  if (head.trim() === "") throw new Refusal("The file is empty.");
  if (!reader) {
    reader = readerOf(head, source);
    const rows = reader.write(head);
    if (reader.format) onFormat(reader.format, reader.header);
    yield rows;
  }
  yield reader.end();
}

const webPage = /^<(!doctype\s+html|html)[\s>]/i;
/** UTF-16 whose byte order mark is missing: neither XML nor JSON goes on with NUL. */
const utf16 = /^[<{[]\0.\0/s;
/** An object that ends on a later line, or is a list of products rather than one. */
const wrapped = /^\{[^\S\n]*(\r?\n|"(products|items|data|results)"\s*:\s*\[)/;

function readerOf(head: string, { fileName, site }: { fileName: string; site: string }): Reader {
  const text = head.trimStart();
  if (utf16.test(text)) throw new Refusal(NOT_TEXT);
  if (webPage.test(text)) throw new Refusal(WEB_PAGE);
  if (text[0] === "<") return new XmlReader();
  if (text[0] === "[" || wrapped.test(text))
    throw new Refusal(
      `The file is one JSON ${text[0] === "[" ? "array" : "object"}. Send JSON Lines: one product, as one JSON object, on each line.`,
    );
  if (text[0] === "{") return new JsonLinesReader();
  return new DelimitedReader(head, fileName, site);
}

/** For files whose content was never seen. */
export function formatByName(fileName: string): Format {
  if (/\.(xml|rss)(\.gz|\.zip)?$/i.test(fileName)) return "rss";
  if (/\.atom(\.gz|\.zip)?$/i.test(fileName)) return "atom";
  if (/\.(jsonl|ndjson|json)(\.gz|\.zip)?$/i.test(fileName)) return "openai-jsonl";
  return /\.(tsv|txt|tab)(\.gz|\.zip)?$/i.test(fileName) ? "tsv" : "csv";
}
