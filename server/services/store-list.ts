// The stores that a consumer may read, listed and searched.
import type { Consumer, Ctx } from "../context";
import type { Fragment } from "./catalog/card";
import { telling } from "./catalog/function-words";
import { written } from "./catalog/same-words";
import { readable } from "./coverage";
import { decodeCursor, encodeCursor } from "./cursor";
import { fold, searchable } from "./fold";
import { type Capability, capabilitiesOf } from "./store-capabilities";
import { toldLanguages } from "./store-languages";
import { meantBy } from "./store-words";

interface StoreListing {
  id: string;
  name: string;
  url: string;
  country: string;
  currency: string;
  /** Those that it states, else those that its products are found to be in. */
  languages: string[];
  categories: string[];
  capabilities: Capability[];
  is_demo: boolean;
}

interface ListStores {
  query?: string | undefined;
  country?: string | undefined;
  category?: string | undefined;
  limit: number;
  cursor?: string | undefined;
}

/**
 * SQL: has `text` all words of a query, as parts of its own, in whichever way their letters are written?
 * @param before what must stand before each: a blank where words of the text are to begin with them
 */
function hasAll(sql: Ctx["sql"], query: string, text: Fragment, before: "" | " " = ""): Fragment {
  // Of what is drawn as nothing every text has a part.
  if (fold(query) === "") return sql`false`;
  const words = query
    .normalize("NFC")
    .split(/\s+/)
    // Of an address what tells it from others.
    .map((word) => word.replace(/^(https?:\/\/)?(www\.)?|[/,;]+$|[™℠®©]/gi, "") || word);
  // Escaped once it is plain: that makes "%" of a full-width one, too.
  const patterns = sql`select ${`%${before}`} || regexp_replace(${plain(sql, sql`word`)}, '([\\\\%_])', '\\\\\\1', 'g') || '%'
    from unnest(${words}::text[]) word`;
  return whereOnce(sql, text, (once) => sql`${plain(sql, once)} like all (array(${patterns}))`);
}

/** SQL: has `text` words with the stems of all words of a query, in whichever way these are spelled: "camping" those of `Camp Cooking`? */
function hasStems(sql: Ctx["sql"], query: string, text: Fragment): Fragment {
  const words = telling(searchable(query).split(" "));
  // Any other sign is to be there as it is.
  if (words.join("") === "" || /[^\p{L}\p{M}\p{N}\s&'’,()/-]/u.test(query)) return sql`false`;
  const spelled = sql.json(words.map((word, n) => ({ n, forms: written(word).join(" ") })));
  const patterns = sql`select '\\m(' || string_agg(regexp_replace(lexeme, 'i$', '[iy]'), '|') || ')'
    from jsonb_to_recordset(${spelled}) word (n int, forms text), unnest(product_stems(word.forms, null)) group by n`;
  return whereOnce(sql, text, (once) => sql`${plain(sql, once)} ~ all (array(${patterns}))`);
}

/** SQL: does a condition hold of `text`, which takes long to put together, and is read several times? */
const whereOnce = (sql: Ctx["sql"], text: Fragment, holds: (once: Fragment) => Fragment): Fragment =>
  sql`(select ${holds(sql`said.text`)} from (select ${text} as text offset 0) said)`;

/**
 * SQL: `text` as fold.ts has it. Most is ASCII, and then only its case matters. What `folded` alone knows is looked for first: it
 * takes five times as long as `unaccent`.
 */
const plain = (sql: Ctx["sql"], text: Fragment): Fragment => sql`(case
  when octet_length(${text}) = length(${text}) then lower(${text} collate "C")
  else lower(unaccent(case
    when ${text} ~ '[\\u00AD\\u0300-\\u036F\\u0590-\\u06FF\\u200B-\\u200F\\u202A-\\u202E\\u2060-\\u206F\\uFB50-\\uFEFF]'
    then folded(${text}) else ${text} end)) end collate "default")`;

/** Another one once names come in another order: a cursor of a release before would repeat some, or pass over them. */
const ORDER = 4;

/**
 * The stores that the consumer may read, by name, a page at a time. With a query those that have all of its words in
 * name, description, categories, web or postal address, else all that it means (`meantBy`), else words of the same stems; where the name
 * has them comes first. A country that it names is meant also where a store elsewhere says its name, unless that is the store's own and there
 * are other words. With a category those whose categories have words that begin so, or have the same stem.
 */
export async function list(ctx: Ctx<Consumer>, input: ListStores) {
  const { sql } = ctx;
  const bound = { ...input, order: ORDER };
  const after = decodeCursor(ctx, bound, ["number", "string", "string"]);
  const { country, category, query } = input;
  // Without these the index has all that is asked, in its order: only as much of it is read as is shown and counted.
  const kept = category !== undefined || query !== undefined ? sql`materialized` : sql`not materialized`;
  const rankBy = (words: string | undefined) => (words ? sql`(not ${hasAll(sql, words, sql`s.name`)})::int` : sql`0`);
  const categories = sql`array_to_string(s.categories, ' ')`;
  // With a blank before each word.
  const listed = sql`translate(' ' || ${categories}, '(/,', '   ')`;
  const isFiled = (words: string) =>
    sql`and (${hasAll(sql, words.replace(/[(/,]/g, " ").trim(), listed, " ")} or ${hasStems(sql, words, categories)})`;
  const passing = (words: Fragment = sql``, named = query) => sql`
    select s.id, s.name, ${rankBy(named)} as rank from stores s where ${readable(sql, ctx.actor)}
      ${country ? sql`and s.country = ${country}` : sql``}
      ${!category ? sql`` : query === undefined ? isFiled(category) : sql`and s.id in (select id from filed)`} ${words}`;
  // All that is asked of a query is asked of these: they are looked through once.
  const filed =
    category && query !== undefined
      ? sql`filed as materialized (select s.id from stores s where ${readable(sql, ctx.actor)} ${isFiled(category)}),`
      : sql``;
  const text = sql`concat_ws(' ', s.name, s.description, ${categories}, split_part(s.url, '//', 2),
    s.address ->> 'street_address', s.address ->> 'address_locality', s.address ->> 'address_region', s.address ->> 'postal_code')`;
  // What a query means, and misspelt names, which take long, are looked for where nothing has the words as they are.
  const meaning = query === undefined ? undefined : meantBy(query);
  const unless =
    meaning?.country === undefined
      ? sql`and not exists (select from typed)`
      : meaning.words
        ? sql`and not exists (select from typed where rank = 0)`
        : sql``;
  const said = meaning
    ? sql`meant as materialized (${passing(
        sql`${meaning.words ? sql`and ${hasAll(sql, meaning.words, text)}` : sql``}
        ${meaning.country ? sql`and s.country = ${meaning.country}` : sql``} ${unless}`,
        meaning.words || query,
      )}), said as materialized (
        select * from meant
        union all select id, name, 2 * rank from typed where id not in (select id from meant))`
    : sql`said as ${kept} (select * from typed)`;
  const otherwise =
    query === undefined
      ? sql``
      : sql`, stemmed as materialized (${passing(
          sql`and ${hasStems(sql, meaning?.words || query, text)} ${meaning?.country ? sql`and s.country = ${meaning.country}` : sql``}
            and not exists (select from said)`,
        )})`;
  const misspelt =
    query === undefined
      ? sql``
      : sql`union all select * from stemmed union all (${passing(sql`and word_similarity(${query}, s.name) > 0.5`)}
          and not exists (select from said) and not exists (select from stemmed))`;
  // Without a query all have one rank, which the index does not know.
  const beyond = (...[rank, name, id]: [number, string, string]) =>
    query === undefined
      ? sql`where (name, id) > (${name}, ${id}::uuid)`
      : sql`where (rank, name, id) > (${rank}, ${name}, ${id}::uuid)`;
  const rows = await sql<(StoreListing & { total: number; rank: number })[]>`
    with ${filed} typed as ${kept} (
      ${passing(query === undefined ? undefined : sql`and ${hasAll(sql, query, text)}`)}
    ), ${said} ${otherwise}, matching as ${kept} (
      select * from said ${misspelt}
    ), page as materialized (
      select * from matching
      ${after ? beyond(...(after as [number, string, string])) : sql``}
      order by rank, name, id limit ${input.limit + 1})
    select s.id, s.name, s.url, s.country, s.currency, s.categories, s.is_demo,
      ${toldLanguages(sql)} as languages, ${capabilitiesOf(sql, sql`${ctx.now}`)} as capabilities,
      page.rank, (select count(*)::int from (select from matching limit 10001) counted) as total
    from page join stores s on s.id = page.id order by page.rank, page.name, page.id`;
  const stores = rows.slice(0, input.limit);
  const last = stores.at(-1);
  // Each row of the page bears it: of a later page that has become empty it is unknown.
  const total = rows[0]?.total ?? (after ? undefined : 0);
  return {
    stores,
    hasNextPage: rows.length > input.limit,
    nextCursor:
      rows.length > input.limit && last ? encodeCursor(ctx, bound, [last.rank, last.name, last.id]) : undefined,
    totalCount: total !== undefined && total <= 10_000 ? total : undefined,
  };
}
