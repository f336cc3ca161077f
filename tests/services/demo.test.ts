import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as demo from "../../server/services/demo";
import { DEMO_CONSUMER } from "../../server/services/demo-consumer";
import * as admission from "../../server/services/key-admission";
import * as keys from "../../server/services/keys";
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

describe("a database without the demo", () => {
  const bare = testDatabase();

  it("is said to have no sign-ins", async () => {
    expect((await demo.describe(system(), "http://x")).sign_ins).toHaveLength(5);
    expect((await demo.describe(bare.as({ kind: "system" }), "http://x")).sign_ins).toEqual([]);
  });
});
