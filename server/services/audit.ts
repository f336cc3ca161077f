// The record of every act. Written in the transaction of the act: no act without a record, no record without the act.
// It is kept for good, so it names people by id alone: never an address, a name of theirs, or a secret.

import type { Database } from "../../db/client";
import { audit } from "../../db/schema/operations";
import { type Actor, actorId, type Ctx } from "../context";
import type { Action } from "./audit-words";

export type { Action } from "./audit-words";

interface Act {
  /** `noun.verb`, such as `key.revoke`, with its words in audit-words.ts. */
  action: Action;
  target: [kind: string, id: string];
  before?: unknown;
  after?: unknown;
}

/** @param tx the transaction of the act itself */
export async function record(ctx: Ctx<Actor>, tx: Pick<Database, "insert">, act: Act): Promise<void> {
  await tx.insert(audit).values({
    actorKind: ctx.actor.kind,
    actorId: actorId(ctx.actor),
    action: act.action,
    targetKind: act.target[0],
    targetId: act.target[1],
    before: act.before,
    after: act.after,
    requestId: ctx.requestId,
  });
}
