// Everything in the database in one file, and back.
import { access, link, open, rename, rm } from "node:fs/promises";
import type { Writable } from "node:stream";
import { type Command, InvalidArgumentError } from "commander";
import * as backup from "../services/backup";
import { opened, perform } from "./frame";

export function addBackup(program: Command): void {
  program
    .command("backup")
    .argument("<file>", "written anew; never over another", named)
    .description("everything in the database, as of one moment, in one file")
    .action((file: string) =>
      perform(async ({ system }) => {
        const told = await writeNew(file, (sink) => backup.backUp(system, sink));
        return { json: told, text: `${told.rows} rows of ${told.tables} tables, as of ${told.at}, are in ${file}.` };
      }),
    );
  program
    .command("restore")
    .argument("<file>", "made by backup")
    .description("fill an empty database with a backup")
    .action(async (file: string) => {
      // Before a database is made for it.
      const { file: source } = await opened(file);
      await perform(async ({ system }) => {
        const told = await backup.restore(system, source.createReadStream());
        return { json: told, text: `${told.rows} rows of ${told.tables} tables, as of ${told.at}, are back.` };
      }, "filler");
    });
}

/** As a variable that is not set would have it, a file has no name: said before a backup is made for it. */
function named(file: string): string {
  if (file === "") throw new InvalidArgumentError("It must be the name of a file.");
  return file;
}

/**
 * A file for its owner alone, under its name once it is whole: until then it is `<file>.part`, which goes where `write` fails.
 * @throws Error in words when either is there, or cannot be made
 */
async function writeNew<T>(file: string, write: (sink: Writable) => Promise<T>): Promise<T> {
  const part = `${file}.part`;
  if (await isThere(file)) throw taken(file);
  const made = await open(part, "wx", 0o600).catch((error: NodeJS.ErrnoException) => {
    const isBegun = `${part} is there already: another backup is writing it, or was ended while it did. Remove it, or give this one a new name.`;
    throw new Error(error.code === "EEXIST" ? isBegun : `${part} cannot be written: ${error.message}`);
  });
  try {
    const told = await write(made.createWriteStream({ flush: true }));
    await place(part, file);
    return told;
  } finally {
    await made.close();
    await rm(part, { force: true });
  }
}

/** Never over another: a second name is refused where it is taken. Some file systems give no second names. */
async function place(part: string, file: string): Promise<void> {
  await link(part, file).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code === "EEXIST" || (await isThere(file))) throw taken(file);
    await rename(part, file);
  });
}

const taken = (file: string) =>
  new Error(`${file} is there already: a backup is never written over another file. Give it a new name.`);

const isThere = (file: string) =>
  access(file).then(
    () => true,
    () => false,
  );
