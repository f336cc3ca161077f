// Who may call what: every procedure against every kind of visitor. A procedure without a row here fails the test.
import { describe, expect, it } from "vitest";
import { appRouter } from "../../server/trpc/router";
import { testDatabase } from "../support/database";
import { makeConsumer } from "../support/factories";
import { makePerson, type Role, roles } from "../support/roles";
import { testServer } from "../support/server";

const database = testDatabase();
const server = testServer(database);

/** Refused how: no session, not for this role, or nothing of theirs to be found. */
type Outcome = "allowed" | "unauthenticated" | "forbidden" | "not_found";

const everybody = Object.fromEntries(roles.map((role) => [role, "allowed"])) as Record<Role, Outcome>;
const signedIn = { ...everybody, nobody: "unauthenticated" } as const;
const outsiders = {
  newcomer: "not_found",
  "expired reviewer": "not_found",
  operator: "not_found",
  merchant: "not_found",
} as const;
/** Members; another tenant's owner is a member too, of their own consumer. */
const member = { ...signedIn, ...outsiders } as const;
const only = (role: Role) =>
  ({
    ...(Object.fromEntries(roles.map((each) => [each, "forbidden"])) as Record<Role, Outcome>),
    nobody: "unauthenticated",
    [role]: "allowed",
  }) as const;
const owner = { ...member, developer: "forbidden", reviewer: "forbidden" } as const;

const table: Record<string, Record<Role, Outcome>> = {
  "account.me": everybody,
  "account.signUp": everybody,
  "account.peekVerification": everybody,
  "account.verify": everybody,
  "account.resendVerification": everybody,
  "account.logIn": everybody,
  "account.requestReset": everybody,
  "account.peekReset": everybody,
  "account.reset": everybody,
  "account.peekEmail": everybody,
  "account.confirmEmail": everybody,
  "account.logOut": signedIn,
  "account.sessions": signedIn,
  "account.endSession": signedIn,
  "account.endAllSessions": signedIn,
  "account.parts": signedIn,
  "account.profile": signedIn,
  "account.changeName": signedIn,
  "account.changePassword": signedIn,
  "account.changeEmail": signedIn,
  "account.deletionEffects": signedIn,
  "account.delete": signedIn,
  "application.hasApplied": signedIn,
  "application.submit": signedIn,
  "application.get": member,
  "application.edit": owner,
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
  "consumer.current": member,
  "consumer.choose": signedIn,
  "consumer.overview": member,
  "consumer.requestProduction": owner,
  "keys.list": member,
  "keys.issue": owner,
  "keys.rotate": owner,
  "keys.revoke": owner,
  "merchant.current": only("merchant"),
  "review.countWaiting": only("operator"),
  "terms.current": everybody,
  "terms.accept": owner,
};

const procedures = appRouter._def.procedures as unknown as Record<string, { _def: { type: "query" | "mutation" } }>;

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

  it.each(Object.keys(table))("%s lets in whom it should and nobody else", async (name) => {
    const seen: Partial<Record<Role, Outcome>> = {};
    for (const role of roles) {
      const { id } = await makeConsumer(database);
      const { cookie } = await makePerson(database, role, id);
      const { code, text } = await call(name, cookie);
      expect(code, text).not.toBe("internal_error");
      seen[role] = outcomeOf(code);
    }
    expect(seen).toEqual(table[name]);
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

  it("cannot slip a consumer or a role into the input", async () => {
    const theirs = await makeConsumer(database);
    const { cookie } = await makePerson(database, "another tenant's owner", theirs.id);
    const input = { name: "x", scopes: ["catalog:read"], expiresAt: null, consumerId: theirs.id, role: "owner" };
    expect((await call("keys.issue", cookie, input)).code).toBe("invalid_input");
    const [row] = await database.sql`select count(*)::int as n from keys where consumer_id = ${theirs.id}`;
    expect(row!.n).toBe(0);
  });
});

describe("/api/trpc", () => {
  const post = (headers: Record<string, string>, body = "{}", path = "account.logOut") =>
    fetch(new URL(`/api/trpc/${path}`, server.url), { method: "POST", headers, body });

  it("takes JSON alone", async () => {
    for (const type of ["text/plain", "multipart/form-data; boundary=x", "application/x-www-form-urlencoded"]) {
      expect((await post({ "content-type": type, origin: server.url })).status).toBe(415);
    }
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
});
