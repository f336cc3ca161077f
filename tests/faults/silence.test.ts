// Connections to the database that go silent, while it is there and takes new ones: seconds of 503, not the quarter of an hour
// after which TCP gives up.
import { describe, expect, it, onTestFinished } from "vitest";
import { connect } from "../../db/client";
import { callTool, makeCaller } from "../support/clients";
import { testDatabase } from "../support/database";
import { makeConsumer } from "../support/factories";
import { TIMEOUT_MS } from "../support/faulty";
import { signIn } from "../support/roles";
import { startServer } from "../support/server";
import { type Direction, silentWay } from "../support/silent-way";
import { visitorAs } from "../support/visitor";

const database = testDatabase();
const WHOLE_MS = 60_000;

async function wayTo() {
  const way = await silentWay(database.url);
  onTestFinished(() => way.close());
  return way;
}

describe.each<Direction>(["statements", "answers"])("a database whose connections swallow all %s", (direction) => {
  it(
    "is served again without a restart, and what was answered is recorded once",
    async () => {
      const way = await wayTo();
      const server = await startServer(way.url, {}, { expected: /"database unavailable"|"code":"CONNECTION_CLOSED"/ });
      onTestFinished(() => server.stop("SIGKILL"));
      const { key } = await makeCaller(database, { rateLimit: 1_000 });
      const call = () => callTool(server.url, key, "list_stores", {});
      const readiness = async () => (await fetch(`${server.url}/readyz`)).status;
      await Promise.all(Array.from({ length: 40 }, call));
      // Its row is still to follow.
      const last = await call();
      way.swallow(direction);
      expect(last.status).toBe(200);
      expect((await call()).status).toBe(503);
      expect(await readiness()).toBe(503);
      await expect.poll(async () => (await call()).status, { timeout: WHOLE_MS }).toBe(200);
      await expect.poll(readiness, { timeout: WHOLE_MS }).toBe(200);
      const rows = () => database.sql`
        select status, error_code from usage_events where request_id = ${last.headers["x-request-id"] as string}`;
      await expect.poll(rows, { timeout: WHOLE_MS }).toEqual([{ status: 200, error_code: null }]);
      expect(server.output()).not.toMatch(/interrupted|internal error/);
    },
    TIMEOUT_MS,
  );

  it(
    "gives an answer to each statement, also within a transaction, once the connections that rested are left, too",
    async () => {
      const way = await wayTo();
      const { sql, close } = connect(way.url, "aisle-test");
      onTestFinished(close);
      await Promise.all(Array.from({ length: 10 }, () => sql`select pg_sleep(0.1)`));
      way.swallow(direction);
      const lost = { code: "CONNECTION_CLOSED" };
      await Promise.all([
        expect(sql`select 1`).rejects.toMatchObject(lost),
        expect(sql.begin((tx) => tx`select 1`)).rejects.toMatchObject(lost),
      ]);
      expect(await Promise.all(Array.from({ length: 10 }, () => sql`select 1 as x`))).toHaveLength(10);
    },
    TIMEOUT_MS,
  );
});

it(
  "of a page of several loaders the log tells once that the database was away",
  async () => {
    const way = await wayTo();
    const server = await startServer(way.url, {}, { expected: /"database unavailable"|"code":"CONNECTION_CLOSED"/ });
    onTestFinished(() => server.stop("SIGKILL"));
    const { owner } = await makeConsumer(database);
    const who = visitorAs(server.url, await signIn(database, owner));
    expect((await who.get("/console/keys")).status).toBe(200);
    way.swallow("answers");
    const { status, headers } = await who.get("/console/keys");
    expect(status).toBe(503);
    const id = headers.get("x-request-id")!;
    const told = () =>
      server
        .output()
        .split("\n")
        .filter((line) => line.includes(id) && line.includes("database unavailable"));
    await expect.poll(told).not.toEqual([]);
    expect(told()).toHaveLength(1);
  },
  TIMEOUT_MS,
);

/** As a pooler has it: each connection is told a number of the pooler's own, which is no process of the database's. */
function renumbered(answer: Buffer): Buffer {
  const keyData = answer.indexOf(Buffer.from([0x4b, 0, 0, 0, 12]));
  if (keyData >= 0) answer.writeInt32BE(2_000_000_000 + Math.floor(Math.random() * 100_000_000), keyData + 5);
  return answer;
}

it(
  "a statement that takes long is waited for, also behind a pooler, whose numbers say nothing of who is at work; and so is one that waits for a lock",
  async () => {
    const pooler = await silentWay(database.url, 0, renumbered);
    onTestFinished(() => pooler.close());
    async function long(through: string, ...statements: string[]) {
      const { sql, close } = connect(through, "aisle-test");
      onTestFinished(close);
      const done = statements.map((statement) =>
        sql.begin(async (tx) => {
          await tx`set local statement_timeout = 0`;
          await tx`set local lock_timeout = 0`;
          return tx.unsafe(statement);
        }),
      );
      return (await Promise.all(done)).flat();
    }
    const done = await Promise.all([
      long(pooler.url, "select 1 as done from pg_sleep(9)"),
      long(
        (await wayTo()).url,
        "select 1 as done from (select pg_advisory_xact_lock(7), pg_sleep(14)) slept",
        "select 1 as done from (select pg_sleep(0.5), pg_advisory_xact_lock(7)) waited",
      ),
    ]);
    expect(done.flat()).toEqual([{ done: 1 }, { done: 1 }, { done: 1 }]);
  },
  TIMEOUT_MS,
);
