// The languages that products are indexed in beside English, each with stems of its own (`aisle_pt` … in the database,
// decision 0043). Arabic is not among them: `arabic.ts` asks for its words in every form.
import { fold } from "./fold";

interface Language {
  /** Words that hold its sentences together. */
  words: string;
  /** Words that put two things beside each other: `bolsas e malas`. */
  and: string;
  /** What a name is about stands first in it: `bolsas de mulher`, `bolsas pretas`. */
  nounFirst: boolean;
}

const table = {
  pt: {
    words:
      "de da do das dos um uma uns umas em na no nas nos num numa ao aos à às a o os as e ou para por pelo pela pelos pelas com sem que se seu sua meu minha é são este esta até",
    and: "e|ou",
    nounFirst: true,
  },
  es: {
    words:
      "de del la el los las lo un una unos unas en a al e y o u para por con sin que se su sus mi mis es son este esta hasta",
    and: "e|y|o|u",
    nounFirst: true,
  },
  fr: {
    words:
      "de la le les du des un une en ou à au aux et avec sans sur pour par chez dans que se mon ma mes d l son sa ses",
    and: "et|ou",
    nounFirst: true,
  },
  it: {
    words:
      "il lo la i gli le un una di del della dei delle dello degli da nel nella e o con per tra fra che mio mia al alla alle allo ai agli dal dalla",
    and: "e|o",
    nounFirst: true,
  },
  de: {
    words: "der die das den dem des ein eine einen einem einer für mit ohne und oder von vom zum zur im am auf aus bei",
    and: "und|oder",
    nounFirst: false,
  },
  nl: {
    words: "de het een en of voor met zonder van op bij mijn",
    and: "en|of",
    nounFirst: false,
  },
} satisfies Record<string, Language>;

export type LanguageCode = keyof typeof table;
export const codes = Object.keys(table) as LanguageCode[];

const sets = new Map(codes.map((code) => [code, new Set(fold(table[code].words).split(" "))]));

/** Does the word say nothing of a thing in this language? */
export const holdsTogether = (language: LanguageCode, word: string): boolean => sets.get(language)!.has(word);

const arabic = "من في مع على الي عن و او هذا هذه التي الذي";

/** Words that hold sentences together, in any of the languages and in Arabic. */
export const functionWords: ReadonlySet<string> = new Set([
  ...codes.flatMap((code) => [...sets.get(code)!]),
  ...fold(arabic).split(" "),
]);

export const isNounFirst = (language: LanguageCode): boolean => table[language].nounFirst;

export const nounFirst: readonly LanguageCode[] = codes.filter(isNounFirst);

/** The things that a name puts beside each other, as these languages and English do. */
export function thingsIn(name: string, languages: readonly LanguageCode[]): string[] {
  const ands = ["and", ...languages.map((code) => table[code].and)].join("|");
  return name.split(new RegExp(`[&,/+]|(?<![\\p{L}\\p{N}])(?:${ands})(?![\\p{L}\\p{N}])`, "iu"));
}

/**
 * Of a store's stated languages (BCP 47) those that we know; none where English is all of them.
 * @returns undefined where nothing that we know is stated
 */
export function statedLanguages(tags: readonly string[]): LanguageCode[] | undefined {
  const stated = new Set(tags.map((tag) => tag.split("-")[0]!.toLowerCase()));
  const known = codes.filter((code) => stated.has(code));
  return known.length > 0 || stated.has("en") ? known : undefined;
}
