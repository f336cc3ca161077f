// A request by key is on disk before its answer leaves: as begun, with its count (decision 0060). Its usage row follows within
// a moment, so that no answer waits for it (decision 0052). What a killed process left behind is recorded as interrupted.
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Sql } from "../../db/client";
import * as clock from "../clock";
import type { Ctx } from "../context";
import { isClosed, isOutage } from "../errors";
import { unwaited } from "../limit-store";
import { perClient } from "./coalesce";
import { insertRows, type Recorded } from "./usage-rows";

/** What is written down of a request as it begins. */
export interface Request {
  requestId: string;
  /** When it came, as its usage row has it. */
  at: Date;
  method: string;
  tool: string | undefined;
}

/** A row of `usage_begun`: the requests of one statement. */
export interface Begun {
  id: string;
  /** How many of them have no row yet. */
  left: number;
  /** Once it is on disk; rejects where nobody knows. */
  onDisk: Promise<unknown>;
}

/** SQL: writes down those of the requests whose keys are in `found` and work. */
export function beginning(sql: Sql, now: Date, asked: { hash: string; request: Request }[]) {
  const id = randomUUID();
  const hashes = asked.map(({ hash }) => hash);
  const ids = asked.map(({ request }) => request.requestId);
  const times = asked.map(({ request }) => clock.isoOf(request.at));
  const called = asked.map(({ request: { method, tool } }) => (tool ? `${method} ${tool}` : method));
  const statement = sql`
    insert into usage_begun (id, at, request_ids, times, key_ids, called)
    select ${id}, ${now}, array_agg(b.request_id), array_agg(b.at), array_agg(found.key_id), array_agg(b.called)
    from unnest((select ${hashes}::text[]), (select ${ids}::uuid[]), (select ${times}::timestamptz[]), (select ${called}::text[]))
      b (hash, request_id, at, called)
    join found on found.hash = b.hash and found.ended is null
    having count(*) > 0`;
  return { id, statement };
}

/** A statement is sent once this many rows wait, or after this long: nobody waits for them. */
const GATHER_ROWS = 64;
const GATHER_MS = 50;
const MOST_ROWS = 500;
/** Beyond so many, answers wait for them: memory stays bounded. */
const MOST_WAITING = 10_000;
/** How long a row waits for an outage to end; after that it is left to `recordInterrupted`. */
const KEPT_MS = 45_000;
const RETRY_MS = 500;
/** Longer than any request takes with its row. */
const ABANDONED_MS = 90_000;

interface Ended {
  begun: Begun;
  /** As `usageRow` makes it; undefined where it is there already. */
  row: unknown[] | undefined;
  /** `performance.now()` */
  since: number;
  log: Ctx["log"];
  /** Whether it may be there already: we were not told what came of it. */
  isAgain?: boolean;
}

/** The row of a request that has begun. Waits only where very many wait already. */
export async function follow({ sql, log }: Recorded, begun: Begun, row: unknown[]): Promise<void> {
  await followers(sql).add({ begun, row, since: performance.now(), log });
}

/** Once all rows are written that were to follow so far. */
export const settled = async ({ sql }: Pick<Ctx, "sql">): Promise<void> => followers(sql).settled();

/** How many rows of this process are still to be written. */
export const unwritten = ({ sql }: Pick<Ctx, "sql">): number => followers(sql).count;

const followers = perClient((sql) => new Followers(sql));

class Followers {
  private waiting: Ended[] = [];
  private writing: Promise<void> | undefined;
  private enough = () => {};
  /** Answers that wait until there is room. */
  private held: (() => void)[] = [];

  constructor(private readonly sql: Sql) {}

  get count(): number {
    return this.waiting.length;
  }

  add(ended: Ended): Promise<void> | undefined {
    const { length } = this.waiting;
    this.waiting.push(ended);
    this.writing ??= this.write();
    if (length + 1 >= GATHER_ROWS) this.enough();
    return length < MOST_WAITING ? undefined : new Promise((resolve) => this.held.push(resolve));
  }

  async settled(): Promise<void> {
    while (this.writing) await this.writing;
  }

  private async write(): Promise<void> {
    while (this.waiting.length > 0) {
      if (this.waiting.length < GATHER_ROWS) await this.gathered();
      await this.insert(this.waiting.splice(0, MOST_ROWS));
      if (this.waiting.length < MOST_WAITING) for (const goOn of this.held.splice(0)) goOn();
    }
    this.writing = undefined;
  }

  private gathered(): Promise<void> {
    return new Promise((resolve) => {
      const late = setTimeout(resolve, GATHER_MS);
      this.enough = () => {
        clearTimeout(late);
        resolve();
      };
    });
  }

  private async insert(taken: Ended[]): Promise<void> {
    try {
      const inserted = await insertEnded(this.sql, taken);
      for (const { begun } of taken) begun.left -= 1;
      const late = taken.filter(({ row }) => row).length - inserted;
      if (late > 0 && !taken.some(({ isAgain }) => isAgain))
        taken[0]!.log.warn({ rows: late }, "usage rows came too late: interrupted is what was recorded");
    } catch (error) {
      await this.again(taken, error);
    }
  }

  /** While the database is away all wait; what can't be written for itself is let go. */
  private async again(taken: Ended[], error: unknown): Promise<void> {
    const [first, ...others] = taken;
    if (isClosed(error)) {
      first!.log.info({ rows: taken.length }, "usage rows are left to be recorded as interrupted");
    } else if (isOutage(error)) {
      const now = performance.now();
      const kept = taken.filter(({ since }) => now - since < KEPT_MS);
      const gone = taken.length - kept.length;
      if (gone > 0) first!.log.warn({ rows: gone }, "usage rows waited for too long: interrupted is what is recorded");
      for (const one of kept) one.isAgain = true;
      this.waiting.unshift(...kept);
      await sleep(RETRY_MS);
    } else if (others.length > 0) {
      for (const one of taken) await this.insert([one]);
    } else if (isThere(error) && first!.row) {
      // Written before, by a statement of which we were not told that it was done.
      await this.insert([{ ...first!, row: undefined }]);
    } else {
      first!.log.error({ err: error }, "a usage row could not be written");
    }
  }
}

/** By its primary key. */
const isThere = (error: unknown) => (error as { code?: unknown })?.code === "23505";

/**
 * In one statement the rows of requests that have ended, and of `usage_begun` those of which none is left. A row whose request
 * is no longer in there was recorded as interrupted meanwhile, and comes too late.
 *
 * A crash of the database may take away what was committed without waiting for the disk. Where the row of `usage_begun` went with
 * it, that comes back and all of its requests are recorded as interrupted; where others of its requests are left, the last of
 * these would delete it and those before be lost. So then it waits for the disk.
 * @returns how many rows were inserted
 */
async function insertEnded(sql: Sql, ended: Ended[]): Promise<number> {
  const numbers = new Map<Begun, number>();
  for (const { begun } of ended) numbers.set(begun, (numbers.get(begun) ?? 0) + 1);
  const whole: string[] = [];
  const part: string[] = [];
  for (const [begun, number] of numbers) (number === begun.left ? whole : part).push(begun.id);
  const disk = part.length > 0 ? sql`` : sql`, ${unwaited(sql)}`;
  const rows = sql.json(ended.flatMap(({ begun, row }) => (row ? [[begun.id, row]] : [])) as never);
  const { count } = await sql`
    with whole as (delete from usage_begun where id = any (${whole}::uuid[]) returning id),
    part as (select id from usage_begun where id = any (${part}::uuid[]) for no key update),
    ${insertRows(
      sql,
      sql`select e -> 1 as r from jsonb_array_elements(${rows}) e${disk}
        where (e ->> 0)::uuid in (select id from whole union all select id from part)`,
    )}`;
  return count;
}

/** A call is answered within 2.5 s, and its row follows in a moment. */
const UNDER_WAY_MS = 3_000;
const LOOK_AGAIN_MS = 20;

/** Once each request that this consumer had begun by now has its row, whichever instance answers it. */
export const allRecorded = (ctx: Asked, consumerId: string): Promise<void> =>
  recorded(ctx, ctx.sql`k.consumer_id = ${consumerId}`);

/** Once this request has its row, if it has begun. */
export const requestRecorded = (ctx: Asked, requestId: string): Promise<void> =>
  recorded(ctx, ctx.sql`r.id = ${requestId}`);

type Asked = Pick<Ctx, "sql" | "now">;

/** @param which SQL: condition on the request `r` and its key `k` */
async function recorded({ sql, now }: Asked, which: ReturnType<Sql>): Promise<void> {
  for (;;) {
    const since = new Date(clock.now().getTime() - UNDER_WAY_MS);
    const underWay = await sql`
      select from usage_begun b cross join unnest(b.request_ids, b.key_ids) r (id, key_id) join keys k on k.id = r.key_id
      where b.at > ${since} and b.at <= ${now} and ${which} limit 1`;
    if (underWay.length === 0) return;
    await sleep(LOOK_AGAIN_MS);
  }
}

/** Rows of `usage_begun` in one transaction: done well within the time limit of a statement. */
const RECORDED_AT_ONCE = 100;

/**
 * Rows for requests that have none though they began long ago: their process was killed, or the database was away for long.
 * Whether they were answered nobody knows.
 */
export async function recordInterrupted({ sql, now }: Pick<Ctx, "sql" | "now">): Promise<void> {
  const before = new Date(now.getTime() - ABANDONED_MS);
  while ((await recordSome(sql, before)) === RECORDED_AT_ONCE);
}

/** @returns how many rows of `usage_begun` there were */
const recordSome = (sql: Sql, before: Date): Promise<number> =>
  sql.begin(async (tx) => {
    // Locked first: the statement after it sees every row that was written under the lock before.
    const left = await tx<{ id: string }[]>`
      select id from usage_begun where at < ${before} limit ${RECORDED_AT_ONCE} for update skip locked`;
    if (left.length === 0) return 0;
    await tx`
      with over as (delete from usage_begun where id = any (${left.map(({ id }) => id)}::uuid[]) returning *)
      insert into usage_events (request_id, at, consumer_id, key_id, endpoint, method, tool, status, error_code, latency_us, request_bytes,
        response_bytes)
      select b.request_id, coalesce(b.at, over.at), k.consumer_id, k.id, 'api', split_part(b.called, ' ', 1), nullif(split_part(b.called, ' ', 2), ''),
        500, 'interrupted', 0, 0, 0
      from over cross join unnest(over.request_ids, over.times, over.key_ids, over.called) b (request_id, at, key_id, called)
      join keys k on k.id = b.key_id
      on conflict (at, request_id) do nothing`;
    return left.length;
  }) as Promise<number>;
