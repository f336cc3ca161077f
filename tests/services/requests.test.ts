// The log at its edges: filters that few rows match, and days that are over.
import { beforeEach, describe, expect, it } from "vitest";
import type { Sql } from "../../db/client";
import { composing } from "../../db/compose";
import type { Ctx, Member } from "../../server/context";
import * as partitions from "../../server/services/partitions";
import * as requests from "../../server/services/requests";
import * as retention from "../../server/services/retention";
import * as usage from "../../server/services/usage";
import * as usageReport from "../../server/services/usage-report";
import * as rollup from "../../server/services/usage-rollup";
import { testDatabase, untilWaiting } from "../support/database";
import { makeConsumer, makeReader, makeStore } from "../support/factories";

const database = testDatabase();
const DAY_MS = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);

async function makeMember(on = database) {
  const { id, owner } = await makeConsumer(on);
  return { kind: "member", accountId: owner.id, consumerId: id, role: "owner" } satisfies Member;
}

const told = { method: "tools/call", status: 200, latencyUs: 1, requestBytes: 1, responseBytes: 1, client: {} };

describe("a row", () => {
  it("has each value in its own column, also beside one of the same turn that has hardly any", async () => {
    const store = await makeStore(database);
    const { id, owner } = await makeConsumer(database);
    const caller = { consumerId: id, keyId: store.merchantId, accountId: owner.id, endpoint: "api" } as const;
    const [full, bare] = [
      { ...database.as({ kind: "anonymous" }), actor: caller },
      { ...database.as({ kind: "anonymous" }), actor: { ...caller, keyId: null, accountId: null } },
    ];
    const asked = { a: [null, 1, '\u001f"{,}'], b: {} };
    await Promise.all([
      usage.record(full, {
        ...{ method: "m", tool: "t", storeId: store.id, productIds: ['a "quoted", id', "b", "b"], status: 206 },
        ...{ errorCode: "e", latencyUs: 11, requestBytes: 12, responseBytes: 13, arguments: asked, problem: "p" },
        client: { clientName: "n", locale: "pt-BR", country: "BR", region: "r", city: "c", session: "s", subject: "u" },
      }),
      usage.record(bare, { ...told, productIds: ["of no store that was read"] }),
    ]);
    const [event, other] = await database.sql`
      select * from usage_events where consumer_id = ${id} order by request_id = ${bare.requestId}`;
    const hash = expect.objectContaining({ length: 32 });
    expect(event).toEqual({
      ...{ request_id: full.requestId, at: full.now, consumer_id: id, key_id: store.merchantId, account_id: owner.id },
      ...{ endpoint: "api", method: "m", tool: "t", store_id: store.id, status: 206, error_code: "e", latency_us: 11 },
      ...{ request_bytes: 12, response_bytes: 13, client_name: "n", locale: "pt-BR", country: "BR", region: "r" },
      ...{ city: "c", session_hash: hash, subject_hash: hash, product_ids: ['a "quoted", id', "b"] },
    });
    expect(event!.session_hash).not.toEqual(event!.subject_hash);
    const present = Object.entries(other!).filter(([, value]) => value !== null);
    expect(Object.fromEntries(present)).toEqual({
      ...{ request_id: bare.requestId, at: bare.now, consumer_id: id, endpoint: "api", method: "tools/call" },
      ...{ status: 200, latency_us: 1, request_bytes: 1, response_bytes: 1 },
    });
    expect(await database.sql`select * from request_arguments where consumer_id = ${id}`).toEqual([
      { request_id: full.requestId, at: full.now, consumer_id: id, arguments: asked, problem: "p" },
    ]);
  });
});

describe("the list", () => {
  /** What the statements of `ask` are planned as. */
  async function plansOf(member: Member, ask: (ctx: Ctx<Member>) => Promise<unknown>) {
    const plans: string[] = [];
    const explained = Object.assign((...part: unknown[]) => Reflect.apply(database.sql, undefined, part), {
      async unsafe(text: string, parameters: never[]) {
        const plan = await database.sql.unsafe(`explain ${text}`, parameters);
        plans.push(plan.map((line) => line["QUERY PLAN"]).join("\n"));
        return database.sql.unsafe(text, parameters);
      },
    });
    const sql = composing(Object.setPrototypeOf(explained, database.sql)) as Sql;
    await ask({ ...database.as(member), sql });
    return plans;
  }

  it.each([
    [{}, "consumer_id_at_idx"],
    [{ outcome: "failed" }, "consumer_id_at_idx1"],
    [{ tool: "get_offers" }, "consumer_id_at_idx"],
  ])("asked for with %j is read from its newest end by an index, each page of it", async (filters, index) => {
    const member = await makeMember();
    await database.sql`
      insert into usage_events (request_id, at, consumer_id, endpoint, method, tool, status, error_code, latency_us, request_bytes, response_bytes)
      select gen_random_uuid(), now() - n * interval '1 second', case when n % 4 = 0 then ${member.consumerId}::uuid else gen_random_uuid() end,
        'api', 'tools/call', 'get_offers', 200, case when n % 32 = 0 then 'product_not_found' end, 1, 1, 1 from generate_series(1, 20000) n`;
    await database.sql`analyze usage_events`;
    const list = (ctx: Ctx<Member>, cursor?: string) =>
      requests.list(ctx, requests.ListRequests.parse({ ...filters, cursor }));
    const plans = await plansOf(member, async (ctx) => list(ctx, (await list(ctx)).next));
    const read = plans.map((plan) => /-> +(.*Scan.*?) on usage_events/.exec(plan)?.[1]);
    const byIndex = expect.stringMatching(new RegExp(`^Index Scan Backward using usage_events_\\w+_${index}$`));
    expect(read).toEqual(read.map(() => byIndex));
    expect(read.length).toBeGreaterThanOrEqual(2);
  });
});

describe("a filter that few rows match", () => {
  it("reads so many rows a page and no more, says how far it came, and goes on from there to the last row", async () => {
    const member = await makeMember();
    await database.sql`
      insert into usage_events (request_id, at, consumer_id, endpoint, method, tool, status, latency_us, request_bytes, response_bytes)
      select gen_random_uuid(), date_trunc('milliseconds', now()) - n * interval '1 second', ${member.consumerId}, 'api', 'tools/call',
        case when n in (5, 10001, 20001) then 'rare' else 'usual' end, 200, 1, 1, 1 from generate_series(1, 22500) n`;
    const pages: requests.RequestPage[] = [];
    let cursor: string | undefined;
    do {
      const page = await requests.list(database.as(member), { tool: "rare", cursor });
      pages.push(page);
      cursor = page.next;
    } while (cursor);
    expect(pages.map((page) => page.requests.length)).toEqual([1, 1, 1]);
    expect(pages.map((page) => page.searchedTo !== undefined)).toEqual([true, true, false]);
    // And back, page by page, to the first.
    const back = await requests.list(database.as(member), { tool: "rare", cursor: pages[2]!.previous });
    expect(back.requests.map(({ tool }) => tool)).toEqual(["rare"]);
    expect((await requests.list(database.as(member), { tool: "usual" })).requests).toHaveLength(50);
  });

  it("loses no row on the way back from where none was newer", async () => {
    const member = await makeMember();
    await database.sql`
      insert into usage_events (request_id, at, consumer_id, endpoint, method, tool, status, latency_us, request_bytes, response_bytes)
      select gen_random_uuid(), date_trunc('milliseconds', now()) - n * interval '1 second', ${member.consumerId}, 'api', 'tools/call',
        case when n in (10500, 10600) then 'rare' else 'usual' end, 200, 1, 1, 1 from generate_series(1, 22500) n`;
    const rare = (cursor?: string) => requests.list(database.as(member), { tool: "rare", cursor });
    const first = await rare();
    const both = await rare(first.next);
    const newer = await rare(both.previous);
    expect([first, both, newer].map((page) => page.requests.length)).toEqual([0, 2, 0]);
    expect((await rare(newer.next)).requests).toEqual(both.requests);
    // Nor on the way forward again, from a page that is empty at its other end.
    const newest = await rare(newer.previous);
    expect([newest.requests, newest.previous]).toEqual([[], undefined]);
    expect(newest.next).toBeDefined();
  });

  it("gives each of many requests of one millisecond once", async () => {
    const member = await makeMember();
    await database.sql`
      insert into usage_events (request_id, at, consumer_id, endpoint, method, status, latency_us, request_bytes, response_bytes)
      select gen_random_uuid(), date_trunc('hour', now()), ${member.consumerId}, 'api', 'ping', 200, 1, 1, 1 from generate_series(1, 120) n`;
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await requests.list(database.as(member), { cursor });
      seen.push(...page.requests.map(({ requestId }) => requestId));
      cursor = page.next;
    } while (cursor);
    expect(new Set(seen).size).toBe(120);
    expect(seen).toHaveLength(120);
  });

  it("takes no cursor of another query, nor of another tenant", async () => {
    const [one, other] = [await makeMember(), await makeMember()];
    const reader = await makeReader(database, { consumerId: one.consumerId });
    for (let i = 0; i < 51; i++) await usage.record(database.as({ ...reader, consumerId: one.consumerId }), told);
    const { next } = await requests.list(database.as(one), {});
    expect(next).toBeDefined();
    await expect(requests.list(database.as(other), { cursor: next })).rejects.toMatchObject({
      code: "invalid_arguments",
    });
    await expect(requests.list(database.as(one), { cursor: next, tool: "x" })).rejects.toMatchObject({
      code: "invalid_arguments",
    });
  });
});

describe("the log", () => {
  it("is filtered by what became of requests, each with its own outcome and no other", async () => {
    const member = await makeMember();
    const reader = await makeReader(database, { consumerId: member.consumerId });
    const ended: [status: number, errorCode: string | undefined, outcomes: requests.Outcome[]][] = [
      [200, undefined, ["answered"]],
      [200, "invalid_arguments", ["failed", "error"]],
      [401, "revoked", ["failed", "refused", "401"]],
      [403, "insufficient_scope", ["failed", "refused", "403"]],
      [429, "rate_limited", ["failed", "refused", "429"]],
      [503, "unavailable", ["failed", "error", "500"]],
      [500, "interrupted", ["failed", "error", "interrupted"]],
    ];
    for (const [status, errorCode] of ended) await usage.record(database.as(reader), { ...told, status, errorCode });
    for (const outcome of requests.ListRequests.shape.outcome.unwrap().options) {
      const { requests: found } = await requests.list(database.as(member), { outcome });
      const wanted = ended.filter(([, , outcomes]) => outcomes.includes(outcome)).map(([status]) => status);
      expect(found.map(({ status }) => status).toSorted(), outcome).toEqual(wanted.toSorted());
    }
  });

  it("goes back ninety days", async () => {
    const member = await makeMember();
    const reader = await makeReader(database, { consumerId: member.consumerId });
    const { requestId } = database.as(member);
    await usage.record({ ...database.as(reader, daysAgo(90)), requestId }, told);
    expect((await requests.list(database.as(member), {})).requests).toMatchObject([{ requestId }]);
  });
});

describe("a store that may not be read", () => {
  it("is named neither in the log nor in the usage of those who asked for its id", async () => {
    const member = await makeMember();
    const reader = await makeReader(database, { consumerId: member.consumerId });
    const store = await makeStore(database, { name: "Hidden Harbour" });
    const asked = { ...told, tool: "get_store_info", storeId: store.id };
    await usage.record(database.as(reader), { ...asked, errorCode: "store_not_available" });
    const [refused] = (await requests.list(database.as(member), {})).requests;
    expect(refused).toMatchObject({ errorCode: "store_not_available", storeName: null });
    expect(await requests.get(database.as(member), refused!)).toMatchObject({ storeName: null });
    const counted = async () => {
      await rollup.rollUp(database);
      const report = await usageReport.read(database.as(member), { range: "24h" });
      return JSON.stringify(report).includes("Hidden Harbour");
    };
    expect(await counted()).toBe(false);
    await usage.record(database.as(reader), asked);
    expect(await counted()).toBe(true);
  });

  it("is not named by rows of earlier releases either, which have the store of every call", async () => {
    const { id, owner } = await makeConsumer(database, { state: "production" });
    const member = { kind: "member", accountId: owner.id, consumerId: id, role: "owner" } satisfies Member;
    const reader = await makeReader(database, { consumerId: id });
    const store = await makeStore(database, { name: "Hidden Harbour", ai_discovery: false });
    const row = (tool: string, errorCode?: string) =>
      usage.record(database.as(reader), { ...told, tool, storeId: store.id, errorCode });
    const named = async () => {
      await rollup.rollUp(database);
      const { requests: log } = await requests.list(database.as(member), {});
      const report = await usageReport.read(database.as(member), { range: "24h" });
      return {
        log: log.filter(({ storeName }) => storeName).map(({ tool, errorCode }) => errorCode ?? tool),
        usage: JSON.stringify(report).includes("Hidden Harbour"),
      };
    };
    await row("lookup_products");
    for (const code of ["store_not_available", "cursor_invalid", "invalid_arguments", "internal_error", "unavailable"])
      await row("get_promotions", code);
    expect(await named()).toEqual({ log: [], usage: false });
    // While it may be read, its name is no secret.
    await database.sql`update stores set ai_discovery = true where id = ${store.id}`;
    expect(await named()).toEqual({ log: ["lookup_products"], usage: true });
    await database.sql`update stores set ai_discovery = false where id = ${store.id}`;
    expect(await named()).toEqual({ log: [], usage: false });
    // Nor is the name of one that was read once.
    await row("get_product", "product_not_found");
    await row("get_product");
    expect(await named()).toEqual({ log: ["get_product", "product_not_found"], usage: true });
  });
});

const dayOf = (at: Date) => at.toISOString().slice(0, 10).replaceAll("-", "");

describe("retention", () => {
  beforeEach(() => partitions.make(database.sql, new Date()));

  const days = async (table: string) => {
    const rows = await database.sql`
      select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = ${table}::regclass and c.relname <> ${`${table}_default`} order by 1`;
    return rows.map(({ name }) => String(name).slice(-8));
  };

  it("drops the days of arguments after 7 and of the log after 90, and makes the week to come", async () => {
    const now = new Date();
    const before = (days: number) => new Date(now.getTime() - days * DAY_MS);
    for (const old of [100, 91, 90, 89, 8, 7, 6]) await partitions.make(database.sql, before(old + 7));
    await retention.run(database.as({ kind: "system" }, now));
    expect((await days("request_arguments"))[0]).toBe(dayOf(before(7)));
    expect((await days("usage_events"))[0]).toBe(dayOf(before(90)));
    for (const table of ["usage_events", "request_arguments"])
      expect((await days(table)).at(-1)).toBe(dayOf(before(-7)));
  });

  it("lets a request stay when its arguments are forgotten, and shows none older than 7 days though the drop is late", async () => {
    const member = await makeMember();
    const reader = { ...(await makeReader(database)), consumerId: member.consumerId };
    const ctx = database.as(reader, daysAgo(6.9));
    const at = ctx.now.getTime().toString(16).padStart(12, "0");
    const requestId = `${at.slice(0, 8)}-${at.slice(8)}-7${crypto.randomUUID().slice(15)}`;
    await usage.record({ ...ctx, requestId }, { ...told, arguments: { query: "tent" } });
    expect((await requests.get(database.as(member), { requestId })).asked).toMatchObject({
      arguments: { query: "tent" },
    });
    const later = await requests.get(database.as(member, daysAgo(-0.2)), { requestId });
    expect(later).toMatchObject({ requestId, asked: null, isForgotten: true });
  });

  it("forgets failures after 30 days, and usage by the minute and the hour when no range shows it", async () => {
    const member = await makeMember();
    const row = (grain: string, at: Date) => database.sql`
      insert into usage_rollups values (${member.consumerId}, ${grain}, ${at}, 'all', '', 1, 0, 0, '{}', '{}')`;
    for (const grain of ["minute", "hour", "day"])
      for (const age of [0.01, 2, 40, 399, 401]) await row(grain, daysAgo(age));
    for (const age of [29, 31])
      await database.sql`insert into failures values (${crypto.randomUUID()}, ${daysAgo(age)}, 'mcp', null, 'E', 'm', null)`;
    await retention.run(database.as({ kind: "system" }));
    const left = await database.sql`
      select grain, count(*)::int as n from usage_rollups where consumer_id = ${member.consumerId} group by 1 order by 1`;
    expect([...left]).toEqual([
      { grain: "day", n: 4 },
      { grain: "hour", n: 2 },
      { grain: "minute", n: 1 },
    ]);
    const [failures] = await database.sql`select count(*)::int as n from failures`;
    expect(failures!.n).toBe(1);
  });
});

describe("a partition made late", () => {
  const later = testDatabase();

  it("takes what came before it, uncounted: it was counted when it came", async () => {
    const member = await makeMember(later);
    const far = daysAgo(-20);
    await later.sql`
      insert into usage_events (request_id, at, consumer_id, endpoint, method, status, latency_us, request_bytes, response_bytes, city)
      select gen_random_uuid(), ${far}, ${member.consumerId}, 'api', 'ping', 200, 1, 1, 1, 'São "Paulo", (x)' from generate_series(1, 3)`;
    await partitions.make(later.sql, daysAgo(-15));
    const [moved] = await later.sql`
      select count(*)::int as n, min(city) as city from ${later.sql(`usage_events_${dayOf(far)}`)} where consumer_id = ${member.consumerId}`;
    expect(moved).toEqual({ n: 3, city: 'São "Paulo", (x)' });
    const [pending] =
      await later.sql`select count(*)::int as n from usage_pending where consumer_id = ${member.consumerId}`;
    expect(pending!.n).toBe(3);
  });

  it("takes what comes while it is being made", async () => {
    const member = await makeMember(later);
    const far = daysAgo(-40);
    let making: Promise<void> | undefined;
    await later.sql.begin(async (tx) => {
      await tx`
        insert into usage_events (request_id, at, consumer_id, endpoint, method, status, latency_us, request_bytes, response_bytes)
        values (gen_random_uuid(), ${far}, ${member.consumerId}, 'api', 'ping', 200, 1, 1, 1)`;
      making = partitions.make(later.sql, far);
      await untilWaiting(later.sql, 1);
    });
    await making;
    // On a busy machine it may have given way.
    await partitions.make(later.sql, far);
    const [moved] = await later.sql`
      select count(*)::int as n from ${later.sql(`usage_events_${dayOf(far)}`)} where consumer_id = ${member.consumerId}`;
    expect(moved!.n).toBe(1);
  });
});
