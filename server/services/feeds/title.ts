// What the variants of a product are called together.

/**
 * The longest beginning in whole words that all titles share, if it says enough: at least three words, or 60 % of the
 * shortest title. Else the first variant's title stands for all.
 * @param least, greatest of the titles in code point order: what these two share, all share
 */
export function sharedTitle(titles: { least: string; greatest: string; shortest: number; first: string }): string {
  const [one, other] = [titles.least.split(" "), titles.greatest.split(" ")];
  const differ = one.findIndex((word, i) => word !== other[i]);
  const shared = (differ < 0 ? one : one.slice(0, differ)).join(" ").replace(/[\s\-–—,;:/|·([{]+$/u, "");
  const words = shared.split(" ").filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
  return shared !== "" && (words >= 3 || shared.length >= 0.6 * titles.shortest) ? shared : titles.first;
}
