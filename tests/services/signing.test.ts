// SECRET_KEY can be changed: what the old one signed holds for as long as it is among the previous ones, and no longer.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as accounts from "../../server/services/accounts";
import { decodeCursor, encodeCursor } from "../../server/services/cursor";
import * as demo from "../../server/services/demo";
import { createPeople } from "../../server/services/demo-people";
import { seal, unseal } from "../../server/services/sealing";
import { isSigned, sign } from "../../server/services/signing";
import * as unsubscribe from "../../server/services/unsubscribe";
import * as usage from "../../server/services/usage";
import { testDatabase } from "../support/database";
import { makeMerchant, makeReader, makeStore } from "../support/factories";
import { newAddress, newEmail, people } from "../support/people";
import { signIn } from "../support/roles";

const database = testDatabase();
const [old, fresh, other] = ["old", "new", "other"].map((word) => word.repeat(11)) as [string, string, string];
const before = { secretKeys: [old] } as const;
const during = { secretKeys: [fresh, old] } as const;
const after = { secretKeys: [fresh] } as const;

describe("a secret key that is changed", () => {
  it("verifies what it signed while it is among the previous ones; what is new is signed with the newest", () => {
    const verdicts = (by: { secretKeys: readonly [string, ...string[]] }) => {
      const mac = sign(by, "cursor", "payload", 12);
      return [before, during, after].map((now) => isSigned(now, "cursor", "payload", mac, 12));
    };
    expect(verdicts(before)).toEqual([true, true, false]);
    expect(verdicts(during)).toEqual([false, true, true]);
    expect(verdicts({ secretKeys: [other] })).toEqual([false, false, false]);
  });

  it("is changed in steps, as operations has them, in which no instance meets what another made and it does not know", () => {
    const text = readFileSync(new URL("../../docs/operations.md", import.meta.url), "utf8");
    const table = text.split("| step | `SECRET_KEY` | `SECRET_KEY_PREVIOUS` |")[1]!.split("\n\n")[0]!;
    const named: Record<string, string[]> = { old: [old], new: [fresh], "": [] };
    const steps = [...table.matchAll(/^\| [\w ]+ \| (\w+) \| (\w*) ?\|$/gm)].map(
      ([, now, previous]) => [...named[now!]!, ...named[previous!]!] as [string, ...string[]],
    );
    expect([steps[0], steps.at(-1)]).toEqual([[old], [fresh]]);
    const knows = (secretKeys: [string, ...string[]], by: [string, ...string[]]) => {
      const sealed = seal({ secretKeys: by }, "purpose", "owner", Buffer.from("plain"));
      const isOpened = unseal({ secretKeys }, "purpose", "owner", sealed) !== undefined;
      return isOpened && isSigned({ secretKeys }, "cursor", "", sign({ secretKeys: by }, "cursor", "", 12), 12);
    };
    const sideBySide = steps.slice(1).map((step, i) => [steps[i]!, step] as const);
    const both = sideBySide.map(([one, next]) => [knows(one, next), knows(next, one)]);
    expect(both).toEqual(sideBySide.map(() => [true, true]));
  });

  it("signs for one purpose and one payload", () => {
    const mac = sign(before, "cursor", "payload", 12);
    expect(isSigned(before, "unsubscribe", "payload", mac, 12)).toBe(false);
    expect(isSigned(before, "cursor", "payloae", mac, 12)).toBe(false);
    expect(isSigned(before, "cursor", "payload", mac.subarray(0, 11), 12)).toBe(false);
  });

  it("leaves pagings open", () => {
    const query = { query: "tent" };
    const cursor = encodeCursor(before, query, ["a", 1]);
    expect(decodeCursor(during, { ...query, cursor }, ["string", "number"])).toEqual(["a", 1]);
    expect(() => decodeCursor(after, { ...query, cursor }, ["string", "number"])).toThrow("Start again");
  });

  it("a paging of a release with another order is no paging, rather than one of another query", () => {
    const query = { query: "tent", order: 2 };
    const cursor = encodeCursor(before, query, ["a"]);
    expect(decodeCursor(before, { ...query, cursor }, ["string"])).toEqual(["a"]);
    const read = (given: object) => () => decodeCursor(before, { ...query, ...given, cursor }, ["string"]);
    expect(read({ order: 3 })).toThrow("Start again");
    expect(read({ query: "tents" })).toThrow("another query");
  });

  it("leaves the links in digests that were sent", async () => {
    const merchant = await makeMerchant(database, (await makeStore(database)).merchantId);
    const token = unsubscribe.tokenFor(before, merchant);
    const as = (keys: { secretKeys: readonly [string, ...string[]] }) => ({
      ...database.as({ kind: "anonymous" } as const),
      ...keys,
    });
    expect(await unsubscribe.peek(as(during), { token })).toMatchObject({ subscribed: true });
    await expect(unsubscribe.peek(as(after), { token })).rejects.toMatchObject({ code: "not_found" });
  });

  it("leaves the demo's passwords as they were printed", async () => {
    const system = database.as({ kind: "system" } as const);
    await createPeople({ ...system, ...before }, { merchantStore: "none" });
    const shown = (keys: typeof before | typeof during) => demo.describe({ ...system, ...keys }, "http://x");
    const { sign_ins } = await shown(during);
    expect(sign_ins).toEqual((await shown(before)).sign_ins);
    const { email, password } = sign_ins[0]!;
    expect(await people(database).logIn(email, password!)).toMatchObject({ email });
  });

  it("gives the demo's accounts other passwords where it is seeded once both are known, and ends their sessions", async () => {
    const system = database.as({ kind: "system" } as const);
    const seeded = (keys: typeof before | typeof during) =>
      createPeople({ ...system, ...keys }, { merchantStore: "none" });
    await seeded(before);
    const shown = async (keys: typeof before | typeof during) =>
      (await demo.describe({ ...system, ...keys }, "http://x")).sign_ins.find(({ role }) => role === "operator")!;
    const { email, password: old } = await shown(before);
    const [account] = await database.sql<{ id: string; passwordVersion: number }[]>`
      select id, password_version as "passwordVersion" from accounts where email = ${email}`;
    await signIn(database, account!);
    // Whoever knew the password may have asked for a link that makes the account theirs.
    const taken = newEmail();
    const asked = { currentPassword: old!, email: taken, address: newAddress() };
    await accounts.changeEmail(database.as({ kind: "signed_in", accountId: account!.id }), asked);
    const token = await people(database).linkTo(taken, "/confirm-email");
    expect((await seeded(during)).renewed).toContain(email);
    await expect(
      accounts.confirmEmail(people(database).anonymous(), { token, currentPassword: old! }),
    ).rejects.toMatchObject({
      code: "conflict",
    });
    const acts = await database.sql`
      select from audit where action = 'account.change_password' and target_id = ${account!.id}`;
    expect(acts).toHaveLength(1);
    const { password } = await shown(after as unknown as typeof during);
    expect(password).not.toBe(old);
    expect(await people(database).logIn(email, password!)).toMatchObject({ email });
    await expect(people(database).logIn(email, old!)).rejects.toMatchObject({ code: "forbidden" });
    expect(await database.sql`select from sessions where account_id = ${account!.id}`).toHaveLength(0);
    // Seeded again, nothing is changed.
    await seeded(during);
    expect(await people(database).logIn(email, password!)).toMatchObject({ email });
  });
});

describe("what a client calls its session and its shopper", () => {
  it("is kept as a hash that nobody can follow: another with each secret key, and with each month", async () => {
    const reader = await makeReader(database);
    const hashes = async (secretKeys: readonly [string, ...string[]], at: string, session: string) => {
      const ctx = { ...database.as(reader, new Date(at)), secretKeys };
      const told = { method: "tools/list", status: 200, latencyUs: 1, requestBytes: 1, responseBytes: 1 };
      await usage.record(ctx, { ...told, client: { session, subject: session } });
      const [row] = await database.sql`
        select encode(session_hash, 'hex') as session, encode(subject_hash, 'hex') as subject
        from usage_events where request_id = ${ctx.requestId}`;
      expect(row!.session).toMatch(/^[0-9a-f]{64}$/);
      return row!.session as string;
    };
    const first = await hashes([old], "2026-10-01T00:00:00Z", "s-1");
    expect(await hashes([old], "2026-10-31T23:59:59Z", "s-1")).toBe(first);
    const all = new Set([
      first,
      await hashes([old], "2026-10-01T00:00:00Z", "s-2"),
      await hashes([old], "2026-11-01T00:00:00Z", "s-1"),
      await hashes([fresh, old], "2026-10-01T00:00:00Z", "s-1"),
    ]);
    expect(all.size).toBe(4);
  });
});
