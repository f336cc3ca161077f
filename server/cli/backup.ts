// Everything in the database in one file, and back.
import { type FileHandle, open } from "node:fs/promises";
import type { Command } from "commander";
import * as backup from "../services/backup";
import { opened, perform } from "./frame";

export function addBackup(program: Command): void {
  program
    .command("backup")
    .argument("<file>", "written anew; never over another")
    .description("everything in the database, as of one moment, in one file")
    .action((file: string) =>
      perform(async ({ system }) => {
        const told = await backup.backUp(system, (await newFile(file)).createWriteStream());
        return { json: told, text: `${told.rows} rows of ${told.tables} tables, as of ${told.at}, are in ${file}.` };
      }),
    );
  program
    .command("restore")
    .argument("<file>", "made by backup")
    .description("fill an empty database with a backup")
    .action((file: string) =>
      perform(async ({ system }) => {
        const { file: source } = await opened(file);
        const told = await backup.restore(system, source.createReadStream());
        return { json: told, text: `${told.rows} rows of ${told.tables} tables, as of ${told.at}, are back.` };
      }, "filler"),
    );
}

/** For its owner alone. @throws Error in words when it is there, or cannot be made */
const newFile = (file: string): Promise<FileHandle> =>
  open(file, "wx", 0o600).catch((error: NodeJS.ErrnoException) => {
    const isThere = `${file} is there already: a backup is never written over another file. Give it a new name.`;
    throw new Error(error.code === "EEXIST" ? isThere : `${file} cannot be written: ${error.message}`);
  });
