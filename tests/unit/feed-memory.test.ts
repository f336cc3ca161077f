import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { DelimitedReader } from "../../server/services/feeds/delimited";
import { cut } from "../../server/services/feeds/plain";
import { Issues } from "../../server/services/feeds/report";

setFlagsFromString("--expose-gc");
const gc: () => void = runInNewContext("gc");

/** A million characters, in one piece of memory. */
const long = (i: number) => Buffer.alloc(1_000_000, `${i} `).toString("latin1");

const header = "id\ttitle\tlink\tprice\tjunk\n";
const reader = new DelimitedReader(header, "feed.tsv");
reader.write(header);
const issues = new Issues();

it.each<[string, (i: number) => unknown]>([
  ["a row", (i) => reader.write(`${i}\tA lamp that stands on its own\thttps://shop.example/lamp\t1 EUR\t${long(i)}\n`)],
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
