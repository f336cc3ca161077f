// How well a query's words fit a product: rungs from the best to the least, each with all that the ones before it have.
import type { Sql } from "../../../db/client";
import { constant } from "../../../db/compose";
import type { Fragment } from "./card";
import { type Asked, all, closest, none, some, spoken } from "./words";

export interface Ladder {
  /** SQL conditions on `products p`, for the index; the last one is what it takes to be found. */
  rungs: Fragment[];
  /** SQL: the number of the first rung that `p`, which is on the last one, stands on. */
  rung: Fragment;
  /** SQL: whether there is a word that is more than "the" or "of". */
  searchable: Fragment;
  /** SQL: greater where the words stand closer together, and in less text. */
  rank: Fragment;
}

/** Evaluated once a statement, not once a row. */
const tsquery = (sql: Sql, text: string): Fragment => sql`(select to_tsquery('aisle_products', ${text}))`;

/** @param loose any of the words will do, and the first says most of what is meant */
export function ladderOf(sql: Sql, asked: Asked, loose: boolean): Ladder {
  const texts = loose ? some(asked) : [all(asked)];
  const words = tsquery(sql, texts.at(-1)!);
  const steps = loose ? loosely(sql, asked, texts) : strictly(sql, asked, words);
  const ofFound = loose ? looselyOfFound(sql, asked, steps) : strictlyOfFound(sql, asked, words);
  const unwanted = none(asked);
  const clean = unwanted ? sql`and not p.search @@ ${tsquery(sql, unwanted)}` : sql``;
  return {
    rungs: steps.map((step) => sql`(${step} ${clean})`),
    rung: firstOf(sql, ofFound),
    searchable: sql`numnode(${words}) > 0`,
    rank: sql`round(10000 * ts_rank(p.title_search, ${words}, 1))::int`,
  };
}

/**
 * This very title or identifier; all words in the title, small ones too, of a thing that is of the kind asked for; of any
 * other; without the small words; in title, brand and category; anywhere.
 */
const strictly = (sql: Sql, asked: Asked, words: Fragment): Fragment[] => [
  sql`${isIt(sql, asked)} and p.search @@ ${words}`,
  ...titles(sql, asked, (text) => sql`ts_filter(p.title_search, '{a}') @@ ${tsquery(sql, text)}`, ""),
  sql`p.title_search @@ ${words}`,
  sql`p.search @@ ${words}`,
];

/** The same for what is on the last one: told by what is read anyway, without a copy of the title's words. */
const strictlyOfFound = (sql: Sql, asked: Asked, words: Fragment): Fragment[] => [
  isIt(sql, asked),
  ...titles(sql, asked, (text) => sql`p.title_search @@ ${tsquery(sql, text)}`, ":A"),
  sql`p.title_search @@ ${words}`,
  sql`true`,
];

function titles(sql: Sql, asked: Asked, inTitle: (query: string) => Fragment, weight: string): Fragment[] {
  const best = inTitle(closest(asked, weight));
  const ofKind = sql`${best} and p.title_search @@ ${kinds(sql, sql`${spoken(asked)}`)}`;
  return asked.preferred.length > 0 ? [ofKind, best, inTitle(all(asked, weight))] : [ofKind, best];
}

/** SQL: any of these words, as the noun that a category is about (`headNouns` in feeds/search-text.ts): a tent, and no kit to mend one. */
export const kinds = (sql: Sql, words: Fragment): Fragment => sql`(
  select string_agg(quote_literal('=' || lexeme), ' | ')::tsquery from unnest(to_tsvector('aisle_products', ${words})))`;

const isIt = (sql: Sql, { title, code }: Asked): Fragment =>
  sql`(p.title_key = ${title} ${code ? sql`or p.search @@ ${tsquery(sql, code)}` : sql``})`;

/** All of the words but one, those with the first in title, brand or category before others; all but two … any one. */
function loosely(sql: Sql, asked: Asked, texts: string[]): Fragment[] {
  const steps = texts.map((text) => sql`p.search @@ ${tsquery(sql, text)}`);
  return [sql`${steps[0]!} and ${hasFirst(sql, asked)}`, ...steps];
}

const looselyOfFound = (sql: Sql, asked: Asked, steps: Fragment[]): Fragment[] =>
  steps.length > 2 ? steps : [hasFirst(sql, asked), sql`true`];

const hasFirst = (sql: Sql, { wanted }: Asked): Fragment =>
  sql`p.title_search @@ ${tsquery(sql, all({ wanted: wanted.slice(0, 1) }))}`;

function firstOf(sql: Sql, rungs: Fragment[]): Fragment {
  const better = rungs.slice(0, -1).map((rung, i) => sql`when ${rung} then ${constant(sql, i)}`);
  if (better.length === 0) return sql`0`;
  return sql`case ${better.reduce((left, right) => sql`${left} ${right}`)} else ${constant(sql, better.length)} end`;
}
