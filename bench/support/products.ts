// Products of any number, mixed from those of a feed: titles and descriptions as long as a real feed has them, a few
// brands that have most of what there is. The same number is always the same product.
import { readFileSync } from "node:fs";
import { checkDigit } from "../../server/services/feeds/gtin";
import { root } from "./processes";
import { randomFrom } from "./stats";

const DEMO_FEEDS = ["tarn-and-timber", "ridgeline-supply", "harbour-lane-home"].map(
  (shop) => `db/seed/${shop}/feed.tsv`,
);

/** Words in a title and in a description, at 5, 25, 50, 75 and 95 of 100, of a real feed of 1,000 products. */
const TITLE_WORDS = [7, 12, 17, 22, 25];
const DESCRIPTION_WORDS = [17, 22, 27, 34, 47];
const SHARES = [0, 0.05, 0.25, 0.5, 0.75, 0.95, 1];
const BRANDS = 3_000;

const columns = [
  ...["id", "item_group_id", "title", "description", "link", "image_link", "availability", "price", "sale_price"],
  ...["brand", "gtin", "condition", "product_type", "color", "size", "product_rating", "product_review_count"],
] as const;
export type Row = Record<(typeof columns)[number], string>;

function readRows(file: string): Row[] {
  const [header = "", ...lines] = readFileSync(file, "utf8").trimEnd().split("\n");
  const names = header.split("\t");
  return lines.map((line) => {
    const cells = line.split("\t");
    return Object.fromEntries(names.map((name, i) => [name, cells[i]?.trim() ?? ""])) as Row;
  });
}

/** The rows of products `from` to before `to`: each drawn from its own number, whatever was drawn before. */
export function* rowsBetween(sources: Row[], from: number, to: number): Generator<string> {
  for (let n = from; n < to; n++) yield* productRows(sources, n);
}

/** What products are made of: a feed's rows (TSV), or those of the demo stores. */
export const sourcesOf = (feed: string | undefined): Row[] =>
  (feed ? [feed] : DEMO_FEEDS.map((path) => `${root}${path}`)).flatMap(readRows);

export const header = columns.join("\t");

/** Exactly `count` rows. */
export function* rowsUpTo(sources: Row[], count: number): Generator<string> {
  let left = count;
  for (const row of rowsBetween(sources, 0, count)) if (left-- > 0) yield row;
}

function* productRows(sources: Row[], n: number): Generator<string> {
  const random = randomFrom(n * 7919 + 1);
  const some = () => sources[Math.floor(random() * sources.length)]!;
  const [one, other, third] = [some(), some(), some()];
  const words = (name: "title" | "description", lengths: number[]) =>
    [one, other, third, some(), some()].flatMap((row) => row[name].split(/\s+/)).slice(0, between(lengths, random()));
  const price = 1 + random() ** 4 * 400;
  const sale = random() < 0.4;
  const rated = random() < 0.5;
  // A few brands have most of what there is.
  const brand = `${one.brand.split(" ")[0] || "Nova"} ${syllables(Math.floor(random() ** 3 * BRANDS))}`;
  const title = [...words("title", TITLE_WORDS), modelOf(n)].join(" ");
  const description = words("description", DESCRIPTION_WORDS).join(" ");
  const variants = n % 10 === 0 ? 3 : 1;
  for (let v = 0; v < variants; v++) {
    const row: Row = {
      id: variants > 1 ? `p${n}-${v}` : `p${n}`,
      item_group_id: variants > 1 ? `p${n}` : "",
      title,
      description,
      link: `https://shop.example/p/${n}?v=${v}`,
      image_link: `https://img.example/${n}.jpg`,
      availability: random() < 0.85 ? "in_stock" : "out_of_stock",
      price: `${(price + v).toFixed(2)} EUR`,
      sale_price: sale ? `${(price * 0.8).toFixed(2)} EUR` : "",
      brand,
      gtin: gtinOf(n * 10 + v),
      condition: random() < 0.95 ? "new" : "used",
      product_type: one.product_type || other.product_type,
      color: one.color || other.color,
      size: variants > 1 ? (["S", "M", "L"][v] ?? "") : "",
      product_rating: rated ? (3 + random() * 2).toFixed(1) : "",
      product_review_count: rated ? String(Math.floor(random() ** 3 * 500) + 1) : "",
    };
    yield columns.map((name) => row[name]).join("\t");
  }
}

/** A length whose distribution over 0 to 1 has these quantiles. */
function between(quantiles: number[], at: number): number {
  const points = [quantiles[0]! - 2, ...quantiles, quantiles.at(-1)! + 3];
  const i = Math.max(0, SHARES.findIndex((share) => share > at) - 1);
  const part = (at - SHARES[i]!) / (SHARES[i + 1]! - SHARES[i]!);
  return Math.round(points[i]! + part * (points[i + 1]! - points[i]!));
}

const beginnings = [
  "bra",
  "cor",
  "del",
  "fen",
  "gal",
  "hol",
  "jor",
  "kel",
  "lun",
  "mor",
  "nor",
  "ost",
  "pel",
  "ros",
  "sel",
];
const endings = [
  "an",
  "berg",
  "den",
  "ell",
  "ford",
  "ine",
  "ley",
  "mark",
  "ness",
  "ova",
  "ra",
  "skog",
  "ton",
  "vik",
  "wick",
];

/** A name for a number: other for each below 3,375. */
const syllables = (n: number): string => {
  const name = `${beginnings[n % 15]}${beginnings[Math.floor(n / 15) % 15]!.slice(0, 2)}${endings[Math.floor(n / 225) % 15]}`;
  return name[0]!.toUpperCase() + name.slice(1);
};

const modelOf = (n: number): string =>
  `${"ABCDEFGHKLMNPRSTVWXZ"[n % 20]}${"ABCDEFGHKLMNPRSTVWXZ"[Math.floor(n / 20) % 20]}${n % 9973}`;

function gtinOf(n: number): string {
  const body = String(400_000_000_000 + n);
  return body + checkDigit(body.padStart(13, "0"));
}
