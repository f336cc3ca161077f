// What every process of ours starts with: environment → database → core. Used by main.ts and cli.ts alike.
import { join } from "node:path";
import { destination, pino } from "pino";
import { type Connections, connect, migrate } from "../db/client";
import { type Embedded, startEmbedded } from "../db/embedded";
import type { Core } from "./context";
import { type Env, publicUrl } from "./env";
import { createLimits } from "./limits";

export interface Running {
  core: Core;
  connections: Connections;
  embedded: Embedded | undefined;
  close(): Promise<void>;
}

/**
 * Connects to DATABASE_URL, or starts or joins the embedded PostgreSQL, and brings the schema up to date.
 * @param name how this process shows in pg_stat_activity
 */
export async function start(env: Env, name: string): Promise<Running> {
  const log = pino(
    {
      level: env.LOG_LEVEL,
      base: undefined,
      redact: ["req.headers", "headers", "authorization", "cookie"],
      serializers: { err: withoutValues },
    },
    // Lines that come while one is being written go together in the next write; at exit all are written.
    destination({ sync: false }),
  );
  const embedded = env.DATABASE_URL ? undefined : await startEmbedded(join(env.DATA_DIR));
  const url = env.DATABASE_URL ?? embedded!.url;
  await migrate(url);
  const connections = connect(url, name);
  const { sql, db } = connections;
  return {
    core: { db, sql, limits: createLimits(sql), secretKey: env.SECRET_KEY, baseUrl: publicUrl(env), log },
    connections,
    embedded,
    async close() {
      await connections.close();
      await embedded?.release();
    },
  };
}

/** Errors of the database quote what was written, which may be an address or a hash: no log has that. */
function withoutValues(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const told = pino.stdSerializers.err(error) as unknown as Record<string, unknown>;
  const { params: _params, detail: _detail, where: _where, ...rest } = told;
  // Drizzle's message ends with the statement's parameters.
  const statement = "query" in error && "params" in error ? `Failed query: ${error.query}` : error.message;
  const cut = (text: unknown) => String(text).replace(error.message, () => statement);
  return { ...rest, message: cut(told.message), stack: cut(told.stack) };
}
