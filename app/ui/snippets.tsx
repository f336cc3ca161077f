import type { ReactNode } from "react";
import { CodeBlock } from "./code-block";
import type { Language } from "./highlight";
import { Panels } from "./panels";

interface Snippet {
  label: string;
  language: Language;
  code: string;
  /** Where it goes, such as a file's name or a menu's path. */
  note?: ReactNode;
}

/** One of them, below what is to be known of it. */
export const SnippetCode = ({ label, language, code, note }: Snippet) => (
  <>
    {note && (
      <p className="border-line border-b px-4 py-2.5 text-pretty text-[0.8125rem] text-muted leading-5">{note}</p>
    )}
    <CodeBlock bare code={code} label={label} language={language} />
  </>
);

/** The same thing in several languages or clients, one at a time. */
export function Snippets({ label, snippets }: { label: string; snippets: Snippet[] }) {
  return (
    <div className="overflow-hidden rounded-lg border border-line bg-sunken">
      <Panels
        label={label}
        panels={snippets.map((snippet) => ({ label: snippet.label, content: <SnippetCode {...snippet} /> }))}
      />
    </div>
  );
}
