// Which word of a query says most of what is meant: of a black "dress" for summer what kind of thing it is.
import type { Consumer, Ctx } from "../../context";
import { isArabic } from "../arabic";
import { fold } from "../fold";
import { functionWords } from "../languages";
import { isEnglish, isSmall } from "./function-words";
import { isQuoted } from "./quoted";
import { type Frequency, frequencies } from "./vocabulary";
import { ask } from "./words";

interface Word {
  text: string;
  /** Where it begins. */
  at: number;
}

/** Words of letters that say something of a thing; `woman` of "woman's". What is not wanted is none of them. */
const wordsIn = (text: string): Word[] =>
  [...text.matchAll(/(?<!\S)\p{L}[\p{L}\p{M}]{2,}(?=(?:['’]s?)?(?!\S))/gu)]
    .map(({ 0: word, index }) => ({ text: word, at: index }))
    .filter(({ text }) => ask(text).wanted.length > 0 && !isSmall(fold(text)));

/** Those before the first "for", "with" or "de": what the others are said of. All of them where there are none before it. */
function heads<W extends Word>(text: string, words: readonly W[]): readonly W[] {
  const [first] = words;
  if (!first) return words;
  const joint = [...text.matchAll(/(?<!\S)\p{L}+(?!\S)/gu)].find(
    ({ 0: word, index }) => index > first.at && (isEnglish(fold(word)) || functionWords.has(fold(word))),
  );
  return joint ? words.filter(({ at }) => at < joint.index) : words;
}

/** How many there are of a thing, and not what it is: a knife set. */
const several = new Set("set sets pair pairs pack packs bundle bundles piece pieces".split(" "));

const EVERY = ["having", "nounFirst", "isKind"] as const;
const TOLD = [...EVERY, "isCalled"] as const;

/** Does what is asked for stand first? In Arabic, and where these words are mostly found in languages of that kind. */
function isNounFirst(text: string, words: readonly Pick<Frequency, (typeof EVERY)[number]>[]): boolean {
  const sum = (of: "having" | "nounFirst") => words.reduce((so, word) => so + word[of], 0);
  return isArabic(fold(text)) || 2 * sum("nounFirst") > sum("having");
}

/**
 * The word of `text` that names the kind of thing asked for; undefined if no store that may be read has such a kind. It is the
 * last of `heads`, or the first in languages whose names begin with what they are about.
 * @param isFirst that word was put first already (`tellingFirst`)
 */
export async function kindIn(
  ctx: Ctx<Consumer>,
  text: string,
  storeIds: readonly string[] | undefined,
  isFirst: boolean,
): Promise<string | undefined> {
  const words = isQuoted(text) ? [] : wordsIn(text);
  const [first, ...others] = isFirst ? words.slice(0, 1) : heads(text, words);
  if (!first) return undefined;
  const last = others.at(-1);
  if (!last) {
    const [only] = await frequencies(ctx, [first.text], ["isKind"], storeIds);
    return only!.isKind ? first.text : undefined;
  }
  const ends = [first.text, last.text];
  const counts = await frequencies(ctx, ends, EVERY, storeIds);
  const noun = isNounFirst(text, counts) ? 0 : 1;
  return counts[noun]!.isKind ? ends[noun] : undefined;
}

/**
 * `text` with the word put first that says most of what is meant: the last one that names a kind of thing, if possible among
 * `heads`; if none does, the one that the fewest products have. In languages whose names begin with what they are about, the
 * first one that names a kind; if none does, the first. A text with quotes stays as it is.
 * @returns `unknown`: words that no product has
 */
export async function tellingFirst(
  ctx: Ctx<Consumer>,
  text: string,
  storeIds: readonly string[] | undefined,
): Promise<{ text: string; unknown: string[] }> {
  const words = isQuoted(text) ? [] : wordsIn(text);
  if (words.length === 0) return { text, unknown: [] };
  const counts = await frequencies(
    ctx,
    words.map(({ text }) => text),
    TOLD,
    storeIds,
  );
  const counted = words.map((word, i) => ({ ...word, ...counts[i]! }));
  const found = counted.filter(({ having }) => having > 0);
  const unknown = counted.filter(({ having }) => having === 0).map(({ text }) => text);
  const first = heads(text, counted).filter(({ having }) => having > 0);
  const ofKind = (word: { isKind: boolean }) => word.isKind;
  // "Waterproof" and "Winter" are categories, too, and no things.
  const isThing = ({ isKind, isCalled, text }: (typeof counted)[number]) =>
    isKind && isCalled && !several.has(fold(text));
  const word = isNounFirst(text, found)
    ? ([...first, ...found].find(ofKind) ?? found[0])
    : (first.findLast(isThing) ??
      found.findLast(isThing) ??
      first.findLast(ofKind) ??
      found.findLast(ofKind) ??
      found.toSorted((a, b) => a.having - b.having)[0]);
  if (!word) return { text, unknown };
  return { text: `${word.text} ${text.slice(0, word.at)}${text.slice(word.at + word.text.length)}`, unknown };
}
