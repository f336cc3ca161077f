// The one normal form in which words are compared: filter tokens, titles, search words.

/**
 * `text` in lower case, without accents (NFKD, marks stripped), Latin and Arabic letters in their plain form, trade marks
 * and what is drawn as nothing left out, white space collapsed and trimmed. Folding twice changes nothing.
 */
export function fold(text: string): string {
  // Plain ASCII, which most of a catalogue is, has nothing to decompose.
  const isPlain = ascii.test(text);
  const bare = isPlain ? text.toLowerCase() : decomposed(text);
  return (isPlain && !bare.includes("  ") ? bare : bare.replace(/\s+/g, " ")).trim();
}

/**
 * The words of `text` as search knows them: folded, each run of letters and digits a word, blanks between. What goes
 * into the index and what is asked of it go through here, so `Black/White` and `black white` are the same.
 */
export function searchable(text: string): string {
  if (ascii.test(text))
    return text
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, " ")
      .trim();
  return decomposed(text)
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/**
 * A query without what is drawn as nothing: before its signs are read, since a minus or a quote counts where a word begins. What
 * joins or parts letters, such as U+200C, stays where it may: not before a sign, and not in a number that is all there is.
 */
export function seen(query: string): string {
  const text = query.replace(unseen, "");
  return numeric.test(text) ? text.replace(/\p{DI}/gu, " ") : text.replace(beforeSign, "$1");
}

const numeric = /^[\d\s\p{DI}-]+$/u;
const beforeSign = /(?<!\S)\p{DI}*(?:(-)\p{DI}*)?(?=[-"“”„«\p{N}])/gu;

const ascii = /^[\x20-\x7e]*$/;

/** Drawn as nothing: soft hyphens, marks of direction, joiners of words. Not U+200C, which parts the words of Persian. */
const unseen = /[\u00ad\u061c\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;

// Lower case can bring new marks (İ) and new compositions, so both sides of it are decomposed. `LEGO™` is no `LEGOTM`. U+FDFA and
// U+FDFB are phrases of up to 18 letters in one character, which no bound of a text expects. U+200B parts words in Thai and Khmer.
const decomposed = (text: string): string =>
  text
    .replace(unseen, "")
    .replace(/[™℠®©\u200b\ufdfa\ufdfb]/g, " ")
    .normalize("NFKD")
    .toLowerCase()
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .replace(/[ßæðøþđħıłŋœŧ\u0640\u0649\u0671\u06a9\u06cc]/g, (letter) => plain[letter]!);

/**
 * What is written one way or another: Latin letters that Unicode makes of no other, as PostgreSQL's `unaccent` has them; in Arabic
 * the stretching stroke, and letters whose hamza, dots or shape vary by country.
 */
const plain: Record<string, string> = {
  ß: "ss",
  æ: "ae",
  ð: "d",
  ø: "o",
  þ: "th",
  đ: "d",
  ħ: "h",
  ı: "i",
  ł: "l",
  ŋ: "n",
  œ: "oe",
  ŧ: "t",
  "\u0640": "",
  "\u0649": "\u064a",
  "\u0671": "\u0627",
  "\u06a9": "\u0643",
  "\u06cc": "\u064a",
};
