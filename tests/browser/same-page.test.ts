// Links to a place on the same page: they lead there, and take nothing away that the page shows as the answer to a form.
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import * as tokens from "../../server/services/accounts/tokens";
import { codeAt } from "../support/authenticator";
import { hold, setUpApp, testBrowser, visit } from "../support/browser";
import { DEMO_TEMPLATE, testDatabase } from "../support/database";
import { makeAccount, makeConsumer, makeMerchant, makeStore } from "../support/factories";
import { makeAccountWithPassword } from "../support/people";
import type { Person } from "../support/roles";
import { testServer } from "../support/server";

const database = testDatabase(DEMO_TEMPLATE);
const server = testServer(database);
const browser = testBrowser(server, database);

const openAs = async (person: Person, viewport = { width: 1440, height: 500 }) => browser.openAs(person, { viewport });
const hasFocus = (page: Page, id: string) =>
  page.evaluate((one) => document.activeElement === document.getElementById(one), id);
const settled = (page: Page) =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 300))));
async function skip(page: Page): Promise<void> {
  await page.getByRole("link", { name: "Skip to the content" }).press("Enter");
  await settled(page);
  expect(await hasFocus(page, "content")).toBe(true);
}

it("who skips to the content keeps the recovery codes that are shown once", async () => {
  const page = await openAs(await makeAccountWithPassword(database));
  await visit(page, "/account/two-factor");
  const key = await setUpApp(page);
  await skip(page);
  await page.getByRole("textbox", { name: "Code" }).fill(codeAt(key));
  await page.getByRole("button", { name: "Turn it on" }).click();
  const codes = page.getByText(/\b[a-z2-7]{4}(-[a-z2-7]{4}){3}\b/);
  await codes.first().waitFor();
  const shown = await codes.allInnerTexts();
  await skip(page);
  expect(await codes.allInnerTexts()).toEqual(shown);
});

it("who skips to the content while a form is sent is still shown its answer, and keeps what was refused", async () => {
  const { owner } = await makeConsumer(database, { state: "under_review" });
  const page = await openAs(owner);
  await visit(page, "/console/application");
  await page.getByLabel("Company").fill("Harbour");
  await page.getByLabel("Website").fill("nonsense here");
  const { release } = await hold(page, "POST");
  await page.getByRole("button", { name: "Save changes" }).click();
  await skip(page);
  release();
  await page.locator("[aria-invalid=true]").first().waitFor();
  await skip(page);
  expect(await page.getByLabel("Company").inputValue()).toBe("Harbour");
  expect(await page.getByLabel("Website").inputValue()).toBe("nonsense here");
});

it.each([
  ["an application", "/apply", "Agent or product name", "Website", "Submit application"],
  ["the settings", "/admin/settings", "Maximum keys", "Calls per minute", "Save settings"],
  ["a store's details", "details", "City", "Page about returns", "Save details"],
])("who skips to the content keeps what %s was refused with", async (_, path, kept, wrong, button) => {
  const store = await makeStore(database);
  const { accountId } = await makeMerchant(database, store.merchantId);
  const isStore = path === "details";
  const page = await openAs(
    isStore ? { id: accountId } : await makeAccount(database, { isOperator: path === "/admin/settings" }),
  );
  await visit(page, isStore ? `/merchant/stores/${store.slug}/details` : path);
  await page.getByLabel(kept, { exact: true }).fill("17");
  await page.getByLabel(wrong, { exact: true }).fill(isStore || path === "/apply" ? "nonsense here" : "0");
  const values = () => Promise.all([kept, wrong].map((label) => page.getByLabel(label, { exact: true }).inputValue()));
  const typed = await values();
  await page.getByRole("button", { name: button }).click();
  await page.locator("[aria-invalid=true]").first().waitFor();
  await skip(page);
  expect(await values()).toEqual(typed);
  expect(await page.locator("[aria-invalid=true]").count()).toBeGreaterThan(0);
});

it("the way to the decision loads nothing, and leaves what the address says as it is", async () => {
  const platform = await makeConsumer(database, { state: "production_requested" });
  const page = await openAs(await makeAccount(database, { isOperator: true }), { width: 390, height: 700 });
  await visit(page, `/admin/review/${platform.slug}?done=decline`);
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.getByRole("link", { name: "Decide" }).click();
  await page.waitForURL("**?done=decline#decision");
  await page.waitForLoadState("networkidle");
  expect(asked).toEqual([]);
  await expect.poll(async () => (await page.locator("#decision").boundingBox())!.y).toBeLessThan(350);
});

it("on a phone the way to the decision leads there, and keeps what a refused decision was filled in with", async () => {
  const platform = await makeConsumer(database, { state: "production_requested" });
  const page = await openAs(await makeAccount(database, { isOperator: true }), { width: 390, height: 700 });
  await visit(page, `/admin/review/${platform.slug}`);
  for (const scope of await page.locator("#decision").getByRole("checkbox").all()) await scope.uncheck();
  await page.getByRole("button", { name: "Approve for production" }).click();
  await page.locator("#decision").locator("[aria-invalid=true], [data-refused]").first().waitFor();
  await page.evaluate(() => window.scrollTo(0, 0));
  await page.getByRole("link", { name: "Decide" }).click();
  await settled(page);
  const { y } = (await page.locator("#decision").boundingBox())!;
  expect(y >= 0 && y < 350).toBe(true);
  expect(await page.locator("#decision").locator("[aria-invalid=true], [data-refused]").count()).toBeGreaterThan(0);
  expect(await page.locator("#decision input[type=checkbox]:checked").count()).toBe(0);
});

it("a link to a place with a name that is no escape leads there, and keeps what was refused", async () => {
  const { owner } = await makeConsumer(database, { state: "under_review" });
  const page = await openAs(owner);
  const faults: string[] = [];
  page.on("pageerror", ({ message }) => faults.push(message));
  await visit(page, "/console/application");
  await page.getByLabel("Website").fill("nonsense here");
  await page.getByRole("button", { name: "Save changes" }).click();
  await page.locator("[aria-invalid=true]").first().waitFor();
  await page.evaluate(() => {
    const place = Object.assign(document.createElement("p"), { id: "100%", tabIndex: -1 });
    const link = Object.assign(document.createElement("a"), { href: "#100%", textContent: "All of it" });
    document.querySelector("main")?.append(link, place);
  });
  await page.getByRole("link", { name: "All of it" }).press("Enter");
  await settled(page);
  expect([await hasFocus(page, "100%"), faults]).toEqual([true, []]);
  expect(await page.getByLabel("Website").inputValue()).toBe("nonsense here");
  expect(await page.locator("[aria-invalid=true]").count()).toBeGreaterThan(0);
});

it("in the documentation such a link is an address, and Back leads back", async () => {
  const page = await browser.open();
  await visit(page, "/docs");
  await page.getByRole("navigation", { name: "Documentation" }).getByRole("link", { name: "Errors" }).click();
  await page.waitForURL("**/docs#errors");
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(0);
  await page.goBack();
  await page.waitForURL(/\/docs$/);
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
});

it("in the documentation one place after another is led to", async () => {
  const page = await browser.open();
  await visit(page, "/docs");
  for (const name of ["Errors", "Data", "Limits", "Errors"]) {
    await page.getByRole("navigation", { name: "Documentation" }).getByRole("link", { name, exact: true }).click();
    const heading = page.getByRole("heading", { level: 2, name, exact: true });
    await expect.poll(async () => Math.abs((await heading.boundingBox())!.y - 80), { message: name }).toBeLessThan(40);
  }
});

it("a page whose address names a place by what is no name is that page, opened, typed on it, and gone back to", async () => {
  const page = await browser.open();
  await visit(page, "/docs#100%");
  await page.waitForURL(/\/docs$/);
  await page.evaluate(() => {
    window.location.hash = "#%E0%A4%A";
  });
  await page.waitForURL(/\/docs$/);
  await page.getByRole("navigation", { name: "Documentation" }).getByRole("link", { name: "Errors" }).click();
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(0);
  await page.goBack();
  await page.waitForURL(/\/docs$/);
  await page.getByRole("heading", { level: 1 }).waitFor();
});

it("who changes over between an app's code and one that recovers, by keyboard, types it at once", async () => {
  const { id: accountId, email } = await makeAccount(database);
  const token = await tokens.mint(database.as({ kind: "system" }), database.db, {
    accountId,
    purpose: "log_in",
    email,
  });
  const page = await browser.openAs(`aisle-log-in=${token}`);
  await visit(page, "/login/code");
  for (const [link, field] of [
    ["No phone at hand? Use a recovery code", "Recovery code"],
    ["Use the app's code", "Code"],
  ] as const) {
    await page.getByRole("link", { name: link }).press("Enter");
    await page.getByLabel(field, { exact: true }).and(page.locator(":focus")).waitFor();
  }
});
