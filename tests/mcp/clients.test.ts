// Real MCP clients connect, list and call every tool.
import { execFile } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from "@modelcontextprotocol/client";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { describe, expect, it } from "vitest";
import { callSnippets } from "../../app/lib/call-snippets";
import { snippets } from "../../app/lib/snippets";
import { scopes } from "../../server/context";
import { tools } from "../../server/tools";
import { exampleFor } from "../../server/tools/tool";
import { makeCaller } from "../support/clients";
import { fitsOutput } from "../support/contract";
import { DEMO_TEMPLATE, testDatabase } from "../support/database";
import { makeFolder } from "../support/folder";
import { testServer } from "../support/server";
import { untilRecorded } from "../support/usage";

const database = testDatabase(DEMO_TEMPLATE);
const server = testServer(database);

const info = { name: "aisle-tests", version: "1.0.0" };
const kinds = {
  "@modelcontextprotocol/sdk 1.32": async (key: string) => {
    const transport = new StreamableHTTPClientTransport(new URL("/api/mcp", server.url), {
      requestInit: { headers: { Authorization: `Bearer ${key}` } },
    });
    const client = new Client(info);
    await client.connect(transport as Parameters<typeof client.connect>[0]);
    return client;
  },
  "@modelcontextprotocol/client 2.4": async (key: string) => {
    const transport = new ModernTransport(new URL("/api/mcp", server.url), {
      requestInit: { headers: { Authorization: `Bearer ${key}` } },
    });
    const client = new ModernClient(info);
    await client.connect(transport);
    return client;
  },
};

describe.each(Object.entries(kinds))("%s", (_name, connect) => {
  it("connects, lists and calls every tool", async () => {
    const { key, consumer } = await makeCaller(database, { scopes: [...scopes] });
    const client = await connect(key);
    expect(client.getServerVersion()).toEqual({ name: "aisle-commerce", version: "2.0.0" });
    const listed = (await client.listTools()).tools;
    expect(listed.map((tool) => tool.name)).toEqual(tools.map((tool) => tool.name));
    const [store] = await database.sql<{ id: string }[]>`select id from stores where is_demo`;
    for (const tool of tools) {
      const result = await client.callTool({ name: tool.name, arguments: exampleFor(tool, store!.id) });
      const content = result.content as { type: string; text: string }[];
      expect(result.isError, `${tool.name}: ${content[0]!.text}`).toBeFalsy();
      const fits = fitsOutput(tool);
      expect(fits(result.structuredContent), `${tool.name}: ${JSON.stringify(fits.errors)}`).toBe(true);
      expect(JSON.parse(content[0]!.text)).toEqual(result.structuredContent);
    }
    await client.close();
    await untilRecorded(database);
    const [row] =
      await database.sql`select count(*)::int as n from usage_events where consumer_id = ${consumer.id} and client_name = ${info.name}`;
    expect(row!.n).toBeGreaterThan(0);
  });

  it("is told why when its key is refused", async () => {
    await expect(connect("aisle_nonsense")).rejects.toThrow("The API key is malformed.");
  });
});

it("the TypeScript sample runs in a project that npm init has just made, saved and run as its note says", async () => {
  const { key } = await makeCaller(database);
  const endpoint = `${server.url}/api/mcp`;
  const samples = [
    ...snippets({ endpoint, key }),
    ...callSnippets({ endpoint, key, tool: "search_products", args: { query: "tent" } }),
  ].filter(({ label }) => label === "TypeScript");
  expect(samples).toHaveLength(2);
  const folder = makeFolder();
  writeFileSync(join(folder, "package.json"), '{"name":"fresh","version":"1.0.0","type":"commonjs"}');
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
  for (const { code, note } of samples) {
    const [, name, run] = /save it as (\S+) and run: (.+)$/.exec(String(note)) ?? [];
    writeFileSync(join(folder, name ?? "agent.ts"), code);
    const [command = "", ...argv] = (run ?? "node agent.ts").split(" ");
    const { stdout } = await promisify(execFile)(command, argv, { cwd: folder });
    expect(stdout).toContain("product_id");
  }
});
