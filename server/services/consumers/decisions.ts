// What a platform's owners are told of operators' decisions, whichever door those come by.
import { and, eq } from "drizzle-orm";
import type { Database } from "../../../db/client";
import type { consumers } from "../../../db/schema/consumers";
import { keys } from "../../../db/schema/keys";
import type { Ctx, Operator } from "../../context";
import { works } from "../key-state";
import * as mail from "../mail";
import { ownersOf } from "../owners";
import { currentVersion } from "../terms";

/** Mail keeps no order: of those that wait together, the last decision alone is sent. */
const decisions = [
  "application-approved",
  "application-declined",
  "application-restored",
  "production-approved",
  "production-declined",
  "production-ended",
  "access-revoked",
  "access-restored",
] as const;

export type Decided = (typeof decisions)[number];

/**
 * Mails a decision to the owners, in place of earlier ones that wait.
 * @param before the consumer as `lock` gave it in this transaction
 */
export async function tellDecision(
  ctx: Ctx<Operator>,
  tx: Database,
  before: Pick<typeof consumers.$inferSelect, "id" | "name" | "tier" | "termsVersion">,
  { news, reason = "" }: { news: Decided; reason?: string | undefined },
): Promise<void> {
  const working = await tx.$count(keys, and(eq(keys.consumerId, before.id), works(ctx.now)));
  const inForce = await currentVersion({ db: tx });
  const told = {
    ...{ consumerId: before.id, productName: before.name, reason, keys: working, tier: before.tier },
    terms: before.termsVersion === inForce ? undefined : inForce,
  };
  // That a request was declined, and why, stays true while access goes and comes back: until a later one is answered.
  const going = decisions.filter((one) => one !== "production-declined" || news.startsWith("production-"));
  for (const { name, email } of await ownersOf(tx, before.id)) {
    await mail.withdraw(tx, email, { consumerId: before.id }, { going });
    await mail.send(ctx, tx, { to: email, template: news, data: { ...told, name } });
  }
}
