// What the variants of a product are called together.

/**
 * The longest beginning in whole words that all titles share, if it says enough: at least three words, or 60 % of the
 * shortest title. Else the first variant's title stands for all. What would dangle at its end (`Pegs - Pack of`) goes.
 * @param least, greatest of the titles in code point order: what these two share, all share
 */
export function sharedTitle(titles: { least: string; greatest: string; shortest: number; first: string }): string {
  const [one, other] = [titles.least.split(" "), titles.greatest.split(" ")];
  const differ = one.findIndex((word, i) => word !== other[i]);
  const shared = differ < 0 ? one.join(" ") : withoutJoint(one.slice(0, differ).join(" "));
  const words = shared.split(" ").filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
  return shared !== "" && (words >= 3 || shared.length >= 0.6 * titles.shortest) ? shared : titles.first;
}

const separators = /[\s\-–—,;:/|·•+&([{"'“‘]+$/u;
/** Words that join what follows: English, German, French, Spanish, Italian, Portuguese, Dutch. Single letters may be names (`Vitamin A`). */
const connecting = new Set(
  `an and as at by for from in of on or the to with auf aus das der die für im mit oder und von zu avec de des du en et
  la le les ou pour con da del di el para per por do met van voor`.split(/\s+/),
);
/** What names or counts the choice to come, after a separator: `- Pack`, `, Size`. */
const heading =
  /[-–—,;:/|·•([]\s*(?:pack|set|box|case|bundle|size|colou?r|größe|farbe|taille|couleur|talla|taglia|colore|cor|maat|kleur)$/iu;

function withoutJoint(text: string): string {
  let shared = text;
  for (let before = ""; before !== shared; ) {
    before = shared;
    shared = shared.replace(separators, "").replace(heading, "");
    const last = shared.slice(shared.lastIndexOf(" ") + 1);
    // In capitals it is a name: `THE WHO`.
    if (connecting.has(last.toLowerCase()) && last !== last.toUpperCase()) shared = shared.slice(0, -last.length);
  }
  return shared;
}
