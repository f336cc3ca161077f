// What a consumer called, as operators judge it: by tool, over a day and a month.
import type { Ctx, Operator } from "../../context";

const DAY_MS = 86_400_000;
const DAYS = 30;

export interface ToolUse {
  tool: string;
  /** Of the last 24 hours. */
  day: { calls: number; errors: number };
  /** Of the last 30 days. */
  month: { calls: number; errors: number };
  lastAt: Date;
}

export interface ConsumerUsage {
  /** Most called first. Requests that name no tool (initialize, tools/list) are under their method. */
  tools: ToolUse[];
  /** Oldest first, one entry a day (UTC), today included. */
  days: { at: Date; calls: number; errors: number }[];
  /** The last request ever; null before the first. */
  lastAt: Date | null;
}

/** Refusals of the limit count as errors, as on the developer's own Overview. */
export async function usage(ctx: Ctx<Operator>, input: { consumerId: string }): Promise<ConsumerUsage> {
  const { sql, now } = ctx;
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  const from = new Date(today - (DAYS - 1) * DAY_MS);
  const dayAgo = new Date(now.getTime() - DAY_MS);
  const [rows, byDay, [last]] = await Promise.all([
    sql<{ tool: string; dayCalls: number; dayErrors: number; calls: number; errors: number; lastAt: Date }[]>`
      select coalesce(tool, method) as tool, count(*)::int as calls, count(error_code)::int as errors, max(at) as "lastAt",
        count(*) filter (where at >= ${dayAgo})::int as "dayCalls",
        count(error_code) filter (where at >= ${dayAgo})::int as "dayErrors"
      from usage_events where consumer_id = ${input.consumerId} and at >= ${from} group by 1 order by calls desc, 1`,
    sql<{ at: Date; calls: number; errors: number }[]>`
      select date_trunc('day', at, 'UTC') as at, count(*)::int as calls, count(error_code)::int as errors
      from usage_events where consumer_id = ${input.consumerId} and at >= ${from} group by 1`,
    sql<{ at: Date }[]>`select at from usage_events where consumer_id = ${input.consumerId} order by at desc limit 1`,
  ]);
  const found = new Map(byDay.map((row) => [row.at.getTime(), row]));
  return {
    tools: rows.map(({ tool, dayCalls, dayErrors, calls, errors, lastAt }) => ({
      tool,
      day: { calls: dayCalls, errors: dayErrors },
      month: { calls, errors },
      lastAt,
    })),
    days: Array.from({ length: DAYS }, (_, i) => {
      const at = new Date(from.getTime() + i * DAY_MS);
      return found.get(at.getTime()) ?? { at, calls: 0, errors: 0 };
    }),
    lastAt: last?.at ?? null,
  };
}
