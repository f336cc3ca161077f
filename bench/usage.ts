// How long the Usage and Requests pages take at the server, over many generated requests:
//   node --import tsx bench/usage.ts [requests, 10,000,000 unless told] [directory to keep the database in]
// It starts a PostgreSQL of its own, fills the last 90 days (half of it one consumer's), counts it, and times each page.
import { chmod, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { connect, migrate } from "../db/client";
import { startEmbedded } from "../db/embedded";
import { contextFor, type Member, type Operator } from "../server/context";
import { createLimits } from "../server/limits";
import * as overview from "../server/services/overview";
import * as requests from "../server/services/requests";
import { ranges, read, readAny } from "../server/services/usage-report";
import { deltas, grains, rollUp } from "../server/services/usage-rollup";

const total = Number(process.argv[2] ?? 10_000_000);
const directory = process.argv[3] ?? (await mkdtemp(join(tmpdir(), "aisle-bench-")));
await chmod(directory, 0o755);
const embedded = await startEmbedded(directory, { durable: false });
await migrate(embedded.url);
const { sql, db, close } = connect(embedded.url, "aisle-bench");
const core = {
  sql,
  db,
  limits: createLimits(sql),
  secretKeys: ["x".repeat(32)],
  baseUrl: "http://bench",
  log: pino({ level: "warn" }),
};
const CONSUMERS = 200;
const DAYS = 90;

async function fill(): Promise<void> {
  await sql`
    insert into consumers (id, slug, name, state, scopes, rate_limit, max_keys, utm_source)
    select md5('consumer ' || n)::uuid, 'bench-' || n, 'Bench ' || n, 'production', array['catalog:read'], 60, 2, 'bench-' || n
    from generate_series(1, ${CONSUMERS}) n on conflict do nothing`;
  const perDay = Math.ceil(total / DAYS);
  await sql.begin(async (tx) => {
    await tx`set local statement_timeout = 0`;
    await tx`set local session_replication_role = replica`;
    await tx`set local work_mem = '1GB'`;
    for (let day = DAYS - 1; day >= 0; day--) {
      const from = new Date(Math.floor(Date.now() / 86_400_000 - day) * 86_400_000);
      const to = day === 0 ? new Date() : new Date(from.getTime() + 86_400_000);
      const name = `usage_events_${from.toISOString().slice(0, 10).replaceAll("-", "")}`;
      const until = new Date(from.getTime() + 86_400_000);
      const [found] = await tx`select 1 from pg_class where relname = ${name}`;
      if (!found) {
        await tx.unsafe(
          `create table ${name} partition of usage_events for values from ('${from.toISOString()}') to ('${until.toISOString()}')`,
        );
      }
      await tx`
        insert into usage_events (request_id, at, consumer_id, key_id, endpoint, method, tool, store_id, status, error_code, latency_us,
          request_bytes, response_bytes, client_name, locale)
        select (lpad(to_hex((extract(epoch from at) * 1000)::int8), 12, '0') || '7' || substr(md5(n::text || at::text), 1, 3) || '8' || substr(md5(at::text || n::text), 1, 15))::uuid,
          at, md5('consumer ' || case when r1 < 0.5 then 1 else 1 + floor(r1 * 2 * ${CONSUMERS - 1})::int % ${CONSUMERS} end)::uuid,
          md5('key ' || floor(r2 * 4))::uuid, case when r2 < 0.05 then 'directory' else 'api' end, 'tools/call',
          (array['search_products','get_product','get_store_info','get_offers','get_promotions','check_inventory','list_stores','search_store_policies'])[1 + floor(r3 * r3 * 8)::int],
          md5('store ' || floor(r4 * r4 * 40))::uuid, s.status, s.code, (1500 + 40000 * r5 * r5 * r5 * r5)::int, 200, 2500,
          (array['Claude-User/1.0','ChatGPT-User/1.0','openai-mcp/1.0.0','cursor/2.1','python-httpx/0.28','node'])[1 + floor(r4 * 6)::int] || case when r2 < 0.3 then ' ' || floor(r1 * 30) else '' end,
          (array['en-US','de-DE','fr-FR','pt-BR','en-GB', null])[1 + floor(r5 * 6)::int]
        from (select n, ${from}::timestamptz + random() * (${to}::timestamptz - ${from}::timestamptz) as at, random() r1, random() r2, random() r3, random() r4, random() r5, random() r6
          from generate_series(1, ${perDay}) n) g
        cross join lateral (select case when r6 < 0.93 then 200 when r6 < 0.98 then 429 when r6 < 0.99 then 200 when r6 < 0.9995 then 401 else 500 end::int as status,
          case when r6 < 0.93 then null when r6 < 0.98 then 'rate_limited' when r6 < 0.99 then 'invalid_arguments' when r6 < 0.9995 then 'revoked' else 'internal_error' end as code) s`;
      // In bulk what the job does in small pieces, of a sixteenth: as many rows as of all of them, to some parts in a hundred.
      const written = tx`(select *, 1 as times from usage_events where at >= ${from} and at < ${until} and request_id::text like '%0') written`;
      await tx`insert into usage_rollups select * from (${deltas(sql, written, day < 35 ? grains : ["day"])}) d`;
      process.stderr.write(`\r${DAYS - day} of ${DAYS} days `);
    }
  });
}

async function timed(name: string, run: () => Promise<unknown>): Promise<void> {
  const times: number[] = [];
  for (let i = 0; i < 9; i++) {
    const from = performance.now();
    await run();
    times.push(performance.now() - from);
  }
  const [first] = times;
  times.sort((a, b) => a - b);
  console.log(
    `${name.padEnd(58)} median ${times[4]!.toFixed(1).padStart(7)} ms   worst ${times[8]!.toFixed(1).padStart(7)} ms   first ${first!.toFixed(1).padStart(7)} ms`,
  );
}

const [{ events }] =
  (await sql`select count(*)::int8 as events from (select from usage_events limit 1) e`) as unknown as [
    { events: number },
  ];
if (!events) {
  const started = performance.now();
  await fill();
  console.log(`filled in ${((performance.now() - started) / 1000).toFixed(0)} s`);
  await sql`
    insert into usage_pending (at, consumer_id, key_id, endpoint, method, tool, store_id, status, error_code, latency_us, client_name, locale)
    select at, consumer_id, key_id, endpoint, method, tool, store_id, status, error_code, latency_us, client_name, locale
    from usage_events where at > now() - interval '30 minutes' order by at desc limit 20000`;
  const counting = performance.now();
  const counted = await rollUp(core);
  const seconds = (performance.now() - counting) / 1000;
  console.log(`counted ${counted} in ${seconds.toFixed(0)} s: ${Math.round(counted / seconds)} a second`);
  const analyzer = connect(embedded.url, "aisle-bench");
  await analyzer.sql.begin(async (tx) => {
    await tx`set local statement_timeout = 0`;
    await tx`analyze`;
  });
  await analyzer.close();
}

const [{ id }] = (await sql`select id from consumers where slug = 'bench-1'`) as unknown as [{ id: string }];
const member = () =>
  contextFor(core, { kind: "member", accountId: id, consumerId: id, role: "owner" } satisfies Member);
const operator = () => contextFor(core, { kind: "operator", accountId: null } satisfies Operator);
const hourAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
const HourAgo = (hours: number) => new Date(hourAgo(hours));

await timed("overview", () => overview.read(member()));
for (const range of Object.keys(ranges) as (keyof typeof ranges)[]) {
  await timed(`usage ${range}`, () => read(member(), { range }));
  await timed(`usage ${range}, all consumers`, () => readAny(operator(), { range }));
}
const { requests: newest, older } = await requests.list(member(), {});
const some = newest[20]!;
const cases: [string, Parameters<typeof requests.list>[1]][] = [
  ["newest", {}],
  ["second page", { cursor: older }],
  ["one tool", { tool: "get_offers" }],
  ["a tool that was never called", { tool: "get_loyalty_program" }],
  ["failed", { outcome: "failed" }],
  ["429", { outcome: "429" }],
  ["500", { outcome: "500" }],
  ["403, of which there is none", { outcome: "403" }],
  ["a key that was never used", { keyId: id }],
  ["30 days ago", { to: HourAgo(30 * 24) }],
  ["an hour of 60 days ago, one tool", { from: HourAgo(1441), to: HourAgo(1440), tool: "get_product" }],
  ["by request id", { requestId: some.requestId }],
];
for (const [name, input] of cases) {
  await timed(`requests: ${name}`, () => requests.list(member(), input));
  const { keyId: _, ...forAll } = input;
  if (!input.cursor) await timed(`requests: ${name}, all consumers`, () => requests.listAny(operator(), forAll));
}
await timed("request detail", () => requests.get(member(), { requestId: some.requestId }));
await close();
await embedded.release();
