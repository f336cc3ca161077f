// Operators, anybody's sessions, and a second factor that was lost.
import type { Command } from "commander";
import * as accounts from "../services/accounts";
import { parsed, perform, table } from "./frame";

export function addPeople(program: Command): void {
  const operator = program.command("operator").description("operators");
  operator
    .command("create")
    .requiredOption("--email <address>")
    .requiredOption("--name <name>")
    .description("create an operator; prints the first password once")
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
  operator
    .command("list")
    .description("every operator, and since when their login asks for a code")
    .action(() =>
      perform(async ({ operator }) => {
        const json = (await accounts.operators(operator)).map(({ secondFactor, ...row }) => ({
          ...row,
          second_factor_since: secondFactor,
        }));
        return { json, text: table(json, "No operators.") };
      }),
    );
  operator
    .command("remove")
    .requiredOption("--email <address>")
    .description("remove an operator and log them out; the account stays")
    .action((options) => {
      const input = parsed(accounts.OfAccount, { email: options.email });
      return perform(async ({ operator }) => {
        await accounts.removeOperator(operator, input);
        return { json: { ...input, removed: true }, text: `${input.email} is no longer an operator.` };
      });
    });

  const account = program.command("account").description("people's accounts");
  account
    .command("remove-second-factor")
    .requiredOption("--email <address>")
    .description(
      "for someone who has lost their authenticator app and recovery codes; make sure that it is them first. Logs them out everywhere; then the password alone logs them in",
    )
    .action((options) => {
      const input = parsed(accounts.OfAccount, { email: options.email });
      return perform(async ({ operator }) => {
        await accounts.removeSecondFactor(operator, input);
        const text = `${input.email} was logged out everywhere, logs in with the password alone from now on, and is mailed about it.`;
        return { json: { ...input, removed: true }, text };
      });
    });
  account
    .command("log-out")
    .requiredOption("--email <address>")
    .description("log someone out everywhere; their password still works")
    .action((options) => {
      const input = parsed(accounts.OfAccount, { email: options.email });
      return perform(async ({ operator }) => {
        const sessions = await accounts.revokeSessions(operator, input);
        const text = `Ended ${sessions} ${sessions === 1 ? "session" : "sessions"} of ${input.email}.`;
        return { json: { ...input, sessions }, text };
      });
    });
}
