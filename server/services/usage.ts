// One row for each counted request, of which no answered one is ever lost: on disk before its answer leaves, or following what
// is on disk then (usage-begun.ts).
// Refusals that cost their sender nothing are each counted too, but only so many a minute have a row of their own.
import * as clock from "../clock";
import type { Consumer, Ctx } from "../context";
import { unwaited } from "../limit-store";
import { coalesce, perClient } from "./coalesce";
import { ended } from "./key-admission";
import { type Begun, follow } from "./usage-begun";
import { type Caller, insertRows, type Recorded, type UsageEvent, usageRow } from "./usage-rows";

export type { Begun } from "./usage-begun";
export type { Caller, ClientReport, UsageEvent } from "./usage-rows";

/** In the place of the method, where a key was refused: the body of such a request is not read. */
export const UNREAD = "unread";

/**
 * Writes the row of this request, and at most once a minute that its key was used.
 * @param begun where it was written down already that the request has begun: then its row follows, and nobody waits for it
 */
export async function record(ctx: Recorded, event: UsageEvent, begun?: Begun): Promise<void> {
  const { actor } = ctx;
  // What was written down as begun always gets its row: without one it would be counted again, as interrupted. That is no flood,
  // since there are never more of these than are under way.
  if (isFree(event) && !mayBeLogged(ctx.now, loggedKind(actor, event)) && !begun)
    return countRefusal(ctx.sql)({ ctx, event });
  const row = usageRow(ctx, event);
  const written = begun ? follow(ctx, begun, row) : write(ctx.sql)(row);
  const touched =
    worked(event) && actor.keyId && touchIsDue(actor.keyId, ctx.now) ? touchKey(ctx, actor.keyId) : undefined;
  await Promise.all([written, touched]);
}

/**
 * Counts a request of a consumer that is over its limit, once as many as are logged have a row, if at that moment the key
 * still works and the limit is still what it was: what a process knows of them decides nothing (decision 0040).
 * @returns whether it was counted; if not, nothing was done
 */
export async function recordBeyond(ctx: Ctx<Consumer>, { method, tool }: Pick<UsageEvent, "method" | "tool">) {
  const event = { method, tool, status: 429, errorCode: "rate_limited" };
  if (timesIn(ctx.now, loggedKind(ctx.actor, event)) < LOGGED_A_MINUTE) return false;
  return countBeyond(ctx.sql)({ ctx, event });
}

type Row = Record<string, unknown>;

/** One statement, and one commit, for all rows that wait in the same turn. */
const write = perClient((sql) =>
  coalesce(
    async (rows: unknown[][]) => {
      await sql`with ${insertRows(sql, sql`select r from jsonb_array_elements(${sql.json(rows as never)}) r`)}`;
      return rows;
    },
    { max: 200, lanes: 2 },
  ),
);

/** Nothing holds back who sends these: keys that no longer work, and what is over the limit. */
const isFree = ({ status }: UsageEvent) => status === 401 || status === 429;
/** Did the key work? The status does not tell: an address that sent too many refused keys gets 429. */
const worked = ({ method }: UsageEvent) => method !== UNREAD;

const LOGGED_A_MINUTE = 100;
let logged = { minute: 0, times: new Map<string, number>() };

/** What is logged so many times a minute. */
const loggedKind = ({ consumerId, keyId }: Caller, { errorCode }: Pick<UsageEvent, "errorCode">) =>
  `${consumerId} ${keyId} ${errorCode}`;

/** How often a kind came in this minute, on this instance. */
function timesIn(now: Date, kind: string): number {
  const minute = minuteOf(now);
  // Requests that began in the minute before may still come: they count in this one. A clock that was set back further begins anew.
  if (minute > logged.minute || minute < logged.minute - 1) logged = { minute, times: new Map() };
  return logged.times.get(kind) ?? 0;
}

/** The first hundred of a kind in a minute. */
function mayBeLogged(now: Date, kind: string): boolean {
  const times = timesIn(now, kind) + 1;
  logged.times.set(kind, times);
  return times <= LOGGED_A_MINUTE;
}

interface Refused {
  ctx: Recorded;
  event: Pick<UsageEvent, "method" | "tool" | "storeId" | "status" | "errorCode">;
}

const minuteOf = (now: Date): number => Math.floor(now.getTime() / clock.MINUTE_MS);

/** What is counted as one. Not what the client says of itself: a flood could say something else each time. */
const kindOf = ({ ctx, event }: Refused): string => {
  const { consumerId, keyId, endpoint } = ctx.actor;
  const { method, tool, storeId, status, errorCode } = event;
  return [minuteOf(ctx.now), consumerId, keyId, endpoint, method, tool, storeId, status, errorCode].join(" ");
};

/** As a row of `usage_pending`. */
const pendingRow = ({ ctx, event }: Refused): Row => ({
  at: new Date(minuteOf(ctx.now) * clock.MINUTE_MS),
  consumer_id: ctx.actor.consumerId,
  key_id: ctx.actor.keyId,
  endpoint: ctx.actor.endpoint,
  method: event.method,
  tool: event.tool ?? null,
  store_id: event.storeId ?? null,
  status: event.status,
  error_code: event.errorCode ?? null,
  latency_us: 0,
  client_name: null,
  locale: null,
});

/** Refusals beyond those that are logged: only their number is kept, one row for all alike of a batch. */
const countRefusal = perClient((sql) =>
  coalesce(
    async (refusals: Refused[]) => {
      await sql`
        insert into usage_pending
        select refused.* from ${unwaited(sql)} cross join jsonb_populate_recordset(null::usage_pending, ${sql.json(alike(refusals) as never)}) refused`;
      return refusals.map(() => undefined);
    },
    { max: 1_000, lanes: 1 },
  ),
);

interface Beyond extends Refused {
  ctx: Ctx<Consumer>;
}

/** The same for keys that still work, of consumers whose limit is the one given: those come back. */
const countBeyond = perClient((sql) =>
  coalesce(
    async (refusals: Beyond[]) => {
      const limits = new Map(refusals.map(({ ctx: { actor } }) => [actor.keyId, actor.rateLimit]));
      const isAsked = ({ ctx: { actor } }: Beyond) => limits.get(actor.keyId) === actor.rateLimit;
      const rows = sql.json(alike(refusals.filter(isAsked)) as never);
      const counted = await sql<{ keyId: string }[]>`
        insert into usage_pending
        select refused.* from ${unwaited(sql)} cross join jsonb_populate_recordset(null::usage_pending, ${rows}) refused
        join unnest((select ${[...limits.keys()]}::uuid[]), (select ${[...limits.values()]}::int[])) known (key_id, rate_limit)
          on known.key_id = refused.key_id
        join keys k on k.id = known.key_id
        join consumers c on c.id = k.consumer_id and c.rate_limit = known.rate_limit
        where (${ended(sql, clock.now())}) is null
        returning key_id as "keyId"`;
      const still = new Set(counted.map(({ keyId }) => keyId));
      return refusals.map((refused) => isAsked(refused) && still.has(refused.ctx.actor.keyId!));
    },
    { max: 1_000, lanes: 2 },
  ),
);

/** Rows of `usage_pending`, one for all that are alike. */
function alike(refusals: Refused[]): Row[] {
  const counted = new Map<string, { row: Row; times: number }>();
  for (const refused of refusals) {
    const kind = kindOf(refused);
    const known = counted.get(kind);
    if (known) known.times += 1;
    else counted.set(kind, { row: pendingRow(refused), times: 1 });
  }
  return [...counted.values()].map(({ row, times }) => ({ times, ...row }));
}

const touchedAt = new Map<string, number>();

/** Spares the statement while this process knows that the minute is not over; the database has the last word. */
function touchIsDue(keyId: string, now: Date): boolean {
  if (now.getTime() - (touchedAt.get(keyId) ?? 0) < clock.MINUTE_MS) return false;
  if (touchedAt.size > 10_000) touchedAt.clear();
  touchedAt.set(keyId, now.getTime());
  return true;
}

/** No answer fails for it: the next request of the key tries again. */
async function touchKey({ sql, now, log }: Pick<Ctx, "sql" | "now" | "log">, keyId: string): Promise<void> {
  try {
    const [touched] = await sql<{ at: Date }[]>`
      with touched as (
        update keys set last_used_at = ${now}
        where id = ${keyId} and (last_used_at is null or last_used_at <= ${new Date(now.getTime() - clock.MINUTE_MS)})
        returning last_used_at
      )
      select last_used_at as at from touched
      union all select last_used_at from keys where id = ${keyId} and not exists (select from touched)`;
    // Another instance may have been there before: the next minute begins with its time.
    if (touched) touchedAt.set(keyId, touched.at.getTime());
  } catch (error) {
    touchedAt.delete(keyId);
    log.warn({ err: error }, "a key's last use could not be written");
  }
}
