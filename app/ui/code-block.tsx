import { CopyButton } from "./copy-button";
import { cx } from "./cx";
import { highlight, type Kind, type Language } from "./highlight";

const kinds: Record<Kind, string | undefined> = {
  key: "text-code-key",
  string: "text-code-string",
  number: "text-code-number",
  keyword: "text-code-keyword",
  comment: "text-code-comment",
  plain: undefined,
};

/** Code, coloured, with a button to copy it. `bare` when it stands inside a frame already. */
export function CodeBlock({
  code,
  language,
  label,
  bare = false,
}: {
  code: string;
  language: Language;
  /** What it is: shown above it, or only read out when `bare`. */
  label: string;
  bare?: boolean;
}) {
  return (
    <figure
      className={cx(
        "min-w-0",
        bare ? "flex flex-row-reverse items-start" : "overflow-hidden rounded-lg border border-line bg-sunken",
      )}
    >
      <figcaption
        className={
          bare ? "pt-2 pr-2" : "flex h-10 items-center border-line border-b pr-1.5 pl-4 text-[0.8125rem] text-muted"
        }
      >
        <span className={bare ? "sr-only" : "grow"}>{label}</span>
        <CopyButton label={`Copy: ${label}`} text={code} />
      </figcaption>
      <pre
        className="min-w-0 grow overflow-x-auto p-4 pr-8 font-mono text-xs leading-5 -outline-offset-2 [mask-image:linear-gradient(to_right,#000_calc(100%-2rem),transparent)] focus-visible:[mask-image:none] print:[mask-image:none] sm:text-[0.8125rem]"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
        tabIndex={0}
      >
        <code>
          {highlight(code, language).map(({ text, kind }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have no other name
            <span className={kinds[kind]} key={index}>
              {text}
            </span>
          ))}
        </code>
      </pre>
    </figure>
  );
}
