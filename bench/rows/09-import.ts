// 9: a feed through the importer against COPY of the rows that came of it into the same tables with the same indexes.
import { execFile } from "node:child_process";
import { chmodSync, closeSync, openSync, writeSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import * as stores from "../../server/services/stores";
import type { Bench, Line, Row } from "../support/bench";
import { memoryOf } from "../support/machine";
import { type Database, type Place, SECRET_KEY } from "../support/place";
import { root } from "../support/processes";
import { header, rowsUpTo, sourcesOf } from "../support/products";
import { median } from "../support/stats";

export const importRow: Row = { number: 9, run };

const ROWS = 100_000;
const MANY_ROWS = 400_000;
const TABLES = ["products", "variants"];
const MB = 1024 * 1024;

async function run(bench: Bench): Promise<Line[]> {
  const { place, rounds, say } = bench;
  const database = await place.database(`import_${Date.now()}`);
  const [small, large] = [writeFeed(place, ROWS), writeFeed(place, MANY_ROWS)];
  const results: { imported: number; copied: number; peak: number }[] = [];
  try {
    await importFile(database, small, "warm-up");
    for (let round = 1; round <= rounds; round++) {
      const postgres = { name: "", url: "", pid: place.postgresPid, stop: async () => {} };
      const result = await bench.watched(postgres, async () => {
        const { seconds, peak } = await importFile(database, small, `round-${round}`);
        return { imported: seconds, peak, copied: await copySame(database, place, `round-${round}`) };
      });
      results.push(result);
      say(`  ${round}/${rounds}: imported in ${result.imported.toFixed(1)} s, copied in ${result.copied.toFixed(1)} s`);
      await database.sql`truncate products, variants`;
    }
    const many = await importFile(database, large, "large");
    return linesOf(results, many.peak);
  } finally {
    await Promise.all([small, large].map((file) => rm(file)));
  }
}

function linesOf(results: { imported: number; copied: number; peak: number }[], peakOfMany: number): Line[] {
  const middle = (name: "imported" | "copied") => median(results.map((one) => one[name]));
  const peak = median(results.map((one) => one.peak));
  return [
    {
      row: "9",
      work: `import of ${ROWS.toLocaleString("en")} rows as TSV, as a share of the speed of COPY`,
      measured: `${middle("imported").toFixed(1)} s; COPY ${middle("copied").toFixed(1)} s`,
      values: results.map(({ imported, copied }) => copied / imported),
      unit: "×",
      bar: { least: 0.3 },
      aim: 0.5,
    },
    {
      row: "9",
      work: `most memory at ${MANY_ROWS.toLocaleString("en")} rows : at ${ROWS.toLocaleString("en")}`,
      measured: `${Math.round(peakOfMany / MB)} MB; ${Math.round(peak / MB)} MB`,
      values: [peakOfMany / peak],
      unit: "×",
      bar: { most: 1.2 },
    },
  ];
}

function writeFeed({ directory }: Place, rows: number): string {
  const file = join(directory, `feed-${rows}.tsv`);
  const out = openSync(file, "w");
  writeSync(out, `${header}\n`);
  let chunk = "";
  for (const line of rowsUpTo(sourcesOf(undefined), rows)) {
    chunk += `${line}\n`;
    if (chunk.length < MB) continue;
    writeSync(out, chunk);
    chunk = "";
  }
  writeSync(out, chunk);
  closeSync(out);
  return file;
}

/** By the command line, in a process of its own. @returns how long the load took, and the most memory it held */
async function importFile(database: Database, file: string, slug: string): Promise<{ seconds: number; peak: number }> {
  const shop = { slug, name: slug, url: "https://shop.example", country: "IE", currency: "EUR" };
  const store = await stores.create(database.as({ kind: "system" }), shop);
  const args = ["server/run.mjs", "server/cli.ts", "import", file, "--store", store.id, "--json"];
  const env = { PATH: process.env.PATH, NODE_ENV: "production" as const, DATABASE_URL: database.url, SECRET_KEY };
  let peak = 0;
  let ended = false;
  const told = new Promise<string>((resolve, reject) => {
    const child = execFile(process.execPath, args, { cwd: root, env, maxBuffer: 64 * MB }, (error, stdout, stderr) => {
      ended = true;
      if (error) reject(new Error(stderr));
      else resolve(stdout);
    });
    void (async () => {
      while (!ended) {
        try {
          peak = Math.max(peak, memoryOf(child.pid!).peak);
        } catch {
          // It has just ended.
        }
        await sleep(20);
      }
    })();
  });
  const report = JSON.parse(await told) as { loaded: number; rejected: number; durationMs: number };
  if (report.rejected > 0) throw new Error(`${report.rejected} rows were rejected.`);
  return { seconds: report.durationMs / 1000, peak };
}

/** Seconds of PostgreSQL's own COPY, from files on its disk, of the same products and variants. */
async function copySame({ sql }: Database, { directory }: Place, slug: string): Promise<number> {
  const files = join(directory, "copied");
  let seconds = 0;
  for (const table of TABLES) {
    const columns = await sql<{ name: string }[]>`
      select column_name as name from information_schema.columns
      where table_schema = 'public' and table_name = ${table} and is_generated = 'NEVER' order by ordinal_position`;
    const list = columns.map(({ name }) => `"${name}"`).join(", ");
    const file = `${files}-${table}`;
    closeSync(openSync(file, "w"));
    chmodSync(file, 0o666);
    await sql.begin(async (tx) => {
      await tx`set local statement_timeout = 0`;
      await tx.unsafe(
        `copy (select ${list} from ${table} where store_id = (select id from stores where slug = '${slug}')) to '${file}'`,
      );
      await tx.unsafe(`create table ${table}_copied (like ${table} including all)`);
    });
    const started = performance.now();
    await sql.begin(async (tx) => {
      await tx`set local statement_timeout = 0`;
      await tx.unsafe(`copy ${table}_copied (${list}) from '${file}'`);
    });
    seconds += (performance.now() - started) / 1000;
    await sql.unsafe(`drop table ${table}_copied`);
    await rm(file);
  }
  return seconds;
}
