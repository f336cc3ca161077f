import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { accounts as table } from "../../db/schema/accounts";
import * as accounts from "../../server/services/accounts";
import { Email } from "../../server/services/accounts/fields";
import { testDatabase, untilWaiting } from "../support/database";
import {
  argon2Runs,
  everythingStored,
  inHours,
  newAddress,
  newEmail,
  OTHER,
  outcomeOf,
  PASSWORD,
  people,
} from "../support/people";

const database = testDatabase();
const { accountOf, anonymous, linkTo, logIn, mailsTo, makePerson, signUp, system } = people(database);

describe("signing up", () => {
  it("is the same with the domain as people write it and as the DNS has it", async () => {
    expect(Email.parse(" Bob@Mail.Bücher.example")).toBe("bob@mail.xn--bcher-kva.example");
    expect(Email.parse("bob@mail.xn--bcher-kva.example")).toBe("bob@mail.xn--bcher-kva.example");
    expect(Email.safeParse("nobody@mail bücher.example").success).toBe(false);
  });

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
    expect((await mailsTo(person.email)).map(({ subject }) => subject)).toEqual(["You already have an Aisle account"]);
    expect(await accountOf(person.email)).toMatchObject({ name: person.name, passwordHash: person.passwordHash });
    await expect(logIn(person.email, OTHER)).rejects.toMatchObject({ details: { reason: "wrong_credentials" } });
    expect(await logIn(person.email)).toMatchObject({ id: person.id });
  });

  it("hashes as often for a new, an unverified and a taken address", async () => {
    const unverified = newEmail();
    await signUp(unverified);
    const { email: taken } = await makePerson();
    for (const email of [newEmail(), unverified, taken]) {
      expect(await argon2Runs(() => signUp(email))).toEqual({ hash: 1, verify: 0 });
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

  it("stops after 30 from one network in an hour, and 3 of one address, as do all that mail a link", async () => {
    const [address, other] = [newAddress(), newAddress()];
    const limits = anonymous().limits;
    for (let i = 0; i < 30; i++) await limits.signUp(address);
    await expect(signUp(newEmail(), { address })).rejects.toMatchObject({ code: "rate_limited" });
    for (let i = 0; i < 30; i++) await limits.linkTo(i % 2 ? "reset" : "change-email", newEmail(), other);
    await expect(signUp(newEmail(), { address: other })).rejects.toMatchObject({ code: "rate_limited" });
    const email = newEmail();
    for (let i = 0; i < 3; i++) await signUp(email);
    await expect(signUp(email)).rejects.toMatchObject({ code: "rate_limited" });
    expect(await mailsTo(email)).toHaveLength(3);
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
    await expect(accounts.verify(anonymous(), { token, password: email })).rejects.toMatchObject({
      code: "invalid_input",
    });
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

  it("gains nothing by signing up at the moment in which the owner presses the button", async () => {
    const email = newEmail();
    const { proof } = await signUp(email);
    const token = await linkTo(email, "/verify");
    const { id } = (await accountOf(email))!;
    const { sql } = database;
    const { pressed } = await sql.begin(async (tx) => {
      await tx`update accounts set sign_up_proof = sha256('another browser') where id = ${id}`;
      const pressed = outcomeOf(accounts.verify(anonymous(), { token, proof }));
      await untilWaiting(sql, 1);
      return { pressed };
    });
    expect(await pressed).toMatchObject({ code: "invalid_input", details: { issues: [{ path: "password" }] } });
  });

  it("gains nothing when the owner presses the button while the sign-up is under way", async () => {
    const email = newEmail();
    const { proof } = await signUp(email);
    const token = await linkTo(email, "/verify");
    const { sql } = database;
    const { both } = await sql.begin(async (tx) => {
      await tx`lock table audit in exclusive mode`;
      const late = outcomeOf(signUp(email, { name: "Mallory", password: ATTACKERS }));
      await untilWaiting(sql, 1);
      const pressed = outcomeOf(accounts.verify(anonymous(), { token, proof }));
      await untilWaiting(sql, 2);
      return { both: Promise.all([late, pressed]) };
    });
    expect((await both)[1]).toMatchObject({ code: "invalid_input", details: { issues: [{ path: "password" }] } });
    await expect(logIn(email, ATTACKERS)).rejects.toMatchObject({ details: { reason: "unverified" } });
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
    await expect(accounts.confirmEmail(anonymous(), { token, currentPassword: PASSWORD })).rejects.toMatchObject({
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
    expect(await everythingStored(database)).not.toContain(token);
  });

  const again = (to: string) => accounts.resendVerification(anonymous(), { email: to, address: newAddress() });
  const ways: [string, ((to: string) => Promise<unknown>)[]][] = [
    ["again alone", [again, again, again]],
    ["signing up, then again", [signUp, again, again]],
    ["again, then signing up", [again, signUp, signUp]],
  ];

  it.each(ways)(
    "can be asked for three times an hour, by %s; the answer is the same for any address",
    async (_, acts) => {
      const [waiting, verified] = [await makePerson({ emailVerifiedAt: null }), await makePerson()];
      for (const to of [waiting.email, verified.email, newEmail()]) {
        for (const act of acts) expect(await outcomeOf(act(to))).not.toHaveProperty("code");
        for (const act of [signUp, again]) {
          const refused = { code: "rate_limited", details: { retry_after: expect.any(Number) } };
          expect(await outcomeOf(act(to))).toMatchObject(refused);
        }
      }
      expect(await mailsTo(waiting.email)).toHaveLength(3);
    },
  );

  it("is sent again to nobody whose button is pressed at that very moment", async () => {
    const { email, proof, token } = await setUp();
    let asked: Promise<unknown> | undefined;
    await database.db.transaction(async (tx) => {
      await accounts.verify({ ...anonymous(), db: tx }, { token, proof });
      asked = again(email);
      await untilWaiting(database.sql, 1);
    });
    await asked;
    const { id } = (await accountOf(email))!;
    expect(await database.sql`select from account_tokens where account_id = ${id} and used_at is null`).toHaveLength(0);
  });

  it("is sent again to nobody who needs none", async () => {
    const [verified, unknown] = [await makePerson(), newEmail()];
    for (const to of [verified.email, unknown]) {
      await again(to);
      expect(await mailsTo(to)).toEqual([]);
    }
  });
});
