// The operators' register of merchants and their stores.
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { merchants as merchantsTable } from "../../db/schema/merchants";
import * as merchantList from "../../server/services/merchant-list";
import * as register from "../../server/services/merchant-register";
import { testDatabase, untilWaiting } from "../support/database";
import { makeMerchant, makeStore } from "../support/factories";
import { loadRows, makeStoreWith } from "../support/feed";
import { loadFeed, tsv } from "../support/feeds/load";
import { outcomeOf } from "../support/people";

const database = testDatabase();
const operator = () => database.as({ kind: "operator", accountId: null });
const NOBODY = "00000000-0000-7000-8000-000000000000";

const profile = {
  name: "Tern Cycles",
  legalName: "Tern Cycles AB",
  url: "https://tern.example",
  logo: "",
  description: "Bicycles and what belongs to them.",
  country: "se",
  currency: "sek",
  languages: ["sv", "en"],
  categories: ["Bicycles"],
  contactEmail: "help@tern.example",
  contactPhone: "",
  contactUrl: "",
};
let made = 0;
const newMerchant = () => register.create(operator(), { name: `Tern ${++made}` });
const newStore = (merchantId: string, given: Record<string, unknown> = {}) =>
  register.RegisterStore.parse({ ...profile, slug: `tern-${++made}`, merchantId, aiDiscovery: true, ...given });

describe("a merchant", () => {
  it("is created, renamed, and recorded", async () => {
    const { id } = await register.create(operator(), { name: "Tern" });
    await register.rename(operator(), { id, name: "Tern Group" });
    await register.rename(operator(), { id, name: "Tern Group" });
    expect(await register.get(operator(), { id })).toMatchObject({ name: "Tern Group", stores: [], members: 0 });
    const acts = await database.sql`select action, before, after from audit where target_id = ${id} order by id`;
    expect(acts).toEqual([
      { action: "merchant.create", before: null, after: { name: "Tern" } },
      { action: "merchant.rename", before: { name: "Tern" }, after: { name: "Tern Group" } },
    ]);
    await expect(register.rename(operator(), { id: NOBODY, name: "x" })).rejects.toMatchObject({ code: "not_found" });
    await expect(register.get(operator(), { id: NOBODY })).rejects.toMatchObject({ code: "not_found" });
  });

  it("is created once by a form that is sent twice at once; its name may be another's, for who was told that it is", async () => {
    const create = (shown?: string) => outcomeOf(register.create(operator(), { name: "Twice", shown }));
    const [one, other] = (await Promise.all([create(), create()])).toSorted((a) => ("value" in a ? -1 : 1));
    expect(one).toEqual({ value: { id: expect.any(String) } });
    const told = { code: "conflict", message: expect.stringMatching(/already a merchant “Twice”.*Create it again/) };
    expect(other).toMatchObject(told);
    const { version } = (other as { details: { version: string } }).details;
    const anew = await Promise.all([create(version), create(version)]);
    expect(anew).toContainEqual({ value: { id: expect.any(String) } });
    expect(anew).toContainEqual(expect.objectContaining(told));
    const merchants = await database.sql`select from merchants where name = 'Twice'`;
    const acts = await database.sql`select from audit where action = 'merchant.create' and after ->> 'name' = 'Twice'`;
    expect([merchants.length, acts.length]).toEqual([2, 2]);
  });

  it("is renamed by whoever was shown its name: nobody replaces one that they have not read", async () => {
    const { id } = await register.create(operator(), { name: "Tern" });
    const { version: shown } = await register.get(operator(), { id });
    await register.rename(operator(), { id, name: "Tern Group", shown });
    const { name, version } = await register.get(operator(), { id });
    const late = register.rename(operator(), { id, name: "Terns", shown });
    await expect(late).rejects.toMatchObject({ code: "conflict", details: { version } });
    expect(await register.get(operator(), { id })).toMatchObject({ name });
    await register.rename(operator(), { id, name: "Terns", shown: version });
    expect(await register.get(operator(), { id })).toMatchObject({ name: "Terns" });
  });

  it("renamed twice at once was called the one before the other", async () => {
    const { id } = await register.create(operator(), { name: "Tern" });
    let renaming: Promise<unknown> | undefined;
    await database.sql.begin(async (tx) => {
      await tx`select from merchants where id = ${id} for update`;
      renaming = Promise.all(["One", "Two"].map((name) => register.rename(operator(), { id, name })));
      await untilWaiting(database.sql, 2);
    });
    await renaming;
    const [first, second] = await database.sql`
      select before, after from audit where target_id = ${id} and action = 'merchant.rename' order by at, id`;
    const chain = [first!, second!].toSorted((a) => (a.before.name === "Tern" ? -1 : 1));
    expect(chain[0]!.before).toEqual({ name: "Tern" });
    expect(chain[1]!.before).toEqual(chain[0]!.after);
  });

  it("is listed with how many stores it has, how many of them agents may read, and how many act for it", async () => {
    const { id } = await register.create(operator(), { name: "Counted" });
    for (const aiDiscovery of [true, false, true])
      await register.createStore(operator(), newStore(id, { aiDiscovery }));
    for (let i = 0; i < 2; i++) await makeMerchant(database, id);
    await makeMerchant(database, (await makeStore(database)).merchantId);
    const { merchants } = await merchantList.list(operator(), { query: "Counted", limit: 50 });
    expect(merchants).toMatchObject([{ stores: 3, discoverable: 2, members: 2 }]);
    expect(await register.get(operator(), { id })).toMatchObject({ members: 2 });
  });

  it("is found by its name, and by a store's name, slug and address, whatever signs they hold", async () => {
    const { id } = await register.create(operator(), { name: "100%_Wool" });
    await register.create(operator(), { name: "100 Wool" });
    const { id: other } = await register.create(operator(), { name: "Zebra" });
    await register.createStore(
      operator(),
      newStore(other, { slug: "zebra-slug", name: "Crossing", url: "https://zz.example" }),
    );
    const names = async (query: string) =>
      (await merchantList.list(operator(), { query, limit: 50 })).merchants.map(({ name }) => name);
    expect(await names("0%_w")).toEqual(["100%_Wool"]);
    expect(await names("crossing")).toEqual(["Zebra"]);
    expect(await names("zebra-sl")).toEqual(["Zebra"]);
    expect(await names("zz.exam")).toEqual(["Zebra"]);
    expect(await names("no such")).toEqual([]);
    expect((await merchantList.list(operator(), { query: "zebra", limit: 50 })).merchants).toMatchObject([
      { stores: 1, discoverable: 1, members: 0 },
    ]);
    expect(id).not.toBe(other);
  });

  it("is found among more than are looked up, in the order of the list", async () => {
    await database.sql`
      insert into merchants (id, name) select gen_random_uuid(), 'Many ' || lpad(i::text, 4, '0') from generate_series(1, 1001) i`;
    const { id } = await register.create(operator(), { name: "Another" });
    await register.createStore(operator(), newStore(id, { name: "One of many shops" }));
    const found = await merchantList.list(operator(), { query: "many ", limit: 3 });
    expect(found.merchants.map(({ name }) => name)).toEqual(["Another", "Many 0001", "Many 0002"]);
  });

  it("stands on one page of the list, forwards and back, though several have one name", async () => {
    const named = Array.from({ length: 7 }, (_, i) => ({ name: `Page ${2 - Math.floor(i / 3)}` }));
    await database.db.insert(merchantsTable).values(named);
    const page = (cursor?: string) =>
      merchantList.list(operator(), { query: "Page ", limit: 3, ...(cursor ? { cursor } : {}) });
    const first = await page();
    const second = await page(first.next);
    const third = await page(second.next);
    const names = [first, second, third].map(({ merchants }) => merchants.map(({ name }) => name.slice(-1)).join(""));
    expect(names).toEqual(["011", "122", "2"]);
    expect([first.previous, third.next]).toEqual([undefined, undefined]);
    const ids = [first, second, third].flatMap(({ merchants }) => merchants.map(({ id }) => id));
    expect(new Set(ids).size).toBe(7);
    const back = await page(third.previous);
    expect(back.merchants).toEqual(second.merchants);
    expect((await page(back.previous)).merchants).toEqual(first.merchants);
    expect((await page(back.previous)).previous).toBeUndefined();
    expect((await page(back.next)).merchants).toEqual(third.merchants);
    await expect(page(`x${first.next}`)).rejects.toMatchObject({ code: "cursor_invalid" });
  });
});

describe("a store", () => {
  it("saved as it is stays as it is: nothing is recorded, and whoever has it open may still save theirs", async () => {
    const { id: merchantId } = await newMerchant();
    const { id } = await register.createStore(operator(), newStore(merchantId));
    const { updatedAt } = await register.getStore(operator(), { id, merchantId });
    const save = (given: object) =>
      register.editStore(operator(), register.EditStore.parse({ ...profile, id, updatedAt, ...given }));
    await save({});
    expect(await register.getStore(operator(), { id, merchantId })).toMatchObject({ updatedAt });
    const acts = () => database.sql`select from audit where target_id = ${id} and action = 'store.edit'`;
    expect(await acts()).toHaveLength(0);
    await save({ name: "Tern Bicycles" });
    expect(await register.getStore(operator(), { id, merchantId })).toMatchObject({ name: "Tern Bicycles" });
    expect(await acts()).toHaveLength(1);
  });

  it("is made of what was filled in, for a merchant that there is", async () => {
    const { id: merchantId } = await newMerchant();
    const contact = { contactPhone: "+46 8 55 01 00", contactUrl: "https://tern.example/help" };
    const given = newStore(merchantId, { aiDiscovery: false, logo: "https://tern.example/logo.svg", ...contact });
    const { id } = await register.createStore(operator(), given);
    expect(await register.getStore(operator(), { id, merchantId })).toMatchObject({
      name: "Tern Cycles",
      legalName: "Tern Cycles AB",
      country: "SE",
      currency: "SEK",
      languages: ["sv", "en"],
      logo: "https://tern.example/logo.svg",
      description: "Bicycles and what belongs to them.",
      contactPoint: { email: "help@tern.example", phone: "+46 8 55 01 00", url: "https://tern.example/help" },
      aiDiscovery: false,
      isDemo: false,
    });
    const { id: before } = await register.createStore(operator(), newStore(merchantId, { name: "A Tern" }));
    const { stores } = await register.get(operator(), { id: merchantId });
    expect(stores.map((store) => store.id)).toEqual([before, id]);
    await expect(register.createStore(operator(), newStore(NOBODY))).rejects.toMatchObject({ code: "not_found" });
    await expect(register.getStore(operator(), { id, merchantId: NOBODY })).rejects.toMatchObject({
      code: "not_found",
    });
  });

  it("has a slug of its own: of two at once one is made, and the other is told", async () => {
    const { id: merchantId } = await newMerchant();
    const store = newStore(merchantId);
    const outcomes = await Promise.all([1, 2].map(() => outcomeOf(register.createStore(operator(), store))));
    expect(outcomes.filter((outcome) => "code" in outcome)).toMatchObject([
      { code: "conflict", details: { field: "slug" } },
    ]);
  });

  it("is changed, and recorded with before and after; what is not on the form stays", async () => {
    const store = await makeStore(database, { opening_hours: [{ day: "monday", opens: "09:00", closes: "17:00" }] });
    const shown = await register.getStore(operator(), { id: store.id, merchantId: store.merchantId });
    const changed = { ...profile, id: store.id, currency: "EUR", name: "Tern Two", updatedAt: shown.updatedAt };
    const input = register.EditStore.parse(changed);
    await register.editStore(operator(), input);
    expect(await register.getStore(operator(), { id: store.id, merchantId: store.merchantId })).toMatchObject({
      name: "Tern Two",
      slug: store.slug,
      contactPoint: { email: "help@tern.example" },
    });
    const [row] = await database.sql`select opening_hours, currencies from stores where id = ${store.id}`;
    expect(row).toMatchObject({ opening_hours: [{ day: "monday" }], currencies: ["EUR"] });
    const [act] =
      await database.sql`select before, after from audit where target_id = ${store.id} and action = 'store.edit'`;
    expect(act).toMatchObject({ before: { name: store.name }, after: { name: "Tern Two" } });
    await expect(register.editStore(operator(), { ...input, id: NOBODY })).rejects.toMatchObject({ code: "not_found" });
  });

  it("is not changed by who saw it before somebody else did: of twenty at once one saves, and the others are told", async () => {
    const store = await makeStore(database);
    const { updatedAt } = await register.getStore(operator(), { id: store.id, merchantId: store.merchantId });
    const save = (name: string) =>
      register.editStore(
        operator(),
        register.EditStore.parse({ ...profile, id: store.id, currency: "EUR", name, updatedAt }),
      );
    const names = Array.from({ length: 20 }, (_, i) => `Tern ${i}`);
    const outcomes = await Promise.all(names.map((name) => outcomeOf(save(name))));
    expect(outcomes.filter((outcome) => "code" in outcome && outcome.code === "conflict")).toHaveLength(19);
    const saved = await register.getStore(operator(), { id: store.id, merchantId: store.merchantId });
    expect(saved.name).toBe(names[outcomes.findIndex((outcome) => "value" in outcome)]);
  });

  it("is changed while a load has brought products that nobody sees yet", async () => {
    const store = await makeStore(database);
    const { updatedAt } = await register.getStore(operator(), { id: store.id, merchantId: store.merchantId });
    await database.sql.begin(async (tx) => {
      await tx`
        insert into products (store_id, product_id, title, title_key, price_amount, currency, availability, condition, link, tokens,
          search, title_search, data_as_of)
        values (${store.id}, 'A1', 'A1', 'a1', 1, 'EUR', 'in_stock', 'new', 'https://tern.example/a1', '{}', '', '', now())`;
      await register.editStore(
        operator(),
        register.EditStore.parse({ ...profile, id: store.id, currency: "EUR", updatedAt }),
      );
    });
    expect(await register.getStore(operator(), { id: store.id, merchantId: store.merchantId })).toMatchObject({
      name: profile.name,
    });
  });

  it("counts the products that agents can find, neither excluded nor gone from the feed", async () => {
    const store = await makeStoreWith(database, [{ id: "A1" }, { id: "A2" }, { id: "A3" }, { id: "A4" }]);
    await loadRows(database, store.id, [{ id: "A1" }, { id: "A2" }, { id: "A3" }]);
    await database.sql`update products set excluded = true where store_id = ${store.id} and product_id = 'A2'`;
    expect(await register.get(operator(), { id: store.merchantId })).toMatchObject({ stores: [{ productCount: 2 }] });
  });

  it("keeps the currency that its catalogue is priced in", async () => {
    const store = await makeStore(database);
    const edit = async (currency: string) => {
      const { updatedAt } = await register.getStore(operator(), { id: store.id, merchantId: store.merchantId });
      await register.editStore(operator(), register.EditStore.parse({ ...profile, id: store.id, currency, updatedAt }));
    };
    await edit("SEK");
    const [changed] = await database.sql`select currency, currencies from stores where id = ${store.id}`;
    expect(changed).toEqual({ currency: "SEK", currencies: ["SEK", "EUR"] });
    await edit("EUR");
    await loadRows(database, store.id, [{ id: "A1" }]);
    await expect(edit("SEK")).rejects.toMatchObject({
      code: "invalid_input",
      details: { issues: [{ path: "currency" }] },
    });
    await edit("EUR");
  });

  it("keeps the currency that a catalogue is being loaded in, and what waits is loaded in the one that it has then", async () => {
    const store = await makeStore(database);
    const edit = async (currency: string) => {
      const { updatedAt } = await register.getStore(operator(), { id: store.id, merchantId: store.merchantId });
      await register.editStore(operator(), register.EditStore.parse({ ...profile, id: store.id, currency, updatedAt }));
    };
    const content = new Readable({ read() {} });
    content.push(tsv([{ id: "A1", price: "10" }]));
    const loading = loadFeed(database, store.id, content);
    const lock = () => database.sql`
      select from pg_locks where locktype = 'advisory' and granted
        and database = (select oid from pg_database where datname = current_database())`;
    await expect.poll(async () => (await lock()).length).toBe(1);
    expect(await outcomeOf(edit("SEK"))).toMatchObject({
      code: "invalid_input",
      details: { issues: [{ path: "currency" }] },
    });
    content.push(null);
    await loading;
    const other = await makeStore(database);
    let waiting: Promise<unknown> | undefined;
    await database.sql.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(hashtextextended(${`feed:${other.id}`}, 0))`;
      waiting = loadFeed(database, other.id, tsv([{ id: "A1", price: "10" }]));
      await untilWaiting(database.sql, 1);
      await tx`update stores set currency = 'SEK', currencies = '{SEK,EUR}' where id = ${other.id}`;
    });
    await waiting;
    const priced = await database.sql`
      select s.currency, p.currency as priced from stores s join products p on p.store_id = s.id
      where s.id in (${store.id}, ${other.id}) order by 1`;
    expect(priced).toEqual([
      { currency: "EUR", priced: "EUR" },
      { currency: "SEK", priced: "SEK" },
    ]);
  });

  it.each([
    [{ name: " " }, "name"],
    [{ url: "javascript:alert(1)" }, "url"],
    [{ logo: "tern.png" }, "logo"],
    [{ country: "XX" }, "country"],
    [{ country: "ZZ" }, "country"],
    [{ country: "EU" }, "country"],
    [{ country: "UK" }, "country"],
    [{ country: "Sweden" }, "country"],
    [{ currency: "SKR" }, "currency"],
    [{ languages: ["swedish language"] }, "languages"],
    [{ contactEmail: "help" }, "contactEmail"],
    [{ slug: "Tern Cycles" }, "slug"],
  ])("is refused with %j", (bad, field) => {
    const given = { ...profile, slug: "tern", merchantId: NOBODY, aiDiscovery: true, ...bad };
    const { error } = register.RegisterStore.safeParse(given);
    expect(error?.issues.map(({ path }) => path[0])).toEqual([field]);
  });

  it("has at most 50 languages, and 100 categories of at most 100 characters", () => {
    const isTaken = (given: object) =>
      register.EditStore.safeParse({ ...profile, id: NOBODY, updatedAt: 0, ...given }).success;
    const many = (count: number, what: string) => Array.from({ length: count }, () => what);
    expect(isTaken({ languages: many(50, "en"), categories: many(100, "x".repeat(100)) })).toBe(true);
    for (const beyond of [
      { languages: many(51, "en") },
      { categories: many(101, "x") },
      { categories: ["x".repeat(101)] },
      { categories: [" "] },
    ])
      expect(isTaken(beyond)).toBe(false);
  });
});
