// How much a list of products says: a model's attention is short, and so are answers.
import { z } from "zod";
import { type Card, compact } from "../services/catalog/card";
import { info } from "../services/catalog/messages";
import type { SearchAnswer } from "../services/catalog/search";

export const View = z
  .enum(["full", "compact"])
  .default("full")
  .describe("compact: titles, prices, availability, pictures and links only.");

export const viewed = (card: Card, view: z.output<typeof View>): Card => (view === "compact" ? compact(card) : card);

const COMPACT_FACET_VALUES = 3;

/** The answer with cards and facets as the view has them. */
export const inView = (found: SearchAnswer, view: z.output<typeof View>): SearchAnswer => ({
  ...found,
  products: found.products.map((card) => viewed(card, view)),
  facets: view === "full" ? found.facets : found.facets.map((facet) => ({ ...facet, values: most(facet.values) })),
});

/** The values that most products have, in the order that they stand in: prices go up. */
function most<Value extends { count: number }>(values: Value[]): Value[] {
  const kept = new Set(values.toSorted((a, b) => b.count - a.count).slice(0, COMPACT_FACET_VALUES));
  return values.filter((value) => kept.has(value));
}

/** Ten products, as many as come unless asked otherwise, stay under 32 kB with their facets; more in proportion. */
const BYTES_PER_PRODUCT = 3_100;
const DEFAULT_LIMIT = 10;

const bytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** Leaves to the next page what an answer has no room for, where titles and addresses are uncommonly long; and says so. */
export function shortened(found: SearchAnswer, limit: number): SearchAnswer {
  const { products, facets, messages } = found;
  const room = BYTES_PER_PRODUCT * Math.max(limit, DEFAULT_LIMIT);
  let fit = products.length;
  while (fit > 1 && bytes([products.slice(0, fit), facets, messages]) > room) fit--;
  if (fit === products.length) return found;
  const left = `${fit} of ${products.length} products: the others did not fit. page.next_cursor goes on with them; view compact takes less room.`;
  return {
    ...found,
    products: products.slice(0, fit),
    hasNextPage: true,
    nextCursor: found.cursorAfter(fit),
    messages: [...messages, info("answer_shortened", left)],
  };
}
