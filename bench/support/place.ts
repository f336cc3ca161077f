// Where a run takes place: a PostgreSQL of its own in a temporary directory, databases of each size, our server.

import { createHash } from "node:crypto";
import { chmodSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { type Connections, connect, migrate } from "../../db/client";
import { startEmbedded } from "../../db/embedded";
import { type Actor, type Core, type Ctx, contextFor } from "../../server/context";
import { createLimits } from "../../server/limits";
import { isPublic } from "../../server/services/feeds/addresses";
import { INDEX_VERSION } from "../../server/services/feeds/index-version";
import { fill } from "./catalogue";
import { type Contender, launch, root } from "./processes";

/** What `npm start` gives to node. */
const startArguments = (
  JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { scripts: { start: string } }
).scripts.start
  .split(" ")
  .slice(1);

export const SECRET_KEY = "bench".repeat(8);

export interface Place {
  /** For logs, files and scripts of this run. */
  directory: string;
  /** PostgreSQL's first process; the others come from it. */
  postgresPid: number;
  /** A migrated database, made and filled when first asked for. */
  database(name: string, prepare?: (database: Database) => Promise<void>): Promise<Database>;
  /** A database with 1,000 stores and so many products. */
  catalogue(products: number): Promise<Database>;
  /** Our server as `npm start` runs it in production, on a database. */
  serve(database: Database, env?: Record<string, string>, nodeArgs?: string[]): Promise<Contender>;
  close(): Promise<void>;
}

export interface Database extends Connections {
  name: string;
  as<A extends Actor>(actor: A): Ctx<A>;
}

/**
 * @param keep a directory that stays, with its databases, for the next run; else a temporary one
 * @param feed a feed (TSV) whose products the catalogues are made of; else those of the demo stores
 */
export async function openPlace(keep: string | undefined, feed: string | undefined): Promise<Place> {
  if (keep) await mkdir(keep, { recursive: true });
  const directory = keep ?? (await mkdtemp(join(tmpdir(), "aisle-bench-")));
  chmodSync(directory, 0o755); // root's PostgreSQL runs as nobody
  const embedded = await startEmbedded(directory);
  // A catalogue of another feed is another one.
  const of = feed ? `_${createHash("sha256").update(readFileSync(feed)).digest("hex").slice(0, 12)}` : "";
  const databases = new Map<string, Promise<Database>>();
  const maintenance = connect(embedded.url, "aisle-bench");
  const [row] = await maintenance.sql<[{ data_directory: string }]>`show data_directory`;
  const postgresPid = Number.parseInt(readFileSync(join(row.data_directory, "postmaster.pid"), "utf8"), 10);

  async function open(name: string, prepare: (database: Database) => Promise<void>): Promise<Database> {
    const url = new URL(embedded.url);
    url.pathname = `/${name}`;
    const [found] = await maintenance.sql`select 1 from pg_database where datname = ${name}`;
    // Made under another name, so that what a broken run left behind is never taken for whole.
    const half = new URL(url);
    half.pathname = `/${name}_half`;
    // What was kept may be of a release before.
    if (found) await migrate(url.href);
    else {
      await maintenance.sql.unsafe(`drop database if exists ${name}_half with (force)`);
      await maintenance.sql.unsafe(`create database ${name}_half`);
      await migrate(half.href);
      const filling = attach(`${name}_half`, half.href);
      await prepare(filling).finally(() => filling.close());
      await maintenance.sql.unsafe(`alter database ${name}_half rename to ${name}`);
    }
    const opened = attach(name, url.href);
    if (found) await readAll(opened);
    return opened;
  }

  const database = (name: string, prepare: (database: Database) => Promise<void> = async () => {}) => {
    const opened = databases.get(name) ?? open(name, prepare);
    databases.set(name, opened);
    return opened;
  };

  return {
    directory,
    postgresPid,
    database,
    catalogue(products) {
      // What was kept of a release that indexed otherwise is made anew: its stores would be indexed beside the measuring.
      const name = (version: number) => `catalogue_${products}_v${version}${of}`;
      return database(name(INDEX_VERSION), async (filling) => {
        for (let version = INDEX_VERSION - 1; version > 0; version--)
          await maintenance.sql.unsafe(`drop database if exists ${name(version)}`);
        await fill(filling, products, feed);
      });
    },
    serve: ({ url }, env = {}, nodeArgs = []) =>
      launch({
        name: "aisle",
        args: [...nodeArgs, ...startArguments],
        env: { DATABASE_URL: url, SECRET_KEY, ...env },
        ready: "/readyz",
        directory,
      }),
    async close() {
      for (const opened of await Promise.allSettled(databases.values()))
        if (opened.status === "fulfilled") await opened.value.close();
      await maintenance.close();
      await embedded.release();
      if (!keep) await rm(directory, { recursive: true, force: true });
    },
  };
}

/** What was kept from an earlier run may be on the disk alone, from where a search can take longer than its deadline. */
async function readAll({ sql }: Database): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`set local statement_timeout = 0`;
    await tx`create extension if not exists pg_prewarm`;
    await tx`select sum(pg_prewarm(oid, 'read')) from pg_class where relkind in ('r', 'i', 't')`;
  });
}

function attach(name: string, url: string): Database {
  const connections = connect(url, "aisle-bench");
  const core: Core = {
    db: connections.db,
    sql: connections.sql,
    searches: connections.searches,
    people: connections.people,
    limits: createLimits(connections),
    secretKeys: [SECRET_KEY],
    mayFetch: isPublic,
    baseUrl: "https://aisle.example",
    log: pino({ level: "silent" }),
  };
  return { ...connections, name, as: (actor) => contextFor(core, actor) };
}
