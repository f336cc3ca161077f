// What the documents name is there, and what there is they name: variables, metrics, jobs, commands, scripts, files.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { parseEnv } from "node:util";
import { Command } from "commander";
import { describe, expect, it } from "vitest";
import { addBackup } from "../../server/cli/backup";
import { addConsumers } from "../../server/cli/consumers";
import { addKeys } from "../../server/cli/keys";
import { addPeople } from "../../server/cli/people";
import { addStores } from "../../server/cli/stores";
import { readEnv } from "../../server/env";
import { makeFolder } from "../support/folder";

const at = (path: string) => new URL(`../../${path}`, import.meta.url);
const read = (path: string) => readFileSync(at(path), "utf8");
const inFolder = (folder: string) =>
  readdirSync(at(folder))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `${folder}/${name}`);
const documents = ["README.md", "CONTRIBUTING.md", "SECURITY.md", ...inFolder("docs"), ...inFolder("docs/decisions")];
const matches = (text: string, pattern: RegExp) => [...new Set([...text.matchAll(pattern)].map((found) => found[1]!))];

describe("the documents", () => {
  it("have each variable of the environment in .env.example, with its default, but for the one that is for tests", () => {
    const known = matches(read("server/env.ts"), /^ {4}([A-Z_]+):/gm).filter((name) => name !== "FEED_ADDRESSES");
    const written = parseEnv(read(".env.example"));
    expect(Object.keys(written).sort()).toEqual(known.sort());
    const { DATA_DIR, ...rest } = readEnv({ ...written, DATA_DIR: makeFolder() } as unknown as NodeJS.ProcessEnv);
    const { DATA_DIR: _, ...byDefault } = readEnv({ DATA_DIR } as unknown as NodeJS.ProcessEnv);
    expect(rest).toEqual(byDefault);
    expect(written.DATA_DIR).toBe(".data");
  });

  it("say what each metric counts, and raise no alert on one that there is not", () => {
    const metrics = matches(read("server/metrics.ts"), /"(aisle_[a-z_]+)"/g);
    expect(metrics.length).toBeGreaterThan(10);
    const figures = read("docs/figures.md");
    for (const metric of metrics) expect(figures, metric).toContain(`\`${metric}\``);
    const alerts = read("docs/operations.md").split("| alert | expression | means |")[1]!.split("\n\n")[0]!;
    for (const named of matches(alerts, /\b(aisle_[a-z_]+)/g))
      expect(metrics).toContain(named.replace(/_(bucket|count)$/, ""));
  });

  it("tell of each job, and of no other", () => {
    const jobs = matches(read("server/jobs/index.ts"), /^(?:const [A-Z_]+ =|.* name:) "([a-z-]+)"/gm);
    const table = read("docs/operations.md").split("| job | when | what it does |")[1]!.split("\n\n")[0]!;
    expect(matches(table, /^\| `([a-z-]+)` \|/gm).sort()).toEqual(jobs.sort());
  });

  it("name commands that the command line has, with options that these take", () => {
    const program = new Command("aisle");
    for (const add of [addPeople, addStores, addConsumers, addKeys, addBackup]) add(program);
    // server/cli.ts runs when it is loaded, so what stands in it is read.
    for (const name of matches(read("server/cli.ts"), /\.command\("(\w+)"\)/g)) program.command(name);
    const lines = documents.flatMap((path) => matches(read(path), /\baisle -- ([a-z][^\n`]*)/g));
    expect(lines.length).toBeGreaterThan(10);
    for (const line of lines) {
      let command = program;
      for (const word of line.split(" ")) command = command.commands.find((child) => child.name() === word) ?? command;
      expect(command.commands, line).toEqual([]);
      const options = command.options.map(({ long }) => long);
      for (const option of line.match(/--[a-z-]+/g) ?? []) expect(options, line).toContain(option);
    }
  });

  it("name scripts, files and decisions that are there", () => {
    const { scripts } = createRequire(import.meta.url)("../../package.json") as { scripts: object };
    for (const path of documents) {
      const text = read(path);
      for (const script of matches(text, /\bnpm run (?:-s )?([a-z][a-z:]*)/g))
        expect(Object.keys(scripts), `${path}: npm run ${script}`).toContain(script);
      for (const link of matches(text, /\]\((?!https?:)([^)#]+)/g))
        expect(existsSync(new URL(link, at(path))), `${path}: ${link}`).toBe(true);
    }
  });
});
