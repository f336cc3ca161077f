// The disk that the log goes to is full.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, openSync } from "node:fs";
import { expect, it, onTestFinished } from "vitest";
import { endAfterUs } from "../support/after-us";
import { TEST_SECRET, testDatabase } from "../support/database";
import { freePort } from "../support/server";

const database = testDatabase();
/** Linux has it: no room, ever. */
const FULL = "/dev/full";

if (!existsSync(FULL)) {
  if (process.env.CI) throw new Error(`There is no ${FULL}.`);
  process.stdout.write(`A log that cannot be written, skipped: there is no ${FULL}\n`);
}
it.skipIf(!existsSync(FULL))(
  "a server whose log cannot be written starts, answers and ends as if it could",
  async () => {
    const port = await freePort();
    const child = spawn(process.execPath, ["server/run.mjs", "server/main.ts"], {
      cwd: new URL("../..", import.meta.url),
      env: {
        PATH: process.env.PATH,
        NODE_ENV: "production",
        DATABASE_URL: database.url,
        SECRET_KEY: TEST_SECRET,
        PORT: String(port),
      },
      stdio: ["ignore", openSync(FULL, "w"), "inherit"],
    });
    child.once("exit", endAfterUs(child.pid!));
    onTestFinished(() => void child.kill("SIGKILL"));
    const ask = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init);
    await expect
      .poll(() =>
        ask("/readyz").then(
          ({ ok }) => ok,
          () => child.exitCode,
        ),
      )
      .toBe(true);
    // Each of them is a line.
    for (let i = 0; i < 20; i++) expect((await ask("/api/mcp", { method: "POST", body: "{}" })).status).toBe(415);
    expect((await ask("/healthz")).status).toBe(200);
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
  },
  120_000,
);
