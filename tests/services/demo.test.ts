import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { seed } from "../../server/seed";
import * as demo from "../../server/services/demo";
import { DEMO_CONSUMER } from "../../server/services/demo-consumer";
import * as admission from "../../server/services/key-admission";
import * as keys from "../../server/services/keys";
import * as passwords from "../../server/services/passwords";
import { searchProducts } from "../../server/tools/search-products";
import { ask } from "../support/ask";
import { DEMO_TEMPLATE, testDatabase } from "../support/database";
import { makeReader } from "../support/factories";
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
    expect(await print()).toBeUndefined();
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

  it("come back with the next seed, who was removed from the platform as no member", async () => {
    const system = another.as({ kind: "system" });
    expect(await seed(system)).toEqual({ stores: [], accounts: [], renewed: [] });
    await another.sql`delete from accounts where email in ('developer@demo.example', 'operator@demo.example')`;
    await another.sql`
      delete from members where account_id = (select id from accounts where email = 'reviewer@demo.example')`;
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
  });
});

describe("a database without the demo", () => {
  const bare = testDatabase();

  it("is said to have no sign-ins", async () => {
    expect((await demo.describe(system(), "http://x")).sign_ins).toHaveLength(5);
    expect((await demo.describe(bare.as({ kind: "system" }), "http://x")).sign_ins).toEqual([]);
  });
});
