// Lengths by one another, as feeds and shoppers write them: `45x45`, `45 x 45 cm`, `45*45`, `18" × 18"`, `70cm x 140cm`.

const number = String.raw`\d+(?:[.,]\d+)?`;
const units = ["cm", "mm", "m", "in", "inch", "inches", "ft"];
const unit = String.raw`(?:\s?(?:${units.join("|")})(?=\s*[x×*]\s*\d|\P{L}|$)|["”″′'])?`;
const written = new RegExp(
  String.raw`(?<!\S)["“”„«][^"“”«»]*["“”»]?|(?<![\p{L}\p{N}.,])${number}${unit}(?:\s*[x×*]\s*${number}${unit}){1,2}(?![\p{L}\p{N}])`,
  "giu",
);
const parts = new RegExp(`(${number})(?:\\s?(${units.join("|")}))?`, "gi");
const joined = new RegExp(`^${number}(?:x${number}){1,2}$`);

/** `text` with each of them in one word, `45x45`, without its unit: few write one. What is quoted stays as it is. */
export const dimensionsJoined = (text: string): string =>
  text.replace(written, (found) =>
    /^["“”„«]/.test(found) ? found : [...found.matchAll(parts)].map(([, length]) => length).join("x"),
  );

/** Is it one that `dimensionsJoined` wrote? */
export const isDimension = (word: string): boolean => joined.test(word);

/** The ways to write it, each as a text whose words follow one another. */
export function waysToWrite(dimension: string): string[] {
  const lengths = dimension.split("x");
  const apart = (all: string[]) => [all.join(" "), all.join(" x ")];
  const each = units.flatMap((unit) => [dimension + unit, ...apart(lengths.map((length) => length + unit))]);
  return [...apart(lengths), lengths.join(" x"), ...each];
}
