// What was refused, since somebody else was quicker: it is said where it is seen, and what stands now is on the page.
import type { Locator, Page } from "playwright-core";
import { expect, it } from "vitest";
import { merchantMembers } from "../../db/schema/merchants";
import * as consumers from "../../server/services/consumers";
import * as invitations from "../../server/services/invitations";
import * as keys from "../../server/services/keys";
import * as members from "../../server/services/members";
import { expectAccessible } from "../support/accessible";
import { hold, testBrowser, visit } from "../support/browser";
import { issueKey } from "../support/clients";
import { testDatabase } from "../support/database";
import { makeAccount, makeConsumer, makeMerchant, makeStore } from "../support/factories";
import type { Person } from "../support/roles";
import { testServer } from "../support/server";
import { told } from "./told";

const database = testDatabase();
const server = testServer(database);
const browser = testBrowser(server, database);

const HEIGHT = 500;
const openAs = async (person: Person) => browser.openAs(person, { viewport: { width: 1440, height: HEIGHT } });

async function expectInView(page: Page, what: Locator): Promise<void> {
  await what.waitFor();
  await expect
    .poll(async () => {
      const box = await what.boundingBox();
      return box !== null && box.y >= 0 && box.y + box.height <= HEIGHT;
    })
    .toBe(true);
  await expectAccessible(page, "a refusal");
}

it("who was too late with a decision sees what stands once the dialog is closed, and decides with the next press", async () => {
  const ada = await makeAccount(database, { isOperator: true, name: "Ada" });
  const { slug } = await makeConsumer(database, { state: "production" });
  const page = await openAs(await makeAccount(database, { isOperator: true }));
  await visit(page, `/admin/consumers/${slug}?dialog=reject`);
  await consumers.change(database.as({ kind: "operator", accountId: ada.id }), { slug, set: { rateLimit: 77 } });
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Reason").fill("Their page is gone.");
  await dialog.getByRole("button", { name: "Revoke access" }).click();
  await dialog
    .getByRole("alert")
    .filter({ hasText: /^Ada .*Review the current state, then decide\.$/ })
    .waitFor();
  await dialog.getByRole("link", { name: "Cancel" }).click();
  await dialog.waitFor({ state: "detached" });
  expect(await page.getByLabel("Requests per minute").inputValue()).toBe("77");
  await page.getByRole("link", { name: "Revoke access" }).click();
  await dialog.getByLabel("Reason").fill("Their page is gone.");
  await dialog.getByRole("button", { name: "Revoke access" }).click();
  await told(page, "Access has been revoked").waitFor();
});

it("what was typed into an application stays to be read where production access was requested meanwhile", async () => {
  const { id, owner } = await makeConsumer(database);
  const page = await openAs(owner);
  await visit(page, "/console/application");
  await page.getByLabel("How shoppers will use it").fill("It compares tents.");
  await database.sql`update consumers set state = 'production_requested' where id = ${id}`;
  await page.getByRole("button", { name: "Save changes" }).click();
  await expectInView(page, page.getByRole("alert").filter({ hasText: "only under review and in sandbox" }));
  await page.locator("main section").filter({ hasText: "What you typed" }).getByText("It compares tents.").waitFor();
  await page.getByText("Answers shoppers' questions.").waitFor();
});

it("who was too late with a person's role is told which they have now, and changes that with the next press", async () => {
  const { id: consumerId, slug } = await makeConsumer(database);
  const { id: accountId, email, name } = await makeAccount(database);
  const operator = await makeAccount(database, { isOperator: true });
  const ctx = () => database.as({ kind: "operator", accountId: operator.id } as const);
  await members.add(ctx(), { consumerId, email, role: "developer", lastDay: null });
  const { grantedAt } = (await members.team(ctx(), { consumerId })).find((one) => one.accountId === accountId)!;
  const page = await openAs(operator);
  await visit(page, `/admin/consumers/${slug}/members?dialog=role&id=${accountId}`);
  const lastDay = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10);
  await members.changeRole(ctx(), { consumerId, accountId, grantedAt, role: "reviewer", lastDay });
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("radio", { name: /^Owner/ }).check();
  await dialog.getByRole("button", { name: "Change role" }).click();
  await expectInView(page, dialog.getByRole("alert").filter({ hasText: `${name} was made a reviewer` }));
  await dialog.getByRole("button", { name: "Change role" }).click();
  await told(page, "The role has been changed").waitFor();
});

it("where nothing is left to decide the dialog goes, and the page says why", async () => {
  const { id: consumerId, owner } = await makeConsumer(database, { state: "sandbox" });
  const key = await issueKey(database, consumerId, { name: "Server" });
  const page = await openAs(owner);
  await visit(page, `/console/keys?dialog=rotate&id=${key.id}`);
  await keys.rotate(database.as({ kind: "member", accountId: owner.id, consumerId, role: "owner" }), {
    id: key.id,
    revokeOld: false,
  });
  await page.getByRole("dialog").getByRole("button", { name: "Rotate key" }).click();
  await expectInView(page, page.getByRole("alert").filter({ hasText: "Only an active key can be rotated" }));
  expect(await page.getByRole("dialog").count()).toBe(0);
  await page.getByText("Superseded").first().waitFor();

  const { merchantId } = await makeStore(database);
  const operator = await makeAccount(database, { isOperator: true });
  const email = `ada-${merchantId.slice(-6)}@harbour.example`;
  const ctx = database.as({ kind: "operator", accountId: operator.id });
  await invitations.send(ctx, { merchantId, email });
  const [invitation] = await invitations.list(ctx, { merchantId });
  const desk = await openAs(operator);
  await visit(desk, `/admin/merchants/${merchantId}?dialog=withdraw&id=${invitation!.id}`);
  await database.sql`update merchant_invitations set accepted_at = now() where id = ${invitation!.id}`;
  await desk.getByRole("dialog").getByRole("button", { name: "Withdraw" }).click();
  await expectInView(desk, desk.getByRole("alert").filter({ hasText: "accepted or withdrawn in the meantime" }));
  expect(await desk.getByRole("dialog").count()).toBe(0);
  expect(await desk.getByText(email).count()).toBe(0);
});

it("what was typed into a programme that a colleague removed stays in its dialog, and the page has it no more", async () => {
  const { id, slug, merchantId } = await makeStore(database);
  const { accountId } = await makeMerchant(database, merchantId);
  await database.sql`
    with program as (insert into loyalty_programs (id, store_id, name, description, terms_url, is_primary)
      values (gen_random_uuid(), ${id}, 'Club', 'Points.', 'https://shop.example/club', true) returning id)
    insert into loyalty_tiers (program_id, name, threshold_points, multiplier, perks)
    select id, 'Member', 0, 1, '{}' from program`;
  const page = await openAs({ id: accountId });
  await visit(page, `/merchant/stores/${slug}/loyalty`);
  await page.getByRole("link", { name: "Edit Club" }).click();
  const dialog = page.getByRole("dialog");
  await database.sql`delete from loyalty_programs where store_id = ${id}`;
  await dialog.getByLabel("Name").fill("The Club");
  await dialog.getByRole("textbox", { name: "Tier 1" }).fill("Friend");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expectInView(page, dialog.getByRole("alert").filter({ hasText: "was removed in the meantime" }));
  const typed = ["Name", "Tier 1"].map((name) => dialog.getByRole("textbox", { name, exact: true }).inputValue());
  expect(await Promise.all(typed)).toEqual(["The Club", "Friend"]);
  await dialog.getByRole("link", { name: "Cancel" }).click();
  await page.getByText("No loyalty programme yet").waitFor();
});

it("an ended promotion that a colleague let run again is removed by the next press, once that is shown", async () => {
  const { id, slug, merchantId } = await makeStore(database);
  await database.sql`
    insert into promotions (store_id, promotion_id, long_title, percent_off, currency, starts_at, ends_at, redemption_channel)
    values (${id}, 'SPRING', 'Sale', 5, 'EUR', '2020-01-01', '2021-01-01', '{online}')`;
  const page = await openAs({ id: (await makeMerchant(database, merchantId)).accountId });
  await visit(page, `/merchant/stores/${slug}/promotions?dialog=remove&id=SPRING`);
  await database.sql`update promotions set ends_at = '2090-01-01' where store_id = ${id}`;
  const remove = page.getByRole("dialog").getByRole("button", { name: "Remove" });
  await remove.click();
  await expectInView(
    page,
    page.getByRole("alert").filter({ hasText: "changed in the meantime, so it was not removed" }),
  );
  await page.getByText("Running").waitFor();
  await remove.click();
  await page.getByText("No promotion yet").waitFor();
});

/** Each that comes into the page from now on is said by a screen reader. */
const countRefusals = `(() => {
  window.refusals = 0;
  const isRefusal = "[role=alert]";
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes)
      for (const one of addedNodes)
        if (one.matches?.(isRefusal) || one.querySelector?.(isRefusal)) window.refusals++;
  }).observe(document.body, { childList: true, subtree: true });
})()`;

it("limits that somebody else changed meanwhile are refused once, beside the button that was pressed, with the way to what stands", async () => {
  const { slug } = await makeConsumer(database, { state: "production" });
  const page = await openAs(await makeAccount(database, { isOperator: true }));
  const other = database.as({ kind: "operator", accountId: null });
  await visit(page, `/admin/consumers/${slug}`);
  await consumers.change(other, { slug, set: { rateLimit: 77 } });
  await page.evaluate(countRefusals);
  await page.getByRole("button", { name: "Save access" }).click();
  const refusal = page.locator("form").getByRole("alert").filter({ hasText: "Review the current state, then decide." });
  await expectInView(page, refusal);
  // The page is loaded anew then, and what was said of the form is not said again.
  const [{ version }] = await database.sql<[{ version: number }]>`select version from consumers where slug = ${slug}`;
  await page.locator(`[name=version][value="${version}"]`).first().waitFor({ state: "attached" });
  expect(await page.evaluate("window.refusals")).toBe(1);
  await refusal.getByRole("link", { name: "Refresh" }).press("Enter");
  await refusal.waitFor({ state: "detached" });
  await expect.poll(() => page.getByLabel("Requests per minute").inputValue()).toBe("77");
  // The link went with what it was beside.
  await page.locator("main section:focus").filter({ hasText: "Limits and access" }).waitFor();

  await consumers.change(other, { slug, set: { rateLimit: 78 } });
  await page.getByLabel("Slug").fill(`${slug}-directory`);
  await page.getByRole("button", { name: "Issue address" }).click();
  await expectInView(page, refusal);
});

it("a name that another platform has is said once, beside its field, which keeps the focus: nobody was too late", async () => {
  const { utmSource } = await makeConsumer(database, {
    state: "production",
    directorySlug: `taken-${crypto.randomUUID()}`,
  });
  const { slug } = await makeConsumer(database, { state: "production_requested" });
  const page = await openAs(await makeAccount(database, { isOperator: true }));
  await visit(page, `/admin/review/${slug}`);
  const field = page.getByLabel("utm_source");
  await field.fill(utmSource!);
  await page.getByLabel("Maximum keys").fill("9");
  await page.getByRole("button", { name: "Approve for production" }).click();
  const words = page.getByText("Another consumer has this utm_source");
  await expectInView(page, words.last());
  expect(await words.count()).toBe(1);
  expect(await page.getByRole("link", { name: "Refresh" }).count()).toBe(0);
  expect(await field.evaluate((one) => one === document.activeElement)).toBe(true);
  await field.fill(`${slug}-links`);
  await page.getByRole("button", { name: "Approve for production" }).click();
  await told(page, "Production access has been approved").waitFor();
});

/** Somebody who acts for a merchant with a dozen stores, on `path`. */
async function merchantAt(path: string, aiDiscovery: boolean) {
  const { merchantId } = await makeStore(database);
  for (let i = 0; i < 12; i++) await makeStore(database, { merchant: { id: merchantId } });
  await database.sql`update stores set ai_discovery = ${aiDiscovery} where merchant_id = ${merchantId}`;
  const { accountId } = await makeMerchant(database, merchantId);
  const page = await openAs({ id: accountId });
  await visit(page, path);
  /** The last of them by name becomes the demo store, which has no switch. There is one at most. */
  const haveDemo = async () => {
    await database.sql`update stores set is_demo = false where is_demo`;
    await database.sql`
      update stores set is_demo = true
      where id = (select id from stores where merchant_id = ${merchantId} order by name desc limit 1)`;
  };
  return { page, merchantId, accountId, haveDemo };
}
const isDemo = (place: Page | Locator) => place.getByRole("alert").filter({ hasText: "is the demo store" });

it("what was refused of a row comes into view, wherever the row stood", async () => {
  const { page, haveDemo } = await merchantAt("/merchant", false);
  await haveDemo();
  const buttons = page.getByRole("button", { name: /^Turn on/ });
  await buttons.last().click();
  await expectInView(page, isDemo(page));
});

it("what was refused of a dialog is said in it, and there alone", async () => {
  const { page, haveDemo } = await merchantAt("/merchant", true);
  const links = page.getByRole("link", { name: /^Turn off AI Discovery/ });
  await links.last().click();
  const dialog = page.getByRole("dialog");
  await dialog.waitFor();
  await haveDemo();
  await dialog.getByRole("button", { name: "Turn off" }).click();
  await expectInView(page, isDemo(dialog));
  expect(await page.getByText("is the demo store: every platform may read it").count()).toBe(1);
  // The same once more is said once more.
  const first = await isDemo(dialog).elementHandle();
  await dialog.getByRole("button", { name: "Turn off" }).click();
  await expect.poll(() => first!.evaluate((one) => one.isConnected)).toBe(false);
  await isDemo(dialog).waitFor();
});

it("what was refused of the inbox is not said to be wrong with the form beside it", async () => {
  const { page, merchantId, accountId } = await merchantAt("/merchant", true);
  const other = await makeStore(database);
  const { id: consumerId } = await makeConsumer(database, { state: "production" });
  await database.sql`
    insert into notifications (id, consumer_id, store_id)
    select gen_random_uuid(), ${consumerId}, id from stores where merchant_id = ${merchantId}`;
  await visit(page, "/merchant/notifications");
  await database.sql`insert into merchant_members ${database.sql({ merchant_id: other.merchantId, account_id: accountId })}`;
  await database.sql`update sessions set merchant_id = ${other.merchantId} where account_id = ${accountId}`;
  await page.getByRole("button", { name: "Mark all as read" }).click();
  const refusal = (place: Page | Locator) => place.getByRole("alert").filter({ hasText: "was about a different one" });
  await expectInView(page, refusal(page));
  expect(await refusal(page.locator("form")).count()).toBe(0);
});

it("who went over to another merchant in another window keeps what they typed, and saves it once they are back", async () => {
  const store = await makeStore(database);
  const { accountId } = await makeMerchant(database, store.merchantId);
  const other = await makeStore(database);
  await database.db.insert(merchantMembers).values({ merchantId: other.merchantId, accountId });
  const page = await openAs({ id: accountId });
  const goOver = (merchantId: string) =>
    database.sql`update sessions set merchant_id = ${merchantId} where account_id = ${accountId}`;
  await goOver(store.merchantId);
  await visit(page, `/merchant/stores/${store.slug}/policies?dialog=policy`);
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("About").selectOption("faq");
  await dialog.getByLabel("Question").fill("Do you ship abroad?");
  await dialog.getByLabel("Answer").fill("To all of Europe.");
  await goOver(other.merchantId);
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByText("you act for another merchant now").waitFor();
  expect(await dialog.getByLabel("Answer").inputValue()).toBe("To all of Europe.");
  await goOver(store.merchantId);
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByText("To all of Europe.").waitFor();
  await dialog.waitFor({ state: "detached" });
});

it("a dialog waits for the answer to what was sent in it, whoever presses Escape or Cancel meanwhile", async () => {
  const { id, owner } = await makeConsumer(database);
  const key = await issueKey(database, id, { name: "Worker" });
  const page = await openAs(owner);
  const { release } = await hold(page, "POST", "**/console/keys.data*");
  await visit(page, `/console/keys?dialog=rotate&id=${key.id}`);
  await page.getByLabel("Revoke the old key now").check();
  await page.getByRole("button", { name: "Rotate key" }).click();
  await page.getByRole("dialog").locator("a[aria-disabled]").first().waitFor();
  for (let i = 0; i < 3; i++) await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "Cancel" }).click({ force: true });
  await page.getByRole("link", { name: "Close" }).click({ force: true });
  expect(new URL(page.url()).searchParams.get("dialog")).toBe("rotate");
  release();
  await page.getByRole("dialog").getByText("Your new key").waitFor();
  expect(await page.getByRole("dialog").innerText()).toMatch(/aisle_\w{36}/);
});
