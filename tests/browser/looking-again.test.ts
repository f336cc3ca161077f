// Pages that look again by themselves, in real Chromium: what stands on them stays.
import type { Page } from "playwright-core";
import { v7 } from "uuid";
import { expect, it } from "vitest";
import { expectAccessible } from "../support/accessible";
import { hold, testBrowser, visit } from "../support/browser";
import { callTool, issueKey } from "../support/clients";
import { testDatabase } from "../support/database";
import { makeConsumer, makeMerchant, makeStore } from "../support/factories";
import { testServer } from "../support/server";

const database = testDatabase();
const server = testServer(database);
const browser = testBrowser(server, database);

/** The catalogue of a store whose load has begun and does not end. */
async function openCatalogue() {
  const store = await makeStore(database);
  const { accountId } = await makeMerchant(database, store.merchantId);
  await database.sql`
    insert into feed_loads (id, store_id, file_name, format, outcome, rows, loaded, rejected, vanished, lease_until)
    values (${crypto.randomUUID()}, ${store.id}, 'big.tsv', 'tsv', 'loading', 1, 0, 0, 0, now() + interval '1 day')`;
  const page = await browser.openAs({ id: accountId });
  // It looks again before a slow machine's network is idle; that it does says that its scripts run.
  await page.goto(`/merchant/catalogue/${store.id}`);
  await look(page);
  return { page, store };
}
const look = (page: Page) => page.waitForResponse((answer) => new URL(answer.url()).pathname.endsWith(".data"));

it("what is wrong with a form stays said, and what was typed stays, while the page looks again", async () => {
  const { page } = await openCatalogue();
  const address = page.getByLabel("Address", { exact: true });
  await address.fill("https://me:secret@shop.example/feed.tsv");
  await page.getByRole("button", { name: "Fetch it daily" }).click();
  const why = page.getByText("Leave out user name and password");
  await why.waitFor();
  await look(page);
  await look(page);
  expect(await why.isVisible()).toBe(true);
  expect(await address.inputValue()).toBe("https://me:secret@shop.example/feed.tsv");
});

it("while the server is away the page stays as it was, and goes on when it is back", async () => {
  const { page, store } = await openCatalogue();
  await page.getByText("1 row so far").waitFor();
  // Between two looks: one that is under way has found the server there, and is an error of its own.
  await look(page);
  await page.route("**/*", (route) => route.abort());
  await page.waitForEvent("requestfailed");
  await page.waitForEvent("requestfailed");
  expect(await page.getByText("1 row so far").isVisible()).toBe(true);
  await page.unroute("**/*");
  await database.sql`update feed_loads set rows = 1234 where store_id = ${store.id}`;
  await page.getByText("1,234 rows so far").waitFor();
});

it("the first call comes into Overview without anything changing its place", async () => {
  await makeStore(database, { is_demo: true });
  const { id, owner } = await makeConsumer(database);
  const { value } = await issueKey(database, id);
  const page = await browser.openAs(owner);
  await visit(page, "/console");
  const titles = async () =>
    (await page.locator("main h2").allInnerTexts()).filter((title) => !title.startsWith("No calls"));
  const before = await titles();
  expect(before.indexOf("Last 24 hours")).toBeGreaterThan(before.indexOf("Connect"));
  await callTool(server.url, value, "list_stores", {});
  await page.getByText("A tool answered").waitFor();
  await page.getByText("No calls in the last 24 hours").waitFor({ state: "detached" });
  expect(await titles()).toEqual(before);
  // Whoever comes again sees what goes through before how to connect.
  await visit(page, "/console");
  const after = await titles();
  expect(after.indexOf("Last 24 hours")).toBeLessThan(after.indexOf("Connect"));
});

it("what a page shows when it looks again is not read out, as what a search finds is", async () => {
  const { page } = await openCatalogue();
  await look(page);
  await look(page);
  expect(await page.locator("body > [aria-live=polite]").textContent()).toBe("");
});

it("how far a load is is not read out anew each second: what it does is", async () => {
  const { page, store } = await openCatalogue();
  await database.sql`
    with file as (
      insert into feed_files (id, store_id, file_name, bytes, digest, received_at)
      values (${crypto.randomUUID()}, ${store.id}, 'big.tsv', 200, '', now()) returning id)
    update feed_loads set file_id = file.id, bytes_read = 50 from file where store_id = ${store.id}`;
  const reading = page.getByText("Reading: 25%");
  await reading.waitFor();
  expect(await reading.locator("[aria-live]").allInnerTexts()).toEqual(["Reading"]);
  // All bytes are taken in, and rows go on being stored.
  await database.sql`
    update feed_loads set bytes_read = 200, rows = 7 where store_id = ${store.id}`;
  await page.getByText("File read: storing its rows, then switching the store over").waitFor();
  await database.sql`update feed_loads set bytes_read = 50, rows = 0 where store_id = ${store.id}`;
  await reading.waitFor();
  await page.getByRole("progressbar").waitFor();
  await expectAccessible(page, "loading");
});

it("a dialog opens and closes without asking the server; what it ends of a look comes with it", async () => {
  const store = await makeStore(database);
  const { accountId } = await makeMerchant(database, store.merchantId);
  const load = (name: string, outcome: string) => database.sql`
    with file as (
      insert into feed_files (id, store_id, file_name, bytes, digest, received_at)
      values (${crypto.randomUUID()}, ${store.id}, ${name}, 200, '', now()) returning id)
    insert into feed_loads (id, store_id, file_name, format, outcome, rows, loaded, rejected, vanished, file_id, finished_at)
    select ${v7()}, ${store.id}, ${name}, 'tsv', ${outcome}, 1, 1, 0, 0, id, now() from file`;
  await load("one.tsv", "loaded");
  await load("two.tsv", "loaded");
  const page = await browser.openAs({ id: accountId });
  await visit(page, `/merchant/catalogue/${store.id}`);
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  const undo = page.getByRole("link", { name: "Restore previous" });
  const dialog = page.getByRole("dialog");
  await undo.click();
  await dialog.waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  expect(asked).toEqual([]);

  // An answer that is on its way when the dialog is asked for, and what has become of the store meanwhile.
  const { release } = await hold(page, "GET", "**/*.data*");
  await page.getByLabel("Address", { exact: true }).fill("http://feeds.invalid/feed.tsv");
  const answered = page.waitForResponse((answer) => answer.request().method() === "POST");
  await page.getByRole("button", { name: "Fetch it daily" }).click();
  await answered;
  await load("three.tsv", "loaded");
  release();
  await undo.click();
  await dialog.getByText("two.tsv").waitFor();
});
