// Words as PostgreSQL looks for them: in English, as all products are indexed, and in every other language that any store is
// indexed in (decision 0043). A statement with these has the CTE `languages`.
import type { Sql } from "../../../db/client";
import { nounFirst } from "../languages";
import type { Fragment } from "./card";
import { ask, spoken } from "./words";

/** SQL: the CTE `languages`, beside English. */
export const languages = (sql: Sql): Fragment => sql`
  languages as materialized (select array_agg(language) as codes from search_languages)`;

/** SQL: the text of a tsquery, read in all of them. Evaluated once a statement, not once a row. */
export const tsquery = (sql: Sql, text: Fragment | string): Fragment =>
  sql`(select product_query(${text}, codes) from languages)`;

/** SQL: the same in English alone. */
export const inEnglish = (sql: Sql, text: string): Fragment => sql`(select to_tsquery('aisle_products', ${text}))`;

/** SQL: the same in the others alone; null where there are none. */
export const elsewhere = (sql: Sql, text: string): Fragment => sql`(select other_query(${text}, codes) from languages)`;

/** SQL: the same in each of the others by itself, a tsquery[]. */
export const inEach = (sql: Sql, text: string): Fragment => sql`
  (select array(select other_query(${text}, array[code]) from unnest(codes) code) from languages)`;

/** SQL: the same in those alone whose names begin with what they are about; null where there are none. */
export const inNounFirst = (sql: Sql, text: Fragment): Fragment => sql`(
  select other_query(${text}, array(select code from unnest(codes) code where code = any (${[...nounFirst]}::text[]))) from languages)`;

/** SQL: any of these words, as the index has it with a mark before it (feeds/search-text.ts). @param lexeme SQL: the text of a tsquery */
const marked = (sql: Sql, words: Fragment, lexeme: Fragment): Fragment => sql`(
  select string_agg(${lexeme}, ' | ')::tsquery from languages, unnest(product_stems(${words}, codes)))`;

/** SQL: any of these words, as the noun that a category is about (`headNouns`): a tent, and no kit to mend one. */
export const kinds = (sql: Sql, words: Fragment): Fragment =>
  marked(sql, words, sql`quote_literal('=' || lexeme) || ' | ' || quote_literal('+' || lexeme)`);

/** SQL: the same, but no thing that may as well be another one of its category. */
export const filed = (sql: Sql, words: Fragment): Fragment => marked(sql, words, sql`quote_literal('=' || lexeme)`);

/** SQL: the same, or what is in a category of that name, as the text of a tsquery. */
export const filedOr = (sql: Sql, words: Fragment, category: string): Fragment => sql`(
  select coalesce(${filed(sql, words)} || ${tsquery(sql, category)}, ${tsquery(sql, category)}))`;

/** SQL: any of these words, as the noun that a title is about (`titleNouns`). */
export const titled = (sql: Sql, words: Fragment): Fragment => marked(sql, words, sql`quote_literal('~' || lexeme)`);

/** SQL: any of these words, as one or the other. */
export const called = (sql: Sql, words: Fragment): Fragment =>
  marked(
    sql,
    words,
    sql`quote_literal('=' || lexeme) || ' | ' || quote_literal('+' || lexeme) || ' | ' || quote_literal('~' || lexeme)`,
  );

/** SQL: the same, but no thing that may as well be another one of its category. */
export const surely = (sql: Sql, words: Fragment): Fragment =>
  marked(sql, words, sql`quote_literal('=' || lexeme) || ' | ' || quote_literal('~' || lexeme)`);

/** SQL: the last or the first of these words, as each language has its nouns, as the noun that a title is about. */
export const headed = (sql: Sql, { last, first }: { last: string; first: string }): Fragment => {
  if (last === first) return titled(sql, sql`${spoken(ask(last))}`);
  const isFirst = sql`code = any (${[...nounFirst]}::text[])`;
  return sql`(select string_agg(quote_literal('~' || lexeme), ' | ')::tsquery from languages, unnest(
    case when codes is null then product_stems(${spoken(ask(last))}, null)
      else product_stems(${spoken(ask(last))}, array(select code from unnest(codes) code where not ${isFirst}))
        || other_stems(${spoken(ask(first))}, array(select code from unnest(codes) code where ${isFirst})) end))`;
};

/** SQL: what has all of `text` where it is surely filed as, or called, one of these words. */
export const otherwiseCalled = (sql: Sql, text: string, words: string): Fragment => sql`(
  select product_query(${text}, codes) && ${surely(sql, sql`${words}`)} from languages)`;
