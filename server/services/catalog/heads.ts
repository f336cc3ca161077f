// Which words of a query may say what kind of thing is asked for: of a black "dress" for summer the one before "for".
import { isArabic } from "../arabic";
import { fold } from "../fold";
import { functionWords } from "../languages";
import { belongsTo, countsThings, isPortion, isPresent, isSmall, isWearer } from "./function-words";
import { isQuoted } from "./quoted";
import { ask } from "./words";

export interface Word {
  text: string;
  /** Where it begins. */
  at: number;
}

/** Words of letters, or of several joined (`rain_coat`), that say something of a thing; `woman` of "woman's". What is not wanted is none of them; nor has a quoted text any. */
export const wordsIn = (text: string): Word[] =>
  isQuoted(text)
    ? []
    : [...text.matchAll(/(?<!\S)\p{L}[\p{L}\p{M}_]{2,}(?=(?:['’]s?)?(?!\S))/gu)]
        .map(({ 0: word, index }) => ({ text: word, at: index }))
        .filter(({ text }) => ask(text).wanted.length > 0 && !isSmall(fold(text)));

/** Whom a thing is for, how many there are, or that it is a gift: no thing itself. */
export const isBesides = (word: string): boolean => isWearer(word) || isPresent(word) || countsThings(word);

/** Is it the "roll" of a "roll of tape", the "pack" of a "socks pack"? */
function isAmount(text: string, { text: word, at }: Word, before: Word | undefined): boolean {
  if (!isPortion(fold(word))) return false;
  const isOf = /^\s+of\s/i.test(text.slice(at + word.length));
  return isOf || (before !== undefined && !isWearer(fold(before.text)) && /[^s]s$/i.test(before.text));
}

/**
 * Those before the first "for", "with" or "de", which the others are said of, but for how many, for whom and that they are a gift; where
 * there are none, those between it and the next such word, of "a set of six glasses" the glasses. All where there is nothing else.
 */
export function heads<W extends Word>(text: string, words: readonly W[]): readonly W[] {
  const [first] = words;
  if (!first) return words;
  const joints = [...text.matchAll(/(?<!\S)\p{L}+(?!\S)/gu)]
    .filter(({ 0: word, index }) => index > first.at && (belongsTo(fold(word)) || functionWords.has(fold(word))))
    .map(({ index }) => index);
  const parts = [...joints, text.length].map((end, i) =>
    words.filter(({ at }) => at < end && at > (joints[i - 1] ?? -1)),
  );
  const things = parts.map((part) =>
    part.filter((word, i) => !isBesides(fold(word.text)) && !isAmount(text, word, part[i - 1])),
  );
  return things.find(({ length }) => length > 0) ?? parts[0]!;
}

/** The last of `heads` and the first: which is the noun in English and German, and in languages whose names begin with it. */
export function nounOf(text: string): { last: string; first: string } | undefined {
  const [first, ...others] = heads(text, wordsIn(text));
  if (!first) return undefined;
  const last = others.at(-1) ?? first;
  return isArabic(fold(text)) ? { first: first.text, last: first.text } : { first: first.text, last: last.text };
}
