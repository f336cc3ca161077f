// How to reach the endpoint from each client, in the form that the client's own documentation gives. One table; each
// entry is a function of the endpoint and the key (or what stands for it), and of nothing else.
import type { Language } from "~/ui/highlight";

export interface Access {
  /** The MCP endpoint's address. */
  endpoint: string;
  /** A key, or a placeholder for one. */
  key: string;
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

export const KEY_PLACEHOLDER = "YOUR_AISLE_KEY";

const NAME = "aisle";
const question = "Find me a tent for two under 400 euros.";
const args = { query: "tent", limit: 3 };
const json = (value: unknown) => JSON.stringify(value, null, 2);
const bearer = (key: string) => `Bearer ${key}`;

/** One tool call without any client, ready for a shell. */
export const firstCall = ({ endpoint, key }: Access) =>
  `curl -s ${endpoint} \\
  -H 'Authorization: ${bearer(key)}' \\
  -H 'Content-Type: application/json' \\
  -H 'Accept: application/json, text/event-stream' \\
  -d '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{
    "name":"search_products","arguments":${JSON.stringify(args)}}}'`;

// Cursor and VS Code ask for the key themselves, so it is in neither a link nor a file that may be committed.
const CURSOR_KEY = `\${env:AISLE_KEY}`;
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

const table: ((access: Access) => ClientSnippet)[] = [
  (access) => ({
    label: "curl",
    language: "sh",
    code: firstCall(access),
    note: "One search in the demo store. The answer is plain JSON.",
  }),
  ({ endpoint, key }) => ({
    label: "MCP Inspector",
    language: "sh",
    code: `# In the browser
npx @modelcontextprotocol/inspector --server-url ${endpoint} --transport http --header "Authorization: ${bearer(key)}"

# In the terminal
npx @modelcontextprotocol/inspector --cli ${endpoint} --transport http --method tools/list --header "Authorization: ${bearer(key)}"`,
    note: "Lists every tool with its schemas, and calls them. Needs Node 22.19 or later.",
  }),
  ({ endpoint, key }) => ({
    label: "Claude Code",
    language: "sh",
    code: `claude mcp add --transport http ${NAME} ${endpoint} --header "Authorization: ${bearer(key)}"`,
    note: "Adds the server for you in this project. With --scope user it is there in all of them.",
  }),
  ({ endpoint }) => ({
    label: "Cursor",
    language: "json",
    code: json({ mcpServers: { [NAME]: cursorServer(endpoint) } }),
    note: "In .cursor/mcp.json, or ~/.cursor/mcp.json for all projects. Cursor reads the key from AISLE_KEY in its environment.",
    install: { label: "Add to Cursor", href: cursorLink(endpoint) },
  }),
  ({ endpoint }) => ({
    label: "VS Code",
    language: "json",
    code: json({ inputs: vscodeInputs, servers: { [NAME]: vscodeServer(endpoint) } }),
    note: "In .vscode/mcp.json. VS Code asks for the key once and keeps it in its secret storage.",
    install: { label: "Add to VS Code", href: vscodeLink(endpoint) },
  }),
  ({ endpoint, key }) => ({
    label: "OpenAI Responses",
    language: "sh",
    code: `curl -s https://api.openai.com/v1/responses \\
  -H "Authorization: Bearer $OPENAI_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '${json({
    model: "gpt-6-astra",
    tools: [{ type: "mcp", server_label: NAME, server_url: endpoint, authorization: key, require_approval: "never" }],
    input: question,
  })}'`,
    note: "OpenAI calls the endpoint itself, so it must be public. Aisle's tools only read: no approval is needed.",
  }),
  ({ endpoint, key }) => ({
    label: "Anthropic Messages",
    language: "sh",
    code: `curl -s https://api.anthropic.com/v1/messages \\
  -H "X-Api-Key: $ANTHROPIC_API_KEY" \\
  -H 'Anthropic-Version: 2023-06-01' \\
  -H 'Anthropic-Beta: mcp-client-2025-11-20' \\
  -H 'Content-Type: application/json' \\
  -d '${json({
    model: "claude-sonnet-5-5",
    max_tokens: 2000,
    mcp_servers: [{ type: "url", name: NAME, url: endpoint, authorization_token: key }],
    tools: [{ type: "mcp_toolset", mcp_server_name: NAME }],
    messages: [{ role: "user", content: question }],
  })}'`,
    note: "Anthropic calls the endpoint itself, so it must be public and https.",
  }),
  ({ endpoint, key }) => ({
    label: "TypeScript",
    language: "ts",
    code: `import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

const transport = new StreamableHTTPClientTransport(new URL("${endpoint}"), {
  requestInit: { headers: { Authorization: "${bearer(key)}" } },
});
const client = new Client({ name: "my-agent", version: "1.0.0" });
await client.connect(transport);

const { tools } = await client.listTools();
console.log(tools.map((tool) => tool.name));

const result = await client.callTool({ name: "search_products", arguments: ${JSON.stringify(args)} });
console.log(result.structuredContent);
await client.close();`,
    note: "npm install @modelcontextprotocol/client",
  }),
  ({ endpoint, key }) => ({
    label: "Python",
    language: "python",
    code: `import asyncio

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client


async def main() -> None:
    http = httpx2.AsyncClient(headers={"Authorization": "${bearer(key)}"})
    async with http, Client(streamable_http_client("${endpoint}", http_client=http)) as client:
        tools = await client.list_tools()
        print([tool.name for tool in tools.tools])

        result = await client.call_tool("search_products", ${JSON.stringify(args)})
        print(result.structured_content)


asyncio.run(main())`,
    note: 'pip install "mcp>=2"',
  }),
];

/** Every client's snippet, in the order in which they are shown. */
export const snippets = (access: Access): ClientSnippet[] => table.map((snippet) => snippet(access));

/** The same for a directory endpoint, where nobody sends a key. `endpoint` is its whole address. */
export const directorySnippets = (endpoint: string): ClientSnippet[] => [
  {
    label: "Claude",
    language: "sh",
    code: endpoint,
    note: "Settings → Connectors → Add custom connector. It asks for no authentication.",
  },
  {
    label: "ChatGPT",
    language: "sh",
    code: endpoint,
    note: "Settings → Apps → Advanced → Developer mode, then Create: the MCP server's URL, no authentication.",
  },
  {
    label: "MCP Inspector",
    language: "sh",
    code: `npx @modelcontextprotocol/inspector --server-url ${endpoint} --transport http`,
    note: "Lists every tool with its schemas, and calls them. Needs Node 22.19 or later.",
  },
  {
    label: "curl",
    language: "sh",
    code: `curl -s ${endpoint} \\
  -H 'Content-Type: application/json' \\
  -H 'Accept: application/json, text/event-stream' \\
  -d '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{
    "name":"search_products","arguments":${JSON.stringify(args)}}}'`,
    note: "One search in the stores of your coverage.",
  },
];
