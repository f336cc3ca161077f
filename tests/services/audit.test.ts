// The audit as operators read it.
import { randomUUID } from "node:crypto";
import { parse } from "csv-parse/sync";
import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { accounts } from "../../db/schema/accounts";
import { members } from "../../db/schema/consumers";
import { audit as table } from "../../db/schema/operations";
import type { Actor, Owner } from "../../server/context";
import * as people from "../../server/services/accounts";
import * as applications from "../../server/services/applications";
import * as audit from "../../server/services/audit";
import * as auditLog from "../../server/services/audit-log";
import type { TargetKind } from "../../server/services/audit-words";
import * as consumers from "../../server/services/consumers";
import * as demo from "../../server/services/demo";
import { createPeople } from "../../server/services/demo-people";
import * as invitations from "../../server/services/invitations";
import * as keys from "../../server/services/keys";
import * as register from "../../server/services/merchant-register";
import * as review from "../../server/services/review";
import * as settings from "../../server/services/settings";
import * as terms from "../../server/services/terms";
import { codeAt } from "../support/authenticator";
import { testDatabase } from "../support/database";
import { makeAccount, makeConsumer, makeStore } from "../support/factories";
import { makeShop } from "../support/feeds/jobs";
import { tsv } from "../support/feeds/load";
import { newAddress, newEmail, PASSWORD, people as visitors } from "../support/people";

const database = testDatabase();
const { linkTo, makePerson, signUp } = visitors(database);
const operator = () => database.as({ kind: "operator", accountId: null });
const list = (given: Record<string, unknown> = {}) => auditLog.list(operator(), auditLog.ListAudit.parse(given));
const record = (actor: Actor, act: Parameters<typeof audit.record>[2]) => {
  const ctx = database.as(actor);
  return audit.record(ctx, ctx.db, act).then(() => ctx.requestId);
};

describe("who did what", () => {
  it("is told by name, and without one once the account is gone", async () => {
    const person = await makeAccount(database, { name: "Ada Byrne" });
    const consumer = await makeConsumer(database, { name: "Finder" });
    await database.db.insert(members).values({ consumerId: consumer.id, accountId: person.id, role: "owner" });
    const owner: Owner = { kind: "member", accountId: person.id, consumerId: consumer.id, role: "owner" };
    const { id } = await keys.issue(operator(), { consumerId: consumer.id, name: "Staging" });
    await keys.revoke({ ...database.as(owner) }, { id });
    const [newest] = (await list({ targetId: id })).entries;
    expect(newest).toMatchObject({
      actor: { kind: "member", id: person.id, name: "Ada Byrne", email: person.email },
      action: "key.revoke",
      words: "revoked the key {target}",
      target: { kind: "key", id, name: "Staging", slug: consumer.slug, isGone: false },
    });
    expect((await list({ targetId: id })).entries[1]).toMatchObject({ actor: { name: "The command line", id: null } });
    await database.db.delete(accounts).where(eq(accounts.id, person.id));
    const [later] = (await list({ targetId: id })).entries;
    expect(later!.actor).toEqual({ kind: "member", id: person.id, name: "A deleted account", email: null });
  });

  it("names what it was done to, of every kind, also when that is gone or no UUID", async () => {
    const store = await makeStore(database);
    const account = await makeAccount(database);
    const { id: consumerId, name } = await makeConsumer(database);
    const gone = "00000000-0000-7000-8000-00000000dead";
    const system = { kind: "system" } as const;
    const check = "00000000-0000-7000-8000-0000000d0c70";
    const targets: [audit.Action, TargetKind, string, string][] = [
      ["store.edit", "store", store.id, store.name],
      ["merchant.rename", "merchant", store.merchantId, store.name],
      ["account.verify", "account", account.id, account.name],
      ["consumer.change", "consumer", consumerId, name],
      ["terms.publish", "terms", "2031-01-01", "2031-01-01"],
      ["settings.change", "settings", "all", "the settings"],
      ["doctor.open", "doctor_check", check, check],
      ["store.edit", "store", gone, "a deleted store"],
    ];
    for (const [action, kind, id, shown] of targets) {
      const requestId = await record(system, { action, target: [kind, id] });
      const { entries } = await list({ requestId });
      expect(entries.map((entry) => [entry.target.name, entry.target.isGone])).toEqual([[shown, id === gone]]);
      expect(entries[0]!.actor.name).toBe("The service");
    }
  });
});

describe("a filter", () => {
  it("finds by kind of actor, area, action, target, request, time and person, and by all of them at once", async () => {
    const person = await makeAccount(database);
    const consumer = await makeConsumer(database);
    await database.db.insert(members).values({ consumerId: consumer.id, accountId: person.id, role: "owner" });
    const owner: Owner = { kind: "member", accountId: person.id, consumerId: consumer.id, role: "owner" };
    const began = new Date();
    const { id } = await keys.issue(database.as(owner), { consumerId: consumer.id, name: "One" });
    await keys.revoke(database.as(owner), { id });
    const requestId = await record({ kind: "anonymous" }, { action: "account.log_in", target: ["account", person.id] });
    const found = async (filter: Record<string, unknown>) =>
      (await list(filter)).entries.filter(({ at }) => at >= began).map(({ action }) => action);
    const own = { person: person.email };
    expect(await found(own)).toEqual(["account.log_in", "key.revoke", "key.issue"]);
    expect(await found({ person: ` ${person.email.toUpperCase()} ` })).toHaveLength(3);
    expect(await found({ person: person.id })).toHaveLength(3);
    expect(await found({ person: "nobody@example.com" })).toEqual([]);
    expect(await found({ ...own, actorKind: "member" })).toEqual(["key.revoke", "key.issue"]);
    expect(await found({ ...own, action: "key" })).toEqual(["key.revoke", "key.issue"]);
    expect(await found({ ...own, action: "key.issue" })).toEqual(["key.issue"]);
    expect(await found({ ...own, targetKind: "account" })).toEqual(["account.log_in"]);
    expect(await found({ targetId: id })).toEqual(["key.revoke", "key.issue"]);
    expect(await found({ requestId })).toEqual(["account.log_in"]);
    const day = (at: Date) => at.toISOString().slice(0, 10);
    // Two days, where midnight came in between.
    const span = { from: day(began), to: day(new Date()) };
    expect(await found({ ...own, from: began.toISOString() })).toHaveLength(3);
    expect(await found({ ...own, to: began.toISOString() })).toEqual([]);
    expect(await found({ ...own, ...span })).toHaveLength(3);
    expect(await found({ ...own, to: "2020-01-01" })).toEqual([]);
    const all = { actorKind: "member", action: "key.issue", targetKind: "key", targetId: id, ...span };
    expect(await found({ ...own, ...all })).toEqual(["key.issue"]);
  });

  it("by days has their first instant, UTC, and not that of the day after them", async () => {
    const targetId = randomUUID();
    for (const at of [
      "2026-03-01T23:59:59.999Z",
      "2026-03-02T00:00:00Z",
      "2026-03-02T23:59:59.999Z",
      "2026-03-03T00:00:00Z",
    ])
      await database.sql`insert into audit (id, at, actor_kind, action, target_kind, target_id, request_id)
        values (${randomUUID()}, ${at}, 'system', 'demo.create', 'consumer', ${targetId}, ${randomUUID()})`;
    const { entries } = await list({ targetId, from: "2026-03-02", to: "2026-03-02" });
    expect(entries.map(({ at }) => at.toISOString())).toEqual(["2026-03-02T23:59:59.999Z", "2026-03-02T00:00:00.000Z"]);
  });

  it.each([
    { requestId: "x" },
    { from: "yesterday" },
    { action: "key.issue'--" },
    { actorKind: "god" },
    { limit: 500 },
  ])("is refused with %j", (bad) => {
    const { error } = auditLog.ListAudit.safeParse(bad);
    expect(error?.issues.map(({ path }) => path[0])).toEqual(Object.keys(bad));
  });
});

it("a span that ends before it begins is refused, on the page and in the export", async () => {
  const filter = { from: "2026-11-30", to: "2026-11-29" };
  const refusal = { code: "invalid_input", details: { issues: [{ path: "from" }] } };
  await expect(list(filter)).rejects.toMatchObject(refusal);
  const pieces = auditLog.exportCsv(operator(), auditLog.AuditFilter.parse(filter));
  await expect(pieces.next()).rejects.toMatchObject(refusal);
});

describe("the pages", () => {
  it("hold every act once, newest first, though many have one instant; back as forth", async () => {
    const target = ["store", "00000000-0000-7000-8000-00000000feed"] as const;
    // One transaction, so one instant to the microsecond.
    await database.db.transaction(async (tx) => {
      for (let i = 0; i < 11; i++) {
        await audit.record(database.as({ kind: "system" }), tx as never, { action: "feed.load", target, after: { i } });
      }
    });
    const page = (cursor?: string) => list({ targetId: target[1], limit: 4, ...(cursor ? { cursor } : {}) });
    const first = await page();
    const second = await page(first.next);
    const third = await page(second.next);
    const seen = [first, second, third].flatMap(({ entries }) =>
      entries.map(({ after }) => (after as { i: number }).i),
    );
    expect(seen).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
    expect([first.previous, third.next]).toEqual([undefined, undefined]);
    const back = await page(third.previous);
    expect(back.entries).toEqual(second.entries);
    expect((await page(back.previous)).entries).toEqual(first.entries);
    expect((await page(back.previous)).previous).toBeUndefined();
    await expect(list({ targetId: "other", cursor: first.next })).rejects.toMatchObject({ code: "invalid_arguments" });
    await expect(list({ cursor: "x.y" })).rejects.toMatchObject({ code: "cursor_invalid" });
  });
});

describe("the export", () => {
  const exported = async (filter: Record<string, unknown>) => {
    let text = "";
    const pieces = await auditLog.exportCsv(operator(), auditLog.AuditFilter.parse(filter));
    for await (const piece of pieces) text += piece;
    return { text, rows: parse(text, { bom: true, columns: true }) as Record<string, string>[] };
  };

  it("has what the filter finds, over all pages, and lets no spreadsheet run what people wrote", async () => {
    const { id } = await register.create(operator(), { name: "=cmd|' /C calc'!A0" });
    for (let i = 0; i < 3; i++) await register.rename(operator(), { id, name: `+Name ${i}, "quoted"` });
    const { rows, text } = await exported({ targetId: id });
    expect(rows.map(({ action }) => action)).toEqual([
      "merchant.rename",
      "merchant.rename",
      "merchant.rename",
      "merchant.create",
    ]);
    expect(rows[0]).toMatchObject({
      actor_name: "The command line",
      target_name: `'+Name 2, "quoted"`,
      in_words: `The command line renamed the merchant +Name 2, "quoted"`,
    });
    expect(JSON.parse(rows[3]!.after!)).toEqual({ name: "=cmd|' /C calc'!A0" });
    expect(text).not.toMatch(/(^|,)"?[=+@-]/m);
  });

  it("goes on beyond one portion, and is an act itself, recorded without the person's address", async () => {
    const target = "00000000-0000-7000-8000-0000000000ff";
    const rows = Array.from({ length: 2_345 }, () => ({
      actorKind: "system",
      action: "feed.load",
      targetKind: "store",
      targetId: target,
      requestId: target,
    }));
    await database.db.insert(table).values(rows);
    expect((await exported({ targetId: target })).rows).toHaveLength(2_345);
    const person = await makeAccount(database);
    await exported({ person: person.email, action: "key" });
    const [act] = (await list({ action: "audit.export" })).entries;
    expect(act!.after).toEqual({ action: "key", person: person.id });
  });
});

describe("the record", () => {
  it("can be added to, and never changed: neither by update, delete nor truncate", async () => {
    await record({ kind: "system" }, { action: "demo.create", target: ["consumer", "x"] });
    for (const statement of [
      "update audit set action = 'x'",
      "update audit set at = now() where false",
      "delete from audit",
      "delete from audit where false",
      "truncate audit",
      "truncate audit cascade",
      "insert into audit select * from audit on conflict (id) do update set action = 'x'",
      "merge into audit a using (select 1) s on true when matched then delete",
    ]) {
      await expect(database.sql.unsafe(statement), statement).rejects.toThrow("insert-only");
    }
  });

  it("holds neither addresses nor secrets, whatever people do", async () => {
    const { merchantId } = await makeStore(database);
    const email = newEmail();
    await signUp(email);
    await people.verify(database.as({ kind: "anonymous" }), {
      token: await linkTo(email, "/verify"),
      password: PASSWORD,
      name: "Zora Quill",
    });
    const address = newAddress();
    const entry = await people.logIn(database.as({ kind: "anonymous" }), { email, password: PASSWORD, address });
    const { id: accountId } = entry as people.LoggedIn;
    const self = database.as({ kind: "signed_in", accountId } as const);
    const other = newEmail();
    await people.changeName(self, { name: "Zora Quillfeather" });
    await people.changeEmail(self, { email: other, currentPassword: PASSWORD, address });
    await invitations.send(operator(), { merchantId, email });
    const [invitation] = await invitations.mine(self);
    await invitations.accept(self, { id: invitation!.id });
    const consumer = await makeConsumer(database);
    const key = await keys.issue(operator(), { consumerId: consumer.id, name: "Key" });
    const keyOwner = { kind: "member", accountId: consumer.owner.id, consumerId: consumer.id, role: "owner" } as const;
    await keys.rotate(database.as(keyOwner), { id: key.id, revokeOld: true });
    await consumers.change(operator(), { slug: consumer.slug, set: { rateLimit: 5 } });
    const applicant = await makePerson();
    const [contact, nextContact] = [newEmail(), newEmail()];
    const form = {
      ...{ productName: "Finder", company: "Finder", website: "https://finder.example.org", platform: "web" },
      ...{ expectedRequestsPerDay: 1, technicalContactEmail: contact, shopperUse: "Asks." },
    };
    const acceptedTerms = await terms.currentVersion(applicant.ctx);
    const { consumerId } = await applications.submit(applicant.ctx, { ...form, acceptedTerms });
    const owner = { kind: "member", accountId: applicant.id, consumerId, role: "owner" } as const;
    await applications.edit(database.as(owner), { ...form, technicalContactEmail: nextContact });
    const [shopMail, phone] = [newEmail(), "+353 91 555 0147"];
    const profile = {
      ...{ name: "Corner", legalName: "", url: "https://corner.example", logo: "", description: "", country: "IE" },
      ...{
        currency: "EUR",
        languages: [],
        categories: [],
        contactEmail: shopMail,
        contactPhone: phone,
        contactUrl: "",
      },
    };
    const registered = register.RegisterStore.parse({ ...profile, merchantId, slug: "corner", aiDiscovery: false });
    const { id } = await register.createStore(operator(), registered);
    const edit = async (contactEmail: string) => {
      const [store] = await database.sql<[{ updated_at: Date }]>`select updated_at from stores where id = ${id}`;
      const edited = register.EditStore.parse({ ...profile, contactEmail, id, updatedAt: store.updated_at });
      await register.editStore(operator(), edited);
    };
    const nextShopMail = newEmail();
    await edit(nextShopMail);
    await edit("");
    const person = await makePerson();
    await people.deleteAccount(person.ctx, { currentPassword: PASSWORD });
    const [stored] = await database.sql`select string_agg(a::text, ' ') as text from audit a`;
    const personal = [
      email,
      other,
      person.email,
      contact,
      nextContact,
      shopMail,
      nextShopMail,
      phone,
      "Quill",
      address,
    ];
    for (const secret of [...personal, key.value, PASSWORD]) expect(stored!.text).not.toContain(secret);
    const actions = (await list({ person: accountId, limit: 200 })).entries.map(({ action }) => action);
    expect(new Set(actions)).toEqual(
      new Set([
        "account.sign_up",
        "account.verify",
        "account.log_in",
        "account.change_name",
        "account.change_email",
        "invitation.accept",
      ]),
    );
  });

  it("has each act of a person on their account once", async () => {
    const anonymous = () => database.as({ kind: "anonymous" });
    const address = newAddress;
    const unproven = newEmail();
    await signUp(unproven);
    await people.resendVerification(anonymous(), { email: unproven, address: address() });
    const first = await makePerson();
    const [next, OTHER] = [newEmail(), `${PASSWORD} again`];
    await people.changePassword(first.ctx, { currentPassword: PASSWORD, newPassword: OTHER });
    await people.requestReset(anonymous(), { email: first.email, address: address() });
    await people.reset(anonymous(), {
      token: await linkTo(first.email, "/reset"),
      password: PASSWORD,
      address: address(),
    });
    const mistyped = newEmail();
    await people.changeEmail(first.ctx, { currentPassword: PASSWORD, email: mistyped, address: address() });
    await people.withdrawEmail(first.ctx, { email: mistyped });
    await people.changeEmail(first.ctx, { currentPassword: PASSWORD, email: next, address: address() });
    await people.confirmEmail(anonymous(), {
      token: await linkTo(next, "/confirm-email"),
      currentPassword: PASSWORD,
    });
    const here = { sessionId: "here" };
    await people.beginSecondFactor(first.ctx, { currentPassword: PASSWORD, ...here });
    const { secret } = (await people.secondFactor(first.ctx, here)).setup!;
    const { recoveryCodes } = await people.enableSecondFactor(first.ctx, { code: codeAt(secret), ...here });
    const prove = (code: string) => people.ProveBoth.parse({ currentPassword: PASSWORD, code });
    const renewed = await people.renewRecoveryCodes(first.ctx, prove(recoveryCodes[0]!));
    await people.disableSecondFactor(first.ctx, prove(renewed[0]!));
    const actsOf = async (person: string) =>
      (await list({ person })).entries.map(({ action }) => action.slice("account.".length)).toReversed();
    expect(await actsOf(unproven)).toEqual(["sign_up", "resend_verification"]);
    expect(await actsOf(next)).toEqual([
      ...["change_password", "request_reset", "reset_password", "change_email"],
      ...["withdraw_email", "change_email", "confirm_email"],
      ...["begin_second_factor", "enable_second_factor"],
      ...["use_recovery_code", "renew_recovery_codes", "use_recovery_code", "disable_second_factor"],
    ]);
  });

  it("has the printed demo keys that made room for newer ones", async () => {
    const system = database.as({ kind: "system" });
    await createPeople(system, { merchantStore: "none" });
    const before = (await list({ action: "key.revoke" })).entries.length;
    for (let i = 0; i < 5; i++) await demo.freshKey(system);
    expect((await list({ action: "key.revoke" })).entries.length - before).toBe(2);
  });
});

describe("the record of what is set for everybody", () => {
  const apart = testDatabase();

  it("tells the rejection of an application from the revocation of access", async () => {
    const ctx = apart.as({ kind: "operator", accountId: null });
    const wordsFor = async (state: "under_review" | "sandbox") => {
      const { id, slug, version } = await makeConsumer(apart, { state });
      await review.reject(ctx, { slug, version, reason: "No." });
      return (await auditLog.list(ctx, auditLog.ListAudit.parse({ targetId: id }))).entries[0]!.words;
    };
    expect(await wordsFor("under_review")).toBe("rejected the application of {target}");
    expect(await wordsFor("sandbox")).toBe("revoked the access of {target}");
  });

  it("tells a catalogue that was loaded from one that was refused", async () => {
    const ctx = apart.as({ kind: "operator", accountId: null });
    const { storeId, load } = await makeShop(apart);
    await load(tsv([{ id: "1" }]));
    await load("no feed at all\n");
    const { entries } = await auditLog.list(ctx, auditLog.ListAudit.parse({ targetId: storeId, action: "feed.load" }));
    expect(entries.map(({ words }) => words)).toEqual([
      "refused a catalogue for {target}",
      "loaded a catalogue into {target}",
    ]);
  });

  it("has one act for each that operators do", async () => {
    const ctx = apart.as({ kind: "operator", accountId: null });
    const { version } = await terms.current(ctx);
    await terms.publish(ctx, { version: "2027-01-01", body: "Other.\n", after: version });
    await settings.change(ctx, { ...(await settings.get(ctx)), playgroundRateLimit: 31 });
    const { entries } = await auditLog.list(ctx, auditLog.ListAudit.parse({ requestId: ctx.requestId }));
    expect(entries.map(({ action }) => action)).toEqual(["settings.change", "terms.publish"]);
  });
});
