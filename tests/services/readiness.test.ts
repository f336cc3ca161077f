import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { connect } from "../../db/client";
import { isReady, mayServe } from "../../server/readiness";
import { testDatabase } from "../support/database";
import { freePort } from "../support/server";

const database = testDatabase();

/** As compiling does: each turn of the event loop takes longer than all the time that the database has. */
function keepBusy(turns: number): void {
  const until = performance.now() + 1_100;
  while (performance.now() < until);
  if (turns > 1) setImmediate(keepBusy, turns - 1);
}

function connectTo(port: number) {
  const connections = connect(`postgres://nobody@127.0.0.1:${port}/nothing`, "aisle-test");
  onTestFinished(() => connections.close());
  return connections;
}

describe("the database", () => {
  it("is not taken for away by a process that is too busy to listen", async () => {
    const asked = isReady(database);
    keepBusy(4);
    expect(await asked).toBe(true);
  });

  it("is away when it lets one in and says nothing", async () => {
    const silent = createServer().listen(0, "127.0.0.1");
    await once(silent, "listening");
    onTestFinished(() => void silent.close());
    expect(await isReady(connectTo((silent.address() as AddressInfo).port))).toBe(false);
  });

  it("is there, but nobody is let in, while keys cannot be looked up", async () => {
    expect(await mayServe(database)).toBe(true);
    await database.sql.begin(async (tx) => {
      await tx`lock table keys in access exclusive mode`;
      expect(await Promise.all([mayServe(database), isReady(database)])).toEqual([false, true]);
    });
    expect(await mayServe(database)).toBe(true);
  });

  it("is there, but nobody is let in, while it takes no writes", async () => {
    const url = new URL(database.url);
    url.searchParams.set("default_transaction_read_only", "on");
    const readOnly = connect(url.href, "aisle-test");
    onTestFinished(() => readOnly.close());
    expect([await mayServe(readOnly), await isReady(readOnly)]).toEqual([false, true]);
  });

  it("is away when nobody listens", async () => {
    expect(await isReady(connectTo(await freePort()))).toBe(false);
  });
});
