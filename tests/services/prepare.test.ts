// What is prepared, as the database sees it: Drizzle's statements (decision 0064), and searches (decision 0088).
import { inArray, sql } from "drizzle-orm";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { connect, SEARCHES } from "../../db/client";
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

describe("kinds of search", () => {
  afterEach(() => vi.useRealTimers());

  /** Asks as so many kinds of search, each a text of its own; and what is prepared of them, on whatever connection. */
  function searching() {
    const { searches, close } = connect(database.url);
    onTestFinished(close);
    const ask = async (kind: number) => {
      const texts = [`select ${kind} + `, "::int as sum"];
      const [row] = await searches(Object.assign(texts, { raw: texts }), 1);
      expect(row!.sum).toBe(kind + 1);
    };
    async function kept(): Promise<number[]> {
      const all = await Promise.all(Array.from({ length: SEARCHES.max }, () => searches.reserve()));
      const found = await Promise.all(
        all.map((one) => one.unsafe<{ statement: string }[]>("select statement from pg_prepared_statements")),
      );
      for (const one of all) one.release();
      const kinds = found.flat().flatMap(({ statement }) => /^select (\d+) \+ /.exec(statement)?.[1] ?? []);
      return [...new Set(kinds.map(Number))].sort((a, b) => a - b);
    }
    return { ask, kept };
  }
  const some = (count: number) => Array.from({ length: count }, (_, i) => i);

  it("are prepared up to a number, whoever makes up however many more: these are answered all the same", async () => {
    const { ask, kept } = searching();
    for (const kind of some(SEARCHES.prepared + 20)) await ask(kind);
    expect(await kept()).toEqual(some(SEARCHES.prepared));
  });

  it("take the place of those that were not asked for as long as a connection lives, and of no others", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const { ask, kept } = searching();
    for (const kind of some(SEARCHES.prepared)) await ask(kind);
    vi.advanceTimersByTime(3_600_000);
    for (const kind of [0, 1_000]) await ask(kind);
    expect(await kept()).toEqual(some(SEARCHES.prepared));
    vi.advanceTimersByTime(1);
    for (const kind of [1_001, 1]) await ask(kind);
    expect(await kept()).toEqual([...some(SEARCHES.prepared), 1_001]);
    // Of those that are left, the first is the one that was asked for since.
    for (const kind of some(SEARCHES.prepared).slice(3)) await ask(kind);
    for (const kind of [1_002, 1_003]) await ask(kind);
    expect(await kept()).toEqual([...some(SEARCHES.prepared), 1_001]);
  });
});
