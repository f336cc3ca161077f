// What we rely on of the driver, and had to mend in it (decision 0015).
import { execFileSync } from "node:child_process";
import { createConnection } from "node:net";
import postgres from "postgres";
import { describe, expect, inject, it, onTestFinished, vi } from "vitest";
import { connect, migrate } from "../../db/client";
import { flushing } from "../../db/compose";
import * as partitions from "../../server/services/partitions";
import { testDatabase } from "../support/database";
import { silentServer } from "../support/silent-server";

/** One connection: what one statement leaves behind, the next one finds. */
function oneConnection() {
  const url = new URL(inject("databaseUrl"));
  const sql = postgres({
    path: `${url.searchParams.get("host")}/.s.PGSQL.${url.port}`,
    username: url.username,
    password: decodeURIComponent(url.password),
    database: "postgres",
    max: 1,
    backoff: () => 0,
    onnotice: () => {},
  });
  onTestFinished(() => sql.end({ timeout: 1 }));
  return sql;
}

const database = testDatabase();

describe("a database whose time zone is another", () => {
  it("is spoken to in UTC, so that its days begin when ours do", async () => {
    const [{ name }] = await database.sql<[{ name: string }]>`select current_database() as name`;
    await database.sql.unsafe(`alter database ${name} set timezone = 'Europe/Berlin'`);
    const { sql, db, close } = connect(database.url);
    onTestFinished(close);
    expect([await sql`show timezone`, await db.execute("show timezone")].flat()).toEqual([
      { TimeZone: "UTC" },
      { TimeZone: "UTC" },
    ]);
    await partitions.make(sql, new Date("2031-03-01T10:00:00Z"));
    const [bound] = await sql`
      select pg_get_expr(relpartbound, oid) as of from pg_class where relname = 'usage_events_20310302'`;
    expect(bound!.of).toBe("FOR VALUES FROM ('2031-03-02 00:00:00+00') TO ('2031-03-03 00:00:00+00')");
  });
});

describe("a connection", () => {
  it("gives up in time: agents' statements after five seconds, searches as their callers do, a lock after two, and nobody holds a transaction and does nothing", async () => {
    const { sql, searches, db, close } = connect(database.url, "by-name");
    onTestFinished(close);
    const limits = `select current_setting('application_name') as name, current_setting('statement_timeout') as statement,
      current_setting('lock_timeout') as lock, current_setting('idle_in_transaction_session_timeout') as idle`;
    expect([...(await sql.unsafe(limits)), ...(await searches.unsafe(limits)), ...(await db.execute(limits))]).toEqual([
      { name: "by-name", statement: "5s", lock: "2s", idle: "0" },
      { name: "by-name", statement: "2500ms", lock: "2s", idle: "0" },
      { name: "by-name", statement: "0", lock: "2s", idle: "1min" },
    ]);
  });

  it("is handed out where it is reserved as the pool's first, and given back", async () => {
    const { sql, close } = connect(database.url);
    onTestFinished(close);
    const backends = sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
    const one = await sql.reserve();
    const [mine] = await one<{ pid: number }[]>`select pg_backend_pid() as pid`;
    const [other] = await backends;
    expect(other!.pid).not.toBe(mine!.pid);
    one.release();
    expect(await sql`select pg_backend_pid() as pid`).toEqual([mine]);
  });

  it("is given up where the database lets it in and says nothing", async () => {
    const { sql, close } = connect(`postgres://aisle@127.0.0.1:${await silentServer()}/aisle`);
    await expect(sql`select 1`).rejects.toMatchObject({ code: "CONNECT_TIMEOUT" });
    await close();
  });
});

/** As PgBouncer does: what a connection asks for at its start is refused, or left out where it is told to ignore it. */
async function pooler(does: "refuses" | "ignores"): Promise<string> {
  const url = new URL(database.url);
  const path = `${url.searchParams.get("host")}/.s.PGSQL.${url.port}`;
  const port = await silentServer((caller) => {
    const way = createConnection(path);
    way.on("data", (chunk) => caller.write(chunk));
    way.on("error", () => {}).on("close", () => caller.end());
    caller.on("close", () => way.destroy());
    caller.once("data", (start) => {
      caller.on("data", (chunk) => way.write(chunk));
      if (does === "refuses") return void caller.write(refusal("unsupported startup parameter"));
      const known = start.toString("latin1").replace(/idle_in_transaction_session_timeout\0\d+\0/, "");
      const passed = Buffer.from(known, "latin1");
      passed.writeUInt32BE(passed.length);
      way.write(passed);
    });
  });
  url.searchParams.delete("host");
  url.host = `127.0.0.1:${port}`;
  return url.href;
}

function refusal(message: string): Buffer {
  const fields = Buffer.from(`SERROR\0C08P01\0M${message}\0\0`);
  const head = Buffer.from("E0000");
  head.writeUInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

describe("a pooler before the database", () => {
  it.each(["refuses", "ignores"] as const)(
    "is told at the start, where it %s what connections ask for",
    async (does) => {
      await expect(migrate(await pooler(does))).rejects.toThrow("DATABASE_URL is the address of a pooler");
    },
  );
});

const ended = /terminating connection|CONNECTION_CLOSED/;

describe("the answer to a statement", () => {
  it("is whole after one that failed in the midst of its rows", async () => {
    const sql = oneConnection();
    for (let round = 0; round < 3; round++) {
      await expect(sql`select 1 / (3 - n) as x from generate_series(1, 5) n`).rejects.toThrow("division by zero");
      expect([...(await sql`select n from generate_series(1, 3) n`)]).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
    }
  });

  it("is whole after one whose connection ended in the midst of its rows", async () => {
    const sql = oneConnection();
    for (let round = 0; round < 3; round++) {
      const cut = sql`
        select n, repeat('x', 10000), case when n = 50 then pg_terminate_backend(pg_backend_pid()) end
        from generate_series(1, 100) n`;
      await expect(cut).rejects.toThrow(ended);
      // Whoever comes before the end is noticed has no answer either.
      const next = () => sql`select n from generate_series(1, 3) n`;
      const rows = await vi.waitFor(next, { interval: 10, timeout: 60_000 });
      expect([...rows]).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
    }
  });
});

describe("what comes after a connection that was ended", () => {
  /** Its process in the database. */
  const pidOf = async (sql: postgres.Sql) => (await sql<[{ pid: number }]>`select pg_backend_pid() as pid`)[0].pid;

  it("is not told what became of that one's statement", async () => {
    const [sql, other] = [oneConnection(), oneConnection()];
    const pid = await pidOf(sql);
    const ended = sql`select pg_sleep(60)`.then(
      () => undefined,
      (error) => error.code,
    );
    await expect
      .poll(() => other`select from pg_stat_activity where pid = ${pid} and state = 'active'`)
      .toHaveLength(1);
    await other`select pg_terminate_backend(${pid})`;
    expect(await ended).toBe("CONNECTION_CLOSED");
    expect([...(await sql`select 1 as one`)]).toEqual([{ one: 1 }]);
  });

  it("gets its own rows, though a statement failed before it was known that the connection had ended", async () => {
    const sql = oneConnection();
    const lost = sql.begin(async (tx) => {
      const pid = await pidOf(tx as never);
      // Nothing is heard of it here before the next statement is written, which fails, and so does the rollback after it.
      const env = { ...process.env, PID: String(pid) };
      execFileSync(process.execPath, ["-e", "process.kill(process.env.PID, 'SIGTERM'); setTimeout(() => {}, 500)"], {
        env,
      });
      return tx`select 2 as two`;
    });
    await expect(lost).rejects.toThrow();
    const rows = await sql.begin(async (tx) => [...(await tx`select 3 as three`), ...(await tx`select 4 as four`)]);
    expect(rows).toEqual([{ three: 3 }, { four: 4 }]);
  });
});

describe("a statement with a flush behind it", () => {
  const writing = ({ sql }: typeof database, n: number) =>
    flushing(sql<{ n: number }[]>`
      with written as (insert into flushed_test (n) values (${n}) returning n)
      select n from written, (select set_config('synchronous_commit', 'off', true)) unwaited`);

  it("gives its own rows, on a connection that never ran it and on one that did, and the next statement gets its own, too", async () => {
    await database.sql`create table flushed_test (n int check (n <> 13))`;
    const { sql, close } = connect(database.url);
    onTestFinished(close);
    const one = { ...database, sql };
    for (const n of [1, 2, 3]) {
      const { rows, onDisk } = await writing(one, n);
      const [next] = await sql`select 'next' as next`;
      await onDisk;
      expect([[...rows], next]).toEqual([[{ n }], { next: "next" }]);
    }
    expect([...(await sql`select n from flushed_test order by n`)]).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
  });

  it("fails alone, also where what it was prepared for is gone", async () => {
    const { sql, close } = connect(database.url);
    onTestFinished(close);
    const one = { ...database, sql };
    await sql`create table if not exists flushed_test (n int check (n <> 13))`;
    await expect(writing(one, 13)).rejects.toMatchObject({ code: "23514" });
    const { onDisk } = await writing(one, 4);
    await onDisk;
    // A plan that is no longer what it was is made anew, and what it wrote is flushed as well.
    await sql`alter table flushed_test alter column n type bigint`;
    const again = await writing(one, 5);
    expect([...again.rows]).toEqual([{ n: 5 }]);
    expect(await again.onDisk).toHaveLength(1);
    expect([...(await sql`select 1 as one`)]).toEqual([{ one: 1 }]);
  });

  it("is refused where helpers have to be put together for it", async () => {
    const { sql } = database;
    await expect(flushing(sql`insert into flushed_test ${sql([{ n: 1 }])}`)).rejects.toThrow(TypeError);
  });
});
