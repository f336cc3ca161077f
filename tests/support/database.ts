// A database of its own for each test file: a clone of the migrated template, dropped afterwards.
import { randomBytes } from "node:crypto";
import { pino } from "pino";
import postgres from "postgres";
import { afterAll, beforeAll, inject } from "vitest";
import { type Connections, connect } from "../../db/client";
import { type Actor, type Ctx, newRequestId } from "../../server/context";
import { createLimits } from "../../server/limits";

const log = pino({ level: "silent" });

export const TEMPLATE = "template_migrated";

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
  return driver({ path, username: parsed.username, password, database: "postgres", max: 1, onnotice: () => {} });
}

/** Clones the template under a random name. `drop` proves that the server is the one this run started. */
export async function cloneDatabase(template = TEMPLATE) {
  const server = inject("databaseUrl");
  const name = `test_${randomBytes(6).toString("hex")}`;
  const admin = ownServer(postgres, server);
  await admin.unsafe(`create database ${name} template ${template}`);
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
    Object.assign(database, connect(clone.url, "aisle-test"));
    const core = {
      db: database.db,
      sql: database.sql,
      limits: createLimits(database.sql),
      secretKey: "test".repeat(8),
      log,
    };
    database.as = (actor, now = new Date()) => ({ ...core, actor, now, requestId: newRequestId() });
  });
  afterAll(async () => {
    await database.close();
    await clone.drop();
  });
  return database;
}
