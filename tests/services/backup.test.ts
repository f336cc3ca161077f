import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough, Readable, Writable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { gunzipSync, gzipSync } from "node:zlib";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { connect } from "../../db/client";
import { newRequestId } from "../../server/context";
import { backUp, restore } from "../../server/services/backup";
import { issue } from "../../server/services/keys";
import { commandLine } from "../support/aisle";
import { rpc } from "../support/clients";
import {
  DEMO_TEMPLATE,
  patientUrl,
  TEST_SECRET,
  type TestDatabase,
  testDatabase,
  untilWaiting,
} from "../support/database";
import { type makeConsumer, makeStore } from "../support/factories";
import { loadRows } from "../support/feed";
import { makeShop, shopIn } from "../support/feeds/jobs";
import { refusal, stored, tsv } from "../support/feeds/load";
import { makeFolder } from "../support/folder";
import { testServer } from "../support/server";

const full = testDatabase(DEMO_TEMPLATE);
const empty = testDatabase();
/** Works on `full`. */
const aisle = commandLine(() => ({
  NODE_ENV: "production",
  DATABASE_URL: patientUrl(full.url),
  SECRET_KEY: TEST_SECRET,
}));
const system = (database: TestDatabase) => database.as({ kind: "system" });

async function backedUp(database: TestDatabase): Promise<Buffer> {
  const sink = new PassThrough();
  const [file] = await Promise.all([buffer(sink), backUp(system(database), sink)]);
  return file;
}

/** Every row of every table but the counters, as text. */
async function everything({ sql }: TestDatabase): Promise<Record<string, string[]>> {
  const tables = await sql<{ name: string }[]>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
      and not relispartition and relname <> 'rate_limits' order by 1`;
  const all: Record<string, string[]> = {};
  for (const { name } of tables)
    all[name] = (await sql.unsafe(`select t::text as row from "${name}" t order by 1`)).map(({ row }) => row as string);
  return all;
}

describe("a backup", () => {
  const another = testDatabase();
  const slow = testDatabase();
  const wide = testDatabase();
  let file: Buffer;
  let key: string;
  beforeAll(async () => {
    const [consumer] = await full.sql<Awaited<ReturnType<typeof makeConsumer>>[]>`select id from consumers limit 1`;
    ({ value: key } = await issue(full.as({ kind: "operator", accountId: null }), {
      consumerId: consumer!.id,
      name: "Kept",
    }));
    // What line breaks, quotes and other scripts are to a file.
    await full.sql`update stores set description = ${'a\\tab\t"q"\n\\.\nCOPY stores\r\n\u2028 ø 漢 \u{1f6d2}'} where is_demo`;
    file = await backedUp(full);
    await restore(system(empty), Readable.from([file]));
  });
  // After the restore, as docs/operations.md has it: while the tables are filled, a server's jobs would wait for them.
  const server = testServer(empty);

  it("holds every row, and fills an empty database with them", async () => {
    const restored = await restore(system(another), Readable.from([await backedUp(full)]));
    expect(restored).toMatchObject({ rows: expect.any(Number) });
    expect(await everything(another)).toEqual(await everything(full));
  });

  it("is restored however long its rows take to be analysed", async () => {
    const { sql, url } = slow;
    await sql.unsafe("create schema other; create table other.busy ()");
    const hasty = new URL(patientUrl(url, ["lock_timeout"]));
    hasty.searchParams.set("statement_timeout", "500");
    const connections = connect(hasty.href, "aisle-test");
    onTestFinished(() => connections.close());
    const restored = await sql.begin(async (tx) => {
      await tx`lock table other.busy in share update exclusive mode`;
      const restoring = restore({ ...system(slow), ...connections }, Readable.from([file]));
      const isHeldUp = async () => {
        const [row] = await sql`select from pg_stat_activity where datname = current_database() and query = 'analyze'
          and wait_event_type = 'Lock' and query_start < clock_timestamp() - interval '1 second'`;
        return row !== undefined;
      };
      await Promise.race([restoring, expect.poll(isHeldUp).toBe(true)]);
      return { restoring };
    });
    await restored.restoring;
    expect(await everything(slow)).toEqual(await everything(empty));
  });

  it("lets the same key go on, and new rows follow the old ones", async () => {
    const reply = await rpc(server.url, key, "tools/call", { name: "search_products", arguments: { query: "tent" } });
    expect(reply.json.result.structuredContent.products.length).toBeGreaterThan(0);
    const sample = readFileSync(new URL("../../docs/operations.md", import.meta.url), "utf8");
    expect(sample).toContain(reply.json.result.content[0].text.slice(0, 31).replaceAll('"', '\\"'));
    const store = await makeStore(empty);
    const [{ last }] = await empty.sql<[{ last: number }]>`select max(id) as last from products`;
    await loadRows(empty, store.id, [{ id: "new" }]);
    const [{ id }] = await empty.sql<[{ id: number }]>`select id from products where store_id = ${store.id}`;
    expect(id).toBeGreaterThan(last);
  });

  it("is of one moment, whatever is written meanwhile", async () => {
    const { sql } = full;
    const [merchant, store] = [newRequestId(), newRequestId()];
    const { backingUp } = await sql.begin(async (tx) => {
      await tx`lock table stores in access exclusive mode`;
      const backingUp = backedUp(full);
      // It has begun, and comes to the stores once these are there.
      await untilWaiting(sql, 1);
      await tx`insert into merchants ${tx({ id: merchant, name: "Late" })}`;
      const late = { slug: "late", name: "Late", url: "https://late.example", country: "IE", currency: "EUR" };
      await tx`insert into stores ${tx({ ...late, id: store, merchant_id: merchant, currencies: ["EUR"] })}`;
      return { backingUp };
    });
    const text = gunzipSync(await backingUp).toString();
    expect(text).toContain("\nCOPY stores\n");
    expect([text.includes(merchant), text.includes(store)]).toEqual([false, false]);
  });

  it("is refused where Aisle was upgraded meanwhile: a table written anew would be empty in it", async () => {
    const sink = new PassThrough();
    const hash = "of the next release";
    const upgrade = async () =>
      void (await full.sql`insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${Date.now()})`);
    sink.once("data", upgrade);
    const [told] = await Promise.all([refusal(backUp(system(full), sink)), buffer(sink)]);
    await full.sql`delete from drizzle.__drizzle_migrations where hash = ${hash}`;
    expect(told.message).toContain("Take the backup again");
  });

  it("that finds no more room says so, and not what becomes of the COPY that it gives up", async () => {
    const { sql } = wide;
    await sql.unsafe("create table noise as select md5(i::text) from generate_series(1, 200000) i");
    let written = 0;
    const noRoom = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
    const sink = new Writable({
      write(chunk: Buffer, _encoding, done) {
        written += chunk.length;
        done(written > 100_000 ? noRoom : null);
      },
    });
    await expect(backUp(system(wide), sink)).rejects.toBe(noRoom);
    expect(written).toBeLessThan(1_000_000);
  });

  it("is never written over another file, nor over what another backup writes, and says so", async () => {
    for (const [there, reason] of [
      ["backup.gz", "a backup is never written over another file. Give it a new name.\n"],
      [
        "backup.gz.part",
        "another backup is writing it, or was ended while it did. Remove it, or give this one a new name.\n",
      ],
    ] as const) {
      const folder = makeFolder();
      writeFileSync(join(folder, there), "kept");
      const told = await aisle("backup", join(folder, "backup.gz"));
      expect(told).toEqual({ code: 1, stdout: "", stderr: `${join(folder, there)} is there already: ${reason}` });
      expect(readdirSync(folder)).toEqual([there]);
      expect(readFileSync(join(folder, there), "utf8")).toBe("kept");
    }
  });

  it("is not begun for a file without a name, as a variable that is not set has it", async () => {
    const { code, stderr } = await aisle("backup", "");
    expect([code, stderr]).toEqual([2, expect.stringContaining("It must be the name of a file.")]);
  });

  it("has its name once it is whole, for its owner alone; one that is refused leaves no file", async () => {
    const folder = makeFolder();
    const file = join(folder, "backup.gz");
    const hash = "of the next release";
    const { sql } = full;
    let ending: ReturnType<typeof aisle> | undefined;
    await sql.begin(async (tx) => {
      await tx`lock table variants in access exclusive mode`;
      ending = aisle("backup", file);
      await untilWaiting(sql, 1);
      expect(readdirSync(folder)).toEqual(["backup.gz.part"]);
      await sql`insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${Date.now()})`;
    });
    const told = await ending!;
    await sql`delete from drizzle.__drizzle_migrations where hash = ${hash}`;
    expect(told).toMatchObject({ code: 1, stderr: expect.stringContaining("Take the backup again") });
    expect(readdirSync(folder)).toEqual([]);
    expect(await aisle("backup", file)).toMatchObject({ code: 0 });
    expect(readdirSync(folder)).toEqual(["backup.gz"]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it("that is not there makes no database", async () => {
    const folder = join(makeFolder(), "data");
    const aisle = commandLine(() => ({ NODE_ENV: "production", DATA_DIR: folder, SECRET_KEY: TEST_SECRET }));
    expect(await aisle("restore", "/nowhere.gz")).toEqual({
      code: 1,
      stdout: "",
      stderr: "There is no file /nowhere.gz.\n",
    });
    expect(existsSync(folder)).toBe(false);
  });

  it("is not laid over what is there", async () => {
    const refused = await refusal(restore(system(full), Readable.from([file])));
    expect(refused.message).toContain("Restore into an empty one");
  });
});

describe("a store that was restored goes back", () => {
  const before = testDatabase();
  const [one, other] = [testDatabase(), testDatabase()];
  const restoredInto = async (database: TestDatabase, shop: Parameters<typeof shopIn>[1]) => {
    await restore(system(database), Readable.from([await backedUp(before)]));
    return shopIn(database, shop);
  };

  it("before the first load that came then, and what had vanished earlier stays", async () => {
    const earlier = await makeShop(before);
    await earlier.load(tsv([{ id: "old" }, { id: "a" }]));
    const last = await earlier.load(tsv([{ id: "a" }]));
    const shop = await restoredInto(one, earlier);
    const was = await stored(one, shop.storeId);
    const [{ greatest }] = await one.sql<[{ greatest: number }]>`select max(id) as greatest from variants`;
    const next = await shop.load(tsv([{ id: "a", price: "11 EUR" }]));
    expect(await shop.restore(last.id)).toMatchObject({ outcome: "loaded" });
    expect(await stored(one, shop.storeId)).toEqual(was);
    expect(was.variants).toMatchObject([
      { variant_id: "a", vanished: false },
      { variant_id: "old", vanished: true },
    ]);
    const [load] = await one.sql`select last_variant_ref from feed_loads where id = ${next.id}`;
    expect(load).toEqual({ last_variant_ref: greatest });
  });

  it("without what came since, though the last variants before the backup had been forgotten", async () => {
    const earlier = await makeShop(before);
    const first = await earlier.load(tsv([{ id: "a" }]));
    const second = await earlier.load(tsv([{ id: "a" }, { id: "b" }]));
    const was = await stored(before, earlier.storeId);
    await earlier.restore(first.id);
    const shop = await restoredInto(other, earlier);
    await shop.load(tsv([{ id: "a" }, { id: "new" }]));
    expect(await shop.restore(second.id)).toMatchObject({ outcome: "loaded" });
    expect(await stored(other, shop.storeId)).toEqual(was);
  });
});

describe("what is no backup", () => {
  const database = testDatabase();
  const newer = testDatabase();
  const text = async () => gunzipSync(await backedUp(full)).toString();
  const isEmpty = async () => (await database.sql`select from merchants`).length === 0;

  it.each([
    ["nothing", async () => Buffer.alloc(0)],
    ["no gzip", async () => Buffer.from("hello")],
    ["another file", async () => gzipSync("id\ttitle\n1\tTent\n")],
    ["cut off in the gzip", async () => (await backedUp(full)).subarray(0, 40_000)],
    ["cut off at a line", async () => gzipSync((await text()).split("\nCOPY stores\n")[0]!)],
  ])("%s is refused, and leaves the database empty", async (_name, file) => {
    const refused = await refusal(restore(system(database), Readable.from([await file()])));
    expect(refused.message).toContain("This is no backup");
    expect(await isEmpty()).toBe(true);
  });

  it("of another version is refused", async () => {
    const other = (await text()).replace(/"migrations":\["\w+"/, '"migrations":["0"');
    const refused = await refusal(restore(system(database), Readable.from([gzipSync(other)])));
    expect(refused.message).toContain("another version of Aisle");
  });

  it("of a database that a newer version had brought up to date is refused, whoever made it: that one restores it", async () => {
    // What remains of a migration after somebody went back to the version before.
    await newer.sql`alter table stores add column nickname text`;
    await newer.sql`insert into drizzle.__drizzle_migrations (hash, created_at)
      select 'newer', max(created_at) + 1 from drizzle.__drizzle_migrations`;
    const refused = await refusal(restore(system(database), Readable.from([await backedUp(newer)])));
    expect(refused.message).toContain("by a newer version of Aisle. Restore it with that one");
    expect(await isEmpty()).toBe(true);
  });
});
