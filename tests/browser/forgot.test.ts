// The address that was typed to log in is not typed again for a new password, and is in no URL.
import { expect, it } from "vitest";
import { testBrowser, visit } from "../support/browser";
import { testDatabase } from "../support/database";
import { testServer } from "../support/server";

const database = testDatabase();
const server = testServer(database);
const browser = testBrowser(server, database);

it.each([
  ["as it was typed", false],
  ["also after a wrong password", true],
])("the address goes along from the log-in to a new password, %s", async (_, isTried) => {
  const page = await browser.open();
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await visit(page, "/login");
  await page.getByLabel("Email").fill("ada@harbour.example");
  if (isTried) {
    await page.getByLabel("Password", { exact: true }).fill("not this one at all");
    await page.getByRole("button", { name: "Log in" }).click();
    await page.locator("[aria-invalid=true], [data-refused], [role=alert]").first().waitFor();
  }
  await page.getByRole("link", { name: "Forgot your password?" }).click();
  await page.waitForURL("**/forgot");
  await page.getByRole("heading", { name: "Forgot your password?" }).waitFor();
  expect(await page.getByLabel("Email").inputValue()).toBe("ada@harbour.example");
  expect([page.url(), ...asked].filter((url) => url.includes("harbour"))).toEqual([]);
});
