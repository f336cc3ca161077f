// The Playground's way in: as the consumer, through the endpoint's own code, on a limit of its own.
import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { consumers, settings } from "../../db/schema/consumers";
import type { Member } from "../../server/context";
import { runAsMember } from "../../server/mcp/playground";
import * as playground from "../../server/services/playground";
import { tools } from "../../server/tools";
import { exampleFor } from "../../server/tools/tool";
import { testCore, testDatabase } from "../support/database";
import { makeConsumer, makeStore } from "../support/factories";

const database = testDatabase();
const config = { isAllowedOrigin: () => false, deadlineMs: 10_000 };

async function makeMember(given: Parameters<typeof makeConsumer>[1] = {}) {
  const consumer = await makeConsumer(database, given);
  const actor: Member = { kind: "member", accountId: consumer.owner.id, consumerId: consumer.id, role: "owner" };
  const run = (tool: string, args: unknown, asDirectory = false) =>
    runAsMember(testCore(database), config, actor, { tool, arguments: JSON.stringify(args), asDirectory });
  return { consumer, actor, run };
}
const usageOf = (consumerId: string) =>
  database.sql`select * from usage_events where consumer_id = ${consumerId} order by request_id`;
const result = (answer: Awaited<ReturnType<typeof runAsMember>>) => JSON.parse(answer.response.body).result;
const told = (answer: Awaited<ReturnType<typeof runAsMember>>) => JSON.parse(result(answer).content[0].text);

describe("a run", () => {
  it("writes the usage row of a call, marked playground, with the member's account and no key, and says the same duration", async () => {
    const { consumer, run } = await makeMember();
    const answer = await run("list_stores", {});
    expect(answer.response.status).toBe(200);
    expect(answer.response.headers["x-request-id"]).toBe(answer.requestId);
    expect(await usageOf(consumer.id)).toMatchObject([
      {
        request_id: answer.requestId,
        endpoint: "playground",
        account_id: consumer.owner.id,
        key_id: null,
        method: "tools/call",
        tool: "list_stores",
        status: 200,
        client_name: "Aisle Playground",
        response_bytes: answer.response.bytes,
        latency_us: Math.round(answer.ms * 1000),
      },
    ]);
  });

  it("is refused as a call is: unknown arguments, no such tool, a scope that the consumer lacks", async () => {
    const { run } = await makeMember();
    expect(told(await run("list_stores", { colour: "red" }))).toMatchObject({
      code: "invalid_arguments",
      issues: [{ path: "colour" }],
    });
    expect(JSON.parse((await run("steal", {})).response.body).error.code).toBe(-32602);
    const scope = await run("check_inventory", {});
    expect(scope.response.status).toBe(403);
    expect(scope.response.headers["www-authenticate"]).toContain('scope="inventory:read"');
    expect(JSON.parse((await run("list_stores", [])).response.body).error.data.field).toBe("arguments");
  });

  it("reads what the consumer may read, and nothing else", async () => {
    const store = await makeStore(database, { ai_discovery: true });
    const { run } = await makeMember({ state: "sandbox" });
    expect(told(await run("get_store_info", { store_id: store.id })).code).toBe("store_not_available");
    const live = await makeMember({ state: "production" });
    expect(result(await live.run("get_store_info", { store_id: store.id })).structuredContent.store_id).toBe(store.id);
  });

  it("is over for a platform that is revoked, and has not begun for one under review", async () => {
    const errorOf = async (given: Parameters<typeof makeMember>[0]) => {
      const { response } = await (await makeMember(given)).run("list_stores", {});
      return [response.status, JSON.parse(response.body).error];
    };
    expect(await errorOf({ state: "revoked", revokedFrom: "sandbox" })).toMatchObject([
      401,
      { data: { reason: "access_revoked" } },
    ]);
    expect(await errorOf({ state: "under_review" })).toMatchObject([
      409,
      { message: expect.stringContaining("under review") },
    ]);
  });

  it("bears the worst that can be typed", async () => {
    const { actor } = await makeMember();
    const deep = `${"[".repeat(60_000)}${"]".repeat(60_000)}`;
    const answer = await runAsMember(testCore(database), config, actor, {
      tool: 'x","y":"',
      arguments: deep,
      asDirectory: false,
    });
    expect(answer.response.status).toBe(400);
    const wide = await runAsMember(testCore(database), config, actor, {
      tool: "list_stores",
      arguments: JSON.stringify({ query: "é".repeat(200_000) }),
      asDirectory: false,
    });
    expect(wide.response.status).toBe(413);
  });
});

describe("the limit", () => {
  it("is the Playground's own: exactly so many a minute over all members, and the API's is not spent", async () => {
    const { consumer, actor, run } = await makeMember();
    const answers = await Promise.all(Array.from({ length: 34 }, () => run("list_stores", {})));
    const statuses = answers.map(({ response }) => response.status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(30);
    expect(statuses.filter((status) => status === 429)).toHaveLength(4);
    const refused = answers.find(({ response }) => response.status === 429)!;
    const wait = Number(refused.response.headers["retry-after"]);
    expect(wait).toBeGreaterThan(0);
    expect(JSON.parse(refused.response.body).error.message).toContain(`Wait ${wait} second`);
    expect(refused.response.headers["ratelimit-policy"]).toBe('"default";q=30;w=60');
    expect((await database.as(actor).limits.consumerUse(consumer.id)).used).toBe(0);
    const page = await playground.read(database.as(actor));
    expect(page.rate).toMatchObject({ limit: 30, used: 30 });
    expect(page.rate.resetSeconds).toBeGreaterThan(0);
  });

  it("is what operators set", async () => {
    await database.db.update(settings).set({ playgroundRateLimit: 2 });
    const { run } = await makeMember();
    const statuses = [];
    for (let i = 0; i < 3; i++) statuses.push((await run("list_stores", {})).response.status);
    expect(statuses).toEqual([200, 200, 429]);
    await database.db.update(settings).set({ playgroundRateLimit: 30 });
  });
});

describe("as the directory endpoint", () => {
  it("answers without a challenge, where there is one, and as 'no such endpoint' where there is none", async () => {
    const { run } = await makeMember({ state: "production", directorySlug: "trail-guide" });
    const refused = await run("check_inventory", {}, true);
    expect(refused.response.status).toBe(403);
    expect(refused.response.headers).not.toHaveProperty("www-authenticate");
    expect((await run("list_stores", {}, true)).response.status).toBe(200);
    const without = await makeMember({ state: "production" });
    expect((await without.run("list_stores", {}, true)).response.status).toBe(404);
    const sandbox = await makeMember({ state: "sandbox", directorySlug: "not-live-yet" });
    expect((await sandbox.run("list_stores", {}, true)).response.status).toBe(404);
    expect((await playground.read(database.as(sandbox.actor))).directorySlug).toBeNull();
  });
});

describe("what is typed", () => {
  it("must be JSON", () => {
    const parse = (text: string) => playground.RunTool.safeParse({ tool: "x", arguments: text, asDirectory: false });
    expect(parse("{}").success).toBe(true);
    const { error } = parse('{"a":}');
    expect(error!.issues[0]!).toMatchObject({
      path: ["arguments"],
      message: expect.stringMatching(/^This is not JSON: /),
    });
    expect(parse("x".repeat(250_001)).success).toBe(false);
  });

  it("has an example of every tool that fits its own schema", () => {
    const id = "01a1fce1-900c-72e9-96f3-244a66a77325";
    for (const tool of tools) expect(tool.input.safeParse(exampleFor(tool, id)).error, tool.name).toBeUndefined();
  });
});

it("a consumer that is gone is not found", async () => {
  const { consumer, actor } = await makeMember();
  await database.db.delete(consumers).where(eq(consumers.id, consumer.id));
  await expect(playground.read(database.as(actor))).rejects.toMatchObject({ code: "not_found" });
});
