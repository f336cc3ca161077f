// What a consumer called, as operators judge it: by tool, over a day and a month. From the rollups, however much it was.
import type { Ctx, Operator } from "../../context";
import { type Counts, readOf } from "../usage-report";
import { calledOf } from "../usage-rollup";
import { beginningOf } from "../usage-steps";

export interface ToolUse {
  tool: string;
  /** Of the last 24 hours, the present one included. */
  day: Counts;
  /** Of the last 30 days, today included. */
  month: Counts;
  lastAt: Date;
}

interface ConsumerUsage {
  /** Most called first. Requests that name no tool (initialize, tools/list) are under their method. */
  tools: ToolUse[];
  /** Oldest first, one entry a day (UTC), today included. */
  days: (Counts & { at: Date })[];
  /** The last request, refused ones included; null where the log, of 90 days, has none. */
  lastAt: Date | null;
}

/** What a consumer called, with the same figures as its own Usage page. */
export async function usage(ctx: Ctx<Operator>, { consumerId }: { consumerId: string }): Promise<ConsumerUsage> {
  const { sql, now } = ctx;
  const [month, day, lastOfTools, [last]] = await Promise.all([
    readOf(ctx, consumerId, "30d"),
    readOf(ctx, consumerId, "24h"),
    // The rollups know the hour; that hour's requests know the moment, and no others are looked through for it. Of many
    // refusals alike the log has not each one: then it is the hour.
    sql<{ tool: string; at: Date }[]>`
      select r.value as tool, coalesce((select max(e.at) from usage_events e
        where e.consumer_id = ${consumerId} and e.at >= max(r.at) and e.at < max(r.at) + interval '1 hour' and ${calledOf(sql)} = r.value), max(r.at)) as at
      from (
        select at, value from usage_rollups where consumer_id = ${consumerId} and grain = 'hour' and dimension = 'tool'
          and at >= ${beginningOf("30d", now)}
        union all
        select date_trunc('hour', at, 'UTC'), value from usage_recent where consumer_id = ${consumerId} and dimension = 'tool'
      ) r group by r.value`,
    sql<{ at: Date }[]>`select at from usage_events where consumer_id = ${consumerId} order by at desc limit 1`,
  ]);
  const lastAt = new Map(lastOfTools.map(({ tool, at }) => [tool, at]));
  const today = new Map(day.shares.tool.map((share) => [share.value, share]));
  const counts = ({ calls, errors, refused }: Counts = { calls: 0, errors: 0, refused: 0 }) => ({
    calls,
    errors,
    refused,
  });
  return {
    tools: month.shares.tool.map((share) => ({
      tool: share.value,
      day: counts(today.get(share.value)),
      month: counts(share),
      // What no rollup has was called this moment.
      lastAt: lastAt.get(share.value) ?? last?.at ?? now,
    })),
    days: month.series.map((step) => ({ at: step.at, ...counts(step) })),
    lastAt: last?.at ?? null,
  };
}
