import { describe, expect, it } from "vitest";
import * as promotions from "../../server/services/promotions";
import * as stores from "../../server/services/stores";
import { testDatabase } from "../support/database";
import { makeReader, makeStore } from "../support/factories";

const database = testDatabase();

const info = async (storeId: string) =>
  JSON.parse((await stores.info(database.as(await makeReader(database)), { storeId })).text);

describe("stores", () => {
  it("are found by the letters of a query, none of which stands for others, however wide it is written", async () => {
    const [percent, plain] = [
      await makeStore(database, { name: "100%_Cotton\\Linen" }),
      await makeStore(database, { name: "100 a Cotton Linen" }),
    ];
    const ctx = database.as(await makeReader(database));
    const found = async (query: string) => {
      const { stores: all } = await stores.list(ctx, { query, limit: 50 });
      return all.map(({ id }) => id).filter((id) => [percent.id, plain.id].includes(id));
    };
    expect(await found("cotton")).toHaveLength(2);
    for (const query of ["%_", "％_", "％＿cotton", "cotton\\linen", "cotton＼linen"])
      expect(await found(query), query).toEqual([percent.id]);
  });

  it("are found by the words of their categories, or how these begin", async () => {
    const store = await makeStore(database, {
      categories: ["Tents & Shelters", "Women’s  Clothing (Knitted)", "Café 100%"],
    });
    const ctx = database.as(await makeReader(database));
    const isFound = async (category: string) =>
      (await stores.list(ctx, { category, limit: 50 })).stores.some(({ id }) => id === store.id);
    const all = [
      ...["Tents & Shelters", "tents & shelters", "tents", "TENT", "shelters", "shelter tent"],
      ...["women's clothing", "Women’s  Clothing (Knitted)", "knitted", "cafe", "Café 100%", "100%"],
    ];
    for (const category of all) expect(await isFound(category), category).toBe(true);
    for (const other of ["ents", "men", "tents %", "_ents", "cafe 1_0", "boats", "\u200b", "(/", ","])
      expect(await isFound(other), other).toBe(false);
  });

  it("are found by words in another form or spelling than theirs, where none has them as they are", async () => {
    const country = "SB";
    const make = (name: string, rest: Parameters<typeof makeStore>[1]) =>
      makeStore(database, { name, country, ...rest });
    const camp = await make("Zelvik", { categories: ["Camp Cooking"], description: "That was all." });
    const gems = await make("Brelga", { categories: ["Jewelry & Watches"] });
    const ctx = database.as(await makeReader(database));
    const found = async (given: { query?: string; category?: string }) =>
      (await stores.list(ctx, { country, limit: 10, ...given })).stores.map(({ id }) => id);
    for (const words of ["camping", "camps cook", "cooking and camping"])
      for (const given of [{ query: words }, { category: words }])
        expect(await found(given), JSON.stringify(given)).toEqual([camp.id]);
    for (const words of ["jewellery", "watch", "jewelry"])
      for (const given of [{ query: words }, { category: words }])
        expect(await found(given), JSON.stringify(given)).toEqual([gems.id]);
    expect(await found({ query: "camping shops" })).toEqual([camp.id]);
    for (const words of ["hats", "camping watches", "amping", "\u200b"])
      for (const given of [{ query: words }, { category: words }])
        expect(await found(given), JSON.stringify(given)).toEqual([]);
    const other = await make("Camping Zeal", {});
    expect(await found({ query: "camping" })).toEqual([other.id]);
    expect(await found({ category: "camping" })).toEqual([camp.id]);
  });

  it("tells a production consumer about a store with AI Discovery on", async () => {
    const store = await makeStore(database);
    const told = await info(store.id);
    expect(told).toMatchObject({ store_id: store.id, name: store.name, currencies: ["EUR"], capabilities: [] });
  });

  it("tells all that a store says of itself, letter for letter, and leaves out what it does not say", async () => {
    const said = {
      name: 'Ó Briain\'s "Tweed" \\ Söhne \u2028 🧵',
      legal_name: "Ó Briain GmbH",
      url: "https://tweed.example/?a=1&b=<2>",
      logo: "https://tweed.example/logo.svg",
      description: 'Zwei\nZeilen\tund ein {"Zitat"}.',
      address: { street_address: "1 Quay", address_locality: "Cork", postal_code: "T12", address_country: "IE" },
      country: "IE",
      languages: ["ga", "en"],
      contact_point: { email: "help@tweed.example", phone: "+353 21 555 0100" },
      opening_hours: [{ day: "monday" as const, opens: "09:00", closes: "17:30" }],
      payment_accepted: ["Visa"],
      shipping_policy: "By post.",
      return_policy: { return_window_days: 60, fees: "free" },
      links: [{ type: "privacy_policy", url: "https://tweed.example/privacy" }],
      categories: ["Clothing"],
    };
    const store = await makeStore(database, { ...said, currency: "EUR", currencies: ["GBP"] });
    const at = new Date("2026-03-04T05:06:07.089Z");
    await database.sql`update stores set updated_at = ${at} where id = ${store.id}`;
    const full = { store_id: store.id, ...said, currencies: ["EUR", "GBP"], is_demo: false, capabilities: [] };
    expect(await info(store.id)).toEqual({ ...full, data_as_of: at.toISOString() });

    await database.sql`update stores set name = 'Tweed', legal_name = null, address = null where id = ${store.id}`;
    const { legal_name, address, ...rest } = full;
    expect(await info(store.id)).toEqual({ ...rest, name: "Tweed", data_as_of: at.toISOString() });
  });

  it("have promotions as long as one runs or is to come", async () => {
    const store = await makeStore(database);
    const given = (["2027-05-01T00:00:00Z", "2027-06-01T00:00:00Z"] as const).map((start, i) => ({
      ...{ promotion_id: `${i}`, long_title: "10% off", offer_type: "no_code", percent_off: 10 },
      ...{ product_applicability: "all_products", redemption_channel: ["online"] },
      promotion_effective_dates: { start, end: start.replace("01T", "20T") },
    }));
    const system = database.as({ kind: "system" });
    await promotions.replace(system, promotions.ReplacePromotions.parse({ storeId: store.id, promotions: given }));
    const reader = await makeReader(database);
    const told = (now: string) => {
      const ctx = database.as(reader, new Date(now));
      return Promise.all([
        stores.info(ctx, { storeId: store.id }).then(({ text }) => JSON.parse(text).capabilities),
        stores.list(ctx, { query: store.name, limit: 1 }).then(({ stores: [listed] }) => listed!.capabilities),
        promotions.list(ctx, { storeId: store.id, limit: 1 }).then(({ totalCount }) => totalCount),
      ]);
    };
    const has = ["promotions"];
    expect(await told("2027-05-10T00:00:00Z")).toEqual([has, has, 2]);
    expect(await told("2027-05-25T00:00:00Z")).toEqual([has, has, 1]);
    expect(await told("2027-06-19T23:59:59Z")).toEqual([has, has, 1]);
    expect(await told("2027-06-20T00:00:00Z")).toEqual([[], [], 0]);
  });

  it("answers for an unknown store as for one with AI Discovery off", async () => {
    const off = await makeStore(database, { ai_discovery: false });
    const ctx = database.as(await makeReader(database));
    const told = await stores.info(ctx, { storeId: off.id }).catch((error) => error);
    const unknown = await stores.info(ctx, { storeId: crypto.randomUUID() }).catch((error) => error);
    expect(told.code).toBe("store_not_available");
    expect(told).toEqual(unknown);
  });

  it("tells each of many who ask at once what it may read, and of the store it asked for", async () => {
    const [one, other] = [await makeStore(database), await makeStore(database)];
    const [reader, kept] = [database.as(await makeReader(database)), database.as(await makeReader(database))];
    await database.sql`insert into blocks (consumer_id, store_id) values (${kept.actor.consumerId}, ${one.id})`;
    const asked = Array.from({ length: 3 }, () => [
      ...[one, other].map((store) => ({ ctx: reader, store, told: store.id })),
      { ctx: kept, store: one, told: "store_not_available" },
      { ctx: kept, store: other, told: other.id },
    ]).flat();
    const told = asked.map(({ ctx, store }) =>
      stores.info(ctx, { storeId: store.id }).then(
        ({ text }) => JSON.parse(text).store_id,
        (error) => error.code,
      ),
    );
    expect(await Promise.all(told)).toEqual(asked.map(({ told }) => told));
  });

  it("pages through the stores by name without gaps or repeats", async () => {
    const made = await Promise.all(Array.from({ length: 7 }, () => makeStore(database, { country: "NZ" })));
    const ctx = database.as(await makeReader(database));
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await stores.list(ctx, { country: "NZ", limit: 3, cursor });
      expect(page.totalCount).toBe(7);
      seen.push(...page.stores.map((store) => store.id));
      cursor = page.nextCursor;
    } while (cursor);
    expect(seen.toSorted()).toEqual(made.map((store) => store.id).toSorted());
  });

  it("tells no count of matches on a later page that has become empty", async () => {
    const [{ id: first }, last] = [
      await makeStore(database, { country: "TV" }),
      await makeStore(database, { country: "TV" }),
    ];
    const ctx = database.as(await makeReader(database));
    const { stores: shown, nextCursor } = await stores.list(ctx, { country: "TV", limit: 1 });
    await database.sql`update stores set ai_discovery = false where id = ${shown[0]!.id === first ? last.id : first}`;
    const next = await stores.list(ctx, { country: "TV", limit: 1, cursor: nextCursor });
    expect(next).toEqual({ stores: [], hasNextPage: false, nextCursor: undefined, totalCount: undefined });
    expect((await stores.list(ctx, { country: "TK", limit: 1 })).totalCount).toBe(0);
  });

  it("lists them as people sort names, whatever their case and accents, each once from page to page", async () => {
    const names = ["apple pie", "Apples", "eBooks", "Éclair", "Zebra", "zoo"];
    for (const name of names.toReversed()) await makeStore(database, { name, country: "NR" });
    const ctx = database.as(await makeReader(database));
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await stores.list(ctx, { country: "NR", limit: 1, cursor });
      seen.push(...page.stores.map((store) => store.name));
      cursor = page.nextCursor;
    } while (cursor);
    expect(seen).toEqual(names);
  });

  it("finds stores by a part of their name or description, and misspelt names where nothing has the words", async () => {
    const [description, country] = ["Kites and windsocks.", "FJ"];
    const [one, two, off] = await Promise.all([
      makeStore(database, { name: "Quillfeather Paper", country }),
      makeStore(database, { name: "Harbour Kites 50%", country, description }),
      makeStore(database, { name: "Quillfeather Ink", country, ai_discovery: false }),
    ]);
    const ctx = database.as(await makeReader(database));
    const found = async (query: string) => {
      const page = await stores.list(ctx, { country, query, limit: 10 });
      return [page.totalCount, ...page.stores.map(({ id }) => id)];
    };
    expect(await found("FEATHER")).toEqual([1, one.id]);
    expect(await found("windsock")).toEqual([1, two.id]);
    expect(await found("50%")).toEqual([1, two.id]);
    expect(await found("5_%")).toEqual([0]);
    expect(await found("quilfeather")).toEqual([1, one.id]);
    expect(await found("zeppelin")).toEqual([0]);
    expect(await found(off.slug)).toEqual([0]);
  });

  it("finds stores by all of the words asked for, wherever they are and in any order", async () => {
    const [country, categories] = ["WS", ["Cookware", "Über uns"]];
    const description = "Clothing and tents, made in Galway.\nAlso: crème brûlée torches.";
    const store = await makeStore(database, {
      name: "Quarrystone Sämann",
      url: "https://www.quarry-stone.example/shop",
      country,
      description,
      categories,
    });
    await makeStore(database, { country, description: "Clothing alone." });
    const ctx = database.as(await makeReader(database));
    const found = async (query: string) => (await stores.list(ctx, { country, query, limit: 10 })).stores;
    for (const query of [
      "clothing tents",
      "Tents, Clothing",
      "galway tent quarrystone",
      "creme BRULEE",
      "samann torch",
      "uber cookware",
      "www.quarry-stone.example",
      "https://quarry-stone.example/",
    ])
      expect(await found(query), query).toMatchObject([{ id: store.id }]);
    for (const query of ["clothing kayaks", "tents %", "___ tents"]) expect(await found(query), query).toEqual([]);
  });

  it("finds what is meant where no store has all of the words: without what any store is, and in the country that is named", async () => {
    const [ki, tv] = [
      await makeStore(database, { country: "KI", name: "Zwelk Gear", description: "Zwelkish outdoor gear." }),
      await makeStore(database, { country: "TV", name: "Reef", description: "Zwelkish outdoor gear." }),
    ];
    const gs = await makeStore(database, { country: "GS", name: "Reef" });
    const ctx = database.as(await makeReader(database));
    const found = async (query: string, rest = {}) =>
      (await stores.list(ctx, { query, limit: 10, ...rest })).stores.map(({ id }) => id);
    for (const query of [
      "zwelkish outdoor store in Kiribati",
      "Zwelkish gear, Kiribati",
      "stores that sell zwelkish gear in kiribati",
    ])
      expect(await found(query), query).toEqual([ki.id]);
    expect((await found("a zwelkish outdoor shop")).toSorted()).toEqual([ki.id, tv.id].toSorted());
    expect(await found("shops in South Georgia and the South Sandwich Islands")).toEqual([gs.id]);
    expect(await found("zwelkish outdoor store in Kiribati", { country: "TV" })).toEqual([]);
    for (const query of ["zwelkish boats in Kiribati", "zwelkish gear in Nauru"])
      expect(await found(query), query).toEqual([]);
    // Places that are called after another country.
    const gb = await makeStore(database, { country: "GB", name: "Zwelkish Kites" });
    const elsewhere = ["zwelkish kites in New England", "zwelkish kites of New South Wales"];
    for (const query of elsewhere) expect(await found(query), query).toEqual([]);
    for (const query of ["zwelkish kites in England", "zwelkish kite shops in Wales"])
      expect(await found(query), query).toEqual([gb.id]);
    // As it stands, where that is found.
    const named = await makeStore(database, { country: "TV", name: "Zwelkish Store of Kiribati" });
    expect(await found("zwelkish store kiribati")).toEqual([named.id]);
  });

  it("finds every store of the country that is named, also where one of them says its name", async () => {
    const [palau, other] = ["PW", "FM"];
    const saying = await makeStore(database, {
      country: palau,
      name: "Quarl Two",
      description: "Blorn mats of Palau.",
    });
    const silent = await makeStore(database, { country: palau, name: "Quarl One", description: "Blorn mats." });
    const away = await makeStore(database, {
      country: other,
      name: "Quarl",
      description: "Blorn mats, sent to Palau too.",
    });
    const named = await makeStore(database, { country: other, name: "Kroon of Palau" });
    const itself = await makeStore(database, { country: palau, name: "Treen of Palau" });
    const ctx = database.as(await makeReader(database));
    const found = async (query: string) => {
      const { stores: page, totalCount } = await stores.list(ctx, { query, limit: 100 });
      expect(totalCount).toBe(page.length);
      const ours = [saying, silent, away, named, itself].map(({ id }) => id);
      return page.map(({ id }) => id).filter((id) => ours.includes(id));
    };
    expect(await found("Palau")).toEqual([named.id, itself.id, silent.id, saying.id, away.id]);
    expect(await found("shops in Palau")).toEqual([silent.id, saying.id, itself.id]);
    expect(await found("blorn mats Palau")).toEqual([silent.id, saying.id, away.id]);
    expect(await found("kroon Palau")).toEqual([named.id]);
    const ids: string[] = [];
    for (let cursor: string | undefined; ; ) {
      const page = await stores.list(ctx, { query: "Palau", limit: 1, cursor });
      ids.push(...page.stores.map(({ id }) => id));
      cursor = page.nextCursor;
      if (!cursor) break;
    }
    expect(ids).toEqual((await stores.list(ctx, { query: "Palau", limit: 100 })).stores.map(({ id }) => id));
  });

  it("finds every store by what any store is", async () => {
    const country = "NU";
    const both = [
      await makeStore(database, { country, name: "Reef" }),
      await makeStore(database, { country, name: "Atoll" }),
    ];
    const ctx = database.as(await makeReader(database));
    const found = async (query: string) =>
      (await stores.list(ctx, { country, query, limit: 10 })).stores.map(({ id }) => id);
    for (const query of ["stores", "all shops", "all", "which stores are available", "online shops in Niue"])
      expect(await found(query), query).toEqual([both[1]!.id, both[0]!.id]);
    const named = await makeStore(database, { country, name: "All Shops" });
    expect(await found("all shops")).toEqual([named.id]);
  });

  it("knows countries by what else they are called, and Northern Ireland from Ireland", async () => {
    const description = "Zorpish lamps.";
    const [us, gb, ie] = [
      await makeStore(database, { country: "US", description }),
      await makeStore(database, { country: "GB", description }),
      await makeStore(database, { country: "IE", description }),
    ];
    const ctx = database.as(await makeReader(database));
    for (const [where, store] of [
      ["the USA", us],
      ["the United States of America", us],
      ["England", gb],
      ["Northern Ireland", gb],
      ["Ireland", ie],
    ] as const) {
      const found = await stores.list(ctx, { query: `zorpish shops in ${where}`, limit: 10 });
      expect(
        found.stores.map(({ id }) => id),
        where,
      ).toEqual([store.id]);
    }
  });

  it("finds stores in whichever way their letters are written, as a search finds products", async () => {
    const country = "KI";
    const named = [
      "Quay\u00adstone Stra\u00dfe",
      "Cafe\u0301 Nour",
      "\u0645\u0643\u062a\u0628\u0629 \u0627\u0644\u0623\u0645\u0644",
      "Brickler\u2122",
      "S\u00f8by",
    ];
    const ids = new Map<string, string>();
    for (const name of named) ids.set((await makeStore(database, { name, country })).id, name);
    const ctx = database.as(await makeReader(database));
    const found = async (query: string) =>
      (await stores.list(ctx, { country, query, limit: 10 })).stores.map(({ id }) => ids.get(id));
    for (const [query, name] of [
      ["quaystone strasse", named[0]],
      ["cafe", named[1]],
      ["caf\u00e9 nour", named[1]],
      // Without the hamza, with the stretching stroke, and with the letter as Persian keyboards have it.
      ["\u0627\u0644\u0627\u0645\u0644", named[2]],
      ["\u0645\u0640\u0640\u0643\u062a\u0628\u0629", named[2]],
      ["\u0645\u06a9\u062a\u0628\u0629", named[2]],
      ["Brickler", named[3]],
      ["Brickler\u00ae", named[3]],
      ["soby", named[4]],
    ] as const)
      expect(await found(query), query).toEqual([name]);
  });

  it("finds none by what is drawn as nothing alone, as a search finds no product, and all the same by words beside it", async () => {
    const { id } = await makeStore(database, { name: "Quiet Harbour", country: "NR" });
    const ctx = database.as(await makeReader(database));
    const found = (query: string) => stores.list(ctx, { country: "NR", query, limit: 10 });
    for (const query of ["\u200b", "\u00ad \u200e", "\ufe0f", "\u0301", "\u0640", "\u200b\u200c"])
      expect(await found(query), JSON.stringify(query)).toMatchObject({ stores: [], totalCount: 0 });
    expect((await found("\u200b harbour")).stores).toMatchObject([{ id }]);
  });

  it("finds stores by where they are", async () => {
    const { id } = await makeStore(database, { country: "TO" });
    await makeStore(database, { country: "TO" });
    const address = { street_address: "14 Weir Lane", address_locality: "Neiafu", postal_code: "H91 Q0Q1" };
    await database.sql`update stores set address = ${database.sql.json(address)} where id = ${id}`;
    const ctx = database.as(await makeReader(database));
    for (const query of ["neiafu", "H91 Q0Q1", "weir lane neiafu"])
      expect((await stores.list(ctx, { country: "TO", query, limit: 10 })).stores, query).toMatchObject([{ id }]);
  });

  it("lists stores whose name has the words first, page by page", async () => {
    const country = "TV";
    const made = await Promise.all(
      ["Alder", "Birch Rope", "Cedar", "Dogwood Ropes", "Elm"].map((name) =>
        makeStore(database, { name, country, description: "Rope by the metre." }),
      ),
    );
    const ctx = database.as(await makeReader(database));
    for (const query of ["rope", "a shop for rope in Tuvalu"]) {
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await stores.list(ctx, { country, query, limit: 2, cursor });
        expect(page.totalCount).toBe(made.length);
        seen.push(...page.stores.map(({ name }) => name));
        cursor = page.nextCursor;
      } while (cursor);
      expect(seen, query).toEqual(["Birch Rope", "Dogwood Ropes", "Alder", "Cedar", "Elm"]);
    }
  });

  it("refuses a slug that is taken", async () => {
    const store = await makeStore(database);
    await expect(makeStore(database, { slug: store.slug })).rejects.toMatchObject({ code: "conflict" });
  });
});
