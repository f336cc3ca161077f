// One predicate decides what may be read: the tools, Coverage and go-live notifications agree with it, and it with
// the rules of access written down as plain TypeScript, in thousands of generated worlds.
import { sql as raw } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import type { Sql } from "../../db/client";
import type { Consumer, Ctx, Member } from "../../server/context";
import { search } from "../../server/services/catalog/search";
import { readable, readableByConsumer } from "../../server/services/coverage";
import * as coverage from "../../server/services/coverage-list";
import * as stores from "../../server/services/stores";
import { testDatabase } from "../support/database";
import { makeConsumer, makeStore } from "../support/factories";
import { loadRows } from "../support/feed";

const database = testDatabase();

const STORES = 5;
const CONSUMERS = 24;
const accessStates = ["sandbox", "production_requested", "production"] as const;
const states = ["under_review", ...accessStates, "revoked"] as const;

/** A store: the first is the demo store. */
interface Shop {
  aiDiscovery: boolean;
}
interface Platform {
  state: (typeof states)[number];
  revokedFrom: (typeof accessStates)[number];
  coverage: Consumer["coverage"];
  /** By store. */
  blocked: boolean[];
  granted: boolean[];
}
interface World {
  shops: Shop[];
  platforms: Platform[];
}

const perStore = fc.array(fc.boolean(), { minLength: STORES, maxLength: STORES });
const worlds: fc.Arbitrary<World> = fc.record({
  shops: fc.array(fc.record({ aiDiscovery: fc.boolean() }), { minLength: STORES, maxLength: STORES }),
  platforms: fc.array(
    fc.record({
      state: fc.constantFrom(...states),
      revokedFrom: fc.constantFrom(...accessStates),
      coverage: fc.constantFrom("default_on", "explicit"),
      blocked: perStore,
      granted: perStore,
    }),
    { minLength: CONSUMERS, maxLength: CONSUMERS },
  ),
});

/** Decisions 5: which stores, by number, a platform reads. */
function model({ shops }: World, { state, coverage, blocked, granted }: Platform): number[] {
  if (state === "under_review" || state === "revoked") return [];
  return shops.flatMap(({ aiDiscovery }, store) => {
    if (store === 0) return [store];
    if (state !== "production") return [];
    if (!aiDiscovery || blocked[store]) return [];
    return coverage === "default_on" || granted[store] ? [store] : [];
  });
}

let storeIds: string[];
let consumerIds: string[];
beforeAll(async () => {
  storeIds = [];
  for (let i = 0; i < STORES; i++) {
    const { id } = await makeStore(database, { is_demo: i === 0 });
    await loadRows(database, id, [{ id: "it", title: "Gazebo" }]);
    storeIds.push(id);
  }
  const made = await Promise.all(Array.from({ length: CONSUMERS }, () => makeConsumer(database)));
  consumerIds = made.map(({ id }) => id);
});

/** Turns the stores and consumers into those of the world. */
async function build(sql: Sql, { shops, platforms }: World): Promise<void> {
  const on = storeIds.filter((_, store) => shops[store]!.aiDiscovery);
  await sql`update stores set ai_discovery = (id = any (${on}::uuid[]))`;
  await sql`update consumers c set state = w.state, coverage = w.coverage, revoked_from = w.revoked_from, utm_source = c.slug
    from unnest(${consumerIds}::uuid[], ${platforms.map(({ state }) => state)}::text[], ${platforms.map((one) => one.coverage)}::text[],
      ${platforms.map(({ state, revokedFrom }) => (state === "revoked" ? revokedFrom : null))}::text[]) w (id, state, coverage, revoked_from)
    where c.id = w.id`;
  for (const [table, of] of [
    ["blocks", "blocked"],
    ["grants", "granted"],
  ] as const) {
    const pairs = platforms.flatMap((platform, i) =>
      platform[of].flatMap((holds, store) => (holds ? [[consumerIds[i]!, storeIds[store]!] as const] : [])),
    );
    await sql`insert into ${sql(table)} (consumer_id, store_id)
      select * from unnest(${pairs.map(([consumer]) => consumer)}::uuid[], ${pairs.map(([, store]) => store)}::uuid[])`;
  }
}

/** The numbers of stores, in order. */
const numbered = (ids: string[]) => ids.map((id) => storeIds.indexOf(id)).toSorted();

/** What each part of the service says that a platform reads. */
async function told(sql: Sql, consumerId: string, { state, revokedFrom, coverage: mode }: Platform) {
  const member: Ctx<Member> = {
    ...database.as({ kind: "member", consumerId, accountId: consumerId, role: "reviewer" }),
    sql,
  };
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
  const tier = (state === "revoked" ? revokedFrom : state) === "production" ? "production" : "sandbox";
  if (state === "under_review" || state === "revoked") return all;
  const actor = { kind: "consumer", consumerId, tier, coverage: mode, scopes: ["catalog:read"] } as unknown as Consumer;
  const ctx: Ctx<Consumer> = { ...database.as(actor), sql };
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

function expected(world: World, platform: Platform) {
  const reads = model(world, platform);
  const all = { coverage: reads, counted: reads.length, announced: reads, since: true, endedAndReadable: [] };
  if (platform.state === "under_review" || platform.state === "revoked") return all;
  const tools = { listStores: reads, search: reads, searchInStores: reads, getStoreInfo: reads };
  return { ...all, ...tools, predicate: reads, notified: reads, listedTotal: reads.length === 0 ? 0 : reads.length };
}

const RUNS = 90;

describe(`in ${RUNS * CONSUMERS} generated worlds`, () => {
  it("tools, Coverage and go-live agree with the predicate, and it with the rules", async () => {
    await fc.assert(
      fc.asyncProperty(worlds, async (world) => {
        const undone = new Error("undone");
        const result: { seen?: unknown } = {};
        await database.sql
          .begin(async (tx) => {
            const sql = tx as unknown as Sql;
            await build(sql, world);
            const seen = [];
            for (const [i, platform] of world.platforms.entries())
              seen.push(await told(sql, consumerIds[i]!, platform));
            result.seen = seen;
            throw undone;
          })
          .catch((error) => {
            if (error !== undone) throw error;
          });
        expect(result.seen).toEqual(world.platforms.map((platform) => expected(world, platform)));
      }),
      { numRuns: RUNS },
    );
  }, 240_000);
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
