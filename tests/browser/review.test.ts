// From a request for production to the merchants' stores, in real Chromium: the owner asks, operators decide.
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { expectAccessible } from "../support/accessible";
import { testBrowser } from "../support/browser";
import { callTool, issueKey, rpc } from "../support/clients";
import { DEMO_TEMPLATE, testDatabase } from "../support/database";
import { makeAccount, makeConsumer } from "../support/factories";
import type { Person } from "../support/roles";
import { testServer } from "../support/server";
import { told } from "./told";

const database = testDatabase(DEMO_TEMPLATE);
const server = testServer(database, { NODE_ENV: "local" });
const browser = testBrowser(server, database);

const openAs = async (account: Person, javaScriptEnabled: boolean) => browser.openAs(account, { javaScriptEnabled });

describe.each([
  ["with JavaScript", true],
  ["without JavaScript", false],
])("a request for production, %s", (_name, javaScriptEnabled) => {
  it("is declined with a reason, asked again, approved with a directory endpoint, and rejected in the end", async () => {
    const consumer = await makeConsumer(database, { name: "Trail Guide", rateLimit: 1000 });
    const { value: key } = await issueKey(database, consumer.id);
    const stores = async () =>
      (await callTool(server.url, key, "list_stores", {})).json.result.structuredContent.stores.length as number;
    expect(await stores()).toBe(1);
    const owner = await openAs(consumer.owner, javaScriptEnabled);
    const operator = await openAs(await makeAccount(database, { isOperator: true }), javaScriptEnabled);
    const accessible = (page: Page, name: string) => (javaScriptEnabled ? expectAccessible(page, name) : undefined);
    const ask = async () => {
      await owner.goto("/console");
      await owner.getByRole("button", { name: "Request production access" }).click();
      await owner.getByText("Requested. An operator reviews it").waitFor();
      // Nobody who asks by keyboard is put back to the page's begin.
      if (javaScriptEnabled) {
        const isNowhere = () => owner.evaluate(() => document.activeElement === document.body);
        await expect.poll(isNowhere).toBe(false);
      }
    };
    const review = `/admin/review/${consumer.slug}`;

    await ask();
    await operator.goto("/admin");
    await accessible(operator, "queue");
    await operator.locator(`a[href="${review}"]`).first().click();
    await operator.getByRole("heading", { name: "Approve for production?" }).waitFor();
    await accessible(operator, "review");
    await operator.getByRole("link", { name: "Decline" }).click();
    await operator.getByLabel("Reason").fill("The links lose their parameters.");
    await accessible(operator, "decline");
    await operator.getByRole("button", { name: "Decline", exact: true }).click();
    await operator.getByText("declined production access").first().waitFor();
    await owner.goto("/console");
    await owner.getByText("Production access was declined").waitFor();
    await owner.getByText("The links lose their parameters.").first().waitFor();
    await accessible(owner, "declined");

    await ask();
    await operator.goto(review);
    const slug = `${consumer.slug}-apps`;
    await operator.getByLabel("Directory endpoint").fill(slug);
    await operator.getByRole("button", { name: "Approve for production" }).click();
    await operator.getByText("approved production access").first().waitFor();
    expect(await stores()).toBe(3);
    expect((await rpc(server.url, undefined, "tools/list", {}, { path: `/api/mcp/p/${slug}` })).status).toBe(200);
    await owner.goto("/console");
    await owner.getByText(`${server.url}/api/mcp/p/${slug}`).filter({ visible: true }).first().waitFor();
    await accessible(owner, "production");

    await operator.goto(`/admin/consumers/${consumer.slug}`);
    await accessible(operator, "access");
    await operator.getByLabel("Requests per minute").fill("900");
    await operator.getByRole("button", { name: "Save" }).click();
    await told(operator, "It applies from the next request.").waitFor();
    for (const name of ["Members", "Keys", "Usage", "History"]) {
      await operator
        .getByRole("navigation", { name: /^Pages of/ })
        .getByRole("link", { name })
        .click();
      await operator.waitForURL(`**/${name.toLowerCase()}`);
      await accessible(operator, name);
    }
    await operator.goto(`/admin/consumers/${consumer.slug}`);
    await operator.getByRole("link", { name: "Revoke access" }).click();
    await operator.getByLabel("Reason").fill("Prices were altered.");
    await operator.getByRole("button", { name: "Revoke access" }).click();
    await told(operator, "Every key is refused.").waitFor();
    expect((await rpc(server.url, key, "ping")).status).toBe(401);
    expect((await rpc(server.url, undefined, "ping", {}, { path: `/api/mcp/p/${slug}` })).status).toBe(404);
    await owner.goto("/console");
    await owner.getByText("Prices were altered.").first().waitFor();
    await operator.getByRole("button", { name: "Restore access" }).click();
    await told(operator, "Access has been restored, as it was").waitFor();
    expect(await stores()).toBe(3);
  });
});
