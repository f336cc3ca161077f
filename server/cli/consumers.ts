// Consumers: the platforms that call tools.
import { type Command, CommanderError, Option } from "commander";
import * as consumers from "../services/consumers";
import { integer, parsed, perform, scopeList, table, told } from "./frame";

export function addConsumers(program: Command): void {
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
      perform(async ({ operator }) => told(consumerTold(await consumers.get(operator, { slug: options.consumer })))),
    );
  consumer
    .command("set")
    .requiredOption("--consumer <slug>")
    .option("--rate-limit <n>", "requests per minute over all keys", integer)
    .option("--max-keys <n>", "active keys at most", integer)
    .option("--scopes <list>", "separated by commas", scopeList)
    .addOption(
      new Option(
        "--tier <tier>",
        "production goes live without review: merchants whose stores it can then read are notified. Owners are mailed either way",
      ).choices(["sandbox", "production"]),
    )
    .addOption(
      new Option(
        "--coverage <mode>",
        "default_on: every store that has not blocked it; explicit: only stores that granted it. In production, merchants of stores that it can read from then on are notified",
      ).choices(["default_on", "explicit"]),
    )
    .option(
      "--utm-source <name>",
      "the platform's credit in product_url, unique; an empty one: the slug in production, else none",
    )
    .option("--directory-slug <slug>", "issue a directory endpoint, in production; an empty one withdraws it")
    .description("change a consumer, from its next request")
    .action((options) => {
      const { consumer: slug, ...given } = options;
      for (const field of ["utmSource", "directorySlug"]) if (given[field] === "") given[field] = null;
      const set = parsed(consumers.ChangeConsumer, given);
      if (Object.keys(set).length === 0) throw new CommanderError(2, "aisle.nothing", "error: say what to set");
      return perform(async ({ operator }) => told(consumerTold(await consumers.change(operator, { slug, set }))));
    });
}

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
