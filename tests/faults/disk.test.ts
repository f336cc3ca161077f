// The disk of the database fills up, to the last byte: 503 while it lasts, nothing lost, and whole again once there is
// room. On a small disk of its own, for which one must be root and allowed to mount.
import { execFileSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, it } from "vitest";
import { removeAfterUs } from "../support/after-us";
import { expectUnharmed, faulty, rounds, TIMEOUT_MS, underLoad } from "../support/faulty";

const SIZE = "512m";
const directory = mkdtempSync(join(tmpdir(), "aisle-disk-"));
const disk = mount();
removeAfterUs(directory);
const filler = join(directory, "filler");

function mount(): { isThere: boolean; reason: string } {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${SIZE}`, "tmpfs", directory], { stdio: "pipe" });
    return { isThere: true, reason: "" };
  } catch (error) {
    return { isThere: false, reason: `, skipped: ${(error as Error).message.split("\n").at(-1)}` };
  }
}
afterAll(async () => {
  if (disk.isThere) execFileSync("umount", ["--lazy", directory]);
  await rm(directory, { recursive: true, force: true });
});

async function fill(): Promise<void> {
  const file = await open(filler, "w");
  for (const bytes of [1 << 20, 1 << 12, 1]) {
    const chunk = Buffer.alloc(bytes, "x");
    while (
      await file.write(chunk).then(
        ({ bytesWritten }) => bytesWritten === bytes,
        () => false,
      )
    );
  }
  await file.close();
}

if (!disk.isThere) {
  if (process.env.CI) throw new Error(`No disk of its own${disk.reason}`);
  process.stdout.write(`A full disk${disk.reason}\n`);
}
describe.skipIf(!disk.isThere)(`a database whose disk is full${disk.reason}`, () => {
  const database = faulty(directory);

  /** It ends itself where it can no longer write its log, now or in a moment; whoever keeps it up starts it again. */
  async function room(): Promise<void> {
    await rm(filler);
    for (;;) {
      const isUp = await database.postmaster().then(isAlive, () => false);
      if (!isUp) return database.revive();
      const { sql, close } = database.connect();
      const answers = await sql`select`.then(
        () => true,
        () => false,
      );
      await close();
      if (answers) return;
      await sleep(100);
    }
  }

  it.each(rounds)(
    "answers 503 while its tables cannot grow, and loses nothing (round %i)",
    async () => {
      const seen = await underLoad(database, {
        async hurt() {
          await fill();
          await sleep(5_000);
        },
        mend: room,
      });
      expect(seen.unavailable).toBeGreaterThan(0);
      await expectUnharmed(database, seen);
    },
    TIMEOUT_MS,
  );

  it.each(rounds)(
    "loses nothing when it ends itself because its log cannot be written (round %i)",
    async () => {
      const seen = await underLoad(database, {
        async hurt() {
          await fill();
          const { sql, close } = database.connect();
          // Each switch takes a new file, until there is room for none.
          const switched = async () => sql`select pg_logical_emit_message(false, 'faults', 'x'), pg_switch_wal()`;
          for (
            let i = 0;
            i < 40 &&
            (await switched().then(
              () => true,
              () => false,
            ));
            i++
          );
          await close();
          await sleep(2_000);
        },
        mend: room,
      });
      expect(seen.unavailable).toBeGreaterThan(0);
      await expectUnharmed(database, seen);
    },
    TIMEOUT_MS,
  );
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
