// Misspelt words: what is no word of the catalogue that a consumer may read becomes the nearest word that is, and what is
// written apart or together there, is.
import type { Consumer, Ctx } from "../../context";
import { withoutArticle } from "../arabic";
import { fold } from "../fold";
import { isSmall, telling } from "./function-words";
import { quotedRun, unwanted } from "./quoted";
import { alsoCalled } from "./same-things";
import { distance, nearestOf, slips } from "./slips";
import { firstFound, frequencies } from "./vocabulary";

const words = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;
const MAX_WORDS = 8;
/** Does it say something of a thing? */
const says = (word: string): boolean => telling([word]).length > 0 && !isSmall(word);

interface Mended {
  text: string;
  /** Typed, and taken instead. */
  replaced: [from: string, to: string][];
}

/**
 * `text` as the stores asked would write it:
 * - two words as the one that they have (smartwatch for "smart watch"), and one that they lack as two that they have side by side, a
 *   number among them ("skarn 2" for skarn2);
 * - a misspelt word, which is one of three letters or more that nothing the consumer may read has, as the nearest word that they
 *   have: one slip away (a letter more, less or other, or two swapped), from eight letters on two; among words as near the one
 *   that most products have. Its first letter stays, unless both sound the same. A word of up to four Latin letters becomes
 *   neither a shorter one nor one with another letter: "lego" is neither logo nor leg. None becomes what is farther than a word
 *   that is only said around things: "somthing" is something, and no sorting.
 *
 * The table of words holds those of stores that the consumer may not read, too: so a word is put in only once it is found.
 * @param isWrong false: its words are right, and only what is written apart or together in the catalogue is mended
 * @returns undefined when there is nothing to mend, or nothing to mend it with
 */
export async function mend(
  ctx: Ctx<Consumer>,
  text: string,
  storeIds: readonly string[] | undefined,
  isWrong: boolean,
): Promise<Mended | undefined> {
  const typed = text.normalize("NFC");
  const plain = (word: string) => withoutArticle(fold(word));
  const wordsIn = (part: string) => [...new Set((part.match(words) ?? []).map(plain))];
  const asked = wordsIn(typed);
  const wanted = new Set(wordsIn(typed.replace(unwanted, " ")));
  const doubtful = asked.filter((word) => /^\p{L}{3,40}\d{0,4}$/u.test(word) && says(word)).slice(0, MAX_WORDS);
  const pairs = [...typed.matchAll(pair)]
    .map(([, first, second]) => ({ first, second }) as Pair)
    .filter(({ first, second }) => telling([fold(first), fold(second)]).length === 2)
    .filter(({ first, second }) => [first, second].some((word) => says(fold(word))))
    .slice(0, MAX_WORDS);
  const found = await firstFound(
    ctx,
    [
      ...pairs.map(({ first, second }) => [fold(first + second)]),
      ...doubtful.map((word) => (isWrong ? [word, ...parted(word)] : parted(word))),
    ],
    storeIds,
  );
  const joined = join(typed, pairs, found);
  const nearest = new Map<string, string>();
  const missing: string[] = [];
  for (const [i, word] of doubtful.entries()) {
    const is = found[pairs.length + i];
    // What nobody has is left out as it stands; a word like it would leave out what is wanted.
    if (is === undefined) {
      if (isWrong && wanted.has(word) && !numbered.test(word) && alsoCalled(word).length === 0) missing.push(word);
    } else if (is !== word) nearest.set(word, is);
  }
  const elsewhere =
    storeIds && missing.length > 0
      ? await firstFound(
          ctx,
          missing.map((word) => [word]),
        )
      : [];
  const unknown = missing.filter((_, i) => elsewhere[i] === undefined);
  for (const near of [oneSlipAway, alike]) {
    const misspelt = unknown.filter((word) => !nearest.has(word));
    if (misspelt.length === 0) break;
    const others = await commonest(ctx, misspelt, await near(ctx, misspelt), storeIds);
    for (const [i, word] of misspelt.entries()) if (others[i] !== undefined) nearest.set(word, others[i]);
  }
  // Where the catalogue has hardly any of the words, it has hardly the others a little otherwise: another language's "hombre" is no ombre.
  const lost = unknown.filter((word) => !nearest.has(word)).length;
  if (2 * lost >= doubtful.length)
    for (const word of unknown)
      if (nearest.has(word) && distance(word, nearest.get(word)!) >= FAR) nearest.delete(word);
  const used = new Map<string, string>();
  const mended = joined.text.replace(words, (word, at: number) => {
    const instead = nearest.get(plain(word));
    const written = instead && writtenAt(joined.text, { at, length: word.length }, instead);
    if (written === undefined) return word;
    used.set(plain(word), written.replaceAll("_", " "));
    return written;
  });
  const replaced = [...joined.replaced, ...used];
  return replaced.length > 0 ? { text: mended, replaced } : undefined;
}

/**
 * How `instead`, which may be two words joined (`rain_coat`), is written in the place of a word: within quotes, and where others are joined to
 * it, apart. @returns undefined where it would be torn from the minus before it
 */
function writtenAt(text: string, { at, length }: { at: number; length: number }, instead: string): string | undefined {
  const bare = instead.replaceAll("_", " ");
  const isWithin = [...text.matchAll(quotedRun)].some(({ 0: run, index }) => at > index && at < index + run.length);
  if (isWithin || bare === instead) return bare;
  const before = /\S*$/.exec(text.slice(0, at))![0];
  const isAlone = /^-?$/.test(before) && /^[^\p{L}\p{N}\s]*(?:\s|$)/u.test(text.slice(at + length));
  if (isAlone) return instead;
  return before.startsWith("-") ? undefined : bare;
}

const MOST_AS_NEAR = 10;

/** In `distance`: two slips, or one in the first letter. */
const FAR = 1.5;

/** Of each list the nearest word that any product has; of several one slip away, as near as each other, the commonest. */
async function commonest(
  ctx: Ctx<Consumer>,
  misspelt: readonly string[],
  lists: readonly string[][],
  storeIds: readonly string[] | undefined,
): Promise<(string | undefined)[]> {
  const found = await firstFound(ctx, lists, storeIds);
  const asNear = found.map((first, i) => {
    if (first === undefined) return [];
    const far = distance(misspelt[i]!, first);
    const others = lists[i]!.slice(lists[i]!.indexOf(first));
    return far < 2 ? others.filter((other) => distance(misspelt[i]!, other) === far).slice(0, MOST_AS_NEAR) : [first];
  });
  const rivals = asNear.filter(({ length }) => length > 1).flat();
  const counts = rivals.length > 0 ? await frequencies(ctx, rivals, ["having"], storeIds) : [];
  const having = new Map(rivals.map((word, i) => [word, counts[i]!.having]));
  return asNear.map((words) => words.toSorted((one, other) => (having.get(other) ?? 0) - (having.get(one) ?? 0))[0]);
}

interface Pair {
  first: string;
  second: string;
}
/** Two words with a blank between. */
const pair = /(?<!\S)(\p{L}{2,20})\s+(?=(\p{L}{2,20})(?!\S))/gu;

/** @param found the words that pairs make together, where there are such */
function join(text: string, pairs: readonly Pair[], found: readonly (string | undefined)[]): Mended {
  const replaced: Mended["replaced"] = [];
  let joined = text;
  for (const [i, { first, second }] of pairs.entries()) {
    const apart = new RegExp(`(?<!\\S)${first}\\s+${second}(?!\\S)`, "u");
    if (found[i] === undefined || !apart.test(joined)) continue;
    joined = joined.replace(apart, found[i]);
    replaced.push([`${first} ${second}`, found[i]]);
  }
  return { text: joined, replaced };
}

const numbered = /^(\p{L}+)(\d+)$/u;

/** As two words, one after the other (`rain_coat`): every way to part it, or what is before its number. */
const parted = (word: string): string[] => {
  const [, name, number] = numbered.exec(word) ?? [];
  if (name) return [`${name}_${number}`];
  const letters = [...word];
  const ways = Math.max(0, letters.length + 1 - 2 * LEAST_PART);
  return Array.from({ length: ways }, (_, i) => {
    const end = LEAST_PART + i;
    return `${letters.slice(0, end).join("")}_${letters.slice(end).join("")}`;
  });
};
const LEAST_PART = 3;

async function oneSlipAway({ sql }: Pick<Ctx, "sql">, misspelt: string[]): Promise<string[][]> {
  const rows = await sql<{ near: string[] }[]>`
    select array(select word from search_words where word in (select jsonb_array_elements_text(asked.slips))) as near
    from jsonb_array_elements(${sql.json(misspelt.map(slips))}) with ordinality asked (slips, n) order by n`;
  return rows.map(({ near }, i) => nearestOf(misspelt[i]!, near));
}

/** By their trigrams. */
async function alike({ sql }: Pick<Ctx, "sql">, misspelt: string[]): Promise<string[][]> {
  const rows = await sql<{ near: string[] }[]>`
    select array(select word from search_words where word !~ '[0-9]' order by word <-> asked.word limit 50) as near
    from unnest(${misspelt}::text[]) with ordinality asked (word, n) order by n`;
  return rows.map(({ near }, i) => nearestOf(misspelt[i]!, near));
}
