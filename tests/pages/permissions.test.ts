// Who may open and do what: every route's own loader, and every intent of every action, against every kind of visitor.
// A route without a row fails the test. Each loader is asked alone, as a browser may: the frame's gate does not count.
import { beforeAll, describe, expect, it } from "vitest";
import { newRequestId } from "../../server/context";
import { testDatabase } from "../support/database";
import { makeConsumer, makeStore } from "../support/factories";
import { type Cast, makePerson, type Role, roles, testCast } from "../support/roles";
import { builtRoutes, type Route } from "../support/routes";
import { testServer } from "../support/server";

const database = testDatabase();
const server = testServer(database);
const cast = testCast(database);

/** What a visitor meets: `→ /path` is another page that they are sent to; `served` is any answer of the page itself. */
type Outcome = "served" | "login" | "forbidden" | "not found" | `→ /${string}`;
type Outcomes = Record<Role, Outcome>;

const all = (outcome: Outcome) => Object.fromEntries(roles.map((role) => [role, outcome])) as Outcomes;
const everybody = all("served");
/** Whoever's address is not confirmed is nobody. */
const strangers = { nobody: "login", unverified: "login" } as const;
const signedIn: Outcomes = { ...everybody, ...strangers };
/** Of the consumer that they look at; another tenant's of their own. */
const member: Outcomes = {
  ...signedIn,
  newcomer: "not found",
  "expired reviewer": "not found",
  operator: "not found",
  merchant: "not found",
  "another merchant": "not found",
};
const owner: Outcomes = {
  ...member,
  developer: "forbidden",
  reviewer: "forbidden",
  "another tenant's developer": "forbidden",
  "another tenant's reviewer": "forbidden",
};
const only = (...who: Role[]): Outcomes => ({
  ...all("forbidden"),
  ...strangers,
  ...Object.fromEntries(who.map((role) => [role, "served"])),
});
const operator = only("operator");
const merchant = only("merchant", "another merchant");
/** A page about a store of the merchant's. */
const ownStore: Outcomes = { ...merchant, "another merchant": "not found" };
/** What is in none of their stores, whoever's the store is. */
const inNoStore: Outcomes = { ...merchant, merchant: "not found", "another merchant": "not found" };
/** What their own consumer does not have. */
const noneOfTheirs = {
  owner: "not found",
  developer: "not found",
  reviewer: "not found",
  "another tenant's owner": "not found",
  "another tenant's developer": "not found",
  "another tenant's reviewer": "not found",
} as const;
const UUID = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/;
const UNKNOWN = "01890000-0000-7000-8000-000000000000";
const ofConsumer = ({ consumer }: Fixture) => ({ slug: consumer.slug });
const ofStore = ({ store }: Fixture) => ({ slug: store.slug });
const ofMerchant = ({ store }: Fixture) => ({ id: store.merchantId, storeId: store.id, loadId: UNKNOWN });
/** A page that leads on whoever it serves, where nothing is asked of them. */
const sentOn = (outcomes: Outcomes, to: `/${string}`) =>
  Object.fromEntries(
    Object.entries(outcomes).map(([role, outcome]) => [role, outcome === "served" ? `→ ${to}` : outcome]),
  ) as Outcomes;
/** A page for who is not logged in: others are where they begin. */
const guests: Outcomes = { ...all("→ /console"), nobody: "served", unverified: "served" };
/** The frame of the console sends people without a platform to where they begin. */
const consoleFrame: Outcomes = {
  ...member,
  newcomer: "→ /apply",
  "expired reviewer": "→ /apply",
  operator: "→ /admin",
  merchant: "→ /merchant",
  "another merchant": "→ /merchant",
};

type Fields = Record<string, string> | ((of: Fixture) => Record<string, string>);

interface Row {
  /** For the parameters of its path. */
  params?: Fields;
  /** Left out where there is nothing to open: forms are posted there, and GET is sent on or refused for everybody. */
  loader?: Outcomes;
  /** By intent: who may, and the fields beside it that take a visitor past what is checked before the gate. */
  actions?: Record<string, Outcomes | [outcomes: Outcomes, fields: Fields]>;
}

/** What the visitors' roles are in, or is another's. */
type Fixture = Pick<Cast, "consumer" | "store">;

/** By the route's id: its file, without the ending. An action without intents has one row, named "". */
const table: Record<string, Row> = {
  root: { loader: everybody },
  "routes/_index": { loader: everybody },
  "routes/terms": { loader: everybody },
  "routes/theme": { actions: { "": everybody } },
  "routes/login": { loader: guests, actions: { "": everybody } },
  "routes/login_.code": { loader: all("→ /login"), actions: { "": everybody } },
  "routes/signup": { loader: guests, actions: { "": everybody } },
  "routes/resend": { loader: everybody, actions: { "": everybody } },
  "routes/forgot": { loader: everybody, actions: { "": everybody } },
  "routes/verify": { loader: everybody, actions: { "": everybody } },
  "routes/reset": { loader: everybody, actions: { "": everybody } },
  "routes/confirm-email": { loader: everybody, actions: { "": everybody } },
  "routes/logout": { actions: { "": everybody } },
  "routes/dev.mail": { loader: all("not found") },
  "routes/apply": { loader: { ...signedIn, "another tenant's owner": "→ /console" }, actions: { "": signedIn } },

  "routes/account": { loader: signedIn },
  "routes/account._index": {
    loader: signedIn,
    actions: Object.fromEntries(["name", "email", "withdraw"].map((about) => [about, [signedIn, { about }] as const])),
  },
  "routes/account.password": { loader: signedIn, actions: { "": signedIn } },
  "routes/account.two-factor": {
    loader: signedIn,
    actions: Object.fromEntries(
      ["begin", "enable", "renew", "disable"].map((about) => [about, [signedIn, { about }] as const]),
    ),
  },
  "routes/account.sessions": {
    loader: signedIn,
    actions: { one: [signedIn, { about: "one" }], everywhere: [signedIn, { about: "everywhere" }] },
  },
  "routes/account.access": {
    loader: signedIn,
    actions: { platform: [signedIn, { place: "platform" }], merchant: [signedIn, { place: "merchant" }] },
  },
  "routes/account.data[.]json": { loader: signedIn },
  "routes/account.delete": { loader: signedIn, actions: { "": signedIn } },

  "routes/console": { loader: consoleFrame },
  "routes/console._index": { loader: member, actions: { "accept-terms": owner, "request-production": owner } },
  "routes/console.application": { loader: member, actions: { "": owner } },
  "routes/console.coverage": { loader: member },
  "routes/console.keys": { loader: member, actions: { issue: owner, rotate: owner, revoke: owner } },
  "routes/console.members": { loader: member },
  "routes/console.switch": { loader: sentOn(member, "/console"), actions: { "": signedIn } },

  "routes/console.directory-pack": { loader: { ...member, ...noneOfTheirs } },
  "routes/console.docs._index": { loader: everybody },
  "routes/console.docs.$tool": { params: { tool: "search_products" }, loader: everybody },
  "routes/console.doctor": { loader: member, actions: { "": member } },
  "routes/console.playground": { loader: member, actions: { "": member } },
  "routes/console.requests._index": { loader: member },
  "routes/console.requests.$requestId": { params: { requestId: UNKNOWN }, loader: { ...member, ...noneOfTheirs } },
  "routes/console.usage": { loader: member },
  "routes/console.usage[.]csv": { loader: member },

  "routes/$": { params: { "*": "nowhere" }, loader: all("not found"), actions: { "": all("not found") } },
  "routes/admin.$": { params: { "*": "nowhere" }, loader: all("not found"), actions: { "": all("not found") } },
  "routes/console.$": { params: { "*": "nowhere" }, loader: all("not found"), actions: { "": all("not found") } },
  "routes/merchant.$": { params: { "*": "nowhere" }, loader: all("not found"), actions: { "": all("not found") } },
  "routes/docs._index": { loader: everybody },
  "routes/docs.$tool": { params: { tool: "search_products" }, loader: everybody },
  "routes/llms[.]txt": { loader: everybody },
  "routes/robots[.]txt": { loader: everybody },
  "routes/sitemap[.]xml": { loader: everybody },
  "routes/demo-images.$name": { params: { name: "missing.svg" }, loader: all("not found") },
  "routes/invitation": { loader: signedIn, actions: { "": signedIn } },
  // The link's token says who is meant; this one is nobody's.
  "routes/unsubscribe": { loader: all("not found"), actions: { "": all("not found") } },

  "routes/admin": { loader: operator },
  "routes/admin._index": { loader: operator },
  "routes/admin.review._index": { loader: all("→ /admin") },
  "routes/admin.review.$slug": {
    params: ofConsumer,
    loader: operator,
    actions: Object.fromEntries(
      ["approve-sandbox", "approve-production", "decline", "reject"].map((intent) => [intent, operator]),
    ),
  },
  "routes/admin.consumers._index": { loader: operator },
  "routes/admin.consumers.$slug": { params: ofConsumer, loader: operator },
  "routes/admin.consumers.$slug._index": {
    params: ofConsumer,
    loader: operator,
    actions: Object.fromEntries(
      ["access", "directory", "withdraw", "reject", "restore"].map((intent) => [intent, operator]),
    ),
  },
  "routes/admin.consumers.$slug.members": {
    params: ofConsumer,
    loader: operator,
    actions: Object.fromEntries(["add", "renew", "role", "remove"].map((intent) => [intent, operator])),
  },
  "routes/admin.consumers.$slug.keys": { params: ofConsumer, loader: operator, actions: { "": operator } },
  "routes/admin.consumers.$slug.coverage": { params: ofConsumer, loader: operator },
  "routes/admin.consumers.$slug.usage": { params: ofConsumer, loader: operator },
  "routes/admin.consumers.$slug.history": { params: ofConsumer, loader: operator },
  "routes/admin.consumers.$slug.directory-pack": { params: ofConsumer, loader: { ...operator, operator: "not found" } },
  "routes/admin.merchants._index": { loader: operator, actions: { "": operator } },
  "routes/admin.merchants.$id": { params: ofMerchant, loader: operator },
  "routes/admin.merchants.$id._index": {
    params: ofMerchant,
    loader: operator,
    actions: Object.fromEntries(["name", "add", "invite", "remove", "withdraw"].map((intent) => [intent, operator])),
  },
  "routes/admin.merchants.$id.stores.new": { params: ofMerchant, actions: { "": operator } },
  "routes/admin.merchants.$id.stores.$storeId": { params: ofMerchant, loader: operator, actions: { "": operator } },
  "routes/admin.usage": { loader: operator },
  "routes/admin.usage[.]csv": { loader: operator },
  "routes/admin.requests._index": { loader: operator },
  "routes/admin.requests.$requestId": {
    params: { requestId: UNKNOWN },
    loader: { ...operator, operator: "not found" },
  },
  "routes/admin.terms._index": { loader: operator },
  "routes/admin.terms.$version": { params: { version: "2026-09-26" }, loader: operator },
  "routes/admin.terms.new": {
    loader: operator,
    actions: Object.fromEntries(["preview", "publish"].map((intent) => [intent, operator])),
  },
  "routes/admin.settings": { loader: operator, actions: { "": operator } },
  "routes/admin.audit": { loader: operator },
  "routes/admin.audit[.]csv": { loader: operator },

  "routes/merchant": { loader: merchant },
  "routes/merchant.switch": { loader: sentOn(merchant, "/merchant"), actions: { "": signedIn } },
  "routes/merchant._index": {
    loader: merchant,
    actions: {
      "discovery-on": [ownStore, ({ store }) => ({ store: store.slug })],
      "discovery-off": [ownStore, ({ store }) => ({ store: store.slug })],
    },
  },
  "routes/merchant.stores._index": { loader: all("→ /merchant") },
  "routes/merchant.stores.$slug": { params: ofStore, loader: ownStore },
  "routes/merchant.stores.$slug._index": {
    params: ofStore,
    actions: { "discovery-on": ownStore, "discovery-off": ownStore },
  },
  "routes/merchant.stores.$slug.details": { params: ofStore, loader: ownStore, actions: { "": ownStore } },
  "routes/merchant.stores.$slug.products": {
    params: ofStore,
    loader: ownStore,
    actions: { exclude: [inNoStore, { product: "x" }], include: [inNoStore, { product: "x" }] },
  },
  "routes/merchant.stores.$slug.stock": { params: ofStore, loader: ownStore, actions: { remove: ownStore } },
  "routes/merchant.stores.$slug.promotions": {
    params: ofStore,
    loader: ownStore,
    actions: { end: [inNoStore, { promotionId: "x" }], remove: [inNoStore, { promotionId: "x" }], save: merchant },
  },
  "routes/merchant.stores.$slug.loyalty": {
    params: ofStore,
    loader: ownStore,
    actions: { remove: [inNoStore, { id: UNKNOWN }], save: merchant },
  },
  "routes/merchant.stores.$slug.policies": {
    params: ofStore,
    loader: ownStore,
    actions: { remove: [inNoStore, { id: UNKNOWN }], save: merchant },
  },
  "routes/merchant.agents._index": {
    loader: merchant,
    actions: Object.fromEntries(
      ["block", "unblock", "grant", "withdraw"].map((intent) => [intent, [inNoStore, { platform: "missing" }]]),
    ),
  },
  "routes/merchant.agents.$platform": {
    params: ({ consumer }) => ({ platform: consumer.slug }),
    // In sandbox it reads no store of theirs.
    loader: inNoStore,
    actions: Object.fromEntries(
      ["block", "unblock", "grant", "withdraw"].map((intent) => [intent, [inNoStore, { platform: "missing" }]]),
    ),
  },
  "routes/merchant.notifications": {
    loader: merchant,
    actions: {
      read: [inNoStore, { id: UNKNOWN }],
      "read-all": merchant,
      digest: merchant,
    },
  },
  // Who has one store is sent to it.
  "routes/merchant.catalogue._index": {
    loader: { ...merchant, merchant: "→ /merchant/catalogue/:id", "another merchant": "→ /merchant/catalogue/:id" },
  },
  "routes/merchant.catalogue.$storeId": {
    params: ofMerchant,
    loader: ownStore,
    actions: {
      restore: [inNoStore, { loadId: UNKNOWN }],
      "set-source": [ownStore, { url: "https://feeds.example/a.tsv" }],
      // There is none yet.
      "fetch-now": inNoStore,
      "remove-source": inNoStore,
    },
  },
  "routes/merchant.catalogue.$storeId_.loads.$loadId": { params: ofMerchant, loader: inNoStore },
  "routes/merchant.catalogue.$storeId_.loads.$loadId_.bad-rows": { params: ofMerchant, loader: inNoStore },
};

/** These have tests of their own: tests/trpc/permissions.test.ts, tests/mcp, tests/pages/secret-scanning.test.ts. */
const elsewhere = [
  "routes/api.mcp",
  "routes/api.mcp.doctor.$token",
  "routes/api.mcp.p.$slug",
  "routes/api.secret-scanning",
  "routes/api.trpc.$",
];

let routes: Record<string, Route>;
beforeAll(async () => {
  routes = await builtRoutes();
});

function pathOf(id: string, params: Record<string, string>): string {
  const parts: string[] = [];
  for (let route = routes[id]; route; route = routes[route.parentId ?? ""]) if (route.path) parts.unshift(route.path);
  return `/${parts.join("/").replace(/:(\w+)\??/g, (_, name: string) => encodeURIComponent(params[name] ?? "missing"))}`;
}

/** As a page's scripts ask, so that the answer is of this route alone; a file, which is one, as a link leads to it. */
async function ask(
  id: string,
  cookie: string | undefined,
  params: Record<string, string>,
  form?: Record<string, string>,
) {
  const path = pathOf(id, params);
  const isFile = form === undefined && !("default" in routes[id]!.module);
  const url = new URL(isFile ? path : path === "/" ? "/_root.data" : `${path}.data`, server.url);
  if (form === undefined && !isFile) url.searchParams.set("_routes", id);
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
  if (location !== null && !isForm)
    return `→ ${new URL(location, server.url).pathname.replace(UUID, ":id") as `/${string}`}`;
  if (status === 403) return "forbidden";
  return status === 404 ? "not found" : "served";
}

const given = (fields: Fields, of: Fixture) => (typeof fields === "function" ? fields(of) : fields);

async function open(id: string, { params = {} }: Row): Promise<Partial<Outcomes>> {
  const seen: Partial<Outcomes> = {};
  for (const role of roles) seen[role] = outcomeOf(await ask(id, cast.cookies[role], given(params, cast)), false);
  return seen;
}

/** By somebody whom nobody else's acts have touched, where it is not to be refused. */
async function act(id: string, { params = {} }: Row, form: Fields, outcomes: Outcomes): Promise<Partial<Outcomes>> {
  const seen: Partial<Outcomes> = {};
  for (const role of roles) {
    const isServed = outcomes[role] === "served";
    const of: Fixture = isServed ? { consumer: await makeConsumer(database), store: await makeStore(database) } : cast;
    const cookie = isServed
      ? (await makePerson(database, role, of.consumer.id, of.store.merchantId)).cookie
      : cast.cookies[role];
    seen[role] = outcomeOf(await ask(id, cookie, given(params, of), given(form, of)), true);
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
    expect(await open(id, row)).toEqual(row.loader);
  });

  const acts = Object.entries(table).flatMap(([id, row]) =>
    Object.entries(row.actions ?? {}).map(([intent, who]) => [id, intent, row, who] as const),
  );
  it.each(acts)("%s %s is done by whom it should, and nobody else", async (id, intent, row, who) => {
    const [outcomes, fields] = Array.isArray(who) ? who : [who, {}];
    const form = (of: Fixture) => ({ ...(intent ? { intent } : {}), ...given(fields, of) });
    expect(await act(id, row, form, outcomes)).toEqual(outcomes);
  });
});

describe("the directory pack of a platform that has one", () => {
  const ofTeam = { owner: "served", developer: "served", reviewer: "served" } as const;
  it.each([
    ["routes/console.directory-pack", { ...member, ...noneOfTheirs, ...ofTeam }],
    ["routes/admin.consumers.$slug.directory-pack", operator],
  ])("is opened at %s by whom it should, and nobody else", async (id, outcomes) => {
    const consumer = await makeConsumer(database, { state: "production", directorySlug: newRequestId() });
    const seen: Partial<Outcomes> = {};
    for (const role of roles) {
      const { cookie } = await makePerson(database, role, consumer.id);
      seen[role] = outcomeOf(await ask(id, cookie, { slug: consumer.slug }), false);
    }
    expect(seen).toEqual(outcomes);
  });
});
