import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { zipSync } from "fflate";
import { describe, expect, it, vi } from "vitest";
import { load, type Report } from "../../server/services/feeds";
import { testDatabase } from "../support/database";
import { makeMerchant, makeStore } from "../support/factories";
import { feedFile, loadFeed, refusal, stored, tsv } from "../support/feeds/load";

const database = testDatabase();
const now = new Date("2026-06-01T12:00:00Z");

/** A new store with this in it. */
async function loaded(content: string | Buffer, fileName = "feed.tsv"): Promise<{ report: Report; id: string }> {
  const { id } = await makeStore(database);
  return { id, report: await loadFeed(database, id, content, { fileName, now }) };
}

describe("the formats of a feed", () => {
  it.each([
    ["garden.tsv", "tsv"],
    ["garden.csv", "csv"],
    ["garden-rss.xml", "rss"],
    ["garden-atom.xml", "atom"],
    ["garden-openai.jsonl", "openai-jsonl"],
    ["garden-openai.csv", "openai-csv"],
  ])("%s is read as %s, whatever it is called", async (file, format) => {
    const { report, id } = await loaded(feedFile(file), "catalogue");
    expect(report).toMatchObject({ format, rows: 4, loaded: 4, products: 3, rejected: 0, warnings: 0, vanished: 0 });
    const { products, variants } = await stored(database, id);
    expect(products.map((product) => product.product_id)).toEqual(["BOOK", "GLOVE", "TROWEL"]);
    expect(variants.find((variant) => variant.variant_id === "GLOVE-M")).toMatchObject({
      product_id: "GLOVE",
      item_group_id: "GLOVE",
      title: "Bramble Gardening Gloves - Green / M",
      description: "Leather gloves for roses & brambles.",
      link: "https://garden.example/gloves?size=m",
      additional_image_links: ["https://garden.example/i/gloves,back.jpg", "https://garden.example/i/gloves-worn.jpg"],
      gtin: "04006381333931",
      product_type: ["Garden", "Clothing", "Gloves"],
      google_product_category: ["Home & Garden", "Lawn & Garden"],
      color: "Green",
      size: "M",
      currency: "EUR",
      price_amount: 1990,
      sale_price_amount: 1490,
      sale_starts_at: new Date("2026-01-01T00:00:00Z"),
      sale_ends_at: new Date("2027-01-01T00:00:00Z"),
      shipping: [{ country: "IE", service: "Standard", price: 495, currency: "EUR" }],
    });
    expect(products.find((product) => product.product_id === "TROWEL")).toMatchObject({
      title: 'Hand Trowel 12"',
      price_amount: 124900,
      availability: "preorder",
    });
  });

  it("one catalogue makes the same store in every Google format", async () => {
    const [first, ...others] = await Promise.all(
      ["garden.tsv", "garden.csv", "garden-rss.xml", "garden-atom.xml"].map(async (file) =>
        stored(database, (await loaded(feedFile(file))).id),
      ),
    );
    for (const other of others) expect(other).toEqual(first);
  });

  it("takes a row without its variant_dict where that is nested deeper than can be written", async () => {
    const lamp = { id: "L", title: "Lamp", link: "https://x.example", availability: "in_stock", price: "9.50 EUR" };
    const deep = `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`;
    const { id, report } = await loaded(`${JSON.stringify(lamp).slice(0, -1)},"variant_dict":${deep}}`);
    expect((await stored(database, id)).variants).toMatchObject([{ price_amount: 950 }]);
    expect(report.issues.map(({ field, reason }) => `${field} ${reason}`)).toContain(
      "variant_dict is not a JSON object of texts; left out",
    );
  });

  it.each<[Record<string, unknown>, Record<string, unknown>]>([
    [{ price: { amount: 89.99, currency: "USD" } }, { price_amount: 8999, currency: "USD" }],
    [{ price: { amount: "90.00", currencyCode: "EUR" } }, { price_amount: 9000, currency: "EUR" }],
    [{ price: { value: "90", currency: "EUR" } }, { price_amount: 9000 }],
    [{ price: { amount: 900, currency: "JPY" } }, { price_amount: 900, currency: "JPY" }],
    [
      { price: "9.50 EUR", sale_price: { value: 7.5 } },
      { price_amount: 950, sale_price_amount: 750 },
    ],
  ])("reads a price that is a JSON object: %j", async (prices, expected) => {
    const lamp = { id: "L", title: "Lamp", link: "https://x.example", availability: "in_stock", ...prices };
    const { id } = await loaded(JSON.stringify(lamp));
    expect((await stored(database, id)).variants).toMatchObject([expected]);
  });

  it.each<[Record<string, unknown>, Record<string, unknown>, string[]?]>([
    [
      { brand: { "@type": "Brand", name: "Nike" }, seller: { "@type": "Organization", name: "Shop Ltd" } },
      { brand: "Nike", seller: "Shop Ltd" },
    ],
    [
      { aggregateRating: { "@type": "AggregateRating", ratingValue: 4.5, reviewCount: 12 } },
      { rating_value: 4.5, rating_scale_max: 5, rating_count: 12 },
    ],
    [
      { rating: { rating_value: "8", best_rating: 10, rating_count: 3 }, review_count: 7 },
      { rating_value: 8, rating_scale_max: 10, rating_count: 7 },
    ],
    [
      { weight: { value: 1.5, unit: "kg" }, width: { "@type": "QuantitativeValue", value: 20, unitCode: "CMT" } },
      {
        attributes: [
          { name: "weight", value: "1.5", unit: "kg" },
          { name: "width", value: "20", unit: "CMT" },
        ],
      },
    ],
    [{ size: { system: "EU", code: "42" } }, { size: "EU:42" }],
    [
      { brand: ["Nike", "Puma"], color: ["Red", "Red"], material: ["Wool"] },
      { brand: "Nike", color: "Red", material: "Wool" },
      ["brand has several values; all but the first are left out"],
    ],
    [
      {
        shipping: [
          { country: "US", price: { value: 5, currency: "USD" } },
          { country: "IE", price: { amount: "4.50", currency: "EUR" } },
          { country: "DE", price: { amount: 0, currency: "EUR" } },
          { country: "JP", price: { amount: 500, currency: "JPY" } },
        ],
        installment: { months: 6, amount: { value: 2.125, currency: "EUR" } },
      },
      {
        shipping: [
          { country: "US", price: 500, currency: "USD" },
          { country: "IE", price: 450, currency: "EUR" },
          { country: "DE", price: 0, currency: "EUR" },
          { country: "JP", price: 500, currency: "JPY" },
        ],
        attributes: [{ name: "installment", value: "6 monthly payments of 2.13 EUR, 12.78 EUR in all" }],
      },
    ],
    [
      { shipping: { country: "US", price: { amount: 500, currency: "USD" } } },
      { shipping: [] },
      ["shipping is not a price such as 12.50 EUR; left out"],
    ],
  ])("reads what else is a JSON object or a list: %j", async (fields, { rating_value, ...expected }, warnings = []) => {
    const lamp = { id: "L", title: "Lamp", link: "https://x.example", availability: "in_stock", price: "20.00 EUR" };
    const { id, report } = await loaded(JSON.stringify({ ...lamp, image_link: "https://x.example/i", ...fields }));
    expect(report.issues.map(({ field, reason }) => `${field} ${reason}`)).toEqual(warnings);
    const { products, variants } = await stored(database, id);
    expect(variants).toMatchObject([expected]);
    if (rating_value) expect(products).toMatchObject([{ rating_value }]);
  });

  it.each<[string, Record<string, unknown>[]]>([
    ['{"amount": 90.0, "currency": "USD"}', [{ price_amount: 9000, currency: "USD" }]],
    ['{"currency":"USD","amount":90.000}', [{ price_amount: 9000, currency: "USD" }]],
    ['{"Amount" : 50.00 , "currency": "EUR"}', [{ price_amount: 5000, currency: "EUR" }]],
    ['{"amount": 1250.0, "currency": "KWD"}', [{ price_amount: 1250000, currency: "KWD" }]],
    ['{"amount": 8999, "currency": "USD"}', []],
    ['{"amount": -90.0, "currency": "USD"}', []],
  ])("takes the decimals of a JSON amount as they are written: %s", async (price, expected) => {
    const title = 'A "lamp", "amount": 90.0, in a text';
    const lamp = { id: "L", title, link: "https://x.example", availability: "in_stock" };
    const sound = { ...lamp, id: "M", price: "9 USD" };
    const { id } = await loaded(
      `${JSON.stringify(sound)}\n${JSON.stringify(lamp).replace(/}$/, `,"price":${price}}`)}`,
    );
    const found = (await stored(database, id)).variants.filter(({ variant_id }) => variant_id === "L");
    expect(found).toMatchObject(expected.map((one) => ({ title, ...one })));
    expect(found).toHaveLength(expected.length);
  });

  it("rejects a JSON row of more than a thousand fields", async () => {
    const lamp = { id: "L", title: "Lamp", link: "https://x.example", price: "9 EUR", availability: "in_stock" };
    const fields = Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`f${i}`, 1]));
    const { report } = await loaded(
      [lamp, { ...lamp, id: "M", ...fields }].map((row) => JSON.stringify(row)).join("\n"),
    );
    expect(report).toMatchObject({ rows: 2, loaded: 1, rejected: 1 });
    expect(report.issues).toContainEqual(expect.objectContaining({ line: 2, reason: "has more than 1,000 fields" }));
  });

  it("rejects a JSON row alone whose currency has a character that no text may hold", async () => {
    const lamp = { title: "Lamp", link: "https://x.example", price: "9.50 EUR", availability: "in_stock" };
    const rows = [
      { ...lamp, id: "1" },
      { ...lamp, id: "2", price: { value: "12.50", currency: "EUR\u0000" } },
      { ...lamp, id: "3" },
    ];
    const { report, id } = await loaded(rows.map((row) => JSON.stringify(row)).join("\n"));
    expect(report).toMatchObject({ rows: 3, loaded: 2, rejected: 1 });
    expect(report.issues.filter(({ severity }) => severity === "error")).toMatchObject([
      { line: 2, field: "price", reason: "names no currency of ISO 4217 (EUR); write it such as 12.50 EUR" },
    ]);
    expect((await stored(database, id)).variants).toMatchObject([{ variant_id: "1" }, { variant_id: "3" }]);
  });

  it("never guesses whether a JSON price without decimals is in cents", async () => {
    const lamp = { id: "L", title: "Lamp", link: "https://x.example", availability: "in_stock" };
    const { report } = await loaded(
      [lamp, { ...lamp, id: "M" }]
        .map((row, i) => JSON.stringify({ ...row, price: i ? "9 USD" : { amount: 8999, currency: "USD" } }))
        .join("\n"),
    );
    expect(report.issues.filter(({ severity }) => severity === "error")).toMatchObject([
      {
        field: "price",
        reason: "can be read in two ways, in USD or in its minor unit; write it as text such as 89.99 USD",
      },
    ]);
  });

  it("OpenAI's feed brings seller and rating, and keeps back what is not to be found", async () => {
    const hidden = '{"id":"X","title":"X","link":"https://x.example","price":"1 EUR","enable_search":false}\n';
    const { report, id } = await loaded(`${feedFile("garden-openai.jsonl")}${hidden}`);
    expect(report).toMatchObject({ rows: 5, loaded: 4, rejected: 0, warnings: 1 });
    expect(report.issues).toMatchObject([{ line: 5, field: "enable_search", severity: "warning" }]);
    const { products, variants } = await stored(database, id);
    expect(variants[1]).toMatchObject({ seller: "Garden Example Ltd" });
    expect(products[1]).toMatchObject({
      product_id: "GLOVE",
      rating_value: 4.5,
      rating_scale_max: 5,
      rating_count: 12,
    });
  });

  it("takes JSON's numbers as they are: a point is decimal, and a long id stays whole", async () => {
    const product = JSON.parse(String(feedFile("garden-openai.jsonl")).split("\n")[0]!);
    const { price: _, currency: __, sale_price: ___, ...rest } = product;
    const long = (id: string, cost: string) =>
      JSON.stringify({ ...rest, id: "HERE" }).replace('"HERE"', `${id},${cost}`);
    const { report, id } = await loaded(
      [
        long("1729384756102938475", '"price":17.991,"currency":"EUR","title":"No \\"1234567890123456789\\" in a text"'),
        long("1729384756102938476", '"price":{"value":1125.125,"currency":"JPY"}'),
        long("1729384756102938477", '"price":17.99,"currency":"EUR","shipping":{"country":"IE","price":4.995}'),
      ].join("\n"),
    );
    const { variants } = await stored(database, id);
    expect(report).toMatchObject({ rows: 3, loaded: 3, rejected: 0 });
    expect(variants).toMatchObject([
      { variant_id: "1729384756102938475", price_amount: 1799, title: 'No "1234567890123456789" in a text' },
      { variant_id: "1729384756102938476", price_amount: 1125, currency: "JPY" },
      { variant_id: "1729384756102938477", price_amount: 1799, shipping: [{ country: "IE", price: 500 }] },
    ]);
  });

  it.each([
    ["gzip", (text: Buffer) => gzipSync(text)],
    ["ZIP", (text: Buffer) => Buffer.from(zipSync({ "feed.tsv": text }))],
    [
      "notes above its header, as Meta's template has them",
      (text: Buffer) =>
        Buffer.from(`# Required | A unique id, such as a SKU\t# Required | The title\n# Optional\n${text}`),
    ],
    ["an empty row of a spreadsheet above its header", (text: Buffer) => Buffer.from(`\t\t\t\n${text}`)],
    ["a header that begins with #", (text: Buffer) => Buffer.from(`#${text}`)],
    ["UTF-8 with a byte order mark", (text: Buffer) => Buffer.concat([Buffer.from("\ufeff"), text])],
    ["UTF-16, little end first", (text: Buffer) => Buffer.from(`\ufeff${text}`, "utf16le")],
    ["UTF-16, big end first", (text: Buffer) => Buffer.from(`\ufeff${text}`, "utf16le").swap16()],
    ["UTF-16 in gzip", (text: Buffer) => gzipSync(Buffer.from(`\ufeff${text}`, "utf16le"))],
    ["CRLF", (text: Buffer) => Buffer.from(String(text).replaceAll("\n", "\r\n"))],
  ])("takes %s", async (_, encode) => {
    const text = feedFile("garden.tsv");
    const [plain, other] = [await loaded(text), await loaded(encode(text))];
    expect(await stored(database, other.id)).toEqual(await stored(database, plain.id));
  });

  it("takes a file in pieces of any size, characters cut in two", async () => {
    const text = Buffer.from(tsv([{ id: "1", title: "Smörgåsbord 😀 für zwei" }]));
    const { id } = await makeStore(database);
    await loadFeed(database, id, Readable.from(Array.from(text, (byte) => Buffer.from([byte]))));
    expect((await stored(database, id)).products[0]).toMatchObject({ title: "Smörgåsbord 😀 für zwei" });
  });

  it.each<[string, string, (text: string) => Buffer]>([
    ["ISO-8859-1", "ISO-8859-1", (text) => Buffer.from(text, "latin1")],
    ["what it declares after blank lines", "ISO-8859-1", (text) => Buffer.from(`\n\r\n${text}`, "latin1")],
    ["its byte order mark's, whatever it declares", "ISO-8859-1", (text) => Buffer.from(`\ufeff${text}`)],
    ["UTF-16 with a byte order mark", "UTF-8", (text) => Buffer.from(`\ufeff${text}`, "utf16le")],
    ["UTF-8, when the declaration of UTF-16 can be read as it", "UTF-16", (text) => Buffer.from(text)],
  ])("takes XML in the encoding that it has: %s", async (_, declared, encode) => {
    const xml = `<?xml version="1.0" encoding="${declared}"?><rss><channel><item><id>1</id><title>Café crème</title>
      <link>https://x.example/1</link><price>1 EUR</price></item></channel></rss>`;
    const { id } = await loaded(encode(xml));
    expect((await stored(database, id)).products[0]).toMatchObject({ title: "Café crème" });
  });

  it("takes what Excel saves as CSV, in the code page of the store's country, and says so", async () => {
    const text = tsv([{ id: "1", title: "Häkelgarn", price: "12,50 \u0080" }]).replaceAll("\t", ";");
    const { id, report } = await loaded(Buffer.from(text, "latin1"));
    expect(await stored(database, id)).toMatchObject({
      variants: [{ title: "Häkelgarn", price_amount: 1250, currency: "EUR" }],
    });
    expect(report).toMatchObject({ loaded: 1, rejected: 0, warnings: 1 });
    expect(report.issues).toEqual([
      {
        ...{ severity: "warning", line: 0, field: "file", value: "feed.tsv" },
        reason:
          "is not UTF-8: read as windows-1252. Look whether letters with accents are right; a file saved as UTF-8 needs no guess",
      },
    ]);
  });

  it("tells how far it is", async () => {
    const { id } = await makeStore(database);
    const seen: { bytes: number; rows: number }[] = [];
    const content = Buffer.from(tsv(Array.from({ length: 3000 }, (_, i) => ({ id: String(i) }))));
    const ctx = database.as({ kind: "system" });
    const onProgress = (progress: { bytes: number; rows: number }) => seen.push(progress);
    await load(ctx, { storeId: id, fileName: "f.tsv", content: Readable.from([content]), onProgress });
    expect(seen.at(-1)).toEqual({ bytes: content.length, rows: 3000 });
    expect(seen.length).toBeGreaterThan(2);
  });
});

it("a GTIN that more than a thousand rows have names no article: they are loaded without it", async () => {
  const rows = (count: number, gtin: string) => Array.from({ length: count }, (_, i) => ({ id: `${gtin}-${i}`, gtin }));
  const [many, several] = ["4006381333931", "036000291452"];
  const { report, id } = await loaded(tsv([...rows(1_000, several), ...rows(1_001, many)]));
  expect(report).toMatchObject({ loaded: 2_001, rejected: 0, warnings: 1 });
  expect(report.issues).toMatchObject([
    {
      ...{ line: 1_002, field: "gtin", value: "04006381333931", severity: "warning" },
      reason: "is that of 1001 rows, and so of no one article; left out of them",
    },
  ]);
  const kept = await database.sql`
    select gtin, count(*)::int as rows from variants where store_id = ${id} group by gtin order by gtin`;
  expect(kept).toEqual([
    { gtin: "00036000291452", rows: 1_000 },
    { gtin: null, rows: 1_001 },
  ]);
});

describe("a file that is refused", () => {
  const rss = (inside: string, head = "") =>
    `<?xml version="1.0"?>${head}<rss version="2.0"><channel>${inside}</channel></rss>`;
  const item = (title: string) =>
    `<item><id>1</id><title>${title}</title><link>https://x.example/1</link><price>1 EUR</price></item>`;
  const laughs = Array.from({ length: 9 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join("");

  it.each<[string, string | Buffer, RegExp]>([
    ["empty", "", /empty/],
    ["blank", "\n \r\n\n", /empty/],
    ["without rows", "id\ttitle\tlink\tprice\n", /no rows/],
    ["RSS without items", rss("<title>Shop</title>"), /no rows/],
    [
      "without a known header",
      "foo,bar\n1,2\n",
      /names no known attribute, such as id, title, link, price\. Name its columns so, or/,
    ],
    ["without a price column", "id,title,link\n1,Lamp,https://x.example\n", /no column for price/],
    ["a JSON array", '[{"id":"1"}]', /JSON Lines/],
    ["a JSON object of products", '{"products":[{"id":"1"}]}', /one JSON object.*JSON Lines/],
    ["JSON over several lines", '{\n  "id": "1",\n  "title": "Lamp"\n}\n', /one JSON object.*JSON Lines/],
    ["HTML", "<!DOCTYPE html><html><body>Not found</body></html>", /a web page/],
    ["HTML in small letters", "\n<!doctype html>\n<title>Log in</title><p>Log in<br>", /a web page/],
    ["HTML without a type", '<html lang="de"><body>Anmelden', /a web page/],
    ["HTML below a comment", "<!-- cached -->\n<!DOCTYPE html>\n<html><body>Log in", /a web page/],
    [
      "XHTML",
      '<?xml version="1.0"?>\n<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "x.dtd">\n<html>',
      /a web page/,
    ],
    ["a program's fault above the feed", `<br />\n<b>Warning</b>: no database\n${tsv([{ id: "1" }])}`, /a web page/],
    ["another XML", "<products><product/></products>", /<products>.*or send your shop system's feed for Google/],
    ["external entity", rss(item("&x;"), '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>'), /document type/],
    ["external DTD", rss(item("Lamp"), '<!DOCTYPE r SYSTEM "http://127.0.0.1/x.dtd">'), /document type/],
    ["a billion laughs", rss(item("&l9;"), `<!DOCTYPE r [<!ENTITY l0 "ha">${laughs}]>`), /document type/],
    ["XML that breaks off", rss(item("Lamp")).slice(0, -20), /not well-formed/],
    ["XML with crossed tags", rss(item("<b><i>x</b></i>")), /Line 1: .*not well-formed/],
    ["an endless XML item", rss(item("x".repeat(3_000_000))), /longer than 1,048,576 characters/],
    ["an endless line", `id\ttitle\tlink\tprice\n${"x".repeat(2_000_000)}`, /longer than 1,048,576 characters/],
    ["a workbook", Buffer.from("PK\u0003\u0004 xl/workbook.xml"), /Excel/],
    [
      "a whole workbook",
      Buffer.from(zipSync({ "[Content_Types].xml": Buffer.from("<Types/>") })),
      /^The file is an Excel/,
    ],
    ["gzip that breaks off", gzipSync(tsv([{ id: "1" }])).subarray(0, 60), /ended unexpectedly/],
  ])("%s leaves the store as it was, and says why", async (_, content, reason) => {
    const { id } = await loaded(tsv([{ id: "kept" }]));
    const before = await stored(database, id);
    const error = await refusal(loadFeed(database, id, content, { fileName: "bad" }));
    expect(error).toMatchObject({ code: "feed_refused", message: expect.stringMatching(reason) });
    expect(error.details).toMatchObject({ loaded: 0, products: 0, vanished: 0 });
    expect(error.details.issues.at(-1)).toMatchObject({ line: 0, field: "file", severity: "error" });
    expect(await stored(database, id)).toEqual(before);
  });

  it("says the availability of more than half of its rows in words that nobody knows; with half it loads", async () => {
    const rows = (unknown: number, known: number) =>
      tsv([
        ...Array.from({ length: unknown }, (_, i) => ({ id: `u${i}`, availability: i % 2 ? "perhaps" : "" })),
        ...Array.from({ length: known }, (_, i) => ({ id: `k${i}` })),
      ]);
    const { id, report } = await loaded(rows(2, 2));
    expect(report).toMatchObject({ rows: 4, loaded: 4, warnings: 2 });
    const before = await stored(database, id);
    const error = await refusal(loadFeed(database, id, rows(3, 2)));
    expect(error.message).toContain("3 of 5 rows, more than half, have no availability that can be read");
    expect(await stored(database, id)).toEqual(before);
    // That it is not known is a word of OpenAI's.
    // Withheld rows, whose availability nobody reads, are none that can be read.
    const hidden = Array.from({ length: 6 }, (_, i) => ({
      id: `h${i}`,
      enable_search: "false",
      availability: "in_stock",
    }));
    const odd = [
      { id: "1", availability: "perhaps" },
      { id: "2", availability: "" },
      { id: "3", availability: "in_stock" },
    ];
    await expect(loadFeed(database, (await makeStore(database)).id, tsv([...hidden, ...odd]))).rejects.toThrow(
      "2 of 3 rows, more than half",
    );
    const unknown = tsv([{ id: "1", availability: "unknown" }]);
    expect(await loadFeed(database, id, unknown)).toMatchObject({ loaded: 1, warnings: 1 });
  });

  it("has rows of which nothing can be read: that is told, and not that they would be out of stock", async () => {
    const header = "id\ttitle\tlink\tprice\tavailability";
    const rows = [1, 2].map((id) => `${id},Tee,https://shop.example/${id},10.00 EUR,in_stock`);
    const { id } = await makeStore(database);
    const { message } = await refusal(loadFeed(database, id, [header, ...rows, ""].join("\n")));
    expect(message).toBe("All 2 rows are bad, most since title is missing. Fix them, and send the file again.");
  });

  it("has more than half of its rows bad; with half it loads", async () => {
    const rows = (bad: number, good: number) =>
      tsv([
        ...Array.from({ length: bad }, (_, i) => ({ id: `b${i}`, price: "-1 EUR" })),
        ...Array.from({ length: good }, (_, i) => ({ id: `g${i}` })),
      ]);
    const { id, report } = await loaded(rows(2, 2));
    expect(report).toMatchObject({ rows: 4, loaded: 2, rejected: 2 });
    const before = await stored(database, id);
    const error = await refusal(loadFeed(database, id, rows(3, 2)));
    expect(error.message).toContain("3 of 5 rows are bad");
    expect(error.details).toMatchObject({ rows: 5, rejected: 3, loaded: 0 });
    expect(await stored(database, id)).toEqual(before);
    const many = await refusal(loadFeed(database, id, rows(1200, 0)));
    expect(many.message).toContain("All 1,200 rows are bad");
  });

  it("has more than half of its rows bad for one reason, which is named, and how to save it where that is its encoding", async () => {
    const said = async (content: string | Buffer) => {
      const { id } = await makeStore(database);
      return (await refusal(loadFeed(database, id, content))).message;
    };
    const linked = [{ id: "1", link: "/tee" }, { id: "2", link: "/mug" }, { id: "3" }];
    expect(await said(tsv(linked))).toBe(
      "2 of 3 rows are bad, more than half, most since link is not an http(s) address of at most 2,000 characters, or has a user name in it. Write whole addresses, or send your shop system's feed for Google Merchant Center.",
    );
    // The last one is in UTF-8.
    const accents = tsv([
      { id: "1", title: "Café" },
      { id: "2", title: "Crème" },
      { id: "3", title: "\u00c3\u009cber" },
    ]);
    expect(await said(Buffer.from(accents, "latin1"))).toBe(
      "2 of 3 rows are bad, more than half, most since title has characters that are not UTF-8. Save the file as UTF-8 (in Excel as CSV UTF-8), and send it again.",
    );
    expect(
      await said(
        tsv([
          { id: "1", price: "free" },
          { id: "2", price: "" },
        ]),
      ),
    ).toBe("All 2 rows are bad. Fix them, and send the file again.");
  });

  describe("breaks off", () => {
    const rows = Array.from({ length: 12 }, (_, i) => ({
      id: `${i}`,
      description: i === 10 ? '"Of two\nlines"' : "Plain",
      color: i % 2 ? "" : "Red",
    }));
    const file = tsv(rows).replaceAll("\t", ",");
    const last = file.lastIndexOf("https://shop.example/p/11");

    it.each([
      ["in a link", file.slice(0, last + 20), "14: its last row has 2 columns"],
      ["behind a comma", file.slice(0, file.indexOf(",", last) + 1), "14: its last row has 3 columns"],
      ["in a quoted text", file.slice(0, file.indexOf("lines") + 2), "13: its last row has 1 column"],
    ])("%s of its last row, unless that ends with a line end", async (_, half, said) => {
      const { id } = await loaded(file);
      const before = await stored(database, id);
      const { message } = await refusal(loadFeed(database, id, half));
      expect(message).toBe(
        `The file breaks off in line ${said}, and all others have more. Send it again; if it is whole, end it with a line end.`,
      );
      expect(await stored(database, id)).toEqual(before);
      expect(await loadFeed(database, id, `${half}\n`)).toMatchObject({ rejected: 1 });
    });

    it("in its last object", async () => {
      const [first] = String(feedFile("garden-openai.jsonl")).split("\n");
      const lines = Array.from({ length: 12 }, () => `${first}\n`).join("");
      const { id } = await loaded(lines);
      const { message } = await refusal(loadFeed(database, id, lines.slice(0, -20)));
      expect(message).toBe("The file breaks off in line 12, which is no whole JSON object. Send it again.");
      expect(await loadFeed(database, id, `${lines.slice(0, -20)}\n`)).toMatchObject({ rejected: 1 });
    });

    it("nowhere where its last cells were empty, and are gone with the last line end", async () => {
      const trimmed = tsv(rows).trim();
      expect(trimmed.endsWith("Plain")).toBe(true);
      expect((await loaded(trimmed)).report).toMatchObject({ loaded: 12, rejected: 0 });
    });
  });

  it("breaks off while it comes in", async () => {
    const { id } = await loaded(tsv([{ id: "kept" }]));
    const before = await stored(database, id);
    async function* broken() {
      yield Buffer.from(tsv(Array.from({ length: 5_000 }, (_, i) => ({ id: String(i) }))));
      throw new Error("connection reset");
    }
    const error = await refusal(loadFeed(database, id, Readable.from(broken())));
    expect(error).toMatchObject({ code: "feed_refused", message: expect.stringContaining("ended unexpectedly") });
    expect(error.message).not.toContain("reset");
    expect(await stored(database, id)).toEqual(before);
  });

  it("takes longer than an hour to read", async () => {
    const { id } = await makeStore(database);
    vi.useFakeTimers({ toFake: ["Date"] });
    async function* slow() {
      yield Buffer.from(tsv([{ id: "1" }, { id: "2" }]));
      vi.setSystemTime(Date.now() + 61 * 60_000);
      yield Buffer.from(tsv(Array.from({ length: 10 }, (_, i) => ({ id: String(i) }))));
    }
    const error = await refusal(loadFeed(database, id, Readable.from(slow()))).finally(() => vi.useRealTimers());
    expect(error).toMatchObject({ code: "feed_refused", message: expect.stringContaining("longer than an hour") });
    expect((await stored(database, id)).variants).toEqual([]);
  });

  it("is on record, with its issues, like one that was loaded", async () => {
    const { id, report } = await loaded(tsv([{ id: "1" }]));
    const error = await refusal(
      loadFeed(database, id, tsv([{ id: "2", price: "nul\u0000l" }]), { fileName: "b\u0000ad" }),
    );
    const loads = await database.sql`select id, outcome, rows, loaded, rejected, format, file_name, issues
      from feed_loads where store_id = ${id} order by started_at`;
    expect(loads).toMatchObject([
      { id: report.loadId, outcome: "loaded", rows: 1, loaded: 1, rejected: 0, format: "tsv", issues: [] },
      { id: error.details.loadId, outcome: "refused", rows: 1, loaded: 0, rejected: 1, file_name: "bad" },
    ]);
    expect(loads[1]!.issues).toHaveLength(2);
    const acts = await database.sql`select action, actor_kind, after->>'outcome' as outcome from audit
      where target_id = ${id} and action = 'feed.load' order by at`;
    expect(acts.map((act) => act.outcome)).toEqual(["loaded", "refused"]);
  });
});

describe("who may load", () => {
  it("a merchant loads its own stores, and no others", async () => {
    const [own, other] = [await makeStore(database), await makeStore(database)];
    const actor = await makeMerchant(database, own.merchantId);
    expect(await loadFeed(database, own.id, tsv([{ id: "1" }]), { actor })).toMatchObject({ loaded: 1 });
    for (const storeId of [other.id, crypto.randomUUID(), "no-uuid"]) {
      const error = await refusal(loadFeed(database, storeId, tsv([{ id: "1" }]), { actor }));
      expect(error).toMatchObject({ code: "not_found", message: "There is no such store." });
    }
    expect((await stored(database, other.id)).variants).toEqual([]);
    expect(await database.sql`select from feed_loads where store_id = ${other.id}`).toHaveLength(0);
  });

  it("stores with the same ids keep apart", async () => {
    const [one, two] = [await loaded(tsv([{ id: "1", title: "One" }])), await loaded(tsv([{ id: "1", title: "Two" }]))];
    await loadFeed(database, one.id, tsv([{ id: "2" }]));
    expect((await stored(database, two.id)).products).toMatchObject([
      { product_id: "1", title: "Two", vanished: false },
    ]);
  });
});
