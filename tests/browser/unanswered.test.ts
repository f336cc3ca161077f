// A form that got no answer: the page stays as it stands, what was typed with it, and why is said.
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { members } from "../../db/schema/consumers";
import { expectAccessible } from "../support/accessible";
import { codeAt } from "../support/authenticator";
import { addCookie, setUpApp, testBrowser, visit } from "../support/browser";
import { DEMO_TEMPLATE, testDatabase } from "../support/database";
import { makeAccount, makeConsumer, makeMerchant, makeStore } from "../support/factories";
import { makeAccountWithPassword, newEmail, PASSWORD } from "../support/people";
import { type Person, signIn } from "../support/roles";
import { testServer } from "../support/server";
import { told } from "./told";

const database = testDatabase(DEMO_TEMPLATE);
const server = testServer(
  database,
  { NODE_ENV: "local" },
  { expected: /\\"(applications|keys)\\" does not exist|lock timeout/ },
);
const browser = testBrowser(server, database);

const openAs = async (account: Person) => browser.openAs(account, { viewport: { width: 1440, height: 500 } });
const unreached = (page: Page) => page.getByRole("alert").filter({ hasText: "The server could not be reached" });
/** Until `mend` is called, nothing reaches the server. */
async function cutOff(page: Page): Promise<() => Promise<void>> {
  await page.context().setOffline(true);
  return () => page.context().setOffline(false);
}

it("a form that does not reach the server keeps its place and what was typed, and is sent again as it stands", async () => {
  const { owner } = await makeConsumer(database, { state: "under_review" });
  const page = await openAs(owner);
  await visit(page, "/console/application");
  await page.getByLabel("How shoppers will use it").fill("They ask what to cook.\n\nAnd with what.");
  const button = page.getByRole("button", { name: "Save changes" });
  await button.scrollIntoViewIfNeeded();
  const mend = await cutOff(page);
  await button.click();
  await unreached(page).waitFor();
  await expectAccessible(page, "a form without an answer");
  for (const seen of [unreached(page), button]) {
    const { y, height } = (await seen.boundingBox())!;
    expect([y >= 0, y + height <= 500]).toEqual([true, true]);
  }
  expect(await page.getByLabel("How shoppers will use it").inputValue()).toContain("And with what.");
  await mend();
  await button.click();
  await told(page, "Saved").waitFor();
  expect(await unreached(page).count()).toBe(0);
  expect(await page.getByLabel("How shoppers will use it").inputValue()).toContain("And with what.");
});

it("who dismisses by keyboard that no answer came is at the button again that they had pressed", async () => {
  const { owner } = await makeConsumer(database, { state: "under_review" });
  const store = await makeStore(database, { name: "Alder" });
  await database.sql`update stores set ai_discovery = false where id = ${store.id}`;
  const { accountId } = await makeMerchant(database, store.merchantId);
  for (const [person, path, name] of [
    [owner, "/console/application", "Save changes"],
    [{ id: accountId }, "/merchant", "Turn on AI Discovery for Alder"],
  ] as const) {
    const page = await openAs(person);
    await visit(page, path);
    await page.route("**/*", (route) => (route.request().method() === "POST" ? route.abort() : route.continue()));
    const button = page.getByRole("button", { name });
    await button.press("Enter");
    await unreached(page).getByRole("button", { name: "Dismiss" }).press("Enter");
    await unreached(page).waitFor({ state: "detached" });
    expect(await button.evaluate((one) => one === document.activeElement), path).toBe(true);
  }
});

it("in a dialog the same is said in the dialog", async () => {
  const { owner } = await makeConsumer(database);
  const page = await openAs(owner);
  await visit(page, "/console/keys?dialog=issue");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Server");
  await dialog.getByLabel("loyalty:read").uncheck();
  const mend = await cutOff(page);
  await dialog.getByRole("button", { name: "Issue key" }).click();
  await dialog.getByRole("alert").filter({ hasText: "The server could not be reached" }).waitFor();
  await expectAccessible(page, "a dialog without an answer");
  expect(await dialog.getByLabel("Name").inputValue()).toBe("Server");
  expect(await dialog.getByLabel("loyalty:read").isChecked()).toBe(false);
  await mend();
  await dialog.getByRole("button", { name: "Issue key" }).click();
  await page.getByText("Your new key").waitFor();
});

it.each([
  ["a form", "/console/application", "Company", "Save changes", "Saved"],
  ["a form in a dialog", "/console/keys?dialog=issue", "Name", "Issue key", "Your new key"],
])(
  "%s that is sent once the session has ended stays too, and is sent again after a log-in in another tab",
  async (_, path, field, button, done) => {
    const email = newEmail();
    const [account, consumer] = [await makeAccountWithPassword(database, { email }), await makeConsumer(database)];
    await database.db.insert(members).values({ consumerId: consumer.id, accountId: account.id, role: "owner" });
    const page = await openAs(account);
    await visit(page, path);
    await page.getByLabel(field, { exact: true }).fill("Harbour");
    await database.sql`delete from sessions where account_id = ${account.id}`;
    await page.getByRole("button", { name: button }).click();
    const why = page.getByRole("alert").filter({ hasText: "Your session has ended" });
    await why.waitFor();
    await expectAccessible(page, "a form without a session");
    const [other] = await Promise.all([
      page.waitForEvent("popup"),
      why.getByRole("link", { name: "log in in another tab" }).click(),
    ]);
    await other.getByLabel("Email").fill(email);
    await other.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await other.getByRole("button", { name: "Log in" }).click();
    await other.waitForURL(new URL(path, server.url).href);
    expect(await page.getByLabel(field, { exact: true }).inputValue()).toBe("Harbour");
    await page.getByRole("button", { name: button }).click();
    await page.getByText(done).first().waitFor();
    expect(await why.count()).toBe(0);
  },
);

it("a form that was refused once, and then got no answer, keeps the refusal and what was typed since", async () => {
  const page = await openAs(await makeAccountWithPassword(database));
  await visit(page, "/account/password");
  await page.getByLabel("Current password").fill("not that one");
  await page.getByLabel("New password").fill("four quiet lakes in autumn");
  const button = page.getByRole("button", { name: "Change" });
  await button.click();
  await page.getByText("This is not your current password.").waitFor();
  await page.getByLabel("Current password").fill(PASSWORD);
  await page.getByLabel("New password").fill("four quiet lakes in autumn");
  const mend = await cutOff(page);
  await button.click();
  await unreached(page).waitFor();
  expect(await page.getByText("This is not your current password.").count()).toBe(1);
  expect(await page.getByLabel("Current password").inputValue()).toBe(PASSWORD);
  await mend();
  await button.click();
  await told(page, "Your password has been changed").waitFor();
  expect(await page.getByLabel("Current password").inputValue()).toBe("");
});

it("a failure of ours keeps the page too, and gives the request id to send", async () => {
  const { owner } = await makeConsumer(database, { state: "under_review" });
  const page = await openAs(owner);
  await visit(page, "/console/application");
  await page.getByLabel("Company").fill("Harbour");
  await database.sql`alter table applications rename to elsewhere`;
  await page.getByRole("button", { name: "Save changes" }).click();
  const why = page.getByRole("alert").filter({ hasText: "Something went wrong on our side" });
  await why.waitFor();
  await database.sql`alter table elsewhere rename to applications`;
  expect(await why.innerText()).toMatch(/[0-9a-f]{8}-[0-9a-f-]{27}/);
  expect(await page.getByLabel("Company").inputValue()).toBe("Harbour");
});

it("a text that is too long for any form is called that, stays, and is sent once it is shorter", async () => {
  const { owner } = await makeConsumer(database, { state: "under_review" });
  const page = await openAs(owner);
  // Remix writes what it could not read to the console.
  page.removeAllListeners("console");
  await visit(page, "/console/application");
  const use = page.getByLabel("How shoppers will use it");
  // Browsers keep people from typing more than a field takes, in most fields.
  await use.evaluate((field) => field.removeAttribute("maxlength"));
  await use.fill("x".repeat(300_000));
  await page.getByRole("button", { name: "Save changes" }).click();
  const why = page.getByRole("alert").filter({ hasText: "This is too long to send" });
  await why.waitFor();
  expect(await why.innerText()).not.toMatch(/our side|could not be reached|try again/i);
  expect((await use.inputValue()).length).toBe(300_000);
  await use.fill("They ask what to cook.");
  await page.getByRole("button", { name: "Save changes" }).click();
  await told(page, "Saved").waitFor();
  expect(await why.count()).toBe(0);
});

it("an answer that is none of ours keeps the page, and asks for no id", async () => {
  const { owner } = await makeConsumer(database, { state: "under_review" });
  const page = await openAs(owner);
  // Remix writes what it could not read to the console.
  page.removeAllListeners("console");
  await visit(page, "/console/application");
  await page.getByLabel("Company").fill("Harbour");
  await page.route("**/*", (route) =>
    route.request().method() === "POST" ? route.fulfill({ status: 502, body: "Bad gateway" }) : route.continue(),
  );
  await page.getByRole("button", { name: "Save changes" }).click();
  const why = page.getByRole("alert").filter({ hasText: "Something went wrong on our side" });
  await why.waitFor();
  expect(await why.innerText()).not.toContain("request id");
  expect(await page.getByLabel("Company").inputValue()).toBe("Harbour");
});

it("a theme that the server does not keep takes nothing away: not the page, nor what was typed", async () => {
  const { owner } = await makeConsumer(database, { state: "under_review" });
  for (const [open, path, field] of [
    [() => openAs(owner), "/console/application", "Company"],
    [() => browser.open(), "/signup", "Your name"],
  ] as const) {
    const page = await open();
    await visit(page, path);
    await page.getByLabel(field).fill("Half of it");
    const mend = await cutOff(page);
    await page.locator("summary").filter({ hasText: "Theme" }).click();
    await page.getByRole("button", { name: "Dark", exact: true }).click();
    await unreached(page).waitFor();
    await page.locator("html:not([data-theme])").waitFor();
    expect(await page.getByLabel(field).inputValue()).toBe("Half of it");
    await mend();
    await page.locator("summary").filter({ hasText: "Theme" }).click();
    await page.getByRole("button", { name: "Dark", exact: true }).click();
    await page.locator("html[data-theme=dark]").waitFor();
    expect(await page.getByLabel(field).inputValue()).toBe("Half of it");
    expect(await unreached(page).count()).toBe(0);
  }
});

it("why a form got no answer stands at that form, also where a theme is chosen while it is sent, or after", async () => {
  const { owner } = await makeConsumer(database, { state: "under_review" });
  const page = await openAs(owner);
  await visit(page, "/console/application");
  const takeTheme = async (name: string) => {
    await page.locator("summary").filter({ hasText: "Theme" }).click();
    await page.getByRole("button", { name, exact: true }).click();
    await page.locator(`html[data-theme=${name.toLowerCase()}]`).waitFor();
  };
  let letGo = () => {};
  const held = new Promise<void>((resolve) => (letGo = resolve));
  await page.route("**/console/application*", async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    await held;
    return route.abort();
  });
  await page.getByLabel("Company").fill("Harbour");
  await page.getByRole("button", { name: "Save changes" }).click();
  await takeTheme("Dark");
  letGo();
  const inForm = page.locator("form:has([name=company])").getByText("The server could not be reached");
  await inForm.waitFor();
  await takeTheme("Light");
  expect(await inForm.count()).toBe(1);
});

it("a page that does not reach the server says that, not that we failed", async () => {
  const { owner } = await makeConsumer(database);
  const page = await openAs(owner);
  await visit(page, "/console/members");
  await page.route("**/*.data*", (route) => route.abort());
  await page.getByRole("link", { name: "Keys", exact: true }).click();
  await page.getByRole("heading", { name: "The server could not be reached" }).waitFor();
  expect(await page.locator("main").innerText()).not.toMatch(/our side|logged|request id/);
  await page.unroute("**/*.data*");
  await page.getByRole("link", { name: "Try again" }).click();
  await page.getByRole("heading", { name: "Keys", exact: true }).waitFor();
});

it.each([
  ["Try again", "/console/usage"],
  ["Go to Overview", "/console"],
])("so does a page of which nothing is there yet, not even its script; %s leads to %s", async (label, path) => {
  const { owner } = await makeConsumer(database);
  const page = await openAs(owner);
  await visit(page, "/console/members");
  const mend = await cutOff(page);
  await page.getByRole("link", { name: "Usage", exact: true }).press("Enter");
  const failure = page.getByRole("heading", { name: "The server could not be reached" });
  await failure.waitFor();
  expect(await page.locator("main").innerText()).not.toMatch(/our side|logged|request id/);
  // The menu, which had come, stays.
  expect(await page.getByRole("navigation", { name: "Main" }).isVisible()).toBe(true);
  await mend();
  await page.getByRole("link", { name: label }).click();
  await failure.waitFor({ state: "detached" });
  await page.getByRole("navigation", { name: "Main" }).waitFor();
  expect(new URL(page.url()).pathname).toBe(path);
});

it("a page that cannot come because we are busy leaves the menu where it was", async () => {
  const { owner } = await makeConsumer(database);
  const page = await openAs(owner);
  await visit(page, "/console/members");
  await database.sql.begin(async (tx) => {
    await tx`lock table consumers in access exclusive mode`;
    await page.getByRole("link", { name: "Keys", exact: true }).click();
    await page.getByRole("heading", { name: "The service is busy" }).waitFor();
  });
  expect(await page.getByRole("navigation", { name: "Main" }).isVisible()).toBe(true);
  await page.getByRole("link", { name: "Try again" }).click();
  await page.getByRole("heading", { name: "Keys", exact: true }).waitFor();
});

it.each([
  ["nothing reaches the server", (page: Page) => page.context().setOffline(true)],
  [
    "the server is of another build",
    (page: Page) => page.route("**/assets/*", (route) => route.fulfill({ status: 404 })),
  ],
])("a link that is pointed at while %s takes nothing away", async (_, hurt) => {
  const { owner } = await makeConsumer(database, { state: "under_review" });
  const page = await openAs(owner);
  await visit(page, "/console/application");
  await page.getByLabel("Company").fill("Harbour");
  await hurt(page);
  const script = (one: { url: () => string }) => /\/assets\/console\.keys-/.test(one.url());
  const failed = Promise.any([
    page.waitForEvent("requestfailed", script),
    page.waitForResponse((response) => script(response) && response.status() === 404),
  ]);
  await page.getByRole("link", { name: "Keys", exact: true }).hover();
  await failed;
  await page.context().setOffline(false);
  await page.unroute("**/assets/*");
  await page.getByRole("button", { name: "Save changes" }).click();
  await told(page, "Saved").waitFor();
  expect(await page.getByLabel("Company").inputValue()).toBe("Harbour");
  await page.getByRole("link", { name: "Keys", exact: true }).click();
  await page.getByRole("heading", { name: "Keys", exact: true }).waitFor();
});

/** Forms go on reaching the server. @returns what ends that */
async function loadNothing(page: Page, path: string): Promise<() => Promise<void>> {
  const loads = `**${path}.data*`;
  await page.route(loads, (route) => (route.request().method() === "GET" ? route.abort() : route.continue()));
  return () => page.unroute(loads);
}
/** Nothing that is still to come would change the page. */
const settled = (page: Page) =>
  expect.poll(() => page.evaluate("window.__remixRouter.state.navigation.state")).toBe("idle");

it("a new key stays in view though nothing more is loaded, and is in the table once that is", async () => {
  const { owner } = await makeConsumer(database);
  const page = await openAs(owner);
  await visit(page, "/console/keys?dialog=issue");
  const mend = await loadNothing(page, "/console/keys");
  await page.getByRole("dialog").getByLabel("Name").fill("Server");
  await page.getByRole("button", { name: "Issue key" }).click();
  await page.getByText("Your new key").waitFor();
  await settled(page);
  const dialog = page.getByRole("dialog").filter({ hasText: "Your new key “Server”" });
  expect(await dialog.innerText()).toMatch(/aisle_[0-9A-Za-z]{36}/);
  await mend();
  await dialog.getByRole("link", { name: "I have stored it" }).click();
  await page.getByRole("table", { name: "Working keys" }).getByText("Server").waitFor();
  expect(await page.getByText("Your new key").count()).toBe(0);
});

it("recovery codes stay in view though nothing more is loaded, and are counted once that is", async () => {
  const page = await openAs(await makeAccountWithPassword(database));
  await visit(page, "/account/two-factor");
  await page.getByRole("textbox", { name: "Code" }).fill(codeAt(await setUpApp(page)));
  const mend = await loadNothing(page, "/account/two-factor");
  await page.getByRole("button", { name: "Turn it on" }).click();
  const codes = page.getByRole("list", { name: "Recovery codes" }).getByRole("listitem");
  await codes.first().waitFor();
  await settled(page);
  expect(await codes.count()).toBe(8);
  await mend();
  await page.getByRole("link", { name: "I have stored them" }).click();
  await page.getByText("8 left").waitFor();
  expect(await codes.count()).toBe(0);
});

it("a page of one's account that fails keeps the way to the others", async () => {
  const page = await openAs(await makeAccount(database));
  await visit(page, "/account");
  // Of all that is loaded for it, only what deleting the account would do asks for keys.
  await database.sql`alter table keys rename to elsewhere`;
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Delete account" }).click();
  await page.getByRole("heading", { name: "Something went wrong on our side" }).waitFor();
  await database.sql`alter table elsewhere rename to keys`;
  await page.getByRole("link", { name: "To your account" }).waitFor();
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Password" }).click();
  await page.getByLabel("Current password").waitFor();
});

it("choosing a tool asks nobody: its form comes, and runs, also while nothing reaches the server", async () => {
  const { owner } = await makeConsumer(database);
  const page = await openAs(owner);
  await visit(page, "/console/playground?tool=search_products");
  await page.getByRole("region", { name: "Arguments as a form" }).waitFor();
  const mend = await cutOff(page);
  await page.getByLabel("Tool", { exact: true }).selectOption("list_stores");
  await page.waitForURL(/tool=list_stores/);
  await page.getByText("Cursor").first().waitFor();
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Playground");
  await mend();
});

it("a message whose list does not come is said all the same, on the page as it stands", async () => {
  const { owner } = await makeConsumer(database, { state: "under_review" });
  const page = await openAs(owner);
  await page.route("**/toast-list-*", (route) => route.abort());
  await visit(page, "/console/application");
  await page.getByRole("button", { name: "Save changes" }).click();
  const message = page.getByRole("status").filter({ hasText: "Saved" });
  await message.waitFor();
  expect(await page.getByLabel("How shoppers will use it").isVisible()).toBe(true);
  // What had the focus goes with its message.
  await message.getByRole("button", { name: "Dismiss" }).press("Enter");
  await page.locator("#content:focus").waitFor();
});

it("the same refusal a second time is said once more", async () => {
  const page = await browser.open();
  await visit(page, "/login");
  const wrong = async () => {
    await page.getByLabel("Email").fill("nobody@example.com");
    await page.getByLabel("Password", { exact: true }).fill("not the password");
    await page.getByRole("button", { name: "Log in" }).click();
  };
  await wrong();
  const alert = page.getByRole("alert").filter({ hasText: "wrong" });
  await alert.waitFor();
  const first = await alert.elementHandle();
  await wrong();
  await expect.poll(() => first!.evaluate((one) => one.isConnected)).toBe(false);
  await alert.waitFor();
});

it("a form that somebody else is logged in for by now is not sent in their name, stays, and is saved once its own person is back", async () => {
  const store = await makeStore(database);
  const operator = await makeAccount(database, { isOperator: true });
  const { owner } = await makeConsumer(database);
  const page = await openAs(operator);
  const path = `/admin/merchants/${store.merchantId}/stores/${store.id}`;
  await visit(page, path);
  await page.getByLabel("Legal name").fill("Harbour Ltd");
  const other = await page.context().newPage();
  const logIn = async (person: Person, start: string) => {
    await addCookie(page, (await signIn(database, person))!, server.url);
    await visit(other, server.url + start);
  };
  await logIn(owner, "/console");
  const save = page.getByRole("button", { name: "Save changes" });
  await save.click();
  const refusal = page.getByRole("alert").filter({ hasText: "Another account is logged in now" });
  await refusal.filter({ hasText: `log in as ${operator.email}` }).waitFor();
  await expectAccessible(page, "a form of somebody else");
  // Nor does one who could save it.
  await logIn(await makeAccount(database, { isOperator: true }), "/admin");
  await save.click();
  await refusal.waitFor();
  expect(await page.getByLabel("Legal name").inputValue()).toBe("Harbour Ltd");
  const legalName = async () =>
    (await database.sql`select legal_name from stores where id = ${store.id}`)[0]!.legal_name;
  expect(await legalName()).not.toBe("Harbour Ltd");
  await logIn(operator, "/admin");
  await save.click();
  await told(page, "saved").waitFor();
  expect(await legalName()).toBe("Harbour Ltd");
});
