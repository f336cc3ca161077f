// What every process of ours starts with: environment → database → core. For the server and the command line alike.
import { setTimeout as sleep } from "node:timers/promises";
import { pino } from "pino";
import { type Connections, connect, migrate } from "../db/client";
import { type Embedded, startEmbedded } from "../db/embedded";
import * as clock from "./clock";
import type { Core } from "./context";
import { type Env, publicUrl } from "./env";
import { withoutValues } from "./error-report";
import { createLimits } from "./limits";
import { isPublic } from "./services/feeds/addresses";
import { settled } from "./services/usage-begun";

/** How long an ending process waits for the usage rows that are still to be written; others record what is left. */
const LAST_ROWS_MS = 1_000;

export interface Running {
  core: Core;
  connections: Connections;
  embedded: Embedded | undefined;
  close(): Promise<void>;
}

/**
 * Connects to DATABASE_URL, or starts or joins the embedded PostgreSQL, and brings the schema up to date.
 * @param name how this process shows in pg_stat_activity
 * @param as a command logs to stderr, and makes no embedded database, since it would answer for one that nobody serves; one
 *   that fills a database does
 * @param onHeld is given what lets go of the database, before it is brought up to date: that may wait for others
 * @throws Error when the database cannot be reached or brought up to date; nothing is held on to then
 */
export async function start(
  env: Env,
  name: string,
  as: "server" | "command" | "filler",
  onHeld: (release: () => Promise<void>) => void = () => {},
): Promise<Running> {
  const log = pino(
    {
      level: env.LOG_LEVEL,
      base: undefined,
      redact: ["req.headers", "headers", "authorization", "cookie"],
      serializers: { err: withoutValues },
    },
    logTo(as === "server" ? 1 : 2),
  );
  const embedded = env.DATABASE_URL ? undefined : await startEmbedded(env.DATA_DIR, { make: as !== "command" });
  const url = env.DATABASE_URL ?? embedded!.url;
  let connections: Connections | undefined;
  async function letGo() {
    await connections?.close();
    await embedded?.release();
  }
  let released: Promise<void> | undefined;
  const release = () => {
    released ??= letGo();
    return released;
  };
  onHeld(release);
  try {
    await migrate(url);
    connections = connect(url, name);
    const { sql, searches, people, db } = connections;
    const unfollow = await clock.follow(sql);
    return {
      core: {
        db,
        sql,
        searches,
        people,
        limits: createLimits(connections),
        secretKeys: [env.SECRET_KEY, ...env.SECRET_KEY_PREVIOUS],
        mayFetch: (address) => env.FEED_ADDRESSES.includes(address) || isPublic(address),
        baseUrl: publicUrl(env),
        log,
      },
      connections,
      embedded,
      async close() {
        unfollow();
        await Promise.race([settled({ sql }), sleep(LAST_ROWS_MS, undefined, { ref: false })]);
        await release();
      },
    };
  } catch (error) {
    // Otherwise their open connections would keep the process from ending.
    await release();
    throw error;
  }
}

/** How much waits for room on a full disk, in characters; further lines are lost. */
const WAITING_LINES = 1_000_000;

/** Where the log cannot be written, everybody is served all the same, and the process can end. */
function logTo(fd: 1 | 2) {
  const destination = pino.destination({ dest: fd, sync: false, maxLength: WAITING_LINES });
  const { flushSync } = destination;
  // The flush at the end would otherwise try again and again until there is room.
  destination.on("error", () => {
    destination.flushSync = () => {};
  });
  destination.on("drain", () => {
    destination.flushSync = flushSync;
  });
  return destination;
}
