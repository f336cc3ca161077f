import type { Sql } from "../../db/client";
import { rollUp } from "../../server/services/usage-rollup";

/** Counts all usage, and adds minutes that are not over to the rollups too. @returns how many requests were counted */
export const rollUpAll = ({ sql }: { sql: Sql }): Promise<number> => rollUp({ sql }, { until: new Date("9999-01-01") });
