// What operators do to a platform's keys is mailed to its owners (decision 0054). Not the demo's: one is issued at each start,
// and nobody reads its owner's mail.
import type { Database } from "../../db/client";
import type { consumers } from "../../db/schema/consumers";
import type { Ctx } from "../context";
import { DEMO_CONSUMER } from "./demo-consumer";
import type { KeyKeeper } from "./key-keeper";
import * as line from "./key-line";
import * as mail from "./mail";
import { ownersOf } from "./owners";

/** Who is told, and of which platform. */
export interface Told {
  consumer: typeof consumers.$inferSelect;
  owners: Awaited<ReturnType<typeof ownersOf>>;
}

/** Who is to be told of an act on a consumer's keys. Asked before it touches them, since accounts are locked first. */
export async function toTell(ctx: Ctx<KeyKeeper>, tx: Database, consumer: Told["consumer"]): Promise<Told> {
  const isOwn = ctx.actor.kind === "member" || consumer.slug === DEMO_CONSUMER;
  return { consumer, owners: isOwn ? [] : await ownersOf(tx, consumer.id) };
}

/** Which key, as each of these mails names it. */
const named = ({ id, name, state }: Told["consumer"], key: line.Shown) => ({
  consumerId: id,
  productName: name,
  state,
  name: key.name,
  shown: line.shown(key),
});

/** Mails the owners that an operator issued a key. */
export async function tellIssued(ctx: Ctx<KeyKeeper>, tx: Database, { consumer, owners }: Told, key: line.Shown) {
  const data = named(consumer, key);
  for (const { email } of owners) await mail.send(ctx, tx, { to: email, template: "key-issued", data });
}

/** Mails the owners that an operator revoked a key. */
export async function tellRevoked(
  ctx: Ctx<KeyKeeper>,
  tx: Database,
  { consumer, owners }: Told,
  { revoked, again }: line.Ended,
) {
  const data = { ...named(consumer, revoked), again: again && line.shown(again) };
  for (const { email } of owners) await mail.send(ctx, tx, { to: email, template: "key-revoked", data });
}
