// A form that was sent, in real Chromium: the focus and what was filled in stay.
import { expect, it } from "vitest";
import { testBrowser, visit } from "../support/browser";
import { testDatabase } from "../support/database";
import { makeAccount, makeConsumer, makeMerchant, makeStore } from "../support/factories";
import type { Person } from "../support/roles";
import { testServer } from "../support/server";
import { messages } from "./told";

const database = testDatabase();
const server = testServer(database, { NODE_ENV: "local" });
const browser = testBrowser(server, database);
const openAs = async (account: Person, javaScriptEnabled = true) => browser.openAs(account, { javaScriptEnabled });

it("whoever saves with Enter in a field that is drawn anew has the focus at its card, and not nowhere", async () => {
  const { slug } = await makeConsumer(database);
  const operator = await openAs(await makeAccount(database, { isOperator: true }));
  await visit(operator, `/admin/consumers/${slug}`);
  const rate = operator.getByLabel("Requests per minute");
  await rate.fill("99");
  await rate.press("Enter");
  await messages(operator, /saved|changed/i).waitFor();
  await operator.locator("section:focus").filter({ hasText: "Limits and access" }).waitFor();

  const store = await makeStore(database);
  const { accountId } = await makeMerchant(database, store.merchantId);
  const merchant = await openAs({ id: accountId });
  await visit(merchant, "/merchant/notifications");
  const other = merchant.locator("input[name=frequency]:not(:checked)").first();
  await other.press("Space");
  await other.press("Enter");
  await messages(merchant, /saved|digest/i).waitFor();
  await merchant.locator("section:focus").filter({ hasText: "How often" }).waitFor();
});

it("without scripts a refused application keeps the tick at the terms of the same version", async () => {
  const page = await openAs(await makeAccount(database), false);
  await page.goto("/apply");
  await page.getByLabel("Agent or product name").fill("Trail Guide");
  await page.getByLabel("Platform it runs on").fill("Web app");
  await page.getByLabel("How shoppers will use it").fill("They ask which tent fits four people in the rain.");
  await page.getByLabel("Company").fill("Harbour");
  await page.getByLabel("Website").fill("nonsense here");
  await page.getByLabel("Expected requests per day").fill("5000");
  const terms = page.getByLabel(/data-use terms, version/);
  await terms.check();
  await page.getByRole("button", { name: "Submit application" }).click();
  await page.locator("[aria-invalid=true]").first().waitFor();
  expect(await terms.isChecked()).toBe(true);
});
