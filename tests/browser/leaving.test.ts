// Whoever leaves what they have written is asked first, and only then: in real Chromium, by every way out.
import type { Locator, Page } from "playwright-core";
import { expect, it } from "vitest";
import { expectAccessible } from "../support/accessible";
import { hold, testBrowser, visit } from "../support/browser";
import { testDatabase } from "../support/database";
import { makeAccount, makeConsumer, makeMerchant, makeStore } from "../support/factories";
import { testServer } from "../support/server";
import { messages } from "./told";

const database = testDatabase();
const server = testServer(database);
const { openAs } = testBrowser(server, database);
const openAsOperator = async () => openAs(await makeAccount(database, { isOperator: true }));
async function openAsMerchant(path: (slug: string) => string) {
  const { slug, merchantId } = await makeStore(database);
  const page = await openAs({ id: (await makeMerchant(database, merchantId)).accountId });
  await visit(page, path(slug));
  return page;
}

const asked = (page: Page) => page.getByRole("dialog", { name: "Discard what you typed?" });
async function stay(page: Page) {
  await asked(page).getByRole("button", { name: "Keep editing" }).press("Enter");
  await asked(page).waitFor({ state: "detached" });
}
const discard = (page: Page) => asked(page).getByRole("button", { name: "Discard" }).press("Enter");

const pending = (button: Locator) => button.and(button.page().locator("[aria-disabled]")).waitFor();

it("whoever leaves new terms by a link, Back or logging out is asked, keeps what was typed, or discards it", async () => {
  const page = await openAsOperator();
  await visit(page, "/admin");
  await page.getByRole("link", { name: "Terms", exact: true }).click();
  await page.getByRole("link", { name: /new version/i }).click();
  const text = page.getByLabel("Text");
  await text.fill("# Terms\n\nAs they are now.");
  await page.getByRole("link", { name: "Settings", exact: true }).press("Enter");
  await asked(page).waitFor();
  for (const theme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: theme });
    await expectAccessible(page, `asked before leaving, ${theme}`);
  }
  await page.keyboard.press("Escape");
  await asked(page).waitFor({ state: "detached" });
  expect(
    await page.getByRole("link", { name: "Settings", exact: true }).evaluate((one) => one === document.activeElement),
  ).toBe(true);

  await page.goBack();
  await asked(page).waitFor();
  await stay(page);
  expect([new URL(page.url()).pathname, await text.inputValue()]).toEqual([
    "/admin/terms/new",
    "# Terms\n\nAs they are now.",
  ]);

  // A preview has saved nothing.
  const version = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
  await page.getByLabel("Date").fill(version);
  await page.getByRole("button", { name: "Preview and compare" }).click();
  await page.getByRole("heading", { name: `Version ${version}` }).waitFor();
  await page.locator("summary").filter({ hasText: "Account of" }).click();
  await page.getByRole("button", { name: "Log out" }).click();
  await asked(page).waitFor();
  await stay(page);
  await page.getByRole("link", { name: "Settings", exact: true }).click();
  await discard(page);
  await page.waitForURL("**/admin/settings");
});

it("a policy's dialog with text in it closes by Escape, Cancel and the cross only for whoever discards it", async () => {
  const page = await openAsMerchant((slug) => `/merchant/stores/${slug}/policies?dialog=policy`);
  const dialog = page.getByRole("dialog", { name: "Add a policy" });
  const answer = dialog.getByLabel("Answer");
  await answer.fill("To all of Europe.");
  for (let i = 0; i < 4; i++) {
    await page.keyboard.press("Escape");
    await dialog.waitFor();
  }
  // What the last of them does is on the page.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  if (await asked(page).isVisible()) await stay(page);
  for (const name of ["Cancel", "Close"]) {
    await dialog.getByRole("link", { name }).click();
    await asked(page).waitFor();
    await stay(page);
    expect(await answer.inputValue()).toBe("To all of Europe.");
  }
  await dialog.getByRole("link", { name: "Cancel" }).click();
  await discard(page);
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("link", { name: "Add a policy" }).first().click();
  expect(await answer.inputValue()).toBe("");
});

it("nobody is asked who typed nothing, has saved, or stays on the page; who types while saving is", async () => {
  const page = await openAsMerchant((slug) => `/merchant/stores/${slug}/details`);
  const elsewhere = page.getByRole("link", { name: "Policies" });
  const back = page.getByRole("link", { name: "Details", exact: true });
  await elsewhere.click();
  await page.waitForURL("**/policies");
  await back.click();
  const city = page.getByLabel("City");
  await city.fill("Galway");
  // To a place on the page itself, and to the page itself.
  await page.getByRole("link", { name: "Skip to the content" }).press("Enter");
  await back.click();
  expect([await city.inputValue(), await asked(page).count()]).toEqual(["Galway", 0]);
  await page.getByRole("button", { name: "Save details" }).click();
  await messages(page, "Saved").first().waitFor();
  await elsewhere.click();
  await page.waitForURL("**/policies");
  await back.click();

  const { release } = await hold(page, "POST", /\.data/);
  await page.getByLabel("Region").fill("Connacht");
  const save = page.getByRole("button", { name: "Save details" });
  await save.click();
  await pending(save);
  await city.fill("Sligo");
  // The answer is waited for; then what was typed meanwhile is asked about.
  await elsewhere.press("Enter");
  expect([new URL(page.url()).pathname, await asked(page).count()]).toEqual([expect.stringMatching(/\/details$/), 0]);
  release();
  await asked(page).waitFor();
  await stay(page);
  await elsewhere.press("Enter");
  await asked(page).waitFor();
  await stay(page);
  expect(await city.inputValue()).toBe("Sligo");
});

/** A city that is being saved, on a page that was come to by a link. */
async function saveCity(name: string, also?: (page: Page) => Promise<void>) {
  const page = await openAsMerchant((slug) => `/merchant/stores/${slug}/policies`);
  await page.getByRole("link", { name: "Details", exact: true }).click();
  const { release, arrived } = await hold(page, "POST", /\.data/);
  await page.getByLabel("City").fill(name);
  await also?.(page);
  const save = page.getByRole("button", { name: "Save details" });
  await save.click();
  await pending(save);
  await arrived;
  return { page, save, release };
}
async function logOut(page: Page) {
  await page.locator("summary").filter({ hasText: "Account of" }).click();
  await page.getByRole("button", { name: "Log out" }).click({ noWaitAfter: true });
}
/** Back, and the step of the page that it takes. */
const goBack = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        window.addEventListener("popstate", () => setTimeout(resolve), { once: true });
        window.history.back();
      }),
  );

it("Back and the log-out wait for what is being saved, and then lead there unasked", async () => {
  const back = await saveCity("Limerick");
  await goBack(back.page);
  expect(await asked(back.page).count()).toBe(0);
  back.release();
  await back.page.waitForURL("**/policies");
  const out = await saveCity("Cork");
  await logOut(out.page);
  expect(await asked(out.page).count()).toBe(0);
  out.release();
  await out.page.waitForURL((url) => !url.pathname.startsWith("/merchant"));
  const saved = await database.sql`select address ->> 'address_locality' as city from stores`;
  expect(saved).toEqual(expect.arrayContaining([{ city: "Limerick" }, { city: "Cork" }]));
});

it.each([
  ["Back", goBack],
  ["the log-out", logOut],
])("%s stays where what was being saved is refused, with what was typed", async (_, leave) => {
  const { page, save, release } = await saveCity("Tralee", (form) =>
    form.getByLabel("Page about returns").fill("nonsense here"),
  );
  await leave(page);
  release();
  await page.locator("[aria-invalid=true]").first().waitFor();
  await save.and(page.locator(":not([aria-disabled])")).waitFor();
  expect([new URL(page.url()).pathname, await asked(page).count()]).toEqual([expect.stringMatching(/\/details$/), 0]);
  expect(await page.getByLabel("City").inputValue()).toBe("Tralee");
  await goBack(page);
  await asked(page).waitFor();
});

it("nobody is asked about what was saved while they chose a theme", async () => {
  const { page, release } = await saveCity("Tralee");
  await page.locator("summary").filter({ hasText: "Theme" }).click();
  await page.getByRole("button", { name: "Dark", exact: true }).click();
  await page.locator("html[data-theme=dark]").waitFor();
  release();
  await messages(page, "Saved").first().waitFor();
  await page.getByRole("link", { name: "Policies" }).click();
  await page.waitForURL("**/policies");
  expect(await asked(page).count()).toBe(0);
});

it("Back and the log-out ask about what was typed since it was sent, once it is saved", async () => {
  for (const leave of [goBack, logOut]) {
    const { page, release } = await saveCity("Ennis");
    await page.getByLabel("Region").fill("Clare");
    await leave(page);
    release();
    await asked(page).waitFor();
    await stay(page);
    expect(await page.getByLabel("Region").inputValue()).toBe("Clare");
  }
});

it("a page with text that is not saved is not reloaded unasked; saved, it is", async () => {
  const { owner } = await makeConsumer(database, { state: "under_review" });
  const page = await openAs(owner);
  await visit(page, "/console/application");
  let asks = 0;
  page.on("dialog", async (one) => {
    asks += one.type() === "beforeunload" ? 1 : 0;
    await one.accept();
  });
  const use = page.getByLabel("How shoppers will use it");
  const write = async (text: string) => {
    await use.click();
    await use.fill(text);
  };
  await write("They ask what to cook.");
  await page.reload({ waitUntil: "networkidle" });
  expect(asks).toBe(1);
  await write("They ask what to cook.");
  await page.getByRole("button", { name: "Save changes" }).click();
  await messages(page, "Saved").first().waitFor();
  await page.reload({ waitUntil: "networkidle" });
  expect(asks).toBe(1);
});
