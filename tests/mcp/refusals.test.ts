// Every refusal through HTTP; its row counts them in the order in which the endpoint checks.

import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { consumers } from "../../db/schema/consumers";
import { refusals } from "../../server/refusals";
import { mint } from "../../server/services/key-format";
import * as keys from "../../server/services/keys";
import { callTool, issueKey, makeCaller, rpc, send, standardHeaders } from "../support/clients";
import { testDatabase } from "../support/database";
import { makeStore } from "../support/factories";
import { logOf, testServer } from "../support/server";
import { untilRecorded } from "../support/usage";
import { UUID7 } from "../support/wire";

const database = testDatabase();
const server = testServer(database, {
  TRUST_PROXY: "1",
  ALLOWED_ORIGINS: "https://friend.example",
  ALLOWED_HOSTS: "shops.example",
});
const operator = () => database.as({ kind: "operator", accountId: null });
const ping = JSON.stringify({ jsonrpc: "2.0", id: 7, method: "ping" });

/** An address of its own, so that throttled addresses of other tests do not matter. */
let next = 0;
const fromElsewhere = () => ({ "x-forwarded-for": `198.51.100.${++next}` });

function expectRefusal(reply: Awaited<ReturnType<typeof send>>, status: number, code: number, id: unknown = null) {
  expect(reply.status).toBe(status);
  expect(reply.headers["content-type"]).toBe("application/json; charset=utf-8");
  expect(reply.headers["x-request-id"]).toMatch(UUID7);
  expect(reply.json).toMatchObject({ jsonrpc: "2.0", id, error: { code, message: expect.any(String) } });
  expect(reply.json.error.data.request_id).toBe(reply.headers["x-request-id"]);
}

describe("before the body is read", () => {
  it.each(["GET", "PUT", "PATCH", "DELETE", "OPTIONS"])("row 1: %s is 405 with Allow: POST", async (method) => {
    const reply = await send(server.url, { method, headers: standardHeaders() });
    expectRefusal(reply, 405, -32600);
    expect(reply.headers.allow).toBe("POST");
  });

  it("row 1: HEAD is 405 without a body", async () => {
    const reply = await send(server.url, { method: "HEAD" });
    expect(reply).toMatchObject({
      status: 405,
      text: "",
      headers: { allow: "POST", "x-request-id": expect.stringMatching(UUID7) },
    });
  });

  it.each(["https://evil.example", "null", "http://127.0.0.1:1"])("row 2: Origin %s is 403", async (origin) => {
    const reply = await send(server.url, { headers: { ...standardHeaders(), origin }, body: ping });
    expectRefusal(reply, 403, 403);
    expect(reply.json.error.data.code).toBe("origin_not_allowed");
  });

  it("row 2: our own Origin and allowed ones pass", async () => {
    const { key } = await makeCaller(database);
    for (const origin of [new URL(server.url).origin, "https://friend.example"]) {
      expect(await rpc(server.url, key, "ping", undefined, { headers: { origin } })).toMatchObject({ status: 200 });
    }
  });

  it("row 2: no page of another site can call, whatever is allowed, and no words say otherwise", async () => {
    const origin = "https://friend.example";
    const { key } = await makeCaller(database);
    const preflight = { origin, "access-control-request-method": "POST" };
    const replies = [
      await send(server.url, { method: "OPTIONS", headers: preflight }),
      await rpc(server.url, key, "ping", undefined, { headers: { origin } }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([405, 200]);
    for (const { headers } of replies)
      expect(Object.keys(headers).filter((name) => name.startsWith("access-control-"))).toEqual([]);
    const refused = await rpc(server.url, key, "ping", undefined, { headers: { origin: "https://evil.example" } });
    const { mend } = refusals.find(({ id }) => id === "origin")!;
    for (const words of [mend, refused.json.error.message])
      expect(words).toMatch(
        /pages of other sites cannot call.+For a browser extension or desktop app, ask the operator/,
      );
  });

  it.each(["text/plain", "application/jsonp", "multipart/form-data", ""])(
    "row 3: Content-Type %j is 415",
    async (type) => {
      expectRefusal(
        await send(server.url, { headers: { ...standardHeaders(), "content-type": type }, body: ping }),
        415,
        415,
      );
    },
  );

  it("row 3: a charset parameter is fine", async () => {
    const { key } = await makeCaller(database);
    const headers = { "content-type": "Application/JSON; charset=utf-8" };
    expect(await rpc(server.url, key, "ping", undefined, { headers })).toMatchObject({ status: 200 });
  });

  it.each([
    "application/json",
    "text/event-stream",
    "*/*",
    "",
    "application/json, text/event-stream;q=0",
    "application/json;q=0, application/*, text/event-stream",
    "application/xml, text/html",
    'application/json;p="a, text/event-stream, b"',
    'application/json;p="a\\", text/event-stream, b"',
    'application/json;p="a, text/event-stream',
    ...["1e-1", "0x1", "1.5", "2", ".5", "0.1234", "-0", "Infinity", '"1"', ""].map(
      (q) => `application/json;q=${q}, text/event-stream`,
    ),
  ])("row 4: Accept %j is 406", async (accept) => {
    expectRefusal(await send(server.url, { headers: { ...standardHeaders(), accept }, body: ping }), 406, 406);
  });

  it.each([
    "text/event-stream;q=0.1,application/json;q=0.5",
    "application/*, text/*",
    "APPLICATION/JSON , Text/Event-Stream, */*;q=0",
    'application/json;profile="x;q=0", text/event-stream;q=1.000',
    "application/json;q=2, application/*;q=0.001, text/event-stream",
    "application/json;profile=x;q=0, application/json, text/event-stream",
  ])("row 4: Accept %j is fine", async (accept) => {
    const { key } = await makeCaller(database);
    expect(await rpc(server.url, key, "ping", undefined, { headers: { accept } })).toMatchObject({ status: 200 });
  });

  it("row 5: a body of more than 256 KiB is 413, also without Content-Length", async () => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping", params: { pad: "x".repeat(256 * 1024) } });
    expectRefusal(await send(server.url, { headers: standardHeaders(), body }), 413, 413);
    const chunked = { ...standardHeaders(), "transfer-encoding": "chunked" };
    expectRefusal(await send(server.url, { headers: chunked, body }), 413, 413);
  });

  it("row 5: a body of exactly 256 KiB is read", async () => {
    const { key } = await makeCaller(database);
    const start = '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"pad":"';
    const body = `${start}${"x".repeat(256 * 1024 - start.length - 3)}"}}`;
    expect(Buffer.byteLength(body)).toBe(256 * 1024);
    expect(await send(server.url, { headers: standardHeaders(key), body })).toMatchObject({ status: 200 });
  });

  it("any Content-Encoding is 415", async () => {
    expectRefusal(
      await send(server.url, { headers: { ...standardHeaders(), "content-encoding": "gzip" }, body: ping }),
      415,
      415,
    );
  });

  it.each(["Authorization", "Content-Type", "Host"])("a doubled %s header is 400", async (name) => {
    const { key } = await makeCaller(database);
    const once = Object.entries({ host: new URL(server.url).host, ...standardHeaders(key) });
    const again = once.find(([header]) => header === name.toLowerCase())!;
    const headers = [...once, again, ["content-length", String(ping.length)] as const].flat();
    expectRefusal(await send(server.url, { headers, body: ping }), 400, -32600);
  });

  it("a Host that is a stranger's name is 421; addresses, localhost and allowed names pass", async () => {
    const { key } = await makeCaller(database);
    expectRefusal(
      await send(server.url, { headers: { ...standardHeaders(key), host: "evil.example" }, body: ping }),
      421,
      421,
    );
    for (const host of ["localhost:1234", "203.0.113.7", "[::1]:80", "Shops.Example"]) {
      expect(await send(server.url, { headers: { ...standardHeaders(key), host }, body: ping })).toMatchObject({
        status: 200,
      });
    }
  });

  it("what is refused before any check is in the log too, by its request id and without its target", async () => {
    const { key } = await makeCaller(database);
    const target = "/api/mcp/doctor/t0ken-of-somebody%00";
    const refusals = [
      await send(server.url, { headers: { ...standardHeaders(key), host: "evil.example" }, body: ping }),
      await send(server.url, { headers: standardHeaders(key), path: target, body: ping }),
    ];
    expect(refusals.map(({ status }) => status)).toEqual([421, 400]);
    const log = await logOf(server);
    for (const { headers } of refusals) expect(log).toContain(headers["x-request-id"]);
    expect(log).not.toContain("t0ken");
  });

  it.each(["/api/mcp/", "/api/mcp/p/slug/", "/api/mcp/tools"])(
    "POST %s is 404, with the right address",
    async (path) => {
      const reply = await send(server.url, { headers: standardHeaders(), path, body: ping });
      expectRefusal(reply, 404, 404);
      expect(reply.json.error.message).toContain("call /api/mcp");
    },
  );

  it.each(["/API/MCP", "/api/%6dcp", "/api/mcp.data", "/Api/mcp/p/any", "/api/MCP/doctor/any"])(
    "%s is no second way in, for nobody",
    async (path) => {
      const { key } = await makeCaller(database);
      const headers = { ...standardHeaders(key), origin: server.url };
      expectRefusal(await send(server.url, { path, headers, body: ping }), 404, 404);
      expectRefusal(await send(server.url, { path, method: "GET", headers }), 404, 404);
    },
  );

  it("the first check that fails answers", async () => {
    const everything = { origin: "https://evil.example", "content-type": "text/plain", accept: "text/html" };
    expect((await send(server.url, { method: "GET", headers: everything })).status).toBe(405);
    expect((await send(server.url, { headers: everything, body: "[" })).status).toBe(403);
    expect((await send(server.url, { headers: { ...everything, origin: server.url }, body: "[" })).status).toBe(415);
    expect((await send(server.url, { headers: { "content-type": "application/json" }, body: "[" })).status).toBe(406);
    expect((await send(server.url, { headers: { ...standardHeaders(), ...fromElsewhere() }, body: "[" })).status).toBe(
      401,
    );
  });
});

describe("row 6: keys", () => {
  async function refused(authorization: string) {
    return send(server.url, { headers: { ...standardHeaders(), ...fromElsewhere(), authorization }, body: ping });
  }
  const challenge = (description: string) =>
    `Bearer realm="aisle", error="invalid_token", error_description="${description}"`;

  it("no credentials: a challenge without an error code", async () => {
    const reply = await send(server.url, { headers: standardHeaders(), body: ping });
    expectRefusal(reply, 401, 401);
    expect(reply.headers["www-authenticate"]).toBe('Bearer realm="aisle"');
    expect(reply.json.error.data).toEqual({ code: "missing_token", request_id: reply.headers["x-request-id"] });
  });

  it("a key in the query string is not read", async () => {
    const { key } = await makeCaller(database);
    const reply = await send(server.url, {
      path: `/api/mcp?access_token=${key}&api_key=${key}`,
      headers: standardHeaders(),
      body: ping,
    });
    expect(reply.json.error.data.code).toBe("missing_token");
  });

  it.each([
    "Bearer",
    "Bearer ",
    "Bearer abc",
    "Basic dXNlcjpwYXNz",
    "Bearer two words",
    `Bearer ${mint().slice(0, -1)}`,
    `Bearer ${mint()}x`,
  ])("%j is malformed", async (authorization) => {
    const reply = await refused(authorization);
    expectRefusal(reply, 401, 401);
    expect(reply.json.error.data).toMatchObject({ code: "invalid_token", reason: "malformed" });
    expect(reply.headers["www-authenticate"]).toBe(challenge(reply.json.error.message));
  });

  it("tells unknown, revoked, expired and access_revoked apart", async () => {
    expect((await refused(`Bearer ${mint()}`)).json.error.data).toMatchObject({
      code: "invalid_token",
      reason: "unknown",
    });

    const { consumer, key, keyId } = await makeCaller(database);
    expect((await rpc(server.url, key, "ping")).status).toBe(200);
    await keys.revoke(operator(), { id: keyId });
    const revoked = await refused(`Bearer ${key}`);
    expect(revoked.status).toBe(401);
    expect(revoked.json.error.data.reason).toBe("revoked");
    expect(revoked.headers["www-authenticate"]).toBe(challenge(revoked.json.error.message));

    const short = await issueKey(database, consumer.id, { expiresAt: new Date(Date.now() + 3_600_000) });
    expect((await rpc(server.url, short.value, "ping")).status).toBe(200);
    // As if the hour were over, however long the two calls take.
    await database.sql`update keys set expires_at = now() - interval '1 second' where id = ${short.id}`;
    expect((await refused(`Bearer ${short.value}`)).json.error.data.reason).toBe("expired");

    const rejected = await makeCaller(database);
    await database.db
      .update(consumers)
      .set({ state: "revoked", revokedFrom: "sandbox" })
      .where(eq(consumers.id, rejected.consumer.id));
    expect((await refused(`bearer ${rejected.key}`)).json.error.data.reason).toBe("access_revoked");
  });

  it("after 20 refused keys in a minute an address gets 429, and a good key from it still works", async () => {
    const address = fromElsewhere();
    const guess = (key: string) => rpc(server.url, key, "ping", undefined, { headers: address });
    for (let i = 0; i < 20; i++) expect((await guess(mint())).status).toBe(401);
    const throttled = await guess(mint());
    expectRefusal(throttled, 429, 429);
    expect(throttled.json.error.message).toMatch(/^The key was refused, as were 20 others/);
    expect(throttled.headers["retry-after"]).toMatch(/^([1-9]|[1-5]\d|60)$/);
    const { key } = await makeCaller(database);
    expect((await guess(key)).status).toBe(200);
    expect((await rpc(server.url, mint(), "ping", undefined, { headers: fromElsewhere() })).status).toBe(401);
  });

  it("malformed keys count for their address as well, apart and without the database: the 21st in a minute is 429", async () => {
    const address = fromElsewhere();
    const ask = (key: string) => rpc(server.url, key, "ping", undefined, { headers: address });
    const told = ({ status, json }: Awaited<ReturnType<typeof ask>>) =>
      `${status} ${json.error.data.reason ?? ""}`.trim();
    const replies = await Promise.all(Array.from({ length: 25 }, () => ask(`${mint()}x`)));
    expect(replies.map(told).toSorted()).toEqual([...Array(20).fill("401 malformed"), ...Array(5).fill("429")]);
    const throttled = await ask("abc");
    expectRefusal(throttled, 429, 429);
    expect(throttled.headers["retry-after"]).toMatch(/^([1-9]|[1-5]\d|60)$/);
    const { key } = await makeCaller(database);
    expect((await ask(key)).status).toBe(200);
    expect(told(await rpc(server.url, "abc", "ping", undefined, { headers: fromElsewhere() }))).toBe("401 malformed");
    for (let i = 0; i < 20; i++) expect((await ask(mint())).status).toBe(401);
    expect((await ask(mint())).status).toBe(429);
  });

  it("who has sent twenty unknown keys is told 429 of a malformed one too", async () => {
    const address = fromElsewhere();
    const ask = (key: string) => rpc(server.url, key, "ping", undefined, { headers: address });
    for (let i = 0; i < 21; i++) await ask(mint());
    expect((await ask("abc")).status).toBe(429);
  });

  it("of sixty refused keys at once from two addresses each has twenty told so, and good keys among them work", async () => {
    const addresses = [fromElsewhere(), fromElsewhere()];
    const good = await Promise.all([1, 2, 3].map(() => makeCaller(database)));
    const send = (key: string, i: number) => rpc(server.url, key, "ping", undefined, { headers: addresses[i % 2] });
    const twice = mint();
    const [guesses, welcome] = await Promise.all([
      Promise.all(Array.from({ length: 60 }, (_, i) => send(i < 4 ? twice : mint(), i))),
      Promise.all(good.map(({ key }, i) => send(key, i))),
    ]);
    for (const which of [0, 1]) {
      const statuses = guesses.filter((_, i) => i % 2 === which).map(({ status }) => status);
      expect(statuses.toSorted()).toEqual([...Array(20).fill(401), ...Array(10).fill(429)]);
    }
    expect(welcome.map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it("a client that would register for OAuth, since its key was refused, is told what to send instead", async () => {
    const reply = await send(server.url, { path: "/register", headers: standardHeaders(), body: "{}" });
    expectRefusal(reply, 404, 404);
    expect(reply.json.error.message).toBe(
      "There is no OAuth here, so there is nothing to register: your API key is missing or was refused. Send it as 'Authorization: Bearer <key>' to /api/mcp.",
    );
  });

  it.each(["/mcp", "/", "/api/MCP", "/sse"])("POST %s is told where the endpoint is", async (path) => {
    const reply = await send(server.url, { path, headers: standardHeaders(), body: "{}" });
    expectRefusal(reply, 404, 404);
    expect(reply.json.error.message).toBe("There is no endpoint at this address; call /api/mcp.");
  });

  it.each([
    ["/api/mcp/", "/api/mcp"],
    ["/api/mcp/p/tents/", "/api/mcp/p/tents"],
    ["/api/mcp/doctor/x//", "/api/mcp/doctor/x"],
    ["/api/mcp/p/", "/api/mcp"],
    ["/api/mcp/p/a/b", "/api/mcp"],
  ])("POST %s, a slip of the pen, is told to call %s", async (path, meant) => {
    const reply = await send(server.url, { path, headers: standardHeaders(), body: "{}" });
    expectRefusal(reply, 404, 404);
    expect(reply.json.error.message).toBe(`There is no endpoint at this address; call ${meant}.`);
  });

  it.each(["oauth-protected-resource", "oauth-authorization-server", "oauth-protected-resource/api/mcp"])(
    "/.well-known/%s is a plain 404",
    async (name) => {
      const reply = await fetch(`${server.url}/.well-known/${name}`);
      expect(reply.status).toBe(404);
      expect(reply.headers.get("x-request-id")).toMatch(UUID7);
    },
  );
});

describe("the message", () => {
  async function post(body: string | Uint8Array, headers: Record<string, string> = {}) {
    const { key } = await makeCaller(database);
    return send(server.url, { headers: { ...standardHeaders(key), ...headers }, body });
  }

  it.each(["", "{", "nope", '{"jsonrpc":"2.0",}', "\u0000"])("row 7: %j is not JSON", async (body) => {
    expectRefusal(await post(body), 400, -32700);
  });

  it("row 7: invalid UTF-8 is refused", async () => {
    expectRefusal(await post(Buffer.from([0x22, 0xff, 0xfe, 0x22])), 400, -32700);
  });

  it.each([
    ["an array", "[]"],
    ["a batch", `[${ping}]`],
    ["a number", "1"],
    ["null", "null"],
    ["no jsonrpc", '{"id":1,"method":"ping"}'],
    ["jsonrpc 1.0", '{"jsonrpc":"1.0","id":1,"method":"ping"}'],
    ["id null", '{"jsonrpc":"2.0","id":null,"method":"ping"}'],
    ["id fractional", '{"jsonrpc":"2.0","id":1.5,"method":"ping"}'],
    ["id an object", '{"jsonrpc":"2.0","id":{},"method":"ping"}'],
    ["id an unsafe integer", '{"jsonrpc":"2.0","id":12345678901234567890,"method":"ping"}'],
    ["no method", '{"jsonrpc":"2.0","id":1}'],
    ["a result under id null", '{"jsonrpc":"2.0","id":null,"result":{}}'],
    ["a result under no id", '{"jsonrpc":"2.0","result":{}}'],
    ["a result and an error", '{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"?"}}'],
    ["a result and an error under no id", '{"jsonrpc":"2.0","result":{},"error":{"code":1,"message":"?"}}'],
    ["an error under an id that is none", '{"jsonrpc":"2.0","id":1.5,"error":{"code":-32700,"message":"?"}}'],
    ["a method and an error under id null", '{"jsonrpc":"2.0","id":null,"method":"ping","error":{}}'],
    ["method a number", '{"jsonrpc":"2.0","id":1,"method":1}'],
    ["nested too deep", `{"jsonrpc":"2.0","id":1,"method":"ping","params":${"[".repeat(70_000)}${"]".repeat(70_000)}}`],
  ])("row 8: %s is an invalid request", async (_what, body) => {
    const reply = await post(body);
    expect(reply.status).toBe(400);
    expect(reply.json.error.code).toBe(-32600);
    expect(reply.headers.ratelimit).toBeUndefined();
  });

  it("row 9: an unknown MCP-Protocol-Version is 400 and names the known ones", async () => {
    const reply = await post(ping, { "mcp-protocol-version": "2023-01-01" });
    expectRefusal(reply, 400, -32600, 7);
    expect(reply.json.error.data.supported).toEqual(["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]);
    for (const version of reply.json.error.data.supported) {
      expect((await post(ping, { "mcp-protocol-version": version })).status).toBe(200);
    }
  });

  it.each([
    ["a notification", '{"jsonrpc":"2.0","method":"notifications/initialized"}'],
    ["a client's response", '{"jsonrpc":"2.0","id":1,"result":{}}'],
    ["a client's error", '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"?"}}'],
    ["a client's error of what it could not read", '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"?"}}'],
    ["the same as MCP 2025-11-25 has it, without an id", '{"jsonrpc":"2.0","error":{"code":-32700,"message":"?"}}'],
    ["a call without an id", '{"jsonrpc":"2.0","method":"tools/call","params":{"name":"list_stores"}}'],
  ])("row 10: %s is 202 without a body", async (_what, body) => {
    const reply = await post(body);
    expect(reply).toMatchObject({ status: 202, text: "" });
    expect(reply.headers["x-request-id"]).toMatch(UUID7);
    expect(reply.headers.ratelimit).toBeUndefined();
  });

  it("echoes string ids, integer ids and zero as they came", async () => {
    for (const id of ["a", "", 0, -5, Number.MAX_SAFE_INTEGER]) {
      const reply = await post(JSON.stringify({ jsonrpc: "2.0", id, method: "ping" }));
      expect(reply.text).toBe(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{}}`);
    }
  });
});

describe("the call", () => {
  it("row 11: beyond the limit it is 429 with the wait, and the headers say so all along", async () => {
    const { key } = await makeCaller(database, { rateLimit: 3 });
    for (const remaining of [2, 1, 0]) {
      const { headers } = await rpc(server.url, key, "ping");
      expect(headers["ratelimit-policy"]).toBe('"default";q=3;w=60');
      expect(headers.ratelimit).toMatch(new RegExp(`^"default";r=${remaining};t=\\d+$`));
    }
    const reply = await rpc(server.url, key, "ping");
    expectRefusal(reply, 429, 429, 1);
    const wait = Number(reply.headers["retry-after"]);
    expect(wait).toBeGreaterThan(0);
    expect(reply.json.error.data).toEqual({
      code: "rate_limited",
      limit: 3,
      remaining: 0,
      retry_after: wait,
      request_id: reply.headers["x-request-id"],
    });
    expect(reply.json.error.message).toContain(`${wait} second`);
    expect(reply.headers.ratelimit).toBe(`"default";r=0;t=${wait}`);
  });

  it("row 11: a flood beyond the limit is counted to the last one, and a raised limit and a revoked key are seen at once", async () => {
    const { consumer, key, keyId } = await makeCaller(database, { rateLimit: 1 });
    expect((await rpc(server.url, key, "ping")).status).toBe(200);
    const flood = () => Promise.all(Array.from({ length: 150 }, () => rpc(server.url, key, "ping")));
    for (const reply of [...(await flood()), ...(await flood())]) expectRefusal(reply, 429, 429, 1);
    expectRefusal(await send(server.url, { headers: standardHeaders(key), body: "[]" }), 400, -32600);
    // A directory endpoint is another's, whatever key a caller sends along.
    const directorySlug = `dir-${consumer.slug}`;
    await makeCaller(database, { state: "production", directorySlug });
    expect((await rpc(server.url, key, "ping", undefined, { path: `/api/mcp/p/${directorySlug}` })).status).toBe(200);
    await database.db.update(consumers).set({ rateLimit: 1_000 }).where(eq(consumers.id, consumer.id));
    expect((await rpc(server.url, key, "ping")).status).toBe(200);
    await database.db.update(consumers).set({ rateLimit: 1 }).where(eq(consumers.id, consumer.id));
    expect((await rpc(server.url, key, "ping")).headers.ratelimit).toMatch(/^"default";r=0;t=\d+$/);
    await keys.revoke(database.as({ kind: "operator", accountId: null }), { id: keyId });
    expect((await rpc(server.url, key, "ping")).json.error.data.reason).toBe("revoked");
    await untilRecorded(database);
    const [counted] = await database.sql`
      select (select count(*)::int from usage_events where consumer_id = ${consumer.id} and status = 429 and error_code = 'rate_limited') as logged,
        (select coalesce(sum(times), 0)::int from usage_pending where consumer_id = ${consumer.id} and status = 429)
          + (select coalesce(sum(calls), 0)::int from (
              select calls, consumer_id, dimension, value from usage_recent
              union all select calls, consumer_id, dimension, value from usage_rollups where grain = 'day') known
            where consumer_id = ${consumer.id} and dimension = 'error' and value = '429 rate_limited') as counted`;
    // A hundred are logged a minute, and a minute may have ended meanwhile.
    expect(counted!.logged).toBeGreaterThanOrEqual(100);
    expect(counted!.logged).toBeLessThanOrEqual(200);
    expect(counted!.counted).toBe(301);
  });

  it("what does not count leaves the limit alone", async () => {
    const { key } = await makeCaller(database, { rateLimit: 1 });
    await send(server.url, { headers: standardHeaders(key), body: "{" });
    await send(server.url, { headers: standardHeaders(key), body: "[]" });
    await rpc(server.url, key, "ping", undefined, { headers: { "mcp-protocol-version": "1" } });
    await send(server.url, { headers: standardHeaders(key), body: '{"jsonrpc":"2.0","method":"notifications/x"}' });
    await rpc(server.url, key, "ping", undefined, { headers: { accept: "text/html" } });
    expect((await rpc(server.url, key, "ping")).status).toBe(200);
    expect((await rpc(server.url, key, "ping")).status).toBe(429);
  });

  it("row 12: an unknown method is -32601", async () => {
    const { key } = await makeCaller(database);
    for (const method of ["resources/list", "tools/Call", "__proto__", "constructor"]) {
      expectRefusal(await rpc(server.url, key, method), 200, -32601, 1);
    }
  });

  it.each([
    ["tools/call", undefined, "params"],
    ["tools/call", [], "params"],
    ["tools/call", {}, "name"],
    ["tools/call", { name: 1 }, "name"],
    ["tools/call", { name: "list_stores", arguments: [] }, "arguments"],
    ["tools/call", { name: "list_stores", arguments: null }, "arguments"],
    ["tools/call", { name: "buy_now", arguments: 5 }, "arguments"],
    ["tools/list", { cursor: "x" }, "cursor"],
    ["tools/list", { cursor: "" }, "cursor"],
    ["tools/list", null, "params"],
    ["ping", 5, "params"],
    ["ping", [], "params"],
    ["ping", null, "params"],
    ["initialize", undefined, "params"],
    ["initialize", { capabilities: {}, clientInfo: { name: "a", version: "1" } }, "protocolVersion"],
    ["initialize", { protocolVersion: "2025-06-18", clientInfo: { name: "a", version: "1" } }, "capabilities"],
    [
      "initialize",
      { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "a" } },
      "clientInfo.version",
    ],
  ])("row 13: %s with %j is -32602 and names the field", async (method, params, field) => {
    const { key } = await makeCaller(database);
    const reply = await rpc(server.url, key, method, params);
    expectRefusal(reply, 200, -32602, 1);
    expect(reply.json.error.data.field).toBe(field);
  });

  it("row 13 comes before row 15: arguments that are no object are told of before a missing scope", async () => {
    const { consumer } = await makeCaller(database);
    const narrow = await issueKey(database, consumer.id, { scopes: ["offers:read"] });
    const reply = await rpc(server.url, narrow.value, "tools/call", { name: "get_store_info", arguments: 5 });
    expectRefusal(reply, 200, -32602, 1);
    expect(reply.json.error.data.field).toBe("arguments");
  });

  it("row 14: an unknown tool is -32602", async () => {
    const { key } = await makeCaller(database);
    for (const name of ["buy_now", "", "__proto__", "toString"]) {
      const reply = await callTool(server.url, key, name, {});
      expectRefusal(reply, 200, -32602, 1);
      expect(reply.json.error.data.code).toBe("unknown_tool");
    }
  });

  it("row 15: a tool outside the scopes is 403 insufficient_scope", async () => {
    const { consumer } = await makeCaller(database);
    const narrow = await issueKey(database, consumer.id, { scopes: ["offers:read"] });
    const reply = await callTool(server.url, narrow.value, "get_store_info", { store_id: crypto.randomUUID() });
    expectRefusal(reply, 403, 403, 1);
    expect(reply.json.error.data).toMatchObject({
      code: "insufficient_scope",
      required_scope: "catalog:read",
      granted_scopes: ["offers:read"],
    });
    expect(reply.headers["www-authenticate"]).toBe(
      'Bearer realm="aisle", error="insufficient_scope", scope="catalog:read"',
    );
  });

  it("row 16: arguments that do not fit are a result that a model can mend", async () => {
    const { key } = await makeCaller(database);
    const reply = await callTool(server.url, key, "get_store_info", { store_id: "7", colour: "red" });
    expect(reply.status).toBe(200);
    expect(reply.json.result.isError).toBe(true);
    expect(reply.json.result).not.toHaveProperty("structuredContent");
    const error = JSON.parse(reply.json.result.content[0].text);
    expect(error).toMatchObject({
      code: "invalid_arguments",
      request_id: reply.headers["x-request-id"],
      retryable: false,
    });
    expect(error.issues).toEqual([
      { path: "store_id", message: expect.any(String), expected: "a UUID" },
      { path: "colour", message: "is not an argument of this tool: it takes store_id", expected: "one of store_id" },
    ]);
    const missing = await callTool(server.url, key, "get_store_info", {});
    expect(JSON.parse(missing.json.result.content[0].text).issues).toEqual([
      { path: "store_id", message: "is missing", expected: "a UUID" },
    ]);
    for (const query of ["a\0b", "a\udfff"]) {
      const unstorable = await callTool(server.url, key, "list_stores", { query });
      expect(JSON.parse(unstorable.json.result.content[0].text).issues[0].path).toBe("query");
    }
    const proto = await send(server.url, {
      headers: standardHeaders(key),
      body: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_stores","arguments":{"__proto__":{"limit":3},"constructor":1}}}',
    });
    expect(JSON.parse(proto.json.result.content[0].text).code).toBe("invalid_arguments");
  });

  it("row 17: unknown, blocked, not granted and AI Discovery off are one answer, to the byte but for request_id", async () => {
    const { consumer, key } = await makeCaller(database, { state: "production" });
    const explicit = await makeCaller(database, { state: "production", coverage: "explicit" });
    const [blocked, off, open] = [
      await makeStore(database),
      await makeStore(database, { ai_discovery: false }),
      await makeStore(database),
    ];
    await database.sql`insert into blocks (consumer_id, store_id) values (${consumer.id}, ${blocked.id})`;
    const replies = [
      await callTool(server.url, key, "get_store_info", { store_id: crypto.randomUUID() }),
      await callTool(server.url, key, "get_store_info", { store_id: blocked.id }),
      await callTool(server.url, key, "get_store_info", { store_id: off.id }),
      await callTool(server.url, explicit.key, "get_store_info", { store_id: open.id }),
    ];
    const bodies = new Set(replies.map((reply) => reply.text.replaceAll(String(reply.headers["x-request-id"]), "")));
    expect(bodies.size).toBe(1);
    expect(replies[0]!.status).toBe(200);
    expect(JSON.parse(replies[0]!.json.result.content[0].text)).toMatchObject({ code: "store_not_available" });
  });

  it("blocking, unblocking and narrowing hold on the next request", async () => {
    const { consumer, key } = await makeCaller(database, { state: "production" });
    const store = await makeStore(database);
    const read = async () =>
      (await callTool(server.url, key, "get_store_info", { store_id: store.id })).json.result?.isError ?? false;
    expect(await read()).toBe(false);
    await database.sql`insert into blocks (consumer_id, store_id) values (${consumer.id}, ${store.id})`;
    expect(await read()).toBe(true);
    await database.sql`delete from blocks where consumer_id = ${consumer.id}`;
    expect(await read()).toBe(false);
    await database.sql`update consumers set scopes = array['offers:read'] where id = ${consumer.id}`;
    expect((await callTool(server.url, key, "get_store_info", { store_id: store.id })).status).toBe(403);
  });
});
