// Access that ends, or a thing that goes, while a form about it is open: what was typed stays, and where to go from there is said.
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { members } from "../../db/schema/consumers";
import { merchantMembers } from "../../db/schema/merchants";
import * as tokens from "../../server/services/accounts/tokens";
import * as invitations from "../../server/services/invitations";
import { expectAccessible } from "../support/accessible";
import { testBrowser, visit } from "../support/browser";
import { testDatabase } from "../support/database";
import { makeAccount, makeConsumer, makeMerchant, makeStore } from "../support/factories";
import { loadRows } from "../support/feed";
import { newEmail, people } from "../support/people";
import { signIn } from "../support/roles";
import { testServer } from "../support/server";

const database = testDatabase();
const server = testServer(database);
const browser = testBrowser(server, database);

const told = (page: Page) => page.locator("form").getByRole("alert");
const answered = (page: Page) =>
  expect.poll(() => page.evaluate("window.__remixRouter.state.navigation.state")).toBe("idle");

/** Somebody acts for a store's merchant, and for another where `isOther`; the page shows the store. */
async function actFor(path: string, isOther: boolean) {
  const [store, other] = [await makeStore(database), await makeStore(database)];
  const { accountId } = await makeMerchant(database, store.merchantId);
  if (isOther) await database.db.insert(merchantMembers).values({ merchantId: other.merchantId, accountId });
  const cookies = await signIn(database, { id: accountId });
  await database.sql`update sessions set merchant_id = ${store.merchantId} where account_id = ${accountId}`;
  const page = await browser.openAs(cookies);
  await visit(page, `/merchant/stores/${store.slug}/${path}`);
  const withdraw = () => database.sql`delete from merchant_members where merchant_id = ${store.merchantId}`;
  return { page, store, withdraw };
}

it.each([
  ["for another merchant too", true, /^There is no such store/],
  ["for no other", false, /^You act for no merchant/],
])(
  "details are kept with the reason where somebody acts for their merchant no more, but %s",
  async (_, isOther, why) => {
    const { page, withdraw } = await actFor("details", isOther);
    const city = page.getByLabel("City");
    await city.fill("Galway");
    await withdraw();
    await page.getByRole("button", { name: "Save details" }).click();
    await told(page).filter({ hasText: why }).waitFor();
    await answered(page);
    expect(await city.inputValue()).toBe("Galway");
    if (!isOther) return;
    expect(await told(page).innerText()).toContain("your access to it has ended");
    await told(page).getByRole("link", { name: "Stores" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Discard" }).press("Enter");
    await page.waitForURL("**/merchant");
    await page.getByRole("heading", { name: "Stores" }).waitFor();
  },
);

it("what is refused for a field of its own is kept with that field's reason, though access to the store has ended", async () => {
  const { page, withdraw } = await actFor("policies?dialog=policy", true);
  const dialog = page.getByRole("dialog", { name: "Add a policy" });
  await dialog.getByLabel("Answer").fill("Yes, in a week.");
  await withdraw();
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.locator("[aria-invalid=true]").first().waitFor();
  await answered(page);
  expect(await dialog.getByLabel("Answer").inputValue()).toBe("Yes, in a week.");
});

it("a policy is kept in its dialog, with the reason, where access to its store has ended", async () => {
  const { page, withdraw } = await actFor("policies?dialog=policy", true);
  const dialog = page.getByRole("dialog", { name: "Add a policy" });
  await dialog.getByLabel("Question").fill("Do you ship to Norway?");
  await dialog.getByLabel("Answer").fill("Yes, in a week.");
  await dialog.getByLabel("About").selectOption("shipping");
  await withdraw();
  await dialog.getByRole("button", { name: "Save" }).click();
  await told(page).filter({ hasText: "There is no such store" }).waitFor();
  await answered(page);
  expect(await dialog.getByLabel("Answer").inputValue()).toBe("Yes, in a week.");
});

it.each([
  ["another platform too", true],
  ["no other platform", false],
])(
  "an application is kept with the reason where its platform is somebody's no more, who has %s",
  async (_, isOther) => {
    const [{ id, owner }, other] = [
      await makeConsumer(database, { state: "under_review" }),
      await makeConsumer(database),
    ];
    if (isOther) await database.db.insert(members).values({ consumerId: other.id, accountId: owner.id, role: "owner" });
    const cookies = await signIn(database, owner);
    await database.sql`update sessions set consumer_id = ${id} where account_id = ${owner.id}`;
    const page = await browser.openAs(cookies);
    await visit(page, "/console/application");
    await page.getByLabel("Company").fill("Galway");
    await database.sql`delete from members where consumer_id = ${id}`;
    await page.getByRole("button", { name: "Save changes" }).click();
    await told(page).waitFor();
    await answered(page);
    expect(await page.getByLabel("Company").inputValue()).toBe("Galway");
  },
);

it("what has no text in it leads from what is gone to a page that is there", async () => {
  const { page, store, withdraw } = await actFor("", true);
  const { status, text } = await withdraw().then(() =>
    page.evaluate(async (slug) => {
      const body = new URLSearchParams({ intent: "end", id: crypto.randomUUID() });
      const answer = await fetch(`/merchant/stores/${slug}/promotions`, { method: "POST", body });
      return { status: answer.status, text: await answer.text() };
    }, store.slug),
  );
  expect(status).toBe(404);
  expect(text).toMatch(/removed it in the meantime\. It may also be that your access to it has ended/);
  expect(text).toMatch(/href="\/merchant"[^>]*>(<!-- -->)?Go to /);
});

/** A store's promotion that is about to be removed, in the dialog that asks. */
async function askToRemove(isOther: boolean) {
  const { page, store, withdraw } = await actFor("promotions", isOther);
  await database.sql`
    insert into promotions (store_id, promotion_id, long_title, percent_off, currency, starts_at, ends_at, redemption_channel)
    values (${store.id}, 'SPRING', 'Sale', 5, 'EUR', '2020-01-01', '2021-01-01', '{online}')`;
  await visit(page, `/merchant/stores/${store.slug}/promotions?dialog=remove&id=SPRING`);
  return { page, store, withdraw, remove: page.getByRole("dialog").getByRole("button", { name: "Remove" }) };
}

it("the dialog that asks goes with what somebody removed meanwhile, and the page, as it is now, says so", async () => {
  const { page, store, remove } = await askToRemove(false);
  await database.sql`delete from promotions where store_id = ${store.id}`;
  await remove.click();
  const why = page.getByRole("alert").filter({ hasText: /^There is no such promotion/ });
  await page.getByText("No promotion yet").waitFor();
  await expect.poll(() => why.count()).toBe(1);
  expect(await why.innerText()).toContain("Nothing was done");
  expect(await page.getByRole("dialog").count()).toBe(0);
  await expectAccessible(page, "what is gone");
  const { y, height } = (await why.boundingBox())!;
  expect([y >= 0, y + height <= page.viewportSize()!.height]).toEqual([true, true]);
  await why.getByRole("button", { name: "Dismiss" }).press("Enter");
  await why.waitFor({ state: "detached" });
  expect(await page.evaluate(() => document.activeElement?.id)).toBe("content");
});

it("a page that is gone with what was to be removed says so once, and leads to one that is there", async () => {
  const { page, remove, withdraw } = await askToRemove(true);
  await withdraw();
  await remove.click();
  await page.getByRole("heading", { name: "There is no such store" }).waitFor();
  await answered(page);
  expect(await page.getByText("There is no such store").count()).toBe(1);
  await page.getByRole("link", { name: "Go to Stores" }).click();
  await page.waitForURL("**/merchant");
});

it("a button of a row whose thing is gone leaves the page, as it is now, and says so", async () => {
  const { page, store } = await actFor("products", false);
  await loadRows(database, store.id, [{ id: "1" }, { id: "2" }]);
  await visit(page, page.url());
  await database.sql`delete from products where store_id = ${store.id} and product_id = '2'`;
  const exclude = page.getByRole("button", { name: /^Exclude / });
  await exclude.last().click();
  await page
    .getByRole("alert")
    .filter({ hasText: /^There is no such product/ })
    .waitFor();
  expect(await exclude.count()).toBe(1);
});

it("the page that takes the place of a link's, which was used or withdrawn while it stood there, has the focus of its button", async () => {
  const invited = await makeAccount(database);
  const { merchantId } = await makeStore(database);
  const operator = await makeAccount(database, { isOperator: true });
  await invitations.send(database.as({ kind: "operator", accountId: operator.id }), {
    merchantId,
    email: invited.email,
  });
  const token = await tokens.mint(database.as({ kind: "system" }), database.db, {
    accountId: invited.id,
    purpose: "change_email",
    email: newEmail(),
  });
  const links: [path: string, button: string, end: () => Promise<unknown>, gone: string][] = [
    [
      `/confirm-email?token=${token}`,
      "Confirm the change",
      () => database.sql`update account_tokens set used_at = now()`,
      "This link has already been used",
    ],
    [
      `/invitation?token=${await people(database).linkTo(invited.email, "/invitation")}`,
      "Accept",
      () => database.sql`update merchant_invitations set withdrawn_at = now()`,
      "This invitation was withdrawn",
    ],
  ];
  const page = await browser.openAs(invited);
  for (const [path, name, end, gone] of links) {
    await visit(page, path);
    const button = page.getByRole("button", { name });
    await button.focus();
    await end();
    await button.press("Enter");
    await page.getByRole("heading", { name: gone }).waitFor();
    await answered(page);
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("content");
  }
});
