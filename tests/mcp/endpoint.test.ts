// What works, through HTTP: initialize, tools/list, the directory endpoint, usage rows, the two ways in.
import { type AppLoadContext, createRequestHandler } from "@remix-run/node";
import { eq } from "drizzle-orm";
import { afterAll, describe, expect, it, vi } from "vitest";
import { connect } from "../../db/client";
import { consumers } from "../../db/schema/consumers";
import { buildIfChanged } from "../../server/build";
import { type Consumer, type Core, newRequestId } from "../../server/context";
import { createLimits } from "../../server/limits";
import { serveFetch } from "../../server/mcp/fetch-adapter";
import { refusals } from "../../server/refusals";
import * as doctor from "../../server/services/doctor";
import { mint } from "../../server/services/key-format";
import * as stores from "../../server/services/stores";
import { recordInterrupted } from "../../server/services/usage-begun";
import { tools } from "../../server/tools";
import { callTool, makeCaller, type Reply, rpc, send, standardHeaders } from "../support/clients";
import { testCore, testDatabase, untilWaiting } from "../support/database";
import { makeStore } from "../support/factories";
import { logOf, testServer } from "../support/server";
import { untilRecorded } from "../support/usage";

const database = testDatabase();
const server = testServer(database, { TRUST_PROXY: "1" });
const rowOf = async (requestId: unknown) => {
  await untilRecorded(database);
  return (await database.sql`select * from usage_events where request_id = ${String(requestId)}`)[0];
};

/** What the documented refusals say of one: its status and its two codes. */
const documented = (wanted: (typeof refusals)[number]["id"]) => {
  const { status, rpcCode, code } = refusals.find(({ id }) => id === wanted)!;
  return [status, rpcCode, code];
};
async function refusedWith(response: Response) {
  const { error } = await response.clone().json();
  return [response.status, error.code, error.data.code];
}

interface Door {
  directorySlug?: string;
  doctor?: { token: string; query: string } | undefined;
}

/** In this process, on connections of the test's own. */
function serve(
  core: Core,
  key: string | undefined,
  method: string,
  params?: unknown,
  door: Door = {},
  deadlineMs = 2_500,
) {
  const arrival = { requestId: newRequestId(), address: "192.0.2.1", directorySlug: undefined, ...door };
  const body = JSON.stringify({ jsonrpc: "2.0", id: "mine", method, params });
  const request = new Request(new URL("/api/mcp", server.url), { method: "POST", headers: standardHeaders(key), body });
  return serveFetch(core, { isAllowedOrigin: () => false, deadlineMs }, request, arrival);
}

describe("initialize", () => {
  it("answers with our version, name and instructions, whatever version the client asks for", async () => {
    const { key } = await makeCaller(database);
    for (const protocolVersion of ["2025-06-18", "2099-01-01"]) {
      const params = { protocolVersion, capabilities: {}, clientInfo: { name: "Probe", version: "1" } };
      const { result, ...rest } = (await rpc(server.url, key, "initialize", params)).json;
      expect(rest).toEqual({ jsonrpc: "2.0", id: 1 });
      expect(result).toEqual({
        protocolVersion: "2025-06-18",
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: "aisle-commerce", version: "2.0.0" },
        instructions: expect.stringContaining("product_url"),
      });
      expect(tools.map(({ name }) => name).filter((name) => !result.instructions.includes(name))).toEqual([]);
    }
  });

  it("never opens a session, and ignores one that comes in", async () => {
    const { key } = await makeCaller(database);
    const reply = await rpc(server.url, key, "tools/list", undefined, { headers: { "mcp-session-id": "abc" } });
    expect(reply.status).toBe(200);
    expect(reply.headers).not.toHaveProperty("mcp-session-id");
    expect(reply.headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(reply.headers["cache-control"]).toBe("no-store");
  });
});

describe("tools/list", () => {
  const names = async (key: string) =>
    (await rpc(server.url, key, "tools/list", {})).json.result.tools.map((tool: { name: string }) => tool.name);

  it("is in a fixed order and limited to what the scopes of consumer and key allow", async () => {
    const all = await makeCaller(database, {
      scopes: ["catalog:read", "offers:read", "promotions:read", "loyalty:read", "inventory:read"],
    });
    expect(await names(all.key)).toEqual(tools.map((tool) => tool.name));
    const catalogOnly = tools.filter((tool) => tool.scope === "catalog:read").map((tool) => tool.name);
    const narrow = await makeCaller(database, { scopes: ["catalog:read"] });
    expect(await names(narrow.key)).toEqual(catalogOnly);
    await database.db.update(consumers).set({ scopes: [] }).where(eq(consumers.id, narrow.consumer.id));
    expect(await names(narrow.key)).toEqual([]);
  });

  it("shows how each tool is secured", async () => {
    const { key } = await makeCaller(database);
    const listed = (await rpc(server.url, key, "tools/list")).json.result.tools;
    for (const tool of listed) {
      expect(tool.securitySchemes).toEqual([
        { type: "http", scheme: "bearer", scopes: [expect.stringMatching(/:read$/)] },
      ]);
      expect(tool._meta.securitySchemes).toEqual(tool.securitySchemes);
    }
  });
});

describe("the directory endpoint", () => {
  const path = (slug: string) => `/api/mcp/p/${slug}`;
  const open = (given = {}) => {
    const slug = `dir-${newRequestId().slice(-12)}`;
    return makeCaller(database, { state: "production", directorySlug: slug, ...given }).then((caller) => ({
      ...caller,
      slug,
    }));
  };

  it("needs no key, lists noauth, and serves its consumer's coverage", async () => {
    const { slug, consumer } = await open();
    const store = await makeStore(database);
    const listed = await rpc(server.url, undefined, "tools/list", {}, { path: path(slug) });
    for (const { securitySchemes, _meta } of listed.json.result.tools)
      expect([securitySchemes, _meta]).toEqual([[{ type: "noauth" }], { securitySchemes }]);
    const info = await callTool(server.url, undefined, "get_store_info", { store_id: store.id }, { path: path(slug) });
    expect(info.json.result.structuredContent.store_id).toBe(store.id);
    expect(await rowOf(info.headers["x-request-id"])).toMatchObject({
      consumer_id: consumer.id,
      key_id: null,
      endpoint: "directory",
    });
  });

  it("ignores an Authorization header, and never logs it", async () => {
    const { slug } = await open();
    const reply = await rpc(server.url, "aisle_secret-of-somebody", "ping", undefined, { path: path(slug) });
    expect(reply.status).toBe(200);
    expect(await logOf(server)).not.toContain("secret-of-somebody");
  });

  it("asks nobody for a key, though a tool is not within its scopes", async () => {
    const { slug } = await open({ scopes: ["offers:read"] });
    const reply = await callTool(server.url, undefined, "list_stores", {}, { path: path(slug) });
    expect([reply.status, reply.json.error.data.code]).toEqual([403, "insufficient_scope"]);
    expect(reply.headers["www-authenticate"]).toBeUndefined();
  });

  it("is 404 when the slug is unknown, or withdrawn, or its consumer rejected, on the next request", async () => {
    const unknown = await rpc(server.url, undefined, "ping", undefined, { path: path("nobody") });
    expect(unknown).toMatchObject({
      status: 404,
      json: { id: null, error: { code: 404, data: { code: "unknown_endpoint" } } },
    });
    for (const change of [{ directorySlug: null }, { state: "revoked", revokedFrom: "production" }] as const) {
      const { slug, consumer } = await open();
      expect((await rpc(server.url, undefined, "ping", undefined, { path: path(slug) })).status).toBe(200);
      await database.db.update(consumers).set(change).where(eq(consumers.id, consumer.id));
      expect((await rpc(server.url, undefined, "ping", undefined, { path: path(slug) })).status).toBe(404);
    }
  });

  it("spends its consumer's limit, and one address at most half of it", async () => {
    const { slug, key } = await open({ rateLimit: 6 });
    const from = (address: string) =>
      rpc(server.url, undefined, "ping", undefined, { path: path(slug), headers: { "x-forwarded-for": address } });
    for (let i = 0; i < 3; i++) expect((await from("203.0.113.1")).status).toBe(200);
    expect((await from("203.0.113.1")).status).toBe(429);
    expect((await rpc(server.url, key, "ping")).headers.ratelimit).toMatch(/r=2;/);
    expect((await from("203.0.113.2")).status).toBe(200);
    expect((await from("203.0.113.2")).status).toBe(200);
    expect((await from("203.0.113.2")).status).toBe(429);
  });
});

describe("a key that was used before", () => {
  it("does on its next call what it may do by then, though that begins while the key is asked for", async () => {
    const { consumer, key, keyId } = await makeCaller(database, { state: "production", rateLimit: 100 });
    const store = await makeStore(database);
    const change = (to: Partial<typeof consumers.$inferInsert>) =>
      database.db.update(consumers).set(to).where(eq(consumers.id, consumer.id));
    const ask = () => callTool(server.url, key, "get_store_info", { store_id: store.id });
    const readsIt = async () => (await ask()).json.result.structuredContent?.store_id === store.id;
    expect([await readsIt(), await readsIt()]).toEqual([true, true]);
    await change({ state: "sandbox" });
    expect([await readsIt(), await readsIt()]).toEqual([false, false]);
    await change({ state: "production" });
    expect([await readsIt(), await readsIt()]).toEqual([true, true]);
    await change({ scopes: ["offers:read"] });
    expect((await ask()).status).toBe(403);
    await change({ scopes: ["catalog:read"] });
    expect(await readsIt()).toBe(true);
    await database.sql`update keys set revoked_at = now() where id = ${keyId}`;
    const refused = await ask();
    expect([refused.status, refused.json.id, refused.json.error.data.reason]).toEqual([401, null, "revoked"]);
    const [counted] = await database.sql`select points from rate_limits where key = ${`consumer:${consumer.id}`}`;
    expect(counted!.points).toBe(8);
  });

  it("spends nothing of its limit with what is refused before it is counted, nor with notifications", async () => {
    const { key } = await makeCaller(database, { rateLimit: 100 });
    const remaining = async () => /r=(\d+)/.exec(String((await rpc(server.url, key, "ping")).headers.ratelimit))![1];
    expect([await remaining(), await remaining()]).toEqual(["99", "98"]);
    const headers = standardHeaders(key);
    for (const body of ["{", "[]", '{"jsonrpc":"2.0","method":"notifications/initialized"}'])
      await send(server.url, { headers, body });
    await rpc(server.url, key, "ping", undefined, { headers: { "mcp-protocol-version": "1999-01-01" } });
    expect(await remaining()).toBe("97");
  });
});

describe("usage", () => {
  it("has one row for each counted request, whatever its outcome, and none for the rest", async () => {
    const { consumer, key, keyId } = await makeCaller(database, { rateLimit: 5 });
    const store = crypto.randomUUID();
    await rpc(server.url, key, "tools/list");
    await rpc(server.url, key, "nope");
    await callTool(server.url, key, "get_store_info", { store_id: store });
    await callTool(server.url, key, "get_store_info", {});
    await callTool(server.url, key, "no_tool", {});
    await rpc(server.url, key, "ping");
    await send(server.url, { headers: standardHeaders(key), body: "{" });
    await send(server.url, {
      headers: standardHeaders(key),
      body: '{"jsonrpc":"2.0","method":"notifications/initialized"}',
    });
    await untilRecorded(database);
    const rows = await database.sql`select * from usage_events where consumer_id = ${consumer.id} order by request_id`;
    expect(rows.map((row) => [row.method, row.tool, row.status, row.error_code])).toEqual([
      ["tools/list", null, 200, null],
      ["nope", null, 200, "method_not_found"],
      ["tools/call", "get_store_info", 200, "store_not_available"],
      ["tools/call", "get_store_info", 200, "invalid_arguments"],
      ["tools/call", null, 200, "unknown_tool"],
      ["ping", null, 429, "rate_limited"],
    ]);
    expect(rows[2]).toMatchObject({ store_id: null, key_id: keyId, endpoint: "api" });
    expect(rows.every((row) => row.latency_us > 0 && row.request_bytes > 0 && row.response_bytes > 0)).toBe(true);
  });

  it("has a row also for what is no method, without its words, and for those that came beside it", async () => {
    const { consumer, key } = await makeCaller(database);
    const replies = await Promise.all(
      ["a\0b", "\ud800", "my password", "ping", "prompts/list"].map((method) => rpc(server.url, key, method)),
    );
    expect(replies.map((reply) => reply.status)).toEqual([200, 200, 200, 200, 200]);
    await untilRecorded(database);
    const rows = await database.sql`select method from usage_events where consumer_id = ${consumer.id} order by 1`;
    expect(rows.map(({ method }) => method)).toEqual(["other", "other", "other", "ping", "prompts/list"]);
  });

  it("keeps locale, coarse place and client, and session and subject only as keyed hashes", async () => {
    const { key } = await makeCaller(database);
    const _meta = {
      "openai/locale": "pt_br",
      "openai/userLocation": {
        country: "br",
        region: "SP",
        city: "São Paulo",
        latitude: -23.550520193,
        postalCode: "01310-930-SP",
      },
      "openai/session": "session-in-clear",
      "openai/subject": "subject-in-clear",
      "openai/userAgent": "ChatGPT/1.0",
    };
    const { headers } = await rpc(server.url, key, "tools/call", { name: "list_stores", arguments: {}, _meta });
    const row = await rowOf(headers["x-request-id"]);
    expect(row).toMatchObject({
      locale: "pt-BR",
      country: "BR",
      region: "SP",
      city: "São Paulo",
      client_name: "ChatGPT/1.0",
    });
    expect(row!.session_hash).toHaveLength(32);
    const again = await rpc(server.url, key, "tools/call", { name: "list_stores", arguments: {}, _meta });
    expect((await rowOf(again.headers["x-request-id"]))!.session_hash).toEqual(row!.session_hash);
    await untilRecorded(database);
    const [{ text }] = (await database.sql`select string_agg(u::text, ' ') as text from usage_events u`) as unknown as [
      { text: string },
    ];
    const log = await logOf(server);
    for (const secret of ["in-clear", "23.550520193", "01310-930-SP"]) {
      expect(text).not.toContain(secret);
      expect(log).not.toContain(secret);
    }
  });

  it("keeps of what several vendors say under a name the first that is well-formed", async () => {
    const { key } = await makeCaller(database);
    const _meta = {
      "a/locale": 7,
      "a/userLocation": "here",
      "a/session": "",
      "b/locale": "de",
      "b/userLocation": { country: "de" },
      "b/session": "one",
      "c/locale": "fr",
      "c/userLocation": { country: "fr" },
    };
    const reply = await rpc(server.url, key, "tools/call", { name: "list_stores", arguments: {}, _meta });
    const row = await rowOf(reply.headers["x-request-id"]);
    expect(row).toMatchObject({ locale: "de", country: "DE" });
    expect(row!.session_hash).toHaveLength(32);
  });

  it.each([
    [{ "openai/locale": "not a locale!", "openai/userLocation": "here", "openai/session": 7 }],
    ["text"],
    [[]],
    [null],
    [{ "a/b/locale": "en", locale: "en", "/locale": "en", "x/userLocation": { country: "Ireland", city: { a: 1 } } }],
  ])("ignores a malformed _meta: %j", async (_meta) => {
    const { key } = await makeCaller(database);
    const reply = await rpc(server.url, key, "tools/call", { name: "list_stores", arguments: {}, _meta });
    expect(reply.json.result.isError).toBeFalsy();
    expect(await rowOf(reply.headers["x-request-id"])).toMatchObject({
      locale: null,
      country: null,
      city: null,
      session_hash: null,
    });
  });

  it.each([
    ["broken off", true],
    ["answered too late", false],
  ])(
    "has a row also for a request that was counted and then %s by the database, which tells its limit",
    async (_, isCancelled) => {
      const { key } = await makeCaller(database, { rateLimit: 9 });
      const { sql } = database;
      const response = await sql.begin(async (tx) => {
        await tx`lock table stores, doctor_checks`;
        const answer = serve(testCore(database), key, "tools/call", { name: "list_stores", arguments: {} });
        await untilWaiting(sql, 1);
        if (isCancelled)
          await sql`select pg_cancel_backend(pid) from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and application_name = 'aisle-test'`;
        return answer;
      });
      const { headers } = response;
      expect([response.status, headers.get("ratelimit-policy")]).toEqual([503, '"default";q=9;w=60']);
      expect(await refusedWith(response)).toEqual(documented("unavailable"));
      expect(headers.get("ratelimit")).toMatch(/^"default";r=8;t=\d+$/);
      const row = await vi.waitUntil(() => rowOf(headers.get("x-request-id")), 60_000);
      expect(row).toMatchObject({ tool: "list_stores", status: 503, error_code: "unavailable" });
    },
  );

  it("has no row for a request that could not be counted", async () => {
    const directorySlug = `dir-${newRequestId().slice(-12)}`;
    const { consumer } = await makeCaller(database, { state: "production", directorySlug });
    const { sql } = database;
    const response = await sql.begin(async (tx) => {
      await tx`lock table rate_limits in exclusive mode`;
      const answer = serve(testCore(database), undefined, "ping", undefined, { directorySlug }, 60_000);
      await untilWaiting(sql, 1);
      await sql`select pg_cancel_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and application_name = 'aisle-test'`;
      return answer;
    });
    expect([response.status, response.headers.get("ratelimit")]).toEqual([503, null]);
    expect(await sql`select from usage_events where consumer_id = ${consumer.id}`).toHaveLength(0);
  });

  it("names no store where a call was answered in vain, while it was counted beyond the limit", async () => {
    const store = await makeStore(database);
    const { consumer, key } = await makeCaller(database, { state: "production", rateLimit: 1 });
    const { sql } = database;
    const ask = () => {
      const params = { name: "get_store_info", arguments: { store_id: store.id } };
      return serve(testCore(database), key, "tools/call", params, {}, 60_000);
    };
    expect((await ask()).status).toBe(200);
    const { answer } = await sql.begin(async (tx) => {
      await tx`select from rate_limits where key = ${`consumer:${consumer.id}`} for update`;
      const answer = ask();
      await untilWaiting(sql, 1);
      // Asked for later on the same way, so the call's own has its answer too.
      const reader = { consumerId: consumer.id, tier: "production", coverage: consumer.coverage } as Consumer;
      await stores.info(database.as(reader), { storeId: store.id });
      return { answer };
    });
    const refused = await answer;
    const row = await rowOf(refused.headers.get("x-request-id"));
    expect([refused.status, row!.tool, row!.store_id]).toEqual([429, "get_store_info", null]);
  });

  it("is all that a call costs whose caller has no more of its limit: nothing is looked up for it", async () => {
    const directorySlug = `dir-${newRequestId().slice(-12)}`;
    await makeCaller(database, { state: "production", rateLimit: 1, directorySlug });
    const { key } = await makeCaller(database, { rateLimit: 1 });
    const core = testCore(database);
    const ask = (door?: Door) =>
      serve(core, door ? undefined : key, "tools/call", { name: "list_stores", arguments: {} }, door);
    expect([(await ask()).status, (await ask()).status, (await ask({ directorySlug })).status]).toEqual([
      200, 429, 200,
    ]);
    const { sql } = database;
    await sql.begin(async (tx) => {
      await tx`lock table stores, doctor_checks`;
      expect([(await ask({ directorySlug })).status, (await ask()).status]).toEqual([429, 429]);
      expect(
        await sql`select query from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      ).toEqual([]);
    });
  });

  it("is there, once, even if the process is killed right after the answer", async () => {
    const { startServer } = await import("../support/server");
    const doomed = await startServer(database.url);
    const { key } = await makeCaller(database);
    await untilRecorded(database);
    // The first call of a key has its row before its answer; those after it follow theirs.
    const replies = [];
    for (let n = 0; n < 3; n++) replies.push(await rpc(doomed.url, key, "ping"));
    await doomed.stop("SIGKILL");
    const muchLater = new Date(Date.now() + 120_000);
    const { sql } = database;
    while ((await sql`select from usage_begun limit 1`).length > 0) await recordInterrupted({ sql, now: muchLater });
    const id = String(replies.at(-1)!.headers["x-request-id"]);
    const rows =
      await sql`select method, coalesce(error_code, status::text) as outcome from usage_events where request_id = ${id}`;
    expect([...rows]).toEqual([{ method: "ping", outcome: expect.stringMatching(/^(200|interrupted)$/) }]);
  });

  it("notes when a key was last used, at most once a minute and again after it", async () => {
    const { key, keyId } = await makeCaller(database);
    const lastUsed = async () =>
      (await database.sql`select last_used_at from keys where id = ${keyId}`)[0]!.last_used_at;
    expect(await lastUsed()).toBeNull();
    await rpc(server.url, key, "ping");
    const first = await lastUsed();
    expect(first).toBeInstanceOf(Date);
    await rpc(server.url, key, "ping");
    expect(await lastUsed()).toEqual(first);
    // The server's own process knows that it is not due: another one asks the database.
    await database.sql`update keys set last_used_at = last_used_at - interval '61 seconds' where id = ${keyId}`;
    await serve(testCore(database), key, "ping");
    expect((await lastUsed()).getTime()).toBeGreaterThan(first.getTime() - 30_000);
  });

  it("has a row for each refused key that was issued once, with the reason, and nothing of what came with it", async () => {
    const { consumer, key, keyId } = await makeCaller(database);
    await database.sql`update keys set revoked_at = now() where id = ${keyId}`;
    const headers = { "x-forwarded-for": "198.51.100.22" };
    const params = { name: "list_stores", arguments: {}, _meta: { "openai/locale": "de" } };
    for (let i = 0; i < 21; i++) await rpc(server.url, key, "tools/call", params, { headers });
    await rpc(server.url, mint(), "ping", undefined, { headers });
    await untilRecorded(database);
    const rows = await database.sql`
      select e.method, e.tool, e.status, e.error_code, e.key_id, e.endpoint, e.locale, a.problem
      from usage_events e join request_arguments a on a.request_id = e.request_id
      where e.consumer_id = ${consumer.id} order by e.request_id`;
    const row = { method: "unread", tool: null, error_code: "revoked", key_id: keyId, endpoint: "api", locale: null };
    const problem = expect.stringContaining("The API key was revoked.");
    const refused = { ...row, status: 401, problem };
    expect([...rows]).toEqual([...Array(20).fill(refused), { ...refused, status: 429, problem: expect.any(String) }]);
  });

  it("of a refused key is there before its sender is told", async () => {
    const { key, keyId } = await makeCaller(database);
    await database.sql`update keys set revoked_at = now() where id = ${keyId}`;
    const { answer } = await database.sql.begin(async (tx) => {
      await tx`lock table usage_events in exclusive mode`;
      const answer = serve(testCore(database), key, "ping", undefined, {}, 60_000);
      await untilWaiting(database.sql, 1);
      expect(await Promise.race([answer, "waits"])).toBe("waits");
      return { answer };
    });
    expect((await answer).status).toBe(401);
  });

  it("never notes that a refused key was used, however its sender is refused", async () => {
    const { key, keyId } = await makeCaller(database);
    await database.sql`update keys set revoked_at = now() where id = ${keyId}`;
    const statuses = new Set<number>();
    for (let i = 0; i < 22; i++) {
      const headers = { "x-forwarded-for": "198.51.100.21" };
      statuses.add((await rpc(server.url, key, "ping", undefined, { headers })).status);
    }
    expect([...statuses]).toEqual([401, 429]);
    const [row] = await database.sql`select last_used_at from keys where id = ${keyId}`;
    expect(row!.last_used_at).toBeNull();
  });
});

describe("the two ways in", () => {
  it("Remix's resource routes give the same bytes as the direct way", async () => {
    await buildIfChanged();
    const build = await import(new URL("../../build/server/index.js", import.meta.url).href);
    const remix = createRequestHandler(build, "production");
    const core = testCore(database);
    const config = { isAllowedOrigin: () => false, deadlineMs: 2500 };
    const slug = `dir-${newRequestId().slice(-12)}`;
    const { key } = await makeCaller(database, { state: "production", directorySlug: slug });
    const store = await makeStore(database);
    const call = JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "get_store_info", arguments: { store_id: store.id } },
    });
    const cases = [
      { method: "POST", path: "/api/mcp", headers: standardHeaders(key), body: call },
      { method: "POST", path: "/api/mcp", headers: standardHeaders(), body: call },
      { method: "POST", path: "/api/mcp", headers: { ...standardHeaders(key), accept: "text/html" }, body: call },
      { method: "POST", path: "/api/mcp", headers: standardHeaders(key), body: `"${"x".repeat(300_000)}"` },
      { method: "POST", path: "/api/mcp", headers: standardHeaders(key), body: '{"jsonrpc":"2.0","method":"x"}' },
      { method: "GET", path: "/api/mcp", headers: standardHeaders(key) },
      { method: "HEAD", path: "/api/mcp", headers: standardHeaders(key) },
      { method: "PUT", path: "/api/mcp", headers: standardHeaders(key), body: call },
      { method: "POST", path: `/api/mcp/p/${slug}`, headers: standardHeaders(), body: call },
      { method: "POST", path: "/api/mcp/p/nobody", headers: standardHeaders(), body: call },
      { method: "GET", path: "/api/mcp/p/nobody", headers: {} },
    ];
    for (const { path, ...given } of cases) {
      const direct = await send(server.url, { path, ...given });
      const requestId = newRequestId();
      const arrival = { requestId, address: "192.0.2.1" };
      const mcp = (request: Request, directorySlug?: string) =>
        serveFetch(core, config, request, { ...arrival, directorySlug });
      const response = await remix(new Request(new URL(path, server.url), given), { mcp } as AppLoadContext);
      const text = await response.text();
      const name = `${given.method} ${path}`;
      expect(response.status, name).toBe(direct.status);
      expect(text.replaceAll(requestId, "ID"), name).toBe(
        direct.text.replaceAll(String(direct.headers["x-request-id"]), "ID"),
      );
      for (const header of ["content-type", "content-length", "allow", "www-authenticate", "cache-control"]) {
        expect(response.headers.get(header), `${name} ${header}`).toBe(direct.headers[header] ?? null);
      }
    }
  });
});

describe("a fault of ours", () => {
  it("is told as its request id and nothing else; operators find under it what it was", async () => {
    const { id } = await makeStore(database);
    const { key } = await makeCaller(database, { state: "production" });
    const { sql } = database;
    await sql`alter table promotions rename to mislaid`;
    const response = await serve(testCore(database), key, "tools/call", {
      name: "get_promotions",
      arguments: { store_id: id },
    }).finally(() => sql`alter table mislaid rename to promotions`);
    const requestId = response.headers.get("x-request-id");
    expect(response.status).toBe(500);
    expect(await refusedWith(response)).toEqual(documented("internal"));
    expect(await response.json()).toEqual({
      jsonrpc: "2.0",
      id: "mine",
      error: { code: -32603, message: "Internal error", data: { code: "internal_error", request_id: requestId } },
    });
    expect(await rowOf(requestId)).toMatchObject({ status: 500, error_code: "internal_error", store_id: null });
    expect(await sql`select problem from request_arguments where request_id = ${requestId}`).toEqual([
      { problem: null },
    ]);
    const kept = () => sql`select door, message from failures where request_id = ${requestId}`;
    const [failure] = await vi.waitUntil(async () => ((rows) => rows.length > 0 && rows)(await kept()), 60_000);
    expect(failure).toEqual({ door: "mcp", message: expect.stringContaining("promotions") });
  });
});

describe("without the database", () => {
  const nowhere = connect("postgres://nobody@127.0.0.1:1/none", "nowhere");
  afterAll(() => nowhere.close());

  const ask = (doctor?: { token: string; query: string }, key = mint()) =>
    serve({ ...testCore(database), ...nowhere, limits: createLimits(nowhere) }, key, "ping", undefined, { doctor });

  it("a request is answered 503 under its own id, also one that was not let through yet", async () => {
    const response = await ask();
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "1"]);
    expect(await response.json()).toMatchObject({ id: "mine", error: { code: 503, data: { code: "unavailable" } } });
  });

  it("a malformed key is told so all the same", async () => {
    const response = await ask(undefined, `${mint()}x`);
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ error: { data: { code: "invalid_token", reason: "malformed" } } });
  });

  it("an address of the client doctor answers 503 likewise", async () => {
    const response = await ask({ token: "any", query: "" });
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "1"]);
    expect(await response.json()).toMatchObject({ error: { code: 503, data: { code: "unavailable" } } });
  });
});

describe("while the database hangs", () => {
  it("an address of the client doctor answers in time, though what it saw cannot be kept", async () => {
    const { consumer, key } = await makeCaller(database);
    const { owner } = consumer;
    const actor = { kind: "member", accountId: owner.id, consumerId: consumer.id, role: "owner" } as const;
    const { token } = await doctor.open(database.as(actor));
    const core = testCore(database);
    const error = vi.spyOn(core.log, "error");
    await database.sql.begin(async (tx) => {
      await tx`lock table doctor_visits`;
      const { status } = await serve(core, key, "ping", undefined, { doctor: { token, query: "" } }, 4_000);
      expect(status).toBe(200);
    });
    expect(error).toHaveBeenCalledWith(expect.anything(), "visit not recorded");
    error.mockRestore();
  });

  it("a request is answered in time all the same, and once many are waited for, whoever comes is told at once", async () => {
    const { key } = await makeCaller(database, { rateLimit: 10_000 });
    const core = testCore(database);
    const ask = (deadlineMs: number) =>
      serve(core, key, "tools/call", { name: "list_stores", arguments: {} }, {}, deadlineMs);
    await database.sql.begin(async (tx) => {
      await tx`lock table stores, doctor_checks`;
      const late = await Promise.all(Array.from({ length: 250 }, () => ask(50)));
      expect(new Set(late.map(({ status }) => status))).toEqual(new Set([503]));
      expect((await ask(60_000)).status).toBe(503);
      const atDoctor = serve(core, key, "ping", undefined, { doctor: { token: "any", query: "" } }, 60_000);
      expect((await atDoctor).status).toBe(503);
    });
    await vi.waitUntil(async () => (await ask(60_000)).status === 200, 60_000);
  });
});

it("searches that were waited for long enough are not begun any more, so that others are answered again soon", async () => {
  const { key } = await makeCaller(database, { rateLimit: 10_000 });
  const core = testCore(database);
  const ask = (method: string, params: object, deadlineMs: number) =>
    serve(core, key, method, params, {}, deadlineMs).then(({ status }) => status);
  const listed = () => ask("tools/list", {}, 60_000);
  await database.sql.begin(async (tx) => {
    await tx`lock table products in access exclusive mode`;
    const search = (_: unknown, i: number) =>
      ask("tools/call", { name: "search_products", arguments: { query: `tent ${i}` } }, 50);
    const late = await Promise.all(Array.from({ length: 400 }, search));
    expect(new Set(late)).toEqual(new Set([503]));
    expect(await listed()).toBe(503);
    await vi.waitUntil(async () => (await listed()) === 200, 60_000);
  });
});

it("searches that are held up hold up nobody else, and are answered after that", async () => {
  const { key } = await makeCaller(database);
  const listed = async () => (await rpc(server.url, key, "tools/list")).status;
  await listed();
  const held: Promise<Reply>[] = [];
  await database.sql.begin(async (tx) => {
    await tx`lock table products in access exclusive mode`;
    const search = (_: unknown, i: number) => callTool(server.url, key, "search_products", { query: `tent ${i}` });
    held.push(...Array.from({ length: 12 }, search));
    await untilWaiting(database.sql, 4);
    expect(await listed()).toBe(200);
  });
  for (const { status } of await Promise.all(held)) expect(status).toBe(200);
});
