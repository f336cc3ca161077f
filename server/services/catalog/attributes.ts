// What filters ask for by equality, as products have it in their tokens.
import { tokenNameOf } from "../feeds/token";
import { ageGroupOf, genderOf } from "../feeds/vocabulary";
import { fold } from "../fold";
import { spellings } from "./same-words";

/** @param values folded */
export const tokens = (name: string, values: readonly string[]): string[] => values.map((value) => `${name}=${value}`);

/**
 * What is made of a filter's values, once: a search is read up to a dozen times, each with the same lists, and to fold the longest
 * that may be asked for takes ten times as long as all else.
 */
export function onceMade(make: (value: string) => string): (values: readonly string[]) => readonly string[] {
  const known = new WeakMap<readonly string[], readonly string[]>();
  return (values) => {
    const made = known.get(values) ?? values.map(make);
    known.set(values, made);
    return made;
  };
}

export const foldedEach = onceMade(fold);

/** An attribute's name in tokens, where it is as Google's product data has it. */
export const attributeName = (name: string): string => (fold(name) === "colour" ? "color" : tokenNameOf(name));

/** Systems of sizes, which Google's product data keeps apart from the size, and merchants write before it. */
const sizeSystems = ["au", "br", "cn", "de", "eu", "fr", "it", "jp", "mex", "uk", "us"];
const sized = new RegExp(`^(${sizeSystems.join("|")})?\\s*(\\d+(?:[.,/ ]\\d+)*)$`);

/** `US 8.5` is `us8.5` and `8.5`, which may be one of any system. */
function sizesOf(value: string): string[] {
  const [, system, size] = sized.exec(value) ?? [];
  if (size === undefined) return [value];
  const systems = system === undefined ? sizeSystems : [system];
  return [size, ...systems.flatMap((one) => [`${one}${size}`, `${one} ${size}`])];
}

/** Words that a colour may have to be sought in all its spellings: of a text of hundreds they would be copied for each of them. */
const MOST_OF_COLOUR = 6;

/** The values of an attribute, folded, by its name in tokens, and what else they may be called there. */
export function valuesOf(name: string, values: readonly string[]): readonly string[] {
  const folded = foldedEach(values);
  switch (name) {
    case "gender":
      return folded.flatMap((value) => [value, genderOf(value) ?? value]);
    case "age_group":
      return folded.flatMap((value) => [value, ageGroupOf(value) ?? value]);
    case "size":
      return folded.flatMap(sizesOf);
    case "color":
      return folded.flatMap((value) => (value.split(" ").length > MOST_OF_COLOUR ? value : spellings(value)));
    default:
      return folded;
  }
}
