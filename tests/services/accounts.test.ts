import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { accounts as table } from "../../db/schema/accounts";
import { members } from "../../db/schema/consumers";
import { merchantMembers } from "../../db/schema/merchants";
import type { Ctx, SignedIn } from "../../server/context";
import * as accounts from "../../server/services/accounts";
import { testDatabase, untilWaiting } from "../support/database";
import { makeConsumer, makeStore } from "../support/factories";
import { argon2Runs, inHours, newAddress, newEmail, OTHER, outcomeOf, PASSWORD, people } from "../support/people";

const database = testDatabase();
const { accountOf, anonymous, linkTo, logIn, mailsTo, makePerson, openSession, signUp } = people(database);

describe("one's own account", () => {
  it("changes its password after the current one, and every session ends but the one that is opened with the answer", async () => {
    const person = await makePerson();
    const old = await openSession(person);
    const change = (currentPassword: string, newPassword = OTHER) =>
      accounts.changePassword(person.ctx, { currentPassword, newPassword });
    await expect(change(OTHER)).rejects.toMatchObject({ details: { issues: [{ path: "currentPassword" }] } });
    for (const notNew of [person.email, PASSWORD])
      await expect(change(PASSWORD, notNew)).rejects.toMatchObject({ details: { issues: [{ path: "newPassword" }] } });
    expect(await old()).toBe(true);
    const next = await openSession(await change(PASSWORD));
    expect([await old(), await next()]).toEqual([false, true]);
    await logIn(person.email, OTHER);
    expect((await mailsTo(person.email))[0]).toMatchObject({ subject: "Your Aisle password was changed" });
  });

  it("lets its current password be tried ten times in a quarter of an hour, however many come at once", async () => {
    const person = await makePerson();
    const { verify: verified } = await argon2Runs(() =>
      Promise.allSettled(
        Array.from({ length: 30 }, () => accounts.deleteAccount(person.ctx, { currentPassword: OTHER })),
      ),
    );
    expect(verified).toBe(10);
    await expect(accounts.deleteAccount(person.ctx, { currentPassword: PASSWORD })).rejects.toMatchObject({
      code: "rate_limited",
    });
    await logIn(person.email);
  });

  it("does not count the right password among the tries", async () => {
    const person = await makePerson();
    for (let i = 0; i < 12; i++) {
      const [currentPassword, newPassword] = i % 2 === 0 ? [PASSWORD, OTHER] : [OTHER, PASSWORD];
      await accounts.changePassword(person.ctx, { currentPassword, newPassword });
    }
    await logIn(person.email);
  });

  it("changes its address once the new one is confirmed, and the old one hears of it", async () => {
    const [person, email] = [await makePerson(), newEmail()];
    await accounts.changeEmail(person.ctx, { currentPassword: PASSWORD, email, address: newAddress() });
    expect(await accounts.profile(person.ctx)).toMatchObject({ email: person.email, pendingEmail: email });
    const token = await linkTo(email, "/confirm-email");
    const here = { token, loggedInAs: person.id };
    expect(await accounts.peekEmail(anonymous(), here)).toEqual({ state: "valid", email, needsPassword: false });
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, () => accounts.confirmEmail(anonymous(), here)),
    );
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await accounts.profile(person.ctx)).toMatchObject({ email, pendingEmail: null });
    const [notice] = await mailsTo(person.email);
    expect(notice!.subject).toBe("The address of your Aisle account was changed");
    expect(notice!.text).not.toContain(email);
    await logIn(email);
    await expect(logIn(person.email)).rejects.toMatchObject({ details: { reason: "wrong_credentials" } });
  });

  it("withdraws the new address that it asked for: the link works no more, and is not sent if it still waits", async () => {
    const [person, email, other] = [await makePerson(), newEmail(), newEmail()];
    const ask = (email: string) =>
      accounts.changeEmail(person.ctx, { currentPassword: PASSWORD, email, address: newAddress() });
    await ask(email);
    const token = await linkTo(email, "/confirm-email");
    await accounts.withdrawEmail(person.ctx, { email });
    expect(await accounts.profile(person.ctx)).toMatchObject({ email: person.email, pendingEmail: null });
    await expect(accounts.confirmEmail(anonymous(), { token, loggedInAs: person.id })).rejects.toMatchObject({
      details: { reason: "used" },
    });
    await ask(other);
    for (const gone of [email, newEmail()])
      await expect(accounts.withdrawEmail(person.ctx, { email: gone })).rejects.toMatchObject({ code: "conflict" });
    expect(await accounts.profile(person.ctx)).toMatchObject({ pendingEmail: other });
    await accounts.withdrawEmail(person.ctx, { email: other });
    expect(await mailsTo(other)).toEqual([]);
  });

  it("keeps its address while only somebody who has the new mailbox confirms it, and a sign-up there stands", async () => {
    const [person, other, email] = [await makePerson(), await makePerson(), newEmail()];
    const { proof } = await signUp(email);
    await accounts.changeEmail(person.ctx, { currentPassword: PASSWORD, email, address: newAddress() });
    const token = await linkTo(email, "/confirm-email");
    const isRefused = { code: "invalid_input", details: { issues: [{ path: "currentPassword" }] } };
    for (const loggedInAs of [undefined, other.id]) {
      const link = { token, loggedInAs };
      expect(await accounts.peekEmail(anonymous(), link)).toEqual({ state: "valid", email, needsPassword: true });
      await expect(accounts.confirmEmail(anonymous(), link)).rejects.toMatchObject(isRefused);
      const guess = accounts.confirmEmail(anonymous(), { ...link, currentPassword: OTHER });
      await expect(guess).rejects.toMatchObject(isRefused);
    }
    expect(await accounts.profile(person.ctx)).toMatchObject({ email: person.email, pendingEmail: email });
    const signedUp = await accountOf(email);
    expect(signedUp!.id).not.toBe(person.id);
    await accounts.verify(anonymous(), { token: await linkTo(email, "/verify"), proof });
    expect(await logIn(email)).toMatchObject({ id: signedUp!.id });
  });

  it("changes its address by its password, where nobody is logged in to it; of wrong ones ten are looked at", async () => {
    const [person, email] = [await makePerson(), newEmail()];
    await accounts.changeEmail(person.ctx, { currentPassword: PASSWORD, email, address: newAddress() });
    const token = await linkTo(email, "/confirm-email");
    const confirm = (currentPassword: string, now?: Date) =>
      accounts.confirmEmail(anonymous(now), { token, currentPassword });
    const { verify: verified } = await argon2Runs(() =>
      Promise.allSettled(Array.from({ length: 12 }, () => confirm(OTHER))),
    );
    expect(verified).toBe(10);
    await expect(confirm(PASSWORD)).rejects.toMatchObject({ code: "rate_limited" });
    // Whoever has the link does not use up the tries of the person's own sessions.
    await accounts.changeEmail(person.ctx, { currentPassword: PASSWORD, email, address: newAddress() });
    await database.sql`delete from rate_limits`;
    const again = await linkTo(email, "/confirm-email");
    expect(await accounts.confirmEmail(anonymous(), { token: again, currentPassword: PASSWORD })).toEqual({
      accountId: person.id,
      email,
    });
    await logIn(email);
  });

  it("keeps its address when the link has expired, or the current password was wrong", async () => {
    const [person, email] = [await makePerson(), newEmail()];
    const change = (currentPassword: string) =>
      accounts.changeEmail(person.ctx, { currentPassword, email, address: newAddress() });
    await expect(change(OTHER)).rejects.toMatchObject({ details: { issues: [{ path: "currentPassword" }] } });
    await change(PASSWORD);
    const token = await linkTo(email, "/confirm-email");
    await expect(
      accounts.confirmEmail(anonymous(inHours(24.1)), { token, currentPassword: PASSWORD }),
    ).rejects.toMatchObject({
      details: { reason: "expired" },
    });
    expect(await accounts.profile(person.ctx)).toMatchObject({ email: person.email, pendingEmail: email });
    expect(await accounts.profile({ ...person.ctx, now: inHours(24.1) })).toMatchObject({ pendingEmail: null });
  });

  it("waits for no other address where it asks for its own, or for a new password", async () => {
    const person = await makePerson();
    const { ctx, email } = person;
    await expect(
      accounts.changeEmail(ctx, { currentPassword: PASSWORD, email, address: newAddress() }),
    ).rejects.toMatchObject({ details: { issues: [{ path: "email" }] } });
    await accounts.requestReset(anonymous(), { email, address: newAddress() });
    expect(await accounts.profile(ctx)).toMatchObject({ email, pendingEmail: null });
  });

  it("is answered and shown the same when another account has the new address, whose owner is told", async () => {
    const [person, other] = [await makePerson(), await makePerson()];
    const links = () => database.sql<{ n: number }[]>`
      select count(*)::int as n from account_tokens where account_id = ${person.id} and used_at is null`;
    for (const email of [newEmail(), other.email]) {
      const input = { currentPassword: PASSWORD, email, address: newAddress() };
      expect(await accounts.changeEmail(person.ctx, input)).toBeUndefined();
      expect(await accounts.profile(person.ctx)).toMatchObject({ email: person.email, pendingEmail: email });
      expect(await links()).toEqual([{ n: 1 }]);
    }
    expect((await mailsTo(other.email)).map(({ subject }) => subject)).toEqual(["You already have an Aisle account"]);
  });

  it("does not take an address that another account proved meanwhile; a sign-up that proved nothing gives way", async () => {
    const [person, email] = [await makePerson(), newEmail()];
    await accounts.changeEmail(person.ctx, { currentPassword: PASSWORD, email, address: newAddress() });
    const token = await linkTo(email, "/confirm-email");
    await signUp(email);
    await database.db
      .update(table)
      .set({ emailVerifiedAt: new Date(), signUpProof: null })
      .where(eq(table.email, email));
    const isTaken = { details: { reason: "taken" } };
    await expect(accounts.confirmEmail(anonymous(), { token, currentPassword: PASSWORD })).rejects.toMatchObject(
      isTaken,
    );
    const [other] = await database.db
      .update(table)
      .set({ emailVerifiedAt: null })
      .where(eq(table.email, email))
      .returning();
    const { id: consumerId } = await makeConsumer(database);
    await database.db.insert(members).values({ consumerId, accountId: other!.id, role: "developer" });
    await expect(
      accounts.confirmEmail(anonymous(), { token, currentPassword: PASSWORD }),
      "it has a role",
    ).rejects.toMatchObject(isTaken);
    await database.db.delete(members).where(eq(members.accountId, other!.id));
    const { merchantId } = await makeStore(database);
    await database.db.insert(merchantMembers).values({ merchantId, accountId: other!.id });
    await expect(
      accounts.confirmEmail(anonymous(), { token, currentPassword: PASSWORD }),
      "acts for a shop",
    ).rejects.toMatchObject(isTaken);
    await database.db.delete(merchantMembers).where(eq(merchantMembers.accountId, other!.id));
    await accounts.confirmEmail(anonymous(), { token, currentPassword: PASSWORD });
    expect(await accountOf(email)).toMatchObject({ id: person.id });
  });

  it("is sent the link to a new address, and has it then, though a sign-up that proved nothing was there first", async () => {
    const [person, email] = [await makePerson(), newEmail()];
    await signUp(email);
    await accounts.changeEmail(person.ctx, { currentPassword: PASSWORD, email, address: newAddress() });
    await accounts.confirmEmail(anonymous(), {
      token: await linkTo(email, "/confirm-email"),
      currentPassword: PASSWORD,
    });
    expect(await accountOf(email)).toMatchObject({ id: person.id });
  });

  it("keeps its address after a new password, by a reset or a change, though a link to another one was planted before", async () => {
    const ways = [
      async ({ email }: { email: string }) => {
        await accounts.requestReset(anonymous(), { email, address: newAddress() });
        const token = await linkTo(email, "/reset");
        await accounts.reset(anonymous(), { token, password: OTHER, address: newAddress() });
      },
      ({ ctx }: Awaited<ReturnType<typeof makePerson>>) =>
        accounts.changePassword(ctx, { currentPassword: PASSWORD, newPassword: OTHER }),
    ];
    for (const renew of ways) {
      const [person, email] = [await makePerson(), newEmail()];
      await accounts.changeEmail(person.ctx, { currentPassword: PASSWORD, email, address: newAddress() });
      const token = await linkTo(email, "/confirm-email");
      await renew(person);
      await expect(accounts.confirmEmail(anonymous(), { token, currentPassword: PASSWORD })).rejects.toMatchObject({
        details: { reason: "used" },
      });
      expect(await accounts.profile(person.ctx)).toMatchObject({ email: person.email, pendingEmail: null });
    }
  });

  it("tells its address at once that another one was asked for, when, and how to stop it; alike where that one is taken", async () => {
    const [person, other] = [await makePerson(), await makePerson()];
    const texts: string[] = [];
    for (const email of [newEmail(), other.email]) {
      const ctx = { ...person.ctx, now: new Date("2026-03-04T09:07:30Z") };
      await accounts.changeEmail(ctx, { currentPassword: PASSWORD, email, address: newAddress() });
      const [warning] = await mailsTo(person.email);
      expect(warning!.subject).toBe("Another address was requested for your Aisle account");
      expect(warning!.text).toContain("On 2026-03-04 at 09:07 UTC");
      expect(warning!.links).toEqual(["https://aisle.example/forgot"]);
      expect(warning!.text).not.toContain(email);
      texts.push(warning!.text);
    }
    expect(texts[1]).toBe(texts[0]);
  });

  it.each<[string, (ctx: Ctx<SignedIn>) => Promise<unknown>]>([
    ["another password", (ctx) => accounts.changePassword(ctx, { currentPassword: PASSWORD, newPassword: OTHER })],
    [
      "another address",
      (ctx) => accounts.changeEmail(ctx, { currentPassword: PASSWORD, email: newEmail(), address: newAddress() }),
    ],
  ])("is refused %s where the password is changed while it is looked at", async (_, change) => {
    const person = await makePerson();
    let refused: Promise<unknown> | undefined;
    await database.sql.begin(async (tx) => {
      await tx`update accounts set password_version = password_version + 1 where id = ${person.id}`;
      refused = outcomeOf(change(person.ctx));
      await untilWaiting(database.sql, 1);
    });
    expect(await refused).toMatchObject({ code: "conflict" });
    expect(await accounts.profile(person.ctx)).toMatchObject({ pendingEmail: null });
    await logIn(person.email);
  });

  it("has three links an hour sent to one new address", async () => {
    const [person, email] = [await makePerson(), newEmail()];
    const ask = () => accounts.changeEmail(person.ctx, { currentPassword: PASSWORD, email, address: newAddress() });
    for (let sent = 1; sent <= 3; sent++) {
      await ask();
      expect(await mailsTo(email)).toHaveLength(sent);
    }
    await expect(ask()).rejects.toMatchObject({ code: "rate_limited" });
    expect(await mailsTo(email)).toHaveLength(3);
  });

  it("changes its name", async () => {
    const person = await makePerson();
    await accounts.changeName(person.ctx, { name: "Ada King" });
    expect(await accounts.profile(person.ctx)).toMatchObject({ name: "Ada King" });
    expect(accounts.ChangeName.safeParse({ name: "a\0b" }).success).toBe(false);
  });
});
