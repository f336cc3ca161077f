// 5: the slowest of a hundred at half of the peak, at a fixed rate.
import { type Bench, type Line, perRound, type Row, wrkCounted } from "../support/bench";
import { pace } from "../support/pace";
import { median, percentile } from "../support/stats";
import { CONNECTIONS } from "./01-naked-peers";

export const tailRow: Row = { number: 5, run };

async function run(bench: Bench): Promise<Line[]> {
  const scene = await bench.scene();
  const { aisle, calls, callers } = scene;
  const full = wrkCounted(bench, scene, callers, { connections: CONNECTIONS, requests: calls });
  await full();
  const measured: { p50: number; p99: number; rate: number }[] = [];
  for (let round = 1; round <= bench.rounds; round++) {
    const rate = Math.floor((await full()).rate / 2);
    const total = rate * bench.seconds * 2;
    const { latencies, statuses } = await bench.watched(aisle, () =>
      pace({ urls: [aisle.url], requests: calls, rate, connections: CONNECTIONS * 2, total }),
    );
    if (statuses[200] !== total) throw new Error(`Of ${total} answers: ${JSON.stringify(statuses)}`);
    const steady = [...latencies.subarray(rate)]; // the first second opens connections
    measured.push({ p50: percentile(steady, 0.5), p99: percentile(steady, 0.99), rate });
    const { p50, p99 } = measured.at(-1)!;
    bench.say(`  ${round}/${bench.rounds}: ${rate}/s, p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`);
  }
  const middle = (name: "p50" | "p99") => median(measured.map((one) => one[name])).toFixed(2);
  return [
    {
      row: "5",
      work: "p99 : p50 at half of the peak",
      measured: `${middle("p99")} ms; ${middle("p50")} ms at ${Math.round(median(measured.map((one) => one.rate)))}/s`,
      values: perRound(bench.rounds, (round) => measured[round]!.p99 / measured[round]!.p50),
      unit: "×",
      bar: { most: 5 },
      aim: 3,
    },
  ];
}
