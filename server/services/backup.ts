// Everything that the database holds, in one file, and back: COPY of every table in one snapshot, without pg_dump.
//
// The file is gzipped text: a line of JSON (`Manifest`), then for each table the line `COPY`, its rows as PostgreSQL's
// COPY writes them, and `\.`. Counters of rate limits and queued jobs are left out: both come back by themselves.
import { Readable, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import type postgres from "postgres";
import { z } from "zod";
import type { Ctx, System } from "../context";
import { DomainError } from "../errors";

type Lines = AsyncIterator<string, undefined>;
type Transaction = postgres.TransactionSql<{ bigint: number }>;

const Manifest = z.strictObject({
  aisle: z.literal("backup"),
  at: z.iso.datetime(),
  /** What made the schema, in order. */
  migrations: z.array(z.string()),
  partitions: z.array(z.strictObject({ name: z.string(), parent: z.string(), bounds: z.string() })),
  /** Those that others refer to come first. */
  tables: z.array(z.strictObject({ name: z.string(), columns: z.array(z.string()) })),
});
type Manifest = z.infer<typeof Manifest>;
interface BackedUp {
  /** The moment of the snapshot. */
  at: string;
  tables: number;
  rows: number;
}

const LEFT_OUT = ["rate_limits"];
const END = "\\.";
const CHUNK = 64 * 1024;
const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;
const target = ({ name, columns }: Manifest["tables"][number]) => `${quoted(name)} (${columns.map(quoted).join(", ")})`;

/**
 * Writes all of it as it was at one moment, while everybody goes on reading and writing.
 * @param sink ended when it is written; until this resolves, what is in it may lack something
 * @throws DomainError conflict (the schema was changed meanwhile), and whatever the sink fails with
 */
export async function backUp(ctx: Ctx<System>, sink: Writable): Promise<BackedUp> {
  let told: BackedUp | undefined;
  let failed: { error: unknown } | undefined;
  const copying = ctx.sql.begin("isolation level repeatable read read only", async (tx) => {
    await tx`set local statement_timeout = 0`;
    const manifest = await describe(tx, ctx.now);
    const seen = { rows: 0 };
    await pipeline(Readable.from(text(tx, manifest, seen)), createGzip({ level: 6 }), sink).catch((error) => {
      failed = { error };
      throw error;
    });
    // A table that is written anew for a migration is empty to who saw it as it was before, and has not read it yet.
    if (JSON.stringify(await migrationsOf(ctx.sql)) !== JSON.stringify(manifest.migrations))
      throw new DomainError(
        "conflict",
        "Aisle was upgraded meanwhile, so the file may lack something. Take the backup again.",
      );
    told = { at: manifest.at, tables: manifest.tables.length, rows: seen.rows };
  });
  await copying.catch((error) => {
    // In the midst of a COPY postgres.js refuses to roll back, and throws that instead.
    throw failed ? failed.error : error;
  });
  return told!;
}

async function* text(tx: Transaction, manifest: Manifest, seen: { rows: number }) {
  yield `${JSON.stringify(manifest)}\n`;
  for (const table of manifest.tables) {
    yield `COPY ${table.name}\n`;
    const columns = table.columns.map(quoted).join(", ");
    const rows = await tx.unsafe(`copy (select ${columns} from ${quoted(table.name)}) to stdout`).readable();
    for await (const chunk of rows as AsyncIterable<Buffer>) {
      for (const byte of chunk) if (byte === 10) seen.rows += 1;
      yield chunk;
    }
    // postgres.js leaves its socket paused where the last rows filled the stream: reading on wakes it.
    rows._read(0);
    yield `${END}\n`;
  }
}

/**
 * Fills an empty database with a backup, whole or not at all.
 * @throws DomainError conflict (the database is in use, or has another version's schema), invalid_arguments (no backup, or cut short)
 */
export async function restore(ctx: Ctx<System>, source: Readable): Promise<BackedUp> {
  const lines = linesOf(source);
  try {
    const manifest = read((await lines.next()).value);
    let rows = 0;
    await ctx.sql.begin(async (tx) => {
      await tx`set local statement_timeout = 0`;
      await requireEmpty(tx, manifest);
      await tx.unsafe(
        manifest.tables.map(({ name }) => `alter table ${quoted(name)} disable trigger user;`).join("\n"),
      );
      await tx.unsafe(`truncate ${manifest.tables.map(({ name }) => quoted(name)).join(", ")}`);
      for (const { name, parent, bounds } of manifest.partitions)
        await tx.unsafe(`create table if not exists ${quoted(name)} partition of ${quoted(parent)} ${bounds}`);
      for (const table of manifest.tables) rows += await fill(tx, table, lines);
      await continueSequences(tx, manifest);
      await tx.unsafe(manifest.tables.map(({ name }) => `alter table ${quoted(name)} enable trigger user;`).join("\n"));
      // In here, where it may take its time.
      await tx.unsafe("analyze");
    });
    return { at: manifest.at, tables: manifest.tables.length, rows };
  } finally {
    source.destroy();
  }
}

const notOurs = () =>
  new DomainError("invalid_arguments", "This is no backup that `aisle backup` made, or it is cut short.");

/**
 * Lines of the file, each byte one character: rows are passed on as they are. COPY escapes every line break within a row.
 * @throws DomainError invalid_arguments when it is not gzip, or ends too early
 */
async function* linesOf(source: Readable): AsyncGenerator<string, undefined> {
  let rest = "";
  const gunzip = createGunzip();
  source.once("error", (error) => gunzip.destroy(error)).pipe(gunzip);
  try {
    for await (const chunk of gunzip as AsyncIterable<Buffer>) {
      const lines = (rest + chunk.toString("latin1")).split("\n");
      rest = lines.pop()!;
      yield* lines;
    }
  } catch (error) {
    throw String((error as { code?: unknown }).code).startsWith("Z_") ? notOurs() : error;
  }
}

function read(first: string | undefined): Manifest {
  try {
    return Manifest.parse(JSON.parse(first ?? ""));
  } catch {
    throw notOurs();
  }
}

async function describe(tx: Transaction, now: Date): Promise<Manifest> {
  const tables = await tx<{ name: string; columns: string[]; refers: string[] }[]>`
    select c.relname as name,
      (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
      array(select r.relname::text from pg_constraint k join pg_class r on r.oid = k.confrelid
        where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> k.conrelid) as refers
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname <> all(${LEFT_OUT})
    order by c.relname`;
  const partitions = await tx<Manifest["partitions"][number][]>`
    select c.relname as name, p.relname as parent, pg_get_expr(c.relpartbound, c.oid) as bounds
    from pg_class c join pg_inherits i on i.inhrelid = c.oid join pg_class p on p.oid = i.inhparent
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relispartition order by c.relname`;
  return {
    aisle: "backup",
    at: now.toISOString(),
    migrations: await migrationsOf(tx),
    partitions: [...partitions],
    tables: inOrder([...tables]).map(({ name, columns }) => ({ name, columns })),
  };
}

/** By when each was made, as drizzle's migrator tells them apart: what a file of one says may be mended later. */
const migrationsOf = async (sql: Pick<Ctx, "sql">["sql"] | Transaction): Promise<string[]> =>
  (
    await sql<{ madeAt: string }[]>`
    select created_at::text as "madeAt" from drizzle.__drizzle_migrations order by created_at`
  ).map(({ madeAt }) => madeAt);

/** Each table after those that it refers to. @throws Error when they refer to each other in a circle */
function inOrder<Table extends { name: string; refers: string[] }>(tables: Table[]): Table[] {
  const sorted: Table[] = [];
  let left = tables;
  while (left.length > 0) {
    const ready = left.filter(({ refers }) => !refers.some((name) => left.some((other) => other.name === name)));
    if (ready.length === 0) throw new Error(`Tables refer to each other in a circle: ${left.map(({ name }) => name)}`);
    sorted.push(...ready);
    left = left.filter((table) => !ready.includes(table));
  }
  return sorted;
}

async function requireEmpty(tx: Transaction, { migrations }: Manifest): Promise<void> {
  // Whoever starts meanwhile waits here, and then finds it filled.
  await tx`lock table accounts, merchants in exclusive mode`;
  const [found] = await tx`select from accounts union all select from merchants limit 1`;
  if (found)
    throw new DomainError(
      "conflict",
      "There is something in this database. Restore into an empty one, so that nothing is lost.",
    );
  const ours = await migrationsOf(tx);
  // Also where an older version, to which somebody went back, has made the file: the schema stayed as the newer one had made it.
  if (migrations.length > ours.length && ours.every((madeAt, i) => migrations[i] === madeAt))
    throw new DomainError(
      "conflict",
      "The database in the backup had been brought up to date by a newer version of Aisle. Restore it with that one, into another empty database.",
    );
  if (JSON.stringify(ours) !== JSON.stringify(migrations))
    throw new DomainError(
      "conflict",
      "The backup was made by another version of Aisle. Restore it with that version, into another empty database, then upgrade.",
    );
}

/** @returns how many rows there were */
async function fill(tx: Transaction, table: Manifest["tables"][number], lines: Lines): Promise<number> {
  const first = await lines.next();
  if (first.value !== `COPY ${table.name}`) throw notOurs();
  const seen = { rows: 0 };
  await pipeline(Readable.from(rowsOf(lines, seen)), await tx.unsafe(`copy ${target(table)} from stdin`).writable());
  return seen.rows;
}

async function* rowsOf(lines: Lines, seen: { rows: number }) {
  let chunk = "";
  for (;;) {
    const { value, done } = await lines.next();
    if (done) throw notOurs();
    if (value === END) break;
    seen.rows += 1;
    chunk += `${value}\n`;
    if (chunk.length < CHUNK) continue;
    yield Buffer.from(chunk, "latin1");
    chunk = "";
  }
  if (chunk) yield Buffer.from(chunk, "latin1");
}

/**
 * The last id there is counts as given out: a load records what was given out last. So does whatever loads have recorded,
 * though the variant is gone: else what comes next would seem to have come before them. setval of null does nothing.
 */
async function continueSequences(tx: Transaction, { tables }: Manifest): Promise<void> {
  for (const { name } of tables) {
    const columns = await tx<{ column: string; sequence: string }[]>`
      select a.attname as column, pg_get_serial_sequence(${quoted(name)}, a.attname) as sequence
      from pg_attribute a where a.attrelid = ${quoted(name)}::regclass and a.attidentity <> ''`;
    for (const { column, sequence } of columns) {
      const counted = name === "variants" ? "(select max(last_variant_ref) from feed_loads)" : "null";
      await tx.unsafe(
        `select setval('${sequence}', nullif(greatest(max(${quoted(column)}), ${counted}), 0)) from ${quoted(name)}`,
      );
    }
  }
}
