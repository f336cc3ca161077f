// Which words of a query may say what kind of thing is asked for: of a black "dress" for summer the one before "for".
import { isArabic } from "../arabic";
import { fold } from "../fold";
import { functionWords } from "../languages";
import { countsThings, isEnglish, isSmall } from "./function-words";
import { isQuoted } from "./quoted";
import { ask } from "./words";

export interface Word {
  text: string;
  /** Where it begins. */
  at: number;
}

/** Words of letters that say something of a thing; `woman` of "woman's". What is not wanted is none of them; nor has a quoted text any. */
export const wordsIn = (text: string): Word[] =>
  isQuoted(text)
    ? []
    : [...text.matchAll(/(?<!\S)\p{L}[\p{L}\p{M}]{2,}(?=(?:['’]s?)?(?!\S))/gu)]
        .map(({ 0: word, index }) => ({ text: word, at: index }))
        .filter(({ text }) => ask(text).wanted.length > 0 && !isSmall(fold(text)));

/** Whom a thing is for, and not what it is. */
const wearers = new Set(
  [
    "men mens man mans women womens woman womans ladies gents adult adults unisex",
    "kid kids child children childrens boy boys girl girls toddler toddlers",
  ].flatMap((line) => line.split(" ")),
);
const isBesides = (word: string) => wearers.has(word) || countsThings(word);

/** Those before the first "for", "with" or "de", which the others are said of, but for how many and for whom. All where there are none. */
export function heads<W extends Word>(text: string, words: readonly W[]): readonly W[] {
  const [first] = words;
  if (!first) return words;
  const joint = [...text.matchAll(/(?<!\S)\p{L}+(?!\S)/gu)].find(
    ({ 0: word, index }) => index > first.at && (isEnglish(fold(word)) || functionWords.has(fold(word))),
  );
  const before = joint ? words.filter(({ at }) => at < joint.index) : words;
  const things = before.filter(({ text }) => !isBesides(fold(text)));
  return things.length > 0 ? things : before;
}

/** The last of `heads` and the first: which is the noun in English and German, and in languages whose names begin with it. */
export function nounOf(text: string): { last: string; first: string } | undefined {
  const [first, ...others] = heads(text, wordsIn(text));
  if (!first) return undefined;
  const last = others.at(-1) ?? first;
  return isArabic(fold(text)) ? { first: first.text, last: first.text } : { first: first.text, last: last.text };
}
