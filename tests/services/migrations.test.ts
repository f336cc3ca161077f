// A migration beside a call that has what it needs, and needs what it has.
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { migrate } from "../../db/client";
import { reindex } from "../../server/services/feeds/reindex";
import * as partitions from "../../server/services/partitions";
import { testCore, testDatabase } from "../support/database";
import { makeStore } from "../support/factories";
import { makeStoreWith } from "../support/feed";
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

describe("an index on a table that grows", () => {
  const folder = new URL("../../db/migrations/", import.meta.url);
  const statements = readdirSync(folder)
    .filter((name) => name.endsWith(".sql") && name >= "0024")
    .flatMap((name) => readFileSync(new URL(name, folder), "utf8").split("--> statement-breakpoint"));

  it("may have been made by hand before the release that brings it", () => {
    const growing =
      /CREATE (UNIQUE )?INDEX (?!IF NOT EXISTS)"\w+" ON "(usage_\w+|request_\w+|audit|products|variants|feed_loads|outbox)"/;
    expect(statements.filter((statement) => growing.test(statement))).toEqual([]);
    expect(statements.filter((statement) => /INDEX IF NOT EXISTS/.test(statement)).length).toBeGreaterThan(5);
  });

  it("is made beside calls as docs/operations.md says, also on the log of requests", async () => {
    const document = readFileSync(new URL("../../docs/operations.md", import.meta.url), "utf8");
    const recipe = document.match(/```sql\n(-- usage_events_account[\s\S]*?)```/)![1]!.replace(/^--.*$/gm, "");
    await partitions.make(database.sql, new Date("2031-03-01T10:00:00Z"));
    await database.sql`drop index usage_events_account`;
    const [first, ...parts] = recipe.split(/;|\\gexec/).filter((text) => text.trim());
    await database.sql.unsafe(first!);
    // Days that begin meanwhile have theirs already.
    await partitions.make(database.sql, new Date("2031-03-03T10:00:00Z"));
    for (const part of parts) {
      const made = await database.sql.unsafe(part);
      for (const { format } of made) await database.sql.unsafe(format);
    }
    await database.sql.unsafe(statements.find((statement) => statement.includes('"usage_events_account"'))!);
    await partitions.make(database.sql, new Date("2031-03-05T10:00:00Z"));
    const [row] = await database.sql`
      select bool_and(i.indisvalid) as valid, count(*)::int as indexes,
        (select count(*)::int from pg_partition_tree('usage_events')) as tables
      from pg_partition_tree('usage_events_account') t join pg_index i on i.indexrelid = t.relid`;
    expect(row).toEqual({ valid: true, indexes: row!.tables, tables: expect.any(Number) });
    expect(row!.tables).toBeGreaterThan(3);
    const twice = await database.sql`
      select indrelid from pg_index i join pg_inherits p on p.inhrelid = i.indrelid
      where p.inhparent = 'usage_events'::regclass and pg_get_indexdef(i.indexrelid) like '%(account_id, at)%'
      group by indrelid having count(*) > 1`;
    expect(twice).toEqual([]);
  });
});

it("what an older PostgreSQL has cut otherwise is indexed anew as docs/operations.md says", async () => {
  const document = readFileSync(new URL("../../docs/operations.md", import.meta.url), "utf8");
  const recipe = document.match(/```sql\n(-- Stems\.[\s\S]*?)```/)![1]!;
  const { id } = await makeStoreWith(database, [{ id: "it", title: "Zeltheringe", description: "Added pegs." }], {
    languages: ["de"],
  });
  const products = () => database.sql`select search::text, title_search::text from products where store_id = ${id}`;
  const loaded = [...(await products())];
  await database.sql`update products set search = 'otherwise', title_search = 'otherwise' where store_id = ${id}`;
  const [folded] = await database.sql`select pg_get_functiondef('folded(text)'::regprocedure) as made`;
  await database.sql.unsafe(folded!.made.replace(/\bRETURN .*$/s, "RETURN 'otherwise'"));
  await database.sql`
    insert into policies (id, store_id, question, answer, policy_type, updated_at)
    values (gen_random_uuid(), ${id}, 'Is a bag added?', 'Yes.', 'other', now())`;
  await database.sql.unsafe(folded!.made);
  const found = () => database.sql`select from policies where search @@ to_tsquery('aisle', 'bag')`;
  expect(await found()).toHaveLength(0);
  await database.sql.unsafe(recipe);
  await reindex(testCore(database), new AbortController().signal);
  expect(await products()).toEqual(loaded);
  expect(await found()).toHaveLength(1);
});

it("what the policies of before have unseen in their words is left out of the index, too", async () => {
  const statements = (name: string) =>
    readFileSync(new URL(`../../db/migrations/${name}.sql`, import.meta.url), "utf8").split("--> statement-breakpoint");
  const [before] = statements("0014_policies_folded");
  await database.sql.unsafe(before!.replace("CREATE FUNCTION", "CREATE OR REPLACE FUNCTION"));
  const { id } = await makeStore(database);
  await database.sql`
    insert into policies (id, store_id, question, answer, policy_type, updated_at)
    values (gen_random_uuid(), ${id}, ${"Was kommt ins Hand\u00adge\u00adpäck?"}, 'Alles.', 'other', now())`;
  const found = () => database.sql`select from policies where search @@ to_tsquery('aisle', 'handgepack')`;
  expect(await found()).toHaveLength(0);
  for (const statement of statements("0037_unseen_parts_no_word")) await database.sql.unsafe(statement);
  expect(await found()).toHaveLength(1);
});
