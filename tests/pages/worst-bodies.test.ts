// The worst that anybody may send, without an account, within a body's and a header's length: refused by name, in a few words,
// and nobody waits for it. What takes quadratic time of such a text would never come to an answer here.
import { describe, expect, it } from "vitest";
import { callTool, makeCaller, rpc } from "../support/clients";
import { testDatabase } from "../support/database";
import { testServer } from "../support/server";

const database = testDatabase();
const server = testServer(database);

/** Marks that belong in another order (UAX #15), and names of a domain in which each letter is another one (RFC 3492). */
const marks = (times: number) => `a${"\u0301".repeat(times)}${"\u0323".repeat(times)}`;
const letters = (times: number) => String.fromCodePoint(...Array.from({ length: times }, (_, n) => 0x4e00 + n));
const worstName = marks(60_000);
const worstAddress = `a@${letters(20_000).repeat(4)}.example`;
const password = "a quiet river in May";
const email = "ada@lovelace.example";

const told = "Use at most 254 characters.";
const faults: [what: string, procedure: string, page: string, input: Record<string, string>, fields: object][] = [
  [
    "a name",
    "account.signUp",
    "/signup",
    { name: worstName, email, password },
    { name: "Use at most 200 characters." },
  ],
  [
    "a new password",
    "account.signUp",
    "/signup",
    { name: "Ada", email, password: worstName },
    { password: "Use at most 256 characters." },
  ],
  ["an address", "account.signUp", "/signup", { name: "Ada", email: worstAddress, password }, { email: told }],
  ["an address", "account.logIn", "/login", { email: worstAddress, password }, { email: told }],
  ["an address", "account.requestReset", "/forgot", { email: worstAddress }, { email: told }],
  ["an address", "account.resendVerification", "/resend", { email: worstAddress }, { email: told }],
];

const post = (path: string, type: string, body: string) =>
  fetch(`${server.url}${path}`, { method: "POST", headers: { origin: server.url, "content-type": type }, body });

describe("much too long a text", () => {
  it.each(faults)("is refused by name: %s to %s", async (_what, procedure, _page, input, fields) => {
    const reply = await post(`/api/trpc/${procedure}`, "application/json", JSON.stringify(input));
    expect(reply.status).toBe(400);
    const { error } = await reply.json();
    expect(error.data).toMatchObject({ code: "invalid_input", fields });
  });

  // What a form has room for is less: its letters are escaped.
  it.each(faults)("is refused by name: %s to %s, by the form of %s", async (_what, _procedure, page, input, fields) => {
    const shorter = Object.entries(input).map(([name, text]) => [
      name,
      text === worstName ? marks(20_000) : text === worstAddress ? `a@${letters(20_000)}.example` : text,
    ]);
    const reply = await post(page, "application/x-www-form-urlencoded", String(new URLSearchParams(shorter)));
    expect(reply.status).toBe(400);
    for (const message of Object.values(fields)) expect(await reply.text()).toContain(message);
  });
});

describe("far too many of something", () => {
  it("in a form of 60,000 names is the form without them", async () => {
    const names = Array.from({ length: 60_000 }, (_, n) => n.toString(36).padStart(3, "_"));
    const reply = await post("/login", "application/x-www-form-urlencoded", names.join("&"));
    expect(reply.status).toBe(400);
    expect(await reply.text()).toContain("Enter an email address.");
  });

  it("in a procedure's input is told of in a few words", async () => {
    const unseen = JSON.stringify({ email, password, more: Array(40_000).fill("\u202a") });
    const unknown = Array.from({ length: 20_000 }, (_, n) => [`x${n}`, 1]);
    for (const body of [unseen, JSON.stringify({ email, password, ...Object.fromEntries(unknown) })]) {
      const reply = await post("/api/trpc/account.logIn", "application/json", body);
      expect(reply.status).toBe(400);
      const text = await reply.text();
      expect(JSON.parse(text).error.data.code).toBe("invalid_input");
      expect(text.length).toBeLessThan(10_000);
    }
  });

  it.each<[what: string, args: object]>([
    ["values that are none", { filters: { availability: Array(80_000).fill("") } }],
    ["values that are some", { filters: { condition: Array(40_000).fill("new") } }],
    ["arguments that it does not have", Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`x${n}`, 1]))],
    ["letters of an argument's name that need escaping", { ['"\\'.repeat(50_000)]: 1 }],
  ])("in a call of a tool is told of in a few words: %s", async (_, args) => {
    const { key } = await makeCaller(database);
    const { json, text } = await callTool(server.url, key, "search_products", { query: "tent", ...args });
    expect(JSON.parse(json.result.content[0].text).code).toBe("invalid_arguments");
    expect(text.length).toBeLessThan(20_000);
  });

  it("in the paths of a page's links is refused", async () => {
    const ask = (path: string) => fetch(`${server.url}/__manifest?version=x&p=${path}`);
    expect((await ask("/console/keys&p=/login")).status).toBe(204);
    expect((await ask("/a".repeat(3_000))).status).toBe(400);
    expect((await ask(Array.from({ length: 400 }, (_, n) => `/x${n}/y`).join("&p="))).status).toBe(400);
  });

  it("in an Accept header is no type that we send", async () => {
    const { key } = await makeCaller(database);
    const accept = '"\\'.repeat(7_000);
    expect((await rpc(server.url, key, "ping", undefined, { headers: { accept } })).status).toBe(406);
  });
});
