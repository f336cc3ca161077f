// The merchant's pages in real Chromium: what moves when something is done, and names of any length.
import type { Locator, Page } from "playwright-core";
import { expect, it } from "vitest";
import { merchantMembers } from "../../db/schema/merchants";
import * as invitations from "../../server/services/invitations";
import * as loyalty from "../../server/services/loyalty";
import * as policies from "../../server/services/policies";
import * as promotions from "../../server/services/promotions";
import { testBrowser, visit } from "../support/browser";
import { issueKey } from "../support/clients";
import { testDatabase } from "../support/database";
import { makeAccount, makeConsumer, makeMerchant, makeStore } from "../support/factories";
import { loadRows } from "../support/feed";
import { tsv } from "../support/feeds/load";
import { testServer } from "../support/server";
import { messages } from "./told";

const database = testDatabase();
const server = testServer(database, { NODE_ENV: "local" });
const browser = testBrowser(server, database);
const { openAs } = browser;

it("what is wrong with all tiers of a programme is brought into view, and focus with it", async () => {
  const store = await makeStore(database);
  const { accountId } = await makeMerchant(database, store.merchantId);
  const page = await openAs({ id: accountId });
  await page.setViewportSize({ width: 1440, height: 500 });
  await visit(page, `/merchant/stores/${store.slug}/loyalty?dialog=program`);
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name", { exact: true }).fill("Summit");
  await dialog.getByLabel("What members get").fill("Points for each purchase.");
  await dialog.getByLabel("Terms").fill("https://shop.example/terms");
  await dialog.getByRole("textbox", { name: "Tier 1" }).fill("Base");
  await dialog.getByLabel("From points").first().fill("10");
  await dialog.getByLabel("Points multiplier").first().fill("1");
  await dialog.getByRole("button", { name: "Save" }).click();
  const why = dialog.getByText("One tier must begin at 0 points");
  await why.waitFor();
  await page.locator("[data-refused]:focus").filter({ hasText: "One tier" }).waitFor();
  const { y, height } = (await why.boundingBox())!;
  expect([y >= 0, y + height <= 500]).toEqual([true, true]);
});

it("a product is excluded and included again where it stands: nothing moves, and each is told", async () => {
  const store = await makeStore(database);
  const { accountId } = await makeMerchant(database, store.merchantId);
  await loadRows(
    database,
    store.id,
    ["mug", "pot", "pan"].map((id) => ({ id, title: `A ${id}` })),
  );
  const page = await openAs({ id: accountId });
  await page.goto(`/merchant/stores/${store.slug}/products`);
  const places = () => page.getByRole("row").evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().top));
  const before = await places();
  await page.getByRole("button", { name: "Exclude A mug" }).click();
  // What is told goes by itself after six seconds, but not from under a pointer.
  await messages(page, "The product is excluded").hover();
  expect(await places()).toEqual(before);
  const again = page.getByRole("button", { name: "Include A mug" });
  expect(await again.evaluate((button) => button === document.activeElement)).toBe(true);
  await page.getByRole("button", { name: "Exclude A pot" }).press("Enter");
  await expect.poll(() => messages(page, "The product is excluded").count()).toBe(2);
  await again.click();
  await messages(page, "The product is included again").waitFor();
  expect(await places()).toEqual(before);
});

it("a second tap on Remove, before anybody can have read what it asks, removes nothing; a later one does", async () => {
  const store = await makeStore(database);
  const { accountId } = await makeMerchant(database, store.merchantId);
  await policies.replace(database.as({ kind: "system" }), {
    storeId: store.id,
    policies: Array.from({ length: 6 }, (_, i) => ({
      policy_type: "returns",
      question: `How ${i}?`,
      answer: "As ever.",
      updated_at: new Date(),
    })),
  });
  const page = await browser.openAs({ id: accountId }, { viewport: { width: 390, height: 800 }, hasTouch: true });
  await visit(page, `/merchant/stores/${store.slug}/policies`);
  const remove = page
    .getByRole("main")
    .getByRole("link", { name: /^Remove/ })
    .nth(2);
  const confirm = page.getByRole("dialog").getByRole("button", { name: "Remove" });
  const middle = async (of: Locator) => {
    const { x, y, width, height } = (await of.boundingBox())!;
    return { x: x + width / 2, y: y + height / 2 };
  };
  await remove.click();
  const { y } = await middle(confirm);
  await page.keyboard.press("Escape");
  await confirm.waitFor({ state: "detached" });
  await page.evaluate((by) => window.scrollBy(0, by), (await middle(remove)).y - y);
  const at = await middle(remove);
  await page.touchscreen.tap(at.x, at.y);
  await confirm.waitFor();
  await page.touchscreen.tap(at.x, at.y);
  await page.waitForTimeout(600);
  expect(await confirm.isVisible()).toBe(true);
  await page.touchscreen.tap(at.x, at.y);
  await messages(page, "removed").waitFor();
  expect(
    await page
      .getByRole("main")
      .getByRole("link", { name: /^Remove/ })
      .count(),
  ).toBe(5);
});

it("a name of any length stays in its place, on every width", async () => {
  const name = `${"Ridgewaterhouse".repeat(6)} and`;
  const slug = `s-${"long".repeat(15)}`;
  const store = await makeStore(database, { slug, name, merchant: { name } });
  await promotions.replace(database.as({ kind: "system" }), {
    storeId: store.id,
    promotions: [
      {
        promotion_id: "i".repeat(50),
        long_title: name,
        offer_type: "generic_code",
        generic_redemption_code: "C".repeat(50),
        percent_off: 10,
        free_shipping: false,
        product_applicability: "all_products",
        promotion_effective_dates: { start: new Date("2026-01-01"), end: new Date("2099-01-01") },
        redemption_channel: ["online"],
        stackable: false,
      },
    ],
  });
  const program = { name, description: name, terms_url: "https://shop.example/terms", primary: true };
  const tier = { name, threshold_points: 0, perks: [name], multiplier: 1 };
  const rule = { basis: name, points_per_unit: 1, product_type: [name], bonus_points: 0 };
  await loyalty.replace(database.as({ kind: "system" }), {
    storeId: store.id,
    programs: [{ ...program, tiers: [tier], earning_rules: [rule] }],
  });
  await loadRows(database, store.id, [{ id: "long".repeat(12), title: name, brand: name.slice(0, 70) }]);
  const consumer = await makeConsumer(database, { name, state: "production" });
  const key = await issueKey(database, consumer.id, { name });
  const email = `${"a-very-long-name".repeat(3)}@${"ridgewaterhouse".repeat(3)}.example`;
  const operator = await makeAccount(database, { isOperator: true });
  await invitations.send(database.as({ kind: "operator", accountId: operator.id }), {
    merchantId: store.merchantId,
    email,
  });
  const merchant = await makeMerchant(database, store.merchantId);
  const other = await makeStore(database);
  await database.db.insert(merchantMembers).values({ merchantId: other.merchantId, accountId: merchant.accountId });
  await database.sql`
    insert into feed_loads (id, store_id, source, file_name, format, outcome, refusal, requested_at, finished_at, rows, loaded, rejected, vanished)
    values ('ffffffff-0000-7000-8000-000000000000', ${store.id}, 'upload', ${"f".repeat(200)}, 'tsv', 'refused', ${name}, now(), now(), 0, 0, 0, 0)`;
  const shop = `/merchant/stores/${store.slug}`;
  const agent = `/merchant/agents/${consumer.slug}?store=${store.slug}`;
  const visits = [
    [await openAs(consumer.owner), ["/console", "/console/keys", `/console/keys?dialog=revoke&id=${key.id}`]],
    [
      await openAs({ id: merchant.accountId }),
      [
        ...["/merchant", `/merchant?dialog=discovery-off&id=${store.slug}`, shop],
        ...["products", "promotions", "loyalty"].map((view) => `${shop}/${view}`),
        `/merchant/agents?${new URLSearchParams({ store: store.slug, q: "nobody".repeat(16) })}`,
        ...[`/merchant/agents?store=${store.slug}`, agent, `${agent}&dialog=block`, `/merchant/catalogue/${store.id}`],
      ],
    ],
    [await openAs(await makeAccount(database, { email })), ["/invitation"]],
    [
      await openAs(operator),
      [
        ...["/admin/merchants", `/admin/merchants/${store.merchantId}`, `/admin/merchants/${other.merchantId}`],
        ...[`/admin/merchants/${store.merchantId}/stores/${store.id}`, "/admin/consumers"],
      ],
    ],
  ] as const;
  for (const [page, paths] of visits) {
    for (const path of paths) {
      await page.goto(path);
      for (const width of [1440, 1024, 768, 390]) {
        await page.setViewportSize({ width, height: 900 });
        expect(await outside(page), `${path} at ${width}`).toEqual([]);
      }
    }
  }
});

it("words that are written from right to left are laid out so, wherever a merchant's words stand", async () => {
  const words = "خيمة Skarn لشخصين";
  const store = await makeStore(database, { name: words, description: words });
  const { accountId } = await makeMerchant(database, store.merchantId);
  await loadRows(database, store.id, [
    { id: "tent", title: words, brand: words },
    { id: "tents", title: words, brand: words },
  ]);
  const consumer = await makeConsumer(database, { state: "production" });
  const page = await openAs({ id: accountId });
  const shop = `/merchant/stores/${store.slug}`;
  for (const path of [`${shop}/products`, shop, `/merchant/agents/${consumer.slug}?store=${store.slug}`]) {
    await visit(page, path);
    const panels = page.locator("[data-tabs] label").filter({ hasText: /^(Products|Store)$/ });
    for (const panel of [null, ...(await panels.all())]) {
      await panel?.click();
      expect(await backToFront(page, words), `${path} ${await panel?.innerText()}`).toEqual([]);
    }
  }
});

/** Where a text of a table, a list or of facts has its first word left of "Skarn". @returns the elements */
const backToFront = (page: Page, words: string) =>
  page.evaluate((words) => {
    const found: string[] = [];
    let seen = 0;
    for (const place of document.querySelectorAll("main :is(.cell, dd, li)")) {
      const texts = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
      for (let text = texts.nextNode(); text; text = texts.nextNode()) {
        const at = text.nodeValue!.indexOf(words);
        if (at < 0) continue;
        const leftOf = (word: string) => {
          const range = document.createRange();
          range.setStart(text!, at + words.indexOf(word));
          range.setEnd(text!, at + words.indexOf(word) + word.length);
          return range.getBoundingClientRect();
        };
        const [first, name] = [leftOf(words.split(" ")[0]!), leftOf("Skarn")];
        if (first.width === 0) continue;
        seen++;
        if (first.top === name.top && first.left < name.left) found.push(place.outerHTML.slice(0, 200));
      }
    }
    return seen > 0 ? found : ["nothing of it is on the page"];
  }, words);

it("a message with a name of any length keeps its button in the window", async () => {
  const store = await makeStore(database);
  const { accountId } = await makeMerchant(database, store.merchantId);
  const page = await openAs({ id: accountId });
  for (const [width, list] of [
    [1440, "comes"],
    [390, "comes"],
    [390, "does not come"],
  ] as const) {
    if (list === "does not come") await page.route("**/toast-list-*", (route) => route.abort());
    await page.setViewportSize({ width, height: 900 });
    await visit(page, `/merchant/catalogue/${store.id}`);
    const name = `${"f".repeat(196)}.tsv`;
    const buffer = Buffer.from(tsv([{ id: "1" }]));
    await page.getByLabel("Product feed").setInputFiles({ name, mimeType: "text/plain", buffer });
    await page.getByRole("button", { name: "Upload" }).click();
    const message = page.getByRole("listitem").or(page.getByRole("status")).filter({ hasText: "is loaded" }).first();
    // It stays while it is pointed at.
    await message.hover();
    const dismiss = message.getByRole("button", { name: "Dismiss" });
    const { x, width: wide } = (await dismiss.boundingBox())!;
    expect([x >= 0, x + wide <= width], `${width}, ${list}`).toEqual([true, true]);
    expect(await message.evaluate((one) => one.scrollWidth <= one.clientWidth + 1)).toBe(true);
    await dismiss.click();
    await message.waitFor({ state: "detached" });
  }
});

/** What is wider than the room that it has: the page, a dialog, a card, a list that stands in one. */
const outside = (page: Page) =>
  page.evaluate<string[]>(`
    [document.documentElement, ...document.querySelectorAll("main, dialog, main section, main section section, main dl, main [role=alert], main [role=status]")]
      .filter((one) => one.scrollWidth > one.clientWidth + 1)
      .map((one) => one.tagName + " " + one.textContent.slice(0, 60) + " " + one.scrollWidth + " > " + one.clientWidth)`);
