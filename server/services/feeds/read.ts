// From a file's bytes to offers, checked row by row; what is wrong goes to `issues`, what is counted to `report`.
import type { Readable } from "node:stream";
import { setImmediate as immediate } from "node:timers/promises";
import { textOf } from "./content";
import { rowsOf } from "./format";
import type { Attribute } from "./header";
import { type Offer, readId, readOffer } from "./offer";
import type { RawRow } from "./raw-row";
import type { Shop } from "./reading";
import { type Issues, Refusal, type Report } from "./report";
import { saysNo } from "./vocabulary";

/**
 * How files are read, in a number: raise it where a release reads otherwise what they say. What stores show of their feed's address
 * is then read once more, though it has not changed there (`isShownAsReadBefore`).
 */
export const READ_VERSION = 5;
const LOOK = "Look whether letters with accents are right; a file saved as UTF-8 needs no guess";
/** Rows that are read in one go. */
const BATCH = 200;

interface Source {
  content: Readable;
  /** Its ending counts where the content does not tell the format. */
  fileName: string;
  /** The store that it is for, its website, and its country: where that is not known, all files are UTF-8 or say what they are. */
  shop: Pick<Shop, "currency" | "currencies" | "now"> & { url: string; country?: string };
}

/** A row that is not loaded, but whose id is known. */
type OnLeftOut = (row: { id: string; line: number; withheld: boolean }) => void;
/** Bytes of the file read so far, and rows found in them. */
export type OnProgress = (progress: { bytes: number; rows: number }) => void;

/**
 * The offers of a file, in batches as they come; memory does not grow with it.
 * @throws Refusal when the file can't be read, has no rows, or too few of which the availability can be read
 */
export async function* offersOf(
  { content, fileName, shop: { currency, currencies, now, url, country } }: Source,
  report: Pick<Report, "format" | "rows" | "rejected">,
  issues: Issues,
  onProgress?: OnProgress,
  onLeftOut?: OnLeftOut,
): AsyncGenerator<Offer[]> {
  let bytes = 0;
  const onCodePage = (encoding: string) =>
    issues.add("warning", 0, "file", fileName, `is not UTF-8: read as ${encoding}. ${LOOK}`);
  const text = textOf(
    content,
    (read) => {
      bytes = read;
    },
    country === undefined ? {} : { home: { country, onCodePage } },
  );
  let header: ReadonlySet<Attribute> | undefined;
  const onFormat = (format: Report["format"], names: typeof header) => {
    report.format = format;
    header = names;
  };
  const shop: Shop = { currency, currencies, now, tellsAvailability: true, unreadAvailability: 0 };
  let isTold = false;
  const toldOf = new Set<Attribute>();
  let kept = 0;
  for await (const rows of inBatches(rowsOf(text, { fileName, site: url }, onFormat))) {
    const offers: Offer[] = [];
    for (const row of rows) {
      report.rows++;
      if (!isTold && (header || !row.fault)) {
        isTold = true;
        shop.tellsAvailability = tellsAvailability(header, row, issues);
      }
      const withheld = isWithheld(row, issues);
      if (!withheld) tellMade(row, toldOf, issues);
      const { unreadAvailability } = shop;
      const offer = withheld ? undefined : readOffer(row, shop, issues);
      if (offer) {
        kept++;
        offers.push(offer);
        continue;
      }
      // What is not loaded counts as nothing.
      shop.unreadAvailability = unreadAvailability;
      if (!withheld) report.rejected++;
      const id = onLeftOut && readId(row, shop);
      if (id) onLeftOut({ id, line: row.line, withheld });
    }
    yield offers;
    onProgress?.({ bytes, rows: report.rows });
    // What has been read ahead would come without anybody else having a turn.
    await immediate();
  }
  if (report.rows === 0) throw new Refusal("The file has no rows.");
  // Else a shop that changes its words would have nothing to sell by tomorrow.
  if (shop.unreadAvailability * 2 > kept)
    throw new Refusal(
      `${shop.unreadAvailability.toLocaleString("en")} of ${kept.toLocaleString("en")} rows, more than half, have no availability that can be read, and would count as out of stock. Use in_stock, out_of_stock, preorder or backorder, and send the file again.`,
    );
}

async function* inBatches(pieces: AsyncIterable<RawRow[]>): AsyncGenerator<RawRow[]> {
  for await (const rows of pieces) for (let at = 0; at < rows.length; at += BATCH) yield rows.slice(at, at + BATCH);
}

/** Where the header, or without one the first row that can be read, says nothing of availability, the file is taken not to tell. */
function tellsAvailability(header: ReadonlySet<Attribute> | undefined, first: RawRow, issues: Issues): boolean {
  const named = header ?? new Set(first.fields.keys());
  if (named.has("availability") || named.has("inventory_quantity")) return true;
  issues.add("warning", first.line, "availability", "", "is missing from the file: every product counts as in stock");
  return false;
}

/** Of what is made where the file lacks it one is told, so that somebody can look whether it is right. */
function tellMade({ line, fields, made }: RawRow, told: Set<Attribute>, issues: Issues): void {
  for (const [field, from] of made ?? []) {
    if (told.has(field)) continue;
    told.add(field);
    const [one = ""] = fields.get(field) ?? [];
    issues.add("warning", line, field, String(one), `is missing from the file: each is made from ${from}`);
  }
}

/** What says that the merchant does not want agents to find a row, or nobody: OpenAI's `enable_search`, and shop systems' own. */
const withholding: [Attribute, besideNo: RegExp | undefined][] = [
  ["enable_search", undefined],
  // WooCommerce's -1 is a draft.
  ["published", /^\s*-1\s*$/],
  ["status", /^\s*(?:draft|pending|private|archived|trash|inactive|disabled|unpublished|unlisted|hidden)\s*$/i],
  ["visibility", /^\s*(?:hidden|staging)\s*$/i],
];

function isWithheld(row: RawRow, issues: Issues): boolean {
  for (const [field, words] of withholding) {
    const said = row.fields.get(field)?.[0];
    if (typeof said !== "string" || !(saysNo(said) || words?.test(said))) continue;
    issues.add("warning", row.line, field, said, "keeps the row from agents: not loaded");
    return true;
  }
  return false;
}
