// The merchant's pages as a browser without scripts sees them, and what an agent with a key is answered in between.
import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { merchantMembers } from "../../db/schema/merchants";
import * as digests from "../../server/services/digests";
import * as unsubscribe from "../../server/services/unsubscribe";
import { callTool, makeCaller } from "../support/clients";
import { testDatabase } from "../support/database";
import { makeMerchant, makeStore } from "../support/factories";
import { loadRows } from "../support/feed";
import { logins } from "../support/logins";
import { testServer } from "../support/server";
import { testSmtp } from "../support/smtp";
import { untilRecorded } from "../support/usage";
import { mailingTo, newVisitor } from "../support/visitor";

const database = testDatabase();
const smtp = testSmtp();
const server = testServer(database, mailingTo(smtp));
const { logIn: logInAs } = logins(database, server);
const logIn = (accountId: string) => logInAs({ id: accountId });

async function makeShop() {
  const store = await makeStore(database);
  const { accountId } = await makeMerchant(database, store.merchantId);
  return { store, accountId, who: await logIn(accountId) };
}

/** A platform in production with a key; `reads` asks the store's name with it. */
async function makePlatform(storeId: string, given: Parameters<typeof makeCaller>[1] = {}) {
  const { consumer, key } = await makeCaller(database, { state: "production", ...given });
  const reads = async () => {
    const { result } = (await callTool(server.url, key, "get_store_info", { store_id: storeId })).json;
    return result.isError ? (JSON.parse(result.content[0].text).code as string) : "reads";
  };
  return { ...consumer, key, reads };
}

/** A form with a file of counts. */
function counted(file: string): FormData {
  const form = new FormData();
  form.set("file", new File([file], "stock.csv"));
  return form;
}

const announce = async (consumerId: string, storeId: string, at = new Date()) => {
  const id = randomUUID();
  await database.sql`insert into notifications (id, consumer_id, store_id, created_at) values (${id}, ${consumerId}, ${storeId}, ${at})`;
  return id;
};

it("a page of a store or a platform is called by its name: a person of several has the same pages of each", async () => {
  const { store, who } = await makeShop();
  const [{ name }] = (await database.sql`select name from stores where id = ${store.id}`) as [{ name: string }];
  const { slug } = await makePlatform(store.id, { name: "Trail Guide" });
  const titleOf = async (path: string) => /<title>(.*?)<\/title>/.exec((await who.get(path)).html)![1];
  const base = `/merchant/stores/${store.slug}`;
  expect(await titleOf(base)).toBe(`${name} · Aisle`);
  for (const view of ["Details", "Products", "Stock", "Promotions", "Loyalty", "Policies"])
    expect(await titleOf(`${base}/${view.toLowerCase()}`)).toBe(`${view} of ${name} · Aisle`);
  expect(await titleOf("/merchant/stores/nowhere/stock")).toBe("Not found · Aisle");
  expect(await titleOf(`/merchant/agents/${slug}?store=${store.slug}`)).toBe("Trail Guide · AI Agents · Aisle");
  expect(await titleOf(`/merchant/agents/nobody?store=${store.slug}`)).toBe("Not found · Aisle");
});

describe("a person of several merchants", () => {
  it("changes between them, into no other, and out of one that they no longer act for", async () => {
    const [first, second, strangers] = [await makeShop(), await makeShop(), await makeShop()];
    const { who, accountId } = first;
    const nameOf = async ({ store }: typeof first) =>
      (await database.sql`select name from merchants where id = ${store.merchantId}`)[0]!.name as string;
    expect((await who.get("/merchant")).html).not.toContain("Switch to another merchant");
    await database.db.insert(merchantMembers).values({ merchantId: second.store.merchantId, accountId });
    const change = (merchantId: string, redirectTo = "/merchant/catalogue") =>
      who.post("/merchant/switch", { merchantId, redirectTo });
    const shows = async (shop: typeof first) => (await who.get(`/merchant/stores/${shop.store.slug}`)).status === 200;
    for (const [to, from] of [
      [second, first],
      [first, second],
      [second, first],
    ] as const) {
      expect(await change(to.store.merchantId)).toMatchObject({ status: 302, location: "/merchant/catalogue" });
      expect([await shows(to), await shows(from)]).toEqual([true, false]);
      const { html } = await who.get("/merchant");
      expect(html).toContain("Switch to another merchant");
      for (const shop of [first, second]) expect(html).toContain(await nameOf(shop));
    }
    expect((await change(strangers.store.merchantId)).status).toBe(404);

    // A link in a mail: it changes nothing by itself.
    const follow = (merchantId: string, redirectTo = "/merchant/catalogue") =>
      who.get(`/merchant/switch?${new URLSearchParams({ merchantId, redirectTo })}`);
    expect(await follow(second.store.merchantId)).toMatchObject({ status: 302, location: "/merchant/catalogue" });
    // Not on to another merchant's pages than the link is about.
    for (const merchantId of [strangers.store.merchantId, "undefined"]) {
      const refused = await follow(merchantId);
      expect(refused.status).toBe(404);
      expect(refused.words).toContain("You do not act for the merchant that this link is about.");
    }
    expect(await follow(second.store.merchantId, "//evil.example")).toMatchObject({ location: "/merchant" });
    expect((await follow(first.store.merchantId)).words).toContain(`Switch to ${await nameOf(first)}?`);
    expect(await shows(second)).toBe(true);

    expect((await change("x")).status).toBe(400);
    expect(await shows(second)).toBe(true);
    expect(await change(second.store.merchantId, "//evil.example")).toMatchObject({ location: "/merchant" });
    await database.sql`delete from merchant_members where account_id = ${accountId} and merchant_id = ${second.store.merchantId}`;
    expect([await shows(first), await shows(second)]).toEqual([true, false]);
  });
});

describe("AI Agents", () => {
  it("a block is in force at the platform's very next call, and so is its end", async () => {
    const { store, who } = await makeShop();
    const platform = await makePlatform(store.id);
    expect(await platform.reads()).toBe("reads");
    const path = `/merchant/agents/${platform.slug}?store=${store.slug}`;
    expect((await who.get(path)).words).toContain("Can read");
    expect((await who.get(`${path}&dialog=block`)).words).toContain(`Block ${platform.name} from ${store.name}?`);
    const blocked = await who.post(`${path}&dialog=block`, { intent: "block", platform: platform.slug });
    expect(blocked).toMatchObject({ status: 302, location: `${path}&done=blocked` });
    expect(await platform.reads()).toBe("store_not_available");
    const page = await who.get(blocked.location!);
    expect(page.words).toContain("The platform is blocked");
    expect(page.words).toContain("It sees nothing of this store");
    expect((await who.get(`/merchant/agents?store=${store.slug}&show=blocked`)).words).toContain(platform.name);
    await who.post(path, { intent: "unblock", platform: platform.slug });
    expect(await platform.reads()).toBe("reads");
  });

  it("a decision is about the store that the page showed, whoever the person acts for by then", async () => {
    const { store, who } = await makeShop();
    const platform = await makePlatform(store.id);
    const { html } = await who.get("/merchant/agents");
    expect(html).toContain(store.name);
    const dialog = await who.get(`/merchant/agents?dialog=block&id=${platform.slug}`);
    expect(dialog.html).toMatch(new RegExp(`name="store"[^>]*value="${store.slug}"`));
    // Of another merchant's, a store by now.
    const other = await makeShop();
    const fields = { intent: "block", platform: platform.slug, store: store.slug };
    expect((await other.who.post("/merchant/agents?index", fields)).status).toBe(404);
    expect(await database.sql`select from blocks where store_id in (${store.id}, ${other.store.id})`).toHaveLength(0);
    expect((await who.post("/merchant/agents?index", fields)).status).toBe(302);
    expect(await platform.reads()).toBe("store_not_available");
  });

  it("a platform in explicit coverage reads what is granted, as long as it is granted", async () => {
    const { store, who } = await makeShop();
    const platform = await makePlatform(store.id, { coverage: "explicit" });
    expect(await platform.reads()).toBe("store_not_available");
    const list = `/merchant/agents?store=${store.slug}`;
    expect((await who.get(`${list}&show=not_granted`)).words).toContain(platform.name);
    await who.post(`/merchant/agents?index&store=${store.slug}`, { intent: "grant", platform: platform.slug });
    expect(await platform.reads()).toBe("reads");
    expect((await who.get(list)).words).toContain("When granted");
    const asked = `/merchant/agents/${platform.slug}?store=${store.slug}&dialog=withdraw`;
    expect((await who.get(asked)).words).toContain(`Withdraw ${platform.name}'s access`);
    await who.post(asked, { intent: "withdraw", platform: platform.slug });
    expect(await platform.reads()).toBe("store_not_available");
  });

  it("show what a platform read, by tool and product, and what it sees", async () => {
    const { store, who } = await makeShop();
    await loadRows(database, store.id, [{ id: "stove-1", title: "Gas stove" }]);
    const platform = await makePlatform(store.id);
    await callTool(server.url, platform.key, "get_product", { store_id: store.id, product_id: "stove-1" });
    await callTool(server.url, platform.key, "get_product", { store_id: store.id, product_id: "no such thing" });
    await platform.reads();
    await untilRecorded(database);
    const before = await database.sql`select count(*)::int as n from usage_events`;
    const { words } = await who.get(`/merchant/agents/${platform.slug}?store=${store.slug}&q=stove`);
    expect(words).toContain("Reads in 7 days 2");
    expect(words).toMatch(/get_product 7 days 1 30 days 1/);
    expect(words).toMatch(/Gas stove stove-1 7 days 1 30 days 1/);
    expect(words).not.toContain("no such thing");
    expect(words).not.toContain("are looked through");
    expect(await database.sql`select count(*)::int as n from usage_events`).toEqual(before);
    await database.sql`
      insert into usage_events (request_id, at, consumer_id, endpoint, method, tool, store_id, status, latency_us, request_bytes, response_bytes)
      select gen_random_uuid(), now(), consumer_id, endpoint, method, tool, store_id, status, latency_us, request_bytes, response_bytes
      from usage_events cross join generate_series(1, 10000) where store_id = ${store.id} and tool = 'get_product' and error_code is null`;
    const many = await who.get(`/merchant/agents/${platform.slug}?store=${store.slug}`);
    expect(many.words).toContain("Reads in 7 days 10,002");
    expect(many.words).toContain("Only the latest 10,000 reads are included.");
  });

  it("are told apart from other merchants': neither their store nor its platforms are to be seen", async () => {
    const [mine, theirs] = [await makeShop(), await makeShop()];
    const platform = await makePlatform(theirs.store.id);
    const paths = [
      `/merchant/agents?store=${theirs.store.slug}`,
      `/merchant/agents/${platform.slug}?store=${theirs.store.slug}`,
      `/merchant/stores/${theirs.store.slug}`,
      ...["products", "stock", "promotions", "loyalty", "policies"].map(
        (view) => `/merchant/stores/${theirs.store.slug}/${view}`,
      ),
    ];
    for (const path of paths) expect((await mine.who.get(path)).status, path).toBe(404);
    const act = { intent: "block", platform: platform.slug };
    expect((await mine.who.post(paths[1]!, act)).status).toBe(404);
    const counts = counted("id,store_code,quantity\nx,a,1");
    expect((await mine.who.post(`/merchant/stores/${theirs.store.slug}/stock`, counts)).status).toBe(404);
    expect((await mine.who.post(`${paths[2]}?index`, { intent: "discovery-off" })).status).toBe(404);
    expect(await platform.reads()).toBe("reads");
  });

  it("say why they are empty, and what comes next", async () => {
    const { store: blocking, who } = await makeShop();
    await database.sql`update consumers set state = 'revoked', revoked_from = 'production' where state = 'production'`;
    expect((await who.get("/merchant/agents")).words).toContain("No platform can read the store yet");
    const { slug } = await makePlatform(blocking.id);
    await who.post(`/merchant/agents/${slug}?store=${blocking.slug}&dialog=block`, { intent: "block", platform: slug });
    expect((await who.get("/merchant/agents")).words).toContain(
      "No platform can read the store now The other tab lists the rest.",
    );
    for (const path of ["/merchant", `/merchant/stores/${blocking.slug}`, `/merchant/stores/${blocking.slug}/products`])
      expect((await who.get(path)).html).toContain(`href="/merchant/catalogue/${blocking.id}"`);
    const store = await makeStore(database);
    const { accountId } = await makeMerchant(database, store.merchantId);
    await database.sql`delete from stores where id = ${store.id}`;
    const none = await logIn(accountId);
    expect((await none.get("/merchant/agents")).words).toContain("No store yet");
    expect((await none.get("/merchant")).words).toContain("No store yet");
  });

  it("refuse a form that says nothing, and ask strangers to log in", async () => {
    const { store, who } = await makeShop();
    expect((await who.post(`/merchant/agents?index&store=${store.slug}`, { intent: "toString" })).status).toBe(400);
    expect(await newVisitor(server.url).get("/merchant/agents")).toMatchObject({
      status: 302,
      location: "/login?to=%2Fmerchant%2Fagents",
    });
  });
});

describe("stores", () => {
  it("AI Discovery is a switch: off asks first, and either way holds at the next call", async () => {
    const { store, who } = await makeShop();
    const platform = await makePlatform(store.id);
    expect((await who.get("/merchant")).words).toMatch(new RegExp(`${store.name}Ireland`));
    const asked = `/merchant?dialog=discovery-off&id=${store.slug}`;
    expect((await who.get(asked)).words).toContain(`Turn off AI Discovery for ${store.name}?`);
    const off = await who.post("/merchant?index", { intent: "discovery-off", store: store.slug });
    expect(off).toMatchObject({ status: 302, location: "/merchant?done=discovery-off" });
    expect(await platform.reads()).toBe("store_not_available");
    expect((await who.get(`/merchant/agents?store=${store.slug}`)).words).toContain("no platform can read it");
    await who.post(`/merchant/stores/${store.slug}?index`, { intent: "discovery-on" });
    expect(await platform.reads()).toBe("reads");
  });

  it("that have no product say so, and who writes what is told of them", async () => {
    const { store, who } = await makeShop();
    const page = async () => (await who.get(`/merchant/stores/${store.slug}`)).words;
    expect(await page()).toContain("Products 0 Agents find nothing here yet");
    expect(await page()).toContain("The operator maintains names, website,");
    await loadRows(database, store.id, [{ id: "mug", title: "Blue mug" }]);
    expect(await page()).toContain("Products 1 Agents can find all of them");
    await who.post(`/merchant/stores/${store.slug}?index`, { intent: "discovery-off" });
    expect(await page()).toContain("Products 1 None excluded");
    expect(await page()).not.toContain("Agents can find");
  });

  it("a product is excluded and included again by a button", async () => {
    const { store, who } = await makeShop();
    await loadRows(database, store.id, [{ id: "mug", title: "Blue mug" }]);
    const platform = await makePlatform(store.id);
    const path = `/merchant/stores/${store.slug}/products`;
    const found = async () => {
      const args = { store_ids: [store.id], query: "mug" };
      return (await callTool(server.url, platform.key, "search_products", args)).json.result.structuredContent.products
        .length;
    };
    expect(await found()).toBe(1);
    await who.post(path, { intent: "exclude", product: "mug" });
    expect(await found()).toBe(0);
    expect((await who.get(`${path}?excluded=on`)).words).toContain("Blue mug Excluded");
    await who.post(path, { intent: "include", product: "mug" });
    expect(await found()).toBe(1);
    expect((await who.get(`${path}?q=nothing`)).words).toContain("Nothing matches");
    expect((await who.get(`${path}?excluded=on`)).words).toContain("Nothing is excluded");
  });

  it("products with one title are told apart where they are excluded", async () => {
    const { store, who } = await makeShop();
    await loadRows(
      database,
      store.id,
      ["mug-1", "mug-2"].map((id) => ({ id, title: "Blue mug" })),
    );
    const { html } = await who.get(`/merchant/stores/${store.slug}/products`);
    for (const id of ["mug-1", "mug-2"]) expect(html).toContain(`aria-label="Exclude Blue mug, ${id}"`);
  });

  it("products on sale have the price that agents tell, beside the one before it", async () => {
    const { store, who } = await makeShop();
    const price = { price: "20 EUR", sale_price: "15.50 EUR" };
    const over = { sale_price_effective_date: "2020-01-01T00:00Z/2020-02-01T00:00Z" };
    await loadRows(database, store.id, [
      { id: "now", title: "Mug", ...price },
      { id: "over", title: "Mug", ...price, ...over },
    ]);
    const { words } = await who.get(`/merchant/stores/${store.slug}/products`);
    expect(words).toContain("now Price €15.50 before: €20.00 Availability");
    expect(words).toContain("over Price €20.00 Availability");
  });

  it("a promotion of days runs from a date to a date, however near; one of hours is told by them", async () => {
    const { store, who } = await makeShop();
    const path = `/merchant/stores/${store.slug}/promotions`;
    const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
    const form = { intent: "save", existing: "", title: "Sale", percentOff: "15", "channels[]": "online" };
    for (const [promotionId, hours] of [
      ["DAYS", 72],
      ["HOURS", 5],
    ] as const) {
      const span = { startsAt: inHours(-hours).slice(0, 16), endsAt: inHours(hours).slice(0, 16) };
      expect((await who.post(`${path}?dialog=promotion`, { ...form, promotionId, ...span })).status).toBe(302);
    }
    const { words } = await who.get(path);
    const [from, to] = [-72, 72].map((hours) =>
      new Date(inHours(hours)).toLocaleDateString("en-GB", {
        day: "numeric",
        month: "short",
        year: "numeric",
        timeZone: "UTC",
      }),
    );
    expect(words).toContain(`${from} – ${to}`);
    expect(words).toContain("5 hours ago – in 5 hours");
  });

  it("promotions are written in a form that keeps what was typed and names all that is wrong at once", async () => {
    const { store, who } = await makeShop();
    const path = `/merchant/stores/${store.slug}/promotions`;
    expect((await who.get(path)).words).toContain("No promotion yet");
    const form = {
      intent: "save",
      existing: "",
      title: "Spring sale",
      promotionId: "SPRING",
      percentOff: "15",
      startsAt: "2020-01-01T00:00",
      endsAt: "2090-01-01T00:00",
      "channels[]": "online",
    };
    const refused = await who.post(`${path}?dialog=promotion`, { ...form, percentOff: "150" });
    expect(refused.status).toBe(400);
    expect(refused.words).toContain("Enter at most 100.");
    expect(refused.html).toContain('value="Spring sale"');
    const noDay = await who.post(`${path}?dialog=promotion`, { ...form, endsAt: "2090-02-30T00:00" });
    expect(noDay.words).toContain("Enter a day and a time.");
    expect(noDay.html).toContain('value="Spring sale"');
    expect(noDay.html).toContain('value="2090-02-30T00:00"');
    const faulty = { percentOff: "150", moneyOff: "abc", endsAt: "2019-01-01T00:00", url: "no page" };
    const all = await who.post(`${path}?dialog=promotion`, { ...form, ...faulty });
    for (const fault of ["Enter at most 100.", "Enter an amount, such as 12.50.", "The end must come after the start."])
      expect(all.words).toContain(fault);
    expect(all.html.match(/aria-invalid="true"/g)).toHaveLength(4);
    const stored = { moneyOff: "5 XXY", minimumPurchase: "-1", products: "nothing" };
    const rest = await who.post(`${path}?dialog=promotion`, { ...form, ...stored });
    for (const fault of ["It names no currency of ISO 4217", "It is negative.", "The store has no product “nothing”."])
      expect(rest.words).toContain(fault);
    expect(await who.post(`${path}?dialog=promotion`, form)).toMatchObject({
      status: 302,
      location: `${path}?done=saved`,
    });
    const written = await who.get(path);
    expect(written.words).toMatch(/Spring saleSPRING .*15% off/);
    // A title may be another promotion's too.
    for (const what of ["Edit", "End"]) expect(written.html).toContain(`aria-label="${what} Spring sale, SPRING"`);
    const again = await who.get(`${path}?dialog=promotion&id=SPRING`);
    expect(again.html).toContain('value="2090-01-01T00:00"');
    expect(again.words).toContain("Edit “Spring sale”");
    await who.post(`${path}?dialog=end&id=SPRING`, { intent: "end", promotionId: "SPRING" });
    expect((await who.get(path)).words).toContain("Ended");
    await who.post(`${path}?dialog=remove&id=SPRING`, { intent: "remove", promotionId: "SPRING" });
    expect((await who.get(path)).words).toContain("No promotion yet");
  });

  it("amounts of a promotion are shown as they were typed, in every currency, so that saving it again changes none", async () => {
    const { store, who } = await makeShop();
    const path = `/merchant/stores/${store.slug}/promotions`;
    const dates = { startsAt: "2020-01-01T00:00", endsAt: "2090-01-01T00:00" };
    // Intl counts no hundredths of a forint and no thousandths of an Iraqi dinar; ISO 4217 does, and amounts are stored in them.
    for (const [moneyOff, least] of [
      ["1250.00 HUF", "99000.50 HUF"],
      ["5.125 IQD", "0.500 IQD"],
      ["500 JPY", "9000 JPY"],
      ["5.00 EUR", "50.00 EUR"],
    ] as const) {
      const promotionId = moneyOff.slice(-3);
      const form = { intent: "save", existing: "", title: "Off", promotionId, ...dates, "channels[]": "online" };
      const saved = await who.post(`${path}?dialog=promotion`, { ...form, moneyOff, minimumPurchase: least });
      expect(saved.status, saved.words).toBe(302);
      const { html } = await who.get(`${path}?dialog=promotion&id=${promotionId}`);
      expect(html).toContain(`value="${moneyOff}"`);
      expect(html).toContain(`value="${least}"`);
    }
    const { words } = await who.get(path);
    for (const offer of ["HUF 1,250.00 off, from HUF 99,000.50", "IQD 5.125 off", "¥500 off", "€5.00 off, from €50.00"])
      expect(words.replaceAll("\u00a0", " ")).toContain(offer);
  });

  it("a loyalty programme is one form: rows are added, emptied and put in order without scripts", async () => {
    const { store, who } = await makeShop();
    const path = `/merchant/stores/${store.slug}/loyalty`;
    const fields: [string, string][] = [
      ["intent", "save"],
      ["id", ""],
      ["name", "Club"],
      ["description", "Points for all you buy."],
      ["termsUrl", "https://shop.example/club"],
      ...tier("Member", "0", "1", ""),
      ...tier("Gold", "500", "2", "Free delivery\nEarly sales"),
      ...tier("", "", "1", ""),
      ...rule("Everything else", "1", "2"),
      ...rule("Tents", "3", "1"),
      ...rule("", "", "3"),
    ];
    // What shoppers are told of a rule is the merchant's to say: words of ours would stay when the points change.
    const ours = /<input[^>]*name="rules\.basis\[\]"[^>]*value="[^"]+"/;
    expect((await who.get(`${path}?dialog=program`)).html).not.toMatch(ours);
    const unsaid = await postPairs(who, `${path}?dialog=program`, [...fields, ...rule("", "1", "4")]);
    expect([unsaid.status, unsaid.words.includes("Describe the rule in words for shoppers.")]).toEqual([400, true]);

    expect((await postPairs(who, `${path}?dialog=program`, fields)).status).toBe(302);
    const { words } = await who.get(path);
    expect(words).toContain("Gold From 500 points Earns × 2 Perks Free delivery Early sales");
    expect(words).toMatch(/1 ?Tents .* 2 ?Everything else/);
    expect(words).toContain("Points 3 per EUR");
    const wrong = fields.map(([name, value]): [string, string] => [
      name,
      value === "0" && name.includes("threshold") ? "5" : value,
    ]);
    const refused = await postPairs(who, `${path}?dialog=program`, wrong);
    expect(refused.status).toBe(400);
    expect(refused.words).toContain("One tier must begin at 0 points");
    expect(refused.html).toContain('value="Gold"');
  });

  it("each row of a programme is a group with a name, since all rows have the same fields, and how to remove one is told", async () => {
    const { store, who } = await makeShop();
    const { html } = await who.get(`/merchant/stores/${store.slug}/loyalty?dialog=program`);
    const groups = [...html.matchAll(/role="group"[^>]*|aria-label="[^"]*"[^>]*role="group"[^>]*/g)].join(" ");
    for (const name of ["Tier 1", "Tier 2", "Rule 1", "Rule 2"]) expect(groups).toContain(`aria-label="${name}"`);
    for (const hint of ["One tier must start at 0 points.", "The first rule that fits a product counts."]) {
      const id = new RegExp(`<p[^>]* id="([^"]+)"[^>]*>${hint} Leave a row empty to remove it`).exec(html)?.[1];
      expect(html).toContain(`<fieldset aria-describedby="${id}"`);
    }
  });

  it("a form that was open while a colleague made another programme primary takes nothing back", async () => {
    const { store, who } = await makeShop();
    const path = `/merchant/stores/${store.slug}/loyalty`;
    const save = (id: string, name: string, ...rest: [string, string][]) =>
      postPairs(who, `${path}?dialog=program${id && `&id=${id}`}`, [
        ["intent", "save"],
        ["id", id],
        ["name", name],
        ["description", "Points for all you buy."],
        ["termsUrl", "https://shop.example/club"],
        ...tier("Member", "0", "1", ""),
        ...rest,
      ]);
    const primary = async () => {
      const rows = await database.sql`select name from loyalty_programs where store_id = ${store.id} and is_primary`;
      return rows.map(({ name }) => name as string);
    };
    await save("", "Club");
    await save("", "Circle");
    const [club] = await database.sql`select id from loyalty_programs where store_id = ${store.id} and name = 'Club'`;
    const [circle] =
      await database.sql`select id from loyalty_programs where store_id = ${store.id} and name = 'Circle'`;
    const { html } = await who.get(`${path}?dialog=program&id=${club!.id}`);
    expect(html).toMatch(/<input[^>]*name="wasPrimary"[^>]*value="on"/);
    await save(circle!.id, "Circle", ["isPrimary", "on"], ["wasPrimary", ""]);
    expect(await primary()).toEqual(["Circle"]);
    // What was open: a field of it is wrong at first.
    const open: [string, string][] = [
      ["isPrimary", "on"],
      ["wasPrimary", "on"],
    ];
    const refused = await save(club!.id, "", ...open);
    expect(refused.status).toBe(400);
    expect(refused.html).toMatch(/<input[^>]*name="wasPrimary"[^>]*value="on"/);
    expect((await save(club!.id, "The Club", ...open)).status).toBe(302);
    expect(await primary()).toEqual(["Circle"]);
    await save(club!.id, "The Club", ["isPrimary", "on"], ["wasPrimary", ""]);
    expect(await primary()).toEqual(["The Club"]);
  });

  it("a programme that points are told for is no longer primary only where another one is: its form says so beside the box", async () => {
    const { store, who } = await makeShop();
    const path = `/merchant/stores/${store.slug}/loyalty`;
    const save = (id: string, name: string, ...rest: [string, string][]) =>
      postPairs(who, `${path}?dialog=program&id=${id}`, [
        ...program.slice(1),
        ["intent", "save"],
        ["id", id],
        ["name", name],
        ...rest,
      ]);
    await save("", "Club");
    await save("", "Circle");
    const [club] = await database.sql`select id from loyalty_programs where store_id = ${store.id} and is_primary`;
    const refused = await save(club!.id, "The Club", ["wasPrimary", "on"]);
    expect([refused.status, refused.words]).toEqual([
      400,
      expect.stringContaining("Points are told for this programme. Make another one primary instead."),
    ]);
    expect(refused.html).toContain('value="The Club"');
    const box = /<input[^>]*name="isPrimary"[^>]*>/.exec(refused.html)![0];
    expect([box.includes("aria-invalid"), box.includes("checked")]).toEqual([true, false]);
    expect((await save(club!.id, "The Club", ["wasPrimary", "on"], ["isPrimary", "on"])).status).toBe(302);
  });

  const policy: [string, string][] = [
    ["question", "Do you ship abroad?"],
    ["answer", "Yes."],
    ["type", "shipping"],
    ["url", ""],
  ];
  const program: [string, string][] = [
    ["name", "Club"],
    ["description", "Points for all you buy."],
    ["termsUrl", "https://shop.example/club"],
    ...tier("Member", "0", "1", ""),
  ];
  const promotion: [string, string][] = [
    ["title", "Spring sale"],
    ["promotionId", "SPRING"],
    ["percentOff", "15"],
    ["startsAt", "2020-01-01T00:00"],
    ["endsAt", "2021-01-01T00:00"],
    ["channels[]", "online"],
  ];
  it.each([
    { of: "policy", page: "policies", as: "id", fields: policy, wrong: "type", title: "Edit the policy" },
    {
      of: "program",
      page: "loyalty",
      as: "id",
      fields: program,
      wrong: "termsUrl",
      title: "Edit the loyalty programme",
    },
    { of: "promotion", page: "promotions", as: "existing", fields: promotion, wrong: "endsAt", title: "Edit “SPRING”" },
  ])("a $of that a colleague removed is not made anew by a form that was open", async (the) => {
    const { store, who } = await makeShop();
    const path = `/merchant/stores/${store.slug}/${the.page}`;
    const save = (id: string, fields: [string, string][]) =>
      postPairs(who, `${path}?dialog=${the.of}${id && `&id=${id}`}`, [["intent", "save"], [the.as, id], ...fields]);
    expect((await save("", the.fields)).status).toBe(302);
    const [, id] = new RegExp(`dialog=${the.of}&amp;id=([^"&]+)`).exec((await who.get(path)).html)!;
    const removal = { intent: "remove", id: id!, promotionId: id! };
    expect((await who.post(`${path}?dialog=remove&id=${id}`, removal)).status).toBe(302);

    const refused = await save(
      id!,
      the.fields.map(([name, value]) => [name, name === the.wrong ? "wrong" : value]),
    );
    expect([refused.status, refused.words]).toEqual([400, expect.stringContaining(the.title)]);
    expect(refused.html).toMatch(new RegExp(`name="${the.as}"[^>]*value="${id}"`));
    expect(refused.html).toContain(the.fields[0]![1]);
    const late = await save(id!, the.fields);
    expect([late.status, late.words]).toEqual([409, expect.stringContaining(the.title)]);
    expect(late.html).toContain(the.fields[0]![1]);
    expect(late.words).toContain("was removed in the meantime, so nothing was saved.");
    // It is not there to be opened, and whoever removes it once more is told.
    expect((await who.get(`${path}?dialog=${the.of}`)).html).toContain("<dialog");
    expect((await who.get(`${path}?dialog=${the.of}&id=${id}`)).html).not.toContain("<dialog");
    const again = await who.post(`${path}?dialog=remove&id=${id}`, removal);
    expect([again.status, again.words]).toEqual([
      404,
      expect.stringMatching(/There is no such (policy|loyalty programme|promotion)/),
    ]);
  });

  it.each([
    { of: "policy", page: "policies", as: "id", fields: policy, change: "answer", wrong: "type" },
    { of: "program", page: "loyalty", as: "id", fields: program, change: "description", wrong: "termsUrl" },
    { of: "promotion", page: "promotions", as: "existing", fields: promotion, change: "title", wrong: "endsAt" },
  ])("a $of that a colleague changed is not overwritten unread: it takes a second Save", async (the) => {
    const { store, who } = await makeShop();
    const path = `/merchant/stores/${store.slug}/${the.page}`;
    const save = (id: string, shown: string, given: Record<string, string> = {}) =>
      postPairs(who, `${path}?dialog=${the.of}${id && `&id=${id}`}`, [
        ["intent", "save"],
        [the.as, id],
        ["shown", shown],
        ...the.fields.map(([name, value]): [string, string] => [name, given[name] ?? value]),
      ]);
    expect((await save("", "")).status).toBe(302);
    const [, id] = new RegExp(`dialog=${the.of}&amp;id=([^"&]+)`).exec((await who.get(path)).html)!;
    const shownIn = ({ html }: { html: string }) => /name="shown"[^>]*value="([^"]+)"/.exec(html)![1]!;
    const opened = shownIn(await who.get(`${path}?dialog=${the.of}&id=${id}`));
    expect((await save(id!, opened, { [the.change]: "As a colleague has it." })).status).toBe(302);

    // A mistake in a field is no look at what the colleague did.
    const mistaken = await save(id!, opened, { [the.wrong]: "wrong" });
    expect([mistaken.status, shownIn(mistaken)]).toEqual([400, opened]);
    const refused = await save(id!, opened, { [the.change]: "As I have it." });
    expect(refused.status).toBe(409);
    expect(refused.words).toContain("was changed in the meantime, so your changes were not saved.");
    expect(refused.html).toContain("As I have it.");
    expect((await who.get(path)).html).toContain("As a colleague has it.");
    expect((await save(id!, shownIn(refused), { [the.change]: "As I have it." })).status).toBe(302);
    expect((await who.get(path)).html).toContain("As I have it.");
  });

  it("a promotion that moved to another page of the list while its form was open is saved by a second Save too", async () => {
    const { store, who } = await makeShop();
    const path = `/merchant/stores/${store.slug}/promotions`;
    await database.sql`
      insert into promotions (store_id, promotion_id, long_title, percent_off, free_shipping, currency, starts_at, ends_at, redemption_channel, stackable)
      select ${store.id}, 'P' || n, 'Number ' || n, 5, false, 'EUR', '2020-01-01', '2030-01-01'::timestamptz - n * interval '1 day', '{online}', false
      from generate_series(1, 60) n`;
    const edit = `${path}?dialog=promotion&id=P1`;
    const shownIn = ({ html }: { html: string }) => /name="shown"[^>]*value="([^"]+)"/.exec(html)![1]!;
    const opened = shownIn(await who.get(edit));
    await database.sql`update promotions set ends_at = '2020-01-02' where store_id = ${store.id} and promotion_id = 'P1'`;
    const save = (shown: string) =>
      postPairs(who, edit, [
        ["intent", "save"],
        ["existing", "P1"],
        ["shown", shown],
        ...promotion.map(([name, value]): [string, string] => [name, name === "promotionId" ? "P1" : value]),
      ]);
    const refused = await save(opened);
    expect(refused.status).toBe(409);
    expect((await save(shownIn(refused))).status).toBe(302);
  });

  it("details are typed, refused beside their fields, told to agents, and emptied; who was late loses nothing", async () => {
    const { store, who } = await makeShop();
    const path = `/merchant/stores/${store.slug}/details`;
    const { key } = await makeCaller(database, { state: "production" });
    const told = async () =>
      (await callTool(server.url, key, "get_store_info", { store_id: store.id })).json.result.structuredContent;
    const profile = await who.get(`/merchant/stores/${store.slug}`);
    expect(profile.html).toContain(`href="${path}"`);
    expect(profile.words).toContain("The rest is yours to edit.");
    const shownIn = ({ html }: { html: string }) => /name="shown"[^>]*value="([^"]+)"/.exec(html)![1]!;
    const fieldsIn = ({ html }: { html: string }) =>
      [...html.matchAll(/<(?:input|textarea)[^>]* name="(\w+)"/g)]
        .map(([, name]) => name!)
        .filter((name) => name !== "redirectTo");
    const opened = await who.get(path);
    const empty = Object.fromEntries(fieldsIn(opened).map((name) => [name, ""]));
    expect(Object.keys(empty)).toHaveLength(21);
    const typed = { ...empty, shown: shownIn(opened), street: "1 <Quay>", monday: "9-17", links: "about shop.example" };

    const wrong = await who.post(path, { ...typed, country: "Ireland", tuesday: "late", returnDays: "x" });
    expect(wrong.status).toBe(400);
    for (const said of [
      "Enter its ISO 3166-1 code: IE.",
      "“late” cannot be read.",
      "Enter the days, as a whole number.",
    ])
      expect(wrong.words).toContain(said);
    expect(wrong.html).toContain('value="1 &lt;Quay&gt;"');
    expect(wrong.html).toContain('value="9-17"');
    expect(shownIn(wrong)).toBe(typed.shown);
    expect(await told()).not.toHaveProperty("address");

    const saved = await who.post(path, typed);
    expect([saved.status, saved.location]).toEqual([302, `${path}?done=saved`]);
    expect(await told()).toMatchObject({
      address: { street_address: "1 <Quay>" },
      opening_hours: [{ day: "monday", opens: "09:00", closes: "17:00" }],
      links: [{ type: "about", url: "https://shop.example" }],
    });
    const after = await who.get(saved.location!);
    expect(after.words).toContain("Agents see it from their next request.");
    expect(after.html).toContain('value="09:00–17:00"');
    expect((await who.get(`/merchant/stores/${store.slug}`)).words).toContain("Monday 09:00–17:00");

    // From another window, opened before.
    const late = await who.post(path, { ...typed, street: "2 Quay" });
    expect(late.status).toBe(409);
    expect(late.words).toContain("This store was changed in the meantime");
    expect(late.words).toContain("Saved now: 1 <Quay>");
    expect(late.html).toContain('value="2 Quay"');
    expect((await who.post(path, { ...typed, street: "2 Quay", shown: shownIn(late) })).status).toBe(302);
    expect(await told()).toMatchObject({ address: { street_address: "2 Quay" } });

    await who.post(path, { ...empty, shown: shownIn(await who.get(path)) });
    for (const name of ["address", "shipping_policy", "return_policy"]) expect(await told()).not.toHaveProperty(name);
    expect(await told()).toMatchObject({ opening_hours: [], links: [] });
  });

  it("what is refused where something was saved before is not told as saved", async () => {
    const { store, who } = await makeShop();
    const shop = `/merchant/stores/${store.slug}`;
    const details = await who.get(`${shop}/details?done=saved`);
    expect(details.words).toContain("Agents see it from their next request.");
    const shown = /name="shown"[^>]*value="([^"]+)"/.exec(details.html)![1]!;
    const again = "Agents see it from their next request.";
    const empty = { intent: "save", id: "" };
    for (const [view, form, why, done] of [
      ["details?done=saved", { shown, country: "Ireland" }, "Enter its ISO 3166-1 code: IE.", again],
      ["stock?done=stock-loaded", new FormData(), "Choose a file.", "The counts are loaded"],
      ["products?done=excluded", { intent: "exclude", product: "" }, "another look.", "The product is excluded"],
      ["policies?done=saved", empty, "another look.", again],
      ["promotions?done=saved", empty, "another look.", again],
      ["loyalty?done=saved", empty, "another look.", again],
    ] as const) {
      const refused = await who.post(`${shop}/${view}`, form);
      expect([view, refused.status]).toEqual([view, 400]);
      expect(refused.words).toContain(why);
      expect(refused.words).not.toContain(done);
    }
  });

  it("stock is loaded from a file, told to agents, and removed; a file that is not right changes nothing", async () => {
    const { store, who } = await makeShop();
    await loadRows(database, store.id, [{ id: "lamp" }]);
    const path = `/merchant/stores/${store.slug}/stock`;
    expect((await who.get(path)).words).toContain("Nothing is counted yet");
    const { key } = await makeCaller(database, { state: "production", scopes: ["inventory:read"] });
    const asked = { store_id: store.id, items: [{ product_id: "lamp", quantity: 1 }] };
    const counts = async () =>
      (await callTool(server.url, key, "check_inventory", asked)).json.result.structuredContent.items.map(
        (item: { quantity: number }) => item.quantity,
      );
    expect(await counts()).toEqual([]);
    const file = "id,store_code,store_name,quantity\nlamp,DUB-1,Dublin,3\nlamp,GAL-1,Galway,4\nsofa,DUB-1,,1";
    const loaded = await who.post(path, counted(file));
    expect([loaded.status, loaded.location]).toEqual([302, `${path}?done=stock-loaded`]);
    expect(await counts()).toEqual([7]);
    const { words } = await who.get(loaded.location!);
    expect(words).toContain("The counts are loaded");
    expect(words).toContain("One count is of no product");
    expect(words).toContain("DublinDUB-1 Pick-up No Ids counted 2 Pieces 4");
    expect(words).toContain("GalwayGAL-1 Pick-up No Ids counted 1 Pieces 4");

    // What a file does not say of a location stays as it is known.
    await who.post(path, counted("id,store_code,quantity\nlamp,GAL-1,3\nlamp,COR-1,4"));
    const anew = await who.get(path);
    for (const row of ["GalwayGAL-1 Pick-up No Ids counted 1 Pieces 3", " COR-1 Pick-up No Ids counted 1 Pieces 4"])
      expect(anew.words).toContain(row);
    expect(anew.words).not.toContain("Dublin");

    const wrong = await who.post(path, counted("id,store_code,quantity\nlamp,DUB-1,many"));
    expect(wrong.status).toBe(400);
    expect(wrong.words).toContain('Nothing was changed: line 2: quantity "many" is no number of pieces.');
    expect((await who.post(path, new FormData())).words).toContain("Choose a file.");
    expect(await counts()).toEqual([7]);

    expect((await who.get(`${path}?dialog=remove`)).words).toContain(`Remove all counts of ${store.name}?`);
    const removed = await who.post(`${path}?dialog=remove`, { intent: "remove" });
    expect([removed.status, removed.location]).toEqual([302, `${path}?done=stock-removed`]);
    expect(await counts()).toEqual([]);
    const acts = await database.sql`select 1 from audit where action = 'inventory.replace' and target_id = ${store.id}`;
    expect(acts).toHaveLength(3);
  });

  it("policies are written, changed and removed", async () => {
    const { store, who } = await makeShop();
    const path = `/merchant/stores/${store.slug}/policies`;
    const form = { intent: "save", id: "", question: "Do you ship abroad?", answer: "Yes.", type: "shipping", url: "" };
    const refused = await who.post(`${path}?dialog=policy`, { ...form, type: "", url: "ftp://x" });
    expect(refused.words).toContain("Choose what it is about.");
    expect(refused.words).toContain("Enter a full address");
    expect(refused.html).toContain('value="Do you ship abroad?"');
    await who.post(`${path}?dialog=policy`, form);
    expect((await who.get(path)).words).toContain("Do you ship abroad? Yes. Shipping");
    const [row] = await database.sql`select id from policies where store_id = ${store.id}`;
    expect((await who.get(`${path}?dialog=remove&id=${row!.id}`)).words).toContain(
      "Remove this policy? “Do you ship abroad?” Agents",
    );
    await who.post(`${path}?dialog=remove&id=${row!.id}`, { intent: "remove", id: row!.id });
    expect((await who.get(path)).words).toContain("No policy yet");
  });
});

const tier = (name: string, points: string, times: string, perks: string): [string, string][] => [
  ["tiers.name[]", name],
  ["tiers.thresholdPoints[]", points],
  ["tiers.multiplier[]", times],
  ["tiers.perks[]", perks],
];
const rule = (basis: string, points: string, order: string): [string, string][] => [
  ["rules.basis[]", basis],
  ["rules.order[]", order],
  ["rules.pointsPerUnit[]", points],
  ["rules.bonusPoints[]", "0"],
  ["rules.productType[]", ""],
  ["rules.brand[]", ""],
];
/** A form in which names come several times. */
const postPairs = (who: Awaited<ReturnType<typeof logIn>>, path: string, pairs: [string, string][]) =>
  who.post(path, pairs as never);

describe("notifications", () => {
  it("link to the platform's page, are counted beside the menu, and are read one by one or all at once", async () => {
    const { store, who } = await makeShop();
    const [one, two] = [await makePlatform(store.id), await makePlatform(store.id)];
    const first = await announce(one.id, store.id, new Date(Date.now() - 60_000));
    await announce(two.id, store.id);
    const page = await who.get("/merchant/notifications");
    expect(page.html).toContain(`href="/merchant/agents/${one.slug}?store=${store.slug}"`);
    expect(page.words.indexOf(two.name)).toBeLessThan(page.words.indexOf(one.name));
    expect(page.words).toContain("Notifications2");
    await who.post("/merchant/notifications", { intent: "read", id: first });
    const unread = (await who.get("/merchant/notifications?show=unread")).words;
    expect(unread).toContain(two.name);
    expect(unread).not.toContain(one.name);
    expect(unread).toContain("Notifications1");
    const opened = await who.get("/merchant/notifications?show=unread");
    const until = /name="until"[^>]*value="([^"]+)"/.exec(opened.html)![1]!;
    const three = await makePlatform(store.id);
    await announce(three.id, store.id);
    await who.post("/merchant/notifications", { intent: "read-all", until });
    const later = (await who.get("/merchant/notifications?show=unread")).words;
    expect([later.includes(two.name), later.includes(three.name)]).toEqual([false, true]);
    await who.post("/merchant/notifications", { intent: "read-all" });
    expect((await who.get("/merchant/notifications?show=unread")).words).toContain("All read");
  });

  it("promise colleagues no digest, under the link that stops it, where it is off for all", async () => {
    const { who, store, accountId } = await makeShop();
    await makeMerchant(database, store.merchantId);
    const { merchantId } = store;
    const token = unsubscribe.tokenFor(database.as({ kind: "anonymous" }), { merchantId, accountId });
    const told = async () => (await who.get(`/unsubscribe?token=${token}`)).words;
    expect(await told()).toContain("If you stop it, your colleagues still get it.");
    await who.post("/merchant/notifications", { intent: "digest", frequency: "off", mine: "on" });
    expect(await told()).toContain(
      "is off, so nobody is mailed. If you stop it, you get none once it is turned on again",
    );
    expect(await told()).not.toContain("colleagues");
  });

  it("say how the digest stands, and keep the choice", async () => {
    const { store, who } = await makeShop();
    await who.post("/merchant/notifications", { intent: "digest", frequency: "weekly" });
    expect((await who.get("/merchant/notifications")).words).toContain("You have stopped it for yourself");
    const [row] = await database.sql`select digest from merchants where id = ${store.merchantId}`;
    expect(row!.digest).toBe("weekly");
    const refused = await who.post("/merchant/notifications", { intent: "digest", frequency: "hourly" });
    expect(refused.status).toBe(400);
    expect(refused.words).toContain("Choose how often.");
    // A page that was open while a colleague set another.
    const shown = { intent: "digest", frequency: "off", shownFrequency: "off", mine: "on" };
    await who.post("/merchant/notifications", shown);
    const [stays] = await database.sql`
      select digest, (select bool_and(p.digest) from merchant_members p where p.merchant_id = m.id) as mine
      from merchants m where id = ${store.merchantId}`;
    expect(stays).toEqual({ digest: "weekly", mine: true });
    expect((await who.get("/merchant/notifications")).html).toMatch(/name="shownFrequency"[^>]*value="weekly"/);
    await who.post("/merchant/notifications", { intent: "digest", frequency: "off", shownFrequency: "weekly" });
    const { words } = await who.get("/merchant/notifications");
    expect([words.includes("stopped it for yourself."), words.includes("colleagues still")]).toEqual([true, false]);
    // A page that was open while the person unsubscribed in a mail: its box was left as it was shown.
    const open = { intent: "digest", frequency: "daily", shownFrequency: "off", mine: "on" };
    const mine = async () =>
      (await database.sql`select digest from merchant_members where merchant_id = ${store.merchantId}`)[0]!.digest;
    await who.post("/merchant/notifications", { ...open, shownMine: "true" });
    expect(await mine()).toBe(false);
    await who.post("/merchant/notifications", { ...open, shownMine: "false" });
    expect(await mine()).toBe(true);
    // The page of another merchant, whom the person looked at before.
    const merchantId = crypto.randomUUID();
    const late = await who.post("/merchant/notifications", { intent: "digest", frequency: "off", merchantId });
    expect(late.status).toBe(409);
    expect(late.words).toContain("this page was about a different one from the one you are viewing now");
  });
});

it("the store that AI Agents is about is the one its list to choose from shows, however many there are", async () => {
  const { store, who } = await makeShop();
  const merchant = { id: store.merchantId };
  await database.sql`update stores set name = 'Zz last' where id = ${store.id}`;
  await Promise.all(Array.from({ length: 200 }, (_, i) => makeStore(database, { merchant, name: `Shop ${1000 + i}` })));
  const platform = await makePlatform(store.id);
  for (const path of ["/merchant/agents", `/merchant/agents/${platform.slug}`]) {
    const { html } = await who.get(`${path}?store=${store.slug}`);
    const options = [...html.matchAll(/<option[^>]*>([^<]*)/g)].filter(([, name]) => /^(Shop|Zz)/.test(name!));
    expect(options).toHaveLength(200);
    expect(options.filter(([option]) => option.includes("selected")).map(([, name]) => name)).toEqual(["Zz last"]);
    expect(options.at(-1)![1]).toBe("Zz last");
  }
});

describe("who stops the digest for themselves", () => {
  it("is told whether their colleagues still get it, and that nobody does where they are alone or the last", async () => {
    const { store, accountId, who } = await makeShop();
    const { merchantId } = store;
    const token = unsubscribe.tokenFor(database.as({ kind: "system" }), { merchantId, accountId });
    const [alone, others] = [
      "If you stop it, nobody is mailed; Notifications still has what is new.",
      "If you stop it, your colleagues still get it.",
    ];
    const [stoppedAlone, stopped] = [
      "You have stopped it for yourself. Nobody is mailed then; notifications stay here.",
      "You have stopped it for yourself; your colleagues still get it.",
    ];
    const set = (digest: boolean, whose: string) =>
      database.sql`update merchant_members set digest = ${digest} where merchant_id = ${merchantId} and account_id = ${whose}`;
    const expectTold = async (link: string, form: string) => {
      expect((await newVisitor(server.url).get(`/unsubscribe?token=${token}`)).words).toContain(link);
      await set(false, accountId);
      expect((await who.get("/merchant/notifications")).words).toContain(form);
      await set(true, accountId);
    };
    await expectTold(alone, stoppedAlone);
    const colleague = await makeMerchant(database, merchantId);
    await expectTold(others, stopped);
    await set(false, colleague.accountId);
    await expectTold(alone, stoppedAlone);
    // What colleagues at another merchant get is theirs.
    await makeMerchant(database, (await makeStore(database)).merchantId);
    await expectTold(alone, stoppedAlone);
  });
});

describe("the digest's link", () => {
  async function mailed() {
    const { store, who, accountId } = await makeShop();
    const platform = await makePlatform(store.id);
    await announce(platform.id, store.id, new Date(Date.now() - 2 * 86_400_000));
    const [account] = await database.sql<{ email: string }[]>`select email from accounts where id = ${accountId}`;
    // The server's own worker sends it, once it is in the outbox.
    await digests.send({ ...database.as({ kind: "system" }), baseUrl: server.url });
    const [message] = await smtp.arrived(account!.email);
    const line = message!.headerLines.find(({ key }) => key === "list-unsubscribe")!.line.replace(/\s+/g, "");
    const url = new URL(/<(.*)>/.exec(line)![1]!);
    const mine = async () =>
      (await database.sql`select digest from merchant_members where account_id = ${accountId}`)[0]!.digest as boolean;
    return { path: url.pathname + url.search, url, mine, who };
  }

  it("asks without changing anything, and its button ends the digest without a log-in", async () => {
    const { path, mine } = await mailed();
    const stranger = newVisitor(server.url);
    expect((await stranger.get(path)).words).toContain("Stop the digest?");
    expect(await mine()).toBe(true);
    expect((await stranger.post(path, {})).words).toContain("The digest is stopped");
    expect(await mine()).toBe(false);
    expect((await stranger.get(path)).words).toContain("The digest is stopped");
  });

  it("takes one click of a mail program, which sends no Origin and no cookie (RFC 8058)", async () => {
    const { path, url, mine } = await mailed();
    expect(url.origin).toBe(server.url);
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const sent = { path, headers, body: "List-Unsubscribe=One-Click" };
    const reply = await fetch(new URL(path, server.url), { method: "POST", headers, body: sent.body });
    expect(reply.status).toBe(200);
    expect(await mine()).toBe(false);
  });

  it("is no way round for other pages: they still must say where they come from", async () => {
    const { who } = await makeShop();
    expect((await who.post("/merchant/notifications", { intent: "read-all" }, {})).status).toBe(403);
    expect((await newVisitor(server.url).post("/unsubscribe?token=forged", {}, {})).status).toBe(404);
    const cut = await newVisitor(server.url).get("/unsubscribe?token=cut");
    expect([cut.status, cut.words]).toEqual([404, expect.stringContaining("We do not recognise this link")]);
    expect((await newVisitor(server.url).get("/unsubscribe")).status).toBe(404);
  });
});
