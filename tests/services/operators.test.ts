// What the command line does to people.
import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { accounts } from "../../db/schema/accounts";
import type { Operator } from "../../server/context";
import * as people from "../../server/services/accounts";
import * as sessions from "../../server/sessions";
import { commandLine } from "../support/aisle";
import { TEST_SECRET, testDatabase } from "../support/database";
import { makeAccount } from "../support/factories";
import { outcomeOf, PASSWORD } from "../support/people";

const database = testDatabase();
const operator = () => database.as<Operator>({ kind: "operator", accountId: null });

/** @returns whom the server sees behind the cookie of a log-in, now */
async function logIn(account: { id: string; passwordVersion: number }) {
  const core = database.as({ kind: "anonymous" });
  const { cookie } = await sessions.create(core, { account, userAgent: "tests", address: "192.0.2.1" });
  return () => sessions.read(core, cookie.split(";", 1)[0]!);
}

const actsOn = (id: string) =>
  database.sql`select action, actor_kind, actor_id, after from audit where target_id = ${id} order by at, id`;

describe("somebody's sessions", () => {
  it("are ended at once, all of them and nobody else's, and it is on record", async () => {
    const [account, other] = [await makeAccount(database), await makeAccount(database)];
    const [here, there, others] = [await logIn(account), await logIn(account), await logIn(other)];
    expect(await people.revokeSessions(operator(), { email: account.email })).toBe(2);
    expect([await here(), await there()]).toEqual([null, null]);
    expect(await others()).toMatchObject({ account: { id: other.id } });
    expect(await actsOn(account.id)).toEqual([
      { action: "account.revoke_sessions", actor_kind: "operator", actor_id: null, after: { sessions: 2 } },
    ]);
    const again = await logIn(account);
    expect(await again()).toMatchObject({ account: { id: account.id } });
  });

  it("are nobody's where there is no such account", async () => {
    await expect(people.revokeSessions(operator(), { email: "nobody@example.com" })).rejects.toMatchObject({
      code: "not_found",
    });
  });
});

describe("an operator who is made", () => {
  it("twice at once is made once, and the other command told so", async () => {
    const email = "twice@example.com";
    const make = () => outcomeOf(people.createOperator(operator(), { email, name: "Ada Byrne" }));
    const [one, other] = (await Promise.all([make(), make()])).toSorted((a) => ("value" in a ? -1 : 1));
    expect(one).toMatchObject({ value: { email, password: expect.any(String) } });
    expect(other).toMatchObject({ code: "conflict", message: `${email} is already an operator.` });
  });

  it("of a confirmed account keeps its name and its password, and is made once", async () => {
    const account = await makeAccount(database);
    const make = () => people.createOperator(operator(), { email: account.email, name: "Another Name" });
    expect(await make()).toEqual({ id: account.id, name: account.name, email: account.email, password: null });
    const rows = await database.db.select().from(accounts).where(eq(accounts.id, account.id));
    expect(rows).toEqual([{ ...account, isOperator: true }]);
    await expect(make()).rejects.toMatchObject({ code: "conflict" });
  });

  it("of a sign-up that never proved its address keeps nothing of it: no name, no password, no link", async () => {
    const [anonymous, address] = [database.as({ kind: "anonymous" }), "192.0.2.1"];
    const email = "unproven@example.com";
    const { proof } = await people.signUp(anonymous, { name: "Somebody Else", email, password: PASSWORD, address });
    await people.requestReset(anonymous, { email, address });
    const tokens = (
      await database.sql<{ token: string }[]>`
        select data ->> 'token' as token from outbox where recipient = ${email} order by id`
    ).map(({ token }) => token);
    const made = await people.createOperator(operator(), { email, name: "Ada Byrne" });
    expect(made).toMatchObject({ email, name: "Ada Byrne", password: expect.any(String) });
    expect(await people.peekVerification(anonymous, { token: tokens[0]!, proof })).toEqual({ state: "used" });
    expect(await people.peekReset(anonymous, { token: tokens[1]! })).toEqual({ state: "used" });
    const logIn = (password: string) => outcomeOf(people.logIn(anonymous, { email, password, address }));
    expect(await logIn(PASSWORD)).toMatchObject({ code: "forbidden" });
    expect(await logIn(made.password!)).toMatchObject({ value: { id: made.id } });
  });
});

describe("a command that the database cannot do now", () => {
  const aisle = commandLine(() => ({ NODE_ENV: "production", DATABASE_URL: database.url, SECRET_KEY: TEST_SECRET }));

  it("says why and what to do, and nothing of what it would have stored", async () => {
    const ended = await database.sql.begin(async (tx) => {
      await tx`lock table accounts in share row exclusive mode`;
      return aisle("operator", "create", "--email", "zoe@example.com", "--name", "Zoe");
    });
    const stderr =
      "The database is away or busy (canceling statement due to lock timeout). Try again once it is not.\n";
    expect(ended).toEqual({ code: 1, stdout: "", stderr });
  });
});

describe("an operator who goes", () => {
  it("has the desk no longer, nor a session, and keeps the account", async () => {
    const account = await makeAccount(database, { isOperator: true });
    const seen = await logIn(account);
    expect(await people.operators(operator())).toContainEqual({
      id: account.id,
      name: account.name,
      email: account.email,
      secondFactor: null,
    });
    await people.removeOperator(operator(), { email: account.email });
    expect(await seen()).toBeNull();
    expect(await people.operators(operator())).not.toContainEqual(expect.objectContaining({ id: account.id }));
    const [row] = await database.db.select().from(accounts).where(eq(accounts.id, account.id));
    expect(row).toMatchObject({ isOperator: false, email: account.email });
    expect((await actsOn(account.id)).map(({ action }) => action)).toEqual(["operator.remove"]);
  });

  it("is an operator: whoever is none, or has gone already, is not found", async () => {
    const account = await makeAccount(database);
    for (const email of [account.email, "nobody@example.com"])
      await expect(people.removeOperator(operator(), { email })).rejects.toMatchObject({ code: "not_found" });
  });
});
