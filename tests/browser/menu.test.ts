// A menu stays open until whoever opened it is done with it, whatever the page does meanwhile.
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { hold, testBrowser, untilAlive, visit } from "../support/browser";
import { testDatabase } from "../support/database";
import { makeConsumer } from "../support/factories";
import { testServer } from "../support/server";

const database = testDatabase();
const server = testServer(database, { NODE_ENV: "local" });
const browser = testBrowser(server, database);

const openAsOwner = async () => {
  const { owner } = await makeConsumer(database);
  return browser.openAs(owner);
};
const theme = (page: Page) => page.locator("summary").filter({ hasText: "Theme" });
const dark = (page: Page) => page.getByRole("button", { name: "Dark", exact: true });
const account = (page: Page) => page.locator("summary").filter({ hasText: "Account of" });
const toAccount = (page: Page) => page.getByRole("link", { name: "Account and sessions" });

it("a menu that is opened while what a form has changed still loads stays open", async () => {
  const page = await openAsOwner();
  await visit(page, "/account");
  const { arrived, release } = await hold(page, "GET", ({ pathname }) => pathname.endsWith(".data"));
  await page.getByLabel("Your name").fill("Ada Moore");
  await page.getByRole("button", { name: "Save name" }).click();
  await arrived;
  await theme(page).click();
  release();
  await account(page).filter({ hasText: "Ada Moore" }).waitFor();
  await page.waitForLoadState("networkidle");
  expect(await dark(page).isVisible()).toBe(true);
});

it("a menu that is opened before the page's scripts run stays open", async () => {
  const page = await openAsOwner();
  const { arrived, release } = await hold(page, "GET", ({ pathname }) => pathname.endsWith(".js"));
  await page.goto("/account", { waitUntil: "commit" });
  await arrived;
  await theme(page).click();
  await dark(page).waitFor();
  release();
  await untilAlive(page);
  await page.waitForLoadState("networkidle");
  expect(await dark(page).isVisible()).toBe(true);
});

it("a menu is closed on another page of the same frame", async () => {
  const page = await openAsOwner();
  await visit(page, "/console");
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Keys" }).click();
  await page.waitForURL("**/console/keys");
  await page.waitForLoadState("networkidle");
  await theme(page).click();
  await dark(page).waitFor();
  await page.goBack();
  await page.waitForURL("**/console");
  await dark(page).waitFor({ state: "hidden" });
});

it("a menu is closed once a link of it was pressed, also one to the page that is open", async () => {
  const page = await openAsOwner();
  await visit(page, "/console");
  await account(page).click();
  await toAccount(page).click();
  await page.waitForURL("**/account");
  await toAccount(page).waitFor({ state: "hidden" });
  await account(page).click();
  await toAccount(page).click();
  await toAccount(page).waitFor({ state: "hidden" });
});

it("a phone's drawer closes once a link of it was pressed, also one to the page that is open", async () => {
  const page = await openAsOwner();
  await page.setViewportSize({ width: 390, height: 700 });
  await visit(page, "/console/requests?outcome=refused");
  const drawer = page.locator("#sidebar");
  await page.getByRole("button", { name: "Open the menu" }).click();
  await drawer.getByRole("link", { name: "Requests" }).click();
  await page.waitForURL(/\/console\/requests$/);
  await drawer.waitFor({ state: "hidden" });
});

it("a phone's drawer closes once the focus leaves it, rather than hide what has it", async () => {
  const page = await openAsOwner();
  await page.setViewportSize({ width: 390, height: 700 });
  await visit(page, "/console/keys");
  const drawer = page.locator("#sidebar");
  await page.getByRole("button", { name: "Open the menu" }).press("Enter");
  await drawer.getByRole("link", { name: "Docs" }).focus();
  await drawer.waitFor();
  await page.keyboard.press("Tab");
  await drawer.waitFor({ state: "hidden" });
  await page.locator("header :focus").waitFor();
});
