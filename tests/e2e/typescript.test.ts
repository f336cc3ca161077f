// The loader that the server runs with, in a process of its own (decision 0044).
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const loader = fileURLToPath(new URL("../../server/typescript.mjs", import.meta.url));
let directory: string;
beforeAll(async () => {
  directory = await realpath(await mkdtemp(join(tmpdir(), "aisle-loader-")));
});
afterAll(() => rm(directory, { recursive: true }));

async function run(files: Record<string, string>): Promise<unknown> {
  await mkdir(join(directory, "things"), { recursive: true });
  for (const [name, source] of Object.entries(files)) await writeFile(join(directory, name), source);
  const { stdout } = await promisify(execFile)(process.execPath, ["--import", loader, join(directory, "entry.ts")]);
  return JSON.parse(stdout);
}

describe("TypeScript of ours", () => {
  it("runs as it is written but for its types: nothing is added to a function that is made in another", async () => {
    const entry = `function outer(x: number) { const add = (y: number) => x + y; return add(1); }
console.log(JSON.stringify(outer.toString()));`;
    expect(await run({ "entry.ts": entry })).toMatch(
      /^function outer\(x\) \{\s+const add = \(y\) => x \+ y;\s+return add\(1\);\s+\}$/,
    );
  });

  it("finds a file, a folder and a file with its name as TypeScript does, and each knows where it lies", async () => {
    const files = {
      "entry.ts": `import { one } from "./one"; import { things } from "./things"; import { plain } from "./plain.mjs";
console.log(JSON.stringify([one, things, plain]));`,
      "one.ts": "export const one = import.meta.url;",
      "things/index.ts": `import { other } from "./other"; export const things: string = other;`,
      "things/other.ts": `export const other = import.meta.url;`,
      "plain.mjs": "export const plain = true;",
    };
    const at = (name: string) => pathToFileURL(join(directory, name)).href;
    expect(await run(files)).toEqual([at("one.ts"), at("things/other.ts"), true]);
  });

  it("has its own lines in stack traces", async () => {
    const files = {
      "entry.ts": `import { fail } from "./fail";\n\ntry { fail(); } catch (error) { console.log(JSON.stringify((error as Error).stack)); }`,
      "fail.ts": `interface Gone {\n  a: string;\n}\n\nexport function fail(): Gone {\n  throw new Error("seen");\n}`,
    };
    const stack = await run(files);
    expect(stack).toContain(`${join(directory, "fail.ts")}:6:`);
    expect(stack).toContain(`${join(directory, "entry.ts")}:3:`);
  });
});
