// Which word of a query says most of what is meant: of a black "dress" for summer what kind of thing it is.
import type { Consumer, Ctx } from "../../context";
import { isArabic } from "../arabic";
import { fold } from "../fold";
import { heads, isBesides, wordsIn } from "./heads";
import { type Frequency, frequencies } from "./vocabulary";

const EVERY = ["having", "nounFirst", "isKind"] as const;
const TOLD = [...EVERY, "inTitle", "called"] as const;

/**
 * Of titles with a word the share that is about it: with "tent" 96 of a hundred, with "light" 31, with "bottle" 18; with "silver" 24, with
 * "waterproof" 2. So of what is filed as nothing of that name a third must be, and of a category a tenth.
 */
const isCalled = ({ inTitle, called, isKind }: Frequency): boolean =>
  called > 0 && called >= (isKind ? 0.1 : 0.3) * inTitle;

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
  const words = wordsIn(text);
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
 * `text` with the word put first that says most of what is meant: the last of `heads`, if titles mostly call things so; else the last one
 * that names a kind of thing, if possible among them; if none does, the one that the fewest products have. In languages whose names begin
 * with what they are about, the first of them, if titles do; else the first one that names a kind, which titles do as
 * well; if none does, the first. A text with quotes stays as it is.
 * @returns `unknown`: words that no product has; `isThing`: that word names a kind of thing, or is where the noun stands and titles are about it
 */
export async function tellingFirst(
  ctx: Ctx<Consumer>,
  text: string,
  storeIds: readonly string[] | undefined,
): Promise<{ text: string; unknown: string[]; isThing: boolean }> {
  const words = wordsIn(text);
  if (words.length === 0) return { text, unknown: [], isThing: false };
  const counts = await frequencies(
    ctx,
    words.map(({ text }) => text),
    TOLD,
    storeIds,
  );
  const counted = words.map((word, i) => ({ ...word, ...counts[i]! }));
  const having = counted.filter(({ having }) => having > 0);
  const things = having.filter(({ text }) => !isBesides(fold(text)));
  const found = things.length > 0 ? things : having;
  const unknown = counted.filter(({ having }) => having === 0).map(({ text }) => text);
  const first = heads(text, counted).filter(({ having }) => having > 0);
  const named = [...first, ...having.filter(({ at }) => !first.some((head) => head.at === at))];
  const ofKind = (word: { isKind: boolean }) => word.isKind;
  // "Waterproof" and "Winter" are categories, too, and no things.
  const isThing = (word: (typeof counted)[number]) => word.isKind && isCalled(word);
  const nounFirst = isNounFirst(text, having);
  const noun = (nounFirst ? first.slice(0, 1) : first.slice(-1)).find(isCalled);
  const word = nounFirst
    ? (noun ?? named.find(isThing) ?? found[0])
    : (noun ??
      first.findLast(isThing) ??
      found.findLast(isThing) ??
      first.findLast(ofKind) ??
      found.findLast(ofKind) ??
      named.toSorted((a, b) => a.having - b.having)[0]);
  if (!word) return { text, unknown, isThing: false };
  return {
    text: `${word.text} ${text.slice(0, word.at)}${text.slice(word.at + word.text.length)}`,
    unknown,
    isThing: word.isKind || word === noun,
  };
}
