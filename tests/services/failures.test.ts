// What is kept of internal errors, for operators to find by a request's id.
import { expect, it } from "vitest";
import { accounts } from "../../db/schema/accounts";
import { newRequestId } from "../../server/context";
import * as failures from "../../server/services/failures";
import { testDatabase } from "../support/database";
import { makeAccount } from "../support/factories";

const database = testDatabase();
const operator = () => database.as({ kind: "operator", accountId: null });

it("a kept failure has its statement, and no value that the statement was about, nor a secret from its address", async () => {
  const { name, email } = await makeAccount(database);
  const [failed, value] = [newRequestId(), `aisle_${"k".repeat(36)}`];
  const again = database.db.insert(accounts).values({ name, email, passwordHash: "a hash" });
  const error = await again.then(
    () => undefined,
    (error) => error,
  );
  failures.record(operator(), { requestId: failed, door: `/api/mcp/p/${value}` }, error);
  await expect.poll(() => failures.find(operator(), failed)).toMatchObject({ requestId: failed, consumerId: null });
  const kept = JSON.stringify(await failures.find(operator(), failed));
  expect(kept).toContain("insert into");
  for (const secret of [email, "a hash", value]) expect(kept).not.toContain(secret);
});

it("of failures that come by the hundred sixty a minute are kept, and no more", async () => {
  const many = Array.from({ length: 130 }, newRequestId);
  for (const requestId of many) failures.record(operator(), { requestId, door: "mcp" }, new Error("x"));
  const minutes = () => database.sql<{ n: number }[]>`
    select count(*)::int as n from failures group by date_trunc('minute', at, 'UTC') order by 1 desc`;
  await expect.poll(async () => (await minutes())[0]?.n).toBeGreaterThanOrEqual(60);
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect((await minutes())[0]!.n).toBe(60);
});
