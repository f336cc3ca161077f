// Metrics and traces of a really started server: scraped, and received by a collector of our own.
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Server as NetServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import pino from "pino";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { connect } from "../../db/client";
import { createLimits } from "../../server/limits";
import { createMetrics } from "../../server/metrics";
import { callTool, makeCaller, rpc, send } from "../support/clients";
import { DEMO_TEMPLATE, testCore, testDatabase, untilWaiting } from "../support/database";
import { signIn } from "../support/roles";
import { freePort, startServer, type TestServer } from "../support/server";
import { silentServer } from "../support/silent-server";

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[];
  links?: { traceId: string }[];
  status?: { code?: number };
}

const database = testDatabase(DEMO_TEMPLATE);
const spans: Span[] = [];
/** A tiny OTLP/HTTP collector. */
const collector = createServer(async (req, res) => {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk);
  const { resourceSpans } = JSON.parse(Buffer.concat(chunks).toString());
  expect(req.url).toBe("/v1/traces");
  for (const { scopeSpans } of resourceSpans) for (const scope of scopeSpans) spans.push(...scope.spans);
  res.writeHead(200, { "content-type": "application/json" }).end("{}");
});
let server: TestServer;
let metricsUrl: string;

async function startMetered(env: Record<string, string> = {}) {
  const port = await freePort();
  const started = await startServer(database.url, { METRICS_PORT: String(port), ...env });
  return { started, url: `http://127.0.0.1:${port}/metrics` };
}

beforeAll(async () => {
  collector.listen(0, "127.0.0.1");
  await once(collector, "listening");
  ({ started: server, url: metricsUrl } = await startMetered({
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
  }));
});
afterAll(async () => {
  await server?.stop();
  collector.close();
  collector.closeAllConnections();
});

describe("a collector", () => {
  it.each([
    ["is away", freePort],
    ["never answers", () => silentServer()],
  ])("that %s holds up no stop, and lets none fail", async (_, port) => {
    const unheard = await startServer(database.url, {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await port()}`,
      // Longer than is waited for here.
      OTEL_EXPORTER_OTLP_TIMEOUT: "120000",
    });
    const { key } = await makeCaller(database);
    await callTool(unheard.url, key, "list_stores", {});
    const held = sleep(20_000, undefined, { ref: false }).then(() => expect.unreachable("It waits for the collector."));
    await Promise.race([unheard.stop(), held]);
  });
});

/** Where a server of a test's own listens, until the test is over. */
async function served(own: NetServer): Promise<string> {
  own.listen(0, "127.0.0.1");
  await once(own, "listening");
  onTestFinished(() => void own.close());
  return `http://127.0.0.1:${(own.address() as AddressInfo).port}/metrics`;
}
const scrape = async (url = metricsUrl) => (await fetch(url)).text();
const spanOf = (requestId: unknown) => expect.poll(() => found(requestId));
const found = (requestId: unknown) =>
  spans.find(({ attributes }) => attributes.some(({ value }) => value.stringValue === requestId))!;

const trace = (digit: string) => ({ id: digit.repeat(32), parent: `00-${digit.repeat(32)}-${digit.repeat(16)}-01` });

describe("/metrics", () => {
  it("has requests by tool, status and error, their durations, the limiter, the pool, jobs and the outbox", async () => {
    const { started, url } = await startMetered();
    onTestFinished(() => started.stop());
    const { key } = await makeCaller(database, { rateLimit: 2 });
    await callTool(started.url, key, "list_stores", {});
    await callTool(started.url, key, "list_stores", { surprise: 1 });
    await rpc(started.url, key, "made up");
    await rpc(started.url, "aisle_wrong", "ping");
    const text = await scrape(url);
    for (const line of [
      'aisle_requests_total{endpoint="api",method="tools/call",tool="list_stores",status="200",error=""} 1',
      'aisle_requests_total{endpoint="api",method="tools/call",tool="list_stores",status="200",error="invalid_arguments"} 1',
      'aisle_requests_total{endpoint="api",method="other",tool="",status="429",error="rate_limited"} 1',
      'aisle_requests_total{endpoint="api",method="",tool="",status="401",error="malformed"} 1',
      'aisle_request_duration_seconds_count{endpoint="api",tool="list_stores"} 2',
      'aisle_limiter_total{limit="consumer",outcome="allowed"} 2',
      'aisle_limiter_total{limit="consumer",outcome="refused"} 1',
      "aisle_database_up 1",
      "aisle_outbox_waiting 0",
      "aisle_outbox_retrying 0",
      "aisle_outbox_overdue_seconds 0",
      "aisle_outbox_dead 0",
    ]) {
      expect(text).toContain(line);
    }
    expect(text).toMatch(/^aisle_database_connections\{name="aisle",state="\w+"\} \d+$/m);
    expect(text).toMatch(/^nodejs_eventloop_lag_seconds /m);
    expect(text).not.toContain("made up");
    // To look whether a limit is spent lets nobody through.
    expect(text).not.toContain("consumerBeyond");
    await expect.poll(() => scrape(url)).toMatch(/^aisle_jobs\{queue="usage"/m);
  });

  it("say what holds now: no cache may keep them", async () => {
    const { headers } = await fetch(await served(createMetrics().server(testCore(database))));
    expect(headers.get("cache-control")).toBe("no-store");
  });

  it("have each decision of the limiter once: a try that is given back lets nobody through", async () => {
    const metrics = createMetrics();
    const { code, forgetCodesOfDay } = metrics.observe(createLimits(database));
    const account = { id: randomUUID(), passwordVersion: 1 };
    await (await code(account)).giveBack();
    await forgetCodesOfDay(account.id);
    const text = await scrape(await served(metrics.server(testCore(database))));
    expect(text.match(/^aisle_limiter_total.*$/gm)).toEqual(['aisle_limiter_total{limit="code",outcome="allowed"} 1']);
  });

  it("say that the database answers where it does, and leave out what it cannot tell", async () => {
    const url = await served(createMetrics().server(testCore(database)));
    const told = async () => (await scrape(url)).match(/^aisle_(database_up|outbox_waiting|usage_pending) .*$/gm);
    const all = ["aisle_database_up 1", "aisle_outbox_waiting 0", expect.stringMatching(/^aisle_usage_pending \d+$/)];
    expect(await told()).toEqual(all);
    await database.sql`alter table usage_recent rename to mislaid`;
    const without = await told().finally(() => database.sql`alter table mislaid rename to usage_recent`);
    expect(without).toEqual(["aisle_database_up 1"]);
    expect(await told()).toEqual(all);
  });

  it("do not wait for a database that takes its time, which is logged", async () => {
    const warned: unknown[] = [];
    const log = pino({ level: "warn" }, { write: (line) => void warned.push(JSON.parse(line).msg) });
    const url = await served(createMetrics().server({ ...testCore(database), log }));
    const text = await database.sql.begin(async (tx) => {
      await tx`lock table usage_recent in access exclusive mode`;
      return scrape(url);
    });
    expect(text).toContain("aisle_database_up 1");
    expect(text).not.toMatch(/^aisle_usage_pending /m);
    expect(warned).toEqual(["metrics without what the database knows"]);
  });

  it("say that it does not where it hangs", async () => {
    const silent = createTcpServer();
    const connections = connect(`postgres://nobody@${new URL(await served(silent)).host}/nothing`, "aisle-test");
    onTestFinished(() => connections.close());
    expect(await scrape(await served(createMetrics().server(testCore(connections))))).toMatch(/^aisle_database_up 0$/m);
  });

  it("are on their own port alone, and nothing else is there", async () => {
    expect((await fetch(`${server.url}/metrics`)).status).toBe(404);
    expect((await fetch(new URL("/", metricsUrl))).status).toBe(404);
    expect((await fetch(metricsUrl, { method: "POST" })).status).toBe(404);
  });

  it("count the site's pages too, those that nobody waited for apart, and no file or probe", async () => {
    const counted = async () =>
      Object.fromEntries(
        [...(await scrape()).matchAll(/^aisle_page_duration_seconds_count\{method="GET",status="(\w+)"\} (\d+)/gm)].map(
          ([, status, count]) => [status, Number(count)],
        ),
      );
    const before = await counted();
    const probes = ["/readyz", "/healthz", "/favicon.svg", "/.well-known/none"];
    for (const path of probes) await (await fetch(`${server.url}${path}`)).text();
    await (await fetch(`${server.url}/login`)).text();
    // A page is counted once its last byte has left, which may be after it has come.
    await expect.poll(counted).toEqual({ ...before, "2xx": (before["2xx"] ?? 0) + 1 });
    const [owner] = await database.sql<{ id: string; passwordVersion: number }[]>`
      select id, password_version as "passwordVersion" from accounts where email = 'owner@demo.example'`;
    const cookie = await signIn(database, owner!);
    const leaving = new AbortController();
    await database.sql.begin(async (tx) => {
      await tx`lock table keys in access exclusive mode`;
      const page = fetch(`${server.url}/console/keys`, {
        headers: { cookie },
        signal: leaving.signal,
      }).catch(() => {});
      await untilWaiting(database.sql, 1);
      leaving.abort();
      await page;
      await expect.poll(counted).toMatchObject({ none: 1 });
    });
  });
});

describe("a trace", () => {
  it("goes on from the header, with a span for each thing done", async () => {
    const { consumer, key } = await makeCaller(database);
    const { id, parent } = trace("a");
    const { headers } = await callTool(server.url, key, "list_stores", {}, { headers: { traceparent: parent } });
    await spanOf(headers["x-request-id"]).toBeDefined();
    const span = found(headers["x-request-id"]);
    expect(span).toMatchObject({ name: "tools/call list_stores", traceId: id, parentSpanId: "a".repeat(16) });
    const attributes = Object.fromEntries(span.attributes.map(({ key: name, value }) => [name, value]));
    expect(attributes).toMatchObject({
      "aisle.consumer": { stringValue: consumer.slug },
      "gen_ai.tool.name": { stringValue: "list_stores" },
      "http.response.status_code": { intValue: 200 },
    });
    const partsOf = (id: string) => spans.filter(({ parentSpanId }) => parentSpanId === id).map(({ name }) => name);
    expect(partsOf(span.spanId)).toEqual(["admit", "limit", "run", "record"]);
    // From its second call on a key is counted as it is asked for, and what was counted is waited for apart.
    const again = await callTool(server.url, key, "list_stores", {}, { headers: { traceparent: parent } });
    await spanOf(again.headers["x-request-id"]).toBeDefined();
    const { spanId } = found(again.headers["x-request-id"]);
    expect(partsOf(spanId)).toEqual(["admit", "limit", "run", "disk", "record"]);
  });

  it("goes on from `_meta` before the header, and links to the header's", async () => {
    const { key } = await makeCaller(database);
    const [inner, outer] = [trace("b"), trace("c")];
    const { headers } = await rpc(
      server.url,
      key,
      "tools/call",
      { name: "list_stores", arguments: {}, _meta: { traceparent: inner.parent } },
      { headers: { traceparent: outer.parent } },
    );
    await spanOf(headers["x-request-id"]).toBeDefined();
    expect(found(headers["x-request-id"])).toMatchObject({ traceId: inner.id, links: [{ traceId: outer.id }] });
  });

  it.each([
    "",
    "junk",
    "00-00000000000000000000000000000000-0000000000000000-01",
    `ff-${"a".repeat(32)}-${"a".repeat(16)}-01`,
  ])("begins anew where what came is malformed: %j", async (traceparent) => {
    const reply = await send(server.url, { method: "GET", headers: { traceparent } });
    await spanOf(reply.headers["x-request-id"]).toBeDefined();
    const span = found(reply.headers["x-request-id"]);
    expect(span.parentSpanId ?? "").toBe("");
    expect(span.traceId).toMatch(/^(?!0{32})[0-9a-f]{32}$/);
  });
});

describe("without the variables", () => {
  it("neither library is loaded", async () => {
    const bare = await startServer(database.url, { NODE_DEBUG: "module,esm" });
    await bare.stop();
    expect(bare.output()).toMatch(/node_modules\/pg-boss/);
    expect(bare.output()).not.toMatch(/node_modules\/(prom-client|@opentelemetry)/);
  });
});

describe("an error that nobody caught", () => {
  it.each([
    ["a promise", "Promise.reject(error)"],
    ["a listener", "throw error"],
  ])("ends the process with a line of the log, without the values that it quotes: of %s", async (_, fails) => {
    const folder = await mkdtemp(join(tmpdir(), "aisle-uncaught-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const said = `Object.assign(new Error("seen by nobody"), { detail: "Key (email)=(ada@example.com) already exists." })`;
    await writeFile(join(folder, "fail.mjs"), `process.on("SIGUSR2", () => { const error = ${said}; ${fails}; });`);
    const env = { NODE_OPTIONS: `--import ${pathToFileURL(join(folder, "fail.mjs"))}` };
    const { process: child, output } = await startServer(database.url, env);
    onTestFinished(() => void child.kill("SIGKILL"));
    const closed = once(child, "close");
    child.kill("SIGUSR2");
    expect(await closed).toEqual([1, null]);
    expect(JSON.parse(output().trim().split("\n").at(-1)!)).toMatchObject({
      level: 60,
      msg: "ended by an error that nobody caught",
      err: { message: "seen by nobody", stack: expect.stringContaining("fail.mjs") },
    });
    expect(output()).not.toContain("ada@example.com");
  });
});
