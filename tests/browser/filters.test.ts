// Lists to look through, in real Chromium: whoever has looked for something goes on where they were.
import type { Locator } from "playwright-core";
import { expect, it } from "vitest";
import { hold, testBrowser, visit } from "../support/browser";
import { callTool, issueKey } from "../support/clients";
import { DEMO_TEMPLATE, testDatabase } from "../support/database";
import { makeAccount, makeConsumer, makeMerchant, makeStore } from "../support/factories";
import { loadRows } from "../support/feed";
import { testServer } from "../support/server";

const database = testDatabase(DEMO_TEMPLATE);
const server = testServer(database);
const { openAs } = testBrowser(server, database);

const hasFocus = (field: Locator) => field.evaluate((one) => one === document.activeElement);

it("who searches with Enter stays in the field, which shows the search of the page that they go back to", async () => {
  const page = await openAs(await makeAccount(database, { isOperator: true }));
  for (const [path, label] of [
    ["/admin/consumers", "Search consumers"],
    ["/admin/audit", "Person"],
    ["/admin/requests", "Consumer (slug)"],
  ] as const) {
    await visit(page, path);
    const field = page.getByLabel(label);
    for (const words of ["demo", "nobody"]) {
      await field.fill(words);
      await field.press("Enter");
      await page.waitForURL((url) => [...url.searchParams.values()].includes(words));
    }
    await page
      .getByRole("heading", { name: /^(No consumers match|Nothing found|The filter was not applied)$/ })
      .waitFor();
    expect(await hasFocus(field), path).toBe(true);
    await page.goBack();
    await expect.poll(() => field.inputValue()).toBe("demo");
    expect(await hasFocus(field), path).toBe(true);
  }
});

it("what is typed while an answer is on its way stays, and is what the next search looks for", async () => {
  const page = await openAs(await makeAccount(database, { isOperator: true }));
  await visit(page, "/admin/consumers");
  const field = page.getByLabel("Search consumers");
  const { release } = await hold(page, "GET", /\.data\?.*q=nobody/);
  await field.fill("nobody");
  await field.press("Enter");
  await field.fill("demo");
  release();
  await page.waitForURL(/q=nobody/);
  // The list of the answer is there: by now the field would have been written to.
  await page.getByRole("heading", { name: "No consumers match" }).waitFor();
  expect(await field.inputValue()).toBe("demo");
  await field.press("Enter");
  await page.waitForURL(/q=demo/);
});

it("a search goes along to another tab of access, as what is found by none may be found there", async () => {
  const store = await makeStore(database);
  const { accountId } = await makeMerchant(database, store.merchantId);
  const waiting = await makeConsumer(database, { name: "Harbour Guide", state: "production", coverage: "explicit" });
  await makeConsumer(database, { state: "production" });
  const page = await openAs({ id: accountId });
  await visit(page, `/merchant/agents?${new URLSearchParams({ store: store.slug, q: "harbour" })}`);
  await page.getByRole("heading", { name: "Nothing matches “harbour”" }).waitFor();
  await page.getByRole("navigation", { name: "Platforms by access" }).getByRole("link").last().click();
  await page.getByRole("link", { name: waiting.name }).waitFor();
  expect(await page.getByLabel("Platform or company").inputValue()).toBe("harbour");
});

it("who chooses with the keys of a list stays in it: the next store or tool is one key away", async () => {
  const [first, second] = [await makeStore(database, { name: "Alder" }), await makeStore(database, { name: "Birch" })];
  const { accountId } = await makeMerchant(database, first.merchantId);
  await database.sql`update stores set merchant_id = ${first.merchantId} where id = ${second.id}`;
  const { owner } = await makeConsumer(database);
  for (const [person, path, label, chosen] of [
    [{ id: accountId }, "/merchant/agents", "Store", second.slug],
    [owner, "/console/playground?tool=search_products", "Tool", "get_product"],
  ] as const) {
    const page = await openAs(person);
    await visit(page, path);
    const list = page.getByLabel(label, { exact: true });
    await list.focus();
    await page.keyboard.press("ArrowDown");
    await page.waitForURL((url) => [...url.searchParams.values()].includes(chosen));
    await page.waitForLoadState("networkidle");
    expect(await list.inputValue()).toBe(chosen);
    expect(await hasFocus(list), path).toBe(true);
    await page.goBack();
    await expect.poll(() => list.inputValue()).not.toBe(chosen);
  }
});

it("who goes back before what they chose was drawn sees in the list what the page is about", async () => {
  const page = await openAs((await makeConsumer(database)).owner);
  await visit(page, "/console/playground?tool=search_products");
  await page.evaluate(() => {
    const { pushState } = history;
    history.pushState = (...given) => {
      pushState.apply(history, given);
      setTimeout(() => history.back());
    };
  });
  const wentBack = page.evaluate(
    () => new Promise((done) => addEventListener("popstate", () => setTimeout(done), { once: true })),
  );
  const list = page.getByLabel("Tool", { exact: true });
  await list.press("ArrowDown");
  await wentBack;
  expect(new URL(page.url()).searchParams.get("tool")).toBe("search_products");
  await expect.poll(() => list.inputValue()).toBe("search_products");
});

it("who turns to a list's last page stays at its foot, where the way back is", async () => {
  const page = await openAs(await makeAccount(database, { isOperator: true }));
  const many = Array.from({ length: 60 }, (_, i) => `('${crypto.randomUUID()}', 'Turned ${i}')`);
  await database.sql.unsafe(`insert into merchants (id, name) values ${many.join(",")}`);
  await visit(page, "/admin/merchants?q=Turned");
  await page.getByRole("link", { name: "Next" }).press("Enter");
  await page.getByRole("button", { name: "Next" }).waitFor();
  const foot = page.getByRole("navigation", { name: "Pages" });
  await expect.poll(() => hasFocus(foot)).toBe(true);
  await page.keyboard.press("Tab");
  expect(await hasFocus(page.getByRole("link", { name: "Previous" }))).toBe(true);
});

it("who clears a search with a key has the focus at what is shown then, and not nowhere", async () => {
  const operator = await openAs(await makeAccount(database, { isOperator: true }));
  const store = await makeStore(database);
  await loadRows(database, store.id, [{ id: "mug" }]);
  const { accountId } = await makeMerchant(database, store.merchantId);
  const merchant = await openAs({ id: accountId });
  const platform = await makeConsumer(database, { state: "production" });
  const owner = await openAs(platform.owner);
  const coverage = "/console/coverage";
  const products = `/merchant/stores/${store.slug}/products`;
  const preview = `/merchant/agents/${platform.slug}?store=${store.slug}`;
  for (const [page, path, link, at] of [
    [owner, `${coverage}?q=${store.name}`, "Clear", coverage],
    [owner, `${coverage}?q=nothing`, "Clear", coverage],
    [owner, `${coverage}?view=ended&q=nothing`, "Clear", `${coverage}?view=ended`],
    [merchant, `${preview}&q=mug`, "Clear", preview],
    [operator, "/admin/requests?tool=list_stores", "Clear", "/admin/requests"],
    [operator, "/admin/consumers?state=sandbox", "Clear", "/admin/consumers"],
    [operator, `/admin/merchants?q=${store.slug}`, "Clear", "/admin/merchants"],
    [operator, "/admin/audit?person=nobody", "Show all", "/admin/audit"],
    [operator, "/admin/requests?consumer=nobody-here", "Show all", "/admin/requests"],
    [merchant, `${products}?q=nothing`, "Show all", products],
    [merchant, `${products}?excluded=on`, "Clear", products],
    [
      merchant,
      `/merchant/agents?store=${store.slug}&q=nobody`,
      "Clear",
      `/merchant/agents?store=${store.slug}&show=reading`,
    ],
  ] as const) {
    await visit(page, path);
    const goes = await page.getByRole("link", { name: link, exact: true }).first().elementHandle();
    await goes!.press("Enter");
    await expect.poll(() => goes!.evaluate((one) => one.isConnected), { message: path }).toBe(false);
    const focused = () => page.evaluate(() => document.activeElement?.tagName);
    await expect.poll(focused, { message: path }).toMatch(/^(MAIN|SECTION)$/);
    expect(page.url()).toBe(server.url + at);
  }
});

it("who goes by a link to another page is at its begin", async () => {
  const store = await makeStore(database);
  const { accountId } = await makeMerchant(database, store.merchantId);
  const page = await openAs({ id: accountId });
  await visit(page, `/merchant/stores/${store.slug}/products`);
  await page.getByRole("link", { name: "Go to the catalogue" }).press("Enter");
  await page.getByLabel("Product feed").waitFor();
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("BODY");
});

it("a chart with the pointer on its end may come to have fewer steps", async () => {
  const { id, owner } = await makeConsumer(database);
  const { value } = await issueKey(database, id);
  await callTool(server.url, value, "list_stores", {});
  const page = await openAs(owner);
  await visit(page, "/console/usage?range=24h");
  await page.getByRole("link", { name: "Last hour" }).click();
  const chart = page.getByRole("figure").filter({ hasText: "per minute" });
  const { x, y, width } = (await chart.locator("svg").boundingBox())!;
  await page.mouse.move(x + width * 0.9, y + 20);
  await chart.getByText(/\d UTC$/).waitFor();
  await page.goBack();
  const hours = page.getByRole("figure").filter({ hasText: "per hour" });
  await hours.waitFor();
  // The browser may tell the new chart, too, that the pointer rests on it.
  await page.mouse.move(0, 0);
  await hours.getByText("In total").waitFor();
});
