// Stopping: what is under way is answered, and what nobody waits for any more ends before the database goes.
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { issueKey, standardHeaders } from "../support/clients";
import { patientUrl, testDatabase, untilWaiting } from "../support/database";
import { makeConsumer } from "../support/factories";
import { signIn } from "../support/roles";
import { startServer } from "../support/server";

const database = testDatabase();

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
      // Long enough for one that does not wait to end its jobs and let go of the database.
      await sleep(4_000);
    });
    await stopped;
    expect(server.output()).not.toContain("CONNECTION_ENDED");
  });
});
