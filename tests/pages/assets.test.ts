// What pages load is sent as small as the browser takes it.
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { get } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import express from "express";
import { describe, expect, it, onTestFinished } from "vitest";
import { assets } from "../../server/assets";
import { testDatabase } from "../support/database";
import { logOf, testServer } from "../support/server";

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

  it("carries what keeps it inert, and nothing that only documents need", async () => {
    for (const url of [await aScript(), new URL("/assets/nothing.js", server.url).href]) {
      const { headers } = await ask(url, "br");
      expect(headers.get("content-security-policy")).toBe("default-src 'none'; frame-ancestors 'none'");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
      expect(headers.get("permissions-policy")).toBeNull();
    }
  });

  it("is not found under another name, in whatever encoding", async () => {
    expect((await ask(new URL("/assets/nothing.js", server.url).href, "br")).status).toBe(404);
  });

  it("of a build that was replaced meanwhile is missed in plain words, which no cache keeps", async () => {
    const directory = await mkdtemp(join(tmpdir(), "aisle-assets-"));
    await Promise.all(["old.js", "old.js.br"].map((name) => writeFile(join(directory, name), "1")));
    const app = express().use("/assets", assets(directory)).listen(0, "127.0.0.1");
    onTestFinished(() => void app.close());
    await once(app, "listening");
    await rm(directory, { recursive: true });
    const answer = await ask(`http://127.0.0.1:${(app.address() as AddressInfo).port}/assets/old.js`, "br");
    expect([answer.status, answer.headers.get("content-encoding")]).toEqual([404, null]);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("content-type")).toMatch(/^text\/plain/);
    expect(await answer.text()).toMatch(/no such file/);
  });
});

it("each icon that pages name is there, as what they say it is", async () => {
  const page = await (await fetch(server.url)).text();
  const icons = [...page.matchAll(/<link rel="(icon|apple-touch-icon)" href="([^"]+)"(?: type="([^"]+)")?/g)];
  expect(icons.map(([, rel]) => rel)).toEqual(["icon", "icon", "apple-touch-icon"]);
  for (const [, , href, type = "image/png"] of icons) {
    const answer = await fetch(new URL(href!, server.url));
    expect([answer.status, answer.headers.get("content-type")], href).toEqual([200, type]);
  }
});

describe("what cannot be had of a file", () => {
  const wishes = [
    {
      wish: ["range", "bytes=99999999-"] as [string, string],
      status: 416,
      contentRange: /^bytes \*\/\d+$/,
      words: /^Range Not Satisfiable/,
    },
    { wish: ["if-match", '"x"'] as [string, string], status: 412, contentRange: /^$/, words: /^Precondition Failed/ },
  ];
  it.each(wishes)("is the client's mistake, which no cache keeps and no failure of ours: $wish", async (asked) => {
    const icon = new URL("/favicon.svg", server.url).href;
    for (const url of [await aScript(), icon])
      for (const encoding of ["br", "identity"]) {
        const answer = await fetch(url, { headers: [["accept-encoding", encoding], asked.wish] });
        const { headers, status } = answer;
        expect([status, headers.get("cache-control")], url).toEqual([asked.status, "no-store"]);
        for (const name of ["content-encoding", "etag", "last-modified"]) expect(headers.get(name), name).toBeNull();
        expect(headers.get("content-range") ?? "").toMatch(asked.contentRange);
        expect(headers.get("content-type")).toMatch(/^text\/plain/);
        expect(await answer.text()).toMatch(asked.words);
      }
    expect(await logOf(server)).not.toContain("internal error");
    expect(await database.sql`select * from failures`).toEqual([]);
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
  /** As it is written: fetch would tidy it up. */
  const statusOf = (path: string) =>
    new Promise((resolve) => {
      const { port } = new URL(server.url);
      get({ host: "127.0.0.1", port, path }, (res) => resolve(res.resume().statusCode));
    });

  it.each([...paths, "/assets/..%2f..%2fpackage.json", "/assets/", "/assets", "/fonts/"])(
    "is served: %s",
    async (path) => {
      expect(await statusOf(path)).toBe(404);
    },
  );

  it.each(["/assets/../../package.json", "/assets/%2e%2e/%2e%2e/package.json"])("is looked for: %s", async (path) => {
    expect(await statusOf(path)).toBe(400);
  });
});
