// Every request is counted exactly once: whoever writes beside, whatever is killed, however late it comes.
import fc from "fast-check";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { connect } from "../../db/client";
import type { Consumer } from "../../server/context";
import * as usage from "../../server/services/usage";
import { deltas, EVERYBODY, grains, percentile, rollUp } from "../../server/services/usage-rollup";
import { testDatabase, untilWaiting } from "../support/database";
import { makeReader } from "../support/factories";
import { rollUpAll } from "../support/usage";

const database = testDatabase();
/** Holds requests of `anyRequest` alone, which `compare` can count. */
const comparable = testDatabase();
let readers: Consumer[];
beforeAll(async () => {
  readers = await Promise.all([1, 2, 3].map(() => makeReader(comparable, { keyId: crypto.randomUUID() })));
});

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const pick = <T>(items: readonly T[]): T => items[Math.floor(Math.random() * items.length)]!;
const outcomes = [
  { status: 200 },
  { status: 200, errorCode: "invalid_arguments" },
  { status: 200, errorCode: "product_not_found" },
  { status: 403, errorCode: "insufficient_scope" },
  { status: 429, errorCode: "rate_limited" },
  { status: 401, errorCode: "revoked" },
  { status: 500, errorCode: "internal_error" },
  { status: 500, errorCode: "interrupted" },
];
const stores = [undefined, crypto.randomUUID(), crypto.randomUUID()];

/** A request of any kind, some of them of days ago. */
function anyRequest(): { reader: Consumer; at: Date; event: usage.UsageEvent } {
  // Either new or older than what has minutes, so that none becomes so while the test runs.
  const age = Math.random() < 0.2 ? 4 * HOUR_MS + Math.random() * 3 * DAY_MS : Math.random() * 2 * MINUTE_MS;
  return {
    reader: pick(readers),
    at: new Date(Date.now() - Math.floor(age)),
    event: {
      method: pick(["tools/call", "tools/list", "anything else"]),
      tool: pick([undefined, "search_products", "get_product"]),
      storeId: pick(stores),
      ...pick(outcomes),
      latencyUs: Math.floor(10 ** (1 + Math.random() * 6)),
      requestBytes: 1,
      responseBytes: 1,
      client: { clientName: pick([undefined, "Claude", 'x"; drop']), locale: pick([undefined, "de-AT"]) },
    },
  };
}

const write = ({ reader, at, event }: ReturnType<typeof anyRequest>) => usage.record(comparable.as(reader, at), event);
const writeMany = (count: number) => Promise.all(Array.from({ length: count }, () => write(anyRequest())));

/** What the rollups must be, counted plainly from the events themselves; and what they are. */
async function compare() {
  const { sql } = comparable;
  const expected = await sql`
    with told as (
      select consumer_id, at, case when status in (401, 403, 429) then 'refused' when error_code is not null then 'error' else 'answered' end as kind,
        error_code is distinct from 'interrupted' and status not in (401, 403, 429) as timed,
        coalesce(tool, case method when 'anything else' then 'other' else method end) as called,
        case when error_code is null or error_code in ('product_not_found', 'no_loyalty_program') then store_id::text end as store,
        coalesce(key_id::text, endpoint) as way, coalesce(client_name, '') as client, coalesce(locale, '') as locale,
        status || ' ' || error_code as error, floor(8 * log(2, greatest(latency_us, 64) / 64.0))::int as bucket
      from usage_events
    ),
    divided as (
      select d.*, g.grain, date_trunc(g.grain, at, 'UTC') as at, kind, case when timed then bucket end as bucket
      from told t
      cross join lateral (values
        (consumer_id, 'all', ''), (consumer_id, 'tool', called), (consumer_id, 'store', store), (consumer_id, 'key', way),
        (consumer_id, 'client', client), (consumer_id, 'locale', locale), (consumer_id, 'error', error),
        (${EVERYBODY}, 'all', ''), (${EVERYBODY}, 'tool', called), (${EVERYBODY}, 'store', store), (${EVERYBODY}, 'client', client),
        (${EVERYBODY}, 'locale', locale), (${EVERYBODY}, 'error', error), (${EVERYBODY}, 'consumer', consumer_id::text)
      ) d (consumer_id, dimension, value)
      cross join unnest(${[...grains]}::text[]) g (grain)
      where value is not null and (g.grain <> 'minute' or at > now() - interval '3 hours')
    )
    select consumer_id, grain, at, dimension, value, count(*) as calls, count(*) filter (where kind = 'error') as errors,
      count(*) filter (where kind = 'refused') as refused,
      coalesce(array_agg(bucket) filter (where bucket is not null), '{}') as buckets,
      coalesce(array_agg(1::int8) filter (where bucket is not null), '{}') as counts
    from divided group by 1, 2, 3, 4, 5 order by consumer_id, grain, at, dimension, value collate "C"`;
  const actual = await sql`
    select consumer_id, grain, at, dimension, value, calls, errors, refused, buckets, counts
    from usage_rollups order by consumer_id, grain, at, dimension, value collate "C"`;
  return { expected: expected.map(summed), actual: actual.map(summed) };
}

/** A row with its histogram told in one way: each bucket once, the least first. */
function summed({ buckets, counts, ...row }: Record<string, unknown>) {
  const histogram = new Map<number, number>();
  for (const [i, bucket] of (buckets as number[]).entries())
    histogram.set(bucket, (histogram.get(bucket) ?? 0) + (counts as number[])[i]!);
  return { ...row, histogram: [...histogram].toSorted(([a], [b]) => a - b) };
}

describe("the rollups", () => {
  it("are the events, to the last one, while writers write and jobs are killed", async () => {
    const eventsSoFar = async () => {
      const [row] = await comparable.sql<[{ n: number }]>`select count(*)::int as n from usage_events`;
      return row.n;
    };
    const before = await eventsSoFar();
    let writing = true;
    const writers = Promise.all(
      [1, 2, 3].map(async () => {
        for (let round = 0; round < 12; round++) await writeMany(40);
      }),
    ).finally(() => {
      writing = false;
    });
    // Two instances count at once; each connection is terminated again and again, in the midst of whatever it does.
    const instances = [1, 2].map((n) => connect(comparable.url, `aisle-counting-${n}`));
    const counting = instances.map(async ({ sql }) => {
      while (writing) await rollUpAll({ sql }).catch(() => {});
    });
    let killed = 0;
    while (writing) {
      const rows = await comparable.sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where application_name like 'aisle-counting-%' and state = 'active' and query like '%delete from usage_%'`;
      killed += rows.length;
    }
    await writers;
    await Promise.all(counting);
    await Promise.all(instances.map((instance) => instance.close()));
    await rollUpAll(comparable);
    expect(killed).toBeGreaterThan(0);
    expect(await eventsSoFar()).toBe(before + 3 * 12 * 40);
    const { expected, actual } = await compare();
    expect(actual).toEqual(expected);
  });

  it("count a request that commits long after later ones", async () => {
    const late = await comparable.sql.reserve();
    await late`begin`;
    await late`
      insert into usage_events (request_id, at, consumer_id, endpoint, method, status, latency_us, request_bytes, response_bytes)
      values (${crypto.randomUUID()}, ${new Date(Date.now() - 5 * MINUTE_MS)}, ${readers[0]!.consumerId}, 'api', 'ping', 200, 70, 1, 1)`;
    await writeMany(20);
    await rollUpAll(comparable);
    await late`commit`;
    late.release();
    expect(await rollUpAll(comparable)).toBe(1);
    const { expected, actual } = await compare();
    expect(actual).toEqual(expected);
  });

  it("stay as they are when nothing is pending", async () => {
    await writeMany(20);
    await rollUpAll(comparable);
    const { actual: before } = await compare();
    expect(await rollUpAll(comparable)).toBe(0);
    expect((await compare()).actual).toEqual(before);
  });

  it("have a minute once it is over, and what comes late for it with the next run", async () => {
    const reader = await makeReader(database);
    const ping = { method: "ping", status: 200, latencyUs: 90, requestBytes: 1, responseBytes: 1, client: {} };
    const minute = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
    const ago = (minutes: number) => usage.record(database.as(reader, new Date(minute - minutes * MINUTE_MS)), ping);
    const had = async () => {
      const [row] = await database.sql`
        select (select sum(calls)::int from usage_recent where consumer_id = ${reader.consumerId} and dimension = 'all') as recent,
          (select sum(calls)::int from usage_rollups where consumer_id = ${reader.consumerId} and dimension = 'all' and grain = 'minute') as minutes`;
      return row;
    };
    // One of them is of a minute that is not over until a minute from now.
    await Promise.all([ago(-1), ago(2), ago(3)]);
    await rollUp(database);
    expect(await had()).toEqual({ recent: 1, minutes: 2 });
    await Promise.all([ago(-1), ago(3)]);
    await rollUp(database);
    expect(await had()).toEqual({ recent: 2, minutes: 3 });
    await rollUp(database, { until: new Date(minute + MINUTE_MS) });
    expect(await had()).toEqual({ recent: 2, minutes: 3 });
    await rollUp(database, { until: new Date(minute + MINUTE_MS + 1) });
    expect(await had()).toEqual({ recent: null, minutes: 5 });
  });

  it("have all that is pending after one run, also where more came than one statement counts", async () => {
    const { consumerId } = await makeReader(database);
    await database.sql`
      insert into usage_pending (at, consumer_id, endpoint, method, status, latency_us)
      select now(), ${consumerId}, 'api', 'ping', 200, 90 from generate_series(1, 20500)`;
    await rollUp(database);
    const [left] = await database.sql`select count(*)::int as n from usage_pending where consumer_id = ${consumerId}`;
    expect(left!.n).toBe(0);
  });

  it("have in total what they have by each dimension, and of everybody what they have of each consumer", async () => {
    await writeMany(20);
    await rollUpAll(comparable);
    const rows = await comparable.sql`
      select grain, dimension, sum(calls)::int as calls from usage_rollups
      where consumer_id = ${EVERYBODY} and grain <> 'minute' and dimension not in ('error', 'store') group by 1, 2`;
    expect(new Set(rows.map(({ calls }) => calls)).size).toBe(1);
    const [sums] = await comparable.sql`
      select sum(calls) filter (where consumer_id = ${EVERYBODY})::int as everybody, sum(calls) filter (where consumer_id <> ${EVERYBODY})::int as each
      from usage_rollups where dimension = 'all' and grain = 'day'`;
    expect(sums!.everybody).toBe(sums!.each);
  });
});

describe("first calls", () => {
  it("are noted consumer after consumer, so that two jobs at once never wait for one another in a circle", async () => {
    const callers = await Promise.all([1, 2, 3, 4].map(() => makeReader(database)));
    const [first, ...others] = callers.map(({ consumerId }) => consumerId).sort();
    // Its row lies behind those of the others now.
    await database.sql`update consumers set name = name where id = ${first!}`;
    const answered = {
      method: "tools/call",
      tool: "get_product",
      status: 200,
      latencyUs: 90,
      requestBytes: 1,
      responseBytes: 1,
    };
    for (const caller of callers) await usage.record(database.as(caller), { ...answered, client: {} });
    let counting: Promise<number> | undefined;
    await database.sql.begin(async (tx) => {
      await tx`select from consumers where id = ${first!} for update`;
      counting = rollUpAll(database);
      await untilWaiting(database.sql, 1);
      expect(await tx`select from consumers where id = any (${others}) for update skip locked`).toHaveLength(3);
    });
    expect(await counting).toBeGreaterThanOrEqual(4);
    expect(
      await database.sql`select from consumers where id = any (${[first!, ...others]}) and first_call_at is not null`,
    ).toHaveLength(4);
  });
});

describe("a flood of refusals", () => {
  it("is counted to the last one, and leaves a hundred rows a minute in the log at most", async () => {
    const flooded = await makeReader(database, { keyId: crypto.randomUUID() });
    const at = new Date();
    const refused = { method: "ping", latencyUs: 90, requestBytes: 1, responseBytes: 1, client: { clientName: "x" } };
    await Promise.all(
      Array.from({ length: 1_500 }, (_, i) =>
        usage.record(database.as(flooded, at), {
          ...refused,
          ...(i % 3 ? { status: 429, errorCode: "rate_limited" } : { status: 401, errorCode: "revoked" }),
          ...(i % 2 && { method: "tools/call", tool: "list_stores" }),
        }),
      ),
    );
    const logged = await database.sql`
      select error_code, count(*)::int as n from usage_events where consumer_id = ${flooded.consumerId} group by 1 order by 1`;
    expect([...logged]).toEqual([
      { error_code: "rate_limited", n: 100 },
      { error_code: "revoked", n: 100 },
    ]);
    await rollUpAll(database);
    const counted = await database.sql`
      select dimension, value, calls, refused from usage_rollups
      where consumer_id = ${flooded.consumerId} and grain = 'day' and dimension in ('all', 'error', 'tool') order by 1, 2`;
    expect([...counted]).toEqual([
      { dimension: "all", value: "", calls: 1500, refused: 1500 },
      { dimension: "error", value: "401 revoked", calls: 500, refused: 500 },
      { dimension: "error", value: "429 rate_limited", calls: 1000, refused: 1000 },
      { dimension: "tool", value: "list_stores", calls: 750, refused: 750 },
      { dimension: "tool", value: "ping", calls: 750, refused: 750 },
    ]);
    // Of another key of theirs, a minute later, and once the clock was set back, there are rows again.
    const isLogged = async (caller: Consumer, now: Date) => {
      const ctx = database.as(caller, now);
      await usage.record(ctx, { ...refused, status: 401, errorCode: "revoked" });
      return (await database.sql`select from usage_events where request_id = ${ctx.requestId}`).length === 1;
    };
    expect(await isLogged(flooded, at)).toBe(false);
    expect(await isLogged({ ...flooded, keyId: crypto.randomUUID() }, at)).toBe(true);
    const later = new Date(at.getTime() + MINUTE_MS);
    const logs = await Promise.all(Array.from({ length: 101 }, () => isLogged(flooded, later)));
    expect(logs.filter(Boolean)).toHaveLength(100);
    expect(await isLogged(flooded, new Date(at.getTime() - MINUTE_MS))).toBe(true);
  });
});

describe("a flood over the turn of a minute", () => {
  it("leaves a hundred rows a minute, though those before the turn and after it come mixed", async () => {
    const flooded = await makeReader(database, { keyId: crypto.randomUUID() });
    const turn = Math.floor(Date.now() / 60_000) * 60_000;
    const refused = { method: "ping", latencyUs: 90, requestBytes: 1, responseBytes: 1, client: {} };
    for (let i = 0; i < 600; i++)
      await usage.record(database.as(flooded, new Date(turn + (i % 2 ? 10 : -10))), {
        ...refused,
        ...{ status: 429, errorCode: "rate_limited" },
      });
    const [row] = await database.sql`
      select count(*)::int as n from usage_events where consumer_id = ${flooded.consumerId}`;
    expect(row!.n).toBeLessThanOrEqual(200);
  });
});

describe("names that callers make up", () => {
  it("that were counted stay names, though some callers say none, and are a hundred", async () => {
    const reader = await makeReader(database, { keyId: crypto.randomUUID() });
    const told = { method: "ping", status: 200, latencyUs: 90, requestBytes: 1, responseBytes: 1 };
    const at = new Date();
    const say = (...names: (string | undefined)[]) =>
      Promise.all(
        names.map((clientName) =>
          usage.record(database.as(reader, at), { ...told, client: clientName === undefined ? {} : { clientName } }),
        ),
      );
    const names = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => `name ${from + i}`);
    await say(undefined, ...names(0, 60));
    await rollUpAll(database);
    // In another dimension's absence of words, too: who says nothing is no name.
    await say(...names(60, 101), undefined);
    await rollUpAll(database);
    await say(...names(0, 101));
    await rollUpAll(database);
    const rows = await database.sql`
      select value, sum(calls)::int as calls from usage_rollups
      where consumer_id = ${reader.consumerId} and grain = 'day' and dimension = 'client' group by value`;
    const of = Object.fromEntries(rows.map(({ value, calls }) => [value, calls]));
    const { "": silent, others, ...named } = of;
    expect(silent).toBe(2);
    expect(others).toBe(2);
    expect(Object.keys(named)).toHaveLength(100);
    expect(new Set(Object.values(named))).toEqual(new Set([2]));
  });

  it("have a hundred values a day, and are counted as others beyond that: to the last one, over several runs", async () => {
    const reader = await makeReader(database, { keyId: crypto.randomUUID() });
    const told = { method: "ping", status: 200, latencyUs: 90, requestBytes: 1, responseBytes: 1 };
    // All on one day.
    const at = new Date();
    for (const [round, count] of [rollUp, rollUpAll, rollUpAll].entries()) {
      await Promise.all(
        Array.from({ length: 150 }, (_, i) =>
          usage.record(database.as(reader, at), { ...told, client: { clientName: `made up ${round * 100 + i}` } }),
        ),
      );
      await count(database);
    }
    const [day] = await database.sql`
      select count(*)::int as values, sum(calls)::int as calls, count(*) filter (where value = 'others')::int as others from usage_rollups
      where consumer_id = ${reader.consumerId} and grain = 'day' and dimension = 'client'`;
    expect(day).toEqual({ values: 101, calls: 450, others: 1 });
  });

  it("are counted in a moment also where ten thousand come at once, from a thousand consumers", async () => {
    const { sql } = database;
    const at = new Date();
    // Nobody else's runs fold them.
    onTestFinished(async () => void (await sql`truncate usage_recent`));
    await sql`
      insert into usage_recent (consumer_id, at, dimension, value, calls, errors, refused, buckets, counts)
      select md5('many ' || consumer)::uuid, date_trunc('minute', ${at}::timestamptz), 'client', 'known ' || name, 1, 0, 0, '{}', '{}'
      from generate_series(1, 1000) consumer, generate_series(1, 30) name`;
    await sql`
      insert into usage_pending (at, consumer_id, endpoint, method, status, latency_us, client_name, locale)
      select ${at}, md5('many ' || n % 1000)::uuid, 'api', 'ping', 200, 90, 'new ' || n, 'x' || n from generate_series(1, 9900) n`;
    // Within the five seconds that a statement may take, or it would throw.
    expect(await rollUp(database)).toBeGreaterThanOrEqual(9_900);
  });

  it("leave room for the same name of another consumer, on another day, and of another kind", async () => {
    const [many, other] = [await makeReader(database), await makeReader(database)];
    const [today, before] = [new Date(), new Date(Date.now() - DAY_MS)];
    const told = { method: "ping", status: 200, latencyUs: 90, requestBytes: 1, responseBytes: 1 };
    const say = (reader: Consumer, at: Date, client: usage.ClientReport) =>
      usage.record(database.as(reader, at), { ...told, client });
    const name = "made up 99"; // the last by name, so beyond the hundred
    await Promise.all([
      ...Array.from({ length: 101 }, (_, i) => say(many, today, { clientName: i < 100 ? `made up ${i}` : "another" })),
      say(many, before, { clientName: name }),
      say(many, today, { clientName: "another", locale: name }),
      say(other, today, { clientName: name }),
    ]);
    await rollUp(database);
    // Also once others are counted already: a day that is full stays so, for a name that is known from elsewhere too.
    await Promise.all([
      say(many, today, { clientName: name }),
      say(many, before, { clientName: "late" }),
      say(many, today, { locale: "late" }),
    ]);
    await rollUpAll(database);
    const rows = await database.sql`
      select consumer_id = ${many.consumerId} as many, value, dimension, calls from usage_rollups
      where consumer_id in (${many.consumerId}, ${other.consumerId}) and grain = 'day' and value in (${name}, 'late')
      order by 1, 2, 3`;
    expect([...rows]).toEqual([
      { many: false, value: name, dimension: "client", calls: 1 },
      { many: true, value: "late", dimension: "client", calls: 1 },
      { many: true, value: "late", dimension: "locale", calls: 1 },
      { many: true, value: name, dimension: "client", calls: 1 },
      { many: true, value: name, dimension: "locale", calls: 1 },
    ]);
  });
});

describe("a percentile", () => {
  it("is within 4.5 % of the true one, for any latencies up to a minute", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 64, max: 60_000_000 }), { minLength: 1, maxLength: 60 }),
        fc.constantFrom(0.5, 0.95),
        async (latencies, share) => {
          const [row] = await database.sql<{ buckets: number[]; counts: number[] }[]>`
            select buckets, counts from (${deltas(
              database.sql,
              database.sql`(
                select now() as at, ${readers[0]!.consumerId}::uuid as consumer_id, null::uuid as key_id, 'api' as endpoint, 'ping' as method,
                  null as tool, null::uuid as store_id, 200 as status, null as error_code, us as latency_us,
                  null as client_name, null as locale, 1 as times
                from unnest(${latencies}::int[]) us) given`,
              ["day"],
            )}) d where dimension = 'all' limit 1`;
          const histogram = new Map(row!.buckets.map((bucket, i) => [bucket, row!.counts[i]!]));
          const exact = latencies.toSorted((a, b) => a - b)[Math.ceil(latencies.length * share) - 1]! / 1000;
          expect(Math.abs(percentile(histogram, share)! / exact - 1)).toBeLessThan(0.045);
        },
      ),
      { numRuns: 60 },
    );
  });

  it("is none of no requests", () => {
    expect(percentile(new Map(), 0.95)).toBeNull();
  });
});
