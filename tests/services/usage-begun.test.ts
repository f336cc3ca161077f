// A request is on disk before its answer leaves, and its row follows: none is lost, and none comes twice.
import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { newRequestId } from "../../server/context";
import * as admission from "../../server/services/key-admission";
import * as keys from "../../server/services/keys";
import * as requests from "../../server/services/requests";
import * as usage from "../../server/services/usage";
import { recordInterrupted, settled, unwritten } from "../../server/services/usage-begun";
import { firstCall } from "../../server/services/usage-report";
import { issueKey } from "../support/clients";
import { testDatabase, untilWaiting } from "../support/database";
import { makeConsumer } from "../support/factories";

const database = testDatabase();
const LATER_MS = 120_000;
const event: usage.UsageEvent = {
  method: "tools/call",
  tool: "list_stores",
  status: 200,
  latencyUs: 900,
  requestBytes: 1,
  responseBytes: 1,
  client: {},
  arguments: { limit: 3 },
};

/** A request of a key, admitted; `ctx` is its own. */
async function begin(
  value: string,
  { method, tool }: Pick<usage.UsageEvent, "method" | "tool"> = event,
  now = new Date(),
) {
  const anonymous = database.as({ kind: "anonymous" }, now);
  const presented = admission.presented(anonymous, value);
  const { consumer, begun } = await admission.admit(anonymous, presented, {
    requestId: anonymous.requestId,
    at: anonymous.now,
    method,
    tool,
  });
  return { ctx: { ...anonymous, actor: consumer }, begun: begun! };
}

async function makeKey() {
  const consumer = await makeConsumer(database);
  return { consumer, key: await issueKey(database, consumer.id) };
}

const rowsOf = (consumerId: string) => database.sql`
  select request_id, tool, method, status, error_code, key_id from usage_events where consumer_id = ${consumerId} order by request_id`;
const begunOf = async (requestId: string) =>
  (await database.sql`select from usage_begun where ${requestId} = any (request_ids)`).length;
const muchLater = () => ({ ...database, now: new Date(Date.now() + LATER_MS) });

describe("a request by key", () => {
  it("is on disk as begun once it is let through, and is taken from there with its row", async () => {
    const { consumer, key } = await makeKey();
    const { ctx, begun } = await begin(key.value);
    expect(await begunOf(ctx.requestId)).toBe(1);
    await usage.record(ctx, event, begun);
    await settled(database);
    expect(await begunOf(ctx.requestId)).toBe(0);
    expect([...(await rowsOf(consumer.id))]).toMatchObject([
      { request_id: ctx.requestId, tool: "list_stores", status: 200, key_id: key.id },
    ]);
    const [asked] = await database.sql`select arguments from request_arguments where request_id = ${ctx.requestId}`;
    expect(asked).toEqual({ arguments: { limit: 3 } });
  });

  it("says when its key was last used: not within a minute again, and once that is over, whichever instance said it", async () => {
    const { key } = await makeKey();
    const from = Date.now();
    const lastUsed = async (seconds: number) => {
      const { ctx, begun } = await begin(key.value);
      await usage.record({ ...ctx, now: new Date(from + seconds * 1_000) }, event, begun);
      const [row] = await database.sql<[{ last_used_at: Date }]>`select last_used_at from keys where id = ${key.id}`;
      return (row.last_used_at.getTime() - from) / 1_000;
    };
    expect([await lastUsed(0), await lastUsed(59), await lastUsed(61), await lastUsed(62)]).toEqual([0, 0, 61, 61]);
    await database.sql`update keys set last_used_at = ${new Date(from + 111_000)} where id = ${key.id}`;
    expect([await lastUsed(122), await lastUsed(172)]).toEqual([111, 172]);
    await settled(database);
  });

  it("is its consumer's first call for whoever asks once it is answered, though its row is still to follow", async () => {
    const { consumer, key } = await makeKey();
    const owner = { kind: "member", accountId: consumer.owner.id, consumerId: consumer.id, role: "owner" } as const;
    const { ctx, begun } = await begin(key.value);
    await usage.record(ctx, event, begun);
    expect(await begunOf(ctx.requestId)).toBe(1);
    expect(await firstCall(database.as(owner))).toEqual(ctx.now);
  });

  it("is found by its id for its consumer and operators once it is answered, though its row is still to follow", async () => {
    const { consumer, key } = await makeKey();
    const owner = { kind: "member", accountId: consumer.owner.id, consumerId: consumer.id, role: "owner" } as const;
    for (const find of [
      (requestId: string) => requests.get(database.as(owner), { requestId }),
      (requestId: string) =>
        requests
          .getAny(database.as({ kind: "operator", accountId: null }), { requestId })
          .then(({ request }) => request!),
    ]) {
      const { ctx, begun } = await begin(key.value);
      await usage.record(ctx, event, begun);
      expect(await begunOf(ctx.requestId)).toBe(1);
      expect(await find(ctx.requestId)).toMatchObject({ requestId: ctx.requestId, tool: event.tool });
    }
  });

  it("that never ends keeps nobody waiting who asks for the first call", async () => {
    const { consumer, key } = await makeKey();
    const owner = { kind: "member", accountId: consumer.owner.id, consumerId: consumer.id, role: "owner" } as const;
    await begin(key.value, event, new Date(Date.now() - 5_000));
    expect(await firstCall(database.as(owner))).toBeNull();
  });

  it("has not begun where the key does not work, also beside one that does", async () => {
    const [{ key: good }, { key: bad }] = [await makeKey(), await makeKey()];
    await begin(bad.value);
    await keys.revoke(database.as({ kind: "operator", accountId: null }), { id: bad.id });
    const refused = expect(begin(bad.value)).rejects.toMatchObject({ reason: "revoked" });
    const { begun } = await begin(good.value);
    await refused;
    const [row] = await database.sql`select key_ids from usage_begun where id = ${begun.id}`;
    expect(row!.key_ids).toEqual([good.id]);
  });

  it("has its own row however many began with it, and whenever they end", async () => {
    const { consumer, key } = await makeKey();
    const all = await Promise.all(Array.from({ length: 30 }, () => begin(key.value)));
    expect(new Set(all.map(({ begun }) => begun.id)).size).toBeLessThan(30);
    for (const part of [all.slice(0, 1), all.slice(1, 20), all.slice(20)]) {
      expect(await begunOf(all[29]!.ctx.requestId)).toBe(1);
      await Promise.all(part.map(({ ctx, begun }) => usage.record(ctx, event, begun)));
      await settled(database);
    }
    expect((await rowsOf(consumer.id)).map((row) => row.request_id)).toEqual(
      all.map(({ ctx }) => ctx.requestId).toSorted(),
    );
    expect(await begunOf(all[29]!.ctx.requestId)).toBe(0);
  });

  it("has a row also where so many were refused that others of them have none, so that it is counted once", async () => {
    const { consumer, key } = await makeKey();
    const over = { ...event, status: 429, errorCode: "rate_limited" };
    // Of each minute a hundred have a row.
    const now = new Date();
    const beginNow = () => begin(key.value, event, now);
    for (let i = 0; i < 100; i++) await usage.record((await beginNow()).ctx, over);
    const [{ ctx, begun }, without] = [await beginNow(), await beginNow()];
    await usage.record(ctx, over, begun);
    await usage.record(without.ctx, over);
    await settled(database);
    expect([(await rowsOf(consumer.id)).length, await begunOf(ctx.requestId)]).toEqual([101, 0]);
    const [pending] =
      await database.sql`select sum(times)::int as n from usage_pending where consumer_id = ${consumer.id}`;
    expect(pending!.n).toBe(102);
  });

  it("is answered though it cannot be written down that its key was used; the next one tries again", async () => {
    const { key } = await makeKey();
    const lastUsed = async () =>
      (await database.sql`select last_used_at from keys where id = ${key.id}`)[0]!.last_used_at;
    const first = await begin(key.value);
    await database.sql.begin(async (tx) => {
      await tx`select from keys where id = ${key.id} for update`;
      const recorded = usage.record(first.ctx, event, first.begun);
      await untilWaiting(database.sql, 1);
      await tx`select pg_cancel_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      await recorded;
    });
    expect(await lastUsed()).toBeNull();
    const next = await begin(key.value);
    await usage.record(next.ctx, event, next.begun);
    await settled(database);
    expect(await lastUsed()).toEqual(next.ctx.now);
  });
});

describe("rows that follow", () => {
  it("wait while the database does not take them", async () => {
    const { consumer, key } = await makeKey();
    const { ctx, begun } = await begin(key.value);
    await database.sql.begin(async (tx) => {
      await tx`lock table usage_events in exclusive mode`;
      await usage.record(ctx, event, begun);
      await untilWaiting(database.sql, 1);
      // As the server does with what waits for too long.
      await tx`select pg_cancel_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      await untilWaiting(database.sql, 1);
    });
    await settled(database);
    expect(await rowsOf(consumer.id)).toHaveLength(1);
  });

  it("hold up answers once ten thousand wait, until there is room and no longer", async () => {
    const { consumer, key } = await makeKey();
    const { ctx, begun } = await begin(key.value);
    begun.left = 10_501;
    const record = () => usage.record({ ...ctx, requestId: newRequestId() }, event, begun);
    let isHeld = true;
    let last: Promise<void> | undefined;
    await database.sql.begin(async (tx) => {
      await tx`lock table usage_events in exclusive mode`;
      // The first are taken from the queue, and wait for the lock.
      await Promise.all(Array.from({ length: 500 }, record));
      await untilWaiting(database.sql, 1);
      await Promise.all(Array.from({ length: 10_000 }, record));
      last = record().then(() => {
        isHeld = false;
      });
      await untilWaiting(database.sql, 1);
      expect(isHeld).toBe(true);
    });
    await last;
    expect(unwritten(database)).toBeGreaterThan(0);
    await settled(database);
    const [rows] = await database.sql`select count(*)::int as n from usage_events where consumer_id = ${consumer.id}`;
    expect([rows!.n, await begunOf(ctx.requestId)]).toEqual([10_501, 0]);
  });

  it("are there once where they were written already, and only the word of it was lost", async () => {
    const { consumer, key } = await makeKey();
    const [one, other] = await Promise.all([begin(key.value), begin(key.value)]);
    await usage.record(one.ctx, event, one.begun);
    await settled(database);
    one.begun.left += 1;
    await Promise.all([one, other].map(({ ctx, begun }) => usage.record(ctx, event, begun)));
    await settled(database);
    expect((await rowsOf(consumer.id)).map((row) => row.request_id)).toEqual([one.ctx.requestId, other.ctx.requestId]);
    expect(await begunOf(other.ctx.requestId)).toBe(0);
  });

  it("are kept from the log by no other that cannot be written", async () => {
    const { consumer, key } = await makeKey();
    const [good, bad, last] = [await begin(key.value), await begin(key.value), await begin(key.value)];
    const tooSlow = { ...event, latencyUs: 2 ** 40 };
    await Promise.all([
      usage.record(good.ctx, event, good.begun),
      usage.record(bad.ctx, tooSlow, bad.begun),
      usage.record(last.ctx, event, last.begun),
    ]);
    await settled(database);
    expect((await rowsOf(consumer.id)).map((row) => row.request_id)).toEqual([good.ctx.requestId, last.ctx.requestId]);
    await recordInterrupted(muchLater());
    expect((await rowsOf(consumer.id)).map((row) => row.error_code)).toEqual([null, "interrupted", null]);
  });
});

describe("what a killed process left behind", () => {
  it("is recorded as interrupted, once, and only what has no row", async () => {
    const { consumer, key } = await makeKey();
    const [ended, tool, method] = await Promise.all([
      begin(key.value),
      begin(key.value, { method: "tools/call", tool: "get_offers" }),
      begin(key.value, { method: "tools/list" }),
    ]);
    await usage.record(ended.ctx, event, ended.begun);
    await settled(database);
    await recordInterrupted({ ...database, now: new Date() });
    expect(await rowsOf(consumer.id)).toHaveLength(1);
    await Promise.all([recordInterrupted(muchLater()), recordInterrupted(muchLater())]);
    await recordInterrupted(muchLater());
    const interrupted = { status: 500, error_code: "interrupted", key_id: key.id };
    expect([...(await rowsOf(consumer.id))]).toEqual([
      {
        request_id: ended.ctx.requestId,
        tool: "list_stores",
        method: "tools/call",
        status: 200,
        error_code: null,
        key_id: key.id,
      },
      { request_id: tool.ctx.requestId, tool: "get_offers", method: "tools/call", ...interrupted },
      { request_id: method.ctx.requestId, tool: null, method: "tools/list", ...interrupted },
    ]);
    const pending = await database.sql`
      select endpoint, count(*)::int as n from usage_pending where consumer_id = ${consumer.id} group by 1`;
    expect([...pending]).toEqual([{ endpoint: "api", n: 3 }]);
  });

  it("is told from what may still get its row, for which an outage leaves it ninety seconds", async () => {
    const { consumer, key } = await makeKey();
    const { begun } = await begin(key.value);
    const [{ at }] = await database.sql<[{ at: Date }]>`select at from usage_begun where id = ${begun.id}`;
    const codesAfter = async (ms: number) => {
      await recordInterrupted({ ...database, now: new Date(at.getTime() + ms) });
      return (await rowsOf(consumer.id)).map((row) => row.error_code);
    };
    expect(await codesAfter(89_000)).toEqual([]);
    expect(await codesAfter(91_000)).toEqual(["interrupted"]);
  });

  it("is recorded without what another instance is about to record, for which nobody waits", async () => {
    const { consumer, key } = await makeKey();
    const [held, other] = [await begin(key.value), await begin(key.value)];
    await database.sql.begin(async (tx) => {
      await tx`select from usage_begun where id = ${held.begun.id} for update`;
      await recordInterrupted(muchLater());
      expect((await rowsOf(consumer.id)).map((row) => row.request_id)).toEqual([other.ctx.requestId]);
    });
    await recordInterrupted(muchLater());
    expect(await rowsOf(consumer.id)).toHaveLength(2);
  });

  it("is recorded at the moment when it came, however much there is", async () => {
    const { consumer, key } = await makeKey();
    const { ctx, begun } = await begin(key.value);
    await database.sql`
      insert into usage_begun (id, at, request_ids, times, key_ids, called)
      select gen_random_uuid(), b.at, array[gen_random_uuid()], b.times, b.key_ids, b.called
      from usage_begun b, generate_series(1, 250) where b.id = ${begun.id}`;
    await recordInterrupted(muchLater());
    const rows = await database.sql`select distinct at from usage_events where consumer_id = ${consumer.id}`;
    expect([...rows]).toEqual([{ at: ctx.now }]);
    expect(await rowsOf(consumer.id)).toHaveLength(251);
    expect(await begunOf(ctx.requestId)).toBe(0);
  });

  it("has no second row should its own come after all, which the log tells", async () => {
    const { consumer, key } = await makeKey();
    const [late, other] = [await begin(key.value), await begin(key.value)];
    const lines: string[] = [];
    const log = pino({ level: "warn" }, { write: (line) => void lines.push(line) });
    await usage.record({ ...other.ctx, log }, event, other.begun);
    await settled(database);
    expect(lines).toEqual([]);
    await recordInterrupted(muchLater());
    await usage.record({ ...late.ctx, log }, event, late.begun);
    await settled(database);
    expect((await rowsOf(consumer.id)).map((row) => row.error_code)).toEqual(["interrupted", null]);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: 40, rows: 1 }]);
  });
});
