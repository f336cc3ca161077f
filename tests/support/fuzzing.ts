// A server that is sent what nobody would send, and what must hold whatever that was: an answer below 500 with our
// request id, nothing in the log, no growth. Every failure prints the seed and path that repeat it.
import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { expect } from "vitest";
import type { TestDatabase } from "./database";
import { type TestServer, testServer } from "./server";
import { UUID7 } from "./wire";

/** Of all groups together, unless FUZZ_CASES says otherwise. */
const CASES = Number(process.env.FUZZ_CASES ?? 8_000);
const SEED = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);
/** Cases under way at once; each lane has its own seed. */
const LANES = 6;
const HANG_MS = 20_000;
/** What may be left of a case when it is over: caches are bounded, and fill up. */
const GROWTH_BYTES = 24 * 2 ** 20;
const GROWTH_EACH = 150;
const GROWTH_HANDLES = 30;

export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

export interface Asked {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string | Uint8Array | undefined;
}

const agent = new Agent({ keepAlive: true, maxSockets: 2 * LANES });

/** One request over connections that stay. @throws Error when there is no answer in 20 s */
export function ask(url: string, { method, path, headers, body }: Asked): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = body === undefined ? headers : { ...headers, "content-length": String(Buffer.byteLength(body)) };
    const req = request({ ...hostOf(url), method, path, headers: sent, agent, timeout: HANG_MS }, (res) => {
      const chunks: Buffer[] = [];
      res.on("data", (chunk) => chunks.push(chunk));
      res.on("error", reject);
      res.on("end", () =>
        resolve({ status: res.statusCode!, headers: res.headers, text: Buffer.concat(chunks).toString("utf8") }),
      );
    });
    req.on("timeout", () => req.destroy(new Error(`no answer within ${HANG_MS} ms`)));
    req.on("error", reject);
    req.end(body);
  });
}

const hostOf = (url: string) => {
  const { hostname, port } = new URL(url);
  return { host: hostname, port };
};

/** What every answer is, whatever was sent. */
export function expectSane({ status, headers, text }: Answer): void {
  expect(status, text.slice(0, 500)).toBeLessThan(500);
  expect(headers["x-request-id"]).toMatch(UUID7);
  expect(text).not.toMatch(/\n\s+at .*\(.*:\d+:\d+\)|node_modules/);
}

interface Left {
  /** Of the heap and what it holds outside, after garbage collection. */
  bytes: number;
  rss: number;
  files: number;
  handles: number;
}

/** A server on the file's database that can say what it holds; it logs errors alone. */
export function fuzzedServer(database: TestDatabase): TestServer {
  return testServer(database, {
    TRUST_PROXY: "1",
    LOG_LEVEL: "error",
    NODE_OPTIONS: `--import ${new URL("heap-probe.mjs", import.meta.url).href}`,
  });
}

async function left(server: TestServer): Promise<Left> {
  const probes = () => server.output().match(/^probe .*$/gm) ?? [];
  const before = probes().length;
  server.process.kill("SIGUSR2");
  for (;;) {
    const found = probes();
    if (found.length > before) return JSON.parse(found.at(-1)!.slice("probe ".length));
    if (server.process.exitCode !== null) throw new Error(`The server ended:\n${server.output()}`);
    await sleep(20);
  }
}

const SETTLES_MS = 10_000;

/** What is left once timers and connections of the last requests are over: they last some seconds. */
async function settled(server: TestServer, before: Left): Promise<Left> {
  const patience = Date.now() + SETTLES_MS;
  for (;;) {
    const now = await left(server);
    const isSettled = now.handles - before.handles < GROWTH_HANDLES && now.files - before.files < GROWTH_HANDLES;
    if (isSettled || Date.now() > patience) return now;
    await sleep(500);
  }
}

/** Complaints of the server, since it said what it says at its start. */
const complaints = (server: TestServer) =>
  server
    .output()
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("probe ") && !line.includes("Aisle serves"));

const shareOf = (share: number) => Math.max(LANES, Math.round(CASES * share));

async function run<T>(cases: number, seed: number, one: fc.Arbitrary<T>, check: (value: T) => Promise<void>) {
  const property = fc.asyncProperty(one, async (value) => {
    await check(value);
  });
  await Promise.all(
    Array.from({ length: LANES }, (_, lane) =>
      fc.assert(property, { numRuns: Math.ceil(cases / LANES), seed: seed + lane }),
    ),
  );
}

/**
 * Sends a share of all cases to the server. A tenth of them first, so that what fills up once is full.
 * @param share of all cases, 0 to 1
 * @param check what holds for each case
 */
export async function fuzz<T>(
  server: TestServer,
  name: string,
  share: number,
  one: fc.Arbitrary<T>,
  check: (value: T) => Promise<void>,
): Promise<void> {
  const cases = shareOf(share);
  const known = complaints(server).length;
  const begun = performance.now();
  await run(Math.ceil(cases / 10), SEED + 1_000, one, check);
  const before = await left(server);
  await run(cases, SEED, one, check);
  const seconds = (performance.now() - begun) / 1000;
  const after = await settled(server, before);
  const grown = after.bytes - before.bytes;
  const told = `${name}: ${cases} cases in ${seconds.toFixed(1)} s (seed ${SEED}); heap ${mib(grown)}, resident ${mib(after.rss)}, handles ${after.handles - before.handles}, files ${after.files - before.files}`;
  process.stdout.write(`${told}\n`);
  expect(complaints(server).slice(known), told).toEqual([]);
  expect(grown, told).toBeLessThan(GROWTH_BYTES + GROWTH_EACH * cases);
  expect(after.handles - before.handles, told).toBeLessThan(GROWTH_HANDLES);
  expect(after.files - before.files, told).toBeLessThan(GROWTH_HANDLES);
}

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

async function heapHere(): Promise<number> {
  collectGarbage();
  // `external` still counts the buffers just freed, and finalisers run between turns.
  await sleep(50);
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** The same for what runs in this process. */
export async function fuzzHere<T>(
  name: string,
  share: number,
  one: fc.Arbitrary<T>,
  check: (value: T) => Promise<void>,
): Promise<void> {
  const cases = shareOf(share);
  const begun = performance.now();
  await run(Math.ceil(cases / 10), SEED + 1_000, one, check);
  const before = await heapHere();
  await run(cases, SEED, one, check);
  const seconds = (performance.now() - begun) / 1000;
  const grown = (await heapHere()) - before;
  const told = `${name}: ${cases} cases in ${seconds.toFixed(1)} s (seed ${SEED}); heap ${mib(grown)}`;
  process.stdout.write(`${told}\n`);
  expect(grown, told).toBeLessThan(GROWTH_BYTES + GROWTH_EACH * cases);
}

const mib = (bytes: number) => `${(bytes / 2 ** 20).toFixed(1)} MiB`;
