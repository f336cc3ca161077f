// How much a list of products says: a model's attention is short, and so are answers.
import { z } from "zod";
import { JsonText } from "../json-text";
import { type Card, compact } from "../services/catalog/card";
import { info } from "../services/catalog/messages";
import type { SearchAnswer } from "../services/catalog/search";

export const View = z
  .enum(["full", "compact"])
  .default("full")
  .describe("compact: title, brand, price, availability, image, link.");

export const viewed = (card: Card, view: z.output<typeof View>): Card => (view === "compact" ? compact(card) : card);

const COMPACT_FACET_VALUES = 3;

/** The answer with cards and facets as the view has them. */
const inView = (found: SearchAnswer, view: z.output<typeof View>): SearchAnswer => ({
  ...found,
  products: found.products.map((card) => viewed(card, view)),
  facets: view === "full" ? found.facets : found.facets.map((facet) => ({ ...facet, values: most(facet.values) })),
});

/** The values that most products have, in the order that they stand in: prices go up. */
function most<Value extends { count: number }>(values: Value[]): Value[] {
  const kept = new Set(values.toSorted((a, b) => b.count - a.count).slice(0, COMPACT_FACET_VALUES));
  return values.filter((value) => kept.has(value));
}

/** What an answer may take for each product asked for: so the default ten stay under 32 kB, facets included. */
const BYTES_PER_PRODUCT = 3_100;
const DEFAULT_LIMIT = 10;

/**
 * The answer in a view. Leaves to the next page what an answer has no room for, where titles and addresses are uncommonly long; and says so.
 * @param answerOf what the tool answers of what was found
 * @returns the answer's JSON text, which is made here since its length decides
 */
export function fitting(
  all: SearchAnswer,
  view: z.output<typeof View>,
  limit: number,
  answerOf: (found: SearchAnswer) => object,
): JsonText {
  const found = inView(all, view);
  const room = BYTES_PER_PRODUCT * Math.max(limit, DEFAULT_LIMIT);
  let text = JSON.stringify(answerOf(found));
  for (let fit = found.products.length - 1; fit > 0 && Buffer.byteLength(text) > room; fit--)
    text = JSON.stringify(answerOf(shortened(found, view, fit)));
  return new JsonText(text);
}

function shortened(found: SearchAnswer, view: z.output<typeof View>, fit: number): SearchAnswer {
  const or = view === "full" ? ", or ask for view compact" : "";
  const left = `Only ${fit} of ${found.products.length} products fit into this answer. Continue with page.next_cursor${or}.`;
  return {
    ...found,
    products: found.products.slice(0, fit),
    hasNextPage: true,
    nextCursor: found.cursorAfter(fit),
    messages: [...found.messages, info("answer_shortened", left)],
  };
}
