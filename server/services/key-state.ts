// Where a key stands, and which count against a consumer's maximum.
import { and, eq, gt, isNull, or } from "drizzle-orm";
import { keys } from "../../db/schema/keys";
import type { Ctx } from "../context";

export type KeyState = "active" | "superseded" | "expired" | "revoked";

export function stateOf(row: typeof keys.$inferSelect, now: Date): KeyState {
  if (row.revokedAt) return "revoked";
  if (row.expiresAt && row.expiresAt <= now) return "expired";
  return row.supersededAt ? "superseded" : "active";
}

/** SQL: neither revoked, superseded nor expired. */
export const isActive = (now: Date) =>
  and(isNull(keys.revokedAt), isNull(keys.supersededAt), or(isNull(keys.expiresAt), gt(keys.expiresAt, now)));

/** How many of a consumer's keys count against its maximum: neither revoked, expired nor superseded. */
export const countActive = ({ db, now }: Pick<Ctx, "db" | "now">, consumerId: string): Promise<number> =>
  db.$count(keys, and(eq(keys.consumerId, consumerId), isActive(now)));
