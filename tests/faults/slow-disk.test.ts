// A database whose commits do not reach the disk for a while, as where it stalls: no answer leaves before its request is there,
// and nobody waits for a lock meanwhile (decision 0060). A standby that never comes holds up the same commits, for as long as we like.
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { MINUTE_MS } from "../../server/clock";
import { unwaited } from "../../server/limit-store";
import { faulty, TIMEOUT_MS } from "../support/faulty";

describe("a database whose commits wait", () => {
  const database = faulty();

  /** Commits that wait for the disk wait for this standby as well. */
  async function waitFor(standby: string): Promise<void> {
    const { sql, close } = database.connect();
    await sql.unsafe(`alter system set synchronous_standby_names = '${standby}'`);
    await sql`select pg_reload_conf()`;
    await expect
      .poll(async () => (await sql`show synchronous_standby_names`)[0]!.synchronous_standby_names)
      .toBe(standby);
    await close();
  }

  it(
    "lets no answer leave, counts its request all the same, and holds no lock on its consumer's limit",
    async () => {
      const { sql, close } = database.connect();
      const used = async () => {
        const rows = await sql<{ points: number }[]>`
          select points from rate_limits, ${unwaited(sql)} where key like 'consumer:%' for update of rate_limits nowait`;
        return rows.reduce((sum, { points }) => sum + points, 0);
      };
      // The first call of a key is counted by a statement of its own.
      for (let i = 0; i < 2; i++) expect((await database.call()).status).toBe(200);
      const before = await used();
      await waitFor("nobody");
      const calls = Promise.all([database.call(), database.call(), database.call()]);
      await expect.poll(used).toBe(before + 3);
      expect((await calls).map(({ status }) => status)).toEqual([503, 503, 503]);
      await waitFor("");
      await expect.poll(async () => (await database.call()).status).toBe(200);
      await close();
    },
    TIMEOUT_MS,
  );

  it(
    "refuses who is beyond the limit all the same: the number of refusals waits for nothing",
    async () => {
      const { sql, close } = database.connect();
      const before = await sql<{ id: string; limit: number }[]>`select id, rate_limit as limit from consumers`;
      await sql`update consumers set rate_limit = 1`;
      // The first hundred refusals of a minute of the clock have rows, which do wait.
      const left = MINUTE_MS - (Date.now() % MINUTE_MS);
      if (left < MINUTE_MS / 2) await sleep(left);
      for (let i = 0; i < 110; i++) await database.call();
      await waitFor("nobody");
      expect((await database.call()).status).toBe(429);
      await waitFor("");
      for (const { id, limit } of before) await sql`update consumers set rate_limit = ${limit} where id = ${id}`;
      await expect.poll(async () => (await database.call()).status).toBe(200);
      await close();
    },
    TIMEOUT_MS,
  );

  it(
    "leaves connections for those who only read, however many calls wait for it",
    async () => {
      // What a session or a connection writes once is written before.
      expect((await database.page()).status).toBe(200);
      await expect.poll(async () => (await database.call()).status).toBe(200);
      await waitFor("nobody");
      const calls: Promise<{ status: number }>[] = [];
      // Apart, so that each goes in a statement of its own.
      for (let i = 0; i < 15; i++) {
        calls.push(database.call());
        await sleep(30);
      }
      const first = await Promise.race([database.page().then(({ status }) => ({ page: status })), ...calls]);
      expect(first).toEqual({ page: 200 });
      await waitFor("");
      for (const call of calls) expect([200, 503]).toContain((await call).status);
    },
    TIMEOUT_MS,
  );
});
