// The languages that a store's products are indexed in: those it states, else those its products are written in.
import { describe, expect, it, onTestFinished } from "vitest";
import { reindex } from "../../server/services/feeds/reindex";
import * as register from "../../server/services/merchant-register";
import * as retention from "../../server/services/retention";
import { languagesOf } from "../../server/services/store-languages";
import { CHANNEL } from "../../server/services/wake";
import { getStoreInfo } from "../../server/tools/get-store-info";
import { listStores } from "../../server/tools/list-stores";
import { ask } from "../support/ask";
import { testCore, testDatabase, untilWaiting } from "../support/database";
import { makeReader, makeStore } from "../support/factories";
import { loadRows, makeStoreWith } from "../support/feed";

const english = [
  "Trail shoes for women. Light, with a grip that holds on wet rock, and laces that stay tied.",
  "Wool socks, pack of three. Warm in winter and cool in summer.",
  "Tent for two people with a porch. It is up in five minutes.",
  "Head torch with red light. Runs for forty hours on one charge.",
  "Rain jacket. Packs into its own pocket and is made of old bottles.",
  "Cook set of two pots, a pan and a kettle.",
];

const arabic = ["ساعة رولكس رجالي", "عطر شانيل 100 مل", "ساعة ذهبية مع علبة"];

const written: Record<string, string[]> = {
  pt: [
    "Vestido comprido. Um vestido leve para o verão, com mangas curtas e cintura elástica.",
    "Sapatos de couro. Feitos à mão em Portugal, com sola de borracha.",
    "Toalha de praia. Seca depressa e não ocupa espaço na mala.",
    "Creme para as mãos com óleo de amêndoas. Sem parabenos.",
  ],
  es: [
    "Vestido largo. Un vestido ligero para el verano, con mangas cortas y cintura elástica.",
    "Zapatos de cuero. Hechos a mano en España, con suela de goma.",
    "Toalla de playa. Se seca en poco tiempo y no ocupa espacio en la maleta.",
    "Crema para las manos con aceite de almendras. Sin parabenos.",
  ],
  fr: [
    "Robe longue. Une robe légère pour l'été, avec des manches courtes et une taille élastique.",
    "Chaussures en cuir. Faites à la main en France, avec une semelle en caoutchouc.",
    "Serviette de plage. Elle sèche vite et ne prend pas de place dans le sac.",
    "Crème pour les mains à l'huile d'amande. Sans parabènes et sans parfum.",
  ],
  de: [
    "Langes Kleid. Ein leichtes Kleid für den Sommer mit kurzen Ärmeln und elastischer Taille.",
    "Schuhe aus Leder. Von Hand gefertigt, mit einer Sohle aus Gummi.",
    "Strandtuch. Trocknet schnell und passt in jede Tasche, auch für die Reise.",
    "Handcreme mit Mandelöl. Ohne Parabene und ohne Duft.",
  ],
  it: [
    "Abito lungo. Un abito leggero per l'estate con le maniche corte e la vita elastica.",
    "Scarpe di pelle. Fatte a mano in Italia con la suola di gomma.",
    "Telo da mare. Asciuga in fretta e non occupa spazio nella borsa.",
    "Crema per le mani con olio di mandorle. Senza parabeni.",
  ],
  nl: [
    "Lange jurk. Een lichte jurk voor de zomer met korte mouwen en een elastische taille.",
    "Leren schoenen. Met de hand gemaakt, met een zool van rubber.",
    "Strandlaken. Droogt snel op en past in het kleinste vak van de tas.",
    "Handcrème met olie van amandelen. Zonder parabenen voor een zachte huid.",
  ],
};

describe("products tell their language", () => {
  it.each(Object.entries(written))("%s", (code, texts) => {
    expect(languagesOf(texts)).toEqual([code]);
  });

  it("by titles alone where these have words beside names", () => {
    const titles = ["Vestido com flores para mulher", "Capa para sofá com elástico", "Mala de mão com rodas"];
    expect(languagesOf([...titles, "Anel prateado", "Vaso grande", "Espelho redondo"])).toEqual(["pt"]);
  });

  it("English is none to add, nor are titles of names and codes, nor Arabic", () => {
    expect(languagesOf(english)).toEqual([]);
    expect(languagesOf(["XK-200 Pro", "Lumina D10", "RB 4165 601/8G 55", "Canon EOS R5", "A4 / A3"])).toEqual([]);
    expect(languagesOf(["ساعة رولكس رجالي", "عطر شانيل 100 مل", "ساعة ذهبية مع علبة"])).toEqual([]);
    expect(languagesOf([])).toEqual([]);
  });

  it("English with names in French, Italian or Spanish is English", () => {
    const names = [
      "Lancôme La Vie Est Belle Eau de Parfum 50 ml",
      "Terre d'Hermès Eau de Toilette pour Homme",
      "Crème de la Mer 60 ml",
      "Acqua di Parma Fico di Amalfi",
      "Dolce & Gabbana Pour Femme Eau de Parfum",
      "El Paso de los Toros Boots",
    ];
    expect(languagesOf(names)).toEqual([]);
    expect(languagesOf(names.map((name, i) => `${name}. ${english[i]}`))).toEqual([]);
    expect(languagesOf([...english, ...english, ...written.fr!.slice(0, 2)])).toEqual([]);
  });

  it("half in one language and half in another is both, on the edge what it was", () => {
    expect(languagesOf([...written.de!, ...written.it!])).toEqual(["it", "de"]);
    expect(languagesOf([...english.slice(0, 4), ...written.de!])).toEqual(["de"]);
    const mostly = [...english, ...english, ...written.de!.slice(0, 2)];
    expect(languagesOf(mostly)).toEqual([]);
    expect(languagesOf(mostly, ["de"])).toEqual(["de"]);
  });
});

const database = testDatabase();
const run = () => reindex(testCore(database), new AbortController().signal);
const operator = () => database.as({ kind: "operator", accountId: null });

const rowsOf = (texts: readonly string[]) =>
  texts.map((text, i) => ({ id: `${i}`, title: text.split(".")[0]!, description: text }));

async function indexed(storeId: string) {
  const [store] = await database.sql<[{ languages: string[]; isDue: boolean }]>`
    select index_languages as languages, index_version < 3 as "isDue" from stores where id = ${storeId}`;
  return store;
}

const stems = async (storeId: string) => {
  const [row] = await database.sql<[{ languages: string[] | null }]>`
    select array_agg(distinct split_part(lexeme, ':', 1)) filter (where lexeme like '__:%') as languages
    from products p, unnest(p.search) where store_id = ${storeId}`;
  return row.languages ?? [];
};

/** The operators' form, sent with these languages. */
async function state(store: { id: string; merchantId: string }, languages: string[]): Promise<void> {
  const { contactPoint: _, isDemo, slug, aiDiscovery, ...shown } = await register.getStore(operator(), store);
  const empty = { contactEmail: "", contactPhone: "", contactUrl: "" };
  const texts = { legalName: shown.legalName ?? "", logo: shown.logo ?? "", description: shown.description ?? "" };
  await register.editStore(operator(), register.EditStore.parse({ ...shown, ...texts, ...empty, languages }));
}

describe("a store that states no language", () => {
  it("is indexed in that of its products from the first load on", async () => {
    const { id } = await makeStoreWith(database, rowsOf(written.pt!));
    expect(await indexed(id)).toEqual({ languages: ["pt"], isDue: false });
    expect(await stems(id)).toEqual(["pt"]);
    await loadRows(database, id, rowsOf([...written.pt!, "Mesa. Uma mesa para a sala."]));
    expect(await indexed(id)).toEqual({ languages: ["pt"], isDue: false });
    const fresh =
      await database.sql`select search @@ $$'pt:mes'$$ as has from products where store_id = ${id} and product_id = '4'`;
    expect(fresh).toEqual([{ has: true }]);
    expect(await run()).toBe(0);
  });

  it("is told to agents in that of its products, and in those that it states once it does", async () => {
    const store = await makeStore(database);
    const ctx = database.as(await makeReader(database));
    const told = async () => {
      const info = await ask<{ languages: string[] }>(ctx, getStoreInfo, { store_id: store.id });
      const listed = await ask<{ stores: (typeof info)[] }>(ctx, listStores, { query: store.name });
      expect(listed.stores.map(({ languages }) => languages)).toEqual([info.languages]);
      return info.languages;
    };
    expect(await told()).toEqual([]);
    await loadRows(database, store.id, rowsOf(written.pt!));
    expect(await told()).toEqual(["pt"]);
    await loadRows(database, store.id, rowsOf([...written.pt!, ...arabic]));
    expect(await told()).toEqual(["pt", "ar"]);
    await state(store, ["pt-BR", "en"]);
    expect(await told()).toEqual(["pt-BR", "en"]);
  });

  it("is told to agents in Arabic where a quarter of its products are, which it is not indexed in", async () => {
    const store = await makeStore(database);
    const ctx = database.as(await makeReader(database));
    const told = async () =>
      (await ask<{ languages: string[]; data_as_of: string }>(ctx, getStoreInfo, { store_id: store.id })).languages;
    await loadRows(database, store.id, rowsOf([...english, arabic[0]!]));
    expect(await told()).toEqual([]);
    await loadRows(database, store.id, rowsOf([...english, ...arabic]));
    expect(await told()).toEqual(["ar"]);
    expect(await indexed(store.id)).toEqual({ languages: [], isDue: false });
    await loadRows(database, store.id, rowsOf(english));
    expect(await told()).toEqual([]);
  });

  it("is as of when what is told of its languages last changed", async () => {
    const ctx = database.as(await makeReader(database));
    const before = "2026-01-02T03:04:05.006Z";
    const isNewAfter = async (id: string, change: () => Promise<unknown>) => {
      await database.sql`update stores set updated_at = ${before} where id = ${id}`;
      await change();
      const told = await ask<{ languages: string[]; data_as_of: string }>(ctx, getStoreInfo, { store_id: id });
      return [told.languages, told.data_as_of > before];
    };
    const { id } = await makeStore(database);
    const load = (texts: readonly string[]) => () => loadRows(database, id, rowsOf(texts));
    expect(await isNewAfter(id, load(written.pt!))).toEqual([["pt"], true]);
    expect(await isNewAfter(id, load(written.pt!.slice(1)))).toEqual([["pt"], false]);
    expect(await isNewAfter(id, load(written.de!))).toEqual([["pt"], false]);
    expect(await isNewAfter(id, run)).toEqual([["de"], true]);
    await database.sql`update stores set index_version = 0 where id = ${id}`;
    expect(await isNewAfter(id, run)).toEqual([["de"], false]);
    const { id: stated } = await makeStore(database, { languages: ["ar"] });
    expect(await isNewAfter(stated, () => loadRows(database, stated, rowsOf(written.pt!)))).toEqual([["ar"], false]);
    await loadRows(database, stated, rowsOf(written.de!));
    expect(await isNewAfter(stated, run)).toEqual([["ar"], false]);
  });

  it("wakes who indexes as soon as it is due, by what it states or what is loaded, and not otherwise", async () => {
    const woken: string[] = [];
    const { unlisten } = await database.sql.listen(CHANNEL, (job) => void woken.push(job));
    onTestFinished(unlisten);
    const heard = async () => {
      await database.sql.notify(CHANNEL, "all");
      await expect.poll(() => woken.at(-1)).toBe("all");
      return woken.splice(0).filter((job) => job === "feed-index").length;
    };
    const store = await makeStoreWith(database, rowsOf(written.pt!));
    expect(await heard()).toBe(0);
    await state(store, ["de"]);
    expect(await heard()).toBe(1);
    await state(store, ["de-AT"]);
    expect(await heard()).toBe(0);
    const late = Array.from({ length: 1_000 }, (_, i) => english[i % english.length]!);
    await loadRows(
      database,
      (await makeStore(database)).id,
      rowsOf([...late, ...late.map((_, i) => written.de![i % 4]!)]),
    );
    expect(await heard()).toBe(1);
    await run();
  });

  it("is told by all of its feed in the end, however many rows of another language come first", async () => {
    const { id } = await makeStore(database);
    const many = Array.from({ length: 1_200 }, (_, i) => english[i % english.length]!);
    const more = Array.from({ length: 2_400 }, (_, i) => written.de![i % 4]!);
    await loadRows(database, id, rowsOf([...many, ...more]));
    expect(await indexed(id)).toEqual({ languages: [], isDue: true });
    await run();
    expect(await indexed(id)).toEqual({ languages: ["de"], isDue: false });
    const [{ count }] = await database.sql<[{ count: number }]>`
      select count(*)::int from products where store_id = ${id} and search @@ $$'de:kleid' | 'de:schuh' | 'de:strandtuch' | 'de:handcrem'$$`;
    expect(count).toBe(2_400);
  });

  it("is indexed anew when its products come in another language, or in English", async () => {
    const { id } = await makeStoreWith(database, rowsOf(english));
    for (const [texts, languages] of [
      [written.de!, ["de"]],
      [written.nl!, ["nl"]],
      [english, []],
    ] as const) {
      await loadRows(database, id, rowsOf(texts));
      expect(await indexed(id)).toMatchObject({ isDue: true });
      await run();
      expect(await indexed(id)).toEqual({ languages, isDue: false });
      const standing = await database.sql`
        select from products p, unnest(p.search) where store_id = ${id} and vanished_at is null and lexeme ~ '^[a-z]{2}:'
          and not split_part(lexeme, ':', 1) = any (${[...languages]}::text[])`;
      expect(standing).toHaveLength(0);
    }
  });

  it("is not touched by a load in English", async () => {
    const { id } = await makeStoreWith(database, rowsOf(english));
    expect(await indexed(id)).toEqual({ languages: [], isDue: false });
  });
});

describe("stated languages", () => {
  it("count, whatever products are written in; those that we do not know say nothing", async () => {
    const cases: [string[], string[]][] = [
      [["fr-CA", "EN"], ["fr"]],
      [["en"], []],
      [
        ["nl", "pt-BR"],
        ["pt", "nl"],
      ],
    ];
    for (const [languages, expected] of cases) {
      const { id } = await makeStoreWith(database, rowsOf(written.pt!), { languages });
      expect(await indexed(id), languages.join()).toEqual({ languages: expected, isDue: false });
      expect(await stems(id)).toEqual(expected.toSorted());
    }
    const { id } = await makeStoreWith(database, rowsOf(written.pt!), { languages: ["ar", "pl"] });
    expect(await indexed(id)).toEqual({ languages: ["pt"], isDue: false });
  });

  it("have what is loaded indexed anew when they change, and when they are taken back", async () => {
    const store = await makeStoreWith(database, rowsOf(written.pt!), { languages: ["pt"] });
    await state(store, ["pt-PT"]);
    expect(await indexed(store.id)).toMatchObject({ isDue: false });
    for (const [languages, expected] of [
      [["es"], ["es"]],
      [["en"], []],
      [[], ["pt"]],
    ] as const) {
      await state(store, [...languages]);
      expect(await indexed(store.id)).toMatchObject({ isDue: true });
      expect(await run()).toBe(1);
      expect(await indexed(store.id)).toEqual({ languages: expected, isDue: false });
      expect(await stems(store.id)).toEqual(expected);
    }
  });

  it("count though they are stated while products are being indexed anew", async () => {
    const store = await makeStoreWith(database, rowsOf(written.pt!));
    await state(store, ["es"]);
    let running: Promise<number> | undefined;
    await database.sql.begin(async (tx) => {
      await tx`lock table variants in share mode`;
      running = run();
      await untilWaiting(database.sql, 1);
      await state(store, ["nl"]);
    });
    await running;
    expect(await indexed(store.id)).toMatchObject({ isDue: true });
    await run();
    expect(await indexed(store.id)).toEqual({ languages: ["nl"], isDue: false });
  });

  it("of a store without products are kept for its first load", async () => {
    const store = await makeStore(database);
    await state(store, ["de-AT"]);
    await run();
    await loadRows(database, store.id, rowsOf(english));
    expect(await indexed(store.id)).toEqual({ languages: ["de"], isDue: false });
    expect(await stems(store.id)).toEqual(["de"]);
  });
});

describe("languages that queries are read in", () => {
  const asked = async () => (await database.sql`select language from search_languages`).map(({ language }) => language);
  const forget = () => retention.run(database.as({ kind: "system" }));

  it("go once no store is indexed in them, and come back with the next one that is", async () => {
    await database.sql`update stores set index_languages = '{}'`;
    const { id } = await makeStoreWith(database, rowsOf(written.de!));
    expect(await asked()).toContain("de");
    await forget();
    expect(await asked()).toEqual(["de"]);
    await database.sql`update stores set index_languages = '{}' where id = ${id}`;
    await forget();
    expect(await asked()).toEqual([]);
    await loadRows(database, (await makeStore(database)).id, rowsOf(written.de!));
    expect(await asked()).toEqual(["de"]);
  });

  it("stay while a store is being indexed in one that has none yet", async () => {
    const { id } = await makeStore(database);
    await database.sql`update stores set index_languages = '{de}' where id = ${id}`;
    await database.sql`update stores set index_languages = '{}'`;
    let forgetting: Promise<void> | undefined;
    await database.sql.begin(async (tx) => {
      await tx`update stores set index_languages = '{de}' where id = ${id}`;
      forgetting = forget();
      await untilWaiting(database.sql, 1);
    });
    await forgetting;
    expect(await asked()).toEqual(["de"]);
  });
});
