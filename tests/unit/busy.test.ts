// What is told to the next visit when a thousand are under way.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import type { Core } from "../../server/context";
import { createInFlight } from "../../server/in-flight";
import type { McpConfig } from "../../server/mcp/handle";
import { createSite } from "../../server/site";
import { envOfNoDatabase, oneRoute } from "../support/one-route";

const message = "The service is briefly unavailable. Try again in a second.";

/** One page, with a form. */
const run: string[] = [];
const pages = oneRoute(
  "login",
  { default: () => null, loader: () => run.push("loader"), action: () => run.push("action") },
  () => Promise.reject(new Error("a page was rendered")),
);

/** The site while so much is under way. */
async function busySite(): Promise<string> {
  const core = { log: { info() {} } } as unknown as Core;
  const inFlight = Object.defineProperty(createInFlight(), "count", { value: 1_000 });
  const site = createSite(
    {
      core,
      env: envOfNoDatabase(),
      build: pages,
      inFlight,
    },
    {} as McpConfig,
  );
  const server = createServer((req, res) => site(req, res, { requestId: "the-id", address: "192.0.2.1" }));
  onTestFinished(() => void server.close());
  await once(server.listen(0, "127.0.0.1"), "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it("is unavailable, to a person in words and to programs as data, and may be tried again in a second", async () => {
  const url = await busySite();
  const page = await fetch(`${url}/login`, { headers: { accept: "text/html" } });
  const call = await fetch(`${url}/api/trpc/terms.current`);
  expect(await page.text()).toBe(`${message} (the-id)`);
  for (const { status, headers } of [page, call]) expect([status, headers.get("retry-after")]).toEqual([503, "1"]);
  expect(await call.json()).toEqual({
    jsonrpc: "2.0",
    id: null,
    error: { code: 503, message, data: { code: "unavailable", request_id: "the-id" } },
  });
});

it("is told to a page's own script, for a form or another page, as a failure that the page can show; nothing is begun", async () => {
  const url = await busySite();
  const form = await fetch(`${url}/login.data`, {
    method: "POST",
    body: new URLSearchParams({ email: "a@b.example" }),
  });
  expect([form.status, form.headers.get("retry-after")]).toEqual([503, "1"]);
  const next = await fetch(`${url}/login.data`);
  for (const answer of [form, next]) {
    expect(answer.headers.get("content-type")).toMatch(/^text\/x-script\b/);
    const told = await answer.text();
    for (const part of ['"ErrorResponse"', message, "unavailable", "the-id", "503"]) expect(told).toContain(part);
  }
  expect(run).toEqual([]);
});
