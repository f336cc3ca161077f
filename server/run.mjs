// `node server/run.mjs server/main.ts`: runs TypeScript of ours as the JavaScript that esbuild makes of it, once, in build.node
// (decisions 0044 and 0062).
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
// Beside build: whoever builds the pages deletes that first.
const MADE = join(root, "build.node");

process.setSourceMapsEnabled(true);
const [entry = "server/main.ts"] = process.argv.splice(2, 1);
const source = resolve(root, entry);
process.argv[1] = source;
await import(pathToFileURL(script(join(await made(), source.slice(root.length)))).href);

/** @param {string} path */
function script(path) {
  return path.replace(/\.ts$/, ".js");
}

/** Where all of it lies as JavaScript, made when a source has changed. Of several processes that make it one's is taken. */
async function made() {
  const sources = await findSources();
  const folder = join(MADE, await fingerprint(sources));
  if (existsSync(folder)) return folder;
  const own = await ownFolder();
  try {
    await compile(sources, own);
    await chmod(own, 0o755);
    await rename(own, folder);
  } catch (error) {
    await rm(own, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
    return folder;
  }
  await forgetOthers(folder);
  return folder;
}

async function ownFolder() {
  try {
    await mkdir(MADE, { recursive: true });
    return await mkdtemp(join(MADE, "new-"));
  } catch (cause) {
    const what = "The sources were changed since the last build, and nothing can be written into";
    throw new Error(`${what} ${MADE}. Run "npm run build" as somebody who may write there.`, { cause });
  }
}

/** What is left of sources as they were before: nothing runs from a folder whose release has been changed under it. */
async function forgetOthers(/** @type {string} */ folder) {
  for (const name of await readdir(MADE)) {
    const other = join(MADE, name);
    if (other !== folder && !name.startsWith("new-")) await rm(other, { recursive: true, force: true }).catch(() => {});
  }
}

async function findSources() {
  const folders = ["app", "db", "server"].map((name) => join(root, name));
  const found = await Promise.all(folders.map((folder) => readdir(folder, { recursive: true }).catch(() => [])));
  return found
    .flatMap((names, i) => names.map((name) => join(/** @type {string} */ (folders[i]), name)))
    .filter((path) => path.endsWith(".ts"))
    .sort();
}

/** Over path, size and time of every source, and of what makes it JavaScript: any edit or checkout changes it. */
async function fingerprint(/** @type {string[]} */ sources) {
  const hash = createHash("sha256");
  for (const path of [...sources, fileURLToPath(import.meta.url), join(root, "package-lock.json")]) {
    const { size, mtimeMs } = await stat(path);
    hash.update(`${path} ${size} ${mtimeMs}\n`);
  }
  return hash.digest("hex").slice(0, 32);
}

/** File by file: nothing but types goes, and each keeps its own import.meta.url. */
async function compile(/** @type {string[]} */ sources, /** @type {string} */ folder) {
  const { stop, transform } = await import("esbuild");
  const { init, parse } = await import("es-module-lexer");
  await init;
  await Promise.all(
    sources.map(async (path) => {
      const { code, map } = await transform(await readFile(path, "utf8"), {
        loader: "ts",
        target: "node20.19",
        sourcemap: "external",
        sourcesContent: false,
        sourcefile: pathToFileURL(path).href,
        define: { "import.meta.url": JSON.stringify(pathToFileURL(path).href) },
      });
      const target = join(folder, script(path.slice(root.length)));
      await mkdir(dirname(target), { recursive: true });
      await writeFile(
        target,
        `${withEndings(code, path, parse(code)[0])}//# sourceMappingURL=${basename(target)}.map\n`,
      );
      await writeFile(`${target}.map`, map);
    }),
  );
  await stop();
}

/**
 * `./thing` is `./thing.js` or `./thing/index.js`, as TypeScript finds it; what is no TypeScript stays where it is.
 * @param {string} code
 * @param {string} path
 * @param {readonly import("es-module-lexer").ImportSpecifier[]} imports
 */
function withEndings(code, path, imports) {
  let rest = code;
  for (const { n: name, s, e, d: dynamic } of imports.toReversed()) {
    if (!name || !/^\.\.?(\/|$)/.test(name)) continue;
    const at = resolve(dirname(path), name);
    const end = [".ts", "/index.ts"].find((end) => existsSync(at + end));
    const found = end ? name + script(end) : pathToFileURL(at).href;
    rest = rest.slice(0, s) + (dynamic > -1 ? JSON.stringify(found) : found) + rest.slice(e);
  }
  return rest;
}
