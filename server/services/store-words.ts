// What a query for stores means beside its words as they stand: "outdoor shops in Ireland".
import { isEnglish } from "./catalog/function-words";
import { countryByName } from "./countries";
import { searchable } from "./fold";
import { ambiguousPlaces } from "./policy-words/places";

/** What all of them are and do. */
const ofAny = new Set(
  "shop shops store stores retailer retailers merchant merchants online sell sells selling all any every available".split(
    " ",
  ),
);

interface Meant {
  /** None where all of it is true of any store, or of any in the country. */
  words: string;
  country: string | undefined;
}

/** Places of another country than the one that they are called after. */
const namesakes = ["new england", "new mexico", "new south wales"];
const withNamesakes = (text: string): string =>
  namesakes.reduce((whole, name) => whole.replaceAll(name, name.replaceAll(" ", "_")), text);

const LONGEST_NAME = 5;
const telling = (words: readonly string[]): string[] => words.filter((word) => !isEnglish(word));

/** A query without what is true of any store, and the country that it names. @returns undefined where nothing of it is that */
export function meantBy(query: string): Meant | undefined {
  const all = withNamesakes(searchable(query)).split(" ");
  const words = telling(all);
  let country: string | undefined;
  for (let length = Math.min(LONGEST_NAME, words.length); length > 0 && !country; length--)
    for (let at = 0; at + length <= words.length && !country; at++) {
      country = places.get(words.slice(at, at + length).join(" "));
      if (country) words.splice(at, length);
    }
  const rest = words.filter((word) => !ofAny.has(word));
  const isOther =
    rest.length < all.length && (rest.length > 0 || country !== undefined || all.some((word) => ofAny.has(word)));
  return isOther ? { words: rest.join(" ").replaceAll("_", " "), country } : undefined;
}

/** Codes by the names of countries, but for names that are things or people as well. */
const places = new Map(
  [...countryByName]
    .filter(([name]) => !ambiguousPlaces.includes(name))
    .map(([name, code]) => [telling(searchable(name).split(" ")).join(" "), code]),
);
