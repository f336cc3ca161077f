import { ExternalLink } from "lucide-react";
import type { ClientSnippet } from "~/lib/snippets";
import { Snippets } from "./snippets";

/** How to connect from each client, with the link that installs it where the client has one. */
export const ClientSnippets = ({ label, snippets }: { label: string; snippets: ClientSnippet[] }) => (
  <Snippets label={label} snippets={snippets.map((snippet) => ({ ...snippet, note: <Note {...snippet} /> }))} />
);

const Note = ({ note, install }: ClientSnippet) => (
  <span className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
    <span>{note}</span>
    {install && (
      <a
        className="inline-flex items-center gap-1.5 rounded font-medium text-accent hover:underline"
        href={install.href}
      >
        {install.label}
        <ExternalLink aria-hidden className="size-3.5" />
      </a>
    )}
  </span>
);
