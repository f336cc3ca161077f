// How well a query's words fit a product: rungs from the best to the least, each with all that the ones before it have.
import type { Sql } from "../../../db/client";
import { constant } from "../../../db/compose";
import type { Fragment } from "./card";
import { nounOf } from "./heads";
import {
  called,
  filed,
  filedOr,
  headed,
  inEach,
  inEnglish,
  elsewhere as inOthers,
  kinds,
  otherwiseCalled,
  surely,
  titled,
  tsquery,
} from "./tsquery";
import { type Asked, all, any, ask, closest, naming, none, some, spoken, widened } from "./words";

export interface Ladder {
  /** SQL: a CTE of one row with what kinds of things are asked for: these take long to tell, and the conditions read them again and again. */
  said: Fragment;
  /** SQL conditions on `products p`, for the index; the last one is what it takes to be found. */
  rungs: Fragment[];
  /** Which of the rungs are told apart where products are counted, and not shown: the others take twice the reading. */
  counted: number[];
  /** SQL: the number of the first rung that `p`, which is on the last one, stands on. */
  rung: Fragment;
  /** The last rung of what is surely meant: the thing itself, or a title with all words; of some of them `TELLING_RUNG`. */
  itself: number;
  /** That of what is called otherwise, if there is such. */
  otherwise?: number | undefined;
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
  const { said, steps, counted, itself, otherwise, rung } = loose
    ? loosely(sql, wide ?? asked, texts)
    : strictly(
        sql,
        asked,
        words,
        wide && otherwiseCalled(sql, all(wide), spoken(naming(wide, nounOf(asked.text)?.last))),
      );
  const rungs = steps.slice(0, only.rungs).map((step) => sql`(${step} ${kind} ${clean})`);
  return {
    said,
    rungs,
    // The last that is left is counted as the last of all would be.
    counted: [...new Set([...counted.filter((i) => i < rungs.length), rungs.length - 1])],
    itself,
    otherwise,
    rung,
    searchable: sql`numnode(${words}) > 0`,
    rank: rankOf(sql, loose ? any(wide ?? asked) : wide ? all(wide) : most),
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
  const [english, other] = [inEnglish(sql, text), inOthers(sql, text)];
  // Each language by itself: PostgreSQL divides by how many are asked for together, which changes with other stores.
  const best = sql`(select max(${rank(sql`query`)}) from unnest(${inEach(sql, text)}) query)`;
  return sql`round(10000 * case when ${other} is null or not p.title_search @@ ${other} then ${rank(english)}
    else ${constant(sql, TWICE_AS_LONG)} * greatest(${rank(english)}, ${best}) end)::int`;
}

/** What each rung takes, and which one a product that is on the last stands on: told by what is read anyway, in few comparisons. */
interface Steps extends Pick<Ladder, "said" | "counted" | "itself" | "otherwise" | "rung"> {
  steps: Fragment[];
}

/**
 * This very title or identifier. All words in the title, small ones too, of a thing that is of the kind asked for; where there are small
 * words, of any other. A thing that is called so or of that kind, the words in title, brand and category: what a thing is says more than
 * where its words stand. So where few enough match to look at each (`rung`), what is called so may have the other words anywhere. Any
 * other, the words in the title; what is called otherwise; any other, the words in title, brand and category; anywhere.
 * @param otherwise the words of what is called otherwise, where there is such
 */
function strictly(sql: Sql, asked: Asked, words: Fragment, otherwise: Fragment | undefined): Steps {
  const titles = asked.titles.map((title) => sql`p.title_key = ${title}`);
  const isTitle = titles.reduce((left, right) => sql`${left} or ${right}`);
  const isCode = asked.code && sql`p.search @@ ${tsquery(sql, asked.code.query)}`;
  const isIt = sql`(${isTitle} ${isCode ? sql`or ${isCode}` : sql``})`;
  const kind = sql`${spoken(asked)}`;
  const noun = nounOf(asked.text);
  const [isOfKind, isCalled] = ["kind", "called"].map(
    (name) => sql`p.title_search @@ (select ${sql(name)} from said)`,
  ) as [Fragment, Fragment];
  const has = sql`p.search @@ ${words}`;
  const inTitleSearch = sql`p.title_search @@ ${words}`;
  // One look-up: of two conditions one that is itself two is looked up in no index.
  const itsWords = sql`coalesce(kind || called, kind, called) && ${words}`;
  const itself = sql`p.title_search @@ (select ${itsWords} from said)`;
  const ways = asked.preferred.length > 0 ? [closest, all] : [all];
  const inIndex = ways.map((query) => sql`ts_filter(p.title_search, '{a}') @@ ${tsquery(sql, query(asked))}`);
  const [best, ...others] = ways.map((query) => sql`p.title_search @@ ${tsquery(sql, query(asked, ":A"))}`);
  const isOther = otherwise && sql`p.title_search @@ ${otherwise}`;
  const either = otherwise ? sql`(select ${words} || ${otherwise})` : words;
  const hasSmall = others.length > 0;
  const steps = [
    sql`${isIt} and ${has}`,
    sql`${isOfKind} and ${inIndex[0]!}`,
    ...(hasSmall ? [inIndex[0]!, sql`(${inIndex[0]!} or ${itself})`] : [itself]),
    sql`(${inIndex.at(-1)!} or ${itself})`,
    ...(otherwise
      ? [
          sql`(${inIndex.at(-1)!} or p.title_search @@ (select coalesce((${itsWords}) || ${otherwise}, ${otherwise}) from said))`,
        ]
      : []),
    // In another order than the best first this is the last that counts, and an identifier stands in no title.
    isCode ? sql`(${inTitleSearch} or ${isCode})` : sql`p.title_search @@ ${either}`,
    sql`p.search @@ ${either}`,
  ];
  const [itsOwn, inTitle, last] = hasSmall ? [3, 4, steps.length - 1] : [2, 3, steps.length - 1];
  const told = sql`(${isOfKind} or ${isCalled})`;
  // What is on the last has the words, but for what is called otherwise; and what is called by its only word has that in its title.
  const isElsewhere =
    noun && asked.wanted.length > 1
      ? sql`when ${isCalled} ${isOther ? sql`and ${has}` : sql``} then ${constant(sql, itsOwn)}`
      : sql``;
  const elsewhere = isOther ? sql`when ${isOther} then ${constant(sql, inTitle + 1)}` : sql``;
  return {
    said: sql`said as materialized (select ${asked.category ? filedOr(sql, kind, asked.category) : filed(sql, kind)} as kind,
      ${noun ? headed(sql, noun) : sql`null::tsquery`} as called)`,
    steps,
    counted: [0, 2, last - 1, last],
    itself: inTitle,
    otherwise: isOther && inTitle + 1,
    rung: sql`case when ${isIt} then 0
      when ${best!} then case when ${isOfKind} then 1 ${hasSmall ? sql`else 2` : sql`when ${isCalled} then ${constant(sql, itsOwn)} else ${constant(sql, inTitle)}`} end
      when ${inTitleSearch} then case when ${told} then ${constant(sql, itsOwn)}
        ${hasSmall ? sql`when ${others[0]!} then ${constant(sql, inTitle)}` : sql``} ${elsewhere} else ${constant(sql, last - 1)} end
      ${isElsewhere} ${elsewhere} else ${constant(sql, last)} end`,
  };
}

/** Of `loosely`: the last rung of what is the thing itself, or has as many of the words as any and that in title, brand or category. */
export const TELLING_RUNG = 2;

/**
 * Of what has all words but one (`some`) that comes first which is surely the thing that the first word names. Then the thing itself,
 * called so and filed as that, however few of the other words it has: what it is says more than they do. Then what has all but one, and
 * that word in title, brand or category; what is called so or filed as that; and all else by how many of the words it has.
 */
function loosely(sql: Sql, asked: Asked, texts: string[]): Steps {
  const first = { ...asked, wanted: asked.wanted.slice(0, 1), preferred: [] };
  const sizes = texts.map((text) => sql`p.search @@ ${tsquery(sql, text)}`);
  const words = tsquery(sql, all(first));
  const hasFirst = sql`p.title_search @@ ${words}`;
  const thing = sql`${spoken(first)}`;
  const said = sql`said as materialized (select ${surely(sql, thing)} as surely, ${called(sql, thing)} as whichever,
    ${kinds(sql, thing)} && ${titled(sql, thing)} as "both")`;
  const [isBoth, isSurely, isEither] = ["both", "surely", "whichever"].map(
    (name) => sql`p.title_search @@ (select ${sql(name)} from said)`,
  ) as [Fragment, Fragment, Fragment];
  const [most, one] = [sizes[0]!, sizes.at(-1)!];
  const itself = TELLING_RUNG;
  if (sizes.length === 1) {
    const steps = [sql`${hasFirst} and ${isBoth}`, sql`${hasFirst} and ${isEither}`, hasFirst, one];
    return { said, steps, counted: [3], itself, rung: firstOf(sql, steps) };
  }
  const better = sizes.slice(0, -1);
  // Of `x and (y or z)` x is looked up, and of `y or z` both; of two that are each an `and` neither is (decision 0093).
  const isFirst = sql`p.title_search @@ (select whichever && ${words} from said)`;
  const steps = [
    sql`${most} and ${hasFirst} and ${isSurely}`,
    sql`${hasFirst} and ${isSurely} and (${most} or ${isBoth})`,
    sql`${hasFirst} and (${most} or ${isBoth})`,
    sql`${hasFirst} and (${most} or ${isEither})`,
    ...better.map((size) => sql`(${size} or ${isFirst})`),
    sql`(${better.at(-1)!} or ${hasFirst})`,
    one,
  ];
  const conditions = [
    sql`${hasFirst} and ${isSurely} and ${most}`,
    sql`${hasFirst} and ${isBoth}`,
    sql`${hasFirst} and ${most}`,
    sql`${hasFirst} and ${isEither}`,
    ...better,
    hasFirst,
    one,
  ];
  return {
    said,
    steps,
    counted: [3, ...better.map((_, i) => 4 + i), steps.length - 1],
    itself,
    rung: firstOf(sql, conditions),
  };
}

/** SQL: the number of the first of these that holds; the last one always does. */
function firstOf(sql: Sql, conditions: readonly Fragment[]): Fragment {
  const last = conditions.length - 1;
  const better = conditions.slice(0, last).map((holds, i) => sql`when ${holds} then ${constant(sql, i)}`);
  return sql`case ${better.reduce((left, right) => sql`${left} ${right}`)} else ${constant(sql, last)} end`;
}
