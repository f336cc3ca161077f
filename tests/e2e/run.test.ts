// What the server and its commands run with, in processes of their own (decisions 0044 and 0062).
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "vitest";

const ours = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

/** A folder like ours with these files in its `server`. */
function project(files: Record<string, string>, called = "aisle-run-"): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), called)));
  folders.push(root);
  mkdirSync(join(root, "server"));
  cpSync(ours("server/run.mjs"), join(root, "server/run.mjs"));
  cpSync(ours("package-lock.json"), join(root, "package-lock.json"));
  symlinkSync(ours("node_modules"), join(root, "node_modules"));
  write(root, files);
  return root;
}

function write(root: string, files: Record<string, string>): void {
  for (const [name, source] of Object.entries(files)) {
    const path = join(root, "server", name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, source);
  }
}

/** @returns what `server/main.ts` printed, from a folder that is not its own */
async function run(root: string, ...args: string[]): Promise<unknown> {
  const runner = join(root, "server/run.mjs");
  const { stdout } = await promisify(execFile)(process.execPath, [runner, "server/main.ts", ...args], {
    cwd: tmpdir(),
  });
  return JSON.parse(stdout);
}
const printed = (value: string) => `console.log(JSON.stringify(${value}));`;

describe("TypeScript of ours", () => {
  it("runs as it is written but for its types: nothing is added to a function that is made in another", async () => {
    const entry = `function outer(x: number) { const add = (y: number) => x + y; return add(1); }\n${printed("outer.toString()")}`;
    expect(await run(project({ "main.ts": entry }))).toMatch(
      /^function outer\(x\) \{\s+const add = \(y\) => x \+ y;\s+return add\(1\);\s+\}$/,
    );
  });

  it("finds a file, a folder and what is no TypeScript, also later; each knows where it lies, whatever its names", async () => {
    const root = project({
      "main.ts": `import { one } from "./one"; import { things } from "./things"; import { plain } from "./plain.mjs";
const { late } = await import("./late"); ${printed("[one, things, plain, late]")}`,
      "one.ts": "const at = import.meta.url; export { at as one };",
      "things/index.ts": `import { other } from "./other"; export const things: string = other;`,
      "things/other.ts": "const at = import.meta.url; export { at as other };",
      "plain.mjs": "export const plain = import.meta.url;",
      "late.ts": `export { one as late } from "./one";`,
    });
    const at = (name: string) => pathToFileURL(join(root, "server", name)).href;
    expect(await run(root)).toEqual([at("one.ts"), at("things/other.ts"), at("plain.mjs"), at("one.ts")]);
  });

  it("has its own lines in stack traces", async () => {
    const root = project({
      "main.ts": `import { fail } from "./fail";\n\ntry { fail(); } catch (error) { ${printed("(error as Error).stack")} }`,
      "fail.ts": `interface Gone {\n  a: string;\n}\n\nexport function fail(): Gone {\n  throw new Error("seen");\n}`,
    });
    const stack = await run(root);
    expect(stack).toContain(`${join(root, "server/fail.ts")}:6:`);
    expect(stack).toContain(`${join(root, "server/main.ts")}:3:`);
  });

  it("is told what follows its name, and no more", async () => {
    const root = project({ "main.ts": printed("process.argv.slice(1)") });
    expect(await run(root, "--json", "a b")).toEqual([join(root, "server/main.ts"), "--json", "a b"]);
  });

  it("brings the packages that are many files as one, and leaves the others where they are", async () => {
    const root = project({
      "main.ts": `import pino from "pino";
import { z } from "zod";
import postgres from "postgres";
export const known = [z.email().safeParse("ada@example.com").success, typeof postgres, typeof pino];
${printed("known")}`,
    });
    expect(await run(root)).toEqual([true, "function", "function"]);
    const [folder] = readdirSync(join(root, "build.node"));
    const made = readdirSync(join(root, "build.node", folder!)).sort();
    expect(made).toEqual(["main.js", "main.js.map", expect.stringMatching(/^packages-[\w-]+\.js$/)]);
    const main = readFileSync(join(root, "build.node", folder!, "main.js"), "utf8");
    expect(main.match(/from ["'][^"']+["']/g)).toEqual([`from 'pino'`, expect.stringContaining("./packages-")]);
  });

  it("that changed is what runs, and what it was before is gone", async () => {
    const root = project({ "main.ts": `import { n } from "./n"; ${printed("n")}`, "n.ts": "export const n = 1;" });
    expect(await run(root)).toBe(1);
    write(root, { "n.ts": "export const n = 23;" });
    expect(await run(root)).toBe(23);
    expect(readdirSync(join(root, "build.node"))).toHaveLength(1);
  });

  it("is not in the way of what a process that was killed has half made of it: that is gone an hour later", async () => {
    const root = project({ "main.ts": printed("1") });
    const left = (tag: string, minutes: number) => {
      const folder = join(root, "build.node", `new-${tag}`);
      mkdirSync(folder, { recursive: true });
      const at = new Date(Date.now() - minutes * 60_000);
      utimesSync(folder, at, at);
    };
    const halves = () => readdirSync(join(root, "build.node")).filter((name) => name.startsWith("new-"));
    left("oldest", 61);
    left("newest", 59);
    expect(await run(root)).toBe(1);
    expect(halves()).toEqual(["new-newest"]);
    // Also once there is nothing to be made any more.
    left("newest", 61);
    expect(await run(root)).toBe(1);
    expect(halves()).toEqual([]);
  });

  it("runs in processes that begin at once, of which one's work stays", async () => {
    const root = project({ "main.ts": `import { n } from "./n"; ${printed("n")}`, "n.ts": "export const n = 1;" });
    expect(await Promise.all([run(root), run(root), run(root)])).toEqual([1, 1, 1]);
    expect(readdirSync(join(root, "build.node"))).toHaveLength(1);
  });

  it("that changed where nothing can be written says in a line who can mend it", async () => {
    const root = project({ "main.ts": "" });
    writeFileSync(join(root, "build.node"), "");
    const failed = run(root).then(
      () => ({ stderr: "", code: 0 }),
      (error: { stderr: string; code: number }) => error,
    );
    const { stderr, code } = await failed;
    const line = `nothing can be written into ${join(root, "build.node")}. Run "npm run build" as somebody who may write there.`;
    expect([code, stderr]).toEqual([1, expect.stringContaining(line)]);
    expect(stderr.trim().split("\n")).toHaveLength(1);
  });

  it.each(["#", "?"])("says in a line that its pages do not build where the path has a %s", async (sign) => {
    const root = project({ "build.ts": readFileSync(ours("server/build.ts"), "utf8") }, `aisle${sign}run-`);
    const building = promisify(execFile)(process.execPath, [join(root, "server/run.mjs"), "server/build.ts"]);
    await expect(building).rejects.toMatchObject({
      code: 1,
      stderr: `The pages do not build where the path has a # or a ?: ${root}/. Move the folder to another place.\n`,
    });
  });

  it("is the server's to end from the first moment on: told to stop while it is bundled, it ends in order", async () => {
    const packages = ["drizzle-orm/postgres-js", "zod", "postgres", "csv-parse", "nodemailer"];
    const root = project({
      "main.ts": `${packages.map((name) => `import ${JSON.stringify(name)};`).join("\n")}\n${printed("0")}`,
    });
    const child = spawn(process.execPath, [join(root, "server/run.mjs"), "server/main.ts"]);
    let said = "";
    child.stdout.on("data", (chunk) => {
      said += chunk;
    });
    const closed = once(child, "close");
    const made = () => (existsSync(join(root, "build.node")) ? readdirSync(join(root, "build.node")) : []);
    await expect.poll(made, { interval: 5 }).toEqual([expect.stringMatching(/^new-/)]);
    child.kill("SIGTERM");
    expect(await closed).toEqual([0, null]);
    expect(said).toBe("");
  });

  it("that cannot be read is told by its place", async () => {
    const root = project({ "main.ts": "export const n = ;" });
    await expect(run(root)).rejects.toThrow(/server\/main\.ts:1:17: ERROR: Unexpected ";"/);
    expect(readdirSync(join(root, "build.node"))).toEqual([]);
  });
});
