// How rate limits are counted: rate-limiter-flexible, on statements of ours where many count at once.
import { RateLimiterPostgres } from "rate-limiter-flexible";
import type { Sql } from "../db/client";
import * as clock from "./clock";

/** The window of callers' limits. */
export const WINDOW_MS = 60_000;
/** The row of `rate_limits` in which a consumer's requests are counted, as keys are (services/key-admission.ts) or by themselves. */
export const CONSUMER_COUNTER = "consumer:";

/** A request's place among its caller's in the present window, and how long that still lasts. */
export interface Place {
  place: number;
  msBeforeNext: number;
}

/** A row of `rate_limits`. */
interface Counted {
  points: number;
  /** Milliseconds since 1970. */
  expire: number | null;
}

/** Sends a statement of the library's, or what does the same. */
type Ask = (text: string, values: unknown[]) => Promise<readonly Counted[]>;

/** As the library has it: a statement for each count. */
export const oneByOne =
  (sql: Sql): Ask =>
  async (text, values) =>
    sql.unsafe(text, values as never[], { prepare: true });

/** The library tells time by this machine's clock. Its times are milliseconds since 1970, which no count ever reaches. */
const isTime = (value: unknown): value is number => typeof value === "number" && value > 1e12;

/**
 * The limit belongs to the caller, not to the limiter, so the limiter counts and we compare. What it stores is told in
 * the time that all instances share: on a machine whose clock is wrong, a window is as long as anywhere else.
 *
 * @param duration seconds of a window, unless a count names its own
 */
export function limiterOn(ask: Ask, duration: number): RateLimiterPostgres {
  const query = async ({ text, values }: { text: string; values: unknown[] }) => {
    const shared = values.map((value) => (isTime(value) ? value + clock.now().getTime() - Date.now() : value));
    const rows = await ask(text, shared);
    const behind = Date.now() - clock.now().getTime();
    return { rows: rows.map((row) => ({ ...row, expire: row.expire && row.expire + behind })), rowCount: rows.length };
  };
  return new RateLimiterPostgres({
    storeClient: { query },
    storeType: "pool",
    tableName: "rate_limits",
    tableCreated: true,
    clearExpiredByTimeout: false,
    keyPrefix: "",
    points: Number.MAX_SAFE_INTEGER,
    duration,
  });
}

/**
 * Beside what is inserted into `rate_limits`: the statement does not wait for the disk. An answer leaves after the commit
 * of its usage row, which does, and with which everything before it is on disk too.
 */
export const unwaited = (sql: Sql) => sql`(select set_config('synchronous_commit', 'off', true)) unwaited`;

/** Adds what is inserted into `rate_limits as had` to what was there, unless its window is over. @param now ms since 1970 */
export const addUp = (sql: Sql, now: number) => sql`
  on conflict (key) do update set
    points = case when had.expire <= ${now} then excluded.points else had.points + excluded.points end,
    expire = case when had.expire <= ${now} then excluded.expire else had.expire end
  returning key, points, expire`;

/**
 * The limiter's upserts of one turn, whose keys are distinct, as one statement. Keys are locked in their order, so that
 * two instances never wait for each other. Arrays stand in subqueries, so that one plan serves any number.
 */
export function upsertsTogether(sql: Sql): Ask {
  interface Waiting {
    values: unknown[];
    resolve: (rows: Counted[]) => void;
    reject: (error: unknown) => void;
  }
  let waiting: Waiting[] = [];

  async function send(): Promise<void> {
    const taken = waiting;
    waiting = [];
    const now = clock.now().getTime();
    const column = (i: number) => taken.map(({ values }) => String(values[i]));
    try {
      const rows = await sql<(Counted & { key: string })[]>`
        insert into rate_limits as had
        select asked.* from ${unwaited(sql)},
          unnest((select ${column(0)}::text[]), (select ${column(1)}::int[]), (select ${column(2)}::bigint[])) asked (key, points, expire)
        order by asked.key
        ${addUp(sql, now)}`;
      const counted = new Map(rows.map((row) => [row.key, row]));
      for (const { values, resolve } of taken) resolve([counted.get(values[0] as string)!]);
    } catch (error) {
      for (const { reject } of taken) reject(error);
    }
  }

  return (_text, values) =>
    new Promise<Counted[]>((resolve, reject) => {
      if (waiting.push({ values, resolve, reject }) === 1) queueMicrotask(send);
    });
}
