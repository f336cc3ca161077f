// The endpoint under whatever is sent: bodies, headers, tool arguments and `_meta`, whole ones with something broken.
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import * as doctor from "../../server/services/doctor";
import { tools } from "../../server/tools";
import { exampleFor } from "../../server/tools/tool";
import { broken, damaged, encode, fitting, hostile, type Json, junk } from "../support/arbitraries";
import { makeCaller, standardHeaders } from "../support/clients";
import { fitsOutput } from "../support/contract";
import { DEMO_TEMPLATE, testDatabase } from "../support/database";
import { type Answer, ask, expectSane, fuzz, fuzzedServer } from "../support/fuzzing";
import { exchange } from "../support/wire";

const database = testDatabase(DEMO_TEMPLATE);
const server = fuzzedServer(database);
let key: string;
let doors: string[];
let given: string[];
let examples: Record<string, Json>;

beforeAll(async () => {
  const caller = await makeCaller(database, {
    rateLimit: 1_000_000,
    directorySlug: "fuzz",
    scopes: [...new Set(tools.map(({ scope }) => scope))],
  });
  key = caller.key;
  const { id: consumerId, owner } = caller.consumer;
  const { token } = await doctor.open(database.as({ kind: "member", accountId: owner.id, consumerId, role: "owner" }));
  // It takes 20 requests in 15 minutes; this one more, for a day.
  await database.sql`alter table doctor_checks drop constraint doctor_checks_requests`;
  await database.sql`
    update doctor_checks set requests = -100000000,
      created_at = now() + interval '1 day', expires_at = now() + interval '1 day'`;
  doors = ["/api/mcp", "/api/mcp", "/api/mcp", "/api/mcp/p/fuzz", `/api/mcp/doctor/${token}`];
  const [store] = await database.sql<[{ id: string }]>`select id from stores where is_demo`;
  const products = await database.sql`
    select variant_id, gtin from variants where store_id = ${store.id} order by variant_id limit 20`;
  given = [store.id, ...products.flatMap(({ variant_id, gtin }) => [variant_id, gtin]).filter(Boolean)];
  examples = Object.fromEntries(tools.map((tool) => [tool.name, exampleFor(tool, store.id) as Json]));
});

const call = (name: string, args: Json, beside: Record<string, Json> = {}) => ({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name, arguments: args, ...beside },
});

function expectJsonRpc(answer: Answer): void {
  expectSane(answer);
  if (answer.status === 202) {
    expect(answer.text).toBe("");
    return;
  }
  expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
  const message = JSON.parse(answer.text);
  expect(message.jsonrpc).toBe("2.0");
  expect("result" in message).not.toBe("error" in message);
  if (message.error) {
    expect(message.error).toMatchObject({ code: expect.any(Number), message: expect.any(String) });
    expect(message.error.data.request_id).toBe(answer.headers["x-request-id"]);
  } else expect(answer.status).toBe(200);
}

const post = (body: string | Uint8Array, path = "/api/mcp") =>
  ask(server.url, { method: "POST", path, headers: standardHeaders(key), body });

describe("the endpoint stands", () => {
  it("whatever the body", async () => {
    const messages: fc.Arbitrary<Json> = fc.oneof(
      fc.constant<Json>({
        jsonrpc: "2.0",
        id: "a",
        method: "initialize",
        params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "fuzz", version: "1" } },
      }),
      fc.constant<Json>({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }),
      fc.constant<Json>({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } }),
      fc.constantFrom(...tools).map(({ name }): Json => call(name, examples[name]!)),
    );
    const texts = fc.oneof(
      { weight: 4, arbitrary: broken(messages).map((message) => JSON.stringify(message)) },
      { weight: 1, arbitrary: junk.map((value) => JSON.stringify(value)) },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: 3_000 }).map((n) => `${'{"a":['.repeat(n)}${"]}".repeat(n)}`) },
    );
    const bodies = fc.oneof(
      { weight: 3, arbitrary: texts.map(encode) },
      { weight: 3, arbitrary: damaged(texts.map(encode)) },
      { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }) },
    );
    const sent = fc.record({ body: bodies, door: fc.nat(4) });
    await fuzz(server, "bodies", 0.2, sent, async ({ body, door }) => expectJsonRpc(await post(body, doors[door])));
  });

  it("whatever the arguments, and what it answers fits the tool's outputSchema", async () => {
    const fits = Object.fromEntries(tools.map((tool) => [tool.name, fitsOutput(tool)]));
    const calls = fc.oneof(
      ...tools.map(({ name, inputSchema }) => {
        const args = fc.oneof(fitting(inputSchema, given), fc.constant(examples[name]!));
        return fc.oneof(args, broken(args), broken(args)).map((value) => ({ name, args: value }));
      }),
    );
    await fuzz(server, "tool arguments", 0.24, calls, async ({ name, args }) => {
      const answer = await post(JSON.stringify(call(name, args)));
      expectJsonRpc(answer);
      const { result } = JSON.parse(answer.text);
      if (!result || result.isError) return;
      const isFit = fits[name]!(result.structuredContent);
      expect(isFit, JSON.stringify(fits[name]!.errors)).toBe(true);
    });
  });

  it("whatever is in _meta, and it changes nothing of the answer", async () => {
    const prefix = fc.oneof(fc.constantFrom("openai", "anthropic.com", "x", "", "__proto__", "a/b"), hostile);
    const name = fc.constantFrom("locale", "userLocation", "session", "subject", "userAgent", "nothing", "LOCALE");
    const place = fc.record(
      { country: fc.oneof(fc.constant<Json>("IE"), junk), region: junk, city: junk, latitude: junk, postalCode: junk },
      { requiredKeys: [] },
    ) as fc.Arbitrary<Json>;
    const value = fc.oneof(fc.constantFrom<Json>("en-IE", "de_DE", "x-y", "i-klingon"), place, broken(place), junk);
    const meta = fc.oneof(
      fc.array(fc.tuple(prefix, name, value), { maxLength: 6 }).map((all) => {
        return Object.fromEntries(all.map(([a, b, c]) => [`${a}/${b}`, c])) as Json;
      }),
      fc.record({ traceparent: junk, tracestate: junk, progressToken: junk }) as fc.Arbitrary<Json>,
      junk,
    );
    const plain = JSON.parse((await post(JSON.stringify(call("list_stores", {})))).text);
    await fuzz(server, "_meta", 0.08, meta, async (_meta) => {
      const answer = await post(JSON.stringify(call("list_stores", {}, { _meta })));
      expectJsonRpc(answer);
      expect(JSON.parse(answer.text)).toEqual(plain);
    });
  });

  it("whatever the request line and headers, to the byte", async () => {
    const { host } = new URL(server.url);
    const body = JSON.stringify(call("list_stores", {}));
    const line = fc.string({
      unit: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)),
      maxLength: 30,
    });
    const values: Record<string, string[]> = {
      Host: [host, "localhost", "evil.example", "[::1]", "a, b", "@", ""],
      "Content-Type": [
        "application/json",
        "application/json; charset=utf-16",
        "text/plain",
        ";",
        "multipart/form-data; boundary=",
      ],
      "Content-Length": [String(body.length), "0", "+1", "-1", "1e3", "99999999999999999999", "1, 1"],
      "Transfer-Encoding": ["chunked", "identity", "gzip, chunked", "chunked, chunked", "x"],
      Accept: ["application/json, text/event-stream", "*/*", "application/json;q=x, text/event-stream;q=0.0", ",,,;;;"],
      Authorization: [`Bearer ${key}`, "Bearer", "Basic x", `bearer  ${key} `, `Bearer ${key}x`],
      Origin: [server.url, "null", "https://evil.example", "://", ""],
      "Sec-Fetch-Site": ["same-origin", "cross-site", ""],
      Cookie: ["aisle=x", "aisle=", "=", "a;b;;=;", "aisle=%", "__Host-aisle=x; aisle=y", "theme=x"],
      "MCP-Protocol-Version": ["2025-06-18", "2099-01-01", "", "x".repeat(500)],
      "X-Forwarded-For": ["1.2.3.4", "x", "1.2.3.4:5, [::1]:6", ",,,", "::ffff:1.2.3.4%eth0"],
      "X-Forwarded-Host": ["evil.example", "a b"],
      Expect: ["100-continue", "x"],
      "Content-Encoding": ["gzip", "identity", ""],
      "Accept-Encoding": ["br", "gzip;q=0", "*;q=x", "identity;q=0, *;q=0"],
      Range: ["bytes=0-", "bytes=9-1", "bytes=0-0,1-1,2-2", "x"],
      "If-Modified-Since": ["x", "Thu, 01 Jan 1970 00:00:00 GMT"],
      "If-None-Match": ['"x"', "*", "x"],
      Upgrade: ["websocket", "h2c"],
      traceparent: ["00-x", `00-${"a".repeat(32)}-${"b".repeat(16)}-01`],
      tracestate: ["x", "=".repeat(300)],
      "User-Agent": ["x".repeat(3_000), "\x80\xff"],
      "Accept-Language": ["de", "x;q=y"],
    };
    const header = fc
      .constantFrom(...Object.keys(values))
      .chain((name) =>
        fc.tuple(fc.constant(name), fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...values[name]!) }, line)),
      );
    const known = header.map(([name, value]) => `${name}: ${value}`);
    const request = fc.record({
      method: fc.oneof(
        {
          weight: 8,
          arbitrary: fc.constantFrom(
            "POST",
            "POST",
            "POST",
            "GET",
            "HEAD",
            "OPTIONS",
            "TRACE",
            "PUT",
            "DELETE",
            "CONNECT",
            "M-SEARCH",
          ),
        },
        line,
      ),
      target: fc.oneof(
        {
          weight: 8,
          arbitrary: fc.constantFrom(
            ...[
              "/api/mcp",
              "/api/mcp",
              "/api/mcp/p/fuzz",
              "/api/mcp/p/%00",
              "/api/mcp/doctor/x?y",
              "/",
              "/login",
              "/login.data",
            ],
            ...[
              "/docs/%2e%2e",
              "/assets/",
              "/demo-images/..%5c",
              "/api/trpc/account.me",
              "/api/trpc/a,b,c?batch=1",
              "/healthz",
            ],
            ...[
              "*",
              "//",
              "/?/",
              "/#",
              "http://localhost/",
              `http://${host}/api/mcp`,
              "/console?to=//x",
              "/__manifest?p=/x",
              "/.well-known/x",
            ],
          ),
        },
        line,
      ),
      version: fc.oneof(
        { weight: 12, arbitrary: fc.constant("HTTP/1.1") },
        fc.constantFrom("HTTP/1.0", "HTTP/2.0", "HTTP/1.2"),
        line,
      ),
      standard: fc.subarray(["Host", "Content-Type", "Content-Length", "Accept", "Authorization", "Origin"]),
      more: fc.array(fc.oneof({ weight: 5, arbitrary: known }, line), { maxLength: 5 }),
      end: fc.oneof({ weight: 8, arbitrary: fc.constant("\r\n") }, fc.constantFrom("\n", "\r", "\r\n\r\n")),
      body: fc.oneof(fc.constant(body), fc.constant(""), line, fc.constant("5\r\nhello\r\n0\r\n\r\n")),
    });
    await fuzz(
      server,
      "headers",
      0.12,
      request,
      async ({ method, target, version, standard, more, end, body: sent }) => {
        const first = standard.map((name) => `${name}: ${values[name]![0]}`);
        const head = [`${method} ${target} ${version}`, ...first, ...more, "Connection: close"].join(end);
        const { answers, closed } = await exchange(server.url, `${head}${end}${end}${sent}`, {
          patienceMs: 25_000,
          half: true,
        });
        expect(closed).toBe(true);
        for (const { status, headers, text } of answers) {
          if (status === 100) continue;
          if (status === 505) expect(text).toContain("Send HTTP/1.1.");
          else expectSane({ status, headers, text });
        }
      },
    );
  });
});
