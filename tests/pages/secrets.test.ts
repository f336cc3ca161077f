// No secret stays where it does not belong: the flows that make and take secrets, as people and agents go through them,
// and then a look at everything that was written down or sent meanwhile.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { mint } from "../../server/services/key-format";
import { bytesOf, codeAt } from "../support/authenticator";
import { rpc, send, standardHeaders } from "../support/clients";
import { DEMO_TEMPLATE, testDatabase } from "../support/database";
import { makeMerchant, makeStore } from "../support/factories";
import { everythingStored, newEmail, storedByTable } from "../support/people";
import { signIn } from "../support/roles";
import { freePort, startServer, type TestServer } from "../support/server";
import { testSmtp } from "../support/smtp";
import { untilRecorded } from "../support/usage";
import { mailingTo, newVisitor, type Page, type Visitor, visitors } from "../support/visitor";

const database = testDatabase(DEMO_TEMPLATE);
const smtp = testSmtp();
const server = {} as TestServer;

/** What traces say, as it came. */
let traced = "";
const collector = createServer(async (req, res) => {
  for await (const chunk of req) traced += chunk;
  res.writeHead(200, { "content-type": "application/json" }).end("{}");
});
let metricsUrl = "";

/** By name, so that a failure says which. */
const secrets: Record<string, string> = {};
const emails: Record<string, string> = { first: newEmail(), second: newEmail(), broken: newEmail() };
/** Every answer of the site, with the path that was asked for. */
const answers: { path: string; page: Page; may: string[] }[] = [];
let stored = "";
let metrics = "";

const passwords = {
  "the first password": "moss and seventeen lanterns",
  "the reset password": "harbour wall in October",
  "the last password": "a kettle for three geese",
  "a wrong password": "not the password at all",
  "a password that failed": "this one meets a fault",
};
const KEY = /aisle_[0-9A-Za-z]{36}/;
const { linkIn } = visitors(server, smtp, database);

/** Notes every answer. `may`: the secrets that it is there to give. */
function watched(who: Visitor) {
  const noting =
    <Args extends unknown[]>(ask: (path: string, ...rest: Args) => Promise<Page>) =>
    async (path: string, ...rest: Args) => {
      const page = await ask(path, ...rest);
      answers.push({ path, page, may: [] });
      return page;
    };
  return { ...who, get: noting(who.get), post: noting(who.post) };
}
const visitor = () => watched(newVisitor(server.url));
/** The newest answer gives this secret, as it should. */
function given(name: string, value: string): string {
  secrets[name] = value;
  answers.at(-1)!.may.push(name);
  return value;
}
const cookieOf = (who: Visitor, name: string) => {
  secrets[name] = who.cookies.get("aisle")!;
};
const tokenIn = (link: string) => new URL(link, server.url).searchParams.get("token")!;

beforeAll(async () => {
  collector.listen(0, "127.0.0.1");
  await once(collector, "listening");
  const port = await freePort();
  metricsUrl = `http://127.0.0.1:${port}/metrics`;
  const env = {
    ...mailingTo(smtp),
    LOG_LEVEL: "trace",
    METRICS_PORT: String(port),
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
  };
  Object.assign(server, await startServer(database.url, env, { expected: /constraint \\"broken\\"/ }));
  Object.assign(secrets, passwords);
  secrets["the secret key"] = "test".repeat(8);

  await people();
  await keysAndCalls();
  await catalogue();
  await faults();

  await untilRecorded(database);
  metrics = await (await fetch(metricsUrl)).text();
  await server.stop(); // sends the last traces, and writes what it still had to
  stored = await everythingStored(database);
});
afterAll(async () => {
  await server.stop?.();
  collector.close();
  collector.closeAllConnections();
});

/** Sign-up, log-in, reset, other address, other password, an authenticator app. */
async function people() {
  const who = visitor();
  const { first, second } = emails as { first: string; second: string };
  await who.post("/signup", { name: "Ada Byrne", email: first, password: passwords["the first password"] });
  secrets["the sign-up's proof"] = who.cookies.get("aisle-sign-up")!;
  const link = await linkIn(first, "/verify");
  secrets["the verification token"] = tokenIn(link);
  await who.get(link);
  await who.post(link, {});
  await who.post("/login", { email: first, password: passwords["a wrong password"] });
  await who.post("/login", { email: first, password: passwords["the first password"] });
  cookieOf(who, "a session's token");
  secrets["the device's cookie"] = who.cookies.get("aisle-device")!;
  await who.post("/forgot", { email: first });
  const reset = await linkIn(first, "/reset", 2);
  secrets["the reset token"] = tokenIn(reset);
  await who.get(reset);
  await who.post(reset, { password: passwords["the reset password"] });
  cookieOf(who, "the next session's token");
  await who.post("/account/password", {
    currentPassword: passwords["the reset password"],
    newPassword: passwords["the last password"],
  });
  cookieOf(who, "the last session's token");
  await who.post("/account?index", {
    about: "email",
    email: second,
    currentPassword: passwords["the last password"],
  });
  const confirm = await linkIn(second, "/confirm-email");
  secrets["the new address's token"] = tokenIn(confirm);
  await who.post(confirm, {});

  const app = "/account/two-factor";
  await who.post(app, { about: "begin", currentPassword: passwords["the last password"] });
  const { words } = await who.get(app);
  const shown = given("the app's secret, as shown", /Setup key ((?:[A-Z2-7]{4} ){7}[A-Z2-7]{4})/.exec(words)![1]!);
  secrets["the app's secret"] = shown.replaceAll(" ", "");
  const enabled = await who.post(app, { about: "enable", code: codeAt(shown) });
  const codes = enabled.words.match(/\b[a-z2-7]{4}(-[a-z2-7]{4}){3}\b/g)!;
  for (const [i, code] of codes.entries()) given(`recovery code ${i + 1}`, code);
  cookieOf(who, "the session's token, with an app");
  const elsewhere = visitor();
  await elsewhere.post("/login", { email: second, password: passwords["the last password"] });
  secrets["the token of a log-in that waits"] = elsewhere.cookies.get("aisle-log-in")!;
  for (const code of ["aaaa-bbbb-cccc-dddd", codes[0]!]) await elsewhere.post("/login/code?with=recovery", { code });
  cookieOf(elsewhere, "a session's token by a recovery code");
  for (const page of [app, "/account", "/account/sessions", "/account/data.json", "/account/delete"])
    await who.get(page);
}

async function keysAndCalls() {
  const email = newEmail();
  emails.owner = email;
  const who = visitor();
  await who.post("/signup", { name: "Bo Quill", email, password: passwords["the first password"] });
  await who.post(await linkIn(email, "/verify"), {});
  await who.post("/login", { email, password: passwords["the first password"] });
  cookieOf(who, "the owner's session");
  await database.sql`update settings set approval_rule = 'automatic_all'`;
  const applied = await who.post("/apply", {
    productName: "Basket Pal",
    platform: "Web chat",
    shopperUse: "Shoppers ask, it answers.",
    expectedRequestsPerDay: "2000",
    company: "Pal Ltd",
    website: "https://www.basketpal.com/about",
    technicalContactEmail: email,
    acceptedTerms: "2026-09-26",
  });
  const key = given("the first key", KEY.exec(applied.html)![0]);
  const issued = await who.post("/console/keys", { intent: "issue", name: "Second", "scopes[]": "catalog:read" });
  const second = given("the second key", KEY.exec(issued.html)![0]);
  const [row] = await database.sql`select id from keys where name = 'Second'`;
  const rotated = await who.post("/console/keys", { intent: "rotate", id: row!.id, revokeOld: "on" });
  given("the rotated key", KEY.exec(rotated.html)![0]);

  const search = { name: "search_products", arguments: { query: "tent", limit: 1 } };
  expect((await rpc(server.url, key, "tools/call", search)).status).toBe(200);
  expect((await rpc(server.url, second, "tools/call", search)).status).toBe(401);
  const unknown = mint();
  secrets["an unknown key"] = unknown;
  for (const value of [unknown, `${key}x`, `Bearer ${key}`]) await rpc(server.url, value, "ping");
  await rpc(server.url, key, "tools/call", {
    name: "search_products",
    arguments: { query: `my key ${key}`, api_key: key },
  });
  await rpc(server.url, key, "ping", {}, { headers: { "user-agent": `agent/1.0 (${key})` } });
  await rpc(server.url, key, key, { password: passwords["a wrong password"] });
  await rpc(server.url, undefined, "ping", {}, { path: `/api/mcp?key=${key}` });
  await rpc(server.url, key, "ping", {}, { path: "/api/mcp/p/nowhere" });
  await send(server.url, { headers: standardHeaders(key), body: `{"broken ${key}` });
  await rpc(server.url, key, "tools/list", {
    cursor: key,
    _meta: {
      ...{ "x/session": "a shopper's session", "x/subject": key },
      "x/userLocation": { region: `r ${key}`, city: `c ${key}` },
    },
  });
  secrets["a shopper's session"] = "a shopper's session";
  for (const path of [`/nowhere/${key}`, `/docs/${key}`, `/api/trpc/${key}`, `/console/requests?key=${key}`]) {
    const page = await newVisitor(server.url).get(path);
    expect(page.status).toBeGreaterThanOrEqual(300);
  }
  const opened = await who.post("/console/doctor", {});
  const token = given("the doctor's token", /\/api\/mcp\/doctor\/([\w-]{32})/.exec(opened.html)![1]!);
  await rpc(server.url, key, "tools/list", {}, { path: `/api/mcp/doctor/${token}` });
  await rpc(server.url, unknown, "ping", {}, { path: `/api/mcp/doctor/${token}?key=${key}` });
  // With a slash too many the answer tells the right address.
  for (const path of [`/api/mcp/p/${key}/`, `/api/mcp/doctor/${token}/`])
    expect((await rpc(server.url, undefined, "ping", {}, { path })).text).toContain(path.slice(0, -1));
  const playground = await who.get("/console/playground");
  await who.post("/console/playground", {
    consumerId: /name="consumerId"[^>]*value="([^"]+)"/.exec(playground.html)![1]!,
    tool: "search_products",
    arguments: JSON.stringify({ query: `bearer ${key}` }),
  });
  answers.at(-1)!.may.push("the first key"); // what was typed is shown to who typed it
  await send(server.url, {
    path: "/api/secret-scanning",
    headers: { "content-type": "application/json", "github-public-key-identifier": "x" },
    body: JSON.stringify([{ token: key, type: "x", url: "", source: "content" }]),
  });
  const pages = [
    "/console",
    "/console/keys",
    "/console/requests",
    "/console/usage",
    "/console/doctor",
    "/console/docs",
  ];
  for (const page of [...pages, "/console/keys.data", "/console/requests.data"]) await who.get(page);
}

async function catalogue() {
  const store = await makeStore(database);
  const { accountId } = await makeMerchant(database, store.merchantId);
  const who = visitor();
  const cookie = await signIn(database, { id: accountId });
  who.cookies.set("aisle", cookie.split("=")[1]!);
  cookieOf(who, "the merchant's session");
  const path = `/merchant/catalogue/${store.id}`;
  secrets["the feed's password"] = "feedpassword77";
  secrets["the feed's token"] = "tok-5f2a9c7781";
  const set = (url: string) => who.post(path, { intent: "set-source", url });
  for (const url of [
    "https://merchant:feedpassword77@127.0.0.1:1/feed.tsv",
    "https:\\\\merchant:feedpassword77@127.0.0.1:1/feed.tsv",
    "https:merchant:feedpassword77@127.0.0.1:1/feed.tsv",
  ]) {
    const refused = await set(url);
    expect([refused.status, url]).toEqual([400, url]);
    answers.at(-1)!.may.push("the feed's password"); // the field keeps what was typed
  }
  // A token in the query is part of the address: kept for the merchant, told to nobody.
  expect((await set("https://feeds.invalid/feed.tsv?token=tok-5f2a9c7781")).status).toBe(302);
  const isFetched = async () => {
    const [row] = await database.sql`select last_error from feed_sources`;
    if (row!.last_error === null) throw new Error("not fetched yet");
  };
  await vi.waitFor(isFetched, { timeout: 60_000, interval: 100 });
  await who.get(path);
  answers.at(-1)!.may.push("the feed's token");
  const form = new FormData();
  form.set("file", new File(["id\ttitle\n1\tx\n"], "feed.tsv"));
  await who.post(path, form);
}

/** What goes wrong inside quotes rows and parameters. */
async function faults() {
  const who = visitor();
  const person = { name: "Faulty Person", password: passwords["a password that failed"] };
  await database.sql`alter table accounts add constraint broken check (name <> 'Faulty Person')`;
  expect((await who.post("/signup", { ...person, email: emails.broken! })).status).toBe(500);
  await database.sql`alter table accounts drop constraint broken`;
  await database.sql`alter table audit add constraint broken check (action <> 'account.sign_up') not valid`;
  expect((await who.post("/signup", { ...person, email: emails.broken! })).status).toBe(500);
  await database.sql`alter table audit drop constraint broken`;
  await database.sql`alter table keys add constraint broken check (name <> 'Broken') not valid`;
  const operator = database.as({ kind: "operator", accountId: null });
  const { issue } = await import("../../server/services/keys");
  const [consumer] = await database.sql`select id from consumers where name = 'Basket Pal'`;
  await expect(issue(operator, { consumerId: consumer!.id, name: "Broken" })).rejects.toThrow();
  await database.sql`alter table keys drop constraint broken`;
}

/** Which of them a text has, also as an address or JSON would write them. */
const within = (text: string, of: Record<string, string>, without: string[] = []) =>
  Object.entries(of)
    .filter(([name, value]) => {
      const forms = [
        value,
        encodeURIComponent(value),
        value.replaceAll(" ", "+"),
        Buffer.from(value).toString("base64"),
      ];
      return !without.includes(name) && forms.some((form) => text.includes(form));
    })
    .map(([name]) => name);

describe("no password, key, token or cookie", () => {
  it("was forgotten by this test: each was made and is known", () => {
    expect(Object.keys(secrets)).toHaveLength(37);
    for (const [name, value] of Object.entries(secrets)) expect(value, name).toMatch(/.{10,}/);
    expect(answers.length).toBeGreaterThan(35);
  });

  it("is in the log, also where requests failed inside", () => {
    expect(server.output()).toContain("internal error");
    expect(within(server.output(), secrets)).toEqual([]);
  });

  it("is in the database, but for the feed's address, which is fetched with it", () => {
    expect(stored.length).toBeGreaterThan(100_000);
    expect(within(stored, secrets, ["the feed's token"])).toEqual([]);
    const rows = stored.match(/tok-5f2a9c7781/g) ?? [];
    expect(rows).toHaveLength(1);
  });

  it("is in the database as the bytes that the app's secret stands for", async () => {
    const inHex = await everythingStored(database, "hex");
    expect(inHex).not.toContain(bytesOf(secrets["the app's secret"]!).toString("hex"));
  });

  it("is in traces or metrics", () => {
    expect(traced).toContain("aisle.request_id");
    expect(metrics).toContain("aisle_requests_total");
    expect(within(traced + metrics, secrets)).toEqual([]);
  });

  it("is in an address that an answer leads to, or in any header but the cookie that gives it", () => {
    for (const { path, page } of answers) {
      const headers = [...page.headers].filter(([name]) => name !== "set-cookie");
      expect(within(JSON.stringify(headers), secrets), path).toEqual([]);
    }
  });

  it("is in an answer that is not there to give it", () => {
    for (const { path, page, may } of answers) {
      // The page behind a link posts to its own address.
      const own = new URL(path, server.url).searchParams.get("token");
      const html = own ? page.html.replaceAll(own, "") : page.html;
      expect(within(html, secrets, may), path).toEqual([]);
    }
  });
});

describe("no email address", () => {
  it("is in the log, in traces or in metrics", () => {
    expect(within(server.output() + traced + metrics, emails)).toEqual([]);
  });

  it("is in an address that an answer leads to", () => {
    for (const { path, page } of answers) expect(within(page.location ?? "", emails), path).toEqual([]);
  });

  it("is in a table that is not for it", async () => {
    const having = [...(await storedByTable(database))].flatMap(([name, text]) =>
      within(text, emails).length > 0 ? [name] : [],
    );
    expect(having.toSorted()).toEqual(["account_tokens", "accounts", "applications", "outbox"]);
  });
});
