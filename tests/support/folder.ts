// A folder on the disk.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** An empty one, which goes when the test is over. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "aisle-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
