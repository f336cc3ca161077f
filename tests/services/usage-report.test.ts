// What the Usage page shows is what the log has, for every range, rolled up or still pending.
import { describe, expect, it } from "vitest";
import type { Member, Operator } from "../../server/context";
import { usage } from "../../server/services/consumers/usage";
import * as report from "../../server/services/usage-report";
import { rollUp } from "../../server/services/usage-rollup";
import { type Range, ranges } from "../../server/services/usage-steps";
import { testDatabase } from "../support/database";
import { makeConsumer, makeStore } from "../support/factories";
import { rollUpAll } from "../support/usage";

const database = testDatabase();
const operator = { kind: "operator", accountId: null } satisfies Operator;

async function makeMember(given: Parameters<typeof makeConsumer>[1] = {}) {
  const { id, slug, owner } = await makeConsumer(database, given);
  return { slug, actor: { kind: "member", accountId: owner.id, consumerId: id, role: "owner" } satisfies Member };
}

/** Requests of all ages up to a hundred days, most of them young. */
const write = (consumerId: string, count: number) => database.sql`
  insert into usage_events (request_id, at, consumer_id, endpoint, method, tool, status, error_code, latency_us, request_bytes, response_bytes, locale)
  select gen_random_uuid(), now() - random() ^ 6 * interval '100 days', ${consumerId}, 'api', 'tools/call',
    (array['search_products', 'get_product', 'list_stores'])[1 + floor(random() * 3)::int],
    case when n % 7 = 0 then 429 else 200 end, case when n % 7 = 0 then 'rate_limited' when n % 5 = 0 then 'invalid_arguments' end,
    1000 + n, 1, 1, case when n % 2 = 0 then 'de' end
  from generate_series(1, ${count}) n`;

async function expected(consumerId: string, from: Date, column: string) {
  const rows = await database.sql`
    select coalesce(${database.sql(column)}, '') as value, count(*)::int as calls, count(*) filter (where status = 200 and error_code is not null)::int as errors,
      count(*) filter (where status = 429)::int as refused
    from usage_events where consumer_id = ${consumerId} and at >= ${from} group by 1 order by calls desc, value`;
  return [...rows];
}
const shown = (shares: report.Share[]) =>
  shares.map(({ value, calls, errors, refused }) => ({ value, calls, errors, refused }));
const sum = (numbers: number[]) => numbers.reduce((total, n) => total + n, 0);

it("a table is whole as CSV, however many rows it has, with a name to each of them", async () => {
  const { slug, actor } = await makeMember({ state: "production", coverage: "default_on" });
  const { merchantId } = await makeStore(database, { name: "Store 0" });
  await database.sql`
    insert into stores (id, merchant_id, slug, name, url, country, currency, currencies)
    select gen_random_uuid(), ${merchantId}, ${slug} || n, 'Store ' || n, 'https://rope.example', 'GB', 'GBP', '{GBP}' from generate_series(1, 10100) n`;
  await database.sql`
    insert into usage_rollups (consumer_id, grain, at, dimension, value, calls, errors, refused, buckets, counts)
    select c.id, 'day', date_trunc('day', now(), 'UTC'), 'store', s.id::text, 1, 0, 0, '{1}', '{1}'
    from stores s, unnest(${[actor.consumerId, "00000000-0000-0000-0000-000000000000"]}::uuid[]) c (id) where s.merchant_id = ${merchantId}`;
  for (const csv of [
    await report.exportCsv(database.as(actor), { range: "30d", by: "store" }),
    await report.exportAnyCsv(database.as(operator), { range: "30d", by: "store" }),
  ]) {
    const names = csv.split("\r\n").map((line) => line.split(",")[1]);
    expect(new Set(names.filter((name) => /^Store \d+$/.test(name ?? ""))).size).toBe(10_101);
  }
});

describe("a report", () => {
  it.each(Object.keys(ranges) as Range[])(
    "over %s has every request of its steps, in total and by each dimension",
    async (range) => {
      const { actor, slug } = await makeMember();
      for (const count of [rollUpAll, rollUp, async () => 0]) {
        await write(actor.consumerId, 400);
        await count(database);
      }
      for (const read of [
        () => report.read(database.as(actor), { range }),
        () => report.readAny(database.as(operator), { range, consumer: slug }),
      ]) {
        const { series, total, shares } = await read();
        const from = series[0]!.at;
        expect(series).toHaveLength(ranges[range].steps);
        for (const [dimension, column] of [
          ["tool", "tool"],
          ["locale", "locale"],
        ] as const) {
          const rows = await expected(actor.consumerId, from, column);
          expect(shown(shares[dimension])).toEqual(rows);
          expect(total.calls).toBe(sum(rows.map(({ calls }) => calls)));
        }
        expect(sum(series.map(({ calls }) => calls))).toBe(total.calls);
        expect(sum(shares.error.map(({ calls }) => calls))).toBe(total.errors + total.refused);
        expect(total.p95!).toBeGreaterThanOrEqual(total.p50!);
      }
    },
  );

  it("has the latencies of each step, of each value and of all, rolled up or still pending", async () => {
    const { actor } = await makeMember();
    const hourAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);
    const call = (hours: number, tool: string, ms: number) => database.sql`
      insert into usage_events (request_id, at, consumer_id, endpoint, method, tool, status, latency_us, request_bytes, response_bytes)
      select gen_random_uuid(), ${hourAgo(hours)}, ${actor.consumerId}, 'api', 'tools/call', ${tool}, 200, ${ms * 1000}, 1, 1
      from generate_series(1, 10)`;
    await Promise.all([call(2, "get_product", 1), call(2, "list_stores", 100), call(1, "get_product", 10)]);
    const near = (ms: number) => expect.closeTo(ms, -Math.log10(2 * 0.05 * ms));
    for (const count of [async () => 0, rollUpAll]) {
      await count(database);
      const { series, shares, total } = await report.read(database.as(actor), { range: "24h" });
      expect(series.filter(({ calls }) => calls > 0)).toMatchObject([
        { calls: 20, p50: near(1), p95: near(100) },
        { calls: 10, p50: near(10), p95: near(10) },
      ]);
      expect(shares.tool).toMatchObject([
        { value: "get_product", p50: near(1), p95: near(10) },
        { value: "list_stores", p50: near(100), p95: near(100) },
      ]);
      expect(total).toMatchObject({ p50: near(10), p95: near(100) });
    }
  });

  it("has the latencies of a day with more calls than 32 bits count", async () => {
    const { actor } = await makeMember();
    await database.sql`
      insert into usage_rollups (consumer_id, grain, at, dimension, value, calls, errors, refused, buckets, counts)
      values (${actor.consumerId}, 'day', date_trunc('day', now(), 'UTC'), 'all', '', 3000000000, 0, 0, '{32}', '{3000000000}')`;
    const { total } = await report.read(database.as(actor), { range: "30d" });
    expect(total).toMatchObject({ calls: 3_000_000_000, p50: expect.closeTo(1.07) });
  });

  it("shows the twelve largest of each dimension, and says how many more there are", async () => {
    const { actor } = await makeMember();
    await database.sql`
      insert into usage_events (request_id, at, consumer_id, endpoint, method, tool, status, latency_us, request_bytes, response_bytes, locale)
      select gen_random_uuid(), now(), ${actor.consumerId}, 'api', 'tools/call', 'list_stores', 200, 1, 1, 1, 'x-' || to_char(n, 'FM00')
      from generate_series(1, 15) n, generate_series(1, n)`;
    const { shares, more } = await report.read(database.as(actor), { range: "1h" });
    expect(shares.locale.map(({ value, calls }) => [value, calls])).toEqual(
      Array.from({ length: 12 }, (_, i) => [`x-${String(15 - i).padStart(2, "0")}`, 15 - i]),
    );
    expect([more.locale, more.tool, more.store]).toEqual([3, 0, 0]);
  });

  it("has every reason of errors and refusals, so that the rarest is told too", async () => {
    const { actor } = await makeMember();
    await database.sql`
      insert into usage_events (request_id, at, consumer_id, endpoint, method, tool, status, error_code, latency_us, request_bytes, response_bytes)
      select gen_random_uuid(), now(), ${actor.consumerId}, 'api', 'tools/call', 'list_stores', 500, 'reason_' || n, 1, 1, 1
      from generate_series(1, 15) n, generate_series(1, n)`;
    const { shares, more, total } = await report.read(database.as(actor), { range: "1h" });
    expect(shares.error.map(({ calls }) => calls)).toEqual(Array.from({ length: 15 }, (_, i) => 15 - i));
    expect([more.error, total.errors + total.refused]).toEqual([0, 120]);
  });

  it("of a platform, for operators, has a tool's last call from the last hour that counts it, and looks at no other", async () => {
    const { actor } = await makeMember();
    const hour = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000 - 20 * 24 * 3_600_000);
    const call = (minutes: number) => database.sql`
      insert into usage_events (request_id, at, consumer_id, endpoint, method, tool, status, latency_us, request_bytes, response_bytes)
      values (gen_random_uuid(), ${new Date(hour.getTime() + minutes * 60_000)}, ${actor.consumerId}, 'api', 'tools/call', 'get_product', 200, 1, 1, 1)`;
    for (const minutes of [0, 59]) await call(minutes);
    await rollUp(database);
    await call(60); // not counted yet
    const { tools } = await usage(database.as(operator), { consumerId: actor.consumerId });
    expect(tools).toMatchObject([{ tool: "get_product", lastAt: new Date(hour.getTime() + 59 * 60_000) }]);
  });

  it("of a platform, for operators, has no other tool's call for one of whose last hour the log has no call", async () => {
    const { actor } = await makeMember();
    const hour = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000 - 20 * 24 * 3_600_000);
    const later = new Date(hour.getTime() + 5 * 24 * 3_600_000);
    // Refusals alike have no row of their own in the log.
    await database.sql`
      insert into usage_pending (at, consumer_id, endpoint, method, tool, status, error_code, latency_us, times)
      values (${new Date(hour.getTime() + 10 * 60_000)}, ${actor.consumerId}, 'api', 'tools/call', 'get_product', 429, 'rate_limited', 1, 7)`;
    await database.sql`
      insert into usage_events (request_id, at, consumer_id, endpoint, method, tool, status, latency_us, request_bytes, response_bytes)
      values (gen_random_uuid(), ${later}, ${actor.consumerId}, 'api', 'tools/call', 'list_stores', 200, 1, 1, 1)`;
    const lastOf = async () => {
      const { tools } = await usage(database.as(operator), { consumerId: actor.consumerId });
      return Object.fromEntries(tools.map(({ tool, lastAt }) => [tool, lastAt]));
    };
    await rollUp(database);
    expect(await lastOf()).toEqual({ get_product: hour, list_stores: later });
  });

  it("names the stores that the consumer may read or has read, and no other that was counted", async () => {
    const { actor } = await makeMember({ state: "production" });
    const [open, read, hidden] = [
      await makeStore(database),
      await makeStore(database, { ai_discovery: false }),
      await makeStore(database, { ai_discovery: false }),
    ];
    const call = (store: { id: string }, given: Record<string, unknown> = {}) => database.sql`
      insert into usage_events ${database.sql({
        ...{ request_id: crypto.randomUUID(), at: new Date(), consumer_id: actor.consumerId, endpoint: "api" },
        ...{ method: "tools/call", tool: "get_store_info", store_id: store.id, status: 200 },
        ...{ latency_us: 1, request_bytes: 1, response_bytes: 1, ...given },
      })}`;
    for (const store of [open, read, hidden]) await call(store);
    await rollUp(database);
    // What the rollups have of these two is all that is known of them: it may be of a call that was not answered.
    await database.sql`delete from usage_events where store_id in (${open.id}, ${hidden.id})`;
    // No read of this consumer, in this time, that was answered from the store.
    await call(hidden, { consumer_id: (await makeMember()).actor.consumerId });
    await call(hidden, { at: new Date(Date.now() - 2 * 86_400_000) });
    await call(hidden, { error_code: "store_not_available" });
    await call(hidden, { tool: "lookup_products" });
    const { shares } = await report.read(database.as(actor), { range: "24h" });
    expect(new Map(shares.store.map(({ value, name }) => [value, name]))).toEqual(
      new Map([
        [open.id, open.name],
        [read.id, read.name],
        [hidden.id, null],
      ]),
    );
  });

  it("has as the first call the first that a tool answered, in whatever order calls are counted", async () => {
    const { actor } = await makeMember();
    const now = Date.now();
    const minutesAgo = (minutes: number) => new Date(now - minutes * 60_000);
    const call = async (minutes: number, tool: string | null, status: number, error: string | null) => {
      await database.sql`
        insert into usage_events (request_id, at, consumer_id, endpoint, method, tool, status, error_code, latency_us, request_bytes, response_bytes)
        values (gen_random_uuid(), ${minutesAgo(minutes)}, ${actor.consumerId}, 'api', 'tools/call', ${tool}, ${status}, ${error}, 1, 1, 1)`;
      const pending = await report.firstCall(database.as(actor));
      await rollUpAll(database);
      expect(await report.firstCall(database.as(actor))).toEqual(pending);
      return pending;
    };
    expect(await call(9, null, 200, null)).toBeNull();
    expect(await call(8, "get_product", 200, "invalid_arguments")).toBeNull();
    expect(await call(7, "get_product", 429, "rate_limited")).toBeNull();
    // Answered, but from no store: what was looked up was not there.
    expect(await call(6, "lookup_products", 200, null)).toBeNull();
    expect(await call(3, "get_product", 200, null)).toEqual(minutesAgo(3));
    expect(await call(5, "get_product", 200, null)).toEqual(minutesAgo(5));
    expect(await call(4, "get_product", 200, null)).toEqual(minutesAgo(5));
  });

  it("has the first call as long as the consumer is there, though its row is long dropped", async () => {
    const { actor } = await makeMember();
    expect(await report.firstCall(database.as(actor))).toBeNull();
    await write(actor.consumerId, 50);
    const [first] = await database.sql`
      select min(at) as at from usage_events where consumer_id = ${actor.consumerId} and status = 200 and error_code is null`;
    expect(await report.firstCall(database.as(actor))).toEqual(first!.at);
    await rollUp(database);
    await database.sql`delete from usage_events where consumer_id = ${actor.consumerId}`;
    expect(await report.firstCall(database.as(actor))).toEqual(first!.at);
  });
});
