/** As a page shows it: white space in a row is one space, and what only looks the same is the same. */
const shown = (text: string) => text.normalize("NFC").replace(/\s+/gu, " ").trim();

/** Is this the name, as somebody types it who reads it on a page? */
export const isName = (typed: string, name: string): boolean => shown(typed) === shown(name);
