// 6: search over catalogues of three sizes: what it costs must not follow what there is.
import type { Bench, Line, Row } from "../support/bench";
import { type Searching, searching } from "../support/searching";
import { median, percentile } from "../support/stats";

/** Products. */
export const sizes = [1_000, 100_000, 1_000_000];
const SLOWEST_MS = 60;

export const searchRow: Row = { number: 6, run };

async function run(bench: Bench): Promise<Line[]> {
  const places: Searching[] = [];
  try {
    for (const size of bench.sizes) places.push(await searching(bench, size));
    // The first round is for caches and compilers.
    const results = places.map(() => [] as { p50: number; p95: number }[]);
    for (let round = 0; round <= bench.rounds; round++) {
      for (const [i, place] of places.entries()) {
        const { times } = await bench.watched(place.aisle, async () => ({ times: await askAll(place) }));
        if (round > 0) results[i]!.push({ p50: percentile(times, 0.5), p95: percentile(times, 0.95) });
      }
      if (round > 0)
        bench.say(
          `  ${round}/${bench.rounds}: ${results.map((one) => `p50 ${one.at(-1)!.p50.toFixed(1)}`).join(", ")} ms`,
        );
    }
    return linesOf(bench.sizes, results);
  } finally {
    for (const place of places) await place.close();
  }
}

async function askAll({ queries, ask }: Searching): Promise<number[]> {
  const times: number[] = [];
  for (const query of queries) times.push(await ask(query));
  return times;
}

function linesOf(of: number[], results: { p50: number; p95: number }[][]): Line[] {
  const [least, most] = [results[0]!, results.at(-1)!];
  const largest = of.at(-1)!.toLocaleString("en");
  const shown = (name: "p50" | "p95") =>
    results.map(
      (rounds, i) => `${median(rounds.map((one) => one[name])).toFixed(1)} ms at ${of[i]!.toLocaleString("en")}`,
    );
  return [
    {
      row: "6",
      work: `search_products, p50 at ${largest} products : at ${of[0]!.toLocaleString("en")}`,
      measured: shown("p50").join(", "),
      values: most.map(({ p50 }, round) => p50 / least[round]!.p50),
      unit: "×",
      bar: { most: 3 },
      aim: 1,
    },
    {
      row: "6",
      work: `search_products, p95 at ${largest} products`,
      measured: shown("p95").join(", "),
      values: most.map(({ p95 }) => p95),
      unit: " ms",
      bar: { most: SLOWEST_MS },
    },
  ];
}
