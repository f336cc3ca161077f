// Tables that are partitioned by day (UTC): the days to come are made ahead, the days that are over are dropped whole.
import type { TransactionSql } from "postgres";
import type { Sql } from "../../db/client";
import { DAY_MS } from "../clock";

/** How many days each keeps; a day goes once all of it is older. */
export const partitioned = { usage_events: 90, request_arguments: 7 } as const;
type Table = keyof typeof partitioned;

const DAYS_AHEAD = 7;

/** Makes the partitions of today and the week to come; safe to run at any time, on any instance. Gives way to whoever reads. */
export async function make(sql: Sql, now: Date): Promise<void> {
  for (const table of Object.keys(partitioned)) {
    for (let ahead = 0; ahead <= DAYS_AHEAD; ahead++) await makeDay(sql, table, day(now, ahead), day(now, ahead + 1));
  }
}

async function makeDay(sql: Sql, table: string, from: string, to: string): Promise<void> {
  const name = `${table}_${from.replaceAll("-", "")}`;
  if (await isThere(sql, name)) return;
  await givingWay(sql, async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtext('usage_events partitions'))`;
    if (!(await isThere(tx, name))) await addDay(tx, { table, name, from, to });
  });
}

const isThere = async (sql: Pick<TransactionSql, "unsafe">, name: string): Promise<boolean> =>
  (await sql.unsafe("select from pg_class where relname = $1", [name])).length > 0;

/**
 * A transaction that takes a whole table from its readers and writers: these wait behind it, so it waits for half a second
 * and then gives way, as to a backup that reads the table. The next run does it.
 */
async function givingWay(sql: Sql, work: (tx: TransactionSql) => Promise<unknown>): Promise<void> {
  const done = sql.begin(async (tx) => {
    await tx`set local lock_timeout = '500ms'`;
    await work(tx);
  });
  await done.catch((error) => {
    if (error.code !== LOCK_NOT_AVAILABLE) throw error;
  });
}

const LOCK_NOT_AVAILABLE = "55P03";

async function addDay(
  tx: TransactionSql,
  day: { table: string; name: string; from: string; to: string },
): Promise<void> {
  const { table, name, from, to } = day;
  // Rows of the day that came before their partition move into it. They are inserted by its name, not the table's, whose trigger
  // would count them again.
  const rest = tx(`${table}_default`);
  // A row of the day that came between the next two statements would keep the partition from being made. The table before its
  // rest, as drops and readers lock them, and at once as strongly as the partition needs it.
  await tx`lock table only ${tx(table)} in access exclusive mode`;
  await tx`lock table ${rest} in access exclusive mode`;
  const early = await tx`delete from ${rest} where at >= ${from} and at < ${to} returning ${rest}::text as row`;
  await tx.unsafe(`create table ${name} partition of ${table} for values from ('${from}') to ('${to}')`);
  if (early.length > 0) {
    await tx`insert into ${tx(name)} select (row::${tx(name)}).* from unnest(${early.map(({ row }) => row)}::text[]) row`;
  }
}

/** Drops a table's days that are over. Gives way to whoever reads. */
export async function dropOld(sql: Sql, table: Table, now: Date): Promise<void> {
  const days = partitioned[table];
  const oldest = `${table}_${day(now, -days).replaceAll("-", "")}`;
  const old = await sql<{ name: string }[]>`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = ${table}::regclass and c.relname ~ ${`^${table}_\\d{8}$`} and c.relname < ${oldest} order by 1`;
  for (const { name } of old) await givingWay(sql, (tx) => tx.unsafe(`drop table if exists ${name}`));
  // What came for a day without a partition of its own.
  await sql`delete from ${sql(`${table}_default`)} where at < ${new Date(now.getTime() - days * DAY_MS)}`;
}

const day = (now: Date, later: number) =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + later)).toISOString().slice(0, 10);
