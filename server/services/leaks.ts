// Keys that were found where everybody can read them. Who reports one means it: it is revoked at once, whatever stands in
// the way of acts by people (tier, terms, state), and its consumer's owners hear of it. The value is hashed on arrival.
import { and, eq, inArray, isNull } from "drizzle-orm";
import { z } from "zod";
import { accounts } from "../../db/schema/accounts";
import { consumers, members } from "../../db/schema/consumers";
import { keys } from "../../db/schema/keys";
import type { Ctx, System } from "../context";
import * as audit from "./audit";
import { hashOf, isWellFormed } from "./key-format";
import * as mail from "./mail";
import { redactText } from "./redaction";

/** What was found, in the words of GitHub's secret scanning partner program. */
export const Finding = z.object({
  token: z.string().max(10_000),
  type: z.string().max(200),
  /** Where; may be empty. */
  url: z.string().max(10_000).default(""),
  /** In what: `content`, `commit`, `pull_request_description`, `npm`… */
  source: z.string().max(100).default("unknown"),
});
export type Finding = z.infer<typeof Finding>;
export const Findings = z.array(Finding).max(1_000);

/** Was it a key of ours? One that was revoked before is, too. */
export type Label = "true_positive" | "false_positive";

/**
 * Revokes every key that is among them; one that no longer worked stays as it was, and nobody is told again.
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
      .update(keys)
      .set({ revokedAt: ctx.now })
      .where(and(eq(keys.hash, hash), isNull(keys.revokedAt)))
      .returning();
    if (!key) return;
    // The place may quote the key itself.
    const after = { url: redactText(url), source: redactText(source) };
    await audit.record(ctx, tx, { action: "key.revoke_leaked", target: ["key", key.id], after });
    const owners = await tx
      .select({ email: accounts.email, productName: consumers.name })
      .from(members)
      .innerJoin(accounts, eq(accounts.id, members.accountId))
      .innerJoin(consumers, eq(consumers.id, members.consumerId))
      .where(and(eq(members.consumerId, key.consumerId), eq(members.role, "owner")));
    for (const { email, productName } of owners) {
      const data = {
        consumerId: key.consumerId,
        productName,
        name: key.name,
        shown: `${key.start}…${key.end}`,
        where: after.url,
      };
      await mail.send(ctx, tx, { to: email, template: "key-leaked", data });
    }
  });
}
