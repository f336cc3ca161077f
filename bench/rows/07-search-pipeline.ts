// 7: what key, limit, usage row, HTTP and JSON add to a search's statements.
import { type Bench, type Line, perRound, type Row } from "../support/bench";
import { bareSql, type Statement, searching } from "../support/searching";
import { median } from "../support/stats";

export const searchPipelineRow: Row = { number: 7, run };

/** Products: the middle size. */
const SIZE = 100_000;

async function run(bench: Bench): Promise<Line[]> {
  const place = await searching(bench, SIZE);
  const bare = await bareSql(place);
  try {
    const all: Statement[][] = [];
    for (const query of place.queries) all.push(await bare.statementsOf(query));
    const results: { whole: number; sql: number }[] = [];
    for (let round = 0; round <= bench.rounds; round++) {
      const { whole, sql } = await bench.watched(place.aisle, async () => {
        const times = { whole: [] as number[], sql: [] as number[] };
        for (const [i, query] of place.queries.entries()) {
          times.whole.push(await place.ask(query));
          times.sql.push(await bare.run(all[i]!));
        }
        return times;
      });
      if (round > 0) results.push({ whole: median(whole), sql: median(sql) });
    }
    const middle = (name: "whole" | "sql") => `${median(results.map((one) => one[name])).toFixed(2)} ms`;
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
    ];
  } finally {
    await bare.close();
    await place.close();
  }
}
