// The merchant's catalogue in real Chromium: a file goes up, is watched while it loads, and is undone; axe on each page.
import { expect, it } from "vitest";
import * as sessions from "../../server/sessions";
import { expectAccessible } from "../support/accessible";
import { testBrowser, visit } from "../support/browser";
import { testDatabase } from "../support/database";
import { makeMerchant, makeStore } from "../support/factories";
import { tsv } from "../support/feeds/load";
import { testServer } from "../support/server";
import { told } from "./told";

const database = testDatabase();
const server = testServer(database);
const browser = testBrowser();

async function logIn() {
  const store = await makeStore(database, { name: "Ridge & Sons" });
  const { accountId } = await makeMerchant(database, store.merchantId);
  const account = { id: accountId, passwordVersion: 1 };
  const core = database.as({ kind: "system" });
  const { token } = await sessions.create(core, { account, userAgent: "tests", address: "127.0.0.1" });
  const page = await browser.open({ baseURL: server.url });
  await page.context().addCookies([{ name: "aisle", value: token, url: server.url }]);
  return page;
}

it("how a load ends is told where one is: that it is loaded, or, in view, why it is not", async () => {
  const page = await logIn();
  await page.setViewportSize({ width: 1440, height: 500 });
  await visit(page, "/merchant/catalogue");
  const send = async (name: string, text: string) => {
    await page.getByLabel("Product feed").setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
    await page.getByRole("button", { name: "Upload" }).click();
  };
  await send("one.tsv", tsv([{ id: "1" }]));
  await told(page, "one.tsv is loaded").waitFor();
  await send("two.tsv", "no feed at all\n");
  const why = page.getByRole("alert").filter({ hasText: "two.tsv was refused" });
  await why.waitFor();
  const isInView = async () => {
    const { y, height } = (await why.boundingBox())!;
    return y >= 0 && y + height <= 500;
  };
  await expect.poll(isInView).toBe(true);
});

it("a file goes up, is watched while it loads, reported, undone, and brought back", async () => {
  const page = await logIn();
  await page.goto("/merchant/catalogue");
  await page.getByText("No catalogue yet").waitFor();
  await expectAccessible(page, "empty");
  const send = async (name: string, text: string) => {
    await page.getByLabel("Product feed").setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
    await page.getByRole("button", { name: "Upload" }).click();
  };
  await send("one.tsv", tsv([{ id: "1" }, { id: "2", price: "free" }, { id: "3" }]));
  await page.getByText("one.tsv · Uploaded by").waitFor();
  const many = Array.from({ length: 15_000 }, (_, i) => ({ id: `${i}`, description: `Number ${i}`.repeat(20) }));
  await send("many.tsv", tsv(many));
  // By itself: nobody loads the page again.
  await page.getByText("many.tsv · Uploaded by").waitFor({ timeout: 60_000 });
  await page.getByText("15,000").first().waitFor();

  await page.getByRole("link", { name: "Restore previous" }).click();
  await page.getByRole("dialog").getByText("Restore the previous catalogue?").waitFor();
  await expectAccessible(page, "undo");
  await page.getByRole("button", { name: "Restore", exact: true }).click();
  await page.getByText("one.tsv · Restored by").waitFor({ timeout: 60_000 });
  await page.getByRole("link", { name: "Report" }).click();
  await page.getByRole("heading", { name: "one.tsv" }).waitFor();
  await page.getByText("is not a price such as 12.50 EUR").waitFor();
  await expectAccessible(page, "report");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Download all bad rows (CSV)" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("one-bad-rows.csv");
});
