// `npm run aisle -- <command>`: the operators' command line. Exit 0 done, 1 refused (reason on stderr), 2 usage.
// With --json one JSON value and nothing else on stdout.
import { type Command, CommanderError, Option } from "commander";
import { addBackup } from "./cli/backup";
import { addConsumers } from "./cli/consumers";
import { perform, program, table } from "./cli/frame";
import { addKeys } from "./cli/keys";
import { addPeople } from "./cli/people";
import { addStores } from "./cli/stores";
import { reasonOf } from "./error-report";
import { DomainError, isOutage } from "./errors";
import { seed } from "./seed";
import * as demo from "./services/demo";

program
  .command("demo")
  .description("URL, sign-ins, consumer and store ids of the demo")
  .action(() =>
    perform(async ({ system, url }) => {
      const found = await demo.describe(system, url);
      if (found.sign_ins.length === 0)
        throw new DomainError("not_found", "There is no demo in this database. The command seed loads it.");
      const signIns = found.sign_ins.map(({ is_own, ...one }) => {
        return { ...one, password: demo.passwordShown({ ...one, is_own }) };
      });
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
  .description(
    "load the demo's stores, accounts and consumer; what is there stays, but for passwords of a secret key of before",
  )
  .action(() =>
    perform(async ({ system }) => {
      const json = await seed(system);
      const made = [...json.stores, ...json.accounts];
      const text = [
        ...(made.length > 0 ? [`Loaded ${made.join(", ")}.`] : []),
        ...(json.renewed.length > 0 ? [`New passwords for ${json.renewed.join(", ")}.`] : []),
      ];
      return { json, text: text.join("\n") || "Everything was there already." };
    }, "filler"),
  );

addPeople(program);
addStores(program);
addConsumers(program);
addKeys(program);
addBackup(program);

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
    const reason = reasonOf(error);
    const told = isOutage(error) ? `The database is away or busy (${reason}). Try again once it is not.` : reason;
    process.stderr.write(`${told}\n`);
    process.exitCode = 1;
  }
}
