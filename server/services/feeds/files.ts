// Feed files, kept in the database (decision 0022): whichever instance runs a load can read its file, and a store can go
// back to an earlier one. A file goes in and out in parts, never as a whole.
import { createHash, type Hash } from "node:crypto";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { sql as raw } from "drizzle-orm";
import { v7 as uuidv7 } from "uuid";
import type { Database, Sql } from "../../../db/client";
import * as clock from "../../clock";
import type { Ctx } from "../../context";
import { DomainError } from "../../errors";
import type { StoreKeeper } from "../ownership";
import { prepended, Unread } from "./content";
import { leaseEnd, renewing } from "./lease";
import { requireOwnStore } from "./own-store";
import { clean, cut } from "./plain";
import type { Transaction } from "./transaction";

/** What a merchant may send, as it comes. */
export const MAX_FILE_BYTES = 200 * 1024 * 1024;
const PART = 512 * 1024;
/** Files that a store can go back to, the one that it shows among them. */
const KEPT = 3;

export interface KeptFile {
  id: string;
  /** As stored. */
  bytes: number;
  /** SHA-256 of what came. */
  digest: Buffer;
}

interface Keep {
  storeId: string;
  fileName: string;
  content: AsyncIterable<Uint8Array>;
  /** As it comes; no limit unless given. */
  maxBytes?: number;
  /** From the store's feed address: another address ends it (`dropFetched`). */
  isFetched?: boolean;
}

/**
 * Keeps a file as it comes in: its parts are stored while the next ones arrive.
 * @throws DomainError not_found for a store that is none of the actor's; conflict while another file for it comes in;
 *   invalid_input when it is larger than `maxBytes`, empty, or breaks off: then nothing of it is kept
 */
export async function keep(ctx: Ctx<StoreKeeper>, { storeId, content, maxBytes, ...asked }: Keep): Promise<KeptFile> {
  const { sql, log } = ctx;
  await requireOwnStore(ctx, storeId);
  const id = uuidv7();
  // Whoever took it in is gone.
  await remove(sql, sql`f.store_id = ${storeId} and f.received_at is null and ${leaseOf(sql)} < ${clock.now()}`);
  const fileName = cut(clean(asked.fileName), 255) || "feed";
  const begun = await sql`
    insert into feed_files (id, store_id, file_name, is_fetched, created_at, lease_until)
    values (${id}, ${storeId}, ${fileName}, ${asked.isFetched ?? false}, ${clock.now()}, ${leaseEnd()}) on conflict do nothing`;
  if (begun.count === 0)
    throw new DomainError("conflict", "Another file for this store is being uploaded. Wait until it is done.");
  const release = renewing(ctx, { file: id }, async () => {
    await sql`update feed_files set lease_until = ${leaseEnd()} where id = ${id}`;
  });
  try {
    const seen = { bytes: 0, hash: createHash("sha256") };
    const bytes = await store(ctx, id, counted(content, maxBytes ?? Number.POSITIVE_INFINITY, seen));
    if (seen.bytes === 0) throw unusable("The file is empty.");
    const digest = seen.hash.digest();
    const whole = await sql`
      update feed_files set bytes = ${bytes}, digest = ${digest}, received_at = ${clock.now()}, lease_until = null where id = ${id}`;
    if (whole.count === 0) throw interrupted(new Dropped());
    return { id, bytes, digest };
  } catch (error) {
    // Where it can't be let go of now, the next file does it when the lease is over.
    await remove(sql, sql`f.id = ${id}`).catch((reason: Error) =>
      log.warn({ file: id, reason: reason.message }, "what came of a file stays until the next one"),
    );
    throw error;
  } finally {
    release();
  }
}

/** The cause where what came of a file was let go of meanwhile. */
export class Dropped extends Error {}

/** SQL: of `feed_files f`. A release before leases gave each forty minutes. */
const leaseOf = (sql: Sql) => sql`coalesce(f.lease_until, f.created_at + interval '40 minutes')`;

/** Lets go of what comes in from a store's feed address, which is another by now, or another's to fetch: who takes it in finds it gone. */
export const dropFetched = (storeId: string) =>
  raw`delete from feed_files where store_id = ${storeId} and is_fetched and received_at is null`;

const unusable = (message: string, cause?: unknown) =>
  new DomainError("invalid_input", message, { details: { field: "file" }, cause });
const interrupted = (cause?: unknown) => unusable("The upload was interrupted. Send the file again.", cause);

/** What goes wrong in here is the file's; what goes wrong where it is stored is not. */
async function* counted(content: AsyncIterable<Uint8Array>, maxBytes: number, seen: { bytes: number; hash: Hash }) {
  try {
    for await (const chunk of content) {
      seen.bytes += chunk.length;
      if (seen.bytes > maxBytes)
        throw unusable(`The file is larger than ${Math.floor(maxBytes / 1024 ** 2)} MB. Compress it with gzip.`);
      seen.hash.update(chunk);
      yield chunk;
    }
  } catch (error) {
    if (error instanceof DomainError) throw error;
    throw interrupted(error);
  }
}

/** @returns bytes stored */
async function store({ sql }: Ctx, fileId: string, content: AsyncGenerator<Uint8Array>): Promise<number> {
  let [part, bytes] = [0, 0];
  let gathered: Uint8Array[] = [];
  const write = async () => {
    const data = Buffer.concat(gathered);
    gathered = [];
    bytes += data.length;
    const written = await sql`
      insert into feed_file_parts (file_id, part, data)
      select id, ${part++}::int, ${data}::bytea from feed_files where id = ${fileId} for key share`;
    if (written.count === 0) throw interrupted(new Dropped());
  };
  let room = PART;
  for await (const chunk of zipped(content)) {
    gathered.push(chunk);
    room -= chunk.length;
    if (room > 0) continue;
    await write();
    room = PART;
  }
  if (gathered.length > 0) await write();
  return bytes;
}

/** Gzipped, unless it is already. */
async function* zipped(content: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  const first = await content.next();
  if (first.done) return;
  const whole = prepended(first.value, content);
  if (first.value[0] === 0x1f && first.value[1] === 0x8b) return yield* whole;
  const gzip = createGzip({ level: 4 });
  const feeding = pipeline(Readable.from(whole), gzip);
  feeding.catch(() => {}); // thrown below
  yield* gzip as AsyncIterable<Buffer>;
  await feeding;
}

/** The file as it was stored, gzipped. Fails with `Unread`. */
export const readBack = ({ sql }: Pick<Ctx, "sql">, fileId: string): Readable =>
  Readable.from(partsOf(sql, fileId), { objectMode: false });

async function* partsOf(sql: Ctx["sql"], fileId: string): AsyncGenerator<Buffer> {
  for (let part = 0; ; part++) {
    const [row] = await sql<{ data: Buffer | null }[]>`
      select p.data from feed_files f left join feed_file_parts p on p.file_id = f.id and p.part = ${part}
      where f.id = ${fileId}`.catch((cause) => {
      throw new Unread("a kept file could not be read", { cause });
    });
    if (!row) throw new Unread("a kept file was let go of while it was read");
    if (!row.data) return;
    yield row.data;
  }
}

/** Takes as long as it takes: a file may have hundreds of thousands of rows of PostgreSQL's own. */
const unhurried = <T>(sql: Sql, work: (tx: Transaction) => Promise<T>) =>
  sql.begin(async (tx) => {
    await tx`set local statement_timeout = 0`;
    return work(tx);
  });

/** @param which of `feed_files f` */
const remove = (sql: Sql, which: ReturnType<Sql>) =>
  unhurried(sql, (tx) => tx`delete from feed_files f where ${which}`);

/** Lets go of what came of a file, where whoever took it in is known to be gone: others need not wait for its lease. */
export const dropUnfinished = ({ sql }: Pick<Ctx, "sql">, storeId: string) =>
  remove(sql, sql`f.store_id = ${storeId} and f.received_at is null`);

/** Lets go of a file that no load was made of. */
export const drop = ({ sql }: Pick<Ctx, "sql">, fileId: string) =>
  remove(sql, sql`f.id = ${fileId} and not exists (select from feed_loads l where l.file_id = f.id)`);

/** Which of a store's files is loaded where this one came: one that is the same and that a load was made of, else this. */
export async function keptAs(
  tx: Pick<Database, "execute">,
  storeId: string,
  { id, digest }: Pick<KeptFile, "id" | "digest">,
): Promise<string> {
  const [kept] = await tx.execute<{ id: string }>(raw`
    select id from feed_files f where store_id = ${storeId} and digest = ${digest}::bytea
      and exists (select from feed_loads l where l.file_id = f.id)
    order by id desc limit 1 for key share`);
  return kept?.id ?? id;
}

/** Lets go of a file that came though it is kept. */
export const dropCopy = (ctx: Pick<Ctx, "sql" | "log">, fileId: string) =>
  drop(ctx, fileId).catch((error: Error) =>
    ctx.log.warn({ file: fileId, reason: error.message }, "a file that is kept twice stays for a day"),
  );

/**
 * Keeps what a store can go back to, what its last load was of, and the last that was refused; lets go of the rest. Where
 * it can't, that costs room until the next load, and nothing else.
 * @param came a file that was loaded before it was known whether the store keeps it already
 */
export async function prune(
  { sql, log }: Pick<Ctx, "sql" | "log">,
  storeId: string,
  came?: Pick<KeptFile, "id" | "digest">,
): Promise<void> {
  const pruned = unhurried(sql, async (tx) => {
    // Whoever goes back to one of them at this moment has it first; then it is wanted, and stays.
    await tx`select from feed_files where store_id = ${storeId} and received_at is not null order by id for update`;
    if (came) await keepOnce(tx, storeId, came);
    await tx`
      with done as (select * from feed_loads where store_id = ${storeId} and file_id is not null),
      loaded as (select file_id from done where outcome = 'loaded' group by file_id order by max(finished_at) desc limit ${KEPT})
      delete from feed_files f where f.store_id = ${storeId} and f.id in (select file_id from done)
        and f.id not in (select file_id from loaded)
        and f.id not in (select file_id from done where outcome in ('waiting', 'loading'))
        and f.id not in (select file_id from done order by requested_at desc, id desc limit 1)
        and f.id not in (select file_id from done where outcome = 'refused' order by requested_at desc, id desc limit 1)`;
  });
  await pruned.catch((error: Error) => log.error({ err: error, store: storeId }, "old feed files stay for now"));
}

/** The load of a file that is the same as one that the store keeps is of that one, and the file goes; not while it is read again. */
async function keepOnce(tx: Transaction, storeId: string, { id, digest }: Pick<KeptFile, "id" | "digest">) {
  const { count } = await tx`
    update feed_loads set file_id = kept.id from (
      select f.id from feed_files f where f.store_id = ${storeId} and f.digest = ${digest} and f.id <> ${id}
        and exists (select from feed_loads l where l.file_id = f.id) order by f.id desc limit 1) kept
    where file_id = ${id}
      and not exists (select from feed_loads l where l.file_id = ${id} and l.outcome in ('waiting', 'loading'))`;
  if (count > 0) await tx`delete from feed_files where id = ${id}`;
}

/** Lets go of files that no load was ever made of: whoever took them in ended before they were whole, or could be loaded. */
export const forgetOrphans = ({ sql }: Pick<Ctx, "sql">, receivedBefore: Date) =>
  remove(
    sql,
    sql`coalesce(f.received_at, f.created_at) <= ${receivedBefore}
    and not exists (select from feed_loads l where l.file_id = f.id)`,
  );
