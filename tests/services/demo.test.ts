import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { seed, seedWhereDue } from "../../server/seed";
import * as accounts from "../../server/services/accounts";
import * as demo from "../../server/services/demo";
import { DEMO_CONSUMER } from "../../server/services/demo-consumer";
import * as admission from "../../server/services/key-admission";
import * as keys from "../../server/services/keys";
import * as members from "../../server/services/members";
import * as ownPromotions from "../../server/services/own-promotions";
import * as passwords from "../../server/services/passwords";
import * as retention from "../../server/services/retention";
import * as review from "../../server/services/review";
import * as stores from "../../server/services/stores";
import { searchProducts } from "../../server/tools/search-products";
import { ask } from "../support/ask";
import { DEMO_TEMPLATE, type TestDatabase, testDatabase } from "../support/database";
import { makeMerchant, makeReader } from "../support/factories";
import { newTerms } from "../support/terms";

const database = testDatabase(DEMO_TEMPLATE);
const system = () => database.as({ kind: "system" });
const works = (value: string | undefined) =>
  admission.authenticate(database.as({ kind: "anonymous" }), value!).then(
    () => true,
    () => false,
  );
const print = () => demo.freshKey(system());

describe("the demo's catalogues", () => {
  it("tell every rating and every delivery time that their feeds state", async () => {
    for (const slug of ["harbour-lane-home", "ridgeline-supply", "tarn-and-timber"]) {
      const [header, ...rows] = readFileSync(`db/seed/${slug}/feed.tsv`, "utf8")
        .trim()
        .split("\n")
        .map((line) => line.split("\t"));
      const states = (...names: string[]) =>
        rows.filter((row) => names.every((name) => row[header!.indexOf(name)])).length;
      const [found] = await database.sql<[{ rated: number; timed: number }]>`
        select count(v.rating_value)::int as rated,
          count(*) filter (where v.shipping -> 0 ? 'max_transit_days')::int as timed
        from variants v join stores s on s.id = v.store_id where s.slug = ${slug}`;
      expect(found).toEqual({ rated: states("product_rating"), timed: states("shipping", "max_transit_time") });
      expect(found.rated * found.timed).toBeGreaterThan(0);
    }
    const best = { filters: { rating: { min: 4.5 } }, sort: "rating", limit: 1 };
    const { products } = await ask<{ products: object[] }>(
      database.as(await makeReader(database)),
      searchProducts,
      best,
    );
    expect(products).toMatchObject([{ rating: { value: 5, scale_max: 5 } }]);
  });
});

describe("the key that a start prints", () => {
  it("works beside the two before it, also where the consumer's other keys leave no more room", async () => {
    const printed = [await print(), await print(), await print()];
    const [consumer] = await database.sql<[{ id: string }]>`select id from consumers where slug = ${DEMO_CONSUMER}`;
    const operator = database.as({ kind: "operator", accountId: null });
    for (let i = 0; i < 7; i++) await keys.issue(operator, { consumerId: consumer.id, name: `Newcomer's ${i}` });
    printed.push(await print());
    expect(await Promise.all(printed.map(works))).toEqual([false, true, true, true]);
    expect(await database.sql`select template from outbox where recipient = 'owner@demo.example'`).toEqual([]);
  });

  it("costs no other its life where it cannot be issued", async () => {
    const printed = [await print(), await print(), await print()];
    await newTerms(database, { version: "2099-01-01", body: "New." });
    await expect(print()).rejects.toThrow("An owner must accept the data-use terms of 2099-01-01");
    expect(await Promise.all(printed.map(works))).toEqual([true, true, true]);
  });
});

describe("the demo's sign-ins", () => {
  const another = testDatabase(DEMO_TEMPLATE);
  const describeIt = () => demo.describe(another.as({ kind: "system" }), "http://x");

  it("have passwords that log in, and none once its owner has chosen another", async () => {
    const { email, password } = (await describeIt()).sign_ins[0]!;
    const hash = async () =>
      (await another.sql<[{ hash: string }]>`select password_hash as hash from accounts where email = ${email}`)[0]
        .hash;
    expect(await passwords.verify(await hash(), password!)).toBe(true);
    await another.sql`update accounts set password_hash = ${await passwords.hash("one of my own")} where email = ${email}`;
    const passwordsNow = (await describeIt()).sign_ins.map((one) => one.password);
    expect(passwordsNow).toEqual([null, ...Array(4).fill(expect.any(String))]);
  });

  it("are told to follow from another secret key, and not to be changed, where nobody has changed them", async () => {
    const elsewhere = { ...another.as({ kind: "system" }), secretKeys: ["another".repeat(6)] as [string] };
    const told = async () => (await demo.describe(elsewhere, "http://x")).sign_ins.map(demo.passwordShown);
    expect(await told()).toEqual(Array(5).fill("of another SECRET_KEY"));
    const [{ id } = { id: "" }] = await another.sql<{ id: string }[]>`
      select id from accounts where email = 'developer@demo.example'`;
    const { password } = (await describeIt()).sign_ins[1]!;
    const account = another.as({ kind: "signed_in", accountId: id });
    await accounts.changePassword(account, {
      currentPassword: password!,
      newPassword: "one of my own, long",
    });
    expect(await told()).toEqual([
      "of another SECRET_KEY",
      "changed by its owner",
      ...Array(3).fill("of another SECRET_KEY"),
    ]);
  });

  it("come back with the next seed, on record, who was removed from the platform or from the merchant as nobody there", async () => {
    const system = another.as({ kind: "system" });
    expect(await seed(system)).toEqual({ stores: [], accounts: [], renewed: [] });
    await another.sql`delete from accounts where email in ('developer@demo.example', 'operator@demo.example')`;
    await another.sql`
      delete from members where account_id = (select id from accounts where email = 'reviewer@demo.example')`;
    const [removed] = await another.sql`
      delete from merchant_members where account_id = (select id from accounts where email = 'merchant@demo.example') returning merchant_id`;
    expect(removed).toBeDefined();
    expect(await seed(system)).toEqual({
      stores: [],
      accounts: ["developer@demo.example", "operator@demo.example"],
      renewed: [],
    });
    const found = await another.sql`
      select email, role from members join accounts on id = account_id
      where consumer_id = (select id from consumers where slug = ${DEMO_CONSUMER}) order by email`;
    expect(found).toEqual([
      { email: "developer@demo.example", role: "developer" },
      { email: "owner@demo.example", role: "owner" },
    ]);
    expect(await another.sql`select from merchant_members`).toEqual([]);
    await another.sql`delete from accounts where email = 'merchant@demo.example'`;
    await seed(system);
    expect(await another.sql`select merchant_id from merchant_members`).toEqual([removed]);
    const acts = await another.sql`
      select action, target_id as target, after from audit where request_id = ${system.requestId} order by id`;
    const rows = await another.sql<{ name: string; id: string }[]>`
      select email as name, id from accounts union all select slug, id from consumers`;
    const ids = new Map(rows.map(({ name, id }) => [name.replace("@demo.example", ""), id]));
    expect(acts).toEqual([
      { action: "operator.create", target: ids.get("operator"), after: null },
      {
        action: "member.add",
        target: ids.get(DEMO_CONSUMER),
        after: { account: ids.get("developer"), role: "developer", endsAt: null },
      },
      { action: "merchant.add_member", target: removed!.merchant_id, after: { accountId: ids.get("merchant") } },
    ]);
  });

  it("come back with the access that ended with the owner's account, which an operator's decision holds", async () => {
    const system = another.as({ kind: "system" });
    const stateNow = async () =>
      (await another.sql`select state from consumers where slug = ${DEMO_CONSUMER}`)[0]!.state;
    const leave = async () => {
      const [owner] = await another.sql<[{ id: string }]>`
        update accounts set password_hash = ${await passwords.hash("one of my own")}
        where email = 'owner@demo.example' returning id`;
      const signedIn = another.as({ kind: "signed_in", accountId: owner.id });
      await accounts.deleteAccount(signedIn, { currentPassword: "one of my own" });
      expect(await stateNow()).toBe("revoked");
    };
    await leave();
    await expect(demo.freshKey(system)).rejects.toMatchObject({ code: "conflict" });
    expect((await seed(system)).accounts).toEqual(["owner@demo.example"]);
    expect(await stateNow()).toBe("sandbox");
    expect(await demo.freshKey(system)).toEqual(expect.any(String));
    const [{ version }] = await another.sql<[{ version: number }]>`
      select version from consumers where slug = ${DEMO_CONSUMER}`;
    const operator = another.as({ kind: "operator", accountId: null });
    await review.reject(operator, { slug: DEMO_CONSUMER, version, reason: "No." });
    await leave();
    await seed(system);
    expect(await stateNow()).toBe("revoked");
  });
});

describe("the demo's dates", () => {
  const [aged, changed] = [testDatabase(DEMO_TEMPLATE), testDatabase(DEMO_TEMPLATE)];
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
  const work = (database: TestDatabase, now: Date) => retention.run(database.as({ kind: "system" }, now));
  const datesOf = (database: TestDatabase, slug: string) => database.sql<{ starts: Date; ends: Date }[]>`
    select x.starts_at as starts, x.ends_at as ends from promotions x join stores s on s.id = x.store_id
    where s.slug = ${slug} order by promotion_id`;
  const reviewer = ({ sql }: TestDatabase) => sql<{ ends: Date }[]>`
    select m.ends_at as ends from members m join accounts p on p.id = m.account_id where p.email = 'reviewer@demo.example'`;
  const restocks = ({ sql }: TestDatabase, now: Date) => sql`
    select from inventory_levels where restock_at > ${now}`;

  it("stay near today without anybody: promotions that run and some to come, deliveries, a reviewer who may sign in", async () => {
    for (const now of [inDays(500), inDays(510), inDays(520), inDays(1_000)]) {
      await work(aged, now);
      for (const slug of ["tarn-and-timber", "ridgeline-supply"]) {
        const dates = await datesOf(aged, slug);
        expect(dates.some(({ starts, ends }) => starts <= now && ends > now)).toBe(true);
        expect(dates.some(({ starts }) => starts > now)).toBe(true);
      }
      const active = (await datesOf(aged, "harbour-lane-home")).filter(({ ends }) => ends > now);
      expect(active.length).toBeGreaterThan(0);
      expect((await restocks(aged, now)).length).toBeGreaterThan(0);
      expect((await reviewer(aged))[0]!.ends > now).toBe(true);
    }
    const renewed = await aged.sql`select from audit where action = 'demo.renew'`;
    expect(renewed).toHaveLength(3 * 3);
  });

  it("stay as people have made them: of a store with promotions of its merchant's, or with others who act for it, and of a reviewer", async () => {
    const { sql } = changed;
    const store = async (slug: string) => (await sql<Store[]>`select * from stores where slug = ${slug}`)[0]!;
    const [ridgeline, harbour] = [await store("ridgeline-supply"), await store("harbour-lane-home")];
    const [maeve] = await sql<{ id: string }[]>`select id from accounts where email = 'merchant@demo.example'`;
    const merchant = changed.as({ kind: "merchant", accountId: maeve!.id, merchantId: ridgeline.merchant_id });
    const [running] = await sql<{ id: string }[]>`
      select promotion_id as id from promotions where store_id = ${ridgeline.id} and starts_at <= now() and ends_at > now() limit 1`;
    await ownPromotions.end(merchant, { store: ridgeline.slug, promotionId: running!.id });
    await makeMerchant(changed, harbour.merchant_id);
    const [member] = await sql<{ consumerId: string; accountId: string; grantedAt: Date }[]>`
      select m.consumer_id as "consumerId", m.account_id as "accountId", m.granted_at as "grantedAt"
      from members m join accounts p on p.id = m.account_id where p.email = 'reviewer@demo.example'`;
    const operator = changed.as({ kind: "operator", accountId: null });
    await members.renew(operator, { ...member!, lastDay: inDays(3).toISOString().slice(0, 10) });
    const of = async () => [
      await datesOf(changed, ridgeline.slug),
      await datesOf(changed, harbour.slug),
      await reviewer(changed),
    ];
    const [before, demoStore] = [await of(), await datesOf(changed, "tarn-and-timber")];
    await work(changed, inDays(500));
    expect(await of()).toEqual(before);
    expect(await datesOf(changed, "tarn-and-timber")).not.toEqual(demoStore);
  });
});

interface Store {
  id: string;
  slug: string;
  merchant_id: string;
}

describe("a database without the demo", () => {
  const bare = testDatabase();

  it("is said to have no sign-ins", async () => {
    expect((await demo.describe(system(), "http://x")).sign_ins).toHaveLength(5);
    expect((await demo.describe(bare.as({ kind: "system" }), "http://x")).sign_ins).toEqual([]);
  });
});

/** How much there is of what a seed makes; every load that was cut off is tried again, and counted by itself. */
async function sizes({ sql }: TestDatabase): Promise<object> {
  const tables = ["accounts", "members", "merchant_members", "products", "variants", "promotions", "loyalty_programs"];
  const all = [...tables, "loyalty_tiers", "policies", "locations", "inventory_levels"];
  const rows = all.map((name) => sql`select ${name} as name, count(*)::int as rows from ${sql(name)}`);
  const stores = sql`select slug, product_count, is_demo from stores order by slug`;
  return { stores: [...(await stores)], rows: (await Promise.all(rows)).map(([row]) => row) };
}

describe("a demo that was cut off in the midst", () => {
  const [started, commanded] = [testDatabase(), testDatabase()];
  const unharmed = testDatabase(DEMO_TEMPLATE);

  it.each<[string, () => TestDatabase, (database: TestDatabase) => Promise<unknown>]>([
    ["the next start", () => started, (database) => seedWhereDue(database.as({ kind: "system" }))],
    ["the command", () => commanded, (database) => seed(database.as({ kind: "system" }))],
  ])("is made whole by %s", async (_, given, again) => {
    const database = given();
    const { sql } = database;
    await sql.unsafe("create function cut() returns trigger language plpgsql as $$ begin raise 'cut off'; end $$");
    for (const table of ["feed_file_parts", "promotions", "policies", "inventory_levels", "accounts"]) {
      await sql.unsafe(`create trigger cut before insert on ${table} execute function cut()`);
      await expect(again(database)).rejects.toThrow();
      await sql.unsafe(`drop trigger cut on ${table}`);
      // Whoever is killed leaves what came of a file, under a lease that holds for a minute.
      if (table === "feed_file_parts")
        await sql`insert into feed_files (id, store_id, file_name, lease_until)
          select gen_random_uuid(), id, 'feed.tsv', now() + interval '1 minute' from stores`;
    }
    await again(database);
    expect(await sizes(database)).toEqual(await sizes(unharmed));
    expect(await demo.freshKey(database.as({ kind: "system" }))).toMatch(/^aisle_/);
    const loads = () => sql`select from feed_loads`;
    const before = await loads();
    await again(database);
    expect(await loads()).toHaveLength(before.length);
  });
});

describe("a start leaves alone", () => {
  const [shop, shopOfItsName, operated, once] = [testDatabase(), testDatabase(), testDatabase(), testDatabase()];
  const start = async (database: TestDatabase) => {
    await seedWhereDue(database.as({ kind: "system" }));
    return database.sql`select slug, product_count from stores`;
  };
  const makeStore = (database: TestDatabase, slug: string) =>
    stores.create(database.as({ kind: "operator", accountId: null }), {
      ...{ slug, name: "Kiosk", url: "https://kiosk.example", country: "IE", currency: "EUR" },
    });

  it("a database with a store that an operator made, even one of a name of the demo's, which no seed fills either", async () => {
    await makeStore(shop, "kiosk");
    expect(await start(shop)).toEqual([{ slug: "kiosk", product_count: 0 }]);
    const slug = "ridgeline-supply";
    await makeStore(shopOfItsName, slug);
    expect(await start(shopOfItsName)).toEqual([{ slug, product_count: 0 }]);
    const made = await seed(shopOfItsName.as({ kind: "system" }));
    expect(made.stores).toEqual(["tarn-and-timber", "harbour-lane-home"]);
    const [store] = await shopOfItsName.sql`select product_count from stores where slug = ${slug}`;
    expect(store).toEqual({ product_count: 0 });
    expect(await shopOfItsName.sql`select from merchant_members`).toEqual([]);
  });

  it("a database with an operator", async () => {
    const operator = operated.as({ kind: "operator", accountId: null });
    await accounts.createOperator(operator, { email: "ann@example.com", name: "Ann" });
    expect(await start(operated)).toEqual([]);
  });

  it("what another has seeded at the same time", async () => {
    await Promise.all([start(once), start(once)]);
    expect(await once.sql`select from feed_loads`).toHaveLength(3);
  });
});
