// Every form, sent empty with scripts: the server says what is wrong, beside each field that must be filled in, and the
// first of them has the focus.
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import * as tokens from "../../server/services/accounts/tokens";
import { testBrowser, visit } from "../support/browser";
import { issueKey } from "../support/clients";
import { testDatabase } from "../support/database";
import { makeAccount, makeConsumer, makeStore } from "../support/factories";
import { makePerson } from "../support/roles";
import { testServer } from "../support/server";
import { told } from "./told";

const database = testDatabase();
const server = testServer(database, { NODE_ENV: "local" });
const { openAs } = testBrowser(server, database);

/** Sends each form of the place that asks for something, empty. */
async function sendEmpty(page: Page, path: string): Promise<void> {
  await visit(page, path);
  const asking = page.locator(
    "form[method=post]:is(:has([required]:not([type=radio])), :has([type=radio][required]):not(:has([type=radio]:checked)))",
  );
  const place = page.getByRole("dialog").or(page.getByRole("main")).last();
  const count = await place.locator(asking).count();
  expect(count, path).toBeGreaterThan(0);
  for (let i = 0; i < count; i++) {
    if (i > 0) await visit(page, path);
    const form = place.locator(asking).nth(i);
    // Each one that is unticked leaves the others, of which the first is the next.
    const ticked = form.locator("input[type=checkbox]:checked");
    while ((await ticked.count()) > 0) await ticked.first().uncheck();
    for (const field of await form.locator("[required]:is(input, textarea)").all()) {
      const kind = await field.getAttribute("type");
      if (kind !== "radio" && kind !== "checkbox" && kind !== "file" && (await field.isEditable()))
        await field.fill("");
    }
    await form.locator("button[type=submit]").first().click();
    await form.locator("[aria-invalid=true]").first().waitFor();
    const told = await form.locator("[required]:not([type=radio]):not([readonly])").evaluateAll((fields) =>
      fields.map((field) => [
        field.getAttribute("name"),
        field.getAttribute("aria-invalid") === "true" &&
          /[a-z].*\.$/i.test(
            (field.getAttribute("aria-describedby") ?? "")
              .split(" ")
              .map((id) => document.getElementById(id)?.textContent ?? "")
              .at(0)!,
          ),
      ]),
    );
    expect(told, path).toEqual(told.map(([name]) => [name, true]));
    const first = form.locator("[aria-invalid=true]").first();
    await expect.poll(() => first.evaluate((field) => field === document.activeElement)).toBe(true);
  }
}

it("says all that is missing to whoever signs up, logs in or has lost a password", async () => {
  const { id: accountId, email } = await makeAccount(database, { emailVerifiedAt: null });
  const mint = (purpose: tokens.Purpose) =>
    tokens.mint(database.as({ kind: "system" }), database.db, { accountId, purpose, email });
  const page = await openAs(`aisle-log-in=${await mint("log_in")}`);
  const links = [
    ...[`/verify?token=${await mint("verify")}`, `/reset?token=${await mint("reset")}`],
    `/confirm-email?token=${await mint("change_email")}`,
  ];
  for (const path of ["/signup", "/login", "/login/code", "/forgot", "/resend", ...links]) await sendEmpty(page, path);
});

it("says all that is missing to whoever applies, and in their account", async () => {
  const page = await openAs(await makeAccount(database));
  const account = ["/account", "/account/password", "/account/two-factor", "/account/delete?dialog=delete"];
  for (const path of ["/apply", ...account]) await sendEmpty(page, path);
});

it("says all that is missing to a platform's owner", async () => {
  const { id, owner } = await makeConsumer(database);
  const key = await issueKey(database, id);
  const page = await openAs(owner);
  for (const dialog of ["issue", `revoke&id=${key.id}`]) await sendEmpty(page, `/console/keys?dialog=${dialog}`);
  const waiting = await makeConsumer(database, { state: "under_review" });
  await sendEmpty(await openAs(waiting.owner), "/console/application");
});

it("says all that is missing to operators", async () => {
  const { merchantId, id } = await makeStore(database);
  const merchant = `/admin/merchants/${merchantId}`;
  const live = await makeConsumer(database, { state: "production" });
  const key = await issueKey(database, live.id);
  const { accountId: reviewer } = await makePerson(database, "reviewer", live.id);
  const consumer = `/admin/consumers/${live.slug}`;
  const asks = await makeConsumer(database, { state: "production_requested" });
  const applies = await makeConsumer(database, { state: "under_review" });
  const page = await openAs(await makeAccount(database, { isOperator: true }));
  for (const path of [
    ...[`/admin/review/${asks.slug}`, `/admin/review/${asks.slug}?dialog=decline`],
    `/admin/review/${applies.slug}?dialog=reject`,
    ...[consumer, `${consumer}?dialog=reject`, `${consumer}/keys?dialog=revoke&id=${key.id}`],
    ...[`${consumer}/members?dialog=add`, `${consumer}/members?dialog=renew&id=${reviewer}`],
    `${consumer}/members?dialog=role&id=${reviewer}`,
    ...["/admin/merchants?dialog=new", `${merchant}?dialog=rename`, `${merchant}?dialog=add`],
    ...[`${merchant}?dialog=invite`, `${merchant}/stores/new`, `${merchant}/stores/${id}`],
    ...["/admin/settings", "/admin/terms/new"],
  ])
    await sendEmpty(page, path);
});

it("says all that is missing to merchants", async () => {
  const store = await makeStore(database);
  const { cookie } = await makePerson(database, "merchant", "", store.merchantId);
  const page = await openAs(cookie!);
  const shop = `/merchant/stores/${store.slug}`;
  for (const path of [
    `/merchant/catalogue/${store.id}`,
    ...[`${shop}/promotions?dialog=promotion`, `${shop}/policies?dialog=policy`, `${shop}/loyalty?dialog=program`],
  ])
    await sendEmpty(page, path);
});

it("what was typed for an address stays where another form of the page is saved", async () => {
  const page = await openAs(await makeAccount(database));
  await visit(page, "/account");
  await page.getByLabel("New address").fill("new@example.com");
  await page.getByLabel("Your name").fill("Ada Byrne");
  await page.getByRole("button", { name: "Save name" }).click();
  await page.waitForURL("**?done=name");
  await page.getByRole("button", { name: "Save name", disabled: false }).waitFor();
  expect(await page.getByLabel("New address").inputValue()).toBe("new@example.com");
});

it("the last day of access is asked where a reviewer is added, and of nobody else", async () => {
  const { slug } = await makeConsumer(database);
  const person = await makeAccount(database);
  const page = await openAs(await makeAccount(database, { isOperator: true }));
  await visit(page, `/admin/consumers/${slug}/members?dialog=add`);
  const dialog = page.getByRole("dialog");
  const day = dialog.getByLabel("Last day", { exact: true });
  await dialog.getByLabel("Email").fill(person.email);
  expect(await day.isVisible()).toBe(false);
  await dialog.getByRole("radio", { name: /^Reviewer/ }).check();
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await dialog.getByText("Enter the last day of access.").waitFor();
  expect(await day.isVisible()).toBe(true);
  await dialog.getByRole("radio", { name: /^Developer/ }).check();
  expect(await day.isVisible()).toBe(false);
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await told(page, "Added").waitFor();
});

it.each([
  ["", true],
  [" without scripts: then it stands to be seen", false],
])("a day that is typed by half holds up nobody where another role is chosen after all%s", async (_, hasScripts) => {
  const { slug } = await makeConsumer(database);
  const person = await makeAccount(database);
  const operator = await makeAccount(database, { isOperator: true });
  const page = await openAs(operator, { javaScriptEnabled: hasScripts });
  const path = `/admin/consumers/${slug}/members?dialog=add`;
  await (hasScripts ? visit(page, path) : page.goto(path));
  const dialog = page.getByRole("dialog");
  const day = dialog.getByLabel("Last day", { exact: true });
  await dialog.getByLabel("Email").fill(person.email);
  await dialog.getByRole("radio", { name: /^Reviewer/ }).check();
  await day.focus();
  await page.keyboard.type("11");
  await dialog.getByRole("radio", { name: /^Developer/ }).check();
  const add = dialog.getByRole("button", { name: "Add", exact: true });
  if (!hasScripts) {
    await add.click();
    expect(await day.isVisible()).toBe(true);
    await day.focus();
    await page.keyboard.press("Delete");
    expect(await day.isVisible()).toBe(false);
  }
  await add.click();
  await page.waitForURL("**?done=add");
});

it("a limit that is not saved yet stays where another form of the page is, and is saved by the next press", async () => {
  const page = await openAs(await makeAccount(database, { isOperator: true }));
  const limit = page.getByLabel("Requests per minute");
  const save = page.getByRole("button", { name: "Save access" });
  for (const isRefusedFirst of [false, true]) {
    const { slug } = await makeConsumer(database, { state: "production", rateLimit: 600 });
    await visit(page, `/admin/consumers/${slug}`);
    if (isRefusedFirst) {
      await limit.fill("0");
      await save.click();
      await page.locator("[aria-invalid=true]").waitFor();
    }
    await limit.fill("900");
    await page.getByLabel("Slug").fill(`${slug}-apps`);
    await page.getByRole("button", { name: "Issue address" }).click();
    await told(page, "The directory endpoint is live").waitFor();
    expect(await limit.inputValue(), `refused first: ${isRefusedFirst}`).toBe("900");
    await save.click();
    await told(page, "It applies from the next request.").waitFor();
    expect(await limit.inputValue()).toBe("900");
  }
});

it("what was typed for an approval stays where a decline of it is refused, or not made in the end", async () => {
  const page = await openAs(await makeAccount(database, { isOperator: true }));
  const { slug } = await makeConsumer(database, { state: "production_requested" });
  await visit(page, `/admin/review/${slug}`);
  const fields = ["Requests per minute", "Directory endpoint"].map((label) => page.getByLabel(label));
  const typed = () => Promise.all(fields.map((field) => field.inputValue()));
  const dialog = page.getByRole("dialog");
  const decline = async () => {
    await page.getByRole("link", { name: "Decline" }).click();
    await dialog.getByRole("button", { name: "Decline" }).click();
    await dialog.locator("[aria-invalid=true]").waitFor();
    expect(await typed()).toEqual(["900", "trail"]);
    await dialog.getByRole("link", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(await typed()).toEqual(["900", "trail"]);
  };
  for (const [i, text] of ["900", "trail"].entries()) await fields[i]!.fill(text);
  await decline();
  // Also after the approval itself was refused for one of its fields.
  await page.getByLabel("utm_source").fill("");
  await page.getByRole("button", { name: "Approve for production" }).click();
  await page.locator("[aria-invalid=true]").first().waitFor();
  await decline();
});

// Last: from then on the terms that everybody else here has accepted are not the newest.
it("a tick for one version of the terms is none for the next, and all else that was typed stays", async () => {
  const page = await openAs(await makeAccount(database));
  await visit(page, "/apply");
  await page.getByLabel("Agent or product name").fill("Trail Guide");
  await page.getByLabel("Platform it runs on").fill("Web app");
  await page.getByLabel("How shoppers will use it").fill("They ask which tent fits four people in the rain.");
  await page.getByLabel("Company").fill("Acme");
  await page.getByLabel("Website").fill("https://www.acme.example");
  await page.getByLabel("Expected requests per day").fill("5000");
  await page.getByLabel(/data-use terms, version/).check();
  await database.sql`insert into terms (version, body) values ('2030-01-01', '# New terms')`;
  await page.getByRole("button", { name: "Submit application" }).click();
  const box = page.getByLabel("data-use terms, version 2030-01-01");
  await box.waitFor();
  expect(await box.isChecked()).toBe(false);
  expect(await page.getByLabel("Agent or product name").inputValue()).toBe("Trail Guide");
});
