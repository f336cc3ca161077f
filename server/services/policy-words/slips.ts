// Slips of the finger: what a word that is no saying may have been meant for.

interface Saying {
  pattern: readonly string[];
  isPlace?: boolean;
  isAmbiguous?: boolean;
}

/** Shorter words are too like one another: "late" and "lake"; with a letter more, less or another one, so are "price" and "prime". */
const LONG_ENOUGH = 5;

/**
 * Of those with one first letter, the saying of which `word` may be a slip. Its own plural is another word ("customs", "phones"),
 * and so is what ends otherwise than a country ("paraguas").
 */
export const slipOf = <S extends Saying>(word: string, sayings: readonly S[]): S | undefined =>
  word.length < LONG_ENOUGH
    ? undefined
    : sayings.find(
        ({ pattern: [only, ...more], isAmbiguous, isPlace }) =>
          more.length === 0 &&
          !isAmbiguous &&
          only !== `${word}s` &&
          word !== `${only}s` &&
          nearly(only!, word) &&
          !(isPlace && only!.slice(0, -1) === word.slice(0, -1)),
      );

/** What may follow a word's beginning: "promise" is no slip of "promo". */
const ENDINGS = /^(?:s|es|d|ed|ing|er|ers|able|al|ion|ions|ment|ments|y|e|en|t|te)?$/;

/** Is one letter of `word` wrong, missing, too many, or swapped with its neighbour? The first one is right. */
function nearly(pattern: string, word: string): boolean {
  const open = pattern.endsWith("*");
  const right = open ? pattern.slice(0, -1) : pattern;
  if (right.length < LONG_ENOUGH || right[0] !== word[0]) return false;
  let at = 0;
  while (at < right.length && right[at] === word[at]) at++;
  const goesOn = (from: number, rest: string) =>
    open ? word.startsWith(rest, from) && ENDINGS.test(word.slice(from + rest.length)) : word.slice(from) === rest;
  const swapped = word[at] === right[at + 1] && word[at + 1] === right[at] && goesOn(at + 2, right.slice(at + 2));
  // Without its last letter a beginning is another one: "cooki" is that of "cooking".
  if (right.length === LONG_ENOUGH || (open && at === right.length - 1)) return swapped;
  return (
    swapped ||
    goesOn(at, right.slice(at + 1)) ||
    goesOn(at + 1, right.slice(at)) ||
    // So are "change" and "charge".
    (right.length > LONG_ENOUGH + 1 && goesOn(at + 1, right.slice(at + 1)))
  );
}
