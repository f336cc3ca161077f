// The record of every act. Written in the transaction of the act: no act without a record, no record without the act.
// It is kept for good, so it names people by id alone: never an address, a name of theirs, or a secret.

import type { Database } from "../../db/client";
import { audit } from "../../db/schema/operations";
import { type Actor, actorId, type Ctx } from "../context";
import type { Action, TargetKind } from "./audit-words";

export type { Action } from "./audit-words";

interface Act {
  /** `noun.verb`, such as `key.revoke`, with its words in audit-words.ts. */
  action: Action;
  target: readonly [kind: TargetKind, id: string];
  before?: unknown;
  after?: unknown;
}

/** @param tx the transaction of the acts themselves */
export async function record(ctx: Ctx<Actor>, tx: Pick<Database, "insert">, ...acts: Act[]): Promise<void> {
  if (acts.length === 0) return;
  await tx.insert(audit).values(
    acts.map(({ action, target: [targetKind, targetId], before, after }) => ({
      actorKind: ctx.actor.kind,
      actorId: actorId(ctx.actor),
      action,
      targetKind,
      targetId,
      before,
      after,
      requestId: ctx.requestId,
    })),
  );
}
