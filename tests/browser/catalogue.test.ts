// The merchant's catalogue in real Chromium: a file goes up, is watched while it loads, and is undone; axe on each page.
import type { Locator } from "playwright-core";
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
const browser = testBrowser(server, database);

async function logIn() {
  const store = await makeStore(database, { name: "Ridge & Sons" });
  const { accountId } = await makeMerchant(database, store.merchantId);
  const account = { id: accountId, passwordVersion: 1 };
  const core = database.as({ kind: "system" });
  const { token } = await sessions.create(core, { account, userAgent: "tests", address: "127.0.0.1" });
  const page = await browser.open();
  await page.context().addCookies([{ name: "aisle", value: token, url: server.url }]);
  return { page, storeId: store.id };
}

it("how a load ends is told where one is: that it is loaded, or, in view, why it is not", async () => {
  const { page } = await logIn();
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

it("a button that must wait for what it began keeps the focus, and does nothing meanwhile", async () => {
  const { page, storeId } = await logIn();
  await database.sql`
    insert into feed_sources (store_id, url, next_fetch_at)
    values (${storeId}, 'https://shop.example/a.tsv', now() + interval '1 day')`;
  await visit(page, `/merchant/catalogue/${storeId}`);
  let posts = 0;
  // As if another instance had begun at once, and fetched for as long as this test takes.
  await page.route(/\/merchant\/catalogue\//, async (route) => {
    if (route.request().method() === "POST") {
      posts++;
      await database.sql`update feed_sources set lease_until = now() + interval '1 hour' where store_id = ${storeId}`;
    }
    await route.continue();
  });
  const fetchNow = page.locator("button", { hasText: "Fetch now" });
  const upload = page.locator("button", { hasText: "Upload" });
  const expectHeld = async (button: Locator) => {
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    expect(await button.evaluate((one) => one === document.activeElement)).toBe(true);
    expect(await button.getAttribute("aria-disabled")).toBe("true");
    await page.keyboard.press("Enter");
    await page.waitForTimeout(300);
    expect(posts).toBe(1);
  };
  await fetchNow.press("Enter");
  await page.getByText("Fetching", { exact: true }).waitFor();
  await expectHeld(fetchNow);

  const file = { name: "a.tsv", mimeType: "text/plain", buffer: Buffer.from(tsv([{ id: "1" }])) };
  await page.getByLabel("Product feed").setInputFiles(file);
  await upload.focus();
  await database.sql`
    insert into feed_loads (id, store_id, file_name, format, outcome, rows, loaded, rejected, vanished, lease_until)
    values (${crypto.randomUUID()}, ${storeId}, 'slow.tsv', 'tsv', 'loading', 0, 0, 0, 0, now() + interval '1 hour')`;
  await page.getByText("A load is in progress").waitFor();
  await expectHeld(upload);
  const chosen = (one: HTMLInputElement) => [...one.files!].map(({ name }) => name);
  expect(await page.getByLabel("Product feed").evaluate(chosen)).toEqual([file.name]);
});

it("a file goes up, is watched while it loads, reported, undone, and brought back", async () => {
  const { page } = await logIn();
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
  await page.getByRole("link", { name: "Load report" }).click();
  await page.getByRole("heading", { name: "one.tsv" }).waitFor();
  await page.getByText("is not a price such as 12.50 EUR").waitFor();
  await expectAccessible(page, "report");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Download all bad rows (CSV)" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("one-bad-rows.csv");
});
