// How shoppers say what a store's policies say: "send it back" is a return, "get here" is a delivery. What a question means is
// looked for in every language: an agent may ask in another one than the store's (decision 0033).
import { isArabic, prefixes, withoutArticle } from "../arabic";
import { fold } from "../fold";
import { namesGoods } from "../google-taxonomy";
import { contractions } from "./contractions";
import * as english from "./english";
import { type ConceptName, lexicons } from "./lexicon";
import { ambiguousPlaces, countriesIn, englishPlaces, isPlaceAt, withTheUs } from "./places";
import { slipOf } from "./slips";

/** One thing that a question asks about. */
export interface Term {
  /** The shopper's own words, as web search reads them; empty when they are but a turn of phrase. */
  said: string;
  /** The policies' words for it, as `to_tsquery` reads them; empty when it is none of the concepts. */
  meant: string;
  /** How much that counts; 1 for most. */
  weight: number;
  /** What it would mean if one letter of it were wrong, empty for most; null for a saying and the name of goods, which are right. */
  perhaps: string | null;
  /** A country. */
  isPlace?: boolean;
}

/** A question in the language that knows the most of its words; English where none knows more that is not English as well. */
export const termsOf = (question: string): Term[] => {
  const folded = fold(question);
  const inEnglish = read(englishWords, wordsOf(fold(withTheUs(question)), englishWords));
  const inOthers = otherWords.map((language) => read(language, wordsOf(folded, language)));
  const other = inOthers.reduce((best, reading) =>
    (reading.known - best.known || reading.shared - best.shared) > 0 ? reading : best,
  );
  const terms = withoutPolicy((other.known > inEnglish.known ? other : inEnglish).terms);
  const others = terms.filter(({ isPlace }) => !isPlace);
  // Of a country all kinds of things may be asked, its capital among them.
  const isAskedOf = others.length === 0 || others.some(({ meant }) => meant !== "");
  return withPrice(withLength(withGift(isAskedOf ? terms : others)));
};

/** What all of them are. */
const policies = new Set(
  "policy policies politica politicas politique politiques richtlinie richtlinien beleid سياسة سياسات".split(" "),
);

/** A question for a policy is about what the policy is of: that the word stands in another one tells nothing. */
function withoutPolicy(terms: Term[]): Term[] {
  const others = terms.filter(
    ({ said, meant }) => meant !== "" || !said.split(" or ").some((word) => policies.has(word)),
  );
  return others.length > 0 ? others : terms;
}

/** How much the price of something counts that no policy is about: of all that a shop sells it may be asked. */
const OF_GOODS = 0.25;

/** What has a price of its own, too: that of a delivery is none of it. */
const services: readonly ConceptName[] = ["personalise", "giftWrap", "repair", "hire"];

function withPrice(terms: Term[]): Term[] {
  const meant = meaningOf("cost");
  const sold = new Set(["", meant, ...services.map(meaningOf)]);
  if (terms.some((term) => !sold.has(term.meant))) return terms;
  return terms.map((term) => (term.meant === meant ? { ...term, said: "", weight: OF_GOODS } : term));
}

/** How much a gift counts of which something else is asked: whether it can be returned. */
const OF_GIFTS = 0.25;

function withGift(terms: Term[]): Term[] {
  const meant = meaningOf("gift");
  if (terms.every((term) => term.meant === "" || term.meant === meant)) return terms;
  return terms.map((term) => (term.meant === meant ? { ...term, weight: OF_GIFTS } : term));
}

/** "How long do I have" is asked of a deadline; of a warranty, and of no return besides, how long it is. */
function withLength(terms: Term[]): Term[] {
  if (!isAbout(terms, "warranty") || isAbout(terms, "return")) return terms;
  const length = { meant: meaningOf("time"), weight: weightOf("time") };
  return terms.map((term) => (term.meant === meaningOf("period") ? { ...term, ...length } : term));
}

/** Is any of what a question asks about this? */
export const isAbout = (terms: readonly Term[], concept: ConceptName): boolean =>
  terms.some(({ meant }) => meant === meaningOf(concept));

interface Saying {
  pattern: readonly string[];
  /** How many the pattern has. */
  letters: number;
  concept: ConceptName;
  /** An English word as well. */
  isShared: boolean;
  /** A country: parcels go there, where it is a question about parcels. */
  isPlace?: boolean;
  /** Something else as well: a country where the words before it make it one. */
  isAmbiguous?: boolean;
}

interface Language {
  /** By the first letter of their first word. */
  sayings: ReadonlyMap<string, readonly Saying[]>;
  chatter: ReadonlySet<string>;
  /** Words that tell the language and nothing else. */
  common: ReadonlySet<string>;
  contractions: readonly [RegExp, string][];
}

const wordsIn = (text: string): string[] => text.match(/[\p{L}\p{N}]+/gu) ?? [];
const setOf = (text: string): Set<string> => new Set(wordsIn(fold(text)).map(withoutArticle));

function sayingsOf(
  words: Partial<Record<ConceptName, string>>,
  places: readonly string[],
  ambiguous: readonly string[] = [],
): Map<string, Saying[]> {
  const found = new Map<string, Saying[]>();
  const add = (text: string, of: Pick<Saying, "concept" | "isPlace" | "isAmbiguous">) => {
    const pattern = fold(text.replace(/^[~=]/, "")).split(" ").map(withoutArticle);
    const saying = { pattern, letters: pattern.join("").length, isShared: text.startsWith("="), ...of };
    const letter = pattern[0]![0]!;
    const others = found.get(letter);
    if (others) others.push(saying);
    else found.set(letter, [saying]);
  };
  for (const [concept, said] of Object.entries(words))
    for (const text of said.split("|")) add(text, { concept: concept as ConceptName });
  for (const place of places) add(place, { concept: "abroad", isPlace: true });
  for (const place of ambiguous) add(place, { concept: "abroad", isPlace: true, isAmbiguous: true });
  // "Lieferzeit" is of time, though "liefer*" is of delivery.
  for (const sayings of found.values()) sayings.sort((a, b) => b.letters - a.letters);
  return found;
}

const saidInEnglish = Object.fromEntries(Object.entries(english.concepts).map(([name, { said }]) => [name, said]));

const englishWords: Language = {
  sayings: sayingsOf(saidInEnglish, englishPlaces, ambiguousPlaces),
  chatter: setOf(english.chatter),
  common: setOf(english.common),
  contractions,
};

const otherWords: readonly Language[] = lexicons.map(({ language, words, places, chatter }) => ({
  sayings: sayingsOf(words, [...places.split("|"), ...countriesIn(language)]),
  chatter: setOf(chatter),
  common: new Set<string>(),
  contractions: [],
}));

/** What policies say of each concept, in any language, as the text of a tsquery. */
const meanings = new Map(
  Object.entries<Concept>(english.concepts).map(([name, { meant, query }]) => {
    const inEnglish = [...meant.split(" or ").map((text) => phrase(wordsIn(text))), ...(query ? [query] : [])];
    const elsewhere = lexicons.flatMap(({ words }) => words[name as ConceptName]?.split("|") ?? []).flatMap(lookedFor);
    return [name, [...new Set([...inEnglish, ...elsewhere])].join(" | ")];
  }),
);

function phrase(words: readonly string[]): string {
  return `(${words.map((word) => `'${word}'`).join(" <-> ")})`;
}

/** A single word of a lexicon, as policies may have it. */
function lookedFor(said: string): string[] {
  if (/^[~=]/.test(said) || said.includes(" ")) return [];
  const stem = withoutArticle(fold(said.replace("*", "")));
  const forms = isArabic(stem) ? prefixes.map((prefix) => prefix + stem) : [stem];
  return forms.map((form) => `'${form}'${said.endsWith("*") ? ":*" : ""}`);
}

const meaningOf = (concept: ConceptName) => meanings.get(concept)!;
/** `concepts` as what they are: their own type knows what each lacks. */
type Concept = Omit<english.Concept, "beside"> & { beside?: readonly ConceptName[] };
const conceptOf = (name: ConceptName): Concept => english.concepts[name];
const weightOf = (concept: ConceptName): number => conceptOf(concept).weight ?? 1;

function wordsOf(folded: string, { contractions }: Language): string[] {
  const plain = contractions.reduce((text, [form, words]) => text.replace(form, words), folded);
  return wordsIn(plain).filter((word) => !/^\d{1,2}$/.test(word));
}

interface Reading {
  terms: Term[];
  /** How many of the words this language knows, but for those that English has as well. */
  known: number;
  /** How many of those: they tell it from other languages alone. */
  shared: number;
}

/** How much what a concept is about besides counts. */
const BESIDE = 0.5;

function read(language: Language, words: readonly string[]): Reading {
  const terms: Term[] = [];
  const bareWords = words.map(withoutArticle);
  let [known, shared] = [0, 0];
  for (let at = 0; at < words.length; ) {
    const word = words[at]!;
    const found = longestSaying(language, bareWords, at);
    if (found) {
      const { concept, length, pattern, isShared, isPlace } = found;
      const said = length === 1 && !conceptOf(concept).isMeantOnly ? asItMayStand(word) : "";
      terms.push({
        said,
        meant: meaningOf(concept),
        weight: weightOf(concept),
        perhaps: null,
        ...(isPlace && { isPlace }),
      });
      for (const name of conceptOf(concept).beside ?? [])
        terms.push({ said: "", meant: meaningOf(name), weight: BESIDE * weightOf(name), perhaps: null });
      // What stands in a gap is asked about too: "send climbing gear back".
      const isOfIt = (inner: string) => pattern.some((part) => isWord(part, withoutArticle(inner)));
      const between = words.slice(at + 1, at + length).filter((inner) => !isOfIt(inner));
      const inner = read(language, between);
      terms.push(...inner.terms);
      const tells = !isShared && (length > 1 || !isEnglishToo(language, word));
      known += (tells ? length - between.length : 0) + inner.known;
      shared += (tells ? 0 : 1) + inner.shared;
    } else if (language.chatter.has(bareWords[at]!)) {
      if (isEnglishToo(language, word)) shared += 1;
      else known += 1;
    } else {
      if (language.common.has(word)) known += 1;
      terms.push({
        said: asItMayStand(word),
        meant: "",
        weight: 1,
        perhaps: perhapsMeant(language, word),
      });
    }
    at += found?.length ?? 1;
  }
  return { terms, known, shared };
}

function perhapsMeant({ sayings }: Language, word: string): string | null {
  if (namesGoods(word)) return null;
  const slip = slipOf(word, sayings.get(word[0]!) ?? []);
  return slip ? meaningOf(slip.concept) : "";
}

/** Goods are called so in English: "casserole", "hat" and "cargo" tell no other language from it. */
const isEnglishToo = (language: Language, word: string): boolean =>
  language !== englishWords && word.length > 2 && namesGoods(word);

/** A word that is no concept: in Arabic with or without what may be written onto it. */
const asItMayStand = (word: string): string =>
  isArabic(word) ? prefixes.map((prefix) => prefix + withoutArticle(word)).join(" or ") : word;

/** The saying that takes the most of `words` from `at` on, and how many it takes; of several the one with most letters. */
function longestSaying(
  { sayings }: Language,
  words: readonly string[],
  at: number,
): (Saying & { length: number }) | undefined {
  let longest: (Saying & { length: number }) | undefined;
  for (const saying of sayings.get(words[at]![0]!) ?? []) {
    if (saying.isAmbiguous && !isPlaceAt(words, at)) continue;
    const length = taken(saying.pattern, words, at);
    if (length > (longest?.length ?? 0)) longest = { ...saying, length };
  }
  return longest;
}

const GAP = 3;

/** How many of `words`, from `at` on, the pattern takes; 0 when it does not fit. */
function taken(pattern: readonly string[], words: readonly string[], at: number): number {
  const [first, ...rest] = pattern;
  if (first === "..") {
    for (let skip = 0; skip <= GAP; skip++) {
      const after = taken(rest, words, at + skip);
      if (after > 0) return skip + after;
    }
    return 0;
  }
  if (first === undefined || !isWord(first, words[at] ?? "")) return 0;
  if (rest.length === 0) return 1;
  const after = taken(rest, words, at + 1);
  return after > 0 ? after + 1 : 0;
}

const isWord = (pattern: string, word: string): boolean =>
  pattern.endsWith("*") ? word.startsWith(pattern.slice(0, -1)) : word === pattern;
