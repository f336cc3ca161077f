// What changed between two texts, paragraph by paragraph, and word by word where a paragraph was rewritten in part.
import { diffArrays } from "diff";

export interface DiffPiece {
  kind: "same" | "added" | "removed";
  text: string;
}
export interface DiffParagraph {
  kind: "same" | "added" | "removed" | "changed";
  pieces: DiffPiece[];
}

/** Of two paragraphs that share less than this they are one that went and one that came. */
const KIN = 0.4;

/** The paragraphs of both texts in their order, each with what became of it. */
export function diffOf(before: string, after: string): DiffParagraph[] {
  const found: DiffParagraph[] = [];
  let gone: string[] = [];
  const settle = () => {
    for (const text of gone) found.push({ kind: "removed", pieces: [{ kind: "removed", text }] });
    gone = [];
  };
  for (const { value, added, removed } of diffArrays(paragraphs(before), paragraphs(after))) {
    if (removed) gone.push(...value);
    else if (!added) {
      settle();
      for (const text of value) found.push({ kind: "same", pieces: [{ kind: "same", text }] });
    } else {
      for (const text of value) {
        const kin = gone[0] === undefined ? undefined : rewritten(gone[0], text);
        if (kin) gone.shift();
        found.push(kin ?? { kind: "added", pieces: [{ kind: "added", text }] });
      }
      settle();
    }
  }
  settle();
  return found;
}

function rewritten(before: string, after: string): DiffParagraph | undefined {
  const pieces = diffArrays(words(before), words(after)).map(
    ({ value, added, removed }): DiffPiece => ({
      kind: added ? "added" : removed ? "removed" : "same",
      text: value.join(""),
    }),
  );
  const shared = pieces.reduce((sum, { kind, text }) => sum + (kind === "same" ? text.length : 0), 0);
  return shared / Math.max(before.length, after.length) < KIN ? undefined : { kind: "changed", pieces };
}

/** A word and the space after it: a date or a number is one word, not several. */
const words = (text: string) => text.match(/\S+\s*/g) ?? [];
const paragraphs = (text: string) => text.split(/\n+/).filter((line) => line.trim() !== "");
