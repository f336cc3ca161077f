// One tool call as code: curl, TypeScript, Python. Each is whole, and runs as it is once a key stands in it.
import type { Language } from "~/ui/highlight";

export interface Call {
  /** The MCP endpoint's address, or that of a directory endpoint. */
  endpoint: string;
  /** A key, or a placeholder for one; null at a directory endpoint, which takes none. */
  key: string | null;
  tool: string;
  args: Record<string, unknown>;
}

export const KEY_PLACEHOLDER = "YOUR_AISLE_KEY";

/** What the SDKs' snippets need. */
export const INSTALL = {
  // By its name it is a module, whatever package.json says: npm init's says CommonJS, which has neither import nor await there.
  typescript: "npm install @modelcontextprotocol/client; save it as agent.mjs and run: node agent.mjs",
  python: 'pip install "mcp>=2"',
};

const bearer = (key: string) => `Bearer ${key}`;
/** A shell's word: whatever the text, the shell hands it on to the byte. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
const indented = (text: string, by: string) => text.replaceAll("\n", `\n${by}`);

/** A literal of Python's: JSON but for three names. */
function python(value: unknown): string {
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return `[${value.map(python).join(", ")}]`;
  if (typeof value === "object") {
    return `{${Object.entries(value)
      .map(([key, inner]) => `${JSON.stringify(key)}: ${python(inner)}`)
      .join(", ")}}`;
  }
  return JSON.stringify(value);
}

/** Without any client, ready for a shell. */
export function curlCall({ tool, args, ...to }: Call): string {
  const start = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{`;
  return curl(to, `${start}\n    "name":${JSON.stringify(tool)},"arguments":${JSON.stringify(args)}}}`);
}

/** The same for the list of tools that a key may call: any key may ask for it. */
export const curlTools = (to: Pick<Call, "endpoint" | "key">) =>
  curl(to, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`);

function curl({ endpoint, key }: Pick<Call, "endpoint" | "key">, body: string): string {
  const auth = key === null ? "" : `\n  -H 'Authorization: ${bearer(key)}' \\`;
  return `curl -s ${endpoint} \\${auth}
  -H 'Content-Type: application/json' \\
  -H 'Accept: application/json, text/event-stream' \\
  -d ${quoted(body)}`;
}

/** By the official SDK for TypeScript. @param more statements between the connection and the call */
export function typescriptCall({ endpoint, key, tool, args }: Call, more = ""): string {
  const auth = key === null ? "" : `, {\n  requestInit: { headers: { Authorization: "${bearer(key)}" } },\n}`;
  const given = indented(JSON.stringify(args, null, 2), "  ");
  const one =
    JSON.stringify(args).length > 60
      ? `{\n  name: "${tool}",\n  arguments: ${given},\n}`
      : `{ name: "${tool}", arguments: ${JSON.stringify(args)} }`;
  return `import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

const transport = new StreamableHTTPClientTransport(new URL("${endpoint}")${auth});
const client = new Client({ name: "my-agent", version: "1.0.0" });
await client.connect(transport);
${more}
const result = await client.callTool(${one});
console.log(result.structuredContent ?? result.content);
await client.close();`;
}

/** By the official SDK for Python. @param more statements between the connection and the call, indented by eight */
export function pythonCall({ endpoint, key, tool, args }: Call, more = ""): string {
  const auth = key === null ? "" : `headers={"Authorization": "${bearer(key)}"}`;
  return `import asyncio

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client


async def main() -> None:
    http = httpx2.AsyncClient(${auth})
    async with http, Client(streamable_http_client("${endpoint}", http_client=http)) as client:
${more}        result = await client.call_tool("${tool}", ${python(args)})
        print(result.structured_content or result.content)


asyncio.run(main())`;
}

/** The call in each of the three, and what it needs that a machine may lack. */
export const callSnippets = (call: Call): { label: string; language: Language; code: string; note?: string }[] => [
  { label: "curl", language: "sh", code: curlCall(call) },
  { label: "TypeScript", language: "ts", code: typescriptCall(call), note: INSTALL.typescript },
  { label: "Python", language: "python", code: pythonCall(call), note: INSTALL.python },
];
