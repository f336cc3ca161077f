// The operators' desk in real Chromium, with JavaScript and without it: a merchant from its name to somebody who acts
// for it, new terms, other settings, and all of it in the audit.
import { randomBytes } from "node:crypto";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import * as demo from "../../server/services/demo";
import * as terms from "../../server/services/terms";
import { expectAccessible } from "../support/accessible";
import { linkInMail, testBrowser } from "../support/browser";
import { DEMO_TEMPLATE, testDatabase } from "../support/database";
import { testServer } from "../support/server";
import { told } from "./told";

const database = testDatabase(DEMO_TEMPLATE);
const server = testServer(database, { NODE_ENV: "local" });
const browser = testBrowser(server, database);
const PASSWORD = "a meadow of quiet tents";

describe.each([
  ["with JavaScript", true],
  ["without JavaScript", false],
])("an operator, %s", (_name, javaScriptEnabled) => {
  const open = () => browser.open({ javaScriptEnabled, reducedMotion: "reduce" });
  const accessible = (page: Page, name: string) => (javaScriptEnabled ? expectAccessible(page, name) : undefined);

  async function logIn(page: Page, email: string, password: string): Promise<void> {
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.getByRole("button", { name: "Log in" }).click();
  }
  async function operator(): Promise<Page> {
    const page = await open();
    const { sign_ins } = await demo.describe(database.as({ kind: "system" }), server.url);
    await page.goto("/login");
    await logIn(page, "operator@demo.example", sign_ins.find(({ role }) => role === "operator")!.password!);
    await page.waitForURL("**/admin**");
    return page;
  }

  it("makes a merchant and a store, and invites somebody who signs up and acts for it", async () => {
    const page = await operator();
    const name = `Fjordline ${randomBytes(3).toString("hex")}`;
    const email = `${randomBytes(4).toString("hex")}@fjordline.example`;
    await page.goto("/admin/merchants");
    await accessible(page, "merchants");
    await page.getByRole("link", { name: "New merchant" }).first().click();
    await page.getByLabel("Name", { exact: true }).fill(name);
    await accessible(page, "new merchant");
    await page.getByRole("button", { name: "Create merchant" }).click();
    await page.getByRole("heading", { level: 1, name }).waitFor();
    await accessible(page, "a merchant without anything");

    await page.getByRole("link", { name: "New store" }).first().click();
    await page.getByLabel("Slug").waitFor();
    await page.getByLabel("Name", { exact: true }).fill("Fjordline Bergen");
    await page.getByLabel("Website").fill("https://fjordline.example");
    // As people type it: "No", of Norway, would be a country.
    await page.getByLabel("Country").pressSequentially("Norway");
    await page.getByLabel("Currency").pressSequentially("nokroner");
    await page.getByLabel("Slug").fill(`bergen-${randomBytes(3).toString("hex")}`);
    await page.getByRole("button", { name: "Create store" }).click();
    await page.getByText("Enter its ISO 3166-1 code: NO.").waitFor();
    await page.getByText("Enter an ISO 4217 code").waitFor();
    expect(await page.getByLabel("Country").inputValue()).toBe("Norway");
    await accessible(page, "a store refused");
    await page.getByLabel("Country").fill("NO");
    await page.getByLabel("Currency").fill("NOK");
    await page.getByRole("button", { name: "Create store" }).click();
    await told(page, "The store has been created").waitFor();

    await page.getByRole("link", { name: "Invite" }).first().click();
    await page.getByRole("dialog").getByLabel("Email").fill(email);
    await page.getByRole("button", { name: "Send invitation" }).click();
    await told(page, "The invitation is on its way").waitFor();
    await accessible(page, "a merchant");

    const invited = await open();
    const link = await linkInMail(invited, email, "/invitation?");
    await invited.goto(link);
    await accessible(invited, "an invitation for a stranger");
    // By way of the log-in: neither it nor the sign-up forgets what they came for.
    await invited.getByRole("link", { name: "Log in" }).click();
    await invited.waitForURL("**/login?**"); // both pages have the next link
    await invited.getByRole("link", { name: "Create an account" }).click();
    await invited.getByText(`To act for ${name}`).waitFor();
    await accessible(invited, "a sign-up by invitation");
    expect(await invited.getByLabel("Work email").inputValue()).toBe(email);
    await invited.getByLabel("Your name").fill("Sigrid Aas");
    await invited.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await invited.getByRole("button", { name: "Create account" }).click();
    await invited.getByText("Check your email").waitFor();
    await invited.goto(await linkInMail(invited, email, "/verify?"));
    await invited.getByRole("button", { name: "Confirm this address" }).click();
    await invited.waitForURL("**/login**");
    await logIn(invited, email, PASSWORD);
    await invited.waitForURL("**/invitation");
    await accessible(invited, "invitations that wait");
    await invited.goto(link);
    await accessible(invited, "an invitation to accept");
    await invited.getByRole("button", { name: "Accept" }).click();
    await invited.waitForURL("**/merchant?done=joined");
    await invited.goto(link);
    await invited.getByText("This invitation has already been accepted").waitFor();

    await page.reload();
    await page.getByRole("link", { name: "Remove Sigrid Aas" }).click();
    await page.getByText(`No one is then left to manage the stores of ${name}`).waitFor();
    await accessible(page, "removing somebody");
    await page.getByRole("button", { name: "Remove" }).click();
    await told(page, "They no longer act for this merchant").waitFor();
  });

  it("publishes terms that were looked at, saves settings, and finds both in the audit", async () => {
    const page = await operator();
    const before = await terms.currentVersion(database.as({ kind: "system" }));
    const version = new Date(Date.parse(before) + 86_400_000).toISOString().slice(0, 10);
    await page.goto("/admin/terms");
    await accessible(page, "terms");
    await page.getByRole("link", { name: "New version" }).click();
    await page.getByLabel("Text").waitFor();
    const body = await page.getByLabel("Text").inputValue();
    await page.getByLabel("Text").fill(`${body.replace("24 hours", "12 hours")}\n\n9. **${version}.** Another line.`);
    await page.getByLabel("Date").fill(version);
    await accessible(page, "writing terms");
    await page.getByRole("button", { name: "Preview and compare" }).click();
    await page.getByRole("heading", { name: `Version ${version}` }).waitFor();
    await page.getByText(`${version}. Another line.`).first().waitFor();
    await accessible(page, "terms before they are published");
    if (javaScriptEnabled) {
      // Back leads from the preview to what was written.
      await page.goBack();
      expect(await page.getByLabel("Text").inputValue()).toContain(`**${version}.** Another line.`);
      expect(await page.getByLabel("Date").inputValue()).toBe(version);
      await page.getByRole("button", { name: "Preview and compare" }).click();
      await page.getByRole("heading", { name: `Version ${version}` }).waitFor();
    }
    await page.getByRole("button", { name: `Publish ${version}` }).click();
    await page.getByText("Tick this to publish.").waitFor();
    const box = page.getByLabel(`I have read version ${version}`);
    // The page is long: without scripts it is looked at from its top.
    if (javaScriptEnabled) {
      const isSeen = (one: Element) => one === document.activeElement && one.getBoundingClientRect().top < innerHeight;
      await expect.poll(() => box.evaluate(isSeen)).toBe(true);
    }
    await box.check();
    await page.getByRole("button", { name: `Publish ${version}` }).click();
    await told(page, "The new version has been published").waitFor();
    await page.getByRole("link", { name: version }).click();
    await page.getByText("What changed since").waitFor();
    await accessible(page, "a version of the terms");

    await page.goto("/admin/settings");
    await accessible(page, "settings");
    await page.getByLabel("Only after review").check();
    await page.getByLabel("Calls per minute").fill(javaScriptEnabled ? "41" : "42");
    await page.getByRole("button", { name: "Save settings" }).click();
    await told(page, "The settings have been saved").waitFor();

    await page.goto("/admin/audit");
    await page.getByText(`published the data-use terms of ${version}`).first().waitFor();
    const saved = page.getByRole("row").filter({ hasText: "Olwen Price changed the settings" }).first();
    await saved.getByText("Details").click();
    await saved.getByText("Playground: calls per minute").waitFor();
    await accessible(page, "audit");
    await page.getByLabel("What").selectOption("settings");
    await page.getByRole("button", { name: "Filter" }).click();
    await page.waitForURL("**action=settings**");
    await saved.waitFor();
    await page
      .getByRole("row")
      .filter({ hasText: "published the data-use terms" })
      .first()
      .waitFor({ state: "detached" });
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "Export as CSV" }).click();
    expect((await download).suggestedFilename()).toMatch(/^aisle-audit-settings-[\d-]{10}\.csv$/);
    await page.goto("/admin/audit?requestId=x");
    await accessible(page, "audit, mistaken");
  });
});
