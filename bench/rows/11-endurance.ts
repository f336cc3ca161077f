// 11: ten minutes at seven tenths of the peak: no error, and neither memory nor latency grows.
import { type Bench, type Line, type Row, wrkCounted } from "../support/bench";
import { usageRows } from "../support/callers";
import { memoryOf } from "../support/machine";
import { pace } from "../support/pace";
import { median, percentile } from "../support/stats";
import { CONNECTIONS } from "./01-naked-peers";

export const enduranceRow: Row = { number: 11, run };

const SHARE_OF_PEAK = 0.7;
const STRETCHES_A_MINUTE = 4;
const MB = 1024 * 1024;

interface Stretch {
  p50: number;
  p99: number;
  memory: number;
}

async function run(bench: Bench): Promise<Line[]> {
  const scene = await bench.scene();
  const { aisle, calls, callers, database } = scene;
  const full = wrkCounted(bench, scene, callers, { connections: CONNECTIONS, requests: calls });
  await full();
  const rate = Math.floor((await full()).rate * SHARE_OF_PEAK);
  const total = Math.floor((rate * 60) / STRETCHES_A_MINUTE);
  const before = await usageRows(database, callers);
  const stretches: Stretch[] = [];
  let errors = 0;
  for (let i = 0; i < bench.minutes * STRETCHES_A_MINUTE; i++) {
    const { latencies, statuses } = await bench.watched(aisle, () =>
      pace({ urls: [aisle.url], requests: calls, rate, connections: CONNECTIONS * 2, total }),
    );
    errors += total - (statuses[200] ?? 0);
    const all = [...latencies];
    stretches.push({ p50: percentile(all, 0.5), p99: percentile(all, 0.99), memory: memoryOf(aisle.pid).now });
    const { p50, p99, memory } = stretches.at(-1)!;
    bench.say(
      `  ${(i + 1) * (60 / STRETCHES_A_MINUTE)} s: p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms, ${Math.round(memory / MB)} MB`,
    );
  }
  const lost = stretches.length * total - ((await usageRows(database, callers)) - before);
  return linesOf(bench, stretches, rate, errors, lost);
}

/** The last third against the second: the first is for compilers and caches. */
function linesOf({ minutes }: Bench, stretches: Stretch[], rate: number, errors: number, lost: number): Line[] {
  const third = Math.max(1, Math.floor(stretches.length / 3));
  const middle = (name: keyof Stretch, from: number) =>
    median(stretches.slice(from, from + third).map((one) => one[name]));
  const growth = (name: keyof Stretch) =>
    middle(name, stretches.length - third) / middle(name, stretches.length - 2 * third);
  const work = `${minutes} minutes at ${SHARE_OF_PEAK * 100} % of the peak`;
  const last = stretches.length - third;
  return [
    {
      row: "11",
      work: `${work}: errors, and usage rows lost`,
      measured: `${(stretches.length * Math.floor((rate * 60) / STRETCHES_A_MINUTE)).toLocaleString("en")} calls at ${rate}/s`,
      values: [errors + Math.abs(lost)],
      unit: "",
      bar: { most: 0 },
    },
    {
      row: "11",
      work: "memory, the last third : the second",
      measured: `${Math.round(middle("memory", last) / MB)} MB`,
      values: [growth("memory")],
      unit: "×",
      bar: { most: 1.1 },
    },
    {
      row: "11",
      work: "p50, the last third : the second",
      measured: `${middle("p50", last).toFixed(2)} ms; p99 ${middle("p99", last).toFixed(2)} ms`,
      values: [growth("p50")],
      unit: "×",
      bar: { most: 1.2 },
    },
  ];
}
