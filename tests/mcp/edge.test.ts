// The edge of HTTP, over raw sockets: what is refused before any route sees it, and how.
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { momentOf } from "../../server/context";
import { mint } from "../../server/services/key-format";
import { makeCaller } from "../support/clients";
import { patientUrl, testDatabase, untilWaiting } from "../support/database";
import { signIn } from "../support/roles";
import { startServer, testServer } from "../support/server";
import { untilRecorded } from "../support/usage";
import { exchange, UUID7, type WireAnswer } from "../support/wire";

const database = testDatabase();
const server = testServer(database);
const ping = '{"jsonrpc":"2.0","id":7,"method":"ping"}';
const SIZE = ping.length.toString(16);

interface Sent {
  target?: string;
  method?: string;
  version?: string;
  /** Without Host. */
  headers?: string[];
  body?: string;
  host?: string | undefined;
}

const hostOf = () => new URL(server.url).host;
const own = () => `Origin: ${server.url}`;

function bytes({ target = "/healthz", method = "GET", version = "HTTP/1.1", headers = [], body = "", ...rest }: Sent) {
  const host = "host" in rest ? rest.host : hostOf();
  const lines = [`${method} ${target} ${version}`, ...(host === undefined ? [] : [`Host: ${host}`]), ...headers];
  return `${lines.join("\r\n")}\r\n\r\n${body}`;
}

const standard = (key = "nonsense") => [
  `Authorization: Bearer ${key}`,
  "Content-Type: application/json",
  "Accept: application/json, text/event-stream",
];
/** A call of the endpoint, with these headers for its body. */
const call = (headers: string[], body = ping, key?: string): Sent => ({
  target: "/api/mcp",
  method: "POST",
  headers: [...standard(key), ...headers],
  body,
});
const counted = (key?: string) => call([`Content-Length: ${ping.length}`], ping, key);

/** The one answer of a connection that the server then ends. */
async function refusal(sent: string | Sent): Promise<WireAnswer> {
  const { answers, closed } = await exchange(server.url, typeof sent === "string" ? sent : bytes(sent));
  expect(answers).toHaveLength(1);
  expect(closed).toBe(true);
  return answers[0]!;
}

function expectRefusal({ status, headers, json }: WireAnswer, expected: number) {
  expect(status).toBe(expected);
  expect(headers["content-type"]).toBe("application/json; charset=utf-8");
  expect(headers["cache-control"]).toBe("no-store");
  expect(headers["x-content-type-options"]).toBe("nosniff");
  expect(headers["content-security-policy"]).toBe("default-src 'none'; frame-ancestors 'none'");
  expect(headers.connection).toBe("close");
  expect(headers.date).toMatch(/ GMT$/);
  expect(headers["x-request-id"]).toMatch(UUID7);
  expect(json).toMatchObject({ jsonrpc: "2.0", id: null, error: { code: expected === 400 ? -32600 : expected } });
  expect(json.error.data.request_id).toBe(headers["x-request-id"]);
}

describe("a request whose length can be read in two ways", () => {
  const lengths: Record<string, string[]> = {
    "Content-Length and Transfer-Encoding": [`Content-Length: ${ping.length}`, "Transfer-Encoding: chunked"],
    "Transfer-Encoding and Content-Length": ["Transfer-Encoding: chunked", `Content-Length: ${ping.length}`],
    "two equal Content-Lengths": [`Content-Length: ${ping.length}`, `Content-Length: ${ping.length}`],
    "two different Content-Lengths": ["Content-Length: 0", `Content-Length: ${ping.length}`],
    "a list of Content-Lengths": [`Content-Length: ${ping.length}, ${ping.length}`],
    "a Content-Length with a plus": [`Content-Length: +${ping.length}`],
    "a negative Content-Length": ["Content-Length: -1"],
    "a hexadecimal Content-Length": ["Content-Length: 0x28"],
    "a Content-Length with a point": ["Content-Length: 40.0"],
    "a Content-Length in two words": ["Content-Length: 4 0"],
    "an empty Content-Length": ["Content-Length:"],
    "a Content-Length beyond 64 bits": ["Content-Length: 99999999999999999999999"],
    "an unknown Transfer-Encoding": ["Transfer-Encoding: x"],
    "identity as Transfer-Encoding": [`Transfer-Encoding: identity`, `Content-Length: ${ping.length}`],
    "gzip before chunked": ["Transfer-Encoding: gzip, chunked"],
    "chunked that is not last": ["Transfer-Encoding: chunked, x"],
    "chunked twice": ["Transfer-Encoding: chunked, chunked"],
    "two Transfer-Encodings": ["Transfer-Encoding: chunked", "Transfer-Encoding: identity"],
    "a vertical tab in Transfer-Encoding": ["Transfer-Encoding: \x0bchunked"],
    "a quoted Transfer-Encoding": ['Transfer-Encoding: "chunked"'],
    "a space before the colon": ["Transfer-Encoding : chunked"],
    "a folded Transfer-Encoding": ["Transfer-Encoding:\r\n chunked"],
    "a Transfer-Encoding behind a bare CR": [`X: y\rTransfer-Encoding: chunked`],
    "a Transfer-Encoding behind a bare LF": [`X: y\nTransfer-Encoding: chunked`],
  };
  it.each(Object.entries(lengths))("is refused, and so is what comes after it: %s", async (_what, headers) => {
    const { key, consumer } = await makeCaller(database);
    const smuggled = bytes(counted(key));
    expectRefusal(await refusal(bytes(call(headers, `0\r\n\r\n${smuggled}`, key)) + smuggled), 400);
    await untilRecorded(database);
    const [row] = await database.sql`select count(*)::int as n from usage_events where consumer_id = ${consumer.id}`;
    expect(row!.n).toBe(0);
  });

  const chunks: Record<string, string> = {
    "no number": `zz\r\n${ping}\r\n0\r\n\r\n`,
    "a sign": `+${SIZE}\r\n${ping}\r\n0\r\n\r\n`,
    "0x before it": `0x${SIZE}\r\n${ping}\r\n0\r\n\r\n`,
    "more than 64 bits": `fffffffffffffffff\r\n${ping}\r\n0\r\n\r\n`,
    "fewer bytes than come": `5\r\n${ping}\r\n0\r\n\r\n`,
    "a bare LF after it": `${SIZE}\n${ping}\r\n0\r\n\r\n`,
    "a bare LF in its extension": `${SIZE};a\nb\r\n${ping}\r\n0\r\n\r\n`,
  };
  it.each(Object.entries(chunks))("is refused with a chunk whose size has %s", async (_what, body) => {
    expectRefusal(await refusal(call(["Transfer-Encoding: chunked"], body)), 400);
  });

  it("is refused under HTTP/1.0 with a Transfer-Encoding", async () => {
    const body = `${SIZE}\r\n${ping}\r\n0\r\n\r\n`;
    expectRefusal(await refusal({ ...call(["Transfer-Encoding: chunked"], body), version: "HTTP/1.0" }), 400);
  });

  it("is served where there is only one way: chunked in any case, with extensions and trailers", async () => {
    const { key } = await makeCaller(database);
    for (const body of [
      `${SIZE}\r\n${ping}\r\n0\r\n\r\n`,
      `${SIZE};a=b\r\n${ping}\r\n0;c\r\n\r\n`,
      `${SIZE.toUpperCase()}\r\n${ping}\r\n0\r\nAuthorization: Bearer x\r\nHost: evil.example\r\n\r\n`,
    ]) {
      const sent = call(["Transfer-Encoding: CHUNKED", "Connection: close"], body, key);
      const { answers } = await exchange(server.url, bytes(sent));
      expect(answers.map(({ status }) => status)).toEqual([200]);
    }
  });

  it("chunk extensions without end are 413", async () => {
    expectRefusal(await refusal(call(["Transfer-Encoding: chunked"], `1;${"a".repeat(20_000)}\r\n`)), 413);
  });
});

describe("a request that is not HTTP/1.1 to the letter", () => {
  it.each([
    ["bare LFs", () => `GET /healthz HTTP/1.1\nHost: ${hostOf()}\n\n`],
    ["a folded header", () => bytes({ headers: ["X: a\r\n b"] })],
    ["a space before the colon", () => bytes({ headers: ["X : a"] })],
    ["a space before the first header", () => `GET /healthz HTTP/1.1\r\n Host: ${hostOf()}\r\n\r\n`],
    ["NUL in a value", () => bytes({ headers: ["X: a\0b"] })],
    ["NUL in a name", () => bytes({ headers: ["X\0: a"] })],
    ["a header without a name", () => bytes({ headers: [": a"] })],
    ["a header without a colon", () => bytes({ headers: ["X"] })],
    ["an unknown method", () => bytes({ method: "FETCH" })],
    ["a method in lower case", () => bytes({ method: "get" })],
    ["TLS", () => "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"],
    ["HTTP/2 without an upgrade", () => "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
    ["nothing of it", () => "hello\r\n\r\n"],
  ])("is 400: %s", async (_what, sent) => {
    expectRefusal(await refusal(sent()), 400);
  });

  it.each(["HTTP/2.0", "HTTP/0.9"])("is 505 with the version %s", async (version) => {
    expectRefusal(await refusal({ version }), 505);
  });

  it("is 431 where its headers are too large, in one or in all", async () => {
    expectRefusal(await refusal({ headers: [`X: ${"a".repeat(20_000)}`] }), 431);
    expectRefusal(await refusal({ headers: Array.from({ length: 300 }, (_, i) => `X-${i}: ${"a".repeat(60)}`) }), 431);
    expectRefusal(await refusal({ target: `/${"a".repeat(20_000)}` }), 431);
  });

  it("is 414 where its path is longer than any, of slashes too, which take a router long", async () => {
    for (const start of ["/a", "/api/mcp", "/api/trpc/"]) {
      expectRefusal(await refusal({ target: `${start}${"/".repeat(15_000)}x` }), 414);
      expectRefusal(await refusal({ target: `${start}${"b".repeat(2_049 - start.length)}` }), 414);
    }
    const { answers } = await exchange(
      server.url,
      bytes({ target: `/${"b".repeat(2_047)}`, headers: ["Connection: close"] }),
    );
    expect(answers.map(({ status }) => status)).toEqual([404]);
  });

  it("is 417 with an Expect that is not 100-continue", async () => {
    expectRefusal(await refusal({ headers: ["Expect: 200-ok"] }), 417);
  });
});

describe("a doubled header", () => {
  it.each(["Host", "Authorization", "Content-Type"])("%s is 400, on every path, also far down", async (name) => {
    const twice = [`${name}: localhost`, `${name.toLowerCase()}: localhost`];
    for (const target of ["/api/mcp", "/api/mcp/p/x", "/api/mcp/doctor/x", "/login", "/healthz", "/nowhere"]) {
      expectRefusal(await refusal({ target, host: name === "Host" ? undefined : hostOf(), headers: twice }), 400);
    }
    const many = Array.from({ length: 2_500 }, () => "a:");
    expectRefusal(
      await refusal({ headers: name === "Host" ? [...many, twice[0]!] : [twice[0]!, ...many, twice[1]!] }),
      400,
    );
  });
});

describe("the Host", () => {
  it.each([
    "",
    "a@b",
    "localhost, evil.example",
    "localhost evil.example",
    "localhost/",
    "[::1",
    "[dead:beef]",
    "[127.0.0.1]",
    "localhost:port",
    "localhost:65536",
    "localhost:99999",
    "*",
  ])("%j is 400", async (host) => {
    expectRefusal(await refusal({ host }), 400);
  });

  it("that no URL can have is 400 with its own Origin too, and ends no process", async () => {
    for (const host of ["localhost:99999", "127.0.0.1:65536", "[127.0.0.1]"])
      for (const method of ["GET", "POST"])
        expectRefusal(await refusal({ host, method, headers: [`Origin: http://${host}`] }), 400);
    expect((await fetch(new URL("/healthz", server.url))).status).toBe(200);
  });

  it("may have any port there is", async () => {
    for (const host of ["localhost:65535", "127.0.0.1:1", "[::1]:65535"]) {
      const { answers } = await exchange(server.url, bytes({ host, target: "/login", headers: ["Connection: close"] }));
      expect(answers.map(({ status }) => status)).toEqual([200]);
    }
  });

  it("may only be missing under HTTP/1.0", async () => {
    expectRefusal(await refusal({ host: undefined }), 400);
    for (const target of ["/healthz", "/login", "/"]) {
      const { answers } = await exchange(server.url, bytes({ host: undefined, version: "HTTP/1.0", target }));
      expect(answers[0]!.status, target).toBe(200);
    }
  });

  it("is not made up for who comes without one: no Origin is its own", async () => {
    for (const origin of ["http://undefined", "http://", server.url]) {
      const sent = counted();
      const endpoint = {
        ...sent,
        host: undefined,
        version: "HTTP/1.0",
        headers: [...sent.headers!, `Origin: ${origin}`],
      };
      const { json } = await refusal(endpoint);
      expect(json.error.data.code).toBe("origin_not_allowed");
      const headers = [`Origin: ${origin}`, "Content-Type: application/x-www-form-urlencoded", "Content-Length: 0"];
      const form = { host: undefined, version: "HTTP/1.0", method: "POST", target: "/login", headers };
      expectRefusal(await refusal(form), 400);
    }
  });

  it.each(["evil.example", "localhost.evil.example", "evil.example:80", "localhost."])(
    "%s is 421, on every path",
    async (host) => {
      for (const target of ["/api/mcp", "/login", "/healthz", "/nowhere"])
        expectRefusal(await refusal({ host, target }), 421);
    },
  );
});

describe("a target that names the whole URL", () => {
  it("is served as its path, if it names the Host's host", async () => {
    const { key } = await makeCaller(database);
    const sent = { ...counted(key), target: `http://${hostOf()}/api/mcp` };
    sent.headers = [...sent.headers!, "Connection: close"];
    expect((await exchange(server.url, bytes(sent))).answers.map(({ status }) => status)).toEqual([200]);
    const root = { target: "HTTP://localHost?a", host: "LOCALhost", headers: ["Connection: close"] };
    expect((await exchange(server.url, bytes(root))).answers.map(({ status }) => status)).toEqual([200]);
  });

  it.each(["http://evil.example/", "http://evil.example/api/mcp", "https://localhost@evil.example/", "http://"])(
    "is 400 if it names another: %s",
    async (target) => {
      expectRefusal(await refusal({ target }), 400);
      expectRefusal(await refusal({ ...counted(), target }), 400);
    },
  );

  it("is 421 if target and Host agree on a stranger", async () => {
    expectRefusal(await refusal({ target: "http://evil.example/", host: "evil.example" }), 421);
  });

  it.each(["ftp://localhost/", "localhost:80", "*"])("is 400 if it is no address of ours: %s", async (target) => {
    expectRefusal(await refusal({ target, method: target === "*" ? "OPTIONS" : "GET" }), 400);
  });

  it.each([
    "/%",
    "/%ff",
    "/%c0%af",
    "/%zz",
    "/console/docs/%ff",
    "/%ff.data",
    "/assets/%ff",
    "/api/trpc/%",
    "/\\evil.example",
    "/%5c",
    "/%5c%5c",
    "/%00",
    "/merchant/stores/%00",
    "/#",
    "/login?a#b",
    "/api/mcp#x",
    "/api/mcp/doctor/x?a#b",
  ])("is 400 if its escapes are no UTF-8, they hide a backslash or NUL, or it has a fragment: %s", async (target) => {
    expectRefusal(await refusal({ target }), 400);
    expectRefusal(await refusal({ ...counted(), target }), 400);
  });

  it.each([
    "/merchant/catalogue/..",
    "/merchant/catalogue/%2e%2E?index",
    "/merchant/catalogue/.%2e/account",
    "/console/./keys",
    "/.",
    "/demo-images/%2e%2e/account",
  ])(
    "is 400 if it says to go up, so that nobody behind the edge reads another page than it does: %s",
    async (target) => {
      expectRefusal(await refusal({ target }), 400);
      expectRefusal(await refusal({ ...counted(), target }), 400);
    },
  );

  it.each(["//evil.example/login", "/%2f", "/..%2f..%2fpackage.json", "/assets/..%2f..%2f..%2fpackage.json"])(
    "leads nowhere else: %s is 404",
    async (target) => {
      const { answers } = await exchange(server.url, bytes({ target, headers: ["Connection: close"] }));
      expect(answers.map(({ status, headers }) => [status, headers.location])).toEqual([[404, undefined]]);
    },
  );
});

describe("a method", () => {
  it.each(["TRACE", "OPTIONS", "PUT", "PATCH", "DELETE", "PROPFIND", "CONNECT"])(
    "%s is 405 everywhere, and echoes nothing",
    async (method) => {
      for (const target of ["/", "/login", "/assets/x.js", "/api/trpc/account.me", "/healthz"]) {
        const sent = { method, target, headers: [own(), "X-Secret: mine"] };
        const answer = await refusal(sent);
        expectRefusal(answer, 405);
        expect(answer.headers.allow).toBe("GET, HEAD, POST");
        expect(answer.text).not.toContain("mine");
      }
    },
  );

  it.each(["TRACE", "CONNECT"])("%s is 405 with Allow: POST at the endpoint", async (method) => {
    for (const target of ["/api/mcp", "/api/mcp?a=b", "/api/mcp/p/any"]) {
      const answer = await refusal({ method, target, headers: ["Connection: close"] });
      expect([answer.status, answer.headers.allow]).toEqual([405, "POST"]);
      expect(answer.json).toMatchObject({ id: null, error: { code: -32600, data: { code: "method_not_allowed" } } });
    }
  });

  it.each(["FOO", "post", "POSTS", "M!"])(
    "%s, which HTTP's parser does not know, is 405 too where it calls the endpoint",
    async (method) => {
      for (const target of ["/api/mcp", "/api/mcp?a=b", "/api/mcp/p/any"]) {
        const answer = await refusal({ method, target });
        expect([answer.status, answer.headers.allow]).toEqual([405, "POST"]);
        expect(answer.json).toMatchObject({ id: null, error: { code: -32600, data: { code: "method_not_allowed" } } });
      }
      for (const target of ["/", "/api/mcpx", "/api/mcp/p/", "/x?/api/mcp"])
        expectRefusal(await refusal({ method, target }), 400);
      // RFC 9112, 2.2: an empty line before the first one is nothing.
      expect(await refusal(`\r\n${bytes({ method, target: "/api/mcp" })}`)).toMatchObject({ status: 405 });
    },
  );

  it("CONNECT opens no tunnel", async () => {
    expectRefusal(await refusal({ method: "CONNECT", target: "localhost:80" }), 405);
  });

  it.each(["once it is answered", "at once"])("CONNECT that is reset %s ends no process", async (when) => {
    const { hostname, port } = new URL(server.url);
    for (let i = 0; i < 50; i++) {
      const socket = connect({ host: hostname, port: Number(port) });
      const answered = once(socket, "data");
      await new Promise((sent) => socket.write(bytes({ method: "CONNECT", target: "localhost:80" }), sent));
      if (when !== "at once") await answered;
      socket.resetAndDestroy();
    }
    expect((await fetch(new URL("/healthz", server.url))).status).toBe(200);
  });

  it("Upgrade changes no protocol", async () => {
    for (const to of ["websocket", "h2c"]) {
      const { answers } = await exchange(
        server.url,
        bytes({ headers: ["Connection: upgrade, close", `Upgrade: ${to}`] }),
      );
      expect(answers.map(({ status }) => status)).toEqual([200]);
    }
  });
});

describe("a body", () => {
  const LARGE = 3_000_000;
  const form = "Content-Type: application/x-www-form-urlencoded";

  it("with a Content-Encoding is 415, on every path", async () => {
    for (const encoding of ["gzip", "identity", "br", ""]) {
      const sent = call([`Content-Length: ${ping.length}`, `Content-Encoding: ${encoding}`, "Connection: close"]);
      const { answers } = await exchange(server.url, bytes(sent));
      expect(answers.map(({ status }) => status)).toEqual([415]);
    }
    for (const target of ["/login", "/api/trpc/account.logIn", "/merchant/catalogue/x"]) {
      const headers = [own(), form, "Content-Encoding: gzip", "Content-Length: 3"];
      expectRefusal(await refusal({ method: "POST", target, headers, body: "a=b" }), 415);
    }
  });

  it("that is too large is 413 to who sends all of it, with and without Content-Length", async () => {
    const [whole, chunked] = ["x".repeat(LARGE), `${LARGE.toString(16)}\r\n${"x".repeat(LARGE)}\r\n0\r\n\r\n`];
    expectRefusal(await refusal(call([`Content-Length: ${LARGE}`], whole)), 413);
    expectRefusal(await refusal(call(["Transfer-Encoding: chunked"], chunked)), 413);
    const page = { target: "/login", method: "POST" };
    expectRefusal(await refusal({ ...page, headers: [own(), form, `Content-Length: ${LARGE}`], body: whole }), 413);
    // Pages want to know the length.
    expectRefusal(await refusal({ ...page, headers: [own(), form, "Transfer-Encoding: chunked"], body: chunked }), 411);
  });

  it("that only says so is 413 without being waited for", async () => {
    expectRefusal(await refusal(call(["Content-Length: 9999999999"], "x")), 413);
    const headers = [own(), form, "Content-Length: 9999999999"];
    expectRefusal(await refusal({ target: "/login", method: "POST", headers, body: "x" }), 413);
    // A file is posted; asking for the page beside it takes none.
    const file = [own(), "Content-Type: multipart/form-data; boundary=b", "Content-Length: 9999999999"];
    expectRefusal(await refusal({ target: "/merchant/catalogue/x", headers: file, body: "x" }), 413);
  });
});

describe("what comes after a refused request on its connection", () => {
  it.each([
    ["a doubled header", () => bytes({ headers: ["Host: localhost"] })],
    ["a stranger's Host", () => bytes({ host: "evil.example" })],
    ["another site's form", () => bytes({ target: "/logout", method: "POST" })],
    ["no HTTP", () => "hello\r\n\r\n"],
  ])("is not run: %s", async (_what, first) => {
    const { key, consumer } = await makeCaller(database);
    await refusal(first() + bytes(counted(key)).repeat(3));
    await untilRecorded(database);
    const [row] = await database.sql`select count(*)::int as n from usage_events where consumer_id = ${consumer.id}`;
    expect(row!.n).toBe(0);
  });

  it("good requests in one piece are answered in their order", async () => {
    const { key } = await makeCaller(database);
    const last = counted(key);
    const sent = bytes(counted(key)) + bytes({}) + bytes({ ...last, headers: [...last.headers!, "Connection: close"] });
    const { answers } = await exchange(server.url, sent);
    expect(answers.map(({ json }) => json)).toEqual([
      { jsonrpc: "2.0", id: 7, result: {} },
      { status: "ok" },
      { jsonrpc: "2.0", id: 7, result: {} },
    ]);
    // Longer than a proxy keeps a connection that rests, so that it never sends a request on one that we just closed.
    expect(answers.map(({ headers }) => headers["keep-alive"])).toEqual(["timeout=75", "timeout=75", undefined]);
  });

  it("a hundred wait for the answer before them; whoever sends more loses the connection", async () => {
    const last = bytes({ headers: ["Connection: close"] });
    const { answers } = await exchange(server.url, bytes({ target: "/login" }) + bytes({}).repeat(99) + last);
    expect(answers.map(({ status }) => status)).toEqual(Array(101).fill(200));
    const { closed } = await exchange(server.url, bytes({ target: "/login" }).repeat(20_000));
    expect(closed).toBe(true);
    expect((await fetch(new URL("/healthz", server.url))).status).toBe(200);
  });

  it("good ones before one that is refused for its headers are answered first", async () => {
    const { key } = await makeCaller(database);
    const expecting = counted(key);
    const last = bytes({ ...expecting, headers: [...expecting.headers!, "Expect: nothing"] });
    const sent = bytes(counted(key)) + bytes(counted(key)) + last + bytes(counted(key));
    const { answers, closed } = await exchange(server.url, sent);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 417]);
    expect(closed).toBe(true);
  });

  it("is begun once the answer before it is out", async () => {
    const { consumer } = await makeCaller(database);
    const cookie = await signIn(database, consumer.owner);
    // More than a clock that is new may be corrected by meanwhile.
    const HELD_MS = 500;
    // However slow the machine, the first is answered once the lock is gone: a page has no deadline, and this server patience.
    const patient = await startServer(patientUrl(database.url));
    let exchanged: ReturnType<typeof exchange> | undefined;
    await database.sql.begin(async (tx) => {
      await tx`lock table sessions in access exclusive mode`;
      const { host } = new URL(patient.url);
      const page = bytes({ host, target: "/console", headers: [`Cookie: ${cookie}`] });
      const last = bytes({ host, headers: ["Connection: close"] });
      exchanged = exchange(patient.url, page + bytes({ host }).repeat(2) + last, { patienceMs: 60_000 });
      await untilWaiting(database.sql, 1);
      await sleep(2 * HELD_MS);
    });
    const { answers } = await exchanged!;
    await patient.stop();
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const [first, ...others] = answers.map(({ headers }) => momentOf(headers["x-request-id"]!));
    for (const other of others) expect(other! - first!).toBeGreaterThan(HELD_MS);
  });

  it("is not answered in the middle of another answer", async () => {
    for (const everyMs of [1, 5, 10, 20]) {
      const sent = [bytes({ target: "/login" }), "GARBAGE\r\n\r\n"];
      const { raw, answers, closed } = await exchange(server.url, sent, { everyMs });
      expect(closed).toBe(true);
      // Whole answers, one after the other, and at most one that breaks off; one there is, whichever came first.
      expect(raw).toMatch(/^HTTP\/1\.1 (200|400) /);
      const begun = raw.split("HTTP/1.1 ").length - 1;
      expect(begun - answers.length).toBeLessThanOrEqual(1);
      for (const { status, text } of answers) {
        expect([200, 400]).toContain(status);
        if (status === 200) expect(text).toMatch(/<\/html>\s*$|<\/script>\s*$/);
      }
    }
  });
});

describe("X-Request-Id", () => {
  const mine = "01890000-0000-7000-8000-000000000000";
  const echo = [`X-Request-Id: ${mine}`, `Request-Id: ${mine}`, `X-Correlation-Id: ${mine}`, "Connection: close"];

  it("is fresh in every answer, and nothing that came in is in it", async () => {
    const { key } = await makeCaller(database);
    const endpoint = counted(key);
    const sent: Sent[] = [
      { ...endpoint, headers: [...endpoint.headers!, ...echo] },
      ...[
        "/healthz",
        "/readyz",
        "/",
        "/login",
        "/nowhere",
        "/robots.txt",
        "/assets/none.js",
        "/api/trpc/account.me",
      ].map((target) => ({ target, headers: echo })),
      { target: "/api/mcp", headers: echo },
      { host: "evil.example", headers: echo },
      { method: "TRACE", headers: echo },
      { headers: [...echo, "Content-Length: x"] },
      { headers: [...echo, `X: ${"a".repeat(20_000)}`] },
      { headers: [...echo, "Expect: x"] },
    ];
    const ids = new Set<string>();
    for (const one of sent) {
      const { answers } = await exchange(server.url, bytes(one));
      expect(answers).toHaveLength(1);
      expect(answers[0]!.headers["x-request-id"]).toMatch(UUID7);
      expect(JSON.stringify(answers)).not.toContain(mine);
      ids.add(answers[0]!.headers["x-request-id"]!);
    }
    expect(ids.size).toBe(sent.length);
  });
});

describe("TRUST_PROXY", () => {
  /** Refused keys from one network, each under another X-Forwarded-For; the statuses. */
  async function guesses(url: string, forwarded: (i: number) => string[]): Promise<number[]> {
    const statuses: number[] = [];
    for (let i = 0; i < 21; i++) {
      const sent = counted(mint());
      const headers = [...sent.headers!, ...forwarded(i), "Connection: close"];
      const { answers } = await exchange(url, bytes({ ...sent, host: new URL(url).host, headers }));
      statuses.push(answers[0]!.status);
    }
    return statuses;
  }
  const once429 = [...Array<number>(20).fill(401), 429];
  const all401 = Array<number>(21).fill(401);

  it("without it, X-Forwarded-For and its like are ignored", async () => {
    const others = (i: number) => [
      `X-Forwarded-For: 198.51.100.${i}`,
      `Forwarded: for=198.51.100.${i}`,
      `X-Real-IP: 198.51.100.${i}`,
      `X-Forwarded-Host: evil.example`,
      `X-Forwarded-Proto: https`,
    ];
    expect(await guesses(server.url, others)).toEqual(once429);
  });

  it("names how many are believed: what a client wrote before them is not", async () => {
    const proxied = await startServer(database.url, { TRUST_PROXY: "2" });
    try {
      expect(await guesses(proxied.url, (i) => [`X-Forwarded-For: 192.0.2.${i}, 203.0.113.1, 10.0.0.1`])).toEqual(
        once429,
      );
      expect(
        await guesses(proxied.url, (i) => [
          ...[`X-Forwarded-For: 203.0.113.2, 192.0.2.${i}:4711`, "X-Forwarded-For: 10.0.0.1"],
        ]),
      ).toEqual(all401);
      // Whoever has one IPv6 address has the 2^64 around it.
      expect(await guesses(proxied.url, (i) => [`X-Forwarded-For: [2001:db8::${i}]:80, 10.0.0.1`])).toEqual(once429);
      // What is no address is nobody's: the peer's counts.
      await database.sql`delete from rate_limits`;
      expect(await guesses(proxied.url, (i) => [`X-Forwarded-For: somebody-${i}, 10.0.0.1`])).toEqual(once429);
    } finally {
      await proxied.stop();
    }
  });

  it("links and forms do not believe X-Forwarded-Host or -Proto", async () => {
    const headers = ["X-Forwarded-Host: evil.example", "X-Forwarded-Proto: https", "Connection: close"];
    const { answers } = await exchange(server.url, bytes({ target: "/console", headers }));
    expect(answers[0]!.headers.location).toMatch(/^\/login/);
    expect(answers[0]!.text).not.toContain("evil.example");
  });
});
