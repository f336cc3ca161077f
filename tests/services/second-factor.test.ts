// Two-factor authentication: what an app's code opens and what it does not, and what there is for who has lost the app.
import { randomBytes } from "node:crypto";
import { sql as raw } from "drizzle-orm";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Operator } from "../../server/context";
import * as accounts from "../../server/services/accounts";
import { seal, unseal } from "../../server/services/sealing";
import { bytesOf, codeAt } from "../support/authenticator";
import { testDatabase, untilWaiting } from "../support/database";
import { everythingStored, newAddress, OTHER, outcomeOf, PASSWORD, people } from "../support/people";

const database = testDatabase();
const { anonymous, linkTo, logIn, mailsTo, makePerson, openSession, signedIn } = people(database);
const STEP_MS = 30_000;
/** The session in which things are set up. */
const here = { sessionId: "here" };
const later = (ms: number, from = new Date()) => new Date(from.getTime() + ms);

/** Somebody who has set the app up a while ago, at `now`. */
async function makeCareful() {
  const now = later(-10 * STEP_MS);
  const person = await makePerson();
  const at = (when?: Date) => database.as({ kind: "signed_in", accountId: person.id }, when);
  await accounts.beginSecondFactor(at(now), { currentPassword: PASSWORD, ...here });
  const { secret, uri } = (await accounts.secondFactor(at(now), here)).setup!;
  const { account, recoveryCodes } = await accounts.enableSecondFactor(at(now), { code: codeAt(secret, now), ...here });
  return { ...person, account, at, secret, uri, recoveryCodes, code: (when?: Date) => codeAt(secret, when) };
}

/** The password alone. */
async function begin(email: string, now?: Date, password = PASSWORD): Promise<string> {
  const entry = await accounts.logIn(anonymous(now), { email, password, address: newAddress() });
  if (!("token" in entry)) throw new Error("No code was asked for.");
  return entry.token;
}

/** A code as the doors hand it on, however it was typed. */
const typed = (code: string) => accounts.FinishLogIn.parse({ code });

const finish = (token: string, code: string, now?: Date) =>
  accounts.finishLogIn(anonymous(now), { token, ...typed(code), address: newAddress(), knownDevice: () => undefined });

const refusedCode = { code: "invalid_input", details: { issues: [{ path: "code" }] } };
/** Another one than this, and most likely none of the steps about. */
const wrong = (right: string) => String((Number(right) + 1) % 1_000_000).padStart(6, "0");

const actsOn = async (id: string) =>
  (await database.sql`select action from audit where target_id = ${id} order by at, id`).map(({ action }) => action);

describe("setting an authenticator app up", () => {
  it("takes the password, then the app's first code; until then the password lets in alone", async () => {
    const { id, email } = await makePerson();
    const ctx = signedIn(id);
    await expect(accounts.beginSecondFactor(ctx, { currentPassword: OTHER, ...here })).rejects.toMatchObject({
      details: { issues: [{ path: "currentPassword" }] },
    });
    expect(await accounts.secondFactor(ctx, here)).toEqual({ enabledAt: null, recoveryCodes: 0, setup: null });
    await accounts.beginSecondFactor(ctx, { currentPassword: PASSWORD, ...here });
    const { setup } = await accounts.secondFactor(ctx, here);
    expect(setup!.secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(new URL(setup!.uri).searchParams.get("secret")).toBe(setup!.secret);
    expect(decodeURIComponent(setup!.uri)).toMatch(`otpauth://totp/Aisle:${email}?`);
    expect(await logIn(email)).toMatchObject({ id });

    for (const code of [wrong(codeAt(setup!.secret)), "12345", "aaaa-bbbb-cccc-dddd"])
      await expect(accounts.enableSecondFactor(ctx, { code, ...here })).rejects.toMatchObject(refusedCode);
    expect(await logIn(email)).toMatchObject({ id });
    await accounts.enableSecondFactor(ctx, { code: codeAt(setup!.secret), ...here });
    await begin(email);
    expect(await accounts.secondFactor(ctx, here)).toMatchObject({ recoveryCodes: 8, setup: null });
    expect(await actsOn(id)).toEqual([
      "account.begin_second_factor",
      "account.log_in",
      "account.log_in",
      "account.enable_second_factor",
    ]);
  });

  it("ends every session, and leaves none to whoever logged in with the password at that moment", async () => {
    const person = await makePerson();
    const ctx = signedIn(person.id);
    const elsewhere = await openSession(await logIn(person.email));
    await accounts.beginSecondFactor(ctx, { currentPassword: PASSWORD, ...here });
    const { secret } = (await accounts.secondFactor(ctx, here)).setup!;
    const loggedIn = await logIn(person.email);
    const { account } = await accounts.enableSecondFactor(ctx, { code: codeAt(secret), ...here });
    const late = await openSession(loggedIn);
    const anew = await openSession(account);
    expect([await elsewhere(), await late(), await anew()]).toEqual([false, false, true]);
  });

  it("has 15 minutes, and begins anew with another secret", async () => {
    const { id } = await makePerson();
    const began = later(-15 * 60_000);
    const at = (now?: Date) => database.as({ kind: "signed_in", accountId: id }, now);
    await accounts.beginSecondFactor(at(began), { currentPassword: PASSWORD, ...here });
    const { secret } = (await accounts.secondFactor(at(later(15 * 60_000 - 1, began)), here)).setup!;
    for (const now of [at(later(15 * 60_000, began)), at()])
      expect((await accounts.secondFactor(now, here)).setup).toBeNull();
    await expect(accounts.enableSecondFactor(at(), { code: codeAt(secret), ...here })).rejects.toMatchObject({
      code: "conflict",
    });
    await accounts.beginSecondFactor(at(), { currentPassword: PASSWORD, ...here });
    expect((await accounts.secondFactor(at(), here)).setup!.secret).not.toBe(secret);
  });

  it("goes with the password that it took, though the session of before still says its code", async () => {
    const { id } = await makePerson();
    const ctx = signedIn(id);
    await accounts.beginSecondFactor(ctx, { currentPassword: PASSWORD, ...here });
    const { secret } = (await accounts.secondFactor(ctx, here)).setup!;
    await accounts.changePassword(ctx, { currentPassword: PASSWORD, newPassword: OTHER });
    await expect(accounts.enableSecondFactor(ctx, { code: codeAt(secret), ...here })).rejects.toMatchObject({
      code: "conflict",
    });
  });

  it("is of the session that began: another one is shown nothing of it, nor turns it on", async () => {
    const { id, email } = await makePerson();
    const ctx = signedIn(id);
    const elsewhere = { sessionId: "elsewhere" };
    await accounts.beginSecondFactor(ctx, { currentPassword: PASSWORD, ...here });
    const { secret } = (await accounts.secondFactor(ctx, here)).setup!;
    expect((await accounts.secondFactor(ctx, elsewhere)).setup).toBeNull();
    await expect(accounts.enableSecondFactor(ctx, { code: codeAt(secret), ...elsewhere })).rejects.toMatchObject({
      code: "conflict",
    });
    expect(await logIn(email)).toMatchObject({ id });

    await accounts.beginSecondFactor(ctx, { currentPassword: PASSWORD, ...elsewhere });
    expect((await accounts.secondFactor(ctx, here)).setup).toBeNull();
    const { setup } = await accounts.secondFactor(ctx, elsewhere);
    expect(setup!.secret).not.toBe(secret);
    for (const shown of [secret, setup!.secret])
      await expect(accounts.enableSecondFactor(ctx, { code: codeAt(shown), ...here })).rejects.toMatchObject({
        code: "conflict",
      });
    await accounts.enableSecondFactor(ctx, { code: codeAt(setup!.secret), ...elsewhere });
    const next = later(STEP_MS);
    expect(await finish(await begin(email, next), codeAt(setup!.secret, next), next)).toMatchObject({ id });
  });

  it("neither begins nor is done where the password is changed at that very moment", async () => {
    const { id, email } = await makePerson();
    const ctx = signedIn(id);
    const begin = () => accounts.beginSecondFactor(ctx, { currentPassword: PASSWORD, ...here });
    await begin();
    const { secret } = (await accounts.secondFactor(ctx, here)).setup!;
    for (const act of [begin, () => accounts.enableSecondFactor(ctx, { code: codeAt(secret), ...here })]) {
      const { late } = await database.sql.begin(async (tx) => {
        await tx`update accounts set password_version = password_version + 1 where id = ${id}`;
        const late = outcomeOf(act());
        await untilWaiting(database.sql, 1);
        return { late };
      });
      expect(await late).toMatchObject({ code: "conflict", message: expect.stringContaining("password was changed") });
    }
    expect((await accounts.secondFactor(ctx, here)).setup!.secret).toBe(secret);
    expect(await logIn(email)).toMatchObject({ id });
  });

  it("is no way around an app that is there already", async () => {
    const { at, code } = await makeCareful();
    await expect(accounts.beginSecondFactor(at(), { currentPassword: PASSWORD, ...here })).rejects.toMatchObject({
      code: "conflict",
    });
    await expect(accounts.enableSecondFactor(at(), { code: code(), ...here })).rejects.toMatchObject({
      code: "conflict",
    });
  });

  it("happens once, of twenty at once", async () => {
    const { id } = await makePerson();
    await accounts.beginSecondFactor(signedIn(id), { currentPassword: PASSWORD, ...here });
    const { secret } = (await accounts.secondFactor(signedIn(id), here)).setup!;
    const code = codeAt(secret);
    const all = await Promise.allSettled(
      Array.from({ length: 20 }, () => accounts.enableSecondFactor(signedIn(id), { code, ...here })),
    );
    expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await accounts.secondFactor(signedIn(id), here)).toMatchObject({ recoveryCodes: 8 });
  });
});

describe("logging in with an app", () => {
  it("makes its network known once it is finished with its code, and not by the password alone", async () => {
    const { email, account, code } = await makeCareful();
    const address = newAddress();
    /** Of its network, at this account and at any; then of all strangers at the account, too. */
    const counts = async () => {
      const taken = await anonymous().limits.logIn(account, address);
      await Promise.all(taken.map((tried) => tried.giveBack()));
      return taken.length;
    };
    const entry = await accounts.logIn(anonymous(), { email, password: PASSWORD, address });
    if (!("token" in entry)) throw new Error("No code was asked for.");
    expect(await counts()).toBe(3);
    await accounts.finishLogIn(anonymous(), { ...entry, ...typed(code()), address, knownDevice: () => undefined });
    expect(await counts()).toBe(2);
  });

  it("takes password and code, and is recorded once both were right", async () => {
    const { id, email, code } = await makeCareful();
    const before = await actsOn(id);
    const token = await begin(email);
    expect(await actsOn(id)).toEqual(before);
    await expect(finish(token, wrong(code()))).rejects.toMatchObject(refusedCode);
    expect(await finish(token, ` ${code().slice(0, 3)} ${code().slice(3)} `)).toMatchObject({ id, email });
    expect(await actsOn(id)).toEqual([...before, "account.log_in"]);
  });

  it("leaves everybody else's app as it is", async () => {
    const [one, other] = [await makeCareful(), await makeCareful()];
    await finish(await begin(one.email), one.code());
    expect(await finish(await begin(other.email), other.code())).toMatchObject({ id: other.id });
  });

  it("opens a session that holds, of the account's present password", async () => {
    const { email, code } = await makeCareful();
    const holds = await openSession(await finish(await begin(email), code()));
    expect(await holds()).toBe(true);
  });

  it("takes the code of the step before and after, and of no other", async () => {
    for (const [off, isTaken] of [
      [-2, false],
      [-1, true],
      [0, true],
      [1, true],
      [2, false],
    ] as const) {
      const { email, code } = await makeCareful();
      const token = await begin(email);
      const now = new Date();
      const outcome = finish(token, code(later(off * STEP_MS, now)), now);
      await (isTaken
        ? expect(outcome, String(off)).resolves.toMatchObject({ email })
        : expect(outcome, String(off)).rejects.toMatchObject(refusedCode));
    }
  });

  it("takes no code that turned it on", async () => {
    const [{ id, email }, now] = [await makePerson(), new Date()];
    const ctx = database.as({ kind: "signed_in", accountId: id }, now);
    await accounts.beginSecondFactor(ctx, { currentPassword: PASSWORD, ...here });
    const code = codeAt((await accounts.secondFactor(ctx, here)).setup!.secret, now);
    await accounts.enableSecondFactor(ctx, { code, ...here });
    await expect(finish(await begin(email, now), code, now)).rejects.toMatchObject(refusedCode);
  });

  it("takes each code once: neither again nor, by another log-in, eight at once", async () => {
    const { email, code } = await makeCareful();
    const tokens = await Promise.all(Array.from({ length: 8 }, () => begin(email)));
    const same = code();
    const all = await Promise.allSettled(tokens.map((token) => finish(token, same)));
    expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const refused = await finish(await begin(email), same).catch((error) => error);
    expect(refused).toMatchObject(refusedCode);
    expect(refused.message).toContain("already been used");
    const next = later(STEP_MS);
    expect(await finish(await begin(email), code(next), next)).toMatchObject({ email });
  });

  it("takes no code of before the last one that it took, though its step is near enough", async () => {
    const [{ email, code }, now] = [await makeCareful(), new Date()];
    await finish(await begin(email), code(later(STEP_MS, now)), now);
    await expect(finish(await begin(email), code(now), now)).rejects.toMatchObject(refusedCode);
  });

  it("is one log-in: its token works once, ten minutes, and for nobody who makes one up", async () => {
    const { email, code, recoveryCodes } = await makeCareful();
    const [used, old] = [await begin(email), await begin(email, later(-10 * 60_000))];
    await finish(used, code());
    const begunAgain = { code: "forbidden", details: { reason: "begin_again" } };
    for (const token of [used, old, "", randomBytes(32).toString("base64url")])
      await expect(finish(token, recoveryCodes[0]!)).rejects.toMatchObject(begunAgain);
    const standings = [used, old, await begin(email)].map((token) => accounts.awaitsCode(anonymous(), token));
    expect(await Promise.all(standings)).toEqual([null, null, { waitingId: expect.stringMatching(/^[\w-]{16}$/) }]);
  });

  it("is one log-in, though two codes come with its token at once: the other code is not used up", async () => {
    const { id, email, recoveryCodes } = await makeCareful();
    const token = await begin(email);
    const { both } = await database.sql.begin(async (tx) => {
      await tx`select from accounts where id = ${id} for update`;
      const both = Promise.allSettled(recoveryCodes.slice(0, 2).map((code) => finish(token, code)));
      await untilWaiting(database.sql, 2);
      return { both };
    });
    const refused = (await both).flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
    expect(refused).toMatchObject([{ code: "forbidden", details: { reason: "begin_again" } }]);
    expect(await accounts.secondFactor(signedIn(id), here)).toMatchObject({ recoveryCodes: 7 });
  });

  it("waits in each browser by itself: one that is finished leaves the other", async () => {
    const { id, email, code, recoveryCodes } = await makeCareful();
    const [laptop, phone] = [await begin(email), await begin(email)];
    expect(await finish(laptop, code())).toMatchObject({ id });
    expect(await finish(phone, recoveryCodes[0]!)).toMatchObject({ id });
  });

  it("ends where the password is changed meanwhile", async () => {
    const { id, email, code } = await makeCareful();
    const token = await begin(email);
    await accounts.changePassword(signedIn(id), { currentPassword: PASSWORD, newPassword: OTHER });
    await expect(finish(token, code())).rejects.toMatchObject({ details: { reason: "begin_again" } });
  });

  it("looks at ten wrong codes an hour, mails at the fifth, and begins anew with a new password", async () => {
    const { id, email, code, recoveryCodes } = await makeCareful();
    const token = await begin(email);
    const told = async () => (await mailsTo(email)).filter(({ subject }) => subject.startsWith("Someone knows")).length;
    for (let i = 1; i <= 10; i++) {
      await expect(finish(token, wrong(code()))).rejects.toMatchObject(refusedCode);
      expect(await told()).toBe(i < 5 ? 0 : 1);
    }
    for (const right of [code(), recoveryCodes[0]!])
      await expect(finish(token, right)).rejects.toMatchObject({ code: "rate_limited" });
    await accounts.requestReset(anonymous(), { email, address: newAddress() });
    const entry = await accounts.reset(anonymous(), {
      token: await linkTo(email, "/reset"),
      password: OTHER,
      address: newAddress(),
    });
    expect(await finish((entry as accounts.AwaitsCode).token, code())).toMatchObject({ id });
  });

  it("mails at the fifth wrong code though the owner sends a set-up's code in between", async () => {
    const { email, at, code } = await makeCareful();
    const token = await begin(email);
    for (let i = 1; i <= 4; i++) await expect(finish(token, wrong(code()))).rejects.toMatchObject(refusedCode);
    await expect(accounts.enableSecondFactor(at(), { code: code(), ...here })).rejects.toMatchObject({
      code: "conflict",
    });
    await expect(finish(token, wrong(code()))).rejects.toMatchObject(refusedCode);
    expect((await mailsTo(email)).map(({ subject }) => subject)).toContainEqual(
      expect.stringMatching(/^Someone knows/),
    );
  });

  it("looks at ten codes of a set-up an hour", async () => {
    const { id } = await makePerson();
    const ctx = signedIn(id);
    await accounts.beginSecondFactor(ctx, { currentPassword: PASSWORD, ...here });
    const { secret } = (await accounts.secondFactor(ctx, here)).setup!;
    for (let i = 1; i <= 10; i++)
      await expect(accounts.enableSecondFactor(ctx, { code: wrong(codeAt(secret)), ...here })).rejects.toMatchObject(
        refusedCode,
      );
    await expect(accounts.enableSecondFactor(ctx, { code: codeAt(secret), ...here })).rejects.toMatchObject({
      code: "rate_limited",
    });
  });

  it("waits for no code where the password is changed while it is looked at", async () => {
    const { id, email } = await makeCareful();
    const late = await database.sql.begin(async (tx) => {
      await tx`select from accounts where id = ${id} for update`;
      const begun = outcomeOf(begin(email));
      await untilWaiting(database.sql, 1);
      await tx`update accounts set password_version = password_version + 1 where id = ${id}`;
      return { begun };
    });
    expect(await late.begun).toMatchObject({ code: "conflict" });
    expect(await database.sql`select from account_tokens where account_id = ${id} and used_at is null`).toEqual([]);
  });

  it("does not count what was right", async () => {
    const { email, code } = await makeCareful();
    const now = new Date();
    const from = { address: newAddress() };
    for (let i = 0; i < 12; i++) {
      const when = later(i * STEP_MS, now);
      const { token } = (await accounts.logIn(anonymous(when), { email, password: PASSWORD, ...from })) as {
        token: string;
      };
      const shown = { token, ...typed(code(when)), ...from, knownDevice: () => undefined };
      await accounts.finishLogIn(anonymous(when), shown);
    }
  });
});

describe("codes of a day", () => {
  afterEach(() => void vi.useRealTimers());

  /** Somebody with an app, at whose codes are guessed after ever new passwords. */
  async function guessedAt() {
    const person = await makeCareful();
    vi.useFakeTimers({ toFake: ["Date"] });
    let password = PASSWORD;
    const renew = async () => {
      const newPassword = `${OTHER} ${randomBytes(4).toString("hex")}`;
      await accounts.changePassword(signedIn(person.id), { currentPassword: password, newPassword });
      password = newPassword;
    };
    /** How many wrong ones of twelve are looked at. */
    const guess = async () => {
      const token = await begin(person.email, undefined, password);
      const wrongOne = wrong(person.code());
      const outcomes = [];
      for (let i = 0; i < 12; i++) outcomes.push(await outcomeOf(finish(token, wrongOne)));
      return outcomes.filter((outcome) => "code" in outcome && outcome.code === "invalid_input").length;
    };
    const enter = async (code = person.code()) => finish(await begin(person.email, undefined, password), code);
    const setUp = async () => {
      const ctx = signedIn(person.id);
      await accounts.beginSecondFactor(ctx, { currentPassword: password, ...here });
      const { secret } = (await accounts.secondFactor(ctx, here)).setup!;
      return accounts.enableSecondFactor(ctx, { code: codeAt(secret), ...here });
    };
    return { ...person, renew, guess, enter, setUp };
  }

  it("are looked at twenty times, however often the password is another, until the day is over", async () => {
    const { id, renew, guess, enter, recoveryCodes } = await guessedAt();
    const looked = [await guess()];
    for (let i = 0; i < 3; i++) {
      await renew();
      looked.push(await guess());
    }
    expect(looked).toEqual([10, 10, 0, 0]);
    vi.setSystemTime(later(60 * 60_000));
    const refused = { code: "rate_limited", message: expect.stringMatching(/Wait 23 hours, or ask an operator\.$/) };
    for (const right of [undefined, recoveryCodes[0]!]) await expect(enter(right)).rejects.toMatchObject(refused);
    vi.setSystemTime(later(23 * 60 * 60_000));
    expect(await enter()).toMatchObject({ id });
  });

  it("are told of at the fifth, once, however few of them are of one hour", async () => {
    const { email, code } = await guessedAt();
    const told = async () => (await mailsTo(email)).filter(({ subject }) => subject.startsWith("Someone knows")).length;
    for (const expected of [
      [0, 0, 0, 0],
      [1, 1, 1, 1],
    ]) {
      const token = await begin(email);
      const counted = [];
      for (let i = 0; i < 4; i++) {
        await expect(finish(token, wrong(code()))).rejects.toMatchObject(refusedCode);
        counted.push(await told());
      }
      expect(counted).toEqual(expected);
      vi.setSystemTime(later(60 * 60_000));
    }
  });

  it("begin anew with a right one, and where an operator takes the second factor away", async () => {
    const { id, email, renew, guess, enter, setUp } = await guessedAt();
    expect(await guess()).toBe(10);
    await renew();
    expect(await enter()).toMatchObject({ id });
    expect(await guess()).toBe(10);
    await renew();
    expect(await guess()).toBe(10);
    await accounts.removeSecondFactor(database.as<Operator>({ kind: "operator", accountId: null }), { email });
    vi.setSystemTime(later(60 * 60_000));
    const { recoveryCodes } = await setUp();
    expect(await enter(recoveryCodes[0]!)).toMatchObject({ id });
  });
});

describe("a reset of the password", () => {
  it("is no way around the app: it asks for the code too", async () => {
    const { id, email, code } = await makeCareful();
    await accounts.requestReset(anonymous(), { email, address: newAddress() });
    const token = await linkTo(email, "/reset");
    const entry = await accounts.reset(anonymous(), { token, password: OTHER, address: newAddress() });
    expect(entry).toEqual({ token: expect.stringMatching(/^[\w-]{43}$/) });
    expect(await finish((entry as accounts.AwaitsCode).token, code())).toMatchObject({ id });
  });

  it("gives back no try at a password once the code is right, since it took none", async () => {
    const { account, email, code } = await makeCareful();
    const [from, { limits }] = [{ address: newAddress() }, anonymous()];
    const before = (await limits.logIn(account, from.address)).slice(0, 2).map(({ count }) => count);
    await accounts.requestReset(anonymous(), { email, ...from });
    const link = { token: await linkTo(email, "/reset"), password: OTHER, ...from };
    const { token } = (await accounts.reset(anonymous(), link)) as accounts.AwaitsCode;
    await accounts.finishLogIn(anonymous(), { token, ...typed(code()), ...from, knownDevice: () => undefined });
    const [ofNetwork] = await limits.logIn({ ...account, email: `other.${email}` }, from.address);
    const [, ofAccount] = await limits.logIn(account, newAddress());
    expect([ofNetwork!.count, ofAccount!.count]).toEqual(before.map((count) => count + 1));
  });
});

describe("a recovery code", () => {
  it("lets in once, in the place of the app's, and is mailed with what is left", async () => {
    const { id, email, recoveryCodes } = await makeCareful();
    expect(new Set(recoveryCodes).size).toBe(8);
    expect(recoveryCodes.every((code) => /^([a-z2-7]{4}-){3}[a-z2-7]{4}$/.test(code))).toBe(true);
    const written = recoveryCodes[3]!.replaceAll("-", " ").toUpperCase();
    expect(await finish(await begin(email), written)).toMatchObject({ id });
    expect(await accounts.secondFactor(signedIn(id), here)).toMatchObject({ recoveryCodes: 7 });
    expect((await mailsTo(email))[0]).toMatchObject({ subject: "A recovery code of your Aisle account was used" });
    expect((await mailsTo(email))[0]!.text).toContain("7 are left.");
    expect((await actsOn(id)).slice(-2)).toEqual(["account.use_recovery_code", "account.log_in"]);
    const again = await finish(await begin(email), written).catch((error) => error);
    expect(again).toMatchObject(refusedCode);
    expect(again.message).toContain("one of your recovery codes");
  });

  it("that does something else than let in is mailed as what it did, not as a log-in", async () => {
    const { id, email, recoveryCodes } = await makeCareful();
    const both = (code: string) => ({ currentPassword: PASSWORD, ...typed(code) });
    const [renewed] = await accounts.renewRecoveryCodes(signedIn(id), both(recoveryCodes[0]!));
    await accounts.disableSecondFactor(signedIn(id), both(renewed!));
    expect((await mailsTo(email)).map(({ subject }) => subject)).toEqual([
      "Two-factor authentication is off for your Aisle account",
      "Your Aisle account has new recovery codes",
      "Two-factor authentication is on for your Aisle account",
    ]);
    expect((await actsOn(id)).filter((action) => action === "account.use_recovery_code")).toHaveLength(2);
  });

  it("is not what digits of the wrong number are taken for; digits of other scripts' width are the app's", async () => {
    const { id, email, code } = await makeCareful();
    for (const short of [code().slice(1), `${code()}7`]) {
      const refused = await finish(await begin(email), short).catch((error) => error);
      expect(refused).toMatchObject(refusedCode);
      expect(refused.message).toBe("A code from the app has 6 digits.");
    }
    const wide = code().replace(/\d/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0));
    expect(await finish(await begin(email), wide)).toMatchObject({ id });
  });

  it("lets one in of eight at once", async () => {
    const { email, recoveryCodes } = await makeCareful();
    const tokens = await Promise.all(Array.from({ length: 8 }, () => begin(email)));
    const all = await Promise.allSettled(tokens.map((token) => finish(token, recoveryCodes[0]!)));
    expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  it("is nobody else's", async () => {
    const [{ email }, { recoveryCodes }] = [await makeCareful(), await makeCareful()];
    await expect(finish(await begin(email), recoveryCodes[0]!)).rejects.toMatchObject(refusedCode);
  });

  it("gives way to new ones, which take password and code", async () => {
    const [{ id, email, code, recoveryCodes }, other] = [await makeCareful(), await makeCareful()];
    const ctx = signedIn(id);
    await expect(accounts.renewRecoveryCodes(ctx, { currentPassword: OTHER, code: code() })).rejects.toMatchObject({
      details: { issues: [{ path: "currentPassword" }] },
    });
    await expect(
      accounts.renewRecoveryCodes(ctx, { currentPassword: PASSWORD, code: wrong(code()) }),
    ).rejects.toMatchObject(refusedCode);
    const renewed = await accounts.renewRecoveryCodes(ctx, { currentPassword: PASSWORD, code: code() });
    await expect(finish(await begin(email), recoveryCodes[0]!)).rejects.toMatchObject(refusedCode);
    expect(await finish(await begin(email), renewed[0]!)).toMatchObject({ id });
    expect(await finish(await begin(other.email), other.recoveryCodes[0]!)).toMatchObject({ id: other.id });
  });
});

describe("turning it off", () => {
  it("takes password and code, and is mailed; then the password lets in alone", async () => {
    const { id, email, code, recoveryCodes } = await makeCareful();
    const ctx = signedIn(id);
    await expect(
      accounts.disableSecondFactor(ctx, { currentPassword: PASSWORD, code: wrong(code()) }),
    ).rejects.toMatchObject(refusedCode);
    await accounts.disableSecondFactor(ctx, { currentPassword: PASSWORD, ...typed(recoveryCodes[0]!) });
    expect(await logIn(email)).toMatchObject({ id });
    expect(await accounts.secondFactor(ctx, here)).toEqual({ enabledAt: null, recoveryCodes: 0, setup: null });
    expect((await mailsTo(email)).map(({ subject }) => subject)).toContain(
      "Two-factor authentication is off for your Aisle account",
    );
  });

  it("is refused where the password is changed while it is looked at, and where there is none yet", async () => {
    const { id, code } = await makeCareful();
    const turnOff = (ctx = signedIn(id)) =>
      accounts.disableSecondFactor(ctx, { currentPassword: PASSWORD, code: code() });
    const { late } = await database.sql.begin(async (tx) => {
      await tx`update accounts set password_version = password_version + 1 where id = ${id}`;
      const late = outcomeOf(turnOff());
      await untilWaiting(database.sql, 1);
      return { late };
    });
    expect(await late).toMatchObject({ code: "conflict" });
    expect((await accounts.secondFactor(signedIn(id), here)).enabledAt).not.toBeNull();

    const { ctx } = await makePerson();
    await accounts.beginSecondFactor(ctx, { currentPassword: PASSWORD, ...here });
    await expect(turnOff(ctx)).rejects.toMatchObject({ code: "conflict" });
  });

  it("is done by the command line for who has lost everything: every session ends, and they are told", async () => {
    const { id, email, account } = await makeCareful();
    const holds = await openSession(account);
    const operator = database.as<Operator>({ kind: "operator", accountId: null });
    const waiting = await begin(email);
    await accounts.removeSecondFactor(operator, { email });
    expect(await holds()).toBe(false);
    await expect(finish(waiting, "123456")).rejects.toMatchObject({ details: { reason: "begin_again" } });
    expect(await logIn(email)).toMatchObject({ id });
    expect((await actsOn(id)).at(-2)).toBe("account.remove_second_factor");
    const [told] = await mailsTo(email);
    expect(told!.subject).toBe("Two-factor authentication is off for your Aisle account");
    expect(told!.text).toContain("An Aisle operator turned");
    const begun = await makePerson();
    await accounts.beginSecondFactor(begun.ctx, { currentPassword: PASSWORD, ...here });
    for (const nobodys of [email, begun.email, "nobody@example.com"])
      await expect(accounts.removeSecondFactor(operator, { email: nobodys })).rejects.toMatchObject({
        code: "not_found",
      });
    await expect(accounts.removeSecondFactor(operator, { email })).rejects.toThrow("is already off for this account");
  });
});

describe("deleting the account", () => {
  const isThere = async (id: string) => (await database.sql`select from accounts where id = ${id}`).length === 1;

  it("takes password and code, the app's or a recovery code; nothing less", async () => {
    for (const kind of ["app", "recovery"]) {
      const { id, at, code, recoveryCodes } = await makeCareful();
      await expect(accounts.deleteAccount(at(), { currentPassword: PASSWORD })).rejects.toMatchObject(refusedCode);
      for (const [currentPassword, given] of [
        [PASSWORD, wrong(code())],
        [OTHER, code()],
      ] as const)
        await expect(accounts.deleteAccount(at(), { currentPassword, code: given })).rejects.toMatchObject({
          code: "invalid_input",
        });
      expect(await isThere(id)).toBe(true);
      const right = kind === "app" ? code() : typed(recoveryCodes[0]!).code;
      await accounts.deleteAccount(at(), { currentPassword: PASSWORD, code: right });
      expect(await isThere(id)).toBe(false);
    }
  });

  it("counts wrong codes with those of log-ins, and mails at the fifth of both", async () => {
    const { id, email, at, code } = await makeCareful();
    const told = async () =>
      (await mailsTo(email)).filter(({ subject }) => subject === "Someone knows the password of your Aisle account")
        .length;
    const token = await begin(email);
    for (let i = 0; i < 5; i++) {
      expect(await told()).toBe(0);
      await expect(
        accounts.deleteAccount(at(), { currentPassword: PASSWORD, code: wrong(code()) }),
      ).rejects.toMatchObject(refusedCode);
    }
    expect(await told()).toBe(1);
    for (let i = 0; i < 5; i++) await expect(finish(token, wrong(code()))).rejects.toMatchObject(refusedCode);
    const rest = { code: "rate_limited" };
    await expect(finish(token, code())).rejects.toMatchObject(rest);
    await expect(accounts.deleteAccount(at(), { currentPassword: PASSWORD, code: code() })).rejects.toMatchObject(rest);
    expect(await isThere(id)).toBe(true);
  });

  it("counts no code that was right, or that nobody looked at, where it is refused for something else", async () => {
    const { id, email, at, code } = await makeCareful();
    const ofBefore = { currentPassword: PASSWORD, code: code(), shown: "what was shown before" };
    const refusals = [];
    for (let i = 0; i < 12; i++) refusals.push(await outcomeOf(accounts.deleteAccount(at(), ofBefore)));
    expect(refusals.map((refusal) => "code" in refusal && refusal.code)).toEqual(Array(12).fill("conflict"));
    expect(await finish(await begin(email), code())).toMatchObject({ id });

    const without = await makePerson();
    const turnOff = () => accounts.disableSecondFactor(without.ctx, { currentPassword: PASSWORD, code: "123456" });
    for (let i = 0; i < 12; i++) await expect(turnOff()).rejects.toMatchObject({ code: "conflict" });
  });

  it("is refused where the app is set up while the password is looked at", async () => {
    const { id } = await makePerson();
    const ctx = signedIn(id);
    await accounts.beginSecondFactor(ctx, { currentPassword: PASSWORD, ...here });
    const { secret } = (await accounts.secondFactor(ctx, here)).setup!;
    let deleting: Promise<unknown> | undefined;
    await database.db.transaction(async (tx) => {
      await tx.execute(raw`select from accounts where id = ${id} for update`);
      deleting = outcomeOf(accounts.deleteAccount(ctx, { currentPassword: PASSWORD }));
      await untilWaiting(database.sql, 1);
      await accounts.enableSecondFactor({ ...ctx, db: tx }, { code: codeAt(secret), ...here });
    });
    expect(await deleting).toMatchObject({ code: "conflict" });
    expect(await isThere(id)).toBe(true);
  });
});

describe("what the database has of it", () => {
  it("is neither the app's secret nor a code, nor a token of a log-in", async () => {
    const { email, secret, recoveryCodes } = await makeCareful();
    const token = await begin(email);
    const stored = await everythingStored(database);
    for (const part of [secret, token, recoveryCodes[0]!, recoveryCodes[0]!.replaceAll("-", "")])
      expect(stored).not.toContain(part);
    expect(await everythingStored(database, "hex")).not.toContain(bytesOf(secret).toString("hex"));
  });

  it("is opened after the secret key was changed, and sealed anew by its next use", async () => {
    const { id, email, code } = await makeCareful();
    const [was, is] = [database.as({ kind: "anonymous" } as const).secretKeys[0], randomBytes(32).toString("hex")];
    const rotated = { ...anonymous(), secretKeys: [is, was] as const };
    const sealed = async () =>
      (await database.sql<{ secret: Buffer }[]>`select secret from second_factors where account_id = ${id}`)[0]!.secret;
    expect(unseal({ secretKeys: [is] }, "second-factor", id, await sealed())).toBeUndefined();
    const token = await begin(email);
    await accounts.finishLogIn(rotated, { token, code: code(), address: newAddress(), knownDevice: () => undefined });
    expect(unseal({ secretKeys: [is] }, "second-factor", id, await sealed())).toHaveLength(20);
  });

  it("is of no use under another secret key; recovery codes are", async () => {
    const { id, email, code, recoveryCodes } = await makeCareful();
    const other = { ...anonymous(), secretKeys: [randomBytes(32).toString("hex")] as const };
    const enter = async (given: string) =>
      accounts.finishLogIn(other, {
        token: await begin(email),
        ...typed(given),
        address: newAddress(),
        knownDevice: () => undefined,
      });
    const refused = await enter(code()).catch((error) => error);
    expect(refused).toMatchObject(refusedCode);
    expect(refused.message).toContain("Use a recovery code");
    expect(await enter(recoveryCodes[0]!)).toMatchObject({ id });
  });

  it("is sealed for one account and one purpose: moved elsewhere, or changed, it opens nothing", () => {
    const keys = { secretKeys: ["k".repeat(32)] } as const;
    const plain = randomBytes(20);
    const sealed = seal(keys, "second-factor", "ada", plain);
    expect(unseal(keys, "second-factor", "ada", sealed)).toEqual(plain);
    expect(unseal(keys, "second-factor", "eve", sealed)).toBeUndefined();
    expect(unseal(keys, "another", "ada", sealed)).toBeUndefined();
    for (const at of [0, 15, sealed.length - 1]) {
      const changed = Buffer.from(sealed);
      changed[at]! ^= 1;
      expect(unseal(keys, "second-factor", "ada", changed)).toBeUndefined();
    }
    expect(seal(keys, "second-factor", "ada", plain)).not.toEqual(sealed);
  });
});
