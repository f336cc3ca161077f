// One PostgreSQL of our own for the whole run, in a temporary directory, with one migrated template database; and the pages,
// built.
import { rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import postgres from "postgres";
import type { TestProject } from "vitest/node";
import { migrate } from "../../db/client";
import { startEmbedded } from "../../db/embedded";
import { buildIfChanged } from "../../server/build";
import { makeDataFolder } from "./after-us";
import { databaseUrl, ownServer, TEMPLATE } from "./database";

declare module "vitest" {
  interface ProvidedContext {
    databaseUrl: string;
    /** PostgreSQL's own word for where its data lies: what proves that a server is ours. */
    dataDirectory: string;
  }
}

export default async function setup({ provide }: TestProject) {
  // Before any test's time begins to run: the first build of a checkout takes as long as the machine needs.
  await buildIfChanged();
  const directory = await makeDataFolder(await roomForData());
  const embedded = await startEmbedded(directory, { durable: false });
  const leave = async () => {
    await embedded.release();
    await rm(directory, { recursive: true, force: true });
  };
  try {
    provide("dataDirectory", await makeTemplate(embedded.url));
    provide("databaseUrl", embedded.url);
  } catch (error) {
    await leave();
    throw error;
  }
  return leave;
}

/** Memory where it has room: a run makes and drops hundreds of databases, whose files no disk needs to see. */
async function roomForData(): Promise<string> {
  const memory = "/dev/shm";
  const free = await statfs(memory).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  return free >= 4 * 2 ** 30 ? memory : tmpdir();
}

async function makeTemplate(url: string): Promise<string> {
  const admin = ownServer(postgres, url);
  try {
    await admin.unsafe(`create database ${TEMPLATE}`);
    await migrate(databaseUrl(url, TEMPLATE));
    const [row] = await admin`show data_directory`;
    return row!.data_directory;
  } finally {
    await admin.end();
  }
}
