// A migration beside a call that has what it needs, and needs what it has.
import { describe, expect, it } from "vitest";
import { migrate } from "../../db/client";
import { testDatabase } from "../support/database";
import { withMigration } from "../support/migrations";

const database = testDatabase();

/** For a second at most: the next try finds nobody. */
const untilSomebodyWaitsForProducts = `do $$ begin
  for i in 1..100 loop
    exit when exists (select from pg_locks where relation = 'products'::regclass and not granted);
    perform pg_sleep(0.01);
  end loop;
end $$`;

const lockOnProducts = () => database.sql`
  select from pg_locks where relation = 'products'::regclass and mode = 'AccessExclusiveLock' and granted`;

describe("a migration and a call that wait for one another", () => {
  it("end with the call answered, and the migration done after it", async () => {
    const folder = await withMigration(database, [
      "alter table products add column nickname text",
      untilSomebodyWaitsForProducts,
      "alter table stores add column nickname text",
    ]);
    let migrated: Promise<void> | undefined;
    const call = database.sql.begin(async (tx) => {
      await tx`select from stores limit 1`;
      migrated = migrate(database.url, folder);
      await expect.poll(async () => (await lockOnProducts()).length).toBe(1);
      return tx`select count(*)::int as products from products`;
    });
    await expect(call).resolves.toEqual([{ products: 0 }]);
    await migrated;
    expect(await database.sql`select count(nickname)::int as named from stores`).toEqual([{ named: 0 }]);
  }, 60_000);
});

describe("a migration that two instances find as they start", () => {
  it("is done once: the other waits for it, and starts with what it finds", async () => {
    const folder = await withMigration(database, [
      "select pg_sleep(0.5)",
      "create table found_by_two (id int)",
      "select pg_sleep(0.5)",
    ]);
    await Promise.all([migrate(database.url, folder), migrate(database.url, folder)]);
    const [row] = await database.sql`
      select count(*)::int as times from drizzle.__drizzle_migrations
      where created_at = (select max(created_at) from drizzle.__drizzle_migrations)`;
    expect(row).toEqual({ times: 1 });
  });
});
