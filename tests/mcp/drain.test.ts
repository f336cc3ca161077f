// Stopping: what is under way is answered, and what nobody waits for any more ends before the database goes.
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { issueKey, standardHeaders } from "../support/clients";
import { patientUrl, testDatabase, untilWaiting } from "../support/database";
import { makeConsumer } from "../support/factories";
import { signIn } from "../support/roles";
import { startServer } from "../support/server";

const database = testDatabase();

/** For a server that waits for nothing to end its jobs and let go of the database. */
const LONG_ENOUGH_MS = 4_000;

describe("a server that is told to stop", () => {
  it("waits for requests whose clients went away, and logs no error but the deadline that passed", async () => {
    // Patient, else a slow machine reports the lock itself as an error.
    const server = await startServer(patientUrl(database.url), {}, { expected: /deadline exceeded/ });
    const consumer = await makeConsumer(database);
    const { value } = await issueKey(database, consumer.id);
    const cookie = await signIn(database, consumer.owner);
    const leave = new AbortController();
    let stopped: Promise<void> | undefined;
    await database.sql.begin(async (tx) => {
      await tx`lock table consumers in access exclusive mode`;
      // The page first: what the first one takes is none of the call's time, which a deadline ends.
      const page = fetch(`${server.url}/console`, { headers: { cookie }, signal: leave.signal }).catch(() => {});
      await untilWaiting(database.sql, 1);
      const call = fetch(`${server.url}/api/mcp`, {
        method: "POST",
        headers: standardHeaders(value),
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
        signal: leave.signal,
      }).catch(() => {});
      await untilWaiting(database.sql, 2);
      leave.abort();
      await Promise.all([call, page]);
      stopped = server.stop();
      while (!server.output().includes("stopping")) await sleep(10);
      await sleep(LONG_ENOUGH_MS);
    });
    await stopped;
    expect(server.output()).not.toContain("CONNECTION_ENDED");
  });

  it("waits for what a call still does that was answered 503 for taking too long", async () => {
    const server = await startServer(patientUrl(database.url), {}, { expected: /deadline exceeded/ });
    const consumer = await makeConsumer(database);
    const { id, value } = await issueKey(database, consumer.id);
    let stopped: Promise<void> | undefined;
    await database.sql.begin(async (tx) => {
      // No job waits for it.
      await tx`lock table rate_limits in exclusive mode`;
      const answer = await fetch(`${server.url}/api/mcp`, {
        method: "POST",
        headers: standardHeaders(value),
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
      });
      expect(answer.status).toBe(503);
      stopped = server.stop();
      while (!server.output().includes("stopping")) await sleep(10);
      await sleep(LONG_ENOUGH_MS);
    });
    await stopped;
    expect(server.output()).not.toContain("CONNECTION_ENDED");
    const [row] = await database.sql`select last_used_at from keys where id = ${id}`;
    expect(row!.last_used_at).toBeInstanceOf(Date);
  });
});
