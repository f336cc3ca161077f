// A person of two platforms changes over: nothing of the one stands on a page about the other, and no page is lost.
import { expect, it } from "vitest";
import { members } from "../../db/schema/consumers";
import { testBrowser, visit } from "../support/browser";
import { callTool, issueKey } from "../support/clients";
import { testDatabase } from "../support/database";
import { makeConsumer } from "../support/factories";
import { testServer } from "../support/server";
import { untilRecorded } from "../support/usage";

const database = testDatabase();
const server = testServer(database);
const browser = testBrowser(server, database);

/** Logged in as the owner of both, on the first's `path`. */
async function open(path: (first: { id: string }) => Promise<string> | string) {
  const [first, second] = [await makeConsumer(database), await makeConsumer(database)];
  await database.db.insert(members).values({ consumerId: second.id, accountId: first.owner.id, role: "owner" });
  const page = await browser.openAs(first.owner);
  await visit(page, "/console");
  const shown = await page.locator("summary").filter({ hasText: "Switch to another platform" }).innerText();
  const [mine, other] = shown.includes(first.name) ? [first, second] : [second, first];
  await visit(page, await path(mine));
  const changeOver = async () => {
    await page.locator("summary").filter({ hasText: "Switch to another platform" }).click();
    await page.getByRole("button", { name: other.name }).click();
    await page.locator("summary").filter({ hasText: other.name }).waitFor();
  };
  return { page, changeOver };
}

it("the client doctor's address of one platform is not on the other's page", async () => {
  const { page, changeOver } = await open(() => "/console/doctor");
  await page.getByRole("button", { name: "Check my client" }).click();
  const address = page.getByRole("heading", { name: "Your address" });
  await address.waitFor();
  await changeOver();
  await page.getByRole("button", { name: "Check my client" }).waitFor();
  expect(await address.count()).toBe(0);
});

it("the Playground runs as the platform that it shows, after a change of platform too", async () => {
  const { page, changeOver } = await open(() => "/console/playground?tool=list_stores");
  const shown = page.locator("input[name=consumerId]").last();
  const before = await shown.getAttribute("value");
  await changeOver();
  await expect.poll(() => shown.getAttribute("value")).not.toBe(before);
  await page.locator("[id^=argument]").first().waitFor({ state: "attached" });
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.locator("#answer").waitFor();
  const [run] = await database.sql`select consumer_id as id from usage_events order by at desc limit 1`;
  expect(run!.id).toBe(await shown.getAttribute("value"));
});

it("from one request of a platform the other's log is shown, not that there is no such request", async () => {
  const { page, changeOver } = await open(async ({ id }) => {
    const { value } = await issueKey(database, id);
    const { headers } = await callTool(server.url, value, "list_stores", {});
    await untilRecorded(database);
    return `/console/requests/${headers["x-request-id"]}`;
  });
  await changeOver();
  await page.getByRole("heading", { level: 1, name: "Requests" }).waitFor();
  expect(new URL(page.url()).pathname).toBe("/console/requests");
});

it("an address of the client doctor that has ended is no longer there to be copied, until another is opened", async () => {
  const { page } = await open(() => "/console/doctor");
  const address = page.getByRole("heading", { name: "Your address" });
  await page.getByRole("button", { name: "Check my client" }).click();
  await address.waitFor();
  await page.getByText("Listening", { exact: true }).waitFor();
  await database.sql`update doctor_checks set requests = 20`;
  await page.getByText("Your address has ended").waitFor();
  expect(await address.count()).toBe(0);
  // Its time is not over: nothing "ended in 14 minutes".
  expect(await page.locator("main").innerText()).toContain("20 of 20 requests\n");
  await page.getByRole("button", { name: "Open another address" }).click();
  await address.waitFor();
  expect(await page.getByText("Your address has ended").count()).toBe(0);
});
