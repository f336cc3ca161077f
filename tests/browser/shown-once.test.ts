// What is shown once is not lost by one stray press: whoever leaves it before it was copied is asked, by every way out.
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { expectAccessible } from "../support/accessible";
import { codeAt } from "../support/authenticator";
import { setUpApp, testBrowser, visit } from "../support/browser";
import { testDatabase } from "../support/database";
import { makeConsumer } from "../support/factories";
import { makeAccountWithPassword } from "../support/people";
import type { Person } from "../support/roles";
import { testServer } from "../support/server";

const database = testDatabase();
const server = testServer(database);
const browser = testBrowser(server, database);
const openAs = async (person: Person) => {
  const page = await browser.openAs(person);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  return page;
};
const asked = (page: Page) => page.getByRole("dialog", { name: /^Leave without / });
async function stay(page: Page) {
  await asked(page).getByRole("button", { name: "Stay" }).press("Enter");
  await asked(page).waitFor({ state: "detached" });
}

const codes = (page: Page) => page.getByRole("list", { name: "Recovery codes" });
async function showCodes() {
  const page = await openAs(await makeAccountWithPassword(database));
  await visit(page, "/account");
  await menu(page, "Two-factor authentication").click();
  await page.waitForURL("**/two-factor");
  await page.getByRole("textbox", { name: "Code" }).fill(codeAt(await setUpApp(page)));
  await page.getByRole("button", { name: "Turn it on" }).click();
  await codes(page).waitFor();
  return page;
}
const menu = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Main" }).getByRole("link", { name, exact: true });

const value = (page: Page) => page.getByText(/^aisle_[0-9A-Za-z]{36}$/).first();
async function showKey() {
  const { owner } = await makeConsumer(database);
  const page = await openAs(owner);
  await visit(page, "/console");
  await menu(page, "Keys").click();
  await page.getByRole("link", { name: "Issue a key" }).first().click();
  await page.getByRole("dialog").getByLabel("Name").fill("Server");
  await page.getByRole("button", { name: "Issue key" }).click();
  await value(page).waitFor();
  return page;
}

it("recovery codes that nobody copied are left by a link, Back or the log-out only after a question", async () => {
  const page = await showCodes();
  for (const name of ["Sessions", "Two-factor authentication"]) {
    const link = menu(page, name);
    await link.press("Enter");
    await asked(page).waitFor();
    await expectAccessible(page, "asked before losing");
    await stay(page);
    expect(await link.evaluate((one) => one === document.activeElement)).toBe(true);
  }
  await page.goBack();
  await asked(page).waitFor();
  await stay(page);
  await page.locator("summary").filter({ hasText: "Account of" }).click();
  await page.getByRole("button", { name: "Log out" }).click();
  await asked(page).waitFor();
  await stay(page);
  expect(await codes(page).getByRole("listitem").count()).toBe(8);
  await menu(page, "Sessions").click();
  await asked(page).getByRole("button", { name: "Leave" }).press("Enter");
  await page.waitForURL("**/account/sessions");
});

it("nobody is asked who copied the recovery codes, by the button or by hand, or says that they are stored", async () => {
  const copied = await showCodes();
  await copied.getByRole("button", { name: "Copy the recovery codes" }).click();
  await copied.getByText("Copied", { exact: true }).waitFor();
  await menu(copied, "Sessions").click();
  await copied.waitForURL("**/account/sessions");
  const byHand = await showCodes();
  await codes(byHand).selectText();
  await byHand.keyboard.press("Control+c");
  await menu(byHand, "Sessions").click();
  await byHand.waitForURL("**/account/sessions");
  const said = await showCodes();
  await said.getByRole("link", { name: "I have stored them" }).click();
  await said.getByText("8 left").waitFor();
});

it("a key's value that nobody copied is left by Back only after a question, and by what says that it is stored at once", async () => {
  const page = await showKey();
  const shown = await value(page).innerText();
  await page.goBack();
  await asked(page).waitFor();
  await page.keyboard.press("Escape");
  await asked(page).waitFor({ state: "detached" });
  expect(await value(page).innerText()).toBe(shown);
  await page.getByRole("link", { name: "I have stored it" }).click();
  await page.getByRole("table", { name: "Working keys" }).getByText("Server").waitFor();
  expect([await value(page).count(), await asked(page).count()]).toEqual([0, 0]);
});

it("a page that shows what is shown once is not reloaded unasked until it was copied", async () => {
  const page = await showKey();
  const asks: string[] = [];
  page.on("dialog", async (one) => {
    asks.push(one.type());
    await one.dismiss();
  });
  await page.evaluate("location.reload()");
  await expect.poll(() => asks).toEqual(["beforeunload"]);
  await page.getByRole("button", { name: "Copy API key" }).click();
  await page.getByText("Copied", { exact: true }).waitFor();
  await page.reload();
  expect([asks, await value(page).count()]).toEqual([["beforeunload"], 0]);
});
