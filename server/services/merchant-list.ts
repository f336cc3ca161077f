// The operators' list of merchants: all of them, or those that are called so.
import { z } from "zod";
import type { Sql } from "../../db/client";
import type { Ctx, Operator } from "../context";
import { Cursor, Sought } from "./fields";
import { containing } from "./like";
import { type Neighbours, pageOf, turnOf } from "./pages";

export const ListMerchants = z.strictObject({
  /** Part of a merchant's name, or of the name, slug or address of one of its stores. */
  query: Sought(200).optional(),
  cursor: Cursor,
  limit: z.int().min(1).max(200).default(50),
});

interface MerchantListing {
  id: string;
  name: string;
  createdAt: Date;
  stores: number;
  /** Of those, how many agents may read. */
  discoverable: number;
  members: number;
}

/** By name, a page at a time. @throws DomainError cursor_invalid, invalid_arguments */
export async function list(
  ctx: Ctx<Operator>,
  input: z.output<typeof ListMerchants>,
): Promise<Neighbours & { merchants: MerchantListing[] }> {
  const { sql } = ctx;
  const { limit } = input;
  const query = { list: "merchants", ...input };
  const turn = turnOf(ctx, query, ["string", "string"]);
  const { key, back } = turn;
  const like = input.query && containing(input.query);
  const found = like ? await lookUp(sql, like) : undefined;
  const order = back ? sql`order by name desc, id desc` : sql`order by name, id`;
  const rows = await sql<MerchantListing[]>`
    with page as materialized (
      select id, name, created_at from merchants m where true
        ${like ? sql`and ${found ? sql`m.id = any(${found}::uuid[])` : isCalled(sql, like)}` : sql``}
        ${key ? sql`and (name, id) ${back ? sql`<` : sql`>`} (${key[0]!}, ${key[1]!}::uuid)` : sql``}
      ${order} limit ${limit + 1})
    select id, name, created_at as "createdAt",
      (select count(*)::int from stores s where s.merchant_id = page.id) as stores,
      (select count(*)::int from stores s where s.merchant_id = page.id and s.ai_discovery) as discoverable,
      (select count(*)::int from merchant_members x where x.merchant_id = page.id) as members
    from page ${order}`;
  const keyOf = ({ name, id }: MerchantListing) => [name, id];
  const { rows: merchants, ...neighbours } = pageOf(ctx, query, turn, { found: rows, limit, keyOf });
  return { ...neighbours, merchants };
}

/** How many are looked up by what they are called; more are met soon enough on the way through the list. */
const MOST_LOOKED_UP = 1_000;

/** The merchants that are called so, or one of whose stores is; undefined where they are too many to be looked up. */
async function lookUp(sql: Sql, like: string): Promise<string[] | undefined> {
  // Two selects: indexes answer each, and not an "or" of both.
  const found = await sql<{ id: string }[]>`
    select id from merchants where name ilike ${like}
    union all
    select s.merchant_id from stores s where ${isStoreCalled(sql, like)}
    limit ${MOST_LOOKED_UP + 1}`;
  return found.length <= MOST_LOOKED_UP ? found.map(({ id }) => id) : undefined;
}

/** SQL: whether the merchant `m` is called so, or one of its stores is: no "exists", for which all stores may be read first. */
const isCalled = (sql: Sql, like: string) => sql`(m.name ilike ${like}
  or (select bool_or(${isStoreCalled(sql, like)}) from stores s where s.merchant_id = m.id))`;

const isStoreCalled = (sql: Sql, like: string) =>
  sql`(s.name ilike ${like} or s.slug ilike ${like} or s.url ilike ${like})`;
