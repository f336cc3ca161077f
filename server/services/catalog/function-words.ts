// Words that hold a sentence together. PostgreSQL's list for English is parted in two: what says nothing of a thing is in
// no index and never asked for, what may be the very thing that is meant ("down" jackets) is. Of other languages the index
// keeps them all. Some are names too ("La Roche"): they are looked for first, and left out of what finds nothing as it is.
import { fold, searchable } from "../fold";
import { functionWords } from "../languages";
import { isQuoted } from "./quoted";

const silent = new Set(
  [
    "i me my myself we our ours ourselves you your yours yourself yourselves he himself she herself it its itself they them",
    "their theirs themselves what which whom this that these those am is are was were be been being have has had having do",
    "does did doing a an the and but if or because as until while of at by for with about into during to from again then",
    "here there when where why how any each other some such nor so than too very s should",
  ].flatMap((line) => line.split(" ")),
);

/** "I'm", "don't": what is said so in short says nothing of a thing. Whose it is, does: "men's". */
export const isShortened = (text: string): boolean => /^\p{L}+(?:['’](?:m|re|ve|ll|d)|n['’]t)$/iu.test(text);

/** Those of a text's words (`searchable`) that stand in the index. */
export const telling = (words: readonly string[]): string[] => words.filter((word) => !silent.has(word));

const small = new Set(
  [
    "above after against all before below between both can don down few further her hers him his in just more most no not now",
    "off on once only out over own same t through under up who will without",
  ].flatMap((line) => line.split(" ")),
);

/** What is said around a thing when somebody asks for it. How large, in which colour, for how much and whether there is any are filters. */
const asking = new Set(
  [
    "affordable aged anyone anything available best bestseller bestsellers bestselling buy buying cheap cheaper cheapest color",
    "colour cost could enjoys equipment essentials extra extras find gear get give good goods great help idea ideas ideally inexpensive",
    "item items latest like likes look looking lovely loves made need needs newest nice old options please popular possible possibly",
    "prefer preferably price product products recommend recommendation recommendations recommended sale sell sells show size sizes",
    "someone something stock stuff suggest suggestion suggestions suitable supplies tell thing things want wants would year years",
  ].flatMap((line) => line.split(" ")),
);

/** What stands for all that there is to buy, in the languages that products are indexed in. */
const whatever = new Set(
  [
    "anything catalog catalogue equipment everything gear goods item items merchandise product products something stuff supplies",
    "thing things produto produtos producto productos produit produits prodotto prodotti produkt produkte producten",
  ].flatMap((line) => line.split(" ")),
);

/** Is it a word that is mostly said in passing, and sometimes what is meant: a watering "can", shoes by "On", "size" labels? */
export const isSmall = (word: string): boolean => small.has(word) || asking.has(word);

const counting = new Set("set sets pair pairs bundle bundles piece pieces".split(" "));

/** How many there are of a thing, and not what it is: of a "light set" the light. */
export const countsThings = (word: string): boolean => counting.has(word);

const wearers = new Set(
  [
    "men mens man mans women womens woman womans ladies gents adult adults unisex",
    "kid kids child children childrens boy boys girl girls toddler toddlers",
    "mum mums mom moms mother mothers dad dads father fathers parent parents wife husband girlfriend boyfriend partner",
    "son daughter brother sister nephew niece grandma grandmother grandpa grandfather grandparents friend friends",
  ].flatMap((line) => line.split(" ")),
);

const persons = new Map(
  Object.entries({
    men: "husband boyfriend dad father brother grandpa grandfather uncle fiance",
    women: "wife girlfriend mum mom mother sister grandma grandmother aunt fiancee",
    "boys kids": "son grandson nephew",
    "girls kids": "daughter granddaughter niece",
  }).flatMap(([wearers, all]) => all.split(" ").map((person) => [person, wearers.split(" ")] as const)),
);

const whose = /^(?:for|my|our|his|her|your)$/i;

/** Whom things are said to be for that are for such a person: men's, "for my husband". "Mom jeans" are no women's. */
export const wornBy = (before: string, person: string): readonly string[] =>
  (whose.test(before) ? persons.get(person) : undefined) ?? [];

const portions = new Set("pack packs packet packets box boxes roll rolls sheet sheets pcs".split(" "));

/** Before "of", how much there is of a thing, or what it comes in: a "roll" of tape, a "set" of mugs. */
export const isPortion = (word: string): boolean => counting.has(word) || portions.has(word);

/** Whom a thing is for, and not what it is. */
export const isWearer = (word: string): boolean => wearers.has(word);

const presents = new Set("gift gifts present presents".split(" "));

/** What a thing is bought as, and not what it is: of a "gift for a runner" nothing is said but whom it is for. */
export const isPresent = (word: string): boolean => presents.has(word);

const every = new Set("todo todos todas tout tous toutes tutti tutte alle".split(" "));

/** Is it a word for whatever there is: of "pet supplies" the last? A title that has it is no nearer to what is meant. */
export const isWhatever = (word: string): boolean => whatever.has(word);

/** Does a query ask for whatever there is: "all products", "show me everything you sell"? */
export function asksForAll(query: string): boolean {
  if (isQuoted(query) || /(?<!\S)-/.test(query)) return false;
  const words = searchable(query).split(" ");
  const saysNothing = (word: string) => silent.has(word) || isSmall(word) || every.has(word) || functionWords.has(word);
  return words.some((word) => whatever.has(word)) && words.every((word) => whatever.has(word) || saysNothing(word));
}

/** Those of six letters or more: shorter ones are a slip away from too many things. */
export const longSmallWords: readonly string[] = [...silent, ...small, ...asking].filter(({ length }) => length >= 6);

/** Is it a word that holds English sentences together? */
export const isEnglish = (word: string): boolean => silent.has(word) || small.has(word);

const before = new Set("above after against before below between in through under who without".split(" "));

/** Does what follows this word say something of what stands before it, in English: a dress "in" red? Others stand in names: "carry on", "black and white". */
export const belongsTo = (word: string): boolean =>
  before.has(word) || (silent.has(word) && word !== "and" && word !== "or");

/** `T-shirt` as `T shirt`, `3-person` as `3 person`: so that not all of it is needed. What is not wanted stays as it is. */
export const withSmallWordsApart = (text: string): string =>
  text.replace(/(?<!\S)[^\s"“”„«-]+(?:-[^\s"“”„«-]+)+/g, (joined) => {
    const parts = joined.split("-");
    return parts.some((part) => isSmall(fold(part))) || /^\d+-\p{L}{2,}/u.test(joined) ? parts.join(" ") : joined;
  });

/** `text` without the words that hold sentences of other languages together, unless nothing else is left; as it is where something is quoted. */
export function withoutFunctionWords(text: string): string {
  if (isQuoted(text)) return text;
  const words = text.trim().split(/\s+/);
  const kept = words.filter((word) => !functionWords.has(fold(word)));
  return kept.length > 0 && kept.length < words.length ? kept.join(" ") : text;
}
