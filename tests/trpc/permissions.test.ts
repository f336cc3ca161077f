// Who may call what: every procedure against every kind of visitor. A procedure without a row here fails the test.
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { newRequestId } from "../../server/context";
import { appRouter } from "../../server/trpc/router";
import { testDatabase } from "../support/database";
import { makeConsumer, makeStore } from "../support/factories";
import { loadRows } from "../support/feed";
import { makeAccountWithPassword, PASSWORD } from "../support/people";
import { makePerson, type Role, roles, testCast } from "../support/roles";
import { testServer } from "../support/server";

const database = testDatabase();
const server = testServer(database);
const cast = testCast(database);

/** Refused how: no session, not for this role, or nothing of theirs to be found. */
type Outcome = "allowed" | "unauthenticated" | "forbidden" | "not_found";

const everybody = Object.fromEntries(roles.map((role) => [role, "allowed"])) as Record<Role, Outcome>;
/** Whoever's address is not confirmed is nobody. */
const strangers = { nobody: "unauthenticated", unverified: "unauthenticated" } as const;
const signedIn = { ...everybody, ...strangers } as const;
const outsiders = {
  newcomer: "not_found",
  "expired reviewer": "not_found",
  operator: "not_found",
  merchant: "not_found",
  "another merchant": "not_found",
} as const;
/** Members; another tenant's are members too, of their own consumer. */
const member = { ...signedIn, ...outsiders } as const;
const only = (role: "operator" | "merchant") =>
  ({
    ...(Object.fromEntries(roles.map((each) => [each, "forbidden"])) as Record<Role, Outcome>),
    ...strangers,
    [role]: "allowed",
    // Of their own stores; see below for others'.
    ...(role === "merchant" ? { "another merchant": "allowed" } : {}),
  }) as Record<Role, Outcome>;
const owner = {
  ...member,
  developer: "forbidden",
  reviewer: "forbidden",
  "another tenant's developer": "forbidden",
  "another tenant's reviewer": "forbidden",
} as const;

const table: Record<string, Record<Role, Outcome>> = {
  "account.me": everybody,
  "account.signUp": everybody,
  "account.peekVerification": everybody,
  "account.verify": everybody,
  "account.confirmedAddress": everybody,
  "account.resendVerification": everybody,
  "account.logIn": everybody,
  "account.awaitsCode": everybody,
  "account.finishLogIn": everybody,
  "account.requestReset": everybody,
  "account.peekReset": everybody,
  "account.reset": everybody,
  "account.peekEmail": everybody,
  "account.confirmEmail": everybody,
  "account.expect": signedIn,
  "account.logOut": signedIn,
  "account.sessions": signedIn,
  "account.endSession": signedIn,
  "account.endAllSessions": signedIn,
  "account.parts": signedIn,
  "account.profile": signedIn,
  "account.changeName": signedIn,
  "account.changePassword": signedIn,
  "account.changeEmail": signedIn,
  "account.withdrawEmail": signedIn,
  "account.secondFactor": signedIn,
  "account.beginSecondFactor": signedIn,
  "account.enableSecondFactor": signedIn,
  "account.renewRecoveryCodes": signedIn,
  "account.disableSecondFactor": signedIn,
  "account.ownData": signedIn,
  "account.deletionEffects": signedIn,
  "account.leavePlatform": signedIn,
  "account.leaveMerchant": signedIn,
  "account.delete": signedIn,
  "agents.count": only("merchant"),
  "agents.list": only("merchant"),
  "agents.get": only("merchant"),
  "agents.reads": only("merchant"),
  "agents.preview": only("merchant"),
  "agents.block": only("merchant"),
  "agents.unblock": only("merchant"),
  "agents.grant": only("merchant"),
  "agents.withdraw": only("merchant"),
  "application.hasApplied": signedIn,
  "application.submit": signedIn,
  "application.get": member,
  "application.edit": owner,
  "audit.vocabulary": only("operator"),
  "audit.list": only("operator"),
  "audit.export": only("operator"),
  "catalogue.stores": only("merchant"),
  "catalogue.get": only("merchant"),
  "catalogue.history": only("merchant"),
  "catalogue.report": only("merchant"),
  "catalogue.upload": only("merchant"),
  "catalogue.restore": only("merchant"),
  "catalogue.badRows": only("merchant"),
  "catalogue.source": only("merchant"),
  "catalogue.setSource": only("merchant"),
  "catalogue.removeSource": only("merchant"),
  "catalogue.fetchNow": only("merchant"),
  "consumer.mine": signedIn,
  "consumer.ended": signedIn,
  "consumer.current": member,
  "consumer.expect": member,
  "consumer.colleagues": member,
  "consumer.choose": signedIn,
  "consumer.overview": member,
  "consumer.inUse": member,
  // An owner whose consumer has no directory endpoint is told that there is none.
  "consumer.directoryPack": {
    ...member,
    owner: "not_found",
    developer: "not_found",
    reviewer: "not_found",
    "another tenant's owner": "not_found",
    "another tenant's developer": "not_found",
    "another tenant's reviewer": "not_found",
  },
  "consumer.requestProduction": owner,
  ...Object.fromEntries(
    [
      "consumers.find",
      "consumers.get",
      "consumers.evidence",
      "consumers.inUse",
      "consumers.change",
      "consumers.members",
      "consumers.addMember",
      "consumers.renewMember",
      "consumers.changeMemberRole",
      "consumers.removeMember",
      "consumers.keys",
      "consumers.revokeKey",
      "consumers.usage",
      "consumers.directoryPack",
      "consumers.history",
      "review.lacks",
      "review.countWaiting",
      "review.queue",
      "review.get",
      "review.approveSandbox",
      "review.approveProduction",
      "review.decline",
      "review.reject",
      "review.restore",
    ].map((name) => [name, only("operator")]),
  ),
  "invitation.peek": everybody,
  "invitation.mine": signedIn,
  "invitation.accept": signedIn,
  "docs.overview": everybody,
  "docs.tool": everybody,
  "doctor.read": member,
  "doctor.open": member,
  "coverage.list": member,
  "coverage.ended": member,
  "coverage.listAny": only("operator"),
  "coverage.endedAny": only("operator"),
  "keys.list": member,
  "keys.issue": owner,
  "keys.rotate": owner,
  "keys.revoke": owner,
  "merchant.mine": signedIn,
  "merchant.choose": signedIn,
  "merchant.current": only("merchant"),
  "merchant.expect": only("merchant"),
  "merchant.stores": only("merchant"),
  "merchant.storeChoices": only("merchant"),
  "merchant.store": only("merchant"),
  "merchant.setDiscovery": only("merchant"),
  "merchant.details": only("merchant"),
  "merchant.saveDetails": only("merchant"),
  "merchant.products": only("merchant"),
  "merchant.setExcluded": only("merchant"),
  "merchant.promotions": only("merchant"),
  "merchant.savePromotion": only("merchant"),
  "merchant.endPromotion": only("merchant"),
  "merchant.removePromotion": only("merchant"),
  "merchant.programs": only("merchant"),
  "merchant.saveProgram": only("merchant"),
  "merchant.removeProgram": only("merchant"),
  "merchant.stock": only("merchant"),
  "merchant.uploadStock": only("merchant"),
  "merchant.removeStock": only("merchant"),
  "merchant.policies": only("merchant"),
  "merchant.savePolicy": only("merchant"),
  "merchant.removePolicy": only("merchant"),
  "notifications.list": only("merchant"),
  "notifications.markRead": only("merchant"),
  "notifications.markAllRead": only("merchant"),
  "notifications.digest": only("merchant"),
  "notifications.setDigest": only("merchant"),
  "notifications.peekUnsubscribe": everybody,
  "notifications.unsubscribe": everybody,
  "merchants.list": only("operator"),
  "merchants.get": only("operator"),
  "merchants.create": only("operator"),
  "merchants.rename": only("operator"),
  "merchants.getStore": only("operator"),
  "merchants.createStore": only("operator"),
  "merchants.editStore": only("operator"),
  "merchants.people": only("operator"),
  "merchants.addPerson": only("operator"),
  "merchants.removePerson": only("operator"),
  "merchants.invitations": only("operator"),
  "merchants.invite": only("operator"),
  "merchants.withdrawInvitation": only("operator"),
  "playground.read": member,
  "playground.run": member,
  "requests.list": member,
  "requests.get": member,
  "requests.filters": member,
  "requests.listAny": only("operator"),
  "requests.getAny": only("operator"),
  "requests.anyFilters": only("operator"),
  "requests.failures": only("operator"),
  "review.lacks": only("operator"),
  "review.countWaiting": only("operator"),
  "settings.get": only("operator"),
  "settings.change": only("operator"),
  "terms.current": everybody,
  "terms.due": member,
  "terms.accept": owner,
  "terms.versions": only("operator"),
  "terms.get": only("operator"),
  "terms.draft": only("operator"),
  "terms.publish": only("operator"),
  "usage.read": member,
  "usage.csv": member,
  "usage.readAny": only("operator"),
  "usage.csvAny": only("operator"),
};

const procedures = appRouter._def.procedures as unknown as Record<
  string,
  { _def: { type: "query" | "mutation"; inputs: z.ZodType[] } }
>;

async function call(
  name: string,
  cookie: string | undefined,
  input: unknown = {},
): Promise<{ code: string | undefined; status: number; text: string }> {
  const url = new URL(`/api/trpc/${name}`, server.url);
  const headers = { "content-type": "application/json", origin: server.url, ...(cookie ? { cookie } : {}) };
  const isQuery = procedures[name]!._def.type === "query";
  if (isQuery) url.searchParams.set("input", JSON.stringify(input));
  const reply = await fetch(url, isQuery ? { headers } : { method: "POST", headers, body: JSON.stringify(input) });
  const text = await reply.text();
  return { status: reply.status, text, code: JSON.parse(text).error?.data.code };
}

/** Junk as input: the gate stands before it, so who is let in is told that it does not fit, or is served. */
function outcomeOf(code: string | undefined): Outcome {
  if (code === "unauthenticated" || code === "forbidden" || code === "not_found") return code;
  return "allowed";
}

describe("every procedure", () => {
  it("has a row in the table, and every row a procedure", () => {
    expect(Object.keys(procedures).toSorted()).toEqual(Object.keys(table).toSorted());
  });

  const actors = async (role: Role) => (await makePerson(database, role, (await makeConsumer(database)).id)).cookie;

  it.each(Object.keys(table))("%s lets in whom it should and nobody else", async (name) => {
    const seen: Partial<Record<Role, Outcome>> = {};
    for (const role of roles) {
      const changes = procedures[name]!._def.type === "mutation" && table[name]![role] === "allowed";
      const cookie = changes ? await actors(role) : cast.cookies[role];
      const { code, text } = await call(name, cookie);
      expect(code, text).not.toBe("internal_error");
      seen[role] = outcomeOf(code);
    }
    expect(seen).toEqual(table[name]);
  });
});

describe("what a procedure takes", () => {
  const taking = Object.entries(procedures).flatMap(([name, { _def }]) =>
    _def.inputs.length > 0 ? [[name, _def.inputs] as const] : [],
  );

  it.each(taking)("%s refuses by name what it does not know: nothing can be slipped in beside it", (_, inputs) => {
    const slipped = { __surplus: 1, isOperator: true, consumerId_: "x" };
    const refused = inputs.flatMap((input) => {
      const issues = input.safeParse(slipped).error?.issues ?? [];
      return issues.flatMap((issue) => (issue.code === "unrecognized_keys" ? issue.keys : []));
    });
    expect(refused).toEqual(expect.arrayContaining(Object.keys(slipped)));
  });

  it("cannot be reached through prototypes, or by names that are none", async () => {
    const { id } = await makeConsumer(database);
    const { cookie } = await makePerson(database, "owner", id);
    const body = '{"name":"x","scopes":["catalog:read"],"expiresAt":null,"__proto__":{"role":"owner"},"constructor":1}';
    const headers = { "content-type": "application/json", origin: server.url, cookie: cookie! };
    const reply = await fetch(`${server.url}/api/trpc/keys.issue`, { method: "POST", headers, body });
    expect(reply.status).toBe(400);
    for (const name of ["__proto__", "constructor", "keys", "keys.__proto__", "keys.list.constructor", "toString"]) {
      expect((await fetch(`${server.url}/api/trpc/${name}`, { headers })).status, name).toBe(404);
    }
  });
});

describe("a batch", () => {
  async function batch(cookie: string | undefined, calls: [name: string, input: unknown][], method = "POST") {
    const headers = { "content-type": "application/json", origin: server.url, ...(cookie ? { cookie } : {}) };
    const inputs = JSON.stringify(Object.fromEntries(calls.map(([, input], i) => [i, input])));
    const url = new URL(`/api/trpc/${calls.map(([name]) => name).join(",")}?batch=1`, server.url);
    if (method === "GET") url.searchParams.set("input", inputs);
    const reply = await fetch(url, { method, headers, ...(method === "GET" ? {} : { body: inputs }) });
    const answers: { error?: { data: { code: string } } }[] = await reply.json();
    return answers.map(({ error }) => error?.data.code ?? "done");
  }

  it("gets past no gate: each call in it is asked who it is by itself", async () => {
    const theirs = await makeConsumer(database);
    const operator = database.as({ kind: "operator", accountId: null });
    const { issue } = await import("../../server/services/keys");
    const { id } = await issue(operator, { consumerId: theirs.id, name: "Theirs" });
    const { cookie } = await makePerson(database, "another tenant's owner", theirs.id);
    const reads: [string, unknown][] = [
      ["account.me", undefined],
      ["settings.get", undefined],
      ["keys.list", undefined],
      ["merchant.stores", undefined],
    ];
    expect(await batch(cookie, reads, "GET")).toEqual(["done", "forbidden", "done", "forbidden"]);
    expect(await batch(undefined, reads, "GET")).toEqual([
      "done",
      "unauthenticated",
      "unauthenticated",
      "unauthenticated",
    ]);
    const writes: [string, unknown][] = [
      ["account.changeName", { name: "Ada" }],
      ["keys.revoke", { id }],
      ["consumer.choose", { consumerId: theirs.id }],
      ["consumers.revokeKey", { consumerId: theirs.id, id }],
      ["keys.revoke", { id }],
    ];
    expect(await batch(cookie, writes)).toEqual(["done", "not_found", "not_found", "forbidden", "not_found"]);
    const [row] = await database.sql`select revoked_at from keys where id = ${id}`;
    expect(row!.revoked_at).toBeNull();
  });

  it("spends as many tries and keys as it has calls", async () => {
    const { id } = await makeConsumer(database);
    const { cookie } = await makePerson(database, "owner", id);
    const input = { name: "x", scopes: ["catalog:read"], expiresAt: null };
    const issued = await batch(
      cookie,
      Array.from({ length: 10 }, () => ["keys.issue", input]),
    );
    expect(issued.toSorted()).toEqual([...Array(2).fill("done"), ...Array(8).fill("key_limit_reached")]);
    const guess = { email: "nobody-batch@example.com", password: "a guess or two" };
    const guessed = await batch(
      undefined,
      Array.from({ length: 10 }, () => ["account.logIn", guess]),
    );
    expect(guessed.toSorted()).toEqual([...Array(5).fill("forbidden"), ...Array(5).fill("rate_limited")]);
  });
});

describe("another tenant", () => {
  it("finds neither keys nor consumer by their ids", async () => {
    const theirs = await makeConsumer(database);
    const { cookie } = await makePerson(database, "another tenant's owner", theirs.id);
    const operator = database.as({ kind: "operator", accountId: null });
    const { issue } = await import("../../server/services/keys");
    const { id } = await issue(operator, { consumerId: theirs.id, name: "Theirs" });
    expect((await call("keys.revoke", cookie, { id })).code).toBe("not_found");
    expect((await call("keys.rotate", cookie, { id, revokeOld: true })).code).toBe("not_found");
    expect((await call("consumer.choose", cookie, { consumerId: theirs.id })).code).toBe("not_found");
    expect((await call("keys.list", cookie)).text).not.toContain(id);
    const [row] = await database.sql`select revoked_at from keys where id = ${id}`;
    expect(row!.revoked_at).toBeNull();
  });

  it("finds no directory pack beside its own; who is of the platform finds theirs", async () => {
    const theirs = await makeConsumer(database, { state: "production", directorySlug: newRequestId() });
    const seen: Partial<Record<Role, Outcome>> = {};
    for (const role of roles) {
      const { code, text } = await call("consumer.directoryPack", (await makePerson(database, role, theirs.id)).cookie);
      seen[role] = outcomeOf(code);
      expect(text.includes(theirs.directorySlug!), role).toBe(seen[role] === "allowed");
    }
    const ofTeam = { owner: "allowed", developer: "allowed", reviewer: "allowed" } as const;
    expect(seen).toEqual({ ...table["consumer.directoryPack"], ...ofTeam });
  });

  it("cannot slip a consumer or a role into the input", async () => {
    const theirs = await makeConsumer(database);
    const { cookie } = await makePerson(database, "another tenant's owner", theirs.id);
    const input = { name: "x", scopes: ["catalog:read"], expiresAt: null, consumerId: theirs.id, role: "owner" };
    expect((await call("keys.issue", cookie, input)).code).toBe("invalid_input");
    const [row] = await database.sql`select count(*)::int as n from keys where consumer_id = ${theirs.id}`;
    expect(row!.n).toBe(0);
  });
});

/** Does a procedure's input have a store? */
const namesStore = (inputs: z.ZodType[]) =>
  inputs.some((input) => input instanceof z.ZodObject && ("store" in input.shape || "storeId" in input.shape));

/** What a merchant may change, of a store: one of each, so that whatever is not found is not found for whose it is. */
async function furnish(storeId: string, id: string): Promise<void> {
  const [of, { sql }] = [{ store_id: storeId }, database];
  await loadRows(database, storeId, [{ id: "x" }]);
  const sale = { ...of, promotion_id: "x", long_title: "Sale", percent_off: 5, currency: "EUR" };
  const running = { starts_at: "2020-01-01", ends_at: "2090-01-01", redemption_channel: ["online"] };
  await sql`insert into promotions ${sql({ ...sale, ...running })}`;
  await sql`insert into policies ${sql({ ...of, id, question: "Q?", answer: "A.", policy_type: "faq", updated_at: "2026-01-01" })}`;
  const club = { name: "x", description: "Points.", terms_url: "https://shop.example/club", is_primary: true };
  await sql`insert into loyalty_programs ${sql({ ...of, id, ...club })}`;
  await sql`insert into locations ${sql({ ...of, location_id: "shop", name: "Shop", pickup: true })}`;
  const count = { variant_id: "x", location_id: "shop", quantity: 3, data_as_of: "2026-01-01" };
  await sql`insert into inventory_levels ${sql({ ...of, ...count })}`;
  await sql`insert into feed_sources ${sql({ ...of, url: "https://shop.example/a.tsv" })}`;
}

const furniture = ["products", "promotions", "policies", "loyalty_programs", "inventory_levels", "feed_sources"];
const furnitureOf = (storeId: string) =>
  Promise.all(furniture.map((each) => database.sql`select * from ${database.sql(each)} where store_id = ${storeId}`));

describe("another merchant", () => {
  it("finds neither store nor notification: what it may not touch does not exist", async () => {
    const theirs = await makeStore(database);
    const { id, slug: platform } = await makeConsumer(database, { state: "production" });
    const notification = newRequestId();
    await database.sql`insert into notifications (id, consumer_id, store_id) values (${notification}, ${id}, ${theirs.id})`;
    const { cookie } = await makePerson(database, "merchant", id);
    const pair = { store: theirs.slug, platform };
    const one = { store: theirs.slug, id: newRequestId() };
    await furnish(theirs.id, one.id);
    const before = await furnitureOf(theirs.id);
    expect(before.map((rows) => rows.length)).toEqual(furniture.map(() => 1));
    const [load] = await database.sql<{ id: string }[]>`select id from feed_loads where store_id = ${theirs.id}`;
    const loaded = { storeId: theirs.id, loadId: load!.id };
    const promotion = { title: "x", startsAt: "2026-01-01T00:00", endsAt: "2030-01-01T00:00", channels: ["online"] };
    const tiers = [{ name: "x", thresholdPoints: 0, multiplier: 1, perks: "" }];
    const program = { name: "y", description: "x", termsUrl: "https://x.example", isPrimary: true, tiers, rules: [] };
    const inputs: Record<string, unknown> = {
      "merchant.store": { store: theirs.slug },
      "merchant.setDiscovery": { store: theirs.slug, on: false },
      "merchant.details": { store: theirs.slug },
      "merchant.saveDetails": { store: theirs.slug, street: "x" },
      "merchant.products": { store: theirs.slug },
      "merchant.setExcluded": { store: theirs.slug, productId: "x", excluded: true },
      "merchant.promotions": { store: theirs.slug },
      "merchant.savePromotion": {
        ...{
          store: theirs.slug,
          promotionId: "y",
          products: "",
          percentOff: "5",
          freeShipping: false,
          stackable: false,
        },
        ...promotion,
      },
      "merchant.endPromotion": { store: theirs.slug, promotionId: "x" },
      "merchant.removePromotion": { store: theirs.slug, promotionId: "x" },
      "merchant.programs": { store: theirs.slug },
      "merchant.saveProgram": { store: theirs.slug, ...program },
      "merchant.removeProgram": one,
      "merchant.stock": { store: theirs.slug },
      "merchant.removeStock": { store: theirs.slug },
      "merchant.policies": { store: theirs.slug },
      "merchant.savePolicy": { store: theirs.slug, question: "x", answer: "x", type: "faq" },
      "merchant.removePolicy": one,
      "agents.count": { store: theirs.slug },
      "agents.list": { store: theirs.slug, standing: "reading" },
      "agents.get": pair,
      "agents.reads": pair,
      "agents.preview": pair,
      "agents.block": pair,
      "agents.unblock": pair,
      "agents.grant": pair,
      "agents.withdraw": pair,
      "notifications.markRead": { id: notification },
      "catalogue.get": { storeId: theirs.id },
      "catalogue.history": { storeId: theirs.id },
      "catalogue.report": loaded,
      "catalogue.badRows": loaded,
      "catalogue.restore": loaded,
      "catalogue.source": { storeId: theirs.id },
      "catalogue.setSource": { storeId: theirs.id, url: "https://feeds.example/a.tsv" },
      "catalogue.fetchNow": { storeId: theirs.id },
      "catalogue.removeSource": { storeId: theirs.id },
    };
    // Whatever a merchant may call about a store is here, but for uploads: those take a stream, as pages alone have it.
    const about = Object.entries(procedures).flatMap(([name, { _def }]) =>
      table[name]!.merchant === "allowed" && table[name]!.operator === "forbidden" && namesStore(_def.inputs)
        ? [name]
        : [],
    );
    expect(about.filter((name) => !(name in inputs))).toEqual(["catalogue.upload", "merchant.uploadStock"]);
    for (const [name, input] of Object.entries(inputs)) {
      const { code, text } = await call(name, cookie, input);
      expect(code, `${name}: ${text}`).toBe("not_found");
    }
    const listed = [await call("notifications.list", cookie), await call("merchant.stores", cookie)];
    for (const { text } of listed) expect(text).not.toContain(theirs.slug);
    const [untouched] = await database.sql`
      select ai_discovery, (select read_at from notifications where id = ${notification}),
        (select count(*)::int from blocks where store_id = s.id) as blocks from stores s where id = ${theirs.id}`;
    expect(untouched).toEqual({ ai_discovery: true, read_at: null, blocks: 0 });
    expect(await furnitureOf(theirs.id)).toEqual(before);
  });
});

describe("/api/trpc", () => {
  const post = (headers: Record<string, string>) =>
    fetch(new URL("/api/trpc/account.logOut", server.url), { method: "POST", headers, body: "{}" });

  it("takes JSON alone", async () => {
    for (const type of ["text/plain", "multipart/form-data; boundary=x", "application/x-www-form-urlencoded"]) {
      expect((await post({ "content-type": type, origin: server.url })).status).toBe(415);
    }
  });

  it("refuses in JSON with the request's id, also what is no call of a procedure", async () => {
    const refusals = [
      await fetch(new URL(`/api/trpc/${"terms.current,".repeat(11)}?batch=1`, server.url)),
      await fetch(new URL("/api/trpc/terms.current?connectionParams=1", server.url)),
      await fetch(new URL("/api/trpc/terms.current", server.url), { headers: { "trpc-accept": "application/jsonl" } }),
      await post({ "content-type": "text/plain", origin: server.url }),
    ];
    for (const answer of refusals) {
      expect(answer.headers.get("content-type")).toMatch(/^application\/json\b/);
      const { error } = await answer.json();
      expect(error.message).toMatch(/^The request|^Send JSON/);
      expect(error.data).toMatchObject({ code: "bad_request", request_id: answer.headers.get("x-request-id") });
    }
    expect(refusals.map(({ status }) => status)).toEqual([400, 400, 400, 415]);
  });

  it("answers no stream, which would begin before a log-in has a session to give: such a log-in is not done", async () => {
    const { id, email } = await makeAccountWithPassword(database);
    const logIn = (headers: Record<string, string>) =>
      fetch(new URL("/api/trpc/account.logIn?batch=1", server.url), {
        method: "POST",
        headers: { "content-type": "application/json", origin: server.url, ...headers },
        body: JSON.stringify({ 0: { email, password: PASSWORD } }),
      });
    const sessionsOf = async () => (await database.sql`select from sessions where account_id = ${id}`).length;
    for (const name of ["trpc-accept", "accept"])
      expect((await logIn({ [name]: "application/jsonl" })).status).toBe(400);
    expect(await sessionsOf()).toBe(0);
    expect((await logIn({})).headers.getSetCookie()).not.toEqual([]);
    expect(await sessionsOf()).toBe(1);
  });

  it("refuses other sites, and requests that do not say where they come from", async () => {
    const json = { "content-type": "application/json" };
    expect((await post({ ...json, origin: "https://evil.example" })).status).toBe(403);
    expect((await post({ ...json, origin: server.url, "sec-fetch-site": "cross-site" })).status).toBe(403);
    expect((await post(json)).status).toBe(403);
  });

  it("bounds a batch", async () => {
    const names = (n: number) => Array.from({ length: n }, () => "terms.current").join(",");
    expect((await fetch(`${server.url}/api/trpc/${names(10)}?batch=1&input=${encodeURIComponent("{}")}`)).status).toBe(
      200,
    );
    expect((await fetch(`${server.url}/api/trpc/${names(11)}?batch=1&input=${encodeURIComponent("{}")}`)).status).toBe(
      400,
    );
  });

  it("tells code, safe message, fields and request id", async () => {
    const { id } = await makeConsumer(database);
    const { cookie } = await makePerson(database, "owner", id);
    const { text } = await call("keys.issue", cookie, { name: "", scopes: [], expiresAt: null });
    const { message, data } = JSON.parse(text).error;
    expect(message).toBe("Some fields need another look.");
    expect(data).toMatchObject({
      code: "invalid_input",
      fields: { name: "Give the key a name.", scopes: "Choose at least one scope." },
      request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(text).not.toContain("stack");
  });

  it("refuses half a character by its field, and that is no failure of ours", async () => {
    const { id } = await makeConsumer(database);
    const { cookie } = await makePerson(database, "owner", id);
    const input = { name: "\ud800", scopes: ["catalog:read"], expiresAt: null };
    const { status, text } = await call("keys.issue", cookie, input);
    const { fields, request_id } = JSON.parse(text).error.data;
    expect([status, fields]).toEqual([400, { name: "Remove the invisible characters, or type the text again." }]);
    expect(await database.sql`select from failures where request_id = ${request_id}`).toEqual([]);
  });
});
