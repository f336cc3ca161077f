import { createHash } from "node:crypto";
import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { accounts, secondFactors } from "../../db/schema/accounts";
import { consumers, members } from "../../db/schema/consumers";
import { merchantMembers } from "../../db/schema/merchants";
import { sessions as table } from "../../db/schema/sessions";
import * as cookies from "../../server/cookies";
import * as acts from "../../server/services/accounts";
import { choose as chooseConsumer } from "../../server/services/memberships";
import { choose as chooseMerchant } from "../../server/services/merchants";
import * as sessions from "../../server/sessions";
import { testDatabase } from "../support/database";
import { makeAccount, makeConsumer, makeStore } from "../support/factories";

const database = testDatabase();
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const CHROME = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36";

const core = (now?: Date) => database.as({ kind: "anonymous" }, now);
const start = new Date();
const clockAt = (ms: number) => core(new Date(start.getTime() + ms));

async function setUp(given: Partial<sessions.NewSession> = {}) {
  const account = await makeAccount(database);
  const made = await sessions.create(core(start), { account, userAgent: CHROME, address: "192.0.2.1", ...given });
  const cookie = made.cookie.split(";", 1)[0]!;
  return { account, ...made, header: cookie, read: (at = 0) => sessions.read(clockAt(at), cookie) };
}
const rowOf = async (accountId: string) =>
  (await database.db.select().from(table).where(eq(table.accountId, accountId)))[0]!;

describe("a session", () => {
  it("tells who it is by its cookie", async () => {
    const { account, read } = await setUp();
    expect(await read()).toMatchObject({
      session: { accountId: account.id, consumerId: null, userAgent: CHROME, address: "192.0.2.1", createdAt: start },
      account: { id: account.id, name: account.name, email: account.email, isOperator: false },
    });
  });

  it("is none for whose address is not confirmed", async () => {
    const { account, read } = await setUp();
    await database.db.update(accounts).set({ emailVerifiedAt: null }).where(eq(accounts.id, account.id));
    expect(await read()).toBeNull();
  });

  it("tells whether log-ins ask for a code: not before the app has shown one", async () => {
    const { account, read } = await setUp();
    const asks = async () => (await read())!.account.hasSecondFactor;
    expect(await asks()).toBe(false);
    await database.db.insert(secondFactors).values({ accountId: account.id, secret: Buffer.from("x") });
    expect(await asks()).toBe(false);
    await database.db.update(secondFactors).set({ enabledAt: start }).where(eq(secondFactors.accountId, account.id));
    expect(await asks()).toBe(true);
  });

  it("is read in one query", async () => {
    const { header } = await setUp();
    let queries = 0;
    const sql = new Proxy(database.sql, {
      apply: (target, self, args) => {
        queries++;
        return Reflect.apply(target, self, args);
      },
    });
    expect(await sessions.read({ ...core(), sql }, header)).not.toBeNull();
    expect(queries).toBe(1);
  });

  it("has 256 random bits in the cookie, and in the table only their SHA-256", async () => {
    const { account, token } = await setUp();
    expect(Buffer.from(token, "base64url")).toHaveLength(32);
    expect((await rowOf(account.id)).id).toBe(createHash("sha256").update(token).digest("hex"));
    const [everything] = await database.sql`select string_agg(s::text, '') as text from sessions s`;
    expect(everything!.text).not.toContain(token);
  });

  it("is not opened by what the table holds", async () => {
    const { account } = await setUp();
    const { id } = await rowOf(account.id);
    for (const value of [id, Buffer.from(id, "hex").toString("base64url")]) {
      expect(await sessions.read(core(), `__Host-aisle=${value}`)).toBeNull();
    }
  });

  it("cuts the user agent at 300 characters", async () => {
    const { account } = await setUp({ userAgent: "x".repeat(10_000) });
    expect((await rowOf(account.id)).userAgent).toHaveLength(300);
  });
});

describe("the cookie", () => {
  it("is __Host- and Secure under https, for no script to read and no other site to send", async () => {
    const { cookie } = await setUp();
    expect(cookie).toMatch(/^__Host-aisle=[\w-]{43}; HttpOnly; Max-Age=2592000; Path=\/; SameSite=Lax; Secure$/);
    expect(sessions.clearCookie(core())).toBe("__Host-aisle=; HttpOnly; Max-Age=0; Path=/; SameSite=Lax; Secure");
  });

  it("does without both over plain http, which a browser would refuse", async () => {
    const http = { ...core(), baseUrl: "http://127.0.0.1:3000" };
    const account = await makeAccount(database);
    const { cookie } = await sessions.create(http, { account, userAgent: CHROME, address: "127.0.0.1" });
    expect(cookie).toMatch(/^aisle=[\w-]{43}; HttpOnly; Max-Age=2592000; Path=\/; SameSite=Lax$/);
    expect(await sessions.read(http, cookie)).not.toBeNull();
  });

  it("is found among others, however malformed those are", async () => {
    const { header, account } = await setUp();
    for (const others of [
      `a=%E0%A4%A; ${header}`,
      `${header};x`,
      `=; ;;${header}`,
      `__Host-aisle=nonsense; ${header}`,
    ]) {
      expect((await sessions.read(core(), others))?.account.id).toBe(account.id);
    }
    for (const none of [undefined, "", "x=y", "__Host-aisle=", "__Host-aisle=%00", `aisle${header}`]) {
      expect(await sessions.read(core(), none)).toBeNull();
    }
  });

  it.each([
    ["sign-up", 86_400, cookies.signUpCookie, cookies.signUpProof],
    ["log-in", 600, cookies.logInCookie, cookies.logInToken],
  ] as const)("of a %s comes back as it went, for %i s", (name, seconds, write, read) => {
    const token = "p".repeat(43);
    const cookie = write(core(), token);
    expect(cookie).toBe(`__Host-aisle-${name}=${token}; HttpOnly; Max-Age=${seconds}; Path=/; SameSite=Lax; Secure`);
    expect(read(core(), cookie)).toBe(token);
    expect(read(core(), undefined)).toBeUndefined();
  });
});

it("an address that was confirmed comes back as it went, for as long as a log-in may take; what is none is nothing", () => {
  const cookie = cookies.confirmedCookie(core(), "ada.ö@shop.example");
  expect(cookie).toMatch(/^__Host-aisle-confirmed=[\w-]+; HttpOnly; Max-Age=600; Path=\/; SameSite=Lax; Secure$/);
  expect(cookies.confirmedAddress(core(), cookie)).toBe("ada.ö@shop.example");
  for (const none of [undefined, "__Host-aisle-confirmed=", "__Host-aisle-confirmed=a%40b", "aisle-confirmed=YQ"])
    expect(cookies.confirmedAddress(core(), none)).toBeUndefined();
});

describe("what its person looks at", () => {
  it("is chosen in that session alone: neither in another of theirs, nor in anybody else's", async () => {
    const [{ account, read }, stranger] = [await setUp(), await setUp()];
    const elsewhere = await sessions.create(core(), { account, userAgent: CHROME, address: "192.0.2.2" });
    const { id: consumerId } = await makeConsumer(database);
    const { merchantId } = await makeStore(database);
    await database.db.insert(members).values({ consumerId, accountId: account.id, role: "developer" });
    await database.db.insert(merchantMembers).values({ merchantId, accountId: account.id });
    const ctx = database.as({ kind: "signed_in", accountId: account.id });
    for (const { id: sessionId } of [(await read())!.session, (await stranger.read())!.session]) {
      await chooseConsumer(ctx, { consumerId, sessionId });
      await chooseMerchant(ctx, { merchantId, sessionId });
    }
    const looksAt = (found: Awaited<ReturnType<typeof sessions.read>>) => [
      found!.session.consumerId,
      found!.session.merchantId,
    ];
    expect(looksAt(await read())).toEqual([consumerId, merchantId]);
    for (const other of [await sessions.read(core(), elsewhere.cookie), await stranger.read()])
      expect(looksAt(other)).toEqual([null, null]);
  });
});

describe("a session's time", () => {
  it("ends 14 days after its last use", async () => {
    const { read } = await setUp();
    expect(await read(14 * DAY_MS - 1)).not.toBeNull();
    const idle = await setUp();
    // Nor does trying it bring it back.
    for (const _ of [1, 2]) expect(await idle.read(14 * DAY_MS)).toBeNull();
  });

  it("goes on as long as it is used, and ends 30 days after the log-in whatever happens", async () => {
    const { read } = await setUp();
    for (const days of [13, 26, 29]) expect(await read(days * DAY_MS)).not.toBeNull();
    expect(await read(30 * DAY_MS - 1)).not.toBeNull();
    expect(await read(30 * DAY_MS)).toBeNull();
  });

  it("is written at most once an hour, however many read it at once", async () => {
    const { account, read } = await setUp();
    const version = async () => {
      const [row] =
        await database.sql`select xmin::text, ctid::text, last_used_at from sessions where account_id = ${account.id}`;
      return row!;
    };
    const first = await version();
    await read(HOUR_MS - 1);
    expect(await version()).toEqual(first);
    await Promise.all(Array.from({ length: 20 }, () => read(HOUR_MS)));
    const second = await version();
    expect(second.last_used_at).toEqual(new Date(start.getTime() + HOUR_MS));
    await read(2 * HOUR_MS - 1);
    expect(await version()).toEqual(second);
  });
});

describe("ending", () => {
  it("a log-in ends the session that the browser had, and keeps the consumer and the merchant that its person looked at", async () => {
    const { account, header, read } = await setUp();
    const [consumer, { merchantId }] = [await makeConsumer(database), await makeStore(database)];
    await database.db.update(table).set({ consumerId: consumer.id, merchantId }).where(eq(table.accountId, account.id));
    const before = await read();
    const next = await sessions.create(core(), {
      account,
      userAgent: CHROME,
      address: "192.0.2.1",
      replaces: before!.session,
    });
    expect(next.token).not.toBe(header.split("=")[1]);
    expect(await read()).toBeNull();
    const { session } = (await sessions.read(core(), next.cookie))!;
    expect(session).toMatchObject({ consumerId: consumer.id, merchantId });
  });

  it("somebody else's log-in in the same browser does not inherit the consumer", async () => {
    const [mine, theirs] = [await setUp(), await setUp()];
    const consumer = await makeConsumer(database);
    await database.db.update(table).set({ consumerId: consumer.id }).where(eq(table.accountId, mine.account.id));
    const { session } = (await mine.read())!;
    const next = await sessions.create(core(), {
      account: theirs.account,
      userAgent: CHROME,
      address: "192.0.2.1",
      replaces: session,
    });
    expect((await sessions.read(core(), next.cookie))?.session.consumerId).toBeNull();
    expect(await mine.read()).toBeNull();
  });

  it("log-out ends this session alone; log-out everywhere ends them all; each is recorded", async () => {
    const { account, read } = await setUp();
    const others = await Promise.all(
      [1, 2, 3].map(() => sessions.create(core(), { account, userAgent: CHROME, address: "192.0.2.2" })),
    );
    const alive = async () =>
      (await Promise.all(others.map(({ cookie }) => sessions.read(core(), cookie)))).map((found) => found !== null);
    const ctx = database.as({ kind: "signed_in", accountId: account.id });
    const idOf = async (at: number) => (await sessions.read(core(), others[at]!.cookie))!.session.id;
    await acts.logOut(ctx, { id: await idOf(0) });
    expect(await alive()).toEqual([false, true, true]);
    await acts.endSession(ctx, { id: await idOf(1) });
    expect(await alive()).toEqual([false, false, true]);
    expect(await read()).not.toBeNull();
    await acts.endSessions(ctx);
    expect(await alive()).toEqual([false, false, false]);
    expect(await read()).toBeNull();
    await acts.endSessions(ctx);
    const recorded = await database.sql`select action from audit where actor_id = ${account.id} order by id`;
    expect(recorded.map(({ action }) => action)).toEqual([
      "account.log_out",
      "account.end_session",
      "account.end_sessions",
    ]);
  });

  it("nobody ends another's session", async () => {
    const [mine, theirs] = [await setUp(), await setUp()];
    const ctx = database.as({ kind: "signed_in", accountId: mine.account.id });
    await acts.endSession(ctx, { id: (await rowOf(theirs.account.id)).id });
    expect(await theirs.read()).not.toBeNull();
  });

  it("a changed password ends every session, also one that is opened with the old one at that moment", async () => {
    const { account, read } = await setUp();
    await database.db.update(accounts).set({ passwordVersion: 2 }).where(eq(accounts.id, account.id));
    expect(await read()).toBeNull();
    const late = await sessions.create(core(), { account, userAgent: CHROME, address: "192.0.2.1" });
    expect(await sessions.read(core(), late.cookie)).toBeNull();
    expect(await sessions.list(core(), account.id)).toEqual([]);
  });

  it("a deleted consumer leaves the session, without it", async () => {
    const { account, read } = await setUp();
    const [consumer, { merchantId }] = [await makeConsumer(database), await makeStore(database)];
    await database.db.update(table).set({ consumerId: consumer.id, merchantId }).where(eq(table.accountId, account.id));
    await database.db.delete(consumers).where(eq(consumers.id, consumer.id));
    expect((await read())?.session.consumerId).toBeNull();
  });
});

describe("the list", () => {
  it("names each device, the last used first, and says which is this one", async () => {
    const { account, read } = await setUp();
    const later = clockAt(HOUR_MS);
    const iphone =
      "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Mobile/15E148 Safari/604.1";
    await sessions.create(later, { account, userAgent: iphone, address: "2001:db8::1" });
    await sessions.create(clockAt(2 * HOUR_MS), { account, userAgent: undefined, address: "192.0.2.9" });
    const { session } = (await read())!;
    const all = await sessions.list(later, account.id, session.id);
    expect(all.map(({ device, current }) => [device, current])).toEqual([
      ["Unknown device", false],
      ["Safari on iOS", false],
      ["Chrome on Linux", true],
    ]);
    expect(all[2]).toMatchObject({ id: session.id, address: "192.0.2.1", createdAt: start, lastUsedAt: start });
    expect((await sessions.list(clockAt(14 * DAY_MS), account.id)).map(({ device }) => device)).not.toContain(
      "Chrome on Linux",
    );
  });

  it("is of a hundred: with one more log-in the one that was used least lately ends", async () => {
    const [mine, another] = [await setUp(), await setUp()];
    for (let n = 1; n <= 100; n++)
      await sessions.create(clockAt(n * 1_000), { account: mine.account, userAgent: CHROME, address: "192.0.2.2" });
    expect(await sessions.list(clockAt(HOUR_MS), mine.account.id)).toHaveLength(100);
    expect(await mine.read()).toBeNull();
    expect(await another.read()).not.toBeNull();
  });
});
