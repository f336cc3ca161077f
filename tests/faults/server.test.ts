// What happens to the service when something happens to its own process: no answer is wrong, nothing that was answered
// is lost, and it goes on by itself.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, rm } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import * as database from "../../db/client";
import { startEmbedded } from "../../db/embedded";
import { endAfterUs, makeDataFolder } from "../support/after-us";
import { TEST_SECRET, untilWaiting } from "../support/database";
import { expectUnharmed, faulty, rounds, TIMEOUT_MS, underLoad } from "../support/faulty";
import { keepMemory } from "../support/memory";

const service = faulty();

describe("a server", () => {
  it.each(rounds)(
    "that is killed -9, again and again, has a row for each call that it answered, and every change that it acknowledged (round %i)",
    async () => {
      const seen = await underLoad(service, {
        async hurt() {
          for (let i = 0; i < 3; i++) {
            await service.server.stop("SIGKILL");
            await service.restart();
            await sleep(500);
          }
        },
        mend: async () => {},
      });
      await expectUnharmed(service, seen, { silent: true });
    },
    TIMEOUT_MS,
  );

  it.each(rounds)(
    "whose event loop stands still for 4 s answers what waits, or says 503, and loses nothing (round %i)",
    async () => {
      const seen = await underLoad(service, {
        async hurt() {
          service.server.process.kill("SIGSTOP");
          await sleep(4_000);
        },
        mend: async () => void service.server.process.kill("SIGCONT"),
      });
      await expectUnharmed(service, seen, { silent: true });
    },
    TIMEOUT_MS,
  );
});

describe("a server whose files and connections are used up", () => {
  const OPEN_FILES = 256;
  beforeAll(async () => {
    await service.server.stop();
    await service.restart({ openFiles: OPEN_FILES });
  }, TIMEOUT_MS);

  it.each(rounds)(
    "serves those who are let in, never wrongly, and everybody once the others are gone (round %i)",
    async () => {
      const { hostname, port } = new URL(service.server.url);
      const idle = Array.from({ length: 2 * OPEN_FILES }, () => connect(Number(port), hostname).on("error", () => {}));
      const seen = await underLoad(service, {
        async hurt() {
          await sleep(4_000);
          // Up to what it keeps for itself to refuse the rest with.
          const open = await readdir(`/proc/${service.server.process.pid}/fd`);
          expect(open.length).toBeGreaterThan(OPEN_FILES - 5);
        },
        mend: async () => {
          for (const socket of idle) socket.destroy();
        },
      });
      await expectUnharmed(service, seen, { silent: true });
    },
    TIMEOUT_MS,
  );
});

describe("a server that is told to stop while it still starts", () => {
  const COMMAND = [process.execPath, "server/run.mjs", "server/main.ts"];
  /** As another instance does, whose migration takes long. */
  async function migrating(url: string) {
    const { sql, close } = database.connect(url, "aisle-faults");
    const one = await sql.reserve();
    await one`select pg_advisory_lock(4711001)`;
    onTestFinished(close);
    return sql;
  }
  /** @returns the process, and what becomes of it */
  function begin(env: Record<string, string>, command = COMMAND) {
    const child = spawn(command[0]!, command.slice(1), {
      env: {
        PATH: process.env.PATH,
        ...keepMemory,
        NODE_ENV: "production",
        SECRET_KEY: TEST_SECRET,
        PORT: "0",
        ...env,
      },
      stdio: ["ignore", "ignore", "pipe"],
    });
    child.once("exit", endAfterUs(child.pid!));
    let said = "";
    child.stderr!.on("data", (chunk) => {
      said += chunk;
    });
    return { child, ended: once(child, "close").then(([code, signal]) => ({ code, signal, said })) };
  }
  const inOrder = { code: 0, signal: null, said: "" };

  it.each(rounds)(
    "ends at once, though it waits for another's migration (round %i)",
    async () => {
      const { url } = service.connect();
      const sql = await migrating(url);
      const { child, ended } = begin({ DATABASE_URL: url });
      await untilWaiting(sql, 1);
      child.kill("SIGTERM");
      expect(await Promise.race([ended, sleep(30_000)])).toEqual(inOrder);
    },
    TIMEOUT_MS,
  );

  it.each(rounds)(
    "ends with the embedded database that nobody else uses (round %i)",
    async () => {
      const folder = await makeDataFolder();
      onTestFinished(() => rm(folder, { recursive: true, force: true }));
      const first = await startEmbedded(folder, { durable: false });
      const sql = await migrating(first.url);
      const { child, ended } = begin({ DATA_DIR: folder });
      await untilWaiting(sql, 1);
      await first.release();
      expect(await readdir(join(folder, "pg"))).toContain("postmaster.pid");
      child.kill("SIGINT");
      expect(await Promise.race([ended, sleep(30_000)])).toEqual(inOrder);
      expect(await readdir(join(folder, "pg"))).not.toContain("postmaster.pid");
    },
    TIMEOUT_MS,
  );
});
