import { Download } from "lucide-react";
import { useCurrent } from "~/console/current";
import { KEY_PLACEHOLDER } from "~/lib/call-snippets";
import { directorySnippets, snippets } from "~/lib/snippets";
import { ButtonLink } from "~/ui/button";
import { ClientSnippets } from "~/ui/client-snippets";
import { CopyField } from "~/ui/copy-field";
import { Panel } from "~/ui/panel";
import { TextLink } from "~/ui/text-link";

/** The endpoint, and how to reach it from each client. `directory`: the directory endpoint's address, where one was issued. */
export function ConnectPanel({
  endpoint,
  directory,
  keys,
}: {
  endpoint: string;
  directory: string | null;
  /** How many work. */
  keys: number;
}) {
  return (
    <div id="connect">
      <Panel
        description={
          <>
            Replace <code className="font-mono text-xs">{KEY_PLACEHOLDER}</code> with{" "}
            {keys > 0 ? "one of your keys" : <KeyToCome />}.
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
          <ClientSnippets label="Client" snippets={snippets({ endpoint, directory })} />
        </div>
      </Panel>
    </div>
  );
}

function KeyToCome() {
  const { state, role } = useCurrent();
  if (state === "under_review") return "a key, once the application is approved";
  return role === "owner" ? <TextLink to="/console/keys">a key that you issue</TextLink> : "a key that an owner issues";
}

/** The endpoint for assistants' directories, its snippets, and the pack that such directories ask for. */
export function DirectoryPanel({ endpoint, slug }: { endpoint: string; slug: string }) {
  const { consumerId } = useCurrent();
  const address = `${endpoint}/p/${slug}`;
  return (
    <Panel
      actions={
        <ButtonLink
          icon={<Download aria-hidden />}
          reloadDocument
          size="sm"
          to={`/console/directory-pack?consumerId=${consumerId}`}
        >
          Download the pack
        </ButtonLink>
      }
      description="For assistants' directories: takes no key, and shares the requests per minute with your keys."
      title="Directory endpoint"
    >
      <div className="flex min-w-0 flex-col gap-5">
        <CopyField
          hint="The pack has what directories ask for: descriptors, icons, the list of tools and test prompts."
          label="Address"
          value={address}
        />
        <ClientSnippets label="Assistant" snippets={directorySnippets(address)} />
      </div>
    </Panel>
  );
}
