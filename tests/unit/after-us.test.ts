// A run that is killed leaves nothing behind: neither processes nor folders.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";

const at = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);

/** Runs lines in a process of their own until they print one, and kills that process. @returns what was printed */
async function killed(lines: string): Promise<string> {
  const args = ["--import", "tsx", "--input-type=module", "--eval", lines];
  const one = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const [printed] = await once(one.stdout, "data");
  one.kill("SIGKILL");
  return String(printed).trim();
}

/** Of one that ended, and that nobody has asked after, nothing is left but its number. */
const isAlive = (pid: string) =>
  readFile(`/proc/${pid}/cmdline`, "utf8").then(
    (command) => command !== "",
    () => false,
  );

it("a process that was begun ends with whoever began it", async () => {
  const pid = await killed(`
    import { spawn } from "node:child_process";
    import { endAfterUs } from ${at("../support/after-us.ts")};
    const { pid } = spawn("sleep", ["1000"], { detached: true, stdio: "ignore" });
    endAfterUs(pid);
    console.log(pid);
    setInterval(() => {}, 1_000);`);
  await expect.poll(() => isAlive(pid)).toBe(false);
});

it("a database ends with whoever began it, and its folder goes", async () => {
  const [folder, pid] = (
    await killed(`
    import { readFile } from "node:fs/promises";
    import { startEmbedded } from ${at("../../db/embedded.ts")};
    import { makeDataFolder } from ${at("../support/after-us.ts")};
    const folder = await makeDataFolder();
    await startEmbedded(folder, { durable: false });
    console.log(folder, Number.parseInt(await readFile(folder + "/pg/postmaster.pid", "utf8")));`)
  ).split(" ");
  await expect.poll(() => existsSync(folder!)).toBe(false);
  expect(await isAlive(pid!)).toBe(false);
});
