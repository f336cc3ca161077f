// The one normal form in which words are compared: filter tokens, titles, search words.

/** `text` in lower case, without accents (NFKD, marks stripped), white space collapsed and trimmed. Folding twice changes nothing. */
export function fold(text: string): string {
  // Plain ASCII, which most of a catalogue is, has nothing to decompose.
  const bare = ascii.test(text) ? text.toLowerCase() : decomposed(text);
  return bare.replace(/\s+/g, " ").trim();
}

const ascii = /^[\x20-\x7e]*$/;

// Lower case can bring new marks (İ) and new compositions, so both sides of it are decomposed.
const decomposed = (text: string): string =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "");
