// 5: the slowest of a hundred at half of the peak, at a fixed rate. The floor and the quickest naked peer are measured the same
// way, at half of their own peaks, since a machine's own pauses are in all of them.
import {
  type Bench,
  type Line,
  type Measured,
  perRound,
  type Row,
  type Scene,
  wrk,
  wrkCounted,
} from "../support/bench";
import { ask, untilCounted } from "../support/callers";
import { pace } from "../support/pace";
import { bareSelect, nakedPeers } from "../support/peers";
import type { Contender } from "../support/processes";
import { median, percentile } from "../support/stats";
import { CONNECTIONS } from "./01-naked-peers";

export const tailRow: Row = { number: 5, run };

interface Measurable {
  contender: Contender;
  /** As fast as it can. */
  full: (seconds?: number) => Promise<Measured>;
}

/** Milliseconds, at so many requests a second. */
interface Tail {
  rate: number;
  p50: number;
  p99: number;
}

async function run(bench: Bench): Promise<Line[]> {
  const scene = await bench.scene();
  const { aisle, calls, callers } = scene;
  const given = { connections: CONNECTIONS, requests: calls };
  const bare = await bareSelect(bench.place, scene.database);
  const peers = await nakedPeers(bench.place, await ask(aisle.url, calls[0]!));
  const others = [bare, ...peers.filter(({ name }) => name === "sdk-v2")];
  const all: Measurable[] = [
    { contender: aisle, full: wrkCounted(bench, scene, callers, given) },
    ...others.map((contender) => ({ contender, full: wrk(bench, contender, given) })),
  ];
  try {
    const measured = all.map((): Tail[] => []);
    for (const { full } of all) await full();
    for (let round = 1; round <= bench.rounds; round++) {
      for (const [i, one] of all.entries()) measured[i]!.push(await tailOf(bench, scene, one));
      const told = measured.map((tails, i) => `${all[i]!.contender.name} ${words(tails.at(-1)!)}`);
      bench.say(`  ${round}/${bench.rounds}: ${told.join("; ")}`);
    }
    const [ours, ...theirs] = measured as [Tail[], ...Tail[][]];
    const floors = theirs.map((tails, i) => `${others[i]!.name} ${median(tails.map(ratio)).toFixed(1)} ×`);
    return [
      {
        row: "5",
        work: "p99 : p50 at half of the peak",
        measured: `${words(middle(ours))}; at half of their own peaks: ${floors.join(", ")}`,
        values: perRound(bench.rounds, (round) => ratio(ours[round]!)),
        unit: "×",
        bar: { most: 5 },
        aim: 3,
      },
    ];
  } finally {
    for (const peer of [bare, ...peers]) await peer.stop();
  }
}

async function tailOf(
  bench: Bench,
  { database, calls: requests }: Scene,
  { contender, full }: Measurable,
): Promise<Tail> {
  const rate = Math.floor((await full()).rate / 2);
  const total = rate * bench.seconds * 2;
  const { latencies, statuses } = await bench.watched(contender, () =>
    pace({ urls: [contender.url], requests, rate, connections: CONNECTIONS * 2, total }),
  );
  if (statuses[200] !== total) throw new Error(`Of ${total} answers: ${JSON.stringify(statuses)}`);
  await untilCounted(database);
  const steady = [...latencies.subarray(rate)]; // the first second opens connections
  return { rate, p50: percentile(steady, 0.5), p99: percentile(steady, 0.99) };
}

const ratio = ({ p50, p99 }: Tail): number => p99 / p50;
const words = ({ rate, p50, p99 }: Tail): string =>
  `${p99.toFixed(2)} ms of ${p50.toFixed(2)} at ${Math.round(rate)}/s`;
const middle = (tails: Tail[]): Tail => {
  const of = (name: keyof Tail) => median(tails.map((tail) => tail[name]));
  return { rate: of("rate"), p50: of("p50"), p99: of("p99") };
};
