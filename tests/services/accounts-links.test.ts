import { describe, expect, it } from "vitest";
import * as accounts from "../../server/services/accounts";
import * as tokens from "../../server/services/accounts/tokens";
import { testDatabase } from "../support/database";
import { newAddress, newEmail, OTHER, PASSWORD, people } from "../support/people";

const database = testDatabase();
const { anonymous, linkTo, logIn, mailsTo, makePerson } = people(database);
const purposes = ["verify", "reset", "change_email", "log_in"] as const;

describe("a link", () => {
  it("is good for what it was made for alone", async () => {
    const { id, email } = await makePerson();
    for (const purpose of purposes) {
      const token = await tokens.mint(anonymous(), database.db, { accountId: id, purpose, email });
      const looks = purposes.map(async (other) => (await tokens.look(anonymous(), database.db, other, token)).state);
      const valid = purposes.map((other) => (other === purpose ? "valid" : "unknown"));
      expect(await Promise.all(looks), purpose).toEqual(valid);
    }
  });

  it("is good until its time is over, and no longer", async () => {
    const { id, email } = await makePerson();
    const now = new Date();
    for (const [purpose, minutes] of Object.entries({ verify: 1440, reset: 60, change_email: 1440, log_in: 10 })) {
      const link = { accountId: id, purpose: purpose as tokens.Purpose, email };
      const token = await tokens.mint(anonymous(now), database.db, link);
      const at = async (ms: number) => {
        const ctx = anonymous(new Date(now.getTime() + ms));
        return (await tokens.look(ctx, database.db, link.purpose, token)).state;
      };
      expect([await at(minutes * 60_000 - 1), await at(minutes * 60_000)], purpose).toEqual(["valid", "expired"]);
    }
  });

  it("is void with the others of its kind and its account, and with no others", async () => {
    const [mine, theirs] = [await makePerson(), await makePerson()];
    const links: [tokens.Purpose, string][] = [];
    for (const { id: accountId, email } of [mine, theirs])
      for (const purpose of purposes)
        links.push([purpose, await tokens.mint(anonymous(), database.db, { accountId, purpose, email })]);
    await tokens.withdraw(anonymous(), database.db, mine.id, ["reset", "log_in"]);
    const states = links.map(
      async ([purpose, token]) => (await tokens.look(anonymous(), database.db, purpose, token)).state,
    );
    expect(await Promise.all(states)).toEqual(["valid", "used", "valid", "used", "valid", "valid", "valid", "valid"]);
  });

  it("whose mail waits is not mailed once another one has replaced it: no stranger gets what was mistyped", async () => {
    const [person, wrong, right] = [await makePerson(), newEmail(), newEmail()];
    for (const email of [wrong, right])
      await accounts.changeEmail(person.ctx, { currentPassword: PASSWORD, email, address: newAddress() });
    expect(await mailsTo(wrong)).toEqual([]);
    expect(await mailsTo(right)).toHaveLength(1);
    await accounts.confirmEmail(anonymous(), {
      token: await linkTo(right, "/confirm-email"),
      currentPassword: PASSWORD,
    });
    expect(await logIn(right)).toMatchObject({ id: person.id });
  });

  it("to a new password takes neither its person's name nor their address for one, and stays good", async () => {
    const { id, name, email } = await makePerson();
    await accounts.requestReset(anonymous(), { email, address: newAddress() });
    const token = await linkTo(email, "/reset");
    const reset = (password: string) => accounts.reset(anonymous(), { token, password, address: newAddress() });
    for (const password of [name, email.toUpperCase()])
      await expect(reset(password), password).rejects.toMatchObject({
        code: "invalid_input",
        details: { issues: [{ path: "password" }] },
      });
    expect(await reset(OTHER)).toMatchObject({ id });
  });

  it("to a new password is void once the account has another address than it was sent to", async () => {
    const [person, email] = [await makePerson(), newEmail()];
    await accounts.requestReset(anonymous(), { email: person.email, address: newAddress() });
    const token = await linkTo(person.email, "/reset");
    await accounts.changeEmail(person.ctx, { currentPassword: PASSWORD, email, address: newAddress() });
    await accounts.confirmEmail(anonymous(), {
      token: await linkTo(email, "/confirm-email"),
      currentPassword: PASSWORD,
    });
    await expect(accounts.reset(anonymous(), { token, password: OTHER, address: newAddress() })).rejects.toMatchObject({
      details: { reason: "used" },
    });
    expect(await logIn(email)).toMatchObject({ id: person.id });
  });
});
