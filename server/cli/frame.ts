// What every command shares: it connects, runs, prints and leaves; what it answers is told as JSON or in words.
import { type FileHandle, open } from "node:fs/promises";
import { Command, CommanderError, InvalidArgumentError } from "commander";
import { z } from "zod";
import { type Ctx, contextFor, type Operator, type System, scopes } from "../context";
import { start } from "../core";
import { readEnv } from "../env";
import { DomainError } from "../errors";
import * as demo from "../services/demo";
import { isInReach, unseenCharacters } from "../services/fields";

interface Context {
  operator: Ctx<Operator>;
  system: Ctx<System>;
  /** Where the service is reached, as far as can be known. */
  url: string;
}

/** What a command answers: a JSON value, and the same in words. */
export interface Told {
  json: unknown;
  text: string;
}

export const program = new Command("aisle")
  .description("Aisle's command line for operators, against the running or configured database.")
  .option("--json", "print one JSON value and nothing else")
  .exitOverride()
  .configureHelp({ showGlobalOptions: true });

/** Connects, runs, prints, leaves. `--json` may stand before or after the command's own words. */
export async function perform(
  run: (context: Context) => Promise<Told>,
  as: "command" | "filler" = "command",
): Promise<void> {
  const env = readEnv({ LOG_LEVEL: "warn", ...process.env });
  const running = await start(env, "aisle-cli", as);
  try {
    const system = contextFor(running.core, { kind: "system" });
    const operator = contextFor(running.core, { kind: "operator", accountId: null });
    const url = env.BASE_URL ?? (await demo.runningUrl(system)) ?? system.baseUrl;
    print(await run({ operator, system, url }));
  } finally {
    await running.close();
  }
}

export function print({ json, text }: Told): void {
  process.stdout.write(`${program.opts().json ? JSON.stringify(json) : text}\n`);
}

/** @param empty in words, where there are no rows */
export const table = (rows: Record<string, unknown>[], empty: string): string => {
  if (rows.length === 0) return empty;
  const names = Object.keys(rows[0]!);
  const cells = [names, ...rows.map((row) => names.map((name) => shown(row[name])))];
  const widths = names.map((_, i) => Math.max(...cells.map((row) => row[i]!.length)));
  return cells
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i]!))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
};

const shown = (value: unknown): string => {
  if (value === null || value === undefined) return "-";
  if (value instanceof Date) return value.toISOString();
  return Array.isArray(value) ? value.join(",") : String(value);
};

/** One thing, a line a property. */
export const told = (json: Record<string, unknown>): Told => ({
  json,
  text: Object.entries(json)
    .map(([name, value]) => `${name.padEnd(15)} ${shown(value)}`)
    .join("\n"),
});

export const integer = (text: string): number => {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError("It must be a whole number.");
  return Number(text);
};

export const scopeList = (text: string) => {
  const parsed = z.array(z.enum(scopes)).safeParse(
    text
      .split(",")
      .map((scope) => scope.trim())
      .filter(Boolean),
  );
  if (!parsed.success) throw new InvalidArgumentError(`Scopes are: ${scopes.join(", ")}.`);
  return parsed.data;
};

/** UTC unless it names its offset, wherever the command runs. */
export const instant = (text: string): Date => {
  const [day = "", time = ""] = text.split("T");
  const date = new Date(/^[\d:.]+$/.test(time) ? `${text}Z` : text);
  // By itself a day that a month has not is one of the next month.
  if (!z.iso.date().safeParse(day).success || Number.isNaN(date.getTime()))
    throw new InvalidArgumentError("It must be an ISO 8601 date or date-time.");
  if (!isInReach(date)) throw new InvalidArgumentError("It must be between the years 1900 and 9999.");
  return date;
};

/** A file to read, and its size in bytes. @throws DomainError not_found, invalid_input where it cannot be opened */
export async function opened(path: string): Promise<{ file: FileHandle; size: number }> {
  const absent = new DomainError("not_found", `There is no file ${path}.`);
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    throw error.code === "ENOENT"
      ? absent
      : new DomainError("invalid_input", `${path} cannot be read: ${error.message}`);
  });
  const found = await file.stat();
  if (!found.isDirectory()) return { file, size: found.size };
  await file.close();
  throw absent;
}

/** What a file of JSON has. @throws DomainError not_found, invalid_input */
export async function jsonIn(path: string): Promise<unknown> {
  const { file } = await opened(path);
  const text = await file.readFile("utf8").finally(() => file.close());
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new DomainError("invalid_input", `${path} is no JSON: ${(error as Error).message}`);
  }
}

export const uuid = (text: string): string => {
  if (!z.uuid().safeParse(text).success) throw new InvalidArgumentError("It must be an id (UUID).");
  return text;
};

/** Usage is wrong where the domain's own schema says so, and where a text has characters that nobody sees. */
export function parsed<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const [unseen] = unseenCharacters(value);
  if (unseen) throw wrong([{ ...unseen, path: unseen.path.split(".") }]);
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw wrong(result.error.issues);
}

function wrong(issues: { path: PropertyKey[]; message: string }[]): CommanderError {
  const lines = issues.map(({ path, message }) => `error: ${optionOf(path[0])}: ${message}`);
  return new CommanderError(2, "aisle.invalid", lines.join("\n"));
}

/** As it is written: `maxKeys` is --max-keys. */
const optionOf = (name: PropertyKey | undefined): string =>
  name === undefined ? "input" : `--${String(name).replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
