// Stores, and the catalogues that are loaded into them.
import { basename } from "node:path";
import { SingleBar } from "cli-progress";
import type { Command } from "commander";
import { z } from "zod";
import { DomainError } from "../errors";
import * as feeds from "../services/feeds";
import * as inventory from "../services/inventory";
import * as stores from "../services/stores";
import { jsonIn, opened, parsed, perform, print, type Told, table } from "./frame";

export function addStores(program: Command): void {
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
    .option("--merchant <name|id>", "the name of its new merchant, if not the store's, or the id of one that there is")
    .option("--no-ai-discovery", "keep agents out until the merchant says otherwise")
    .description("create a store, and its merchant unless there is one")
    .action((options) => {
      const { merchant, aiDiscovery, ...rest } = options;
      const given = {
        ...rest,
        ai_discovery: aiDiscovery,
        ...(merchant === undefined ? {} : { merchant: merchantIn(merchant) }),
      };
      const input = parsed(stores.CreateStore, given);
      return perform(async ({ operator }) => {
        const { merchant = { name: input.name } } = input;
        if ("name" in merchant) await stores.requireNewMerchant(operator, merchant.name);
        const made = await stores.create(operator, input);
        return { json: { id: made.id, slug: made.slug, name: made.name }, text: `${made.slug}  ${made.id}` };
      });
    });

  program
    .command("import")
    .argument(
      "<file>",
      "Google product data (TSV, CSV, RSS, Atom), OpenAI's product feed (JSONL, CSV) or a product export of Shopify or WooCommerce (CSV), also as .gz or .zip",
    )
    .requiredOption("--store <id|slug>")
    .description("load a catalogue into a store, whole or not at all")
    .action((path: string, options: { store: string }) =>
      perform(async ({ operator }) => {
        const { id: storeId } = await stores.get(operator, options.store);
        const { file, size } = await opened(path);
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
        return feeds
          .importFile(operator, {
            storeId,
            fileName: basename(path),
            content: file.createReadStream(),
            ...(progress ? { onProgress: progress } : {}),
          })
          .finally(async () => {
            bar?.stop();
            await file.close();
          })
          .then(reportTold, tellRefused);
      }),
    );

  program
    .command("stock")
    .argument("<file>", "JSON: a store's locations, and the levels of variants at them")
    .requiredOption("--store <id|slug>")
    .description("replace a store's exact stock, whole or not at all")
    .action((path: string, options: { store: string }) =>
      perform(async ({ operator }) => {
        const { id: storeId } = await stores.get(operator, options.store);
        const input = stockOf(storeId, await jsonIn(path));
        const unknown = await inventory.replace(operator, input);
        const json = { locations: input.locations.length, levels: input.levels.length, unknown };
        const text = [
          `${counted(json.levels, "level")} at ${counted(json.locations, "location")}.`,
          ...(unknown > 0 ? [`Of ids that the catalogue does not have: ${unknown}. No agent is told of these.`] : []),
        ];
        return { json, text: text.join("\n") };
      }),
    );
}

const merchantIn = (given: string) => (z.uuid().safeParse(given).success ? { id: given } : { name: given });

const counted = (n: number, what: string) => `${n} ${what}${n === 1 ? "" : "s"}`;

/** @throws DomainError invalid_input, with where it is not as it must be */
function stockOf(storeId: string, given: unknown): Stock {
  const result = inventory.ReplaceInventory.safeParse({ ...z.looseObject({}).catch({}).parse(given), storeId });
  if (result.success) return result.data;
  const { issues } = result.error;
  const lines = issues.slice(0, SHOWN_ISSUES).map(({ path, message }) => `  ${path.join(".") || "file"}: ${message}`);
  const more = issues.length > lines.length ? [`  and ${issues.length - lines.length} more`] : [];
  throw new DomainError("invalid_input", ["Nothing was changed: the file is not right.", ...lines, ...more].join("\n"));
}

type Stock = z.output<typeof inventory.ReplaceInventory>;

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

const SHOWN_ISSUES = 20;

function reportTold(report: feeds.Report): Told {
  const lines = report.issues
    .slice(0, SHOWN_ISSUES)
    .map(
      (issue) =>
        `  line ${issue.line}  ${issue.severity}  ${issue.field}: ${issue.reason}${issue.value ? ` (${JSON.stringify(issue.value)})` : ""}`,
    );
  // A row may have several issues, and only the first thousand are kept.
  const more = Math.max(report.rejected + report.warnings, report.issues.length) - lines.length;
  const counts = `${report.loaded} of ${report.rows} rows loaded as ${report.products} products (${report.format}), ${report.rejected} rejected, ${report.warnings} warnings, ${report.vanished} vanished, in ${(report.durationMs / 1000).toFixed(1)} s.`;
  const rest = more > 0 ? [`  and ${more} more; --json shows up to 1,000`] : [];
  return { json: report, text: [counts, ...lines, ...rest].join("\n") };
}

/** What is wrong with a file is told alike, whether it was refused or not. */
function tellRefused(error: unknown): never {
  if (error instanceof DomainError && error.code === "feed_refused")
    print(reportTold(error.details as unknown as feeds.Report));
  throw error;
}
