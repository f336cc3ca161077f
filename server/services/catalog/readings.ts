// How a query is read: as it is typed; where that finds nothing, or little and that by the way, as its words are written
// in the catalogue, with its spelling mended, and then loosely. An answer says so.
import type { Consumer, Ctx } from "../../context";
import { storeNotAvailable } from "../coverage";
import { fold, searchable } from "../fold";
import { isDimension } from "./dimensions";
import { type Found, find } from "./find";
import { countsThings, isWearer, withoutFunctionWords, withSmallWordsApart } from "./function-words";
import { type Only, TELLING_RUNG } from "./ladder";
import { info, type Message } from "./messages";
import { GONE_RUNGS, type Place } from "./order";
import { isQuoted, unwanted } from "./quoted";
import type { Search } from "./search";
import { mend } from "./spelling";
import { kindIn, tellingFirst } from "./telling";
import { firstFound, lackedBy } from "./vocabulary";
import { ask, widened } from "./words";

/** How a query is taken; a cursor keeps it for the pages to come. */
export interface Reading {
  text: string | null;
  /** Any of the words will do. */
  loose: boolean;
  only?: Only | undefined;
  wide?: boolean;
  after?: Place;
}

export interface Read {
  reading: Reading;
  found: Found;
  messages: Message[];
  /** Where it is read loosely: how many match all of the words, and pass the filters. */
  strictly?: number;
  /** Words of the query that no product has. */
  unknown?: string[];
  /** Where nothing is found in any way: the words as the catalogue may have them, and what is to be said of them. */
  instead?: { text: string; messages: Message[] };
}

/** @throws DomainError store_not_available when none of the stores asked for may be read */
export async function read(ctx: Ctx<Consumer>, input: Search, reading: Reading): Promise<Found> {
  const { text, ...how } = reading;
  const { storeIds, filters = {}, context, sort, limit } = input;
  const currency = filters.price?.currency ?? context?.currency;
  const asked = text === null ? null : ask(text);
  const found = await find(ctx, { asked, ...how, storeIds, filters, sort, currency, limit });
  if (storeIds && found.stores === 0) throw storeNotAvailable();
  return found;
}

/** The first page, read in the way that finds most of what is meant. */
export async function readBest(ctx: Ctx<Consumer>, input: Search): Promise<Read> {
  const typed = await readSorted(ctx, input, { text: input.query ?? null, loose: false });
  if (!typed.found.searchable || !isPoor(typed)) return typed;
  const whole = typed.found.total > 0 && isFiltered(input) ? await readWhole(ctx, input) : undefined;
  return whole && isSame(whole, typed.reading) ? typed : readAgain(ctx, input, typed, whole);
}

/** How the query is read without the filters. What passes them of that is all that is meant, as facets have counted it. */
const readWhole = async (ctx: Ctx<Consumer>, input: Search): Promise<Reading> =>
  (await readBest(ctx, { ...input, filters: undefined })).reading;

const isSame = (one: Reading, other: Reading): boolean => one.text === other.text && one.loose === other.loose;

const isFiltered = ({ filters = {} }: Search): boolean => Object.values(filters).some((filter) => filter !== undefined);

/** Is there nothing but what can never be had again? In every order that comes last. */
const isGone = ({ rows }: Found): boolean => rows[0]?.availability === "discontinued";

/**
 * In any other order than the best first, what only mentions the words would come between, and before: the cheapest "tent"
 * would be a bag of coffee. So only what is of the kind that is asked for counts there, or else what has the words in title, brand or
 * category, as long as there is anything that can be had.
 */
async function readSorted(ctx: Ctx<Consumer>, input: Search, reading: Reading): Promise<Read> {
  let gone: Read | undefined;
  if (reading.text !== null && input.sort !== "relevance") {
    const kind = await kindIn(ctx, reading.text, input.storeIds, reading.loose);
    for (const only of [...(kind ? [{ kind }] : []), { rungs: reading.loose ? TELLING_RUNG + 1 : -1 }]) {
      const narrow = { ...reading, only };
      const found = await read(ctx, input, narrow);
      if (found.total === 0) continue;
      const narrowly = { reading: narrow, found, messages: [narrowed(input, reading.text, only)] };
      if (!isGone(found)) return narrowly;
      gone ??= narrowly;
    }
  }
  const whole = { reading, found: await read(ctx, input, reading), messages: [] };
  return gone && (whole.found.total === 0 || isGone(whole.found)) ? gone : whole;
}

function narrowed({ sort }: Search, text: string, { kind }: Only): Message {
  const others = widened(ask(text)) ? ", or others for the same thing," : "";
  const what = kind ? `called or filed as "${kind}"` : `with the words${others} in title, brand or category`;
  const content = `Sorting by ${sort.replace(/_.*/, "")} covers only products ${what}. Sort by relevance to include products that merely mention the words.`;
  return info("sorted_within", content, "sort");
}

/** So few matches, and none that is called so or filed as that, are likely not what is meant. */
const FEW = 3;

function isPoor({ reading, found: { total, rung, rows } }: Read): boolean {
  const byTheWay = rung
    ? rung.first > rung.itself && rung.first !== rung.otherwise && !isOfBrand(reading, rows[0], rung)
    : reading.text !== null && reading.only === undefined;
  return total === 0 || (total <= FEW && byTheWay);
}

/** Has it all words in title, brand and category, and its whole brand is among them? What a brand has of a category is meant, whatever it is called. */
function isOfBrand(
  { text }: Reading,
  first: Found["rows"][number] | undefined,
  rung: { first: number; itself: number; otherwise?: number | undefined },
) {
  const words = new Set(searchable(text ?? "").split(" "));
  const brand = searchable(first?.brand ?? "");
  return (
    rung.first === (rung.otherwise ?? rung.itself) + 1 &&
    brand !== "" &&
    brand.split(" ").every((word) => words.has(word))
  );
}

/**
 * @param first what was found as typed
 * @param whole how the query is read without the filters, where these alone may leave so few
 * @returns `first` where there is nothing better
 */
async function readAgain(ctx: Ctx<Consumer>, input: Search, first: Read, whole?: Reading): Promise<Read> {
  const { query } = input;
  if (query === undefined) return first;
  const nothing = first.found.total === 0;
  const isBetter = (again: Read) =>
    again.found.total > 0 && (nothing || !isPoor(again) || (whole !== undefined && isSame(whole, again.reading)));
  const title = nothing ? await readAsTitle(ctx, input, query) : undefined;
  if (title) return title;
  const typed = withoutFunctionWords(query);
  if (typed !== query) {
    const again = await readSorted(ctx, input, { text: typed, loose: false });
    if (isBetter(again)) return again;
  }
  const mended = await mend(ctx, typed, input.storeIds, nothing);
  const messages: Message[] = [];
  if (mended) {
    const instead = mended.replaced.map(([from, to]) => `"${to}" instead of "${from}"`).join(", ");
    const content = `${nothing ? "Nothing" : "Almost nothing"} matches "${query}". Searched for ${instead}.`;
    const again = await readSorted(ctx, input, { text: mended.text, loose: false });
    messages.push(info("spelling_mended", content, "query"), ...again.messages);
    if (isBetter(again)) return { ...again, messages };
  }
  const model = nothing ? await readModel(ctx, input, typed) : undefined;
  if (model) return model;
  const instead = { text: (nothing && mended?.text) || typed, messages: nothing ? messages : [] };
  const loosely = await readLoosely(ctx, input, first, { ...instead, whole });
  return loosely ?? (nothing ? { ...first, instead } : first);
}

/** With fewer words, what stands behind a minus is a wish: not in red. */
const TITLE_WORDS = 4;

/** A title may have a dash right before a word, `Carrying Case -Black`: where a product is called so, that one is meant. */
async function readAsTitle(ctx: Ctx<Consumer>, input: Search, query: string): Promise<Read | undefined> {
  const dashed = query.match(unwanted);
  if (!dashed || isQuoted(query) || ask(query).wanted.length < TITLE_WORDS) return undefined;
  const again = await readSorted(ctx, input, { text: `"${query.replace(/["“”„«»]/g, " ")}"`, loose: false });
  if (again.found.total === 0) return undefined;
  const content = `Nothing matches without what stands behind a minus. Searched for the words as a title that has them all: "${dashed.join(" ")}" is no exclusion in it.`;
  return { ...again, messages: [info("query_is_title", content, "query"), ...again.messages] };
}

/** `HA53602`, `MLT-D116L`: letters and digits, and no measure such as `2000mah`. */
const isModel = (word: string): boolean => {
  const plain = word.replace(/[-./]/g, "");
  return (
    /^(?=.*\p{L})[\p{L}\p{N}]{5,}$/u.test(plain) &&
    plain.replace(/\P{N}/gu, "").length >= 3 &&
    !/^\p{N}+\p{L}+$/u.test(plain) &&
    !isDimension(word)
  );
};

/** What has a model's number that stands in the query is meant, whatever other words it lacks: a "HA53602 drill bit". */
async function readModel(ctx: Ctx<Consumer>, input: Search, text: string): Promise<Read | undefined> {
  const models = isQuoted(text) ? [] : text.split(/\s+/).filter(isModel);
  if (models.length === 0) return undefined;
  const [model] = await firstFound(ctx, [models], input.storeIds);
  if (model === undefined) return undefined;
  const again = await readSorted(ctx, input, { text: model, loose: false });
  if (again.found.total === 0 || again.found.total > FEW_AMONG) return undefined;
  const content = [`${fewOf(0, input)}; these have "${model}".`, ...(await missingIn(ctx, text, [], again.found))].join(
    " ",
  );
  return { ...again, messages: [info("query_relaxed", content, "query"), ...again.messages] };
}

/** Where the few that have all of the words are looked for among those that have some. */
const FEW_AMONG = 50;

/** Are the loose matches better than the few that have all words? Yes if the best of them, and none of the few, are as much what the telling word says. */
function isMeant(few: Read, loose: Read): boolean {
  const { rung, rows } = loose.found;
  if (!rung) return loose.reading.only !== undefined;
  if (rung.first > rung.itself) return false;
  const best = new Set(rows.filter(({ k1 }) => k1 % GONE_RUNGS === rung.first).map(({ id }) => id));
  return !few.found.rows.some(({ id }) => best.has(id));
}

async function readLoosely(
  ctx: Ctx<Consumer>,
  input: Search,
  first: Read,
  { text, messages, whole }: NonNullable<Read["instead"]> & { whole: Reading | undefined },
): Promise<Read | undefined> {
  const apart = withSmallWordsApart(text);
  if (apart === text && ask(text).wanted.length < 2) return undefined;
  const { text: telling, unknown, isThing } = await tellingFirst(ctx, apart, input.storeIds);
  if (isLittleElse(apart, unknown)) return undefined;
  const { total } = first.found;
  const again = await readSorted(
    ctx,
    { ...input, limit: Math.max(input.limit, FEW_AMONG) },
    { text: telling, loose: true },
  );
  if (again.found.total === 0 || (total > 0 && !whole?.loose && !(isThing && isMeant(first, again)))) return undefined;
  const content = [
    `${fewOf(total, input)}; these match some of the words${input.sort === "relevance" ? ", the thing itself first" : ""}.`,
    ...(await missingIn(ctx, telling, unknown, again.found)),
  ].join(" ");
  const told = [...messages, info("query_relaxed", content, "query"), ...again.messages];
  return { ...again, messages: told, strictly: total, unknown };
}

/** Is there nothing beside words that no product has but numbers, and whom a thing is for? Whatever has a "2" is no "Zelt 2", nor what is for men a kilt. */
function isLittleElse(text: string, unknown: readonly string[]): boolean {
  const nowhere = new Set(unknown.map(fold));
  const others = ask(text)
    .wanted.flatMap(({ words }) => words)
    .filter((word) => !nowhere.has(word));
  return unknown.length > 0 && others.every((word) => /^\p{N}+$/u.test(word) || isWearer(word) || countsThings(word));
}

/** @param total how many match all that is asked for */
function fewOf(total: number, input: Search): string {
  if (total > 0)
    return `Only ${total} ${total === 1 ? "product has" : "products have"} all of the words, and not all of them in the title`;
  return `No product has all of the words${isFiltered(input) ? " and passes the filters" : ""}`;
}

/** Which words were left out, for the first product or for all. @param unknown those that no product has */
async function missingIn(ctx: Ctx<Consumer>, text: string, unknown: string[], { rows }: Found): Promise<string[]> {
  const nowhere = new Set(unknown.map(fold));
  const lacked = (await lackedBy(ctx, text, rows[0]!.id)).filter((word) => !nowhere.has(word));
  const quoted = (words: readonly string[]) => words.map((word) => `"${word}"`).join(", ");
  return [
    ...(unknown.length > 0 ? [`No product here has ${quoted(unknown)}.`] : []),
    ...(lacked.length > 0 ? [`The first one lacks ${quoted(lacked)}.`] : []),
  ];
}
