// A run: what rows get, what they give back, and how contenders take turns.
import { setTimeout as sleep } from "node:timers/promises";
import { type Caller, makeCallers, storeInfoCalls, untilCounted, usageRows } from "./callers";
import { type Cost, watch } from "./machine";
import type { Database, Place } from "./place";
import type { Contender } from "./processes";
import { type Load, type Loaded, load, type Sent } from "./wrk";

export interface Settings {
  rounds: number;
  /** Of one load of wrk. */
  seconds: number;
  /** Of row 11. */
  minutes: number;
  /** Products in the catalogues of row 6, from the smallest. */
  sizes: number[];
}

export interface Bench extends Settings {
  place: Place;
  /** Progress, on stderr. */
  say: (text: string) => void;
  /** Runs `work` and tells what it cost; PostgreSQL counts as `postgres`. */
  watched<T>(contender: Contender, work: () => Promise<T>): Promise<T & { cost: Cost }>;
  /** The share of the machine that others took, for each measurement since the row began. */
  outside: number[];
  /** 1,000 stores, 1,000 products, eight production consumers, our server. Made when first asked for. */
  scene(): Promise<Scene>;
}

export interface Scene {
  database: Database;
  callers: Caller[];
  /** get_store_info in the name of each. */
  calls: Sent[];
  aisle: Contender;
}

/** A row of the table. Ratios are shown as least, median, greatest; the median must keep to the bar. */
export interface Line {
  row: string;
  work: string;
  /** In absolute figures, for this machine. */
  measured: string;
  /** One a round. */
  values: number[];
  /** After each value. */
  unit: "×" | " ms" | " kB" | "";
  bar: { least: number } | { most: number };
  aim?: number;
}

export interface Row {
  number: number;
  run(bench: Bench): Promise<Line[]>;
}

export type Measured = Loaded & { cost: Cost };

const WARM_UP_SECONDS = 3;
/** Until what an earlier load left under way is done. */
const SETTLE_MS = 300;

/** Each contender once to warm up, then all of them by turns, `rounds` times. */
export async function byTurns<Name extends string>(
  { rounds, say }: Bench,
  contenders: Record<Name, (seconds?: number) => Promise<Measured>>,
): Promise<Record<Name, Measured[]>> {
  const names = Object.keys(contenders) as Name[];
  const results = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, Measured[]>;
  for (const name of names) await contenders[name](WARM_UP_SECONDS);
  for (let round = 1; round <= rounds; round++) {
    for (const name of names) results[name].push(await contenders[name]());
    say(
      `  ${round}/${rounds}: ${names.map((name) => `${name} ${Math.round(results[name].at(-1)!.rate)}/s`).join(", ")}`,
    );
  }
  return results;
}

/** wrk against a contender. */
export const wrk =
  (bench: Bench, contender: Contender, given: Omit<Load, "url" | "seconds">) =>
  (seconds = bench.seconds): Promise<Measured> =>
    bench.watched(contender, () => load(bench.place.directory, { url: contender.url, seconds, ...given }));

/** wrk against our server; every request that wrk counted must have its usage row. What is left to be done of it is done before it ends. */
export const wrkCounted =
  (bench: Bench, { database, aisle }: Scene, callers: Caller[], given: Omit<Load, "url" | "seconds">) =>
  async (seconds = bench.seconds): Promise<Measured> => {
    await sleep(SETTLE_MS);
    const before = await usageRows(database, callers);
    const measured = await wrk(bench, aisle, given)(seconds);
    const rows = (await usageRows(database, callers)) - before;
    // What was under way when wrk stopped has a row too, but no answer that wrk could count.
    if (rows < measured.requests || rows > measured.requests + given.connections)
      throw new Error(`${measured.requests} answers have ${rows} usage rows.`);
    await untilCounted(database);
    return measured;
  };

/** CPU microseconds a request. */
export const cpuOf = (measured: Measured[], tree: string): number =>
  (measured.reduce((sum, { cost }) => sum + cost.cpu[tree]!, 0) / measured.reduce((sum, m) => sum + m.requests, 0)) *
  1e6;

export const perRound = <T>(rounds: number, value: (round: number) => T): T[] =>
  Array.from({ length: rounds }, (_, round) => value(round));

async function openScene(place: Place): Promise<Scene> {
  const database = await place.catalogue(1_000);
  const callers = await makeCallers(database);
  const calls = await storeInfoCalls(database, callers);
  return { database, callers, calls, aisle: await place.serve(database) };
}

export function newBench(place: Place, settings: Settings, say: Bench["say"]): Bench & { close(): Promise<void> } {
  let scene: Promise<Scene> | undefined;
  const bench: Bench = {
    ...settings,
    place,
    say,
    outside: [],
    async watched(contender, work) {
      const end = watch({ contender: contender.pid, postgres: place.postgresPid });
      const result = await work();
      const cost = end();
      bench.outside.push(cost.outside);
      return { ...result, cost };
    },
    scene: () => {
      scene ??= openScene(place);
      return scene;
    },
  };
  return Object.assign(bench, { close: async () => (await scene)?.aisle.stop() });
}
