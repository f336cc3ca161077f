// The peers as processes.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Database, Place } from "./place";
import { type Contender, launch } from "./processes";

/** Trivial tools without key, limit and database. @param answer what they answer with */
export async function nakedPeers({ directory }: Place, answer: unknown): Promise<Contender[]> {
  const file = join(directory, "answer.json");
  await writeFile(file, JSON.stringify(answer));
  const started: Contender[] = [];
  for (const name of ["sdk-v1", "sdk-v2", "fastmcp"]) {
    started.push(await peer(name, directory, { ANSWER: file }));
  }
  return started;
}

export const sameWork = ({ directory }: Place, { url }: Database): Promise<Contender> =>
  peer("sdk-v1-same-work", directory, { DATABASE_URL: url });

export const bareSelect = ({ directory }: Place, { url }: Database): Promise<Contender> =>
  peer("bare-select", directory, { DATABASE_URL: url });

const peer = (name: string, directory: string, env: Record<string, string>): Promise<Contender> =>
  launch({ name, args: ["--import", "tsx", `bench/peers/${name}.ts`], env, ready: "/", directory });
