import { randomBytes, randomInt } from "node:crypto";
import { and, eq, isNull } from "drizzle-orm";
import { Argon2id } from "oslo/password";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { accountTokens, accounts as table } from "../../db/schema/accounts";
import { applications, consumers, members } from "../../db/schema/consumers";
import { keys as keysTable } from "../../db/schema/keys";
import { audit, outbox } from "../../db/schema/operations";
import type { Consumer, Member } from "../../server/context";
import { networkOf } from "../../server/limits";
import * as accounts from "../../server/services/accounts";
import * as keys from "../../server/services/keys";
import * as mail from "../../server/services/mail";
import * as passwords from "../../server/services/passwords";
import * as usage from "../../server/services/usage";
import * as sessions from "../../server/sessions";
import { testDatabase } from "../support/database";
import { makeAccount, makeConsumer, makeMerchant, makeStore } from "../support/factories";

const database = testDatabase();
const HOUR_MS = 3_600_000;
const PASSWORD = "a quiet river in May";
const OTHER = "nine green umbrellas";

const anonymous = (now?: Date) => database.as({ kind: "anonymous" }, now);
const signedIn = (accountId: string, now?: Date) => database.as({ kind: "signed_in", accountId }, now);
const system = () => database.as({ kind: "system" });
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS);

const newEmail = () => `${randomBytes(6).toString("hex")}@example.com`;
/** Each test comes from a network of its own, so that none spends another's tries. */
const newAddress = () => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;

const signUp = (email: string, given: Partial<Parameters<typeof accounts.signUp>[1]> = {}) =>
  accounts.signUp(anonymous(), { name: "Ada Byrne", email, password: PASSWORD, address: newAddress(), ...given });
const logIn = (email: string, password = PASSWORD, address = newAddress()) =>
  accounts.logIn(anonymous(), { email, password, address });

/** The mails to an address, the newest first, as they would be read. */
async function mailsTo(email: string) {
  await mail.deliverDue(system(), mail.local(system()));
  return (await mail.recentLocal(system())).filter(({ to }) => to === email);
}
async function linkTo(email: string, page: string): Promise<string> {
  const link = (await mailsTo(email)).flatMap(({ links }) => links).find((link) => new URL(link).pathname === page);
  return new URL(link!).searchParams.get("token")!;
}

/** A verified account with a password. */
async function makePerson(given: Partial<typeof table.$inferInsert> = {}) {
  const account = await makeAccount(database, { passwordHash: await passwords.hash(PASSWORD), ...given });
  return { ...account, ctx: signedIn(account.id) };
}
const accountOf = async (email: string) => (await database.db.select().from(table).where(eq(table.email, email)))[0];
const openSession = async (account: { id: string; passwordVersion: number }) => {
  const { cookie } = await sessions.create(anonymous(), { account, userAgent: "x", address: newAddress() });
  return async () => (await sessions.read(anonymous(), cookie)) !== null;
};

/** Argon2 with something else in its place, for this test. */
function replaceHash(hash: Argon2id["hash"]) {
  const spy = vi.spyOn(Argon2id.prototype, "hash").mockImplementation(hash);
  onTestFinished(() => spy.mockRestore());
}

/** How often argon2 runs: what takes the time that might tell. */
async function argon2Runs(work: () => Promise<unknown>) {
  const runs = [vi.spyOn(Argon2id.prototype, "hash"), vi.spyOn(Argon2id.prototype, "verify")];
  await work().catch(() => {});
  const counts = runs.map((run) => run.mock.calls.length);
  for (const run of runs) run.mockRestore();
  return counts;
}
const outcomeOf = (work: Promise<unknown>) =>
  work.then(
    (value) => ({ value }),
    ({ code, message, details }) => ({ code, message, details }),
  );

describe("signing up", () => {
  it("sends a link; whoever follows it may log in, and not before", async () => {
    const email = newEmail();
    const { proof } = await signUp(email);
    await expect(logIn(email)).rejects.toMatchObject({ details: { reason: "unverified" } });
    const token = await linkTo(email, "/verify");
    expect(await accounts.verify(anonymous(), { token, proof })).toEqual({ email });
    expect(await logIn(email)).toMatchObject({ email, name: "Ada Byrne" });
  });

  it("answers alike whether or not the address is taken, and tells its owner by mail", async () => {
    const person = await makePerson();
    const taken = await signUp(person.email, { name: "Mallory", password: OTHER });
    const free = await signUp(newEmail());
    expect(Object.keys(taken)).toEqual(Object.keys(free));
    expect(taken.proof).toHaveLength(free.proof.length);
    expect((await mailsTo(person.email)).map(({ subject }) => subject)).toEqual(["You have an Aisle account already"]);
    expect(await accountOf(person.email)).toMatchObject({ name: person.name, passwordHash: person.passwordHash });
    await expect(logIn(person.email, OTHER)).rejects.toMatchObject({ details: { reason: "wrong_credentials" } });
    expect(await logIn(person.email)).toMatchObject({ id: person.id });
  });

  it("hashes as often for a new, an unverified and a taken address", async () => {
    const unverified = newEmail();
    await signUp(unverified);
    const { email: taken } = await makePerson();
    for (const email of [newEmail(), unverified, taken]) {
      expect(await argon2Runs(() => signUp(email))).toEqual([1, 0]);
    }
  });

  it("makes one account, though twenty come at once", async () => {
    const email = newEmail();
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => signUp(email)));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
    expect(await database.db.$count(table, eq(table.email, email))).toBe(1);
  });

  it("takes an address in any case as the same one", async () => {
    const { email } = await makePerson();
    expect(
      accounts.SignUp.parse({ name: " Ada ", email: ` ${email.toUpperCase()} `, password: PASSWORD }),
    ).toMatchObject({
      name: "Ada",
      email,
    });
  });

  it("says nothing of a stranger's choosing in the mail to an address that is not proven", async () => {
    const email = newEmail();
    await signUp(email, { name: "Win a prize at evil.example" });
    const [sent] = await mailsTo(email);
    expect(sent!.text + sent!.html + sent!.subject).not.toContain("evil.example");
  });

  it("stops after 30 from one network in an hour, and 3 of one address", async () => {
    const address = newAddress();
    const limits = anonymous().limits;
    for (let i = 0; i < 30; i++) await limits.signUp(address);
    await expect(signUp(newEmail(), { address })).rejects.toMatchObject({ code: "rate_limited" });
    const email = newEmail();
    for (let i = 0; i < 3; i++) await signUp(email);
    await expect(signUp(email)).rejects.toMatchObject({ code: "rate_limited" });
    expect(await mailsTo(email)).toHaveLength(3);
  });
});

describe("a password", () => {
  const person = { name: "Ada Lovelace Byron", email: "ada@engines.example" };
  const refusal = (password: string) => accounts.SignUp.safeParse({ ...person, password }).error?.issues[0]?.message;

  it("has 10 to 256 characters, counted as people count them", () => {
    expect(refusal("nine char")).toBe("Use at least 10 characters.");
    expect(refusal("ten chars!")).toBeUndefined();
    expect(refusal("🦉".repeat(9))).toBe("Use at least 10 characters.");
    expect(refusal("🦉".repeat(10))).toBeUndefined();
    expect(refusal("é".normalize("NFD").repeat(9))).toBe("Use at least 10 characters.");
    expect(refusal("🦉".repeat(256))).toBeUndefined();
    expect(refusal("🦉".repeat(257))).toBe("Use at most 256 characters.");
  });

  it("is not one of the 10,000 commonest, in any case", () => {
    for (const common of ["1234567890", "qwertyuiop", "Password123", "BASKETBALL"]) {
      expect(refusal(common)).toContain("guessed first");
    }
  });

  it("is neither the person's name nor their address", () => {
    for (const own of [person.name, "ada lovelace byron", person.email, "ADA@engines.example"]) {
      expect(refusal(own)).toContain("other than your name");
    }
  });

  it("is the same however its accents were typed", async () => {
    const hashed = await passwords.hash("crème brûlée!".normalize("NFD"));
    expect(await passwords.verify(hashed, "crème brûlée!".normalize("NFC"))).toBe(true);
  });

  it("is hashed at most three at once", async () => {
    let [running, most] = [0, 0];
    const hash = Argon2id.prototype.hash;
    replaceHash(async function (this: Argon2id, password: string) {
      most = Math.max(most, ++running);
      return hash.call(this, password).finally(() => running--);
    });
    await Promise.all(Array.from({ length: 12 }, () => passwords.hash(PASSWORD)));
    expect(most).toBe(3);
  });

  it("is refused a turn, rather than the memory, when very many come at once", async () => {
    replaceHash(async () => "hash");
    const outcomes = await Promise.allSettled(Array.from({ length: 300 }, () => passwords.hash(PASSWORD)));
    const refused = outcomes.filter((outcome) => outcome.status === "rejected");
    expect(refused).toHaveLength(300 - 203);
    expect(refused[0]!.reason).toMatchObject({ code: "unavailable" });
  });
});

describe("somebody who signed up with another's address first", () => {
  const ATTACKERS = "the attacker's own words";

  it("gains nothing when the owner follows that very link: the owner's password becomes the account's", async () => {
    const email = newEmail();
    const attacker = await signUp(email, { name: "Mallory", password: ATTACKERS });
    const token = await linkTo(email, "/verify");
    expect(await accounts.peekVerification(anonymous(), { token })).toMatchObject({
      state: "valid",
      needsPassword: true,
    });
    await expect(accounts.verify(anonymous(), { token })).rejects.toMatchObject({ code: "invalid_input" });
    await accounts.verify(anonymous(), { token, password: PASSWORD, name: "Olwen" });
    await expect(logIn(email, ATTACKERS)).rejects.toMatchObject({ details: { reason: "wrong_credentials" } });
    expect(await logIn(email)).toMatchObject({ name: "Olwen" });
    await expect(
      accounts.verify(anonymous(), { token, proof: attacker.proof, password: ATTACKERS }),
    ).rejects.toMatchObject({ details: { reason: "used" } });
  });

  it("gains nothing by signing up after the owner did", async () => {
    const email = newEmail();
    const owner = await signUp(email);
    const ownersLink = await linkTo(email, "/verify");
    await signUp(email, { name: "Mallory", password: ATTACKERS });
    expect(await accounts.peekVerification(anonymous(), { token: ownersLink, proof: owner.proof })).toMatchObject({
      needsPassword: true,
    });
    await accounts.verify(anonymous(), { token: ownersLink, proof: owner.proof, password: PASSWORD });
    await expect(logIn(email, ATTACKERS)).rejects.toMatchObject({ details: { reason: "wrong_credentials" } });
    await logIn(email);
  });

  it("gains nothing when the owner signs up too: one press of the button, and the owner's password holds", async () => {
    const email = newEmail();
    await signUp(email, { name: "Mallory", password: ATTACKERS });
    const owner = await signUp(email);
    const token = await linkTo(email, "/verify");
    expect(await accounts.peekVerification(anonymous(), { token, proof: owner.proof })).toMatchObject({
      needsPassword: false,
      name: "Ada Byrne",
    });
    await accounts.verify(anonymous(), { token, proof: owner.proof });
    await expect(logIn(email, ATTACKERS)).rejects.toMatchObject({ details: { reason: "wrong_credentials" } });
    await logIn(email);
  });

  it("gains nothing when the owner asks for a reset", async () => {
    const email = newEmail();
    await signUp(email, { password: ATTACKERS });
    await accounts.requestReset(anonymous(), { email, address: newAddress() });
    await accounts.reset(anonymous(), {
      token: await linkTo(email, "/reset"),
      password: PASSWORD,
      address: newAddress(),
    });
    await expect(logIn(email, ATTACKERS)).rejects.toMatchObject({ details: { reason: "wrong_credentials" } });
    await logIn(email);
  });

  it("gains nothing when the owner is made an operator", async () => {
    const email = newEmail();
    const { proof } = await signUp(email, { password: ATTACKERS });
    const token = await linkTo(email, "/verify");
    const made = await accounts.createOperator(system(), { email, name: "Olwen" });
    await expect(accounts.verify(anonymous(), { token, proof })).rejects.toMatchObject({ code: "conflict" });
    await expect(logIn(email, ATTACKERS)).rejects.toMatchObject({ details: { reason: "wrong_credentials" } });
    expect(await logIn(email, made.password!)).toMatchObject({ name: "Olwen" });
  });
});

describe("a verification link", () => {
  async function setUp() {
    const email = newEmail();
    const { proof } = await signUp(email);
    return { email, proof, token: await linkTo(email, "/verify") };
  }

  it("works once, also when twenty press the button at once", async () => {
    const { token, proof } = await setUp();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, () => accounts.verify(anonymous(), { token, proof })),
    );
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const [first] = outcomes.filter((outcome) => outcome.status === "rejected");
    expect(first!.reason).toMatchObject({ code: "conflict", details: { reason: "used" } });
  });

  it("is not used by being looked at", async () => {
    const { token, proof, email } = await setUp();
    for (let i = 0; i < 3; i++) {
      expect(await accounts.peekVerification(anonymous(), { token, proof })).toEqual({
        state: "valid",
        email,
        name: "Ada Byrne",
        needsPassword: false,
      });
    }
    await accounts.verify(anonymous(), { token, proof });
    expect(await accounts.peekVerification(anonymous(), { token, proof })).toEqual({ state: "used" });
  });

  it("works for 24 hours", async () => {
    const [early, late] = [await setUp(), await setUp()];
    await accounts.verify(anonymous(inHours(23.99)), early);
    const tooLate = anonymous(inHours(24));
    expect(await accounts.peekVerification(tooLate, late)).toEqual({ state: "expired" });
    await expect(accounts.verify(tooLate, { token: late.token, proof: late.proof })).rejects.toMatchObject({
      details: { reason: "expired" },
    });
  });

  it("of another purpose, cut short or made up is unknown", async () => {
    const { token, proof } = await setUp();
    for (const wrong of [token.slice(1), `${token}x`, "", "'; drop table accounts", "\0"]) {
      expect(await accounts.peekVerification(anonymous(), { token: wrong, proof })).toEqual({ state: "unknown" });
    }
    await expect(accounts.reset(anonymous(), { token, password: OTHER, address: newAddress() })).rejects.toMatchObject({
      details: { reason: "unknown" },
    });
    await expect(accounts.confirmEmail(anonymous(), { token })).rejects.toMatchObject({
      details: { reason: "unknown" },
    });
  });

  it("makes the account's other ones void", async () => {
    const { token, proof, email } = await setUp();
    await accounts.resendVerification(anonymous(), { email, address: newAddress() });
    const second = await linkTo(email, "/verify");
    expect(second).not.toBe(token);
    await accounts.verify(anonymous(), { token, proof });
    expect(await accounts.peekVerification(anonymous(), { token: second, proof })).toEqual({ state: "used" });
  });

  it("is nowhere in the database once its mail is sent", async () => {
    const email = newEmail();
    await signUp(email);
    const token = await linkTo(email, "/verify");
    await database.sql`delete from local_mails`;
    expect(await everythingStored()).not.toContain(token);
  });

  it("can be sent again three times an hour; the answer is the same for any address", async () => {
    const [{ email }, verified, unknown] = [await setUp(), await makePerson(), newEmail()];
    for (const to of [email, verified.email, unknown]) {
      const resend = () => outcomeOf(accounts.resendVerification(anonymous(), { email: to, address: newAddress() }));
      for (let i = 0; i < 3; i++) expect(await resend()).toEqual({ value: undefined });
      expect(await resend()).toMatchObject({ code: "rate_limited", details: { retry_after: expect.any(Number) } });
    }
    expect(await mailsTo(email)).toHaveLength(4);
    expect(await mailsTo(verified.email)).toEqual([]);
    expect(await mailsTo(unknown)).toEqual([]);
  });
});

describe("logging in", () => {
  it("says the same of a wrong password and of an unknown address, and hashes as often", async () => {
    const { email } = await makePerson();
    const unverified = newEmail();
    await signUp(unverified);
    const outcomes = [];
    for (const address of [email, unverified, newEmail()]) {
      expect(await argon2Runs(() => logIn(address, OTHER))).toEqual([0, 1]);
      outcomes.push(await outcomeOf(logIn(address, OTHER)));
    }
    expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome))).size).toBe(1);
    expect(outcomes[0]).toMatchObject({ code: "forbidden", details: { reason: "wrong_credentials" } });
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
    const [, verified] = await argon2Runs(() =>
      Promise.allSettled(Array.from({ length: 20 }, () => logIn(email, OTHER, address))),
    );
    expect(verified).toBe(5);
    await expect(logIn(email, PASSWORD, address)).rejects.toMatchObject({ code: "rate_limited" });
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

  it("refuses a network after 50 tries at any accounts", async () => {
    const address = newAddress();
    const { limits } = anonymous();
    for (let i = 0; i < 50; i++) await limits.logIn(newEmail(), address);
    await expect(logIn(newEmail(), OTHER, address)).rejects.toMatchObject({ code: "rate_limited" });
  });

  it("a crowd of strangers cannot lock the owner out", async () => {
    const { email } = await makePerson();
    const home = newAddress();
    await logIn(email, PASSWORD, home);
    const { limits } = anonymous();
    const strangers = Array.from({ length: 101 }, (_, i) => limits.logIn(email, `172.16.${i}.1`));
    const refused = (await Promise.allSettled(strangers)).filter(({ status }) => status === "rejected");
    expect(refused).toHaveLength(1);
    const abroad = newAddress();
    await expect(logIn(email, PASSWORD, abroad)).rejects.toMatchObject({ code: "rate_limited" });
    expect(await logIn(email, PASSWORD, home)).toMatchObject({ email });
    await accounts.requestReset(anonymous(), { email, address: abroad });
    await accounts.reset(anonymous(), { token: await linkTo(email, "/reset"), password: OTHER, address: abroad });
    expect(await logIn(email, OTHER, abroad)).toMatchObject({ email });
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

describe("one's own account", () => {
  it("changes its password after the current one, and every session ends but the one that is opened with the answer", async () => {
    const person = await makePerson();
    const old = await openSession(person);
    const change = (currentPassword: string, newPassword = OTHER) =>
      accounts.changePassword(person.ctx, { currentPassword, newPassword });
    await expect(change(OTHER)).rejects.toMatchObject({ details: { issues: [{ path: "currentPassword" }] } });
    await expect(change(PASSWORD, person.email)).rejects.toMatchObject({
      details: { issues: [{ path: "newPassword" }] },
    });
    expect(await old()).toBe(true);
    const next = await openSession(await change(PASSWORD));
    expect([await old(), await next()]).toEqual([false, true]);
    await logIn(person.email, OTHER);
    expect((await mailsTo(person.email))[0]).toMatchObject({ subject: "Your Aisle password was changed" });
  });

  it("lets its current password be tried ten times in a quarter of an hour, however many come at once", async () => {
    const person = await makePerson();
    const [, verified] = await argon2Runs(() =>
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

  it("changes its address once the new one is confirmed, and the old one hears of it", async () => {
    const [person, email] = [await makePerson(), newEmail()];
    await accounts.changeEmail(person.ctx, { currentPassword: PASSWORD, email, address: newAddress() });
    expect(await accounts.profile(person.ctx)).toMatchObject({ email: person.email, pendingEmail: email });
    const token = await linkTo(email, "/confirm-email");
    expect(await accounts.peekEmail(anonymous(), { token })).toEqual({ state: "valid", email });
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, () => accounts.confirmEmail(anonymous(), { token })),
    );
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await accounts.profile(person.ctx)).toMatchObject({ email, pendingEmail: null });
    const [notice] = await mailsTo(person.email);
    expect(notice!.subject).toBe("The address of your Aisle account was changed");
    expect(notice!.text).not.toContain(email);
    await logIn(email);
    await expect(logIn(person.email)).rejects.toMatchObject({ details: { reason: "wrong_credentials" } });
  });

  it("keeps its address when the link has expired, or the current password was wrong", async () => {
    const [person, email] = [await makePerson(), newEmail()];
    const change = (currentPassword: string) =>
      accounts.changeEmail(person.ctx, { currentPassword, email, address: newAddress() });
    await expect(change(OTHER)).rejects.toMatchObject({ details: { issues: [{ path: "currentPassword" }] } });
    await change(PASSWORD);
    const token = await linkTo(email, "/confirm-email");
    await expect(accounts.confirmEmail(anonymous(inHours(24.1)), { token })).rejects.toMatchObject({
      details: { reason: "expired" },
    });
    expect(await accounts.profile(person.ctx)).toMatchObject({ email: person.email });
  });

  it("gets the same answer when another account has the new address, whose owner is told", async () => {
    const [person, other] = [await makePerson(), await makePerson()];
    const input = { currentPassword: PASSWORD, email: other.email, address: newAddress() };
    expect(await accounts.changeEmail(person.ctx, input)).toBeUndefined();
    expect((await mailsTo(other.email)).map(({ subject }) => subject)).toEqual(["You have an Aisle account already"]);
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
    await expect(accounts.confirmEmail(anonymous(), { token })).rejects.toMatchObject({ details: { reason: "taken" } });
    await database.db.update(table).set({ emailVerifiedAt: null }).where(eq(table.email, email));
    await accounts.confirmEmail(anonymous(), { token });
    expect(await accountOf(email)).toMatchObject({ id: person.id });
  });

  it("changes its name", async () => {
    const person = await makePerson();
    await accounts.changeName(person.ctx, { name: "Ada King" });
    expect(await accounts.profile(person.ctx)).toMatchObject({ name: "Ada King" });
    expect(accounts.ChangeName.safeParse({ name: "a\0b" }).success).toBe(false);
  });
});

/** Every value of every table of ours, as text. */
async function everythingStored(): Promise<string> {
  const tables = await database.sql<{ name: string }[]>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relname not like 'usage_events_%'`;
  const texts = await Promise.all(
    [...tables, { name: "usage_events" }].map(async ({ name }) => {
      const [row] = await database.sql.unsafe(`select string_agg(t::text, ' ') as text from "${name}" t`);
      return row!.text ?? "";
    }),
  );
  return texts.join(" ");
}

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
    await expect(keys.authenticate(anonymous(), key.value)).rejects.toMatchObject({ code: "invalid_token" });
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
    await keys.authenticate(anonymous(), key.value);
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
    await usage.ensurePartitions(system());
    const told = { method: "tools/list", status: 200, latencyUs: 1, requestBytes: 1, responseBytes: 1, client: {} };
    await usage.record(database.as(actor), told);
    const [before] = await database.sql`select count(*) from audit where actor_id = ${person.id}`;
    await remove(person);
    const [used] = await database.sql`select count(*) from usage_events where consumer_id = ${consumer.id}`;
    expect(used!.count).toBe(1);
    const [after] = await database.sql`select count(*) from audit where actor_id = ${person.id}`;
    expect(after!.count).toBeGreaterThan(before!.count);
    expect((await mailsTo(person.email)).map(({ subject }) => subject)).toEqual(["Your Aisle account was deleted"]);
    await database.db.delete(outbox).where(eq(outbox.recipient, person.email)); // the last mail itself
    await database.sql`delete from local_mails`;
    const stored = await everythingStored();
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
