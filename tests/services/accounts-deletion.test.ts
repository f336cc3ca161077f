import { and, eq, isNull } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { applications, consumers, members } from "../../db/schema/consumers";
import { keys as keysTable } from "../../db/schema/keys";
import { audit } from "../../db/schema/operations";
import type { Consumer, Member } from "../../server/context";
import * as accounts from "../../server/services/accounts";
import * as admission from "../../server/services/key-admission";
import * as keys from "../../server/services/keys";
import * as usage from "../../server/services/usage";
import { testDatabase } from "../support/database";
import { makeConsumer, makeMerchant, makeStore } from "../support/factories";
import { everythingStored, OTHER, PASSWORD, people } from "../support/people";

const database = testDatabase();
const { accountOf, anonymous, mailsTo, makePerson, openSession, signedIn, signUp } = people(database);

describe("deleting an account", () => {
  async function ownedConsumer() {
    const person = await makePerson();
    const consumer = await makeConsumer(database);
    await database.db.update(members).set({ accountId: person.id }).where(eq(members.consumerId, consumer.id));
    await database.db
      .update(applications)
      .set({ accountId: person.id, technicalContactEmail: person.email })
      .where(eq(applications.consumerId, consumer.id));
    const owner: Member = { kind: "member", accountId: person.id, consumerId: consumer.id, role: "owner" };
    const key = await keys.issue(database.as(owner), { consumerId: consumer.id, name: "Key" });
    return { person, consumer, key };
  }
  const remove = (person: { id: string }) => accounts.deleteAccount(signedIn(person.id), { currentPassword: PASSWORD });
  const stateOf = async (id: string) => (await database.db.select().from(consumers).where(eq(consumers.id, id)))[0]!;

  it("says beforehand what it would do", async () => {
    const { person, consumer } = await ownedConsumer();
    const shared = await makeConsumer(database);
    await database.db.insert(members).values({ consumerId: shared.id, accountId: person.id, role: "owner" });
    const seen = await makeConsumer(database);
    await database.db.insert(members).values({ consumerId: seen.id, accountId: person.id, role: "developer" });
    const store = await makeStore(database);
    const { merchantId } = await makeMerchant(database, store.merchantId);
    await database.sql`update merchant_members set account_id = ${person.id} where merchant_id = ${merchantId}`;
    const { consumers: effects, merchants } = await accounts.deletionEffects(person.ctx);
    const byId = Object.fromEntries(effects.map(({ id, ...rest }) => [id, rest]));
    expect(byId).toEqual({
      [consumer.id]: { name: consumer.name, role: "owner", effect: "access_revoked", keys: 1 },
      [shared.id]: { name: shared.name, role: "owner", effect: "membership_ends", keys: 0 },
      [seen.id]: { name: seen.name, role: "developer", effect: "membership_ends", keys: 0 },
    });
    expect(merchants).toMatchObject([{ id: merchantId, last: true }]);
    expect(await accountOf(person.email)).toBeDefined();
  });

  it("revokes the consumer of its last owner, and its keys from the next request on", async () => {
    const { person, consumer, key } = await ownedConsumer();
    await remove(person);
    await expect(admission.authenticate(anonymous(), key.value)).rejects.toMatchObject({ code: "invalid_token" });
    expect(await stateOf(consumer.id)).toMatchObject({ state: "revoked", revokedFrom: "sandbox" });
    expect(
      await database.db.$count(keysTable, and(eq(keysTable.consumerId, consumer.id), isNull(keysTable.revokedAt))),
    ).toBe(0);
    const acts = await database.db.select().from(audit).where(eq(audit.actorId, person.id));
    expect(acts.map(({ action }) => action)).toEqual(
      expect.arrayContaining(["key.revoke", "consumer.revoke", "account.delete"]),
    );
  });

  it("leaves a consumer that another owner has", async () => {
    const { person, consumer, key } = await ownedConsumer();
    const other = await makePerson();
    await database.db.insert(members).values({ consumerId: consumer.id, accountId: other.id, role: "owner" });
    await remove(person);
    expect(await stateOf(consumer.id)).toMatchObject({ state: "sandbox" });
    await admission.authenticate(anonymous(), key.value);
  });

  it("leaves no consumer without an owner and with access, though both owners go at once", async () => {
    const { person, consumer } = await ownedConsumer();
    const other = await makePerson();
    await database.db.insert(members).values({ consumerId: consumer.id, accountId: other.id, role: "owner" });
    await Promise.all([remove(person), remove(other)]);
    expect(await stateOf(consumer.id)).toMatchObject({ state: "revoked" });
  });

  it("keeps usage and audit, and nothing else of the person anywhere", async () => {
    const { person, consumer } = await ownedConsumer();
    await accounts.changeName(person.ctx, { name: "Zebulon Quartermain" });
    await signUp(person.email);
    await mailsTo(person.email);
    await openSession(person);
    const actor: Consumer = {
      kind: "consumer",
      consumerId: consumer.id,
      slug: consumer.slug,
      tier: "sandbox",
      coverage: "default_on",
      scopes: [],
      rateLimit: 60,
      utmSource: null,
      endpoint: "playground",
      keyId: null,
      accountId: person.id,
    };
    const told = { method: "tools/list", status: 200, latencyUs: 1, requestBytes: 1, responseBytes: 1, client: {} };
    await usage.record(database.as(actor), told);
    const [before] = await database.sql`select count(*) from audit where actor_id = ${person.id}`;
    await remove(person);
    const [used] = await database.sql`select count(*) from usage_events where consumer_id = ${consumer.id}`;
    expect(used!.count).toBe(1);
    const [after] = await database.sql`select count(*) from audit where actor_id = ${person.id}`;
    expect(after!.count).toBeGreaterThan(before!.count);
    expect((await mailsTo(person.email)).map(({ subject }) => subject)).toEqual(["Your Aisle account was deleted"]);
    await database.sql`delete from local_mails`;
    const stored = await everythingStored(database);
    expect(stored).not.toContain(person.email);
    expect(stored).not.toContain("Zebulon");
  });

  it("asks for the current password, and is refused without", async () => {
    const person = await makePerson();
    await expect(accounts.deleteAccount(person.ctx, { currentPassword: OTHER })).rejects.toMatchObject({
      code: "invalid_input",
    });
    expect(await accountOf(person.email)).toBeDefined();
  });
});
