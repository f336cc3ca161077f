// Two servers on one database behave as one.
import { describe, expect, it } from "vitest";
import * as keys from "../../server/services/keys";
import { callTool, issueKey, makeCaller, rpc } from "../support/clients";
import { testDatabase } from "../support/database";
import { makeStore } from "../support/factories";
import { testServer } from "../support/server";
import { untilRecorded } from "../support/usage";

const database = testDatabase();
const one = testServer(database);
const two = testServer(database);

describe("two instances", () => {
  it("let exactly the limit through, over both keys and both instances, however many come at once", async () => {
    const { consumer, key } = await makeCaller(database, { rateLimit: 50 });
    const second = await issueKey(database, consumer.id);
    const replies = await Promise.all(
      Array.from({ length: 200 }, (_, i) => rpc(i % 2 ? one.url : two.url, i % 4 < 2 ? key : second.value, "ping")),
    );
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(50);
    expect(replies.filter((reply) => reply.status === 429)).toHaveLength(150);
    const remaining = replies
      .filter((reply) => reply.status === 200)
      .map((reply) => Number(/r=(\d+)/.exec(String(reply.headers.ratelimit))![1]));
    expect(remaining.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, i) => i));
    await untilRecorded(database);
    const [rows] = await database.sql`select count(*)::int as n from usage_events where consumer_id = ${consumer.id}`;
    expect(rows!.n).toBe(200);
  });

  it("answer 200 parallel calls, each with its own id and row", async () => {
    const { consumer, key } = await makeCaller(database, { state: "production", rateLimit: 100_000 });
    const store = await makeStore(database);
    const replies = await Promise.all(
      Array.from({ length: 200 }, (_, i) =>
        callTool(i % 2 ? one.url : two.url, key, "get_store_info", { store_id: store.id }),
      ),
    );
    expect(new Set(replies.map((reply) => reply.headers["x-request-id"])).size).toBe(200);
    expect(replies.every((reply) => reply.json.result.structuredContent.store_id === store.id)).toBe(true);
    await untilRecorded(database);
    const [rows] =
      await database.sql`select count(*)::int as n from usage_events where consumer_id = ${consumer.id} and status = 200`;
    expect(rows!.n).toBe(200);
  });

  it("both refuse a key on the request after its revocation, wherever it was revoked", async () => {
    const { key, keyId } = await makeCaller(database);
    for (const server of [one, two]) expect((await rpc(server.url, key, "ping")).status).toBe(200);
    await keys.revoke(database.as({ kind: "operator", accountId: null }), { id: keyId });
    for (const server of [one, two]) expect((await rpc(server.url, key, "ping")).status).toBe(401);
  });
});
