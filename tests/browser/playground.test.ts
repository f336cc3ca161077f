// The Playground in real Chromium: every tool from its form, form and JSON in step, the limit, and who may.
import { eq } from "drizzle-orm";
import type { BrowserContextOptions, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { accounts } from "../../db/schema/accounts";
import { members } from "../../db/schema/consumers";
import { sessions } from "../../db/schema/sessions";
import type { scopes } from "../../server/context";
import * as passwords from "../../server/services/passwords";
import { tools } from "../../server/tools";
import { expectAccessible } from "../support/accessible";
import { hold, testBrowser, visit } from "../support/browser";
import { issueKey, rpc } from "../support/clients";
import { DEMO_TEMPLATE, testDatabase } from "../support/database";
import { makeConsumer } from "../support/factories";
import { PASSWORD } from "../support/people";
import { makePerson, type Role } from "../support/roles";
import { testServer } from "../support/server";

const database = testDatabase(DEMO_TEMPLATE);
const server = testServer(database);
const browser = testBrowser(server, database);
const { openAs } = browser;
const PAGE = "/console/playground";
const every: (typeof scopes)[number][] = [
  "catalog:read",
  "offers:read",
  "promotions:read",
  "loyalty:read",
  "inventory:read",
];

async function openAsOwner(options?: BrowserContextOptions) {
  const consumer = await makeConsumer(database, { scopes: every });
  return { consumer, page: await openAs(consumer.owner, options) };
}
const openAsRole = async (role: Role, consumerId: string) =>
  openAs((await makePerson(database, role, consumerId)).cookie!);

const ready = async (page: Page) => {
  await page.locator(".cm-content").waitFor();
  await page.locator("[id^=argument]").first().waitFor({ state: "attached" });
};
const run = (page: Page) => page.getByRole("button", { name: "Run", exact: true }).click();
const answer = (page: Page) => page.locator("#answer");
const json = async (page: Page) => JSON.parse((await page.locator(".cm-content").innerText()).replaceAll(" ", " "));
const requestId = (page: Page) =>
  answer(page)
    .locator("code")
    .filter({ hasText: /^[0-9a-f-]{36}$/ })
    .innerText();

/** As a person types: what the editor holds goes first. */
async function retype(page: Page, text: string): Promise<void> {
  await page.locator(".cm-content").focus();
  await page.keyboard.press("Control+A");
  await page.keyboard.press("Delete");
  await page.keyboard.insertText(text);
}

describe("the Playground", () => {
  it("runs every tool from its form, then refuses the 31st call of the minute with its wait", async () => {
    const { consumer, page } = await openAsOwner();
    let last = "";
    /** Until another answer than the last one is there. */
    const answered = async () => {
      await page.waitForFunction((known) => {
        const id = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(document.querySelector("#answer")?.textContent ?? "")?.[0];
        return id !== undefined && id !== known;
      }, last);
      last = await requestId(page);
    };
    await page.goto(PAGE);
    for (const { name } of tools) {
      await page.getByLabel("Tool", { exact: true }).selectOption(name);
      await page.waitForURL(`**${PAGE}?tool=${name}`);
      await ready(page);
      await run(page);
      await answered();
      // The minute that began with the first call lasts until the last one, however slow this machine is; one that ends later
      // than two from now would count as over.
      await database.sql`
        update rate_limits set expire = (extract(epoch from now()) * 1000)::bigint + 110000
        where key = ${`playground:${consumer.id}`}`;
      expect(await answer(page).innerText(), name).toMatch(/^Answer\s+200\s/);
      if (name === "search_products") {
        expect(
          await page
            .locator("#answer article img")
            .first()
            .evaluate((img: HTMLImageElement) => img.decode()),
        ).toBeUndefined();
        await expectAccessible(page, "Playground with products");
      }
    }
    await page.goto(`${PAGE}?tool=list_stores`);
    await ready(page);
    last = "";
    const rows = () =>
      database.sql`select status from usage_events where consumer_id = ${consumer.id} and endpoint = 'playground'`;
    while ((await rows()).length < 30) {
      await page.keyboard.press("Control+Enter");
      await answered();
    }
    expect(await page.locator("[data-rate]").innerText()).toMatch(/^0 left; resets in \d+ s$/);
    await run(page);
    await answered();
    expect(await answer(page).innerText()).toMatch(/429 rate_limited[\s\S]+Wait \d+ seconds?, then try again\./);
    await expectAccessible(page, "Playground, refused");
    const { value } = await issueKey(database, consumer.id);
    expect((await rpc(server.url, value, "ping")).headers.ratelimit).toMatch(/^"default";r=59;/);
  });

  it("has its pictures also where a log-in led to it", async () => {
    const consumer = await makeConsumer(database, { scopes: every });
    const passwordHash = await passwords.hash(PASSWORD);
    await database.db.update(accounts).set({ passwordHash }).where(eq(accounts.id, consumer.owner.id));
    const page = await browser.open();
    await page.goto(`/login?to=${encodeURIComponent(`${PAGE}?tool=search_products`)}`);
    await page.getByLabel("Email").fill(consumer.owner.email);
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "Log in" }).click();
    await page.waitForURL(`**${PAGE}?tool=search_products`);
    const opened = await page.evaluate(() => performance.getEntriesByType("navigation")[0]!.name);
    expect(new URL(opened).pathname, "a document with the Playground's own policy").toBe(PAGE);
    await ready(page);
    await run(page);
    await page.locator("#answer article img").first().scrollIntoViewIfNeeded();
    await page
      .locator("#answer article img")
      .first()
      .evaluate((img: HTMLImageElement) => img.decode());
  });

  it("runs nothing as a platform that was chosen in another tab meanwhile", async () => {
    const { consumer, page } = await openAsOwner();
    await page.goto(`${PAGE}?tool=list_stores`);
    await ready(page);
    const other = await makeConsumer(database, { scopes: every });
    await database.db.insert(members).values({ consumerId: other.id, accountId: consumer.owner.id, role: "owner" });
    await database.db.update(sessions).set({ consumerId: other.id }).where(eq(sessions.accountId, consumer.owner.id));
    // Choosing a tool loads what stands around the page, and not the page.
    await page.getByLabel("Tool", { exact: true }).selectOption("get_store_info");
    await page.waitForURL(`**${PAGE}?tool=get_store_info`);
    await ready(page);
    await run(page);
    await page.getByText("Nothing was done: this page was about a different one").waitFor();
    expect(await answer(page).count()).toBe(0);
    await page.reload();
    await ready(page);
    await run(page);
    await answer(page).waitFor();
  });

  it("counts its minute down to the end, and is whole again then", async () => {
    const { page } = await openAsOwner();
    await page.clock.install();
    await page.goto(`${PAGE}?tool=list_stores`);
    await ready(page);
    await run(page);
    const rate = () => page.locator("[data-rate]").innerText();
    await expect.poll(rate).toMatch(/^29 left; resets in \d+ s$/);
    const seconds = async () => Number(/(\d+) s$/.exec(await rate())?.[1]);
    await page.clock.fastForward(20_000);
    await expect.poll(seconds).toBeLessThan(41);
    // Opened twice from its history, the page is loaded again: the minute goes on.
    await page.getByRole("link", { name: /list_stores/ }).click();
    await page.waitForURL("**?tool=list_stores&arguments=**");
    const loaded = page.waitForResponse((response) => response.request().resourceType() === "fetch");
    await page.getByRole("link", { name: /list_stores/ }).click();
    await loaded;
    await expect.poll(() => page.evaluate("window.__remixRouter.state.navigation.state")).toBe("idle");
    expect(await seconds()).toBeLessThan(41);
    for (let i = 0; i < 2; i++) await page.clock.fastForward(40_000);
    await expect.poll(rate).toBe("30 left, separate from the API's limit");
  });

  it("keeps form and JSON in step, both ways, and marks what the tool refused", async () => {
    const { page } = await openAsOwner();
    await page.goto(`${PAGE}?tool=search_products`);
    await ready(page);
    const form = page.getByRole("region", { name: "Arguments as a form" });
    await form.getByLabel("query", { exact: true }).fill("kettle");
    await expect.poll(() => json(page)).toMatchObject({ query: "kettle", limit: 5 });
    await form.getByLabel("limit", { exact: true }).fill("");
    await expect.poll(() => json(page)).not.toHaveProperty("limit");

    await retype(page, '{"query": "lamp", "limit": 500}');
    await expect.poll(() => form.getByLabel("query", { exact: true }).inputValue()).toBe("lamp");
    await page.locator(".cm-lintRange-error").waitFor();
    await page.keyboard.press("Control+Enter");
    await answer(page).getByText("invalid_arguments", { exact: true }).first().waitFor();
    await form.locator("input[aria-invalid=true]").waitFor();
    expect(await form.locator("input[aria-invalid=true]").inputValue()).toBe("500");

    await retype(page, "{");
    await page.keyboard.press("Control+Space");
    await page.locator(".cm-tooltip-autocomplete").getByText('"store_ids"').waitFor();
  });

  it("takes a time of day as it is typed, in whatever zone", async () => {
    const { page } = await openAsOwner({ timezoneId: "America/New_York" });
    await page.goto(`${PAGE}?${new URLSearchParams({ tool: "get_promotions", arguments: "{}" })}`);
    await ready(page);
    const field = page.getByRole("region", { name: "Arguments as a form" }).getByLabel("active_at", { exact: true });
    await field.pressSequentially("2");
    await expect.poll(() => json(page)).toEqual({ active_at: "2" });
    await field.pressSequentially("026-11-27T09:00:00Z");
    await expect.poll(() => json(page)).toEqual({ active_at: "2026-11-27T09:00:00Z" });
    expect(await field.inputValue()).toBe("2026-11-27T09:00:00Z");
  });

  it("leaves a group open, and the cursor in its field, while the field is emptied to be filled otherwise", async () => {
    const { page } = await openAsOwner();
    await page.goto(`${PAGE}?tool=search_products&arguments=${encodeURIComponent('{"query":"tent"}')}`);
    await ready(page);
    const form = page.getByRole("region", { name: "Arguments as a form" });
    await form.locator("summary").filter({ hasText: "context" }).click();
    const language = form.getByLabel("language", { exact: true });
    await language.fill("en");
    await expect.poll(() => json(page)).toMatchObject({ context: { language: "en" } });
    await language.press("Backspace");
    await language.press("Backspace");
    await expect.poll(() => json(page)).not.toHaveProperty("context.language");
    await page.keyboard.type("de");
    await expect.poll(() => json(page)).toMatchObject({ context: { language: "de" } });
    expect(await language.evaluate((field) => field === document.activeElement)).toBe(true);
  });

  it("turns the page of an answer as it was asked for, whatever is ticked by then", async () => {
    const consumer = await makeConsumer(database, { state: "production", directorySlug: "paged-apps", scopes: every });
    const page = await openAs(consumer.owner);
    const asked = new URLSearchParams({ tool: "search_products", arguments: '{"query":"tent","limit":1}' });
    await page.goto(`${PAGE}?${asked}`);
    await ready(page);
    await run(page);
    await answer(page).getByRole("button", { name: "Next page" }).waitFor();
    const box = page.getByLabel("As the directory endpoint answers");
    await box.check();
    const first = await requestId(page);
    await answer(page).getByRole("button", { name: "Next page" }).click();
    await expect.poll(() => requestId(page)).not.toBe(first);
    expect(await answer(page).innerText()).not.toContain("cursor_invalid");
    expect(await box.isChecked()).toBe(false);
    await answer(page).getByText("Exchange").click();
    await answer(page).getByText("POST /api/mcp").first().waitFor();
    expect(await answer(page).innerText()).not.toContain("/api/mcp/p/");
  });

  it("keeps what was typed since the last call where that one is opened in another window, or its next page asked for", async () => {
    const { page } = await openAsOwner();
    await page.goto(`${PAGE}?${new URLSearchParams({ tool: "list_stores", arguments: '{"limit":1}' })}`);
    await ready(page);
    await run(page);
    await answer(page).waitFor();
    await retype(page, '{"limit":3}');
    const [other] = await Promise.all([
      page.context().waitForEvent("page"),
      page
        .getByRole("link", { name: /list_stores/ })
        .last()
        .click({ modifiers: ["ControlOrMeta"] }),
    ]);
    await other.close();
    // Behind another window a page may draw nothing, and then no button comes to rest.
    await page.bringToFront();
    expect(await json(page)).toEqual({ limit: 3 });

    await page.getByLabel("Tool", { exact: true }).selectOption("search_products");
    await expect.poll(() => json(page)).toHaveProperty("query");
    await retype(page, '{"query":"tent","limit":1}');
    await run(page);
    const next = answer(page).getByRole("button", { name: "Next page" });
    await next.waitFor();
    await retype(page, '{"query":"stove"}');
    const first = await requestId(page);
    await next.click();
    await expect.poll(() => requestId(page)).not.toBe(first);
    expect(await json(page)).toEqual({ query: "stove" });
  });

  it("takes nothing in its form while the JSON is no object: it would take the place of all of that", async () => {
    const { page } = await openAsOwner();
    await page.goto(`${PAGE}?tool=search_products`);
    await ready(page);
    const field = page.locator("#argument_query");
    expect(await field.isEnabled()).toBe(true);
    await retype(page, '{"query":"tent",}');
    await page.getByText("The JSON is no object as it stands. Mend it to use this form.").waitFor();
    expect(await field.isDisabled()).toBe(true);
    await retype(page, '{"query":"tent"}');
    await expect.poll(() => field.inputValue()).toBe("tent");
    expect(await field.isEnabled()).toBe(true);
  });

  it("gives no call as code while the JSON is no object: it would be another one", async () => {
    const { page } = await openAsOwner();
    await page.goto(`${PAGE}?${new URLSearchParams({ tool: "search_products", arguments: '{"query":"tent"}' })}`);
    await ready(page);
    const call = page.getByRole("region", { name: "Call of search_products" });
    const copy = call.getByRole("button", { name: /^Copy: / });
    for (const language of ["curl", "TypeScript", "Python"]) {
      await call.getByText("JSON", { exact: true }).click();
      await retype(page, '{"query":"tent",}');
      await call.getByText(language, { exact: true }).first().click();
      await call.getByText("Mend it to see the call as code.").filter({ visible: true }).waitFor();
      expect(await call.locator("figure").count(), language).toBe(0);
      expect(await copy.count(), language).toBe(0);
      await call.getByText("JSON", { exact: true }).click();
      await retype(page, '{"query":"lamp"}');
      await call.getByText(language, { exact: true }).first().click();
      await call.locator("figure").filter({ hasText: "lamp", visible: true }).waitFor();
      expect(await copy.filter({ visible: true }).count(), language).toBe(1);
    }
  });

  it("keeps what was typed for a tool while another is chosen; a call that is opened begins anew, and gives it back", async () => {
    const { page } = await openAsOwner();
    /** @param text what the editor has then, or a part of it: it is drawn a moment after the address has changed */
    const select = async (tool: string, text: string) => {
      await page.getByLabel("Tool", { exact: true }).selectOption(tool);
      await page.waitForURL(`**${PAGE}?tool=${tool}`);
      await expect.poll(() => page.locator(".cm-content").innerText()).toContain(text);
    };
    await page.goto(`${PAGE}?tool=list_stores`);
    await ready(page);
    await retype(page, '{"limit":1}');
    await run(page);
    await answer(page).waitFor();
    await retype(page, '{"limit":4}');
    const back = page.getByRole("button", { name: "Bring it back" });
    await page.getByRole("link", { name: /list_stores/ }).click();
    await expect.poll(() => json(page)).toEqual({ limit: 1 });
    await back.click();
    await expect.poll(() => json(page)).toEqual({ limit: 4 });
    await select("search_products", '"query"');
    await retype(page, '{"query":"typed');
    await select("list_stores", '{"limit":4}');
    await retype(page, '{"limit":2}');
    await select("search_products", '{"query":"typed');
    await select("list_stores", '{"limit":2}');
    await select("search_products", '{"query":"typed');
    await page.getByRole("link", { name: /list_stores/ }).click();
    await expect.poll(() => json(page)).toEqual({ limit: 1 });
    await back.press("Enter");
    await expect.poll(() => json(page)).toEqual({ limit: 2 });
    await back.waitFor({ state: "detached" });
    expect(await page.evaluate(() => document.activeElement !== document.body)).toBe(true);
    // Opened twice, what was typed is still the one to go back to.
    for (let i = 0; i < 2; i++) await page.getByRole("link", { name: /list_stores/ }).click();
    await expect.poll(() => json(page)).toEqual({ limit: 1 });
    await back.click();
    await expect.poll(() => json(page)).toEqual({ limit: 2 });
    await page.goto(`${PAGE}?${new URLSearchParams({ tool: "list_stores", arguments: '{"limit":3}' })}`);
    await ready(page);
    expect(await json(page)).toEqual({ limit: 3 });
  });

  it("says to whoever does not see it what each call came to", async () => {
    const { page } = await openAsOwner();
    await page.goto(`${PAGE}?${new URLSearchParams({ tool: "list_stores", arguments: "{}" })}`);
    await ready(page);
    const said = page.getByRole("status").filter({ hasText: /answered/ });
    await run(page);
    await expect
      .poll(() => said.textContent())
      .toMatch(/^list_stores answered: success\. Its request ends in [0-9a-f]{8}\.$/);
    const first = await said.textContent();
    await run(page);
    await expect.poll(() => said.textContent()).not.toBe(first);
    await retype(page, '{"surprise":1}');
    await run(page);
    await expect.poll(() => said.textContent()).toContain("list_stores answered: invalid_arguments.");
  });

  it("keeps no call in its history that no address can hold", async () => {
    const { page } = await openAsOwner();
    await page.goto(`${PAGE}?tool=list_stores`);
    await ready(page);
    await retype(page, JSON.stringify({ query: "ü".repeat(2_000) }));
    await run(page);
    await answer(page).waitFor();
    expect(await page.getByRole("heading", { name: "History" }).count()).toBe(0);
    await retype(page, '{"query":"tarn"}');
    await run(page);
    await page.getByRole("link", { name: /list_stores/ }).click();
    await page.waitForURL("**?tool=list_stores&arguments=**");
  });

  it("says beside a field what is wrong with it, as a sentence", async () => {
    const { page } = await openAsOwner();
    await page.goto(`${PAGE}?tool=get_product`);
    await ready(page);
    await retype(page, "{}");
    await run(page);
    const field = page.getByRole("textbox", { name: "store_id" });
    await expect.poll(() => field.getAttribute("aria-invalid")).toBe("true");
    await page.getByText("Is missing", { exact: true }).waitFor();
  });

  it("keeps an argument of any name, and what is wrong with it to itself", async () => {
    const { page } = await openAsOwner();
    await page.goto(`${PAGE}?tool=list_stores`);
    await ready(page);
    await retype(page, '{"query": "tarn", "constructor": 1}');
    await expect.poll(() => page.getByLabel("query", { exact: true }).inputValue()).toBe("tarn");
    await run(page);
    await answer(page).getByText("invalid_arguments", { exact: true }).first().waitFor();
    await answer(page).locator("li code").getByText("constructor", { exact: true }).waitFor();
    expect(await json(page)).toMatchObject({ constructor: 1 });
    expect(await page.evaluate("['__errors' in {}, '__errors' in Object]")).toEqual([false, false]);
  });

  it("remembers calls in this browser alone, opens them again, and gives links without secrets", async () => {
    const { page } = await openAsOwner();
    await page.goto(`${PAGE}?tool=get_store_info`);
    await ready(page);
    await run(page);
    await answer(page).waitFor();
    await page.goto(`${PAGE}?tool=list_stores`);
    await ready(page);
    await page.getByRole("link", { name: /get_store_info/ }).click();
    await page.waitForURL("**?tool=get_store_info&arguments=**");
    const { cookies } = await page.context().storageState();
    for (const { value } of cookies.filter(({ httpOnly }) => httpOnly)) expect(page.url()).not.toContain(value);
    expect(page.url()).not.toContain("aisle_");
    await expect.poll(() => json(page)).toHaveProperty("store_id");
    await retype(page, "{}");
    await expect.poll(() => json(page)).toEqual({});
    await page.getByRole("link", { name: /get_store_info/ }).click();
    await expect.poll(() => json(page)).toHaveProperty("store_id");
    const kept = JSON.stringify(await page.context().storageState());
    expect(kept).toContain("get_store_info");
    expect(kept).not.toContain("structuredContent");
    await page.getByRole("button", { name: "Clear", exact: true }).click();
    expect(await page.getByRole("heading", { name: "History" }).count()).toBe(0);
  });

  it("never leaves the focus nowhere: a removed item's, the page that was turned, a call of the history, the history cleared", async () => {
    const { page } = await openAsOwner();
    const focused = () =>
      page.evaluate(() => {
        const { activeElement: at } = document;
        return at?.getAttribute("aria-label") ?? at?.textContent ?? at?.tagName;
      });
    const asked = { query: "tent", limit: 1, sort: "price_asc", filters: { brand: ["a", "b", "c"] } };
    await page.goto(`${PAGE}?${new URLSearchParams({ tool: "search_products", arguments: JSON.stringify(asked) })}`);
    await ready(page);
    const cross = (i: number) => page.getByRole("button", { name: `Remove item ${i} of filters.brand` });
    await cross(2).press("Enter");
    await expect.poll(focused).toBe("Remove item 2 of filters.brand");
    await cross(2).press("Enter");
    await expect.poll(focused).toBe("Remove item 1 of filters.brand");
    await cross(1).press("Enter");
    await expect.poll(focused).toBe("Add to brand");
    expect((await json(page)).filters?.brand ?? []).toEqual([]);

    await run(page);
    const next = answer(page).getByRole("button", { name: "Next page" });
    await next.waitFor();
    const first = await requestId(page);
    await next.press("Enter");
    await expect.poll(() => requestId(page)).not.toBe(first);
    await expect.poll(focused).toBe("Answer");

    await page.getByLabel("Tool", { exact: true }).selectOption("list_stores");
    await page.waitForURL(`**${PAGE}?tool=list_stores`);
    await page
      .getByRole("link", { name: /search_products/ })
      .first()
      .press("Enter");
    await expect.poll(focused).toBe("Call of search_products");
    await page.getByRole("button", { name: "Clear", exact: true }).press("Enter");
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe("MAIN");
  });

  it("takes its arguments as plain JSON where neither its form nor its editor comes", async () => {
    const { page } = await openAsOwner();
    await page.route(/\/assets\/(schema-form|json-editor)-/, (route) => route.abort());
    await page.goto(`${PAGE}?tool=list_stores`);
    await page.getByText("The form did not load.").waitFor();
    await page.getByLabel("Arguments, JSON").fill('{"limit":1}');
    await run(page);
    await expect.poll(() => answer(page).innerText()).toContain("Tarn & Timber");
  });

  it("opens a call to the directory endpoint as one, from its history and from its link", async () => {
    const consumer = await makeConsumer(database, { state: "production", directorySlug: "linked-apps", scopes: every });
    const page = await openAs(consumer.owner);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const box = page.getByLabel("As the directory endpoint answers");
    await page.goto(`${PAGE}?tool=list_stores`);
    await ready(page);
    await box.check();
    await run(page);
    await answer(page).waitFor();
    await box.uncheck();
    await page.getByRole("link", { name: /list_stores directory endpoint/ }).click();
    await page.waitForURL("**&asDirectory=on");
    await expect.poll(() => box.isChecked()).toBe(true);

    await page.getByRole("button", { name: "Copy link" }).click();
    await page.getByText("Link copied.").first().waitFor();
    const link = await page.evaluate<string>("navigator.clipboard.readText()");
    await box.uncheck();
    await page.getByRole("button", { name: "Copy link" }).click();
    const byKey = () => page.evaluate<string>("navigator.clipboard.readText()");
    await expect.poll(byKey).toBe(link.replace("&asDirectory=on", ""));
    await page.goto(link);
    await ready(page);
    expect(await box.isChecked()).toBe(true);
    await run(page);
    await answer(page).getByText("Exchange").click();
    await answer(page).getByText("POST /api/mcp/p/linked-apps").waitFor();
  });

  it("answers as a key is answered, and both calls are in Requests and in Usage", async () => {
    const { consumer, page } = await openAsOwner();
    await page.goto(`${PAGE}?tool=list_stores`);
    await ready(page);
    await run(page);
    await answer(page).getByText("Tarn & Timber").first().waitFor();
    const id = await requestId(page);
    const { value } = await issueKey(database, consumer.id);
    const args = await json(page);
    const byKey = await rpc(server.url, value, "tools/call", { name: "list_stores", arguments: args });
    const shown = await answer(page).innerText();
    for (const { name, url } of byKey.json.result.structuredContent.stores)
      for (const told of [name, url]) expect(shown).toContain(told);

    await page.goto("/console/requests");
    await page.getByRole("link", { name: "list_stores" }).nth(1).waitFor();
    expect(await page.getByRole("link", { name: "list_stores" }).count()).toBe(2);
    for (const one of [id, byKey.headers["x-request-id"] as string]) {
      await page.goto(`/console/requests/${one}`);
      await page.getByRole("heading", { name: "list_stores" }).waitFor();
    }
    // What is not in the rollups yet is counted beside them: at once.
    await page.goto("/console/usage");
    expect(await page.locator("main").innerText()).toMatch(/Calls\s+2\s+2 answered/);
  });

  it("is for reviewers too, and for nobody outside", async () => {
    const consumer = await makeConsumer(database);
    const reviewer = await openAsRole("reviewer", consumer.id);
    await reviewer.goto(`${PAGE}?tool=list_stores`);
    await ready(reviewer);
    await run(reviewer);
    await answer(reviewer).getByText("Tarn & Timber").first().waitFor();
    for (const role of ["newcomer", "merchant", "expired reviewer"] as const) {
      const outsider = await openAsRole(role, consumer.id);
      const reply = await visit(outsider, PAGE);
      const isLedAway = new URL(outsider.url()).pathname !== PAGE;
      expect(isLedAway || reply?.status() === 403, role).toBe(true);
      expect(await outsider.getByRole("button", { name: "Run", exact: true }).count(), role).toBe(0);
    }
  });

  it("keeps its words whole where there is little room", async () => {
    const { page } = await openAsOwner();
    await page.goto(`${PAGE}?tool=search_products`);
    await ready(page);
    await run(page);
    await answer(page).waitFor();
    const description = page.locator("main p").filter({ hasText: "Searches products by keywords" });
    const past = page.locator("main ol").getByRole("listitem").first();
    for (const width of [1440, 1024, 768, 390]) {
      await page.setViewportSize({ width, height: 900 });
      expect((await description.boundingBox())!.width, `at ${width}`).toBeGreaterThan(280);
      const box = (await past.boundingBox())!;
      const ends = await past
        .locator("a > *")
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().right));
      expect(Math.max(...ends), `at ${width}`).toBeLessThan(box.x + box.width);
    }
  });

  it("shows whoever goes through its form by keyboard on a phone what has the focus, above the bar at the foot", async () => {
    const { page } = await openAsOwner();
    await page.setViewportSize({ width: 390, height: 700 });
    await page.goto(`${PAGE}?tool=search_products`);
    await ready(page);
    await page.locator("[id^=argument]").first().focus();
    const covered: string[] = [];
    for (let isInForm = true; isInForm; ) {
      await page.keyboard.press("Tab");
      isInForm = await page.evaluate(() => document.activeElement!.closest("form .cm-editor, form .foot-bar") === null);
      const place = await page.evaluate(() => {
        const [one, bar] = [document.activeElement!, document.querySelector(".foot-bar")!];
        const isCovered = one.getBoundingClientRect().bottom > bar.getBoundingClientRect().top;
        return { isCovered, name: one.id || one.textContent! };
      });
      if (isInForm && place.isCovered) covered.push(place.name);
    }
    expect(covered).toEqual([]);
  });

  it("leaves most of a window at 400 % zoom to its form: nothing sticks where there is little height", async () => {
    const { page } = await openAsOwner();
    await page.setViewportSize({ width: 320, height: 256 });
    await page.goto(`${PAGE}?tool=search_products`);
    await ready(page);
    await page
      .locator("[id^=argument][id$=__hint]")
      .first()
      .evaluate((one) => one.scrollIntoView({ block: "center" }));
    const covered = await page.evaluate(() =>
      [document.querySelector("header")!, document.querySelector(".foot-bar")!]
        .map((one) => one.getBoundingClientRect())
        .reduce((sum, { top, bottom }) => sum + Math.max(0, Math.min(bottom, innerHeight) - Math.max(top, 0)), 0),
    );
    expect(covered).toBeLessThan(256 / 3);
  });

  it("shows plain values in one list, and none of them cut", async () => {
    const { page } = await openAsOwner();
    await page.goto(`${PAGE}?tool=get_store_info`);
    await ready(page);
    await run(page);
    await answer(page).getByRole("term").filter({ hasText: "legal_name" }).waitFor();
    const first = answer(page).locator("dl").first();
    expect((await first.locator("dt").allInnerTexts()).slice(0, 3)).toEqual(["store_id", "name", "legal_name"]);
    const cut = await answer(page)
      .locator("td span, th span")
      .evaluateAll((all) => all.filter((one) => one.clientWidth > 0 && one.scrollWidth > one.clientWidth).length);
    expect(cut).toBe(0);
  });

  it("says of how many ratings a product's is where that is known", async () => {
    const rate = (count: number | null, like: string) => database.sql`
      update products set rating_value = 4.5, rating_scale_max = 5, rating_count = ${count} where title like ${like}`;
    await rate(null, "%Tent%");
    await rate(12_345, "%Jacket%");
    const { page } = await openAsOwner();
    for (const [query, rating] of [
      ["tent", "4.5 of 5"],
      ["jacket", "4.5 of 5 (12,345)"],
    ]) {
      await page.goto(
        `${PAGE}?${new URLSearchParams({ tool: "search_products", arguments: JSON.stringify({ query, limit: 1 }) })}`,
      );
      await ready(page);
      await run(page);
      const said = answer(page)
        .getByRole("article")
        .getByText(/^4\.5 of 5/);
      expect(await said.innerText()).toBe(rating);
    }
  });

  it("brings into the window what keeps a call from being made, and says that the answer below is an earlier one", async () => {
    const { page } = await openAsOwner();
    await page.setViewportSize({ width: 1440, height: 600 });
    await page.goto(`${PAGE}?tool=list_stores`);
    await ready(page);
    await retype(page, '{"limit": ');
    await run(page);
    const problem = page.getByRole("alert");
    await problem.waitFor();
    const seen = () => problem.evaluate((one) => one.getBoundingClientRect().bottom <= innerHeight);
    await expect.poll(seen).toBe(true);
    expect(await problem.innerText()).not.toContain("earlier run");
    await retype(page, "{}");
    await run(page);
    await answer(page).waitFor();
    await retype(page, '{"limit": ');
    await run(page);
    await problem.getByText("The answer below is from an earlier run.").waitFor();
  });

  it("says what kept a call from being made beside that call alone", async () => {
    const { page } = await openAsOwner();
    await page.goto(`${PAGE}?tool=get_product`);
    await ready(page);
    await retype(page, '{"limit": ');
    await run(page);
    const problem = page.locator("#problem");
    await problem.waitFor();
    const tool = page.getByLabel("Tool", { exact: true });
    await tool.selectOption("list_stores");
    await page.getByRole("region", { name: "Call of list_stores" }).waitFor();
    expect(await problem.count()).toBe(0);
    // Nor is it said of what the tool begins anew with.
    await tool.selectOption("get_product");
    await page.getByRole("region", { name: "Call of get_product" }).waitFor();
    expect(await problem.count()).toBe(0);

    // Chosen while the call is under way, another tool is not what failed.
    const { release } = await hold(page, "POST", "**/api/trpc/playground.run*");
    await retype(page, '{"limit": ');
    await run(page);
    await tool.selectOption("list_stores");
    await page.getByRole("region", { name: "Call of list_stores" }).waitFor();
    const answered = page.waitForResponse("**/api/trpc/playground.run*");
    release();
    await answered;
    await page.locator("button[aria-disabled]").waitFor({ state: "detached" });
    expect(await problem.count()).toBe(0);
  });

  it("is one Tab after another: nobody is held in the editor", async () => {
    const { page } = await openAsOwner();
    await page.goto(`${PAGE}?tool=list_stores`);
    await ready(page);
    await page.locator(".cm-content").focus();
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.closest(".cm-editor") === null)).toBe(true);
  });
});

describe("the pages beside it", () => {
  it("are accessible, and the doctor shows a request as it comes", async () => {
    const { consumer, page } = await openAsOwner();
    for (const path of ["/docs", "/docs/search_products", "/console/docs", "/console/docs/get_loyalty_program"]) {
      await page.goto(path);
      await expectAccessible(page, path);
    }
    await page.goto("/console/doctor");
    await expectAccessible(page, "doctor, closed");
    await page.getByRole("button", { name: "Check my client" }).click();
    await page.getByText("Nothing has arrived yet").waitFor();
    await expectAccessible(page, "doctor, open");
    const path = /\/api\/mcp\/doctor\/[\w-]+/.exec(await page.locator("main").innerText())![0];
    const { value } = await issueKey(database, consumer.id);
    await rpc(server.url, value, "tools/list", {}, { path, headers: { accept: "application/json" } });
    await page.getByText("It lacks text/event-stream.").waitFor();
    await expectAccessible(page, "doctor, a fault");
    const invalid = { name: "list_stores", arguments: { limit: "many" } };
    await rpc(server.url, value, "tools/call", invalid, { path });
    await page.getByText("The arguments do not fit the tool's inputSchema").first().waitFor();
    // It was refused, if with a 200: no answer all the same.
    expect(await page.locator("main h3").allInnerTexts()).toEqual(["1 fault", "1 fault"]);
    await page.getByLabel("Request id").fill("no id");
    await page.getByRole("button", { name: "Look up" }).click();
    await page.getByText("A request id has 36 characters").waitFor();
    const [field, button] = await Promise.all([
      page.getByLabel("Request id").boundingBox(),
      page.getByRole("button", { name: "Look up" }).boundingBox(),
    ]);
    expect(Math.abs(button!.y - field!.y)).toBeLessThanOrEqual(1);
  });
});
