// What an agent should know about an answer's first page, and what to do where it is empty.
import type { Consumer, Ctx } from "../../context";
import { money } from "../money";
import { attributeName } from "./attributes";
import type { Filters } from "./filters";
import type { Found } from "./find";
import { meantOtherwise } from "./meant-otherwise";
import { info, type Message, warning } from "./messages";
import { inOwnCurrency } from "./offered";
import type { Sort } from "./order";
import { type Read, read } from "./readings";
import type { Search } from "./search";
import { attributesOf, languagesOf } from "./vocabulary";
import { ask, mayBeId, widened } from "./words";

/** The messages of a first page, but for those of its reading. */
export async function remarks(ctx: Ctx<Consumer>, input: Search, best: Read): Promise<Message[]> {
  const { storeIds } = input;
  const { found } = best;
  const messages: Message[] = [];
  if (!found.searchable)
    messages.push(
      warning("query_without_words", "The query has no searchable word. Name the product in plain words.", "query"),
    );
  messages.push(...preferredOf(best), ...calledOtherwise(best));
  if (storeIds && found.stores < new Set(storeIds).size)
    messages.push(
      warning(
        "store_not_available",
        "Some of these stores are not available to you; the others were searched. Use store_ids from list_stores.",
        "store_ids",
      ),
    );
  messages.push(...currenciesIn(input, found));
  const language = storeIds && best.unknown?.length ? languageHint(await languagesOf(ctx, storeIds)) : "";
  if (language) messages.push(info("store_language", language.trim(), "query"));
  messages.push(...meantOtherwise(input, found.total === 0 || best.reading.loose));
  return [...messages, ...(await (found.total > 0 ? filteredOut : ofNothing)(ctx, input, best))];
}

/** Where amounts are compared: that they are of several currencies, or not of the one that the caller thinks in. */
function currenciesIn({ filters = {}, context, sort }: Search, { currencies }: Found): Message[] {
  const compares = filters.price !== undefined || sort.startsWith("price");
  if (!compares || filters.price?.currency) return [];
  const meant = inOwnCurrency(filters) ? context?.currency : undefined;
  const isOther = meant !== undefined && currencies.some((currency) => currency !== meant);
  if (currencies.length < 2 && !isOther) return [];
  const taken = isOther ? ` filters.price was taken as each store's own currency, not as ${meant}.` : "";
  return [
    warning(
      "currency_differs",
      `These products are priced in ${currencies.join(", ")}, and amounts are not converted.${taken} Set filters.price.currency to compare within one currency.`,
      "filters.price.currency",
    ),
  ];
}

/** The rungs on which titles have the small words, too: `strictly` in ladder.ts. */
const LAST_PREFERRED = 2;

function preferredOf({ reading: { text, loose }, found: { rung } }: Read): Message[] {
  const words = ask(text ?? "").preferred.flatMap((term) => term.words);
  if (words.length === 0 || loose || !rung || rung.first > LAST_PREFERRED) return [];
  const content = `Products with ${words.map((word) => `"${word}"`).join(", ")} in the title come first; others follow. To find only those, quote it together with the word beside it.`;
  return [info("words_preferred", content, "query")];
}

/** Where all that is called as was asked is nowhere, and the first is what is called otherwise: `strictly` in ladder.ts. */
function calledOtherwise({ reading: { text, loose }, found: { rung } }: Read): Message[] {
  const wide = loose ? undefined : widened(ask(text ?? ""));
  if (!wide || !rung || rung.first !== rung.otherwise) return [];
  const said = new Set(wide.wanted.flatMap(({ words }) => words));
  const others = new Set(
    wide.wanted
      .flatMap(({ others = [] }) => others)
      .filter((saying) => saying.length === 1 || saying.some((word) => !said.has(word)))
      .map((saying) => `"${saying.join(" ")}"`),
  );
  const content = `Nothing is called so, or has all of the words in its title. The first ones are called otherwise: ${[...others].join(" or ")}.`;
  return [info("called_otherwise", content, "query")];
}

/** Of an answer without products: what keeps out those that have the words as they are typed, else as they may be meant. */
async function ofNothing(ctx: Ctx<Consumer>, input: Search, { instead }: Read): Promise<Message[]> {
  const asTyped = await keptOut(ctx, input);
  if (asTyped) return [asTyped];
  const isOther = instead && instead.text !== input.query;
  const otherwise = isOther && (await keptOut(ctx, { ...input, query: instead.text }));
  return otherwise ? [...instead.messages, otherwise] : [await noMatches(ctx, input)];
}

/** By which filters all that has the words is kept out, if it is. */
async function keptOut(ctx: Ctx<Consumer>, input: Search): Promise<Message | undefined> {
  const { filters } = input;
  const others = filters?.price ? await otherCurrencies(ctx, input, filters) : [];
  if (others.length > 0)
    return warning(
      "currency_differs",
      `Nothing that matches is priced in ${filters?.price?.currency ?? "the store's own currency"}; there are matches in ${others.join(", ")}. Amounts are not converted: set filters.price.currency to search those.`,
      "filters.price.currency",
    );
  const ways = await waysOut(ctx, input, 0);
  return ways.length > 0 ? info("no_matches", `Nothing matches. ${ways.join(" ")}`, "filters") : undefined;
}

/** In which currencies there are matches, where there are none in the one asked for, at whatever price. */
async function otherCurrencies(ctx: Ctx<Consumer>, input: Search, filters: Filters): Promise<string[]> {
  const { currencies } = await readWith(ctx, input, { ...filters, price: undefined });
  const isPriceAtFault = currencies.length > 0 && (await readWith(ctx, input, without(filters, "price"))).total > 0;
  return isPriceAtFault ? [] : currencies;
}

/** The filters but for one; prices stay in the currency that they are asked for in: `filters.price.currency`, else each store's own. */
const without = (filters: Filters, name: keyof Filters): Filters => {
  const { currency } = filters.price ?? {};
  return { ...filters, [name]: name !== "price" ? undefined : currency ? { currency } : { min: 0 } };
};

/** All words of the query, with other filters; one product is enough. */
const readWith = (ctx: Ctx<Consumer>, input: Search, filters: Filters, sort: Sort = "relevance"): Promise<Found> =>
  read(ctx, { ...input, filters, sort, limit: 1 }, { text: input.query ?? null, loose: false });

const givenIn = (filters: Filters = {}): (keyof Filters)[] =>
  (Object.keys(filters) as (keyof Filters)[]).filter((name) => filters[name] !== undefined);

/** Of an answer that has some of the words: the filters that keep out what has all of them. */
async function filteredOut(ctx: Ctx<Consumer>, input: Search, { reading, strictly }: Read): Promise<Message[]> {
  if (strictly === undefined || reading.text === null) return [];
  const ways = await waysOut(ctx, { ...input, query: reading.text }, strictly);
  if (ways.length === 0) return [];
  return [info("filters_exclude", `More products have all of the words. ${ways.join(" ")}`, "filters")];
}

/** What leaving out each of the filters would bring, where that is more than there is; else what leaving out all would. */
async function waysOut(ctx: Ctx<Consumer>, input: Search, total: number): Promise<string[]> {
  const { filters = {} } = input;
  const given = givenIn(filters);
  const ways: string[] = [];
  for (const name of given) {
    const found = await readWith(ctx, input, without(filters, name));
    if (found.total > total) ways.push(await wayOut(ctx, input, name, found));
  }
  if (ways.length > 0 || given.length < 2) return ways;
  const found = await readWith(ctx, input, {});
  return found.total > total ? [`Without any filters, ${matching(found)}.`] : [];
}

async function noMatches(ctx: Ctx<Consumer>, input: Search): Promise<Message> {
  const { query, storeIds, filters } = input;
  if (query === undefined)
    return info("no_matches", "These stores have no products. Ask other stores, or all.", "store_ids");
  const inThese = storeIds ? languageHint(await languagesOf(ctx, storeIds)) : "";
  const even = givenIn(filters).length > 0 ? ", even without the filters" : "";
  const byId = mayBeId(ask(query))
    ? " Search does not find a product_id: give it to get_product with its store_id."
    : "";
  return info("no_matches", `Nothing matches${even}. Use fewer or other words.${byId}${inThese}`, "query");
}

const names = new Intl.DisplayNames("en", { type: "language" });

function languageHint({ languages, inAll }: Awaited<ReturnType<typeof languagesOf>>): string {
  if (languages.length === 0) return "";
  const named = languages.map((language) => names.of(language) ?? language).join(" and ");
  return inAll
    ? ` These stores write in ${named}. Search in the language of the store.`
    : ` Some of these stores write in ${named}. Search in the language of each store.`;
}

const MOST_NAMED = 8;
const facets = {
  brand: "brand",
  product_type: "category",
  google_product_category: "category",
  availability: "availability",
} as const;

const matching = ({ wide, total }: Found): string =>
  wide ? "more than 10,000 products match" : total === 1 ? "1 product matches" : `${total} products match`;

/** How many match without one of the filters, and with which values of it. */
async function wayOut(ctx: Ctx<Consumer>, input: Search, name: keyof Filters, found: Found): Promise<string> {
  const values = await valuesThere(ctx, input, name, found);
  const bounds = (["min", "max"] as const).filter((bound) => input.filters?.price?.[bound] !== undefined);
  const argument = name === "price" ? `price.${bounds.join(" and ")}` : name;
  return `Without filters.${argument}, ${matching(found)}${values ? ` (${values})` : ""}.`;
}

async function valuesThere(
  ctx: Ctx<Consumer>,
  input: Search,
  name: keyof Filters,
  { facets: rows, currencies }: Found,
): Promise<string | undefined> {
  const { filters = {}, query, storeIds, context } = input;
  const rest = without(filters, name);
  const listed = (values: readonly string[]) => values.slice(0, MOST_NAMED).join(", ");
  if (name === "price") {
    const sort = filters.price?.max === undefined ? "price_desc" : "price_asc";
    const [row] = (await readWith(ctx, input, rest, sort)).rows;
    if (!row) return undefined;
    const { amount, formatted } = money(row.sale_amount ?? row.price_amount, row.currency, context?.language);
    const within = currencies.length > 1 ? ` in ${row.currency}` : "";
    return `the ${sort === "price_asc" ? "cheapest" : "dearest"}${within} is ${formatted}, ${amount} in minor units`;
  }
  if (name === "attributes") {
    const asked = query === undefined ? null : ask(query);
    const there = await attributesOf(ctx, { asked, filters: rest, storeIds }, filters.attributes!);
    const names = new Set(filters.attributes!.map((attribute) => attributeName(attribute.name)));
    const isTwice = names.size < filters.attributes!.length;
    const lists = there.map(({ name, values }) => `${name}: ${listed(values)}`);
    return [...lists, ...(isTwice ? ["to take any of a name's values, give them in one list"] : [])].join("; ");
  }
  if (!(name in facets)) return undefined;
  const facet = facets[name as keyof typeof facets];
  const about = facet === "category" ? await aboutCategory(ctx, input, rest, filters[name as CategoryFilter]![0]!) : [];
  const values = [about, rows].map((of) => of.filter((row) => row.name === facet)).find((of) => of.length > 0) ?? [];
  // The facet has the merchants' own categories where there are any: that filter takes each of its values.
  const label = facet === "category" ? "filters.product_type" : facet;
  return values.length > 0 ? `${label}: ${listed(values.map(({ value }) => value))}` : undefined;
}

type CategoryFilter = "product_type" | "google_product_category";

/** The facets of what has the last name of a path in title, brand or category. */
async function aboutCategory(
  ctx: Ctx<Consumer>,
  input: Search,
  filters: Filters,
  path: string,
): Promise<Found["facets"]> {
  const text = [input.query, path.split(">").at(-1)].filter(Boolean).join(" ");
  const only = { rungs: -1 };
  const found = await read(ctx, { ...input, filters, sort: "relevance", limit: 1 }, { text, loose: false, only });
  return found.facets;
}
