// Feed files in every format, whole ones with something broken: each is read to its end or refused, and what is read can
// be stored.
import { readdirSync } from "node:fs";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { DomainError } from "../../server/errors";
import { offersOf } from "../../server/services/feeds/read";
import { Issues, Refusal } from "../../server/services/feeds/report";
import { broken, damaged, encode, hostile, type Json, junk } from "../support/arbitraries";
import { testDatabase } from "../support/database";
import { makeStore } from "../support/factories";
import { shopify, woocommerce } from "../support/feeds/exports";
import { feedFile, loadFeed } from "../support/feeds/load";
import { fuzzHere } from "../support/fuzzing";

const database = testDatabase();

const names = readdirSync(new URL("../support/feeds/", import.meta.url)).filter((name) => !name.endsWith(".ts"));
const tee = { Handle: "tee", Title: "Tee", "Option1 Name": "Size", "Option1 Value": "S", "Variant Price": "9" };
const parent = { ID: "1", Type: "variable", Name: "Tee", SKU: "T", Description: "Soft.\\nHeavy." };
const exported = {
  "shopify.csv": shopify([
    tee,
    { Handle: "tee", "Option1 Value": "L", "Variant Price": "9" },
    { Handle: "tee", "Image Src": "https://x.example/t.jpg" },
  ]),
  "woocommerce.csv": woocommerce([
    parent,
    { ID: "2", Type: "variation", Name: "Tee - S", Parent: "T", "Regular price": "9" },
  ]),
};
const samples = [
  ...names.map((name) => ({ name, bytes: feedFile(name) })),
  ...Object.entries(exported).map(([name, text]) => ({ name, bytes: Buffer.from(text) })),
];

const columns = [
  ...[
    "id",
    "title",
    "description",
    "link",
    "image_link",
    "additional_image_link",
    "price",
    "sale_price",
    "availability",
  ],
  ...["sale_price_effective_date", "gtin", "mpn", "brand", "condition", "item_group_id", "google_product_category"],
  ...["product_type", "shipping", "tax", "availability_date", "expiration_date", "color", "size", "adult", "multipack"],
  ...[
    "unit_pricing_measure",
    "product_detail",
    "product_highlight",
    "structured_title",
    "free_shipping_threshold",
    "subscription_cost",
    "installment",
    "product_highlight",
    "shipping_weight",
    "enable_search",
    "inventory_quantity",
  ],
  ...[
    "rating_value",
    "review_count",
    "custom_label_0",
    "item_id",
    "url",
    "image_url",
    "group_id",
    "is_eligible_search",
  ],
];
const cell = fc.oneof(
  fc.constantFrom(
    "GLOVE-M",
    "Tent",
    "https://x.example/p?a=b#c",
    "12.50 EUR",
    "EUR 12,50",
    "1.234,56 €",
    "in_stock",
    "preorder",
  ),
  fc.constantFrom(
    "4006381333931",
    "US:CA:Ground:5 USD",
    "IE:50 EUR",
    "month:24:39.99 EUR",
    "24:30 EUR:1 EUR",
    'default:"Tent: light"',
    "IE:::4.95 EUR,DE:::6 EUR",
    "2026-01-01T00:00Z/2026-02-01T00:00Z",
  ),
  fc.constantFrom(
    "Home > Garden > Tools",
    "178",
    "new",
    "true",
    "1.5 kg",
    "a:b:c",
    "99999999999999999999 EUR",
    "-1",
    "1e5 EUR",
  ),
  hostile,
);
const rows = fc.array(
  fc.dictionary(fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...columns) }, hostile), cell, { maxKeys: 14 }),
  {
    minLength: 1,
    maxLength: 4,
  },
);

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
const columnsOf = (all: Record<string, string>[]) => [
  ...new Set(["id", "title", "link", "price", ...all.flatMap(Object.keys)]),
];
const delimited = (by: string, write: (text: string) => string) => (all: Record<string, string>[]) => {
  const named = columnsOf(all);
  return [named, ...all.map((row) => named.map((name) => (Object.hasOwn(row, name) ? row[name]! : "")))]
    .map((line) => line.map(write).join(by))
    .join("\n");
};
const element = (name: string) => (/^[a-z_]+$/.test(name) ? name : "x");
const inXml = (item: string) => (all: Record<string, string>[]) =>
  all
    .map(
      (row) =>
        `<${item}>${Object.entries(row)
          .map(([name, text]) => `<g:${element(name)}>${escaped(text)}</g:${element(name)}>`)
          .join("")}</${item}>`,
    )
    .join("\n");
const writers: Record<string, (all: Record<string, string>[]) => string> = {
  "a.tsv": delimited("\t", (text) => text),
  "a.csv": delimited(",", quoted),
  "a.txt": delimited(";", quoted),
  "a.xml": (all) => `<rss xmlns:g="http://base.google.com/ns/1.0"><channel>${inXml("item")(all)}</channel></rss>`,
  "a.atom": (all) =>
    `<feed xmlns="http://www.w3.org/2005/Atom" xmlns:g="http://base.google.com/ns/1.0">${inXml("entry")(all)}</feed>`,
};

interface File {
  name: string;
  bytes: Buffer;
}

const lines = fc
  .array(
    broken(fc.dictionary(fc.constantFrom(...columns), fc.oneof(cell, junk), { maxKeys: 12 }) as fc.Arbitrary<Json>),
    { minLength: 1, maxLength: 4 },
  )
  .map((all) => encode(all.map((row) => JSON.stringify(row)).join("\n")));

const files: fc.Arbitrary<File> = fc
  .oneof(
    {
      weight: 4,
      arbitrary: fc
        .constantFrom(...samples)
        .chain(({ name, bytes }) => fc.record({ name: fc.constant(name), bytes: damaged(fc.constant(bytes)) })),
    },
    {
      weight: 4,
      arbitrary: fc
        .tuple(rows, fc.constantFrom(...Object.entries(writers)))
        .chain(([all, [name, write]]) =>
          fc.record({ name: fc.constant(name), bytes: damaged(fc.constant(encode(write(all)))) }),
        ),
    },
    { weight: 2, arbitrary: fc.record({ name: fc.constant("a.jsonl"), bytes: damaged(lines) }) },
    {
      weight: 1,
      arbitrary: fc.record({
        name: fc.constantFrom("a.csv", "a", "", ".gz", "a.xml"),
        bytes: fc.uint8Array({ maxLength: 300 }).map((all) => Buffer.from(all)),
      }),
    },
  )
  .chain(({ name, bytes }) =>
    fc.oneof(
      { weight: 8, arbitrary: fc.constant({ name, bytes }) },
      {
        weight: 1,
        arbitrary: damaged(fc.constant(gzipSync(bytes))).map((zipped) => ({ name: `${name}.gz`, bytes: zipped })),
      },
      {
        weight: 1,
        arbitrary: damaged(fc.constant(Buffer.from(zipSync({ [name]: bytes })))).map((zipped) => ({
          name: `${name}.zip`,
          bytes: zipped,
        })),
      },
      {
        weight: 1,
        arbitrary: fc.constant({
          name,
          bytes: Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(bytes.toString(), "utf16le")]),
        }),
      },
    ),
  );

function* pieces(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

describe("a feed file, whatever is in it", () => {
  it("is read to its end or refused, however it is cut", async () => {
    const shop = {
      ...{ currency: "EUR", currencies: ["EUR", "USD"], now: new Date("2026-06-01") },
      url: "https://shop.example",
    };
    const country = fc.constantFrom("DE", "PL", "JP");
    const cut = fc.record({ file: files, size: fc.integer({ min: 1, max: 500 }), country });
    await fuzzHere("feed files, parsed", 0.16, cut, async ({ file, size, country }) => {
      const report = { format: "tsv" as const, rows: 0, rejected: 0 };
      const issues = new Issues();
      let offers = 0;
      try {
        const content = Readable.from(pieces(file.bytes, size));
        for await (const batch of offersOf(
          { content, fileName: file.name, shop: { ...shop, country } },
          report,
          issues,
        )) {
          offers += batch.length;
          for (const { price } of batch as { price?: { amount: number } }[]) {
            if (price) expect(Number.isSafeInteger(price.amount) && price.amount >= 0).toBe(true);
          }
        }
        expect(offers + report.rejected).toBeLessThanOrEqual(report.rows);
      } catch (error) {
        expect(error).toBeInstanceOf(Refusal);
        expect((error as Refusal).message).toMatch(/[.?]$/);
      }
    });
  });

  it("is stored whole, or refused with a report", async () => {
    const stores = Array.from({ length: 6 }, () => makeStore(database));
    let next = 0;
    await fuzzHere("feed files, loaded", 0.01, files, async ({ name, bytes }) => {
      const { id } = await stores[next++ % stores.length]!;
      const load = loadFeed(database, id, bytes, { fileName: name });
      const report = await load.catch((error: unknown) => {
        expect(error).toBeInstanceOf(DomainError);
        expect((error as DomainError).code).toBe("feed_refused");
        return (error as DomainError).details;
      });
      expect(report).toMatchObject({ rows: expect.any(Number), issues: expect.any(Array) });
    });
  });
});
