// What the catalogue that a consumer may read knows of single words, whatever filters there are: for queries that find nothing.
import { constant } from "../../../db/compose";
import type { Consumer, Ctx } from "../../context";
import { readable } from "../coverage";
import { attributeIn } from "../feeds/token";
import { fold } from "../fold";
import { toldLanguages } from "../store-languages";
import { attributeName } from "./attributes";
import type { Fragment } from "./card";
import { type Filters, passes, reachOf } from "./filters";
import { allowed, type Finding, pricesOf, sampleOf } from "./find";
import { ladderOf } from "./ladder";
import { SLICES } from "./marks";
import { inNounFirst, kinds, languages, titled, tsquery } from "./tsquery";
import { all, ask, spoken, widened } from "./words";

/** A word, and what a thing that it names is called besides. */
const widest = (word: string) => {
  const asked = ask(word);
  return widened(asked) ?? asked;
};

/**
 * Of each list the first word that any product has. A small part of a search: nothing is counted, and what comes after that
 * word is not looked for.
 */
export async function firstFound(
  ctx: Ctx<Consumer>,
  lists: readonly string[][],
  storeIds?: readonly string[],
): Promise<(string | undefined)[]> {
  const { sql } = ctx;
  const passing = passes(ctx, {}, await reachOf(ctx, storeIds));
  const takes = sql`${passing} and p.search @@ ${tsquery(sql, sql`word.query`)}`;
  // Nearly all that is anywhere is in the sample. What is not is rare and counted whole: asked for the first one alone,
  // PostgreSQL would go through the table instead of the index.
  const rows = await sql<{ found: number | null }[]>`
    with ${allowed(ctx, { storeIds })}
    select (select word.n::int from (select * from jsonb_array_elements_text(list.queries) with ordinality word (query, n) order by n) word
      where (select count(*) from (${sampleOf(ctx, takes, 0)}) sampled) > 0
        or (select count(*) from products p where ${takes}) > 0
      order by word.n limit 1) as found
    from jsonb_array_elements(${sql.json(lists.map((words) => words.map((word) => all(ask(word)))))}) with ordinality list (queries, n)
    order by list.n`;
  return rows.map(({ found }, i) => (found === null ? undefined : lists[i]![found - 1]));
}

const MOST_SAMPLED = 100;

export interface Frequency {
  /** About how many products have the word, up to 3,200. */
  having: number;
  /** How many of them have it in a language whose names begin with what they are about. */
  nounFirst: number;
  /** Whether any is of the kind that it names. */
  isKind: boolean;
  /** About how many have it in their titles, up to 3,200. */
  inTitle: number;
  /** Of how many the title is about it. */
  called: number;
}

/**
 * Of each of these words how often it is in what the consumer may read.
 * @param figures those to tell; each is a look-up of its own
 */
export async function frequencies<Figure extends keyof Frequency>(
  ctx: Ctx<Consumer>,
  words: readonly string[],
  figures: readonly Figure[],
  storeIds: readonly string[] | undefined,
): Promise<Pick<Frequency, Figure>[]> {
  const { sql } = ctx;
  const passing = passes(ctx, {}, await reachOf(ctx, storeIds));
  const about = (takes: Fragment, most: number) => sql`
    (select coalesce(nullif(count(*), 0) * ${constant(sql, SLICES)}, (select count(*) from products p where ${passing} and ${takes}))::int
    from (${sampleOf(ctx, sql`${passing} and ${takes}`, most)}) sampled)`;
  const columns = {
    having: () => sql`${about(sql`p.search @@ ${tsquery(sql, sql`word.query`)}`, MOST_SAMPLED)} as having`,
    nounFirst: () => sql`${about(sql`p.search @@ ${inNounFirst(sql, sql`word.query`)}`, MOST_SAMPLED)} as "nounFirst"`,
    isKind: () => sql`${about(sql`p.title_search @@ ${kinds(sql, sql`word.spoken`)}`, 0)} > 0 as "isKind"`,
    inTitle: () =>
      sql`${about(sql`ts_filter(p.title_search, '{a}') @@ ${tsquery(sql, sql`word.query`)}`, MOST_SAMPLED)} as "inTitle"`,
    called: () => sql`${about(sql`p.title_search @@ ${titled(sql, sql`word.spoken`)}`, MOST_SAMPLED)} as called`,
  };
  const told = figures.map((figure) => columns[figure]());
  return sql`
    with ${allowed(ctx, { storeIds })}
    select ${told.reduce((left, right) => sql`${left}, ${right}`)}
    from jsonb_to_recordset(${sql.json(words.map(widest).map((asked, n) => ({ n, query: all(asked), spoken: spoken(asked) })))})
      word (n int, query text, spoken text) order by word.n`;
}

/** As they stand in a text: `8.5` for the words 8 and 5. */
const asTyped = (words: readonly string[], text: string): string =>
  new RegExp(words.join("[^\\p{L}\\p{N}]*"), "u").exec(text)?.[0].replaceAll("_", " ") ?? words.join(" ");

/** Which words of a query a product does not have, folded. @param id of the product's row */
export async function lackedBy({ sql }: Ctx<Consumer>, text: string, id: number): Promise<string[]> {
  const typed = fold(text);
  const terms = ask(text).wanted.map((term, n) => ({
    n,
    word: asTyped(term.words, typed),
    query: all({ wanted: [term] }),
  }));
  const rows = await sql<{ word: string }[]>`
    with ${languages(sql)}
    select term.word from jsonb_to_recordset(${sql.json(terms)}) term (n int, word text, query text)
    cross join lateral (select ${tsquery(sql, sql`term.query`)} as query) asked join products p on p.id = ${id}
    where numnode(asked.query) > 0 and not p.search @@ asked.query order by term.n`;
  return [...new Set(rows.map(({ word }) => word))];
}

const MOST_READ = 1_000;

/**
 * What the attributes asked for are where the rest matches, as filters know them; where none has such an attribute, the
 * names that there are, under the name `attributes`.
 */
export async function attributesOf(
  ctx: Ctx<Consumer>,
  { asked, filters, storeIds }: Pick<Finding, "asked" | "filters" | "storeIds">,
  attributes: NonNullable<Filters["attributes"]>,
): Promise<{ name: string; values: string[] }[]> {
  const { sql } = ctx;
  const passing = passes(ctx, filters, await reachOf(ctx, storeIds), asked?.code);
  const ladder = asked && ladderOf(sql, asked, false);
  const rows = await sql<{ name: string; values: string[] }[]>`
    with ${allowed(ctx, { storeIds, filters })} ${ladder ? sql`, ${ladder.said}` : sql``}
    select name, array_agg(value order by count desc, value) as values from (
      select split_part(token, '=', 1) as name, substr(token, strpos(token, '=') + 1) as value, count(*) as count
      from (select p.tokens from products p ${pricesOf(ctx)} where ${passing} ${ladder ? sql`and ${ladder.rungs.at(-1)!}` : sql``} limit ${constant(sql, MOST_READ)}) found,
        unnest(found.tokens) token
      group by 1, 2) there
    where name not in ('brand', 'type', 'gcat', 'condition') group by name order by name`;
  const names = [...new Set(attributes.map(({ name }) => attributeName(name)))];
  const asThere = names.flatMap((name) => rows.filter((row) => row.name === name));
  if (asThere.length > 0) return asThere.map(({ name, values }) => ({ name: attributeIn(name), values }));
  return rows.length > 0 ? [{ name: "attributes", values: rows.map(({ name }) => attributeIn(name)) }] : [];
}

/** The languages beside English that these stores state, else that their products are written in, and whether each of the stores has one. */
export async function languagesOf(
  { sql, actor }: Ctx<Consumer>,
  storeIds: readonly string[],
): Promise<{ languages: string[]; inAll: boolean }> {
  const [found] = await sql<[{ languages: string[]; inAll: boolean }]>`
    select coalesce(array_agg(distinct language order by language) filter (where language is not null), '{}') as languages,
      coalesce(bool_and(language is not null), false) as "inAll"
    from stores s left join lateral (
      select lower(split_part(tag, '-', 1)) as language from unnest(${toldLanguages(sql)}) tag where tag ~* '^[a-z]{2,3}(-|$)'
    ) told on language <> 'en'
    where ${readable(sql, actor)} and s.id = any (${[...storeIds]}::uuid[])`;
  return found;
}
