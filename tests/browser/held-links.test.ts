// A link, or another form, that is pressed while a form is being sent: that one is answered first, and then the link is followed, or the form sent.
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import * as consumers from "../../server/services/consumers";
import { codeAt } from "../support/authenticator";
import { hold, setUpApp, testBrowser, visit } from "../support/browser";
import { testDatabase } from "../support/database";
import { makeAccount, makeConsumer, makeMerchant, makeStore } from "../support/factories";
import { loadRows, makeStoreWith } from "../support/feed";
import { tsv } from "../support/feeds/load";
import { makeAccountWithPassword, newEmail, PASSWORD } from "../support/people";
import { testServer } from "../support/server";

const database = testDatabase();
const server = testServer(database);
const { openAs } = testBrowser(server, database);

const menu = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Main" }).getByRole("link", { name, exact: true });
const shown = (page: Page) => page.evaluate(() => window.location.pathname);

it.each([
  ["another page", "Keys", "/console/keys"],
  ["a page of its own document", "Playground", "/console/playground"],
])("a save is made though a link to %s is pressed meanwhile, which is followed afterwards", async (_, name, to) => {
  const { id, owner } = await makeConsumer(database, { state: "under_review" });
  const page = await openAs(owner);
  await visit(page, "/console/application");
  const { arrived, release } = await hold(page, "POST");
  await page.getByLabel("Company").fill("Harbour");
  await page.getByRole("button", { name: "Save changes" }).click();
  await arrived;
  await menu(page, name).click({ noWaitAfter: true });
  release();
  await page.waitForURL((url) => url.pathname === to);
  const saved = await database.sql`select company from applications where consumer_id = ${id}`;
  expect(saved).toEqual([{ company: "Harbour" }]);
});

it("a file is taken though a link is pressed while it is sent", async () => {
  const store = await makeStore(database);
  const { accountId } = await makeMerchant(database, store.merchantId);
  const page = await openAs({ id: accountId });
  await visit(page, `/merchant/catalogue/${store.id}`);
  const { arrived, release } = await hold(page, "POST");
  const buffer = Buffer.from(tsv([{ id: "1" }]));
  await page.getByLabel("Product feed").setInputFiles({ name: "feed.tsv", mimeType: "text/plain", buffer });
  await page.getByRole("button", { name: "Upload" }).click();
  await arrived;
  await menu(page, "Notifications").click({ noWaitAfter: true });
  release();
  await page.waitForURL("**/merchant/notifications");
  expect(await database.sql`select 1 from feed_loads where store_id = ${store.id}`).toHaveLength(1);
});

it("a product is excluded though a search is made meanwhile, which is answered afterwards", async () => {
  const store = await makeStore(database);
  const { accountId } = await makeMerchant(database, store.merchantId);
  await loadRows(database, store.id, [{ id: "1", title: "Lamp" }]);
  const page = await openAs({ id: accountId });
  await visit(page, `/merchant/stores/${store.slug}/products`);
  const { arrived, release } = await hold(page, "POST");
  await page.getByRole("button", { name: "Exclude Lamp, 1" }).click();
  await arrived;
  await page.getByRole("searchbox").fill("lamp");
  await page.getByRole("searchbox").press("Enter", { noWaitAfter: true });
  release();
  await page.waitForURL((url) => url.searchParams.get("q") === "lamp");
  await page.getByRole("button", { name: "Include Lamp, 1" }).waitFor();
});

it("a save that is refused keeps its page and what was typed, and says why, though a link was pressed meanwhile", async () => {
  const { owner } = await makeConsumer(database, { state: "under_review" });
  const page = await openAs(owner);
  await visit(page, "/console/application");
  const { arrived, release } = await hold(page, "POST");
  await page.getByLabel("Company").fill("Harbour");
  await page.getByLabel("Website").fill("nonsense here");
  await page.getByRole("button", { name: "Save changes" }).click();
  await arrived;
  await menu(page, "Keys").click({ noWaitAfter: true });
  release();
  await page.locator("[aria-invalid=true]").first().waitFor();
  await page.waitForLoadState("networkidle");
  expect(await shown(page)).toBe("/console/application");
  expect(await page.getByLabel("Company").inputValue()).toBe("Harbour");
  // The press is spent: what is saved next leads nowhere else.
  await page.getByLabel("Website").fill("https://harbour.example");
  await page.getByRole("button", { name: "Save changes" }).click();
  await page.getByRole("listitem").filter({ hasText: "Saved" }).waitFor();
  await page.waitForLoadState("networkidle");
  expect(await shown(page)).toBe("/console/application");
});

it("a save that reaches no server keeps its page too", async () => {
  const { owner } = await makeConsumer(database, { state: "under_review" });
  const page = await openAs(owner);
  await visit(page, "/console/application");
  const { arrived, release } = await hold(page, "POST");
  await page.getByLabel("Company").fill("Harbour");
  await page.getByRole("button", { name: "Save changes" }).click();
  await arrived;
  // With the code of the other page: else that is what is not reached.
  await menu(page, "Keys").hover();
  await page.waitForFunction(() => "routes/console.keys" in Reflect.get(window, "__remixRouteModules"));
  await menu(page, "Keys").click({ noWaitAfter: true });
  await page.context().setOffline(true);
  release();
  await page.getByRole("alert").filter({ hasText: "The server could not be reached" }).waitFor();
  await page.context().setOffline(false);
  expect(await shown(page)).toBe("/console/application");
  expect(await page.getByLabel("Company").inputValue()).toBe("Harbour");
});

/** A merchant of two stores lets a platform in again, which is held, and chooses the other store meanwhile. */
async function chooseWhileUnblocking() {
  const store = await makeStore(database);
  const other = await makeStore(database, { merchant: { id: store.merchantId } });
  const { id: blocked } = await makeConsumer(database, { state: "production" });
  await database.sql`insert into blocks (consumer_id, store_id) values (${blocked}, ${store.id})`;
  const { accountId } = await makeMerchant(database, store.merchantId);
  const page = await openAs({ id: accountId });
  await visit(page, `/merchant/agents?store=${store.slug}&show=blocked`);
  const { arrived, release } = await hold(page, "POST");
  await page.getByRole("button", { name: /^Unblock/ }).click();
  await arrived;
  const choice = page.getByLabel("Store", { exact: true });
  await choice.selectOption(other.slug, { noWaitAfter: true });
  return { store, other, blocked, page, choice, release };
}

it("a platform is let in again though another store is chosen meanwhile, which is shown afterwards", async () => {
  const { other, blocked, page, release } = await chooseWhileUnblocking();
  const answered = page.waitForResponse((response) => response.request().method() === "POST");
  release();
  await page.waitForURL((url) => url.searchParams.get("store") === other.slug);
  expect((await answered).ok()).toBe(true);
  expect(await database.sql`select 1 from blocks where consumer_id = ${blocked}`).toEqual([]);
});

it("another store that is chosen while a decision reaches no server is not shown, nor named as the one on show", async () => {
  const { store, choice, page, release } = await chooseWhileUnblocking();
  await page.context().setOffline(true);
  release();
  await page.getByRole("alert").filter({ hasText: "The server could not be reached" }).waitFor();
  await page.context().setOffline(false);
  await expect.poll(() => choice.inputValue()).toBe(store.slug);
  expect(new URL(page.url()).searchParams.get("store")).toBe(store.slug);
});

it("what is shown once is shown, though a link was pressed before it came", async () => {
  const page = await openAs(await makeAccountWithPassword(database));
  await visit(page, "/account/two-factor");
  await page.getByRole("textbox", { name: "Code" }).fill(codeAt(await setUpApp(page)));
  const { arrived, release } = await hold(page, "POST");
  await page.getByRole("button", { name: "Turn it on" }).click();
  await arrived;
  await page.getByRole("link", { name: "Sessions" }).first().click({ noWaitAfter: true });
  release();
  await page
    .getByText(/\b[a-z2-7]{4}(-[a-z2-7]{4}){3}\b/)
    .first()
    .waitFor();
  expect(await shown(page)).toBe("/account/two-factor");
});

it("what a refusal offers is followed at once, though its page is still being loaded anew", async () => {
  const { slug } = await makeConsumer(database, { state: "production_requested" });
  const page = await openAs(await makeAccount(database, { isOperator: true }));
  await visit(page, `/admin/review/${slug}`);
  const ctx = database.as({
    kind: "operator",
    accountId: (await makeAccount(database, { isOperator: true })).id,
  } as const);
  await consumers.change(ctx, { slug, set: { maxKeys: 4 } });
  const { release } = await hold(page, "GET", /\.data/);
  await page.getByRole("button", { name: "Approve for production" }).click();
  const refresh = page.getByRole("link", { name: "Refresh" });
  await refresh.press("Enter");
  release();
  await refresh.waitFor({ state: "detached" });
});

it.each([
  ["its button", (page: Page) => page.getByRole("button", { name: "Send a link" }).click({ noWaitAfter: true })],
  ["Enter", (page: Page) => page.getByLabel("New address").press("Enter", { noWaitAfter: true })],
])("a second form that is sent meanwhile, by %s, waits for the first: both are saved", async (_, send) => {
  const account = await makeAccountWithPassword(database);
  const page = await openAs(account);
  await visit(page, "/account");
  const { arrived, release } = await hold(page, "POST");
  await page.getByLabel("Your name").fill("Ada Lake");
  await page.getByLabel("New address").fill(newEmail());
  await page.getByLabel("Current password").fill(PASSWORD);
  await page.getByRole("button", { name: "Save name" }).click();
  await arrived;
  await send(page);
  await page.getByRole("button", { name: "Send a link" }).and(page.locator("[aria-disabled]")).waitFor();
  release();
  await page.getByText("Not confirmed").waitFor();
  expect(await database.sql`select name from accounts where id = ${account.id}`).toEqual([{ name: "Ada Lake" }]);
});

it("a second form stays to be sent, as it was filled in, where the first was refused", async () => {
  const page = await openAs(await makeAccountWithPassword(database));
  await visit(page, "/account");
  const { arrived, release } = await hold(page, "POST");
  const [address, email] = [page.getByLabel("New address"), newEmail()];
  await page.getByLabel("Your name").fill("");
  await address.fill(email);
  await page.getByLabel("Current password").fill(PASSWORD);
  await page.getByRole("button", { name: "Save name" }).click();
  await arrived;
  const send = page.getByRole("button", { name: "Send a link" });
  await send.click({ noWaitAfter: true });
  release();
  await page.locator("[aria-invalid=true]").first().waitFor();
  await send.and(page.locator(":not([aria-disabled])")).waitFor();
  await page.waitForLoadState("networkidle");
  expect([await address.inputValue(), await page.getByText("Not confirmed").count()]).toEqual([email, 0]);
  await send.click();
  await page.getByText("Not confirmed").waitFor();
});

it("rows of a list that are pressed one after another are all done, and then the link is followed", async () => {
  const store = await makeStoreWith(database, [{ id: "1" }, { id: "2" }, { id: "3" }]);
  const { accountId } = await makeMerchant(database, store.merchantId);
  const page = await openAs({ id: accountId });
  await visit(page, `/merchant/stores/${store.slug}/products`);
  const { arrived, release } = await hold(page, "POST");
  const [first, ...rest] = await page.getByRole("button", { name: /^Exclude / }).all();
  expect(rest).toHaveLength(2);
  await first!.click();
  await arrived;
  for (const button of rest.toReversed()) await button.click({ noWaitAfter: true });
  await menu(page, "Notifications").click({ noWaitAfter: true });
  release();
  await page.waitForURL("**/merchant/notifications");
  const excluded = await database.sql`select 1 from products where store_id = ${store.id} and excluded`;
  expect(excluded).toHaveLength(3);
});

it("a link that is pressed in the same moment as the button waits as well", async () => {
  const { id, owner } = await makeConsumer(database, { state: "under_review" });
  const page = await openAs(owner);
  await visit(page, "/console/application");
  await page.getByLabel("Company").fill("Harbour");
  const link = await menu(page, "Keys").elementHandle();
  await page.getByRole("button", { name: "Save changes" }).evaluate((button: HTMLElement, next) => {
    button.click();
    (next as HTMLElement).click();
  }, link);
  await page.waitForURL("**/console/keys");
  const saved = await database.sql`select company from applications where consumer_id = ${id}`;
  expect(saved).toEqual([{ company: "Harbour" }]);
});
