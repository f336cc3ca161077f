// The client doctor: broken clients, each with one fault or several, and whether it names them.
import { describe, expect, it } from "vitest";
import type { Member } from "../../server/context";
import * as doctor from "../../server/services/doctor";
import { mint } from "../../server/services/key-format";
import * as keys from "../../server/services/keys";
import * as requests from "../../server/services/requests";
import { issueKey, makeCaller, rpc, type Sent, send, standardHeaders } from "../support/clients";
import { testDatabase } from "../support/database";
import { makeAccount, makeConsumer, makeStore } from "../support/factories";
import { everythingStored } from "../support/people";
import { logOf, testServer } from "../support/server";

const database = testDatabase();
const server = testServer(database, { TRUST_PROXY: "1" }, { expected: /\\"doctor_checks\\" does not exist/ });
const ping = JSON.stringify({ jsonrpc: "2.0", id: 7, method: "ping" });
let next = 0;

/** A platform whose owner has opened an address, and what came to it. */
async function openCheck() {
  const { consumer, key, keyId } = await makeCaller(database);
  const actor: Member = { kind: "member", accountId: consumer.owner.id, consumerId: consumer.id, role: "owner" };
  const { token } = await doctor.open(database.as(actor));
  const path = `/api/mcp/doctor/${token}`;
  const elsewhere = { "x-forwarded-for": `203.0.113.${++next}` };
  const ask = (sent: Sent) =>
    send(server.url, {
      path,
      body: ping,
      ...sent,
      headers: { ...elsewhere, ...(sent.headers as Record<string, string>) },
    });
  const check = async () => (await doctor.read(database.as(actor)))!;
  /** The faults named in the newest visit, and their notes. */
  async function faults() {
    const [visit] = (await check()).visits;
    const failed = visit!.rules.filter(({ verdict }) => verdict === "failed");
    return { visit: visit!, ids: failed.map(({ id }) => id), notes: failed.map(({ note }) => note ?? "").join(" ") };
  }
  return { consumer, actor, key, keyId, token, path, ask, check, faults };
}

type Broken = [name: string, sent: (key: string) => Sent, faults: string[], note: RegExp];
const good = (key: string) => standardHeaders(key);

const clients: Broken[] = [
  [
    "one that GETs an event stream",
    (key) => ({ method: "GET", headers: good(key), body: undefined }),
    ["method", "json"],
    /older transports/,
  ],
  [
    "one that accepts JSON alone",
    (key) => ({ headers: { ...good(key), accept: "application/json" } }),
    ["accept"],
    /lacks text\/event-stream/,
  ],
  [
    "one that sends text",
    (key) => ({ headers: { ...good(key), "content-type": "text/plain" } }),
    ["content_type"],
    /^$/,
  ],
  [
    "one without a key",
    () => ({ headers: standardHeaders() }),
    ["key_missing"],
    /Nothing in the request looks like a key/,
  ],
  ["one with a key cut short", (key) => ({ headers: good(key.slice(0, -5)) }), ["key"], /42 characters/],
  ["one whose variable was not filled in", () => ({ headers: good("$AISLE_KEY") }), ["key"], /placeholder/],
  ["one with a key in quotes", (key) => ({ headers: good(`"${key}"`) }), ["key"], /without quotes/],
  [
    "one that says Basic",
    () => ({ headers: { ...standardHeaders(), authorization: "Basic dXNlcjpwYXNz" } }),
    ["key"],
    /word Bearer/,
  ],
  [
    "one whose variable is empty",
    () => ({ headers: { ...standardHeaders(), authorization: "Bearer " } }),
    ["key"],
    /variable that holds it may not be set/,
  ],
  ["one that sends too much", (key) => ({ headers: good(key), body: " ".repeat(300 * 1024) }), ["size"], /^$/],
  ["one with another service's key", () => ({ headers: good("sk-live-1234567890") }), ["key"], /another service/],
  ["one with a key that nobody issued", () => ({ headers: good(mint()) }), ["key"], /never issued/],
  [
    "one with its key in X-Api-Key",
    (key) => ({ headers: { ...standardHeaders(), "x-api-key": key } }),
    ["key_missing"],
    /x-api-key is not read/,
  ],
  [
    "one of a protocol version of tomorrow",
    (key) => ({ headers: { ...good(key), "mcp-protocol-version": "2099-01-01" } }),
    ["protocol_version"],
    /2025-06-18/,
  ],
  ["one that sends batches", (key) => ({ headers: good(key), body: `[${ping}]` }), ["message"], /batches/],
  ["one that sends half a message", (key) => ({ headers: good(key), body: '{"jsonrpc":"2.0",' }), ["json"], /^$/],
  ["one without jsonrpc", (key) => ({ headers: good(key), body: '{"id":1,"method":"ping"}' }), ["message"], /jsonrpc/],
  [
    "a web page of somebody's",
    (key) => ({ headers: { ...good(key), origin: "https://evil.example" } }),
    ["origin"],
    /browser/,
  ],
  [
    "one that compresses",
    (key) => ({ headers: { ...good(key), "content-encoding": "gzip" } }),
    ["content_encoding"],
    /^$/,
  ],
  [
    "one that asks for resources",
    (key) => ({ headers: good(key), body: rpcBody("resources/list") }),
    ["rpc_method"],
    /^$/,
  ],
  ["one that makes up a tool", (key) => ({ headers: good(key), body: call("buy_everything", {}) }), ["tool"], /^$/],
  ["one without the scope", (key) => ({ headers: good(key), body: call("check_inventory", {}) }), ["scope"], /^$/],
  [
    "one that makes up an argument",
    (key) => ({ headers: good(key), body: call("list_stores", { colour: "red" }) }),
    ["arguments"],
    /colour is not an argument/,
  ],
  [
    "one whose arguments are wrong in several ways, a key and a null character among them",
    (key) => ({ headers: good(key), body: call("get_product", { store_id: 1, [key]: 1, "a\u0000b": 1, gtin: "x" }) }),
    ["arguments"],
    /store_id must be .+; gtin must have .+; … is not an argument.+; a b is not an argument/,
  ],
  [
    "one that calls no tool by name",
    (key) => ({ headers: good(key), body: rpcBody("tools/call", { arguments: {} }) }),
    ["params"],
    /params\.name must be/,
  ],
];
const rpcBody = (method: string, params?: unknown) => JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
const call = (name: string, args: unknown) => rpcBody("tools/call", { name, arguments: args });

describe("the doctor names the fault of", () => {
  it.each(clients)("%s", async (_name, sent, expected, note) => {
    const { key, ask, faults } = await openCheck();
    const reply = await ask(sent(key));
    const { visit, ids, notes } = await faults();
    expect(ids).toEqual(expected);
    expect(notes).toMatch(note);
    expect(visit.requestId).toBe(reply.headers["x-request-id"]);
    expect(visit.status).toBe(reply.status);
    expect(JSON.stringify(visit)).not.toContain(key.slice(0, 12));
  });

  it("nobody's who asks for a stream of events once it is initialized, as clients of streamable HTTP do", async () => {
    const { key, ask, faults } = await openCheck();
    const headers = {
      authorization: `Bearer ${key}`,
      accept: "text/event-stream",
      "mcp-protocol-version": "2025-06-18",
    };
    expect((await ask({ method: "GET", headers, body: undefined })).status).toBe(405);
    const { ids, visit } = await faults();
    expect(ids).toEqual([]);
    expect(visit.arrived.at(-1)).toEqual(["Purpose", expect.stringContaining("There is none")]);
    await ask({ method: "GET", headers: { ...headers, authorization: `Bearer ${mint()}` }, body: undefined });
    expect((await faults()).ids).toEqual(["key"]);
  });

  it("nobody's who first asks which versions there are, as newer clients do", async () => {
    const { key, ask, faults } = await openCheck();
    const discover = { body: rpcBody("server/discover", {}) };
    const ofTomorrow = { "mcp-protocol-version": "2026-07-28" };
    const reply = await ask({ headers: { ...good(key), ...ofTomorrow }, ...discover });
    expect([reply.status, reply.json.error.data.code]).toEqual([400, "unsupported_protocol_version"]);
    const { ids, visit } = await faults();
    expect(ids).toEqual([]);
    expect(visit.arrived.at(-1)).toEqual(["Purpose", expect.stringContaining("goes on with initialize")]);
    await ask({ headers: good(key), ...discover });
    expect((await faults()).ids).toEqual([]);
    await ask({ headers: { ...good(mint()), ...ofTomorrow }, ...discover });
    expect((await faults()).ids).toEqual(["key"]);
    await ask({ headers: { ...good(key), ...ofTomorrow }, body: rpcBody("tools/list") });
    expect((await faults()).ids).toEqual(["protocol_version"]);
  });

  it("one with its key in the address, which nobody may keep", async () => {
    const { key, path, ask, faults } = await openCheck();
    await ask({ path: `${path}?api_key=${key}`, headers: standardHeaders() });
    const { ids, notes, visit } = await faults();
    expect(ids).toEqual(["key_missing"]);
    expect(notes).toContain("never read for a key");
    expect(visit.arrived).toContainEqual(["Query", "present; never read"]);
    expect(await everythingStored(database)).not.toContain(key);
    expect(await logOf(server)).not.toContain(key);
  });

  it("one with everything wrong: all of it at once, though the endpoint stops at the first", async () => {
    const { ask, faults } = await openCheck();
    const reply = await ask({
      headers: { "content-type": "text/plain", accept: "*/*", origin: "https://evil.example" },
      body: "[",
    });
    expect(reply.status).toBe(403);
    expect((await faults()).ids).toEqual(["origin", "content_type", "accept", "key_missing", "json"]);
  });

  it("one whose key was revoked or ran out", async () => {
    const { consumer, key, keyId, ask, faults } = await openCheck();
    await keys.revoke(database.as({ kind: "operator", accountId: null }), { id: keyId });
    await ask({ headers: good(key) });
    expect((await faults()).notes).toContain("was revoked");
    const short = await issueKey(database, consumer.id);
    await database.sql`update keys set expires_at = now() - interval '1 hour' where id = ${short.id}`;
    await ask({ headers: good(short.value) });
    expect((await faults()).notes).toContain("has expired");
  });

  it("one that asks too often", async () => {
    const { consumer, key, ask, faults } = await openCheck();
    await database.sql`update consumers set rate_limit = 1 where id = ${consumer.id}`;
    await ask({ headers: good(key) });
    expect((await ask({ headers: good(key) })).status).toBe(429);
    expect((await faults()).ids).toEqual(["rate"]);
  });
});

describe("an address", () => {
  it("answers as the endpoint does, and finds nothing wrong with a good client", async () => {
    const { key, path, check } = await openCheck();
    const params = {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "Trail Guide", version: "3.1" },
    };
    const here = await rpc(server.url, key, "initialize", params, { path });
    const there = await rpc(server.url, key, "initialize", params);
    expect(here.text).toBe(there.text);
    await rpc(server.url, key, "tools/call", { name: "list_stores", arguments: {} }, { path });
    const { visits, requests } = await check();
    expect(requests).toBe(2);
    expect(visits[0]!.rules.map(({ verdict }) => verdict)).not.toContain("failed");
    expect(visits[0]!.rules.filter(({ verdict }) => verdict === "not_reached")).toEqual([]);
    expect(visits[1]!.arrived).toContainEqual(["clientInfo", "Trail Guide 3.1"]);
    expect(visits[1]!.arrived).toContainEqual(["Key", "Bearer, a well-formed key"]);
  });

  it("finds nothing wrong with a call before the product that it asks for in vain", async () => {
    const { consumer, key, path, check } = await openCheck();
    const store = await makeStore(database);
    await database.sql`update consumers set state = 'production', utm_source = 'doctored' where id = ${consumer.id}`;
    const wanted = { name: "get_product", arguments: { store_id: store.id, product_id: "none" } };
    await rpc(server.url, key, "tools/call", wanted, { path });
    const [visit] = (await check()).visits;
    const verdicts = visit!.rules.map(({ id, verdict }) => [id, verdict]);
    expect(verdicts.filter(([, verdict]) => verdict !== "passed")).toEqual([["product", "failed"]]);
  });

  it("says whose key it is only so far: another platform's", async () => {
    const { ask, check } = await openCheck();
    const other = await makeCaller(database);
    expect((await ask({ headers: good(other.key) })).status).toBe(200);
    const text = JSON.stringify((await check()).visits);
    expect(text).toContain("of another platform");
    expect(text).not.toContain(other.consumer.slug);
  });

  it("at which something goes wrong within is found by the request's id, as anywhere", async () => {
    const { ask, key } = await openCheck();
    const { sql } = database;
    await sql`alter table doctor_checks rename to mislaid`;
    const asked = ask({ headers: standardHeaders(key) });
    const { status, headers } = await asked.finally(() => sql`alter table mislaid rename to doctor_checks`);
    expect(status).toBe(500);
    await expect
      .poll(() => sql`select door from failures where request_id = ${headers["x-request-id"] as string}`)
      .toEqual([{ door: "mcp" }]);
  });

  it("is over after 20 requests, however many come at once", async () => {
    const { key, ask, check } = await openCheck();
    const replies = await Promise.all(Array.from({ length: 26 }, () => ask({ headers: good(key) })));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(20);
    const refused = replies.find(({ status }) => status === 404)!;
    expect(refused.json.error.data.code).toBe("unknown_endpoint");
    expect(await check()).toMatchObject({ isOpen: false, requests: 20 });
  });

  it("is over after 15 minutes, when another is opened, and where there never was one", async () => {
    const first = await openCheck();
    await doctor.open(database.as(first.actor));
    expect((await first.ask({ headers: good(first.key) })).status).toBe(404);
    const second = await openCheck();
    await database.sql`
      update doctor_checks set created_at = created_at - interval '16 minutes', expires_at = expires_at - interval '16 minutes'
      where consumer_id = ${second.consumer.id}`;
    expect((await second.ask({ headers: good(second.key) })).status).toBe(404);
    const never = await second.ask({ path: "/api/mcp/doctor/none", headers: good(second.key) });
    expect(never.status).toBe(404);
    // Whoever asks why finds it by the id, as of any call.
    expect(await logOf(server)).toContain(`"request_id":"${never.headers["x-request-id"]}","status":404`);
    expect((await second.check()).visits).toEqual([]);
  });

  it("is the only one that is open, however many are opened at once", async () => {
    const { actor } = await openCheck();
    const opened = await Promise.all(Array.from({ length: 4 }, () => doctor.open(database.as(actor))));
    const asked = await Promise.allSettled(
      opened.map(({ token }) => doctor.admit(database.as({ kind: "anonymous" }), token)),
    );
    expect(asked.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  it("keeps no secret: neither its own token, nor a key, nor what looks like one in other headers", async () => {
    const { token, key, ask, check } = await openCheck();
    await ask({
      headers: { ...good(key), "user-agent": `agent ${key}`, "mcp-session-id": "s3cret", accept: `x/${key}` },
    });
    const stored = await everythingStored(database);
    for (const secret of [token, key, "s3cret"]) expect(stored).not.toContain(secret);
    expect(JSON.stringify(await check())).toContain("agent …");
  });

  it("is its opener's: another member sees their own, and another tenant none", async () => {
    const { consumer, ask, key } = await openCheck();
    await ask({ headers: good(key) });
    const colleague = await makeAccount(database);
    const other: Member = { kind: "member", accountId: colleague.id, consumerId: consumer.id, role: "developer" };
    expect(await doctor.read(database.as(other))).toBeNull();
    const stranger = await makeConsumer(database);
    const outside: Member = { kind: "member", accountId: stranger.owner.id, consumerId: stranger.id, role: "owner" };
    expect(await doctor.read(database.as(outside))).toBeNull();
  });
});

describe("looking a request up", () => {
  it("finds a counted request of one's own, and never another's", async () => {
    const { key, actor } = await openCheck();
    const reply = await rpc(server.url, key, "tools/call", { name: "list_stores", arguments: { nonsense: 1 } });
    const requestId = String(reply.headers["x-request-id"]);
    expect(await requests.get(database.as(actor), { requestId })).toMatchObject({
      tool: "list_stores",
      errorCode: "invalid_arguments",
      endpoint: "api",
      status: 200,
    });
    const stranger = await openCheck();
    await expect(requests.get(database.as(stranger.actor), { requestId })).rejects.toMatchObject({
      code: "not_found",
    });
  });

  it("finds nothing under an id that no request can have: of another kind, or of a far future", async () => {
    const { actor } = await openCheck();
    for (const requestId of ["e677d21f-0000-1000-8000-000000000000", "ffffffff-ffff-7fff-bfff-ffffffffffff"]) {
      await expect(requests.get(database.as(actor), { requestId })).rejects.toMatchObject({ code: "not_found" });
    }
  });
});
