// Who works for a consumer, as operators decide it, and they themselves.
import { and, eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { accounts as accountsTable } from "../../db/schema/accounts";
import { members } from "../../db/schema/consumers";
import type { Member, Operator, Owner } from "../../server/context";
import * as accounts from "../../server/services/accounts";
import * as applications from "../../server/services/applications";
import * as keys from "../../server/services/keys";
import * as mail from "../../server/services/mail";
import * as team from "../../server/services/members";
import * as memberships from "../../server/services/memberships";
import * as overview from "../../server/services/overview";
import * as terms from "../../server/services/terms";
import { testDatabase, untilWaiting } from "../support/database";
import { makeAccount, makeConsumer } from "../support/factories";
import { outcomeOf, PASSWORD, people } from "../support/people";

const database = testDatabase();
const { mailsTo, makePerson, signedIn } = people(database);
/** One moment for all, so that no day ends in between. */
const NOW = new Date();
const operator = () => database.as<Operator>({ kind: "operator", accountId: null }, NOW);
const DAY_MS = 86_400_000;
const dayFromNow = (days: number) => new Date(NOW.getTime() + days * DAY_MS).toISOString().slice(0, 10);

const rowOf = async (consumerId: string, accountId: string) =>
  (
    await database.db
      .select()
      .from(members)
      .where(and(eq(members.consumerId, consumerId), eq(members.accountId, accountId)))
  )[0];

/** Whose access, as it stands: what an operator's page shows and sends. */
const shown = async (who: { consumerId: string; accountId: string }) => ({
  ...who,
  grantedAt: (await rowOf(who.consumerId, who.accountId))?.grantedAt ?? NOW,
});

async function setUp() {
  const consumer = await makeConsumer(database);
  const person = await makeAccount(database);
  const add = (role: "owner" | "developer" | "reviewer", lastDay: string | null = null, email = person.email) =>
    team.add(operator(), { consumerId: consumer.id, email, role, lastDay });
  return { consumer, person, add, who: { consumerId: consumer.id, accountId: person.id } };
}

describe("adding", () => {
  it("gives an account its role at once, and tells it by mail", async () => {
    const { consumer, person, add } = await setUp();
    await add("developer");
    const mine = await memberships.mine(database.as({ kind: "signed_in", accountId: person.id }));
    expect(mine).toMatchObject([{ consumerId: consumer.id, role: "developer" }]);
    const [mail] = await mailsTo(person.email);
    expect(mail!.text).toContain(`You now have access to ${consumer.name} as a developer.`);
  });

  it("again, before the mail of the removal was sent, leaves nothing that says they are out", async () => {
    const { person, add, who } = await setUp();
    await add("developer");
    await mailsTo(person.email);
    await team.remove(operator(), who);
    await add("developer");
    const [last, ...earlier] = (await mailsTo(person.email)).map(({ subject }) => subject);
    expect([last, ...earlier]).toEqual(Array(2).fill("You were added to a platform on Aisle"));
  });

  it("says clearly that there is no such account, or that its address is not confirmed", async () => {
    const { add } = await setUp();
    const { email } = await makeAccount(database, { emailVerifiedAt: null });
    await expect(add("developer", null, "nobody@nowhere.example")).rejects.toMatchObject({
      message: "There is no account with this address. Ask them to sign up, then add them.",
      details: { issues: [{ path: "email" }] },
    });
    await expect(add("developer", null, email)).rejects.toMatchObject({
      message: expect.stringContaining("has not confirmed its address"),
    });
  });

  it("is refused like any unknown address where the account is deleted at that very moment", async () => {
    const { person, add } = await setUp();
    let adding: Promise<unknown> | undefined;
    await database.db.transaction(async (tx) => {
      await tx.delete(accountsTable).where(eq(accountsTable.id, person.id));
      adding = outcomeOf(add("developer"));
      await untilWaiting(database.sql, 1);
    });
    expect(await adding).toMatchObject({ code: "invalid_input", details: { issues: [{ path: "email" }] } });
  });

  it("does not change the role of somebody who is a member", async () => {
    const { consumer, person, add, who } = await setUp();
    await add("developer");
    await expect(add("owner")).rejects.toMatchObject({ message: expect.stringContaining("is already a developer") });
    expect(await rowOf(who.consumerId, person.id)).toMatchObject({ role: "developer" });
    const owner = team.add(operator(), {
      consumerId: consumer.id,
      email: consumer.owner.email,
      role: "reviewer",
      lastDay: dayFromNow(5),
    });
    await expect(owner).rejects.toMatchObject({ message: expect.stringContaining("is already an owner") });
  });

  it("takes no last day for a role that has none: it would never end", async () => {
    const { consumer, person, who } = await setUp();
    const added = (role: Member["role"]) =>
      team.add(operator(), { consumerId: consumer.id, email: person.email, role, lastDay: dayFromNow(5) });
    for (const role of ["developer", "owner"] as const)
      await expect(added(role)).rejects.toMatchObject({ details: { issues: [{ path: "lastDay" }] } });
    expect(await rowOf(who.consumerId, person.id)).toBeUndefined();
  });
});

describe("who works for a consumer", () => {
  it("is told to each of its members, and to nobody else's", async () => {
    const { consumer, person, add } = await setUp();
    await add("developer");
    const other = await makeConsumer(database);
    const seenBy = (accountId: string, consumerId: string, role: Member["role"]) =>
      team.colleagues(database.as<Member>({ kind: "member", accountId, consumerId, role }, NOW));
    const both = [
      { accountId: consumer.owner.id, email: consumer.owner.email, role: "owner" },
      { accountId: person.id, email: person.email, role: "developer" },
    ];
    expect(await seenBy(consumer.owner.id, consumer.id, "owner")).toMatchObject(both);
    expect(await seenBy(person.id, consumer.id, "developer")).toMatchObject(both);
    expect(await seenBy(other.owner.id, other.id, "owner")).toMatchObject([{ accountId: other.owner.id }]);
  });

  it("stands by role, owners first, and then by name", async () => {
    const { consumer } = await setUp();
    await database.sql`update accounts set name = 'Mo' where id = ${consumer.owner.id}`;
    for (const [name, role] of [
      ...[["Zed", "reviewer"] as const, ["Yan", "developer"] as const, ["Bo", "developer"] as const],
      ...[["Abe", "reviewer"] as const, ["Lu", "owner"] as const],
    ]) {
      const { email } = await makeAccount(database, { name });
      const lastDay = role === "reviewer" ? dayFromNow(9) : null;
      await team.add(operator(), { consumerId: consumer.id, email, role, lastDay });
    }
    const everybody = await team.team(operator(), { consumerId: consumer.id });
    expect(everybody.map(({ name }) => name)).toEqual(["Lu", "Mo", "Bo", "Yan", "Abe", "Zed"]);
  });
});

describe("reviewers", () => {
  it("need a last day, which lies at most 90 days ahead", async () => {
    const { add } = await setUp();
    for (const [lastDay, message] of [
      [null, "Enter the last day of access."],
      [dayFromNow(-1), "This day has passed."],
      [dayFromNow(91), "At most 90 days at a time: until"],
    ] as const) {
      await expect(add("reviewer", lastDay)).rejects.toMatchObject({
        message: expect.stringContaining(message),
        details: { issues: [{ path: "lastDay" }] },
      });
    }
  });

  it("are let in until that day's end, and not a second longer than 90 days", async () => {
    const { add, who } = await setUp();
    await add("reviewer", dayFromNow(10));
    const ten = await rowOf(who.consumerId, who.accountId);
    expect(ten!.endsAt).toEqual(new Date(`${dayFromNow(10)}T24:00:00Z`));
    await team.renew(operator(), { ...(await shown(who)), lastDay: dayFromNow(90) });
    const { grantedAt, endsAt } = (await rowOf(who.consumerId, who.accountId))!;
    expect(endsAt!.getTime() - grantedAt.getTime()).toBe(90 * DAY_MS);
    const at = (ms: number) => database.as({ kind: "signed_in", accountId: who.accountId }, new Date(+endsAt! + ms));
    const seen = async (ms: number) =>
      [await memberships.mine(at(ms)), await memberships.ended(at(ms))].map(({ length }) => length);
    expect([await seen(-1), await seen(0)]).toEqual([
      [1, 0],
      [0, 1],
    ]);
  });

  it("are told by mail until when they are let in, and when that is renewed", async () => {
    const { consumer, person, add, who } = await setUp();
    await add("reviewer", dayFromNow(10));
    await mailsTo(person.email);
    await team.renew(operator(), { ...(await shown(who)), lastDay: dayFromNow(20) });
    const texts = (await mailsTo(person.email)).map(({ text }) => text);
    const until = (days: number) => `until ${dayFromNow(days + 1)} at 00:00 UTC.`;
    expect(texts).toContainEqual(
      expect.stringContaining(`You now have access to ${consumer.name} as a reviewer, ${until(10)}`),
    );
    expect(texts).toContainEqual(
      expect.stringContaining(`You have access to ${consumer.name} as a reviewer ${until(20)}`),
    );
  });

  it("have 90 days of 24 hours, whatever the time zone of who writes it", async () => {
    const { who } = await setUp();
    await database.sql.begin(async (tx) => {
      await tx`set local timezone = 'Europe/Berlin'`;
      // Summer time begins in between.
      await tx`
        insert into members (consumer_id, account_id, role, granted_at, ends_at)
        values (${who.consumerId}, ${who.accountId}, 'reviewer', '2027-01-15T10:00:00Z', '2027-04-15T10:00:00Z')`;
    });
    const row = await rowOf(who.consumerId, who.accountId);
    expect(row!.endsAt!.getTime() - row!.grantedAt.getTime()).toBe(90 * DAY_MS);
  });

  it("whose access has ended come back by renewal, or by being added again", async () => {
    const { add, who } = await setUp();
    const ended = { grantedAt: new Date(Date.now() - 50 * DAY_MS), endsAt: new Date(Date.now() - DAY_MS) };
    const end = () => database.db.update(members).set(ended).where(eq(members.accountId, who.accountId));
    const mine = () => memberships.mine(database.as({ kind: "signed_in", accountId: who.accountId }));
    await add("reviewer", dayFromNow(5));
    await end();
    expect(await mine()).toEqual([]);
    expect(await team.team(operator(), who)).toMatchObject([{ role: "owner" }, { role: "reviewer", hasEnded: true }]);
    await team.renew(operator(), { ...(await shown(who)), lastDay: dayFromNow(5) });
    expect(await mine()).toHaveLength(1);
    expect(await rowOf(who.consumerId, who.accountId)).toMatchObject({ grantedAt: NOW });
    await end();
    await add("developer");
    expect(await mine()).toMatchObject([{ role: "developer", endsAt: null }]);
    const acts = await database.sql`select action from audit where target_id = ${who.consumerId} order by at, id`;
    expect(acts.map(({ action }) => action)).toEqual(["member.add", "member.renew", "member.add"]);
  });

  it("alone can be renewed", async () => {
    const { add, who } = await setUp();
    await add("developer");
    await expect(team.renew(operator(), { ...(await shown(who)), lastDay: dayFromNow(5) })).rejects.toMatchObject({
      code: "not_found",
    });
  });
});

describe("another role", () => {
  const change = async (
    who: { consumerId: string; accountId: string },
    role: Member["role"],
    lastDay: string | null = null,
  ) => team.changeRole(operator(), { ...(await shown(who)), role, lastDay });

  it("holds at once, is told by mail, and is on record as what it was and is", async () => {
    const { consumer, person, add, who } = await setUp();
    await add("developer");
    await mailsTo(person.email);
    await change(who, "owner");
    await mailsTo(person.email);
    const mine = () => memberships.mine(database.as({ kind: "signed_in", accountId: person.id }, NOW));
    expect(await mine()).toMatchObject([{ role: "owner", endsAt: null }]);
    await change(who, "reviewer", dayFromNow(10));
    const endsAt = new Date(`${dayFromNow(10)}T24:00:00Z`);
    expect(await mine()).toMatchObject([{ role: "reviewer", endsAt }]);
    const [latest, earlier] = await mailsTo(person.email);
    expect(earlier!.text).toContain(`you now have access to ${consumer.name} as an owner.`);
    expect(latest!.text).toContain(`as a reviewer, until ${dayFromNow(11)} at 00:00 UTC.`);
    const acts = await database.sql`
      select action, before, after from audit where target_id = ${consumer.id} order by at, id offset 1`;
    expect(acts).toMatchObject([
      { action: "member.change_role", before: { role: "developer" }, after: { account: person.id, role: "owner" } },
      { action: "member.change_role", before: { role: "owner" }, after: { role: "reviewer" } },
    ]);
    // Whoever remains may have to rotate keys.
    expect((await mailsTo(consumer.owner.email)).map(({ subject }) => subject)).toEqual([
      `${consumer.name} has one owner fewer`,
    ]);
  });

  it("is refused where they have it, for a day that no reviewer gets, and to whoever is no member", async () => {
    const { add, who } = await setUp();
    await expect(change(who, "owner")).rejects.toMatchObject({ code: "not_found" });
    await add("developer");
    await expect(change(who, "developer")).rejects.toMatchObject({
      message: expect.stringContaining("is a developer already."),
      details: { issues: [{ path: "role" }] },
    });
    for (const lastDay of [null, dayFromNow(91)])
      await expect(change(who, "reviewer", lastDay)).rejects.toMatchObject({
        details: { issues: [{ path: "lastDay" }] },
      });
    await expect(change(who, "owner", dayFromNow(5))).rejects.toMatchObject({
      details: { issues: [{ path: "lastDay" }] },
    });
    expect(await rowOf(who.consumerId, who.accountId)).toMatchObject({ role: "developer", endsAt: null });
  });

  it("is given once: of two operators who change or renew it at once, the second is told of the first", async () => {
    const { person, add, who } = await setUp();
    await add("reviewer", dayFromNow(5));
    const seen = await shown(who);
    const later = () => database.as<Operator>({ kind: "operator", accountId: null }, new Date(NOW.getTime() + 1));
    const acts = () => [
      team.changeRole(later(), { ...seen, role: "owner", lastDay: null }),
      team.changeRole(later(), { ...seen, role: "developer", lastDay: null }),
      team.renew(later(), { ...seen, lastDay: dayFromNow(50) }),
      team.renew(later(), { ...seen, lastDay: dayFromNow(60) }),
    ];
    const outcomes = await Promise.all(acts().map(outcomeOf));
    const { role } = (await rowOf(who.consumerId, who.accountId))!;
    const told = `${person.name} was made ${role === "owner" ? "an" : "a"} ${role} in the meantime`;
    const refused = outcomes.filter((outcome) => "code" in outcome);
    expect(refused).toHaveLength(3);
    for (const refusal of refused)
      expect(refusal).toMatchObject({ code: "conflict", message: expect.stringContaining(told) });
    const recorded =
      await database.sql`select 1 from audit where target_id = ${who.consumerId} and action <> 'member.add'`;
    expect(recorded).toHaveLength(1);
  });

  it("never takes the last owner, though two are changed or removed twenty times at once", async () => {
    const { consumer, add, who } = await setUp();
    await add("owner");
    const both = [who.accountId, consumer.owner.id];
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, i) => {
        const one = { consumerId: consumer.id, accountId: both[i % 2]! };
        return outcomeOf(i % 4 < 2 ? change(one, "developer") : team.remove(operator(), one));
      }),
    );
    expect(outcomes).toContainEqual(
      expect.objectContaining({ message: "This is the last owner. Make someone else an owner first." }),
    );
    expect((await team.team(operator(), who)).filter(({ role }) => role === "owner")).toHaveLength(1);
  });
});

describe("removing", () => {
  it("ends access at once, and is on record without a name", async () => {
    const { add, who, person } = await setUp();
    await add("developer");
    await team.remove(operator(), who);
    const [mail] = await mailsTo(person.email);
    expect(mail!.text).toContain("An Aisle operator has removed you from");
    expect(await memberships.mine(database.as({ kind: "signed_in", accountId: person.id }))).toEqual([]);
    const acts =
      await database.sql`select action, after::text from audit where target_id = ${who.consumerId} order by at, id`;
    expect(acts.map(({ action }) => action)).toEqual(["member.add", "member.remove"]);
    expect(JSON.stringify(acts)).not.toContain(person.email);
    await expect(team.remove(operator(), who)).rejects.toMatchObject({ code: "not_found" });
  });

  it("is about the access that was shown: what a colleague gave meanwhile stays, and is told of", async () => {
    const { add, who, person } = await setUp();
    await add("reviewer", dayFromNow(5));
    const { grantedAt } = (await rowOf(who.consumerId, person.id))!;
    const colleague = database.as<Operator>({ kind: "operator", accountId: null }, new Date(NOW.getTime() + 1_000));
    await team.renew(colleague, { ...who, grantedAt, lastDay: dayFromNow(60) });
    const refused = (told: string) => ({ code: "conflict", message: expect.stringContaining(told) });
    await expect(team.remove(operator(), { ...who, grantedAt })).rejects.toMatchObject(
      refused(`${person.name} was made a reviewer in the meantime`),
    );
    await expect(team.leave(signedIn(person.id), { consumerId: who.consumerId, grantedAt })).rejects.toMatchObject(
      refused("You were made a reviewer in the meantime"),
    );
    const now = (await rowOf(who.consumerId, person.id))!;
    await team.leave(signedIn(person.id), { consumerId: who.consumerId, grantedAt: now.grantedAt });
    expect(await rowOf(who.consumerId, person.id)).toBeUndefined();
  });

  it("never takes the last owner, though two are removed twenty times at once", async () => {
    const { consumer, add, who } = await setUp();
    await add("owner");
    // Who may not take the owner's place.
    await add("developer", null, (await makeAccount(database)).email);
    const both = [who.accountId, consumer.owner.id];
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, i) =>
        team.remove(operator(), { consumerId: consumer.id, accountId: both[i % 2]! }),
      ),
    );
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const left = await team.team(operator(), who);
    expect(left).toMatchObject([{ role: "owner" }, { role: "developer" }]);
    await expect(
      team.remove(operator(), { consumerId: consumer.id, accountId: left[0]!.accountId }),
    ).rejects.toMatchObject({ code: "conflict", message: "This is the last owner. Add another owner first." });
  });
});

describe("the mails of a platform that wait", () => {
  /** A second owner, to whom it is told of two keys of an operator's; and of another platform's. */
  async function toldTwice() {
    const { consumer, person, add, who } = await setUp();
    const other = await makeConsumer(database);
    await add("owner");
    await team.add(operator(), { consumerId: other.id, email: person.email, role: "owner", lastDay: null });
    await mailsTo(person.email);
    for (const { id } of [consumer, other]) await keys.issue(operator(), { consumerId: id, name: "Spare" });
    return { consumer, other, person, who };
  }
  const subjectsTo = async (email: string) => (await mailsTo(email)).map(({ subject }) => subject).toReversed();
  const issuedFor = ({ name }: { name: string }) => `An operator issued a key for ${name}`;

  it.each<[string, (who: { consumerId: string; accountId: string }) => Promise<void>, string[]]>([
    ["was removed", (who) => team.remove(operator(), who), ["You no longer have access to"]],
    ["left", ({ accountId, consumerId }) => team.leave(signedIn(accountId), { consumerId }), []],
  ])("are not sent to who %s: another platform's are, and those to other owners", async (_, end, last) => {
    const { consumer, other, person, who } = await toldTwice();
    await end(who);
    expect((await subjectsTo(person.email)).slice(2)).toEqual([
      issuedFor(other),
      ...last.map((told) => `${told} ${consumer.name} on Aisle`),
    ]);
    expect(await subjectsTo(consumer.owner.email)).toContain(issuedFor(consumer));
  });

  it("are sent to a former owner only where other roles get them, too", async () => {
    const { consumer, other, person, who } = await toldTwice();
    const revoked = { name: person.name, consumerId: consumer.id, productName: consumer.name, reason: "x" };
    await mail.send(operator(), database.db, { to: person.email, template: "access-revoked", data: revoked });
    await team.changeRole(operator(), { ...(await shown(who)), role: "developer", lastDay: null });
    expect((await subjectsTo(person.email)).slice(2)).toEqual([
      issuedFor(other),
      "Access to Aisle was revoked",
      `Your role for ${consumer.name} on Aisle was changed`,
    ]);
  });
});

describe("what a member is told of their access", () => {
  const until = (days: number) => `until ${dayFromNow(days + 1)} at 00:00 UTC.`;
  const renew = async (who: { consumerId: string; accountId: string }, days: number) =>
    team.renew(operator(), { ...(await shown(who)), lastDay: dayFromNow(days) });
  const change = async (who: { consumerId: string; accountId: string }, role: Member["role"], days?: number) =>
    team.changeRole(operator(), { ...(await shown(who)), role, lastDay: days === undefined ? null : dayFromNow(days) });

  async function added(role: Member["role"], days?: number) {
    const { consumer, person, add, who } = await setUp();
    await add(role, days === undefined ? null : dayFromNow(days));
    const mailed = async () =>
      (await mailsTo(person.email)).map(({ subject, text }) => [subject, text.replace(/\s+/g, " ")]).toReversed();
    const named = {
      added: "You were added to a platform on Aisle",
      changed: `Your role for ${consumer.name} on Aisle was changed`,
      renewed: `Your access to ${consumer.name} on Aisle was renewed`,
    };
    return { consumer, who, add, mailed, named };
  }

  it("is what holds: of renewals whose mails wait the last alone", async () => {
    const { who, mailed, named } = await added("reviewer", 10);
    await mailed();
    await renew(who, 20);
    await renew(who, 30);
    expect((await mailed()).slice(1)).toEqual([[named.renewed, expect.stringContaining(until(30))]]);
  });

  it("is that they were added, where they do not know that yet, with the role and the day that hold", async () => {
    const { who, mailed, named } = await added("reviewer", 10);
    await renew(who, 20);
    await change(who, "developer");
    await change(who, "reviewer", 30);
    expect(await mailed()).toEqual([[named.added, expect.stringContaining(`as a reviewer, ${until(30)}`)]]);
  });

  it("is that their role was changed, where a renewal follows before that was sent", async () => {
    const { who, mailed, named } = await added("developer");
    await mailed();
    await change(who, "reviewer", 10);
    await renew(who, 20);
    expect((await mailed()).slice(1)).toEqual([
      [named.changed, expect.stringContaining(`as a reviewer, ${until(20)}`)],
    ]);
  });

  it("is said once to a reviewer who is added again after their time", async () => {
    const { who, add, mailed, named } = await added("reviewer", 10);
    const ended = { grantedAt: new Date(Date.now() - 50 * DAY_MS), endsAt: new Date(Date.now() - DAY_MS) };
    await database.db.update(members).set(ended).where(eq(members.accountId, who.accountId));
    await add("developer");
    expect(await mailed()).toEqual([[named.added, expect.stringContaining("as a developer.")]]);
  });

  it("of one platform leaves what waits of another", async () => {
    const [{ who, mailed, named }, other] = [await added("reviewer", 10), await makeConsumer(database)];
    const { email } = (await database.db.select().from(accountsTable).where(eq(accountsTable.id, who.accountId)))[0]!;
    await team.add(operator(), { consumerId: other.id, email, role: "developer", lastDay: null });
    await renew(who, 20);
    expect(await mailed()).toEqual([
      [named.added, expect.stringContaining(other.name)],
      [named.added, expect.stringContaining(until(20))],
    ]);
  });
});

describe("leaving", () => {
  const leave = (accountId: string, consumerId: string) => team.leave(signedIn(accountId), { consumerId });
  const subjectsTo = async (email: string) => (await mailsTo(email)).map(({ subject }) => subject).toReversed();

  it("ends one's own access at once, for a reviewer whose time is over too, and is on record", async () => {
    const { add, who, person } = await setUp();
    await add("reviewer", dayFromNow(5));
    const ended = { grantedAt: new Date(Date.now() - 50 * DAY_MS), endsAt: new Date(Date.now() - DAY_MS) };
    await database.db.update(members).set(ended).where(eq(members.accountId, person.id));
    await leave(person.id, who.consumerId);
    expect(await rowOf(who.consumerId, person.id)).toBeUndefined();
    const acts = await database.sql`
      select action, actor_id, after from audit where target_id = ${who.consumerId} order by at desc, id desc limit 1`;
    expect(acts).toMatchObject([{ action: "member.leave", actor_id: person.id, after: { role: "reviewer" } }]);
    await expect(leave(person.id, who.consumerId)).rejects.toMatchObject({
      code: "conflict",
      message: "You no longer have access to this platform.",
    });
  });

  it("takes nobody else off: a stranger finds nothing to leave", async () => {
    const { consumer, add } = await setUp();
    await add("owner");
    await expect(leave((await makeAccount(database)).id, consumer.id)).rejects.toMatchObject({ code: "conflict" });
    expect(await team.team(operator(), { consumerId: consumer.id })).toHaveLength(2);
  });

  it("is not for the last owner, though both leave at once", async () => {
    const { consumer, add, person } = await setUp();
    await add("owner");
    const both = [person.id, consumer.owner.id];
    const outcomes = await Promise.all(both.map((id) => outcomeOf(leave(id, consumer.id))));
    expect(outcomes.filter((outcome) => "code" in outcome)).toMatchObject([
      { code: "conflict", message: "You are its last owner. Ask an operator to make someone else an owner first." },
    ]);
    expect(await team.team(operator(), { consumerId: consumer.id })).toMatchObject([{ role: "owner" }]);
  });

  it("of an owner is told to those who remain, by no name: left, removed, or with the account deleted", async () => {
    const consumer = await makeConsumer(database);
    const gone = await Promise.all([1, 2, 3].map(() => makePerson({ name: "Nadia Quill" })));
    for (const { email } of gone)
      await team.add(operator(), { consumerId: consumer.id, email, role: "owner", lastDay: null });
    const [left, removed, deleted] = gone as [(typeof gone)[0], (typeof gone)[0], (typeof gone)[0]];
    await leave(left.id, consumer.id);
    // What is sent by then is sent.
    await mailsTo(removed.email);
    await team.remove(operator(), { consumerId: consumer.id, accountId: removed.id });
    await accounts.deleteAccount(signedIn(deleted.id), { currentPassword: PASSWORD });
    const told = `${consumer.name} has one owner fewer`;
    expect(await subjectsTo(consumer.owner.email)).toEqual([told, told, told]);
    for (const { text } of await mailsTo(consumer.owner.email)) expect(text).not.toMatch(/Nadia|@/);
    // Whoever goes is told only of what others did.
    expect((await subjectsTo(left.email)).slice(1)).toEqual([]);
    expect((await subjectsTo(removed.email)).slice(1)).toEqual([
      told,
      `You no longer have access to ${consumer.name} on Aisle`,
    ]);
    expect((await subjectsTo(deleted.email)).at(-1)).toBe("Your Aisle account was deleted");
  });

  it("of an owner is told with what holds for the keys of a platform without access, whichever way they went", async () => {
    const consumer = await makeConsumer(database, { state: "revoked", revokedFrom: "sandbox" });
    const gone = await Promise.all([1, 2, 3, 4].map(() => makePerson()));
    for (const { email } of gone)
      await team.add(operator(), { consumerId: consumer.id, email, role: "owner", lastDay: null });
    const [left, removed, changed, deleted] = gone.map(({ id }) => ({ consumerId: consumer.id, accountId: id }));
    await leave(left!.accountId, consumer.id);
    await team.remove(operator(), removed!);
    await team.changeRole(operator(), { ...(await shown(changed!)), role: "developer", lastDay: null });
    await accounts.deleteAccount(signedIn(deleted!.accountId), { currentPassword: PASSWORD });
    const mails = await mailsTo(consumer.owner.email);
    expect(mails).toHaveLength(4);
    for (const { text } of mails)
      expect(text.replace(/\s+/g, " ")).toContain("revoke the keys they may know before then");
  });

  it.each(["owner", "developer"] as const)("waits for no deletion of that %s's account in a circle", async (role) => {
    const consumer = await makeConsumer(database);
    const { id, email } = await makePerson();
    await team.add(operator(), { consumerId: consumer.id, email, role, lastDay: null });
    let both: Promise<unknown[]> | undefined;
    await database.sql.begin(async (tx) => {
      // Of what is forgotten with the address, before the account goes.
      await tx`lock table local_mails in share mode`;
      const deleting = accounts.deleteAccount(signedIn(id), { currentPassword: PASSWORD });
      await untilWaiting(database.sql, 1);
      const removing = outcomeOf(team.remove(operator(), { consumerId: consumer.id, accountId: id }));
      both = Promise.all([deleting, removing]);
      await untilWaiting(database.sql, 2);
    });
    expect(await both).toMatchObject([undefined, { code: "not_found" }]);
  });

  it("of a developer is told to nobody", async () => {
    const { consumer, add, person } = await setUp();
    await add("developer");
    await leave(person.id, consumer.id);
    expect(await mailsTo(consumer.owner.email)).toEqual([]);
  });
});

describe("an owner who is removed at that very moment", () => {
  type Act = (ctx: ReturnType<typeof database.as<Owner>>, keyId: string) => Promise<unknown>;
  const form = { productName: "Mine", company: "Mine", website: "https://mine.example", platform: "web" };
  const more = { expectedRequestsPerDay: 1, technicalContactEmail: "me@mine.example", shopperUse: "Asks." };
  const acts: [string, Act][] = [
    ["issues no key", (ctx) => keys.issue(ctx, { consumerId: ctx.actor.consumerId, name: "Late" })],
    ["rotates none", (ctx, id) => keys.rotate(ctx, { id, revokeOld: false })],
    ["revokes none", (ctx, id) => keys.revoke(ctx, { id })],
    ["asks for no production access", overview.requestProduction],
    ["accepts no terms", async (ctx) => terms.accept(ctx, { version: await terms.currentVersion(ctx) })],
    ["changes no application", (ctx) => applications.edit(ctx, { ...form, ...more })],
  ];

  async function makeOwner() {
    const consumer = await makeConsumer(database);
    const person = await makePerson();
    await database.db.insert(members).values({ consumerId: consumer.id, accountId: person.id, role: "owner" });
    const ctx = database.as<Owner>({ kind: "member", accountId: person.id, consumerId: consumer.id, role: "owner" });
    return { person, ctx, key: await keys.issue(ctx, { consumerId: consumer.id, name: "Key" }) };
  }

  it.each(acts)("%s", async (_, act) => {
    const { person, ctx, key } = await makeOwner();
    let acting: Promise<unknown> | undefined;
    await database.db.transaction(async (tx) => {
      await team.remove({ ...operator(), db: tx }, { consumerId: ctx.actor.consumerId, accountId: person.id });
      acting = outcomeOf(act(ctx, key.id));
      await untilWaiting(database.sql, 1);
    });
    expect(await acting).toMatchObject({ code: "forbidden" });
  });

  it.each(acts)("%s, where they become a developer", async (_, act) => {
    const { person, ctx, key } = await makeOwner();
    const { consumerId } = ctx.actor;
    let acting: Promise<unknown> | undefined;
    await database.db.transaction(async (tx) => {
      const which = await shown({ consumerId, accountId: person.id });
      await team.changeRole({ ...operator(), db: tx }, { ...which, role: "developer", lastDay: null });
      acting = outcomeOf(act(ctx, key.id));
      await untilWaiting(database.sql, 1);
    });
    expect(await acting).toMatchObject({ code: "forbidden" });
  });

  it.each(acts)("%s, where they delete their account", async (_, act) => {
    const { person, ctx, key } = await makeOwner();
    let acting: Promise<unknown> | undefined;
    await database.db.transaction(async (tx) => {
      await accounts.deleteAccount({ ...signedIn(person.id), db: tx }, { currentPassword: PASSWORD });
      acting = outcomeOf(act(ctx, key.id));
      await untilWaiting(database.sql, 1);
    });
    expect(await acting).toMatchObject({ code: "forbidden" });
  });

  it("neither waits for the deletion of their account in a circle, when they revoke a key", async () => {
    const { person, ctx, key } = await makeOwner();
    await database.sql`
      update applications set technical_contact_email = ${person.email} where consumer_id = ${ctx.actor.consumerId}`;
    let both: Promise<unknown>[] = [];
    await database.sql.begin(async (tx) => {
      await tx`select from applications where consumer_id = ${ctx.actor.consumerId} for update`;
      both = [outcomeOf(accounts.deleteAccount(signedIn(person.id), { currentPassword: PASSWORD }))];
      await untilWaiting(database.sql, 1);
      both.push(outcomeOf(keys.revoke(ctx, { id: key.id })));
      await untilWaiting(database.sql, 2);
    });
    expect(await Promise.all(both)).toMatchObject([{ value: undefined }, { code: "forbidden" }]);
  });
});
