import { rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { type Connections, connect, migrate } from "../../db/client";
import { startEmbedded } from "../../db/embedded";
import { HOUR_MS } from "../../server/clock";
import { type Core, contextFor } from "../../server/context";
import * as jobs from "../../server/jobs";
import { patience } from "../../server/jobs/patience";
import * as mail from "../../server/services/mail";
import * as usage from "../../server/services/usage";
import { makeDataFolder } from "../support/after-us";
import { issueExpiringKey } from "../support/clients";
import { testCore, testDatabase } from "../support/database";
import { makeAccount, makeConsumer, makeMerchant, makeReader, makeStore } from "../support/factories";
import { loadRows, makeStoreWith } from "../support/feed";
import { loadFeed, tsv } from "../support/feeds/load";
import { freePort } from "../support/server";
import { silentWay } from "../support/silent-way";
import { testSmtp } from "../support/smtp";

const database = testDatabase();
const smtp = testSmtp();
const FROM = "Aisle <no-reply@aisle.example>";

async function queue(core: Core, to: string) {
  const ctx = contextFor(core, { kind: "system" });
  await ctx.db.transaction((tx) => mail.send(ctx, tx, { to, template: "verify", data: { token: "x" } }));
}

/** An instance's workers. */
function begin(connections: Connections, transport: mail.Transport | undefined = mail.smtp(smtp.url, FROM)) {
  const core = testCore(connections);
  const working = jobs.start(core, { url: connections.url, transport });
  onTestFinished(() => working.stop());
  return { core, ...working };
}
const jobConnections = async () => {
  const [row] = await database.sql`
    select count(*) from pg_stat_activity where datname = current_database() and application_name = 'aisle jobs'`;
  return row!.count as number;
};

describe("the mail job", () => {
  it("sends a mail when its transaction commits, woken by the database, not by the clock", async () => {
    const { core, ready } = begin(database);
    await ready;
    // The clock has none of it, nor what it left to be done.
    await database.sql`delete from pgboss.schedule where name = 'mail'`;
    await database.sql`delete from pgboss.job where 'mail' in (name, data ->> 'name') and state = 'created'`;
    await queue(core, "one@example.com");
    expect(await smtp.arrived("one@example.com")).toHaveLength(1);
    await queue(core, "two@example.com");
    expect(await smtp.arrived("two@example.com")).toHaveLength(1);
  });

  it("sends each mail once, though two instances listen", async () => {
    const [one, two] = [begin(database), begin(database)];
    await Promise.all([one.ready, two.ready]);
    const to = Array.from({ length: 12 }, (_, i) => `many-${i}@example.com`);
    await Promise.all(to.map((address, i) => queue(i % 2 ? one.core : two.core, address)));
    for (const address of to) await smtp.arrived(address);
    await Promise.all([one.stop(), two.stop()]);
    expect(to.map((address) => smtp.to(address).length)).toEqual(to.map(() => 1));
  });

  it("sends at its start what was left behind", async () => {
    await queue(testCore(database), "left@example.com");
    await begin(database).ready;
    expect(await smtp.arrived("left@example.com")).toHaveLength(1);
  });

  it("leaves mail in the outbox where there is no way to send it", async () => {
    const transport = undefined;
    const working = jobs.start(testCore(database), { url: database.url, transport });
    await working.ready;
    await queue(testCore(database), "waits@example.com");
    await working.stop();
    const [row] = await database.sql`select attempts, dead_at from outbox where recipient = 'waits@example.com'`;
    expect(row).toEqual({ attempts: 0, dead_at: null });
    await begin(database).ready;
    expect(await smtp.arrived("waits@example.com")).toHaveLength(1);
  });
});

describe("the job that indexes anew", () => {
  it("does it when a load finds another language, woken by the database, not by the clock", async () => {
    await begin(database).ready;
    const { id } = await makeStoreWith(database, [
      { id: "0", title: "Dress", description: "Short, with sleeves of lace." },
    ]);
    const description = "Com mangas curtas e cintura elástica, para o verão.";
    await loadRows(
      database,
      id,
      ["1", "2", "3"].map((n) => ({ id: n, title: `Vestido ${n}`, description })),
    );
    await vi.waitFor(
      async () => {
        const [store] = await database.sql`select index_languages as languages from stores where id = ${id}`;
        expect(store).toEqual({ languages: ["pt"] });
      },
      { timeout: 60_000 },
    );
  });
});

describe("a job by the clock", () => {
  const DAY_MS = 86_400_000;
  const ago = (days: number) => new Date(Date.now() - days * DAY_MS);
  /** Each makes something that its job alone deals with. */
  const jobsByClock: [name: string, cron: string, arrange: () => Promise<() => Promise<unknown>>][] = [
    [
      "digest",
      "1 * * * *",
      async () => {
        const store = await makeStore(database);
        const { accountId } = await makeMerchant(database, store.merchantId);
        const platform = await makeConsumer(database, { state: "production" });
        await database.sql`
          insert into notifications (id, consumer_id, store_id, created_at)
          values (gen_random_uuid(), ${platform.id}, ${store.id}, ${ago(2)})`;
        const [account] = await database.sql`select email from accounts where id = ${accountId}`;
        return async () => smtp.to(account!.email).length === 1;
      },
    ],
    [
      "key-expiry",
      "31 * * * *",
      async () => {
        const { id, owner } = await makeConsumer(database);
        await issueExpiringKey(database, id);
        return async () => smtp.to(owner.email).length === 1;
      },
    ],
    [
      "retention",
      "17 * * * *",
      async () => {
        const { id } = await makeAccount(database, { emailVerifiedAt: null, createdAt: ago(31) });
        return async () => (await database.sql`select from accounts where id = ${id}`).length === 0;
      },
    ],
    [
      "feed-expiry",
      "* * * * *",
      async () => {
        const { id } = await makeStore(database);
        const offer = { id: "ends", expiration_date: ago(1).toISOString() };
        await loadFeed(database, id, tsv([offer]), { now: ago(2) });
        return async () =>
          (await database.sql`select from products where store_id = ${id} and availability = 'discontinued'`).length ===
          1;
      },
    ],
  ];

  it.each(jobsByClock)("%s does what it is there for", async (name, cron, arrange) => {
    const first = begin(database);
    await first.ready;
    await first.stop();
    const [schedule] = await database.sql`select cron from pgboss.schedule where name = ${name}`;
    expect(schedule).toEqual({ cron });
    const isDone = await arrange();
    // As if its minute had come: workers look for what waits as they begin.
    await database.sql`insert into pgboss.job (name) values (${name})`;
    await begin(database).ready;
    await expect.poll(isDone).toBe(true);
  });

  it("of the hour may take hours before it counts as lost and is begun anew, on a database of before, too", async () => {
    const first = begin(database);
    await first.ready;
    await first.stop();
    await database.sql`update pgboss.queue set expire_seconds = null`;
    await begin(database).ready;
    const hourly = await database.sql`
      select name, (options->>'expireInSeconds')::int as seconds from pgboss.schedule
      where name in ('retention', 'digest', 'key-expiry') order by name`;
    expect([...hourly]).toEqual(["digest", "key-expiry", "retention"].map((name) => ({ name, seconds: 6 * 3600 })));
    // Of the others, each looks by itself too, should the word that wakes it be lost.
    const others = await database.sql`
      select name, cron from pgboss.schedule where name not in ('retention', 'digest', 'key-expiry') order by name`;
    expect([...others]).toEqual(
      ["feed-expiry", "feed-index", "feed-loads", "feed-sources", "mail", "usage"].map((name) => ({
        name,
        cron: name === "feed-index" ? "41 * * * *" : "* * * * *",
      })),
    );
  });
});

/** Mail that has not left before the test says so. */
function holding() {
  let [begun, finish] = [() => {}, () => {}];
  const underWay = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const deliver = () =>
    new Promise<void>((resolve) => {
      finish = resolve;
      begun();
    });
  return { transport: { deliver, close() {} }, underWay, finish: () => finish() };
}

describe("stopping", () => {
  it("waits for the mail under way, and leaves no connection", async () => {
    const { transport, underWay, finish } = holding();
    const { core, ready, stop } = begin(database, transport);
    await ready;
    await queue(core, "under-way@example.com");
    await underWay;
    const stopped = stop();
    finish();
    await stopped;
    const [row] =
      await database.sql`select sent_at is not null as sent from outbox where recipient = 'under-way@example.com'`;
    expect(row).toEqual({ sent: true });
    // The server notices a moment after we have let go.
    await expect.poll(jobConnections).toBe(0);
  });

  it("waits for work under way also where the workers are not all up yet", async () => {
    const { core, ready, stop: stopFirst } = begin(database);
    await ready;
    await stopFirst();
    const { transport, underWay, finish } = holding();
    let isStopped = false;
    let stopped: Promise<void> | undefined;
    await database.sql.begin(async (tx) => {
      // The worker of mail is up, and waits for its place in the schedule.
      await tx`select from pgboss.schedule where name = 'mail' for update`;
      await queue(core, "starting@example.com");
      await database.sql`insert into pgboss.job (name) values ('mail')`;
      const { stop } = begin(database, transport);
      await underWay;
      stopped = stop().finally(() => {
        isStopped = true;
      });
    });
    for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
    expect(isStopped).toBe(false);
    finish();
    await stopped;
    const [row] =
      await database.sql`select sent_at is not null as sent from outbox where recipient = 'starting@example.com'`;
    expect(row).toEqual({ sent: true });
  });

  // Work under way would be waited for for twelve seconds.
  it("does not wait for a database that never came", { timeout: 8_000 }, async () => {
    const working = jobs.start(testCore(database), { url: "postgres://aisle@127.0.0.1:1/none", transport: undefined });
    await expect(working.stop()).resolves.toBeUndefined();
  });
});

describe("a database that goes away", () => {
  it("is waited for: the workers come back with it, and so does their listening", async () => {
    const directory = await makeDataFolder();
    const first = await startEmbedded(directory, { durable: false });
    await migrate(first.url);
    const connections = connect(first.url, "aisle-test");
    let [begun, finish] = [() => {}, () => {}];
    const underWay = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const released = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const transport = mail.smtp(smtp.url, FROM);
    const held: mail.Transport = {
      ...transport,
      async deliver(message) {
        if (message.to === "during@example.com") {
          begun();
          await released;
        }
        await transport.deliver(message);
      },
    };
    const { core, ready, stop } = begin(connections, held);
    await ready;
    await queue(core, "before@example.com");
    await smtp.arrived("before@example.com");

    await queue(core, "during@example.com");
    await underWay;
    await first.release();
    await expect(core.sql`select 1`).rejects.toThrow();
    finish(); // its job ends without a database to say so to
    await smtp.arrived("during@example.com");
    const second = await startEmbedded(directory, { durable: false });
    onTestFinished(async () => {
      await connections.close();
      await second.release();
      await rm(directory, { recursive: true, force: true });
    });
    await queue(core, "after@example.com");
    expect(await smtp.arrived("after@example.com")).toHaveLength(1);
    await stop();
  });
});

describe("what the workers ask of a database", () => {
  /** Fails once with this SQLSTATE, as the database says it. */
  const failing = (code: string) => {
    let tries = 0;
    return () => {
      const raised = `do $$ begin raise 'no' using errcode = '${code}'; end $$`;
      return tries++ === 0 ? database.sql.unsafe(raised).then(() => "") : Promise.resolve("answered");
    };
  };

  it("is asked again where it has no time, room or lock for it, or only reads, and not where it is wrong", async () => {
    const patiently = patience(testCore(database).log, AbortSignal.any([]));
    const passing = ["08006", "53300", "57P03", "40P01", "25006", "57014", "55P03"].map((code) =>
      patiently(failing(code)),
    );
    expect(new Set(await Promise.all(passing))).toEqual(new Set(["answered"]));
    for (const code of ["42601", "22012", "25001"])
      await expect(patiently(failing(code)), code).rejects.toMatchObject({ code });
    const bug = () => Promise.reject(new TypeError("no function"));
    await expect(patiently(bug)).rejects.toThrow(TypeError);
  });
});

describe("a database that lets in the workers, and nobody else yet", () => {
  it("is listened to, once it does", async () => {
    const port = await freePort();
    const url = new URL(database.url);
    url.searchParams.delete("host");
    url.host = `127.0.0.1:${port}`;
    const late = connect(url.href, "aisle-test");
    const core = { ...testCore(database), sql: late.sql };
    const working = jobs.start(core, { url: database.url, transport: mail.smtp(smtp.url, FROM) });
    onTestFinished(async () => {
      await working.stop();
      await late.close();
    });
    await working.ready;
    const way = await silentWay(database.url, port);
    onTestFinished(() => way.close());
    await queue(core, "late@example.com");
    expect(await smtp.arrived("late@example.com")).toHaveLength(1);
  });
});

describe("the usage job", () => {
  it("counts what is written, again and again, without being told", async () => {
    await begin(database).ready;
    const reader = await makeReader(database);
    const counted = async () => {
      // As if its ten seconds had passed: the next run is asked for by the one before.
      await database.sql`
        update pgboss.job set start_after = now()
        where name = 'usage' and state = 'created' and start_after <= created_on + interval '10 seconds'`;
      const [row] = await database.sql`
        select sum(calls)::int as calls from usage_rollups
        where consumer_id = ${reader.consumerId} and grain = 'day' and dimension = 'all'`;
      return row!.calls;
    };
    const told = { method: "ping", status: 200, latencyUs: 1, requestBytes: 1, responseBytes: 1, client: {} };
    for (const calls of [1, 2]) {
      await usage.record(database.as(reader, new Date(Date.now() - 2 * 60_000)), told);
      await expect.poll(counted, { interval: 200 }).toBe(calls);
    }
  });

  it("counts at once after the database's clock was set back by a day, and so do the hours go on", async () => {
    const before = begin(database);
    await before.ready;
    await before.stop();
    await database.sql`update pgboss.version set cron_on = now() + interval '1 day'`;
    await database.sql`
      update pgboss.job set start_after = now() + interval '1 day' where name = 'usage' and state < 'active'`;
    const [{ waiting }] = await database.sql<[{ waiting: number }]>`
      select count(*) as waiting from pgboss.job where name = 'usage' and state < 'active'`;
    expect(waiting).toBe(1);
    const reader = await makeReader(database);
    const told = { method: "ping", status: 200, latencyUs: 1, requestBytes: 1, responseBytes: 1, client: {} };
    await usage.record(database.as(reader, new Date(Date.now() - 2 * 60_000)), told);
    await begin(database).ready;
    const calls = () => database.sql`
      select calls from usage_rollups where consumer_id = ${reader.consumerId} and grain = 'day' and dimension = 'all'`;
    await expect.poll(calls).toMatchObject([{ calls: 1 }]);
    const [{ ticks }] = await database.sql<[{ ticks: boolean }]>`select cron_on <= now() as ticks from pgboss.version`;
    expect(ticks).toBe(true);
  });
});

describe("an hourly job", () => {
  it.each([0, 45_000, 61_000, 3 * HOUR_MS, -3 * HOUR_MS])(
    "is due in its minute and in no other by an instance whose clock is %d ms behind the database's",
    (behind) => {
      onTestFinished(() => void vi.useRealTimers());
      const keeper: { clockSkew: number; shouldSendIt(cron: string, tz: string): boolean } = Object.create(
        createRequire(import.meta.url)("pg-boss/src/timekeeper").prototype,
      );
      keeper.clockSkew = behind;
      const from = Date.UTC(2026, 2, 1, 12, 0, 5);
      const due = Array.from({ length: 240 }, (_, i) => from + i * 30_000).filter((at) => {
        vi.setSystemTime(at - behind);
        return keeper.shouldSendIt("17 * * * *", "UTC");
      });
      expect(due.map((at) => new Date(at).toISOString().slice(11, 16))).toEqual(["12:17", "12:17", "13:17", "13:17"]);
    },
  );
});
