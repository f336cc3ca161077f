// One run from beginning to end.

import { profile } from "./profile";
import { rows as all } from "./rows";
import { sizes } from "./rows/06-search";
import { type Bench, type Line, newBench } from "./support/bench";
import { openPlace } from "./support/place";
import { endAll } from "./support/processes";
import { Table } from "./support/table";
import { requireWrk } from "./support/wrk";

export interface Options {
  rows?: number[] | undefined;
  rounds: number;
  minutes: number;
  quick: boolean;
  keep?: string | undefined;
  feed?: string | undefined;
  profile: boolean;
}

const SECONDS = 6;
const QUICK_SECONDS = 2;

export async function run(options: Options): Promise<void> {
  await requireWrk();
  const say = (text: string) => void process.stderr.write(`${text}\n`);
  const place = await openPlace(options.keep, options.feed);
  const settings = {
    rounds: options.rounds,
    minutes: options.minutes,
    seconds: options.quick ? QUICK_SECONDS : SECONDS,
    sizes: options.quick ? sizes.slice(0, 2) : sizes,
  };
  const bench = newBench(place, settings, say);
  // Ctrl-C ends what was started, too.
  const stop = new Promise<never>((_, reject) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => reject(new Error(signal)));
  });
  try {
    await Promise.race([stop, options.profile ? profile(bench, options.rows) : measure(bench, options.rows)]);
  } finally {
    await bench.close().catch(() => {});
    await endAll();
    await place.close();
  }
}

async function measure(bench: Bench, wanted: number[] | undefined): Promise<void> {
  const table = new Table();
  try {
    for (const row of all.filter(({ number }) => !wanted || wanted.includes(number))) {
      bench.say(`Row ${row.number}`);
      bench.outside.length = 0;
      const lines: Line[] = await row.run(bench);
      table.add(row.number, lines, bench.outside);
    }
  } finally {
    // Also where a row failed: an hour's figures are not to be lost.
    process.stdout.write(table.text());
  }
}
