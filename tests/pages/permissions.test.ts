// Who may open and do what: every route's own loader, and every intent of every action, against every kind of visitor.
// A route without a row fails the test. Each loader is asked alone, as a browser may: the frame's gate does not count.
import { existsSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { testDatabase } from "../support/database";
import { makeConsumer, makeStore } from "../support/factories";
import { makePerson, type Role, roles } from "../support/roles";
import { testServer } from "../support/server";

const database = testDatabase();
const server = testServer(database);

/** What a visitor meets: `→ /path` is another page that they are sent to; `served` is any answer of the page itself. */
type Outcome = "served" | "login" | "forbidden" | "not found" | `→ /${string}`;
type Outcomes = Record<Role, Outcome>;

const all = (outcome: Outcome) => Object.fromEntries(roles.map((role) => [role, outcome])) as Outcomes;
const everybody = all("served");
const signedIn: Outcomes = { ...everybody, nobody: "login" };
/** Of the consumer that they look at; another tenant's owner of their own. */
const member: Outcomes = {
  ...signedIn,
  newcomer: "not found",
  "expired reviewer": "not found",
  operator: "not found",
  merchant: "not found",
};
const owner: Outcomes = { ...member, developer: "forbidden", reviewer: "forbidden" };
const only = (role: Role): Outcomes => ({ ...all("forbidden"), nobody: "login", [role]: "served" });
/** A page for who is not logged in: others are where they begin. */
const guests: Outcomes = { ...all("→ /console"), nobody: "served" };
/** The frame of the console sends people without a platform to where they begin. */
const consoleFrame: Outcomes = {
  ...member,
  newcomer: "→ /apply",
  "expired reviewer": "→ /apply",
  operator: "→ /admin",
  merchant: "→ /merchant",
};

interface Row {
  /** For the parameters of its path. */
  params?: Record<string, string> | ((of: Fixture) => Record<string, string>);
  /** Left out where there is nothing to open: forms are posted there, and GET is sent on or refused for everybody. */
  loader?: Outcomes;
  /** By intent: who may, and the fields beside it that take a visitor past what is checked before the gate. */
  actions?: Record<string, Outcomes | [outcomes: Outcomes, fields: Record<string, string>]>;
}

/** What the visitors' roles are in, or is another's. */
interface Fixture {
  consumer: Awaited<ReturnType<typeof makeConsumer>>;
  store: Awaited<ReturnType<typeof makeStore>>;
}

/** By the route's id: its file, without the ending. An action without intents has one row, named "". */
const table: Record<string, Row> = {
  root: { loader: everybody },
  "routes/_index": { loader: everybody },
  "routes/terms": { loader: everybody },
  "routes/theme": { actions: { "": everybody } },
  "routes/login": { loader: guests, actions: { "": everybody } },
  "routes/signup": { loader: guests, actions: { "": everybody } },
  "routes/resend": { loader: everybody, actions: { "": everybody } },
  "routes/forgot": { loader: everybody, actions: { "": everybody } },
  "routes/verify": { loader: everybody, actions: { "": everybody } },
  "routes/reset": { loader: everybody, actions: { "": everybody } },
  "routes/confirm-email": { loader: everybody, actions: { "": everybody } },
  "routes/logout": { actions: { "": signedIn } },
  "routes/dev.mail": { loader: all("not found") },
  "routes/apply": { loader: { ...signedIn, "another tenant's owner": "→ /console" }, actions: { "": signedIn } },

  "routes/account": { loader: signedIn },
  "routes/account._index": {
    loader: signedIn,
    actions: { name: [signedIn, { about: "name" }], email: [signedIn, { about: "email" }] },
  },
  "routes/account.password": { loader: signedIn, actions: { "": signedIn } },
  "routes/account.sessions": {
    loader: signedIn,
    actions: { one: [signedIn, { about: "one" }], everywhere: [signedIn, { about: "everywhere" }] },
  },
  "routes/account.delete": { loader: signedIn, actions: { "": signedIn } },

  "routes/console": { loader: consoleFrame },
  "routes/console._index": { loader: member, actions: { "accept-terms": owner, "request-production": owner } },
  "routes/console.application": { loader: member, actions: { "": owner } },
  "routes/console.coverage": { loader: member },
  "routes/console.keys": { loader: member, actions: { issue: owner, rotate: owner, revoke: owner } },
  "routes/console.switch": { actions: { "": signedIn } },

  "routes/admin": { loader: only("operator") },
  "routes/merchant": { loader: only("merchant") },
};

/** These have sweeps of their own: tests/trpc/permissions.test.ts, tests/mcp. */
const elsewhere = ["routes/api.mcp", "routes/api.mcp.p.$slug", "routes/api.trpc.$"];

interface Route {
  id: string;
  parentId?: string;
  path?: string;
  index?: boolean;
  module: { loader?: unknown; action?: unknown };
}
let routes: Record<string, Route>;
beforeAll(async () => {
  // Built by the server under test, as it started.
  const build = new URL("../../build/server/index.js", import.meta.url);
  expect(existsSync(build)).toBe(true);
  routes = (await import(/* @vite-ignore */ build.href)).routes;
});

function pathOf(id: string, params: Record<string, string>): string {
  const parts: string[] = [];
  for (let route = routes[id]; route; route = routes[route.parentId ?? ""]) if (route.path) parts.unshift(route.path);
  return `/${parts.join("/").replace(/:(\w+)\??/g, (_, name: string) => encodeURIComponent(params[name] ?? "missing"))}`;
}

/** As a page's scripts ask: the answer is of this route alone. */
async function ask(
  id: string,
  cookie: string | undefined,
  params: Record<string, string>,
  form?: Record<string, string>,
) {
  const path = pathOf(id, params);
  const url = new URL(path === "/" ? "/_root.data" : `${path}.data`, server.url);
  if (form === undefined) url.searchParams.set("_routes", id);
  else if (routes[id]!.index) url.search = "?index";
  const headers = { origin: server.url, ...(cookie ? { cookie } : {}) };
  const post = { method: "POST", body: new URLSearchParams(form) };
  const reply = await fetch(url, { headers, redirect: "manual", ...(form === undefined ? {} : post) });
  const text = await reply.text();
  expect(reply.status, `${id}: ${text}`).toBeLessThan(500);
  return { status: reply.status, location: reply.headers.get("location") };
}

function outcomeOf({ status, location }: { status: number; location: string | null }, isForm: boolean): Outcome {
  if (location === "/login" || location?.startsWith("/login?to=")) return "login";
  // A form that was taken often leads on.
  if (location !== null && !isForm) return `→ ${new URL(location, server.url).pathname as `/${string}`}`;
  if (status === 403) return "forbidden";
  return status === 404 ? "not found" : "served";
}

async function sweep(id: string, { params = {} }: Row, form?: Record<string, string>): Promise<Partial<Outcomes>> {
  const seen: Partial<Outcomes> = {};
  for (const role of roles) {
    const of: Fixture = { consumer: await makeConsumer(database), store: await makeStore(database) };
    const { cookie } = await makePerson(database, role, of.consumer.id);
    const reply = await ask(id, cookie, typeof params === "function" ? params(of) : params, form);
    seen[role] = outcomeOf(reply, form !== undefined);
  }
  return seen;
}

describe("every route", () => {
  it("has a row, with loader and actions as it has them; every row has a route", () => {
    const has = Object.values(routes)
      .filter(({ id, module }) => (module.loader || module.action) && !elsewhere.includes(id))
      .map(({ id, module }) => [id, Boolean(module.action)]);
    const rows = Object.entries(table).map(([id, { actions }]) => [id, actions !== undefined]);
    expect(rows.toSorted()).toEqual(has.toSorted());
  });

  const opened = Object.entries(table).filter(([, row]) => row.loader);
  it.each(opened)("%s is opened by whom it should, and nobody else", async (id, row) => {
    expect(await sweep(id, row)).toEqual(row.loader);
  });

  const acts = Object.entries(table).flatMap(([id, row]) =>
    Object.entries(row.actions ?? {}).map(([intent, who]) => [id, intent, row, who] as const),
  );
  it.each(acts)("%s %s is done by whom it should, and nobody else", async (id, intent, row, who) => {
    const [outcomes, fields] = Array.isArray(who) ? who : [who, {}];
    expect(await sweep(id, row, { ...(intent ? { intent } : {}), ...fields })).toEqual(outcomes);
  });
});
