import { setTimeout as sleep } from "node:timers/promises";
import type { Sql } from "../../db/client";
import { rollUp } from "../../server/services/usage-rollup";

/** Counts all usage, and adds minutes that are not over to the rollups too. @returns how many requests were counted */
export const rollUpAll = ({ sql }: { sql: Sql }): Promise<number> => rollUp({ sql }, { until: new Date("9999-01-01") });

/** Until every request that was answered has its row. */
export async function untilRecorded({ sql }: { sql: Sql }): Promise<void> {
  while ((await sql`select from usage_begun limit 1`).length > 0) await sleep(5);
}
