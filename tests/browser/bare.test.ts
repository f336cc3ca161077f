// An installation without a demo store and a mail server, in real Chromium: what is said of that can be read everywhere.
import { expect, it } from "vitest";
import { expectAccessible } from "../support/accessible";
import { testBrowser } from "../support/browser";
import { testDatabase } from "../support/database";
import { makeAccount, makeConsumer } from "../support/factories";
import { testServer } from "../support/server";

const database = testDatabase();
const server = testServer(database);
const browser = testBrowser(server, database);

it.each([360, 1280])("all of it can be read %i pixels wide, in either theme", async (width) => {
  const options = { viewport: { width, height: 900 } };
  const [account, { owner }] = [await makeAccount(database, { isOperator: true }), await makeConsumer(database)];
  const operatorPage = await browser.openAs(account, options);
  const ownerPage = await browser.openAs(owner, options);
  for (const [page, path, words] of [
    [operatorPage, "/admin", "Mail is not sent: SMTP_URL is not set"],
    [operatorPage, "/admin", "There is no demo store"],
    [ownerPage, "/console", "There is no demo store yet to call a tool on."],
    [ownerPage, "/console/coverage", "In sandbox there is no store yet"],
  ] as const) {
    await page.goto(path);
    await page.getByText(words).waitFor();
    await expectAccessible(page, `${path} at ${width}`);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
});
