import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { DelimitedReader } from "../../server/services/feeds/delimited";
import { cut } from "../../server/services/feeds/plain";
import { Issues } from "../../server/services/feeds/report";
import { shopify, woocommerce } from "../support/feeds/exports";

setFlagsFromString("--expose-gc");
const gc: () => void = runInNewContext("gc");

/** A million characters, in one piece of memory. */
const long = (i: number) => Buffer.alloc(1_000_000, `${i} `).toString("latin1");

const header = "id\ttitle\tlink\tprice\tjunk\n";
const reader = new DelimitedReader(header, "feed.tsv", "https://shop.example");
reader.write(header);
/** A reader of an export, after its header. */
function exportReader(header: string): DelimitedReader {
  const reader = new DelimitedReader(header, "feed.csv", "https://shop.example");
  reader.write(header);
  return reader;
}
const shop = exportReader(shopify([], ["Junk"]));
const parents = exportReader(woocommerce([], ["Junk"]));
const lineOf = (file: string) => file.slice(file.indexOf("\n") + 1);
const issues = new Issues();

it.each<[string, (i: number) => unknown]>([
  ["a row", (i) => reader.write(`${i}\tA lamp that stands on its own\thttps://shop.example/lamp\t1 EUR\t${long(i)}\n`)],
  [
    "a row whose product may go on",
    (i) =>
      shop.write(lineOf(shopify([{ Handle: "tee", "Option1 Value": `Size ${i} of many`, Junk: long(i) }], ["Junk"]))),
  ],
  [
    "a parent",
    (i) =>
      parents.write(
        lineOf(woocommerce([{ ID: `${i}`, Type: "variable", Name: `Tee ${i} of many`, Junk: long(i) }], ["Junk"])),
      ),
  ],
  ["a description", (i) => cut(long(i), 10_000)],
  ["an issue", (i) => issues.add("error", i, "row", long(i), "is bad")],
  ["an issue of a short cell", (i) => issues.add("error", i, "price", long(i).slice(0, 50), "is bad")],
])("what stays of %s keeps nothing else of its long line in memory", (_, keep) => {
  gc();
  const before = process.memoryUsage().heapUsed;
  const kept = Array.from({ length: 60 }, (_, i) => keep(i));
  gc();
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(20_000_000);
  expect(kept).toHaveLength(60);
});
