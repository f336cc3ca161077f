// What a page shows after a search, or after its list was turned, is read out by screen readers: in real Chromium.
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { testBrowser, visit } from "../support/browser";
import { testDatabase } from "../support/database";
import { makeAccount, makeConsumer, makeMerchant, makeStore } from "../support/factories";
import { testServer } from "../support/server";

const database = testDatabase();
const server = testServer(database);
const { openAs } = testBrowser(server, database);

/** From now on, whatever comes new into the region that is for screen readers. */
const listen = (page: Page) =>
  page.evaluate(() => {
    const own = window as unknown as { said: (string | null)[] };
    own.said = [];
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes)
        own.said.push(...[...addedNodes].map(({ textContent }) => textContent).filter(Boolean));
    }).observe(document.querySelector("body > [aria-live=polite]")!, { childList: true, subtree: true });
  });
const said = (page: Page) => page.evaluate<string[]>("window.said");
const expectSaid = (page: Page, words: string[]) => expect.poll(() => said(page)).toEqual(words);

it("what a search finds, or does not, is said; so is each page of a list, also in the same words; a dialog says nothing", async () => {
  await makeConsumer(database, { name: "Alder" });
  await makeConsumer(database, { name: "Birch" });
  const page = await openAs(await makeAccount(database, { isOperator: true }));
  await visit(page, "/admin/consumers");
  await listen(page);
  const search = async (words: string) => {
    await page.getByRole("searchbox").fill(words);
    await page.getByRole("searchbox").press("Enter");
  };
  await search("Alder");
  await expectSaid(page, ["Consumers: 1 row"]);
  await search("nobody");
  await expectSaid(page, ["Consumers: 1 row", "No consumers match"]);

  const many = Array.from({ length: 140 }, (_, i) => `('${crypto.randomUUID()}', 'Turned ${i}')`);
  await database.sql.unsafe(`insert into merchants (id, name) values ${many.join(",")}`);
  await visit(page, "/admin/merchants");
  await listen(page);
  await search("Turned");
  const whole = "Merchants: 50 rows";
  await expectSaid(page, [whole]);
  await page.getByRole("link", { name: "Next" }).press("Enter");
  await expectSaid(page, [whole, whole]);
  await page.getByRole("link", { name: "Next" }).press("Enter");
  await expectSaid(page, [whole, whole, "Merchants: 40 rows"]);
  await page.getByRole("link", { name: "New merchant" }).click();
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.getByRole("link", { name: "Previous" }).press("Enter");
  await expectSaid(page, [whole, whole, "Merchants: 40 rows", whole]);

  await page.route("**/*.data*", (route) => route.abort());
  await page.getByRole("link", { name: "Next" }).press("Enter");
  await page.getByRole("alert").filter({ hasText: "The server could not be reached" }).waitFor();
});

it("what comes of a search by an id is said, each time", async () => {
  const { owner } = await makeConsumer(database);
  const page = await openAs(owner);
  await visit(page, "/console/requests");
  await listen(page);
  const none = "No request matches";
  for (const words of [[none], [none, none]]) {
    await page.getByLabel("Request id").fill(crypto.randomUUID());
    await page.getByLabel("Request id").press("Enter");
    await expectSaid(page, words);
  }
});

it("what a tab shows is said", async () => {
  const store = await makeStore(database);
  const { accountId } = await makeMerchant(database, store.merchantId);
  const page = await openAs({ id: accountId });
  await visit(page, "/merchant/notifications");
  await listen(page);
  await page.getByRole("link", { name: /^Unread/ }).press("Enter");
  await expectSaid(page, ["All read"]);
});

it("what is copied twice is said twice", async () => {
  const { owner } = await makeConsumer(database);
  const page = await openAs(owner);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await visit(page, "/console");
  const button = page.getByRole("button", { name: /^Copy / }).first();
  const words = page.locator("[role=status]").getByText("Copied");
  await button.click();
  const first = await words.elementHandle();
  await button.click();
  await expect.poll(() => first!.evaluate((one) => one.isConnected)).toBe(false);
});
