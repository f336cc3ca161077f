// Search over every store that the consumer may read: ranked, filtered, counted, a page at a time. What finds nothing is
// read again with its spelling mended, and then loosely; an answer says so.
import type { Consumer, Ctx } from "../../context";
import { storeNotAvailable } from "../coverage";
import { decodeCursor, encodeCursor } from "../cursor";
import { fold } from "../fold";
import { type Card, card } from "./card";
import { type Facet, facetsOf } from "./facets";
import type { Filters } from "./filters";
import { type Found, find } from "./find";
import { isSmall, withoutFunctionWords, withSmallWordsApart } from "./function-words";
import { info, type Message, warning } from "./messages";
import type { Place, Sort } from "./order";
import { mend } from "./spelling";
import { frequencies } from "./vocabulary";
import { ask } from "./words";

export interface Search {
  query?: string | undefined;
  storeIds?: string[] | undefined;
  filters?: Filters | undefined;
  /** `currency`: its prices come first. `language`: amounts are written in it. */
  context?: { country?: string | undefined; language?: string | undefined; currency?: string | undefined } | undefined;
  sort: Sort;
  limit: number;
  cursor?: string | undefined;
}

export interface SearchAnswer {
  products: Card[];
  hasNextPage: boolean;
  nextCursor: string | undefined;
  /** To go on after the first `count` of `products`. */
  cursorAfter: (count: number) => string;
  /** Undefined above 10,000. */
  totalCount: number | undefined;
  facets: Facet[];
  messages: Message[];
}

/** How a query is taken; a cursor keeps it for the pages to come. */
interface Reading {
  text: string | null;
  /** Any of the words will do. */
  loose: boolean;
  wide?: boolean;
  after?: Place;
}

/**
 * The best matches first.
 * @throws DomainError invalid_arguments for another query's cursor; cursor_invalid; store_not_available when none of
 *   `storeIds` may be read
 */
export async function search(ctx: Ctx<Consumer>, input: Search): Promise<SearchAnswer> {
  const at = cursorOf(ctx, input);
  if (at) return present(ctx, input, at, await read(ctx, input, at), []);
  const typed: Reading = { text: input.query ?? null, loose: false };
  const found = await read(ctx, input, typed);
  const again = found.total === 0 && found.searchable ? await readAgain(ctx, input) : undefined;
  const messages = [...(again?.messages ?? []), ...(await remarks(ctx, input, again?.found ?? found))];
  return present(ctx, input, again?.reading ?? typed, again?.found ?? found, messages);
}

/** What a cursor is bound to: all that decides which products come, in which order. */
const bound = ({ query, storeIds, filters, context, sort, cursor }: Search) => ({
  query,
  storeIds,
  filters,
  context,
  sort,
  cursor,
});

function cursorOf(ctx: Ctx<Consumer>, input: Search): Required<Reading> | undefined {
  const key = decodeCursor(ctx, bound(input), [
    "string?",
    "boolean",
    "boolean",
    "number",
    "number",
    "number",
    "number",
  ]);
  if (!key) return undefined;
  const [mended, loose, wide, ...place] = key as [string | null, boolean, boolean, ...Place];
  return { text: mended ?? input.query ?? null, loose, wide, after: place };
}

async function read(ctx: Ctx<Consumer>, input: Search, { text, loose, wide, after }: Reading): Promise<Found> {
  const { storeIds, filters = {}, context, sort, limit } = input;
  const currency = filters.price?.currency ?? context?.currency;
  const found = await find(ctx, {
    asked: text === null ? null : ask(text),
    loose,
    wide,
    after,
    storeIds,
    filters,
    sort,
    currency,
    limit,
  });
  if (storeIds && found.stores === 0) throw storeNotAvailable();
  return found;
}

interface Again {
  found: Found;
  reading: Reading;
  messages: Message[];
}

/** Nothing matches what was typed: without "for" and "the" of other languages, with its spelling mended, else with any of its words. */
async function readAgain(ctx: Ctx<Consumer>, input: Search): Promise<Again | undefined> {
  if (input.query === undefined) return undefined;
  const typed = withoutFunctionWords(input.query);
  if (typed !== input.query) {
    const reading = { text: typed, loose: false };
    const found = await read(ctx, input, reading);
    if (found.total > 0) return { found, reading, messages: [] };
  }
  const mended = await mend(ctx, typed, input.storeIds);
  const messages: Message[] = [];
  if (mended) {
    const instead = mended.replaced.map(([from, to]) => `"${to}" for "${from}"`).join(", ");
    messages.push(info("spelling_mended", `Nothing matches "${input.query}". Searched for ${instead}.`, "query"));
    const reading = { text: mended.text, loose: false };
    const found = await read(ctx, input, reading);
    if (found.total > 0) return { found, reading, messages };
  }
  const strict = mended?.text ?? typed;
  const apart = withSmallWordsApart(strict);
  if (apart === strict && ask(strict).wanted.length < 2) return undefined;
  const reading = { text: await tellingFirst(ctx, apart, input.storeIds), loose: true };
  const found = await read(ctx, input, reading);
  if (found.total === 0) return undefined;
  const content = "Nothing matches all of the words and filters; these match some of the words, the most first.";
  return { found, reading, messages: [...messages, info("query_relaxed", content, "query")] };
}

/**
 * `text` with the word first that says most of what is meant: the last that names a kind of thing (a black "dress"), else the
 * one that the fewest products have. As it is where something is quoted.
 */
async function tellingFirst(ctx: Ctx<Consumer>, text: string, storeIds?: readonly string[]): Promise<string> {
  if (/["“”„«]/.test(text)) return text;
  const words = [...text.matchAll(/(?<!\S)\p{L}{3,}(?!\S)/gu)].filter(
    ([word]) => ask(word).wanted.length > 0 && !isSmall(fold(word)),
  );
  if (words.length < 2) return text;
  const counts = await frequencies(
    ctx,
    words.map(([word]) => word),
    storeIds,
  );
  const found = words.map((word, i) => ({ word, ...counts[i]! })).filter(({ having }) => having > 0);
  const { word } = found.findLast(({ isKind }) => isKind) ?? found.sort((a, b) => a.having - b.having)[0] ?? {};
  return word ? `${word[0]} ${text.slice(0, word.index)}${text.slice(word.index + word[0].length)}` : text;
}

/** What an agent should know about the answer to its first page. */
async function remarks(ctx: Ctx<Consumer>, input: Search, found: Found): Promise<Message[]> {
  const { storeIds, filters, sort } = input;
  const messages: Message[] = [];
  if (!found.searchable)
    messages.push(
      warning("query_without_words", "The query has no word to search for. Name the product in plain words.", "query"),
    );
  messages.push(...preferredOf(input));
  if (storeIds && found.stores < new Set(storeIds.map((id) => id.toLowerCase())).size)
    messages.push(
      warning(
        "store_not_available",
        "Some of these stores are not available to you; the others were searched. Use store_ids from list_stores.",
        "store_ids",
      ),
    );
  const compares = filters?.price !== undefined || sort.startsWith("price");
  if (compares && !filters?.price?.currency && found.currencies.length > 1)
    messages.push(
      warning(
        "currency_differs",
        `These products are priced in ${found.currencies.join(", ")}, and amounts are not converted. Give filters.price.currency to compare within one.`,
        "filters.price.currency",
      ),
    );
  if (found.total > 0) return messages;
  const others = filters?.price ? await otherCurrencies(ctx, input, filters) : [];
  if (others.length > 0)
    messages.push(
      warning(
        "currency_differs",
        `Nothing that matches is priced in ${filters?.price?.currency ?? "the store's own currency"} as asked; there are matches in ${others.join(", ")}. Amounts are not converted: ask with that currency.`,
        "filters.price.currency",
      ),
    );
  else messages.push(noMatches(input));
  return messages;
}

function preferredOf({ query }: Search): Message[] {
  const words = ask(query ?? "").preferred.flatMap((term) => term.words);
  if (words.length === 0) return [];
  const content = `Products with ${words.map((word) => `"${word}"`).join(", ")} in their titles come first; the others are found too. Quote it with the word beside it to find only those.`;
  return [info("words_preferred", content, "query")];
}

function noMatches({ query, filters }: Search): Message {
  if (query !== undefined)
    return info("no_matches", "Nothing matches. Use fewer or other words, or leave out a filter.", "query");
  if (Object.values(filters ?? {}).some((filter) => filter !== undefined))
    return info("no_matches", "Nothing matches. Leave out a filter, or give it other values.", "filters");
  return info("no_matches", "These stores have no products. Ask other stores, or all.", "store_ids");
}

/** In which currencies there are matches, whatever their prices, but for those that were asked for. */
async function otherCurrencies(ctx: Ctx<Consumer>, input: Search, { price, ...filters }: Filters): Promise<string[]> {
  const currencies = async (any?: Filters["price"]) => {
    const without = { ...input, filters: { ...filters, price: any }, limit: 1 };
    return (await read(ctx, without, { text: input.query ?? null, loose: false })).currencies;
  };
  const all = await currencies();
  if (all.length === 0) return [];
  const asked = price?.currency ? [price.currency] : await currencies({ min: 0 });
  return all.filter((currency) => !asked.includes(currency));
}

function present(ctx: Ctx<Consumer>, input: Search, reading: Reading, found: Found, messages: Message[]): SearchAnswer {
  const rows = found.rows.slice(0, input.limit);
  const hasNextPage = found.rows.length > input.limit;
  const mended = reading.text === (input.query ?? null) ? null : reading.text;
  const cursorAfter = (count: number) => {
    const { k1, k2, k3, id } = rows[count - 1]!;
    return encodeCursor(ctx, bound(input), [mended, reading.loose, found.wide, k1, k2, k3, id]);
  };
  const exact = !found.wide && found.total <= 10_000;
  return {
    products: rows.map((row) => card(row, ctx.actor, input.context?.language)),
    hasNextPage,
    nextCursor: hasNextPage ? cursorAfter(rows.length) : undefined,
    cursorAfter,
    totalCount: exact ? found.total : undefined,
    facets: facetsOf(found.facets, !exact),
    messages,
  };
}
