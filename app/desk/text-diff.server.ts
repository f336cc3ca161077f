// What changed between two texts, paragraph by paragraph, and word by word where a paragraph was rewritten in part.
import { diffArrays, diffWordsWithSpace } from "diff";

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
  const pieces = diffWordsWithSpace(before, after).map(
    ({ value, added, removed }): DiffPiece => ({ kind: added ? "added" : removed ? "removed" : "same", text: value }),
  );
  const shared = pieces.reduce((sum, { kind, text }) => sum + (kind === "same" ? text.length : 0), 0);
  return shared / Math.max(before.length, after.length) < KIN ? undefined : { kind: "changed", pieces };
}

const paragraphs = (text: string) => text.split(/\n+/).filter((line) => line.trim() !== "");
