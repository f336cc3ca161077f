// How well a query's words fit a product: rungs from the best to the least, each with all that the ones before it have.
import type { Sql } from "../../../db/client";
import { constant } from "../../../db/compose";
import type { Fragment } from "./card";
import { called, elsewhere, inEach, inEnglish, kinds, orCalled, titled, tsquery } from "./tsquery";
import { type Asked, all, ask, closest, none, some, spoken, widened } from "./words";

export interface Ladder {
  /** SQL conditions on `products p`, for the index; the last one is what it takes to be found. */
  rungs: Fragment[];
  /** Which of the rungs are told apart where products are counted, and not shown: the others take twice the reading. */
  counted: number[];
  /** SQL: the number of the first rung that `p`, which is on the last one, stands on. */
  rung: Fragment;
  /** SQL: whether there is a word that is more than "the" or "of". */
  searchable: Fragment;
  /** SQL: greater where the words stand closer together, and in less text. */
  rank: Fragment;
}

/** Narrows a ladder down, for an order other than relevance. */
export interface Only {
  /** A word of the query: only products that are filed as, or called, the kind that it names. */
  kind?: string | undefined;
  /** Only so many of the rungs, the best ones; negative: all but so many, as `slice` has it. */
  rungs?: number | undefined;
}

/** @param loose any of the words will do, and the first says most of what is meant */
export function ladderOf(sql: Sql, asked: Asked, loose: boolean, only: Only = {}): Ladder {
  // An identifier is called nothing else.
  const wide = asked.code ? undefined : widened(asked);
  const texts = loose ? some(wide ?? asked) : [all(asked)];
  const most = texts.at(-1)!;
  const words = tsquery(sql, most);
  const unwanted = none(asked);
  const clean = unwanted ? sql`and not p.search @@ ${tsquery(sql, unwanted)}` : sql``;
  const kind =
    only.kind === undefined ? sql`` : sql`and p.title_search @@ ${called(sql, sql`${spoken(ask(only.kind))}`)}`;
  const { steps, counted, rung } = loose
    ? loosely(sql, wide ?? asked, texts)
    : strictly(sql, asked, words, wide && orCalled(sql, most, all(wide), spoken(wide)));
  const rungs = steps.slice(0, only.rungs).map((step) => sql`(${step} ${kind} ${clean})`);
  return {
    rungs,
    // The last that is left is counted as the last of all would be.
    counted: [...new Set([...counted.filter((i) => i < rungs.length), rungs.length - 1])],
    rung,
    searchable: sql`numnode(${words}) > 0`,
    rank: rankOf(sql, wide && !loose ? all(wide) : most),
  };
}

/** For `ts_rank`: divided by the logarithm of the number of different words. Variants add few of these. */
const BY_UNIQUE_WORDS = 16;

/** What has stems of another language too has twice the words, of which PostgreSQL takes the logarithm. */
const TWICE_AS_LONG = 1.25;

function rankOf(sql: Sql, text: string): Fragment {
  // A twentieth for what is not the title: each variant says it again, and what is said often enough is as good as a title.
  const rank = (query: Fragment) =>
    sql`ts_rank('{0, 0, 0.05, 1}', p.title_search, ${query}, ${constant(sql, BY_UNIQUE_WORDS)})`;
  const [english, other] = [inEnglish(sql, text), elsewhere(sql, text)];
  // Each language by itself: PostgreSQL divides by how many are asked for together, which changes with other stores.
  const best = sql`(select max(${rank(sql`query`)}) from unnest(${inEach(sql, text)}) query)`;
  return sql`round(10000 * case when ${other} is null or not p.title_search @@ ${other} then ${rank(english)}
    else ${constant(sql, TWICE_AS_LONG)} * greatest(${rank(english)}, ${best}) end)::int`;
}

/** What each rung takes, and which one a product that is on the last stands on: told by what is read anyway, in few comparisons. */
interface Steps extends Pick<Ladder, "counted" | "rung"> {
  steps: Fragment[];
}

/**
 * This very title or identifier; all words in the title, small ones too, of a thing that is of the kind asked for; of any
 * other; without the small words; in title, brand and category, of that kind; of any other; of a thing that is called otherwise;
 * anywhere.
 * @param widely the words of what is called otherwise, too, where there is such
 */
function strictly(sql: Sql, asked: Asked, words: Fragment, widely = words): Steps {
  const titles = asked.titles.map((title) => sql`p.title_key = ${title}`);
  const isTitle = titles.reduce((left, right) => sql`${left} or ${right}`);
  const isIt = sql`(${isTitle} ${asked.code ? sql`or p.search @@ ${tsquery(sql, asked.code.query)}` : sql``})`;
  const isOfKind = sql`p.title_search @@ ${kinds(sql, sql`${spoken(asked)}`)}`;
  const ways = asked.preferred.length > 0 ? [closest, all] : [all];
  const inIndex = ways.map((query) => sql`ts_filter(p.title_search, '{a}') @@ ${tsquery(sql, query(asked))}`);
  const [best, ...others] = ways.map((query) => sql`p.title_search @@ ${tsquery(sql, query(asked, ":A"))}`);
  const inTitleSearch = sql`p.title_search @@ ${words}`;
  const ofKindSomewhere = sql`${isOfKind} and ${inTitleSearch}`;
  const otherwise = widely === words ? [] : [sql`p.title_search @@ ${widely}`];
  const steps = [
    sql`${isIt} and p.search @@ ${words}`,
    sql`${isOfKind} and ${inIndex[0]!}`,
    ...inIndex,
    sql`(${inIndex.at(-1)!} or ${ofKindSomewhere})`,
    // In another order than the best first this is the last that counts, and an identifier stands in no title.
    asked.code ? sql`(${inTitleSearch} or p.search @@ ${tsquery(sql, asked.code.query)})` : inTitleSearch,
    ...otherwise,
    sql`p.search @@ ${widely}`,
  ];
  return {
    steps,
    counted: [0, inIndex.length + 1, steps.length - 2, steps.length - 1],
    rung: sql`case when ${isIt} then 0 when ${best!} then case when ${isOfKind} then 1 else 2 end
      else ${firstOf(sql, 3, [...others, ofKindSomewhere, inTitleSearch, ...otherwise, sql`true`])} end`,
  };
}

/** The last rung of what has as many words as any, and the first of them in title, brand or category: of `loosely`. */
export const TELLING_RUNG = 2;

/**
 * As `some` has it: of what has all but one, and of what has no more than any one, what has the first in title, brand or category
 * comes before others, and before that what is of the kind that it names; of what has all but one first what is called so as well.
 */
function loosely(sql: Sql, asked: Asked, texts: string[]): Steps {
  const first = { ...asked, wanted: asked.wanted.slice(0, 1), preferred: [] };
  const sizes = texts.map((text) => sql`p.search @@ ${tsquery(sql, text)}`);
  const hasFirst = sql`p.title_search @@ ${tsquery(sql, all(first))}`;
  const isOfKind = sql`${hasFirst} and p.title_search @@ ${kinds(sql, sql`${spoken(first)}`)}`;
  const itself = [sql`${isOfKind} and p.title_search @@ ${titled(sql, sql`${spoken(first)}`)}`, isOfKind, hasFirst];
  const [most, any] = [sizes[0]!, sizes.at(-1)!];
  if (sizes.length === 1)
    return { steps: [...itself, any], counted: [TELLING_RUNG + 1], rung: firstOf(sql, 0, [...itself, any]) };
  const better = [...itself.map((also) => sql`${most} and ${also}`), ...sizes.slice(0, -1)];
  const least = sizes.at(-2)!;
  return {
    steps: [...better, sql`(${least} or ${isOfKind})`, sql`(${least} or ${hasFirst})`, any],
    counted: [...sizes.slice(1).map((_, i) => TELLING_RUNG + 1 + i), better.length + 2],
    rung: firstOf(sql, 0, [...better, isOfKind, hasFirst, any]),
  };
}

/** SQL: the number of the first of these that holds, from `from` on; the last one always does. */
function firstOf(sql: Sql, from: number, conditions: Fragment[]): Fragment {
  const last = conditions.length - 1;
  const better = conditions.slice(0, last).map((holds, i) => sql`when ${holds} then ${constant(sql, from + i)}`);
  return sql`case ${better.reduce((left, right) => sql`${left} ${right}`)} else ${constant(sql, from + last)} end`;
}
