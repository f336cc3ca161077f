// The merchant's catalogue: files come in, wait, are loaded by whichever worker, reported, kept, and gone back to.
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { PassThrough, Readable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it, vi } from "vitest";
import { DAY_MS } from "../../server/clock";
import * as agents from "../../server/services/agent-decisions";
import * as product from "../../server/services/catalog/product";
import { importFile, load as loadFile } from "../../server/services/feeds";
import { badRows } from "../../server/services/feeds/bad-rows";
import { drop, keep, prune, readBack } from "../../server/services/feeds/files";
import * as loads from "../../server/services/feeds/loads";
import { runWaiting } from "../../server/services/feeds/queue";
import * as source from "../../server/services/feeds/source";
import * as people from "../../server/services/merchant-people";
import * as retention from "../../server/services/retention";
import { testDatabase, untilWaiting } from "../support/database";
import { makeConsumer, makeMerchant, makeReader, makeStore } from "../support/factories";
import { makeShop } from "../support/feeds/jobs";
import { loadFeed, refusal, stored, tsv } from "../support/feeds/load";

const database = testDatabase();
afterEach(() => void vi.useRealTimers());
const system = () => database.as({ kind: "system" });
const filesOf = async (storeId: string) =>
  (await database.sql`select id from feed_files where store_id = ${storeId}`).length;

describe("an upload", () => {
  it("waits, is loaded by a worker, and is on record with who sent it", async () => {
    const shop = await makeShop(database);
    const loadId = await shop.upload(tsv([{ id: "1" }, { id: "2", price: "free" }, { id: "3" }]), "spring.tsv");
    expect((await shop.get()).latest).toMatchObject({
      id: loadId,
      outcome: "waiting",
      progress: 0,
      fileName: "spring.tsv",
    });
    expect(await shop.run()).toBe(1);
    const { current, latest, products } = await shop.get();
    expect(current).toMatchObject({ id: loadId, outcome: "loaded", source: "upload", rows: 3, loaded: 2, rejected: 1 });
    expect(current!.requestedBy).toMatch(/^person-/);
    expect([latest, products]).toEqual([null, 2]);
    const acts = await database.sql`select action, actor_kind from audit where target_id = ${shop.storeId} order by at`;
    expect(acts.map((act) => [act.action, act.actor_kind])).toContainEqual(["feed.upload", "merchant"]);
    expect(acts.map((act) => act.action)).toContain("feed.load");
  });

  it("that comes once more is kept once, and can be gone back to under either name", async () => {
    const shop = await makeShop(database);
    const first = await shop.load(tsv([{ id: "1" }]), "spring.tsv");
    await shop.load(tsv([{ id: "2" }]), "summer.tsv");
    const again = await shop.upload(tsv([{ id: "1" }]), "again.tsv");
    expect(await filesOf(shop.storeId)).toBe(2);
    await shop.run();
    expect((await shop.get()).current).toMatchObject({ id: again, fileName: "again.tsv", loaded: 1, isFileKept: true });
    expect(await filesOf(shop.storeId)).toBe(2);
    expect(await shop.restore(first.id)).toMatchObject({ fileName: "spring.tsv", outcome: "loaded" });
    expect((await stored(database, shop.storeId)).products).toMatchObject([{ product_id: "1" }]);
  });

  it("that comes once more at the moment in which old files are let go of holds up none of them", async () => {
    const shop = await makeShop(database);
    const first = await shop.load(tsv([{ id: "1" }]));
    let again: Promise<string> | undefined;
    await database.sql.begin(async (tx) => {
      const [kept] = await tx`select id from feed_files where store_id = ${shop.storeId} for update`;
      again = shop.upload(tsv([{ id: "1" }]));
      await untilWaiting(database.sql, 1);
      await tx`select from feed_files where store_id = ${shop.storeId} and id <> ${kept!.id} for update nowait`;
    });
    const id = await again;
    expect((await shop.get()).latest).toMatchObject({ id, fileName: first.fileName });
  });

  it("is the latest by the database's clock, whatever clock made the ids of those before", async () => {
    const shop = await makeShop(database);
    await shop.load("nonsense\n1\n");
    const ahead = `01ffffff${crypto.randomUUID().slice(8)}`;
    await database.sql`update feed_loads set id = ${ahead}, requested_at = requested_at - interval '1 minute' where store_id = ${shop.storeId}`;
    expect((await shop.get()).latest?.id).toBe(ahead);
    const loadId = await shop.upload(tsv([{ id: "1" }]), "spring.tsv");
    expect((await shop.get()).latest).toMatchObject({ id: loadId, outcome: "waiting" });
    await shop.run();
    const { current, latest } = await shop.get();
    expect([current?.id, latest]).toEqual([loadId, null]);
  });

  it("is the latest, with what refuses it, though a going back was asked for and done while it came in", async () => {
    const shop = await makeShop(database);
    const first = await shop.load(tsv([{ id: "1" }]));
    async function* coming() {
      yield Buffer.from("nonsense\n");
      await setTimeout(5);
      await shop.restore(first.id);
      yield Buffer.from("1\n");
    }
    const id = await shop.upload(Readable.from(coming()));
    expect((await shop.get()).latest).toMatchObject({ id, outcome: "waiting" });
    await shop.run();
    expect((await shop.get()).latest).toMatchObject({ id, outcome: "refused" });
  });

  it("is under way or shown at each moment, never neither", async () => {
    const shop = await makeShop(database);
    let reads = 0;
    for (let round = 0; round < 5; round++) {
      const loadId = await shop.upload(tsv([{ id: `${round}` }]), "spring.tsv");
      const running = shop.run().then(() => "ended");
      do {
        const { current, latest } = await shop.get();
        expect([current?.id, latest?.id]).toContain(loadId);
        expect(latest === null || ["waiting", "loading"].includes(latest.outcome)).toBe(true);
        reads++;
      } while ((await Promise.race([running, Promise.resolve("runs")])) === "runs");
    }
    // One load may be over before the first look at it is; not each of them.
    expect(reads).toBeGreaterThan(5);
  });

  it.each([
    ["plain", (text: string) => Buffer.from(text)],
    ["gzipped", (text: string) => gzipSync(text)],
    [
      "in many parts",
      (text: string) =>
        Readable.from(
          (function* () {
            for (const byte of Buffer.from(text)) yield Buffer.from([byte]);
          })(),
        ),
    ],
  ])("may be %s", async (_, encode) => {
    const shop = await makeShop(database);
    expect(await shop.load(encode(tsv([{ id: "1", title: "Smörgås" }])))).toMatchObject({
      outcome: "loaded",
      loaded: 1,
    });
    expect((await stored(database, shop.storeId)).products).toMatchObject([{ title: "Smörgås" }]);
  });

  it("of many parts comes back byte for byte", async () => {
    const shop = await makeShop(database);
    const noise = randomBytes(1_700_000).toString("hex");
    const report = await shop.load(
      tsv([{ id: "1", description: "x" }]).replace("\nid", `\n${noise.slice(0, 10)}`) +
        noise.replace(/(.{400})/g, "# $1\n"),
    );
    expect(report.outcome).toBe("refused");
    const parts =
      await database.sql`select count(*)::int as count from feed_file_parts p join feed_files f on f.id = p.file_id where f.store_id = ${shop.storeId}`;
    expect(parts[0]!.count).toBeGreaterThan(2);
    expect(report.rows).toBe(Math.ceil(noise.length / 400) + 1);
  });

  it("is refused with a reason, and leaves the store as it was", async () => {
    const shop = await makeShop(database);
    await shop.load(tsv([{ id: "kept" }]));
    const before = await stored(database, shop.storeId);
    const load = await shop.load("nonsense\n1\n");
    expect(load).toMatchObject({ outcome: "refused", refusal: expect.stringContaining("names no known attribute") });
    expect(await stored(database, shop.storeId)).toEqual(before);
    const { current, latest } = await shop.get();
    expect([current?.outcome, latest?.id]).toEqual(["loaded", load.id]);
    expect((await refusal(shop.restore(load.id))).code).toBe("not_found");
  });

  it("larger than allowed, empty or broken off leaves nothing behind", async () => {
    const shop = await makeShop(database);
    const { storeId } = shop;
    const ctx = shop.ctx();
    async function* broken() {
      yield Buffer.from("id\ttitle\n");
      throw new Error("connection reset");
    }
    const file = (bytes: number) => ({
      ...{ storeId, fileName: "f", maxBytes: 2_000_000 },
      content: Readable.from([Buffer.alloc(bytes, "x")]),
    });
    const tooLarge = await refusal(keep(ctx, file(2_000_001)));
    expect(tooLarge).toMatchObject({ code: "invalid_input", details: { field: "file" } });
    await drop(ctx, (await keep(ctx, file(2_000_000))).id);
    expect((await refusal(shop.upload(""))).message).toBe("The file is empty.");
    const cut = await refusal(shop.upload(Readable.from(broken())));
    expect(cut).toMatchObject({ code: "invalid_input", message: expect.stringContaining("was interrupted") });
    expect(await filesOf(storeId)).toBe(0);
  });

  it("is refused while another file for its store comes in, and not for one whose sender was lost", async () => {
    const shop = await makeShop(database);
    const coming = new PassThrough();
    coming.write(tsv([{ id: "first" }]));
    const uploading = shop.upload(coming);
    await expect.poll(() => filesOf(shop.storeId)).toBe(1);
    const refused = await refusal(shop.upload(tsv([{ id: "second" }])));
    expect([refused.code, refused.message]).toEqual(["conflict", expect.stringContaining("being uploaded")]);
    coming.end();
    await uploading;
    await shop.run();
    expect((await shop.get()).current).toMatchObject({ loaded: 1 });
    await database.sql`
      insert into feed_files (id, store_id, file_name, lease_until)
      values (gen_random_uuid(), ${shop.storeId}, 'lost', now() - interval '1 second')`;
    await database.sql`
      update feed_files set created_at = now() - interval '1 day', received_at = now() - interval '1 day'
      where store_id = ${shop.storeId} and received_at is not null`;
    expect(await shop.load(tsv([{ id: "1" }, { id: "2" }]))).toMatchObject({ loaded: 2 });
    // Those that were whole stay, however old.
    expect((await shop.get()).undo).not.toBeNull();
  });

  it("is not taken for lost while it comes in, however long that takes", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const shop = await makeShop(database);
    const coming = new PassThrough();
    coming.write(tsv([{ id: "1" }]));
    const uploading = shop.upload(coming);
    await expect.poll(() => filesOf(shop.storeId)).toBe(1);
    await database.sql`update feed_files set lease_until = now() + interval '1 second' where store_id = ${shop.storeId}`;
    vi.advanceTimersByTime(15_000);
    await expect
      .poll(
        () => database.sql`select from feed_files
          where store_id = ${shop.storeId} and lease_until > now() + interval '30 seconds'`,
      )
      .toHaveLength(1);
    coming.end();
    await uploading;
    expect(vi.getTimerCount()).toBe(0);
  });

  it("that was taken for lost all the same is refused, and nothing of it stays", async () => {
    const shop = await makeShop(database);
    const coming = new PassThrough();
    coming.write(randomBytes(1_000_000));
    const uploading = refusal(shop.upload(coming));
    await expect.poll(() => filesOf(shop.storeId)).toBe(1);
    await database.sql`update feed_files set lease_until = now() - interval '1 second' where store_id = ${shop.storeId}`;
    const second = await shop.upload(tsv([{ id: "2" }]));
    coming.end(randomBytes(1_000_000));
    expect(await uploading).toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining("was interrupted"),
    });
    expect(await filesOf(shop.storeId)).toBe(1);
    await shop.run();
    expect((await shop.get()).current?.id).toBe(second);
  });

  it("of a release that had no leases is taken for lost after forty minutes", async () => {
    const shop = await makeShop(database);
    await database.sql`
      insert into feed_files (id, store_id, file_name, created_at)
      values (gen_random_uuid(), ${shop.storeId}, 'old', now() - interval '39 minutes')`;
    expect((await refusal(shop.upload(tsv([{ id: "1" }])))).code).toBe("conflict");
    await database.sql`update feed_files set created_at = now() - interval '41 minutes' where store_id = ${shop.storeId}`;
    expect(await shop.load(tsv([{ id: "1" }]))).toMatchObject({ outcome: "loaded" });
  });

  it("waits for no other: while one waits or runs, the next is refused", async () => {
    const shop = await makeShop(database);
    const all = await Promise.allSettled(Array.from({ length: 5 }, (_, i) => shop.upload(tsv([{ id: `${i}` }]))));
    expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const one of all) if (one.status === "rejected") expect(one.reason.code).toBe("conflict");
    expect(await filesOf(shop.storeId)).toBe(1);
    expect((await refusal(shop.upload(tsv([{ id: "1" }])))).code).toBe("conflict");
    await shop.run();
    expect(await shop.load(tsv([{ id: "2" }]))).toMatchObject({ outcome: "loaded" });
  });
});

describe("whoever acts for the merchant no more", () => {
  it("has nothing loaded, though their file began to come in before, and none of it is kept", async () => {
    const shop = await makeShop(database);
    const content = new Readable({ read() {} });
    content.push(tsv([{ id: "1" }]));
    const uploading = refusal(shop.upload(content));
    await expect.poll(() => filesOf(shop.storeId)).toBe(1);
    const { merchantId, accountId } = shop.actor;
    await people.remove(database.as({ kind: "operator", accountId: null }), { merchantId, accountId });
    content.push(null);
    expect(await uploading).toMatchObject({ code: "not_found" });
    expect([await filesOf(shop.storeId), await shop.run()]).toEqual([0, 0]);
  });

  it("since their account is being deleted is told so, whatever of their act would name them", async () => {
    const shop = await makeShop(database);
    const { slug: platform } = await makeConsumer(database, { state: "production" });
    const [store] = await database.sql<[{ slug: string }]>`select slug from stores where id = ${shop.storeId}`;
    let acts: Promise<{ code: string }>[] = [];
    await database.sql.begin(async (tx) => {
      await tx`delete from accounts where id = ${shop.actor.accountId}`;
      acts = [
        shop.upload(tsv([{ id: "1" }])),
        source.set(shop.ctx(), { storeId: shop.storeId, url: "https://shop.example/feed.tsv" }),
        agents.block(shop.ctx(), { store: store.slug, platform }),
      ].map(refusal);
      await untilWaiting(database.sql, acts.length);
    });
    for (const act of await Promise.all(acts)) expect(act).toMatchObject({ code: "not_found" });
    expect([await filesOf(shop.storeId), await shop.run()]).toEqual([0, 0]);
  });
});

describe("workers", () => {
  it("share the work: each load is run once, however many there are", async () => {
    const shops = await Promise.all(Array.from({ length: 6 }, () => makeShop(database)));
    await Promise.all(shops.map((shop) => shop.upload(tsv([{ id: "1" }]))));
    const counts = await Promise.all(Array.from({ length: 3 }, () => runWaiting(system())));
    expect(counts.reduce((a, b) => a + b)).toBe(6);
    for (const { storeId } of shops) {
      expect(await database.sql`select from audit where target_id = ${storeId} and action = 'feed.load'`).toHaveLength(
        1,
      );
    }
  });

  it("begin anew what a dead one left, and not what a living one does", async () => {
    const shop = await makeShop(database);
    const id = await shop.upload(tsv([{ id: "1" }]));
    const lease = (seconds: number) => database.sql`update feed_loads set outcome = 'loading', attempts = 2,
      lease_until = ${new Date(Date.now() + seconds * 1000)} where id = ${id}`;
    await lease(60);
    expect(await shop.run()).toBe(0);
    await lease(-1);
    expect(await shop.run()).toBe(1);
    expect((await shop.get()).current).toMatchObject({ id, outcome: "loaded" });
  });

  it("that begin a load anew show it from its beginning", async () => {
    const shop = await makeShop(database);
    const id = await shop.upload(tsv([{ id: "1" }]));
    await database.sql`update feed_loads set outcome = 'loading', attempts = 1, rows = 7, bytes_read = 40,
      lease_until = now() - interval '1 second' where id = ${id}`;
    expect((await shop.get()).latest!.progress).toBeGreaterThan(0);
    let running: Promise<number> | undefined;
    await database.sql.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(hashtextextended(${`feed:${shop.storeId}`}, 0))`;
      running = shop.run();
      await untilWaiting(database.sql, 1);
      expect((await shop.get()).latest).toMatchObject({ id, outcome: "loading", progress: 0, rows: 0 });
    });
    await running;
  });

  it("that were taken for dead, and are not, leave what another has loaded: it can still be undone", async () => {
    const shop = await makeShop(database);
    const first = await shop.load(tsv([{ id: "1" }]));
    const before = await stored(database, shop.storeId);
    const id = await shop.upload(tsv([{ id: "1" }, { id: "2" }]));
    let running: Promise<number>[] = [];
    await database.sql.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(hashtextextended(${`feed:${shop.storeId}`}, 0))`;
      running = [shop.run()];
      await untilWaiting(database.sql, 1);
      await database.sql`update feed_loads set lease_until = now() - interval '1 second' where id = ${id}`;
      running.push(shop.run());
      await untilWaiting(database.sql, 2);
    });
    await Promise.all(running);
    expect(
      await database.sql`select from audit where action = 'feed.load' and target_id = ${shop.storeId} and after ->> 'loadId' = ${id}`,
    ).toHaveLength(1);
    await shop.restore(first.id);
    expect(await stored(database, shop.storeId)).toEqual(before);
  });

  it("that live hold on to their load, however long it waits for its turn: no other begins it, and it counts once", async () => {
    const shop = await makeShop(database);
    const id = await shop.upload(tsv([{ id: "1" }]));
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    let running: Promise<number> | undefined;
    const isLeased = async () =>
      (await database.sql`select from feed_loads where id = ${id} and lease_until > now() + interval '50 seconds'`)
        .length === 1;
    await database.sql.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(hashtextextended(${`feed:${shop.storeId}`}, 0))`;
      running = shop.run();
      await untilWaiting(database.sql, 1);
      for (let times = 0; times < 2; times++) {
        // As if most of the lease had passed.
        await database.sql`update feed_loads set lease_until = now() + interval '40 seconds' where id = ${id}`;
        vi.advanceTimersByTime(15_000);
        await expect.poll(isLeased).toBe(true);
      }
      expect(await shop.run()).toBe(0);
    });
    await running;
    expect(await database.sql`select outcome, attempts from feed_loads where id = ${id}`).toEqual([
      { outcome: "loaded", attempts: 1 },
    ]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("that fail by no fault of the file leave their load to whoever comes after the lease", async () => {
    const shop = await makeShop(database);
    const id = await shop.upload(tsv([{ id: "1" }]));
    await database.sql.unsafe(`
      create function no_room() returns trigger language plpgsql as $$ begin raise 'no room'; end $$;
      create trigger no_room before insert on products for each row execute function no_room()`);
    expect(await shop.run()).toBe(1);
    await database.sql.unsafe("drop function no_room cascade");
    expect((await shop.get()).latest).toMatchObject({ id, outcome: "loading", refusal: null });
    expect(await shop.run()).toBe(0);
    await database.sql`update feed_loads set lease_until = now() - interval '1 second' where id = ${id}`;
    expect(await shop.run()).toBe(1);
    expect((await shop.get()).current).toMatchObject({ id, outcome: "loaded" });
  });

  it("that cannot read the file at the moment leave its load to whoever comes after the lease: it is not refused", async () => {
    const shop = await makeShop(database);
    const id = await shop.upload(tsv([{ id: "1" }]));
    await database.sql.unsafe("alter table feed_file_parts rename to parts_away");
    expect(await shop.run()).toBe(1);
    await database.sql.unsafe("alter table parts_away rename to feed_file_parts");
    expect((await shop.get()).latest).toMatchObject({ id, outcome: "loading", refusal: null });
    await database.sql`update feed_loads set lease_until = now() - interval '1 second' where id = ${id}`;
    expect(await shop.run()).toBe(1);
    expect((await shop.get()).current).toMatchObject({ id, outcome: "loaded" });
  });

  it("give up a load over which they died again and again, and one whose file is gone", async () => {
    const shop = await makeShop(database);
    const id = await shop.upload(tsv([{ id: "1" }]));
    await database.sql`update feed_loads set attempts = 3 where id = ${id}`;
    await shop.run();
    expect((await shop.get()).latest).toMatchObject({
      id,
      outcome: "failed",
      refusal: expect.stringContaining("not because of the file"),
    });
    const gone = await shop.upload(tsv([{ id: "1" }]));
    await database.sql`delete from feed_files where id = (select file_id from feed_loads where id = ${gone})`;
    await shop.run();
    expect((await shop.get()).latest).toMatchObject({
      ...{ id: gone, outcome: "failed", refusal: expect.stringContaining("no longer there") },
    });
    expect(await shop.load(tsv([{ id: "1" }]))).toMatchObject({ outcome: "loaded" });
  });

  it("whose load was given up meanwhile store nothing of it: the store is as its report says", async () => {
    const shop = await makeShop(database);
    const id = await shop.upload(tsv([{ id: "1" }]));
    await database.sql`update feed_loads set attempts = 2 where id = ${id}`;
    let running: Promise<number> | undefined;
    await database.sql.begin(async (tx) => {
      await tx`lock table variants in share mode`;
      running = shop.run();
      await untilWaiting(database.sql, 1);
      await database.sql`update feed_loads set lease_until = now() - interval '1 second' where id = ${id}`;
      await shop.run();
      expect((await shop.get()).latest).toMatchObject({ id, outcome: "failed" });
    });
    await running;
    expect(await shop.get()).toMatchObject({ current: null, latest: { id, outcome: "failed" }, products: 0 });
  });

  it("that are stopped leave their load to others, untouched", async () => {
    const shop = await makeShop(database);
    const id = await shop.upload(tsv([{ id: "1" }]));
    const stopping = new AbortController();
    let running: Promise<number> | undefined;
    await database.sql.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(hashtextextended(${`feed:${shop.storeId}`}, 0))`;
      running = runWaiting(system(), stopping.signal);
      await untilWaiting(database.sql, 1);
      expect((await shop.get()).latest).toMatchObject({ id, outcome: "loading" });
      stopping.abort();
    });
    await running;
    const { latest, current } = await shop.get();
    expect([latest?.outcome, current]).toEqual(["waiting", null]);
    // Nor does it count among those over which the server died.
    expect(await database.sql`select attempts from feed_loads where id = ${id}`).toEqual([{ attempts: 0 }]);
    await shop.run();
    expect((await shop.get()).current).toMatchObject({ id, outcome: "loaded", loaded: 1 });
  });

  it("that are stopped while they take a load leave it to others, too", async () => {
    const shop = await makeShop(database);
    const id = await shop.upload(tsv([{ id: "1" }]));
    const stopping = new AbortController();
    let running: Promise<number> | undefined;
    await database.sql.begin(async (tx) => {
      await tx`lock table feed_loads in share mode`;
      running = runWaiting(system(), stopping.signal);
      await untilWaiting(database.sql, 1);
      stopping.abort();
    });
    await running;
    expect((await shop.get()).latest).toMatchObject({ id, outcome: "waiting" });
    expect(await database.sql`select attempts from feed_loads where id = ${id}`).toEqual([{ attempts: 0 }]);
    await shop.run();
    expect((await shop.get()).current).toMatchObject({ id, outcome: "loaded" });
  });
});

describe("going back", () => {
  it("makes the store exactly what it was: values, ids, what had vanished, and nothing that came since", async () => {
    const shop = await makeShop(database);
    await shop.load(tsv([{ id: "old" }, { id: "a", price: "5 EUR" }]));
    await shop.load(
      tsv([
        { id: "a", price: "6 EUR" },
        { id: "g1", item_group_id: "G", title: "Cap - Red", color: "Red" },
      ]),
    );
    expect((await shop.get()).products).toBe(2);
    const before = await stored(database, shop.storeId);
    await shop.load("nonsense\n");
    await shop.load(
      tsv([
        { id: "a", title: "Other", price: "7 EUR" },
        { id: "new" },
        { id: "g1", item_group_id: "G", title: "Cap - Red", color: "Red" },
        { id: "g2", item_group_id: "G", title: "Cap - Blue", color: "Blue" },
      ]),
    );
    const { undo } = await shop.get();
    expect(await shop.restore(undo!.loadId)).toMatchObject({ outcome: "loaded", source: "restore", loaded: 2 });
    expect(await stored(database, shop.storeId)).toEqual(before);
  });

  it("tells when its rows were read from the merchant, but judges sales by the time it is", async () => {
    const shop = await makeShop(database);
    const monday = Date.UTC(2036, 5, 2, 12);
    const on = (day: number) => new Date(monday + day * DAY_MS);
    vi.useFakeTimers({ toFake: ["Date"], now: on(0) });
    const asOf = async (): Promise<Record<string, Date[]>> =>
      Object.fromEntries(
        (
          await database.sql`
            select v.variant_id, v.data_as_of as variant, p.data_as_of as product
            from products p join variants v on v.product_ref = p.id where p.store_id = ${shop.storeId}`
        ).map(({ variant_id, variant, product }) => [variant_id, [variant, product]]),
      );
    const red = { id: "red", item_group_id: "cap", color: "Red", title: "Cap red" };
    const sale = { sale_price: "5 EUR", sale_price_effective_date: `${on(-1).toISOString()}/${on(1.5).toISOString()}` };
    const first = await shop.load(
      tsv([
        { ...red, ...sale },
        { ...red, id: "blue", color: "Blue", title: "Cap blue", price: "8 EUR" },
        { id: "mug" },
      ]),
    );
    const all = (day: number) => Object.fromEntries(["red", "blue", "mug"].map((id) => [id, [on(day), on(day)]]));
    expect(await asOf()).toEqual(all(0));
    vi.setSystemTime(on(1));
    const second = await shop.load(tsv([{ id: "mug", price: "20 EUR" }]));
    vi.setSystemTime(on(2));
    await shop.restore(first.id);
    expect(await asOf()).toEqual(all(0));
    const { card } = await product.get(database.as(await makeReader(database)), {
      storeId: shop.storeId,
      of: { productId: "cap" },
    });
    // The red one cost less on Monday.
    expect(card).toMatchObject({ price: { amount: 800 }, data_as_of: on(0).toISOString() });
    vi.setSystemTime(on(3));
    await shop.restore(second.id);
    const gone = [on(3), on(3)];
    expect(await asOf()).toEqual({ red: gone, blue: gone, mug: [on(1), on(1)] });
  });

  it("goes one further each time, and forward again", async () => {
    const shop = await makeShop(database);
    const [one, two] = [await shop.load(tsv([{ id: "1" }])), await shop.load(tsv([{ id: "2" }]))];
    const three = await shop.load(tsv([{ id: "3" }]));
    const living = async () =>
      (await stored(database, shop.storeId)).products.filter((p) => !p.vanished).map((p) => p.product_id);
    expect((await shop.get()).undo?.loadId).toBe(two.id);
    await shop.restore(two.id);
    expect(await living()).toEqual(["2"]);
    expect((await shop.get()).undo?.loadId).toBe(one.id);
    await shop.restore(one.id);
    expect((await stored(database, shop.storeId)).products.map((p) => p.product_id)).toEqual(["1"]);
    expect((await shop.get()).undo).toBeNull();
    // What is refused meanwhile leaves its file where it is.
    await shop.upload("nonsense\n");
    expect((await refusal(shop.restore(three.id))).code).toBe("conflict");
    await shop.run();
    expect(await shop.restore(three.id)).toMatchObject({ restoresFrom: three.requestedAt });
    expect(await living()).toEqual(["3"]);
    const { variants } = await stored(database, shop.storeId);
    expect(variants.filter(({ vanished }) => !vanished)).toMatchObject([{ variant_id: "3" }]);
  });

  it("goes past loads of the very file that is shown, by whichever door it came once more", async () => {
    const shop = await makeShop(database);
    const { storeId } = shop;
    const [first, rows] = [await shop.load(tsv([{ id: "1" }])), tsv([{ id: "2" }])];
    for (let turn = 0; turn < 2; turn++) await shop.load(rows);
    const content = Readable.from([Buffer.from(rows)]);
    await importFile(system(), { storeId, fileName: "f.tsv", content });
    expect((await shop.get()).undo?.loadId).toBe(first.id);
    await shop.restore(first.id);
    expect((await stored(database, storeId)).products.map((p) => p.product_id)).toEqual(["1"]);
    expect((await shop.get()).undo).toBeNull();
  });

  it("undoes no catalogue that came since the page was shown, and says what stands now", async () => {
    const shop = await makeShop(database);
    const [one, two] = [await shop.load(tsv([{ id: "1" }])), await shop.load(tsv([{ id: "2" }]))];
    const three = await shop.load(tsv([{ id: "3" }]));
    const before = await stored(database, shop.storeId);
    expect(await refusal(shop.restore(one.id, two.id))).toMatchObject({
      code: "conflict",
      message: "Another catalogue was loaded in the meantime, so nothing was restored.",
      details: { version: three.id },
    });
    expect((await shop.get()).latest).toBeNull();
    expect(await stored(database, shop.storeId)).toEqual(before);
    expect(await shop.restore(one.id, three.id)).toMatchObject({ outcome: "loaded", source: "restore" });
  });

  it("to what was itself a going back is to the load whose file it was, and the next step goes before that one", async () => {
    const shop = await makeShop(database);
    const first = await shop.load(tsv([{ id: "1" }]));
    await shop.load(tsv([{ id: "2" }]));
    const back = await shop.restore(first.id);
    await shop.load(tsv([{ id: "3" }]));
    const { undo } = await shop.get();
    expect(undo).toMatchObject({ loadId: back.id, requestedAt: first.requestedAt });
    expect(await shop.restore(undo!.loadId)).toMatchObject({ restoresFrom: first.requestedAt });
    expect((await stored(database, shop.storeId)).variants).toMatchObject([{ variant_id: "1", vanished: false }]);
    expect((await shop.get()).undo).toBeNull();
  });

  it("keeps the files of the last three loads, and of the last that was refused", async () => {
    const shop = await makeShop(database);
    const ids: string[] = [];
    for (const id of ["1", "2", "3", "4", "5"]) ids.push((await shop.load(tsv([{ id }]))).id);
    expect(await filesOf(shop.storeId)).toBe(3);
    await shop.load("nonsense\n");
    expect(await filesOf(shop.storeId)).toBe(4);
    const error = await refusal(shop.restore(ids[0]!));
    expect(error).toMatchObject({ code: "conflict", message: expect.stringContaining("no longer kept") });
    expect(await shop.restore(ids[3]!)).toMatchObject({ outcome: "loaded" });
  });

  it("keeps the last file that was refused also once a good one has come after it, and none refused before it", async () => {
    const shop = await makeShop(database);
    const [old, first] = [await shop.load("nonsense\n"), await shop.load(tsv([{ id: "1" }]))];
    const [last, second] = [await shop.load("no feed\n"), await shop.load(tsv([{ id: "2" }]))];
    expect([old.outcome, last.outcome]).toEqual(["refused", "refused"]);
    const kept = await database.sql`
      select id from feed_loads where store_id = ${shop.storeId} and file_id is not null order by requested_at, id`;
    expect(kept.map(({ id }) => id)).toEqual([first.id, last.id, second.id]);
    expect(await filesOf(shop.storeId)).toBe(3);
  });

  it("keeps a file for as long as if it had come only then", async () => {
    const shop = await makeShop(database);
    const [first, second] = [await shop.load(tsv([{ id: "1" }])), await shop.load(tsv([{ id: "2" }]))];
    await shop.load(tsv([{ id: "3" }]));
    const back = await shop.restore(first.id);
    await shop.load(tsv([{ id: "4" }]));
    expect((await shop.get()).undo).toMatchObject({ loadId: back.id });
    expect(await refusal(shop.restore(second.id))).toMatchObject({
      message: expect.stringContaining("no longer kept"),
    });
  });

  it("to a file that goes at that very moment is a conflict, and the store stays as it is", async () => {
    const shop = await makeShop(database);
    for (const id of ["1", "2"]) await shop.load(tsv([{ id }]));
    const { loadId } = (await shop.get()).undo!;
    const before = await stored(database, shop.storeId);
    let restoring: Promise<unknown> | undefined;
    await database.sql.begin(async (tx) => {
      await tx`delete from feed_files where id = (select file_id from feed_loads where id = ${loadId})`;
      restoring = refusal(shop.restore(loadId));
      const waiting = async () =>
        (
          await database.sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
        ).length;
      await expect.poll(waiting).toBeGreaterThan(0);
    });
    expect(await restoring).toMatchObject({ code: "conflict", message: expect.stringContaining("no longer kept") });
    expect(await stored(database, shop.storeId)).toEqual(before);
  });

  it("is to a file that stays, though it was about to go at that very moment", async () => {
    const shop = await makeShop(database);
    const [first] = [await shop.load(tsv([{ id: "1" }])), await shop.load(tsv([{ id: "2" }]))];
    await shop.load(tsv([{ id: "3" }]));
    // A fourth that is over, but for the file of the first, which goes with it.
    const content = Readable.from([Buffer.from(tsv([{ id: "4" }]))]);
    const { storeId } = shop;
    const file = await keep(shop.ctx(), { storeId, fileName: "f.tsv", content });
    await loadFile(system(), { storeId, fileName: "f.tsv", fileId: file.id, content: readBack(system(), file.id) });
    let both: Promise<unknown>[] = [];
    await database.sql.begin(async (tx) => {
      await tx`select from stores where id = ${storeId} for update`;
      both = [loads.restore(shop.ctx(), { storeId, loadId: first.id })];
      await untilWaiting(database.sql, 1);
      both.push(prune(system(), storeId));
      await untilWaiting(database.sql, 2);
    });
    await Promise.all(both);
    await shop.run();
    expect(await shop.get()).toMatchObject({ latest: null, current: { source: "restore", outcome: "loaded" } });
  });

  it("leads back to what the command line imported", async () => {
    const shop = await makeShop(database);
    const content = Readable.from([Buffer.from(tsv([{ id: "cli" }]))]);
    const report = await importFile(database.as({ kind: "operator", accountId: null }), {
      storeId: shop.storeId,
      fileName: "f.tsv",
      content,
    });
    await shop.load(tsv([{ id: "web" }]));
    const { undo } = await shop.get();
    expect(undo?.loadId).toBe(report.loadId);
    await shop.restore(undo!.loadId);
    expect((await stored(database, shop.storeId)).products).toMatchObject([{ product_id: "cli", vanished: false }]);
  });
});

describe("a load", () => {
  it("takes the time that it takes, and waits as long for another one of its store", async () => {
    await database.sql.unsafe(`
      create function patient_load() returns trigger language plpgsql as $$ begin
        if current_setting('statement_timeout') || current_setting('lock_timeout') <> '00' then raise 'in a hurry'; end if;
        return new; end $$;
      create trigger patient before insert on products for each row execute function patient_load()`);
    const shop = await makeShop(database);
    expect(await shop.load(tsv([{ id: "1" }]))).toMatchObject({ outcome: "loaded" });
    await database.sql.unsafe("drop function patient_load cascade");
  });

  it("runs with one other at a time on an instance: a third waits without a connection", async () => {
    const stores = await Promise.all([1, 2, 3].map(() => makeStore(database)));
    let running: Promise<unknown>[] = [];
    await database.sql.begin(async (tx) => {
      for (const { id } of stores) await tx`select pg_advisory_xact_lock(hashtextextended(${`feed:${id}`}, 0))`;
      running = stores.map(({ id }) => loadFeed(database, id, tsv([{ id: "1" }])));
      await untilWaiting(database.sql, 2);
      for (let turn = 0; turn < 10; turn++) await database.sql`select ${turn}::int`;
      const waiting = await database.sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      expect(waiting).toHaveLength(2);
    });
    await Promise.all(running);
  });

  it("that waits for the new words of another leaves its store to whoever changes it", async () => {
    const { id } = await makeStore(database);
    let loading: Promise<unknown> | undefined;
    await database.sql.begin(async (tx) => {
      await tx`insert into search_words (word) values ('zymurgy')`;
      loading = loadFeed(database, id, tsv([{ id: "1", title: "Zymurgy" }]));
      await untilWaiting(database.sql, 1);
      await database.sql`select from stores where id = ${id} for no key update nowait`;
    });
    expect(await loading).toMatchObject({ loaded: 1 });
  });

  it("that waits keeps its file, though the command line's load of the store ends before; the first asked for is the first run", async () => {
    const [shop, other] = [await makeShop(database), await makeShop(database)];
    const [first, second] = [await other.upload(tsv([{ id: "1" }])), await shop.upload(tsv([{ id: "web" }]))];
    await database.sql`update feed_loads set requested_at = requested_at + interval '1 minute' where id = ${first}`;
    const content = Readable.from([Buffer.from(tsv([{ id: "cli" }]))]);
    await importFile(system(), { storeId: shop.storeId, fileName: "f.tsv", content });
    expect(await shop.run()).toBe(2);
    expect((await shop.get()).current).toMatchObject({ id: second, outcome: "loaded" });
    const begun =
      await database.sql`select id from feed_loads where id in ${database.sql([first, second])} order by started_at`;
    expect(begun.map(({ id }) => id)).toEqual([second, first]);
  });
});

describe("files that are let go of", () => {
  it("take the time that they take: none of them goes within what a statement may take", async () => {
    await database.sql.unsafe(`
      create function patient() returns trigger language plpgsql as $$ begin
        if current_setting('statement_timeout') <> '0' then raise 'in a hurry'; end if; return old; end $$;
      create trigger patient before delete on feed_file_parts for each row execute function patient()`);
    const shop = await makeShop(database);
    for (const id of ["1", "2", "3", "4"]) await shop.load(tsv([{ id }]));
    expect(await filesOf(shop.storeId)).toBe(3);
    const broken = Readable.from(
      (function* () {
        yield randomBytes(700_000);
        throw new Error("gone");
      })(),
    );
    expect(await refusal(shop.upload(broken))).toMatchObject({ code: "invalid_input" });
    const content = Readable.from([Buffer.from(tsv([{ id: "1" }]))]);
    await keep(shop.ctx(), { storeId: shop.storeId, fileName: "f.tsv", content });
    await retention.run(database.as({ kind: "system" }, new Date(Date.now() + 25 * 3_600_000)));
    expect(await filesOf(shop.storeId)).toBe(3);
    await database.sql.unsafe("drop function patient cascade");
  });

  it("are those of the command line, too, also after the last it loads", async () => {
    const { id: storeId } = await makeStore(database);
    for (const id of ["1", "2", "3", "4"]) {
      const content = Readable.from([Buffer.from(tsv([{ id }]))]);
      await importFile(system(), { storeId, fileName: "f.tsv", content });
    }
    expect(await filesOf(storeId)).toBe(3);
  });

  it("are not those of before a file that the command line brings again and again: it is kept once", async () => {
    const shop = await makeShop(database);
    const { storeId } = shop;
    const first = await shop.load(tsv([{ id: "1" }]), "spring.tsv");
    const bring = (rows: string) => {
      const content = Readable.from([Buffer.from(rows)]);
      return importFile(system(), { storeId, fileName: "f.tsv", content });
    };
    for (let turn = 0; turn < 3; turn++) expect(await bring(tsv([{ id: "2" }]))).toMatchObject({ loaded: 1 });
    for (let turn = 0; turn < 2; turn++)
      expect(await refusal(bring("nonsense\n1\n"))).toMatchObject({ code: "feed_refused" });
    expect(await filesOf(storeId)).toBe(3);
    const loaded = await database.sql`select file_id from feed_loads where store_id = ${storeId}`;
    expect([loaded.length, loaded.filter(({ file_id }) => file_id === null).length]).toEqual([6, 0]);
    expect(await shop.restore(first.id)).toMatchObject({ fileName: "spring.tsv", outcome: "loaded" });
    expect((await stored(database, storeId)).products).toContainEqual(
      expect.objectContaining({ product_id: "1", vanished: false }),
    );
  });

  it("are not taken from a load of them that waits", async () => {
    const shop = await makeShop(database);
    const { storeId } = shop;
    const rows = tsv([{ id: "1" }]);
    await shop.load(rows);
    const file = await keep(shop.ctx(), { storeId, fileName: "f.tsv", content: Readable.from([Buffer.from(rows)]) });
    const content = readBack(system(), file.id);
    const { loadId } = await loadFile(system(), { storeId, fileName: "f.tsv", fileId: file.id, content });
    await loads.restore(shop.ctx(), { storeId, loadId });
    await prune(system(), storeId, file);
    await shop.run();
    expect(await shop.get()).toMatchObject({ latest: null, current: { source: "restore", outcome: "loaded" } });
  });

  it("hold up no load where that fails, and go after the next", async () => {
    const shop = await makeShop(database);
    await database.sql.unsafe(`
      create function stays() returns trigger language plpgsql as $$ begin raise 'stays'; end $$;
      create trigger stays before delete on feed_files for each row execute function stays()`);
    for (const id of ["1", "2", "3", "4", "5"])
      expect(await shop.load(tsv([{ id }]))).toMatchObject({ outcome: "loaded" });
    expect(await filesOf(shop.storeId)).toBe(5);
    await database.sql.unsafe("drop function stays cascade");
    await shop.load(tsv([{ id: "6" }]));
    expect(await filesOf(shop.storeId)).toBe(3);
  });
});

describe("a file that no load was made of", () => {
  it("goes after a day, whole or not; every other stays", async () => {
    const shops = [await makeShop(database), await makeShop(database), await makeShop(database)] as const;
    const [whole, broken, loaded] = shops;
    const content = () => Readable.from([Buffer.from(tsv([{ id: "1" }]))]);
    await keep(whole.ctx(), { storeId: whole.storeId, fileName: "f.tsv", content: content() });
    await database.sql`insert into feed_files (id, store_id, file_name) values (${crypto.randomUUID()}, ${broken.storeId}, 'f')`;
    await loaded.load(tsv([{ id: "1" }]));
    await loaded.upload(tsv([{ id: "2" }]));
    const counts = () => Promise.all(shops.map(({ storeId }) => filesOf(storeId)));
    const inHours = (hours: number) =>
      retention.run(database.as({ kind: "system" }, new Date(Date.now() + hours * 3_600_000)));
    await inHours(23);
    expect(await counts()).toEqual([1, 1, 2]);
    await inHours(25);
    expect(await counts()).toEqual([0, 0, 2]);
    await loaded.run();
    expect((await loaded.get()).current).toMatchObject({ loaded: 1, outcome: "loaded" });
  });
});

describe("the bad rows", () => {
  const csv = async (shop: Awaited<ReturnType<typeof makeShop>>, loadId: string) => {
    const { fileName, linesOf } = await badRows(shop.ctx(), { storeId: shop.storeId, loadId });
    let text = "";
    for await (const line of linesOf(AbortSignal.any([]))) text += line;
    return { fileName, lines: text.split("\r\n").slice(0, -1) };
  };

  it("come all of them, though the report shows a thousand; formulas are harmless", async () => {
    const shop = await makeShop(database);
    const rows = Array.from({ length: 3_000 }, (_, i) => ({ id: `${i}`, ...(i % 2 ? { price: `=cmd("${i}")` } : {}) }));
    const load = await shop.load(tsv(rows), "spring sale.tsv");
    expect(load).toMatchObject({ outcome: "loaded", loaded: 1_500, rejected: 1_500 });
    expect((await loads.report(shop.ctx(), { storeId: shop.storeId, loadId: load.id })).issues).toHaveLength(1_000);
    const { fileName, lines } = await csv(shop, load.id);
    expect(fileName).toBe("spring-sale-bad-rows.csv");
    expect(lines).toHaveLength(1_501);
    expect(lines[0]).toBe("\ufeffline,field,value,reason");
    expect(lines[1]).toMatch(/^3,price,"'=cmd\(""1""\)",/);
  });

  it("of a refused file end with why it was refused", async () => {
    const shop = await makeShop(database);
    const load = await shop.load(tsv([{ id: "1", price: "-1 EUR" }]));
    const { lines } = await csv(shop, load.id);
    expect(lines).toHaveLength(3);
    expect(lines[2]).toContain("Its only row is bad");
  });

  it("are the first thousand once the file is no longer kept; errors go before warnings", async () => {
    const shop = await makeShop(database);
    const warned = Array.from({ length: 1_500 }, (_, i) => ({ id: `w${i}`, gtin: "123" }));
    const load = await shop.load(tsv([...warned, { id: "bad", price: "none" }]));
    const { issues } = await loads.report(shop.ctx(), { storeId: shop.storeId, loadId: load.id });
    expect([issues.length, issues.filter(({ severity }) => severity === "error").length]).toEqual([1_000, 1]);
    await database.sql`delete from feed_files where store_id = ${shop.storeId}`;
    expect((await csv(shop, load.id)).lines).toHaveLength(2);
  });

  /** Of a load whose file has about `parts` of them and no bad row; each part is read when what `before` gives is done. */
  async function reading(parts: number, before: (part: number, storeId: string) => Promise<void> | void) {
    const shop = await makeShop(database);
    const row = () => ({ id: randomBytes(8).toString("hex"), description: randomBytes(7_000).toString("base64") });
    const load = await shop.load(tsv(Array.from({ length: parts * 72 }, row)));
    let read = 0;
    const sql = new Proxy(database.sql, {
      apply(target, self, [text, ...values]) {
        const run = () => Reflect.apply(target, self, [text, ...values]);
        if (!String(text).includes("join feed_file_parts")) return run();
        return Promise.resolve(before(++read, shop.storeId)).then(run);
      },
    });
    const { linesOf } = await badRows({ ...shop.ctx(), sql }, { storeId: shop.storeId, loadId: load.id });
    const all = async (signal: AbortSignal) => {
      let text = "";
      for await (const line of linesOf(signal)) text += line;
      return text.split("\r\n").length - 2;
    };
    return { all, read: () => read };
  }

  it("are no longer looked for once whoever asked has left, though none is found", async () => {
    const leaving = new AbortController();
    const { all, read } = await reading(8, (part) => {
      if (part === 2) leaving.abort();
    });
    await all(leaving.signal);
    expect(read()).toBeLessThan(5);
  });

  it("break off, and never end as if these were all, where the file can't be read", async () => {
    const { all } = await reading(1, () => Promise.reject(new Error("away")));
    await expect(all(AbortSignal.any([]))).rejects.toThrow("could not be read");
  });

  it("break off, too, where the file is let go of meanwhile", async () => {
    const { all } = await reading(3, async (part, storeId) => {
      if (part === 2) await database.sql`delete from feed_files where store_id = ${storeId}`;
    });
    await expect(all(AbortSignal.any([]))).rejects.toThrow("was let go of");
  });

  it("are looked for in one file at a time", async () => {
    const [begun, wait] = [new AbortController(), new AbortController()];
    const first = await reading(1, async () => {
      begun.abort();
      if (!wait.signal.aborted) await once(wait.signal, "abort");
    });
    const second = await reading(1, () => {});
    const both = [first.all(AbortSignal.any([])), second.all(AbortSignal.any([]))];
    if (!begun.signal.aborted) await once(begun.signal, "abort");
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
    expect(second.read()).toBe(0);
    wait.abort();
    expect(await Promise.all(both)).toEqual([0, 0]);
    expect(second.read()).toBeGreaterThan(0);
  });
});

describe("the history", () => {
  it("is turned a page at a time in both directions, without gaps or repeats", async () => {
    const shop = await makeShop(database);
    const made: string[] = [];
    for (let i = 0; i < 22; i++) made.push((await shop.load(tsv([{ id: `${i}` }]))).id);
    const { storeId } = shop;
    const at = (cursor: string | undefined) => loads.history(shop.ctx(), { storeId, cursor });
    const first = await at(undefined);
    const second = await at(first.next);
    const third = await at(second.next);
    expect([first, second, third].flatMap((page) => page.loads.map(({ id }) => id))).toEqual(made.toReversed());
    expect([first.previous, third.next]).toEqual([undefined, undefined]);
    const back = await at(third.previous);
    expect(back.loads).toEqual(second.loads);
    expect((await at(back.previous)).loads).toEqual(first.loads);
  });
});

describe("another merchant", () => {
  it("finds nothing: no store, load, report or bad rows, and can send and bring back nothing", async () => {
    const shop = await makeShop(database);
    const load = await shop.load(tsv([{ id: "1" }]));
    const other = await makeShop(database);
    const ctx = other.ctx();
    const ref = { storeId: shop.storeId, loadId: load.id };
    const content = () => Readable.from([Buffer.from(tsv([{ id: "x" }]))]);
    const tries = [
      () => loads.get(ctx, ref),
      () => loads.history(ctx, ref),
      () => loads.report(ctx, ref),
      () => loads.report(ctx, { ...ref, storeId: other.storeId }),
      () => badRows(ctx, ref),
      () => loads.restore(ctx, ref),
      () => loads.restore(ctx, { ...ref, storeId: other.storeId }),
      () => loads.upload(ctx, { ...ref, fileName: "f", content: content() }),
    ];
    for (const one of tries) expect((await refusal(one())).code).toBe("not_found");
    expect((await loads.stores(ctx)).map(({ id }) => id)).toEqual([other.storeId]);
  });

  it("of two stores of one merchant each has its own queue", async () => {
    const shop = await makeShop(database);
    const second = await makeStore(database);
    await database.sql`update stores set merchant_id = ${shop.merchantId} where id = ${second.id}`;
    const ctx = database.as(await makeMerchant(database, shop.merchantId));
    await shop.upload(tsv([{ id: "1" }]));
    await loads.upload(ctx, {
      storeId: second.id,
      fileName: "f.tsv",
      content: Readable.from([Buffer.from(tsv([{ id: "2" }]))]),
    });
    expect(await shop.run()).toBe(2);
    expect((await loads.stores(ctx)).map(({ products }) => products)).toEqual([1, 1]);
  });
});
