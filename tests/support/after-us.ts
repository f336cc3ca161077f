// What would outlive this process is ended once it is gone, however it went: in order, by Ctrl-C or by kill -9.
import { spawn } from "node:child_process";
import { chmod, mkdtemp } from "node:fs/promises";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Runs lines of sh once this process is gone: they wait for the end of a pipe that only it holds. @returns calls them off */
function afterUs(lines: string, ...args: string[]): () => void {
  const waiting = spawn("sh", ["-c", `read -r _\n${lines}`, "sh", ...args], {
    // In a group of its own, which Ctrl-C leaves alone.
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  waiting.unref();
  (waiting.stdin as Socket).unref();
  return () => void waiting.kill("SIGKILL");
}

/** Ends a process once this one is gone. @returns to be called when it has ended: another may have its number then */
export const endAfterUs = (pid: number, signal: "KILL" | "TERM" = "KILL"): (() => void) =>
  afterUs('kill -s "$1" "$2"', signal, String(pid));

/** An empty folder in `parent` for `startEmbedded`. Once this process is gone, so are the folder and the PostgreSQL in it. */
export async function makeDataFolder(parent = tmpdir()): Promise<string> {
  const folder = await mkdtemp(join(parent, "aisle-data-"));
  // Open to others, so that as root too the data lies here.
  await chmod(folder, 0o755);
  removeAfterUs(folder);
  return folder;
}

/** Once this process is gone, so are the folder, be it a disk of its own, and the PostgreSQL that `startEmbedded` has in it. */
export const removeAfterUs = (folder: string): (() => void) =>
  afterUs(
    `pid=$(head -n 1 "$1/pg/postmaster.pid")
    kill -s QUIT "$pid" && while kill -s 0 "$pid"; do sleep 0.1; done
    umount --lazy "$1"
    rm -rf "$1"`,
    folder,
  );
