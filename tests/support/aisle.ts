// `npm run aisle`: the operators' command line, in a process of its own.
import { execFile } from "node:child_process";
import { keepMemory } from "./memory";

export interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/** @param env all of its environment but PATH, since vitest's own has BASE_URL, for one @returns runs a command in it */
export const commandLine =
  (env: () => Record<string, string>) =>
  (...args: string[]): Promise<Ended> =>
    new Promise((resolve) =>
      execFile(
        process.execPath,
        ["server/run.mjs", "server/cli.ts", ...args],
        { env: { PATH: process.env.PATH, ...keepMemory, ...env() } as Partial<NodeJS.ProcessEnv> as NodeJS.ProcessEnv },
        (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
      ),
    );
