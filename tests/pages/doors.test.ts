// What holds at the door of every page: headers, requests from other sites, where a log-in leads, cookies, local mail.
import { randomBytes, randomUUID } from "node:crypto";
import { get, request as httpRequest } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testDatabase } from "../support/database";
import { newEmail, PASSWORD } from "../support/people";
import { freePort, logOf, startServer, type TestServer, testServer } from "../support/server";
import { testSmtp } from "../support/smtp";
import { mailingTo, newVisitor, visitors } from "../support/visitor";
import { exchange } from "../support/wire";

const database = testDatabase();
const smtp = testSmtp();
const server = testServer(database, mailingTo(smtp));
const { visitor, logIn, member, isLoggedIn } = visitors(server, smtp, database);

/** What operators are told that went wrong inside; that the log is not, the server's end looks at. */
const failuresToldOf = async () => [...(await database.sql`select door, message from failures`)];

const pages = ["/", "/signup", "/login", "/resend", "/forgot", "/verify", "/reset", "/confirm-email", "/nowhere"];

describe("what every page is sent with", () => {
  const own = [
    "/account",
    "/account/password",
    "/account/two-factor",
    "/account/sessions?dialog=everywhere",
    "/account/access",
    "/account/delete?dialog=delete",
  ];
  it.each([...pages, ...own, "/logout", "/dev/mail"])("%s", async (page) => {
    const who = own.includes(page) ? (await member()).who : visitor();
    const [{ headers, html }, again] = [await who.get(page), await who.get(page)];
    const policy = headers.get("content-security-policy")!;
    const directives = Object.fromEntries(policy.split("; ").map((part) => part.split(/ (.*)/, 2)));
    expect(directives).toMatchObject({
      "default-src": "'none'",
      "frame-ancestors": "'none'",
      "base-uri": "'none'",
      "form-action": "'self'",
    });
    const [, nonce] = /^'self' 'nonce-([\w+/]{22}==)'$/.exec(directives["script-src"]!)!;
    expect(again.headers.get("content-security-policy")).not.toContain(nonce);
    for (const [tag] of html.matchAll(/<script\b[^>]*>/g)) expect(tag).toContain(`nonce="${nonce}"`);
    expect(html).not.toMatch(/<[^>]+\sstyle=|<style\b|\son\w+="/);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("referrer-policy")).toBe("same-origin");
    expect(headers.get("permissions-policy")).toContain("camera=()");
    expect(headers.get("cache-control")).toContain("no-store");
    expect(headers.get("strict-transport-security")).toBeNull();
    expect(headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("keeps each page to itself, also in browsers that know no frame-ancestors: in no frame, no other site's window, no other site's code", async () => {
    for (const page of pages) {
      const { headers } = await visitor().get(page);
      expect(headers.get("x-frame-options"), page).toBe("DENY");
      expect(headers.get("cross-origin-opener-policy"), page).toBe("same-origin");
      expect(headers.get("cross-origin-resource-policy"), page).toBe("same-origin");
    }
  });

  it.each(["/verify", "/reset", "/confirm-email"])(
    "%s leads to no other site, which would learn the token",
    async (page) => {
      const { html } = await visitor().get(`${page}?token=secret`);
      expect(html).not.toMatch(/(?:href|src|action)="(?:https?:)?\/\//);
    },
  );
});

describe("what no cache may keep", () => {
  it.each([
    ["/healthz", 200],
    ["/readyz", 200],
    ["/.well-known/oauth-protected-resource", 404],
  ])("%s says what holds now", async (path, status) => {
    const { status: answered, headers } = await fetch(`${server.url}${path}`);
    expect([answered, headers.get("cache-control")]).toEqual([status, "no-store"]);
  });
});

describe("a request that another site made", () => {
  const forms = ["/signup", "/login", "/logout", "/resend", "/forgot", "/verify", "/reset", "/account?index", "/theme"];
  it.each(forms)("%s is refused", async (page) => {
    const own = server.url;
    for (const headers of [
      {},
      { origin: "https://evil.example" },
      { origin: "null" },
      { origin: `${own}.evil.example` },
      { origin: own, "sec-fetch-site": "cross-site" },
      { origin: own, "sec-fetch-site": "same-site" },
      { origin: own, "sec-fetch-site": "none" },
      { "sec-fetch-site": "cross-site" },
    ]) {
      const { status, headers: answered } = await visitor().post(page, { email: newEmail() }, headers as never);
      expect([status, answered.getSetCookie()], JSON.stringify(headers)).toEqual([403, []]);
    }
  });

  it.each(["/unsubscribe?token=x", "/api/secret-scanning"])(
    "%s is refused, though programs may post there without an Origin, and is no failure of ours",
    async (path) => {
      const foreign: Record<string, string>[] = [
        { origin: "https://evil.example" },
        { origin: "null" },
        { origin: server.url, "sec-fetch-site": "cross-site" },
        { "sec-fetch-site": "cross-site" },
      ];
      for (const headers of foreign) {
        const { status, html } = await visitor().post(path, {}, headers);
        expect([status, html]).toEqual([403, expect.stringContaining("Requests from other sites are refused.")]);
      }
      const { html } = await visitor().post(path, {}, {});
      expect(html).not.toContain("Requests from other sites");
      expect(await failuresToldOf()).toEqual([]);
    },
  );

  it("logging out has the browser empty what it kept for the person", async () => {
    const { who } = await member();
    const left = await who.post("/logout", {});
    expect([left.location, left.headers.get("clear-site-data")]).toEqual(["/login?done=logged-out", '"storage"']);
  });

  it("logging out again, where the session is gone, leads to the same place and empties as much", async () => {
    const { who } = await member();
    const session = who.cookies.get("aisle")!;
    const leave = async (fields = {}) => {
      const { status, location, headers } = await who.post("/logout", fields);
      return [status, location, headers.get("clear-site-data")];
    };
    const left = [302, "/login?done=logged-out", '"storage"'];
    expect(await leave()).toEqual(left);
    expect(await leave()).toEqual(left);
    expect(await leave({ invitation: "some-token" })).toEqual([302, "/invitation?token=some-token", '"storage"']);
    // As where it was ended from another browser.
    who.cookies.set("aisle", session);
    expect(await leave()).toEqual(left);
  });

  it("TRACE gives nothing back, least of all the cookie", async () => {
    for (const path of ["/", "/login", "/healthz", "/api/mcp"]) {
      for (const origin of [undefined, server.url]) {
        const { status, text } = await new Promise<{ status: number; text: string }>((resolve) => {
          const headers = { cookie: "aisle=a-secret", ...(origin && { origin }) };
          httpRequest(new URL(path, server.url), { method: "TRACE", headers }, async (res) => {
            resolve({ status: res.statusCode!, text: (await res.toArray()).join("") });
          }).end();
        });
        expect(status, path).toBeGreaterThanOrEqual(400);
        expect(text).not.toContain("a-secret");
      }
    }
  });

  it("and no link logs out", async () => {
    const { who } = await member();
    expect((await who.get("/logout")).status).toBe(405);
    expect(await isLoggedIn(who)).toBe(true);
  });
});

describe("a part of a page, asked for as pages of ours never do", () => {
  it.each(["/?_data=root", "/login?to=%2F&%5Fdata=routes/login", "/nowhere?_data", "/llms.txt?_data=x"])(
    "%s is refused, and is no failure of ours",
    async (path) => {
      expect((await visitor().get(path)).status).toBe(404);
      expect((await visitor().post(path, {})).status).toBe(404);
      expect(await failuresToldOf()).toEqual([]);
    },
  );
});

describe("where a log-in leads", () => {
  it("leads to the page that asked for it", async () => {
    const { who, email } = await member();
    await who.post("/logout", {});
    const asked = await who.get("/account/sessions?dialog=everywhere");
    expect(asked.location).toBe(`/login?to=${encodeURIComponent("/account/sessions?dialog=everywhere")}`);
    expect((await logIn(who, email, PASSWORD, asked.location)).location).toBe("/account/sessions?dialog=everywhere");
    expect((await who.get(asked.location!)).location).toBe("/account/sessions?dialog=everywhere");
    expect((await who.get("/signup")).location).toBe("/console");
  });

  it.each([
    "https://evil.example/",
    "//evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "/\t/evil.example",
    "/%0d%0aSet-Cookie:x=y\r\nSet-Cookie: x=y",
    "javascript:alert(1)",
    "http:evil.example",
    "/\u2215evil.example",
    "/ /evil.example",
    "/\u0000/evil.example",
    " //evil.example",
    "/\r\n/evil.example",
    "@evil.example",
    ".evil.example",
    "\\/evil.example",
    "/x/../\\evil.example",
    "/.\\/evil.example",
    "/x/..//evil.example",
    "/.//evil.example",
    "/.%2e//evil.example",
    "console",
    "",
  ])("never elsewhere: %j", async (to) => {
    const { who, email } = await member();
    const path = `/login?to=${encodeURIComponent(to)}`;
    expect((await who.get(path)).location).toBe("/console");
    await who.post("/logout", {});
    const led = await logIn(who, email, PASSWORD, path);
    expect(led).toMatchObject({ status: 302, location: "/console" });
    expect(led.headers.getSetCookie().map((header) => header.split("=")[0])).toEqual(["aisle", "aisle-device"]);
  });
});

describe("a file asked for without a session", () => {
  it.each([
    ["/account/data.json", "/account"],
    ["/console/usage.csv?range=7d&by=tool", "/console/usage?range=7d&by=tool"],
    ["/console/directory-pack", "/console"],
    ["/admin/usage.csv?consumer=demo&range=7d&by=tool", "/admin/usage?consumer=demo&range=7d&by=tool"],
    ["/admin/audit.csv?action=settings", "/admin/audit?action=settings"],
    ["/admin/consumers/demo/directory-pack", "/admin/consumers/demo"],
    ["/merchant/catalogue/x/loads/y/bad-rows", "/merchant/catalogue/x/loads/y"],
  ])("leads over the log-in to the page that offers it: %s", async (file, page) => {
    expect((await visitor().get(file)).location).toBe(`/login?to=${encodeURIComponent(page)}`);
  });
});

it("a file that is refused says why in words, since it is no page: it is another account's than the page showed", async () => {
  const { who } = await member();
  const refused = await who.get(`/account/data.json?accountId=${randomUUID()}`);
  expect([refused.status, refused.headers.get("content-type")]).toEqual([409, "text/plain; charset=utf-8"]);
  expect(refused.html).toMatch(/^Nothing was done[^{}]*\.\n$/);
});

describe("other ways to be sent on", () => {
  const evil = [
    "//evil.example",
    "/\\evil.example",
    "https://evil.example/",
    "javascript:alert(1)",
    "\t//evil.example",
    "/x/../\\evil.example",
    "/x/..//evil.example",
    "/%2e%2E//evil.example",
  ];

  it.each(evil)("a form's redirectTo leads to %j no more than a log-in does", async (redirectTo) => {
    const { who } = await member();
    expect((await who.post("/theme", { theme: "dark", redirectTo })).location).toBe("/");
    const switched = await who.post("/console/switch", { consumerId: "x", redirectTo });
    expect(switched.location ?? "/").toMatch(/^\/(?![/\\])/);
  });

  it("an address that looks like another site's leads nowhere else", async () => {
    const { who } = await member();
    for (const path of ["/evil.example", "/%2f%2fevil.example", "/login/..//evil.example", "/%5cevil.example/%2e%2e"]) {
      for (const each of [who, visitor()]) {
        const { status, location } = await each.get(`${server.url}/${path}`);
        expect([status, location ?? "/"], path).toEqual([expect.any(Number), expect.stringMatching(/^\/(?![/\\])/)]);
      }
    }
  });
});

describe("a session that somebody else chose", () => {
  it("is not the one that a log-in opens, nor worth anything afterwards", async () => {
    const { email } = await member();
    const chosen = randomBytes(32).toString("base64url");
    const who = visitor();
    who.cookies.set("aisle", chosen);
    await logIn(who, email);
    expect(await isLoggedIn(who)).toBe(true);
    expect(who.cookies.get("aisle")).not.toBe(chosen);
    const attacker = visitor();
    attacker.cookies.set("aisle", chosen);
    expect(await isLoggedIn(attacker)).toBe(false);
  });

  it("is another after the password was changed, and the old one is none", async () => {
    const { who } = await member();
    const before = who.cookies.get("aisle")!;
    await who.post("/account/password", { currentPassword: PASSWORD, newPassword: "nine green umbrellas" });
    expect(await isLoggedIn(who)).toBe(true);
    const stale = visitor();
    stale.cookies.set("aisle", before);
    expect(await isLoggedIn(stale)).toBe(false);
  });
});

describe("links in mails", () => {
  it("begin with BASE_URL, whatever Host the request that caused them named", async () => {
    const { email } = await member();
    const { port } = new URL(server.url);
    for (const [i, host] of ["127.0.0.2", "[::1]:1", "10.9.8.7:99", `localhost:${port}`].entries()) {
      const body = new URLSearchParams({ email }).toString();
      const headers = {
        host,
        origin: `http://${host}`,
        "content-type": "application/x-www-form-urlencoded",
        "content-length": String(body.length),
        "x-forwarded-for": `10.1.1.${i}`,
        "x-forwarded-host": "evil.example",
        "x-forwarded-proto": "https",
        forwarded: "host=evil.example",
      };
      const status = await new Promise((resolve, reject) => {
        const asked = httpRequest(new URL("/forgot", server.url), { method: "POST", headers }, (res) => {
          res.resume().once("end", () => resolve(res.statusCode));
        });
        asked.once("error", reject).end(body);
      });
      expect(status, host).toBeLessThan(i < 3 ? 400 : 500); // the fourth is one too many
    }
    const mails = await smtp.arrived(email, 3);
    for (const { text, html } of mails) {
      const said = `${text}${html}`;
      expect(said).toContain(`${server.url}/reset?token=`);
      expect(said.match(/https?:\/\/[^/\s"<]+/g)!.every((origin) => origin === server.url)).toBe(true);
    }
  });
});

describe("cookies", () => {
  it("are HttpOnly, SameSite=Lax, for the whole site, and last 30 days at most", async () => {
    const who = visitor();
    const email = newEmail();
    const { headers } = await who.post("/signup", { name: "Ada Byrne", email, password: PASSWORD });
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(/^aisle-sign-up=[\w-]{43}; HttpOnly; Max-Age=86400; Path=\/; SameSite=Lax$/),
    ]);
    const { email: known } = await member();
    const entered = await logIn(visitor(), known);
    expect(entered.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^aisle=[\w-]{43}; HttpOnly; Max-Age=2592000; Path=\/; SameSite=Lax$/),
      expect.stringMatching(/^aisle-device=[\w-]{43}; HttpOnly; Max-Age=7776000; Path=\/; SameSite=Lax$/),
    ]);
  });

  it("are new at each log-in, whatever the browser had", async () => {
    const { who, email } = await member();
    const before = who.cookies.get("aisle")!;
    await logIn(who, email);
    expect(who.cookies.get("aisle")).not.toBe(before);
    const stale = visitor();
    stale.cookies.set("aisle", before);
    expect(await isLoggedIn(stale)).toBe(false);
  });
});

describe("under https", () => {
  const origin = "https://aisle.example";
  let secure: TestServer;
  let url: string;
  beforeAll(async () => {
    const port = String(await freePort());
    url = `http://127.0.0.1:${port}`;
    secure = await startServer(database.url, { ...mailingTo(smtp), BASE_URL: origin, PORT: port });
  });
  afterAll(() => secure?.stop());

  it("cookies are __Host- and Secure, and a plain one of the same name is nothing", async () => {
    const { email } = await member();
    const who = newVisitor(url, { origin });
    const { headers } = await who.post("/login", { email, password: PASSWORD });
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-aisle=[\w-]{43}; HttpOnly; Max-Age=2592000; Path=\/; SameSite=Lax; Secure$/),
      expect.stringMatching(
        /^__Host-aisle-device=[\w-]{43}; HttpOnly; Max-Age=7776000; Path=\/; SameSite=Lax; Secure$/,
      ),
    ]);
    expect((await who.get("/account")).status).toBe(200);
    const token = who.cookies.get("__Host-aisle")!;
    who.cookies.clear();
    who.cookies.set("aisle", token);
    expect((await who.get("/account")).status).toBe(302);
  });

  it("browsers are told to stay with it", async () => {
    for (const page of pages) {
      const { headers } = await newVisitor(url, { origin }).get(page);
      expect(headers.get("strict-transport-security")).toMatch(/^max-age=\d{8}; includeSubDomains$/);
    }
  });

  it("every answer says so, and that it is no page to be framed or guessed at: the API's and refusals too", async () => {
    const origin = { origin: "https://elsewhere.example" };
    const answers = [
      ...["/api/mcp", "/healthz", "/favicon.svg", "/api/trpc/nothing", "/missing"].map((path) =>
        fetch(`${url}${path}`),
      ),
      fetch(`${url}/api/mcp`, { method: "POST", body: "{}" }),
      fetch(`${url}/login`, { method: "POST", body: "x", headers: origin }),
    ];
    for (const { url: asked, headers } of await Promise.all(answers)) {
      expect(headers.get("strict-transport-security"), asked).toMatch(/^max-age=\d{8}; includeSubDomains$/);
      expect(headers.get("x-content-type-options"), asked).toBe("nosniff");
      expect(headers.get("content-security-policy"), asked).toMatch(/^default-src 'none'.*frame-ancestors 'none'/);
    }
  });

  it.each([
    ["what is not HTTP", "hello\r\n\r\n", 400],
    ["headers that are too large", `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${"a".repeat(20_000)}\r\n\r\n`, 431],
    ["CONNECT", "CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n", 405],
    ["a method of its own", "FETCH /api/mcp HTTP/1.1\r\nHost: localhost\r\n\r\n", 405],
    ["an Expect of its own", "GET / HTTP/1.1\r\nHost: localhost\r\nExpect: 200-ok\r\n\r\n", 417],
    ["a Host that is malformed", "GET / HTTP/1.1\r\nHost: a@b\r\n\r\n", 400],
  ])("a refusal that no route gives says so too: %s", async (_what, sent, status) => {
    const { answers } = await exchange(url, sent);
    expect(answers[0]).toMatchObject({ status });
    expect(answers[0]!.headers["strict-transport-security"]).toMatch(/^max-age=\d{8}; includeSubDomains$/);
  });

  it("is served by the name of BASE_URL, and by no other", async () => {
    for (const [host, status] of [
      ["AISLE.example", 200],
      ["www.aisle.example", 421],
    ] as const) {
      const { answers } = await exchange(url, `GET /healthz HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
      expect(answers[0], host).toMatchObject({ status });
      expect(answers[0]!.headers["strict-transport-security"], host).toMatch(/^max-age=/);
    }
  });

  it("whatever Host the proxy names: forms are taken, and pages name ours", async () => {
    const { email } = await member();
    for (const host of [undefined, "elsewhere.example", new URL(url).host]) {
      const who = newVisitor(url, { origin });
      const headers = { origin, ...(host ? { "x-forwarded-host": host } : {}) };
      const entered = await who.post("/login", { email, password: PASSWORD }, headers);
      expect([entered.status, entered.location], host).toEqual([302, "/console"]);
    }
    const { html } = await newVisitor(url, { origin }).get("/");
    expect(html).toContain(`${origin}/api/mcp`);
    expect(html).not.toContain(new URL(url).host);
  });

  it("who comes from another site, or from none that has a name, is shown pages as anybody is", async () => {
    for (const from of ["https://evil.example", "null", "no address"]) {
      const page = await fetch(`${url}/`, { headers: { origin: from } });
      expect(page.status, from).toBe(200);
      const html = await page.text();
      expect(html).toContain(`${origin}/api/mcp`);
      expect(html).not.toContain("evil.example");
    }
  });

  it("a form of the same host under http is another site's", async () => {
    const { status } = await newVisitor(url, { origin: "http://aisle.example" }).post("/login", {});
    expect(status).toBe(403);
  });
});

describe("the body of a request", () => {
  const send = (path: string, body: BodyInit, headers: Record<string, string> = {}) =>
    fetch(new URL(path, server.url), {
      method: "POST",
      headers: {
        origin: server.url,
        "content-type": "application/x-www-form-urlencoded",
        connection: "close",
        ...headers,
      },
      body,
      redirect: "manual",
      ...({ duplex: "half" } as object),
    });

  it("may have 256 KiB, on every page and for /api/trpc", async () => {
    const json = { "content-type": "application/json" };
    const paths: [string, Record<string, string>?][] = [
      ["/login"],
      ["/console/keys"],
      ["/console/keys.data"],
      ["/nowhere"],
      ["/merchant/catalogue/x"],
      ["/merchant/catalogue/x.data"],
      ["/merchant/catalogue/x/loads/y", { "content-type": "multipart/form-data; boundary=b" }],
      ["/api/trpc/account.logIn", json],
    ];
    for (const [path, headers] of paths) {
      expect((await send(path, "a".repeat(262_144), headers)).status, path).not.toBe(413);
      const refused = await send(path, "a".repeat(10_000_000), headers);
      expect(refused.status, path).toBe(413);
      expect(refused.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  it("that is too large is refused in words to a browser without scripts, and as data to all others", async () => {
    const asks = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
    const [inWords, asData, ofApi] = [
      await send("/login", "a".repeat(262_145), asks),
      await send("/login.data", "a".repeat(262_145)),
      await send("/api/trpc/account.logIn", "a".repeat(262_145), { ...asks, "content-type": "application/json" }),
    ];
    expect([inWords.status, inWords.headers.get("content-type")]).toEqual([413, "text/plain; charset=utf-8"]);
    expect(await inWords.text()).toBe(
      `The body may be at most 262144 bytes. Shorten what you typed. (${inWords.headers.get("x-request-id")})`,
    );
    for (const answer of [asData, ofApi]) expect((await answer.json()).error.code).toBe(413);
  });

  it("says how long it is", async () => {
    expect((await send("/login", new Blob(["email=x"]).stream())).status).toBe(411);
  });
});

describe("the log", () => {
  it("says nothing of pages that are not there", async () => {
    for (const path of ["/nowhere", "/console/nowhere", "/nowhere.data", "/wp-login.php"]) {
      expect((await visitor().get(path)).status, path).toBe(404);
    }
    expect((await visitor().post("/nowhere", {})).status).toBe(404);
    expect(await logOf(server)).not.toMatch(/nowhere|wp-login|^\s+at /m);
  });
});

describe("/dev/mail", () => {
  const other = testDatabase();
  const local = testServer(other, { NODE_ENV: "", TRUST_PROXY: "1" });
  const tunnelled = testServer(other, { NODE_ENV: "", ALLOWED_HOSTS: "aisle.tunnel.example" });

  it("is not there in production, nor where mail is really sent", async () => {
    expect((await visitor().get("/dev/mail")).status).toBe(404);
  });

  it("is not there under a public name, where a proxy makes everybody come from this machine", async () => {
    const port = await freePort();
    const named = await startServer(other.url, { NODE_ENV: "", PORT: `${port}`, BASE_URL: "https://aisle.example" });
    const { status } = await newVisitor(`http://127.0.0.1:${port}`)
      .get("/dev/mail")
      .finally(() => named.stop());
    expect(status).toBe(404);
  });

  it.each([
    ["under another name that we are reached by", { host: "aisle.tunnel.example" }],
    ["through a tunnel that calls us by this machine's name", { "x-forwarded-host": "aisle.tunnel.example" }],
    ["through a proxy that calls us so", { forwarded: "for=192.0.2.1" }],
    ["through a proxy for TLS", { "x-forwarded-proto": "https" }],
  ])("is not there %s", async (_, headers) => {
    const status = (more: Record<string, string>) =>
      new Promise<number | undefined>((resolve, reject) =>
        get(`${tunnelled.url}/dev/mail`, { headers: more }, (answer) => resolve(answer.resume().statusCode)).once(
          "error",
          reject,
        ),
      );
    expect([await status({}), await status(headers)]).toEqual([200, 404]);
  });

  it("shows what was sent where there is no mail server, with links that work", async () => {
    const who = newVisitor(local.url);
    expect((await who.get("/dev/mail")).words).toContain("No emails yet");
    const email = newEmail();
    const { html } = await who.post("/signup", { name: "Ada Byrne", email, password: PASSWORD });
    expect(html).toContain('href="/dev/mail"');
    const link = await until(
      async () => /href="(\/verify\?token=[\w-]+)"/.exec((await who.get("/dev/mail")).html)?.[1],
    );
    expect((await who.get("/dev/mail")).words).toContain(`To ${email}`);
    expect((await who.post(link, {})).location).toBe("/login?done=verified");
  });
});

/** Asks until there is an answer; the test's own limit ends it. */
async function until<T>(ask: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
