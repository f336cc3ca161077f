// What is typed into a form is nobody else's to take away: neither an answer on its way, nor a colleague, nor a press beside it.
import type { Locator } from "playwright-core";
import { expect, it } from "vitest";
import * as consumers from "../../server/services/consumers";
import { hold, testBrowser, visit } from "../support/browser";
import { testDatabase } from "../support/database";
import { makeAccount, makeConsumer, makeMerchant, makeStore } from "../support/factories";
import { testServer } from "../support/server";
import { messages } from "./told";

const database = testDatabase();
const server = testServer(database);
const { openAs } = testBrowser(server, database);
const openAsMerchant = async (merchantId: string) =>
  openAs({ id: (await makeMerchant(database, merchantId)).accountId });

const pending = (button: Locator) => button.and(button.page().locator("[aria-disabled]")).waitFor();

it.each([
  ["an application", "/console/application", "Company", "Website", "Save changes", /saved/i],
  ["the settings", "/admin/settings", "Requests per minute", "Maximum keys", "Save settings", /saved|changed/i],
  [
    "a platform's access",
    "/admin/consumers/:slug",
    "Requests per minute",
    "Maximum keys",
    "Save access",
    /saved|changed/i,
  ],
  [
    "a store's profile",
    "/admin/merchants/:merchant/stores/:store",
    "Legal name",
    "Description",
    "Save changes",
    /saved/i,
  ],
  ["a store's details", "/merchant/stores/:storeSlug/details", "City", "Region", "Save details", /saved/i],
] as const)(
  "what is typed while %s is being saved stays, with the focus, and the next press saves it",
  async (...row) => {
    const [, path, sent, since, label, note] = row;
    const { slug, owner } = await makeConsumer(database, { state: "under_review" });
    const store = await makeStore(database);
    const page = path.startsWith("/console")
      ? await openAs(owner)
      : path.startsWith("/admin")
        ? await openAs(await makeAccount(database, { isOperator: true }))
        : await openAsMerchant(store.merchantId);
    await visit(
      page,
      path
        .replace(":slug", slug)
        .replace(":merchant", store.merchantId)
        .replace(":storeSlug", store.slug)
        .replace(":store", store.id),
    );
    const field = (name: string) => page.getByLabel(name, { exact: true }).first();
    const [first, second] = [
      since === "Website" ? "harbour.example" : "41",
      since === "Website" ? "pier.example" : "12",
    ];
    await field(sent).fill(first);
    const { release } = await hold(page, "POST", /\.data/);
    const button = page.getByRole("button", { name: label });
    await button.click();
    await pending(button);
    await field(since).fill(second);
    release();
    await messages(page, note).first().waitFor();
    expect([await field(sent).inputValue(), await field(since).inputValue()]).toEqual([first, second]);
    expect(await field(since).evaluate((one) => one === document.activeElement)).toBe(true);
    await button.click();
    await pending(button);
    await button.and(page.locator(":not([aria-disabled])")).waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
    await visit(page, page.url());
    expect([await field(sent).inputValue(), await field(since).inputValue()]).toEqual([
      first,
      expect.stringContaining(second),
    ]);
  },
);

it("what is typed into a programme while its refusal is on its way stays, also in a row at its end", async () => {
  const { slug, merchantId } = await makeStore(database);
  const page = await openAsMerchant(merchantId);
  await visit(page, `/merchant/stores/${slug}/loyalty?dialog=program`);
  const dialog = page.getByRole("dialog");
  const tier = (n: number) => dialog.getByRole("textbox", { name: `Tier ${n}` });
  await tier(1).fill("");
  await dialog.getByRole("group", { name: "Tier 1" }).getByLabel("From points").fill("");
  await tier(2).fill("Friend");
  const { release } = await hold(page, "POST", /\.data/);
  const save = dialog.getByRole("button", { name: "Save" });
  await save.click();
  await pending(save);
  await tier(3).fill("Family");
  release();
  await dialog.locator("[aria-invalid=true]").first().waitFor();
  await save.and(page.locator(":not([aria-disabled])")).waitFor();
  expect([await tier(2).inputValue(), await tier(3).inputValue()]).toEqual(["Friend", "Family"]);
});

it("limits that are not saved yet stay while a colleague changes others, who is named once they are saved", async () => {
  const { slug } = await makeConsumer(database, { state: "production" });
  const colleague = await makeAccount(database, { isOperator: true, name: "Ada" });
  const page = await openAs(await makeAccount(database, { isOperator: true }));
  await visit(page, `/admin/consumers/${slug}`);
  const rate = page.getByLabel("Requests per minute");
  const explicit = page.getByRole("radio", { name: /^Explicit/ });
  await rate.fill("99");
  await explicit.check();
  const ctx = database.as({ kind: "operator", accountId: colleague.id } as const);
  await consumers.change(ctx, { slug, set: { rateLimit: 77, maxKeys: 3 } });
  // Another form of the page is too late, and has it loaded anew.
  await page.getByRole("link", { name: "Revoke access" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Reason").fill("Their page is gone.");
  await dialog.getByRole("button", { name: "Revoke access" }).click();
  await dialog.getByRole("alert").filter({ hasText: /^Ada / }).waitFor();
  await dialog.getByRole("link", { name: "Cancel" }).click();
  await dialog.waitFor({ state: "detached" });
  expect([await rate.inputValue(), await explicit.isChecked()]).toEqual(["99", true]);

  const save = page.getByRole("button", { name: "Save access" });
  await save.click();
  await page.locator("form").getByRole("alert").filter({ hasText: /^Ada / }).waitFor();
  await save.and(page.locator(":not([aria-disabled])")).waitFor();
  expect([await rate.inputValue(), await explicit.isChecked()]).toEqual(["99", true]);
  await save.click();
  await messages(page, /saved|changed/i).waitFor();
  expect([await rate.inputValue(), await explicit.isChecked()]).toEqual(["99", true]);

  // Whoever asks for what stands has it, whatever was typed.
  await consumers.change(ctx, { slug, set: { rateLimit: 78 } });
  await rate.fill("55");
  await save.click();
  await page.locator("form").getByRole("link", { name: "Refresh" }).click();
  await expect.poll(() => rate.inputValue()).toBe("78");
});

it("a decision that is being filled in stays while a colleague changes the platform, who is named before it is made", async () => {
  const { slug } = await makeConsumer(database, { state: "production_requested" });
  const colleague = await makeAccount(database, { isOperator: true, name: "Ada" });
  const page = await openAs(await makeAccount(database, { isOperator: true }));
  await visit(page, `/admin/review/${slug}`);
  const source = page.getByLabel("utm_source");
  const scope = page.getByRole("checkbox", { name: /loyalty:read/ });
  await source.fill(`${slug}-links`);
  await scope.uncheck();
  const ctx = database.as({ kind: "operator", accountId: colleague.id } as const);
  await consumers.change(ctx, { slug, set: { maxKeys: 4 } });
  await page.getByRole("link", { name: "Decline" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Reason").fill("Their page is gone.");
  await dialog.getByRole("button", { name: "Decline" }).click();
  await dialog.getByRole("alert").filter({ hasText: /^Ada / }).waitFor();
  await dialog.getByRole("link", { name: "Cancel" }).click();
  await dialog.waitFor({ state: "detached" });
  const approve = page.getByRole("button", { name: "Approve for production" });
  for (const _ of ["the colleague is named", "it is made"]) {
    expect([await source.inputValue(), await scope.isChecked()]).toEqual([`${slug}-links`, false]);
    await approve.click();
    await page
      .getByRole("alert")
      .filter({ hasText: /^Ada / })
      .or(messages(page, /approved/))
      .first()
      .waitFor();
    await page.locator("button[type=submit][aria-disabled]").waitFor({ state: "detached" });
  }
  await messages(page, /approved/).waitFor();
});

it("how often one wants to be mailed stays as it was chosen while a notification is read", async () => {
  const { merchantId, id: storeId } = await makeStore(database);
  const { id: consumerId } = await makeConsumer(database, { state: "production" });
  await database.sql`
    insert into notifications (id, consumer_id, store_id) values (gen_random_uuid(), ${consumerId}, ${storeId})`;
  const page = await openAsMerchant(merchantId);
  await visit(page, "/merchant/notifications");
  const mine = page.getByLabel(/^Send it to me/);
  await page.locator("input[name=frequency][value=off]").check();
  await mine.uncheck();
  await database.sql`update merchants set digest = 'weekly' where id = ${merchantId}`;
  await page.getByRole("button", { name: "Mark all as read" }).click();
  await messages(page, "Marked as read").waitFor();
  expect([await page.locator("input[name=frequency]:checked").inputValue(), await mine.isChecked()]).toEqual([
    "off",
    false,
  ]);
});
