// Keys that were found where everybody can read them. A reported key is revoked at once, whatever would keep people from
// doing so (tier, terms, state), and its consumer's owners hear of it. The value is hashed on arrival.
import { and, eq, inArray, isNull } from "drizzle-orm";
import { z } from "zod";
import { consumers } from "../../db/schema/consumers";
import { keys } from "../../db/schema/keys";
import type { Ctx, System } from "../context";
import * as audit from "./audit";
import { hashOf, isWellFormed } from "./key-format";
import * as line from "./key-line";
import * as mail from "./mail";
import { ownersOf } from "./owners";
import { redactText } from "./redaction";

/**
 * What was found, in the words of GitHub's secret scanning partner program. Only the token must be as expected: whatever
 * else is said of one finding, no leaked key goes on working for it.
 */
export const Finding = z.object({
  token: z.string().max(10_000),
  type: z.string().max(200).catch(""),
  /** Where; may be empty. */
  url: z.string().max(10_000).catch(""),
  /** In what: `content`, `commit`, `pull_request_description`, `npm`… */
  source: z.string().max(100).catch("unknown"),
});
export type Finding = z.infer<typeof Finding>;
export const Findings = z.array(Finding).max(1_000);

/** Was it a key of ours? One that was revoked before is, too. */
export type Label = "true_positive" | "false_positive";

/**
 * Revokes every key that is among them; one that was revoked before stays as it was, and nobody is told again.
 * @returns a label for each, in their order
 */
export async function report(ctx: Ctx<System>, findings: Finding[]): Promise<Label[]> {
  const hashes = findings.map(({ token }) => (isWellFormed(token) ? hashOf(token) : undefined));
  const asked = hashes.filter((hash) => hash !== undefined);
  if (asked.length === 0) return findings.map(() => "false_positive");
  const known = await ctx.db.select({ hash: keys.hash }).from(keys).where(inArray(keys.hash, asked));
  const ours = new Set(known.map(({ hash }) => hash.toString("hex")));
  const labels: Label[] = [];
  for (const [i, finding] of findings.entries()) {
    const hash = hashes[i];
    const isOurs = hash !== undefined && ours.has(hash.toString("hex"));
    if (isOurs) await revoke(ctx, hash, finding);
    labels.push(isOurs ? "true_positive" : "false_positive");
  }
  return labels;
}

/** Of reports that come at once, one revokes and tells. */
async function revoke(ctx: Ctx<System>, hash: Buffer, { url, source }: Finding): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const [key] = await tx
      .select({ id: keys.id, consumerId: keys.consumerId, productName: consumers.name, state: consumers.state })
      .from(keys)
      .innerJoin(consumers, eq(consumers.id, keys.consumerId))
      .where(and(eq(keys.hash, hash), isNull(keys.revokedAt)))
      // Locked before its owners and the key itself, as when an account is deleted.
      .for("no key update", { of: consumers });
    if (!key) return;
    const { id, consumerId, productName, state } = key;
    const owners = await ownersOf(tx, consumerId);
    const ended = await line.end(ctx, tx, { id, by: null });
    if (!ended) return;
    // The place may quote the key itself.
    const after = { url: redactText(url), source: redactText(source), ...line.recorded(ended) };
    await audit.record(ctx, tx, { action: "key.revoke_leaked", target: ["key", id], after });
    const { revoked, again } = ended;
    const data = {
      consumerId,
      productName,
      state,
      name: revoked.name,
      shown: line.shown(revoked),
      where: after.url,
      again: again && line.shown(again),
    };
    for (const { email } of owners) await mail.send(ctx, tx, { to: email, template: "key-leaked", data });
  });
}
