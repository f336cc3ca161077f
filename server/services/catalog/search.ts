// Search over every store that the consumer may read: ranked, filtered, counted, a page at a time.
import { SEARCHES } from "../../../db/client";
import type { Consumer, Ctx } from "../../context";
import { unavailable } from "../../errors";
import { perClient } from "../coalesce";
import { decodeCursor, encodeCursor } from "../cursor";
import { seen } from "../fold";
import { turns } from "../turns";
import { type Card, card } from "./card";
import { type Facet, facetsOf } from "./facets";
import type { Filters } from "./filters";
import { asksForAll } from "./function-words";
import { fieldsLeftOut, meantOtherwise, priceLeftOut, withoutFields, withoutPrice } from "./meant-otherwise";
import { info, type Message } from "./messages";
import type { Place, Sort } from "./order";
import { type Read, type Reading, read, readBest } from "./readings";
import { remarks } from "./remarks";

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

/** Enough that the connections of searches have work. Who waits for as long as a caller does has been answered: 503. */
const inTurn = perClient(() =>
  turns(2 * SEARCHES.max, undefined, {
    ms: SEARCHES.settings.statement_timeout,
    error: () => unavailable(new Error("too many searches at once")),
  }),
);

/**
 * The best matches first.
 * @throws DomainError invalid_arguments for another query's cursor; cursor_invalid; store_not_available when none of
 *   `storeIds` may be read; unavailable when too many others go before it
 */
export const search = (caller: Ctx<Consumer>, given: Search): Promise<SearchAnswer> =>
  inTurn(caller.searches)(() => searched(caller, given));

async function searched(caller: Ctx<Consumer>, given: Search): Promise<SearchAnswer> {
  const ctx = { ...caller, sql: caller.searches };
  const typed = given.query && seen(given.query).trim();
  const { query: plain = typed, filters: fields = [] } = typed ? withoutFields(typed) : {};
  const { query = plain, prices = [] } = plain ? withoutPrice(plain) : {};
  const isOfAll = query !== undefined && asksForAll(query);
  const input = { ...given, query: isOfAll || (query === "" && prices.length > 0) ? undefined : query };
  const at = cursorOf(ctx, input);
  if (at) return present(ctx, input, { reading: at, found: await read(ctx, input, at), messages: [] });
  const best = await readBest(ctx, input);
  const told = isOfAll ? [ofAll(query), ...meantOtherwise({ ...input, query }, false)] : best.messages;
  if (prices.length > 0) told.push(priceLeftOut(prices, input));
  if (fields.length > 0) told.push(fieldsLeftOut(fields));
  return present(ctx, input, { ...best, messages: [...told, ...(await remarks(ctx, input, best))] });
}

const ofAll = (query: string): Message =>
  info(
    "query_left_out",
    `"${query}" names no product: these are all that there are. Name one, or see list_categories.`,
    "query",
  );

/** Another one once matches come in another order: a cursor of a release before would repeat some, or pass over them. */
const ORDER = 9;

/** What a cursor is bound to: all that decides which products come, in which order. */
const bound = ({ query, storeIds, filters, context, sort, cursor }: Search) => ({
  order: ORDER,
  query,
  storeIds,
  filters,
  context,
  sort,
  cursor,
});

function cursorOf(ctx: Ctx<Consumer>, input: Search): Reading | undefined {
  const key = decodeCursor(ctx, bound(input), [
    "string?",
    "boolean",
    "string?",
    "number?",
    "boolean",
    "number",
    "number",
    "number",
    "number",
  ]);
  if (!key) return undefined;
  const [mended, loose, kind, rungs, wide, ...place] = key as [
    string | null,
    boolean,
    string | null,
    number | null,
    boolean,
    ...Place,
  ];
  const only = { kind: kind ?? undefined, rungs: rungs ?? undefined };
  return { text: mended ?? input.query ?? null, loose, only, wide, after: place };
}

function present(ctx: Ctx<Consumer>, input: Search, { reading, found, messages }: Read): SearchAnswer {
  const rows = found.rows.slice(0, input.limit);
  const hasNextPage = found.rows.length > input.limit;
  const mended = reading.text === (input.query ?? null) ? null : reading.text;
  const cursorAfter = (count: number) => {
    const { k1, k2, k3, id } = rows[count - 1]!;
    const { kind = null, rungs = null } = reading.only ?? {};
    return encodeCursor(ctx, bound(input), [mended, reading.loose, kind, rungs, found.wide, k1, k2, k3, id]);
  };
  const exact = !found.wide && found.total <= 10_000;
  return {
    products: rows.map((row) => card(row, ctx.actor, input.context?.language)),
    hasNextPage,
    nextCursor: hasNextPage ? cursorAfter(rows.length) : undefined,
    cursorAfter,
    totalCount: exact ? found.total : undefined,
    facets: facetsOf(found.facets, !exact, input.context?.language),
    messages,
  };
}
