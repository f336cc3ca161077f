import { eq } from "drizzle-orm";
import { afterEach, describe, expect, it, vi } from "vitest";
import { accounts } from "../../db/schema/accounts";
import { consumers, members } from "../../db/schema/consumers";
import { keys as stored } from "../../db/schema/keys";
import { type Ctx, type Member, newRequestId, type Owner } from "../../server/context";
import * as admission from "../../server/services/key-admission";
import { hashOf, isWellFormed, mint } from "../../server/services/key-format";
import * as keys from "../../server/services/keys";
import * as leaks from "../../server/services/leaks";
import { testDatabase, untilWaiting } from "../support/database";
import { makeAccount, makeConsumer } from "../support/factories";
import { inHours } from "../support/people";

const database = testDatabase();
const anonymous = () => database.as({ kind: "anonymous" });

async function setUp(given: Parameters<typeof makeConsumer>[1] = {}) {
  const consumer = await makeConsumer(database, given);
  const actor: Owner = { kind: "member", accountId: consumer.owner.id, consumerId: consumer.id, role: "owner" };
  const ctx = database.as(actor);
  return { consumer, ctx, issue: (more = {}) => keys.issue(ctx, { consumerId: consumer.id, name: "Key", ...more }) };
}
const works = (value: string) =>
  admission.authenticate(anonymous(), value).then(
    () => true,
    (error) => error.details.reason,
  );

describe("a key's form", () => {
  it("is aisle_, 30 random base62 characters and a checksum that catches every single mistyped character", () => {
    const value = mint();
    expect(value).toMatch(/^aisle_[0-9A-Za-z]{36}$/);
    for (let i = 0; i < value.length; i++) {
      const wrong = `${value.slice(0, i)}${value[i] === "x" ? "y" : "x"}${value.slice(i + 1)}`;
      expect(isWellFormed(wrong), wrong).toBe(false);
    }
  });

  it("never comes twice", () => {
    expect(new Set(Array.from({ length: 10_000 }, mint)).size).toBe(10_000);
  });
});

describe("the list", () => {
  it("has every key that works, and of the others the two hundred that ended last", async () => {
    const { issue, ctx, consumer } = await setUp();
    const [first, second] = [await issue({ name: "first" }), await issue({ name: "second" })];
    await database.sql`
      insert into keys (id, consumer_id, name, hash, start, "end", scopes, line, revoked_at)
      select gen_random_uuid(), ${consumer.id}, n::text, sha256(convert_to(${consumer.id} || n, 'UTF8')), 'aisle_0000', '0000',
        '{catalog:read}', gen_random_uuid(), now() - make_interval(hours => n) from generate_series(1, 250) n`;
    const listed = async () => (await keys.list(ctx, { consumerId: consumer.id })).map(({ name }) => name);
    const ended = (until: number) => Array.from({ length: until }, (_, i) => String(i + 1));
    expect((await listed()).toSorted()).toEqual(["first", "second", ...ended(200)].toSorted());
    await keys.revoke(ctx, { id: first.id });
    expect((await listed()).toSorted()).toEqual(["first", "second", ...ended(199)].toSorted());
    expect(await works(second.value)).toBe(true);
  });
});

describe("issuing", () => {
  it("gives the value once and keeps only its hash, start and end", async () => {
    const { issue, ctx, consumer } = await setUp();
    const { value, id } = await issue();
    const [row] = await database.sql`select * from keys where id = ${id}`;
    expect(row).toMatchObject({ start: value.slice(0, 10), end: value.slice(-4), created_by: consumer.owner.id });
    expect(row!.hash).toEqual(hashOf(value));
    const [kept] = await database.sql`
      select (select string_agg(k::text, '') from keys k) || (select string_agg(a::text, '') from audit a) as everything`;
    expect(kept!.everything).not.toContain(value);
    expect(JSON.stringify(await keys.list(ctx, { consumerId: consumer.id }))).not.toContain(value);
  });

  it("by a form that names the last day gives a key that works until that day is over, UTC", async () => {
    const { issue } = await setUp();
    const typed = keys.IssueOwnKey.parse({ name: "Key", scopes: ["catalog:read"], expiresAt: "2096-02-29" });
    expect((await issue(typed)).expiresAt).toEqual(new Date("2096-03-01T00:00:00Z"));
  });

  it("by a form that names a day long past is told that it must be later, not earlier", () => {
    const form = (expiresAt: string) =>
      keys.IssueOwnKey.safeParse({ name: "Key", scopes: ["catalog:read"], expiresAt });
    const told = (day: string) => form(day).error?.issues.map(({ message }) => message);
    expect(told("0026-09-26")).toEqual(["The expiry must be in the future."]);
    expect(told("9999-12-31")).toEqual(["Choose an earlier day, or let the key not expire."]);
    expect(told("9999-12-30")).toBeUndefined();
  });

  it("has each scope once, in their order", async () => {
    const { issue } = await setUp({ scopes: ["catalog:read", "offers:read"] });
    const { scopes } = await issue({ scopes: ["offers:read", "catalog:read", "offers:read"] });
    expect(scopes).toEqual(["catalog:read", "offers:read"]);
  });

  it("is for owners: for another member it does not compile, and would find them to be none", async () => {
    const consumer = await makeConsumer(database);
    const { id: accountId } = await makeAccount(database);
    await database.db.insert(members).values({ consumerId: consumer.id, accountId, role: "developer" });
    const ctx = database.as<Member>({ kind: "member", accountId, consumerId: consumer.id, role: "developer" });
    // @ts-expect-error a developer is no owner
    const issued = keys.issue(ctx, { consumerId: consumer.id, name: "Key" });
    await expect(issued).rejects.toMatchObject({ code: "forbidden" });
  });

  it("is not for another tenant's owner, who learns nothing", async () => {
    const [mine, theirs] = [await setUp(), await setUp()];
    await expect(keys.issue(mine.ctx, { consumerId: theirs.consumer.id, name: "x" })).rejects.toMatchObject({
      code: "not_found",
    });
    await expect(keys.list(mine.ctx, { consumerId: theirs.consumer.id })).rejects.toMatchObject({ code: "not_found" });
    const { id } = await theirs.issue();
    await expect(keys.revoke(mine.ctx, { id })).rejects.toMatchObject({ code: "not_found" });
    await expect(keys.rotate(mine.ctx, { id, revokeOld: true })).rejects.toMatchObject({ code: "not_found" });
  });

  it("stops at the maximum, counting neither revoked nor expired keys", async () => {
    const { issue, ctx } = await setUp({ maxKeys: 2 });
    const first = await issue();
    await issue({ expiresAt: inHours(1) });
    await expect(issue()).rejects.toMatchObject({ code: "key_limit_reached" });
    await keys.revoke(ctx, { id: first.id });
    await issue();
    await keys.issue({ ...ctx, now: inHours(2) }, { consumerId: ctx.actor.consumerId, name: "After the expiry" });
  });

  it("is refused with how many are to be revoked, where the maximum was lowered below what is in use", async () => {
    const { issue, consumer } = await setUp({ maxKeys: 4 });
    for (let i = 0; i < 4; i++) await issue();
    const told = async (maxKeys: number) => {
      await database.db.update(consumers).set({ maxKeys }).where(eq(consumers.id, consumer.id));
      return issue().catch(({ code, details, message }) => [code, details, message]);
    };
    const ask = "or ask the operator for more.";
    const cases = [
      [4, `All 4 keys are in use. Revoke one, ${ask}`],
      [3, `4 keys are in use, of 3. Revoke 2, ${ask}`],
      [1, `4 keys are in use, of 1. Revoke 4, ${ask}`],
      [0, "No key may be issued: the maximum is 0. Ask the operator for more."],
    ] as const;
    for (const [maximum, words] of cases)
      expect(await told(maximum)).toEqual(["key_limit_reached", { maximum }, words]);
  });

  it("never exceeds the maximum, though 30 come at once", async () => {
    const { issue, ctx, consumer } = await setUp({ maxKeys: 2 });
    const outcomes = await Promise.allSettled(Array.from({ length: 30 }, () => issue()));
    expect(outcomes.filter((outcome) => outcome.status === "fulfilled")).toHaveLength(2);
    expect(await keys.list(ctx, { consumerId: consumer.id })).toHaveLength(2);
  });

  it("waits for the current terms; existing keys keep working", async () => {
    const { issue, ctx, consumer } = await setUp({ maxKeys: 5 });
    const old = await issue();
    await database.db.update(consumers).set({ termsVersion: "2020-01-01" }).where(eq(consumers.id, consumer.id));
    await expect(issue()).rejects.toMatchObject({ code: "terms_outdated" });
    await expect(keys.rotate(ctx, { id: old.id, revokeOld: false })).rejects.toMatchObject({ code: "terms_outdated" });
    expect(await works(old.value)).toBe(true);
  });

  it("refuses scopes that the consumer does not have, an expiry in the past, and a consumer without access", async () => {
    const { issue } = await setUp({ scopes: ["catalog:read"] });
    await expect(issue({ scopes: ["inventory:read"] })).rejects.toMatchObject({ code: "invalid_input" });
    await expect(issue({ expiresAt: new Date(0) })).rejects.toMatchObject({ code: "invalid_input" });
    for (const given of [{ state: "under_review" }, { state: "revoked", revokedFrom: "sandbox" }] as const) {
      await expect((await setUp(given)).issue()).rejects.toMatchObject({ code: "conflict" });
    }
  });
});

describe("a platform that has no scope", () => {
  it("gets no key, which could never do anything", async () => {
    const { issue, consumer } = await setUp({ scopes: [] });
    await expect(issue()).rejects.toMatchObject({ code: "invalid_input", details: { issues: [{ path: "scopes" }] } });
    expect(await database.db.$count(stored, eq(stored.consumerId, consumer.id))).toBe(0);
  });
});

describe("what a key may do", () => {
  it("is what both it and its consumer have at that moment", async () => {
    const { issue, consumer } = await setUp({ scopes: ["catalog:read", "offers:read", "loyalty:read"] });
    const { value } = await issue({ scopes: ["catalog:read", "offers:read"] });
    const scopes = async () => (await admission.authenticate(anonymous(), value)).scopes;
    expect(await scopes()).toEqual(["catalog:read", "offers:read"]);
    await database.db
      .update(consumers)
      .set({ scopes: ["offers:read", "loyalty:read"] })
      .where(eq(consumers.id, consumer.id));
    expect(await scopes()).toEqual(["offers:read"]);
  });
});

describe("a key", () => {
  afterEach(() => void vi.useRealTimers());

  it("works until the instant of its expiry, and no longer", async () => {
    const { issue } = await setUp();
    const expiresAt = new Date(Date.now() + 3_600_000);
    const { value } = await issue({ expiresAt });
    vi.useFakeTimers({ toFake: ["Date"], now: expiresAt.getTime() - 1 });
    expect(await works(value)).toBe(true);
    vi.setSystemTime(expiresAt);
    expect(await works(value)).toBe("expired");
  });

  it("of several reasons why it does not work tells that of its consumer first, then that it was revoked", async () => {
    const { issue, ctx, consumer } = await setUp();
    const { id, value } = await issue();
    await database.sql`update keys set expires_at = now() - interval '1 second' where id = ${id}`;
    expect(await works(value)).toBe("expired");
    await keys.revoke(ctx, { id });
    expect(await works(value)).toBe("revoked");
    for (const state of [{ state: "under_review" }, { state: "revoked", revokedFrom: "sandbox" }] as const) {
      await database.db.update(consumers).set(state).where(eq(consumers.id, consumer.id));
      expect(await works(value)).toBe("access_revoked");
    }
  });
});

describe("a request that is counted with its key", () => {
  const admit = (value: string) =>
    admission.admit(anonymous(), admission.presented(anonymous(), value), {
      requestId: newRequestId(),
      at: new Date(),
      method: "ping",
      tool: undefined,
    });
  const points = async (consumerId: string) => {
    const [row] = await database.sql`select points from rate_limits where key = ${`consumer:${consumerId}`}`;
    return row?.points ?? 0;
  };

  it("has a place of its own, whichever of its consumer's keys it came with, and however many come at once", async () => {
    const { issue, consumer } = await setUp({ maxKeys: 3 });
    const values = [(await issue()).value, (await issue()).value];
    const admitted = await Promise.all(Array.from({ length: 250 }, (_, i) => admit(values[i % 2]!)));
    expect(admitted.map(({ counted }) => counted!.place).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 250 }, (_, i) => i + 1),
    );
    expect(await points(consumer.id)).toBe(250);
  });

  it("has the places in the order in which they came", async () => {
    const { issue } = await setUp();
    const { value } = await issue();
    const admitted = await Promise.all([admit(value), admit(value), admit(value)]);
    expect(admitted.map(({ counted }) => counted!.place)).toEqual([1, 2, 3]);
  });

  it("has its place though others come beside it that do not count", async () => {
    const { issue, consumer } = await setUp();
    const { value } = await issue();
    await works(value);
    expect(await database.sql`select from rate_limits where key = ${`consumer:${consumer.id}`}`).toHaveLength(0);
    const [, { counted }] = await Promise.all([works(value), admit(value)]);
    expect([counted!.place, await points(consumer.id)]).toEqual([1, 1]);
  });

  it("counts for nothing when the key no longer works, also beside one that does", async () => {
    const { issue, ctx, consumer } = await setUp({ maxKeys: 3 });
    const [good, revoked, expired] = [await issue(), await issue(), await issue()];
    for (const { value } of [good, revoked, expired]) await admit(value);
    await keys.revoke(ctx, { id: revoked.id });
    await database.sql`update keys set expires_at = now() - interval '1 second' where id = ${expired.id}`;
    const outcomes = await Promise.allSettled([good, revoked, expired, good].map(({ value }) => admit(value)));
    expect(outcomes.map((one) => (one.status === "fulfilled" ? one.value.counted!.place : one.reason.reason))).toEqual([
      4,
      "revoked",
      "expired",
      5,
    ]);
    expect(await points(consumer.id)).toBe(5);
  });

  it("begins again when the window is over", async () => {
    const { issue, consumer } = await setUp();
    const { value } = await issue();
    for (let i = 1; i <= 3; i++) expect((await admit(value)).counted!.place).toBe(i);
    await database.sql`update rate_limits set expire = 1 where key = ${`consumer:${consumer.id}`}`;
    const before = Date.now();
    const { place, until } = (await admit(value)).counted!;
    expect(place).toBe(1);
    expect(until - 60_000).toBeGreaterThanOrEqual(before);
    expect(until - 60_000).toBeLessThanOrEqual(Date.now());
  });

  it("is expected to be for whom it was the last time, and is so only if that is still as it was", async () => {
    const { issue, consumer } = await setUp();
    const { value } = await issue();
    expect(admission.presented(anonymous(), value).expected).toBeUndefined();
    const { consumer: first } = await admit(value);
    expect(admission.presented(anonymous(), value).expected).toBe(first);
    expect((await admit(value)).consumer).toBe(first);
    await database.db.update(consumers).set({ utmSource: "another" }).where(eq(consumers.id, consumer.id));
    const { consumer: second } = await admit(value);
    expect(second).toEqual({ ...first, utmSource: "another" });
    expect(admission.presented(anonymous(), value).expected).toBe(second);
    await database.db
      .update(consumers)
      .set({ state: "revoked", revokedFrom: "sandbox" })
      .where(eq(consumers.id, consumer.id));
    await expect(admit(value)).rejects.toMatchObject({ reason: "access_revoked" });
    expect(admission.presented(anonymous(), value).expected).toBeUndefined();
  });
});

describe("revoking", () => {
  it("a key that is revoked already leaves it as it was, and the audit has it once", async () => {
    const { issue, ctx, consumer } = await setUp();
    const { id } = await issue();
    await keys.revoke(ctx, { id });
    const later = { ...ctx, now: new Date(ctx.now.getTime() + 60_000) };
    await keys.revoke(later, { id });
    expect(await keys.list(ctx, { consumerId: consumer.id })).toMatchObject([{ revokedAt: ctx.now }]);
    expect(await database.sql`select from audit where target_id = ${id} and action = 'key.revoke'`).toHaveLength(1);
  });
});

describe("a key before another, which still works", () => {
  const found = (...values: string[]) =>
    leaks.report(
      database.as({ kind: "system" }),
      values.map((token) => ({ token, type: "key", url: "", source: "content" })),
    );
  const ways: [string, (ctx: Ctx<Owner>, key: keys.IssuedKey) => Promise<unknown>][] = [
    ["revoked", (ctx, { id }) => keys.revoke(ctx, { id })],
    ["found in public", (_, { value }) => found(value)],
  ];
  /** Two of one line, of the one key that the consumer may have. */
  async function rotated(maxKeys = 1) {
    const made = await setUp({ maxKeys });
    const old = await made.issue();
    const heir = await keys.rotate(made.ctx, { id: old.id, revokeOld: false });
    const states = async () => (await keys.list(made.ctx, { consumerId: made.consumer.id })).map(({ state }) => state);
    return { ...made, old, heir, states };
  }

  it.each(ways)("is the active one again once that one is %s: it counts, and can be rotated", async (_, end) => {
    const { ctx, issue, old, heir, states } = await rotated();
    await end(ctx, heir);
    expect([await works(old.value), await works(heir.value)]).toEqual([true, "revoked"]);
    expect(await states()).toEqual(["revoked", "active"]);
    await expect(issue()).rejects.toMatchObject({ code: "key_limit_reached" });
    const [act] = await database.sql`select after from audit where target_id = ${heir.id} and action <> 'key.rotate'`;
    expect(act!.after).toMatchObject({ activeAgain: old.id });
    await keys.rotate(ctx, { id: old.id, revokeOld: false });
    expect(await states()).toEqual(["active", "revoked", "superseded"]);
  });

  it.each(ways)("stays as it is where it was revoked before that one is %s", async (_, end) => {
    const { ctx, issue, old, heir, states } = await rotated();
    await end(ctx, old);
    expect(await states()).toEqual(["active", "revoked"]);
    await end(ctx, heir);
    expect(await states()).toEqual(["revoked", "revoked"]);
    await issue();
  });

  it.each(ways)("stays as it is where it has expired before that one is %s", async (_, end) => {
    const { ctx, old, heir } = await rotated();
    await database.sql`update keys set expires_at = now() - interval '1 second' where id in (${old.id}, ${heir.id})`;
    await end(ctx, heir);
    const [row] = await database.sql`select superseded_at from keys where id = ${old.id}`;
    expect(row!.superseded_at).not.toBeNull();
  });

  it("is told beside the one in whose place it comes", async () => {
    const { ctx, consumer, old, heir } = await rotated();
    const listed = async () =>
      (await keys.list(ctx, { consumerId: consumer.id })).map(({ id, before }) => [id, before?.end]);
    expect(await listed()).toEqual([
      [heir.id, old.value.slice(-4)],
      [old.id, undefined],
    ]);
    await keys.revoke(ctx, { id: heir.id });
    expect(await listed()).toEqual([
      [heir.id, undefined],
      [old.id, undefined],
    ]);
  });

  it("is counted whatever else is done at once: no consumer has more keys than its maximum that nothing took the place of", async () => {
    for (let round = 0; round < 10; round++) {
      const { ctx, issue, consumer, old, heir } = await rotated(2);
      const outcomes = await Promise.allSettled<unknown>([
        keys.revoke(ctx, { id: heir.id }),
        found(heir.value, ...(round % 2 ? [old.value] : [])),
        keys.revoke(ctx, { id: round % 3 ? heir.id : old.id }),
        keys.rotate(ctx, { id: heir.id, revokeOld: true }),
        ...Array.from({ length: 4 }, () => issue()),
      ]);
      for (const outcome of outcomes)
        if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ name: "DomainError" });
      const left = await database.sql`
        select count(*) filter (where superseded_at is null)::int as active, count(distinct line)::int as lines
        from keys where consumer_id = ${consumer.id} and revoked_at is null`;
      expect(left[0]!.active).toBe(left[0]!.lines);
      expect(left[0]!.active).toBeLessThanOrEqual(2);
    }
  });
});

describe("rotating", () => {
  it("gives a key of the same name, scopes and expiry; the old one works as superseded until it is revoked", async () => {
    const { issue, ctx, consumer } = await setUp({ maxKeys: 1 });
    const expiresAt = new Date(Date.now() + 3_600_000);
    const old = await issue({ scopes: ["catalog:read"], expiresAt });
    const heir = await keys.rotate(ctx, { id: old.id, revokeOld: false });
    expect(heir).toMatchObject({ name: "Key", scopes: ["catalog:read"], expiresAt });
    expect(await works(old.value)).toBe(true);
    expect(await works(heir.value)).toBe(true);
    expect((await keys.list(ctx, { consumerId: consumer.id })).map((key) => key.state)).toEqual([
      "active",
      "superseded",
    ]);
    await keys.revoke(ctx, { id: old.id });
    expect(await works(old.value)).toBe("revoked");
    expect(await works(heir.value)).toBe(true);
  });

  it("with the old key revoked takes effect at once", async () => {
    const { issue, ctx } = await setUp();
    const old = await issue();
    const heir = await keys.rotate(ctx, { id: old.id, revokeOld: true });
    expect(await works(old.value)).toBe("revoked");
    expect(await works(heir.value)).toBe(true);
  });

  it("is recorded with the key whose place was taken, and whether that one was revoked, and by whom", async () => {
    const { issue, ctx, consumer } = await setUp();
    for (const revokeOld of [false, true]) {
      const { id: inPlaceOf } = await issue();
      const { id } = await keys.rotate(ctx, { id: inPlaceOf, revokeOld });
      const [act] = await database.sql`select action, after from audit where target_id = ${id}`;
      expect(act).toMatchObject({ action: "key.rotate", after: { inPlaceOf, revokeOld } });
      const [old] = await database.db.select().from(stored).where(eq(stored.id, inPlaceOf));
      expect(old!.revokedBy).toBe(revokeOld ? consumer.owner.id : null);
    }
  });

  it("leaves at most one superseded key: again only after revoking it, or with the old key revoked", async () => {
    const { issue, ctx } = await setUp();
    const first = await issue();
    const second = await keys.rotate(ctx, { id: first.id, revokeOld: false });
    await expect(keys.rotate(ctx, { id: second.id, revokeOld: false })).rejects.toMatchObject({ code: "conflict" });
    const third = await keys.rotate(ctx, { id: second.id, revokeOld: true });
    await expect(keys.rotate(ctx, { id: third.id, revokeOld: false })).rejects.toMatchObject({ code: "conflict" });
    await keys.revoke(ctx, { id: first.id });
    await keys.rotate(ctx, { id: third.id, revokeOld: false });
  });

  it("of one key waits for no other key of its consumer", async () => {
    const { issue, ctx } = await setUp({ maxKeys: 2 });
    for (const { id } of [await issue(), await issue()]) await keys.rotate(ctx, { id, revokeOld: false });
    const states = (await keys.list(ctx, { consumerId: ctx.actor.consumerId })).map(({ state }) => state);
    expect(states.toSorted()).toEqual(["active", "active", "superseded", "superseded"]);
  });

  it("of one key, twenty times at once, makes one heir", async () => {
    const { issue, ctx, consumer } = await setUp();
    const { id } = await issue();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, () => keys.rotate(ctx, { id, revokeOld: true })),
    );
    expect(outcomes.filter((outcome) => outcome.status === "fulfilled")).toHaveLength(1);
    expect(await keys.list(ctx, { consumerId: consumer.id })).toHaveLength(2);
  });

  it("is refused for a key that somebody revokes at that very moment", async () => {
    const { issue, ctx, consumer } = await setUp();
    const { id } = await issue();
    let rotating: Promise<unknown> | undefined;
    await database.db.transaction(async (tx) => {
      await keys.revoke({ ...ctx, db: tx }, { id });
      rotating = keys.rotate(ctx, { id, revokeOld: false });
      rotating.catch(() => {});
      await untilWaiting(database.sql, 1);
    });
    await expect(rotating).rejects.toMatchObject({ code: "conflict" });
    expect((await keys.list(ctx, { consumerId: consumer.id })).map(({ state }) => state)).toEqual(["revoked"]);
  });

  it("is refused for superseded, revoked and expired keys", async () => {
    const { issue, ctx } = await setUp({ maxKeys: 5 });
    const [superseded, revoked, expired] = [await issue(), await issue(), await issue({ expiresAt: inHours(1) })];
    await keys.rotate(ctx, { id: superseded.id, revokeOld: false });
    await keys.revoke(ctx, { id: revoked.id });
    for (const { id } of [superseded, revoked, expired])
      await expect(keys.rotate({ ...ctx, now: inHours(2) }, { id, revokeOld: true })).rejects.toMatchObject({
        code: "conflict",
      });
  });
});

describe("the list", () => {
  it("names who made each key; nobody for those of the command line and of accounts that are gone", async () => {
    const { issue, ctx, consumer } = await setUp({ maxKeys: 3 });
    const teammate = await makeAccount(database);
    await database.db.insert(members).values({ consumerId: consumer.id, accountId: teammate.id, role: "owner" });
    const own = await issue();
    const operators = database.as({ kind: "operator", accountId: null });
    const operated = await keys.issue(operators, { consumerId: consumer.id, name: "Key" });
    const theirs = await keys.issue(
      { ...ctx, actor: { ...ctx.actor, accountId: teammate.id } },
      { consumerId: consumer.id, name: "Key" },
    );
    const names = async () =>
      (await keys.list(ctx, { consumerId: consumer.id })).map(({ id, createdBy }) => [id, createdBy]);
    expect(await names()).toEqual([
      [theirs.id, teammate.name],
      [operated.id, null],
      [own.id, consumer.owner.name],
    ]);
    await database.db.delete(accounts).where(eq(accounts.id, teammate.id));
    expect((await names())[0]).toEqual([theirs.id, null]);
  });

  it("says of a key that was revoked that it was, also once it would have expired", async () => {
    const { issue, ctx, consumer } = await setUp();
    const { id } = await issue({ expiresAt: new Date(ctx.now.getTime() + 60_000) });
    await keys.revoke(ctx, { id });
    const later = { ...ctx, now: new Date(ctx.now.getTime() + 120_000) };
    expect(await keys.list(later, { consumerId: consumer.id })).toMatchObject([{ state: "revoked" }]);
  });
});

describe("the audit", () => {
  it("names who issued and revoked, and cannot be changed", async () => {
    const { issue, ctx, consumer } = await setUp();
    const { id } = await issue();
    await keys.revoke(ctx, { id });
    const rows = await database.sql`select action, actor_kind, actor_id from audit where target_id = ${id} order by id`;
    expect(rows.map((row) => row.action)).toEqual(["key.issue", "key.revoke"]);
    expect(rows[0]).toMatchObject({ actor_kind: "member", actor_id: consumer.owner.id });
    await expect(database.sql`update audit set action = 'x'`).rejects.toThrow("insert-only");
    await expect(database.sql`delete from audit`).rejects.toThrow("insert-only");
    await expect(database.sql`truncate audit`).rejects.toThrow("insert-only");
  });
});
