// What the variants of a product are called together.

interface Titles {
  /** Of the titles in code point order: what these two share, all share. */
  least: string;
  greatest: string;
  /** Characters of the shortest. */
  shortest: number;
  /** Of the variant whose offer the product shows. */
  shown: string;
  brand: string | null;
}

/**
 * The longest beginning in whole words that all titles share, if it says enough: each goes on after it with a separator
 * that the merchant set (`Tow Float - 15 L`), or it has at least three words, or 60 % of the shortest title. A brand or
 * a code alone says too little. Else it is the title that goes with the price. What would dangle at the end
 * (`Pegs - Pack of`, `Boot - EU`, `Runner - 65 x`) goes.
 */
export function sharedTitle({ least, greatest, shortest, shown, brand }: Titles): string {
  const [one, other] = [least.split(" "), greatest.split(" ")];
  const differ = one.findIndex((word, i) => word !== other[i]);
  const shared = differ < 0 ? least : withoutJoint(one.slice(0, differ).join(" "));
  const words = shared.split(" ").filter((word) => /[\p{L}\p{N}]/u.test(word));
  const isNamed = words.some((word) => !/\p{N}/u.test(word)) && shared.toLowerCase() !== brand?.toLowerCase();
  const goesOn = [least, greatest].map((title) => separator.exec(title.slice(shared.length))?.[0]);
  const isParted = isNamed && goesOn[0] !== undefined && goesOn[0] === goesOn[1];
  return shared !== "" && (words.length >= 3 || shared.length >= 0.6 * shortest || isParted) ? shared : shown;
}

/** What parts a name from the choice after it. */
const separator = /^(?:\s+[-–—/|·•([]|[,;:])/u;
/** A quotation mark behind a word closes, or stands for inches. */
const separators = /(?:[\s\-–—,;:/|·•+&([{]|(?<=[\s([{])["'“‘])+$/u;
/** Words that join what follows: English, German, French, Spanish, Italian, Portuguese, Dutch. Single letters may be names (`Vitamin A`). */
const connecting = new Set(
  `an and as at by for from in of on or the to with auf aus das der die für im mit oder und von zu avec de des du en et
  la le les ou pour con da del di el para per por do met van voor`.split(/\s+/),
);
/** What names or counts the choice to come, after a separator: `- Pack`, `, Size`. */
const heading =
  /[-–—,;:/|·•([]\s*(?:pack|set|box|case|bundle|size|length|width|height|colou?r|größe|farbe|taille|couleur|talla|taglia|colore|cor|maat|kleur)$/iu;
/** Whose sizes or what measure follows, after a separator: `- EU`, `(UK`. */
const system = /[-–—,;:/|·•([]\s*(?:size\s+)?(?:eur?|uk|usa?|fr|it|de|jp|aus?|mm|cm|ml|kg)$/iu;
/** The beginning of a measure: `65 x`, `40 cm x 60 x`. */
const openMeasure = /(?:^|\s)(?:\d+(?:[.,]\d+)?(?:\s?(?:mm|cm|m|in))?\s?[x×]\s?)+$/iu;

function withoutJoint(text: string): string {
  let shared = text.replace(system, "").replace(openMeasure, "");
  for (let before = ""; before !== shared; ) {
    before = shared;
    shared = shared.replace(separators, "").replace(heading, "");
    const last = shared.slice(shared.lastIndexOf(" ") + 1);
    // In capitals it is a name: `THE WHO`.
    if (connecting.has(last.toLowerCase()) && last !== last.toUpperCase()) shared = shared.slice(0, -last.length);
  }
  return shared;
}
