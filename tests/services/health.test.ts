// What a scrape shows of the work in the background.
import { expect, it } from "vitest";
import * as jobs from "../../server/jobs";
import { standing } from "../../server/services/health";
import * as mail from "../../server/services/mail";
import * as usage from "../../server/services/usage";
import { rollUp } from "../../server/services/usage-rollup";
import { testCore, testDatabase } from "../support/database";
import { makeReader } from "../support/factories";
import { testSmtp } from "../support/smtp";

const database = testDatabase();
const smtp = testSmtp();

it("requests that wait for the rollups are counted to the last one, those of a flood in one row too", async () => {
  const flooding = await makeReader(database, { keyId: crypto.randomUUID() });
  const at = new Date();
  const event = { method: "ping", latencyUs: 90, requestBytes: 1, responseBytes: 1, client: {} };
  const refused = { ...event, status: 429, errorCode: "rate_limited" };
  await Promise.all(Array.from({ length: 400 }, () => usage.record(database.as(flooding, at), refused)));
  const [rows] = await database.sql`select count(*)::int as n from usage_pending`;
  expect(rows!.n).toBeLessThan(400);
  expect(await standing(database)).toMatchObject({ usage: { pending: 400, foldedSecondsAgo: 0, overdue: 0 } });
  await rollUp(database);
  expect(await standing(database)).toMatchObject({ usage: { pending: 0 } });
});

it("minutes that are not added to the rollups, and requests that are not recorded as interrupted, are told", async () => {
  await database.sql`
    insert into usage_recent (consumer_id, at, dimension, value, calls, errors, refused, buckets, counts)
    values (gen_random_uuid(), now() - interval '1 hour', 'all', '', 1, 0, 0, '{}', '{}')`;
  for (const age of ["1 minute", "4 minutes"])
    await database.sql`
      insert into usage_begun (id, at, request_ids, times, key_ids, called)
      values (gen_random_uuid(), now() - ${age}::interval, '{}', '{}', '{}', '{}')`;
  expect(await standing(database)).toMatchObject({
    usage: { foldedSecondsAgo: expect.closeTo(3_600, -2), overdue: 1 },
  });
});

it("a job that failed counts until it is done again, and not for as long as the queue remembers it", async () => {
  const working = jobs.start(testCore(database), { url: database.url, transport: undefined });
  await working.ready;
  await working.stop();
  const end = (state: string, ago: string) => database.sql`
    insert into pgboss.job (name, state, completed_on)
    values ('digest', ${state}::pgboss.job_state, now() - ${ago}::interval)`;
  const failed = async () => {
    const { jobs } = await standing(database);
    return jobs.find(({ queue, state }) => queue === "digest" && state === "failed")?.jobs;
  };
  await end("failed", "3 hours");
  expect(await failed()).toBe(1);
  await end("completed", "2 hours");
  expect(await failed()).toBeUndefined();
  for (const ago of ["1 hour", "1 minute"]) await end("failed", ago);
  expect(await failed()).toBe(2);
});

it("the oldest transaction is told, of whatever kind", async () => {
  await database.sql.begin(async (tx) => {
    const [row] = await tx`select pg_sleep(0.3), extract(epoch from clock_timestamp() - now())::float8 as age`;
    expect((await standing(database)).oldestTransactionSeconds).toBeGreaterThan(row!.age);
  });
});

it("mail is late when nobody sends it or the mail server is away, and not while a refused one waits for its next try", async () => {
  const written = new Date(Date.now() - 3_600_000);
  const ctx = database.as({ kind: "system" }, written);
  const outbox = async () => (await standing(database)).outbox;
  const deliver = async (url: string) => {
    const transport = mail.smtp(url, "Aisle <no-reply@aisle.example>");
    await mail.deliverDue(database.as({ kind: "system" }), transport);
    transport.close();
  };
  expect(await outbox()).toEqual({ waiting: 0, retrying: 0, overdueSeconds: 0, dead: 0 });
  await ctx.db.transaction((tx) =>
    mail.send(ctx, tx, { to: "ada@example.com", template: "password-changed", data: {} }),
  );
  const isLate = { waiting: 1, retrying: 0, overdueSeconds: expect.closeTo(3_600, -2), dead: 0 };
  expect(await outbox()).toEqual(isLate);
  await deliver("smtp://127.0.0.1:1");
  expect(await outbox()).toEqual(isLate);

  smtp.refuse = "450 4.2.1 try again later";
  const tryTimes = async (times: number) => {
    for (let i = 0; i < times; i++) {
      await database.sql`update outbox set next_attempt_at = now() - interval '1 second'`;
      await deliver(smtp.url);
    }
  };
  await tryTimes(3);
  expect(await outbox()).toEqual({ waiting: 1, retrying: 1, overdueSeconds: 0, dead: 0 });
  await database.sql`update outbox set next_attempt_at = now() - interval '20 minutes'`;
  expect(await outbox()).toEqual({ waiting: 1, retrying: 0, overdueSeconds: expect.closeTo(1_200, -2), dead: 0 });
  await tryTimes(5);
  expect(await outbox()).toEqual({ waiting: 0, retrying: 0, overdueSeconds: 0, dead: 1 });
});

it("mails that were sent are not looked through for those that wait or were given up", async () => {
  await database.sql`
    insert into outbox (id, message_id, recipient, template, data, sent_at)
    select gen_random_uuid(), 'sent ' || n, 'ada@example.com', 'merchant-digest', '{}', now() from generate_series(1, 20000) n`;
  await database.sql`analyze outbox`;
  const plan =
    await database.sql`explain select * from outbox where next_attempt_at is not null or dead_at is not null`;
  const read = plan.map((line) => line["QUERY PLAN"]).join("\n");
  expect(read).toMatch(/Scan on outbox_due.*Scan on outbox_dead/s);
});
