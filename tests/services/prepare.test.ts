// Drizzle's statements, as the database sees them (decision 0064).
import { inArray, sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { consumers } from "../../db/schema/consumers";
import { testDatabase } from "../support/database";

const database = testDatabase();
const ids = (count: number) =>
  Array.from({ length: count }, (_, i) => `01900000-0000-7000-8000-${String(i).padStart(12, "0")}`);

it("are prepared once a connection, in transactions and their parts too; long lists, of which each length is a text of its own, are not", async () => {
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
