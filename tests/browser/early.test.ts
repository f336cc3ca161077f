// What was chosen or typed before a page's scripts came is taken up by them.
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { hold, testBrowser, untilAlive } from "../support/browser";
import { DEMO_TEMPLATE, testDatabase } from "../support/database";
import { makeConsumer, makeMerchant, makeStore } from "../support/factories";
import { testServer } from "../support/server";

const database = testDatabase(DEMO_TEMPLATE);
const server = testServer(database);
const browser = testBrowser(server, database);

/** Opens `path` without its scripts. @returns what lets them come */
async function openEarly(page: Page, path: string): Promise<() => Promise<void>> {
  const { arrived, release } = await hold(page, "GET", ({ pathname }) => pathname.endsWith(".js"));
  await page.goto(path, { waitUntil: "commit" });
  await arrived;
  return async () => {
    release();
    await untilAlive(page);
  };
}

it("a store that is chosen early is the one that is shown", async () => {
  const one = await makeStore(database, { name: "Alder" });
  const other = await makeStore(database, { name: "Birch", merchant: { id: one.merchantId } });
  const { accountId } = await makeMerchant(database, one.merchantId);
  const page = await browser.openAs({ id: accountId });
  const goOn = await openEarly(page, "/merchant/agents");
  await page.getByLabel("Store").selectOption(other.slug);
  await goOn();
  await page.waitForURL((url) => url.searchParams.get("store") === other.slug);
});

it("a tool that is chosen early is the one that the Playground calls", async () => {
  const { owner } = await makeConsumer(database);
  const page = await browser.openAs(owner);
  const goOn = await openEarly(page, "/console/playground");
  await page.getByLabel("Tool", { exact: true }).selectOption("list_stores");
  await goOn();
  await page.waitForURL("**tool=list_stores");
  await page.getByRole("region", { name: "Call of list_stores" }).waitFor();
});

it("arguments that are typed early, and a tick beside them, are what the Playground sends", async () => {
  const consumer = await makeConsumer(database, { state: "production", directorySlug: "early-apps" });
  const page = await browser.openAs(consumer.owner);
  const goOn = await openEarly(page, "/console/playground?tool=list_stores");
  await page.getByLabel("Arguments, JSON").fill('{"query":"early"}');
  await page.getByLabel("As the directory endpoint answers").check();
  await goOn();
  await expect.poll(() => page.locator(".cm-content").innerText()).toContain('{"query":"early"}');
  expect(await page.getByLabel("As the directory endpoint answers").isChecked()).toBe(true);
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.locator("#answer").getByText("Exchange").click();
  await page.locator("#answer").getByText("POST /api/mcp/p/early-apps").waitFor();
});
