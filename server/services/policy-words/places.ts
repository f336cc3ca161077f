// What countries are called, and when a word that is mostly something else is one.
import { countryNames } from "../countries";

/** What countries are called in English besides their names. */
const alsoInEnglish =
  "the us|u s|u s a|usa|america|korea|britain|england|scotland|wales|german*|holland|czech*|dubai|emirates|uae|uk|ivory coast|burma|macedonia";

/** No place abroad to the demo store: it is looked for as the word that it is. */
const notAbroad = "Ireland";

/** Names that are things or people as well: countries where a sentence makes them places. */
export const ambiguousPlaces: readonly string[] =
  "Turkey|China|Guernsey|Jersey|Jordan|Georgia|Chad|Guinea|Mali|Panama|Bermuda|Curaçao|Réunion|Chile|Cuba".split("|");

/** Abbreviations in capitals are words in small letters: "US" is "us". */
const isAbbreviation = (name: string): boolean => /^[\p{Lu}.\s-]+$/u.test(name);

/** Countries in another language than English, but for those that are things in some: a jersey goes back more often than it goes to Jersey. */
export const countriesIn = (language: string): string[] => [
  ...new Set(
    countryNames(language)
      .filter((name) => !isAbbreviation(name) && !name.startsWith("Jersey"))
      .map((name) => name.replace(/ \(.*\)/, ""))
      .flatMap((name) => [name, name.replace("&", "and")])
      .map((name) => (name.match(/[\p{L}\p{N}]+/gu) ?? []).join(" ")),
  ),
];

const apart: ReadonlySet<string> = new Set([...ambiguousPlaces, notAbroad]);

export const englishPlaces: readonly string[] = [
  ...alsoInEnglish.split("|"),
  ...countriesIn("en").filter((name) => !apart.has(name)),
];

const towards = new Set(["to", "into", "in", "within", "from", "outside", "via"]);
const parcels = new Set(["ship", "shipping", "delivery", "postage"]);

/** Is the word at `at`, which may be a country's name, one here: "ship to Turkey", "shipping Turkey", but not "sell turkey"? */
export const isPlaceAt = (words: readonly string[], at: number): boolean => {
  const before = words[at - 1] ?? "";
  return towards.has(before) || (at === words.length - 1 && parcels.has(before));
};

/** `question` with "US" as "the US" where its capitals tell the country from people. */
export const withTheUs = (question: string): string =>
  /\p{Ll}/u.test(question) ? question.replace(/\bUS\b/g, "the US") : question;
