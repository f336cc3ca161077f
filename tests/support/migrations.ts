// Migrations of a next release.
import { appendFile, cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { TestDatabase } from "./database";

/** @returns a folder with our own migrations and one more */
export async function withMigration(database: TestDatabase, statements: string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "aisle-migrations-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await cp(new URL("../../db/migrations", import.meta.url), folder, { recursive: true });
  const file = join(folder, "meta", "_journal.json");
  const journal = JSON.parse(await readFile(file, "utf8"));
  const last = journal.entries.at(-1);
  const [applied] = await database.sql`select max(created_at)::float8 as at from drizzle.__drizzle_migrations`;
  const tag = `${last.idx + 1}_more`;
  journal.entries.push({ ...last, idx: last.idx + 1, when: applied!.at + 1, tag });
  await writeFile(file, JSON.stringify(journal));
  await appendFile(join(folder, `${tag}.sql`), statements.join("\n--> statement-breakpoint\n"));
  return folder;
}
