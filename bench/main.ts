// `npm run bench`: starts all it needs, measures the rows asked for, prints one table.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const { values: options } = parseArgs({
  options: {
    rows: { type: "string" },
    rounds: { type: "string", default: "5" },
    minutes: { type: "string", default: "10" },
    quick: { type: "boolean", default: false },
    keep: { type: "string" },
    feed: { type: "string" },
    profile: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

const help = `npm run bench -- [options]
  --rows 1,2,6     only these rows of the table (all)
  --rounds 5       how often contenders take turns
  --minutes 10     how long row 11 goes on
  --quick          short loads, and no catalogue of 1,000,000 products
  --keep DIR       keep databases there, for the next run to use
  --feed FILE      make catalogues of this feed's products (TSV) instead of the demo stores'
  --profile        instead of the table: where row 1 spends its CPU time, and the plans of row 6 (--rows 1 or 6: one of them)
`;

async function main(): Promise<void> {
  if (options.help) return void process.stdout.write(help);
  installPeers();
  // After the peers are there: rows import them.
  const { run } = await import("./run");
  await run({
    ...options,
    rows: options.rows?.split(",").map(Number),
    rounds: Number(options.rounds),
    minutes: Number(options.minutes),
  });
}

/** The peers are this package's own dependencies; the product has none of them. */
function installPeers(): void {
  const here = fileURLToPath(new URL(".", import.meta.url));
  const stamp = new URL("node_modules/.installed", import.meta.url);
  const lock = readFileSync(new URL("package-lock.json", import.meta.url), "utf8");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === lock) return;
  process.stderr.write("Installing the peers into bench/node_modules…\n");
  execFileSync("npm", ["ci"], { cwd: here, stdio: ["ignore", "ignore", "inherit"] });
  writeFileSync(stamp, lock);
}

main().catch((error: Error) => {
  process.stderr.write(`${error.stack}\n`);
  // Connections of what failed may still be open.
  process.exit(1);
});
