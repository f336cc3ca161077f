// Builds the pages (Remix, through Vite) when their sources changed since the last build.
import { execFile } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { mkdtemp, readdir, readFile, rename, rm, rmdir, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, gzip, type ZlibOptions } from "node:zlib";

const run = promisify(execFile);
const brotli = promisify(brotliCompress);
const gzipped = promisify<Buffer, ZlibOptions, Buffer>(gzip);
const root = fileURLToPath(new URL("..", import.meta.url));
const STAMP = join(root, "build", "sources.sha256");
const LOCK = join(root, "build.lock");
const SOURCES = [
  "app",
  "public",
  "package-lock.json",
  "patches",
  "remix.config.js",
  "server/build.ts",
  "tailwind.config.ts",
  "tsconfig.json",
  "vite.config.ts",
];

/**
 * Brings `build/` up to date. Processes that start together build once: the others wait.
 * @returns whether it had to build
 * @throws Error with Vite's output when the sources do not build
 */
export async function buildIfChanged(): Promise<boolean> {
  // Vite takes what follows for a part of an address.
  if (/[#?]/.test(root))
    throw new Error(`The pages do not build where the path has a # or a ?: ${root}. Move the folder to another place.`);
  const print = await fingerprint();
  if ((await readFile(STAMP, "utf8").catch(() => "")) === print) return false;
  const release = await takeLock();
  try {
    if ((await readFile(STAMP, "utf8").catch(() => "")) === print) return false;
    const remix = join(root, "node_modules", "@remix-run", "dev", "dist", "cli.js");
    await run(process.execPath, [remix, "vite:build"], {
      cwd: root,
      env: { ...process.env, NODE_ENV: "production" },
    }).catch((error: { stdout?: string; stderr?: string }) => {
      throw new Error(`The pages do not build.\n${error.stdout ?? ""}${error.stderr ?? ""}`);
    });
    await compressAssets();
    await writeFile(STAMP, print);
    return true;
  } finally {
    await release();
  }
}

const ASSETS = join(root, "build", "client", "assets");

/** Compresses every text once, as small as it gets, into copies beside it for the browsers that take them (server/assets.ts). */
async function compressAssets(): Promise<void> {
  for (const name of await readdir(ASSETS)) {
    if (!/\.(js|css|svg)$/.test(name)) continue;
    const content = await readFile(join(ASSETS, name));
    await writeFile(join(ASSETS, `${name}.br`), await brotli(content));
    await writeFile(join(ASSETS, `${name}.gz`), await gzipped(content, { level: 9 }));
  }
}

/** Over path, size and time of every source: quick, and changed by any edit or checkout. */
async function fingerprint(): Promise<string> {
  const hash = createHash("sha256");
  for (const source of SOURCES) {
    const path = join(root, source);
    const entries = (await stat(path)).isDirectory()
      ? (await readdir(path, { recursive: true })).map((entry) => join(path, entry))
      : [path];
    for (const entry of entries.toSorted()) {
      const { size, mtimeMs } = await stat(entry);
      hash.update(`${entry} ${size} ${mtimeMs}\n`);
    }
  }
  return hash.digest("hex");
}

/**
 * The lock is a directory with a file named after its holder. It is renamed into place whole, which works only where there is
 * none, or an empty one. Of a holder that is gone just that file is deleted, so nobody else's lock ever is.
 * @param lock its path, for tests
 * @returns releases it
 */
export async function takeLock(lock = LOCK): Promise<() => Promise<void>> {
  await forgetWaiters(lock);
  const own = await mkdtemp(`${lock}.`);
  const name = `${process.pid}-${randomUUID()}`;
  ours.add(name);
  await writeFile(join(own, name), "");
  while (!(await isPlaced(own, lock))) {
    for (const holder of await readdir(lock).catch(() => []))
      if (!isAlive(holder)) await rm(join(lock, holder), { force: true });
    await sleep(200);
  }
  return async () => {
    ours.delete(name);
    await rm(join(lock, name));
    // The next one may be there already.
    await rmdir(lock).catch(() => {});
  };
}

/** Removes what those who waited for the lock, and were killed, have left beside it. */
async function forgetWaiters(lock: string): Promise<void> {
  const names = await readdir(dirname(lock));
  for (const name of names.filter((one) => one.startsWith(`${basename(lock)}.`))) {
    const left = join(dirname(lock), name);
    const [holder] = await readdir(left).catch(() => []);
    // One without a name in it may be about to get it.
    if (holder !== undefined && !isAlive(holder)) await rm(left, { recursive: true, force: true });
  }
}

/** @returns false where the lock is somebody's */
async function isPlaced(own: string, lock: string): Promise<boolean> {
  try {
    await rename(own, lock);
    return true;
  } catch (error) {
    if (["ENOTEMPTY", "EEXIST"].includes((error as NodeJS.ErrnoException).code!)) return false;
    throw error;
  }
}

/** The holders that this process is. Another of its number, as the first of a container always is, is from before. */
const ours = new Set<string>();

function isAlive(holder: string): boolean {
  const pid = Number.parseInt(holder, 10);
  if (pid === process.pid) return ours.has(holder);
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href)
  await buildIfChanged().catch(({ message }: Error) => {
    process.stderr.write(`${message}\n`);
    process.exitCode = 1;
  });
