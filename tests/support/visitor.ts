// A browser without scripts: keeps cookies, sends forms as pages of ours do, and follows nothing by itself.
import { randomInt } from "node:crypto";
import type { TestDatabase } from "./database";
import { makeAccountWithPassword, newEmail, PASSWORD } from "./people";
import { recordedAt, type TestServer } from "./server";
import type { SmtpServer } from "./smtp";

export interface Page {
  status: number;
  headers: Headers;
  html: string;
  /** What can be read, without markup. */
  words: string;
  /** Where it sends on to, without our own origin. */
  location: string | undefined;
}

export interface Visitor {
  get(path: string): Promise<Page>;
  /** @param headers instead of the Origin of our own pages */
  post(path: string, fields: Record<string, string> | FormData, headers?: Record<string, string>): Promise<Page>;
  /** By name, as they would be sent back. */
  cookies: Map<string, string>;
}

/**
 * A new profile, in a network of its own, so that none spends another's tries: the server needs TRUST_PROXY=1.
 * @param origin what the public calls the server
 */
export function newVisitor(url: string, { origin = url, userAgent = "Mozilla/5.0 Firefox/130.0" } = {}): Visitor {
  const cookies = new Map<string, string>();
  const network = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`;

  async function ask(path: string, init: RequestInit): Promise<Page> {
    const headers = new Headers(init.headers);
    headers.set("user-agent", userAgent);
    headers.set("x-forwarded-for", network);
    if (cookies.size > 0) headers.set("cookie", [...cookies].map((pair) => pair.join("=")).join("; "));
    await recordedAt(url);
    const response = await fetch(new URL(path, url), { ...init, headers, redirect: "manual" });
    for (const header of response.headers.getSetCookie()) keep(header);
    const html = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      html,
      words: readable(html),
      location: response.headers.get("location")?.replace(origin, ""),
    };
  }

  function keep(header: string) {
    const [pair = "", ...attributes] = header.split("; ");
    const [name = "", value = ""] = pair.split("=", 2);
    if (attributes.includes("Max-Age=0")) cookies.delete(name);
    else cookies.set(name, value);
  }

  return {
    cookies,
    get: (path) => ask(path, {}),
    post: (path, fields, headers = { origin }) =>
      ask(path, { method: "POST", headers, body: fields instanceof FormData ? fields : new URLSearchParams(fields) }),
  };
}

/** The same, logged in. @param cookie `name=value`, as `signIn` gives it; nobody's where there is none */
export function visitorAs(url: string, cookie: string | undefined): Visitor {
  const visitor = newVisitor(url);
  const [name = "", value = ""] = cookie?.split("=", 2) ?? [];
  if (name) visitor.cookies.set(name, value);
  return visitor;
}

const entities: Record<string, string> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#x27;": "'",
  "&#39;": "'",
};

/** What can be read of it. */
export function readable(html: string): string {
  const visible = html.replace(/<(script|style|head)\b.*?<\/\1>/gs, "").replace(/<!--.*?-->/gs, "");
  const text = visible.replace(/<\/?(strong|span|a|em|code|wbr)\b[^>]*>/g, "").replace(/<[^>]+>/g, " ");
  return text
    .replace(/&[#\w]+;/g, (entity) => entities[entity] ?? entity)
    .replace(/\s+/g, " ")
    .trim();
}

/** What visitors do at the account's pages of a server on `database` whose mail goes to `smtp`. */
export function visitors(server: Pick<TestServer, "url">, smtp: SmtpServer, database: TestDatabase) {
  const visitor = (userAgent?: string) => newVisitor(server.url, { userAgent });
  const signUp = (who: Visitor, email: string) => who.post("/signup", { name: "Ada Byrne", email, password: PASSWORD });
  const logIn = (who: Visitor, email: string, password = PASSWORD, path = "/login") =>
    who.post(path, { email, password });

  /** Path and query of the link in the nth mail to an address. */
  async function linkIn(email: string, page: string, count = 1): Promise<string> {
    const mails = await smtp.arrived(email, count);
    const found = new RegExp(`https?://[^/\\s]+(${page}\\?token=[\\w-]+)`).exec(mails.at(-1)!.text ?? "");
    return found![1]!;
  }

  /** Somebody with a verified account, logged in. */
  async function member(email = newEmail()) {
    const who = visitor();
    await makeAccountWithPassword(database, { email, name: "Ada Byrne" });
    await logIn(who, email);
    return { who, email };
  }

  const isLoggedIn = async (who: Visitor) => (await who.get("/account")).status === 200;
  return { visitor, signUp, logIn, linkIn, member, isLoggedIn };
}

/** The environment of such a server; read when it starts, which is after the mail server did. */
export const mailingTo = (smtp: SmtpServer) => ({
  get SMTP_URL() {
    return smtp.url;
  },
  MAIL_FROM: "Aisle <no-reply@aisle.example>",
  TRUST_PROXY: "1",
});
