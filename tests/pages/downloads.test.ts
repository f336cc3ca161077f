// Whoever goes away in the midst of a file or a page ends the making of it, and nothing failed.
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { expect, it } from "vitest";
import { testDatabase } from "../support/database";
import { makeAccount } from "../support/factories";
import { makeShop } from "../support/feeds/jobs";
import { tsv } from "../support/feeds/load";
import { logins } from "../support/logins";
import { logOf, testServer } from "../support/server";
import type { Visitor } from "../support/visitor";

const database = testDatabase();
const server = testServer(database);
const { logIn } = logins(database, server);

/** Takes this many pieces and closes the connection. */
async function leave(who: Visitor, path: string, pieces: number): Promise<void> {
  const cookie = [...who.cookies].map((pair) => pair.join("=")).join("; ");
  const asked = get(new URL(path, server.url), { agent: false, headers: { cookie } });
  const [answer] = (await once(asked, "response")) as [IncomingMessage];
  expect(answer.statusCode).toBe(200);
  for (let piece = 0; piece < pieces; piece++) await once(answer, "data");
  answer.destroy();
}

async function expectNothingFailed(): Promise<void> {
  expect(await logOf(server)).not.toMatch(/"level":[56]0/);
  expect(await database.sql`select door, message from failures`).toEqual([]);
}

it("the audit log's export, left midway, is no failure", async () => {
  const operator = await logIn(await makeAccount(database, { isOperator: true }));
  await database.sql`
    insert into audit (id, actor_kind, action, target_kind, target_id, after, request_id)
    select gen_random_uuid(), 'system', 'merchant.rename', 'merchant', ${randomUUID()},
      jsonb_build_object('name', repeat('x', 1000)), gen_random_uuid()
    from generate_series(1, 20000)`;
  for (const pieces of [0, 1, 2, 10]) await leave(operator, "/admin/audit.csv", pieces);
  await expectNothingFailed();
});

it("the bad rows of a load, left midway, are no failure", async () => {
  const shop = await makeShop(database);
  const rows = Array.from({ length: 20_000 }, (_, i) => ({ id: `${i}`, ...(i % 2 ? { price: `none of ${i}` } : {}) }));
  const { id } = await shop.load(tsv(rows));
  const merchant = await logIn({ id: shop.actor.accountId });
  const path = `/merchant/catalogue/${shop.storeId}/loads/${id}/bad-rows`;
  // The server's own job may be what loads it.
  await expect.poll(async () => (await merchant.get(path)).html.match(/\r\n/g)).toHaveLength(10_001);
  for (const pieces of [0, 1, 2, 10]) await leave(merchant, path, pieces);
  await expectNothingFailed();
  expect((await merchant.get(path)).html.match(/\r\n/g)).toHaveLength(10_001);
});

it("a page that is left while it comes is no failure", async () => {
  const operator = await logIn(await makeAccount(database, { isOperator: true }));
  for (const pieces of [0, 1, 1]) await leave(operator, "/admin/audit", pieces);
  await expectNothingFailed();
});
