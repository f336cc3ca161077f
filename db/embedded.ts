// The embedded default: a PostgreSQL of our own, from npm's binaries, for those who have no database at hand.
// The server outlives the process that started it; whoever is last to leave stops it (see `release`).
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { totalmem } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import {
  choosePlace,
  forgetHalves,
  forgetOtherBinaries,
  initialise,
  isInitialised,
  type Place,
} from "./embedded-place";

const DATABASE = "aisle";
const PORT = 5432; // names the socket file; no TCP port is opened
const IN_USE_LOCK = 4_711_000;
const START_TIMEOUT_MS = 20_000;
const HOLD_AGAIN_MS = 500;
const MAX_ATTEMPTS = 3;

export interface Embedded {
  url: string;
  /** Leaves the server; the last to leave stops it. */
  release(): Promise<void>;
}

/**
 * Starts, or joins, the server whose data lies in `directory`.
 * @param options `make: false` takes one that is there alone; `durable: false` trades safety for speed, for tests
 * @throws Error with the end of the server's log when it does not come up within 20 s, or where there is none to take
 */
export async function startEmbedded(
  directory: string,
  options: { make?: boolean; durable?: boolean } = {},
): Promise<Embedded> {
  const place = await choosePlace(resolve(directory));
  if (!(await isInitialised(place))) {
    if (options.make === false)
      throw new Error(
        `There is no database: DATABASE_URL is not set, and no server has made an embedded one in ${directory} (DATA_DIR). Give this command the environment of the server.`,
      );
    await initialise(place);
  }
  await forgetHalves(place);
  const password = await readFile(join(place.data, "aisle-password"), "utf8");
  const connection = {
    path: join(place.socket, `.s.PGSQL.${PORT}`),
    username: "aisle",
    password,
    max: 1,
    onnotice: () => {},
    fetch_types: false,
    connect_timeout: 2,
  };

  const durable = options.durable ?? true;
  const isThere = (await postmasterPid(place)) !== undefined;
  await comeUp(place, connection, durable);
  // One that was there already may run from another version's.
  if (!isThere) await forgetOtherBinaries(place);

  // As long as this session lives, the server is in use; a killed process leaves the lock with its connection.
  const lease = postgres({
    ...connection,
    database: DATABASE,
    idle_timeout: 0,
    max_lifetime: null,
    onclose: () => void holdAgain(),
  });
  const hold = () => lease`select pg_advisory_lock_shared(${IN_USE_LOCK})`;
  let [isHeld, isReleased] = [false, false];
  /** PostgreSQL ends every session where one of its processes was killed: nobody else is to take it for unused then. */
  async function holdAgain(): Promise<void> {
    while (isHeld && !isReleased) {
      const isHeldAgain = await hold().then(
        () => true,
        () => false,
      );
      if (isHeldAgain) return;
      await sleep(HOLD_AGAIN_MS, undefined, { ref: false });
    }
  }
  // Whoever was the last may be stopping it at this moment: then it is started anew.
  for (let attempt = 1; !isHeld; attempt++) {
    try {
      await makeDatabase(connection);
      await hold();
      isHeld = true;
    } catch (error) {
      if (attempt === MAX_ATTEMPTS) {
        await lease.end({ timeout: 1 });
        throw error;
      }
      await comeUp(place, connection, durable);
    }
  }

  return {
    url: `postgres://aisle:${password}@localhost:${PORT}/${DATABASE}?host=${encodeURIComponent(place.socket)}`,
    async release() {
      isReleased = true;
      await lease`select pg_advisory_unlock_shared(${IN_USE_LOCK})`.catch(() => {});
      const [row] = await lease`select pg_try_advisory_lock(${IN_USE_LOCK}) as last`.catch(() => [{ last: false }]);
      const pid = row?.last ? await postmasterPid(place) : undefined;
      // It is held alone until there is no server any more: nobody else takes this one for theirs.
      if (pid) await stop(place, pid);
      await lease.end({ timeout: 1 });
    },
  };
}

async function makeDatabase(connection: postgres.Options<never>): Promise<void> {
  const admin = postgres({ ...connection, database: "postgres" });
  try {
    const [found] = await admin`select 1 from pg_database where datname = ${DATABASE}`;
    // Another process may be making it at this moment: its success is as good as ours.
    if (!found) await admin`create database ${admin(DATABASE)}`.catch(() => {});
  } finally {
    await admin.end({ timeout: 1 });
  }
}

async function comeUp(place: Place, options: postgres.Options<never>, durable: boolean): Promise<void> {
  const deadline = performance.now() + START_TIMEOUT_MS;
  let server: ChildProcess | undefined;
  for (;;) {
    const probe = postgres({ ...options, database: "postgres" });
    try {
      const [row] = await probe`show data_directory`;
      if (row?.data_directory !== place.data) throw new Error(`Another PostgreSQL answers at ${place.socket}.`);
      return;
    } catch (error) {
      if (performance.now() > deadline)
        throw new Error(`PostgreSQL did not start.\n${await tail(place.log)}`, { cause: error });
    } finally {
      await probe.end({ timeout: 1 });
    }
    // Two processes may both spawn: PostgreSQL's own lock on the data directory lets one live.
    if (!server || server.exitCode !== null) {
      await removeStaleLock(place);
      server = spawnServer(place, durable);
    }
    await sleep(40);
  }
}

/** What this machine, or the container, has: 32 GB at most, the rest is for others. */
const memoryMb = () => Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY, 2 ** 35) / 2 ** 20;

/** Nothing is kept through a crash, sent on, or tidied up. */
const forgetful = {
  ...{ fsync: "off", synchronous_commit: "off", full_page_writes: "off" },
  ...{ wal_level: "minimal", max_wal_senders: "0", autovacuum: "off" },
};

function spawnServer(place: Place, durable: boolean): ChildProcess {
  const settings: Record<string, string> = {
    listen_addresses: "",
    unix_socket_directories: place.socket,
    port: String(PORT),
    max_connections: "200",
    shared_buffers: durable ? `${Math.round(memoryMb() / 4)}MB` : "256MB",
    work_mem: "32MB",
    maintenance_work_mem: "256MB",
    effective_cache_size: `${Math.round(memoryMb() / 2)}MB`,
    random_page_cost: "1.1",
    max_wal_size: "2GB",
    jit: "off",
    timezone: "UTC",
    log_timezone: "UTC",
    ...(durable ? {} : forgetful),
  };
  const log = openSync(place.log, "a", 0o600);
  // Detached, so that Ctrl-C in the terminal reaches us alone: we drain, and then stop it in order.
  const server = spawn(
    join(place.binaries, "bin", "postgres"),
    ["-D", place.data, ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])],
    { ...place.user, cwd: place.data, detached: true, stdio: ["ignore", log, log] },
  );
  server.on("error", () => {}); // seen as "did not start"
  server.unref();
  closeSync(log);
  return server;
}

/** After a crash, or in a new container, the lock file may name some other program's process: PostgreSQL would wait for it. */
async function removeStaleLock(place: Place): Promise<void> {
  const pid = await postmasterPid(place);
  if (!pid || process.platform !== "linux") return;
  const command = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
  if (!command.includes(place.data)) await rm(join(place.data, "postmaster.pid"), { force: true });
}

async function postmasterPid(place: Place): Promise<number | undefined> {
  const text = await readFile(join(place.data, "postmaster.pid"), "utf8").catch(() => "");
  return Number.parseInt(text, 10) || undefined;
}

/** Fast shutdown (SIGINT): sessions are ended, everything is written. */
async function stop(place: Place, pid: number): Promise<void> {
  process.kill(pid, "SIGINT");
  const deadline = performance.now() + 10_000;
  while (performance.now() < deadline && (await postmasterPid(place)) === pid) await sleep(20);
}

const tail = async (file: string) => (await readFile(file, "utf8").catch(() => "")).split("\n").slice(-12).join("\n");
