// The data-use terms: published by operators, accepted by owners.
import { sql as raw } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { members } from "../../db/schema/consumers";
import type { Owner } from "../../server/context";
import * as admission from "../../server/services/key-admission";
import * as keys from "../../server/services/keys";
import * as team from "../../server/services/members";
import * as terms from "../../server/services/terms";
import { testDatabase, untilWaiting } from "../support/database";
import { makeAccount, makeConsumer } from "../support/factories";
import { outcomeOf, people } from "../support/people";

const database = testDatabase();
const { mailsTo } = people(database);
const operator = () => database.as({ kind: "operator", accountId: null });

/** A day after every version so far. */
async function nextDay(days = 1): Promise<string> {
  const { version } = await terms.current(operator());
  return new Date(Date.parse(version) + days * 86_400_000).toISOString().slice(0, 10);
}
const body = (text: string) => terms.DraftTerms.shape.body.parse(text);
async function publish(text: string) {
  const after = (await terms.current(operator())).version;
  const input = { version: await nextDay(), body: body(text), after };
  await terms.publish(operator(), input);
  return input;
}

/** A consumer whose owner accepted the version in force. */
async function makeOwner() {
  const consumer = await makeConsumer(database);
  const ctx = database.as({
    kind: "member",
    accountId: consumer.owner.id,
    consumerId: consumer.id,
    role: "owner",
  } satisfies Owner);
  const accepted = async () =>
    (await database.sql`select terms_version::text as version from consumers where id = ${consumer.id}`)[0]!.version;
  return { consumer, ctx, accepted };
}

describe("an owner's yes", () => {
  it("to a version never takes back a later one, however long it waits", async () => {
    const { consumer, ctx, accepted } = await makeOwner();
    const { version: older } = await publish(`Older than ${consumer.id}.`);
    let late: Promise<unknown> | undefined;
    const newer = await ctx.db.transaction(async (tx) => {
      await tx.execute(raw`select 1 from consumers where id = ${consumer.id} for update`);
      late = outcomeOf(terms.accept(ctx, { version: older }));
      await untilWaiting(database.sql, 1);
      const { version } = await publish(`Newer than ${consumer.id}.`);
      await terms.accept({ ...ctx, db: tx }, { version });
      return version;
    });
    expect(await late).toMatchObject({ code: "terms_outdated", details: { version: newer } });
    expect(await accepted()).toBe(newer);
    await keys.issue(ctx, { consumerId: consumer.id, name: "One" });
  });

  it("said again mends what an earlier race left behind, and otherwise changes nothing", async () => {
    const { consumer, ctx, accepted } = await makeOwner();
    const { version: older } = await publish(`Before ${consumer.id}.`);
    await terms.accept(ctx, { version: older });
    const { version } = await publish(`After ${consumer.id}.`);
    await terms.accept(ctx, { version });
    await database.sql`update consumers set terms_version = ${older} where id = ${consumer.id}`;
    for (let i = 0; i < 2; i++) await terms.accept(ctx, { version });
    expect(await accepted()).toBe(version);
    await keys.issue(ctx, { consumerId: consumer.id, name: "One" });
    const acts = await database.sql`
      select 1 from audit where action = 'terms.accept' and target_id = ${consumer.id} and after->>'version' = ${version}`;
    expect(acts).toHaveLength(2);
  });
});

describe("a new version", () => {
  it("is in force at once: keys wait for an owner's yes, and those that there are go on working", async () => {
    const consumer = await makeConsumer(database);
    const owner: Owner = { kind: "member", accountId: consumer.owner.id, consumerId: consumer.id, role: "owner" };
    const ctx = database.as(owner);
    const { version } = await terms.current(ctx);
    await terms.accept(ctx, { version });
    const { id, value } = await keys.issue(ctx, { consumerId: consumer.id, name: "One" });
    const published = await publish("Be kind.");
    expect(await terms.current(ctx)).toEqual({ version: published.version, body: "Be kind.\n" });
    const outdated = { code: "terms_outdated", details: { version: published.version } };
    await expect(keys.issue(ctx, { consumerId: consumer.id, name: "Two" })).rejects.toMatchObject(outdated);
    await expect(keys.rotate(ctx, { id, revokeOld: false })).rejects.toMatchObject(outdated);
    await admission.authenticate(database.as({ kind: "anonymous" }), value);
    await terms.accept(ctx, { version: published.version });
    await keys.rotate(ctx, { id, revokeOld: false });
  });

  it("is later than the current one, by a year at most, says something, and something else", async () => {
    const published = await publish("Version one.");
    const draft = (input: { version: string; body: string }) =>
      outcomeOf(terms.draft(operator(), { ...input, body: body(input.body) }));
    const told = async (input: { version: string; body: string }) => {
      const drafted = await draft(input);
      const after = published.version;
      expect(await outcomeOf(terms.publish(operator(), { ...input, body: body(input.body), after }))).toEqual(drafted);
      return (drafted as { details: { issues: unknown } }).details.issues;
    };
    expect(await told({ version: published.version, body: "Other." })).toMatchObject([{ path: "version" }]);
    expect(await told({ version: "2020-01-01", body: "Other." })).toMatchObject([{ path: "version" }]);
    expect(await told({ version: "2999-01-01", body: "Other." })).toMatchObject([{ path: "version" }]);
    expect(await told({ version: await nextDay(), body: "Version one.\r\n" })).toMatchObject([{ path: "body" }]);
    for (const bad of ["", " \r\n ", "x".repeat(100_001)]) {
      expect(terms.DraftTerms.shape.body.safeParse(bad).success).toBe(false);
    }
    expect(terms.DraftTerms.shape.version.safeParse("2027-02-30").success).toBe(false);
  });

  it("may lie a year ahead of today, or of the current one where that is yet to come, and not a day more", async () => {
    const { version: current } = await publish("Before the year.");
    const day = (days: number) => new Date(Date.parse(current) + days * 86_400_000);
    const isAllowed = async (today: number, days: number) => {
      const ctx = database.as({ kind: "operator", accountId: null } as const, day(today));
      const version = day(days).toISOString().slice(0, 10);
      return "value" in (await outcomeOf(terms.draft(ctx, { version, body: body("Within the year.") })));
    };
    expect([await isAllowed(100, 465), await isAllowed(100, 466)]).toEqual([true, false]);
    expect([await isAllowed(-100, 365), await isAllowed(-100, 366)]).toEqual([true, false]);
  });

  it("is due where there are keys to hold up, and not where access was revoked", async () => {
    const { consumer, ctx } = await makeOwner();
    const accepted = await terms.current(ctx);
    await terms.accept(ctx, { version: accepted.version });
    expect(await terms.due(ctx)).toBeNull();
    await publish(`Due from ${consumer.id}.`);
    expect(await terms.due(ctx)).toEqual({ of: consumer.name, accepted });
    await database.sql`update consumers set state = 'revoked', revoked_from = 'sandbox' where id = ${consumer.id}`;
    expect(await terms.due(ctx)).toBeNull();
  });

  it("is drafted without being written: what it follows, and how many would wait", async () => {
    const before = await terms.current(operator());
    const consumer = await makeConsumer(database);
    await makeConsumer(database, { state: "revoked", revokedFrom: "sandbox" });
    const count = await database.sql`select count(*)::int as n from consumers where state <> 'revoked'`;
    const drafted = await terms.draft(operator(), { version: await nextDay(), body: "Something new.\n" });
    expect(drafted).toMatchObject({ current: before, consumers: count[0]!.n });
    expect(consumer.state).toBe("sandbox");
    expect(await terms.current(operator())).toEqual(before);
  });

  it("of twenty at once is one; the others are told that theirs followed another", async () => {
    const after = (await terms.current(operator())).version;
    const days = await Promise.all(Array.from({ length: 20 }, (_, i) => nextDay(i + 1)));
    const outcomes = await Promise.all(
      days.map((version) => outcomeOf(terms.publish(operator(), { version, body: `Text of ${version}.\n`, after }))),
    );
    expect(outcomes.filter((outcome) => "value" in outcome)).toHaveLength(1);
    const { version } = await terms.current(operator());
    const refused = outcomes.filter((outcome) => "code" in outcome);
    expect(refused).toHaveLength(19);
    for (const { code, message } of refused) {
      expect(code).toBe("conflict");
      expect(message).toContain(version);
    }
    const recorded = await database.sql`
      select 1 from audit where action = 'terms.publish' and before->>'version' = ${after}`;
    expect(recorded).toHaveLength(1);
  });

  it("is told by mail to each owner of a platform with access or an application, once, and to nobody else", async () => {
    const [{ consumer, ctx }, waiting] = [await makeOwner(), await makeConsumer(database, { state: "under_review" })];
    const ended = await makeConsumer(database, { state: "revoked", revokedFrom: "sandbox" });
    const developer = await makeAccount(database);
    const second = await makeAccount(database);
    for (const [{ id: accountId }, role] of [
      [developer, "developer"],
      [second, "owner"],
    ] as const)
      await database.db.insert(members).values({ consumerId: consumer.id, accountId, role });
    const { version } = await publish(`Told to the owners of ${consumer.id}.`);
    await terms.accept(ctx, { version });
    for (const [{ email }, of] of [
      [consumer.owner, consumer],
      [second, consumer],
      [waiting.owner, waiting],
    ] as const) {
      const mails = await mailsTo(email);
      expect(mails.map(({ subject }) => subject)).toEqual([`New data-use terms for ${of.name} on Aisle`]);
      expect(mails[0]!.text).toContain(`Version ${version} of the data-use terms is in force.`);
    }
    for (const { email } of [developer, ended.owner]) expect(await mailsTo(email)).toEqual([]);
    const after = version;
    const again = { version: await nextDay(), body: body(`Told to the owners of ${consumer.id}.`), after };
    await expect(terms.publish(operator(), again)).rejects.toMatchObject({ code: "invalid_input" });
    expect(await mailsTo(second.email)).toHaveLength(1);
  });

  it("is not told to an owner who is removed, or given another role, at that very moment", async () => {
    const { consumer } = await makeOwner();
    const both = [await makeAccount(database), await makeAccount(database)] as const;
    for (const { id: accountId } of both)
      await database.db.insert(members).values({ consumerId: consumer.id, accountId, role: "owner" });
    const shown = await team.team(operator(), { consumerId: consumer.id });
    const [removed, changed] = both.map(({ id }) => {
      const { accountId, grantedAt } = shown.find((member) => member.accountId === id)!;
      return { consumerId: consumer.id, accountId, grantedAt };
    });
    const after = (await terms.current(operator())).version;
    let all: Promise<unknown> | undefined;
    await database.sql.begin(async (tx) => {
      // Whoever publishes waits for it once it is known whom to tell.
      await tx`select from terms where version = ${after} for update`;
      const publishing = publish(`Told to who remains of ${consumer.id}.`);
      await untilWaiting(database.sql, 1);
      const going = Promise.all([
        team.remove(operator(), removed!),
        team.changeRole(operator(), { ...changed!, role: "developer", lastDay: null }),
      ]);
      all = Promise.all([publishing, going]);
      await Promise.race([going, untilWaiting(database.sql, 3)]);
    });
    await all;
    const news = `New data-use terms for ${consumer.name} on Aisle`;
    const subjectsTo = async (email: string) => (await mailsTo(email)).map(({ subject }) => subject);
    expect(await subjectsTo(consumer.owner.email)).toContain(news);
    for (const { email } of both) expect(await subjectsTo(email)).not.toContain(news);
  });

  it("is listed with who published it and how many accepted it, and read beside the one before", async () => {
    const account = await makeAccount(database);
    const before = await terms.current(operator());
    const version = await nextDay();
    const ctx = database.as({ kind: "operator", accountId: account.id } as const);
    await terms.publish(ctx, { version, body: "Newest.\n", after: before.version });
    await makeConsumer(database, { termsVersion: version });
    await makeConsumer(database, { termsVersion: version, state: "revoked", revokedFrom: "sandbox" });
    const [newest, next] = await terms.versions(operator());
    expect(newest).toMatchObject({ version, publishedBy: account.name, consumers: 1 });
    expect(next!.version).toBe(before.version);
    expect(await terms.get(operator(), { version })).toEqual({ version, body: "Newest.\n", before });
    await expect(terms.get(operator(), { version: "2000-01-01" })).rejects.toMatchObject({ code: "not_found" });
    expect(await terms.get(operator(), { version: "2026-09-26" })).toMatchObject({ before: null });
  });
});
