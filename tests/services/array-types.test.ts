// The driver is told the types of arrays instead of asking for them on each connection (decision 0073).
import { expect, it } from "vitest";
import { ARRAY_TYPES } from "../../db/array-types";
import { testDatabase } from "../support/database";

const database = testDatabase();

it("are PostgreSQL's own, by its own numbers", async () => {
  const found = await database.sql`
    select oid::int, typarray::int from pg_type where oid = any(${ARRAY_TYPES.map(([oid]) => oid)}::int[]) order by 1`;
  expect(found.map(({ oid, typarray }) => [oid, typarray])).toEqual(ARRAY_TYPES.map((pair) => [...pair]));
});

it("are all that our columns have", async () => {
  const found = await database.sql`
    select distinct a.attrelid::regclass || '.' || a.attname as column, t.typelem::int as type
    from pg_attribute a join pg_type t on t.oid = a.atttypid join pg_class c on c.oid = a.attrelid
    where t.typcategory = 'A' and a.attnum > 0 and c.relkind in ('r', 'p') and c.relnamespace in ('public'::regnamespace)`;
  const known = new Set<number>(ARRAY_TYPES.map(([oid]) => oid));
  expect(found.length).toBeGreaterThan(10);
  expect(found.filter(({ type }) => !known.has(type))).toEqual([]);
});
