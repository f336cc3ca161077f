// The languages that a store's products are indexed in beside English: those that it states, else those that its products
// are written in, as each load finds them (decision 0043).
import type { Ctx } from "../context";
import { isEnglish } from "./catalog/function-words";
import type { Transaction } from "./feeds/transaction";
import { searchable } from "./fold";
import { codes, holdsTogether, type LanguageCode, statedLanguages } from "./languages";
import { CHANNEL, type Woken } from "./wake";

/** SQL: the languages of store `s` that agents are told: those that it states, else those that its products are found to be in. */
export const toldLanguages = (sql: Ctx["sql"]) => sql`coalesce(nullif(s.languages, '{}'),
  case when s.writes_arabic then s.index_languages || '{ar}'::text[] else s.index_languages end)`;

/**
 * The languages that a load indexes in: those that the store is indexed in, of one that has nothing yet those that it states.
 * @returns undefined where the load's own rows are to tell
 */
export async function indexLanguages(tx: Transaction, storeId: string): Promise<LanguageCode[] | undefined> {
  const [store] = await tx<[{ stated: string[]; languages: LanguageCode[]; isEmpty: boolean }]>`
    select languages as stated, index_languages as languages,
      not exists (select from variants where store_id = ${storeId}) as "isEmpty"
    from stores where id = ${storeId}`;
  return store.isEmpty ? statedLanguages(store.stated) : store.languages;
}

/** Rows that tell a store's languages: enough for shares, and few beside what a load reads. */
export const SAMPLE = 1_000;
/** Characters of a description. */
const BEGINNING = 500;

/** What tells the language of a row. */
export const spoken = ({ title, description }: { title: string; description?: string | undefined }): string =>
  `${title} ${description?.slice(0, BEGINNING) ?? ""}`;

/** The languages that a store is to be indexed in, as it is now, and whether it writes in Arabic besides. */
export async function wanted(
  tx: Transaction,
  storeId: string,
): Promise<{ languages: LanguageCode[]; stated: string[]; writesArabic: boolean }> {
  const [store] = await tx<[{ stated: string[]; before: LanguageCode[] }]>`
    select languages as stated, index_languages as before from stores where id = ${storeId}`;
  const { stated, before } = store;
  const known = statedLanguages(stated);
  if (known) return { languages: known, stated, writesArabic: false };
  // Anywhere in the feed, and the same rows each time.
  const rows = await tx<{ text: string }[]>`
    select concat(title, ' ', left(description, ${BEGINNING})) as text from variants where id in (
      select id from variants where store_id = ${storeId} and vanished_at is null order by hashint8(id), id limit ${SAMPLE})`;
  const texts = rows.map(({ text }) => text);
  return { languages: languagesOf(texts, before), stated, writesArabic: areArabic(texts) };
}

/** Writes down what a store is indexed in. Where it states none, agents are told these: what they are told is new then. */
export async function keep(
  tx: Transaction,
  storeId: string,
  indexed: readonly LanguageCode[],
  now: Date,
): Promise<void> {
  await tx`
    update stores set index_languages = ${indexed}, updated_at = case languages when '{}' then ${now} else updated_at end
    where id = ${storeId} and index_languages <> ${indexed}`;
}

/**
 * Keeps the languages that a load has `indexed` a store in, and has it indexed anew by the job where it is to be in others.
 * Called by a load, in its transaction.
 */
export async function update(
  tx: Transaction,
  { storeId, languages: indexed, now }: { storeId: string; languages: readonly LanguageCode[]; now: Date },
): Promise<void> {
  await keep(tx, storeId, indexed, now);
  const { languages, writesArabic } = await wanted(tx, storeId);
  await tx`
    update stores set writes_arabic = ${writesArabic}, updated_at = case languages when '{}' then ${now} else updated_at end
    where id = ${storeId} and writes_arabic <> ${writesArabic}`;
  if (languages.join() === indexed.join()) return;
  await tx`update stores set index_version = 0 where id = ${storeId}`;
  await tx`select pg_notify(${CHANNEL}, ${"feed-index" satisfies Woken})`;
}

/** Is a quarter of them? */
const areArabic = (texts: readonly string[]): boolean =>
  texts.length > 0 && texts.filter((text) => /[\u0621-\u064A]/.test(text)).length * 4 >= texts.length;

/** The least texts in a language, and their least share of those that tell one, and of all. Half of each where the store had it. */
const LEAST = 3;
const LEAST_OF_TOLD = 0.25;
const LEAST_OF_ALL = 0.1;

/**
 * The languages that texts are written in beside English: that of most of them, then that of most of what is left. Titles
 * of a few names and codes tell none.
 * @param before what they were: a store on the edge stays what it is
 */
export function languagesOf(texts: readonly string[], before: readonly LanguageCode[] = []): LanguageCode[] {
  let left = texts.map(spokenIn).filter((languages) => languages.length > 0);
  const told = left.length;
  const found: LanguageCode[] = [];
  const others = new Set(["en" as const, ...codes]);
  while (left.length > 0) {
    const votes = [...others].map((language) => ({
      language,
      count: left.filter((of) => of.includes(language)).length,
    }));
    const { language, count } = votes.reduce((best, vote) => (vote.count > best.count ? vote : best));
    const least = Math.max(LEAST, LEAST_OF_TOLD * told, LEAST_OF_ALL * texts.length);
    if (language !== "en" && count >= (before.includes(language) ? least / 2 : least)) found.push(language);
    others.delete(language);
    left = left.filter((of) => !of.includes(language));
  }
  return codes.filter((code) => found.includes(code));
}

/** Names in English texts are full of these: "Eau de Toilette pour Homme", "La Mer", "Acqua di Parma". */
const inNames = new Set(
  "a d da das de del della der di die do dos du e el en i il l la las le los o pour van y".split(" "),
);

/** The languages that a text has most words of, at least two; English wins where it has as many. */
function spokenIn(text: string): (LanguageCode | "en")[] {
  const words = [...new Set(searchable(text).split(" "))];
  const scores = codes.flatMap((code) => {
    const said = words.filter((word) => holdsTogether(code, word));
    return said.length >= 2 && !said.every((word) => inNames.has(word)) ? [{ code, score: said.length }] : [];
  });
  const english = words.filter(isEnglish).length;
  const most = Math.max(...scores.map(({ score }) => score));
  if (english >= 2 && english >= most) return ["en"];
  return english >= most ? [] : scores.filter(({ score }) => score === most).map(({ code }) => code);
}
