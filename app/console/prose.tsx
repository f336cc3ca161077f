import { createElement } from "react";
import { type Piece, parseProse } from "~/lib/prose";

const headingLook = [
  "font-semibold text-[1.375rem] leading-8 tracking-tight",
  "font-semibold text-[0.9375rem] leading-6",
];

/** A published text. Its first level of headings becomes `top`, so that the page's order of headings holds. */
export function Prose({ markdown, top }: { markdown: string; top: 1 | 2 | 3 }) {
  return (
    <div className="wrap-anywhere flex flex-col gap-4 text-pretty text-sm leading-6">
      {parseProse(markdown).map((block, index) => {
        const key = `${block.kind}-${index}`;
        if (block.kind === "heading") {
          const level = Math.min(top + block.level - 1, 6);
          return createElement(
            `h${level}`,
            { key, className: headingLook[level === 1 ? 0 : 1] },
            <Pieces of={block.text} />,
          );
        }
        if (block.kind === "paragraph") {
          return (
            <p className="text-muted" key={key}>
              <Pieces of={block.text} />
            </p>
          );
        }
        const List = block.start === null ? "ul" : "ol";
        return (
          <List
            className="flex list-outside flex-col gap-3 pl-6 text-muted marker:text-faint data-numbers:list-decimal not-data-numbers:list-disc"
            data-numbers={block.start === null ? undefined : ""}
            key={key}
            start={block.start ?? undefined}
          >
            {block.items.map((item, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the items of a text have no other name
              <li className="pl-1.5" key={at}>
                <Pieces of={item} />
              </li>
            ))}
          </List>
        );
      })}
    </div>
  );
}

function Pieces({ of }: { of: Piece[] }) {
  return of.map((piece, index) => {
    const key = `${piece.kind}-${index}`;
    if (piece.kind === "link") {
      return (
        <a className="rounded text-accent underline underline-offset-4" href={piece.href} key={key} rel="noreferrer">
          {piece.text}
        </a>
      );
    }
    if (piece.kind === "strong") {
      return (
        <strong className="font-medium text-ink" key={key}>
          {piece.text}
        </strong>
      );
    }
    if (piece.kind === "code") {
      return (
        <code className="font-mono text-[0.8125rem] text-ink" key={key}>
          {piece.text}
        </code>
      );
    }
    return piece.text;
  });
}
