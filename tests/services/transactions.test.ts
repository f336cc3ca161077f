// What postgres.js must do for us, and does by our patch (decision 0015).
import type { TransactionSql } from "postgres";
import { describe, expect, it } from "vitest";
import { explain } from "../../server/trpc/trpc";
import { testDatabase, untilWaiting } from "../support/database";
import { makeAccount } from "../support/factories";

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

  it("that is given up for another, each waiting for the other, is told as work to be tried again", async () => {
    const { sql } = database;
    const [first, second] = [await makeAccount(database), await makeAccount(database)];
    const lock = (tx: TransactionSql, { id }: typeof first) => tx`select from accounts where id = ${id} for update`;
    let crossing: Promise<unknown> | undefined;
    const begun = sql.begin(async (tx) => {
      await lock(tx, first);
      crossing = sql.begin(async (other) => {
        await lock(other, second);
        await lock(other, first);
      });
      crossing.catch(() => {});
      await untilWaiting(sql, 1);
      await lock(tx, second);
    });
    // Whichever of them PostgreSQL gives up.
    const outcomes = [...(await Promise.allSettled([begun])), ...(await Promise.allSettled([crossing]))];
    const [loser] = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
    expect(loser).toMatchObject({ code: "40P01" });
    expect(explain(loser)).toMatchObject({ code: "unavailable", status: 503 });
  });
});
