// What stands in quotes is meant as it is written. A quote begins where a word does: after a number it is inches.

/** Each run in quotes, with its minus; one that is not closed goes on to the end. */
export const quotedRun = /(?<!\S)-?["“”„«][^"“”«»]*["“”»]?/gu;

/** What a minus leaves out, as `ask` reads it. */
export const unwanted = /(?<!\S)-(?!\p{N})(?:["“”„«][^"“”«»]*["“”»]?|\S+)/gu;

export const isQuoted = (text: string): boolean => /(?<!\S)-?["“”„«]/u.test(text);
