// What was typed into the Playground for a tool, and calls of the history that take its place.
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { members } from "../../db/schema/consumers";
import { addCookie, testBrowser } from "../support/browser";
import { DEMO_TEMPLATE, testDatabase } from "../support/database";
import { makeAccount, makeConsumer } from "../support/factories";
import { signIn } from "../support/roles";
import { testServer } from "../support/server";

const database = testDatabase(DEMO_TEMPLATE);
const server = testServer(database);
const browser = testBrowser(server, database);

it("a call that is opened again gives back what was typed before it, after another tool was chosen and a further page was read too", async () => {
  const { owner } = await makeConsumer(database, { scopes: ["catalog:read"] });
  const page = await browser.openAs(owner);
  const editor = page.locator(".cm-content");
  const isText = (text: string) =>
    expect.poll(async () => (await editor.innerText()).replaceAll(/\s+/g, "")).toContain(text);
  const retype = async (text: string) => {
    await editor.focus();
    await page.keyboard.press("Control+A");
    await page.keyboard.press("Delete");
    await page.keyboard.insertText(text);
  };
  const select = (tool: string) => page.getByLabel("Tool", { exact: true }).selectOption(tool);
  const back = page.getByRole("button", { name: "Bring it back" });
  const past = page.getByRole("link", { name: /search_products.*"tent"/ }).last();
  await page.goto("/console/playground?tool=search_products");
  await editor.waitFor();
  await page.locator("[id^=argument]").first().waitFor({ state: "attached" });
  await retype('{"query":"tent","limit":1}');
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.locator("#answer").waitFor();
  await retype('{"query":"typed"}');
  await past.click();
  await isText('"tent"');
  await back.waitFor();
  await select("list_stores");
  await isText("{");
  await page.waitForURL("**tool=list_stores");
  await select("search_products");
  await page.waitForURL("**tool=search_products");
  await isText('"tent"');
  await past.click();
  await page.waitForURL("**arguments=**");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await expect.poll(() => page.getByRole("link", { name: /search_products/ }).count()).toBe(2);
  await page.getByRole("button", { name: "Next page" }).click();
  await isText('"cursor"');
  await past.click();
  await expect.poll(() => editor.innerText()).not.toContain("cursor");
  await back.click({ timeout: 5_000 });
  await isText('{"query":"typed"}');
});

it("what was typed for a tool stands letter for letter after another was chosen, also values that the form has a list for", async () => {
  const { owner } = await makeConsumer(database, { scopes: ["catalog:read"] });
  const page = await browser.openAs(owner);
  const editor = page.locator(".cm-content");
  const form = page.getByRole("region", { name: "Arguments as a form" });
  const choose = async (tool: string) => {
    await page.getByLabel("Tool", { exact: true }).selectOption(tool);
    await page.getByRole("region", { name: `Call of ${tool}` }).waitFor();
  };
  const text = '{"query":"tent","sort":"price_asc","cursor":""}';
  await page.goto("/console/playground?tool=search_products");
  await editor.waitFor();
  await page.locator("[id^=argument]").first().waitFor({ state: "attached" });
  await editor.focus();
  await page.keyboard.press("Control+A");
  await page.keyboard.press("Delete");
  await page.keyboard.insertText(text);
  await choose("list_stores");
  await choose("search_products");
  await expect.poll(() => form.locator("select[id$=sort]").inputValue()).toBe("price_asc");
  // What the form does as it comes is on the page.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  expect(await editor.innerText()).toBe(text);
});

it("the next page of a call is what is run next also where the call stands in other lines by now, and on a phone what it replaced can be brought back at once", async () => {
  const { owner } = await makeConsumer(database, { scopes: ["catalog:read"] });
  const viewport = { width: 390, height: 700 };
  const page = await browser.openAs(owner, { viewport });
  const editor = page.locator(".cm-content");
  const type = async (text: string) => {
    await editor.focus();
    await page.keyboard.press("Control+A");
    await page.keyboard.press("Delete");
    await page.keyboard.insertText(text);
  };
  await page.goto("/console/playground?tool=search_products");
  await editor.waitFor();
  await page.locator("[id^=argument]").first().waitFor({ state: "attached" });
  await type('{"query":"tent","limit":1}');
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.locator("#answer").waitFor();
  await type('{"query":"typed"}');
  await page.getByRole("link", { name: /search_products.*"tent"/ }).click();
  await expect.poll(() => editor.innerText()).toContain('"tent"');
  const back = page.getByRole("button", { name: "Bring it back" });
  await back.waitFor();
  const box = (await back.boundingBox())!;
  expect([box.y >= 56, box.y + box.height <= 700]).toEqual([true, true]);
  await page.getByRole("button", { name: "Next page" }).click();
  await expect.poll(() => editor.innerText()).toContain('"cursor"');
});

/** The Playground with its editor, as a person types there. */
async function openPlayground(page: Page, asked: Record<string, string>) {
  const editor = page.locator(".cm-content");
  await page.goto(`/console/playground?${new URLSearchParams(asked)}`);
  await editor.waitFor();
  await page.locator("[id^=argument]").first().waitFor({ state: "attached" });
  return {
    isText: (text: string) => expect.poll(async () => (await editor.innerText()).replaceAll(/\s+/g, "")).toBe(text),
    isExample: () =>
      expect
        .poll(async () => (await editor.innerText()).replaceAll(/\s+/g, ""))
        .toMatch(/^\{"query":(?!"mine").*"limit":5/),
    async retype(text: string) {
      await editor.focus();
      await page.keyboard.press("Control+A");
      await page.keyboard.press("Delete");
      await page.keyboard.insertText(text);
    },
  };
}
const SEARCH = { tool: "search_products" };

it("what was typed for each tool is there again once the page was loaded anew or left, and a call in the address gives it back", async () => {
  const { owner } = await makeConsumer(database, { state: "production", directorySlug: "kept-apps" });
  const page = await browser.openAs(owner);
  const select = async (tool: string) => {
    await page.getByLabel("Tool", { exact: true }).selectOption(tool);
    await page.getByRole("region", { name: `Call of ${tool}` }).waitFor();
  };
  const box = page.getByLabel("As the directory endpoint answers");
  const { isText, retype } = await openPlayground(page, SEARCH);
  await retype('{"query":"kept"}');
  await box.check();
  await select("list_stores");
  await retype('{"limit":1}');
  await page.reload();
  await isText('{"limit":1}');
  await select("search_products");
  await isText('{"query":"kept"}');
  await page.reload();
  await expect.poll(() => page.locator("#argument_query").inputValue()).toBe("kept");
  expect(await box.isChecked()).toBe(true);

  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Usage", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Usage" }).waitFor();
  await page.goBack();
  await isText('{"query":"kept"}');

  await openPlayground(page, { ...SEARCH, arguments: '{"query":"tent"}' });
  await isText('{"query":"tent"}');
  expect(await box.isChecked()).toBe(false);
  await page.getByRole("button", { name: "Bring it back" }).click();
  await isText('{"query":"kept"}');
  expect(await box.isChecked()).toBe(true);
});

it("what an answer or a call put there is no draft: loaded anew, the page has what was typed before", async () => {
  const { owner } = await makeConsumer(database);
  const page = await browser.openAs(owner);
  const { isText, retype } = await openPlayground(page, SEARCH);
  const typed = '{"query":"tent","limit":1}';
  await retype(typed);
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.getByRole("button", { name: "Next page" }).click();
  await expect.poll(() => page.locator(".cm-content").innerText()).toContain('"cursor"');
  await page.reload();
  await isText(typed);
  await openPlayground(page, { ...SEARCH, arguments: '{"query":"stove"}' });
  await isText('{"query":"stove"}');
  await openPlayground(page, SEARCH);
  await isText(typed);
});

it("drafts are their person's alone, at that platform, and go with the log-out", async () => {
  const { id: consumerId, owner } = await makeConsumer(database);
  const colleague = await makeAccount(database);
  await database.db.insert(members).values({ consumerId, accountId: colleague.id, role: "developer" });
  const page = await browser.openAs(owner);
  const { isText, isExample, retype } = await openPlayground(page, SEARCH);
  await retype('{"query":"mine"}');
  await addCookie(page, await signIn(database, colleague), server.url);
  await openPlayground(page, SEARCH);
  await isExample();
  await addCookie(page, await signIn(database, owner), server.url);
  await openPlayground(page, SEARCH);
  await isText('{"query":"mine"}');

  const other = await makeConsumer(database);
  await database.db.insert(members).values({ consumerId: other.id, accountId: owner.id, role: "owner" });
  const show = (id: string) => database.sql`update sessions set consumer_id = ${id} where account_id = ${owner.id}`;
  await show(other.id);
  await openPlayground(page, SEARCH);
  await isExample();
  await show(consumerId);
  await openPlayground(page, SEARCH);
  await isText('{"query":"mine"}');

  await page.locator("summary").filter({ hasText: "Account of" }).click();
  await page.getByRole("button", { name: "Log out" }).click();
  await page.waitForURL("**/login?done=logged-out");
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain("mine");
  await addCookie(page, await signIn(database, owner), server.url);
  await openPlayground(page, SEARCH);
  await isExample();
});
