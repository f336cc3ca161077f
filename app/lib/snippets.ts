// How to reach the endpoint from each client, in the form that the client's own documentation gives. One table; each
// entry is a function of the endpoint and the key (or what stands for it), and of nothing else.
import type { Language } from "~/ui/highlight";
import { curlCall, curlTools, INSTALL, KEY_PLACEHOLDER, pythonCall, typescriptCall } from "./call-snippets";
import { pretty } from "./json-text";

export interface Access {
  /** The MCP endpoint's address. */
  endpoint: string;
  /** A key, or a placeholder for one. */
  key: string;
  /** The directory endpoint's address, for clients that send no key; null where an operator has issued none. */
  directory: string | null;
}

export interface ClientSnippet {
  label: string;
  language: Language;
  code: string;
  /** Where it goes, and what the client needs. */
  note: string;
  /** A link that the client itself opens to install the server. It never holds a key. */
  install?: { label: string; href: string };
}

const NAME = "aisle";
const question = "Find me a tent for two under 400 euros.";
const args = { query: "tent", limit: 3 };
const bearer = (key: string) => `Bearer ${key}`;

/** One tool call without any client, ready for a shell. */
const curlSearch = ({ endpoint, key }: Pick<Access, "endpoint" | "key">) =>
  curlCall({ endpoint, key, tool: "search_products", args });

/** What works with a key at once: a search, or, where its scopes allow none, the list of tools that they allow. */
export const firstCall = ({ scopes, ...access }: Pick<Access, "endpoint" | "key"> & { scopes: readonly string[] }) =>
  scopes.includes("catalog:read") ? curlSearch(access) : curlTools(access);

// These ask for the key themselves or read it from their environment: it is in no link and no file that may be committed.
const CURSOR_KEY = `\${env:AISLE_KEY}`;
const AUTH_FROM_ENV = `Authorization:\${AISLE_AUTH}`;
const VSCODE_KEY = `\${input:aisle-key}`;

const cursorServer = (endpoint: string) => ({ url: endpoint, headers: { Authorization: bearer(CURSOR_KEY) } });
const vscodeServer = (endpoint: string) => ({
  type: "http",
  url: endpoint,
  headers: { Authorization: bearer(VSCODE_KEY) },
});
const vscodeInputs = [{ type: "promptString", id: "aisle-key", description: "Aisle API key", password: true }];

/** `cursor.com/docs/mcp/install-links`: the server's configuration as base64 JSON. */
const cursorLink = (endpoint: string) =>
  `cursor://anysphere.cursor-deeplink/mcp/install?${new URLSearchParams({ name: NAME, config: btoa(JSON.stringify(cursorServer(endpoint))) })}`;

/** `code.visualstudio.com/api/extension-guides/ai/mcp`: name, configuration and inputs as percent-encoded JSON. */
const vscodeLink = (endpoint: string) =>
  `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: NAME, ...vscodeServer(endpoint), inputs: vscodeInputs }))}`;

/** `claude.com/docs/connectors/building/directory-vs-custom`: the dialog with name and address filled in. */
const claudeLink = (directory: string) =>
  `https://claude.ai/customize/connectors?${new URLSearchParams({ modal: "add-custom-connector", connectorName: "Aisle", connectorUrl: directory })}`;

/** Assistants' connectors take an address and no key. */
const NO_DIRECTORY = "Your directory endpoint: an operator issues it with production access";
const NEEDS_DIRECTORY =
  "It sends no key, so it needs a directory endpoint, which an operator issues with production access.";
const isLocal = (url: string) => /^(?:localhost|127\.|\[::1\])/.test(new URL(url).host);

type Assistant = (access: Pick<Access, "directory">) => ClientSnippet;

const claude: Assistant = ({ directory }) => ({
  label: "Claude",
  language: "text",
  code: `Name: Aisle\nRemote MCP server URL: ${directory ?? NO_DIRECTORY}`,
  note: `On the web: Customize, Connectors, +, Add custom connector. ${directory ? "Anthropic calls the endpoint itself, so it must be public and https; there is nothing to log in to." : NEEDS_DIRECTORY}`,
  ...(directory ? { install: { label: "Add to Claude", href: claudeLink(directory) } } : {}),
});

const chatgpt: Assistant = ({ directory }) => ({
  label: "ChatGPT",
  language: "text",
  code: `Name: Aisle\nMCP server URL: ${directory ?? NO_DIRECTORY}\nAuthentication: No authentication`,
  note: `On the web: Settings, Apps; once Developer mode is on under Advanced settings, Create app. ${directory ? "OpenAI calls the endpoint itself, so it must be public and https." : NEEDS_DIRECTORY}`,
});

/** @param auth further arguments, such as a header */
const inspector = (endpoint: string, auth = "") => `# In the browser
npx @modelcontextprotocol/inspector@latest --server-url ${endpoint} --transport http${auth}

# In the terminal
npx @modelcontextprotocol/inspector@latest --cli ${endpoint} --transport http --method tools/list${auth}`;
const ABOUT_INSPECTOR = "Lists every tool with its schemas, and calls them. Needs Node 22.19 or later.";

const table: ((access: Access) => ClientSnippet)[] = [
  (access) => ({
    label: "curl",
    language: "sh",
    code: curlSearch(access),
    note: "One search in every store you can read. The answer is plain JSON.",
  }),
  ({ endpoint, key }) => ({
    label: "MCP Inspector",
    language: "sh",
    code: inspector(endpoint, ` --header "Authorization: ${bearer(key)}"`),
    note: ABOUT_INSPECTOR,
  }),
  claude,
  ({ endpoint, key }) => ({
    label: "Claude Code",
    language: "sh",
    code: `claude mcp add --transport http ${NAME} ${endpoint} --header "Authorization: ${bearer(key)}"`,
    note: "Adds the server for you in this project. Use --scope user to add it to all of them.",
  }),
  ({ endpoint }) => ({
    label: "Cursor",
    language: "json",
    code: pretty({ mcpServers: { [NAME]: cursorServer(endpoint) } }),
    note: "In .cursor/mcp.json, or ~/.cursor/mcp.json for all projects. Cursor reads the key from AISLE_KEY in its environment.",
    install: { label: "Add to Cursor", href: cursorLink(endpoint) },
  }),
  ({ endpoint }) => ({
    label: "VS Code",
    language: "json",
    code: pretty({ inputs: vscodeInputs, servers: { [NAME]: vscodeServer(endpoint) } }),
    note: "In .vscode/mcp.json. VS Code asks for the key once and keeps it in its secret storage.",
    install: { label: "Add to VS Code", href: vscodeLink(endpoint) },
  }),
  ({ endpoint }) => ({
    label: "Codex",
    language: "toml",
    code: `[mcp_servers.${NAME}]\nurl = "${endpoint}"\nbearer_token_env_var = "AISLE_KEY"`,
    note: `In ~/.codex/config.toml; or run: codex mcp add ${NAME} --url ${endpoint} --bearer-token-env-var AISLE_KEY. Codex reads the key from AISLE_KEY in its environment.`,
  }),
  ({ endpoint }) => ({
    label: "Gemini CLI",
    language: "json",
    code: pretty({ mcpServers: { [NAME]: { httpUrl: endpoint, headers: { Authorization: bearer("$AISLE_KEY") } } } }),
    note: "In ~/.gemini/settings.json, or .gemini/settings.json of a project. Gemini reads the key from AISLE_KEY in its environment.",
  }),
  ({ endpoint, key }) => ({
    label: "mcp-remote",
    language: "json",
    code: pretty({
      mcpServers: {
        [NAME]: {
          command: "npx",
          args: [
            "-y",
            "mcp-remote",
            endpoint,
            "--transport",
            "http-only",
            // No space: some clients split their arguments at it.
            "--header",
            AUTH_FROM_ENV,
            ...(endpoint.startsWith("http:") && !isLocal(endpoint) ? ["--allow-http"] : []),
          ],
          env: { AISLE_AUTH: bearer(key) },
        },
      },
    }),
    note: "For clients that only start local servers, such as Claude Desktop: in claude_desktop_config.json. Needs Node 18 or later.",
  }),
  chatgpt,
  ({ endpoint, key }) => ({
    label: "OpenAI Responses",
    language: "sh",
    code: `curl -s https://api.openai.com/v1/responses \\
  -H "Authorization: Bearer $OPENAI_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '${pretty({
    model: "gpt-6-astra",
    tools: [{ type: "mcp", server_label: NAME, server_url: endpoint, authorization: key, require_approval: "never" }],
    input: question,
  })}'`,
    note: "OpenAI calls the endpoint itself, so it must be public. Aisle's tools are read-only, so no approval is needed.",
  }),
  ({ endpoint, key }) => ({
    label: "Anthropic Messages",
    language: "sh",
    code: `curl -s https://api.anthropic.com/v1/messages \\
  -H "X-Api-Key: $ANTHROPIC_API_KEY" \\
  -H 'Anthropic-Version: 2023-06-01' \\
  -H 'Anthropic-Beta: mcp-client-2025-11-20' \\
  -H 'Content-Type: application/json' \\
  -d '${pretty({
    model: "claude-sonnet-5-5",
    max_tokens: 2000,
    mcp_servers: [{ type: "url", name: NAME, url: endpoint, authorization_token: key }],
    tools: [{ type: "mcp_toolset", mcp_server_name: NAME }],
    messages: [{ role: "user", content: question }],
  })}'`,
    note: "Anthropic calls the endpoint itself, so it must be public and https.",
  }),
  (access) => ({
    label: "TypeScript",
    language: "ts",
    code: typescriptCall(
      { ...access, tool: "search_products", args },
      "\nconst { tools } = await client.listTools();\nconsole.log(tools.map((tool) => tool.name));\n",
    ),
    note: INSTALL.typescript,
  }),
  (access) => ({
    label: "Python",
    language: "python",
    code: pythonCall(
      { ...access, tool: "search_products", args },
      "        tools = await client.list_tools()\n        print([tool.name for tool in tools.tools])\n\n",
    ),
    note: INSTALL.python,
  }),
];

/** Every client's snippet, in the order in which they are shown. */
export const snippets = ({
  endpoint,
  key = KEY_PLACEHOLDER,
  directory = null,
}: Pick<Access, "endpoint"> & Partial<Access>): ClientSnippet[] =>
  table.map((snippet) => snippet({ endpoint, key, directory }));

/** The same for a directory endpoint, where nobody sends a key. `endpoint` is its whole address. */
export const directorySnippets = (endpoint: string): ClientSnippet[] => [
  claude({ directory: endpoint }),
  chatgpt({ directory: endpoint }),
  { label: "MCP Inspector", language: "sh", code: inspector(endpoint), note: ABOUT_INSPECTOR },
  {
    label: "curl",
    language: "sh",
    code: curlCall({ endpoint, key: null, tool: "search_products", args }),
    note: "One search in the stores in your coverage.",
  },
];
