// Misspelt words: what is no word of the catalogue becomes the nearest word that is.
import type { Ctx } from "../../context";
import { withoutArticle } from "../arabic";
import { fold } from "../fold";

const words = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;
const MAX_WORDS = 8;

export interface Mended {
  text: string;
  /** Typed, and taken instead. */
  replaced: [from: string, to: string][];
}

/**
 * `text` with its misspelt words replaced: those of three letters or more that no known word begins with or is a form of.
 * Instead comes the nearest word, one slip away (a letter more, less, other, or two swapped); of six letters or more, two.
 * @param isFound has a product this word? Descriptions have more words than are known
 * @returns undefined when there is nothing to mend, or nothing to mend it with
 */
export async function mend(
  { sql }: Pick<Ctx, "sql">,
  text: string,
  isFound: (word: string) => Promise<boolean>,
): Promise<Mended | undefined> {
  const plain = (word: string) => withoutArticle(fold(word));
  const asked = [...new Set((text.normalize("NFC").match(words) ?? []).map(plain))];
  const doubtful = asked.filter((word) => /^\p{L}{3,40}$/u.test(word)).slice(0, MAX_WORDS);
  const rows = await sql<{ word: string; near: string[] }[]>`
    select asked.word, case when cardinality(one_slip.words) > 0 then one_slip.words else array(
      select word from search_words where word !~ '[0-9]' order by word <-> asked.word limit 50) end as near
    from jsonb_to_recordset(${sql.json(doubtful.map((word) => ({ word, slips: slips(word) })))}) asked (word text, slips text[])
    cross join lateral (select array(select word from search_words where word = any (asked.slips)) as words) one_slip
    where not exists (
      select from search_words known, unnest(array[asked.word] || tsvector_to_array(to_tsvector('aisle', asked.word))) start
      where known.word >= start and known.word < start || chr(1114111)
        and (start = asked.word or to_tsvector('aisle', known.word) = to_tsvector('aisle', asked.word)))`;
  const mends = rows.flatMap(({ word, near }) => nearestOf(word, near));
  const nearest = new Map<string, string>();
  // One after the other: a query of many words takes one connection, like any other.
  for (const [word, other] of mends) if (!(await isFound(word))) nearest.set(word, other);
  if (nearest.size === 0) return undefined;
  const mended = text.normalize("NFC").replace(words, (word) => nearest.get(plain(word)) ?? word);
  return { text: mended, replaced: [...nearest] };
}

function nearestOf(word: string, near: string[]): [string, string][] {
  const most = word.length <= 5 ? 1 : 2;
  const [best] = near
    .map((other) => ({ other, far: distance(word, other), alike: sharedStart(word, other) }))
    .filter(({ far }) => far <= most)
    .sort((a, b) => a.far - b.far || b.alike - a.alike || (a.other < b.other ? -1 : 1));
  return best ? [[word, best.other]] : [];
}

/** Damerau and Levenshtein's: letters added, left out, replaced, and neighbours swapped, each once. */
function distance(one: string, other: string): number {
  const [a, b] = [[...one], [...other]];
  let [before, last] = [[] as number[], Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = last[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? before[j - 2]! + 1 : replaced;
      row.push(Math.min(replaced, swapped, last[j]! + 1, row[j - 1]! + 1));
    }
    [before, last] = [last, row];
  }
  return last[b.length]!;
}

function sharedStart(one: string, other: string): number {
  let i = 0;
  while (i < one.length && one[i] === other[i]) i++;
  return i;
}

/** Letters that a slip of the hand brings in, by script, folded. */
const alphabets = [
  "abcdefghijklmnopqrstuvwxyz",
  "абвгдежзиклмнопрстуфхцчшщъыьэюя",
  "αβγδεζηθικλμνξοπρστυφχψω",
  "אבגדהוזחטיךכלםמןנסעףפץצקרשת",
  "ابتثجحخدذرزسشصضطظعغفقكلمنهويىةء",
];

/** All that is one slip away from a word: trigrams find few of these when the word is short. */
function slips(word: string): string[] {
  const own = [...word];
  const others = alphabets.find((alphabet) => alphabet.includes(own[0]!)) ?? "";
  const found: string[] = [];
  for (let i = 0; i <= own.length; i++) {
    const [start, next, after, end] = [
      own.slice(0, i).join(""),
      own[i] ?? "",
      own[i + 1] ?? "",
      own.slice(i + 2).join(""),
    ];
    found.push(start + after + end, start + after + next + end);
    for (const letter of others) found.push(start + letter + next + after + end, start + letter + after + end);
  }
  return found;
}
