// How other languages speak of what policies are about.
import { arabic } from "./arabic";
import { dutch } from "./dutch";
import type { concepts } from "./english";
import { french } from "./french";
import { german } from "./german";
import { italian } from "./italian";
import { portuguese } from "./portuguese";
import { spanish } from "./spanish";

export type ConceptName = keyof typeof concepts;

export interface Lexicon {
  /** BCP 47. */
  language: string;
  /**
   * By concept, what shoppers say, separated by `|`. `*` ends a word anyhow, `..` stands for up to three words. A single
   * word is looked for in policies too, unless it begins with `~`, since it says too little, or with `=`: it is an English word as
   * well, and does not tell the language from English either.
   */
  words: Partial<Record<ConceptName, string>>;
  /** What countries are called besides their names. */
  places: string;
  /** Words that no policy is about: they tell the language, and are left out. */
  chatter: string;
}

/** Those that come first win where a question is in both. */
export const lexicons: readonly Lexicon[] = [spanish, portuguese, german, french, italian, dutch, arabic];
