// What operators decide of platforms: who waits for it.
import { count, inArray } from "drizzle-orm";
import { consumers } from "../../db/schema/consumers";
import type { Ctx, Operator } from "../context";

/** How many applications and production requests wait for a decision. */
export async function countWaiting(ctx: Ctx<Operator>): Promise<number> {
  const [row] = await ctx.db
    .select({ waiting: count() })
    .from(consumers)
    .where(inArray(consumers.state, ["under_review", "production_requested"]));
  return row!.waiting;
}
