// A key that expires stops whatever calls with it: the owners of its consumer are mailed seven days before. Keys are marked
// in the transaction that writes the mails: each is told once, whatever runs at the same time or crashes.
import { and, asc, eq, isNull } from "drizzle-orm";
import type { Database } from "../../db/client";
import { consumers } from "../../db/schema/consumers";
import { keys } from "../../db/schema/keys";
import type { Ctx, System } from "../context";
import { each } from "./each";
import { shown } from "./key-line";
import { expiresSoon } from "./key-state";
import * as mail from "./mail";
import { ownersOf } from "./owners";

const isUntold = (now: Date) => and(expiresSoon(now), isNull(keys.expiryToldAt));

/**
 * Mails what was not told yet: to each owner, of each consumer, all of it in one. A run that was missed is made up for by
 * the next one, and one too many does nothing.
 * @returns how many mails were written
 * @throws AggregateError with the consumers whose owners could not be told
 */
export async function tell(ctx: Ctx<System>): Promise<number> {
  const waiting = await ctx.db
    .selectDistinct({ id: keys.consumerId })
    .from(keys)
    .where(isUntold(ctx.now))
    .orderBy(asc(keys.consumerId));
  const written = await each(waiting.map(({ id }) => [id, () => ctx.db.transaction((tx) => tellOwners(ctx, tx, id))]));
  return written.reduce((sum, mails) => sum + mails, 0);
}

/** Under the consumer's lock: of runs at the same time, the first takes all and the others find nothing. */
async function tellOwners(ctx: Ctx<System>, tx: Database, consumerId: string): Promise<number> {
  const [consumer] = await tx
    .select({ name: consumers.name })
    .from(consumers)
    .where(eq(consumers.id, consumerId))
    .for("no key update");
  const owners = await ownersOf(tx, consumerId);
  // An owner may yet be added.
  if (!consumer || owners.length === 0) return 0;
  const taken = await tx
    .update(keys)
    .set({ expiryToldAt: ctx.now })
    .where(and(eq(keys.consumerId, consumerId), isUntold(ctx.now)))
    .returning({ name: keys.name, start: keys.start, end: keys.end, expiresAt: keys.expiresAt });
  if (taken.length === 0) return 0;
  const told = taken
    .toSorted((a, b) => a.expiresAt!.getTime() - b.expiresAt!.getTime())
    .map(({ name, expiresAt, ...ends }) => ({ name, shown: shown(ends), at: expiresAt!.toISOString() }));
  for (const { email } of owners) {
    const data = { consumerId, productName: consumer.name, keys: told };
    await mail.send(ctx, tx, { to: email, template: "keys-expiring", data });
  }
  return owners.length;
}
