// Owners hear of a key's expiry before it stops what calls with it. Keys are issued now; time is the context's.
import { describe, expect, it } from "vitest";
import { members } from "../../db/schema/consumers";
import type { Member, Owner } from "../../server/context";
import * as accounts from "../../server/services/accounts";
import * as keyExpiry from "../../server/services/key-expiry";
import * as keys from "../../server/services/keys";
import * as mail from "../../server/services/mail";
import * as overview from "../../server/services/overview";
import { testDatabase, untilWaiting } from "../support/database";
import { makeAccount, makeConsumer } from "../support/factories";
import { newAddress, newEmail, PASSWORD, people } from "../support/people";
import { testSmtp } from "../support/smtp";

const database = testDatabase();
const { anonymous, linkTo, makePerson } = people(database);
const smtp = testSmtp();

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** Of the keys here, unless told. */
const EXPIRY = new Date(Date.now() + 40 * DAY_MS);
const before = (days: number, ms = 0) => new Date(EXPIRY.getTime() - days * DAY_MS - ms);
const tell = (now: Date) => keyExpiry.tell(database.as({ kind: "system" }, now));

async function setUp() {
  const consumer = await makeConsumer(database, { maxKeys: 10 });
  const { id: consumerId, owner } = consumer;
  const as = (now?: Date) =>
    database.as<Owner>({ kind: "member", accountId: owner.id, consumerId, role: "owner" }, now);
  return {
    consumer,
    as,
    email: owner.email,
    /** A key that was last used so many days before its expiry; never for null. */
    async issue({ name = "Main", usedBefore = 8 as number | null, expiresAt = EXPIRY as Date | null } = {}) {
      const { id } = await keys.issue(as(), { consumerId, name, expiresAt });
      if (usedBefore !== null) await used(id, before(usedBefore));
      return id;
    },
    mails: () => queued(owner.email),
    /** The names of those that Overview and Keys warn of; they always agree. */
    async warned(now: Date) {
      const { expiring } = await overview.read(as(now));
      const listed = (await keys.list(as(now), { consumerId })).filter(({ expiresSoon }) => expiresSoon);
      expect(listed.map(({ end }) => end).toSorted()).toEqual(expiring.map(({ end }) => end).toSorted());
      return expiring.map(({ name }) => name);
    },
  };
}

const used = (id: string, at: Date) => database.sql`update keys set last_used_at = ${at} where id = ${id}`;
const queued = (email: string) => database.sql<
  { template: string; data: { keys: { name: string; shown: string }[] } }[]
>`
  select template, data from outbox where recipient = ${email} order by id`;
const toldAt = async (id: string) =>
  (await database.sql`select expiry_told_at from keys where id = ${id}`)[0]!.expiry_told_at as Date | null;

async function join(consumerId: string, role: Member["role"]) {
  const account = await makeAccount(database);
  const endsAt = role === "reviewer" ? new Date(Date.now() + DAY_MS) : null;
  await database.db.insert(members).values({ consumerId, accountId: account.id, role, endsAt });
  return account.email;
}

describe("a key that is still used and expires", () => {
  it("is told seven days before, once, and shown from then until it has expired", async () => {
    const { issue, mails, warned } = await setUp();
    const id = await issue();
    await tell(before(7, MINUTE_MS));
    expect([await mails(), await warned(before(7, MINUTE_MS))]).toEqual([[], []]);
    await tell(before(7));
    expect(await mails()).toMatchObject([{ template: "keys-expiring", data: { keys: [{ name: "Main" }] } }]);
    expect(await toldAt(id)).toEqual(before(7));
    for (const days of [6.9, 3, 0.01]) {
      await tell(before(days));
      expect(await warned(before(days))).toEqual(["Main"]);
    }
    await tell(EXPIRY);
    expect(await warned(EXPIRY)).toEqual([]);
    expect(await mails()).toHaveLength(1);
  });

  it("is told by SMTP to all the owners of its consumer and to nobody else, with what to do and where", async () => {
    const { consumer, issue, email } = await setUp();
    const other = await setUp();
    const second = await join(consumer.id, "owner");
    const others = [await join(consumer.id, "developer"), await join(consumer.id, "reviewer"), other.email];
    const id = await issue();
    await other.issue({ expiresAt: null });
    await tell(before(5));
    const transport = mail.smtp(smtp.url, "Aisle <no-reply@aisle.example>");
    await mail.deliverDue(database.as({ kind: "system" }, before(5)), transport);
    transport.close();
    for (const address of others) expect(smtp.to(address)).toEqual([]);
    const [key] = await database.sql`select start, "end" from keys where id = ${id}`;
    const [day, time] = [EXPIRY.toISOString().slice(0, 10), EXPIRY.toISOString().slice(11, 16)];
    for (const address of [email, second]) {
      const [message, ...more] = smtp.to(address);
      expect(more).toEqual([]);
      expect(message!.subject).toBe(`A key of ${consumer.name} expires on ${day}`);
      expect(message!.text).toContain(`“Main” (${key!.start}…${key!.end}) expires on ${day} at ${time} UTC.`);
      expect(message!.text).toContain("rotating keeps it. Issue another key");
      expect(message!.text).toContain(
        `https://aisle.example/console/switch?consumerId=${consumer.id}&redirectTo=/console/keys`,
      );
    }
  });

  it("is told once though twenty runs come at the same time, and all that are due in one mail", async () => {
    const { issue, mails } = await setUp();
    const later = new Date(EXPIRY.getTime() + MINUTE_MS);
    for (const name of ["one", "two", "three"]) await issue({ name, expiresAt: name === "two" ? later : EXPIRY });
    await Promise.all(Array.from({ length: 20 }, () => tell(before(5))));
    const [message, ...more] = await mails();
    expect(more).toEqual([]);
    const names = message!.data.keys.map(({ name }) => name);
    expect(names.toSorted()).toEqual(["one", "three", "two"]);
    expect(names[2]).toBe("two");
  });

  it("is told at the address that an owner gets at that very moment", async () => {
    const { consumer, issue } = await setUp();
    const person = await makePerson();
    await database.db.insert(members).values({ consumerId: consumer.id, accountId: person.id, role: "owner" });
    await issue();
    const email = newEmail();
    await accounts.changeEmail(person.ctx, { currentPassword: PASSWORD, email, address: newAddress() });
    const token = await linkTo(email, "/confirm-email");
    let confirming: Promise<unknown> | undefined;
    await database.db.transaction(async (tx) => {
      await keyExpiry.tell({ ...database.as({ kind: "system" }, before(5)), db: tx });
      confirming = accounts.confirmEmail(anonymous(), { token, currentPassword: PASSWORD });
      await untilWaiting(database.sql, 1);
    });
    await confirming;
    const told = async (to: string) => (await queued(to)).filter(({ template }) => template === "keys-expiring").length;
    expect([await told(email), await told(person.email)]).toEqual([1, 0]);
  });

  it("is made up for by the next run where one did not happen; where one fails, it is undone whole and the others are told", async () => {
    const [first, other] = [await setUp(), await setUp()].toSorted((a, b) => (a.consumer.id < b.consumer.id ? -1 : 1));
    const { consumer, issue, mails, email } = first!;
    const id = await issue();
    await other!.issue();
    await database.sql.unsafe(`
      create function refuse_mail() returns trigger language plpgsql as $$ begin raise 'crash'; end $$;
      create trigger refuse before insert on outbox for each row when (new.recipient = '${email}') execute function refuse_mail()`);
    await expect(tell(before(6))).rejects.toThrow(`Failed: ${consumer.id}.`);
    expect(await other!.mails()).toHaveLength(1);
    expect(await toldAt(id)).toBeNull();
    await database.sql`drop trigger refuse on outbox`;
    await database.sql`drop function refuse_mail`;
    await tell(before(1));
    expect(await mails()).toHaveLength(1);
  });

  it("is told as soon as it is used, where it was not in the week before", async () => {
    const { issue, mails } = await setUp();
    const id = await issue({ usedBefore: null });
    await tell(before(6));
    expect(await mails()).toEqual([]);
    await used(id, before(4));
    await tell(before(4));
    expect(await mails()).toHaveLength(1);
  });

  it("waits for an owner where there is none", async () => {
    const { consumer, issue, email } = await setUp();
    const id = await issue();
    await database.sql`update members set role = 'developer' where consumer_id = ${consumer.id}`;
    await tell(before(6));
    expect([await toldAt(id), await queued(email)]).toEqual([null, []]);
    const owner = await join(consumer.id, "owner");
    await tell(before(5));
    expect(await queued(owner)).toHaveLength(1);
  });
});

describe("nobody is told, nor warned on a page, of a key", () => {
  type Team = Awaited<ReturnType<typeof setUp>>;
  const cases: [string, (team: Team) => Promise<unknown>][] = [
    ["that does not expire", ({ issue }) => issue({ expiresAt: null })],
    ["that was never used", ({ issue }) => issue({ usedBefore: null })],
    ["that was last used over 30 days ago", ({ issue }) => issue({ usedBefore: 5 + 30.1 })],
    ["that is revoked", async ({ issue, as }) => keys.revoke(as(), { id: await issue() })],
    [
      "whose consumer's access is revoked",
      async ({ issue, consumer }) => {
        await issue();
        await database.sql`update consumers set state = 'revoked', revoked_from = 'sandbox' where id = ${consumer.id}`;
      },
    ],
    [
      "that was issued for seven days",
      async ({ issue }) => {
        const id = await issue();
        await database.sql`update keys set created_at = ${before(7)} where id = ${id}`;
      },
    ],
    [
      "that was issued for seven days, though an older one is there",
      async ({ issue }) => {
        await issue({ expiresAt: null });
        const id = await issue();
        await database.sql`update keys set created_at = ${before(7)} where id = ${id}`;
      },
    ],
    [
      "that another took the place of, and that was not used since",
      async ({ issue, as }) => {
        await keys.rotate(as(before(20)), { id: await issue({ usedBefore: 21 }), revokeOld: false });
      },
    ],
  ];
  it.each(cases)("%s", async (_, make) => {
    const team = await setUp();
    await make(team);
    await tell(before(5));
    expect([await team.mails(), await team.warned(before(5))]).toEqual([[], []]);
  });

  it("until access is restored: then of one that had been due", async () => {
    const { consumer, issue, mails, warned } = await setUp();
    await issue();
    await database.sql`update consumers set state = 'revoked', revoked_from = 'sandbox' where id = ${consumer.id}`;
    await tell(before(5));
    await database.sql`update consumers set state = 'sandbox', revoked_from = null where id = ${consumer.id}`;
    await tell(before(4));
    expect(await mails()).toHaveLength(1);
    expect(await warned(before(4))).toEqual(["Main"]);
  });
});

describe("rotated keys", () => {
  it("are told both, in one mail, while both are used: they expire together", async () => {
    const { issue, as, mails, warned } = await setUp();
    const id = await issue({ usedBefore: 21 });
    const heir = await keys.rotate(as(before(20)), { id, revokeOld: false });
    for (const one of [id, heir.id]) await used(one, before(8));
    await tell(before(6));
    const [message, ...more] = await mails();
    expect(more).toEqual([]);
    expect(message!.data.keys).toHaveLength(2);
    expect(await warned(before(6))).toEqual(["Main", "Main"]);
  });

  it("are told again of the new one, which has the old one's expiry, though it has less than seven days itself", async () => {
    const { issue, as, mails } = await setUp();
    const id = await issue();
    await tell(before(6));
    const heir = await keys.rotate(as(before(5)), { id, revokeOld: true });
    await database.sql`update keys set created_at = ${before(5)}, last_used_at = ${before(4)} where id = ${heir.id}`;
    await tell(before(4));
    await tell(before(3));
    const shown = (await mails()).map(({ data }) => data.keys.map((key) => key.shown.slice(-4)));
    expect(shown).toEqual([[expect.any(String)], [heir.value.slice(-4)]]);
  });
});

describe("another tenant", () => {
  it("sees nothing of them on its own pages", async () => {
    const [mine, theirs] = [await setUp(), await setUp()];
    await theirs.issue();
    expect(await mine.warned(before(3))).toEqual([]);
    expect(await theirs.warned(before(3))).toEqual(["Main"]);
  });
});
