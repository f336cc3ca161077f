import { eq } from "drizzle-orm";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Database } from "../../db/client";
import { products } from "../../db/schema/catalog";
import { consumers } from "../../db/schema/consumers";
import { blocks, grants, stores } from "../../db/schema/merchants";
import type { Ctx, Member } from "../../server/context";
import * as coverage from "../../server/services/coverage-list";
import { testDatabase } from "../support/database";
import { makeConsumer, makeStore } from "../support/factories";
import { loadRows } from "../support/feed";

const database = testDatabase();

/** A member of a new consumer. */
async function makeMember(given: Parameters<typeof makeConsumer>[1] = {}) {
  const { id } = await makeConsumer(database, given);
  return database.as({ kind: "member", consumerId: id, accountId: id, role: "reviewer" });
}
const production = (given: Parameters<typeof makeConsumer>[1] = {}) => makeMember({ state: "production", ...given });
const block = (ctx: Ctx<Member>, storeId: string) =>
  database.db.insert(blocks).values({ consumerId: ctx.actor.consumerId, storeId });
const unblock = (storeId: string) => database.db.delete(blocks).where(eq(blocks.storeId, storeId));
const discover = (storeId: string, aiDiscovery: boolean) =>
  database.db.update(stores).set({ aiDiscovery }).where(eq(stores.id, storeId));
const change = (ctx: Ctx<Member>, set: Partial<typeof consumers.$inferInsert>) =>
  database.db.update(consumers).set(set).where(eq(consumers.id, ctx.actor.consumerId));
const rename = (storeId: string, name: string) =>
  database.db.update(stores).set({ name }).where(eq(stores.id, storeId));

/** Names that only this test's stores have. */
const unique = () => `q${crypto.randomUUID().slice(0, 8)}`;

async function makeNamed(prefix: string, names: string[], given: Parameters<typeof makeStore>[1] = {}) {
  const made = [];
  for (const name of names) {
    const store = await makeStore(database, { ...given, name: `${prefix} ${name}` });
    made.push(store.id);
  }
  return made;
}
const namesOf = (page: { stores: { name: string }[] }) => page.stores.map(({ name }) => name.split(" ").at(-1));

describe("coverage", () => {
  it("tells for each store why, its country, categories and products, and how many there are", async () => {
    const prefix = unique();
    const [id] = await makeNamed(prefix, ["Tools"], { country: "NZ", categories: ["Saws", "Drills"] });
    await loadRows(database, id!, [
      { id: "1", title: "Saw" },
      { id: "2", title: "Drill" },
    ]);
    const all = await coverage.list(await production(), { query: prefix });
    expect(all).toMatchObject({
      total: 1,
      state: "production",
      mode: "default_on",
      previous: undefined,
      next: undefined,
    });
    expect(all.countries).toEqual([{ code: "NZ", count: 1 }]);
    expect(all.stores).toMatchObject([
      { id, country: "NZ", categories: ["Saws", "Drills"], productCount: 2, reason: "default_on" },
    ]);
    const explicit = await production({ coverage: "explicit" });
    expect((await coverage.list(explicit, { query: prefix })).total).toBe(0);
    await database.db.insert(grants).values({ consumerId: explicit.actor.consumerId, storeId: id! });
    expect((await coverage.list(explicit, { query: prefix })).stores).toMatchObject([{ id, reason: "granted" }]);
  });

  it("counts products as they come, vanish, are excluded and shown again", async () => {
    const prefix = unique();
    const [storeId] = await makeNamed(prefix, ["Tools"]);
    const ctx = await production();
    const count = async () => (await coverage.list(ctx, { query: prefix })).stores[0]!.productCount;
    const rows = ["1", "2", "3"].map((id) => ({ id, title: `Saw ${id}` }));
    expect(await count()).toBe(0);
    await loadRows(database, storeId!, rows);
    expect(await count()).toBe(3);
    const exclude = (excluded: boolean) =>
      database.db.update(products).set({ excluded }).where(eq(products.productId, "1"));
    await exclude(true);
    await exclude(true);
    expect(await count()).toBe(2);
    await loadRows(database, storeId!, rows.slice(0, 2));
    expect(await count()).toBe(1);
    await exclude(false);
    expect(await count()).toBe(2);
  });

  it("is found by a part of the name, in any case and as it stands, and by country", async () => {
    const prefix = unique();
    await makeNamed(prefix, ["100%_Wool", "Wool"], { country: "NZ" });
    await makeNamed(prefix, ["Wool-Shop"], { country: "AU" });
    const ctx = await production();
    expect(namesOf(await coverage.list(ctx, { query: `${prefix} wool` }))).toEqual(["Wool", "Wool-Shop"]);
    expect(namesOf(await coverage.list(ctx, { query: "0%_W" }))).toEqual(["100%_Wool"]);
    const there = await coverage.list(ctx, { query: prefix, country: "AU" });
    expect([namesOf(there), there.total]).toEqual([["Wool-Shop"], 1]);
    expect(there.countries).toEqual([
      { code: "NZ", count: 2 },
      { code: "AU", count: 1 },
    ]);
  });

  it("is paged by name, forwards and back, without gaps or repeats", async () => {
    const prefix = unique();
    const names = Array.from({ length: 120 }, (_, i) => String(i).padStart(3, "0"));
    await makeNamed(prefix, names.toReversed());
    const ctx = await production();
    const page = (cursor?: string) => coverage.list(ctx, { query: prefix, cursor });
    const first = await page();
    const second = await page(first.next);
    const third = await page(second.next);
    expect([first, second, third].flatMap(namesOf)).toEqual(names);
    expect([first.previous, third.next]).toEqual([undefined, undefined]);
    expect(first.total).toBe(120);
    const back = await page(third.previous);
    expect(namesOf(back)).toEqual(namesOf(second));
    const start = await page(back.previous);
    expect([namesOf(start), start.previous]).toEqual([namesOf(first), undefined]);
    await expect(coverage.list(ctx, { query: "another", cursor: first.next })).rejects.toMatchObject({
      code: "invalid_arguments",
    });
    await expect(page("junk")).rejects.toMatchObject({ code: "cursor_invalid" });
  });

  it("is of the member's own consumer", async () => {
    const prefix = unique();
    const [id] = await makeNamed(prefix, ["Shop"]);
    const [mine, theirs] = [await production(), await production()];
    await block(theirs, id!);
    expect((await coverage.list(mine, { query: prefix })).total).toBe(1);
    expect((await coverage.ended(mine, { query: prefix })).stores).toEqual([]);
    expect((await coverage.ended(theirs, { query: prefix })).stores).toMatchObject([{ id }]);
  });

  it("is to an operator what it is to the members of the consumer that is named", async () => {
    const prefix = unique();
    const [gone] = await makeNamed(
      prefix,
      Array.from({ length: 52 }, (_, i) => `Shop ${100 + i}`),
    );
    const operator = database.as({ kind: "operator", accountId: null });
    const [mine, theirs] = [await production(), await production()];
    const slugOf = async ({ actor }: Ctx<Member>) =>
      (await database.db.select().from(consumers).where(eq(consumers.id, actor.consumerId)))[0]!.slug;
    const consumer = await slugOf(mine);
    await block(mine, gone!);
    const query = { query: prefix };
    const first = await coverage.listAny(operator, { ...query, consumer });
    expect(first).toEqual(await coverage.list(mine, query));
    expect(first.total).toBe(51);
    const next = { ...query, cursor: first.next };
    expect(namesOf(await coverage.listAny(operator, { ...next, consumer }))).toEqual(["151"]);
    expect(await coverage.endedAny(operator, { ...query, consumer })).toEqual(await coverage.ended(mine, query));

    const another = await slugOf(theirs);
    expect((await coverage.listAny(operator, { ...query, consumer: another })).total).toBe(52);
    expect((await coverage.endedAny(operator, { ...query, consumer: another })).stores).toEqual([]);
    for (const list of [coverage.listAny, coverage.endedAny]) {
      await expect(list(operator, { ...next, consumer: another })).rejects.toMatchObject({ code: "invalid_arguments" });
      await expect(list(operator, { consumer: "nobody" })).rejects.toMatchObject({ code: "not_found" });
    }
  });
});

describe("a store that ended", () => {
  it("is listed without a word of why: block, withdrawal and AI Discovery off look the same", async () => {
    const prefix = unique();
    const [blocked, withdrawn, off] = (await makeNamed(prefix, ["Shop", "Shop", "Shop"])) as [string, string, string];
    const ctx = await production({ coverage: "explicit" });
    const pairs = [blocked, withdrawn, off].map((storeId) => ({ consumerId: ctx.actor.consumerId, storeId }));
    await database.db.insert(grants).values(pairs);
    expect((await coverage.list(ctx, { query: prefix })).total).toBe(3);
    await block(ctx, blocked);
    await database.db.delete(grants).where(eq(grants.storeId, withdrawn));
    await discover(off, false);
    const { stores: rows } = await coverage.ended(ctx, { query: prefix });
    expect(rows.map(({ id }) => id).toSorted()).toEqual([blocked, withdrawn, off].toSorted());
    for (const row of rows) {
      expect({ ...row, id: "" }).toEqual({ id: "", name: `${prefix} Shop`, country: "IE", endedAt: expect.any(Date) });
    }
    expect((await coverage.list(ctx, { query: prefix })).total).toBe(0);
  });

  it("comes back as readable, since then", async () => {
    const prefix = unique();
    const [id] = await makeNamed(prefix, ["Shop"]);
    const ctx = await production();
    const since = async () => (await coverage.list(ctx, { query: prefix })).stores[0]!.since.getTime();
    const before = await since();
    await block(ctx, id!);
    const [{ endedAt }] = (await coverage.ended(ctx, { query: prefix })).stores as [coverage.EndedStore];
    await unblock(id!);
    expect((await coverage.ended(ctx, { query: prefix })).stores).toEqual([]);
    expect(await since()).toBeGreaterThan(endedAt.getTime());
    expect(endedAt.getTime()).toBeGreaterThan(before);
  });

  it("is listed for 30 days", async () => {
    const prefix = unique();
    const [id] = await makeNamed(prefix, ["Shop"]);
    const ctx = await production();
    await block(ctx, id!);
    const inDays = (days: number) => ({ ...ctx, now: new Date(Date.now() + days * 86_400_000) });
    expect((await coverage.ended(inDays(29.9), { query: prefix })).stores).toHaveLength(1);
    expect((await coverage.ended(inDays(30.1), { query: prefix })).stores).toEqual([]);
  });

  it("is every store for a platform that was revoked, and none that it never read", async () => {
    const prefix = unique();
    const [read, , never] = await makeNamed(prefix, ["A", "B", "Never"]);
    const ctx = await production();
    await block(ctx, never!);
    // A block that was there before the platform went live ends nothing.
    const late = await makeMember();
    await block(late, read!);
    await change(late, { state: "production", utmSource: unique() });
    expect((await coverage.ended(late, { query: prefix })).stores).toEqual([]);
    await rename(never!, `${prefix} Blocked`);
    await change(ctx, { state: "revoked", revokedFrom: "production" });
    expect(await coverage.list(ctx, { query: prefix })).toMatchObject({ total: 0, stores: [], countries: [] });
    expect(namesOf(await coverage.ended(ctx, { query: prefix }))).toEqual(["A", "B", "Blocked"]);
  });

  it("is found by name and country, and paged, as what is readable", async () => {
    const prefix = unique();
    const names = Array.from({ length: 51 }, (_, i) => String(i).padStart(2, "0"));
    await makeNamed(prefix, names);
    await makeNamed(prefix, ["Elsewhere"], { country: "NZ" });
    const ctx = await production();
    await change(ctx, { state: "revoked", revokedFrom: "production" });
    const page = (cursor?: string) => coverage.ended(ctx, { query: prefix, country: "IE", cursor });
    const first = await page();
    expect([first, await page(first.next)].flatMap(namesOf)).toEqual(names);
  });

  it("is every store that was granted, when explicit coverage ends with the access", async () => {
    const prefix = unique();
    const [granted] = await makeNamed(prefix, ["Granted", "Never"]);
    const ctx = await production({ coverage: "explicit" });
    await database.db.insert(grants).values({ consumerId: ctx.actor.consumerId, storeId: granted! });
    await change(ctx, { state: "revoked", revokedFrom: "production" });
    expect((await coverage.ended(ctx, { query: prefix })).stores).toMatchObject([{ id: granted }]);
  });

  it("is the demo store, when a sandbox's access ends", async () => {
    const prefix = unique();
    const earlier = await makeMember();
    const [demo] = await makeNamed(prefix, ["Demo"], { is_demo: true });
    const [made] = await database.sql`select created_at as since from stores where id = ${demo!}`;
    expect((await coverage.list(earlier, { query: prefix })).stores).toMatchObject([made]);
    const ctx = await makeMember();
    expect((await coverage.list(ctx, { query: prefix })).stores).toMatchObject([{ id: demo, reason: "demo" }]);
    await change(ctx, { state: "revoked", revokedFrom: "sandbox" });
    expect((await coverage.ended(ctx, { query: prefix })).stores).toMatchObject([{ id: demo }]);
  });

  it("may be switched off and on for many platforms at the price of one row", async () => {
    const [id] = await makeNamed(unique(), ["Shop"]);
    for (let i = 0; i < 5; i++) await production();
    const rows = () => database.sql<{ n: number }[]>`select count(*)::int as n from coverage_periods`;
    const [before] = await rows();
    await discover(id!, false);
    await discover(id!, false);
    expect(await rows()).toEqual([before]);
    await discover(id!, true);
    expect(await rows()).toEqual([{ n: before!.n + 1 }]);
  });
});

const SHOPS = 3;
type Act =
  | { kind: "discovery" | "blocked" | "granted"; store: number; on: boolean }
  | { kind: "state"; state: "sandbox" | "production" | "revoked" }
  | { kind: "mode"; mode: "default_on" | "explicit" };
const acts: fc.Arbitrary<Act[]> = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constantFrom("discovery" as const, "blocked" as const, "granted" as const),
      store: fc.nat({ max: SHOPS - 1 }),
      on: fc.boolean(),
    }),
    fc.record({
      kind: fc.constant("state" as const),
      state: fc.constantFrom("sandbox" as const, "production" as const, "production" as const, "revoked" as const),
    }),
    fc.record({
      kind: fc.constant("mode" as const),
      mode: fc.constantFrom("default_on" as const, "explicit" as const),
    }),
  ),
  { maxLength: 16 },
);

/** How things stand, by store. */
function standing() {
  return {
    discovery: Array<boolean>(SHOPS).fill(true),
    blocked: Array<boolean>(SHOPS).fill(false),
    granted: Array<boolean>(SHOPS).fill(false),
    state: "sandbox" as "sandbox" | "production" | "revoked",
    mode: "default_on" as "default_on" | "explicit",
  };
}
type Standing = ReturnType<typeof standing>;

function after(now: Standing, act: Act): Standing {
  if (act.kind === "state") return { ...now, state: act.state };
  if (act.kind === "mode") return { ...now, mode: act.mode };
  return { ...now, [act.kind]: now[act.kind].with(act.store, act.on) };
}
const reads = (now: Standing, store: number) =>
  now.state === "production" &&
  now.discovery[store]! &&
  !now.blocked[store]! &&
  (now.mode === "default_on" || now.granted[store]!);

async function perform(db: Database, ctx: Ctx<Member>, ids: string[], act: Act, was: Standing): Promise<void> {
  const { consumerId } = ctx.actor;
  if (act.kind === "mode") await db.update(consumers).set({ coverage: act.mode }).where(eq(consumers.id, consumerId));
  else if (act.kind === "state") {
    const revokedFrom = act.state === "revoked" ? (was.state === "revoked" ? "sandbox" : was.state) : null;
    const set = { state: act.state, revokedFrom, utmSource: consumerId };
    await db.update(consumers).set(set).where(eq(consumers.id, consumerId));
  } else if (act.kind === "discovery")
    await db.update(stores).set({ aiDiscovery: act.on }).where(eq(stores.id, ids[act.store]!));
  else {
    const table = act.kind === "blocked" ? blocks : grants;
    const pair = { consumerId, storeId: ids[act.store]! };
    if (act.on) await db.insert(table).values(pair).onConflictDoNothing();
    else await db.delete(table).where(eq(table.storeId, pair.storeId));
  }
}

describe("since when and until when", () => {
  it("follows from whatever was done, in whatever order", async () => {
    await fc.assert(
      fc.asyncProperty(acts, async (done) => {
        const prefix = unique();
        const ids = await makeNamed(prefix, ["0", "1", "2"]);
        const ctx = await makeMember();
        const clock = async () =>
          ((await database.sql`select clock_timestamp() as now`) as unknown as [{ now: Date }])[0].now;
        let now = standing();
        /** For each store the moments between which it last began and last ended. */
        const began: ([Date, Date] | undefined)[] = [];
        const ended: ([Date, Date] | undefined)[] = [];
        for (const act of done) {
          const start = await clock();
          await perform(database.db, ctx, ids, act, now);
          const span: [Date, Date] = [start, await clock()];
          const next = after(now, act);
          for (let store = 0; store < SHOPS; store++) {
            if (!reads(now, store) && reads(next, store)) began[store] = span;
            if (reads(now, store) && !reads(next, store)) ended[store] = span;
          }
          now = next;
        }
        const { stores: readable } = await coverage.list(ctx, { query: prefix });
        const { stores: gone } = await coverage.ended(ctx, { query: prefix });
        const inside = (at: Date, span: [Date, Date] | undefined) =>
          span !== undefined && at >= new Date(span[0].getTime() - 1) && at <= new Date(span[1].getTime() + 1);
        const told = ids.map((id, store) => {
          const is = readable.find((row) => row.id === id);
          const was = gone.find((row) => row.id === id);
          return [is && inside(is.since, began[store]), was && inside(was.endedAt, ended[store])];
        });
        expect(told).toEqual(
          ids.map((_, store) =>
            reads(now, store) ? [true, undefined] : [undefined, ended[store] === undefined ? undefined : true],
          ),
        );
      }),
      { numRuns: 120 },
    );
  });
});
