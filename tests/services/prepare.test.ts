// What is prepared, as the database sees it: Drizzle's statements (decision 0064), and how many of all (decision 0092).
import { inArray, sql } from "drizzle-orm";
import { describe, expect, it, onTestFinished } from "vitest";
import { connect, PREPARED } from "../../db/client";
import { consumers } from "../../db/schema/consumers";
import { testDatabase } from "../support/database";

const database = testDatabase();
const ids = (count: number) =>
  Array.from({ length: count }, (_, i) => `01900000-0000-7000-8000-${String(i).padStart(12, "0")}`);

it("Drizzle's are prepared once a connection, in transactions and their parts too; long lists, of which each length is a text of its own, are not", async () => {
  await database.db.transaction(async (tx) => {
    const ask = (count: number, on: Pick<typeof tx, "select"> = tx) =>
      on
        .select({ id: consumers.id })
        .from(consumers)
        .where(inArray(consumers.id, ids(count)));
    const prepared = async () => {
      const found = await tx.execute<{ statement: string }>(sql`select statement from pg_prepared_statements`);
      return found.map(({ statement }) => statement).filter((text) => /from "consumers"/.test(text)).length;
    };
    for (const _ of [1, 2, 3]) await ask(2);
    expect(await prepared()).toBe(1);
    await tx.transaction(async (part) => void (await ask(3, part)));
    expect(await prepared()).toBe(2);
    await ask(24);
    expect(await prepared()).toBe(3);
    expect(await ask(25)).toEqual([]);
    expect(await prepared()).toBe(3);
  });
});

const some = (count: number, from = 0) => Array.from({ length: count }, (_, i) => from + i);

/** A template of so many kinds, each a text of its own. */
function kindOf(kind: number): TemplateStringsArray {
  const texts = [`select ${kind} + `, "::int as sum"];
  return Object.assign(texts, { raw: texts });
}

describe.each(["sql", "searches"] as const)("kinds of statements, on one connection of %s", (pool) => {
  /** Asks; and tells which kinds are prepared. */
  async function asking() {
    const { [pool]: sql, close } = connect(database.url);
    const one = await sql.reserve();
    onTestFinished(async () => {
      one.release();
      await close();
    });
    const ask = async (kind: number) => expect(await one(kindOf(kind), 1)).toEqual([{ sum: kind + 1 }]);
    async function kept(): Promise<number[]> {
      const found = await one.unsafe<{ statement: string }[]>("select statement from pg_prepared_statements");
      const kinds = found.flatMap(({ statement }) => /^select (\d+) \+ /.exec(statement)?.[1] ?? []);
      return kinds.map(Number).sort((a, b) => a - b);
    }
    return { one, ask, kept };
  }

  it("are prepared up to a number, whoever makes up however many more: these are answered all the same", async () => {
    const { ask, kept } = await asking();
    for (const kind of some(PREPARED + 20)) await ask(kind);
    expect(await kept()).toEqual(some(PREPARED, 20));
  });

  it("give their places to others where they were not asked for the longest, and have them back once they are", async () => {
    const { ask, kept } = await asking();
    for (const kind of some(PREPARED)) await ask(kind);
    for (const kind of [0, 1_000]) await ask(kind);
    expect(await kept()).toEqual([0, ...some(PREPARED - 2, 2), 1_000]);
    await ask(1);
    expect(await kept()).toEqual([0, 1, ...some(PREPARED - 3, 3), 1_000]);
  });

  it("are answered whole after one that cannot be prepared, for which a place was made", async () => {
    const { one, ask, kept } = await asking();
    for (const kind of some(PREPARED)) await ask(kind);
    await expect(one`select nothing_of_this_name + ${1}`).rejects.toThrow("does not exist");
    for (const kind of [1, 0, 1_000]) await ask(kind);
    expect(await kept()).toEqual([0, 1, ...some(PREPARED - 3, 3), 1_000]);
  });
});

it("Of Drizzle's as many are prepared, in a transaction that failed in its midst too", async () => {
  await database.db.transaction(async (tx) => {
    for (const kind of some(PREPARED + 20)) await tx.execute(sql`select ${sql.raw(String(kind))} + ${1}::int`);
    const [row] = await tx.execute<{ n: number }>(
      sql`select count(*)::int as n from pg_prepared_statements where ${true}`,
    );
    expect(row!.n).toBe(PREPARED);
    const part = tx.transaction(async (inner) => {
      await inner.execute(sql`select 1 / ${0}::int`);
    });
    await expect(part).rejects.toThrow();
    expect(await tx.execute(sql`select ${1}::int as one`)).toEqual([{ one: 1 }]);
  });
});

it("Kinds of which there are more than are prepared are each answered their own, also many at once over all connections", async () => {
  const { searches, close } = connect(database.url);
  onTestFinished(close);
  const kinds = some(12 * PREPARED).map((i) => i % (2 * PREPARED));
  const sums = kinds.map(async (kind) => (await searches<{ sum: number }[]>(kindOf(kind), 1))[0]!.sum);
  expect(await Promise.all(sums)).toEqual(kinds.map((kind) => kind + 1));
});
