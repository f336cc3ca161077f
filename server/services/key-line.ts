// How a key ends. Rotated keys are one line: one of them is active, and at most one predecessor still works. When the active
// one is revoked, that predecessor is active again, so that every key that works counts, and can be rotated.
import { and, eq, isNotNull, isNull } from "drizzle-orm";
import type { Database } from "../../db/client";
import { keys } from "../../db/schema/keys";
import type { Ctx } from "../context";
import { works } from "./key-state";

type Key = typeof keys.$inferSelect;

/** A key as a mail names it. */
export type Shown = Pick<Key, "name" | "start" | "end">;

export interface Ended {
  revoked: Key;
  /** The predecessor that is active again. */
  again: Key | undefined;
}

/**
 * Revokes a key, under its consumer's lock; one that is revoked already stays as it is.
 * @param by whose act it is
 */
export async function end(
  { now }: Pick<Ctx, "now">,
  tx: Database,
  { id, by }: { id: string; by: string | null },
): Promise<Ended | undefined> {
  const [revoked] = await tx
    .update(keys)
    .set({ revokedAt: now, revokedBy: by })
    .where(and(eq(keys.id, id), isNull(keys.revokedAt)))
    .returning();
  if (!revoked) return undefined;
  if (revoked.supersededAt) return { revoked, again: undefined };
  const [again] = await tx
    .update(keys)
    .set({ supersededAt: null })
    .where(and(eq(keys.line, revoked.line), isNotNull(keys.supersededAt), works(now)))
    .returning();
  return { revoked, again };
}

/** For the audit of an end. */
export const recorded = ({ again }: Ended) => (again ? { activeAgain: again.id } : undefined);

/** A key's first and last characters, which tell it from others. */
export const shown = ({ start, end }: Pick<Shown, "start" | "end">) => `${start}…${end}`;
