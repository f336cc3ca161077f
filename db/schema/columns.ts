// Column types and shorthands that Drizzle does not bring.
import { sql } from "drizzle-orm";
import { type AnyPgColumn, check, customType, index, timestamp, uuid } from "drizzle-orm/pg-core";
import { v7 as uuidv7 } from "uuid";

export const bytea = customType<{ data: Buffer }>({ dataType: () => "bytea" });
export const tsvector = customType<{ data: string }>({ dataType: () => "tsvector" });
/** What people are shown lists by: in their order, in which neither capitals nor accents come first. */
export const called = customType<{ data: string }>({ dataType: () => 'text collate "und-x-icu"' });

/** UUIDv7 primary key, made by the application: PostgreSQL 15 has no uuidv7(). */
export const id = () => uuid().primaryKey().$defaultFn(uuidv7);
/** An instant, kept in UTC. */
export const instant = () => timestamp({ withTimezone: true, mode: "date" });
export const createdAt = () => instant().notNull().default(sql`now()`);

/** For a column that names an account, if any: without it each account that goes is looked for in the whole table. */
export const accountIndex = (name: string, column: AnyPgColumn) =>
  index(name).on(column).where(sql`${column} is not null`);

/** A check that the column has one of the values of its `enum`. */
export const oneOf = (name: string, column: AnyPgColumn, values: readonly string[]) =>
  check(name, sql`${column} in (${literals(values)})`);
/** The same for every element of an array. */
export const allOf = (name: string, column: AnyPgColumn, values: readonly string[]) =>
  check(name, sql`${column} <@ array[${literals(values)}]`);

const literals = (values: readonly string[]) => sql.raw(values.map((value) => `'${value}'`).join(","));
