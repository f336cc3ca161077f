import { and, eq, isNull } from "drizzle-orm";
import { Argon2id } from "oslo/password";
import { describe, expect, it, vi } from "vitest";
import { accountTokens } from "../../db/schema/accounts";
import { audit } from "../../db/schema/operations";
import * as cookies from "../../server/cookies";
import { networkOf } from "../../server/limit-store";
import * as accounts from "../../server/services/accounts";
import * as passwords from "../../server/services/passwords";
import { testDatabase, untilWaiting } from "../support/database";
import { argon2Runs, inHours, newAddress, newEmail, OTHER, outcomeOf, PASSWORD, people } from "../support/people";

const database = testDatabase();
const { anonymous, linkTo, logIn, mailsTo, makePerson, openSession, signUp } = people(database);

/** A browser with which somebody was logged in; `from` is a log-in with it. */
function browserOf(account: { email: string; passwordVersion: number }) {
  const cookie = cookies.deviceCookie(anonymous(), account);
  const knownDevice = (now: typeof account) => cookies.knownDevice(anonymous(), cookie, now);
  const from = (address: string, password: string) =>
    accounts.logIn(anonymous(), { email: account.email, password, address, knownDevice });
  return { from };
}

describe("logging in", () => {
  it("says the same of a wrong password and of an unknown address, and hashes as often", async () => {
    const { email } = await makePerson();
    const unverified = newEmail();
    await signUp(unverified);
    const outcomes = [];
    for (const address of [email, unverified, newEmail()]) {
      expect(await argon2Runs(() => logIn(address, OTHER))).toEqual({ hash: 0, verify: 1 });
      outcomes.push(await outcomeOf(logIn(address, OTHER)));
    }
    expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome))).size).toBe(1);
    expect(outcomes[0]).toMatchObject({ code: "forbidden", details: { reason: "wrong_credentials" } });
  });

  it("is refused as ever where the account is deleted while its password is looked at", async () => {
    const person = await makePerson();
    let both: Promise<unknown>[] = [];
    await database.sql.begin(async (tx) => {
      await tx`select from accounts where id = ${person.id} for update`;
      both = [accounts.deleteAccount(person.ctx, { currentPassword: PASSWORD })];
      await untilWaiting(database.sql, 1);
      both.push(outcomeOf(logIn(person.email)));
      await untilWaiting(database.sql, 2);
    });
    const [, refused] = await Promise.all(both);
    expect(refused).toMatchObject({ code: "forbidden", details: { reason: "wrong_credentials" } });
  });

  it("leaves no session where the account is deleted before that is opened", async () => {
    const person = await makePerson();
    const loggedIn = await logIn(person.email);
    let late: ReturnType<typeof openSession> | undefined;
    await database.sql.begin(async (tx) => {
      await tx`delete from accounts where id = ${person.id}`;
      late = openSession(loggedIn);
      await untilWaiting(database.sql, 1);
    });
    expect(await (await late!)()).toBe(false);
  });

  it("leaves a record without name or address", async () => {
    const { email, id } = await makePerson();
    await logIn(email);
    const [record] = await database.db
      .select()
      .from(audit)
      .where(and(eq(audit.targetId, id), isNull(audit.actorId)));
    expect(record).toMatchObject({ action: "account.log_in", actorKind: "anonymous", before: null, after: null });
  });

  it("looks at five passwords from one network in a quarter of an hour, though twenty come at once", async () => {
    const { email } = await makePerson();
    const address = newAddress();
    const { verify: verified } = await argon2Runs(() =>
      Promise.allSettled(Array.from({ length: 20 }, () => logIn(email, OTHER, address))),
    );
    expect(verified).toBe(5);
    await expect(logIn(email, PASSWORD, address)).rejects.toMatchObject({
      code: "rate_limited",
      message: expect.stringMatching(
        /^Too many attempts\. Wait 1[45] minutes, or reset your password, then try again\.$/,
      ),
    });
    expect(await logIn(email)).toMatchObject({ email });
  });

  it("refuses an unknown address after as many tries", async () => {
    const [email, address] = [newEmail(), newAddress()];
    for (let i = 0; i < 5; i++) {
      await expect(logIn(email, OTHER, address)).rejects.toMatchObject({ code: "forbidden" });
    }
    await expect(logIn(email, OTHER, address)).rejects.toMatchObject({ code: "rate_limited" });
  });

  it("does not count what succeeded", async () => {
    const { email } = await makePerson();
    const address = newAddress();
    for (let i = 0; i < 12; i++) await logIn(email, PASSWORD, address);
  });

  it("does not count the right password where it lets nobody in: before the address is confirmed, and before the code", async () => {
    const [email, address] = [newEmail(), newAddress()];
    const { proof } = await signUp(email);
    for (let i = 0; i < 5; i++)
      await expect(logIn(email, PASSWORD, address)).rejects.toMatchObject({ details: { reason: "unverified" } });
    await accounts.verify(anonymous(), { token: await linkTo(email, "/verify"), proof });
    const person = await logIn(email, PASSWORD, address);
    await database.sql`
      insert into second_factors (account_id, secret, enabled_at) values (${person.id}, 'x', now())`;
    const browser = browserOf(person);
    const waits = { token: expect.any(String) };
    for (let i = 0; i < 12; i++) {
      expect(await accounts.logIn(anonymous(), { email, password: PASSWORD, address })).toEqual(waits);
      expect(await browser.from(address, PASSWORD)).toEqual(waits);
    }
  });

  it("does not count what nobody looked at, since too many waited", async () => {
    const person = await makePerson();
    const address = newAddress();
    let release = () => {};
    const isOver = new Promise<void>((resolve) => {
      release = resolve;
    });
    const hashing = vi.spyOn(Argon2id.prototype, "hash").mockImplementation(() => isOver.then(() => "x"));
    const crowd = Array.from({ length: 203 }, () => passwords.hash(PASSWORD));
    const change = { currentPassword: PASSWORD, newPassword: OTHER };
    const outcomes: unknown[] = [];
    for (let i = 0; i < 6; i++) outcomes.push(await outcomeOf(logIn(person.email, PASSWORD, address)));
    for (let i = 0; i < 11; i++) outcomes.push(await outcomeOf(accounts.changePassword(person.ctx, change)));
    release();
    await Promise.all(crowd);
    hashing.mockRestore();
    expect(outcomes.map((outcome) => (outcome as { code?: string }).code)).toEqual(Array(17).fill("unavailable"));
    expect(await logIn(person.email, PASSWORD, address)).toMatchObject({ id: person.id });
    expect(await accounts.changePassword(person.ctx, change)).toMatchObject({ id: person.id });
  });

  it("gives a network no more tries where one that is given back began before they began anew", async () => {
    const [person, address, { limits }] = [await makePerson(), newAddress(), anonymous()];
    const taken = await limits.logIn(person, address);
    await logIn(person.email, PASSWORD, address);
    await Promise.all(taken.map(({ giveBack }) => giveBack()));
    const { verify: verified } = await argon2Runs(() =>
      Promise.allSettled(Array.from({ length: 8 }, () => logIn(person.email, OTHER, address))),
    );
    expect(verified).toBe(5);
  });

  it("refuses a network after 50 tries at any accounts, of which none are those that succeeded", async () => {
    const address = newAddress();
    const { limits } = anonymous();
    for (let i = 0; i < 51; i++) {
      const account = { email: newEmail(), passwordVersion: 1 };
      const taken = await limits.logIn(account, address);
      await Promise.all(taken.map(({ giveBack }) => giveBack()));
    }
    for (let i = 0; i < 50; i++) await limits.logIn({ email: newEmail(), passwordVersion: 0 }, address);
    await expect(logIn(newEmail(), OTHER, address)).rejects.toMatchObject({ code: "rate_limited" });
  });

  it("a crowd of strangers cannot lock the owner out", async () => {
    const person = await makePerson();
    const { email } = person;
    const home = newAddress();
    await logIn(email, PASSWORD, home);
    const { limits } = anonymous();
    const strangers = Array.from({ length: 101 }, (_, i) => limits.logIn(person, `172.16.${i}.1`));
    const refused = (await Promise.allSettled(strangers)).filter(({ status }) => status === "rejected");
    expect(refused).toHaveLength(1);
    const abroad = newAddress();
    await expect(logIn(email, PASSWORD, abroad)).rejects.toMatchObject({ code: "rate_limited" });
    expect(await logIn(email, PASSWORD, home)).toMatchObject({ email });
    await accounts.requestReset(anonymous(), { email, address: abroad });
    await accounts.reset(anonymous(), { token: await linkTo(email, "/reset"), password: OTHER, address: abroad });
    expect(await logIn(email, OTHER, abroad)).toMatchObject({ email });
  });

  it("gives strangers no tries by logging in from a network that is known, which took none", async () => {
    const person = await makePerson();
    const home = newAddress();
    for (let i = 0; i < 3; i++) await logIn(person.email, PASSWORD, home);
    const { limits } = anonymous();
    const strangers = async (from: number, count: number) => {
      const tries = Array.from({ length: count }, (_, i) => limits.logIn(person, `172.16.${from + i}.1`));
      return (await Promise.allSettled(tries)).filter(({ status }) => status === "rejected").length;
    };
    expect(await strangers(0, 100)).toBe(0);
    for (let i = 0; i < 3; i++) await logIn(person.email, PASSWORD, home);
    expect(await strangers(100, 3)).toBe(3);
  });

  it("a network is a stranger's again once the password is another", async () => {
    const person = await makePerson();
    const home = newAddress();
    await logIn(person.email, PASSWORD, home);
    const { limits } = anonymous();
    const changed = await accounts.changePassword(person.ctx, { currentPassword: PASSWORD, newPassword: OTHER });
    await Promise.allSettled(Array.from({ length: 100 }, (_, i) => limits.logIn(changed, `172.16.${i}.1`)));
    await expect(logIn(person.email, OTHER, home)).rejects.toMatchObject({ code: "rate_limited" });
  });

  it("somebody in the owner's own network cannot lock the owner's browser out", async () => {
    const person = await makePerson();
    const { email } = person;
    const home = newAddress();
    const { from } = browserOf(person);
    for (let i = 0; i < 5; i++) await expect(logIn(email, OTHER, home)).rejects.toMatchObject({ code: "forbidden" });
    await expect(logIn(email, PASSWORD, home)).rejects.toMatchObject({ code: "rate_limited" });
    expect(await from(home, PASSWORD)).toMatchObject({ email });
    // It opens nothing, and may guess no more than others.
    for (let i = 0; i < 10; i++) await expect(from(home, OTHER)).rejects.toMatchObject({ code: "forbidden" });
    await expect(from(home, PASSWORD)).rejects.toMatchObject({ code: "rate_limited" });
    // Nor did its success give the other tries back.
    await expect(logIn(email, PASSWORD, home)).rejects.toMatchObject({ code: "rate_limited" });
  });

  it("looks at thirty passwords in a quarter of an hour from all browsers that the account knows", async () => {
    const person = await makePerson();
    const browsers = Array.from({ length: 5 }, () => browserOf(person));
    const address = newAddress();
    for (let i = 0; i < 12; i++) await browsers[0]!.from(address, PASSWORD);
    const { verify: verified } = await argon2Runs(() =>
      Promise.allSettled(browsers.flatMap(({ from }) => Array.from({ length: 10 }, () => from(address, OTHER)))),
    );
    expect(verified).toBe(30);
    await expect(browserOf(person).from(address, PASSWORD)).rejects.toMatchObject({ code: "rate_limited" });
  });

  it("cookies of browsers that were collected are none once the password is another: the network's tries count", async () => {
    const person = await makePerson();
    const browsers = Array.from({ length: 8 }, () => browserOf(person));
    await accounts.changePassword(person.ctx, { currentPassword: PASSWORD, newPassword: OTHER });
    const address = newAddress();
    const { verify: verified } = await argon2Runs(() =>
      Promise.allSettled(browsers.map(({ from }) => from(address, "a wrong password"))),
    );
    expect(verified).toBe(5);
  });

  it("knows a browser by what it was given for this very account and password, for 90 days, under this or an earlier secret key", async () => {
    const [account, other] = [newEmail(), newEmail()].map((email) => ({ email, passwordVersion: 2 }));
    const ctx = anonymous();
    const cookie = cookies.deviceCookie(ctx, account!);
    const device = cookies.knownDevice(ctx, cookie, account!);
    expect(device).toMatch(/^[\w-]{22}$/);
    const later = { ...ctx, secretKeys: ["another secret key of some length", ...ctx.secretKeys] } as const;
    expect(cookies.knownDevice(later, cookie, account!)).toBe(device);
    expect(cookies.knownDevice(anonymous(inHours(90 * 24 - 1)), cookie, account!)).toBe(device);
    const forged = cookie.replace(/=.{5}/, "=AAAAA");
    const foreign = { ...ctx, secretKeys: ["another secret key of some length"] } as const;
    expect([
      cookies.knownDevice(ctx, cookie, other!),
      cookies.knownDevice(ctx, cookie, { ...account!, passwordVersion: 3 }),
      cookies.knownDevice(anonymous(inHours(90 * 24)), cookie, account!),
      cookies.knownDevice(ctx, forged, account!),
      cookies.knownDevice(foreign, cookie, account!),
      cookies.knownDevice(ctx, undefined, account!),
      cookies.knownDevice(ctx, "__Host-aisle-device=", account!),
    ]).toEqual(Array(7).fill(undefined));
  });

  it("counts a whole IPv6 network, and a mapped IPv4 address, as one", () => {
    expect(networkOf("2001:db8:1:2:3:4:5:6")).toBe(networkOf("2001:0DB8:1:2::ffff"));
    expect(networkOf("2001:db8:1:3::1")).not.toBe(networkOf("2001:db8:1:2::1"));
    expect(networkOf("fe80::1%eth0")).toBe(networkOf("fe80::2"));
    expect(networkOf("::1")).toBe("0:0:0:0::/64");
    expect(networkOf("::ffff:192.0.2.1")).toBe("192.0.2.1");
  });
});

describe("a forgotten password", () => {
  it("is replaced by a link to the mailbox, and every session ends", async () => {
    const person = await makePerson();
    const [one, two] = [await openSession(person), await openSession(person)];
    await accounts.requestReset(anonymous(), { email: person.email, address: newAddress() });
    const token = await linkTo(person.email, "/reset");
    expect(await accounts.peekReset(anonymous(), { token })).toEqual({ state: "valid", email: person.email });
    const changed = await accounts.reset(anonymous(), { token, password: OTHER, address: newAddress() });
    expect([await one(), await two()]).toEqual([false, false]);
    await expect(logIn(person.email)).rejects.toMatchObject({ details: { reason: "wrong_credentials" } });
    expect(await logIn(person.email, OTHER)).toEqual(changed);
    expect((await mailsTo(person.email))[0]).toMatchObject({ subject: "Your Aisle password was changed" });
  });

  it("gives back no try, since it took none: neither of its network nor of the account", async () => {
    const person = await makePerson();
    const [address, { limits }] = [newAddress(), anonymous()];
    const before = (await limits.logIn(person, address)).slice(0, 2).map(({ count }) => count);
    await accounts.requestReset(anonymous(), { email: person.email, address });
    const token = await linkTo(person.email, "/reset");
    const changed = await accounts.reset(anonymous(), { token, password: OTHER, address });
    const stranger = { email: newEmail(), passwordVersion: 0 };
    const [ofNetwork] = await limits.logIn(stranger, address);
    const [, ofAccount] = await limits.logIn(changed as accounts.LoggedIn, newAddress());
    expect([ofNetwork!.count, ofAccount!.count]).toEqual(before.map((count) => count + 1));
  });

  it("leaves no session to whoever logged in with the old password at that moment", async () => {
    const person = await makePerson();
    const loggedIn = await logIn(person.email);
    await accounts.requestReset(anonymous(), { email: person.email, address: newAddress() });
    const token = await linkTo(person.email, "/reset");
    await accounts.reset(anonymous(), { token, password: OTHER, address: newAddress() });
    const late = await openSession(loggedIn);
    expect(await late()).toBe(false);
  });

  it("gets the same answer for an unknown address, to which nothing is sent", async () => {
    const [{ email }, unknown] = [await makePerson(), newEmail()];
    for (const to of [email, unknown]) {
      const request = () => outcomeOf(accounts.requestReset(anonymous(), { email: to, address: newAddress() }));
      for (let i = 0; i < 3; i++) expect(await request()).toEqual({ value: undefined });
      expect(await request()).toMatchObject({ code: "rate_limited" });
    }
    expect(await mailsTo(email)).toHaveLength(3);
    expect(await mailsTo(unknown)).toEqual([]);
  });

  it("is no way in for who has a mailbox that the account leaves at that very moment", async () => {
    const [person, email] = [await makePerson(), newEmail()];
    await accounts.changeEmail(person.ctx, { currentPassword: PASSWORD, email, address: newAddress() });
    const token = await linkTo(email, "/confirm-email");
    let asked: Promise<unknown> | undefined;
    await database.db.transaction(async (tx) => {
      await accounts.confirmEmail({ ...anonymous(), db: tx }, { token, currentPassword: PASSWORD });
      asked = outcomeOf(accounts.requestReset(anonymous(), { email: person.email, address: newAddress() }));
      await untilWaiting(database.sql, 1);
    });
    expect(await asked).toEqual({ value: undefined });
    const links = await database.sql`select from account_tokens where account_id = ${person.id} and purpose = 'reset'`;
    expect(links).toHaveLength(0);
  });

  it("has a link that works once among twenty, and for one hour", async () => {
    const person = await makePerson();
    const request = () => accounts.requestReset(anonymous(), { email: person.email, address: newAddress() });
    await request();
    const old = await linkTo(person.email, "/reset");
    await expect(
      accounts.reset(anonymous(inHours(1.01)), { token: old, password: OTHER, address: newAddress() }),
    ).rejects.toMatchObject({ details: { reason: "expired" } });
    await request();
    const token = await linkTo(person.email, "/reset");
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, () => accounts.reset(anonymous(), { token, password: OTHER, address: newAddress() })),
    );
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await accounts.peekReset(anonymous(), { token: old })).toEqual({ state: "used" });
  });

  it("verifies the address on the way, and is refused the person's own name", async () => {
    const email = newEmail();
    await signUp(email, { name: "Ada Lovelace Byron" });
    await accounts.requestReset(anonymous(), { email, address: newAddress() });
    const token = await linkTo(email, "/reset");
    const reset = (password: string) => accounts.reset(anonymous(), { token, password, address: newAddress() });
    await expect(reset("ada lovelace byron")).rejects.toMatchObject({ code: "invalid_input" });
    await reset(OTHER);
    expect(await logIn(email, OTHER)).toMatchObject({ email });
    expect(
      await database.db.$count(accountTokens, and(eq(accountTokens.email, email), isNull(accountTokens.usedAt))),
    ).toBe(0);
  });
});
