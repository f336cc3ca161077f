// A database of its own for each test file: a clone of the migrated template, dropped afterwards.
import { randomBytes } from "node:crypto";
import { pino } from "pino";
import postgres from "postgres";
import { afterAll, beforeAll, inject } from "vitest";
import { type Connections, connect, type Sql } from "../../db/client";
import { type Actor, type Core, type Ctx, contextFor, newRequestId } from "../../server/context";
import { createLimits } from "../../server/limits";
import { isPublic } from "../../server/services/feeds/addresses";

const log = pino({ level: "silent" });
export const TEST_SECRET = "test".repeat(8);

export const TEMPLATE = "template_migrated";
/** The same with the demo loaded. */
export const DEMO_TEMPLATE = "template_demo";

/** The same server, another database. */
export function databaseUrl(url: string, name: string): string {
  const parsed = new URL(url);
  parsed.pathname = `/${name}`;
  return parsed.href;
}

/** One connection to our own server's maintenance database. */
export function ownServer(driver: typeof postgres, url: string) {
  const parsed = new URL(url);
  const path = `${parsed.searchParams.get("host")}/.s.PGSQL.${parsed.port}`;
  const password = decodeURIComponent(parsed.password);
  const quietly = { max: 1, fetch_types: false, onnotice: () => {} };
  return driver({ path, username: parsed.username, password, database: "postgres", ...quietly });
}

/** Clones the template under a random name. `drop` proves that the server is the one this run started. */
async function cloneDatabase(template = TEMPLATE) {
  const server = inject("databaseUrl");
  const name = `test_${randomBytes(6).toString("hex")}`;
  const admin = ownServer(postgres, server);
  if (template === DEMO_TEMPLATE) await makeDemoTemplate(admin, server);
  await admin.unsafe(`create database ${name} template ${template} strategy file_copy`);
  await admin.end();
  return {
    url: databaseUrl(server, name),
    async drop() {
      const last = ownServer(postgres, server);
      const [row] = await last`show data_directory`;
      if (row?.data_directory !== inject("dataDirectory")) throw new Error("Not this run's server: nothing dropped.");
      await last.unsafe(`drop database if exists ${name} with (force)`);
      await last.end();
    },
  };
}

/** Made by the first test file that asks for it; the others wait for it. */
async function makeDemoTemplate(admin: postgres.Sql, server: string): Promise<void> {
  await admin`select pg_advisory_lock(1)`;
  const [found] = await admin`select 1 from pg_database where datname = ${DEMO_TEMPLATE}`;
  if (!found) {
    const half = `${DEMO_TEMPLATE}_${randomBytes(3).toString("hex")}`;
    await admin.unsafe(`create database ${half} template ${TEMPLATE}`);
    const connections = connect(patientUrl(databaseUrl(server, half)), "aisle-test");
    const { seed } = await import("../../server/seed");
    await seed(contextFor(testCore(connections), { kind: "system" })).finally(() => connections.close());
    await admin.unsafe(`alter database ${half} rename to ${DEMO_TEMPLATE}`);
  }
  await admin`select pg_advisory_unlock(1)`;
}

/** What the product's processes start with, on a test's connections. */
export const testCore = ({ db, sql, searches, people }: Omit<Connections, "url" | "close">): Core => ({
  db,
  sql,
  searches,
  people,
  limits: createLimits({ sql, people }),
  secretKeys: [TEST_SECRET],
  // This machine counts as the internet.
  mayFetch: (address) => address === "127.0.0.1" || isPublic(address),
  baseUrl: "https://aisle.example",
  log,
});

export interface TestDatabase extends Connections {
  /** A context for any actor, now unless told. */
  as<A extends Actor>(actor: A, now?: Date): Ctx<A>;
}

/** Gives the tests of a file their own migrated database, through the same client as the product's. */
export function testDatabase(template?: string): TestDatabase {
  const database = {} as TestDatabase;
  let clone: Awaited<ReturnType<typeof cloneDatabase>>;
  beforeAll(async () => {
    clone = await cloneDatabase(template);
    // Tests are about what is done and who comes first, not about how busy the machine is.
    Object.assign(database, connect(patientUrl(clone.url), "aisle-test"), { url: clone.url });
    const core = testCore(database);
    database.as = (actor, now = new Date()) => ({ ...core, actor, now, requestId: newRequestId() });
  });
  afterAll(async () => {
    await database.close();
    await clone.drop();
  });
  return database;
}

/** Until so many queries of a file's database wait for a lock, of a table or of a row. */
export async function untilWaiting(sql: Sql, count: number): Promise<void> {
  for (;;) {
    const [row] = await sql`select count(*)::int as n from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    if (row!.n >= count) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

type TimeLimit = "lock_timeout" | "statement_timeout";
const TIME_LIMITS: TimeLimit[] = ["lock_timeout", "statement_timeout"];

/** For queries that take, and wait for a lock, as long as a slow machine needs, rather than give up. */
export function patientUrl(url: string, limits = TIME_LIMITS): string {
  const patient = new URL(url);
  // In milliseconds: pg takes the number alone, so that jobs would give up after 60 ms of "60s".
  for (const name of limits) patient.searchParams.set(name, "60000");
  return patient.href;
}
