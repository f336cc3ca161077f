// The contenders: each a process of its own on a free port of 127.0.0.1, ended by its id.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { openSync, readFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));
const START_TIMEOUT_MS = 120_000; // the first start builds the pages

export interface Contender {
  name: string;
  url: string;
  pid: number;
  stop(): Promise<void>;
}

interface Start {
  name: string;
  /** Arguments of node. */
  args: string[];
  env: Record<string, string>;
  /** A path that answers when it serves. */
  ready: string;
  /** Where its output goes. */
  directory: string;
}

const started = new Set<ChildProcess>();

/** Ends whatever still runs of what was launched, whoever left it behind. */
export const endAll = () => Promise.all([...started].map(end));

/** @throws Error with the end of its output when it does not come up */
export async function launch({ name, args, env, ready, directory }: Start): Promise<Contender> {
  const port = await freePort();
  const log = join(directory, `${name}-${port}.log`);
  const output = openSync(log, "a");
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, NODE_ENV: "production", PORT: String(port), ...env },
    stdio: ["ignore", output, output],
  });
  started.add(child);
  child.once("exit", () => started.delete(child));
  const url = `http://127.0.0.1:${port}`;
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!(await answers(`${url}${ready}`))) {
    if (hasEnded(child) || Date.now() > deadline) {
      child.kill("SIGKILL");
      throw new Error(`${name} did not start:\n${readFileSync(log, "utf8").slice(-2000)}`);
    }
    await sleep(50);
  }
  return { name, url, pid: child.pid!, stop: () => end(child) };
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null;

async function end(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const exited = once(child, "exit");
  child.kill("SIGTERM");
  const late = setTimeout(() => child.kill("SIGKILL"), 15_000);
  await exited;
  clearTimeout(late);
}

const answers = (url: string): Promise<boolean> =>
  fetch(url).then(
    async (response) => {
      await response.arrayBuffer();
      return response.status < 500;
    },
    () => false,
  );

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return port;
}
