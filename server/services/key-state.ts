// The state of a key, which keys count against a consumer's maximum, and which are about to expire while they are still used.
import { and, eq, gt, isNull, lte, or, sql as raw } from "drizzle-orm";
import { keys } from "../../db/schema/keys";
import { DAY_MS } from "../clock";
import type { Ctx } from "../context";

export type KeyState = "active" | "superseded" | "expired" | "revoked";

export function stateOf(row: typeof keys.$inferSelect, now: Date): KeyState {
  if (row.revokedAt) return "revoked";
  if (row.expiresAt && row.expiresAt <= now) return "expired";
  return row.supersededAt ? "superseded" : "active";
}

/** SQL: neither revoked nor expired. */
export const works = (now: Date) => and(isNull(keys.revokedAt), or(isNull(keys.expiresAt), gt(keys.expiresAt, now)));

/** SQL: neither revoked, superseded nor expired. */
export const isActive = (now: Date) => and(works(now), isNull(keys.supersededAt));

/** How many of a consumer's keys count against its maximum: neither revoked, expired nor superseded. */
export const countActive = ({ db, now }: Pick<Ctx, "db" | "now">, consumerId: string): Promise<number> =>
  db.$count(keys, and(eq(keys.consumerId, consumerId), isActive(now)));

/** How long before an expiry it is told. Whoever chose a nearer one knows of it. */
const TOLD_DAYS = 7;
const USED_DAYS = 30;

/**
 * SQL: works, is still used, and expires within seven days, though it was issued for longer. A rotated key was issued when the
 * first of its line was, since it has the expiry that was chosen then.
 */
export const expiresSoon = (now: Date) =>
  and(
    isNull(keys.revokedAt),
    gt(keys.expiresAt, now),
    lte(keys.expiresAt, new Date(now.getTime() + TOLD_DAYS * DAY_MS)),
    gt(keys.lastUsedAt, new Date(now.getTime() - USED_DAYS * DAY_MS)),
    or(isNull(keys.supersededAt), gt(keys.lastUsedAt, keys.supersededAt)),
    raw`${keys.expiresAt} > make_interval(hours => ${TOLD_DAYS * 24}) + (select min(k.created_at) from keys k
      where k.consumer_id = ${keys.consumerId} and k.line = ${keys.line})`,
    raw`exists (select from consumers c where c.id = ${keys.consumerId} and c.state not in ('revoked', 'under_review'))`,
  );
