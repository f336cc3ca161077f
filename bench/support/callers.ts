// Platforms that call: production consumers with blocks of their own, and requests in their names.
import { setTimeout as sleep } from "node:timers/promises";
import * as keys from "../../server/services/keys";
import { rollUp } from "../../server/services/usage-rollup";
import type { Database } from "./place";
import type { Sent } from "./wrk";

export const CONSUMERS = 8;
/** How many of the 1,000 stores have blocked each. */
export const BLOCKS = 300;
export const HIGHEST_LIMIT = 1_000_000;

export interface Caller {
  id: string;
  slug: string;
  key: string;
}

/** A production consumer that reads what is not blocked, with a key. @param rateLimit requests a minute */
export async function makeCaller(database: Database, slug: string, rateLimit = HIGHEST_LIMIT): Promise<Caller> {
  const { sql } = database;
  const [found] = await sql<{ id: string }[]>`select id from consumers where slug = ${slug}`;
  const id = found?.id ?? (await make(database, slug));
  await sql`update consumers set rate_limit = ${rateLimit} where id = ${id}`;
  await sql`update keys set revoked_at = now() where consumer_id = ${id} and revoked_at is null`;
  const operator = database.as({ kind: "operator", accountId: null });
  const { value } = await keys.issue(operator, { consumerId: id, name: "Bench" });
  return { id, slug, key: value };
}

async function make({ sql }: Database, slug: string): Promise<string> {
  const [made] = await sql<[{ id: string }]>`
    insert into consumers (id, slug, name, state, scopes, rate_limit, max_keys, utm_source, terms_version)
    select gen_random_uuid(), ${slug}, ${slug}, 'production',
      array['catalog:read','offers:read','promotions:read','loyalty:read','inventory:read'], 60, 10, ${slug},
      (select max(version) from terms)
    returning id`;
  await sql`
    insert into blocks (consumer_id, store_id)
    select ${made.id}, id from stores where not is_demo order by md5(id::text || ${slug}) limit ${BLOCKS}`;
  return made.id;
}

export const makeCallers = async (database: Database): Promise<Caller[]> => {
  const made: Caller[] = [];
  for (let i = 0; i < CONSUMERS; i++) made.push(await makeCaller(database, `platform-${i}`));
  return made;
};

/** The stores that a caller may read. */
export async function storesOf({ sql }: Database, { id }: Pick<Caller, "id">): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select s.id from stores s where s.ai_discovery and not exists (
      select from blocks b where b.consumer_id = ${id} and b.store_id = s.id) order by s.id`;
  return rows.map((row) => row.id);
}

/** A tools/call in every order that the endpoint asks for. @param key undefined: without one */
export const call = (
  key: string | undefined,
  name: string,
  args: unknown,
  headers: Record<string, string> = {},
): Sent => ({
  path: "/api/mcp",
  headers: {
    "Content-Type": "application/json",
    Accept: "application/json, text/event-stream",
    ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
    ...headers,
  },
  body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } }),
});

/** get_store_info of all callers in turn, each of a store that it may read. */
export async function storeInfoCalls(database: Database, callers: Caller[]): Promise<Sent[]> {
  const sent: Sent[] = [];
  for (const [i, caller] of callers.entries()) {
    const stores = await storesOf(database, caller);
    sent.push(call(caller.key, "get_store_info", { store_id: stores[(i * 37) % stores.length] }));
  }
  return sent;
}

/** Sends one request and reads its JSON. @throws Error when it is not a tool's answer */
export async function ask(url: string, { path, headers, body }: Sent) {
  const response = await fetch(new URL(path, url), { method: "POST", headers, body });
  const answer = (await response.json()) as {
    result?: { isError?: boolean; structuredContent?: Record<string, unknown> };
  };
  if (response.status !== 200 || !answer.result?.structuredContent || answer.result.isError) {
    throw new Error(`${url} answered ${response.status}: ${JSON.stringify(answer).slice(0, 500)}`);
  }
  return answer.result.structuredContent;
}

const FOLLOWED_EVERY_MS = 10;
const COUNTED_EVERY_MS = 250;
const COUNTED_WITHIN_MS = 120_000;
/** Minutes that are not over too. */
const ALL = { until: new Date("9999-01-01") };

/** Until the rollups have all usage: nothing of an earlier load runs while another is measured. @throws Error after two minutes */
export async function untilCounted({ sql }: Database): Promise<void> {
  for (const begun = performance.now(); ; await sleep(COUNTED_EVERY_MS)) {
    const [row] = await sql<[{ isPending: boolean }]>`select exists (select from usage_pending) as "isPending"`;
    if (!row.isPending) return void (await rollUp({ sql }, ALL));
    if (performance.now() - begun > COUNTED_WITHIN_MS) throw new Error("Usage is not counted.");
  }
}

/** How many usage rows of success the callers have. */
export async function usageRows({ sql }: Database, callers: Caller[]): Promise<number> {
  // They follow their answers.
  while ((await sql`select from usage_begun limit 1`).length > 0) await sleep(FOLLOWED_EVERY_MS);
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int from usage_events where consumer_id = any (${callers.map(({ id }) => id)}::uuid[]) and status = 200 and error_code is null`;
  return row.count;
}
