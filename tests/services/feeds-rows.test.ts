// What one row of a feed may say, and what becomes of it.
import { describe, expect, it } from "vitest";
import { testDatabase } from "../support/database";
import { makeStore } from "../support/factories";
import { loadFeed, stored, tsv } from "../support/feeds/load";

const database = testDatabase();
const now = new Date("2026-06-01T12:00:00Z");

/** Loads one row beside a good one; gives what is stored of it, and its issues. */
async function row(cells: Record<string, string>) {
  const { id } = await makeStore(database);
  const report = await loadFeed(database, id, tsv([{ ...cells, id: cells.id ?? "row" }, { id: "zz-good" }]), { now });
  const { products, variants } = await stored(database, id);
  const issues = report.issues.filter((issue) => issue.line === 2);
  return {
    report,
    variant: variants.find((variant) => variant.variant_id !== "zz-good"),
    product: products.find((product) => product.product_id !== "zz-good"),
    errors: issues.filter((issue) => issue.severity === "error").map(({ field, reason }) => `${field} ${reason}`),
    warnings: issues.filter((issue) => issue.severity === "warning").map(({ field, reason }) => `${field} ${reason}`),
  };
}

const sale = (start: string, end: string) => ({
  sale_price_amount: 800,
  sale_starts_at: new Date(start),
  sale_ends_at: new Date(end),
});
const handling = { min_handling_days: 1, max_handling_days: 2 };

describe("a row is skipped and reported", () => {
  it.each<[Record<string, string>, string]>([
    [{ id: " " }, "id is missing"],
    [{ id: "x".repeat(201) }, "id is longer than 200 characters"],
    [{ title: "" }, "title is missing"],
    [{ title: "<b></b>" }, "title is missing"],
    [{ title: "x".repeat(501) }, "title is longer than 500 characters"],
    [{ link: "" }, "link is missing"],
    [
      { link: "data:text/html,<script>" },
      "link is not an http(s) address of at most 2,000 characters, or has a user name in it",
    ],
    [
      { link: "javascript:alert(1)" },
      "link is not an http(s) address of at most 2,000 characters, or has a user name in it",
    ],
    [
      { link: "https://shop:secret@x.example/p" },
      "link is not an http(s) address of at most 2,000 characters, or has a user name in it",
    ],
    [
      { link: "https://shop@x.example" },
      "link is not an http(s) address of at most 2,000 characters, or has a user name in it",
    ],
    [{ link: "/p/1" }, "link is not an http(s) address of at most 2,000 characters, or has a user name in it"],
    [
      { link: `https://x.example/${"x".repeat(1_983)}` },
      "link is not an http(s) address of at most 2,000 characters, or has a user name in it",
    ],
    [
      { link: "https://x.example:99999/p" },
      "link is not an http(s) address of at most 2,000 characters, or has a user name in it",
    ],
    [{ price: "" }, "price is missing"],
    [{ price: "-1 EUR" }, "price is negative"],
    [{ price: "free" }, "price is not a price such as 12.50 EUR"],
    [{ price: "9.999 EUR" }, "price can be read in two ways; write 9999.00 or 9.99"],
    [{ price: "99999999999 EUR" }, "price is absurdly high"],
    [{ price: "$10" }, "price names no currency of ISO 4217 ($); write it such as 12.50 EUR"],
    [{ price: "10 constructor" }, "price names no currency of ISO 4217 (constructor); write it such as 12.50 EUR"],
    [{ item_group_id: "x\ufffd" }, "item_group_id has characters that are not UTF-8"],
  ])("%j: %s", async (cells, reason) => {
    const { report, variant, errors } = await row(cells);
    expect(errors).toEqual([reason]);
    expect(report).toMatchObject({ rows: 2, loaded: 1, rejected: 1 });
    expect(variant).toBeUndefined();
  });

  it("with every reason at once, its line, and its value cut", async () => {
    const { report } = await row({ title: "", price: `-${"1".repeat(300)}`, link: "ftp://x.example" });
    expect(report.issues).toMatchObject([
      { line: 2, field: "title", value: "" },
      { line: 2, field: "link", value: "ftp://x.example" },
      { line: 2, field: "price", value: `-${"1".repeat(199)}` },
    ]);
    expect(report.rejected).toBe(1);
  });
});

describe("a row is loaded without what is wrong in it, and the report warns", () => {
  it.each<[Record<string, string>, Record<string, unknown>, string]>([
    [{ sale_price: "11 EUR" }, { sale_price_amount: null }, "sale_price is higher than the price; taken as no sale"],
    [
      { sale_price: "9 USD" },
      { sale_price_amount: null },
      "sale_price is not in the currency of the price; taken as no sale",
    ],
    [{ sale_price: "-9 EUR" }, { sale_price_amount: null }, "sale_price is negative; taken as no sale"],
    [{ sale_price: "0 EUR" }, { sale_price_amount: null }, "sale_price is zero; taken as no sale"],
    [
      { sale_price: "9 EUR", sale_price_start_date: "soon", sale_price_end_date: "2026-07-01" },
      { sale_price_amount: null },
      "sale_price_effective_date has dates that are not such as 2026-03-01; taken as no sale",
    ],
    [
      { sale_price: "9 EUR", sale_price_effective_date: "2026-07-02/2026-07-01" },
      { sale_price_amount: null, sale_starts_at: null },
      "sale_price_effective_date ends before it starts; taken as no sale",
    ],
    [
      { sale_price: "9 EUR", sale_price_effective_date: "next week" },
      { sale_price_amount: null },
      "sale_price_effective_date is not a window such as 2026-03-01/2026-03-15; taken as no sale",
    ],
    [{ price: "0 EUR" }, { price_amount: 0 }, "price is zero"],
    [{ price: "9.9999 EUR" }, { price_amount: 1000 }, "price has more decimals than EUR; rounded"],
    [{ price: "10 USD" }, { currency: "USD" }, "price is not in a currency of the store (EUR); kept as written"],
    [{ gtin: "4006381333932" }, { gtin: null }, "gtin has a wrong check digit; left out"],
    [
      { gtin: "4.00638E+12" },
      { gtin: null },
      "gtin has lost its last digits in a spreadsheet: make its column text there, and export it again; left out",
    ],
    [
      { gtin: "36000291452" },
      { gtin: null },
      "gtin has 11 digits; a GTIN has 8, 12, 13 or 14: a spreadsheet may have taken the zeros from its beginning; left out",
    ],
    [{ gtin: "7" }, { gtin: null }, "gtin has 1 digit; a GTIN has 8, 12, 13 or 14; left out"],
    [
      { gtin: "4006381333931,96385074" },
      { gtin: "04006381333931" },
      "gtin has several values; all but the first are left out",
    ],
    [
      { availability: "Verfügbar, ab 12.12.2026" },
      { availability: "out_of_stock" },
      "availability is not in_stock, out_of_stock, preorder or backorder: counts as out of stock",
    ],
    [
      { availability: "available - from 2027" },
      { availability: "out_of_stock" },
      "availability is not in_stock, out_of_stock, preorder or backorder: counts as out of stock",
    ],
    [
      { certification: "EPREL" },
      { attributes: [] },
      "certification is not certification_authority:certification_name:certification_code; left out",
    ],
    [{ image_link: "" }, { image_link: null }, "image_link is missing: the product is shown without a picture"],
    [
      { image_link: "https://shop:secret@x.example/1.jpg" },
      { image_link: null },
      "image_link is not an http(s) address; left out",
    ],
    ...['[{"tag":["a"]}]', "[1]", '[["https://x.example/1.jpg"]]', '[{"url":1}]'].map(
      (image_link): [Record<string, string>, Record<string, unknown>, string] => [
        { image_link },
        { image_link: null },
        "image_link is not an http(s) address; left out",
      ],
    ),
    [{ image_link: "cdn/1.jpg" }, { image_link: null }, "image_link is not an http(s) address; left out"],
    [
      { additional_image_link: "https://x.example/1.jpg,https://x.example/a b.jpg, https://" },
      { additional_image_links: ["https://x.example/1.jpg", "https://x.example/a%20b.jpg"] },
      "additional_image_link is not an http(s) address; left out",
    ],
    [
      { description: "x".repeat(10_001) },
      { description: "x".repeat(10_000) },
      "description is longer than 10,000 characters; cut",
    ],
    [
      { description: "x".repeat(9_990), product_highlight: "Keeps warm" },
      { description: `${"x".repeat(9_990)}\n• Keeps w` },
      "description is longer than 10,000 characters; cut",
    ],
    [
      { description: "Warm", product_highlight: Array.from({ length: 101 }, (_, i) => `"${i + 1}"`).join(",") },
      { description: `Warm\n${Array.from({ length: 100 }, (_, i) => `• ${i + 1}`).join("\n")}` },
      "product_highlight has more than 100 highlights; cut",
    ],
    [{ brand: "x".repeat(201) }, { brand: "x".repeat(200) }, "brand is longer than 200 characters; cut"],
    [
      { item_group_id: "x".repeat(201) },
      { product_id: "row", item_group_id: null },
      "item_group_id is longer than 200 characters; taken as a product of its own",
    ],
    [
      { expiration_date: "2026-05-31" },
      { availability: "discontinued" },
      "expiration_date has passed: counts as discontinued",
    ],
    [
      { expiration_date: now.toISOString() },
      { availability: "discontinued" },
      "expiration_date has passed: counts as discontinued",
    ],
    ...["soon", "0001-01-01"].map((expiration_date): [Record<string, string>, Record<string, unknown>, string] => [
      { expiration_date },
      { availability: "in_stock", expires_at: null },
      "expiration_date is not a date such as 2026-03-01; left out",
    ]),
    [
      { availability: "unknown" },
      { availability: "out_of_stock" },
      "availability says nothing: counts as out of stock",
    ],
    [
      { availability: "perhaps" },
      { availability: "out_of_stock" },
      "availability is not in_stock, out_of_stock, preorder or backorder: counts as out of stock",
    ],
    ...["", "N/A", "-"].map((none): [Record<string, string>, Record<string, unknown>, string] => [
      { availability: none },
      { availability: "out_of_stock" },
      "availability is missing: counts as out of stock",
    ]),
    [{ condition: "splendid" }, { condition: "new" }, "condition is not new, refurbished or used; left out"],
    [
      { price: "10", currency: "Taler" },
      { currency: "EUR", price_amount: 1000 },
      "currency is no currency of ISO 4217: bare prices count as EUR",
    ],
    [
      { price: "10", currency: "valueOf" },
      { currency: "EUR", price_amount: 1000 },
      "currency is no currency of ISO 4217: bare prices count as EUR",
    ],
    [
      { price: "19.99", currency: "usd", sale_price: "9.99", shipping: "US::Post:3" },
      {
        ...{ currency: "USD", price_amount: 1999, sale_price_amount: 999 },
        shipping: [{ country: "US", service: "Post", price: 300, currency: "USD" }],
      },
      "price is not in a currency of the store (EUR); kept as written",
    ],
    [
      { price: "", "Price (USD)": "19.99" },
      { currency: "USD", price_amount: 1999 },
      "price is not in a currency of the store (EUR); kept as written",
    ],
    [{ gender: "dogs" }, { gender: "dogs" }, "gender is not male, female or unisex; kept as written"],
    [
      { age_group: "3-6 months" },
      { age_group: "3-6 months" },
      "age_group is not newborn, infant, toddler, kids or adult; kept as written",
    ],
    [
      { star_rating: "4", review_count: "a dozen" },
      { rating_value: 4, rating_count: null },
      "review_count is not a number; left out",
    ],
    [
      { variant_dict: '{"Wood":"Oak","Sizes":[1,2]}' },
      { attributes: [{ name: "Wood", value: "Oak" }] },
      "variant_dict has no text as its Sizes; left out",
    ],
    [
      { variant_dict: '{"Wood":"Oak","Size\\u0000":[1,2]}' },
      { attributes: [{ name: "Wood", value: "Oak" }] },
      "variant_dict has no text as its Size; left out",
    ],
    ...["fortnight:2:5 EUR", "month::5 EUR", "month:24"].map(
      (subscription_cost): [Record<string, string>, Record<string, unknown>, string] => [
        { subscription_cost },
        { attributes: [] },
        "subscription_cost is not period:period_length:amount; left out",
      ],
    ),
    ...["12", "x:5 EUR", "0:5 EUR", "6:5 EUR:much"].map(
      (installment): [Record<string, string>, Record<string, unknown>, string] => [
        { installment },
        { attributes: [] },
        "installment is not months:amount:downpayment:credit_type; left out",
      ],
    ),
    [{ star_rating: "6" }, { rating_value: null }, "star_rating is not a rating from 0 to 5; left out"],
    [
      { shipping: "IE::Post:4 EUR", max_transit_time: "some" },
      { shipping: [{ country: "IE", service: "Post", price: 400, currency: "EUR" }] },
      "max_transit_time is not a number of days; left out",
    ],
    ...["9 USD", "much"].map((minimum): [Record<string, string>, Record<string, unknown>, string] => [
      { "shipping(country:price:min_order_value)": `IE:0 EUR:${minimum}` },
      { shipping: [] },
      "shipping has a minimum order that is no amount in the currency of its price; left out",
    ]),
    [
      { free_shipping_threshold: "IE:50 USD" },
      { shipping: [] },
      "free_shipping_threshold has a minimum order that is no amount in the currency of its price; left out",
    ],
    [
      { "free_shipping_threshold(country:price_threshold)": "IE:" },
      { shipping: [] },
      "free_shipping_threshold is not a price such as 12.50 EUR; left out",
    ],
    [
      { "shipping(country:price:currency)": "IE:4 EUR:USD" },
      { shipping: [] },
      "shipping names several currencies (EUR USD); write it such as 12.50 EUR; left out",
    ],
    [{ shipping: "IE::Post:much" }, { shipping: [] }, "shipping is not a price such as 12.50 EUR; left out"],
    [{ shipping: "Ireland::Post:4 EUR" }, { shipping: [] }, "shipping names no country of ISO 3166-1; left out"],
    [
      { availability: "", inventory_quantity: "-3" },
      { availability: "out_of_stock" },
      "inventory_quantity is negative: counts as 0, out of stock",
    ],
    ...["-1", "-1.0", "−12"].map((availability): [Record<string, string>, Record<string, unknown>, string] => [
      { availability },
      { availability: "out_of_stock" },
      "availability is negative: counts as 0, out of stock",
    ]),
  ])("%j", async (cells, expected, warning) => {
    const { variant, errors, warnings } = await row(cells);
    expect(errors).toEqual([]);
    expect(warnings).toEqual([warning]);
    expect(variant).toMatchObject(expected);
  });

  it("with what the file says, not what it was taken for", async () => {
    const { report } = await row({ expiration_date: "2026-03-01" });
    expect(report.issues).toMatchObject([{ field: "expiration_date", value: "2026-03-01" }]);
  });

  it("in at most 500 characters, however long what it names is", async () => {
    const { variant, warnings } = await row({ variant_dict: JSON.stringify({ ["x".repeat(100_000)]: [] }) });
    expect(warnings).toEqual([`variant_dict ${"has no text as its ".padEnd(500, "x")}`]);
    expect(variant).toMatchObject({ attributes: [] });
  });
});

describe("a row says it in many ways", () => {
  it.each<[Record<string, string>, Record<string, unknown>]>([
    [{ price: "1.234,50" }, { price_amount: 123450, currency: "EUR" }],
    [{ price: "1&nbsp;234,50&nbsp;&euro;" }, { price_amount: 123450, currency: "EUR" }],
    [{ availability: "verf&uuml;gbar" }, { availability: "in_stock" }],
    [{ availability: "12" }, { availability: "in_stock" }],
    [{ availability: "&nbsp;", stock: "5" }, { availability: "in_stock" }],
    ...(
      [
        ["In stock", "in_stock"],
        ["Out of stock", "out_of_stock"],
        ["10+", "in_stock"],
        [">5", "in_stock"],
        [">0", "in_stock"],
        ["0", "out_of_stock"],
      ] as const
    ).map(([stock, availability]): [Record<string, string>, Record<string, unknown>] => [
      { availability: "", stock },
      { availability },
    ]),
    ...["N/A", "NULL", "-", "&nbsp;", "<i>none</i>"].flatMap(
      (none): [Record<string, string>, Record<string, unknown>][] => [
        [{ availability: none, stock: "5" }, { availability: "in_stock" }],
        [{ availability: none, stock: "0" }, { availability: "out_of_stock" }],
      ],
    ),
    ...["N/A", "NULL", "-"].map((none): [Record<string, string>, Record<string, unknown>] => [
      {
        ...{ availability: none, stock_status: "Sold out", gtin: none, EAN: "4006381333931", price: none },
        ...{ current_price: "12 EUR", brand: none, manufacturer: "Acme" },
        ...{ image_link: none, picture: "https://x.example/i.jpg" },
      },
      {
        ...{ availability: "out_of_stock", gtin: "04006381333931", price_amount: 1200, brand: "Acme" },
        image_link: "https://x.example/i.jpg",
      },
    ]),
    ...["In stock?", "in_stock", "is_in_stock", "qty"].flatMap(
      (name): [Record<string, string>, Record<string, unknown>][] => [
        [{ availability: "", [name]: "0" }, { availability: "out_of_stock" }],
        [{ availability: "", [name]: "1" }, { availability: "in_stock" }],
      ],
    ),
    [{ sale_price: "9" }, { sale_price_amount: 900, sale_starts_at: null, sale_ends_at: null }],
    [{ sale_price: "10.00 EUR" }, { sale_price_amount: null }],
    [{ sale_price: "N/A" }, { sale_price_amount: null }],
    [
      { sale_price: "9 EUR", sale_price_effective_date: "2026-06-01T00:00+0200/2026-06-30" },
      { sale_starts_at: new Date("2026-05-31T22:00:00Z"), sale_ends_at: new Date("2026-07-01T00:00:00Z") },
    ],
    [
      { sale_price: "9 EUR", sale_price_start_date: "2026-06-01", sale_price_end_date: "2026-06-30" },
      { sale_starts_at: new Date("2026-06-01"), sale_ends_at: new Date("2026-07-01") },
    ],
    ...[
      { offer_price: "9 EUR", offer_price_effective_date: "2026-05-01/2026-05-31" },
      ...[
        ["special_price_from_date", "special_price_to_date"],
        ["special_from_date", "special_to_date"],
      ].map(([from, to]) => ({ special_price: "9", [from!]: "2026-05-01 00:00:00", [to!]: "2026-05-31" })),
      ...[
        ["date_on_sale_from", "date_on_sale_to"],
        ["Date sale price starts", "Date sale price ends"],
        ["_sale_price_dates_from", "_sale_price_dates_to"],
      ].map(([from, to]) => ({ "Sale price": "9", [from!]: "2026-05-01T00:00:00", [to!]: "2026-05-31" })),
    ].map((dialect): [Record<string, string>, Record<string, unknown>] => [
      dialect,
      { sale_price_amount: 900, sale_starts_at: new Date("2026-05-01"), sale_ends_at: new Date("2026-06-01") },
    ]),
    // Magento's last day, which it writes as a midnight, is a day of the sale; its midnights are no instants.
    ...["special_price_to_date", "special_to_date"].flatMap((to) =>
      [
        ["2026-05-31 00:00:00", "2026-06-01T00:00:00Z"],
        ["2026-05-31T00:00:00+02:00", "2026-05-31T22:00:00Z"],
        ["2026-05-31 23:59:59", "2026-05-31T23:59:59Z"],
        ["0000-00-00 00:00:00", null],
      ].map(([last, end]): [Record<string, string>, Record<string, unknown>] => [
        { special_price: "9", [to]: last! },
        { sale_price_amount: 900, sale_starts_at: null, sale_ends_at: end && new Date(end!) },
      ]),
    ),
    [
      {
        ...{ sale_price: "9", date_on_sale_from: "2026-05-01T00:00:00", date_on_sale_from_gmt: "2026-04-30T22:00:00" },
        ...{ date_on_sale_to: "2026-05-31T23:59:59", date_on_sale_to_gmt: "2026-05-31T21:59:59" },
      },
      { sale_starts_at: new Date("2026-04-30T22:00:00Z"), sale_ends_at: new Date("2026-05-31T21:59:59Z") },
    ],
    ...[
      ["sale_price_start_date", "sale_price_end_date"],
      ["date_on_sale_from", "date_on_sale_to"],
      ["Date sale price starts", "Date sale price ends"],
      ["_sale_price_dates_from", "_sale_price_dates_to"],
    ].flatMap(([from, to]) =>
      [
        ["2026-05-01T00:00:00", "2026-05-31T00:00:00", "2026-05-31T00:00:00Z"],
        ["2026-05-01 0:00:00", "2026-05-31 23:59:59", "2026-05-31T23:59:59Z"],
        ["1777593600", "1780271999", "2026-05-31T23:59:59Z"],
      ].map(([first, last, end]): [Record<string, string>, Record<string, unknown>] => [
        { sale_price: "9", [from!]: first!, [to!]: last! },
        { sale_price_amount: 900, sale_starts_at: new Date("2026-05-01"), sale_ends_at: new Date(end!) },
      ]),
    ),
    ...["/", "N/A", "-"].flatMap((none): [Record<string, string>, Record<string, unknown>][] => [
      [
        { sale_price: "9 EUR", sale_price_effective_date: none },
        { sale_price_amount: 900, sale_starts_at: null, sale_ends_at: null },
      ],
      [
        { sale_price: "9 EUR", sale_price_start_date: none, sale_price_end_date: none },
        { sale_price_amount: 900, sale_starts_at: null, sale_ends_at: null },
      ],
      [
        { sale_price: "9 EUR", sale_price_start_date: none, sale_price_end_date: "2026-06-30" },
        { sale_price_amount: 900, sale_starts_at: null, sale_ends_at: new Date("2026-07-01") },
      ],
    ]),
    ...["-/-", "N/A/N/A", "N/A - N/A", "null/null", "0000-00-00/0000-00-00"].map(
      (none): [Record<string, string>, Record<string, unknown>] => [
        { sale_price: "9 EUR", sale_price_effective_date: none },
        { sale_price_amount: 900, sale_starts_at: null, sale_ends_at: null },
      ],
    ),
    [
      { sale_price: "9 EUR", sale_price_effective_date: "2026-06-01/-" },
      { sale_starts_at: new Date("2026-06-01"), sale_ends_at: null },
    ],
    [{ gtin: "036000291452" }, { gtin: "00036000291452" }],
    [{ gtin: "0 36000-29145 2" }, { gtin: "00036000291452" }],
    [
      { color: "N/A", size: "none", brand: "-", mpn: "null" },
      { color: null, size: null, brand: null, mpn: null },
    ],
    ...["&nbsp;", "<br>", "<b>N/A</b>"].map((none): [Record<string, string>, Record<string, unknown>] => [
      { color: none, brand: none, mpn: none, seller_name: none, item_group_title: none },
      { color: null, brand: null, mpn: null, seller: null, item_group_title: null },
    ]),
    [{ condition: "" }, { condition: "new" }],
    [{ condition: "Refurbished" }, { condition: "refurbished" }],
    [{ google_product_category: "469 > Health & Beauty" }, { google_product_category: ["Health & Beauty"] }],
    [{ google_product_category: "1604" }, { google_product_category: ["Apparel & Accessories", "Clothing"] }],
    [{ google_product_category: "16040000" }, { google_product_category: ["16040000"] }],
    [{ product_type: "A &gt; B>C" }, { product_type: ["A", "B", "C"] }],
    [
      { availability: "pre-order", availability_date: "2026-09-01" },
      { availability: "preorder", availability_date: new Date("2026-09-01") },
    ],
    [
      { availability: "vorbestellbar", availability_date: "2026-12-01T00:00+0100" },
      { availability: "preorder", availability_date: new Date("2026-12-01") },
    ],
    [
      { price: "10 EUR", price_currency: "USD" },
      { price_amount: 1000, currency: "EUR" },
    ],
    [{ expiration_date: "2026-06-01" }, { availability: "in_stock", expires_at: new Date("2026-06-02") }],
    [{ expiration_date: "9999-12-31" }, { availability: "in_stock", expires_at: new Date("9999-12-31T23:59:59.999Z") }],
    [
      { star_rating: "4,5", review_count: "1,204" },
      { rating_value: 4.5, rating_scale_max: 5, rating_count: 1204 },
    ],
    ...["product_rating", "average_rating", "rating_value", "aggregate_rating", "reviews.rating"].map(
      (name): [Record<string, string>, Record<string, unknown>] => [
        { [name]: "9/10", product_rating_count: "7" },
        { rating_value: 9, rating_scale_max: 10, rating_count: 7 },
      ],
    ),
    [
      { star_rating: "0", review_count: "0" },
      { rating_value: null, rating_scale_max: null, rating_count: null },
    ],
    [{ star_rating: "8.4/10" }, { rating_value: 8.4, rating_scale_max: 10, rating_count: null }],
    [{ unit_pricing_measure: "750 ml", unit_pricing_base_measure: "1 l" }, { unit_pricing_measure: "750 ml / 1 l" }],
    [{ unit_pricing_base_measure: "1 l" }, { unit_pricing_measure: null }],
    // As spreadsheets keep text from being a number, and what they have where a formula fails.
    [
      { mpn: '="007"', item_group_id: '="G1"', color: "Red" },
      { mpn: "007", item_group_id: "G1" },
    ],
    [
      { mpn: "#N/A", brand: "#REF!", color: "#VALUE!", gtin: "\\N" },
      { mpn: null, brand: null, color: null, gtin: null },
    ],
    [{ google_product_category: "469.0" }, { google_product_category: ["Health & Beauty"] }],
    [{ product_type: "Home » Shoes" }, { product_type: ["Home", "Shoes"] }],
    // As spreadsheets write yes and no in other languages.
    ...["WAHR", "VRAI", "VERDADERO", "VERO", "WAAR", "PRAWDA"].map(
      (availability): [Record<string, string>, Record<string, unknown>] => [
        { availability, adult: availability, multipack: "0" },
        { availability: "in_stock", attributes: [{ name: "adult", value: "yes" }] },
      ],
    ),
    ...["FALSCH", "FAUX", "FALSO", "ONWAAR", "FAŁSZ"].map(
      (availability): [Record<string, string>, Record<string, unknown>] => [
        { availability, adult: availability, multipack: "1" },
        { availability: "out_of_stock", attributes: [] },
      ],
    ),
    // The word for its money.
    [{ price: "12,50 Euro" }, { price_amount: 1250, currency: "EUR" }],
    [{ price: "EURO 1.299,00" }, { price_amount: 129_900, currency: "EUR" }],
    // What stands beside an availability: when it comes, or how many there are.
    [{ availability: "5 in stock" }, { availability: "in_stock" }],
    [{ availability: "In stock (5)" }, { availability: "in_stock" }],
    [{ availability: "In stock (0)" }, { availability: "out_of_stock" }],
    [{ availability: "0 in stock" }, { availability: "out_of_stock" }],
    [{ availability: "Sofort verfügbar, Lieferzeit: 1-3 Tage" }, { availability: "in_stock" }],
    [{ availability: "Available, delivery time 2-5 days" }, { availability: "in_stock" }],
    [{ availability: "En stock - expédié sous 24h" }, { availability: "in_stock" }],
    [{ availability: "Nicht auf Lager, Lieferzeit 14 Tage" }, { availability: "out_of_stock" }],
    [{ availability: "sofort versandfertig" }, { availability: "in_stock" }],
    [{ availability: "en existencia" }, { availability: "in_stock" }],
    [{ gender: "W" }, { gender: "female" }],
    [{ gender: "m" }, { gender: "male" }],
    [{ gender: "f" }, { gender: "female" }],
    [{ gtin: "EAN: 4006381333931" }, { gtin: "04006381333931" }],
    [{ gtin: "4006381333931; 4006381333931" }, { gtin: "04006381333931" }],
    [
      { eans: "4006381333931", hans: "ST-1" },
      { gtin: "04006381333931", mpn: "ST-1" },
    ],
    [{ "delivery-cost": "4,90" }, { shipping: [{ price: 490, currency: "EUR" }] }],
    [{ sale_price: "8 EUR", sale_price_effective_date: "2026/05/01 - 2026/07/31" }, sale("2026-05-01", "2026-08-01")],
    [{ sale_price: "8 EUR", sale_price_effective_date: "2026-05-01, 2026-07-31" }, sale("2026-05-01", "2026-08-01")],
    [{ sale_price: "8 EUR", sale_price_effective_date: "2026-05-01 to 2026-07-31" }, sale("2026-05-01", "2026-08-01")],
    [
      { sale_price: "8 EUR", sale_price_effective_date: "2026-05-01T08:00+0200 2026-07-31T08:00+0200" },
      sale("2026-05-01T06:00Z", "2026-07-31T06:00Z"),
    ],
    [
      { availability: "preorder", availability_date: "2026/09/01" },
      { availability: "preorder", availability_date: new Date("2026-09-01") },
    ],
    [{ certification: "EC:EPREL:123456" }, { attributes: [{ name: "certification", value: "EC EPREL 123456" }] }],
    [
      { "certification(certification_authority:certification_name:certification_code)": "EC:EPREL:123456" },
      { attributes: [{ name: "certification", value: "EC EPREL 123456" }] },
    ],
    [
      { energy_efficiency_class: "C", min_energy_efficiency_class: "G", max_energy_efficiency_class: "A" },
      { attributes: [{ name: "energy efficiency class", value: "C (on a scale from A to G)" }] },
    ],
    [{ size_type: "petite, maternity" }, { attributes: [{ name: "size type", value: "petite, maternity" }] }],
    [
      { color: "Red", product_detail: "General:Color:Blue" },
      { color: "Red", attributes: [] },
    ],
    ...[
      ["male", "Male", "Men's", "Herren", "boys"],
      ["female", "FEMALE", "Women", "Femme", "girls"],
      ["unisex", "Unisex", "Men & Women"],
    ].flatMap(([gender, ...names]) =>
      names.map((name): [Record<string, string>, Record<string, unknown>] => [{ gender: name }, { gender }]),
    ),
    ...[
      ["adult", "Adults", "Erwachsene", "teen"],
      ["kids", "Kids", "children", "Enfant"],
      ["toddler", "Toddlers"],
      ["infant", "baby"],
      ["newborn", "Newborn"],
    ].flatMap(([age_group, ...names]) =>
      names.map((name): [Record<string, string>, Record<string, unknown>] => [{ age_group: name }, { age_group }]),
    ),
    [{ product_detail: "General:Gender:Women" }, { gender: "female", attributes: [] }],
    ...[
      ["A warm cap.", "Holds 2 l, and more", "A warm cap.\n• Holds 2 l, and more"],
      ["", '"Keeps warm","Washable, at 30 °C" , "N/A"', "• Keeps warm\n• Washable, at 30 °C"],
      [
        "A <b>warm</b> cap that keeps dry",
        '"<b>Warm</b>  cap","Keeps dry","Red","Red"',
        "A warm cap that keeps dry\n• Red",
      ],
    ].map(([description, product_highlight, told]): [Record<string, string>, Record<string, unknown>] => [
      { description: description!, product_highlight: product_highlight! },
      { description: told },
    ]),
    ...[
      [":Wool Cap - Blue", "Wool Cap - Blue"],
      ["default:Wool Cap", "Wool Cap"],
      ['trained_algorithmic_media:"Cap: the ""Warm"" one"', 'Cap: the "Warm" one'],
      ["Cap: the warm one", "Cap: the warm one"],
    ].map(([stated, text]): [Record<string, string>, Record<string, unknown>] => [
      { title: "", structured_title: stated!, description: "", structured_description: stated! },
      { title: text, description: text },
    ]),
    [
      { title: "", "structured_title(digital_source_type:content)": 'default:"Cap, red: big"' },
      { title: "Cap, red: big" },
    ],
    [{ title: "Cap", structured_title: "default:Hat" }, { title: "Cap" }],
    [{ title: "<b>Salt</b> &amp; pepper" }, { title: "Salt & pepper" }],
    [{ title: "nul\u0000l\u0007" }, { title: "null" }],
    [{ link: "https://x.example/a b?c=d|e#f" }, { link: "https://x.example/a%20b?c=d|e#f" }],
    [{ link: "https://x.example/p@q?a=1&amp;b=2&lt;" }, { link: "https://x.example/p@q?a=1&b=2&lt;" }],
    [
      { image_link: "https://x.example/1?a&amp;b", additional_image_link: "https://x.example/2?a&amp;b" },
      { image_link: "https://x.example/1?a&b", additional_image_links: ["https://x.example/2?a&b"] },
    ],
    [{ link: "https://x.example/p?a=1&#038;b=2&#38;c&#x26;d" }, { link: "https://x.example/p?a=1&b=2&c&d" }],
    [{ link: "https://bücher.example/ü" }, { link: "https://bücher.example/ü" }],
    [
      { product_detail: "General:Wood:Oak,Care:Wash at:30 °C", product_weight: "1.5 kg" },
      {
        attributes: [
          { name: "Wood", value: "Oak" },
          { name: "Wash at", value: "30 °C" },
          { name: "weight", value: "1.5", unit: "kg" },
        ],
      },
    ],
    [
      { is_bundle: "yes", adult: "TRUE", age_restriction: "18", multipack: "6" },
      {
        attributes: [
          { name: "multipack", value: "6" },
          { name: "age restriction", value: "18" },
          { name: "bundle", value: "yes" },
          { name: "adult", value: "yes" },
        ],
      },
    ],
    [{ is_bundle: "no", adult: "false" }, { attributes: [] }],
    ...["variant_option", "Variant option (name:value)"].map(
      (column): [Record<string, string>, Record<string, unknown>] => [
        { [column]: "Shoe width:narrow,Size:8", product_detail: "Care:Wash at:30 °C" },
        {
          ...{ size: "8" },
          attributes: [
            { name: "Shoe width", value: "narrow" },
            { name: "Wash at", value: "30 °C" },
          ],
        },
      ],
    ),
    [
      { additional_variant_attribute: "Scent:Rose, Size:L" },
      { size: "L", attributes: [{ name: "Scent", value: "Rose" }] },
    ],
    [
      { variant_option: "Kit: with pump, and bag,Ratio:16:9,none" },
      {
        attributes: [
          { name: "Kit", value: "with pump, and bag" },
          { name: "Ratio", value: "16:9,none" },
        ],
      },
    ],
    ...[
      ["month:24:39.99 EUR", "39.99 EUR a month for 24 months; the price is what is due at checkout"],
      ["YEAR:1:1.200,00 EUR", "1200.00 EUR a year for 1 year; the price is what is due at checkout"],
    ].flatMap(([stated, value]) =>
      ["subscription_cost", "Subscription cost (period:period_length:amount)"].map(
        (column): [Record<string, string>, Record<string, unknown>] => [
          { [column]: stated!, product_weight: "200 g" },
          {
            attributes: [
              { name: "weight", value: "200", unit: "g" },
              { name: "subscription cost", value },
            ],
          },
        ],
      ),
    ),
    ...[
      ["6:1.67", "6 monthly payments of 1.67 EUR, 10.02 EUR in all"],
      ["6:2 EUR", "6 monthly payments of 2.00 EUR, 12.00 EUR in all; the price may be a down payment alone"],
      ["24:30 EUR:10 EUR", "24 monthly payments of 30.00 EUR after the price as down payment, 730.00 EUR in all"],
      [
        "24:30 EUR:99 EUR:finance",
        "24 monthly payments of 30.00 EUR after a down payment of 99.00 EUR, 819.00 EUR in all",
      ],
      ["36:199 EUR:0 EUR:lease", "36 monthly lease payments of 199.00 EUR, 7164.00 EUR in all"],
    ].map(([installment, value]): [Record<string, string>, Record<string, unknown>] => [
      { installment: installment! },
      { attributes: [{ name: "installment", value }] },
    ]),
    ...["0:0 EUR", "N/A"].map((installment): [Record<string, string>, Record<string, unknown>] => [
      { installment },
      { attributes: [] },
    ]),
    [{ product_detail: "Set:Constructor:wood" }, { attributes: [{ name: "Constructor", value: "wood" }] }],
    [
      { shipping: "IE::Standard:4.95 EUR,DE::Express:1.234,50 EUR:1:2:3:5 ; FR:6 EUR" },
      {
        shipping: [
          { country: "IE", service: "Standard", price: 495, currency: "EUR" },
          {
            ...{ country: "DE", service: "Express", price: 123450, currency: "EUR" },
            ...{ min_handling_days: 1, max_handling_days: 2, min_transit_days: 3, max_transit_days: 5 },
          },
          { country: "FR", price: 600, currency: "EUR" },
        ],
      },
    ],
    [{ "shipping(country:price)": "IE:4.95" }, { shipping: [{ country: "IE", price: 495, currency: "EUR" }] }],
    [
      { "shipping(country:price:currency)": "US:4.95:USD" },
      { shipping: [{ country: "US", price: 495, currency: "USD" }] },
    ],
    [
      { "free_shipping_threshold(country:price_threshold:currency)": "US:50:USD" },
      { shipping: [{ country: "US", price: 0, currency: "USD", min_order_amount: 5000 }] },
    ],
    [
      { "subscription_cost(period:period_length:amount:currency)": "month:24:9.90:USD" },
      {
        attributes: [
          {
            name: "subscription cost",
            value: "9.90 USD a month for 24 months; the price is what is due at checkout",
          },
        ],
      },
    ],
    [
      { "shipping(country:price)": "IE:4,95,DE:6 EUR" },
      {
        shipping: [
          { country: "IE", price: 495, currency: "EUR" },
          { country: "DE", price: 600, currency: "EUR" },
        ],
      },
    ],
    ...["min_order_value", "min_order_amount", "order_amount_threshold"].map(
      (name): [Record<string, string>, Record<string, unknown>] => [
        { [`shipping(country:price:${name})`]: "IE:0 EUR:50 EUR" },
        { shipping: [{ country: "IE", price: 0, currency: "EUR", min_order_amount: 5000 }] },
      ],
    ),
    ...["free_shipping_threshold", "free_shipping_threshold(country:price_threshold)"].map(
      (name): [Record<string, string>, Record<string, unknown>] => [
        { shipping: "IE::Air:9 EUR,IE::Post:4 EUR:1:2", [name]: "IE:50 EUR,DE:80 EUR" },
        {
          shipping: [
            { country: "IE", service: "Air", price: 900, currency: "EUR" },
            { country: "IE", service: "Post", price: 400, currency: "EUR", ...handling },
            { country: "IE", service: "Post", price: 0, currency: "EUR", ...handling, min_order_amount: 5000 },
            { country: "DE", price: 0, currency: "EUR", min_order_amount: 8000 },
          ],
        },
      ],
    ),
    [{ availability: "", inventory_quantity: "3.0000" }, { availability: "in_stock" }],
    [{ availability: "", inventory_quantity: "0.0000" }, { availability: "out_of_stock" }],
    ...[
      ["images", "https://x.example/1,a.jpg,https://x.example/2.jpg , https://x.example/1,a.jpg,"],
      ["images", '["https:\\/\\/x.example\\/1,a.jpg", "https://x.example/2.jpg"]'],
      ["image", '[{"url":"https://x.example/1,a.jpg","tag":["a"]},null,{"src":"https://x.example/2.jpg"}]'],
      ["image[0].url", "https://x.example/1,a.jpg https://x.example/2.jpg"],
      ["image_links", "https://x.example/1,a.jpg; https://x.example/2.jpg"],
      ["additional_images", "https://x.example/1,a.jpg|https://x.example/2.jpg"],
      ["image_link", "https://x.example/1,a.jpg https://x.example/2.jpg"],
    ].map(([column, list]): [Record<string, string>, Record<string, unknown>] => [
      { image_link: "", [column!]: list! },
      { image_link: "https://x.example/1,a.jpg", additional_image_links: ["https://x.example/2.jpg"] },
    ]),
    [
      { images: "https://x.example/1.jpg,https://x.example/2.jpg", image_link: "https://x.example/0.jpg" },
      {
        image_link: "https://x.example/0.jpg",
        additional_image_links: ["https://x.example/1.jpg", "https://x.example/2.jpg"],
      },
    ],
  ])("%j", async (cells, expected) => {
    const { variant, errors, warnings } = await row(cells);
    expect([errors, warnings]).toEqual([[], []]);
    expect(variant).toMatchObject(expected);
  });

  it.each([
    ["TSV", 'id\tstructured_title\tlink\tprice\n1\tdefault:"Cap: warm"\thttps://x.example/1\t1 EUR\n'],
    [
      "XML",
      `<rss xmlns:g="http://base.google.com/ns/1.0"><channel><item><g:id>1</g:id><g:link>https://x.example/1</g:link><g:price>1 EUR</g:price>
        <g:structured_title><g:digital_source_type>trained_algorithmic_media</g:digital_source_type>
        <g:content>Cap: warm</g:content></g:structured_title></item></channel></rss>`,
    ],
  ])("%s whose titles are structured ones alone", async (_, text) => {
    const { id } = await makeStore(database);
    await loadFeed(database, id, text);
    expect((await stored(database, id)).variants).toMatchObject([{ variant_id: "1", title: "Cap: warm" }]);
  });

  it("handling and transit times of the row hold for each way that does not state its own", async () => {
    const { variant, warnings } = await row({
      ...{ min_handling_time: "0", max_handling_time: "2", min_transit_time: "3", max_transit_time: "5" },
      shipping: "IE::Post:4 EUR,DE::Van:9 EUR:1:1,FR::Air:20 EUR:::1:1,NL::Bike:3 EUR:::6",
    });
    expect(warnings).toEqual([]);
    const [handling, transit] = [
      { min_handling_days: 0, max_handling_days: 2 },
      { min_transit_days: 3, max_transit_days: 5 },
    ];
    expect(variant?.shipping).toEqual([
      { country: "IE", service: "Post", price: 400, currency: "EUR", ...handling, ...transit },
      {
        ...{ country: "DE", service: "Van", price: 900, currency: "EUR" },
        min_handling_days: 1,
        max_handling_days: 1,
        ...transit,
      },
      {
        ...{ country: "FR", service: "Air", price: 2000, currency: "EUR" },
        ...handling,
        min_transit_days: 1,
        max_transit_days: 1,
      },
      { country: "NL", service: "Bike", price: 300, currency: "EUR", ...handling, min_transit_days: 6 },
    ]);
  });

  it.each([
    ["4.66667", "12.0", 4.66667, 12],
    ["4,5/5", "1,204", 4.5, 1204],
    ["4.333333333333333", "1 204 001", 4.3333335, 1204001],
  ])("a rating of %s by %s people", async (star_rating, review_count, rating_value, rating_count) => {
    const { variant, warnings } = await row({ star_rating, review_count });
    expect(warnings).toEqual([]);
    expect(variant).toMatchObject({ rating_value, rating_count });
  });

  it("a way to the United Kingdom by either of its codes", async () => {
    const { variant, warnings } = await row({ shipping: "UK::Post:3.99 GBP,GB::Van:9 GBP" });
    expect(warnings).toEqual([]);
    expect(variant?.shipping).toMatchObject([
      { country: "GB", service: "Post" },
      { country: "GB", service: "Van" },
    ]);
  });

  it("with what is paid over time as parts, in XML and JSON Lines", async () => {
    const needed = { id: "phone", title: "Phone", link: "https://x.example/p", price: "1 EUR" };
    const parts = {
      subscription_cost: { period: "month", period_length: 24, amount: "39.99 EUR" },
      installment: { months: 24, amount: "30 EUR", downpayment: "1 EUR", credit_type: "finance" },
    };
    const element = (name: string, of: unknown): string =>
      typeof of === "object"
        ? `<g:${name}>${Object.entries(of!).map(([part, value]) => element(part, value))}</g:${name}>`.replaceAll(
            ",",
            "",
          )
        : `<g:${name}>${of}</g:${name}>`;
    const item = Object.entries({ ...needed, ...parts }).map(([name, of]) => element(name, of));
    const files = {
      "f.xml": `<rss xmlns:g="http://base.google.com/ns/1.0"><channel><item>${item.join("")}</item></channel></rss>`,
      "f.jsonl": JSON.stringify({ ...needed, ...parts }),
    };
    for (const [fileName, content] of Object.entries(files)) {
      const { id } = await makeStore(database);
      const report = await loadFeed(database, id, content, { fileName });
      expect(report.issues.filter(({ field }) => field in parts)).toEqual([]);
      expect((await stored(database, id)).variants[0]!.attributes).toEqual([
        { name: "subscription cost", value: "39.99 EUR a month for 24 months; the price is what is due at checkout" },
        {
          name: "installment",
          value: "24 monthly payments of 30.00 EUR after the price as down payment, 721.00 EUR in all",
        },
      ]);
    }
  });

  it("as numbers in variant_dict", async () => {
    const { variant } = await row({ variant_dict: '{"Size":42,"Waterproof":true,"Lining":null}' });
    expect(variant).toMatchObject({ size: "42", attributes: [{ name: "Waterproof", value: "true" }] });
  });

  it("as OpenAI's custom variants and variant_dict", async () => {
    const { variant } = await row({
      variant_dict: '{"Color":"Red","Wood type":"Oak"}',
      Custom_variant1_category: "Size_Type",
      Custom_variant1_option: "Petite",
    });
    expect(variant).toMatchObject({
      color: "Red",
      attributes: [
        { name: "Size Type", value: "Petite" },
        { name: "Wood type", value: "Oak" },
      ],
    });
  });

  it("as a variant_dict under the shop's own names, in JSON Lines as in CSV", async () => {
    const looks = [
      { "Color (frame)": "Black", "Color (lens)": "Grey", "Wood type": "Oak", Sizes: [1, 2] },
      { color: "Red", Size: 42, "Price tier": 1.125, Waterproof: true, Lining: null },
    ];
    const rows = looks.map((variant_dict, n) => ({
      ...{ item_id: `${n}`, title: `Glasses ${n}`, url: `https://x.example/${n}`, price: "1 EUR", variant_dict },
      ...{ image_url: `https://x.example/${n}.jpg`, availability: "in_stock", is_eligible_search: true },
    }));
    const quoted = (value: unknown) =>
      `"${(typeof value === "object" ? JSON.stringify(value) : String(value)).replaceAll('"', '""')}"`;
    const files = {
      "f.jsonl": rows.map((row) => JSON.stringify(row)),
      "f.csv": [Object.keys(rows[0]!).join(), ...rows.map((row) => Object.values(row).map(quoted).join())],
    };
    const [lines, csv] = await Promise.all(
      Object.entries(files).map(async ([fileName, of]) => {
        const { id } = await makeStore(database);
        const report = await loadFeed(database, id, of.join("\n"), { fileName });
        const warnings = report.issues.map(({ field, reason }) => `${field} ${reason}`);
        return [report.format, { warnings, ...(await stored(database, id)) }] as const;
      }),
    );
    expect([lines![0], csv![0]]).toEqual(["openai-jsonl", "openai-csv"]);
    const [, { warnings, variants }] = lines!;
    expect(lines![1]).toEqual(csv![1]);
    expect(warnings).toEqual(["variant_dict has no text as its Sizes; left out"]);
    expect(variants).toMatchObject([
      {
        color: null,
        attributes: [
          { name: "Color (frame)", value: "Black" },
          { name: "Color (lens)", value: "Grey" },
          { name: "Wood type", value: "Oak" },
        ],
      },
      { color: "Red", size: "42" },
    ]);
  });

  it("without any availability in the file, everything is in stock, and the report says so once", async () => {
    const { id } = await makeStore(database);
    const rows = [1, 2, 3].map((n) => `${n}\tLamp ${n}\thttps://x.example/${n}\t1 EUR\thttps://x.example/${n}.jpg`);
    const report = await loadFeed(database, id, ["id\ttitle\tlink\tprice\timage_link", ...rows].join("\n"));
    expect(report).toMatchObject({ loaded: 3, warnings: 1, issues: [{ field: "availability", severity: "warning" }] });
    expect((await stored(database, id)).variants.every((variant) => variant.availability === "in_stock")).toBe(true);
  });

  it("whether it is in stock as JSON's true or false, without an availability", async () => {
    const { id } = await makeStore(database);
    const lines = [true, false].map((in_stock, n) =>
      JSON.stringify({ id: `${n}`, title: "Lamp", link: "https://x.example", price: "1 EUR", in_stock }),
    );
    const report = await loadFeed(database, id, lines.join("\n"));
    expect(report.issues.filter(({ field }) => field === "availability")).toEqual([]);
    const { variants } = await stored(database, id);
    expect(variants.map(({ availability }) => availability)).toEqual(["in_stock", "out_of_stock"]);
  });

  it.each(["f.tsv", "f.xml", "f.jsonl"])("an availability that is empty is named, in %s", async (fileName) => {
    const { id } = await makeStore(database);
    const rows = ["", "", "in_stock", "out_of_stock", "preorder"].map((availability, n) => ({
      ...{ id: `${n}`, title: "Lamp", link: "https://x.example", image_link: "https://x.example/i" },
      ...{ price: "1 EUR", availability },
    }));
    const items = rows.map((row) => Object.entries(row).map(([name, text]) => `<${name}>${text}</${name}>`));
    const files: Record<string, string> = {
      "f.tsv": tsv(rows),
      "f.xml": `<rss><channel>${items.map((item) => `<item>${item.join("")}</item>`).join("")}</channel></rss>`,
      "f.jsonl": rows.map((row) => JSON.stringify(row)).join("\n"),
    };
    const report = await loadFeed(database, id, files[fileName]!, { fileName });
    expect(report.issues.map(({ field, reason }) => `${field} ${reason}`)).toEqual([
      "availability is missing: counts as out of stock",
      "availability is missing: counts as out of stock",
    ]);
    const { variants } = await stored(database, id);
    expect(variants.map(({ availability }) => availability)).toEqual([
      ...["out_of_stock", "out_of_stock", "in_stock", "out_of_stock", "preorder"],
    ]);
  });

  it.each([
    ['{"stock":7,"availability":"","availability_status":null}', "f.jsonl"],
    ['{"stock":7,"availability":[],"Stock":""}', "f.jsonl"],
    ["<g:stock/><stock>7</stock><g:availability/>", "f.xml"],
    ["<g:availability/><availability>in stock</availability>", "f.xml"],
    ["<g:availability>N/A</g:availability><stock>7</stock><availability>in stock</availability>", "f.xml"],
    ['{"availability":"N/A","stock_status":"in stock"}', "f.jsonl"],
  ])("and takes the place of no other: %s", async (inside, fileName) => {
    const { id } = await makeStore(database);
    const lamp = {
      id: "1",
      title: "Lamp",
      link: "https://x.example",
      image_link: "https://x.example/i",
      price: "1 EUR",
    };
    const elements = Object.entries(lamp).map(([name, text]) => `<${name}>${text}</${name}>`);
    const content =
      fileName === "f.xml"
        ? `<rss xmlns:g="http://base.google.com/ns/1.0"><channel><item>${elements.join("")}${inside}</item></channel></rss>`
        : `${JSON.stringify(lamp).slice(0, -1)},${inside.slice(1)}`;
    expect((await loadFeed(database, id, content, { fileName })).issues).toEqual([]);
    expect((await stored(database, id)).variants).toMatchObject([{ availability: "in_stock" }]);
  });

  it("a first line that can't be read does not tell what the file has", async () => {
    const { id } = await makeStore(database);
    const lamp = { title: "Lamp", link: "https://x.example", price: "1 EUR" };
    const lines = [
      { ...lamp, id: "2", availability: "in_stock" },
      { ...lamp, id: "3" },
    ].map((line) => JSON.stringify(line));
    await loadFeed(database, id, ['{"id":"1",', ...lines].join("\n"));
    const { variants } = await stored(database, id);
    expect(variants.map(({ availability }) => availability)).toEqual(["in_stock", "out_of_stock"]);
  });

  it("a way to send to a part of a country is never one to the country, and the report says so once", async () => {
    const { id } = await makeStore(database);
    const item = (n: number, ways: string) =>
      `<item><id>${n}</id><title>Lamp</title><link>https://x.example/${n}</link><image_link>https://x.example/${n}.jpg</image_link>
      <price>9 EUR</price><availability>in_stock</availability>${ways}</item>`;
    const way = (part: string, price: string) =>
      `<shipping><country>IE</country>${part}<price>${price}</price></shipping>`;
    const rows = [
      item(1, way("<region>D</region>", "1 EUR") + way("", "5 EUR")),
      item(2, way("<postal_code>D02*</postal_code>", "2 EUR")),
      item(3, way("<location_id>21180</location_id>", "3 EUR")),
      item(4, way("<location_group_name>West</location_group_name>", "4 EUR")),
      item(5, "<shipping>IE:D:Post:5 EUR,IE::Post:6 EUR</shipping>"),
    ];
    const report = await loadFeed(database, id, `<rss><channel>${rows.join("")}</channel></rss>`);
    expect(report.issues).toMatchObject([{ field: "shipping", value: "IE:D:1 EUR", severity: "warning" }]);
    expect(report.issues[0]?.reason).toBe(
      "is for a part of a country alone; left out, like every such way in the file",
    );
    expect((await stored(database, id)).variants.map(({ shipping }) => shipping)).toEqual([
      [{ country: "IE", price: 500, currency: "EUR" }],
      [],
      [],
      [],
      [{ country: "IE", service: "Post", price: 600, currency: "EUR" }],
    ]);
    const other = await loadFeed(
      database,
      id,
      tsv([{ id: "1", "shipping(country:region:price)": "US:CA:5 USD,US:NY:6 USD" }]),
    );
    expect(other.warnings).toBe(1);
    expect((await stored(database, id)).variants[0]).toMatchObject({ shipping: [] });
  });

  it("a bare price of shipping is in the currency of its row", async () => {
    const { variant } = await row({ price: "10.00 USD", shipping: "IE::Post:4.95,US::Post:3 EUR" });
    expect(variant?.shipping).toMatchObject([
      { country: "IE", price: 495, currency: "USD" },
      { country: "US", price: 300, currency: "EUR" },
    ]);
  });

  it("a number in JSON is in the currency that the object beside it names", async () => {
    const { id } = await makeStore(database);
    const lamp = {
      title: "Lamp",
      link: "https://x.example",
      image_link: "https://x.example/i",
      availability: "in_stock",
    };
    const lines = [
      { ...lamp, id: "1", price: 19.99, currency: "USD" },
      { ...lamp, id: "2", price: 19.99, priceCurrency: "EUR" },
      { ...lamp, id: "3", price: { value: 19.99, currency: "USD" }, currency: "EUR" },
    ];
    await loadFeed(database, id, lines.map((line) => JSON.stringify(line)).join("\n"));
    const { variants } = await stored(database, id);
    expect(variants.map(({ price_amount, currency }) => [price_amount, currency])).toEqual([
      [1999, "USD"],
      [1999, "EUR"],
      [1999, "USD"],
    ]);
  });

  it("an amount in XML is in the currency that its attribute names, and in none where its text names another", async () => {
    const { id } = await makeStore(database);
    const item = (name: string, prices: string) =>
      `<item><g:id>${name}</g:id><g:title>Lamp</g:title><g:link>https://x.example</g:link><g:image_link>https://x.example/i</g:image_link>
        <g:availability>in_stock</g:availability>${prices}</item>`;
    const items = [
      item("1", '<g:price currency="USD">19.90</g:price><g:sale_price currency="USD">9.90</g:sale_price>'),
      item("2", '<g:price currency="EUR">19.90 EUR</g:price><g:sale_price currency="USD">9.90 EUR</g:sale_price>'),
      item("3", '<g:price currency="USD">19.90 EUR</g:price>'),
    ];
    const feed = `<rss xmlns:g="http://base.google.com/ns/1.0"><channel>${items.join("")}</channel></rss>`;
    const report = await loadFeed(database, id, feed, { fileName: "f.xml" });
    const { variants } = await stored(database, id);
    expect(
      variants.map(({ price_amount, sale_price_amount, currency }) => [price_amount, sale_price_amount, currency]),
    ).toEqual([
      [1990, 990, "USD"],
      [1990, null, "EUR"],
    ]);
    expect(report.issues.map(({ field, reason }) => `${field} ${reason}`)).toEqual([
      "price is not in a currency of the store (EUR); kept as written",
      "sale_price names several currencies (EUR USD); write it such as 12.50 EUR; taken as no sale",
      "price names several currencies (EUR USD); write it such as 12.50 EUR",
    ]);
  });

  it("categories in JSON by their names, under those above them where an object has these", async () => {
    const json = async (said: object) => {
      const { id } = await makeStore(database);
      const lamp = {
        ...{ id: "1", title: "Lamp", link: "https://x.example", price: "9 EUR" },
        availability: "in_stock",
      };
      const report = await loadFeed(
        database,
        id,
        JSON.stringify({ ...lamp, image_link: "https://x.example/i", ...said }),
      );
      expect(report.issues).toEqual([]);
      return (await stored(database, id)).variants[0]!;
    };
    const categories = async (said: object) => {
      const variant = await json(said);
      const types = (variant.tokens as string[]).filter((token) => token.startsWith("type="));
      return [variant.product_type, types.sort()];
    };
    const woocommerce = [
      { id: 15, name: "Garden &amp; Home", slug: "garden" },
      { id: 16, name: "Lighting", slug: "lighting" },
    ];
    expect(await categories({ categories: woocommerce })).toEqual([
      ["Garden & Home"],
      ["type=garden & home", "type=lighting"],
    ]);
    expect(await categories({ category: { name: "Lighting" } })).toEqual([["Lighting"], ["type=lighting"]]);
    const shopify = { id: "gid://shopify/TaxonomyCategory/hg-13", name: "Lamps", fullName: "Home & Garden > Lamps" };
    expect(await categories({ category: shopify })).toEqual([
      ["Home & Garden", "Lamps"],
      ["type=home & garden", "type=home & garden > lamps"],
    ]);
    const google = await json({ google_product_category: { ...shopify, id: 500 } });
    expect(google.google_product_category).toEqual(["Home & Garden", "Lamps"]);
    expect(await categories({ category: { title: "Lamps" } })).toEqual([["Lamps"], ["type=lamps"]]);
    expect(await categories({ category: { id: 15 } })).toEqual([null, []]);
  });

  it("a price of zero where a plan says what is paid instead", async () => {
    const { variant, warnings } = await row({ price: "0 EUR", subscription_cost: "month:24:39.99 EUR" });
    expect([variant?.price_amount, warnings]).toEqual([0, []]);
    for (const installment of ["24:30 EUR", "24:30 EUR:0 EUR"]) {
      const paid = await row({ price: "0 EUR", installment });
      expect(paid.warnings).toEqual([]);
      expect(paid.variant?.attributes).toEqual([
        {
          name: "installment",
          value: "24 monthly payments of 30.00 EUR, 720.00 EUR in all; the price is what is due at checkout",
        },
      ]);
    }
    expect((await row({ price: "0 EUR", installment: "24:0 EUR" })).warnings).toEqual(["price is zero"]);
  });

  it("separators without end cost no time", async () => {
    const { warnings } = await row({
      images: `x${",".repeat(300_000)}`,
      shipping: `x${" ".repeat(300_000)}x`,
    });
    expect(warnings).toEqual([
      "additional_image_link is not an http(s) address; left out",
      "shipping is not a price such as 12.50 EUR; left out",
    ]);
  });

  it("bytes that are no UTF-8 are never stored", async () => {
    const { id } = await makeStore(database);
    const text = tsv([
      { id: "1", title: "Caf\u0001", description: "fine" },
      { id: "2", title: "Fine", description: "Caf\u0001 au lait", brand: "Caf\u0001" },
      // In UTF-8, as the file.
      { id: "3", title: "Caf\u00c3\u00a9" },
    ]);
    const report = await loadFeed(database, id, Buffer.from(text.replaceAll("\u0001", "é"), "latin1"));
    expect(report.issues.map(({ line, field, severity }) => [line, field, severity])).toEqual([
      [2, "title", "error"],
      [3, "description", "warning"],
      [3, "brand", "warning"],
    ]);
    const { variants } = await stored(database, id);
    expect(variants).toMatchObject([
      { variant_id: "2", description: "Caf au lait", brand: null },
      { variant_id: "3", title: "Café" },
    ]);
  });
});

describe("what a product is found by", () => {
  it("tokens: each value and each category above it, folded", async () => {
    const { product } = await row({
      ...{
        brand: "Crème & Co",
        color: "Red/Dark Green",
        size: "XL",
        material: "Wool",
        gender: "Male",
        age_group: "adult",
      },
      ...{ product_type: "Home > Garden", google_product_category: "469 > Health & Beauty > Care" },
      product_detail: "General:Wood Type:Oak",
    });
    expect(product?.tokens).toEqual(
      [
        ...["brand=creme & co", "condition=new", "color=red/dark green", "color=red", "color=dark green", "size=xl"],
        ...["material=wool", "gender=male", "age_group=adult", "type=home", "type=home > garden", "gcat=469"],
        ...["gcat=health & beauty", "gcat=health & beauty > care", "wood type=oak"],
      ].toSorted((a, b) => (a < b ? -1 : 1)),
    );
  });

  it("search: title before brand, category and look, before codes, before description", async () => {
    const { id } = await makeStore(database);
    const cells = {
      title: "Alpha",
      brand: "Bravo",
      product_type: "Charlie",
      color: "Delta",
      mpn: "Echo-1",
      gtin: "4006381333931",
    };
    await loadFeed(database, id, tsv([{ id: "1", ...cells, description: "Foxtrot crème" }]));
    const [product] = await database.sql`
      select array(select p.search @@ to_tsquery('aisle', word) from unnest(array['alpha:A','bravo:B','charlie:B','delta:B',
          'echo1:C','4006381333931:C','foxtrot:D','creme:D','alpha:D','golf']) word) as found,
        p.title_search @@ to_tsquery('aisle', 'alpha & delta') as ranked, p.title_search @@ to_tsquery('aisle', 'foxtrot') as narrow
      from products p where p.store_id = ${id}`;
    expect(product?.found).toEqual([true, true, true, true, true, true, true, true, false, false]);
    expect(product).toMatchObject({ ranked: true, narrow: false });
  });

  it("words: of titles, brands and categories, folded, once", async () => {
    const { id } = await makeStore(database);
    const cells = {
      title: "Zwölfzylinder XQ 4711 zwölfzylinder",
      brand: "Quixotica",
      product_type: "Blümchen > Vasen",
    };
    await loadFeed(
      database,
      id,
      tsv([
        { id: "1", ...cells, description: "Unwords" },
        { id: "1", ...cells },
      ]),
    );
    const words = await database.sql<{ word: string }[]>`select word from search_words
      where word in ('zwolfzylinder', 'xq', '4711', 'quixotica', 'blumchen', 'vasen', 'unwords') order by word`;
    expect(words.map(({ word }) => word)).toEqual(["blumchen", "quixotica", "vasen", "zwolfzylinder"]);
  });

  it("values too long for an index do no harm", async () => {
    const long = "語".repeat(600);
    const { product, variant } = await row({
      product_type: `${long} > ${long} > x`,
      product_detail: `a:${long}:${long}`,
    });
    expect(product?.product_type).toEqual([long]);
    expect(variant?.attributes).toEqual([{ name: "語".repeat(100), value: "語".repeat(500) }]);
  });

  it("an address of 2,000 characters, and twenty pictures beside the main one, and a word that there were more", async () => {
    const link = `https://x.example/${"x".repeat(1_982)}`;
    const pictures = (count: number) => Array.from({ length: count }, (_, i) => `https://x.example/${i}.jpg`);
    const cells = { link, image_link: "https://x.example/main.jpg" };
    const full = await row({ ...cells, additional_image_link: pictures(20).join(",") });
    expect(full.variant).toMatchObject({ link, additional_image_links: pictures(20) });
    expect(full.warnings).toEqual([]);
    const beyond = await row({ ...cells, additional_image_link: pictures(21).join(",") });
    expect(beyond.variant).toMatchObject({ additional_image_links: pictures(20) });
    expect(beyond.warnings).toEqual(["additional_image_link has more than 20 addresses; cut"]);
  });

  it("fifty product types of a row, and a word that there were more", async () => {
    const { id } = await makeStore(database);
    const lamp = { id: "L", title: "Lamp", link: "https://x.example", price: "9 EUR", availability: "in_stock" };
    const product_type = Array.from({ length: 60 }, (_, i) => `Type ${i}`);
    const report = await loadFeed(
      database,
      id,
      JSON.stringify({ ...lamp, image_link: "https://x.example/i", product_type }),
    );
    expect(report.issues).toMatchObject([
      { field: "product_type", value: "60", reason: "has more than 50 types; cut" },
    ]);
    const { products } = await stored(database, id);
    expect((products[0]!.tokens as string[]).filter((token) => token.startsWith("type="))).toHaveLength(50);
  });

  it("at most a thousand ways to send and details are looked at, however many a row lists", async () => {
    const { report, variant } = await row({
      shipping: "IE::Post:much,".repeat(5_000),
      product_detail: `${"a:b:-,".repeat(5_000)}Care:Wash at:30 °C`,
    });
    expect(report.warnings).toBe(1_000);
    expect(variant).toMatchObject({ shipping: [], attributes: [] });
  });
});
