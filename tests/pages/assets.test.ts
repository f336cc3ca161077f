// What pages load is sent as small as the browser takes it.
import { get } from "node:http";
import { describe, expect, it } from "vitest";
import { testDatabase } from "../support/database";
import { testServer } from "../support/server";

const database = testDatabase();
const server = testServer(database);

async function aScript(): Promise<string> {
  const page = await (await fetch(server.url)).text();
  return new URL(/\/assets\/[\w.-]+\.js/.exec(page)![0], server.url).href;
}

const ask = (url: string, encoding: string) => fetch(url, { headers: { "accept-encoding": encoding } });

describe("a script", () => {
  it.each(["br", "gzip"])("is sent as %s to whoever takes that, and reads the same", async (encoding) => {
    const url = await aScript();
    const [plain, small] = await Promise.all([ask(url, "identity"), ask(url, encoding)]);
    expect(plain.headers.get("content-encoding")).toBeNull();
    expect(small.headers.get("content-encoding")).toBe(encoding);
    for (const answer of [plain, small]) {
      expect(answer.headers.get("content-type")).toMatch(/javascript/);
      expect(answer.headers.get("vary")).toContain("Accept-Encoding");
      expect(answer.headers.get("cache-control")).toContain("immutable");
    }
    expect(Number(small.headers.get("content-length"))).toBeLessThan(Number(plain.headers.get("content-length")) / 2);
    expect(await small.text()).toBe(await plain.text());
  });

  it("is not found under another name, in whatever encoding", async () => {
    expect((await ask(new URL("/assets/nothing.js", server.url).href, "br")).status).toBe(404);
  });
});

describe("nothing else of the server's disk", () => {
  const paths = [
    "/.git/config",
    "/.git/HEAD",
    "/.env",
    "/package.json",
    "/server/main.ts",
    "/.data/secret-key",
    "/build/",
  ];
  const turned = ["/assets/../../package.json", "/assets/%2e%2e/%2e%2e/package.json", "/assets/..%2f..%2fpackage.json"];
  it.each([...paths, ...turned, "/assets/", "/assets", "/fonts/"])("is served: %s", async (path) => {
    // As it is written: fetch would tidy it up.
    const status = await new Promise((resolve) => {
      const { port } = new URL(server.url);
      get({ host: "127.0.0.1", port, path }, (res) => resolve(res.resume().statusCode));
    });
    expect(status).toBe(404);
  });
});
