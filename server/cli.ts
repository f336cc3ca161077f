// `npm run aisle -- <command>`: the operators' command line. Exit 0 done, 1 refused (reason on stderr), 2 usage.
// With --json one JSON value and nothing else on stdout.
import { createReadStream } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import { basename } from "node:path";
import { SingleBar } from "cli-progress";
import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { z } from "zod";
import { type Ctx, contextFor, type Operator, type System, scopes } from "./context";
import { start } from "./core";
import { readEnv } from "./env";
import { DomainError } from "./errors";
import { seed } from "./seed";
import * as accounts from "./services/accounts";
import * as backup from "./services/backup";
import * as consumers from "./services/consumers";
import * as demo from "./services/demo";
import * as feeds from "./services/feeds";
import * as keys from "./services/keys";
import * as stores from "./services/stores";

interface Context {
  operator: Ctx<Operator>;
  system: Ctx<System>;
  /** Where the service is reached, as far as can be known. */
  url: string;
}

/** What a command answers: a JSON value, and the same in words. */
interface Told {
  json: unknown;
  text: string;
}

const program = new Command("aisle")
  .description("Aisle's command line for operators, against the running or configured database.")
  .option("--json", "print one JSON value and nothing else")
  .exitOverride()
  .configureHelp({ showGlobalOptions: true });

/** Connects, runs, prints, leaves. `--json` may stand before or after the command's own words. */
async function perform(run: (context: Context) => Promise<Told>): Promise<void> {
  const env = readEnv({ LOG_LEVEL: "warn", ...process.env });
  const running = await start(env, "aisle-cli");
  try {
    const system = contextFor(running.core, { kind: "system" });
    const operator = contextFor(running.core, { kind: "operator", accountId: null });
    const url = env.BASE_URL ?? (await demo.runningUrl(system)) ?? `http://${env.HOST}:${env.PORT}`;
    const { json, text } = await run({ operator, system, url });
    process.stdout.write(`${program.opts().json ? JSON.stringify(json) : text}\n`);
  } finally {
    await running.close();
  }
}

const table = (rows: Record<string, unknown>[], empty: string): string => {
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

const integer = (text: string): number => {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError("It must be a whole number.");
  return Number(text);
};

const scopeList = (text: string) => {
  const parsed = z.array(z.enum(scopes)).safeParse(
    text
      .split(",")
      .map((scope) => scope.trim())
      .filter(Boolean),
  );
  if (!parsed.success) throw new InvalidArgumentError(`Scopes are: ${scopes.join(", ")}.`);
  return parsed.data;
};

const instant = (text: string): Date => {
  const date = new Date(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text);
  if (Number.isNaN(date.getTime())) throw new InvalidArgumentError("It must be an ISO 8601 date or date-time.");
  return date;
};

const uuid = (text: string): string => {
  if (!z.uuid().safeParse(text).success) throw new InvalidArgumentError("It must be an id (UUID).");
  return text;
};

/** Usage is wrong where the domain's own schema says so. */
function parsed<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const lines = result.error.issues.map((issue) => `error: ${issue.path.join(".") || "input"}: ${issue.message}`);
  throw new CommanderError(2, "aisle.invalid", lines.join("\n"));
}

program
  .command("demo")
  .description("URL, sign-ins, consumer and store ids of the demo")
  .action(() =>
    perform(async ({ system, url }) => {
      const found = await demo.describe(system, url);
      const signIns = found.sign_ins.map(({ role, email, password }) => ({ role, email, password }));
      const text = [
        `URL       ${found.url}`,
        `Consumer  ${found.consumer.slug}`,
        "",
        table(signIns, ""),
        "",
        table(found.stores, "No stores."),
      ];
      return { json: found, text: text.join("\n") };
    }),
  );

program
  .command("migrate")
  .description("bring the database's schema up to date")
  .action(() => perform(async () => ({ json: { migrated: true }, text: "The schema is up to date." })));

program
  .command("seed")
  .description("load the demo's stores, accounts and consumer; what is there stays")
  .action(() =>
    perform(async ({ system }) => {
      const made = await seed(system);
      return {
        json: { stores: made },
        text: made.length > 0 ? `Loaded ${made.join(", ")}.` : "Everything was there already.",
      };
    }),
  );

program
  .command("operator")
  .description("operators")
  .command("create")
  .requiredOption("--email <address>")
  .requiredOption("--name <name>")
  .description("make an operator; prints the first password, once")
  .action((options) => {
    const input = parsed(accounts.CreateOperator, { email: options.email, name: options.name });
    return perform(async ({ operator }) => {
      const made = await accounts.createOperator(operator, input);
      const text = made.password
        ? `${made.email}  ${made.password}`
        : `${made.email} is an operator now; the password stays.`;
      return { json: made, text };
    });
  });

const store = program.command("store").description("stores");
store
  .command("list")
  .description("every store")
  .action(() => perform(async ({ operator }) => storesTold(await stores.all(operator))));
store
  .command("create")
  .requiredOption("--slug <slug>")
  .requiredOption("--name <name>")
  .requiredOption("--url <url>", "the shop's own address")
  .requiredOption("--country <code>", "ISO 3166-1 alpha-2")
  .requiredOption("--currency <code>", "ISO 4217")
  .option("--merchant <name>", "the merchant's name, if not the store's")
  .option("--no-ai-discovery", "keep agents out until the merchant says otherwise")
  .description("make a store and its merchant")
  .action((options) => {
    const { merchant, aiDiscovery, ...rest } = options;
    const given = { ...rest, ai_discovery: aiDiscovery, ...(merchant ? { merchant: { name: merchant } } : {}) };
    const input = parsed(stores.CreateStore, given);
    return perform(async ({ operator }) => {
      const made = await stores.create(operator, input);
      return { json: { id: made.id, slug: made.slug, name: made.name }, text: `${made.slug}  ${made.id}` };
    });
  });

function storesTold(rows: stores.StoreRow[]): Told {
  const json = rows.map((row) => ({
    id: row.id,
    slug: row.slug,
    name: row.name,
    country: row.country,
    currency: row.currency,
    is_demo: row.isDemo,
    ai_discovery: row.aiDiscovery,
    products: row.productCount,
  }));
  return { json, text: table(json, "No stores.") };
}

program
  .command("import")
  .argument("<file>", "Google product data (TSV, CSV, RSS, Atom) or OpenAI's product feed (JSONL, CSV)")
  .requiredOption("--store <id|slug>")
  .description("load a catalogue into a store, whole or not at all")
  .action((path: string, options: { store: string }) =>
    perform(async ({ operator }) => {
      const { id: storeId } = await stores.get(operator, options.store);
      const { size } = await stat(path).catch(() => {
        throw new DomainError("not_found", `There is no file ${path}.`);
      });
      const bar = process.stderr.isTTY
        ? new SingleBar({ format: "{bar} {percentage}%  {rows} rows", clearOnComplete: true })
        : undefined;
      bar?.start(size, 0, { rows: 0 });
      const progress =
        bar &&
        ((at: { bytes: number; rows: number; total: number }) => {
          bar.setTotal(at.total);
          bar.update(at.bytes, { rows: at.rows });
        });
      const content = createReadStream(path);
      try {
        const report = await feeds.importFile(operator, {
          storeId,
          fileName: basename(path),
          content,
          ...(progress ? { onProgress: progress } : {}),
        });
        return { json: report, text: reportText(report) };
      } finally {
        bar?.stop();
      }
    }),
  );

const SHOWN_ISSUES = 20;

function reportText(report: feeds.Report): string {
  const lines = report.issues
    .slice(0, SHOWN_ISSUES)
    .map(
      (issue) =>
        `  line ${issue.line}  ${issue.severity}  ${issue.field}: ${issue.reason}${issue.value ? ` (${JSON.stringify(issue.value)})` : ""}`,
    );
  const more = report.rejected + report.warnings - lines.length;
  const counts = `${report.loaded} of ${report.rows} rows loaded as ${report.products} products (${report.format}), ${report.rejected} rejected, ${report.warnings} warnings, ${report.vanished} vanished, in ${(report.durationMs / 1000).toFixed(1)} s.`;
  return [counts, ...lines, ...(more > 0 ? [`  and ${more} more; --json shows up to 1,000`] : [])].join("\n");
}

const consumer = program.command("consumer").description("consumers: the platforms that call tools");
consumer
  .command("list")
  .description("every consumer")
  .action(() =>
    perform(async ({ operator }) => {
      const json = (await consumers.all(operator)).map(consumerTold);
      return { json, text: table(json, "No consumers.") };
    }),
  );
consumer
  .command("show")
  .requiredOption("--consumer <slug>")
  .description("one consumer")
  .action((options) =>
    perform(async ({ operator }) => told(consumerTold(await consumers.get(operator, options.consumer)))),
  );
consumer
  .command("set")
  .requiredOption("--consumer <slug>")
  .option("--rate-limit <n>", "requests per minute over all keys", integer)
  .option("--max-keys <n>", "active keys at most", integer)
  .option("--scopes <list>", "separated by commas", scopeList)
  .addOption(new Option("--tier <tier>").choices(["sandbox", "production"]))
  .addOption(new Option("--coverage <mode>").choices(["default_on", "explicit"]))
  .option("--utm-source <name>", "the platform's credit in product_url, unique")
  .option("--directory-slug <slug>", "issue a directory endpoint; an empty one withdraws it")
  .description("change a consumer; holds from its next request")
  .action((options) => {
    const { consumer: slug, ...given } = options;
    if (given.directorySlug === "") given.directorySlug = null;
    const set = parsed(consumers.ChangeConsumer, given);
    if (Object.keys(set).length === 0) throw new CommanderError(2, "aisle.nothing", "error: say what to set");
    return perform(async ({ operator }) => told(consumerTold(await consumers.change(operator, { slug, set }))));
  });

const consumerTold = (row: consumers.ConsumerRow) => ({
  id: row.id,
  slug: row.slug,
  name: row.name,
  state: row.state,
  tier: row.tier,
  coverage: row.coverage,
  scopes: row.scopes,
  rate_limit: row.rateLimit,
  max_keys: row.maxKeys,
  utm_source: row.utmSource,
  directory_slug: row.directorySlug,
  terms_version: row.termsVersion,
});

const told = (json: Record<string, unknown>): Told => ({
  json,
  text: Object.entries(json)
    .map(([name, value]) => `${name.padEnd(15)} ${shown(value)}`)
    .join("\n"),
});

const key = program.command("key").description("API keys");
key
  .command("issue")
  .requiredOption("--consumer <slug>")
  .option("--name <name>", "for the list", "Command line")
  .option("--scopes <list>", "narrower than the consumer's, separated by commas", scopeList)
  .option("--expires <date>", "ISO 8601, UTC", instant)
  .description("issue a key; prints its value, once")
  .action((options) => {
    const name = parsed(keys.KeyName, options.name);
    return perform(async ({ operator }) => {
      const { id: consumerId } = await consumers.get(operator, options.consumer);
      const made = await keys.issue(operator, { consumerId, name, scopes: options.scopes, expiresAt: options.expires });
      const { expiresAt, ...rest } = made;
      return { json: { ...rest, expires_at: expiresAt }, text: made.value };
    });
  });
key
  .command("list")
  .requiredOption("--consumer <slug>")
  .description("a consumer's keys; never a value")
  .action((options) =>
    perform(async ({ operator }) => {
      const { id } = await consumers.get(operator, options.consumer);
      const json = (await keys.list(operator, { consumerId: id })).map((row) => ({
        id: row.id,
        name: row.name,
        key: `${row.start}…${row.end}`,
        state: row.state,
        scopes: row.scopes,
        created_at: row.createdAt,
        last_used_at: row.lastUsedAt,
        expires_at: row.expiresAt,
      }));
      return { json, text: table(json, "No keys.") };
    }),
  );
key
  .command("revoke")
  .argument("<id>", "as key list shows it", uuid)
  .description("revoke at once: its next request gets 401")
  .action((id: string) =>
    perform(async ({ operator }) => {
      await keys.revoke(operator, { id });
      return { json: { id, revoked: true }, text: `Revoked ${id}.` };
    }),
  );

/** For its owner alone. @throws Error in words when it is there, or cannot be made */
const newFile = (file: string): Promise<FileHandle> =>
  open(file, "wx", 0o600).catch((error: NodeJS.ErrnoException) => {
    const isThere = `${file} is there already: a backup is never written over another file. Give it a new name.`;
    throw new Error(error.code === "EEXIST" ? isThere : `${file} cannot be written: ${error.message}`);
  });

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
      const told = await backup.restore(system, createReadStream(file));
      return { json: told, text: `${told.rows} rows of ${told.tables} tables, as of ${told.at}, are back.` };
    }),
  );

/** Options such as --json may follow a sub-command, and every command leaves by throwing rather than by process.exit. */
function settle(command: Command): void {
  for (const child of command.commands) {
    child.exitOverride().addOption(new Option("--json").hideHelp());
    child.on("option:json", () => program.setOptionValue("json", true));
    settle(child);
  }
}
settle(program);

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    // Commander has written its own messages; ours come with exit code 2 already.
    if (error.code.startsWith("aisle.")) process.stderr.write(`${error.message}\n`);
    process.exitCode = error.exitCode === 0 ? 0 : 2;
  } else if (error instanceof DomainError) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  } else {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
