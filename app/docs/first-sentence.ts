/** Of a tool's description, for where there is no room for all of it. */
export const firstSentence = (text: string): string => text.split(/(?<=\.)\s/, 1)[0]!;
