// One PostgreSQL of our own for the whole run, in a temporary directory, with one migrated template database.
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import type { TestProject } from "vitest/node";
import { migrate } from "../../db/client";
import { startEmbedded } from "../../db/embedded";
import { databaseUrl, ownServer, TEMPLATE } from "./database";

declare module "vitest" {
  interface ProvidedContext {
    databaseUrl: string;
    /** PostgreSQL's own word for where its data lies: what proves that a server is ours. */
    dataDirectory: string;
  }
}

export default async function setup({ provide }: TestProject) {
  const directory = await mkdtemp(join(tmpdir(), "aisle-test-"));
  await chmod(directory, 0o755);
  const embedded = await startEmbedded(directory, { durable: false });
  const admin = ownServer(postgres, embedded.url);
  await admin.unsafe(`create database ${TEMPLATE}`);
  await migrate(databaseUrl(embedded.url, TEMPLATE));
  const [row] = await admin`show data_directory`;
  await admin.end();
  provide("databaseUrl", embedded.url);
  provide("dataDirectory", row!.data_directory);
  return async () => {
    await embedded.release();
    await rm(directory, { recursive: true, force: true });
  };
}
