// What changed between two published texts as they are read, paragraph by paragraph, and word by word where a paragraph was
// rewritten in part. An item that only got another number did not change; a paragraph that became an item did.
import { diffArrays } from "diff";
import { type Line, linesOf } from "~/lib/prose";

export interface DiffPiece {
  kind: "same" | "added" | "removed";
  text: string;
}
export interface DiffParagraph extends Omit<Line, "text"> {
  kind: "same" | "added" | "removed" | "changed";
  pieces: DiffPiece[];
}

/** Of two paragraphs that share less than this they are one that went and one that came. */
const KIN = 0.4;
/**
 * Words, or paragraphs, that went and came: what has more of them was written anew, and is not compared piece by piece, which
 * takes quadratic time.
 */
const MOST_EDITS = 500;

/** The paragraphs of both texts in their order, each with what became of it. */
export function diffOf(before: string, after: string): DiffParagraph[] {
  const found: DiffParagraph[] = [];
  let gone: Line[] = [];
  const settle = () => {
    found.push(...gone.map((line) => whole("removed", line)));
    gone = [];
  };
  const [old, now] = [linesOf(before), linesOf(after)];
  const changes = diffArrays(old, now, { comparator: isSame, maxEditLength: MOST_EDITS }) ?? [
    { value: old, added: false, removed: true },
    { value: now, added: true, removed: false },
  ];
  for (const { value, added, removed } of changes) {
    if (removed) gone.push(...value);
    else if (!added) {
      settle();
      found.push(...value.map((line) => whole("same", line)));
    } else {
      const came = value.map((line) => {
        const kin = gone[0] === undefined ? undefined : rewritten(gone[0], line);
        if (kin) gone.shift();
        return kin ?? whole("added", line);
      });
      // What went stands before what came in its place.
      if (!came.some(({ kind }) => kind === "changed")) settle();
      found.push(...came);
      settle();
    }
  }
  settle();
  return found;
}

const isSame = (one: Line, other: Line) => one.text === other.text && formOf(one) === formOf(other);

/** Whether it is a heading, a paragraph, or an item with or without a number. */
const formOf = ({ mark, isHeading }: Line) => (isHeading ? "heading" : mark.replace(/^\d+/, "1"));

const whole = (kind: DiffPiece["kind"], { text, ...line }: Line): DiffParagraph => ({
  ...line,
  kind,
  pieces: [{ kind, text }],
});

function rewritten({ text: before }: Line, { text: after, ...line }: Line): DiffParagraph | undefined {
  const [shorter, longer] = [before.length, after.length].sort((one, other) => one - other) as [number, number];
  if (shorter / longer < KIN) return undefined;
  const changes = diffArrays(words(before), words(after), { maxEditLength: MOST_EDITS });
  if (!changes) return undefined;
  const pieces = changes.map(
    ({ value, added, removed }): DiffPiece => ({
      kind: added ? "added" : removed ? "removed" : "same",
      text: value.join(""),
    }),
  );
  const shared = pieces.reduce((sum, { kind, text }) => sum + (kind === "same" ? text.length : 0), 0);
  return shared / longer >= KIN ? { ...line, kind: "changed", pieces } : undefined;
}

/** A word and the space after it: a date or a number is one word, not several. */
const words = (text: string) => text.match(/\S+\s*/g) ?? [];
