// What is told of a load: counts, and the first thousand issues.
import { clean, cut, own } from "./plain";

export type Format = "tsv" | "csv" | "rss" | "atom" | "openai-jsonl" | "openai-csv" | "shopify-csv" | "woocommerce-csv";

export interface FeedIssue {
  /** Of the file, from 1: where the row starts. 0: the file as a whole. */
  line: number;
  field: string;
  /** At most 200 characters of it. */
  value: string;
  reason: string;
  /** An error costs the row: what was loaded of it before stays. A warning costs at most the field. */
  severity: "error" | "warning";
}

export interface Report {
  loadId: string;
  format: Format;
  /** Rows in the file that stand for something sold: neither blank lines nor those that only add to others are counted. */
  rows: number;
  /** Rows stored: one a feed id. */
  loaded: number;
  /** Products that they make. */
  products: number;
  /** Rows with an error. */
  rejected: number;
  /** Warnings, all of them. */
  warnings: number;
  /** Rows of earlier loads that this file no longer has. */
  vanished: number;
  /** The first 1,000; errors go before warnings. */
  issues: FeedIssue[];
  durationMs: number;
}

/** Issues whose details are kept. */
export const MAX_ISSUES = 1_000;
const MAX_VALUE = 200;
/** A reason may name what stands in the file. */
const MAX_REASON = 500;

/** A file that is refused whole: nothing of it is stored. The message is for the merchant, and may name what stands in the file. */
export class Refusal extends Error {
  override readonly name = "Refusal";

  constructor(message: string, options?: ErrorOptions) {
    super(clean(message), options);
  }
}

export const NOT_TEXT =
  "The file is not text that can be read. It may be a PDF, a picture, or in UTF-16 without a byte order mark. Send TSV, CSV, XML or JSON Lines in UTF-8.";

export const WEB_PAGE =
  "The file is a web page, perhaps a login or an error, or begins as one. Send the feed itself, or the address that answers with it.";

/** As many may have been written by hand, and end as it pleases; what breaks off on its way has more. */
export const FEW_LINES = 10;

/** What a merchant can do whose shop system says things otherwise. */
export const GOOGLES = "or send your shop system's feed for Google Merchant Center";
export const NOT_UTF8 = "has characters that are not UTF-8";

/** Collects issues in bounded memory. */
export class Issues {
  readonly first: FeedIssue[] = [];
  warnings = 0;
  private keptWarnings = 0;

  /** Those whose details are not kept. */
  addWarnings(count: number): void {
    this.warnings += count;
  }

  add(severity: FeedIssue["severity"], line: number, field: string, value: string, reason: string): void {
    if (severity === "warning") this.warnings++;
    this.keep({ line, field, value: clean(cut(value, MAX_VALUE)), reason: clean(cut(reason, MAX_REASON)), severity });
  }

  /** The error that most of the rows have which have one, as far as its details are kept. */
  ofMostRows(): FeedIssue | undefined {
    const errors = this.first.filter(({ severity, line }) => severity === "error" && line > 0);
    const rows = new Set(errors.map(({ line }) => line)).size;
    const alike = new Map<string, number>();
    return errors.find(({ field, reason }) => {
      const count = (alike.get(`${field} ${reason}`) ?? 0) + 1;
      alike.set(`${field} ${reason}`, count);
      return count * 2 > rows;
    });
  }

  protected keep(issue: FeedIssue): void {
    if (this.first.length >= MAX_ISSUES && !(issue.severity === "error" && this.dropWarning())) return;
    this.first.push({ ...issue, value: own(issue.value), reason: own(issue.reason) });
    if (issue.severity === "warning") this.keptWarnings++;
  }

  /** Makes room for an error. */
  private dropWarning(): boolean {
    if (this.keptWarnings === 0) return false;
    this.first.splice(
      this.first.findLastIndex((issue) => issue.severity === "warning"),
      1,
    );
    this.keptWarnings--;
    return true;
  }
}
