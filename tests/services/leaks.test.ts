// Keys that were found in public; how they are reported is in tests/pages/secret-scanning.test.ts.
import { expect, it } from "vitest";
import type { Database } from "../../db/client";
import { members } from "../../db/schema/consumers";
import * as accounts from "../../server/services/accounts";
import * as leaks from "../../server/services/leaks";
import { issueKey } from "../support/clients";
import { testDatabase, untilWaiting } from "../support/database";
import { makeConsumer } from "../support/factories";
import { newAddress, newEmail, PASSWORD, people } from "../support/people";

const database = testDatabase();
const { anonymous, linkTo, makePerson } = people(database);

/** A second owner of a platform, a report of its key, and who was mailed of it. */
async function setUp() {
  const consumer = await makeConsumer(database);
  const person = await makePerson();
  await database.db.insert(members).values({ consumerId: consumer.id, accountId: person.id, role: "owner" });
  const { id, value } = await issueKey(database, consumer.id);
  return {
    ...{ consumer, person, id },
    report: (db: Database = database.db) =>
      leaks.report({ ...database.as({ kind: "system" }), db }, [
        { token: value, type: "key", url: "", source: "commit" },
      ]),
    told: async (email: string) =>
      (await database.sql`select from outbox where recipient = ${email} and template = 'key-leaked'`).length,
  };
}

it("an owner whose account is deleted while they are told keeps no mail; the others have theirs", async () => {
  const { consumer, person, report, told } = await setUp();
  let deleting: Promise<unknown> | undefined;
  await database.db.transaction(async (tx) => {
    await report(tx);
    deleting = accounts.deleteAccount(person.ctx, { currentPassword: PASSWORD });
    await untilWaiting(database.sql, 1);
  });
  await deleting;
  expect([await told(person.email), await told(consumer.owner.email)]).toEqual([0, 1]);
});

it("an owner who gets another address while they are told is told there", async () => {
  const { person, report, told } = await setUp();
  const email = newEmail();
  await accounts.changeEmail(person.ctx, { currentPassword: PASSWORD, email, address: newAddress() });
  const token = await linkTo(email, "/confirm-email");
  let confirming: Promise<unknown> | undefined;
  await database.db.transaction(async (tx) => {
    await report(tx);
    confirming = accounts.confirmEmail(anonymous(), { token, currentPassword: PASSWORD });
    await untilWaiting(database.sql, 1);
  });
  await confirming;
  expect([await told(person.email), await told(email)]).toEqual([0, 1]);
});

it("a report and a deletion of who issued the key, at once, wait for each other in one order", async () => {
  for (let round = 0; round < 10; round++) {
    const { consumer, person, report, id } = await setUp();
    await database.sql`update keys set created_by = ${person.id} where id = ${id}`;
    await Promise.all([report(), accounts.deleteAccount(person.ctx, { currentPassword: PASSWORD }), report()]);
    const [key] = await database.sql`select revoked_at, created_by from keys where consumer_id = ${consumer.id}`;
    expect(key).toEqual({ revoked_at: expect.any(Date), created_by: null });
  }
});
