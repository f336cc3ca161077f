// The theme changes in place: what a page shows once outlives it.
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { codeAt } from "../support/authenticator";
import { setUpApp, testBrowser, visit } from "../support/browser";
import { DEMO_TEMPLATE, testDatabase } from "../support/database";
import { makeAccount, makeConsumer } from "../support/factories";
import { makeAccountWithPassword, PASSWORD } from "../support/people";
import { testServer } from "../support/server";

const database = testDatabase(DEMO_TEMPLATE);
const server = testServer(database, { NODE_ENV: "local" });
const browser = testBrowser(server, database);
const html = (page: Page) => page.locator("html");

/** Takes a theme, and waits until the server knows of it and nothing is on the way any more. */
async function choose(page: Page, label: string, theme: string) {
  await page.locator("summary").filter({ hasText: "Theme" }).click();
  await page.getByRole("button", { name: label, exact: true }).click();
  await page.locator(`html[data-theme=${theme}]`).waitFor();
  await expect
    .poll(async () => (await page.context().cookies()).find(({ name }) => name === "aisle-theme")?.value)
    .toBe(theme);
  await page.waitForLoadState("networkidle");
  expect(await html(page).getAttribute("data-theme")).toBe(theme);
}

it("the key of an approved application stays on show when the theme changes", async () => {
  const account = await makeAccount(database, { email: "ada@harbour.example" });
  const page = await browser.openAs(account);
  await visit(page, "/apply");
  await page.getByLabel("Agent or product name").fill("Trail Guide");
  await page.getByLabel("Platform it runs on").fill("Web app");
  await page.getByLabel("How shoppers will use it").fill("They ask which tent fits four people in the rain.");
  await page.getByLabel("Company").fill("Harbour");
  await page.getByLabel("Website").fill("https://harbour.example");
  await page.getByLabel("Expected requests per day").fill("5000");
  await page.getByLabel(/data-use terms, version/).check();
  await page.getByRole("button", { name: "Submit application" }).click();
  await page.getByRole("heading", { name: /sandbox key/ }).waitFor();
  await choose(page, "Dark", "dark");
  await choose(page, "Light", "light");
  expect(new URL(page.url()).pathname).toBe("/apply");
  await page
    .getByText(/aisle_[0-9A-Za-z]{36}/)
    .first()
    .waitFor();
});

it("recovery codes stay on show when the theme changes", async () => {
  const account = await makeAccountWithPassword(database);
  const page = await browser.openAs(account);
  await visit(page, "/account/two-factor");
  await page.getByRole("textbox", { name: "Code" }).fill(codeAt(await setUpApp(page)));
  await page.getByRole("button", { name: "Turn it on" }).click();
  const codes = page.getByText(/\b[a-z2-7]{4}(-[a-z2-7]{4}){3}\b/);
  await codes.first().waitFor();
  const shown = await codes.count();
  await choose(page, "Dark", "dark");
  await choose(page, "Light", "light");
  expect(await codes.count()).toBe(shown);
});

it("what a stranger was told, or has typed, stays when the theme changes", async () => {
  const page = await browser.open();
  await visit(page, "/signup");
  await page.getByLabel("Your name").fill("Ada Moore");
  await choose(page, "Dark", "dark");
  expect(await page.getByLabel("Your name").inputValue()).toBe("Ada Moore");
  await page.getByLabel("Work email").fill("moore@harbour.example");
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByText("We have sent an email to").waitFor();
  await choose(page, "Light", "light");
  await page.getByText("We have sent an email to").waitFor();
  await page.reload();
  expect(await html(page).getAttribute("data-theme")).toBe("light");
});

it("of two that are chosen in a row the last one stays, however late the first one's answer is", async () => {
  const page = await browser.open();
  await visit(page, "/docs");
  let go = () => {};
  const held = new Promise<void>((resolve) => (go = resolve));
  let asked = 0;
  await page.route("**/theme", async (route) => {
    if (asked++ === 0) await held;
    // The first may have been given up by then.
    await route.continue().catch(() => {});
  });
  const first = page.waitForRequest("**/theme");
  await page.locator("summary").filter({ hasText: "Theme" }).click();
  await page.getByRole("button", { name: "Dark", exact: true }).click();
  await page.locator("html[data-theme=dark]").waitFor();
  await choose(page, "Light", "light");
  go();
  await (await first).response();
  await page.reload();
  expect(await html(page).getAttribute("data-theme")).toBe("light");
  expect(await page.getByText("The server could not be reached").count()).toBe(0);
});

it("without scripts it leads back to the page where it was chosen", async () => {
  const page = await browser.open({ javaScriptEnabled: false });
  await page.goto("/docs");
  await page.locator("summary").filter({ hasText: "Theme" }).click();
  await page.getByRole("button", { name: "Dark", exact: true }).click();
  await page.waitForURL("**/docs");
  expect(await html(page).getAttribute("data-theme")).toBe("dark");
});

it("on paper a page is dark on white in any theme, and only what can be read", async () => {
  const { owner } = await makeConsumer(database);
  const page = await browser.openAs(owner);
  await visit(page, "/console/keys");
  await choose(page, "Dark", "dark");
  const ink = () => page.getByRole("heading", { level: 1 }).evaluate((heading) => getComputedStyle(heading).color);
  const onScreen = await ink();
  await page.emulateMedia({ media: "print" });
  expect([onScreen, await ink()]).toEqual(["rgb(236, 236, 240)", "rgb(23, 23, 28)"]);
  for (const pressed of [page.getByRole("button"), page.getByRole("navigation", { name: "Main" })])
    expect(await pressed.filter({ visible: true }).count()).toBe(0);
});
