// One predicate decides what may be read: the tools, Coverage and go-live notifications agree with it, and it with
// the rules of access written down as plain TypeScript, for every pair of a platform and a store that there can be.
import { sql as raw } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";
import { beforeAll, describe, expect, it } from "vitest";
import type { Sql } from "../../db/client";
import type { Consumer, Ctx, Member } from "../../server/context";
import { search } from "../../server/services/catalog/search";
import { readable, readableByConsumer } from "../../server/services/coverage";
import * as coverage from "../../server/services/coverage-list";
import * as stores from "../../server/services/stores";
import { testDatabase } from "../support/database";
import { makeConsumer } from "../support/factories";
import { makeStoreWith } from "../support/feed";

const database = testDatabase();

/** What a store can be to a platform. */
const pairs = [false, true].flatMap((blocked) => [false, true].map((granted) => ({ blocked, granted })));
/** AI Discovery, by store: the demo's, which is turned below, then as many with it and without as there are pairs. */
const discovery = [true, ...pairs.map(() => true), ...pairs.map(() => false)];

const accessStates = ["sandbox", "production_requested", "production"] as const;
const standings = [
  ...(["under_review", ...accessStates] as const).map((state) => ({ state, revokedFrom: null })),
  ...accessStates.map((revokedFrom) => ({ state: "revoked" as const, revokedFrom })),
];
/** Each standing and coverage, with each pair at the demo's store; at one store, others are to neighbours. */
const platforms = standings.flatMap((standing) =>
  (["default_on", "explicit"] as const).flatMap((coverage) =>
    pairs.map((_, turn) => ({
      ...standing,
      coverage,
      /** By store. */
      at: discovery.map((_, store) => pairs[(store + turn) % pairs.length]!),
    })),
  ),
);
type Platform = (typeof platforms)[number];

const hasAccess = ({ state }: Platform) => state !== "under_review" && state !== "revoked";

/** Decisions 5: which stores, by number, a platform reads. */
function model(platform: Platform): number[] {
  if (!hasAccess(platform)) return [];
  return discovery.flatMap((isOn, store) => {
    if (store === 0) return [store];
    const { blocked, granted } = platform.at[store]!;
    if (platform.state !== "production" || !isOn || blocked) return [];
    return platform.coverage === "default_on" || granted ? [store] : [];
  });
}

const storeIds: string[] = [];
let consumerIds: string[];
beforeAll(async () => {
  for (const [store, isOn] of discovery.entries()) {
    const { id } = await makeStoreWith(database, [{ id: "it", title: "Gazebo" }], {
      is_demo: store === 0,
      ai_discovery: isOn,
    });
    storeIds.push(id);
  }
  const made = await Promise.all(
    platforms.map(({ state, revokedFrom, coverage }) => makeConsumer(database, { state, revokedFrom, coverage })),
  );
  consumerIds = made.map(({ id }) => id);
  const { sql } = database;
  for (const [table, of] of [
    ["blocks", "blocked"],
    ["grants", "granted"],
  ] as const) {
    const held = platforms.flatMap(({ at }, i) =>
      at.flatMap((pair, store) => (pair[of] ? [[consumerIds[i]!, storeIds[store]!] as const] : [])),
    );
    await sql`insert into ${sql(table)} (consumer_id, store_id)
      select * from unnest(${held.map(([consumer]) => consumer)}::uuid[], ${held.map(([, store]) => store)}::uuid[])`;
  }
});

/** The numbers of stores, in order. */
const numbered = (ids: string[]) => ids.map((id) => storeIds.indexOf(id)).toSorted();

/** What each part of the service says that a platform reads. */
async function told(consumerId: string, platform: Platform) {
  const { sql } = database;
  const member: Ctx<Member> = database.as({ kind: "member", consumerId, accountId: consumerId, role: "reviewer" });
  const page = await coverage.list(member, {});
  const gone = await coverage.ended(member, {});
  const announced = await sql<{ id: string }[]>`
    select s.id from stores s, consumers c where c.id = ${consumerId} and ${readableByConsumer(sql)}`;
  const all = {
    coverage: numbered(page.stores.map(({ id }) => id)),
    counted: page.total,
    announced: numbered(announced.map(({ id }) => id)),
    since: page.stores.every(({ since }) => since instanceof Date),
    endedAndReadable: gone.stores.filter(({ id }) => page.stores.some((store) => store.id === id)),
  };
  // The doors let nobody else in.
  if (!hasAccess(platform)) return all;
  const tier = platform.state === "production" ? "production" : "sandbox";
  const scopes = ["catalog:read"];
  const actor = { kind: "consumer", consumerId, tier, coverage: platform.coverage, scopes } as unknown as Consumer;
  const ctx: Ctx<Consumer> = database.as(actor);
  const predicate = await sql<{ id: string }[]>`select s.id from stores s where ${readable(sql, actor)}`;
  // The same in Drizzle's template, as go-live writes its notifications.
  const live = new PgDialect().sqlToQuery(raw`select s.id from stores s where ${readable(raw, actor)}`);
  const notified = await sql.unsafe<{ id: string }[]>(live.sql, live.params as string[]);
  const listed = await stores.list(ctx, { limit: 50 });
  const found = await search(ctx, { query: "gazebo", sort: "relevance", limit: 50 });
  const inStores = await refused(search(ctx, { query: "gazebo", storeIds, sort: "relevance", limit: 50 }));
  const withInfo: string[] = [];
  for (const id of storeIds) if (await refused(stores.info(ctx, { storeId: id }))) withInfo.push(id);
  return {
    ...all,
    predicate: numbered(predicate.map(({ id }) => id)),
    notified: numbered(notified.map(({ id }) => id)),
    listStores: numbered(listed.stores.map(({ id }) => id)),
    listedTotal: listed.totalCount,
    search: numbered(found.products.map((product) => product.store_id)),
    searchInStores: numbered(inStores?.products.map((product) => product.store_id) ?? []),
    getStoreInfo: numbered(withInfo),
  };
}

/** Undefined where the store is not available. */
const refused = <T>(work: Promise<T>): Promise<T | undefined> =>
  work.catch((error) => {
    if (error.code !== "store_not_available") throw error;
    return undefined;
  });

function expected(platform: Platform) {
  const reads = model(platform);
  const all = { coverage: reads, counted: reads.length, announced: reads, since: true, endedAndReadable: [] };
  if (!hasAccess(platform)) return all;
  const tools = { listStores: reads, search: reads, searchInStores: reads, getStoreInfo: reads };
  return { ...all, ...tools, predicate: reads, notified: reads, listedTotal: reads.length };
}

describe.each([true, false])("every platform, whatever a store is to it, with the demo's AI Discovery %s", (isOn) => {
  it("reads the same by tools, Coverage and go-live as by the predicate, and by that what the rules say", async () => {
    await database.sql`update stores set ai_discovery = ${isOn} where is_demo`;
    for (const [i, platform] of platforms.entries())
      expect(await told(consumerIds[i]!, platform), JSON.stringify(platform)).toEqual(expected(platform));
  });
});

describe("with many stores and consumers", () => {
  const many = testDatabase();
  const readers: Record<string, Consumer> = {};
  const reader = (tier: Consumer["tier"], mode: Consumer["coverage"], id: string) =>
    ({ kind: "consumer", consumerId: id, tier, coverage: mode }) as Consumer;
  beforeAll(async () => {
    const merchant = crypto.randomUUID();
    await many.sql`insert into merchants (id, name) values (${merchant}, 'All of them')`;
    await many.sql`insert into stores (id, merchant_id, slug, name, is_demo, ai_discovery, url, country, currency, currencies, description)
      select gen_random_uuid(), ${merchant}, 'store-' || i, md5(i::text), i = 1, i % 50 > 0, 'https://a.example', 'IE', 'EUR', '{EUR}', repeat('x', 400)
      from generate_series(1, 10000) i`;
    await many.sql`insert into consumers (id, slug, name, state, scopes, rate_limit, max_keys, utm_source)
      select gen_random_uuid(), 'c' || i, 'c', 'production', '{catalog:read}', 60, 2, 'c' || i from generate_series(1, 100) i`;
    for (const table of ["blocks", "grants"])
      await many.sql`insert into ${many.sql(table)} (consumer_id, store_id)
        select c.id, s.id from consumers c join stores s on hashtext(${table} || c.id || s.id) % 200 = 0`;
    for (const table of ["stores", "blocks", "grants"]) await many.sql.unsafe(`vacuum (analyze) ${table}`);
    const [{ id }] = await many.sql<[{ id: string }]>`select id from consumers limit 1`;
    readers.sandbox = reader("sandbox", "default_on", id);
    readers.defaultOn = reader("production", "default_on", id);
    readers.explicit = reader("production", "explicit", id);
  });

  /** How PostgreSQL reads the stores for this. */
  async function plan(name: string, rest: (sql: Sql) => ReturnType<Sql>): Promise<string[]> {
    const { sql } = many;
    const rows =
      await sql`explain select s.id, s.name from stores s where ${readable(sql, readers[name]!)} ${rest(sql)}`;
    const text = rows.map((row) => String(row["QUERY PLAN"])).join("\n");
    return [...text.matchAll(/(\w[\w ]* Scan) (?:using (\w+) on|on) (\w+)/g)].map(
      ([, how, index, on]) => `${how} ${index ?? on}`,
    );
  }

  it("lists are read from the index alone, in its order; nobody reads the whole table", async () => {
    const none = (sql: Sql): ReturnType<Sql> => sql``;
    const page = (sql: Sql): ReturnType<Sql> => sql`order by s.name, s.id limit 51`;
    expect(await plan("defaultOn", page)).toContain("Index Only Scan stores_by_name");
    expect(await plan("defaultOn", none)).toContain("Index Only Scan stores_by_name");
    expect(await plan("sandbox", page)).toEqual(["Index Scan stores_one_demo"]);
    expect(await plan("explicit", page)).toContain("Index Scan stores_pkey");
    for (const name of Object.keys(readers))
      for (const rest of [page, none]) expect(await plan(name, rest)).not.toContain("Seq Scan stores");
  });

  it("one store is looked up by its id, and its pair by the pair's key", async () => {
    const one = (sql: Sql): ReturnType<Sql> => sql`and s.id = ${crypto.randomUUID()}`;
    expect(await plan("sandbox", one)).toHaveLength(1);
    // Two indexes have the pair whole: either will do.
    const pair = (table: string) =>
      expect.stringMatching(new RegExp(`^Index Only Scan ${table}_(store|consumer_id_store_id_pk)$`));
    expect((await plan("defaultOn", one)).toSorted()).toEqual([pair("blocks"), "Index Scan stores_pkey"]);
    const parts = [pair("blocks"), pair("grants"), "Index Scan stores_one_demo", "Index Scan stores_pkey"];
    expect((await plan("explicit", one)).toSorted()).toEqual(parts);
  });
});
