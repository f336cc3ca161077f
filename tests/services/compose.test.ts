// Statements made of fragments say what postgres.js would have said, and ask what they were given.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import type { Sql } from "../../db/client";
import { testDatabase } from "../support/database";

const database = testDatabase();

/** A row of whatever kind of value there is, put together from fragments in fragments. */
const made = (sql: Sql, n: number, word: string | null) => {
  const inner = sql`${n}::int + ${1}::int`;
  const outer = sql`${inner} as sum, ${word}::text as word`;
  const column = sql("kept as is");
  return sql`select ${outer}, ${new Date(0)}::timestamptz as at, ${[1, 2]}::int[] as list, ${sql.json({ a: [n] })} as json, ${true} as yes, 1 as ${column}`;
};

describe("a composed statement", () => {
  it("has each value in its place, whatever was asked in the same shape before", async () => {
    for (const [n, word] of [
      [1, "one"],
      [2, null],
      [3, "'; drop table stores; --"],
    ] as const) {
      expect(await made(database.sql, n, word)).toEqual([
        { sum: n + 1, word, at: new Date(0), list: [1, 2], json: { a: [n] }, yes: true, "kept as is": 1 },
      ]);
    }
  });

  it("keeps shapes apart that differ in a fragment, a name or the number of fragments alone", async () => {
    const { sql } = database;
    const pick = (fragment: ReturnType<Sql>) => sql`select ${fragment} as n`;
    const both = [
      await pick(sql`1`),
      await pick(sql`2`),
      await pick(sql`${3}::int`),
      await pick(sql`${"a"} || ${"b"}`),
    ];
    expect(both.map(([row]) => row!.n)).toEqual([1, 2, 3, "ab"]);
    const named = async (name: string) => Object.keys((await sql`select 1 as ${sql(name)}, ${sql``} 2 as b`)[0]!);
    expect([await named("a"), await named('quo"ted')]).toEqual([
      ["a", "b"],
      ['quo"ted', "b"],
    ]);
    for (const count of [1, 2, 5]) {
      const sum = Array.from({ length: count }, (_, i) => sql`${i}::int`).reduce((a, b) => sql`${a} + ${b}`);
      expect(await sql`select ${sum} as sum`).toEqual([{ sum: (count * (count - 1)) / 2 }]);
    }
  });

  it("takes no value for SQL, whatever an object of a caller's says that it is", async () => {
    const { sql } = database;
    for (const name of ["Identifier", "Builder", "Query"]) {
      const value = JSON.parse(`{"constructor": {"name": "${name}"}, "value": "1::text as n; --"}`);
      expect(await sql`select ${value as never}::text as n`).toEqual([{ n: String(value) }]);
      expect(await sql`select ${sql.json(value)}::jsonb as n`).toEqual([{ n: value }]);
    }
  });

  it("sends a moment once, wherever it stands, and moments that are no more than alike each for itself", async () => {
    const { sql } = database;
    const [now, later] = [new Date(1), new Date(2)];
    for (const moments of [
      [now, now, later],
      [now, later, later],
      [later, now, later],
      [now, new Date(1), now],
    ]) {
      const list = moments.map((moment) => sql`${moment}`).reduce((all, one) => sql`${all}, ${one}`);
      const answer = await sql`select array[${list}] as moments`;
      expect(answer[0]!.moments).toEqual(moments);
      expect(answer.statement.string).toContain(
        `[${moments.map((one) => `$${[...new Set(moments)].indexOf(one) + 1}`).join(", ")}]`,
      );
    }
  });

  it("leaves helpers and lists of fragments to postgres.js", async () => {
    const { sql } = database;
    const raw = sql`select ${sql`1`} as n, ${sql.unsafe("'as it is'")} as word`;
    expect(await sql`select * from (${raw}) r`).toEqual([{ n: 1, word: "as it is" }]);
    const rows = sql`select * from (values ${sql([
      [1, "a"],
      [2, "b"],
    ])}) t (n, word)`;
    expect(await sql`select n::int, word from (${rows}) r ${[sql`where`, sql`true`]}`).toEqual([
      { n: 1, word: "a" },
      { n: 2, word: "b" },
    ]);
  });

  it("runs once, however often it is awaited, in its transaction, and not at all unless it is", async () => {
    const { sql } = database;
    await sql`create table runs (n int)`;
    const insert = (tx: Sql, n: number) => tx`insert into ${tx("runs")} select ${tx`${n}::int`}`;
    const once = insert(sql, 1);
    await Promise.all([once, once]);
    insert(sql, 2);
    await expect(
      sql.begin(async (tx) => {
        await insert(tx as never, 3);
        await expect(tx.savepoint((inner) => insert(inner as never, "no number" as never))).rejects.toThrow();
        await insert(tx as never, 4);
        throw new Error("rolled back");
      }),
    ).rejects.toThrow("rolled back");
    const one = await sql.reserve();
    await insert(one, 5);
    one.release();
    expect(await sql`select n from runs order by n`).toEqual([{ n: 1 }, { n: 5 }]);
  });

  it("refuses a value that is undefined, and tells of a mistake as postgres.js does", async () => {
    const { sql } = database;
    const fragment = sql`${undefined as never}::int`;
    await expect(sql`select ${fragment}`).rejects.toMatchObject({ code: "UNDEFINED_VALUE" });
    await expect(sql`select ${sql`no_such_column`}`).rejects.toMatchObject({ code: "42703" });
  });

  it("is forgotten once two thousand others were made, so that memory is bounded whoever makes up how many", async () => {
    const { sql } = database;
    setFlagsFromString("--expose-gc");
    const gc: () => void = runInNewContext("gc");
    const ask = async (kind: number) => {
      const texts = [`select ${kind} as kind`];
      const template = Object.assign(texts, { raw: texts });
      expect(await sql(template)).toEqual([{ kind }]);
      return new WeakRef(template);
    };
    const first = await ask(0);
    gc();
    expect(first.deref()).toBeDefined();
    for (let kind = 1; kind <= 2_000; kind++) await ask(kind);
    await expect.poll(() => [gc(), first.deref()][1]).toBeUndefined();
  });
});
