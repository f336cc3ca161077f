// Which platforms a merchant sees at a store, what they read of it, and what the merchant decides.
import { describe, expect, it } from "vitest";
import { grants } from "../../db/schema/merchants";
import type { Ctx, Merchant } from "../../server/context";
import * as pipeline from "../../server/pipeline";
import * as decisions from "../../server/services/agent-decisions";
import * as agents from "../../server/services/agents";
import * as platforms from "../../server/services/consumers";
import { readable } from "../../server/services/coverage";
import { refuseKey } from "../../server/services/key-admission";
import * as merchantStores from "../../server/services/merchant-stores";
import * as review from "../../server/services/review";
import * as usage from "../../server/services/usage";
import { rollUp } from "../../server/services/usage-rollup";
import { beginningOf } from "../../server/services/usage-steps";
import { testDatabase } from "../support/database";
import { makeConsumer, makeMerchant, makeReader, makeStore } from "../support/factories";
import { loadRows } from "../support/feed";
import { rollUpAll } from "../support/usage";

const database = testDatabase();
const DAY_MS = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);
/** A read of a store, as usage counts it. */
const answered = ({ id: storeId }: { id: string }): usage.UsageEvent => ({
  ...{ method: "tools/call", tool: "get_store_info", storeId, status: 200 },
  ...{ latencyUs: 1, requestBytes: 1, responseBytes: 1, client: {} },
});

async function makeShop(given: Parameters<typeof makeStore>[1] = {}) {
  const store = await makeStore(database, given);
  const merchant = await makeMerchant(database, store.merchantId);
  return { store, merchant, as: (now?: Date) => database.as(merchant, now) };
}
const production = (given: Parameters<typeof makeConsumer>[1] = {}) =>
  makeConsumer(database, { state: "production", decidedAt: daysAgo(40), ...given });

const standingOf = async (merchant: Merchant, store: string, platform: string) =>
  (await agents.get(database.as(merchant), { store, platform })).standing;

describe("where a platform stands", () => {
  it("is “reading” exactly where the one predicate says that it may read", async () => {
    const { store, merchant } = await makeShop();
    const states = ["under_review", "sandbox", "production_requested", "production", "revoked"] as const;
    const seen = new Set<string>();
    for (const discovery of [true, false]) {
      await database.sql`update stores set ai_discovery = ${discovery} where id = ${store.id}`;
      for (const state of states)
        for (const coverage of ["default_on", "explicit"] as const)
          for (const [blocked, granted] of [
            [0, 0],
            [1, 0],
            [0, 1],
            [1, 1],
          ]) {
            const revokedFrom = state === "revoked" ? ("production" as const) : null;
            const consumer = await makeConsumer(database, { state, coverage, revokedFrom });
            const pair = { consumer_id: consumer.id, store_id: store.id };
            if (blocked) await database.sql`insert into blocks ${database.sql(pair)}`;
            if (granted) await database.sql`insert into grants ${database.sql(pair)}`;
            const reader = { consumerId: consumer.id, tier: consumer.tier, coverage };
            const [row] = await database.sql`
              select 1 from stores s where s.id = ${store.id} and ${readable(database.sql, reader)}`;
            // A revoked consumer's calls are refused before any store is looked at.
            const mayRead = row !== undefined && state === "production";
            const standing = await standingOf(merchant, store.slug, consumer.slug).catch((error) => error.code);
            expect(standing === "reading", `${state} ${coverage} ${blocked} ${granted} ${discovery}`).toBe(mayRead);
            seen.add(standing);
          }
    }
    expect([...seen].toSorted()).toEqual(["blocked", "discovery_off", "ended", "not_found", "not_granted", "reading"]);
  });

  it("counts and lists the same, a page at a time, both ways", async () => {
    const { store, as } = await makeShop();
    const mine = await Promise.all(
      Array.from({ length: 60 }, (_, i) => production({ name: `Page ${String(i).padStart(2, "0")}` })),
    );
    const counted = await agents.count(as(), { store: store.slug });
    expect(counted.reading).toBeGreaterThanOrEqual(mine.length);
    const names: string[] = [];
    const asked = { store: store.slug, standing: "reading" as const, query: "Page " };
    let page = await agents.list(as(), asked);
    const first = page;
    for (;;) {
      names.push(...page.rows.map(({ name }) => name));
      if (!page.next) break;
      page = await agents.list(as(), { ...asked, cursor: page.next });
    }
    expect(names).toEqual(mine.map(({ name }) => name).toSorted());
    expect(first.previous).toBeUndefined();
    const before = await agents.list(as(), { ...asked, cursor: page.previous! });
    const start = await agents.list(as(), { ...asked, cursor: before.previous! });
    expect(start.rows).toEqual(first.rows);
    expect(start.previous).toBeUndefined();
    await expect(agents.list(as(), { ...asked, query: "other", cursor: first.next! })).rejects.toMatchObject({
      code: "invalid_arguments",
    });
  });

  it("stays in sight when a platform that went live loses its access", async () => {
    const { store, merchant } = await makeShop();
    const consumer = await production();
    await database.sql`insert into notifications (id, consumer_id, store_id) values (gen_random_uuid(), ${consumer.id}, ${store.id})`;
    await database.sql`update consumers set state = 'revoked', revoked_from = 'production' where id = ${consumer.id}`;
    expect(await standingOf(merchant, store.slug, consumer.slug)).toBe("ended");
  });

  it("stays in sight of a merchant who decided about it, though it went live before the store was there", async () => {
    const { store, merchant, as } = await makeShop();
    const [granted, blocked] = [await production({ coverage: "explicit" }), await production()];
    await decisions.grant(as(), { store: store.slug, platform: granted.slug });
    await decisions.block(as(), { store: store.slug, platform: blocked.slug });
    for (const { id, slug } of [granted, blocked]) {
      await database.sql`update consumers set state = 'revoked', revoked_from = 'production' where id = ${id}`;
      expect(await standingOf(merchant, store.slug, slug)).toBe("ended");
    }
  });

  it("is of that platform and that store alone, whatever others have", async () => {
    const [{ store, merchant, as }, other] = [await makeShop(), await makeShop()];
    const here = ({ slug }: { slug: string }) => standingOf(merchant, store.slug, slug).catch(({ code }) => code);
    const [live, gone, blocked] = [await production(), await production(), await production()];
    const granted = await production({ coverage: "explicit" });
    await database.sql`insert into notifications (id, consumer_id, store_id) values
      (gen_random_uuid(), ${live.id}, ${store.id}), (gen_random_uuid(), ${gone.id}, ${other.store.id})`;
    await database.sql`update consumers set state = 'revoked', revoked_from = 'production' where id = ${gone.id}`;
    expect(await here(gone)).toBe("not_found");
    await expect(agents.readerOf(as(), { store: store.slug, platform: gone.slug })).rejects.toMatchObject({
      code: "not_found",
    });
    await decisions.block(other.as(), { store: other.store.slug, platform: blocked.slug });
    await decisions.grant(other.as(), { store: other.store.slug, platform: granted.slug });
    expect(await here(granted)).toBe("not_granted");
    await database.db.insert(grants).values({ consumerId: blocked.id, storeId: store.id });
    expect(await agents.get(as(), { store: store.slug, platform: granted.slug })).toMatchObject({ granted: false });
    const blockedHere = { store: store.slug, standing: "blocked" as const };
    expect((await agents.list(as(), blockedHere)).rows).toEqual([]);
    await merchantStores.setDiscovery(as(), { store: store.slug, on: false });
    expect(await here(blocked)).toBe("discovery_off");
  });

  it("tells nothing of limits, keys, or who works there", async () => {
    const { store, as } = await makeShop();
    const consumer = await production({ rateLimit: 4_321, maxKeys: 37 });
    const told = [
      await agents.get(as(), { store: store.slug, platform: consumer.slug }),
      await agents.list(as(), { store: store.slug, standing: "reading", query: consumer.name }),
      await agents.readsOf(as(), { store: store.slug, platform: consumer.slug }),
    ];
    for (const secret of ["4321", "37,", consumer.owner.email, consumer.owner.name, consumer.id]) {
      expect(JSON.stringify(told)).not.toContain(secret);
    }
  });

  it("counts among a store's platforms exactly while it can read the store", async () => {
    const { store, as } = await makeShop();
    const platforms = async () => (await merchantStores.get(as(), { store: store.slug })).platforms;
    const before = await platforms();
    await makeConsumer(database);
    await production({ coverage: "explicit" });
    expect(await platforms()).toBe(before);
    const { slug: platform } = await production();
    expect(await platforms()).toBe(before + 1);
    await decisions.block(as(), { store: store.slug, platform });
    expect(await platforms()).toBe(before);
    await merchantStores.setDiscovery(as(), { store: store.slug, on: false });
    expect(await platforms()).toBe(0);
  });
});

const { block, unblock, grant, withdraw } = decisions;
const deciding = { block, unblock, grant, withdraw };

describe("since when", () => {
  const sinceOf = async (as: () => Ctx<Merchant>, store: string, platform: string) =>
    (await agents.get(as(), { store, platform })).since!.getTime();

  it("is the last of what its standing follows from, whatever is decided at other stores and of other platforms", async () => {
    const [{ store, as }, other] = [await makeShop(), await makeShop()];
    const coverage = "explicit";
    const [explicit, neighbour] = [await production({ coverage }), await production({ coverage })];
    const pair = { store: store.slug, platform: explicit.slug };
    const there = { store: other.store.slug, platform: explicit.slug };
    for (const act of ["grant", "block"] as const) {
      await deciding[act](other.as(), there);
      await deciding[act](as(), { ...pair, platform: neighbour.slug });
    }
    const times: number[] = [];
    const told = async () => times.push(await sinceOf(as, pair.store, pair.platform));
    await told();
    for (const act of ["grant", "block", "unblock", "withdraw", "grant", "off", "on"] as const) {
      if (act === "off" || act === "on")
        await merchantStores.setDiscovery(as(), { store: store.slug, on: act === "on" });
      else await deciding[act](as(), pair);
      await told();
      for (const on of [false, true]) await merchantStores.setDiscovery(other.as(), { store: there.store, on });
      for (const elsewhere of ["withdraw", "unblock", "grant", "block"] as const)
        await deciding[elsewhere](other.as(), there);
      for (const neighbours of ["withdraw", "unblock", "grant", "block"] as const)
        await deciding[neighbours](as(), { ...pair, platform: neighbour.slug });
      expect(await sinceOf(as, pair.store, pair.platform), act).toBe(times.at(-1));
    }
    expect(times.toSorted((a, b) => a - b)).toEqual(times);
    expect(new Set(times).size).toBe(times.length);
  });

  it("is nothing that a grant or the switch did where neither counts", async () => {
    const { store, as } = await makeShop();
    const { id, slug: platform } = await production({ coverage: "explicit" });
    const pair = { store: store.slug, platform };
    await decisions.grant(as(), pair);
    await decisions.withdraw(as(), pair);
    const withdrawn = await sinceOf(as, store.slug, platform);
    for (const on of [false, true]) await merchantStores.setDiscovery(as(), { store: store.slug, on });
    expect(await sinceOf(as, store.slug, platform)).toBe(withdrawn);
    await decisions.grant(as(), pair);
    await database.sql`update consumers set coverage = 'default_on' where id = ${id}`;
    await decisions.withdraw(as(), pair);
    const [period] =
      await database.sql`select began from coverage_periods where consumer_id = ${id} and kind = 'default_on'`;
    expect(await sinceOf(as, store.slug, platform)).toBe(period!.began.getTime());
  });

  const endOf = async (consumerId: string, kind: string) =>
    (
      await database.sql`select ended from coverage_periods where consumer_id = ${consumerId} and kind = ${kind}`
    )[0]!.ended.getTime();

  it("is of a platform that lost its access when it lost it, whatever is decided of it later", async () => {
    const operator = database.as({ kind: "operator", accountId: null });
    const [{ store, as }, demo] = [await makeShop(), await makeShop({ is_demo: true })];
    const { id, slug } = await production();
    await database.sql`insert into notifications (id, consumer_id, store_id)
      select gen_random_uuid(), ${id}, unnest(${[store.id, demo.store.id]}::uuid[])`;
    await platforms.change(operator, { slug, set: { tier: "sandbox" } });
    const lost = await endOf(id, "default_on");
    expect(await sinceOf(as, store.slug, slug)).toBe(lost);
    await database.sql`update consumers set state = 'production_requested' where id = ${id}`;
    const version = async () =>
      (await database.sql`select version from consumers where id = ${id}`)[0]!.version as number;
    await review.decline(operator, { slug, version: await version(), reason: "No." });
    expect(await sinceOf(as, store.slug, slug)).toBe(lost);
    await review.reject(operator, { slug, version: await version(), reason: "No." });
    expect(await sinceOf(as, store.slug, slug)).toBe(lost);
    // Sandbox reads the demo store.
    expect(await sinceOf(demo.as, demo.store.slug, slug)).toBe(await endOf(id, "access"));
    await database.sql`delete from stores where id = ${demo.store.id}`;
  });

  it("is of a platform that lost its access before that was kept when it was decided", async () => {
    const { store, as } = await makeShop();
    const { id, slug, decidedAt } = await makeConsumer(database, {
      state: "revoked",
      revokedFrom: "production",
      decidedAt: daysAgo(40),
    });
    await database.sql`insert into notifications (id, consumer_id, store_id) values (gen_random_uuid(), ${id}, ${store.id})`;
    expect(await sinceOf(as, store.slug, slug)).toBe(decidedAt!.getTime());
  });

  it("is at the demo store since both were there, whatever else is decided", async () => {
    const early = await makeConsumer(database);
    const { store, as } = await makeShop({ is_demo: true });
    const late = await makeConsumer(database);
    const times = [await sinceOf(as, store.slug, early.slug), await sinceOf(as, store.slug, late.slug)];
    expect(times[0]).toBe((await merchantStores.get(as(), { store: store.slug })).updatedAt.getTime());
    expect(times[1]).toBeGreaterThan(times[0]!);
    await database.sql`update consumers set state = 'production', utm_source = slug, decided_at = now() where id = ${late.id}`;
    await database.sql`update stores set ai_discovery = false where id = ${store.id}`;
    expect(await sinceOf(as, store.slug, late.slug)).toBe(times[1]);
    await database.sql`delete from stores where id = ${store.id}`;
  });
});

describe("deciding", () => {
  it("is recorded once, with who and what; said again, it changes nothing", async () => {
    const { store, merchant, as } = await makeShop();
    const { slug: platform } = await production();
    const pair = { store: store.slug, platform };
    await Promise.all(Array.from({ length: 5 }, () => decisions.block(as(), pair)));
    await decisions.unblock(as(), pair);
    await decisions.unblock(as(), pair);
    const acts = await database.sql`
      select action, actor_id, after->>'platform' as platform from audit where target_id = ${store.id} and action like 'agent.%' order by at`;
    const by = { actor_id: merchant.accountId, platform };
    expect(acts).toEqual([
      { action: "agent.block", ...by },
      { action: "agent.unblock", ...by },
    ]);
  });

  it("has no say over platforms in sandbox, grants that change nothing, or the demo store", async () => {
    const { store, as } = await makeShop();
    const sandbox = await makeConsumer(database);
    await expect(decisions.block(as(), { store: store.slug, platform: sandbox.slug })).rejects.toMatchObject({
      code: "not_found",
    });
    const byDefault = await production();
    await expect(decisions.grant(as(), { store: store.slug, platform: byDefault.slug })).rejects.toMatchObject({
      code: "conflict",
    });
    const demo = await makeShop({ is_demo: true });
    await expect(decisions.block(demo.as(), { store: demo.store.slug, platform: byDefault.slug })).rejects.toThrow(
      "is the demo store",
    );
    await expect(merchantStores.setDiscovery(demo.as(), { store: demo.store.slug, on: false })).rejects.toThrow(
      "is the demo store",
    );
  });
});

describe("what a platform read", () => {
  it("is counted by tool and by product in 7 and 30 days: answered calls of this store alone", async () => {
    const { store, as } = await makeShop();
    const other = await makeStore(database);
    await loadRows(database, store.id, [
      { id: "tent-red", item_group_id: "tent", color: "red", title: "Tent" },
      { id: "tent-blue", item_group_id: "tent", color: "blue", title: "Tent" },
      { id: "stove", title: "Stove" },
    ]);
    const reader = await makeReader(database);
    const write = (
      tool: string,
      days: number,
      given: { storeId?: string; productIds?: string[]; errorCode?: string } = {},
    ) => usage.record(database.as(reader, daysAgo(days)), { ...answered(store), tool, ...given });
    await write("get_product", 1, { productIds: ["tent-red"] });
    await write("get_product", 20, { productIds: ["tent-blue"] });
    await write("lookup_products", 2, { productIds: ["tent", "stove", "there is none"] });
    // One read, however many of its variants it names.
    await write("check_inventory", 3, { productIds: ["tent-red", "tent-blue"] });
    await write("search_products", 2);
    await write("get_product", 31, { productIds: ["stove"] });
    await write("get_product", 1, { productIds: ["stove"], errorCode: "product_not_found" });
    // Of a minute that is not over, too.
    await write("get_product", 0, { productIds: ["stove"], errorCode: "product_not_found" });
    await write("get_product", 1, { storeId: other.id, productIds: ["stove"] });
    await loadRows(database, other.id, [
      { id: "stove", title: "Theirs" },
      { id: "there is none", item_group_id: "theirs", title: "Theirs" },
    ]);
    await usage.record(database.as(await makeReader(database), daysAgo(1)), answered(store));
    const pair = { store: store.slug, platform: reader.slug };
    expect(await agents.readsOf(as(), pair)).toEqual({
      tools: [
        { tool: "get_product", last7: 1, last30: 2 },
        { tool: "check_inventory", last7: 1, last30: 1 },
        { tool: "lookup_products", last7: 1, last30: 1 },
        { tool: "search_products", last7: 1, last30: 1 },
      ],
      products: [
        { productId: "tent", title: expect.any(String), excluded: false, last7: 3, last30: 4 },
        { productId: "stove", title: "Stove", excluded: false, last7: 1, last30: 1 },
      ],
      ofLatest: null,
    });
    const lastAt = expect.any(Date);
    const counted = async () => {
      expect(await agents.get(as(), pair)).toMatchObject({ last7: 4, last30: 5, lastAt });
      const { rows } = await agents.list(as(), { store: store.slug, standing: "reading", query: reader.slug });
      expect(rows).toMatchObject([{ last7: 4, last30: 5, lastAt }]);
    };
    await counted();
    for (const count of [rollUp, rollUpAll]) {
      await count(database);
      await counted();
    }
  });

  it("is counted in 7 and 30 days without the log, however much it was", async () => {
    const { store, as } = await makeShop();
    const reader = await makeReader(database);
    for (const days of [1, 8]) await usage.record(database.as(reader, daysAgo(days)), answered(store));
    await rollUp(database);
    await database.sql`delete from usage_events where store_id = ${store.id}`;
    const counted = { last7: 1, last30: 2, lastAt: null };
    expect(await agents.get(as(), { store: store.slug, platform: reader.slug })).toMatchObject(counted);
    const { rows } = await agents.list(as(), { store: store.slug, standing: "reading", query: reader.slug });
    expect(rows).toMatchObject([counted]);
  });

  it("is told by tool and product of the latest 10,000 reads, and says so where there may be more", async () => {
    const { store, as } = await makeShop();
    await loadRows(database, store.id, [
      { id: "old", title: "Old" },
      { id: "new", title: "New" },
    ]);
    const { id, slug: platform } = await production();
    const write = (count: number, days: number, product: string) => database.sql`
      insert into usage_events (request_id, at, consumer_id, endpoint, method, tool, store_id, status, latency_us, request_bytes,
        response_bytes, product_ids)
      select gen_random_uuid(), ${daysAgo(days)}::timestamptz + n * interval '1 ms', ${id}, 'api', 'tools/call', 'get_product',
        ${store.id}, 200, 1, 1, 1, array[${product}] from generate_series(1, ${count}::int) n`;
    await write(300, 9, "old");
    await write(9_800, 2, "new");
    expect(await agents.readsOf(as(), { store: store.slug, platform })).toEqual({
      tools: [{ tool: "get_product", last7: 9_800, last30: 10_000 }],
      products: [
        { productId: "new", title: "New", excluded: false, last7: 9_800, last30: 9_800 },
        { productId: "old", title: "Old", excluded: false, last7: 0, last30: 200 },
      ],
      ofLatest: 10_000,
    });
  });

  it.each(["23:30", "13:30"])(
    "is counted from where the 7 and 30 days of the Usage page begin, at %s",
    async (time) => {
      const { store, as } = await makeShop();
      const reader = await makeReader(database);
      const now = new Date(`${daysAgo(1).toISOString().slice(0, 10)}T${time}:00Z`);
      const [week, month] = [beginningOf("7d", now).getTime(), beginningOf("30d", now).getTime()];
      const firstWholeDay = Math.ceil(week / DAY_MS) * DAY_MS;
      for (const at of [month - 1, month, week - 1, week, firstWholeDay])
        await usage.record(database.as(reader, new Date(at)), answered(store));
      const pair = { store: store.slug, platform: reader.slug };
      expect(await agents.get(as(now), pair)).toMatchObject({ last7: 2, last30: 4 });
      await rollUp(database);
      expect(await agents.get(as(now), pair)).toMatchObject({ last7: 2, last30: 4 });
      expect(await agents.readsOf(as(now), pair)).toMatchObject({ tools: [{ last7: 2, last30: 4 }] });
    },
  );
});

describe("the preview", () => {
  it("is the refusal of the doors for a platform that has no access any more, never an answer", async () => {
    const { store, as } = await makeShop();
    await loadRows(database, store.id, [{ id: "stove", title: "Stove" }]);
    const { slug: platform, id } = await production();
    await database.sql`insert into notifications (id, consumer_id, store_id) values (gen_random_uuid(), ${id}, ${store.id})`;
    const look = async (tool: string, args: (storeId: string) => object) => {
      const { reader, storeId } = await agents.readerOf(as(), { store: store.slug, platform });
      return pipeline.preview(reader, tool, args(storeId));
    };
    const both = () =>
      Promise.all([
        look("get_store_info", (storeId) => ({ store_id: storeId })),
        look("search_products", (storeId) => ({ store_ids: [storeId] })),
      ]);
    for (const { answer } of await both()) expect(answer).toBeDefined();
    await database.sql`update consumers set state = 'revoked', revoked_from = 'production' where id = ${id}`;
    const { code, message } = refuseKey("access_revoked");
    for (const seen of await both()) expect(seen).toEqual({ refusal: { code, message } });
  });

  it("is what the platform is answered, with its links; nothing is counted or recorded", async () => {
    const { store, as } = await makeShop();
    await loadRows(database, store.id, [{ id: "stove", title: "Stove" }]);
    const { slug: platform, id } = await production();
    const look = async () => {
      const { reader, storeId } = await agents.readerOf(as(), { store: store.slug, platform });
      return pipeline.preview(reader, "search_products", { store_ids: [storeId], query: "stove" });
    };
    const { answer } = await look();
    expect(answer).toMatchObject({
      products: [{ product_id: "stove", product_url: expect.stringContaining(platform) }],
    });
    await decisions.block(as(), { store: store.slug, platform });
    expect((await look()).refusal?.code).toBe("store_not_available");
    const [kept] = await database.sql`
      select (select count(*)::int from usage_events where consumer_id = ${id}) as rows,
        (select count(*)::int from rate_limits where key like ${`%${id}%`}) as points`;
    expect(kept).toEqual({ rows: 0, points: 0 });
  });

  it.each([
    ["explicit", "gorse"],
    ["default_on", "heath"],
  ] as const)(
    "tells nothing of what a platform in %s coverage reads in another merchant's store",
    async (coverage, word) => {
      const [own, other] = [await makeShop(), await makeShop()];
      await database.sql`update stores set ai_discovery = false where id = ${other.store.id}`;
      await loadRows(database, own.store.id, [{ id: "boot", title: `${word}boot` }]);
      await loadRows(database, other.store.id, [{ id: "boat", title: `${word}boat` }]);
      const { slug: platform } = await production({ coverage });
      if (coverage === "explicit") await decisions.grant(own.as(), { store: own.store.slug, platform });
      const look = async () => {
        const { reader, storeId } = await agents.readerOf(own.as(), { store: own.store.slug, platform });
        return pipeline.preview(reader, "search_products", { store_ids: [storeId], query: `${word}boat` });
      };
      const before = await look();
      expect(before.answer).toMatchObject({ products: [{ product_id: "boot" }] });
      await database.sql`update stores set ai_discovery = true where id = ${other.store.id}`;
      if (coverage === "explicit") await decisions.grant(other.as(), { store: other.store.slug, platform });
      expect(await look()).toEqual(before);
    },
  );
});
