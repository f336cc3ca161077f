import { ExternalLink } from "lucide-react";
import { type ClientSnippet, KEY_PLACEHOLDER, snippets } from "~/lib/snippets";
import { CopyField } from "~/ui/copy-field";
import { Panel } from "~/ui/panel";
import { Snippets } from "~/ui/snippets";

/** The endpoint, and how to reach it from each client; the directory endpoint where the operator gave one. */
export function ConnectPanel({ endpoint, directorySlug }: { endpoint: string; directorySlug: string | null }) {
  const directory = directorySlug === null ? null : `${endpoint}/p/${directorySlug}`;
  return (
    <div className="scroll-mt-20" id="connect">
      <Panel
        description={
          <>
            Put a key of yours where these say <code className="font-mono text-xs">{KEY_PLACEHOLDER}</code>.
          </>
        }
        title="Connect"
      >
        <div className="flex min-w-0 flex-col gap-5">
          <CopyField
            hint="Streamable HTTP, stateless: one JSON-RPC message in, plain JSON out."
            label="Endpoint"
            value={endpoint}
          />
          {directory && (
            <CopyField
              hint="For assistants' directories: it takes no key, and spends the same requests per minute."
              label="Directory endpoint"
              value={directory}
            />
          )}
          <Snippets
            label="Client"
            snippets={snippets({ endpoint, key: KEY_PLACEHOLDER, directory }).map((snippet) => ({
              ...snippet,
              note: <Note {...snippet} />,
            }))}
          />
        </div>
      </Panel>
    </div>
  );
}

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
