import { cx } from "~/ui/cx";
import { summaryLook } from "~/ui/summary-look";
import type { DiffParagraph, DiffPiece } from "./text-diff.server";

const looks: Record<DiffParagraph["kind"], string> = {
  same: "text-muted",
  added: "bg-success-soft",
  removed: "bg-danger-soft",
  changed: "bg-raised",
};
const signs: Record<DiffParagraph["kind"], [sign: string, said: string]> = {
  same: [" ", ""],
  added: ["+", "New: "],
  removed: ["−", "Gone: "],
  changed: ["±", "Changed: "],
};

/** What changed in a text: colour, sign and words each say it; long runs of what stayed are folded. */
export function TextDiff({ paragraphs }: { paragraphs: DiffParagraph[] }) {
  return (
    <div className="flex flex-col gap-1 p-4 text-sm leading-6 md:px-6">
      {runsOf(paragraphs).map((run) =>
        run[0]!.kind === "same" && run.length > 2 ? (
          <details key={textOf(run[0]!)}>
            <summary className={cx(summaryLook, "px-8 py-1 text-faint")}>{run.length} paragraphs unchanged</summary>
            {run.map((paragraph) => (
              <Paragraph key={textOf(paragraph)} of={paragraph} />
            ))}
          </details>
        ) : (
          run.map((paragraph) => <Paragraph key={`${paragraph.kind} ${textOf(paragraph)}`} of={paragraph} />)
        ),
      )}
    </div>
  );
}

function Paragraph({ of: { kind, mark, isHeading, pieces } }: { of: DiffParagraph }) {
  const [sign, said] = signs[kind];
  return (
    <p className={cx("wrap-anywhere flex gap-3 rounded-md px-3 py-1.5", looks[kind])}>
      <span aria-hidden className="w-3 shrink-0 select-none text-center font-mono text-faint">
        {sign}
      </span>
      <span className={cx("min-w-0", isHeading && "font-medium text-ink")}>
        {said && <span className="sr-only">{said}</span>}
        {mark && `${mark} `}
        {pieces.map((piece, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text have no other name
          <Piece key={index} of={piece} whole={kind !== "changed"} />
        ))}
      </span>
    </p>
  );
}

function Piece({ of: { kind, text }, whole }: { of: DiffPiece; whole: boolean }) {
  if (whole || kind === "same") return text;
  return kind === "added" ? (
    <ins className="rounded-xs bg-success-soft text-success decoration-1 underline-offset-4">{text}</ins>
  ) : (
    <del className="rounded-xs bg-danger-soft text-danger decoration-1">{text}</del>
  );
}

const textOf = ({ pieces }: DiffParagraph) => pieces.map(({ text }) => text).join("");

/** Neighbours that all stayed, or all did not. */
function runsOf(paragraphs: DiffParagraph[]): DiffParagraph[][] {
  const runs: DiffParagraph[][] = [];
  for (const paragraph of paragraphs) {
    const last = runs.at(-1);
    if (last && (last[0]!.kind === "same") === (paragraph.kind === "same")) last.push(paragraph);
    else runs.push([paragraph]);
  }
  return runs;
}
