// What happens without a request: pg-boss in our own database, so that each run of a job is done by one instance, whichever.
// Each job calls one operation of a service.
import { setTimeout as sleep } from "node:timers/promises";
import PgBoss from "pg-boss";
import { MINUTE_MS } from "../clock";
import { type Core, type Ctx, contextFor, type System } from "../context";
import * as digests from "../services/digests";
import { internet } from "../services/feeds/fetch";
import * as queue from "../services/feeds/queue";
import { reindex } from "../services/feeds/reindex";
import { renew } from "../services/feeds/renewal";
import * as source from "../services/feeds/source";
import * as keyExpiry from "../services/key-expiry";
import * as mail from "../services/mail";
import * as retention from "../services/retention";
import { recordInterrupted } from "../services/usage-begun";
import { rollUp } from "../services/usage-rollup";
import { CHANNEL, type Woken } from "../services/wake";
import { patience } from "./patience";

const RETENTION = "retention";
const DIGEST = "digest";
const KEY_EXPIRY = "key-expiry";
const USAGE = "usage";
/** How long after a run of the usage rollups the next one is due. */
const USAGE_EVERY_S = 10;
const FEED_EXPIRY = "feed-expiry";
const STOP_MS = 10_000;

export interface Jobs {
  /** Once the workers are up. Waits for a database that is away. */
  ready: Promise<void>;
  /** Takes no further work, waits up to 10 s for what is under way, and lets go of the database. */
  stop(): Promise<void>;
}

interface JobParts {
  /** The database's URL, also with `?host=/socket/directory`. */
  url: string;
  /** How mail leaves; without one it waits in the outbox. */
  transport: mail.Transport | undefined;
}

/** Starts the workers of this instance. */
export function start(core: Core, { url, transport }: JobParts): Jobs {
  const { log } = core;
  const reach = { ...internet, allows: core.mayFetch };
  const stopping = new AbortController();
  const gone = new AbortController();
  const boss = createBoss(url, patience(log, gone.signal));
  boss.on("error", (error) => log.warn({ reason: error.message }, "jobs"));

  let hasDatabase = false;
  let watch: NodeJS.Timeout | undefined;
  async function goWithTheClock(): Promise<void> {
    await forgetTheFuture(boss).catch((error) => log.warn({ reason: error.message }, "jobs"));
    if (!stopping.signal.aborted) watch = setTimeout(goWithTheClock, MINUTE_MS).unref();
  }
  async function begin(): Promise<void> {
    await boss.start();
    hasDatabase = true;
    await goWithTheClock();
    await workHourly(core, boss, { name: RETENTION, minute: 17, run: retention.run });
    // A minute past, so that a run that was missed is made up for within the hour; the service knows what is due.
    await workHourly(core, boss, { name: DIGEST, minute: 1, run: digests.send });
    await workHourly(core, boss, { name: KEY_EXPIRY, minute: 31, run: keyExpiry.tell });
    const { signal } = stopping;
    await workUsage(core, boss, signal);
    const wakers = new Map<string, () => void>();
    const beWoken = async (work: Work) => wakers.set(work.name, await workWoken(core, boss, signal, work));
    await beWoken({ name: "feed-loads", run: () => queue.runWaiting(core, signal) });
    await beWoken({ name: "feed-sources", run: () => source.fetchDue(core, reach, signal) });
    await workExpiry(core, boss);
    // Hourly, should it have failed: a large store takes long.
    await beWoken({ name: "feed-index", cron: "41 * * * *", run: () => reindex(core, signal) });
    if (transport)
      await beWoken({
        name: "mail",
        async run(wakeIn) {
          const { isAway } = await mail.deliverDue(core, transport, signal);
          if (isAway) wakeIn(mail.AWAY_MS);
        },
      });
    else log.warn("SMTP_URL is not set: mail waits in the outbox");
    await listen(core, wakers);
  }

  return {
    ready: begin().catch((error) => {
      // Stopped while they were starting: that they did not start is no failure then.
      if (!stopping.signal.aborted) throw error;
    }),
    async stop() {
      stopping.abort();
      clearTimeout(watch);
      const stopped = boss.stop({ graceful: true, timeout: STOP_MS }).catch(() => {});
      if (hasDatabase) await Promise.race([stopped, sleep(STOP_MS + 2_000, undefined, { ref: false })]);
      gone.abort();
      transport?.close();
    },
  };
}

/** How long a job may run before it counts as lost. What it does is leased for less, row by row, or may safely run twice at once. */
const LONGEST_SECONDS = 6 * 3600;

/** Nothing is asked for so far ahead. */
const FAR_AHEAD = "interval '5 minutes'";

/**
 * Where the database's clock was set back, what was done and asked for by the time before is still to come, and until
 * then nothing else would be: no job is asked for twice. What was done so is forgotten, and the rest is due.
 */
async function forgetTheFuture(boss: PgBoss): Promise<void> {
  const database = boss.getDb();
  await database.executeSql(
    `
    update pgboss.version set cron_on = least(cron_on, now()), maintained_on = least(maintained_on, now()),
      monitored_on = least(monitored_on, now())
    where greatest(cron_on, maintained_on, monitored_on) > now() + ${FAR_AHEAD}`,
    [],
  );
  await database.executeSql(
    `
    update pgboss.job set start_after = now() where state < 'active' and start_after > now() + ${FAR_AHEAD}`,
    [],
  );
  await database.executeSql(`delete from pgboss.job where completed_on > now() + ${FAR_AHEAD}`, []);
}

interface Hourly {
  name: string;
  minute: number;
  run: (ctx: Ctx<System>) => Promise<unknown>;
}

async function workHourly(core: Core, boss: PgBoss, { name, minute, run }: Hourly): Promise<void> {
  await boss.createQueue(name, { name, policy: "short", retryLimit: 3, retryDelay: 60 });
  await boss.work(name, { pollingIntervalSeconds: 30 }, () =>
    reported(core, name, () => run(contextFor(core, { kind: "system" }))),
  );
  // Set on each job: a queue that exists already keeps the options it was made with. Without it, pg-boss counts a job as
  // lost after 15 minutes and starts it again.
  await boss.schedule(name, `${minute} * * * *`, undefined, { expireInSeconds: LONGEST_SECONDS });
}

/** Each run sends the job for the next one; should that be lost, the cron starts over. The queue has one waiting job at most. */
async function workUsage(core: Core, boss: PgBoss, stopping: AbortSignal): Promise<void> {
  await boss.createQueue(USAGE, { name: USAGE, policy: "short", retryLimit: 0 });
  await boss.work(USAGE, { pollingIntervalSeconds: 5 }, async () => {
    // Both run to their end, even where the other one fails.
    const recorded = reported(core, USAGE, () => recordInterrupted(contextFor(core, { kind: "system" })));
    const counted = reported(core, USAGE, () => rollUp(core, { stopping }));
    await Promise.allSettled([recorded, counted]);
    await Promise.all([recorded, counted]);
    if (!stopping.aborted) await boss.send(USAGE, {}, { startAfter: USAGE_EVERY_S });
  });
  await boss.schedule(USAGE, "* * * * *");
  await boss.send(USAGE, {});
}

async function workExpiry(core: Core, boss: PgBoss): Promise<void> {
  await boss.createQueue(FEED_EXPIRY, { name: FEED_EXPIRY, policy: "short", retryLimit: 0 });
  await boss.work(FEED_EXPIRY, { pollingIntervalSeconds: 30 }, () =>
    reported(core, FEED_EXPIRY, () => renew(contextFor(core, { kind: "system" }))),
  );
  await boss.schedule(FEED_EXPIRY, "* * * * *");
}

interface Work {
  name: Woken;
  /** When it runs without being woken: to try again, and where a wake-up was lost. Each minute unless given. */
  cron?: string;
  /** Does all that is due. It calls `wakeIn` where more will be due before the next minute. */
  run: (wakeIn: (ms: number) => void) => Promise<unknown>;
}

/**
 * A job that runs whenever it is woken. The queue has one waiting job at most, and whoever takes it does all that is due.
 * @returns wakes it
 */
async function workWoken(
  core: Core,
  boss: PgBoss,
  stopping: AbortSignal,
  { name, cron = "* * * * *", run }: Work,
): Promise<() => void> {
  await boss.createQueue(name, { name, policy: "short", retryLimit: 0, expireInSeconds: LONGEST_SECONDS });
  let worker = "";
  const wake = () => {
    if (stopping.aborted) return;
    boss.send(name, {}).then(
      () => boss.notifyWorker(worker),
      (error) => core.log.warn({ reason: error.message, job: name }, "job not woken"),
    );
  };
  worker = await boss.work(name, { pollingIntervalSeconds: 30 }, () =>
    reported(core, name, () => run((ms) => void setTimeout(wake, ms).unref())),
  );
  await boss.schedule(name, cron);
  return wake;
}

/**
 * Wakes all of them once it listens. postgres.js listens again by itself after the database was away, from the first attempt
 * on, and says so: what was missed is done then.
 */
async function listen({ sql, log }: Core, wakers: ReadonlyMap<string, () => void>): Promise<void> {
  const wakeAll = () => {
    for (const wake of wakers.values()) wake();
  };
  await sql
    .listen(CHANNEL, (job) => wakers.get(job)?.(), wakeAll)
    .catch((error) => log.warn({ reason: error.message }, "jobs are listened for later"));
}

/**
 * pg-boss with a database that it can rely on: it leaves some of its promises to themselves, and a rejected one would
 * end the process.
 */
function createBoss(url: string, patiently: ReturnType<typeof patience>): PgBoss {
  const pool = { connectionTimeoutMillis: 5_000, query_timeout: 60_000, keepAlive: true };
  const target = new URL(url);
  // sslmode means to pg what it means to libpq and to our own client.
  target.searchParams.set("uselibpqcompat", "true");
  const boss = new PgBoss({
    connectionString: target.href,
    application_name: "aisle jobs",
    max: 3,
    cronWorkerIntervalSeconds: 10,
    // A job's time is told by it: an instance's clock may be set.
    clockMonitorIntervalSeconds: 30,
    ...pool,
  });
  const database = boss.getDb();
  const execute = database.executeSql.bind(database);
  database.executeSql = (text, values) => patiently(() => execute(text, values));
  return boss;
}

/** A job that fails is logged here; pg-boss keeps the error, so it gets one without particulars. */
async function reported<T>(core: Core, job: string, run: () => Promise<T>): Promise<void> {
  try {
    await run();
  } catch (error) {
    core.log.error({ err: error, job }, "job failed");
    throw new Error(`${job} failed`);
  }
}
