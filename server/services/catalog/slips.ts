// Slips of the finger: which words are near to which, and how far.
import { isSmall, longSmallWords } from "./function-words";

/** Those of the others that are near enough, the nearest first. */
export function nearestOf(word: string, others: string[]): string[] {
  // Two letters left out of nine, as of "halloween", are as few as two wrong ones of eight.
  const most = (other: string) => (word.length < 8 && word.length + other.length < 16 ? 1 : 2);
  const isShort = word.length <= 4 && /^[a-z]+$/.test(word);
  const said = Math.min(...longSmallWords.map((small) => distance(word, small)));
  return (
    others
      .map((other) => ({ other, far: distance(word, other), alike: sharedStart(word, other) }))
      .filter(({ other, far }) => Math.floor(far) <= most(other) && far <= said && beginAlike(word, other, far))
      .filter(({ other, far }) => !isShort || (far <= 1 && other.length >= word.length))
      // "Lover" is no "over", which says nothing of a thing.
      .filter(({ other }) => other[0] === word[0] || !isSmall(other))
      .sort((a, b) => a.far - b.far || b.alike - a.alike || (a.other < b.other ? -1 : 1))
      .map(({ other }) => other)
  );
}

/** No slip of the hand gives a word another first letter, but for those that sound the same: "watch" is no match, "kamera" a camera. */
function beginAlike(one: string, other: string, far: number): boolean {
  const [a, b] = [asHeard(one), asHeard(other)];
  // One letter too many or too few, or two swapped, and nothing else.
  return a[0] === b[0] || (far < 2 && (a[1] === b[0] || a[0] === b[1]));
}
const asHeard = (word: string) => word.replace(/^ph/, "f").replace(/^c/, "k");

/** In slips. Of one slip it counts a little when a letter stands for another, and more when the first one is wrong: that is seldom. */
export function distance(one: string, other: string): number {
  const far = slipsBetween(one, other);
  if (far !== 1) return far;
  const isReplaced = one.length === other.length && [...one].sort().join("") !== [...other].sort().join("");
  return far + (isReplaced ? 0.25 : 0) + (sharedStart(one, other) === 0 ? 0.5 : 0);
}

/** Damerau and Levenshtein's: letters added, left out, replaced, and neighbours swapped, each once. */
function slipsBetween(one: string, other: string): number {
  const [a, b] = [[...one], [...other]];
  let [before, last] = [[] as number[], Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = last[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? before[j - 2]! + 1 : replaced;
      row.push(Math.min(replaced, swapped, last[j]! + 1, row[j - 1]! + 1));
    }
    [before, last] = [last, row];
  }
  return last[b.length]!;
}

function sharedStart(one: string, other: string): number {
  let i = 0;
  while (i < one.length && one[i] === other[i]) i++;
  return i;
}

/** Letters that a slip of the hand brings in, by script, folded. */
const alphabets = [
  "abcdefghijklmnopqrstuvwxyz",
  "абвгдежзиклмнопрстуфхцчшщъыьэюя",
  "αβγδεζηθικλμνξοπρστυφχψω",
  "אבגדהוזחטיךכלםמןנסעףפץצקרשת",
  "ابتثجحخدذرزسشصضطظعغفقكلمنهويىةء",
];

/** All that is one slip away from a word: trigrams find few of these when the word is short. */
export function slips(word: string): string[] {
  const own = [...word];
  const others = alphabets.find((alphabet) => alphabet.includes(own[0]!)) ?? "";
  const found: string[] = [];
  for (let i = 0; i <= own.length; i++) {
    const [start, next, after, end] = [
      own.slice(0, i).join(""),
      own[i] ?? "",
      own[i + 1] ?? "",
      own.slice(i + 2).join(""),
    ];
    found.push(start + after + end, start + after + next + end);
    for (const letter of others) found.push(start + letter + next + after + end, start + letter + after + end);
  }
  return found;
}
