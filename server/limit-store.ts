// How rate limits are counted: people's tries by rate-limiter-flexible, calls by statements of ours, since many are counted at once.
import { hash } from "node:crypto";
import { RateLimiterPostgres } from "rate-limiter-flexible";
import type { Sql } from "../db/client";
import * as clock from "./clock";
import { turnsOfEach } from "./services/turns";

/** The window of callers' limits. */
export const WINDOW_MS = 60_000;
/** Key prefix of a consumer's row in `rate_limits`, shared with services/key-admission.ts. */
export const CONSUMER_COUNTER = "consumer:";
/** Key of the row in `rate_limits` that counts the refused keys of an address. */
export const refusedKeysOf = (address: string) => `refused-key:${network(address)}`;

/** The network that an address is throttled by: an IPv4 address itself; of IPv6 its /64, since whoever has one address there has all. */
export function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, "");
  if (!plain.includes(":")) return plain;
  const [head = "", tail] = plain.split("%", 1)[0]!.toLowerCase().split("::");
  const groups = (text: string | undefined) => (text ? text.split(":") : []);
  const missing = tail === undefined ? 0 : 8 - groups(head).length - groups(tail).length;
  const all = [...groups(head), ...Array<string>(Math.max(0, missing)).fill("0"), ...groups(tail)];
  return `${all
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ""))
    .join(":")}::/64`;
}

/** An address's network as it is stored in keys: a hash of `networkOf`. */
export const network = (address: string) => hashed(networkOf(address));

/** User input never becomes a key: it is hashed first. */
export const hashed = (text: string) => hash("sha256", text, "base64url");

/** A request's place among its caller's in the present window, and when that ends. */
export interface Place {
  place: number;
  /** Milliseconds since 1970, by the clock that all instances share. */
  until: number;
  /** Not counted just now, but known from before: when the window ends was settled then. */
  isRemembered?: true;
}

/** Is it a time, among a statement's values? The library writes them in milliseconds since 1970, which no count ever reaches. */
const isTime = (value: unknown): value is number => typeof value === "number" && value > 1e12;

/**
 * rate-limiter-flexible, which only counts: what a count may be, its callers compare, and they name the window with each. It stores
 * times by the clock that all instances share: so a window is as long as anywhere else on a machine whose own clock is wrong.
 * Counts of one row wait for one another here, not with a connection each: the row takes them one after the other in any case.
 */
export function limiterOn(sql: Sql): RateLimiterPostgres {
  const { inTurn } = turnsOfEach(1);
  const query = async ({ text, values }: { text: string; values: unknown[] }) => {
    const shared = values.map((value) => (isTime(value) ? value + clock.now().getTime() - Date.now() : value));
    const rows = await inTurn(String(values[0]), () =>
      sql.unsafe<{ points: number; expire: number | null }[]>(text, shared as never[], { prepare: true }),
    );
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
    duration: 0,
  });
}

/**
 * SQL: turns synchronous_commit off for this statement. That is safe where a call's answer waits for a later commit that is
 * synchronous (of its usage row, or of a flush), since with that one this one is on disk too, and where what a crash takes
 * away is made up for (see `insertEnded` in usage-begun.ts). Beyond that a crash may only lose the count of a refused key, and the
 * number of refusals that have no row (decision 0040).
 */
export const unwaited = (sql: Sql) => sql`(select set_config('synchronous_commit', 'off', true)) unwaited`;

/**
 * A window that ends later than this from now began before the database's clock was set back: it counts as over. More than
 * a window, since instances know the time only so well.
 */
const LATEST_MS = 2 * WINDOW_MS;

/** SQL: the end of an insert into `rate_limits as had`: adds to what was there, unless its window is over. @param now ms since 1970 */
export function addUp(sql: Sql, now: number) {
  const isOver = sql`had.expire <= ${now} or had.expire > ${now + LATEST_MS}`;
  return sql`
    on conflict (key) do update set
      points = case when ${isOver} then excluded.points else had.points + excluded.points end,
      expire = case when ${isOver} then excluded.expire else had.expire end
    returning key, points, expire`;
}

/**
 * Counts requests, of each caller all in one row, and gives each its own place. Keys are locked in their order, so that two
 * instances never wait for each other. Arrays stand in subqueries, so that one plan serves any number.
 * @param keys of their callers
 */
export async function countEach(sql: Sql, keys: string[]): Promise<Place[]> {
  const now = clock.now().getTime();
  const waiting = new Map<string, number>();
  for (const key of keys) waiting.set(key, (waiting.get(key) ?? 0) + 1);
  const rows = await sql<{ key: string; points: number; expire: number }[]>`
    insert into rate_limits as had (key, points, expire)
    select asked.key, asked.requests, ${now + WINDOW_MS}::bigint from ${unwaited(sql)},
      unnest((select ${[...waiting.keys()]}::text[]), (select ${[...waiting.values()]}::int[])) asked (key, requests)
    order by asked.key
    ${addUp(sql, now)}`;
  const counted = new Map(rows.map((row) => [row.key, row]));
  return keys.map((key) => {
    const left = waiting.get(key)! - 1;
    waiting.set(key, left);
    const { points, expire } = counted.get(key)!;
    return { place: points - left, until: expire };
  });
}

/**
 * Counts a request in `part` and, while that has at most `most`, in `whole`. Both are in the window of `whole`, so that a part
 * never gets more than its own share of one. A row belongs to that window if it ends at about the same time: two instances
 * that began it at once may differ a little.
 */
export async function countPart(
  sql: Sql,
  { whole, part, most }: { whole: string; part: string; most: number },
): Promise<{ part: Place; whole: Place | undefined }> {
  const now = clock.now().getTime();
  const [row] = await sql<[{ part: number; whole: number | null; expire: number }]>`
    with present as (
      -- Locked: else both could be counted in windows of their own, where another instance is just beginning the next one.
      -- Whatever its window: so everybody locks first the whole, then the part.
      select coalesce((select case when expire > ${now} and expire <= ${now + LATEST_MS} then expire end from rate_limits
        where key = ${whole} for no key update), ${now + WINDOW_MS}::bigint) as expire
    ), of_part as (
      insert into rate_limits as had (key, points, expire)
      select ${part}, 1, expire from present, ${unwaited(sql)}
      on conflict (key) do update set expire = excluded.expire,
        points = case when abs(had.expire - excluded.expire) < ${WINDOW_MS / 2} then had.points + 1 else 1 end
      returning points
    ), of_whole as (
      insert into rate_limits as had (key, points, expire)
      select ${whole}, 1, present.expire from present, of_part where of_part.points <= ${most}
      ${addUp(sql, now)}
    )
    select of_part.points as part, of_whole.points as whole, coalesce(of_whole.expire, present.expire) as expire
    from present cross join of_part left join of_whole on true`;
  const { part: place, whole: wholePlace, expire: until } = row;
  return { part: { place, until }, whole: wholePlace === null ? undefined : { place: wholePlace, until } };
}
