// Callers on connections that they keep, who take down what they were answered.
import { Agent, type IncomingHttpHeaders, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import type { Sql } from "../../db/client";
import { recordInterrupted } from "../../server/services/usage-begun";
import { standardHeaders } from "./clients";

export interface Load {
  /** Request ids of calls that were answered with a result. */
  answered: string[];
  /** Whatever else happened to a call, in words. */
  failed: string[];
  /** Lets calls under way end, and makes no more. */
  stop(): Promise<void>;
}

/** How long a caller waits after each call: others want the machine too, and a fault meets hundreds of calls a second all the same. */
export const PAUSE_MS = 20;

/** Calls that one after the other ask for a store, from so many callers at once, until told to stop. */
export function startLoad(
  url: string,
  { key, storeId, callers = 16 }: { key: string; storeId: string; callers?: number },
): Load {
  const agent = new Agent({ keepAlive: true, maxSockets: callers });
  const headers = standardHeaders(key);
  const params = { name: "get_store_info", arguments: { store_id: storeId } };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
  const load: Load = { answered: [], failed: [], stop };
  let going = true;

  const call = () =>
    new Promise<{ status: number; headers: IncomingHttpHeaders; text: string }>((resolve, reject) => {
      const req = request(new URL("/api/mcp", url), { method: "POST", agent, headers }, (res) => {
        let text = "";
        res.setEncoding("utf8").on("data", (chunk) => {
          text += chunk;
        });
        res.on("error", reject);
        res.on("end", () => resolve({ status: res.statusCode!, headers: res.headers, text }));
      });
      req.on("error", reject);
      req.end(body);
    });

  async function caller() {
    while (going) {
      try {
        const { status, headers, text } = await call();
        if (status === 200 && text.includes('"structuredContent"')) load.answered.push(String(headers["x-request-id"]));
        else load.failed.push(`${status} ${text.slice(0, 200)}`);
      } catch (error) {
        load.failed.push((error as Error).message);
      }
      await sleep(PAUSE_MS);
    }
  }
  const all = Promise.all(Array.from({ length: callers }, caller));
  async function stop() {
    going = false;
    await all;
    agent.destroy();
  }
  return load;
}

/** After this long, a request that has no row counts as one that a killed process left behind. */
const MUCH_LATER_MS = 600_000;

/** How many of these calls have no usage row, or more than one, once what killed processes left behind is recorded. */
export async function strayRows(sql: Sql, answered: string[]): Promise<number> {
  // Rows of processes that live may still be on their way.
  await sleep(1_000);
  await recordInterrupted({ sql, now: new Date(Date.now() + MUCH_LATER_MS) });
  const [row] = await sql<[{ stray: number }]>`
    select count(*)::int as stray from (
      select c.id from unnest(${answered}::uuid[]) as c (id) left join usage_events u on u.request_id = c.id
      group by c.id having count(u.request_id) <> 1) found`;
  return row.stray;
}

/** Each of these calls has one usage row, which tells of its answer: of processes that nobody killed, none is lost. */
export async function expectRecorded(sql: Sql, answered: string[]): Promise<void> {
  await expect.poll(async () => (await sql`select from usage_begun limit 1`).length).toBe(0);
  expect(await strayRows(sql, answered)).toBe(0);
  const interrupted = await sql`
    select from usage_events where request_id = any (${answered}::uuid[]) and error_code = 'interrupted'`;
  expect(interrupted.length).toBe(0);
}
