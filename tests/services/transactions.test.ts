// What postgres.js must do for us, and does by our patch (decision 0015).
import { describe, expect, it } from "vitest";
import { testDatabase } from "../support/database";

const database = testDatabase();

describe("a transaction", () => {
  it("waits for its turn while every connection is busy, whatever stands before it in line", async () => {
    const { sql } = database;
    const wait = async () => (await sql`select 1 as i, pg_sleep(0.01)`)[0]!.i;
    const transaction = async () => (await sql.begin((tx) => tx`select 1 as i`))[0]!.i;
    await Promise.all(Array.from({ length: 10 }, wait));
    const works: Promise<number>[] = [];
    // Turn by turn, so that they stand in line one after the other.
    for (let i = 0; i < 400; i++) {
      works.push(i % 2 === 0 ? wait() : transaction());
      if (i % 3 === 0) await new Promise(setImmediate);
    }
    expect(await Promise.all(works)).toEqual(works.map(() => 1));
  });
});
