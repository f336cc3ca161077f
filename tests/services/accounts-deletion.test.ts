import { randomUUID } from "node:crypto";
import { and, eq, inArray, isNull } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { accounts as accountsTable } from "../../db/schema/accounts";
import { applications, consumers, members } from "../../db/schema/consumers";
import { keys as keysTable } from "../../db/schema/keys";
import { merchantMembers } from "../../db/schema/merchants";
import { audit, outbox } from "../../db/schema/operations";
import type { Consumer, Owner } from "../../server/context";
import * as accounts from "../../server/services/accounts";
import { change as changeConsumer } from "../../server/services/consumers";
import * as invitations from "../../server/services/invitations";
import * as admission from "../../server/services/key-admission";
import * as keys from "../../server/services/keys";
import * as mail from "../../server/services/mail";
import type { Template } from "../../server/services/mail-templates";
import * as team from "../../server/services/members";
import * as review from "../../server/services/review";
import * as usage from "../../server/services/usage";
import { testDatabase, untilWaiting } from "../support/database";
import { makeConsumer, makeMerchant, makeStore } from "../support/factories";
import { everythingStored, newAddress, newEmail, OTHER, outcomeOf, PASSWORD, people } from "../support/people";

const database = testDatabase();
const { accountOf, anonymous, linkTo, mailsTo, makePerson, openSession, signedIn, signUp } = people(database);

describe("an address that was changed", () => {
  it("is replaced where the account's own platforms name it, and taken out elsewhere; mails that wait follow", async () => {
    const [person, present] = [await makePerson(), newEmail()];
    const [own, team, elsewhere, others] = await Promise.all([1, 2, 3, 4].map(() => makeConsumer(database)));
    await database.db.update(applications).set({ accountId: person.id }).where(eq(applications.consumerId, own!.id));
    await database.db.insert(members).values({ consumerId: team!.id, accountId: person.id, role: "developer" });
    await database.db
      .update(applications)
      .set({ technicalContactEmail: person.email.toUpperCase() })
      .where(inArray(applications.consumerId, [own!.id, team!.id, elsewhere!.id]));
    const { merchantId } = await makeStore(database);
    await invitations.send(database.as({ kind: "operator", accountId: null }), { merchantId, email: person.email });
    await accounts.changeEmail(person.ctx, { currentPassword: PASSWORD, email: present, address: newAddress() });
    const token = await linkTo(present, "/confirm-email");
    const system = database.as({ kind: "system" });
    await mail.send(system, system.db, {
      to: person.email,
      template: "access-restored",
      data: { name: "Ada", consumerId: own!.id, productName: "Finder" },
    });
    await accounts.requestReset(anonymous(), { email: person.email, address: newAddress() });
    await accounts.confirmEmail(anonymous(), { token, currentPassword: PASSWORD });
    const contact = async ({ id }: { id: string }) =>
      (await database.db.select().from(applications).where(eq(applications.consumerId, id)))[0]!.technicalContactEmail;
    expect(await Promise.all([own!, team!, elsewhere!, others!].map(contact))).toEqual([
      ...[present, present, ""],
      others!.owner.email,
    ]);
    const subjects = async (email: string) => (await mailsTo(email)).map(({ subject }) => subject);
    expect(await subjects(present)).toContain("Access to Aisle was restored");
    expect(await subjects(person.email)).toEqual(["The address of your Aisle account was changed"]);
    const left = await database.sql`
      select 'application' as what from applications where lower(technical_contact_email) = ${person.email}
      union all select 'invitation' from merchant_invitations where email = ${person.email}
      union all select 'mail' from outbox where recipient = ${person.email}`;
    expect(left).toEqual([]);
  });
});

describe("a mail that waits for an address that is changed", () => {
  /** Whether it then goes to the new one, or has no sense any more. */
  const fates: Record<Template, "follows" | "goes"> = {
    ...{ verify: "goes", reset: "goes", "password-changed": "goes", "address-taken": "goes", invitation: "goes" },
    ...{ "email-change-asked": "goes", "email-change-confirm": "goes", "account-deleted": "goes" },
    // The one that tells of this change is written afterwards.
    "email-changed-notice": "goes",
    ...{ "second-factor-on": "follows", "second-factor-off": "follows", "recovery-codes-renewed": "follows" },
    ...{ "recovery-code-used": "follows", "wrong-codes": "follows" },
    ...{ "application-received": "follows", "application-approved": "follows", "application-declined": "follows" },
    ...{ "application-restored": "follows", "production-approved": "follows", "production-declined": "follows" },
    ...{
      "production-ended": "follows",
      "access-revoked": "follows",
      "access-restored": "follows",
      "member-added": "follows",
    },
    ...{
      "member-role-changed": "follows",
      "member-renewed": "follows",
      "member-removed": "follows",
      "owner-left": "follows",
      "terms-published": "follows",
      "merchant-removed": "follows",
    },
    ...{ "merchant-digest": "follows", "merchant-joined": "follows", "key-leaked": "follows" },
    ...{ "key-issued": "follows", "key-revoked": "follows" },
    ...{ "keys-expiring": "follows", "feed-source-off": "follows" },
  };

  it("follows, unless it is about the old address; what was sent or given up is forgotten", async () => {
    const [person, present] = [await makePerson(), newEmail()];
    await accounts.changeEmail(person.ctx, { currentPassword: PASSWORD, email: present, address: newAddress() });
    const token = await linkTo(present, "/confirm-email");
    const row = { recipient: person.email, data: {} };
    const waiting = Object.keys(fates).map((template) => ({ ...row, template, nextAttemptAt: new Date() }));
    const ended = [{ sentAt: new Date() }, { deadAt: new Date() }].map((end) => ({
      ...row,
      ...end,
      template: "merchant-digest",
    }));
    const rows = [...waiting, ...ended].map((one) => ({ ...one, messageId: randomUUID() }));
    await database.db.insert(outbox).values(rows);
    await accounts.confirmEmail(anonymous(), { token, currentPassword: PASSWORD });
    const ids = rows.map(({ messageId }) => messageId);
    const left = await database.db.select().from(outbox).where(inArray(outbox.messageId, ids));
    const following = Object.keys(fates).filter((template) => fates[template as Template] === "follows");
    expect(left.map(({ template }) => template).toSorted()).toEqual(following.toSorted());
    expect(new Set(left.map(({ recipient }) => recipient))).toEqual(new Set([present]));
    // None of them is one that could be rendered.
    await database.db.delete(outbox).where(eq(outbox.recipient, present));
  });
});

describe("deleting an account", () => {
  async function ownedConsumer(given: Parameters<typeof makeConsumer>[1] = {}) {
    const person = await makePerson();
    const consumer = await makeConsumer(database, given);
    await database.db.update(members).set({ accountId: person.id }).where(eq(members.consumerId, consumer.id));
    await database.db
      .update(applications)
      .set({ accountId: person.id, technicalContactEmail: person.email })
      .where(eq(applications.consumerId, consumer.id));
    const owner: Owner = { kind: "member", accountId: person.id, consumerId: consumer.id, role: "owner" };
    const key = await keys.issue(database.as(owner), { consumerId: consumer.id, name: "Key" });
    return { person, consumer, key };
  }
  const remove = (person: { id: string }) => accounts.deleteAccount(signedIn(person.id), { currentPassword: PASSWORD });
  const keyOf = async (id: string) => (await database.db.select().from(keysTable).where(eq(keysTable.id, id)))[0]!;
  const stateOf = async (id: string) => (await database.db.select().from(consumers).where(eq(consumers.id, id)))[0]!;

  it("says beforehand what it would do", async () => {
    const { person, consumer } = await ownedConsumer();
    const owner: Owner = { kind: "member", accountId: person.id, consumerId: consumer.id, role: "owner" };
    // Neither works any more.
    for (const ended of ["revoked_at", "expires_at"]) {
      const { id } = await keys.issue(database.as(owner), { consumerId: consumer.id, name: ended });
      await database.sql`update keys set ${database.sql(ended)} = now() - interval '1 hour' where id = ${id}`;
    }
    const shared = await makeConsumer(database);
    await database.db.insert(members).values({ consumerId: shared.id, accountId: person.id, role: "owner" });
    await makeMerchant(database, (await makeStore(database)).merchantId);
    const seen = await makeConsumer(database);
    await database.db.insert(members).values({ consumerId: seen.id, accountId: person.id, role: "developer" });
    const store = await makeStore(database);
    const { merchantId } = await makeMerchant(database, store.merchantId);
    await database.sql`update merchant_members set account_id = ${person.id} where merchant_id = ${merchantId}`;
    const { merchantId: another } = await makeMerchant(database, (await makeStore(database)).merchantId);
    await database.db.insert(merchantMembers).values({ merchantId: another, accountId: person.id });
    const { consumers: effects, merchants } = await accounts.deletionEffects(person.ctx);
    const byId = Object.fromEntries(effects.map(({ id, ...rest }) => [id, rest]));
    const lasting = { endsAt: null, hasEnded: false, grantedAt: expect.any(Date) };
    expect(byId).toEqual({
      [consumer.id]: {
        ...lasting,
        ...{ name: consumer.name, role: "owner", state: "sandbox", effect: "access_revoked", keys: 1 },
      },
      [shared.id]: {
        ...lasting,
        name: shared.name,
        role: "owner",
        state: "sandbox",
        effect: "membership_ends",
        keys: 0,
      },
      [seen.id]: {
        ...lasting,
        name: seen.name,
        role: "developer",
        state: "sandbox",
        effect: "membership_ends",
        keys: 0,
      },
    });
    expect(Object.fromEntries(merchants.map(({ id, last }) => [id, last]))).toEqual({
      [merchantId]: true,
      [another]: false,
    });
    expect(await accountOf(person.email)).toBeDefined();
    // A key that was not revoked by itself works no more either, once its platform's access is.
    await database.db
      .update(consumers)
      .set({ state: "revoked", revokedFrom: "sandbox" })
      .where(eq(consumers.id, consumer.id));
    const [revoked] = (await accounts.deletionEffects(person.ctx)).consumers.filter(({ id }) => id === consumer.id);
    expect(revoked).toMatchObject({ state: "revoked", keys: 0 });
    // Whose time is over learns nothing of how the platform stands by now.
    const past = new Date(person.ctx.now.getTime() - 1_000);
    await database.db.update(members).set({ role: "reviewer", endsAt: past }).where(eq(members.consumerId, seen.id));
    const [over] = (await accounts.deletionEffects(person.ctx)).consumers.filter(({ id }) => id === seen.id);
    expect(over).toMatchObject({ hasEnded: true, state: null, keys: 0 });
  });

  it("says beforehand whether there is another operator, to operators alone", async () => {
    const [person, operator] = [await makePerson(), await makePerson({ isOperator: true })];
    const said = async ({ ctx }: typeof person) => (await accounts.deletionEffects(ctx)).operator;
    expect([await said(person), await said(operator)]).toEqual([null, { last: true }]);
    await makePerson({ isOperator: true });
    expect(await said(operator)).toEqual({ last: false });
  });

  it("of a last owner is told to those who still work for the platform, and to nobody whose access has ended", async () => {
    const [{ person, consumer }, applied] = [await ownedConsumer({ state: "production" }), await ownedConsumer()];
    await database.db.update(consumers).set({ state: "under_review" }).where(eq(consumers.id, applied.consumer.id));
    const [developer, ended, leaving] = [await makePerson(), await makePerson(), await makePerson()];
    const works = { consumerId: consumer.id, role: "developer" } as const;
    await database.db.insert(members).values([
      { ...works, accountId: developer.id },
      { ...works, accountId: leaving.id },
      { ...works, accountId: ended.id, role: "reviewer", endsAt: new Date(Date.now() - 1_000) },
      { ...works, accountId: developer.id, consumerId: applied.consumer.id },
    ]);
    await database.db.transaction(async (tx) => {
      await accounts.deleteAccount({ ...leaving.ctx, db: tx }, { currentPassword: PASSWORD });
      // Whoever leaves at this moment is neither waited for nor written to.
      await remove(person);
    });
    await remove(applied.person);
    const told = async ({ email }: { email: string }) =>
      (await mailsTo(email)).map(({ subject, text }) => [
        subject,
        text.includes("Its last owner deleted their account."),
      ]);
    expect(await told(developer)).toEqual([["Access to Aisle was revoked", true]]);
    expect([await told(ended), (await told(leaving)).map(([subject]) => subject)]).toEqual([
      [],
      ["Your Aisle account was deleted"],
    ]);
  });

  it("revokes the consumer of its last owner, whoever else works for it, and its keys from the next request on", async () => {
    const { person, consumer, key } = await ownedConsumer();
    const developer = await makePerson();
    await database.db.insert(members).values({ consumerId: consumer.id, accountId: developer.id, role: "developer" });
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

  it("revokes those that work, and is done where ten thousand have expired", async () => {
    const { person, consumer, key } = await ownedConsumer();
    await database.sql`
      insert into keys (id, consumer_id, name, hash, start, "end", scopes, expires_at, line)
      select gen_random_uuid(), ${consumer.id}, 'Old', sha256(n::text::bytea), 'aisle_xxxx', 'xxxx', '{catalog:read}',
        now() - interval '1 day', gen_random_uuid() from generate_series(1, 10000) n`;
    await remove(person);
    const revoked =
      await database.sql`select target_id from audit where actor_id = ${person.id} and action = 'key.revoke'`;
    expect(revoked).toEqual([{ target_id: key.id }]);
  });

  it("leaves in the consumer what it was, for whoever restores it, and another version than was shown before", async () => {
    const decided = { decidedAt: new Date(Date.now() - 86_400_000), decisionReason: "Welcome." };
    const { person, consumer } = await ownedConsumer({ state: "production", ...decided });
    const ctx = signedIn(person.id);
    await accounts.deleteAccount(ctx, { currentPassword: PASSWORD });
    const { version } = consumer;
    expect(await stateOf(consumer.id)).toMatchObject({
      ...{ revokedFrom: "production", version: version + 1, decidedAt: ctx.now, stateSince: ctx.now },
      decisionReason: "Its last owner deleted their account.",
    });
    const operator = database.as({ kind: "operator", accountId: null } as const);
    const change = { slug: consumer.slug, version, set: { rateLimit: 7 } };
    await expect(changeConsumer(operator, change)).rejects.toMatchObject({ code: "conflict" });
    const next = await makePerson();
    await database.db.insert(members).values({ consumerId: consumer.id, accountId: next.id, role: "owner" });
    await review.restore(operator, { slug: consumer.slug, version: version + 1 });
    expect(await stateOf(consumer.id)).toMatchObject({ state: "production", ...decided });
  });

  it("leaves no working key to whoever restores the consumer, and the new owner's mail says so", async () => {
    const [{ person, consumer }, untouched] = [await ownedConsumer(), await ownedConsumer()];
    const operator = database.as({ kind: "operator", accountId: null } as const);
    const next = await makePerson();
    await remove(person);
    await database.db.insert(members).values({ consumerId: consumer.id, accountId: next.id, role: "owner" });
    const { slug, version } = untouched.consumer;
    await review.reject(operator, { slug, version, reason: "No." });
    for (const { id } of [consumer, untouched.consumer]) {
      const { slug, version } = await stateOf(id);
      await review.restore(operator, { slug, version });
    }
    const told = async ({ email }: { email: string }) => (await mailsTo(email))[0]!.text;
    expect(await told(next)).toContain("It has no key that works");
    expect(await told(untouched.person)).toContain("Its keys work again.");
  });

  it("leaves what was revoked before as it was: keys, and a consumer by an operator", async () => {
    const { person, consumer, key } = await ownedConsumer();
    const operator = database.as({ kind: "operator", accountId: null } as const, new Date(Date.now() - 3_600_000));
    await keys.revoke(operator, { id: key.id });
    await review.reject(operator, { slug: consumer.slug, version: consumer.version, reason: "No." });
    const [before, { revokedAt }] = [await stateOf(consumer.id), await keyOf(key.id)];
    await remove(person);
    expect(await accountOf(person.email)).toBeUndefined();
    expect(await stateOf(consumer.id)).toEqual(before);
    expect(await keyOf(key.id)).toMatchObject({ revokedAt, revokedBy: null });
    const acts = await database.db.select().from(audit).where(eq(audit.actorId, person.id));
    expect(acts.map(({ action }) => action).filter((action) => action.endsWith(".revoke"))).toEqual([]);
  });

  it("is refused where more would be lost by now than was shown, and done once that was shown", async () => {
    const { person, consumer, key } = await ownedConsumer();
    const other = await makePerson();
    await database.db.insert(members).values({ consumerId: consumer.id, accountId: other.id, role: "owner" });
    const removeAs = (shown: string) => accounts.deleteAccount(person.ctx, { currentPassword: PASSWORD, shown });
    const standing = async () => [await accountOf(person.email), await stateOf(consumer.id), await keyOf(key.id)];
    const { version: shown } = await accounts.deletionEffects(person.ctx);
    await team.leave(other.ctx, { consumerId: consumer.id });
    const [before, { version }] = [await standing(), await accounts.deletionEffects(person.ctx)];
    await expect(removeAs(shown)).rejects.toMatchObject({ code: "conflict", details: { version } });
    expect(await standing()).toEqual(before);
    await removeAs(version);
    expect(await standing()).toMatchObject([undefined, { state: "revoked" }, { revokedAt: expect.any(Date) }]);
  });

  it("is refused where a key works by now that would stop, and none did when it was shown", async () => {
    const { person, key, consumer } = await ownedConsumer();
    await database.sql`update keys set revoked_at = now() where id = ${key.id}`;
    const { version: shown } = await accounts.deletionEffects(person.ctx);
    await database.sql`update keys set revoked_at = null where id = ${key.id}`;
    const removing = accounts.deleteAccount(person.ctx, { currentPassword: PASSWORD, shown });
    await expect(removing).rejects.toMatchObject({ code: "conflict" });
    expect(await accountOf(person.email)).toBeDefined();
    expect(await stateOf(consumer.id)).not.toMatchObject({ state: "revoked" });
  });

  it("is refused where the password is changed while it is looked at", async () => {
    const person = await makePerson();
    const { sql } = database;
    const { removed } = await sql.begin(async (tx) => {
      await tx`update accounts set password_version = password_version + 1 where id = ${person.id}`;
      const removed = outcomeOf(remove(person));
      await untilWaiting(sql, 1);
      return { removed };
    });
    expect(await removed).toMatchObject({ code: "conflict" });
    expect(await accountOf(person.email)).toBeDefined();
  });

  it("leaves a consumer that another owner has", async () => {
    const { person, consumer, key } = await ownedConsumer();
    const other = await makePerson();
    await database.db.insert(members).values({ consumerId: consumer.id, accountId: other.id, role: "owner" });
    await remove(person);
    expect(await stateOf(consumer.id)).toMatchObject({ state: "sandbox" });
    await admission.authenticate(anonymous(), key.value);
  });

  it("is on record at each platform and merchant that it leaves, under no name", async () => {
    const { person, consumer } = await ownedConsumer();
    const other = await makePerson();
    await database.db.insert(members).values({ consumerId: consumer.id, accountId: other.id, role: "owner" });
    const own = await ownedConsumer();
    await database.db.insert(members).values({ consumerId: own.consumer.id, accountId: person.id, role: "developer" });
    const { merchantId } = await makeStore(database);
    await database.db.insert(merchantMembers).values({ merchantId, accountId: person.id });
    await remove(person);
    const left = await database.sql`
      select action, target_kind, target_id, after from audit where actor_id = ${person.id} and action like '%.leave'
      order by action, after ->> 'role'`;
    expect(left).toEqual([
      { action: "member.leave", target_kind: "consumer", target_id: own.consumer.id, after: { role: "developer" } },
      { action: "member.leave", target_kind: "consumer", target_id: consumer.id, after: { role: "owner" } },
      { action: "merchant.leave", target_kind: "merchant", target_id: merchantId, after: null },
    ]);
    await remove(other);
    expect(await database.sql`select from audit where actor_id = ${other.id} and action = 'member.leave'`).toEqual([]);
  });

  it("leaves no consumer without an owner and with access, though both owners go at once", async () => {
    const { person, consumer } = await ownedConsumer();
    const other = await makePerson();
    await database.db.insert(members).values({ consumerId: consumer.id, accountId: other.id, role: "owner" });
    let both: Promise<unknown> | undefined;
    await database.sql.begin(async (tx) => {
      await tx`select from accounts where id in (${person.id}, ${other.id}) for update`;
      both = Promise.all([remove(person), remove(other)]);
      await untilWaiting(database.sql, 2);
    });
    await both;
    expect(await stateOf(consumer.id)).toMatchObject({ state: "revoked" });
  });

  it("leaves none so either where they became an owner while they went, and the other one leaves", async () => {
    const { consumer, person: other } = await ownedConsumer();
    const person = await makePerson();
    const [operator, to] = [{ kind: "operator", accountId: null } as const, { consumerId: consumer.id }];
    let both: Promise<unknown>[] = [];
    await database.sql.begin(async (tx) => {
      await database.db.transaction(async (adding) => {
        const added = { ...to, email: person.email, role: "owner", lastDay: null } as const;
        await team.add({ ...database.as(operator), db: adding }, added);
        both = [outcomeOf(remove(person))];
        await untilWaiting(database.sql, 1);
        // Whoever goes tells those who remain, so waits for their accounts.
        await tx`select from accounts where id = ${other.id} for update`;
      });
      await untilWaiting(database.sql, 1);
      both.push(outcomeOf(team.leave(signedIn(other.id), to)));
      await untilWaiting(database.sql, 2);
    });
    await Promise.all(both);
    const owners = await database.db.$count(members, eq(members.consumerId, consumer.id));
    const { state } = await stateOf(consumer.id);
    expect({ owners, state }).toEqual({ owners: 1, state: "sandbox" });
  });

  it("waits for nobody who may wait for it, where its person became an owner while they went: they are told, and the others go on", async () => {
    const { consumer, person: other } = await ownedConsumer();
    const person = await makePerson();
    const to = { consumerId: consumer.id };
    let both: Promise<unknown>[] = [];
    await database.db.transaction(async (adding) => {
      const added = { ...to, email: person.email, role: "owner", lastDay: null } as const;
      await team.add({ ...database.as({ kind: "operator", accountId: null }), db: adding }, added);
      both = [outcomeOf(remove(person))];
      await untilWaiting(database.sql, 1);
      both.push(outcomeOf(team.leave(signedIn(other.id), to)));
      await untilWaiting(database.sql, 2);
    });
    const [removed, left] = await Promise.all(both);
    expect(left).toEqual({ value: undefined });
    expect(removed).toMatchObject({ code: "conflict", message: expect.stringContaining("Read it again") });
    expect(await accountOf(person.email)).toBeDefined();
  });

  it("of two at once the second is the last, and is told so: of a merchant's people, and of operators", async () => {
    const { merchantId } = await makeStore(database);
    const pairs = [
      [await makePerson(), await makePerson()],
      [await makePerson(), await makePerson()],
    ] as const;
    for (const { id: accountId } of pairs[0])
      await database.db.insert(merchantMembers).values({ merchantId, accountId });
    await database.db.update(accountsTable).set({ isOperator: false });
    const operators = pairs[1].map(({ id }) => id);
    await database.db.update(accountsTable).set({ isOperator: true }).where(inArray(accountsTable.id, operators));
    for (const pair of pairs) {
      const shown = await Promise.all(pair.map(async ({ ctx }) => (await accounts.deletionEffects(ctx)).version));
      let both: Promise<unknown>[] = [];
      await database.sql.begin(async (tx) => {
        // Late enough that both have read what their going does.
        await tx`lock table local_mails in share mode`;
        both = pair.map(({ ctx }, i) =>
          outcomeOf(accounts.deleteAccount(ctx, { currentPassword: PASSWORD, shown: shown[i]! })),
        );
        await untilWaiting(database.sql, 2);
      });
      const outcomes = await Promise.all(both);
      expect(outcomes.filter((outcome) => (outcome as { code?: string }).code === "conflict")).toHaveLength(1);
    }
  });

  it("waits for no other in a circle, though two go at once whose applications name each other", async () => {
    const [one, other] = [await ownedConsumer(), await ownedConsumer()];
    const contact = (of: typeof one, email: string) =>
      database.sql`update applications set technical_contact_email = ${email} where account_id = ${of.person.id}`;
    await contact(one, other.person.email);
    await contact(other, one.person.email);
    let both: Promise<unknown>[] = [];
    await database.sql.begin(async (tx) => {
      // Of what else is forgotten with the address, after it.
      await tx`lock table local_mails in share mode`;
      both = [remove(one.person)];
      await untilWaiting(database.sql, 1);
      both.push(remove(other.person));
      await untilWaiting(database.sql, 2);
    });
    await Promise.all(both);
    expect([await accountOf(one.person.email), await accountOf(other.person.email)]).toEqual([undefined, undefined]);
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

  it("leaves none of the addresses that it had and asked for either: in its applications, or with its mails", async () => {
    const { person } = await ownedConsumer();
    const [present, askedFor, never] = [newEmail(), newEmail(), newEmail()];
    const ask = (email: string) =>
      accounts.changeEmail(person.ctx, { currentPassword: PASSWORD, email, address: newAddress() });
    await ask(present);
    await accounts.confirmEmail(anonymous(), {
      token: await linkTo(present, "/confirm-email"),
      currentPassword: PASSWORD,
    });
    await ask(askedFor);
    await mailsTo(askedFor); // sent
    await ask(never); // and one that waits
    await remove(person);
    await mailsTo(present);
    // The last mails, where they go on a developer's machine.
    await database.sql`delete from local_mails where recipient in (${present}, ${person.email})`;
    const stored = await everythingStored(database);
    expect([person.email, present, askedFor, never].filter((email) => stored.includes(email))).toEqual([]);
  });

  it("takes no mail from anybody who has, or was asked to prove, an address that it asked for", async () => {
    const [person, other, asker] = [await makePerson(), await makePerson(), await makePerson()];
    const wanted = newEmail();
    const ask = (ctx: typeof person.ctx, email: string) =>
      accounts.changeEmail(ctx, { currentPassword: PASSWORD, email, address: newAddress() });
    await ask(person.ctx, wanted);
    await ask(asker.ctx, wanted);
    await ask(person.ctx, other.email);
    await accounts.requestReset(anonymous(), { email: other.email, address: newAddress() });
    await remove(person);
    const subjects = async (email: string) => (await mailsTo(email)).map(({ subject }) => subject);
    expect(await subjects(wanted)).toEqual(["Confirm your new address for Aisle"]);
    expect(await subjects(other.email)).toEqual(
      expect.arrayContaining(["You already have an Aisle account", "Choose a new password for Aisle"]),
    );
    await accounts.confirmEmail(anonymous(), {
      token: await linkTo(wanted, "/confirm-email"),
      currentPassword: PASSWORD,
    });
    expect(await accountOf(wanted)).toMatchObject({ id: asker.id });
  });

  it("leaves what was sent to somebody else whose address it asked for", async () => {
    const [person, other] = [await makePerson(), await makePerson()];
    const asked = { currentPassword: PASSWORD, email: other.email, address: newAddress() };
    await accounts.changeEmail(person.ctx, asked);
    await accounts.requestReset(anonymous(), { email: other.email, address: newAddress() });
    const sent = await mailsTo(other.email);
    await remove(person);
    expect(await mailsTo(other.email)).toEqual(sent);
    const rows = await database.sql`select template from outbox where recipient = ${other.email} order by id`;
    expect(rows.map(({ template }) => template)).toEqual(["address-taken", "reset"]);
  });

  it("asks for the current password, and is refused without", async () => {
    const person = await makePerson();
    await expect(accounts.deleteAccount(person.ctx, { currentPassword: OTHER })).rejects.toMatchObject({
      code: "invalid_input",
    });
    expect(await accountOf(person.email)).toBeDefined();
  });
});
