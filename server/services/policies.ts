// A store's policies and FAQ, found by what a shopper asks in words of their own.
import { eq, sql as raw } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../db/client";
import { policies } from "../../db/schema/policies";
import type { Consumer, Ctx } from "../context";
import { refuseField } from "../errors";
import * as audit from "./audit";
import type { Fragment } from "./catalog/card";
import { info } from "./catalog/messages";
import { readable, storeNotAvailable } from "./coverage";
import { HttpUrl, Instant } from "./fields";
import { lockOwnStore, type StoreKeeper } from "./ownership";
import { ofHours } from "./policy-words/english";
import { isAbout, termsOf } from "./policy-words/terms";

export const policyTypes = policies.policyType.enumValues;

export interface Policy {
  id: string;
  question: string;
  answer: string;
  policy_type: (typeof policyTypes)[number];
  source_url: string | null;
  updated_at: Date;
}

// How much a term of a question counts, by where a policy has it and how it came to fit. Tuned on the shoppers' questions
// of tests/services/policies.test.ts; what no policy is about must stay under ENOUGH.
const IN_QUESTION = 0.9;
const IN_TYPE = 0.5;
const IN_ANSWER = 0.4;
/** What a saying means weighs more than other words, and than the word itself: it is what shoppers ask policies about. */
const MEANING = 1.3;
const SAID = 0.5;
/** What a word may be a misspelling of. */
const SPELLING = 0.7;
/** A word that no policy has; one that all have weighs 0.2 or so, one that a single policy has 1. */
const UNKNOWN = 0.8;
/** An answer must reach this share of what a policy gets that has every term in its question… */
const ENOUGH = 0.23;
/** …and this share of the best answer. */
const NEAR_THE_BEST = 0.5;
/** Words of a question that asks for little besides: "How long is the warranty?" */
const PLAIN = 3;
/** By trigrams: a word that no policy has is taken for the words they have that are as like it as this. */
const SAME_WORD = 0.45;

const NO_POLICIES =
  "This store has published no policies. get_store_info may have its shipping and return policy, and how to contact it.";
const OPENING_HOURS = "No policy of this store was found to tell its opening hours. get_store_info may have them.";
const CONTACT =
  "No policy of this store was found to tell how to reach it. get_store_info may have e-mail address and telephone.";

/** SQL: a meaning as a query; of an empty one PostgreSQL would send a notice. */
const queryOf = (sql: Ctx["sql"], column: string) =>
  sql`case when ${sql(column)} = '' then '' else to_tsquery('aisle', ${sql(column)}) end`;

/** SQL: the words of the policies `faq` that are most like the one word of `t.word`, as a query for any of them. */
const likestWords = (sql: Ctx["sql"]) => sql`
  select coalesce(string_agg(quote_literal(near.word), ' | ')::tsquery, '') as query from (
    select have.word, likeness, max(likeness) over () as best
    from (select distinct unnest(tsvector_to_array(search)) as word from faq) have,
      similarity(have.word, btrim(t.word::text, '''')) likeness
    where length(have.word) > 3 and likeness >= ${SAME_WORD}::real
  ) near where likeness >= best - 0.1`;

/**
 * SQL: (position, factor, query) for each thing to look for: the shopper's words and what they mean; for a word that no
 * policy has, what it may be a misspelling of.
 */
const lookedFor = (sql: Ctx["sql"]) => sql`
  with known as materialized (
    select position, case when meant = '' then 1 else ${SAID}::real end as factor, word as query from term
    where exists (select from faq where search @@ word) and not meaning @> word
    union all
    select min(position), ${MEANING}::real * weight, meaning from term
    where exists (select from faq where search @@ meaning) group by meaning, weight
  )
  select * from known
  union all
  select t.position, ${SPELLING}::real, ${queryOf(sql, "t.perhaps")} || likest.query
  from term t, lateral (${likestWords(sql)}) likest
  where numnode(t.word) = 1 and t.perhaps is not null and t.position not in (select position from known)`;

/** SQL: how prominently policy `f` has what `w.query` looks for, from 0 to 1. */
const prominence = (sql: Ctx["sql"]) => {
  const weights = { a: IN_QUESTION, b: IN_TYPE, c: IN_ANSWER };
  const missed = Object.entries(weights).map(
    ([label, weight]) => sql`(1 - ${weight}::real * (ts_filter(f.search, ${`{${label}}`}::"char"[]) @@ w.query)::int)`,
  );
  return sql`(1 - ${missed[0]!} * ${missed[1]!} * ${missed[2]!})`;
};

/** SQL: a question without its case, accents, and the signs around it. */
const bare = (sql: Ctx["sql"], question: Fragment) => sql`lower(folded(btrim(${question}, ' ¿?؟¡!.')))`;

/** SQL: does the policy `f` ask when the shop is open, and nothing else? Alone, "hours" may be those of a delivery. */
const isOfHours = (sql: Ctx["sql"]) => sql`ts_filter(f.search, '{a}') @@ to_tsquery('aisle', 'hours | open | close')
  and length(ts_delete(ts_filter(f.search, '{a}'), tsvector_to_array(to_tsvector('aisle', ${ofHours}::text)))) = 0`;

/**
 * The policies that answer a question, best first; empty when none does. A term counts the more the fewer policies have
 * it, and by where they have it: in question, type or answer. Of two that are even, the one whose question says little besides,
 * then the one that says it more often. What is asked in a policy's very words is answered by it.
 * @returns with a message where the store has published none, and where opening hours are asked for and found in none
 * @throws DomainError store_not_available
 */
export async function search(ctx: Ctx<Consumer>, input: { storeId: string; query: string; limit: number }) {
  const { sql } = ctx;
  const terms = termsOf(input.query);
  const column = (name: "said" | "meant" | "perhaps") => sql`${terms.map((term) => term[name])}::text[]`;
  const weights = sql`${terms.map((term) => term.weight)}::real[]`;
  const rows = await sql<({ published: boolean } & (Policy | { id: null }))[]>`
    with store as materialized (select s.id from stores s where s.id = ${input.storeId} and ${readable(sql, ctx.actor)}),
    faq as materialized (select p.*, count(*) over () as total from store join policies p on p.store_id = store.id),
    term as materialized (
      select t.*, websearch_to_tsquery('aisle', said) as word, ${queryOf(sql, "meant")} as meaning
      from unnest(${column("said")}, ${column("meant")}, ${column("perhaps")}, ${weights})
        with ordinality as t (said, meant, perhaps, weight, position)
    ),
    feature as materialized (
      select l.position, l.query, l.factor * ln(1 + n.total / n.having) / ln(1 + n.total) as weight
      from (${lookedFor(sql)}) l, lateral (select max(total)::real as total, count(*) as having from faq where search @@ l.query) n
      where n.having > 0
    ),
    whole as materialized (
      select coalesce((select sum(weight) from feature), 0) + ${UNKNOWN}::real * coalesce(sum(weight), 0) as weight from term
      where numnode(word) + numnode(meaning) > 0 and position not in (select position from feature)
        and not exists (select from faq where search @@ meaning)
    ),
    scored as materialized (
      select id, max(score) as score, min(besides) as besides, max(often) as often from (
        select f.id, (length(ts_filter(f.search, '{a}')) > ${PLAIN})::int as besides, sum(w.weight * ${prominence(sql)}) / (select weight from whole) as score,
          sum(w.weight * ts_rank_cd(f.search, w.query)) as often
        from faq f join feature w on f.search @@ w.query group by f.id, f.search
        union all select f.id, 0, 1, 0 from faq f where ${isAbout(terms, "hours")} and ${isOfHours(sql)}
        union all select f.id, 0, 1, 0 from faq f where ${bare(sql, sql`f.question`)} = ${bare(sql, sql`${input.query}::text`)}
      ) found group by id
    )
    select best.*, exists (select from faq) as published from store left join (
      select f.id, f.question, f.answer, f.policy_type, f.source_url, f.updated_at, score, besides, often from scored join faq f using (id)
      where score >= greatest(${ENOUGH}::real, ${NEAR_THE_BEST}::real * (select max(score) from scored))
      order by score desc, besides, often desc, f.updated_at desc, f.id limit ${input.limit}
    ) best on true order by best.score desc, best.besides, best.often desc, best.updated_at desc, best.id`;
  if (rows.length === 0) throw storeNotAvailable();
  const found = rows.filter((row) => row.id !== null);
  const messages = [
    ...(rows.some((row) => row.published) ? [] : [info("no_policies", NO_POLICIES)]),
    ...(found.length === 0 && isAbout(terms, "hours") ? [info("opening_hours", OPENING_HOURS)] : []),
    ...(found.length === 0 && isAbout(terms, "contact") ? [info("contact_point", CONTACT)] : []),
  ];
  return { policies: found, messages };
}

const PolicyInput = z.strictObject({
  question: z.string().trim().min(1).max(500),
  answer: z.string().trim().min(1).max(20_000),
  policy_type: z.enum(policyTypes),
  source_url: HttpUrl.optional(),
  updated_at: Instant,
});

export const ReplacePolicies = z.strictObject({ storeId: z.uuid(), policies: z.array(PolicyInput).max(500) });

/**
 * Characters that the policies of one store have together, more than any shop writes. Each word of a question that none of them has is
 * compared with each word of theirs: with ten times as much, a call kept its connection for as long as a statement may take.
 */
const MOST_CHARACTERS = 1_000_000;

/** After a change, under the store's lock. @param field that is at fault @throws DomainError invalid_input */
export async function requireSearchable(tx: Database, storeId: string, field: string): Promise<void> {
  const [row] = await tx
    .select({ length: raw<number>`coalesce(sum(length(${policies.question}) + length(${policies.answer})), 0)::int` })
    .from(policies)
    .where(eq(policies.storeId, storeId));
  if (row!.length > MOST_CHARACTERS)
    throw refuseField(
      field,
      `All policies of a store may have ${MOST_CHARACTERS.toLocaleString("en")} characters together; with this they would have ${row!.length.toLocaleString("en")}. Shorten it, or remove one that is out of date.`,
    );
}

/** Makes these the store's policies: all of them, or none on an error. @throws DomainError not_found, invalid_input (they are too long together) */
export async function replace(ctx: Ctx<StoreKeeper>, input: z.infer<typeof ReplacePolicies>): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const store = await lockOwnStore(ctx, tx, input.storeId);
    const { question, answer, policyType, sourceUrl, updatedAt } = policies;
    const shown = { question, answer, policyType, sourceUrl, updatedAt };
    const before = await tx.delete(policies).where(eq(policies.storeId, store.id)).returning(shown);
    const after = input.policies.map((policy) => ({
      question: policy.question,
      answer: policy.answer,
      policyType: policy.policy_type,
      sourceUrl: policy.source_url,
      updatedAt: policy.updated_at,
    }));
    if (after.length > 0) await tx.insert(policies).values(after.map((row) => ({ storeId: store.id, ...row })));
    await requireSearchable(tx, store.id, "policies");
    await audit.record(ctx, tx, { action: "policies.replace", target: ["store", store.id], before, after });
  });
}
