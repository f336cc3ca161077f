// Ways to call the endpoint: as plain HTTP, to the byte.
import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import * as keys from "../../server/services/keys";
import type { TestDatabase } from "./database";
import { makeConsumer } from "./factories";

export interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** The body as JSON; undefined when there is none. */
  json: ReturnType<typeof JSON.parse>;
}

export interface Sent {
  method?: string;
  path?: string;
  headers?: Record<string, string | string[]> | string[];
  body?: string | Uint8Array;
}

/** Sends exactly what is given: `headers` as an array of names and values may double a header. */
export function send(url: string, { method = "POST", path = "/api/mcp", headers = {}, body }: Sent): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const req = httpRequest(new URL(path, url), { method, headers: headers as never, agent: false }, (res) => {
      const chunks: Buffer[] = [];
      res.on("data", (chunk) => chunks.push(chunk));
      res.on("end", () => {
        const text = Buffer.concat(chunks).toString("utf8");
        resolve({
          status: res.statusCode!,
          headers: res.headers,
          text,
          json: text === "" ? undefined : JSON.parse(text),
        });
      });
    });
    req.on("error", reject);
    req.end(body);
  });
}

export const standardHeaders = (key?: string): Record<string, string> => ({
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
  ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
});

/** One JSON-RPC request with everything in order. */
export const rpc = (
  url: string,
  key: string | undefined,
  method: string,
  params?: unknown,
  sent: Sent = {},
): Promise<Reply> =>
  send(url, {
    ...sent,
    headers: { ...standardHeaders(key), ...(sent.headers as Record<string, string>) },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });

export const callTool = (url: string, key: string | undefined, name: string, args: unknown, sent?: Sent) =>
  rpc(url, key, "tools/call", { name, arguments: args }, sent);

/** A consumer with a key that works. */
export async function makeCaller(database: TestDatabase, given: Parameters<typeof makeConsumer>[1] = {}) {
  const consumer = await makeConsumer(database, { rateLimit: 10_000, ...given });
  const key = await issueKey(database, consumer.id);
  return { consumer, key: key.value, keyId: key.id };
}

/** Issued by one of the consumer's owners, who would be mailed if an operator did it. */
export async function issueKey(
  database: TestDatabase,
  consumerId: string,
  given: Partial<Parameters<typeof keys.issue>[1]> = {},
) {
  const [owner] = await database.sql<[{ account_id: string }]>`
    select account_id from members where consumer_id = ${consumerId} and role = 'owner'`;
  const actor = { kind: "member", accountId: owner.account_id, consumerId, role: "owner" } as const;
  return keys.issue(database.as(actor), { consumerId, name: "Test key", ...given });
}

/** A key that was issued long ago, is still used, and expires in three days and a half, unless told. */
export async function issueExpiringKey(
  database: TestDatabase,
  consumerId: string,
  { name = "Test key", expiresAt = new Date(Date.now() + 3.5 * 86_400_000) } = {},
) {
  const key = await issueKey(database, consumerId, { name, expiresAt });
  await database.sql`update keys set created_at = now() - interval '30 days', last_used_at = now() where id = ${key.id}`;
  return key;
}
