// What the gates ask the database for each request.
import { PostgresJsPreparedQuery } from "drizzle-orm/postgres-js/session";
import { expect, it, onTestFinished, vi } from "vitest";
import { members } from "../../db/schema/consumers";
import { newRequestId, type SignedIn } from "../../server/context";
import { createCaller } from "../../server/trpc/router";
import { consumersOf, merchantsOf } from "../../server/trpc/trpc";
import { testDatabase } from "../support/database";
import { makeConsumer } from "../support/factories";
import { makePerson } from "../support/roles";

const database = testDatabase();

it("whom somebody acts for is asked once a request, however many gates want to know, and anew by the next request", async () => {
  const consumer = await makeConsumer(database);
  const { accountId } = await makePerson(database, "owner", consumer.id);
  const execute = vi.spyOn(PostgresJsPreparedQuery.prototype, "execute");
  onTestFinished(() => execute.mockRestore());
  for (const request of [1, 2]) {
    const acting = { op: database.as<SignedIn>({ kind: "signed_in", accountId: accountId! }), visitor: {} as never };
    const asked = [consumersOf(acting), merchantsOf(acting), consumersOf(acting), merchantsOf(acting)];
    expect((await Promise.all(asked)).map((found) => found.length)).toEqual([1, 0, 1, 0]);
    expect(await consumersOf(acting)).toMatchObject([{ consumerId: consumer.id, role: "owner" }]);
    expect(execute).toHaveBeenCalledTimes(2 * request);
  }
});

it("whom somebody acts for is asked again once they have changed something, within the same request too", async () => {
  const [one, other] = [await makeConsumer(database), await makeConsumer(database)];
  const { accountId } = await makePerson(database, "owner", one.id);
  const op = database.as<SignedIn>({ kind: "signed_in", accountId: accountId! });
  const visitor = { session: { id: newRequestId(), consumerId: null }, account: { id: accountId! } };
  const caller = createCaller(() => ({ core: op, now: new Date(), requestId: op.requestId, visitor }) as never);
  const mine = async () => (await caller.consumer.mine()).map(({ consumerId }) => consumerId).toSorted();
  expect(await mine()).toEqual([one.id]);
  await database.db.insert(members).values({ consumerId: other.id, accountId: accountId!, role: "developer" });
  expect(await mine()).toEqual([one.id]);
  await caller.consumer.choose({ consumerId: other.id });
  expect(await mine()).toEqual([one.id, other.id].toSorted());
});
