import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import * as accounts from "../../server/services/accounts";
import * as digests from "../../server/services/digests";
import * as mail from "../../server/services/mail";
import { join, leave, remove } from "../../server/services/merchant-people";
import * as notifications from "../../server/services/notifications";
import * as unsubscribe from "../../server/services/unsubscribe";
import { testDatabase, untilWaiting } from "../support/database";
import { makeAccount, makeConsumer, makeMerchant, makeStore } from "../support/factories";
import { outcomeOf, PASSWORD, people } from "../support/people";
import { testSmtp } from "../support/smtp";

const database = testDatabase();
const { makePerson } = people(database);
const smtp = testSmtp();

/** A Wednesday. */
const WEDNESDAY = "2027-03-03";
const at = (time: string) => new Date(`${WEDNESDAY}T${time}Z`);
const MONDAY = new Date("2027-03-08T07:01:00Z");
const system = (now?: Date) => database.as({ kind: "system" }, now);
const anonymous = () => database.as({ kind: "anonymous" });

async function makeShop() {
  const store = await makeStore(database);
  const merchant = await makeMerchant(database, store.merchantId);
  const [account] = await database.sql<
    { email: string }[]
  >`select email from accounts where id = ${merchant.accountId}`;
  return { store, merchant, email: account!.email, as: (now?: Date) => database.as(merchant, now) };
}
type Shop = Awaited<ReturnType<typeof makeShop>>;

async function colleagueOf({ store }: Shop) {
  const account = await makeAccount(database);
  await database.sql`insert into merchant_members (merchant_id, account_id) values (${store.merchantId}, ${account.id})`;
  return account;
}

/** A platform that went live. */
async function goesLive({ store }: Pick<Shop, "store">, when: Date) {
  const consumer = await makeConsumer(database, { state: "production" });
  const id = randomUUID();
  await database.sql`
    insert into notifications (id, consumer_id, store_id, created_at) values (${id}, ${consumer.id}, ${store.id}, ${when})`;
  return { ...consumer, notificationId: id };
}

const queued = (email: string) =>
  database.sql`select template, data from outbox where recipient = ${email} order by id`;
const digested = async (id: string) =>
  (await database.sql`select digested_at from notifications where id = ${id}`)[0]!.digested_at as Date | null;

async function deliver() {
  const transport = mail.smtp(smtp.url, "Aisle <no-reply@aisle.example>");
  await mail.deliverDue(system(new Date(Date.now() + 20 * 365 * 86_400_000)), transport);
  transport.close();
}

describe("a digest", () => {
  it("is one mail with all that is new, to each of the merchant's people", async () => {
    const shop = await makeShop();
    const colleague = await colleagueOf(shop);
    const [one, two] = [await goesLive(shop, at("05:00:00")), await goesLive(shop, at("06:00:00"))];
    expect(await digests.send(system(at("06:59:00")))).toBe(0);
    await digests.send(system(at("07:01:00")));
    for (const email of [shop.email, colleague.email]) {
      const [message, ...more] = await queued(email);
      expect(more).toEqual([]);
      expect(message).toMatchObject({ template: "merchant-digest" });
      expect(message!.data.platforms.map(({ slug }: { slug: string }) => slug)).toEqual([two.slug, one.slug]);
    }
    expect(await digested(one.notificationId)).toEqual(at("07:01:00"));
    await digests.send(system(at("08:01:00")));
    expect(await queued(shop.email)).toHaveLength(1);
  });

  it("is due at the very instant, with what came until then, and names what came together in order", async () => {
    const shop = await makeShop();
    const last: string[] = [];
    for (let i = 0; i < 8; i++) last.push((await goesLive(shop, at("07:00:00"))).slug);
    const after = await goesLive(shop, at("07:00:00.001"));
    await digests.send(system(at("06:59:59.999")));
    expect(await queued(shop.email)).toEqual([]);
    await digests.send(system(at("07:00:00")));
    const [message] = await queued(shop.email);
    const named = message!.data.platforms.map(({ slug }: { slug: string }) => slug);
    expect(named).toEqual(last.toSorted());
    expect(await digested(after.notificationId)).toBeNull();
  });

  it.each([
    ["turned off", "update merchants set digest = 'off' where id = $1"],
    ["stopped by the last who gets it", "update merchant_members set digest = false where merchant_id = $1"],
  ])("is not sent where it is %s at that very moment, and waits", async (_, change) => {
    const shop = await makeShop();
    const platform = await goesLive(shop, new Date("2027-02-03T05:00:00Z"));
    let sending: Promise<number> | undefined;
    await database.sql.begin(async (tx) => {
      await tx`select from merchants where id = ${shop.store.merchantId} for update`;
      await tx.unsafe(change, [shop.store.merchantId]);
      sending = digests.send(system(at("07:01:00")));
      await untilWaiting(database.sql, 1);
    });
    await sending;
    expect(await queued(shop.email)).toEqual([]);
    expect(await digested(platform.notificationId)).toBeNull();
  });

  it("that waits is not sent to who was removed, or left: who still acts for the merchant gets theirs", async () => {
    const shop = await makeShop();
    const [removed, left] = [await colleagueOf(shop), await colleagueOf(shop)];
    const { merchantId } = shop.store;
    await goesLive(shop, at("05:00:00"));
    await digests.send(system(at("07:01:00")));
    const operator = database.as({ kind: "operator", accountId: null });
    await remove(operator, { merchantId, accountId: removed.id });
    await leave(database.as({ kind: "signed_in", accountId: left.id }), { merchantId });
    await deliver();
    const sent = (email: string) => smtp.to(email).map(({ subject }) => subject);
    expect(sent(removed.email)).toEqual([expect.stringMatching(/^You no longer act for /)]);
    expect(sent(left.email)).toEqual([]);
    expect(sent(shop.email)).toEqual([expect.stringContaining(" can read ")]);
  });

  it.each(["by its link", "by its person", "for all of the merchant"])(
    "that waits is not sent once it was ended %s: who still gets it gets theirs",
    async (how) => {
      const shop = await makeShop();
      const colleague = await colleagueOf(shop);
      await goesLive(shop, at("05:00:00"));
      await digests.send(system(at("07:01:00")));
      const token = unsubscribe.tokenFor(system(), shop.merchant);
      if (how === "by its link") await unsubscribe.end(anonymous(), { token });
      else await digests.set(shop.as(), how === "by its person" ? { mine: false } : { frequency: "off" });
      await deliver();
      expect(smtp.to(shop.email)).toEqual([]);
      expect(smtp.to(colleague.email)).toHaveLength(how === "for all of the merchant" ? 0 : 1);
    },
  );

  it("takes no other mail about the merchant with it, once it was ended by its link", async () => {
    const shop = await makeShop();
    const { merchantId } = shop.merchant;
    const joined = { to: shop.email, template: "merchant-joined" as const, data: { merchantId, merchant: "Shop" } };
    await database.db.transaction((tx) => mail.send(system(at("06:00:00")), tx, joined));
    await unsubscribe.end(anonymous(), { token: unsubscribe.tokenFor(system(), shop.merchant) });
    const waiting = await database.sql`select template from outbox where recipient = ${shop.email}`;
    expect(waiting).toEqual([{ template: "merchant-joined" }]);
  });

  it("arrives with links of our own and a one-click end, which mail programs can use", async () => {
    const shop = await makeShop();
    const platform = await goesLive(shop, at("05:00:00"));
    await digests.send(system(at("07:01:00")));
    await deliver();
    const [message] = smtp.to(shop.email);
    expect(message!.subject).toBe(`${platform.name} can read ${shop.store.name}`);
    const link = `https://aisle.example/merchant/switch?merchantId=${shop.store.merchantId}&redirectTo=`;
    const agent = `${link}/merchant/agents/${platform.slug}%3Fstore%3D${shop.store.slug}`;
    expect(message!.text).toContain(agent);
    expect(message!.html).toContain(`href="${agent.replaceAll("&", "&amp;")}"`);
    const header = message!.headerLines.find(({ key }) => key === "list-unsubscribe")!.line;
    expect(header.replace(/\s+/g, "")).toMatch(
      /^List-Unsubscribe:<https:\/\/aisle\.example\/unsubscribe\?token=[\w-]{64}>$/,
    );
    const post = message!.headerLines.find(({ key }) => key === "list-unsubscribe-post")!.line;
    expect(post).toBe("List-Unsubscribe-Post: List-Unsubscribe=One-Click");
    const token = /token=([\w-]+)/.exec(message!.text!)![1]!;
    expect(header.replace(/\s+/g, "")).toContain(token);
  });

  it("is sent once though twenty runs come at the same time", async () => {
    const shop = await makeShop();
    for (let i = 0; i < 5; i++) await goesLive(shop, at("05:00:00"));
    await Promise.all(Array.from({ length: 20 }, () => digests.send(system(at("07:01:00")))));
    const mails = await queued(shop.email);
    expect(mails).toHaveLength(1);
    expect(mails[0]!.data.platforms).toHaveLength(5);
  });

  it("is deleted with the account of who gets it, also where that is deleted while it is written", async () => {
    const shop = await makeShop();
    const person = await makePerson();
    await database.sql`insert into merchant_members (merchant_id, account_id) values (${shop.store.merchantId}, ${person.id})`;
    await goesLive(shop, at("05:00:00"));
    let both: Promise<unknown>[] = [];
    await database.sql.begin(async (tx) => {
      await tx`select from notifications where store_id = ${shop.store.id} for update`;
      both = [digests.send(system(at("07:01:00")))];
      await untilWaiting(database.sql, 1);
      both.push(accounts.deleteAccount(person.ctx, { currentPassword: PASSWORD }));
      await untilWaiting(database.sql, 2);
    });
    await Promise.all(both);
    expect((await queued(person.email)).map(({ template }) => template)).toEqual(["account-deleted"]);
    expect((await queued(shop.email)).map(({ template }) => template)).toEqual(["merchant-digest"]);
  });

  it("is changed by nobody who is removed at that very moment", async () => {
    const { store, merchant } = await makeShop();
    let setting: Promise<unknown> | undefined;
    await database.sql.begin(async (tx) => {
      await tx`select from merchants where id = ${store.merchantId} for update`;
      setting = outcomeOf(digests.set(database.as(merchant), { frequency: "off", mine: true }));
      await untilWaiting(database.sql, 1);
      await tx`delete from merchant_members where account_id = ${merchant.accountId}`;
    });
    expect(await setting).toMatchObject({ code: "not_found" });
  });

  it("is made up for by the next run where one did not happen; where one fails, it is undone whole and the others are sent", async () => {
    const [shop, other] = [await makeShop(), await makeShop()].toSorted((a, b) =>
      a.store.merchantId < b.store.merchantId ? -1 : 1,
    ) as [Shop, Shop];
    await goesLive(other, at("05:00:00"));
    const platform = await goesLive(shop, at("05:00:00"));
    await database.sql.unsafe(`
      create function refuse_digest() returns trigger language plpgsql as $$ begin raise 'crash'; end $$;
      create trigger refuse before insert on outbox for each row when (new.recipient = '${shop.email}') execute function refuse_digest()`);
    await expect(digests.send(system(at("07:01:00")))).rejects.toThrow(`Failed: ${shop.store.merchantId}.`);
    expect(await queued(other.email)).toHaveLength(1);
    expect(await digested(platform.notificationId)).toBeNull();
    await database.sql`drop trigger refuse on outbox`;
    await database.sql`drop function refuse_digest`;
    await digests.send(system(at("09:30:00")));
    expect(await queued(shop.email)).toHaveLength(1);
  });

  it("comes on Monday where it is weekly, with what came until then", async () => {
    const shop = await makeShop();
    await digests.set(shop.as(), { frequency: "weekly", mine: true });
    await goesLive(shop, at("05:00:00"));
    await digests.send(system(at("23:00:00")));
    await digests.send(system(new Date("2027-03-07T12:00:00Z")));
    expect(await queued(shop.email)).toEqual([]);
    await goesLive(shop, new Date("2027-03-08T06:00:00Z"));
    await goesLive(shop, new Date("2027-03-08T07:00:30Z"));
    await digests.send(system(MONDAY));
    const [message] = await queued(shop.email);
    expect(message!.data.platforms).toHaveLength(2);
  });

  it("names twenty and counts the rest", async () => {
    const shop = await makeShop();
    for (let i = 0; i < 23; i++) await goesLive(shop, at("05:00:00"));
    await digests.send(system(at("07:01:00")));
    await deliver();
    const [message] = smtp.to(shop.email);
    expect(message!.subject).toBe("23 new readers of your stores");
    expect(message!.text).toContain("See these and 3 more");
  });

  it.each<[string, (shop: Shop, platform: Awaited<ReturnType<typeof goesLive>>) => Promise<unknown>]>([
    [
      "was blocked",
      ({ store }, { id }) => database.sql`insert into blocks (consumer_id, store_id) values (${id}, ${store.id})`,
    ],
    [
      "has lost its access",
      (_, { id }) => database.sql`update consumers set state = 'revoked', revoked_from = 'production' where id = ${id}`,
    ],
    [
      "reads what it is granted now, and was granted nothing",
      (_, { id }) => database.sql`update consumers set coverage = 'explicit' where id = ${id}`,
    ],
  ])(
    "neither names nor counts a platform that %s since it went live, and is none where no other is left",
    async (_, end) => {
      const shop = await makeShop();
      const gone = await goesLive(shop, at("05:00:00"));
      await end(shop, gone);
      expect(await digests.send(system(at("07:01:00")))).toBe(0);
      expect(await queued(shop.email)).toEqual([]);
      expect(await digested(gone.notificationId)).toEqual(at("07:01:00"));
      const other = await goesLive(shop, at("08:00:00"));
      const another = await goesLive(shop, at("09:00:00"));
      await end(shop, another);
      await digests.send(system(new Date("2027-03-04T07:01:00Z")));
      const [message, ...more] = await queued(shop.email);
      expect(more).toEqual([]);
      expect(message!.data).toMatchObject({ platforms: [{ slug: other.slug }], more: 0 });
      expect(await digested(another.notificationId)).not.toBeNull();
    },
  );

  it("counts of those that it does not name only what may still be read", async () => {
    const shop = await makeShop();
    const live = [];
    for (let i = 0; i < 24; i++) live.push(await goesLive(shop, at("05:00:00")));
    for (const { id } of live.slice(0, 2))
      await database.sql`insert into blocks (consumer_id, store_id) values (${id}, ${shop.store.id})`;
    await digests.send(system(at("07:01:00")));
    const [message] = await queued(shop.email);
    expect([message!.data.platforms.length, message!.data.more]).toEqual([20, 2]);
  });

  it("counts each platform once, however many stores it can read", async () => {
    const shop = await makeShop();
    const [one] = [await goesLive(shop, at("05:00:00")), await goesLive(shop, at("05:00:00"))];
    for (let i = 0; i < 22; i++) {
      const { id } = await makeStore(database);
      await database.sql`update stores set merchant_id = ${shop.store.merchantId} where id = ${id}`;
      await database.sql`
        insert into notifications (id, consumer_id, store_id, created_at)
        values (gen_random_uuid(), ${one.id}, ${id}, ${at("05:00:00")})`;
    }
    await digests.send(system(at("07:01:00")));
    const [message] = await queued(shop.email);
    expect(message!.data).toMatchObject({ more: 4, readers: 2 });
  });

  it("tells nobody of another merchant's stores", async () => {
    const [mine, theirs] = [await makeShop(), await makeShop()];
    await goesLive(mine, at("05:00:00"));
    const platform = await goesLive(theirs, at("05:00:00"));
    await digests.send(system(at("07:01:00")));
    expect(JSON.stringify(await queued(mine.email))).not.toContain(theirs.store.slug);
    expect(JSON.stringify(await queued(mine.email))).not.toContain(platform.slug);
  });
});

describe("a digest that is off", () => {
  it("is not sent, the inbox goes on, and what came meanwhile is passed over when it is turned on", async () => {
    const shop = await makeShop();
    await digests.set(shop.as(), { frequency: "off", mine: true });
    const missed = await goesLive(shop, at("05:00:00"));
    await digests.send(system(at("07:01:00")));
    expect(await queued(shop.email)).toEqual([]);
    expect((await notifications.list(shop.as(), {})).rows).toMatchObject([{ platform: { slug: missed.slug } }]);
    await digests.set(shop.as(at("10:00:00")), { frequency: "daily", mine: true });
    const next = await goesLive(shop, at("12:00:00"));
    await digests.send(system(new Date("2027-03-04T07:01:00Z")));
    const [message] = await queued(shop.email);
    expect(message!.data.platforms.map(({ slug }: { slug: string }) => slug)).toEqual([next.slug]);
  });

  it("waits where nobody is to get it", async () => {
    const shop = await makeShop();
    await digests.set(shop.as(), { frequency: "daily", mine: false });
    const platform = await goesLive(shop, at("05:00:00"));
    await digests.send(system(at("07:01:00")));
    expect(await digested(platform.notificationId)).toBeNull();
  });

  it("begins for who joins people of whom nobody gets it with what comes from then on", async () => {
    const shop = await makeShop();
    await digests.set(shop.as(), { frequency: "daily", mine: false });
    const missed = await goesLive(shop, at("05:00:00"));
    const account = await makeAccount(database);
    const operator = database.as({ kind: "operator", accountId: null } as const, at("05:30:00"));
    await database.db.transaction((tx) => join(operator, tx, { merchantId: shop.store.merchantId, account }));
    expect(await digested(missed.notificationId)).toEqual(at("05:30:00"));
    const next = await goesLive(shop, at("06:00:00"));
    const another = await makeAccount(database);
    await database.db.transaction((tx) => join(operator, tx, { merchantId: shop.store.merchantId, account: another }));
    await digests.send(system(at("07:01:00")));
    const [message] = await queued(account.email);
    expect(message!.data.platforms.map(({ slug }: { slug: string }) => slug)).toEqual([next.slug]);
  });

  it("for all of its people begins with what comes once one of them wants it again", async () => {
    const shop = await makeShop();
    await digests.set(shop.as(), { frequency: "weekly", mine: false });
    const missed = await goesLive(shop, new Date("2026-08-15T05:00:00Z"));
    await digests.set(shop.as(at("05:00:00")), { frequency: "daily", mine: true });
    expect(await digested(missed.notificationId)).toEqual(at("05:00:00"));
    const next = await goesLive(shop, at("06:00:00"));
    // A colleague who joins in, or leaves it, changes nothing of what comes.
    await colleagueOf(shop);
    await digests.set(shop.as(at("06:30:00")), { frequency: "daily", mine: false });
    await digests.set(shop.as(at("06:31:00")), { frequency: "daily", mine: true });
    await digests.send(system(at("07:01:00")));
    const [message] = await queued(shop.email);
    expect(message!.data.platforms.map(({ slug }: { slug: string }) => slug)).toEqual([next.slug]);
  });
});

describe("the link that ends it", () => {
  const tokenOf = ({ merchant }: Shop) => unsubscribe.tokenFor(system(), merchant);

  it("ends it for that person alone; looking at it changes nothing; again, it stays so", async () => {
    const shop = await makeShop();
    const colleague = await colleagueOf(shop);
    const token = tokenOf(shop);
    expect(await unsubscribe.peek(anonymous(), { token })).toMatchObject({ subscribed: true });
    expect((await digests.settings(shop.as())).mine).toBe(true);
    await unsubscribe.end(anonymous(), { token });
    await unsubscribe.end(anonymous(), { token });
    expect(await unsubscribe.peek(anonymous(), { token })).toMatchObject({ subscribed: false });
    await goesLive(shop, at("05:00:00"));
    await digests.send(system(at("07:01:00")));
    expect(await queued(shop.email)).toEqual([]);
    expect(await queued(colleague.email)).toHaveLength(1);
    const acts = await database.sql`
      select actor_kind from audit where action = 'digest.unsubscribe' and target_id = ${shop.store.merchantId}`;
    expect(acts).toEqual([{ actor_kind: "anonymous" }]);
  });

  it("ends it once, though twenty press at once", async () => {
    const shop = await makeShop();
    const token = tokenOf(shop);
    await Promise.all(Array.from({ length: 20 }, () => unsubscribe.end(anonymous(), { token })));
    const acts = await database.sql`
      select 1 from audit where action = 'digest.unsubscribe' and target_id = ${shop.store.merchantId}`;
    expect(acts).toHaveLength(1);
  });

  it("ends it though its person leaves at that very moment: neither waits for the other in a circle", async () => {
    const shop = await makeShop();
    await goesLive(shop, at("05:00:00"));
    await digests.send(system(at("07:01:00")));
    const { merchantId } = shop.store;
    let both: Promise<unknown>[] = [];
    await database.sql.begin(async (tx) => {
      await tx`select from outbox where recipient = ${shop.email} for update`;
      both = [outcomeOf(unsubscribe.end(anonymous(), { token: tokenOf(shop) }))];
      await untilWaiting(database.sql, 1);
      const person = database.as({ kind: "signed_in", accountId: shop.merchant.accountId });
      both.push(outcomeOf(leave(person, { merchantId })));
      await untilWaiting(database.sql, 2);
    });
    expect(await Promise.all(both)).toEqual([{ value: undefined }, { value: undefined }]);
    expect(await queued(shop.email)).toEqual([]);
  });

  it("ends that merchant's alone for a person of two", async () => {
    const [shop, other] = [await makeShop(), await makeShop()];
    const there = { ...shop.merchant, merchantId: other.store.merchantId };
    await database.sql`insert into merchant_members (merchant_id, account_id) values (${there.merchantId}, ${there.accountId})`;
    await unsubscribe.end(anonymous(), { token: tokenOf(shop) });
    expect((await digests.settings(shop.as())).mine).toBe(false);
    expect((await digests.settings(database.as(there))).mine).toBe(true);
  });

  it("cannot be made by anybody else: a changed one is not ours", async () => {
    const [shop, other] = [await makeShop(), await makeShop()];
    const token = tokenOf(shop);
    const forged = [
      "",
      "x",
      token.slice(0, -1),
      `${token}A`,
      tokenOf(other).slice(0, 40) + token.slice(40),
      unsubscribe.tokenFor({ secretKeys: ["another secret key of the same length"] }, shop.merchant),
    ];
    for (const each of forged) {
      await expect(unsubscribe.end(anonymous(), { token: each }), each).rejects.toMatchObject({ code: "not_found" });
    }
    expect((await digests.settings(shop.as())).mine).toBe(true);
  });
});

describe("a person of two merchants", () => {
  it("gets the digest of each as they chose there", async () => {
    const [shop, other] = [await makeShop(), await makeShop()];
    const person = { ...shop.merchant, merchantId: other.store.merchantId };
    await database.sql`insert into merchant_members (merchant_id, account_id) values (${person.merchantId}, ${person.accountId})`;
    await digests.set(database.as(person), { frequency: "weekly", mine: false });
    await digests.set(shop.as(), { frequency: "daily", mine: true });
    expect(await digests.settings(database.as(person))).toMatchObject({ frequency: "weekly", mine: false });
    expect(await digests.settings(shop.as())).toMatchObject({ frequency: "daily", mine: true });
    expect(await digests.settings(other.as())).toMatchObject({ frequency: "weekly", mine: true });
  });

  it("is recorded as having chosen what is another than before, and nothing that is said again", async () => {
    const shop = await makeShop();
    for (let i = 0; i < 2; i++) await digests.set(shop.as(), { frequency: "weekly", mine: true });
    const acts = await database.sql`
      select before, after from audit where action = 'digest.change' and target_id = ${shop.store.merchantId}`;
    const [was, is] = ["daily", "weekly"].map((frequency) => ({ frequency, mine: true }));
    expect(acts).toEqual([{ before: was, after: is }]);
  });
});

describe("the inbox", () => {
  it("has the newest first, pages both ways, and can be read one by one or all at once", async () => {
    const shop = await makeShop();
    const second = await database.sql`
      insert into stores (id, merchant_id, slug, name, url, country, currency, currencies)
      select ${randomUUID()}, merchant_id, ${`second-${shop.store.slug}`}, 'Second', url, country, currency, currencies from stores where id = ${shop.store.id}
      returning id`;
    const ids: string[] = [];
    for (let i = 0; i < 30; i++) {
      const store = i % 2 ? shop.store : { ...shop.store, id: second[0]!.id as string };
      ids.push(
        (await goesLive({ store }, new Date(at("05:00:00").getTime() + Math.floor(i / 3) * 1000))).notificationId,
      );
    }
    const first = await notifications.list(shop.as(), {});
    const next = await notifications.list(shop.as(), { cursor: first.next! });
    expect([...first.rows, ...next.rows].map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    const times = [...first.rows, ...next.rows].map((row) => row.at.getTime());
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    expect((await notifications.list(shop.as(), { cursor: next.previous! })).rows).toEqual(first.rows);

    await notifications.markRead(shop.as(), { id: first.rows[0]!.id });
    expect((await notifications.list(shop.as(), { unread: true })).rows[0]!.id).toBe(first.rows[1]!.id);
    await notifications.markAllRead(shop.as());
    expect((await notifications.list(shop.as(), { unread: true })).rows).toEqual([]);
  });

  it("loses none at a page's edge of those that came within a millisecond", async () => {
    const shop = await makeShop();
    const ids: string[] = [];
    for (let i = 0; i < 30; i++) ids.push((await goesLive(shop, at("05:00:00"))).notificationId);
    await database.sql`
      update notifications n set created_at = n.created_at + o.place * interval '1 microsecond'
      from (select id, row_number() over (order by id) as place from notifications where store_id = ${shop.store.id}) o
      where o.id = n.id`;
    const first = await notifications.list(shop.as(), {});
    const next = await notifications.list(shop.as(), { cursor: first.next! });
    expect([...first.rows, ...next.rows].map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
  });

  it("keeps when each was read first; another merchant's stays unread", async () => {
    const [shop, other] = [await makeShop(), await makeShop()];
    const [one, two] = [await goesLive(shop, at("05:00:00")), await goesLive(shop, at("06:00:00"))];
    await goesLive(other, at("05:00:00"));
    await notifications.markRead(shop.as(at("08:00:00")), { id: one.notificationId });
    await notifications.markRead(shop.as(at("09:00:00")), { id: one.notificationId });
    await notifications.markAllRead(shop.as(at("10:00:00")));
    await notifications.markAllRead(shop.as(at("11:00:00")));
    const read = (await notifications.list(shop.as(), {})).rows.map(({ id, readAt }) => [id, readAt]);
    expect(read).toEqual([
      [two.notificationId, at("10:00:00")],
      [one.notificationId, at("08:00:00")],
    ]);
    expect((await notifications.list(other.as(), { unread: true })).rows).toHaveLength(1);
  });

  it("that is read all at once keeps unread what came after it was shown", async () => {
    const shop = await makeShop();
    await goesLive(shop, at("05:00:00"));
    const { asOf } = await notifications.list(shop.as(at("05:30:00")), {});
    const late = await goesLive(shop, at("06:00:00"));
    await notifications.markAllRead(shop.as(at("07:00:00")), notifications.MarkAllRead.parse({ until: asOf }));
    const unread = (await notifications.list(shop.as(), { unread: true })).rows;
    expect(unread.map(({ id }) => id)).toEqual([late.notificationId]);
  });

  it("that is read all at once keeps unread what was under way when it was shown, and nothing that was shown", async () => {
    const [shop, empty] = [await makeShop(), await makeShop()];
    await goesLive(shop, at("05:00:00"));
    await database.sql`update notifications set created_at = created_at + interval '123 microseconds' where store_id = ${shop.store.id}`;
    for (const one of [shop, empty]) {
      const { asOf } = await notifications.list(one.as(at("06:00:00")), {});
      // Its time is that of the decision, which came before the inbox was looked at and was written after.
      const late = await goesLive(one, at("05:30:00"));
      await notifications.markAllRead(one.as(at("07:00:00")), notifications.MarkAllRead.parse({ until: asOf }));
      const unread = (await notifications.list(one.as(), { unread: true })).rows;
      expect(unread.map(({ id }) => id)).toEqual([late.notificationId]);
    }
  });

  it.each(["+275760-09-13T00:00:00.000Z", "0000-01-01T00:00:00Z", "2026-01-01T00:00:00+23:00", "yesterday"])(
    "is not read until %s, which was never shown",
    (until) => expect(notifications.MarkAllRead.safeParse({ until }).success).toBe(false),
  );
});
