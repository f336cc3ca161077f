// Load by wrk: as much as the server takes over so many connections. Anything but the status that was expected is an error.
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** One request to the byte, but for its Host and length. */
export interface Sent {
  path: string;
  headers: Record<string, string>;
  body: string;
}

export interface Load {
  url: string;
  connections: number;
  seconds: number;
  /** Sent in turn. */
  requests: Sent[];
  /** `refusals`: every answer must be 400 or above; else none may be. */
  expect?: "answers" | "refusals";
  /** With refusals, how many may be answered all the same: those of a window that begins meanwhile. */
  mayPass?: number;
}

export interface Loaded {
  requests: number;
  /** Requests a second. */
  rate: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
}

/** @throws Error when there is no wrk */
export async function requireWrk(): Promise<void> {
  await run("wrk", ["-v"]).catch((error: { code?: unknown }) => {
    if (error.code === "ENOENT")
      throw new Error("There is no wrk. Install it: apt-get install -y wrk (Debian, Ubuntu)");
  });
}

/** @throws Error when an answer was not as expected, or a connection failed */
export async function load(
  directory: string,
  { url, connections, seconds, requests, expect, mayPass = 0 }: Load,
): Promise<Loaded> {
  const script = join(directory, "load.lua");
  await writeFile(script, lua(requests.map((sent) => bytes(url, sent))));
  // One thread: it can send several times what any of the servers takes, and leaves the cores to them.
  const { stdout } = await run("wrk", [
    "-t1",
    `-c${connections}`,
    `-d${seconds}s`,
    "-s",
    script,
    "--timeout",
    "10s",
    url,
  ]);
  const told = JSON.parse(/^RESULT (.*)$/m.exec(stdout)![1]!) as Record<string, number>;
  const failed = told.connect! + told.read! + told.write! + told.timeout!;
  const unexpected = expect === "refusals" ? Math.max(0, told.requests! - told.status! - mayPass) : told.status!;
  if (failed > 0 || unexpected > 0 || told.requests === 0) {
    throw new Error(`Of ${told.requests} requests to ${url} ${unexpected} had an unexpected status, ${failed} failed.`);
  }
  return {
    requests: told.requests!,
    rate: told.requests! / (told.duration! / 1e6),
    p50: told.p50! / 1000,
    p99: told.p99! / 1000,
  };
}

/** A request as it goes over the wire. */
export function bytes(url: string, { path, headers, body }: Sent): string {
  const lines = { Host: new URL(url).host, ...headers, "Content-Length": String(Buffer.byteLength(body)) };
  const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST ${path} HTTP/1.1\r\n${head.join("")}\r\n${body}`;
}

const quoted = (text: string) =>
  `"${[...Buffer.from(text)].map((byte) => (byte < 32 || byte > 126 || byte === 34 || byte === 92 ? `\\${String(byte).padStart(3, "0")}` : String.fromCharCode(byte))).join("")}"`;

const lua = (requests: string[]) => `
local requests = { ${requests.map(quoted).join(",\n")} }
local at = 0
function request()
  at = at % ${requests.length} + 1
  return requests[at]
end
function done(summary, latency)
  local e = summary.errors
  io.write(string.format(
    'RESULT {"requests":%d,"duration":%d,"connect":%d,"read":%d,"write":%d,"timeout":%d,"status":%d,"p50":%d,"p99":%d}\\n',
    summary.requests, summary.duration, e.connect, e.read, e.write, e.timeout, e.status,
    latency:percentile(50), latency:percentile(99)))
end
`;
