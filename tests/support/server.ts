// Really started servers: `server/main.ts` in a process of its own, on a free port, on the test's database.
import { type ChildProcess, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect } from "vitest";
import { endAfterUs } from "./after-us";
import { patientUrl, TEST_SECRET, type TestDatabase } from "./database";
import { keepMemory } from "./memory";
import { untilRecorded } from "./usage";

const root = fileURLToPath(new URL("../..", import.meta.url));

export interface TestServer {
  url: string;
  /** Everything that the process wrote so far. */
  output: () => string;
  process: ChildProcess;
  /** Ends it, once; what it came to by itself, or logged as an error that nobody expected, fails the test. */
  stop: (signal?: NodeJS.Signals) => Promise<void>;
}

export interface Given {
  /** How many files and connections the process may have open; as many as this one unless given. */
  openFiles?: number;
  /** Lines of its log that tell of what the test breaks on purpose; there may be none. */
  expected?: RegExp;
}

/**
 * A port that nobody listened on a moment ago: one below those that the system gives to whoever asks for any, so that
 * nobody gets it by chance until it is used.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(12_000, 32_000);
    const probe = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      probe.once("error", () => resolve(false)).listen(port, "127.0.0.1", () => resolve(true));
    });
    if (!isFree) continue;
    probe.close();
    await once(probe, "close");
    return port;
  }
}

/** @param env beside DATABASE_URL and SECRET_KEY, which are set */
export async function startServer(
  databaseUrl: string,
  env: Record<string, string> = {},
  { openFiles, expected }: Given = {},
): Promise<TestServer> {
  const command = [process.execPath, "server/run.mjs", "server/main.ts"];
  const limited = ["sh", "-c", `ulimit -n ${openFiles} && exec "$@"`, "sh", ...command];
  const [program, ...args] = openFiles === undefined ? command : limited;
  const child = spawn(program!, args, {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      ...keepMemory,
      NODE_ENV: "production",
      DATABASE_URL: databaseUrl,
      SECRET_KEY: TEST_SECRET,
      PORT: "0",
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  child.once("exit", endAfterUs(child.pid!));
  // Its pipes too: what it said last is read.
  const closed = once(child, "close");
  let output = "";
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      const found = /Aisle serves ([^\s"]+)/.exec(output)?.[1];
      if (found) resolve(found);
    };
    child.stdout!.on("data", read);
    child.stderr!.on("data", read);
    child.once("exit", (code) => reject(new Error(`The server exited with ${code}:\n${output}`)));
  });
  async function end(signal: NodeJS.Signals) {
    expect(child.exitCode ?? child.signalCode, `The server ended by itself:\n${output.slice(-5_000)}`).toBeNull();
    child.kill(signal);
    await closed;
    const errors = output.split("\n").filter((line) => /^\{"level":[56]0/.test(line) && !expected?.test(line));
    expect(errors.slice(0, 5), "The server logged errors").toEqual([]);
    if (signal === "SIGTERM") expect(child.exitCode, output.slice(-5_000)).toBe(0);
  }
  let ended: Promise<void> | undefined;
  return {
    url,
    output: () => output,
    process: child,
    stop(signal = "SIGTERM") {
      ended ??= end(signal);
      return ended;
    },
  };
}

/** All that it logged until now: a line is asked for and waited for, since what it writes is read a moment later. */
export async function logOf({ url, output }: TestServer): Promise<string> {
  const { headers } = await fetch(new URL("/%", url));
  await expect.poll(output).toContain(headers.get("x-request-id"));
  return output();
}

const databases = new Map<string, TestDatabase>();

/** Until a server of this file has written the row of every request that it answered: pages show them a moment later. */
export async function recordedAt(url: string): Promise<void> {
  const database = databases.get(url);
  if (database) await untilRecorded(database);
}

/** A server for the tests of a file, on that file's database. */
export function testServer(database: TestDatabase, env: Record<string, string> = {}, given?: Given): TestServer {
  const server = {} as TestServer;
  beforeAll(async () => {
    Object.assign(server, await startServer(patientUrl(database.url, ["statement_timeout"]), env, given));
    databases.set(server.url, database);
  });
  afterAll(() => server.stop?.());
  return server;
}
