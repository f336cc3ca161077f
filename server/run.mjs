// `node server/run.mjs server/main.ts`: runs TypeScript of ours as the JavaScript that is made of it, once, in build.node
// (decisions 0044, 0062, 0067 and 0070).
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join, resolve, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
// Beside build: whoever builds the pages deletes that first.
const MADE = join(root, "build.node");
const HALF_MS = 60 * 60_000;
const PATCHES = join(root, "patches");
// Each is many modules, which Node would read one by one at every start. None reads files of its own, or has a state that the pages share.
const BUNDLED = [
  "@trpc/server",
  "csv-parse",
  "csv-stringify",
  "diff",
  "drizzle-orm",
  "entities",
  "lucia",
  "nodemailer",
  "oslo",
  "postgres",
  "uuid",
  "zod",
];
const ENTRIES = ["server/main.ts", "server/cli.ts", "server/build.ts"];

process.setSourceMapsEnabled(true);
const [entry = "server/main.ts"] = process.argv.splice(2, 1);
const source = resolve(root, entry);
process.argv[1] = source;
// Until the server listens for them itself: the first process of a container gets no signal that it does not listen for.
const signals = entry === "server/main.ts" ? ["SIGINT", "SIGTERM"] : [];
const end = () => process.exit(0);
for (const signal of signals) process.on(signal, end);
await import(pathToFileURL(join(await made(), basename(source).replace(/\.ts$/, ".js"))).href);
for (const signal of signals) process.off(signal, end);

/** Where all of it lies as JavaScript, made when a source has changed. Of several processes that make it one's is taken. */
async function made() {
  const sources = await findSources();
  const folder = join(MADE, await fingerprint(sources));
  if (existsSync(folder)) {
    await forgetHalves();
    return folder;
  }
  const own = await ownFolder();
  try {
    await bundle(sources, own);
    await chmod(own, 0o755);
    await rename(own, folder);
  } catch (error) {
    await rm(own, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
    return folder;
  }
  await forgetHalves();
  await forgetOthers(folder);
  return folder;
}

async function ownFolder() {
  try {
    await mkdir(MADE, { recursive: true });
    return await mkdtemp(join(MADE, "new-"));
  } catch (error) {
    const what = "The sources were changed since the last build, and nothing can be written into";
    const why = /** @type {Error} */ (error).message;
    process.stderr.write(`${what} ${MADE}. Run "npm run build" as somebody who may write there. (${why})\n`);
    process.exit(1);
  }
}

/** What is left of sources as they were before: nothing runs from a folder whose release has been changed under it. */
async function forgetOthers(/** @type {string} */ folder) {
  for (const name of await readdir(MADE)) {
    const other = join(MADE, name);
    if (other !== folder && !name.startsWith("new-")) await rm(other, { recursive: true, force: true }).catch(() => {});
  }
}

/** What is left of processes that were killed while they made theirs: what is still being made is younger. */
async function forgetHalves() {
  for (const name of await readdir(MADE).catch(() => [])) {
    if (!name.startsWith("new-")) continue;
    const half = join(MADE, name);
    const { mtimeMs } = await stat(half).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
    if (mtimeMs < Date.now() - HALF_MS) await rm(half, { recursive: true, force: true }).catch(() => {});
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

/** Over path, size and time of every source, of the packages, and of what makes one of both: any edit or checkout changes it. */
async function fingerprint(/** @type {string[]} */ sources) {
  const hash = createHash("sha256");
  const patches = (await readdir(PATCHES).catch(() => [])).sort().map((name) => join(PATCHES, name));
  for (const path of [...sources, ...patches, fileURLToPath(import.meta.url), join(root, "package-lock.json")]) {
    const { size, mtimeMs } = await stat(path);
    hash.update(`${path} ${size} ${mtimeMs}\n`);
  }
  return hash.digest("hex").slice(0, 32);
}

/**
 * Modules that begin together are one file, in which they stay as they are but for types and for names that two of them have;
 * each keeps its own import.meta.url.
 */
async function bundle(/** @type {string[]} */ sources, /** @type {string} */ folder) {
  const { stop, transform } = await import("esbuild");
  const { rollup } = await import("rollup");
  // As Node names what is in there, wherever that really lies.
  const packages = (await realpath(join(root, "node_modules"))) + sep;
  const bundled = await rollup({
    input: ENTRIES.map((entry) => join(root, entry)).filter((path) => sources.includes(path)),
    treeshake: false,
    onwarn(warning, warn) {
      if (![warning.id, ...(warning.ids ?? [])].some((path) => path?.startsWith(packages))) warn(warning);
    },
    plugins: [
      {
        name: "typescript",
        resolveId: (name, importer) => (importer === undefined ? name : found(name, importer, packages)),
        async load(path) {
          if (path.startsWith(packages)) return null;
          const { code, map } = await transform(await readFile(path, "utf8"), {
            loader: "ts",
            target: "node20.19",
            sourcemap: "external",
            sourcefile: path,
            define: { "import.meta.url": JSON.stringify(pathToFileURL(path).href) },
          });
          return { code, map };
        },
        // Node reads a file and its map at each start, and those of the packages are most of both: no map, no comments, and nothing
        // that is not ASCII, of which each letter would take two bytes.
        async generateBundle(_, files) {
          const packages = Object.values(files).find((file) => file.type === "chunk" && file.name === "packages");
          if (packages?.type !== "chunk") return;
          const { code } = await transform(packages.code, {
            target: "node20.19",
            minifyWhitespace: true,
            lineLimit: 120,
            legalComments: "none",
          });
          packages.code = code;
          if (packages.sourcemapFileName) delete files[packages.sourcemapFileName];
        },
      },
    ],
  });
  await bundled.write({
    dir: folder,
    format: "es",
    importAttributesKey: "with",
    sourcemap: true,
    sourcemapExcludeSources: true,
    manualChunks: (path) => (path.startsWith(packages) ? "packages" : undefined),
  });
  await bundled.close();
  await stop();
}

/**
 * `./thing` of ours is `./thing.ts` or `./thing/index.ts`, as TypeScript finds it; what is no TypeScript stays where it is, and so
 * do packages that are not bundled.
 */
function found(/** @type {string} */ name, /** @type {string} */ importer, /** @type {string} */ packages) {
  if (!/^\.\.?(\/|$)/.test(name)) {
    const isBundled = BUNDLED.some((one) => name === one || name.startsWith(`${one}/`));
    return isBundled ? fileURLToPath(import.meta.resolve(name)) : { id: name, external: true };
  }
  const at = resolve(dirname(importer), name);
  if (importer.startsWith(packages)) return at;
  const end = [".ts", "/index.ts"].find((end) => existsSync(at + end));
  return end ? at + end : { id: pathToFileURL(at).href, external: true };
}
