// Who builds the pages: one process at a time, whoever was killed before.
import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { takeLock } from "../../server/build";

let folder: string;
let lock: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "aisle-lock-"));
  lock = join(folder, "build.lock");
  onTestFinished(() => rm(folder, { recursive: true }));
});

/** As somebody leaves it who is killed while they build. */
async function leaveLock() {
  const { pid } = spawnSync(process.execPath, ["-e", ""]);
  await mkdir(lock);
  await writeFile(join(lock, String(pid)), "");
}

describe("the lock of the build", () => {
  it("is had by one at a time, though the one before was killed, and leaves nothing behind", async () => {
    await leaveLock();
    let holders = 0;
    const most: number[] = [];
    const build = async () => {
      const release = await takeLock(lock);
      most.push(++holders);
      await sleep(20);
      holders--;
      await release();
    };
    await Promise.all(Array.from({ length: 6 }, build));
    expect(most).toEqual([1, 1, 1, 1, 1, 1]);
    expect(await readdir(folder)).toEqual([]);
  });

  it("is taken with what is left of those who were killed while they waited, and of nobody else", async () => {
    const { pid } = spawnSync(process.execPath, ["-e", ""]);
    const waits = async (suffix: string, holder: number) => {
      await mkdir(`${lock}.${suffix}`);
      await writeFile(join(`${lock}.${suffix}`, `${holder}-${randomUUID()}`), "");
    };
    await waits("killed", pid);
    await waits("alive1", process.ppid);
    await mkdir(`${lock}.begins`);
    await (await takeLock(lock))();
    expect((await readdir(folder)).toSorted()).toEqual(["build.lock.alive1", "build.lock.begins"]);
  });

  it("is nobody's where whoever took it was killed before it was theirs", async () => {
    await mkdir(lock);
    const release = await takeLock(lock);
    await release();
    expect(await readdir(folder)).toEqual([]);
  });

  it("is nobody's where whoever was killed had this process's number, as the first of a container always has", async () => {
    await mkdir(lock);
    for (const left of [String(process.pid), `${process.pid}-${randomUUID()}`]) await writeFile(join(lock, left), "");
    await (await takeLock(lock))();
    expect(await readdir(folder)).toEqual([]);
  });

  it("of a release of before, which wrote who has it into a file, is nobody's either", async () => {
    await mkdir(lock);
    await writeFile(join(lock, "pid"), "999999999");
    await (await takeLock(lock))();
    expect(await readdir(folder)).toEqual([]);
  });
});
