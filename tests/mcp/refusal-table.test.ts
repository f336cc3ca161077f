// The documented refusals against the endpoint itself: each is sent, and answers as the table says.
import { describe, expect, it } from "vitest";
import { refusals } from "../../server/refusals";
import { callTool, makeCaller, type Sent, send, standardHeaders } from "../support/clients";
import { testDatabase } from "../support/database";
import { makeStore } from "../support/factories";
import { testServer } from "../support/server";

const database = testDatabase();
const server = testServer(database, { TRUST_PROXY: "1" });
const ping = JSON.stringify({ jsonrpc: "2.0", id: 7, method: "ping" });
const rpc = (method: string, params?: unknown) => JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
const call = (name: string, args: unknown) => rpc("tools/call", { name, arguments: args });

type Make = (key: string, storeId: string) => Sent;
const by =
  (body: string | ((storeId: string) => string), headers: Record<string, string> = {}): Make =>
  (key, storeId) => ({
    headers: { ...standardHeaders(key), ...headers },
    body: typeof body === "string" ? body : body(storeId),
  });

const requests: Record<Exclude<(typeof refusals)[number]["id"], "unavailable" | "internal">, Make> = {
  address: () => ({ path: "/mcp", headers: standardHeaders(), body: ping }),
  method: () => ({ method: "GET" }),
  origin: by(ping, { origin: "https://evil.example" }),
  content_encoding: by(ping, { "content-encoding": "gzip" }),
  content_type: by(ping, { "content-type": "text/plain" }),
  accept: by(ping, { accept: "*/*" }),
  size: by(ping.padEnd(300 * 1024)),
  endpoint: () => ({ path: "/api/mcp/p/nobody", headers: standardHeaders(), body: ping }),
  key_missing: () => ({ headers: standardHeaders(), body: ping }),
  key: () => ({ headers: standardHeaders("nonsense"), body: ping }),
  json: by("{"),
  message: by("[]"),
  protocol_version: by(ping, { "mcp-protocol-version": "2099-01-01" }),
  rate: by(ping),
  rpc_method: by(rpc("resources/list")),
  params: by(rpc("tools/call")),
  tool: by(call("buy_everything", {})),
  scope: by(call("check_inventory", {})),
  arguments: by(call("list_stores", { colour: "red" })),
  cursor: by(call("list_stores", { cursor: "nonsense" })),
  store: by(call("get_store_info", { store_id: "01a1fce1-900c-72e9-96f3-244a66a77325" })),
  product: by((store_id) => call("get_product", { store_id, product_id: "nothing" })),
  loyalty: by((store_id) => call("get_loyalty_program", { store_id, product_id: "nothing" })),
};

const rate = refusals.findIndex(({ id }) => id === "rate");

describe("the documented refusals", () => {
  it.each(refusals.filter(({ id }) => id in requests))(
    "$id is $status $code, and tells the limit if it counts against it",
    async (refusal) => {
      const { key, consumer } = await makeCaller(database, { state: "production", coverage: "default_on" });
      const store = await makeStore(database);
      if (refusal.id === "rate") {
        await database.sql`update consumers set rate_limit = 1 where id = ${consumer.id}`;
        await send(server.url, requests.rate(key, store.id));
      }
      const reply = await send(server.url, requests[refusal.id as keyof typeof requests](key, store.id));
      expect(reply.status).toBe(refusal.status);
      const { "ratelimit-policy": policy, ratelimit } = reply.headers;
      // What is refused before the limit is looked at does not count against it.
      if (refusals.indexOf(refusal) < rate) expect([policy, ratelimit]).toEqual([undefined, undefined]);
      else {
        expect(policy).toMatch(/^"default";q=\d+;w=60$/);
        expect(ratelimit).toMatch(/^"default";r=\d+;t=\d+$/);
      }
      if (refusal.rpcCode === null) {
        expect(reply.json.result.isError).toBe(true);
        expect(JSON.parse(reply.json.result.content[0].text).code).toBe(refusal.code);
      } else {
        expect(reply.json.error.code).toBe(refusal.rpcCode);
        expect(reply.json.error.data.code).toBe(refusal.code);
      }
    },
  );

  it("take a cursor of another query for an argument that does not fit the others, and none of ours for no cursor", async () => {
    const { key } = await makeCaller(database, { state: "production", coverage: "default_on" });
    await makeStore(database);
    await makeStore(database);
    const list = async (args: object) =>
      JSON.parse((await callTool(server.url, key, "list_stores", args)).json.result.content[0].text);
    const { next_cursor: cursor } = (await list({ limit: 1 })).page;
    expect((await list({ limit: 1, country: "DE", cursor })).code).toBe("invalid_arguments");
    expect((await list({ limit: 1, cursor: `${cursor}x` })).code).toBe("cursor_invalid");
  });

  it("say themselves what to do next, where the model or its client can mend the message", async () => {
    const { key } = await makeCaller(database);
    const said = async (make: Make) => (await send(server.url, make(key, ""))).json.error.message;
    expect(await said(requests.rpc_method)).toContain("Use initialize, ping, tools/list or tools/call.");
    expect(await said(requests.protocol_version)).toContain("Send the version that initialize answered");
    expect(await said(requests.json)).toContain("Send one JSON object.");
    expect(await said(requests.scope)).toContain("Use a key that has it, or ask the operator for it.");
  });

  it("stand in the order in which they are checked", () => {
    expect(refusals.map(({ id }) => id)).toEqual([...Object.keys(requests), "unavailable", "internal"]);
  });
});
