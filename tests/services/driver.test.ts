// What we rely on of the driver, and had to mend in it (decision 0015).
import postgres from "postgres";
import { describe, expect, inject, it, onTestFinished, vi } from "vitest";

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
