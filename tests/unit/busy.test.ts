// What is told to the next visit when a thousand are under way.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import type { Core } from "../../server/context";
import { readEnv } from "../../server/env";
import { createInFlight } from "../../server/in-flight";
import type { McpConfig } from "../../server/mcp/handle";
import { createSite } from "../../server/site";

const message = "The service is briefly unavailable. Try again in a second.";

/** The site while so much is under way. */
async function busySite(): Promise<string> {
  const core = { log: { info() {} } } as unknown as Core;
  const inFlight = Object.defineProperty(createInFlight(), "count", { value: 1_000 });
  const build = () => Promise.reject(new Error("a page was asked for"));
  const site = createSite(
    {
      core,
      env: readEnv({ NODE_ENV: "test", DATABASE_URL: "postgres://nowhere.invalid/aisle", SECRET_KEY: "s".repeat(32) }),
      build,
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
  const calls = [`${url}/api/trpc/terms.current`, `${url}/login.data`].map((address) => fetch(address));
  expect(await page.text()).toBe(`${message} (the-id)`);
  for (const { status, headers } of [page, ...(await Promise.all(calls))])
    expect([status, headers.get("retry-after")]).toEqual([503, "1"]);
  for (const call of calls) {
    expect(await (await call).json()).toEqual({
      jsonrpc: "2.0",
      id: null,
      error: { code: 503, message, data: { code: "unavailable", request_id: "the-id" } },
    });
  }
});
