// The only place that connects to PostgreSQL.
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { drizzle, type PostgresJsDatabase } from "drizzle-orm/postgres-js";
import { migrate as runMigrations } from "drizzle-orm/postgres-js/migrator";
import postgres from "postgres";
import { ARRAY_TYPES } from "./array-types";
import { composing, type InTurn } from "./compose";
import { preparing } from "./prepare";
import { silence } from "./silence";

export type Sql = postgres.Sql<{ bigint: number }>;
export type Database = PostgresJsDatabase;

export interface Connections {
  /** Where the database is: a URL as libpq reads it, also with `?host=/socket/directory`. */
  url: string;
  sql: Sql;
  /** The same, over connections that only searches use. */
  searches: Sql;
  /** The same, over connections that only what people ask uses. */
  people: Sql;
  db: Database;
  /** Ends all pools; gives up on a server that does not answer after 2 s. */
  close(): Promise<void>;
}

/** postgres.js takes the socket as `path`; libpq's URL form for it is `?host=/directory`. */
function target(url: string) {
  const parsed = new URL(url);
  const directory = parsed.searchParams.get("host");
  parsed.searchParams.delete("host");
  if (!directory?.startsWith("/")) return { url: parsed.href, options: {} };
  return { url: parsed.href, options: { path: `${directory}/.s.PGSQL.${parsed.port || 5432}` } };
}

/**
 * How many statements a connection keeps prepared: those that were used last. Callers decide how many kinds there are, by what they
 * search and filter for, and each takes up to two megabytes (decision 0092).
 */
export const PREPARED = 100;

// `max_pipeline`, `max_prepared`, `silence` and `array_types` are missing from the types. With the default of 100, queries queue behind one
// another on a connection while others idle; with 1 a query takes the first free connection.
function client(url: string, options: postgres.Options<Record<string, postgres.PostgresType>>) {
  const { url: href, options: where } = target(url);
  return postgres(href, {
    silence: silence(() => postgres(href, { ...where, max: 1, connect_timeout: 5, fetch_types: false })),
    onnotice: () => {},
    connect_timeout: 5,
    // Seconds before it connects again; by itself it would wait up to 20 after a long outage.
    backoff: (attempts: number) => Math.min(0.05 * 2 ** attempts, 1),
    max_pipeline: 1,
    max_prepared: PREPARED,
    fetch_types: false,
    array_types: ARRAY_TYPES,
    ...where,
    ...options,
    // Days are UTC's, whatever the database's own time zone is.
    connection: { TimeZone: "UTC", ...options.connection },
  } as never);
}

/** int8 as number: amounts in minor units and row ids stay far below 2^53. */
const bigint = { to: 20, from: [20], serialize: String, parse: Number } as const;

/** How long a transaction may sit idle: of what people do, or of a migration. */
const IDLE_MS = 60_000;

/** How long a statement waits for a lock: less than callers wait; a transaction that may wait longer sets its own. */
const LOCK_MS = 2_000;

/**
 * Few, since each connection plans each kind of search for itself, once (decision 0074). A statement ends when its caller stops
 * waiting for it: others wait for the connection.
 */
export const SEARCHES = {
  max: 4,
  settings: { plan_cache_mode: "force_generic_plan", statement_timeout: 2_500 },
} as const;

/** @param name shown in pg_stat_activity, so that operators see who holds a connection */
export function connect(url: string, name = "aisle"): Connections {
  const agents = (max: number, settings = {}) =>
    client(url, {
      max,
      types: { bigint: bigint as never },
      connection: { application_name: name, statement_timeout: 5_000, lock_timeout: LOCK_MS, ...settings },
    }) as unknown as Sql;
  const sql = composing(agents(9));
  const searches = composing(agents(SEARCHES.max, SEARCHES.settings));
  const people = composing(agents(3));
  // Drizzle changes the parsers of the client that it wraps, so it has one of its own.
  const orm = client(url, {
    max: 4,
    connection: { application_name: name, idle_in_transaction_session_timeout: IDLE_MS, lock_timeout: LOCK_MS },
  });
  return {
    url,
    sql,
    searches,
    people,
    db: onto(preparing(orm)),
    close: async () => void (await Promise.all([sql, searches, people, orm].map((pool) => pool.end({ timeout: 2 })))),
  };
}

const onto = (client: postgres.Sql) => drizzle(client, { casing: "snake_case" });

/** Drizzle over the same connections, where each statement or transaction begins when its turn has come. */
export const inTurns = (db: Database, inTurn: InTurn): Database =>
  onto(preparing((db as ReturnType<typeof onto>).$client, inTurn));

const MIGRATION_LOCK = 4_711_001;
/**
 * How long a migration waits for a lock at a time. While it waits for a table, everybody else queues behind it: so it waits less
 * than a call may take. It also gives up before PostgreSQL looks for deadlocks (deadlock_timeout, one second), which might end a
 * call instead of the migration.
 */
const LOCK_TIMEOUT_MS = 500;
const LOCK_TRIES = 60;
const LOCK_PAUSE_MS = 2_000;

/**
 * Brings the schema up to date, while others may serve; instances that start together wait for one another (advisory
 * lock). What is pending is one transaction. Gives way where a lock does not come within half a second, and tries again.
 * @param migrationsFolder drizzle-kit's; our own unless given
 * @throws Error once the lock did not come sixty times, in about two and a half minutes, or where the URL is a pooler's; nothing
 *   is changed then
 */
export async function migrate(url: string, migrationsFolder = OWN_MIGRATIONS): Promise<void> {
  const one = client(url, { max: 1, connection: { idle_in_transaction_session_timeout: IDLE_MS } });
  try {
    await requireNoPooler(one);
    await one`select pg_advisory_lock(${MIGRATION_LOCK})`;
    await one.unsafe(`set lock_timeout = ${LOCK_TIMEOUT_MS}`);
    for (let tries = 1; ; tries++) {
      const isDone = await runMigrations(drizzle(one as never), { migrationsFolder }).then(() => true, unlessLocked);
      if (isDone) return;
      if (tries === LOCK_TRIES)
        throw new Error(
          "The schema was not brought up to date: a long transaction holds a lock. End it, then start again.",
        );
      await sleep(LOCK_PAUSE_MS);
    }
  } finally {
    await one.end({ timeout: 2 });
  }
}

/**
 * PgBouncer refuses the time limits that a connection asks for, or leaves them out. And where it gives each transaction another
 * connection, the advisory lock and prepared statements stay behind on a connection that others then use.
 * @throws Error where the address is a pooler's
 */
async function requireNoPooler(one: postgres.Sql): Promise<void> {
  const [row] = await one<{ idle: string }[]>`
    select setting as idle from pg_settings where name = 'idle_in_transaction_session_timeout'`.catch(
    (error: Error) => {
      if (/startup parameter/.test(error.message)) return [];
      throw error;
    },
  );
  if (row?.idle !== String(IDLE_MS))
    throw new Error(
      "DATABASE_URL is the address of a pooler such as PgBouncer, which drops the time limits of our connections. Give the address of PostgreSQL itself: an instance opens 24 connections at most.",
    );
}

const OWN_MIGRATIONS = fileURLToPath(new URL("./migrations", import.meta.url));

/** lock_not_available and deadlock_detected. */
const LOCKED = new Set(["55P03", "40P01"]);

/** @returns false where a lock did not come in time @throws any other error */
function unlessLocked(error: { code?: string; cause?: { code?: string } }): false {
  if (LOCKED.has(error.cause?.code ?? error.code ?? "")) return false;
  throw error;
}
