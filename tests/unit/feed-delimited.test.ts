import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DelimitedReader } from "../../server/services/feeds/delimited";
import type { RawRow } from "../../server/services/feeds/raw-row";
import { Refusal } from "../../server/services/feeds/report";

/** The rows of a file that comes in pieces of `size` characters. */
function rowsOf(text: string, fileName = "feed.csv", size = text.length): RawRow[] {
  const reader = new DelimitedReader(/^\s*.*\n/.exec(text)?.[0] ?? text, fileName, "https://shop.example");
  const rows: RawRow[] = [];
  for (let at = 0; at < text.length; at += size) rows.push(...reader.write(text.slice(at, at + size)));
  return [...rows, ...reader.end()];
}
const ids = (rows: RawRow[]) => rows.map((row) => (row.fault ? "bad" : row.fields.get("id")?.[0]));
const titles = (rows: RawRow[]) => rows.map((row) => row.fields.get("title")?.[0]);

const CSV = "id,title,link,price\n";
const TSV = "id\ttitle\tlink\tprice\n";

describe("CSV", () => {
  it("reads every cell back, whatever is in it and however the file is cut", () => {
    const cell = fc.string({ unit: fc.constantFrom(..."ab \",;\n\t'é😀") });
    const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
    fc.assert(
      fc.property(fc.array(cell, { minLength: 1, maxLength: 8 }), fc.integer({ min: 1, max: 40 }), (cells, size) => {
        const lines = cells.map((text, i) => `${i},${quoted(text)},${quoted(`l${text}`)},1`);
        const rows = rowsOf(`${CSV}${lines.join("\n")}\n`, "feed.csv", size);
        expect(ids(rows)).toEqual(cells.map((_, i) => String(i)));
        expect(titles(rows)).toEqual(cells.map((text) => text || undefined));
      }),
      { numRuns: 300 },
    );
  });

  it("takes a quote inside an unquoted cell as text", () => {
    expect(titles(rowsOf(`${CSV}1,TV 24" wide,l,1\n2,Lamp,l,1\n`))).toEqual(['TV 24" wide', "Lamp"]);
  });

  it("loses one row to a quote that is never closed", () => {
    const lines = Array.from({ length: 300 }, (_, i) => `${i},${i === 3 ? '"Lamp' : "Lamp"},l,1`);
    expect(ids(rowsOf(`${CSV}${lines.join("\n")}\n`))).toEqual(lines.map((_, i) => String(i)));
    const quotedAfter = lines.map((line, i) => (i > 3 ? `${i},"Lamp, big",l,1` : line));
    expect(ids(rowsOf(`${CSV}${quotedAfter.join("\n")}\n`))).toEqual(lines.map((_, i) => String(i)));
  });

  it("is refused, and breaks nothing, when a quote of its header is never closed", () => {
    for (const header of ['"', '"id,title,link,price', 'id,title,link,"price']) {
      expect(() => rowsOf(`${header}\n1,Lamp,l,1\n`)).toThrow(Refusal);
    }
  });

  it("reads tens of thousands of descriptions over many lines, and loses one row of them to a stray quote", () => {
    const description = Array.from({ length: 12 }, (_, i) => `${i} is a line of ${"words ".repeat(12)}`).join("\n");
    const stray = 15_000;
    const lines = Array.from({ length: 20_000 }, (_, i) =>
      i === stray ? `${i},"Lamp,l,1` : `${i},"Lamp, with ""words""\n${description}",l,1`,
    );
    const rows = rowsOf(`${CSV}${lines.join("\n")}\n`, "feed.csv", 64 * 1024);
    expect(rows.map((row) => row.fields.get("id")?.[0])).toEqual(lines.map((_, i) => String(i)));
    expect(rows.filter((row) => row.fault)).toEqual([]);
    expect(new Set(titles(rows))).toEqual(new Set([`Lamp, with "words"\n${description}`, '"Lamp']));
  });

  it("takes no longer for a file in every line of which a quote seems to go on", () => {
    const header = `id,title,link,price${",a".repeat(900)}\n`;
    const lines = Array.from({ length: 200_000 }, (_, i) => `${i}","y`);
    expect(rowsOf(`${header}${lines.join("\n")}\n`, "feed.csv", 64 * 1024)).toHaveLength(lines.length);
  });

  it("finds the line of each row, over quoted line breaks and blank lines", () => {
    const rows = rowsOf(`\n${CSV}1,"a\n\nb",l,1\n\n2,c,l,1\r\n`);
    expect(rows.map((row) => row.line)).toEqual([3, 7]);
    expect(titles(rows)).toEqual(["a\n\nb", "c"]);
  });

  it("reports a row with more columns than the header", () => {
    const [bad, good] = rowsOf(`${CSV}1,a,l,1,extra\n2,b,l,1,,\n`);
    expect(bad?.fault?.reason).toBe("has 5 columns, and the header has 4: put cells that have a comma in quotes");
    expect(bad?.fields).toEqual(new Map([["id", ["1"]]]));
    expect(good?.fields.get("price")).toEqual(["1"]);
  });

  it("takes at most a thousand values of an attribute from a row, whatever its columns hold", () => {
    const header = `id;title;link;price${";shipping(country:price)".repeat(4)}\n`;
    const cell = Array.from({ length: 600 }, () => "IE:4").join(",");
    expect(rowsOf(`${header}1;Lamp;l;1${`;${cell}`.repeat(4)}\n`)[0]?.fields.get("shipping")).toHaveLength(1_000);
  });

  it("takes what a header says in parentheses for a currency of prices, and else for a remark", () => {
    const header =
      "id,title (en),link (URL),Price (EUR),Sale price ($),Product type (path),enable_search(true/false)\n";
    const [bare, own] = rowsOf(`${header}1,Lamp,l,12.50,$9,Home > Light,no\n2,Desk,l,12.50 USD,n/a,Home,no\n`);
    expect(Object.fromEntries(bare!.fields)).toEqual({
      ...{ id: ["1"], title: ["Lamp"], link: ["l"], price: ["12.50 EUR"], sale_price: ["$9 $"] },
      ...{ product_type: ["Home > Light"], enable_search: ["no"] },
    });
    expect([own!.fields.get("price"), own!.fields.get("sale_price")]).toEqual([["12.50 USD"], ["n/a"]]);
  });

  it.each([";", "|", "\t"])("finds out that the delimiter is %j, whatever the file is called", (delimiter) => {
    const text = `${CSV}1,Lamp,l,2\n`.replaceAll(",", delimiter);
    expect(titles(rowsOf(text))).toEqual(["Lamp"]);
  });

  it("takes the line ends of every system", () => {
    for (const end of ["\n", "\r\n", "\r"]) {
      const rows = rowsOf(`${CSV}1,Lamp,l,2\n2,Desk,l,3\n`.replaceAll("\n", end), "feed.csv", 5);
      expect(titles(rows)).toEqual(["Lamp", "Desk"]);
      expect(rows.map((row) => row.fields.get("price")?.[0])).toEqual(["2", "3"]);
    }
  });

  it.each([
    ["sku-less,nonsense\n1,2\n", /no known attribute/],
    ["id,title\n1,Lamp\n", /no column for link and price/],
    ["id,title,link,price\n".padEnd(2_000_000, "x"), /longer than/],
    [`id,title,link,price${",a".repeat(40_000)}\n1\n`, /40,004 columns, more than 1,000: “a” is the first too many/],
    [`id,title,link,price,shipping(${"a:".repeat(20)}a)\n1\n`, /column “shipping\(a:a:.*” names more than 20 parts/],
    [`id,title,link,price,shipping(${"a:".repeat(100_000)}a)\n1\n`, /names more than 20 parts/],
  ])("refuses %.20s…", (text, reason) => expect(() => rowsOf(text)).toThrow(reason));
});

describe("TSV", () => {
  it("takes quotes literally, but for those that enclose a cell", () => {
    const rows = rowsOf(`${TSV}1\t"Best" lamp\tl\t1\n2\t"Say ""hi"""\tl\t1\n3\t24"\tl\t1\n4\t"\tl\t1\n5\t"a\t"l\t1\n`);
    expect(titles(rows)).toEqual(['"Best" lamp', 'Say "hi"', '24"', '"', '"a']);
    expect(rows[4]?.fields.get("link")).toEqual(['"l']);
  });

  it("never loses a row to another row's quotes", () => {
    const cell = fc.string({ unit: fc.constantFrom(..."a\" ,'"), minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(fc.array(cell, { minLength: 1, maxLength: 10 }), (cells) => {
        const rows = rowsOf(`${TSV}${cells.map((text, i) => `${i}\tx${i}\t${text}\t1\n`).join("")}`);
        expect(ids(rows)).toEqual(cells.map((_, i) => String(i)));
        expect(titles(rows)).toEqual(cells.map((_, i) => `x${i}`));
      }),
      { numRuns: 500 },
    );
  });

  it("gives no row another's link and price, where its last cells are left out and its title has a stray quote", () => {
    const rows = rowsOf(
      [
        "id\ttitle\tlink\tprice\tavailability\tsize",
        '1\t"Vintage poster, a very long ti\thttps://x.example/1\t5 EUR\tin_stock',
        '2\tMonitor 24"\thttps://x.example/2\t200 EUR\tin_stock\tL',
        '3\t"Runs over\nlines"\thttps://x.example/3\t6 EUR\tin_stock\tM\n',
      ].join("\n"),
    );
    expect(rows.map(({ fields }) => [fields.get("id"), fields.get("link"), fields.get("price")].flat())).toEqual([
      ["1", "https://x.example/1", "5 EUR"],
      ["2", "https://x.example/2", "200 EUR"],
      ["3", "https://x.example/3", "6 EUR"],
    ]);
    expect(titles(rows)).toEqual(['"Vintage poster, a very long ti', 'Monitor 24"', "Runs over\nlines"]);
    // Nor where both have lost their last cells.
    const short = rowsOf(
      'id\ttitle\tlink\tprice\tsize\n1\t"Poster\thttps://x.example/1\t5 EUR\n2\tMonitor 24"\thttps://x.example/2\t200 EUR\n',
    );
    expect(short.map(({ fields }) => fields.get("link"))).toEqual([["https://x.example/1"], ["https://x.example/2"]]);
  });

  it("takes no entity for a currency under a header that names one", () => {
    const rows = rowsOf("id,title,link,Price (USD)\n1,A,l,12.50&nbsp;\n", "feed.csv");
    expect(rows[0]!.fields.get("price")).toEqual(["12.50&nbsp; USD"]);
  });

  it("takes of several columns for one thing the best that has a value in the row", () => {
    const rows = rowsOf(
      "id,title,link,price,ean,gtin,name\n1,A,l,5 EUR,e, ,x\n2,B,l,5 EUR,e,g,\n3,,l,5 EUR,,,C\n",
      "feed.csv",
    );
    expect(rows.map(({ fields }) => fields.get("gtin"))).toEqual([["e"], ["g"], undefined]);
    expect(titles(rows)).toEqual(["A", "B", "C"]);
  });

  it("reads a quoted cell that runs over lines", () => {
    expect(titles(rowsOf(`${TSV}1\t"two\nlines"\tl\t1\n2\tb\tl\t1\n`))).toEqual(["two\nlines", "b"]);
  });

  it("takes rows whose last cells are left out", () => {
    const rows = rowsOf("id\ttitle\tlink\tprice\tbrand\n1\tLamp\tl\t1\n");
    expect(ids(rows)).toEqual(["1"]);
  });
});
