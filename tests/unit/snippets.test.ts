import { execFileSync } from "node:child_process";
import { transform } from "esbuild";
import { parse as parseToml } from "smol-toml";
import { describe, expect, it } from "vitest";
import { callSnippets } from "../../app/lib/call-snippets";
import { directorySnippets, firstCall, snippets } from "../../app/lib/snippets";

const endpoint = "https://aisle.example/api/mcp";
const key = "aisle_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const directory = "https://aisle.example/api/mcp/p/trail-guide";
const all = snippets({ endpoint, key, directory });
const named = (label: string) => all.find((snippet) => snippet.label === label)!;

/** What a shell makes of each command in the code: its words. Runs none of them. */
function words(code: string): string[][] {
  const commands = [...new Set(code.match(/^[a-z]+(?= )/gm))];
  const shims = commands.map((name) => `${name}() { printf '%s\\0' ${name} "$@"; printf '\\n\\0'; }`).join("\n");
  const env = { NODE_ENV: "test", OPENAI_API_KEY: "openai", ANTHROPIC_API_KEY: "anthropic" } as const;
  const output = execFileSync("/bin/sh", ["-euc", `${shims}\n${code}`], { env, encoding: "utf8" });
  return output
    .split("\0\n\0")
    .slice(0, -1)
    .map((line) => line.split("\0"));
}
/** The value after each occurrence of a flag. */
const valuesOf = (argv: string[], flag: string) => argv.filter((_, i) => argv[i - 1] === flag);
const body = (argv: string[]) => JSON.parse(valuesOf(argv, "-d")[0]!);
/** "Name: value" lines, as a form has them. */
const fields = (code: string) =>
  Object.fromEntries(code.split("\n").map((line) => /^([^:]+): (.+)$/.exec(line)!.slice(1) as [string, string]));
const authorization = { Authorization: `Bearer ${key}` };

describe("the snippets", () => {
  it("are for every client that Overview promises", () => {
    expect(all.map(({ label }) => label)).toEqual([
      "curl",
      "MCP Inspector",
      "Claude",
      "Claude Code",
      "Cursor",
      "VS Code",
      "Codex",
      "Gemini CLI",
      "mcp-remote",
      "ChatGPT",
      "OpenAI Responses",
      "Anthropic Messages",
      "TypeScript",
      "Python",
    ]);
  });

  it("say the endpoint, and a placeholder where there is no key", () => {
    for (const { label, code } of snippets({ endpoint, directory })) {
      expect(code, label).toContain(endpoint);
      expect(code, label).not.toContain("aisle_");
    }
  });

  it("lead a client to a directory endpoint by one way, wherever they stand", () => {
    for (const label of ["Claude", "ChatGPT"]) {
      const [one, other] = [named(label), directorySnippets(directory).find((snippet) => snippet.label === label)];
      expect(other).toEqual(one);
    }
    for (const { label, code } of directorySnippets(directory)) {
      expect(code, label).toContain(directory);
      expect(code, label).not.toContain("Authorization:");
    }
  });

  it("give the directory endpoint to clients that send no key, and say where it comes from when there is none", () => {
    const keyless = ["Claude", "ChatGPT"];
    for (const { label, code } of all) expect(code.includes(directory), label).toBe(keyless.includes(label));
    for (const { label, code, note, install } of snippets({ endpoint, key })) {
      if (!keyless.includes(label)) continue;
      expect(code).not.toContain("https://");
      expect(note).toContain("an operator issues");
      expect(install).toBeUndefined();
    }
    for (const label of keyless) expect(JSON.stringify(named(label))).not.toContain(key);
  });

  it("Claude: name and address, as the link fills them into its dialog", () => {
    const { code, install } = named("Claude");
    expect(fields(code)).toEqual({ Name: "Aisle", "Remote MCP server URL": directory });
    const link = new URL(install!.href);
    expect(link.origin + link.pathname).toBe("https://claude.ai/customize/connectors");
    expect(Object.fromEntries(link.searchParams)).toEqual({
      modal: "add-custom-connector",
      connectorName: "Aisle",
      connectorUrl: directory,
    });
  });

  it("ChatGPT: the fields of its form, without authentication", () => {
    expect(fields(named("ChatGPT").code)).toEqual({
      Name: "Aisle",
      "MCP server URL": directory,
      Authentication: "No authentication",
    });
  });

  it("Codex: a TOML table that names the variable, never the key; and a command that says the same", () => {
    const { code, note } = named("Codex");
    expect(parseToml(code)).toEqual({
      mcp_servers: { aisle: { url: endpoint, bearer_token_env_var: "AISLE_KEY" } },
    });
    const command = /codex mcp add .+?(?=\.\s)/.exec(note)![0].split(" ");
    expect(command.slice(0, 4)).toEqual(["codex", "mcp", "add", "aisle"]);
    expect(valuesOf(command, "--url")).toEqual([endpoint]);
    expect(valuesOf(command, "--bearer-token-env-var")).toEqual(["AISLE_KEY"]);
    expect(code + note).not.toContain(key);
  });

  it("Gemini CLI: httpUrl, since url means the older transport there, and the key from the environment", () => {
    expect(JSON.parse(named("Gemini CLI").code)).toEqual({
      mcpServers: { aisle: { httpUrl: endpoint, headers: { Authorization: "Bearer $AISLE_KEY" } } },
    });
  });

  it("mcp-remote: no argument has a space, since some clients split there; the key comes by its environment", () => {
    const { command, args, env } = JSON.parse(named("mcp-remote").code).mcpServers.aisle;
    expect(command).toBe("npx");
    expect(args.slice(0, 3)).toEqual(["-y", "mcp-remote", endpoint]);
    expect(valuesOf(args, "--transport")).toEqual(["http-only"]);
    expect(valuesOf(args, "--header")).toEqual([`Authorization:\${AISLE_AUTH}`]);
    expect(env).toEqual({ AISLE_AUTH: `Bearer ${key}` });
    expect(args.join("")).not.toContain(" ");
    const inside = (url: string) => snippets({ endpoint: url, key }).find((s) => s.label === "mcp-remote")!;
    expect(inside("http://aisle.internal/api/mcp").code).toContain("--allow-http");
    expect(inside("http://127.0.0.1:3000/api/mcp").code).not.toContain("--allow-http");
  });

  it("curl: one tool call with the headers that the endpoint wants", () => {
    const [argv] = words(firstCall({ endpoint, key, scopes: ["offers:read", "catalog:read"] }));
    expect(argv!.slice(0, 3)).toEqual(["curl", "-s", endpoint]);
    expect(valuesOf(argv!, "-H")).toEqual([
      `Authorization: Bearer ${key}`,
      "Content-Type: application/json",
      "Accept: application/json, text/event-stream",
    ]);
    expect(body(argv!)).toMatchObject({ jsonrpc: "2.0", method: "tools/call", params: { name: "search_products" } });
  });

  it("curl: with a key that may not search, the list of the tools that it may call", () => {
    const [argv] = words(firstCall({ endpoint, key, scopes: ["loyalty:read"] }));
    expect(argv!.slice(0, 3)).toEqual(["curl", "-s", endpoint]);
    expect(body(argv!)).toEqual({ jsonrpc: "2.0", id: 1, method: "tools/list" });
  });

  it("MCP Inspector: the web client and the command line, the key as a header", () => {
    const [web, cli] = words(named("MCP Inspector").code);
    for (const argv of [web!, cli!]) {
      expect(argv.slice(0, 2)).toEqual(["npx", "@modelcontextprotocol/inspector@latest"]);
      expect(valuesOf(argv, "--header")).toEqual([`Authorization: Bearer ${key}`]);
      expect(valuesOf(argv, "--transport")).toEqual(["http"]);
      // --header takes all words that follow it.
      expect(argv.indexOf("--header")).toBe(argv.length - 2);
    }
    expect(valuesOf(web!, "--server-url")).toEqual([endpoint]);
    expect(valuesOf(cli!, "--cli")).toEqual([endpoint]);
    expect(valuesOf(cli!, "--method")).toEqual(["tools/list"]);
  });

  it("Claude Code: name and address before the header, which takes all words that follow", () => {
    expect(words(named("Claude Code").code)).toEqual([
      ["claude", "mcp", "add", "--transport", "http", "aisle", endpoint, "--header", `Authorization: Bearer ${key}`],
    ]);
  });

  it("Cursor: a file and a link that say the same, and neither holds a key", () => {
    const { code, install } = named("Cursor");
    const { mcpServers } = JSON.parse(code);
    expect(mcpServers.aisle).toEqual({ url: endpoint, headers: { Authorization: `Bearer \${env:AISLE_KEY}` } });
    const link = new URL(install!.href);
    expect([link.protocol, link.host, link.pathname]).toEqual(["cursor:", "anysphere.cursor-deeplink", "/mcp/install"]);
    expect(link.searchParams.get("name")).toBe("aisle");
    expect(JSON.parse(atob(link.searchParams.get("config")!))).toEqual(mcpServers.aisle);
    expect(code + install!.href).not.toContain(key);
  });

  it("VS Code: a file and a link that say the same, and ask for the key", () => {
    const { code, install } = named("VS Code");
    const { servers, inputs } = JSON.parse(code);
    expect(servers.aisle).toEqual({
      type: "http",
      url: endpoint,
      headers: { Authorization: `Bearer \${input:${inputs[0].id}}` },
    });
    expect(inputs).toEqual([{ type: "promptString", id: "aisle-key", description: "Aisle API key", password: true }]);
    const [scheme, query] = install!.href.split("?") as [string, string];
    expect(scheme).toBe("vscode:mcp/install");
    expect(JSON.parse(decodeURIComponent(query))).toEqual({ name: "aisle", ...servers.aisle, inputs });
    expect(code + install!.href).not.toContain(key);
  });

  it("OpenAI Responses: an mcp tool with the key as its authorization", () => {
    const [argv] = words(named("OpenAI Responses").code);
    expect(argv![2]).toBe("https://api.openai.com/v1/responses");
    expect(valuesOf(argv!, "-H")).toContain("Authorization: Bearer openai");
    expect(body(argv!).tools).toEqual([
      { type: "mcp", server_label: "aisle", server_url: endpoint, authorization: key, require_approval: "never" },
    ]);
  });

  it("Anthropic Messages: a server, and a toolset that names it", () => {
    const [argv] = words(named("Anthropic Messages").code);
    expect(valuesOf(argv!, "-H")).toEqual(
      expect.arrayContaining(["X-Api-Key: anthropic", expect.stringMatching(/^Anthropic-Beta: mcp-client-/)]),
    );
    const { mcp_servers, tools } = body(argv!);
    expect(mcp_servers).toEqual([{ type: "url", name: "aisle", url: endpoint, authorization_token: key }]);
    expect(tools).toEqual([{ type: "mcp_toolset", mcp_server_name: mcp_servers[0].name }]);
  });

  it("TypeScript: parses, and imports what the SDK exports", async () => {
    const { code } = named("TypeScript");
    expect((await transform(code, { loader: "ts" })).warnings).toEqual([]);
    const [, names, from] = /import \{ (.+) \} from "(.+)"/.exec(code)!;
    expect(await import(from!)).toMatchObject(
      Object.fromEntries(names!.split(", ").map((n) => [n, expect.anything()])),
    );
    expect(code).toContain(
      JSON.stringify(authorization)
        .replace(/"Authorization":/, "Authorization: ")
        .replace(/[{}]/g, ""),
    );
  });

  it("Python: its arguments are a literal there too, its brackets close, and it indents by four", () => {
    const { code } = named("Python");
    expect(code).toContain(`{"Authorization": "Bearer ${key}"}`);
    expect(code).toContain(`streamable_http_client("${endpoint}", http_client=http)`);
    expect(JSON.parse(/call_tool\("search_products", (.+)\)/.exec(code)![1]!)).toEqual({ query: "tent", limit: 3 });
    for (const [open, close] of ["()", "[]", "{}"]) expect(code.split(open!).length).toBe(code.split(close!).length);
    for (const [indent] of code.matchAll(/^ +/gm)) expect(indent.length % 4).toBe(0);
  });
});

describe("a call as code", () => {
  const args = { query: `it's "50% off" — $HOME \\ 'x'`, filters: { on_sale: true, brand: ["A&B"] }, none: null };
  const [curl, typescript, python] = callSnippets({ endpoint, key, tool: "search_products", args });

  it("curl: the shell hands the arguments on to the byte", () => {
    const [argv] = words(curl!.code);
    expect(body(argv!)).toMatchObject({ method: "tools/call", params: { name: "search_products", arguments: args } });
  });

  it("curl: a directory endpoint gets no Authorization", () => {
    const [argv] = words(callSnippets({ endpoint: directory, key: null, tool: "list_stores", args: {} })[0]!.code);
    expect(valuesOf(argv!, "-H").join("\n")).not.toMatch(/authorization/i);
    expect(argv).toContain(directory);
  });

  it("TypeScript: the arguments are the same when they are evaluated", () => {
    const source = /arguments: (\{[\s\S]+\}),\n\}\);/.exec(typescript!.code)![1]!;
    expect(new Function(`return (${source})`)()).toEqual(args);
  });

  it("Python: true, false and null by Python's names", () => {
    expect(python!.code).toContain('"on_sale": True');
    expect(python!.code).toContain('"none": None');
  });

  it("is in TypeScript and Python without a key where none is sent", () => {
    for (const { code } of callSnippets({ endpoint: directory, key: null, tool: "list_stores", args: {} })) {
      expect(code).not.toMatch(/Bearer/);
    }
  });
});
