// Owners hear of what operators do to their keys, and of nothing that they do themselves.
import { describe, expect, it } from "vitest";
import type { Database } from "../../db/client";
import { members } from "../../db/schema/consumers";
import type { Owner } from "../../server/context";
import * as accounts from "../../server/services/accounts";
import * as keys from "../../server/services/keys";
import { testDatabase, untilWaiting } from "../support/database";
import { makeAccount, makeConsumer } from "../support/factories";
import { PASSWORD, people } from "../support/people";

const database = testDatabase();
const { mailsTo, makePerson } = people(database);

async function setUp() {
  const consumer = await makeConsumer(database);
  const { id: consumerId, owner } = consumer;
  const as = (db: Database = database.db) => ({ ...database.as({ kind: "operator", accountId: null } as const), db });
  const own = database.as<Owner>({ kind: "member", accountId: owner.id, consumerId, role: "owner" });
  return {
    ...{ consumer, own, as, email: owner.email },
    issue: (db?: Database) => keys.issue(as(db), { consumerId, name: "Backfill" }),
    async join(role: "owner" | "developer", accountId: string) {
      await database.db.insert(members).values({ consumerId, accountId, role });
    },
  };
}

const shownOf = ({ value }: keys.IssuedKey) => `${value.slice(0, 10)}…${value.slice(-4)}`;
const templates = async (email: string) =>
  (await database.sql`select template from outbox where recipient = ${email} order by id`).map(
    ({ template }) => template as string,
  );

describe("the owners of a platform", () => {
  it("are told which key an operator issued, what that means and where they revoke it; nobody else is", async () => {
    const { consumer, email, issue, join } = await setUp();
    const [second, developer] = [await makeAccount(database), await makeAccount(database)];
    await join("owner", second.id);
    await join("developer", developer.id);
    const key = await issue();
    for (const to of [email, second.email]) {
      const [mail, ...more] = await mailsTo(to);
      expect(more).toEqual([]);
      expect(mail!.subject).toBe(`An operator issued a key for ${consumer.name}`);
      expect(mail!.text).toContain(`the key “Backfill” (${shownOf(key)}) for ${consumer.name}`);
      expect(mail!.text).toContain("revoke it under Keys and reply to this email");
      expect(mail!.links).toContain(
        `https://aisle.example/console/switch?consumerId=${consumer.id}&redirectTo=/console/keys`,
      );
      expect(`${mail!.text}${mail!.html}`).not.toContain(key.value);
    }
    expect(await templates(developer.email)).toEqual([]);
  });

  it("are told once which key an operator revoked, and what to do then", async () => {
    const { consumer, own, as, email } = await setUp();
    const key = await keys.issue(own, { consumerId: consumer.id, name: "Main" });
    await keys.revoke(as(), { id: key.id });
    await keys.revoke(as(), { id: key.id });
    const [mail, ...more] = await mailsTo(email);
    expect(more).toEqual([]);
    expect(mail!.subject).toBe(`An operator revoked a key of ${consumer.name}`);
    expect(mail!.text).toContain(`the key “Main” (${shownOf(key)}) of ${consumer.name}`);
    expect(mail!.text).toContain("issue another key");
  });

  it("are told which key is active again, where the one that is revoked had taken its place", async () => {
    const { consumer, own, as, email } = await setUp();
    const key = await keys.issue(own, { consumerId: consumer.id, name: "Main" });
    const heir = await keys.rotate(own, { id: key.id, revokeOld: false });
    await keys.revoke(as(), { id: heir.id });
    const [mail] = await mailsTo(email);
    expect(mail!.text).toContain(`The key before it (${shownOf(key)}) still works and is the active one again.`);
    expect(mail!.text).toContain("rotate that one");
  });

  it("are not told of what one of them does, nor of what was refused", async () => {
    const { consumer, own, issue, email } = await setUp();
    const { id } = await keys.issue(own, { consumerId: consumer.id, name: "Main" });
    await keys.revoke(own, { id: (await keys.rotate(own, { id, revokeOld: true })).id });
    await database.sql`update consumers set max_keys = 0 where id = ${consumer.id}`;
    await expect(issue()).rejects.toMatchObject({ code: "key_limit_reached" });
    expect(await templates(email)).toEqual([]);
  });

  it.each<[string, (made: Awaited<ReturnType<typeof setUp>>, db: Database, id: string) => Promise<unknown>]>([
    ["issued", ({ issue }, db) => issue(db)],
    ["revoked", ({ as }, db, id) => keys.revoke(as(db), { id })],
  ])("are not told that a key was %s where their account is deleted at that very moment", async (what, act) => {
    const made = await setUp();
    const person = await makePerson();
    await made.join("owner", person.id);
    const { id } = await keys.issue(made.own, { consumerId: made.consumer.id, name: "Main" });
    let deleting: Promise<unknown> | undefined;
    await database.db.transaction(async (tx) => {
      await act(made, tx, id);
      deleting = accounts.deleteAccount(person.ctx, { currentPassword: PASSWORD });
      await untilWaiting(database.sql, 1);
    });
    await deleting;
    expect(await templates(person.email)).toEqual(["account-deleted"]);
    expect(await templates(made.email)).toEqual([`key-${what}`, "owner-left"]);
  });
});
