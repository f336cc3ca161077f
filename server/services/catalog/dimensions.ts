// Lengths by one another, and packs of several by what each holds, as feeds and shoppers write them: `45x45`, `45 x 45 cm`,
// `45*45`, `18" × 18"`, `70cm x 140cm`; `6 x 330 ml`, `2x8GB`.

const number = String.raw`\d+(?:[.,]\d+)?`;
const units = ["cm", "mm", "m", "in", "inch", "inches", "ft"];
const unit = String.raw`(?:\s?(?:${units.join("|")})(?=\s*[x×*]\s*\d|\P{L}|$)|["”″′'])?`;
/** Of what a pack holds: without them it would be a length. */
const contents = "(ml|cl|dl|l|g|kg|mg|oz|lbs?|w|v|ah|mah|mb|gb|tb)";
const written = new RegExp(
  String.raw`(?<!\S)["“”„«][^"“”«»]*["“”»]?|(?<![\p{L}\p{N}.,])${number}${unit}(?:\s*[x×*]\s*${number}${unit}){1,2}(?:\s?${contents})?(?![\p{L}\p{N}])`,
  "giu",
);
const parts = new RegExp(`(${number})(?:\\s?(${units.join("|")}))?`, "gi");
const joined = new RegExp(`^(${number}(?:x${number}){1,2})${contents}?$`, "i");

/**
 * `text` with each of them in one word: lengths without their unit, `45x45`, since few write one; packs with it, `6x330ml`. What is
 * quoted stays as it is.
 */
export const dimensionsJoined = (text: string): string =>
  text.replace(written, (found: string, content = "") =>
    /^["“”„«]/.test(found) ? found : [...found.matchAll(parts)].map(([, length]) => length).join("x") + content,
  );

/** Is it one that `dimensionsJoined` wrote? */
export const isDimension = (word: string): boolean => joined.test(word);

/** The ways to write it, each as a text whose words follow one another. */
export function waysToWrite(dimension: string): string[] {
  const [, numbers, content] = joined.exec(dimension)!;
  const lengths = numbers!.split("x");
  if (content !== undefined) return waysToWritePack(lengths, content);
  const apart = (all: string[]) => [all.join(" "), all.join(" x ")];
  const each = units.flatMap((unit) => [dimension + unit, ...apart(lengths.map((length) => length + unit))]);
  return [...apart(lengths), lengths.join(" x"), ...each];
}

/** How many, and what each holds; or the other way round. */
function waysToWritePack(numbers: readonly string[], content: string): string[] {
  const wholes = [content, ` ${content}`].map((unit) => [...numbers.slice(0, -1), numbers.at(-1) + unit]);
  return [...wholes, ...wholes.map((whole) => whole.toReversed())].flatMap((whole) =>
    ["x", " x", "x ", " x ", " "].map((by) => whole.join(by)),
  );
}
