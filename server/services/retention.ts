// What must happen now and then to the tables that grow.
import type { Ctx, System } from "../context";
import { ensurePartitions } from "./usage";

const DAY_MS = 86_400_000;

/** Partitions for the days to come; counters of windows long over go. Safe on any instance at any time. */
export async function run(ctx: Ctx<System>): Promise<void> {
  await ensurePartitions(ctx);
  await ctx.sql`delete from rate_limits where expire < ${ctx.now.getTime() - DAY_MS}`;
}
