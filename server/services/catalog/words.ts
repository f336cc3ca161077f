// A shopper's words as full-text queries. These are put together from letters and digits alone, so that nothing that
// is typed can reach the syntax of tsquery.
import { fold } from "../fold";

interface Term {
  /** All of them must be there; of a phrase one after the other. */
  words: string[];
  phrase: boolean;
  /** Other ways to write the same: `300ml` for `300 ml`, `t-shirt` as the feed may have it, a GTIN in full. */
  also: string[];
}

export interface Asked {
  /** As it was typed. */
  text: string;
  wanted: Term[];
  /** After a minus sign. */
  unwanted: Term[];
  /** What a product's title must be to be exactly what was asked for, folded. */
  title: string;
  /** Full-text query for the identifiers (weight C) that the words may be: a GTIN, an mpn, a sku. */
  code: string | undefined;
}

const word = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;
const terms = /(?<!\S)(-?)(?:["“”„«]([^"“”«»]*)["“”»]?|(\S+))/gu;
const MAX_TERMS = 32;

/** Plain words must all be there, "words in quotes" one after the other, and -words not at all. */
export function ask(text: string): Asked {
  const wanted: Term[] = [];
  const unwanted: Term[] = [];
  const spoken: string[] = [];
  for (const [, minus, quoted, plain] of text.normalize("NFC").matchAll(terms)) {
    const term = quoted === undefined ? plainTerm(plain!) : termOf(quoted.match(word) ?? [], { phrase: true });
    if (term.words.length === 0) continue;
    (minus ? unwanted : wanted).push(term);
    if (!minus) spoken.push(quoted ?? plain!);
  }
  joinMeasures(wanted);
  const gtin = gtinIn(text);
  if (gtin)
    wanted.splice(
      0,
      wanted.length,
      termOf(
        wanted.flatMap((term) => term.words),
        { also: gtin },
      ),
    );
  const single = wanted.length === 1 && !wanted[0]!.phrase && /\p{N}/u.test(text) ? wanted[0] : undefined;
  const code = gtin ? either(gtin, ":C") : single && expression(single, ":C");
  return { text, wanted: wanted.slice(0, MAX_TERMS), unwanted, title: fold(spoken.join(" ")), code };
}

const termOf = (words: string[], { phrase = false, also = [] as string[] } = {}): Term => ({ words, phrase, also });

/** `t-shirt`, `3.5mm`, `black/white`: its words, or the whole as PostgreSQL's parser took it from the feed. */
function plainTerm(text: string): Term {
  const words = (text.match(word) ?? []).flatMap((found) => measure.exec(found)?.slice(1) ?? found);
  const whole = text.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}\p{M}]+$/gu, "");
  return termOf(words, { also: words.length > 1 && /^[\p{L}\p{N}\p{M}._/-]+$/u.test(whole) ? [whole] : [] });
}
const measure = /^(\d+)(\p{L}{1,3})$/u;

/** `300 ml` is `300ml`. */
function joinMeasures(wanted: Term[]): void {
  for (let i = wanted.length - 1; i > 0; i--) {
    const [number, unit] = [wanted[i - 1]!, wanted[i]!];
    const whole = `${number.words.join(" ")}${unit.words.join(" ")}`;
    if (number.phrase || unit.phrase || unit.words.length > 1 || !measure.test(whole)) continue;
    if (number.words.length === 1 && /^\d+$/.test(number.words[0]!))
      wanted.splice(i - 1, 2, termOf([...number.words, ...unit.words], { also: [whole] }));
  }
}

/** The ways in which feeds write the GTIN that the text is, if it is one. */
function gtinIn(text: string): string[] | undefined {
  const digits = text.replace(/[\s-]/g, "");
  return /^(\d{8}|\d{12,14})$/.test(digits) ? [digits.padStart(14, "0"), digits.replace(/^0+/, "")] : undefined;
}

/** All that is wanted, as the text of a tsquery; empty when nothing is. */
export const all = ({ wanted }: Asked): string => wanted.map((term) => expression(term)).join(" & ");

/** What is not wanted, as the text of a tsquery. */
export const none = ({ unwanted }: Asked): string | undefined =>
  unwanted.length > 0 ? unwanted.map((term) => expression(term)).join(" | ") : undefined;

const MAX_LOOSE_TERMS = 8;

/**
 * Some of what is wanted, as the texts of tsqueries: all terms but one, all but two … any one.
 * Of more than eight terms the first eight count, for the combinations are many.
 */
export function some({ wanted }: Asked): string[] {
  const expressions = wanted.slice(0, MAX_LOOSE_TERMS).map((term) => expression(term));
  return Array.from({ length: Math.max(1, expressions.length - 1) }, (_, i) => {
    const size = Math.max(1, expressions.length - 1 - i);
    return combinations(expressions, size)
      .map((chosen) => `(${chosen.join(" & ")})`)
      .join(" | ");
  });
}

function combinations<T>(items: readonly T[], size: number): T[][] {
  if (size === 0) return [[]];
  return items.flatMap((item, i) => combinations(items.slice(i + 1), size - 1).map((rest) => [item, ...rest]));
}

function expression({ words, phrase, also }: Term, weight = ""): string {
  const parts = words.map((part) => either(forms(part), weight));
  const whole = `(${parts.join(phrase ? " <-> " : " & ")})`;
  return also.length > 0 ? `(${whole} | ${either(also, weight)})` : whole;
}

const either = (alternatives: string[], weight: string): string =>
  `(${alternatives.map((text) => `'${text}'${weight}`).join(" | ")})`;

/** A word as typed; without its marks, where the text search configuration leaves them; in Arabic with and without the article. */
function forms(typed: string): string[] {
  const found = new Set([typed]);
  if (!/\p{Script=Latin}/u.test(typed)) found.add(fold(typed).match(word)?.join(" ") ?? typed);
  if (/^\p{Script=Arabic}{3,}$/u.test(typed)) found.add(typed.startsWith("ال") ? typed.slice(2) : `ال${typed}`);
  return [...found];
}
