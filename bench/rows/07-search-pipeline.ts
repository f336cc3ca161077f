// 7: what key, limit, usage row, HTTP and JSON add to a search's statements.
import { type Bench, type Line, perRound, type Row } from "../support/bench";
import { AT_ONCE, bareSql, type Statement, searching } from "../support/searching";
import { median } from "../support/stats";

export const searchPipelineRow: Row = { number: 7, run };

/** Products: the middle size. */
const SIZE = 100_000;
const WARM_UPS = 4;

async function run(bench: Bench): Promise<Line[]> {
  const place = await searching(bench, SIZE);
  const bare = await bareSql(place);
  try {
    const all: Statement[][] = [];
    for (const query of place.queries) all.push(await bare.statementsOf(query));
    const whole = (i: number) => place.ask(place.queries[i]!);
    const sql = (i: number) => bare.run(all[i]!);
    // Each of these has been asked often enough by then that it is compiled.
    for (let i = 0; i < WARM_UPS; i++) await atOnce(all.length, whole);
    const results: { whole: number; sql: number; wholeAtOnce: number; sqlAtOnce: number }[] = [];
    for (let round = 0; round <= bench.rounds; round++) {
      const result = await bench.watched(place.aisle, async () => {
        const times = { whole: [] as number[], sql: [] as number[] };
        for (const i of all.keys()) {
          // Whichever comes second finds the query's pages in the processor's caches: by turns.
          if ((i + round) % 2 === 0) times.whole.push(await whole(i));
          times.sql.push(await sql(i));
          if ((i + round) % 2 === 1) times.whole.push(await whole(i));
        }
        const wholeAtOnce = await atOnce(all.length, whole);
        const sqlAtOnce = await atOnce(all.length, sql);
        return { whole: median(times.whole), sql: median(times.sql), wholeAtOnce, sqlAtOnce };
      });
      if (round > 0) results.push(result);
    }
    const middle = (name: keyof (typeof results)[number]) => `${median(results.map((one) => one[name])).toFixed(2)} ms`;
    return [
      {
        row: "7",
        work: "search_products through everything, p50 : its statements alone",
        measured: `${middle("whole")}; ${middle("sql")} at ${SIZE.toLocaleString("en")} products`,
        values: perRound(bench.rounds, (round) => results[round]!.whole / results[round]!.sql),
        unit: "×",
        bar: { most: 1.3 },
        aim: 1.1,
      },
      {
        row: "7",
        work: `the same with ${AT_ONCE} at once, machine time a search`,
        measured: `${middle("wholeAtOnce")}; ${middle("sqlAtOnce")}`,
        values: perRound(bench.rounds, (round) => results[round]!.wholeAtOnce / results[round]!.sqlAtOnce),
        unit: "×",
        bar: { most: 1.3 },
        aim: 1.1,
      },
    ];
  } finally {
    await bare.close();
    await place.close();
  }
}

/** Does the work of `count` searches, some at once. @returns ms a search, from the first's beginning to the last's end */
async function atOnce(count: number, work: (i: number) => Promise<unknown>): Promise<number> {
  let next = 0;
  const begun = performance.now();
  const one = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
  return (performance.now() - begun) / count;
}
