const signs = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const SEEN = /[^\p{C}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}]/u;

/** The first sign of a name's first and last word that can be seen: a flag, or a letter with its accents, is one sign. */
export function initials(name: string): string {
  const words = name.split(/\s+/).flatMap((word) => {
    const first = [...signs.segment(word)].find(({ segment }) => SEEN.test(segment));
    return first ? [first.segment.toUpperCase()] : [];
  });
  return `${words[0] ?? "?"}${words.length > 1 ? words.at(-1) : ""}`;
}
