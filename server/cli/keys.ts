// API keys.
import type { Command } from "commander";
import * as consumers from "../services/consumers";
import { hasAccess } from "../services/coverage";
import * as keys from "../services/keys";
import { instant, parsed, perform, scopeList, table, uuid } from "./frame";

export function addKeys(program: Command): void {
  const key = program.command("key").description("API keys");
  key
    .command("issue")
    .requiredOption("--consumer <slug>")
    .option("--name <name>", "for the list", "Command line")
    .option("--scopes <list>", "narrower than the consumer's, separated by commas", scopeList)
    .option("--expires <time>", "ISO 8601, UTC; of a day alone its beginning", instant)
    .description("issue a key; prints its value once and emails the owners")
    .action((options) => {
      const { name, scopes } = parsed(keys.IssueKey.pick({ name: true, scopes: true }), {
        name: options.name,
        scopes: options.scopes,
      });
      return perform(async ({ operator }) => {
        const { id: consumerId } = await consumers.get(operator, { slug: options.consumer });
        const made = await keys.issue(operator, {
          consumerId,
          name,
          scopes,
          expiresAt: options.expires,
        });
        const { expiresAt, ...rest } = made;
        return { json: { ...rest, expires_at: expiresAt }, text: made.value };
      });
    });
  key
    .command("list")
    .requiredOption("--consumer <slug>")
    .description("a consumer's keys; never a value. Without access, those that would work are refused")
    .action((options) =>
      perform(async ({ operator }) => {
        const { id, state } = await consumers.get(operator, { slug: options.consumer });
        const isOpen = hasAccess(state);
        const json = (await keys.list(operator, { consumerId: id })).map((row) => ({
          id: row.id,
          name: row.name,
          key: `${row.start}…${row.end}`,
          state: isOpen || row.state === "revoked" || row.state === "expired" ? row.state : "refused",
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
    .description("revoke a key: its next request gets 401, and the owners are emailed")
    .action((id: string) =>
      perform(async ({ operator }) => {
        await keys.revoke(operator, { id });
        return { json: { id, revoked: true }, text: `Revoked ${id}.` };
      }),
    );
}
