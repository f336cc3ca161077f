// 12: two and four instances on one database let through exactly what the limit says, and so they do with two keys.
import type { Bench, Line, Row } from "../support/bench";
import { call, makeCaller, storesOf, usageRows } from "../support/callers";
import { pace } from "../support/pace";
import type { Contender } from "../support/processes";

export const instancesRow: Row = { number: 12, run };

/** Requests a minute, and how many are sent at once. */
const LIMIT = 1_000;
const SENT = 3_000;

async function run(bench: Bench): Promise<Line[]> {
  const { database } = await bench.scene();
  const lines: Line[] = [];
  for (const count of [2, 4]) {
    const instances: Contender[] = [];
    try {
      for (let i = 0; i < count; i++) instances.push(await bench.place.serve(database));
      const passed: number[] = [];
      let rows = 0;
      for (let round = 0; round < bench.rounds; round++) {
        // A new consumer has a new window: no round waits for the last one's to end.
        const caller = await makeCaller(database, `limited-${count}-${round}-${Date.now()}`, LIMIT);
        const [store] = await storesOf(database, caller);
        const { statuses } = await pace({
          urls: instances.map(({ url }) => url),
          requests: [call(caller.key, "get_store_info", { store_id: store })],
          connections: 64,
          total: SENT,
        });
        rows += await usageRows(database, [caller]);
        const others = Object.keys(statuses).filter((status) => status !== "200" && status !== "429");
        if (others.length > 0) throw new Error(`Unexpected answers: ${JSON.stringify(statuses)}`);
        passed.push((statuses[200] ?? 0) - LIMIT);
      }
      const answered = passed.reduce((sum, extra) => sum + LIMIT + extra, 0);
      if (rows !== answered) throw new Error(`${answered} answers have ${rows} usage rows.`);
      lines.push({
        row: "12",
        work: `${count} instances on one database: answered beyond the limit of ${LIMIT.toLocaleString("en")}, of ${SENT.toLocaleString("en")} sent at once`,
        measured: `${passed.map((extra) => LIMIT + extra).join(", ")} answered; every answer has its usage row`,
        values: passed.map(Math.abs),
        unit: "",
        bar: { most: 0 },
      });
    } finally {
      for (const instance of instances) await instance.stop();
    }
  }
  return lines;
}
