// Invitations to act for a merchant, and who acts for it.
import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { accounts } from "../../db/schema/accounts";
import * as deletion from "../../server/services/accounts";
import * as invitations from "../../server/services/invitations";
import * as mail from "../../server/services/mail";
import * as people from "../../server/services/merchant-people";
import * as own from "../../server/services/merchants";
import * as retention from "../../server/services/retention";
import { testDatabase, untilWaiting } from "../support/database";
import { makeAccount, makeConsumer, makeStore } from "../support/factories";
import { everythingStored, newEmail, outcomeOf, PASSWORD, people as visitors } from "../support/people";

const database = testDatabase();
const { anonymous, linkTo, mailsTo, makePerson, signedIn } = visitors(database);
const DAY_MS = 86_400_000;

const operator = (now?: Date) => database.as({ kind: "operator", accountId: null }, now);
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS);

async function setUp() {
  const { merchantId, name } = await makeStore(database);
  const email = newEmail();
  return { merchantId, name, email, send: (now?: Date) => invitations.send(operator(now), { merchantId, email }) };
}
const peek = async (email: string) => invitations.peek(anonymous(), { token: await linkTo(email, "/invitation") });
const actsFor = async (accountId: string) => (await own.mine(signedIn(accountId)))[0]?.merchantId;
const actsOn = (merchantId: string) =>
  database.sql`select action, actor_kind, actor_id, before, after from audit where target_id = ${merchantId} order by id`;

describe("whoever acts for a merchant before a mail was sent", () => {
  const subjectsTo = async (email: string) => (await mailsTo(email)).map(({ subject }) => subject).toReversed();
  const accept = async (accountId: string, name: string) => {
    const waiting = await invitations.mine(signedIn(accountId));
    await invitations.accept(signedIn(accountId), { id: waiting.find(({ merchant }) => merchant === name)!.id });
  };

  it("gets no invitation any more, added or by one that was accepted without its mail; another merchant's is sent", async () => {
    const other = await setUp();
    const invited = `You are invited to act for ${other.name} on Aisle`;
    for (const how of ["added", "accepted"]) {
      const { merchantId, name, email, send } = await setUp();
      const { id } = await makeAccount(database, { email });
      await send();
      await invitations.send(operator(), { merchantId: other.merchantId, email });
      if (how === "added") await people.add(operator(), { merchantId, email });
      else await accept(id, name);
      const joined = how === "added" ? [`You now act for ${name} on Aisle`] : [];
      expect(await subjectsTo(email), how).toEqual([invited, ...joined]);
    }
  });

  it("gets nothing that says they are out, added again or invited again; of another merchant they do", async () => {
    for (const how of ["added", "invited"]) {
      const [{ merchantId, name, email, send }, other] = [await setUp(), await setUp()];
      const { id: accountId } = await makeAccount(database, { email });
      for (const one of [merchantId, other.merchantId]) await people.add(operator(), { merchantId: one, email });
      const { length } = await subjectsTo(email);
      for (const one of [merchantId, other.merchantId]) await people.remove(operator(), { merchantId: one, accountId });
      if (how === "added") await people.add(operator(), { merchantId, email });
      else {
        await send();
        await accept(accountId, name);
      }
      const joined = how === "added" ? [`You now act for ${name} on Aisle`] : [];
      expect((await subjectsTo(email)).slice(length), how).toEqual([
        `You no longer act for ${other.name} on Aisle`,
        ...joined,
      ]);
    }
  });
});

describe("an invitation", () => {
  it("makes the account with its very address act for the merchant, once a button was pressed", async () => {
    const { merchantId, name, email, send } = await setUp();
    await send();
    const account = await makeAccount(database, { email });
    const found = await peek(email);
    expect(found).toMatchObject({ state: "waiting", merchant: name, email });
    expect(await actsFor(account.id)).toBeUndefined();
    const [waiting] = await invitations.mine(signedIn(account.id));
    expect(waiting).toMatchObject({ id: (found as { id: string }).id, merchant: name });
    expect(await invitations.accept(signedIn(account.id), { id: waiting!.id })).toEqual({ merchantId });
    expect(await actsFor(account.id)).toBe(merchantId);
    expect(await peek(email)).toEqual({ state: "accepted", merchant: name });
    expect(await invitations.mine(signedIn(account.id))).toEqual([]);
    expect(await invitations.list(operator(), { merchantId })).toEqual([]);
  });

  it("is nothing to any other account, nor to one whose address is not confirmed", async () => {
    const { email, send } = await setUp();
    await send();
    const { id } = (await peek(email)) as { id: string };
    const other = await makeAccount(database);
    const unproven = await makeAccount(database, { email, emailVerifiedAt: null });
    for (const account of [other, unproven]) {
      expect(await invitations.mine(signedIn(account.id))).toEqual([]);
      await expect(invitations.accept(signedIn(account.id), { id })).rejects.toMatchObject({ code: "not_found" });
      expect(await actsFor(account.id)).toBeUndefined();
    }
    await database.db.update(accounts).set({ emailVerifiedAt: new Date() }).where(eq(accounts.id, unproven.id));
    await expect(invitations.accept(signedIn(other.id), { id })).rejects.toMatchObject({ code: "not_found" });
    expect(await actsFor(other.id)).toBeUndefined();
  });

  it("leaves the one to another address, and is withdrawn at its own merchant alone", async () => {
    const [{ merchantId, send }, other] = [await setUp(), await setUp()];
    const emails = [newEmail(), newEmail()];
    for (const email of emails) await invitations.send(operator(), { merchantId, email });
    await send();
    const waiting = await invitations.list(operator(), { merchantId });
    expect(waiting.map(({ email }) => email)).toEqual(expect.arrayContaining(emails));
    expect(waiting).toHaveLength(3);
    const { id } = waiting[0]!;
    await expect(invitations.withdraw(operator(), { id, merchantId: other.merchantId })).rejects.toMatchObject({
      code: "conflict",
    });
    expect(await invitations.list(operator(), { merchantId })).toEqual(waiting);
    expect((await actsOn(other.merchantId)).map(({ action }) => action)).not.toContain("invitation.withdraw");
  });

  it("to an address leaves those of other merchants to it, also where its account acts for one", async () => {
    const [one, other] = [await setUp(), await setUp()];
    for (const { merchantId } of [one, other]) await invitations.send(operator(), { merchantId, email: one.email });
    expect(await invitations.list(operator(), { merchantId: one.merchantId })).toMatchObject([{ state: "waiting" }]);
    const account = await makeAccount(database, { email: one.email });
    const [waiting] = await invitations.mine(signedIn(account.id));
    await invitations.accept(signedIn(account.id), { id: waiting!.id });
    const third = await setUp();
    await invitations.send(operator(), { merchantId: third.merchantId, email: one.email });
    expect(await invitations.mine(signedIn(account.id))).toHaveLength(2);
  });

  it("is accepted once, of twenty attempts at once", async () => {
    const { merchantId, email, send } = await setUp();
    await send();
    const account = await makeAccount(database, { email });
    const { id } = (await peek(email)) as { id: string };
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () => outcomeOf(invitations.accept(signedIn(account.id), { id }))),
    );
    expect(outcomes.filter((outcome) => "value" in outcome)).toHaveLength(1);
    const refused = outcomes.filter((outcome) => "code" in outcome);
    expect(new Set(refused.map((outcome) => JSON.stringify([outcome.code, outcome.details])))).toEqual(
      new Set(['["conflict",{"reason":"accepted"}]']),
    );
    expect((await actsOn(merchantId)).filter(({ action }) => action === "invitation.accept")).toHaveLength(1);
  });

  it("works for 7 days to the millisecond, and says afterwards that it has expired", async () => {
    const { merchantId, name, email, send } = await setUp();
    const sentAt = inDays(-7);
    await send(sentAt);
    await mail.deliverDue(database.as({ kind: "system" }, sentAt), mail.local(operator()));
    const token = await linkTo(email, "/invitation");
    const after = (ms: number) => database.as({ kind: "anonymous" }, new Date(sentAt.getTime() + 7 * DAY_MS + ms));
    expect(await invitations.peek(after(-1), { token })).toMatchObject({ state: "waiting" });
    expect(await invitations.peek(after(0), { token })).toMatchObject({ state: "expired" });
    const account = await makeAccount(database, { email });
    expect(await peek(email)).toEqual({ state: "expired", merchant: name });
    expect(await invitations.mine(signedIn(account.id))).toEqual([]);
    const [listed] = await invitations.list(operator(), { merchantId });
    expect(listed).toMatchObject({ email, state: "expired" });
    await expect(invitations.accept(signedIn(account.id), { id: listed!.id })).rejects.toMatchObject({
      code: "conflict",
      details: { reason: "expired" },
    });
  });

  it("is nothing any more once its account is deleted, nor do the two wait for each other in a circle", async () => {
    const person = await makePerson();
    const { merchantId } = await makeStore(database);
    const { id: consumerId } = await makeConsumer(database);
    await invitations.send(operator(), { merchantId, email: person.email });
    const [waiting] = await invitations.mine(person.ctx);
    await database.sql`update applications set technical_contact_email = ${person.email} where consumer_id = ${consumerId}`;
    let both: Promise<unknown>[] = [];
    await database.sql.begin(async (tx) => {
      // The deletion has the account by then, and takes its address out of here before it comes to invitations.
      await tx`select from applications where consumer_id = ${consumerId} for update`;
      both = [outcomeOf(deletion.deleteAccount(person.ctx, { currentPassword: PASSWORD }))];
      await untilWaiting(database.sql, 1);
      both.push(outcomeOf(invitations.accept(person.ctx, { id: waiting!.id })));
      await untilWaiting(database.sql, 2);
    });
    expect(await Promise.all(both)).toMatchObject([{ value: undefined }, { code: "not_found" }]);
  });

  it("is not sent to whoever accepts an earlier one at that very moment", async () => {
    const person = await makePerson();
    const { merchantId } = await makeStore(database);
    const send = () => invitations.send(operator(), { merchantId, email: person.email });
    await send();
    const [waiting] = await invitations.mine(person.ctx);
    let sending: Promise<unknown> | undefined;
    await database.db.transaction(async (tx) => {
      await invitations.accept({ ...person.ctx, db: tx }, { id: waiting!.id });
      sending = outcomeOf(send());
      await untilWaiting(database.sql, 1);
    });
    expect(await sending).toMatchObject({ code: "invalid_input", details: { issues: [{ path: "email" }] } });
    expect(await invitations.list(operator(), { merchantId })).toEqual([]);
  });

  it("can be withdrawn, and is then of no use", async () => {
    const { merchantId, name, email, send } = await setUp();
    await send();
    const { id } = (await peek(email)) as { id: string };
    const account = await makeAccount(database, { email });
    await invitations.withdraw(operator(), { id, merchantId });
    expect(await peek(email)).toEqual({ state: "withdrawn", merchant: name });
    await expect(invitations.accept(signedIn(account.id), { id })).rejects.toMatchObject({ code: "conflict" });
    await expect(invitations.withdraw(operator(), { id, merchantId })).rejects.toMatchObject({ code: "conflict" });
    expect((await actsOn(merchantId)).slice(1)).toMatchObject([
      { action: "invitation.send", after: { invitationId: id } },
      { action: "invitation.withdraw", before: { invitationId: id } },
    ]);
  });

  it("to the same address again makes the earlier one void", async () => {
    const { merchantId, email, send } = await setUp();
    await send();
    const first = await linkTo(email, "/invitation");
    await send();
    expect(await invitations.peek(anonymous(), { token: first })).toMatchObject({ state: "withdrawn" });
    expect(await peek(email)).toMatchObject({ state: "waiting" });
    expect(await invitations.list(operator(), { merchantId })).toHaveLength(1);
  });

  it("is recorded with the earlier one whose place it took", async () => {
    const { merchantId, send } = await setUp();
    for (let i = 0; i < 2; i++) await send();
    const [first, second, ...more] = await database.sql`
      select after from audit where action = 'invitation.send' and target_id = ${merchantId} order by at, id`;
    expect(more).toEqual([]);
    const { invitationId } = first!.after;
    expect(first!.after).toEqual({ invitationId });
    expect(second!.after).toEqual({ invitationId: expect.not.stringMatching(invitationId), inPlaceOf: invitationId });
  });

  it("whose mail waits is not mailed once it was withdrawn, or sent anew", async () => {
    const { merchantId, email, send } = await setUp();
    await send();
    const [waiting] = await invitations.list(operator(), { merchantId });
    await invitations.withdraw(operator(), { id: waiting!.id, merchantId });
    expect(await mailsTo(email)).toEqual([]);
    await send();
    await send();
    expect(await mailsTo(email)).toHaveLength(1);
    expect(await peek(email)).toMatchObject({ state: "waiting" });
  });

  it("of several at once to one address leaves one that waits", async () => {
    const { merchantId, send } = await setUp();
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => outcomeOf(send())));
    for (const outcome of outcomes) if ("code" in outcome) expect(outcome.code).toBe("conflict");
    expect(outcomes.some((outcome) => "value" in outcome)).toBe(true);
    expect(await invitations.list(operator(), { merchantId })).toHaveLength(1);
  });

  it("is not sent to who acts for the merchant already, nor for a merchant that is not there", async () => {
    const { merchantId, email, send } = await setUp();
    const account = await makeAccount(database, { email });
    await people.add(operator(), { merchantId, email });
    await expect(send()).rejects.toMatchObject({
      code: "invalid_input",
      details: { issues: [{ path: "email", message: expect.stringContaining(account.name) }] },
    });
    const nowhere = { merchantId: "00000000-0000-7000-8000-000000000000", email };
    await expect(invitations.send(operator(), nowhere)).rejects.toMatchObject({ code: "not_found" });
  });

  it("keeps its token to the mail, and the address out of the audit", async () => {
    const { merchantId, email, send } = await setUp();
    await send();
    const token = await linkTo(email, "/invitation");
    await database.sql`delete from local_mails`;
    expect(await everythingStored(database)).not.toContain(token);
    expect(JSON.stringify(await actsOn(merchantId))).not.toContain(email);
    expect(await invitations.peek(anonymous(), { token: `${token}x` })).toEqual({ state: "unknown" });
  });

  it("leaves nothing of its address 30 days after its end, or with the account", async () => {
    const { email, send, merchantId } = await setUp();
    await send(inDays(-38));
    await send(inDays(-1));
    const person = await makePerson();
    await invitations.send(operator(), { merchantId, email: person.email });
    await retention.run(database.as({ kind: "system" }));
    const kept = await database.sql`select count(*)::int as n from merchant_invitations where email = ${email}`;
    expect(kept[0]!.n).toBe(1);
    await deletion.deleteAccount(person.ctx, { currentPassword: PASSWORD });
    const theirs = await database.sql`select 1 from merchant_invitations where email = ${person.email}`;
    expect(theirs).toHaveLength(0);
  });
});

describe("a merchant's people", () => {
  it("are added by the address of a confirmed account, told by mail, and listed with what else they act for", async () => {
    const [one, other] = [await setUp(), await setUp()];
    const account = await makeAccount(database, { email: one.email });
    for (const { merchantId } of [one, other]) await people.add(operator(), { merchantId, email: one.email });
    expect(await people.people(operator(), { merchantId: one.merchantId })).toMatchObject([
      { accountId: account.id, name: account.name, email: one.email, alsoFor: [other.name] },
    ]);
    expect((await mailsTo(one.email)).map(({ subject }) => subject)).toContain(`You now act for ${one.name} on Aisle`);
    await expect(people.add(operator(), one)).rejects.toMatchObject({ code: "invalid_input" });
  });

  it("are not made of addresses without a confirmed account", async () => {
    const { merchantId, email } = await setUp();
    const refusal = { code: "invalid_input", details: { issues: [{ path: "email" }] } };
    await expect(people.add(operator(), { merchantId, email })).rejects.toMatchObject(refusal);
    await makeAccount(database, { email, emailVerifiedAt: null });
    await expect(people.add(operator(), { merchantId, email })).rejects.toMatchObject(refusal);
    expect(await people.people(operator(), { merchantId })).toEqual([]);
  });

  it("are not made of an account that is deleted at that very moment", async () => {
    const { merchantId } = await setUp();
    const { id, email } = await makeAccount(database);
    let adding: Promise<unknown> | undefined;
    await database.db.transaction(async (tx) => {
      await tx.delete(accounts).where(eq(accounts.id, id));
      adding = outcomeOf(people.add(operator(), { merchantId, email }));
      await untilWaiting(database.sql, 1);
    });
    expect(await adding).toMatchObject({ code: "invalid_input" });
  });

  it("no longer act for it once they are removed, which is done once and recorded", async () => {
    const { merchantId, email } = await setUp();
    const account = await makeAccount(database, { email });
    const [colleague, other] = [await makeAccount(database), await setUp()];
    await people.add(operator(), { merchantId, email });
    await people.add(operator(), { merchantId, email: colleague.email });
    await people.add(operator(), { merchantId: other.merchantId, email });
    const gone = { merchantId, accountId: account.id };
    const outcomes = await Promise.all([1, 2].map(() => outcomeOf(people.remove(operator(), gone))));
    expect(outcomes.filter((outcome) => "code" in outcome)).toMatchObject([{ code: "conflict" }]);
    expect(await actsFor(account.id)).toBe(other.merchantId);
    expect(await actsFor(colleague.id)).toBe(merchantId);
    expect((await actsOn(merchantId)).map(({ action }) => action)).toEqual([
      "merchant.create",
      "merchant.add_member",
      "merchant.add_member",
      "merchant.remove_member",
    ]);
  });

  it("cannot come back by an invitation from before, whether they were removed or added without it", async () => {
    const [{ merchantId, email, send }, other] = [await setUp(), await setUp()];
    await send();
    await invitations.send(operator(), { merchantId: other.merchantId, email });
    const account = await makeAccount(database, { email });
    const { id } = (await invitations.list(operator(), { merchantId }))[0]!;
    await people.add(operator(), { merchantId, email });
    expect(await invitations.list(operator(), { merchantId })).toEqual([]);
    await people.remove(operator(), { merchantId, accountId: account.id });
    await expect(invitations.accept(signedIn(account.id), { id })).rejects.toMatchObject({ code: "conflict" });
    expect(await actsFor(account.id)).toBeUndefined();
    expect(await invitations.mine(signedIn(account.id))).toMatchObject([{ merchant: other.name }]);
    expect((await actsOn(merchantId)).slice(2)).toMatchObject([
      { action: "invitation.withdraw", before: { invitationId: id } },
      { action: "merchant.add_member" },
      { action: "merchant.remove_member" },
    ]);
  });

  it("are told by mail when they are removed", async () => {
    const { merchantId, name, email } = await setUp();
    const account = await makeAccount(database, { email });
    await people.add(operator(), { merchantId, email });
    await people.remove(operator(), { merchantId, accountId: account.id });
    const rows = await database.sql`select template, data from outbox where recipient = ${email} order by id`;
    expect(rows.at(-1)).toMatchObject({ template: "merchant-removed", data: { merchantId, merchant: name } });
  });

  it("are not sent an invitation that still waits when they are removed; another merchant's is", async () => {
    const [{ merchantId, name, email, send }, other] = [await setUp(), await setUp()];
    await send();
    await invitations.send(operator(), { merchantId: other.merchantId, email });
    const account = await makeAccount(database, { email });
    await people.add(operator(), { merchantId, email });
    await people.remove(operator(), { merchantId, accountId: account.id });
    expect((await mailsTo(email)).map(({ subject }) => subject).toReversed()).toEqual([
      `You are invited to act for ${other.name} on Aisle`,
      `You no longer act for ${name} on Aisle`,
    ]);
  });

  it("of two who leave at once, and were shown that somebody stays, one does: who goes knowingly is let go", async () => {
    const { merchantId } = await setUp();
    const both = [await makeAccount(database), await makeAccount(database)];
    for (const { email } of both) await people.add(operator(), { merchantId, email });
    const outcomes = await Promise.all(
      both.map(({ id }) => outcomeOf(people.leave(signedIn(id), { merchantId, last: false }))),
    );
    expect(outcomes.filter((outcome) => "code" in outcome)).toMatchObject([{ code: "conflict" }]);
    const [stayed] = await database.sql<{ id: string }[]>`
      select account_id as id from merchant_members where merchant_id = ${merchantId}`;
    await expect(people.remove(operator(), { merchantId, accountId: stayed!.id, last: false })).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("No one would be left"),
    });
    await people.leave(signedIn(stayed!.id), { merchantId, last: true });
    expect(await actsFor(stayed!.id)).toBeUndefined();
  });

  it("leave by themselves, with the invitations that wait for them, and nobody else with them", async () => {
    const { merchantId, email, send } = await setUp();
    const [account, colleague] = [await makeAccount(database), await makeAccount(database)];
    await people.add(operator(), { merchantId, email: account.email });
    await people.add(operator(), { merchantId, email: colleague.email });
    await send();
    await database.db.update(accounts).set({ email }).where(eq(accounts.id, account.id));
    const leave = () => people.leave(signedIn(account.id), { merchantId });
    await leave();
    expect([await actsFor(account.id), await actsFor(colleague.id)]).toEqual([undefined, merchantId]);
    expect(await invitations.mine(signedIn(account.id))).toEqual([]);
    const [act] = await database.sql`
      select actor_id from audit where action = 'merchant.leave' and target_id = ${merchantId}`;
    expect(act).toEqual({ actor_id: account.id });
    await expect(leave()).rejects.toMatchObject({
      code: "conflict",
      message: "You no longer act for this merchant.",
    });
  });

  it("who have the address of an invitation since are removed with it", async () => {
    const { merchantId, email, send } = await setUp();
    const account = await makeAccount(database);
    await people.add(operator(), { merchantId, email: account.email });
    await send();
    await database.db.update(accounts).set({ email }).where(eq(accounts.id, account.id));
    const { id } = (await invitations.mine(signedIn(account.id)))[0]!;
    await people.remove(operator(), { merchantId, accountId: account.id });
    await expect(invitations.accept(signedIn(account.id), { id })).rejects.toMatchObject({ code: "conflict" });
    expect(await actsFor(account.id)).toBeUndefined();
  });
});
