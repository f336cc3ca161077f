// A shopper's words as full-text queries. These are put together from letters and digits alone, so that nothing that
// is typed can reach the syntax of tsquery.
import { forms, isArabic } from "../arabic";
import { parseGtin } from "../feeds/gtin";
import { fold, searchable } from "../fold";
import { dimensionsJoined, isDimension, waysToWrite } from "./dimensions";
import { countsThings, isShortened, isSmall, isWearer, isWhatever, telling, wornBy } from "./function-words";
import { apart } from "./own-stems";
import { isQuoted } from "./quoted";
import { alsoCalled, LONGEST } from "./same-things";
import { written } from "./same-words";

interface Term {
  /** All of them must be there; of a phrase one after the other. */
  words: string[];
  phrase: boolean;
  /** It stands for itself. */
  isQuoted?: boolean;
  /** Other ways to write the same, as phrases: `300ml` for `300 ml`, `wifi` for `wi-fi`, a GTIN in full. */
  also: string[][];
  /** What else a thing is called that is called so, where that counts (`widened`), as phrases. */
  others?: string[][];
  /** The last term of what is also called otherwise: the noun. */
  isNoun?: boolean;
}

/** A GTIN, an mpn, a sku. */
export interface Code {
  /** Full-text query for the identifiers (weight C) that it may be. */
  query: string;
  /** What an identifier is, in lower case and without what separates its parts, to be this one. */
  keys: string[];
}

export interface Asked {
  /** As it was typed. */
  text: string;
  wanted: Term[];
  /** Small words, such as "down" or "in": what has them in its title comes first, and nothing has to. */
  preferred: Term[];
  /** After a minus sign. */
  unwanted: Term[];
  /** The name of a category that all of it may be, as the text of a tsquery. */
  category: string | undefined;
  /** What a product's title may be to be exactly what was asked for, folded: all of it, or what of it says something. */
  titles: string[];
  /** The identifier that the words may be. */
  code: Code | undefined;
}

/** A minus before a number is the number's own: `-10` degrees. What touches the end of a quote begins anew. */
const terms = /(?<![^\s"“”»])((?<!\S)-(?!\p{N}))?(?:["“”„«]([^"“”«»]*)["“”»]?|(\S+))/gu;
const MAX_TERMS = 32;

const wordsOf = (text: string): string[] => searchable(text).match(/\S+/g) ?? [];

/**
 * Plain words must all be there, "words in quotes" one after the other, and -words not at all. Small words must be there
 * only where there are no others.
 */
export function ask(text: string): Asked {
  const plainly: Term[] = [];
  const preferred: Term[] = [];
  const unwanted: Term[] = [];
  let before = "";
  for (const [, minus, quoted, plain] of dimensionsJoined(text.normalize("NFC")).matchAll(terms)) {
    const term = quoted === undefined ? plainTerm(plain!) : quotedTerm(quoted);
    if (plain) term.also.push(...wornBy(before, fold(plain)).map((wearers) => [wearers]));
    before = plain ?? "";
    if (term.words.length === 0 || (plain && isShortened(plain))) continue;
    const isPreferred = !term.phrase && term.words.every(isSmall) && term.also.length === 0;
    (minus ? unwanted : isPreferred ? preferred : plainly).push(term);
  }
  const parts = partsOf(text);
  const spoken = parts.filter((part) => telling(wordsOf(part)).length > 0);
  const wanted = plainly.length > 0 ? plainly : preferred.splice(0);
  joinMeasures(wanted);
  const gtin = gtinIn(text);
  if (gtin) {
    const whole = wanted.flatMap((term) => term.words);
    wanted.splice(0, wanted.length, termOf(whole, { also: gtin }));
  }
  const isPhrase = wanted[0]?.phrase && !joined.test(text.trim());
  const single = wanted.length === 1 && !isPhrase && /\p{N}/u.test(text) ? wanted[0] : undefined;
  const telltale = spoken.filter((part) => !wordsOf(part).every(isSmall));
  const code = gtin
    ? { query: alternatives(gtin, ":C"), keys: gtin.flat() }
    : single && telltale.length === 1
      ? codeOf(telltale[0]!)
      : undefined;
  return {
    text,
    wanted: wanted.slice(0, MAX_TERMS),
    preferred: preferred.filter(({ words }) => !words.every(isWhatever)).slice(0, MAX_TERMS),
    unwanted,
    category: categoryOf(text),
    titles: [...new Set([parts, spoken].map((all) => fold(all.join(" "))))],
    code,
  };
}

/** What is wanted, as it was typed; what is in quotes without them. */
const partsOf = (text: string): string[] =>
  [...text.normalize("NFC").matchAll(terms)]
    .filter(([, minus]) => !minus)
    .map(([, , quoted, plain]) => quoted ?? plain!);

/** `"pet":B <-> "supplies":B` of "pet supplies": of a thing the last word says nothing, of a category that it is the one, as of `Pet & Fish Supplies`. */
function categoryOf(text: string): string | undefined {
  const words = telling(wordsOf(text));
  const isOne = words.length > 1 && words.some(isWhatever) && !isQuoted(text) && !/(?<!\S)-/.test(text);
  if (!isOne) return undefined;
  const name = words.slice(0, MAX_TERMS).map(apart);
  const beyondOne = name.length === 2 ? ` | '${name[0]}':B <2> '${name[1]}':B` : "";
  return `(${alternatives([name], ":B")}${beyondOne})`;
}

const termOf = (words: string[], { phrase = false, also = [] as string[][] } = {}): Term => ({ words, phrase, also });

const quotedTerm = (text: string): Term => ({ ...termOf(telling(wordsOf(text)), { phrase: true }), isQuoted: true });

/** `t-shirt`, `3.5mm`, `black/white`: its words, a measure in number and unit; or as it stands, or without what separates. `rain_coat` is one after the other. */
function plainTerm(text: string): Term {
  const parts = wordsOf(text);
  if (isDimension(text)) return termOf(parts, { phrase: true, also: waysToWrite(text).map(wordsOf) });
  const found = telling(parts);
  const words = found.flatMap((one) => glued.exec(one)?.slice(1) ?? one);
  const also = words.length > found.length ? [found] : [];
  const phrase = joined.test(text);
  const isOneToo = parts.length > 1 && /^[^\s/]+$/.test(text) && (!phrase || /\p{N}/u.test(text));
  if (found.length > 0 && isOneToo) also.push([parts.join("")]);
  return termOf(words, { phrase, also });
}
const joined = /^[\p{L}\p{M}\p{N}]+(?:_[\p{L}\p{M}\p{N}]+)+$/u;
/** Units that are spelled out, too, and what else is counted: `32inch`, `2person`. */
const glued = /^(\d+)(\p{L}{1,6})$/u;
/** Written apart, only what is surely a unit: not the boots of `10 boots`, nor whom they are for in `size 10 men`. */
const measure = /^(\d+)(\p{L}{1,3})$/u;

/** `300 ml` is `300ml`, and `3.5 mm` is `3.5mm`. */
function joinMeasures(wanted: Term[]): void {
  for (let i = wanted.length - 1; i > 0; i--) {
    const [number, unit] = [wanted[i - 1]!, wanted[i]!];
    const digits = number.words.every((one) => /^\d+$/.test(one));
    const whole = `${number.words.at(-1)}${unit.words.join("")}`;
    const isUnit = unit.words.length === 1 && measure.test(whole) && !isWearer(unit.words[0]!);
    if (number.phrase || unit.phrase || !digits || !isUnit) continue;
    const also = [[...number.words.slice(0, -1), whole]];
    wanted.splice(i - 1, 2, termOf([...number.words, ...unit.words], { also }));
  }
}

/** A code as it was typed: its parts one after the other, or without what separates them. */
function codeOf(text: string): Code | undefined {
  const found = wordsOf(text);
  const whole = found.join("");
  return found.length > 0 ? { query: alternatives([found, [whole]], ":C"), keys: [whole] } : undefined;
}

/**
 * The same, of a thing that may also be called otherwise: a torch of "flashlight".
 * @returns undefined where it is called nothing else
 */
export function widened(asked: Asked): Asked | undefined {
  const others = asked.wanted.map(() => [] as string[]);
  const nouns = new Set<Term>();
  const within = new Set<Term>();
  for (let length = 1; length <= LONGEST; length++)
    for (let at = 0; at + length <= asked.wanted.length; at++) {
      const terms = asked.wanted.slice(at, at + length);
      if (terms.some(({ isQuoted }) => isQuoted)) continue;
      const found = alsoCalled(terms.flatMap(({ words }) => words).join(" "));
      for (const of of others.slice(at, at + length)) of.push(...found);
      if (found.length === 0) continue;
      nouns.add(terms.at(-1)!);
      // Of a "bin bag" the bag is the thing, and no bin.
      for (const other of terms.slice(0, -1)) within.add(other);
    }
  if (others.every(({ length }) => length === 0)) return undefined;
  const wanted = asked.wanted.map((term, i) => ({
    ...term,
    others: others[i]!.map((saying) => saying.split(" ")),
    isNoun: nouns.has(term) && !within.has(term),
  }));
  return { ...asked, wanted };
}

/** Of what is `widened` the words that may name the thing: what is also called otherwise, and `noun`; all where there are none. */
export function naming({ wanted }: Asked, noun: string | undefined): Pick<Asked, "wanted" | "preferred"> {
  const named = noun === undefined ? [] : wordsOf(noun);
  const things = wanted.filter(({ words, isNoun }) => isNoun || words.some((word) => named.includes(word)));
  return { wanted: things.length > 0 ? things : wanted, preferred: [] };
}

/** May it be the id of a product, rather than words, a measure or a GTIN? Eight digits are one more often than a GTIN. */
export const mayBeId = ({ code, text }: Asked): boolean =>
  code !== undefined &&
  (typeof parseGtin(text) === "string" || /^\d{8}$/.test(text.trim())) &&
  !glued.test(text.trim());

/** The ways in which feeds write the GTIN that the text is, if it is one; and as it is typed, since it may be an mpn or a sku. */
function gtinIn(text: string): string[][] | undefined {
  const digits = text.replace(/[\s-]/g, "");
  if (!/^(?=.*[1-9])(\d{8}|\d{12,14})$/.test(digits)) return undefined;
  return [...new Set([digits.padStart(14, "0"), digits.replace(/^0+/, ""), digits])].map((one) => [one]);
}

/** All that is wanted, as the text of a tsquery; empty when nothing is. @param weight of the places to find it in, such as ":A" */
export const all = ({ wanted }: Pick<Asked, "wanted">, weight = ""): string =>
  wanted.map((term) => expression(term, weight)).join(" & ");

/** What is preferred, too. */
export const closest = ({ wanted, preferred }: Asked, weight = ""): string =>
  all({ wanted: [...wanted, ...preferred] }, weight);

/** Every word of it, in every form, with blanks between; of what else a thing is called the noun. */
export const spoken = ({ wanted, preferred }: Pick<Asked, "wanted" | "preferred">): string =>
  [...wanted, ...preferred]
    .flatMap(({ words, others = [] }) => [...words, ...others.map((saying) => saying.at(-1)!)].flatMap(formsOf))
    .join(" ");

/** What is not wanted, as the text of a tsquery. */
export const none = ({ unwanted }: Asked): string | undefined =>
  unwanted.length > 0 ? unwanted.map((term) => expression(term)).join(" | ") : undefined;

const MAX_LOOSE_TERMS = 8;

const expressions = (terms: readonly Term[]): string[] =>
  [...new Set(terms.map((term) => expression(term)))].slice(0, MAX_LOOSE_TERMS);

/** Does it say whom a thing is for, or how many there are, and nothing else? Alone it is no match: a watch for men is no trainer for men. */
const saysLittle = ({ words }: Term): boolean => words.every((word) => isWearer(word) || countsThings(word));

/**
 * Some of what is wanted, as the texts of tsqueries: all terms but one, all but two, any two, any one. Those between would cost
 * the most and tell the least. Of more than eight terms the first eight count.
 */
export function some({ wanted }: Asked): string[] {
  const all = expressions(wanted);
  const { length } = all;
  const telling = expressions(wanted.filter((term) => !saysLittle(term)));
  const least = new Set([length - 1, length - 2, 2, 1].filter((count) => count < length && count > 0));
  return [...(least.size > 0 ? least : [1])]
    .sort((a, b) => b - a)
    .map((count) => atLeast(count, count === 1 && telling.length > 0 ? telling : all));
}

/** Any of what is wanted, and of what is preferred. */
export const any = ({ wanted, preferred }: Asked): string =>
  [...expressions(wanted), ...expressions(preferred)].join(" | ");

/** Short, since the index evaluates it for each candidate: what has not the first needs as many of the others. */
function atLeast(count: number, of: readonly string[]): string {
  const [first, ...others] = of;
  if (count >= of.length) return of.join(" & ");
  if (count === 1) return `(${of.join(" | ")})`;
  return `(${first} & ${atLeast(count - 1, others)} | ${atLeast(count, others)})`;
}

function expression({ words, phrase, also, others = [] }: Term, weight = ""): string {
  const ways = [
    together(words, phrase ? " <-> " : " & ", weight),
    ...(also.length > 0
      ? [
          alternatives(
            also.map((way) => way.map(apart)),
            weight,
          ),
        ]
      : []),
    ...others.map((saying) => together(saying, " <-> ", weight)),
  ];
  return ways.length > 1 ? `(${ways.join(" | ")})` : ways[0]!;
}

/** All of these words, each in any of its forms. */
const together = (words: readonly string[], join: " <-> " | " & ", weight: string): string =>
  `(${words
    .map((part) =>
      alternatives(
        formsOf(part).map((form) => [form]),
        weight,
      ),
    )
    .join(join)})`;

/** Any of these phrases. */
const alternatives = (phrases: string[][], weight = ""): string =>
  `(${phrases.map((phrase) => phrase.map((part) => `'${part}'${weight}`).join(" <-> ")).join(" | ")})`;

/** A word, or a number, as it may be written. */
function formsOf(part: string): readonly string[] {
  if (isArabic(part) && part.length > 2) return forms(part);
  const latin = part.replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 15));
  return latin === part ? written(part).map(apart) : [part, latin];
}
