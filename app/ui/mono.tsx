import { Fragment } from "react";

/** A key's start and end, an id, a tool's name: in one piece, never broken over lines. */
export function Mono({ children }: { children: string | string[] }) {
  return <code className="whitespace-nowrap font-mono text-[0.8125rem] text-muted">{children}</code>;
}

/** The same of any length, such as an id that a merchant gave: broken where need be, and selected whole, to be copied. */
export const LongMono = ({ children }: { children: string }) => (
  <code className="wrap-anywhere select-all font-mono text-[0.8125rem] text-muted">{children}</code>
);

/** A name_in_several_words: where it does not fit, it goes on below after an underscore. */
export const Words = ({ children }: { children: string }) =>
  children.split(/(?<=_)/).map((word, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one name have no other
    <Fragment key={index}>
      {word}
      <wbr />
    </Fragment>
  ));
