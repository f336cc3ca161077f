// What shoppers ask, drawn from the titles, brands and kinds of a catalogue's own products: the same kinds in the same
// shares for every size, the same queries in every run.
import type { z } from "zod";
import type { searchProducts } from "../../server/tools/search-products";
import { drawProducts } from "./catalogue";
import type { Database } from "./place";
import { randomFrom } from "./stats";

export type Query = z.input<typeof searchProducts.input> & Record<string, unknown>;

interface Drawn {
  title: string;
  brand: string | null;
  product_type: string[] | null;
}
type Random = () => number;

/** Every kind of query and how many of a hundred it makes. */
const kinds: [share: number, make: (of: Drawn, random: Random) => Query][] = [
  [10, (of, random) => ({ query: some(of, random, 1) })],
  [30, (of, random) => ({ query: some(of, random, 2) })],
  [15, (of, random) => ({ query: some(of, random, 3) })],
  [10, ({ brand, product_type }) => ({ query: `${brand} ${product_type?.at(-1) ?? ""}`.trim() })],
  [10, (of, random) => ({ query: misspelt(some(of, random, 2), random) })],
  [
    10,
    (of, random) => ({
      query: some(of, random, 2),
      filters: { price: { min: 1_000, max: 5_000 }, availability: ["in_stock"] },
    }),
  ],
  [5, (of, random) => ({ query: some(of, random, 1), filters: { brand: [of.brand ?? "Nova"] } })],
  [10, (of, random) => ({ query: some(of, random, 2), sort: "price_asc" })],
];

/** `count` queries, no two alike. */
export async function drawQueries(database: Database, count: number): Promise<Query[]> {
  const random = randomFrom(1_848);
  const found = new Map<string, Query>();
  for (const of of await drawProducts(database, count * 3)) {
    if (found.size === count) break;
    const query = kindAt(random() * 100)(of, random);
    found.set(JSON.stringify(query), query);
  }
  if (found.size < count) throw new Error(`Only ${found.size} of ${count} queries are distinct.`);
  return [...found.values()];
}

function kindAt(point: number) {
  let end = 0;
  for (const [share, make] of kinds) {
    end += share;
    if (point < end) return make;
  }
  return kinds[0]![1];
}

/** Words of a title that stand together, without the short ones that a shopper would leave out. */
function some({ title }: Drawn, random: Random, count: number): string {
  const words = title.toLowerCase().match(/[a-z]{4,}/g) ?? ["bag"];
  const from = Math.floor(random() * Math.max(1, words.length - count + 1));
  return words.slice(from, from + count).join(" ");
}

/** One slip of the hand in its longest word. */
function misspelt(text: string, random: Random): string {
  const words = text.split(" ");
  const longest = words.toSorted((a, b) => b.length - a.length)[0]!;
  const at = 1 + Math.floor(random() * (longest.length - 2));
  const slip = longest.slice(0, at) + longest[at + 1] + longest[at] + longest.slice(at + 2);
  return words.map((word) => (word === longest ? slip : word)).join(" ");
}
