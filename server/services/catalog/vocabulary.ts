// What the catalogue that a consumer may read knows of single words, whatever filters there are: for queries that find nothing.
import { constant } from "../../../db/compose";
import type { Consumer, Ctx } from "../../context";
import type { Fragment } from "./card";
import { passes, reachOf } from "./filters";
import { allowed, sampleOf } from "./find";
import { SLICES } from "./marks";
import { kinds, tsquery } from "./tsquery";
import { all, ask, spoken } from "./words";

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

/** About how many of the products that the consumer may read have each of these words, up to 3,200, and whether any is of that kind. */
export async function frequencies(
  ctx: Ctx<Consumer>,
  words: readonly string[],
  storeIds?: readonly string[],
): Promise<{ having: number; isKind: boolean }[]> {
  const { sql } = ctx;
  const passing = passes(ctx, {}, await reachOf(ctx, storeIds));
  const about = (takes: Fragment, most: number) => sql`
    (select coalesce(nullif(count(*), 0) * ${constant(sql, SLICES)}, (select count(*) from products p where ${takes}))::int
    from (${sampleOf(ctx, takes, most)}) sampled)`;
  return sql`
    with ${allowed(ctx, { storeIds })}
    select ${about(sql`${passing} and p.search @@ ${tsquery(sql, sql`word.query`)}`, MOST_SAMPLED)} as having,
      ${about(sql`${passing} and p.title_search @@ ${kinds(sql, sql`word.spoken`)}`, 0)} > 0 as "isKind"
    from jsonb_to_recordset(${sql.json(words.map(ask).map((asked, n) => ({ n, query: all(asked), spoken: spoken(asked) })))})
      word (n int, query text, spoken text) order by word.n`;
}
