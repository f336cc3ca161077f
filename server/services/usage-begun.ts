// A request by key is on disk before its answer leaves: as begun, by the statement that counts it. Its usage row follows within
// a moment, so that no answer waits for it (decision 0052). What a killed process left behind is recorded as interrupted.
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Sql } from "../../db/client";
import type { Ctx } from "../context";
import { isOutage } from "../errors";
import { unwaited } from "../limit-store";
import { perClient } from "./coalesce";
import { insertRows, type Recorded } from "./usage-rows";

/** What is written down of a request as it begins. */
export interface Request {
  requestId: string;
  method: string;
  tool: string | undefined;
}

/** A row of `usage_begun`: the requests of one statement. */
export interface Begun {
  id: string;
  /** How many of them have no row yet. */
  left: number;
}

/** SQL: writes down those of the requests whose keys are in `found` and work. */
export function beginning(sql: Sql, now: Date, asked: { hash: string; request: Request }[]) {
  const begun: Begun = { id: randomUUID(), left: 0 };
  const hashes = asked.map(({ hash }) => hash);
  const ids = asked.map(({ request }) => request.requestId);
  const called = asked.map(({ request: { method, tool } }) => (tool ? `${method} ${tool}` : method));
  const statement = sql`
    insert into usage_begun (id, at, request_ids, key_ids, called)
    select ${begun.id}, ${now}, array_agg(b.request_id), array_agg(found.key_id), array_agg(b.called)
    from unnest((select ${hashes}::text[]), (select ${ids}::uuid[]), (select ${called}::text[])) b (hash, request_id, called)
    join found on found.hash = b.hash and found.ended is null
    having count(*) > 0`;
  return { begun, statement };
}

/** Rows wait for one another, so that a statement has so many, or for so long: nobody waits for them. */
const GATHER_ROWS = 64;
const GATHER_MS = 50;
const MOST_ROWS = 500;
/** Beyond so many, answers wait for them: memory stays bounded. */
const MOST_WAITING = 10_000;
/** An outage is waited for; after that the row is left to `recordInterrupted`. */
const KEPT_MS = 45_000;
const RETRY_MS = 500;
/** Longer than any request takes, and its row. */
const ABANDONED_MS = 90_000;

interface Ended {
  begun: Begun;
  /** As `usageRow` makes it; undefined where the request has none. */
  row: unknown[] | undefined;
  /** `performance.now()` */
  since: number;
  log: Ctx["log"];
}

/** The row of a request that has begun. Waits only where very many wait already. */
export async function follow({ sql, log }: Recorded, begun: Begun, row: unknown[] | undefined): Promise<void> {
  await followers(sql).add({ begun, row, since: performance.now(), log });
}

/** Once all rows are written that were to follow so far. */
export const settled = async ({ sql }: Pick<Ctx, "sql">): Promise<void> => followers(sql).settled();

const followers = perClient((sql) => new Followers(sql));

class Followers {
  private waiting: Ended[] = [];
  private writing: Promise<void> | undefined;
  private enough = () => {};

  constructor(private readonly sql: Sql) {}

  add(ended: Ended): Promise<void> | undefined {
    const { length } = this.waiting;
    this.waiting.push(ended);
    this.writing ??= this.write();
    if (length + 1 >= GATHER_ROWS) this.enough();
    return length < MOST_WAITING ? undefined : this.writing;
  }

  async settled(): Promise<void> {
    while (this.writing) await this.writing;
  }

  private async write(): Promise<void> {
    while (this.waiting.length > 0) {
      if (this.waiting.length < GATHER_ROWS) await this.gathered();
      const taken = this.waiting.splice(0, MOST_ROWS);
      await insertEnded(this.sql, taken).catch((error) => this.again(taken, error));
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

  /** While the database is away all wait; what can't be written for itself is let go. */
  private async again(taken: Ended[], error: unknown): Promise<void> {
    if (isOutage(error) && !isClosed(error)) {
      const now = performance.now();
      this.waiting.unshift(...taken.filter(({ since }) => now - since < KEPT_MS));
      await sleep(RETRY_MS);
    } else if (taken.length > 1) {
      for (const one of taken) await insertEnded(this.sql, [one]).catch((error) => this.again([one], error));
    } else {
      taken[0]!.log.error({ err: error }, "a usage row could not be written");
    }
  }
}

/** By us, as the process ends. */
const isClosed = (error: unknown) => /^CONNECTION_(ENDED|DESTROYED)$/.test(String((error as { code?: unknown })?.code));

/**
 * In one statement the rows of requests that have ended, and of `usage_begun` those of which none is left. A row whose request
 * is no longer in there was recorded as interrupted meanwhile, and comes too late.
 */
async function insertEnded(sql: Sql, ended: Ended[]): Promise<void> {
  const numbers = new Map<Begun, number>();
  for (const { begun } of ended) numbers.set(begun, (numbers.get(begun) ?? 0) + 1);
  const whole: string[] = [];
  const part: string[] = [];
  for (const [begun, number] of numbers) (number === begun.left ? whole : part).push(begun.id);
  const rows = sql.json(ended.flatMap(({ begun, row }) => (row ? [[begun.id, row]] : [])) as never);
  await sql`
    with whole as (delete from usage_begun where id = any (${whole}::uuid[]) returning id),
    part as (select id from usage_begun where id = any (${part}::uuid[]) for no key update),
    ${insertRows(
      sql,
      sql`select e -> 1 as r from jsonb_array_elements(${rows}) e, ${unwaited(sql)}
        where (e ->> 0)::uuid in (select id from whole union all select id from part)`,
    )}`;
  for (const [begun, number] of numbers) begun.left -= number;
}

/**
 * Rows for requests that have none though they began long ago: their process was killed, or the database was away for long.
 * Whether they were answered nobody knows.
 */
export async function recordInterrupted({ sql, now }: Pick<Ctx, "sql" | "now">): Promise<void> {
  await sql.begin(async (tx) => {
    // Locked first: the statement after it sees every row that was written under the lock before.
    const left = await tx<{ id: string }[]>`
      select id from usage_begun where at < ${new Date(now.getTime() - ABANDONED_MS)} for update skip locked`;
    if (left.length === 0) return;
    await tx`
      with over as (delete from usage_begun where id = any (${left.map(({ id }) => id)}::uuid[]) returning *)
      insert into usage_events (request_id, at, consumer_id, key_id, endpoint, method, tool, status, error_code, latency_us, request_bytes,
        response_bytes)
      select b.request_id, over.at, k.consumer_id, k.id, 'api', split_part(b.called, ' ', 1), nullif(split_part(b.called, ' ', 2), ''),
        500, 'interrupted', 0, 0, 0
      from over cross join unnest(over.request_ids, over.key_ids, over.called) b (request_id, key_id, called)
      join keys k on k.id = b.key_id
      where not exists (
        select from usage_events e where e.request_id = b.request_id
          and e.at between over.at - interval '1 minute' and over.at + interval '1 minute')`;
  });
}
