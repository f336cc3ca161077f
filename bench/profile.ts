// `--profile`: where row 1 spends its CPU time, by function and by whose code it is; the plans of row 6's statements.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { SourceMap } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CONNECTIONS } from "./rows/01-naked-peers";
import { sizes } from "./rows/06-search";
import type { Bench } from "./support/bench";
import { ask, makeCallers, storeInfoCalls } from "./support/callers";
import { bareSql, searching } from "./support/searching";
import { load } from "./support/wrk";

const SHOWN = 45;
const WARM_UP_SECONDS = 8;
const MEASURED_SECONDS = 10;
/** That a stop takes. */
const STOP_SECONDS = 0.2;

export async function profile(bench: Bench, rows: number[] | undefined): Promise<void> {
  if (!rows || rows.includes(1)) await profileCalls(bench);
  if (!rows || rows.includes(6)) await explainSearches(bench);
}

async function profileCalls({ place, say }: Bench): Promise<void> {
  const database = await place.catalogue(1_000);
  const calls = await storeInfoCalls(database, await makeCallers(database));
  const directory = await mkdtemp(join(place.directory, "profile-"));
  const args = ["--cpu-prof", `--cpu-prof-dir=${directory}`];
  const aisle = await place.serve(database, {}, args);
  await ask(aisle.url, calls[0]!);
  const given = { url: aisle.url, connections: CONNECTIONS, requests: calls };
  await load(place.directory, { ...given, seconds: WARM_UP_SECONDS });
  const { requests } = await load(place.directory, { ...given, seconds: MEASURED_SECONDS });
  await aisle.stop();
  // Each thread writes one; ours is the one with the server's own functions.
  const profiles = readdirSync(directory).map((name) =>
    toSources(JSON.parse(readFileSync(join(directory, name), "utf8"))),
  );
  const own = profiles.find(({ nodes }) =>
    nodes.some(({ callFrame }) => callFrame.url.endsWith("/server/mcp/handle.ts")),
  );
  if (!own) throw new Error(`No profile in ${directory} has functions of the server.`);
  process.stdout.write(summary(own, requests));
  say(`The profile itself: ${directory} (stays with --keep)`);
}

interface Profile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number; columnNumber: number } }[];
  samples: number[];
  timeDeltas: number[];
}

/** With the files that functions were written in, where the one that runs was made of several (decision 0067). */
function toSources(profile: Profile): Profile {
  const maps = new Map<string, SourceMap | undefined>();
  for (const { callFrame } of profile.nodes) {
    const { url, lineNumber, columnNumber } = callFrame;
    if (!url.includes("/build.node/")) continue;
    const map = fileURLToPath(`${url}.map`);
    if (!maps.has(url))
      maps.set(url, existsSync(map) ? new SourceMap(JSON.parse(readFileSync(map, "utf8"))) : undefined);
    const entry = maps.get(url)?.findEntry(lineNumber, columnNumber);
    if (entry && "originalSource" in entry) callFrame.url = new URL(entry.originalSource, url).href;
  }
  return profile;
}

function summary({ nodes, samples, timeDeltas }: Profile, requests: number): string {
  const spent = new Map<number, number>();
  // The last so many seconds: what was before is the start, and compilers at work.
  let left = (MEASURED_SECONDS + STOP_SECONDS) * 1e6;
  for (let i = samples.length - 1; i >= 0 && left > 0; i--) {
    spent.set(samples[i]!, (spent.get(samples[i]!) ?? 0) + timeDeltas[i]!);
    left -= timeDeltas[i]!;
  }
  const byFunction = new Map<string, number>();
  const byOwner = new Map<string, number>();
  const add = (to: Map<string, number>, name: string, time: number) => to.set(name, (to.get(name) ?? 0) + time);
  let total = 0;
  for (const { id, callFrame } of nodes) {
    const time = spent.get(id) ?? 0;
    if (callFrame.functionName === "(idle)") continue;
    total += time;
    add(byOwner, ownerOf(callFrame), time);
    add(byFunction, `${callFrame.functionName || "(anonymous)"} ${shortened(callFrame.url)}`, time);
  }
  const lines = (from: Map<string, number>, most: number) =>
    [...from]
      .sort(([, a], [, b]) => b - a)
      .slice(0, most)
      .map(
        ([name, time]) =>
          `${((time / total) * 100).toFixed(1).padStart(5)} %  ${(time / requests).toFixed(1).padStart(6)} µs  ${name}`,
      )
      .join("\n");
  return `\nRow 1, ${requests.toLocaleString("en")} calls while profiled: ${(total / requests).toFixed(0)} µs each\n\n${lines(byOwner, 20)}\n\n${lines(byFunction, SHOWN)}\n`;
}

function ownerOf({ functionName, url }: { functionName: string; url: string }): string {
  if (functionName === "(garbage collector)") return "garbage collector";
  if (url === "") return functionName === "(program)" ? "native code, system calls" : "built-in functions";
  if (url.startsWith("node:")) return "node's own library";
  if (/\/packages-[^/]*\.js$/.test(url)) return "packages that are one file (postgres, zod, drizzle-orm, …)";
  const inPackage = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1];
  return inPackage ?? `ours: ${/\/(server|db|app)\//.test(url) ? shortened(url) : "other"}`;
}

const shortened = (url: string) =>
  url.replace(/^file:\/\/.*\/(server|db|app|build)\//, "$1/").replace(/^file:\/\/.*node_modules\//, "");

const explained = 4;

async function explainSearches(bench: Bench): Promise<void> {
  const place = await searching(bench, bench.sizes.at(-1) ?? sizes[0]!);
  const bare = await bareSql(place);
  try {
    for (const query of place.queries.slice(0, explained)) {
      const statements = await bare.statementsOf(query);
      await bare.run(statements); // for caches
      process.stdout.write(`\n${JSON.stringify(query)}\n`);
      for (const statement of statements) process.stdout.write(`\n${await bare.explain(statement)}\n`);
    }
  } finally {
    await bare.close();
    await place.close();
  }
}
