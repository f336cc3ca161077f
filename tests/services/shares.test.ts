// What one person may take of the connections that people share (decision 0095).
import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import type { Sql } from "../../db/client";
import { merchants, stores } from "../../db/schema/merchants";
import type { Core } from "../../server/context";
import { sharing } from "../../server/shares";
import { testCore, testDatabase, untilWaiting } from "../support/database";

const database = testDatabase();

/** While each of these waits for a table, `meanwhile` is done; then they are done, too. */
async function whileWaiting(ask: () => Promise<unknown>, count: number, meanwhile: () => Promise<void>) {
  let held: Promise<unknown>[] = [];
  await database.sql.begin(async (tx) => {
    await tx`lock table stores in access exclusive mode`;
    held = Array.from({ length: count }, ask);
    await untilWaiting(database.sql, 2);
    await meanwhile();
    const [row] = await database.sql`select count(*)::int as n from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    expect(row!.n).toBe(2);
  });
  await Promise.all(held);
}

const one = async (sql: Sql) => (await sql`select 1 as one`)[0]!.one;
/** Asks for what is locked, over each kind of connection. */
const asks: [what: string, ask: (core: Core) => PromiseLike<unknown>][] = [
  ["statements", ({ sql }) => sql`select from stores`],
  ["transactions", ({ sql }) => sql.begin((tx) => tx`select from stores`)],
  ["statements of Drizzle's", ({ db }) => db.select({ id: stores.id }).from(stores)],
  ["unmapped statements of Drizzle's", ({ db }) => db.execute("select from stores")],
  ["transactions of Drizzle's", ({ db }) => db.transaction((tx) => tx.select({ id: stores.id }).from(stores))],
];

it.each(asks)(
  "somebody's %s are two at a time, however many come by however many requests; others go on",
  async (_, ask) => {
    const shareOf = sharing(testCore(database));
    await whileWaiting(
      async () => ask(shareOf("a")),
      30,
      async () => {
        const other = shareOf("b");
        expect(await one(other.sql)).toBe(1);
        expect(await other.db.execute("select 1 as one")).toMatchObject([{ one: 1 }]);
      },
    );
  },
);

it.each(asks)(
  "who has two hundred %s waiting is told to come back with the next request, and nobody else",
  async (_, ask) => {
    const shareOf = sharing(testCore(database));
    await whileWaiting(
      async () => ask(shareOf("a")),
      201,
      async () => {
        expect(() => shareOf("a")).toThrow(
          expect.objectContaining({ code: "rate_limited", details: { retry_after: 1 } }),
        );
        expect(await one(shareOf("b").sql)).toBe(1);
      },
    );
    expect(await one(shareOf("a").sql)).toBe(1);
  },
);

it.each(asks)("once a request is given up none of its %s begins", async (_, ask) => {
  const core = sharing(testCore(database))("a", () => true);
  await expect(Promise.resolve(ask(core))).rejects.toThrow();
  expect(await one(sharing(testCore(database))("a").sql)).toBe(1);
});

it.each<[what: string, ask: (core: Core, name: string, giveUp: () => void) => PromiseLike<unknown>]>([
  [
    "transaction",
    ({ sql }, name, giveUp) =>
      sql.begin(async (tx) => {
        await tx`insert into merchants (id, name) values (${randomUUID()}, ${name})`;
        giveUp();
      }),
  ],
  [
    "transaction of Drizzle's",
    ({ db }, name, giveUp) =>
      db.transaction(async (tx) => {
        await tx.insert(merchants).values({ name });
        giveUp();
      }),
  ],
])("a %s that is under way when its request is given up leaves nothing behind", async (_, ask) => {
  const shareOf = sharing(testCore(database));
  const count = async (name: string) =>
    (await database.sql`select count(*)::int as n from merchants where name = ${name}`)[0]!.n;
  const [kept, given] = [randomUUID(), randomUUID()];
  await ask(shareOf("a"), kept, () => {});
  expect(await count(kept)).toBe(1);
  let isGivenUp = false;
  const asked = ask(
    shareOf("a", () => isGivenUp),
    given,
    () => {
      isGivenUp = true;
    },
  );
  await expect(Promise.resolve(asked)).rejects.toMatchObject({ code: "unavailable" });
  expect(await count(given)).toBe(0);
});
