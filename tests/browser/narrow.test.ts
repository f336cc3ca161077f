// Where there is little room: filters, figures, dates and names that are cut.
import { eq } from "drizzle-orm";
import type { Locator, Page } from "playwright-core";
import { expect, it } from "vitest";
import { accounts } from "../../db/schema/accounts";
import { members } from "../../db/schema/consumers";
import { merchants, notifications } from "../../db/schema/merchants";
import * as loyalty from "../../server/services/own-loyalty";
import { tools } from "../../server/tools";
import { testBrowser, visit } from "../support/browser";
import { callTool, issueKey } from "../support/clients";
import { testDatabase } from "../support/database";
import { makeAccount, makeConsumer, makeMerchant, makeStore } from "../support/factories";
import { loadFeed, tsv } from "../support/feeds/load";
import { testServer } from "../support/server";
import { newTerms } from "../support/terms";
import { untilRecorded } from "../support/usage";

const database = testDatabase();
const server = testServer(database);
const browser = testBrowser(server, database);
const { openAs } = browser;
const at = (page: Page, width: number) => page.setViewportSize({ width, height: 900 });

it("the filters of requests fill their lines, and Search comes before Clear", async () => {
  const { id, owner } = await makeConsumer(database);
  await issueKey(database, id);
  const operator = await makeAccount(database, { isOperator: true });
  for (const [person, path] of [
    [owner, "/console/requests"],
    [operator, "/admin/requests"],
  ] as const) {
    const page = await openAs(person);
    await page.goto(`${path}?outcome=error`);
    for (const width of [1440, 1024, 768, 390]) {
      await at(page, width);
      expect(await page.evaluate<string[]>(ragged), `${path} at ${width}`).toEqual([]);
    }
    await at(page, 1024);
    expect(await page.evaluate(besides), path).toEqual([true, true]);
    await page.getByRole("button", { name: "Search" }).focus();
    await page.keyboard.press("Tab");
    expect(await page.getByRole("link", { name: "Clear" }).evaluate((one) => one === document.activeElement)).toBe(
      true,
    );
  }
});

/** Whether Search and Clear stand on the line of the dates. */
const besides = `(() => {
  const { top } = document.querySelector("form[role=search] [name=to]").getBoundingClientRect();
  const buttons = [...document.querySelectorAll("form[role=search] :is([type=submit], a)")];
  return buttons.map((one) => one.getBoundingClientRect().top === top);
})()`;

/** Lists that end where no other stands beside them, and yet leave room: there is some at 1440 for them all. */
const ragged = `(() => {
  const form = document.querySelector("form[role=search]").getBoundingClientRect();
  const lists = [...document.querySelectorAll("form[role=search] :is(select, [type=search], [name=consumer])")];
  const boxes = lists.map((one) => ({ name: one.name, box: one.getBoundingClientRect() }));
  return innerWidth >= 1280
    ? boxes.filter(({ box }) => box.top !== boxes[0].box.top).map(({ name }) => name)
    : boxes
        .filter(({ box }) => box.right < form.right - 1)
        .filter(({ box }) => !boxes.some((other) => other.box.top === box.top && other.box.left > box.left))
        .map(({ name }) => name);
})()`;

it("a log of requests needs no scrolling at any width, whatever was called and how it ended", async () => {
  const { id, owner } = await makeConsumer(database, { name: "Trail Guide of the Western Isles", state: "production" });
  const { value } = await issueKey(database, id, { name: "Production server" });
  for (const { name } of tools) await callTool(server.url, value, name, { store_id: crypto.randomUUID() });
  const store = await makeStore(database, { name: "Donaudampfschifffahrtsgesellschaft & Sons Outfitters" });
  await callTool(server.url, value, "get_store_info", { store_id: store.id });
  await untilRecorded(database);
  const operator = await makeAccount(database, { isOperator: true });
  for (const [person, path] of [
    [owner, "/console/requests"],
    [operator, "/admin/requests"],
  ] as const) {
    const page = await openAs(person);
    await page.goto(path);
    const log = page.getByRole("region", { name: "Requests, newest first" });
    await log.getByText("store_not_available").first().waitFor();
    const calls = tools.length + 1;
    for (const width of [1440, 1280, 1024, 768, 390, 360]) {
      await at(page, width);
      expect(await log.evaluate((one) => one.scrollWidth - one.clientWidth), `${path} at ${width}`).toBe(0);
      expect(await page.evaluate("document.documentElement.scrollWidth"), `${path} at ${width}`).toBeLessThanOrEqual(
        width,
      );
      // Whatever the width, each row is one to a screen reader and says all there is: in a column, or below what has one.
      const rows = log.getByRole("row").filter({ has: page.getByRole("rowheader") });
      expect(await rows.count(), `${path} at ${width}`).toBe(calls);
      const says = [/Production server …/, /^…[0-9a-f]{8}$/, /^(took )?[\d.]+ ms$/, /^(just now|\d+ minutes? ago)$/];
      if (path === "/admin/requests") says.push(/^Trail Guide of the Western Isles$/);
      for (const said of says)
        expect(await log.getByText(said).filter({ visible: true }).count(), `${said} at ${width}`).toBe(calls);
      expect(await log.getByText(store.name).filter({ visible: true }).count(), `store at ${width}`).toBe(1);
    }
  }
});

it("usage by tool, store and all else needs no scrolling at any width, and says all there is", async () => {
  const { id, owner } = await makeConsumer(database, { name: "Trail Guide of the Western Isles", state: "production" });
  const { value } = await issueKey(database, id, { name: "Production server" });
  for (const { name } of tools) await callTool(server.url, value, name, { store_id: crypto.randomUUID() });
  await untilRecorded(database);
  const operator = await makeAccount(database, { isOperator: true });
  for (const [person, path] of [
    [owner, "/console/usage"],
    [operator, "/admin/usage"],
  ] as const) {
    const page = await openAs(person);
    await page.goto(path);
    await page.getByText("Tools and methods").first().click();
    const table = page.getByRole("region", { name: "Usage by tools and methods" });
    await table.getByText("search_store_policies").waitFor();
    const p50 = table.locator("th", { hasText: "p50" });
    for (const width of [1440, 1280, 1024, 768, 390, 360]) {
      await at(page, width);
      expect(await table.evaluate((one) => one.scrollWidth - one.clientWidth), `${path} at ${width}`).toBe(0);
      const rows = await table
        .getByRole("row")
        .filter({ has: page.getByRole("rowheader") })
        .all();
      expect(rows.length, `${path} at ${width}`).toBeGreaterThanOrEqual(tools.length);
      for (const row of rows) {
        const said = await row.innerText();
        expect(said, `${path} at ${width}`).toMatch(/^\w+\s[\s\S]*\d%[\s\S]*\d\s[\s\S]*( ms|–)/);
        expect(said.includes("p50"), `${path} at ${width}`).toBe(!(await p50.isVisible()));
        // What the column is called by comes first.
        if (said.includes("p50")) expect(said).toMatch(/(\S ms|–) · p50 (\S+ ms|–)$/);
      }
    }
  }
});

it("what a platform has called so far is a table beside the decision too, and needs no scrolling there", async () => {
  const { id, slug } = await makeConsumer(database, { state: "production_requested" });
  const { value } = await issueKey(database, id);
  for (const { name } of tools) await callTool(server.url, value, name, { store_id: crypto.randomUUID() });
  await untilRecorded(database);
  const page = await openAs(await makeAccount(database, { isOperator: true }));
  await page.goto(`/admin/review/${slug}`);
  const table = page.getByRole("region", { name: "Usage so far" });
  await at(page, 1440);
  expect(
    await table.getByRole("columnheader", { name: "Refused" }).evaluate((one) => one.clientHeight),
  ).toBeGreaterThan(20);
  expect(await table.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
  const rows = await table.getByRole("row").all();
  expect(rows.length).toBeGreaterThan(tools.length);
  for (const row of rows) expect((await row.boundingBox())!.height).toBeLessThan(60);
  for (const width of [1280, 1024, 768, 390, 360]) {
    await at(page, width);
    expect(await table.evaluate((one) => one.scrollWidth - one.clientWidth), `at ${width}`).toBe(0);
    expect(await table.getByRole("row").filter({ hasText: "search_products" }).innerText()).toMatch(
      /1( · 1 in 24 h|\s1)\s[\s\S]*1 · 100\.0%/,
    );
  }
});

it("on a phone a platform's access is revoked above what it applied with", async () => {
  const { slug } = await makeConsumer(database, { state: "production" });
  const page = await openAs(await makeAccount(database, { isOperator: true }));
  await page.goto(`/admin/consumers/${slug}`);
  const topOf = async (name: string) => (await page.getByRole("heading", { name, exact: true }).boundingBox())!.y;
  await at(page, 390);
  expect(await topOf("Revoke access")).toBeLessThan(await topOf("Application"));
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(390);
  await at(page, 1440);
  expect(await topOf("Limits and access")).toBeLessThan(await topOf("Application"));
});

it("a figure of any size is seen whole", async () => {
  const { id, owner } = await makeConsumer(database);
  await callTool(server.url, (await issueKey(database, id)).value, "list_stores", {});
  const page = await openAs(owner);
  await visit(page, "/console/usage");
  const figures = page.locator("main dl dd:nth-of-type(1)");
  await figures.evaluateAll((all) => {
    for (const one of all) one.textContent = "126,807,407,341";
  });
  for (const width of [1440, 1024, 768, 390]) {
    await at(page, width);
    const cut = await figures.evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).length);
    expect([await figures.count(), cut], `at ${width}`).toEqual([4, 0]);
  }
});

it("the head of a public page has the way in at any width, for strangers and for who has nothing yet", async () => {
  const newcomer = await makeAccount(database);
  for (const [page, ways] of [
    [await browser.open({ hasTouch: true }), ["Log in", "Sign up"]],
    [await openAs(newcomer), ["Apply for access"]],
  ] as const) {
    for (const path of ["/", "/docs"]) {
      await page.goto(path);
      for (const width of [768, 390, 360, 320]) {
        await at(page, width);
        expect(await page.evaluate("document.documentElement.scrollWidth"), `${path} at ${width}`).toBe(width);
        for (const name of ways) {
          const way = page.getByRole("banner").getByRole("link", { name, exact: true });
          const box = await way.boundingBox();
          expect(box!.x >= 0 && box!.x + box!.width <= width, `${name} of ${path} at ${width}`).toBe(true);
        }
      }
    }
  }
});

it("the button that copies code covers none of it", async () => {
  const page = await browser.open();
  await page.goto("/docs/search_products");
  for (const width of [1440, 390, 360]) {
    await at(page, width);
    const figures = await page.locator("figure").filter({ visible: true }).all();
    expect(figures.length, `at ${width}`).toBeGreaterThan(0);
    for (const code of figures) {
      const [button, text] = [await code.getByRole("button").boundingBox(), await code.locator("pre").boundingBox()];
      const isBeside = button!.x >= text!.x + text!.width || button!.y + button!.height <= text!.y;
      expect(isBeside, `at ${width}`).toBe(true);
    }
  }
});

it("dates in the documentation stay in one piece", async () => {
  const page = await browser.open();
  await page.goto("/docs");
  for (const width of [1024, 768, 390, 360]) {
    await at(page, width);
    expect(await page.evaluate<string[]>(brokenDates), `at ${width}`).toEqual([]);
  }
});

const brokenDates = `(() => {
  const words = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  const broken = [];
  for (let text = words.nextNode(); text; text = words.nextNode()) {
    for (const { index, 0: date } of text.data.matchAll(/\\d{4}-\\d\\d-\\d\\d/g)) {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + date.length);
      if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) broken.push(date);
    }
  }
  return broken;
})()`;

it("a panel's buttons stand beside its title, however much is said below it", async () => {
  const store = await makeStore(database);
  const merchant = await makeMerchant(database, store.merchantId);
  await loyalty.save(database.as(merchant), {
    store: store.slug,
    name: "Rope Club",
    description: "Points for everything you buy, worth 1 EUR per 100. ".repeat(8),
    termsUrl: "https://store.example/terms",
    isPrimary: true,
    tiers: [{ name: "All", thresholdPoints: 0, multiplier: 1, perks: [] }],
    rules: [],
  });
  const page = await openAs({ id: merchant.accountId });
  await page.goto(`/merchant/stores/${store.slug}/loyalty`);
  const top = (one: Locator) => one.evaluate((element) => element.getBoundingClientRect().top);
  for (const width of [1440, 1024, 680]) {
    await at(page, width);
    const [title, button] = [
      page.getByRole("heading", { name: "Rope Club" }),
      page.getByRole("link", { name: "Edit" }),
    ];
    expect(Math.abs((await top(title)) - (await top(button))), `at ${width}`).toBeLessThan(8);
  }
});

it("no dot that parts two things stands at the end or the beginning of a line", async () => {
  const { id, slug, merchantId } = await makeStore(database);
  const contact = { email: "desk@ridgeline-supply.example", phone: "+44 114 496 0187", url: "https://help.example/us" };
  const returns = { return_window_days: 45, fees: "customer pays return shipping", method: "by mail or in store" };
  await database.sql`update stores set contact_point = ${database.sql.json(contact)},
    return_policy = ${database.sql.json(returns)} where id = ${id}`;
  const { accountId } = await makeMerchant(database, merchantId);
  const page = await openAs({ id: accountId });
  await at(page, 390);
  await visit(page, `/merchant/stores/${slug}`);
  for (const name of ["Contact", "Returns"]) {
    const value = page.locator("dt").filter({ hasText: name }).locator("+ dd");
    const dots = await value.evaluate(dotsAtEdges);
    expect(dots, name).toEqual([]);
    expect(await value.innerText()).toContain("·");
  }
  const platform = await makeConsumer(database, { slug: "trail-guide-of-the-western-isles", state: "production" });
  const operator = await openAs(await makeAccount(database, { isOperator: true }));
  await at(operator, 390);
  await operator.goto(`/admin/consumers/${platform.slug}`);
  const entered = operator.locator("main p").filter({ hasText: platform.slug });
  expect(await entered.textContent()).toContain(" · Went to production");
  expect(await entered.evaluate(dotsAtEdges)).toEqual([]);
});

/** What stands beside each dot that is seen in a box, where that is in another line. */
function dotsAtEdges(box: Element): string[] {
  const { left } = box.getBoundingClientRect();
  const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
  const seen: { letter: string; text: string; line: number }[] = [];
  for (let node = walker.nextNode() as Text | null; node; node = walker.nextNode() as Text | null) {
    for (const [i, letter] of [...node.data].entries()) {
      const range = document.createRange();
      range.setStart(node, i);
      range.setEnd(node, i + 1);
      const { right, bottom } = range.getBoundingClientRect();
      if (letter.trim() && right > left) seen.push({ letter, text: node.data, line: Math.round(bottom) });
    }
  }
  return seen.flatMap(({ letter, line }, index) =>
    letter === "·"
      ? [seen[index - 1], seen[index + 1]].flatMap((other) => (other?.line === line ? [] : [other?.text ?? "nothing"]))
      : [],
  );
}

it("on a phone what a chart's figures are of stands above them, not alone after them", async () => {
  const { id, owner } = await makeConsumer(database);
  const { value } = await issueKey(database, id);
  await callTool(server.url, value, "list_stores", {});
  await untilRecorded(database);
  const page = await openAs(owner);
  await at(page, 390);
  await visit(page, "/console");
  const caption = page.locator("figcaption").filter({ hasText: "In total" });
  const { y } = (await caption.getByText("In total").boundingBox())!;
  const figures = (await caption.getByText("Answered").boundingBox())!;
  expect(y).toBeLessThan(figures.y);
  await at(page, 1440);
  expect((await caption.getByText("In total").boundingBox())!.x).toBeGreaterThan(figures.x);
});

it("an id to be copied is seen whole", async () => {
  const { id, owner } = await makeConsumer(database);
  const { headers } = await callTool(server.url, (await issueKey(database, id)).value, "list_stores", {});
  const page = await openAs(owner);
  await page.goto(`/console/requests/${headers["x-request-id"]}`);
  for (const width of [1440, 1024, 768, 390]) {
    await at(page, width);
    const cut = await page.locator("main output").evaluate((one) => one.scrollWidth > one.clientWidth);
    expect(cut, `at ${width}`).toBe(false);
  }
});

it("a store's id is selected whole by a click, to be copied", async () => {
  const store = await makeStore(database);
  const { owner } = await makeConsumer(database, { state: "production" });
  const page = await openAs(owner);
  await page.goto(`/console/coverage?q=${store.name}`);
  await page.getByText(store.id).click();
  expect(await page.evaluate(() => getSelection()!.toString())).toBe(store.id);
});

it("a long name in the inbox leaves its button at its side", async () => {
  const store = await makeStore(database);
  const { accountId } = await makeMerchant(database, store.merchantId);
  for (const name of ["Trail Guide", "Long ".repeat(19), "L".repeat(95)]) {
    const { id: consumerId } = await makeConsumer(database, { name, state: "production" });
    await database.db.insert(notifications).values({ consumerId, storeId: store.id });
  }
  const page = await openAs({ id: accountId });
  await page.goto("/merchant/notifications");
  const buttons = page.getByRole("button", { name: /^Mark as read: / });
  for (const width of [1440, 1024, 768]) {
    await at(page, width);
    const places = await buttons.evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().left)));
    expect([places.length, new Set(places).size], `at ${width}`).toEqual([3, 1]);
  }
});

it("a name that is written from right to left is cut at its end", async () => {
  const store = await makeStore(database, { name: "متجر الأدوات المنزلية والرحلات الخارجية الكبير في المدينة" });
  const { accountId } = await makeMerchant(database, store.merchantId);
  const name = "عبد الرحمن بن محمد الأنصاري المصري العالمي";
  await database.db.update(accounts).set({ name }).where(eq(accounts.id, accountId));
  const page = await openAs({ id: accountId });
  await page.goto(`/merchant/stores/${store.slug}`);
  await at(page, 390);
  const crumb = page.getByRole("navigation", { name: "Breadcrumb" }).locator("[aria-current=page]");
  expect(await crumb.evaluate((one) => [one.scrollWidth > one.clientWidth, getComputedStyle(one).direction])).toEqual([
    true,
    "rtl",
  ]);
  await page.locator("summary").filter({ hasText: name }).click();
  const shown = page.locator("details[open]").getByText(name, { exact: true });
  expect(await shown.evaluate((one) => [one.scrollWidth > one.clientWidth, getComputedStyle(one).direction])).toEqual([
    true,
    "rtl",
  ]);
});

it("a name of both directions reads the same wherever a page has it", async () => {
  const name = "متجر Tarn 24";
  const store = await makeStore(database, { name });
  const { accountId } = await makeMerchant(database, store.merchantId);
  const page = await openAs({ id: accountId });
  await page.goto(`/merchant/stores/${store.slug}`);
  const direction = (one: Locator) => one.evaluate((element) => getComputedStyle(element).direction);
  expect(await direction(page.getByRole("heading", { level: 1, name }))).toBe("rtl");
});

it("a name to be typed stands in the font of names, from its own side", async () => {
  const { id, owner } = await makeConsumer(database);
  const key = await issueKey(database, id, { name: "مفتاح 24" });
  const page = await openAs(owner);
  await page.goto(`/console/keys?dialog=revoke&id=${key.id}`);
  const name = page.getByRole("dialog").locator("label strong");
  const look = (one: Locator) =>
    one.evaluate((element) => [getComputedStyle(element).direction, getComputedStyle(element).fontFamily]);
  const [, font] = await look(page.getByRole("dialog"));
  expect(await look(name)).toEqual(["rtl", font]);
});

it("a store's id stands in one piece where there is room, and a platform's name is whole where it is chosen", async () => {
  const name = "Trail Guide of the Western Isles";
  const { owner } = await makeConsumer(database, { name, state: "production" });
  const other = await makeConsumer(database, { name: `${name}, for operators of huts`, state: "production" });
  await database.db.insert(members).values({ consumerId: other.id, accountId: owner.id, role: "owner" });
  await makeStore(database, { categories: ["Camping and hiking", "Tableware and kitchen", "Lighting and lamps"] });
  const page = await openAs(owner);
  await at(page, 1440);
  await page.goto("/console/coverage");
  const id = page.getByRole("table").locator("code").first();
  expect(await id.evaluate((one) => one.getClientRects().length)).toBe(1);
  await page.locator("summary", { hasText: "Switch to another platform" }).click();
  const choices = page.locator("button[name=consumerId] > [dir=auto]");
  const cut = await choices.evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).length);
  expect([await choices.count(), cut]).toEqual([2, 0]);
});

it("a name that is written from right to left begins at the right in lists to choose from, and in fields", async () => {
  const name = "متجر الأدوات المنزلية والرحلات الخارجية الكبير في المدينة";
  const store = await makeStore(database, { name });
  const { merchantId } = await makeStore(database, { name: "Tarn and Timber", merchant: { id: store.merchantId } });
  const { accountId } = await makeMerchant(database, merchantId);
  const merchant = await openAs({ id: accountId });
  await merchant.goto(`/merchant/agents?store=${store.slug}`);
  const chosen = merchant.getByLabel("Store").locator("option:checked");
  const direction = (one: Locator) => one.evaluate((element) => getComputedStyle(element).direction);
  expect([await chosen.textContent(), await direction(chosen)]).toEqual([name, "rtl"]);
  // Latin names in the same list stay as they are.
  expect(await direction(merchant.getByLabel("Store").locator("option", { hasText: "Tarn and Timber" }))).toBe("ltr");
  expect(await merchant.getByLabel("Store").evaluate((one) => getComputedStyle(one).textOverflow)).toBe("ellipsis");

  const operator = await openAs(await makeAccount(database, { isOperator: true }));
  await operator.goto(`/admin/merchants/${merchantId}/stores/${store.id}`);
  expect(await direction(operator.getByLabel("Name", { exact: true }))).toBe("rtl");
  expect(await direction(operator.getByLabel("Legal name"))).toBe("ltr");
  await operator.getByLabel("Description").fill(`Everything for a walk.\n${name}`);
  expect(await operator.getByLabel("Description").evaluate((one) => getComputedStyle(one).unicodeBidi)).toBe(
    "plaintext",
  );
});

it("a name without a break widens no page, nor does it in the words beside Previous and Next", async () => {
  const operator = await openAs(await makeAccount(database, { isOperator: true }));
  const name = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft";
  await database.db
    .insert(merchants)
    .values(Array.from({ length: 60 }, (_, i) => ({ name: i === 0 ? `A${name}` : `B ${i}` })));
  await operator.goto("/admin/merchants");
  await operator.getByText(`A${name} to `).waitFor();
  for (const width of [1024, 768, 390, 360]) {
    await at(operator, width);
    expect(await operator.evaluate("document.documentElement.scrollWidth"), `at ${width}`).toBeLessThanOrEqual(width);
  }
});

it("an address in the terms is read whole on a phone, wherever they stand", async () => {
  const operator = await makeAccount(database, { isOperator: true });
  const version = "2031-01-01";
  const address = `https://www.shop.example/${"legalandprivacy".repeat(5)}`;
  const body = `# Terms\n\nAs it stands at ${address}.\n\n- Or at [${address}](${address})`;
  await newTerms(database, { version, body });
  const [reader, newcomer] = [await openAs(operator), await openAs(await makeAccount(database))];
  for (const [page, path] of [
    [reader, "/terms"],
    [reader, `/admin/terms/${version}`],
    [newcomer, "/apply"],
  ] as const) {
    await at(page, 390);
    await page.goto(path);
    const lines = page.locator("main :is(p, .list-outside > li)").filter({ hasText: address });
    const isWhole = (all: Element[]) => all.map(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth);
    // An operator reads the changes, too.
    expect(await lines.evaluateAll(isWhole), path).toEqual(Array(path.startsWith("/admin") ? 4 : 2).fill(true));
  }
});

it("a search with a box to tick has a line of its own on a phone, so that its words are read whole", async () => {
  const { slug, merchantId } = await makeStore(database);
  const { accountId } = await makeMerchant(database, merchantId);
  const page = await openAs({ id: accountId });
  await page.goto(`/merchant/stores/${slug}/products`);
  await at(page, 390);
  const width = (one: Locator) => one.evaluate((element) => element.getBoundingClientRect().width);
  expect(await width(page.getByRole("searchbox"))).toBeCloseTo(await width(page.getByRole("search")), 0);
});

it("a row of a load's report says that its number is a line's wherever the table's head is folded away", async () => {
  const store = await makeStore(database);
  const merchant = await makeMerchant(database, store.merchantId);
  const { loadId } = await loadFeed(database, store.id, tsv([{ id: "1", price: "free" }, { id: "2" }, { id: "3" }]));
  const page = await openAs({ id: merchant.accountId });
  await page.goto(`/merchant/catalogue/${store.id}/loads/${loadId}`);
  const row = page.getByRole("table").getByRole("row").nth(1);
  for (const [width, first] of [
    [1440, "2"],
    [768, "Line 2"],
    [390, "Line 2"],
  ] as const) {
    await at(page, width);
    expect((await row.getByRole("rowheader").innerText()).trim(), `at ${width}`).toBe(first);
  }
  await at(page, 1440);
  expect((await row.getByRole("rowheader").boundingBox())!.width, "a number needs no room of a name").toBeLessThan(80);
});

it("in a table numbers are as wide as each other, and words have the hyphen of all other words", async () => {
  const { id, owner } = await makeConsumer(database);
  const key = await issueKey(database, id, { name: "eu-west" });
  const page = await openAs(owner);
  const widthIn = (one: Locator, [from, to]: [number, number]) =>
    one.evaluate(
      (element, [start, end]) => {
        const text = document.createRange();
        text.setStart(element.firstChild!, start);
        text.setEnd(element.firstChild!, end);
        return text.getBoundingClientRect().width / Number.parseFloat(getComputedStyle(element).fontSize);
      },
      [from, to] as const,
    );
  const hyphenIn = (one: Locator) => widthIn(one, ["eu".length, "eu-".length]);
  await visit(page, `/console/keys?dialog=revoke&id=${key.id}`);
  const name = (one: Locator) => one.getByText("eu-west", { exact: true }).first();
  const [inTable, inDialog] = [
    await hyphenIn(name(page.locator("table"))),
    await hyphenIn(name(page.getByRole("dialog"))),
  ];
  expect(inTable).toBeCloseTo(inDialog, 2);

  await callTool(server.url, key.value, "list_stores", {});
  await visit(page, "/console/usage");
  const figure = page.getByRole("region", { name: "Usage by tools and methods" }).locator("td.text-right").first();
  const widths: number[] = [];
  for (const digits of ["111", "888"]) {
    await figure.evaluate((one, digits) => {
      one.textContent = digits;
    }, digits);
    widths.push(await widthIn(figure, [0, digits.length]));
  }
  expect(widths[0]).toBe(widths[1]);
});

it("what a platform sees of a store has its prices below each other, however long the names", async () => {
  const store = await makeStore(database);
  const merchant = await makeMerchant(database, store.merchantId);
  const { slug } = await makeConsumer(database, { state: "production" });
  const long =
    "A shelf for the bathroom with three drawers and a door, of bamboo, to stand on the floor or to hang on a wall";
  await loadFeed(
    database,
    store.id,
    tsv([
      { id: "1", title: "Shelf" },
      { id: "2", title: `${long}, in white` },
    ]),
  );
  const page = await openAs({ id: merchant.accountId });
  await at(page, 1024);
  await visit(page, `/merchant/agents/${slug}?store=${store.slug}`);
  const prices = page.locator("li > span:last-child").filter({ hasText: "in stock" });
  const ends = await prices.evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().right)));
  expect([ends.length, new Set(ends).size]).toEqual([2, 1]);
});

it("on a phone the list of stores is as wide as the line that it stands on, whatever the names", async () => {
  const store = await makeStore(database, { name: "Outlet for last season's rucksacks, tents and stoves" });
  await makeStore(database, { name: "Ropes", merchant: { id: store.merchantId } });
  const { slug } = await makeConsumer(database, { state: "production" });
  const { accountId } = await makeMerchant(database, store.merchantId);
  const page = await openAs({ id: accountId });
  await at(page, 390);
  const edges = (one: Locator) => one.evaluate((element) => element.getBoundingClientRect().toJSON());
  for (const path of ["/merchant/agents", `/merchant/agents/${slug}`]) {
    await page.goto(`${path}?store=${store.slug}`);
    // The longest name would fill the line by itself.
    if (!path.endsWith(slug))
      await page.locator(`option[value="${store.slug}"]`).evaluate((one) => {
        one.textContent = "Tents";
      });
    const list = await edges(page.getByRole("combobox", { name: "Store" }));
    const beside = path.endsWith(slug) ? await edges(page.getByRole("link", { name: /^Block: / })) : undefined;
    expect([list.left, beside?.right ?? list.right].map(Math.round), path).toEqual([16, 390 - 16]);
  }
});

it("on a phone a time among the figures stands on one line, and so does a number to call", async () => {
  const store = await makeStore(database, { contact_point: { email: "desk@rope.example", phone: "+44 114 496 0187" } });
  const { slug } = await makeConsumer(database, { state: "production" });
  const { accountId } = await makeMerchant(database, store.merchantId);
  const page = await openAs({ id: accountId });
  await at(page, 390);
  const lines = (one: Locator) =>
    one.evaluate((element) => {
      const text = document.createRange();
      text.selectNodeContents(element);
      return new Set([...text.getClientRects()].map(({ top }) => top)).size;
    });
  await page.goto(`/merchant/agents/${slug}?store=${store.slug}`);
  const time = page.locator("dl time").first();
  await time.evaluate((one) => {
    one.textContent = "44 minutes ago";
  });
  expect(await lines(time)).toBe(1);
  await page.goto(`/merchant/stores/${store.slug}`);
  expect(await lines(page.getByText(/^\+44 114 496 0187$/))).toBe(1);
});

it("on a phone what a product costs on sale and what it costs otherwise stand on one line, in a table below each other", async () => {
  const store = await makeStore(database);
  const { accountId } = await makeMerchant(database, store.merchantId);
  await loadFeed(database, store.id, tsv([{ id: "tent", price: "1389.00 EUR", sale_price: "999.00 EUR" }]));
  const page = await openAs({ id: accountId });
  await page.goto(`/merchant/stores/${store.slug}/products`);
  const sale = page.getByText("€999.00");
  const bottomOf = (one: Locator) =>
    one.evaluate((element) => {
      const words = document.createRange();
      words.selectNodeContents(element.firstChild!);
      return words.getBoundingClientRect().bottom;
    });
  const beside = async () => Math.abs((await bottomOf(sale)) - (await bottomOf(sale.locator("s")))) < 4;
  for (const [width, isBeside] of [
    [1440, false],
    [390, true],
  ] as const) {
    await at(page, width);
    expect(await beside(), `at ${width}`).toBe(isBeside);
  }
});

it("on a phone each tool of the documentation has its scope beside its name", async () => {
  const page = await openAs(await makeAccount(database));
  await at(page, 390);
  await page.goto("/docs");
  const middles = (one: Locator) =>
    one.locator("code").evaluateAll((all) =>
      all.map((code) => {
        const { top, bottom } = code.getBoundingClientRect();
        return (top + bottom) / 2;
      }),
    );
  for (const { name } of tools) {
    const [its, scopes] = await middles(page.locator(`main li a[href$="/${name}"]`));
    expect(Math.abs(its! - scopes!), name).toBeLessThan(4);
  }
});

it("a moment stands after the name before it, also where that is written from right to left", async () => {
  const store = await makeStore(database);
  const actor = await makeMerchant(database, store.merchantId);
  const { accountId } = actor;
  await database.db.update(accounts).set({ name: "נעמי כהן" }).where(eq(accounts.id, accountId));
  await loadFeed(database, store.id, tsv([{ id: "1" }]), { actor });
  await database.sql`update feed_loads set finished_at = now() - interval '2 hours' where store_id = ${store.id}`;
  const page = await openAs({ id: accountId });
  await page.goto(`/merchant/catalogue/${store.id}`);
  const origin = page
    .getByText("נעמי כהן")
    .filter({ has: page.locator("time") })
    .first();
  // The digits of "2 minutes ago" would come before the name that they stand behind.
  const [nameEnds, timeBegins] = await origin.evaluate((one) => {
    const time = one.querySelector("time")!;
    const range = document.createRange();
    range.setStart(one, 0);
    range.setEndBefore(time);
    return [range.getBoundingClientRect().right, time.getBoundingClientRect().left];
  });
  expect(timeBegins).toBeGreaterThanOrEqual(nameEnds);
});
