// From a stranger to a first successful call, in real Chromium: with JavaScript, and again without it.

import { randomBytes } from "node:crypto";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { expectAccessible } from "../support/accessible";
import { linkInMail, testBrowser } from "../support/browser";
import { rpc } from "../support/clients";
import { DEMO_TEMPLATE, testDatabase } from "../support/database";
import { logOf, testServer } from "../support/server";
import { untilRecorded } from "../support/usage";
import { told } from "./told";

const database = testDatabase(DEMO_TEMPLATE);
const server = testServer(database, { NODE_ENV: "local" });
const browser = testBrowser(server, database);
const PASSWORD = "a meadow of quiet tents";
const VALUE = /aisle_[0-9A-Za-z]{36}/;

const shownKey = async (page: Page) =>
  VALUE.exec(await page.locator("main, dialog").getByText(VALUE).first().innerText())![0];
const status = async (key: string) => (await rpc(server.url, key, "ping")).status;
const toolNames = async (key: string): Promise<string[]> =>
  (await rpc(server.url, key, "tools/list")).json.result.tools.map((tool: { name: string }) => tool.name);

async function connect(key: string): Promise<Client> {
  const transport = new StreamableHTTPClientTransport(new URL("/api/mcp", server.url), {
    requestInit: { headers: { Authorization: `Bearer ${key}` } },
  });
  const client = new Client({ name: "onboarding", version: "1.0.0" });
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  return client;
}

describe.each([
  ["with JavaScript", true],
  ["without JavaScript", false],
])("a stranger, %s", (_name, javaScriptEnabled) => {
  it("signs up, applies, calls a tool, and keeps house with keys and terms", async () => {
    const page = await browser.open({ javaScriptEnabled, reducedMotion: "reduce" });
    const domain = `acme-${randomBytes(4).toString("hex")}.example`;
    const email = `ada@${domain}`;
    const accessible = (name: string) => (javaScriptEnabled ? expectAccessible(page, name) : undefined);

    // Sign up, and follow the link in the mail
    await page.goto("/signup");
    await accessible("sign-up");
    await page.getByLabel("Your name").fill("Ada Moore");
    await page.getByLabel("Work email").fill(email);
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByText(email).first().waitFor();
    await accessible("look into your mail");
    const verify = await linkInMail(page, email, "/verify?");

    // Not before the address is confirmed, and told so only after the right password
    await logIn(page, email, "not the right password");
    await page.getByText("The address or the password is wrong.").waitFor();
    expect(await page.locator("main").innerText()).not.toContain("Confirm your address first");
    await logIn(page, email, PASSWORD);
    await page.getByText("Confirm your address first").first().waitFor();

    await page.goto(verify);
    await accessible("verify");
    await page.getByRole("button", { name: "Confirm this address" }).click();
    await page.waitForURL("**/login**");
    await logIn(page, email, PASSWORD);
    await page.waitForURL("**/apply");

    // Apply: approved at once, since the address is on the website's domain
    await accessible("application");
    await page.getByLabel("Agent or product name").fill("Trail Guide");
    await page.getByLabel("Platform it runs on").fill("Web app");
    await page.getByLabel("How shoppers will use it").fill("They ask which tent fits four people in the rain.");
    await page.getByLabel("Company").fill("Acme");
    await page.getByLabel("Website").fill(`https://www.${domain}/about`);
    await page.getByLabel("Expected requests per day").fill("5000");
    await page.getByLabel(/data-use terms, version/).check();
    await page.getByRole("button", { name: "Submit application" }).click();
    await page.getByRole("heading", { name: /sandbox key/ }).waitFor();
    await accessible("sandbox key");
    const sandboxKey = await shownKey(page);
    await page.getByRole("button", { name: "I have stored it" }).click();
    await page.waitForURL("**/console");
    await page.getByRole("heading", { name: /sandbox key/ }).waitFor({ state: "detached" });
    expect(await page.content()).not.toContain(sandboxKey);

    // A first call by the SDK, counted on Overview
    const client = await connect(sandboxKey);
    const found = await client.callTool({ name: "search_products", arguments: { query: "tent" } });
    expect(found.isError).toBeFalsy();
    await client.close();
    const consumerId = (
      await database.sql`select consumer_id from applications where company = 'Acme' and website like ${`%${domain}%`}`
    )[0]!.consumer_id;
    await untilRecorded(database);
    const [{ calls }] =
      (await database.sql`select count(*)::int as calls from usage_events where consumer_id = ${consumerId}`) as unknown as [
        { calls: number },
      ];
    await page.reload();
    await accessible("Overview");
    expect((await page.locator("main").innerText()).replaceAll(/\s+/g, " ")).toContain(`${calls} / 60 requests`);

    // A narrowed key sees fewer tools
    await page.goto("/console/keys");
    await page.getByRole("link", { name: "Issue a key" }).first().click();
    await page.getByLabel("Name").fill("Offers only");
    for (const scope of ["catalog:read", "promotions:read", "loyalty:read"]) await page.getByLabel(scope).uncheck();
    await accessible("issue dialog");
    await page.getByRole("button", { name: "Issue key" }).click();
    await page.getByText("Your new key").waitFor();
    await accessible("new key");
    const narrowed = await shownKey(page);
    expect(await toolNames(narrowed)).toEqual(["get_offers"]);
    expect((await toolNames(sandboxKey)).length).toBe(10);
    await page.goto("/console/keys");
    await accessible("Keys");
    expect(await page.content()).not.toContain(narrowed);

    // Rotate: the old one goes on, then with the old one revoked
    const heir = await rotate(page, "Offers only", false);
    expect([await status(narrowed), await status(heir)]).toEqual([200, 200]);
    const last = await rotate(page, "Sandbox key", true);
    expect([await status(sandboxKey), await status(last)]).toEqual([401, 200]);

    // Revoke, with the name typed
    await act(page, "Sandbox key", "Revoke");
    await page.getByRole("textbox").last().fill("Sandbox key");
    await accessible("revoke dialog");
    await page.getByRole("button", { name: "Revoke key" }).click();
    await told(page, "is revoked").waitFor();
    expect(await status(last)).toBe(401);

    // A new version of the terms holds up new keys, not calls
    await database.sql`insert into terms (version, body) select max(version) + 1, '# New terms' from terms`;
    await page.goto("/console/keys");
    await page.getByText("wait for the data-use terms").waitFor();
    await page.goto("/console/keys?dialog=issue");
    expect(await status(heir)).toBe(200);
    await page.goto("/console");
    await accessible("Overview with new terms");
    await page.getByRole("button", { name: /^Accept version/ }).click();
    await page.getByText("have a new version").waitFor({ state: "detached" });
    await page.goto("/console/keys");
    await page.getByRole("link", { name: "Issue a key" }).first().click();
    await page.getByLabel("Name").fill("After the terms");
    await page.getByRole("button", { name: "Issue key" }).click();
    await page.getByText("Your new key").waitFor();
    expect(await status(await shownKey(page))).toBe(200);

    // And the value is nowhere that a browser keeps things
    const storage = await page.context().storageState();
    expect(JSON.stringify(storage)).not.toMatch(VALUE);
    expect(await logOf(server)).not.toMatch(VALUE);
  });
});

async function logIn(page: Page, email: string, password: string): Promise<void> {
  await page.goto("/login");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Log in" }).click();
  await page.waitForLoadState();
  await page.locator("[aria-busy=true]").waitFor({ state: "detached" });
}

/** Chooses an action of a key's row. */
async function act(page: Page, name: string, action: string): Promise<void> {
  await page.goto("/console/keys");
  const row = page.getByRole("row").filter({ hasText: name }).filter({ hasText: action }).first();
  await row.getByRole("link", { name: new RegExp(`^${action}`) }).click();
}

async function rotate(page: Page, name: string, revokeOld: boolean): Promise<string> {
  await act(page, name, "Rotate");
  if (revokeOld) await page.getByLabel("Revoke the old key now").check();
  await page.getByRole("button", { name: "Rotate key" }).click();
  await page.getByText("Your new key").waitFor();
  return shownKey(page);
}
